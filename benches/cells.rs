//! Kernels of one cell a call, and small loops, in every instruction set: whether one is slower than its
//! text, or AVX-512 slower than AVX2.
//!
//! ```text
//! cargo bench --bench cells
//! cargo bench --bench cells -- --quick         # fewer rounds
//! cargo bench --bench cells -- mass _q3        # cases with one of these in their name
//! ```
//!
//! The matrices are those of the suite (mass, Helmholtz, elasticity, hyperelasticity; degree 1 to 3 or 4),
//! from the nests over the cells of a mesh: "bare" without that loop, "looped" with one of one iteration.
//! Those that take minutes to compile, with more coefficient functions, are left out. After them come mass
//! matrices of one cell with two coefficient functions, actions on hexahedra, whose temporaries are large,
//! numbers out of bytes, and the assembly of linear elements into a sparse matrix, where the check of index
//! maps stands beside the whole.
//!
//! Where `benches/peers/ffcx.sh` has built FFCx's kernels, which are of one cell, too, the last column of the
//! matrices is the time over FFCx's.
//!
//! The text is compiled for each instruction set, too (`#[target_feature]` around it); its time is the
//! best of these. All run in one process, in turns, and the table has medians, in nanoseconds a call; a
//! ratio above one, but for what a measurement varies, is counted as slower.

#![allow(clippy::needless_range_loop, reason = "texts of kernels")]
#![allow(
    clippy::redundant_locals,
    reason = "inputs are named as a kernel's parameters"
)]

#[allow(dead_code, reason = "the mesh, and batches, are for others")]
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

#[path = "suite/cells.rs"]
mod kernels;

#[allow(dead_code, reason = "each benchmark uses a part")]
#[path = "support/ffcx.rs"]
mod ffcx;

use std::hint::black_box;

use loopwright::Isa;

use ffcx::Ffcx;
use kernels::*;
use variants::*;

/// Values of a coefficient function at nodes, none of them equal.
pub trait Nodal {
    /// One that follows from a number.
    fn value(seed: usize) -> Self;
}

impl Nodal for f64 {
    fn value(seed: usize) -> f64 {
        0.75 + (seed * 37 % 101) as f64 / 200.0
    }
}

impl<T: Nodal, const N: usize> Nodal for [T; N] {
    fn value(seed: usize) -> Self {
        std::array::from_fn(|at| T::value(10 * seed + at + 1))
    }
}

/// Both kernels of instances of a form, each with the seeds of its coefficient functions.
macro_rules! matrices {
    (($bench:ident, $peers:ident), $form:ident, dofs: $dofs:literal, nodes: $nodal:ty, material: $material:tt,
     $($kernel:ident [$($w:ident $seed:literal)?])*) => {$(
        matrices!(@ ($bench, $peers), $form, $kernel, bare, $dofs, $nodal, $material, [$($w $seed)?]);
        matrices!(@ ($bench, $peers), $form, $kernel, looped, $dofs, $nodal, $material, [$($w $seed)?]);
    )*};
    (@ ($bench:ident, $peers:ident), $form:ident, $kernel:ident, $kind:ident, $dofs:literal, $nodal:ty,
     [$($u:ident $mu:ident $lambda:ident)?], [$($w:ident $seed:literal)?]) => {
        // One coefficient function after the other, as FFCx takes them.
        let packed = {
            #[allow(unused_mut, reason = "forms without coefficient functions")]
            let mut packed = Vec::new();
            $(let $u = <$nodal as Nodal>::value(9); $u.append(&mut packed);)?
            $(let $w = <$nodal as Nodal>::value($seed); $w.append(&mut packed);)?
            packed
        };
        let packed = &packed[..];
        let peer = $peers.as_ref().and_then(|peers| peers.named(concat!(stringify!($form), "_", stringify!($kernel))));
        let peer = peer.map(|kernel| move |a: &mut Vec<[[f64; $dofs]; $dofs]>| {
            let (x, c) = (CELL.as_flattened(), [0.7, 1.3]);
            let a = a.as_flattened_mut().as_flattened_mut();
            // SAFETY: the kernel reads twelve coordinates, the coefficients and two constants at most, and adds to
            // DOFS² entries.
            unsafe { kernel(a.as_mut_ptr(), packed.as_ptr(), c.as_ptr(), x.as_ptr()) };
        });
        measure!(
            $bench, concat!(stringify!($form), "_", stringify!($kernel), " ", stringify!($kind)),
            $form::$kernel, $kind,
            (
                cells = &[CELL][..],
                $($u = &[<$nodal as Nodal>::value(9)][..], $lambda = 1.3, $mu = 0.7,)?
                $($w = &[<$nodal as Nodal>::value($seed)][..],)?
            ),
            vec![[[0.25; $dofs]; $dofs]; 1],
            peer: peer
        );
    };
}

