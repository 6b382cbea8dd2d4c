//! Why a kernel is arranged as it is, in the words and numbers of its report.

use std::fmt::Write as _;

use loopwright_runtime::{Lanes, Report};

use crate::kernels::Kernel;

/// Decisions that say no more than the counts beside them.
const COUNTS: &str = "with it, ";

/// The explanation of a kernel, ready to print.
pub fn explained(kernel: &Kernel) -> String {
    let report = kernel.report();
    let mut out = format!("{}\n{}\n", kernel.place(), report.verdict());
    arrangements(&mut out, &report);
    operations(&mut out, &report);
    passes(&mut out, &report);
    memory(&mut out, &report);
    let remarks = [
        ("what could not be done", report.notes),
        ("what would make it faster", report.advice),
    ];
    for (title, remarks) in remarks {
        if !remarks.is_empty() {
            let _ = writeln!(out, "\n{title}");
        }
        for (at, remark) in remarks.iter().enumerate() {
            if !remarks[..at].contains(remark) {
                let _ = writeln!(out, "  {remark}");
            }
        }
    }
    if report.advice.is_empty() && !report.lanes.is_empty() {
        out.push_str("\nnothing in the text is known that would make it faster\n");
    }
    out
}

/// For each instruction set what the lanes could run over, the fastest first.
fn arrangements(out: &mut String, report: &Report) {
    if report.lanes.is_empty() {
        return;
    }
    let each = match report.per {
        "call" => "call".to_owned(),
        loops => format!("iteration of `{loops}`"),
    };
    let _ = writeln!(
        out,
        "\nwhat the lanes could run over, in cycles of the model for each {each}"
    );
    for lanes in report.lanes {
        let _ = writeln!(out, "  {}", lanes.isa);
        arrangement(out, lanes);
    }
}

fn arrangement(out: &mut String, lanes: &Lanes) {
    let named = |over: &str| match over {
        "" => "no lanes".to_owned(),
        over => format!("over `{over}`"),
    };
    let mut taken = named(lanes.over);
    if !lanes.over.is_empty() {
        taken = format!("{} lanes {taken}", lanes.width);
    }
    if !lanes.with.is_empty() {
        taken = format!("{taken}, {}", lanes.with);
    }
    let _ = writeln!(out, "    {:>9}  {taken}: taken", cycles(lanes.millicycles));
    let mut weighed: Vec<_> = lanes
        .others
        .iter()
        .filter(|other| other.reason.is_empty())
        .collect();
    weighed.sort_by_key(|other| other.millicycles);
    for other in weighed {
        let times = other.millicycles as f64 / lanes.millicycles.max(1) as f64;
        let (cycles, over) = (cycles(other.millicycles), named(other.over));
        let _ = writeln!(out, "    {cycles:>9}  {over}: {times:.2} times as long");
    }
    for other in lanes.others.iter().filter(|other| !other.reason.is_empty()) {
        let _ = writeln!(
            out,
            "    cannot be  {}: {}",
            named(other.over),
            other.reason
        );
    }
}

/// What is executed, loop by loop.
fn operations(out: &mut String, report: &Report) {
    let (source, expansion) = (&report.source, &report.expansion);
    let _ = writeln!(
        out,
        "\noperations\n  {:9}  {source}\n  {:9}  {expansion}",
        "text", "expansion"
    );
    if report.once.operations() > 0 {
        let _ = writeln!(out, "  {:9}  {}", "once", report.once);
    }
    for level in report.levels.iter().filter(|_| report.levels.len() > 1) {
        let _ = writeln!(
            out,
            "  each `{}`, {} times: {}",
            level.per, level.times, level.cost
        );
    }
}

/// What passes changed, or weighed and left.
fn passes(out: &mut String, report: &Report) {
    out.push_str("\nwhat the passes decided\n");
    for pass in report.passes {
        let (before, after) = (pass.before.operations(), pass.after.operations());
        let schedules = pass.name.starts_with("schedule for ");
        let weighed = |text: &&&str| text.contains("cycles") && !schedules;
        let said: Vec<&&str> = match pass.did.is_empty() {
            true => pass.decisions.iter().filter(weighed).collect(),
            false => pass
                .decisions
                .iter()
                .filter(|text| !text.contains(COUNTS))
                .collect(),
        };
        if pass.did.is_empty() && said.is_empty() {
            continue;
        }
        let _ = match before == after {
            true => writeln!(out, "  {}, {after} operations", pass.name),
            false => writeln!(out, "  {}, {before} → {after} operations", pass.name),
        };
        if said.is_empty() {
            let _ = writeln!(out, "    {}", pass.did);
        }
        for text in said {
            let _ = writeln!(out, "    {text}");
        }
    }
}

fn memory(out: &mut String, report: &Report) {
    let moved = report.traffic.read + report.traffic.written;
    if moved == 0 {
        return;
    }
    let operations = report.expansion.operations();
    let _ = writeln!(
        out,
        "\nmemory\n  {} bytes in and {} out for {operations} operations: {:.2} operations a byte",
        report.traffic.read,
        report.traffic.written,
        operations as f64 / moved as f64
    );
    if let Some(best) = report.lanes.first().filter(|best| best.millicycles > 0) {
        let rate = moved as f64 * 1e3 / best.millicycles as f64;
        let _ = writeln!(
            out,
            "  at the speed predicted for {} that is {rate:.1} bytes a cycle: where memory or a cache moves fewer, \
             it sets the speed",
            best.isa
        );
    }
}

/// Thousandths of a cycle, in cycles.
fn cycles(thousandths: u64) -> String {
    format!("{:.2}", thousandths as f64 / 1e3)
}
