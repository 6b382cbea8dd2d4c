//! Sums over products of tables.
//!
//! Tables often come in pairs: with two loops exchanged, a product is the same one, or another one that was
//! summed before. Then half of its sums are those of the other half, or all are known.

use super::canonical::{Canonical, Name};
use crate::collections::HashMap;
use crate::ir::{Affine, ExprId, Factor, IndexId, Program};
use crate::number::Number;
use crate::rewrite::evaluate::{extents, points, tabulate};
use crate::rewrite::normalise::product;

/// Two loops of a tensor, by their positions.
type Pair = (usize, usize);

/// Sums the product of tables that has a name over loops.
pub fn tensor(
    program: &mut Program,
    tables: &[Factor],
    ((key, loops), sums): &(Name, Vec<IndexId>),
    known: &Canonical,
) -> Option<Vec<Number>> {
    let lengths = extents(program, loops)?;
    let mut symmetric = None;
    for pair in pairs(&lengths) {
        let name = exchanged(program, tables, *key, [loops[pair.0], loops[pair.1]]);
        if name == *key {
            symmetric = Some(pair);
        }
        if let Some(other) = known.tensors.get(&((name, loops.clone()), sums.clone())) {
            let entry = |point: Vec<usize>| other[flat(&lengths, swapped(point, pair))];
            return Some(points(&lengths).map(entry).collect());
        }
    }
    summed(program, tables, sums, (loops, &lengths, symmetric))
}

/// Loops of one length.
fn pairs(lengths: &[usize]) -> Vec<Pair> {
    let all = (0..lengths.len()).flat_map(|a| (a + 1..lengths.len()).map(move |b| (a, b)));
    all.filter(|(a, b)| lengths[*a] == lengths[*b]).collect()
}

/// The product of tables with two loops exchanged.
fn exchanged(
    program: &mut Program,
    tables: &[Factor],
    key: ExprId,
    [a, b]: [IndexId; 2],
) -> ExprId {
    let by = |index: IndexId| match index {
        index if index == a => Affine::index(b),
        index if index == b => Affine::index(a),
        index => Affine::index(index),
    };
    let mut replaced = HashMap::default();
    let tables = tables.iter().map(|factor| Factor {
        expr: program.pool.substitute(factor.expr, &by, &mut replaced),
        power: factor.power,
    });
    let tables = tables.collect();
    let element = program.pool.element(key);
    product(&mut program.pool, tables, element)
}

fn swapped(mut point: Vec<usize>, (a, b): Pair) -> Vec<usize> {
    point.swap(a, b);
    point
}

/// The position of a point, row-major.
fn flat(lengths: &[usize], point: Vec<usize>) -> usize {
    let pairs = lengths.iter().zip(point);
    pairs.fold(0, |flat, (length, at)| flat * length + at)
}

/// The sums at all points of the loops that stay; where two of these may be exchanged, those of which the
/// mirror image comes first are that.
fn summed(
    program: &Program,
    tables: &[Factor],
    sums: &[IndexId],
    (loops, lengths, symmetric): (&[IndexId], &[usize], Option<Pair>),
) -> Option<Vec<Number>> {
    let factors: Vec<Values> = tables
        .iter()
        .map(|factor| Values::of(program, *factor, sums, loops))
        .collect::<Option<_>>()?;
    let summed = extents(program, sums)?.iter().product();
    let (inner, outer) = match lengths.split_last() {
        Some((inner, outer)) => (*inner, outer),
        None => (1, lengths),
    };
    // What the innermost loop does not change is multiplied once.
    let (changing, fixed): (Vec<&Values>, Vec<&Values>) =
        factors.iter().partition(|values| values.follows_last);
    let mut result: Vec<Number> = Vec::new();
    let mut products = Vec::new();
    for point in points(outer) {
        let mut at = point;
        if !loops.is_empty() {
            at.push(0);
        }
        multiply(&fixed, &at, summed, &mut products);
        let left: Vec<(usize, Number)> = products.iter().copied().enumerate().collect();
        for last in 0..inner {
            if let Some(coordinate) = at.last_mut() {
                *coordinate = last;
            }
            if let Some(pair) = symmetric.filter(|pair| at[pair.0] > at[pair.1]) {
                let mirrored = flat(lengths, swapped(at.clone(), pair));
                result.push(result[mirrored]);
                continue;
            }
            multiply(&changing, &at, summed, &mut products);
            result.push(Number::sparse_dot(&left, &products));
        }
    }
    Some(result)
}

/// The products of factors at a point, for each of the `count` points that are summed over.
fn multiply(factors: &[&Values], at: &[usize], count: usize, products: &mut Vec<Number>) {
    products.clear();
    let Some((first, others)) = factors.split_first() else {
        products.resize(count, Number::ONE);
        return;
    };
    products.extend(first.along_sums(at));
    for factor in others {
        for (product, value) in products.iter_mut().zip(factor.along_sums(at)) {
            *product *= value;
        }
    }
}

/// The values of a factor.
struct Values {
    values: Vec<Number>,
    /// Where the value of each point is that is summed over, counted from that of the first.
    offsets: Vec<usize>,
    /// How far the next value along each other loop is.
    strides: Vec<usize>,
    /// Whether the last loop changes it.
    follows_last: bool,
}

