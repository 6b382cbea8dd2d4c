//! Operations of a kernel's text as written.

use std::collections::HashMap;

use super::ast::{
    BinaryOperator, Block, Expression, ExpressionKind, ForLoop, Function, FunctionId, Module,
    ScalarType, Statement, Type, VariableId, adapted,
};
pub use super::call_cost::of_call;

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
        *self = self.zip(other, u64::saturating_add);
    }

    fn times(self, n: u64) -> Operations {
        self.zip(Operations::default(), |own, _| own.saturating_mul(n))
    }

    fn zip(self, other: Operations, of: impl Fn(u64, u64) -> u64) -> Operations {
        Operations {
            add: of(self.add, other.add),
            mul: of(self.mul, other.mul),
            div: of(self.div, other.div),
            compare: of(self.compare, other.compare),
            call: of(self.call, other.call),
        }
    }

    fn total(self) -> u64 {
        [self.add, self.mul, self.div, self.compare, self.call]
            .into_iter()
            .fold(0, u64::saturating_add)
    }
}

/// What the text costs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceCost {
    /// Loops of run-time length whose one iteration `each` counts, outermost first.
    pub per: Vec<String>,
    /// Inside of any of these loops; of all, where there are none.
    pub each: Operations,
    /// Outside of all of them.
    pub once: Operations,
    /// Long loops whose inner loops follow them were not counted iteration by iteration, and not found to
    /// follow a formula either.
    pub estimated: bool,
}

/// Counts a kernel, helpers inlined.
pub fn cost(module: &Module, function: &Function) -> SourceCost {
    let mut counter = Counter {
        module,
        per: Vec::new(),
        visits: 0,
        estimated: false,
        helpers: HashMap::new(),
    };
    let mut integers = vec![None; function.variables.len()];
    let Count { mut each, mut once } = counter.block(function, &function.body, &mut integers);
    if counter.per.is_empty() {
        each.plus(std::mem::take(&mut once));
    }
    SourceCost {
        per: counter.per,
        each,
        once,
        estimated: counter.estimated,
    }
}

/// Blocks that are counted at most: a limit on work.
const MOST_VISITS: usize = 1 << 16;
/// Iterations of a loop that are counted one by one where loops inside follow it.
const MOST_ITERATIONS: i64 = 64;
/// The degree of the polynomials in the iteration that operations of longer ones are taken for.
const DEGREE: usize = 4;

/// Operations inside of run-time loops, and outside of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    each: Operations,
    once: Operations,
}

impl Count {
    fn plus(&mut self, other: Count) {
        self.each.plus(other.each);
        self.once.plus(other.once);
    }

    fn times(self, n: i64) -> Count {
        let n = u64::try_from(n).unwrap_or(0);
        Count {
            each: self.each.times(n),
            once: self.once.times(n),
        }
    }

    fn total(self) -> u64 {
        self.each.total().saturating_add(self.once.total())
    }

    fn numbers(self) -> [u64; 10] {
        let of = |o: Operations| [o.add, o.mul, o.div, o.compare, o.call];
        let ([a, b, c, d, e], [f, g, h, i, j]) = (of(self.each), of(self.once));
        [a, b, c, d, e, f, g, h, i, j]
    }

    fn from_numbers([a, b, c, d, e, f, g, h, i, j]: [u64; 10]) -> Count {
        let of = |[add, mul, div, compare, call]: [u64; 5]| Operations {
            add,
            mul,
            div,
            compare,
            call,
        };
        Count {
            each: of([a, b, c, d, e]),
            once: of([f, g, h, i, j]),
        }
    }
}

/// The sum of a polynomial over `0..count`, by its first values; its value at an iteration.
fn newton(values: &[i128], count: i128, at: i128) -> (i128, i128) {
    let mut differences = values.to_vec();
    let (mut sum, mut value) = (0, 0);
    // Binomial coefficients of `count` and `at`.
    let (mut over_count, mut over_at) = (count, 1);
    for k in 0..values.len() as i128 {
        let first = differences[0];
        sum = i128::saturating_add(sum, first.saturating_mul(over_count));
        value = i128::saturating_add(value, first.saturating_mul(over_at));
        over_count = over_count.saturating_mul(count - k - 1) / (k + 2);
        over_at = over_at.saturating_mul(at - k) / (k + 1);
        differences = differences
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .collect();
    }
    (sum, value)
}

/// What a helper takes, by what is known of its arguments.
type Helpers = HashMap<(FunctionId, Vec<Option<i64>>), Count>;

struct Counter<'a> {
    module: &'a Module,
    per: Vec<String>,
    visits: usize,
    estimated: bool,
    helpers: Helpers,
}

type Integers = Vec<Option<i64>>;

