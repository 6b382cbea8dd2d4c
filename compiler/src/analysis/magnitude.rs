//! How small values can be that are not zero.

use crate::ir::{Element, Expr, ExprId, Factor, Pool};
use crate::syntax::ast::Elementary;

/// Whether a value may be so small that its reciprocal overflows.
pub fn may_be_subnormal(pool: &Pool, value: ExprId) -> bool {
    let least = match pool.element(value) {
        Element::F64 => f64::MIN_POSITIVE,
        Element::F32 => f64::from(f32::MIN_POSITIVE),
        _ => return false,
    };
    !natural_least(pool, value).is_some_and(|found| found >= least) && least_of(pool, value) < least
}

/// The magnitude below which a value is zero, if it is anything.
fn least_of(pool: &Pool, expr: ExprId) -> f64 {
    let smallest = match pool.element(expr) {
        Element::F32 => f64::from(f32::from_bits(1)),
        _ => f64::from_bits(1),
    };
    let found = match pool.get(expr) {
        Expr::Constant(number) => number.to_f64().abs(),
        Expr::Cast(_, inside) => match pool.element(*inside) {
            Element::Integer(_) | Element::Word(_) => 1.0,
            _ => least_of(pool, *inside),
        },
        Expr::Call(Elementary::Sqrt, of) => least_of(pool, of[0]).sqrt(),
        Expr::Call(Elementary::Abs, of) => least_of(pool, of[0]),
        Expr::Call(Elementary::Cosh, _) => 1.0,
        Expr::Product(factors) if factors.iter().all(|factor| factor.power > 0) => {
            let least = |factor: &Factor| least_of(pool, factor.expr).powi(factor.power);
            factors.iter().map(least).product()
        }
        _ => natural_least(pool, expr).unwrap_or(0.0),
    };
    found.max(smallest)
}

/// What a value is never below, if that is not negative.
fn natural_least(pool: &Pool, expr: ExprId) -> Option<f64> {
    match pool.get(expr) {
        Expr::Constant(number) => Some(number.to_f64()).filter(|value| *value >= 0.0),
        Expr::Sum(terms) => terms.iter().try_fold(0.0, |sum, term| {
            let factor = term.coefficient.to_f64();
            let least = natural_least(pool, term.expr).filter(|_| factor >= 0.0)?;
            Some(sum + factor * least)
        }),
        Expr::Product(factors) => factors.iter().try_fold(1.0, |product, factor| {
            let least = match (factor.power, natural_least(pool, factor.expr)) {
                (power @ 1.., Some(least)) => least.powi(power),
                (power, _) if power % 2 == 0 => 0.0,
                (..=0, Some(_)) => 0.0,
                _ => return None,
            };
            Some(product * least)
        }),
        Expr::Call(Elementary::Abs | Elementary::Sqrt | Elementary::Exp | Elementary::Hypot, _) => {
            Some(0.0)
        }
        Expr::Call(Elementary::Max, operands) => {
            let all = operands
                .iter()
                .filter_map(|operand| natural_least(pool, *operand));
            all.reduce(f64::max)
        }
        Expr::Cast(_, inside) if is_real(pool.element(*inside)) => natural_least(pool, *inside),
        _ => None,
    }
}

fn is_real(element: Element) -> bool {
    matches!(element, Element::F64 | Element::F32 | Element::Generic)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::parse;

    fn found(expr: &str) -> bool {
        let text = format!(
            "program p\nindex e: len(x)\nparam 0 x: f64[len(x)]\nparam 1 n: usize\n\
             output 2 y: f64[len(x)]\ny[e] = {expr}   for e\n"
        );
        let program = parse(&text).unwrap();
        may_be_subnormal(&program.pool, program.equations[0].expr)
    }

    #[test]
    fn roots_and_sums_with_constants_are_not_subnormal() {
        for expr in [
            "sqrt(x[e])",
            "1 + x[e]^2",
            "max(x[e], 1e-300)",
            "3 * sqrt(abs(x[e]))",
            "cosh(x[e])",
            "0.5",
        ] {
            assert!(!found(expr), "{expr}");
        }
        for expr in [
            "x[e]",
            "x[e]^2",
            "1 + x[e]",
            "abs(x[e]) + x[e]^2",
            "exp(x[e])",
            "1e-310",
            "1e-200 * sqrt(x[e])",
        ] {
            assert!(found(expr), "{expr}");
        }
    }
}
