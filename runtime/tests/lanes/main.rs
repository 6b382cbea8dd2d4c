//! Elementary functions of all lanes of a register: errors over the whole range against 160 bits, special
//! values, and that lanes do not depend on each other.
#![cfg(all(target_arch = "x86_64", feature = "std"))]

mod exact;
mod registers;
mod samples;

use exact::Exact;
use registers::{Double, FUNCTIONS, Function, SINGLE, Single};

/// The largest error of a function's values, and where it is.
fn largest(function: &Function, run: Double, exact: &mut Exact, count: usize) -> (f64, [f64; 2]) {
    let points = samples::doubles(function, count);
    let results = run(&points);
    let mut worst = (0.0, [0.0; 2]);
    for (point, result) in points.iter().zip(results) {
        let error = exact.error(function.name, *point, result);
        if error.is_nan() || error > worst.0 {
            worst = (error, *point);
        }
    }
    worst
}

#[test]
fn errors_of_doubles() {
    let mut exact = Exact::new();
    // 192 bits take their time in a debug build.
    let few = if cfg!(debug_assertions) { 200 } else { 2000 };
    let count: usize = option_env!("LOOPWRIGHT_SAMPLES").map_or(few, |n| n.parse().unwrap());
    for function in FUNCTIONS {
        for (register, run) in function.doubles() {
            let (error, at) = largest(function, run, &mut exact, count);
            println!("{:>8} {register}: {error:.3} at {at:?}", function.name);
            assert!(
                error <= function.ulps,
                "{} {register}: {error} at {at:?}",
                function.name
            );
        }
    }
}

/// Errors of `f32` against `f64` of the standard library, in units of the last place.
fn largest_single(function: &Function, run: Single, points: &[[f32; 2]]) -> (f64, [f32; 2]) {
    let results = run(points);
    let mut worst = (0.0, [0.0; 2]);
    for (point, result) in points.iter().zip(results) {
        let expected = (function.standard)(point.map(f64::from));
        let error = exact::error_single(result, expected);
        if error.is_nan() || error > worst.0 {
            worst = (error, *point);
        }
    }
    worst
}

#[test]
fn errors_of_singles() {
    // Every number, where it is asked for; some millions of them otherwise.
    let step = if option_env!("LOOPWRIGHT_SAMPLES").is_some() {
        1
    } else {
        65_537
    };
    for function in FUNCTIONS {
        for (register, run) in function.singles() {
            let mut worst = (0.0, [0.0; 2]);
            for points in samples::singles(function, step) {
                let found = largest_single(function, run, &points);
                if found.0.is_nan() || found.0 > worst.0 {
                    worst = found;
                }
            }
            let (error, at) = worst;
            println!("{:>8} {register}: {error:.3} at {at:?}", function.name);
            assert!(
                error <= SINGLE,
                "{} {register}: {error} at {at:?}",
                function.name
            );
        }
    }
}

#[test]
fn special_values() {
    let special = samples::special();
    for function in FUNCTIONS {
        let points: Vec<[f64; 2]> = match function.operands {
            1 => special.iter().map(|x| [*x, 0.0]).collect(),
            _ => special
                .iter()
                .flat_map(|x| special.iter().map(|y| [*x, *y]))
                .collect(),
        };
        for (register, run) in function.doubles() {
            for (point, result) in points.iter().zip(run(&points)) {
                let expected = (function.standard)(*point);
                let near = exact::is_near(result, expected, function.ulps + 1.0);
                assert!(
                    near,
                    "{} {register} of {point:?}: {result:e} for {expected:e}",
                    function.name
                );
            }
        }
        let single: Vec<[f32; 2]> = points.iter().map(|p| p.map(|x| x as f32)).collect();
        for (register, run) in function.singles() {
            for (point, result) in single.iter().zip(run(&single)) {
                let expected = (function.standard_single)(*point);
                let near = exact::is_near_single(result, expected);
                assert!(
                    near,
                    "{} {register} of {point:?}: {result:e} for {expected:e}",
                    function.name
                );
            }
        }
    }
}

/// A lane's value is the same in any place, whatever is in others: also beside large arguments.
#[test]
fn lanes_do_not_depend_on_each_other() {
    for function in FUNCTIONS {
        let mut points = samples::doubles(function, 100);
        for (register, run) in function.doubles() {
            let before = run(&points);
            points.reverse();
            let mut after = run(&points);
            after.reverse();
            points.reverse();
            let bits = |all: &[f64]| all.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&before), bits(&after), "{} {register}", function.name);
            let one = run(&points[..1]);
            assert_eq!(
                one[0].to_bits(),
                before[0].to_bits(),
                "{} {register}",
                function.name
            );
        }
    }
}
