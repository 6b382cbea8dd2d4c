//! Short texts that ask for much: long loops that might be unrolled, deep nests, many terms, large
//! arrays and tables, values that double from line to line. And random ones of such parts.

#[path = "random.rs"]
mod random;

pub use random::drawn;

/// A text with its name.
pub struct Text {
    /// What it has much of, and how much.
    pub name: String,
    /// A block.
    pub text: String,
}

/// Loops inside each other around a statement.
fn nest(count: usize, range: &str, inner: &str) -> String {
    let open: String = (0..count)
        .map(|at| format!("for i{at} in {range} {{ "))
        .collect();
    format!("{open}{inner}{}", " }".repeat(count))
}

/// `count` parts, made of their numbers, with something between.
fn joined(count: usize, between: &str, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(between)
}

/// An array type, or value, of some dimensions.
fn array(of: &str, extents: usize, count: usize) -> String {
    format!(
        "{}{of}{}",
        "[".repeat(count),
        format!("; {extents}]").repeat(count)
    )
}

/// A kernel of one statement, in a loop over two slices.
fn over_cells(statement: &str) -> String {
    format!("pub fn k(x: &[f64], y: &mut [f64]) {{ for i in 0..x.len() {{ {statement} }} }}")
}

/// Loops and arrays of a length.
#[rustfmt::skip]
fn long(n: usize) -> Vec<(&'static str, String)> {
    let on = |body: &str| format!("pub fn k(x: &[f64], y: &mut [f64]) {{ {body} }}");
    vec![
        ("around", on(&format!("for j in 0..{n} {{ for i in 0..x.len() {{ y[i] += x[i] * (j as f64); }} }}"))),
        ("one element", format!("pub fn k(y: &mut [f64]) {{ for j in 0..{n} {{ y[0] += 1.0; }} }}")),
        ("recurrence", on(&format!("let mut s = 0.0; for j in 0..{n} {{ s = s * 0.5 + x[j]; }} y[0] = s;"))),
        ("powers", on(&format!("let mut s = x[0]; for j in 0..{n} {{ s = s * s + x[1]; }} y[0] = s;"))),
        ("local array", on(&format!("let mut s = [0.0; {n}]; for j in 0..{n} {{ s[j] = x[j] * 2.0; }} for j in 0..{n} {{ y[j] = s[j] + s[{n} - 1 - j]; }}"))),
        ("allocated", on(&format!("let mut t = vec![0.0; {n}]; for j in 0..{n} {{ t[j] = x[j] * 2.0; }} for j in 0..{n} {{ y[j] = t[j] + t[0]; }}"))),
        ("updated array", format!("pub fn k(u: &[[f64; {n}]], v: &mut [[f64; {n}]]) {{ for e in 0..u.len() {{ let mut t = [0.0; {n}]; for i in 0..{n} {{ for j in 0..{n} {{ t[i] += u[e][j] * (0.5 + u[e][i]); }} }} for i in 0..{n} {{ let p = t[i]; t[i] = 2.0 * p; }} for i in 0..{n} {{ v[e][i] += t[i]; }} }} }}")),
        ("parameters", format!("pub fn k(x: &[f64; {n}], y: &mut [f64; {n}]) {{ for j in 0..{n} {{ y[j] = x[j] * 2.0 + x[{n} - 1 - j]; }} }}")),
        ("steps", format!("pub fn k(x: &[f64; {n}], y: &mut [f64; {n}]) {{ for j in (0..{n}).step_by(3) {{ y[j] = x[j] * 2.0; }} }}")),
        ("table", format!("pub fn k(y: &mut [f64]) {{ static T: [f64; {n}] = [0.5; {n}]; for j in 0..{n} {{ y[j] += T[j]; }} }}")),
        ("tables", format!("{} pub fn k(y: &mut [f64]) {{ for j in 0..9 {{ y[j] += {}; }} }}", joined(9, " ", |t| format!("static T{t}: [f64; {n}] = [0.5; {n}];")), joined(9, " + ", |t| format!("T{t}[j]")))),
        ("remainders", on(&format!("for j in 0..{n} {{ y[j] += x[j % 7] + x[j / 3]; }}"))),
        ("conditions", on(&format!("for j in 0..{n} {{ if j % 2 == 0 {{ y[j] += x[j]; }} else {{ y[j] = 1.0; }} }}"))),
        ("triangle", on(&format!("for j in 0..{n} {{ for i in 0..j {{ y[i] += x[j]; }} }}"))),
        ("tetrahedron", on(&format!("for j in 0..{n} {{ for i in 0..j {{ for k in 0..i {{ y[k] += x[j] * x[i]; }} }} }}"))),
        ("far", over_cells(&format!("y[i] = x[{n} * i + {n}];"))),
        ("power", over_cells(&format!("y[i] = x[i].powi({});", n.min(1 << 30)))),
        ("unrolled", format!("#[opt(unroll(i = {n}))] {}", over_cells("y[i] = x[i];"))),
        ("in place", format!("pub fn k(y: &mut [f64]) {{ for i in 1..{n} {{ y[i] += y[i - 1]; }} }}")),
        ("steps in time", format!("pub fn k(a: &mut [f64], b: &mut [f64]) {{ for t in 0..{n} {{ for i in 1..a.len() - 1 {{ b[i] = a[i - 1] + a[i + 1]; }} for i in 1..a.len() - 1 {{ a[i] = b[i - 1] + b[i + 1]; }} }} }}")),
    ]
}

