//! Arithmetic, comparisons and choices.

use super::Parsed;
use super::ast::{
    BinaryOperator, CompareOperator, Expression, ExpressionKind, IntegerMethod, LogicalOperator,
    ScalarType, Type,
};
use super::branch_types::value_of;
use super::expressions::typed;
use super::records::is_record;
use super::scope::Reader;
use super::spans;
use super::truths::{of_truths, of_tuples};
use super::types::{behind, show};
use crate::diagnostics::{Fault, Span};

impl Reader<'_> {
    pub(super) fn binary(
        &mut self,
        binary: &syn::ExprBinary,
        expected: Option<&Type>,
    ) -> Parsed<Expression> {
        match binary.op {
            syn::BinOp::And(_) => return self.logical(binary, LogicalOperator::And),
            syn::BinOp::Or(_) => return self.logical(binary, LogicalOperator::Or),
            _ => {}
        }
        if let Some(parts) = of_tuples(binary) {
            return self.truth(&parts);
        }
        let bits = bitwise(binary.op);
        let (arithmetic, compare) = (arithmetic(binary.op), comparison(binary.op));
        if bits.is_none() && arithmetic.is_none() && compare.is_none() {
            return Err(unknown(binary));
        }
        let shift = matches!(
            bits,
            Some(IntegerMethod::ShiftLeft | IntegerMethod::ShiftRight)
        );
        let wanted = if compare.is_none() { expected } else { None };
        // What comes after the operands is in functions of its own: their frames do not stand on the stack
        // while operands are read.
        let (left, right) = self.operands(binary, shift, wanted)?;
        if let Some(truth) = of_truths(binary, &left, &right) {
            return Ok(truth);
        }
        match bits {
            Some(operator) => self.bits_of(operator, shift, binary, (left, right)),
            None => self.combined(binary, (left, right)),
        }
    }

    /// The operands of an operator; the distance of a shift has a type of its own.
    fn operands(
        &mut self,
        binary: &syn::ExprBinary,
        shift: bool,
        wanted: Option<&Type>,
    ) -> Parsed<(Expression, Expression)> {
        let open = !shift && self.says_no_type(&binary.left);
        if open && wanted.is_none() && self.says_no_type(&binary.right) {
            let doubt = self.unknown_among(&binary.left);
            let doubt = doubt.or_else(|| self.unknown_among(&binary.right));
            doubt
                .into_iter()
                .for_each(|fault| self.inference.guess(fault));
        }
        let (first, second) = match open {
            true => (&binary.right, &binary.left),
            false => (&binary.left, &binary.right),
        };
        let first = self.expression(first, wanted)?;
        let ty = (!shift).then(|| match behind(&first.ty) {
            Type::Record(record) => Type::Scalar(record.element),
            other => other.clone(),
        });
        let second = self.expression(second, ty.as_ref())?;
        Ok(match open {
            true => (second, first),
            false => (first, second),
        })
    }

    /// An operator of numbers, on its operands.
    fn combined(
        &mut self,
        binary: &syn::ExprBinary,
        (left, right): (Expression, Expression),
    ) -> Parsed<Expression> {
        let span = spans::binary(binary);
        let (arithmetic, compare) = (arithmetic(binary.op), comparison(binary.op));
        if let (true, Some(operator)) = (is_record(&left.ty) || is_record(&right.ty), arithmetic) {
            return self.record_operator(binary, operator, (left, right), span);
        }
        let (l, r) = (
            self.scalar_type(&left, &binary.left)?,
            self.scalar_type(&right, &binary.right)?,
        );
        self.agree((&binary.left, &l), (&binary.right, &r));
        if l != r {
            return Err(Fault::on(
                binary,
                format!("`{}` and `{}` do not mix", show(&l), show(&r)),
                "convert one of them with `as` or `T::from_f64`",
            ));
        }
        match (arithmetic, compare) {
            (Some(operator), _) => Ok(typed(
                ExpressionKind::Binary(operator, Box::new(left), Box::new(right)),
                l,
                span,
            )),
            (None, Some(operator)) => {
                let equality =
                    matches!(operator, CompareOperator::Equal | CompareOperator::NotEqual);
                if !equality {
                    self.ordered(&l, binary)?;
                }
                if left.ty != right.ty {
                    return Err(Fault::on(
                        binary,
                        format!(
                            "`{}` and `{}` cannot be compared",
                            show(&left.ty),
                            show(&right.ty)
                        ),
                        "take what the reference leads to, with `*`",
                    ));
                }
                let (left, right) = (left.dereferenced(), right.dereferenced());
                Ok(typed(
                    ExpressionKind::Compare(operator, Box::new(left), Box::new(right)),
                    Type::Scalar(ScalarType::Bool),
                    span,
                ))
            }
            (None, None) => Err(unknown(binary)),
        }
    }

    /// An operator that only integers have, on its operands.
    fn bits_of(
        &mut self,
        operator: IntegerMethod,
        shift: bool,
        binary: &syn::ExprBinary,
        (left, right): (Expression, Expression),
    ) -> Parsed<Expression> {
        let integer = |ty: &Type| matches!(behind(ty), Type::Scalar(ScalarType::Integer(_)));
        if !shift {
            self.agree((&binary.left, &left.ty), (&binary.right, &right.ty));
        }
        if !integer(&left.ty) || !integer(&right.ty) {
            return Err(unknown(binary));
        }
        let (left, right) = (left.dereferenced(), right.dereferenced());
        if !shift && left.ty != right.ty {
            return Err(Fault::on(
                binary,
                format!("`{}` and `{}` do not mix", show(&left.ty), show(&right.ty)),
                "convert one of them with `as`",
            ));
        }
        let ty = left.ty.clone();
        let kind = ExpressionKind::Integers(operator, vec![left, right]);
        Ok(typed(kind, ty, spans::binary(binary)))
    }

    pub(super) fn condition(
        &mut self,
        condition: &syn::ExprIf,
        expected: Option<&Type>,
    ) -> Parsed<Expression> {
        let test = self.truth(&condition.cond)?;
        let mut condition = condition.clone();
        let Some((_, otherwise)) = &mut condition.else_branch else {
            return Err(Fault::on(
                condition,
                "an `if` without `else`",
                "give both values: `if c { a } else { b }`",
            ));
        };
        let first = value_of(&condition.then_branch).cloned();
        let mut branches = self.branches(expected, first.as_ref());
        let then = self.block(&mut condition.then_branch, branches.wanted())?;
        if let Some(first) = &first {
            self.branch(&mut branches, first, then.value.as_deref());
        }
        let ty = branches.wanted_after(otherwise).cloned();
        let other = self.otherwise(otherwise, ty.as_ref())?;
        self.branch(&mut branches, otherwise, other.value.as_deref());
        let span = Span::of(&condition);
        self.chosen(test, then, other, span)
    }

    /// `a && b` and `a || b`.
    fn logical(
        &mut self,
        binary: &syn::ExprBinary,
        operator: LogicalOperator,
    ) -> Parsed<Expression> {
        let left = self.truth(&binary.left)?;
        let count = self.before.len();
        let right = self.truth(&binary.right)?;
        if self.before.len() > count {
            return Err(Fault::beyond(
                &binary.right,
                "a loop in a condition that another one decides whether to run",
                "bind its value with `let` before",
            ));
        }
        let kind = ExpressionKind::Logical(operator, Box::new(left), Box::new(right));
        let ty = Type::Scalar(ScalarType::Bool);
        Ok(typed(kind, ty, spans::binary(binary)))
    }
}

