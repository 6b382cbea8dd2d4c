//! The order of the dimensions of temporaries: where each equation has loops of its own, that one is last along which
//! lanes run where the temporary is computed, and along which they read it.
//!
//! ```text
//! t[i, p, q] = sum(k) a[p, q, k] * c[k, i]        t[p, q, i] = sum(k) a[p, q, k] * c[k, i]
//! d[p, q, i] += sum(k) t[i, k, q] * b[k, p]       d[p, q, i] += sum(k) t[k, q, i] * b[k, p]
//! ```
//! Lanes over `q` gather `a`; lanes over `i` load `c` and repeat `a`, and what they write lies together in `t` where `i`
//! is its last dimension. What no order helps, an array that lanes gather again and again in loops that it does not
//! move along, is copied with that dimension last before.
//!
//! Each equation has lanes along the last dimension of what it writes. The order of all temporaries with the
//! fewest cycles follows from a dynamic programme: what a temporary takes with each of its dimensions last is known from
//! what it reads, and which one is taken, from what reads it. On trees that is the optimum.
//!
//! Holds: what is computed; where elements of temporaries lie is all that changes.

use super::staging::contiguous;
use crate::analysis::cost::NOMINAL;
use crate::collections::HashMap;
use crate::ir::{
    Access, Affine, ArrayId, Equation, Expr, Extent, IndexId, Operator, Program, Role,
};
use crate::rewrite::replace;

/// Lanes of a vector, as far as short loops are concerned.
const WIDTH: usize = 8;
/// Iterations that a vector takes whose lanes are gathered.
const APART: f64 = 8.0;
/// Iterations that an element takes which is copied.
const COPIED: f64 = 2.0;
/// Most elements of a copy whose size is known: it is on the stack.
const MOST: usize = 4096;
/// Part of the iterations that another order must leave to be worth it.
const WORTH: f64 = 0.9;

/// The program with its temporaries in another order, if that takes fewer cycles.
pub fn run(program: &Program) -> Option<Program> {
    if program.exact {
        return None;
    }
    let mut layouts = Layouts::of(program);
    let before = layouts.all();
    layouts.copies = true;
    layouts.choose();
    if layouts.all() > WORTH * before {
        return None;
    }
    let (last, lanes) = (layouts.last, layouts.lanes);
    let mut result = program.clone();
    permute(&mut result, &sorted(&last));
    copy(&mut result, &lanes);
    Some(result)
}

/// Whether an equation copies an input of two dimensions or more.
pub fn copies_inputs(program: &Program) -> bool {
    program.equations.iter().any(|equation| {
        let of = |array: ArrayId| &program.array(array).role;
        let Expr::Access(access) = program.pool.get(equation.expr) else {
            return false;
        };
        let input = matches!(of(access.array), Role::Parameter(_)) && access.subscripts.len() > 1;
        input && matches!(of(equation.target.array), Role::Temporary)
    })
}

/// Which dimension of each temporary is last.
struct Layouts<'a> {
    program: &'a Program,
    /// The accesses of each equation.
    reads: Vec<Vec<Access>>,
    /// The dimension that is last, of those temporaries whose order is free.
    last: HashMap<ArrayId, usize>,
    /// The loop that lanes of each equation run over.
    lanes: Vec<Option<IndexId>>,
    /// Whether arrays are copied.
    copies: bool,
}

