//! Printing copies of long runs so that stores begin where lines of the cache do.
//!
//! Matrices of an odd number of elements lie next to each other, so that those of neighbouring lanes
//! begin at different places of a line, and most stores of whole registers would reach from one line to
//! the next. So each lane is a few elements behind the first one: its stores begin where those of the
//! first lane do. A lane that is an odd number behind pairs its elements otherwise when they are
//! transposed, and one that is two behind uses a pair of the step before; it takes no more shuffles.
//!
//! Holds: each element is stored once. A step stores, for each lane, the elements from where the one
//! before has ended; those before the first step and after the last one are copied one by one.

use super::printer::Printer;
use super::rows::ROW;
use super::vector::Unit;
use crate::collections::HashMap;
use crate::schedule::runs::Run;
use crate::schedule::tree::{CopyOut, Pipelined};

/// Elements of a run from which on the first lane, too, is made to begin where a line does: the
/// elements before are copied one by one.
const LONG: usize = 2048;

/// Where the elements of all lanes go.
#[derive(Clone, Default)]
pub struct Rows {
    /// The first element of each lane.
    pub pointers: Vec<String>,
    /// How many elements each is behind the first one.
    pub behind: Vec<usize>,
    /// How many of the lanes are stored, where not all are.
    pub active: Option<String>,
    /// Names of what a step leaves to the next.
    left: HashMap<Left, String>,
}

/// What a step leaves to the next, for a group of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Left {
    /// The last element of all lanes of a group.
    Last { group: usize },
    /// The last pair of a group's even lanes, or odd ones.
    Pair { group: usize, odd: bool },
}

impl Rows {
    /// Rows that begin anywhere.
    pub fn anywhere(pointers: Vec<String>) -> Rows {
        Rows {
            behind: vec![0; pointers.len()],
            pointers,
            active: None,
            left: HashMap::default(),
        }
    }

    /// Elements that are copied one by one before the first step, so that the lanes that are behind
    /// have something to store.
    fn ahead(&self) -> usize {
        match self.behind.iter().any(|elements| *elements > 0) {
            true => ROW,
            false => 0,
        }
    }

    /// What the lanes of a group leave.
    fn of_group(&self, group: usize) -> Vec<Left> {
        let mut result = Vec::new();
        for odd in [false, true] {
            for lane in (usize::from(odd)..ROW).step_by(2) {
                match self.behind[group * ROW + lane] {
                    0 => {}
                    1 => result.push(Left::Last { group }),
                    2 => result.push(Left::Pair { group, odd }),
                    _ => result.extend([Left::Last { group }, Left::Pair { group, odd }]),
                }
            }
        }
        result.sort_unstable();
        result.dedup();
        result
    }
}

/// Which rows make a pair: those of the step, or the row before and the first, and so on.
type Pair = (usize, usize);

