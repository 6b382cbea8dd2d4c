//! Values that wait for later iterations, in queues (chapter 3).

use super::unrolled;
use crate::nest::Nest;

/// Figure 29: convolution with the binomial filter of width 5. (The figure's last term has the
/// index of the first one.)
const FIGURE_29: &str = "
    pub fn nest(r: &[f64; 401], sm: &mut [f64; 399]) {
        for i in 2..399 {
            sm[i] = 0.0625 * r[i - 2] + 0.25 * r[i - 1] + 0.375 * r[i] + 0.25 * r[i + 1]
                + 0.0625 * r[i + 2];
        }
    }";

const FIGURE_29_SOURCE: &str = "program figure_29
index i: 397
param 0 r: f64[401]
output 1 sm: f64[399]
sm[i + 2] = 0.0625 * r[i] + 0.25 * r[i + 1] + 0.375 * r[i + 2] + 0.25 * r[i + 3] + 0.0625 * r[i + 4]   for i
";

/// Products that later iterations use again.
const FIGURE_30: &str = "program figure_30
index i: 397
index p: 4
index q: 2
param 0 r: f64[401]
output 1 sm: f64[399]
temp t16: f64[401]
temp t4: f64[399]
temp s1: f64[397]
temp s2: f64[397]
t16[p] = 0.0625 * r[p]   for p
t4[q] = 0.25 * r[q + 1]   for q
s1[i] = 0.25 * r[i + 3]   for i
s2[i] = 0.0625 * r[i + 4]   for i
sm[i + 2] = t16[i] + t4[i] + 0.375 * r[i + 2] + s1[i] + s2[i]   for i
t4[i + 2] = s1[i]   for i
t16[i + 4] = s2[i]   for i
";

const FIGURE_30_OPERATIONS: [u64; 2] = [397 * 9, 4 + 2 + 397 * (3 + 4)];

/// The products wait in arrays that are used as queues.
#[test]
fn figure_30() {
    Nest {
        figure: "ernst_30",
        kernel: FIGURE_29,
        source: FIGURE_29_SOURCE,
        transformed: FIGURE_30,
        schedule: |width| {
            format!(
                "schedule width {width}
store t16: memory[ring 4]
store t4: memory[ring 2]
store s1: register
store s2: register
block {{ eq 0 @ p+0; eq 0 @ p+1; eq 0 @ p+2; eq 0 @ p+3; eq 1 @ q+0; eq 1 @ q+1 }}
loop i in 0..397 {{ block {{ eq 2; eq 3; eq 4; eq 5; eq 6 }} }}"
            )
        },
        operations: FIGURE_30_OPERATIONS,
    }
    .check();
}

/// The queues as scalars: the loop is unrolled by four, its last iteration peeled.
#[test]
fn figure_31() {
    Nest {
        figure: "ernst_31",
        kernel: FIGURE_29,
        source: FIGURE_29_SOURCE,
        transformed: FIGURE_30,
        schedule: |width| {
            format!(
                "schedule width {width}
store t16: registers[ring 4]
store t4: registers[ring 2]
store s1: register
store s2: register
block {{ eq 0 @ p+0; eq 0 @ p+1; eq 0 @ p+2; eq 0 @ p+3; eq 1 @ q+0; eq 1 @ q+1 }}
loop i in 0..396 step 4 {{ block {{ {} }} }}
loop i in 396..397 {{ block {{ {} }} }}",
                unrolled(4, &[2, 3, 4, 5, 6]),
                unrolled(1, &[2, 3, 4, 5, 6])
            )
        },
        operations: FIGURE_30_OPERATIONS,
    }
    .check();
}

