//! Arrays that the text allocates become temporaries.
//!
//! To the text they are memory that is filled with zeros, written and read. What is written once, before it is
//! read, is a definition like others: it need not be filled, passes see through it, and the schedule decides how much of
//! it is kept, and where.
//!
//! Before: `t` allocated, `t[j + 1, i] = x[j, i] + x[j, i + 1]` and `y[j, i] = t_held[j + 1, i] + t_held[j + 2, i]`.
//! After: `t[j, i] = x[j, i] + x[j, i + 1]` and `y[j, i] = t[j, i] + t[j + 1, i]`.
//! Local arrays that are filled where they are declared, and then assigned, are the latter (`overwritten.rs`).
//! Holds: one equation writes the array, or adds sums up in it, all reads come after it, and each is of an element that is
//! written.

use crate::collections::HashMap;
use crate::ir::{Access, Affine, ArrayId, Atom, IndexId, Operator, Program, Role};
use crate::rewrite::overwritten;
use crate::rewrite::replace::redirect;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    let all = (0..program.arrays.len()).map(|at| ArrayId(at as u32));
    let allocated: Vec<ArrayId> = all.filter(|id| program.array(*id).allocated).collect();
    let mut names = Vec::new();
    for array in allocated {
        if let Some(definition) = Definition::of(program, array) {
            names.push(program.array(array).name.clone());
            definition.replace(program);
        }
    }
    let left_out = leave_out(program);
    let mut decisions = Vec::new();
    if !names.is_empty() {
        decisions.push(format!("`{}` as temporaries", names.join("`, `")));
    }
    if left_out > 0 {
        decisions.push(format!(
            "values left out that others take the places of: {left_out}"
        ));
    }
    decisions
}

/// Leaves out values of local arrays that one equation takes the places of, and no other; how many.
fn leave_out(program: &mut Program) -> usize {
    let before = program.equations.clone();
    let written = program.written();
    overwritten::leave_out(program);
    // What several write in turns has the first values as those that are there.
    let still = program.written().into_iter();
    let mut changed = still.filter(|(array, left)| written[array].len() > left.len());
    if changed.any(|(_, left)| left.len() > 1) {
        program.equations = before;
        return 0;
    }
    before.len() - program.equations.len()
}

/// The only equation that writes an array.
struct Definition {
    array: ArrayId,
    /// What stands for it as it is when equations read it.
    states: Vec<ArrayId>,
    /// The loop along each dimension, and the element that its first iteration writes.
    loops: Vec<(IndexId, i64)>,
    /// Loops in which it adds to the same elements.
    still: Vec<IndexId>,
    /// The equation.
    writer: usize,
}

impl Definition {
    fn of(program: &Program, array: ArrayId) -> Option<Definition> {
        let position = program.array(array).role.position()?;
        let all = (0..program.arrays.len()).map(|at| ArrayId(at as u32));
        let same = all.filter(|id| program.array(*id).role.position() == Some(position));
        let states: Vec<ArrayId> = same.filter(|id| *id != array).collect();
        let shape = &program.array(array).shape;
        let plain = states.iter().all(|state| {
            let own = program.array(*state);
            matches!(own.role, Role::State(_)) && own.shape == *shape
        });
        let mut writers = program.equations.iter().enumerate();
        let mut writers = writers
            .by_ref()
            .filter(|(_, e)| program.array(e.target.array).role.position() == Some(position));
        let (at, writer) = writers.next()?;
        let alone = writers.next().is_none() && writer.target.array == array;
        // What is summed up in an array of zeros is the sum, also what iterations of other loops add to it one after the other.
        let still = writer.still().filter(|index| writer.free.contains(index));
        let still: Vec<IndexId> = still.collect();
        let adds = writer.operator == Operator::ADD;
        let in_order = !program.exact || still.is_empty() || writer.reduction.is_empty();
        let sums = adds && in_order && !(still.is_empty() && writer.reduction.is_empty());
        if !plain || !alone || writer.operator != Operator::Assign && !sums {
            return None;
        }
        let loops: Vec<(IndexId, i64)> = writer
            .target
            .subscripts
            .iter()
            .map(of_loop)
            .collect::<Option<_>>()?;
        let own: Vec<IndexId> = loops.iter().map(|(index, _)| *index).collect();
        let mut others = writer.free.iter().filter(|index| !own.contains(index));
        let each = own.len() + still.len() == writer.free.len()
            && others.all(|index| adds && still.contains(index));
        let definition = Definition {
            array,
            states,
            loops,
            still,
            writer: at,
        };
        let reads = |at: usize| definition.reads(program, at);
        let before = (0..=at).all(|earlier| reads(earlier).is_empty());
        let written = (at + 1..program.equations.len()).all(|reader| {
            reads(reader)
                .iter()
                .all(|read| definition.writes(program, read))
        });
        (each && before && written).then_some(definition)
    }

