//! Results that temporaries hold already are copied out from there.
//!
//! Lanes over the mesh loop leave entries of an element matrix in temporaries `[place][lane]`: those
//! that are equal once, halves of what is symmetric. Staging them as a matrix would copy each entry
//! twice. All temporaries that only a block of results reads become one, with what is computed for
//! the block and nothing else; a table says which place each entry of the block comes from.
//!
//! ```text
//! half[e, i, j] = …      for j <= i           parts[e, 4*i + j] = …
//! a[e, i, j] += half[e, i, j]                 copy parts at places[r, c] over r, c into a[e, r, c] +=
//! a[e, j, i] += half[e, i, j]
//! ```
//!
//! So are results that go through a map, an element's share of a vector: the sums over a product cell's axes leave it in the
//! order of the axes, and degrees of freedom are numbered otherwise.
//!
//! ```text
//! t[e, x, y] = …                               t[e, 2*x + y] = …
//! y[dofs[e, j]] += t[e, px[j], py[j]]          copy t at places[j] over j into y[dofs[e, j]] +=
//! ```

use super::Plan;
use super::dependence::Dependence;
use super::staging::{Block, Staged, blocks, inner, place_of, run_time};
use crate::collections::HashMap;
use crate::ir::{
    Access, Affine, Array, ArrayId, Atom, Equation, Expr, Extent, IndexId, Operator, Program, Role,
};
use crate::rewrite::evaluate::{extents, points};
use crate::rewrite::index_table::index_table;

/// Redirects the equations whose values go to blocks of results; those that only copy are removed.
/// No sum is one over the lanes.
pub fn place(program: &mut Program, plan: &Plan, dependence: &Dependence) -> Vec<Staged> {
    let Some(lane) = plan.lanes.filter(|lane| !program.is_constant(*lane)) else {
        return Vec::new();
    };
    let mut result = Vec::new();
    let mut removed = Vec::new();
    for block in blocks(program, plan, lane, dependence) {
        let Some(parts) = Parts::of(program, plan, &block, lane) else {
            continue;
        };
        removed.extend(parts.copies.iter().copied());
        let array = parts.join(program, lane);
        let loops = block.rows(program);
        let rows = loops.iter().copied().map(Affine::index);
        let target = Access {
            array: block.array,
            subscripts: std::iter::once(Affine::index(lane)).chain(rows).collect(),
        };
        let copied = parts.copied(program, array, (target, loops), block.operator);
        result.push((array, copied));
    }
    for at in 0..program.equations.len() {
        if let Some(parts) = Parts::through_map(program, plan, at, lane) {
            removed.push(at);
            let array = parts.join(program, lane);
            let equation = program.equations[at].clone();
            let to = (equation.target, inner(program, &equation.free));
            let copied = parts.copied(program, array, to, equation.operator);
            result.push((array, copied));
        }
    }
    let mut at = 0;
    program.equations.retain(|_| {
        at += 1;
        !removed.contains(&(at - 1))
    });
    let staged = result.into_iter().map(|(array, staged)| Staged {
        equations: program.writers(array).collect(),
        ..staged
    });
    staged.collect()
}

/// What a block of results consists of.
#[derive(Default)]
struct Parts {
    /// Equations that copy an element of a temporary.
    copies: Vec<usize>,
    /// The temporaries, and at which place each begins.
    temporaries: Vec<(ArrayId, usize)>,
    /// Other equations, and at which place the results of each begin.
    computed: Vec<(usize, usize)>,
    /// Number of places.
    count: usize,
    /// The place that each element of the block comes from.
    places: Vec<usize>,
}

