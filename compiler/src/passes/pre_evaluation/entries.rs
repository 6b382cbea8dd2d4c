//! Entries that are equal, computed once.
//!
//! Where the tensors that give an equation its value have equal entries at two places, so has the
//! result: above all at (i, j) and (j, i) of a symmetric matrix, and of two blocks of which one is
//! the other transposed. The distinct values are computed in one temporary, and a table says which
//! of them each place takes.
//!
//! Before: `a[e, i, j] += g[e] * t[i, j]`. After: `u[e, p] = g[e] * s[p]` and
//! `a[e, i, j] += u[e, m[i, j]]`. The distinct values may be made of symmetric and antisymmetric parts
//! (`halves`).

use std::rc::Rc;

use super::aligned::Aligned;
use super::evaluation::{Evaluated, opened};
use super::halves::{self, Halves};
use super::reference::Part;
use super::tensor::dot;
use crate::collections::HashMap;
use crate::ir::{
    Access, Affine, ArrayId, Atom, Element, Equation, Expr, ExprId, Extent, Factor, IndexId,
    Operator, Program, Role, Term,
};
use crate::number::{Field, Number};
use crate::rewrite::evaluate::{extents, points};
use crate::rewrite::index_table::index_table;
use crate::rewrite::normalise::{product, sum};
use crate::rewrite::replace::{replace_accesses, value_at};
use crate::rewrite::tables::Tables;

/// A factor that is the same at all places: a coefficient, and unknown factors with it.
pub type Channel = (ExprId, Vec<(ExprId, i32)>);

/// The numbers of an entry: for each channel, one for each iteration of the sums.
pub type Column = Vec<Vec<Number>>;

/// What equations must have in common to share a temporary.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Kind {
    pub outer: Vec<IndexId>,
    pub sums: Vec<IndexId>,
    pub channels: Vec<Channel>,
    pub element: Element,
}

/// An equation that can share.
struct Member {
    /// Its position.
    at: usize,
    /// The loops of constant length.
    inner: Vec<IndexId>,
    /// Its parts in the order of the channels.
    parts: Vec<usize>,
}

/// Equations that can share a temporary, and their entries.
pub struct Group {
    kind: Kind,
    members: Vec<Member>,
    entries: Entries,
}

/// The distinct entries of a group of equations.
pub struct Entries {
    pub columns: Vec<Column>,
    /// For each equation the extents of its places, and the column that each place takes.
    pub maps: Vec<(Vec<usize>, Vec<usize>)>,
}

/// How entries are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Equal ones once.
    Once,
    /// Those that are mirrored as the sum and the difference of two parts, too.
    Halves,
}

/// Whether what reads an equation's target can read the shared entries instead.
fn is_forwarded(program: &Program, equation: &Equation) -> bool {
    let array = equation.target.array;
    let temporary = matches!(program.array(array).role, Role::Temporary);
    temporary && equation.is_definition() && program.sole_writer(array).is_some()
}

/// Reads shared entries where temporaries are read that only copy them.
pub fn forward(program: &mut Program, copies: &[Equation]) {
    let copies = copies.iter().filter(|copy| is_forwarded(program, copy));
    let copies: HashMap<ArrayId, &Equation> =
        copies.map(|copy| (copy.target.array, copy)).collect();
    if copies.is_empty() {
        return;
    }
    for at in 0..program.equations.len() {
        let expr = program.equations[at].expr;
        program.equations[at].expr = replace_accesses(program, expr, |program, access, _| {
            let copy = copies.get(&access.array)?;
            Some(value_at(program, copy, access))
        });
    }
}

/// The equations of `evaluated` that can share temporaries, those together that can share one.
pub fn groups(program: &mut Program, evaluated: &[Evaluated]) -> Vec<Group> {
    let mut groups: Vec<(Kind, Vec<Member>)> = Vec::new();
    for (at, of) in evaluated.iter().enumerate() {
        let Some((kind, member)) = member(program, at, of) else {
            continue;
        };
        match groups.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, members)) => members.push(member),
            None => groups.push((kind, vec![member])),
        }
    }
    let group = |(kind, members): (Kind, Vec<Member>)| {
        let entries = entries(program, &kind, evaluated, &members)?;
        Some(Group {
            kind,
            members,
            entries,
        })
    };
    groups.into_iter().filter_map(group).collect()
}