/// Square and cubic arrays with sides of a length.
#[rustfmt::skip]
fn square(n: usize) -> Vec<(&'static str, String)> {
    let matrix = array("f64", n, 2);
    vec![
        ("product", format!("pub fn k(x: &{matrix}, y: &mut {matrix}) {{ let mut a = [[0.0; {n}]; {n}]; for i in 0..{n} {{ for j in 0..{n} {{ for l in 0..{n} {{ a[i][j] += x[i][l] * x[l][j]; }} }} }} for i in 0..{n} {{ for j in 0..{n} {{ y[i][j] = a[i][j] + a[j][i]; }} }} }}")),
        ("cube", format!("pub fn k(x: &[f64], y: &mut [f64]) {{ let mut a = [[[0.0; {n}]; {n}]; {n}]; for i in 0..{n} {{ for j in 0..{n} {{ for l in 0..{n} {{ a[i][j][l] = x[i] * x[l] * x[j]; }} }} }} for e in 0..y.len() {{ y[e] = a[0][1][1] * x[e]; }} }}")),
        ("factors", format!("pub fn k(a: &mut {matrix}) {{ for k in 0..{n} {{ for i in k + 1..{n} {{ a[i][k] /= a[k][k]; for j in k + 1..{n} {{ a[i][j] -= a[i][k] * a[k][j]; }} }} }} }}")),
        ("local factors", format!("pub fn k(x: &{matrix}, y: &mut [f64]) {{ let mut a = [[0.0; {n}]; {n}]; for i in 0..{n} {{ for j in 0..{n} {{ a[i][j] = x[i][j]; }} }} for k in 0..{n} {{ for i in k + 1..{n} {{ a[i][k] /= a[k][k]; for j in k + 1..{n} {{ a[i][j] -= a[i][k] * a[k][j]; }} }} }} for i in 0..{n} {{ y[i] = a[i][i]; }} }}")),
        ("table", format!("pub fn k(y: &mut [[f64; {n}]]) {{ static A: {matrix} = [[0.25; {n}]; {n}]; for e in 0..y.len() {{ for i in 0..{n} {{ for j in 0..{n} {{ for l in 0..{n} {{ y[e][i] += A[i][j] * A[j][l] * A[l][i]; }} }} }} }} }}")),
        ("chosen", format!("pub fn k(n: usize, m: &[usize], x: &[f64], u: &[[f64; {n}]], y: &mut [f64]) {{ static T: {matrix} = [[0.25; {n}]; {n}]; let mut w = [0.0; {n}]; for i in 0..{n} {{ for j in 0..{n} {{ for k in 0..j {{ for l in 0..{n} {{ y[i] *= (if u[k][k] * T[i][l] > if T[i][l] > (l as f64) {{ T[i][l] }} else {{ 0.5 }} {{ u[k][k] }} else {{ 0.5 }} - x[m[l]] * w[l]); }} }} y[j] = (if u[m[j]][i] > T[j][j] {{ u[i % 5][j] }} else {{ 0.5 }} + w[i] * x[j % 5].min(u[j][i])); }} }} for i in 0..{n} {{ for j in 0..{n} {{ for k in 0..n {{ w[j] -= (k as f64).min(w[i]); }} y[i] *= w[i] + u[m[j]][i]; }} }} }}")),
        ("element", format!("pub fn k(d: &[f64], a: &mut [{matrix}], p: &[[f64; {n}]]) {{ for e in 0..d.len() {{ for q in 0..{n} {{ for i in 0..{n} {{ for j in 0..{n} {{ a[e][i][j] += d[e] * p[q][i] * p[q][j]; }} }} }} }} }}")),
    ]
}

