//! Subscripts that something around them keeps inside: conditions, blocks that end with an array, rows of a width.

use super::super::range::Linear;
use super::{Addressed, Parameter, Role, Variable};

impl Addressed {
    /// An access under a condition that says that it is inside, whatever the integer is, or nearly so.
    pub(super) fn guarded(&mut self) {
        let ty = self.integer_type();
        let of = self.integer(ty, 2);
        let e = match self.random.chance(50) || of.text.len() > 40 {
            true => {
                let name = self.fresh("g");
                self.line(&format!("let {name} = {};", of.text));
                name
            }
            false => of.text,
        };
        let (at, _) = self.measured();
        let own = self.parameters[at].name.clone();
        let c = 1 + self.random.below(3);
        let cast = if ty == "usize" { "" } else { " as usize" };
        let length = match ty {
            "usize" => format!("{own}.len()"),
            _ => format!("({own}.len() as {ty})"),
        };
        let (condition, subscript, turned) = self.inside_if(&e, &length, c, ty.starts_with('i'));
        let read = format!("{own}[({subscript}){cast}]");
        let row = if self.parameters[at].row > 1 {
            "[0]"
        } else {
            ""
        };
        let written = self.parameters[at].role == Role::Output;
        let own_type = self.parameters[at].ty;
        let access = |kernel: &mut Self| match written {
            true => {
                let value = kernel.value(own_type);
                kernel.line(&format!("{read}{row} = {value};"));
            }
            false => {
                let of = kernel.integer("usize", 0);
                let to = kernel.array(Role::Output, of.most);
                let column = kernel.column(to);
                let (name, ty) = (kernel.parameters[to].name.clone(), kernel.parameters[to].ty);
                kernel.line(&format!(
                    "{name}[{}]{column} = {read}{row} as {ty};",
                    of.text
                ));
            }
        };
        match turned {
            false => self.block(&format!("if {condition}"), access),
            true => {
                self.block(&format!("if {condition}"), |kernel| kernel.write());
                self.block("else", access);
            }
        }
    }

    /// A condition on an integer, the subscript that is inside of a length then, and whether that is where it does not hold.
    fn inside_if(
        &mut self,
        e: &str,
        length: &str,
        c: usize,
        signed: bool,
    ) -> (String, String, bool) {
        let low = match signed {
            true => format!("{e} >= 0 && "),
            false => String::new(),
        };
        match self.random.below(9) {
            0 => (format!("{low}{e} < {length}"), e.to_owned(), false),
            1 => (
                format!("{low}{e} + {c} < {length}"),
                format!("{e} + {c}"),
                false,
            ),
            2 => (
                format!("{e} >= {c} && {e} - {c} < {length}"),
                format!("{e} - {c}"),
                false,
            ),
            3 => (
                format!("{e} > 0 && {e} <= {length}"),
                format!("{e} - 1"),
                false,
            ),
            4 if !signed => (format!("{e} >= {length}"), e.to_owned(), true),
            5 if !signed => (
                format!("{e} < {c} || {e} - {c} >= {length}"),
                format!("{e} - {c}"),
                true,
            ),
            6 => (format!("!({low}{e} < {length})"), e.to_owned(), true),
            7 => (
                format!("{low}{e} < {length} - {c}"),
                format!("{e} + {c}"),
                false,
            ),
            _ => (format!("{low}{length} > {e}"), e.to_owned(), false),
        }
    }

    /// Blocks of some elements, of which the last one may have fewer.
    pub(super) fn blocks(&mut self) {
        let (at, length) = self.measured();
        let own = self.parameters[at].name.clone();
        let (b, i) = (self.fresh("b"), self.fresh("i"));
        let size = match self.random.chance(50) {
            true => (2 + self.random.below(4)).to_string(),
            false => {
                let name = self.fresh("q");
                let value = Linear::constant(1 + self.random.below(4) as i64);
                self.count_parameter(&name, "usize", value);
                name
            }
        };
        let n = format!("{own}.len()");
        let (range, from, end) = match self.random.below(5) {
            0 => (
                format!("0..{n}.div_ceil({size})"),
                format!("{b} * {size}"),
                format!("({b} * {size} + {size}).min({n})"),
            ),
            1 => (
                format!("0..{n} / {size}"),
                format!("{b} * {size}"),
                format!("({b} + 1) * {size}"),
            ),
            2 => (
                format!("(0..{n}).step_by(3)"),
                b.clone(),
                format!("({b} + 3).min({n})"),
            ),
            3 => (
                format!("0..={n} / {size}"),
                format!("{b} * {size}"),
                format!("{n}.min({b} * {size} + {size})"),
            ),
            _ => (
                format!("0..({n} + {size} - 1) / {size}"),
                format!("{b} * {size}"),
                format!("{n}.min(({b} + 1) * {size})"),
            ),
        };
        let last = length.plus(Linear::constant(-1));
        self.block(&format!("for {b} in {range}"), |kernel| {
            kernel.loops += 1;
            kernel.block(&format!("for {i} in {from}..{end}"), |kernel| {
                let variable = |name: String| Variable {
                    name,
                    ty: "usize",
                    most: last,
                };
                kernel.variables.push(variable(i.clone()));
                kernel.element_of(at, &i);
                if kernel.random.chance(50) {
                    kernel.write();
                }
            });
            kernel.loops -= 1;
        });
    }

