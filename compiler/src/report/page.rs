//! A report as a page to look at: one file, which needs nothing else.

use std::fmt::Write as _;

use super::{Details, Facts, LevelFacts};
use crate::analysis::cost::Cost;

const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .7rem; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; }
pre { background: #8881; padding: .7rem; overflow: auto; max-height: 40rem; font-size: 13px; }
.columns { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
.columns > div { min-width: 0; }
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
    costs(&mut out, facts);
    decisions(&mut out, facts);
    notes(&mut out, facts);
    texts(&mut out, details);
    variants(&mut out, details);
    times(&mut out, details);
    folded(&mut out, "the expansion", &details.expansion);
    out.push_str("</body>\n</html>\n");
    out
}

fn costs(out: &mut String, facts: &Facts) {
    let _ = writeln!(out, "<h2>Operations per {}</h2>", escaped(&facts.per));
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
    out.push_str("<h2>Decisions</h2>\n<dl>\n");
    for pass in &facts.passes {
        let _ = writeln!(out, "<dt><code>{}</code></dt>", escaped(&pass.name));
        for decision in &pass.decisions {
            let _ = writeln!(out, "<dd>{}</dd>", escaped(decision));
        }
    }
    out.push_str("</dl>\n");
}

/// What stopped the compiler, and where.
fn notes(out: &mut String, facts: &Facts) {
    if facts.notes.is_empty() {
        return;
    }
    out.push_str("<h2>Notes</h2>\n<ul>\n");
    for note in &facts.notes {
        let _ = writeln!(out, "<li>{}</li>", escaped(note));
    }
    out.push_str("</ul>\n");
}

/// The loop nest before and after, and the program between the passes.
fn texts(out: &mut String, details: &Details) {
    let text = escaped(&details.text);
    let _ = writeln!(out, "<h2>Before and after</h2>\n<div class=\"columns\">");
    let _ = writeln!(out, "<div>As written<pre>{text}</pre></div>");
    let best = details.variants.first();
    if let Some(best) = best {
        let (program, tree) = (escaped(&best.program), escaped(&best.tree));
        let name = escaped(&best.name);
        let _ = writeln!(
            out,
            "<div>As expanded for {name}<pre>{program}\n{tree}</pre></div>"
        );
    }
    out.push_str("</div>\n");
    if !details.picture.is_empty() {
        let about =
            "Equations, and which one reads what another computes; equal colours: equal loops";
        let _ = writeln!(out, "<p>{about}</p>\n{}", details.picture);
    }
    for (pass, program) in &details.programs {
        folded(out, &format!("the program after {pass}"), program);
    }
}

fn variants(out: &mut String, details: &Details) {
    if !details.variants.is_empty() {
        out.push_str("<h2>Loop trees</h2>\n");
    }
    for variant in &details.variants {
        let text = format!("{}\n{}", variant.program, variant.tree);
        folded(out, &variant.name, &text);
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
            }],
            expansion: wild.clone(),
            ..Details::default()
        };
        let page = page(&wild, &details);
        assert!(!page.contains("<script"), "{page}");
        assert!(page.matches("&lt;script&gt;&amp;&quot;").count() > 12);
        let opened = |name: &str| page.matches(&format!("<{name}")).count();
        for name in [
            "html", "body", "table", "tr", "div", "pre", "details", "dl", "ul",
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
