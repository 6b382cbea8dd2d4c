//! Views of arrays whose neighbours in memory are not those along the last axis.
//!
//! A schedule is chosen for rows: neighbours along the last axis lie together. For views in columns, where that is the
//! first axis, it is chosen for the program whose views have their axes in the other order,
//! ```text
//! y[j, i] = x[j, i] + z[j, i]   for i, j
//! ```
//! which interchanges the loops where that pays; the loop tree is then that of the program as it was. Where
//! neighbours lie apart along all axes, loops without lanes are as good as any: `rustc` keeps pointers that move by
//! strides, and lanes would be put together one by one.
//!
//! Holds: what is computed. Subscripts change places, and change back.

use super::tree::{Node, Schedule};
use super::{Scheduled, jamming, model};
use crate::ir::{Access, Affine, ArrayId, Atom, Extent, IndexId, Program};

/// Rows whose sums go through their loops together, where these have no lanes: as many as hide what an addition
/// waits for.
const TOGETHER: usize = 4;

/// The part of the cycles without lanes that those with lanes take at most where they are taken: the model compares
/// trees of two structures to about a quarter, and counts the own instructions of loops that `rustc` unrolls.
const LANES: f64 = 0.5;

/// Which neighbours of views lie together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Views {
    /// Those along the last axis.
    Rows,
    /// Those along the first axis.
    Columns,
    /// None that are known to.
    Any,
    /// Those along the last axis, and the next ones after these: see [`Records`](super::records::Records).
    Records,
}

impl Views {
    /// The axis along which they do, of so many.
    #[must_use]
    pub fn axis(self, rank: usize) -> Option<usize> {
        match self {
            Views::Rows | Views::Records => rank.checked_sub(1),
            Views::Columns => (rank > 0).then_some(0),
            Views::Any => None,
        }
    }
}

