//! Products of small matrices of constant size in batches that fit the second-level cache, against the code that libxsmm
//! writes for each size, and against their text.
//!
//! ```text
//! benches/peers/products.sh                       # builds the wrapper of libxsmm, without which its column is empty
//! cargo bench --bench products
//! cargo bench --bench products -- --quick f32     # fewer rounds, cases with this in their name
//! ```
//!
//! All run in one process, in turns. The table has the speed of the kernel in operations a nanosecond, and the times of
//! the others over its own (above 1 the kernel is faster).

#![allow(missing_docs, reason = "a benchmark")]
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

#[allow(dead_code, reason = "cells are for others")]
#[path = "support/mesh.rs"]
mod mesh;
#[allow(dead_code, reason = "batches are for others")]
#[path = "support/turns.rs"]
mod turns;
#[allow(unused_macros, dead_code, reason = "each benchmark uses a part")]
#[path = "support/variants.rs"]
mod variants;

use std::cell::RefCell;
use std::ffi::c_void;
use std::hint::black_box;
use std::path::Path;

use libloading::{Library, Symbol};
use variants::Bench;

/// Bytes of a batch.
const BATCH_BYTES: usize = 256 << 10;

type New = unsafe extern "C" fn(usize, usize, usize) -> *mut c_void;
type Run<T> =
    unsafe extern "C" fn(*mut c_void, usize, usize, usize, usize, *const T, *const T, *mut T);

/// A number type, and the names of its functions in the wrapper.
trait Number: Copy + Into<f64> + 'static {
    const NEW: &'static [u8];
    const RUN: &'static [u8];
    const ROUNDING: f64;
    fn from_f64(x: f64) -> Self;
}

impl Number for f64 {
    const NEW: &'static [u8] = b"product_f64";
    const RUN: &'static [u8] = b"products_f64";
    const ROUNDING: f64 = 1e-13;
    fn from_f64(x: f64) -> f64 {
        x
    }
}

impl Number for f32 {
    const NEW: &'static [u8] = b"product_f32";
    const RUN: &'static [u8] = b"products_f32";
    const ROUNDING: f64 = 1e-4;
    fn from_f64(x: f64) -> f32 {
        x as f32
    }
}

/// libxsmm's wrapper, if it was built.
fn peer() -> Option<Library> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers/build/libproducts.so");
    // SAFETY: its initialisers set up libxsmm alone.
    unsafe { Library::new(path) }.ok()
}

fn numbers<T: Number>(count: usize, seed: usize) -> Vec<T> {
    let number = |at: usize| ((at * 7919 + seed * 131 + 13) % 1009) as f64 / 505.0 - 1.0;
    (0..count).map(|at| T::from_f64(number(at))).collect()
}

/// All times of the peer over those of the kernels.
#[derive(Default)]
struct Ratios {
    logarithms: Vec<f64>,
    below: Vec<String>,
}

type Call<'a, T> = &'a dyn Fn(&[T], &[T], &mut [T]);

/// Measures the product C[m][n] += A[m][k] B[k][n] of all matrices of a batch.
fn case<T: Number>(
    (bench, peer, ratios): (&Bench, Option<&Library>, &mut Ratios),
    name: &str,
    ([m, n, k], count): ([usize; 3], usize),
    (kernel, text): (Call<'_, T>, Call<'_, T>),
) {
    let (a, b) = (
        numbers::<T>(count * m * k, 1),
        numbers::<T>(count * k * n, 2),
    );
    let own = peer.and_then(|library| {
        // SAFETY: the functions of these names have these types.
        let functions: (Symbol<'_, New>, Symbol<'_, Run<T>>) =
            unsafe { (library.get(T::NEW).ok()?, library.get(T::RUN).ok()?) };
        Some(functions)
    });
    let own = own.map(|(new, run)| {
        // SAFETY: any size is allowed.
        (unsafe { new(m, n, k) }, run)
    });
    let own = own.filter(|(product, _)| !product.is_null());
    let peer = |a: &[T], b: &[T], c: &mut [T]| {
        if let Some((product, run)) = &own {
            // SAFETY: `count` matrices of these sizes.
            unsafe {
                run(
                    *product,
                    count,
                    m,
                    n,
                    k,
                    a.as_ptr(),
                    b.as_ptr(),
                    c.as_mut_ptr(),
                )
            }
        }
    };
    let mut calls = vec![("kernel", kernel), ("text", text)];
    if own.is_some() {
        calls.push(("libxsmm", &peer));
    }
    let results = calls.iter().map(|(_, run)| {
        let mut c = numbers::<T>(count * m * n, 3);
        run(&a, &b, &mut c);
        c.into_iter().map(Into::into).collect()
    });
    let results: Vec<Vec<f64>> = results.collect();
    for found in &results[1..] {
        turns::assert_close(found, &results[0], T::ROUNDING);
    }
    let c = RefCell::new(numbers::<T>(count * m * n, 3));
    let (a, b, c) = (&a, &b, &c);
    let mut competitors: Vec<variants::Competitor<'_>> = Vec::new();
    for (name, run) in calls {
        let call = move || run(black_box(a), black_box(b), black_box(&mut c.borrow_mut()));
        competitors.push((name, Box::new(call)));
    }
    let times = bench.medians(&mut competitors);
    let operations = (2 * m * n * k * count) as f64;
    let to_peer = times.get(2).map(|time| time / times[0]);
    if let Some(ratio) = to_peer {
        ratios.logarithms.push(ratio.ln());
        if ratio < 1.0 {
            ratios.below.push(format!("{name} {ratio:.2}"));
        }
    }
    println!(
        "{name:16} {:>8.1} {:>8.2} {:>8}",
        operations / times[0],
        times[1] / times[0],
        to_peer.map_or("-".to_owned(), |ratio| format!("{ratio:.2}")),
    );
}

