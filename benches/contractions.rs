//! Sums of products, each written as one nest, against their text, `ndarray` (whose products are those of
//! `matrixmultiply`) and C in the order of fewest operations, compiled by gcc with `-O3 -march=native -ffast-math`.
//!
//! ```text
//! benches/peers/contractions.sh                               # builds the C, without which its column is empty
//! cargo bench --bench contractions
//! cargo bench --bench contractions -- --quick                 # fewer rounds
//! cargo bench --bench contractions -- chain spectral          # cases with one of these in their name
//! ```
//!
//! All run in one process, in turns. The table has the median time of a kernel, in nanoseconds a call, the times of the
//! others over it (above 1 the kernel is faster), and the operations of the text and of the expansion a call, where
//! lengths are constant.

#![allow(missing_docs, reason = "a benchmark")]

#[allow(dead_code, reason = "cells are for others")]
#[path = "support/mesh.rs"]
mod mesh;
#[path = "suite/contractions.rs"]
mod suite;
#[allow(dead_code, reason = "batches are for others")]
#[path = "support/turns.rs"]
mod turns;
#[allow(unused_macros, dead_code, reason = "each benchmark uses a part")]
#[path = "support/variants.rs"]
mod variants;

use std::cell::RefCell;
use std::hint::black_box;
use std::path::Path;

use libloading::Library;
use loopwright::Report;
use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};
use variants::Bench;

fn numbers(count: usize, seed: usize) -> Vec<f64> {
    let number = |at: usize| ((at * 7919 + seed * 131 + 13) % 1009) as f64 / 505.0 - 1.0;
    (0..count).map(number).collect()
}

/// The C, if it was built.
fn peers() -> Option<Library> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers/build/libcontractions.so");
    // SAFETY: the library has no initialisers.
    unsafe { Library::new(path) }.ok()
}

/// What the C has of each kernel: a length, if it is not constant, the inputs, and the result that is added to.
type Peer = unsafe extern "C" fn(usize, *const *const f64, *mut f64);

/// Elements of arrays: numbers, or arrays of them.
///
/// # Safety
/// Nothing but numbers in a row.
unsafe trait Numbers {}
// SAFETY: it is a number.
unsafe impl Numbers for f64 {}
// SAFETY: arrays have their elements in a row.
unsafe impl<T: Numbers, const N: usize> Numbers for [T; N] {}

/// Numbers as an array.
fn of<T: Numbers>(numbers: &[f64]) -> &T {
    assert_eq!(size_of_val(numbers), size_of::<T>());
    // SAFETY: an array of so many numbers.
    unsafe { &*numbers.as_ptr().cast() }
}

/// Numbers as an array that is written.
fn of_mut<T: Numbers>(numbers: &mut [f64]) -> &mut T {
    assert_eq!(size_of_val(numbers), size_of::<T>());
    // SAFETY: an array of so many numbers.
    unsafe { &mut *numbers.as_mut_ptr().cast() }
}

/// Numbers as matrices in a row.
fn rows<const N: usize>(numbers: &[f64]) -> &[[[f64; N]; N]] {
    numbers.as_chunks().0.as_chunks().0
}

fn rows_mut<const N: usize>(numbers: &mut [f64]) -> &mut [[[f64; N]; N]] {
    numbers.as_chunks_mut().0.as_chunks_mut().0
}

fn view((m, n): (usize, usize), numbers: &[f64]) -> ArrayView2<'_, f64> {
    ArrayView2::from_shape((m, n), numbers).expect("a matrix")
}

fn view_mut((m, n): (usize, usize), numbers: &mut [f64]) -> ArrayViewMut2<'_, f64> {
    ArrayViewMut2::from_shape((m, n), numbers).expect("a matrix")
}

/// A competitor, given the inputs and the result.
type Run<'a> = &'a dyn Fn(&[Vec<f64>], &mut [f64]);

/// The benchmark, and the C.
struct Contractions {
    bench: Bench,
    peers: Option<Library>,
}

