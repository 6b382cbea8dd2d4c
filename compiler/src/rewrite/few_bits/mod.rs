//! Integers of 32 bits that are computed with, in 8 or in 16 bits, where these suffice.
//!
//! Sums and products are exact modulo a power of two, so that they need no more bits than what becomes of them. What
//! is compared, shifted down, or the smaller one of two, has to be there itself: its values, which follow from the types in
//! memory, must fit.

mod saturating;
mod values;

use self::values::{Ranges, constant};
use crate::collections::HashMap;
use crate::ir::{Affine, Element, Equation, Expr, ExprId, Pool, Program, Role, map_operands};
use crate::number::Number;
use crate::syntax::ast::{Elementary, IntegerMethod, IntegerType};

/// The least and the largest value.
type Values = (i128, i128);

/// The types to compute in, those first that have most lanes.
const TYPES: [IntegerType; 4] = [
    IntegerType::U8,
    IntegerType::I8,
    IntegerType::I16,
    IntegerType::U16,
];

/// The program in the first type that suffices, and that type.
///
/// Before: `v[i] = u8(w_i32(x[i]) + w_i32(y[i]) * -1)`. After: the same in `w_u8`, where `x`, `y` and `v` need no conversions.
/// Holds: what is stored has the same bits.
pub fn in_few_bits(program: &Program) -> Option<(Program, IntegerType)> {
    let exprs = program.reachable();
    let whole = |element: Element| match element {
        Element::Word(ty) => ty.bits() == 32,
        Element::Integer(ty) => ty.bits() <= 16,
        _ => false,
    };
    let known = |expr: &ExprId| whole(program.pool.element(*expr)) && plain(program, *expr);
    let writes = |equation: &Equation| {
        let target = &equation.target;
        let element = program.array(target.array).element;
        let kept = matches!(program.array(target.array).role, Role::Temporary);
        let mapped = target.subscripts.iter().any(Affine::is_mapped);
        (element.is_integer() || kept) && whole(element) && !mapped
    };
    if !(exprs.iter().all(known) && program.equations.iter().all(writes)) {
        return None;
    }
    let values = Ranges::of(program)?;
    TYPES.into_iter().find_map(|ty| {
        let inside = match ty.range() {
            (0, most) => saturating::inside(program, (&exprs, &values), most),
            _ => None,
        };
        in_type(program, (&exprs, &values), ty).or_else(|| {
            let inside = inside?;
            in_type(&inside, (&inside.reachable(), &Ranges::of(&inside)?), ty)
        })
    })
}

/// The program in a type, if that suffices.
fn in_type(
    program: &Program,
    (exprs, values): (&[ExprId], &HashMap<ExprId, Values>),
    ty: IntegerType,
) -> Option<(Program, IntegerType)> {
    suffices(program, (exprs, values), ty).then(|| (rewritten(program, exprs, ty), ty))
}

/// Whether an expression is one of those that lanes of few bits have instructions for.
fn plain(program: &Program, expr: ExprId) -> bool {
    match program.pool.get(expr) {
        Expr::Access(access) => {
            let array = program.array(access.array);
            let known = matches!(array.role, Role::Counting | Role::Table(_));
            let mapped = access.subscripts.iter().any(Affine::is_mapped);
            !(known || mapped)
        }
        Expr::Product(factors) => factors.iter().all(|factor| factor.power > 0),
        Expr::Call(function, operands) => match function {
            Elementary::Min
            | Elementary::Max
            | Elementary::Lesser
            | Elementary::Greater
            | Elementary::Abs
            | Elementary::Bits(
                IntegerMethod::And | IntegerMethod::Or | IntegerMethod::ExclusiveOr,
            ) => true,
            Elementary::Bits(IntegerMethod::ShiftRight) => constant(program, operands[1]).is_some(),
            _ => false,
        },
        _ => true,
    }
}

