//! Unroll factors of register tiles.
//!
//! A tile of `m` by `n` sums reads `m + n` values for `m n` products. Its sums and the side with fewer
//! values are in registers, the other side passes by, value by value (see how emission orders what
//! a tile adds).

use super::Plan;
use crate::collections::HashSet;
use crate::ir::{Expr, IndexId, Program, Term};
use crate::machine::{ARITHMETIC, DECODED, ISSUED, LATENCY, LOADS, STORES};

/// Largest factor.
const LARGEST: usize = 8;
/// What costs up to this much more, and is shorter, is as good.
const NEARLY: f64 = 1.05;

/// Unroll factors of a register tile over `free`: the fewest estimated cycles, registers permitting.
pub fn factors(
    program: &Program,
    plan: &Plan,
    group: &[usize],
    free: &[IndexId],
    reduction: &[IndexId],
) -> Vec<usize> {
    let tile = Tile {
        program,
        plan,
        group,
        free,
        reduction,
    };
    let lengths: Vec<usize> = free.iter().map(|index| tile.length(*index)).collect();
    let choices = |axis: usize| -> Vec<usize> {
        match lengths.get(axis) {
            None => vec![1],
            Some(length) => match plan.unroll.iter().find(|(i, _)| *i == free[axis]) {
                Some((_, factor)) => vec![(*factor).clamp(1, *length)],
                None => (1..=LARGEST.min(*length)).collect(),
            },
        }
    };
    let mut all: Vec<(f64, Vec<usize>)> = Vec::new();
    for first in choices(0) {
        for second in choices(1) {
            let factors = &[first, second][..free.len()];
            all.push((tile.all(factors, &lengths), factors.to_vec()));
        }
    }
    let least = all
        .iter()
        .map(|(cost, _)| *cost)
        .fold(f64::INFINITY, f64::min);
    // Sums want tiles that fill the registers. Other loops are unrolled no more than it pays.
    let near = match reduction {
        [] => least * NEARLY,
        _ => least,
    };
    let copies = |factors: &[usize]| factors.iter().product::<usize>();
    let good = all.into_iter().filter(|(cost, _)| *cost <= near);
    let best = good.min_by(|(a, left), (b, right)| {
        let shorter = copies(left).cmp(&copies(right));
        shorter.then(a.total_cmp(b))
    });
    best.map_or_else(|| vec![1; free.len()], |(_, factors)| factors)
}

/// Equations that are computed in tiles together.
struct Tile<'a> {
    program: &'a Program,
    plan: &'a Plan,
    group: &'a [usize],
    free: &'a [IndexId],
    reduction: &'a [IndexId],
}

