//! What is asked for of the positions of a loop: remainders and quotients.

use super::repeated::Root;
use super::{Precomputing, Whole};
use crate::collections::{HashMap, HashSet};
use crate::syntax::ast::{
    BinaryOperator, Block, Expression, ExpressionKind, ForLoop, Function, IntegerMethod, Pattern,
    Statement, VariableId,
};
use crate::syntax::scope::USIZE;

/// What is asked for of what is so many after a position.
pub(super) struct Asked {
    /// Zero if it is known when the kernel runs.
    pub(super) period: u64,
    /// The same as it is written.
    pub(super) by: Expression,
    /// What is added before.
    pub(super) added: u64,
    /// Variables of other loops that are added, too, of which remainders alone are asked for.
    pub(super) others: Vec<VariableId>,
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

/// A sum of a loop's variable and others.
#[derive(Clone, Default)]
struct Position {
    /// What is added.
    added: u64,
    /// Variables that count in other loops.
    others: Vec<VariableId>,
    /// It is odd where the sum is, and no more is known: `x ^ y`.
    parity: bool,
}

impl Position {
    fn plus(mut self, other: Position, parity: bool) -> Option<Position> {
        self.added = self.added.checked_add(other.added)?;
        self.others.extend(other.others);
        self.parity |= other.parity || parity;
        Some(self)
    }
}

/// The positions of a loop: its variable, and names for that and what is some after it.
pub(super) struct Positions<'r> {
    reader: &'r Precomputing,
    known: HashMap<VariableId, Position>,
}

/// What becomes of what is asked for.
pub(super) type Sites<'f> = dyn FnMut(Asked, Site) + 'f;

impl<'r> Positions<'r> {
    pub(super) fn of(reader: &'r Precomputing, inner: &ForLoop) -> Self {
        let known = HashMap::from_iter([(inner.variable, Position::default())]);
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
    fn position(&self, expression: &Expression) -> Option<Position> {
        match &expression.kind {
            ExpressionKind::Variable(id) => self.known.get(id).cloned(),
            _ => {
                let (l, r, parity) = summands(expression)?;
                let sum = |position, other| {
                    let position: Position = self.position(position)?;
                    position.plus(self.other(other)?, parity)
                };
                sum(l, r).or_else(|| sum(r, l))
            }
        }
    }

    /// What is added to a position: a number, and variables of other loops.
    fn other(&self, expression: &Expression) -> Option<Position> {
        if let Some(added) = self.literal(expression) {
            return Some(Position {
                added,
                ..Position::default()
            });
        }
        if let ExpressionKind::Variable(id) = &expression.kind {
            let counts = self.reader.counters.contains(id) && !self.known.contains_key(id);
            return counts.then(|| Position {
                others: vec![*id],
                ..Position::default()
            });
        }
        let (l, r, parity) = summands(expression)?;
        self.other(l)?.plus(self.other(r)?, parity)
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
        let position = self.position(l)?;
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
        let alone = position.others.is_empty() && !position.parity;
        (alone || period == 2 && !quotient).then(|| Asked {
            period,
            by: r.clone(),
            added: position.added,
            others: position.others,
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
            && let Some(asked) = self.asked(at)
            && !asked.quotient
            && asked.others.is_empty()
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

/// The parts of a sum, or of what is odd where the sum is.
fn summands(expression: &Expression) -> Option<(&Expression, &Expression, bool)> {
    match &expression.kind {
        ExpressionKind::Binary(BinaryOperator::Add, l, r) => Some((l, r, false)),
        ExpressionKind::Integers(IntegerMethod::ExclusiveOr, operands) => match operands.as_slice()
        {
            [l, r] => Some((l, r, true)),
            _ => None,
        },
        _ => None,
    }
}

/// The variables of a function's loops over positions.
pub(super) fn counters(function: &Function) -> HashSet<VariableId> {
    let mut all = HashSet::default();
    loops(&function.body, &mut all);
    all.retain(|id| function.variables[id.0].ty == USIZE);
    all
}

fn loops(block: &Block, into: &mut HashSet<VariableId>) {
    for statement in &block.statements {
        match statement {
            Statement::For(inner) => {
                into.insert(inner.variable);
                loops(&inner.body, into);
            }
            Statement::Block(inner) => loops(inner, into),
            _ => {}
        }
    }
}
