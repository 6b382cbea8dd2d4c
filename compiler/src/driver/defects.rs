//! Defects planted on purpose, to show that validation finds them.

use crate::ir::{Expr, Program, Term};
use crate::number::Number;
use crate::schedule::tree::Node;

/// A defect.
#[derive(Clone, Debug, Default)]
pub struct Plant {
    /// After the pass of this name (or `schedule`), the program is changed wrongly.
    pub after: Option<String>,
}

impl Plant {
    /// Whether the defect belongs to a stage.
    pub fn is_after(&self, stage: &str) -> bool {
        self.after.as_deref() == Some(stage)
    }
}

/// Doubles the value of the last equation.
pub fn double_last(program: &mut Program) {
    let Some(at) = program.equations.len().checked_sub(1) else {
        return;
    };
    let expr = program.equations[at].expr;
    let element = program.pool.element(expr);
    let term = Term {
        coefficient: Number::ONE,
        expr,
    };
    program.equations[at].expr = program.pool.add(Expr::Sum(vec![term, term]), element);
}

/// Leaves out the last instance of the tree.
pub fn drop_instance(nodes: &mut [Node]) -> bool {
    nodes.iter_mut().rev().any(|node| match node {
        Node::Loop(l) => drop_instance(&mut l.body),
        Node::Block(instances) | Node::Reduction { instances, .. } => instances.pop().is_some(),
        Node::CopyOut(_) | Node::Advance(_) | Node::Zero(_) => false,
    })
}
