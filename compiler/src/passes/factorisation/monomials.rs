//! Terms as products of a constant and factors, and what several of them are multiples of.

use crate::ir::{Element, Expr, ExprId, Factor, Pool, Term};
use crate::number::Number;
use crate::rewrite::common_factor::{collect, intersection};

/// Multiplications that a division takes as long as.
const DIVISION: u32 = 4;

/// A constant times factors.
#[derive(Clone, Debug)]
pub struct Monomial {
    pub coefficient: Number,
    pub factors: Vec<Factor>,
}

impl Monomial {
    /// A term.
    pub fn of(pool: &Pool, term: &Term) -> Monomial {
        let mut monomial = Monomial {
            coefficient: term.coefficient,
            factors: Vec::new(),
        };
        match pool.get(term.expr) {
            Expr::Product(factors) if factors.iter().any(|factor| factor.power > 0) => {
                for factor in factors {
                    monomial.multiply(pool, factor.expr, factor.power);
                }
            }
            _ => monomial.multiply(pool, term.expr, 1),
        }
        collect(&mut monomial.factors);
        monomial
    }

    /// Products of products, as powers are, are opened. A reciprocal that quotients share is one factor: what is
    /// divided by a divisor that may be subnormal is scaled later, and known by that
    /// ([`reciprocals`](crate::passes::reciprocals)).
    fn multiply(&mut self, pool: &Pool, expr: ExprId, power: i32) {
        match pool.get(expr) {
            Expr::Product(factors) if factors.iter().all(|factor| factor.power > 0) => {
                for factor in factors {
                    self.multiply(pool, factor.expr, power * factor.power);
                }
            }
            Expr::Constant(number) if power == 1 => self.coefficient *= *number,
            _ => self.factors.push(Factor { expr, power }),
        }
    }

    /// Multiplications that it takes beside some more factors, where a division counts as several.
    pub fn work(&self, more: u32) -> u32 {
        let powers = self.factors.iter().map(|factor| factor.power);
        let up = powers.clone().filter(|power| *power > 0);
        let up = more + up.map(i32::unsigned_abs).sum::<u32>();
        let down = powers.filter(|power| *power < 0);
        let down = down.map(i32::unsigned_abs).sum::<u32>();
        let scaled = up + down > 0 && !is_unit(self.coefficient);
        (up + u32::from(scaled)).saturating_sub(1) + DIVISION * down
    }

    /// What is left without some factors and a coefficient.
    pub fn without(&self, common: &Monomial) -> Monomial {
        let inverse = common.factors.iter().map(|factor| Factor {
            expr: factor.expr,
            power: -factor.power,
        });
        let mut factors: Vec<Factor> = self.factors.iter().copied().chain(inverse).collect();
        collect(&mut factors);
        let coefficient = match is_unit(common.coefficient) {
            true => self.coefficient,
            false if self.coefficient == common.coefficient => Number::ONE,
            false => -Number::ONE,
        };
        Monomial {
            coefficient,
            factors,
        }
    }

    /// As a term.
    pub fn term(mut self, pool: &mut Pool, element: Element) -> Term {
        // What is divided stands before what divides: a quotient, and no product with a reciprocal.
        self.factors.sort_by_key(|factor| factor.power < 0);
        let expr = match self.factors.as_slice() {
            [] => {
                return Term {
                    coefficient: Number::ONE,
                    expr: pool.constant(self.coefficient, element),
                };
            }
            [Factor { expr, power: 1 }] => *expr,
            _ => pool.add(Expr::Product(self.factors), element),
        };
        Term {
            coefficient: self.coefficient,
            expr,
        }
    }
}

/// Whether it is one or minus one.
pub fn is_unit(number: Number) -> bool {
    number.is_one() || number.is_minus_one()
}

/// A factor that terms may have in common.
#[derive(Clone, Copy, PartialEq)]
pub enum Candidate {
    /// An expression, or its reciprocal.
    Power(ExprId, bool),
    /// A constant, or its opposite.
    Constant(Number),
}

impl Candidate {
    /// Whether it is in a term.
    pub fn divides(self, monomial: &Monomial) -> bool {
        match self {
            Candidate::Power(expr, up) => {
                let mut factors = monomial.factors.iter();
                factors.any(|factor| factor.expr == expr && (factor.power > 0) == up)
            }
            Candidate::Constant(number) => {
                monomial.coefficient == number || monomial.coefficient == -number
            }
        }
    }
}

/// What all of some terms are multiples of; `None` if there are none.
pub fn common<'m>(mut members: impl Iterator<Item = &'m Monomial>) -> Option<Monomial> {
    let mut common = members.next()?.clone();
    for other in members {
        common.factors = intersection(&common.factors, &other.factors);
        if ![common.coefficient, -common.coefficient].contains(&other.coefficient) {
            common.coefficient = Number::ONE;
        }
    }
    // A sign stays with its term.
    if is_unit(common.coefficient) {
        common.coefficient = Number::ONE;
    }
    Some(common)
}