impl Contractions {
    /// Compares the results of the competitors, the kernel first, and prints a line of times. There are inputs of so
    /// many numbers each, and a result of `count`.
    fn case(
        &self,
        (name, function, report): (&str, &str, Report),
        (n, inputs, count): (usize, &[usize], usize),
        runs: &[(&'static str, Run<'_>)],
    ) {
        if !self.bench.wants(name) {
            return;
        }
        let inputs: Vec<Vec<f64>> = (inputs.iter().enumerate())
            .map(|(seed, count)| numbers(*count, seed))
            .collect();
        let pointers: Vec<*const f64> = inputs.iter().map(|input| input.as_ptr()).collect();
        let peers = self.peers.as_ref();
        // SAFETY: the function of that name has this type.
        let peer = peers.and_then(|own| unsafe { own.get::<Peer>(function.as_bytes()) }.ok());
        let c = |_: &[Vec<f64>], w: &mut [f64]| {
            if let Some(peer) = &peer {
                // SAFETY: the arrays have the lengths that the function takes.
                unsafe { peer(n, pointers.as_ptr(), w.as_mut_ptr()) }
            }
        };
        let mut runs = runs.to_vec();
        runs.extend(peer.as_ref().map(|_| ("gcc", &c as Run<'_>)));
        let mut expected: Option<Vec<f64>> = None;
        for (competitor, run) in &runs {
            let mut found = vec![0.0; count];
            run(&inputs, &mut found);
            let expected = expected.get_or_insert_with(|| found.clone());
            turns::assert_close(&found, expected, 1e-10);
            assert!(found.iter().any(|x| *x != 0.0), "{name} of {competitor}");
        }
        let result = RefCell::new(vec![0.0; count]);
        let (result, inputs) = (&result, &inputs);
        let mut competitors: Vec<variants::Competitor<'_>> = Vec::new();
        for (name, run) in &runs {
            competitors.push((
                name,
                Box::new(move || run(black_box(inputs), black_box(&mut result.borrow_mut()))),
            ));
        }
        let times = self.bench.medians(&mut competitors);
        let over = |name: &str| {
            let at = runs.iter().position(|(own, _)| *own == name);
            at.map_or("-".to_owned(), |at| format!("{:.2}", times[at] / times[0]))
        };
        let (text, own) = (report.source, report.expansion.operations());
        let operations = match n {
            0 => format!("{} -> {own}", text.operations()),
            _ => String::new(),
        };
        println!(
            "{name:22} {:>12.0} {:>8} {:>8} {:>8}  {operations}",
            times[0],
            over("text"),
            over("gcc"),
            over("ndarray"),
        );
    }

    /// The case of a kernel of constant lengths.
    fn constant(
        &self,
        (name, report): (&str, Report),
        inputs: &[usize],
        count: usize,
        runs: [Run<'_>; 2],
    ) {
        let runs = [("kernel", runs[0]), ("text", runs[1])];
        self.case((name, name, report), (0, inputs, count), &runs);
    }
}

/// A kernel and its text, called in the same way.
macro_rules! both {
    ($name:ident, |$x:ident, $w:ident| ($($argument:expr),* $(,)?)) => {
        [
            (&|$x: &[Vec<f64>], $w: &mut [f64]| suite::$name($($argument),*)) as Run<'_>,
            &|$x: &[Vec<f64>], $w: &mut [f64]| suite::$name::reference($($argument),*),
        ]
    };
}

fn tensors(all: &Contractions) {
    all.constant(
        ("figure1", suite::figure1::REPORT),
        &[500 * 100, 100 * 40 * 15, 40 * 15],
        40,
        both!(figure1, |x, w| (of(&x[0]), of(&x[1]), of(&x[2]), of_mut(w))),
    );
    all.constant(
        ("coupled", suite::coupled::REPORT),
        &[360, 360, 240, 240],
        576,
        both!(coupled, |x, w| (
            of(&x[0]),
            of(&x[1]),
            of(&x[2]),
            of(&x[3]),
            of_mut(w)
        )),
    );
    all.constant(
        ("tucker", suite::tucker::REPORT),
        &[13824, 144, 144, 144],
        216,
        both!(tucker, |x, w| (
            of(&x[0]),
            of(&x[1]),
            of(&x[2]),
            of(&x[3]),
            of_mut(w)
        )),
    );
    let n = 40;
    let runs = both!(mttkrp, |x, w| (n, 16, &x[0], &x[1], &x[2], w));
    all.case(
        ("mttkrp 40 x 16", "mttkrp", suite::mttkrp::REPORT),
        (n, &[n * n * n, n * 16, n * 16], n * 16),
        &[("kernel", runs[0]), ("text", runs[1])],
    );
    // The text of 8 loops is slow.
    all.case(
        ("four_index8", "four_index8", suite::four_index8::REPORT),
        (0, &[4096, 64], 4096),
        &[("kernel", &|x, w| {
            suite::four_index8(of(&x[0]), of(&x[1]), of_mut(w))
        })],
    );
    for n in [8, 16] {
        let transform = |x: &[Vec<f64>], w: &mut [f64]| suite::four_index(n, &x[0], &x[1], w);
        all.case(
            (
                &format!("four_index {n}"),
                "four_index",
                suite::four_index::REPORT,
            ),
            (n, &[n.pow(4), n * n], n.pow(4)),
            &[("kernel", &transform)],
        );
    }
}

fn spectral_elements(all: &Contractions) {
    macro_rules! spectral {
        ($($name:ident $n:literal)*) => {
            $(all.constant(
                (stringify!($name), suite::$name::REPORT),
                &[$n * $n, $n * $n * $n],
                $n * $n * $n,
                both!($name, |x, w| (of(&x[0]), of(&x[1]), of_mut(w))),
            );)*
        };
    }
    spectral! { spectral5 5 spectral6 6 spectral7 7 spectral8 8 spectral9 9 }
}

fn chains(all: &Contractions) {
    all.constant(
        ("chain_small", suite::chain_small::REPORT),
        &[35, 21, 27, 36],
        20,
        both!(chain_small, |x, w| (
            of(&x[0]),
            of(&x[1]),
            of(&x[2]),
            of(&x[3]),
            of_mut(w)
        )),
    );
    let (a, b, c) = ((300, 200), (200, 250), (250, 150));
    let products = |x: &[Vec<f64>], w: &mut [f64]| {
        let ab = view(a, &x[0]).dot(&view(b, &x[1]));
        general_mat_mul(1.0, &ab, &view(c, &x[2]), 1.0, &mut view_mut((300, 150), w));
    };
    // The text takes 6e9 operations.
    let chain = |x: &[Vec<f64>], w: &mut [f64]| {
        suite::chain_large(of(&x[0]), of(&x[1]), of(&x[2]), of_mut(w));
    };
    all.case(
        ("chain_large", "chain_large", suite::chain_large::REPORT),
        (0, &[60_000, 50_000, 37_500], 45_000),
        &[("kernel", &chain), ("ndarray", &products)],
    );
}

fn matrix_products(all: &Contractions) {
    for n in [4, 8, 16, 31, 64, 100, 256, 500, 512, 1000] {
        let shape = (n, n);
        let product = |x: &[Vec<f64>], w: &mut [f64]| {
            let (a, b) = (view(shape, &x[0]), view(shape, &x[1]));
            general_mat_mul(1.0, &a, &b, 1.0, &mut view_mut(shape, w));
        };
        let flat = both!(matrix_product, |x, w| (n, &x[0], &x[1], w));
        let views = both!(product_of_views, |x, w| (
            view(shape, &x[0]),
            view(shape, &x[1]),
            view_mut(shape, w)
        ));
        let kinds: [(&str, [Run<'_>; 2], Report); 2] = [
            ("matrix_product", flat, suite::matrix_product::REPORT),
            ("product_of_views", views, suite::product_of_views::REPORT),
        ];
        for (kind, [kernel, text], report) in kinds {
            let runs = [("kernel", kernel), ("ndarray", &product), ("text", text)];
            let short = if n > 256 { 2 } else { 3 };
            all.case(
                (&format!("{kind} {n}"), "matrix_product", report),
                (n, &[n * n, n * n], n * n),
                &runs[..short],
            );
        }
    }
    for n in [10, 500] {
        let runs = both!(batched, |x, w| (n, rows(&x[0]), rows(&x[1]), rows_mut(w)));
        all.case(
            (
                &format!("batched 8 x {n}"),
                "batched",
                suite::batched::REPORT,
            ),
            (n, &[n * 64, n * 64], n * 64),
            &[("kernel", runs[0]), ("text", runs[1])],
        );
    }
}

fn main() {
    let all = Contractions {
        bench: Bench::from_arguments(),
        peers: peers(),
    };
    println!(
        "{:22} {:>12} {:>8} {:>8} {:>8}  operations",
        "", "kernel, ns", "text", "gcc", "ndarray"
    );
    tensors(&all);
    spectral_elements(&all);
    chains(&all);
    matrix_products(&all);
}
