//! The values that integers in few bits may have, as the types in memory show.

use std::collections::hash_map::Entry;

use super::Values;
use crate::collections::HashMap;
use crate::ir::{ArrayId, Combining, Element, Equation, Expr, ExprId, Program, Role};
use crate::syntax::ast::{Elementary, IntegerMethod};

/// The values of expressions, and of temporaries.
pub struct Ranges<'a> {
    program: &'a Program,
    exprs: HashMap<ExprId, Values>,
    temporaries: HashMap<ArrayId, Values>,
}

impl Ranges<'_> {
    /// Those of all expressions; `None` where a temporary is read before all of its values are known.
    pub fn of(program: &Program) -> Option<HashMap<ExprId, Values>> {
        let mut ranges = Ranges {
            program,
            exprs: HashMap::default(),
            temporaries: HashMap::default(),
        };
        for equation in &program.equations {
            ranges.expressions(equation.expr)?;
            ranges.write(equation)?;
        }
        Some(ranges.exprs)
    }

    /// Finds the values of an expression and of all that it is made of.
    fn expressions(&mut self, root: ExprId) -> Option<()> {
        let (mut found, mut stack) = (Vec::new(), vec![root]);
        while let Some(expr) = stack.pop() {
            // Another equation may use it as well, and keeps its values.
            if let Entry::Vacant(new) = self.exprs.entry(expr) {
                new.insert((0, 0));
                found.push(expr);
                self.program.pool.operands_into(expr, &mut stack);
            }
        }
        // Operands come first.
        found.sort_unstable();
        for expr in found {
            let values = self.value(expr)?;
            let (Element::Word(ty) | Element::Integer(ty)) = self.program.pool.element(expr) else {
                return None;
            };
            let held = ty.holds(values.0) && ty.holds(values.1);
            self.exprs
                .insert(expr, if held { values } else { ty.range() });
        }
        Some(())
    }

    fn value(&self, expr: ExprId) -> Option<Values> {
        let pool = &self.program.pool;
        let of = |expr: &ExprId| self.exprs[expr];
        let whole = |element: Element| match element {
            Element::Word(ty) | Element::Integer(ty) => Some(ty.range()),
            _ => None,
        };
        Some(match pool.get(expr) {
            Expr::Constant(number) => (number.to_integer(), number.to_integer()),
            Expr::Access(access) => match &self.program.array(access.array).role {
                Role::Temporary => *self.temporaries.get(&access.array)?,
                _ => {
                    let array = self.program.viewed(access.array);
                    let mut limited = self.program.limited.iter();
                    let limited = limited.find(|(limited, _)| *limited == array);
                    let state = matches!(self.program.array(access.array).role, Role::State(_));
                    match limited.filter(|_| !state) {
                        Some((_, values)) => *values,
                        None => whole(pool.element(expr))?,
                    }
                }
            },
            Expr::Cast(_, inner) => of(inner),
            Expr::Select(_, then, otherwise) => union(of(then), of(otherwise)),
            Expr::Compare(..) => (0, 1),
            Expr::Sum(terms) => terms.iter().fold((0, 0), |(least, most), term| {
                let factor = term.coefficient.to_integer();
                let (low, high) = product((factor, factor), of(&term.expr));
                (least + low, most + high)
            }),
            Expr::Product(factors) => {
                let mut all = (1, 1);
                for factor in factors {
                    for _ in 0..factor.power.clamp(0, 8) {
                        all = product(all, of(&factor.expr));
                    }
                    if factor.power > 8 {
                        return whole(pool.element(expr));
                    }
                }
                all
            }
            Expr::Call(function, operands) => self.called(*function, operands)?,
        })
    }

    fn called(&self, function: Elementary, operands: &[ExprId]) -> Option<Values> {
        let all = operands.iter().map(|operand| self.exprs[operand]);
        let lows = all.clone().map(|(low, _)| low);
        let highs = all.clone().map(|(_, high)| high);
        let natural = lows.clone().all(|low| low >= 0);
        Some(match function {
            Elementary::Min | Elementary::Lesser => (lows.min()?, highs.min()?),
            Elementary::Max | Elementary::Greater => (lows.max()?, highs.max()?),
            Elementary::Abs => (0, lows.map(i128::abs).chain(highs.map(i128::abs)).max()?),
            Elementary::Bits(IntegerMethod::ShiftRight) => {
                let (low, high) = self.exprs[&operands[0]];
                let by = constant(self.program, operands[1])?;
                (low >> by, high >> by)
            }
            Elementary::Bits(IntegerMethod::And) if natural => (0, highs.min()?),
            Elementary::Bits(IntegerMethod::And) if lows.clone().any(|low| low >= 0) => {
                let mut natural = all.filter(|(low, _)| *low >= 0);
                (0, natural.next()?.1)
            }
            Elementary::Bits(
                IntegerMethod::And | IntegerMethod::Or | IntegerMethod::ExclusiveOr,
            ) => {
                // Above the bits of all operands are their signs. Below zero, what turns all bits has as many.
                let whole = lows.map(|low| low ^ (low >> 127)).chain(highs);
                let most = (1 << (i128::BITS - whole.max()?.leading_zeros())) - 1;
                (if natural { 0 } else { -most - 1 }, most)
            }
            _ => return None,
        })
    }

    /// Notes what an equation writes.
    fn write(&mut self, equation: &Equation) -> Option<()> {
        let array = equation.target.array;
        let temporary = matches!(self.program.array(array).role, Role::Temporary);
        let own = self.exprs[&equation.expr];
        let own = match equation.operator.accumulated() {
            Some(Combining::Add | Combining::Multiply) => return None,
            None if !equation.reduction.is_empty() => {
                let extents = equation.reduction.iter();
                let extents =
                    extents.map(|index| self.program.loop_index(*index).extent.as_constant());
                let count = extents.product::<Option<usize>>()? as i128;
                product(own, (count, count))
            }
            _ => own,
        };
        // What is in memory has one of its own values.
        if !temporary {
            return equation.reduction.is_empty().then_some(());
        }
        let known = self.temporaries.get(&array).copied();
        let both = known.map_or(own, |known| union(own, known));
        let is_read = |expr: &ExprId| {
            let expr = self.program.pool.get(*expr);
            matches!(expr, Expr::Access(access) if access.array == array)
        };
        if known != Some(both) && self.exprs.keys().any(is_read) {
            return None;
        }
        self.temporaries.insert(array, both);
        Some(())
    }
}

fn union(a: Values, b: Values) -> Values {
    (a.0.min(b.0), a.1.max(b.1))
}

/// All values fit into 64 bits.
fn product(a: Values, b: Values) -> Values {
    let all = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
    let ends = all.iter().copied().min().zip(all.iter().copied().max());
    let (low, high) = ends.unwrap_or((0, 0));
    let most = i128::from(i64::MAX);
    (low.clamp(-most, most), high.clamp(-most, most))
}

/// A constant.
pub fn constant(program: &Program, expr: ExprId) -> Option<i128> {
    match program.pool.get(expr) {
        Expr::Constant(number) => Some(number.to_integer()),
        _ => None,
    }
}