/// The equations that replace each of `evaluated`, by its position.
/// Equations that cannot share are left out.
pub fn share(
    program: &mut Program,
    (evaluated, groups): (&[Evaluated], &[Group]),
    sharing: Sharing,
    tables: &mut Tables,
) -> HashMap<usize, Vec<Equation>> {
    let mut shared = Vec::new();
    for group in groups {
        let Entries { columns, maps } = &group.entries;
        let halves = match sharing {
            Sharing::Once => None,
            Sharing::Halves => halves::find(&group.kind, &group.entries).map(Rc::new),
        };
        let places: usize = maps.iter().map(|(_, map)| map.len()).sum();
        if columns.len() < places || halves.is_some() {
            shared.push((group, halves));
        }
    }
    let mut result = HashMap::default();
    let halved: Vec<Rc<Halves>> = (shared.iter())
        .filter_map(|(_, halves)| halves.clone())
        .collect();
    if sharing == Sharing::Halves && halved.is_empty() {
        return result;
    }
    for (group, halves) in shared {
        let Group {
            kind,
            members,
            entries,
        } = group;
        let equation = |member: &Member| &evaluated[member.at].equation;
        let target = equation(&members[0]).target.array;
        let name = program.array(target).name.clone();
        let aligned = halved
            .iter()
            .find_map(|halves| Aligned::of(entries, halves));
        let (mut before, array, maps) = match (halves, aligned) {
            (Some(halves), _) => {
                let columns = &entries.columns;
                let (before, array) = halves.define(program, tables, kind, columns, &name);
                (before, array, halves.maps.clone())
            }
            (None, Some(aligned)) => {
                let (before, array) = aligned.define(program, tables, kind, entries, &name);
                (before, array, aligned.maps)
            }
            (None, None) => {
                let shared = definition(program, tables, kind, &entries.columns, &name);
                let array = shared.target.array;
                let maps = entries.maps.iter().map(|(_, map)| map.clone());
                (vec![shared], array, maps.collect())
            }
        };
        for (member, map) in members.iter().zip(maps) {
            let mut equations = std::mem::take(&mut before);
            let places = (&*member.inner, map);
            equations.push(copy(program, kind, equation(member), array, places));
            result.insert(member.at, equations);
        }
    }
    result
}

/// What an equation can share with others; `None` where loops of constant length change more than
/// tensors, where it is a sum over different loops, or where maps choose among tensors.
fn member(program: &mut Program, at: usize, evaluated: &Evaluated) -> Option<(Kind, Member)> {
    let equation = &evaluated.equation;
    let first = evaluated.parts.first()?;
    let is_inner = |program: &Program, index| program.is_constant(index);
    let (inner, outer): (Vec<IndexId>, Vec<IndexId>) =
        (equation.free.iter()).partition(|index| is_inner(program, **index));
    let same_sums = evaluated.parts.iter().all(|part| part.sums == first.sums)
        && (equation.reduction.iter()).all(|index| is_inner(program, *index));
    let unchanged = |factor: &Factor| {
        let depends = program.pool.indices(factor.expr);
        inner.iter().all(|index| !depends.contains(index))
    };
    let mut inside = evaluated.parts.iter().flat_map(|part| &part.loops);
    let fixed = inside.all(|index| first.sums.contains(index) || inner.contains(index))
        && (evaluated.parts.iter()).all(|part| part.variables.iter().all(unchanged));
    if !(same_sums && fixed && evaluated.rest.is_empty()) || inner.is_empty() {
        return None;
    }
    let element = program.pool.element(equation.expr);
    let mut parts: Vec<(Channel, usize)> = Vec::new();
    for (at, part) in evaluated.parts.iter().enumerate() {
        let coefficient = product(&mut program.pool, part.factors.clone(), element);
        let variables = part.variables.iter().map(|f| (f.expr, f.power)).collect();
        parts.push(((coefficient, variables), at));
    }
    parts.sort_by(|(a, _), (b, _)| a.cmp(b));
    let (channels, parts): (Vec<Channel>, Vec<usize>) = parts.into_iter().unzip();
    let distinct = channels.windows(2).all(|pair| pair[0] != pair[1]);
    let sums = first.sums.clone();
    let kind = Kind {
        outer,
        sums,
        channels,
        element,
    };
    let member = Member { at, inner, parts };
    distinct.then_some((kind, member))
}

/// How far the entries of a part are from one another along loops, which may be some of its own.
fn strides(program: &Program, part: &Part, loops: &[IndexId]) -> Option<Vec<usize>> {
    let lengths = extents(program, &part.loops)?;
    let stride = |index: &IndexId| {
        let at = part.loops.iter().position(|own| own == index);
        at.map_or(0, |at| lengths[at + 1..].iter().product())
    };
    Some(loops.iter().map(stride).collect())
}

