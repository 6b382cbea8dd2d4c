//! Equations that have something in common: factors of their terms, pairs of operands that are equal or that several products and
//! sums contain, powers, and polynomials in one or two variables, written out or by Horner's rule.

use super::Generator;
use super::contractions::{plus, times};
use super::expressions::{at_level, join};
use super::scope::Expr;

/// The largest degree of a polynomial.
const DEGREE: usize = 5;

impl Generator {
    /// Loops with a few statements over the same few operands.
    pub fn shared(&mut self) {
        self.whole = self.mesh_loop(|generator| {
            let inner = generator.random.chance(50);
            let mark = inner.then(|| generator.constant_loop(6));
            let operands: Vec<Expr> = (0..generator.random.between(2, 4))
                .map(|_| {
                    let leaf = generator.leaf();
                    generator.typed(leaf)
                })
                .collect();
            for _ in 0..generator.random.between(1, 3) {
                generator.output_of(&mut |generator| generator.of_operands(&operands));
            }
            if let Some(mark) = mark {
                generator.close_loop(mark);
            }
        });
    }

    /// A value of some operands.
    fn of_operands(&mut self, operands: &[Expr]) -> Expr {
        let value = match self.random.weighted(&[4, 3, 3, 3]) {
            0 => self.common_factor(operands),
            1 => self.equal_operands(operands),
            2 => self.polynomial(operands),
            _ => self.products_of_operands(operands),
        };
        let (bound, error) = self.limits();
        match value.bound <= bound && value.error <= error {
            true => value,
            false => self.pair(operands),
        }
    }

    /// `a * b`, `a + b` or `a - b`, perhaps of one operand.
    fn pair(&mut self, operands: &[Expr]) -> Expr {
        let (a, b) = (self.random.pick(operands), self.random.pick(operands));
        match self.random.weighted(&[4, 3, 2]) {
            0 => times(&a, &b),
            1 => plus(&a, &b, '+'),
            _ => plus(&a, &b, '-'),
        }
    }

    /// `a * b + a * c - d * a`.
    fn common_factor(&mut self, operands: &[Expr]) -> Expr {
        let factor = match self.random.chance(30) {
            true => self.pair(operands),
            false => self.random.pick(operands),
        };
        let mut sum: Option<Expr> = None;
        for _ in 0..self.random.between(2, 4) {
            let other = match self.random.chance(30) {
                true => self.literal(),
                false => self.random.pick(operands),
            };
            let term = match self.random.chance(70) {
                true => times(&factor, &other),
                false => times(&other, &factor),
            };
            let sign = self.random.pick(&['+', '+', '-']);
            sum = Some(sum.map_or(term.clone(), |sum| plus(&sum, &term, sign)));
        }
        sum.unwrap_or(factor)
    }

    /// `(a + b) * (a + b)`, `(a + b) * (a - b)`, `a * b + a * b`, and the square as a power.
    fn equal_operands(&mut self, operands: &[Expr]) -> Expr {
        let pair = self.pair(operands);
        match self.random.below(4) {
            0 => times(&pair, &pair),
            1 => plus(&pair, &pair, self.random.pick(&['+', '-'])),
            2 => {
                let other = self.pair(operands);
                times(&pair, &other)
            }
            _ => Expr {
                bound: pair.bound * pair.bound,
                error: 2.0 * pair.bound * (pair.error + pair.bound),
                ..join(format!("{}.powi(2)", at_level(&pair, 0)), 0, &[&pair])
            },
        }
    }

    /// `c + x * (b + x * a)`, or `a * x * x + b * x + c`; coefficients are numbers or operands.
    fn polynomial(&mut self, operands: &[Expr]) -> Expr {
        let (x, y) = (self.random.pick(operands), self.random.pick(operands));
        let degree = self.random.between(2, DEGREE);
        let horner = self.random.chance(50);
        let mut value = self.number_or_operand(operands);
        for power in 1..=degree {
            // Powers that have no coefficient are left out.
            if !horner && power < degree && self.random.chance(25) {
                continue;
            }
            let coefficient = self.number_or_operand(operands);
            if horner {
                value = plus(&times(&value, &x), &coefficient, '+');
                continue;
            }
            let mut term = coefficient;
            for factor in 0..power {
                let mixed = factor > 0 && self.random.chance(20);
                term = times(&term, if mixed { &y } else { &x });
            }
            value = plus(&value, &term, '+');
        }
        value
    }

    fn number_or_operand(&mut self, operands: &[Expr]) -> Expr {
        match self.random.chance(60) {
            true => self.literal(),
            false => self.random.pick(operands),
        }
    }

    /// Two to four products of two to three operands each.
    fn products_of_operands(&mut self, operands: &[Expr]) -> Expr {
        let mut sum: Option<Expr> = None;
        for _ in 0..self.random.between(2, 4) {
            let mut product = self.random.pick(operands);
            for _ in 0..self.random.between(1, 2) {
                product = times(&product, &self.random.pick(operands));
            }
            let sign = self.random.pick(&['+', '+', '-']);
            sum = Some(sum.map_or(product.clone(), |sum| plus(&sum, &product, sign)));
        }
        sum.unwrap_or_else(|| self.literal())
    }
}
