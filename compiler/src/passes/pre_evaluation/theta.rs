//! What evaluating a monomial gains or loses: θ (Luporini 2017, section 4.2).
//!
//! θ = θpre - θse: operations if it is evaluated, less those of quadrature. Quadrature is counted.
//! Evaluation is estimated, since its tables are what costs time: ρ tensors of test and trial
//! functions, ι times as many because each coefficient function is a sum over basis functions that
//! has to be multiplied out. Products of the same tables in another order are one tensor: of k
//! functions out of n, there are as many as combinations with repetition.
//!
//! Example: the mass matrix has ρ = 1. Its product with a function of three basis functions has
//! ι = 3, with two of them ι = 6. The Laplacian has ρ = 3 in the plane, 6 in space.

use std::collections::{BTreeMap, BTreeSet};

use super::classes::Class;
use super::dissect::{Definitions, Monomial, dissect};
use super::evaluation::opened;
use crate::collections::{HashMap, HashSet};
use crate::ir::{ArrayId, Equation, Expr, ExprId, Factor, IndexId, Program};
use crate::rewrite::evaluate::extents;
use crate::rewrite::normalise::sum;
use crate::rewrite::rename::substitution;

/// The tensors of a class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tensors {
    /// Of test and trial functions: ρ.
    pub arguments: u64,
    /// Of these with the coefficients' basis functions: ρ · ι.
    pub all: u64,
}

impl Tensors {
    /// How many times more tensors the coefficients need: ι.
    pub fn increase(self) -> u64 {
        self.all.div_ceil(self.arguments.max(1))
    }
}

/// θ of a class.
#[derive(Clone, Copy, Debug)]
pub struct Theta {
    /// The tensors.
    pub tensors: Tensors,
    /// Operations if it is evaluated.
    pub evaluated: u64,
    /// Operations of quadrature.
    pub quadrature: Quadrature,
}

/// What quadrature of a monomial takes.
#[derive(Clone, Copy, Debug)]
pub enum Quadrature {
    /// Counted.
    Counted(u64),
    /// That of the whole program: evaluation takes more in any case.
    AtMost(u64),
}

impl Quadrature {
    /// The number of operations.
    pub fn operations(self) -> u64 {
        match self {
            Quadrature::Counted(operations) | Quadrature::AtMost(operations) => operations,
        }
    }
}

impl Theta {
    /// Whether evaluation gains.
    pub fn gains(&self) -> bool {
        self.difference() < 0
    }

    /// θ itself.
    pub fn difference(&self) -> i128 {
        i128::from(self.evaluated) - i128::from(self.quadrature.operations())
    }

    /// With entries that so many places share.
    pub fn shared(self, places: u64) -> Theta {
        Theta {
            evaluated: self.evaluated / places,
            ..self
        }
    }

    /// The numbers, for the report.
    pub fn describe(&self) -> String {
        let (evaluated, difference) = (self.evaluated, self.difference());
        let (rho, iota) = (self.tensors.arguments, self.tensors.increase());
        let numbers = match self.quadrature {
            Quadrature::Counted(quadrature) => format!("{evaluated} - {quadrature} = {difference}"),
            Quadrature::AtMost(most) => format!("{evaluated} - at most {most} >= {difference}"),
        };
        format!("{numbers} (ρ = {rho}, ι = {iota})")
    }
}

/// The tensors of a class, and the operations that multiplying and adding them takes. `None` where
/// some of its values depend on the sums' loops and are not known.
pub fn evaluated(
    program: &Program,
    definitions: &Definitions,
    inlined: &HashSet<ArrayId>,
    class: &Class,
    selected: &[IndexId],
) -> Option<(Tensors, u64)> {
    let mut scratch = program.clone();
    let mut keys = Keys::default();
    let mut total = (Tensors::default(), 0);
    for (at, terms) in &class.terms {
        let equation = &program.equations[*at];
        let mut loops = [equation.free.clone(), equation.reduction.clone()];
        for loops in &mut loops {
            loops.retain(|index| program.is_constant(*index));
        }
        let [mut free, sums] = loops;
        free.extend(selected);
        let element = program.pool.element(equation.expr);
        let expr = sum(&mut scratch.pool, terms.clone(), element);
        let monomials = dissect(&mut scratch, expr, (&free, &sums), definitions, inlined)?;
        let known = |m: &Monomial| m.rest.is_empty();
        if !monomials.iter().all(known) || monomials.iter().all(|m| m.tables.is_empty()) {
            return None;
        }
        let tensors = keys.count(&mut scratch, &monomials, &free)?;
        total.0.arguments = total.0.arguments.max(tensors.arguments);
        total.0.all = total.0.all.max(tensors.all);
        let terms = tensors.all.saturating_mul(entries(program, equation));
        total.1 = terms.saturating_mul(2).saturating_add(total.1);
    }
    Some(total)
}

