//! Common subexpressions of several equations.
//!
//! Before: `k[e] = c[e] / d(x[e])` and `v[e] = abs(d(x[e]))`. After: `t[e] = d(x[e])`, and both
//! read it. Equations over the same loops that are evaluated side by side share values without
//! this: their common subexpressions that depend on all of these loops stay in place, where they
//! are held in registers. Holds: the values stay the same, bit by bit, but for powers, which are
//! products of squares here, where products may be in any order.

use std::collections::BTreeSet;

use crate::collections::HashMap;
use crate::ir::{Equation, Expr, ExprId, IndexId, Operator, Program};
use crate::rewrite::powers;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    if !program.exact {
        powers::by_squaring(program);
    }
    let shared = shared(program);
    let mut known = HashMap::default();
    let mut rewriter = Rewriter {
        shared: &shared,
        defined: Vec::new(),
        known: &mut known,
    };
    let equations = std::mem::take(&mut program.equations);
    let mut result = Vec::new();
    for mut equation in equations {
        equation.expr = rewriter.run(program, equation.expr);
        result.append(&mut rewriter.defined);
        result.push(equation);
    }
    program.equations = result;
    vec![format!("{} common subexpressions", shared.len())]
}

/// Who evaluates an expression: an equation, or the temporary of a shared expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Equation(usize),
    Shared(ExprId),
}

/// The expressions that become temporaries.
fn shared(program: &Program) -> BTreeSet<ExprId> {
    let mut owners: HashMap<ExprId, BTreeSet<Owner>> = HashMap::default();
    for (at, equation) in program.equations.iter().enumerate() {
        owners
            .entry(equation.expr)
            .or_default()
            .insert(Owner::Equation(at));
    }
    let mut domains: HashMap<ExprId, Vec<IndexId>> = HashMap::default();
    let mut result = BTreeSet::new();
    // Operands have smaller ids than what uses them.
    for id in (0..program.pool.len()).rev() {
        let expr = ExprId(id as u32);
        let Some(mine) = owners.remove(&expr) else {
            continue;
        };
        let depends = program.pool.indices(expr).to_vec();
        let extract = mine.len() > 1
            && worth(program, expr)
            && !side_by_side(program, &mine, &depends, &domains);
        if extract {
            result.insert(expr);
            domains.insert(expr, depends);
        }
        for operand in program.pool.operands(expr) {
            let entry = owners.entry(operand).or_default();
            if extract {
                entry.insert(Owner::Shared(expr));
            } else {
                entry.extend(mine.iter().copied());
            }
        }
    }
    result
}

/// Leaves and bare negations cost nothing; integers are converted where they become numbers.
fn worth(program: &Program, expr: ExprId) -> bool {
    match program.pool.get(expr) {
        _ if program.pool.element(expr).is_integer() => false,
        Expr::Constant(_) | Expr::Access(_) | Expr::Compare(..) => false,
        Expr::Cast(..) => program.pool.inside_kept(expr).is_none(),
        Expr::Sum(terms) => terms.len() > 1,
        _ => true,
    }
}

/// All owners run over the loops that the expression depends on, no more and no fewer, and some
/// of these have constant extent: they are evaluated in one loop body.
fn side_by_side(
    program: &Program,
    owners: &BTreeSet<Owner>,
    depends: &[IndexId],
    domains: &HashMap<ExprId, Vec<IndexId>>,
) -> bool {
    let constant = |index: &IndexId| program.is_constant(*index);
    depends.iter().any(constant)
        && !program.exact
        && owners.iter().all(|owner| match owner {
            Owner::Equation(at) => {
                let mut domain: Vec<IndexId> = program.equations[*at].domain().collect();
                domain.sort_unstable();
                domain == depends
            }
            Owner::Shared(expr) => domains[expr] == depends,
        })
}

struct Rewriter<'a> {
    shared: &'a BTreeSet<ExprId>,
    defined: Vec<Equation>,
    known: &'a mut HashMap<ExprId, ExprId>,
}

impl Rewriter<'_> {
    fn run(&mut self, program: &mut Program, expr: ExprId) -> ExprId {
        if let Some(done) = self.known.get(&expr) {
            return *done;
        }
        let mut operands = HashMap::default();
        for operand in program.pool.operands(expr) {
            let new = self.run(program, operand);
            operands.insert(operand, new);
        }
        let mut result = program
            .pool
            .map_operands(expr, &mut |_, operand| operands[&operand]);
        if self.shared.contains(&expr) {
            result = self.define(program, expr, result);
        }
        self.known.insert(expr, result);
        result
    }

    fn define(&mut self, program: &mut Program, expr: ExprId, value: ExprId) -> ExprId {
        let free = program.pool.indices(expr).to_vec();
        let element = program.pool.element(expr);
        let target = program.add_temporary("common", &free, element);
        self.defined.push(Equation {
            target: target.clone(),
            operator: Operator::Assign,
            free,
            reduction: Vec::new(),
            expr: value,
        });
        program.pool.add(Expr::Access(target), element)
    }
}
