//! Each pass as text. A file in `files/PASS` has a program as it is before the pass, then what the pass leaves of it:
//! the operations before and after, and the whole program, or that nothing changes. A comment says what it shows.
//!
//! Passes that only find something out, as `symmetry_detection` does, show in what the next one makes of it: a line
//! `// after: PASS, …` names passes that run first.
//!
//! `UPDATE_EXPECT=1 cargo test -p loopwright-compiler --test passes` writes what passes leave into the files.

use std::path::{Path, PathBuf};

use expect_test::expect_file;
use loopwright_compiler::analysis::{cost, structure};
use loopwright_compiler::ir::{Program, text};
use loopwright_compiler::passes::pipeline;

use super::pass;

/// What stands between a program and what a pass leaves of it.
const BECOMES: &str = "\n---- ";

/// What a file shows.
struct Case {
    /// The passes that it shows: its own, and those that run first.
    shows: Vec<String>,
    changes: bool,
}

/// All files, in order.
fn files() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passes/files");
    let entries = |folder: &Path| {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let folders = entries(&root);
    let all = folders.iter().flat_map(|folder| {
        let pass = folder.file_name().unwrap().to_string_lossy().into_owned();
        let files = entries(folder).into_iter();
        files.map(move |file| (pass.clone(), file))
    });
    all.collect()
}

/// The passes that a comment names.
fn earlier(source: &str) -> impl Iterator<Item = &str> {
    let lines = source.lines();
    let lines = lines.filter_map(|line| line.strip_prefix("// after: "));
    lines.flat_map(|line| line.split(", "))
}

/// Runs the pass of a file, and compares what it leaves.
fn run((name, path): (String, PathBuf)) -> Case {
    let file = std::fs::read_to_string(&path).unwrap();
    let source = file.split(BECOMES).next().unwrap().trim_end();
    assert!(
        source.starts_with("// "),
        "{} does not say what it shows",
        path.display()
    );
    let parsed = text::parse(source);
    let mut program = parsed.unwrap_or_else(|error| panic!("{}: {error:?}", path.display()));
    for name in earlier(source) {
        pass(name).run(&mut program);
    }
    let operations = |program: &Program| cost::program(program).each.operations();
    let (before, printed) = (operations(&program), text::print(&program));
    pass(&name).run(&mut program);
    let broken = structure::violations(&program);
    assert!(broken.is_empty(), "{}: {}", path.display(), broken[0]);
    let after = text::print(&program);
    let changes = after != printed;
    let left = match changes {
        true => format!(
            "{before} operations become {}\n\n{after}",
            operations(&program)
        ),
        false => "nothing changes\n".to_owned(),
    };
    expect_file![&path].assert_eq(&format!("{source}\n{BECOMES}{left}"));
    let first = earlier(source).map(str::to_owned);
    Case {
        shows: first.chain([name]).collect(),
        changes,
    }
}

#[test]
fn passes_leave_what_the_files_say() {
    let cases: Vec<Case> = files().into_iter().map(run).collect();
    for pass in pipeline(3, false) {
        let changed =
            |case: &Case| case.changes && case.shows.iter().any(|name| *name == pass.name);
        let shown = cases.iter().any(changed);
        assert!(shown, "no file shows what `{}` does", pass.name);
    }
}
