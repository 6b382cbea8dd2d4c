//! Operations of a kernel's text as written.
//!
//! Those on integers count where they are data (see `Data`): what leads to subscripts and bounds counts neither
//! here nor in a program, where it is an affine function.

mod calls;
mod count;
mod known;

use std::rc::Rc;

use super::ast::{
    Block, Expression, ExpressionKind, ForLoop, Function, FunctionId, Module, Pattern, ScalarType,
    Statement, Type, VariableId, adapted,
};
use super::relevant::{Data, is_integer};
use crate::collections::{HashMap, HashSet};
pub use calls::of_call;
use calls::of_method;
pub use count::Operations;
use count::{Count, DEGREE, newton};
use known::{Integers, decides_conditions, integer, used_in_bounds};

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
        integers: function.scalar_parameter.is_none(),
        helpers: HashMap::default(),
    };
    let mut frame = Frame {
        data: Rc::new(Data::of(function, HashSet::default())),
        integers: vec![None; function.variables.len()],
        function,
        counted: function.scalar_parameter.is_none(),
        fixed: function.scalar_parameter.is_none(),
    };
    let Count { mut each, mut once } = counter.block(&function.body, &mut frame);
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

/// What a helper takes, by what is known of its arguments, which of them are data, and whether its value is.
type Helpers = HashMap<(FunctionId, Vec<Option<i64>>, Vec<VariableId>, bool), Count>;

struct Counter<'a> {
    module: &'a Module,
    per: Vec<String>,
    visits: usize,
    estimated: bool,
    /// Operations on integers count: not in a generic kernel, whose number type counts its own alone.
    integers: bool,
    helpers: Helpers,
}

/// A function while its text is counted.
struct Frame<'a> {
    function: &'a Function,
    data: Rc<Data>,
    /// Those variables whose values are known.
    integers: Integers,
    /// Not in a subscript, a bound or an extent.
    counted: bool,
    /// Operations on floating-point numbers of fixed types count: not in a generic kernel.
    fixed: bool,
}

impl Frame<'_> {
    /// Whether an operation counts that has this value.
    fn counts(&self, value: &Expression) -> bool {
        match is_float(&value.ty) {
            true if value.ty == Type::Scalar(ScalarType::Generic) => true,
            true => self.fixed && !is_constant(value),
            false => self.counted && self.data.has(value),
        }
    }

    /// Whether operations count whose value a pattern is bound to.
    fn binds_data(&self, pattern: &Pattern) -> bool {
        match pattern {
            Pattern::Variable(variable) => !self.data.is_address(*variable),
            Pattern::Wildcard | Pattern::Tuple(_) => true,
        }
    }

    /// Whether operations count whose value is assigned.
    fn takes_data(&self, place: &Expression) -> bool {
        match &place.kind {
            ExpressionKind::Variable(variable) => !self.data.is_address(*variable),
            _ => true,
        }
    }
}

impl<'a> Counter<'a> {
    fn block(&mut self, block: &Block, frame: &mut Frame<'a>) -> Count {
        self.visits += 1;
        let mut sum = Count::default();
        for statement in &block.statements {
            match statement {
                Statement::Let(pattern, value) => {
                    let counted = frame.binds_data(pattern);
                    sum.plus(self.where_counted(counted, value, frame));
                    if let Pattern::Variable(v) = pattern {
                        frame.integers[v.0] = integer(value, &frame.integers);
                    }
                }
                Statement::Assign {
                    place,
                    operator,
                    value,
                    ..
                } => {
                    let counted = frame.takes_data(place);
                    sum.plus(self.expression(place, frame));
                    sum.plus(self.where_counted(counted, value, frame));
                    if let Some(operator) = operator
                        && (counted || is_float(&place.ty))
                    {
                        sum.once.plus(Operations::of(*operator));
                    }
                }
                Statement::For(inner) => sum.plus(self.for_loop(inner, frame)),
                Statement::Block(inner) => sum.plus(self.block(inner, frame)),
                Statement::Effect(value) | Statement::Assert(value, _) => {
                    sum.plus(self.expression(value, frame));
                }
            }
        }
        if let Some(value) = &block.value {
            sum.plus(self.expression(value, frame));
        }
        sum
    }

