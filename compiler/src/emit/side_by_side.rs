//! Printing sums of several rows side by side.
//!
//! Iterations of a loop that are together read many elements in common, each of which would stay in a register from the
//! first row's sum to the last one's. So what the sums are made of is added in the order of what it reads, to one sum
//! after the other: an element is in a register only until all rows have it, and sums do not wait for themselves.

use super::printer::{Printer, Scope, Value};
use crate::ir::{Expr, Term};
use crate::schedule::tree::{Instance, Offsets, offset};

/// A sum that is not complete.
struct Row {
    instance: Instance,
    sum: Option<Value>,
    /// What it is not made of yet.
    terms: Vec<Term>,
}

impl Printer<'_> {
    /// How many instances at the start of some are one sum in several rows.
    pub fn rows_of_a_sum(&self, instances: &[Instance]) -> usize {
        let Some(first) = instances.first() else {
            return 0;
        };
        let equation = &self.program.equations[first.equation];
        let sum = matches!(self.program.pool.get(equation.expr), Expr::Sum(_));
        let assigned = equation.reduction.is_empty() && equation.operator.accumulated().is_none();
        if !sum || !assigned || self.program.exact || !self.unit.fused {
            return 1;
        }
        // What is handed on from one to the next is computed one after the other.
        let mut read = self.program.pool.accesses([equation.expr]).into_iter();
        if read.any(|(_, access)| access.array == equation.target.array) {
            return 1;
        }
        let mut lanes = self.schedule.lane_loops();
        let same = |other: &&Instance| {
            other.equation == first.equation
                && lanes.all(|lane| offset(&other.offsets, lane) == offset(&first.offsets, lane))
        };
        instances.iter().take_while(same).count()
    }

    /// The sums of several rows.
    pub fn side_by_side(&mut self, scope: &mut Scope, instances: &[Instance]) {
        let Some(first) = instances.first() else {
            return;
        };
        self.enter(first.equation);
        let equation = &self.program.equations[first.equation];
        let (expr, target) = (equation.expr, equation.target.clone());
        let Expr::Sum(terms) = self.program.pool.get(expr).clone() else {
            return;
        };
        let contracts = !self.arguments.sums.contains(&expr);
        let around = std::mem::replace(&mut self.contracts, contracts);
        let mut rows: Vec<Row> = (instances.iter().cloned())
            .map(|instance| {
                let sum = self.computed(scope, expr, &instance.offsets);
                let terms = if sum.is_some() { &[][..] } else { &terms };
                Row {
                    instance,
                    sum,
                    terms: terms.to_vec(),
                }
            })
            .collect();
        // What cannot be fused starts a sum.
        if let Some(start) = terms
            .iter()
            .position(|term| !self.is_fusible(term) && !term.coefficient.is_minus_one())
        {
            for row in rows.iter_mut().filter(|row| row.sum.is_none()) {
                let term = row.terms.remove(start);
                row.sum = Some(self.begun(scope, &term, &row.instance.offsets));
            }
        }
        let mut order: Vec<(Vec<i64>, usize, Term)> = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            for term in &row.terms {
                order.push((self.place_of(term, &row.instance.offsets), at, *term));
            }
        }
        // Of terms at one place those of the first row come first; the order of terms stays otherwise.
        order.sort_by(|(a, row, _), (b, other, _)| (a, row).cmp(&(b, other)));
        for (_, at, term) in order {
            let offsets = rows[at].instance.offsets.clone();
            let sum = match rows[at].sum.take() {
                None => self.begun(scope, &term, &offsets),
                Some(sum) => self.added(scope, sum, &term, &offsets),
            };
            rows[at].sum = Some(sum);
        }
        self.contracts = around;
        for row in rows {
            let Some(sum) = row.sum else { continue };
            let offsets = &row.instance.offsets;
            self.learn(scope, (expr, offsets), sum.clone());
            self.store(scope, &target, offsets, sum, None);
        }
    }

    /// The subscripts of the first element that a term reads, in its row.
    fn place_of(&self, term: &Term, offsets: &Offsets) -> Vec<i64> {
        let rows = |index| match self.schedule.is_lane(index) {
            true => 0,
            false => offset(offsets, index),
        };
        let accesses = self.program.pool.accesses([term.expr]);
        let places = accesses.into_iter().map(|(_, access)| {
            let later = access.later(&rows);
            let constants = later.subscripts.iter();
            constants.map(|subscript| subscript.constant).collect()
        });
        places.min().unwrap_or_default()
    }
}
