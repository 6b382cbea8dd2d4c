//! Integers of the text, with Rust's own meaning.

use super::forms::Form;
use super::values::{Integer, Value};
use super::{Inspector, Result, missing};
use crate::emit::variant::integer_name;
use crate::syntax::ast::{
    BinaryOperator, Expression, IntegerMethod, IntegerType, ScalarType, Type,
};

/// The longest text of a value that is computed where it is used.
pub(super) const LONGEST: usize = 400;

/// An integer, or a value that is none or not known.
pub type Known = std::result::Result<Integer, Value>;

impl Inspector<'_> {
    /// The value of an expression, if it is an integer that is known.
    pub(super) fn known(&mut self, expression: &Expression) -> Result<Known> {
        let value = self.expression(expression)?;
        Ok(match self.read(value) {
            Value::Integer(integer) => Ok(integer),
            other => Err(other),
        })
    }

    /// An integer that accesses depend on.
    pub(super) fn needed(&mut self, expression: &Expression) -> Result<Integer> {
        let integer = self.integer(expression)?;
        self.demand(&integer);
        Ok(integer)
    }

    pub(super) fn integer(&mut self, expression: &Expression) -> Result<Integer> {
        match self.known(expression)? {
            Ok(integer) => Ok(integer),
            Err(Value::Unknown(why)) => Err(why),
            Err(_) => missing(expression.span, "an integer of which nothing is known"),
        }
    }

    /// A subscript of an array of some extent. What its operands are makes no difference where any value is inside.
    pub(super) fn subscript(
        &mut self,
        expression: &Expression,
        extent: Option<Form>,
    ) -> Result<Integer> {
        let integer = self.integer(expression)?;
        let most = integer.most.clone();
        let most = most.filter(|_| integer.data && !integer.divided);
        let left = most.as_ref().zip(extent);
        let left = left.and_then(|(most, extent)| extent.plus(-1, most)?.as_constant());
        if left.is_none_or(|left| left <= 0) {
            self.demand(&integer);
            return Ok(integer);
        }
        let form = most.map(|most| self.survey.between(Form::default(), most));
        Ok(Integer {
            form,
            owed: Vec::new(),
            ..integer
        })
    }

    /// Reads a scalar.
    pub(super) fn read(&mut self, value: Value) -> Value {
        match value {
            Value::Place(place) if matches!(place.ty, Type::Scalar(_)) => self.element(place),
            Value::Variable { name, .. } => Value::Integer(Integer {
                facts: self.around(),
                fixed: false,
                ..Integer::known(name, false)
            }),
            other => other,
        }
    }

    /// A value that leads to no access: what is computed from loops and parameters may overflow.
    pub(super) fn used(&mut self, value: Value) {
        if let Value::Integer(integer) = self.read(value)
            && !integer.data
            && !integer.simple
        {
            self.demand(&integer);
            self.run_in_debug(integer.facts.without_ends());
            let text = format!("let _ = {};\n", integer.text);
            self.once(text, integer.fixed);
        }
    }

    /// Gives an integer a name, so that it is computed here.
    pub(super) fn named(&mut self, integer: Integer, ty: &Type) -> Integer {
        let lazy = integer.data && !integer.simple && integer.fixed;
        if lazy && integer.text.len() < LONGEST {
            return integer;
        }
        self.demand(&integer);
        if !integer.data {
            self.run_in_debug(integer.facts.without_ends());
        }
        let (name, ty) = (self.name(), annotation(ty));
        let text = format!("let {name}{ty} = {};\n", integer.text);
        self.out.push_str(&text);
        Integer {
            text: name,
            fixed: true,
            simple: true,
            ..integer
        }
    }

    /// The integers that operands are, or why one of them is none: the others then still make their accesses.
    fn all_known<const N: usize>(
        &mut self,
        operands: [&Expression; N],
    ) -> Result<std::result::Result<[Integer; N], Value>> {
        let (mut integers, mut unknown) = (Vec::new(), None);
        for operand in operands {
            match self.known(operand)? {
                Ok(integer) => integers.push(integer),
                Err(why) => unknown = Some(unknown.unwrap_or(why)),
            }
        }
        match <[Integer; N]>::try_from(integers) {
            Ok(integers) => Ok(Ok(integers)),
            Err(known) => {
                for integer in known {
                    self.used(Value::Integer(integer));
                }
                Ok(Err(unknown.unwrap_or(Value::Number)))
            }
        }
    }

    pub(super) fn integer_binary(
        &mut self,
        operator: BinaryOperator,
        (l, r): (&Expression, &Expression),
        ty: IntegerType,
    ) -> Result<Value> {
        let (l, r) = match self.all_known([l, r])? {
            Ok([l, r]) => (l, r),
            Err(unknown) => return Ok(unknown),
        };
        self.computes = true;
        let natural = (l.natural, r.natural);
        let (sign, facts) = match operator {
            BinaryOperator::Add => ("+", l.facts.sum(&r.facts)),
            BinaryOperator::Subtract => ("-", l.facts.difference(&r.facts)),
            BinaryOperator::Multiply => ("*", l.facts.product(&r.facts, natural)),
            BinaryOperator::Divide => ("/", l.facts.quotient(&r.facts, r.natural)),
            BinaryOperator::Remainder => ("%", l.facts.mixed(&r.facts)),
        };
        let text = format!("({} {sign} {})", l.text, r.text);
        let natural = natural == (true, true) && operator != BinaryOperator::Subtract;
        let form = self.arithmetic(operator, &l, &r);
        let divides = matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder);
        let mut integer = Integer {
            natural,
            most: most_of(operator, (&l, &r), ty),
            ..Integer::computed(text, facts, (&l, &r))
        };
        integer.divided |= divides && r.data;
        Ok(Value::Integer(self.surveyed(integer, form, ty)))
    }

    pub(super) fn negated(&mut self, operand: &Expression, ty: IntegerType) -> Result<Value> {
        Ok(match self.known(operand)? {
            Ok(integer) => {
                self.computes = true;
                let facts = super::Facts::default().difference(&integer.facts);
                let text = format!("(-{})", integer.text);
                let form = integer.form.as_ref().and_then(|form| form.times(-1));
                let integer = Integer::computed(text, facts, (&integer, &integer));
                Value::Integer(self.surveyed(integer, form, ty))
            }
            Err(unknown) => unknown,
        })
    }

    /// A method of integers, or an operator that only they have.
    pub(super) fn integer_method(
        &mut self,
        method: IntegerMethod,
        operands: &[Expression],
        ty: IntegerType,
    ) -> Result<Value> {
        use IntegerMethod as Method;
        let all = match operands {
            [l, r] => self.all_known([l, r])?.map(Vec::from),
            [l] => self.all_known([l])?.map(Vec::from),
            _ => return missing(super::at(&operands[0]), "an operator of so many operands"),
        };
        let all = match all {
            Ok(all) => all,
            Err(unknown) => return Ok(unknown),
        };
        let (l, r) = (&all[0], &all[all.len() - 1]);
        let facts = match method {
            Method::Min | Method::Max | Method::SaturatingAdd => l.facts.rising(&r.facts),
            Method::SaturatingSub => {
                let down = super::Facts::default().difference(&r.facts);
                l.facts.rising(&down)
            }
            Method::ShiftLeft => l.facts.product(&r.facts, (l.natural, true)),
            Method::ShiftRight => l.facts.quotient(&r.facts, true),
            Method::DivEuclid => l.facts.quotient(&r.facts, r.natural),
            Method::Power if r.facts == super::Facts::default() => {
                l.facts.product(&l.facts, (l.natural, l.natural))
            }
            _ => l.facts.mixed(&r.facts),
        };
        if method == Method::Within {
            return Ok(self.within(l, r));
        }
        self.computes |= !matches!(method, Method::Min | Method::Max);
        let texts: Vec<&str> = all.iter().map(|integer| integer.text.as_str()).collect();
        let text = method_text(method, &texts, ty);
        let form = self.method(method, l, r, ty);
        let mut integer = Integer {
            most: most_of_method(method, (l, r), ty),
            natural: !ty.is_signed() && ty != IntegerType::Usize,
            ..Integer::computed(text, facts, (l, r))
        };
        integer.divided |= matches!(method, Method::DivEuclid | Method::RemEuclid) && r.data;
        Ok(Value::Integer(self.surveyed(integer, form, ty)))
    }

    /// A subscript of a part of an array, which is checked where it is computed.
    fn within(&mut self, l: &Integer, r: &Integer) -> Value {
        for integer in [l, r] {
            self.demand(integer);
        }
        let facts = r.facts.difference(&l.facts);
        self.run(facts.without_ends());
        let (form, below) = (l.form.clone(), r.form.clone());
        let left = form.clone().zip(below);
        let left = left.and_then(|(form, below)| below.plus(-1, &form)?.plus_constant(-1));
        self.survey.require(left.as_ref());
        let name = self.name();
        let text = format!(
            "let {name} = __loopwright::checks::within({}, {});\n",
            l.text, r.text
        );
        self.out.push_str(&text);
        Value::Integer(Integer {
            text: name,
            fixed: true,
            simple: true,
            natural: true,
            form,
            owed: Vec::new(),
            ..l.clone()
        })
    }

    /// `operand as to`.
    pub(super) fn cast(&mut self, operand: &Expression, to: &Type) -> Result<Value> {
        let value = self.expression(operand)?;
        let value = self.read(value);
        let (from, to) = match (crate::syntax::behind(&operand.ty), to) {
            (Type::Scalar(ScalarType::Integer(from)), Type::Scalar(ScalarType::Integer(to))) => {
                (*from, *to)
            }
            (_, Type::Scalar(ScalarType::Integer(_))) => {
                return Ok(Value::Unknown(super::Missing {
                    span: operand.span,
                    message: "an integer that is made of a number".to_owned(),
                }));
            }
            _ => {
                self.used(value);
                return Ok(Value::Number);
            }
        };
        let Value::Integer(integer) = value else {
            return Ok(value);
        };
        let (least, most) = from.range();
        let wide = to.holds(least) && to.holds(most) || to.bits() == 64;
        let facts = match wide {
            true => integer.facts.clone(),
            false => integer.facts.mixed(&integer.facts),
        };
        let text = format!("({} as {})", integer.text, integer_name(to));
        let form = integer.form.clone();
        let same = to.holds(least) && to.holds(most) || to.range() == from.range();
        let integer = Integer {
            natural: integer.natural && wide,
            most: integer.most.clone().filter(|_| same),
            ..Integer::computed(text, facts, (&integer, &integer))
        };
        Ok(Value::Integer(self.surveyed(integer, form, to)))
    }
}

