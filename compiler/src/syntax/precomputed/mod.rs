//! Integers that a call computes before a program runs: `x.len() / width`, and products that loops run to.
//!
//! A program knows affine functions of what it is given. Others of lengths and integer parameters, which no loop
//! changes, are numbers that a call can compute: they are parameters of the program that the text does not have.
//! A slice of rows of run-time width has a number of rows so, and is an array of two dimensions (`lower/flat.rs`).
//!
//! Where a step of such a computation divides by zero or overflows the text runs, which does what Rust does.

mod bound;
mod facts;
mod given;
mod periods;
mod positions;
mod repeated;
mod whole;

use proc_macro2::Ident;

use crate::collections::{HashMap, HashSet};
use crate::diagnostics::Span;
use crate::syntax::ast::{
    Adaptor, BinaryOperator, Block, Expression, ExpressionKind, ForLoop, Function, Given,
    IntegerMethod, Parameter, Pattern, Statement, Table, Variable, VariableId,
};
use crate::syntax::expressions::typed;
use crate::syntax::parts::{computed, number};
use crate::syntax::scope::USIZE;
use crate::syntax::types::behind;
pub use whole::{Whole, WholeOperator};

/// The function with parameters for such integers, and the tables that it has then; nothing where it has no such integers.
#[must_use]
pub fn precomputed(tables: &[Table], function: &Function) -> Option<(Function, Vec<Table>)> {
    let mut result = function.clone();
    let mut reader = Precomputing {
        tables: tables.to_vec(),
        arrays: repeated::arrays(function),
        repeated: Vec::new(),
        wholes: given::leaves(function),
        lengths: given::lengths(function),
        parts: HashMap::default(),
        assigned: bound::assigned(function),
        given: function.parameters.iter().map(|p| p.variable).collect(),
        counters: positions::counters(function),
        variables: std::mem::take(&mut result.variables),
        loops: function.loops,
        periodic: false,
        made: Vec::new(),
    };
    reader.block(&mut result.body);
    result.periodic = reader.periodic;
    result.loops = reader.loops;
    result.facts = reader.facts();
    result.variables = reader.variables;
    for (whole, variable, _) in reader.made {
        result.parameters.push(Parameter {
            variable,
            reference: false,
            given: Some(Given::Whole(whole)),
        });
    }
    let more = result.parameters.len() > function.parameters.len();
    result.parameters.extend(reader.repeated);
    more.then_some((result, reader.tables))
}

struct Precomputing {
    tables: Vec<Table>,
    /// Parameters that are arrays of numbers, and those that repeat some of them.
    arrays: Vec<VariableId>,
    repeated: Vec<Parameter>,
    /// Variables that hold functions of what a call has.
    wholes: HashMap<VariableId, Whole>,
    /// The lengths of slices, and the extents of views, along each axis.
    lengths: HashMap<VariableId, Vec<Whole>>,
    /// What variables hold that are tuples or arrays of integers.
    parts: HashMap<VariableId, Vec<Expression>>,
    /// Variables that hold another array later.
    assigned: HashSet<VariableId>,
    /// The parameters that there were before.
    given: Vec<VariableId>,
    /// The variables of loops.
    counters: HashSet<VariableId>,
    variables: Vec<Variable>,
    /// Loops so far.
    loops: usize,
    /// Whether loops became loops over periods that LLVM does not find in the text.
    periodic: bool,
    /// The parameters so far, each for one computation.
    made: Vec<(Whole, VariableId, Span)>,
}

