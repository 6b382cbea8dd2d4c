//! Mass, Helmholtz, elasticity and hyperelasticity with zero to three coefficient functions:
//! loopwright at levels 2 and 3, and FFCx.
//!
//! ```text
//! benches/peers/ffcx.sh                          # once, for the comparison with FFCx
//! cargo bench --bench forms
//! cargo bench --bench forms -- --quick           # a ninth of the mesh, fewer rounds
//! cargo bench --bench forms -- helmholtz _nf1    # cases with one of these in their name
//! ```
//!
//! The forms and the mesh of 4374 tetrahedra are those of Luporini, Ham and Kelly (2017, section 7).
//! All competitors run in one process, in turns; the table has medians. Matrices are written in
//! batches that stay in the second-level cache, as in `assembly`.
//!
//! The column "of limit" has the part that level 3 reaches of what the processor allows: the time that
//! its operations take at the rate of fused multiply-adds, or its results at the rate of stores, the
//! longer one, both measured in turns with the case; over the time that it takes.
//!
//! The operations and times of other form compilers (COFFEE, TSFC) are columns of
//! `peers/form_compilers.csv`, their times as ratios to FFCx's. Besides the table, the bench draws
//! the figure of the paper: bars of speed-up over FFCx, one panel a form, in
//! `target/forms.svg`.

/// A kernel of the suite, to be called.
macro_rules! form {
    ($($kernel:tt)*) => { loopwright::kernel! { $($kernel)* } };
}
use form;

#[macro_use]
#[path = "suite/instances.rs"]
mod instances;

#[path = "support/chart.rs"]
mod chart;
#[path = "support/ffcx.rs"]
mod ffcx;
#[path = "support/limits.rs"]
mod limits;
#[path = "support/mesh.rs"]
mod mesh;
#[path = "support/peers.rs"]
mod peers;
#[allow(dead_code, reason = "each benchmark uses a part")]
#[path = "support/ranks.rs"]
mod ranks;
#[path = "suite/mod.rs"]
mod suite;
#[allow(dead_code, reason = "all cases are measured")]
#[path = "support/turns.rs"]
mod turns;

use std::hint::black_box;
use std::ops::Range;
use std::time::Duration;

use ffcx::Ffcx;
use limits::Limits;
use loopwright::{AlignedVec, Isa, Report};
use peers::Peers;
use ranks::Ranks;
use turns::Settings;

/// The material of hyperelasticity: μ and λ.
const MATERIAL: [f64; 2] = [1.3, 0.7];

/// Whether one filter at least, and all those that begin with an underscore, are in the name.
fn wants(settings: &Settings, name: &str) -> bool {
    let (parts, names): (Vec<&String>, Vec<&String>) =
        settings.filters.iter().partition(|f| f.starts_with('_'));
    parts.iter().all(|part| name.contains(part.as_str()))
        && (names.is_empty() || names.iter().any(|f| name.contains(f.as_str())))
}

/// Adds the matrices of some cells to as many matrices.
type Competitor<'a, const DOFS: usize> = dyn Fn(Range<usize>, &mut [[[f64; DOFS]; DOFS]]) + 'a;

/// Numbers between 1/2 and 3/2 that look random, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        0.5 + (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Degrees of freedom of a coefficient on a cell: of a scalar, or of a vector.
trait Dofs: Copy {
    fn fill(numbers: &mut Numbers) -> Self;
    fn append(&self, to: &mut Vec<f64>);
}

impl<const NODES: usize> Dofs for [f64; NODES] {
    fn fill(numbers: &mut Numbers) -> Self {
        [0.0; NODES].map(|_| numbers.next())
    }

    fn append(&self, to: &mut Vec<f64>) {
        to.extend(self);
    }
}

impl<const NODES: usize> Dofs for [[f64; 3]; NODES] {
    fn fill(numbers: &mut Numbers) -> Self {
        [[0.0; 3]; NODES].map(|node| node.map(|_| numbers.next()))
    }

    fn append(&self, to: &mut Vec<f64>) {
        to.extend(self.as_flattened());
    }
}

