//! The check of subscripts with entries of index maps.

use std::fmt::Write as _;

use super::address;
use super::checks::Checks;
use super::instance::Instance;
use super::names::plain;
use super::tables;
use crate::ir::{Access, Affine, ArrayId, Atom, IndexId, Role};

impl Checks<'_> {
    /// Maps: every entry that the loops reach is read. The largest value is found once for all arrays
    /// that a subscript is used for; only if that is out of range, its own values are looked at.
    pub(super) fn scan(
        &mut self,
        guard: &str,
        (name, axis): (&str, usize),
        subscript: &Affine,
        has: &str,
    ) -> String {
        let mut indices = Vec::new();
        subscript.collect_indices(&mut indices);
        indices.sort_unstable();
        let mut loops = String::new();
        for (at, index) in indices.iter().enumerate() {
            let extent = self.extent(*index);
            let extent = extent.print("i128");
            let _ = write!(loops, "for at_{at} in 0..{extent} as i64 {{ ");
        }
        let ends = "} ".repeat(indices.len());
        // One entry as it stands cannot overflow.
        let (ty, natural) = match (subscript.terms.as_slice(), subscript.constant) {
            ([(_, 1)], 0) => ("i64", "u64"),
            _ => ("i128", "u128"),
        };
        let value = self.full(subscript, &indices, ty);
        let (highest, natural) = match self.highest_of(guard, subscript) {
            Some(known) => known,
            None => {
                let name = format!("highest_{}", self.highest.len());
                let when = if guard.is_empty() { "true" } else { guard };
                // What is negative is very large.
                let _ = writeln!(
                    self.out,
                    "let mut {name} = 0{natural}; if {when} {{ {loops} \
                     {name} = ::core::cmp::Ord::max({name}, {value} as {natural}); {ends} }}"
                );
                let name = (name, natural);
                let found = (guard.to_owned(), subscript.clone(), name.clone());
                self.highest.push(found);
                name
            }
        };
        let (krate, kernel) = (&self.krate, self.kernel());
        format!(
            "if {highest} >= {has} as {natural} {{ {loops} let value = {value}; \
             if value < 0 || value >= {has} as {ty} {{ \
             {krate}::checks::index_out_of_bounds({kernel:?}, {name:?}, {axis}usize, value as i128, {has}); \
             }} {ends} }}"
        )
    }

    /// The name and the type of the largest of some values that those of a subscript are among.
    fn highest_of(&self, guard: &str, subscript: &Affine) -> Option<(String, &'static str)> {
        let known = self.highest.iter().find(|(around, known, _)| {
            let mut instance = Instance::new(self.program, self.program);
            around == guard && instance.meets(known, subscript)
        });
        known.map(|(_, _, name)| name.clone())
    }

    /// An affine function of anything, within loops.
    fn full(&self, affine: &Affine, loops: &[IndexId], ty: &str) -> String {
        let mut value = self.outer(affine);
        for (atom, c) in &affine.terms {
            match atom {
                Atom::Index(index) => {
                    let at = loops.iter().position(|l| l == index);
                    value.add(*c, format!("at_{}", at.unwrap_or(loops.len())), true);
                }
                Atom::Map(array, subscripts) => {
                    let entry = self.entry(*array, subscripts, loops);
                    let text = format!("{}::MapIndex::to_index({entry})", self.krate);
                    value.add(*c, text, false);
                }
                Atom::Scalar(_) | Atom::Length(..) => {}
            }
        }
        value.print(ty)
    }

    /// An entry of an index map, which was checked to be in range.
    fn entry(&self, array: ArrayId, subscripts: &[Affine], loops: &[IndexId]) -> String {
        let access = Access {
            array,
            subscripts: subscripts.to_vec(),
        };
        let map = self.program.array(array);
        let padded = self.tables.stride(&map.name);
        let layout = address::layout(self.program, array, None, padded);
        let address = address::flat(self.program, &access, &layout, false);
        let mut at = self.full(&address.affine, loops, "i64");
        for (subscript, stride) in &address.strided {
            let _ = write!(
                at,
                " + ({}) * {stride} as i64",
                self.full(subscript, loops, "i64")
            );
        }
        match map.role {
            Role::Table(_) => {
                let table = tables::static_name(&map.name, map.element);
                format!("{table}[({at}) as usize]")
            }
            _ => format!("*{}_p.offset(({at}) as isize)", plain(&map.name)),
        }
    }
}
