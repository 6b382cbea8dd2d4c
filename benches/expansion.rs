//! What loopwright costs its users' builds.
//!
//! ```text
//! cargo bench --bench expansion
//! cargo bench --bench expansion -- --quick         # without the fresh builds
//! ```
//!
//! The expansion of Helmholtz P2 (the kernel of the README) is timed in this process, where the
//! compiler is built with optimisation, and in another one built without any, as cargo builds
//! procedural macros unless told otherwise. Only the compiler's own work counts, tokens to
//! tokens. A fresh build is `cargo build` of the facade on two cores in an empty target directory,
//! without downloads, with this workspace's profiles: they optimise the compiler, which takes longer
//! than what cargo does by default.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use proc_macro2::TokenStream;

/// The block's text.
const HELMHOLTZ_P2: &str = stringify! {
    pub fn helmholtz(cells: &[[[f64; 3]; 4]], a: &mut [[[f64; 10]; 10]]) {
        static W: [f64; 14] = tabulate!(tetrahedron, quadrature(4), weights);
        static PHI: [[f64; 10]; 14] = tabulate!(tetrahedron, quadrature(4), lagrange(2));
        static DPHI: [[[f64; 10]; 14]; 3] =
            tabulate!(tetrahedron, quadrature(4), lagrange(2), gradient);
        for e in 0..cells.len() {
            let (k, det) = inverse(jacobian(&cells[e]));
            for q in 0..14 {
                for i in 0..10 {
                    for j in 0..10 {
                        let mut stiffness = 0.0;
                        for d in 0..3 {
                            let mut du = 0.0;
                            let mut dv = 0.0;
                            for r in 0..3 {
                                du += k[r][d] * DPHI[r][q][j];
                                dv += k[r][d] * DPHI[r][q][i];
                            }
                            stiffness += du * dv;
                        }
                        a[e][i][j] += W[q] * det.abs() * (stiffness + PHI[q][i] * PHI[q][j]);
                    }
                }
            }
        }
    }

    fn jacobian(x: &[[f64; 3]; 4]) -> [[f64; 3]; 3] {
        let mut j = [[0.0; 3]; 3];
        for i in 0..3 {
            for r in 0..3 {
                j[i][r] = x[r + 1][i] - x[0][i];
            }
        }
        j
    }

    fn inverse(j: [[f64; 3]; 3]) -> ([[f64; 3]; 3], f64) {
        let mut k = [
            [
                j[1][1] * j[2][2] - j[1][2] * j[2][1],
                j[0][2] * j[2][1] - j[0][1] * j[2][2],
                j[0][1] * j[1][2] - j[0][2] * j[1][1],
            ],
            [
                j[1][2] * j[2][0] - j[1][0] * j[2][2],
                j[0][0] * j[2][2] - j[0][2] * j[2][0],
                j[0][2] * j[1][0] - j[0][0] * j[1][2],
            ],
            [
                j[1][0] * j[2][1] - j[1][1] * j[2][0],
                j[0][1] * j[2][0] - j[0][0] * j[2][1],
                j[0][0] * j[1][1] - j[0][1] * j[1][0],
            ],
        ];
        let det = j[0][0] * k[0][0] + j[0][1] * k[1][0] + j[0][2] * k[2][0];
        let scale = 1.0 / det;
        for r in 0..3 {
            for d in 0..3 {
                k[r][d] *= scale;
            }
        }
        (k, det)
    }
};

/// Set in the process that is built with the profile `dev`.
const CHILD: &str = "LOOPWRIGHT_EXPANSION_CHILD";

/// The first expansion in this process, and the median of the following ones, in milliseconds.
fn expansion() -> (f64, f64) {
    let text = format!("::loopwright ; {HELMHOLTZ_P2}");
    let input: TokenStream = text.parse().expect("tokens");
    let mut times = Vec::new();
    let start = Instant::now();
    while times.len() < 12 && (times.len() < 4 || start.elapsed() < Duration::from_secs(5)) {
        let input = input.clone();
        let start = Instant::now();
        let output = loopwright_compiler::expand(input);
        times.push(start.elapsed().as_secs_f64() * 1e3);
        let rejected = output.to_string().contains("compile_error !");
        assert!(!rejected, "the kernel is rejected: {output}");
    }
    let first = times.remove(0);
    times.sort_by(f64::total_cmp);
    (first, times[times.len() / 2])
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
    if has("--quick") {
        return;
    }
    for profile in ["dev", "release"] {
        let what = format!("fresh build, profile {profile}");
        print(&what, fresh_build(profile), "s", 40.0, "");
    }
}
