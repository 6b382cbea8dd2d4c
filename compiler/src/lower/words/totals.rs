//! Sums of integers over loops: their types hold them in each iteration.

use super::values::{overflows, union};
use super::{Lowerer, integers_of};
use crate::analysis::cost::NOMINAL;
use crate::ir::{ArrayId, Combining, ExprId, Extent};
use crate::lower::{Contribution, Result};
use crate::syntax::ast::{IntegerType, VariableId};

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
            let (least, most) = self.values_of(contribution.value);
            if contribution.combining != Combining::Add {
                // The smallest or the largest one of all of them is one of them.
                values = union(values, (least, most));
                continue;
            }
            let (least, most) = (least.min(0), most.max(0));
            let (mut known, mut open) = (1i128, Vec::new());
            for index in &contribution.reduction {
                match self.program.loop_index(*index).extent.clone() {
                    Extent::Constant(n) => known = known.saturating_mul(n as i128),
                    Extent::RunTime(extent) => open.push(extent),
                }
            }
            // Each contribution takes its part of the room that is left.
            let (low, high) = ty.range();
            let left = known.saturating_mul((group.len() - at) as i128).max(1);
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
            let power = open.len() as u32;
            let times = known.saturating_mul(each.max(1).saturating_pow(power));
            values.0 = values.0.saturating_add(least.saturating_mul(times));
            values.1 = values.1.saturating_add(most.saturating_mul(times));
            if !(ty.holds(values.0) && ty.holds(values.1)) {
                return overflows(ty, contribution.span);
            }
        }
        self.totals.insert(array, values);
        Ok(())
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