/// Entries of a result that are not those of another, or their own, transposed.
fn entries(program: &Program, equation: &Equation) -> u64 {
    let all = equation.free.iter();
    let length = |index: &IndexId| program.loop_index(*index).extent.as_constant().unwrap_or(1);
    let all = all.fold(1, |all: u64, index| {
        all.saturating_mul(length(index) as u64)
    });
    let mirror = program
        .mirrors
        .iter()
        .find(|mirror| mirror.to == equation.target);
    match mirror {
        None => all,
        Some(mirror) if mirror.from != mirror.to => 0,
        Some(mirror) => {
            let side = length(&mirror.first) as u64;
            all / side * (side + 1) / 2
        }
    }
}

/// A product of tables, loops that only say which function is meant left out.
type Key = Vec<(ExprId, i32)>;

/// Names of products of tables.
#[derive(Default)]
struct Keys {
    /// One loop for all of a length.
    erased: HashMap<usize, IndexId>,
}

impl Keys {
    /// Counts the distinct products of tables in monomials. `free` are the loops of test and trial
    /// functions.
    fn count(
        &mut self,
        program: &mut Program,
        monomials: &[Monomial],
        free: &[IndexId],
    ) -> Option<Tensors> {
        let mut arguments: BTreeSet<Key> = BTreeSet::new();
        let mut all: BTreeMap<(Key, Key), u64> = BTreeMap::new();
        let mut known: HashMap<ExprId, ExprId> = HashMap::default();
        for monomial in monomials {
            let [mut of_arguments, mut of_coefficients] = [BTreeMap::new(), BTreeMap::new()];
            // Functions of one space: how many of them, and of how many basis functions.
            let mut spaces: BTreeMap<ExprId, (u64, u64)> = BTreeMap::new();
            for factor in factors(program, monomial) {
                let indices = program.pool.indices(factor.expr).to_vec();
                let own: Vec<IndexId> = monomial
                    .sums
                    .iter()
                    .copied()
                    .filter(|index| indices.contains(index))
                    .collect();
                let is_argument = free.iter().any(|index| indices.contains(index));
                let erased = *known
                    .entry(factor.expr)
                    .or_insert_with(|| self.erase(program, factor, &[free, &own].concat()));
                let place = match is_argument {
                    true => &mut of_arguments,
                    false => &mut of_coefficients,
                };
                *place.entry(erased).or_insert(0) += factor.power;
                if !own.is_empty() {
                    let size: usize = extents(program, &own)?.iter().product();
                    let space = spaces.entry(erased).or_insert((0, size as u64));
                    space.0 += u64::from(factor.power.unsigned_abs());
                }
            }
            let count = spaces
                .values()
                .map(|(k, n)| combinations(*n, *k))
                .fold(1, u64::saturating_mul);
            let [of_arguments, of_coefficients] =
                [of_arguments, of_coefficients].map(|key| key.into_iter().collect::<Key>());
            arguments.insert(of_arguments.clone());
            all.insert((of_arguments, of_coefficients), count);
        }
        Some(Tensors {
            arguments: arguments.len() as u64,
            all: all.values().fold(0, |sum, more| sum.saturating_add(*more)),
        })
    }

    /// A table with one name for all loops of a length.
    fn erase(&mut self, program: &mut Program, factor: Factor, loops: &[IndexId]) -> ExprId {
        let mut names: HashMap<IndexId, IndexId> = HashMap::default();
        for index in loops {
            if let Some(length) = program.loop_index(*index).extent.as_constant() {
                let name = *self
                    .erased
                    .entry(length)
                    .or_insert_with(|| program.add_index_like(*index));
                names.insert(*index, name);
            }
        }
        (program.pool).substitute(factor.expr, &substitution(&names), &mut HashMap::default())
    }
}

/// The tables of a monomial, products of them opened.
fn factors(program: &Program, monomial: &Monomial) -> Vec<Factor> {
    let open = |factor: &Factor| match program.pool.get(factor.expr) {
        Expr::Product(_) if factor.power == 1 => opened(&program.pool, factor.expr),
        _ => vec![*factor],
    };
    monomial.tables.iter().flat_map(open).collect()
}

