//! Printing expressions by value numbering: equal values of one block are computed once.

use super::printer::{Printer, Scope, Value};
use crate::ir::{Element, Expr, ExprId, Factor, Term};
use crate::number::Number;
use crate::schedule::tree::Offsets;

/// A product that a sum can take in one instruction.
struct Fused {
    negative: bool,
    a: Value,
    b: Value,
}

impl Printer<'_> {
    /// The value of an expression at an instance.
    pub fn value(&mut self, scope: &mut Scope, expr: ExprId, offsets: &Offsets) -> Value {
        if let Some(known) = self.computed(scope, expr, offsets) {
            return known;
        }
        let element = self.program.pool.element(expr);
        let value = match self.program.pool.get(expr).clone() {
            Expr::Constant(number) => self.constant(number, element),
            Expr::Access(access) => self.read(scope, &access, offsets),
            Expr::Sum(terms) => {
                let contracts = !self.arguments.sums.contains(&expr);
                let around = std::mem::replace(&mut self.contracts, contracts);
                let sum = self.sum(scope, &terms, element, offsets);
                self.contracts = around;
                sum
            }
            Expr::Product(factors) => self.product(scope, &factors, element, offsets),
            Expr::Call(function, arguments) => {
                self.call(scope, (function, element), &arguments, offsets)
            }
            Expr::Compare(operator, l, r) => {
                let (vector, l, r) = self.pair(scope, l, r, offsets, false);
                let text = self.unit_of(element).compare(vector, operator, &l, &r);
                self.bind("condition", &text, vector, element)
            }
            Expr::Select(condition, then, otherwise) => {
                let condition = self.value(scope, condition, offsets);
                if !condition.vector && self.taken.branches(expr).is_some() {
                    self.taken_branch(scope, (expr, &condition), [then, otherwise], offsets)
                } else {
                    self.chosen(scope, condition, [then, otherwise], (element, offsets))
                }
            }
            Expr::Cast(to, operand) => self.converted(scope, to, operand, offsets),
        };
        self.learn(scope, (expr, offsets), value.clone());
        value
    }

    /// One of two values that are both computed, in each lane for itself where the condition is one of vectors.
    fn chosen(
        &mut self,
        scope: &mut Scope,
        condition: Value,
        [then, otherwise]: [ExprId; 2],
        (element, offsets): (Element, &Offsets),
    ) -> Value {
        let (vector, then, otherwise) =
            self.pair(scope, then, otherwise, offsets, condition.vector);
        let text = if condition.vector {
            let (unit, of) = (self.unit_of(element), self.unit_of(condition.element));
            let mask = unit.converted_mask(of, &condition.text);
            unit.select(&mask, &then, &otherwise)
        } else {
            format!("if {} {{ {then} }} else {{ {otherwise} }}", condition.text)
        };
        self.bind("choice", &text, vector, element)
    }

    /// The value of an expression at an instance, if it has been computed there or in another row.
    pub fn computed(&self, scope: &mut Scope, expr: ExprId, offsets: &Offsets) -> Option<Value> {
        let key = (expr, self.own_offsets(expr, offsets));
        if let Some(known) = self.kept.get(&key).or_else(|| scope.values.get(&key)) {
            return Some(known.clone());
        }
        let same = scope.same.as_mut()?;
        let place = same.place(self.program, expr, offsets)?;
        scope.places.get(&place).cloned()
    }

    /// Says what the value of an expression at an instance is, and at others that are the same.
    pub fn learn(&self, scope: &mut Scope, (expr, offsets): (ExprId, &Offsets), value: Value) {
        let same = scope.same.as_mut();
        let place = same.and_then(|same| same.place(self.program, expr, offsets));
        scope
            .places
            .extend(place.map(|place| (place, value.clone())));
        let key = (expr, self.own_offsets(expr, offsets));
        scope.values.insert(key, value);
    }

    /// The offsets that make a difference to an expression.
    pub fn own_offsets(&self, expr: ExprId, offsets: &Offsets) -> Offsets {
        let depends = self.program.pool.indices(expr);
        let own = offsets.iter().filter(|(index, _)| depends.contains(index));
        own.copied().collect()
    }

    fn constant(&self, number: Number, element: Element) -> Value {
        let unit = self.unit_of(element);
        Value {
            text: match unit.word {
                Some(_) => unit.whole(number.to_integer()),
                None => unit.constant(number.to_f64()),
            },
            vector: false,
            element,
        }
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
    pub fn is_fusible(&self, term: &Term) -> bool {
        if !(self.unit.fused && self.contracts) {
            return false;
        }
        let unit = term.coefficient.is_one() || term.coefficient.is_minus_one();
        !unit || self.is_plain_product(term.expr)
    }

    fn is_plain_product(&self, expr: ExprId) -> bool {
        let Expr::Product(factors) = self.program.pool.get(expr) else {
            return false;
        };
        let whole = factors.len() > 1 && factors.iter().all(|f| f.power == 1);
        !self.shared(expr) && (whole || matches!(factors[..], [Factor { power: 2, .. }]))
    }

    fn fusible(&mut self, scope: &mut Scope, term: &Term, offsets: &Offsets) -> Option<Fused> {
        if !self.is_fusible(term) {
            return None;
        }
        let negative = term.coefficient.is_minus_one();
        if !negative && !term.coefficient.is_one() {
            let b = self.value(scope, term.expr, offsets);
            let a = self.constant(term.coefficient, b.element);
            return Some(Fused { negative, a, b });
        }
        let Expr::Product(factors) = self.program.pool.get(term.expr).clone() else {
            return None;
        };
        let (last, rest) = factors.split_last()?;
        let a = match rest {
            // A square.
            [] => self.value(scope, last.expr, offsets),
            [only] => self.value(scope, only.expr, offsets),
            _ => {
                let element = self.program.pool.element(term.expr);
                self.product(scope, rest, element, offsets)
            }
        };
        let b = self.value(scope, last.expr, offsets);
        Some(Fused { negative, a, b })
    }

    fn sum(
        &mut self,
        scope: &mut Scope,
        terms: &[Term],
        element: Element,
        offsets: &Offsets,
    ) -> Value {
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
                text: self.unit_of(element).zero(false),
                vector: false,
                element,
            };
        };
        let mut sum = self.begun(scope, &first, offsets);
        for term in order {
            sum = self.added(scope, sum, &term, offsets);
        }
        sum
    }

    /// The first term of a sum.
    pub fn begun(&mut self, scope: &mut Scope, first: &Term, offsets: &Offsets) -> Value {
        let value = self.value(scope, first.expr, offsets);
        if first.coefficient.is_minus_one() {
            let element = value.element;
            let text = self.unit_of(element).neg(value.vector, &value.text);
            return self.bind("negative", &text, value.vector, element);
        }
        self.scaled(scope, value, first)
    }

    /// `sum + term`, in one instruction if possible.
    /// A sum with a term added to it.
    pub fn added(
        &mut self,
        scope: &mut Scope,
        sum: Value,
        term: &Term,
        offsets: &Offsets,
    ) -> Value {
        if let Some(Fused { negative, a, b }) = self.fusible(scope, term, offsets) {
            let vector = a.vector || b.vector || sum.vector;
            let element = sum.element;
            let [a, b, c] = [a, b, sum].map(|v| self.coerce(scope, v, vector));
            let text = self.unit_of(element).fused(vector, negative, &a, &b, &c);
            return self.bind("sum", &text, vector, element);
        }
        let negative = term.coefficient.is_minus_one();
        let mut value = self.value(scope, term.expr, offsets);
        if !negative {
            value = self.scaled(scope, value, term);
        }
        let (vector, element) = (sum.vector || value.vector, sum.element);
        let (l, r) = (
            self.coerce(scope, sum, vector),
            self.coerce(scope, value, vector),
        );
        let text = if negative {
            self.unit_of(element).sub(vector, &l, &r)
        } else {
            self.unit_of(element).add(vector, &l, &r)
        };
        self.bind("sum", &text, vector, element)
    }

    fn scaled(&mut self, scope: &mut Scope, value: Value, term: &Term) -> Value {
        if term.coefficient.is_one() {
            return value;
        }
        let element = value.element;
        let factor = self.constant(term.coefficient, element);
        let factor = self.coerce(scope, factor, value.vector);
        let text = self
            .unit_of(element)
            .mul(value.vector, &factor, &value.text);
        self.bind("scaled", &text, value.vector, element)
    }

    fn product(
        &mut self,
        scope: &mut Scope,
        factors: &[Factor],
        element: Element,
        offsets: &Offsets,
    ) -> Value {
        let mut product: Option<Value> = None;
        for factor in factors {
            let value = self.value(scope, factor.expr, offsets);
            for _ in 0..factor.power.unsigned_abs() {
                let so_far = match product.take() {
                    None if factor.power > 0 => {
                        product = Some(value.clone());
                        continue;
                    }
                    None => self.constant(Number::ONE, element),
                    Some(so_far) => so_far,
                };
                let vector = so_far.vector || value.vector;
                let (l, r) = (
                    self.coerce(scope, so_far, vector),
                    self.coerce(scope, value.clone(), vector),
                );
                let unit = self.unit_of(element);
                let text = if factor.power > 0 {
                    unit.mul(vector, &l, &r)
                } else {
                    unit.div(vector, &l, &r)
                };
                product = Some(self.bind("product", &text, vector, element));
            }
        }
        product.unwrap_or_else(|| self.constant(Number::ONE, element))
    }
}
