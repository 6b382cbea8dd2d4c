//! Text, loops and code beside each other: lines that are about one array have its colour, and lead to each
//! other.
//!
//! Comments of the code and of loop trees name what an equation writes. What the text says of it are the
//! lines that write the array, or, of a temporary that no line names, those that read what its value is
//! computed from.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::Details;
use super::page::escaped;
use crate::ir::{ArrayId, Program, Role};
use crate::lower::Lowered;

/// Colours, which are taken in turn.
pub const COLOURS: usize = 8;
/// Most arrows before a line.
const MOST: usize = 4;

/// An array that equations write, and the lines of the text's file that say so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// Its name in programs.
    pub array: String,
    /// The lines.
    pub lines: BTreeSet<usize>,
}

/// The lines of the text that write and read each array, by its name.
struct Mentioned {
    written: BTreeMap<String, BTreeSet<usize>>,
    read: BTreeMap<String, BTreeSet<usize>>,
}

/// Adds what the equations of a program write to the links; `tree` says which arrays are copied to others.
pub fn link(program: &Program, tree: &str, lowered: &Lowered, links: &mut Vec<Link>) {
    let name = |array: ArrayId| {
        let array = lowered.program.viewed(array);
        lowered.program.array(array).name.clone()
    };
    let mut mentioned = Mentioned {
        written: BTreeMap::new(),
        read: BTreeMap::new(),
    };
    for (equation, span) in lowered.program.equations.iter().zip(&lowered.spans) {
        let lines = mentioned.written.entry(name(equation.target.array));
        lines.or_default().insert(span.line());
    }
    for (array, span) in &lowered.read {
        let lines = mentioned.read.entry(name(*array));
        lines.or_default().insert(span.line());
    }
    let mut computed: BTreeMap<ArrayId, BTreeSet<usize>> = BTreeMap::new();
    for equation in &program.equations {
        let target = program.viewed(equation.target.array);
        let array = program.array(target);
        let lines = match mentioned.written.get(&array.name) {
            Some(lines) => lines.clone(),
            None => mentioned.of_value(program, equation.expr, &computed),
        };
        computed.entry(target).or_default().extend(&lines);
        // Arrays that are written more than once have a name for each state.
        for name in [&array.name, &program.array(equation.target.array).name] {
            match links.iter_mut().find(|link| link.array == *name) {
                Some(link) => link.lines.extend(&lines),
                None => links.push(Link {
                    array: name.clone(),
                    lines: lines.clone(),
                }),
            }
        }
    }
    for (from, to) in tree.lines().filter_map(copied) {
        let lines = mentioned.written.get(to).into_iter().flatten();
        if let Some(link) = links.iter_mut().find(|link| link.array == from) {
            link.lines.extend(lines);
        }
    }
}

/// What a line of a loop tree copies, and where to: `copy t over row into a[e, row] +=`.
fn copied(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start().strip_prefix("copy ")?;
    let (from, to) = (rest.split_once(' ')?.0, rest.split_once(" into ")?.1);
    Some((from, to.split('[').next().unwrap_or(to)))
}

impl Mentioned {
    /// The lines that read what a value is computed from: from outside, or else what other equations computed.
    fn of_value(
        &self,
        program: &Program,
        expr: crate::ir::ExprId,
        computed: &BTreeMap<ArrayId, BTreeSet<usize>>,
    ) -> BTreeSet<usize> {
        let (mut outside, mut inside) = (BTreeSet::new(), BTreeSet::new());
        for (_, access) in program.pool.accesses([expr]) {
            let array = program.viewed(access.array);
            let of = &program.array(array);
            if let Some(lines) = self.read.get(&of.name) {
                outside.extend(lines);
            } else if matches!(of.role, Role::Temporary) {
                inside.extend(computed.get(&array).into_iter().flatten());
            }
        }
        match outside.is_empty() {
            true => inside,
            false => outside,
        }
    }
}

/// A listing's lines, and which array each is about, where it begins to be.
struct Listing<'t> {
    /// What its lines' names begin with.
    prefix: char,
    lines: Vec<&'t str>,
    about: Vec<Vec<usize>>,
    /// Whether a line is the first of what is about its array.
    first: Vec<bool>,
}

impl Listing<'_> {
    /// The first line about an array.
    fn place(&self, link: usize) -> Option<String> {
        let at = self.about.iter().position(|about| about.contains(&link))?;
        Some(format!("{}{}", self.prefix, at + 1))
    }
}

/// The three listings, ready to stand in a page.
pub fn listings(details: &Details, code: &str) -> String {
    let tree = details
        .variants
        .first()
        .map_or("", |best| best.tree.as_str());
    let text = of_text(details);
    let loops = of_comments(tree, 'l', &details.links);
    let code = of_comments(code, 'c', &details.links);
    let all = [&text, &loops, &code];
    let numbers: Vec<String> = (0..text.lines.len())
        .map(|at| match details.lines.get(at) {
            Some(0) | None => String::new(),
            Some(line) => line.to_string(),
        })
        .collect();
    let mut out = String::from("<div class=\"columns\">\n<div>\n<h3>Text</h3>\n");
    written(&mut out, &text, &[all[2], all[1]], &numbers);
    if !tree.is_empty() {
        let name = &details.variants[0].name;
        let _ = writeln!(out, "<h3>Loops for {}</h3>", escaped(name));
        written(&mut out, &loops, &[all[0], all[2]], &[]);
    }
    out.push_str("</div>\n<div>\n<h3>Code</h3>\n");
    written(&mut out, &code, &[all[0], all[1]], &[]);
    out.push_str("</div>\n</div>\n");
    out
}

