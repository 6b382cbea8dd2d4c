//! Operations of stencils, point by point, from their texts.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use loopwright_compiler::{Destination, Settings, expand_under};
use serde_json::Value;

/// What one point of the long loops of a kernel takes, the loops that lanes run over, and whether what these share is
/// in registers or in rings of rows.
#[derive(Debug, PartialEq, Eq)]
struct Point {
    operations: u64,
    lanes: String,
    shared: [bool; 2],
}

/// The report of the only kernel of a text.
fn report(name: &str, text: &str) -> Value {
    static FOLDERS: AtomicUsize = AtomicUsize::new(0);
    let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
    let folder = format!("loopwright-stencils-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(folder);
    let settings = Settings {
        report: Some(Destination {
            folder: folder.clone(),
            krate: "example".to_owned(),
        }),
        ..Settings::default()
    };
    let input = format!("::loopwright; {text}");
    let expansion = expand_under(input.parse().unwrap(), &settings).to_string();
    assert!(!expansion.contains("compile_error"), "{name}: {expansion}");
    let file: PathBuf = folder.join("example").join(format!("{name}.json"));
    let report = fs::read_to_string(&file).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    serde_json::from_str(&report).unwrap()
}

/// What a point inside takes: each operation of the loops over all dimensions, a row or a plane more or less.
fn inside(name: &str, text: &str) -> Point {
    let report = report(name, text);
    let per = report["per"].as_str().unwrap().to_owned();
    let levels = report["levels"].as_array().unwrap().iter();
    let levels = levels.filter(|level| level["per"].as_str() == Some(&per));
    let cost = |level: &Value| -> u64 {
        let kinds = ["add", "mul", "div", "compare", "call"];
        kinds
            .map(|kind| level["cost"][kind].as_u64().unwrap())
            .iter()
            .sum()
    };
    let lanes = &report["lanes"][0];
    let with = lanes["with"].to_string();
    Point {
        operations: levels.map(cost).sum(),
        lanes: lanes["over"].to_string(),
        shared: ["in registers", "in rings"].map(|place| with.contains(place)),
    }
}

/// A kernel over a grid of rows, whose points are computed by a text.
fn grid(rows: &str, columns: &str, point: &str) -> String {
    format!(
        "pub fn kernel(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {{
            let (n, m) = y.dim();
            for j in 0..{rows} {{ for i in 0..{columns} {{ {point} }} }}
        }}"
    )
}

/// A window of some rows and columns with weights, whose subscripts are given by two functions of the point and the
/// place in the window.
fn window((height, width): (usize, usize), weight: &str, row: &str, column: &str) -> String {
    format!(
        "let mut s = 0.0;
         for a in 0..{height}_usize {{ for b in 0..{width}_usize {{ s += {weight} x[[{row}, {column}]]; }} }}
         y[[j, i]] = s / 7.0;"
    )
}

/// Subscripts that stop, turn back or begin again at the sides, for windows that reach so far.
fn sides(reach: usize) -> [[String; 2]; 3] {
    let both = |text: &str| {
        [("j", "a", "n"), ("i", "b", "m")].map(|(index, place, length)| {
            (text.replace('I', index).replace('K', place))
                .replace('N', length)
                .replace('R', &reach.to_string())
        })
    };
    [
        both("(I + K).max(R).min(N - 1 + R) - R"),
        both("(I + K).saturating_sub(R).min(N - 1)"),
        both("(I + K + N - R) % N"),
    ]
}

/// A window takes as many operations inside as it takes without sides, and as many lanes.
fn costs_what_it_costs_without_sides(size: usize, weight: &str) {
    let open = window((size, size), weight, "j + a", "i + b");
    let open = inside("kernel", &grid("n", "m", &open));
    assert!(open.lanes.contains('i'), "{open:?}");
    for [row, column] in sides(size / 2) {
        let closed = window((size, size), weight, &row, &column);
        let closed = inside("kernel", &grid("n", "m", &closed));
        assert_eq!(closed, open, "{size} by {size}, {row}");
    }
}

#[test]
fn boxes_inside_cost_what_they_cost_without_sides() {
    costs_what_it_costs_without_sides(3, "");
    costs_what_it_costs_without_sides(5, "");
}

#[test]
fn weights_inside_cost_what_they_cost_without_sides() {
    costs_what_it_costs_without_sides(3, "(1.0 + (a * (2 - a) + b * (2 - b)) as f64) *");
}

#[test]
fn gradients_inside_cost_what_they_cost_without_sides() {
    let sobel = |up: &str, down: &str, left: &str, right: &str| {
        let difference = |p: [[&str; 2]; 3], q: [[&str; 2]; 3]| {
            let at = |[r, c]: [&str; 2]| format!("x[[{r}, {c}]]");
            let side = |s: [[&str; 2]; 3]| {
                let [a, b, c] = s.map(at);
                format!("{a} + 2.0 * {b} + {c}")
            };
            format!("({}) - ({})", side(p), side(q))
        };
        let rows = difference(
            [[up, left], [up, "i + 1"], [up, right]],
            [[down, left], [down, "i + 1"], [down, right]],
        );
        let columns = difference(
            [[up, left], ["j + 1", left], [down, left]],
            [[up, right], ["j + 1", right], [down, right]],
        );
        format!("let g = {rows}; let h = {columns}; y[[j, i]] = (g * g + h * h).sqrt();")
    };
    let open = grid("n", "m", &sobel("j", "j + 2", "i", "i + 2"));
    let open = inside("kernel", &open);
    let closed = sobel(
        "j.saturating_sub(1)",
        "(j + 1).min(n - 1)",
        "i.saturating_sub(1)",
        "(i + 1).min(m - 1)",
    );
    let closed = closed.replace("[j + 1,", "[j,").replace(", i + 1]", ", i]");
    assert_eq!(inside("kernel", &grid("n", "m", &closed)), open);
    assert!(open.operations <= 13, "{open:?}");
}