/// Combinations with repetition of `k` out of `n`.
pub fn combinations(n: u64, k: u64) -> u64 {
    let step = |count: u128, at: u64| {
        let next = count.saturating_mul(u128::from(n + at));
        next / u128::from(at + 1)
    };
    let count = (0..k).fold(1, step);
    u64::try_from(count).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::classes::classes;
    use super::super::dissect::definitions;
    use super::*;
    use crate::ir::text;

    /// ρ and ι of each monomial of a sum over four points, the definitions of all functions put in.
    fn of(value: &str) -> Vec<(u64, u64)> {
        let mut program = text::parse(&format!(
            "program p
index e: len(z)
index q: 4
index r: 3
index s: 5
index i: 2
index j: 2
param 0 z: f64[len(z), 9]
param 1 c: f64[len(c), 2, 3]
param 2 d: f64[len(d), 5]
output 3 a: f64[len(a), 2, 2]
temp f: f64[len(z), 4]
temp g: f64[len(z), 4]
temp h: f64[len(z), 4]
table w: f64[4] = [1, 2, 3, 1]
table b: f64[4, 3] = [[1, 2, 3], [4, 1, 2], [5, 3, 2], [7, 5, 1]]
table m: f64[4, 5] = [[1, 2, 3, 4, 5], [4, 1, 2, 6, 7], [5, 3, 2, 2, 1], [7, 5, 1, 1, 3]]
table t: f64[4, 2] = [[1, 2], [4, 1], [3, 2], [5, 1]]
table x: f64[3, 4, 2] = [[[1, 2], [3, 4], [5, 7], [2, 9]], [[2, 2], [3, 1], [5, 8], [2, 1]], [[1, 1], [3, 2], [5, 9], [3, 9]]]
f[e, q] = sum(r) c[e, 0, r] * b[q, r]   for e, q
g[e, q] = sum(r) c[e, 1, r] * b[q, r]   for e, q
h[e, q] = sum(s) d[e, s] * m[q, s]   for e, q
a[e, i, j] += sum(q) {value}   for e, i, j
"
        ))
        .unwrap();
        let definitions = definitions(&program);
        let inlined = definitions.keys().copied().collect();
        let classes = classes(&mut program, &definitions);
        let each = classes.iter().map(|class| {
            let (tensors, _) = evaluated(&program, &definitions, &inlined, class, &[]).unwrap();
            (tensors.arguments, tensors.increase())
        });
        each.collect()
    }

    /// `du * dv` in so many dimensions, summed over the derivatives.
    fn laplacian(dimensions: usize) -> String {
        let derivative = |d: usize, index: &str| {
            let terms = (0..dimensions)
                .map(|r| format!("z[e, {}] * x[{r}, q, {index}]", r * dimensions + d));
            format!("({})", terms.collect::<Vec<_>>().join(" + "))
        };
        let terms = (0..dimensions)
            .map(|d| format!("w[q] * {} * {}", derivative(d, "i"), derivative(d, "j")));
        terms.collect::<Vec<_>>().join(" + ")
    }

    /// The paper's examples: the mass matrix, figures 3 and 6, and figure 6 with two functions.
    #[test]
    fn the_numbers_of_the_paper() {
        assert_eq!(of("w[q] * z[e, 0] * t[q, i] * t[q, j]"), [(1, 1)]);
        assert_eq!(of(&laplacian(2)), [(3, 1)]);
        assert_eq!(of(&laplacian(3)), [(6, 1)]);
        let function = |n: usize| {
            let terms = (0..3).map(|r| format!("c[e, {n}, {r}] * b[q, {r}]"));
            format!("({})", terms.collect::<Vec<_>>().join(" + "))
        };
        let mass = "t[q, i] * t[q, j]";
        assert_eq!(of(&format!("{mass} * {}", function(0))), [(1, 3)]);
        let two = format!("{mass} * {} * {}", function(0), function(1));
        assert_eq!(of(&two), [(1, 6)]);
        // The same as temporaries, and with one from another space.
        assert_eq!(of(&format!("f[e, q] * {mass}")), [(1, 3)]);
        assert_eq!(of(&format!("f[e, q] * g[e, q] * {mass}")), [(1, 6)]);
        assert_eq!(of(&format!("f[e, q] * h[e, q] * {mass}")), [(1, 15)]);
        assert_eq!(of(&format!("f[e, q]^2 * h[e, q] * {mass}")), [(1, 30)]);
        assert_eq!([combinations(3, 2), combinations(10, 3)], [6, 220]);
    }

    #[test]
    fn monomials_are_what_forms_add_up() {
        let both = format!("f[e, q] * t[q, i] * t[q, j] + {}", laplacian(3));
        assert_eq!(of(&both), [(1, 3), (6, 1)]);
        // A common factor does not hide them.
        let scaled = format!("w[q] * f[e, q] * (t[q, i] * t[q, j] + {})", laplacian(2));
        assert_eq!(of(&scaled), [(1, 3), (3, 3)]);
    }
}
