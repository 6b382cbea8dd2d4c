//! Names of the variables of one variant: the user's where they are free, numbered otherwise.

use crate::collections::{HashMap, HashSet};
use crate::ir::{IndexId, Program};

/// More than the lanes of one step.
const LANES: usize = 256;

/// The names that are taken.
#[derive(Debug)]
pub struct Names {
    taken: HashSet<String>,
    next: HashMap<String, usize>,
}

/// A name without the mark of a raw identifier.
pub fn plain(name: &str) -> &str {
    name.trim_start_matches("r#")
}

/// The name of an extent along an axis.
pub fn length(name: &str, axis: usize) -> String {
    match axis {
        0 => format!("{}_len", plain(name)),
        _ => format!("{}_len{axis}", plain(name)),
    }
}

/// The name of the distance between neighbours along an axis, in elements.
pub fn stride(name: &str, axis: usize) -> String {
    format!("{}_stride{axis}", plain(name))
}

impl Names {
    /// Reserves what is made of the arrays' names: pointers, lengths, strides, values, memory.
    pub fn new(program: &Program) -> Names {
        let mut taken = HashSet::default();
        for array in &program.arrays {
            let suffixes = ["p", "value", "m"];
            taken.extend(suffixes.map(|suffix| format!("{}_{suffix}", plain(&array.name))));
            for axis in 0..array.shape.len() {
                taken.extend([length(&array.name, axis), stride(&array.name, axis)]);
            }
        }
        Names {
            taken,
            next: HashMap::default(),
        }
    }

    /// A numbered name that nothing else has.
    pub fn fresh(&mut self, base: &str) -> String {
        let base = plain(base);
        loop {
            let count = self.next.entry(base.to_owned()).or_insert(0);
            *count += 1;
            let name = format!("{base}_{count}");
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }

    /// The loop variables: the user's names where they are distinct and no keywords.
    pub fn indices(
        &mut self,
        program: &Program,
        is_lane: &dyn Fn(IndexId) -> bool,
    ) -> HashMap<IndexId, String> {
        let mut result = HashMap::default();
        for (at, index) in program.indices.iter().enumerate() {
            let base = index.name.trim_start_matches('_');
            let free = !base.is_empty() && !base.starts_with("r#") && !self.taken.contains(base);
            let name = if free {
                self.taken.insert(base.to_owned());
                base.to_owned()
            } else {
                let base = if base.is_empty() { "index" } else { base };
                self.fresh(base)
            };
            self.taken.insert(format!("{name}_end"));
            if is_lane(IndexId(at as u32)) {
                let own = (0..LANES).map(|lane| format!("{name}_{lane}"));
                self.taken.extend(own);
            }
            result.insert(IndexId(at as u32), name);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Element, Extent, Role};

    #[test]
    fn names_do_not_collide() {
        let mut program = Program::default();
        program.add_array("x", Element::F64, vec![], Role::Temporary);
        for name in ["i", "i", "r#fn", "_", "x_p", "i_2"] {
            program.add_index(name, Extent::Constant(3));
        }
        let mut names = Names::new(&program);
        let indices = names.indices(&program, &|_| false);
        let mut all: Vec<&String> = indices.values().collect();
        all.sort();
        assert_eq!(all, ["fn_1", "i", "i_1", "i_2", "index_1", "x_p_1"]);
        assert_eq!(names.fresh("i"), "i_3");
    }
}
