//! The check of flat subscripts.

use super::checks::Checks;
use super::names::length;
use crate::ir::{Access, Extent, IndexId};

impl Checks<'_> {
    /// A slice that holds an array of more dimensions: the inner subscripts are below their extents.
    pub(super) fn flat(&mut self, access: &Access, domain: &[IndexId]) {
        let array = self.program.array(access.array);
        let mut ends = access.subscripts.iter().map(|s| self.ends(s));
        let Some((low, high)) = ends.next() else {
            return;
        };
        let (low, mut high) = (low.print("i128"), high.print("i128"));
        for ((_, inner), extent) in ends.zip(&array.shape[1..]) {
            let extent = match extent {
                Extent::Constant(n) => format!("{n}i128"),
                Extent::RunTime(extent) => self.value(extent),
            };
            let inner = inner.print("i128");
            high = format!("({high}).saturating_mul({extent}).saturating_add({inner})");
        }
        let (krate, kernel, name) = (&self.krate, self.kernel(), &array.name);
        let length = length(name, 0);
        let fails = |index: &str| {
            format!(
                "{krate}::checks::index_out_of_bounds({kernel:?}, {name:?}, 0usize, {index}, {length});"
            )
        };
        let check = format!(
            "let low = {low}; let high = {high}; if low < 0 {{ {} }} \
             if high >= {length} as i128 {{ {} }}",
            fails("low"),
            fails("high")
        );
        let guard = match self.guard(domain) {
            guard if guard.is_empty() => guard,
            guard => format!("if {guard} "),
        };
        self.once(format!("{guard}{{ {check} }}\n"));
    }
}
