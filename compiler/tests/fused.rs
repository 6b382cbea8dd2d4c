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

#[test]
fn windows_of_27_points_by_distance() {
    let text = "pub fn kernel(x: &[f64], y: &mut [f64], n: usize, m: usize) {
        for k in 1..m - 1 { for j in 1..n - 1 { for i in 1..m - 1 {
            let w = [
                [[0.0625, 0.1875, 0.0625], [0.1875, -0.375, 0.1875], [0.0625, 0.1875, 0.0625]],
                [[0.1875, -0.375, 0.1875], [-0.375, 2.5, -0.375], [0.1875, -0.375, 0.1875]],
                [[0.0625, 0.1875, 0.0625], [0.1875, -0.375, 0.1875], [0.0625, 0.1875, 0.0625]],
            ];
            let mut s = 0.0;
            for c in 0..3 { for a in 0..3 { for b in 0..3 {
                s += w[c][a][b] * x[((k + c - 1) * n + j + a - 1) * m + i + b - 1];
            } } }
            y[(k * n + j) * m + i] = s;
        } } }
    }";
    // 12.5 where sums of two planes were handed from row to row, too.
    let found = instructions(text);
    assert!(found <= 14.0, "{found}");
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
