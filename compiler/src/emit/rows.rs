//! Printing reads of elements that neighbours in memory are read with: rows of a few, one a lane,
//! transposed.
//!
//! Lanes over cells read `x[e][0]`, `x[e][1]`, … each from as many places as there are lanes. Where the
//! elements of a cell are next to each other, four of them are loaded at once for each lane, and a few
//! shuffles give the four vectors; or two of 64 bits, which take 128 as four of 32 bits do, where there are no more.
//!
//! Holds: all of an array's elements for a cell are there wherever one of them is.

use super::printer::{Printer, Scope, Value};
use super::transpose::{PAIRS, network, pairs, parts};
use super::vector::Unit;
use crate::ir::{Access, Affine, Atom, IndexId};
use crate::schedule::strided::pays;
use crate::schedule::tree::{Instance, Offsets, offset};
use crate::schedule::{crossing, own_block};

pub use crate::schedule::crossing::ROW;

/// Most instances of sums whose loops are written out since they read rows.
const LONGEST: usize = 64;

/// The elements of a block of `length` that are loaded with that at a place, for lanes of a unit: the first one,
/// and how many.
fn group(unit: &Unit, length: usize, place: usize) -> Option<(usize, usize)> {
    let start = place / ROW * ROW;
    match (unit.bits(), unit.width) {
        (64, ROW | 8) if start + ROW <= length => Some((start, ROW)),
        (64, ROW | 8) => Some(((place / 2 * 2).min(length.checked_sub(2)?), 2)),
        (32, 8 | 16) => Some((start.min(length.checked_sub(ROW)?), ROW)),
        _ => None,
    }
}

/// Neighbours in memory that each lane reads, one or more of which an access means.
struct Row {
    /// What the first one is read by.
    first: Access,
    /// At these offsets.
    offsets: Offsets,
    /// The place of what is meant.
    place: usize,
    /// How many there are.
    count: usize,
}

/// A subscript as a sum.
struct Split {
    /// What open loops add.
    open: Affine,
    /// The largest value of that.
    most: usize,
    /// The rest.
    known: i64,
}

