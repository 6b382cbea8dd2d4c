//! What the benchmarks of element matrices share: how much they measure, and competitors in turns.

use std::time::{Duration, Instant};

use loopwright::Isa;

use super::mesh::{self, Cell};

/// Bytes of the matrices of a batch: inside a second-level cache of 512 KiB, with the tables.
const BATCH_BYTES: usize = 384 << 10;

/// Matrices of a batch: a multiple of the register's lanes, one register at least.
pub fn batch<const DOFS: usize>() -> usize {
    let lanes = Isa::best().lanes_f64();
    (BATCH_BYTES / size_of::<[[f64; DOFS]; DOFS]>() / lanes).max(1) * lanes
}

/// How much to measure.
pub struct Settings {
    /// The mesh, or a part of it.
    pub cells: Vec<Cell>,
    /// What the names of cases are to contain.
    pub filters: Vec<String>,
    /// Rounds of a case: at least the first, then while it lasts, at most the second.
    rounds: (usize, usize),
    budget: Duration,
}

impl Settings {
    /// What the command line asks for: the whole mesh in `rounds` at least while `budget` lasts, a
    /// ninth of it, or, where only running is tested, a `few` cells.
    pub fn from_arguments(few: usize, rounds: usize, budget: Duration) -> Self {
        let (flags, filters): (Vec<_>, Vec<_>) = std::env::args()
            .skip(1)
            .partition(|argument| argument.starts_with("--"));
        let has = |flag: &str| flags.iter().any(|f| f == flag);
        let mut cells = mesh::unit_cube(9);
        let (rounds, budget) = if !has("--bench") {
            // `cargo test --benches`: only see that it runs.
            cells.truncate(few);
            ((1, 1), Duration::ZERO)
        } else if has("--quick") {
            cells.truncate(cells.len() / 9);
            ((3, 101), Duration::from_millis(300))
        } else {
            ((rounds, 301), budget)
        };
        Self {
            cells,
            filters,
            rounds,
            budget,
        }
    }

    /// Whether a case is measured.
    pub fn wants(&self, name: &str) -> bool {
        is_wanted(&self.filters, name)
    }

    /// Runs competitors 0 to `count` in turns; the median of each in nanoseconds a cell.
    pub fn medians(&self, count: usize, mut run: impl FnMut(usize)) -> Vec<f64> {
        in_turns(count, self.rounds, self.budget, |competitor| {
            let start = Instant::now();
            run(competitor);
            start.elapsed().as_secs_f64() * 1e9 / self.cells.len() as f64
        })
    }
}

/// Whether a name contains one of the filters, if there are any.
pub fn is_wanted(filters: &[String], name: &str) -> bool {
    filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str()))
}

/// Measures competitors 0 to `count` in turns: at least the first number of rounds, then while the budget
/// lasts, at most the second. The median of each.
pub fn in_turns(
    count: usize,
    (least, most): (usize, usize),
    budget: Duration,
    mut time: impl FnMut(usize) -> f64,
) -> Vec<f64> {
    let mut times = vec![Vec::new(); count];
    let start = Instant::now();
    while times[0].len() < least || (times[0].len() < most && start.elapsed() < budget) {
        for (competitor, times) in times.iter_mut().enumerate() {
            times.push(time(competitor));
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    times.into_iter().map(median).collect()
}

/// Panics unless the entries differ by less than a part of the largest one.
pub fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    let largest = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let errors = found.iter().zip(expected).map(|(x, y)| (x - y).abs());
    let error = errors.fold(0.0, f64::max) / largest;
    assert!(error <= tolerance, "the matrices differ: {error:e}");
}
