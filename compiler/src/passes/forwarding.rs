//! Sums that are kept for one reader, added straight to where that puts them.
//!
//! Entries are often summed up in a variable of their own, which is then scaled and added to the
//! result. As a sum of the result it is what the passes after this one know most of: it may be
//! symmetric, evaluated before, or split where there are zeros. Factors go into a sum only where
//! tables are summed: elsewhere they would be multiplied with each term.
//!
//! Before: `s[e, i] = sum(q) w[q] * x[e, q, i]` and `y[e, i] += det[e] * s[e, i]`. After:
//! `y[e, i] += sum(q) det[e] * w[q] * x[e, q, i]`.
//! Holds: values are equal in exact arithmetic; no sum has more terms than before.

use crate::collections::HashMap;
use crate::ir::{
    Access, ArrayId, Equation, Expr, ExprId, Factor, IndexId, Operator, Program, Role, Term,
};
use crate::number::Number;
use crate::rewrite::normalise::{product, sum};
use crate::rewrite::rename::substitution;
use crate::rewrite::replace::{substitute, value_at};
use crate::rewrite::zeros;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    // What is written in place has its order.
    if program.exact || program.is_in_place() {
        return Vec::new();
    }
    let mut names = Vec::new();
    let mut at = 0;
    while at < program.equations.len() {
        match direct(program, at).or_else(|| begun(program, at)) {
            Some(name) => names.push(name),
            None => at += 1,
        }
    }
    if names.is_empty() {
        return Vec::new();
    }
    zeros::leave_out(program);
    let names = names.join("`, `");
    vec![format!("`{names}` summed where it is read")]
}

/// Adds the sums of an equation to where they are read; the name of what kept them.
fn direct(program: &mut Program, at: usize) -> Option<String> {
    let sums = program.equations[at].clone();
    let array = sums.target.array;
    if !is_sum(program, &sums) {
        return None;
    }
    let reader = reader(program, at)?;
    let reading = program.equations[reader].clone();
    if !reading.reduction.is_empty() || !reading.adds_up() {
        return None;
    }
    let linear = Linear::of(program, reading.expr, array)?;
    if !linear.factors.is_empty() && !sums_tables(program, &sums) {
        return None;
    }
    // A temporary keeps one equation.
    let temporary = matches!(program.array(reading.target.array).role, Role::Temporary);
    if temporary && !linear.others.is_empty() {
        return None;
    }
    let [own, read] = [
        sums.target.loops(&sums.free)?,
        linear.access.loops(&reading.free)?,
    ];
    let extent = |index: &IndexId| &program.loop_index(*index).extent;
    if !own.iter().map(extent).eq(read.iter().map(extent)) {
        return None;
    }
    let names = taken(&sums, &reading, own.into_iter().zip(read).collect());
    let added = linear.sum(program, &sums, &reading, &names);
    let rest = (!linear.others.is_empty()).then(|| {
        let element = program.pool.element(reading.expr);
        Equation {
            expr: sum(&mut program.pool, linear.others, element),
            ..reading
        }
    });
    let new: Vec<Equation> = rest.into_iter().chain([added]).collect();
    program.equations.splice(reader..=reader, new);
    program.equations.remove(at);
    Some(program.array(array).name.clone())
}

/// Lets sums that begin with a value, or with another sum, and are then copied to an output, begin and be summed up there:
/// `s[i] = b[i]`, `s[i] += sum(k) x[i, k]` and `y[i] = s[i]` as `y[i] = b[i]` and `y[i] += sum(k) x[i, k]`. The name of what
/// kept them.
fn begun(program: &mut Program, at: usize) -> Option<String> {
    let first = program.equations[at].clone();
    let array = first.target.array;
    let own = program.array(array);
    let temporary =
        matches!(own.role, Role::Temporary) && !own.allocated && !own.element.is_integer();
    let plain = first.operator == Operator::Assign;
    if !(temporary && plain && first.target.loops(&first.free).is_some()) {
        return None;
    }
    let mut known = HashMap::default();
    let uses = |program: &Program, other: usize, known: &mut HashMap<ExprId, bool>| {
        let equation = &program.equations[other];
        equation.target.array == array || program.pool.reads(equation.expr, array, known)
    };
    let all = 0..program.equations.len();
    let all: Vec<usize> = all
        .filter(|other| uses(program, *other, &mut known))
        .collect();
    let [begins, sums @ .., copies] = all.as_slice() else {
        return None;
    };
    let copy = program.equations[*copies].clone();
    let reads = |expr: ExprId, array| program.pool.reads(expr, array, &mut HashMap::default());
    let output = copy.target.array;
    let free = |equation: &Equation| equation.free == first.free;
    let adds = |sum: &usize| {
        let sum = &program.equations[*sum];
        sum.target == first.target
            && !sum.reduction.is_empty()
            && sum.adds_up()
            && !reads(sum.expr, array)
            && free(sum)
    };
    let whole = *begins == at
        && !sums.is_empty()
        && sums.iter().all(adds)
        && !reads(first.expr, array)
        && matches!(program.pool.get(copy.expr), Expr::Access(read) if *read == first.target)
        && copy.operator == Operator::Assign
        && matches!(program.array(output).role, Role::Output(_))
        && copy.target.loops(&copy.free).is_some()
        && free(&copy);
    let between = &program.equations[at..=*copies];
    let viewed = program.viewed(output);
    let apart = between.iter().enumerate().all(|(place, equation)| {
        let accesses = program.pool.accesses([equation.expr]).into_iter();
        let mut read = accesses.map(|(_, access)| program.viewed(access.array));
        let last = at + place == *copies;
        !read.any(|other| other == viewed)
            && (last || program.viewed(equation.target.array) != viewed)
    });
    if !(whole && apart) {
        return None;
    }
    for at in [at].iter().chain(sums) {
        program.equations[*at].target = copy.target.clone();
    }
    program.equations.remove(*copies);
    Some(program.array(array).name.clone())
}

