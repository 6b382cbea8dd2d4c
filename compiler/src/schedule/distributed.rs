//! Loops whose statements have nothing in common, one after the other.
//!
//! Before, all six arrays are alive together:
//!
//! ```text
//! for i { d[i] = sum(k) a[i, k];  e[i] = sum(k) b[i, k];  f[i] = sum(k) c[i, k]; }
//! ```
//!
//! After, `e` takes the place of `a`, and `f` that of `b`:
//!
//! ```text
//! for i { d[i] = sum(k) a[i, k]; }  for i { e[i] = sum(k) b[i, k]; }  for i { f[i] = sum(k) c[i, k]; }
//! ```
//!
//! Holds: what is computed, and in which order each statement's iterations run. Statements that read an element of the same
//! array stay together, so that it is loaded once; and loops stay as they are unless the buffers of large temporaries take
//! fewer bytes then (loop distribution: Kennedy and McKinley 1993).

use std::collections::{BTreeMap, BTreeSet};

use super::buffers;
use super::dependence::reads;
use super::tree::{Instance, Loop, Node, Schedule, Steps, instances};
use crate::ir::{ArrayId, Program, Role};

/// Loops that are looked at, from the outside to the inside.
const MOST_LOOPS: usize = 64;

/// Distributes loops where large temporaries take less memory then.
pub fn run(program: &Program, schedule: &mut Schedule) {
    let bytes = |schedule: &mut Schedule| {
        buffers::run(program, schedule);
        match schedule.buffers.len() > 1 {
            true => Some(buffers::stored(program, schedule)),
            false => None,
        }
    };
    let Some(mut least) = bytes(schedule) else {
        return;
    };
    let touched = touched(program);
    let mut next = 0;
    while next < MOST_LOOPS {
        let mut found = schedule.clone();
        let mut left = next;
        let Some(parts) = split(&touched, schedule, &mut found.body, &mut left) else {
            return;
        };
        match (parts > 1).then(|| bytes(&mut found)).flatten() {
            Some(fewer) if fewer < least => {
                (*schedule, least) = (found, fewer);
            }
            _ => next += 1,
        }
    }
}

/// The arrays that each equation touches, but for tables.
fn touched(program: &Program) -> Vec<BTreeSet<ArrayId>> {
    let table = |array: &ArrayId| matches!(program.array(*array).role, Role::Table(_));
    let own = program.equations.iter().zip(reads(program));
    own.map(|(equation, reads)| {
        let reads = reads.iter().map(|access| program.viewed(access.array));
        let all = reads.chain([program.viewed(equation.target.array)]);
        all.filter(|array| !table(array)).collect()
    })
    .collect()
}

/// Puts the parts of a loop in its place, which is so many loops further on; how many there are, if there is that loop.
fn split(
    touched: &[BTreeSet<ArrayId>],
    schedule: &Schedule,
    nodes: &mut Vec<Node>,
    left: &mut usize,
) -> Option<usize> {
    for at in 0..nodes.len() {
        let Node::Loop(inner) = &mut nodes[at] else {
            continue;
        };
        if *left > 0 {
            *left -= 1;
            if let Some(parts) = split(touched, schedule, &mut inner.body, left) {
                return Some(parts);
            }
            continue;
        }
        let plain = inner.steps == Steps::All
            && inner.end.as_constant().is_some()
            && !schedule.is_lane(inner.index)
            && is_simple(&inner.body);
        let groups = match plain {
            true => groups(touched, &inner.body),
            false => Vec::new(),
        };
        let parts = groups.len();
        if parts > 1 {
            let parts = groups.iter().map(|group| Node::Loop(part(inner, group)));
            let parts: Vec<Node> = parts.collect();
            nodes.splice(at..=at, parts);
        }
        return Some(parts);
    }
    None
}

/// Whether nodes are loops and statements alone.
fn is_simple(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| match node {
        Node::Loop(inner) => is_simple(&inner.body),
        Node::Block(_) | Node::Reduction { .. } => true,
        Node::CopyOut(_) | Node::Advance(_) | Node::Zero(_) => false,
    })
}

