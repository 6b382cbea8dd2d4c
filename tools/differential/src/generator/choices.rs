//! Conditions as statements: `if` with and without `else`, `match` on integers, `continue`.

use super::scope::Expr;
use super::{Generator, Real};

impl Generator {
    /// Conditions and iterators, most often in a loop over cells.
    pub fn choices(&mut self) {
        if self.random.chance(25) {
            for _ in 0..self.random.between(1, 2) {
                self.iterated();
            }
            return self.output();
        }
        self.whole = self.mesh_loop(|generator| {
            for _ in 0..generator.random.between(1, 2) {
                match generator.random.weighted(&[4, 2, 2, 4]) {
                    0 => generator.branches(),
                    1 => generator.matched(),
                    2 => generator.continued(),
                    _ => generator.iterated(),
                }
            }
            generator.output();
        });
    }

    /// A condition that roundings do not change, if there is one.
    fn condition(&mut self) -> Option<String> {
        let first = self.comparison()?;
        Some(match self.random.weighted(&[8, 1, 1, 1]) {
            0 => first,
            1 => format!("!({first})"),
            2 => format!("{first} && {}", self.comparison()?),
            _ => format!("{first} || {}", self.comparison()?),
        })
    }

    fn comparison(&mut self) -> Option<String> {
        let operators = ["<", "<=", ">", ">=", "==", "!="];
        let integers = self.scope.integers.clone();
        let ordered = self.real != Real::Scalar;
        if !integers.is_empty() && (!ordered || self.random.chance(40)) {
            let of = self.random.pick(&integers).name;
            let other = self.random.pick(&integers).name;
            if other != of && self.random.chance(45) {
                let operator = self.random.pick(&["==", "==", "!=", "<", "<="]);
                return Some(format!("{of} {operator} {other}"));
            }
            let (operator, bound) = (self.random.pick(&operators), self.random.below(4));
            return Some(match self.random.chance(20) {
                true => format!("{of} % {} == {}", bound + 2, self.random.below(2)),
                false => format!("{of} {operator} {bound}"),
            });
        }
        if !ordered {
            return None;
        }
        let (a, b) = (self.comparable(), self.comparable());
        Some(format!(
            "{} {} {}",
            a.text,
            self.random.pick(&operators),
            b.text
        ))
    }

    /// `let mut t = a; if c { t = b; } else { t += d; }`
    pub fn branches(&mut self) {
        let Some(condition) = self.condition() else {
            return self.binding();
        };
        let first = self.value();
        let (name, ty) = (self.fresh("t"), self.type_name());
        self.line(&format!("let mut {name}: {ty} = {};", first.text));
        self.line(&format!("if {condition} {{"));
        let (mut bound, mut error) = (first.bound, first.error);
        let more = self.random.weighted(&[4, 4, 1]);
        for branch in 0..=more {
            if branch > 0 {
                let last = branch == more && more < 2 || branch == 2;
                let condition = if last { None } else { self.condition() };
                match condition {
                    Some(condition) => self.line(&format!("}} else if {condition} {{")),
                    None => self.line("} else {"),
                }
                let (b, e) = self.inside_branch(&name);
                bound += b;
                error += e + bound;
                if last {
                    break;
                }
                continue;
            }
            let (b, e) = self.inside_branch(&name);
            bound += b;
            error += e + bound;
        }
        self.line("}");
        self.declare(name, bound, error);
    }

    /// What a branch does to a variable, or to an output: what that adds to bounds.
    fn inside_branch(&mut self, name: &str) -> (f64, f64) {
        let mark = self.scope.mark();
        self.indent += 1;
        if self.random.chance(25) {
            self.binding();
        }
        let (mut bound, mut error) = (0.0, 0.0);
        match self.random.weighted(&[5, 4, 2]) {
            2 => self.output(),
            way => {
                let value = self.value();
                let operator = ["=", "+="][way];
                self.line(&format!("{name} {operator} {};", value.text));
                (bound, error) = (value.bound, value.error);
            }
        }
        self.scope.leave(mark);
        self.indent -= 1;
        (bound, error)
    }

    /// `let t = match k { 0 => a, 1 | 2 => b, _ => c };`
    pub fn matched(&mut self) {
        let integers = self.scope.integers.clone();
        if integers.is_empty() {
            return self.branches();
        }
        let of = self.random.pick(&integers).name;
        let arms = self.random.between(1, 3);
        let patterns = ["0", "1 | 2", "3..=4"];
        let values: Vec<Expr> = (0..=arms).map(|_| self.branch()).collect();
        let (name, ty) = (self.fresh("t"), self.type_name());
        self.line(&format!("let {name}: {ty} = match {of} {{"));
        self.indent += 1;
        for (arm, value) in values.iter().enumerate() {
            let pattern = if arm == arms { "_" } else { patterns[arm] };
            self.line(&format!("{pattern} => {},", value.text));
        }
        self.indent -= 1;
        self.line("};");
        let bound = values.iter().map(|v| v.bound).fold(0.0, f64::max);
        let error = values.iter().map(|v| v.error).sum();
        self.declare(name, bound, error);
    }

    /// `for k in … { if c { continue; } s += value; }`
    pub fn continued(&mut self) {
        let zero = self.constant(0.0);
        let (name, ty, around) = (self.fresh("s"), self.type_name(), self.scope.trips());
        self.line(&format!("let mut {name}: {ty} = {};", zero.text));
        let mark = match self.random.chance(60) {
            true => self.constant_loop(7),
            false => self.open_loop(),
        };
        if let Some(condition) = self.condition() {
            self.line(&format!("if {condition} {{"));
            self.line("    continue;");
            self.line("}");
        }
        let (bound, error) = self.contribution(&name, around);
        if self.random.chance(20) {
            self.output();
        }
        self.close_loop(mark);
        self.declare(name, bound, error + 2.0 * bound);
    }
}
