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
//! cache (`BATCH_BYTES`; a multiple of the register's lanes, one register at least), and every
//! chunk is added to the same array, for all competitors alike. Otherwise the larger cases would
//! measure main memory. loopwright and `reference` get a chunk per call, as their mesh form is
//! made for; FFCx's kernels take one cell a call.
//!
//! Before anything is timed, the competitors' matrices are compared.

#[path = "support/ffcx.rs"]
mod ffcx;
#[path = "../tests/forms/mod.rs"]
mod forms;
#[path = "support/mesh.rs"]
mod mesh;

use std::hint::black_box;
use std::time::{Duration, Instant};

use ffcx::{Ffcx, Kernel};
use loopwright::{Isa, Report};
use mesh::Cell;

/// Bytes of the matrices of a batch: inside a second-level cache of 512 KiB, with the tables.
const BATCH_BYTES: usize = 384 << 10;

/// How much to measure.
struct Settings {
    cells: Vec<Cell>,
    /// Rounds of a case: at least the first, then while it lasts, at most the second.
    rounds: (usize, usize),
    budget: Duration,
    filters: Vec<String>,
}

impl Settings {
    fn from_arguments() -> Self {
        let (flags, filters): (Vec<_>, Vec<_>) = std::env::args()
            .skip(1)
            .partition(|argument| argument.starts_with("--"));
        let has = |flag: &str| flags.iter().any(|f| f == flag);
        let mut cells = mesh::unit_cube(9);
        let (rounds, budget) = if !has("--bench") {
            // `cargo test --benches`: only see that it runs.
            cells.truncate(17);
            ((1, 1), Duration::ZERO)
        } else if has("--quick") {
            cells.truncate(cells.len() / 9);
            ((3, 101), Duration::from_millis(300))
        } else {
            ((5, 301), Duration::from_secs(2))
        };
        Self {
            cells,
            rounds,
            budget,
            filters,
        }
    }

    fn wants(&self, name: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|filter| name.contains(filter))
    }
}

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
    let lanes = Isa::best().lanes_f64();
    let batch = (BATCH_BYTES / size_of::<[[f64; DOFS]; DOFS]>() / lanes).max(1) * lanes;
    let mut a = vec![[[0.0; DOFS]; DOFS]; batch];
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
        let largest = sums[1].iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let errors = sum.iter().zip(&sums[1]).map(|(x, y)| (x - y).abs());
        let error = errors.fold(0.0, f64::max) / largest;
        assert!(error <= tolerance, "the matrices differ: {error:e}");
    }

    let mut times = vec![Vec::new(); competitors.len()];
    let start = Instant::now();
    let (least, most) = settings.rounds;
    while times[0].len() < least || (times[0].len() < most && start.elapsed() < settings.budget) {
        for (kernel, times) in competitors.iter().zip(&mut times) {
            let start = Instant::now();
            pass(&settings.cells, &mut a, kernel);
            times.push(start.elapsed().as_secs_f64() * 1e9 / settings.cells.len() as f64);
        }
    }
    let mut medians = times.into_iter().map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
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
    let settings = Settings::from_arguments();
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