/// Whether a type has all values that must be there themselves, and lanes of it all operations.
fn suffices(
    program: &Program,
    (exprs, values): (&[ExprId], &HashMap<ExprId, Values>),
    ty: IntegerType,
) -> bool {
    let fits = |expr: &ExprId| {
        let (least, most) = values[expr];
        ty.holds(least) && ty.holds(most)
    };
    // What has to be there itself; of all else the lowest bits are enough.
    let mut exact = vec![false; program.pool.len()];
    for equation in &program.equations {
        let kept = !program.array(equation.target.array).element.is_integer();
        exact[equation.expr.0 as usize] |= kept || equation.operator.accumulated().is_some();
        let summed = !equation.reduction.is_empty() && equation.adds_up();
        if summed && !matches!(program.array(equation.target.array).role, Role::Temporary) {
            return false;
        }
    }
    // Those that use a value come before it.
    for expr in exprs.iter().rev() {
        let own = exact[expr.0 as usize];
        let word = program.pool.element(*expr).as_word().is_some();
        if own && word && !fits(expr) {
            return false;
        }
        let mut operands = program.pool.operands(*expr);
        let needed = match program.pool.get(*expr) {
            Expr::Sum(terms) => {
                let plain = terms
                    .iter()
                    .all(|term| term.coefficient.to_integer().abs() == 1);
                if ty.bits() == 8 && !plain {
                    return false;
                }
                false
            }
            Expr::Product(_) if ty.bits() == 8 => return false,
            Expr::Call(Elementary::Bits(IntegerMethod::ShiftRight), _) if ty.bits() == 8 => {
                return false;
            }
            Expr::Call(Elementary::Bits(IntegerMethod::ShiftRight), _) => {
                operands.truncate(1);
                true
            }
            Expr::Product(_) => false,
            Expr::Select(_, then, otherwise) => {
                operands = vec![*then, *otherwise];
                own
            }
            // Cut off, if that many bits are there.
            Expr::Cast(Element::Integer(to), inside) => {
                let computed = program.pool.element(*inside).as_word().is_some();
                if computed && to.bits() > ty.bits() {
                    return false;
                }
                !computed
            }
            Expr::Cast(_, inside) => own && program.pool.element(*inside).as_word().is_some(),
            Expr::Access(access) => {
                let element = program.array(access.array).element;
                if element.is_integer() && element.bits() > ty.bits() as usize {
                    return false;
                }
                false
            }
            _ => true,
        };
        for operand in operands {
            exact[operand.0 as usize] |= needed;
        }
    }
    let stored = program
        .equations
        .iter()
        .map(|equation| program.array(equation.target.array).element);
    let mut stored = stored.filter(|element| element.is_integer());
    stored.all(|element| element.bits() <= ty.bits() as usize)
        && temporaries_fit(program, values, ty)
}

/// Whether the sums that temporaries hold fit as well: they are read as they are.
fn temporaries_fit(program: &Program, values: &HashMap<ExprId, Values>, ty: IntegerType) -> bool {
    values
        .iter()
        .all(|(expr, (least, most))| match program.pool.get(*expr) {
            Expr::Access(access) if matches!(program.array(access.array).role, Role::Temporary) => {
                ty.holds(*least) && ty.holds(*most)
            }
            _ => true,
        })
}

/// The program with words of a type, which arrays of that type hold without conversions.
fn rewritten(program: &Program, exprs: &[ExprId], ty: IntegerType) -> Program {
    // Nothing of another type is left.
    let mut result = Program {
        pool: Pool::default(),
        ..program.clone()
    };
    let word = Element::Word(ty);
    for array in result.arrays.iter_mut() {
        let same = array.element == Element::Integer(ty) && !array.shape.is_empty();
        if same || array.element.as_word().is_some_and(|own| own.bits() == 32) {
            array.element = word;
        }
    }
    let mut known: HashMap<ExprId, ExprId> = HashMap::default();
    for expr in exprs {
        let mut node = program.pool.get(*expr).clone();
        let mut element = program.pool.element(*expr);
        if element.as_word().is_some() {
            element = word;
        }
        let new = match &mut node {
            Expr::Access(access) => {
                let own = result.array(access.array).element;
                result.pool.add(node, own)
            }
            Expr::Constant(number) => {
                let number = match element {
                    Element::Word(_) => Number::from_integer(ty.truncated(number.to_integer())),
                    _ => *number,
                };
                result.pool.constant(number, element)
            }
            Expr::Cast(to, inside) => {
                let inside = known[inside];
                let to = match *to {
                    Element::Word(_) => word,
                    Element::Integer(own) if own == ty => word,
                    other => other,
                };
                match result.pool.element(inside) == to {
                    true => inside,
                    false => result.pool.add(Expr::Cast(to, inside), to),
                }
            }
            Expr::Call(Elementary::Bits(IntegerMethod::ShiftRight), operands) => {
                let by = constant(program, operands[1]).unwrap_or(0);
                shifted(&mut result.pool, known[&operands[0]], by, ty)
            }
            _ => {
                map_operands(&mut node, &mut |operand| known[&operand]);
                result.pool.add(node, element)
            }
        };
        known.insert(*expr, new);
    }
    for equation in &mut result.equations {
        equation.expr = known[&equation.expr];
    }
    result
}

