//! Compiling and running with `rustc` itself: kernels need no packages but the run time and
//! `ndarray`, which Cargo has compiled for this tool, and a hundred thousand of them should not wait
//! for anything else.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// How programs are built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Build {
    /// As fast as can be, with checks of overflow.
    #[default]
    Checked,
    /// Programs see each access outside of what is allocated.
    Sanitised,
    /// As debug builds are: what is known of a subscript is asserted.
    Debug,
    /// The same, where integers wrap around.
    Wrapping,
    /// As release builds are.
    Release,
}

impl Build {
    /// The builds in which all that integers lead to is looked at.
    pub const ALL: [Build; 3] = [Build::Wrapping, Build::Debug, Build::Release];

    /// Whether integers wrap around.
    pub fn wraps(self) -> bool {
        matches!(self, Build::Release | Build::Wrapping)
    }

    fn arguments(self) -> Vec<String> {
        let on = |on: bool| if on { "on" } else { "off" };
        let asserts = matches!(self, Build::Debug | Build::Wrapping);
        vec![
            "-C".to_owned(),
            format!("debug-assertions={}", on(asserts)),
            "-C".to_owned(),
            format!("overflow-checks={}", on(!self.wraps())),
        ]
    }
}

/// The crates that batches link to, compiled into a folder.
#[derive(Clone, Debug)]
pub struct Toolchain {
    folder: PathBuf,
    build: Build,
    /// The compiled `ndarray`.
    ndarray: PathBuf,
}

/// What a compiled program did.
#[derive(Debug)]
pub struct Run {
    /// It ended by itself, without an error.
    pub ended: bool,
    /// What it printed.
    pub output: String,
}

/// What kernels call.
const RUN_TIME: &str = "loopwright_runtime";

impl Toolchain {
    /// Compiles the crates. The folder is made if it is missing.
    ///
    /// # Errors
    /// What `rustc` says.
    pub fn new(folder: &Path) -> Result<Toolchain, String> {
        Toolchain::of(folder, Build::Checked)
    }

    /// Compiles the crates, and programs that link to them, in some way.
    ///
    /// # Errors
    /// What `rustc` says.
    pub fn of(folder: &Path, build: Build) -> Result<Toolchain, String> {
        std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
        // Older ones may be there that this compiler does not read, or whose own packages are gone.
        let mut result = Err("Cargo has no compiled `ndarray` beside this program".to_owned());
        for ndarray in compiled_ndarray()? {
            result = Toolchain::with(folder, ndarray, build);
            if result.is_ok() {
                break;
            }
        }
        result
    }

    /// Compiles the crates with an `ndarray`.
    fn with(folder: &Path, ndarray: PathBuf, build: Build) -> Result<Toolchain, String> {
        let toolchain = Toolchain {
            folder: folder.to_owned(),
            build,
            ndarray,
        };
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let facade = folder.join("loopwright.rs");
        let text = "pub use loopwright_runtime::*;\n\
                    pub mod __private { pub use loopwright_runtime::*; }\n\
                    #[macro_export] macro_rules! tabulate { ($($any:tt)*) => { 0 } }\n";
        std::fs::write(&facade, text).map_err(|e| e.to_string())?;
        let sources = [
            (RUN_TIME, here.join("../../runtime/src/lib.rs"), true),
            ("loopwright", facade, false),
            ("support", here.join("support/lib.rs"), true),
        ];
        for (name, source, optimised) in sources {
            let mut command = toolchain.rustc(name, &source);
            command.args(["--crate-type", "rlib", "--cfg", "feature=\"std\""]);
            command.args(["--cfg", "feature=\"ndarray\""]);
            if build == Build::Sanitised {
                command.args(["--cfg", "feature=\"sanitised\""]);
            }
            command.args([
                "-C",
                if optimised {
                    "opt-level=2"
                } else {
                    "opt-level=0"
                },
            ]);
            command.args(["--cap-lints", "allow"]);
            if name == RUN_TIME && Build::ALL.contains(&build) {
                command.args(build.arguments());
            }
            finish(command)?;
        }
        Ok(toolchain)
    }

    /// Compiles a program.
    ///
    /// # Errors
    /// What `rustc` says.
    pub fn compile(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let source = self.folder.join(format!("{name}.rs"));
        std::fs::write(&source, text).map_err(|e| e.to_string())?;
        let mut command = self.rustc(name, &source);
        command.args(["--crate-type", "bin", "-C", "embed-bitcode=no"]);
        match self.build {
            Build::Release => command.args(["-C", "opt-level=2"]),
            // Code that runs once need not be improved.
            _ => command.args(["-C", "opt-level=0", "-C", "no-prepopulate-passes"]),
        };
        // Batches run side by side: parts of one gain nothing.
        command.args(["-C", "codegen-units=1"]);
        command.args(self.build.arguments());
        finish(command)?;
        Ok(self.folder.join(name))
    }

    /// How it builds programs.
    pub fn build(&self) -> Build {
        self.build
    }

    fn rustc(&self, name: &str, source: &Path) -> Command {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut command = Command::new(rustc);
        if self.build == Build::Sanitised {
            // The released compiler has the run time for it, behind a flag of its own.
            command.env("RUSTC_BOOTSTRAP", "1");
            command.arg("-Zsanitizer=address");
        }
        let packages = self.ndarray.parent().unwrap_or(&self.folder);
        command
            .arg("-L")
            .arg(format!("dependency={}", packages.display()))
            .args(["--edition", "2024", "--crate-name", name, "-L"])
            .arg(&self.folder)
            .arg("--out-dir")
            .arg(&self.folder)
            .args(["--extern", "loopwright_runtime", "--extern", "loopwright"])
            .args(["--extern", "support", "--extern"])
            .arg(format!("ndarray={}", self.ndarray.display()))
            .arg(source);
        command
    }
}

/// Where Cargo put `ndarray` when it built this program, the newest one first.
fn compiled_ndarray() -> Result<Vec<PathBuf>, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut found: Vec<(SystemTime, PathBuf)> = Vec::new();
    let beside = program.parent().into_iter();
    for folder in beside.flat_map(|folder| [folder.to_owned(), folder.join("deps")]) {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        for entry in entries {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with("libndarray-") && name.ends_with(".rlib") {
                let time = entry.metadata().and_then(|m| m.modified());
                found.push((time.map_err(|e| e.to_string())?, entry.path()));
            }
        }
    }
    found.sort();
    Ok(found.into_iter().rev().map(|(_, path)| path).collect())
}

fn finish(mut command: Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("rustc: {e}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// Runs a compiled program.
///
/// # Errors
/// If it cannot be started.
pub fn run(program: &Path) -> Result<Run, String> {
    let output = Command::new(program)
        .output()
        .map_err(|e| format!("{}: {e}", program.display()))?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    Ok(Run {
        ended: output.status.success(),
        output: text,
    })
}
