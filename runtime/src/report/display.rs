//! Reports as text: one screen, or all of it.

use core::fmt;

use super::{Cost, Lanes, Level, OtherLanes, Report};

/// Width of a line that is broken.
const LINE: usize = 100;
/// The narrowest first column; longer names widen it.
const FIRST_COLUMN: usize = 9;

/// A column of the table of operations: its name, and what it shows.
type Column = (&'static str, fn(&Cost) -> u64);

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = f.alternate();
        let changed = self
            .passes
            .iter()
            .filter(|pass| all || !pass.did.is_empty());
        let names = changed.clone().map(|pass| pass.name.chars().count());
        let width = names.fold(FIRST_COLUMN, usize::max);
        writeln!(f, "`{}`: {}", self.kernel, Verdict(*self))?;
        self.costs(f, width)?;
        if changed.clone().next().is_some() {
            writeln!(f, "\n  passes, and the operations before and after")?;
        }
        for pass in changed {
            let (before, after) = (pass.before.operations(), pass.after.operations());
            write!(f, "  {:width$}", pass.name)?;
            match before == after {
                true => write!(f, " {after:>6}         ")?,
                false => write!(f, " {before:>6} → {after:<6}")?,
            }
            let did = if pass.did.is_empty() {
                "no change"
            } else {
                pass.did
            };
            broken(f, did, width + 19)?;
            if all {
                for decision in pass.decisions {
                    writeln!(f, "    {decision}")?;
                }
            }
        }
        self.lanes(f, width)?;
        self.remarks(f)
    }
}

impl Report {
    /// The table of operations; columns of zeros are left out.
    fn costs(&self, f: &mut fmt::Formatter<'_>, width: usize) -> fmt::Result {
        let once = (self.once != Cost::ZERO).then_some(("once", &self.once));
        let rows = [("source", &self.source), ("expansion", &self.expansion)];
        let columns: [Column; 8] = [
            ("add", |cost| cost.add),
            ("mul", |cost| cost.mul),
            ("div", |cost| cost.div),
            ("compare", |cost| cost.compare),
            ("call", |cost| cost.call),
            ("total", Cost::operations),
            ("temporaries", |cost| cost.temporary_bytes),
            ("tables", |cost| cost.table_bytes),
        ];
        let rows = || rows.into_iter().chain(once);
        let shown =
            |(name, count): &Column| *name == "total" || rows().any(|(_, cost)| count(cost) > 0);
        write!(f, "\n  {:width$}", "")?;
        for (name, _) in columns.iter().filter(|column| shown(column)) {
            write!(f, " {name:>8}")?;
        }
        writeln!(f)?;
        for (name, cost) in rows() {
            write!(f, "  {name:width$}")?;
            for (name, count) in columns.iter().filter(|column| shown(column)) {
                let (count, width) = (count(cost), name.len().max(8));
                match *name {
                    "temporaries" | "tables" => write!(f, " {count:>0$} B", width - 2)?,
                    _ => write!(f, " {count:>width$}")?,
                }
            }
            writeln!(f)?;
        }
        if self.levels.len() > 1 {
            for Level { per, times, cost } in self.levels {
                let (open, close) = if *per == "call" { ("", "") } else { ("`", "`") };
                writeln!(f, "  each {open}{per}{close}, {times} times: {cost}")?;
            }
        }
        if self.traffic.read + self.traffic.written > 0 {
            let (read, written) = (self.traffic.read, self.traffic.written);
            let moved = (read + written) as f64;
            let rate = self.expansion.operations() as f64 / moved;
            writeln!(
                f,
                "  moves {read} bytes in and {written} out: {rate:.2} operations a byte"
            )?;
        }
        Ok(())
    }

    fn lanes(&self, f: &mut fmt::Formatter<'_>, width: usize) -> fmt::Result {
        if self.lanes.is_empty() {
            return Ok(());
        }
        let per = Per(self.per);
        writeln!(f, "\n  lanes, and the cycles predicted per {per}")?;
        for lanes in self.lanes {
            write!(
                f,
                "  {:width$} {:>6} ",
                lanes.isa,
                Cycles(lanes.millicycles)
            )?;
            match (lanes.over, lanes.with) {
                ("", AS_WRITTEN) => write!(f, "as written")?,
                ("", with) => write!(f, "no lanes{}", After(with))?,
                (over, with) => write!(f, "{} over `{over}`{}", lanes.width, After(with))?,
            }
            let weighed = lanes.others.iter().filter(|other| other.reason.is_empty());
            for (
                at,
                OtherLanes {
                    over, millicycles, ..
                },
            ) in weighed.enumerate()
            {
                f.write_str(if at == 0 { "; " } else { ", " })?;
                match *over {
                    "" => write!(f, "without lanes {}", Cycles(*millicycles))?,
                    over => write!(f, "over `{over}` {}", Cycles(*millicycles))?,
                }
            }
            writeln!(f)?;
        }
        // What cannot be is the same for all widths.
        for (at, lanes) in self.lanes.iter().enumerate() {
            for other in lanes.others.iter().filter(|other| !other.reason.is_empty()) {
                let said = self.lanes[..at]
                    .iter()
                    .any(|lanes| lanes.others.contains(other));
                if !said {
                    writeln!(f, "  not over `{}`: {}", other.over, other.reason)?;
                }
            }
        }
        Ok(())
    }

    /// Notes and advice, each once.
    fn remarks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, remarks) in [("note", self.notes), ("faster", self.advice)] {
            for (at, remark) in remarks.iter().enumerate() {
                if remarks[..at].contains(remark) {
                    continue;
                }
                f.write_str(if at == 0 { "\n  " } else { "  " })?;
                write!(f, "{kind}: ")?;
                broken(f, remark, kind.len() + 4)?;
            }
        }
        Ok(())
    }
}

