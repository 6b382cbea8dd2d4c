//! `chunks(n)` where nothing is left over.
//!
//! ```text
//! for row in x.chunks(n) { … }      ->      if x.len() % n == 0 { for row in x.chunks_exact(n) { … } } else { …as written… }
//! ```
//! Rows of a length that is known when the kernel runs are those of an array of two dimensions if all of them are whole,
//! as they are in most calls.

use super::chains::rounded_up;
use super::{Items, Sequence, Size, Slices};
use crate::syntax::ast::{
    BinaryOperator, CompareOperator, Expression, ExpressionKind, Statement, Type,
};
use crate::syntax::expressions::typed;
use crate::syntax::numbers::compare;
use crate::syntax::parts::{computed, number, same};
use crate::syntax::scope::Reader;

impl Sequence {
    /// The same where all slices are whole, and the condition for that; nothing where their size is constant.
    pub(super) fn in_whole_slices(&self) -> Option<(Sequence, Expression)> {
        let mut cut = Vec::new();
        let items = whole(&self.items, &mut cut);
        let mut left: Option<Expression> = None;
        let mut lengths = self.lengths.clone();
        for (size, all) in cut {
            let count = rounded_up(all.clone(), size.clone());
            for length in lengths.iter_mut().filter(|length| same(length, &count)) {
                *length = computed(BinaryOperator::Divide, all.clone(), size.clone());
            }
            let own = computed(BinaryOperator::Remainder, all, size);
            left = Some(match left {
                Some(others) => computed(BinaryOperator::Add, others, own),
                None => own,
            });
        }
        let whole = Sequence {
            items,
            lengths,
            ..self.clone()
        };
        let left = left?;
        let span = left.span;
        let nothing = compare(CompareOperator::Equal, left, number(0, span), span);
        Some((whole, nothing))
    }
}

/// Items with all slices whole, and of what size and out of how many elements those are that may not be.
fn whole(items: &Items, cut: &mut Vec<(Expression, Expression)>) -> Items {
    let mut inner = |items: &Items| Box::new(whole(items, cut));
    match items {
        Items::Slices(slices) => {
            let mut slices = Slices::clone(slices);
            if let Size::UpTo(size, all) = slices.size.clone()
                && !matches!(size.kind, ExpressionKind::Integer(_))
            {
                slices.size = Size::Each(size.clone());
                cut.push((size, all));
            }
            Items::Slices(Box::new(slices))
        }
        Items::Zip(first, second) => {
            let first = inner(first);
            Items::Zip(first, inner(second))
        }
        Items::From(items, first) => Items::From(inner(items), first.clone()),
        Items::Values(items) => Items::Values(inner(items)),
        Items::Mapped(items, closure) => Items::Mapped(inner(items), closure.clone()),
        Items::Filtered(items, closure) => Items::Filtered(inner(items), closure.clone()),
        // The last one comes first, and what is left out depends on how many there are.
        other => other.clone(),
    }
}

impl Reader<'_> {
    /// `if condition { then } else { otherwise }`.
    pub(super) fn either(
        &mut self,
        condition: Expression,
        then: Statement,
        otherwise: Statement,
    ) -> Statement {
        let span = condition.span;
        let then = Box::new(self.numbered(span, vec![then], None));
        let otherwise = Box::new(self.numbered(span, vec![otherwise], None));
        let kind = ExpressionKind::If(Box::new(condition), then, otherwise);
        Statement::Effect(typed(kind, Type::Tuple(Vec::new()), span))
    }
}
