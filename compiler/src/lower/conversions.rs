//! Conversions between number types.
//!
//! One between floating-point types stands between what is before it and what is after it: it
//! rounds, or what follows is rounded otherwise. Literals and entries of tables, which are
//! converted where they are written, are rounded now.

use super::expressions::integer_type;
use super::value::{Place, Root, Value};
use super::{Lowerer, Result, opaque};
use crate::diagnostics::Span;
use crate::ir::{Access, Affine, ArrayId, Atom, Element, Expr, ExprId, Extent, Role};
use crate::number::Number;
use crate::syntax::ast::{Expression, ExpressionKind, IntegerType};

/// What loops count in is exact in `f64`: their values may be added up there.
const LARGEST_EXACT: i128 = 1 << 52;
/// Nor do sums of a few terms overflow.
const LARGEST_TERM: i128 = 1 << 60;

/// The size of numbers of which a few may be multiplied in `f32`, and how many.
const MODERATE: f64 = 1e9;
const MOST_FACTORS: u32 = 4;

impl Lowerer<'_> {
    /// `operand as T`, `T::from(operand)`, `T::from_f64(operand)`.
    pub(super) fn cast(&mut self, operand: &Expression, whole: &Expression) -> Result<Value> {
        match (integer_type(&operand.ty), integer_type(&whole.ty)) {
            (Some(from), Some(to)) => self.integer_cast(operand, (from, to), whole.span),
            (Some(from), None) => self.converted_integer(operand, from, whole),
            (None, Some(to)) => self.rounded_float(operand, to, whole.span),
            (None, None) => self.converted_float(operand, whole),
        }
    }

    /// A number cut off to an integer, where the program has the bits of the text.
    fn rounded_float(
        &mut self,
        operand: &Expression,
        to: IntegerType,
        span: Span,
    ) -> Result<Value> {
        if !self.words || !self.exact || to.word() != IntegerType::I32 {
            return opaque(
                span,
                "a floating-point number as an index",
                "keep indices in integers",
            );
        }
        let expr = self.scalar(operand)?;
        Ok(Value::Scalar(self.whole_of_float(expr, to)))
    }

    fn converted_float(&mut self, operand: &Expression, whole: &Expression) -> Result<Value> {
        let (from, to) = (self.element(operand)?, self.element(whole)?);
        if from != to
            && let Some(known) = self.known_entry(operand, to)?
        {
            return Ok(Value::Scalar(known));
        }
        let expr = self.scalar(operand)?;
        let simple = match self.program.pool.get(expr) {
            Expr::Constant(_) | Expr::Access(_) => true,
            Expr::Cast(_, inner) => self.program.pool.element(*inner).is_integer(),
            _ => false,
        };
        // What is computed in `f64` first is rounded once. Where programs need not have the bits of the text,
        // entries of tables are combined as numbers of the generic type, unless that has no such numbers.
        let combines = || !self.program.exact && self.moderate(expr).is_some();
        if self.generic && !simple && !combines() {
            return opaque(
                whole.span,
                "arithmetic inside `from_f64`",
                "convert literals and table entries, and compute with the results",
            );
        }
        if from == to {
            return Ok(Value::Scalar(expr));
        }
        Ok(Value::Scalar(
            self.program.pool.add(Expr::Cast(to, expr), to),
        ))
    }

    /// How many constants and entries of tables an expression multiplies at most, if it is made of sums and
    /// products of such numbers that no such product takes out of the range of `f32`.
    fn moderate(&self, expr: ExprId) -> Option<u32> {
        let near = |number: &Number| {
            let size = number.to_f64().abs();
            (size == 0.0 || (1.0 / MODERATE..=MODERATE).contains(&size)).then_some(1)
        };
        let degree = match self.program.pool.get(expr) {
            Expr::Constant(number) => near(number),
            Expr::Access(access) => match &self.program.array(access.array).role {
                Role::Table(numbers) => numbers
                    .iter()
                    .all(|number| near(number).is_some())
                    .then_some(1),
                _ => None,
            },
            Expr::Sum(terms) => terms.iter().try_fold(1, |most: u32, term| {
                let coefficient = near(&term.coefficient)?;
                Some(most.max(coefficient + self.moderate(term.expr)?))
            }),
            Expr::Product(factors) => factors.iter().try_fold(0, |degree: u32, factor| {
                let power = u32::try_from(factor.power).ok()?;
                degree.checked_add(power.checked_mul(self.moderate(factor.expr)?)?)
            }),
            _ => None,
        };
        degree.filter(|degree| *degree <= MOST_FACTORS)
    }

    /// A literal, or an entry of a table that is subscripted here, rounded: validation of the source
    /// knows them by these forms as well.
    fn known_entry(&mut self, operand: &Expression, to: Element) -> Result<Option<ExprId>> {
        if let ExpressionKind::Float(number) = operand.kind {
            return Ok(Some(self.constant(number.single(), to)));
        }
        if !operand.is_table_entry() {
            return Ok(None);
        }
        let Value::Place(Place {
            root: Root::Table(table),
            subscripts,
            ..
        }) = self.expression(operand)?
        else {
            return Ok(None);
        };
        let array = self.table_of(table, to);
        if let Some(value) = super::tables::table_entry(&self.program, array, &subscripts) {
            return Ok(Some(self.constant(value, to)));
        }
        let access = Access { array, subscripts };
        Ok(Some(self.program.pool.add(Expr::Access(access), to)))
    }

    /// The value of an integer as a floating-point number.
    fn converted_integer(
        &mut self,
        operand: &Expression,
        from: IntegerType,
        whole: &Expression,
    ) -> Result<Value> {
        let to = self.element(whole)?;
        let value = self.expression(operand)?;
        if self.is_computed(&value) {
            let expr = self.whole(value, from, operand.span)?;
            return Ok(Value::Scalar(
                self.program.pool.add(Expr::Cast(to, expr), to),
            ));
        }
        let (affine, steps) = match value {
            Value::Converted(affine, steps) => (affine, steps),
            value => (self.affine(value, operand.span)?, Vec::new()),
        };
        let number = self.number_of((affine, steps), (from, to), operand.span)?;
        Ok(Value::Scalar(number))
    }

    /// The number that an integer is.
    pub(super) fn number_of(
        &mut self,
        (affine, steps): (Affine, Vec<IntegerType>),
        (from, to): (IntegerType, Element),
        span: Span,
    ) -> Result<ExprId> {
        if let Some(constant) = affine.as_constant() {
            let value = Number::from_i64(constant);
            return Ok(self.constant(value, to));
        }
        let access = match (affine.terms.as_slice(), affine.constant) {
            ([(Atom::Scalar(array), 1)], 0) => Access {
                array: *array,
                subscripts: Vec::new(),
            },
            ([(Atom::Map(array, subscripts), 1)], 0) => Access {
                array: *array,
                subscripts: subscripts.clone(),
            },
            _ => {
                self.cannot_overflow(&affine, from, span)?;
                // No loop counts as far, and no array is as long.
                let mut given = affine.clone();
                given
                    .terms
                    .retain(|(atom, _)| matches!(atom, Atom::Scalar(_)));
                let exact = (-LARGEST_EXACT, LARGEST_EXACT);
                self.must_lie(&given, exact, (from, span))?;
                for (atom, coefficient) in given.terms {
                    let term = Affine::atom(atom).scale(coefficient);
                    self.must_lie(&term, (-LARGEST_TERM, LARGEST_TERM), (from, span))?;
                }
                Access {
                    array: self.counting(),
                    subscripts: vec![affine],
                }
            }
        };
        let element = self.array(access.array).element;
        let mut read = self.program.pool.add(Expr::Access(access), element);
        for step in steps {
            let to = Element::Integer(step);
            read = self.program.pool.add(Expr::Cast(to, read), to);
        }
        Ok(self.program.pool.add(Expr::Cast(to, read), to))
    }

    /// The array whose elements are their subscripts.
    fn counting(&mut self) -> ArrayId {
        let known = |array: &crate::ir::Array| matches!(array.role, Role::Counting);
        if let Some(at) = self.program.arrays.iter().position(known) {
            return ArrayId(at as u32);
        }
        let element = Element::Integer(IntegerType::Isize);
        let shape = vec![Extent::Constant(0)];
        self.program
            .add_array("counting", element, shape, Role::Counting)
    }
}
