//! The equations of sums in halves.

use std::collections::BTreeMap;

use super::parts::{Loops, Parity, Part, Weighted};
use super::places::Places;
use crate::collections::HashMap;
use crate::ir::{
    Access, Affine, Element, Equation, Expr, ExprId, Extent, Factor, IndexId, Operator, Program,
    Role, Term,
};
use crate::number::Number;
use crate::rewrite::normalise::{product, sum};
use crate::rewrite::tables::Tables;

/// A term with the parts of its tables.
pub struct Halved {
    /// 1 or -1.
    pub sign: Number,
    /// The term.
    pub weighted: Weighted,
    /// The parts.
    pub parts: Vec<Part>,
}

/// What was written so far: sums and differences of opposite terms, and tables.
#[derive(Clone, Default)]
pub struct Builder {
    /// Of what, along which loop: an element of the temporary, that loop counting its half.
    folded: HashMap<(ExprId, IndexId, Parity), ExprId>,
    tables: Tables,
}

/// Which sums are added up together: those that change alike where the loop around runs backwards, over
/// terms that do where their own does.
type Kind = (Option<Parity>, Option<Parity>);

/// The sum of a kind: how it changes, and an element, the loop around counting its half.
type Sum = (Option<Parity>, ExprId);

impl Builder {
    /// The equations that compute what one does.
    pub fn write(
        &mut self,
        program: &mut Program,
        equation: &Equation,
        loops: &Loops,
        terms: &[Halved],
    ) -> Vec<Equation> {
        let mut equations = Vec::new();
        let mut kinds: BTreeMap<Kind, (Places, Vec<Term>)> = BTreeMap::new();
        let element = program.pool.element(equation.expr);
        for term in terms {
            for part in &term.parts {
                let kind = (part.around, part.summed);
                let new = || (halves(program, loops, kind), Vec::new());
                let (places, kind) = kinds.entry(kind).or_insert_with(new);
                let along = (loops.summed, part.summed);
                let rest = self.folded(program, term.weighted.rest, along, &mut equations);
                let rest = places.expr(program, rest);
                let table = self.table(program, (&term.weighted, part), loops, places, element);
                let factors = [table, rest].map(|expr| Factor { expr, power: 1 });
                kind.push(Term {
                    coefficient: term.sign,
                    expr: product(&mut program.pool, factors.to_vec(), element),
                });
            }
        }
        let only = kinds.len() == 1 && loops.around.is_none();
        let mut sums = Vec::new();
        for ((around, _), (places, terms)) in kinds {
            let summed = Equation {
                reduction: places.loops(&equation.reduction),
                expr: sum(&mut program.pool, terms, element),
                ..equation.clone()
            };
            if only {
                equations.push(summed);
                return equations;
            }
            let name = match around {
                Some(Parity::Odd) => "odd",
                _ => "even",
            };
            let free = places.loops(&equation.free);
            let name = format!("{}_{name}", name_of(program, equation));
            let target = program.add_temporary(&name, &free, element);
            let value = program.pool.add(Expr::Access(target.clone()), element);
            sums.push((around, whole(loops, &places, value, program)));
            equations.push(Equation {
                target,
                free,
                operator: Operator::Assign,
                ..summed
            });
        }
        unfold(program, equation, loops, &sums, &mut equations);
        equations
    }

    /// The sums of opposite terms, or their differences, the loop along which they are counting its half.
    fn folded(
        &mut self,
        program: &mut Program,
        rest: ExprId,
        (along, parity): (IndexId, Option<Parity>),
        equations: &mut Vec<Equation>,
    ) -> ExprId {
        let Some(parity) = parity else { return rest };
        let element = program.pool.element(rest);
        if let Some(known) = self.folded.get(&(rest, along, parity)) {
            return *known;
        }
        let extent = length(program, along);
        let name = match parity {
            Parity::Even => "opposite_sum",
            Parity::Odd => "opposite_difference",
        };
        let free = program.pool.indices(rest).to_vec();
        let target = program.add_temporary(name, &free, element);
        let place = free.iter().position(|index| *index == along);
        let shape = &mut program.arrays[target.array.0 as usize].shape;
        shape[place.unwrap_or_default()] = Extent::Constant(parity.half(extent));
        let mut define = |places: &Places, expr| {
            equations.push(Equation {
                target: places.access(&target),
                operator: Operator::Assign,
                free: places.loops(&free),
                reduction: Vec::new(),
                expr,
            });
        };
        let [low, high] = opposite(program, along, extent);
        let mut added = Vec::new();
        for (coefficient, places) in [(Number::ONE, &low), (parity.sign(), &high)] {
            let expr = places.expr(program, rest);
            added.push(Term { coefficient, expr });
        }
        let expr = sum(&mut program.pool, added, element);
        define(&low, expr);
        if extent % 2 == 1 && parity == Parity::Even {
            let places = Places::middle(along, extent);
            let expr = places.expr(program, rest);
            define(&places, expr);
        }
        let value = program.pool.add(Expr::Access(target), element);
        self.folded.insert((rest, along, parity), value);
        value
    }

