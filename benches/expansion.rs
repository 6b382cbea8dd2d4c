//! What loopwright costs its users' builds.
//!
//! ```text
//! cargo bench --bench expansion
//! cargo bench --bench expansion -- --quick         # without the fresh builds
//! cargo bench --bench expansion -- --compile       # also what rustc takes, all kernels at level 3
//! cargo bench --bench expansion -- --short         # texts below 1 KB that ask for much
//! cargo bench --bench expansion -- --compile --quick mass_q1   # the largest ones; those of a name
//! ```
//!
//! The expansion of Helmholtz P2 (the kernel of the README) is timed in this process, where the
//! compiler is built with optimisation, and in another one built without any, as cargo builds
//! procedural macros unless told otherwise. Then each kernel of the benches `forms` and `actions` is
//! expanded in this process, at levels 2 and 3. Only the compiler's own work counts, tokens to
//! tokens. The bench's profile has the compiler at `opt-level = 1`; with
//! `--config 'profile.bench.package.loopwright-compiler.opt-level=3'` before `--` it is what the README
//! tells users to take.
//!
//! `--compile` writes each expansion to a file in `target/expansion` and compiles it with
//! `rustc -C opt-level=3`, one at a time, and prints expansion and compilation, the slowest first, and
//! how many are over their budgets. Seconds depend on the machine, and on what else it does.
//!
//! `--short` expands the texts of `compiler/tests/budget`, and random ones, and prints the slowest and the
//! most memory that the process had.
//!
//! A fresh build is `cargo build` of the facade on two cores in an empty target directory,
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

#[path = "suite/actions.rs"]
mod actions;
#[path = "support/rustc.rs"]
mod rustc;
#[path = "../compiler/tests/budget/texts.rs"]
mod short;
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

/// Milliseconds of one expansion, and what it is.
fn expand(input: TokenStream) -> (f64, TokenStream) {
    let start = Instant::now();
    let output = loopwright_compiler::expand(input);
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let rejected = output.to_string().contains("compile_error !");
    assert!(!rejected, "the kernel is rejected: {output}");
    (milliseconds, output)
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
        times.push(expand(input.clone()).0);
    }
    let first = times.remove(0);
    times.sort_by(f64::total_cmp);
    (first, times[times.len() / 2])
}

/// A kernel of the suite.
struct Kernel {
    form: &'static str,
    instance: &'static str,
    /// The form's action.
    action: bool,
    /// The texts at levels 2 and 3; of an action at level 3.
    texts: Vec<&'static str>,
}

impl Kernel {
    fn name(&self) -> String {
        let what = if self.action { "_action" } else { "" };
        format!("{}{what}_{}", self.form, self.instance)
    }

    /// Seconds that the expansion may take.
    fn budget(&self) -> f64 {
        match (self.form, &self.instance[..2]) {
            ("hyperelasticity", "q4") => 10.0,
            _ => 2.0,
        }
    }
}

/// The kernels of the suite, by form, the largest of a form last.
fn suite() -> Vec<Kernel> {
    let mut kernels = Vec::new();
    // `$` stands for itself in the macro that is defined for each form.
    macro_rules! add {
        ($dollar:tt $form:ident, $instances:ident, $action:literal, $($module:ident)::+: $($level:ident)*) => {
            macro_rules! instance {
                ($kernel:ident, $dollar($dollar rest:tt)*) => {
                    kernels.push(Kernel {
                        form: stringify!($form),
                        instance: stringify!($kernel),
                        action: $action,
                        texts: add!(@texts $kernel, $($module)::+: $($level)*),
                    });
                };
            }
            $instances!(instance, 0);
        };
        (@texts $kernel:ident, $($module:ident)::+:) => { vec![$($module)::+::$kernel::TEXT] };
        (@texts $kernel:ident, $($module:ident)::+: $first:ident $second:ident) => {
            vec![
                $($module)::+::$first::$kernel::TEXT,
                $($module)::+::$second::$kernel::TEXT,
            ]
        };
    }
    add!($ mass, scalar_instances, false, suite::mass: level2 level3);
    add!($ helmholtz, scalar_instances, false, suite::helmholtz: level2 level3);
    add!($ elasticity, vector_instances, false, suite::elasticity: level2 level3);
    add!($ hyperelasticity, hyperelastic_instances, false, suite::hyperelasticity: level2 level3);
    add!($ mass, scalar_instances, true, actions::mass:);
    add!($ helmholtz, scalar_instances, true, actions::helmholtz:);
    add!($ elasticity, all_vector_instances, true, actions::elasticity:);
    add!($ hyperelasticity, all_hyperelastic_instances, true, actions::hyperelasticity:);
    kernels
}

