//! Many kernels at once: expanded here, compiled and run as one program.

use std::collections::BTreeMap;

use crate::case::Case;
use crate::expansion::{self, Depth, Expanded};
use crate::program;
use crate::toolchain::{self, Toolchain};

/// One of so many kernels runs as users have it, and with all vectors emulated as well.
const EVERYTHING: u64 = 32;

/// How a kernel fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The compiler panics, or finds its own expansion to be wrong.
    Expansion,
    /// `rustc` refuses the expansion.
    Compilation,
    /// The program ends in it.
    End,
    /// A variant does not do what the reference does.
    Difference,
}

/// A kernel that shows a defect.
#[derive(Clone, Debug)]
pub struct Failure {
    /// How it fails.
    pub kind: Kind,
    /// What is wrong.
    pub what: String,
    /// The kernel.
    pub case: Case,
}

/// What came of batches.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Kernels that were compiled and run.
    pub accepted: usize,
    /// Kernels that the compiler refused, by the message.
    pub rejected: BTreeMap<String, usize>,
    /// An example of each message.
    pub examples: BTreeMap<String, Case>,
    /// Kernels that show a defect.
    pub failures: Vec<Failure>,
    /// Variants that ran.
    pub variants: usize,
    /// Kernels whose code at a level is not that of the level below.
    pub levels: BTreeMap<u8, usize>,
    /// Kernels with code of their own at a level that searches for fewer operations.
    pub searched: usize,
    /// Kernels whose cost a pass changed, by the pass.
    pub passes: BTreeMap<String, usize>,
}

impl Statistics {
    /// Adds what came of another batch.
    pub fn add(&mut self, other: Statistics) {
        self.accepted += other.accepted;
        for (message, count) in other.rejected {
            *self.rejected.entry(message).or_default() += count;
        }
        for (message, case) in other.examples {
            self.examples.entry(message).or_insert(case);
        }
        self.failures.extend(other.failures);
        self.variants += other.variants;
        self.searched += other.searched;
        for (level, count) in other.levels {
            *self.levels.entry(level).or_default() += count;
        }
        for (pass, count) in other.passes {
            *self.passes.entry(pass).or_default() += count;
        }
    }

    /// How many kernels there were.
    pub fn kernels(&self) -> usize {
        self.accepted + self.rejected.values().sum::<usize>()
    }
}

/// A kernel that was accepted.
struct Accepted<'a> {
    case: &'a Case,
    text: String,
    entry: String,
}

/// Runs kernels.
///
/// # Errors
/// If the program cannot be built for a reason that no kernel is to blame for.
pub fn run(toolchain: &Toolchain, name: &str, cases: &[Case]) -> Result<Statistics, String> {
    run_all(std::slice::from_ref(toolchain), name, cases)
}

/// Runs kernels, built in several ways.
///
/// # Errors
/// If a program cannot be built for a reason that no kernel is to blame for.
pub fn run_all(toolchains: &[Toolchain], name: &str, cases: &[Case]) -> Result<Statistics, String> {
    let (mut statistics, mut kernels) = expanded(cases);
    for toolchain in toolchains {
        // A kernel whose code does not compile, or that ends the program, is taken out.
        while !kernels.is_empty() {
            let failed = once(toolchain, name, &kernels, &mut statistics)?;
            let Some((number, kind, what)) = failed else {
                break;
            };
            if let Some(kernel) = kernels.remove(&number) {
                statistics.failures.push(Failure {
                    kind,
                    what: format!("{:?}: {what}", toolchain.build()),
                    case: kernel.case.clone(),
                });
            }
        }
    }
    Ok(statistics)
}

/// Expands kernels, which validates them, and runs none.
pub fn expand(cases: &[Case]) -> Statistics {
    expanded(cases).0
}