impl Precomputing {
    fn block(&mut self, block: &mut Block) {
        for statement in &mut block.statements {
            self.periods(statement);
            match statement {
                Statement::Let(pattern, value) => {
                    self.bind(pattern, value);
                    let name = match pattern {
                        Pattern::Variable(id) => Some(self.variables[id.0].name.to_string()),
                        _ => None,
                    };
                    self.expression(value, false, name.as_deref());
                }
                Statement::Effect(value) => self.expression(value, false, None),
                Statement::Assert(value, _) => self.expression(value, true, None),
                Statement::Assign { place, value, .. } => {
                    self.expression(place, false, None);
                    self.expression(value, false, None);
                }
                Statement::For(inner) => {
                    self.stepped(inner);
                    self.expression(&mut inner.start, true, None);
                    self.expression(&mut inner.end, true, None);
                    self.block(&mut inner.body);
                }
                Statement::Block(inner) => self.block(inner),
            }
        }
        if let Some(value) = &mut block.value {
            self.expression(value, false, None);
        }
    }

    /// `for i in (a..b).step_by(n)` as a loop over the steps, the number of which is computed before.
    fn stepped(&mut self, inner: &mut ForLoop) {
        let [Adaptor::StepBy(step)] = inner.adaptors[..] else {
            return;
        };
        let (Some(start), Some(end)) = (self.whole(&inner.start), self.whole(&inner.end)) else {
            return;
        };
        let length = Whole::operation(WholeOperator::Excess, end, start);
        if !length.has_input() || step < 2 {
            return;
        }
        let (span, step) = (inner.span, step as u64);
        let more = Whole::operation(WholeOperator::Sum, length, Whole::Literal(step - 1));
        let count = Whole::operation(WholeOperator::Quotient, more, Whole::Literal(step));
        let count = self.parameter(count, None, span);
        let position = self.declare(self.variables[inner.variable.0].clone());
        let at = typed(ExpressionKind::Variable(position), USIZE, span);
        let at = computed(BinaryOperator::Multiply, at, number(step.into(), span));
        let at = computed(BinaryOperator::Add, inner.start.clone(), at);
        let value = Statement::Let(Pattern::Variable(inner.variable), at);
        inner.body.statements.insert(0, value);
        inner.start = number(0, span);
        inner.end = typed(ExpressionKind::Variable(count), USIZE, span);
        inner.variable = position;
        inner.adaptors.clear();
        inner.inclusive = false;
    }

    /// Puts parameters in the place of what is computed before. In a bound of a loop, or in a comparison, those are
    /// products too.
    fn expression(&mut self, expression: &mut Expression, bound: bool, name: Option<&str>) {
        if let ExpressionKind::Integers(IntegerMethod::And, operands) = &expression.kind
            && let [l, r] = operands.as_slice()
            && let Some((of, by, false)) = masked(l, r)
            && self.whole(of).is_some_and(|of| of.has_input())
        {
            let blocks = computed(BinaryOperator::Divide, of.clone(), by.clone());
            *expression = computed(BinaryOperator::Multiply, blocks, by);
        }
        if let Some(whole) = self.whole(expression)
            && whole.has_input()
            && is_made(expression, &whole, bound)
        {
            let variable = self.parameter(whole, name, expression.span);
            expression.kind = ExpressionKind::Variable(variable);
            return;
        }
        let inside = bound && expression.ty == USIZE;
        let compares = matches!(expression.kind, ExpressionKind::Compare(..));
        let logical = matches!(expression.kind, ExpressionKind::Logical(..));
        for operand in expression.operands_mut() {
            self.expression(operand, inside || compares || logical && bound, None);
        }
        for block in expression.blocks_mut() {
            self.block(block);
        }
    }

    /// The parameter for a computation.
    fn parameter(&mut self, whole: Whole, name: Option<&str>, span: Span) -> VariableId {
        let key = whole.to_string();
        let known = self.made.iter().find(|(made, ..)| made.to_string() == key);
        if let Some((_, variable, _)) = known {
            return *variable;
        }
        let name = self.unused(name.unwrap_or(whole.name()), span.start());
        let id = self.declare(Variable {
            name,
            ty: USIZE,
            mutable: false,
        });
        self.made.push((whole, id, span));
        id
    }

    fn declare(&mut self, variable: Variable) -> VariableId {
        self.variables.push(variable);
        VariableId(self.variables.len() - 1)
    }

