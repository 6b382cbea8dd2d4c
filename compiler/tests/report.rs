//! The files of reports.

use std::fs;
use std::path::PathBuf;

use loopwright_compiler::{Destination, Settings, expand_under};
use proc_macro2::{TokenStream, TokenTree};
use serde_json::Value;

/// Gathers and scatters, a reduction, a condition, a helper, tables, two kernels.
const TEXT: &str = "
    /// Element matrices.
    pub fn mass(cells: &[[usize; 3]], x: &[[f64; 2]], a: &mut [[[f64; 3]; 3]]) {
        static W: [f64; 3] = tabulate!(triangle, quadrature(2), weights);
        static PHI: [[f64; 3]; 3] = tabulate!(triangle, quadrature(2), lagrange(1));
        for e in 0..cells.len() {
            let det = area(x[cells[e][0]], x[cells[e][1]], x[cells[e][2]]);
            for q in 0..3 { for i in 0..3 { for j in 0..3 {
                a[e][i][j] += W[q] * det.abs() * PHI[q][i] * PHI[q][j];
            } } }
        }
    }
    fn area(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    }
    #[opt(strict)]
    pub fn limited<T: loopwright::Real>(x: &[T], least: T, out: &mut [T]) {
        for i in 1..x.len() {
            let d = x[i] - x[i - 1];
            out[i] += if d < least { least } else { -d.max(x[i]) };
        }
    }
    #[opt(level = 0)]
    pub fn dot(x: &[f32], y: &[f32]) -> f32 {
        let mut sum = 0.0;
        for i in 0..x.len() { sum += x[i] * y[i]; }
        sum
    }";

fn folder(test: &str) -> PathBuf {
    let name = format!("loopwright-{test}-{}", std::process::id());
    std::env::temp_dir().join(name)
}

fn settings(folder: PathBuf) -> Settings {
    let krate = "example".to_owned();
    Settings {
        report: Some(Destination { folder, krate }),
        ..Settings::default()
    }
}

fn expansion(text: &str, settings: &Settings) -> TokenStream {
    let input: TokenStream = format!("::loopwright; {text}").parse().unwrap();
    expand_under(input, settings)
}

/// Tokens without their spacing, one character of punctuation each, and without documentation.
fn leaves(tokens: TokenStream, into: &mut Vec<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                let documents = group.stream().to_string().starts_with("doc");
                into.push(format!("{:?}", group.delimiter()));
                if !documents {
                    leaves(group.stream(), into);
                }
                into.push("end".to_owned());
            }
            TokenTree::Punct(punct) => into.push(punct.as_char().to_string()),
            other => into.push(other.to_string()),
        }
    }
}

