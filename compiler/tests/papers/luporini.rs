//! Luporini 2017: sharing elimination and pre-evaluation.

use crate::nest::Nest;

const FIGURE_2: &str = "
    pub fn nest(b: &[f64; 6], c: &[f64; 5], d: &[f64; 5], a: &mut [[f64; 5]; 6]) {
        for j in 0..6 {
            for i in 0..5 {
                a[j][i] += b[j] * c[i] + b[j] * d[i];
            }
        }
    }";

const FIGURE_2_A: &str = "program figure_2
index j: 6
index i: 5
param 0 b: f64[6]
param 1 c: f64[5]
param 2 d: f64[5]
output 3 a: f64[6, 5]
a[j, i] += b[j] * c[i] + b[j] * d[i]   for j, i
";

/// With temporal sharing: the factorised expression.
#[test]
fn figure_2_b() {
    Nest {
        figure: "luporini_2b",
        kernel: FIGURE_2,
        source: FIGURE_2_A,
        transformed: "program figure_2
index j: 6
index i: 5
param 0 b: f64[6]
param 1 c: f64[5]
param 2 d: f64[5]
output 3 a: f64[6, 5]
a[j, i] += b[j] * (c[i] + d[i])   for j, i
",
        schedule: |width| {
            format!(
                "{}
loop j in 0..6 {{
  loop i in 0..5 step {width} {{ block {{ eq 0 }} }}
}}",
                over("i", width)
            )
        },
        operations: [4 * 6 * 5, 3 * 6 * 5],
    }
    .check();
}

/// The optimal form: the sum in a loop of its own.
#[test]
fn figure_2_c() {
    Nest {
        figure: "luporini_2c",
        kernel: FIGURE_2,
        source: FIGURE_2_A,
        transformed: "program figure_2
index j: 6
index i: 5
param 0 b: f64[6]
param 1 c: f64[5]
param 2 d: f64[5]
output 3 a: f64[6, 5]
temp t: f64[5]
t[i] = c[i] + d[i]   for i
a[j, i] += b[j] * t[i]   for j, i
",
        schedule: |width| {
            let row = 5usize.next_multiple_of(width);
            format!(
                "{}
store t: memory[{row}]
loop i in 0..5 step {width} {{ block {{ eq 0 }} }}
loop j in 0..6 {{
  loop i in 0..5 step {width} {{ block {{ eq 1 }} }}
}}",
                over("i", width)
            )
        },
        operations: [4 * 6 * 5, 5 + 2 * 6 * 5],
    }
    .check();
}

/// Poisson's equation in two dimensions: an imperfect nest, with rows of temporaries for each
/// point of integration. The caption counts J * 6 + K * 9, which are here K * 6 + J * 9: it is the
/// test functions, over j, that the weight and the determinant go to.
#[test]
fn figure_3() {
    Nest {
        figure: "luporini_3",
        kernel: "
    pub fn nest(
        z: &[[f64; 4]], det: &[f64], w: &[f64; 3], a: &[[f64; 5]; 3], b: &[[f64; 5]; 3],
        c: &[[f64; 6]; 3], d: &[[f64; 6]; 3], s: &mut [[[f64; 5]; 6]],
    ) {
        for e in 0..z.len() {
            for i in 0..3 {
                for j in 0..6 {
                    for k in 0..5 {
                        s[e][j][k] += ((z[e][0] * a[i][k] + z[e][2] * b[i][k])
                            * (z[e][0] * c[i][j] + z[e][2] * d[i][j])
                            + (z[e][1] * a[i][k] + z[e][3] * b[i][k])
                                * (z[e][1] * c[i][j] + z[e][3] * d[i][j]))
                            * w[i]
                            * det[e];
                    }
                }
            }
        }
    }",
        source: &format!(
            "{FIGURE_3}s[e, j, k] += sum(i) ((z[e, 0] * a[i, k] + z[e, 2] * b[i, k]) \
             * (z[e, 0] * c[i, j] + z[e, 2] * d[i, j]) \
             + (z[e, 1] * a[i, k] + z[e, 3] * b[i, k]) \
             * (z[e, 1] * c[i, j] + z[e, 3] * d[i, j])) * w[i] * det[e]   for e, j, k\n"
        ),
        transformed: &format!(
            "{FIGURE_3}temp t0: f64[len(z), 3, 5]
temp t1: f64[len(z), 3, 5]
temp t2: f64[len(z), 3, 6]
temp t3: f64[len(z), 3, 6]
t0[e, i, k] = z[e, 0] * a[i, k] + z[e, 2] * b[i, k]   for e, i, k
t1[e, i, k] = z[e, 1] * a[i, k] + z[e, 3] * b[i, k]   for e, i, k
t2[e, i, j] = (z[e, 0] * c[i, j] + z[e, 2] * d[i, j]) * (w[i] * det[e])   for e, i, j
t3[e, i, j] = (z[e, 1] * c[i, j] + z[e, 3] * d[i, j]) * (w[i] * det[e])   for e, i, j
s[e, j, k] += sum(i) t0[e, i, k] * t2[e, i, j] + t1[e, i, k] * t3[e, i, j]   for e, j, k
"
        ),
        schedule: |width| {
            let row = 5usize.next_multiple_of(width);
            format!(
                "{}
store t0: memory[_, _, {row}]
store t1: memory[_, _, {row}]
store t2: memory[_, _, 6]
store t3: memory[_, _, 6]
loop e in 0..len(z) {{
  loop i in 0..3 {{
    loop k in 0..5 step {width} {{ block {{ eq 0; eq 1 }} }}
    loop j in 0..6 {{ block {{ eq 2; eq 3 }} }}
    loop j in 0..6 {{
      loop k in 0..5 step {width} {{ block {{ eq 4 }} }}
    }}
  }}
}}",
                over("k", width)
            )
        },
        operations: [18 * 3 * 6 * 5, 3 * (5 * 6 + 6 * 9 + 6 * 5 * 4)],
    }
    .check();
}

