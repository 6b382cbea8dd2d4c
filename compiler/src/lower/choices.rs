//! What lowering may choose.

use super::{short_sums, swept};
use crate::syntax::ast::{Function, Module};

/// Which local arrays are arrays of the program, the elements of the others being scalars; and which short
/// loops stay loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrays {
    /// Large ones.
    Large,
    /// Those too that loops sweep.
    Swept,
    /// Large ones; short sums of products of several arrays stay loops.
    ShortSums,
}

impl Arrays {
    /// The choices that make a difference to a kernel of a block, or to the helpers.
    pub fn choices(module: &Module, kernel: &Function) -> Vec<Arrays> {
        let helpers = || module.functions.iter().filter(|function| function.inlined);
        let sweeps = |function: &Function| !swept::swept(function).is_empty();
        let sums = |function: &Function| !short_sums::short_sums(function).is_empty();
        let mut result = vec![Arrays::Large];
        if sweeps(kernel) || helpers().any(sweeps) {
            result.push(Arrays::Swept);
        }
        if sums(kernel) || helpers().any(sums) {
            result.push(Arrays::ShortSums);
        }
        result
    }
}
