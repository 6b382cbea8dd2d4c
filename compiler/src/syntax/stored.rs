//! Conditions in memory: bytes that are 0 or 1.
//!
//! ```text
//! mask: &mut [bool]                       mask: &mut [u8]
//! if mask[i] { … }                        if mask[i] != 0 { … }
//! mask[i] = x > y;                        mask[i] = if x > y { 1 } else { 0 };
//! mask[i] = !mask[j];                     mask[i] = mask[j] ^ 1;
//! let mut seen = [false; 8];              let mut seen = [0; 8];
//! ```
//!
//! Nothing after the reader knows arrays of conditions. All that is written to such bytes is one of them, 0 or 1: what
//! is emitted hands the text's memory to the program as bytes.

use super::Parsed;
use super::ast::{
    Block, CompareOperator, Expression, ExpressionKind, IntegerMethod, IntegerType, ScalarType,
    Statement, Type,
};
use super::expressions::typed;
use super::numbers::compare;
use super::scope::Reader;
use crate::diagnostics::Fault;

const TRUTH: Type = Type::Scalar(ScalarType::Bool);
const BYTE: Type = Type::Scalar(ScalarType::Integer(IntegerType::U8));

/// Whether a type has conditions in memory.
pub fn has_stored(ty: &Type) -> bool {
    match ty {
        Type::Array(inner, _)
        | Type::Slice(inner)
        | Type::Open(inner, _)
        | Type::Reference(inner, _) => **inner == TRUTH || has_stored(inner),
        Type::Tuple(fields) => fields.iter().any(has_stored),
        Type::Scalar(_) | Type::Record(_) => false,
    }
}

/// A type with bytes in place of the conditions in memory.
pub fn stored(mut ty: Type) -> Type {
    store(&mut ty);
    ty
}

fn store(ty: &mut Type) {
    match ty {
        Type::Array(inner, _)
        | Type::Slice(inner)
        | Type::Open(inner, _)
        | Type::Reference(inner, _) => match **inner == TRUTH {
            true => **inner = BYTE,
            false => store(inner),
        },
        Type::Tuple(fields) => fields.iter_mut().for_each(store),
        Type::Scalar(_) | Type::Record(_) => {}
    }
}

/// Whether a condition is one in memory.
fn is_stored(expression: &Expression) -> bool {
    let kind = &expression.kind;
    let in_memory = matches!(
        kind,
        ExpressionKind::Index(..) | ExpressionKind::Dereference(_)
    );
    expression.ty == TRUTH && in_memory
}

impl Reader<'_> {
    /// Makes bytes of the conditions in memory that a body reads and writes.
    pub(super) fn store_truths(&mut self, body: &mut Block) -> Parsed<()> {
        let mut results = self.signatures.iter().map(|own| &own.result);
        let of_variable = self.variables.iter().any(|own| has_stored(&own.ty));
        if !of_variable && !results.any(has_stored) {
            return Ok(());
        }
        for variable in &mut self.variables {
            store(&mut variable.ty);
        }
        self.block_of_truths(body)
    }

    fn block_of_truths(&mut self, block: &mut Block) -> Parsed<()> {
        for statement in &mut block.statements {
            match statement {
                Statement::Assign {
                    place,
                    operator,
                    value,
                    ..
                } => {
                    let stored = is_stored(place);
                    if stored && operator.is_some() {
                        return Err(Fault::beyond_at(
                            place.span,
                            "arithmetic on a condition",
                            "write `a = a && b;` or `a = a || b;`",
                        ));
                    }
                    self.place_of_truths(place)?;
                    match stored {
                        true => self.byte_of_truths(value)?,
                        false => self.value_of_truths(value)?,
                    }
                }
                Statement::Let(_, value)
                | Statement::Effect(value)
                | Statement::Assert(value, _) => self.value_of_truths(value)?,
                Statement::For(inner) => {
                    self.value_of_truths(&mut inner.start)?;
                    self.value_of_truths(&mut inner.end)?;
                    self.block_of_truths(&mut inner.body)?;
                }
                Statement::Block(inner) => self.block_of_truths(inner)?,
            }
        }
        match &mut block.value {
            Some(value) => self.value_of_truths(value),
            None => Ok(()),
        }
    }

    /// An expression whose value is asked for.
    fn value_of_truths(&mut self, expression: &mut Expression) -> Parsed<()> {
        let stored = is_stored(expression);
        self.place_of_truths(expression)?;
        if stored {
            let span = expression.span;
            let zero = typed(ExpressionKind::Integer(0), BYTE, span);
            *expression = compare(CompareOperator::NotEqual, expression.clone(), zero, span);
        }
        Ok(())
    }

    /// An expression that stands for a place, if it is one.
    fn place_of_truths(&mut self, expression: &mut Expression) -> Parsed<()> {
        use ExpressionKind as Kind;
        if is_stored(expression) {
            expression.ty = BYTE;
        }
        let elements = expression.ty.element() == Some(&TRUTH);
        store(&mut expression.ty);
        match &mut expression.kind {
            Kind::Index(base, at) | Kind::Column(base, at) => {
                self.place_of_truths(base)?;
                self.value_of_truths(at)?;
            }
            Kind::Part {
                base,
                start,
                length,
            } => {
                self.place_of_truths(base)?;
                self.value_of_truths(start)?;
                self.value_of_truths(length)?;
            }
            Kind::Reference(to) if to.ty == TRUTH && !is_stored(to) => {
                return Err(Fault::beyond_at(
                    to.span,
                    "a reference to a condition that is a variable",
                    "return conditions from helpers, or pass them by value",
                ));
            }
            Kind::Reference(of)
            | Kind::Dereference(of)
            | Kind::Length(of, _)
            | Kind::Field(of, _) => {
                self.place_of_truths(of)?;
            }
            // What is allocated is filled with a value, which may stand in arrays.
            Kind::Array(all) | Kind::Allocate(all) => {
                for element in all {
                    match element.ty == TRUTH {
                        true => self.byte_of_truths(element)?,
                        false => self.value_of_truths(element)?,
                    }
                }
            }
            Kind::Repeat(element, _) if elements => self.byte_of_truths(element)?,
            _ => {
                for operand in expression.operands_mut() {
                    self.value_of_truths(operand)?;
                }
            }
        }
        for inner in expression.blocks_mut() {
            self.block_of_truths(inner)?;
        }
        Ok(())
    }

    /// A condition as what is written to memory: a byte of another one is copied, or has its lowest bit changed.
    fn byte_of_truths(&mut self, value: &mut Expression) -> Parsed<()> {
        let span = value.span;
        let number = |value: i128| typed(ExpressionKind::Integer(value), BYTE, span);
        if is_stored(value) {
            return self.place_of_truths(value);
        }
        match &mut value.kind {
            ExpressionKind::Bool(truth) => *value = number(i128::from(*truth)),
            ExpressionKind::Not(of) if is_stored(of) => {
                self.place_of_truths(of)?;
                let operands = vec![of.as_ref().clone(), number(1)];
                let kind = ExpressionKind::Integers(IntegerMethod::ExclusiveOr, operands);
                *value = typed(kind, BYTE, span);
            }
            _ => {
                self.value_of_truths(value)?;
                *value = self.truth_as_number(value.clone(), &BYTE);
            }
        }
        Ok(())
    }
}
