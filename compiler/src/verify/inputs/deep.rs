//! Inputs for many loops inside each other: were no two numbers of iterations equal, there would be as many
//! iterations in all as the factorial of the number of loops.
//!
//! Each loop has two or three iterations: the more common number where a bit of the loop's number is zero, the other
//! one where it is one. There are as many inputs as bits, so that any two loops differ with one of them.

use std::collections::BTreeSet;

use super::{Inputs, Size, Solution};

/// Loops of run-time length inside of each other of which no two have equal numbers of iterations.
const APART: usize = 6;

impl Inputs<'_> {
    /// The solutions where more loops than a few are inside each other, or all are to be short, one for each bit of their
    /// numbers, and for each nest; none otherwise, or where they do not fit.
    pub(super) fn deep(&self, active: &BTreeSet<usize>, size: &Size) -> Option<Vec<Solution>> {
        let few = self.needs.deepest <= APART && !size.short;
        if few || size.deep.is_some() {
            return None;
        }
        let nests = if size.short { size.long.len() } else { 1 };
        let of_choice = |choice| {
            let size = Size {
                deep: Some(choice),
                ..size.clone()
            };
            self.solution(active, &size)
        };
        // Where all loops have one number of iterations, there is one choice.
        let choices = nests.max(self.bits()).max(1);
        (0..choices).map(of_choice).collect()
    }

    /// The bits of the loops' numbers.
    fn bits(&self) -> usize {
        let last = self.needs.loops.len() - 1;
        (usize::BITS - last.leading_zeros()) as usize
    }

    /// Iterations of a loop with one of the choices.
    pub(super) fn few(&self, at: usize, choice: usize) -> i128 {
        2 + (at >> (choice % self.bits().max(1)) & 1) as i128
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::text;
    use crate::verify::inputs::{Inputs, Size};

    /// A product with so many loops, their lengths one after the other.
    fn sizes(loops: usize) -> Vec<Vec<usize>> {
        let names: Vec<String> = (0..loops).map(|at| format!("i{at}")).collect();
        let all = names.join(", ");
        let indices: String = (0..loops)
            .map(|at| format!("index i{at}: len(x{at})\n"))
            .collect();
        let arrays: String = (0..loops)
            .map(|at| format!("param {at} x{at}: f64[len(x{at})]\n"))
            .collect();
        let product: Vec<String> = (0..loops).map(|at| format!("x{at}[i{at}]")).collect();
        let text = format!(
            "program p\n{indices}{arrays}output {loops} y: f64[1]\ny[0] += sum({all}) {}\n",
            product.join(" * ")
        );
        let program = text::parse(&text).unwrap();
        let inputs = Inputs::new(&program, &[], &[], &[]);
        let size = Size::of(2);
        let count = inputs.count(&size).unwrap();
        let memories = (0..count).map(|at| inputs.memory(&size, at).unwrap());
        let lengths = |memory: crate::verify::memory::Memory| {
            let own = memory.parameters[..loops].iter();
            own.map(|parameter| parameter.shape[0]).collect()
        };
        memories.map(lengths).collect()
    }

    #[test]
    fn few_loops_are_all_apart() {
        let sizes = sizes(5);
        for one in &sizes {
            let mut sorted = one.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), 5, "{one:?}");
        }
    }

    #[test]
    fn many_loops_of_one_length_have_inputs() {
        let names: Vec<String> = (0..11).map(|at| format!("i{at}")).collect();
        let indices: String = names
            .iter()
            .map(|name| format!("index {name}: n\n"))
            .collect();
        let product: Vec<String> = names.iter().map(|name| format!("x[{name}]")).collect();
        let text = format!(
            "program p\n{indices}param 0 x: f64[n]\nparam 1 n: usize\noutput 2 y: f64[1]\ny[0] += sum({}) {}\n",
            names.join(", "),
            product.join(" * ")
        );
        let program = text::parse(&text).unwrap();
        let inputs = Inputs::new(&program, &[], &[], &[]);
        assert!(inputs.count(&Size::of(2)).unwrap() > 0);
    }

    #[test]
    fn many_loops_are_short_and_any_two_differ_somewhere() {
        let sizes = sizes(11);
        for one in &sizes {
            assert!(one.iter().all(|length| (2..=3).contains(length)), "{one:?}");
        }
        for a in 0..11 {
            for b in 0..a {
                assert!(sizes.iter().any(|one| one[a] != one[b]), "{a} {b}");
            }
        }
    }
}
