//! The check of subscripts with entries of index maps.

use std::fmt::Write as _;

use super::address;
use super::checks::Checks;
use super::entries::bounds;
use super::linear::{Bounds, Value};
use super::names::plain;
use super::tables;
use crate::ir::{Access, Affine, ArrayId, Atom, IndexId, Role};

impl Checks<'_> {
    /// Maps: what the smallest and the largest entry give is in range, or each value is looked at.
    pub(super) fn scan(
        &mut self,
        guard: &str,
        (name, axis): (&str, usize),
        subscript: &Affine,
        has: &str,
    ) -> String {
        let (low, high) = self.range(guard, subscript);
        let indices = Affine::indices_of([subscript]);
        let (loops, ends) = (self.loops(&indices), "} ".repeat(indices.len()));
        let value = self.full(subscript, &indices);
        let value = self.printed(&value);
        let mut outside = format!("{} >= {has} as i128", self.printed(&high));
        if !low.is_natural() {
            outside = format!("{} < 0 || {outside}", self.printed(&low));
        }
        let (krate, kernel) = (&self.krate, self.kernel());
        format!(
            "if {outside} {{ {loops} let value = {value}; \
             if value < 0 || value >= {has} as i128 {{ \
             {krate}::checks::index_out_of_bounds({kernel:?}, {name:?}, {axis}usize, value, {has}); \
             }} {ends} }}"
        )
    }

    /// What the smallest and the largest value of a subscript are at most apart: its loops are at their
    /// ends, and its maps have their smallest and largest entries.
    pub(super) fn range(&mut self, guard: &str, subscript: &Affine) -> (Value, Value) {
        let (mut low, mut high) = self.ends(subscript);
        for (atom, c) in &subscript.terms {
            let Atom::Map(map, subscripts) = atom else {
                continue;
            };
            let (lowest, highest) = self.entries(guard, *map, subscripts);
            let (least, most) = if *c > 0 {
                (&lowest, &highest)
            } else {
                (&highest, &lowest)
            };
            low.add_value(*c, least);
            high.add_value(*c, most);
        }
        (low, high)
    }

    /// The heads of loops.
    pub(super) fn loops(&self, indices: &[IndexId]) -> String {
        let mut loops = String::new();
        for (at, index) in indices.iter().enumerate() {
            let extent = self.printed(&self.extent(*index));
            let _ = write!(loops, "for at_{at} in 0..{extent} as isize {{ ");
        }
        loops
    }

    /// An affine function of anything, within loops.
    pub(super) fn full(&self, affine: &Affine, loops: &[IndexId]) -> Value {
        let mut value = self.outer(affine);
        for (atom, c) in &affine.terms {
            match atom {
                Atom::Index(index) => {
                    let at = loops.iter().position(|l| l == index);
                    let name = format!("at_{}", at.unwrap_or(loops.len()));
                    value.add(*c, name, Bounds::LENGTH);
                }
                Atom::Map(array, subscripts) => {
                    let entry = self.entry(*array, subscripts, loops);
                    value.add(*c, entry, bounds(self.program.array(*array).element));
                }
                Atom::Scalar(_) | Atom::Length(..) => {}
            }
        }
        value
    }

    /// An entry of an index map, which was checked to be in range.
    pub(super) fn entry(&self, array: ArrayId, subscripts: &[Affine], loops: &[IndexId]) -> String {
        let access = Access {
            array,
            subscripts: subscripts.to_vec(),
        };
        let map = self.program.array(array);
        let padded = self.tables.stride(&map.name);
        let layout = address::layout(self.program, array, None, padded);
        let address = address::flat(self.program, &access, &layout, None);
        let mut at = format!(
            "({} as isize)",
            self.printed(&self.full(&address.affine, loops))
        );
        for (subscript, _, stride) in &address.strided {
            let subscript = self.printed(&self.full(subscript, loops));
            let _ = write!(
                at,
                ".wrapping_add(({subscript} as isize).wrapping_mul({stride}))"
            );
        }
        match map.role {
            Role::Table(_) => {
                let table = tables::static_name(&map.name, map.element);
                format!("{table}[({at}) as usize]")
            }
            _ => format!("*{}_p.offset({at})", plain(&map.name)),
        }
    }
}