/// So many loops inside each other, or dimensions.
#[rustfmt::skip]
fn deep(n: usize) -> Vec<(&'static str, String)> {
    let on = |body: &str| format!("pub fn k(n: usize, x: &[f64], y: &mut [f64]) {{ {body} }}");
    let product = joined(n, " * ", |at| format!("x[i{at}]"));
    let sum = joined(n, " + ", |at| format!("x[i{at}]"));
    let flat = joined(n, " + ", |at| {
        format!("{} * i{at}", 8_u64.saturating_pow(at as u32))
    });
    let local = array("0.5", 8, n);
    let first = "[0]".repeat(n);
    let einsum = |factors: &str| {
        let loops = nest(n, "0..8", &format!("y[e][i0] += {factors};"));
        format!(
            "pub fn k(n: usize, a: &[[f64; 8]], y: &mut [[f64; 8]]) {{ static T: [[f64; 8]; 8] = [[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]; 8]; for e in 0..n {{ {loops} }} }}"
        )
    };
    vec![
        ("run-time loops", on(&nest(n, "0..n", "y[i0] += x[i0 + 1];"))),
        ("run-time product", on(&nest(n, "0..n", &format!("y[i0] += {product};")))),
        ("run-time sums", on(&nest(n, "0..n", &format!("y[i0] += ({sum}) * ({sum} + 1.0);")))),
        ("loops", on(&nest(n, "0..8", &format!("y[i0] += {product};")))),
        ("outer product", on(&nest(n, "0..8", &format!("y[{flat}] += {product};")))),
        ("tensors", einsum(&joined(n, " * ", |at| format!("a[e][i{at}]")))),
        ("tables", einsum(&format!("a[e][i0] * {}", joined(n, " * ", |at| format!("T[i{at}][i{}]", (at + 1) % n))))),
        ("local value", on(&format!("let a = {local}; y[0] = x[0] * a{first};"))),
        ("local array", on(&format!("let mut a = {local}; a{first} = x[0]; y[0] = x[0] * a{first};"))),
        ("factors", over_cells(&format!("y[i] = {};", joined(n + 1, " * ", |at| format!("(x[{at} * i] + x[{at} * i + 1] + x[i + {at}])"))))),
    ]
}

