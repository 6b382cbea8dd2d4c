//! Element matrices of 4374 tetrahedra: loopwright, its reference, and FFCx.
//!
//! ```text
//! benches/peers/ffcx.sh                            # once, for the comparison with FFCx
//! cargo bench --bench assembly
//! cargo bench --bench assembly -- --quick          # a ninth of the mesh, fewer rounds
//! cargo bench --bench assembly -- mass _p4         # cases with one of these in their name
//! ```
//!
//! Mass, Helmholtz and elasticity of degree 1 to 4 without coefficients, over the unit cube of
//! 9 × 9 × 9 cubes of six tetrahedra. All competitors run in one process, in turns (A B C A B
//! C …), and the table has the median of each, so that the machine's drift hits all alike.
//!
//! Matrices are written in batches: the cells go by in chunks whose matrices fit the second-level
//! cache (a multiple of the register's lanes, one register at least), and every
//! chunk is added to the same array, for all competitors alike. Otherwise the larger cases would
//! measure main memory. loopwright and `reference` get a chunk per call, as their mesh form is
//! made for; FFCx's kernels take one cell a call.
//!
//! Before anything is timed, the competitors' matrices are compared.

#[path = "support/ffcx.rs"]
mod ffcx;
#[path = "support/mesh.rs"]
mod mesh;
#[path = "support/turns.rs"]
mod turns;

use std::hint::black_box;
use std::time::Duration;

use ffcx::{Ffcx, Kernel};
use loopwright::{AlignedVec, Isa, Report};
use loopwright_forms as forms;
use mesh::Cell;
use turns::Settings;

/// The mesh form of a kernel.
type MeshForm<const DOFS: usize> = fn(&[Cell], &mut [[[f64; DOFS]; DOFS]]);

/// Adds the matrices of a batch of cells.
type Competitor<const DOFS: usize> = dyn Fn(&[Cell], &mut [[[f64; DOFS]; DOFS]]);

/// One line of the table: nanoseconds a cell.
struct Row {
    loopwright: f64,
    reference: f64,
    ffcx: Option<f64>,
}

/// Adds the matrices of all cells, batch by batch, to the same array.
fn pass<const DOFS: usize>(
    cells: &[Cell],
    a: &mut [[[f64; DOFS]; DOFS]],
    kernel: &Competitor<DOFS>,
) {
    let batch = a.len();
    for cells in cells.chunks(batch) {
        kernel(black_box(cells), black_box(&mut a[..cells.len()]));
    }
}

/// Compares the competitors, then times them in turns.
fn measure<const DOFS: usize>(
    settings: &Settings,
    loopwright: MeshForm<DOFS>,
    reference: MeshForm<DOFS>,
    ffcx: Option<Kernel>,
) -> Row {
    let mut a = AlignedVec::filled([[0.0; DOFS]; DOFS], turns::batch::<DOFS>());
    let mut competitors: Vec<Box<Competitor<DOFS>>> =
        vec![Box::new(loopwright), Box::new(reference)];
    if let Some(kernel) = ffcx {
        competitors.push(Box::new(move |cells, a| {
            for (cell, a) in cells.iter().zip(a) {
                let (x, a) = (cell.as_flattened(), a.as_flattened_mut());
                let (w, c) = (std::ptr::null(), std::ptr::null());
                // SAFETY: the kernel reads twelve coordinates and writes DOFS² entries; without
                // coefficients and constants it reads neither `w` nor `c`.
                unsafe { kernel(a.as_mut_ptr(), w, c, x.as_ptr()) };
            }
        }));
    }

    let mut sums: Vec<Vec<f64>> = Vec::new();
    for kernel in &competitors {
        a.as_flattened_mut().as_flattened_mut().fill(0.0);
        pass(&settings.cells, &mut a, kernel);
        sums.push(a.as_flattened().as_flattened().to_vec());
    }
    // FFCx snaps table entries, which costs it up to 1e-8.
    for (sum, tolerance) in sums.iter().zip([1e-12, 0.0, 1e-7]) {
        turns::assert_close(sum, &sums[1], tolerance);
    }

    let medians = settings.medians(competitors.len(), |k| {
        pass(&settings.cells, &mut a, &competitors[k]);
    });
    let mut medians = medians.into_iter();
    let mut next = || medians.next();
    Row {
        loopwright: next().expect("two competitors at least"),
        reference: next().expect("two competitors at least"),
        ffcx: next(),
    }
}

/// How often loopwright was faster.
#[derive(Default)]
struct Score {
    cases: usize,
    than_reference: usize,
    than_ffcx: usize,
}

impl Score {
    /// Prints a line of the table.
    fn add(&mut self, name: &str, report: &Report, row: &Row) {
        let operations = report.expansion.operations();
        let ratio = |other: f64| format!("{:.3}", row.loopwright / other);
        let optional = |value: Option<String>| value.unwrap_or_else(|| "-".to_string());
        println!(
            "{name:15} {operations:>10} {:>12.1} {:>12.1} {:>12} {:>11} {:>9} {:>7.2}",
            row.loopwright,
            row.reference,
            optional(row.ffcx.map(|time| format!("{time:.1}"))),
            ratio(row.reference),
            optional(row.ffcx.map(ratio)),
            operations as f64 / row.loopwright,
        );
        self.cases += 1;
        self.than_reference += usize::from(row.loopwright < row.reference);
        self.than_ffcx += usize::from(row.ffcx.is_some_and(|time| row.loopwright < time));
    }
}

fn main() {
    let settings = Settings::from_arguments(17, 5, Duration::from_secs(2));
    let ffcx = Ffcx::load();
    let cells = settings.cells.len();
    println!(
        "element matrices of {cells} tetrahedra, loopwright with {}",
        Isa::best()
    );
    println!(
        "{:15} {:>10} {:>12} {:>12} {:>12} {:>11} {:>9} {:>7}",
        "", "operations", "loopwright", "reference", "FFCx", "loopwright", "", ""
    );
    println!(
        "{:15} {:>10} {:>12} {:>12} {:>12} {:>11} {:>9} {:>7}",
        "case", "a cell", "ns a cell", "ns a cell", "ns a cell", "/ reference", "/ FFCx", "GF/s"
    );
    let mut score = Score::default();
    macro_rules! cases {
        ($($form:ident: $($module:ident $kernel:ident $degree:literal),*;)*) => {$($(
            if settings.wants(stringify!($kernel)) {
                use forms::$form::$module::$kernel;
                let peer = ffcx.as_ref().and_then(|f| f.kernel(stringify!($form), $degree, 0));
                let row = measure(&settings, $kernel, $kernel::reference, peer);
                score.add(stringify!($kernel), &$kernel::REPORT, &row);
            }
        )*)*};
    }
    cases! {
        mass: p1 mass_p1 1, p2 mass_p2 2, p3 mass_p3 3, p4 mass_p4 4;
        helmholtz: p1 helmholtz_p1 1, p2 helmholtz_p2 2, p3 helmholtz_p3 3, p4 helmholtz_p4 4;
        elasticity: p1 elasticity_p1 1, p2 elasticity_p2 2, p3 elasticity_p3 3, p4 elasticity_p4 4;
    }
    let Score {
        cases,
        than_reference,
        than_ffcx,
    } = score;
    print!("faster than reference on {than_reference} of {cases}, ");
    match ffcx {
        Some(_) => println!("than FFCx on {than_ffcx} of {cases}"),
        None => println!("FFCx is not built (benches/peers/ffcx.sh)"),
    }
}