/// The views that lanes move along, by the parameters that they are, and how many axes each has.
#[must_use]
pub fn along(program: &Program, schedule: &Schedule) -> Vec<(usize, usize)> {
    if schedule.width == 1 {
        return Vec::new();
    }
    let lanes: Vec<IndexId> = schedule.lane_loops().collect();
    let moves = |access: &Access| lanes.iter().any(|lane| access.depends_on(*lane));
    let exprs = program.equations.iter().map(|equation| equation.expr);
    let read = program.pool.accesses(exprs).into_iter();
    let read = read.map(|(_, access)| access);
    let written = program.equations.iter().map(|equation| &equation.target);
    let copied = schedule.copies().into_iter().map(|copy| &copy.target);
    let found = read.chain(written).chain(copied).filter_map(|access| {
        let array = program.array(program.viewed(access.array));
        let position = array.role.position().filter(|_| array.strided)?;
        moves(access).then_some((position, array.shape.len()))
    });
    let mut found: Vec<(usize, usize)> = found.collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// A program whose views have their axes in the other order, if any has several. Index maps stay as they are.
#[must_use]
pub fn turned(program: &Program) -> Option<Program> {
    let turns = turning(program);
    if !turns.contains(&true) {
        return None;
    }
    let mut result = program.clone();
    turn(&mut result, &turns);
    Some(result)
}

/// The loop tree of a program that was turned, for that program as it was.
pub fn turn_back(scheduled: &mut Scheduled) {
    let mut both = vec![(&mut scheduled.program, &mut scheduled.schedule)];
    let large = scheduled.large.iter_mut();
    both.extend(large.map(|large| (&mut large.program, &mut large.schedule)));
    for (program, schedule) in both {
        let turns = turning(program);
        turn(program, &turns);
        turn_copies(&mut schedule.body, &turns);
    }
}

/// For each array, whether it is a view of several axes, and no index map.
fn turning(program: &Program) -> Vec<bool> {
    let mut maps = Vec::new();
    for equation in &program.equations {
        let read = program.pool.accesses([equation.expr]).into_iter();
        let read = read.map(|(_, access)| access);
        let subscripts = read.chain([&equation.target]).flat_map(|a| &a.subscripts);
        subscripts.for_each(|subscript| collect_maps(subscript, &mut maps));
    }
    let memories: Vec<ArrayId> = maps.into_iter().map(|map| program.viewed(map)).collect();
    let all = (0..program.arrays.len()).map(|at| ArrayId(at as u32));
    all.map(|array| {
        let of = program.array(program.viewed(array));
        of.strided && of.shape.len() > 1 && !memories.contains(&program.viewed(array))
    })
    .collect()
}

fn collect_maps(subscript: &Affine, maps: &mut Vec<ArrayId>) {
    for (atom, _) in &subscript.terms {
        if let Atom::Map(map, inner) = atom {
            maps.push(*map);
            inner.iter().for_each(|inner| collect_maps(inner, maps));
        }
    }
}

/// Turns the axes of some arrays.
fn turn(program: &mut Program, turns: &[bool]) {
    change(program, |access| {
        if turns[access.array.0 as usize] {
            access.subscripts.reverse();
        }
    });
    let arrays = program.arrays.iter_mut().zip(turns);
    let turned = arrays.filter(|(_, turns)| **turns);
    turned.for_each(|(array, _)| array.shape.reverse());
}

/// The loop tree for views whose neighbours may lie anywhere: of the one for rows and the one without lanes that which
/// takes fewer cycles so.
#[must_use]
pub fn anywhere(rows: &Scheduled, without: &Scheduled) -> Scheduled {
    let mut result = without.clone();
    jamming::sums(&result.program, &mut result.schedule, TOGETHER);
    let alone = model::estimate(&result.program, &result.schedule);
    let lanes = model::estimate(&apart(&rows.program), &rows.schedule);
    match lanes < LANES * alone {
        true => rows.clone(),
        false => result,
    }
}

/// A program whose views have one more axis, of one element: neighbours along all others lie apart.
fn apart(program: &Program) -> Program {
    let mut result = program.clone();
    let all = (0..program.arrays.len()).map(|at| ArrayId(at as u32));
    let strided: Vec<bool> = all
        .map(|array| program.array(program.viewed(array)).strided)
        .collect();
    change(&mut result, |access| {
        if strided[access.array.0 as usize] {
            access.subscripts.push(Affine::constant(0));
        }
    });
    let views = result.arrays.iter_mut().zip(&strided);
    let views = views.filter(|(_, strided)| **strided);
    views.for_each(|(array, _)| array.shape.push(Extent::RunTime(Affine::constant(1))));
    result
}

fn change(program: &mut Program, change: impl Fn(&mut Access)) {
    program.pool.change_accesses(&change);
    let equations = program.equations.iter_mut();
    equations.for_each(|equation| change(&mut equation.target));
    for mirror in &mut program.mirrors {
        change(&mut mirror.from);
        change(&mut mirror.to);
    }
}

fn turn_copies(nodes: &mut [Node], turns: &[bool]) {
    for node in nodes {
        match node {
            Node::Loop(l) => turn_copies(&mut l.body, turns),
            Node::CopyOut(copy) if turns[copy.target.array.0 as usize] => {
                copy.target.subscripts.reverse();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;
    use crate::schedule::{Target, Wishes, schedule};

    const TARGET: Target = Target {
        width: 8,
        registers: 32,
    };

    /// A program over views of two axes.
    fn program(equation: &str) -> Program {
        let program = format!(
            "program p\nindex i: len(y)\nindex j: len(y, 1)\n\
             param 0 x: f64[len(x), len(x, 1)] strided\noutput 1 y: f64[len(y), len(y, 1)] strided\n\
             state 1 y_held: f64[len(y), len(y, 1)]\n{equation}   for i, j\n"
        );
        text::parse(&program).unwrap()
    }

    fn found(program: &Program) -> Scheduled {
        schedule(program, TARGET, &Wishes::default()).unwrap()
    }

    #[test]
    fn in_columns_lanes_run_over_the_first_axis() {
        let program = program("y[i, j] = x[i, j] * y_held[i, j] + 1");
        let rows = found(&program);
        let mut columns = found(&turned(&program).unwrap());
        turn_back(&mut columns);
        let over = |scheduled: &Scheduled| {
            let lane = scheduled.schedule.lanes.unwrap();
            scheduled.program.loop_index(lane).name.clone()
        };
        assert_eq!((over(&rows), over(&columns)), ("j".into(), "i".into()));
        assert_eq!(columns.program.equations, program.equations);
        assert_eq!(columns.program.arrays, program.arrays);
        assert!(columns.program.pool.is_same(&program.pool));
        let both = [(0, 2), (1, 2)];
        assert_eq!(along(&columns.program, &columns.schedule), both);
    }

    #[test]
    fn views_that_lanes_pass_by_may_lie_anyhow() {
        let program = text::parse(
            "program p\nindex i: len(y)\nindex j: len(y, 1)\nindex k: len(x, 1)\n\
             param 0 x: f64[len(x), len(x, 1)] strided\noutput 1 y: f64[len(y), len(y, 1)] strided\n\
             param 2 z: f64[len(z), len(z, 1)] strided\n\
             y[i, j] += x[i, k] * z[k, j]   for i, j, k\n",
        );
        let rows = found(&program.unwrap());
        assert_eq!(along(&rows.program, &rows.schedule), [(1, 2), (2, 2)]);
    }

    #[test]
    fn lanes_are_put_together_where_elements_take_long() {
        let of = |equation: &str| {
            let program = program(equation);
            let one = Target { width: 1, ..TARGET };
            let without = schedule(&program, one, &Wishes::default()).unwrap();
            anywhere(&found(&program), &without).schedule.width
        };
        assert_eq!(of("y[i, j] = 2 * x[i, j]"), 1);
        assert_eq!(of("y[i, j] = exp(x[i, j])"), 8);
    }
}
