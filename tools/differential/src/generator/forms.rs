//! Kernels of a form of their own: with a result, on integers, sweeps over what they update.

use super::Generator;
use super::range::{Integer, Linear};
use super::scope::{Expr, Parameter, Role};

impl Generator {
    /// `let mut total = 0.0; for … { total += value; } total`
    pub fn reduction(&mut self) {
        let (zero, ty) = (self.constant(0.0), self.type_name());
        let name = self.fresh("total");
        self.line(&format!("let mut {name}: {ty} = {};", zero.text));
        let mark = match self.random.chance(60) {
            true => self.run_time_loop(),
            false => self.open_loop(),
        };
        if self.random.chance(30) {
            self.binding();
        }
        let (mut bound, mut error) = self.contribution(&name, 1.0);
        if self.random.chance(30) {
            let inner = self.constant_loop(5);
            let (b, e) = self.contribution(&name, 1.0);
            (bound, error) = (bound + b, error + e);
            self.close_loop(inner);
        }
        self.close_loop(mark);
        if self.random.chance(20) {
            let factor = self.literal();
            let factor = factor.text;
            self.line(&format!("{name} * {factor}"));
            (bound, error) = (3.0 * bound, 3.0 * error + 3.0 * bound);
        } else {
            self.line(&name);
        }
        self.result = Some((bound, error + 2.0 * bound));
    }

    /// Integers that are computed with.
    pub fn integers(&mut self) {
        let ty = self
            .random
            .pick(&["i32", "u32", "u8", "i64", "u16", "usize"]);
        let size = Linear::size('n', 0);
        let from = self.integers_of(ty, "s", false, size);
        let counted = self.integers_of(ty, "t", true, Linear::constant(4));
        let to = self.integers_of(ty, "t", true, size);
        let range = format!("0..{from}.len()");
        let mark = self.enter("i".to_owned(), &range, 0, Linear::size('n', -1));
        let factor = self.random.between(2, 9);
        let methods = ["wrapping_add", "wrapping_sub", "wrapping_mul", "min", "max"];
        let (one, two) = (self.random.pick(&methods), self.random.pick(&methods));
        if self.random.chance(50) {
            self.line(&format!(
                "{to}[i] = {from}[i].{one}({factor}).{two}({to}[i]);"
            ));
        } else {
            self.line(&format!("let mixed = {to}[i].{one}({from}[i]);"));
            self.line(&format!("{to}[i] = mixed.{two}({factor});"));
        }
        if self.random.chance(50) {
            let map = self.mapped(4).text;
            self.line(&format!(
                "{counted}[{map}] = {counted}[{map}].wrapping_add(1);"
            ));
        }
        self.close_loop(mark);
    }

    /// `z[i] = 0.25 * z[i - 1] + 0.25 * z[i + 1] + value;`: what is written is read before and after.
    pub fn sweep(&mut self, variable: &Integer) {
        let name = self.fresh("z");
        let value = self.value();
        let (factor, reach) = (self.random.pick(&[0.25, 0.375, 0.125]), variable.low.min(2));
        let neighbours = self.random.between(1, 2);
        let mut terms = Vec::new();
        let mut last = 0;
        for _ in 0..neighbours {
            let shift = self.random.between(0, 2 + reach as usize) as i64 - reach;
            last = last.max(shift);
            let subscript = match shift {
                0 => variable.name.clone(),
                shift if shift < 0 => format!("{} - {}", variable.name, -shift),
                shift => format!("{} + {shift}", variable.name),
            };
            terms.push(format!(
                "{} * {name}[{subscript}]",
                self.constant(factor).text
            ));
        }
        let sum = terms.join(" + ");
        self.line(&format!(
            "{name}[{}] = {sum} + ({});",
            variable.name, value.text
        ));
        // The factors add up to three quarters at most.
        let bound = 4.0 * value.bound + 2.0;
        self.written(
            name,
            bound,
            4.0 * (value.error + 3.0 * bound),
            variable,
            last,
        );
    }

    /// `z[i] = z[i + 1];`
    pub fn shifted(&mut self, variable: &Integer) {
        let name = self.fresh("z");
        let shift = self.random.between(1, 2) as i64;
        let at = &variable.name;
        let back = variable.low >= shift && self.random.chance(40);
        let sign = if back { "-" } else { "+" };
        self.line(&format!("{name}[{at}] = {name}[{at} {sign} {shift}];"));
        self.written(name, 2.0, 0.0, variable, shift);
    }

    /// Declares a slice that is read and written up to some places after a loop's variable.
    fn written(&mut self, name: String, bound: f64, error: f64, variable: &Integer, last: i64) {
        self.parameters.push(Parameter {
            name,
            role: Role::Output {
                bound,
                error,
                assigned: true,
            },
            slice: true,
            shape: Vec::new(),
            lengths: vec![variable.high.plus(Linear::constant(1 + last))],
            fixed: false,
            single: false,
            view: Vec::new(),
        });
    }

    /// `if i > 0 { x[i - 1] } else { x[0] }`, or what integers alone decide.
    pub fn boundary(&mut self) -> Option<Expr> {
        let loops = self.scope.integers.iter().filter(|v| v.is_loop);
        let loops: Vec<Integer> = loops.cloned().collect();
        if self.closed || loops.is_empty() {
            return None;
        }
        let variable = self.random.pick(&loops);
        let at = variable.name;
        if self.random.chance(40) {
            let (a, b) = (self.plain(), self.plain());
            let operator = self.random.pick(&["==", "<", ">", "!=", ">="]);
            let bound = self.random.below(4);
            return Some(Expr {
                bound: a.bound.max(b.bound),
                error: a.error + b.error,
                level: 4,
                literal: a.literal && b.literal,
                text: format!(
                    "if {at} {operator} {bound} {{ {} }} else {{ {} }}",
                    a.text, b.text
                ),
                ..a
            });
        }
        let name = self.fresh("x");
        self.parameters.push(Parameter {
            name: name.clone(),
            role: Role::Input,
            slice: true,
            shape: Vec::new(),
            lengths: vec![variable.high.plus(Linear::constant(1)), Linear::constant(1)],
            fixed: false,
            single: false,
            view: Vec::new(),
        });
        let text = format!("if {at} > 0 {{ {name}[{at} - 1] }} else {{ {name}[0] }}");
        Some(Expr {
            text,
            level: 4,
            bound: 2.0,
            error: 0.0,
            literal: false,
            reads: true,
        })
    }
}
