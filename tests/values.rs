//! What kernels make of special values: infinities, NaNs, zeros, numbers near the ends of the range,
//! and arithmetic that looks as if it did nothing. See "What happens to floating point" in the
//! README: one test for each of its rows.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    clippy::eq_op,
    clippy::erasing_op,
    clippy::suboptimal_flops,
    reason = "what these compute is what is tested"
)]

mod support;
use support::each_variant;

/// Operations of a kernel that has them all.
const OPERATIONS: usize = 32;

/// The kernels under some options.
macro_rules! under {
    ($name:ident: $($options:tt)*) => {
        #[allow(dead_code, reason = "some are run by the names of their variants alone")]
        mod $name {
            loopwright::kernel! {
                /// Operations that keep their values at level 1: contraction changes none of them.
                #[opt($($options)*)]
                pub fn operations(x: &[f64], y: &[f64], r: &mut [[f64; 32]]) {
                    for e in 0..x.len() {
                        let (a, b) = (x[e], y[e]);
                        let sum = a + b;
                        let part = sum - a;
                        let rest = (a - (sum - part)) + (b - part);
                        r[e] = [
                            a + b,
                            a - b,
                            a * b,
                            a / b,
                            a - a,
                            a / a,
                            0.0 * a,
                            0.0 / a,
                            0.0 - a,
                            -a,
                            a + 0.0,
                            a * 1.0,
                            1e200 * a * 1e200,
                            1e-200 * a * 1e-200,
                            a / 1e-200 / 1e-200,
                            (a + b) - a,
                            rest,
                            (a + 6755399441055744.0) - 6755399441055744.0,
                            a * b / b,
                            b / a,
                            (a + b) * (a + b) - (a + b) * (a + b),
                            a * b + 0.0 * (a - b) * b,
                            a.abs(),
                            a.sqrt(),
                            a.floor(),
                            a.ceil(),
                            a.recip(),
                            if a < b { a } else { b },
                            if a == b { 1.0 / a } else { b },
                            if a != b { a } else { 0.5 },
                            a as f32 as f64,
                            a.mul_add(b, a),
                        ];
                    }
                }

                /// Neighbours in memory, which lanes load and store as they are.
                #[opt($($options)*)]
                pub fn extremes(x: &[f64], y: &[f64], low: &mut [f64], high: &mut [f64]) {
                    for i in 0..x.len() {
                        low[i] = x[i].min(y[i]);
                        high[i] = x[i].max(y[i]);
                    }
                }

                #[opt($($options)*)]
                pub fn extremes_single(x: &[f32], y: &[f32], low: &mut [f32], high: &mut [f32]) {
                    for i in 0..x.len() {
                        low[i] = x[i].min(y[i]);
                        high[i] = x[i].max(y[i]);
                    }
                }

                /// Constants that must not be multiplied before x comes between them.
                #[opt($($options)*)]
                pub fn constants(x: &[f64], y: &mut [[f64; 6]]) {
                    static A: [f64; 2] = [1e200, 3e200];
                    static B: [f64; 2] = [1e200, 2e200];
                    static C: [f64; 2] = [1e-200, 3e-200];
                    static D: [f64; 2] = [1e-200, 2e-200];
                    for i in 0..x.len() {
                        y[i][0] = 1e200 * x[i] * 1e200;
                        y[i][1] = 1e-200 * x[i] * 1e-200;
                        y[i][2] = x[i] / 1e-200 / 1e-200;
                        y[i][3] = x[i] / 1e200 / 1e200;
                        for q in 0..2 {
                            y[i][4] += A[q] * x[i] * B[q];
                            y[i][5] += C[q] * x[i] * D[q];
                        }
                    }
                }

                #[opt($($options)*)]
                pub fn constants_single(x: &[f32], y: &mut [[f32; 2]]) {
                    for i in 0..x.len() {
                        y[i][0] = 1e30 * x[i] * 1e30;
                        y[i][1] = 1e-30 * x[i] * 1e-30;
                    }
                }

                /// Rates of reactions: factors, powers of the temperature, activation energies.
                #[opt($($options)*)]
                pub fn rates(t: &[f64], k: &mut [[f64; 4]]) {
                    static R: [[f64; 3]; 4] = [
                        [1e13, 0.5, 1.2],
                        [3.87e4, 2.7, 6260.0],
                        [2e13, 0.0, 0.0],
                        [9.63e6, 2.0, 4000.0],
                    ];
                    for i in 0..t.len() {
                        for r in 0..4 {
                            k[i][r] = R[r][0] * (R[r][1] * t[i].ln() - R[r][2] / (1.987 * t[i])).exp();
                        }
                    }
                }

                /// Entries that differ from 0, from 1 and from each other by little.
                #[opt($($options)*)]
                pub fn tables(x: &[f64], y: &mut [[f64; 4]]) {
                    static C: [f64; 5] = [2.99792458e8, 8.8541878128e-12, 1.380649e-23, 1.0, 1.00000000000003];
                    for i in 0..x.len() {
                        for k in 0..3 {
                            y[i][k] = C[k] * x[i];
                        }
                        y[i][3] = (C[4] - C[3]) * x[i];
                    }
                }

                /// Sums in the order of the text, onto what is there.
                #[opt($($options)*)]
                pub fn sums(x: &[[f64; 4]], y: &mut [f64]) -> f64 {
                    let mut all = 0.0;
                    for i in 0..x.len() {
                        for j in 0..4 {
                            y[i] += x[i][j];
                            all += x[i][j];
                        }
                    }
                    all
                }

                /// Functions of zeros that stand in the text.
                #[opt($($options)*)]
                pub fn signs(x: &[f64], y: &mut [[f64; 4]]) {
                    for i in 0..x.len() {
                        y[i] = [
                            x[i].copysign(-0.0),
                            x[i].atan2(-0.0),
                            (-0.0f64).atan2(x[i]),
                            2.0 * x[i].copysign(0.0) + 1.0f64.copysign(-0.0),
                        ];
                    }
                }

                /// Differences of products, of which a root is taken.
                #[opt($($options)*)]
                pub fn roots(x: &[[f64; 4]], y: &mut [f64]) {
                    for i in 0..x.len() {
                        y[i] = (x[i][0] * x[i][1] - x[i][2] * x[i][3]).sqrt();
                    }
                }
            }
        }
    };
}