    /// A name that no parameter has.
    fn unused(&self, name: &str, span: proc_macro2::Span) -> Ident {
        let mut name = name.to_owned();
        while self.is_parameter(&name) {
            name.push('_');
        }
        Ident::new(&name, span)
    }

    /// Whether a parameter has a name: one of the text, or one that was made.
    fn is_parameter(&self, name: &str) -> bool {
        let made = self.made.iter().map(|(_, id, _)| id);
        let repeated = self.repeated.iter().map(|own| &own.variable);
        let mut all = self.given.iter().chain(made).chain(repeated);
        all.any(|id| self.variables[id.0].name == name)
    }

    /// An integer as a function of what a call has.
    fn whole(&self, expression: &Expression) -> Option<Whole> {
        use ExpressionKind as Kind;
        if *behind(&expression.ty) != USIZE {
            return None;
        }
        match &expression.kind {
            Kind::Integer(value) => Some(Whole::Literal(u64::try_from(*value).ok()?)),
            Kind::Variable(id) => {
                let whole = self.wholes.get(id)?;
                let made = self.made.iter().find(|(_, made, _)| made == id);
                made.is_none().then(|| whole.clone())
            }
            Kind::Table(id) => {
                let table = &self.tables[id.0];
                let value = table.values.first().filter(|_| table.shape.is_empty())?;
                Some(Whole::Literal(u64::try_from(value.to_integer()).ok()?))
            }
            Kind::Length(of, axis) => {
                let lengths = self.lengths.get(&variable(of)?)?;
                lengths.get(*axis).cloned()
            }
            Kind::Cast(of) => self.converted(of),
            Kind::Field(of, at) => self.whole(self.part(of, *at)?),
            Kind::Index(of, at) => match at.kind {
                Kind::Integer(at) => self.whole(self.part(of, usize::try_from(at).ok()?)?),
                _ => None,
            },
            Kind::Reference(of) | Kind::Dereference(of) => self.whole(of),
            Kind::Binary(operator, l, r) => {
                let operator = match operator {
                    BinaryOperator::Add => WholeOperator::Sum,
                    BinaryOperator::Subtract => WholeOperator::Difference,
                    BinaryOperator::Multiply => WholeOperator::Product,
                    BinaryOperator::Divide => WholeOperator::Quotient,
                    BinaryOperator::Remainder => WholeOperator::Remainder,
                };
                self.operation(operator, [l.as_ref(), r])
            }
            Kind::Integers(method, operands) => {
                let [l, r] = operands.as_slice() else {
                    return None;
                };
                self.method(*method, [l, r])
            }
            Kind::If(condition, then, otherwise) => {
                let Kind::Compare(operator, l, r) = &condition.kind else {
                    return None;
                };
                let parts = [
                    self.whole(l)?,
                    self.whole(r)?,
                    self.whole(only_value(then)?)?,
                    self.whole(only_value(otherwise)?)?,
                ];
                Some(Whole::Choice(*operator, Box::new(parts)))
            }
            Kind::Block(block) => self.value_of(block),
            _ => None,
        }
    }

    /// A method of two integers, or an operator that only they have.
    fn method(&self, method: IntegerMethod, [l, r]: [&Expression; 2]) -> Option<Whole> {
        let bits = |bits: &Expression| match bits.kind {
            ExpressionKind::Integer(bits @ 0..32) => Some(Whole::Literal(1 << bits)),
            _ => None,
        };
        let (operator, by) = match method {
            IntegerMethod::Min => (WholeOperator::Lesser, self.whole(r)?),
            IntegerMethod::Max => (WholeOperator::Greater, self.whole(r)?),
            IntegerMethod::SaturatingSub => (WholeOperator::Excess, self.whole(r)?),
            IntegerMethod::DivEuclid => (WholeOperator::Quotient, self.whole(r)?),
            IntegerMethod::RemEuclid => (WholeOperator::Remainder, self.whole(r)?),
            IntegerMethod::ShiftRight => (WholeOperator::Quotient, bits(r)?),
            IntegerMethod::ShiftLeft => (WholeOperator::Product, bits(r)?),
            IntegerMethod::And => {
                let (of, by, rest) = masked(l, r)?;
                let blocks = self.operation(WholeOperator::Quotient, [of, &by])?;
                return match rest {
                    true => self.operation(WholeOperator::Remainder, [of, &by]),
                    false => Some(Whole::operation(
                        WholeOperator::Product,
                        blocks,
                        self.whole(&by)?,
                    )),
                };
            }
            _ => return None,
        };
        Some(Whole::operation(operator, self.whole(l)?, by))
    }

