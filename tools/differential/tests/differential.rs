//! Random kernels against their references, and the kernels that failed once.

use std::path::Path;
use std::sync::Mutex;

use loopwright_differential::batch::{self, Statistics};
use loopwright_differential::case::Case;
use loopwright_differential::draw;
use loopwright_differential::expansion;
use loopwright_differential::generator;
use loopwright_differential::jobs;
use loopwright_differential::support::random::Random;
use loopwright_differential::toolchain::{Build, Toolchain};

/// Kernels of the random test. Each asks for one level and one width of vectors: another kernel shows more than another
/// level of the same one, and takes as long.
const KERNELS: u64 = 600;

/// Kernels of the test of inspectors.
const ADDRESSED: u64 = 75;

/// Kernels of a batch: the last one should not keep other processors waiting for long.
const BATCH: usize = 25;

fn run(name: &str, builds: &[Build], cases: &[Case]) -> Statistics {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let made = |build: &Build| Toolchain::of(&folder.join(format!("{build:?}")), *build);
    let toolchains: Result<Vec<Toolchain>, String> = builds.iter().map(made).collect();
    let toolchains = toolchains.unwrap_or_else(|e| panic!("{e}"));
    let all = Mutex::new(Statistics::default());
    let batches = Mutex::new(cases.chunks(BATCH));
    let next = || batches.lock().expect("no job panics").next();
    let work = |name: &str, cases: &[Case]| {
        let statistics = batch::run_all(&toolchains, name, cases)?;
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
    let cases: Vec<Case> = seeds.map(draw::kernel_at_one_level).collect();
    let statistics = run("random", &[Build::Checked], &cases);
    // The generator keeps to the language, but for some of its limits.
    let rejected = statistics.kernels() - statistics.accepted;
    assert!(rejected * 10 < cases.len(), "{:#?}", statistics.rejected);
}

#[test]
fn kernels_whose_subscripts_are_computed() {
    let seeds = (0..ADDRESSED).map(|k| Random::kernel_seed(1, k));
    let cases: Vec<Case> = seeds.map(generator::addressed::kernel).collect();
    let statistics = run("addressed", &Build::ALL, &cases);
    let rejected = statistics.kernels() - statistics.accepted;
    assert!(rejected * 10 < cases.len(), "{:#?}", statistics.rejected);
    let inside = |case: &&Case| expansion::knows_inside(&case.text);
    assert!(cases.iter().filter(inside).count() >= 5);
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
    // Those of inspectors are built as all users may have them.
    let (inspected, cases): (Vec<Case>, Vec<Case>) =
        cases.into_iter().partition(|case| case.trials.is_some());
    for (name, builds, cases) in [
        ("regressions", &[Build::Checked][..], cases),
        ("inspected", &Build::ALL, inspected),
    ] {
        let statistics = run(name, builds, &cases);
        assert_eq!(statistics.rejected.len(), 0, "{:#?}", statistics.rejected);
    }
}