/// So many parts one after the other, or inside each other.
#[rustfmt::skip]
fn many(n: usize) -> Vec<(&'static str, String)> {
    let around = |open: &str, inner: &str, close: &str| {
        over_cells(&format!(
            "y[i] = {}{inner}{};",
            open.repeat(n),
            close.repeat(n)
        ))
    };
    let lets = |again: &str| over_cells(&format!("let a = x[i]; {}y[i] = a;", again.repeat(n)));
    let integers = |again: &str| over_cells(&format!("let a = i; {}y[i] = x[a];", again.repeat(n)));
    let mapped = |statement: &str| {
        format!(
            "pub fn k(m: &[usize], x: &[f64], y: &mut [f64]) {{ for i in 0..m.len() {{ {statement} }} }}"
        )
    };
    let chain = |last: &str| {
        let helpers = joined(n, " ", |at| {
            format!(
                "fn g{at}(x: f64) -> f64 {{ g{}(x) + g{}({last}) }}",
                at + 1,
                at + 1
            )
        });
        format!(
            "{} {helpers} fn g{n}(x: f64) -> f64 {{ x }}",
            over_cells("y[i] = g0(x[i]);")
        )
    };
    let slices = |mutable: &str| joined(n, ", ", |at| format!("a{at}: &{mutable}[f64]"));
    vec![
        ("maps", mapped(&format!("y[i] = x[{}i{}];", "m[".repeat(n), "]".repeat(n)))),
        ("scattered maps", mapped(&format!("y[{}i{}] += x[i];", "m[".repeat(n), "]".repeat(n)))),
        ("maps with steps", mapped(&format!("y[i] = x[{}i{}];", "m[1 + 2 * ".repeat(n), "]".repeat(n)))),
        ("maps of lets", mapped(&format!("let a = i; {}y[i] = x[a];", "let a = m[a] + m[a + 1]; ".repeat(n)))),
        ("parentheses", around("(", "x[i]", ")")),
        ("additions", around("(1.0 + ", "x[i]", ")")),
        ("Horner", around("x[i] * (1.0 + ", "x[i]", ")")),
        ("negations", around("-", "x[i]", "")),
        ("roots", around("", "x[i]", ".sqrt()")),
        ("quotients", around("1.0 / (1.0 + ", "x[i]", ")")),
        ("blocks", around("{ ", "x[i]", " }")),
        ("references", around("*&", "x[i]", "")),
        ("calls", format!("{} fn g(x: f64) -> f64 {{ x * x + x }}", around("g(", "x[i]", ")"))),
        ("chained calls", chain("x * 0.5")),
        ("equal calls", chain("x")),
        ("nested ifs", over_cells(&format!("{}y[i] = 1.0;{}", "if x[i] > 0.5 { ".repeat(n), " }".repeat(n)))),
        ("ifs on integers", over_cells(&format!("{}y[i] = 1.0;{}", joined(n, "", |at| format!("if i > {} {{ ", 3 * at)), " }".repeat(n)))),
        ("choices", around("if x[i] > 0.5 { ", "1.0", " } else { x[i] }")),
        ("chosen ranges", over_cells(&format!("y[i] = {}{{ x[i] }};", joined(n, "", |at| format!("if i < {} {{ {at}.0 }} else ", 2 * at + 2))))),
        ("lets", lets("let a = a * a + a; ")),
        ("sums of lets", lets("let a = a + a; ")),
        ("squares of lets", lets("let a = a * a; ")),
        ("factors of lets", lets("let a = (a + 1.0) * (a + x[i]); ")),
        ("doubled integers", integers("let a = a + a; ")),
        ("squared integers", integers("let a = a * a; ")),
        ("statements", over_cells(&"y[i] += x[i]; ".repeat(n))),
        ("products", over_cells(&joined(n, " ", |at| format!("y[i] += x[i + {at}] * x[i];")))),
        ("nests", format!("pub fn k(x: &[f64], y: &mut [f64]) {{ {} }}", "for i in 0..x.len() { y[i] += x[i]; } ".repeat(n))),
        ("nests in place", format!("pub fn k(x: &mut [f64]) {{ {} }}", "for i in 0..x.len() - 1 { let t = x[i]; x[i] = x[i + 1]; x[i + 1] = t; } " .repeat(n))),
        ("inputs", format!("pub fn k({}, y: &mut [f64]) {{ for i in 0..y.len() {{ y[i] = {}; }} }}", slices(""), joined(n, " + ", |at| format!("a{at}[i]")))),
        ("multiplied inputs", format!("pub fn k({}, y: &mut [f64]) {{ for i in 0..y.len() {{ y[i] = {}; }} }}", slices(""), joined(n, " * ", |at| format!("a{at}[i]")))),
        ("outputs", format!("pub fn k({}, y: &[f64]) {{ for i in 0..y.len() {{ {} }} }}", slices("mut "), joined(n, " ", |at| format!("a{at}[i] = y[i];")))),
        ("kernels", joined(n, " ", |at| { format!("fn k{at}(y: &mut [f64]) {{ for i in 0..y.len() {{ y[i] += {at}.0; }} }}") })),
        ("stencil", over_cells(&format!("y[i] = {};", joined(n, " + ", |at| format!("x[i + {at}]"))))),
        ("convolution", format!("pub fn k(x: &[f64], w: &[f64], y: &mut [f64]) {{ for i in 0..y.len() {{ y[i] = {}; }} }}", joined(n, " + ", |at| format!("w[{at}] * x[i + {at}]")))),
        ("equal terms", over_cells(&format!("y[i] = {};", joined(n, " + ", |_| "x[i]".to_owned())))),
        ("constants", format!("{} {}", joined(n, " ", |at| format!("const A{at}: f64 = 0.{};", at + 1)), over_cells(&format!("y[i] = {};", joined(n, " + ", |at| format!("A{at}")))))),
        ("constants of constants", format!("const A0: f64 = 0.3; {} {}", joined(n, " ", |at| format!("const A{}: f64 = A{at} * A{at} + A{at};", at + 1)), over_cells(&format!("y[i] = A{n};")))),
        ("local arrays", format!("pub fn k(x: &[f64], y: &mut [f64]) {{ {} for i in 0..8 {{ y[i] = {}; }} }}", joined(n, " ", |at| format!("let a{at} = [x[{at}]; 8];")), joined(n, " + ", |at| format!("a{at}[i]")))),
        ("arrays of arrays", lets("let a = [a, a]; ").replace("y[i] = a;", &format!("y[i] = a{};", "[0]".repeat(n)))),
        ("tuples of tuples", lets("let a = (a, a); ").replace("y[i] = a;", &format!("y[i] = a{};", ".0".repeat(n)))),
        ("remainders", over_cells(&format!("y[i] = {};", joined(n, " + ", |at| format!("x[i % {}]", at + 2))))),
        ("minima", over_cells(&format!("y[i] = x[i]{};", joined(n, "", |at| format!(".min(x[i + {at}]).max(x[{at}])"))))),
    ]
}

