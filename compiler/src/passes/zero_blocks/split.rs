//! An equation over blocks of its loops.

use super::choice::Blocks;
use super::narrow::Narrowed;
use super::part::Part;
use crate::collections::HashMap;
use crate::ir::{
    self, Access, Affine, ArrayId, Atom, Equation, Expr, ExprId, Extent, IndexId, Operator,
    Program, Progression, Role, Term,
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
    /// Whether these are all that will be.
    all: bool,
}

/// A temporary that became one for each block.
#[derive(Default)]
pub struct Blocked {
    /// The dimensions that are in blocks, and these.
    pub axes: Vec<(usize, Vec<Progression>)>,
    /// The temporary of each combination of blocks; `None` where it is zero.
    pub arrays: HashMap<Vec<Progression>, Option<ArrayId>>,
}

impl Blocked {
    /// The access to the block that is accessed, without the dimensions in which that is one element;
    /// `None` where the block is zero.
    pub fn access(&self, program: &Program, whole: &Access) -> Option<Access> {
        let (chosen, subscripts) = self.place(program, whole)?;
        let array = (*self.arrays.get(&chosen)?)?;
        Some(Access { array, subscripts })
    }

    /// Notes that the block that is accessed is zero.
    fn forget(&mut self, program: &Program, whole: &Access) {
        if let Some((chosen, _)) = self.place(program, whole) {
            self.arrays.insert(chosen, None);
        }
    }

    fn place(&self, program: &Program, whole: &Access) -> Option<(Vec<Progression>, Vec<Affine>)> {
        let mut chosen = Vec::new();
        let mut subscripts = Vec::new();
        for (axis, subscript) in whole.subscripts.iter().enumerate() {
            let own = self.axes.iter().find(|(other, _)| *other == axis);
            let Some((_, blocks)) = own else {
                subscripts.push(subscript.clone());
                continue;
            };
            let (block, inside) = (blocks.iter())
                .find_map(|block| Some((*block, within(program, subscript, *block)?)))?;
            chosen.push(block);
            if has_loop(block) {
                subscripts.push(inside);
            }
        }
        Some((chosen, subscripts))
    }
}

/// What a subscript is in a block, if all that it takes is in it.
pub fn within(program: &Program, subscript: &Affine, block: Progression) -> Option<Affine> {
    let stride = block.stride as i64;
    let place = |at: i64| {
        let from = at - block.start as i64;
        let inside = from % stride == 0 && (0..block.count as i64).contains(&(from / stride));
        inside.then_some(from / stride)
    };
    let first = place(subscript.constant)?;
    match subscript.terms.as_slice() {
        [] => Some(Affine::constant(first)),
        [(Atom::Index(index), by)] => {
            let count = program.loop_index(*index).extent.as_constant()? as i64;
            place(subscript.constant + by * (count - 1))?;
            let inside = Affine::index(*index).scale(by / stride);
            (by % stride == 0).then(|| inside.add(&Affine::constant(first)))
        }
        _ => None,
    }
}

impl Splitter {
    /// For the equations of a program.
    pub fn new(program: &Program) -> Splitter {
        Splitter {
            loops: HashMap::default(),
            tables: Narrowed::new(program),
            temporaries: HashMap::default(),
            all: false,
        }
    }

    /// For the equations of a program whose temporaries that are in blocks are known.
    pub fn with(program: &Program, temporaries: HashMap<ArrayId, Blocked>) -> Splitter {
        Splitter {
            temporaries,
            all: true,
            ..Splitter::new(program)
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
            let new = matches!(role, Role::Temporary) && !places.is_empty() && !self.all;
            if new {
                self.add_temporary(program, equation, blocks, &places, &free, sums.is_empty());
            }
            if let Some(blocked) = self.temporaries.get_mut(&target.array) {
                if sums.is_empty() && program.sole_writer(target.array).is_some() {
                    blocked.forget(program, &target);
                }
                let Some(part) = blocked.access(program, &target) else {
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

    /// Adds what a block of a temporary is kept in, if it is not zero.
    fn add_temporary(
        &mut self,
        program: &mut Program,
        equation: &Equation,
        blocks: &Blocks,
        places: &[(IndexId, Progression)],
        free: &[IndexId],
        zero: bool,
    ) {
        let array = equation.target.array;
        let blocked = self.temporaries.entry(array).or_default();
        let loops = equation.free.iter().enumerate();
        let axes = loops.filter_map(|(axis, i)| Some((axis, blocks.of_loop(*i)?.to_vec())));
        blocked.axes = axes.collect();
        let chosen = places.iter().map(|(_, block)| *block).collect();
        let new = (!zero).then(|| {
            let extent = |index: &IndexId| program.loop_index(*index).extent.clone();
            let shape = free.iter().map(extent).collect();
            block_of(program, array, shape)
        });
        blocked.arrays.insert(chosen, new);
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
            let parts = blocks.of_loop(*index).unwrap_or(&whole).iter();
            for part in parts.filter(|part| has_loop(**part) || part.count == length) {
                let new = self.loops.entry((*index, part.count));
                let extent = Extent::Constant(part.count);
                let new = *new.or_insert_with(|| program.add_index(&old.name, extent));
                program.is_part(new, ir::Part::of(*index, *part));
            }
        }
    }
}

/// Whether a block has several iterations. One alone needs no loop.
pub fn has_loop(block: Progression) -> bool {
    block.count > 1
}

/// An array for a block of another one.
pub fn block_of(program: &mut Program, array: ArrayId, shape: Vec<Extent>) -> ArrayId {
    let old = program.array(array).clone();
    program.add_array(&format!("{}_block", old.name), old.element, shape, old.role)
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
        if place.operator == Operator::ADD {
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
            operator = Operator::ADD;
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