fn of_text(details: &Details) -> Listing<'_> {
    let lines: Vec<&str> = details.text.lines().collect();
    let about = (0..lines.len()).map(|at| {
        let line = details.lines.get(at).copied().unwrap_or(0);
        let links = details.links.iter().enumerate();
        let links = links.filter(|(_, link)| line > 0 && link.lines.contains(&line));
        links.map(|(number, _)| number).collect()
    });
    let about: Vec<Vec<usize>> = about.collect();
    Listing {
        prefix: 't',
        first: about.iter().map(|about| !about.is_empty()).collect(),
        lines,
        about,
    }
}

/// A listing with comments that name arrays: what follows one at its depth is about the same.
fn of_comments<'t>(text: &'t str, prefix: char, links: &[Link]) -> Listing<'t> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut about, mut first) = (Vec::new(), Vec::new());
    let mut current: Option<(usize, usize)> = None;
    for line in &lines {
        let depth = line.len() - line.trim_start().len();
        let named = named(line).and_then(|name| links.iter().position(|link| link.array == name));
        let alone = line.trim_start().starts_with("//");
        match named {
            Some(link) if alone => current = Some((link, depth)),
            _ if current.is_some_and(|(_, begun)| depth < begun && !line.is_empty()) => {
                current = None
            }
            _ => {}
        }
        about.push(
            named
                .or(current.map(|(link, _)| link))
                .into_iter()
                .collect(),
        );
        first.push(named.is_some());
    }
    Listing {
        prefix,
        lines,
        about,
        first,
    }
}

/// The array that a line's comment names first: `// a[e, i] += …`, or that it copies.
fn named(line: &str) -> Option<&str> {
    let trimmed = line.trim_start();
    let copied = trimmed
        .strip_prefix("copy ")
        .or(trimmed.strip_prefix("store "));
    let rest = copied.or_else(|| line.split_once("// ").map(|(_, rest)| rest))?;
    let end = rest.find(['[', ' ', ':']).unwrap_or(rest.len());
    Some(rest[..end].trim_matches('`'))
}

/// Writes a listing, with arrows to others before the lines that begin to be about an array.
fn written(out: &mut String, listing: &Listing, others: &[&Listing], numbers: &[String]) {
    out.push_str("<pre>");
    for (at, line) in listing.lines.iter().enumerate() {
        let colour = listing.about[at]
            .first()
            .map_or(String::new(), |link| format!(" h{}", link % COLOURS));
        let _ = write!(
            out,
            "<span class=\"l{colour}\" id=\"{}{}\">",
            listing.prefix,
            at + 1
        );
        match numbers {
            [] => {}
            numbers => {
                let _ = write!(out, "<i>{}</i>", numbers[at]);
            }
        }
        let arrows = listing.about[at]
            .iter()
            .filter(|_| listing.first[at])
            .take(MOST);
        let mut shown = String::new();
        for link in arrows {
            for other in others {
                if let Some(place) = other.place(*link) {
                    let arrow = match other.prefix {
                        't' => "text",
                        'l' => "loops",
                        _ => "code",
                    };
                    let _ = write!(
                        shown,
                        "<a class=\"h{}\" href=\"#{place}\">{arrow}</a>",
                        link % COLOURS
                    );
                }
            }
        }
        let _ = writeln!(out, "{} {shown}</span>", escaped(line));
    }
    out.push_str("</pre>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_name_arrays() {
        assert_eq!(named("    // a[e, i] += x[e]   for e"), Some("a"));
        assert_eq!(named("  eq 0 @ i+1   // v[j + 1] ="), Some("v"));
        assert_eq!(named("// result = sum(a) x[a]"), Some("result"));
        assert_eq!(named("copy t over row into a[e, row] +="), Some("t"));
        assert_eq!(named("let a = b;"), None);
        assert_eq!(
            copied("  copy t over row into a[e, row] +="),
            Some(("t", "a"))
        );
    }

    #[test]
    fn what_follows_a_comment_is_about_its_array() {
        let links = ["a", "b"].map(|name| Link {
            array: name.to_owned(),
            lines: BTreeSet::new(),
        });
        let text = "{\n  // a[i] = 1\n  x;\n    y;\n  // b[i] = 2\n  z;\n}";
        let listing = of_comments(text, 'c', &links);
        let about: Vec<Option<usize>> = listing
            .about
            .iter()
            .map(|about| about.first().copied())
            .collect();
        assert_eq!(
            about,
            [None, Some(0), Some(0), Some(0), Some(1), Some(1), None]
        );
        assert_eq!(listing.place(1).as_deref(), Some("c5"));
    }
}
