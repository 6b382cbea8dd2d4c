//! Loop common expressions: what several iterations compute is computed once (Ernst 1995, chapters 2 and 3,
//! sections 1.4, 5.1.2 and 7.2).
//!
//! An expression whose translate by some iterations another one needs becomes a temporary over the loops, which
//! is longer by what they are away from each other. Sums are sums of weighted translates: pairs of their terms
//! that stand at several places are such expressions too, in whatever order the text adds (`search`).
//!
//! Before: `y[i] = x[i] + x[i + 1] + x[i + 2] + x[i + 3]   for i`. After: `t[i'] = x[i'] + x[i' + 1]   for i'`,
//! where `i'` takes two more values than `i`, and `y[i] = t[i] + t[i + 2]   for i`.
//! Holds: values are equal in exact arithmetic, bit by bit where operations keep their order; elements are
//! read from between those that the text reads. Loops that run at least once are assumed
//! ([`Program::assumed`]).
//!
//! What it takes is computing and keeping: operations, loads and stores of a point are compared
//! ([`Work`]). Sums that [`whole_sums`](super::whole_sums) keeps stay whole, but for those of
//! translates (`kept`), where what comes of it is as accurate as the text (`waves`).

mod bases;
mod domains;
mod form;
mod gather;
mod kept;
mod search;
mod split;
mod translate;
mod waves;
mod writer;

use std::collections::HashSet;

use crate::analysis::cost::{self, Work};
use crate::ir::{
    Access, Affine, ArrayId, Atom, Combining, Equation, Expr, ExprId, IndexId, Operator, Program,
    Role,
};
use crate::rewrite::evaluate::{extents, points};
use crate::rewrite::normalise::sum;
use translate::{AXES, Offset, Translation};

use super::code_motion::name;
use super::table_entries::at;

/// The name of the pass.
pub const NAME: &str = "loop_common_expressions";

/// Most terms of a sum over loops that is written out.
const MOST_TERMS: usize = 1024;

/// Most terms of a sum that is written out where nothing is shared.
const MOST_WRITTEN: usize = 64;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    shared(program, AXES)
}

/// Shares along the innermost loops alone: temporaries are rows inside of the others.
pub fn in_rows(program: &mut Program) -> Vec<String> {
    shared(program, 1)
}

/// Shares nothing, and writes the sums out that the pass looks at, if they are short: sums of neighbouring
/// iterations then need not wait for each other.
pub fn written(program: &mut Program) -> Vec<String> {
    let mut count = 0;
    for at in 0..program.equations.len() {
        let equation = program.equations[at].clone();
        let axes = &equation.free[equation.free.len().saturating_sub(AXES)..];
        let terms = extents(program, &equation.reduction);
        let terms = terms.map_or(usize::MAX, |extents| extents.iter().product());
        let short = !equation.reduction.is_empty() && terms <= MOST_WRITTEN;
        if let Some(value) = short
            .then(|| written_out(program, &equation, axes))
            .flatten()
        {
            program.equations[at].expr = value;
            program.equations[at].reduction = Vec::new();
            count += 1;
        }
    }
    match count {
        0 => Vec::new(),
        _ => vec![format!("{count} sums written out")],
    }
}

/// Shares along some of the innermost loops.
fn shared(program: &mut Program, axes: usize) -> Vec<String> {
    let mut decisions = Vec::new();
    let mut done: HashSet<Vec<IndexId>> = HashSet::new();
    while let Some(free) = next(program, &done) {
        let mut candidate = program.clone();
        if let Some(said) = share(&mut candidate, &free, axes) {
            *program = candidate;
            decisions.push(said);
        }
        done.insert(free);
    }
    decisions
}

/// The next loops whose equations have not been looked at.
fn next(program: &Program, done: &HashSet<Vec<IndexId>>) -> Option<Vec<IndexId>> {
    let mut loops = program.equations.iter().map(|equation| &equation.free);
    let found = loops.find(|free| !free.is_empty() && !done.contains(*free));
    found.cloned()
}

/// A temporary over the loops of a group, as if they had no ends.
#[derive(Clone, Debug)]
struct Shared {
    array: ArrayId,
    /// The loops that its value depends on, in their order.
    dims: Vec<IndexId>,
    value: ExprId,
}