    fn operation(&self, operator: WholeOperator, [l, r]: [&Expression; 2]) -> Option<Whole> {
        Some(Whole::operation(operator, self.whole(l)?, self.whole(r)?))
    }

    /// The value of a block that computes nothing else.
    fn value_of(&self, block: &Block) -> Option<Whole> {
        let mut inner = Precomputing {
            tables: self.tables.clone(),
            arrays: Vec::new(),
            repeated: Vec::new(),
            wholes: self.wholes.clone(),
            lengths: self.lengths.clone(),
            parts: self.parts.clone(),
            assigned: self.assigned.clone(),
            given: Vec::new(),
            counters: HashSet::default(),
            variables: self.variables.clone(),
            loops: self.loops,
            periodic: false,
            made: self.made.clone(),
        };
        for statement in &block.statements {
            let Statement::Let(pattern, value) = statement else {
                return None;
            };
            inner.bind(pattern, value);
        }
        inner.whole(block.value.as_deref()?)
    }
}

/// Whether an integer is computed before: it is no affine function, and no product that a subscript may be taken apart
/// by, but in a bound.
fn is_made(expression: &Expression, whole: &Whole, bound: bool) -> bool {
    use WholeOperator as Operator;
    match whole {
        _ if matches!(expression.kind, ExpressionKind::Variable(_)) => bound && whole.is_product(),
        Whole::Operation(Operator::Quotient | Operator::Remainder, _) => true,
        Whole::Operation(Operator::Product, _) => bound && whole.is_product(),
        Whole::Operation(Operator::Lesser | Operator::Greater | Operator::Excess, operands) => {
            operands.iter().any(|of| of.is_divided() || of.is_product())
        }
        Whole::Choice(..) => true,
        // The value of a block.
        Whole::Operation(..) => {
            matches!(expression.kind, ExpressionKind::Block(_)) && whole.is_divided()
        }
        Whole::Literal(_) | Whole::Scalar { .. } | Whole::Length { .. } => false,
    }
}

/// `n & 7` and `n & !7` as a remainder and a multiple of 8: `n`, 8, and whether it is the remainder.
fn masked<'e>(l: &'e Expression, r: &'e Expression) -> Option<(&'e Expression, Expression, bool)> {
    let mask = |of: &'e Expression, mask: &Expression| {
        let (mask, rest) = match &mask.kind {
            ExpressionKind::Integers(IntegerMethod::Not, mask) => (mask.first()?, false),
            _ => (mask, true),
        };
        let ExpressionKind::Integer(ones @ 1..0xffff_ffff) = mask.kind else {
            return None;
        };
        let by = u64::try_from(ones + 1).ok()?;
        by.is_power_of_two()
            .then(|| (of, number(by.into(), mask.span), rest))
    };
    mask(l, r).or_else(|| mask(r, l))
}

/// The variable that an expression is, behind references.
fn variable(expression: &Expression) -> Option<VariableId> {
    match &expression.kind {
        ExpressionKind::Variable(id) => Some(*id),
        ExpressionKind::Reference(of) | ExpressionKind::Dereference(of) => variable(of),
        _ => None,
    }
}

/// The value of a block without statements.
fn only_value(block: &Block) -> Option<&Expression> {
    block
        .value
        .as_deref()
        .filter(|_| block.statements.is_empty())
}