/// The same along a slice: as many iterations as there are whole steps, and what they leave.
#[test]
fn figure_31_along_a_slice() {
    const HEAD: &str = "program slices
index i: len(r) - 4
param 0 r: f64[len(r)]
output 1 sm: f64[len(sm)]
";
    const RESULT: &str = "sm[i + 2] = 0.0625 * r[i] + 0.25 * r[i + 1] + 0.375 * r[i + 2] \
         + 0.25 * r[i + 3] + 0.0625 * r[i + 4]   for i\n";
    let (declared, equations) = FIGURE_30.split_at(FIGURE_30.find("t16[p] =").unwrap());
    assert!(declared.contains("temp t16"));
    Nest {
        figure: "ernst_31_slices",
        kernel: "
    pub fn nest(r: &[f64], sm: &mut [f64]) {
        for i in 2..r.len() - 2 {
            sm[i] = 0.0625 * r[i - 2] + 0.25 * r[i - 1] + 0.375 * r[i] + 0.25 * r[i + 1]
                + 0.0625 * r[i + 2];
        }
    }",
        source: &format!("{HEAD}{RESULT}"),
        transformed: &format!(
            "{HEAD}index p: 4
index q: 2
temp t16: f64[len(r)]
temp t4: f64[len(r)]
temp s1: f64[len(r)]
temp s2: f64[len(r)]
{equations}"
        ),
        schedule: |width| {
            format!(
                "schedule width {width}
store t16: registers[ring 4]
store t4: registers[ring 2]
store s1: register
store s2: register
block {{ eq 0 @ p+0; eq 0 @ p+1; eq 0 @ p+2; eq 0 @ p+3; eq 1 @ q+0; eq 1 @ q+1 }}
loop i in 0..len(r) - 4 step 4 whole {{ block {{ {} }} }}
loop i in 0..len(r) - 4 step 4 rest {{ block {{ {} }} }}",
                unrolled(4, &[2, 3, 4, 5, 6]),
                unrolled(1, &[2, 3, 4, 5, 6])
            )
        },
        // An iteration's.
        operations: [9, 7],
    }
    .check();
}

/// The stencil of figures 32 and 33: 1 0 1 1 0 0 0 0 1.
const APERIODIC: &str = "
    pub fn nest(y: &[f64; 100], x: &mut [f64; 96]) {
        for i in 4..96 {
            x[i] = y[i - 4] + y[i - 2] + y[i - 1] + y[i + 4];
        }
    }";

const APERIODIC_HEAD: &str = "program aperiodic
index i: 92
index p: 4
param 0 y: f64[100]
output 1 x: f64[96]
";

fn aperiodic_source() -> String {
    format!("{APERIODIC_HEAD}x[i + 4] = y[i] + y[i + 2] + y[i + 3] + y[i + 8]   for i\n")
}

/// A queue of the last four base values: two loads a result.
#[test]
fn figure_32() {
    Nest {
        figure: "ernst_32",
        kernel: APERIODIC,
        source: &aperiodic_source(),
        transformed: &format!(
            "{APERIODIC_HEAD}temp t: f64[96]
t[p] = y[p]   for p
x[i + 4] = t[i] + t[i + 2] + t[i + 3] + y[i + 8]   for i
t[i + 4] = y[i + 4]   for i
"
        ),
        schedule: |width| {
            format!(
                "schedule width {width}
store t: registers[ring 4]
block {{ eq 0 @ p+0; eq 0 @ p+1; eq 0 @ p+2; eq 0 @ p+3 }}
loop i in 0..92 step 4 {{ block {{ {} }} }}",
                unrolled(4, &[1, 2])
            )
        },
        operations: [92 * 3, 92 * 3],
    }
    .check();
}

/// Two queues of four, values moving from one to the other: one load a result. (The figure writes
/// all four results of an iteration to one place.)
#[test]
fn figure_33() {
    Nest {
        figure: "ernst_33",
        kernel: APERIODIC,
        source: &aperiodic_source(),
        transformed: &format!(
            "{APERIODIC_HEAD}temp t: f64[96]
temp r: f64[96]
temp nx: f64[92]
t[p] = y[p]   for p
r[p] = y[p + 4]   for p
nx[i] = t[i] + t[i + 2] + t[i + 3]   for i
t[i + 4] = r[i]   for i
r[i + 4] = y[i + 8]   for i
x[i + 4] = nx[i] + r[i + 4]   for i
"
        ),
        schedule: |width| {
            let filled: Vec<String> = (0..4)
                .map(|p| format!("eq 0 @ p+{p}; eq 1 @ p+{p}"))
                .collect();
            format!(
                "schedule width {width}
store t: registers[ring 4]
store r: registers[ring 4]
store nx: register
block {{ {} }}
loop i in 0..92 step 4 {{ block {{ {} }} }}",
                filled.join("; "),
                unrolled(4, &[2, 3, 4, 5])
            )
        },
        operations: [92 * 3, 92 * 3],
    }
    .check();
}

