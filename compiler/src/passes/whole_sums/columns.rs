//! A value as a combination of known numbers with coefficients that are not known.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::exact::Exact;
use crate::ir::{Affine, ArrayId, Equation, Expr, ExprId, Factor, IndexId, Program};
use crate::number::Number;
use crate::rewrite::evaluate::{extents, only_tables, points, tabulate};
use crate::rewrite::normalise::product;
use crate::rewrite::replace::value_at;

/// Most products that a value is taken apart into.
const MOST_PRODUCTS: usize = 256;
/// Most numbers that are computed.
const MOST_NUMBERS: usize = 1 << 16;

/// The temporaries that one equation defines, by array.
pub type Definitions = HashMap<ArrayId, Equation>;

/// A product of known and unknown factors.
#[derive(Clone)]
struct Monomial {
    number: Number,
    known: Vec<Factor>,
    unknown: Vec<Factor>,
    /// Loops of the sums that are in it.
    sums: Vec<IndexId>,
}

/// The columns of a matrix: of each unknown product, for each value of the loops that it depends on,
/// what it is multiplied with at each point of the other loops.
pub type Columns = Vec<Vec<f64>>;

/// Takes values of a program apart.
pub struct Dissection<'p> {
    /// With the loops and expressions that are added.
    pub program: &'p mut Program,
    /// What temporaries hold.
    pub definitions: &'p Definitions,
    /// The loops over which products are multiplied out, but for those of sums that are put in.
    pub loops: &'p HashSet<IndexId>,
    /// Which sums stay whole.
    pub exact: &'p Exact,
}

impl Dissection<'_> {
    /// The columns of a value; `None` if there are too many, or something is no sum of products.
    pub fn columns(&mut self, expr: ExprId) -> Option<Columns> {
        let monomials = self.monomials(expr)?;
        let element = self.program.pool.element(expr);
        let mut rows: Vec<IndexId> = Vec::new();
        for monomial in &monomials {
            let factors = monomial.known.iter().chain(&monomial.unknown);
            for index in factors.flat_map(|factor| self.program.pool.indices(factor.expr)) {
                let summed = monomials.iter().any(|m| m.sums.contains(index));
                if self.program.is_constant(*index) && !summed && !rows.contains(index) {
                    rows.push(*index);
                }
            }
        }
        rows.sort_unstable();
        let height: usize = extents(self.program, &rows)?.iter().product();
        let mut columns: BTreeMap<(ExprId, Vec<usize>), Vec<f64>> = BTreeMap::new();
        let mut work = 0;
        for Monomial {
            number,
            known,
            unknown,
            sums,
        } in monomials
        {
            let unknown = product(&mut self.program.pool, unknown, element);
            let known = product(&mut self.program.pool, known, element);
            let loops = [rows.as_slice(), &sums].concat();
            let shape = extents(self.program, &loops)?;
            work += shape.iter().product::<usize>();
            if work > MOST_NUMBERS {
                return None;
            }
            let values = tabulate(self.program, known, &loops)?;
            let indices = self.program.pool.indices(unknown);
            let own: Vec<usize> = (0..loops.len())
                .filter(|at| indices.contains(&loops[*at]))
                .collect();
            for (point, value) in points(&shape).zip(values) {
                let row = point[..rows.len()]
                    .iter()
                    .zip(&shape)
                    .fold(0, |flat, (at, n)| flat * n + at);
                let key = (unknown, own.iter().map(|at| point[*at]).collect());
                let width = columns.len() + 1;
                let column = columns.entry(key).or_insert_with(|| {
                    work += height;
                    vec![0.0; height]
                });
                if width > MOST_PRODUCTS || work > MOST_NUMBERS {
                    return None;
                }
                column[row] += (number * value).to_f64();
            }
        }
        // What is multiplied with nothing but zeros takes no part.
        let taking_part = |column: &Vec<f64>| column.iter().any(|value| *value != 0.0);
        Some(columns.into_values().filter(taking_part).collect())
    }

    fn monomials(&mut self, expr: ExprId) -> Option<Vec<Monomial>> {
        let factor = Factor { expr, power: 1 };
        let one = |number, known, unknown| Monomial {
            number,
            known,
            unknown,
            sums: Vec::new(),
        };
        if only_tables(self.program, expr) {
            return Some(vec![one(Number::ONE, vec![factor], Vec::new())]);
        }
        match self.program.pool.get(expr).clone() {
            Expr::Sum(terms) if terms.len() == 1 || self.is_opened(expr) => {
                let mut all = Vec::new();
                for term in terms {
                    let mut part = self.monomials(term.expr)?;
                    part.iter_mut().for_each(|m| m.number *= term.coefficient);
                    all.append(&mut part);
                }
                (all.len() <= MOST_PRODUCTS).then_some(all)
            }
            Expr::Product(factors) => {
                let mut all = vec![one(Number::ONE, Vec::new(), Vec::new())];
                for factor in factors {
                    if factor.power < 1 {
                        let power = one(Number::ONE, Vec::new(), vec![factor]);
                        all = times(&all, &[power])?;
                        continue;
                    }
                    for _ in 0..factor.power {
                        let part = self.monomials(factor.expr)?;
                        all = times(&all, &part)?;
                    }
                }
                Some(all)
            }
            Expr::Access(access) if self.definitions.contains_key(&access.array) => {
                let definition = self.definitions[&access.array].clone();
                let value = value_at(self.program, &definition, &access);
                let mut names = HashMap::new();
                for index in &definition.reduction {
                    names.insert(*index, self.program.add_index_like(*index));
                }
                let by = |index| Affine::index(names.get(&index).copied().unwrap_or(index));
                let pool = &mut self.program.pool;
                let value = pool.substitute(value, &by, &mut HashMap::new());
                let mut all = self.monomials(value)?;
                all.iter_mut().for_each(|m| m.sums.extend(names.values()));
                Some(all)
            }
            _ => Some(vec![one(Number::ONE, Vec::new(), vec![factor])]),
        }
    }

    /// Whether a sum is multiplied out: such loops change it, and it is not kept whole.
    fn is_opened(&self, expr: ExprId) -> bool {
        let Expr::Sum(terms) = self.program.pool.get(expr) else {
            return false;
        };
        let mut indices = self.program.pool.indices(expr).iter();
        indices.any(|index| self.loops.contains(index) || self.program.is_constant(*index))
            && !self.exact.cancels(self.program, terms)
    }
}

fn times(left: &[Monomial], right: &[Monomial]) -> Option<Vec<Monomial>> {
    if left.len() * right.len() > MOST_PRODUCTS {
        return None;
    }
    let join = |a: &Monomial, b: &Monomial| Monomial {
        number: a.number * b.number,
        known: [a.known.as_slice(), &b.known].concat(),
        unknown: [a.unknown.as_slice(), &b.unknown].concat(),
        sums: [a.sums.as_slice(), &b.sums].concat(),
    };
    let pairs = left
        .iter()
        .flat_map(|a| right.iter().map(move |b| join(a, b)));
    Some(pairs.collect())
}
