//! Reference tensors: sums over reduction loops that are evaluated now, and what multiplies them.
//!
//! Tensors that are equal up to a factor become one with the sum of their coefficients, and
//! tensors with equal coefficients are added up, until neither is left.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::canonical::{Canonical, Name};
use super::dissect::Monomial;
use super::tensor::tensor;
use crate::collections::HashMap;
use crate::ir::{ExprId, Factor, IndexId, Program};
use crate::number::{Field, Number};
use crate::rewrite::common_factor::{Coefficient, collect};
use crate::rewrite::evaluate::extents;
use crate::rewrite::normalise::product;

/// Most products of tables that are summed up in any case: a limit on work.
const MOST_PRODUCTS: usize = 1 << 23;

/// `Σ over sums of coefficient · variables · tensor`.
#[derive(Clone, Debug)]
pub struct Part {
    /// What no loop of constant length changes: a sum of products.
    pub coefficient: Vec<Coefficient>,
    /// The coefficient as a product, once all parts are known.
    pub factors: Vec<Factor>,
    /// Unknown factors that such loops change.
    pub variables: Vec<Factor>,
    /// Loops that are still summed over.
    pub sums: Vec<IndexId>,
    /// The loops of the tensor, in the order of its dimensions.
    pub loops: Vec<IndexId>,
    /// Its entries, row-major: often those of other parts.
    pub tensor: Rc<Vec<Number>>,
}

