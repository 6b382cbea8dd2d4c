//! The files of a report: the only place of the compiler that writes any.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::{Details, json, page};

/// The environment variable that names the folder.
pub const VARIABLE: &str = "LOOPWRIGHT_REPORT";

/// Most kernels of one name in a crate.
const MOST: usize = 10_000;

/// Where the reports of a crate go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The folder that the crate's own is made in.
    pub folder: PathBuf,
    /// The crate's name.
    pub krate: String,
}

/// The kernels whose files this process has written: the place of the text by the path without
/// extension.
static WRITTEN: Mutex<BTreeMap<PathBuf, Place>> = Mutex::new(BTreeMap::new());

/// Where a kernel stands: file, line and column.
type Place = (String, usize, usize);

impl Destination {
    /// Writes `<kernel>.json`, `<kernel>.html` and `<kernel>.rs` into the crate's folder.
    ///
    /// # Errors
    /// What cannot be written, and why.
    pub fn write(&self, details: &Details) -> Result<(), String> {
        let folder = self.folder.join(&self.krate);
        fs::create_dir_all(&folder)
            .map_err(|error| format!("the folder {} cannot be made: {error}", folder.display()))?;
        let path = claim(&folder, details)?;
        let json = json::report(&self.krate, details).to_string() + "\n";
        let html = page::page(&self.krate, details);
        let files = [
            ("html", html.as_str()),
            ("rs", &details.expansion),
            ("json", &json),
        ];
        for (extension, text) in files {
            let path = path.with_file_name(file_name(&path, extension));
            fs::write(&path, text)
                .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        }
        Ok(())
    }
}

/// A path's last part with an extension; names of kernels have no dots, but anything may.
fn file_name(path: &Path, extension: &str) -> String {
    let stem = path.file_name().unwrap_or_default().to_string_lossy();
    format!("{stem}.{extension}")
}

/// The path of a kernel's files, without extension: its name, followed by a number if a kernel of
/// another place has that name already, written by this process or (in another file) by an earlier one.
fn claim(folder: &Path, details: &Details) -> Result<PathBuf, String> {
    let name = details.facts.kernel.trim_start_matches("r#");
    let place = (details.file.clone(), details.line, details.column);
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    for number in 1..MOST {
        let stem = match number {
            1 => name.to_owned(),
            _ => format!("{name}-{number}"),
        };
        let path = folder.join(stem);
        let free = match written.get(&path) {
            Some(other) => *other == place,
            None => file_of(&path).is_none_or(|file| file == details.file),
        };
        if free {
            written.insert(path.clone(), place);
            return Ok(path);
        }
    }
    Err(format!("{MOST} kernels are called `{name}`"))
}

/// The file that a report on disk is about.
fn file_of(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path.with_file_name(file_name(path, "json"))).ok()?;
    let line = text.lines().find(|line| line.starts_with("  \"file\": "))?;
    let quoted = line
        .trim_start_matches("  \"file\": ")
        .trim_end_matches(',');
    let inside = quoted.strip_prefix('"')?.strip_suffix('"')?;
    Some(inside.replace("\\\\", "\\"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Facts;

    fn details(kernel: &str, file: &str, line: usize) -> Details {
        Details {
            facts: Facts {
                kernel: kernel.to_owned(),
                ..Facts::default()
            },
            file: file.to_owned(),
            line,
            expansion: format!("// {file}:{line}\n"),
            ..Details::default()
        }
    }

    fn destination(test: &str) -> Destination {
        let folder = format!("loopwright-report-{}-{test}", std::process::id());
        Destination {
            folder: std::env::temp_dir().join(folder),
            krate: "some".to_owned(),
        }
    }

    fn written(destination: &Destination, name: &str) -> String {
        let path = destination.folder.join("some").join(name);
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn equal_names_get_files_of_their_own() {
        let destination = destination("names");
        let kernels = [("a.rs", 1), ("a.rs", 9), ("b.rs", 1), ("a.rs", 1)];
        for (file, line) in kernels {
            destination.write(&details("k", file, line)).unwrap();
        }
        destination.write(&details("r#type", "a.rs", 30)).unwrap();
        assert_eq!(written(&destination, "k.rs"), "// a.rs:1\n");
        assert_eq!(written(&destination, "k-2.rs"), "// a.rs:9\n");
        assert_eq!(written(&destination, "k-3.rs"), "// b.rs:1\n");
        assert_eq!(written(&destination, "type.rs"), "// a.rs:30\n");
        let files = fs::read_dir(destination.folder.join("some")).unwrap();
        assert_eq!(files.count(), 4 * 3);
        fs::remove_dir_all(&destination.folder).unwrap();
    }

    #[test]
    fn reports_of_earlier_builds_are_replaced_if_they_are_of_the_same_file() {
        let destination = destination("builds");
        let folder = destination.folder.join("some");
        fs::create_dir_all(&folder).unwrap();
        let old = "{\n  \"kernel\": \"k\",\n  \"file\": \"src\\\\a.rs\",\n  \"line\": 3\n}\n";
        fs::write(folder.join("k.json"), old).unwrap();
        destination.write(&details("k", "b.rs", 1)).unwrap();
        assert_eq!(written(&destination, "k.json"), old);
        destination.write(&details("k", "src\\a.rs", 7)).unwrap();
        assert!(written(&destination, "k.json").contains("\"line\": 7"));
        assert!(written(&destination, "k-2.json").contains("b.rs"));
        fs::remove_dir_all(&destination.folder).unwrap();
    }

    #[test]
    fn what_cannot_be_written_is_said() {
        let destination = destination("file");
        fs::write(&destination.folder, "a file").unwrap();
        let error = destination.write(&details("k", "a.rs", 1)).unwrap_err();
        assert!(error.contains("cannot be made"), "{error}");
        fs::remove_file(&destination.folder).unwrap();
    }
}
