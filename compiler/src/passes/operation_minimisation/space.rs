//! Loops as bits, factors by the loops that they depend on, and sets of factors.

use std::collections::BTreeSet;

use crate::analysis::cost;
use crate::collections::{HashMap, HashSet};
use crate::ir::{Affine, Equation, ExprId, IndexId, Program, Role};
use crate::rewrite::evaluate::only_tables;

/// The loops of constant length, each a bit, and the factors.
pub struct Space {
    /// The loops.
    pub loops: Vec<IndexId>,
    extents: Vec<u64>,
    factors: HashMap<ExprId, Properties>,
    /// For each equation, the loops that it sums over.
    sums: Vec<u64>,
    /// Most entries of a table that is made.
    most: u64,
    /// Operations inside of the factors.
    pub inside: u64,
    /// Whether elements of temporaries count that are stored and loaded.
    pub transfers: bool,
}

#[derive(Clone, Copy)]
struct Properties {
    loops: u64,
    known: bool,
}

impl Space {
    /// The space of equations; `None` if there are too many loops.
    pub fn new(
        program: &Program,
        equations: &[&Equation],
        factors: impl Iterator<Item = ExprId>,
        most: u64,
    ) -> Option<Space> {
        let mut loops: Vec<IndexId> = equations.iter().flat_map(|e| e.domain()).collect();
        loops.retain(|index| program.is_constant(*index));
        loops.sort_unstable();
        loops.dedup();
        if loops.len() > 64 {
            return None;
        }
        let extent = |index: &IndexId| program.loop_index(*index).extent.as_constant();
        let extents = loops.iter().filter_map(extent).map(|n| n as u64).collect();
        let bits = |indices: &[IndexId]| -> u64 {
            let at = |index: &IndexId| loops.binary_search(index).ok();
            indices.iter().filter_map(at).map(|at| 1 << at).sum()
        };
        let properties = |expr: ExprId| Properties {
            loops: bits(program.pool.indices(expr)),
            known: only_tables(program, expr),
        };
        let factors: HashMap<ExprId, Properties> =
            factors.map(|expr| (expr, properties(expr))).collect();
        let sums = equations.iter().map(|e| bits(&e.reduction)).collect();
        let mut result = Space {
            extents,
            factors,
            sums,
            most,
            inside: 0,
            transfers: false,
            loops,
        };
        let inside = result.factors.iter().map(|(expr, properties)| {
            let one = cost::expression(program, *expr, &mut HashSet::default()).operations();
            one.saturating_mul(result.size(properties.loops))
        });
        result.inside = inside.fold(0, u64::saturating_add);
        Some(result)
    }

    /// Iterations of some loops.
    pub fn size(&self, loops: u64) -> u64 {
        let chosen = (self.extents.iter().enumerate()).filter(|(at, _)| loops >> at & 1 == 1);
        chosen.fold(1, |size: u64, (_, extent)| size.saturating_mul(*extent))
    }

    /// The loops that are bits of a number.
    pub fn indices(&self, loops: u64) -> Vec<IndexId> {
        let chosen = (self.loops.iter().enumerate()).filter(|(at, _)| loops >> at & 1 == 1);
        chosen.map(|(_, index)| *index).collect()
    }

    /// The loops that an equation sums over.
    pub fn sums(&self, equation: usize) -> u64 {
        self.sums[equation]
    }
}

/// The sets of a term's factors: bit i of a set is factor i.
pub struct Subsets<'a> {
    space: &'a Space,
    factors: &'a [ExprId],
    /// For each set, the loops that its factors depend on.
    all: Vec<u64>,
    /// Whether all factors of a set are known.
    known: Vec<bool>,
    sums: u64,
}

