//! The meaning of a kernel: its syntax tree, interpreted.

mod allocations;
mod conditions;
mod conversions;
mod integers;
mod places;
mod value;

use std::rc::Rc;

use super::TOO_LARGE;
use super::coverage::Points;
use super::memory::Memory;
use super::samples::Iterations;
use super::uninterpreted;
use crate::syntax::ast::{
    BinaryOperator, Block, Elementary, Expression, ExpressionKind, ForLoop, FunctionId,
    IntegerMethod, IntegerType, LoopId, Module, Pattern, ScalarType, Statement, Type, VariableId,
    adapted,
};
use crate::syntax::is_local;
use value::{Place, Root, Target, Value, arithmetic, combine, compare, element, field, pointee};

type Result<T> = std::result::Result<T, String>;

/// Runs a kernel; the blocks that ran. Of loops whose number of iterations is known without the inputs, only
/// those run that `runs` says.
///
/// # Errors
/// What is out of range, or that `budget` (evaluated expressions) is used up.
pub fn run(
    module: &Module,
    function: FunctionId,
    memory: &mut Memory,
    runs: &dyn Fn((FunctionId, LoopId)) -> Iterations,
    budget: &mut u64,
) -> Result<Points> {
    let declared = &module.functions[function.0];
    let mut frame = Frame {
        function,
        values: vec![None; declared.variables.len()],
    };
    let returns = matches!(declared.result, Type::Scalar(_));
    for (position, parameter) in declared.parameters.iter().enumerate() {
        let place = Place {
            root: Root::Parameter(position),
            offset: 0,
            ty: pointee(&declared.variables[parameter.variable.0].ty),
        };
        frame.values[parameter.variable.0] = Some(Value::Place(place));
    }
    for (at, constant) in declared.constants.iter().enumerate() {
        let place = Place {
            root: Root::Parameter(declared.parameters.len() + usize::from(returns) + at),
            offset: 0,
            ty: &USIZE,
        };
        frame.values[constant.0] = Some(Value::Place(place));
    }
    let mut interpreter = Interpreter {
        module,
        memory,
        runs,
        budget,
        frames: vec![frame],
        allocated: Vec::new(),
        met: Points::default(),
        tracked: true,
    };
    let value = interpreter.block(&declared.body)?;
    if returns {
        let result = Place {
            root: Root::Parameter(declared.parameters.len()),
            offset: 0,
            ty: &declared.result,
        };
        let value = match value {
            Value::Place(place) => interpreter.load(place)?,
            value => value,
        };
        interpreter.store(result, value)?;
    }
    Ok(interpreter.met)
}

/// The type of `const` parameters.
const USIZE: Type = Type::Scalar(ScalarType::Integer(IntegerType::Usize));

/// Deepest nesting of helpers.
const DEEPEST: usize = 64;

struct Frame<'a> {
    function: FunctionId,
    values: Vec<Option<Value<'a>>>,
}

struct Interpreter<'a, 'm> {
    module: &'a Module,
    memory: &'m mut Memory,
    runs: &'m dyn Fn((FunctionId, LoopId)) -> Iterations,
    budget: &'m mut u64,
    frames: Vec<Frame<'a>>,
    /// The extents of arrays that were allocated, and their shapes: the parameters after all others.
    allocated: Vec<(Vec<value::Number>, Vec<usize>)>,
    /// The blocks that ran.
    met: Points,
    /// Whether it is of interest which inputs integers depend on: in subscripts it is not.
    tracked: bool,
}

