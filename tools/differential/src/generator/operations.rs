//! Calls of elementary functions, on arguments where they are well-conditioned.

use super::expressions::{at_level, join};
use super::scope::Expr;
use super::{Generator, Real};

impl Generator {
    /// A function of an expression.
    pub fn function(&mut self, depth: usize) -> Expr {
        let ordered = usize::from(self.real != Real::Scalar);
        let weights = [
            4,
            2,
            2,
            2,
            2,
            1,
            3,
            2,
            1,
            2 * ordered,
            3 * ordered,
            3 * ordered,
            ordered,
            if self.generic() { 0 } else { 10 },
        ];
        match self.random.weighted(&weights) {
            0 => {
                let (a, smallest) = self.away_from_zero(depth - 1, 0.25);
                let slope = 0.5 / smallest.sqrt();
                self.call("sqrt", &a, a.bound.sqrt(), slope)
            }
            1 => {
                let a = self.receiver(depth - 1);
                if a.bound > 3.0 {
                    return self.call("cos", &a, 1.0, 1.0);
                }
                self.call("exp", &a, a.bound.exp(), a.bound.exp())
            }
            2 => {
                let a = self.receiver(depth - 1);
                self.call("sin", &a, 1.0, 1.0)
            }
            3 => {
                let a = self.receiver(depth - 1);
                self.call("tanh", &a, 1.0, 1.0)
            }
            4 => {
                let (a, _) = self.away_from_zero(depth - 1, 0.5);
                self.call("ln", &a, a.bound.ln().abs() + 0.7, 2.0)
            }
            5 => {
                let a = self.receiver(depth - 1);
                let sine = self.call("sin", &a, 1.0, 1.0);
                self.call("tan", &sine, 1.6, 3.5)
            }
            6 => self.power(depth),
            7 => self.fused(depth),
            8 => {
                let (a, smallest) = self.away_from_zero(depth - 1, 1.5);
                self.call("recip", &a, 1.0 / smallest, 1.0 / (smallest * smallest))
            }
            9 => {
                let a = self.receiver(depth - 1);
                let error = a.error;
                Expr {
                    error,
                    ..self.call("abs", &a, a.bound, 1.0)
                }
            }
            10 => self.extremum("min", depth),
            11 => self.extremum("max", depth),
            12 => self.rounded(),
            _ => self.elementary(depth),
        }
    }

    /// `a.name()` or `f64::name(a)`, for a function of a slope at most.
    fn call(&mut self, name: &str, a: &Expr, bound: f64, slope: f64) -> Expr {
        let text = if self.random.chance(15) {
            format!("{}::{name}({})", self.type_name(), a.text)
        } else {
            format!("{}.{name}()", at_level(a, 0))
        };
        Expr {
            bound,
            error: slope * a.error + self.roundings() * bound,
            ..join(text, 0, &[a])
        }
    }

    /// Roundings of a function at most: those of all lanes at once are within 2.5 units in the last place.
    fn roundings(&self) -> f64 {
        if self.exact { 2.0 } else { 8.0 }
    }

    /// A function that kernels of numbers know.
    fn elementary(&mut self, depth: usize) -> Expr {
        if self.has_bent && self.random.chance(40) {
            let a = self.receiver(depth - 1);
            return Expr {
                bound: 0.5 * a.bound + 0.25,
                error: a.error + a.bound + 1.0,
                ..join(format!("crate::bent({})", a.text), 0, &[&a])
            };
        }
        match self.random.below(12) {
            0 => self.small("exp2", depth, f64::exp2),
            1 => self.small("exp_m1", depth, f64::exp),
            2 => self.small("sinh", depth, f64::cosh),
            3 => self.small("cosh", depth, f64::cosh),
            4 => {
                let (a, _) = self.away_from_zero(depth - 1, 0.5);
                self.call("ln_1p", &a, a.bound.ln_1p(), 1.0)
            }
            5 => {
                let (a, _) = self.away_from_zero(depth - 1, 0.5);
                self.call("log2", &a, a.bound.log2().abs() + 1.0, 3.0)
            }
            6 => {
                let (a, _) = self.away_from_zero(depth - 1, 0.5);
                self.call("log10", &a, a.bound.log10().abs() + 0.4, 1.0)
            }
            7 => {
                let (a, _) = self.away_from_zero(depth - 1, 0.25);
                self.call("cbrt", &a, a.bound.cbrt() + 1.0, 0.9)
            }
            8 => {
                let a = self.receiver(depth - 1);
                self.call("atan", &a, 1.6, 1.0)
            }
            9 => {
                let a = self.receiver(depth - 1);
                let sine = self.call("sin", &a, 1.0, 1.0);
                let most = self.constant(0.875);
                let sine = Expr {
                    bound: 0.875,
                    error: sine.error + 1.0,
                    ..join(format!("{} * {}", sine.text, most.text), 2, &[&sine])
                };
                let name = self.random.pick(&["asin", "acos"]);
                self.call(name, &sine, 3.2, 2.1)
            }
            way => {
                let name = if way == 10 { "atan2" } else { "hypot" };
                let a = self.receiver(depth - 1);
                let (b, _) = self.away_from_zero(depth - 1, 0.5);
                let bound = if way == 10 { 1.6 } else { a.bound + b.bound };
                let text = format!("{}.{name}({})", at_level(&a, 0), b.text);
                Expr {
                    bound,
                    error: 2.0 * (a.error + b.error) + self.roundings() * bound,
                    ..join(text, 0, &[&a, &b])
                }
            }
        }
    }