/// Writes a text whose lines are broken between words, and begin at a column.
fn broken(f: &mut fmt::Formatter<'_>, text: &str, column: usize) -> fmt::Result {
    let mut at = column;
    for (number, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if number > 0 && at + 1 + length > LINE {
            write!(f, "\n{:column$}", "")?;
            at = column;
        } else if number > 0 {
            f.write_str(" ")?;
            at += 1;
        }
        f.write_str(word)?;
        at += length;
    }
    writeln!(f)
}

/// How lanes are said to be those of the text as `rustc` compiles it.
const AS_WRITTEN: &str = "as written";

/// What follows something, if there is anything.
struct After<'a>(&'a str);

impl fmt::Display for After<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => Ok(()),
            text => write!(f, ", {text}"),
        }
    }
}

/// A report in one line.
pub struct Verdict(pub Report);

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verdict(report) = self;
        match report.lanes {
            [] => write!(f, "runs as written")?,
            [
                Lanes {
                    over: "",
                    with: AS_WRITTEN,
                    ..
                },
                ..,
            ] => write!(f, "runs as written")?,
            [Lanes { over: "", .. }, ..] => write!(f, "no lanes")?,
            [Lanes { width, over, .. }, ..] => write!(f, "{width} lanes over `{over}`")?,
        }
        let (source, expansion) = (report.source.operations(), report.expansion.operations());
        let per = Per(report.per);
        // Of what is no kernel's language nothing is counted.
        if report.lanes.is_empty() && source == 0 {
            return Ok(());
        }
        match source == expansion {
            true => write!(f, " · {expansion} operations per {per}")?,
            false => write!(f, " · {source} → {expansion} operations per {per}")?,
        }
        match report.lanes.first() {
            Some(Lanes { millicycles, .. }) if *millicycles > 0 => {
                write!(f, " · {} cycles each predicted", Cycles(*millicycles))
            }
            _ => Ok(()),
        }
    }
}

/// What is counted, as it stands in a sentence.
struct Per(&'static str);

impl fmt::Display for Per {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            "call" => f.write_str("call"),
            loops => write!(f, "`{loops}`"),
        }
    }
}

/// Thousandths of a cycle with three digits.
struct Cycles(u64);

impl fmt::Display for Cycles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cycles = self.0 as f64 / 1e3;
        // Padding takes the whole number.
        let digits = match self.0 {
            0..10_000 => 2,
            10_000..100_000 => 1,
            _ => 0,
        };
        match f.width() {
            Some(width) => write!(f, "{cycles:>width$.digits$}"),
            None => write!(f, "{cycles:.digits$}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PassReport, Traffic};
    use super::*;
    use alloc::format;
    use alloc::string::ToString;

    const SOURCE: Cost = Cost {
        add: 78,
        mul: 201,
        table_bytes: 160,
        ..Cost::ZERO
    };
    const EXPANSION: Cost = Cost {
        add: 30,
        mul: 25,
        ..Cost::ZERO
    };
    const REPORT: Report = Report {
        kernel: "mass",
        per: "e",
        source: SOURCE,
        expansion: EXPANSION,
        once: Cost::ZERO,
        levels: &[],
        passes: &[
            PassReport {
                name: "merge",
                before: SOURCE,
                after: SOURCE,
                did: "",
                decisions: &["0 accumulations merged"],
            },
            PassReport {
                name: "pre_evaluation",
                before: SOURCE,
                after: EXPANSION,
                did: "sums over tables done while compiling",
                decisions: &["tables"],
            },
        ],
        lanes: &[Lanes {
            isa: "avx512",
            width: 8,
            over: "e",
            millicycles: 10_026,
            with: "",
            others: &[
                OtherLanes {
                    over: "",
                    millicycles: 31_000,
                    reason: "",
                },
                OtherLanes {
                    over: "q",
                    millicycles: 0,
                    reason: "it is summed over",
                },
            ],
        }],
        traffic: Traffic {
            read: 96,
            written: 128,
        },
        notes: &["one", "one"],
        advice: &["write to another array"],
    };

    #[test]
    fn one_screen_has_what_changed() {
        let wanted = "\
`mass`: 8 lanes over `e` · 279 → 55 operations per `e` · 10.0 cycles each predicted

                      add      mul    total   tables
  source               78      201      279    160 B
  expansion            30       25       55      0 B
  moves 96 bytes in and 128 out: 0.25 operations a byte

  passes, and the operations before and after
  pre_evaluation    279 → 55    sums over tables done while compiling

  lanes, and the cycles predicted per `e`
  avx512           10.0 8 over `e`; without lanes 31.0
  not over `q`: it is summed over

  note: one

  faster: write to another array
";
        assert_eq!(REPORT.to_string(), wanted);
    }

    #[test]
    fn all_of_it_has_every_decision() {
        let text = format!("{REPORT:#}");
        for part in [
            "  merge ",
            "no change",
            "    0 accumulations merged",
            "    tables",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn what_runs_as_written_says_so() {
        let report = Report {
            lanes: &[],
            expansion: SOURCE,
            per: "call",
            ..REPORT
        };
        let verdict = report.verdict().to_string();
        assert_eq!(verdict, "runs as written · 279 operations per call");
        let uncounted = Report {
            source: Cost::ZERO,
            expansion: Cost::ZERO,
            ..report
        };
        assert_eq!(uncounted.verdict().to_string(), "runs as written");
    }
}
