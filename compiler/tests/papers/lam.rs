//! Lam 1999: fewest operations, then loops fused so that temporaries take the least memory.

use crate::nest::Nest;

/// Figure 1 (a): an integral of a product of three arrays.
const INTEGRAL: &str = "
    pub fn nest(
        a: &[[f64; 5]; 6], b: &[[[f64; 3]; 4]; 5], c: &[[f64; 3]; 4], w: &mut [f64; 4],
    ) {
        for k in 0..4 {
            for i in 0..6 {
                for j in 0..5 {
                    for l in 0..3 {
                        w[k] += a[i][j] * b[j][k][l] * c[k][l];
                    }
                }
            }
        }
    }";

const HEAD: &str = "program integral
index i: 6
index j: 5
index k: 4
index l: 3
param 0 a: f64[6, 5]
param 1 b: f64[5, 4, 3]
param 2 c: f64[4, 3]
output 3 w: f64[4]
";

/// Figure 1 (b): the formula sequence. What generates the arrays is here what loads them.
const FORMULAS: &str = "temp A: f64[6, 5]
temp B: f64[5, 4, 3]
temp C: f64[4, 3]
temp f1: f64[5]
temp f2: f64[5, 4, 3]
temp f3: f64[5, 4]
temp f4: f64[5, 4]
A[i, j] = a[i, j]   for i, j
f1[j] = sum(i) A[i, j]   for j
B[j, k, l] = b[j, k, l]   for j, k, l
C[k, l] = c[k, l]   for k, l
f2[j, k, l] = B[j, k, l] * C[k, l]   for j, k, l
f3[j, k] = sum(l) f2[j, k, l]   for j, k
f4[j, k] = f1[j] * f3[j, k]   for j, k
w[k] += sum(j) f4[j, k]   for k
";

/// Checks one way to run the formulas, and how many elements its temporaries have.
fn check(figure: &str, elements: usize, schedule: fn(usize) -> String) {
    let (i, j, k, l) = (6, 5, 4, 3);
    // The paper's 2 Nj Nk Nl + 2 Nj Nk + Ni Nj. A sum of n terms has n - 1 additions, but the last
    // one is added to what is there.
    let paper = 2 * j * k * l + 2 * j * k + i * j;
    let sums = j + j * k;
    let nest = Nest {
        figure,
        kernel: INTEGRAL,
        source: &format!("{HEAD}w[k] += sum(i, j, l) a[i, j] * b[j, k, l] * c[k, l]   for k\n"),
        transformed: &format!("{HEAD}{FORMULAS}"),
        schedule,
        operations: [3 * i * j * k * l + k, paper - sums],
    };
    assert_eq!(nest.elements(), elements, "{figure}");
    nest.check();
}

/// The head of a schedule with lanes over k.
fn head(width: usize) -> String {
    match width {
        1 => "schedule width 1".to_owned(),
        _ => format!("schedule width {width} lanes k"),
    }
}

/// The formulas one after the other, each with loops of its own: every array is whole.
#[test]
fn figures_1_and_2_a() {
    check("lam_2a", 30 + 5 + 60 + 12 + 60 + 20 + 20, |width| {
        let k = 4usize.next_multiple_of(width);
        format!(
            "{}
store A: memory[6, 5]
store f1: memory[5]
store B: memory[5, {k}, 3]
store C: memory[{k}, 3]
store f2: memory[5, {k}, 3]
store f3: memory[5, {k}]
store f4: memory[5, {k}]
loop i in 0..6 {{
  loop j in 0..5 {{ block {{ eq 0 }} }}
}}
zero f1
loop i in 0..6 {{
  loop j in 0..5 {{ block {{ eq 1 }} }}
}}
loop j in 0..5 {{
  loop k in 0..4 step {width} {{
    loop l in 0..3 {{ block {{ eq 2 }} }}
  }}
}}
loop k in 0..4 step {width} {{
  loop l in 0..3 {{ block {{ eq 3 }} }}
}}
loop j in 0..5 {{
  loop k in 0..4 step {width} {{
    loop l in 0..3 {{ block {{ eq 4 }} }}
  }}
}}
zero f3
loop j in 0..5 {{
  loop k in 0..4 step {width} {{
    loop l in 0..3 {{ block {{ eq 5 }} }}
  }}
}}
loop j in 0..5 {{
  loop k in 0..4 step {width} {{ block {{ eq 6 }} }}
}}
loop j in 0..5 {{
  loop k in 0..4 step {width} {{ block {{ eq 7 }} }}
}}",
            head(width)
        )
    });
}