under!(written: level = 0);
under!(strict: strict);
under!(one: level = 1);
under!(two: level = 2);
under!(three: level = 3);

/// Numbers of all kinds.
const SPECIAL: [f64; 18] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    2.7,
    1e17,
    1e-17,
    1e200,
    -1e200,
    1e-200,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    -5e-324,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// All pairs of some numbers.
fn pairs<T: Copy>(numbers: &[T]) -> (Vec<T>, Vec<T>) {
    let pairs = numbers
        .iter()
        .flat_map(|a| numbers.iter().map(|b| (*a, *b)));
    pairs.unzip()
}

/// The same number: NaNs have no order among each other.
fn same(found: f64, expected: f64) -> bool {
    found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan())
}

/// The same but for the sign of zero.
fn alike(found: f64, expected: f64) -> bool {
    same(found, expected) || found == expected
}

/// Runs `operations` and compares each result with the reference's.
macro_rules! operations {
    ($options:ident, $holds:expr) => {
        let (x, y) = pairs(&SPECIAL);
        let mut expected = vec![[0.0; OPERATIONS]; x.len()];
        $options::operations::reference(&x, &y, &mut expected);
        each_variant($options::operations::variants(), |isa| {
            let mut found = vec![[0.0; OPERATIONS]; x.len()];
            $options::operations::with(isa, &x, &y, &mut found).unwrap();
            for e in 0..x.len() {
                for (k, (found, expected)) in found[e].iter().zip(&expected[e]).enumerate() {
                    let holds: fn(f64, f64) -> bool = $holds;
                    assert!(
                        holds(*found, *expected),
                        "{} {isa:?}, operation {k} of {:e} and {:e}: {found:e} for {expected:e}",
                        stringify!($options),
                        x[e],
                        y[e]
                    );
                }
            }
        });
    };
}

#[test]
fn operations_keep_their_values_up_to_level_1() {
    operations!(written, same);
    operations!(strict, same);
    operations!(one, same);
}

#[test]
fn what_is_finite_stays_finite_at_every_level() {
    operations!(two, |found, expected| found.is_finite()
        || !expected.is_finite());
    operations!(three, |found, expected| found.is_finite()
        || !expected.is_finite());
}

macro_rules! extremes {
    ($($options:ident)*) => {$(
        let (x, y) = pairs(&SPECIAL);
        each_variant($options::extremes::variants(), |isa| {
            let mut found = [vec![0.5; x.len()], vec![0.5; x.len()]];
            let [low, high] = &mut found;
            $options::extremes::with(isa, &x, &y, low, high).unwrap();
            for (i, (a, b)) in x.iter().zip(&y).enumerate() {
                let [low, high] = [found[0][i], found[1][i]];
                assert!(alike(low, a.min(*b)), "{isa:?}: min({a}, {b}) is {low}");
                assert!(alike(high, a.max(*b)), "{isa:?}: max({a}, {b}) is {high}");
            }
        });
        let (x, y) = pairs(&SPECIAL.map(|x| x as f32));
        each_variant($options::extremes_single::variants(), |isa| {
            let mut found = [vec![0.5; x.len()], vec![0.5; x.len()]];
            let [low, high] = &mut found;
            $options::extremes_single::with(isa, &x, &y, low, high).unwrap();
            for (i, (a, b)) in x.iter().zip(&y).enumerate() {
                let [low, high] = [found[0][i], found[1][i]].map(f64::from);
                assert!(alike(low, a.min(*b).into()), "{isa:?}: min({a}, {b}) is {low}");
                assert!(alike(high, a.max(*b).into()), "{isa:?}: max({a}, {b}) is {high}");
            }
        });
    )*};
}