impl Values {
    fn of(
        program: &Program,
        factor: Factor,
        sums: &[IndexId],
        loops: &[IndexId],
    ) -> Option<Values> {
        let depends = program.pool.indices(factor.expr).to_vec();
        let raw = tabulate(program, factor.expr, &depends)?;
        let raise = |value: Number| {
            let power = value.powi(factor.power.unsigned_abs());
            if factor.power > 0 {
                Some(power)
            } else {
                (!power.is_zero()).then(|| Number::ONE / power)
            }
        };
        let extents = extents(program, &depends)?;
        let stride = |index: &IndexId| {
            let at = depends.iter().position(|d| d == index);
            at.map_or(0, |at| extents[at + 1..].iter().product())
        };
        let summed = self::extents(program, sums)?;
        let along: Vec<usize> = sums.iter().map(stride).collect();
        Some(Values {
            values: raw.into_iter().map(raise).collect::<Option<_>>()?,
            offsets: points(&summed).map(|point| dot(&along, &point)).collect(),
            strides: loops.iter().map(stride).collect(),
            follows_last: loops.last().is_some_and(|last| depends.contains(last)),
        })
    }

    /// The values at a point of the other loops.
    fn along_sums(&self, at: &[usize]) -> impl Iterator<Item = Number> + '_ {
        let base = dot(&self.strides, at);
        self.offsets
            .iter()
            .map(move |offset| self.values[base + offset])
    }
}

/// How far the element of a point is from the first.
pub fn dot(strides: &[usize], point: &[usize]) -> usize {
    strides.iter().zip(point).map(|(s, p)| s * p).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Expr, text};

    /// The tensors of the right sides of equations, each by itself and all with those before it known.
    fn tensors(equations: &str) -> [Vec<Vec<Number>>; 2] {
        let program = text::parse(&format!(
            "program p\nindex q: 2\nindex i: 3\nindex j: 3\noutput 0 y: f64[3, 3]\n\
             table w: f64[2] = [0.5, 3]\ntable t: f64[2, 3] = [1, 2, 4, 8, 16, 32]\n\
             table u: f64[2, 3] = [3, 5, 7, 11, 13, 17]\n{equations}"
        ));
        let mut program = program.unwrap_or_else(|e| panic!("{e}"));
        let [mut alone, mut together] = [Vec::new(), Vec::new()];
        let mut known = Canonical::default();
        for equation in program.equations.clone() {
            let Expr::Product(tables) = program.pool.get(equation.expr).clone() else {
                panic!("no product");
            };
            let element = program.pool.element(equation.expr);
            let key = product(&mut program.pool, tables.clone(), element);
            let name = ((key, equation.free.clone()), equation.reduction.clone());
            let of =
                |program: &mut Program, known: &Canonical| tensor(program, &tables, &name, known);
            alone.push(of(&mut program, &Canonical::default()).unwrap());
            let found = of(&mut program, &known).unwrap();
            known.tensors.insert(name.clone(), found.clone().into());
            together.push(found);
        }
        [alone, together]
    }

    /// `Σ w[q] l[q, i] r[q, j]`.
    fn direct(left: [[i64; 3]; 2], right: [[i64; 3]; 2]) -> Vec<Number> {
        let entry = |at: usize| {
            let (i, j) = (at / 3, at % 3);
            Number::ratio(left[0][i] * right[0][j] + 6 * left[1][i] * right[1][j], 2)
        };
        (0..9).map(entry).collect()
    }

    #[test]
    fn sums_are_known_where_loops_are_exchanged() {
        let t = [[1, 2, 4], [8, 16, 32]];
        let u = [[3, 5, 7], [11, 13, 17]];
        let found = tensors(
            "y[i, j] += sum(q) w[q] * t[q, i] * t[q, j]   for i, j\n\
             y[i, j] += sum(q) w[q] * t[q, i] * u[q, j]   for i, j\n\
             y[i, j] += sum(q) w[q] * u[q, i] * t[q, j]   for i, j\n",
        );
        let expected = vec![direct(t, t), direct(t, u), direct(u, t)];
        for found in found {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn exchanged_entries_are_copied() {
        let mut known = Canonical::default();
        let mut program = text::parse(
            "program p\nindex q: 2\nindex i: 2\nindex j: 2\noutput 0 y: f64[2, 2]\n\
             table t: f64[2, 2] = [1, 2, 3, 4]\ntable u: f64[2, 2] = [5, 6, 7, 8]\n\
             y[i, j] += sum(q) t[q, i] * u[q, j]   for i, j\n\
             y[i, j] += sum(q) u[q, i] * t[q, j]   for i, j\n",
        )
        .unwrap();
        let [first, second] = [0, 1].map(|at| program.equations[at].clone());
        // What is known is taken, whatever it is.
        let marked: Vec<Number> = (0..4).map(Number::from_i64).collect();
        let Expr::Product(tables) = program.pool.get(first.expr).clone() else {
            panic!("no product");
        };
        let element = program.pool.element(first.expr);
        let key = product(&mut program.pool, tables, element);
        let name = ((key, first.free.clone()), first.reduction.clone());
        known.tensors.insert(name, marked.into());
        let Expr::Product(tables) = program.pool.get(second.expr).clone() else {
            panic!("no product");
        };
        let key = product(&mut program.pool, tables.clone(), element);
        let name = ((key, second.free.clone()), second.reduction.clone());
        let found = tensor(&mut program, &tables, &name, &known).unwrap();
        assert_eq!(found, [0, 2, 1, 3].map(Number::from_i64));
    }
}
