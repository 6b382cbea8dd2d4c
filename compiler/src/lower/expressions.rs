//! Symbolic evaluation of expressions.

use super::integers::bounded;
use super::unroll::{LARGEST_VALUE, elements};
use super::value::{Place, Root, Value};
use super::{Binding, Frame, Lowerer, Problem, Result, opaque, problem};
use crate::diagnostics::Span;
use crate::ir::{Affine, Atom, Element, Expr, ExprId, Factor, Term};
use crate::number::Number;
use crate::syntax::ast::{
    BinaryOperator, Elementary, Expression, ExpressionKind, FunctionId, Pattern, ScalarType, Type,
};

impl Lowerer<'_> {
    pub(super) fn expression(&mut self, expression: &Expression) -> Result<Value> {
        let span = expression.span;
        Ok(match &expression.kind {
            ExpressionKind::Float(number) => {
                let element = self.element(expression)?;
                Value::Scalar(self.constant(*number, element))
            }
            ExpressionKind::Integer(value) => Value::integer(*value, span)?,
            ExpressionKind::Variable(variable) => {
                if self.frame.pending.contains_key(variable) {
                    let name = &self.frame.function.variables[variable.0].name;
                    return opaque(
                        span,
                        format!("`{name}` is read inside the loop that sums it up"),
                        "read it after the loop, or keep the sum in another variable",
                    );
                }
                match &self.frame.values[variable.0] {
                    Some(binding) => binding.value.clone(),
                    None => {
                        return problem(span, "this variable has no value yet", "assign it first");
                    }
                }
            }
            ExpressionKind::Table(table) => Value::Place(Place {
                root: Root::Table(*table),
                subscripts: Vec::new(),
                ty: expression.ty.clone(),
            }),
            ExpressionKind::Index(base, index) => self.index(base, index, span)?,
            ExpressionKind::Field(base, field) => match self.expression(base)? {
                Value::Tuple(mut fields) if *field < fields.len() => fields.swap_remove(*field),
                _ => return problem(span, "this is not a tuple", "only tuples have fields here"),
            },
            ExpressionKind::Tuple(fields) => Value::Tuple(self.all_scalars(fields)?),
            ExpressionKind::Array(elements) => Value::Array(self.all_scalars(elements)?),
            ExpressionKind::Repeat(element, n) => {
                if elements(&expression.ty) > LARGEST_VALUE {
                    return problem(
                        span,
                        "this array is too large for a value",
                        "declare it with `let mut x = [[0.0; N]; M];`: then it is held in memory",
                    );
                }
                let value = self.expression(element)?;
                let value = self.copied(value, &element.ty, span)?;
                Value::Array(vec![value; *n])
            }
            ExpressionKind::Negate(operand) => match self.expression(operand)? {
                Value::Integer(affine) => Value::Integer(affine.scale(-1)),
                value => {
                    let expr = self.read(value, span)?;
                    Value::Scalar(self.sum(&[(Number::from_i64(-1), expr)]))
                }
            },
            ExpressionKind::Binary(operator, l, r) => self.binary(*operator, l, r, span)?,
            ExpressionKind::Integers(method, operands) => {
                self.integer_method(*method, operands, span)?
            }
            ExpressionKind::Allocate(_) => {
                return opaque(
                    span,
                    "a temporary whose size is known when the kernel runs",
                    "use an array of constant size inside the loop, or a `&mut` parameter",
                );
            }
            ExpressionKind::Outside(_) => {
                return opaque(
                    span,
                    "a constant from outside, whose values are not known here",
                    "declare it in the block as a `static` or `const`, or pass it as a parameter",
                );
            }
            ExpressionKind::Compare(..) if self.is_integer_condition(expression) => {
                return opaque(
                    span,
                    "a condition on integers that changes in a loop",
                    "split the loop where the condition changes",
                );
            }
            ExpressionKind::Compare(operator, l, r) => {
                let (l, r) = (self.scalar(l)?, self.scalar(r)?);
                let element = self.program.pool.element(l);
                Value::Scalar(
                    self.program
                        .pool
                        .add(Expr::Compare(*operator, l, r), element),
                )
            }
            ExpressionKind::Cast(operand) => self.cast(operand, expression)?,
            ExpressionKind::Call(function, arguments) => self.call(*function, arguments)?,
            ExpressionKind::Helper(function, arguments) => {
                self.helper(*function, arguments, span)?
            }
            ExpressionKind::Reference(operand) | ExpressionKind::Dereference(operand) => {
                self.expression(operand)?
            }
            ExpressionKind::Length(operand, axis) => {
                let known = match self.expression(operand)? {
                    Value::Place(place) => self.extent(&place, *axis),
                    Value::Array(elements) => Some(Affine::constant(elements.len() as i64)),
                    _ => None,
                };
                let Some(extent) = known else {
                    let message = "the length of this is not known here";
                    return problem(span, message, "take the length of a parameter");
                };
                Value::Integer(bounded(extent, span)?)
            }
            ExpressionKind::If(condition, then, otherwise)
                if let Some(holds) = self.decided(condition)? =>
            {
                let taken = if holds { then } else { otherwise };
                self.block(taken)?.unwrap_or(Value::Tuple(Vec::new()))
            }
            ExpressionKind::If(condition, then, otherwise) => {
                let condition = self.scalar(condition)?;
                let then = self.branch(then, span)?;
                let otherwise = self.branch(otherwise, span)?;
                let element = self.program.pool.element(then);
                Value::Scalar(
                    self.program
                        .pool
                        .add(Expr::Select(condition, then, otherwise), element),
                )
            }
            ExpressionKind::Block(block) => match self.block(block)? {
                Some(value) => value,
                None => Value::Tuple(Vec::new()),
            },
        })
    }

    /// The value of a branch. Both are computed, so that what one reads must be in range anyway;
    /// what cannot be computed may never be.
    fn branch(&mut self, block: &crate::syntax::ast::Block, span: Span) -> Result<ExprId> {
        self.branches += 1;
        let value = self.block_value(block, span);
        self.branches -= 1;
        value.map_err(|problem| Problem {
            opaque: true,
            ..problem
        })
    }

    fn block_value(&mut self, block: &crate::syntax::ast::Block, span: Span) -> Result<ExprId> {
        match self.block(block)? {
            Some(value) => self.read(value, span),
            None => problem(
                span,
                "this branch has no value",
                "end each branch with an expression",
            ),
        }
    }

    fn all(&mut self, expressions: &[Expression]) -> Result<Vec<Value>> {
        expressions.iter().map(|e| self.expression(e)).collect()
    }

    fn all_scalars(&mut self, expressions: &[Expression]) -> Result<Vec<Value>> {
        expressions
            .iter()
            .map(|e| {
                let value = self.expression(e)?;
                self.copied(value, &e.ty, e.span)
            })
            .collect()
    }

    /// A floating-point scalar.
    pub(super) fn scalar(&mut self, expression: &Expression) -> Result<ExprId> {
        let value = self.expression(expression)?;
        self.read(value, expression.span)
    }

    fn element(&self, expression: &Expression) -> Result<Element> {
        match &expression.ty {
            Type::Scalar(scalar) => match self.element_of(*scalar) {
                Some(element) => Ok(element),
                None => problem(
                    expression.span,
                    "a bool is no number",
                    "compare numbers in an `if`",
                ),
            },
            _ => problem(
                expression.span,
                "a number was expected here",
                "subscript the array to its elements",
            ),
        }
    }

    pub(super) fn sum(&mut self, terms: &[(Number, ExprId)]) -> ExprId {
        let element = self.program.pool.element(terms[0].1);
        let terms = terms
            .iter()
            .map(|(coefficient, expr)| Term {
                coefficient: *coefficient,
                expr: *expr,
            })
            .collect();
        self.program.pool.add(Expr::Sum(terms), element)
    }

    pub(super) fn product(&mut self, factors: &[(ExprId, i32)]) -> ExprId {
        let element = self.program.pool.element(factors[0].0);
        let factors = factors
            .iter()
            .map(|(expr, power)| Factor {
                expr: *expr,
                power: *power,
            })
            .collect();
        self.program.pool.add(Expr::Product(factors), element)
    }

    /// `left operator right` on scalars.
    pub(super) fn arithmetic(&mut self, operator: BinaryOperator, l: ExprId, r: ExprId) -> ExprId {
        let one = Number::ONE;
        match operator {
            BinaryOperator::Add => self.sum(&[(one, l), (one, r)]),
            BinaryOperator::Subtract => self.sum(&[(one, l), (-one, r)]),
            BinaryOperator::Multiply => self.product(&[(l, 1), (r, 1)]),
            BinaryOperator::Divide | BinaryOperator::Remainder => self.product(&[(l, 1), (r, -1)]),
        }
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        l: &Expression,
        r: &Expression,
        span: Span,
    ) -> Result<Value> {
        let (left, right) = (self.expression(l)?, self.expression(r)?);
        let integer = matches!(&l.ty, Type::Scalar(ScalarType::Integer(_)));
        if !integer {
            if operator == BinaryOperator::Remainder {
                return opaque(
                    span,
                    "the remainder of floating-point numbers",
                    "for positive numbers write `x - y * (x / y).floor()`",
                );
            }
            let (left, right) = (self.read(left, l.span)?, self.read(right, r.span)?);
            return Ok(Value::Scalar(self.arithmetic(operator, left, right)));
        }
        let (left, right) = (self.affine(left, l.span)?, self.affine(right, r.span)?);
        self.integer_arithmetic(operator, &left, &right, span)
            .map(Value::Integer)
    }

    /// An integer value: an affine function, or an entry of an index map.
    pub(super) fn affine(&mut self, value: Value, span: Span) -> Result<Affine> {
        match value {
            Value::Integer(affine) => Ok(affine),
            Value::Place(Place {
                root: Root::Array(array),
                subscripts,
                ty: Type::Scalar(ScalarType::Integer(_)),
            }) => Ok(Affine::atom(Atom::Map(array, subscripts))),
            Value::Place(Place {
                root: Root::Table(table),
                subscripts,
                ty: Type::Scalar(ScalarType::Integer(_)),
            }) => {
                let array = self.table(table)?;
                match super::places::table_entry(&self.program, array, &subscripts) {
                    Some(value) => bounded(Affine::constant(value.to_f64() as i64), span),
                    None => Ok(Affine::atom(Atom::Map(array, subscripts))),
                }
            }
            _ => problem(
                span,
                "an integer was expected here",
                "subscripts and bounds are integers",
            ),
        }
    }

    fn cast(&mut self, operand: &Expression, whole: &Expression) -> Result<Value> {
        let value = self.expression(operand)?;
        let from_integer = matches!(&operand.ty, Type::Scalar(ScalarType::Integer(_)));
        let to_integer = matches!(&whole.ty, Type::Scalar(ScalarType::Integer(_)));
        match (from_integer, to_integer) {
            (true, true) => {
                let value = self.affine(value, operand.span)?;
                self.integer_cast(value, operand, whole).map(Value::Integer)
            }
            (true, false) => {
                let element = self.element(whole)?;
                match self.affine(value, operand.span)?.as_constant() {
                    Some(constant) => Ok(Value::Scalar(
                        self.constant(Number::from_i64(constant), element),
                    )),
                    None => opaque(
                        whole.span,
                        "an index as a floating-point value",
                        "put the values in a table or an array parameter and read them by subscript",
                    ),
                }
            }
            (false, true) => opaque(
                whole.span,
                "a floating-point number as an index",
                "keep indices in integers",
            ),
            (false, false) => {
                let expr = self.read(value, operand.span)?;
                let element = self.element(whole)?;
                let simple = matches!(
                    self.program.pool.get(expr),
                    Expr::Constant(_) | Expr::Access(_)
                );
                if self.generic && !simple {
                    return problem(
                        whole.span,
                        "arithmetic inside `from_f64`",
                        "convert literals and table entries, and compute with the results",
                    );
                }
                if self.program.pool.element(expr) == element {
                    return Ok(Value::Scalar(expr));
                }
                if let Expr::Constant(number) = *self.program.pool.get(expr) {
                    return Ok(Value::Scalar(self.constant(number, element)));
                }
                Ok(Value::Scalar(
                    self.program.pool.add(Expr::Cast(element, expr), element),
                ))
            }
        }
    }

    fn call(&mut self, function: Elementary, arguments: &[Expression]) -> Result<Value> {
        let arguments: Vec<ExprId> = arguments
            .iter()
            .map(|a| self.scalar(a))
            .collect::<Result<_>>()?;
        let element = self.program.pool.element(arguments[0]);
        if !self.exact {
            match function {
                Elementary::MulAdd => {
                    let product = self.product(&[(arguments[0], 1), (arguments[1], 1)]);
                    return Ok(Value::Scalar(
                        self.sum(&[(Number::ONE, product), (Number::ONE, arguments[2])]),
                    ));
                }
                Elementary::Recip => return Ok(Value::Scalar(self.product(&[(arguments[0], -1)]))),
                Elementary::Powi(n) if (1..=16).contains(&n) => {
                    return Ok(Value::Scalar(self.product(&[(arguments[0], n)])));
                }
                _ => {}
            }
        }
        Ok(Value::Scalar(
            self.program
                .pool
                .add(Expr::Call(function, arguments), element),
        ))
    }

    fn helper(&mut self, id: FunctionId, arguments: &[Expression], span: Span) -> Result<Value> {
        const DEEPEST: usize = 32;
        let function = &self.module.functions[id.0];
        if self.depth >= DEEPEST {
            return problem(
                span,
                format!("`{}` calls itself", function.name),
                "write a loop instead of a recursion",
            );
        }
        self.step()?;
        let values = self.all(arguments)?;
        for (value, argument) in values.iter().zip(arguments) {
            self.check_depth(value, argument.span)?;
        }
        let mut frame = Frame::new(function);
        for (parameter, value) in function.parameters.iter().zip(values) {
            if matches!(
                function.variables[parameter.variable.0].ty,
                Type::Reference(_, true)
            ) {
                return opaque(
                    span,
                    format!("`{}` writes through a reference", function.name),
                    "let the helper return what it computes, and write it where it is called",
                );
            }
            frame.values[parameter.variable.0] = Some(Binding {
                value,
                depth: self.open.len(),
            });
        }
        let caller = std::mem::replace(&mut self.frame, frame);
        self.depth += 1;
        let value = self.block(&function.body);
        self.depth -= 1;
        self.frame = caller;
        Ok(value?.unwrap_or(Value::Tuple(Vec::new())))
    }

    /// Binds a pattern to a value.
    pub(super) fn bind(&mut self, pattern: &Pattern, value: Value, span: Span) -> Result<()> {
        match pattern {
            Pattern::Wildcard => Ok(()),
            Pattern::Variable(variable) => {
                let binding = Binding {
                    value,
                    depth: self.open.len(),
                };
                self.frame.values[variable.0] = Some(binding);
                Ok(())
            }
            Pattern::Tuple(patterns) => match value {
                Value::Tuple(values) if values.len() == patterns.len() => patterns
                    .iter()
                    .zip(values)
                    .try_for_each(|(p, v)| self.bind(p, v, span)),
                _ => problem(
                    span,
                    "this value is no tuple of that many parts",
                    "bind it to one name",
                ),
            },
        }
    }
}
