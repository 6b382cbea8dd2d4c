//! Powers by repeated squaring.
//!
//! Before: `x^9`, eight multiplications. After: `x * s^2`, where `s = r^2` and `r = x^2`: four. A divisor
//! `1 / x^9` becomes that of one division. (Knuth, The Art of Computer Programming 2, section 4.6.3,
//! the binary method.)

use crate::collections::HashMap;
use crate::ir::{Expr, ExprId, Factor, Pool, Program};

/// The least power that takes fewer multiplications so.
const LEAST: u32 = 4;

/// Replaces the powers of all equations.
pub fn by_squaring(program: &mut Program) {
    let mut known = HashMap::default();
    for at in 0..program.equations.len() {
        let expr = program.equations[at].expr;
        program.equations[at].expr = squared(&mut program.pool, expr, &mut known);
    }
}

fn squared(pool: &mut Pool, expr: ExprId, known: &mut HashMap<ExprId, ExprId>) -> ExprId {
    if let Some(done) = known.get(&expr) {
        return *done;
    }
    let mut result = pool.map_operands(expr, &mut |pool, operand| squared(pool, operand, known));
    if let Expr::Product(factors) = pool.get(result).clone()
        && factors.iter().any(|f| f.power.unsigned_abs() >= LEAST)
    {
        let each = factors.into_iter().flat_map(|factor| match factor.power {
            power if power.unsigned_abs() < LEAST => vec![factor],
            power if power > 0 => binary(pool, factor.expr, power.unsigned_abs()),
            power => {
                let factors = binary(pool, factor.expr, power.unsigned_abs());
                let expr = product(pool, factors);
                vec![Factor { expr, power: -1 }]
            }
        });
        let factors = each.collect();
        result = product(pool, factors);
    }
    known.insert(expr, result);
    result
}

/// Factors that are squares of squares, one for each bit of the power.
fn binary(pool: &mut Pool, expr: ExprId, mut power: u32) -> Vec<Factor> {
    let mut result = Vec::new();
    let mut square = expr;
    loop {
        if power % 2 == 1 {
            let factor = Factor {
                expr: square,
                power: 1,
            };
            result.push(factor);
        }
        power /= 2;
        match power {
            0 => return result,
            // The last square is the product itself, if there is no other factor.
            1 if result.is_empty() => {
                return vec![Factor {
                    expr: square,
                    power: 2,
                }];
            }
            _ => {
                square = product(
                    pool,
                    vec![Factor {
                        expr: square,
                        power: 2,
                    }],
                );
            }
        }
    }
}

fn product(pool: &mut Pool, factors: Vec<Factor>) -> ExprId {
    let element = pool.element(factors[0].expr);
    match factors.as_slice() {
        [only] if only.power == 1 => only.expr,
        _ => pool.add(Expr::Product(factors), element),
    }
}
