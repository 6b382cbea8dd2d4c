//! Loops of everyday code in every instruction set, against the plain Rust that one would write instead: with
//! iterators, so that no subscript is checked.
//!
//! ```text
//! cargo bench --bench loops
//! cargo bench --bench loops -- --quick             # fewer rounds
//! cargo bench --bench loops -- reversed rows_6     # cases with one of these in their name
//! ```
//!
//! All run in one process, in turns, and the table has medians, in nanoseconds a call, as that of the
//! benchmark `cells` has.

#![allow(clippy::needless_range_loop, reason = "texts of kernels")]
#![allow(
    clippy::redundant_locals,
    reason = "inputs are named as a kernel's parameters"
)]

#[allow(dead_code, reason = "cells are for others")]
#[path = "support/mesh.rs"]
mod mesh;
#[allow(dead_code, reason = "batches are for others")]
#[path = "support/turns.rs"]
mod turns;

#[macro_use]
#[path = "support/texts.rs"]
mod texts;

#[allow(dead_code, reason = "each benchmark uses a part")]
#[macro_use]
#[path = "support/variants.rs"]
mod variants;

#[path = "suite/loops.rs"]
mod kernels;

use std::hint::black_box;

use loopwright::Isa;

use kernels::*;
use variants::*;

/// Numbers of a type, none of them special.
fn numbers<T>(count: usize, from: impl Fn(f64) -> T) -> Vec<T> {
    let value = |at: usize| 0.75 + (at * 37 % 101) as f64 / 200.0;
    (0..count).map(|at| from(value(at))).collect()
}

/// Loops over vectors, for a type of numbers and a length.
macro_rules! vectors {
    ($bench:ident, $kind:ident, $number:ident, $n:expr) => {{
        let n = $n;
        let from = |value: f64| value as $number;
        let (x, y) = (numbers(2 * n, from), numbers(n, from));
        let (x, y) = (&x[..n], &y[..]);
        let a: $number = -0.5;
        let zero: Vec<$number> = vec![0.0; n];
        let title = |name: &str| format!("{name} {} {n}", stringify!($number));
        measure!(
            $bench,
            title("axpy"),
            $kind::axpy,
            bare,
            (a = a, x = x),
            zero.clone()
        );
        measure!(
            $bench,
            title("triad"),
            $kind::triad,
            bare,
            (a = a, x = x, y = y),
            zero.clone()
        );
        measure!(
            $bench,
            title("scale"),
            $kind::scale,
            bare,
            (a = a, x = x),
            zero.clone()
        );
        let minus: $number = -1.0;
        measure!(
            $bench,
            title("scale_in_place"),
            $kind::scale_in_place,
            bare,
            (minus = minus),
            y.to_vec()
        );
        measure!(
            $bench,
            title("dot"),
            $kind::dot,
            bare,
            (x = x, y = y),
            [0.0 as $number]
        );
        measure!(
            $bench,
            title("sum"),
            $kind::sum,
            bare,
            (x = x),
            [0.0 as $number]
        );
    }};
}

