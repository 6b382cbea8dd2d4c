//! Printing reads of every other element, one a lane: `x[2 * i]`, real parts of complex numbers, rows of two.
//!
//! ```text
//! first:  x0 x1 x2 x3 x4 x5 x6 x7                        loaded from the first lane's element on
//! last:                        x7 x8 x9 xa xb xc xd xe   loaded up to the last lane's element
//! lanes:  x0    x2    x4    x6    x8    xa    xc    xe
//! ```
//! Two loads of neighbours and a shuffle or two take the place of a load for each lane. Nothing is read
//! before the first lane's element, or behind the last one's, so that what was checked is what is read. Where
//! both elements of pairs are read, two registers hold all of both.

use super::address::{Address, Motion};
use super::parts::Part;
use super::printer::{Offsets, Printer, Scope};
use super::vector::Unit;
use crate::ir::{Access, Element, Role};

impl Printer<'_> {
    /// Every other element of what nothing writes, one a lane, where all lanes have one.
    pub fn every_other(
        &mut self,
        scope: &mut Scope,
        access: &Access,
        address: &Address,
        offsets: &Offsets,
    ) -> Option<String> {
        let array = self.program.array(access.array);
        let name = array.name.clone();
        let numbers = matches!(array.element, Element::F64 | Element::F32);
        let there = matches!(array.role, Role::Parameter(_) | Role::Table(_));
        let apart = self.motion(address) == Motion::Stride(2) && address.turns.is_empty();
        let unit = self.unit_of(array.element).clone();
        if !numbers || !there || !apart || !unit.has_every_other() {
            return None;
        }
        if self.part(offsets) != Part::Whole {
            return None;
        }
        let pointer = self.pointer(access.array);
        let Some(odd) = self.is_odd(access, address) else {
            let first = self.at(scope, &pointer, address, offsets, Some(0));
            let last = format!("{first}.add({})", unit.width - 1);
            let text = unit.every_other(&unit.load(&first), &unit.load(&last))?;
            return Some(self.name(&name, &text));
        };
        let mut even = address.clone();
        even.affine.constant -= i64::from(odd);
        let lanes: Vec<String> = (0..unit.width)
            .map(|lane| self.at(scope, &pointer, &even, offsets, Some(lane)))
            .collect();
        if !scope.pairs.contains_key(&lanes[0]) {
            let pair = self.pairs(&lanes, &unit, &name);
            scope.pairs.insert(lanes[0].clone(), pair);
        }
        scope.pairs[&lanes[0]].get(usize::from(odd)).cloned()
    }

    /// The vectors of the first and of the second element of pairs that follow each other, from places on.
    pub fn pairs(&mut self, places: &[String], unit: &Unit, base: &str) -> Vec<String> {
        if unit.bits() * unit.width == 256 && unit.bits() == 64 {
            return self.columns_of_parts(places, unit, base);
        }
        let first = self.name("pairs", &unit.load(&places[0]));
        let second = self.name("pairs", &unit.load(&places[unit.width / 2]));
        let both = [false, true].map(|odd| unit.of_pairs(odd, &first, &second));
        both.map(|text| self.name(base, &text)).into()
    }

    /// Whether an element is the second one of a pair of which the current equation reads the other one too.
    fn is_odd(&self, access: &Access, address: &Address) -> Option<bool> {
        let equation = &self.program.equations[self.equation];
        let accesses = self.program.pool.accesses([equation.expr]);
        let reads = |by: i64| {
            let mut other = address.affine.clone();
            other.constant += by;
            let mut others = accesses.iter().map(|(_, other)| other);
            others.any(|read| {
                let same = read.array == access.array && self.covers(read);
                let at = same.then(|| self.address(read));
                at.is_some_and(|at| at.affine == other && at.strided == address.strided)
            })
        };
        // Of `x[2 * i - 1]`, `x[2 * i]` and `x[2 * i + 1]` the last two are a pair.
        match (reads(1), reads(-1)) {
            (true, _) => Some(false),
            (false, true) => Some(true),
            (false, false) => None,
        }
    }
}

impl Unit {
    /// Whether there is an [`Unit::every_other`].
    pub fn has_every_other(&self) -> bool {
        self.every_other("", "").is_some()
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

    /// The first or the second element of pairs in two registers.
    fn of_pairs(&self, odd: bool, first: &str, second: &str) -> String {
        let (bits, width) = (self.bits(), self.width);
        let odd = usize::from(odd);
        let shuffle = ["0x88", "0xdd"][odd];
        match bits * width {
            512 => self.of_two(|lane| 2 * lane + odd, first, second),
            // Within parts of 128 bits; then pairs of 64 bits in their order.
            256 => format!(
                "_mm256_permutevar8x32_ps(_mm256_shuffle_ps::<{shuffle}>({first}, {second}), \
                 _mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7))"
            ),
            _ => format!("_mm_shuffle_ps::<{shuffle}>({first}, {second})"),
        }
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
    }
}
