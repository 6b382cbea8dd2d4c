//! ArrayNames that no two arrays have.

use crate::collections::{HashMap, HashSet};

use super::program::Array;

/// The names that are taken, and where numbers go on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrayNames {
    taken: HashSet<String>,
    /// The number that a name was last given.
    numbers: HashMap<String, usize>,
    /// Arrays whose names are among those taken.
    entered: usize,
}

impl ArrayNames {
    /// The name, with the first number from 2 on that makes it unique where it is taken.
    pub(super) fn unique(&mut self, name: &str, arrays: &[Array]) -> String {
        let all = arrays.iter().skip(self.entered).map(|a| a.name.clone());
        self.taken.extend(all);
        self.entered = arrays.len();
        let unique = self.candidates(name).0;
        // Taken from here on, since its array may give the name to another.
        self.taken.insert(unique.clone());
        unique
    }

    /// The first name that is not taken, and how many were tried. ArrayNames stay taken, so that the
    /// numbers below the last one need not be tried again.
    fn candidates(&mut self, name: &str) -> (String, usize) {
        if !self.taken.contains(name) {
            return (name.to_owned(), 1);
        }
        let number = self.numbers.entry(name.to_owned()).or_insert(1);
        let mut tried = 1;
        loop {
            (*number, tried) = (*number + 1, tried + 1);
            let unique = format!("{name}_{number}");
            if !self.taken.contains(&unique) {
                return (unique, tried);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_on_where_they_were() {
        let mut names = ArrayNames::default();
        names.taken.insert("t_3".to_owned());
        let mut found = Vec::new();
        let mut tried = 0;
        for _ in 0..1000 {
            let (name, candidates) = names.candidates("t");
            names.taken.insert(name.clone());
            tried += candidates;
            found.push(name);
        }
        assert_eq!(found[..4], ["t", "t_2", "t_4", "t_5"]);
        assert_eq!(found[999], "t_1001");
        // Two a name, less one for the first, and one more for what was taken.
        assert_eq!(tried, 2000);
    }
}
