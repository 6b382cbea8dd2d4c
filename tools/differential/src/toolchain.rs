//! Compiling and running with `rustc` itself: kernels need no packages but the run time, and a
//! hundred thousand of them should not wait for anything else.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates that batches link to, compiled into a folder.
#[derive(Clone, Debug)]
pub struct Toolchain {
    folder: PathBuf,
}

/// What a compiled program did.
#[derive(Debug)]
pub struct Run {
    /// It ended by itself, without an error.
    pub ended: bool,
    /// What it printed.
    pub output: String,
}

impl Toolchain {
    /// Compiles the crates. The folder is made if it is missing.
    ///
    /// # Errors
    /// What `rustc` says.
    pub fn new(folder: &Path) -> Result<Toolchain, String> {
        std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
        let toolchain = Toolchain {
            folder: folder.to_owned(),
        };
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let facade = folder.join("loopwright.rs");
        let text = "pub use loopwright_runtime::*;\n\
                    pub mod __private { pub use loopwright_runtime::*; }\n";
        std::fs::write(&facade, text).map_err(|e| e.to_string())?;
        let sources = [
            (
                "loopwright_runtime",
                here.join("../../runtime/src/lib.rs"),
                true,
            ),
            ("loopwright", facade, false),
            ("support", here.join("support/lib.rs"), true),
        ];
        for (name, source, optimised) in sources {
            let mut command = toolchain.rustc(name, &source);
            command.args(["--crate-type", "rlib", "--cfg", "feature=\"std\""]);
            command.args([
                "-C",
                if optimised {
                    "opt-level=2"
                } else {
                    "opt-level=0"
                },
            ]);
            command.args(["--cap-lints", "allow"]);
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
        command.args(["--crate-type", "bin", "-C", "opt-level=0"]);
        // Batches run side by side: parts of one gain nothing.
        command.args(["-C", "codegen-units=1"]);
        command.args(["-C", "overflow-checks=on", "-C", "debug-assertions=off"]);
        finish(command)?;
        Ok(self.folder.join(name))
    }

    fn rustc(&self, name: &str, source: &Path) -> Command {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut command = Command::new(rustc);
        command
            .args(["--edition", "2024", "--crate-name", name, "-L"])
            .arg(&self.folder)
            .arg("--out-dir")
            .arg(&self.folder)
            .args(["--extern", "loopwright_runtime", "--extern", "loopwright"])
            .args(["--extern", "support"])
            .arg(source);
        command
    }
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