fn coefficient<W: Dofs>(cells: usize, seed: u64) -> Vec<W> {
    let mut numbers = Numbers(seed);
    (0..cells).map(|_| W::fill(&mut numbers)).collect()
}

/// What FFCx takes: the coefficients of each cell, one after the other.
fn pack(cells: usize, append: impl Fn(usize, &mut Vec<f64>)) -> Vec<f64> {
    let mut packed = Vec::new();
    (0..cells).for_each(|e| append(e, &mut packed));
    packed
}

/// Nanoseconds a cell, by competitor.
struct Times {
    level2: f64,
    level3: f64,
    ffcx: Option<f64>,
}

/// Compares the competitors, then times them in turns, with the processor's limits. The first is
/// level 3.
fn measure<const DOFS: usize>(
    settings: &Settings,
    competitors: &[&Competitor<DOFS>],
    tolerances: &[f64],
) -> (Vec<f64>, Limits) {
    let batch = turns::batch::<DOFS>();
    // Where a line of the cache begins: a vector that ends in another line takes longer.
    let mut a = AlignedVec::filled([[0.0; DOFS]; DOFS], batch);
    let cells = settings.cells.len();
    let pass = |kernel: &Competitor<DOFS>, a: &mut [[[f64; DOFS]; DOFS]], cells: usize| {
        for start in (0..cells).step_by(batch) {
            let range = start..(start + batch).min(cells);
            let count = range.len();
            kernel(black_box(range), black_box(&mut a[..count]));
        }
    };
    let mut first: Vec<f64> = Vec::new();
    for (kernel, tolerance) in competitors.iter().zip(tolerances) {
        a.as_flattened_mut().as_flattened_mut().fill(0.0);
        pass(kernel, &mut a, cells.min(2 * Isa::best().lanes_f64() + 1));
        let sum = a.as_flattened().as_flattened();
        if first.is_empty() {
            first = sum.to_vec();
        }
        turns::assert_close(sum, &first, *tolerance);
    }
    limits::medians(settings, competitors.len(), |k| {
        pass(competitors[k], &mut a, cells)
    })
}

/// One line of the table.
struct Row {
    form: &'static str,
    degree: usize,
    coefficients: usize,
    times: Times,
    /// Of an element matrix.
    bytes: usize,
    limits: Limits,
}

/// How often loopwright was faster, and by how much.
#[derive(Default)]
struct Score {
    rows: Vec<Row>,
    /// Ratios: operations to the fewest, time to FFCx's, to the best peer's.
    operations: Vec<f64>,
    ffcx: Vec<f64>,
    best: Vec<f64>,
    level2: Vec<f64>,
    /// What is reached of the processor's limit, for degree 3 and more.
    limit: Vec<f64>,
    /// What the cost model predicts of both levels.
    ranks: Ranks,
}

impl Score {
    fn add(&mut self, row: Row, [level2, level3]: [&Report; 2], peers: &Peers) {
        let Row {
            form,
            degree,
            coefficients,
            ref times,
            bytes,
            limits,
        } = row;
        let peer = peers.of(form, degree, coefficients);
        let operations = level3.expansion.operations();
        let fewest = operations as f64 / peer.fewest_operations as f64;
        let optional = |value: Option<f64>, digits: usize| {
            value.map_or("-".to_owned(), |value| format!("{value:.digits$}"))
        };
        let limit = limits.least(operations, bytes) / times.level3;
        let ratio = |time: Option<f64>| Some(time? / times.ffcx?);
        let best = ratio(Some(times.level3)).map(|r| r / peer.best_over_ffcx);
        println!(
            "{:22} {:>9} {:>10} {:>7.3} {:>10} {:>10.0} {:>10} {:>7} {:>7} {:>7} {:>6.1} {:>6.2}",
            format!("{form}_q{degree}_nf{coefficients}"),
            level2.expansion.operations(),
            operations,
            fewest,
            format!("{:.0}", times.level2),
            times.level3,
            optional(times.ffcx, 0),
            optional(ratio(Some(times.level2)), 3),
            optional(ratio(Some(times.level3)), 3),
            optional(best, 3),
            operations as f64 / times.level3,
            limit,
        );
        if degree >= 3 {
            self.limit.push(limit);
        }
        let isa = Isa::best().to_string();
        let predicted = |report: &Report| ranks::predicted(report, &isa);
        let name = format!("{form}_q{degree}_nf{coefficients}");
        let codes = [
            ("2", predicted(level2), times.level2),
            ("3", predicted(level3), times.level3),
        ];
        self.ranks.kernel(&name, &codes);
        self.operations.push(fewest);
        self.ffcx.extend(ratio(Some(times.level3)));
        self.level2.extend(ratio(Some(times.level2)));
        self.best.extend(best);
        self.rows.push(row);
    }

