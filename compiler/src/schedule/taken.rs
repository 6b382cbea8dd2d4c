//! Choices that fall one way for all lanes of a vector, of which one branch alone is evaluated.
//!
//! ```text
//! y[i] = if kind == 0 { x[i] } else { exp(x[i]) }      ->      if kind == 0 { …store… } else { …exp, store… }
//! ```
//! Where a condition varies along the lanes, both branches are computed and lanes are chosen from the two. One that is
//! the same in all iterations of a loop is a branch that processors foresee, and that LLVM moves out of the loop.
//!
//! Holds: what stands in a branch is read there alone. Values that anything else reads, the other branch too, are
//! computed before, once.

use super::tree::{Node, Schedule, copies, instances};
use crate::analysis::uses::uses;
use crate::collections::{HashMap, HashSet};
use crate::ir::{Access, ArrayId, Combining, Equation, Expr, ExprId, IndexId, Pool, Program, Role};

/// Expressions of a program whose uses are counted for each schedule that is weighed: a limit on work.
const MOST: usize = 20_000;

/// The part of the times in which a branch is taken.
const HALF: f64 = 0.5;

/// What each branch of such choices has for itself.
#[derive(Debug, Default)]
pub struct Taken {
    branches: HashMap<ExprId, [HashSet<ExprId>; 2]>,
}

impl Taken {
    /// The choices of a program.
    pub fn of(program: &Program, schedule: &Schedule) -> Taken {
        let pool = &program.pool;
        let falls = |choice: &ExprId| falls_one_way(pool, schedule, *choice);
        let choices: Vec<ExprId> = pool.foreseen().filter(falls).collect();
        if choices.is_empty() || pool.len() > MOST {
            return Taken::default();
        }
        let uses = uses(program);
        let choices = choices
            .into_iter()
            .filter(|choice| uses.contains_key(choice));
        let branches = choices.filter_map(|choice| match pool.get(choice) {
            Expr::Select(_, then, otherwise) => {
                let own = [*then, *otherwise].map(|branch| own(pool, &uses, branch));
                Some((choice, own))
            }
            _ => None,
        });
        Taken {
            branches: branches.collect(),
        }
    }

    /// What each branch of a choice has for itself; `None` where both are computed.
    pub fn branches(&self, choice: ExprId) -> Option<&[HashSet<ExprId>; 2]> {
        self.branches.get(&choice)
    }

    /// The part of the times in which an expression is evaluated.
    pub fn part(&self, expr: ExprId) -> f64 {
        let all = self.branches.values().flatten();
        let around = all.filter(|own| own.contains(&expr)).count();
        HALF.powi(around as i32)
    }

    /// The part of the times in which an equation's value is stored.
    pub fn part_of_store(&self, program: &Program, equation: &Equation) -> f64 {
        match only(program, self, equation) {
            Some(_) => HALF,
            None => 1.0,
        }
    }

    /// The part of the times in which a node is run.
    pub fn part_of_node(&self, program: &Program, node: &Node) -> f64 {
        match self.around(program, node) {
            Some(_) => HALF,
            None => 1.0,
        }
    }

    /// The condition without which a loop does nothing that is seen outside of it, and whether it is to hold.
    pub fn around(&self, program: &Program, node: &Node) -> Option<(ExprId, bool)> {
        let node = std::slice::from_ref(node);
        if self.branches.is_empty() || matches!(node, [Node::Block(_)]) || !copies(node).is_empty()
        {
            return None;
        }
        let all = instances(node).into_iter();
        let all: HashSet<usize> = all.map(|instance| instance.equation).collect();
        let mut conditions = all.iter().filter_map(|at| {
            let equation = &program.equations[*at];
            match is_inner(program, &all, equation.target.array) {
                true => None,
                false => Some(only(program, self, equation).map(|(is, _, holds)| (is, holds))),
            }
        });
        let (condition, holds) = conditions.next()??;
        let same = conditions.all(|other| other == Some((condition, holds)));
        let inside = indices(node);
        let mut own = program.pool.indices(condition).iter();
        let mut before = program
            .pool
            .accesses([condition])
            .into_iter()
            .map(|(_, access)| {
                let mut written = all.iter().map(|at| program.equations[*at].target.array);
                !written.any(|array| program.viewed(array) == program.viewed(access.array))
            });
        let is = same && !own.any(|index| inside.contains(index)) && before.all(|before| before);
        is.then_some((condition, holds))
    }
}

/// Whether an array is a temporary that nothing but some equations reads.
fn is_inner(program: &Program, all: &HashSet<usize>, array: ArrayId) -> bool {
    let mut others = (0..program.equations.len()).filter(|at| !all.contains(at));
    matches!(program.array(array).role, Role::Temporary)
        && !others.any(|at| program.temporaries_read(at).contains(&array))
}

/// The indices of all loops of nodes.
fn indices(nodes: &[Node]) -> Vec<IndexId> {
    let mut found = Vec::new();
    for node in nodes {
        match node {
            Node::Loop(l) => {
                found.push(l.index);
                found.extend(l.with.iter().map(|(index, _)| *index));
                found.extend(indices(&l.body));
            }
            Node::Reduction { loops, .. } => found.extend(loops),
            Node::Block(_) | Node::CopyOut(_) | Node::Advance(_) | Node::Zero(_) => {}
        }
    }
    found
}

