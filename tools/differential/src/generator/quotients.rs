//! Quotients that share a divisor, near the ends of the range: divisors may be subnormal or large, and dividends are then
//! small or large too, so that the quotients are moderate. What is as small appears in quotients alone: products of it
//! would vanish in any order but the text's.

use super::range::Linear;
use super::scope::{Expr, Parameter, Role};
use super::{Generator, Real};
use crate::support::trial::{SMALLEST_DIVISOR, ratio};

impl Generator {
    /// A kernel of quotients.
    pub fn quotients(&mut self) {
        self.mesh_loop(|generator| {
            let Some(cell) = generator.scope.integers.last().cloned() else {
                return;
            };
            let length = cell.high.plus(Linear::constant(1));
            let divisor = generator.divisor(&cell.name, length);
            let other = match generator.random.chance(25) {
                true => generator.divisor(&cell.name, length),
                false => divisor.clone(),
            };
            if generator.random.chance(25) {
                return generator.divided_in_place(&divisor, &cell.name, length);
            }
            let (mut subscript, mut shape) = (format!("[{}]", cell.name), Vec::new());
            let mark = generator.random.chance(65).then(|| {
                let mark = generator.constant_loop(9);
                if let Some(inner) = generator.scope.integers.last() {
                    subscript = format!("{subscript}[{}]", inner.name);
                    shape.push(inner.high.constant.unsigned_abs() as usize + 1);
                }
                mark
            });
            for _ in 0..1 + generator.random.weighted(&[5, 3, 1]) {
                generator.quotient_written([&divisor, &other], &subscript, &shape, length);
            }
            if let Some(mark) = mark {
                generator.close_loop(mark);
            }
        });
    }

    /// What several numbers are divided by: a parameter, an element a cell, or what is computed of them.
    fn divisor(&mut self, cell: &str, length: Linear) -> String {
        let element = self.random.chance(70);
        let one = |generator: &mut Generator| match element {
            true => {
                let name = generator.sized("d", Role::Divisor, (&[], Some(length)));
                format!("{name}[{cell}]")
            }
            false => generator.sized("d", Role::Divisor, (&[], None)),
        };
        let text = one(self);
        let text = match self.random.weighted(&[6, 1, 1, 2, 2]) {
            0 => return text,
            1 => format!("-{text}"),
            2 => format!("2.0 * {text}"),
            3 => format!("{text}.abs()"),
            _ => format!("{text}.abs() + {}.abs()", one(self)),
        };
        if self.random.chance(30) {
            return format!("({text})");
        }
        let name = self.fresh("q");
        self.line(&format!("let {name} = {text};"));
        name
    }

    /// `y[e][k] = a * x[e][k] / q;`, or a sum or a difference of two, of one number perhaps, and by another divisor.
    fn quotient_written(
        &mut self,
        [divisor, by]: [&str; 2],
        subscript: &str,
        shape: &[usize],
        length: Linear,
    ) {
        let x = self.sized("x", Role::Dividend, (shape, Some(length)));
        let mut value = self.quotient_by(&format!("{x}{subscript}"), divisor);
        if self.random.chance(35) {
            let other = match self.random.chance(40) {
                true => x,
                false => self.sized("x", Role::Dividend, (shape, Some(length))),
            };
            let other = self.quotient_by(&format!("{other}{subscript}"), by);
            let operator = self.random.pick(&["+", "-"]);
            value = Expr {
                text: format!("{} {operator} {}", value.text, other.text),
                bound: value.bound + other.bound,
                error: value.error + other.error + value.bound + other.bound,
                ..value
            };
        }
        let total = self.random.chance(40);
        let trips = if total { self.scope.trips() } else { 1.0 };
        let (bound, error) = (trips * value.bound, trips * (value.error + value.bound));
        let role = Role::Output {
            bound: bound + 2.0,
            error: error * if total { trips } else { 1.0 } + 2.0,
            assigned: true,
        };
        let rows = if total { &[] } else { shape };
        let y = self.sized("y", role, (rows, Some(length)));
        let cell = subscript.split_inclusive(']').next().unwrap_or(subscript);
        let (place, operator) = match total {
            true => (cell, "+="),
            false => (subscript, "="),
        };
        self.line(&format!("{y}{place} {operator} {};", value.text));
    }

    /// A dividend, or a multiple of it, by the divisor.
    fn quotient_by(&mut self, dividend: &str, divisor: &str) -> Expr {
        let one = Expr {
            text: String::new(),
            level: 0,
            bound: 1.0,
            error: 0.0,
            literal: false,
            reads: true,
        };
        let (way, factor) = match self.random.below(4) {
            0 => (0, one),
            way => (way, self.moderate_factor()),
        };
        let most = ratio(self.real == Real::F32) / SMALLEST_DIVISOR;
        Expr {
            text: match way {
                0 => format!("{dividend} / {divisor}"),
                1 => format!("{} * {dividend} / {divisor}", factor.text),
                2 => format!("{dividend} / {divisor} * {}", factor.text),
                _ => format!("{} * ({dividend} / {divisor})", factor.text),
            },
            bound: most * factor.bound,
            error: most * (factor.error + 4.0 * factor.bound),
            ..factor
        }
    }

    /// A number or an entry of a table: what else is divided by a subnormal number alone is infinite, and may be divided so
    /// by the rules.
    fn moderate_factor(&mut self) -> Expr {
        match self.random.chance(60) {
            true => self.literal(),
            false => self.table_entry(),
        }
    }

    /// `x[e] /= q;`
    fn divided_in_place(&mut self, divisor: &str, cell: &str, length: Linear) {
        let most = ratio(self.real == Real::F32) / SMALLEST_DIVISOR;
        let role = Role::Divided { bound: most };
        let x = self.sized("x", role, (&[], Some(length)));
        match self.random.chance(60) {
            true => self.line(&format!("{x}[{cell}] /= {divisor};")),
            false => self.line(&format!("{x}[{cell}] = {x}[{cell}] / {divisor};")),
        }
    }

    /// A slice of so many numbers or arrays, or a number.
    fn sized(
        &mut self,
        base: &str,
        role: Role,
        (shape, length): (&[usize], Option<Linear>),
    ) -> String {
        let name = self.fresh(base);
        self.parameters.push(Parameter {
            name: name.clone(),
            role,
            single: false,
            slice: length.is_some(),
            shape: shape.to_vec(),
            lengths: length.into_iter().collect(),
            fixed: true,
            view: Vec::new(),
        });
        name
    }
}
