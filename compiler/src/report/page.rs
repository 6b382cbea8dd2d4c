//! A report as a page to look at: one file, which needs nothing else.

use std::fmt::Write as _;

use super::{Details, Facts, LevelFacts, links, stencil, weighed};
use crate::analysis::cost::Cost;

const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 95rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; } h3 { font-size: 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .7rem; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; }
pre { background: #8881; padding: .7rem; overflow: auto; max-height: 40rem; font-size: 13px; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(30rem, 1fr)); gap: 1rem; }
.columns > div { min-width: 0; }
.left { text-align: left; }
.pictures { display: flex; flex-wrap: wrap; gap: 1.5rem; }
figure { margin: 0; max-width: 100%; } figcaption { font-size: 13px; }
nav a { margin-right: .8rem; }
.l { display: block; border-left: 4px solid transparent; padding-left: .4rem; white-space: pre; }
.l i { display: inline-block; width: 3rem; opacity: .6; font-style: normal; }
.l a { font: 11px system-ui, sans-serif; margin-left: .5rem; padding: 0 .3rem; border-radius: 3px; }
.l[class*=h] { border-color: hsl(var(--hue) 60% 50%); background: hsl(var(--hue) 60% 50% / .08); }
.l a { background: hsl(var(--hue) 60% 50% / .3); color: inherit; }
.l:target { background: hsl(var(--hue) 60% 50% / .35); }
.h0 { --hue: 210; } .h1 { --hue: 30; } .h2 { --hue: 120; } .h3 { --hue: 280; }
.h4 { --hue: 0; } .h5 { --hue: 170; } .h6 { --hue: 60; } .h7 { --hue: 320; }
.bar { display: inline-block; height: .7rem; background: #4a7bd0; }
summary { cursor: pointer; }
";

/// The page of a kernel of the crate `krate`.
pub fn page(krate: &str, details: &Details) -> String {
    let facts = &details.facts;
    let (kernel, file) = (escaped(&facts.kernel), escaped(&details.file));
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{kernel}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1><code>{kernel}</code></h1>\n<p>crate <code>{}</code>, {file}, line {}</p>\n",
        escaped(krate),
        details.line
    );
    contents(&mut out, details);
    costs(&mut out, facts);
    weighed::arrangements(&mut out, facts);
    remarks(&mut out, ("notes", "Notes"), &facts.notes);
    remarks(
        &mut out,
        ("faster", "What would make it faster"),
        &facts.advice,
    );
    out.push_str("<h2 id=\"code\">Text, loops and code</h2>\n");
    if !details.links.is_empty() {
        out.push_str("<p>Lines of one colour are about one array, and lead to each other.</p>\n");
    }
    out.push_str(&links::listings(
        details,
        &without_report(&details.expansion),
    ));
    pictures(&mut out, details);
    weighed::roofline(&mut out, facts);
    decisions(&mut out, facts);
    programs(&mut out, details);
    times(&mut out, details);
    out.push_str("</body>\n</html>\n");
    out
}

/// Links to what the page has.
fn contents(out: &mut String, details: &Details) {
    let facts = &details.facts;
    let moved = facts.traffic.read + facts.traffic.written > 0 && facts.expansion.operations() > 0;
    let parts = [
        ("operations", "operations", true),
        ("weighed", "weighed", !facts.lanes.is_empty()),
        ("notes", "notes", !facts.notes.is_empty()),
        ("faster", "faster", !facts.advice.is_empty()),
        ("code", "code", true),
        ("pictures", "pictures", !details.pictures.is_empty()),
        ("roofline", "memory", moved && !facts.lanes.is_empty()),
        ("decisions", "decisions", true),
        ("programs", "programs", true),
    ];
    out.push_str("<nav>");
    for (id, text, _) in parts.iter().filter(|(.., there)| *there) {
        let _ = write!(out, "<a href=\"#{id}\">{text}</a>");
    }
    out.push_str("</nav>\n");
}

/// The code without the constant that says what the page does.
fn without_report(code: &str) -> String {
    let mut out = String::new();
    let mut end: Option<String> = None;
    for line in code.lines() {
        let depth = line.len() - line.trim_start().len();
        let begins = line.trim_start().starts_with("pub const REPORT:") && !line.ends_with("};");
        match &end {
            Some(last) if line == last => end = None,
            Some(_) => {}
            None if begins => {
                let indent = " ".repeat(depth);
                let _ = writeln!(out, "{indent}// pub const REPORT: what stands above.");
                end = Some(format!("{indent}}};"));
            }
            None => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}

/// What is drawn, each with a title.
fn pictures(out: &mut String, details: &Details) {
    if details.pictures.is_empty() {
        return;
    }
    out.push_str("<h2 id=\"pictures\">Pictures</h2>\n<div class=\"pictures\">\n");
    for (title, picture) in &details.pictures {
        let title = stencil::title(title);
        let _ = writeln!(
            out,
            "<figure><figcaption>{title}</figcaption>\n{picture}</figure>"
        );
    }
    out.push_str("</div>\n");
}

fn costs(out: &mut String, facts: &Facts) {
    let _ = writeln!(
        out,
        "<h2 id=\"operations\">Operations per {}</h2>",
        escaped(&facts.per)
    );
    out.push_str("<table>\n<tr><th></th>");
    let names = ["add", "mul", "div", "compare", "call", "total"];
    for name in names.into_iter().chain(["temporary bytes", "table bytes"]) {
        let _ = write!(out, "<th>{name}</th>");
    }
    out.push_str("<th></th></tr>\n");
    let passes = facts
        .passes
        .iter()
        .map(|pass| (pass.name.as_str(), &pass.after));
    let mut rows = vec![("as written", &facts.source)];
    rows.extend(passes);
    rows.push(("as expanded", &facts.expansion));
    let once = ("once a call besides", &facts.once);
    rows.extend((facts.once != Cost::default()).then_some(once));
    let named = |level: &LevelFacts| format!("for each of {} {}", level.times, level.per);
    let levels: Vec<(String, &Cost)> = (facts.levels.iter())
        .map(|level| (named(level), &level.cost))
        .filter(|_| facts.levels.len() > 1)
        .collect();
    rows.extend(levels.iter().map(|(name, cost)| (name.as_str(), *cost)));
    let most = rows.iter().map(|(_, cost)| cost.operations()).max();
    for (name, cost) in rows {
        row(out, name, cost, most.unwrap_or(0));
    }
    out.push_str("</table>\n");
}

fn row(out: &mut String, name: &str, cost: &Cost, most: u64) {
    let _ = write!(out, "<tr><td>{}</td>", escaped(name));
    let total = cost.operations();
    let counts = [cost.add, cost.mul, cost.div, cost.compare, cost.call, total];
    for count in counts
        .into_iter()
        .chain([cost.temporary_bytes, cost.table_bytes])
    {
        let _ = write!(out, "<td>{count}</td>");
    }
    let width = 12.0 * total as f64 / most.max(1) as f64;
    let _ = writeln!(
        out,
        "<td style=\"text-align: left\"><span class=\"bar\" style=\"width: {width:.2}rem\"></span></td></tr>"
    );
}

/// What was decided among which alternatives.
fn decisions(out: &mut String, facts: &Facts) {
    out.push_str("<h2 id=\"decisions\">Decisions</h2>\n<dl>\n");
    for pass in &facts.passes {
        let _ = writeln!(out, "<dt><code>{}</code></dt>", escaped(&pass.name));
        for decision in &pass.decisions {
            let _ = writeln!(out, "<dd>{}</dd>", escaped(decision));
        }
    }
    out.push_str("</dl>\n");
}

/// What stopped the compiler and where, or what would be faster, each once.
fn remarks(out: &mut String, (id, title): (&str, &str), remarks: &[String]) {
    if remarks.is_empty() {
        return;
    }
    let _ = writeln!(out, "<h2 id=\"{id}\">{title}</h2>\n<ul>");
    for (at, remark) in remarks.iter().enumerate() {
        if !remarks[..at].contains(remark) {
            let _ = writeln!(out, "<li>{}</li>", escaped(remark));
        }
    }
    out.push_str("</ul>\n");
}

/// The program between the passes, and the loop tree of each variant.
fn programs(out: &mut String, details: &Details) {
    out.push_str("<h2 id=\"programs\">Programs and loop trees</h2>\n");
    for (pass, program) in &details.programs {
        folded(out, &format!("the program after {pass}"), program);
    }
    for variant in &details.variants {
        let text = format!("{}\n{}", variant.program, variant.tree);
        folded(out, &format!("the loops for {}", variant.name), &text);
        folded(
            out,
            &format!("the plan for {}", variant.name),
            &variant.plan,
        );
    }
}

fn times(out: &mut String, details: &Details) {
    out.push_str("<h2>Time of the expansion</h2>\n<table>\n");
    for (stage, time) in &details.times {
        let stage = escaped(stage);
        let _ = writeln!(out, "<tr><td>{stage}</td><td>{time:.3} ms</td></tr>");
    }
    out.push_str("</table>\n");
}

fn folded(out: &mut String, title: &str, text: &str) {
    let (title, text) = (escaped(title), escaped(text));
    let _ = writeln!(
        out,
        "<details><summary>{title}</summary><pre>{text}</pre></details>"
    );
}

/// Text as it stands in a page.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_kernel_is_markup() {
        let wild = "<script>&\"</script>".to_owned();
        let pass = crate::report::PassFacts {
            name: wild.clone(),
            decisions: vec![wild.clone()],
            ..Default::default()
        };
        let details = Details {
            facts: Facts {
                kernel: wild.clone(),
                per: wild.clone(),
                passes: vec![pass],
                notes: vec![wild.clone()],
                ..Facts::default()
            },
            file: wild.clone(),
            text: wild.clone(),
            programs: vec![(wild.clone(), wild.clone())],
            variants: vec![crate::report::VariantText {
                name: wild.clone(),
                program: wild.clone(),
                tree: wild.clone(),
                plan: wild.clone(),
            }],
            pictures: vec![(wild.clone(), String::new())],
            expansion: wild.clone(),
            ..Details::default()
        };
        let page = page(&wild, &details);
        assert!(!page.contains("<script"), "{page}");
        assert!(page.matches("&lt;script&gt;&amp;&quot;").count() > 12);
        let opened = |name: &str| page.matches(&format!("<{name}")).count();
        for name in [
            "html", "body", "table", "tr", "div", "pre", "details", "dl", "ul", "figure", "nav",
        ] {
            let closed = page.matches(&format!("</{name}>")).count();
            assert_eq!(
                opened(&format!("{name}>")) + opened(&format!("{name} ")),
                closed,
                "{name}"
            );
        }
        assert!(!page.contains("http"), "nothing is loaded from elsewhere");
    }
}