/// Expands each kernel of the suite three times and prints the medians; of the kernels of each budget,
/// the largest by level.
fn expand_suite() -> Vec<(f64, [f64; 2])> {
    println!(
        "\n{:30} {:>12} {:>12}",
        "expansion, ms", "level 2", "level 3"
    );
    let mut worst: Vec<(f64, [f64; 2])> = Vec::new();
    for kernel in suite() {
        let medians: Vec<f64> = kernel.texts.iter().map(|text| median(text)).collect();
        let (level2, level3) = match medians[..] {
            [level2, level3] => (format!("{level2:.0}"), level3),
            _ => ("-".to_owned(), medians[0]),
        };
        println!("{:30} {level2:>12} {level3:>12.0}", kernel.name());
        let budget = kernel.budget();
        let at = worst.iter().position(|(other, _)| *other == budget);
        let at = at.unwrap_or_else(|| {
            worst.push((budget, [0.0; 2]));
            worst.len() - 1
        });
        // The last one is level 3.
        for (worst, median) in worst[at].1.iter_mut().rev().zip(medians.iter().rev()) {
            *worst = worst.max(*median);
        }
    }
    println!();
    worst
}

/// The median of three expansions, in milliseconds.
fn median(text: &str) -> f64 {
    let input = tokens(text);
    let mut times = [(); 3].map(|()| expand(input.clone()).0);
    times.sort_by(f64::total_cmp);
    times[1]
}

/// Whether a kernel is the largest one of its form.
fn is_largest(kernels: &[Kernel], at: usize) -> bool {
    let key = |kernel: &Kernel| (kernel.form, kernel.action);
    kernels
        .get(at + 1)
        .is_none_or(|next| key(next) != key(&kernels[at]))
}

/// Expands each kernel at level 3, or the largest of each form, and compiles what it expands to.
fn compile_suite(largest: bool, filters: &[&String]) {
    const BUDGET: f64 = 20.0;
    let folder = root().join("target/expansion");
    let rustc = rustc::Rustc::new(&folder);
    let kernels = suite();
    let mut rows = Vec::new();
    for (at, kernel) in kernels.iter().enumerate() {
        let name = kernel.name();
        let named = filters.is_empty() || filters.iter().any(|f| name.contains(f.as_str()));
        if !named || largest && !is_largest(&kernels, at) {
            continue;
        }
        let text = kernel.texts[kernel.texts.len() - 1];
        let (milliseconds, code) = expand(tokens(text));
        // A statement a line: `rustc` looks for places in a line from its beginning.
        let code = loopwright_compiler::report::code(code);
        let seconds = rustc
            .compile(&name, &code)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        eprintln!("{name}: {:.2} s, then {seconds:.1} s", milliseconds / 1e3);
        rows.push((seconds, milliseconds / 1e3, code.len(), kernel));
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!(
        "{:30} {:>10} {:>10} {:>8}",
        "seconds, level 3", "compiling", "expansion", "kB"
    );
    for (compiling, expansion, bytes, kernel) in &rows {
        let (name, kilobytes) = (kernel.name(), bytes / 1000);
        println!("{name:30} {compiling:>10.1} {expansion:>10.2} {kilobytes:>8}");
    }
    let all = rows.len();
    let slow = rows.iter().filter(|row| row.0 > BUDGET).count();
    println!("compiled in more than {BUDGET} s: {slow} of {all}");
    let slow = rows.iter().filter(|row| row.1 > row.3.budget()).count();
    println!("expanded in more than 2 s (hyperelasticity of degree 4: 10 s): {slow} of {all}");
}

/// Expands short texts that ask for much, and prints the slowest.
fn expand_short() {
    let mut texts = short::hostile(1024);
    texts.extend(short::drawn(1000, 200));
    texts.retain(|text| text.text.len() <= 1024);
    let mut rows: Vec<(f64, &str)> = Vec::new();
    for text in &texts {
        let input = tokens(&text.text);
        let start = Instant::now();
        drop(loopwright_compiler::expand(input));
        rows.push((start.elapsed().as_secs_f64() * 1e3, &text.name));
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (milliseconds, name) in rows.iter().take(20) {
        println!("{name:50} {milliseconds:>8.0} ms");
    }
    let slowest = rows.first().map_or(0.0, |row| row.0);
    print("slowest text below 1 KB", slowest, "ms", 2000.0, "");
    // Linux alone says it.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    if let Some(kilobytes) = peak {
        print("most memory", kilobytes / 1024.0, "MB", 500.0, "");
    }
}

/// The folder of the workspace.
fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().nth(2).unwrap_or(package)
}

/// A cargo command for the package of kernels.
fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
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
    if has("--compile") {
        let filters: Vec<&String> = arguments.iter().filter(|a| !a.starts_with("--")).collect();
        compile_suite(has("--quick"), &filters);
        return;
    }
    if has("--short") {
        expand_short();
        return;
    }
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
    for (budget, worst) in expand_suite() {
        for (level, worst) in [2, 3].into_iter().zip(worst) {
            let what = format!("slowest kernel, level {level}");
            print(&what, worst, "ms", 1000.0 * budget, "");
        }
    }
    if has("--quick") {
        return;
    }
    for profile in ["dev", "release"] {
        let what = format!("fresh build, profile {profile}");
        print(&what, fresh_build(profile), "s", 40.0, "");
    }
}
