//! Which loop has the lanes, what spoke against the others, and what would make a kernel faster.

use std::collections::BTreeSet;

use crate::analysis::cost::{NOMINAL, nominal};
use crate::diagnostics::Fault;
use crate::emit::Variant;
use crate::ir::{Access, Affine, Atom, Expr, IndexId, Program, Role};
use crate::report::{Facts, LanesFacts};
use crate::schedule::{self, Scheduled, Target};
use crate::syntax::ast::{Elementary, Function, IsaName};

/// Why a recurrence has no lanes.
const WAITS: &str = "each iteration waits for what the one before hands on";

/// The lanes of an instruction set; `per` names the loops that are counted.
pub fn lanes(
    isa: IsaName,
    (scheduled, target): (&Scheduled, Target),
    (program, per): (&Program, &str),
) -> LanesFacts {
    let iterations = iterations(program, per);
    let plain = |name: &str| name.replace('`', "");
    let mut others: Vec<(String, Result<f64, String>)> = Vec::new();
    for (name, cycles) in &scheduled.weighed {
        let none = *name == schedule::NO_LOOP;
        let own = *name == scheduled.over || (none && scheduled.over.is_empty());
        let name = if none { String::new() } else { plain(name) };
        if !own && !others.iter().any(|(other, _)| *other == name) {
            others.push((name, Ok(cycles / iterations)));
        }
    }
    others.sort_by(|(_, one), (_, other)| {
        let cycles = |weighed: &Result<f64, String>| weighed.as_ref().map_or(f64::MAX, |c| *c);
        cycles(one).total_cmp(&cycles(other))
    });
    if target.width > 1 {
        let own = plain(&scheduled.over);
        for (name, reason) in schedule::against(program, target.width) {
            // Another order of loops may have made it possible.
            if name != own && !others.iter().any(|(other, _)| *other == name) {
                others.push((name, Err(reason)));
            }
        }
    }
    LanesFacts {
        isa: format!("{isa:?}").to_lowercase(),
        width: scheduled.schedule.width,
        over: plain(&scheduled.over),
        cycles: scheduled.cycles / iterations,
        with: scheduled.with.clone(),
        others,
    }
}

/// The error of a kernel that asks for lanes where there are none.
pub fn required(
    function: &Function,
    lanes: &LanesFacts,
    (program, target): (&Program, Target),
) -> Option<Fault> {
    let option = function.options.require_lanes.as_ref()?;
    if target.width == 1 || !lanes.over.is_empty() {
        return None;
    }
    let reasons = lanes.others.iter().filter_map(|(name, weighed)| {
        let reason = weighed.as_ref().err()?;
        Some(format!("not over `{name}`: {reason}"))
    });
    let reasons: Vec<String> = reasons.collect();
    let waits = program.recurrence().is_some();
    let why = match (reasons.is_empty(), waits) {
        (true, true) => WAITS.to_owned(),
        (true, false) => "it has no loops".to_owned(),
        (false, _) => reasons.join("; "),
    };
    let help = match waits {
        true => "let lanes run over a loop around it, over rows or channels, say",
        false => {
            "let a loop of run-time length, or the innermost one, write an element of its own in each iteration"
        }
    };
    let message = format!("`{}` has no lanes for {}: {why}", function.name, lanes.isa);
    Some(Fault::new(option.span(), message, help))
}

/// How often the loops run that are counted, nominally.
pub fn iterations(program: &Program, per: &str) -> f64 {
    let length = |name: &str| {
        let mut named = program.indices.iter().filter(|index| index.name == name);
        named
            .next()
            .map_or(NOMINAL, |index| nominal(program, &index.extent)) as f64
    };
    match per {
        "call" => 1.0,
        loops => {
            // Cycles are those of one step.
            let around = usize::from(program.repeated.is_some());
            loops.split(", ").skip(around).map(length).product()
        }
    }
}

/// What would make a kernel faster that runs as written.
pub fn as_written(help: &str, line: usize) -> Option<String> {
    (!help.is_empty() && help != super::REPORT_IT).then(|| format!("line {line}: {help}"))
}

/// What would make a kernel with lanes faster, in words about its text.
pub fn faster(
    function: &Function,
    facts: &Facts,
    (program, variants): (&Program, &[Variant]),
) -> Vec<String> {
    let mut result = Vec::new();
    let best = facts.lanes.first();
    if best.is_some_and(|lanes| lanes.over.is_empty() && lanes.isa != "scalar") {
        let waits = program.recurrence().is_some();
        result.extend(without_lanes(function, facts, waits));
    }
    let widest = variants.iter().find(|v| v.schedule.lanes.is_some());
    if let Some(lane) = widest.and_then(|v| v.schedule.lanes.map(|lane| (v, lane))) {
        result.extend(far_apart(&lane.0.program, lane.1));
    }
    if function.options.keeps_operations() {
        result.extend(calls(program));
    }
    let moved = facts.traffic.read + facts.traffic.written;
    let operations = facts.expansion.operations();
    if moved > 0 && 8 * operations <= moved && !facts.lanes.is_empty() {
        result.push(format!(
            "it moves {moved} bytes for {operations} operations: beyond the caches memory sets its speed, so do \
             more with what is loaded, in one kernel with those before or after it"
        ));
    }
    result
}

