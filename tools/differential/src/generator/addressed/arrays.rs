//! Parameters, and accesses of them.

use super::super::range::Linear;
use super::integers::converted;
use super::{Addressed, Int, Parameter, Role, TYPES};

impl Parameter {
    pub(super) fn new(name: String, ty: &'static str, row: usize) -> Parameter {
        Parameter {
            name,
            role: Role::Data,
            ty,
            row,
            lengths: Vec::new(),
            fixed: false,
            flat: false,
            shift: 0,
            hidden: false,
        }
    }

    /// Whether an element is there for all inputs that are right.
    pub(super) fn has(&self, most: Linear) -> bool {
        let [own] = self.lengths.as_slice() else {
            return false;
        };
        let left = own.plus(most.plus(Linear::constant(1 + self.shift)).times(-1));
        left.n >= 0 && left.m >= 0 && left.constant >= 0
    }
}

impl Addressed {
    /// A parameter that a subscript of so much may be applied to.
    pub(super) fn array(&mut self, role: Role, most: Linear) -> usize {
        let fits = |p: &Parameter| {
            let same = std::mem::discriminant(&p.role) == std::mem::discriminant(&role);
            same && !p.hidden && (!p.fixed || p.has(most))
        };
        let known = self.those(fits);
        let at = match !known.is_empty() && self.random.chance(65) {
            true => self.random.pick(&known),
            false => self.new_array(role),
        };
        self.reaches(at, most);
        at
    }

    /// The parameters that something holds of.
    fn those(&self, wanted: impl Fn(&Parameter) -> bool) -> Vec<usize> {
        let all = self.parameters.iter().enumerate();
        all.filter(|(_, own)| wanted(own))
            .map(|(at, _)| at)
            .collect()
    }

    /// One of them, if there are any.
    pub(super) fn one_of(&mut self, wanted: impl Fn(&Parameter) -> bool) -> Option<usize> {
        let all = self.those(wanted);
        (!all.is_empty()).then(|| self.random.pick(&all))
    }

    /// A parameter is so long that an element is there.
    pub(super) fn reaches(&mut self, at: usize, most: Linear) {
        let parameter = &mut self.parameters[at];
        if !parameter.fixed {
            let needed = most.plus(Linear::constant(1 + parameter.shift));
            if !parameter.lengths.contains(&needed) {
                parameter.lengths.push(needed);
            }
        }
    }

    fn new_array(&mut self, role: Role) -> usize {
        let (base, ty, row) = match role {
            Role::Data => {
                let ty = self.random.pick(&["f64", "f64", "f32", "i32", "u8"]);
                let row = self.random.pick(&[1, 1, 1, 3]);
                ("x", ty, row)
            }
            Role::Output => {
                let ty = self
                    .random
                    .pick(&["f64", "f64", "f32", "i32", "u16", "usize"]);
                let row = self.random.pick(&[1, 1, 1, 2]);
                ("y", ty, row)
            }
            Role::Map(_) => {
                let row = self.random.pick(&[1, 1, 1, 2, 4]);
                ("k", self.random.pick(&TYPES), row)
            }
            _ => {
                let types = ["usize", "usize", "u32", "i32", "u64", "u16", "i64"];
                ("rows", self.random.pick(&types), 1)
            }
        };
        let name = self.fresh(base);
        self.parameters.push(Parameter {
            role,
            ..Parameter::new(name, ty, row)
        });
        self.parameters.len() - 1
    }

    /// An array of exactly some length.
    pub(super) fn measured(&mut self) -> (usize, Linear) {
        let known: Vec<(usize, Linear)> = (0..self.parameters.len())
            .filter_map(|at| {
                let parameter = &self.parameters[at];
                let own = parameter.lengths.first()?;
                (parameter.fixed && !parameter.hidden && parameter.shift == 0).then_some((at, *own))
            })
            .collect();
        if !known.is_empty() && self.random.chance(60) {
            return self.random.pick(&known);
        }
        let role = match self.random.below(3) {
            0 => Role::Output,
            1 => Role::Data,
            _ => Role::Map(self.limit()),
        };
        let at = self.new_array(role);
        let length = match self.random.below(3) {
            0 => Linear::size('m', 1),
            1 => Linear::size('n', 0),
            _ => Linear::size('n', 0).times(2).plus(Linear::constant(1)),
        };
        self.parameters[at].fixed = true;
        self.parameters[at].lengths = vec![length];
        (at, length)
    }

