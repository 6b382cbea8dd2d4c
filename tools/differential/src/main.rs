//! Runs random kernels, or those in files. See the library.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use loopwright_differential::batch::{self, Statistics};
use loopwright_differential::case::Case;
use loopwright_differential::draw;
use loopwright_differential::generator;
use loopwright_differential::jobs;
use loopwright_differential::minimise;
use loopwright_differential::support::random::Random;
use loopwright_differential::toolchain::{Build, Toolchain};

const USAGE: &str = "options:
  --kernels COUNT    how many (1000)
  --seed SEED        of the run (1)
  --batch COUNT      kernels in a program (200)
  --jobs COUNT       batches at once (one a processor)
  --first NUMBER     the number of the run's first kernel (0)
  --replay SEED      one kernel, by its own seed
  --one-level        each kernel at one level that its seed chooses, the highest half of the time, and most
                     often with vectors of one width: several times as many kernels in the same time
  --addressed        kernels whose subscripts are integers that they compute, each built as debug builds are, as release
                     builds are, and with assertions where integers wrap around
  --expand           expand the kernels, which validates them, and run none
  --minimise         make the kernels that fail smaller
  --print            print the kernels instead of running them
  --rejected         print an example of each kernel that is refused
  --sanitise         run them under AddressSanitizer
  FILE …             kernels in files";

struct Arguments {
    kernels: u64,
    seed: u64,
    batch: u64,
    jobs: usize,
    first: u64,
    replay: Option<u64>,
    one_level: bool,
    addressed: bool,
    expand: bool,
    minimise: bool,
    print: bool,
    rejected: bool,
    sanitise: bool,
    files: Vec<PathBuf>,
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| run(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn arguments() -> Result<Arguments, String> {
    let mut result = Arguments {
        kernels: 1000,
        seed: 1,
        batch: 200,
        jobs: jobs::at_once(),
        first: 0,
        replay: None,
        one_level: false,
        addressed: false,
        expand: false,
        minimise: false,
        print: false,
        rejected: false,
        sanitise: false,
        files: Vec::new(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || -> Result<u64, String> {
            let text = words.next().unwrap_or_default();
            text.parse()
                .map_err(|_| format!("{word} takes a number\n{USAGE}"))
        };
        match word.as_str() {
            "--kernels" => result.kernels = number()?,
            "--seed" => result.seed = number()?,
            "--batch" => result.batch = number()?.max(1),
            "--jobs" => result.jobs = number()?.max(1) as usize,
            "--first" => result.first = number()?,
            "--replay" => result.replay = Some(number()?),
            "--one-level" => result.one_level = true,
            "--addressed" => result.addressed = true,
            "--expand" => result.expand = true,
            "--minimise" => result.minimise = true,
            "--print" => result.print = true,
            "--rejected" => result.rejected = true,
            "--sanitise" => result.sanitise = true,
            option if option.starts_with('-') => return Err(USAGE.to_owned()),
            file => result.files.push(file.into()),
        }
    }
    Ok(result)
}

fn run(arguments: &Arguments) -> Result<bool, String> {
    // Panics of the compiler are caught and reported with the kernel.
    std::panic::set_hook(Box::new(|_| {}));
    let batches = Batches::new(arguments)?;
    if arguments.print {
        while let Some(cases) = batches.next() {
            cases.iter().for_each(|case| println!("{}", case.text));
        }
        return Ok(true);
    }
    let folder = folder()?;
    let builds: &[Build] = match arguments.expand {
        true => &[],
        false if arguments.sanitise => &[Build::Sanitised],
        false if arguments.addressed => &Build::ALL,
        false => &[Build::Checked],
    };
    let made = |build: &Build| Toolchain::of(&folder.join(format!("{build:?}")), *build);
    let toolchains: Vec<Toolchain> = builds.iter().map(made).collect::<Result<_, _>>()?;
    let all = Mutex::new(Statistics::default());
    let work = |name: &str, cases: Vec<Case>| -> Result<(), String> {
        let statistics = one(arguments, &toolchains, name, &cases)?;
        let mut all = all.lock().map_err(|e| e.to_string())?;
        show_failures(&statistics);
        all.add(statistics);
        let (kernels, accepted, failures) = (all.kernels(), all.accepted, all.failures.len());
        println!("{kernels} kernels, {accepted} accepted, {failures} failures");
        Ok(())
    };
    jobs::run(arguments.jobs, &|| batches.next(), &work)?;
    let all = all.into_inner().map_err(|e| e.to_string())?;
    // What failed can be looked at.
    if all.failures.is_empty() && folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|e| e.to_string())?;
    }
    show_rejections(&all, arguments.rejected);
    show_work(&all);
    Ok(all.failures.is_empty())
}

/// Runs a batch, and makes what fails in it smaller if that is asked for.
fn one(
    arguments: &Arguments,
    toolchains: &[Toolchain],
    name: &str,
    cases: &[Case],
) -> Result<Statistics, String> {
    let run = |cases: &[Case]| match toolchains.is_empty() {
        true => Ok(batch::expand(cases)),
        false => batch::run_all(toolchains, name, cases),
    };
    let mut statistics = run(cases)?;
    if arguments.minimise {
        for failure in &mut statistics.failures {
            let mut kind = |case: &Case| {
                let alone = run(std::slice::from_ref(case)).ok()?;
                alone.failures.first().map(|failure| failure.kind)
            };
            failure.case = minimise::minimise(&failure.case, &mut kind);
        }
    }
    Ok(statistics)
}

/// The kernels to run, in parts.
struct Batches<'a> {
    arguments: &'a Arguments,
    /// Kernels that are not random.
    given: Vec<Case>,
    /// The number of the next part.
    next: AtomicU64,
}