/// Says of the lanes of an instruction set what is done where arrays are large.
pub fn large(facts: &mut Facts, isa: IsaName, scheduled: &Scheduled) {
    let said = scheduled
        .large
        .as_ref()
        .and_then(|large| large.said.as_ref());
    let own = facts.lanes.iter_mut().find(|lanes| lanes.isa == isa.name());
    if let (Some(said), Some(own)) = (said, own)
        && !own.with.contains(said.as_str())
    {
        let apart = if own.with.is_empty() { "" } else { "; " };
        own.with = format!("{}{apart}of arrays beyond a core's caches {said}", own.with);
    }
}

/// Why a program has no lanes; whether its iterations wait for each other.
fn without_lanes(function: &Function, facts: &Facts, waits: bool) -> Option<String> {
    let others = facts.lanes.first()?.others.iter();
    let weighed = others.filter(|(_, weighed)| weighed.is_ok()).count();
    Some(match (weighed, function.options.keeps_operations()) {
        (0, true) => "sums keep the order of the text at this level: from level 2 on they may have lanes".to_owned(),
        (0, false) if waits => format!("{WAITS}: lanes could run over a loop around it, over rows or channels, say"),
        (0, false) => "no loop can have lanes: write results in a loop of run-time length, an element of its own in each iteration".to_owned(),
        _ => "lanes would take longer by the model; `#[opt(lanes(…))]` takes them all the same".to_owned(),
    })
}

/// Reads and writes whose neighbouring lanes are apart in memory by a length known at run time only, or by
/// an index map.
fn far_apart(program: &Program, lane: IndexId) -> Vec<String> {
    let (mut strided, mut mapped) = (BTreeSet::new(), BTreeSet::new());
    for equation in &program.equations {
        let accesses = program.pool.accesses([equation.expr]).into_iter();
        let accesses = accesses.map(|(_, access)| access);
        for access in accesses.chain([&equation.target]) {
            let array = program.array(program.viewed(access.array));
            if !matches!(array.role, Role::Parameter(_) | Role::Output(_)) {
                continue;
            }
            let moves = |s: &Affine| s.depends_on(lane);
            if access.subscripts.iter().any(|s| in_map(s, lane)) {
                mapped.insert(array.name.as_str());
            } else if access.subscripts.iter().any(moves) && is_far(program, access, lane) {
                strided.insert(array.name.as_str());
            }
        }
    }
    let name = &program.loop_index(lane).name;
    let list = |names: &BTreeSet<&str>| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        names.join(", ")
    };
    let mut result = Vec::new();
    if !strided.is_empty() {
        result.push(format!(
            "lanes over `{name}` take elements of {} that are far apart: let `{name}` be its last subscript, by a \
             transposed array",
            list(&strided)
        ));
    }
    if !mapped.is_empty() {
        result.push(format!(
            "{} is reached through an index map, a lane at a time: number what it holds so that neighbours are \
             used together",
            list(&mapped)
        ));
    }
    result
}

fn in_map(subscript: &Affine, lane: IndexId) -> bool {
    subscript.terms.iter().any(|(atom, _)| match atom {
        Atom::Map(_, inner) => inner.iter().any(|s| s.depends_on(lane)),
        _ => false,
    })
}

/// Whether dimensions of run-time extent lie inside the one that a lane moves along.
fn is_far(program: &Program, access: &Access, lane: IndexId) -> bool {
    let shape = &program.array(access.array).shape;
    let along = access.subscripts.iter().position(|s| s.depends_on(lane));
    let inner = along.map_or(shape.len(), |at| at + 1).min(shape.len());
    shape[inner..]
        .iter()
        .any(|extent| extent.as_constant().is_none())
}

/// Functions that are the standard library's where operations keep their bits, and otherwise are computed for all
/// lanes at once.
fn calls(program: &Program) -> Option<String> {
    let name = |expr| match program.pool.get(expr) {
        Expr::Call(function, _) => match function {
            Elementary::Exp => Some("exp"),
            Elementary::Ln => Some("ln"),
            Elementary::Sin => Some("sin"),
            Elementary::Cos => Some("cos"),
            Elementary::Tan => Some("tan"),
            Elementary::Tanh => Some("tanh"),
            Elementary::Powf => Some("powf"),
            _ => None,
        },
        _ => None,
    };
    let names: BTreeSet<&str> = program.reachable().into_iter().filter_map(name).collect();
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| {
        format!(
            "{} is called for one number after another, whatever the lanes: from level 2 on, without `strict`, all \
             lanes are computed at once",
            names.join(", ")
        )
    })
}
