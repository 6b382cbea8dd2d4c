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

/// One screen: what changed nothing is left out, and printed where all is asked for.
#[test]
fn reports_fit_a_screen() {
    for report in [load::REPORT, smooth::REPORT, sums::REPORT] {
        let text = report.to_string();
        assert!(text.lines().count() < 40, "{text}");
        assert!(
            text.starts_with(&format!("`{}`: {}\n", report.kernel, report.verdict())),
            "{text}"
        );
        let all = format!("{report:#}");
        for pass in report.passes {
            let named = text.contains(&format!("\n  {} ", pass.name));
            assert_eq!(named, !pass.did.is_empty(), "{}: {text}", pass.name);
            assert!(all.contains(&format!("\n  {} ", pass.name)), "{all}");
        }
    }
    let best = load::REPORT.lanes[0];
    assert_eq!((best.over, best.width > 1), ("e", true));
    assert!(best.others.iter().any(|other| other.over.is_empty()));
    assert!(sums::REPORT.to_string().contains("runs as written"));
    assert!(!sums::REPORT.advice.is_empty());
}

/// From the text to the expansion no count is of another kind than those beside it.
#[test]
fn operations_are_counted_one_way() {
    let report = load::REPORT;
    let most = report.source.operations();
    for pass in report.passes {
        assert!(pass.after.operations() <= most, "{report:#}");
    }
    assert_eq!(report.passes.last().unwrap().after, report.expansion);
}

/// Code without lanes is an error where a kernel requires them, which says why.
#[test]
fn lanes_can_be_required() {
    let kernel = |options: &str, body: &str| {
        let text = format!("::loopwright; #[opt({options})] pub fn k(x: &mut [f64]) {{ {body} }}");
        loopwright_compiler::expand(text.parse().unwrap()).to_string()
    };
    let turned = "for i in 0..x.len() { x[i] = x[x.len() - 1 - i]; }";
    let scaled = "for i in 0..x.len() { x[i] *= 2.0; }";
    let refused = kernel("require_lanes", turned);
    for part in ["compile_error", "has no lanes", "earlier iteration of `i`"] {
        assert!(refused.contains(part), "{refused}");
    }
    for (options, body) in [
        ("require_lanes, isa = [scalar]", scaled),
        ("fallback, require_lanes", scaled),
    ] {
        assert!(kernel(options, body).contains("compile_error"), "{options}");
    }
    assert!(!kernel("require_lanes", scaled).contains("compile_error"));
    assert!(!kernel("level = 1", turned).contains("compile_error"));
}

loopwright::kernel! {
    pub fn smooth_bytes(x: &[u8], y: &mut [u32]) {
        for i in 0..y.len() {
            let mut sum = 0;
            for k in 0..5 {
                sum += x[i + k] as u32 * 3;
            }
            y[i] = (sum >> 2).min(255);
        }
    }

    pub fn centred(x: &[u8], y: &mut [f32]) {
        for i in 0..y.len() {
            y[i] = (x[i] as i32 - 128) as f32;
        }
    }

    pub fn above(x: &[f64], least: f64) -> u32 {
        let mut count = 0;
        for i in 0..x.len() {
            if x[i] > least {
                count += 1;
            }
        }
        count
    }

    pub fn gathered(m: &[u32], x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            let k = m[i] as usize * 3 + 1;
            y[i] = x[k] + x[k + 1];
        }
    }

    pub fn in_order(x: &[u8], counts: &mut [u64; 256]) {
        for i in 0..x.len() {
            counts[next(x[i]) as usize] += 1;
        }
    }

    fn next(x: u8) -> u8 {
        x.wrapping_add(1)
    }
}

/// Operations on integers count where these are data, in the text as in the program, and nowhere else.
#[test]
fn operations_on_integers_are_counted_one_way() {
    let cases = [
        (smooth_bytes::REPORT, (4 + 1 + 1, 5, 1)),
        (centred::REPORT, (1, 0, 0)),
        (above::REPORT, (1, 0, 1)),
        (gathered::REPORT, (1, 0, 0)),
        (in_order::REPORT, (1, 0, 0)),
    ];
    for (report, (add, mul, compare)) in cases {
        let expected = Cost {
            add,
            mul,
            compare,
            ..Cost::ZERO
        };
        let operations = |cost: &Cost| (cost.add, cost.mul, cost.div, cost.compare, cost.call);
        assert_eq!(
            operations(&report.source),
            operations(&expected),
            "{report:#}"
        );
        let most = report.source.operations();
        let mut after = report.passes.iter().map(|pass| pass.after.operations());
        assert!(after.all(|count| count <= most), "{report:#}");
        assert!(report.expansion.operations() <= most, "{report:#}");
        assert!(report.expansion.operations() > 0, "{report:#}");
    }
}
