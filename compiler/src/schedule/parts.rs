//! The parts of a sum's terms that do not move along the lanes, and those that do not move with the rows.
//!
//! Of a product all factors of a kind are one part: `a[i, k] * d[k] * b[k, j]` has `a[i, k] * d[k]` and `b[k, j]`. What is
//! not linear in either has parts inside: `(x[i, k] - w[j, k])^2` has `x[i, k]` and `w[j, k]`.

use crate::collections::HashMap;
use crate::ir::{Expr, ExprId, Factor, IndexId, Pool, Program};

/// Most parts of a kind: what is packed of more leaves the caches little of each.
const MOST: usize = 4;

/// The loops over rows, columns and terms.
pub type Loops = [IndexId; 3];

/// Parts of an expression.
#[derive(Debug, Default)]
pub struct Parts {
    /// Those that do not move along the lanes.
    pub left: Vec<Vec<Factor>>,
    /// Those that do, and not with the rows.
    pub right: Vec<Vec<Factor>>,
}

impl Parts {
    /// The parts of an expression, if it has some of each kind with terms and nothing else moves with its loops.
    pub fn of(pool: &Pool, expr: ExprId, loops: Loops) -> Option<Parts> {
        let mut parts = Parts::default();
        let mut seen = HashMap::default();
        parts.find(pool, expr, (loops, &mut seen)).then_some(())?;
        let [rows, _, terms] = loops;
        let any = |parts: &[Vec<Factor>], index| {
            let mut factors = parts.iter().flatten();
            factors.any(|factor| pool.indices(factor.expr).contains(&index))
        };
        let numbers = parts.left.iter().chain(&parts.right).flatten();
        let mut numbers = numbers.map(|factor| pool.element(factor.expr));
        let whole = any(&parts.left, rows)
            && any(&parts.left, terms)
            && any(&parts.right, terms)
            && numbers.all(|element| !element.is_integer());
        whole.then_some(parts)
    }

    fn find(
        &mut self,
        pool: &Pool,
        expr: ExprId,
        (loops, seen): (Loops, &mut HashMap<ExprId, bool>),
    ) -> bool {
        if let Some(known) = seen.get(&expr) {
            return *known;
        }
        let found = match split(pool, expr, loops) {
            Split::Left(part) => keep(&mut self.left, part),
            Split::Right(part) => keep(&mut self.right, part),
            Split::Still => true,
            Split::Product([left, right], others) => {
                let mut others = others.iter();
                keep(&mut self.left, left)
                    && keep(&mut self.right, right)
                    && others.all(|factor| self.find(pool, factor.expr, (loops, seen)))
            }
            Split::Inside => {
                let operands = pool.operands(expr);
                let choice = matches!(pool.get(expr), Expr::Compare(..) | Expr::Select(..));
                !operands.is_empty()
                    && !choice
                    && (operands.iter()).all(|operand| self.find(pool, *operand, (loops, seen)))
            }
        };
        seen.insert(expr, found);
        found
    }
}

/// Whether each product has two factors: the parts of one that has more are multiplied first.
pub fn in_pairs(program: &Program) -> bool {
    let is_pair = |expr: &ExprId| match program.pool.get(*expr) {
        Expr::Product(factors) => factors.iter().map(|own| own.power.abs()).sum::<i32>() <= 2,
        _ => true,
    };
    program.reachable().iter().all(is_pair)
}

/// Keeps a part, if there is one; whether there are not too many.
fn keep(parts: &mut Vec<Vec<Factor>>, part: Vec<Factor>) -> bool {
    if !part.is_empty() && !parts.contains(&part) {
        parts.push(part);
    }
    parts.len() <= MOST
}

/// What an expression is to its parts.
enum Split {
    /// All of it is one.
    Left(Vec<Factor>),
    Right(Vec<Factor>),
    /// It moves with none of the loops.
    Still,
    /// Factors of each kind, and others.
    Product([Vec<Factor>; 2], Vec<Factor>),
    /// Its operands have them.
    Inside,
}

fn split(pool: &Pool, expr: ExprId, loops: Loops) -> Split {
    let [rows, columns, terms] = loops;
    let has = |expr: ExprId, index: IndexId| pool.indices(expr).contains(&index);
    let moves = |expr: ExprId| loops.iter().any(|index| has(expr, *index));
    let whole = || vec![Factor { expr, power: 1 }];
    match pool.get(expr) {
        _ if !moves(expr) => Split::Still,
        // A divisor by itself would be inverted, which leaves the range of its type where the quotient does not.
        Expr::Product(factors) if factors.iter().all(|factor| factor.power > 0) => {
            let (moving, mut others): (Vec<Factor>, Vec<Factor>) = factors
                .iter()
                .cloned()
                .partition(|factor| moves(factor.expr));
            let right = |factor: &Factor| has(factor.expr, columns) && !has(factor.expr, rows);
            let (right, rest): (Vec<Factor>, Vec<Factor>) = moving.into_iter().partition(right);
            let left = |factor: &Factor| !has(factor.expr, columns);
            let (mut left, rest): (Vec<Factor>, Vec<Factor>) = rest.into_iter().partition(left);
            if !left.is_empty() {
                left.append(&mut others);
            }
            others.extend(rest);
            Split::Product([left, right], others)
        }
        _ if !has(expr, columns) => match has(expr, terms) || has(expr, rows) {
            true => Split::Left(whole()),
            false => Split::Still,
        },
        _ if !has(expr, rows) => Split::Right(whole()),
        _ => Split::Inside,
    }
}

/// An expression with its parts replaced by what `by` says of each, where that says something.
pub fn rebuild(
    pool: &mut Pool,
    expr: ExprId,
    (loops, by): (Loops, &HashMap<Vec<Factor>, ExprId>),
) -> ExprId {
    let element = pool.element(expr);
    match split(pool, expr, loops) {
        Split::Still => expr,
        Split::Left(part) | Split::Right(part) => by.get(&part).copied().unwrap_or(expr),
        Split::Product(parts, others) => {
            let mut factors = Vec::new();
            for part in parts {
                match by.get(&part) {
                    Some(read) => factors.push(Factor {
                        expr: *read,
                        power: 1,
                    }),
                    None => factors.extend(part),
                }
            }
            for factor in others {
                let expr = rebuild(pool, factor.expr, (loops, by));
                factors.push(Factor { expr, ..factor });
            }
            pool.add(Expr::Product(factors), element)
        }
        Split::Inside => pool.map_operands(expr, &mut |pool, operand| {
            rebuild(pool, operand, (loops, by))
        }),
    }
}
