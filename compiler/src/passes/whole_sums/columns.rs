//! A value as a combination of known numbers with coefficients that are not known.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

use super::exact::Exact;
use crate::collections::{HashMap, HashSet};
use crate::ir::{ArrayId, Element, Equation, Expr, ExprId, Factor, IndexId, Program};
use crate::number::Number;
use crate::rewrite::evaluate::{extents, for_each_point, only_tables, tabulate};
use crate::rewrite::normalise::product;
use crate::rewrite::replace::summed_at;

/// Most products that a value is taken apart into.
const MOST_PRODUCTS: usize = 256;
/// Most numbers that are computed.
const MOST_NUMBERS: usize = 1 << 19;

/// The temporaries that one equation defines, by array.
pub type Definitions = HashMap<ArrayId, Equation>;

/// A product of known and unknown factors.
#[derive(Clone)]
pub struct Monomial {
    /// The constant in it.
    pub number: Number,
    /// Of tables alone.
    pub known: Vec<Factor>,
    /// All others.
    pub unknown: Vec<Factor>,
    /// Loops of the sums that are in it.
    sums: Vec<IndexId>,
}

/// An unknown product, at a point of the loops that it depends on.
pub type Unknown = (ExprId, Vec<usize>);

/// The columns of a matrix: what each unknown is multiplied with at each point of the other loops.
pub type Columns = BTreeMap<Unknown, Vec<Number>>;

/// What is multiplied with unknowns.
#[derive(Clone)]
pub struct Matrix {
    /// The loops whose points are the rows, the last one fastest.
    pub rows: Vec<IndexId>,
    /// One block for each point of the loops that all unknowns depend on.
    pub blocks: Vec<Columns>,
}

/// The entries of a matrix that one product of known and unknown factors gives.
struct Entries {
    number: Number,
    known: ExprId,
    unknown: ExprId,
    /// The loops of the rows, and those of sums.
    loops: Vec<IndexId>,
    /// How many of them are of the rows, those of blocks among them.
    rows: usize,
    shape: Vec<usize>,
    /// Which of them the unknown depends on.
    own: Vec<usize>,
}

impl Entries {
    /// Adds the entries, whose known factors have some values, to the columns of their unknowns. The first
    /// loops, `common` in number, say which block; rows are `height`.
    fn add(&self, values: &[Number], blocks: &mut [Columns], (common, height): (usize, usize)) {
        let rows = self.strides(common..self.rows);
        let block_of = self.strides(0..common);
        let own = self.strides(self.own.iter().copied());
        let flat = |point: &[usize], strides: &[usize]| -> usize {
            point
                .iter()
                .zip(strides)
                .map(|(at, stride)| at * stride)
                .sum()
        };
        // The entries of each column one after the other: to look a column up takes longer than to add.
        let widths = self.own.iter().map(|at| self.shape[*at]);
        let mut columns: Vec<Vec<(usize, Number)>> = vec![Vec::new(); widths.product()];
        let mut keys: Vec<(usize, Vec<usize>)> = vec![Default::default(); columns.len()];
        let mut values = values.iter();
        for_each_point(&self.shape, |point| {
            let Some(value) = values.next() else { return };
            let at = flat(point, &own);
            if columns[at].is_empty() {
                let key = self.own.iter().map(|own| point[*own]).collect();
                keys[at] = (flat(point, &block_of), key);
            }
            columns[at].push((flat(point, &rows), self.number * *value));
        });
        for (entries, (block, key)) in columns.into_iter().zip(keys) {
            if entries.is_empty() {
                continue;
            }
            let column = blocks[block].entry((self.unknown, key));
            let column = column.or_insert_with(|| vec![Number::ZERO; height]);
            entries
                .into_iter()
                .for_each(|(row, value)| column[row] += value);
        }
    }

    /// How far apart neighbours along each loop are in a box of some of them, the last one fastest.
    fn strides(&self, of: impl DoubleEndedIterator<Item = usize>) -> Vec<usize> {
        let mut strides = vec![0; self.loops.len()];
        let mut stride = 1;
        for at in of.rev() {
            strides[at] = stride;
            stride *= self.shape[at];
        }
        strides
    }
}

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
    /// Whether what is made of unknowns alone, and what temporaries sum over loops, is one unknown.
    pub groups: bool,
}