    /// What an equation reads of the array.
    fn reads<'p>(&self, program: &'p Program, at: usize) -> Vec<&'p Access> {
        let accesses = program
            .pool
            .accesses([program.equations[at].expr])
            .into_iter();
        let accesses = accesses.map(|(_, access)| access);
        accesses
            .filter(|access| access.array == self.array || self.states.contains(&access.array))
            .collect()
    }

    /// Whether all elements that an access reads are written.
    fn writes(&self, program: &Program, read: &Access) -> bool {
        let mut axes = read.subscripts.iter().zip(&self.loops);
        axes.all(|(subscript, (index, first))| {
            let of_loops = |(atom, _): &(Atom, i64)| matches!(atom, Atom::Index(_));
            let Some([least, most]) =
                (program.ends(subscript)).filter(|_| subscript.terms.iter().all(of_loops))
            else {
                return false;
            };
            let extent = program.loop_index(*index).extent.affine();
            let least = least.sub(&Affine::constant(*first)).as_constant();
            let beyond = most
                .sub(&extent)
                .sub(&Affine::constant(*first))
                .as_constant();
            least.is_some_and(|least| least >= 0) && beyond.is_some_and(|beyond| beyond < 0)
        })
    }

    fn replace(&self, program: &mut Program) {
        let shape = self
            .loops
            .iter()
            .map(|(index, _)| program.loop_index(*index).extent.clone());
        let (shape, old) = (shape.collect(), program.array(self.array).clone());
        for array in self.states.iter().chain([&self.array]) {
            let own = &mut program.arrays[array.0 as usize];
            (own.role, own.allocated) = (Role::Temporary, false);
        }
        let new = program.add_array(&old.name, old.element, shape, Role::Temporary);
        let writer = &mut program.equations[self.writer];
        writer.operator = Operator::Assign;
        writer.sum_over(self.still.clone());
        let unused = std::mem::take(&mut program.arrays[self.array.0 as usize].name);
        program.arrays[self.array.0 as usize].name =
            std::mem::replace(&mut program.arrays[new.0 as usize].name, unused);
        let firsts: HashMap<ArrayId, Vec<i64>> = (self.states.iter().chain([&self.array]))
            .map(|array| (*array, self.loops.iter().map(|(_, first)| *first).collect()))
            .collect();
        redirect(program, |_, access| {
            let firsts = firsts.get(&access.array)?;
            let subscripts = access.subscripts.iter().zip(firsts);
            let subscripts = subscripts.map(|(s, first)| s.sub(&Affine::constant(*first)));
            Some(Access {
                array: new,
                subscripts: subscripts.collect(),
            })
        });
    }
}

/// A loop plus a number.
fn of_loop(subscript: &Affine) -> Option<(IndexId, i64)> {
    match subscript.terms.as_slice() {
        [(Atom::Index(index), 1)] => Some((*index, subscript.constant)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::ir::text::{equation, parse};

    fn check(equations: &str, left: &str) {
        let mut program = parse(&format!(
            "program p\nindex i: len(x)\nindex k: len(x) - 2\nparam 0 x: f64[len(x)]\n\
             output 1 y: f64[len(y)]\noutput 2 t: f64[len(x) + 5] allocated\nstate 2 t_held: f64[len(x) + 5]\n{equations}"
        ))
        .unwrap();
        run(&mut program);
        let found = (0..program.equations.len()).map(|at| equation(&program, at));
        let found: Vec<String> = found.map(|text| text.trim_end().to_owned()).collect();
        assert_eq!(found.join("; "), left, "{equations}");
    }

    #[test]
    fn what_is_written_before_it_is_read_is_a_definition() {
        check(
            "t[i + 1] = 2 * x[i]   for i\ny[k] = t_held[k + 1] + t_held[k + 3]   for k\n",
            "t[i] = 2 * x[i]   for i; y[k] = t[k] + t[k + 2]   for k",
        );
    }

    #[test]
    fn zeros_that_are_read_stay() {
        for equations in [
            "t[i + 1] = 2 * x[i]   for i; y[k] = t_held[k] + t_held[k + 1]   for k",
            "t[i + 1] = 2 * x[i]   for i; y[k] = t_held[k + 4]   for k",
            "t[i] += 2 * x[i]   for i; y[k] = t_held[k]   for k",
            "t[i] = 2 * x[i]   for i; t[k] = x[k]   for k; y[k] = t_held[k]   for k",
            "y[k] = t_held[k]   for k; t[i] = 2 * x[i]   for i",
        ] {
            check(&equations.replace("; ", "\n"), equations);
        }
    }
}
