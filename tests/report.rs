//! What the files of a report state is what the constant `REPORT` states.
#![allow(missing_docs, reason = "kernels of tests")]

use std::fs;

use loopwright::{Cost, Report};
use loopwright_compiler::{Destination, Settings, expand_under};
use serde_json::Value;

/// Expands kernels, and keeps their text.
macro_rules! kernels {
    ($($text:tt)*) => {
        loopwright::kernel! { $($text)* }

        const TEXT: &str = stringify!($($text)*);
    };
}

kernels! {
    /// Element vectors of a coefficient function.
    pub fn load(cells: &[[[f64; 2]; 3]], f: &[[f64; 3]], b: &mut [[f64; 3]]) {
        static W: [f64; 6] = tabulate!(triangle, quadrature(4), weights);
        static PHI: [[f64; 3]; 6] = tabulate!(triangle, quadrature(4), lagrange(1));
        for e in 0..cells.len() {
            let x = &cells[e];
            let det = (x[1][0] - x[0][0]) * (x[2][1] - x[0][1])
                - (x[1][1] - x[0][1]) * (x[2][0] - x[0][0]);
            for q in 0..6 {
                let mut value = 0.0;
                for k in 0..3 {
                    value += f[e][k] * PHI[q][k];
                }
                for i in 0..3 {
                    b[e][i] += W[q] * det.abs() * value * PHI[q][i];
                }
            }
        }
    }

    #[opt(level = 1)]
    pub fn smooth(u: &[f64], v: &mut [f64]) {
        for i in 1..u.len() - 1 {
            v[i] = 0.25 * (u[i - 1] + u[i + 1]) + 0.5 * u[i];
        }
    }

    pub fn sums(x: &mut [f64]) {
        for i in 1..x.len() {
            x[i] += x[i - 1];
        }
    }
}

fn assert_cost(found: &Value, cost: &Cost) {
    let wanted = serde_json::json!({
        "add": cost.add,
        "mul": cost.mul,
        "div": cost.div,
        "compare": cost.compare,
        "call": cost.call,
        "temporary_bytes": cost.temporary_bytes,
        "table_bytes": cost.table_bytes,
    });
    assert_eq!(*found, wanted);
}

fn assert_report(found: &Value, report: &Report) {
    assert_eq!(found["kernel"], report.kernel);
    assert_eq!(found["per"], report.per);
    assert_cost(&found["source"], &report.source);
    assert_cost(&found["expansion"], &report.expansion);
    assert_cost(&found["once"], &report.once);
    let passes = found["passes"].as_array().unwrap();
    assert_eq!(passes.len(), report.passes.len());
    for (found, pass) in passes.iter().zip(report.passes) {
        assert_eq!(found["name"], pass.name);
        assert_cost(&found["before"], &pass.before);
        assert_cost(&found["after"], &pass.after);
        assert_eq!(found["decisions"], serde_json::json!(pass.decisions));
    }
    // The file counts lines from where its text begins.
    let notes = found["notes"].as_array().unwrap();
    assert_eq!(notes.len(), report.notes.len());
}

#[test]
fn files_and_constants_agree() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    let settings = Settings {
        report: Some(Destination {
            folder: folder.clone(),
            krate: "constants".to_owned(),
        }),
        ..Settings::default()
    };
    let input = format!("::loopwright; {TEXT}");
    let items = expand_under(input.parse().unwrap(), &settings).to_string();
    assert!(!items.contains("compile_error"), "{items}");
    for report in [load::REPORT, smooth::REPORT, sums::REPORT] {
        let path = folder.join(format!("constants/{}.json", report.kernel));
        let text = fs::read_to_string(path).unwrap();
        assert_report(&serde_json::from_str(&text).unwrap(), &report);
    }
}

/// Each pass says what it decided, at every level, and counts what it chose from.
#[test]
fn passes_say_what_they_decided() {
    for report in [load::REPORT, smooth::REPORT] {
        for pass in report.passes {
            assert!(!pass.decisions.is_empty(), "{}", pass.name);
        }
    }
    let decided = |name: &str| {
        let pass = load::REPORT.passes.iter().find(|pass| pass.name == name);
        pass.unwrap().decisions.join("\n")
    };
    for (pass, parts) in [
        ("pre_evaluation", ["operations", "bytes"]),
        ("code_motion", ["hoisted", "operations"]),
        ("common_subexpressions", ["common", "operations"]),
        ("schedule for avx2", ["width 4", "cycles"]),
    ] {
        for part in parts {
            assert!(decided(pass).contains(part), "{pass}: {}", decided(pass));
        }
    }
}
