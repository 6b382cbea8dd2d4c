//! Which expressions are equal: polynomial identity testing (Schwartz 1980, Zippel 1979).
//!
//! Every element that is read has a value of its own in the prime field of 2^61 - 1, as good as
//! random, and sums, products and quotients are those of the field. Expressions that are equal as
//! rational functions have equal values; others, of degree d, with a chance below d / 2^61. All
//! other functions are hashes of their arguments, so that they are equal where their arguments are.
//! Tables of which one is a multiple of another have values that are such multiples.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use crate::collections::HashMap;
use crate::ir::{Access, ArrayId, Element, Expr, ExprId, Extent, Pool, Program, Role};
use crate::number::Field;
use crate::syntax::ast::Elementary;

/// For each table that is a multiple of an earlier one: that one, and the factor.
pub type Multiples = HashMap<ArrayId, (ArrayId, Field)>;

/// Which tables of a program are multiples of others.
pub fn multiples(program: &Program) -> Multiples {
    type Key<'a> = (Element, &'a [Extent], Vec<Field>);
    let mut first: HashMap<Key, (ArrayId, Field)> = HashMap::default();
    let mut result = Multiples::default();
    for (at, array) in program.arrays.iter().enumerate() {
        let Role::Table(values) = &array.role else {
            continue;
        };
        let images: Vec<Field> = values.iter().map(|value| value.field()).collect();
        let Some(pivot) = images.iter().copied().find(|image| *image != Field::ZERO) else {
            continue;
        };
        let inverse = pivot.inverse();
        let direction = images.into_iter().map(|image| image * inverse).collect();
        let id = ArrayId(at as u32);
        let key = (array.element, array.shape.as_slice(), direction);
        let (known, of) = *first.entry(key).or_insert((id, pivot));
        if known != id {
            result.insert(id, (known, pivot * of.inverse()));
        }
    }
    result
}

/// Values of expressions, each computed once.
#[derive(Debug, Default)]
pub struct Identities {
    values: HashMap<ExprId, Field>,
    multiples: Rc<Multiples>,
}

impl Identities {
    /// No values yet; what is known of tables.
    pub fn over(multiples: Rc<Multiples>) -> Identities {
        Identities {
            values: HashMap::default(),
            multiples,
        }
    }

    /// The value that stands for an access.
    fn access(&self, access: &Access) -> Field {
        let Some((array, factor)) = self.multiples.get(&access.array) else {
            return hashed(access);
        };
        let other = Access {
            array: *array,
            subscripts: access.subscripts.clone(),
        };
        hashed(&other) * *factor
    }

    /// The value that stands for an expression of a pool, always the same one.
    pub fn value(&mut self, pool: &Pool, id: ExprId) -> Field {
        if let Some(known) = self.values.get(&id) {
            return *known;
        }
        let value = match pool.get(id) {
            Expr::Constant(number) => number.field(),
            Expr::Access(access) => self.access(access),
            Expr::Sum(terms) => terms.iter().fold(Field::ZERO, |sum, term| {
                sum + term.coefficient.field() * self.value(pool, term.expr)
            }),
            Expr::Product(factors) => factors.iter().fold(Field::ONE, |product, factor| {
                product * self.value(pool, factor.expr).powi(factor.power)
            }),
            Expr::Call(function, arguments) => {
                let values = arguments.iter().map(|a| self.value(pool, *a)).collect();
                apply(*function, values)
            }
            Expr::Compare(operator, l, r) => {
                hashed(&(operator, self.value(pool, *l), self.value(pool, *r)))
            }
            Expr::Select(condition, then, otherwise) => {
                let values = [condition, then, otherwise].map(|e| self.value(pool, *e));
                hashed(&("select", values))
            }
            Expr::Cast(_, from) if pool.inside_kept(id).is_some() => self.value(pool, *from),
            Expr::Cast(to, from) => hashed(&(pool.element(*from), to, self.value(pool, *from))),
        };
        self.values.insert(id, value);
        value
    }
}

fn apply(function: Elementary, mut arguments: Vec<Field>) -> Field {
    match (function, arguments.as_slice()) {
        (Elementary::Recip, [of]) => return of.inverse(),
        (Elementary::Powi(exponent), [of]) => return of.powi(exponent),
        (Elementary::MulAdd, [a, b, c]) => return *a * *b + *c,
        (Elementary::Min | Elementary::Max, _) => arguments.sort_unstable(),
        _ => {}
    }
    hashed(&(function, arguments))
}

/// A value that is as good as random, the same for equal keys.
fn hashed(key: &impl Hash) -> Field {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    Field::from_u64(hasher.finish()).hashed(0x6964_656e_7469_7479)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;

    /// Whether the right sides of `y[i] = LEFT` and `y[i] = RIGHT` have one value.
    fn equal(left: &str, right: &str) -> bool {
        let text = format!(
            "program identity\nindex i: 4\nparam 0 x: f64[4]\nparam 1 z: f64[4]\n\
             output 2 y: f64[4]\noutput 3 v: f64[4]\n\
             y[i] = {left}   for i\nv[i] = {right}   for i\n"
        );
        let program = text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut identities = Identities::default();
        let mut value = |at: usize| identities.value(&program.pool, program.equations[at].expr);
        value(0) == value(1)
    }

    #[test]
    fn equal_polynomials_are_found_in_any_form() {
        assert!(equal(
            "(x[i] + z[i]) * (x[i] - z[i])",
            "x[i]^2 - z[i] * z[i]"
        ));
        assert!(equal("(x[i] + 1) * z[i]^-1", "x[i] * z[i]^-1 + z[i]^-1"));
        assert!(equal("exp(x[i] + z[i])", "exp(z[i] + x[i])"));
        assert!(equal("max(x[i], 2 z[i])", "max(z[i] + z[i], x[i])"));
    }

    #[test]
    fn multiples_of_tables_are_found() {
        let program = text::parse(
            "program identity\nindex i: 3\noutput 0 y: f64[3]\noutput 1 v: f64[3]\n\
             output 2 z: f64[3]\ntable s: f64[3] = [0, 1, 3]\ntable t: f64[3] = [0, -2, -6]\n\
             table u: f64[3] = [0, -2, 6]\n\
             y[i] = s[i]   for i\nv[i] = t[i]   for i\nz[i] = u[i]   for i\n",
        );
        let program = program.unwrap_or_else(|e| panic!("{e}"));
        let mut identities = Identities::over(Rc::new(multiples(&program)));
        let mut value = |at: usize| identities.value(&program.pool, program.equations[at].expr);
        assert_eq!(value(1), value(0) * -Field::from_u64(2));
        assert_ne!(value(2), value(1));
        assert_ne!(value(2), value(0) * Field::from_u64(2));
    }

    #[test]
    fn what_differs_is_not_taken_as_equal() {
        assert!(!equal("x[i] * z[i]", "x[i] + z[i]"));
        assert!(!equal("x[i]", "x[i + 0] * 2"));
        assert!(!equal("max(x[i], z[i])", "x[i]"));
        assert!(!equal("max(x[i], z[i])", "min(x[i], z[i])"));
        assert!(!equal("exp(x[i]) * exp(z[i])", "exp(x[i] + z[i])"));
    }
}