#[test]
fn the_code_is_that_of_the_expansion_with_comments() {
    let folder = folder("code");
    let items = expansion(TEXT, &settings(folder.clone()));
    let plain = expansion(TEXT, &Settings::default());
    assert_eq!(items.to_string(), plain.to_string());
    let mut all = String::new();
    for kernel in ["mass", "limited", "dot"] {
        let text = fs::read_to_string(folder.join(format!("example/{kernel}.rs"))).unwrap();
        for part in [
            "    /// # Safety\n",
            "        // ",
            &format!("pub fn {kernel}"),
        ] {
            assert!(text.contains(part), "`{part}` is missing in\n{text}");
        }
        assert!(!text.contains("__comment"), "{text}");
        all.push_str(&text);
    }
    let (mut found, mut wanted) = (Vec::new(), Vec::new());
    leaves(all.parse().unwrap(), &mut found);
    leaves(items, &mut wanted);
    // What is compared with the scope belongs to the block.
    let compared = wanted.split_off(found.len().min(wanted.len()));
    assert!(compared.contains(&"__types".to_owned()), "{compared:?}");
    let differs = found.iter().zip(&wanted).position(|(a, b)| a != b);
    let near = |at: usize| &found[at.saturating_sub(20)..(at + 20).min(found.len())];
    assert_eq!(found.len(), wanted.len(), "{:?}", differs.map(near));
    assert!(differs.is_none(), "{:?}", differs.map(near));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_data_are_complete_and_the_same_each_time() {
    let folder = folder("data");
    let read = || -> Value {
        expansion(TEXT, &settings(folder.clone()));
        let text = fs::read_to_string(folder.join("example/mass.json")).unwrap();
        let mut data: Value = serde_json::from_str(&text).unwrap();
        let times = data["times"].take();
        let stages = times.as_array().unwrap().iter();
        let stages: Vec<&str> = stages.map(|t| t["stage"].as_str().unwrap()).collect();
        for stage in [
            "syntax",
            "lower",
            "code_motion",
            "schedule",
            "verify",
            "emit",
        ] {
            assert!(stages.contains(&stage), "{stages:?}");
        }
        data
    };
    let data = read();
    assert_eq!(data, read());
    assert_eq!(data["kernel"], "mass");
    assert_eq!(data["crate"], "example");
    assert_eq!(data["per"], "e");
    let text = data["text"].as_str().unwrap();
    assert!(
        text.contains("tabulate!(triangle") && text.contains("fn area"),
        "{text}"
    );
    let passes = data["passes"].as_array().unwrap();
    for pass in passes {
        let decisions = pass["decisions"].as_array().unwrap();
        assert!(!decisions.is_empty(), "{pass}");
    }
    // What a pass leaves is what the next one finds.
    for pair in passes.windows(2) {
        assert_eq!(pair[0]["after"], pair[1]["before"]);
    }
    assert_eq!(passes[passes.len() - 1]["after"], data["expansion"]);
    assert_eq!(data["variants"].as_array().unwrap().len(), 3);
    assert!(data["programs"].as_array().unwrap().len() > 1);
    let page = fs::read_to_string(folder.join("example/mass.html")).unwrap();
    let operations = data["expansion"]["add"].to_string();
    assert!(page.contains(&format!("<td>{operations}</td>")));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_runs_as_written_has_a_report_too() {
    let folder = folder("written");
    let text =
        "pub fn turned(x: &mut [f64]) { for i in 0..x.len() { x[i] = x[x.len() - 1 - i]; } }";
    expansion(text, &settings(folder.clone()));
    let text = fs::read_to_string(folder.join("example/turned.json")).unwrap();
    let data: Value = serde_json::from_str(&text).unwrap();
    let note = data["notes"][0].as_str().unwrap();
    assert!(note.starts_with("runs as written"), "{note}");
    assert_eq!(data["source"], data["expansion"]);
    assert!(
        fs::read_to_string(folder.join("example/turned.html"))
            .unwrap()
            .contains("as written")
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_emitted_as_it_stands_has_a_report_too() {
    let folder = folder("verbatim");
    let text = "#[opt(fallback)] pub fn steps(x: f64) -> u32 { let (mut y, mut n) = (x, 0); \
        while y > 1.0 { y *= 0.5; n += 1; } n }";
    expansion(text, &settings(folder.clone()));
    let text = fs::read_to_string(folder.join("example/steps.json")).unwrap();
    let data: Value = serde_json::from_str(&text).unwrap();
    let note = data["notes"][0].as_str().unwrap();
    assert!(note.starts_with("runs as written, by `fallback`"), "{note}");
    assert!(data["text"].as_str().unwrap().starts_with("pub fn steps"));
    let code = fs::read_to_string(folder.join("example/steps.rs")).unwrap();
    assert!(code.contains("pub mod steps"), "{code}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    let file = folder("file");
    fs::write(&file, "").unwrap();
    let text = expansion(TEXT, &settings(file.clone())).to_string();
    assert!(text.contains("compile_error"));
    for part in ["the report of `mass` is not written", "LOOPWRIGHT_REPORT"] {
        assert!(text.contains(part), "{text}");
    }
    fs::remove_file(file).unwrap();
}

/// Kernels whose counts once went several ways.
const COUNTED: &str = "
    /// Loops of constant length around one of run-time length.
    pub fn blocks(x: &[f64], y: &mut [[f64; 5]]) {
        for j in 0..5 { for i in 0..x.len() { y[i][j] += x[i] * (x[i] + 0.5); } }
    }
    /// Two nests that share the name of a loop.
    pub fn nests(x: &[f64], y: &mut [f64], z: &mut [f64]) {
        for i in 0..x.len() { y[i] = 2.0 * x[i] + 1.0; }
        for i in 0..x.len() { z[i] = 3.0 * x[i]; for k in 0..4 { z[i] += x[i] / 7.0; } }
    }
    /// A sum that is read in loops like those that add it up.
    pub fn action(k: &[[f64; 2]; 6], w: &[[f64; 6]], y: &mut [[f64; 6]]) {
        static N: [[f64; 6]; 6] = tabulate!(triangle, quadrature(4), lagrange(2));
        static M: [[[f64; 6]; 6]; 2] = tabulate!(triangle, quadrature(4), lagrange(2), gradient);
        for e in 0..w.len() { for q in 0..6 {
            let mut u = 0.0;
            for r in 0..6 { u += w[e][r] * (k[q][0] * M[0][q][r] + k[q][1] * M[1][q][r]); }
            for i in 0..6 { y[e][i] += u * (k[q][0] * M[0][q][i] + k[q][1] * M[1][q][i]) + N[q][i]; }
        } }
    }
    pub fn triangle(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() { for j in 0..20 { for k in j..20 { y[k] += x[i] * x[j]; } } }
    }";

/// Operations in a count.
fn operations(count: &Value) -> u64 {
    let kinds = ["add", "mul", "div", "compare", "call"];
    kinds.iter().map(|kind| count[kind].as_u64().unwrap()).sum()
}

#[test]
fn operations_are_counted_one_way_from_the_text_to_what_is_emitted() {
    let folder = folder("counted");
    let _ = expansion(&format!("{TEXT}{COUNTED}"), &settings(folder.clone()));
    for name in [
        "mass", "limited", "dot", "blocks", "nests", "action", "triangle",
    ] {
        let path = folder.join(format!("example/{name}.json"));
        let report: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let mut count = operations(&report["source"]);
        for pass in report["passes"].as_array().unwrap() {
            assert_eq!(
                operations(&pass["before"]),
                count,
                "{name}: {}",
                pass["name"]
            );
            count = operations(&pass["after"]);
        }
        assert_eq!(operations(&report["expansion"]), count, "{name}");
    }
    fs::remove_dir_all(folder).unwrap();
}

/// The tags of a page: names, attributes, and whether they are opened, closed or both.
fn tags(page: &str) -> Vec<(&str, &str, bool, bool)> {
    let body = page.split_once("</style>").unwrap();
    let head = body.0.split_once("<style>").unwrap().0;
    let parts = head
        .split('<')
        .chain("style></style>".split('<'))
        .chain(body.1.split('<'));
    let tags = parts
        .filter_map(|part| part.split_once('>'))
        .map(|(tag, _)| tag);
    let tags = tags.filter(|tag| !tag.starts_with('!') && !tag.is_empty());
    let each = tags.map(|tag| {
        let (closes, alone) = (
            tag.starts_with('/'),
            tag.ends_with('/') || tag.starts_with("meta"),
        );
        let inside = tag.trim_matches('/');
        let (name, attributes) = inside.split_once(' ').unwrap_or((inside, ""));
        (name, attributes, !closes, closes || alone)
    });
    each.collect()
}

#[test]
fn pages_are_well_formed_and_every_link_has_its_target() {
    let folder = folder("pages");
    let stencil = "pub fn heat(u: &[f64], v: &mut [f64]) {
        for i in 1..u.len() - 1 { v[i] = u[i - 1] - 2.0 * u[i] + u[i + 1]; }
    }
    pub fn turned(x: &mut [f64]) { for i in 0..x.len() { x[i] = x[x.len() - 1 - i]; } }";
    expansion(&format!("{TEXT}{stencil}"), &settings(folder.clone()));
    for name in ["mass", "limited", "dot", "heat", "turned"] {
        let page = fs::read_to_string(folder.join(format!("example/{name}.html"))).unwrap();
        let (mut open, mut names, mut links) =
            (Vec::new(), std::collections::BTreeSet::new(), Vec::new());
        for (tag, attributes, opens, closes) in tags(&page) {
            if opens {
                open.push(tag);
            }
            if closes {
                assert_eq!(open.pop(), Some(tag), "{name}");
            }
            let value = |key: &str| {
                let rest = attributes.split_once(&format!("{key}=\""))?.1;
                Some(rest.split_once('"').unwrap().0)
            };
            if let Some(id) = value("id") {
                assert!(names.insert(id), "{name} has two parts called {id}");
            }
            links.extend(value("href"));
            assert!(value("src").is_none(), "{name} loads {attributes}");
        }
        assert!(open.is_empty(), "{name}: {open:?}");
        for link in &links {
            assert!(
                names.contains(link.trim_start_matches('#')),
                "{name}: {link}"
            );
        }
        assert!(
            !page.contains("http") && !page.contains("@import"),
            "{name} loads something"
        );
        assert!(
            !page.contains("__private :: Report {"),
            "{name} repeats its report"
        );
        let optimised = name != "turned";
        for id in ["weighed", "roofline", "l1"] {
            assert_eq!(names.contains(id), optimised, "{name}: {id}");
        }
        // Text, loops and code lead to each other.
        for kind in ["#t", "#l", "#c"] {
            let to = |link: &&&str| link.starts_with(kind) && link[2..].parse::<usize>().is_ok();
            assert_eq!(
                links.iter().any(|link| to(&link)),
                optimised,
                "{name}: {kind}"
            );
        }
    }
    let page = fs::read_to_string(folder.join("example/heat.html")).unwrap();
    assert!(page.contains("<code>v</code> reads 3 points of <code>u</code>"));
    rendered(&folder.join("example/mass.html"));
    fs::remove_dir_all(folder).unwrap();
}

/// Renders a page in light and dark, where there is a browser for it.
fn rendered(page: &std::path::Path) {
    let browsers = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
    ];
    let picture = |browser: &str, scheme: u8| {
        let file = page.with_extension(format!("{scheme}.png"));
        let run = std::process::Command::new(browser)
            .args([
                "--headless",
                "--disable-gpu",
                "--no-sandbox",
                "--window-size=1400,2400",
            ])
            .arg(format!("--blink-settings=preferredColorScheme={scheme}"))
            .arg(format!("--screenshot={}", file.display()))
            .arg(format!("file://{}", page.display()))
            .output();
        run.ok()?;
        fs::read(file).ok()
    };
    let found = browsers
        .iter()
        .find_map(|browser| Some((picture(browser, 0)?, picture(browser, 1)?)));
    match found {
        Some((dark, light)) => assert_ne!(dark, light, "light and dark look the same"),
        None => eprintln!("no browser renders {}: not looked at", page.display()),
    }
}
