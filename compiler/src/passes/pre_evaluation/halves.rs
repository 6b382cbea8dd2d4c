//! Entries that are mirrored, as the sum and the difference of a symmetric and an antisymmetric part.
//!
//! A matrix that is not symmetric may be made of tensors that are, or that are each other's transposes:
//! those of the block that couples two components, `t[l, k, j, i] = t[k, l, i, j]`; those of diffusion
//! beside those of transport. The entries at (i, j) and (j, i) are `s + d` and `s - d`, where `s` takes
//! only the symmetric parts of the tensors and `d` only the antisymmetric ones. Two tensors that are each
//! other's transposes have one product in each, where they had two for each entry; a symmetric tensor
//! has none in `d`.
//!
//! Before: `u[e, p] = g0[e] * t0[p] + g1[e] * t1[p]` for two entries that are mirrored, where `t1` is `t0`
//! transposed. After: `s[e, r] = (g0[e] + g1[e]) * ((t0[r] + t1[r]) / 2)`, `d[e, r] = (g0[e] - g1[e]) *
//! ((t0[r] - t1[r]) / 2)`, and `u[e, r] = s[e, r] + d[e, r]` and `u[e, n + r] = s[e, r] - d[e, r]`.
//! Entries that are their own mirror images take what is symmetric alone.
//! Holds: values are equal in exact arithmetic.

use super::entries::{Channel, Column, Entries, Kind, defines, summed, temporary};
use crate::collections::HashMap;
use crate::ir::{Affine, ArrayId, Equation, Expr, ExprId, Extent, IndexId, Program, Term};
use crate::number::Number;
use crate::rewrite::normalise::sum;
use crate::rewrite::tables::Tables;

/// The channel whose tensor is another's transposed, and how many times that; it may be that channel.
type Partner = (usize, Number);

/// How mirrored entries are made.
pub struct Halves {
    /// For each channel, if it has one.
    partners: Vec<Option<Partner>>,
    /// The columns of two entries that are mirrored.
    pairs: Vec<[usize; 2]>,
    /// Those of entries that are their own mirror images.
    own: Vec<usize>,
    /// For each equation, where its entries are: those of pairs, the others of these, the rest.
    pub maps: Vec<Vec<usize>>,
}

/// The halves of the entries of square matrices, if they have fewer products than the entries.
pub fn find(kind: &Kind, entries: &Entries) -> Option<Halves> {
    // Both orders of each two columns that are mirrored.
    let mut mirrored: Vec<Vec<[usize; 2]>> = Vec::new();
    for (shape, map) in &entries.maps {
        let [n, columns] = shape[..] else { return None };
        if n != columns {
            return None;
        }
        let pair = |at: usize| [map[at], map[at % n * n + at / n]];
        mirrored.push((0..map.len()).map(pair).collect());
    }
    let mut halves = Halves {
        partners: Vec::new(),
        pairs: Vec::new(),
        own: Vec::new(),
        maps: Vec::new(),
    };
    let mut known: HashMap<[usize; 2], usize> = HashMap::default();
    for [first, second] in mirrored.iter().flatten().copied() {
        if first == second {
            known.entry([first, first]).or_insert_with(|| {
                halves.own.push(first);
                halves.own.len() - 1
            });
        } else if !known.contains_key(&[first, second]) {
            known.insert([first, second], halves.pairs.len());
            known.insert([second, first], halves.pairs.len());
            halves.pairs.push([first, second]);
        }
    }
    let count = halves.pairs.len();
    let place = |pair: &[usize; 2]| {
        let at = known[pair];
        match pair {
            [first, second] if first == second => 2 * count + at,
            pair if *pair == halves.pairs[at] => at,
            _ => count + at,
        }
    };
    let maps = mirrored.iter().map(|map| map.iter().map(place).collect());
    halves.maps = maps.collect();
    halves.partners = halves.partners(kind, &entries.columns);
    let all = 2 * kind.channels.len();
    (count > 0 && halves.products() < all).then_some(halves)
}

/// How many times some numbers others are, if they are a multiple of them.
fn times(numbers: &[Number], of: &[Number]) -> Option<Number> {
    let pivot = of.iter().position(|number| !number.is_zero())?;
    let times = numbers[pivot] / of[pivot];
    let field = times.field();
    // Rounded numbers have a rounded quotient.
    let mut exact = [Number::ONE, -Number::ONE].into_iter();
    let times = exact.find(|one| one.field() == field).unwrap_or(times);
    let mut all = numbers.iter().zip(of);
    let multiple = all.all(|(number, of)| number.field() == field * of.field());
    (multiple && !times.is_zero()).then_some(times)
}

impl Halves {
    /// How many pairs there are.
    pub fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// How many pairs and other entries there are.
    pub fn count(&self) -> usize {
        self.pairs.len() + self.own.len()
    }

    /// For each place of a matrix, the number of its pair, or after those of all pairs, of the entry that
    /// is its own mirror image. `None` if matrices differ in that.
    pub fn order(&self) -> Option<Vec<usize>> {
        let pairs = self.pairs.len();
        let number = |at: &usize| if *at < pairs { *at } else { at - pairs };
        let mut orders = self.maps.iter().map(|map| map.iter().map(number).collect());
        let first: Vec<usize> = orders.next()?;
        orders
            .all(|other: Vec<usize>| other == first)
            .then_some(first)
    }

