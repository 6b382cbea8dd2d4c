//! What expressions end in: literals, scalars, elements of parameters, tables and local arrays.

use super::scope::{Expr, Parameter, Role};
use super::{Generator, Real};

/// The types of integers.
pub const INTEGERS: [&str; 10] = [
    "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "usize", "isize",
];

/// Largest magnitude of an input.
const INPUT: f64 = 2.0;

/// A value whose bits all variants have.
fn exact(text: String, level: u8, bound: f64) -> Expr {
    Expr {
        text,
        level,
        bound,
        error: 0.0,
        literal: false,
        reads: false,
    }
}

impl Generator {
    /// A new parameter, with extents that suit the loops around.
    pub fn new_parameter(&mut self, base: &str, role: Role) -> usize {
        if self.wants_view() {
            return self.new_view(base, role);
        }
        self.new_array(base, role)
    }

    /// A new slice or array.
    pub fn new_array(&mut self, base: &str, role: Role) -> usize {
        let slice = self.random.chance(60);
        let dimensions = match (&role, slice) {
            (Role::Map(..), true) => self.random.weighted(&[2, 3]),
            (Role::Map(..), false) => 1,
            (_, true) => self.random.weighted(&[4, 4, 2]),
            (_, false) => self.random.weighted(&[0, 4, 4, 1]),
        };
        let shape = (0..dimensions).map(|_| self.extent()).collect();
        let name = self.fresh(base);
        self.parameters.push(Parameter {
            name,
            role,
            slice,
            shape,
            lengths: Vec::new(),
            fixed: false,
            single: false,
            view: Vec::new(),
        });
        self.parameters.len() - 1
    }

    /// An extent: often that of a loop around.
    pub fn extent(&mut self) -> usize {
        let known: Vec<i64> = self
            .scope
            .integers
            .iter()
            .filter_map(|v| v.high.known())
            .collect();
        if !known.is_empty() && self.random.chance(75) {
            let high = self.random.pick(&known);
            (high + 1).max(1) as usize + usize::from(self.random.chance(20))
        } else {
            self.random.between(1, 7)
        }
    }

    /// A scalar parameter.
    fn scalar_parameter(&mut self) -> Expr {
        let scalar = |p: &Parameter| p.role == Role::Input && !p.slice && p.shape.is_empty();
        let existing = self.parameters.iter().find(|p| scalar(p));
        let known = existing.map(|p| p.name.clone());
        let name = match known.filter(|_| self.random.chance(80)) {
            Some(name) => name,
            None => {
                let name = self.fresh("c");
                self.parameters.push(Parameter {
                    name: name.clone(),
                    role: Role::Input,
                    slice: false,
                    shape: Vec::new(),
                    lengths: Vec::new(),
                    fixed: false,
                    single: false,
                    view: Vec::new(),
                });
                name
            }
        };
        exact(name, 0, INPUT)
    }

    /// A literal.
    pub fn literal(&mut self) -> Expr {
        let values = [0.5, 1.0, 2.0, 0.1, 3.0, 0.25, 1.5, 0.0];
        let at = self.random.weighted(&[4, 3, 4, 3, 2, 2, 3, 1]);
        self.constant(values[at])
    }

    /// A given literal.
    pub fn constant(&mut self, value: f64) -> Expr {
        let text = match self.real {
            Real::F64 | Real::F32 => format!("{value:?}"),
            _ if value == 0.0 => "T::zero()".to_owned(),
            _ if value == 1.0 && self.random.chance(60) => "T::one()".to_owned(),
            _ => format!("T::from_f64({value:?})"),
        };
        Expr {
            literal: !self.generic(),
            // What is no binary fraction is rounded in another type.
            ..exact(text, 0, value)
        }
    }

    /// An element of an array, or a scalar.
    pub fn leaf(&mut self) -> Expr {
        let scope = &self.scope;
        let weights = [
            2,
            if self.closed { 0 } else { 2 },
            if scope.variables.is_empty() { 0 } else { 8 },
            if scope.places.is_empty() { 0 } else { 8 },
            if self.closed { 0 } else { 10 },
            if self.closed { 0 } else { 5 },
            if self.mixed && !self.closed && !scope.integers.is_empty() {
                3
            } else {
                0
            },
            if self.mixed && !self.closed { 3 } else { 0 },
        ];
        match self.random.weighted(&weights) {
            0 => self.literal(),
            1 => self.scalar_parameter(),
            2 => {
                let variable = self.random.pick(&self.scope.variables);
                Expr {
                    error: variable.error,
                    ..exact(variable.name, 0, variable.bound)
                }
            }
            3 => self.element(),
            4 => self.input(),
            5 => self.table_entry(),
            6 => self.counted(),
            _ => self.cut_off(),
        }
    }

