//! Local arrays that loops sweep: element vectors, values at all points.
//!
//! Every element of such an array is a scalar if its loops are unrolled, and then no pass sees a
//! loop. So it is an array of the program where each access has a loop's variable in the subscript
//! of a dimension that is longer than loops that are unrolled for being short.

use super::unroll::SHORT;
use crate::collections::HashSet;
use crate::syntax::ast::{
    Block, Expression, ExpressionKind, ForLoop, Function, Statement, Type, VariableId,
};

/// The mutable local arrays of a function that loops sweep.
pub fn swept(function: &Function) -> HashSet<VariableId> {
    let mut walk = Walk {
        function,
        loops: HashSet::default(),
        swept: HashSet::default(),
        others: HashSet::default(),
    };
    walk.block(&function.body);
    &walk.swept - &walk.others
}

struct Walk<'a> {
    function: &'a Function,
    /// Variables of loops that are not short.
    loops: HashSet<VariableId>,
    /// Arrays with an access by such a variable.
    swept: HashSet<VariableId>,
    /// Arrays with another access.
    others: HashSet<VariableId>,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            match statement {
                Statement::Let(_, value) => self.expression(value),
                Statement::Assign { place, value, .. } => {
                    self.expression(place);
                    self.expression(value);
                }
                Statement::For(inner) => {
                    self.expression(&inner.start);
                    self.expression(&inner.end);
                    if !is_short(inner) {
                        self.loops.insert(inner.variable);
                    }
                    self.block(&inner.body);
                }
                Statement::Block(inner) => self.block(inner),
                Statement::Effect(value) | Statement::Assert(value, _) => self.expression(value),
            }
        }
        if let Some(value) = &block.value {
            self.expression(value);
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Variable(variable) => {
                self.others.insert(*variable);
            }
            ExpressionKind::Index(..) => self.access(expression),
            // What a helper does with it says nothing else.
            ExpressionKind::Reference(of) if matches!(of.kind, ExpressionKind::Variable(_)) => {}
            ExpressionKind::Block(block) => self.block(block),
            ExpressionKind::If(condition, then, otherwise) => {
                self.expression(condition);
                self.block(then);
                self.block(otherwise);
            }
            _ => expression
                .operands()
                .into_iter()
                .for_each(|child| self.expression(child)),
        }
    }

    /// `x[i][j]`.
    fn access(&mut self, expression: &Expression) {
        let mut by_loop = false;
        let mut place = expression;
        while let ExpressionKind::Index(base, index) = &place.kind {
            by_loop |= matches!(&base.ty, Type::Array(_, length) if *length > SHORT)
                && self.follows_loop(index);
            self.expression(index);
            place = base;
        }
        match &place.kind {
            ExpressionKind::Variable(variable) if by_loop && self.is_local(*variable) => {
                self.swept.insert(*variable);
            }
            _ => self.expression(place),
        }
    }

    /// Whether an index is a loop's variable, or made from one: `3 * n + 1`.
    fn follows_loop(&self, index: &Expression) -> bool {
        match &index.kind {
            ExpressionKind::Variable(variable) => self.loops.contains(variable),
            ExpressionKind::Binary(..) => {
                (index.operands().into_iter()).any(|operand| self.follows_loop(operand))
            }
            _ => false,
        }
    }

    fn is_local(&self, variable: VariableId) -> bool {
        let declared = &self.function.variables[variable.0];
        declared.mutable && matches!(declared.ty, Type::Array(..))
    }
}

/// Whether a loop is known to have no more iterations than those that are unrolled for it.
pub fn is_short(for_loop: &ForLoop) -> bool {
    let constant = |bound: &Expression| match bound.kind {
        ExpressionKind::Integer(value) => Some(value),
        _ => None,
    };
    match (constant(&for_loop.start), constant(&for_loop.end)) {
        (Some(start), Some(end)) => end.saturating_sub(start) <= SHORT as i128,
        _ => false,
    }
}
