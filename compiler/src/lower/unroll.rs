//! Which loops are unrolled while lowering.
//!
//! A loop over components is: one of constant extent whose variable subscripts a local array
//! (whose elements are scalars), or meets another loop's variable in one subscript of a target
//! (`a[3 * i + m]`), or is a short sum (at most three terms) that no target's subscript knows, if it is
//! not to stay (`short_sums`).
//! All others stay loops.

use super::Lowerer;
use super::value::Value;
use crate::syntax::ast::{
    Block, Expression, ExpressionKind, ForLoop, Function, Pattern, Statement, Type, VariableId,
};

/// Longest loop that is unrolled because it is short.
pub const SHORT: usize = 3;
/// About what validation takes for a run-time extent.
const RUN_TIME: usize = 16;
/// Largest local array whose elements are scalars.
pub const SCALARISED: usize = 64;

/// Largest local array whose elements are known one by one though nothing assigns them.
pub const LARGEST_VALUE: usize = 1 << 12;

impl Lowerer<'_> {
    /// Whether a loop of constant extent is unrolled.
    pub(super) fn unrolls(&self, for_loop: &ForLoop, extent: usize) -> bool {
        let variable = for_loop.variable;
        let mut facts = Facts::default();
        let context = Context {
            lowerer: self,
            function: self.frame.function,
            variable,
        };
        context.block(&for_loop.body, &mut facts);
        if facts.subscripts_local || extent == 1 {
            return true;
        }
        let kept = facts.fills_array || self.frame.kept.contains(&variable);
        extent <= SHORT && !kept && (facts.mixed_in_target || !facts.in_target)
    }
}

#[derive(Default)]
struct Facts {
    /// Subscripts a local array whose elements are scalars.
    subscripts_local: bool,
    /// Stands in a subscript of a target.
    in_target: bool,
    /// … together with another variable.
    mixed_in_target: bool,
    /// Has an array in memory of its own in each iteration: one for all keeps the loop that the
    /// values are summed over.
    fills_array: bool,
}

struct Context<'a> {
    lowerer: &'a Lowerer<'a>,
    function: &'a Function,
    variable: VariableId,
}

impl Context<'_> {
    fn block(&self, block: &Block, facts: &mut Facts) {
        for statement in &block.statements {
            match statement {
                Statement::Let(pattern, value) => {
                    facts.fills_array |= self.lowerer.array_in_memory(pattern).is_some();
                    self.expression(value, facts);
                }
                Statement::Assign { place, value, .. } => {
                    self.target(place, facts);
                    self.expression(place, facts);
                    self.expression(value, facts);
                }
                Statement::For(inner) => {
                    self.expression(&inner.start, facts);
                    self.expression(&inner.end, facts);
                    self.block(&inner.body, facts);
                }
                Statement::Block(inner) => self.block(inner, facts),
                Statement::Effect(value) | Statement::Assert(value, _) => {
                    self.expression(value, facts);
                }
            }
        }
        if let Some(value) = &block.value {
            self.expression(value, facts);
        }
    }

    fn target(&self, place: &Expression, facts: &mut Facts) {
        if let ExpressionKind::Index(base, index) = &place.kind {
            if index.mentions(self.variable) {
                facts.in_target = true;
                facts.mixed_in_target |=
                    variables(index) > 1 && !matches!(index.kind, ExpressionKind::Index(..));
            }
            self.target(base, facts);
        }
    }

    fn expression(&self, expression: &Expression, facts: &mut Facts) {
        match &expression.kind {
            ExpressionKind::Index(base, index) => {
                if index.mentions(self.variable) && self.is_local_array(base) {
                    facts.subscripts_local = true;
                }
                self.expression(base, facts);
                self.expression(index, facts);
            }
            ExpressionKind::Block(block) => self.block(block, facts),
            ExpressionKind::If(condition, then, otherwise) => {
                self.expression(condition, facts);
                self.block(then, facts);
                self.block(otherwise, facts);
            }
            ExpressionKind::Helper(_, arguments) => {
                // A helper may subscript its local arrays by an argument.
                facts.subscripts_local |= arguments
                    .iter()
                    .any(|a| is_integer(a) && a.mentions(self.variable));
                arguments.iter().for_each(|a| self.expression(a, facts));
            }
            _ => expression
                .operands()
                .into_iter()
                .for_each(|e| self.expression(e, facts)),
        }
    }

    /// True for a base whose elements are (or will be) known one by one.
    fn is_local_array(&self, base: &Expression) -> bool {
        match &base.kind {
            ExpressionKind::Index(inner, _)
            | ExpressionKind::Dereference(inner)
            | ExpressionKind::Reference(inner) => self.is_local_array(inner),
            ExpressionKind::Field(..) | ExpressionKind::Helper(..) | ExpressionKind::Array(_) => {
                true
            }
            ExpressionKind::Variable(v) => match &self.lowerer.frame.values[v.0] {
                Some(binding) => matches!(binding.value, Value::Array(_)),
                None => self.will_be_local(*v),
            },
            _ => false,
        }
    }

    /// For a variable that the loop's body declares: whether it becomes a scalarised array.
    fn will_be_local(&self, variable: VariableId) -> bool {
        let declared = &self.function.variables[variable.0];
        match find_let(&self.function.body, variable) {
            Some(init) => match &init.kind {
                _ if declared.mutable => !self.lowerer.is_in_memory(variable),
                ExpressionKind::Reference(inner) => self.is_local_array(inner),
                ExpressionKind::Index(..) | ExpressionKind::Variable(_) => {
                    self.is_local_array(init)
                }
                _ => matches!(declared.ty, Type::Array(..)),
            },
            None => matches!(declared.ty, Type::Array(..)),
        }
    }
}

/// Number of scalars in a type.
pub fn elements(ty: &Type) -> usize {
    match ty {
        Type::Array(element, n) => n.saturating_mul(elements(element)),
        Type::Tuple(fields) => fields.iter().map(elements).sum(),
        Type::Reference(inner, _) | Type::Slice(inner) => elements(inner),
        Type::Open(inner, _) => elements(inner).saturating_mul(RUN_TIME),
        Type::Record(record) => record.size,
        Type::Scalar(_) => 1,
    }
}

fn is_integer(expression: &Expression) -> bool {
    matches!(
        expression.ty,
        Type::Scalar(crate::syntax::ast::ScalarType::Integer(_))
    )
}

fn variables(expression: &Expression) -> usize {
    match &expression.kind {
        ExpressionKind::Variable(_) => 1,
        _ => expression.operands().into_iter().map(variables).sum(),
    }
}

fn find_let(block: &Block, variable: VariableId) -> Option<&Expression> {
    block
        .statements
        .iter()
        .find_map(|statement| match statement {
            Statement::Let(Pattern::Variable(v), init) if *v == variable => Some(init),
            Statement::For(inner) => find_let(&inner.body, variable),
            Statement::Block(inner) => find_let(inner, variable),
            Statement::Effect(choice) => {
                let mut blocks = choice.blocks().into_iter();
                blocks.find_map(|block| find_let(block, variable))
            }
            _ => None,
        })
}
