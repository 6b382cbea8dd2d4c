//! Plans in words.

use super::Plan;
use crate::ir::{IndexId, Program};

/// The plan without lanes, in words.
pub const NO_LOOP: &str = "no loop";

/// A plan in words: the loops that have lanes.
pub fn describe(program: &Program, plan: &Plan) -> String {
    let all = plan.lanes.iter().chain(&plan.others);
    let lanes: Vec<IndexId> = match plan.fused.own {
        true => all.copied().collect(),
        false => plan.lanes.into_iter().collect(),
    };
    let lanes = match names(program, &lanes) {
        names if names.is_empty() => NO_LOOP.to_owned(),
        names => names.join(" and "),
    };
    match &plan.blocks {
        Some(blocks) => {
            let block = program.loop_index(blocks.index);
            let count = block.extent.as_constant().unwrap_or(0);
            format!("{lanes} with {count} steps of `{}`", block.name)
        }
        None => lanes,
    }
}

/// Which loops equations share, where each has loops of its own otherwise.
pub fn own_loops(program: &Program, plan: &Plan) -> Option<String> {
    if !plan.fused.own {
        return None;
    }
    let names = names(program, &plan.fused.shared);
    Some(match names.is_empty() {
        true => "each equation in loops of its own".to_owned(),
        false => format!(
            "each equation in loops of its own, but fused along {}",
            names.join(", ")
        ),
    })
}

/// The names of loops, each once.
fn names(program: &Program, loops: &[IndexId]) -> Vec<String> {
    let mut result: Vec<String> = Vec::new();
    for index in loops {
        let name = format!("`{}`", program.loop_index(*index).name);
        if !result.contains(&name) {
            result.push(name);
        }
    }
    result
}
