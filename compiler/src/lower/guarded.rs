//! What branches write and access.
//!
//! Writes are kept until both branches were run: see `branches`.

use super::accumulations::Update;
use super::branches::Guard;
use super::value::{Condition, Place, Root, Value};
use super::{Lowerer, Reached, Result, opaque};
use crate::analysis::dependence::beside;
use crate::diagnostics::Span;
use crate::ir::{Affine, ArrayId, Atom, Combining, ExprId, Extent};
use crate::number::Number;
use crate::syntax::ast::{BinaryOperator, Block, ScalarType, Type};

/// A write that is kept.
#[derive(Clone, Debug)]
pub struct Write {
    target: Place,
    value: ExprId,
    /// It adds to what is there.
    adds: bool,
    span: Span,
}

impl Write {
    fn array(&self) -> Option<ArrayId> {
        match self.target.root {
            Root::Array(array) => Some(array),
            Root::Table(_) => None,
        }
    }

    fn is_at(&self, other: &Write) -> bool {
        self.array() == other.array() && self.target.subscripts == other.target.subscripts
    }
}

impl Lowerer<'_> {
    /// Writes an element, or keeps that for the end of the branch. What an integer is combined with is computed at once,
    /// since its type must hold the result.
    pub(super) fn write_here(
        &mut self,
        target: Place,
        operator: Option<Update>,
        value: ExprId,
        span: Span,
    ) -> Result<()> {
        if self.guards.is_empty() {
            return self.write(target, operator, value, span);
        }
        let held = self.held_write(&target, span)?;
        let (operator, value) = match (operator, &target.ty) {
            (Some(Update::Arithmetic(operator)), Type::Scalar(ScalarType::Integer(ty)))
                if self.program.pool.element(value).as_word().is_some() =>
            {
                let old = held.map_or(Value::Place(target.clone()), Value::Scalar);
                let operands = (old, Value::Scalar(value));
                let new = self.whole_arithmetic(operator, operands, (*ty, span))?;
                (None, self.whole(new, *ty, span)?)
            }
            _ => (operator, value),
        };
        let write = |value, adds| Write {
            target: target.clone(),
            value,
            adds,
            span,
        };
        let write = match (operator, held) {
            (None, _) => write(value, false),
            (Some(Update::Arithmetic(BinaryOperator::Add)), None) => write(value, true),
            (Some(Update::Arithmetic(BinaryOperator::Subtract)), None) => {
                write(self.sum(&[(Number::from_i64(-1), value)]), true)
            }
            (Some(operator), held) => {
                let old = match held {
                    Some(old) => old,
                    None => self.read(Value::Place(target.clone()), span)?,
                };
                write(self.updated(operator, old, value), false)
            }
        };
        self.hold_write(write);
        Ok(())
    }

    fn hold_write(&mut self, write: Write) {
        if let Some(guard) = self.guards.last_mut() {
            if !write.adds {
                guard.writes.retain(|earlier| !earlier.is_at(&write));
            }
            guard.writes.push(write);
        }
    }

    /// What a branch that is run has written to a place before.
    pub(super) fn held_write(&self, place: &Place, span: Span) -> Result<Option<ExprId>> {
        let Root::Array(array) = place.root else {
            return Ok(None);
        };
        for guard in self.guards.iter().rev() {
            for write in guard.writes.iter().rev() {
                let target = &write.target.subscripts;
                if write.array() != Some(array) || beside(target, &place.subscripts, &self.open) {
                    continue;
                }
                if *target == place.subscripts && !write.adds {
                    return Ok(Some(write.value));
                }
                return opaque(
                    span,
                    "an element that may have been written before in the same branch",
                    "keep the value in a variable, and write it once",
                );
            }
        }
        Ok(None)
    }

    /// Writes what branches have written.
    pub(super) fn merge_writes(
        &mut self,
        condition: &Condition,
        first: Vec<Write>,
        mut second: Vec<Write>,
    ) -> Result<()> {
        let all: Vec<&Write> = first.iter().chain(&second).collect();
        let open = &self.open;
        let apart = all.iter().all(|a| {
            all.iter().all(|b| {
                let (of, other) = (&a.target.subscripts, &b.target.subscripts);
                a.array() != b.array() || of == other || beside(of, other, open)
            })
        });
        let alone =
            |writes: &[Write], of: &Write| writes.iter().filter(|w| w.is_at(of)).count() == 1;
        for write in &first {
            let other = second.iter().position(|other| other.is_at(write));
            let pair = other.filter(|_| apart && alone(&first, write) && alone(&second, write));
            let Some(other) = pair else {
                self.write_one(condition, write)?;
                continue;
            };
            let other = second.remove(other);
            let (mut a, mut b) = (write.value, other.value);
            let adds = write.adds && other.adds && !self.exact;
            if !adds && (write.adds || other.adds) {
                let old = self.old(write)?;
                let one = Number::ONE;
                a = if write.adds {
                    self.sum(&[(one, old), (one, a)])
                } else {
                    a
                };
                b = if other.adds {
                    self.sum(&[(one, old), (one, b)])
                } else {
                    b
                };
            }
            let value = self.select(condition, a, b);
            self.put(Write {
                value,
                adds,
                ..write.clone()
            })?;
        }
        let otherwise = condition.clone().negated();
        second
            .iter()
            .try_for_each(|write| self.write_one(&otherwise, write))
    }

    /// Writes under a condition.
    fn write_one(&mut self, condition: &Condition, write: &Write) -> Result<()> {
        // Nothing is added to what is left as it is.
        if write.adds && !self.exact {
            let element = self.program.pool.element(write.value);
            let zero = self.constant(Number::ZERO, element);
            let value = self.select(condition, write.value, zero);
            return self.put(Write {
                value,
                ..write.clone()
            });
        }
        let old = self.old(write)?;
        let new = match write.adds {
            true => self.sum(&[(Number::ONE, old), (Number::ONE, write.value)]),
            false => write.value,
        };
        let value = self.select(condition, new, old);
        self.put(Write {
            value,
            adds: false,
            ..write.clone()
        })
    }

    fn old(&mut self, write: &Write) -> Result<ExprId> {
        self.read(Value::Place(write.target.clone()), write.span)
    }

    /// Writes, or keeps that for the end of the branch around.
    fn put(&mut self, write: Write) -> Result<()> {
        if !self.guards.is_empty() {
            self.hold_write(write);
            return Ok(());
        }
        let operator = write
            .adds
            .then_some(Update::Arithmetic(BinaryOperator::Add));
        self.write(write.target, operator, write.value, write.span)
    }

    /// A loop begins that stays one: what branches around have written is written now.
    pub(super) fn enter_loop(&mut self) -> Result<()> {
        let guards = std::mem::take(&mut self.guards);
        let mut around = Condition::Known(true);
        for guard in &guards {
            around = around.and(guard.condition.clone());
            for write in &guard.writes {
                self.write_one(&around, write)?;
            }
        }
        self.guards = guards;
        self.guards
            .iter_mut()
            .for_each(|guard| guard.writes.clear());
        Ok(())
    }

    /// An iteration inside of a branch: what it writes is written at its end, under the conditions around.
    pub(super) fn guarded_iteration(&mut self, body: &Block) -> Result<()> {
        if self.guards.is_empty() {
            return self.block(body).map(|_| ());
        }
        self.guards
            .push(Guard::new(Condition::Known(true), self.open.len()));
        let done = self.block(body);
        let own = self.guards.pop();
        done?;
        let (writes, reached) = own.map_or_else(Default::default, |g| (g.writes, g.reached));
        self.conditional.extend(reached);
        let around = self.guards_from(0);
        let guards = std::mem::take(&mut self.guards);
        let written = writes
            .iter()
            .try_for_each(|write| self.write_one(&around, write));
        self.guards = guards;
        written
    }

    /// The conditions around that were met inside of as many loops, or more.
    fn guards_from(&self, open: usize) -> Condition {
        let inside = self.guards.iter().filter(|guard| guard.open >= open);
        inside.fold(Condition::Known(true), |all, guard| {
            all.and(guard.condition.clone())
        })
    }

    /// What is summed up over loops, as far as conditions inside of these let it: `depth` loops are around the
    /// variable, whose type has these ends if it is one of integers.
    pub(super) fn summand(
        &mut self,
        combining: Combining,
        value: ExprId,
        (depth, ends): (usize, Option<(i128, i128)>),
    ) -> Option<ExprId> {
        let condition = self.guards_from(depth + 1);
        let nothing = match combining {
            _ if matches!(condition, Condition::Known(true)) => return Some(value),
            Combining::Add => Number::ZERO,
            Combining::Multiply => Number::ONE,
            Combining::Lesser | Combining::Greater => {
                Number::from_raw(combining.identity(), 0.0, combining.field_identity())
            }
            Combining::Min => Number::from_integer(ends?.1),
            Combining::Max => Number::from_integer(ends?.0),
        };
        let element = self.program.pool.element(value);
        let nothing = self.constant(nothing, element);
        Some(self.select(&condition, value, nothing))
    }

    /// Notes that the text may reach an access, in a branch.
    pub(super) fn reach_in_branch(&mut self, reached: Reached, span: Span) {
        if let Some(guard) = self.guards.last_mut()
            && !guard.reached.iter().any(|(known, _)| *known == reached)
        {
            guard.reached.push((reached, span));
        }
    }

    /// What branches access must be in range whether they are taken or not: since it is in range anyway, or
    /// since that is assumed.
    pub(super) fn settle_branches(&mut self) -> Result<()> {
        for (reached, span) in std::mem::take(&mut self.conditional) {
            let known = self.in_range(&reached) || self.assume_in_range(&reached, span)?;
            if !known && self.is_expected(&reached) {
                self.expected.insert(reached.clone());
            } else if !known {
                return opaque(
                    span,
                    "an array is read inside a branch, and may be out of range outside of it",
                    "read it before the `if` (both values are then computed) and choose between the values",
                );
            }
            self.reached.insert(reached);
        }
        Ok(())
    }

    /// Whether a check is to say if an access is out of range: in a slice of rows of run-time length, of which no affine
    /// function says so.
    fn is_expected(&self, reached: &Reached) -> bool {
        let array = self.array(reached.access.array);
        let mut inner = array.shape.iter().skip(1);
        array.flat
            && inner.any(|extent| extent.as_constant().is_none())
            && !(reached.access.subscripts.iter()).any(Affine::is_mapped)
    }

    /// Assumes that an access is in range wherever its loops run.
    fn assume_in_range(&mut self, reached: &Reached, span: Span) -> Result<bool> {
        let array = self.array(reached.access.array);
        if array.flat {
            return self.assume_as_long(reached, span);
        }
        let shape = array.shape.clone();
        for (subscript, extent) in reached.access.subscripts.iter().zip(&shape) {
            let ends = self.ends(subscript).filter(|_| !subscript.is_mapped());
            let Some((first, last)) = ends else {
                return Ok(false);
            };
            let extent = match extent {
                Extent::Constant(n) => Affine::constant(i64::try_from(*n).unwrap_or(i64::MAX)),
                Extent::RunTime(extent) => extent.clone(),
            };
            let room = extent.sub(&last).sub(&Affine::constant(1));
            for needed in [first, room] {
                self.assume(needed, span)?;
            }
        }
        Ok(true)
    }

    /// Assumes that a slice of rows is as long as another one, of which the same elements are accessed anyway.
    fn assume_as_long(&mut self, reached: &Reached, span: Span) -> Result<bool> {
        let inner = |array: ArrayId| {
            let array = self.array(array);
            array
                .flat
                .then(|| array.shape.get(1..).map(<[_]>::to_vec))
                .flatten()
        };
        let own = inner(reached.access.array);
        let other = self.reached.iter().find(|other| {
            other.domain == reached.domain
                && other.access.subscripts == reached.access.subscripts
                && inner(other.access.array) == own
        });
        let Some(other) = other.filter(|_| own.is_some()) else {
            return Ok(false);
        };
        let length = |array| Affine::atom(Atom::Length(array, 0));
        let longer = length(reached.access.array).sub(&length(other.access.array));
        self.assume(longer, span)?;
        Ok(true)
    }
}
