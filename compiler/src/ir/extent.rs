//! Lengths of loops and dimensions.

use super::affine::{Affine, Atom};
use super::program::Program;

/// Number of iterations, or of elements along a dimension.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// Known now.
    Constant(usize),
    /// Known when the kernel runs: an affine function of integer parameters and lengths;
    /// below zero it counts as zero.
    RunTime(Affine),
}

impl From<Affine> for Extent {
    /// Of what has fewer elements than none there are none.
    fn from(length: Affine) -> Extent {
        match length.as_constant() {
            Some(n) => Extent::Constant(usize::try_from(n).unwrap_or(0)),
            None => Extent::RunTime(length),
        }
    }
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

    /// The extent of what has more elements.
    #[must_use]
    pub fn longer(&self, by: usize) -> Extent {
        match self {
            Extent::Constant(n) => Extent::Constant(n + by),
            Extent::RunTime(extent) => Extent::RunTime(extent.add(&Affine::constant(by as i64))),
        }
    }

    /// The extent of what has fewer elements, or none.
    #[must_use]
    pub fn shorter(&self, by: usize) -> Extent {
        match self {
            Extent::Constant(n) => Extent::Constant(n.saturating_sub(by)),
            Extent::RunTime(extent) => Extent::RunTime(extent.sub(&Affine::constant(by as i64))),
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

impl Program {
    /// The least and the largest value of a function in the iterations of its loops, each of which is taken to have
    /// some; `None` with index maps.
    pub fn ends(&self, affine: &Affine) -> Option<[Affine; 2]> {
        let start = Affine::constant(affine.constant);
        let mut ends = [start.clone(), start];
        for (atom, coefficient) in &affine.terms {
            match atom {
                Atom::Index(index) => {
                    let extent = self.loop_index(*index).extent.affine();
                    let last = extent.sub(&Affine::constant(1));
                    let end = &mut ends[usize::from(*coefficient > 0)];
                    *end = end.add(&last.scale(*coefficient));
                }
                Atom::Scalar(_) | Atom::Length(..) => {
                    let term = Affine::atom(atom.clone()).scale(*coefficient);
                    ends = ends.map(|end| end.add(&term));
                }
                Atom::Map(..) => return None,
            }
        }
        Some(ends)
    }
}
