//! The index of pages: one for each crate, by modules and lines, and one of all crates.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::kernels::Kernel;

const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: .2rem .7rem; text-align: left; border-bottom: 1px solid #8884; vertical-align: top; }
.number { text-align: right; }
";

/// Writes the indices; returns the one to open: that of the crate where there is but one.
///
/// # Errors
/// What cannot be written.
pub fn write(folder: &Path, kernels: &[Kernel]) -> Result<PathBuf, String> {
    let mut crates: BTreeMap<&Path, Vec<&Kernel>> = BTreeMap::new();
    for kernel in kernels {
        let inside = kernel.page.parent().unwrap_or(folder);
        crates.entry(inside).or_default().push(kernel);
    }
    let mut list = String::from("<ul>\n");
    let mut last = folder.join("index.html");
    for (inside, kernels) in &crates {
        let krate = escaped(&kernels[0].krate);
        last = inside.join("index.html");
        save(&last, &page(&krate, &of_crate(kernels)))?;
        let link = inside.file_name().unwrap_or_default().to_string_lossy();
        let _ = writeln!(
            list,
            "<li><a href=\"{}/index.html\"><code>{krate}</code></a>, {}</li>",
            address(&link),
            match kernels.len() {
                1 => "one kernel".to_owned(),
                number => format!("{number} kernels"),
            }
        );
    }
    list.push_str("</ul>\n");
    let all = folder.join("index.html");
    save(&all, &page("kernels", &list))?;
    Ok(if crates.len() == 1 { last } else { all })
}

fn save(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1><code>{title}</code></h1>\n{body}</body>\n</html>\n"
    )
}

/// A table a module, with a row a kernel.
fn of_crate(kernels: &[&Kernel]) -> String {
    let mut modules: BTreeMap<(&str, &str), Vec<&Kernel>> = BTreeMap::new();
    for kernel in kernels {
        modules
            .entry((&kernel.module, &kernel.file))
            .or_default()
            .push(kernel);
    }
    let mut out = String::new();
    for ((module, file), kernels) in modules {
        let module = match module {
            "" => String::new(),
            module => format!("<code>{}</code>, ", escaped(module)),
        };
        let _ = writeln!(out, "<h2>{module}{}</h2>", escaped(file));
        out.push_str("<table>\n<tr><th>line</th><th>kernel</th><th>what became of it</th></tr>\n");
        for kernel in kernels {
            let name = kernel
                .page
                .file_name()
                .unwrap_or_default()
                .to_string_lossy();
            let _ = writeln!(
                out,
                "<tr><td class=\"number\">{}</td><td><a href=\"{}\"><code>{}</code></a></td><td>{}</td></tr>",
                kernel.line,
                address(&name),
                escaped(&kernel.name),
                escaped(&kernel.report().verdict().to_string())
            );
        }
        out.push_str("</table>\n");
    }
    out
}

/// A file's name as it stands in a link.
fn address(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
                out.push(char::from(byte))
            }
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
