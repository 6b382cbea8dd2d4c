//! Names of temporaries.

use crate::collections::HashSet;
use crate::ir::{Array, Expr, ExprId, Program};

/// Names are made of parts up to this length.
const LONGEST: usize = 24;

/// A name that says what a temporary holds: the arrays it comes from.
pub fn name(program: &Program, expr: ExprId) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut seen = HashSet::default();
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        if !seen.insert(expr) {
            continue;
        }
        if let Expr::Access(access) = program.pool.get(expr) {
            let Array { name, .. } = program.array(access.array);
            let base = name
                .trim_end_matches(|c: char| c.is_ascii_digit())
                .trim_end_matches('_');
            if !parts.iter().any(|p| p == base) {
                parts.push(base.to_owned());
            }
        }
        stack.extend(program.pool.operands(expr).into_iter().rev());
    }
    let mut name = String::new();
    for part in parts {
        if !name.is_empty() && name.len() + part.len() >= LONGEST {
            break;
        }
        if !name.is_empty() {
            name.push('_');
        }
        name.push_str(&part);
    }
    if name.is_empty() {
        "constant".to_owned()
    } else {
        name
    }
}
