//! Symbolic execution of statements.

use super::unroll::{SCALARISED, elements};
use super::value::{Place, Root, Value};
use super::{Contribution, Lowerer, Result, opaque, problem};
use crate::diagnostics::Span;
use crate::ir::{Access, Affine, Equation, Expr, ExprId, Extent, IndexId, Operator, Role};
use crate::number::Number;
use crate::syntax::ast::{
    BinaryOperator, Block, Expression, ExpressionKind, Pattern, Statement, Type, VariableId,
};

impl Lowerer<'_> {
    /// Runs a block; its value, if it has one.
    pub(super) fn block(&mut self, block: &Block) -> Result<Option<Value>> {
        for statement in &block.statements {
            self.statement(statement)?;
        }
        match &block.value {
            Some(value) => self.expression(value).map(Some),
            None => Ok(None),
        }
    }

    fn statement(&mut self, statement: &Statement) -> Result<()> {
        self.step()?;
        match statement {
            Statement::Let(pattern, init) => {
                if let Some((variable, array)) = self.large_local(pattern, init)? {
                    return self.bind(&Pattern::Variable(variable), array, init.span);
                }
                let value = self.expression(init)?;
                self.check_depth(&value, init.span)?;
                let value = self.materialise(value, init.span)?;
                let value = match pattern {
                    Pattern::Variable(v) if self.frame.function.variables[v.0].mutable => {
                        self.scalarise(value, init.span)?
                    }
                    _ => value,
                };
                self.bind(pattern, value, init.span)
            }
            Statement::Assign {
                place,
                operator,
                value,
                span,
            } => self.assign(place, *operator, value, *span),
            Statement::For(for_loop) => self.for_loop(for_loop),
            Statement::Block(block) => self.block(block).map(|_| ()),
        }
    }

    fn assign(
        &mut self,
        place: &Expression,
        operator: Option<BinaryOperator>,
        value: &Expression,
        span: Span,
    ) -> Result<()> {
        let (variable, path) = self.path(place)?;
        let is_place = matches!(
            &self.frame.values[variable.0],
            Some(binding) if matches!(binding.value, Value::Place(_))
        );
        if is_place {
            if !matches!(place.ty, Type::Scalar(_)) {
                return problem(
                    span,
                    "a whole array is assigned",
                    "assign its elements in a loop",
                );
            }
            let value = self.scalar(value)?;
            self.check_depth(&Value::Scalar(value), span)?;
            let Value::Place(target) = self.target(place)? else {
                return problem(
                    span,
                    "this cannot be assigned",
                    "assign to elements of an array or to a variable",
                );
            };
            return self.write(target, operator, value, span);
        }
        self.assign_local(variable, &path, operator, value, span)
    }

    /// The place of an assignment, which may be of a variable whose sum is pending.
    fn target(&mut self, place: &Expression) -> Result<Value> {
        self.expression(place)
    }

    /// The variable at the root of a target, and the subscripts on the way.
    fn path<'e>(&self, mut place: &'e Expression) -> Result<(VariableId, Vec<&'e Expression>)> {
        let mut subscripts = Vec::new();
        loop {
            match &place.kind {
                ExpressionKind::Variable(variable) => {
                    subscripts.reverse();
                    return Ok((*variable, subscripts));
                }
                ExpressionKind::Index(base, index) => {
                    subscripts.push(index.as_ref());
                    place = base;
                }
                ExpressionKind::Dereference(inner) | ExpressionKind::Reference(inner) => {
                    place = inner
                }
                _ => {
                    return problem(
                        place.span,
                        "this cannot be assigned",
                        "assign to a variable or to elements of an array",
                    );
                }
            }
        }
    }

    /// `local[path] op value`, on elements that are known one by one.
    fn assign_local(
        &mut self,
        variable: VariableId,
        path: &[&Expression],
        operator: Option<BinaryOperator>,
        value: &Expression,
        span: Span,
    ) -> Result<()> {
        let mut at = Vec::new();
        for subscript in path {
            let index = self.expression(subscript)?;
            at.push(self.affine(index, subscript.span)?);
        }
        let new = self.expression(value)?;
        let Some(binding) = self.frame.values[variable.0].clone() else {
            return problem(
                span,
                "this variable has no value yet",
                "give it a value where it is declared",
            );
        };
        let mut whole = binding.value;
        let mut element = &mut whole;
        for (subscript, expression) in at.iter().zip(path) {
            let Value::Array(elements) = element else {
                return problem(
                    expression.span,
                    "this is no local array",
                    "subscript arrays",
                );
            };
            let at = self.constant_subscript(subscript, elements.len(), expression.span)?;
            element = &mut elements[at];
        }
        let carried = self.open.len() > binding.depth;
        if carried && operator.is_none() {
            // An array that is refilled in every iteration would need its own dimension.
            return opaque(
                span,
                "this variable is declared outside of the loop that assigns it",
                "declare it inside the loop, or accumulate with `+=`",
            );
        }
        let new = match (operator, &*element) {
            (None, _) => self.materialise(new, value.span)?,
            (Some(operator), Value::Integer(old)) => {
                let old = old.clone();
                let new = self.affine(new, value.span)?;
                match operator {
                    BinaryOperator::Add | BinaryOperator::Subtract if !carried => {
                        Value::Integer(self.integer_arithmetic(operator, &old, &new, span)?)
                    }
                    _ => {
                        return opaque(
                            span,
                            "this integer changes in a loop",
                            "compute it from the loop variables",
                        );
                    }
                }
            }
            (Some(operator), Value::Scalar(old)) => {
                let old = *old;
                let new = self.read(new, value.span)?;
                if carried {
                    let flat = at
                        .iter()
                        .map(|a| a.as_constant().unwrap_or(0) as usize)
                        .collect();
                    return self.contribute(variable, flat, operator, new, binding.depth, span);
                }
                Value::Scalar(self.arithmetic(operator, old, new))
            }
            _ => return problem(span, "this is no number", "assign its elements one by one"),
        };
        self.check_depth(&new, span)?;
        *element = new;
        let depth = binding.depth;
        self.frame.values[variable.0] = Some(super::Binding {
            value: whole,
            depth,
        });
        Ok(())
    }

    /// `variable += value` in loops that stay, the variable declared outside of them.
    fn contribute(
        &mut self,
        variable: VariableId,
        path: Vec<usize>,
        operator: BinaryOperator,
        value: ExprId,
        depth: usize,
        span: Span,
    ) -> Result<()> {
        let value = match operator {
            BinaryOperator::Add => value,
            BinaryOperator::Subtract => self.sum(&[(Number::from_i64(-1), value)]),
            _ => {
                return opaque(
                    span,
                    "a product or quotient accumulated over a loop",
                    "loops that are not unrolled accumulate with `+=` and `-=`",
                );
            }
        };
        let reduction: Vec<IndexId> = self.open[depth..].to_vec();
        let pending = self.frame.pending.entry(variable).or_default();
        pending.push(Contribution {
            path,
            reduction,
            value,
            span,
        });
        Ok(())
    }

    /// Writes an element of an array in memory.
    fn write(
        &mut self,
        target: Place,
        operator: Option<BinaryOperator>,
        value: ExprId,
        span: Span,
    ) -> Result<()> {
        let Root::Array(array) = target.root else {
            return problem(
                span,
                "a table cannot be assigned",
                "declare a `let mut` array",
            );
        };
        if !matches!(target.ty, Type::Scalar(_)) {
            return problem(
                span,
                "a whole array is assigned",
                "assign its elements in a loop",
            );
        }
        if matches!(self.array(array).role, Role::Parameter(_)) {
            let name = &self.array(array).name;
            return problem(
                span,
                format!("`{name}` is not mutable"),
                format!("declare the parameter as `{name}: &mut …`"),
            );
        }
        let mut inside = Vec::new();
        target
            .subscripts
            .iter()
            .for_each(|s| s.collect_indices(&mut inside));
        let (free, reduction): (Vec<_>, Vec<_>) = self.open.iter().copied().partition(|index| {
            inside.contains(index)
                || self
                    .program
                    .loop_index(*index)
                    .extent
                    .as_constant()
                    .is_none()
        });
        let (operator, value) = match operator {
            None => {
                let plain = |index: &IndexId| {
                    target
                        .subscripts
                        .iter()
                        .any(|s| s.as_index() == Some(*index) || only(s, *index))
                };
                if let Some(index) = self.open.iter().find(|index| !plain(index)) {
                    let loop_name = self.program.loop_index(*index).name.clone();
                    return problem(
                        span,
                        format!("iterations of `{loop_name}` may assign the same element"),
                        "accumulate with `+=`, or move the assignment out of that loop",
                    );
                }
                (Operator::Assign, value)
            }
            Some(BinaryOperator::Add) => (Operator::Accumulate, value),
            Some(BinaryOperator::Subtract) => (
                Operator::Accumulate,
                self.sum(&[(Number::from_i64(-1), value)]),
            ),
            Some(_) => {
                return problem(
                    span,
                    "an array element is scaled in place",
                    "assign the product to another array, or scale before accumulating",
                );
            }
        };
        let temporary = matches!(self.array(array).role, Role::Temporary);
        if temporary && self.read.iter().any(|(read, _)| *read == array) {
            let name = &self.array(array).name;
            return problem(
                span,
                format!("`{name}` is written after it was read"),
                "use another local array for the new values",
            );
        }
        self.check_mixed(array, operator, &target.subscripts, span)?;
        let entry = self
            .writes
            .entry(array)
            .or_insert_with(|| (Vec::new(), span));
        entry.1 = span;
        for index in &self.open {
            if !entry.0.contains(index) {
                entry.0.push(*index);
            }
        }
        let target = Access {
            array,
            subscripts: target.subscripts,
        };
        self.push(
            Equation {
                target,
                operator,
                free,
                reduction,
                expr: value,
            },
            span,
        );
        Ok(())
    }

    pub(super) fn push(&mut self, equation: Equation, span: Span) {
        self.remember(&equation);
        self.program.equations.push(equation);
        self.spans.push(span);
    }

    /// `let mut x = [[0.0; N]; M]` too large for scalars: an array of the program, filled.
    fn large_local(
        &mut self,
        pattern: &Pattern,
        init: &Expression,
    ) -> Result<Option<(VariableId, Value)>> {
        let Pattern::Variable(variable) = pattern else {
            return Ok(None);
        };
        let declared = &self.frame.function.variables[variable.0];
        if !declared.mutable
            || !matches!(declared.ty, Type::Array(..))
            || elements(&declared.ty) <= SCALARISED
        {
            return Ok(None);
        }
        let mut extents = Vec::new();
        let mut fill = init;
        while let ExpressionKind::Repeat(inner, n) = &fill.kind {
            extents.push(*n);
            fill = inner;
        }
        let scalar = match &fill.ty {
            Type::Scalar(scalar) => *scalar,
            _ => return Ok(None),
        };
        let (Some(element), name) = (self.element_of(scalar), declared.name.to_string()) else {
            return Ok(None);
        };
        if super::integers::too_large(elements(&declared.ty), false) {
            return problem(
                init.span,
                "this array is too large to be validated while the kernel is compiled",
                "compute with a part of it at a time",
            );
        }
        let value = self.scalar(fill)?;
        let outer = self.open.clone();
        let mut shape: Vec<Extent> = outer
            .iter()
            .map(|i| self.program.loop_index(*i).extent.clone())
            .collect();
        let mut free = outer.clone();
        for (k, extent) in extents.iter().enumerate() {
            shape.push(Extent::Constant(*extent));
            free.push(
                self.program
                    .add_index(&format!("{name}{k}"), Extent::Constant(*extent)),
            );
        }
        let array = self
            .program
            .add_array(&name, element, shape, Role::Temporary);
        let target = Access {
            array,
            subscripts: free.iter().map(|i| Affine::index(*i)).collect(),
        };
        let equation = Equation {
            target,
            operator: Operator::Assign,
            free,
            reduction: Vec::new(),
            expr: value,
        };
        self.push(equation, init.span);
        let subscripts = outer.iter().map(|i| Affine::index(*i)).collect();
        let place = Place {
            root: Root::Array(array),
            subscripts,
            ty: declared.ty.clone(),
        };
        Ok(Some((*variable, Value::Place(place))))
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
        let free: Vec<IndexId> = self.open[..depth].to_vec();
        let kind = self.program.pool.element(old);
        let shape: Vec<Extent> = free
            .iter()
            .map(|i| self.program.loop_index(*i).extent.clone())
            .collect();
        let array = self.program.add_array(&name, kind, shape, Role::Temporary);
        let target = Access {
            array,
            subscripts: free.iter().map(|i| Affine::index(*i)).collect(),
        };
        let mut value = self.program.pool.add(Expr::Access(target.clone()), kind);
        if self.exact || group.len() > 1 {
            // The running sum starts at the variable's value, and its terms are added in the
            // source's order.
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
                self.place_contribution(&target, &free, contribution);
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
            let zero =
                matches!(self.program.pool.get(old), Expr::Constant(number) if number.is_zero());
            if !zero {
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
        contribution: &Contribution,
    ) {
        let equation = Equation {
            target: target.clone(),
            operator: Operator::Accumulate,
            free: free.to_vec(),
            reduction: contribution.reduction.clone(),
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
        self.remember(&equation);
        self.program.equations.insert(at, equation);
        self.spans.insert(at, span);
    }
}

/// `± index + constant` is injective in the index.
fn only(subscript: &Affine, index: IndexId) -> bool {
    let mut indices = Vec::new();
    subscript.collect_indices(&mut indices);
    indices == [index]
        && subscript
            .terms
            .iter()
            .any(|(atom, _)| *atom == crate::ir::Atom::Index(index))
}