    /// An integer as a number, exactly.
    fn counted(&mut self) -> Expr {
        let integer = self.random.pick(&self.scope.integers);
        let bound = integer.high.largest().max(-integer.low) as f64;
        let text = format!("({} as f64 * 0.125)", integer.name);
        exact(text, 0, bound * 0.125)
    }

    /// An element of an array of any integers, converted until few bits are left.
    fn cut_off(&mut self) -> Expr {
        let known = |p: &Parameter| matches!(p.role, Role::Integers { written: false, .. });
        let existing: Vec<usize> = (0..self.parameters.len())
            .filter(|at| known(&self.parameters[*at]) && self.usable(*at))
            .collect();
        let parameter = if !existing.is_empty() && self.random.chance(60) {
            self.random.pick(&existing)
        } else {
            let ty = self.random.pick(&INTEGERS);
            let written = false;
            let name = self.fresh("k");
            self.parameters.push(Parameter {
                name,
                role: Role::Integers { ty, written },
                slice: true,
                shape: Vec::new(),
                lengths: Vec::new(),
                fixed: false,
                single: false,
                view: Vec::new(),
            });
            self.parameters.len() - 1
        };
        let mut text = self.subscripted(parameter, true);
        for _ in 0..self.random.below(3) {
            text = format!("{text} as {}", self.random.pick(&INTEGERS));
        }
        let few = [
            ("u8", 1.0 / 128.0),
            ("i8", 1.0 / 128.0),
            ("u16", 1.0 / 32768.0),
            ("i16", 1.0 / 32768.0),
        ];
        let (ty, scale) = self.random.pick(&few);
        Expr {
            reads: true,
            ..exact(format!("({text} as {ty} as f64 * {scale:?})"), 0, 2.0)
        }
    }

    /// A leaf that neither reads an array nor is rounded, unless nothing is.
    pub fn plain(&mut self) -> Expr {
        let usable: Vec<_> = self.scope.variables.clone();
        if !usable.is_empty() && self.random.chance(70) {
            let variable = self.random.pick(&usable);
            return Expr {
                error: variable.error,
                ..exact(variable.name, 0, variable.bound)
            };
        }
        if self.closed || self.random.chance(50) {
            self.literal()
        } else {
            self.scalar_parameter()
        }
    }

    /// An element of a place.
    fn element(&mut self) -> Expr {
        let place = self.random.pick(&self.scope.places);
        let mut text = place.text.clone();
        for extent in &place.shape {
            let maps = !place.local && !self.closed;
            let subscript = self.below(*extent, maps);
            text.push_str(&format!("[{}]", subscript.text));
        }
        Expr {
            error: place.error,
            reads: !place.local,
            ..exact(text, 0, place.bound)
        }
    }

    /// An element of an input.
    pub fn input(&mut self) -> Expr {
        let real = |p: &Parameter| p.role == Role::Input && (p.slice || !p.shape.is_empty());
        let existing: Vec<usize> = (0..self.parameters.len())
            .filter(|at| real(&self.parameters[*at]) && self.usable(*at))
            .collect();
        let parameter = if !existing.is_empty() && self.random.chance(65) {
            self.random.pick(&existing)
        } else {
            let parameter = self.new_parameter("x", Role::Input);
            let single = self.mixed && self.random.chance(40);
            // A scalar is found again by those who want one of the kernel's type.
            self.parameters[parameter].single = single && real(&self.parameters[parameter]);
            parameter
        };
        let mut text = self.subscripted(parameter, true);
        if self.parameters[parameter].single {
            text = format!("({text} as f64)");
        }
        Expr {
            reads: true,
            ..exact(text, 0, INPUT)
        }
    }

    /// An array of numbers with one or two of its dimensions left: `x[e]`.
    pub fn row(&mut self, shape: &[usize]) -> String {
        let fits =
            |p: &Parameter| p.role == Role::Input && p.slice && !p.single && p.shape == shape;
        let existing =
            (0..self.parameters.len()).find(|at| fits(&self.parameters[*at]) && self.usable(*at));
        let parameter = match existing.filter(|_| self.random.chance(70)) {
            Some(parameter) => parameter,
            None => {
                let name = self.fresh("x");
                self.parameters.push(Parameter {
                    name,
                    role: Role::Input,
                    slice: true,
                    shape: shape.to_vec(),
                    lengths: Vec::new(),
                    fixed: false,
                    single: false,
                    view: Vec::new(),
                });
                self.parameters.len() - 1
            }
        };
        let subscript = self.of_slice(parameter, true);
        format!("{}[{}]", self.parameters[parameter].name, subscript.text)
    }
}