const FIGURE_3: &str = "program figure_3
index e: len(z)
index i: 3
index j: 6
index k: 5
param 0 z: f64[len(z), 4]
param 1 det: f64[len(det)]
param 2 w: f64[3]
param 3 a: f64[3, 5]
param 4 b: f64[3, 5]
param 5 c: f64[3, 6]
param 6 d: f64[3, 6]
output 7 s: f64[len(s), 6, 5]
";

/// A reduction that is evaluated before the loop over cells.
#[test]
fn figure_4() {
    Nest {
        figure: "luporini_4",
        kernel: "
    pub fn nest(
        d: &[f64; 4], b: &[[f64; 5]; 3], c: &[f64; 3], f: &[f64; 3], a: &mut [[f64; 5]; 4],
    ) {
        for e in 0..4 {
            for i in 0..3 {
                for k in 0..5 {
                    a[e][k] += d[e] * b[i][k] * c[i] + d[e] * b[i][k] * f[i];
                }
            }
        }
    }",
        source: &format!(
            "{FIGURE_4}a[e, k] += sum(i) d[e] * b[i, k] * c[i] + d[e] * b[i, k] * f[i]   for e, k\n"
        ),
        transformed: &format!(
            "{FIGURE_4}temp t: f64[5]
t[k] = sum(i) b[i, k] * (c[i] + f[i])   for k
a[e, k] += d[e] * t[k]   for e, k
"
        ),
        schedule: |width| {
            let row = 5usize.next_multiple_of(width);
            format!(
                "{}
store t: memory[{row}]
zero t
loop i in 0..3 {{
  loop k in 0..5 step {width} {{ block {{ eq 0 }} }}
}}
loop e in 0..4 {{
  loop k in 0..5 step {width} {{ block {{ eq 1 }} }}
}}",
                over("k", width)
            )
        },
        // A sum of three terms takes two additions: the first starts it.
        operations: [6 * 4 * 3 * 5, 5 * (2 * 3 + 2) + 2 * 4 * 5],
    }
    .check();
}

const FIGURE_4: &str = "program figure_4
index e: 4
index i: 3
index k: 5
param 0 d: f64[4]
param 1 b: f64[3, 5]
param 2 c: f64[3]
param 3 f: f64[3]
output 4 a: f64[4, 5]
";

