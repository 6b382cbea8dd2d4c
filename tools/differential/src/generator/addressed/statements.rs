//! Statements: loops of all kinds, branches, and what is carried along.

use super::super::range::Linear;
use super::{Addressed, Role, Variable};

impl Addressed {
    pub(super) fn statement(&mut self) {
        self.budget = self.budget.saturating_sub(1);
        let deep = self.loops >= 3;
        // Texts outside of the language have no inspectors.
        let outside = if self.plain { 0 } else { 2 };
        let weights = [3, 12, 4, 3, outside, 3, 2, 2, 2, 2, outside / 2, 1, 4, 2, 2];
        match self.random.weighted(&weights) {
            0 => self.write(),
            1 if !deep => self.counted_loop(),
            2 if !deep => self.row_loop(),
            3 => self.branch(),
            4 if !deep => self.while_loop(),
            5 => self.carried(),
            6 => self.part(),
            7 => self.shadow(),
            8 => self.function(),
            9 if !deep => self.iterated(),
            10 => self.leave(),
            11 => self.assertion(),
            12 => self.guarded(),
            13 if !deep => self.blocks(),
            14 if !deep => self.grid(),
            _ => self.write(),
        }
    }

    /// Some statements, of which one writes.
    fn body(&mut self) {
        self.loops += 1;
        if self.random.chance(40) {
            self.binding();
        }
        self.write();
        let most = self.random.weighted(&[5, 3, 1]);
        for _ in 0..most {
            self.statement();
        }
        self.loops -= 1;
    }

    /// `let j = e;`
    fn binding(&mut self) {
        let ty = self.integer_type();
        let of = self.integer(ty, 2);
        let name = self.fresh("j");
        let annotation = match self.random.chance(50) {
            true => format!(": {ty}"),
            false => String::new(),
        };
        self.line(&format!("let {name}{annotation} = {};", of.text));
        self.variables.push(Variable {
            name,
            ty,
            most: of.most,
        });
    }

    /// How many iterations a loop may have: a text of a type, and the number.
    fn count(&mut self, ty: &'static str) -> (String, Linear) {
        let known = self.parameters.iter().filter_map(|p| match p.role {
            Role::Count(most) if p.ty == ty && !p.hidden => Some((p.name.clone(), most)),
            _ => None,
        });
        let known: Vec<(String, Linear)> = known.collect();
        match self.random.below(4) {
            0 => {
                let count = 1 + self.random.below(20) as i64;
                (format!("{count}_{ty}"), Linear::constant(count))
            }
            1 | 2 if ty == "usize" => {
                let (at, length) = self.measured();
                (format!("{}.len()", self.parameters[at].name), length)
            }
            _ if !known.is_empty() && self.random.chance(60) => self.random.pick(&known),
            _ => {
                let (value, name) = (self.small(), self.fresh("c"));
                self.count_parameter(&name, ty, value);
                (name, value)
            }
        }
    }

    /// `for i in a..b`
    fn counted_loop(&mut self) {
        let ty = self.integer_type();
        let (end, count) = self.count(ty);
        let name = self.loop_name();
        let variable = |most: Linear| Variable {
            name: name.clone(),
            ty,
            most,
        };
        let last = count.plus(Linear::constant(-1));
        let (range, most) = match self.random.below(10) {
            0 => (format!("(0..{end}).rev()"), last),
            1 => (format!("(0..{end}).step_by(2)"), last),
            2 => (format!("0..={end}"), count),
            3 => (format!("1..{end}"), last),
            4 => (format!("0..{end} + 1"), count),
            5 => {
                let from = self.integer(ty, 1);
                (format!("{}..{end}", from.text), last)
            }
            6 => {
                // Of few iterations, whatever the integers are.
                let from = self.integer(ty, 1);
                let most = from.most.plus(Linear::constant(2));
                (format!("{0}..{0}.saturating_add(3)", from.text), most)
            }
            _ => (format!("0..{end}"), last),
        };
        self.block(&format!("for {name} in {range}"), |kernel| {
            kernel.variables.push(variable(most));
            kernel.body();
        });
    }

    /// The name of a loop's variable, which may hide another one.
    fn loop_name(&mut self) -> String {
        match self.variable() {
            Some(other) if self.random.chance(8) => other.name,
            _ => self.fresh("i"),
        }
    }

    /// `for k in rows[i]..rows[i + 1]`
    fn row_loop(&mut self) {
        let inner = self.integer("usize", 0);
        let end = match self.random.chance(50) {
            true => Linear::size('n', 0).plus(Linear::size('m', 0)),
            false => Linear::size('n', 0).times(2),
        };
        let at = self.array(Role::Rows(end), inner.most.plus(Linear::constant(1)));
        let (name, ty) = (self.parameters[at].name.clone(), self.parameters[at].ty);
        let most = match self.parameters[at].role {
            Role::Rows(end) => end.plus(Linear::constant(-1)),
            _ => Linear::constant(0),
        };
        let converts = ty != "usize" && self.random.chance(60);
        let (cast, ty) = if converts {
            (" as usize", "usize")
        } else {
            ("", ty)
        };
        let i = &inner.text;
        let range = format!("{name}[{i}]{cast}..{name}[{i} + 1]{cast}");
        let (rest, loops) = (self.random.below(8), self.loop_name());
        // The first access says where rows end: none is as long as an entry that is wrong.
        let value = self.array(Role::Data, most);
        let own = self.parameters[value].name.clone();
        let column = if self.parameters[value].row > 1 {
            "[2]"
        } else {
            ""
        };
        let ty_of = self.parameters[value].ty;
        let sum = self.fresh("t");
        let zero = if ty_of.starts_with('f') { "0.0" } else { "0" };
        self.line(&format!("let mut {sum}: {ty_of} = {zero};"));
        if rest == 0 && ty == "usize" && self.parameters[value].row == 1 {
            self.line(&format!(
                "for v in &{own}[{range}] {{ {sum} = {sum}.max(*v); }}"
            ));
        } else {
            let head = match rest {
                1 => format!("for {loops} in ({range}).rev()"),
                _ => format!("for {loops} in {range}"),
            };
            self.block(&head, |kernel| {
                kernel.variables.push(Variable {
                    name: loops.clone(),
                    ty,
                    most,
                });
                kernel.line(&format!(
                    "{sum} = {sum}.max({own}[{loops} as usize]{column});"
                ));
                kernel.body();
            });
        }
        let to = self.array(Role::Output, Linear::constant(1));
        let column = if self.parameters[to].row > 1 {
            "[1]"
        } else {
            ""
        };
        let (place, ty) = (self.parameters[to].name.clone(), self.parameters[to].ty);
        self.line(&format!("{place}[1]{column} = {sum} as {ty};"));
    }

