//! Printing copies of results whose records fill a lane each ([`filled`]).
//!
//! ```text
//! staged:     r0 r1 r2 r3      g0 g1 g2 g3      b0 b1 b2 b3       numbers of 32 bits
//! records:    (r0 g0 b0 a0) (r1 g1 b1 a1) (r2 g2 b2 a2) ...       bytes: shifted, and the others as they are
//! ```

use super::address::Order;
use super::parts::Part;
use super::printer::Printer;
use super::vector::Unit;
use crate::ir::Element;
use crate::schedule::filled;
use crate::schedule::tree::CopyOut;

impl Printer<'_> {
    /// The components that each copy writes, if these are of records that fill a lane each, in registers that there are.
    pub fn filling(&self, copies: &[&CopyOut]) -> Option<Vec<Vec<usize>>> {
        let own = |copy: &&CopyOut| {
            let own = filled::components(self.program, self.schedule, copy)?;
            (copy.target.array == copies[0].target.array).then_some(own)
        };
        let unit = self.staged_unit(copies[0]);
        let full = unit.bits() == filled::BITS && unit.is_full();
        full.then(|| copies.iter().map(own).collect())?
    }

    /// Copies of such components: one store a vector.
    pub fn copy_filling(&mut self, copies: &[&CopyOut], components: &[Vec<usize>]) {
        let (unit, target) = (self.staged_unit(copies[0]), copies[0].target.array);
        let bits = self.program.array(target).element.bits() as u32;
        let width = unit.width;
        let (mut there, mut record) = (0u32, None::<String>);
        for (copy, own) in copies.iter().zip(components) {
            let source = self.pointer(copy.staged);
            for (at, component) in own.iter().copied().enumerate() {
                let staged = unit.load(&format!("{source}.add({})", at * width));
                let staged = self.name("staged", &unit.whole_register(&staged));
                let shifted = unit.in_place(&staged, bits, bits * component as u32);
                there |= ((1u32 << bits) - 1) << (bits * component as u32);
                record = Some(match record {
                    None => self.name("record", &shifted),
                    Some(others) => self.name("record", &unit.either(&others, &shifted)),
                });
            }
        }
        let Some(record) = record else { return };
        let first = self.schedule.lanes.map(|index| self.names[&index].as_str());
        let (pointer, of) = (self.pointer(target), 32 / bits);
        let pointer = format!("{pointer}.add({} * {of})", first.unwrap_or_default());
        let part = match self.active.first() {
            None => Part::Whole,
            Some((active, mask)) => Part::Counted {
                active: active.clone(),
                mask: mask.clone(),
            },
        };
        self.store_records(&unit, (&pointer, &part), (&record, there));
    }

    /// Stores a register of records, of which some bits are there: others are what memory has.
    fn store_records(
        &mut self,
        unit: &Unit,
        (pointer, part): (&str, &Part),
        (record, there): (&str, u32),
    ) {
        let mut record = record.to_owned();
        if there != u32::MAX {
            let held = match part {
                Part::Counted { active, mask } => {
                    let mask = self.mask((active, mask), Element::F32, Order::Forwards);
                    unit.masked_load(pointer, &mask)
                }
                _ => unit.load(pointer),
            };
            let (prefix, register) = (unit.prefix, unit.register());
            let others = format!(
                "{prefix}_and_si{register}({}, {prefix}_set1_epi32({:#x}u32 as i32))",
                unit.whole_register(&held),
                !there
            );
            record = self.name("record", &unit.either(&record, &others));
        }
        let value = self.name("records", &unit.of_whole_register(&record));
        let text = match part {
            Part::Counted { active, mask } => {
                let mask = self.mask((active, mask), Element::F32, Order::Forwards);
                let lanes = self.fresh("lanes");
                let cast = format!("({pointer}).cast::<{}>()", unit.scalar);
                let to = (cast.as_str(), value.as_str(), lanes.as_str());
                unit.store_counted((active, &mask), (Order::Forwards, false), to)
            }
            _ => unit.store(pointer, &value),
        };
        self.line(&text);
    }
}

impl Unit {
    /// The lowest bits of each lane, so many places up; all others are zero.
    fn in_place(&self, a: &str, bits: u32, up: u32) -> String {
        let (prefix, register) = (self.prefix, self.register());
        if up + bits == 32 {
            return format!("{prefix}_slli_epi32::<{up}>({a})");
        }
        let all = (1u32 << bits) - 1;
        let alone = format!("{prefix}_and_si{register}({a}, {prefix}_set1_epi32({all}))");
        match up {
            0 => alone,
            _ => format!("{prefix}_slli_epi32::<{up}>({alone})"),
        }
    }

    /// The bits of two registers of integers.
    fn either(&self, a: &str, b: &str) -> String {
        format!("{}_or_si{}({a}, {b})", self.prefix, self.register())
    }
}