    fn print(&self) {
        let mean = |ratios: &[f64]| {
            let sum: f64 = ratios.iter().map(|r| r.ln()).sum();
            (sum / ratios.len() as f64).exp()
        };
        let line = |what: &str, ratios: &[f64]| {
            if ratios.is_empty() {
                return;
            }
            let less = ratios.iter().filter(|r| **r < 1.0).count();
            let (all, mean) = (ratios.len(), mean(ratios));
            println!("{what}: less on {less} of {all}, geometric mean {mean:.3}");
        };
        line("operations of level 3 / fewest of others", &self.operations);
        line("time of level 2 / FFCx's", &self.level2);
        line("time of level 3 / FFCx's", &self.ffcx);
        line("time of level 3 / best peer's", &self.best);
        let median = |rate: fn(&Limits) -> f64| {
            let mut rates: Vec<f64> = self.rows.iter().map(|row| rate(&row.limits)).collect();
            rates.sort_by(f64::total_cmp);
            rates.get(rates.len() / 2).copied().unwrap_or(0.0)
        };
        println!(
            "the processor: {:.1} operations and {:.1} bytes written a nanosecond",
            median(|limits| limits.operations),
            median(|limits| limits.bytes)
        );
        self.ranks.print(true);
        if !self.limit.is_empty() {
            let half = self.limit.iter().filter(|part| **part >= 0.5).count();
            let (all, mean) = (self.limit.len(), mean(&self.limit));
            println!(
                "part of the processor's limit, degree 3 and 4: half on {half} of {all}, geometric \
                 mean {mean:.3}"
            );
        }
    }
}

/// What is measured, and what came of it.
struct Bench {
    settings: Settings,
    ffcx: Option<Ffcx>,
    peers: Peers,
    score: Score,
}