/// The equations of nodes, those together that have an array in common, in their order.
fn groups(touched: &[BTreeSet<ArrayId>], nodes: &[Node]) -> Vec<BTreeSet<usize>> {
    let mut groups: BTreeMap<usize, (BTreeSet<usize>, BTreeSet<ArrayId>)> = BTreeMap::new();
    for (order, instance) in instances(nodes).into_iter().enumerate() {
        let mut equations = BTreeSet::from([instance.equation]);
        let mut arrays = touched[instance.equation].clone();
        let others: Vec<usize> = groups
            .iter()
            .filter(|(_, (_, others))| !arrays.is_disjoint(others))
            .map(|(first, _)| *first)
            .collect();
        let first = others.first().copied().unwrap_or(order);
        for other in others {
            let (own, more) = groups.remove(&other).unwrap_or_default();
            equations.extend(own);
            arrays.extend(more);
        }
        groups.insert(first, (equations, arrays));
    }
    groups
        .into_values()
        .map(|(equations, _)| equations)
        .collect()
}

/// A loop with some of its equations.
fn part(whole: &Loop, equations: &BTreeSet<usize>) -> Loop {
    let own = |instances: &[Instance]| -> Vec<Instance> {
        let own = instances.iter();
        own.filter(|instance| equations.contains(&instance.equation))
            .cloned()
            .collect()
    };
    let body = whole.body.iter().filter_map(|node| match node {
        Node::Loop(inner) => Some(Node::Loop(part(inner, equations))),
        Node::Block(all) => Some(Node::Block(own(all))),
        Node::Reduction {
            instances,
            loops,
            chains,
        } => Some(Node::Reduction {
            instances: own(instances),
            loops: loops.clone(),
            chains: *chains,
        }),
        Node::CopyOut(_) | Node::Advance(_) | Node::Zero(_) => None,
    });
    let body = body.filter(|node| !instances(std::slice::from_ref(node)).is_empty());
    Loop {
        body: body.collect(),
        ..whole.clone()
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::text::parse;
    use crate::schedule::{Target, Wishes, schedule};

    /// How many temporaries of 3000 numbers are in each buffer, and how many loops there are.
    fn buffers(equations: &str) -> (Vec<usize>, usize) {
        let names = ["a", "b", "c", "d", "e", "f"];
        let temporaries: String = names
            .map(|name| format!("temp {name}: f64[3000]\n"))
            .concat();
        let first: String = names[..3]
            .iter()
            .enumerate()
            .map(|(at, name)| format!("{name}[i] = sum(k) x[k, {at}]*z[i]   for i\n"))
            .collect();
        let text = format!(
            "program p\nindex i: 3000\nindex k: 3000\nparam 0 x: f64[3000, 9]\noutput 1 y: f64[3000]\n\
             param 2 z: f64[3000]\n{temporaries}{first}{equations}\
             y[i] += sum(k) d[k]*x[i, 6] + e[k]*x[i, 7] + f[k]*x[i, 8]   for i\n"
        );
        let target = Target {
            width: 1,
            registers: 16,
        };
        let scheduled = schedule(&parse(&text).unwrap(), target, &Wishes::default()).unwrap();
        let text = crate::schedule::text::print(&scheduled.program, &scheduled.schedule);
        let buffers = scheduled.schedule.buffers.iter().map(Vec::len);
        (buffers.collect(), text.matches("loop i in").count())
    }

    #[test]
    fn what_is_read_apart_is_read_one_after_the_other() {
        let apart = "d[i] = sum(k) a[k]*x[i, 3]   for i\n\
                     e[i] = sum(k) b[k]*x[i, 4]   for i\n\
                     f[i] = sum(k) c[k]*x[i, 5]   for i\n";
        // Each of the sums takes the place of what the one before has read.
        assert_eq!(buffers(apart), (vec![2, 2, 1, 1], 5));
        let one = apart
            .replace("b[k]", "b[k]*a[k]")
            .replace("c[k]", "c[k]*b[k]");
        assert_eq!(buffers(&one), (vec![1; 6], 3));
    }
}
