//! The order of equations, where that of additions matters.

use super::dependence::{Dependence, writers};
use super::storage::Path;
use crate::collections::HashMap;
use crate::ir::{Equation, Program, Role};

/// The order in which equations are placed. Where every addition keeps its place, statements that
/// take turns in a loop must meet in it again: what is computed for one of them goes before all.
pub fn order(program: &Program, dependence: &Dependence) -> Vec<usize> {
    let mut result: Vec<usize> = Vec::new();
    let writers = writers(program);
    for (at, equation) in program.equations.iter().enumerate() {
        let array = equation.target.array;
        let definition = program.exact
            && matches!(program.array(array).role, Role::Temporary)
            && writers[&array] == 1;
        let last = || {
            let follows = |earlier: &usize| dependence.follows(program, at, *earlier);
            result.iter().rposition(follows).map_or(0, |last| last + 1)
        };
        let position = if definition { last() } else { result.len() };
        result.insert(position, at);
    }
    result
}

/// Where every addition keeps its place, two statements that add to one array share the loops that
/// they share in the text.
pub fn turns_are_kept(program: &Program, paths: &HashMap<usize, Path>) -> Result<(), String> {
    let adds = |e: &Equation| program.exact && e.operator.accumulated().is_some();
    for (at, later) in program.equations.iter().enumerate() {
        for (before, earlier) in program.equations[..at].iter().enumerate() {
            let array = later.target.array;
            if !(adds(later) && adds(earlier) && earlier.target.array == array) {
                continue;
            }
            let common = later
                .domain()
                .filter(|index| earlier.domain().any(|other| other == *index));
            let (before, after) = (&paths[&before], &paths[&at]);
            let shared = before.iter().zip(after).take_while(|(a, b)| a == b);
            if shared.count() < common.count() {
                return Err(format!(
                    "the statements that add to `{}` would no longer take turns in their loops",
                    program.array(array).name
                ));
            }
        }
    }
    Ok(())
}
