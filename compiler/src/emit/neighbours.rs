//! Printing reads and writes of neighbours in memory, one a lane.
//!
//! The lanes of `x[i]` lie in memory in their order, those of `x[n - 1 - i]` against it: what is loaded is
//! then reversed, and what is stored is reversed before. Where a vector is the last one, of a part of its
//! lanes, those that have elements are at the end of the register as it is in memory.

use super::address::{Address, Order};
use super::parts::Part;
use super::printer::{Printer, Scope, Value};
use crate::ir::{ArrayId, Combining, Element};
use crate::schedule::tree::Offsets;

/// Neighbours in memory.
pub struct Neighbours {
    /// To the first of them in memory, as if the vector was whole.
    pub pointer: String,
    /// The lanes that have elements.
    pub part: Part,
    /// The order of lanes.
    pub order: Order,
    /// What is stored there may be loaded before long, with what follows in memory: a loop around that over lanes comes
    /// back to it.
    again: bool,
}

impl Printer<'_> {
    /// The order in memory of the lanes of an address, if they are neighbours there, and if a register
    /// of their type is one that can be reversed where it must be.
    pub fn order(&self, address: &Address, element: Element) -> Option<Order> {
        let order = self.motion(address).order()?;
        let reversed = self.unit_of(element).reversed("").is_some();
        (order == Order::Forwards || reversed).then_some(order)
    }

    /// The neighbours of an array at an address.
    pub fn neighbours(
        &mut self,
        scope: &mut Scope,
        (array, address): (ArrayId, &Address),
        offsets: &Offsets,
        (part, order): (Part, Order),
    ) -> Neighbours {
        let pointer = self.pointer(array);
        let pointer = match order {
            Order::Forwards => self.at(scope, &pointer, address, offsets, None),
            Order::Backwards => {
                // Lanes that have no elements may be before the array.
                let first = self.distance(scope, address, offsets, None);
                format!(
                    "{pointer}.wrapping_offset({first} - {})",
                    self.unit.width - 1
                )
            }
        };
        let again = matches!(part, Part::Counted { .. })
            && self.around.repeats_lanes()
            && self.read.contains(&self.program.viewed(array));
        Neighbours {
            pointer,
            part,
            order,
            again,
        }
    }

    /// The value of neighbours, one a lane.
    pub fn load(&mut self, from: &Neighbours, element: Element) -> String {
        let unit = self.unit_of(element);
        let loaded = self.as_in_memory(from, element);
        match from.order {
            Order::Forwards => loaded,
            Order::Backwards => unit.reversed(&loaded).unwrap_or(loaded),
        }
    }

    /// What neighbours are, in the order of memory.
    fn as_in_memory(&self, from: &Neighbours, element: Element) -> String {
        let (unit, pointer) = (self.unit_of(element), &from.pointer);
        let mask = match &from.part {
            Part::Whole => return unit.load(pointer),
            Part::First(count) => unit.constant_mask(*count, from.order),
            Part::Counted { active, mask } => self.mask((active, mask), element, from.order),
        };
        unit.masked_load(pointer, &mask)
    }

    /// Stores a value, or combines it with what is there.
    pub fn store_neighbours(
        &mut self,
        scope: &mut Scope,
        to: &Neighbours,
        value: Value,
        accumulate: Option<Combining>,
    ) {
        let element = value.element;
        let (order, again) = (to.order, to.again);
        if let Element::Integer(ty) = element
            && (ty.bits() as usize) < self.unit_of(element).bits()
        {
            return self.store_integers(scope, ty, to, value);
        }
        let mut value = self.coerce(scope, value, true);
        let (unit, width) = (self.unit_of(element).clone(), self.unit.width);
        let pointer = &match element {
            // Integers of as many bits, which have another sign.
            Element::Integer(_) => format!("{}.cast::<{}>()", to.pointer, unit.scalar),
            _ => to.pointer.clone(),
        };
        if let (Order::Backwards, Some(reversed)) = (to.order, unit.reversed(&value)) {
            value = self.name("reversed", &reversed);
        }
        let sum = |loaded: String| match accumulate {
            Some(combining) => unit.combined(combining, true, &loaded, &value),
            None => value.clone(),
        };
        let whole = unit.store(pointer, &sum(unit.load(pointer)));
        let some = match &to.part {
            Part::First(count) => unit.load_first((*count, order), pointer),
            _ => self.as_in_memory(to, element),
        };
        let text = match &to.part {
            Part::Whole => whole,
            Part::First(count) => {
                let lanes = self.fresh("lanes");
                unit.store_first((*count, to.order), pointer, &sum(some), &lanes)
            }
            Part::Counted { active, mask } => {
                let mask = self.mask((active, mask), element, to.order);
                let lanes = self.fresh("lanes");
                let value = sum(some);
                let to = (pointer.as_str(), value.as_str(), lanes.as_str());
                let masked = unit.store_counted((active, &mask), (order, again), to);
                format!("if {active} == {width} {{ {whole} }} else {{ {masked} }}")
            }
        };
        self.line(&text);
    }
}
