//! Making a kernel that fails smaller, for as long as it fails in the same way.
//!
//! Lines, whole loops, operands, parameters and options are left out one after another. What is
//! left need not make sense, it only has to be a kernel: what the compiler or `rustc` refuses does
//! not fail in the same way.

use crate::batch::Kind;
use crate::case::Case;

/// The smallest kernel that was found. `kind` says how a kernel fails, if it does.
pub fn minimise(case: &Case, kind: &mut dyn FnMut(&Case) -> Option<Kind>) -> Case {
    let mut best = case.clone();
    let Some(wanted) = kind(&best) else {
        return best;
    };
    loop {
        let before = best.text.len();
        for candidates in [without_lines, without_operands, without_parameters] {
            let mut at = 0;
            // Candidates are made anew after each success, and those before it are not tried again.
            while let Some(text) = candidates(&best.text).into_iter().nth(at) {
                match Case::parse(&text) {
                    // What is exact by an option would no longer be.
                    Ok(smaller) if smaller.exact && !text.contains("#[opt(") => at += 1,
                    Ok(smaller) if kind(&smaller) == Some(wanted) => best = smaller,
                    _ => at += 1,
                }
            }
        }
        if best.text.len() == before {
            return best;
        }
    }
}

/// The text without a line, or without a block from its first line to its last one.
fn without_lines(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let depth = |line: &str| {
        let count = |c: char| line.matches(c).count() as i64;
        count('{') - count('}')
    };
    let kept = |start: usize, end: usize| {
        let rest = lines[..start].iter().chain(&lines[end..]);
        rest.map(|line| format!("{line}\n")).collect::<String>()
    };
    let mut result = Vec::new();
    for start in 0..lines.len() {
        if lines[start].starts_with("//") {
            continue;
        }
        let mut open = 0;
        let block = lines[start..].iter().position(|line| {
            open += depth(line);
            open <= 0
        });
        match block {
            Some(length) if open == 0 => {
                result.push(kept(start, start + length + 1));
                // A loop without its first and last line.
                if length > 1 && !lines[start].contains("fn ") {
                    let inside = lines[start + 1..start + length].iter();
                    let all = lines[..start].iter().chain(inside);
                    let all = all.chain(&lines[start + length + 1..]);
                    result.push(all.map(|line| format!("{line}\n")).collect());
                }
            }
            _ => {}
        }
    }
    result
}

/// The text with an operand of a binary operator left out.
fn without_operands(text: &str) -> Vec<String> {
    let mut result = Vec::new();
    for operator in [" + ", " - ", " * ", " / "] {
        for (at, _) in text.match_indices(operator) {
            let (before, after) = (&text[..at], &text[at + operator.len()..]);
            let line = before.rfind('\n').map_or(0, |at| at + 1);
            if before[line..].starts_with("//") {
                continue;
            }
            let left = before.len() - operand(before.chars().rev());
            let right = operand(after.chars());
            result.push(format!("{before}{}", &after[right..]));
            result.push(format!("{}{after}", &before[..left]));
        }
    }
    result
}

/// Bytes up to where the parentheses around it end, or to a comma or a semicolon.
fn operand(chars: impl Iterator<Item = char>) -> usize {
    let mut open = 0;
    let mut length = 0;
    let (mut opening, mut closing) = (['('; 3], [')'; 3]);
    for (at, c) in chars.enumerate() {
        if at == 0 && matches!(c, ')' | ']' | '}') {
            (opening, closing) = ([')', ']', '}'], ['(', '[', '{']);
        } else if at == 0 {
            (opening, closing) = (['(', '[', '{'], [')', ']', '}']);
        }
        if opening.contains(&c) {
            open += 1;
        } else if closing.contains(&c) || matches!(c, ',' | ';' | '=' | '\n' | ' ') && open == 0 {
            if open == 0 {
                break;
            }
            open -= 1;
        }
        length += c.len_utf8();
    }
    length
}

/// The text without a parameter, and without an option.
fn without_parameters(text: &str) -> Vec<String> {
    let mut result = Vec::new();
    let names = text.lines().filter_map(|line| {
        let (name, _) = line.strip_prefix("// ")?.split_once(':')?;
        (!name.contains(' ')).then_some(name)
    });
    for name in names {
        let described = format!("// {name}: ");
        let lines = text.lines().filter(|line| !line.starts_with(&described));
        let all: Vec<String> = lines.map(|line| undeclared(line, name)).collect();
        result.push(all.join("\n") + "\n");
    }
    for option in ["// counts ", "#[opt("] {
        let lines = text.lines().filter(|line| !line.starts_with(option));
        let all: Vec<&str> = lines.collect();
        if all.len() < text.lines().count() {
            result.push(all.join("\n") + "\n");
        }
    }
    result
}

/// The line of the kernel's signature without a parameter.
fn undeclared(line: &str, name: &str) -> String {
    if !line.starts_with("pub fn kernel") {
        return line.to_owned();
    }
    let Some((head, rest)) = line.split_once('(') else {
        return line.to_owned();
    };
    let Some((parameters, tail)) = rest.rsplit_once(')') else {
        return line.to_owned();
    };
    let declared = format!("{name}: ");
    let kept: Vec<&str> = parameters
        .split(", ")
        .filter(|p| !p.trim_start_matches("mut ").starts_with(&declared))
        .collect();
    format!("{head}({}){tail}", kept.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_is_left_out() {
        let text = "// seed 1\n// x: slice f64 of n\n// c: number f64\n\
                    // y: output slice f64 of n within 20\n#[opt(level = 2)]\n\
                    pub fn kernel(x: &[f64], c: f64, y: &mut [f64]) {\n    \
                    for i in 0..x.len() {\n        let a = c;\n        \
                    y[i] = x[i] * (c + x[i]) + 2.0;\n    }\n}\n";
        let case = Case::parse(text).expect("it is a case");
        // It fails where an element is squared.
        let small = minimise(&case, &mut |case| {
            let squared = case.text.matches("x[i]").count() == 2;
            squared.then_some(Kind::Difference)
        });
        let wanted = "// seed 1\n// x: slice f64 of n\n// y: output slice f64 of n within 20\n\
                      pub fn kernel(x: &[f64], y: &mut [f64]) {\n        \
                      y[i] = x[i] * (x[i]);\n}\n";
        // The predicate knows no language: the loop and parameters go as far as it allows.
        assert!(small.text.len() <= wanted.len(), "{}", small.text);
        assert!(small.text.contains("x[i]"), "{}", small.text);
    }
}
