//! Operations of a kernel's text as written.

use super::ast::{
    BinaryOperator, Block, Elementary, Expression, ExpressionKind, Function, FunctionId, Module,
    ScalarType, Statement, Type, VariableId, adapted,
};

/// Counted operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Additions and subtractions.
    pub add: u64,
    /// Multiplications.
    pub mul: u64,
    /// Divisions.
    pub div: u64,
    /// Comparisons, minima and maxima.
    pub compare: u64,
    /// Elementary functions.
    pub call: u64,
}

impl Operations {
    fn plus(&mut self, other: Operations) {
        self.add += other.add;
        self.mul += other.mul;
        self.div += other.div;
        self.compare += other.compare;
        self.call += other.call;
    }

    fn times(self, n: u64) -> Operations {
        Operations {
            add: self.add * n,
            mul: self.mul * n,
            div: self.div * n,
            compare: self.compare * n,
            call: self.call * n,
        }
    }

    fn total(self) -> u64 {
        self.add + self.mul + self.div + self.compare + self.call
    }
}

/// What the text costs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceCost {
    /// Loops of run-time length whose one iteration `each` counts, outermost first.
    pub per: Vec<String>,
    /// In all of these loops.
    pub each: Operations,
    /// Outside of some of them.
    pub once: Operations,
}

/// Counts a kernel, helpers inlined.
pub fn cost(module: &Module, function: &Function) -> SourceCost {
    let mut counter = Counter {
        module,
        result: SourceCost::default(),
    };
    let mut integers = vec![None; function.variables.len()];
    let rest = counter.block(function, &function.body, &mut integers);
    let mut result = counter.result;
    if result.per.is_empty() {
        result.each.plus(rest);
    } else {
        result.once.plus(rest);
    }
    result
}

struct Counter<'a> {
    module: &'a Module,
    result: SourceCost,
}

type Integers = Vec<Option<i64>>;

impl Counter<'_> {
    /// Operations of a block outside of the run-time loops in it.
    fn block(&mut self, function: &Function, block: &Block, integers: &mut Integers) -> Operations {
        let mut sum = Operations::default();
        for statement in &block.statements {
            match statement {
                Statement::Let(pattern, value) => {
                    sum.plus(self.expression(function, value, integers));
                    if let super::ast::Pattern::Variable(v) = pattern {
                        integers[v.0] = self.integer(value, integers);
                    }
                }
                Statement::Assign {
                    place,
                    operator,
                    value,
                    ..
                } => {
                    sum.plus(self.expression(function, place, integers));
                    sum.plus(self.expression(function, value, integers));
                    if is_float(&place.ty) {
                        match operator {
                            Some(BinaryOperator::Add | BinaryOperator::Subtract) => sum.add += 1,
                            Some(BinaryOperator::Multiply) => sum.mul += 1,
                            Some(_) => sum.div += 1,
                            None => {}
                        }
                    }
                }
                Statement::For(inner) => {
                    let bounds = (
                        self.integer(&inner.start, integers),
                        self.integer(&inner.end, integers),
                    );
                    if let (Some(start), Some(end)) = bounds {
                        if used_in_bounds(&inner.body, inner.variable) {
                            let (first, stride, count) =
                                adapted(&inner.adaptors, start, end - start);
                            for k in 0..count {
                                integers[inner.variable.0] = Some(first + k * stride);
                                sum.plus(self.block(function, &inner.body, integers));
                            }
                        } else {
                            let body = self.block(function, &inner.body, integers);
                            let count = adapted(&inner.adaptors, start, end - start).2;
                            sum.plus(body.times(count as u64));
                        }
                    } else {
                        let name = function.variables[inner.variable.0].name.to_string();
                        if !self.result.per.contains(&name) {
                            self.result.per.push(name);
                        }
                        let before = self.result.per.len();
                        let body = self.block(function, &inner.body, integers);
                        if self.result.per.len() == before {
                            self.result.each.plus(body);
                        } else {
                            self.result.once.plus(body);
                        }
                    }
                }
                Statement::Block(inner) => sum.plus(self.block(function, inner, integers)),
            }
        }
        if let Some(value) = &block.value {
            sum.plus(self.expression(function, value, integers));
        }
        sum
    }

    fn expression(
        &mut self,
        function: &Function,
        expression: &Expression,
        integers: &mut Integers,
    ) -> Operations {
        let mut sum = Operations::default();
        let float = is_float(&expression.ty);
        match &expression.kind {
            ExpressionKind::Float(_)
            | ExpressionKind::Integer(_)
            | ExpressionKind::Variable(_)
            | ExpressionKind::Table(_) => {}
            ExpressionKind::Binary(operator, l, r) => {
                sum.plus(self.expression(function, l, integers));
                sum.plus(self.expression(function, r, integers));
                let generic = expression.ty == Type::Scalar(ScalarType::Generic);
                if float && (generic || !is_constant(expression)) {
                    match operator {
                        BinaryOperator::Add | BinaryOperator::Subtract => sum.add += 1,
                        BinaryOperator::Multiply => sum.mul += 1,
                        BinaryOperator::Divide | BinaryOperator::Remainder => sum.div += 1,
                    }
                }
            }
            ExpressionKind::Compare(_, l, r) => {
                sum.plus(self.expression(function, l, integers));
                sum.plus(self.expression(function, r, integers));
                sum.compare += u64::from(is_float(&l.ty));
            }
            ExpressionKind::Call(elementary, arguments) => {
                for argument in arguments {
                    sum.plus(self.expression(function, argument, integers));
                }
                sum.plus(of_call(*elementary));
            }
            ExpressionKind::Helper(id, arguments) => {
                for argument in arguments {
                    sum.plus(self.expression(function, argument, integers));
                }
                sum.plus(self.helper(*id, arguments, integers));
            }
            ExpressionKind::If(condition, then, otherwise) => {
                sum.plus(self.expression(function, condition, integers));
                let then = self.block(function, then, integers);
                let otherwise = self.block(function, otherwise, integers);
                sum.plus(if then.total() >= otherwise.total() {
                    then
                } else {
                    otherwise
                });
            }
            ExpressionKind::Block(block) => sum.plus(self.block(function, block, integers)),
            ExpressionKind::Repeat(element, _) => {
                sum.plus(self.expression(function, element, integers))
            }
            ExpressionKind::Index(a, b) => {
                sum.plus(self.expression(function, a, integers));
                sum.plus(self.expression(function, b, integers));
            }
            ExpressionKind::Field(a, _)
            | ExpressionKind::Negate(a)
            | ExpressionKind::Cast(a)
            | ExpressionKind::Reference(a)
            | ExpressionKind::Dereference(a)
            | ExpressionKind::Length(a, _) => sum.plus(self.expression(function, a, integers)),
            ExpressionKind::Tuple(all)
            | ExpressionKind::Array(all)
            | ExpressionKind::Integers(_, all)
            | ExpressionKind::Allocate(all)
            | ExpressionKind::Outside(all) => {
                for part in all {
                    sum.plus(self.expression(function, part, integers));
                }
            }
        }
        sum
    }

    /// What a helper's body takes.
    fn helper(
        &mut self,
        id: FunctionId,
        arguments: &[Expression],
        integers: &Integers,
    ) -> Operations {
        let helper = &self.module.functions[id.0];
        let mut inside = vec![None; helper.variables.len()];
        for (parameter, argument) in helper.parameters.iter().zip(arguments) {
            inside[parameter.variable.0] = self.integer(argument, integers);
        }
        self.block(helper, &helper.body, &mut inside)
    }

    /// The value of an integer expression, if it is known now.
    fn integer(&self, expression: &Expression, integers: &Integers) -> Option<i64> {
        match &expression.kind {
            ExpressionKind::Integer(value) => Some(*value),
            ExpressionKind::Variable(v) => integers[v.0],
            ExpressionKind::Cast(a) | ExpressionKind::Dereference(a) => self.integer(a, integers),
            ExpressionKind::Negate(a) => self.integer(a, integers).map(|v| -v),
            ExpressionKind::Binary(operator, l, r) => {
                let (l, r) = (self.integer(l, integers)?, self.integer(r, integers)?);
                match operator {
                    BinaryOperator::Add => l.checked_add(r),
                    BinaryOperator::Subtract => l.checked_sub(r),
                    BinaryOperator::Multiply => l.checked_mul(r),
                    BinaryOperator::Divide => l.checked_div(r),
                    BinaryOperator::Remainder => l.checked_rem(r),
                }
            }
            _ => None,
        }
    }
}