impl Dissection<'_> {
    /// What the unknowns in a value are multiplied with; `None` if there are too many, or something is no sum of products.
    pub fn matrix(&mut self, expr: ExprId) -> Option<Matrix> {
        let monomials = self.monomials(expr)?;
        let element = self.program.pool.element(expr);
        let (common, rest) = self.rows(&monomials);
        let lengths = extents(self.program, &common)?;
        let height: usize = extents(self.program, &rest)?.iter().product();
        let terms: Option<Vec<Entries>> = monomials
            .into_iter()
            .map(|monomial| self.entries(monomial, &[common.as_slice(), &rest].concat(), element))
            .collect();
        let terms = terms?;
        if self.is_too_large(&terms, &common, height) {
            return None;
        }
        let mut blocks: Vec<Columns> = vec![Columns::new(); lengths.iter().product()];
        let mut known: HashMap<(ExprId, &[IndexId]), Vec<Number>> = HashMap::default();
        for term in &terms {
            let values = match known.entry((term.known, &term.loops)) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    entry.insert(tabulate(self.program, term.known, &term.loops)?)
                }
            };
            term.add(values, &mut blocks, (common.len(), height));
        }
        // What is multiplied with nothing but zeros takes no part.
        for block in &mut blocks {
            block.retain(|_, column| column.iter().any(|value| value.to_f64() != 0.0));
        }
        Some(Matrix { rows: rest, blocks })
    }

    /// Where a product's entries are, for rows over some loops.
    fn entries(&mut self, of: Monomial, rows: &[IndexId], element: Element) -> Option<Entries> {
        let pool = &mut self.program.pool;
        let unknown = product(pool, of.unknown, element);
        let known = product(pool, of.known, element);
        let loops = [rows, &of.sums].concat();
        let indices = pool.indices(unknown);
        let own = (0..loops.len()).filter(|at| indices.contains(&loops[*at]));
        Some(Entries {
            number: of.number,
            known,
            unknown,
            own: own.collect(),
            rows: rows.len(),
            shape: extents(self.program, &loops)?,
            loops,
        })
    }

    /// Whether products have too many entries together, or columns in one block.
    fn is_too_large(&self, terms: &[Entries], common: &[IndexId], height: usize) -> bool {
        let points: usize = terms
            .iter()
            .map(|t| t.shape.iter().product::<usize>())
            .sum();
        let mut widths: HashMap<ExprId, usize> = HashMap::default();
        for term in terms {
            let own = term.own.iter().filter(|at| **at >= common.len());
            let width = own.map(|at| term.shape[*at]).product();
            widths.insert(term.unknown, width);
        }
        let width: usize = widths.values().sum();
        width > MOST_PRODUCTS || points + width * height > MOST_NUMBERS
    }

    /// The loops of constant length that change a sum of products: those that change all unknowns, and
    /// the others.
    fn rows(&self, monomials: &[Monomial]) -> (Vec<IndexId>, Vec<IndexId>) {
        let pool = &self.program.pool;
        let mut rows: Vec<IndexId> = Vec::new();
        for monomial in monomials {
            let factors = monomial.known.iter().chain(&monomial.unknown);
            for index in factors.flat_map(|factor| pool.indices(factor.expr)) {
                let summed = monomials.iter().any(|m| m.sums.contains(index));
                if self.program.is_constant(*index) && !summed && !rows.contains(index) {
                    rows.push(*index);
                }
            }
        }
        rows.sort_unstable();
        rows.into_iter().partition(|index| {
            let changes = |factor: &Factor| pool.indices(factor.expr).contains(index);
            monomials.iter().all(|m| m.unknown.iter().any(changes))
        })
    }

    /// The products that a value is the sum of.
    pub fn monomials(&mut self, expr: ExprId) -> Option<Vec<Monomial>> {
        let factor = Factor { expr, power: 1 };
        let one = |number, known, unknown| Monomial {
            number,
            known,
            unknown,
            sums: Vec::new(),
        };
        if self.program.pool.is_zero(expr) {
            // Sums begin with it. It would be an unknown that no loop changes.
            return Some(Vec::new());
        }
        if let Expr::Constant(number) = self.program.pool.get(expr) {
            return Some(vec![one(*number, Vec::new(), Vec::new())]);
        }
        if only_tables(self.program, expr) {
            return Some(vec![one(Number::ONE, vec![factor], Vec::new())]);
        }
        let all = match self.program.pool.get(expr).clone() {
            Expr::Sum(terms) if terms.len() == 1 || self.is_opened(expr) => {
                let mut all = Vec::new();
                for term in terms {
                    let mut part = self.monomials(term.expr)?;
                    part.iter_mut().for_each(|m| m.number *= term.coefficient);
                    all.append(&mut part);
                }
                all
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
                all
            }
            Expr::Access(access) if self.definition(access.array).is_some() => {
                let definition = self.definitions[&access.array].clone();
                let (value, sums) = summed_at(self.program, &definition, &access);
                let mut all = self.monomials(value)?;
                all.iter_mut().for_each(|m| m.sums.extend(&sums));
                all
            }
            _ => vec![one(Number::ONE, Vec::new(), vec![factor])],
        };
        if self.groups && !all.is_empty() && all.iter().all(|m| m.known.is_empty()) {
            return Some(vec![one(Number::ONE, Vec::new(), vec![factor])]);
        }
        (all.len() <= MOST_PRODUCTS).then_some(all)
    }

    /// What a temporary holds that is taken apart.
    fn definition(&self, array: ArrayId) -> Option<&Equation> {
        let definition = self.definitions.get(&array)?;
        (!self.groups || definition.reduction.is_empty()).then_some(definition)
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

#[cfg(test)]
mod tests {

    use super::{Definitions, Dissection};
    use crate::collections::HashSet;
    use crate::ir::{IndexId, text};
    use crate::passes::whole_sums::exact::Exact;

    #[test]
    fn zeros_that_sums_begin_with_are_no_unknowns() {
        let mut program = text::parse(
            "program p\nindex q: 3\nindex i: 2\nparam 0 h: f64[3]\n\
             table d: f64[3, 2] = [1, 2, 3, 4, 5, 6]\noutput 1 y: f64[3, 2]\n\
             y[q, i] = h[q] * (0 + d[q, i]) + 0 * h[q] for q, i",
        )
        .unwrap();
        let expr = program.equations[0].expr;
        let exact = Exact::of(&program);
        let mut dissection = Dissection {
            program: &mut program,
            definitions: &Definitions::default(),
            loops: &HashSet::from_iter([IndexId(0), IndexId(1)]),
            exact: &exact,
            groups: false,
        };
        assert_eq!(dissection.monomials(expr).unwrap().len(), 1);
        // Each point has an unknown of its own.
        let matrix = dissection.matrix(expr).unwrap();
        assert_eq!((matrix.blocks.len(), matrix.rows), (3, vec![IndexId(1)]));
    }
}
