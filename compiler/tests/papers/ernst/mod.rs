//! Ernst 1995: stencils computed one result after the other.
//!
//! Loops count from zero here: `i` is the paper's `i` less its first value.

mod differencing;
mod queues;

use crate::nest::Nest;

/// Figure 1, with a sine for f and an exponential for g: a function and a scaling of its values.
const FIGURE_1: &str = "
    pub fn nest(x: &[f64; 503], y: &mut [f64; 501]) {
        for i in 1..501 {
            y[i] = x[i - 1].sin() * x[i + 2].sin().exp();
        }
    }";

const FIGURE_1_HEAD: &str = "program figure_1
index i: 500
param 0 x: f64[503]
output 1 y: f64[501]
";

/// Figure 2: the mean of five neighbours.
const FIGURE_2: &str = "
    pub fn nest(x: &[f64; 100], newx: &mut [f64; 100]) {
        for i in 2..98 {
            newx[i] = (x[i - 2] + x[i - 1] + x[i] + x[i + 1] + x[i + 2]) / 5.0;
        }
    }";

const FIGURE_2_HEAD: &str = "program figure_2
index i: 96
param 0 x: f64[100]
output 1 newx: f64[100]
";

fn figure_1_source() -> String {
    format!("{FIGURE_1_HEAD}y[i + 1] = sin(x[i]) * exp(sin(x[i + 3]))   for i\n")
}

fn figure_2_source() -> String {
    format!(
        "{FIGURE_2_HEAD}newx[i + 2] = (x[i] + x[i + 1] + x[i + 2] + x[i + 3] + x[i + 4]) / 5   for i\n"
    )
}

/// The head of a schedule with lanes over the iterations of an unrolled loop.
fn lanes(width: usize, index: &str) -> (String, &'static str) {
    match width {
        1 => ("schedule width 1".to_owned(), ""),
        _ => (format!("schedule width {width} lanes {index}"), " lanes"),
    }
}

/// Instances of equations, for iteration after iteration of `i`.
fn unrolled(times: usize, equations: &[usize]) -> String {
    let iterations = (0..times).flat_map(|u| equations.iter().map(move |eq| (u, eq)));
    let texts: Vec<String> = iterations
        .map(|(u, eq)| format!("eq {eq} @ i+{u}"))
        .collect();
    texts.join("; ")
}

/// Figure 1, five results an iteration: eight values of f for them, not ten.
#[test]
fn figure_3() {
    Nest {
        figure: "ernst_3",
        kernel: FIGURE_1,
        source: &figure_1_source(),
        transformed: &format!(
            "{FIGURE_1_HEAD}index m: 100
index s: 8
index u: 5
temp f: f64[100, 8]
f[m, s] = sin(x[5*m + s])   for m, s
y[5*m + u + 1] = f[m, u] * exp(f[m, u + 3])   for m, u
"
        ),
        schedule: |width| {
            let (head, lanes) = lanes(width, "m");
            let values: Vec<String> = (0..8).map(|s| format!("eq 0 @ s+{s}")).collect();
            let results: Vec<String> = (0..5).map(|u| format!("eq 1 @ u+{u}")).collect();
            format!(
                "{head}
store f: register{lanes}
loop m in 0..100 step {width} {{ block {{ {}; {} }} }}",
                values.join("; "),
                results.join("; ")
            )
        },
        operations: [500 * 4, 100 * (8 + 5 * 2)],
    }
    .check();
}

/// Figure 2, four results an iteration, with the sums that they share: nine additions for them,
/// not sixteen.
#[test]
fn figure_4() {
    Nest {
        figure: "ernst_4",
        kernel: FIGURE_2,
        source: &figure_2_source(),
        transformed: &format!(
            "{FIGURE_2_HEAD}index m: 24
temp de: f64[24]
temp bcde: f64[24]
temp defg: f64[24]
de[m] = x[4*m + 3] + x[4*m + 4]   for m
bcde[m] = x[4*m + 1] + x[4*m + 2] + de[m]   for m
defg[m] = de[m] + (x[4*m + 5] + x[4*m + 6])   for m
newx[4*m + 2] = (x[4*m] + bcde[m]) / 5   for m
newx[4*m + 3] = (bcde[m] + x[4*m + 5]) / 5   for m
newx[4*m + 4] = (x[4*m + 2] + defg[m]) / 5   for m
newx[4*m + 5] = (defg[m] + x[4*m + 7]) / 5   for m
"
        ),
        schedule: |width| {
            let (head, lanes) = lanes(width, "m");
            format!(
                "{head}
store de: register{lanes}
store bcde: register{lanes}
store defg: register{lanes}
loop m in 0..24 step {width} {{ block {{ eq 0; eq 1; eq 2; eq 3; eq 4; eq 5; eq 6 }} }}"
            )
        },
        operations: [96 * 5, 24 * (9 + 4)],
    }
    .check();
}

