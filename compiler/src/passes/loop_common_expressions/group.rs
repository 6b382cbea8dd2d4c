//! Equations over the same loops, and the temporaries that they share.

use super::super::code_motion::name;
use super::{reads_translates, written_out};
use crate::analysis::cost::{self, Work};
use crate::collections::HashSet;
use crate::ir::{Access, Affine, ArrayId, Atom, ExprId, IndexId, Operator, Program, Role};
use crate::rewrite::translate::Offset;

/// A temporary over the loops of a group, as if they had no ends.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    pub(super) array: ArrayId,
    /// The loops that its value depends on, in their order.
    pub(super) dims: Vec<IndexId>,
    pub(super) value: ExprId,
    /// What it hands on, if it is a running sum.
    pub(super) running: Option<Running>,
}

/// What a running sum hands on to later iterations.
#[derive(Clone, Debug)]
pub(super) struct Running {
    /// Where it is handed on.
    pub(super) state: ArrayId,
    /// Along which axis.
    pub(super) axis: usize,
    /// By how many iterations.
    pub(super) by: usize,
    /// What is handed on.
    pub(super) next: ExprId,
    /// What the first iterations find.
    pub(super) seed: ExprId,
}

impl Shared {
    /// Whether an array is its own, or that in which it hands on what it does.
    pub(super) fn owns(&self, array: ArrayId) -> bool {
        let running = self.running.as_ref();
        self.array == array || running.is_some_and(|running| running.state == array)
    }

    /// All that it computes.
    pub(super) fn values(&self) -> impl Iterator<Item = ExprId> {
        let running = self.running.as_ref();
        let others = running.map(|running| [running.next, running.seed]);
        [self.value].into_iter().chain(others.into_iter().flatten())
    }

    /// The element at an offset.
    pub(super) fn access(
        array: ArrayId,
        dims: &[IndexId],
        axes: &[IndexId],
        offset: Offset,
    ) -> Access {
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
pub(super) struct Member {
    pub(super) at: usize,
    /// What it was, sums written out.
    pub(super) before: ExprId,
    /// What it becomes.
    pub(super) value: ExprId,
}

/// Equations over the same loops.
pub(super) struct Group {
    pub(super) free: Vec<IndexId>,
    pub(super) members: Vec<Member>,
    pub(super) shared: Vec<Shared>,
    /// Temporaries of the program of which elements may be read wherever they are.
    pub(super) whole: HashSet<ArrayId>,
}

impl Group {
    pub(super) fn of(program: &mut Program, free: &[IndexId], axes: &[IndexId]) -> Group {
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
                false => reads_translates(program, &equation, axes)
                    .then(|| written_out(program, &equation))
                    .flatten(),
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

    /// The values of temporaries, then those of equations, and then what is handed on. What the first iterations
    /// find stays as it is.
    pub(super) fn values(&self) -> Vec<ExprId> {
        let shared = self.shared.iter().map(|shared| shared.value);
        let members = self.members.iter().map(|m| m.value);
        let running = self
            .shared
            .iter()
            .filter_map(|shared| shared.running.as_ref());
        let next = running.map(|running| running.next);
        shared.chain(members).chain(next).collect()
    }

    pub(super) fn values_mut(&mut self) -> impl Iterator<Item = &mut ExprId> {
        let mut values = Vec::new();
        let mut next = Vec::new();
        for shared in &mut self.shared {
            values.push(&mut shared.value);
            next.extend(shared.running.as_mut().map(|running| &mut running.next));
        }
        let members = self.members.iter_mut().map(|m| &mut m.value);
        values.into_iter().chain(members).chain(next)
    }

    /// Whether a value may be computed for other iterations too, if these read nothing else.
    pub(super) fn is_readable(&self, program: &Program, expr: ExprId) -> bool {
        let accesses = program.pool.accesses([expr]);
        accesses.iter().all(|(_, access)| {
            let own = self.shared.iter().any(|s| s.owns(access.array));
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
    pub(super) fn define(&self, program: &mut Program, value: ExprId) -> Shared {
        let own = program.pool.indices(value).to_vec();
        let dims: Vec<IndexId> = (self.free.iter().copied())
            .filter(|index| own.contains(index))
            .collect();
        let element = program.pool.element(value);
        let name = format!("{}_shared", name(program, value).replace("_shared", ""));
        // Its extents are known once all of its readers are.
        let array = program.add_array(&name, element, Vec::new(), Role::Temporary);
        Shared {
            array,
            dims,
            value,
            running: None,
        }
    }

    /// Drops temporaries that nothing reads any more.
    pub(super) fn drop_unread(&mut self, program: &Program) {
        for at in (0..self.shared.len()).rev() {
            let array = self.shared[at].array;
            let mut read = program.pool.accesses(self.values()).into_iter();
            if !read.any(|(_, access)| access.array == array) {
                self.shared.remove(at);
            }
        }
    }

    /// What computing the values takes.
    pub(super) fn work(program: &Program, shared: &[Shared], values: &[ExprId]) -> Work {
        let mut work = Work::default();
        let mut add = |values: &[ExprId], stores: u64| {
            let mut seen = HashSet::default();
            for value in values {
                let cost = cost::expression(program, *value, &mut seen);
                work.operations += cost.operations();
                work.longer += cost.additions() - cost.operations();
            }
            work.moves += program.pool.accesses(values.iter().copied()).len() as u64 + stores;
        };
        add(values, 0);
        for shared in shared {
            add(&[shared.value], 1);
            let running = shared.running.iter();
            running.for_each(|running| add(&[running.next], 1));
        }
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
