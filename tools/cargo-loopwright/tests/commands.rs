//! The commands, on reports that the compiler has written, and on a crate whose build writes one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use loopwright_compiler::{Destination, Settings, expand_under};

const TEXT: &str = "
    /// A step of the heat equation.
    pub fn heat(n: usize, u: &[f64], v: &mut [f64]) {
        for i in 1..n - 1 { v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]); }
    }
    pub fn turned(x: &mut [f64]) { for i in 0..x.len() { x[i] = x[x.len() - 1 - i]; } }
    const HALF: f64 = 0.5;
    #[opt(level = 1)]
    pub fn total(b: (f64, f64), y: &mut [f64]) { for i in 0..y.len() { y[i] += b.0 * b.1; } }";

/// A folder of this run's own.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Reports of the kernels above.
fn reports() -> &'static str {
    static FOLDER: OnceLock<String> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = folder("reports");
        let _ = fs::remove_dir_all(&folder);
        let destination = Destination {
            folder: folder.clone(),
            krate: "example".to_owned(),
        };
        let settings = Settings {
            report: Some(destination),
            ..Settings::default()
        };
        let input = format!("::loopwright; {TEXT}").parse().unwrap();
        let expansion = expand_under(input, &settings).to_string();
        assert!(!expansion.contains("compile_error"), "{expansion}");
        folder.to_str().unwrap().to_owned()
    })
}

fn tool(arguments: &[&str]) -> Output {
    let tool = env!("CARGO_BIN_EXE_cargo-loopwright");
    Command::new(tool).args(arguments).output().unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = tool(arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

fn error(arguments: &[&str]) -> String {
    let output = tool(arguments);
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn reports_are_those_of_the_kernels() {
    // As Cargo calls its subcommands.
    let text = printed(&["loopwright", "report", "--from", reports()]);
    for part in [
        "example::heat, ",
        "`heat`: 8 lanes over `i` · ",
        "`turned`: runs as written",
        "avx2 ",
        "/example/index.html",
    ] {
        assert!(text.contains(part), "`{part}` is missing in\n{text}");
    }
    let one = printed(&["report", "turned", "--all", "--from", reports()]);
    assert!(!one.contains("heat"), "{one}");
    assert!(printed(&["report", "example::heat", "--from", reports()]).contains("`heat`"));
    let none = error(&["report", "cold", "--from", reports()]);
    assert!(
        none.contains("no kernel `cold`, but example::heat"),
        "{none}"
    );
}

#[test]
fn explanations_have_what_was_weighed() {
    let text = printed(&["explain", "heat", "--from", reports()]);
    for part in [
        " lanes over `i`",
        ": taken",
        "no lanes: ",
        " times as long",
        "operations a byte",
    ] {
        assert!(text.contains(part), "`{part}` is missing in\n{text}");
    }
    let text = printed(&["explain", "turned", "--from", reports()]);
    for part in [
        "what could not be done",
        "what would make it faster",
        "write to another array",
    ] {
        assert!(text.contains(part), "`{part}` is missing in\n{text}");
    }
}

#[test]
fn plans_are_loop_trees() {
    let text = printed(&["plan", "heat", "--from", reports()]);
    for part in [
        "// avx2, f64",
        "schedule width 4 lanes i",
        "schedule width 1",
        "loop i in 0..",
        "eq 0",
    ] {
        assert!(text.contains(part), "`{part}` is missing in\n{text}");
    }
    let none = error(&["plan", "turned", "--from", reports()]);
    assert!(none.contains("`turned` runs as written"), "{none}");
}

#[test]
fn the_index_leads_to_every_page() {
    let page = printed(&["open", "--print", "--from", reports()]);
    let text = fs::read_to_string(page.trim()).unwrap();
    let links: Vec<&str> = text
        .split("href=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    assert_eq!(links, ["heat.html", "turned.html", "total.html"]);
    for link in links {
        assert!(
            Path::new(page.trim()).with_file_name(link).exists(),
            "{link}"
        );
    }
    assert!(!text.contains("http"), "nothing is loaded from elsewhere");
    let page = printed(&["open", "turned", "--print", "--from", reports()]);
    assert!(page.trim().ends_with("turned.html"), "{page}");
}

#[test]
fn reports_have_the_whole_block() {
    let read =
        |name: &str| fs::read_to_string(Path::new(reports()).join("example").join(name)).unwrap();
    for name in ["heat.json", "turned.json", "total.json"] {
        let text = read(name);
        for part in [
            "\"block\": ",
            "opt (level = 1)",
            "fn turned",
            "fn total",
            "const HALF",
        ] {
            assert!(
                text.contains(part),
                "`{part}` is missing in {name}:\n{text}"
            );
        }
    }
}

#[test]
fn what_cannot_be_timed_is_said_before_anything_is_built() {
    let text = error(&["bench", "total", "--from", reports()]);
    assert!(
        text.contains("no inputs can be made up for `b: (f64, f64)`"),
        "{text}"
    );
    let text = error(&["bench", "heat", "--set", "w=1", "--from", reports()]);
    assert!(
        text.contains("`w` is no integer or slice of `heat`, but n, u, v"),
        "{text}"
    );
}

#[test]
fn help_has_examples() {
    let text = printed(&["loopwright", "--help"]);
    for part in [
        "cargo loopwright report",
        "cargo loopwright bench dot --set x=4096",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

/// A crate with a build script that writes the report of a kernel wherever the variable says.
fn crate_with_reports() -> PathBuf {
    let folder = folder("crate");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("src/waves")).unwrap();
    let manifest =
        "[package]\nname = \"some-crate\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n";
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.join("src/lib.rs"), "pub mod waves;\n").unwrap();
    fs::write(
        folder.join("src/waves/mod.rs"),
        "pub mod inner {\n    // kernel! { fn step() {} }\n}\n",
    )
    .unwrap();
    let build = r#"fn main() {
    println!("cargo::rerun-if-env-changed=LOOPWRIGHT_REPORT");
    println!("cargo::rerun-if-changed=kernel");
    let kernel = std::fs::read_to_string("kernel").unwrap();
    let Ok(folder) = std::env::var("LOOPWRIGHT_REPORT") else { return };
    let data = format!("{{\"kernel\": \"{kernel}\", \"crate\": \"some_crate\", \"file\": \"src/waves/mod.rs\", \"line\": 2, \"per\": \"call\"}}");
    std::fs::create_dir_all(format!("{folder}/some_crate")).unwrap();
    std::fs::write(format!("{folder}/some_crate/{kernel}.json"), data).unwrap();
}
"#;
    fs::write(folder.join("build.rs"), build).unwrap();
    folder
}

#[test]
fn crates_are_checked_with_reports_and_old_ones_removed() {
    let folder = crate_with_reports();
    let report = |kernel: &str| {
        fs::write(folder.join("kernel"), kernel).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-loopwright"));
        command
            .args(["loopwright", "report", "--", "--offline"])
            .current_dir(&folder);
        command
            .env("CARGO_TARGET_DIR", folder.join("target"))
            .env_remove("RUSTFLAGS");
        let output = command.output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{error}");
        String::from_utf8(output.stdout).unwrap()
    };
    let text = report("step");
    assert!(
        text.contains("some_crate::waves::inner::step, src/waves/mod.rs:2"),
        "{text}"
    );
    let text = report("jump");
    assert!(
        text.contains("inner::jump") && !text.contains("step"),
        "{text}"
    );
    assert!(
        report("jump").contains("inner::jump"),
        "nothing is built, and nothing is lost"
    );
}
