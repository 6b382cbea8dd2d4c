//! Conditions, and what is done under them.

use super::values::{Integer, Value};
use super::{Facts, Inspector, Missing, Result};
use crate::syntax::ast::{Block, CompareOperator, Expression, ExpressionKind, LogicalOperator};

/// A condition as Rust, and the integers that it compares.
type Known = (String, Vec<Integer>);

impl Inspector<'_> {
    /// A condition on integers that are known.
    pub(super) fn condition(&mut self, condition: &Expression) -> Result<Option<Known>> {
        match &condition.kind {
            ExpressionKind::Compare(operator, l, r) => self.comparison(*operator, l, r),
            ExpressionKind::Bool(truth) => Ok(Some((truth.to_string(), Vec::new()))),
            ExpressionKind::Not(of) => {
                let known = self.condition(of)?;
                Ok(known.map(|(text, compared)| (format!("!({text})"), compared)))
            }
            ExpressionKind::Logical(operator, l, r) => self.logical(*operator, l, r),
            _ => {
                let value = self.expression(condition)?;
                self.used(value);
                Ok(None)
            }
        }
    }

    /// A comparison of integers that are known.
    fn comparison(
        &mut self,
        operator: CompareOperator,
        l: &Expression,
        r: &Expression,
    ) -> Result<Option<Known>> {
        let (l, r) = match (self.known(l)?, self.known(r)?) {
            (Ok(l), Ok(r)) => (l, r),
            (Ok(one), Err(_)) | (Err(_), Ok(one)) => {
                self.used(Value::Integer(one));
                return Ok(None);
            }
            (Err(_), Err(_)) => return Ok(None),
        };
        let sign = match operator {
            CompareOperator::Less => "<",
            CompareOperator::LessEqual => "<=",
            CompareOperator::Greater => ">",
            CompareOperator::GreaterEqual => ">=",
            CompareOperator::Equal => "==",
            CompareOperator::NotEqual | CompareOperator::Unordered => "!=",
        };
        let text = format!("({}) {sign} ({})", l.text, r.text);
        Ok(Some((text, vec![l, r])))
    }

    /// `l && r`, `l || r`: what the second one accesses is under the first one.
    fn logical(
        &mut self,
        operator: LogicalOperator,
        l: &Expression,
        r: &Expression,
    ) -> Result<Option<Known>> {
        let first = self.condition(l)?;
        let (accesses, second) = self.apart(|inspector| inspector.condition(r))?;
        if !accesses.is_empty() {
            let Some((text, compared)) = &first else {
                return Err(Missing {
                    span: r.span,
                    message: "an access under a condition that follows from what is computed"
                        .to_owned(),
                });
            };
            let follows = self.follows(compared);
            match operator {
                LogicalOperator::And => self.decide(text, &follows, (&accesses, "")),
                LogicalOperator::Or => self.decide(text, &follows, ("", &accesses)),
            }
            // What was named there has no name here.
            return Ok(None);
        }
        let sign = match operator {
            LogicalOperator::And => "&&",
            LogicalOperator::Or => "||",
        };
        let Some(((first, mut all), (second, compared))) = first.zip(second) else {
            return Ok(None);
        };
        all.extend(compared);
        Ok(Some((format!("({first}) {sign} ({second})"), all)))
    }

    /// What a condition follows, that is needed.
    fn follows(&mut self, compared: &[Integer]) -> Facts {
        let none = Facts::default();
        let facts = compared
            .iter()
            .fold(none, |facts, of| facts.mixed(&of.facts));
        // The survey looks at both branches.
        (compared.iter().filter(|of| !of.simple)).for_each(|of| self.demand(of));
        facts
    }

    /// Where what the text states does not hold, the text says so.
    pub(super) fn assertion(&mut self, condition: &Expression) -> Result<()> {
        let Some((text, compared)) = self.condition(condition)? else {
            return Ok(());
        };
        let follows = self.follows(&compared);
        self.run(follows.loops());
        self.survey.give_up();
        self.out.push_str(&format!("if !({text}) {{ return; }}\n"));
        Ok(())
    }

    /// `if c { a } else { b }`.
    pub(super) fn choice(
        &mut self,
        condition: &Expression,
        (then, otherwise): (&Block, &Block),
        integer: bool,
    ) -> Result<Value> {
        let known = self.condition(condition)?;
        let (first, a) = self.branch(then)?;
        let (second, b) = self.branch(otherwise)?;
        let accesses = !first.is_empty() || !second.is_empty();
        let Some((text, compared)) = known else {
            let why = Missing {
                span: condition.span,
                message: "a condition that follows from what is computed".to_owned(),
            };
            return match (accesses, integer) {
                (true, _) => Err(Missing {
                    message: format!("an access under {}", why.message),
                    ..why
                }),
                (false, true) => Ok(Value::Unknown(why)),
                (false, false) => Ok(Value::Number),
            };
        };
        let follows = self.follows(&compared);
        let values = match (a, b) {
            (Value::Integer(a), Value::Integer(b)) if integer => (a, b),
            (unknown @ Value::Unknown(_), _) | (_, unknown @ Value::Unknown(_)) if integer => {
                self.decide(&text, &follows, (&first, &second));
                return Ok(unknown);
            }
            _ => {
                match accesses {
                    true => self.decide(&text, &follows, (&first, &second)),
                    false => (compared.into_iter()).for_each(|of| self.used(Value::Integer(of))),
                }
                return Ok(Value::Number);
            }
        };
        self.run(follows.loops());
        let (a, b) = values;
        self.demand(&a);
        self.demand(&b);
        let form = self.either(&a, &b);
        self.run(a.facts.without_ends());
        self.run(b.facts.without_ends());
        let name = self.name();
        let text = format!(
            "let {name} = if {text} {{\n{first}{} }} else {{\n{second}{} }};\n",
            a.text, b.text
        );
        self.out.push_str(&text);
        let facts = a.facts.mixed(&b.facts).mixed(&follows);
        Ok(Value::Integer(Integer {
            natural: a.natural && b.natural,
            fixed: true,
            simple: true,
            form,
            owed: Vec::new(),
            ..Integer::computed(name, facts, (&a, &b))
        }))
    }

    /// Prints both branches of a condition.
    fn decide(&mut self, condition: &str, follows: &Facts, (first, second): (&str, &str)) {
        if first.is_empty() && second.is_empty() {
            return;
        }
        self.run(follows.loops());
        let text = format!("if {condition} {{\n{first}}} else {{\n{second}}}\n");
        self.out.push_str(&text);
    }

    /// A branch, and its value.
    fn branch(&mut self, block: &Block) -> Result<(String, Value)> {
        self.apart(|inspector| {
            let value = inspector.block(block)?;
            Ok(inspector.read(value))
        })
    }
}