macro_rules! case {
    ($bench:ident, $form:ident, $kernel:ident $degree:literal $number:literal, dofs: $dofs:literal,
     coefficient: $dof:ty, material: ($($u:ident $mu:ident $lambda:ident)?),
     [$($w:ident $seed:literal),*]) => {
        let name = concat!(stringify!($form), "_", stringify!($kernel));
        if wants(&$bench.settings, name) {
            let all = &$bench.settings.cells;
            $(let $u: Vec<$dof> = coefficient(all.len(), 99); let [$mu, $lambda] = MATERIAL;)?
            $(let $w: Vec<$dof> = coefficient(all.len(), $seed);)*
            let packed = pack(all.len(), |e, to| {
                $($u[e].append(to);)?
                $($w[e].append(to);)*
                let _ = (e, to);
            });
            let stride = packed.len() / all.len();
            let level3 = |r: Range<usize>, a: &mut [[[f64; $dofs]; $dofs]]| {
                suite::$form::level3::$kernel::assemble(
                    &all[r.clone()], $(&$u[r.clone()], $lambda, $mu,)? $(&$w[r.clone()],)* a,
                );
            };
            let mut competitors: Vec<&Competitor<$dofs>> = vec![&level3];
            let mut tolerances = vec![0.0];
            let level2 = |r: Range<usize>, a: &mut [[[f64; $dofs]; $dofs]]| {
                suite::$form::level2::$kernel::assemble(
                    &all[r.clone()], $(&$u[r.clone()], $lambda, $mu,)? $(&$w[r.clone()],)* a,
                );
            };
            let report2 = &suite::$form::level2::$kernel::assemble::REPORT;
            competitors.push(&level2);
            tolerances.push(1e-12);
            let peer = $bench.ffcx
                .as_ref()
                .and_then(|f| f.kernel(stringify!($form), $degree, $number));
            let packed = &packed;
            let ffcx = peer.map(|kernel| move |r: Range<usize>, a: &mut [[[f64; $dofs]; $dofs]]| {
                for (e, a) in r.zip(a) {
                    let (x, a) = (all[e].as_flattened(), a.as_flattened_mut());
                    let (w, c) = (packed[e * stride..].as_ptr(), MATERIAL.as_ptr());
                    // SAFETY: the kernel reads twelve coordinates, `stride` coefficients and two
                    // constants at most, and writes DOFS² entries.
                    unsafe { kernel(a.as_mut_ptr(), w, c, x.as_ptr()) };
                }
            });
            if let Some(ffcx) = &ffcx {
                competitors.push(ffcx);
                // FFCx snaps table entries.
                tolerances.push(1e-6);
            }
            let (medians, limits) = measure(&$bench.settings, &competitors, &tolerances);
            let times = Times {
                level3: medians[0],
                level2: medians[1],
                ffcx: ffcx.is_some().then(|| medians[medians.len() - 1]),
            };
            let row = Row {
                form: stringify!($form), degree: $degree, coefficients: $number, times,
                bytes: size_of::<[[f64; $dofs]; $dofs]>(), limits,
            };
            let reports = [report2, &suite::$form::level3::$kernel::assemble::REPORT];
            $bench.score.add(row, reports, &$bench.peers);
        }
    };
}
macro_rules! degree {
    ($bench:ident, $form:ident, $degree:literal, dofs: $dofs:literal, coefficient: $dof:ty,
     material: $material:tt, $($kernel:ident $number:literal $ws:tt)*) => {$(
        case!($bench, $form, $kernel $degree $number, dofs: $dofs, coefficient: $dof,
              material: $material, $ws);
    )*};
}

fn mass(bench: &mut Bench) {
    degree!(bench, mass, 1, dofs: 4, coefficient: [f64; 4], material: (),
        q1_nf0 0 [] q1_nf1 1 [w0 1] q1_nf2 2 [w0 1, w1 2] q1_nf3 3 [w0 1, w1 2, w2 3]);
    degree!(bench, mass, 2, dofs: 10, coefficient: [f64; 10], material: (),
        q2_nf0 0 [] q2_nf1 1 [w0 1] q2_nf2 2 [w0 1, w1 2] q2_nf3 3 [w0 1, w1 2, w2 3]);
    degree!(bench, mass, 3, dofs: 20, coefficient: [f64; 20], material: (),
        q3_nf0 0 [] q3_nf1 1 [w0 1] q3_nf2 2 [w0 1, w1 2] q3_nf3 3 [w0 1, w1 2, w2 3]);
    degree!(bench, mass, 4, dofs: 35, coefficient: [f64; 35], material: (),
        q4_nf0 0 [] q4_nf1 1 [w0 1] q4_nf2 2 [w0 1, w1 2] q4_nf3 3 [w0 1, w1 2, w2 3]);
}

fn helmholtz(bench: &mut Bench) {
    degree!(bench, helmholtz, 1, dofs: 4, coefficient: [f64; 4], material: (),
        q1_nf0 0 [] q1_nf1 1 [w0 1] q1_nf2 2 [w0 1, w1 2] q1_nf3 3 [w0 1, w1 2, w2 3]);
    degree!(bench, helmholtz, 2, dofs: 10, coefficient: [f64; 10], material: (),
        q2_nf0 0 [] q2_nf1 1 [w0 1] q2_nf2 2 [w0 1, w1 2] q2_nf3 3 [w0 1, w1 2, w2 3]);
    degree!(bench, helmholtz, 3, dofs: 20, coefficient: [f64; 20], material: (),
        q3_nf0 0 [] q3_nf1 1 [w0 1] q3_nf2 2 [w0 1, w1 2] q3_nf3 3 [w0 1, w1 2, w2 3]);
    degree!(bench, helmholtz, 4, dofs: 35, coefficient: [f64; 35], material: (),
        q4_nf0 0 [] q4_nf1 1 [w0 1] q4_nf2 2 [w0 1, w1 2] q4_nf3 3 [w0 1, w1 2, w2 3]);
}