impl Shared {
    /// The element at an offset.
    fn access(array: ArrayId, dims: &[IndexId], axes: &[IndexId], offset: Offset) -> Access {
        let subscript = |index: &IndexId| {
            let axis = axes.iter().position(|axis| axis == index);
            let by = axis.map_or(0, |at| i64::from(offset[at]));
            Affine::index(*index).add(&Affine::constant(by))
        };
        Access {
            array,
            subscripts: dims.iter().map(subscript).collect(),
        }
    }
}

/// An equation of a group.
struct Member {
    at: usize,
    /// What it was, sums written out.
    before: ExprId,
    /// What it becomes.
    value: ExprId,
}

/// Equations over the same loops.
struct Group {
    free: Vec<IndexId>,
    members: Vec<Member>,
    shared: Vec<Shared>,
    /// Temporaries of the program of which elements may be read wherever they are.
    whole: HashSet<ArrayId>,
}

impl Group {
    fn of(program: &mut Program, free: &[IndexId], axes: &[IndexId]) -> Group {
        let mut members = Vec::new();
        for group in program.together() {
            let at = group.start;
            let target = program.equations[at].target.array;
            let alone = group.len() == 1 && !program.temporaries_read(at).contains(&target);
            if !alone || program.equations[at].free != free {
                continue;
            }
            let equation = program.equations[at].clone();
            let value = match equation.reduction.is_empty() {
                true => Some(equation.expr),
                false => written_out(program, &equation, axes),
            };
            members.extend(value.map(|value| Member {
                at,
                before: value,
                value,
            }));
        }
        Group {
            free: free.to_vec(),
            members,
            shared: Vec::new(),
            whole: whole(program),
        }
    }

    /// The values of temporaries, and then those of equations.
    fn values(&self) -> Vec<ExprId> {
        let shared = self.shared.iter().map(|shared| shared.value);
        shared.chain(self.members.iter().map(|m| m.value)).collect()
    }

    fn values_mut(&mut self) -> impl Iterator<Item = &mut ExprId> {
        let shared = self.shared.iter_mut().map(|shared| &mut shared.value);
        shared.chain(self.members.iter_mut().map(|m| &mut m.value))
    }

    /// Whether a value may be computed for other iterations too, if these read nothing else.
    fn is_readable(&self, program: &Program, expr: ExprId) -> bool {
        let accesses = program.pool.accesses([expr]);
        accesses.iter().all(|(_, access)| {
            let own = self.shared.iter().any(|s| s.array == access.array);
            let role = &program.array(access.array).role;
            let atoms = access.subscripts.iter().flat_map(|s| &s.terms);
            let mut atoms = atoms.map(|(atom, _)| atom);
            let still = (program.pool.indices(expr).iter()).all(|i| !self.free.contains(i));
            (own || matches!(role, Role::Parameter(_)) || self.whole.contains(&access.array))
                && atoms.all(|atom| !matches!(atom, Atom::Map(..)))
                || (still && matches!(role, Role::Table(_)))
        })
    }

    /// A temporary for a value.
    fn define(&self, program: &mut Program, value: ExprId) -> Shared {
        let own = program.pool.indices(value).to_vec();
        let dims: Vec<IndexId> = (self.free.iter().copied())
            .filter(|index| own.contains(index))
            .collect();
        let element = program.pool.element(value);
        let name = format!("{}_shared", name(program, value).replace("_shared", ""));
        // Its extents are known once all of its readers are.
        let array = program.add_array(&name, element, Vec::new(), Role::Temporary);
        Shared { array, dims, value }
    }

    /// Drops temporaries that nothing reads any more.
    fn drop_unread(&mut self, program: &Program) {
        for at in (0..self.shared.len()).rev() {
            let array = self.shared[at].array;
            let mut read = program.pool.accesses(self.values()).into_iter();
            if !read.any(|(_, access)| access.array == array) {
                self.shared.remove(at);
            }
        }
    }

    /// What computing the values takes.
    fn work(program: &Program, shared: &[Shared], values: &[ExprId]) -> Work {
        let mut work = Work::default();
        let mut add = |values: &[ExprId], stores: u64| {
            let mut seen = HashSet::new();
            for value in values {
                work.operations += cost::expression(program, *value, &mut seen).operations();
            }
            work.moves += program.pool.accesses(values.iter().copied()).len() as u64 + stores;
        };
        add(values, 0);
        shared.iter().for_each(|shared| add(&[shared.value], 1));
        work.temporaries = shared.len() as u64;
        work
    }
}

