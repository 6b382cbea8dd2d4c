//! Which loops and arrays are in blocks, so that some arrays can be.
//!
//! Loops that run over a dimension that is in blocks are in the same blocks; and so are the dimensions
//! of other local arrays that these loops write, and what reads those.

use std::collections::BTreeMap;

use super::pattern::Layout;
use crate::ir::{Access, Affine, ArrayId, Equation, IndexId, Program, Progression, Role};
use crate::passes::zero_blocks::plan::is_apart;
use crate::passes::zero_blocks::split::within;

/// The arrays and loops that are in blocks.
#[derive(Default)]
pub struct Plan {
    /// The blocks of arrays.
    pub arrays: BTreeMap<ArrayId, Layout>,
    /// The blocks of each equation's loops.
    pub loops: Vec<BTreeMap<IndexId, Vec<Progression>>>,
}

impl Plan {
    /// What is in blocks if an array is; `None` if it cannot be.
    pub fn of(program: &Program, array: ArrayId, layout: &Layout) -> Option<Plan> {
        let with_pieces = Plan::closed(program, array, layout, true);
        with_pieces.or_else(|| Plan::closed(program, array, layout, false))
    }

    /// The same, with arrays that are written in pieces where loops in blocks read them, or without.
    fn closed(program: &Program, array: ArrayId, layout: &Layout, pieces: bool) -> Option<Plan> {
        let mut plan = Plan {
            arrays: BTreeMap::from([(array, layout.clone())]),
            loops: vec![BTreeMap::new(); program.equations.len()],
        };
        let mut before = 0;
        while before != plan.size() {
            before = plan.size();
            for (at, equation) in program.equations.iter().enumerate() {
                let reads = program.pool.accesses([equation.expr]).into_iter();
                let accesses = reads.map(|(_, access)| access);
                for access in accesses.chain([&equation.target]) {
                    if pieces {
                        plan.join(program, at, access);
                    }
                    plan.follow(program, at, access)?;
                }
                plan.spread(program, at, equation)?;
            }
        }
        Some(plan)
    }

    /// Number of dimensions and loops that are in blocks.
    fn size(&self) -> usize {
        let arrays = self.arrays.values().map(BTreeMap::len);
        arrays.chain(self.loops.iter().map(BTreeMap::len)).sum()
    }

    /// Puts the dimensions of an array that several equations write in the blocks of the loops that
    /// read it: each of them may write blocks of its own.
    fn join(&mut self, program: &Program, at: usize, access: &Access) {
        let local = matches!(program.array(access.array).role, Role::Temporary);
        if !local || program.writers(access.array).count() < 2 {
            return;
        }
        for (axis, subscript) in access.subscripts.iter().enumerate() {
            let blocks = subscript.as_index().and_then(|i| self.loops[at].get(&i));
            if let Some(blocks) = blocks {
                let layout = self.arrays.entry(access.array).or_default();
                layout.entry(axis).or_insert_with(|| blocks.clone());
            }
        }
    }

    /// Puts the loops of an access in the blocks of the array's dimensions.
    fn follow(&mut self, program: &Program, at: usize, access: &Access) -> Option<()> {
        let Some(layout) = self.arrays.get(&access.array) else {
            return Some(());
        };
        for (axis, blocks) in layout {
            let subscript = &access.subscripts[*axis];
            let mut inside = blocks.iter();
            if inside.any(|block| within(program, subscript, *block).is_some()) {
                continue;
            }
            let index = subscript.as_index()?;
            let extent = program.loop_index(index).extent.as_constant()?;
            if extent != blocks.iter().map(|block| block.count).sum::<usize>() {
                return None;
            }
            let known = self.loops[at]
                .entry(index)
                .or_insert_with(|| blocks.clone());
            if known != blocks {
                return None;
            }
        }
        Some(())
    }

    /// Puts the dimensions that an equation's loops in blocks write in these blocks.
    fn spread(&mut self, program: &Program, at: usize, equation: &Equation) -> Option<()> {
        let loops = &self.loops[at];
        if loops.is_empty() {
            return Some(());
        }
        if !program.states(equation.expr).is_empty() {
            return None;
        }
        let target = equation.target.array;
        let temporary = matches!(program.array(target).role, Role::Temporary);
        for (index, blocks) in loops {
            if !equation.free.contains(index) {
                continue;
            }
            if !temporary {
                if !is_apart(equation, *index) {
                    return None;
                }
                continue;
            }
            let subscripts = &equation.target.subscripts;
            let axis = subscripts
                .iter()
                .position(|s| *s == Affine::index(*index))?;
            let mut others = subscripts.iter().enumerate();
            if others.any(|(other, subscript)| other != axis && subscript.depends_on(*index)) {
                return None;
            }
            let layout = self.arrays.entry(target).or_default();
            let known = layout.entry(axis).or_insert_with(|| blocks.clone());
            if known != blocks {
                return None;
            }
        }
        Some(())
    }
}