/// What an operation on entries of arrays is at most, if it is not negative, whatever these are.
fn most_of(
    operator: BinaryOperator,
    (l, r): (&Integer, &Integer),
    ty: IntegerType,
) -> Option<Form> {
    let known = |integer: &Integer| integer.form.as_ref()?.as_constant().filter(|n| *n >= 0);
    match operator {
        BinaryOperator::Remainder if !ty.is_signed() => {
            let divisor = known(r).filter(|divisor| *divisor > 0)?;
            Some(Form::constant(divisor - 1))
        }
        BinaryOperator::Add => {
            let (some, more) = match (&l.most, &r.most) {
                (Some(some), None) => (some, known(r)?),
                (None, Some(some)) => (some, known(l)?),
                _ => return None,
            };
            let sum = some.as_constant()?.checked_add(more)?;
            ty.holds(sum).then(|| Form::constant(sum))
        }
        _ => None,
    }
}

/// The same of a method.
fn most_of_method(
    method: IntegerMethod,
    (l, r): (&Integer, &Integer),
    ty: IntegerType,
) -> Option<Form> {
    use IntegerMethod as Method;
    if ty.is_signed() {
        return None;
    }
    let own = |integer: &Integer| match integer.data {
        true => integer.most.clone(),
        false => integer.form.clone(),
    };
    match method {
        Method::Min | Method::And => own(r).or_else(|| own(l)),
        Method::ShiftRight => {
            let by = r.form.as_ref()?.as_constant()?;
            let by = u32::try_from(by).ok().filter(|by| *by < ty.bits())?;
            Some(Form::constant(ty.range().1 >> by))
        }
        _ => None,
    }
}

