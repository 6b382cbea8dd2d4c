//! Cargo: where it builds, and a check of the crate that writes reports.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use serde_json::Value;

use crate::cli::Source;

/// The variable that has the macro write reports.
const VARIABLE: &str = "LOOPWRIGHT_REPORT";

fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")))
}

/// What `cargo metadata` says; of this workspace alone, or with all that it depends on.
///
/// # Errors
/// What Cargo says.
pub fn metadata(dependencies: bool) -> Result<Value, String> {
    let mut command = cargo();
    command.args(["metadata", "--format-version", "1"]);
    if !dependencies {
        command.arg("--no-deps");
    }
    let output = command
        .output()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

/// A path that metadata names.
pub fn path(metadata: &Value, name: &str) -> PathBuf {
    PathBuf::from(metadata[name].as_str().unwrap_or_default())
}

/// Checks the crate, and returns the folder of its reports, and that which their files are relative to.
///
/// # Errors
/// Where the crate does not compile; what is wrong has been printed then.
pub fn reports(source: &Source) -> Result<(PathBuf, PathBuf), String> {
    let metadata = metadata(false)?;
    let folder = path(&metadata, "target_directory").join("loopwright");
    fs::create_dir_all(&folder)
        .map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    let began = mark(&folder)?;
    let mut command = cargo();
    command.args(["check", "--message-format=json-render-diagnostics"]);
    if let Some(package) = &source.package {
        command.args(["--package", package]);
    }
    command
        .args(&source.rest)
        .env(VARIABLE, &folder)
        .stderr(Stdio::inherit());
    let output = command
        .output()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    if !output.status.success() {
        return Err("the crate has errors".to_owned());
    }
    for name in built_anew(&String::from_utf8_lossy(&output.stdout)) {
        remove_older(&folder.join(name), began)?;
    }
    Ok((folder, path(&metadata, "workspace_root")))
}

/// The time by the clock of the folder's file system.
fn mark(folder: &Path) -> Result<SystemTime, String> {
    let file = folder.join(".began");
    let written = fs::write(&file, "").and_then(|()| fs::metadata(&file)?.modified());
    written.map_err(|error| format!("{} cannot be written: {error}", file.display()))
}

/// The crates of which everything that was asked for was compiled: all of their kernels have new reports.
fn built_anew(messages: &str) -> Vec<String> {
    let mut fresh: BTreeMap<String, bool> = BTreeMap::new();
    for line in messages.lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        if message["reason"] != "compiler-artifact" {
            continue;
        }
        let name = message["target"]["name"].as_str().unwrap_or_default();
        let any = fresh.entry(name.replace('-', "_")).or_default();
        *any |= message["fresh"].as_bool().unwrap_or(true);
    }
    let anew = fresh.into_iter().filter(|(_, any)| !any);
    anew.map(|(name, _)| name).collect()
}

/// Removes the reports of kernels that are no longer there.
fn remove_older(folder: &Path, began: SystemTime) -> Result<(), String> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(());
    };
    for entry in entries.flatten() {
        let modified = entry.metadata().and_then(|data| data.modified());
        if modified.is_ok_and(|time| time < began) {
            fs::remove_file(entry.path())
                .map_err(|error| format!("{}: {error}", entry.path().display()))?;
        }
    }
    Ok(())
}

/// Runs a package by its manifest in release, with its output as text.
///
/// # Errors
/// Where it does not compile or does not succeed.
pub fn run(manifest: &Path, target: &Path, flags: Option<&str>) -> Result<String, String> {
    let mut command = cargo();
    command
        .args(["run", "--quiet", "--release", "--manifest-path"])
        .arg(manifest);
    command
        .arg("--target-dir")
        .arg(target)
        .stderr(Stdio::inherit());
    if let Some(flags) = flags {
        command.env("RUSTFLAGS", flags);
    }
    let output = command
        .output()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(text),
        false => Err(format!("{text}{} did not run", manifest.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_are_new_if_all_of_their_targets_are() {
        let message = |name: &str, fresh: bool| {
            format!(
                "{{\"reason\":\"compiler-artifact\",\"target\":{{\"name\":\"{name}\"}},\"fresh\":{fresh}}}\n"
            )
        };
        let messages = message("a-b", false) + &message("c", true) + &message("c", false);
        assert_eq!(
            built_anew(&(messages + "{\"reason\":\"build-finished\"}\nno json")),
            ["a_b"]
        );
    }
}