#[test]
fn stars_in_space_inside_cost_what_they_cost_without_sides() {
    let star = |near: [&str; 6], centre: [&str; 3]| {
        let [k, j, i] = centre;
        let [a, b, c, d, e, f] = near;
        format!(
            "pub fn kernel(x: ArrayView3<f64>, mut y: ArrayViewMut3<f64>) {{
                let (l, n, m) = y.dim();
                for k in 0..l {{ for j in 0..n {{ for i in 0..m {{
                    y[[k, j, i]] = 0.5 * x[[{k}, {j}, {i}]] + 0.1 * (x[[{a}, {j}, {i}]] + x[[{b}, {j}, {i}]]
                        + x[[{k}, {c}, {i}]] + x[[{k}, {d}, {i}]] + x[[{k}, {j}, {e}]] + x[[{k}, {j}, {f}]]);
                }} }} }}
            }}"
        )
    };
    let open = star(
        ["k", "k + 2", "j", "j + 2", "i", "i + 2"],
        ["k + 1", "j + 1", "i + 1"],
    );
    let closed = star(
        [
            "k.saturating_sub(1)",
            "(k + 1).min(l - 1)",
            "j.saturating_sub(1)",
            "(j + 1).min(n - 1)",
            "i.saturating_sub(1)",
            "(i + 1).min(m - 1)",
        ],
        ["k", "j", "i"],
    );
    let [open, closed] = [open, closed].map(|text| inside("kernel", &text));
    assert_eq!(closed, open);
}

/// Weights in a table take what weights in the text do: sums over windows are not computed in halves first.
#[test]
fn weights_of_a_table_are_shared_as_those_of_the_text_are() {
    let weights = [[1, 2, 3, 2, 1], [2, -6, -14, -6, 2], [3, -14, 53, -14, 3]];
    let rows = [0, 1, 2, 1, 0].map(|row: usize| weights[row]);
    let table: Vec<String> = rows
        .iter()
        .map(|row| format!("[{}]", row.map(|w| format!("{w}.0")).join(", ")))
        .collect();
    let terms = (0..25).map(|at| {
        let (row, column) = (at / 5, at % 5);
        format!("{}.0 * x[[j + {row}, i + {column}]]", rows[row][column])
    });
    let written = format!("y[[j, i]] = {};", terms.collect::<Vec<_>>().join(" + "));
    let looped = format!(
        "const W: [[f64; 5]; 5] = [{}];
         let mut s = 0.0;
         for a in 0..5 {{ for b in 0..5 {{ s += W[a][b] * x[[j + a, i + b]]; }} }}
         y[[j, i]] = s;",
        table.join(", ")
    );
    let [written, looped] =
        [written, looped].map(|point| inside("kernel", &grid("n", "m", &point)));
    assert_eq!(written.operations, looped.operations);
    assert!(looped.operations <= 21, "{looped:?}");
}

/// What elements are converted to as they are read is shared along the lanes as elements are: windows double.
#[test]
fn windows_of_converted_elements_are_shared_along_lanes() {
    for (from, to) in [
        ("u8", "i32"),
        ("i16", "i32"),
        ("u8", "u16"),
        ("i32", "i64"),
        ("f32", "f64"),
    ] {
        let text = format!(
            "pub fn kernel(x: &[{from}], y: &mut [{to}]) {{
                for i in 0..y.len() {{
                    let mut s = 0 as {to};
                    for k in 0..16 {{ s += x[i + k] as {to}; }}
                    y[i] = s;
                }}
            }}"
        );
        let found = inside("kernel", &text);
        assert_eq!(found.operations, 4, "{from} {to} {found:?}");
        assert!(
            found.lanes.contains('i') && found.shared[0],
            "{from} {to} {found:?}"
        );
    }
}

/// Elements that are added with several factors, of which none is known, are terms of their own.
#[test]
fn sums_have_several_factors_that_are_not_known() {
    let fourth = "x[i] - 4.0 * x[i + 1] + 6.0 * x[i + 2] - 4.0 * x[i + 3] + x[i + 4]";
    let second = "x[i + 1] - 2.0 * x[i + 2] + x[i + 3]";
    let text = format!(
        "pub fn kernel(p: f64, q: f64, x: &[f64], y: &mut [f64]) {{
            for i in 0..y.len() {{ y[i] = p * ({fourth}) + q * ({second}); }}
        }}"
    );
    let found = inside("kernel", &text);
    assert!(found.operations <= 8, "{found:?}");
}

/// Integers are shared by rows and columns where weights of one row are no whole multiples of those of another.
#[test]
fn integers_with_falling_weights_are_shared() {
    let point = window((3, 3), "(((2 - a) * (b + 1)) as i32) *", "j + a", "i + b");
    let point = point.replace("0.0", "0").replace("7.0", "7");
    let text = grid(
        "n",
        "m",
        &point.replace("x[[j + a, i + b]]", "(x[[j + a, i + b]] as i32)"),
    );
    let text = text.replace("ArrayView2<f64>", "ArrayView2<u8>");
    let found = inside(
        "kernel",
        &text.replace("ArrayViewMut2<f64>", "ArrayViewMut2<i32>"),
    );
    assert!(found.operations <= 8, "{found:?}");
}
