//! Plans that are printed are taken again, and changed ones are the kernel or an error: nothing panics, and nothing that is
//! not the kernel is emitted. The tool of random kernels runs those that are.

use loopwright_differential::expansion::{self, Depth, Expanded};
use loopwright_differential::plans::{mutated, printed, with_plans};
use loopwright_differential::support::random::Random;

/// Changes of each kernel's plans.
const CHANGES: usize = 60;

/// Loops of constant and of run-time length, sums in registers, rings, temporaries in memory, two nests, totals.
const KERNELS: [&str; 9] = [
    "(a: &[[f64; 4]; 4], b: &[[f64; 4]; 4], c: &mut [[f64; 4]; 4]) {
        for i in 0..4 { for j in 0..4 { for k in 0..4 { c[i][j] += a[i][k] * b[k][j]; } } } }",
    "(a: &[f64], b: &[f64], c: &mut [f64], n: usize) {
        for i in 0..n { for j in 0..n { for k in 0..n { c[i * n + j] += a[i * n + k] * b[k * n + j]; } } } }",
    "(a: f64, x: &[f64], y: &mut [f64]) { for i in 0..x.len() { y[i] += a * x[i]; } }",
    "(x: &[f64], y: &[f64]) -> f64 { let mut s = 0.0; for i in 0..x.len() { s += x[i] * y[i]; } s }",
    "(x: &[f64], y: &mut [f64]) { let n = x.len(); for i in 2..n - 2 {
        y[i] = 0.2 * (x[i - 2] + x[i - 1] + x[i] + x[i + 1] + x[i + 2]); } }",
    "(u: &[f32], v: &mut [f32], n: usize, m: usize) { for i in 1..n - 1 { for j in 1..m - 1 {
        v[i * m + j] = u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]; } } }",
    "(x: &[f64], t: &mut [f64], y: &mut [f64]) { let n = x.len();
        for i in 0..n { t[i] = x[i].sqrt(); } for i in 1..n - 1 { y[i] = t[i - 1] + t[i + 1]; } }",
    "(a: &[[f64; 5]; 3], b: &[[f64; 3]; 5], c: &[[f64; 6]; 3], y: &mut [[f64; 6]; 3]) {
        for i in 0..3 { for l in 0..6 { for j in 0..5 { for k in 0..3 {
            y[i][l] += a[i][j] * b[j][k] * c[k][l]; } } } } }",
    "(x: &[u8], w: &[i32; 3], y: &mut [i32]) { for i in 0..y.len() {
        let mut s = 0; for k in 0..3 { s = w[k].wrapping_mul(x[i + k] as i32).wrapping_add(s); } y[i] = s; } }",
];

fn text(of: &str) -> String {
    format!("#[opt(level = 3)] pub fn kernel{of}")
}

fn expand(text: &str, plans: &[String]) -> Expanded {
    expansion::expand(&with_plans(text, plans), Depth::Variants, false)
}

#[test]
fn printed_plans_are_taken() {
    for kernel in KERNELS {
        let text = text(kernel);
        let plans = printed(&text);
        assert!(!plans.is_empty(), "{text}");
        let expanded = expand(&text, &plans);
        assert!(
            matches!(expanded, Expanded::Built(_)),
            "{text}\n{plans:#?}\n{expanded:?}"
        );
        assert_eq!(printed(&with_plans(&text, &plans)), plans, "{text}");
    }
}

#[test]
fn plans_without_lanes_are_validated_where_others_have_none_either() {
    let text = "#[opt(isa = [avx2, scalar], level = 2, strict)]
        pub fn kernel(m: usize, n: usize, a: &mut [[f32; 15]; 15]) {
            static A: [[f32; 5]; 2] = [[-0.5, 0.25, -0.5, -0.5, 0.25], [-0.0, 0.0, -0.0, -0.0, 0.0]];
            for _q in m..n { for i in 0..5 { for j in 0..5 {
                let mut s: f32 = 0.0;
                for r in 0..2 { s += A[r][i] * A[r][j]; }
                a[i][j] += s;
                a[i + 5][j + 5] -= s;
                a[i + 10][j + 10] += s;
            } } }
        }";
    let plans = printed(text);
    let [plan] = &plans[..] else {
        panic!("one plan is for all: {plans:#?}");
    };
    assert!(matches!(expand(text, &plans), Expanded::Built(_)));
    let twice = plan.replace("eq 1", "eq 2");
    assert_ne!(*plan, twice);
    let expanded = expand(text, &[twice]);
    assert!(matches!(expanded, Expanded::Rejected(_)), "{expanded:?}");
}

