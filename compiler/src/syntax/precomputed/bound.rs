//! What variables hold that nothing changes, and integers of other types.

use super::{Precomputing, Whole, WholeOperator, variable};
use crate::collections::HashSet;
use crate::syntax::ast::{
    BinaryOperator, Block, Expression, ExpressionKind, Function, Pattern, Statement, Type,
    VariableId,
};
use crate::syntax::types::behind;
use crate::syntax::views::rank;

impl Precomputing {
    /// Notes what a variable holds that nothing changes.
    pub(super) fn bind(&mut self, pattern: &Pattern, value: &Expression) {
        match (pattern, &value.kind) {
            (Pattern::Variable(id), ExpressionKind::Allocate(parts)) => {
                self.allocated(*id, (&value.ty, parts));
            }
            (Pattern::Variable(id), _) if !self.variables[id.0].mutable => {
                if let Some(parts) = self.parts_of(value).map(<[_]>::to_vec) {
                    self.parts.insert(*id, parts);
                }
                if let Some(whole) = self.whole(value) {
                    self.wholes.insert(*id, whole);
                }
            }
            (Pattern::Tuple(patterns), _) => {
                let values = self.parts_of(value).map(<[_]>::to_vec);
                for (pattern, value) in patterns.iter().zip(values.iter().flatten()) {
                    self.bind(pattern, value);
                }
            }
            _ => {}
        }
    }

    /// Notes the lengths of an array that the text allocates.
    fn allocated(&mut self, id: VariableId, (ty, parts): (&Type, &[Expression])) {
        let extents = match (behind(ty), parts) {
            (Type::Slice(_), [_, extents @ ..]) => &extents[..1.min(extents.len())],
            (ty, extents) if rank(ty) > 0 => extents,
            _ => return,
        };
        let lengths: Option<Vec<Whole>> = extents.iter().map(|extent| self.whole(extent)).collect();
        if let Some(lengths) = lengths.filter(|_| !self.assigned.contains(&id)) {
            self.lengths.insert(id, lengths);
        }
    }

    /// The parts of a tuple or an array, or of a variable that holds one.
    fn parts_of<'e>(&'e self, of: &'e Expression) -> Option<&'e [Expression]> {
        match &of.kind {
            ExpressionKind::Tuple(parts) | ExpressionKind::Array(parts) => Some(parts),
            _ => self.parts.get(&variable(of)?).map(Vec::as_slice),
        }
    }

    /// A part of a tuple or an array that a variable holds.
    pub(super) fn part<'e>(&'e self, of: &'e Expression, at: usize) -> Option<&'e Expression> {
        self.parts_of(of)?.get(at)
    }

    /// `(n / 2) as usize` for an integer of another type: its value where it is not negative. What may leave that type is none.
    pub(super) fn converted(&self, of: &Expression) -> Option<Whole> {
        match &of.kind {
            ExpressionKind::Variable(id) => {
                let whole = self.wholes.get(id)?;
                matches!(whole, Whole::Scalar { .. }).then(|| whole.clone())
            }
            ExpressionKind::Reference(of) | ExpressionKind::Dereference(of) => self.converted(of),
            ExpressionKind::Integer(value) => Some(Whole::Literal(u64::try_from(*value).ok()?)),
            ExpressionKind::Binary(operator, l, r) => {
                let operator = match operator {
                    BinaryOperator::Subtract => WholeOperator::Difference,
                    BinaryOperator::Divide => WholeOperator::Quotient,
                    BinaryOperator::Remainder => WholeOperator::Remainder,
                    _ => return None,
                };
                let (l, r) = (self.converted(l)?, self.converted(r)?);
                Some(Whole::operation(operator, l, r))
            }
            _ => None,
        }
    }
}

/// The variables that are assigned, not their elements.
pub(super) fn assigned(function: &Function) -> HashSet<VariableId> {
    let mut all = HashSet::default();
    in_block(&function.body, &mut all);
    all
}

fn in_block(block: &Block, into: &mut HashSet<VariableId>) {
    for statement in &block.statements {
        if let Statement::Assign { place, .. } = statement {
            into.extend(variable(place));
        }
    }
    let (expressions, blocks) = block.parts();
    for expression in expressions {
        in_expression(expression, into);
    }
    for block in blocks {
        in_block(block, into);
    }
}

fn in_expression(expression: &Expression, into: &mut HashSet<VariableId>) {
    for block in expression.blocks() {
        in_block(block, into);
    }
    for operand in expression.operands() {
        in_expression(operand, into);
    }
}
