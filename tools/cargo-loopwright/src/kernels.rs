//! The reports of kernels, as the macro has written them.

use std::fs;
use std::path::{Path, PathBuf};

use loopwright_runtime::Report;
use serde_json::Value;

use crate::{modules, report};

/// A kernel and its report.
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Its crate.
    pub krate: String,
    /// The file of its text, relative to the workspace.
    pub file: String,
    /// Its line in it.
    pub line: u64,
    /// The modules around it, `a::b`; empty in the crate's root, or where they are not known.
    pub module: String,
    /// Its page.
    pub page: PathBuf,
    /// All that the report says.
    pub data: Value,
}

impl Kernel {
    /// The report as the kernel has it.
    pub fn report(&self) -> Report {
        report::report(&self.data)
    }

    /// `crate::module::name`
    pub fn path(&self) -> String {
        let parts = [&self.krate, &self.module, &self.name];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.map(String::as_str).collect::<Vec<_>>().join("::")
    }

    /// Whether a name is its own, or its path or the end of that.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || format!("::{}", self.path()).ends_with(&format!("::{name}"))
    }

    /// Where it stands, in a line.
    pub fn place(&self) -> String {
        format!("{}, {}:{}", self.path(), self.file, self.line)
    }
}

/// The kernels of all crates of a folder, in the order of their crates, files and lines; their files are relative to `root`.
///
/// # Errors
/// What cannot be read.
pub fn read(folder: &Path, root: &Path) -> Result<Vec<Kernel>, String> {
    let mut kernels = Vec::new();
    let crates = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for krate in crates.flatten() {
        let Ok(files) = fs::read_dir(krate.path()) else {
            continue;
        };
        for file in files.flatten() {
            let path = file.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "json")
            {
                kernels.extend(kernel(&path, root)?);
            }
        }
    }
    kernels.sort_by(|a, b| {
        let key = |kernel: &Kernel| {
            (
                kernel.krate.clone(),
                kernel.file.clone(),
                kernel.line,
                kernel.name.clone(),
            )
        };
        key(a).cmp(&key(b))
    });
    Ok(kernels)
}

/// The kernel of a report; none if the file is no report.
fn kernel(path: &Path, root: &Path) -> Result<Option<Kernel>, String> {
    let fault = |error: String| format!("{}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(|error| fault(error.to_string()))?;
    let data: Value = serde_json::from_str(&text).map_err(|error| fault(error.to_string()))?;
    let text = |name: &str| data[name].as_str().map(str::to_owned);
    let (Some(name), Some(krate), Some(file)) = (text("kernel"), text("crate"), text("file"))
    else {
        return Ok(None);
    };
    let line = data["line"].as_u64().unwrap_or(0);
    Ok(Some(Kernel {
        module: modules::around(root, &file, line),
        name,
        krate,
        file,
        line,
        page: path.with_extension("html"),
        data,
    }))
}
