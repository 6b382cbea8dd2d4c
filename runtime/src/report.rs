//! What the compiler did to a kernel, as constants that the expansion carries.

mod display;

use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul};

/// Operation counts and bytes of memory.
///
/// The rules: a fused multiply-add is one addition and one multiplication; the addition of `+=`
/// counts; subtraction is addition; negation and `abs` are free; `min`, `max` and conditions are
/// comparisons; `powi(n)` is |n| - 1 multiplications, and a division where n is negative. A sum
/// starts with its first term, also where vector code fuses that into a zero. Operations on integers count by the
/// same rules where their operands are entries of arrays, or sums that are made of them, and do not lead to
/// subscripts and bounds; `&`, `|`, `^`, `!` and `>>` are additions, `<<` by a constant is a multiplication. In generic
/// kernels they do not count, since the number type sees none of them.
/// `Counted` (with the feature `std`) counts by the same rules.
///
/// Costs add up as parts of one program do: operations add, bytes keep the larger of the two,
/// since both parts may use one memory. `cost * n` runs the same thing n times: operations are
/// multiplied, bytes stay. Both saturate.
///
/// ```
/// use loopwright_runtime::Cost;
/// let row = Cost { add: 2, mul: 3, temporary_bytes: 64, ..Cost::ZERO };
/// let all = row * 10 + Cost { div: 1, temporary_bytes: 8, ..Cost::ZERO };
/// assert_eq!((all.add, all.mul, all.div, all.temporary_bytes), (20, 30, 1, 64));
/// assert_eq!(all.operations(), 51);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cost {
    /// Additions and subtractions, and operations on bits.
    pub add: u64,
    /// Multiplications.
    pub mul: u64,
    /// Divisions and reciprocals.
    pub div: u64,
    /// Comparisons, `min` and `max` among them.
    pub compare: u64,
    /// Calls: square roots, exponentials, the user's functions.
    pub call: u64,
    /// Bytes of the temporary arrays alive at once; scalars and registers do not count. Those with extents
    /// that are known when the kernel runs only are named in what the schedule decided.
    pub temporary_bytes: u64,
    /// Bytes of constant tables.
    pub table_bytes: u64,
}

impl Cost {
    /// Nothing at all.
    pub const ZERO: Cost = Cost {
        add: 0,
        mul: 0,
        div: 0,
        compare: 0,
        call: 0,
        temporary_bytes: 0,
        table_bytes: 0,
    };

    /// All operations: `add + mul + div + compare + call`, saturating.
    #[must_use]
    pub const fn operations(&self) -> u64 {
        self.add
            .saturating_add(self.mul)
            .saturating_add(self.div)
            .saturating_add(self.compare)
            .saturating_add(self.call)
    }
}

/// The fields of a [`Cost`] in order: expanded code states its costs so.
#[doc(hidden)]
#[must_use]
pub const fn cost(counts: [u64; 7]) -> Cost {
    let [add, mul, div, compare, call, temporary_bytes, table_bytes] = counts;
    Cost {
        add,
        mul,
        div,
        compare,
        call,
        temporary_bytes,
        table_bytes,
    }
}

impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost {
            add: self.add.saturating_add(other.add),
            mul: self.mul.saturating_add(other.mul),
            div: self.div.saturating_add(other.div),
            compare: self.compare.saturating_add(other.compare),
            call: self.call.saturating_add(other.call),
            temporary_bytes: self.temporary_bytes.max(other.temporary_bytes),
            table_bytes: self.table_bytes.max(other.table_bytes),
        }
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        *self = *self + other;
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::ZERO, Add::add)
    }
}

impl Mul<u64> for Cost {
    type Output = Cost;

    fn mul(self, times: u64) -> Cost {
        Cost {
            add: self.add.saturating_mul(times),
            mul: self.mul.saturating_mul(times),
            div: self.div.saturating_mul(times),
            compare: self.compare.saturating_mul(times),
            call: self.call.saturating_mul(times),
            ..self
        }
    }
}

/// One line: `51 operations (20 add, 30 mul, 1 div), 64 bytes of temporaries`; zeros are left out.
impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operations = self.operations();
        write!(
            f,
            "{operations} operation{}",
            if operations == 1 { "" } else { "s" }
        )?;
        let mut open = false;
        for (count, name) in [
            (self.add, "add"),
            (self.mul, "mul"),
            (self.div, "div"),
            (self.compare, "compare"),
            (self.call, "call"),
        ] {
            if count > 0 {
                write!(f, "{}{count} {name}", if open { ", " } else { " (" })?;
                open = true;
            }
        }
        if open {
            f.write_str(")")?;
        }
        for (bytes, name) in [
            (self.temporary_bytes, "temporaries"),
            (self.table_bytes, "tables"),
        ] {
            if bytes > 0 {
                write!(
                    f,
                    ", {bytes} byte{} of {name}",
                    if bytes == 1 { "" } else { "s" }
                )?;
            }
        }
        Ok(())
    }
}

/// What one pass did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassReport {
    /// The pass, by its file name.
    pub name: &'static str,
    /// The cost it found, counted per iteration as [`Report::per`] says.
    pub before: Cost,
    /// The cost it left.
    pub after: Cost,
    /// What it did to this kernel, in one line; empty if it changed nothing.
    pub did: &'static str,
    /// What was decided among which alternatives.
    pub decisions: &'static [&'static str],
}

/// The loop that the lanes of an instruction set run over, and what it was weighed against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// The instruction set, as in `"avx512"`.
    pub isa: &'static str,
    /// Numbers in a vector; 1 without lanes.
    pub width: u64,
    /// The loop, as the text names it; empty if there are no lanes.
    pub over: &'static str,
    /// Predicted time of one iteration of [`Report::per`], in thousandths of a cycle.
    pub millicycles: u64,
    /// How the loop tree differs from one vector a step, as in `"4 vectors a step"`.
    pub with: &'static str,
    /// The other loops.
    pub others: &'static [OtherLanes],
}

