//! Wrong kernels: every message points at the user's own tokens and says what to write instead.

use std::process::Command;

/// Beside cases that run, each of these would be a build of its own: without, one checks all.
#[test]
fn errors() {
    trybuild::TestCases::new().compile_fail("cases/*.rs");
}

#[test]
fn kernels_without_errors() {
    trybuild::TestCases::new().pass("pass/*.rs");
}

/// Where builds write reports.
const VARIABLE: &str = "LOOPWRIGHT_REPORT";

/// The variable is set for a process of its own, which builds the case and runs it.
#[test]
fn builds_write_reports_where_they_are_told() {
    let folder = format!("loopwright-reports-{}", std::process::id());
    let folder = std::env::temp_dir().join(folder);
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "with_reports", "--ignored"])
        .env(VARIABLE, &folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("1 passed"), "{text}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
#[ignore = "needs an environment variable: the test above runs it"]
fn with_reports() {
    assert!(std::env::var_os(VARIABLE).is_some());
    trybuild::TestCases::new().pass("reports/*.rs");
}