/// The only equation that reads what another one writes, if nothing that this one reads is written
/// in between.
fn reader(program: &Program, at: usize) -> Option<usize> {
    let array = program.equations[at].target.array;
    let mut known = HashMap::default();
    let mut readers = (0..program.equations.len())
        .filter(|other| (program.pool).reads(program.equations[*other].expr, array, &mut known));
    let reader = readers.next().filter(|reader| *reader > at)?;
    let between = &program.equations[at + 1..reader];
    let reads = program.pool.accesses([program.equations[at].expr]);
    let changed = reads.into_iter().any(|(_, access)| {
        let mut targets = between.iter().map(|equation| equation.target.array);
        targets.any(|target| target == access.array)
    });
    (readers.next().is_none() && !changed).then_some(reader)
}

/// Whether an equation assigns a sum to each element of a temporary, and is alone in that.
pub fn is_sum(program: &Program, equation: &Equation) -> bool {
    let array = program.array(equation.target.array);
    equation.target.loops(&equation.free).is_some()
        && matches!(array.role, Role::Temporary)
        && !array.element.is_integer()
        && !array.allocated
        && !equation.reduction.is_empty()
        && equation.operator == Operator::Assign
        && program.sole_writer(equation.target.array).is_some()
}

/// Whether a value is an element of a temporary that a sum is assigned to.
fn is_kept_sum(program: &Program, expr: ExprId) -> bool {
    let Expr::Access(access) = program.pool.get(expr) else {
        return false;
    };
    let writer = program.sole_writer(access.array);
    writer.is_some_and(|writer| is_sum(program, &program.equations[writer]))
}

/// Whether a value is a multiple of such an element.
fn is_multiple(program: &Program, expr: ExprId) -> bool {
    let Expr::Product(factors) = program.pool.get(expr) else {
        return is_kept_sum(program, expr);
    };
    let mut sums = (factors.iter()).filter(|factor| is_kept_sum(program, factor.expr));
    matches!(
        (sums.next(), sums.next()),
        (Some(Factor { power: 1, .. }), None)
    )
}

/// Whether tables are summed along their entries, in temporaries too: then the sum may be evaluated
/// before, and factors cost nothing in it.
pub fn sums_tables(program: &Program, sums: &Equation) -> bool {
    reads_tables(program, sums.expr, &sums.reduction)
}

/// Whether a value depends on some loops by way of tables.
fn reads_tables(program: &Program, expr: ExprId, loops: &[IndexId]) -> bool {
    let reads = program.pool.accesses([expr]).into_iter();
    let mut along = reads.filter(|(expr, _)| {
        let indices = program.pool.indices(*expr);
        loops.iter().any(|index| indices.contains(index))
    });
    along.any(|(_, access)| match program.array(access.array).role {
        Role::Table(_) => true,
        Role::Temporary => {
            let writer = program.sole_writer(access.array);
            writer.is_some_and(|writer| {
                let writer = &program.equations[writer];
                let pairs = access.subscripts.iter().zip(&writer.target.subscripts);
                let own =
                    pairs.filter(|(read, _)| loops.iter().any(|index| read.depends_on(*index)));
                let own: Vec<IndexId> = own.filter_map(|(_, own)| own.as_index()).collect();
                reads_tables(program, writer.expr, &own)
            })
        }
        _ => false,
    })
}

/// A value as a multiple of an element, and what is added to it.
struct Linear {
    /// The element.
    access: Access,
    number: Number,
    factors: Vec<Factor>,
    others: Vec<Term>,
}