/// A, B, C, f2 and f4 are scalars.
#[test]
fn figure_2_b() {
    check("lam_2b", 5 + 20 + 5, |width| {
        let (lanes, k) = (lanes(width), 4usize.next_multiple_of(width));
        format!(
            "{}
store A: register
store f1: memory[5]
store B: register{lanes}
store C: register{lanes}
store f2: register{lanes}
store f3: memory[5, {k}]
store f4: register{lanes}
zero f1
loop i in 0..6 {{
  loop j in 0..5 {{ block {{ eq 0; eq 1 }} }}
}}
zero f3
loop k in 0..4 step {width} {{
  loop l in 0..3 {{
    block {{ eq 3 }}
    loop j in 0..5 {{ block {{ eq 2; eq 4; eq 5 }} }}
  }}
}}
loop j in 0..5 {{
  loop k in 0..4 step {width} {{ block {{ eq 6; eq 7 }} }}
}}",
            head(width)
        )
    });
}

/// All arrays but C are scalars, or have one dimension.
#[test]
fn figure_2_c() {
    check("lam_2c", 6 + 12 + 5, |width| {
        let (lanes, k) = (lanes(width), 4usize.next_multiple_of(width));
        format!(
            "{}
store A: memory[6, _]
store f1: registers[_]
store B: register{lanes}
store C: memory[{k}, 3]
store f2: register{lanes}
store f3: registers[_, _]{lanes}
store f4: register{lanes}
loop k in 0..4 step {width} {{
  loop l in 0..3 {{ block {{ eq 3 }} }}
}}
loop j in 0..5 {{
  loop i in 0..6 {{ block {{ eq 0 }} }}
  zero f1
  loop i in 0..6 {{ block {{ eq 1 }} }}
  loop k in 0..4 step {width} {{
    zero f3
    loop l in 0..3 {{ block {{ eq 2; eq 4; eq 5 }} }}
    block {{ eq 6; eq 7 }}
  }}
}}",
            head(width)
        )
    });
}

/// The least memory: f1 and a row of C.
#[test]
fn figure_5_b() {
    check("lam_5b", 5 + 3 + 5, |width| {
        let lanes = lanes(width);
        format!(
            "{}
store A: register
store f1: memory[5]
store B: register{lanes}
store C: memory[_, 3]{lanes}
store f2: register{lanes}
store f3: registers[_, _]{lanes}
store f4: register{lanes}
zero f1
loop i in 0..6 {{
  loop j in 0..5 {{ block {{ eq 0; eq 1 }} }}
}}
loop k in 0..4 step {width} {{
  loop l in 0..3 {{ block {{ eq 3 }} }}
  loop j in 0..5 {{
    zero f3
    loop l in 0..3 {{ block {{ eq 2; eq 4; eq 5 }} }}
    block {{ eq 6; eq 7 }}
  }}
}}",
            head(width)
        )
    });
}

/// One value a lane, where there are lanes.
fn lanes(width: usize) -> &'static str {
    if width == 1 { "" } else { " lanes" }
}

/// The self-energy in the electronic structure of solids, up to its Fourier transforms: fewer
/// temporaries for some operations that are done again, f7 in every iteration over t and f6 twice.
#[test]
fn figure_6() {
    let (k, r, q, t) = (2, 5, 4, 3);
    Nest {
        figure: "lam_6",
        kernel: SELF_ENERGY_KERNEL,
        source: &format!(
            "{SELF_ENERGY}temp f6: f64[5, 5, 3]
f6[r, s, t] = sum(p, q) y[r, p] * y[s, q] * g[p, q, t]   for r, s, t
f[k, r, s, t] = exp[k, r] * exp[k, s] * f6[r, s, t] * f6[s, r, t]   for k, r, s, t
"
        ),
        transformed: &format!("{SELF_ENERGY}{SELF_ENERGY_FORMULAS}"),
        schedule: fused_self_energy,
        operations: [
            r * r * t * (3 * q * q) + 3 * k * r * r * t,
            r * q * t * (2 * q - 1) + 2 * r * r * t * (2 * q - 1) + r * r * t + k * r * r * (1 + t),
        ],
    }
    .check();
}