/// Loops whose accesses are not next to each other, or backwards, for a type of numbers and a length.
macro_rules! strides {
    ($bench:ident, $kind:ident, $number:ident, $n:expr) => {{
        let n = $n;
        let from = |value: f64| value as $number;
        let x = numbers(2 * n, from);
        let zero: Vec<$number> = vec![0.0; n];
        let title = |name: &str| format!("{name} {} {n}", stringify!($number));
        let (twice, x) = (&x[..], &x[..n]);
        strides!(@ $bench, $kind, title, (x = x), zero,
            reversed reversed_store reversed_loop symmetric);
        strides!(@ $bench, $kind, title, (twice = twice), zero, even pooled);
        let pairs = twice.as_chunks::<2>().0;
        strides!(@ $bench, $kind, title, (pairs = pairs), zero, complex);
        let other = numbers(2 * n, from);
        let other = &other[..];
        let twice_zero: Vec<$number> = vec![0.0; 2 * n];
        strides!(@ $bench, $kind, title, (twice = twice, other = other), twice_zero, complex_product);
        strides!(@ rows $bench, $kind, $number, title, zero,
            rows_2 2 rows_3 3 rows_4 4 rows_5 5 rows_6 6 rows_8 8 rows_12 12);
        strides!(@ dots $bench, $kind, $number, title, zero, dots_3 3 dots_4 4 dots_6 6 dots_8 8);
    }};
    (@ $bench:ident, $kind:ident, $title:ident, $inputs:tt, $zero:ident, $($module:ident)*) => {$(
        measure!($bench, $title(stringify!($module)), $kind::$module, bare, $inputs, $zero.clone());
    )*};
    (@ rows $bench:ident, $kind:ident, $number:ident, $title:ident, $zero:ident, $($module:ident $row:literal)*) => {$(
        let rows = numbers($row * $zero.len(), |value| value as $number);
        let rows = rows.as_chunks::<$row>().0;
        measure!($bench, $title(stringify!($module)), $kind::$module, bare, (rows = rows), $zero.clone());
    )*};
    (@ dots $bench:ident, $kind:ident, $number:ident, $title:ident, $zero:ident, $($module:ident $row:literal)*) => {$(
        let rows = numbers($row * $zero.len(), |value| value as $number);
        let rows = rows.as_chunks::<$row>().0;
        let others = rows.to_vec();
        let others = &others[..];
        measure!($bench, $title(stringify!($module)), $kind::$module, bare, (rows = rows, others = others), $zero.clone());
    )*};
}

fn integers(bench: &mut Bench) {
    let n = 1000;
    let bytes: Vec<u8> = (0..3 * n).map(|at| (at * 37 % 251) as u8).collect();
    let integers: Vec<i32> = (0..n as i32).map(|at| at * 37 - 1000).collect();
    let words: Vec<u64> = (0..n as u64).map(|at| at * 0x9E37_79B9).collect();
    let colours = bytes.as_chunks::<3>().0;
    let bytes = &bytes[..n];
    let (integers, words) = (&integers[..], &words[..]);
    measure!(
        bench,
        "grey u8 1000",
        grey,
        bare,
        (x = colours),
        vec![0.0_f32; n]
    );
    measure!(
        bench,
        "reversed u8 1000",
        reversed_bytes,
        bare,
        (x = bytes),
        vec![0.0_f32; n]
    );
    measure!(
        bench,
        "reversed i32 1000",
        reversed_integers,
        bare,
        (x = integers),
        vec![0.0; n]
    );
    measure!(
        bench,
        "reversed u64 1000",
        reversed_words,
        bare,
        (x = words),
        vec![0.0; n]
    );
}

/// A matrix with some entries a row times a vector.
fn sparse(bench: &mut Bench) {
    for (rows, row) in [(1000, 5), (1000, 27), (20_000, 7)] {
        let starts: Vec<usize> = (0..=rows).map(|i| i * row).collect();
        let columns: Vec<usize> = (0..rows * row)
            .map(|k| (k / row * 7 + k % row * 31) % rows)
            .collect();
        let values = numbers(rows * row, |value| value);
        let x = numbers(rows, |value| value);
        let (starts, columns, values, x) = (&starts[..], &columns[..], &values[..], &x[..]);
        measure!(
            bench,
            format!("sparse {rows} rows of {row}"),
            sparse,
            bare,
            (starts = starts, columns = columns, values = values, x = x),
            vec![0.0; rows]
        );
    }
}

fn main() {
    let mut bench = Bench::from_arguments();
    println!("one call, with {}; times are nanoseconds", Isa::best());
    println!(
        "{:32} {:>10} {:>10} {:>10} {:>10} {:>8} {:>8}",
        "", "text", "scalar", "AVX2", "AVX-512", "/ text", "/ AVX2"
    );
    for n in [100, 1000, 4096, 100_000] {
        vectors!(bench, double, f64, n);
        vectors!(bench, single, f32, n);
    }
    for n in [1000, 1003] {
        strides!(bench, double, f64, n);
        strides!(bench, single, f32, n);
    }
    integers(&mut bench);
    sparse(&mut bench);
    bench.print();
}