fn expanded(cases: &[Case]) -> (Statistics, BTreeMap<usize, Accepted<'_>>) {
    let mut statistics = Statistics::default();
    let mut kernels = BTreeMap::new();
    for (number, case) in cases.iter().enumerate() {
        let depth = match case.seed.is_multiple_of(EVERYTHING) {
            true => Depth::Everything,
            false => Depth::Variants,
        };
        match expansion::expand(&case.text, depth, case.counts.is_some()) {
            Expanded::Built(built) => {
                let text = program::kernel(number, case, &built);
                let entry = program::entry(number, case, &built);
                kernels.insert(number, Accepted { case, text, entry });
                statistics.variants += built.runs.len();
                for pass in built.passes {
                    *statistics.passes.entry(pass).or_default() += 1;
                }
                statistics.searched += usize::from(built.levels.iter().any(|level| *level >= 2));
                for level in built.levels {
                    *statistics.levels.entry(level).or_default() += 1;
                }
            }
            Expanded::Rejected(message) => {
                let message = general(&message);
                *statistics.rejected.entry(message.clone()).or_default() += 1;
                let examples = &mut statistics.examples;
                examples.entry(message).or_insert_with(|| case.clone());
            }
            Expanded::Failed(what) => statistics.failures.push(Failure {
                kind: Kind::Expansion,
                what,
                case: case.clone(),
            }),
        }
    }
    statistics.accepted = kernels.len();
    (statistics, kernels)
}

/// Compiles and runs; the kernel that prevents it, and how.
fn once(
    toolchain: &Toolchain,
    name: &str,
    kernels: &BTreeMap<usize, Accepted>,
    statistics: &mut Statistics,
) -> Result<Option<(usize, Kind, String)>, String> {
    let mut text = program::HEAD.to_owned();
    let mut starts = Vec::new();
    let mut lines = text.lines().count();
    for (number, kernel) in kernels {
        starts.push((lines + 1, *number));
        text.push_str(&kernel.text);
        lines += kernel.text.lines().count();
    }
    let entries: String = kernels.values().map(|k| k.entry.as_str()).collect();
    text.push_str(&program::main(&entries, toolchain.build().wraps()));
    let program = match toolchain.compile(name, &text) {
        Ok(program) => program,
        Err(errors) => {
            let Some(line) = first_line(&errors, name) else {
                return Err(errors);
            };
            let guilty = starts.iter().rev().find(|(start, _)| *start <= line);
            let Some((_, number)) = guilty else {
                return Err(errors);
            };
            let short: String = errors.chars().take(2000).collect();
            let what = format!("rustc refuses it: {short}");
            return Ok(Some((*number, Kind::Compilation, what)));
        }
    };
    let run = toolchain::run(&program)?;
    let mut last = None;
    let mut differences = Vec::new();
    for line in run.output.lines() {
        if let Some(number) = line.strip_prefix("at ") {
            last = number.parse::<usize>().ok();
        } else if let Some(difference) = line.strip_prefix("difference ") {
            let (number, what) = difference.split_once(' ').unwrap_or((difference, ""));
            let number = number.parse::<usize>().ok();
            if let Some(kernel) = number.and_then(|number| kernels.get(&number)) {
                differences.push(Failure {
                    kind: Kind::Difference,
                    what: format!("{:?}: {what}", toolchain.build()),
                    case: kernel.case.clone(),
                });
            }
        }
    }
    if run.ended {
        statistics.failures.extend(differences);
        return Ok(None);
    }
    let tail: Vec<&str> = run.output.lines().rev().take(5).collect();
    match last {
        Some(number) => Ok(Some((
            number,
            Kind::End,
            format!("the program ends in it: {}", tail.join(" | ")),
        ))),
        None => Err(run.output),
    }
}

/// The first line of the program that an error of `rustc` points at.
fn first_line(errors: &str, name: &str) -> Option<usize> {
    let error = errors.find("error")?;
    let pointer = format!("{name}.rs:");
    let at = error + errors[error..].find(&pointer)? + pointer.len();
    let digits = errors[at..].split(':').next()?;
    digits.parse().ok()
}

/// A message without the names and numbers in it.
fn general(message: &str) -> String {
    let mut result = String::new();
    for (at, part) in message.trim_matches('"').split('`').enumerate() {
        result.push_str(if at % 2 == 1 { "`_`" } else { part });
    }
    let digits = |c: char| if c.is_ascii_digit() { '#' } else { c };
    result.chars().map(digits).take(160).collect()
}
