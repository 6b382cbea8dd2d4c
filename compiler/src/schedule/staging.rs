//! Results that lanes cannot store where they belong are staged first.
//!
//! Lanes over the mesh loop hold one cell each: an element's matrix entry is a vector over cells,
//! which goes to `[row][column][lane]` and is copied out transposed. Where the target does not run
//! with the lanes, element by element, results are staged row by row.

use super::Plan;
use super::dependence::Dependence;
use crate::ir::{
    Access, Affine, ArrayId, Atom, Combining, Extent, IndexId, Operator, Program, Role,
};
use crate::rewrite::evaluate;

/// A staging array and where its elements go.
#[derive(Clone, Debug)]
pub struct Staged {
    /// The array.
    pub array: ArrayId,
    /// Its equations.
    pub equations: Vec<usize>,
    /// Indices over its dimensions that are copied.
    pub loops: Vec<IndexId>,
    /// Where an element is in it, if not at `loops`.
    pub places: Option<Affine>,
    /// Where it goes.
    pub target: Access,
    /// What they are combined with what is there by, if they are not assigned.
    pub accumulate: Option<Combining>,
    /// It must be zero before the equations run: they add to it.
    pub zero: bool,
}

/// Redirects the equations that need it to staging arrays.
pub fn stage(program: &mut Program, plan: &Plan, dependence: &Dependence) -> Vec<Staged> {
    let Some(lane) = plan.lanes else {
        return Vec::new();
    };
    let mesh = !program.is_constant(lane);
    let mut result = Vec::new();
    for block in blocks(program, plan, lane, dependence) {
        result.extend(whole_rows(program, &block, lane));
    }
    for at in 0..program.equations.len() {
        let target = &program.equations[at].target;
        let output = matches!(program.array(target.array).role, Role::Output(_));
        let moves = program.equations[at].free.contains(&lane);
        if output && moves && !contiguous(target, lane) {
            result.push(single(program, at, lane, mesh));
        }
    }
    result
}

/// Each lane's part of an output, of constant shape, and the equations that write it.
pub struct Block {
    /// The output.
    pub array: ArrayId,
    /// All equations that write it.
    pub equations: Vec<usize>,
    /// The extents of a lane's part.
    pub shape: Vec<usize>,
    /// How they write it.
    pub operator: Operator,
}

impl Block {
    /// New loops over a lane's part.
    pub fn rows(&self, program: &mut Program) -> Vec<IndexId> {
        let rows = self.shape.iter().enumerate();
        rows.map(|(axis, n)| program.add_index(&format!("row{axis}"), Extent::Constant(*n)))
            .collect()
    }
}

/// The outputs of which each lane of the mesh loop has a block.
pub fn blocks(
    program: &Program,
    plan: &Plan,
    lane: IndexId,
    dependence: &Dependence,
) -> Vec<Block> {
    if program.is_constant(lane) {
        return Vec::new();
    }
    let mut arrays: Vec<ArrayId> = Vec::new();
    for equation in &program.equations {
        let array = equation.target.array;
        let output = matches!(program.array(array).role, Role::Output(_));
        if output && equation.free.contains(&lane) && !arrays.contains(&array) {
            arrays.push(array);
        }
    }
    let block = |array| {
        let group: Vec<usize> = (0..program.equations.len())
            .filter(|k| program.equations[*k].target.array == array)
            .collect();
        let apart = !read_between(program, &group, dependence);
        apart.then(|| block(program, plan, group, lane)).flatten()
    };
    arrays.into_iter().filter_map(block).collect()
}

/// Whether an equation before the last one of a group reads what one of the group wrote: then they
/// cannot be copied together.
fn read_between(program: &Program, group: &[usize], dependence: &Dependence) -> bool {
    let last = group.iter().max().copied().unwrap_or(0);
    (0..program.equations.len().min(last + 1)).any(|reader| {
        let mut group = group.iter().filter(|at| **at < reader);
        group.any(|at| dependence.reads_back(reader, *at))
    })
}

/// The target's innermost subscript runs with the lanes, element by element or against them, and no other
/// does.
pub fn contiguous(target: &Access, lane: IndexId) -> bool {
    let Some((last, outer)) = target.subscripts.split_last() else {
        return false;
    };
    let direct = last
        .terms
        .iter()
        .any(|(atom, c)| *atom == Atom::Index(lane) && matches!(*c, 1 | -1));
    direct && !last.is_mapped() && !outer.iter().any(|s| s.depends_on(lane))
}

/// The block that a group of equations writes, if it is one.
fn block(program: &Program, plan: &Plan, group: Vec<usize>, lane: IndexId) -> Option<Block> {
    let array = program.equations[group[0]].target.array;
    let shape: Vec<usize> = program
        .array(array)
        .shape
        .get(1..)?
        .iter()
        .map(Extent::as_constant)
        .collect::<Option<_>>()?;
    let operator = program.equations[group[0]].operator;
    // What is staged starts from zero.
    let staged = matches!(operator, Operator::Assign | Operator::ADD);
    let fits = group.iter().all(|k| {
        let equation = &program.equations[*k];
        let target = &equation.target;
        let plain = target.subscripts.first().and_then(Affine::as_index) == Some(lane);
        let constant = target.subscripts[1..].iter().all(|s| {
            s.terms.iter().all(|(atom, _)| {
                matches!(atom, Atom::Index(i)
                if *i != lane && program.is_constant(*i))
            })
        });
        // Around the lanes' loop another loop would meet a part of the row at a time.
        let inside = plan.is_around(program, lane, equation);
        plain
            && inside
            && constant
            && equation.operator == operator
            && run_time(program, &equation.free) == [lane]
    });
    (fits && staged && !shape.is_empty()).then_some(Block {
        array,
        equations: group,
        shape,
        operator,
    })
}