impl Printer<'_> {
    /// The element that an access reads for each lane, if it is part of a row; all of the row has names
    /// then.
    pub fn of_row(
        &mut self,
        scope: &mut Scope,
        access: &Access,
        offsets: &Offsets,
    ) -> Option<Value> {
        let row = (self.own_row(access, offsets)).or_else(|| self.crossing(access, offsets))?;
        let key = (row.first.clone(), row.offsets.clone());
        if !scope.rows.contains_key(&key) {
            let names = self.row(scope, &row);
            scope.rows.insert(key.clone(), names);
        }
        Some(Value {
            text: scope.rows[&key][row.place].clone(),
            vector: true,
            element: self.program.array(access.array).element,
        })
    }

    /// The row of an element that its lane has in a block of its own, next to others of that. Loops that are open say
    /// where in the block elements are that are known here, and that all of these are inside of it.
    fn own_row(&self, access: &Access, offsets: &Offsets) -> Option<Row> {
        let lane = self.lane()?;
        // Each lane reads the same place of a block of its own.
        let shape = own_block(self.program, access, lane)?;
        if !self.has_rows(access) {
            return None;
        }
        let parts = access.subscripts.iter().map(|s| self.split(s, offsets));
        let parts: Vec<Option<Split>> = parts.collect();
        // What comes after the last subscript of which loops alone do not tell the value.
        let outer = (1..parts.len())
            .rev()
            .find(|axis| parts[*axis].is_none())
            .unwrap_or(0);
        let (mut place, mut most, mut size) = (0, 0, 1);
        for (part, extent) in parts[outer + 1..].iter().zip(&shape[outer..]) {
            let part = part.as_ref()?;
            place = place * extent + usize::try_from(part.known).ok()?;
            most = most * extent + part.most;
            size *= extent;
        }
        let unit = self.unit_of(self.program.array(access.array).element);
        let (start, count) = group(unit, size.checked_sub(most)?, place)?;
        let mut first = access.clone();
        for (subscript, part) in first.subscripts.iter_mut().zip(parts).skip(outer + 1) {
            *subscript = part?.open;
        }
        let last = first.subscripts.last_mut()?;
        *last = last.add(&Affine::constant(start as i64));
        let begins = |(index, at): &&(IndexId, usize)| {
            *at > 0
                && first.subscripts[..outer + 1]
                    .iter()
                    .any(|s| s.depends_on(*index))
        };
        Some(Row {
            offsets: offsets.iter().filter(begins).copied().collect(),
            first,
            place: place.checked_sub(start).filter(|at| *at < count)?,
            count,
        })
    }

    /// The row of an element that iterations of a loop around read neighbours of, which take a step together.
    fn crossing(&self, access: &Access, offsets: &Offsets) -> Option<Row> {
        let (lane, address) = (self.lane()?, self.address(access));
        let far = |index: IndexId| {
            let mut strided = address.strided.iter();
            strided.all(|(subscript, ..)| !subscript.depends_on(index))
        };
        let near = |(atom, _): &(Atom, i64)| match atom {
            Atom::Index(index) if *index != lane && far(*index) => {
                let step = crossing::step(&address.affine, *index)?;
                (self.around.together(*index) >= ROW).then_some((*index, step))
            }
            _ => None,
        };
        let (index, step) = address.affine.terms.iter().find_map(near)?;
        let at = offset(offsets, index);
        let unit = self.unit_of(self.program.array(access.array).element);
        let (start, count) = group(unit, self.around.together(index), at)?;
        if !address.turns.is_empty() || !self.has_rows(access) || count != ROW {
            return None;
        }
        // Backwards, the last iteration reads the first element.
        let (first, place) = match step {
            1 => (start, at - start),
            _ => (start + count - 1, start + count - 1 - at),
        };
        let others = offsets.iter().filter(|(other, _)| *other != index);
        let mut offsets: Offsets = others.copied().collect();
        offsets.push((index, first));
        offsets.sort_unstable();
        Some(Row {
            first: access.clone(),
            offsets,
            place,
            count,
        })
    }

    /// Whether an array is one whose rows can be loaded: numbers that nothing writes, of which one register holds one a lane.
    fn has_rows(&self, access: &Access) -> bool {
        let array = self.program.array(access.array);
        let unit = self.unit_of(array.element);
        crossing::is_input(self.program, access.array)
            && unit.bits() == array.element.bits()
            && unit.is_full()
    }

    /// The iterations of loops over sums that read rows of each lane's own, which load neighbours together where they
    /// are written out, or rows that are as far apart as a call says. `None` where they do neither, or are many.
    pub fn row_iterations(
        &self,
        instances: &[Instance],
        loops: &[IndexId],
    ) -> Option<Vec<Offsets>> {
        let lane = self.lane().filter(|_| self.unit.width > 1)?;
        let extent = |index: &IndexId| self.program.loop_index(*index).extent.as_constant();
        let extents = loops.iter().map(extent).collect::<Option<Vec<usize>>>()?;
        let count: usize = extents.iter().product::<usize>() * instances.len();
        let expressions = instances
            .iter()
            .map(|i| self.program.equations[i.equation].expr);
        let accesses = self.program.pool.accesses(expressions);
        let of_rows = accesses.iter().any(|(_, access)| {
            let block = own_block(self.program, access, lane).filter(|_| self.has_rows(access));
            let unit = self.unit_of(self.program.array(access.array).element);
            let inner = access.subscripts.iter().skip(1);
            let moves = inner
                .flat_map(|s| &s.terms)
                .any(|(atom, _)| matches!(atom, Atom::Index(index) if loops.contains(index)));
            let length = block.map_or(0, |shape| shape.iter().product());
            let stream = || pays(unit.bits() * unit.width, unit.bits(), length, length);
            moves && (group(unit, length, 0).is_some() || unit.is_full() && stream())
        });
        let far = || (accesses.iter()).any(|(_, access)| self.steps_far(access, loops));
        if count > LONGEST || !(of_rows || far()) {
            return None;
        }
        let mut points: Vec<Offsets> = vec![Vec::new()];
        for (index, extent) in loops.iter().zip(extents) {
            let longer = points.iter().flat_map(|point| {
                (0..extent).map(move |at| [&point[..], &[(*index, at)]].concat())
            });
            points = longer.collect();
        }
        Some(points)
    }

    /// Whether iterations of loops read rows that are as far apart as a call says. One instruction that reads them in
    /// turn is what processors take for a stride of its own, and fetch from far ahead; an instruction for each row reads
    /// neighbours.
    fn steps_far(&self, access: &Access, loops: &[IndexId]) -> bool {
        let shape = &self.program.array(access.array).shape;
        let inner = |at: usize| shape[at + 1..].iter().any(|n| n.as_constant().is_none());
        let mut subscripts = access.subscripts.iter().enumerate();
        subscripts.any(|(at, own)| loops.iter().any(|index| own.depends_on(*index)) && inner(at))
    }

    /// The place of an access in the block that its lane has, if it is known here.
    pub fn place_in(&self, access: &Access, shape: &[usize], offsets: &Offsets) -> Option<usize> {
        let mut place = 0;
        for (subscript, extent) in access.subscripts[1..].iter().zip(shape) {
            let part = self.split(subscript, offsets)?;
            let at = usize::try_from(part.known).ok()?;
            place =
                place * extent + Some(at).filter(|at| part.open.terms.is_empty() && at < extent)?;
        }
        Some(place)
    }

    /// What loops that are open say of a subscript, and what is known of it here; `None` where other things say it.
    fn split(&self, subscript: &Affine, offsets: &Offsets) -> Option<Split> {
        let mut split = Split {
            open: Affine::default(),
            most: 0,
            known: subscript.constant,
        };
        for (atom, coefficient) in &subscript.terms {
            let Atom::Index(index) = atom else {
                return None;
            };
            let start = match self.ranges.get(index) {
                Some((first, last)) if first == last => *first,
                Some(_) => return None,
                None if self.around.is_open(*index) => {
                    let extent = self.program.loop_index(*index).extent.as_constant()?;
                    let last = extent.checked_sub(self.around.own_steps(*index)?)?;
                    split.most += usize::try_from(*coefficient).ok()? * last;
                    split.open = split.open.add(&Affine::index(*index).scale(*coefficient));
                    0
                }
                None => 0,
            };
            split.known += coefficient * (start + offset(offsets, *index)) as i64;
        }
        Some(split)
    }

    /// Names for the elements of a row.
    fn row(&mut self, scope: &mut Scope, row: &Row) -> Vec<String> {
        let (access, offsets) = (&row.first, &row.offsets);
        let address = self.address(access);
        let pointer = self.pointer(access.array);
        let rows: Vec<String> = (0..self.unit.width)
            .map(|lane| self.at(scope, &pointer, &address, offsets, Some(lane)))
            .collect();
        let array = self.program.array(access.array);
        let (name, unit) = (array.name.clone(), self.unit_of(array.element).clone());
        match (row.count, unit.bits()) {
            (ROW, 64) => self.columns(&rows, &unit, &name),
            _ => self.columns_of_parts(&rows, &unit, &name),
        }
    }

    /// The vectors of as many elements at some places as 128 bits hold. `base` is their name.
    pub fn columns_of_parts(&mut self, places: &[String], unit: &Unit, base: &str) -> Vec<String> {
        let inside = 128 / unit.bits();
        let registers = (0..inside).map(|first| {
            let halves: Vec<String> = places[first..]
                .chunks(2 * inside)
                .map(|of| unit.of_two_parts(&of[0], &of[inside]))
                .collect();
            let text = match halves.as_slice() {
                [low, high] => unit.of_two_halves(low, high),
                _ => halves.concat(),
            };
            self.name("rows", &text)
        });
        let registers = registers.collect();
        self.transposed(&parts(unit.bits()), unit, registers, base)
    }

    /// The vectors of the first, second, third and fourth elements of 64 bits at some places, one for
    /// each lane. `base` is their name.
    pub fn columns(&mut self, places: &[String], unit: &Unit, base: &str) -> Vec<String> {
        let load = |place: &str| format!("_mm256_loadu_pd({})", unit.at(place));
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
