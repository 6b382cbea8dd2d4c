//! The values that integers may have, as their types and the numbers of iterations show.

use std::collections::BTreeMap;

use super::{Lowerer, Values};
use crate::diagnostics::Span;
use crate::ir::{ArrayId, Element, Expr, ExprId, Role, Term};
use crate::lower::findings::Finding;
use crate::lower::value::Value;
use crate::lower::{Problem, Result, opaque};
use crate::syntax::ast::{BinaryOperator, Elementary, IntegerType, ScalarType, Type};

/// Terms of a difference that are compared.
const TERMS: usize = 64;

/// `left operator right` of all values.
pub(super) fn combined(operator: BinaryOperator, l: Values, r: Values) -> Values {
    let ends = |of: &dyn Fn(i128, i128) -> i128| {
        let all = [of(l.0, r.0), of(l.0, r.1), of(l.1, r.0), of(l.1, r.1)];
        let least = all.iter().copied().min().unwrap_or(i128::MIN);
        (least, all.iter().copied().max().unwrap_or(i128::MAX))
    };
    match operator {
        BinaryOperator::Add => (l.0.saturating_add(r.0), l.1.saturating_add(r.1)),
        BinaryOperator::Subtract => (l.0.saturating_sub(r.1), l.1.saturating_sub(r.0)),
        BinaryOperator::Multiply => ends(&|a, b| a.saturating_mul(b)),
        BinaryOperator::Divide => ends(&|a, b| a.checked_div(b).unwrap_or(0)),
        BinaryOperator::Remainder => (0, r.1 - 1),
    }
}

pub(super) fn union(a: Values, b: Values) -> Values {
    (a.0.min(b.0), a.1.max(b.1))
}

/// The values that are among both.
pub(super) fn common(a: Values, b: Values) -> Values {
    (a.0.max(b.0), a.1.min(b.1))
}

/// All values of as many bits as the largest of some that are not negative has.
pub(super) fn of_bits(values: Values) -> Values {
    let bits = 128 - values.1.max(0).leading_zeros();
    (0, (1 << bits) - 1)
}