impl Printer<'_> {
    /// Whether the elements of a run are transposed four by four: where lanes begin at different
    /// places of a line.
    pub fn in_quads(&self, copy: &CopyOut, run: &Run) -> bool {
        let unit = self.staged_unit(copy);
        let quads = unit.bits() == 64 && matches!(unit.width, ROW | 8);
        // Beside sums, too: shuffles of whole registers would take the units that these need.
        let beside_sums = matches!(copy.pipelined, Pipelined::SameVector(_));
        quads && !run.is_short(unit.width) && (beside_sums || !run.count.is_multiple_of(ROW))
    }

    /// The rows of a run, by the pointers to their first elements; what a step leaves is declared.
    pub fn rows(&mut self, copy: &CopyOut, run: &Run, pointers: Vec<String>) -> Rows {
        let mut rows = Rows::anywhere(pointers);
        if !self.in_quads(copy, run) {
            return rows;
        }
        for (lane, behind) in rows.behind.iter_mut().enumerate() {
            *behind = lane * run.count % ROW;
        }
        for group in 0..rows.pointers.len() / ROW {
            for left in rows.of_group(group) {
                let name = self.mutable("left", "_mm256_setzero_pd()");
                rows.left.insert(left, name);
            }
        }
        rows
    }

    /// Copies what is before the first step; an expression of where that begins.
    pub fn before_lines(
        &mut self,
        copy: &CopyOut,
        run: &Run,
        (source, rows): (&str, &Rows),
    ) -> String {
        let unit = self.staged_unit(copy);
        let long = run.count >= LONG;
        if !long && rows.ahead() == 0 {
            return "0usize".to_owned();
        }
        let ahead = rows.ahead();
        let start = match long {
            true => {
                let (bytes, step) = (unit.bits() / 8, if ahead > 0 { ROW } else { unit.width });
                let text = format!(
                    "({} as usize).wrapping_neg() / {bytes} % {step} + {ahead}",
                    rows.pointers[0]
                );
                self.name("start", &text)
            }
            false => format!("{ahead}usize"),
        };
        self.one_by_one(copy, run, (source, rows), |behind| {
            ("0".to_owned(), format!("{start} - {behind}"))
        });
        for group in 0..rows.pointers.len() / ROW {
            let lefts = rows.of_group(group);
            if lefts.is_empty() {
                continue;
            }
            let entries = self.entries(run, (source, &format!("{start} - {ROW}")), group);
            self.leave(rows, &lefts, &entries, &mut HashMap::default());
        }
        start
    }

    /// Copies what is after the last step, which would have begun at `at`.
    pub fn after_lines(
        &mut self,
        copy: &CopyOut,
        run: &Run,
        (source, rows, at): (&str, &Rows, &str),
    ) {
        let (count, width) = (run.count, self.staged_unit(copy).width);
        self.one_by_one(copy, run, (source, rows), |behind| {
            let from = match count >= LONG {
                true => format!("{at} - {behind}"),
                false => {
                    let start = rows.ahead();
                    let steps = (count - start) / width;
                    (start + steps * width - behind).to_string()
                }
            };
            (from, count.to_string())
        });
    }

    /// Copies some elements of each lane.
    fn one_by_one(
        &mut self,
        copy: &CopyOut,
        run: &Run,
        (source, rows): (&str, &Rows),
        range: impl Fn(usize) -> (String, String),
    ) {
        for (lane, (row, behind)) in rows.pointers.iter().zip(&rows.behind).enumerate() {
            let (from, to) = range(*behind);
            let one = self.fresh("one");
            let place = self.place(run, &one);
            let value = format!("*{source}.add({place} + {lane})");
            let text = self.copied_to(copy, &format!("{row}.add({one})"), &value);
            self.line(&format!("for {one} in {from}..{to} {{ {text} }}"));
        }
    }

    /// Four neighbours of a group's lanes.
    fn entries(&mut self, run: &Run, (source, at): (&str, &str), group: usize) -> Vec<String> {
        let load = |printer: &mut Self, k: usize| {
            let place = printer.place(run, &format!("{at} + {k}"));
            let first = group * ROW;
            printer.name(
                "staged",
                &format!("_mm256_loadu_pd({source}.add({place} + {first}))"),
            )
        };
        (0..ROW).map(|k| load(self, k)).collect()
    }

    /// Copies a step: as many neighbours of each lane as there are lanes.
    pub fn quads(&mut self, copy: &CopyOut, run: &Run, (source, rows, at): (&str, &Rows, &str)) {
        let unit = self.staged_unit(copy);
        for first in (0..unit.width).step_by(ROW) {
            for group in 0..unit.width / ROW {
                let from = format!("{at} + {first}");
                let entries = self.entries(run, (source, &from), group);
                self.quad(copy, &unit, (rows, &entries, &from), group);
            }
        }
    }

    /// Transposes four neighbours of four lanes, and stores them.
    fn quad(
        &mut self,
        copy: &CopyOut,
        unit: &Unit,
        (rows, entries, at): (&Rows, &[String], &str),
        group: usize,
    ) {
        let quarter = unit.quarter();
        let mut pairs = HashMap::default();
        let lefts = rows.of_group(group);
        let before = rows.left.get(&Left::Last { group });
        // The row before the first one is the last of the step before.
        let mut with_before: Vec<String> = before.cloned().into_iter().collect();
        with_before.extend(entries.iter().cloned());
        let shifted = with_before.len() - entries.len();
        for lane in 0..ROW {
            let (odd, behind) = (lane % 2 == 1, rows.behind[group * ROW + lane]);
            let ends = if behind % 2 == 0 {
                [(0, 1), (2, 3)].map(|(a, b)| (a + shifted, b + shifted))
            } else {
                [(0, 1), (2, 3)]
            };
            let first = self.paired(&with_before, ends[0], odd, &mut pairs);
            let (low, high) = if behind < 2 {
                (first, self.paired(&with_before, ends[1], odd, &mut pairs))
            } else {
                (rows.left[&Left::Pair { group, odd }].clone(), first)
            };
            let parts = if lane < 2 { "0x20" } else { "0x31" };
            let value = format!("_mm256_permute2f128_pd::<{parts}>({low}, {high})");
            let value = self.name("lane", &value);
            let row = &rows.pointers[group * ROW + lane];
            let pointer = match behind {
                0 => format!("{row}.add({at})"),
                _ => format!("{row}.add({at} - {behind})"),
            };
            self.put(copy, &quarter, (&pointer, &value));
        }
        self.leave(rows, &lefts, &with_before, &mut pairs);
    }

    /// Interleaves two rows' even lanes, or odd ones.
    fn paired(
        &mut self,
        rows: &[String],
        pair: Pair,
        odd: bool,
        known: &mut HashMap<(Pair, bool), String>,
    ) -> String {
        if let Some(name) = known.get(&(pair, odd)) {
            return name.clone();
        }
        let half = if odd { "hi" } else { "lo" };
        let (a, b) = (&rows[pair.0], &rows[pair.1]);
        let name = self.name("pair", &format!("_mm256_unpack{half}_pd({a}, {b})"));
        known.insert((pair, odd), name.clone());
        name
    }

    /// Leaves to the next step what it needs of the last rows.
    fn leave(
        &mut self,
        rows: &Rows,
        lefts: &[Left],
        last: &[String],
        pairs: &mut HashMap<(Pair, bool), String>,
    ) {
        let end = last.len();
        for left in lefts {
            let value = match left {
                Left::Last { .. } => last[end - 1].clone(),
                Left::Pair { group, odd } => {
                    // Lanes that are three behind pair the rows before the last one.
                    let lanes = (usize::from(*odd)..ROW).step_by(2);
                    let mut behind = lanes.map(|lane| rows.behind[group * ROW + lane]);
                    let from = if behind.any(|elements| elements == 3) {
                        end - 3
                    } else {
                        end - 2
                    };
                    self.paired(last, (from, from + 1), *odd, pairs)
                }
            };
            self.line(&format!("{} = {value};", rows.left[left]));
        }
    }
}
