//! Actions of the Laplacian and of the mass matrix on hexahedra, with what the geometry gives at each point, against
//! deal.II's `FEEvaluation` with a vector of cells at once.
//!
//! ```text
//! benches/peers/hexahedra.sh                              # builds deal.II's, without which its column is empty
//! cargo bench --bench hexahedra
//! cargo bench --bench hexahedra -- --quick laplace        # fewer rounds, cases with this in their name
//! ```
//!
//! Both run in one process, in turns, over the cells of a cube whose geometry fits the second-level cache. The table has
//! the median time of the kernel, in nanoseconds a cell, that of deal.II over it (above 1 the kernel is faster), and the
//! operations a cell of the text, of the expansion and of deal.II.

#![allow(missing_docs, reason = "a benchmark")]

#[allow(dead_code, reason = "cells are for others")]
#[path = "support/mesh.rs"]
mod mesh;
#[path = "suite/hexahedra.rs"]
mod suite;
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
use loopwright::Report;
use variants::Bench;

/// deal.II's operators, as `benches/peers/hexahedra.cc` has them.
type New = unsafe extern "C" fn(usize, usize, *const usize, *const f64, *const f64) -> *mut c_void;
type Apply = unsafe extern "C" fn(*mut c_void, *const f64, *mut f64);

struct Peer {
    new: Symbol<'static, New>,
    laplace: Symbol<'static, Apply>,
    mass: Symbol<'static, Apply>,
}

/// deal.II, if it was built.
fn peer() -> Option<Peer> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers/build/libhexahedra.so");
    // SAFETY: its initialisers set up deal.II and what that needs, on which nothing here depends. It stays loaded.
    let library: &'static Library = Box::leak(Box::new(unsafe { Library::new(path) }.ok()?));
    // SAFETY: the functions of these names have these types.
    unsafe {
        Some(Peer {
            new: library.get(b"hexahedra_new").ok()?,
            laplace: library.get(b"hexahedra_laplace").ok()?,
            mass: library.get(b"hexahedra_mass").ok()?,
        })
    }
}

/// Operations a cell of deal.II's Laplacian, whose tables have even and odd halves: twelve sums over an axis, 15 operations
/// at each point, two more that add what the three axes have, and one that adds to the result.
fn laplace_of_halves(degree: usize) -> usize {
    let along = degree + 1;
    12 * along.pow(2) * half_sums(along) + 18 * along.pow(3)
}

/// The same for mass: six sums, a product at each point, and what adds to the result.
fn mass_of_halves(degree: usize) -> usize {
    let along = degree + 1;
    6 * along.pow(2) * half_sums(along) + 2 * along.pow(3)
}

/// Operations of a symmetric or antisymmetric table with as many rows as columns, in halves: sums and differences of
/// opposite entries, two tables of half the size, and their sums and differences.
fn half_sums(along: usize) -> usize {
    let half = along / 2;
    match along.is_multiple_of(2) {
        true => 4 * half + 2 * (2 * half * half - half),
        // The middle has its own row and column in one of them.
        false => 4 * half + (2 * half * half - half) + (2 * (half + 1) * (half + 1) - (half + 1)),
    }
}

/// The places of the nodes along the three axes, in the order of `tabulate!`: vertices, edges, faces, inside, the first
/// axis fastest. A part of the boundary is a vertex and the axes along which it extends.
fn places(degree: usize) -> Vec<[usize; 3]> {
    let mut places = Vec::new();
    for directions in 0..=3 {
        for vertex in 0..8_usize {
            let of_vertex = |axes: &usize| axes.count_ones() == directions && axes & vertex == 0;
            for axes in (0..8_usize).filter(of_vertex) {
                // The first and the last place where the part does not extend, the places inside where it does.
                let along = |axis: usize| match (axes >> axis & 1, vertex >> axis & 1) {
                    (0, end) => degree * end..degree * end + 1,
                    (_, _) => 1..degree,
                };
                for z in along(2) {
                    for y in along(1) {
                        places.extend(along(0).map(|x| [x, y, z]));
                    }
                }
            }
        }
    }
    places
}

fn number(at: usize) -> f64 {
    ((at * 7919 + 13) % 1009) as f64 / 505.0 - 1.0
}

/// The cells of a cube: their degrees of freedom in the order of `tabulate!` and in that of deal.II, and what the geometry
/// gives at the points in both orders.
struct Cube<const N: usize> {
    dofs: Vec<[usize; N]>,
    metric: Vec<[[f64; 6]; N]>,
    density: Vec<[f64; N]>,
    peer_dofs: Vec<[usize; N]>,
    peer_metric: Vec<[[f64; 6]; N]>,
    peer_density: Vec<[f64; N]>,
    size: usize,
}