fn is_float(ty: &Type) -> bool {
    matches!(
        super::types::behind(ty),
        Type::Scalar(ScalarType::F64 | ScalarType::F32 | ScalarType::Generic)
    )
}

/// Arithmetic on literals in `T::from_f64(…)` is done in `f64`, which nobody counts.
fn is_constant(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Float(_) => true,
        ExpressionKind::Negate(a) => is_constant(a),
        ExpressionKind::Binary(_, l, r) => is_constant(l) && is_constant(r),
        _ => false,
    }
}

/// Whether a loop's variable occurs in the bounds of a loop inside.
fn used_in_bounds(block: &Block, variable: VariableId) -> bool {
    fn mentions(expression: &Expression, variable: VariableId) -> bool {
        match &expression.kind {
            ExpressionKind::Variable(v) => *v == variable,
            ExpressionKind::Binary(_, l, r) => mentions(l, variable) || mentions(r, variable),
            ExpressionKind::Cast(a) | ExpressionKind::Negate(a) => mentions(a, variable),
            _ => false,
        }
    }
    block.statements.iter().any(|statement| match statement {
        Statement::For(inner) => {
            mentions(&inner.start, variable)
                || mentions(&inner.end, variable)
                || used_in_bounds(&inner.body, variable)
        }
        Statement::Block(inner) => used_in_bounds(inner, variable),
        _ => false,
    })
}

/// What a function takes besides its arguments.
pub fn of_call(function: Elementary) -> Operations {
    let mut result = Operations::default();
    match function {
        Elementary::Abs => {}
        Elementary::Min | Elementary::Max => result.compare += 1,
        Elementary::MulAdd => {
            result.add += 1;
            result.mul += 1;
        }
        Elementary::Recip => result.div += 1,
        Elementary::Powi(n) => {
            result.mul += u64::from(n.unsigned_abs().saturating_sub(1));
            result.div += u64::from(n < 0);
        }
        _ => result.call += 1,
    }
    result
}
