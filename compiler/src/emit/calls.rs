//! Printing calls of elementary functions.

use std::fmt::Write as _;

use super::printer::{Printer, Scope, Value};
use super::pure;
use crate::ir::{Combining, Element, Expr, ExprId};
use crate::schedule::functions::has_lanes;
use crate::schedule::tree::Offsets;
use crate::syntax::ast::Elementary;

impl Printer<'_> {
    /// The value of a function, of an element type.
    pub fn call(
        &mut self,
        scope: &mut Scope,
        (function, element): (Elementary, Element),
        arguments: &[ExprId],
        offsets: &Offsets,
    ) -> Value {
        let values: Vec<Value> = arguments
            .iter()
            .map(|a| self.value(scope, *a, offsets))
            .collect();
        let vector = values.iter().any(|v| v.vector);
        let elements: Vec<Element> = values.iter().map(|v| v.element).collect();
        let mut texts: Vec<String> = values
            .into_iter()
            .map(|v| self.coerce(scope, v, vector))
            .collect();
        if let Some((combining, start)) = self.starting(function, arguments)
            && texts.len() > 2
        {
            let unit = self.unit_of(element).clone();
            let mut held = texts.remove(start);
            for text in texts {
                let text = unit.combined(combining, vector, &held, &text);
                held = self.bind(method(function), &text, vector, element).text;
            }
            return Value {
                text: held,
                vector,
                element,
            };
        }
        while texts.len() > 2 && matches!(function, Elementary::Min | Elementary::Max) {
            texts = self.of_pairs((function, element), texts, vector);
        }
        if let (true, Elementary::Powi(power)) = (vector, function) {
            return self.power(power, element, &texts[0]);
        }
        if vector && let Some(partner) = self.partner(function, element, arguments) {
            return self.sine_and_cosine(scope, (function, partner), &texts[0], offsets);
        }
        let name = match function {
            Elementary::Pure(at) => {
                pure::name(self.program, (at, arguments, element), self.unit.element())
            }
            _ => method(function).to_owned(),
        };
        let text = match (vector, self.instruction(function, element, &texts)) {
            (false, _) => self.scalar_call((function, element), &name, &texts),
            (true, Some(text)) => text,
            (true, None) => {
                let arguments: Vec<(String, Element)> = texts.into_iter().zip(elements).collect();
                self.lane_by_lane((function, element), &name, &arguments)
            }
        };
        self.bind(method(function), &text, vector, element)
    }

    /// The operand of a minimum or maximum that is a number: what is compared with it, one value after the other,
    /// is never taken for a NaN.
    fn starting(&self, function: Elementary, operands: &[ExprId]) -> Option<(Combining, usize)> {
        let combining = match function {
            Elementary::Min => Combining::Lesser,
            Elementary::Max => Combining::Greater,
            _ => return None,
        };
        let number = |expr: &ExprId| match self.program.pool.get(*expr) {
            Expr::Constant(number) => !number.to_f64().is_nan(),
            _ => false,
        };
        Some((combining, operands.iter().position(number)?))
    }

    /// Minima or maxima of each two of some values.
    fn of_pairs(
        &mut self,
        (function, element): (Elementary, Element),
        texts: Vec<String>,
        vector: bool,
    ) -> Vec<String> {
        let mut result = Vec::new();
        for pair in texts.chunks(2) {
            if pair.len() < 2 {
                result.extend_from_slice(pair);
                continue;
            }
            let text = match self.instruction(function, element, pair) {
                Some(text) if vector => text,
                _ => self.scalar_call((function, element), method(function), pair),
            };
            let value = self.bind(method(function), &text, vector, element);
            result.push(value.text);
        }
        result
    }

    /// The function as an instruction on vectors, if there is one.
    fn instruction(&self, function: Elementary, element: Element, a: &[String]) -> Option<String> {
        let unit = self.unit_of(element);
        if unit.word.is_some() {
            return unit.word_instruction(function, a);
        }
        Some(match function {
            Elementary::Abs => unit.abs(&a[0]),
            Elementary::Sqrt => format!("{}({})", unit.name("sqrt"), a[0]),
            Elementary::Floor => unit.floor(&a[0]),
            Elementary::Ceil => unit.ceil(&a[0]),
            Elementary::Trunc => unit.trunc(&a[0]),
            Elementary::Round => unit.round(&a[0]),
            Elementary::RoundTiesEven => unit.round_ties_even(&a[0]),
            Elementary::Copysign => unit.copysign(&a[0], &a[1]),
            Elementary::Signum => unit.signum(&a[0]),
            Elementary::Min | Elementary::Max => {
                let combining = match function {
                    Elementary::Min => Combining::Min,
                    _ => Combining::Max,
                };
                match unit.in_range(combining, &a[0], &a[1]) {
                    Some(text) => text,
                    _ => unit.extremum(method(function), &a[0], &a[1]),
                }
            }
            Elementary::Lesser => unit.combined(Combining::Lesser, true, &a[1], &a[0]),
            Elementary::Greater => unit.combined(Combining::Greater, true, &a[1], &a[0]),
            Elementary::MulAdd => unit.fused(true, false, &a[0], &a[1], &a[2]),
            Elementary::Recip => {
                let one = unit.splat(&unit.constant(1.0));
                unit.div(true, &one, &a[0])
            }
            _ if has_lanes(self.program, function) => {
                format!(
                    "{}({})",
                    self.lanes(element, method(function)),
                    a.join(", ")
                )
            }
            _ => return None,
        })
    }

    /// The path of a function of all lanes.
    fn lanes(&self, element: Element, name: &str) -> String {
        let unit = self.unit_of(element);
        let (krate, scalar, width) = (&unit.krate, &unit.scalar, unit.width);
        format!("{krate}::lanes::{scalar}x{width}::{name}")
    }

    /// A power by squaring: the operations of `powi`, in its order.
    fn power(&mut self, power: i32, element: Element, of: &str) -> Value {
        let (mut rest, mut square) = (power.unsigned_abs(), of.to_owned());
        let mut product: Option<String> = None;
        while rest > 0 {
            if rest % 2 == 1 {
                product = Some(match product {
                    Some(so_far) => {
                        let text = self.unit_of(element).mul(true, &so_far, &square);
                        self.name("power", &text)
                    }
                    None => square.clone(),
                });
            }
            rest /= 2;
            if rest > 0 {
                let text = self.unit_of(element).mul(true, &square, &square);
                square = self.name("square", &text);
            }
        }
        let unit = self.unit_of(element);
        let one = unit.splat(&unit.constant(1.0));
        let text = match product {
            Some(product) if power < 0 => unit.div(true, &one, &product),
            Some(product) => product,
            None => one,
        };
        self.bind("power", &text, true, element)
    }

    /// Of a sine the cosine of the same argument, if it is computed too, and the other way round.
    fn partner(
        &self,
        function: Elementary,
        element: Element,
        arguments: &[ExprId],
    ) -> Option<ExprId> {
        let other = match function {
            Elementary::Sin => Elementary::Cos,
            Elementary::Cos => Elementary::Sin,
            _ => return None,
        };
        let call = Expr::Call(other, arguments.to_vec());
        let found = self.program.pool.find(&call, element)?;
        (has_lanes(self.program, function) && self.is_used(found)).then_some(found)
    }

    /// Both, of which the partner is known from now on.
    fn sine_and_cosine(
        &mut self,
        scope: &mut Scope,
        (function, partner): (Elementary, ExprId),
        argument: &str,
        offsets: &Offsets,
    ) -> Value {
        let element = self.program.pool.element(partner);
        let path = self.lanes(element, "sin_cos");
        let both = self.name("sin_cos", &format!("{path}({argument})"));
        let sine = self.bind("sin", &format!("{both}.0"), true, element);
        let cosine = self.bind("cos", &format!("{both}.1"), true, element);
        let (value, other) = match function {
            Elementary::Sin => (sine, cosine),
            _ => (cosine, sine),
        };
        let key = (partner, self.own_offsets(partner, offsets));
        scope.values.insert(key, other);
        value
    }

    fn scalar_call(
        &self,
        (function, element): (Elementary, Element),
        name: &str,
        arguments: &[String],
    ) -> String {
        let unit = self.unit_of(element);
        let (ty, krate) = (&unit.scalar, &unit.krate);
        if unit.word.is_some() {
            return unit.word_call(function, arguments);
        }
        if let Elementary::Pure(_) = function {
            return format!("{name}({})", arguments.join(", "));
        }
        if function == Elementary::Remainder {
            return format!("({})", arguments.join(" % "));
        }
        if let (Elementary::Lesser, [a, b]) = (function, arguments) {
            return unit.combined(Combining::Lesser, false, b, a);
        }
        if let (Elementary::Greater, [a, b]) = (function, arguments) {
            return unit.combined(Combining::Greater, false, b, a);
        }
        let mut all = arguments.to_vec();
        if let Elementary::Powi(n) = function {
            all.push(format!("{n}i32"));
        }
        let path = if unit.generic {
            format!(
                "<{ty} as {krate}::{}>",
                if function.is_of_reals() {
                    "Real"
                } else {
                    "Scalar"
                }
            )
        } else {
            ty.clone()
        };
        format!("{path}::{name}({})", all.join(", "))
    }

    fn lane_by_lane(
        &mut self,
        function: (Elementary, Element),
        name: &str,
        arguments: &[(String, Element)],
    ) -> String {
        let mut text = "{ ".to_owned();
        let mut arrays = Vec::new();
        for (argument, element) in arguments {
            let array = self.fresh("lanes");
            let unit = self.unit_of(*element);
            let (zero, width) = (unit.zero(false), unit.width);
            let store = unit.store(&format!("{array}.as_mut_ptr()"), argument);
            let _ = write!(text, "let mut {array} = [{zero}; {width}]; {store} ");
            arrays.push(array);
        }
        let (lane, results) = (self.fresh("lane"), self.fresh("lanes"));
        let operands: Vec<String> = arrays.iter().map(|a| format!("{a}[{lane}]")).collect();
        let call = self.scalar_call(function, name, &operands);
        let unit = self.unit_of(function.1);
        let (zero, width) = (unit.zero(false), unit.width);
        let load = unit.load(&format!("{results}.as_ptr()"));
        let _ = write!(
            text,
            "let mut {results} = [{zero}; {width}]; \
             for {lane} in 0..{width}usize {{ {results}[{lane}] = {call}; }} {load} }}"
        );
        text
    }
}

