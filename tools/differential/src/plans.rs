//! Plans that kernels are given: those that the compiler prints for them, as they are or changed at random.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use loopwright_compiler::{Destination, Settings, expand_under};
use serde_json::Value;

use crate::case::Case;
use crate::expansion::{self, Depth, Expanded};
use crate::support::random::Random;

/// Of 100 kernels so many are given plans.
const PLANNED: usize = 8;

/// Of 100 plans so many are changed.
const CHANGED: usize = 75;

/// Changed plans that are tried, since most of them are not the kernel.
const TRIALS: usize = 6;

/// What a word of a plan may become.
const WORDS: [&str; 13] = [
    "register",
    "memory",
    "lanes",
    "whole",
    "rest",
    "once",
    "register lanes",
    "reduce k",
    "block",
    "memory[_]",
    "memory[run]",
    "ring 2",
    "registers",
];

/// The kernel, or that with plans, where its seed says so: printed ones, or a changed one that is still the kernel.
pub fn perhaps_with_plans(case: Case) -> Case {
    let mut random = Random::new(case.seed.rotate_left(48));
    if !random.chance(PLANNED) {
        return case;
    }
    let text = expansion::at_level(&case.text, 3);
    // A plan says all that these say.
    let said = ["lanes(", "unroll("].iter().any(|own| text.contains(own));
    let plans = printed(&text);
    if said || plans.is_empty() || !text.contains("#[opt(") {
        return case;
    }
    let given = |plans: &[String]| Case {
        text: with_plans(&text, plans),
        ..case.clone()
    };
    if random.chance(CHANGED) {
        for _ in 0..TRIALS {
            let mut changed = plans.clone();
            let at = random.below(plans.len());
            changed[at] = mutated(&plans[at], &mut random);
            let changed = given(&changed);
            if changed.text != given(&plans).text
                && !matches!(
                    expansion::expand(&changed.text, Depth::Variants, false),
                    Expanded::Rejected(_)
                )
            {
                return changed;
            }
        }
    }
    given(&plans)
}

/// A text with the option `plan` in its first attribute `#[opt(…)]`.
pub fn with_plans(text: &str, plans: &[String]) -> String {
    let plans: Vec<String> = plans.iter().map(|plan| format!("r#\"{plan}\"#")).collect();
    let plans = plans.join(", ");
    text.replacen("#[opt(", &format!("#[opt(plan = [{plans}], "), 1)
}

/// The plans of the only kernel of a text, one a width of vectors, without comments: none where it runs as written or
/// is refused.
pub fn printed(text: &str) -> Vec<String> {
    static FOLDERS: AtomicUsize = AtomicUsize::new(0);
    let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
    let folder = format!("loopwright-plans-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(folder);
    let krate = "kernels".to_owned();
    let settings = Settings {
        report: Some(Destination {
            folder: folder.clone(),
            krate,
        }),
        ..Settings::default()
    };
    let tokens = format!("::loopwright; {text}").parse();
    if let Ok(tokens) = tokens {
        let expand = || expand_under(tokens, &settings);
        // What panics is found where the kernel is expanded.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(expand));
    }
    let report = fs::read_to_string(folder.join("kernels").join("kernel.json"));
    let _ = fs::remove_dir_all(&folder);
    let report: Value = report.map_or(Value::Null, |text| {
        serde_json::from_str(&text).unwrap_or_default()
    });
    let variants = report["variants"].as_array().into_iter().flatten();
    let mut plans: Vec<String> = Vec::new();
    for plan in variants.filter_map(|variant| variant["plan"].as_str()) {
        let plan = without_comments(plan);
        if !plans.iter().any(|other| width(other) == width(&plan)) {
            plans.push(plan);
        }
    }
    plans
}

fn without_comments(plan: &str) -> String {
    let lines = plan
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let lines: Vec<&str> = lines
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
        .collect();
    lines.join("\n")
}

/// The number of lanes that a plan is for.
fn width(plan: &str) -> Option<&str> {
    let after = plan.split("schedule width ").nth(1)?;
    after.split_whitespace().next()
}

/// A plan with one change, or two: a number that is another, a line left out, repeated or exchanged with another, or
/// a word in another's place.
pub fn mutated(plan: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = plan.lines().map(str::to_owned).collect();
    for _ in 0..1 + random.weighted(&[3, 1]) {
        if lines.is_empty() {
            break;
        }
        let (at, other) = (random.below(lines.len()), random.below(lines.len()));
        match random.weighted(&[6, 3, 4, 3, 3]) {
            0 => lines[at] = with_another_number(&lines[at], random),
            1 => {
                lines.remove(at);
            }
            2 => lines.swap(at, other),
            3 => lines[at] = with_another_word(&lines[at], random),
            _ => {
                let line = lines[other].clone();
                lines.insert(at, line);
            }
        }
    }
    lines.join("\n")
}

/// A line of which a number is another one near it, or a small one.
fn with_another_number(line: &str, random: &mut Random) -> String {
    let is_digit = |c: char| c.is_ascii_digit();
    let starts = line.char_indices().filter(|(at, c)| {
        let before = line[..*at].chars().next_back();
        is_digit(*c) && !before.is_some_and(is_digit)
    });
    let starts: Vec<usize> = starts.map(|(at, _)| at).collect();
    if starts.is_empty() {
        return line.to_owned();
    }
    let start = random.pick(&starts);
    let rest = &line[start..];
    let end = start + rest.find(|c| !is_digit(c)).unwrap_or(rest.len());
    let number: u64 = line[start..end].parse().unwrap_or(0);
    let near = [
        number.saturating_add(1),
        number.saturating_sub(1),
        number.saturating_mul(2),
        number / 2,
    ];
    let number = random.pick(&[near.as_slice(), &[0, 1, 2, 4, 8]].concat());
    format!("{}{number}{}", &line[..start], &line[end..])
}

/// A line of which one of [`WORDS`] is another, or that has one before its brace.
fn with_another_word(line: &str, random: &mut Random) -> String {
    let (word, other) = (random.pick(&WORDS), random.pick(&WORDS));
    match line.contains(word) {
        true => line.replacen(word, other, 1),
        false => line.replacen(" {", &format!(" {other} {{"), 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALED: &str = "#[opt(level = 3)] pub fn kernel(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() { y[i] = 2.0 * x[i]; } }";

    #[test]
    fn plans_are_printed_for_each_width() {
        let plans = printed(SCALED);
        let widths: Vec<Option<&str>> = plans.iter().map(|plan| width(plan)).collect();
        assert!(
            widths.contains(&Some("1")) && widths.contains(&Some("4")),
            "{plans:?}"
        );
        assert!(plans.iter().all(|plan| !plan.contains("//")), "{plans:?}");
    }

    #[test]
    fn printed_plans_are_taken() {
        let text = with_plans(SCALED, &printed(SCALED));
        let expanded = expansion::expand(&text, Depth::Variants, false);
        assert!(matches!(expanded, Expanded::Built(_)), "{expanded:?}");
    }

    #[test]
    fn changes_follow_from_the_seed() {
        let plan = printed(SCALED).remove(0);
        let change = |seed| mutated(&plan, &mut Random::new(seed));
        assert!((0..20).all(|seed| change(seed) == change(seed)));
        assert!((0..20).any(|seed| change(seed) != plan));
    }
}
