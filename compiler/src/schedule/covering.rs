//! Whether a step of a loop has an instance for each of its iterations.
//!
//! Validation runs few iterations of loops that may be long, and meets no more than the first vectors of a step that has
//! many: that none is left out, and none done twice, is seen here.

use std::collections::{BTreeMap, BTreeSet};

use super::tree::{Instance, Loop, Node, Schedule, Steps, offset};
use crate::ir::{IndexId, Program, Role};

/// A loop: its index, first value and step, and which of its steps it takes.
type Around = (IndexId, usize, usize, Steps);

/// Instances of one equation that differ in one offset alone: the equation, the loops between, and the other offsets.
type Alike = (usize, Vec<Around>, Vec<(IndexId, usize)>);

/// Checks the steps of all loops.
///
/// # Errors
/// The equation that a step has too few or too many instances of.
pub fn check(program: &Program, schedule: &Schedule) -> Result<(), String> {
    nodes(program, schedule, &schedule.body)
}

fn nodes(program: &Program, schedule: &Schedule, body: &[Node]) -> Result<(), String> {
    for node in body {
        if let Node::Loop(own) = node {
            if matches!(own.steps, Steps::All | Steps::Whole) {
                covers(program, schedule, own)?;
            }
            nodes(program, schedule, &own.body)?;
        }
    }
    Ok(())
}

/// Checks a step of a loop. What is written to outputs has one instance for each iteration; temporaries may be computed
/// ahead, and for more iterations than one step has.
fn covers(program: &Program, schedule: &Schedule, own: &Loop) -> Result<(), String> {
    let moving = own.with.iter().map(|(index, _)| *index);
    for index in moving.chain([own.index]) {
        let unit = match schedule.is_lane(index) {
            true => schedule.width,
            false => 1,
        };
        if !own.step.is_multiple_of(unit) || own.step == 0 {
            return Err(format!(
                "a step over `{}` takes {} iterations, which are no whole vectors",
                program.loop_index(index).name,
                own.step
            ));
        }
        let mut found: BTreeMap<Alike, Vec<usize>> = BTreeMap::new();
        collect((program, index), &own.body, &mut Vec::new(), &mut found);
        let all = own.step / unit;
        for ((equation, ..), mut offsets) in found {
            offsets.sort_unstable();
            let target = program.array(program.equations[equation].target.array);
            let steps: BTreeSet<usize> = offsets.iter().copied().collect();
            let next = steps.iter().zip(steps.iter().skip(1));
            let regular = next.into_iter().all(|(one, next)| *next == one + unit);
            let exactly = steps.len() == all && offsets.len() == all && offsets[0] == 0;
            let right = match target.role {
                Role::Temporary => steps.len() >= all,
                _ => exactly,
            };
            if !right || !regular {
                return Err(format!(
                    "a step over `{}` takes {} iterations, and `{}` is computed at {offsets:?}",
                    program.loop_index(index).name,
                    own.step,
                    target.name
                ));
            }
        }
    }
    Ok(())
}

/// Collects the offsets of an index of the instances inside of its loop.
fn collect(
    (program, index): (&Program, IndexId),
    body: &[Node],
    loops: &mut Vec<Around>,
    found: &mut BTreeMap<Alike, Vec<usize>>,
) {
    for node in body {
        match node {
            Node::Loop(inner) => {
                let moves = inner.with.iter().any(|(other, _)| *other == index);
                if inner.index != index && !moves {
                    loops.push((inner.index, inner.start, inner.step, inner.steps));
                    collect((program, index), &inner.body, loops, found);
                    loops.pop();
                }
            }
            Node::Block(instances) | Node::Reduction { instances, .. } => {
                let own = |instance: &&Instance| {
                    let mut domain = program.equations[instance.equation].domain();
                    domain.any(|own| own == index)
                };
                for instance in instances.iter().filter(own) {
                    let (alike, offset) = alike(instance, index, loops);
                    found.entry(alike).or_default().push(offset);
                }
            }
            Node::CopyOut(_) | Node::Advance(_) | Node::Zero(_) => {}
        }
    }
}

/// What tells an instance from those that differ in the offset of an index, and that offset.
fn alike(instance: &Instance, index: IndexId, loops: &[Around]) -> (Alike, usize) {
    let mut others = instance.offsets.clone();
    others.retain(|(other, offset)| *other != index && *offset > 0);
    others.sort_unstable();
    let alike = (instance.equation, loops.to_vec(), others);
    (alike, offset(&instance.offsets, index))
}

#[cfg(test)]
mod tests {
    use crate::schedule::text;

    const PROGRAM: &str = "\
program windows
index i: len(x) - 1
index j: len(x)
index r: 4
param 0 x: f64[len(x)]
output 1 y: f64[len(y), 4]
temp s: f64[len(x)]
s[j] = 2 x[j] for j
y[i, r] = s[i] + s[i + 1] for i, r
";

    /// Checks the instances of a step over `i`, after those of `j`.
    fn check(rows: usize, ahead: &[usize], own: &[(usize, usize)]) -> Result<(), String> {
        let program = crate::ir::text::parse(PROGRAM).unwrap();
        let ahead = ahead.iter().map(|j| format!("eq 0 @ j+{j}; "));
        let own = own.iter().map(|(i, r)| format!("eq 1 @ i+{i}, r+{r}; "));
        let tree = format!(
            "schedule width 4 lanes i, j\nstore s: register lanes\n\
             loop i in 0..len(x) - 1 step 12 with j+0 {{ loop r in 0..4 step {rows} {{ \
             block {{ {}{} }} }} }}",
            ahead.collect::<String>(),
            own.collect::<String>()
        );
        let schedule = text::parse(&tree, &program).unwrap_or_else(|e| panic!("{e}\n{tree}"));
        super::check(&program, &schedule)
    }

    #[test]
    fn a_step_is_covered() {
        let (ahead, own) = ([0, 4, 8, 12], [(0, 0), (4, 0), (8, 0)]);
        assert_eq!(check(1, &ahead, &own), Ok(()));
        let rows: Vec<_> = own.iter().flat_map(|(i, _)| [(*i, 0), (*i, 1)]).collect();
        assert_eq!(check(2, &ahead, &rows), Ok(()));
        for wrong in [
            &[(0, 0), (4, 0)][..],
            &[(0, 0), (8, 0)],
            &[(4, 0), (8, 0), (12, 0)],
            &[(0, 0), (4, 0), (8, 0), (12, 0)],
            &[(0, 0), (4, 0), (4, 0), (8, 0)],
            &[(0, 0), (3, 0), (8, 0)],
            &[(0, 0), (1, 0), (4, 0)],
        ] {
            let found = check(1, &ahead, wrong).unwrap_err();
            assert!(
                found.contains("over `i` takes 12 iterations, and `y`"),
                "{found}"
            );
        }
        for at in 0..rows.len() {
            let mut wrong = rows.clone();
            wrong.remove(at);
            assert!(check(2, &ahead, &wrong).is_err(), "{at}");
        }
    }

    #[test]
    fn what_is_computed_ahead_has_no_gaps() {
        let own = [(0, 0), (4, 0), (8, 0)];
        assert_eq!(check(1, &[4, 8, 12], &own), Ok(()));
        for wrong in [&[0, 4][..], &[0, 4, 12], &[0, 8, 12, 16]] {
            let found = check(1, wrong, &own).unwrap_err();
            assert!(
                found.contains("over `j` takes 12 iterations, and `s`"),
                "{found}"
            );
        }
    }
}
