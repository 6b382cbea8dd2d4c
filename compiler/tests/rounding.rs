//! Rounding errors of what passes leave: the forms of the benchmarks and random kernels, run in `f64`,
//! against the text in twice the precision. No error is larger than four times the text's bound.

#![allow(dead_code, reason = "of each form some instances are run")]

/// The text of a kernel of the suite.
macro_rules! form {
    ($($kernel:tt)*) => { pub const TEXT: &str = stringify!($($kernel)*); };
}
use form;

#[macro_use]
#[path = "../../benches/suite/instances.rs"]
mod instances;

#[path = "../../benches/suite/actions.rs"]
mod actions;
#[path = "../../benches/suite/mod.rs"]
mod suite;

#[path = "support/accuracy.rs"]
mod accuracy;

use accuracy::{FACTOR, INPUTS, programs, ratio};
use loopwright_compiler::analysis::rounding::around;
use loopwright_differential::generator;

#[test]
fn forms_are_as_accurate_as_their_texts() {
    let mut tested = 0;
    let mut check = |name: &str, text: &str| {
        // Each cell has its own matrix, and all add to one vector.
        let blocks = if text.contains("dofs") { 1 } else { 3 };
        for programs in programs(text, 3).unwrap() {
            let ratios = INPUTS.map(|inputs| ratio(&programs, around(inputs), blocks));
            println!("{name}: {ratios:.2?}");
            for (ratio, inputs) in ratios.into_iter().zip(INPUTS) {
                let Some(ratio) = ratio else { continue };
                assert!(
                    ratio <= FACTOR,
                    "{name}: {ratio} of the bound for {inputs:?}"
                );
                tested += 1;
            }
        }
    };
    macro_rules! check {
        ($form:ident of $module:path: $($instance:ident)*) => {{
            use $module as $form;
            $(
                let name = concat!(stringify!($module), " ", stringify!($instance));
                check(name, $form::$instance::TEXT);
            )*
        }};
    }
    check!(form of suite::mass::level3: q1_nf0 q1_nf1 q1_nf2 q1_nf3 q2_nf0 q2_nf1 q2_nf2);
    check!(form of suite::helmholtz::level3: q1_nf0 q1_nf1 q1_nf2 q1_nf3 q2_nf0 q2_nf1);
    check!(form of suite::elasticity::level3: q1_nf0 q1_nf1 q1_nf2 q1_nf3 q2_nf0);
    check!(form of suite::hyperelasticity::level3: q1_nf0 q1_nf1 q1_nf2 q1_nf3 q2_nf0);
    check!(form of actions::mass: q1_nf0 q1_nf1 q1_nf2 q2_nf0 q2_nf1);
    check!(form of actions::helmholtz: q1_nf0 q1_nf1 q1_nf2 q2_nf0 q2_nf1);
    check!(form of actions::elasticity: q1_nf0 q1_nf1 q1_nf2 q2_nf0);
    check!(form of actions::hyperelasticity: q1_nf0 q1_nf1);
    assert!(tested >= 200, "{tested}");
}

#[test]
fn random_kernels_are_as_accurate_as_their_texts() {
    let (mut tested, mut worst) = (0, 0.0_f64);
    for seed in 0..1000 {
        let case = generator::kernel(seed);
        for level in [2, 3] {
            let Some(programs) = programs(&case.text, level) else {
                continue;
            };
            for programs in programs {
                for inputs in INPUTS {
                    let Some(ratio) = ratio(&programs, around(inputs), 1) else {
                        continue;
                    };
                    tested += 1;
                    worst = worst.max(ratio);
                    let text = &case.text;
                    assert!(
                        ratio <= FACTOR,
                        "seed {seed}, level {level}: {ratio} for {inputs:?}\n{text}"
                    );
                }
            }
        }
    }
    println!("{tested} runs, at most {worst:.2} of the bound");
    assert!(tested > 1000, "{tested}");
}

/// Rows and columns of the images that stencils run over.
const IMAGE: [usize; 2] = [22, 26];
/// Planes, rows and columns of a volume.
const VOLUME: [usize; 3] = [8, 9, 10];

/// A stencil over an image or a volume.
struct Stencil {
    name: &'static str,
    axes: usize,
    halo: usize,
    /// What an element of `y` is assigned.
    value: String,
}

impl Stencil {
    fn text(&self) -> String {
        let shape: &[usize] = if self.axes == 2 { &IMAGE } else { &VOLUME };
        let loops = ["k", "j", "i"];
        let loops = &loops[3 - self.axes..];
        let (mut array, mut nest, mut target) = ("f64".to_string(), String::new(), "y".to_string());
        for length in shape.iter().rev() {
            array = format!("[{array}; {length}]");
        }
        for (index, length) in loops.iter().zip(shape) {
            nest += &format!("for {index} in {}..{} {{ ", self.halo, length - self.halo);
            target += &format!("[{index}]");
        }
        let value = &self.value;
        format!(
            "pub fn stencil(x: &{array}, w: &[f64; 4], y: &mut {array}) {{ {nest} {target} = {value}; {} }}",
            "}".repeat(self.axes)
        )
    }
}