impl Counter<'_> {
    fn block(&mut self, function: &Function, block: &Block, integers: &mut Integers) -> Count {
        self.visits += 1;
        let mut sum = Count::default();
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
                            Some(BinaryOperator::Add | BinaryOperator::Subtract) => {
                                sum.once.add += 1
                            }
                            Some(BinaryOperator::Multiply) => sum.once.mul += 1,
                            Some(_) => sum.once.div += 1,
                            None => {}
                        }
                    }
                }
                Statement::For(inner) => sum.plus(self.for_loop(function, inner, integers)),
                Statement::Block(inner) => sum.plus(self.block(function, inner, integers)),
                Statement::Effect(value) | Statement::Assert(value) => {
                    sum.plus(self.expression(function, value, integers));
                }
            }
        }
        if let Some(value) = &block.value {
            sum.plus(self.expression(function, value, integers));
        }
        sum
    }

    fn for_loop(&mut self, function: &Function, inner: &ForLoop, integers: &mut Integers) -> Count {
        let bounds = (
            self.integer(&inner.start, integers),
            self.integer(&inner.end, integers),
        );
        let (Some(start), Some(end)) = bounds else {
            let name = function.variables[inner.variable.0].name.to_string();
            if !self.per.contains(&name) {
                self.per.push(name);
            }
            let mut body = self.block(function, &inner.body, integers);
            body.each.plus(std::mem::take(&mut body.once));
            return body;
        };
        let (first, stride, count) = adapted(&inner.adaptors, start, end.saturating_sub(start));
        if count <= 0 {
            return Count::default();
        }
        if !used_in_bounds(&inner.body, inner.variable) {
            return self.block(function, &inner.body, integers).times(count);
        }
        let mut one = |counter: &mut Self, k: i64| {
            integers[inner.variable.0] = Some(first.saturating_add(k.saturating_mul(stride)));
            counter.block(function, &inner.body, integers)
        };
        if self.visits > MOST_VISITS {
            self.estimated = true;
            return one(self, count / 2).times(count);
        }
        if count <= MOST_ITERATIONS {
            let mut sum = Count::default();
            for k in 0..count {
                sum.plus(one(self, k));
            }
            return sum;
        }
        let firsts: Vec<Count> = (0..DEGREE as i64).map(|k| one(self, k)).collect();
        let checked = [count / 2, count - 1].map(|k| (k, one(self, k)));
        self.sum(&firsts, &checked, count)
    }

    /// The sum over the iterations of a loop whose inner loops follow it, from those of a few.
    fn sum(&mut self, firsts: &[Count], checked: &[(i64, Count); 2], count: i64) -> Count {
        let mut sums = [0; 10];
        for (at, sum) in sums.iter_mut().enumerate() {
            let number = |count: &Count| i128::from(count.numbers()[at]);
            let values: Vec<i128> = firsts.iter().map(number).collect();
            let mut holds = checked.iter().map(|(k, count)| {
                newton(&values, i128::from(*k), i128::from(*k)).1 == number(count)
            });
            let total = if holds.all(|holds| holds) {
                newton(&values, i128::from(count), 0).0
            } else {
                self.estimated = true;
                number(&checked[0].1).saturating_mul(i128::from(count))
            };
            *sum = u64::try_from(total).unwrap_or(u64::MAX);
        }
        Count::from_numbers(sums)
    }

    fn expression(
        &mut self,
        function: &Function,
        expression: &Expression,
        integers: &mut Integers,
    ) -> Count {
        let mut sum = Count::default();
        let float = is_float(&expression.ty);
        match &expression.kind {
            ExpressionKind::Float(_)
            | ExpressionKind::Integer(_)
            | ExpressionKind::Bool(_)
            | ExpressionKind::Variable(_)
            | ExpressionKind::Table(_) => {}
            ExpressionKind::Binary(operator, l, r) => {
                sum.plus(self.expression(function, l, integers));
                sum.plus(self.expression(function, r, integers));
                let generic = expression.ty == Type::Scalar(ScalarType::Generic);
                if float && (generic || !is_constant(expression)) {
                    match operator {
                        BinaryOperator::Add | BinaryOperator::Subtract => sum.once.add += 1,
                        BinaryOperator::Multiply => sum.once.mul += 1,
                        BinaryOperator::Divide | BinaryOperator::Remainder => sum.once.div += 1,
                    }
                }
            }
            ExpressionKind::Logical(_, l, r) | ExpressionKind::Index(l, r) => {
                sum.plus(self.expression(function, l, integers));
                sum.plus(self.expression(function, r, integers));
            }
            ExpressionKind::Compare(_, l, r) => {
                sum.plus(self.expression(function, l, integers));
                sum.plus(self.expression(function, r, integers));
                sum.once.compare += u64::from(is_float(&l.ty));
            }
            ExpressionKind::Call(elementary, arguments) => {
                for argument in arguments {
                    sum.plus(self.expression(function, argument, integers));
                }
                sum.once.plus(of_call(*elementary));
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
            // Neither stands in a tree that was read.
            ExpressionKind::Part { .. } | ExpressionKind::Column(..) => {}
            ExpressionKind::Not(a)
            | ExpressionKind::Field(a, _)
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
    fn helper(&mut self, id: FunctionId, arguments: &[Expression], integers: &Integers) -> Count {
        let helper = &self.module.functions[id.0];
        let mut inside = vec![None; helper.variables.len()];
        for (parameter, argument) in helper.parameters.iter().zip(arguments) {
            inside[parameter.variable.0] = self.integer(argument, integers);
        }
        let key = (id, inside.clone());
        if let Some(known) = self.helpers.get(&key) {
            return *known;
        }
        let count = self.block(helper, &helper.body, &mut inside);
        self.helpers.insert(key, count);
        count
    }

    /// The value of an integer expression, if it is known now.
    fn integer(&self, expression: &Expression, integers: &Integers) -> Option<i64> {
        match &expression.kind {
            ExpressionKind::Integer(value) => i64::try_from(*value).ok(),
            ExpressionKind::Variable(v) => integers[v.0],
            ExpressionKind::Cast(a) | ExpressionKind::Dereference(a) => self.integer(a, integers),
            ExpressionKind::Negate(a) => self.integer(a, integers).and_then(i64::checked_neg),
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
        Statement::Effect(value) => {
            let mut blocks = value.blocks().into_iter();
            blocks.any(|block| used_in_bounds(block, variable))
        }
        _ => false,
    })
}