    fn branch(&mut self) {
        let condition = self.condition();
        self.block(&format!("if {condition}"), |kernel| kernel.write());
        if self.random.chance(40) {
            self.block("else", |kernel| kernel.write());
        }
    }

    /// `while t < n { …; t += 1; }`
    fn while_loop(&mut self) {
        let (end, count) = self.count("usize");
        let name = self.fresh("w");
        let step = 1 + self.random.below(2);
        self.line(&format!("let mut {name} = 0_usize;"));
        self.block(&format!("while {name} < {end}"), |kernel| {
            kernel.variables.push(Variable {
                name: name.clone(),
                ty: "usize",
                most: count.plus(Linear::constant(-1)),
            });
            kernel.loops += 1;
            kernel.write();
            if kernel.random.chance(40) {
                kernel.branch();
            }
            kernel.loops -= 1;
            kernel.line(&format!("{name} += {step};"));
        });
    }

    /// An integer that a loop hands on, which is a subscript: counted, looked up, or around in a ring.
    fn carried(&mut self) {
        let (end, count) = self.count("usize");
        let name = self.fresh("at");
        let limit = self.limit();
        let ty = self.integer_type();
        self.line(&format!("let mut {name}: {ty} = 0;"));
        let kind = self.random.below(5);
        let modulus = 1 + self.random.below(6) as i64;
        let most = match kind {
            0 => count,
            1 => count.times(2),
            2 => Linear::constant(modulus - 1),
            _ => limit.plus(Linear::constant(-1)),
        };
        let i = self.fresh("i");
        self.block(&format!("for {i} in 0..{end}"), |kernel| {
            let last = count.plus(Linear::constant(-1));
            kernel.variables.push(Variable {
                name: i,
                ty: "usize",
                most: last,
            });
            kernel.variables.push(Variable {
                name: name.clone(),
                ty,
                most,
            });
            kernel.loops += 1;
            kernel.write();
            let next = match kind {
                0 => format!("{name} += 1;"),
                1 => match kernel.random.chance(50) {
                    true => format!("{name} = {name}.wrapping_add(2);"),
                    false => {
                        let condition = kernel.condition();
                        format!("if {condition} {{ {name} += 2; }}")
                    }
                },
                2 => format!("{name} = ({name} + 1) % {modulus};"),
                3 => {
                    let at = kernel.array(Role::Map(limit), most);
                    let column = if kernel.parameters[at].row > 1 {
                        "[0]"
                    } else {
                        ""
                    };
                    let own = kernel.parameters[at].name.clone();
                    format!("{name} = {own}[{name} as usize]{column} as {ty};")
                }
                _ => {
                    let of = kernel.entry(1);
                    format!("{name} = {} as {ty};", of.text)
                }
            };
            // Another map may have larger entries: what was subscripted with them is as long as the smaller ones ask for.
            kernel.line(&next);
            kernel.loops -= 1;
        });
    }

    /// Loops without subscripts of their own.
    fn iterated(&mut self) {
        let (at, length) = self.measured();
        let own = self.parameters[at].name.clone();
        if self.parameters[at].role == Role::Output {
            return self.write();
        }
        let last = length.plus(Linear::constant(-1));
        let i = self.fresh("i");
        let pick = self.random.below(4);
        let head = match pick {
            0 => format!("for ({i}, _) in {own}.iter().enumerate()"),
            1 => format!("for ({i}, _) in {own}.chunks(3).enumerate()"),
            2 => format!("for ({i}, _) in {own}.windows(2).enumerate()"),
            _ => format!("for ({i}, v) in {own}.chunks_exact(2).enumerate()"),
        };
        self.block(&head, |kernel| {
            kernel.variables.push(Variable {
                name: i,
                ty: "usize",
                most: last,
            });
            kernel.body();
            if pick == 3 {
                kernel.line("let _ = v[1];");
            }
        });
    }

    /// `if c { return; }`
    fn leave(&mut self) {
        let condition = self.condition();
        let word = match self.loops {
            0 => "return",
            _ => self.random.pick(&["return", "continue", "break"]),
        };
        self.line(&format!("if {condition} {{ {word}; }}"));
    }

    fn assertion(&mut self) {
        let of = self.integer("usize", 1);
        let at = self.array(Role::Data, of.most);
        let own = self.parameters[at].name.clone();
        let word = self.random.pick(&["assert", "debug_assert"]);
        self.line(&format!("{word}!({} < {own}.len());", of.text));
    }
}
