//! Lengths of loops and dimensions.

use super::affine::Affine;

/// Number of iterations, or of elements along a dimension.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// Known now.
    Constant(usize),
    /// Known when the kernel runs: an affine function of integer parameters and lengths;
    /// below zero it counts as zero.
    RunTime(Affine),
}

impl Extent {
    /// The extent if it is known now.
    pub fn as_constant(&self) -> Option<usize> {
        match self {
            Extent::Constant(n) => Some(*n),
            Extent::RunTime(_) => None,
        }
    }

    /// The extent if it is known when the kernel runs.
    pub fn run_time(&self) -> Option<&Affine> {
        match self {
            Extent::RunTime(affine) => Some(affine),
            Extent::Constant(_) => None,
        }
    }

    /// The extent in either case.
    pub fn affine(&self) -> Affine {
        match self {
            Extent::Constant(n) => Affine::constant(*n as i64),
            Extent::RunTime(affine) => affine.clone(),
        }
    }
}
