//! Sums of variables over loops that stay: each becomes an equation as its loops close.

use super::accumulations::Update;
use super::value::Value;
use super::words::integers_of;
use super::{Contribution, Lowerer, Result, opaque};
use crate::diagnostics::Span;
use crate::ir::{
    Access, Affine, Combining, Equation, Expr, ExprId, Extent, IndexId, Operator, Role,
};
use crate::number::Number;
use crate::syntax::ast::{IntegerType, VariableId};

impl Lowerer<'_> {
    /// `variable += value`, or with another operator, in loops that stay, the variable declared outside of them.
    pub(super) fn contribute(
        &mut self,
        variable: VariableId,
        path: Vec<usize>,
        update: Update,
        value: ExprId,
        depth: usize,
        span: Span,
    ) -> Result<()> {
        let Some((combining, value)) = self.accumulated(update, value) else {
            return opaque(
                span,
                "a quotient accumulated over a loop",
                "loops that are not unrolled accumulate with `+=`, `-=`, `*=`, `min` and `max`",
            );
        };
        let combining = match self.started_from(variable, &path) {
            Some(start) => combining.started(&self.program.pool, start, self.exact),
            None => combining,
        };
        let whole = value;
        let integers = integers_of(&self.frame.function.variables[variable.0].ty);
        let ends = integers.filter(|_| self.words).map(IntegerType::range);
        let Some(value) = self.summand(combining, value, (depth, ends)) else {
            return opaque(
                span,
                "the smallest or largest value over a loop, of values under a condition",
                "start it from a number, such as `f64::NEG_INFINITY`",
            );
        };
        let outermost = self.open[depth];
        let mut read = self.frame.read.get(&variable).into_iter().flatten();
        if read.any(|(other, around)| *around == outermost && overlap(other, &path)) {
            return self.total_is_read(variable, span);
        }
        let pending = self.frame.pending.get(&variable).into_iter().flatten();
        let other = |sum: &Contribution| sum.combining != combining && overlap(&sum.path, &path);
        if pending.clone().any(other) {
            return self.total_is_read(variable, span);
        }
        let reduction: Vec<IndexId> = self.open[depth..].to_vec();
        let pending = self.frame.pending.entry(variable).or_default();
        pending.push(Contribution {
            combining,
            path,
            reduction,
            value,
            conditional: whole != value,
            span,
        });
        Ok(())
    }

    /// What a sum starts from, if it is a number.
    fn started_from(&self, variable: VariableId, path: &[usize]) -> Option<ExprId> {
        let mut value = &self.frame.values[variable.0].as_ref()?.value;
        for at in path {
            let Value::Array(elements) = value else {
                return None;
            };
            value = elements.get(*at)?;
        }
        match value {
            Value::Scalar(expr) => Some(*expr),
            _ => None,
        }
    }

    /// A variable is read, or the element of a local array that a path leads to: in a loop that sums
    /// it up each iteration reads another value, whether the sum stands before the read or after it.
    pub(super) fn check_total(
        &mut self,
        variable: VariableId,
        path: &[usize],
        span: Span,
    ) -> Result<()> {
        let frame = &mut self.frame;
        let Some(binding) = &frame.values[variable.0] else {
            return Ok(());
        };
        let depth = binding.depth;
        let Some(outermost) = self.open.get(depth) else {
            return Ok(());
        };
        if matches!(binding.value, Value::Place(_) | Value::Integer(_)) {
            return Ok(());
        }
        let mut pending = frame.pending.get(&variable).into_iter().flatten();
        if pending.any(|sum| overlap(&sum.path, path)) {
            return self.total_is_read(variable, span);
        }
        let read = frame.read.entry(variable).or_default();
        read.insert((path.to_vec(), *outermost));
        Ok(())
    }

    /// A sum is read in the loops that sum it up.
    fn total_is_read(&self, variable: VariableId, span: Span) -> Result<()> {
        let name = &self.frame.function.variables[variable.0].name;
        let binding = self.frame.values[variable.0].as_ref();
        let depth = binding.map_or(self.open.len(), |binding| binding.depth);
        self.hands_on(
            (variable, depth),
            format!("`{name}` is read inside the loop that sums it up"),
            "read it after the loop, or keep the sum in another variable",
            span,
        )
    }

    /// Turns the sums of the loops from depth `depth` on into equations, as these loops close.
    pub(super) fn settle(&mut self, depth: usize) -> Result<()> {
        let mut closing: Vec<VariableId> = self
            .frame
            .pending
            .keys()
            .copied()
            .filter(|v| {
                self.frame.values[v.0]
                    .as_ref()
                    .is_some_and(|b| b.depth == depth)
            })
            .collect();
        closing.sort_unstable();
        for variable in closing {
            let contributions = self.frame.pending.remove(&variable).unwrap_or_default();
            let mut by_path: Vec<(Vec<usize>, Vec<Contribution>)> = Vec::new();
            for contribution in contributions {
                match by_path
                    .iter_mut()
                    .find(|(path, _)| *path == contribution.path)
                {
                    Some((_, group)) => group.push(contribution),
                    None => by_path.push((contribution.path.clone(), vec![contribution])),
                }
            }
            for (path, group) in by_path {
                self.settle_one(variable, &path, &group, depth)?;
            }
        }
        Ok(())
    }

    fn settle_one(
        &mut self,
        variable: VariableId,
        path: &[usize],
        group: &[Contribution],
        depth: usize,
    ) -> Result<()> {
        let name = self.frame.function.variables[variable.0].name.to_string();
        let Some(mut binding) = self.frame.values[variable.0].clone() else {
            return Ok(());
        };
        let mut element = &mut binding.value;
        for at in path {
            if let Value::Array(elements) = element {
                element = &mut elements[*at];
            }
        }
        let Value::Scalar(old) = *element else {
            return Ok(());
        };
        let starts = matches!(self.program.pool.get(old), Expr::Constant(_));
        let conditional = group.iter().find(|contribution| contribution.conditional);
        let combining = group[0]
            .combining
            .started(&self.program.pool, old, self.exact);
        if let (true, false, Some(contribution)) = (self.exact, starts, conditional) {
            // Zero is added where nothing is, which changes the sign of another zero.
            return opaque(
                contribution.span,
                "a sum under a condition that starts from a value",
                "start it from `0.0`",
            );
        }
        let free: Vec<IndexId> = self.open[..depth].to_vec();
        let kind = self.program.pool.element(old);
        let shape: Vec<Extent> = free
            .iter()
            .map(|i| self.program.loop_index(*i).extent.clone())
            .collect();
        let array = self.program.add_array(&name, kind, shape, Role::Temporary);
        self.total((array, variable), old, group)?;
        let target = Access {
            array,
            subscripts: free.iter().map(|i| Affine::index(*i)).collect(),
        };
        let mut value = self.program.pool.add(Expr::Access(target.clone()), kind);
        let mut summed = group
            .iter()
            .flat_map(|contribution| &contribution.reduction);
        // What iterations hand on is read where it is handed on, and nowhere else.
        let stays = |index: &IndexId| !self.program.is_constant(*index) || self.hands(*index);
        let starts_from_value = combining != Combining::Add;
        if self.exact || group.len() > 1 || starts_from_value || summed.any(stays) {
            // The running sum starts at the variable's value, and its terms are added in the
            // source's order; over a loop of run-time length, or one that hands values on, where its values are.
            let span = group[0].span;
            let first = Equation {
                target: target.clone(),
                operator: Operator::Assign,
                free: free.clone(),
                reduction: Vec::new(),
                expr: old,
            };
            self.insert_before_loops(first, span, &group[0].reduction);
            for contribution in group {
                self.place_contribution(&target, &free, (combining, contribution));
            }
        } else {
            let contribution = &group[0];
            let equation = Equation {
                target,
                operator: Operator::Assign,
                free,
                reduction: contribution.reduction.clone(),
                expr: contribution.value,
            };
            self.push(equation, contribution.span);
            if !self.program.pool.is_zero(old) {
                value = self.sum(&[(Number::ONE, old), (Number::ONE, value)]);
            }
        }
        *element = Value::Scalar(value);
        self.frame.values[variable.0] = Some(binding);
        Ok(())
    }

    fn place_contribution(
        &mut self,
        target: &Access,
        free: &[IndexId],
        (combining, contribution): (Combining, &Contribution),
    ) {
        let (mut free, mut reduction) = (free.to_vec(), contribution.reduction.clone());
        if combining != Combining::Add && !self.exact {
            // Passes know sums alone; the scheduler takes these loops for what they are.
            free.append(&mut reduction);
        }
        let equation = Equation {
            target: target.clone(),
            operator: Operator::Accumulate(combining),
            free,
            reduction,
            expr: contribution.value,
        };
        self.push(equation, contribution.span);
    }

    /// Adds an equation before the first one of the given loops.
    fn insert_before_loops(&mut self, equation: Equation, span: Span, loops: &[IndexId]) {
        let at = self
            .program
            .equations
            .iter()
            .position(|e| {
                loops
                    .first()
                    .is_some_and(|outer| e.domain().any(|index| index == *outer))
            })
            .unwrap_or(self.program.equations.len());
        self.program.equations.insert(at, equation);
        let statement = self.site(span);
        self.statements.insert(at, statement);
    }
}

/// Whether two elements of a local array, or parts of it, have something in common.
fn overlap(a: &[usize], b: &[usize]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}
