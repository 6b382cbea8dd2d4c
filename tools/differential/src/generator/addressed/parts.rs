//! Parts of arrays, names that hide others, closures and helpers.

use super::super::range::Linear;
use super::{Addressed, Part, Role, Variable};

impl Addressed {
    /// An element of a part, and its type.
    pub(super) fn part_read(&mut self) -> (String, &'static str) {
        let part = self.random.pick(&self.parts.clone());
        let of = self.part_subscript(&part);
        let column = self.column(part.of);
        (
            format!("{}[{of}]{column}", part.name),
            self.parameters[part.of].ty,
        )
    }

    fn part_subscript(&mut self, part: &Part) -> String {
        match part.count {
            Some(count) => match self.variable().filter(|_| self.random.chance(50)) {
                Some(of) => format!("{} as u8 as usize % {count}", of.name),
                None => self.random.below(count as usize).to_string(),
            },
            None => {
                let of = self.integer("usize", 1);
                self.reaches(part.of, part.from.plus(of.most));
                of.text
            }
        }
    }

    /// `let s = &x[a..b];`
    pub(super) fn part(&mut self) {
        let from = self.subscript();
        let count = 1 + self.random.below(4) as i64;
        let written = self.random.chance(25);
        let role = if written { Role::Output } else { Role::Data };
        let at = self.array(role, from.most.plus(Linear::constant(count)));
        let (own, shift) = (self.parameters[at].name.clone(), self.parameters[at].shift);
        let a = &from.text;
        let (range, count) = match self.random.below(6) {
            0 => (format!("{a}.."), None),
            1 => (format!("{a}..={a} + {}", count - 1), Some(count)),
            2 => (format!("..{a} + {count}"), Some(count)),
            3 if !written => (format!("{a}..{own}.len()"), None),
            _ => (format!("{a}..{a} + {count}"), Some(count)),
        };
        if count.is_none() && self.parameters[at].fixed {
            return;
        }
        let begins = match range.starts_with("..") {
            true => Linear::constant(0),
            false => from.most,
        };
        let part = Part {
            name: self.fresh("s"),
            of: at,
            from: begins.plus(Linear::constant(shift)),
            count,
        };
        if !written {
            self.line(&format!("let {} = &{own}[{range}];", part.name));
            return self.parts.push(part);
        }
        match self.random.below(3) {
            0 if self.parameters[at].row == 1 => {
                self.line(&format!("{own}[{range}].fill(Default::default());"));
            }
            _ => self.written_part(&own, &range, &part),
        }
    }

    /// A part that is written, in a block of its own.
    fn written_part(&mut self, own: &str, range: &str, part: &Part) {
        let hidden = |kernel: &mut Self, hide: bool| kernel.parameters[part.of].hidden = hide;
        self.block("", |kernel| {
            kernel.line(&format!("let {} = &mut {own}[{range}];", part.name));
            hidden(kernel, true);
            let ty = kernel.parameters[part.of].ty;
            let of = kernel.part_subscript(part);
            let column = kernel.column(part.of);
            let value = kernel.value(ty);
            kernel.line(&format!("{}[{of}]{column} = {value};", part.name));
        });
    }

    /// Names that mean something else from here on.
    pub(super) fn shadow(&mut self) {
        match self.random.below(4) {
            0 | 1 => {
                let Some(old) = self.variable() else { return };
                let ty = self.integer_type();
                let of = self.integer(ty, 1);
                self.line(&format!("let {}: {ty} = {};", old.name, of.text));
                self.variables.push(Variable {
                    name: old.name,
                    ty,
                    most: of.most,
                });
            }
            2 => {
                let shown = |p: &super::Parameter| {
                    matches!(p.role, Role::Data | Role::Map(_)) && !p.hidden && !p.fixed
                };
                let Some(at) = self.one_of(shown) else {
                    return;
                };
                let name = self.parameters[at].name.clone();
                self.reaches(at, Linear::constant(0));
                self.parameters[at].shift += 1;
                self.line(&format!("let {name} = &{name}[1..];"));
            }
            _ => {
                let of = self.entry(0);
                let shown = |p: &super::Parameter| matches!(p.role, Role::Data) && !p.hidden;
                let Some(at) = self.one_of(shown) else {
                    return;
                };
                self.parameters[at].hidden = true;
                let name = self.parameters[at].name.clone();
                self.line(&format!("let {name} = {};", of.text));
                self.variables.push(Variable {
                    name,
                    ty: of.ty,
                    most: of.most,
                });
            }
        }
    }

    /// A function of a subscript below three: a closure, or one beside the kernel.
    pub(super) fn function(&mut self) {
        let at = self.array(Role::Data, Linear::constant(4));
        let (own, shift) = (self.parameters[at].name.clone(), self.parameters[at].shift);
        let column = if self.parameters[at].row > 1 {
            "[1]"
        } else {
            ""
        };
        let name = self.fresh("f");
        if shift == 0 && self.random.chance(50) {
            let ty = super::element(&self.parameters[at]);
            let number = self.parameters[at].ty;
            let inner = self.random.pick(&["own", "x1", "x2", "y1"]);
            self.helpers.push(format!(
                "fn {name}({inner}: &[{ty}], i: usize) -> {number} {{ {inner}[i + 1]{column} }}\n"
            ));
            self.line(&format!("let c{name} = |i: usize| {name}({own}, i);"));
            return self.closures.push(format!("c{name}"));
        }
        let inner = self.random.pick(&["i", "j", "q"]);
        self.line(&format!(
            "let {name} = |{inner}: usize| {own}[{inner} + 1]{column};"
        ));
        self.closures.push(name);
    }
}