impl Parts {
    /// The parts of a block that has copies, and whose elements are each written once.
    fn of(program: &Program, plan: &Plan, block: &Block, lane: IndexId) -> Option<Parts> {
        let copied = |at: &usize| copied(program, &program.equations[*at], lane);
        let all = block.equations.iter().copied();
        let candidates: Vec<usize> = all.filter(|at| copied(at).is_some()).collect();
        let mut parts = Parts::default();
        let mut places: Vec<Option<usize>> = vec![None; block.shape.iter().product()];
        for at in &block.equations {
            let equation = &program.equations[*at];
            let inner = inner(program, &equation.free);
            let lengths = extents(program, &inner)?;
            let access = copied(at).filter(|a| own(program, plan, (a.array, lane), &candidates));
            let base = match access {
                Some(access) => parts.temporary(program, access.array)?,
                None => parts.results(*at, lengths.iter().product()),
            };
            if access.is_some() {
                parts.copies.push(*at);
            }
            for (number, point) in points(&lengths).enumerate() {
                let place = match access {
                    Some(access) => {
                        let shape = &program.array(access.array).shape[1..];
                        place_of(program, &access.subscripts[1..], shape, &inner, &point)?
                    }
                    None => number,
                };
                let target = &equation.target.subscripts[1..];
                let shape: Vec<Extent> =
                    block.shape.iter().copied().map(Extent::Constant).collect();
                let element = place_of(program, target, &shape, &inner, &point)?;
                if places[element].replace(base + place).is_some() {
                    return None;
                }
            }
        }
        parts.places = places.into_iter().collect::<Option<_>>()?;
        (!parts.copies.is_empty()).then_some(parts)
    }

    /// The temporary that an equation copies to where a map says, in the order of its loops.
    fn through_map(program: &Program, plan: &Plan, at: usize, lane: IndexId) -> Option<Parts> {
        let equation = &program.equations[at];
        let Role::Output(target) = program.array(equation.target.array).role else {
            return None;
        };
        let mapped = equation.target.subscripts.iter().any(Affine::is_mapped);
        if !mapped || run_time(program, &equation.free) != [lane] {
            return None;
        }
        // Nothing else is to come before it or after it.
        let read = |array: &Array| matches!(array.role, Role::State(own) if own == target);
        let alone = program.writers(equation.target.array).eq([at]);
        if program.exact || !alone || program.arrays.iter().any(read) {
            return None;
        }
        let access = copied(program, equation, lane)?;
        if !own(program, plan, (access.array, lane), &[at])
            || !plan.is_around(program, lane, equation)
        {
            return None;
        }
        let mut parts = Parts {
            copies: vec![at],
            ..Parts::default()
        };
        parts.temporary(program, access.array)?;
        let inner = inner(program, &equation.free);
        let shape = &program.array(access.array).shape[1..];
        let place =
            |point: Vec<usize>| place_of(program, &access.subscripts[1..], shape, &inner, &point);
        parts.places = points(&extents(program, &inner)?)
            .map(place)
            .collect::<Option<_>>()?;
        Some(parts)
    }

    /// Where a temporary begins.
    fn temporary(&mut self, program: &Program, array: ArrayId) -> Option<usize> {
        if let Some((_, base)) = self.temporaries.iter().find(|(other, _)| *other == array) {
            return Some(*base);
        }
        let inner = program.array(array).shape[1..].iter();
        let size: usize = inner.map(Extent::as_constant).product::<Option<_>>()?;
        self.temporaries.push((array, self.count));
        self.count += size;
        Some(self.count - size)
    }

    /// Where the results of an equation begin.
    fn results(&mut self, at: usize, size: usize) -> usize {
        self.computed.push((at, self.count));
        self.count += size;
        self.count - size
    }