/// An integer shifted down by a number of places, of which a type may have fewer.
///
/// The integer has its own value in that type. Once all of its bits are out, the signs are left: all ones below zero, which
/// one place fewer than there are bits leaves too, and no bit otherwise.
fn shifted(pool: &mut Pool, of: ExprId, by: i128, ty: IntegerType) -> ExprId {
    let element = Element::Word(ty);
    let last = i128::from(ty.bits()) - 1;
    if by > last && !ty.is_signed() {
        return pool.constant(Number::ZERO, element);
    }
    let by = pool.constant(Number::from_integer(by.min(last)), element);
    let shift = Elementary::Bits(IntegerMethod::ShiftRight);
    pool.add(Expr::Call(shift, vec![of, by]), element)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;

    /// The type that suffices for a value of two arrays of a type, and the program's last line.
    fn few(ty: &str, value: &str) -> Option<(IntegerType, String)> {
        let program = format!(
            "program p\n\nindex e: len(v)\n\nparam 0 x: {ty}[len(v)]\nparam 1 y: {ty}[len(v)]\noutput 2 v: u8[len(v)]\n\n\
             v[e] = u8({value})   for e\n"
        );
        let (program, ty) = in_few_bits(&text::parse(&program).unwrap())?;
        let text = text::print(&program);
        Some((ty, text.trim_end().lines().last()?.to_owned()))
    }

    #[test]
    fn what_is_compared_must_fit_and_what_is_cut_off_need_not() {
        let less = few("u8", "min(w_i32(x[e]), w_i32(y[e]))");
        let less = less.map(|(ty, text)| (ty, text.contains("u8(")));
        assert_eq!(less, Some((IntegerType::U8, false)));
        let ty = |value: &str| few("u8", value).map(|(ty, _)| ty);
        let sum = "w_i32(x[e]) + w_i32(y[e])";
        assert_eq!(ty(sum), Some(IntegerType::U8));
        assert_eq!(ty(&format!("min({sum}, 9)")), Some(IntegerType::I16));
        assert_eq!(ty(&format!("min({sum}, 255)")), Some(IntegerType::U8));
        let difference = "w_i32(x[e]) - w_i32(y[e])";
        assert_eq!(ty(&format!("max({difference}, 0)")), Some(IntegerType::U8));
        assert_eq!(ty(&format!("abs({difference})")), Some(IntegerType::U8));
        assert_eq!(ty(&format!("max({difference}, 1)")), Some(IntegerType::I16));
        assert_eq!(
            ty(&format!("shift_right({sum}, 1)")),
            Some(IntegerType::I16)
        );
        assert_eq!(ty("w_i32(x[e]) * w_i32(y[e])"), Some(IntegerType::I16));
        let product = "min(w_i32(x[e]) * w_i32(y[e]), 9)";
        assert_eq!(ty(product), Some(IntegerType::U16));
        assert_eq!(ty(&format!("min({product} - 1000 * w_i32(x[e]), 8)")), None);
    }

    #[test]
    fn lanes_are_shifted_by_no_more_places_than_they_have() {
        for (ty, value, lanes) in [
            ("u8", "w_i32(x[e]) - w_i32(y[e])", IntegerType::I16),
            ("i8", "w_i32(x[e]) + w_i32(y[e])", IntegerType::I16),
            ("i16", "w_i32(x[e])", IntegerType::I16),
            ("u8", "w_i32(x[e]) * w_i32(y[e])", IntegerType::U16),
            ("u16", "w_i32(x[e])", IntegerType::U16),
        ] {
            for by in 0..32 {
                let shifted = few(ty, &format!("shift_right({value}, {by})"));
                let (found, text) = shifted.unwrap_or_else(|| panic!("{ty} >> {by}"));
                let kept = match lanes.is_signed() {
                    true => Some(by.min(15)),
                    false => Some(by).filter(|by| *by < 16),
                };
                let count = |text: &str| {
                    let (_, rest) = text.split_once("shift_right(")?;
                    let (_, count) = rest.split_once(", ")?;
                    count.split_once(')')?.0.parse::<i32>().ok()
                };
                assert_eq!((found, count(&text)), (lanes, kept), "{ty} >> {by}: {text}");
            }
        }
    }

    #[test]
    fn what_several_equations_read_has_its_values_in_each() {
        let program = |first: &str| {
            format!(
                "program p\n\nindex e: len(v)\n\nparam 0 x: i16[len(v)]\noutput 1 u: i16[len(v)]\n\
                 output 2 v: i16[len(v)]\n\n\
                 u[e] = i16({first})   for e\nv[e] = i16(shift_right(abs(w_i32(x[e])), 2))   for e\n"
            )
        };
        // The absolute value of the least integer of 16 bits has one more.
        for first in ["w_i32(x[e])", "abs(w_i32(x[e]))", "7"] {
            let program = text::parse(&program(first)).unwrap();
            assert!(in_few_bits(&program).is_none(), "{first}");
        }
    }

    #[test]
    fn memory_has_no_more_bits() {
        assert_eq!(few("u32", "min(w_i32(x[e]), w_i32(y[e]))"), None);
        let ty = few("u16", "w_i32(x[e]) + w_i32(y[e])").map(|(ty, _)| ty);
        assert_eq!(ty, Some(IntegerType::I16));
    }
}
