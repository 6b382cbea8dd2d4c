//! Choices of the smaller or the larger one of two numbers.
//!
//! `if x > m { x } else { m }` is a function of `x` and `m`: of two numbers the larger one, and `m` where one of
//! them is a NaN. `if x > m { m = x }` assigns that. As one function it is what sums are to additions: in
//! lanes one instruction, over loops a reduction.

use super::ast::{
    Block, CompareOperator, Elementary, Expression, ExpressionKind, ScalarType, Statement, Type,
};

/// `if value > other { value } else { other }`, or with `<`.
#[derive(Clone, Copy, Debug)]
pub struct Extremum<'a> {
    /// [`Elementary::Greater`] or [`Elementary::Lesser`], of `value` and `other`.
    pub function: Elementary,
    /// What is taken where the comparison holds.
    pub value: &'a Expression,
    /// What is taken where it does not.
    pub other: &'a Expression,
    /// Whether these are integers, of which none is a NaN.
    pub integers: bool,
}

impl<'a> Extremum<'a> {
    /// The choice, where it is one between floating-point numbers.
    pub fn of_numbers(self) -> Option<Extremum<'a>> {
        (!self.integers).then_some(self)
    }
}

/// A choice with a value, if it is one.
pub fn of_choice<'a>(
    condition: &'a Expression,
    then: &'a Block,
    otherwise: &'a Block,
) -> Option<Extremum<'a>> {
    chosen(condition, only(then)?, only(otherwise)?)
}

/// A choice that assigns a place or leaves it, if it is one; the place.
pub fn of_statement<'a>(
    condition: &'a Expression,
    then: &'a Block,
    otherwise: &'a Block,
) -> Option<(&'a Expression, Extremum<'a>)> {
    let [
        Statement::Assign {
            place,
            operator: None,
            value,
            ..
        },
    ] = then.statements.as_slice()
    else {
        return None;
    };
    let nothing = otherwise.statements.is_empty() && otherwise.value.is_none();
    let extremum = chosen(condition, value, place)?;
    (nothing && then.value.is_none()).then_some((place, extremum))
}

fn chosen<'a>(
    condition: &'a Expression,
    value: &'a Expression,
    other: &'a Expression,
) -> Option<Extremum<'a>> {
    let ExpressionKind::Compare(operator, l, r) = &condition.kind else {
        return None;
    };
    let integers = match super::behind(&l.ty) {
        Type::Scalar(ScalarType::F64 | ScalarType::F32 | ScalarType::Generic) => false,
        Type::Scalar(ScalarType::Integer(_)) => true,
        _ => return None,
    };
    let first = is_same(l, value) && is_same(r, other);
    let swapped = is_same(r, value) && is_same(l, other);
    let greater = match operator {
        CompareOperator::Greater => first,
        CompareOperator::Less => !first,
        // Of two that are equal, either one is the same integer.
        CompareOperator::GreaterEqual if integers => first,
        CompareOperator::LessEqual if integers => !first,
        _ => return None,
    };
    (first != swapped).then_some(Extremum {
        function: match greater {
            true => Elementary::Greater,
            false => Elementary::Lesser,
        },
        value,
        other,
        integers,
    })
}

/// The value of a block that is nothing else.
fn only(block: &Block) -> Option<&Expression> {
    let alone = block.statements.is_empty();
    block.value.as_deref().filter(|_| alone)
}

/// Whether two expressions are the same variable, the same element, or the same function of these.
pub fn is_same(a: &Expression, b: &Expression) -> bool {
    use ExpressionKind::{Binary, Call, Dereference, Float, Index, Integer, Negate, Reference};
    let all = |a: &[Expression], b: &[Expression]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
    };
    match (&a.kind, &b.kind) {
        (Dereference(inner) | Reference(inner), _) => is_same(inner, b),
        (_, Dereference(inner) | Reference(inner)) => is_same(a, inner),
        (ExpressionKind::Variable(a), ExpressionKind::Variable(b)) => a == b,
        (ExpressionKind::Table(a), ExpressionKind::Table(b)) => a == b,
        (Integer(a), Integer(b)) => a == b,
        (Float(a), Float(b)) => a.key() == b.key(),
        (Index(a, i), Index(b, j)) => is_same(a, b) && is_same(i, j),
        (ExpressionKind::Field(a, i), ExpressionKind::Field(b, j)) => i == j && is_same(a, b),
        (Negate(a), Negate(b)) => is_same(a, b),
        (Binary(o, a, b), Binary(p, c, d)) => o == p && is_same(a, c) && is_same(b, d),
        (Call(f, a), Call(g, b)) => f == g && all(a, b),
        (ExpressionKind::Integers(f, a), ExpressionKind::Integers(g, b)) => f == g && all(a, b),
        (ExpressionKind::Length(a, i), ExpressionKind::Length(b, j)) => i == j && is_same(a, b),
        (ExpressionKind::Cast(x), ExpressionKind::Cast(y)) => a.ty == b.ty && is_same(x, y),
        _ => false,
    }
}
