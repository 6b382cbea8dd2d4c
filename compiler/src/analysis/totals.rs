//! Sums that are written as additions to an output in each iteration of some loops.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::collections::HashSet;
use crate::ir::{ArrayId, Expr, IndexId, Operator, Program, Role};

/// The outputs that an expression of a program reads, as states or as they are.
pub struct Totals {
    read: HashSet<ArrayId>,
    /// Whether the program has a recurrence, once that was asked.
    recurrence: OnceCell<bool>,
}

impl Totals {
    /// Those of a program.
    pub fn of(program: &Program) -> Totals {
        let reachable = program.reachable().into_iter();
        let read = reachable.filter_map(|expr| match program.pool.get(expr) {
            Expr::Access(access) => Some(program.viewed(access.array)),
            _ => None,
        });
        Totals {
            read: read.collect(),
            recurrence: OnceCell::new(),
        }
    }

    /// A program in which loops whose values are combined by other operators than additions are reductions, to the
    /// scheduler: passes, that know sums, have them as loops that repeat an assignment.
    pub fn taken(program: &Program) -> Cow<'_, Program> {
        let others = |at: &usize| {
            let operator = program.equations[*at].operator;
            !matches!(operator, Operator::Assign | Operator::ADD)
        };
        let others: Vec<usize> = (0..program.equations.len()).filter(others).collect();
        if others.is_empty() || program.exact {
            return Cow::Borrowed(program);
        }
        let totals = Totals::of(program);
        let mut result = program.clone();
        for at in others {
            let temporary = matches!(
                program.array(program.equations[at].target.array).role,
                Role::Temporary
            );
            let still = program.equations[at].still();
            let loops = match temporary {
                true => still
                    .filter(|i| program.equations[at].free.contains(i))
                    .collect(),
                false => totals.loops(program, at),
            };
            result.equations[at].sum_over(loops);
        }
        Cow::Owned(result)
    }

    /// The loops of an equation of which all iterations add to the same elements of an output that nothing
    /// reads meanwhile: a sum over them is the same where the order of additions may change.
    pub fn loops(&self, program: &Program, at: usize) -> Vec<IndexId> {
        let array = program.viewed(program.equations[at].target.array);
        match program.exact || self.read.contains(&array) {
            true => Vec::new(),
            false => Totals::added(program, at),
        }
    }

    /// The same where other equations may read the output, before all of its additions or after them; additions that
    /// keep their order are among these.
    pub fn alone(&self, program: &Program, at: usize) -> Vec<IndexId> {
        let equation = &program.equations[at];
        let array = program.viewed(equation.target.array);
        let read = || {
            let accesses = program.pool.accesses([equation.expr]).into_iter();
            let mut read = accesses.map(|(_, access)| program.viewed(access.array));
            let recurrence = || program.recurrence().is_some();
            read.any(|other| other == array) || *self.recurrence.get_or_init(recurrence)
        };
        let loops = Totals::added(program, at);
        match !loops.is_empty() && self.read.contains(&array) && read() {
            true => Vec::new(),
            false => loops,
        }
    }

    /// The loops in which an equation adds to the same elements of an output.
    fn added(program: &Program, at: usize) -> Vec<IndexId> {
        let equation = &program.equations[at];
        let output = matches!(program.array(equation.target.array).role, Role::Output(_));
        let adds = equation.operator.accumulated().is_some() && output;
        if !adds {
            return Vec::new();
        }
        let still = equation.still();
        still
            .filter(|index| equation.free.contains(index))
            .collect()
    }
}
