//! The check of flat subscripts.

use super::checks::Checks;
use super::entries::is_mapped;
use super::names::length;
use crate::ir::{Access, Affine, Extent, IndexId};

impl Checks<'_> {
    /// A slice that holds an array of more dimensions: the inner subscripts are below their extents.
    pub(super) fn flat(&mut self, access: &Access, domain: &[IndexId]) {
        let name = self.program.array(access.array).name.clone();
        let guard = self.guard(domain);
        let subscripts = access.subscripts.iter();
        let ranges: Vec<_> = subscripts.map(|s| self.range(&guard, s)).collect();
        let lowest: Vec<String> = ranges.iter().map(|(low, _)| self.printed(low)).collect();
        let highest: Vec<String> = ranges.iter().map(|(_, high)| self.printed(high)).collect();
        let (low, high) = (self.place(access, &lowest), self.place(access, &highest));
        let (krate, kernel) = (&self.krate, self.kernel());
        let length = length(&name, 0);
        let fails = |index: &str| {
            format!(
                "{krate}::checks::index_out_of_bounds({kernel:?}, {name:?}, 0usize, {index}, {length});"
            )
        };
        let check = if access.subscripts.iter().any(is_mapped) {
            let subscripts = access.subscripts.iter();
            let indices = Affine::indices_of(subscripts.clone());
            let (loops, ends) = (self.loops(&indices), "} ".repeat(indices.len()));
            let values = subscripts.map(|s| self.full(s, &indices));
            let values: Vec<String> = values.map(|value| self.printed(&value)).collect();
            let value = self.place(access, &values);
            format!(
                "if {low} < 0 || {high} >= {length} as i128 {{ {loops} let value = {value}; \
                 if value < 0 || value >= {length} as i128 {{ {} }} {ends} }}",
                fails("value")
            )
        } else {
            format!(
                "let low = {low}; let high = {high}; if low < 0 {{ {} }} \
                 if high >= {length} as i128 {{ {} }}",
                fails("low"),
                fails("high")
            )
        };
        let guard = match guard.is_empty() {
            true => guard,
            false => format!("if {guard} "),
        };
        self.once(format!("{guard}{{ {check} }}\n"));
    }

    /// The place that subscripts lead to.
    fn place(&self, access: &Access, subscripts: &[String]) -> String {
        let shape = &self.program.array(access.array).shape;
        let mut place = String::new();
        for (axis, (subscript, extent)) in subscripts.iter().zip(shape).enumerate() {
            let extent = match extent {
                Extent::Constant(n) => format!("{n}i128"),
                Extent::RunTime(extent) => self.value(extent),
            };
            place = match axis {
                0 => subscript.clone(),
                _ => format!("({place}).saturating_mul({extent}).saturating_add({subscript})"),
            };
        }
        place
    }
}
