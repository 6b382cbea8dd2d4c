//! Loops that are taken apart where a condition on integers changes.
//!
//! `if i > 0 { x[i - 1] } else { x[0] }` and `x[(i + 1) % n]` say one thing in most iterations and
//! another one at the boundary. Where a condition is met that some iterations of a loop decide this
//! way and others that way, lowering begins again, and cuts that loop there: it becomes loops one
//! after the other, each with a body of its own. Which loop that is, is known by its number: until it
//! comes, all is as it was before.
//!
//! Whether all pieces have iterations depends on the inputs. The program is right for those with
//! which they have; with others the text runs.

use super::products::Flat;
use super::value::Value;
use super::{Binding, Finding, Lowerer, Result, opaque};
use crate::diagnostics::Span;
use crate::ir::{Affine, Extent};
use crate::syntax::ast::{ForLoop, FunctionId, LoopId};

/// The values of a loop that stays: `first`, `first + stride`, ….
#[derive(Clone, Debug)]
pub struct Values {
    pub first: Affine,
    pub stride: i64,
    pub extent: Extent,
    /// That of the loop before it was cut.
    pub whole: Extent,
    /// What the variable is beyond these, where that is no affine function.
    pub beyond: Option<Flat>,
}

impl Values {
    fn part(&self, from: &Affine, extent: Affine) -> Values {
        Values {
            first: self.first.add(&from.scale(self.stride)),
            stride: self.stride,
            extent: extent.into(),
            whole: self.whole.clone(),
            beyond: self.beyond.clone(),
        }
    }

    /// The variable's value.
    fn of(&self, value: Affine) -> Value {
        match &self.beyond {
            Some(beyond) => Value::Flat(beyond.sum(&Flat::of(value), 1)),
            None => Value::Integer(value),
        }
    }
}

impl Lowerer<'_> {
    /// Runs a loop's body over values, in pieces where it must be.
    pub(super) fn pieces(&mut self, for_loop: &ForLoop, values: &Values) -> Result<()> {
        let number = self.pieces;
        self.pieces += 1;
        if let (true, Extent::Constant(n)) =
            (self.findings.unrolled.contains(&number), &values.extent)
            && values.beyond.is_none()
        {
            return self.unrolled(for_loop, &values.first, values.stride, *n);
        }
        let Some(at) = self.findings.cuts.get(&number).cloned() else {
            return self.piece(for_loop, values, number);
        };
        self.cut.extend(self.loop_id(for_loop));
        let rest = values.extent.affine().sub(&at);
        self.assume(at.clone(), for_loop.span)?;
        self.assume(rest.clone(), for_loop.span)?;
        let whole = Affine::default();
        self.note_part(number, rest.as_constant(), true);
        self.pieces(for_loop, &values.part(&whole, at.clone()))?;
        self.note_part(number, at.as_constant(), false);
        self.pieces(for_loop, &values.part(&at, rest))
    }

    /// The loop in its function.
    pub(super) fn loop_id(&self, for_loop: &ForLoop) -> Option<(FunctionId, LoopId)> {
        let mut functions = self.module.functions.iter();
        let at = functions.position(|f| std::ptr::eq(f, self.frame.function))?;
        Some((FunctionId(at), for_loop.id))
    }

    fn piece(&mut self, for_loop: &ForLoop, values: &Values, number: usize) -> Result<()> {
        let own = self.loop_id(for_loop);
        let cut = own.is_some_and(|own| self.cut.contains(&own));
        if let (true, Some(n @ 0..=1)) = (cut, values.extent.as_constant()) {
            if n == 1 {
                self.bind_loop(for_loop, values.of(values.first.clone()), 0);
                self.short_parts.push(values.whole.clone());
                self.block(&for_loop.body)?;
                self.short_parts.pop();
            }
            return Ok(());
        }
        let name = self.frame.function.variables[for_loop.variable.0]
            .name
            .to_string();
        let index = self.program.add_index(&name, values.extent.clone());
        if let Some(own) = own {
            self.kept.entry(own).or_default().push(index);
        }
        let value = values.first.add(&Affine::index(index).scale(values.stride));
        self.numbers.insert(index, number);
        self.bind_loop(for_loop, values.of(value), 1);
        self.enter_loop()?;
        let handing = self.begin_handing(number, index, for_loop.span);
        self.open.push(index);
        if let Some(handing) = &handing {
            self.take_over(handing);
        }
        let short = self.origins.contains_key(&number) && values.extent.as_constant().is_some();
        self.short_parts.extend(short.then(|| values.whole.clone()));
        self.guarded_iteration(&for_loop.body)?;
        if short {
            self.short_parts.pop();
        }
        if let Some(handing) = &handing {
            self.hand_over(handing, index)?;
        }
        self.settle(self.open.len() - 1)?;
        self.open.pop();
        if let Some(handing) = handing {
            self.leave_last(handing, index);
        }
        Ok(())
    }

    pub(super) fn bind_loop(&mut self, for_loop: &ForLoop, value: Value, inside: usize) {
        let binding = self.binding(value);
        self.frame.values[for_loop.variable.0] = Some(Binding {
            depth: binding.depth + inside,
            ..binding
        });
    }

    /// Loops that were cut, or unrolled in one place and not in another, have no indices of their own: those
    /// are of their pieces.
    pub(super) fn forget_pieces(&mut self) {
        let pieces = &self.cut | &self.unrolled;
        self.kept.retain(|own, _| !pieces.contains(own));
    }
}

/// Begins again, with what was found.
pub fn found<T>(finding: Finding, span: Span) -> Result<T> {
    let stopped = opaque(
        span,
        "a condition on integers that changes in a loop",
        "split the loop where the condition changes",
    );
    stopped.map_err(|problem| super::Problem {
        finding: Some(Box::new(finding)),
        ..problem
    })
}