/// Figure 1 with the last three values of f in an array that is used as a queue. (The figure adds
/// the two values where figure 1 multiplies them.)
#[test]
fn figure_5() {
    Nest {
        figure: "ernst_5",
        kernel: FIGURE_1,
        source: &figure_1_source(),
        transformed: &format!(
            "{FIGURE_1_HEAD}index p: 3
temp t: f64[503]
temp s: f64[500]
t[p] = sin(x[p])   for p
s[i] = sin(x[i + 3])   for i
y[i + 1] = t[i] * exp(s[i])   for i
t[i + 3] = s[i]   for i
"
        ),
        schedule: |width| {
            format!(
                "schedule width {width}
store t: memory[ring 3]
store s: register
block {{ eq 0 @ p+0; eq 0 @ p+1; eq 0 @ p+2 }}
loop i in 0..500 {{ block {{ eq 1; eq 2; eq 3 }} }}"
            )
        },
        operations: [500 * 4, 3 + 500 * 3],
    }
    .check();
}

/// Figure 2, two results an iteration, and a sum of two elements left to the next one. (The figure
/// has that sum one element too far to the left.)
#[test]
fn figure_6() {
    Nest {
        figure: "ernst_6",
        kernel: FIGURE_2,
        source: &figure_2_source(),
        transformed: &format!(
            "{FIGURE_2_HEAD}index m: 48
temp t2: f64[49]
temp t1: f64[48]
temp four: f64[48]
t2[0] = x[1] + x[2]
t1[m] = t2[m]   for m
t2[m + 1] = x[2*m + 3] + x[2*m + 4]   for m
four[m] = t1[m] + t2[m + 1]   for m
newx[2*m + 2] = (x[2*m] + four[m]) / 5   for m
newx[2*m + 3] = (four[m] + x[2*m + 5]) / 5   for m
"
        ),
        schedule: |width| {
            format!(
                "schedule width {width}
store t2: registers[_]
store t1: register
store four: register
block {{ eq 0 }}
loop m in 0..48 {{ block {{ eq 1; eq 2; eq 3; eq 4; eq 5 }} }}"
            )
        },
        operations: [96 * 5, 1 + 48 * (4 + 2)],
    }
    .check();
}

/// Figure 2, two results an iteration, each source element loaded once: two accumulators and one
/// base value.
#[test]
fn figure_15() {
    Nest {
        figure: "ernst_15",
        kernel: FIGURE_2,
        source: &figure_2_source(),
        transformed: &format!(
            "{FIGURE_2_HEAD}index m: 48
index b: 4
index s: 3
index s1: 2
temp xt: f64[48, 4]
temp nxi: f64[48, 4]
temp nxi1: f64[48, 3]
xt[m, b] = x[2*m + b + 1]   for m, b
nxi[m, 0] = x[2*m]   for m
nxi[m, s + 1] = nxi[m, s] + xt[m, s]   for m, s
nxi1[m, 0] = xt[m, 0]   for m
nxi1[m, s1 + 1] = nxi1[m, s1] + xt[m, s1 + 1]   for m, s1
newx[2*m + 2] = (nxi[m, 3] + xt[m, 3]) / 5   for m
newx[2*m + 3] = (nxi1[m, 2] + xt[m, 3] + x[2*m + 5]) / 5   for m
"
        ),
        schedule: |width| {
            let (head, lanes) = lanes(width, "m");
            format!(
                "{head}
store xt: registers[_, _]{lanes}
store nxi: registers[_, _]{lanes}
store nxi1: registers[_, _]{lanes}
loop m in 0..48 step {width} {{
  block {{
    eq 1
    eq 0
    eq 2
    eq 3
    eq 0 @ b+1
    eq 2 @ s+1
    eq 4
    eq 0 @ b+2
    eq 2 @ s+2
    eq 4 @ s1+1
    eq 0 @ b+3
    eq 5
    eq 6
  }}
}}"
            )
        },
        operations: [96 * 5, 48 * (8 + 2)],
    }
    .check();
}
