//! What is asked for of the positions of a loop: remainders and quotients.

use std::collections::HashMap;

use super::repeated::Root;
use super::{Precomputing, Whole};
use crate::syntax::ast::{
    BinaryOperator, Block, Expression, ExpressionKind, ForLoop, IntegerMethod, Pattern, Statement,
    VariableId,
};

/// What is asked for of what is so many after a position.
pub(super) struct Asked {
    /// Zero if it is known when the kernel runs.
    pub(super) period: u64,
    /// The same as it is written.
    pub(super) by: Expression,
    /// What is added before.
    pub(super) added: u64,
    /// Not the remainder.
    pub(super) quotient: bool,
}

/// Where something is asked for.
pub(super) enum Site<'e> {
    /// A value.
    Value(&'e mut Expression),
    /// The subscript of an array that may be repeated.
    Entry {
        /// The array, or a part of it.
        base: &'e mut Expression,
        /// The subscript.
        at: &'e mut Expression,
        /// What it is an axis of.
        root: Root,
    },
}

/// The positions of a loop: its variable, and names for that and what is some after it.
pub(super) struct Positions<'r> {
    reader: &'r Precomputing,
    known: HashMap<VariableId, u64>,
}

/// What becomes of what is asked for.
pub(super) type Sites<'f> = dyn FnMut(Asked, Site) + 'f;

impl<'r> Positions<'r> {
    pub(super) fn of(reader: &'r Precomputing, inner: &ForLoop) -> Self {
        let known = HashMap::from([(inner.variable, 0)]);
        let mut positions = Positions { reader, known };
        positions.learn(&inner.body);
        positions
    }

    fn learn(&mut self, block: &Block) {
        for statement in &block.statements {
            match statement {
                Statement::Let(Pattern::Variable(id), value) => {
                    let changes = self.reader.variables[id.0].mutable;
                    if let Some(added) = self.position(value).filter(|_| !changes) {
                        self.known.insert(*id, added);
                    }
                }
                Statement::For(inner) => self.learn(&inner.body),
                Statement::Block(inner) => self.learn(inner),
                _ => {}
            }
        }
    }

    /// How much after a position an integer is.
    fn position(&self, expression: &Expression) -> Option<u64> {
        match &expression.kind {
            ExpressionKind::Variable(id) => self.known.get(id).copied(),
            ExpressionKind::Binary(BinaryOperator::Add, l, r) => {
                let sum = |position, other| {
                    let added: u64 = self.position(position)?;
                    added.checked_add(self.literal(other)?)
                };
                sum(l, r).or_else(|| sum(r, l))
            }
            _ => None,
        }
    }

    fn literal(&self, expression: &Expression) -> Option<u64> {
        match self.reader.whole(expression)? {
            Whole::Literal(value) if value < 1 << 32 => Some(value),
            _ => None,
        }
    }

    /// The remainder or the quotient that an expression is.
    fn asked(&self, expression: &Expression) -> Option<Asked> {
        use IntegerMethod as Method;
        let (l, r) = match &expression.kind {
            ExpressionKind::Binary(_, l, r) => (l.as_ref(), r.as_ref()),
            ExpressionKind::Integers(_, operands) => match operands.as_slice() {
                [l, r] => (l, r),
                _ => return None,
            },
            _ => return None,
        };
        let added = self.position(l)?;
        let divides = match &expression.kind {
            ExpressionKind::Binary(BinaryOperator::Remainder, ..)
            | ExpressionKind::Integers(Method::RemEuclid, _) => Some(false),
            ExpressionKind::Binary(BinaryOperator::Divide, ..)
            | ExpressionKind::Integers(Method::DivEuclid, _) => Some(true),
            _ => None,
        };
        let (period, quotient) = match (divides, self.literal(r), &expression.kind) {
            (Some(quotient), Some(by), _) if by > 0 => (by, quotient),
            (Some(quotient), None, _) if self.reader.whole(r)?.has_input() => (0, quotient),
            (_, Some(by), ExpressionKind::Integers(Method::And, _))
                if (by + 1).is_power_of_two() =>
            {
                (by + 1, false)
            }
            (_, Some(by), ExpressionKind::Integers(Method::ShiftRight, _)) if by < 32 => {
                (1 << by, true)
            }
            _ => return None,
        };
        Some(Asked {
            period,
            by: r.clone(),
            added,
            quotient,
        })
    }

    /// Hands out what is asked for in a block.
    pub(super) fn block(&self, block: &mut Block, found: &mut Sites) {
        let (expressions, blocks) = block.parts_mut();
        for expression in expressions {
            self.expression(expression, found);
        }
        for block in blocks {
            self.block(block, found);
        }
    }

    fn expression(&self, expression: &mut Expression, found: &mut Sites) {
        if let Some(asked) = self.asked(expression) {
            return found(asked, Site::Value(expression));
        }
        if let ExpressionKind::Index(base, at) = &mut expression.kind
            && let Some(asked) = self.asked(at).filter(|asked| !asked.quotient)
            && let Some(root) = self.reader.root(base, asked.period)
        {
            self.expression(base, found);
            return found(asked, Site::Entry { base, at, root });
        }
        for operand in expression.operands_mut() {
            self.expression(operand, found);
        }
        for block in expression.blocks_mut() {
            self.block(block, found);
        }
    }
}
