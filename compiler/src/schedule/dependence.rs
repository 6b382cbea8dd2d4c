//! Which equations must follow which, and which may share a loop.

use std::collections::{HashMap, HashSet};

use crate::ir::{Access, ArrayId, Equation, Expr, IndexId, Operator, Program, Role};

/// Reads of every equation.
pub struct Dependence {
    /// Accesses to temporaries in each equation's value.
    pub reads: Vec<Vec<Access>>,
}

impl Dependence {
    /// Collects the reads of a program.
    pub fn of(program: &Program) -> Dependence {
        let reads = program
            .equations
            .iter()
            .map(|e| temporaries(program, e))
            .collect();
        Dependence { reads }
    }

    /// Whether equation `later` must come after `earlier`.
    pub fn follows(&self, program: &Program, later: usize, earlier: usize) -> bool {
        let (e, l) = (&program.equations[earlier], &program.equations[later]);
        let reads = self.reads[later]
            .iter()
            .any(|access| access.array == e.target.array);
        reads || (e.target.array == l.target.array && ordered(program, e, l))
    }

    /// Whether `later` may run in the same iterations of loop `index` as `earlier`, which it
    /// follows.
    pub fn shares(&self, program: &Program, later: usize, earlier: usize, index: IndexId) -> bool {
        let (e, l) = (&program.equations[earlier], &program.equations[later]);
        // Where every addition keeps its place, two that stand in one loop of the text take turns
        // in it.
        let in_turn = program.exact
            && e.target.array == l.target.array
            && e.operator == Operator::Accumulate
            && l.operator == Operator::Accumulate
            && !self.reads[later]
                .iter()
                .any(|access| access.array == e.target.array);
        in_turn || self.pointwise(program, later, earlier, index)
    }

    /// Whether `later` may run in the same iteration of loop `index` as `earlier`, on which it
    /// depends: it only meets what this iteration wrote.
    fn pointwise(&self, program: &Program, later: usize, earlier: usize, index: IndexId) -> bool {
        let written = &program.equations[earlier].target;
        let Some(axis) = written
            .subscripts
            .iter()
            .position(|s| s.as_index() == Some(index))
        else {
            return false;
        };
        let same = |access: &Access| access.subscripts[axis].as_index() == Some(index);
        let target = &program.equations[later].target;
        self.reads[later]
            .iter()
            .filter(|access| access.array == written.array)
            .all(same)
            && (target.array != written.array || same(target))
    }
}

/// Two equations that write one array keep their order, unless both only add to it.
fn ordered(program: &Program, earlier: &Equation, later: &Equation) -> bool {
    program.exact || earlier.operator == Operator::Assign || later.operator == Operator::Assign
}

/// Accesses to temporaries in an equation's value.
fn temporaries(program: &Program, equation: &Equation) -> Vec<Access> {
    let mut result = Vec::new();
    let mut seen = HashSet::new();
    let mut stack = vec![equation.expr];
    while let Some(expr) = stack.pop() {
        if !seen.insert(expr) {
            continue;
        }
        if let Expr::Access(access) = program.pool.get(expr)
            && matches!(program.array(access.array).role, Role::Temporary)
        {
            result.push(access.clone());
        }
        stack.extend(program.pool.operands(expr));
    }
    result
}

/// Number of equations that write each array.
pub fn writers(program: &Program) -> HashMap<ArrayId, usize> {
    let mut result = HashMap::new();
    for equation in &program.equations {
        *result.entry(equation.target.array).or_insert(0) += 1;
    }
    result
}
