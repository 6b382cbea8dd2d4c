//! Sums of integers over loops: their types hold them in each iteration.

use std::cell::Cell;

use super::values::{combined, common, overflows, union};
use super::{Lowerer, Values, integers_of};
use crate::analysis::cost::NOMINAL;
use crate::ir::{Affine, ArrayId, Combining, Element, Expr, ExprId, Extent, IndexId, Role};
use crate::lower::tables::table_entry;
use crate::lower::{Contribution, Result};
use crate::syntax::ast::{BinaryOperator, IntegerType, VariableId};

/// Expressions that are looked at, in all iterations of loops of known length: a limit on work.
const LOOKED_AT: usize = 1 << 14;

impl Lowerer<'_> {
    /// A sum over loops that stay, which starts from a value: its type must hold it in each iteration. Loops
    /// of run-time length are assumed to be short enough.
    pub(in crate::lower) fn total(
        &mut self,
        (array, variable): (ArrayId, VariableId),
        start: ExprId,
        group: &[Contribution],
    ) -> Result<()> {
        let ty = integers_of(&self.frame.function.variables[variable.0].ty);
        let (Some(ty), true) = (ty, self.words) else {
            return Ok(());
        };
        let mut values = self.values_of(start);
        for (at, contribution) in group.iter().enumerate() {
            if contribution.combining != Combining::Add {
                // The smallest or the largest one of all of them is one of them.
                values = union(values, self.values_of(contribution.value));
                continue;
            }
            let (mut known, mut open) = (Vec::new(), Vec::new());
            for index in &contribution.reduction {
                match self.program.loop_index(*index).extent.clone() {
                    Extent::Constant(n) => known.push((*index, n as i128)),
                    Extent::RunTime(extent) => open.push(extent),
                }
            }
            let (least, most) = self.sum_over(&known, contribution.value);
            // Each contribution takes its part of the room that is left.
            let (low, high) = ty.range();
            let left = (group.len() - at) as i128;
            let terms = |room: i128, size: i128| match size {
                0 => i128::MAX,
                _ => room / size.saturating_mul(left),
            };
            let above = terms(high - values.1, most);
            let below = terms(values.0 - low, least.abs());
            let each = root(above.min(below), open.len());
            if !open.is_empty() && each < NOMINAL as i128 {
                return overflows(ty, contribution.span);
            }
            for extent in &open {
                let lengths = (i128::MIN / 4, each);
                self.must_lie(extent, lengths, (IntegerType::Isize, contribution.span))?;
            }
            let times = each.max(1).saturating_pow(open.len() as u32);
            values.0 = values.0.saturating_add(least.saturating_mul(times));
            values.1 = values.1.saturating_add(most.saturating_mul(times));
            if !(ty.holds(values.0) && ty.holds(values.1)) {
                return overflows(ty, contribution.span);
            }
        }
        self.totals.insert(array, values);
        Ok(())
    }

    /// The least and the largest of the sums of what loops of known length add up, none of them or some: in each iteration
    /// the entries of tables are known, `WEIGHTS[k] * x[i + k]` is no larger than their sum times the largest `x`.
    fn sum_over(&self, loops: &[(IndexId, i128)], value: ExprId) -> Values {
        let times = loops
            .iter()
            .fold(1, |all: i128, (_, n)| all.saturating_mul(*n));
        let accesses = self.program.pool.accesses([value]);
        let mut roles = accesses
            .iter()
            .map(|(_, access)| &self.array(access.array).role);
        let varies = roles.any(|role| matches!(role, Role::Table(_)));
        if !varies || times > LOOKED_AT as i128 {
            let (least, most) = self.values_of(value);
            return (
                least.min(0).saturating_mul(times),
                most.max(0).saturating_mul(times),
            );
        }
        let left = Cell::new(LOOKED_AT);
        (0..times).fold((0, 0), |sum, iteration| {
            let mut rest = iteration;
            let numbers = loops.iter().map(|(index, n)| {
                let number = rest % n;
                rest /= n;
                (*index, Affine::constant(number as i64))
            });
            let numbers: Vec<(IndexId, Affine)> = numbers.collect();
            let (least, most) = self.values_at(value, &numbers, &left);
            combined(BinaryOperator::Add, sum, (least.min(0), most.max(0)))
        })
    }

    /// The values that an integer may have where some loops are in one iteration.
    fn values_at(&self, expr: ExprId, numbers: &[(IndexId, Affine)], left: &Cell<usize>) -> Values {
        let own = self.values_of(expr);
        let pool = &self.program.pool;
        let (Element::Word(ty) | Element::Integer(ty)) = pool.element(expr) else {
            return own;
        };
        let Some(rest) = left.get().checked_sub(1) else {
            return own;
        };
        left.set(rest);
        let number = |index: IndexId| {
            let known = numbers.iter().find(|(of, _)| *of == index);
            known.map_or_else(|| Affine::index(index), |(_, number)| number.clone())
        };
        let of = |expr: ExprId| self.values_at(expr, numbers, left);
        let found = match pool.get(expr) {
            Expr::Access(access) => {
                let subscripts = access.subscripts.iter().map(|s| s.substitute(&number));
                let subscripts: Vec<Affine> = subscripts.collect();
                let entry = table_entry(&self.program, access.array, &subscripts);
                entry.map_or(own, |entry| (entry.to_integer(), entry.to_integer()))
            }
            Expr::Product(factors) if factors.iter().all(|factor| factor.power == 1) => {
                let factors = factors.iter().map(|factor| of(factor.expr));
                factors.fold((1, 1), |all, own| {
                    combined(BinaryOperator::Multiply, all, own)
                })
            }
            Expr::Cast(_, from) => of(*from),
            _ => own,
        };
        // What its type does not hold wraps around, or is cut off.
        match ty.holds(found.0) && ty.holds(found.1) {
            true => common(found, own),
            false => own,
        }
    }

    /// Notes the values of a vector without others than those that are written, all of them before one is read.
    pub(in crate::lower) fn written_anew(&mut self, array: ArrayId, value: ExprId) {
        if self.is_anew(array) {
            let values = self.values_of(value);
            let all = self.totals.entry(array).or_insert(values);
            *all = union(*all, values);
        }
    }
}

/// The largest integer whose power is no larger.
fn root(of: i128, power: usize) -> i128 {
    match power {
        0 => 1,
        1 => of.min(1 << 60),
        _ => {
            let mut root = (of as f64).powf(1.0 / power as f64) as i128;
            while root > 0 && root.saturating_pow(power as u32) > of {
                root -= 1;
            }
            root
        }
    }
}