/// An element of `x`.
fn element(by: &[i32]) -> String {
    let loops = ["k", "j", "i"];
    let mut text = "x".to_string();
    for (index, by) in loops[3 - by.len()..].iter().zip(by) {
        text += &match by {
            0 => format!("[{index}]"),
            1.. => format!("[{index} + {by}]"),
            _ => format!("[{index} - {}]", -by),
        };
    }
    text
}

/// The offsets within a distance, in the order of the text.
fn offsets(axes: usize, halo: i32) -> Vec<Vec<i32>> {
    let mut all = vec![Vec::new()];
    for _ in 0..axes {
        let longer = |at: &Vec<i32>| {
            (-halo..=halo)
                .map(|by| [at.as_slice(), &[by]].concat())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// A weighted sum, each weight in front of its element.
fn weighted(axes: usize, halo: i32, weight: impl Fn(&[i32]) -> f64) -> String {
    let all = offsets(axes, halo).into_iter().map(|at| (weight(&at), at));
    let terms = all.filter(|(weight, _)| *weight != 0.0);
    let terms = terms.map(|(weight, at)| match weight {
        1.0 => element(&at),
        _ => format!("{weight:?} * {}", element(&at)),
    });
    terms.collect::<Vec<_>>().join(" + ")
}

/// A sum of sums of elements at equal distances, each with a weight in front.
fn classes(axes: usize, halo: i32, within: i32, weights: &[&str]) -> String {
    let distance = |at: &Vec<i32>| at.iter().map(|by| by * by).sum::<i32>();
    let mut distances: Vec<i32> = offsets(axes, halo).iter().map(distance).collect();
    distances.retain(|distance| *distance <= within);
    distances.sort_unstable();
    distances.dedup();
    let mut terms = Vec::new();
    for (own, weight) in distances.iter().zip(weights.iter().cycle()) {
        let all = offsets(axes, halo);
        let class = all.iter().filter(|at| distance(at) == *own);
        let class: Vec<String> = class.map(|at| element(at)).collect();
        terms.push(format!("{weight} * ({})", class.join(" + ")));
    }
    terms.join(" + ")
}

/// Sums of neighbours as they are written by hand; `@[…]` is an element of `x` so far away.
const BY_HAND: [(&str, &str); 12] = [
    (
        "diagonals",
        "w[0] * (@[-1, -1] + @[1, 1]) + w[0] * (@[-1, 1] + @[1, -1])",
    ),
    (
        "crossed",
        "0.7 * @[0, 0] + 0.3 * (@[-1, -1] + @[1, 1]) + 0.3 * (@[-1, 1] + @[1, -1]) + 0.1 * (@[0, -1] + @[0, 1]) + 0.1 * (@[-1, 0] + @[1, 0])",
    ),
    (
        "turned",
        "0.1 * (@[0, 0] + @[1, 1]) + 0.1 * (@[0, 1] + @[1, 2]) + 0.1 * (@[0, 2] + @[1, 0])",
    ),
    (
        "columns",
        "0.3 * (@[-1, -1] - @[1, -1]) + 0.3 * (@[-1, 0] - @[1, 0]) + 0.3 * (@[-1, 1] - @[1, 1])",
    ),
    (
        "sums of two",
        "(@[0, -1] + @[0, 0]) * 0.3 + (@[0, 1] + @[0, 2]) * 0.3 + (@[-1, -1] + @[-1, 0]) * 0.3 + (@[-1, 1] + @[-1, 2]) * 0.3",
    ),
    ("three in a row", "w[0] * (@[0, -1] + @[0, 0] + @[0, 1])"),
    (
        "three, weighted",
        "0.3 * (@[0, -1] + @[0, 1]) + 0.4 * @[0, 0]",
    ),
    (
        "pairs",
        "w[0] * (@[0, -1] + @[0, 1]) + w[1] * (@[-1, 0] + @[1, 0])",
    ),
    (
        "neighbours",
        "w[0] * (@[0, 0] + @[0, 1]) + w[1] * (@[1, 0] + @[1, 1])",
    ),
    (
        "outer pairs",
        "0.3 * (@[0, -2] + @[0, 2]) - 0.7 * (@[-2, 0] + @[2, 0]) + 0.1 * (@[-1, -1] + @[1, 1])",
    ),
    (
        "edges",
        "0.25 * (@[0, 1] - @[0, -1]) + 0.5 * (@[1, 1] - @[1, -1] + @[-1, 1] - @[-1, -1])",
    ),
    (
        "second differences",
        "w[0] * (@[0, 1] - 2.0 * @[0, 0] + @[0, -1]) + w[1] * (@[1, 0] - 2.0 * @[0, 0] + @[-1, 0])",
    ),
];

fn stencils() -> Vec<Stencil> {
    let binomial = |by: i32| [6.0, 4.0, 1.0][by.unsigned_abs() as usize];
    let uneven = |at: &[i32]| f64::from((7 * at[0] + 5 * at[1] + 3) % 11) / 8.0;
    let run_time = ["w[0]", "w[1]", "w[2]", "w[3]"];
    let mixed = ["20.0", "-8.0", "2.0", "0.7"];
    let positive = ["0.4", "0.3", "0.1", "0.05"];
    let two = |name, halo, value| Stencil {
        name,
        axes: 2,
        halo,
        value,
    };
    let three = |name, halo, value| Stencil {
        name,
        axes: 3,
        halo,
        value,
    };
    let mut stencils: Vec<Stencil> = (BY_HAND.iter())
        .map(|(name, text)| {
            let mut value = text.to_string();
            for by in offsets(2, 2) {
                value = value.replace(&format!("@[{}, {}]", by[0], by[1]), &element(&by));
            }
            two(name, 2, value)
        })
        .collect();
    stencils.extend([
        two("five, mixed", 1, classes(2, 1, 1, &mixed)),
        two("five, run time", 1, classes(2, 1, 1, &run_time)),
        two("nine, run time", 1, classes(2, 1, 2, &run_time)),
        two("nine, mixed", 1, classes(2, 1, 2, &mixed)),
        two("thirteen, mixed", 2, classes(2, 2, 4, &mixed)),
        two("thirteen, run time", 2, classes(2, 2, 4, &run_time)),
        two("twenty-one, run time", 2, classes(2, 2, 5, &run_time)),
        two("twenty-five, positive", 2, classes(2, 2, 8, &positive)),
        two("twenty-five, mixed", 2, classes(2, 2, 8, &mixed)),
        two(
            "Gauss",
            2,
            weighted(2, 2, |at| binomial(at[0]) * binomial(at[1]) / 256.0),
        ),
        two(
            "Sobel",
            1,
            weighted(2, 1, |at| f64::from(at[1]) * (2.0 - f64::from(at[0].abs()))),
        ),
        two("box", 1, weighted(2, 1, |_| 1.0)),
        two("wide box", 3, weighted(2, 3, |_| 1.0)),
        two(
            "signs",
            2,
            weighted(2, 2, |at| if (at[0] + at[1]) % 2 == 0 { 1.0 } else { -1.0 }),
        ),
        two("uneven", 2, weighted(2, 2, uneven)),
        three("seven", 1, classes(3, 1, 1, &run_time)),
        three("nineteen", 1, classes(3, 1, 2, &mixed)),
        three("twenty-seven, run time", 1, classes(3, 1, 3, &run_time)),
        three("twenty-seven, mixed", 1, classes(3, 1, 3, &mixed)),
    ]);
    stencils
}

/// Fields in which neighbours add up to less than they are, at each point or at many: constant and linear ones,
/// waves of the shortest lengths along each axis and along all, and a large value with noise.
fn field(which: usize, at: &[usize], place: usize) -> f64 {
    let sum: usize = at.iter().sum();
    let (row, column) = (at[at.len() - 2], at[at.len() - 1]);
    let sign = |odd: usize| if odd.is_multiple_of(2) { 1e8 } else { -1e8 };
    let noise = around([0.0, 1.0])(0, place);
    let third = [1e8, -5e7, -5e7];
    match which {
        0 => 0.1,
        1 => 0.1 * row as f64 + 0.7 * column as f64 + 0.3,
        2 => sign(sum) + noise,
        3 => sign(column) + noise,
        4 => sign(row) + noise,
        5 => sign(sum / 2) + noise,
        6 => sign(column / 2) + noise,
        7 => sign(row / 2) + noise,
        8 => sign((row + column) / 2 + row) + noise,
        9 => 1e8 + noise,
        10 => third[sum % 3] + noise,
        11 => third[column % 3] + noise,
        12 => third[row % 3] + noise,
        _ => noise,
    }
}

#[test]
fn stencils_are_as_accurate_as_their_texts() {
    let mut failed = Vec::new();
    for stencil in stencils() {
        let shape: &[usize] = if stencil.axes == 2 { &IMAGE } else { &VOLUME };
        let programs = programs(&stencil.text(), 3).unwrap();
        let ratios = (0..14).map(|which| {
            let inputs = |position: usize, place: usize| {
                if position == 1 {
                    return [0.7, -0.3, 0.2, 0.11][place];
                }
                let mut left = place;
                let mut at: Vec<usize> = (shape.iter().rev())
                    .map(|length| {
                        let own = left % length;
                        left /= length;
                        own
                    })
                    .collect();
                at.reverse();
                field(which, &at, place)
            };
            let ratio = ratio(&programs[0], inputs, 1).unwrap();
            if ratio > FACTOR {
                failed.push((stencil.name, which, ratio));
            }
            ratio
        });
        let ratios: Vec<f64> = ratios.collect();
        println!("{}: {ratios:.2?}", stencil.name);
    }
    assert!(failed.is_empty(), "{failed:?}");
}