    /// The temporary that has all places; the equations write there.
    fn join(&self, program: &mut Program, lane: IndexId) -> ArrayId {
        let (first, _) = self.temporaries[0];
        let flat = program.array(first).shape.len() == 2;
        if self.temporaries.len() == 1 && self.computed.is_empty() && flat {
            return first;
        }
        let element = program.array(first).element;
        let target = program.equations[self.copies[0]].target.array;
        let name = format!("{}_parts", program.array(target).name);
        let cells = program.loop_index(lane).extent.clone();
        let shape = vec![cells, Extent::Constant(self.count)];
        let array = program.add_array(&name, element, shape, Role::Temporary);
        let bases: HashMap<ArrayId, usize> = self.temporaries.iter().copied().collect();
        for at in 0..program.equations.len() {
            let target = program.equations[at].target.clone();
            if let Some(base) = bases.get(&target.array) {
                let shape = &program.array(target.array).shape[1..];
                let place = row_major(&target.subscripts[1..], shape, *base);
                program.equations[at].target = self::element(array, lane, place);
            }
        }
        for (at, base) in &self.computed {
            let inner = inner(program, &program.equations[*at].free);
            let shape = inner.iter().map(|i| program.loop_index(*i).extent.clone());
            let subscripts: Vec<Affine> = inner.iter().copied().map(Affine::index).collect();
            let place = row_major(&subscripts, &shape.collect::<Vec<_>>(), *base);
            program.equations[*at].target = self::element(array, lane, place);
            program.equations[*at].operator = Operator::Assign;
        }
        array
    }

    /// The copy of all places to where they belong, in loops over these.
    fn copied(
        &self,
        program: &mut Program,
        array: ArrayId,
        (target, loops): (Access, Vec<IndexId>),
        operator: Operator,
    ) -> Staged {
        let extent = |index: &IndexId| program.loop_index(*index).extent.clone();
        let shape: Vec<Extent> = loops.iter().map(extent).collect();
        let name = format!("{}_places", program.array(target.array).name);
        let places = index_table(program, &name, shape, self.places.iter().copied());
        let subscripts = loops.iter().copied().map(Affine::index).collect();
        Staged {
            array,
            equations: Vec::new(),
            loops,
            places: Some(Affine::atom(Atom::Map(places, subscripts))),
            target,
            accumulate: operator.accumulated(),
            zero: false,
        }
    }
}

/// An element of what the lanes hold.
fn element(array: ArrayId, lane: IndexId, place: Affine) -> Access {
    Access {
        array,
        subscripts: vec![Affine::index(lane), place],
    }
}

/// The element of a temporary that an equation copies, each lane its own.
fn copied<'a>(program: &'a Program, equation: &Equation, lane: IndexId) -> Option<&'a Access> {
    let Expr::Access(access) = program.pool.get(equation.expr) else {
        return None;
    };
    let first = access.subscripts.first().and_then(Affine::as_index);
    let temporary = matches!(program.array(access.array).role, Role::Temporary);
    (temporary && first == Some(lane) && equation.reduction.is_empty()).then_some(access)
}

/// Whether each lane computes its own elements of a temporary, inside of its loop, and nothing but
/// `copies` reads them.
fn own(
    program: &Program,
    plan: &Plan,
    (array, lane): (ArrayId, IndexId),
    copies: &[usize],
) -> bool {
    let written = program.equations.iter().filter(|e| e.target.array == array);
    let mut written = written.peekable();
    let inside = |equation: &Equation| {
        let first = equation.target.subscripts.first();
        first.and_then(Affine::as_index) == Some(lane)
            && run_time(program, &equation.free) == [lane]
            && plan.is_around(program, lane, equation)
    };
    let mut known = HashMap::default();
    let elsewhere = (0..program.equations.len()).any(|at| {
        !copies.contains(&at)
            && program
                .pool
                .reads(program.equations[at].expr, array, &mut known)
    });
    written.peek().is_some() && written.all(inside) && !elsewhere
}

/// The place of an element in the order of its subscripts.
fn row_major(subscripts: &[Affine], shape: &[Extent], base: usize) -> Affine {
    let first = Affine::default();
    let place = subscripts
        .iter()
        .zip(shape)
        .fold(first, |place, (subscript, extent)| {
            let length = extent.as_constant().unwrap_or(1) as i64;
            place.scale(length).add(subscript)
        });
    place.add(&Affine::constant(base as i64))
}

#[cfg(test)]
#[path = "placing_tests.rs"]
mod tests;