/// The operator of a sum, a product, a quotient or a remainder.
pub(super) fn arithmetic(operator: syn::BinOp) -> Option<BinaryOperator> {
    match operator {
        syn::BinOp::Add(_) => Some(BinaryOperator::Add),
        syn::BinOp::Sub(_) => Some(BinaryOperator::Subtract),
        syn::BinOp::Mul(_) => Some(BinaryOperator::Multiply),
        syn::BinOp::Div(_) => Some(BinaryOperator::Divide),
        syn::BinOp::Rem(_) => Some(BinaryOperator::Remainder),
        _ => None,
    }
}

/// An operator that only integers have.
fn bitwise(operator: syn::BinOp) -> Option<IntegerMethod> {
    match operator {
        syn::BinOp::BitAnd(_) => Some(IntegerMethod::And),
        syn::BinOp::BitOr(_) => Some(IntegerMethod::Or),
        syn::BinOp::BitXor(_) => Some(IntegerMethod::ExclusiveOr),
        syn::BinOp::Shl(_) => Some(IntegerMethod::ShiftLeft),
        syn::BinOp::Shr(_) => Some(IntegerMethod::ShiftRight),
        _ => None,
    }
}

/// An operator that its operands do not have.
fn unknown(binary: &syn::ExprBinary) -> Fault {
    Fault::beyond(
        binary,
        "this operator has no meaning in a kernel",
        "kernels know `+ - * /` and comparisons of numbers, `% & | ^ << >>` of integers, and `&& || !` of conditions",
    )
}

fn comparison(operator: syn::BinOp) -> Option<CompareOperator> {
    match operator {
        syn::BinOp::Lt(_) => Some(CompareOperator::Less),
        syn::BinOp::Le(_) => Some(CompareOperator::LessEqual),
        syn::BinOp::Gt(_) => Some(CompareOperator::Greater),
        syn::BinOp::Ge(_) => Some(CompareOperator::GreaterEqual),
        syn::BinOp::Eq(_) => Some(CompareOperator::Equal),
        syn::BinOp::Ne(_) => Some(CompareOperator::NotEqual),
        _ => None,
    }
}
