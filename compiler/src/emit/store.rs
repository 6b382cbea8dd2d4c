//! Printing stores: to registers, to temporaries, to outputs.

use super::address::{Address, Motion, Order};
use super::parts::Part;
use super::printer::{Printer, Scope, Value};
use super::variant::integer_name;
use crate::ir::{Access, Combining, Element, ExprId, Term};
use crate::number::Number;
use crate::schedule::tree::{Offsets, Storage};

impl Printer<'_> {
    /// Puts a value where an equation's instance wants it.
    pub fn store(
        &mut self,
        scope: &mut Scope,
        target: &Access,
        offsets: &Offsets,
        value: Value,
        accumulate: Option<Combining>,
    ) {
        let storage = self.storage(target.array);
        let element = self.program.array(target.array).element;
        if let Some(Storage::Register { lanes }) = storage {
            self.define(scope, target, offsets, value, *lanes);
            return;
        }
        if let Some(Storage::Registers { lanes, .. }) = storage {
            let vector = *lanes && self.unit.width > 1;
            let value = self.coerce(scope, value, vector);
            let variable = self.variable(target, offsets);
            let value = match accumulate {
                Some(combining) => {
                    let unit = self.unit_of(element);
                    unit.combined(combining, vector, &variable, &value)
                }
                None => value,
            };
            self.line(&format!("{variable} = {value};"));
            return;
        }
        let address = self.address(target);
        let pointer = self.pointer(target.array);
        if let Some(Storage::Memory { lanes: true, .. }) = storage {
            let pointer = self.by_lanes(scope, target, offsets);
            let value = self.coerce(scope, value, true);
            self.store_by_lanes(&pointer, target, offsets, value, accumulate);
            return;
        }
        scope.forget_streams(self.program.viewed(target.array));
        match (self.motion(&address), self.order(&address, element)) {
            (Motion::Still, _) => {
                let at = self.at(scope, &pointer, &address, offsets, None);
                let text = self.put_at(element, &at, &value.text, accumulate);
                self.line(&text);
            }
            (_, Some(order)) => {
                let part = if self.roomy(target) {
                    Part::Whole
                } else {
                    self.part(offsets)
                };
                let of = (target.array, &address);
                let to = self.neighbours(scope, of, offsets, (part, order));
                if !self.streamed(scope, (target.array, &to), &value) {
                    self.store_neighbours(scope, &to, value, accumulate);
                }
            }
            _ => self.store_lanes(scope, &address, &pointer, offsets, value, accumulate),
        }
    }

    /// The statement that puts a value into one element, or combines it with that.
    pub fn put_at(
        &self,
        element: Element,
        at: &str,
        value: &str,
        accumulate: Option<Combining>,
    ) -> String {
        match accumulate {
            None => format!("*{at} = {value};"),
            Some(Combining::Add) => format!("*{at} += {value};"),
            Some(combining) => {
                let unit = self.unit_of(element);
                let combined = unit.combined(combining, false, &format!("*{at}"), value);
                format!("*{at} = {combined};")
            }
        }
    }

    /// Adds a value to results that are neighbours, or to a temporary that has one value a lane, if it is a product: one
    /// instruction multiplies and adds. Whether it did.
    pub fn add_product(
        &mut self,
        scope: &mut Scope,
        target: &Access,
        offsets: &Offsets,
        expr: ExprId,
    ) -> bool {
        let term = Term {
            coefficient: Number::ONE,
            expr,
        };
        if self.unit.width == 1 || !self.is_fusible(&term) {
            return false;
        }
        if let Some(storage) = self.storage(target.array) {
            let lanes = matches!(storage, Storage::Memory { lanes: true, .. });
            let same = self.program.array(target.array).element == self.program.pool.element(expr);
            return lanes && same && self.add_by_lanes(scope, target, offsets, &term);
        }
        let address = self.address(target);
        let element = self.program.pool.element(expr);
        let Some(order) = self.order(&address, element) else {
            return false;
        };
        let part = self.part(offsets);
        let counted = matches!(part, Part::Counted { .. });
        let to = self.neighbours(scope, (target.array, &address), offsets, (part, order));
        if counted {
            let value = self.value(scope, expr, offsets);
            scope.forget_streams(self.program.viewed(target.array));
            self.store_neighbours(scope, &to, value, Some(Combining::Add));
            return true;
        }
        let before = self.load(&to, element);
        let before = self.bind("before", &before, true, element);
        let sum = self.added(scope, before, &term, offsets);
        scope.forget_streams(self.program.viewed(target.array));
        self.store_neighbours(scope, &to, sum, None);
        true
    }

    fn add_by_lanes(
        &mut self,
        scope: &mut Scope,
        target: &Access,
        offsets: &Offsets,
        term: &Term,
    ) -> bool {
        let element = self.program.array(target.array).element;
        let pointer = self.by_lanes(scope, target, offsets);
        let unit = self.unit_of(element).clone();
        let before = self.bind("before", &unit.load(&pointer), true, element);
        let held = before.text.clone();
        let sum = self.added(scope, before, term, offsets);
        let mut sum = self.coerce(scope, sum, true);
        if let Some(mask) = self.mask_of_counted(target, offsets) {
            sum = unit.chosen(&mask, &sum, &held);
        }
        self.line(&unit.store(&pointer, &sum));
        true
    }

    /// The mask of lanes that count where all lanes of a temporary are combined: not those beyond the end of the loop.
    fn mask_of_counted(&mut self, target: &Access, offsets: &Offsets) -> Option<String> {
        let element = self.program.array(target.array).element;
        match self.part(offsets) {
            Part::Counted { active, mask } if self.folded.contains_key(&target.array) => {
                Some(self.mask((&active, &mask), element, Order::Forwards))
            }
            _ => None,
        }
    }

    /// To a temporary that has one value a lane.
    fn store_by_lanes(
        &mut self,
        pointer: &str,
        target: &Access,
        offsets: &Offsets,
        value: String,
        accumulate: Option<Combining>,
    ) {
        let element = self.program.array(target.array).element;
        let value = if let Some(combining) = accumulate {
            let mask = self.mask_of_counted(target, offsets);
            let unit = self.unit_of(element);
            let value = mask.map_or(value.clone(), |mask| {
                unit.masked(combining, (&mask, &value))
            });
            unit.combined(combining, true, &unit.load(pointer), &value)
        } else {
            value
        };
        let store = self.unit_of(element).store(pointer, &value);
        self.line(&store);
    }

    /// One lane after the other, so that lanes which meet in one place all count.
    fn store_lanes(
        &mut self,
        scope: &mut Scope,
        address: &Address,
        pointer: &str,
        offsets: &Offsets,
        value: Value,
        accumulate: Option<Combining>,
    ) {
        let unit = self.unit_of(value.element).clone();
        let target_element = value.element;
        let value = self.coerce(scope, value, true);
        let name = self.fresh("lanes");
        let (zero, width) = (unit.zero(false), unit.width);
        let store = unit.store(&format!("{name}.as_mut_ptr()"), &value);
        self.line(&format!("let mut {name} = [{zero}; {width}]; {store}"));
        let part = self.part(offsets);
        for lane in 0..width {
            if matches!(part, Part::First(count) if lane >= count) {
                break;
            }
            let at = self.at(scope, pointer, address, offsets, Some(lane));
            let one = match target_element {
                Element::Integer(ty) => format!("{name}[{lane}].0 as {}", integer_name(ty)),
                _ => format!("{name}[{lane}]"),
            };
            let store = self.put_at(target_element, &at, &one, accumulate);
            match &part {
                Part::Counted { active, .. } => {
                    self.line(&format!("if {lane} < {active} {{ {store} }}"));
                }
                Part::Whole | Part::First(_) => self.line(&store),
            }
        }
    }
}