/// The sum of 29 neighbours.
const WIDE: &str = "
    pub fn nest(y: &[f64; 124], x: &mut [f64; 96]) {
        for i in 0..96 {
            for j in 0..29 {
                x[i] += y[i + j];
            }
        }
    }";

const WIDE_HEAD: &str = "program wide
param 0 y: f64[124]
output 1 x: f64[96]
";

/// The periodic stencil of width 29, eight results an iteration: a tree over the eight elements
/// that an iteration adds, of which the next ones use the sums, and the centre that all eight
/// results share. Theorem 5 has 30 additions for them; these are 29, and one to each result.
#[test]
fn figure_35() {
    Nest {
        figure: "ernst_35",
        kernel: WIDE,
        source: &format!("{WIDE_HEAD}index i: 96\nindex j: 29\nx[i] += sum(j) y[i + j]   for i\n"),
        transformed: &format!(
            "{WIDE_HEAD}index m: 12
index k: 14
index a: 4
index b: 2
index l: 6
index g: 5
temp pair: f64[14, 4]
temp quad: f64[14, 2]
temp eight: f64[14]
temp sixteen: f64[12]
temp core: f64[12]
temp left: f64[12, 7]
temp right: f64[12, 6]
pair[k, a] = y[8*k + 2*a + 7] + y[8*k + 2*a + 8]   for k, a
quad[k, b] = pair[k, 2*b] + pair[k, 2*b + 1]   for k, b
eight[k] = quad[k, 0] + quad[k, 1]   for k
sixteen[m] = eight[m] + eight[m + 1]   for m
core[m] = sixteen[m] + quad[m + 2, 0] + pair[m + 2, 2]   for m
left[m, 0] = core[m] + y[8*m + 6]   for m
left[m, l + 1] = left[m, l] + y[8*m - l + 5]   for m, l
right[m, 0] = pair[m + 2, 3]   for m
right[m, g + 1] = right[m, g] + y[8*m + g + 31]   for m, g
x[8*m] += left[m, 6]   for m
x[8*m + 1] += left[m, 5] + y[8*m + 29]   for m
x[8*m + g + 2] += left[m, 4 - g] + right[m, g]   for m, g
x[8*m + 7] += core[m] + right[m, 5]   for m
"
        ),
        schedule: |width| {
            let tree = "eq 0; eq 0 @ a+1; eq 0 @ a+2; eq 0 @ a+3; eq 1; eq 1 @ b+1";
            let along = |equation: usize, index: &str, count: usize| -> String {
                let one = |k: usize| format!("; eq {equation} @ {index}+{k}");
                (0..count).map(one).collect()
            };
            // What is one iteration old is overwritten after its last use.
            format!(
                "schedule width {width}
store pair: register
store quad: register
store eight: memory[ring 2]
store sixteen: register
store core: register
store left: register
store right: register
loop k in 0..2 {{ block {{ {tree}; eq 2 }} }}
loop m in 0..12 with k+2 {{
  block {{ {tree}; eq 3; eq 2; eq 4; eq 5{}; eq 7{}; eq 9; eq 10{}; eq 12 }}
}}",
                along(6, "l", 6),
                along(8, "g", 5),
                along(11, "g", 5)
            )
        },
        operations: [96 * 29, 14 * 7 + 12 * (1 + 2 + 7 + 5 + 7 + 8)],
    }
    .check();
}
