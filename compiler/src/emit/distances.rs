//! Distances between neighbours along the axes of arrays, where extents of run-time length decide on them: variables of a
//! function, computed before everything else in it, and not again in each address.

use super::printer::Printer;

impl Printer<'_> {
    /// A distance in the address that is printed: its variable, if it takes more than to name one.
    pub fn named_distance(&mut self, distance: &str) -> String {
        if !distance.contains('(') {
            return distance.to_owned();
        }
        let known = self.distances.iter().find(|(own, _)| own == distance);
        if let Some((_, name)) = known {
            return name.clone();
        }
        let name = self.fresh("between");
        self.distances.push((distance.to_owned(), name.clone()));
        name
    }

    /// Declares the variables, where the function begins.
    pub fn declare_distances(&mut self, start: usize) {
        let all = self.distances.iter();
        let declared: String = all
            .map(|(distance, name)| format!("let {name}: isize = {distance};\n"))
            .collect();
        self.out.insert_str(start, &declared);
    }
}
