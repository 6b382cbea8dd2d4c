//! Operands of sums and products, alike.

use crate::ir::{ExprId, Factor, Term};

/// An operand of an n-ary operator.
pub trait HasExpr {
    /// The expression.
    fn expr(&self) -> ExprId;
    /// The operand with another expression.
    fn with(&self, expr: ExprId) -> Self;
    /// True if the operand's value is the expression's.
    fn is_plain(&self) -> bool;
    /// Where it stands among its siblings: what must not come first comes last.
    fn order(&self) -> bool;
}

impl HasExpr for Term {
    fn expr(&self) -> ExprId {
        self.expr
    }
    fn with(&self, expr: ExprId) -> Self {
        Term { expr, ..*self }
    }
    fn is_plain(&self) -> bool {
        self.coefficient.is_one()
    }
    fn order(&self) -> bool {
        self.coefficient.is_minus_one()
    }
}

impl HasExpr for Factor {
    fn expr(&self) -> ExprId {
        self.expr
    }
    fn with(&self, expr: ExprId) -> Self {
        Factor { expr, ..*self }
    }
    fn is_plain(&self) -> bool {
        self.power == 1
    }
    fn order(&self) -> bool {
        self.power < 0
    }
}
