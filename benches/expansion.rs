//! What loopwright costs its users' builds.
//!
//! ```text
//! cargo bench --bench expansion
//! cargo bench --bench expansion -- --quick         # without the fresh builds
//! ```
//!
//! The expansion of Helmholtz P2 (the kernel of the README) is timed in this process, where the
//! compiler is built with optimisation, and in another one built without any, as cargo builds
//! procedural macros unless told otherwise. Then each kernel of the bench `forms` is expanded in
//! this process, at levels 2 and 3. Only the compiler's own work counts, tokens to
//! tokens. A fresh build is `cargo build` of the facade on two cores in an empty target directory,
//! without downloads, with this workspace's profiles: they optimise the compiler, which takes longer
//! than what cargo does by default.

/// The text of a kernel of the suite.
macro_rules! form {
    ($($kernel:tt)*) => { pub const TEXT: &str = stringify!($($kernel)*); };
}
use form;

#[macro_use]
#[path = "suite/instances.rs"]
mod instances;

#[path = "suite/mod.rs"]
mod suite;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use proc_macro2::TokenStream;

/// The kernel of the README.
const HELMHOLTZ_P2: &str = suite::helmholtz::level3::q2_nf0::TEXT;

/// Set in the process that is built with the profile `dev`.
const CHILD: &str = "LOOPWRIGHT_EXPANSION_CHILD";

/// Milliseconds of one expansion.
fn expand(input: TokenStream) -> f64 {
    let start = Instant::now();
    let output = loopwright_compiler::expand(input);
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let rejected = output.to_string().contains("compile_error !");
    assert!(!rejected, "the kernel is rejected: {output}");
    milliseconds
}

/// What the macro of the facade hands to the compiler.
fn tokens(kernel: &str) -> TokenStream {
    let text = format!("::loopwright ; {kernel}");
    text.parse().expect("tokens")
}

/// The first expansion in this process, and the median of the following ones, in milliseconds.
fn expansion() -> (f64, f64) {
    let input = tokens(HELMHOLTZ_P2);
    let mut times = Vec::new();
    let start = Instant::now();
    while times.len() < 12 && (times.len() < 4 || start.elapsed() < Duration::from_secs(5)) {
        times.push(expand(input.clone()));
    }
    let first = times.remove(0);
    times.sort_by(f64::total_cmp);
    (first, times[times.len() / 2])
}

/// The kernels of the suite: their names, and their texts at levels 2 and 3.
fn suite() -> Vec<(String, [&'static str; 2])> {
    let mut kernels = Vec::new();
    // `$` stands for itself in the macro that is defined for each form.
    macro_rules! add {
        ($dollar:tt $form:ident, $instances:ident) => {
            macro_rules! instance {
                ($kernel:ident, $dollar($dollar rest:tt)*) => {
                    kernels.push((
                        format!("{} {}", stringify!($form), stringify!($kernel)),
                        [
                            suite::$form::level2::$kernel::TEXT,
                            suite::$form::level3::$kernel::TEXT,
                        ],
                    ));
                };
            }
            $instances!(instance, 0);
        };
    }
    add!($ mass, scalar_instances);
    add!($ helmholtz, scalar_instances);
    add!($ elasticity, vector_instances);
    add!($ hyperelasticity, hyperelastic_instances);
    kernels
}

/// Expands each kernel of the suite three times and prints the medians; the largest, by level.
fn expand_suite() -> [f64; 2] {
    println!(
        "\n{:24} {:>12} {:>12}",
        "expansion, ms", "level 2", "level 3"
    );
    let mut worst = [0.0_f64; 2];
    for (name, texts) in suite() {
        let medians = texts.map(|text| {
            let input = tokens(text);
            let mut times = [(); 3].map(|()| expand(input.clone()));
            times.sort_by(f64::total_cmp);
            times[1]
        });
        println!("{name:24} {:>12.0} {:>12.0}", medians[0], medians[1]);
        worst = [0, 1].map(|level: usize| worst[level].max(medians[level]));
    }
    println!();
    worst
}

/// A cargo command for this package.
fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// What `expansion` finds in a build with the profile `dev`.
fn debug_expansion() -> (f64, f64) {
    let plain = "profile.dev.package.loopwright-compiler.opt-level=0";
    let output = cargo(&[
        "bench",
        "--bench",
        "expansion",
        "--profile",
        "dev",
        "--config",
        plain,
    ])
    .env(CHILD, "1")
    .output()
    .expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers = text
        .lines()
        .find_map(|line| line.strip_prefix(CHILD)?.trim().split_once(' '))
        .and_then(|(first, median)| Some((first.parse().ok()?, median.parse().ok()?)));
    numbers.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)))
}

/// Seconds of a build from nothing, on two cores.
fn fresh_build(profile: &str) -> f64 {
    let name = format!("loopwright-fresh-{}", std::process::id());
    let target = std::env::temp_dir().join(name);
    let _remove = Directory(&target);
    let start = Instant::now();
    let output = cargo(&["build", "--offline", "--jobs", "2", "--profile", profile])
        .env("CARGO_TARGET_DIR", &target)
        .output()
        .expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    start.elapsed().as_secs_f64()
}

/// A directory that goes with the value.
struct Directory<'a>(&'a Path);

impl Drop for Directory<'_> {
    fn drop(&mut self) {
        // It may not exist, and a left-over in the temporary directory does no harm.
        let _ = std::fs::remove_dir_all(self.0);
    }
}

/// Prints a measurement beside its budget.
fn print(what: &str, found: f64, unit: &str, budget: f64, more: &str) {
    let verdict = if found < budget { "ok" } else { "OVER" };
    println!("{what:32} {found:>8.1} {unit:2}  (budget {budget} {unit}: {verdict}){more}");
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let (first, median) = expansion();
    if std::env::var_os(CHILD).is_some() {
        println!("{CHILD} {first} {median}");
        return;
    }
    let more = format!(", the first {first:.1} ms");
    print("Helmholtz P2, optimised macro", median, "ms", 50.0, &more);
    if !has("--bench") {
        return; // `cargo test --benches`: only see that it runs.
    }
    let (first, median) = debug_expansion();
    let more = format!(", the first {first:.1} ms");
    print(
        "Helmholtz P2, debug-built macro",
        median,
        "ms",
        300.0,
        &more,
    );
    for (level, worst) in [2, 3].into_iter().zip(expand_suite()) {
        let what = format!("slowest form, level {level}");
        print(&what, worst, "ms", 2000.0, "");
    }
    if has("--quick") {
        return;
    }
    for profile in ["dev", "release"] {
        let what = format!("fresh build, profile {profile}");
        print(&what, fresh_build(profile), "s", 40.0, "");
    }
}
