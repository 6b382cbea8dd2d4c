//! Printing reads: of parameters, tables and temporaries, by lanes or one element.

use super::address::{Address, Motion, Order};
use super::memory::places;
use super::parts::Part;
use super::printer::{Printer, Scope, Value};
use crate::ir::{Access, Affine, Atom, Element, Extent, IndexId, Role};
use crate::schedule::tree::{Offsets, Storage, offset};

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
                let vector = *lanes && self.unit.width > 1;
                return self.bind(&name, &variable, vector, array.element);
            }
            Some(Storage::Memory { .. }) | None => {}
        }
        if matches!(array.role, Role::Parameter(_)) && array.shape.is_empty() {
            return Value {
                text: self.scalar(access.array),
                vector: false,
                element: array.element,
            };
        }
        let address = self.address(access);
        if let Some(Storage::Memory { lanes: true, .. }) = storage {
            let pointer = self.by_lanes(scope, access, offsets);
            let text = self.unit_of(array.element).load(&pointer);
            return self.bind(&name, &text, true, array.element);
        }
        let covered = self.covers(access);
        let order = self.order(&address, array.element).filter(|_| covered);
        match (self.motion(&address), order) {
            (Motion::Still, _) => {
                let text = self.element(scope, access, offsets, None);
                self.bind(&name, &text, false, array.element)
            }
            (_, Some(order)) => {
                // Tables and temporaries have room after their end.
                let owned = storage.is_some() || matches!(array.role, Role::Table(_));
                let part = if owned && order == Order::Forwards {
                    Part::Whole
                } else {
                    self.part(offsets)
                };
                let of = (access.array, &address);
                let from = self.neighbours(scope, of, offsets, (part, order));
                let text = self.load(&from, array.element);
                self.bind(&name, &text, true, array.element)
            }
            _ => {
                let apart = covered.then(|| self.apart(scope, access, &address, offsets));
                if let Some(value) = apart.flatten() {
                    return value;
                }
                let lanes: Vec<String> = (0..self.unit.width)
                    .map(|lane| self.element(scope, access, offsets, Some(lane)))
                    .collect();
                let text = self.unit_of(array.element).gather(&lanes);
                self.bind(&name, &text, true, array.element)
            }
        }
    }

    /// The element that an access reads for each lane, where lanes are the same distance apart and
    /// neighbours in memory are read together.
    pub fn apart(
        &mut self,
        scope: &mut Scope,
        access: &Access,
        address: &Address,
        offsets: &Offsets,
    ) -> Option<Value> {
        let component = self.component(scope, access, address, offsets);
        if component.is_none()
            && let Some(row) = self.of_row(scope, access, offsets)
        {
            return Some(row);
        }
        let text = component.or_else(|| self.every_other(scope, access, address, offsets))?;
        Some(Value {
            text,
            vector: true,
            element: self.program.array(access.array).element,
        })
    }

    /// The pointer to the lanes of an element of a temporary that has one value a lane.
    pub fn by_lanes(&mut self, scope: &mut Scope, access: &Access, offsets: &Offsets) -> String {
        let (address, pointer) = (self.address(access), self.pointer(access.array));
        let at = match address.strided.is_empty() {
            true => self.near(scope, &address, offsets, Some(0)),
            false => {
                let distance = self.distance(scope, &address, offsets, Some(0));
                format!("({distance}) as usize")
            }
        };
        let width = self.unit.width;
        let (sum, sums) = match (self.folded.get(&access.array), self.lane()) {
            (Some(sums @ 2..), Some(lane)) => (offset(offsets, lane) / width, *sums),
            _ => (0, 1),
        };
        let known = self.storage(access.array).and_then(Storage::places);
        match (sum, known) {
            (0, _) => format!("{pointer}.add(({at}) * {width})"),
            (_, Some(known)) => {
                format!("{pointer}.add(({at}) * {width} + {})", sum * known * width)
            }
            (_, None) => {
                let all = places(self, access.array);
                format!("{pointer}.add(({at}) * {width} + {all} / {sums} * {sum})")
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
            return self.where_there(array.element, &condition, &read);
        }
        let real = !matches!(array.element, Element::Integer(_));
        if matches!(array.role, Role::Table(_)) && self.unit.generic && real {
            let (ty, krate) = (&self.unit.scalar, &self.unit.krate);
            return format!("<{ty} as {krate}::Scalar>::from_f64({read})");
        }
        read
    }

    /// An element where a condition says that it is there, and zero otherwise.
    pub fn where_there(&self, element: Element, condition: &str, read: &str) -> String {
        let zero = match element {
            Element::Integer(_) => "0".to_owned(),
            element => self.unit_of(element).zero(false),
        };
        format!("if {condition} {{ {read} }} else {{ {zero} }}")
    }

    /// Whether the check has seen this access wherever the current equation is evaluated.
    pub fn covers(&self, access: &Access) -> bool {
        let role = &self.program.array(access.array).role;
        let equation = &self.program.equations[self.equation];
        let running = self.around.running();
        let running =
            running.filter(|(index, end)| self.program.loop_index(*index).extent == **end);
        let domain: Vec<IndexId> = (equation.domain())
            .chain(running.map(|(index, _)| index))
            .chain(self.strips.keys().copied())
            .chain(self.runs.iter().copied())
            .collect();
        role.position().is_none() || self.covered.covers(self.program, &domain, access)
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
        let viewed = self.program.array(self.program.viewed(access.array));
        let (flat, rows) = (viewed.flat, viewed.rows());
        let mut whole = String::new();
        let mut conditions = Vec::new();
        for (axis, (subscript, extent)) in access.subscripts.iter().zip(shape).enumerate() {
            let value = self.signed(scope, subscript, offsets, lane);
            let extent = match extent {
                Extent::Constant(n) => n.to_string(),
                Extent::RunTime(affine) => match affine.terms.as_slice() {
                    [(Atom::Length(of, at), 1)] if *at == axis && affine.constant == 0 => {
                        self.length(*of, axis)
                    }
                    _ => format!("({})", self.extent(extent)),
                },
            };
            conditions.push(format!("(({value}) as usize) < {extent}"));
            whole = match axis {
                _ if axis >= rows => whole,
                0 => format!("(({value}) as i128)"),
                _ => format!(
                    "__loopwright::checks::place({whole}, {extent} as i128, ({value}) as i128)"
                ),
            };
        }
        if flat {
            let length = self.length(access.array, 0);
            conditions.push(format!("{whole} < {length} as i128"));
        }
        conditions.join(" && ")
    }

    /// An affine function that may be negative, as text of type `isize`.
    pub fn signed(
        &mut self,
        scope: &mut Scope,
        affine: &Affine,
        offsets: &Offsets,
        lane: Option<usize>,
    ) -> String {
        let mut value = match affine.constant {
            constant if constant < 0 => format!("({constant}isize)"),
            constant => format!("{constant}isize"),
        };
        for (atom, coefficient) in &affine.terms {
            let one = self.text(scope, &Affine::atom(atom.clone()), offsets, lane);
            let term = match coefficient {
                1 => format!("({one}) as isize"),
                c => format!("(({one}) as isize).wrapping_mul({c})"),
            };
            value.push_str(&format!(".wrapping_add({term})"));
        }
        value
    }

    /// A value in a register, or the lanes of two that it is between.
    fn register(&mut self, access: &Access, offsets: &Offsets) -> Value {
        let key = (access.array, self.around.element(access, offsets));
        if let Some(known) = self.registers.get(&key) {
            return known.clone();
        }
        let between = self.around.between(&key.1, self.unit.width);
        let joined = between.and_then(|([low, high], by)| {
            let [low, high] = [low, high].map(|at| self.registers.get(&(access.array, at)));
            let (low, high) = low.zip(high)?;
            let unit = self.unit_of(low.element);
            unit.joined([&low.text, &high.text], by)
        });
        if let Some(joined) = joined {
            let array = self.program.array(access.array);
            let value = self.bind(&array.name, &joined, true, array.element);
            self.registers.insert(key, value.clone());
            return value;
        }
        self.registers.get(&key).cloned().unwrap_or(Value {
            text: "undefined_register".to_owned(),
            vector: false,
            element: self.program.array(access.array).element,
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
        let array = self.program.array(access.array);
        let bound = self.bind(&array.name, &text, vector, array.element);
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
        let one = match value.element {
            Element::Integer(ty) => self.wrapped(&value.text, ty),
            _ => value.text.clone(),
        };
        let text = self.unit_of(value.element).splat(&one);
        let splat = self.name("all", &text);
        scope.splats.insert(value.text, splat.clone());
        splat
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
