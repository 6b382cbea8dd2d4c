//! Printing reads: of parameters, tables and temporaries, by lanes or one element.

use super::address::Motion;
use super::printer::{Offsets, Part, Printer, Scope, Value};
use crate::ir::{Access, Affine, Atom, Element, Extent, Role};
use crate::schedule::tree::Storage;

impl Printer<'_> {
    /// Reads an element, or one a lane.
    pub fn read(&mut self, scope: &mut Scope, access: &Access, offsets: &Offsets) -> Value {
        let array = self.program.array(access.array);
        let name = array.name.clone();
        let storage = self.storage(access.array);
        match storage {
            Some(Storage::Register { .. }) => return self.register(access, offsets),
            Some(Storage::Registers { lanes, .. }) => {
                // A copy: the variable takes other values while this one is used.
                let variable = self.variable(access, offsets);
                return self.bind(&name, &variable, *lanes && self.unit.width > 1);
            }
            Some(Storage::Memory { .. }) | None => {}
        }
        if matches!(array.role, Role::Parameter(_)) && array.shape.is_empty() {
            return Value {
                text: self.scalar(access.array),
                vector: false,
            };
        }
        let address = self.address(access);
        if let Some(Storage::Memory { lanes: true, .. }) = storage {
            let at = self.near(scope, &address, offsets, Some(0));
            let pointer = self.pointer(access.array);
            let text = self
                .unit
                .load(&format!("{pointer}.add(({at}) * {})", self.unit.width));
            return self.bind(&name, &text, true);
        }
        let covered = self.covers(access);
        match self.motion(&address) {
            Motion::Still => {
                let text = self.element(scope, access, offsets, None);
                self.bind(&name, &text, false)
            }
            Motion::Stride(1) if covered => {
                // Tables and temporaries have room after their end.
                let owned = storage.is_some() || matches!(array.role, Role::Table(_));
                let part = if owned {
                    Part::Whole
                } else {
                    self.part(offsets)
                };
                let pointer = self.pointer(access.array);
                let pointer = self.at(scope, &pointer, &address, offsets, None);
                let text = match part {
                    Part::Whole => self.unit.load(&pointer),
                    Part::First(count) => {
                        let mask = self.unit.constant_mask(count);
                        self.unit.masked_load(&pointer, &mask)
                    }
                    Part::Counted { mask, .. } => self.unit.masked_load(&pointer, &mask),
                };
                self.bind(&name, &text, true)
            }
            _ => {
                let lanes: Vec<String> = (0..self.unit.width)
                    .map(|lane| self.element(scope, access, offsets, Some(lane)))
                    .collect();
                let text = self.unit.gather(&lanes);
                self.bind(&name, &text, true)
            }
        }
    }

    /// One element as an expression, in range even where the source would not have read it.
    pub fn element(
        &mut self,
        scope: &mut Scope,
        access: &Access,
        offsets: &Offsets,
        lane: Option<usize>,
    ) -> String {
        let array = self.program.array(access.array);
        let address = self.address(access);
        let pointer = self.pointer(access.array);
        let read = format!("*{}", self.at(scope, &pointer, &address, offsets, lane));
        if !self.covers(access) {
            let condition = self.in_range(scope, access, offsets, lane);
            let zero = match array.element {
                Element::Integer(_) => "0".to_owned(),
                _ => self.unit.zero(false),
            };
            return format!("if {condition} {{ {read} }} else {{ {zero} }}");
        }
        let real = !matches!(array.element, Element::Integer(_));
        if matches!(array.role, Role::Table(_)) && self.unit.generic && real {
            let (ty, krate) = (&self.unit.scalar, &self.unit.krate);
            return format!("<{ty} as {krate}::Scalar>::from_f64({read})");
        }
        read
    }

    /// Whether the check has seen this access wherever the current equation is evaluated.
    fn covers(&self, access: &Access) -> bool {
        let role = &self.program.array(access.array).role;
        role.position().is_none()
            || self
                .covered
                .covers(self.program, &self.program.equations[self.equation], access)
    }

    /// The subscripts are below the extents, as a condition.
    fn in_range(
        &mut self,
        scope: &mut Scope,
        access: &Access,
        offsets: &Offsets,
        lane: Option<usize>,
    ) -> String {
        let shape = &self.program.array(access.array).shape;
        let mut conditions = Vec::new();
        for (axis, (subscript, extent)) in access.subscripts.iter().zip(shape).enumerate() {
            let mut value = format!("{}isize", subscript.constant);
            for (atom, coefficient) in &subscript.terms {
                let atom: &Atom = atom;
                let one = self.text(scope, &Affine::atom(atom.clone()), offsets, lane);
                value.push_str(&format!(" + ({one}) as isize * {coefficient}isize"));
            }
            let extent = match extent {
                Extent::Constant(n) => n.to_string(),
                Extent::RunTime(affine) => match affine.terms.as_slice() {
                    [(Atom::Length(_, at), 1)] if *at == axis && affine.constant == 0 => {
                        self.length(access.array, axis)
                    }
                    _ => format!("({})", self.extent(extent)),
                },
            };
            conditions.push(format!("(({value}) as usize) < {extent}"));
        }
        conditions.join(" && ")
    }

    fn register(&self, access: &Access, offsets: &Offsets) -> Value {
        let key = (access.array, self.around.element(access, offsets));
        self.registers.get(&key).cloned().unwrap_or(Value {
            text: "undefined_register".to_owned(),
            vector: false,
        })
    }

    /// The variable of an element in [`Storage::Registers`].
    pub fn variable(&self, access: &Access, offsets: &Offsets) -> String {
        let place = match self.storage(access.array) {
            Some(Storage::Registers { extents, .. }) => self.around.place(access, offsets, extents),
            _ => None,
        };
        let variables = self.places.get(&access.array).zip(place);
        let variable = variables.and_then(|(variables, place)| variables.get(place));
        variable.map_or("undefined_register".to_owned(), Clone::clone)
    }

    /// Names a register temporary.
    pub fn define(
        &mut self,
        scope: &mut Scope,
        access: &Access,
        offsets: &Offsets,
        value: Value,
        lanes: bool,
    ) {
        let vector = value.vector || (lanes && self.unit.width > 1);
        let text = self.coerce(scope, value, vector);
        let name = self.program.array(access.array).name.clone();
        let bound = self.bind(&name, &text, vector);
        let key = (access.array, self.around.element(access, offsets));
        self.registers.insert(key, bound);
    }

    /// A scalar in all lanes.
    pub fn splat(&mut self, scope: &mut Scope, value: Value) -> String {
        if value.vector {
            return value.text;
        }
        if let Some(known) = scope.splats.get(&value.text) {
            return known.clone();
        }
        let text = self.unit.splat(&value.text);
        let splat = self.bind("all", &text, true);
        scope.splats.insert(value.text, splat.text.clone());
        splat.text
    }

    /// The value as a vector if one is needed.
    pub fn coerce(&mut self, scope: &mut Scope, value: Value, vector: bool) -> String {
        if vector {
            self.splat(scope, value)
        } else {
            value.text
        }
    }
}