/// A loop that lanes do not run over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherLanes {
    /// The loop; empty for code without lanes.
    pub over: &'static str,
    /// The prediction, as [`Lanes::millicycles`]; 0 where there is none.
    pub millicycles: u64,
    /// Why lanes cannot run over it; empty if they only would take longer.
    pub reason: &'static str,
}

/// Bytes of arrays from outside that one iteration moves, each element once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Traffic {
    /// Read.
    pub read: u64,
    /// Written.
    pub written: u64,
}

/// What one iteration of some loops executes that is in no other loop whose length is known at run time
/// only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The loops, outermost first, as in `"j, i"`; `"call"` for what is in none.
    pub per: &'static str,
    /// How many iterations there are, as in `"x.len() * m"`; `"1"` for what is in no loop.
    pub times: &'static str,
    /// What one of them executes, in one lane.
    pub cost: Cost,
}

/// What the compiler did to a kernel.
///
/// `{}` prints one screen: a verdict, the operations of the text and of the expansion, the passes that
/// changed something, the loops that lanes run over and what spoke against the others, and what would
/// make the kernel faster. `{:#}` prints all that is known.
///
/// ```
/// use loopwright_runtime::{Cost, Level, PassReport, Report, Traffic};
/// const SOURCE: Cost = Cost { add: 4, mul: 5, ..Cost::ZERO };
/// const EXPANSION: Cost = Cost { add: 4, mul: 1, ..Cost::ZERO };
/// const REPORT: Report = Report {
///     kernel: "stencil",
///     per: "i, j",
///     source: SOURCE,
///     expansion: EXPANSION,
///     once: Cost::ZERO,
///     levels: &[Level { per: "i, j", times: "n * m", cost: EXPANSION }],
///     passes: &[PassReport {
///         name: "factorise",
///         before: SOURCE,
///         after: EXPANSION,
///         did: "common factors taken out of sums",
///         decisions: &["took the common factor `h`"],
///     }],
///     lanes: &[],
///     traffic: Traffic { read: 8, written: 8 },
///     notes: &[],
///     advice: &[],
/// };
/// println!("{REPORT}");
/// assert!(REPORT.to_string().contains("9 → 5 operations per `i, j`"));
/// assert!(format!("{REPORT:#}").contains("took the common factor `h`"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The kernel's name.
    pub kernel: &'static str,
    /// What the costs are counted for: `"call"`, or the loops whose one iteration it is, as in
    /// `"e"` and `"i, j"`.
    pub per: &'static str,
    /// The text as written.
    pub source: Cost,
    /// What is executed, in one lane; the same for every instruction set.
    pub expansion: Cost,
    /// What is executed once a call besides, outside the loops of [`per`](Report::per).
    pub once: Cost,
    /// What is executed, loop by loop, so that the operations of a call are the sum of each level's
    /// [`cost`](Level::cost) so many [`times`](Level::times); none for what runs as written.
    pub levels: &'static [Level],
    /// The passes, in the order in which they ran. Where values are moved out of loops at all, each
    /// count is that of the program with its values moved, so that all of them count the same way.
    pub passes: &'static [PassReport],
    /// The loops that lanes run over, the best instruction set first; none for what runs as written.
    pub lanes: &'static [Lanes],
    /// What one iteration of [`per`](Report::per) moves; nothing for what runs as written.
    pub traffic: Traffic,
    /// What could not be done, and where.
    pub notes: &'static [&'static str],
    /// What would make it faster, in words about the text.
    pub advice: &'static [&'static str],
}

impl Report {
    /// The report in one line:
    /// ``8 lanes over `e` · 279 → 55 operations per `e` · 10.0 cycles each predicted``.
    #[must_use]
    pub fn verdict(&self) -> impl fmt::Display + use<> {
        display::Verdict(*self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    const COST: Cost = Cost {
        add: 20,
        mul: 30,
        div: 1,
        compare: 2,
        call: 3,
        temporary_bytes: 64,
        table_bytes: 1,
    };

    #[test]
    fn costs_print_on_one_line() {
        assert_eq!(Cost::ZERO.to_string(), "0 operations");
        assert_eq!(
            Cost {
                mul: 1,
                ..Cost::ZERO
            }
            .to_string(),
            "1 operation (1 mul)"
        );
        assert_eq!(
            COST.to_string(),
            "56 operations (20 add, 30 mul, 1 div, 2 compare, 3 call), \
             64 bytes of temporaries, 1 byte of tables"
        );
    }

    #[test]
    fn operations_add_and_bytes_keep_the_larger() {
        let sum = COST
            + Cost {
                add: 1,
                temporary_bytes: 8,
                table_bytes: 9,
                ..Cost::ZERO
            };
        assert_eq!(
            sum,
            Cost {
                add: 21,
                table_bytes: 9,
                ..COST
            }
        );
        assert_eq!([COST, COST, COST].into_iter().sum::<Cost>(), COST * 3);
        let never = 0;
        assert_eq!((COST * never).operations(), 0);
        assert_eq!((COST * never).temporary_bytes, 64);
    }

    #[test]
    fn counts_saturate() {
        let huge = Cost {
            add: u64::MAX,
            mul: 7,
            ..Cost::ZERO
        };
        assert_eq!((huge + huge).add, u64::MAX);
        assert_eq!((huge * 2).add, u64::MAX);
        assert_eq!(huge.operations(), u64::MAX);
    }
}
