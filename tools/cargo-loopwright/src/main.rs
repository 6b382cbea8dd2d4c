//! `cargo loopwright`: what became of a crate's kernels, why, and what it gains.
//!
//! The crate is checked with `LOOPWRIGHT_REPORT` set, which has the macro write a report of each kernel
//! (as JSON, as a page, and its code); what is shown is read from these.

#![forbid(unsafe_code)]

mod bench;
mod cargo;
mod cli;
mod explain;
mod index;
mod kernels;
mod modules;
mod plan;
mod report;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Parser as _;

use cli::{Arguments, Task};
use kernels::Kernel;

fn main() -> ExitCode {
    // Cargo hands on the name of its subcommand.
    let arguments = std::env::args_os().enumerate();
    let arguments = arguments.filter(|(at, text)| *at != 1 || text != "loopwright");
    let arguments = Arguments::parse_from(arguments.map(|(_, text)| text));
    match run(&arguments) {
        Ok(text) => match io::stdout().write_all(text.as_bytes()) {
            // Whoever reads it has read enough.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => failed(&error.to_string()),
            _ => ExitCode::SUCCESS,
        },
        Err(message) => failed(&message),
    }
}

fn failed(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::FAILURE
}

/// What is printed.
///
/// # Errors
/// What cannot be done, in a sentence or with what Cargo says.
fn run(arguments: &Arguments) -> Result<String, String> {
    let source = arguments.task.source();
    let (folder, root) = match &source.from {
        Some(folder) => (folder.clone(), PathBuf::new()),
        None => cargo::reports(source)?,
    };
    let all = kernels::read(&folder, &root)?;
    if all.is_empty() {
        return Err(format!(
            "no kernel has a report in {}: name what has kernels to Cargo, as in `cargo loopwright report -- --all-targets`",
            folder.display()
        ));
    }
    match &arguments.task {
        Task::Report {
            kernel, all: every, ..
        } => {
            let page = index::write(&folder, &all)?;
            let mut text = String::new();
            for kernel in chosen(&all, kernel.as_deref())? {
                text.push_str(&kernel.place());
                text.push('\n');
                text.push_str(&match every {
                    true => format!("{:#}\n", kernel.report()),
                    false => format!("{}\n", kernel.report()),
                });
            }
            Ok(text + &format!("pages: {}\n", page.display()))
        }
        Task::Open { kernel, print, .. } => {
            let page = index::write(&folder, &all)?;
            let page = match kernel {
                Some(_) => chosen(&all, kernel.as_deref())?[0].page.clone(),
                None => page,
            };
            if !print {
                open(&page)?;
            }
            Ok(format!("{}\n", page.display()))
        }
        Task::Explain { kernel, .. } => {
            let texts = chosen(&all, Some(kernel))?
                .into_iter()
                .map(explain::explained);
            Ok(texts.collect::<Vec<_>>().join("\n"))
        }
        Task::Plan { kernel, .. } => {
            let kernels = chosen(&all, Some(kernel))?.into_iter();
            let texts: Result<Vec<String>, String> = kernels.map(plan::plans).collect();
            Ok(texts?.join("\n"))
        }
        Task::Bench {
            kernel,
            sizes,
            native,
            ..
        } => {
            let kernels = chosen(&all, Some(kernel))?;
            let [kernel] = kernels.as_slice() else {
                let places: Vec<String> = kernels.iter().map(|kernel| kernel.place()).collect();
                return Err(format!("name one of them:\n{}", places.join("\n")));
            };
            bench::run(kernel, sizes, *native, source)
        }
    }
}

/// The kernels of a name, `name` or `crate::module::name`; all of them without one.
fn chosen<'k>(all: &'k [Kernel], name: Option<&str>) -> Result<Vec<&'k Kernel>, String> {
    let Some(name) = name else {
        return Ok(all.iter().collect());
    };
    let found: Vec<&Kernel> = all.iter().filter(|kernel| kernel.is_called(name)).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let names: Vec<String> = all.iter().map(Kernel::path).collect();
    Err(format!(
        "there is no kernel `{name}`, but {}",
        names.join(", ")
    ))
}

/// Shows a page in the browser that the system, or `BROWSER`, names.
fn open(page: &Path) -> Result<(), String> {
    let browser = std::env::var("BROWSER")
        .ok()
        .filter(|name| !name.is_empty());
    let (program, first): (&str, &[&str]) = match &browser {
        Some(name) => (name.as_str(), &[]),
        None if cfg!(target_os = "macos") => ("open", &[]),
        None if cfg!(windows) => ("cmd", &["/C", "start", ""]),
        None => ("xdg-open", &[]),
    };
    let opened = Command::new(program).args(first).arg(page).spawn();
    opened.map(|_| ()).map_err(|error| {
        format!(
            "{program} does not start ({error}); the page is {}",
            page.display()
        )
    })
}
