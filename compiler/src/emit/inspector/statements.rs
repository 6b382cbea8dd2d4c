//! Statements.

use super::forms::Form;
use super::integers::literal;
use super::places::place_text;
use super::values::{Entries, Integer, Value};
use super::{Facts, Full, Inspector, Loop, Result, expressions::integer_type, missing};
use crate::diagnostics::Span;
use crate::syntax::ast::{
    Adaptor, BinaryOperator, Block, Expression, ExpressionKind, ForLoop, IntegerType, Length,
    Pattern, ScalarType, Statement, Type,
};

/// A loop of so many iterations takes no time to speak of.
const FEW: i128 = 16;

/// The type of extents.
pub const USIZE: Type = Type::Scalar(ScalarType::Integer(IntegerType::Usize));

/// Whether an integer is a number, as the length of a part of an array may be whose ends follow loops.
fn is_number(integer: &Integer) -> bool {
    let form = integer.form.as_ref();
    !integer.data && form.and_then(Form::as_constant).is_some()
}

impl Inspector<'_> {
    /// A block; its value, if it has one.
    pub(super) fn block(&mut self, block: &Block) -> Result<Value> {
        for statement in &block.statements {
            match statement {
                Statement::Let(pattern, init) => {
                    let value = self.expression(init)?;
                    self.bind(pattern, value, &init.ty, init.span)?;
                }
                Statement::Assign {
                    place,
                    operator,
                    value,
                    span,
                } => self.assign(place, *operator, value, *span)?,
                Statement::For(for_loop) => self.for_loop(for_loop)?,
                Statement::Block(inner) => {
                    self.block(inner)?;
                }
                Statement::Effect(value) => {
                    self.expression(value)?;
                }
                Statement::Assert(condition, builds) => self.assertion(condition, *builds)?,
            }
        }
        match &block.value {
            Some(value) => self.expression(value),
            None => Ok(Value::Tuple(Vec::new())),
        }
    }

    fn bind(&mut self, pattern: &Pattern, value: Value, ty: &Type, span: Span) -> Result<()> {
        match (pattern, value, crate::syntax::behind(ty)) {
            (Pattern::Wildcard, value, _) => self.used(value),
            (Pattern::Variable(variable), value, _) => {
                let function = self.frame().function;
                let mutable = function.variables[variable.0].mutable;
                let relevant = self.frame().relevant.contains(variable);
                let value = self.local(value, mutable, relevant, ty, span)?;
                self.frame().values[variable.0] = Some(value);
            }
            (Pattern::Tuple(patterns), Value::Tuple(values), Type::Tuple(types)) => {
                for ((pattern, value), ty) in patterns.iter().zip(values).zip(types) {
                    self.bind(pattern, value, ty, span)?;
                }
            }
            _ => return missing(span, "a pattern of what is no tuple"),
        }
        Ok(())
    }

    fn assign(
        &mut self,
        place: &Expression,
        operator: Option<BinaryOperator>,
        value: &Expression,
        span: Span,
    ) -> Result<()> {
        let value = self.expression(value)?;
        let value = self.read(value);
        let target = self.expression(place)?;
        if let Type::Slice(_) | Type::Open(_, Length::Axis) = crate::syntax::behind(&place.ty) {
            // From here on it may be a longer one, or a shorter one.
            let same = matches!((&target, &value), (Value::Place(to), Value::Place(from)) if to.is_as_long(from));
            if !same {
                return missing(span, "another array is assigned to a variable");
            }
        }
        let (text, depth) = match &target {
            Value::Variable { name, depth } => (name.clone(), *depth),
            Value::Place(place) => match place.entries {
                Entries::Changing(depth) => (place_text(place), depth),
                _ => {
                    self.used(value);
                    return Ok(());
                }
            },
            _ => {
                self.used(value);
                return Ok(());
            }
        };
        let new = match value {
            Value::Integer(integer) => {
                self.surveyed_assignment((&text, depth), operator, &integer);
                self.run(integer.facts.without_ends());
                integer.text
            }
            Value::Place(place) if !matches!(place.entries, Entries::Unknown(_)) => {
                place_text(&place)
            }
            Value::Unknown(why) => return Err(why),
            _ => return missing(span, "an integer that is assigned what is not known"),
        };
        let inner: Vec<usize> = self.loops.iter().skip(depth).map(|l| l.number).collect();
        self.run(inner);
        let sign = match operator {
            None => "=",
            Some(BinaryOperator::Add) => "+=",
            Some(BinaryOperator::Subtract) => "-=",
            Some(BinaryOperator::Multiply) => "*=",
            Some(BinaryOperator::Divide) => "/=",
            Some(BinaryOperator::Remainder) => "%=",
        };
        self.out.push_str(&format!("{text} {sign} {new};\n"));
        Ok(())
    }

    fn for_loop(&mut self, for_loop: &ForLoop) -> Result<()> {
        let (start, end, range) = self.range(for_loop)?;
        let ty = integer_type(&for_loop.end.ty).unwrap_or(IntegerType::Usize);
        let bounds = match is_number(&start) && is_number(&end) {
            true => Facts::default(),
            false => start.facts.mixed(&end.facts),
        };
        let (number, name) = (self.names, self.name());
        let (form, iterations) = self.variable(&start, &end, for_loop.inclusive);
        let variable = Integer {
            facts: Facts::variable(number),
            form,
            ..Integer::known(name.clone(), !ty.is_signed() || start.natural)
        };
        let last = iterations.as_ref().and_then(Form::as_constant);
        let own = Loop {
            number,
            full: Full::No,
            iterations: match last {
                Some(last) => Some(Form::constant((last + 1).max(0))),
                None => iterations.as_ref().and_then(|last| last.plus_constant(1)),
            },
        };
        self.loops.push(own);
        self.frame().values[for_loop.variable.0] = Some(Value::Integer(variable));
        self.survey.enter(iterations.as_ref());
        let (body, _) = self.apart(|inspector| inspector.block(&for_loop.body))?;
        self.survey.leave();
        let full = self.loops.pop().map_or(Full::Yes, |own| own.full);
        if body.is_empty() {
            self.used(Value::Integer(start));
            self.used(Value::Integer(end));
            return Ok(());
        }
        self.run(bounds.loops());
        let steps = for_loop
            .adaptors
            .iter()
            .any(|a| matches!(a, Adaptor::StepBy(_)));
        let counted = !for_loop.inclusive && !matches!(ty, IntegerType::U64 | IntegerType::I64);
        let range = match full {
            _ if steps && !counted => range,
            Full::Yes => range,
            Full::Debug => format!(
                "__loopwright::checks::ends_or_all({range}, ::core::cfg!(debug_assertions))"
            ),
            Full::No => format!("__loopwright::checks::ends({range})"),
        };
        self.walks |= full > Full::No && last.is_none_or(|last| last >= FEW);
        let text = format!("for {name} in {range} {{\n{body}}}\n");
        self.out.push_str(&text);
        Ok(())
    }

    /// The bounds of a loop, and what it runs over.
    fn range(&mut self, for_loop: &ForLoop) -> Result<(Integer, Integer, String)> {
        let start = self.needed(&for_loop.start)?;
        let last = match &for_loop.end.kind {
            ExpressionKind::Binary(_, last, _) if for_loop.inclusive => last.as_ref(),
            _ => &for_loop.end,
        };
        let end = self.needed(last)?;
        let dots = if for_loop.inclusive { "..=" } else { ".." };
        let mut range = format!("({}{dots}{})", start.text, end.text);
        for adaptor in &for_loop.adaptors {
            range = match adaptor {
                Adaptor::Reverse => format!("::core::iter::Iterator::rev({range})"),
                Adaptor::StepBy(step) => {
                    let step = literal(*step as i128, &USIZE);
                    format!("::core::iter::Iterator::step_by({range}, {step})")
                }
            };
        }
        Ok((start, end, range))
    }
}