    /// An entry of the tables' part.
    fn table(
        &mut self,
        program: &mut Program,
        (weighted, part): (&Weighted, &Part),
        loops: &Loops,
        places: &Places,
        element: Element,
    ) -> ExprId {
        let name = match part.summed {
            Some(Parity::Even) => "even_part",
            Some(Parity::Odd) => "odd_part",
            None => "half_table",
        };
        let all = weighted.others.iter().copied();
        let all: Vec<IndexId> = all.chain(loops.around).chain([loops.summed]).collect();
        let all = places.loops(&all);
        let shape = shape(program, &all);
        let values = part.values.clone();
        let array = self.tables.table(program, name, (element, shape), values);
        let subscripts = all.into_iter().map(Affine::index).collect();
        program
            .pool
            .add(Expr::Access(Access { array, subscripts }), element)
    }
}

/// The loops that count halves, for a kind of sums.
fn halves(program: &mut Program, loops: &Loops, (around, summed): Kind) -> Places {
    let mut places = Places::default();
    for (index, parity) in [(loops.around, around), (Some(loops.summed), summed)] {
        if let (Some(index), Some(parity)) = (index, parity) {
            let extent = parity.half(length(program, index));
            let half = half_loop(program, index, extent);
            places.put(index, Affine::index(half));
        }
    }
    places
}

/// A value at the loop around in place of its half.
fn whole(loops: &Loops, places: &Places, value: ExprId, program: &mut Program) -> ExprId {
    let mut back = Places::default();
    if let Some((index, half)) = loops
        .around
        .and_then(|i| Some((i, places.of(i).as_index()?)))
    {
        back.put(half, Affine::index(index));
    }
    back.expr(program, value)
}

/// What an equation writes, out of the sums of kinds.
fn unfold(
    program: &mut Program,
    equation: &Equation,
    loops: &Loops,
    sums: &[Sum],
    equations: &mut Vec<Equation>,
) {
    let element = program.pool.element(equation.expr);
    let added = |program: &mut Program, places: &Places, opposite: bool| {
        let terms = sums.iter().map(|(parity, value)| Term {
            coefficient: match parity {
                Some(parity) if opposite => parity.sign(),
                _ => Number::ONE,
            },
            expr: places.expr(program, *value),
        });
        let terms = terms.collect();
        sum(&mut program.pool, terms, element)
    };
    let Some(around) = loops.around else {
        let expr = added(program, &Places::default(), false);
        equations.push(Equation {
            reduction: Vec::new(),
            expr,
            ..equation.clone()
        });
        return;
    };
    let own = equation.is_definition()
        && matches!(program.array(equation.target.array).role, Role::Temporary);
    let target = match own {
        true => equation.target.clone(),
        false => {
            let name = format!("{}_sum", name_of(program, equation));
            program.add_temporary(&name, &equation.free, element)
        }
    };
    let mut define = |places: &Places, expr| {
        equations.push(Equation {
            target: places.access(&target),
            operator: Operator::Assign,
            free: places.loops(&equation.free),
            reduction: Vec::new(),
            expr,
        });
    };
    let extent = length(program, around);
    let [low, high] = opposite(program, around, extent);
    for (places, opposite) in [(&low, false), (&high, true)] {
        let expr = added(program, &low, opposite);
        define(places, expr);
    }
    if extent % 2 == 1 {
        let places = Places::middle(around, extent);
        // What changes its sign is zero there.
        let even: Vec<Term> = (sums.iter())
            .filter(|(parity, _)| *parity == Some(Parity::Even))
            .map(|(_, value)| Term {
                coefficient: Number::ONE,
                expr: places.expr(program, *value),
            })
            .collect();
        let expr = sum(&mut program.pool, even, element);
        define(&places, expr);
    }
    if !own {
        let expr = program.pool.add(Expr::Access(target), element);
        equations.push(Equation {
            reduction: Vec::new(),
            expr,
            ..equation.clone()
        });
    }
}

/// The first half of a loop's iterations, that in the middle left out, and those opposite to them.
fn opposite(program: &mut Program, index: IndexId, extent: usize) -> [Places; 2] {
    let half = half_loop(program, index, extent / 2);
    let last = Affine::constant(extent as i64 - 1);
    let places = [Affine::index(half), last.sub(&Affine::index(half))];
    places.map(|place| {
        let mut places = Places::default();
        places.put(index, place);
        places
    })
}

/// A loop over a half of another one.
fn half_loop(program: &mut Program, index: IndexId, extent: usize) -> IndexId {
    let name = program.loop_index(index).name.clone();
    program.add_index(&name, Extent::Constant(extent))
}

fn length(program: &Program, index: IndexId) -> usize {
    let extent = program.loop_index(index).extent.as_constant();
    extent.unwrap_or_default()
}

fn shape(program: &Program, loops: &[IndexId]) -> Vec<Extent> {
    let extent = |index: &IndexId| program.loop_index(*index).extent.clone();
    loops.iter().map(extent).collect()
}

fn name_of(program: &Program, equation: &Equation) -> String {
    program.array(equation.target.array).name.clone()
}
