//! Functions of lengths and integer parameters that a call computes.

use std::fmt;

use proc_macro2::TokenStream;

use crate::syntax::ast::Expression;
use crate::syntax::operators::CompareOperator;

/// A function of what a call has, of type `usize`.
#[derive(Clone, Debug)]
pub enum Whole {
    /// A number.
    Literal(u64),
    /// An integer parameter.
    Scalar {
        /// As it is written in a call.
        tokens: TokenStream,
        /// It is of another type than `usize`.
        converted: bool,
        /// As it is written in the body.
        expression: Box<Expression>,
    },
    /// The length of a slice, or the extent of a view along an axis.
    Length {
        /// The slice or the view as it is written in a call.
        tokens: TokenStream,
        /// The axis, and how many the view has.
        axis: Option<(usize, usize)>,
        /// The length as it is written in the body.
        expression: Box<Expression>,
    },
    /// An operation on two.
    Operation(WholeOperator, Box<[Whole; 2]>),
    /// `if a < b { c } else { d }`.
    Choice(CompareOperator, Box<[Whole; 4]>),
}

/// An operation on two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WholeOperator {
    /// `a + b`.
    Sum,
    /// `a - b`.
    Difference,
    /// `a * b`.
    Product,
    /// `a / b`.
    Quotient,
    /// `a % b`.
    Remainder,
    /// `a.min(b)`.
    Lesser,
    /// `a.max(b)`.
    Greater,
    /// `a.saturating_sub(b)`.
    Excess,
    /// `a / b`, of which nothing is left.
    Times,
}

impl Whole {
    /// An operation on two, where its value is not one of them.
    #[must_use]
    pub fn operation(operator: WholeOperator, l: Whole, r: Whole) -> Whole {
        use WholeOperator::{Difference, Excess, Greater, Lesser, Product, Quotient, Sum, Times};
        match (operator, l, r) {
            (Sum | Difference | Excess, l, Whole::Literal(0)) => l,
            (Lesser | Greater, l, r) if l.to_string() == r.to_string() => l,
            (Quotient, Whole::Operation(Product, of), Whole::Literal(by))
                if by > 0
                    && of
                        .iter()
                        .any(|of| matches!(of, Whole::Literal(n) if *n == by)) =>
            {
                let [l, r] = *of;
                match l {
                    Whole::Literal(n) if n == by => r,
                    _ => l,
                }
            }
            (Times, Whole::Operation(Product, of), by)
                if of.iter().any(|of| of.to_string() == by.to_string()) =>
            {
                let [l, r] = *of;
                if r.to_string() == by.to_string() {
                    l
                } else {
                    r
                }
            }
            (operator, l, r) => Whole::Operation(operator, Box::new([l, r])),
        }
    }

    /// A name for one that the text does not name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Whole::Operation(WholeOperator::Product, _) => "product",
            Whole::Operation(WholeOperator::Remainder, _) => "rest",
            Whole::Operation(WholeOperator::Quotient, _) => "quotient",
            Whole::Operation(WholeOperator::Times, _) => "rows",
            _ => "count",
        }
    }

    /// Whatever so many times of it are at most.
    pub fn most<'w>(&'w self, into: &mut Vec<(u64, &'w Whole)>) {
        let Whole::Operation(operator, operands) = self else {
            return;
        };
        match (operator, operands.as_ref()) {
            (WholeOperator::Quotient, [of, Whole::Literal(by)]) => into.push((*by, of)),
            (WholeOperator::Lesser, parts) => {
                for part in parts {
                    into.push((1, part));
                    part.most(into);
                }
            }
            _ => {}
        }
    }

    /// Whatever it is divided by, wherever it is computed.
    pub fn divisors<'w>(&'w self, into: &mut Vec<&'w Whole>) {
        use WholeOperator::{Quotient, Remainder, Times};
        if let Whole::Operation(operator, operands) = self {
            if matches!(operator, Quotient | Remainder | Times) {
                into.push(&operands[1]);
            }
            operands.iter().for_each(|part| part.divisors(into));
        }
    }

    /// Whether anything in it is not known before the kernel runs.
    #[must_use]
    pub fn has_input(&self) -> bool {
        self.any(&|of| matches!(of, Whole::Scalar { .. } | Whole::Length { .. }))
    }

    /// Whether anything is divided in it.
    #[must_use]
    pub fn is_divided(&self) -> bool {
        use WholeOperator::{Quotient, Remainder, Times};
        let divides = |of: &Whole| matches!(of, Whole::Operation(Quotient | Remainder | Times, _));
        self.any(&|of| divides(of) || matches!(of, Whole::Choice(..)))
    }

    /// Whether it is a product of two inputs, or a sum of such.
    #[must_use]
    pub fn is_product(&self) -> bool {
        use WholeOperator::{Difference, Product, Sum};
        match self {
            Whole::Operation(Product, operands) if operands.iter().all(Whole::has_input) => true,
            Whole::Operation(Sum | Difference | Product, operands) => {
                operands.iter().any(Whole::is_product)
            }
            _ => false,
        }
    }

    fn any(&self, is: &dyn Fn(&Whole) -> bool) -> bool {
        let parts: &[Whole] = match self {
            Whole::Operation(_, operands) => operands.as_slice(),
            Whole::Choice(_, parts) => parts.as_slice(),
            _ => &[],
        };
        is(self) || parts.iter().any(|part| part.any(is))
    }
}

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Whole::Literal(value) => write!(f, "{value}"),
            Whole::Scalar { tokens, .. } => write!(f, "{tokens}"),
            Whole::Length { tokens, axis, .. } => match axis {
                Some((axis, _)) => write!(f, "len({tokens}, {axis})"),
                None => write!(f, "len({tokens})"),
            },
            Whole::Operation(operator, operands) => {
                write!(f, "{operator:?}({}, {})", operands[0], operands[1])
            }
            Whole::Choice(operator, parts) => {
                let [a, b, c, d] = parts.as_ref();
                write!(f, "{operator:?}({a}, {b}, {c}, {d})")
            }
        }
    }
}