impl Tile<'_> {
    /// Steps of a loop.
    fn length(&self, index: IndexId) -> usize {
        let extent = self.program.loop_index(index).extent.as_constant();
        extent.unwrap_or(1).div_ceil(self.plan.unit(index))
    }

    /// Cycles of an iteration of the sums for all tiles: whole ones, and what is left over at the
    /// edges.
    fn all(&self, factors: &[usize], lengths: &[usize]) -> f64 {
        let mut parts: Vec<(f64, Vec<usize>)> = vec![(1.0, Vec::new())];
        for (factor, length) in factors.iter().zip(lengths) {
            let sides = [(length / factor, *factor), (1, length % factor)];
            let mut extended = Vec::new();
            for (count, sizes) in parts {
                for (times, size) in sides.iter().filter(|(times, size)| times * size > 0) {
                    let sizes = sizes.iter().copied().chain([*size]).collect();
                    extended.push((count * *times as f64, sizes));
                }
            }
            parts = extended;
        }
        let cost = |(count, sizes): &(f64, Vec<usize>)| count * self.one(sizes);
        parts.iter().map(cost).sum()
    }

    /// Cycles of an iteration of the sums for one tile, with a part of what begins and ends them.
    fn one(&self, factors: &[usize]) -> f64 {
        let (operations, loads, held) = self.pressure(factors);
        let tile: f64 = factors.iter().map(|f| *f as f64).product();
        let sums = tile * self.group.len() as f64;
        if self.reduction.is_empty() {
            // The processor begins an iteration before it has ended the last one.
            let instructions = operations + loads + sums;
            let body = self.issue(operations, loads, instructions).max(sums);
            return (body + 0.5) * size(instructions);
        }
        // A sum that has no register is loaded and stored for each term, and what waits for it waits
        // longer.
        let spills = (sums + held + 1.0 - self.plan.registers as f64).max(0.0);
        let instructions = operations + loads + spills;
        let chain = LATENCY * terms(self.program, self.group) as f64;
        let body = self.issue(operations, loads, instructions).max(chain) + spills + 0.5;
        body * size(instructions) + self.ends(tile) / self.iterations()
    }

    fn issue(&self, operations: f64, loads: f64, instructions: f64) -> f64 {
        (operations / ARITHMETIC)
            .max(loads / LOADS)
            .max(instructions / ISSUED)
    }

    /// Cycles before and after the sums of a tile.
    fn ends(&self, tile: f64) -> f64 {
        let stores = tile * self.group.len() as f64;
        let adds = |at: &&usize| {
            self.program.equations[**at]
                .operator
                .accumulated()
                .is_some()
        };
        let loads = tile * self.group.iter().filter(adds).count() as f64;
        2.0 * LATENCY + stores / STORES + loads / LOADS
    }

    fn iterations(&self) -> f64 {
        let extent = |index: &IndexId| self.program.loop_index(*index).extent.as_constant();
        let lengths = self.reduction.iter().map(extent);
        lengths.map(|n| n.unwrap_or(1024).max(1) as f64).product()
    }

    /// Operations and loads of an iteration, and the values that stay in registers besides the sums.
    fn pressure(&self, factors: &[usize]) -> (f64, f64, f64) {
        let pool = &self.program.pool;
        // Values that depend on a part of the tile are computed once for that part.
        let copies = |expr| -> f64 {
            let depends = pool.indices(expr);
            let sides = self.free.iter().zip(factors);
            let own = sides.filter(|(i, _)| depends.contains(i));
            own.map(|(_, f)| *f as f64).product()
        };
        let mut seen = HashSet::default();
        let (mut operations, mut loads, mut held) = (0.0, 0.0, 1.0_f64);
        for at in self.group {
            let whole = self.program.equations[*at].expr;
            let mut stack = vec![whole];
            while let Some(expr) = stack.pop() {
                if !seen.insert(expr) {
                    continue;
                }
                let times = copies(expr);
                match pool.get(expr) {
                    Expr::Access(_) => loads += times,
                    // Products are fused into the sum in registers to which they are added.
                    Expr::Sum(terms) if expr == whole && !self.reduction.is_empty() => {
                        let other = |t: &&Term| !matches!(pool.get(t.expr), Expr::Product(_));
                        operations += times * terms.iter().filter(other).count() as f64;
                    }
                    Expr::Sum(terms) => operations += times * (terms.len() as f64 - 1.0) * 0.25,
                    Expr::Product(factors) => {
                        operations += times;
                        let sides = factors.iter().map(|f| copies(f.expr));
                        held = held.max(sides.fold(times, f64::min));
                    }
                    Expr::Constant(_) => {}
                    _ => operations += times,
                }
                stack.extend(pool.operands(expr));
            }
        }
        (operations, loads, held)
    }
}

/// The most terms that are added to one sum, one after the other.
pub fn terms(program: &Program, group: &[usize]) -> usize {
    let count = |at: &usize| match program.pool.get(program.equations[*at].expr) {
        Expr::Sum(terms) => terms.len(),
        _ => 1,
    };
    group.iter().map(count).max().unwrap_or(1)
}

/// Very large bodies cost more.
fn size(instructions: f64) -> f64 {
    (instructions / DECODED).max(1.0)
}