impl<const N: usize> Cube<N> {
    fn new(degree: usize, cells: usize) -> Cube<N> {
        let (along, places) = (degree + 1, places(degree));
        let size = degree * cells + 1;
        let mut cube = Cube {
            dofs: Vec::new(),
            metric: Vec::new(),
            density: Vec::new(),
            peer_dofs: Vec::new(),
            peer_metric: Vec::new(),
            peer_density: Vec::new(),
            size: size.pow(3),
        };
        // Degrees of freedom are numbered cell by cell: vertices, edges, faces, inside.
        let mut numbers = vec![None; size.pow(3)];
        let mut count = 0;
        let first_fastest = |at: [usize; 3], along: usize| (at[2] * along + at[1]) * along + at[0];
        for e in 0..cells.pow(3) {
            let corner = [e % cells, e / cells % cells, e / cells / cells].map(|c| c * degree);
            let grid =
                |place: [usize; 3]| first_fastest([0, 1, 2].map(|a| corner[a] + place[a]), size);
            for place in &places {
                numbers[grid(*place)].get_or_insert_with(|| {
                    count += 1;
                    count - 1
                });
            }
            let dof = |place: [usize; 3]| numbers[grid(place)].expect("the cell has it");
            let density = |q: usize| 1.5 + number(e * N + q);
            let metric = |q: usize| [0, 1, 2, 3, 4, 5].map(|c| number((e * N + q) * 6 + c));
            cube.dofs.push(std::array::from_fn(|i| dof(places[i])));
            cube.density.push(std::array::from_fn(density));
            cube.metric.push(std::array::from_fn(metric));
            let (mut dofs, mut densities, mut metrics) = ([0; N], [0.0; N], [[0.0; 6]; N]);
            for q in 0..N {
                // The last axis runs fastest here.
                let place = [q / along / along, q / along % along, q % along];
                let at = first_fastest(place, along);
                (dofs[at], densities[at], metrics[at]) = (dof(place), density(q), metric(q));
            }
            cube.peer_dofs.push(dofs);
            cube.peer_density.push(densities);
            cube.peer_metric.push(metrics);
        }
        cube
    }
}

/// A competitor, given the function and the result.
type Action<'a> = &'a dyn Fn(&[f64], &mut [f64]);

/// Measures a kernel and prints its line.
fn case(
    bench: &Bench,
    (name, report, peer_operations): (&str, Report, usize),
    (cells, size): (usize, usize),
    kernel: Action<'_>,
    peer: Option<Action<'_>>,
) {
    let u: Vec<f64> = (0..size).map(number).collect();
    let mut expected = vec![0.0; size];
    kernel(&u, &mut expected);
    if let Some(peer) = peer {
        let mut found = vec![0.0; size];
        peer(&u, &mut found);
        turns::assert_close(&found, &expected, 1e-11);
    }
    let result = RefCell::new(vec![0.0; size]);
    let (result, u) = (&result, &u);
    let runs = [("kernel", Some(kernel)), ("deal.II", peer)];
    let mut competitors: Vec<variants::Competitor<'_>> = Vec::new();
    for (name, run) in runs {
        if let Some(run) = run {
            let call = move || run(black_box(u), black_box(&mut result.borrow_mut()));
            competitors.push((name, Box::new(call)));
        }
    }
    let times = bench.medians(&mut competitors);
    let over = times
        .get(1)
        .map_or("-".to_owned(), |time| format!("{:.2}", time / times[0]));
    println!(
        "{name:12} {:>12.1} {over:>8}   {} -> {}, {peer_operations}",
        times[0] / cells as f64,
        report.source.operations(),
        report.expansion.operations(),
    );
}

macro_rules! degree {
    (@ $bench:ident, $module:ident::$form:ident, $halves:ident,
     ($degree:literal, $cells:ident, $cube:ident, $geometry:ident), $peer:ident) => {
        let name = concat!(stringify!($form), " ", $degree);
        if $bench.wants(name) {
            case(
                &$bench,
                (name, suite::$module::$form::REPORT, $halves($degree)),
                ($cells, $cube.size),
                &|u, y| suite::$module::$form(&$cube.$geometry, &$cube.dofs, u, y),
                $peer.as_ref().map(|run| run as Action<'_>),
            );
        }
    };
    ($bench:ident, $peer:ident, $module:ident: $degree:literal, $nodes:literal nodes, $cells:literal) => {
        if ["laplace", "mass"]
            .iter()
            .any(|form| $bench.wants(&format!("{form} {}", $degree)))
        {
            let cube = Cube::<$nodes>::new($degree, $cells);
            let cells = cube.dofs.len();
            let own = $peer.as_ref().map(|peer| {
                // SAFETY: arrays of so many cells, of the degree.
                let own = unsafe {
                    (peer.new)(
                        $degree,
                        cells,
                        cube.peer_dofs.as_ptr().cast(),
                        cube.peer_metric.as_ptr().cast(),
                        cube.peer_density.as_ptr().cast(),
                    )
                };
                (peer, own)
            });
            // SAFETY: `own` is an operator over numbers of this size.
            let laplace = own.as_ref().map(|(peer, own)| {
                |u: &[f64], y: &mut [f64]| unsafe {
                    (peer.laplace)(*own, u.as_ptr(), y.as_mut_ptr())
                }
            });
            // SAFETY: as above.
            let mass = own.as_ref().map(|(peer, own)| {
                |u: &[f64], y: &mut [f64]| unsafe { (peer.mass)(*own, u.as_ptr(), y.as_mut_ptr()) }
            });
            degree!(@ $bench, $module::laplace, laplace_of_halves, ($degree, cells, cube, metric), laplace);
            degree!(@ $bench, $module::mass, mass_of_halves, ($degree, cells, cube, density), mass);
        }
    };
}

fn main() {
    let bench = Bench::from_arguments();
    let peer = peer();
    println!(
        "{:12} {:>12} {:>8}   operations a cell",
        "", "kernel, ns", "deal.II"
    );
    degree!(bench, peer, p1: 1, 8 nodes, 8);
    degree!(bench, peer, p2: 2, 27 nodes, 8);
    degree!(bench, peer, p3: 3, 64 nodes, 4);
    degree!(bench, peer, p4: 4, 125 nodes, 4);
    degree!(bench, peer, p5: 5, 216 nodes, 4);
    degree!(bench, peer, p6: 6, 343 nodes, 2);
    degree!(bench, peer, p7: 7, 512 nodes, 2);
    degree!(bench, peer, p8: 8, 729 nodes, 2);
}
