//! Items that are taken under a condition: `.filter(|x| …)`.
//!
//! ```text
//! for x in xs.filter(c) { … }      is      for x in xs { if c(&x) { … } }
//! ```

use super::Sequence;
use crate::diagnostics::Fault;
use crate::syntax::Parsed;
use crate::syntax::ast::{
    BinaryOperator, Block, Expression, ExpressionKind, Pattern, ScalarType, Statement, Type,
};
use crate::syntax::branches::nothing;
use crate::syntax::closures::Closure;
use crate::syntax::expressions::typed;
use crate::syntax::parts::{number, reference};
use crate::syntax::scope::{Reader, USIZE};
use crate::syntax::types::show;

/// A condition on an item.
pub struct Filter {
    /// How many of the statements before the loop's body stand before it.
    at: usize,
    condition: Expression,
}

impl Sequence {
    /// A method that goes by positions has an item at each.
    pub(super) fn is_whole(&self, method: &proc_macro2::Ident) -> Parsed<()> {
        match self.items.are_filtered() {
            false => Ok(()),
            true => Err(Fault::beyond(
                method,
                format!("`{method}` of what `filter` leaves"),
                "`filter` behind it, or write a loop with `if`",
            )),
        }
    }
}

impl Reader<'_> {
    /// Items at positions from zero on, for a method that needs one at each.
    pub(super) fn positions(
        &mut self,
        of: &syn::Expr,
        method: &proc_macro2::Ident,
    ) -> Parsed<Sequence> {
        let sequence = self.sequence(of)?;
        sequence.is_whole(method)?;
        Ok(sequence.by_position())
    }

    /// The condition of a filter on an item.
    pub(super) fn filter(
        &mut self,
        closure: &Closure,
        item: &Expression,
        into: &mut Vec<Statement>,
    ) -> Parsed<()> {
        let argument = reference(item.clone(), false);
        let condition = self.applied(closure, vec![argument], None, into)?;
        if condition.ty != Type::Scalar(ScalarType::Bool) {
            return Err(Fault::on(
                &closure.body,
                format!("this is `{}`, not a condition", show(&condition.ty)),
                "compare: `|x| **x > 0.0`",
            ));
        }
        self.filters.push(Filter {
            at: into.len(),
            condition,
        });
        Ok(())
    }

    /// The body of a loop with its header, under the conditions of filters.
    pub(super) fn filtered(
        &mut self,
        filters: Vec<Filter>,
        mut header: Vec<Statement>,
        body: impl FnOnce(&mut Self, Vec<Statement>) -> Parsed<Block>,
    ) -> Parsed<Block> {
        let starts: Vec<usize> = filters.iter().map(|filter| filter.at).collect();
        let mut block = {
            let own = header.split_off(starts.last().copied().unwrap_or(0));
            body(self, own)?
        };
        for (place, Filter { condition, .. }) in filters.into_iter().enumerate().rev() {
            let span = condition.span;
            let otherwise = self.numbered(span, Vec::new(), None);
            let (then, otherwise) = (Box::new(block), Box::new(otherwise));
            let kind = ExpressionKind::If(Box::new(condition), then, otherwise);
            // What its condition needs stands under those before.
            let from = place.checked_sub(1).map_or(0, |before| starts[before]);
            let mut statements = header.split_off(from);
            statements.push(Statement::Effect(typed(kind, nothing(), span)));
            block = self.numbered(span, statements, None);
        }
        Ok(block)
    }

    /// How many items there are.
    pub(super) fn counted(&mut self, call: &syn::ExprMethodCall) -> Parsed<Expression> {
        let sequence = self.sequence(&call.receiver)?;
        if !sequence.items.are_filtered() {
            return sequence
                .by_position()
                .length()
                .ok_or_else(|| Fault::beyond(call, "what has no end is counted", "use `take`"));
        }
        let span = crate::diagnostics::Span::of(call);
        let variable = self.hidden("count", USIZE, true, span);
        let place = typed(ExpressionKind::Variable(variable), USIZE, span);
        let name = super::loops::closure_name(None, &sequence);
        let step = Statement::Assign {
            place: place.clone(),
            operator: Some(BinaryOperator::Add),
            value: number(1, span),
            span,
        };
        let counting = self.run(sequence, name, |reader, _, mut header| {
            header.push(step);
            Ok(reader.numbered(span, header, None))
        })?;
        let first = Statement::Let(Pattern::Variable(variable), number(0, span));
        Ok(self.after(vec![first, counting], place, span))
    }
}
