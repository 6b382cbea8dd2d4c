//! Which elements temporaries need, and the equations that assign them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Group, Shared};
use crate::collections::HashMap;
use crate::ir::Program;
use crate::ir::{Access, Affine, ArrayId, Atom, Equation, Expr, ExprId, Extent, IndexId, Operator};
use crate::rewrite::translate::{AXES, linear};

/// The first and the last offset at which elements are needed, along each axis.
type Span = [[i64; 2]; AXES];

/// Puts the group's values and temporaries into the program; `None` if these would read what is not between
/// elements that were read before.
pub fn settle(program: &mut Program, group: &Group, axes: &[IndexId]) -> Option<()> {
    let settling = Settling {
        axes,
        spans: spans(program, group, axes),
        group,
    };
    settling.stays_inside(program)?;
    let equations = settling.equations(program);
    settling.assume(program);
    program.equations = equations;
    Some(())
}

/// A loop of a group, what stands in its place, and the offset of its first iteration.
type Place = (IndexId, Affine, i64);

struct Settling<'a> {
    axes: &'a [IndexId],
    /// Of each temporary; `None` if nothing reads it.
    spans: Vec<Option<Span>>,
    group: &'a Group,
}

/// How far away from the iteration the element of a temporary is that an access reads.
fn offset(access: &Access, axes: &[IndexId]) -> [i64; AXES] {
    let mut result = [0; AXES];
    for subscript in &access.subscripts {
        for (at, axis) in axes.iter().enumerate() {
            if subscript.depends_on(*axis) {
                result[at] = subscript.constant;
            }
        }
    }
    result
}

/// What is needed of each temporary.
fn spans(program: &Program, group: &Group, axes: &[IndexId]) -> Vec<Option<Span>> {
    let mut spans: Vec<Option<Span>> = vec![None; group.shared.len()];
    let read = |value: ExprId, own: Span, spans: &mut Vec<Option<Span>>| {
        for (_, access) in program.pool.accesses([value]) {
            let of = group.shared.iter().position(|s| s.array == access.array);
            let Some(of) = of else { continue };
            let by = offset(access, axes);
            let span: Span = std::array::from_fn(|at| own[at].map(|end| end + by[at]));
            spans[of] = Some(match spans[of] {
                None => span,
                Some(known) => std::array::from_fn(|at| {
                    [known[at][0].min(span[at][0]), known[at][1].max(span[at][1])]
                }),
            });
        }
    };
    for member in &group.members {
        read(member.value, Span::default(), &mut spans);
    }
    for (at, shared) in group.shared.iter().enumerate().rev() {
        if let Some(own) = spans[at] {
            for value in shared.values() {
                read(value, own, &mut spans);
            }
        }
    }
    spans
}

/// The least and the greatest constants of the subscripts of each read, by arrays and what else is in the subscripts.
type Read = BTreeMap<(ArrayId, Vec<Affine>), BTreeSet<Vec<[i64; 2]>>>;

