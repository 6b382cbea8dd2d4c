//! The table at the end.

use comfy_table::Table;
use loopwright::Report;

use crate::assembly::{Outcome, Timing};
use crate::table::{align_right, new_table};

/// The numbers of a run.
pub struct Summary<'a> {
    /// How many cells the mesh has.
    pub cells: usize,
    /// How many unknowns the system has.
    pub dofs: usize,
    /// How many entries the matrix has.
    pub nonzeros: usize,
    /// What the macro did to the kernels.
    pub reports: [&'a Report; 2],
    /// The relative residual of the solution.
    pub residual: f64,
    /// The smallest and the largest coefficient of the solution.
    pub range: [f64; 2],
}

impl Summary<'_> {
    /// The problem and its solution.
    pub fn table(&self) -> Table {
        let mut table = new_table();
        table.add_row(["cells".to_owned(), self.cells.to_string()]);
        table.add_row(["unknowns".to_owned(), self.dofs.to_string()]);
        table.add_row(["nonzeros".to_owned(), self.nonzeros.to_string()]);
        for report in self.reports {
            let what = match report.per {
                "e" => format!("{}, operations a cell", report.kernel),
                per => format!("{}, operations per {per}", report.kernel),
            };
            let [before, after] = [report.source, report.expansion].map(|cost| cost.operations());
            table.add_row([what, format!("{before} → {after}")]);
        }
        table.add_row([
            "residual |b - Au| / |b|".to_owned(),
            format!("{:.1e}", self.residual),
        ]);
        let [low, high] = self.range;
        table.add_row(["u".to_owned(), format!("{low:.4} … {high:.4}")]);
        align_right(table, 1)
    }
}

/// The variants beside the reference.
pub fn timings(timings: &[Timing]) -> Table {
    let mut table = new_table();
    table.set_header(["assembly", "stiffness", "load", "speed-up", "difference"]);
    let total = |outcome: &Outcome| (outcome.stiffness + outcome.load).as_secs_f64();
    let reference = timings
        .first()
        .and_then(|timing| timing.outcome.as_ref().ok())
        .map(total);
    for timing in timings {
        let name = timing.name.clone();
        match &timing.outcome {
            Ok(outcome) => {
                let milliseconds =
                    |time: std::time::Duration| format!("{:.3} ms", time.as_secs_f64() * 1e3);
                let speedup = reference.map_or(1.0, |reference| reference / total(outcome));
                table.add_row([
                    name,
                    milliseconds(outcome.stiffness),
                    milliseconds(outcome.load),
                    format!("{speedup:.2}"),
                    format!("{:.1e}", outcome.difference),
                ]);
            }
            Err(_) => {
                table.add_row([name.as_str(), "not on this processor", "", "", ""]);
            }
        }
    }
    align_right(table, 4)
}