/// The shape of what the transformation algorithm gives: tables evaluated before the loop over
/// cells, a nest for the monomials that they serve, and one with integration for the others.
#[test]
fn figure_5() {
    Nest {
        figure: "luporini_5",
        kernel: "
    pub fn nest(
        det: &[f64], c: &[[f64; 3]], w: &[f64; 3], p: &[[f64; 5]; 3], a: &mut [[[f64; 5]; 5]],
    ) {
        for e in 0..det.len() {
            for i in 0..3 {
                for j in 0..5 {
                    for k in 0..5 {
                        a[e][j][k] += (det[e] + c[e][i]) * w[i] * p[i][j] * p[i][k];
                    }
                }
            }
        }
    }",
        source: &format!(
            "{FIGURE_5}a[e, j, k] += sum(i) (det[e] + c[e, i]) * w[i] * p[i, j] * p[i, k] \
             for e, j, k\n"
        ),
        transformed: &format!(
            "{FIGURE_5}temp m: f64[5, 5]
temp g: f64[len(det), 3]
temp h: f64[len(det), 3, 5]
m[j, k] = sum(i) w[i] * p[i, j] * p[i, k]   for j, k
a[e, j, k] += det[e] * m[j, k]   for e, j, k
g[e, i] = c[e, i] * w[i]   for e, i
h[e, i, k] = g[e, i] * p[i, k]   for e, i, k
a[e, j, k] += sum(i) p[i, j] * h[e, i, k]   for e, j, k
"
        ),
        schedule: |width| {
            let row = 5usize.next_multiple_of(width);
            format!(
                "{}
store m: memory[5, {row}]
store g: register
store h: memory[_, _, {row}]
loop j in 0..5 {{
  loop k in 0..5 step {width} {{ reduce i {{ eq 0 }} }}
}}
loop e in 0..len(det) {{
  loop j in 0..5 {{
    loop k in 0..5 step {width} {{ block {{ eq 1 }} }}
  }}
  loop i in 0..3 {{
    block {{ eq 2 }}
    loop k in 0..5 step {width} {{ block {{ eq 3 }} }}
    loop j in 0..5 {{
      loop k in 0..5 step {width} {{ block {{ eq 4 }} }}
    }}
  }}
}}",
                over("k", width)
            )
        },
        // For each cell: the tables are not counted, they are evaluated once.
        operations: [5 * 3 * 5 * 5, 2 * 25 + 3 * (1 + 5 + 2 * 25)],
    }
    .check();
}

const FIGURE_5: &str = "program figure_5
index e: len(det)
index i: 3
index j: 5
index k: 5
param 0 det: f64[len(det)]
param 1 c: f64[len(c), 3]
param 2 w: f64[3]
param 3 p: f64[3, 5]
output 4 a: f64[len(a), 5, 5]
";

/// The mass matrix with a coefficient, its product expanded for pre-evaluation: three times the
/// terms, none of which depends on the coefficient's values.
#[test]
fn figure_6() {
    Nest {
        figure: "luporini_6",
        kernel: "
    pub fn nest(f: &[f64; 3], b: &[[f64; 5]; 4], g: &[[f64; 3]; 4], a: &mut [[f64; 5]; 5]) {
        for i in 0..4 {
            for j in 0..5 {
                for k in 0..5 {
                    a[j][k] += b[i][j] * b[i][k]
                        * (f[0] * g[i][0] + f[1] * g[i][1] + f[2] * g[i][2]);
                }
            }
        }
    }",
        source: &format!(
            "{FIGURE_6}a[j, k] += sum(i) b[i, j] * b[i, k] \
             * (f[0] * g[i, 0] + f[1] * g[i, 1] + f[2] * g[i, 2])   for j, k\n"
        ),
        transformed: &format!(
            "{FIGURE_6}temp t: f64[3, 5, 5]
t[r, j, k] = sum(i) b[i, j] * b[i, k] * g[i, r]   for r, j, k
a[j, k] += f[0] * t[0, j, k] + f[1] * t[1, j, k] + f[2] * t[2, j, k]   for j, k
"
        ),
        schedule: |width| {
            let row = 5usize.next_multiple_of(width);
            format!(
                "{}
store t: memory[3, 5, {row}]
loop r in 0..3 {{
  loop j in 0..5 {{
    loop k in 0..5 step {width} {{ reduce i {{ eq 0 }} }}
  }}
}}
loop j in 0..5 {{
  loop k in 0..5 step {width} {{ block {{ eq 1 }} }}
}}",
                over("k", width)
            )
        },
        operations: [8 * 4 * 25, 3 * 25 * (2 * 4 + 3) + 25 * 6],
    }
    .check();
}

const FIGURE_6: &str = "program figure_6
index i: 4
index j: 5
index k: 5
index r: 3
param 0 f: f64[3]
param 1 b: f64[4, 5]
param 2 g: f64[4, 3]
output 3 a: f64[5, 5]
";

/// The head of a schedule with lanes over an index.
fn over(index: &str, width: usize) -> String {
    match width {
        1 => "schedule width 1".to_owned(),
        _ => format!("schedule width {width} lanes {index}"),
    }
}
