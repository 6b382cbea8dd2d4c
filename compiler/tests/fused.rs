//! Arithmetic instructions of stencils in the code that is emitted: of a whole step of vectors without masks, a multiply-add
//! counts as one.

use loopwright_compiler::expand;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Arithmetic instructions and stores of some code, and whether there are loops in it.
#[derive(Default)]
struct Code {
    arithmetic: usize,
    stores: usize,
    loops: bool,
}

impl Code {
    fn of(tokens: &TokenStream) -> Code {
        let mut code = Code::default();
        for token in tokens.clone() {
            match token {
                TokenTree::Group(group) => {
                    let inside = Code::of(&group.stream());
                    code.arithmetic += inside.arithmetic;
                    code.stores += inside.stores;
                    code.loops |= inside.loops;
                }
                TokenTree::Ident(name) => match name.to_string().as_str() {
                    "_mm512_storeu_pd" => code.stores += 1,
                    "while" | "for" | "loop" => code.loops = true,
                    name => {
                        let operations =
                            ["add", "sub", "mul", "fmadd", "fmsub", "fnmadd", "fnmsub"];
                        let fits = |operation: &&&str| name == format!("_mm512_{operation}_pd");
                        code.arithmetic += operations.iter().filter(fits).count();
                    }
                },
                _ => {}
            }
        }
        code
    }
}

/// The body with the most stores that has no loops in it.
fn steps(tokens: &TokenStream, best: &mut Code) {
    for token in tokens.clone() {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let code = Code::of(&group.stream());
        if group.delimiter() == Delimiter::Brace && !code.loops && code.stores > best.stores {
            *best = code;
        } else {
            steps(&group.stream(), best);
        }
    }
}

/// What a vector of results of a stencil takes in the steady state of its longest step.
fn instructions(text: &str) -> f64 {
    let input = format!("::loopwright; {text}");
    let expansion = expand(input.parse().unwrap());
    let mut best = Code::default();
    steps(&expansion, &mut best);
    assert!(best.stores > 0, "{text}");
    best.arithmetic as f64 / best.stores as f64
}

/// A window of weights over a grid of rows.
fn window(weights: &str, (height, width): (usize, usize)) -> String {
    let (rows, columns) = (height / 2, width / 2);
    format!(
        "pub fn kernel(x: &[f64], y: &mut [f64], n: usize, m: usize) {{
            for j in {rows}..n - {rows} {{ for i in {columns}..m - {columns} {{
                let w = {weights};
                let mut s = 0.0;
                for k in 0..{height} {{ for l in 0..{width} {{
                    s += w[k][l] * x[(j + k - {rows}) * m + i + l - {columns}];
                }} }}
                y[j * m + i] = s;
            }} }}
        }}"
    )
}

#[test]
fn biharmonics_of_13_points() {
    let weights = "[[0.0, 0.0, 1.0, 0.0, 0.0], [0.0, 2.0, -8.0, 2.0, 0.0], [1.0, -8.0, 20.0, -8.0, 1.0], \
                    [0.0, 2.0, -8.0, 2.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0]]";
    let found = instructions(&window(weights, (5, 5)));
    assert!(found <= 9.0, "{found}");
}

#[test]
fn symmetric_windows_of_25_points() {
    let weights = "[[1.0, 8.0, 18.0, 8.0, 1.0], [8.0, -8.0, -144.0, -8.0, 8.0], [18.0, -144.0, 468.0, -144.0, 18.0], \
                    [8.0, -8.0, -144.0, -8.0, 8.0], [1.0, 8.0, 18.0, 8.0, 1.0]]";
    let found = instructions(&window(weights, (5, 5)));
    assert!(found <= 16.0, "{found}");
}

/// A window of so many points along each axis over a grid of planes, whose weights follow from how far they are away along each.
fn cube(size: usize, weight: impl Fn([usize; 3]) -> f64) -> String {
    let reach = size / 2;
    let away = |at: usize| at.abs_diff(reach);
    let rows = |k| (0..size).map(move |j| (k, j));
    let row = |(k, j)| {
        let row = (0..size).map(|i| format!("{:?}", weight([k, j, i].map(away))));
        format!("[{}]", row.collect::<Vec<_>>().join(", "))
    };
    let plane = |k| format!("[{}]", rows(k).map(row).collect::<Vec<_>>().join(", "));
    let weights = (0..size).map(plane).collect::<Vec<_>>().join(", ");
    format!(
        "pub fn kernel(x: &[f64], y: &mut [f64], l: usize, n: usize, m: usize) {{
            for k in {reach}..l - {reach} {{ for j in {reach}..n - {reach} {{ for i in {reach}..m - {reach} {{
                let w = [{weights}];
                let mut s = 0.0;
                for c in 0..{size} {{ for a in 0..{size} {{ for b in 0..{size} {{
                    s += w[c][a][b] * x[((k + c - {reach}) * n + j + a - {reach}) * m + i + b - {reach}];
                }} }} }}
                y[(k * n + j) * m + i] = s;
            }} }} }}
        }}"
    )
}