    /// A function that grows fast, of what is not large.
    fn small(&mut self, name: &str, depth: usize, growth: fn(f64) -> f64) -> Expr {
        let a = self.receiver(depth - 1);
        if a.bound > 3.0 {
            return self.call("cos", &a, 1.0, 1.0);
        }
        let most = growth(a.bound);
        self.call(name, &a, most, most)
    }

    fn power(&mut self, depth: usize) -> Expr {
        if self.random.chance(20) {
            let (a, smallest) = self.away_from_zero(depth - 1, 0.5);
            let exponent = self.random.pick(&[0.5, 1.5, 2.0]);
            let argument = self.constant(exponent);
            let largest = a.bound.max(1.0);
            let slope = exponent * largest.powf(exponent).max(smallest.powf(exponent - 1.0));
            let bound = largest.powf(exponent);
            return Expr {
                bound,
                error: slope * a.error + 2.0 * bound,
                ..join(
                    format!("{}.powf({})", at_level(&a, 0), argument.text),
                    0,
                    &[&a],
                )
            };
        }
        if self.random.chance(20) {
            let (a, smallest) = self.away_from_zero(depth - 1, 0.75);
            let n = self.random.between(1, 2) as i32;
            let bound = smallest.powi(-n);
            let slope = f64::from(n) * smallest.powi(-n - 1);
            return Expr {
                bound,
                error: slope * a.error + 4.0 * bound,
                ..join(format!("{}.powi(-{n})", at_level(&a, 0)), 0, &[&a])
            };
        }
        let a = self.receiver(depth - 1);
        let n = self.random.weighted(&[1, 1, 4, 4, 2]) as i32;
        let bound = a.bound.max(1.0).powi(n);
        let slope = f64::from(n) * a.bound.max(1.0).powi((n - 1).max(0));
        Expr {
            bound,
            error: slope * a.error + f64::from(n) * bound,
            ..join(format!("{}.powi({n})", at_level(&a, 0)), 0, &[&a])
        }
    }

    fn fused(&mut self, depth: usize) -> Expr {
        let a = self.receiver(depth - 1);
        let (b, c) = (self.expression(depth - 1), self.expression(depth - 1));
        let bound = a.bound * b.bound + c.bound;
        let text = format!("{}.mul_add({}, {})", at_level(&a, 0), b.text, c.text);
        Expr {
            bound,
            error: a.error * b.bound + b.error * a.bound + c.error + 2.0 * bound,
            ..join(text, 0, &[&a, &b, &c])
        }
    }

    fn extremum(&mut self, name: &str, depth: usize) -> Expr {
        let a = self.receiver(depth - 1);
        let b = self.expression(depth - 1);
        // Which of two zeros wins is open: exact kernels add something to them.
        let text = format!("{}.{name}({})", at_level(&a, 0), b.text);
        let expr = Expr {
            bound: a.bound.max(b.bound),
            error: a.error + b.error,
            ..join(text, 0, &[&a, &b])
        };
        if !self.exact {
            return expr;
        }
        let one = self.constant(1.0);
        Expr {
            bound: expr.bound + 1.0,
            error: expr.error + expr.bound + 1.0,
            ..join(format!("{} + {}", expr.text, one.text), 3, &[&expr])
        }
    }

    /// `floor` and `ceil`, of what all variants know exactly.
    fn rounded(&mut self) -> Expr {
        let name = self.random.pick(&["floor", "ceil"]);
        for _ in 0..8 {
            let leaf = self.leaf();
            if !leaf.literal && (self.exact || leaf.error == 0.0) {
                let bound = leaf.bound + 1.0;
                return Expr {
                    bound,
                    error: leaf.error,
                    ..join(format!("{}.{name}()", leaf.text), 0, &[&leaf])
                };
            }
        }
        self.leaf()
    }
}