/// Temporaries that one equation assigns as a whole, before all that read them.
fn whole(program: &Program) -> HashSet<ArrayId> {
    let equations = program.equations.iter();
    let defined = equations.filter(|equation| {
        let array = equation.target.array;
        equation.operator == Operator::Assign
            && equation.is_definition()
            && matches!(program.array(array).role, Role::Temporary)
            && program.sole_writer(array).is_some()
            && program
                .array(array)
                .shape
                .iter()
                .eq((equation.free.iter()).map(|index| &program.loop_index(*index).extent))
    });
    defined.map(|equation| equation.target.array).collect()
}

/// Whether a sum runs over short windows that lie over those of other iterations.
pub fn reads_windows(program: &Program, equation: &Equation) -> bool {
    let axes = &equation.free[equation.free.len().saturating_sub(AXES)..];
    let lengths = extents(program, &equation.reduction);
    let accesses = program.pool.accesses([equation.expr]);
    let mut subscripts = accesses.iter().flat_map(|(_, access)| &access.subscripts);
    let over = |subscript: &Affine, lengths: &[usize]| {
        let loops = equation.reduction.iter().zip(lengths);
        let reach = loops.map(|(index, length)| {
            (subscript.coefficient(*index).unsigned_abs()).saturating_mul(*length as u64 - 1)
        });
        let reach = reach.fold(0, u64::saturating_add);
        let mut steps = axes
            .iter()
            .filter(|axis| !program.is_constant(**axis))
            .map(|axis| subscript.coefficient(*axis).unsigned_abs());
        steps.any(|step| 0 < step && step <= reach)
    };
    lengths.is_some_and(|lengths| {
        let terms = lengths.iter().fold(1, |n: usize, e| n.saturating_mul(*e));
        (1..=MOST_TERMS).contains(&terms) && subscripts.any(|subscript| over(subscript, &lengths))
    })
}

/// A sum over short loops, written out, if it reads translates.
fn written_out(program: &mut Program, equation: &Equation, axes: &[IndexId]) -> Option<ExprId> {
    let loops = &equation.reduction;
    let extents = extents(program, loops)?;
    let count = extents.iter().fold(1, |n: usize, e| n.saturating_mul(*e));
    if program.exact || count > MOST_TERMS || !equation.adds_up() {
        return None;
    }
    let both = |subscript: &Affine| {
        axes.iter().any(|axis| subscript.depends_on(*axis))
            && loops.iter().any(|index| subscript.depends_on(*index))
    };
    let accesses = program.pool.accesses([equation.expr]);
    if !accesses
        .iter()
        .any(|(_, access)| access.subscripts.iter().any(both))
    {
        return None;
    }
    let element = program.pool.element(equation.expr);
    let mut terms = Vec::with_capacity(count);
    for point in points(&extents) {
        let value = at(program, equation.expr, loops, &point);
        match program.pool.get(value) {
            Expr::Sum(inner) if inner.len() == 1 => terms.extend(inner.iter().copied()),
            _ => terms.push(crate::ir::Term {
                coefficient: crate::number::Number::ONE,
                expr: value,
            }),
        }
    }
    Some(sum(&mut program.pool, terms, element))
}

/// Shares what the equations over some loops have in common along the innermost of these; what was done.
fn share(program: &mut Program, free: &[IndexId], axes: usize) -> Option<String> {
    let axes = &free[free.len().saturating_sub(axes)..];
    let mut group = Group::of(program, free, axes);
    let before: Vec<ExprId> = group.members.iter().map(|m| m.before).collect();
    if before.is_empty() {
        return None;
    }
    let mut translation = Translation::new(axes, program.exact);
    bases::share(program, &mut group, &mut translation);
    if !program.exact {
        for combining in [Combining::Add, Combining::Min, Combining::Max] {
            gather::share(program, &mut group, &mut translation, combining);
        }
    }
    group.drop_unread(program);
    let after: Vec<ExprId> = group.members.iter().map(|m| m.value).collect();
    let was = Group::work(program, &[], &before);
    let is = Group::work(program, &group.shared, &after);
    if group.shared.is_empty() || is >= was {
        return None;
    }
    let names: Vec<String> = (group.shared.iter())
        .map(|shared| format!("`{}`", program.array(shared.array).name))
        .collect();
    domains::settle(program, &group, axes)?;
    let loops: Vec<&str> = (free.iter())
        .map(|index| program.loop_index(*index).name.as_str())
        .collect();
    Some(format!(
        "iterations of ({}) share {}: {} operations and {} loads and stores a point against {} and {}",
        loops.join(", "),
        names.join(", "),
        is.operations,
        is.moves,
        was.operations,
        was.moves
    ))
}