/// Rows that take a step together have sums over the planes in common.
#[test]
fn windows_of_27_points_by_distance() {
    let classes = [2.5, -0.375, 0.1875, 0.0625];
    let found = instructions(&cube(3, |at| classes[at.iter().sum::<usize>()]));
    assert!(found <= 12.5, "{found}");
    let hollow = instructions(&cube(3, |at| {
        [0.0, -0.375, 0.1875, 0.0625][at.iter().sum::<usize>()]
    }));
    assert!(hollow <= 11.5, "{hollow}");
}

/// Each axis has weights of its own.
#[test]
fn windows_of_27_points_that_are_symmetric_along_each_axis() {
    let apart = |[k, j, i]: [usize; 3]| [1.0, 0.3][k] * [1.0, 0.45][j] * [1.0, 0.7][i];
    let found = instructions(&cube(3, apart));
    assert!(found <= 12.0, "{found}");
    let any = |[k, j, i]: [usize; 3]| [-8.0, 3.3, 1.9, 0.7, 4.1, 0.3, 2.5, 1.0][4 * k + 2 * j + i];
    let found = instructions(&cube(3, any));
    assert!(found <= 12.0, "{found}");
    let linear = instructions(&cube(3, |at| at.map(|by| [2.0, 1.0][by]).iter().product()));
    assert!(linear <= 8.0, "{linear}");
}

#[test]
fn boxes_share_sums_of_planes_and_rows() {
    let solid = instructions(&cube(3, |_| 1.0));
    assert!(solid <= 7.0, "{solid}");
    for (size, most) in [(5, 6.5), (7, 9.0)] {
        let row = format!("[{}]", vec!["1.0"; size].join(", "));
        let rows = format!("[{}]", vec![row.as_str(); size].join(", "));
        let found = instructions(&window(&rows, (size, size)));
        assert!(found <= most, "{size}: {found}");
    }
}

/// Weights of which no two are equal take one instruction each, whatever is loaded together.
#[test]
fn different_weights() {
    let weights = "[[2.5, 15.0, 28.0], [9.0, 25.0, 5.5], [16.5, 35.0, 19.0]]";
    let found = instructions(&window(weights, (3, 3)));
    assert!(found <= 9.0, "{found}");
}

/// A star of so many points along each axis, in two or three dimensions.
fn star(reach: usize, planes: bool) -> String {
    let terms = (1..=reach).map(|r| {
        let plane = format!("+ x[at - {r} * n * m] + x[at + {r} * n * m]");
        let plane = if planes { plane.as_str() } else { "" };
        format!(
            "s += (0.3 / {r}.0) * (x[at - {r}] + x[at + {r}] + x[at - {r} * m] + x[at + {r} * m] {plane});"
        )
    });
    let terms: String = terms.collect();
    format!(
        "pub fn kernel(x: &[f64], y: &mut [f64], n: usize, m: usize, l: usize) {{
            for k in {reach}..l - {reach} {{ for j in {reach}..n - {reach} {{ for i in {reach}..m - {reach} {{
                let at = (k * n + j) * m + i;
                let mut s = -8.5 * x[at];
                {terms}
                y[at] = s;
            }} }} }}
        }}"
    )
}

/// Whether rows take a step together, and whether a call looks at its arrays before they do.
fn together(text: &str) -> (bool, bool) {
    let input = format!("::loopwright; {text}");
    let expansion = expand(input.parse().unwrap()).to_string();
    (
        expansion.contains("rows a step"),
        expansion.contains("stream :: leaves"),
    )
}

#[test]
fn rows_with_planes_of_their_own_are_together_while_arrays_are_near() {
    for reach in 2..=4 {
        assert_eq!(together(&star(reach, true)), (true, true), "{reach}");
        // Rows of one plane that others have read are near, however large it is.
        assert_eq!(together(&star(reach, false)), (true, false), "{reach}");
    }
    // A box has more in common than it brings in.
    let weights = "[[2.5, 15.0, 28.0], [9.0, 25.0, 5.5], [16.5, 35.0, 19.0]]";
    assert_eq!(together(&window(weights, (3, 3))), (true, false));
}
