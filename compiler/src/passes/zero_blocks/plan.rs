//! Which loops are in blocks.
//!
//! Equations choose for themselves, but for temporaries: one that is kept for each function of an
//! element becomes one for each block, and what reads it follows. So it is in blocks only where all
//! of its readers can be.

use super::choice::Blocks;
use crate::collections::HashMap;
use crate::ir::{Affine, ArrayId, Atom, Equation, IndexId, Operator, Program, Progression, Role};

/// The loops of equations that follow others, by the equation, with their blocks.
type Followed = HashMap<usize, Vec<(IndexId, Vec<Progression>)>>;

/// The blocks of each equation for vectors of so many iterations, `None` where it stays as it is.
pub fn plan(program: &Program, lanes: usize) -> Vec<Option<Blocks>> {
    let mut followed = Followed::default();
    let mut result = Vec::new();
    for (at, equation) in program.equations.iter().enumerate() {
        let temporary = is_temporary(program, equation.target.array);
        // Several equations would write what the later ones read; and a temporary has one.
        // Products and extrema need their zeros.
        if !equation.adds_up()
            || !program.states(equation.expr).is_empty()
            || (temporary && !is_only(program, at))
        {
            result.push(None);
            continue;
        }
        let follows = followed.get(&at).map_or(&[][..], Vec::as_slice);
        let may = |index: IndexId, blocks: &[Progression]| {
            !equation.free.contains(&index)
                || if temporary {
                    let readers = readers(program, at, index);
                    readers.is_some_and(|readers| {
                        let agrees = |reader: &(usize, IndexId)| agrees(&followed, *reader, blocks);
                        readers.iter().all(agrees)
                    })
                } else {
                    is_apart(equation, index)
                }
        };
        let blocks = Blocks::of((program, equation), lanes, follows, &may);
        if let Some(blocks) = blocks.as_ref().filter(|_| temporary) {
            for index in &equation.free {
                let (Some(parts), Some(readers)) =
                    (blocks.of_loop(*index), readers(program, at, *index))
                else {
                    continue;
                };
                for (reader, index) in readers {
                    let loops = followed.entry(reader).or_default();
                    if loops.iter().all(|(other, _)| *other != index) {
                        loops.push((index, parts.to_vec()));
                    }
                }
            }
        }
        result.push(blocks);
    }
    result
}

fn is_temporary(program: &Program, array: ArrayId) -> bool {
    matches!(program.array(array).role, Role::Temporary)
}

/// Whether an equation is the only one of what it assigns, at plain places.
pub fn is_only(program: &Program, at: usize) -> bool {
    let definition = &program.equations[at];
    definition.is_definition() && program.sole_writer(definition.target.array).is_some()
}

/// Whether a loop may be in blocks as far as others decided already.
fn agrees(followed: &Followed, (at, index): (usize, IndexId), blocks: &[Progression]) -> bool {
    let mut loops = followed.get(&at).into_iter().flatten();
    loops.all(|(other, parts)| *other != index || parts == blocks)
}

/// Whether iterations of a loop write elements of their own, or add to what is there: the order of
/// iterations does not matter.
pub fn is_apart(equation: &Equation, index: IndexId) -> bool {
    if equation.operator == Operator::ADD {
        return true;
    }
    let subscripts = equation.target.subscripts.iter();
    let mut subscripts = subscripts.filter(|subscript| subscript.depends_on(index));
    let alone = |subscript: &Affine| match subscript.terms.as_slice() {
        [(Atom::Index(other), _)] => *other == index,
        _ => false,
    };
    subscripts.next().is_some_and(alone) && subscripts.next().is_none()
}

/// The equations that read a temporary, with their loops that stand where a loop of its definition
/// does; `None` where some of them cannot be in blocks.
fn readers(program: &Program, at: usize, index: IndexId) -> Option<Vec<(usize, IndexId)>> {
    let definition = &program.equations[at];
    let array = definition.target.array;
    let axis = definition.free.iter().position(|free| *free == index)?;
    let mut result = Vec::new();
    for (reader, equation) in program.equations.iter().enumerate() {
        let accesses = program.pool.accesses([equation.expr]).into_iter();
        for (_, access) in accesses.filter(|(_, access)| access.array == array) {
            let other = access.subscripts[axis].as_index()?;
            let length = |index: IndexId| &program.loop_index(index).extent;
            let may = match is_temporary(program, equation.target.array) {
                true => is_only(program, reader) && equation.reduction.contains(&other),
                false => equation.reduction.contains(&other) || is_apart(equation, other),
            };
            let follows =
                may && length(other) == length(index) && program.states(equation.expr).is_empty();
            if !follows {
                return None;
            }
            result.push((reader, other));
        }
    }
    result.sort_unstable();
    result.dedup();
    Some(result)
}
