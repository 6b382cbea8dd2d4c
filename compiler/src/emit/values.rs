//! Printing expressions by value numbering: equal values of one block are computed once.

use std::fmt::Write as _;

use super::printer::{Offsets, Printer, Scope, Value};
use crate::ir::{Element, Expr, ExprId, Factor, Term};
use crate::syntax::ast::Elementary;

/// A product that a sum can take in one instruction.
struct Fused {
    negative: bool,
    a: Value,
    b: Value,
}

impl Printer<'_> {
    /// The value of an expression at an instance.
    pub fn value(&mut self, scope: &mut Scope, expr: ExprId, offsets: &Offsets) -> Value {
        let depends = self.depends(expr);
        let mine: Offsets = offsets
            .iter()
            .copied()
            .filter(|(index, _)| depends.contains(index))
            .collect();
        if let Some(known) = scope.values.get(&(expr, mine.clone())) {
            return known.clone();
        }
        let value = match self.program.pool.get(expr).clone() {
            Expr::Constant(number) => Value {
                text: self.unit.constant(number.to_f64()),
                vector: false,
            },
            Expr::Access(access) => self.read(scope, &access, offsets),
            Expr::Sum(terms) => self.sum(scope, &terms, offsets),
            Expr::Product(factors) => self.product(scope, &factors, offsets),
            Expr::Call(function, arguments) => self.call(scope, function, &arguments, offsets),
            Expr::Compare(operator, l, r) => {
                let (vector, l, r) = self.pair(scope, l, r, offsets, false);
                let text = self.unit.compare(vector, operator, &l, &r);
                self.bind("condition", &text, vector)
            }
            Expr::Select(condition, then, otherwise) => {
                let condition = self.value(scope, condition, offsets);
                let (vector, then, otherwise) =
                    self.pair(scope, then, otherwise, offsets, condition.vector);
                let text = if condition.vector {
                    self.unit.select(&condition.text, &then, &otherwise)
                } else {
                    format!("if {} {{ {then} }} else {{ {otherwise} }}", condition.text)
                };
                self.bind("choice", &text, vector)
            }
            Expr::Cast(element, operand) => self.cast(scope, element, operand, offsets),
        };
        scope.values.insert((expr, mine), value.clone());
        value
    }

    fn pair(
        &mut self,
        scope: &mut Scope,
        l: ExprId,
        r: ExprId,
        offsets: &Offsets,
        force: bool,
    ) -> (bool, String, String) {
        let (l, r) = (self.value(scope, l, offsets), self.value(scope, r, offsets));
        let vector = force || l.vector || r.vector;
        let (l, r) = (self.coerce(scope, l, vector), self.coerce(scope, r, vector));
        (vector, l, r)
    }

    /// Whether a term can be fused into a sum: it ends with a multiplication of its own.
    fn is_fusible(&self, term: &Term) -> bool {
        if !self.unit.fused {
            return false;
        }
        let unit = term.coefficient.is_one() || term.coefficient.is_minus_one();
        !unit || self.is_plain_product(term.expr)
    }

    fn is_plain_product(&self, expr: ExprId) -> bool {
        let Expr::Product(factors) = self.program.pool.get(expr) else {
            return false;
        };
        !self.shared(expr) && factors.len() > 1 && factors.iter().all(|f| f.power == 1)
    }

    fn fusible(&mut self, scope: &mut Scope, term: &Term, offsets: &Offsets) -> Option<Fused> {
        if !self.is_fusible(term) {
            return None;
        }
        let negative = term.coefficient.is_minus_one();
        if !negative && !term.coefficient.is_one() {
            let a = Value {
                text: self.unit.constant(term.coefficient.to_f64()),
                vector: false,
            };
            let b = self.value(scope, term.expr, offsets);
            return Some(Fused { negative, a, b });
        }
        let Expr::Product(factors) = self.program.pool.get(term.expr).clone() else {
            return None;
        };
        let (last, rest) = factors.split_last()?;
        let a = match rest {
            [only] => self.value(scope, only.expr, offsets),
            _ => self.product(scope, rest, offsets),
        };
        let b = self.value(scope, last.expr, offsets);
        Some(Fused { negative, a, b })
    }

    fn sum(&mut self, scope: &mut Scope, terms: &[Term], offsets: &Offsets) -> Value {
        let mut order: Vec<Term> = terms.to_vec();
        if self.unit.fused {
            // What cannot be fused starts the sum; then what has a value a lane, so that scalar
            // factors of the other products are broadcast from memory.
            order.sort_by_cached_key(|t| {
                let negative = t.coefficient.is_minus_one();
                (self.is_fusible(t), negative, !self.is_vector(t.expr))
            });
        }
        let mut order = order.into_iter();
        let Some(first) = order.next() else {
            return Value {
                text: self.unit.zero(false),
                vector: false,
            };
        };
        let value = self.value(scope, first.expr, offsets);
        let mut sum = if first.coefficient.is_minus_one() {
            let text = self.unit.neg(value.vector, &value.text);
            self.bind("negative", &text, value.vector)
        } else {
            self.scaled(scope, value, &first)
        };
        for term in order {
            sum = self.added(scope, sum, &term, offsets);
        }
        sum
    }

    /// `sum + term`, in one instruction if possible.
    fn added(&mut self, scope: &mut Scope, sum: Value, term: &Term, offsets: &Offsets) -> Value {
        if let Some(Fused { negative, a, b }) = self.fusible(scope, term, offsets) {
            let vector = a.vector || b.vector || sum.vector;
            let [a, b, c] = [a, b, sum].map(|v| self.coerce(scope, v, vector));
            let text = self.unit.fused(vector, negative, &a, &b, &c);
            return self.bind("sum", &text, vector);
        }
        let negative = term.coefficient.is_minus_one();
        let mut value = self.value(scope, term.expr, offsets);
        if !negative {
            value = self.scaled(scope, value, term);
        }
        let vector = sum.vector || value.vector;
        let (l, r) = (
            self.coerce(scope, sum, vector),
            self.coerce(scope, value, vector),
        );
        let text = if negative {
            self.unit.sub(vector, &l, &r)
        } else {
            self.unit.add(vector, &l, &r)
        };
        self.bind("sum", &text, vector)
    }

    /// An accumulator with an expression added to it.
    pub fn accumulated(
        &mut self,
        scope: &mut Scope,
        accumulator: &Value,
        expr: ExprId,
        offsets: &Offsets,
    ) -> String {
        let whole = Term {
            coefficient: crate::number::Number::ONE,
            expr,
        };
        let terms = match self.program.pool.get(expr) {
            Expr::Sum(terms) if self.unit.fused && !self.shared(expr) => terms.clone(),
            _ => vec![whole],
        };
        let mut sum = accumulator.clone();
        for term in terms {
            sum = self.added(scope, sum, &term, offsets);
        }
        self.coerce(scope, sum, accumulator.vector)
    }

    fn scaled(&mut self, scope: &mut Scope, value: Value, term: &Term) -> Value {
        if term.coefficient.is_one() {
            return value;
        }
        let factor = Value {
            text: self.unit.constant(term.coefficient.to_f64()),
            vector: false,
        };
        let factor = self.coerce(scope, factor, value.vector);
        let text = self.unit.mul(value.vector, &factor, &value.text);
        self.bind("scaled", &text, value.vector)
    }

    fn product(&mut self, scope: &mut Scope, factors: &[Factor], offsets: &Offsets) -> Value {
        let mut product: Option<Value> = None;
        for factor in factors {
            let value = self.value(scope, factor.expr, offsets);
            for _ in 0..factor.power.unsigned_abs() {
                let so_far = match product.take() {
                    None if factor.power > 0 => {
                        product = Some(value.clone());
                        continue;
                    }
                    None => Value {
                        text: self.unit.constant(1.0),
                        vector: false,
                    },
                    Some(so_far) => so_far,
                };
                let vector = so_far.vector || value.vector;
                let (l, r) = (
                    self.coerce(scope, so_far, vector),
                    self.coerce(scope, value.clone(), vector),
                );
                let text = if factor.power > 0 {
                    self.unit.mul(vector, &l, &r)
                } else {
                    self.unit.div(vector, &l, &r)
                };
                product = Some(self.bind("product", &text, vector));
            }
        }
        product.unwrap_or_else(|| Value {
            text: self.unit.constant(1.0),
            vector: false,
        })
    }

    fn call(
        &mut self,
        scope: &mut Scope,
        function: Elementary,
        arguments: &[ExprId],
        offsets: &Offsets,
    ) -> Value {
        let values: Vec<Value> = arguments
            .iter()
            .map(|a| self.value(scope, *a, offsets))
            .collect();
        let vector = values.iter().any(|v| v.vector);
        let texts: Vec<String> = values
            .into_iter()
            .map(|v| self.coerce(scope, v, vector))
            .collect();
        let name = method(function);
        if !vector {
            let text = self.scalar_call(function, name, &texts);
            return self.bind(name, &text, false);
        }
        let text = match function {
            Elementary::Abs => self.unit.abs(&texts[0]),
            Elementary::Sqrt => format!("{}({})", self.unit.name("sqrt"), texts[0]),
            Elementary::Floor => self.unit.floor(&texts[0]),
            Elementary::Ceil => self.unit.ceil(&texts[0]),
            Elementary::Min => self.unit.extremum("min", &texts[0], &texts[1]),
            Elementary::Max => self.unit.extremum("max", &texts[0], &texts[1]),
            Elementary::MulAdd => self
                .unit
                .fused(true, false, &texts[0], &texts[1], &texts[2]),
            Elementary::Recip => {
                let one = self.unit.splat(&self.unit.constant(1.0));
                self.unit.div(true, &one, &texts[0])
            }
            _ => self.lane_by_lane(function, name, &texts),
        };
        self.bind(name, &text, true)
    }

    fn scalar_call(&self, function: Elementary, name: &str, arguments: &[String]) -> String {
        let (ty, krate) = (&self.unit.scalar, &self.unit.krate);
        if let Elementary::Pure(at) = function {
            let path = self.program.functions.get(at).map_or("", String::as_str);
            return format!("{path}({})", arguments.join(", "));
        }
        let mut all = arguments.to_vec();
        if let Elementary::Powi(n) = function {
            all.push(format!("{n}i32"));
        }
        let path = if self.unit.generic {
            let real = matches!(
                function,
                Elementary::Abs
                    | Elementary::Min
                    | Elementary::Max
                    | Elementary::Floor
                    | Elementary::Ceil
            );
            format!(
                "<{ty} as {krate}::{}>",
                if real { "Real" } else { "Scalar" }
            )
        } else {
            ty.clone()
        };
        format!("{path}::{name}({})", all.join(", "))
    }

    fn lane_by_lane(&mut self, function: Elementary, name: &str, arguments: &[String]) -> String {
        let (zero, width) = (self.unit.zero(false), self.unit.width);
        let mut text = "{ ".to_owned();
        let mut arrays = Vec::new();
        for argument in arguments {
            let array = self.fresh("lanes");
            let store = self.unit.store(&format!("{array}.as_mut_ptr()"), argument);
            let _ = write!(text, "let mut {array} = [{zero}; {width}]; {store} ");
            arrays.push(array);
        }
        let lane = self.fresh("lane");
        let operands: Vec<String> = arrays.iter().map(|a| format!("{a}[{lane}]")).collect();
        let call = self.scalar_call(function, name, &operands);
        let first = &arrays[0];
        let load = self.unit.load(&format!("{first}.as_ptr()"));
        let _ = write!(
            text,
            "for {lane} in 0..{width}usize {{ {first}[{lane}] = {call}; }} {load} }}"
        );
        text
    }

    fn cast(
        &mut self,
        scope: &mut Scope,
        element: Element,
        operand: ExprId,
        offsets: &Offsets,
    ) -> Value {
        let value = self.value(scope, operand, offsets);
        let text = match element {
            Element::F32 => format!("{} as f32", value.text),
            Element::F64 => format!("{} as f64", value.text),
            Element::Generic if self.unit.generic => format!(
                "<{} as {}::Scalar>::from_f64({})",
                self.unit.scalar, self.unit.krate, value.text
            ),
            Element::Generic | Element::Integer(_) => return value,
        };
        self.bind("cast", &text, value.vector)
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
        Elementary::Powf => "powf",
        Elementary::Powi(_) => "powi",
        Elementary::MulAdd => "mul_add",
        Elementary::Recip => "recip",
        Elementary::Pure(_) => "pure",
    }
}