/// A block is staged as a whole.
fn whole_rows(program: &mut Program, block: &Block, lane: IndexId) -> Option<Staged> {
    let Block {
        array,
        ref equations,
        ref shape,
        operator: first,
    } = *block;
    let (once, everywhere) = coverage(program, equations, shape);
    if first == Operator::Assign && !(once && everywhere) {
        return None;
    }
    let zero = !(once && everywhere);
    let name = format!("{}_cells", program.array(array).name);
    let element = program.array(array).element;
    let mut extents = vec![program.loop_index(lane).extent.clone()];
    extents.extend(shape.iter().map(|n| Extent::Constant(*n)));
    let staged = program.add_array(&name, element, extents, Role::Temporary);
    let loops = block.rows(program);
    let mut subscripts = vec![Affine::index(lane)];
    subscripts.extend(loops.iter().map(|i| Affine::index(*i)));
    for k in equations {
        let equation = &mut program.equations[*k];
        equation.target.array = staged;
        equation.operator = if zero {
            Operator::ADD
        } else {
            Operator::Assign
        };
    }
    Some(Staged {
        array: staged,
        equations: equations.clone(),
        loops,
        places: None,
        target: Access { array, subscripts },
        accumulate: first.accumulated(),
        zero,
    })
}

/// Whether the equations write no element twice, and every element.
fn coverage(program: &Program, group: &[usize], shape: &[usize]) -> (bool, bool) {
    let mut counts = vec![0u8; shape.iter().product()];
    let extents: Vec<Extent> = shape.iter().copied().map(Extent::Constant).collect();
    for k in group {
        let equation = &program.equations[*k];
        let loops = inner(program, &equation.free);
        let lengths = evaluate::extents(program, &loops).unwrap_or_default();
        for point in evaluate::points(&lengths) {
            let target = &equation.target.subscripts[1..];
            let Some(flat) = place_of(program, target, &extents, &loops, &point) else {
                return (false, false);
            };
            counts[flat] = counts[flat].saturating_add(1);
        }
    }
    (
        counts.iter().all(|c| *c <= 1),
        counts.iter().all(|c| *c >= 1),
    )
}

/// The loops of constant length.
pub fn inner(program: &Program, free: &[IndexId]) -> Vec<IndexId> {
    let constant = |index: &IndexId| program.is_constant(*index);
    free.iter().copied().filter(constant).collect()
}

/// One equation staged over its own free indices.
fn single(program: &mut Program, at: usize, lane: IndexId, mesh: bool) -> Staged {
    let equation = program.equations[at].clone();
    let element = program.array(equation.target.array).element;
    let name = format!("{}_staged", program.array(equation.target.array).name);
    let target = program.add_temporary(&name, &equation.free, element);
    let array = target.array;
    program.equations[at].target = target;
    // Assigned are sums alone: what is combined otherwise starts from what changes nothing.
    let combined = !equation.adds_up();
    let zero = combined && !equation.reduction.is_empty();
    if !zero {
        program.equations[at].operator = Operator::Assign;
    }
    let loops = equation
        .free
        .iter()
        .copied()
        .filter(|i| program.is_constant(*i) && !(mesh && *i == lane))
        .collect();
    Staged {
        array,
        equations: vec![at],
        loops,
        places: None,
        target: equation.target,
        accumulate: equation.operator.accumulated(),
        zero,
    }
}

/// The run-time indices of a domain.
pub fn run_time(program: &Program, indices: &[IndexId]) -> Vec<IndexId> {
    indices
        .iter()
        .copied()
        .filter(|i| !program.is_constant(*i))
        .collect()
}

/// The place of an element at a point of some loops, if it is known and inside the shape.
pub fn place_of(
    program: &Program,
    subscripts: &[Affine],
    shape: &[Extent],
    loops: &[IndexId],
    point: &[usize],
) -> Option<usize> {
    let mut flat = 0;
    for (subscript, extent) in subscripts.iter().zip(shape) {
        let at = usize::try_from(value(program, subscript, loops, point)?).ok()?;
        let length = extent.as_constant().filter(|length| at < *length)?;
        flat = flat * length + at;
    }
    Some(flat)
}

/// The value of an affine function of loops and of tables of integers.
fn value(program: &Program, affine: &Affine, loops: &[IndexId], point: &[usize]) -> Option<i64> {
    let mut result = affine.constant;
    for (atom, coefficient) in &affine.terms {
        let value = match atom {
            Atom::Index(index) => point[loops.iter().position(|other| other == index)?] as i64,
            Atom::Map(map, subscripts) => {
                let array = program.array(*map);
                let Role::Table(values) = &array.role else {
                    return None;
                };
                let entry = place_of(program, subscripts, &array.shape, loops, point)?;
                values[entry].to_i64()
            }
            Atom::Scalar(_) | Atom::Length(..) => return None,
        };
        result += coefficient * value;
    }
    Some(result)
}