    /// Writes an element of an array, or reads it into an output.
    fn element_of(&mut self, at: usize, subscript: &str) {
        let (own, ty) = (self.parameters[at].name.clone(), self.parameters[at].ty);
        let row = if self.parameters[at].row > 1 {
            "[0]"
        } else {
            ""
        };
        if self.parameters[at].role == Role::Output {
            let value = self.value(ty);
            return self.line(&format!("{own}[{subscript}]{row} = {value};"));
        }
        let to = self.array(Role::Output, Linear::constant(2));
        let column = if self.parameters[to].row > 1 {
            "[1]"
        } else {
            ""
        };
        let (name, ty) = (self.parameters[to].name.clone(), self.parameters[to].ty);
        let c = self.random.below(3);
        self.line(&format!(
            "{name}[{c}]{column} = {own}[{subscript}]{row} as {ty};"
        ));
    }

    pub(super) fn count_parameter(&mut self, name: &str, ty: &'static str, value: Linear) {
        self.parameters.push(Parameter {
            role: Role::Count(value),
            ..Parameter::new(name.to_owned(), ty, 1)
        });
    }

    /// `x[i * w + j]`
    pub(super) fn grid(&mut self) {
        let ty = self.integer_type();
        let (h, w) = (self.fresh("h"), self.fresh("w"));
        self.count_parameter(&h, ty, Linear::size('n', 0));
        self.count_parameter(&w, ty, Linear::size('m', 0));
        let (x, y) = (self.fresh("x"), self.fresh("y"));
        for (name, role) in [(&x, Role::Data), (&y, Role::Output)] {
            self.parameters.push(Parameter {
                role,
                fixed: true,
                flat: true,
                ..Parameter::new(name.clone(), "f64", 1)
            });
        }
        let (i, j) = (self.fresh("i"), self.fresh("j"));
        let rows = match self.random.below(3) {
            0 if ty == "usize" => format!("0..{y}.len() / {w}"),
            1 => format!("1..{h}"),
            _ => format!("0..{h}"),
        };
        let up = rows.starts_with('1');
        let last = |size: char| Linear::size(size, -1);
        let cast = if ty == "usize" { "" } else { " as usize" };
        self.block(&format!("for {i} in {rows}"), |kernel| {
            kernel.loops += 1;
            kernel.variables.push(Variable {
                name: i.clone(),
                ty,
                most: last('n'),
            });
            kernel.block(&format!("for {j} in 0..{w}"), |kernel| {
                kernel.variables.push(Variable {
                    name: j.clone(),
                    ty,
                    most: last('m'),
                });
                let here = format!("({i} * {w} + {j}){cast}");
                let read = match kernel.random.below(6) {
                    0 if up => format!("{x}[(({i} - 1) * {w} + {j}){cast}]"),
                    1 => {
                        format!("if {j} > 0 {{ {x}[({i} * {w} + {j} - 1){cast}] }} else {{ 0.0 }}")
                    }
                    2 => format!(
                        "if {j} + 1 < {w} {{ {x}[({i} * {w} + {j} + 1){cast}] }} else {{ 0.0 }}"
                    ),
                    3 => format!(
                        "if {i} + 1 < {h} {{ {x}[(({i} + 1) * {w} + {j}){cast}] }} else {{ 0.0 }}"
                    ),
                    4 => format!("{x}[({i} * {w} + ({j} + 1) % {w}){cast}]"),
                    5 => format!("{x}[({i} * {w} + {w} - 1 - {j}){cast}]"),
                    _ => format!("{x}[{here}]"),
                };
                let operator = kernel.random.pick(&["=", "+="]);
                kernel.line(&format!("{y}[{here}] {operator} {read};"));
                if kernel.random.chance(30) {
                    kernel.write();
                }
            });
            kernel.loops -= 1;
        });
    }
}