/// Whether a choice falls one way for all lanes.
fn falls_one_way(pool: &Pool, schedule: &Schedule, choice: ExprId) -> bool {
    let Expr::Select(condition, ..) = pool.get(choice) else {
        return false;
    };
    let (own, all) = (pool.indices(*condition), pool.indices(choice));
    own.len() < all.len() && !own.iter().any(|index| schedule.is_lane(*index))
}

/// What nothing but a branch reads.
fn own(pool: &Pool, uses: &HashMap<ExprId, usize>, branch: ExprId) -> HashSet<ExprId> {
    // Operands stand before what they are operands of.
    let (mut found, mut read) = (HashSet::default(), HashMap::from_iter([(branch, 1)]));
    let mut open = std::collections::BTreeSet::from([branch]);
    while let Some(expr) = open.pop_last() {
        if read.get(&expr) != uses.get(&expr) {
            continue;
        }
        found.insert(expr);
        for operand in pool.operands(expr) {
            *read.entry(operand).or_insert(0) += 1;
            open.insert(operand);
        }
    }
    found
}

/// What an equation of an output does in the only branch in which its target changes: the condition, its value there, and whether
/// that is where the condition holds.
pub fn only(
    program: &Program,
    taken: &Taken,
    equation: &Equation,
) -> Option<(ExprId, ExprId, bool)> {
    let Expr::Select(condition, then, otherwise) = program.pool.get(equation.expr) else {
        return None;
    };
    taken.branches(equation.expr)?;
    if matches!(program.array(equation.target.array).role, Role::Temporary) {
        return None;
    }
    let stays = |expr: ExprId| match (program.pool.get(expr), equation.operator.accumulated()) {
        (Expr::Access(access), None) if equation.reduction.is_empty() => {
            is_itself(program, access, &equation.target)
        }
        (_, Some(Combining::Add)) => program.pool.is_zero(expr),
        _ => false,
    };
    match (stays(*then), stays(*otherwise)) {
        (false, true) => Some((*condition, *then, true)),
        (true, false) => Some((*condition, *otherwise, false)),
        _ => None,
    }
}

/// Whether an access reads the element of memory that another one writes. States that are read where the memory has
/// another value by then are temporaries.
fn is_itself(program: &Program, read: &Access, written: &Access) -> bool {
    let [before, after] = [read, written].map(|access| program.array(access.array));
    let memory = before.role.position();
    memory.is_some()
        && memory == after.role.position()
        && matches!(before.role, Role::State(_))
        && before.shape == after.shape
        && read.subscripts == written.subscripts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;

    /// A program over rows `j` of numbers `i`, and its choices where lanes run over a loop.
    fn choices(equations: &str, lanes: u32) -> (Program, Taken) {
        let program = format!(
            "program p\n\nindex j: len(a, 0)\nindex i: 24\nparam 0 a: f64[len(a, 0), 24]\nparam 1 m: f64[len(a, 0)]\n\
             param 2 k: f64\noutput 3 y: f64[len(a, 0), 24]\nstate 3 y_0: f64[len(a, 0), 24]\n\n{equations}\n"
        );
        let program = text::parse(&program).unwrap();
        let schedule = Schedule {
            width: 8,
            lanes: Some(IndexId(lanes)),
            others: Vec::new(),
            storage: Vec::new(),
            buffers: Vec::new(),
            body: Vec::new(),
        };
        let taken = Taken::of(&program, &schedule);
        (program, taken)
    }

    /// The part of the times in which each square root is evaluated.
    fn parts((program, taken): &(Program, Taken)) -> Vec<f64> {
        let all = (0..program.pool.len()).map(|at| ExprId(at as u32));
        let calls = all.filter(|expr| matches!(program.pool.get(*expr), Expr::Call(..)));
        calls.map(|expr| taken.part(expr)).collect()
    }

    #[test]
    fn a_branch_has_what_nothing_else_reads() {
        let one = "y[j, i] = if k > 1 { sqrt(a[j, i]) } else { if m[j] > 1 { sqrt(a[j, i] + 1) } else { 2 } }   for j, i";
        assert_eq!(parts(&choices(one, 1)), [0.5, 0.25]);
        let both = "y[j, i] = if k > 1 { sqrt(a[j, i]) } else { sqrt(a[j, i]) + 1 }   for j, i";
        assert_eq!(parts(&choices(both, 1)), [1.0]);
    }

    #[test]
    fn lanes_of_a_vector_choose_apart() {
        let rows = "y[j, i] = if m[j] > 1 { sqrt(a[j, i]) } else { 2 }   for j, i";
        assert_eq!(parts(&choices(rows, 1)), [0.5]);
        assert_eq!(parts(&choices(rows, 0)), [1.0]);
        let own = "y[j, i] = if a[j, i] > 1 { sqrt(a[j, i]) } else { 2 }   for j, i";
        assert_eq!(parts(&choices(own, 1)), [1.0]);
    }

    #[test]
    fn an_element_that_stays_is_not_stored() {
        let stored = |equation: &str| {
            let (program, taken) = choices(equation, 1);
            taken.part_of_store(&program, &program.equations[0])
        };
        assert_eq!(
            stored("y[j, i] = if k > 1 { a[j, i] } else { y_0[j, i] }   for j, i"),
            0.5
        );
        assert_eq!(
            stored("y[j, i] = if k > 1 { a[j, i] } else { y_0[j, 23 - i] }   for j, i"),
            1.0
        );
        assert_eq!(
            stored("y[j, i] += if k > 1 { 0 } else { a[j, i] }   for j, i"),
            0.5
        );
        assert_eq!(
            stored("y[j, i] += if k > 1 { 1 } else { a[j, i] }   for j, i"),
            1.0
        );
    }
}
