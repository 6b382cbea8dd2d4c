//! Expressions, and bounds of their values and errors.

use super::scope::Expr;
use super::{Generator, Real};

impl Generator {
    /// An expression; `depth` limits its height.
    pub fn expression(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.random.chance(12) {
            return self.leaf();
        }
        if !self.scope.recent.is_empty() && self.random.chance(10) {
            return self.random.pick(&self.scope.recent);
        }
        let rounds = if self.mixed { 3 } else { 0 };
        let weights = [9, 6, 11, 2, 2, 4, 1, 2, rounds];
        let expr = match self.random.weighted(&weights) {
            0 => self.sum(depth, '+'),
            1 => self.sum(depth, '-'),
            2 => self.product(depth),
            3 => self.quotient(depth),
            4 => self.negated(depth),
            5 => self.function(depth),
            6 => self.choice(),
            7 => self.helper_value(depth),
            _ => self.singly(depth),
        };
        let (bound, error) = self.limits();
        if !(expr.bound <= bound && expr.error <= error) {
            return self.leaf();
        }
        if expr.level < 4 && self.random.chance(30) {
            self.scope.recent.push(expr.clone());
        }
        expr
    }

    fn sum(&mut self, depth: usize, operator: char) -> Expr {
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        let (left, right) = (at_level(&a, 3), at_level(&b, 2));
        Expr {
            bound: a.bound + b.bound,
            error: a.error + b.error + a.bound + b.bound,
            ..join(format!("{left} {operator} {right}"), 3, &[&a, &b])
        }
    }

    /// A product.
    pub fn product(&mut self, depth: usize) -> Expr {
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        let (left, right) = (at_level(&a, 2), at_level(&b, 1));
        Expr {
            bound: a.bound * b.bound,
            error: a.error * b.bound + b.error * a.bound + a.bound * b.bound,
            ..join(format!("{left} * {right}"), 2, &[&a, &b])
        }
    }

    /// A product in `f32`.
    fn singly(&mut self, depth: usize) -> Expr {
        // Roundings of `f64` in one of `f32`.
        const SINGLE: f64 = (1u64 << 29) as f64;
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        let (left, right) = (at_level(&a, 0), at_level(&b, 0));
        let bound = a.bound * b.bound;
        Expr {
            bound,
            error: a.error * b.bound + b.error * a.bound + 4.0 * SINGLE * bound,
            literal: false,
            ..join(
                format!("(({left} as f32 * {right} as f32) as f64)"),
                0,
                &[&a, &b],
            )
        }
    }

    fn quotient(&mut self, depth: usize) -> Expr {
        let a = self.expression(depth - 1);
        let constant = self.random.chance(35);
        let (b, smallest) = if constant {
            let value = self.random.pick(&[3.0, 2.0, 0.7, 1.5]);
            (self.constant(value), value)
        } else {
            self.away_from_zero(depth - 1, 1.5)
        };
        let (left, right) = (at_level(&a, 2), at_level(&b, 1));
        Expr {
            bound: a.bound / smallest,
            error: a.error / smallest
                + a.bound * b.error / (smallest * smallest)
                + a.bound / smallest,
            ..join(format!("{left} / {right}"), 2, &[&a, &b])
        }
    }

    /// An expression that is at least some number, and that number.
    pub fn away_from_zero(&mut self, depth: usize, smallest: f64) -> (Expr, f64) {
        let a = self.receiver(depth);
        let constant = self.constant(smallest);
        let text = at_level(&a, 0);
        let (text, bound, error) = if self.real == Real::Scalar || self.random.chance(30) {
            let a = (a.bound, a.error);
            (
                format!("{text} * {text}"),
                a.0 * a.0,
                2.0 * a.0 * a.1 + a.0 * a.0,
            )
        } else {
            (format!("{text}.abs()"), a.bound, a.error)
        };
        let expr = Expr {
            bound: bound + smallest,
            error: error + bound + smallest,
            ..join(format!("{text} + {}", constant.text), 3, &[&a])
        };
        (expr, smallest)
    }

    fn negated(&mut self, depth: usize) -> Expr {
        let a = self.expression(depth - 1);
        Expr {
            bound: a.bound,
            error: a.error,
            literal: a.literal,
            ..join(format!("-{}", at_level(&a, 0)), 1, &[&a])
        }
    }

    /// An expression that methods can be called on.
    pub fn receiver(&mut self, depth: usize) -> Expr {
        let expr = self.expression(depth);
        self.typed(expr)
    }

    /// The expression, or another one if its text does not say its type.
    pub fn typed(&mut self, expr: Expr) -> Expr {
        if !expr.literal {
            return expr;
        }
        for _ in 0..8 {
            let leaf = self.leaf();
            if !leaf.literal {
                return leaf;
            }
        }
        self.typed_literal()
    }

    /// A literal with its type.
    fn typed_literal(&mut self) -> Expr {
        let value = self.literal();
        Expr {
            literal: false,
            text: match self.generic() {
                true => value.text.clone(),
                false => format!("{}_{}", value.text, self.type_name()),
            },
            ..value
        }
    }

    /// `if a < b { c } else { d }`: the condition must not depend on roundings, unless there are
    /// none, and the branches read no arrays.
    fn choice(&mut self) -> Expr {
        if self.random.chance(40)
            && let Some(choice) = self.boundary()
        {
            return choice;
        }
        if self.real == Real::Scalar {
            return self.leaf();
        }
        let (a, b) = (self.comparable(), self.comparable());
        let operator = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let (c, d) = (self.branch(), self.branch());
        Expr {
            bound: c.bound.max(d.bound),
            error: c.error + d.error,
            literal: c.literal && d.literal,
            ..join(
                format!(
                    "if {} {operator} {} {{ {} }} else {{ {} }}",
                    at_level(&a, 1),
                    at_level(&b, 1),
                    c.text,
                    d.text
                ),
                4,
                &[&a, &b, &c, &d],
            )
        }
    }

    pub fn comparable(&mut self) -> Expr {
        for _ in 0..8 {
            let leaf = self.leaf();
            if (self.exact || leaf.error == 0.0) && !leaf.literal {
                return leaf;
            }
        }
        self.typed_literal()
    }

    pub fn branch(&mut self) -> Expr {
        let a = self.plain();
        if self.random.chance(50) {
            return a;
        }
        let b = self.plain();
        Expr {
            bound: a.bound * b.bound,
            error: a.error * b.bound + b.error * a.bound + a.bound * b.bound,
            ..join(format!("{} * {}", a.text, b.text), 2, &[&a, &b])
        }
    }

    /// The value of an expression as a statement writes it.
    pub fn value(&mut self) -> Expr {
        let depth = 1 + self.random.weighted(&[6, 4, 2, 1]);
        self.expression(depth)
    }
}

/// The text as an operand that binds at least as strongly as a level.
pub fn at_level(expr: &Expr, level: u8) -> String {
    if expr.level <= level {
        expr.text.clone()
    } else {
        format!("({})", expr.text)
    }
}

/// An expression of operands; bounds are the caller's.
pub fn join(text: String, level: u8, operands: &[&Expr]) -> Expr {
    Expr {
        text,
        level,
        bound: 0.0,
        error: 0.0,
        literal: operands.iter().all(|o| o.literal),
        reads: operands.iter().any(|o| o.reads),
    }
}