macro_rules! products {
    ($all:expr; $number:ident: $($m:literal $n:literal $k:literal),* $(,)?) => {$({
        loopwright::kernel! {
            /// C += A B for each three matrices.
            pub fn product(a: &[[[$number; $k]; $m]], b: &[[[$number; $n]; $k]], c: &mut [[[$number; $n]; $m]]) {
                for e in 0..c.len() {
                    for i in 0..$m {
                        for j in 0..$n {
                            for k in 0..$k {
                                c[e][i][j] += a[e][i][k] * b[e][k][j];
                            }
                        }
                    }
                }
            }
        }
        let name = concat!(stringify!($number), " ", $m, "x", $n, "x", $k);
        let (bench, peer, ratios) = &mut $all;
        if bench.wants(name) {
            let bytes = ($m * $k + $k * $n + $m * $n) * size_of::<$number>();
            case::<$number>(
                (bench, peer.as_ref(), ratios),
                name,
                ([$m, $n, $k], BATCH_BYTES / bytes + 1),
                (
                    &|a, b, c| {
                        let c = c.as_chunks_mut().0.as_chunks_mut().0;
                        product(a.as_chunks().0.as_chunks().0, b.as_chunks().0.as_chunks().0, c);
                    },
                    &|a, b, c| {
                        let c = c.as_chunks_mut().0.as_chunks_mut().0;
                        product::reference(a.as_chunks().0.as_chunks().0, b.as_chunks().0.as_chunks().0, c);
                    },
                ),
            );
        }
    })*};
}

/// Squares, and the shapes of high-order elements with nine unknowns a node, as rows and as columns.
macro_rules! shapes {
    ($all:expr; $($number:ident)*) => {$(
        products! { $all; $number:
            4 4 4, 5 5 5, 6 6 6, 7 7 7, 8 8 8, 9 9 9, 10 10 10, 12 12 12, 13 13 13, 16 16 16, 17 17 17,
            20 20 20, 24 24 24, 27 27 27, 32 32 32, 35 35 35, 48 48 48, 56 56 56, 64 64 64,
            10 9 9, 20 9 9, 35 9 9, 56 9 9, 10 9 10, 20 9 20, 35 9 35, 10 9 35,
            9 10 9, 9 20 9, 9 35 9, 9 56 9, 9 10 10, 9 20 20, 9 35 35,
        }
    )*};
}

fn main() {
    let mut all = (Bench::from_arguments(), peer(), Ratios::default());
    println!("{:16} {:>8} {:>8} {:>8}", "", "op/ns", "text", "libxsmm");
    shapes! { all; f64 f32 }
    let ratios = all.2;
    if !ratios.logarithms.is_empty() {
        let mean = ratios.logarithms.iter().sum::<f64>() / ratios.logarithms.len() as f64;
        println!(
            "libxsmm's time over the kernels', geometric mean of {}: {:.2}; below 1 {}: {}",
            ratios.logarithms.len(),
            mean.exp(),
            ratios.below.len(),
            ratios.below.join(", ")
        );
    }
}