/// What these leave out adds zero for all inputs that are tried, and not where an input is no number, or an entry
/// of the map that is not among those tried.
#[test]
fn plans_compute_what_adds_zero() {
    let zeros = "#[opt(isa = [scalar], level = 0)]
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            static T: [f64; 2] = [0.0, 0.0];
            for i in 0..x.len() { y[i] += x[i] * T[0]; }
        }";
    let entry = "#[opt(isa = [scalar], level = 0)]
        pub fn kernel(map: &[usize; 3], x: &[f64], y: &mut [f64]) {
            static T: [f64; 2] = [0.0, 0.0];
            for i in 0..x.len() { y[i] += x[i]; }
            y[0] += T[map[2]];
        }";
    for (text, from, to) in [
        (zeros, "in 0..", "in 1.."),
        (entry, "block {\n  eq 1\n}", "block {\n}"),
    ] {
        let plans = printed(text);
        let [plan] = &plans[..] else {
            panic!("one plan is for all: {plans:#?}");
        };
        assert!(matches!(expand(text, &plans), Expanded::Built(_)));
        let less = plan.replace(from, to);
        assert_ne!(*plan, less);
        let expanded = expand(text, std::slice::from_ref(&less));
        assert!(
            matches!(expanded, Expanded::Rejected(_)),
            "{less}: {expanded:?}"
        );
    }
}

/// Of the tables, which data chooses entries of, few are not zero: what is done wrong with them is seen all the same.
#[test]
fn plans_are_compared_where_looked_up_entries_are_not_zero() {
    let text = "#[opt(isa = [scalar], level = 0)] pub fn kernel(n: usize, m: &[usize; 3], y: &mut [[f64; 3]]) {
            static A: [[f64; 2]; 5] = [[0.0, 1.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [2.0, 0.0]];
            static B: [f64; 5] = [0.0, 3.0, 0.0, 1.0, 0.0];
            for k in 0..n {
                y[k][0] = A[m[2]][0];
                y[k][1] = A[m[0]][1] * B[m[1]];
                y[k][2] += A[m[0]][0];
            }
        }";
    let plan = "y[k, 0] = a[m[2], 0]   for k
y[k, 1] = a[m[0], 1]*b[m[1]]   for k
y[k, 2] += a[m[0], 0]   for k
schedule width 1
loop k in 0..n {
  block {
    eq 0
    eq 1
    eq 2
  }
}";
    let expanded = expand(text, &[plan.to_owned()]);
    assert!(matches!(expanded, Expanded::Built(_)), "{expanded:?}");
    let changes = [
        ("a[m[2], 0]", "2*a[m[2], 0]"),
        ("a[m[2], 0]", "a[m[1], 0]"),
        ("a[m[0], 1]*b[m[1]]", "a[m[0], 1]*b[m[2]]"),
        ("a[m[0], 1]*b[m[1]]", "4*a[m[0], 1]*b[m[1]]"),
        ("+= a[m[0], 0]", "+= 3*a[m[0], 0]"),
        ("eq 2", "eq 2\n    eq 2"),
    ];
    for (from, to) in changes {
        let changed = plan.replace(from, to);
        assert_ne!(plan, changed, "{from}");
        let expanded = expand(text, std::slice::from_ref(&changed));
        assert!(
            matches!(expanded, Expanded::Rejected(_)),
            "{changed}\n{expanded:?}"
        );
    }
}

#[test]
fn changed_plans_are_the_kernel_or_refused() {
    let (mut taken, mut refused) = (0, 0);
    for (number, kernel) in KERNELS.iter().enumerate() {
        let text = text(kernel);
        let plans = printed(&text);
        let mut random = Random::new(number as u64);
        for _ in 0..CHANGES {
            let plan = mutated(&random.pick(&plans), &mut random);
            match expand(&text, std::slice::from_ref(&plan)) {
                Expanded::Built(_) => taken += 1,
                Expanded::Rejected(_) => refused += 1,
                Expanded::Failed(what) => panic!("{what}\n{text}\n{plan}"),
            }
        }
    }
    assert!(
        taken > 20 && refused > 200,
        "{taken} taken, {refused} refused"
    );
}

/// Numbers that no short text is stand there with their image in the field, which is compared; the value is not.
#[test]
fn numbers_of_plans_are_those_of_the_kernel() {
    let text = text(
        "(x: &[f64], z: &[f64], y: &mut [[[f64; 1]; 1]]) {
            for i in 0..x.len() { y[i][0][0] += 0.1 * 0.7 * x[i] * x[i] * z[i]; }
        }",
    );
    let plans = printed(&text);
    let [plan, ..] = &plans[..] else {
        panic!("there are plans: {plans:#?}");
    };
    let expanded = expand(&text, std::slice::from_ref(plan));
    assert!(matches!(expanded, Expanded::Built(_)), "{expanded:?}");
    // The first digit that is not zero of a number with an image.
    let image = plan.find('~').expect("a number with an image");
    let start = plan[..image].rfind("0.0").or(plan[..image].rfind("0.1"));
    let start = start.expect("a number below one fifth") + 2;
    let changed = format!("{}3{}", &plan[..start], &plan[start + 1..]);
    assert_ne!(*plan, changed);
    let expanded = expand(&text, std::slice::from_ref(&changed));
    assert!(
        matches!(&expanded, Expanded::Rejected(message) if message.contains("no number of the kernel")),
        "{changed}\n{expanded:?}"
    );
}