/// The first of the numbers that most of some numbers are, but for their sign: coefficients are then
/// divided by one number whatever else they were multiplied with.
fn most_frequent(numbers: impl Iterator<Item = Number>) -> Number {
    let mut counts: Vec<(Number, usize)> = Vec::new();
    for number in numbers {
        let image = number.field();
        let same =
            |(other, _): &&mut (Number, usize)| [other.field(), -other.field()].contains(&image);
        match counts.iter_mut().find(same) {
            Some((_, count)) => *count += 1,
            None => counts.push((number, 1)),
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max();
    let first = counts.iter().find(|(_, count)| Some(*count) == most);
    first.map_or(Number::ONE, |(number, _)| *number)
}

/// What must be equal for parts to be added.
type Shape = (Vec<(ExprId, i32)>, Vec<IndexId>, Vec<IndexId>);

impl Part {
    fn shape(&self) -> Shape {
        let variables = self.variables.iter().map(|f| (f.expr, f.power)).collect();
        (variables, self.sums.clone(), self.loops.clone())
    }

    /// The entries' images in the field, divided by the first that is not zero.
    pub fn direction(&self) -> Option<Vec<Field>> {
        let pivot = self.pivot()?;
        let inverse = self.tensor[pivot].field().inverse();
        Some(self.tensor.iter().map(|v| v.field() * inverse).collect())
    }

    /// How many times the tensor of another part that is like it its own is.
    pub fn times(&self, other: &Part) -> Number {
        let pivot = self.pivot();
        pivot.map_or(Number::ONE, |pivot| {
            self.tensor[pivot] / other.tensor[pivot]
        })
    }

    /// The first entry that is not zero.
    fn pivot(&self) -> Option<usize> {
        self.tensor.iter().position(|v| v.field() != Field::ZERO)
    }

    /// Equal products collected, and the constant that most of them have moved to the tensor.
    fn normalise(&mut self) {
        let mut collected: BTreeMap<Vec<(ExprId, i32)>, Number> = BTreeMap::new();
        for (number, factors) in &self.coefficient {
            let mut factors = factors.clone();
            collect(&mut factors);
            let key = factors.into_iter().map(|f| (f.expr, f.power)).collect();
            *collected.entry(key).or_insert(Number::ZERO) += *number;
        }
        collected.retain(|_, number| number.field() != Field::ZERO);
        let unit = most_frequent(collected.values().copied());
        if !unit.is_one() {
            let tensor = Rc::make_mut(&mut self.tensor);
            tensor.iter_mut().for_each(|v| *v *= unit);
        }
        let factors = |key: Vec<(ExprId, i32)>| {
            let factor = |(expr, power)| Factor { expr, power };
            key.into_iter().map(factor).collect()
        };
        self.coefficient = collected
            .into_iter()
            .map(|(key, number)| (number / unit, factors(key)))
            .collect();
    }
}

/// Evaluates monomials. `sums` are the reduction loops that disappear, `free` the loops of constant
/// length that stay. `None` where a table has no value at some point, or they take more than `most`
/// entries or too much work: more than `products`, which become fewer by those that are summed up.
/// Loops that stay sums have the names that `canonical` gives them.
pub fn evaluate(
    program: &mut Program,
    monomials: &[Monomial],
    sums: &[IndexId],
    free: &[IndexId],
    (most, products): (usize, &Cell<usize>),
    canonical: &mut Canonical,
) -> Option<Vec<Part>> {
    let mut found: Vec<(Monomial, Option<Name>)> = Vec::new();
    let mut names: BTreeSet<Name> = BTreeSet::new();
    for monomial in monomials {
        let monomial = canonical.rename(program, monomial);
        let element = monomial
            .tables
            .first()
            .map(|factor| program.pool.element(factor.expr));
        let name = element.map(|element| {
            let key = product(&mut program.pool, monomial.tables.clone(), element);
            let depends = program.pool.indices(key);
            let mut loops = monomial.sums.clone();
            loops.extend(free);
            loops.retain(|index| depends.contains(index));
            (key, loops)
        });
        names.extend(name.clone());
        found.push((monomial, name));
    }
    // Counted before any is evaluated.
    let (mut entries, mut new) = (0_usize, 0_usize);
    for name in &names {
        let size: usize = extents(program, &name.1)?.iter().product();
        entries = entries.saturating_add(size);
        if !canonical
            .tensors
            .contains_key(&(name.clone(), sums.to_vec()))
        {
            new = new.saturating_add(size);
        }
    }
    let points: usize = extents(program, sums)?.iter().product();
    let work = new.saturating_mul(points);
    if entries > most || work > products.get().max(MOST_PRODUCTS) {
        return None;
    }
    products.set(products.get().saturating_sub(work));
    let mut parts = Vec::new();
    for (monomial, name) in found {
        let (loops, tensor) = match name {
            None => (Vec::new(), Rc::new(vec![repetitions(program, sums)?])),
            Some(name) => {
                let key = (name, sums.to_vec());
                let tensor = match canonical.tensors.get(&key) {
                    Some(known) => known.clone(),
                    None => {
                        let new = tensor(program, &monomial.tables, &key, canonical)?;
                        let new = Rc::new(new);
                        canonical.tensors.insert(key.clone(), new.clone());
                        new
                    }
                };
                (key.0.1, tensor)
            }
        };
        parts.push(Part {
            coefficient: vec![(monomial.number, monomial.cell)],
            factors: Vec::new(),
            variables: monomial.variables,
            sums: monomial.sums,
            loops,
            tensor,
        });
    }
    Some(gathered(parts))
}

/// How often the reduction loops run: what a sum over them of a constant multiplies it with.
fn repetitions(program: &Program, sums: &[IndexId]) -> Option<Number> {
    let count: usize = extents(program, sums)?.iter().product();
    Some(Number::from_i64(i64::try_from(count).ok()?))
}

/// Joins parts, until no two of them have equal tensors or equal coefficients.
fn gathered(mut parts: Vec<Part>) -> Vec<Part> {
    loop {
        let before = parts.len();
        parts.iter_mut().for_each(Part::normalise);
        parts.retain(|part| !part.coefficient.is_empty() && part.pivot().is_some());
        parts = by_tensor(parts);
        parts.iter_mut().for_each(Part::normalise);
        parts = by_coefficient(parts);
        if parts.len() == before {
            return parts;
        }
    }
}

/// Parts with tensors in one direction become one.
fn by_tensor(parts: Vec<Part>) -> Vec<Part> {
    let mut first: HashMap<(Shape, Vec<Field>), usize> = HashMap::default();
    let mut result: Vec<Part> = Vec::new();
    for part in parts {
        let Some(direction) = part.direction() else {
            continue;
        };
        let next = result.len();
        let at = *first.entry((part.shape(), direction)).or_insert(next);
        if at == next {
            result.push(part);
            continue;
        }
        let kept = &mut result[at];
        let ratio = part.times(kept);
        let more = part.coefficient.into_iter();
        kept.coefficient.extend(more.map(|(n, f)| (n * ratio, f)));
    }
    result
}

/// Parts with one coefficient become one.
fn by_coefficient(parts: Vec<Part>) -> Vec<Part> {
    type Key = Vec<(Field, Vec<(ExprId, i32)>)>;
    let mut first: HashMap<(Shape, Key), usize> = HashMap::default();
    let mut result: Vec<Part> = Vec::new();
    for part in parts {
        let products = part.coefficient.iter();
        let key: Key = products
            .map(|(number, factors)| {
                let factors = factors.iter().map(|f| (f.expr, f.power)).collect();
                (number.field(), factors)
            })
            .collect();
        match first.get(&(part.shape(), key.clone())) {
            Some(at) => {
                let kept = Rc::make_mut(&mut result[*at].tensor).iter_mut();
                kept.zip(&*part.tensor)
                    .for_each(|(sum, more)| *sum += *more);
            }
            None => {
                first.insert((part.shape(), key), result.len());
                result.push(part);
            }
        }
    }
    result
}
