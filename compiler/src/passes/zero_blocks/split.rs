//! An equation over blocks of its loops.

use std::collections::HashMap;

use super::choice::Blocks;
use super::narrow::Narrowed;
use super::part::Part;
use crate::ir::{
    Access, Affine, ArrayId, Equation, Expr, ExprId, Extent, IndexId, Operator, Program,
    Progression, Role, Term,
};
use crate::number::Number;

/// Splits equations, with loops and tables that they share.
pub struct Splitter {
    /// The loops over parts of others, by their lengths.
    pub loops: HashMap<(IndexId, usize), IndexId>,
    /// The tables of the blocks' columns.
    pub tables: Narrowed,
    /// The temporaries that are in blocks.
    pub temporaries: HashMap<ArrayId, Blocked>,
}

/// A temporary that became one for each block.
#[derive(Default)]
pub struct Blocked {
    /// The dimensions that are in blocks.
    pub axes: Vec<usize>,
    /// The temporary of each combination of blocks; `None` where it is zero.
    pub arrays: HashMap<Vec<Progression>, Option<ArrayId>>,
}

impl Splitter {
    /// For the equations of a program.
    pub fn new(program: &Program) -> Splitter {
        Splitter {
            loops: HashMap::new(),
            tables: Narrowed::new(program),
            temporaries: HashMap::new(),
        }
    }

    /// The equations that an equation becomes.
    pub fn split(
        &mut self,
        program: &mut Program,
        equation: &Equation,
        blocks: &Blocks,
    ) -> Vec<Equation> {
        self.add_loops(program, equation, blocks);
        let mut result = Vec::new();
        for places in blocks.combinations(&equation.free) {
            let mut sums: Vec<(Vec<IndexId>, Vec<Term>)> = Vec::new();
            for summed in blocks.combinations(&equation.reduction) {
                let chosen = [places.as_slice(), &summed].concat();
                let mut part = Part::new(self, blocks, &chosen);
                let reduction = part.renamed(program, &equation.reduction);
                let Some(expr) = part.value(program, equation.expr) else {
                    continue;
                };
                let term = Term {
                    coefficient: Number::ONE,
                    expr,
                };
                match sums.iter_mut().find(|(loops, _)| *loops == reduction) {
                    Some((_, terms)) => terms.push(term),
                    None => sums.push((reduction, vec![term])),
                }
            }
            let part = Part::new(self, blocks, &places);
            let free = part.renamed(program, &equation.free);
            let subscripts = equation.target.subscripts.iter();
            let mut target = Access {
                array: equation.target.array,
                subscripts: subscripts.map(|s| part.subscript(program, s)).collect(),
            };
            let role = &program.array(target.array).role;
            if matches!(role, Role::Temporary) && !places.is_empty() {
                let zero = sums.is_empty();
                let Some(part) = self.temporary(program, equation, &places, &free, zero) else {
                    continue;
                };
                target = part;
            }
            let place = Equation {
                target,
                free,
                ..equation.clone()
            };
            result.extend(equations(program, &place, sums));
        }
        result
    }

    /// What a block of a temporary is kept in; `None` where it is zero.
    fn temporary(
        &mut self,
        program: &mut Program,
        equation: &Equation,
        places: &[(IndexId, Progression)],
        free: &[IndexId],
        zero: bool,
    ) -> Option<Access> {
        let array = equation.target.array;
        let blocked = self.temporaries.entry(array).or_default();
        let loops = equation.free.iter().enumerate();
        let axes = loops.filter(|(_, index)| places.iter().any(|(other, _)| other == *index));
        blocked.axes = axes.map(|(axis, _)| axis).collect();
        let blocks = places.iter().map(|(_, block)| *block).collect();
        let new = (!zero).then(|| {
            let old = program.array(array).clone();
            let extent = |index: &IndexId| program.loop_index(*index).extent.clone();
            let shape = free.iter().map(extent).collect();
            let name = format!("{}_block", old.name);
            program.add_array(&name, old.element, shape, Role::Temporary)
        });
        blocked.arrays.insert(blocks, new);
        Some(Access {
            array: new?,
            subscripts: free.iter().copied().map(Affine::index).collect(),
        })
    }

    /// The loops over blocks, and new ones for those that come after one of them: what is outside of
    /// another loop comes before it.
    fn add_loops(&mut self, program: &mut Program, equation: &Equation, blocks: &Blocks) {
        let mut domain: Vec<IndexId> = equation.domain().collect();
        domain.sort_unstable();
        let first = domain.iter().position(|i| blocks.of_loop(*i).is_some());
        for index in &domain[first.unwrap_or(domain.len())..] {
            let old = program.loop_index(*index).clone();
            let Some(length) = old.extent.as_constant() else {
                continue;
            };
            let whole = [Progression::whole(length)];
            for block in blocks.of_loop(*index).unwrap_or(&whole) {
                let part = self.loops.entry((*index, block.count));
                let extent = Extent::Constant(block.count);
                part.or_insert_with(|| program.add_index(&old.name, extent));
            }
        }
    }
}

/// The equations of one place: a sum over each set of loops.
fn equations(
    program: &mut Program,
    place: &Equation,
    sums: Vec<(Vec<IndexId>, Vec<Term>)>,
) -> Vec<Equation> {
    let element = program.pool.element(place.expr);
    let temporary = matches!(program.array(place.target.array).role, Role::Temporary);
    if sums.is_empty() {
        if place.operator == Operator::Accumulate {
            return Vec::new();
        }
        return vec![Equation {
            reduction: Vec::new(),
            expr: program.pool.constant(Number::ZERO, element),
            ..place.clone()
        }];
    }
    let several = sums.len() > 1;
    let mut operator = place.operator;
    let mut parts: Vec<Term> = Vec::new();
    let mut result = Vec::new();
    for (reduction, terms) in sums {
        let mut target = place.target.clone();
        if temporary && several {
            // A temporary has one equation: what it is the sum of has others.
            let array = program.array(target.array).clone();
            let name = format!("{}_part", array.name);
            target.array = program.add_array(&name, element, array.shape, Role::Temporary);
            let expr = program.pool.add(Expr::Access(target.clone()), element);
            parts.push(Term {
                coefficient: Number::ONE,
                expr,
            });
        }
        result.push(Equation {
            target,
            operator,
            reduction,
            expr: sum(program, terms, place.expr),
            ..place.clone()
        });
        if !temporary {
            operator = Operator::Accumulate;
        }
    }
    if !parts.is_empty() {
        result.push(Equation {
            reduction: Vec::new(),
            expr: sum(program, parts, place.expr),
            ..place.clone()
        });
    }
    result
}

/// A sum, or its only term; of the type of `like`.
pub fn sum(program: &mut Program, terms: Vec<Term>, like: ExprId) -> ExprId {
    match terms.as_slice() {
        [only] if only.coefficient.is_one() => only.expr,
        _ => {
            let element = program.pool.element(like);
            program.pool.add(Expr::Sum(terms), element)
        }
    }
}
