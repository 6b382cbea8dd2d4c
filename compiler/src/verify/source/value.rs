//! Values of the source's interpreter.

use std::rc::Rc;

use super::{Result, integers};
use crate::number::Field;
use crate::syntax::ast::{
    BinaryOperator, CompareOperator, Elementary, IntegerType, ScalarType, Type,
};
use crate::verify::uninterpreted;

/// The part of an integer that depends on inputs: multiples of elements of parameters, or of
/// parameters' lengths (at [`LENGTH`]).
pub type Inputs = Option<Rc<Vec<((usize, usize), i64)>>>;

/// A number, and what of it depends on inputs.
pub type Number = (i128, Inputs);

/// Stands for a parameter's length where an element's position is expected; the lengths of further
/// axes count down from it.
pub const LENGTH: usize = usize::MAX;

#[derive(Clone)]
pub enum Value<'a> {
    Scalar(Field),
    Integer(i128, Inputs),
    Bool(bool),
    Array(Rc<Vec<Value<'a>>>),
    Tuple(Rc<Vec<Value<'a>>>),
    /// A part of a parameter or of a table, or a reference to it.
    Place(Place<'a>),
    /// `&mut` of a local: its frame, the variable and the subscripts.
    Pointer(Rc<Local>),
}

#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub root: Root,
    pub offset: usize,
    pub ty: &'a Type,
}

#[derive(Clone, Copy)]
pub enum Root {
    Parameter(usize),
    Table(usize),
}

#[derive(Clone)]
pub struct Local {
    pub frame: usize,
    pub variable: usize,
    pub path: Vec<usize>,
}

/// What an assignment writes.
pub enum Target<'a> {
    Memory(Place<'a>),
    Local(Local),
}

pub fn pointee(ty: &Type) -> &Type {
    match ty {
        Type::Reference(inner, _) => pointee(inner),
        other => other,
    }
}

pub fn element<'v, 'a>(elements: &'v [Value<'a>], at: i128) -> Result<&'v Value<'a>> {
    let found = usize::try_from(at).ok().and_then(|at| elements.get(at));
    found.ok_or_else(|| format!("subscript {at} is out of range, below {}", elements.len()))
}

/// Number of scalars in a type; `shape` has the extents of its dimensions.
pub fn elements(ty: &Type, shape: &[usize]) -> usize {
    match (ty, shape) {
        (Type::Array(inner, n), [_, rest @ ..]) => n * elements(inner, rest),
        (Type::Array(inner, n), []) => n * elements(inner, &[]),
        (Type::Open(inner, _), [n, rest @ ..]) => n * elements(inner, rest),
        _ => 1,
    }
}

/// The same where the type alone says it.
pub fn known_elements(ty: &Type) -> Option<usize> {
    match ty {
        Type::Array(inner, n) => Some(n * known_elements(inner)?),
        Type::Open(..) => None,
        _ => Some(1),
    }
}

/// Number of dimensions of a type.
pub fn rank(ty: &Type) -> usize {
    ty.element().map_or(0, |element| 1 + rank(element))
}

pub fn field(value: Value) -> Result<Field> {
    match value {
        Value::Scalar(value) => Ok(value),
        _ => Err("a number was expected".to_owned()),
    }
}

pub fn compare(operator: CompareOperator, l: Value, r: Value) -> Result<bool> {
    match (l, r) {
        (Value::Integer(l, _), Value::Integer(r, _)) => {
            Ok(uninterpreted::ordered(operator, l.cmp(&r)))
        }
        (l, r) => Ok(uninterpreted::compare(operator, field(l)?, field(r)?)),
    }
}

/// `a · l + b · r`.
pub fn combine(l: &Inputs, a: i64, r: &Inputs, b: i64) -> Inputs {
    if l.is_none() && r.is_none() {
        return None;
    }
    let mut result: Vec<((usize, usize), i64)> = Vec::new();
    for (terms, factor) in [(l, a), (r, b)] {
        for (input, coefficient) in terms.iter().flat_map(|t| t.iter()) {
            match result.binary_search_by_key(input, |t| t.0) {
                Ok(at) => {
                    let sum = &mut result[at].1;
                    *sum = sum.saturating_add(coefficient.saturating_mul(factor));
                }
                Err(at) => result.insert(at, (*input, coefficient.saturating_mul(factor))),
            }
        }
    }
    result.retain(|(_, c)| *c != 0);
    (!result.is_empty()).then(|| Rc::new(result))
}

/// `l operator r` of numbers of type `ty`.
pub fn arithmetic<'a>(
    operator: BinaryOperator,
    ty: &Type,
    l: Value<'a>,
    r: Value<'a>,
) -> Result<Value<'a>> {
    if let (Value::Integer(l, left), Value::Integer(r, right)) = (&l, &r) {
        let value = integers::arithmetic(operator, integer(ty)?, *l, *r)?;
        let factor = |value: i128| i64::try_from(value).map_err(|_| "too large a factor");
        let inputs = match operator {
            // Nothing depends on the factors.
            _ if left.is_none() && right.is_none() => None,
            BinaryOperator::Subtract => combine(left, 1, right, -1),
            BinaryOperator::Multiply if left.is_none() => combine(&None, 0, right, factor(*l)?),
            BinaryOperator::Multiply if right.is_none() => combine(left, factor(*r)?, &None, 0),
            _ => combine(left, 1, right, 1),
        };
        return Ok(Value::Integer(value, inputs));
    }
    let (l, r) = (field(l)?, field(r)?);
    Ok(Value::Scalar(match operator {
        BinaryOperator::Add => l + r,
        BinaryOperator::Subtract => l - r,
        BinaryOperator::Multiply => l * r,
        BinaryOperator::Divide => l * r.inverse(),
        BinaryOperator::Remainder => uninterpreted::apply(Elementary::Remainder, &[l, r]),
    }))
}

/// An integer type.
pub fn integer(ty: &Type) -> Result<IntegerType> {
    match pointee(ty) {
        Type::Scalar(ScalarType::Integer(ty)) => Ok(*ty),
        _ => Err("an integer was expected".to_owned()),
    }
}
