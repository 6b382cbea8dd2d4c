//! Integers and conditions that are known while the text is counted, and which loops these follow.

use crate::syntax::ast::{
    BinaryOperator, Block, CompareOperator, Expression, ExpressionKind, LogicalOperator, Statement,
    VariableId,
};

/// The values of a function's variables, where they are known.
pub type Integers = Vec<Option<i64>>;

/// The value of an integer expression, if it is known now.
pub fn integer(expression: &Expression, integers: &Integers) -> Option<i64> {
    match &expression.kind {
        ExpressionKind::Integer(value) => i64::try_from(*value).ok(),
        ExpressionKind::Variable(v) => integers[v.0],
        ExpressionKind::Cast(a) | ExpressionKind::Dereference(a) => integer(a, integers),
        ExpressionKind::Negate(a) => integer(a, integers).and_then(i64::checked_neg),
        ExpressionKind::Binary(operator, l, r) => {
            let (l, r) = (integer(l, integers)?, integer(r, integers)?);
            match operator {
                BinaryOperator::Add => l.checked_add(r),
                BinaryOperator::Subtract => l.checked_sub(r),
                BinaryOperator::Multiply => l.checked_mul(r),
                BinaryOperator::Divide => l.checked_div(r),
                BinaryOperator::Remainder => l.checked_rem(r),
            }
        }
        _ => None,
    }
}

/// Whether a condition on integers holds, if that is known now.
pub fn condition(expression: &Expression, integers: &Integers) -> Option<bool> {
    match &expression.kind {
        ExpressionKind::Bool(holds) => Some(*holds),
        ExpressionKind::Not(of) => condition(of, integers).map(|holds| !holds),
        ExpressionKind::Logical(operator, l, r) => {
            let first = condition(l, integers)?;
            match (operator, first) {
                (LogicalOperator::And, true) | (LogicalOperator::Or, false) => {
                    condition(r, integers)
                }
                _ => Some(first),
            }
        }
        ExpressionKind::Compare(operator, l, r) => {
            let (l, r) = (integer(l, integers)?, integer(r, integers)?);
            Some(match operator {
                CompareOperator::Less => l < r,
                CompareOperator::LessEqual => l <= r,
                CompareOperator::Greater => l > r,
                CompareOperator::GreaterEqual => l >= r,
                CompareOperator::Equal => l == r,
                CompareOperator::NotEqual => l != r,
                CompareOperator::Unordered => return None,
            })
        }
        _ => None,
    }
}

/// Whether a loop's variable occurs in the bounds of a loop inside.
pub fn used_in_bounds(block: &Block, variable: VariableId) -> bool {
    block.statements.iter().any(|statement| match statement {
        Statement::For(inner) => {
            mentions(&inner.start, variable)
                || mentions(&inner.end, variable)
                || used_in_bounds(&inner.body, variable)
        }
        Statement::Block(inner) => used_in_bounds(inner, variable),
        Statement::Effect(value) => {
            let mut blocks = value.blocks().into_iter();
            blocks.any(|block| used_in_bounds(block, variable))
        }
        _ => false,
    })
}

/// Whether a loop's variable occurs in a condition on integers inside.
pub fn decides_conditions(block: &Block, variable: VariableId) -> bool {
    let values = block.value.iter().map(AsRef::as_ref);
    let statements = block.statements.iter();
    statements
        .map(|statement| match statement {
            Statement::For(inner) => decides_conditions(&inner.body, variable),
            Statement::Block(inner) => decides_conditions(inner, variable),
            Statement::Effect(value) | Statement::Assert(value, _) | Statement::Let(_, value) => {
                decides(value, variable)
            }
            Statement::Assign { value, .. } => decides(value, variable),
        })
        .chain(values.map(|value| decides(value, variable)))
        .any(|decides| decides)
}

fn decides(expression: &Expression, variable: VariableId) -> bool {
    let own = match &expression.kind {
        ExpressionKind::If(condition, ..) => compares(condition, variable),
        _ => false,
    };
    let blocks = expression.blocks();
    own || blocks
        .into_iter()
        .any(|block| decides_conditions(block, variable))
        || expression
            .operands()
            .into_iter()
            .any(|operand| decides(operand, variable))
}

/// Whether a condition compares integers with a variable in them.
fn compares(condition: &Expression, variable: VariableId) -> bool {
    match &condition.kind {
        ExpressionKind::Not(of) => compares(of, variable),
        ExpressionKind::Logical(_, l, r) => compares(l, variable) || compares(r, variable),
        ExpressionKind::Compare(_, l, r) => mentions(l, variable) || mentions(r, variable),
        _ => false,
    }
}

/// Whether an integer is computed from a variable.
fn mentions(expression: &Expression, variable: VariableId) -> bool {
    match &expression.kind {
        ExpressionKind::Variable(v) => *v == variable,
        ExpressionKind::Binary(_, l, r) => mentions(l, variable) || mentions(r, variable),
        ExpressionKind::Cast(a) | ExpressionKind::Negate(a) => mentions(a, variable),
        _ => false,
    }
}