impl<'a> Subsets<'a> {
    /// The sets of a term of an equation.
    pub fn new(space: &'a Space, equation: usize, factors: &'a [ExprId]) -> Subsets<'a> {
        let count = 1_usize << factors.len();
        let (mut all, mut known) = (vec![0; count], vec![true; count]);
        for set in 1..count {
            let first = set.trailing_zeros() as usize;
            let own = space.factors[&factors[first]];
            let rest = set & (set - 1);
            all[set] = own.loops | all[rest];
            known[set] = own.known && known[rest];
        }
        Subsets {
            space,
            factors,
            all,
            known,
            sums: space.sums(equation),
        }
    }

    /// All factors.
    pub fn full(&self) -> usize {
        self.all.len() - 1
    }

    /// The factors of a set.
    pub fn factors(&self, set: usize) -> Vec<ExprId> {
        let chosen = (self.factors.iter().enumerate()).filter(|(at, _)| set >> at & 1 == 1);
        chosen.map(|(_, factor)| *factor).collect()
    }

    /// The loops that factors of a set depend on.
    pub fn all_loops(&self, set: usize) -> u64 {
        self.all[set]
    }

    /// The loops that are summed over once a set is multiplied: no other factor depends on them.
    pub fn summed(&self, set: usize) -> u64 {
        self.all[set] & self.sums & !self.all[self.full() ^ set]
    }

    /// The loops of a set's value.
    pub fn loops(&self, set: usize) -> u64 {
        self.all[set] & !self.summed(set)
    }

    /// The loops that are summed over when what is not in a set is multiplied with it.
    pub fn live(&self, left: usize) -> u64 {
        self.loops(self.full() ^ left) & self.sums
    }

    /// Whether the value of a set is computed now.
    pub fn evaluates(&self, set: usize) -> bool {
        let small = set.is_power_of_two() || self.space.size(self.all[set]) <= self.space.most;
        self.known[set] && small
    }

    /// Elements of the value of a set that are stored, and loaded where it becomes a part of a value in the loops
    /// `value`.
    pub fn transferred(&self, set: usize, loops: u64, value: u64) -> u64 {
        let own = self.loops(set);
        let given = set.is_power_of_two() && self.summed(set) == 0;
        match given || !self.space.transfers || is_passed_on(own, value, loops & !value) {
            true => 0,
            false => self.space.size(own).saturating_mul(2),
        }
    }

    /// Additions that sum over loops.
    pub fn reduced(&self, before: u64, after: u64) -> u64 {
        self.space.size(before) - self.space.size(before & after)
    }

    /// Operations of a product in some loops, summed over those that its value does not have.
    pub fn joined(&self, loops: u64, value: u64) -> u64 {
        let products = self.space.size(loops);
        products.saturating_add(self.reduced(loops, value))
    }
}

/// Whether a value in the loops `own` may go to its reader element by element, in loops that both share, while the reader
/// holds what it sums up in a register: where its result has no loops besides, or it does not sum over these.
fn is_passed_on(own: u64, value: u64, sums: u64) -> bool {
    value & !own == 0 || sums & own == 0
}

/// Elements of temporaries that a program stores and loads, since they cannot be passed on to their readers one by one.
pub fn transfers(program: &Program) -> u64 {
    let size = |indices: &[IndexId]| {
        let extents = indices
            .iter()
            .map(|i| program.loop_index(*i).extent.as_constant());
        extents.fold(1, |all: u64, n| all.saturating_mul(n.unwrap_or(1) as u64))
    };
    let read = |equation: &Equation| {
        let (mut total, mut seen) = (0_u64, BTreeSet::new());
        let result = Affine::indices_of(&equation.target.subscripts);
        for (expr, access) in program.pool.accesses([equation.expr]) {
            if !matches!(program.array(access.array).role, Role::Temporary) {
                continue;
            }
            let own = program.pool.indices(expr);
            let apart = |index: &IndexId| !own.contains(index);
            // What is added to an output in all iterations of a loop is a sum over it.
            let mut sums = equation.domain().filter(|index| !result.contains(index));
            let passed = !result.iter().any(apart) || sums.all(|index| apart(&index));
            if !passed && seen.insert((access.array, own)) {
                total = total.saturating_add(size(own).saturating_mul(2));
            }
        }
        total
    };
    program
        .equations
        .iter()
        .map(read)
        .fold(0, u64::saturating_add)
}
