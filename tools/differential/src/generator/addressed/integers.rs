//! Integers that lead to subscripts.

use super::super::range::Linear;
use super::{Addressed, Int, Parameter, Role, TYPES, Variable};

impl Addressed {
    /// A type, most often that of subscripts.
    pub(super) fn integer_type(&mut self) -> &'static str {
        match self.random.chance(55) {
            true => "usize",
            false => self.random.pick(&TYPES),
        }
    }

    /// An integer as a subscript.
    pub(super) fn subscript(&mut self) -> Int {
        let depth = self.random.weighted(&[3, 4, 3, 1]);
        let ty = self.integer_type();
        let of = self.integer(ty, depth);
        converted(of, "usize")
    }

    /// An integer of a type.
    pub(super) fn integer(&mut self, ty: &'static str, depth: usize) -> Int {
        if depth == 0 || self.plain && self.random.chance(25) {
            return self.leaf(ty, depth);
        }
        match self.random.weighted(&[3, 6, 4, 3, 3, 3, 2, 2]) {
            0 => self.leaf(ty, depth),
            1 => self.sum(ty, depth - 1),
            2 => self.product(ty, depth - 1),
            3 => self.quotient(ty, depth - 1),
            4 => self.bits(ty, depth - 1),
            5 => self.least(ty, depth - 1),
            6 => {
                let other = self.random.pick(&TYPES);
                let of = self.integer(other, depth - 1);
                converted(of, ty)
            }
            _ => self.chosen(ty, depth - 1),
        }
    }

    fn leaf(&mut self, ty: &'static str, depth: usize) -> Int {
        match self.random.weighted(&[8, 2, 4, 2]) {
            0 => match self.variable() {
                Some(v) => converted(
                    Int {
                        text: v.name,
                        ty: v.ty,
                        most: v.most,
                    },
                    ty,
                ),
                None => self.literal(ty),
            },
            1 => self.literal(ty),
            2 => {
                let of = self.entry(depth);
                converted(of, ty)
            }
            _ => {
                let own = self.parameter_integer(ty);
                converted(own, ty)
            }
        }
    }

    /// One of so many ways to compute an integer, or of those that surveys know.
    fn kind(&mut self, all: usize, known: &[usize]) -> usize {
        match self.plain {
            true => self.random.pick(known),
            false => self.random.below(all),
        }
    }

    fn literal(&mut self, ty: &'static str) -> Int {
        let value = self.random.below(4) as i64;
        Int {
            text: format!("{value}_{ty}"),
            ty,
            most: Linear::constant(value),
        }
    }

    /// A variable that nothing hides, later ones more often.
    pub(super) fn variable(&mut self) -> Option<Variable> {
        let all = &self.variables;
        let shown = all.iter().enumerate().filter(|(at, variable)| {
            let later = &all[at + 1..];
            !later.iter().any(|other| other.name == variable.name)
        });
        let shown: Vec<Variable> = shown.map(|(_, variable)| variable.clone()).collect();
        let last = shown.last()?.clone();
        Some(match self.random.chance(40) {
            true => last,
            false => self.random.pick(&shown),
        })
    }

    /// An integer parameter.
    fn parameter_integer(&mut self, ty: &'static str) -> Int {
        let known = self.parameters.iter().filter(|p| !p.hidden);
        let known: Vec<Int> = known
            .filter_map(|p| match p.role {
                Role::Integer(most) | Role::Count(most) => Some(Int {
                    text: p.name.clone(),
                    ty: p.ty,
                    most,
                }),
                _ => None,
            })
            .collect();
        if !known.is_empty() && self.random.chance(60) {
            return self.random.pick(&known);
        }
        let value = self.small();
        let name = self.fresh("p");
        self.parameters.push(Parameter {
            role: Role::Integer(value),
            ..Parameter::new(name.clone(), ty, 1)
        });
        Int {
            text: name,
            ty,
            most: value,
        }
    }

    /// A value of parameters.
    pub(super) fn small(&mut self) -> Linear {
        match self.random.below(4) {
            0 => Linear::size('n', 0),
            1 => Linear::size('m', 0),
            2 => Linear::size('n', 1),
            _ => Linear::constant(1 + self.random.below(5) as i64),
        }
    }

    fn sum(&mut self, ty: &'static str, depth: usize) -> Int {
        let (a, b) = (self.integer(ty, depth), self.integer(ty, depth));
        let (x, y) = (&a.text, &b.text);
        let most = a.most.plus(b.most);
        let kind = self.kind(8, &[3, 5, 6, 7]);
        let (text, most) = match kind {
            0 => (format!("{x}.wrapping_add({y})"), most),
            1 => (format!("{x}.saturating_add({y})"), most),
            2 => (format!("({x} + {y}).wrapping_sub({y})"), a.most),
            3 => (format!("({x} + {y} - {y})"), a.most),
            4 if ty.starts_with('u') => (format!("{x}.saturating_sub({y})"), a.most),
            5 => match b.most.known() {
                Some(c) => (format!("({x} + {c} - {y})"), a.most.plus(b.most)),
                None => (format!("({x} + {y})"), most),
            },
            _ => (format!("({x} + {y})"), most),
        };
        Int { text, ty, most }
    }

    fn product(&mut self, ty: &'static str, depth: usize) -> Int {
        let a = self.integer(ty, depth);
        let x = &a.text;
        let c = 1 + self.random.below(4) as i64;
        let (text, most) = match self.kind(6, &[2, 3, 4, 5]) {
            0 => (format!("{x}.wrapping_mul({c})"), a.most.times(c)),
            1 => (format!("{x}.saturating_mul({c})"), a.most.times(c)),
            2 => (format!("({x} << {})", c / 2), a.most.times(1 << (c / 2))),
            3 => {
                let b = self.integer(ty, depth);
                let modulus = 2 + self.random.below(6) as i64;
                let text = format!("({x} * {} % {modulus})", b.text);
                (text, Linear::constant(modulus - 1))
            }
            4 => {
                let b = self.integer(ty, 0);
                match (a.most.known(), b.most.known()) {
                    (Some(c), _) => (format!("({x} * {})", b.text), b.most.times(c.max(1))),
                    (_, Some(c)) => (format!("({} * {x})", b.text), a.most.times(c.max(1))),
                    _ => (format!("({x} * {c})"), a.most.times(c)),
                }
            }
            _ => (format!("({x} * {c})"), a.most.times(c)),
        };
        Int { text, ty, most }
    }

    fn quotient(&mut self, ty: &'static str, depth: usize) -> Int {
        let a = self.integer(ty, depth);
        let x = &a.text;
        let c = 2 + self.random.below(4) as i64;
        let below = Linear::constant(c - 1);
        let (text, most) = match self.kind(7, &[0, 1, 4, 5, 6]) {
            0 => (format!("({x} / {c})"), a.most),
            1 => (format!("({x} % {c})"), below),
            2 => (format!("{x}.rem_euclid({c})"), below),
            3 => (format!("{x}.div_euclid({c})"), a.most),
            4 => (format!("({x} >> {})", c - 1), a.most),
            5 => {
                let b = self.integer(ty, 0);
                (format!("({x} / ({} + 1))", b.text), a.most)
            }
            _ => {
                let b = self.integer(ty, 0);
                (format!("({x} % ({} + 1))", b.text), b.most)
            }
        };
        Int { text, ty, most }
    }

    fn bits(&mut self, ty: &'static str, depth: usize) -> Int {
        let a = self.integer(ty, depth);
        let x = &a.text;
        let c = self.random.pick(&[1_i64, 3, 7, 6, 2]);
        let (text, most) = match self.kind(6, &[0, 4]) {
            0 | 1 => (format!("({x} & {c})"), Linear::constant(c)),
            2 => (format!("({x} | {c})"), a.most.plus(Linear::constant(c))),
            3 => (format!("({x} ^ {c})"), a.most.plus(Linear::constant(c))),
            4 => {
                let b = self.integer(ty, 0);
                (format!("({x} & {})", b.text), b.most)
            }
            _ => (format!("(!{x} & {c})"), Linear::constant(c)),
        };
        Int { text, ty, most }
    }

    fn least(&mut self, ty: &'static str, depth: usize) -> Int {
        let (a, b) = (self.integer(ty, depth), self.integer(ty, depth.min(1)));
        let (x, y) = (&a.text, &b.text);
        let c = 1 + self.random.below(7) as i64;
        let (text, most) = match self.kind(6, &[0, 1, 2, 5]) {
            0 => (format!("{x}.min({y})"), b.most),
            1 => (format!("{x}.min({y})"), a.most),
            2 => (format!("{x}.max({y})"), a.most.plus(b.most)),
            3 => (format!("{x}.clamp(0, {c})"), Linear::constant(c)),
            4 => (format!("{x}.abs_diff({y}) as {ty}"), a.most.plus(b.most)),
            _ => (format!("{x}.min({c})"), Linear::constant(c)),
        };
        let text = match text.contains(" as ") {
            true => format!("({text})"),
            false => text,
        };
        Int { text, ty, most }
    }

    /// `if c { a } else { b }`, and what a condition makes right.
    fn chosen(&mut self, ty: &'static str, depth: usize) -> Int {
        let (a, b) = (self.integer(ty, depth), self.integer(ty, 0));
        let (x, y) = (&a.text, &b.text);
        let c = self.random.below(5);
        let most = a.most.plus(b.most);
        let (text, most) = match self.kind(5, &[0, 1, 2, 4]) {
            0 => (
                format!("(if {x} > {y} {{ {x} - {y} }} else {{ 0 }})"),
                a.most,
            ),
            1 => (format!("(if {x} < {c} {{ {x} }} else {{ {y} }})"), most),
            2 => (format!("(if {x} == {c} {{ {y} }} else {{ {x} }})"), most),
            3 => (
                format!("(match {x} {{ 0 => {y}, 1 | 2 => 1, _ => {x} }})"),
                most.plus(Linear::constant(1)),
            ),
            _ => {
                let condition = self.condition();
                (format!("(if {condition} {{ {x} }} else {{ {y} }})"), most)
            }
        };
        Int { text, ty, most }
    }

    /// A condition on integers.
    pub(super) fn condition(&mut self) -> String {
        let ty = self.integer_type();
        let (a, b) = (self.integer(ty, 1), self.integer(ty, 0));
        let sign = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        // What begins with a conversion or a choice stands in parentheses.
        let first = format!("({}) {sign} {}", a.text, b.text);
        match self.random.below(6) {
            0 => {
                let other = self.integer(ty, 0);
                format!("{first} && {} > {}", other.text, b.text)
            }
            1 => {
                let other = self.integer(ty, 0);
                format!("{first} || {} == {}", other.text, b.text)
            }
            2 => format!("!({first})"),
            _ => first,
        }
    }
}

/// An integer in another type.
pub(super) fn converted(of: Int, ty: &'static str) -> Int {
    match of.ty == ty {
        true => of,
        false => Int {
            text: format!("({} as {ty})", of.text),
            ty,
            most: of.most,
        },
    }
}
