//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// What became of a crate's loopwright kernels, why, and what it gains.
#[derive(Parser)]
#[command(name = "cargo loopwright", bin_name = "cargo loopwright", version, after_help = EXAMPLES)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub task: Task,
}

const EXAMPLES: &str = "Examples:
  cargo loopwright report                    what was done to each kernel of this crate
  cargo loopwright report -- --all-targets   and to those of its tests, examples and benchmarks
  cargo loopwright explain mass              why `mass` is arranged as it is
  cargo loopwright plan mass                 its loop trees, as the option `plan` takes them
  cargo loopwright open mass                 its page: text, code, loops and pictures
  cargo loopwright bench dot --set x=4096    time of each instruction set over that of the text";

/// Where reports come from.
#[derive(Args, Clone, Debug, Default)]
pub struct Source {
    /// The package whose kernels are asked for; that of the current folder otherwise.
    #[arg(short, long)]
    pub package: Option<String>,
    /// Reads the reports of a build with `LOOPWRIGHT_REPORT=DIR` instead of making them.
    #[arg(long, value_name = "DIR")]
    pub from: Option<PathBuf>,
    /// What `cargo check` is told besides, as in `-- --all-targets --features simd`.
    #[arg(last = true, value_name = "CARGO ARGUMENTS")]
    pub rest: Vec<String>,
}

/// What to do.
#[derive(Subcommand)]
pub enum Task {
    /// Prints the report of each kernel, as `REPORT` does, and writes the pages.
    Report {
        /// The kernel, as `name` or `crate::module::name`; all of them otherwise.
        kernel: Option<String>,
        /// Every pass and decision, as `{:#}` prints them.
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        source: Source,
    },
    /// Writes the pages and opens the index, or the page of a kernel, in the browser.
    Open {
        /// The kernel.
        kernel: Option<String>,
        /// Prints where the page is, and opens nothing.
        #[arg(long)]
        print: bool,
        #[command(flatten)]
        source: Source,
    },
    /// Says why a kernel is arranged as it is: what was weighed, and what would make it faster.
    Explain {
        /// The kernel.
        kernel: String,
        #[command(flatten)]
        source: Source,
    },
    /// Prints the loop tree of each instruction set, as `#[opt(plan = "…")]` takes it.
    Plan {
        /// The kernel.
        kernel: String,
        #[command(flatten)]
        source: Source,
    },
    /// Times each instruction set of a kernel against its text, on random numbers.
    ///
    /// The kernel is built once more, by itself and in release, so it has to stand alone: with parameters
    /// that are numbers, arrays and slices, and helpers, but nothing else, of its own block. Arrays that are too
    /// short for its loops are made longer until it runs; `--set` chooses them.
    #[command(verbatim_doc_comment)]
    Bench {
        /// The kernel.
        kernel: String,
        /// An integer parameter's value or a slice's length, as in `--set n=300`; may be repeated.
        #[arg(long = "set", value_name = "NAME=NUMBER", value_parser = size)]
        sizes: Vec<(String, usize)>,
        /// Compiles the text for this processor, instead of for any.
        #[arg(long)]
        native: bool,
        #[command(flatten)]
        source: Source,
    },
}

impl Task {
    /// Where its reports come from.
    pub fn source(&self) -> &Source {
        match self {
            Task::Report { source, .. }
            | Task::Open { source, .. }
            | Task::Explain { source, .. }
            | Task::Plan { source, .. }
            | Task::Bench { source, .. } => source,
        }
    }
}

fn size(text: &str) -> Result<(String, usize), String> {
    let (name, number) = text.split_once('=').ok_or("write `NAME=NUMBER`")?;
    let number = number
        .parse()
        .map_err(|error| format!("`{number}`: {error}"))?;
    Ok((name.to_owned(), number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
        assert_eq!(size("n=3"), Ok(("n".to_owned(), 3)));
        assert!(size("n").is_err() && size("n=x").is_err());
    }
}