    /// What entries of a map are below: at least one.
    pub(super) fn limit(&mut self) -> Linear {
        match self.random.below(5) {
            0 => Linear::size('n', 1),
            1 => Linear::size('m', 1),
            2 => Linear::size('n', 0).plus(Linear::size('m', 1)),
            3 => Linear::size('n', 1).times(2),
            _ => Linear::constant(1 + self.random.below(6) as i64),
        }
    }

    /// An entry of a map.
    pub(super) fn entry(&mut self, depth: usize) -> Int {
        let inner = self.integer("usize", depth.min(2).saturating_sub(1).min(1));
        let limit = self.limit();
        let at = self.array(Role::Map(limit), inner.most);
        let column = self.column(at);
        let parameter = &self.parameters[at];
        let most = match parameter.role {
            Role::Map(limit) => limit.plus(Linear::constant(-1)),
            _ => Linear::constant(0),
        };
        Int {
            text: format!("{}[{}]{column}", parameter.name, inner.text),
            ty: parameter.ty,
            most,
        }
    }

    /// The subscript of a row's entry.
    pub(super) fn column(&mut self, at: usize) -> String {
        match self.parameters[at].row {
            1 => String::new(),
            row => match self.random.chance(75) {
                true => format!("[{}]", self.random.below(row)),
                false => {
                    let of = self.integer("usize", 1);
                    format!("[{} % {row}]", of.text)
                }
            },
        }
    }

    /// A number of a type that an array of numbers or an integer gives.
    pub(super) fn value(&mut self, ty: &str) -> String {
        let float = ty.starts_with('f');
        let read = match self.random.below(8) {
            0 => {
                let own = self.integer_type();
                let of = self.integer(own, 1);
                format!("({} as {ty})", of.text)
            }
            1 if !self.closures.is_empty() => {
                let (name, at) = (self.random.pick(&self.closures.clone()), self.variable());
                match at {
                    Some(at) => format!("({name}({} as u8 as usize % 3) as {ty})", at.name),
                    None => format!("({name}(1) as {ty})"),
                }
            }
            2 if !self.parts.is_empty() => {
                let (read, own) = self.part_read();
                if own == ty {
                    read
                } else {
                    format!("({read} as {ty})")
                }
            }
            _ => {
                let (read, own) = self.read();
                if own == ty {
                    read
                } else {
                    format!("({read} as {ty})")
                }
            }
        };
        match self.random.below(4) {
            0 if float => format!("2.0 * {read}"),
            1 if float => {
                let other = self.read();
                format!("{read} + {} as {ty}", other.0)
            }
            2 if float => format!("{read} * {read} - 0.5"),
            0 => format!("{read}.wrapping_mul(3)"),
            _ => read,
        }
    }

    /// An element of an array, and its type.
    pub(super) fn read(&mut self) -> (String, &'static str) {
        let of = self.subscript();
        let at = self.array(Role::Data, of.most);
        let column = self.column(at);
        let parameter = &self.parameters[at];
        (
            format!("{}[{}]{column}", parameter.name, of.text),
            parameter.ty,
        )
    }

    /// `y[e] += v;`
    pub(super) fn write(&mut self) {
        let of = match self.random.chance(30) {
            true => {
                let own = self.integer("usize", 0);
                converted(own, "usize")
            }
            false => self.subscript(),
        };
        let at = self.array(Role::Output, of.most);
        let column = self.column(at);
        let (name, ty) = (self.parameters[at].name.clone(), self.parameters[at].ty);
        let place = format!("{name}[{}]{column}", of.text);
        let value = self.value(ty);
        let text = match self.random.below(3) {
            0 => format!("{place} = {value};"),
            _ if ty.starts_with('f') => format!("{place} += {value};"),
            _ => format!("{place} = {place}.wrapping_add({value});"),
        };
        self.line(&text);
    }
}
