//! The operations and bytes of a call, as an expression of the kernel's parameters.

use loopwright_runtime::{Level, Report};

use super::signature::{Kind, Parameter};

/// `Some((operations, bytes))` in Rust, of the lengths and integers of a call; nothing where the report counts in
/// other terms.
pub fn work(report: &Report, parameters: &[Parameter]) -> Option<String> {
    let times = |level: &Level| expression(level.times, parameters);
    let operations: Option<Vec<String>> = report
        .levels
        .iter()
        .map(|level| {
            Some(format!(
                "{}.0 * ({}) as f64",
                level.cost.operations(),
                times(level)?
            ))
        })
        .collect();
    let operations = operations.filter(|terms| !terms.is_empty())?.join(" + ");
    let moved = report.traffic.read + report.traffic.written;
    let each = report.levels.iter().find(|level| level.per == report.per)?;
    let bytes = format!("{moved}.0 * ({}) as f64", times(each)?);
    Some(format!("Some(({operations}, {bytes}))"))
}

/// A number of iterations, in integers that do not overflow; nothing if it has anything but lengths and integers.
fn expression(text: &str, parameters: &[Parameter]) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if end == 0 {
            if !"+-*() ".contains(first) {
                return None;
            }
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (word, behind) = rest.split_at(end);
        rest = behind;
        if word.chars().all(|c| c.is_ascii_digit()) {
            out.push_str(word);
            continue;
        }
        let parameter = parameters.iter().find(|parameter| parameter.name == word)?;
        match parameter.kind {
            Kind::Integer => out.push_str(&format!("({word} as i128)")),
            Kind::Slice => {
                rest = rest.strip_prefix(".len()")?;
                out.push_str(&format!("({word}.len() as i128)"));
            }
            _ => return None,
        }
    }
    (!out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::signature::parameters;

    #[test]
    fn iterations_are_expressions_of_parameters() {
        let parameters = parameters("fn k(n: usize, x: &[f64], y: f64)", "k").unwrap();
        let of = |text: &str| expression(text, &parameters);
        let wanted = "((n as i128) - 2) * (x.len() as i128)";
        assert_eq!(of("(n - 2) * x.len()").as_deref(), Some(wanted));
        for other in ["m", "x.nrows()", "y", "x[0]", ""] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