impl Lowerer<'_> {
    /// The values that an integer may have.
    pub(in crate::lower) fn values_of(&self, expr: ExprId) -> Values {
        let pool = &self.program.pool;
        let (Element::Word(ty) | Element::Integer(ty)) = pool.element(expr) else {
            return (i128::MIN, i128::MAX);
        };
        if let Some(known) = self.ranges.get(&expr) {
            return *known;
        }
        let found = match pool.get(expr) {
            Expr::Constant(number) => (number.to_integer(), number.to_integer()),
            Expr::Access(access) => match &self.array(access.array).role {
                Role::Temporary => self.totals.get(&access.array).copied(),
                Role::Table(values) => {
                    let entries = values.iter().map(|value| value.to_integer());
                    entries.clone().min().zip(entries.max())
                }
                Role::Counting => self.interval(&access.subscripts[0]),
                Role::Parameter(_) => self.met(access.array, ty),
                _ => None,
            }
            .unwrap_or(ty.range()),
            Expr::Cast(_, of) => self.values_of(*of),
            Expr::Select(_, then, otherwise) => {
                union(self.values_of(*then), self.values_of(*otherwise))
            }
            Expr::Sum(terms) => self.sum_of(terms),
            _ => ty.range(),
        };
        match ty.holds(found.0) && ty.holds(found.1) {
            true => found,
            false => ty.range(),
        }
    }

    /// The values that elements of a parameter are taken to have, where these are not all of its type.
    fn met(&self, array: ArrayId, ty: IntegerType) -> Option<Values> {
        let bits = self.findings.limit?;
        let (least, most) = ty.range();
        let met = (least.max(-1 << bits), most.min((1 << bits) - 1));
        if self.array(array).strided || met == (least, most) {
            return None;
        }
        let array = self.program.viewed(array);
        self.limited.borrow_mut().insert(array, met);
        Some(met)
    }

    pub(super) fn sum_of(&self, terms: &[Term]) -> Values {
        terms.iter().fold((0, 0), |sum, term| {
            let factor = term.coefficient.to_integer();
            let values = self.values_of(term.expr);
            let scaled = combined(BinaryOperator::Multiply, (factor, factor), values);
            combined(BinaryOperator::Add, sum, scaled)
        })
    }

    /// The values of a difference, of which terms that both sides have say nothing: `a + b - a` is not negative.
    pub(super) fn difference(&self, l: ExprId, r: ExprId) -> Values {
        let mut terms: BTreeMap<ExprId, i128> = BTreeMap::new();
        let mut left = vec![(l, 1), (r, -1)];
        while let Some((expr, factor)) = left.pop() {
            match self.program.pool.get(expr) {
                // What does not wrap around is the sum of its terms.
                Expr::Sum(inner) if terms.len() + left.len() <= TERMS && self.is_whole(expr) => {
                    let inner = inner.iter();
                    left.extend(inner.map(|t| (t.expr, t.coefficient.to_integer() * factor)));
                }
                _ => *terms.entry(expr).or_default() += factor,
            }
        }
        let values = terms.into_iter().fold((0, 0), |sum, (expr, factor)| {
            let scaled = combined(
                BinaryOperator::Multiply,
                (factor, factor),
                self.values_of(expr),
            );
            combined(BinaryOperator::Add, sum, scaled)
        });
        match self.is_at_least(l, r) {
            true => (values.0.max(0), values.1),
            false => values,
        }
    }

    /// Whether a maximum and a minimum have an operand in common, or one of them is an operand of the other.
    fn is_at_least(&self, l: ExprId, r: ExprId) -> bool {
        let below = self.operands(l, Elementary::Max);
        let above = self.operands(r, Elementary::Min);
        below.iter().any(|expr| above.contains(expr))
    }

    /// An expression, and the operands of a maximum or minimum that it is, of any depth.
    fn operands(&self, expr: ExprId, function: Elementary) -> Vec<ExprId> {
        let mut all = vec![expr];
        let mut at = 0;
        while let Some(own) = all.get(at).copied().filter(|_| all.len() <= TERMS) {
            at += 1;
            match self.program.pool.get(own) {
                Expr::Call(found, operands) if *found == function => all.extend(operands),
                _ => {}
            }
        }
        all
    }

    /// Whether all values of a sum are of its type.
    fn is_whole(&self, sum: ExprId) -> bool {
        let pool = &self.program.pool;
        let Some((Expr::Sum(terms), ty)) = Some(pool.get(sum)).zip(pool.element(sum).as_word())
        else {
            return false;
        };
        let values = self.sum_of(terms);
        ty.holds(values.0) && ty.holds(values.1)
    }

    /// A value with what is known of it, which its type must hold.
    pub(super) fn proved(
        &mut self,
        expr: ExprId,
        values: Values,
        ty: IntegerType,
        span: Span,
    ) -> Result<Value> {
        if !(ty.holds(values.0) && ty.holds(values.1)) {
            return overflows(ty, span);
        }
        Ok(Value::Scalar(self.known(expr, values)))
    }

    /// Notes the values that an expression has, wherever it stands.
    pub(super) fn known(&mut self, expr: ExprId, values: Values) -> ExprId {
        let known = self.values_of(expr);
        self.ranges.insert(expr, common(known, values));
        expr
    }

    /// A value that wraps around.
    pub(super) fn wrapping(&mut self, expr: ExprId, values: Values, ty: IntegerType) -> Value {
        if ty.holds(values.0) && ty.holds(values.1) {
            return Value::Scalar(self.known(expr, values));
        }
        // Noted, so that what is computed from it need not find its values again.
        let own = self.values_of(expr);
        let expr = self.known(expr, own);
        Value::Scalar(match ty.bits() {
            32.. => expr,
            _ => {
                let narrow = Element::Integer(ty);
                let cut = self.program.pool.add(Expr::Cast(narrow, expr), narrow);
                self.loaded(cut)
            }
        })
    }
}

pub(super) fn overflows<T>(ty: IntegerType, span: Span) -> Result<T> {
    let name = crate::syntax::show(&Type::Scalar(ScalarType::Integer(ty)));
    let stopped = opaque(
        span,
        format!("integer arithmetic that may overflow `{name}`"),
        "convert to a wider type first, as in `x as i64`, or use `wrapping_add` and its siblings",
    );
    stopped.map_err(|problem| unless_limited(problem, ty))
}

/// A reason that vanishes where the integers that are read are small enough.
pub(super) fn unless_limited(problem: Problem, ty: IntegerType) -> Problem {
    Problem {
        finding: Some(Box::new(Finding::Limit { bits: ty.bits() })),
        ..problem
    }
}
