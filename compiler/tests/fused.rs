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