impl Settling<'_> {
    /// Whether temporaries read elements between those that the equations read before, dimension by
    /// dimension; of flat subscripts, which are checked together, between two reads.
    fn stays_inside(&self, program: &Program) -> Option<()> {
        let mut before = Read::new();
        for member in &self.group.members {
            self.note(program, member.before, Span::default(), &mut before);
        }
        let mut after = Read::new();
        for (shared, span) in self.group.shared.iter().zip(&self.spans) {
            if let Some(span) = span {
                for value in shared.values() {
                    self.note(program, value, *span, &mut after);
                }
            }
        }
        let inside = after.iter().all(|(what, reads)| {
            let own = self.group.shared.iter().any(|s| s.owns(what.0));
            let axes: Vec<usize> = (0..what.1.len()).collect();
            let together = if program.array(what.0).flat {
                axes.len()
            } else {
                1
            };
            let between = |known: &BTreeSet<Vec<[i64; 2]>>, ends: &[[i64; 2]], axes: &[usize]| {
                let first = |k: &Vec<[i64; 2]>| axes.iter().all(|at| k[*at][0] <= ends[*at][0]);
                let last = |k: &Vec<[i64; 2]>| axes.iter().all(|at| k[*at][1] >= ends[*at][1]);
                known.iter().any(first) && known.iter().any(last)
            };
            own || before.get(what).is_some_and(|known| {
                let mut groups = axes.chunks(together.max(1));
                groups.all(|axes| reads.iter().all(|ends| between(known, ends, axes)))
            })
        });
        inside.then_some(())
    }

    /// Notes what a value reads, for iterations of a span around each.
    fn note(&self, program: &Program, value: ExprId, span: Span, read: &mut Read) {
        for (_, access) in program.pool.accesses([value]) {
            let ends = access.subscripts.iter().map(|subscript| {
                let mut ends = [subscript.constant; 2];
                for (atom, coefficient) in &subscript.terms {
                    let axis = self.axes.iter().position(|a| *atom == Atom::Index(*a));
                    let Some(axis) = axis else { continue };
                    let mut by = span[axis].map(|end| end * coefficient);
                    by.sort_unstable();
                    ends = [ends[0] + by[0], ends[1] + by[1]];
                }
                ends
            });
            let known = read.entry((access.array, linear(access)));
            known.or_default().insert(ends.collect());
        }
    }

    /// The equations of the program, with those of temporaries before the first that needs them.
    fn equations(&self, program: &mut Program) -> Vec<Equation> {
        let first = self.first_readers(program);
        let mut longer: HashMap<(IndexId, i64), IndexId> = HashMap::default();
        let shared: Vec<Vec<Equation>> = (self.group.shared.iter().zip(&self.spans))
            .map(|(shared, span)| match *span {
                Some(span) => self.definitions(program, shared, span, &mut longer),
                None => Vec::new(),
            })
            .collect();
        let mut result = Vec::new();
        for (at, equation) in program.equations.clone().into_iter().enumerate() {
            for (own, first) in shared.iter().zip(&first) {
                if *first == Some(at) {
                    result.extend(own.clone());
                }
            }
            let member = self.group.members.iter().find(|member| member.at == at);
            let changed = member.filter(|member| member.value != member.before);
            result.push(match changed {
                Some(member) => Equation {
                    expr: self.moved(program, member.value),
                    reduction: Vec::new(),
                    ..equation
                },
                None => equation,
            });
        }
        result
    }

    /// The first equation that needs each temporary.
    fn first_readers(&self, program: &Program) -> Vec<Option<usize>> {
        let shared = &self.group.shared;
        let mut first: Vec<Option<usize>> = vec![None; shared.len()];
        let note = |value: ExprId, at: usize, first: &mut Vec<Option<usize>>| {
            for (_, access) in program.pool.accesses([value]) {
                let of = shared.iter().position(|s| s.array == access.array);
                if let Some(of) = of {
                    first[of] = Some(first[of].map_or(at, |known| known.min(at)));
                }
            }
        };
        for member in &self.group.members {
            note(member.value, member.at, &mut first);
        }
        for at in (0..shared.len()).rev() {
            if let Some(own) = first[at] {
                for value in shared[at].values() {
                    note(value, own, &mut first);
                }
            }
        }
        first
    }

    /// The equations that assign a temporary, and what it hands on; `longer` knows the loops that take more
    /// values.
    fn definitions(
        &self,
        program: &mut Program,
        shared: &Shared,
        span: Span,
        longer: &mut HashMap<(IndexId, i64), IndexId>,
    ) -> Vec<Equation> {
        let mut loops: Vec<Place> = Vec::new();
        for index in &shared.dims {
            let axis = self.axes.iter().position(|axis| axis == index);
            let [first, last] = axis.map_or([0, 0], |axis| span[axis]);
            let own = match last - first {
                0 => *index,
                by => *longer
                    .entry((*index, by))
                    .or_insert_with(|| add_longer(program, *index, by)),
            };
            loops.push((*index, Affine::index(own), first));
        }
        let value = self.assigned(program, (shared.array, shared.value), &loops);
        let extent = |index: &IndexId| program.loop_index(*index).extent.clone();
        let shape: Vec<Extent> = value.free.iter().map(extent).collect();
        program.arrays[shared.array.0 as usize].shape = shape.clone();
        let Some(running) = &shared.running else {
            return vec![value];
        };
        let along = self.axes[running.axis];
        let axis = shared.dims.iter().position(|index| *index == along);
        let axis = axis.unwrap_or_default();
        let by = running.by as i64;
        let mut next = self.assigned(program, (running.state, running.next), &loops);
        next.target.subscripts[axis].constant += by;
        let start = program.add_index(
            &program.loop_index(along).name.clone(),
            Extent::Constant(running.by),
        );
        loops[axis].1 = Affine::index(start);
        let seed = self.assigned(program, (running.state, running.seed), &loops);
        let mut shape = shape;
        shape[axis] = match &shape[axis] {
            Extent::Constant(n) => Extent::Constant(n + running.by),
            Extent::RunTime(extent) => Extent::RunTime(extent.add(&Affine::constant(by))),
        };
        program.arrays[running.state.0 as usize].shape = shape;
        vec![seed, value, next]
    }

    /// An equation that assigns a value in some loops.
    fn assigned(
        &self,
        program: &mut Program,
        (array, value): (ArrayId, ExprId),
        loops: &[Place],
    ) -> Equation {
        let value = self.moved(program, value);
        let by = |index: IndexId| match loops.iter().find(|(old, ..)| *old == index) {
            Some((_, new, first)) => new.add(&Affine::constant(*first)),
            None => Affine::index(index),
        };
        let expr = program.pool.substitute(value, &by, &mut HashMap::default());
        let subscripts: Vec<Affine> = loops.iter().map(|(_, own, _)| own.clone()).collect();
        let free = subscripts.iter().filter_map(Affine::as_index).collect();
        Equation {
            target: Access { array, subscripts },
            operator: Operator::Assign,
            free,
            reduction: Vec::new(),
            expr,
        }
    }

    /// A value that reads temporaries from their first elements on.
    fn moved(&self, program: &mut Program, value: ExprId) -> ExprId {
        let mut known = HashMap::default();
        let accesses = program.pool.accesses([value]).into_iter();
        let accesses: Vec<(ExprId, Access)> = accesses
            .map(|(expr, access)| (expr, access.clone()))
            .collect();
        for (expr, mut access) in accesses {
            let mut all = self.group.shared.iter();
            let of = all.position(|s| s.owns(access.array));
            let Some(of) = of else { continue };
            let Some(span) = self.spans[of] else { continue };
            for (subscript, index) in access
                .subscripts
                .iter_mut()
                .zip(&self.group.shared[of].dims)
            {
                if let Some(axis) = self.axes.iter().position(|axis| axis == index) {
                    subscript.constant -= span[axis][0];
                }
            }
            let element = program.pool.element(expr);
            known.insert(expr, program.pool.add(Expr::Access(access), element));
        }
        program.pool.replace(value, &mut known)
    }

    /// Notes that loops run which temporaries are longer than, or do without.
    fn assume(&self, program: &mut Program) {
        for (shared, span) in self.group.shared.iter().zip(&self.spans) {
            let Some(span) = span else { continue };
            for index in &self.group.free {
                let axis = self.axes.iter().position(|axis| axis == index);
                let longer = axis.is_some_and(|axis| span[axis][0] != span[axis][1]);
                let runs = !longer && shared.dims.contains(index);
                if let (false, Extent::RunTime(extent)) = (runs, &program.loop_index(*index).extent)
                {
                    let least = extent.sub(&Affine::constant(1));
                    if !program.assumed.contains(&least) {
                        program.assumed.push(least);
                    }
                }
            }
        }
    }
}

/// A loop with more iterations than another one.
fn add_longer(program: &mut Program, index: IndexId, by: i64) -> IndexId {
    let old = program.loop_index(index).clone();
    let extent = match old.extent {
        Extent::Constant(n) => Extent::Constant(n + by.unsigned_abs() as usize),
        Extent::RunTime(extent) => Extent::RunTime(extent.add(&Affine::constant(by))),
    };
    program.add_index(&old.name, extent)
}
