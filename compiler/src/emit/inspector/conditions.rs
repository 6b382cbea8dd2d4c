//! Conditions, and what is done under them.

use super::forms::Form;
use super::integers::LONGEST;
use super::values::{Integer, Value};
use super::{Facts, Inspector, Missing, Result};
use crate::syntax::ast::{
    Block, Builds, CompareOperator, Expression, ExpressionKind, LogicalOperator,
};

/// A condition as Rust, the integers that it compares, and what follows from it.
type Known = (String, Vec<Integer>, Consequences);

/// What is not negative where a condition holds, and where it does not.
#[derive(Clone, Default)]
pub(super) struct Consequences {
    holds: Vec<Form>,
    fails: Vec<Form>,
}

impl Consequences {
    /// Those of a comparison.
    fn of(operator: CompareOperator, l: &Integer, r: &Integer) -> Option<Consequences> {
        if !l.fixed || !r.fixed {
            return None;
        }
        let (a, b) = (l.form.as_ref()?, r.form.as_ref()?);
        let (up, down) = (b.plus(-1, a)?, a.plus(-1, b)?);
        let [below, above] = [up.plus_constant(-1)?, down.plus_constant(-1)?];
        // Of natural numbers what is not zero is at least one.
        let other = match (a.as_constant(), b.as_constant()) {
            (_, Some(0)) if l.natural => vec![above.clone()],
            (Some(0), _) if r.natural => vec![below.clone()],
            _ => Vec::new(),
        };
        let (holds, fails) = match operator {
            CompareOperator::Less => (vec![below], vec![down]),
            CompareOperator::LessEqual => (vec![up], vec![above]),
            CompareOperator::Greater => (vec![above], vec![up]),
            CompareOperator::GreaterEqual => (vec![down], vec![below]),
            CompareOperator::Equal => (vec![up, down], other),
            CompareOperator::NotEqual | CompareOperator::Unordered => (other, vec![up, down]),
        };
        Some(Consequences { holds, fails })
    }

    fn negated(self) -> Consequences {
        Consequences {
            holds: self.fails,
            fails: self.holds,
        }
    }

    /// Those of `l && r`.
    fn both(mut self, other: Consequences) -> Consequences {
        self.holds.extend(other.holds);
        self.fails.clear();
        self
    }
}

impl Inspector<'_> {
    /// A condition on integers that are known.
    pub(super) fn condition(&mut self, condition: &Expression) -> Result<Option<Known>> {
        match &condition.kind {
            ExpressionKind::Compare(operator, l, r) => self.comparison(*operator, l, r),
            ExpressionKind::Bool(truth) => Ok(Some((
                truth.to_string(),
                Vec::new(),
                Consequences::default(),
            ))),
            ExpressionKind::Not(of) => {
                let known = self.condition(of)?;
                Ok(
                    known
                        .map(|(text, compared, of)| (format!("!({text})"), compared, of.negated())),
                )
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
        let follows = Consequences::of(operator, &l, &r).unwrap_or_default();
        Ok(Some((text, vec![l, r], follows)))
    }

    /// `l && r`, `l || r`: what the second one accesses is under the first one.
    fn logical(
        &mut self,
        operator: LogicalOperator,
        l: &Expression,
        r: &Expression,
    ) -> Result<Option<Known>> {
        let first = self.condition(l)?;
        let before = match (operator, &first) {
            (LogicalOperator::And, Some((.., of))) => of.holds.clone(),
            (LogicalOperator::Or, Some((.., of))) => of.fails.clone(),
            (_, None) => Vec::new(),
        };
        let (accesses, second) =
            self.apart(|inspector| inspector.where_holds(before, |i| i.condition(r)))?;
        if !accesses.is_empty() {
            let Some((text, compared, _)) = &first else {
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
        let Some(((first, mut all, a), (second, compared, b))) = first.zip(second) else {
            return Ok(None);
        };
        all.extend(compared);
        let follows = match operator {
            LogicalOperator::And => a.both(b),
            LogicalOperator::Or => a.negated().both(b.negated()).negated(),
        };
        Ok(Some((format!("({first}) {sign} ({second})"), all, follows)))
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

    /// Where what the text states does not hold, the text says so. What is looked at in debug builds alone is accessed in no
    /// other ones.
    pub(super) fn assertion(&mut self, condition: &Expression, builds: Builds) -> Result<()> {
        let (accesses, ()) = self.apart(|inspector| inspector.stated(condition))?;
        match builds {
            Builds::All => self.out.push_str(&accesses),
            Builds::Debug if accesses.is_empty() => {}
            Builds::Debug => {
                let text = format!("if ::core::cfg!(debug_assertions) {{\n{accesses}}}\n");
                self.out.push_str(&text);
            }
        }
        Ok(())
    }

    fn stated(&mut self, condition: &Expression) -> Result<()> {
        let Some((text, compared, _)) = self.condition(condition)? else {
            return Ok(());
        };
        let follows = self.follows(&compared);
        self.run(follows.loops());
        self.survey.give_up();
        self.out
            .push_str(&format!("if !({text}) {{ return false; }}\n"));
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
        let of = known
            .as_ref()
            .map(|(.., of)| of.clone())
            .unwrap_or_default();
        let (first, a) = self.where_holds(of.holds, |inspector| inspector.branch(then))?;
        let (second, b) = self.where_holds(of.fails, |inspector| inspector.branch(otherwise))?;
        let accesses = !first.is_empty() || !second.is_empty();
        let Some((text, compared, _)) = known else {
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
        let (a, b) = values;
        if first.is_empty()
            && second.is_empty()
            && let Some(chosen) = self.chosen((&text, &compared), (&a, &b))
        {
            if chosen.text.len() < LONGEST {
                return Ok(Value::Integer(chosen));
            }
            if !self.prints {
                self.left_out = true;
                return Ok(Value::Unknown(Missing {
                    span: condition.span,
                    message: "a choice between long texts".to_owned(),
                }));
            }
        }
        self.run(follows.loops());
        self.demand(&a);
        self.demand(&b);
        let form = self.either(&a, &b);
        self.run_in_debug(a.facts.without_ends());
        self.run_in_debug(b.facts.without_ends());
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

    /// A choice that entries of arrays take part in, and that accesses nothing: it is computed where it leads to an
    /// access.
    fn chosen(
        &mut self,
        (condition, compared): (&str, &[Integer]),
        (a, b): (&Integer, &Integer),
    ) -> Option<Integer> {
        let all = || compared.iter().chain([a, b]);
        let text = format!("(if {condition} {{ {} }} else {{ {} }})", a.text, b.text);
        let data = all().any(|own| own.data);
        let fixed = all().all(|own| own.fixed);
        if !data || !fixed {
            return None;
        }
        let form = self.either(a, b);
        let facts = all().fold(Facts::default(), |facts, own| facts.mixed(&own.facts));
        Some(Integer {
            natural: a.natural && b.natural,
            data,
            fixed,
            form,
            owed: all().flat_map(|own| own.owed.iter().cloned()).collect(),
            divided: all().any(|own| own.divided),
            ..Integer::computed(text, facts, (a, b))
        })
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

    /// What is looked at where some forms are not negative.
    fn where_holds<T>(
        &mut self,
        forms: Vec<Form>,
        run: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let count = self.survey.assume(forms);
        let value = run(self);
        self.survey.forget(count);
        value
    }

    /// A branch, and its value.
    fn branch(&mut self, block: &Block) -> Result<(String, Value)> {
        self.apart(|inspector| {
            let value = inspector.block(block)?;
            Ok(inspector.read(value))
        })
    }
}
