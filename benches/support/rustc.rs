//! What the code that a kernel expands to costs `rustc`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Instant, SystemTime};

/// `rustc`, and the library that expanded code needs.
pub struct Rustc {
    folder: PathBuf,
    library: PathBuf,
}

impl Rustc {
    /// Takes the library that Cargo has built for this program, the newest one that can be linked. What
    /// is compiled goes into `folder`.
    pub fn new(folder: &Path) -> Self {
        std::fs::create_dir_all(folder).expect("a folder");
        let found = libraries().into_iter().find_map(|library| {
            let rustc = Self {
                folder: folder.to_owned(),
                library,
            };
            let probe = rustc.compile("probe", "pub use loopwright::Isa;");
            probe.is_ok().then_some(rustc)
        });
        found.expect("the library beside this program")
    }

    /// Compiles code as a library, as a release build does, and returns the seconds that takes.
    ///
    /// # Errors
    /// What `rustc` says.
    pub fn compile(&self, name: &str, code: &str) -> Result<f64, String> {
        let source = self.folder.join(format!("{name}.rs"));
        std::fs::write(&source, code).map_err(|error| error.to_string())?;
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let packages = self.library.parent().unwrap_or(&self.folder);
        let mut command = Command::new(rustc);
        command
            .args([
                "--edition",
                "2024",
                "--crate-type",
                "lib",
                "--crate-name",
                name,
            ])
            .args([
                "-C",
                "opt-level=3",
                "-C",
                "embed-bitcode=no",
                "--cap-lints",
                "allow",
            ])
            .arg("-L")
            .arg(format!("dependency={}", packages.display()))
            .arg("--extern")
            .arg(format!("loopwright={}", self.library.display()))
            .arg("--out-dir")
            .arg(&self.folder)
            .arg(&source);
        let start = Instant::now();
        let output = command
            .output()
            .map_err(|error| format!("rustc: {error}"))?;
        let seconds = start.elapsed().as_secs_f64();
        match output.status.success() {
            true => Ok(seconds),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }
}

/// Where Cargo put the library, the newest one first.
fn libraries() -> Vec<PathBuf> {
    let program = std::env::current_exe().expect("the path of this program");
    let folder = program.parent().expect("its folder");
    let mut found: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("libloopwright-") && name.ends_with(".rlib") {
            let time = entry.metadata().and_then(|data| data.modified());
            found.push((time.unwrap_or(SystemTime::UNIX_EPOCH), entry.path()));
        }
    }
    found.sort();
    found.into_iter().rev().map(|(_, path)| path).collect()
}