/// A tetrahedron.
const CELL: mesh::Cell = [
    [0.1, 0.0, 0.2],
    [1.1, 0.1, 0.0],
    [0.0, 0.9, 0.1],
    [0.2, 0.0, 1.2],
];

fn suite(bench: &mut Bench, peers: Option<&Ffcx>) {
    matrices!((bench, peers), mass, dofs: 4, nodes: [f64; 4], material: [], q1_nf0 [] q1_nf1 [w 1]);
    matrices!((bench, peers), mass, dofs: 10, nodes: [f64; 10], material: [], q2_nf0 [] q2_nf1 [w 1]);
    matrices!((bench, peers), mass, dofs: 20, nodes: [f64; 20], material: [], q3_nf0 []);
    matrices!((bench, peers), mass, dofs: 35, nodes: [f64; 35], material: [], q4_nf0 []);
    matrices!((bench, peers), helmholtz, dofs: 4, nodes: [f64; 4], material: [], q1_nf0 [] q1_nf1 [w 1]);
    matrices!((bench, peers), helmholtz, dofs: 10, nodes: [f64; 10], material: [], q2_nf0 [] q2_nf1 [w 1]);
    matrices!((bench, peers), helmholtz, dofs: 20, nodes: [f64; 20], material: [], q3_nf0 []);
    matrices!((bench, peers), helmholtz, dofs: 35, nodes: [f64; 35], material: [], q4_nf0 []);
    matrices!((bench, peers), elasticity, dofs: 12, nodes: [f64; 4], material: [], q1_nf0 [] q1_nf1 [w 1]);
    matrices!((bench, peers), elasticity, dofs: 30, nodes: [f64; 10], material: [], q2_nf0 [] q2_nf1 [w 1]);
    matrices!((bench, peers), elasticity, dofs: 60, nodes: [f64; 20], material: [], q3_nf0 []);
    matrices!((bench, peers), hyperelasticity, dofs: 12, nodes: [[f64; 3]; 4], material: [u mu lambda],
        q1_nf0 [] q1_nf1 [w 1]);
    matrices!((bench, peers), hyperelasticity, dofs: 30, nodes: [[f64; 3]; 10], material: [u mu lambda],
        q2_nf0 [] q2_nf1 [w 1]);
    matrices!((bench, peers), hyperelasticity, dofs: 60, nodes: [[f64; 3]; 20], material: [u mu lambda], q3_nf0 []);
}

fn joined(bench: &mut Bench) {
    macro_rules! each {
        ($($module:ident $nodes:literal)*) => {$(
            let w = <[f64; $nodes] as Nodal>::value(7);
            measure!(
                bench, stringify!($module), $module, bare, (v = &w[..], w = &w[..]),
                [[0.25; $nodes]; $nodes]
            );
        )*};
    }
    each! { joined_10_74 10 joined_20_57 20 joined_20_74 20 joined_20_122 20 joined_35_95 35 }
}

