//! Entries that are equal, computed once.
//!
//! Where the tensors that give an equation its value have equal entries at two places, so has the
//! result: above all at (i, j) and (j, i) of a symmetric matrix, and of two blocks of which one is
//! the other transposed. The distinct values are computed in one temporary, and a table says which
//! of them each place takes.
//!
//! Before: `a[e, i, j] += g[e] * t[i, j]`. After: `u[e, p] = g[e] * s[p]` and
//! `a[e, i, j] += u[e, m[i, j]]`.

use std::collections::HashMap;
use std::rc::Rc;

use super::evaluation::{Evaluated, opened};
use super::reference::Part;
use crate::ir::{
    Access, Affine, ArrayId, Atom, Element, Equation, Expr, ExprId, Extent, Factor, IndexId,
    Operator, Program, Role, Term,
};
use crate::number::{Field, Number};
use crate::rewrite::evaluate::{extents, points};
use crate::rewrite::index_table::index_table;
use crate::rewrite::normalise::{product, sum};

/// A factor that is the same at all places: a coefficient, and unknown factors with it.
type Channel = (ExprId, Vec<(ExprId, i32)>);

/// What equations must have in common to share a temporary.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Kind {
    outer: Vec<IndexId>,
    sums: Vec<IndexId>,
    channels: Vec<Channel>,
    element: Element,
}

/// An equation that can share, with its parts in the order of the channels.
struct Member<'a> {
    at: usize,
    equation: &'a Equation,
    /// The loops of constant length.
    inner: Vec<IndexId>,
    parts: Vec<Part>,
}

/// The equations that replace each of `evaluated`, by its position; and how many entries are copied.
/// Equations that cannot share are left out.
pub fn share(
    program: &mut Program,
    evaluated: &[Evaluated],
) -> (HashMap<usize, Vec<Equation>>, u64) {
    let mut groups: Vec<(Kind, Vec<Member>)> = Vec::new();
    for (at, evaluated) in evaluated.iter().enumerate() {
        let Some((kind, member)) = member(program, at, evaluated) else {
            continue;
        };
        match groups.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, members)) => members.push(member),
            None => groups.push((kind, vec![member])),
        }
    }
    let mut result = HashMap::new();
    let mut copied = 0;
    for (kind, members) in groups {
        copied += group(program, &kind, &members, &mut result).unwrap_or(0);
    }
    (result, copied)
}

/// What an equation can share with others; `None` where loops of constant length change more than
/// tensors, where it is a sum over different loops, or where maps choose among tensors.
fn member<'a>(
    program: &mut Program,
    at: usize,
    evaluated: &'a Evaluated,
) -> Option<(Kind, Member<'a>)> {
    let equation = &evaluated.equation;
    let first = evaluated.parts.first()?;
    let is_inner = |program: &Program, index| program.is_constant(index);
    let (inner, outer): (Vec<IndexId>, Vec<IndexId>) =
        (equation.free.iter()).partition(|index| is_inner(program, **index));
    let output = matches!(program.array(equation.target.array).role, Role::Output(_));
    let same_sums = evaluated.parts.iter().all(|part| part.sums == first.sums)
        && (equation.reduction.iter()).all(|index| is_inner(program, *index));
    let unchanged = |factor: &Factor| {
        let depends = program.pool.indices(factor.expr);
        inner.iter().all(|index| !depends.contains(index))
    };
    let mut inside = evaluated.parts.iter().flat_map(|part| &part.loops);
    let fixed = inside.all(|index| first.sums.contains(index) || inner.contains(index))
        && (evaluated.parts.iter()).all(|part| part.variables.iter().all(unchanged));
    if !(output && same_sums && fixed && evaluated.rest.is_empty()) || inner.is_empty() {
        return None;
    }
    let element = program.pool.element(equation.expr);
    let mut parts: Vec<(Channel, Part)> = Vec::new();
    for part in &evaluated.parts {
        let coefficient = product(&mut program.pool, part.factors.clone(), element);
        let variables = part.variables.iter().map(|f| (f.expr, f.power)).collect();
        parts.push(((coefficient, variables), part.clone()));
    }
    parts.sort_by(|(a, _), (b, _)| a.cmp(b));
    let (channels, parts): (Vec<Channel>, Vec<Part>) = parts.into_iter().unzip();
    let distinct = channels.windows(2).all(|pair| pair[0] != pair[1]);
    let sums = first.sums.clone();
    let kind = Kind {
        outer,
        sums,
        channels,
        element,
    };
    let member = Member {
        at,
        equation,
        inner,
        parts,
    };
    distinct.then_some((kind, member))
}

/// The value of a part at a point of its own loops, given those of other loops.
fn entry(part: &Part, lengths: &[usize], loops: &[IndexId], point: &[usize]) -> Number {
    let mut flat = 0;
    for (index, length) in part.loops.iter().zip(lengths) {
        let at = loops.iter().position(|other| other == index);
        flat = flat * length + at.map_or(0, |at| point[at]);
    }
    part.tensor[flat]
}