    /// For each channel the one whose tensor is its own transposed, up to a factor.
    fn partners(&self, kind: &Kind, columns: &[Column]) -> Vec<Option<Partner>> {
        let count = kind.channels.len();
        let numbers = |channel: usize, transposed: bool| -> Vec<Number> {
            let pairs = self
                .pairs
                .iter()
                .flat_map(|[first, second]| match transposed {
                    true => [second, first],
                    false => [first, second],
                });
            let all = pairs.chain(&self.own);
            all.flat_map(|column| columns[*column][channel].iter().copied())
                .collect()
        };
        let straight: Vec<Vec<Number>> = (0..count).map(|at| numbers(at, false)).collect();
        let mut result: Vec<Option<Partner>> = vec![None; count];
        for channel in 0..count {
            if result[channel].is_some() {
                continue;
            }
            let transposed = numbers(channel, true);
            let mut others = (channel..count).filter(|other| result[*other].is_none());
            let found = others.find_map(|other| {
                let alike = kind.channels[channel].1 == kind.channels[other].1;
                let times = times(&straight[other], &transposed).filter(|_| alike)?;
                Some((other, times))
            });
            if let Some((other, times)) = found {
                result[channel] = Some((other, times));
                result[other] = Some((channel, Number::ONE / times));
            }
        }
        result
    }

    /// How many products the two parts of a pair of entries have together.
    fn products(&self) -> usize {
        // A pair of channels has one in each part, and is counted twice.
        let products = self.partners.iter().map(|partner| match partner {
            Some(_) => 1,
            None => 2,
        });
        products.sum()
    }

    /// The equations that compute the entries, and their temporary.
    pub fn define(
        &self,
        program: &mut Program,
        tables: &mut Tables,
        kind: &Kind,
        columns: &[Column],
        name: &str,
    ) -> (Vec<Equation>, ArrayId) {
        let (pairs, own) = (self.pairs.len(), self.own.len());
        let all = Extent::Constant(2 * pairs + own);
        let array = temporary(program, kind, &format!("{name}_entries"), all);
        let place = program.add_index("p", Extent::Constant(pairs));
        let mut result = Vec::new();
        let mut parts = Vec::new();
        for (sign, what) in [(Number::ONE, "symmetric"), (-Number::ONE, "antisymmetric")] {
            let channels = self.channels(program, kind, columns, (&self.pairs, sign));
            if channels.is_empty() {
                continue;
            }
            let count = Extent::Constant(pairs);
            let half = temporary(program, kind, &format!("{name}_{what}"), count);
            let expr = summed(program, tables, kind, place, name, &channels);
            let equation = defines(kind, half, place, &Affine::index(place), expr);
            let read = Expr::Access(equation.target.clone());
            parts.push((sign, program.pool.add(read, kind.element)));
            result.push(equation);
        }
        for (number, sign) in [Number::ONE, -Number::ONE].into_iter().enumerate() {
            let terms = parts.iter().map(|(of, expr)| Term {
                coefficient: if *of == Number::ONE { *of } else { sign },
                expr: *expr,
            });
            let expr = sum(&mut program.pool, terms.collect(), kind.element);
            let at = shifted(place, number * pairs);
            result.push(Equation {
                reduction: Vec::new(),
                ..defines(kind, array, place, &at, expr)
            });
        }
        if own > 0 {
            let place = program.add_index("p", Extent::Constant(own));
            let entries: Vec<[usize; 2]> = self.own.iter().map(|own| [*own, *own]).collect();
            let channels = self.channels(program, kind, columns, (&entries, Number::ONE));
            let expr = summed(program, tables, kind, place, name, &channels);
            let mut equation = defines(kind, array, place, &shifted(place, 2 * pairs), expr);
            if channels.is_empty() {
                equation.reduction.clear();
            }
            result.push(equation);
        }
        (result, array)
    }

    /// The channels of the symmetric part, for a positive sign, or the antisymmetric one, with the
    /// numbers that some entries have of each: the columns of an entry and of its mirror image.
    fn channels(
        &self,
        program: &mut Program,
        kind: &Kind,
        columns: &[Column],
        (entries, sign): (&[[usize; 2]], Number),
    ) -> Vec<(Channel, Vec<Vec<Number>>)> {
        let half = Number::ratio(1, 2);
        let part = |(number, mirrored): (&Number, &Number)| (*number + sign * *mirrored) * half;
        let mut result = Vec::new();
        for (at, partner) in self.partners.iter().enumerate() {
            let (coefficient, variables) = kind.channels[at].clone();
            let coefficient = match partner {
                Some((other, _)) if *other < at => continue,
                Some((other, times)) if *other > at => {
                    let more = (sign * *times, kind.channels[*other].0);
                    added(program, kind, [(Number::ONE, coefficient), more])
                }
                // One part is all of what is symmetric or antisymmetric.
                Some((_, times)) if times.field() != sign.field() => continue,
                _ => coefficient,
            };
            let numbers = entries.iter().map(|[own, mirrored]| {
                let pair = columns[*own][at].iter().zip(&columns[*mirrored][at]);
                pair.map(part).collect()
            });
            result.push(((coefficient, variables), numbers.collect()));
        }
        result
    }
}

/// A sum of two coefficients, each as often as a number says.
fn added(program: &mut Program, kind: &Kind, terms: [(Number, ExprId); 2]) -> ExprId {
    let terms = terms.map(|(coefficient, expr)| Term { coefficient, expr });
    sum(&mut program.pool, terms.to_vec(), kind.element)
}

/// A place in a part of a temporary that begins at some number.
pub fn shifted(place: IndexId, by: usize) -> Affine {
    Affine::index(place).add(&Affine::constant(by as i64))
}