const SELF_ENERGY_KERNEL: &str = "
    pub fn nest(
        y: &[[f64; 4]; 5], g: &[[[f64; 3]; 4]; 4], exp: &[[f64; 5]; 2],
        f: &mut [[[[f64; 3]; 5]; 5]; 2],
    ) {
        for k in 0..2 {
            for r in 0..5 {
                for s in 0..5 {
                    for t in 0..3 {
                        let mut f6 = 0.0;
                        let mut swapped = 0.0;
                        for p in 0..4 {
                            for q in 0..4 {
                                f6 += y[r][p] * y[s][q] * g[p][q][t];
                                swapped += y[s][p] * y[r][q] * g[p][q][t];
                            }
                        }
                        f[k][r][s][t] = exp[k][r] * exp[k][s] * f6 * swapped;
                    }
                }
            }
        }
    }";

const SELF_ENERGY_FORMULAS: &str = "temp Y: f64[5, 4]
temp G: f64[4, 4, 3]
temp f1: f64[5, 4, 4, 3]
temp f2: f64[5, 4, 3]
temp f5: f64[5, 4, 5, 3]
temp f6: f64[5, 5, 3]
temp f5s: f64[5, 4, 5, 3]
temp f6s: f64[5, 5, 3]
temp f10: f64[5, 5, 3]
temp f7: f64[2, 5, 5]
Y[r, p] = y[r, p]   for r, p
G[p, q, t] = g[p, q, t]   for p, q, t
f1[s, p, q, t] = Y[s, q] * G[p, q, t]   for s, p, q, t
f2[s, p, t] = sum(q) f1[s, p, q, t]   for s, p, t
f5[r, p, s, t] = Y[r, p] * f2[s, p, t]   for r, p, s, t
f6[r, s, t] = sum(p) f5[r, p, s, t]   for r, s, t
f5s[r, p, s, t] = Y[s, p] * f2[r, p, t]   for r, p, s, t
f6s[r, s, t] = sum(p) f5s[r, p, s, t]   for r, s, t
f10[r, s, t] = f6[r, s, t] * f6s[r, s, t]   for r, s, t
f7[k, r, s] = exp[k, r] * exp[k, s]   for k, r, s
f[k, r, s, t] = f7[k, r, s] * f10[r, s, t]   for k, r, s, t
";

fn fused_self_energy(width: usize) -> String {
    let lanes = if width == 1 { "" } else { " lanes" };
    let head = match width {
        1 => "schedule width 1".to_owned(),
        _ => format!("schedule width {width} lanes t"),
    };
    format!(
        "{head}
store Y: memory[5, 4]
store G: register{lanes}
store f1: register{lanes}
store f2: memory[5, 4, _]{lanes}
store f5: register{lanes}
store f6: registers[_, _, _]{lanes}
store f5s: register{lanes}
store f6s: registers[_, _, _]{lanes}
store f10: memory[5, _, _]{lanes}
store f7: register
loop r in 0..5 {{
  loop p in 0..4 {{ block {{ eq 0 }} }}
}}
loop t in 0..3 step {width} {{
  zero f2
  loop p in 0..4 {{
    loop q in 0..4 {{
      block {{ eq 1 }}
      loop s in 0..5 {{ block {{ eq 2; eq 3 }} }}
    }}
  }}
  loop s in 0..5 {{
    loop r in 0..5 {{
      zero f6
      zero f6s
      loop p in 0..4 {{ block {{ eq 4; eq 5; eq 6; eq 7 }} }}
      block {{ eq 8 }}
    }}
    loop k in 0..2 {{
      loop r in 0..5 {{ block {{ eq 9; eq 10 }} }}
    }}
  }}
}}"
    )
}

const SELF_ENERGY: &str = "program self_energy
index k: 2
index r: 5
index s: 5
index t: 3
index p: 4
index q: 4
param 0 y: f64[5, 4]
param 1 g: f64[4, 4, 3]
param 2 exp: f64[2, 5]
output 3 f: f64[2, 5, 5, 3]
";