    fn for_loop(&mut self, inner: &ForLoop, frame: &mut Frame<'a>) -> Count {
        let bounds = (
            integer(&inner.start, &frame.integers),
            integer(&inner.end, &frame.integers),
        );
        let (Some(start), Some(end)) = bounds else {
            let name = frame.function.variables[inner.variable.0].name.to_string();
            if !self.per.contains(&name) {
                self.per.push(name);
            }
            let mut body = self.block(&inner.body, frame);
            body.each.plus(std::mem::take(&mut body.once));
            return body;
        };
        let (first, stride, count) = adapted(&inner.adaptors, start, end.saturating_sub(start));
        if count <= 0 {
            return Count::default();
        }
        let decides = count <= MOST_ITERATIONS && decides_conditions(&inner.body, inner.variable);
        if !decides && !used_in_bounds(&inner.body, inner.variable) {
            return self.block(&inner.body, frame).times(count);
        }
        let mut one = |counter: &mut Self, k: i64| {
            frame.integers[inner.variable.0] = Some(first.saturating_add(k.saturating_mul(stride)));
            counter.block(&inner.body, frame)
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

    /// An expression whose integers lead to data, or to a subscript or the like.
    fn where_counted(
        &mut self,
        counted: bool,
        expression: &Expression,
        frame: &mut Frame<'a>,
    ) -> Count {
        let before = frame.counted;
        frame.counted &= counted;
        let sum = self.expression(expression, frame);
        frame.counted = before;
        sum
    }

    fn expression(&mut self, expression: &Expression, frame: &mut Frame<'a>) -> Count {
        let mut sum = match &expression.kind {
            ExpressionKind::Index(base, subscript) => {
                let mut sum = self.expression(base, frame);
                sum.plus(self.where_counted(false, subscript, frame));
                sum
            }
            ExpressionKind::Helper(id, arguments) => return self.helper(*id, arguments, frame),
            ExpressionKind::If(condition, then, otherwise) => {
                let mut sum = self.expression(condition, frame);
                sum.plus(match known::condition(condition, &frame.integers) {
                    Some(true) => self.block(then, frame),
                    Some(false) => self.block(otherwise, frame),
                    None => {
                        let (then, otherwise) =
                            (self.block(then, frame), self.block(otherwise, frame));
                        match then.total() >= otherwise.total() {
                            true => then,
                            false => otherwise,
                        }
                    }
                });
                return sum;
            }
            ExpressionKind::Block(block) => return self.block(block, frame),
            kind => {
                let counted = !matches!(kind, ExpressionKind::Allocate(_));
                let mut sum = Count::default();
                for operand in expression.operands() {
                    sum.plus(self.where_counted(counted, operand, frame));
                }
                sum
            }
        };
        sum.once.plus(self.own(expression, frame));
        sum
    }

    /// What an operation takes besides its operands.
    fn own(&self, expression: &Expression, frame: &Frame) -> Operations {
        match &expression.kind {
            ExpressionKind::Binary(operator, ..) if frame.counts(expression) => {
                Operations::of(*operator)
            }
            ExpressionKind::Compare(_, l, r) => Operations {
                compare: u64::from(is_float(&l.ty) || frame.counts(l) || frame.counts(r)),
                ..Operations::default()
            },
            ExpressionKind::Call(elementary, _) => of_call(*elementary),
            ExpressionKind::Integers(method, operands) if frame.counts(expression) => {
                let second = operands.get(1);
                of_method(*method, second.and_then(|e| integer(e, &frame.integers)))
            }
            _ => Operations::default(),
        }
    }

    /// What a helper's body takes, and its arguments.
    fn helper(&mut self, id: FunctionId, arguments: &[Expression], frame: &mut Frame<'a>) -> Count {
        let helper = &self.module.functions[id.0];
        let mut integers = vec![None; helper.variables.len()];
        let variables = helper.parameters.iter().map(|parameter| parameter.variable);
        let pairs: Vec<_> = variables.zip(arguments).collect();
        let mut given = Vec::new();
        for (variable, argument) in &pairs {
            integers[variable.0] = integer(argument, &frame.integers);
            if frame.data.has(argument) {
                given.push(*variable);
            }
        }
        let data = Rc::new(Data::of(helper, given.iter().copied().collect()));
        let mut sum = Count::default();
        for (variable, argument) in pairs {
            sum.plus(self.where_counted(!data.is_address(variable), argument, frame));
        }
        let counted = self.integers && (frame.counted || !is_integer(&helper.result));
        let key = (id, integers.clone(), given, counted);
        let body = match self.helpers.get(&key) {
            Some(known) => *known,
            None => {
                let mut inside = Frame {
                    function: helper,
                    data,
                    integers,
                    counted,
                    fixed: frame.fixed,
                };
                let count = self.block(&helper.body, &mut inside);
                self.helpers.insert(key, count);
                count
            }
        };
        sum.plus(body);
        sum
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