fn elasticity(bench: &mut Bench) {
    degree!(bench, elasticity, 1, dofs: 12, coefficient: [f64; 4], material: (),
        q1_nf0 0 [] q1_nf1 1 [w0 1] q1_nf2 2 [w0 1, w1 2] q1_nf3 3 [w0 1, w1 2, w2 3]);
    degree!(bench, elasticity, 2, dofs: 30, coefficient: [f64; 10], material: (),
        q2_nf0 0 [] q2_nf1 1 [w0 1] q2_nf2 2 [w0 1, w1 2] q2_nf3 3 [w0 1, w1 2, w2 3]);
    degree!(bench, elasticity, 3, dofs: 60, coefficient: [f64; 20], material: (),
        q3_nf0 0 [] q3_nf1 1 [w0 1] q3_nf2 2 [w0 1, w1 2] q3_nf3 3 [w0 1, w1 2, w2 3]);
    degree!(bench, elasticity, 4, dofs: 105, coefficient: [f64; 35], material: (),
        q4_nf0 0 [] q4_nf1 1 [w0 1] q4_nf2 2 [w0 1, w1 2]);
}

fn hyperelasticity(bench: &mut Bench) {
    degree!(bench, hyperelasticity, 1, dofs: 12, coefficient: [[f64; 3]; 4], material: (u mu lambda),
        q1_nf0 0 [] q1_nf1 1 [w0 1] q1_nf2 2 [w0 1, w1 2] q1_nf3 3 [w0 1, w1 2, w2 3]);
    degree!(bench, hyperelasticity, 2, dofs: 30, coefficient: [[f64; 3]; 10], material: (u mu lambda),
        q2_nf0 0 [] q2_nf1 1 [w0 1] q2_nf2 2 [w0 1, w1 2] q2_nf3 3 [w0 1, w1 2, w2 3]);
    degree!(bench, hyperelasticity, 3, dofs: 60, coefficient: [[f64; 3]; 20], material: (u mu lambda),
        q3_nf0 0 [] q3_nf1 1 [w0 1] q3_nf2 2 [w0 1, w1 2] q3_nf3 3 [w0 1, w1 2, w2 3]);
    degree!(bench, hyperelasticity, 4, dofs: 105, coefficient: [[f64; 3]; 35], material: (u mu lambda),
        q4_nf0 0 [] q4_nf1 1 [w0 1]);
}

fn main() {
    // Once a large block has been given back, the allocator serves the next ones from one heap. Pages
    // here and there cost some kernels up to a third of their time.
    drop(black_box(vec![1_u8; 8 << 20]));
    let mut bench = Bench {
        settings: Settings::from_arguments(5, 3, Duration::from_secs(1)),
        ffcx: Ffcx::load(),
        peers: Peers::read(),
        score: Score::default(),
    };
    let cells = bench.settings.cells.len();
    println!(
        "{cells} tetrahedra, {}; times are nanoseconds a cell",
        Isa::best()
    );
    println!(
        "{:22} {:>9} {:>10} {:>7} {:>10} {:>10} {:>10} {:>7} {:>7} {:>7} {:>6} {:>6}",
        "", "ops", "ops", "/ few-", "time", "time", "time", "2 /", "3 /", "3 /", "", "of"
    );
    println!(
        "{:22} {:>9} {:>10} {:>7} {:>10} {:>10} {:>10} {:>7} {:>7} {:>7} {:>6} {:>6}",
        "form",
        "level 2",
        "level 3",
        "est",
        "level 2",
        "level 3",
        "FFCx",
        "FFCx",
        "FFCx",
        "best",
        "GF/s",
        "limit"
    );
    mass(&mut bench);
    helmholtz(&mut bench);
    elasticity(&mut bench);
    hyperelasticity(&mut bench);
    bench.score.print();
    chart::draw(&bench.score.rows, &bench.peers);
}
