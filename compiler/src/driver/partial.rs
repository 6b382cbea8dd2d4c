//! For which inputs a kernel runs as written.

use std::collections::BTreeSet;

use crate::ir::Affine;
use crate::lower::{self, Lowered};
use crate::syntax::ast::Function;

/// For which inputs the text runs.
pub fn assumptions(function: &Function, lowered: &Lowered) -> Option<String> {
    // Numbers that large are never met, but must not be computed with.
    const LARGE: i64 = 1 << 40;
    let shortened = lower::shortened(function, lowered);
    let kept = |left: &Affine| shortened.iter().any(|shortened| shortened.left == *left);
    let met = lowered.assumed.iter();
    let met = met.filter(|a| a.constant < LARGE && !kept(a) && !lowered.facts.contains(a));
    let below = met.map(|assumed| format!("`{}`", lowered.program.describe(assumed)));
    let below: Vec<String> = below.collect();
    let below = (!below.is_empty()).then(|| format!("{} is negative", below.join(" or ")));
    let expected = lowered.expected.iter();
    let short: BTreeSet<String> = expected
        .map(|reached| lowered.program.array(reached.access.array))
        .map(|array| format!("`{}`", array.name))
        .collect();
    let short: Vec<String> = short.into_iter().collect();
    let short = (!short.is_empty())
        .then(|| format!("{} is too short for what branches read", short.join(" or ")));
    let limited = lowered.program.limited.iter();
    let limited = limited.map(|(array, (least, most))| {
        let name = &lowered.program.array(*array).name;
        format!("`{name}` has an integer outside of {least}..={most}")
    });
    let inputs: Vec<String> = below.into_iter().chain(short).chain(limited).collect();
    let inputs = (!inputs.is_empty()).then(|| inputs.join(" or "))?;
    Some(format!("where {inputs}, the text runs as written"))
}