fn method_text(method: IntegerMethod, texts: &[&str], ty: IntegerType) -> String {
    use IntegerMethod as Method;
    let operator = match method {
        Method::And => "&",
        Method::Or => "|",
        Method::ExclusiveOr => "^",
        Method::ShiftLeft => "<<",
        Method::ShiftRight => ">>",
        _ => "",
    };
    let name = match method {
        Method::WrappingAdd => "wrapping_add",
        Method::WrappingSub => "wrapping_sub",
        Method::WrappingMul => "wrapping_mul",
        Method::WrappingNeg => "wrapping_neg",
        Method::SaturatingAdd => "saturating_add",
        Method::SaturatingSub => "saturating_sub",
        Method::SaturatingMul => "saturating_mul",
        Method::Min => "min",
        Method::Max => "max",
        Method::Abs => "abs",
        Method::Power => "pow",
        Method::DivEuclid => "div_euclid",
        Method::RemEuclid => "rem_euclid",
        Method::Ones => "count_ones",
        Method::LeadingZeros => "leading_zeros",
        Method::TrailingZeros => "trailing_zeros",
        _ => "",
    };
    match (method, texts) {
        (Method::Not, [operand]) => format!("(!{operand})"),
        (Method::Min | Method::Max, [l, r]) => format!("::core::cmp::Ord::{name}({l}, {r})"),
        (_, [operand]) if method.counts_bits() => {
            let ty = integer_name(ty);
            format!("({ty}::{name}({operand}) as {ty})")
        }
        (_, [l, r]) if !operator.is_empty() => format!("({l} {operator} {r})"),
        _ => format!("{}::{name}({})", integer_name(ty), texts.join(", ")),
    }
}

/// A literal. Without a type of its own it has the one that Rust finds for it, as in the text.
pub fn literal(value: i128, ty: &Type) -> String {
    let suffix = match crate::syntax::behind(ty) {
        Type::Scalar(ScalarType::Integer(IntegerType::Usize)) => "",
        Type::Scalar(ScalarType::Integer(ty)) => integer_name(*ty),
        _ => "",
    };
    match value < 0 {
        true => format!("({value}{suffix})"),
        false => format!("{value}{suffix}"),
    }
}

/// The type of a variable, where the text says more than a literal does.
pub fn annotation(ty: &Type) -> String {
    match crate::syntax::behind(ty) {
        Type::Scalar(ScalarType::Integer(IntegerType::Usize)) => String::new(),
        Type::Scalar(ScalarType::Integer(ty)) => format!(": {}", integer_name(*ty)),
        _ => String::new(),
    }
}