/// Actions on some cells with temporaries that are large: each cell has nodes of its own.
fn hexahedra(bench: &mut Bench) {
    const CELLS: usize = 16;
    macro_rules! each {
        ($($module:ident $nodes:literal)*) => {$(
            let g = &[[[1.5, 0.25, 0.0], [0.25, 1.0, 0.125], [0.0, 0.125, 2.0]]; CELLS][..];
            let det = &[0.5; CELLS][..];
            let dofs: Vec<[usize; $nodes]> =
                (0..CELLS).map(|e| std::array::from_fn(|i| $nodes * e + i)).collect();
            let dofs = &dofs[..];
            let u: Vec<f64> = (0..$nodes * CELLS).map(f64::value).collect();
            let u = &u[..];
            measure!(
                bench, concat!(stringify!($module), " of 16 cells"), $module, bare,
                (g = g, det = det, dofs = dofs, u = u), vec![0.0; $nodes * CELLS]
            );
        )*};
    }
    each! { hexahedra_p2 27 hexahedra_p6 343 }
}

fn integers(bench: &mut Bench) {
    let bytes: Vec<u8> = (0..4096).map(|at| (at * 37 % 251) as u8).collect();
    let words: Vec<u64> = (0..4096_u64)
        .map(|at| at.wrapping_mul(0x9E37_79B9_7F4A_7C15))
        .collect();
    let (bytes, words) = (&bytes[..], &words[..]);
    measure!(
        bench,
        "bytes_scaled",
        bytes_scaled,
        bare,
        (x = bytes),
        vec![0.0_f32; 4096]
    );
    measure!(
        bench,
        "bytes_convolved",
        bytes_convolved,
        bare,
        (x = bytes),
        vec![0.0_f32; 4096]
    );
    measure!(
        bench,
        "words_to_doubles",
        words_to_doubles,
        bare,
        (x = words),
        vec![0.0; 4096]
    );
}

/// Linear elements into a sparse matrix: the whole, and what looking at the index maps takes of it.
fn assembly(bench: &mut Bench) {
    for n in [512, 8192] {
        let rows = n / 2 + 40;
        let cells: Vec<[usize; 3]> = (0..n)
            .map(|e| [e / 2, e / 2 + 1, e / 2 + 30 + (e & 1)])
            .collect();
        let material: Vec<usize> = (0..n).map(|e| e * 7 % 5).collect();
        let conductivity = [1.0, 2.0, 3.0, 4.0, 5.0];
        let points: Vec<[f64; 2]> = (0..rows)
            .map(|p| {
                [
                    (p * 37 % 101) as f64,
                    (p * p * 11 % 103) as f64 + 0.1 * p as f64,
                ]
            })
            .collect();
        let place: Vec<[[usize; 3]; 3]> = cells
            .iter()
            .map(|cell| {
                std::array::from_fn(|i| std::array::from_fn(|j| cell[i] * 7 + (3 * j + i) % 7))
            })
            .collect();
        let (cells, material, points, place) = (&cells[..], &material[..], &points[..], &place[..]);
        let conductivity = &conductivity[..];
        let title = format!("csr of {n} cells");
        measure!(
            bench,
            title,
            csr,
            bare,
            (
                cells = cells,
                material = material,
                conductivity = conductivity,
                points = points,
                place = place
            ),
            vec![0.0; 7 * rows]
        );
        if bench.wants(&title) {
            let entries = |map: &[usize]| black_box(loopwright::__private::checks::entries(map));
            let mut looking: Vec<Competitor<'_>> = vec![(
                "check",
                Box::new(|| {
                    entries(black_box(cells.as_flattened()));
                    entries(black_box(material));
                    entries(black_box(place.as_flattened().as_flattened()));
                }),
            )];
            let time = bench.medians(&mut looking)[0] / n as f64;
            println!(
                "{:32} {time:>10.2} a cell for the entries of its index maps",
                title
            );
        }
    }
}

fn main() {
    let mut bench = Bench::from_arguments();
    println!("one call, with {}; times are nanoseconds", Isa::best());
    println!(
        "{:32} {:>10} {:>10} {:>10} {:>10} {:>8} {:>8} {:>8}",
        "", "text", "scalar", "AVX2", "AVX-512", "/ text", "/ AVX2", "/ FFCx"
    );
    suite(&mut bench, Ffcx::load().as_ref());
    joined(&mut bench);
    hexahedra(&mut bench);
    integers(&mut bench);
    assembly(&mut bench);
    bench.print();
}