impl Linear {
    /// A value that has an element of an array once, in a product or as it is; `None` otherwise.
    fn of(program: &mut Program, expr: ExprId, array: ArrayId) -> Option<Linear> {
        let element = program.pool.element(expr);
        let pool = &program.pool;
        let reads = |expr: ExprId| pool.reads(expr, array, &mut HashMap::default());
        match pool.get(expr).clone() {
            Expr::Access(access) if access.array == array => Some(Linear {
                access,
                number: Number::ONE,
                factors: Vec::new(),
                others: Vec::new(),
            }),
            Expr::Sum(terms) => {
                let (own, others): (Vec<Term>, Vec<Term>) =
                    terms.into_iter().partition(|term| reads(term.expr));
                let [own] = own[..] else { return None };
                let mut linear = Linear::of(program, own.expr, array)?;
                for other in &mut linear.others {
                    other.coefficient *= own.coefficient;
                }
                linear.number *= own.coefficient;
                linear.others.extend(others);
                Some(linear)
            }
            Expr::Product(factors) => {
                let (own, others): (Vec<Factor>, Vec<Factor>) =
                    factors.into_iter().partition(|factor| reads(factor.expr));
                let [Factor { expr, power: 1 }] = own[..] else {
                    return None;
                };
                // A product of two sums is no sum of as many terms.
                if (others.iter()).any(|other| is_kept_sum(program, other.expr)) {
                    return None;
                }
                let mut linear = Linear::of(program, expr, array)?;
                // The law of distribution pays where what is added are sums too.
                let kept = |term: &Term| is_multiple(program, term.expr);
                if !linear.others.iter().all(kept) {
                    return None;
                }
                for other in &mut linear.others {
                    let (expr, power) = (other.expr, 1);
                    let factors = others.iter().copied().chain([Factor { expr, power }]);
                    other.expr = product(&mut program.pool, factors.collect(), element);
                }
                linear.factors.extend(others);
                Some(linear)
            }
            _ => None,
        }
    }

    /// The equation that adds the multiple of what `sums` assigns to what `reading` writes, whose loops take names.
    fn sum(
        &self,
        program: &mut Program,
        sums: &Equation,
        reading: &Equation,
        names: &HashMap<IndexId, IndexId>,
    ) -> Equation {
        let by = substitution(names);
        let mut reading = reading.clone();
        substitute(&mut program.pool, &mut reading, &by);
        for index in &mut reading.free {
            *index = names.get(index).copied().unwrap_or(*index);
        }
        let sums = apart(program, sums, &reading.free);
        let value = value_at(program, &sums, &self.access.substitute(&by));
        let element = program.pool.element(value);
        let mut factors = self.factors.clone();
        for factor in &mut factors {
            factor.expr = (program.pool).substitute(factor.expr, &by, &mut HashMap::default());
        }
        factors.push(Factor {
            expr: value,
            power: 1,
        });
        let expr = product(&mut program.pool, factors, element);
        let term = Term {
            coefficient: self.number,
            expr,
        };
        let only = self.others.is_empty();
        Equation {
            target: reading.target.clone(),
            operator: if only {
                reading.operator
            } else {
                Operator::ADD
            },
            free: reading.free.clone(),
            reduction: sums.reduction,
            expr: sum(&mut program.pool, vec![term], element),
        }
    }
}

/// The names, of a sum's own loops, that a reader's loops take where the sum is over one of these: several sums over a
/// loop are then still sums over that loop, which share what they have in common. None where other loops of the
/// reader have such a name.
fn taken(
    sums: &Equation,
    reading: &Equation,
    pairs: Vec<(IndexId, IndexId)>,
) -> HashMap<IndexId, IndexId> {
    let met = |index: &IndexId| reading.free.contains(index);
    let names: HashMap<IndexId, IndexId> = pairs.iter().map(|(own, read)| (*read, *own)).collect();
    let mut others = (reading.free.iter()).filter(|index| !names.contains_key(index));
    let ambiguous =
        names.len() < pairs.len() || others.any(|other| sums.domain().any(|index| index == *other));
    if ambiguous || !sums.reduction.iter().any(met) {
        return HashMap::default();
    }
    names
}

/// A sum with other loops than some.
fn apart(program: &mut Program, sums: &Equation, others: &[IndexId]) -> Equation {
    let met = sums.reduction.iter().filter(|index| others.contains(index));
    let names: HashMap<IndexId, IndexId> = met
        .map(|index| (*index, program.add_index_like(*index)))
        .collect();
    let of = |index: &IndexId| names.get(index).copied().unwrap_or(*index);
    let by = substitution(&names);
    Equation {
        reduction: sums.reduction.iter().map(of).collect(),
        expr: (program.pool).substitute(sums.expr, &by, &mut HashMap::default()),
        ..sums.clone()
    }
}
