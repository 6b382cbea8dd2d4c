//! A report as JSON.

use std::fmt;

use super::{Details, LanesFacts, LevelFacts, Link, PassFacts};
use crate::analysis::cost::Cost;

/// A JSON value.
pub enum Json {
    /// Any text.
    Text(String),
    /// A count.
    Count(u64),
    /// Milliseconds, cycles.
    Number(f64),
    /// A list.
    List(Vec<Json>),
    /// Named values, in order.
    Object(Vec<(&'static str, Json)>),
}

/// The report of a kernel of the crate `krate`.
pub fn report(krate: &str, details: &Details) -> Json {
    let facts = &details.facts;
    let text = |text: &String| Json::Text(text.clone());
    let programs = details.programs.iter().map(|(after, program)| {
        Json::Object(vec![("after", text(after)), ("program", text(program))])
    });
    let variants = details.variants.iter().map(|variant| {
        Json::Object(vec![
            ("name", text(&variant.name)),
            ("program", text(&variant.program)),
            ("loops", text(&variant.tree)),
            ("plan", text(&variant.plan)),
        ])
    });
    let times = details.times.iter().map(|(stage, time)| {
        let stage = Json::Text((*stage).to_owned());
        Json::Object(vec![
            ("stage", stage),
            ("milliseconds", Json::Number(*time)),
        ])
    });
    Json::Object(vec![
        ("kernel", text(&facts.kernel)),
        ("crate", Json::Text(krate.to_owned())),
        ("file", text(&details.file)),
        ("line", Json::Count(details.line as u64)),
        ("per", text(&facts.per)),
        ("source", cost(&facts.source)),
        ("expansion", cost(&facts.expansion)),
        ("once", cost(&facts.once)),
        (
            "levels",
            Json::List(facts.levels.iter().map(level).collect()),
        ),
        (
            "passes",
            Json::List(facts.passes.iter().map(pass).collect()),
        ),
        ("lanes", Json::List(facts.lanes.iter().map(lanes).collect())),
        ("read_bytes", Json::Count(facts.traffic.read)),
        ("written_bytes", Json::Count(facts.traffic.written)),
        ("notes", Json::List(facts.notes.iter().map(text).collect())),
        (
            "advice",
            Json::List(facts.advice.iter().map(text).collect()),
        ),
        ("text", text(&details.text)),
        ("block", text(&details.block)),
        (
            "links",
            Json::List(details.links.iter().map(link).collect()),
        ),
        ("programs", Json::List(programs.collect())),
        ("variants", Json::List(variants.collect())),
        ("times", Json::List(times.collect())),
    ])
}

fn link(link: &Link) -> Json {
    let lines = link.lines.iter().map(|line| Json::Count(*line as u64));
    Json::Object(vec![
        ("array", Json::Text(link.array.clone())),
        ("lines", Json::List(lines.collect())),
    ])
}

fn level(level: &LevelFacts) -> Json {
    Json::Object(vec![
        ("per", Json::Text(level.per.clone())),
        ("times", Json::Text(level.times.clone())),
        ("cost", cost(&level.cost)),
    ])
}

fn pass(pass: &PassFacts) -> Json {
    let decisions = pass.decisions.iter().cloned().map(Json::Text);
    Json::Object(vec![
        ("name", Json::Text(pass.name.clone())),
        ("before", cost(&pass.before)),
        ("after", cost(&pass.after)),
        ("did", Json::Text(pass.did.clone())),
        ("decisions", Json::List(decisions.collect())),
    ])
}

fn lanes(lanes: &LanesFacts) -> Json {
    let text = |text: &String| Json::Text(text.clone());
    let others = lanes.others.iter().map(|(over, weighed)| {
        let weighed = match weighed {
            Ok(cycles) => ("cycles", Json::Number(*cycles)),
            Err(reason) => ("reason", text(reason)),
        };
        Json::Object(vec![("over", text(over)), weighed])
    });
    Json::Object(vec![
        ("isa", text(&lanes.isa)),
        ("width", Json::Count(lanes.width as u64)),
        ("over", text(&lanes.over)),
        ("cycles", Json::Number(lanes.cycles)),
        ("with", text(&lanes.with)),
        ("others", Json::List(others.collect())),
    ])
}

fn cost(cost: &Cost) -> Json {
    Json::Object(vec![
        ("add", Json::Count(cost.add)),
        ("mul", Json::Count(cost.mul)),
        ("div", Json::Count(cost.div)),
        ("compare", Json::Count(cost.compare)),
        ("call", Json::Count(cost.call)),
        ("temporary_bytes", Json::Count(cost.temporary_bytes)),
        ("table_bytes", Json::Count(cost.table_bytes)),
    ])
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(f, 0)
    }
}

impl Json {
    fn print(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, at: usize, depth: usize| {
            let comma = if at > 0 { "," } else { "" };
            write!(f, "{comma}\n{:1$}", "", 2 * depth)
        };
        match self {
            Json::Text(text) => quoted(f, text),
            Json::Count(count) => write!(f, "{count}"),
            Json::Number(time) => write!(f, "{time:.3}"),
            Json::List(values) if values.is_empty() => f.write_str("[]"),
            Json::List(values) => {
                f.write_str("[")?;
                for (at, value) in values.iter().enumerate() {
                    line(f, at, depth + 1)?;
                    value.print(f, depth + 1)?;
                }
                line(f, 0, depth)?;
                f.write_str("]")
            }
            Json::Object(fields) => {
                f.write_str("{")?;
                for (at, (name, value)) in fields.iter().enumerate() {
                    line(f, at, depth + 1)?;
                    quoted(f, name)?;
                    f.write_str(": ")?;
                    value.print(f, depth + 1)?;
                }
                line(f, 0, depth)?;
                f.write_str("}")
            }
        }
    }
}

fn quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            c if c.is_control() => write!(f, "\\u{:04x}", u32::from(c))?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_comes_back() {
        let all: String = (0..0x180).filter_map(char::from_u32).collect();
        let texts = [all.as_str(), "", "a \"quoted\" \\ back\tslash\r\n", "∫ 😀"];
        for text in texts {
            let printed = Json::Text(text.to_owned()).to_string();
            let read: String = serde_json::from_str(&printed).unwrap();
            assert_eq!(read, text);
        }
    }

    #[test]
    fn values_nest() {
        let value = Json::Object(vec![
            ("empty", Json::List(Vec::new())),
            ("none", Json::Object(Vec::new())),
            (
                "list",
                Json::List(vec![Json::Count(u64::MAX), Json::Number(0.25)]),
            ),
        ]);
        let read: serde_json::Value = serde_json::from_str(&value.to_string()).unwrap();
        let wanted = serde_json::json!({ "empty": [], "none": {}, "list": [u64::MAX, 0.25] });
        assert_eq!(read, wanted);
    }
}