impl<'a> Batches<'a> {
    fn new(arguments: &'a Arguments) -> Result<Self, String> {
        let files = arguments.files.iter().map(|file| read(file));
        let replayed = arguments.replay.map(|seed| match arguments.addressed {
            true => generator::addressed::kernel(seed),
            false => drawn(arguments, seed),
        });
        Ok(Batches {
            arguments,
            given: files
                .chain(replayed.map(Ok))
                .collect::<Result<Vec<_>, _>>()?,
            next: AtomicU64::new(0),
        })
    }

    fn next(&self) -> Option<Vec<Case>> {
        let part = self.next.fetch_add(1, Ordering::Relaxed);
        if !self.given.is_empty() {
            return (part == 0).then(|| self.given.clone());
        }
        let (size, count) = (self.arguments.batch, self.arguments.kernels);
        let numbers = part * size..count.min((part + 1) * size);
        let first = self.arguments.first;
        let kernel = |number| {
            let seed = Random::kernel_seed(self.arguments.seed, first + number);
            match self.arguments.addressed {
                true => draw::addressed(seed),
                false => drawn(self.arguments, seed),
            }
        };
        (!numbers.is_empty()).then(|| numbers.map(kernel).collect())
    }
}

fn drawn(arguments: &Arguments, seed: u64) -> Case {
    match arguments.one_level {
        true => draw::kernel_at_one_level(seed),
        false => draw::kernel(seed),
    }
}

fn read(file: &Path) -> Result<Case, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    Case::parse(&text)
}

/// A folder beside the program.
fn folder() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let name = format!("differential-{}", std::process::id());
    Ok(program.with_file_name(name))
}

fn show_failures(statistics: &Statistics) {
    for failure in &statistics.failures {
        println!("FAILURE: {}", failure.what);
        println!(
            "to run it again, with the other options of this run: cargo run --release -p loopwright-differential -- --replay {}",
            failure.case.seed
        );
        println!("{}", failure.case.text);
    }
}

/// What was compared.
fn show_work(statistics: &Statistics) {
    let variants = statistics.variants;
    println!("{variants} variants of {} kernels", statistics.accepted);
    for (level, count) in &statistics.levels {
        println!("{count:6} kernels have code of their own at level {level}");
    }
    let searched = statistics.searched;
    println!("{searched:6} kernels have code of their own at level 2 or 3");
    for (pass, count) in &statistics.passes {
        println!("{count:6} kernels were changed by {pass}");
    }
}

fn show_rejections(statistics: &Statistics, examples: bool) {
    for (message, count) in &statistics.rejected {
        println!("{count:6} rejected: {message}");
        if let Some(case) = statistics.examples.get(message).filter(|_| examples) {
            println!("{}", case.text);
        }
    }
}
