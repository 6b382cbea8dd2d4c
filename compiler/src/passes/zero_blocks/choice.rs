//! The loops of an equation that are in blocks, and what these cost.

use super::blocks::blocks;
use super::zeros::{Vanishing, Zeros};
use crate::analysis::cost;
use crate::collections::{HashMap, HashSet};
use crate::ir::{Equation, Expr, ExprId, Extent, IndexId, Program, Progression};
use crate::rewrite::evaluate::points;

/// Most blocks of a loop.
const MOST_BLOCKS: usize = 16;
/// Most combinations of blocks of the loops of an equation.
const MOST_COMBINATIONS: usize = 64;

/// The loops of an equation that are in blocks.
pub struct Blocks {
    loops: Vec<(IndexId, Vec<Progression>)>,
    /// The accesses to tables that are zero in each block.
    pub zeros: HashMap<(IndexId, Progression), Vec<ExprId>>,
}

impl Blocks {
    /// The blocks of the loops of an equation; `None` where it is best left as it is. Some loops follow
    /// those of others, of the rest `may` says which blocks are possible.
    pub fn of(
        (program, equation): (&Program, &Equation),
        lanes: usize,
        follows: &[(IndexId, Vec<Progression>)],
        may: &dyn Fn(IndexId, &[Progression]) -> bool,
    ) -> Option<Blocks> {
        let zeros = Zeros::of(program, equation.expr);
        let mut result = Blocks {
            loops: Vec::new(),
            zeros: HashMap::default(),
        };
        let mut left = MOST_COMBINATIONS;
        for (_, blocks) in follows {
            left /= blocks.len();
        }
        for index in equation.domain() {
            let columns = zeros.columns(index);
            let followed = follows.iter().find(|(other, _)| *other == index);
            let blocks = match (followed, &columns) {
                (Some((_, blocks)), _) => blocks.clone(),
                (None, Some(columns)) => {
                    let operations =
                        |mask| operations(program, equation, index, columns.without(mask));
                    let blocks = blocks(&columns.masks, lanes, operations);
                    let few = (2..=MOST_BLOCKS.min(left)).contains(&blocks.len());
                    if !few || !may(index, &blocks) {
                        continue;
                    }
                    left /= blocks.len();
                    blocks
                }
                (None, None) => continue,
            };
            for block in &blocks {
                let zero = columns.iter().flat_map(|columns| columns.zero_in(*block));
                result.zeros.insert((index, *block), zero.collect());
            }
            result.loops.push((index, blocks));
        }
        (!result.loops.is_empty()).then_some(result)
    }

    /// Some loops in given blocks.
    pub fn along(loops: Vec<(IndexId, Vec<Progression>)>) -> Blocks {
        Blocks {
            loops,
            zeros: HashMap::default(),
        }
    }

    /// The blocks of a loop, if it is in blocks.
    pub fn of_loop(&self, index: IndexId) -> Option<&[Progression]> {
        let found = self.loops.iter().find(|(other, _)| *other == index);
        found.map(|(_, blocks)| blocks.as_slice())
    }

    /// The blocks, for the report.
    pub fn describe(&self, program: &Program) -> String {
        let of_loop = |(index, blocks): &(IndexId, Vec<Progression>)| {
            let blocks: Vec<String> = blocks.iter().map(|block| block.describe()).collect();
            let name = &program.loop_index(*index).name;
            format!("`{name}` in {}", blocks.join(", "))
        };
        let loops: Vec<String> = self.loops.iter().map(of_loop).collect();
        loops.join("; ")
    }

    /// One block of each of some loops: all combinations.
    pub fn combinations(&self, loops: &[IndexId]) -> Vec<Vec<(IndexId, Progression)>> {
        let split = |index: &IndexId| Some((*index, self.of_loop(*index)?));
        let split: Vec<(IndexId, &[Progression])> = loops.iter().filter_map(split).collect();
        let counts: Vec<usize> = split.iter().map(|(_, blocks)| blocks.len()).collect();
        let chosen = |point: Vec<usize>| {
            let blocks = split.iter().zip(point);
            blocks
                .map(|((index, blocks), at)| (*index, blocks[at]))
                .collect()
        };
        points(&counts).map(chosen).collect()
    }
}

/// Operations of one iteration of a loop, some elements zero: those that the loop changes, as often
/// as the other loops that change them run.
fn operations(
    program: &Program,
    equation: &Equation,
    index: IndexId,
    zero: impl Iterator<Item = ExprId>,
) -> u64 {
    let mut vanishing = Vanishing::new(program, zero);
    if vanishing.is_zero(equation.expr) {
        return 0;
    }
    let length = |other: &IndexId| match program.loop_index(*other).extent {
        Extent::Constant(n) if *other != index => n as u64,
        _ => 1,
    };
    let times = |loops: &mut dyn Iterator<Item = IndexId>| -> u64 {
        loops
            .map(|other| length(&other))
            .fold(1, u64::saturating_mul)
    };
    // What is added up, or stored.
    let mut result = times(&mut equation.domain());
    let mut seen = HashSet::from_iter([equation.expr]);
    let mut stack = vec![equation.expr];
    while let Some(expr) = stack.pop() {
        let mut operands = program.pool.operands(expr);
        let terms = operands.len();
        operands.retain(|operand| !vanishing.is_zero(*operand));
        if program.pool.indices(expr).contains(&index) {
            let mut own = cost::Cost::default();
            cost::node(program, expr, &mut own);
            if let Expr::Sum(_) = program.pool.get(expr) {
                own.add -= (terms - operands.len()) as u64;
            }
            let loops = &mut program.pool.indices(expr).iter().copied();
            result = result.saturating_add(own.operations().saturating_mul(times(loops)));
        }
        stack.extend(operands.into_iter().filter(|operand| seen.insert(*operand)));
    }
    result
}
