//! Which equations write an array, and read it.

use std::collections::BTreeMap;

use super::expr::Access;
use super::program::{ArrayId, Program, Role};

impl Program {
    /// The equations that write an array, in order.
    pub fn writers(&self, array: ArrayId) -> impl Iterator<Item = usize> {
        let equations = self.equations.iter().enumerate();
        equations
            .filter(move |(_, equation)| equation.target.array == array)
            .map(|(at, _)| at)
    }

    /// The arrays that equations write, and these equations, in order.
    pub fn written(&self) -> BTreeMap<ArrayId, Vec<usize>> {
        let mut result: BTreeMap<ArrayId, Vec<usize>> = BTreeMap::new();
        for (at, equation) in self.equations.iter().enumerate() {
            result.entry(equation.target.array).or_default().push(at);
        }
        result
    }

    /// The accesses to an array, and whether each is a read.
    pub fn accesses(&self, array: ArrayId) -> Vec<(bool, &Access)> {
        let values = self.equations.iter().map(|equation| equation.expr);
        let reads = self.pool.accesses(values).into_iter();
        let reads = reads.map(|(_, access)| (true, access));
        let targets = self.equations.iter().map(|e| (false, &e.target));
        let all = reads.chain(targets);
        all.filter(|(_, access)| access.array == array).collect()
    }

    /// The equation that writes an array, if only one does.
    pub fn sole_writer(&self, array: ArrayId) -> Option<usize> {
        let mut writers = self.writers(array);
        writers.next().filter(|_| writers.next().is_none())
    }

    /// Whether equations read what others write to outputs: then these have their order.
    pub fn is_in_place(&self) -> bool {
        let mut arrays = self.arrays.iter();
        arrays.any(|array| matches!(array.role, Role::State(_)))
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::text;

    #[test]
    fn equations_that_write_an_array_are_found() {
        let program = text::parse(
            "program p\nindex i: 4\nparam 0 x: f64[4]\noutput 1 y: f64[4]\ntemp s: f64[4]\n\
             s[i] = x[i] for i; y[i] = s[i] for i; y[i] += x[i] for i",
        );
        let program = program.unwrap();
        let array = |at: usize| program.equations[at].target.array;
        assert!(program.writers(array(1)).eq([1, 2]));
        assert_eq!(program.sole_writer(array(0)), Some(0));
        assert_eq!(program.sole_writer(array(1)), None);
        let read = program.pool.accesses([program.equations[0].expr])[0].1;
        assert_eq!(program.sole_writer(read.array), None);
    }
}
