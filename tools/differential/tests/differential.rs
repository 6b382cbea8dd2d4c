//! Random kernels against their references, and the kernels that failed once.

use std::path::Path;
use std::sync::Mutex;

use loopwright_differential::batch::{self, Statistics};
use loopwright_differential::case::Case;
use loopwright_differential::generator;
use loopwright_differential::jobs;
use loopwright_differential::support::random::Random;
use loopwright_differential::toolchain::Toolchain;

/// Kernels of the random test.
const KERNELS: u64 = 300;

/// Kernels of a batch: the last one should not keep other processors waiting for long.
const BATCH: usize = 25;

fn run(name: &str, cases: &[Case]) -> Statistics {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let toolchain = Toolchain::new(&folder).unwrap_or_else(|e| panic!("{e}"));
    let all = Mutex::new(Statistics::default());
    let batches = Mutex::new(cases.chunks(BATCH));
    let next = || batches.lock().expect("no job panics").next();
    let work = |name: &str, cases: &[Case]| {
        let statistics = batch::run(&toolchain, name, cases)?;
        all.lock().expect("no job panics").add(statistics);
        Ok(())
    };
    jobs::run(jobs::at_once(), &next, &work).unwrap_or_else(|e| panic!("{e}"));
    let statistics = all.into_inner().expect("no job panics");
    for failure in &statistics.failures {
        println!("{}\n{}", failure.what, failure.case.text);
    }
    assert_eq!(statistics.failures.len(), 0);
    statistics
}

#[test]
fn random_kernels() {
    let seeds = (0..KERNELS).map(|k| Random::kernel_seed(1, k));
    let cases: Vec<Case> = seeds.map(generator::kernel).collect();
    let statistics = run("random", &cases);
    // The generator keeps to the language, but for some of its limits.
    let rejected = statistics.kernels() - statistics.accepted;
    assert!(rejected * 10 < cases.len(), "{:#?}", statistics.rejected);
}

#[test]
fn regressions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    files.sort();
    let cases: Vec<Case> = files
        .iter()
        .map(|file| {
            let text = std::fs::read_to_string(file).expect("it can be read");
            Case::parse(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
        })
        .collect();
    let statistics = run("regressions", &cases);
    assert_eq!(statistics.rejected.len(), 0, "{:#?}", statistics.rejected);
}
