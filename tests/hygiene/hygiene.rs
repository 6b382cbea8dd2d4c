//! The kernels of this package compute what they are to compute.
#![deny(warnings, clippy::all, clippy::pedantic)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use loopwright_hygiene::{bare, hostile, in_a_function, names, outer};
use ndarray::Array2;

const N: usize = 9;

fn numbers() -> [f64; N] {
    [1.0, -2.0, 3.0, 0.5, 5.0, 6.0, -7.5, 8.0, 9.0]
}

#[track_caller]
fn assert_near(found: &[f64], wanted: impl IntoIterator<Item = f64>) {
    let mut count = 0;
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-12 * wanted.abs().max(1.0));
        count += 1;
    }
    assert_eq!(count, found.len());
}

#[test]
fn without_a_prelude() {
    let mut y = [0.0; N];
    bare::double(&numbers(), &mut y);
    assert_near(&y, numbers().map(|x| 2.0 * x.abs()));
    let (mut a, mut b) = ([[[0.0; 3]; 3]; N], [[[0.0; 3]; 3]; N]);
    bare::mass(&numbers(), &mut a);
    bare::mass::reference(&numbers(), &mut b);
    assert_near(
        a.as_flattened().as_flattened(),
        b.into_iter().flatten().flatten(),
    );
    let mut sums = [0.0; N];
    bare::sums(&numbers(), &mut sums);
    assert!((sums[N - 1] - 22.0).abs() < 1e-12);
    let mut short = [1.0; N - 1];
    assert!(catch_unwind(AssertUnwindSafe(|| bare::sums(&numbers(), &mut short))).is_err());
    assert_near(&short, [1.0; N - 1]);
    let squares = bare::dot(&numbers(), &numbers());
    assert_near(&[squares], [numbers().iter().map(|x| x * x).sum()]);
}

#[test]
fn names_of_the_expansion() {
    let (x, mut y) = (numbers(), [0.0; N]);
    names::check(&x, 2.0, 3.0, &x, N, 4.0, 5.0, &mut y);
    assert_near(&y, x.map(|x| (2.0 * x + 3.0) * 21.0 + x));
    names::scalar(&x.map(|x| [3.0 * x, x]), &mut y);
    assert_near(&y, x.map(|x| 2.0 * x));
    assert_eq!(names::check::REPORT.kernel, "check");
    let mut z = [[1.0; 3]; N];
    names::reference(&x, 2.0, &[[1.0, 2.0, 3.0]; N], &mut z);
    let wanted = |x: f64| [1.0, 2.0, 3.0].map(|l| 1.0 + (2.0 * x + l) * 2.0 * x);
    assert_near(z.as_flattened(), x.into_iter().flat_map(wanted));
    names::variants(&x, &x, 2.0, &x, N, &mut y);
    assert_near(&y, x.map(|x| 3.0 * x * 2.0 * x - x));
}

#[test]
fn words_of_the_language_as_names() {
    let (x, mut y) = (numbers(), [0.0; N]);
    names::r#type(&x, 3.0, &mut y);
    assert_near(&y, x.map(|x| 3.0 * x + 3.0));
    assert_eq!(names::r#type::REPORT.kernel, "r#type");
}

#[test]
fn modules_and_functions() {
    assert_near(&outer::halves(&numbers()), numbers().map(|x| 0.5 * x));
    let (doubles, name) = in_a_function(&numbers());
    assert_eq!(name, "double");
    assert_near(&doubles, numbers().map(|x| 2.0 * x + 1.0));
}

#[test]
fn every_variant_has_the_names_of_the_kernel() {
    for isa in names::r#type::variants() {
        let mut y = [0.0; N];
        if names::r#type::with(*isa, &numbers(), 3.0, &mut y).is_ok() {
            assert_near(&y, numbers().map(|x| 3.0 * x + 3.0));
        }
    }
}

#[test]
fn tables_outside_of_kernels_have_their_values() {
    // Of two Gauss points a direction, all have the same weight.
    assert_near(&bare::WEIGHTS, [0.25; 4]);
    // A table is an array in any expression, and does not need to be named.
    let corner = renamed::tabulate!(hexahedron, quadrature(1), points)[0];
    assert_near(&corner, [0.5; 3]);
    let sum: f64 = renamed::tabulate!(triangle, quadrature(7, symmetric), weights)
        .iter()
        .sum();
    assert_near(&[sum], [0.5]);
}

/// Whether a call panics.
fn panics(call: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(call)).is_err()
}

#[test]
fn what_is_checked_is_what_is_used() {
    let (x, mut y) = (numbers(), [0.0; N]);
    hostile::scale(N, &x, &mut y);
    assert_near(&y, x.map(|x| 2.0 * x));
    let variants = hostile::scale::variants().iter();
    for isa in variants.filter(|isa| isa.is_available()) {
        let run = || _ = hostile::scale::with(*isa, N + 1, &x, &mut [0.0; N]);
        assert!(panics(run), "{isa}");
    }
    assert!(panics(|| hostile::scale(1 << 28, &x, &mut y)));
    let map = [[0, 1, 2], [2, 1, 4]];
    let mut expected = [0.0; N];
    hostile::assemble::reference(2, &map, &x, &mut expected);
    let mut y = [0.0; N];
    hostile::assemble(2, &map, &x, &mut y);
    assert_near(&y, expected);
    assert!(panics(|| hostile::assemble(3, &map, &x, &mut [0.0; N])));
    assert!(panics(|| hostile::assemble(2, &map, &x, &mut [0.0; 4])));
    let sum = hostile::dot(&x, &[x]);
    assert_near(&[sum], [x.iter().map(|x| x * x).sum()]);
    assert!(panics(|| _ = hostile::dot(&x, &[])));
}

#[test]
fn views_are_what_they_say() {
    let x = Array2::from_shape_fn((4, 4), |(i, j)| {
        f64::from(u8::try_from(10 * i + j).unwrap())
    });
    let mut y = Array2::zeros((4, 4));
    hostile::transpose(4, x.view(), y.view_mut());
    assert_eq!(y, 2.0 * &x.t());
    let mut z = [1.0; 4];
    assert!(panics(|| hostile::sweep(4, &[0, 3, 9], x.view(), &mut z)));
    assert_near(&z, [1.0; 4]);
    assert!(panics(|| hostile::transpose(5, x.view(), y.view_mut())));
    assert!(panics(|| hostile::transpose(
        1 << 30,
        x.view(),
        y.view_mut()
    )));
}