/// The method of an elementary function.
fn method(function: Elementary) -> &'static str {
    match function {
        Elementary::Abs => "abs",
        Elementary::Sqrt => "sqrt",
        Elementary::Exp => "exp",
        Elementary::Ln => "ln",
        Elementary::Sin => "sin",
        Elementary::Cos => "cos",
        Elementary::Tan => "tan",
        Elementary::Tanh => "tanh",
        Elementary::Floor => "floor",
        Elementary::Ceil => "ceil",
        Elementary::Min => "min",
        Elementary::Max => "max",
        Elementary::Lesser => "lesser",
        Elementary::Greater => "greater",
        Elementary::Powf => "powf",
        Elementary::Powi(_) => "powi",
        Elementary::MulAdd => "mul_add",
        Elementary::Recip => "recip",
        Elementary::Exp2 => "exp2",
        Elementary::ExpM1 => "exp_m1",
        Elementary::Ln1p => "ln_1p",
        Elementary::Log2 => "log2",
        Elementary::Log10 => "log10",
        Elementary::Sinh => "sinh",
        Elementary::Cosh => "cosh",
        Elementary::Asin => "asin",
        Elementary::Acos => "acos",
        Elementary::Atan => "atan",
        Elementary::Atan2 => "atan2",
        Elementary::Cbrt => "cbrt",
        Elementary::Hypot => "hypot",
        Elementary::Asinh => "asinh",
        Elementary::Acosh => "acosh",
        Elementary::Atanh => "atanh",
        Elementary::Round => "round",
        Elementary::RoundTiesEven => "round_ties_even",
        Elementary::Trunc => "trunc",
        Elementary::Signum => "signum",
        Elementary::Copysign => "copysign",
        Elementary::Remainder => "remainder",
        Elementary::Pure(_) => "pure",
        Elementary::Bits(_) => "bits",
    }
}
