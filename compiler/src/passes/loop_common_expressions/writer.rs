//! Forms as expressions.

use super::Shared;
use super::form::Form;
use super::gather::Gathered;
use crate::collections::HashMap;
use crate::ir::{Combining, Element, Expr, ExprId, Factor, Program, Term};
use crate::number::{Field, Number};
use crate::rewrite::normalise::{extremum, product, sum};
use crate::rewrite::translate::{Offset, Translation};
use crate::syntax::ast::Elementary;

/// Writes forms as expressions.
pub(super) struct Writer<'a> {
    pub(super) gathered: &'a Gathered,
    pub(super) program: &'a mut Program,
    pub(super) translation: &'a Translation,
    pub(super) temporaries: Vec<Option<Shared>>,
    pub(super) known: &'a mut HashMap<ExprId, ExprId>,
}

impl Writer<'_> {
    /// The value of a form: terms of one magnitude are added up, and then multiplied.
    pub(super) fn value(&mut self, form: &Form) -> ExprId {
        let function = match form.combining {
            Combining::Min => Some(Elementary::Min),
            Combining::Max => Some(Elementary::Max),
            _ => None,
        };
        if let Some(function) = function {
            let terms = form.terms.iter();
            let operands = terms.map(|term| self.atom(term.atom, term.at)).collect();
            return extremum(&mut self.program.pool, function, operands);
        }
        let mut classes: Vec<((usize, Field), Number, Vec<Term>)> = Vec::new();
        for term in &form.terms {
            let expr = self.atom(term.atom, term.at);
            let sign = if term.weight.is_negative() { -1 } else { 1 };
            let class = term.weight.magnitude();
            let coefficient = Number::from_i64(sign);
            let term_of = Term { coefficient, expr };
            match classes.iter_mut().find(|(own, ..)| *own == class) {
                Some((.., terms)) => terms.push(term_of),
                None => classes.push((class, term.weight.number.abs(), vec![term_of])),
            }
        }
        let mut terms: Vec<Term> = Vec::new();
        let mut element = Element::F64;
        for ((symbol, _), number, mut inner) in classes {
            element = self.program.pool.element(inner[0].expr);
            let pool = &mut self.program.pool;
            let one = symbol == 0 && number.is_one();
            if one {
                terms.append(&mut inner);
                continue;
            }
            // No minus in front of the first term.
            let sign = match inner.iter().all(|term| term.coefficient.is_minus_one()) {
                true => Number::from_i64(-1),
                false => Number::ONE,
            };
            inner.iter_mut().for_each(|term| term.coefficient *= sign);
            let inner = sum(pool, inner, element);
            let constant = pool.constant(number, element);
            let mut factors = vec![Factor {
                expr: constant,
                power: 1,
            }];
            if symbol > 0 {
                let expr = self.gathered.symbols[symbol - 1];
                match pool.get(expr) {
                    Expr::Product(own) => factors.extend(own.iter().copied()),
                    _ => factors.push(Factor { expr, power: 1 }),
                }
            }
            factors.push(Factor {
                expr: inner,
                power: 1,
            });
            terms.push(Term {
                coefficient: sign,
                expr: product(pool, factors, element),
            });
        }
        sum(&mut self.program.pool, terms, element)
    }

    /// A translate of an atom.
    fn atom(&mut self, atom: usize, at: Offset) -> ExprId {
        if let Some(own) = self.gathered.atoms.get(atom) {
            return match own.fixed {
                true => self.program.pool.replace(own.expr, self.known),
                false => self
                    .translation
                    .translate(&mut self.program.pool, own.expr, at),
            };
        }
        let shared = self.temporaries[atom - self.gathered.atoms.len()].as_ref();
        let shared = shared.expect("temporaries are defined before they are read");
        let (array, dims, like) = (shared.array, &shared.dims, shared.value);
        self.translation.read(self.program, (array, dims), at, like)
    }
}