impl<'a> Layouts<'a> {
    fn of(program: &'a Program) -> Layouts<'a> {
        let free = |at: usize| {
            let target = &program.equations[at].target;
            let temporary = matches!(program.array(target.array).role, Role::Temporary);
            let sole = program.sole_writer(target.array) == Some(at);
            let last = target
                .subscripts
                .len()
                .checked_sub(1)
                .filter(|last| *last > 0);
            let free = temporary && sole && plain(target).is_some();
            last.filter(|_| free).map(|last| (target.array, last))
        };
        let reads = program.equations.iter().map(|equation| {
            let mut found = program.pool.accesses([equation.expr]);
            found.sort_unstable_by_key(|(expr, _)| *expr);
            found
                .into_iter()
                .map(|(_, access)| access.clone())
                .collect()
        });
        let mut result = Layouts {
            program,
            reads: reads.collect(),
            last: (0..program.equations.len()).filter_map(free).collect(),
            lanes: Vec::new(),
            copies: false,
        };
        let own = |equation: &Equation| {
            let last = equation.target.subscripts.last().and_then(Affine::as_index);
            last.filter(|lane| result.can(equation, *lane))
        };
        result.lanes = program.equations.iter().map(own).collect();
        result
    }

    /// Whether lanes of an equation may run over a loop along the last dimension of what it writes.
    fn can(&self, equation: &Equation, lane: IndexId) -> bool {
        let target = &equation.target;
        let along = self.last.contains_key(&target.array) || contiguous(target, lane);
        equation.free.contains(&lane) && self.length(lane) > 1 && along
    }

    fn length(&self, index: IndexId) -> usize {
        length(self.program, index)
    }

    /// Vectors of an equation with lanes over a loop, or iterations without.
    fn vectors(&self, at: usize, lane: Option<IndexId>) -> f64 {
        vectors(self.program, &self.program.equations[at], lane)
    }

    /// What an access takes that lies apart along the lanes: gathered, or copied before.
    fn apart(&self, access: &Access, vectors: f64) -> f64 {
        let gathered = APART * vectors;
        let copied = copied(self.program, access).filter(|_| self.copies);
        copied.map_or(gathered, |copied| copied.min(gathered))
    }

    /// Whether the lanes over a loop read neighbours, or one element, with a dimension of the array last.
    fn lies(&self, access: &Access, axis: usize, lane: IndexId) -> bool {
        let own = |subscript: &Affine| subscript.depends_on(lane);
        let others = access.subscripts.iter().enumerate();
        let mut others = others.filter(|(other, _)| *other != axis);
        let last = Access {
            array: access.array,
            subscripts: vec![access.subscripts[axis].clone()],
        };
        !access.depends_on(lane)
            || (contiguous(&last, lane) && !others.any(|(_, subscript)| own(subscript)))
    }

    /// What an equation takes with lanes over a loop, in the orders that are taken.
    fn one(&self, at: usize, lane: Option<IndexId>) -> f64 {
        let vectors = self.vectors(at, lane);
        let Some(lane) = lane else { return vectors };
        let apart = self.reads[at].iter().filter(|access| {
            let rank = access.subscripts.len();
            let last = self.last.get(&access.array).copied();
            rank > 0 && !self.lies(access, last.unwrap_or(rank - 1), lane)
        });
        vectors + apart.map(|access| self.apart(access, vectors)).sum::<f64>()
    }

    fn all(&self) -> f64 {
        let each = self.lanes.iter().enumerate();
        each.map(|(at, lane)| self.one(at, *lane)).sum()
    }

    /// What each temporary takes with each of its dimensions last, and all that it is computed from.
    fn tables(&self) -> HashMap<ArrayId, Vec<f64>> {
        let mut tables: HashMap<ArrayId, Vec<f64>> = HashMap::default();
        for (at, equation) in self.program.equations.iter().enumerate() {
            let target = &equation.target;
            if !self.last.contains_key(&target.array) {
                continue;
            }
            let with = |subscript: &Affine| {
                let lane = subscript
                    .as_index()
                    .filter(|lane| self.can(equation, *lane));
                let vectors = self.vectors(at, lane);
                let reads = self.reads[at]
                    .iter()
                    .map(|access| match tables.get(&access.array) {
                        Some(table) => self.read(access, table, (lane, vectors)),
                        None => self.fixed(access, (lane, vectors)),
                    });
                vectors + reads.sum::<f64>()
            };
            let table = target.subscripts.iter().map(with).collect();
            tables.insert(target.array, table);
        }
        tables
    }

    /// What reading a temporary takes in its best order for that, with all that it is computed from.
    fn read(&self, access: &Access, table: &[f64], (lane, vectors): (Option<IndexId>, f64)) -> f64 {
        let with = |(axis, own): (usize, &f64)| match lane {
            Some(lane) if !self.lies(access, axis, lane) => own + self.apart(access, vectors),
            _ => *own,
        };
        table
            .iter()
            .enumerate()
            .map(with)
            .fold(f64::INFINITY, f64::min)
    }

    /// What reading an array takes whose order is not free.
    fn fixed(&self, access: &Access, (lane, vectors): (Option<IndexId>, f64)) -> f64 {
        let last = access.subscripts.len().checked_sub(1);
        match lane.zip(last) {
            Some((lane, last)) if !self.lies(access, last, lane) => self.apart(access, vectors),
            _ => 0.0,
        }
    }

    /// Takes the best order of each temporary, those first that are computed last.
    fn choose(&mut self) {
        let tables = self.tables();
        for at in (0..self.program.equations.len()).rev() {
            let equation = &self.program.equations[at];
            let array = equation.target.array;
            let (Some(table), Some(own)) = (tables.get(&array), self.last.get(&array)) else {
                continue;
            };
            let by = |axis: usize| {
                let readers = self.reads.iter().enumerate().skip(at + 1);
                let accesses = readers.flat_map(|(by, all)| all.iter().map(move |a| (by, a)));
                let accesses = accesses.filter(|(_, access)| access.array == array);
                let apart = accesses.map(|(by, access)| match self.lanes[by] {
                    Some(lane) if !self.lies(access, axis, lane) => {
                        self.apart(access, self.vectors(by, Some(lane)))
                    }
                    _ => 0.0,
                });
                table[axis] + apart.sum::<f64>()
            };
            // Where others are no better, the order stays.
            let axes = [*own].into_iter().chain((0..table.len()).rev());
            let best = axes.min_by(|a, b| by(*a).total_cmp(&by(*b)));
            let axis = best.unwrap_or(*own);
            let lane = equation.target.subscripts[axis].as_index();
            self.lanes[at] = lane.filter(|lane| self.can(equation, *lane));
            self.last.insert(array, axis);
        }
    }
}

fn length(program: &Program, index: IndexId) -> usize {
    let extent = program.loop_index(index).extent.as_constant();
    extent.unwrap_or(NOMINAL)
}

/// Vectors of an equation with lanes over a loop, or iterations without.
fn vectors(program: &Program, equation: &Equation, lane: Option<IndexId>) -> f64 {
    let steps = equation.domain().map(|index| match lane == Some(index) {
        true => length(program, index).div_ceil(WIDTH),
        false => length(program, index),
    });
    steps.map(|steps| steps as f64).product()
}

/// The loops of an access of which each is a subscript.
fn plain(access: &Access) -> Option<Vec<IndexId>> {
    let subscripts = access.subscripts.iter().map(Affine::as_index);
    let loops: Vec<IndexId> = subscripts.collect::<Option<_>>()?;
    let twice = (1..loops.len()).any(|at| loops[..at].contains(&loops[at]));
    (!twice).then_some(loops)
}

/// What copying the elements of an access takes, if it can be copied.
fn copied(program: &Program, access: &Access) -> Option<f64> {
    let inputs = matches!(
        program.array(access.array).role,
        Role::Parameter(_) | Role::Temporary
    );
    let loops = plain(access).filter(|_| inputs)?;
    let constant = loops.iter().all(|index| program.is_constant(*index));
    let lengths = loops.iter().map(|index| length(program, *index));
    let elements = lengths.fold(1, usize::saturating_mul);
    (loops.len() > 1 && (!constant || elements <= MOST)).then_some(COPIED * elements as f64)
}

/// The temporaries in an order that is always the same.
fn sorted(last: &HashMap<ArrayId, usize>) -> Vec<(ArrayId, usize)> {
    let mut all: Vec<(ArrayId, usize)> = last.iter().map(|(array, axis)| (*array, *axis)).collect();
    all.sort_unstable();
    all
}

/// Items with one of them moved to the end.
fn moved<T: Clone>(items: &[T], axis: usize) -> Vec<T> {
    let (before, after) = items.split_at(axis);
    let (own, after) = after.split_at(1);
    [before, after, own].concat()
}

/// Moves a dimension of each of some temporaries to the end.
fn permute(program: &mut Program, last: &[(ArrayId, usize)]) {
    let mut turned: HashMap<ArrayId, (ArrayId, usize)> = HashMap::default();
    for (array, axis) in last {
        let old = program.array(*array).clone();
        if axis + 1 < old.shape.len() {
            let shape = moved(&old.shape, *axis);
            let new = program.add_array(&old.name, old.element, shape, old.role);
            turned.insert(*array, (new, *axis));
        }
    }
    replace::redirect(program, |_, access| {
        let (array, axis) = *turned.get(&access.array)?;
        let subscripts = moved(&access.subscripts, axis);
        Some(Access { array, subscripts })
    });
}

/// Copies what lanes would gather more often than it has elements, the dimension along the lanes last.
fn copy(program: &mut Program, lanes: &[Option<IndexId>]) {
    let mut known: HashMap<(ArrayId, Vec<Extent>, usize), ArrayId> = HashMap::default();
    let mut result: Vec<Equation> = Vec::new();
    for (mut equation, lane) in std::mem::take(&mut program.equations)
        .into_iter()
        .zip(lanes)
    {
        let Some(lane) = *lane else {
            result.push(equation);
            continue;
        };
        let gathered = APART * vectors(program, &equation, Some(lane));
        let by = |program: &mut Program, access: &Access, element| {
            let apart = access.depends_on(lane) && !contiguous(access, lane);
            copied(program, access).filter(|copied| apart && *copied < gathered)?;
            let loops = plain(access)?;
            let axis = loops.iter().position(|index| *index == lane)?;
            let extents = loops.iter().map(|i| program.loop_index(*i).extent.clone());
            let extents: Vec<Extent> = extents.collect();
            let array = *(known.entry((access.array, extents, axis))).or_insert_with(|| {
                result.push(copy_of(program, access, &loops, axis));
                result[result.len() - 1].target.array
            });
            let subscripts = moved(&access.subscripts, axis);
            Some(
                program
                    .pool
                    .add(Expr::Access(Access { array, subscripts }), element),
            )
        };
        equation.expr = replace::replace_accesses(program, equation.expr, by);
        result.push(equation);
    }
    program.equations = result;
}

/// The equation that copies what an access reads in all iterations of its loops.
fn copy_of(program: &mut Program, access: &Access, loops: &[IndexId], axis: usize) -> Equation {
    let own: Vec<IndexId> = loops.iter().map(|i| program.add_index_like(*i)).collect();
    let array = program.array(access.array);
    let (name, element) = (format!("{}_turned", array.name), array.element);
    let free = moved(&own, axis);
    let target = program.add_temporary(&name, &free, element);
    let subscripts = own.into_iter().map(Affine::index).collect();
    let read = Access {
        array: access.array,
        subscripts,
    };
    Equation {
        target,
        operator: Operator::Assign,
        free,
        reduction: Vec::new(),
        expr: program.pool.add(Expr::Access(read), element),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::run;
    use crate::ir::text;

    /// The equations of a program with its temporaries in another order, if they have one.
    fn check(program: &str, expected: &Expect) {
        let program = text::parse(program).unwrap();
        let laid_out = run(&program).map(|laid_out| {
            let all = text::print(&laid_out);
            let equations = all.lines().filter(|line| line.contains("   for "));
            equations.fold(String::new(), |all, line| all + line + "\n")
        });
        expected.assert_eq(&laid_out.unwrap_or_default());
    }

    #[test]
    fn lanes_run_along_the_last_dimension_from_step_to_step() {
        check(
            "program p\nindex h: 8\nindex p: 9\nindex q: 10\nindex s: 8\nindex r: 9\n\
             param 0 a: f64[9, 10, 8]\nparam 1 c: f64[8, 8]\nparam 2 b: f64[9, 9]\noutput 3 w: f64[10, 9, 8]\n\
             temp t: f64[8, 9, 10]\n\
             t[h, p, q] = sum(s) a[p, q, s] * c[s, h]   for h, p, q\n\
             w[q, p, h] += sum(r) t[h, r, q] * b[r, p]   for h, p, q\n",
            &expect![[r#"
                t_2[p, q, h] = sum(s) a[p, q, s] * c[s, h]   for h, p, q
                w[q, p, h] += sum(r) t_2[r, q, h] * b[r, p]   for h, p, q
            "#]],
        );
    }

    #[test]
    fn what_no_order_helps_is_copied() {
        check(
            "program p\nindex h: 8\nindex p: 9\nindex q: 10\nindex s: 8\n\
             param 0 a: f64[9, 10, 8]\nparam 1 c: f64[8, 8]\noutput 2 w: f64[9, 10, 8]\n\
             w[p, q, h] += sum(s) a[p, q, s] * c[h, s]   for p, q, h\n",
            &expect![[r#"
                c_turned[s'2, h'2] = c[h'2, s'2]   for s'2, h'2
                w[p, q, h] += sum(s) a[p, q, s] * c_turned[s, h]   for p, q, h
            "#]],
        );
    }

    #[test]
    fn short_sums_are_left_alone() {
        check(
            "program p\nindex i: 4\nindex j: 4\nindex k: 4\n\
             param 0 a: f64[4, 4]\nparam 1 b: f64[4, 4]\noutput 2 w: f64[4, 4]\n\
             w[i, j] += sum(k) a[i, k] * b[k, j]   for i, j\n",
            &expect![[r#""#]],
        );
    }
}