macro_rules! signs {
    ($($options:ident)*) => {$(
        let x = SPECIAL.map(|x| if x.is_nan() { 3.0 } else { x });
        let mut expected = [[0.0; 4]; SPECIAL.len()];
        $options::signs::reference(&x, &mut expected);
        each_variant($options::signs::variants(), |isa| {
            let mut found = [[0.0; 4]; SPECIAL.len()];
            $options::signs::with(isa, &x, &mut found).unwrap();
            for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
                let near = (found - expected).abs() <= 1e-15 * expected.abs();
                assert!(
                    near || alike(*found, *expected),
                    "{} {isa:?}: {found:e} for {expected:e}", stringify!($options)
                );
            }
        });
    )*};
}

#[test]
fn zeros_of_the_text_keep_their_signs_in_functions() {
    signs!(written strict one two three);
}

#[test]
fn a_nan_loses_in_every_lane() {
    extremes!(written strict one two three);
}

macro_rules! constants {
    ($($options:ident)*) => {$(
        let x = [0.0, 1e-300, 1e300, 3e-250, -2e250, 1.0, 7e-320, 1e-200, 1e200];
        let mut expected = [[0.0; 6]; 9];
        $options::constants::reference(&x, &mut expected);
        each_variant($options::constants::variants(), |isa| {
            let mut found = [[0.0; 6]; 9];
            $options::constants::with(isa, &x, &mut found).unwrap();
            for (k, (found, expected)) in found.iter().zip(&expected).enumerate() {
                for (found, expected) in found.iter().zip(expected) {
                    let near = (found - expected).abs() <= 1e-14 * expected.abs();
                    assert!(
                        near || same(*found, *expected),
                        "{} {isa:?}, {:e}: {found:e} for {expected:e}", stringify!($options), x[k]
                    );
                }
            }
        });
        let x = [0.0_f32, 1e-30, 1e30, 2e-25, 1.0];
        let mut expected = [[0.0; 2]; 5];
        $options::constants_single::reference(&x, &mut expected);
        each_variant($options::constants_single::variants(), |isa| {
            let mut found = [[0.0; 2]; 5];
            $options::constants_single::with(isa, &x, &mut found).unwrap();
            for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
                let near = (found - expected).abs() <= 1e-6 * expected.abs();
                assert!(near || found == expected, "{isa:?}: {found:e} for {expected:e}");
            }
        });
    )*};
}

#[test]
fn constants_are_not_folded_out_of_range() {
    constants!(written strict one two three);
}

macro_rules! tables {
    ($($options:ident)*) => {$(
        let t = [300.0, 1000.0, 1500.0, 2000.0, 2500.0];
        let (mut rates, mut entries) = ([[0.0; 4]; 5], [[0.0; 4]; 5]);
        $options::rates::reference(&t, &mut rates);
        $options::tables::reference(&t, &mut entries);
        each_variant($options::rates::variants(), |isa| {
            let (mut k, mut y) = ([[0.0; 4]; 5], [[0.0; 4]; 5]);
            $options::rates::with(isa, &t, &mut k).unwrap();
            $options::tables::with(isa, &t, &mut y).unwrap();
            let found = k.iter().chain(&y).flatten();
            let expected = rates.iter().chain(&entries).flatten();
            for (found, expected) in found.zip(expected) {
                let near = (found - expected).abs() <= 1e-13 * expected.abs();
                assert!(near, "{} {isa:?}: {found:e} for {expected:e}", stringify!($options));
            }
        });
    )*};
}

#[test]
fn tables_are_what_they_say() {
    tables!(written strict one two three);
}

#[test]
fn level_1_adds_up_in_the_order_of_the_text() {
    let x = [
        [1e308, 1e308, -1e308, -1e308],
        [-1e308, 1e308, 1e308, -1e308],
        [1e17, 1.0, 1.0, -1e17],
        [1.0, 1e17, -1e17, 1.0],
        [0.1, 0.2, 0.3, 0.4],
    ];
    let before = [-1e308, 0.5, 0.0, 1e17, -0.0];
    let mut expected = before;
    let all = one::sums::reference(&x, &mut expected);
    each_variant(one::sums::variants(), |isa| {
        let mut found = before;
        let sum = one::sums::with(isa, &x, &mut found).unwrap();
        assert!(same(sum, all), "{isa:?}: {sum} for {all}");
        for (found, expected) in found.iter().zip(&expected) {
            assert!(same(*found, *expected), "{isa:?}: {found} for {expected}");
        }
    });
}

macro_rules! roots {
    ($($options:ident)*) => {$(
        let x: Vec<[f64; 4]> = (1..200)
            .map(|k| f64::from(k) / 7.0)
            .map(|x| [x, x + 0.3, x, x + 0.3])
            .collect();
        each_variant($options::roots::variants(), |isa| {
            let mut found = vec![1.0; x.len()];
            $options::roots::with(isa, &x, &mut found).unwrap();
            assert!(found.iter().all(|root| *root == 0.0), "{isa:?}: {found:?}");
        });
    )*};
}

#[test]
fn contraction_leaves_no_argument_below_zero() {
    roots!(written strict one two three);
}