impl<'a> Interpreter<'a, '_> {
    fn frame(&mut self) -> &mut Frame<'a> {
        self.frames.last_mut().expect("a function runs")
    }

    fn block(&mut self, block: &'a Block) -> Result<Value<'a>> {
        self.met.mark(block.id.0);
        let tracked = std::mem::replace(&mut self.tracked, true);
        let value = self.statements(block);
        self.tracked = tracked;
        value
    }

    fn statements(&mut self, block: &'a Block) -> Result<Value<'a>> {
        for statement in &block.statements {
            match statement {
                Statement::Let(pattern, init) => {
                    let value = match &init.kind {
                        ExpressionKind::Allocate(parts) if !is_local(&init.ty) => {
                            self.allocate(parts, &init.ty)?
                        }
                        _ => self.value(init)?,
                    };
                    self.bind(pattern, value)?;
                }
                Statement::Assign {
                    place,
                    operator,
                    value,
                    ..
                } => {
                    let value = self.value(value)?;
                    let target = self.target(place)?;
                    let value = match operator {
                        None => value,
                        Some(operator) => {
                            let old = match &target {
                                Target::Memory(place) => self.load(*place)?,
                                Target::Local(local) => self.local(local)?.clone(),
                            };
                            arithmetic(*operator, &place.ty, old, value)?
                        }
                    };
                    match target {
                        Target::Memory(place) => self.store(place, value)?,
                        Target::Local(local) => *self.local(&local)? = value,
                    }
                }
                Statement::For(for_loop) => self.for_loop(for_loop)?,
                Statement::Block(inner) => {
                    self.block(inner)?;
                }
                Statement::Effect(choice) => {
                    self.expression(choice)?;
                }
                Statement::Assert(condition, _) => self.assert(condition)?,
            }
        }
        match &block.value {
            Some(value) => self.value(value),
            None => Ok(Value::Tuple(Rc::default())),
        }
    }

    fn for_loop(&mut self, for_loop: &'a ForLoop) -> Result<()> {
        let (start, start_inputs) = self.integer(&for_loop.start)?;
        let (end, end_inputs) = self.integer(&for_loop.end)?;
        let bound = |value: i128| i64::try_from(value).map_err(|_| TOO_LARGE);
        let (start, end) = (bound(start)?, bound(end)?);
        let (first, stride, count) = adapted(&for_loop.adaptors, start, end - start);
        let runs = match combine(&end_inputs, 1, &start_inputs, -1) {
            None => (self.runs)((self.frame().function, for_loop.id)),
            Some(_) => Iterations::ALL,
        };
        let mut iteration = |k: i64| {
            self.spend(1)?;
            let value = Value::Integer(i128::from(first + k * stride), start_inputs.clone());
            self.frame().values[for_loop.variable.0] = Some(value);
            self.block(&for_loop.body).map(|_| ())
        };
        match runs {
            Iterations::First(most) => {
                let count = count.min(i64::try_from(most).unwrap_or(i64::MAX));
                (0..count).try_for_each(iteration)
            }
            Iterations::Listed(all) => all.iter().try_for_each(|k| iteration(*k as i64)),
        }
    }

    /// Takes steps.
    fn spend(&mut self, steps: usize) -> Result<()> {
        let left = self.budget.checked_sub(steps as u64);
        *self.budget = left.ok_or(TOO_LARGE)?;
        Ok(())
    }

    fn bind(&mut self, pattern: &'a Pattern, value: Value<'a>) -> Result<()> {
        match (pattern, value) {
            (Pattern::Wildcard, _) => Ok(()),
            (Pattern::Variable(variable), value) => {
                self.frame().values[variable.0] = Some(value);
                Ok(())
            }
            (Pattern::Tuple(patterns), Value::Tuple(values)) => patterns
                .iter()
                .zip(values.iter())
                .try_for_each(|(p, v)| self.bind(p, v.clone())),
            (Pattern::Tuple(_), _) => Err("this value is no tuple".to_owned()),
        }
    }

    /// An expression's value; no part of a parameter or table unless it is a reference.
    fn value(&mut self, expression: &'a Expression) -> Result<Value<'a>> {
        match self.expression(expression)? {
            Value::Place(place) if !matches!(expression.ty, Type::Reference(..)) => {
                self.load(place)
            }
            Value::Pointer(local) if !matches!(expression.ty, Type::Reference(..)) => {
                self.local(&local).cloned()
            }
            value => Ok(value),
        }
    }

    fn all(&mut self, expressions: &'a [Expression]) -> Result<Rc<Vec<Value<'a>>>> {
        let values: Result<Vec<_>> = expressions.iter().map(|e| self.value(e)).collect();
        values.map(Rc::new)
    }

    fn expression(&mut self, expression: &'a Expression) -> Result<Value<'a>> {
        self.spend(1)?;
        // What makes the longest chains has the smallest frames on the stack.
        match &expression.kind {
            ExpressionKind::Binary(operator, l, r) => {
                self.binary(*operator, (l, r), &expression.ty)
            }
            ExpressionKind::Call(function, arguments) => self.function(*function, arguments),
            _ => self.evaluate(expression),
        }
    }

    fn evaluate(&mut self, expression: &'a Expression) -> Result<Value<'a>> {
        Ok(match &expression.kind {
            ExpressionKind::Float(number) => Value::Scalar(number.field()),
            ExpressionKind::Integer(value) => Value::Integer(*value, None),
            ExpressionKind::Variable(variable) => self.variable(*variable)?,
            ExpressionKind::Table(table) => Value::Place(Place {
                root: Root::Table(table.0),
                offset: 0,
                ty: pointee(&expression.ty),
            }),
            ExpressionKind::Index(base, index) => self.indexed(base, index)?,
            ExpressionKind::Field(base, at) => match self.value(base)? {
                Value::Tuple(fields) => element(&fields, *at as i128)?.clone(),
                _ => return Err("this is no tuple".to_owned()),
            },
            ExpressionKind::Tuple(fields) => Value::Tuple(self.all(fields)?),
            ExpressionKind::Array(elements) => Value::Array(self.all(elements)?),
            ExpressionKind::Repeat(element, n) => self.repeat(element, *n)?,
            ExpressionKind::Allocate(parts) if is_local(&expression.ty) => {
                self.local_array(parts)?
            }
            ExpressionKind::Negate(operand) => self.negation(operand, &expression.ty)?,
            ExpressionKind::Compare(operator, l, r) => {
                let (l, r) = self.both(l, r)?;
                Value::Bool(compare(*operator, l, r)?)
            }
            ExpressionKind::Bool(..) | ExpressionKind::Logical(..) | ExpressionKind::Not(_) => {
                Value::Bool(self.holds(expression)?)
            }
            ExpressionKind::Cast(operand) => self.cast(operand, &expression.ty)?,
            ExpressionKind::Helper(function, arguments) => self.helper(*function, arguments)?,
            ExpressionKind::Reference(operand) => match (&expression.ty, &operand.kind) {
                (Type::Reference(_, true), _) => match self.target(operand)? {
                    Target::Memory(place) => Value::Place(place),
                    Target::Local(local) => Value::Pointer(Rc::new(local)),
                },
                _ => self.expression(operand)?,
            },
            ExpressionKind::Dereference(operand) => self.expression(operand)?,
            ExpressionKind::Length(operand, axis) => self.length(operand, *axis)?,
            ExpressionKind::If(condition, then, otherwise) => {
                self.choice(condition, then, otherwise)?
            }
            ExpressionKind::Block(block) => self.block(block)?,
            ExpressionKind::Integers(method, operands) => {
                self.integer_method(*method, operands, &expression.ty)?
            }
            ExpressionKind::Binary(..)
            | ExpressionKind::Call(..)
            | ExpressionKind::Part { .. }
            | ExpressionKind::Column(..)
            | ExpressionKind::Outside(_)
            | ExpressionKind::Text(_)
            | ExpressionKind::Allocate(_) => {
                return Err("this has no meaning but the text's own".to_owned());
            }
        })
    }

    // Operations are in functions of their own, whose frames do not stand on the stack below others.

    fn repeat(&mut self, element: &'a Expression, n: usize) -> Result<Value<'a>> {
        let element = self.value(element)?;
        self.spend(n / 16)?;
        Ok(Value::Array(Rc::new(vec![element; n])))
    }

    fn negation(&mut self, operand: &'a Expression, ty: &Type) -> Result<Value<'a>> {
        Ok(match self.scalar(operand)? {
            Value::Integer(value, inputs) => {
                let negated = integers::negated(value::integer(ty)?, value)?;
                Value::Integer(negated, combine(&inputs, -1, &None, 0))
            }
            value => Value::Scalar(-field(value)?),
        })
    }

    fn both(&mut self, l: &'a Expression, r: &'a Expression) -> Result<(Value<'a>, Value<'a>)> {
        Ok((self.scalar(l)?, self.scalar(r)?))
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        (l, r): (&'a Expression, &'a Expression),
        ty: &Type,
    ) -> Result<Value<'a>> {
        let (l, r) = self.both(l, r)?;
        arithmetic(operator, ty, l, r)
    }

    fn function(&mut self, function: Elementary, arguments: &'a [Expression]) -> Result<Value<'a>> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(field(self.scalar(argument)?)?);
        }
        Ok(Value::Scalar(uninterpreted::apply(function, &values)))
    }

    fn integer_method(
        &mut self,
        method: IntegerMethod,
        operands: &'a [Expression],
        ty: &Type,
    ) -> Result<Value<'a>> {
        let (mut values, mut inputs) = (Vec::new(), None);
        for operand in operands {
            let (value, of) = self.integer(operand)?;
            values.push(value);
            inputs = combine(&inputs, 1, &of, 1);
        }
        let ty = value::integer(ty)?;
        Ok(Value::Integer(
            integers::method(method, ty, &values)?,
            inputs,
        ))
    }

    fn indexed(&mut self, base: &'a Expression, index: &'a Expression) -> Result<Value<'a>> {
        let at = self.subscript(index)?;
        if let ExpressionKind::Variable(variable) = &base.kind
            && let Some(Value::Place(place)) = &self.frame().values[variable.0]
        {
            let place = *place;
            self.spend(1)?;
            return Ok(Value::Place(self.element(place, at)?));
        }
        Ok(match self.expression(base)? {
            Value::Place(place) => Value::Place(self.element(place, at)?),
            Value::Array(elements) => element(&elements, at)?.clone(),
            Value::Pointer(local) => match self.local(&local)? {
                Value::Array(elements) => element(elements, at)?.clone(),
                _ => return Err("this is no array".to_owned()),
            },
            _ => return Err("this is no array".to_owned()),
        })
    }

    fn variable(&mut self, variable: VariableId) -> Result<Value<'a>> {
        let value = self.frame().values[variable.0].clone();
        value.ok_or_else(|| "a variable is read before it has a value".to_owned())
    }

    fn helper(&mut self, id: FunctionId, arguments: &'a [Expression]) -> Result<Value<'a>> {
        let function = &self.module.functions[id.0];
        if self.frames.len() >= DEEPEST {
            return Err(format!("`{}` calls itself", function.name));
        }
        let mut values = vec![None; function.variables.len()];
        let tracked = std::mem::replace(&mut self.tracked, true);
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            values[parameter.variable.0] = Some(self.value(argument)?);
        }
        self.tracked = tracked;
        self.frames.push(Frame {
            function: id,
            values,
        });
        let value = self.block(&function.body);
        self.frames.pop();
        value
    }

    /// A number, an integer or a condition: references are followed.
    fn scalar(&mut self, expression: &'a Expression) -> Result<Value<'a>> {
        match self.expression(expression)? {
            Value::Place(place) => self.load(place),
            Value::Pointer(local) => self.local(&local).cloned(),
            value => Ok(value),
        }
    }

    /// A subscript's value; most are variables.
    fn subscript(&mut self, index: &'a Expression) -> Result<i128> {
        if let ExpressionKind::Variable(variable) = &index.kind
            && let Some(Value::Integer(value, _)) = &self.frame().values[variable.0]
        {
            let value = *value;
            self.spend(1)?;
            return Ok(value);
        }
        let tracked = std::mem::replace(&mut self.tracked, false);
        let at = self.integer(index);
        self.tracked = tracked;
        Ok(at?.0)
    }

    fn integer(&mut self, expression: &'a Expression) -> Result<(i128, value::Inputs)> {
        match self.scalar(expression)? {
            Value::Integer(value, inputs) => Ok((value, inputs)),
            _ => Err("an integer was expected".to_owned()),
        }
    }
}
