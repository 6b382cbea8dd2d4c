//! Stencils in one, two and three dimensions, against the plain loops, in caches and out of them.
//!
//! ```text
//! benches/peers/stencils.sh                    # builds the C, without which its columns are empty
//! cargo bench --bench stencils
//! cargo bench --bench stencils -- --quick      # fewer rounds
//! cargo bench --bench stencils -- box gauss    # stencils with one of these in their name
//! ```
//!
//! The loops are those that the kernels are made of, compiled for the processor's vectors too, and the same ones in C,
//! compiled by gcc with `-O3 -march=native -ffast-math`. All run in one process, in turns. The table has the median time
//! of a kernel, in nanoseconds a point, and the times of plain Rust and of C over it (above 1 the kernel is faster).
//! Sizes: 2048 points, 65536, and 8 to 16 million.

#![allow(
    missing_docs,
    clippy::missing_safety_doc,
    reason = "kernels of a benchmark and their texts"
)]
#![allow(dead_code, reason = "kernels are called through their modules")]
#![allow(
    clippy::too_many_arguments,
    clippy::needless_range_loop,
    reason = "texts of kernels"
)]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a few numbers"
)]

#[path = "suite/stencils.rs"]
mod suite;

use std::path::Path;
use std::time::Instant;

use comfy_table::{CellAlignment, Table};
use libloading::Library;
use suite::{f32, f64};

/// The C, if it was built.
fn peers() -> Option<Library> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers/build/libstencils.so");
    // SAFETY: the library has no initialisers.
    unsafe { Library::new(path) }.ok()
}

/// What the C has of each stencil: points, rows and columns, the input and the result.
type Peer<T> = unsafe extern "C" fn(usize, usize, usize, *const T, *mut T);

/// Points, rows and columns.
fn sizes(dimensions: usize) -> [(usize, usize, usize); 3] {
    match dimensions {
        1 => [(2048, 0, 0), (65536, 0, 0), (1 << 24, 0, 0)],
        2 => [(2048, 32, 64), (65536, 256, 256), (1 << 24, 4096, 4096)],
        _ => [(6912, 12, 24), (55296, 24, 48), (1 << 23, 128, 256)],
    }
}

/// Medians of some runs in so many turns, in seconds.
fn timed(turns: usize, runs: &mut [&mut dyn FnMut()]) -> Vec<f64> {
    let mut times = vec![Vec::new(); runs.len()];
    for _ in 0..turns {
        for (run, times) in runs.iter_mut().zip(&mut times) {
            let start = Instant::now();
            run();
            times.push(start.elapsed().as_secs_f64());
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    times.into_iter().map(median).collect()
}

macro_rules! rows {
    ($number:ident, ($wanted:expr, $turns:expr, $peers:expr), $table:expr) => {
        for (dimensions, name, kernel, text) in $number::ALL.iter().copied() {
            if !$wanted(name) {
                continue;
            }
            let own = format!("{name}_{}", stringify!($number));
            let peers: Option<&Library> = $peers;
            // SAFETY: the function of that name has this type.
            let peer = peers.and_then(|own_peers| unsafe {
                own_peers.get::<Peer<$number>>(own.as_bytes()).ok()
            });
            let mut cells = vec![own];
            for (points, n, m) in sizes(dimensions) {
                let x = $number::values(points + 64);
                let [mut y, mut z, mut c] = [(); 3].map(|()| $number::values(points));
                let times = ((1 << 20) / points).max(1);
                let mut own = || (0..times).for_each(|_| kernel(&x, &mut y, n, m));
                let mut plain = || (0..times).for_each(|_| text(&x, &mut z, n, m));
                let mut other = || {
                    for peer in (0..times).filter_map(|_| peer.as_ref()) {
                        // SAFETY: the arrays have the lengths that the function takes.
                        unsafe { peer(points, n, m, x.as_ptr(), c.as_mut_ptr()) }
                    }
                };
                let mut runs: Vec<&mut dyn FnMut()> = vec![&mut own, &mut plain];
                if peer.is_some() {
                    runs.push(&mut other);
                }
                // Long runs need fewer turns.
                let turns = if times > 1 { $turns } else { $turns.min(9) };
                let found = timed(turns, &mut runs);
                assert_close(name, &y, &z);
                if peer.is_some() {
                    assert_close(name, &y, &c);
                }
                cells.push(format!("{:.3}", found[0] * 1e9 / (times * points) as f64));
                cells.push(format!("{:.2}", found[1] / found[0]));
                cells.push(
                    found
                        .get(2)
                        .map_or("-".to_owned(), |c| format!("{:.2}", c / found[0])),
                );
            }
            $table.add_row(cells);
        }
    };
}

/// Panics unless two results are the same, but for what is rounded.
fn assert_close<T: Copy + Into<f64>>(name: &str, own: &[T], other: &[T]) {
    for (own, other) in own.iter().zip(other) {
        let (own, other): (f64, f64) = ((*own).into(), (*other).into());
        let bound = 1e-3 * (1.0 + other.abs());
        assert!((own - other).abs() <= bound, "{name}: {own} {other}");
    }
}

fn main() {
    if loopwright::Isa::best() != loopwright::Isa::Avx512 {
        println!("the texts are compiled for AVX-512, which this processor lacks");
        return;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&String> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    let wanted = |name: &str| names.is_empty() || names.iter().any(|part| name.contains(*part));
    let turns = match arguments.iter().any(|argument| argument == "--quick") {
        true => 5,
        false => 21,
    };
    let peers = peers();
    let mut table = Table::new();
    let sizes = ["first level", "second level", "memory"];
    let columns = sizes.into_iter().flat_map(|size| [size, "Rust", "gcc"]);
    table.set_header(["stencil"].into_iter().chain(columns));
    rows!(f64, (wanted, turns, peers.as_ref()), table);
    rows!(f32, (wanted, turns, peers.as_ref()), table);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
}
