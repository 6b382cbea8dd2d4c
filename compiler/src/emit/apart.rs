//! Printing reads of every other element, one a lane, where those between are not read: `x[2 * i]`, real parts of
//! complex numbers.
//!
//! ```text
//! first:  x0 x1 x2 x3 x4 x5 x6 x7                        loaded from the first lane's element on
//! last:                        x7 x8 x9 xa xb xc xd xe   loaded up to the last lane's element
//! lanes:  x0    x2    x4    x6    x8    xa    xc    xe
//! ```
//! Two loads of neighbours and a shuffle or two take the place of a load for each lane. Nothing is read
//! before the first lane's element, or behind the last one's, so that what was checked is what is read.

use super::address::{Address, Motion};
use super::parts::Part;
use super::printer::{Printer, Scope};
use super::vector::Unit;
use crate::ir::Access;
use crate::schedule::strided::is_numbers;
use crate::schedule::tree::Offsets;

impl Printer<'_> {
    /// Every other element, one a lane, where all lanes have one.
    pub fn every_other(
        &mut self,
        scope: &mut Scope,
        access: &Access,
        address: &Address,
        offsets: &Offsets,
    ) -> Option<String> {
        let array = self.program.array(access.array);
        let name = array.name.clone();
        let numbers = is_numbers(self.program, access.array);
        let apart = self.motion(address) == Motion::Stride(2) && address.turns.is_empty();
        let unit = self.unit_of(array.element).clone();
        let numbers = numbers && unit.bits() == array.element.bits();
        if !numbers || !apart || !unit.has_every_other() {
            return None;
        }
        if self.part(offsets) != Part::Whole {
            return None;
        }
        let pointer = self.pointer(access.array);
        let first = self.at(scope, &pointer, address, offsets, Some(0));
        let last = format!("{first}.add({})", unit.width - 1);
        let text = unit.every_other(&unit.load(&first), &unit.load(&last))?;
        Some(self.name(&name, &text))
    }
}

impl Unit {
    /// Whether there is an [`Unit::every_other`], in one register: lanes of 64 bits beside others of 32 take several.
    pub fn has_every_other(&self) -> bool {
        self.is_full() && self.every_other("", "").is_some()
    }

    /// The even elements of a register, and the odd ones of another, which follow them.
    fn every_other(&self, first: &str, last: &str) -> Option<String> {
        let (bits, width) = (self.bits(), self.width);
        Some(match bits * width {
            512 => {
                // The last register begins with the last element of the first one.
                let from = |lane: usize| 2 * lane + usize::from(2 * lane >= width);
                self.of_two(from, first, last)
            }
            // As one register, in which even places and odd ones have their own order.
            256 if bits == 32 => format!(
                "_mm256_permutevar8x32_ps(_mm256_blend_ps::<0xaa>({first}, {last}), \
                 _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7))"
            ),
            256 => {
                format!("_mm256_permute4x64_pd::<0xd8>(_mm256_blend_pd::<0b1010>({first}, {last}))")
            }
            128 if bits == 32 => {
                format!("_mm_permute_ps::<0xd8>(_mm_blend_ps::<0b1010>({first}, {last}))")
            }
            _ => return None,
        })
    }

    /// Any elements of two registers of 512 bits.
    fn of_two(&self, from: impl Fn(usize) -> usize, first: &str, second: &str) -> String {
        let numbers: Vec<String> = (0..self.width).map(|lane| from(lane).to_string()).collect();
        let (name, numbers) = (self.name("permutex2var"), numbers.join(", "));
        let numbers = format!("_mm512_setr_epi{}({numbers})", self.bits());
        format!("{name}({first}, {numbers}, {second})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Element;

    #[test]
    fn lanes_are_every_other_element() {
        let unit = Unit::new((8, 512), Element::F64, None, "", true);
        assert_eq!(
            unit.every_other("a", "b").unwrap(),
            "_mm512_permutex2var_pd(a, _mm512_setr_epi64(0, 2, 4, 6, 9, 11, 13, 15), b)"
        );
        // `b` begins with the last element of `a`: an odd place there is the next lane.
        let unit = Unit::new((2, 256), Element::F64, None, "", true);
        assert!(!unit.has_every_other());
        // Eight lanes of 64 bits are two registers of AVX2.
        let unit = Unit::new((8, 256), Element::F64, None, "", true);
        assert!(!unit.has_every_other());
    }
}
