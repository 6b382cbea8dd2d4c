//! Loop differencing: each result from the one before (chapter 4, and 5.1.2).

use super::{FIGURE_2, FIGURE_2_HEAD, figure_2_source};
use crate::nest::Nest;

/// Figure 2 with a running sum.
#[test]
fn figure_7() {
    Nest {
        figure: "ernst_7",
        kernel: FIGURE_2,
        source: &figure_2_source(),
        transformed: &format!(
            "{FIGURE_2_HEAD}temp running: f64[97]
temp full: f64[96]
running[0] = x[0] + x[1] + x[2] + x[3]
full[i] = running[i] + x[i + 4]   for i
newx[i + 2] = full[i] / 5   for i
running[i + 1] = full[i] - x[i]   for i
"
        ),
        schedule: |width| {
            format!(
                "schedule width {width}
store running: registers[_]
store full: register
block {{ eq 0 }}
loop i in 0..96 {{ block {{ eq 1; eq 2; eq 3 }} }}"
            )
        },
        operations: [96 * 5, 3 + 96 * 3],
    }
    .check();
}

/// The periodic stencil of width 7: two additions a result.
#[test]
fn figure_36() {
    const HEAD: &str = "program figure_36
index i: 95
param 0 y: f64[101]
output 1 x: f64[95]
";
    Nest {
        figure: "ernst_36",
        kernel: "
    pub fn nest(y: &[f64; 101], x: &mut [f64; 95]) {
        for i in 0..95 {
            x[i] = y[i] + y[i + 1] + y[i + 2] + y[i + 3] + y[i + 4] + y[i + 5] + y[i + 6];
        }
    }",
        source: &format!(
            "{HEAD}x[i] = y[i] + y[i + 1] + y[i + 2] + y[i + 3] + y[i + 4] + y[i + 5] + y[i + 6]   for i\n"
        ),
        transformed: &format!(
            "{HEAD}temp rs: f64[96]
temp full: f64[95]
rs[0] = y[0] + y[1] + y[2] + y[3] + y[4] + y[5]
full[i] = rs[i] + y[i + 6]   for i
x[i] = full[i]   for i
rs[i + 1] = full[i] - y[i]   for i
"
        ),
        schedule: |width| {
            format!(
                "schedule width {width}
store rs: registers[_]
store full: register
block {{ eq 0 }}
loop i in 0..95 {{ block {{ eq 1; eq 2; eq 3 }} }}"
            )
        },
        operations: [95 * 6, 5 + 95 * 2],
    }
    .check();
}

/// The stencil 1 2 1 2 1 2 1 2: base values of two elements, four of them in each of two running
/// sums that take turns. Queue and sums start at zero, and a prologue of six iterations fills them.
/// (The figure has the queue as two of four.)
#[test]
fn figure_38() {
    const HEAD: &str = "program figure_38
index i: 100
param 0 S: f64[107]
output 1 R: f64[102]
";
    Nest {
        figure: "ernst_38",
        kernel: "
    pub fn nest(S: &[f64; 107], R: &mut [f64; 102]) {
        for i in 0..100 {
            R[i + 2] = S[i] + 2.0 * S[i + 1] + S[i + 2] + 2.0 * S[i + 3] + S[i + 4]
                + 2.0 * S[i + 5] + S[i + 6] + 2.0 * S[i + 7];
        }
    }",
        source: &format!(
            "{HEAD}R[i + 2] = S[i] + 2 S[i + 1] + S[i + 2] + 2 S[i + 3] + S[i + 4] + 2 S[i + 5] \
             + S[i + 6] + 2 S[i + 7]   for i\n"
        ),
        transformed: &format!(
            "{HEAD}index z: 8
index o: 2
index k: 106
index p: 6
temp B: f64[114]
temp RS: f64[108]
temp less: f64[100]
B[z] = 0   for z
RS[o] = 0   for o
B[k + 8] = S[k] + 2 S[k + 1]   for k
RS[p + 2] = RS[p] + B[p + 8]   for p
less[i] = RS[i + 6] - B[i + 6]   for i
RS[i + 8] = less[i] + B[i + 14]   for i
R[i + 2] = RS[i + 8]   for i
"
        ),
        schedule: |width| {
            format!(
                "schedule width {width}
store B: memory[ring 8]
store RS: memory[ring 2]
store less: register
loop z in 0..8 {{ block {{ eq 0 }} }}
loop o in 0..2 {{ block {{ eq 1 }} }}
loop p in 0..6 with k+0 {{ block {{ eq 2; eq 3 }} }}
loop i in 0..100 with k+6 {{ block {{ eq 4; eq 2; eq 5; eq 6 }} }}"
            )
        },
        operations: [100 * 11, 106 * 2 + 6 + 100 * 2],
    }
    .check();
}
