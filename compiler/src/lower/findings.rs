//! What lowering finds out on the way, and begins again with.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::Affine;
use crate::syntax::ast::{LoopId, VariableId};

/// What is found out on the way.
#[derive(Clone, Debug)]
pub(super) enum Finding {
    /// A loop has to be cut: the piece of this number, where `at` of its iterations were run.
    Cut { piece: usize, at: Affine },
    /// A cut has to be elsewhere.
    Widen { piece: usize, at: Affine },
    /// A loop has to be unrolled: the piece of this number, which an inner loop's bounds follow.
    Unroll { piece: usize },
    /// A loop, the piece of this number, hands a variable of its function on.
    Carry { piece: usize, variable: VariableId },
    /// A slice, the parameter at a position, is an array with these extents behind the outermost one.
    Shape {
        position: usize,
        extents: Vec<Affine>,
    },
    /// Slices with constant strides have no rows.
    Flat,
    /// Integers of so many bits overflow, unless fewer of their values are met.
    Limit { bits: u32 },
}

/// All that was found out so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    pub(super) cuts: BTreeMap<usize, Affine>,
    pub(super) unrolled: BTreeSet<usize>,
    pub(super) carried: BTreeMap<usize, BTreeSet<VariableId>>,
    pub(super) shapes: BTreeMap<usize, Vec<Affine>>,
    /// Whether slices are in no shape of constant extents.
    pub(super) stays_flat: bool,
    /// The bits of integers that are read, but for their signs, where less than all values are taken to be met.
    pub(super) limit: Option<u32>,
    /// The loop of the kernel around all others whose body is the program.
    pub(super) repeated: Option<LoopId>,
    /// The loops of the kernel that hold elements of arrays in variables.
    pub(super) held: BTreeSet<LoopId>,
    /// The vectors of the kernel that are allocated where they are filled.
    pub(super) anew: BTreeSet<VariableId>,
}

/// Bits that integers are taken to have, but for their signs, where more would overflow: few steps from those that leave
/// room for some sums to those of flags.
const LIMITS: [u32; 13] = [60, 48, 32, 28, 24, 20, 16, 12, 8, 6, 5, 4, 1];

impl Findings {
    /// Most of them: each makes loops that are lowered on their own.
    const MOST: usize = 128;

    /// Takes one; whether it was new.
    pub(super) fn learn(&mut self, finding: Finding) -> bool {
        match finding {
            Finding::Cut { piece, at } => {
                let new = !self.cuts.contains_key(&piece) && self.cuts.len() < Self::MOST;
                self.forget_after(piece);
                new && self.cuts.insert(piece, at).is_none()
            }
            Finding::Widen { piece, at } => {
                self.forget_after(piece);
                self.cuts.insert(piece, at.clone()) != Some(at)
            }
            Finding::Unroll { piece } => {
                self.forget_after(piece);
                self.unrolled.insert(piece)
            }
            Finding::Carry { piece, variable } => {
                self.carried.entry(piece).or_default().insert(variable)
            }
            Finding::Shape { position, extents } => {
                let all_constant = is_constant(&extents);
                let new = self.shapes.get(&position).is_none_or(|known| {
                    let continues = extents.ends_with(known) || all_constant && is_constant(known);
                    extents.len() > known.len() && continues
                });
                if new {
                    self.shapes.insert(position, extents);
                }
                new
            }
            Finding::Flat => self.flatten(),
            Finding::Limit { bits } => {
                let known = self.limit.unwrap_or(bits - 1);
                self.limit = LIMITS.into_iter().find(|limit| *limit < known);
                self.limit.is_some()
            }
        }
    }

    /// Takes constant shapes back, for good; whether there were any.
    pub(super) fn flatten(&mut self) -> bool {
        let before = self.shapes.len();
        self.shapes.retain(|_, extents| !is_constant(extents));
        self.cuts.clear();
        self.unrolled.clear();
        self.carried.clear();
        self.stays_flat = true;
        self.shapes.len() < before
    }

    /// What comes after a piece is numbered anew.
    fn forget_after(&mut self, piece: usize) {
        self.cuts.split_off(&(piece + 1));
        self.unrolled.split_off(&(piece + 1));
        self.carried.split_off(&piece);
    }
}

fn is_constant(extents: &[Affine]) -> bool {
    extents.iter().all(|extent| extent.as_constant().is_some())
}