/// Rewrites the equations of a group; how many entries are copied, or `None` if none is equal to
/// another.
fn group(
    program: &mut Program,
    kind: &Kind,
    members: &[Member],
    result: &mut HashMap<usize, Vec<Equation>>,
) -> Option<u64> {
    let summed: Vec<Vec<usize>> = points(&extents(program, &kind.sums)?).collect();
    let mut classes: HashMap<Vec<Field>, usize> = HashMap::new();
    let mut columns: Vec<Vec<Vec<Number>>> = Vec::new();
    let mut maps: Vec<Vec<usize>> = Vec::new();
    for member in members {
        let loops: Vec<IndexId> = kind.sums.iter().chain(&member.inner).copied().collect();
        let lengths: Vec<Vec<usize>> = (member.parts.iter())
            .map(|part| extents(program, &part.loops))
            .collect::<Option<_>>()?;
        let mut map = Vec::new();
        for place in points(&extents(program, &member.inner)?) {
            let column: Vec<Vec<Number>> = (member.parts.iter().zip(&lengths))
                .map(|(part, lengths)| {
                    let at = |sums: &Vec<usize>| {
                        entry(part, lengths, &loops, &[sums.as_slice(), &place].concat())
                    };
                    summed.iter().map(at).collect()
                })
                .collect();
            let key = column.iter().flatten().map(|v| v.field()).collect();
            let next = columns.len();
            let class = *classes.entry(key).or_insert(next);
            if class == next {
                columns.push(column);
            }
            map.push(class);
        }
        maps.push(map);
    }
    let places: usize = maps.iter().map(Vec::len).sum();
    if columns.len() == places {
        return None;
    }
    let shared = definition(program, kind, members, &columns);
    let array = shared.target.array;
    let mut before = vec![shared];
    for (member, map) in members.iter().zip(maps) {
        let mut equations = std::mem::take(&mut before);
        equations.push(copy(program, kind, member, array, map));
        result.insert(member.at, equations);
    }
    u64::try_from(places).ok()
}

/// The temporary of all distinct values.
fn definition(
    program: &mut Program,
    kind: &Kind,
    members: &[Member],
    columns: &[Vec<Vec<Number>>],
) -> Equation {
    let target = members[0].equation.target.array;
    let name = program.array(target).name.clone();
    let count = Extent::Constant(columns.len());
    let place = program.add_index("p", count.clone());
    let mut shape: Vec<Extent> = (kind.outer.iter().chain(&kind.sums))
        .map(|index| program.loop_index(*index).extent.clone())
        .collect();
    let table_shape: Vec<Extent> = shape
        .split_off(kind.outer.len())
        .into_iter()
        .chain([count.clone()])
        .collect();
    shape.push(count);
    let mut terms = Vec::new();
    for (channel, (coefficient, variables)) in kind.channels.iter().enumerate() {
        let repeated = columns[0][channel].len();
        let values = (0..repeated)
            .flat_map(|at| columns.iter().map(move |column| column[channel][at]))
            .collect();
        let role = Role::Table(Rc::new(values));
        let table_name = format!("{name}_reference");
        let array = program.add_array(&table_name, kind.element, table_shape.clone(), role);
        let loops = kind.sums.iter().chain([&place]);
        let subscripts = loops.copied().map(Affine::index).collect();
        let access = Expr::Access(Access { array, subscripts });
        let tensor = program.pool.add(access, kind.element);
        let mut factors = opened(&program.pool, *coefficient);
        let more = variables.iter();
        factors.extend(more.map(|(expr, power)| Factor {
            expr: *expr,
            power: *power,
        }));
        factors.push(Factor {
            expr: tensor,
            power: 1,
        });
        terms.push(Term {
            coefficient: Number::ONE,
            expr: product(&mut program.pool, factors, kind.element),
        });
    }
    let role = Role::Temporary;
    let array = program.add_array(&format!("{name}_entries"), kind.element, shape, role);
    let free: Vec<IndexId> = kind.outer.iter().copied().chain([place]).collect();
    let subscripts = free.iter().copied().map(Affine::index).collect();
    Equation {
        target: Access { array, subscripts },
        operator: Operator::Assign,
        free,
        reduction: kind.sums.clone(),
        expr: sum(&mut program.pool, terms, kind.element),
    }
}

/// An equation that takes its values from the temporary.
fn copy(
    program: &mut Program,
    kind: &Kind,
    member: &Member,
    array: ArrayId,
    map: Vec<usize>,
) -> Equation {
    let shape = (member.inner.iter())
        .map(|index| program.loop_index(*index).extent.clone())
        .collect();
    let name = format!("{}_which", program.array(array).name);
    let map = index_table(program, &name, shape, map);
    let inner = member.inner.iter().copied().map(Affine::index).collect();
    let outer = kind.outer.iter().copied().map(Affine::index);
    let which = Affine::atom(Atom::Map(map, inner));
    let subscripts = outer.chain([which]).collect();
    let access = Expr::Access(Access { array, subscripts });
    Equation {
        reduction: Vec::new(),
        expr: program.pool.add(access, kind.element),
        ..member.equation.clone()
    }
}
