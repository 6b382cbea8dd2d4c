//! The check of flat subscripts.

use super::checks::{Checks, guarded};
use super::implied::End;
use super::linear::Value;
use super::names::length;
use crate::ir::{Access, Affine, Extent, IndexId};

impl Checks<'_> {
    /// A slice that holds an array of more dimensions: the inner subscripts are below their extents.
    pub(super) fn flat(&mut self, access: &Access, domain: &[IndexId]) {
        let array = self.program.array(access.array);
        let (name, rows) = (array.name.clone(), array.rows());
        let guard = self.guard(domain);
        let all = &access.subscripts[..rows];
        let subscripts = all.iter();
        let (lowest, highest): (Vec<_>, Vec<_>) = subscripts.map(|s| self.range(&guard, s)).unzip();
        let kernel = self.kernel().to_owned();
        let length = length(&name, 0);
        let fails = |index: &str| {
            self.fails(&format!(
                "index_out_of_bounds({kernel:?}, {name:?}, 0usize, {index}, {length})"
            ))
        };
        let (in_place, in_value) = (fails("place"), fails("value"));
        let shape = self.program.array(access.array).shape[..rows].iter();
        let extents: Vec<Value> = shape.map(|extent| self.length_of(extent)).collect();
        let printed = self.all_printed(&extents);
        if all.iter().any(Affine::is_mapped) {
            let subscripts = all.iter();
            let indices = Affine::indices_of(subscripts.clone());
            let (loops, ends) = (self.loops(&indices), "} ".repeat(indices.len()));
            let values: Vec<Value> = subscripts.map(|s| self.full(s, &indices)).collect();
            let of = |values: &[Value]| element(&printed, &self.all_printed(values));
            let (low, high, value) = (of(&lowest), of(&highest), of(&values));
            let (guard, fails) = (guarded(&guard), in_value);
            self.listing.once(format!(
                "{guard}{{ if {low} < 0 || {high} >= {length} as i128 {{ {loops} let value = {value}; \
                 if value < 0 || value >= {length} as i128 {{ {fails} }} {ends} }} }}\n"
            ));
            return;
        }
        let guard = guarded(&guard);
        let natural = extents.iter().skip(1).all(Value::is_natural);
        let ends = [
            (End::First, lowest, "< 0".to_owned()),
            (End::Last, highest, format!(">= {length} as i128")),
        ];
        for (end, subscripts, beyond) in ends {
            if end == End::First && natural && subscripts.iter().all(Value::is_natural) {
                continue;
            }
            let fails = &in_place;
            let check = |subscripts: &[String]| {
                let place = element(&printed, subscripts);
                format!("{guard}{{ let place = {place}; if place {beyond} {{ {fails} }} }}\n")
            };
            // Of lengths that may be negative nothing is known.
            match natural {
                true => self.place(end, subscripts, check),
                false => {
                    let subscripts = self.all_printed(&subscripts);
                    self.listing.once(check(&subscripts));
                }
            }
        }
    }

    fn length_of(&self, extent: &Extent) -> Value {
        match extent {
            Extent::Constant(n) => Value::constant(*n as i128),
            Extent::RunTime(extent) => self.outer(extent),
        }
    }
}

/// The place that subscripts lead to, in an array of these extents.
fn element(extents: &[String], subscripts: &[String]) -> String {
    let mut places = subscripts.iter().zip(extents);
    let first = places
        .next()
        .map(|(subscript, _)| subscript.clone())
        .unwrap_or_default();
    places.fold(first, |place, (subscript, extent)| {
        format!("__loopwright::checks::place({place}, {extent}, {subscript})")
    })
}
