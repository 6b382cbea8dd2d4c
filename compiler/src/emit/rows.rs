//! Printing reads of elements that neighbours in memory are read with: rows of four, one a lane,
//! transposed.
//!
//! Lanes over cells read `x[e][0]`, `x[e][1]`, … each from as many places as there are lanes. Where the
//! elements of a cell are next to each other, four of them are loaded at once for each lane, and a few
//! shuffles give the four vectors.
//!
//! Holds: all of an array's elements for a cell are there wherever one of them is.

use super::printer::{Offsets, Printer, Scope, Value, offset};
use super::transpose::{PAIRS, network, pairs};
use super::vector::Unit;
use crate::ir::{Access, Affine, Atom, Element, Role};
use crate::schedule::own_block;

/// Elements of a row that are loaded at once: those of a 256-bit register.
pub const ROW: usize = 4;

impl Printer<'_> {
    /// The element that an access reads for each lane, if it is part of a row; all of the row has names
    /// then.
    pub fn of_row(
        &mut self,
        scope: &mut Scope,
        access: &Access,
        offsets: &Offsets,
    ) -> Option<Value> {
        let array = self.program.array(access.array);
        let lane = self.schedule.lanes?;
        let vectors =
            matches!(self.unit.width, ROW | 8) && self.unit_of(array.element).bits() == 64;
        let own = matches!(array.role, Role::Parameter(_)) && array.element != Element::Generic;
        // Each lane reads the same place of a block of its own.
        let shape = own_block(self.program, access, lane)?;
        if !vectors || !own || self.program.viewed(access.array) != access.array {
            return None;
        }
        let length: usize = shape.iter().product();
        let mut place = 0;
        for (subscript, extent) in access.subscripts[1..].iter().zip(&shape) {
            let at = self.known(subscript, offsets)?;
            place = place * extent + usize::try_from(at).ok().filter(|at| at < extent)?;
        }
        let start = (place / ROW * ROW).min(length.checked_sub(ROW)?);
        let key = (access.array, start, offset(offsets, lane));
        if !scope.rows.contains_key(&key) {
            let row = self.row(scope, access, offsets, (start, &shape));
            scope.rows.insert(key, row);
        }
        let text = scope.rows[&key][place - start].clone();
        Some(Value {
            text,
            vector: true,
            element: array.element,
        })
    }

    /// The value of a subscript, if it is known here.
    fn known(&self, subscript: &Affine, offsets: &Offsets) -> Option<i64> {
        let mut value = subscript.constant;
        for (atom, coefficient) in &subscript.terms {
            let Atom::Index(index) = atom else {
                return None;
            };
            let start = match self.ranges.get(index) {
                Some((first, last)) if first == last => *first,
                Some(_) => return None,
                None if self.around.is_open(*index) => return None,
                None => 0,
            };
            value += coefficient * (start + offset(offsets, *index)) as i64;
        }
        Some(value)
    }

    /// Names for the elements of a row from `start` on.
    fn row(
        &mut self,
        scope: &mut Scope,
        access: &Access,
        offsets: &Offsets,
        (start, shape): (usize, &[usize]),
    ) -> Vec<String> {
        let mut subscripts = vec![access.subscripts[0].clone()];
        let mut left = start;
        for (axis, _) in shape.iter().enumerate() {
            let stride: usize = shape[axis + 1..].iter().product();
            subscripts.push(Affine::constant((left / stride) as i64));
            left %= stride;
        }
        let address = self.address(&Access {
            array: access.array,
            subscripts,
        });
        let pointer = self.pointer(access.array);
        let rows: Vec<String> = (0..self.unit.width)
            .map(|lane| self.at(scope, &pointer, &address, offsets, Some(lane)))
            .collect();
        let array = self.program.array(access.array);
        let (name, unit) = (array.name.clone(), self.unit_of(array.element).clone());
        self.columns(&rows, &unit, &name)
    }

    /// The vectors of the first, second, third and fourth elements of 64 bits at some places, one for
    /// each lane. `base` is their name.
    pub fn columns(&mut self, places: &[String], unit: &Unit, base: &str) -> Vec<String> {
        let load = |place: &str| format!("_mm256_loadu_pd({place})");
        let (loaded, network): (Vec<String>, _) = if unit.width == ROW {
            let loads = places.iter().map(|place| load(place));
            (loads.collect(), network(ROW, 64).unwrap_or_default())
        } else {
            let pair = |(low, high): (usize, usize)| {
                let (low, high) = (load(&places[low]), load(&places[high]));
                format!("_mm512_insertf64x4::<1>(_mm512_castpd256_pd512({low}), {high})")
            };
            (PAIRS.into_iter().map(pair).collect(), pairs())
        };
        let registers = loaded.iter().map(|text| self.name("rows", text)).collect();
        self.transposed(&network, unit, registers, base)
    }
}
