//! Runs random kernels, or those in files. See the library.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use loopwright_differential::batch::{self, Statistics};
use loopwright_differential::case::Case;
use loopwright_differential::generator;
use loopwright_differential::minimise;
use loopwright_differential::support::random::Random;
use loopwright_differential::toolchain::Toolchain;

const USAGE: &str = "options:
  --kernels COUNT    how many (1000)
  --seed SEED        of the run (1)
  --batch COUNT      kernels in a program (200)
  --first NUMBER     the number of the run's first kernel (0)
  --replay SEED      one kernel, by its own seed
  --expand           expand the kernels, which validates them, and run none
  --minimise         make the kernels that fail smaller
  --print            print the kernels instead of running them
  --rejected         print an example of each kernel that is refused
  FILE …             kernels in files";

struct Arguments {
    kernels: u64,
    seed: u64,
    batch: u64,
    first: u64,
    replay: Option<u64>,
    expand: bool,
    minimise: bool,
    print: bool,
    rejected: bool,
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
        first: 0,
        replay: None,
        expand: false,
        minimise: false,
        print: false,
        rejected: false,
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
            "--first" => result.first = number()?,
            "--replay" => result.replay = Some(number()?),
            "--expand" => result.expand = true,
            "--minimise" => result.minimise = true,
            "--print" => result.print = true,
            "--rejected" => result.rejected = true,
            option if option.starts_with('-') => return Err(USAGE.to_owned()),
            file => result.files.push(file.into()),
        }
    }
    Ok(result)
}

fn run(arguments: &Arguments) -> Result<bool, String> {
    // Panics of the compiler are caught and reported with the kernel.
    std::panic::set_hook(Box::new(|_| {}));
    let mut all = Statistics::default();
    let mut toolchain = None;
    let mut go = |cases: &[Case]| -> Result<(), String> {
        if arguments.print {
            cases.iter().for_each(|case| println!("{}", case.text));
            return Ok(());
        }
        let mut run = |name: &str, cases: &[Case]| -> Result<Statistics, String> {
            if arguments.expand {
                return Ok(batch::expand(cases));
            }
            let toolchain = match &toolchain {
                Some(toolchain) => toolchain,
                None => toolchain.insert(Toolchain::new(&folder()?)?),
            };
            batch::run(toolchain, name, cases)
        };
        let mut statistics = run("batch", cases)?;
        if arguments.minimise {
            for failure in &mut statistics.failures {
                let mut kind = |case: &Case| {
                    let alone = run("smaller", std::slice::from_ref(case)).ok()?;
                    alone.failures.first().map(|failure| failure.kind)
                };
                failure.case = minimise::minimise(&failure.case, &mut kind);
            }
        }
        show_failures(&statistics);
        all.add(statistics);
        let (kernels, accepted, failures) = (all.kernels(), all.accepted, all.failures.len());
        println!("{kernels} kernels, {accepted} accepted, {failures} failures");
        Ok(())
    };
    if !arguments.files.is_empty() {
        let cases = arguments.files.iter().map(|file| read(file));
        go(&cases.collect::<Result<Vec<_>, _>>()?)?;
    } else if let Some(seed) = arguments.replay {
        go(&[generator::kernel(seed)])?;
    } else {
        let mut at = arguments.first;
        let end = at + arguments.kernels;
        while at < end {
            let next = end.min(at + arguments.batch);
            let seeds = (at..next).map(|k| Random::kernel_seed(arguments.seed, k));
            go(&seeds.map(generator::kernel).collect::<Vec<_>>())?;
            at = next;
        }
    }
    // What failed can be looked at.
    if all.failures.is_empty() && toolchain.is_some() {
        std::fs::remove_dir_all(folder()?).map_err(|e| e.to_string())?;
    }
    show_rejections(&all, arguments.rejected);
    Ok(all.failures.is_empty())
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
            "to run it again: cargo run --release -p loopwright-differential -- --replay {}",
            failure.case.seed
        );
        println!("{}", failure.case.text);
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