/// The distinct entries of a group.
fn entries(
    program: &Program,
    kind: &Kind,
    evaluated: &[Evaluated],
    members: &[Member],
) -> Option<Entries> {
    let summed: Vec<Vec<usize>> = points(&extents(program, &kind.sums)?).collect();
    let mut known: HashMap<Vec<Field>, usize> = HashMap::default();
    let mut result = Entries {
        columns: Vec::new(),
        maps: Vec::new(),
    };
    for member in members {
        let all = &evaluated[member.at].parts;
        // Where a part's entries are: those of a place, and from there, those of each iteration.
        let part = |at: &usize| {
            let sums = strides(program, &all[*at], &kind.sums)?;
            let offsets: Vec<usize> = summed.iter().map(|point| dot(&sums, point)).collect();
            Some((
                &all[*at],
                strides(program, &all[*at], &member.inner)?,
                offsets,
            ))
        };
        let parts = member.parts.iter().map(part).collect::<Option<Vec<_>>>()?;
        let shape = extents(program, &member.inner)?;
        let mut map = Vec::new();
        for place in points(&shape) {
            let column: Column = (parts.iter())
                .map(|(part, strides, offsets)| {
                    let first = dot(strides, &place);
                    offsets.iter().map(|at| part.tensor[first + at]).collect()
                })
                .collect();
            let next = result.columns.len();
            let key = column.iter().flatten().map(|v| v.field()).collect();
            let class = *known.entry(key).or_insert(next);
            if class == next {
                result.columns.push(column);
            }
            map.push(class);
        }
        result.maps.push((shape, map));
    }
    Some(result)
}

/// The temporary of all distinct values.
fn definition(
    program: &mut Program,
    tables: &mut Tables,
    kind: &Kind,
    columns: &[Column],
    name: &str,
) -> Equation {
    let count = Extent::Constant(columns.len());
    let place = program.add_index("p", count.clone());
    let array = temporary(program, kind, &format!("{name}_entries"), count);
    let channel = |(at, channel): (usize, &Channel)| {
        let values = columns.iter().map(|column| column[at].clone());
        (channel.clone(), values.collect())
    };
    let channels: Vec<_> = kind.channels.iter().enumerate().map(channel).collect();
    let expr = summed(program, tables, kind, place, name, &channels);
    defines(kind, array, place, &Affine::index(place), expr)
}

/// A temporary with a number of entries.
pub fn temporary(program: &mut Program, kind: &Kind, name: &str, count: Extent) -> ArrayId {
    let outer = kind.outer.iter();
    let outer = outer.map(|index| program.loop_index(*index).extent.clone());
    let shape = outer.chain([count]).collect();
    program.add_array(name, kind.element, shape, Role::Temporary)
}

/// The equation that gives entries of a temporary their values: at `at`, which follows `place`.
pub fn defines(kind: &Kind, array: ArrayId, place: IndexId, at: &Affine, expr: ExprId) -> Equation {
    let outer = kind.outer.iter().copied();
    let subscripts = outer.clone().map(Affine::index).chain([at.clone()]);
    Equation {
        target: Access {
            array,
            subscripts: subscripts.collect(),
        },
        operator: Operator::Assign,
        free: outer.chain([place]).collect(),
        reduction: kind.sums.clone(),
        expr,
    }
}

/// The sum over channels, each with its numbers: for each place, one for each iteration of the sums.
pub fn summed(
    program: &mut Program,
    tables: &mut Tables,
    kind: &Kind,
    place: IndexId,
    name: &str,
    channels: &[(Channel, Vec<Vec<Number>>)],
) -> ExprId {
    let loops = kind.sums.iter().copied().chain([place]);
    let shape: Vec<Extent> = (loops.clone())
        .map(|index| program.loop_index(index).extent.clone())
        .collect();
    let subscripts: Vec<Affine> = loops.map(Affine::index).collect();
    let mut terms = Vec::new();
    for ((coefficient, variables), numbers) in channels {
        let repeated = numbers[0].len();
        let values = (0..repeated).flat_map(|at| numbers.iter().map(move |numbers| numbers[at]));
        let table_name = format!("{name}_reference");
        let of = (kind.element, shape.clone());
        let array = tables.table(program, &table_name, of, values.collect());
        let subscripts = subscripts.clone();
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
    sum(&mut program.pool, terms, kind.element)
}

/// An equation that takes its values from the temporary.
fn copy(
    program: &mut Program,
    kind: &Kind,
    equation: &Equation,
    array: ArrayId,
    (inner, map): (&[IndexId], Vec<usize>),
) -> Equation {
    let shape = (inner.iter())
        .map(|index| program.loop_index(*index).extent.clone())
        .collect();
    let name = format!("{}_which", program.array(array).name);
    let map = index_table(program, &name, shape, map);
    let inner = inner.iter().copied().map(Affine::index).collect();
    let outer = kind.outer.iter().copied().map(Affine::index);
    let which = Affine::atom(Atom::Map(map, inner));
    let subscripts = outer.chain([which]).collect();
    let access = Expr::Access(Access { array, subscripts });
    Equation {
        reduction: Vec::new(),
        expr: program.pool.add(access, kind.element),
        ..equation.clone()
    }
}