/// What elements are evaluated for.
fn tabulated(degree: usize, order: usize) -> Vec<(&'static str, String)> {
    ["hexahedron", "tetrahedron", "triangle"]
        .into_iter()
        .map(|cell| (cell, format!("pub fn k(d: &[f64], a: &mut [f64]) {{ static P: [[f64; 1]; 1] = tabulate!({cell}, quadrature({degree}), lagrange({order})); static W: [f64; 8] = tabulate!({cell}, quadrature(3), weights); for e in 0..d.len() {{ for q in 0..8 {{ a[e] += d[e] * W[q]; }} }} }}")))
        .collect()
}

/// A local matrix that is summed up over points, from gradients that are arrays of their own, on a cell with so many
/// nodes and points.
fn local_matrix(nodes: usize, points: usize, (rule, order): (usize, usize)) -> String {
    format!(
        "pub fn k(k: &[[[f64; 3]; 3]], det: &[f64], a: &mut [[[f64; {nodes}]; {nodes}]]) {{ static W: [f64; {points}] = tabulate!(tetrahedron, quadrature({rule}), weights); static D: [[[f64; {nodes}]; {points}]; 3] = tabulate!(tetrahedron, quadrature({rule}), lagrange({order}), gradient); for e in 0..k.len() {{ let mut m = [[0.0; {nodes}]; {nodes}]; for q in 0..{points} {{ let mut g = [[0.0; 3]; {nodes}]; for n in 0..{nodes} {{ for d in 0..3 {{ for r in 0..3 {{ g[n][d] += k[e][r][d] * D[r][q][n]; }} }} }} for i in 0..{nodes} {{ for j in 0..{nodes} {{ for d in 0..3 {{ m[i][j] += W[q] * det[e] * g[i][d] * g[j][d]; }} }} }} }} for i in 0..{nodes} {{ for j in 0..{nodes} {{ a[e][i][j] += m[i][j]; }} }} }} }}"
    )
}

/// Texts of all kinds, in sizes that stay below `longest` bytes.
pub fn hostile(longest: usize) -> Vec<Text> {
    let mut result = Vec::new();
    let mut add = |n: usize, kinds: Vec<(&'static str, String)>, of: &str| {
        for (name, text) in kinds {
            if text.len() <= longest {
                let name = format!("{of}: {name} {n}");
                result.push(Text { name, text });
            }
        }
    };
    for n in [
        10,
        64,
        100,
        256,
        1000,
        1024,
        10_000,
        65_536,
        1_000_000,
        3_000_000,
        1_000_000_000,
        1 << 40,
        i64::MAX as usize,
    ] {
        add(n, long(n), "length");
    }
    for n in [2, 5, 8, 12, 16, 24, 32, 40, 64, 100, 200, 1000] {
        add(n, square(n), "side");
    }
    for n in 1..20 {
        add(n, deep(n), "depth");
    }
    for n in [5, 10, 14, 20, 30, 50, 100, 200, 300, 1000, 3000, 10_000] {
        add(n, many(n), "number");
    }
    for (degree, order) in [(5, 8), (20, 4), (40, 2), (40, 8), (60, 8), (100, 8)] {
        add(degree, tabulated(degree, order), "degree");
    }
    add(
        3,
        vec![("local matrix", local_matrix(20, 14, (4, 3)))],
        "degree",
    );
    result
}
