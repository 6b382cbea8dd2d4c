//! Symbolic execution of statements.

use super::accumulations::Update;
use super::expressions::integer_type;
use super::value::{Place, Value};
use super::{Lowerer, Result, opaque};
use crate::diagnostics::Span;
use crate::ir::Affine;
use crate::syntax::ast::{
    BinaryOperator, Block, Expression, ExpressionKind, Pattern, Statement, Type, VariableId,
};

impl Lowerer<'_> {
    /// Runs a block; its value, if it has one.
    pub(super) fn block(&mut self, block: &Block) -> Result<Option<Value>> {
        self.run.insert(block.id, block.span);
        for statement in &block.statements {
            self.statement(statement)?;
        }
        match &block.value {
            Some(value) => self.expression(value).map(Some),
            None => Ok(None),
        }
    }

    fn statement(&mut self, statement: &Statement) -> Result<()> {
        let owed = self.owed.len();
        self.step()?;
        self.execute(statement)?;
        self.settle_owed(owed)
    }

    fn execute(&mut self, statement: &Statement) -> Result<()> {
        match statement {
            Statement::Let(pattern, init) => {
                let local = match self.allocated(pattern, init)? {
                    None => self.large_local(pattern, init)?,
                    array => array,
                };
                if let Some((variable, array)) = local {
                    return self.bind(&Pattern::Variable(variable), array, init.span);
                }
                let value = self.expression(init)?;
                self.check_depth(&value, init.span)?;
                let value = self.copied(value, &init.ty, init.span)?;
                let value = self.parts_held(pattern, value, (&init.ty, init.span))?;
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
            Statement::Effect(choice) => match self.extremum_statement(choice)? {
                true => Ok(()),
                false => self.expression(choice).map(|_| ()),
            },
            Statement::Assert(condition, _) => self.assertion(condition),
        }
    }

    /// A value whose parts variables that may change take, as these hold them.
    fn parts_held(
        &mut self,
        pattern: &Pattern,
        value: Value,
        (ty, span): (&Type, Span),
    ) -> Result<Value> {
        match (pattern, value, ty) {
            (Pattern::Variable(v), value, _) if self.frame.function.variables[v.0].mutable => {
                let value = self.scalarise(value, span)?;
                self.wholes_of(Some(*v), value, (ty, span))
            }
            (Pattern::Tuple(patterns), Value::Tuple(values), Type::Tuple(types)) => {
                let all = patterns.iter().zip(values).zip(types);
                let all =
                    all.map(|((pattern, value), ty)| self.parts_held(pattern, value, (ty, span)));
                all.collect::<Result<_>>().map(Value::Tuple)
            }
            (_, value, _) => Ok(value),
        }
    }

    fn assign(
        &mut self,
        place: &Expression,
        operator: Option<BinaryOperator>,
        value: &Expression,
        span: Span,
    ) -> Result<()> {
        let (update, value) = self.update(place, operator, value);
        self.assign_updated(place, update, &value, span)
    }

    /// An assignment that is known for what it does with what is there.
    pub(super) fn assign_updated(
        &mut self,
        place: &Expression,
        operator: Option<Update>,
        value: &Expression,
        span: Span,
    ) -> Result<()> {
        let (variable, path) = self.path(place)?;
        let is_place = matches!(
            &self.frame.values[variable.0],
            Some(binding) if matches!(binding.value, Value::Place(_))
        );
        if is_place {
            if operator.is_none() && matches!(place.ty, Type::Array(..)) {
                return self.assign_whole(place, value, span);
            }
            let value = self.scalar(value)?;
            self.check_depth(&Value::Scalar(value), span)?;
            let target = self.target(place, span)?;
            return self.write_here(target, operator, value, span);
        }
        self.assign_local(variable, &path, operator, value, span)
    }

    /// The place of an assignment.
    pub(super) fn target(&mut self, place: &Expression, span: Span) -> Result<Place> {
        match self.expression(place)? {
            Value::Place(target) => Ok(target),
            _ => opaque(
                span,
                "this cannot be assigned",
                "assign to elements of an array or to a variable",
            ),
        }
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
                    return opaque(
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
        operator: Option<Update>,
        value: &Expression,
        span: Span,
    ) -> Result<()> {
        let mut at = Vec::new();
        for subscript in path {
            let index = self.expression(subscript)?;
            at.push(self.affine(index, subscript.span)?);
        }
        let new = self.expression(value)?;
        let Some(mut binding) = self.frame.values[variable.0].clone() else {
            return opaque(
                span,
                "this variable has no value yet",
                "give it a value where it is declared",
            );
        };
        let element = self.local_element(&mut binding.value, &at, path)?;
        let carried = self.open.len() > binding.depth;
        let new = match (operator, &*element) {
            (None, _) if carried => {
                // An array that is refilled in every iteration would need its own dimension.
                return self.hands_on(
                    (variable, binding.depth),
                    "this variable is declared outside of the loop that assigns it",
                    "declare it inside the loop, or accumulate with `+=`",
                    span,
                );
            }
            (None, _) => {
                let new = self.copied(new, &value.ty, value.span)?;
                let own = Some(variable).filter(|_| path.is_empty());
                self.wholes_of(own, new, (&value.ty, value.span))?
            }
            (Some(Update::Arithmetic(operator)), Value::Integer(_) | Value::Converted(..)) => {
                let old = self.affine(element.clone(), span)?;
                let new = self.affine(new, value.span)?;
                self.counted(operator, (&old, &new), carried, (&value.ty, span))?
            }
            (Some(operator), Value::Scalar(old)) => {
                let ty = integer_type(&value.ty).filter(|_| self.words);
                let new = self.number(new, &value.ty, value.span)?;
                if let (Some(ty), false) = (ty, carried) {
                    let operands = [*old, new].map(Value::Scalar);
                    *element = self.whole_updated(operator, operands, (ty, span))?;
                    self.frame.values[variable.0] = Some(binding);
                    return Ok(());
                }
                let combined = matches!(
                    operator,
                    Update::Arithmetic(BinaryOperator::Add | BinaryOperator::Subtract)
                        | Update::Extremum(_)
                );
                if ty.is_some() && !combined {
                    return opaque(
                        span,
                        "integers that loops combine with other operators than `+=`, `min` and `max`",
                        "add them up",
                    );
                }
                if carried {
                    let flat = at
                        .iter()
                        .map(|a| a.as_constant().unwrap_or(0) as usize)
                        .collect();
                    return self.contribute(variable, flat, operator, new, binding.depth, span);
                }
                Value::Scalar(self.updated(operator, *old, new))
            }
            _ => {
                return opaque(
                    span,
                    "what is assigned is no number",
                    "assign its elements one by one",
                );
            }
        };
        self.check_depth(&new, span)?;
        *element = new;
        self.frame.values[variable.0] = Some(binding);
        Ok(())
    }

    /// The part of a local array that subscripts lead to.
    fn local_element<'v>(
        &self,
        whole: &'v mut Value,
        at: &[Affine],
        path: &[&Expression],
    ) -> Result<&'v mut Value> {
        let mut element = whole;
        for (subscript, expression) in at.iter().zip(path) {
            let Value::Array(elements) = element else {
                return opaque(
                    expression.span,
                    "this is no local array",
                    "subscript arrays",
                );
            };
            let at = self.constant_subscript(subscript, elements.len(), expression.span)?;
            element = &mut elements[at];
        }
        Ok(element)
    }

    /// An integer that changes, outside of loops that stay.
    fn counted(
        &mut self,
        operator: BinaryOperator,
        (old, new): (&Affine, &Affine),
        carried: bool,
        (ty, span): (&Type, Span),
    ) -> Result<Value> {
        match (operator, integer_type(ty)) {
            (BinaryOperator::Add | BinaryOperator::Subtract, Some(ty)) if !carried => {
                let value = self.integer_arithmetic(operator, old, new, span)?;
                self.computed(value, ty, span)
            }
            _ => opaque(
                span,
                "this integer changes in a loop",
                "compute it from the loop variables",
            ),
        }
    }
}
