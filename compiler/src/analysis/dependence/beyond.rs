//! Accesses of which one is beyond all that the other one meets, for any extents: the inside of a grid and its sides.

use crate::ir::{Affine, Atom, Program};

/// Whether two accesses never meet since in some dimension the least subscript of one is above the largest of the
/// other one.
pub fn beyond(program: &Program, first: &[Affine], second: &[Affine]) -> bool {
    let above = |low: &Affine, high: &Affine| {
        let by = low.sub(high).as_constant();
        by.is_some_and(|by| by > 0)
    };
    first.iter().zip(second).any(|(first, second)| {
        let (Some(first), Some(second)) = (ends(program, first), ends(program, second)) else {
            return false;
        };
        above(&first[0], &second[1]) || above(&second[0], &first[1])
    })
}

/// The least and the largest value of a subscript in loops that run at least once.
fn ends(program: &Program, subscript: &Affine) -> Option<[Affine; 2]> {
    let mut ends = [subscript.clone(), subscript.clone()];
    for (atom, coefficient) in &subscript.terms {
        let index = match atom {
            Atom::Index(index) => *index,
            Atom::Map(..) => return None,
            Atom::Scalar(_) | Atom::Length(..) => continue,
        };
        let extent = program.loop_index(index).extent.affine();
        if !Affine::indices_of([&extent]).is_empty() {
            return None;
        }
        let moving = Affine::index(index).scale(*coefficient);
        let last = extent.sub(&Affine::constant(1)).scale(*coefficient);
        ends = ends.map(|end| end.sub(&moving));
        let end = usize::from(*coefficient > 0);
        ends[end] = ends[end].add(&last);
    }
    Some(ends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::parse;

    #[test]
    fn sides_are_beyond_the_inside() {
        let program = "program sides\nindex i: len(x) - 4\nindex a: 2\n\
             param 0 x: f64[len(x)]\noutput 1 y: f64[len(y)]\n\
             y[i + 2] = x[i]   for i\ny[a] = x[a]   for a\ny[a + len(x) - 2] = x[a]   for a\n\
             y[a + 1] = x[a]   for a\n";
        let program = parse(program).unwrap();
        let place = |at: usize| &program.equations[at].target.subscripts[..];
        let apart = |one, other| beyond(&program, place(one), place(other));
        assert!(apart(0, 1) && apart(1, 0) && apart(0, 2) && apart(2, 0));
        assert!(!apart(0, 3) && !apart(3, 0) && !apart(1, 3) && !apart(0, 0));
    }
}
