//! Values of an expression at many points at once.
//!
//! An expression is a list of steps, each of which has a row of values: one a point. What that list cannot say,
//! integers and what is computed on one of two ways, the [evaluator](super::eval) computes, point by point.

use super::Result;
use super::addresses::Address;
use super::batch::Batch;
use super::point::Point;
use super::storage::Arrays;
use crate::ir::{Element, Equation, Expr, ExprId, Program};
use crate::number::Field;
use crate::syntax::ast::Elementary;
use crate::verify::coverage::Points;
use crate::verify::{TOO_LARGE, uninterpreted};

/// What a row holds; operands are numbers of rows.
enum Step {
    Load(Address),
    Constant(Field),
    Sum(Vec<(Field, usize)>),
    Product(Vec<(i32, usize)>),
    Call(Elementary, Vec<usize>),
    Convert(Element, Element, usize),
}

/// The steps of an equation's expression, the last one of which is its value.
pub struct Steps {
    steps: Vec<Step>,
    /// The rows of those that look up tables.
    look_ups: Vec<(usize, ExprId)>,
    /// What a point takes of the budget.
    each: u64,
}

impl Steps {
    /// The steps of an equation, if its expression is one of floating-point numbers without conditions; `looks_up` says
    /// which expressions look up tables.
    ///
    /// # Errors
    /// If an access has no address.
    pub fn new(
        program: &Program,
        arrays: &Arrays,
        (equation, looks_up): (&Equation, &[bool]),
    ) -> Result<Option<Steps>> {
        let pool = &program.pool;
        // Operands have smaller numbers than what they are operands of.
        let mut used = vec![equation.expr];
        let mut next = 0;
        let mut seen = crate::collections::HashSet::from_iter([equation.expr]);
        while let Some(id) = used.get(next).copied() {
            next += 1;
            let operands = pool.operands(id).into_iter();
            used.extend(operands.filter(|operand| seen.insert(*operand)));
        }
        used.sort_unstable();
        let row = |id: &ExprId| used.binary_search(id).unwrap_or(0);
        let (mut steps, mut each) = (Vec::with_capacity(used.len()), 0);
        for id in &used {
            let expr = pool.get(*id);
            let access = matches!(expr, Expr::Access(_));
            if !access && pool.element(*id).as_word().is_some() {
                return Ok(None);
            }
            each += u64::from(!access);
            steps.push(match expr {
                Expr::Access(access) => Step::Load(arrays.compile(access)?),
                Expr::Constant(number) => Step::Constant(number.field()),
                Expr::Sum(terms) => {
                    let terms = terms.iter();
                    let terms = terms.map(|term| (term.coefficient.field(), row(&term.expr)));
                    Step::Sum(terms.collect())
                }
                Expr::Product(factors) => {
                    let factors = factors.iter();
                    let factors = factors.map(|factor| (factor.power, row(&factor.expr)));
                    Step::Product(factors.collect())
                }
                Expr::Call(function, arguments) => {
                    Step::Call(*function, arguments.iter().map(row).collect())
                }
                Expr::Cast(to, operand) => match pool.element(*operand) {
                    Element::Integer(_) | Element::Word(_) => return Ok(None),
                    from => Step::Convert(from, *to, row(operand)),
                },
                Expr::Compare(..) | Expr::Select(..) => return Ok(None),
            });
        }
        let each = each.max(1);
        let rows = used.into_iter().enumerate();
        let look_ups = rows.filter(|(_, id)| looks_up[id.0 as usize]).collect();
        Ok(Some(Steps {
            steps,
            look_ups,
            each,
        }))
    }

    /// What a point takes of the budget.
    pub fn each(&self) -> u64 {
        self.each
    }

    /// The values at some points, in `rows`, which is of no use otherwise; look-ups are met in `points`.
    ///
    /// # Errors
    /// As of [`Arrays::read`], or if the budget is used up.
    pub fn values<'a>(
        &self,
        arrays: &Arrays,
        (point, batch): (&mut Point, &Batch),
        (rows, points): (&'a mut Vec<Field>, &mut Points),
        budget: &mut u64,
    ) -> Result<&'a [Field]> {
        let count = batch.count();
        let spent = self.each.saturating_mul(count as u64);
        *budget = budget.checked_sub(spent).ok_or(TOO_LARGE)?;
        let all = self.steps.len() * count;
        if rows.len() < all {
            rows.resize(all, Field::ZERO);
        }
        for (at, step) in self.steps.iter().enumerate() {
            let (known, rest) = rows.split_at_mut(at * count);
            let found = &mut rest[..count];
            let row = |row: usize| &known[row * count..][..count];
            match step {
                Step::Load(address) => {
                    if !arrays.load(address, (point, batch), found)? {
                        batch.each(point, |point, at| {
                            found[at] = arrays.read(address, point, batch.lane(at))?;
                            Ok::<(), String>(())
                        })?;
                    }
                }
                Step::Constant(value) => found.fill(*value),
                Step::Sum(terms) => {
                    found.fill(Field::ZERO);
                    for (coefficient, term) in terms {
                        let values = found.iter_mut().zip(row(*term));
                        match *coefficient == Field::ONE {
                            true => values.for_each(|(sum, value)| *sum = *sum + *value),
                            false => {
                                values.for_each(|(sum, value)| *sum = *sum + *coefficient * *value)
                            }
                        }
                    }
                }
                Step::Product(factors) => {
                    found.fill(Field::ONE);
                    for (at, (power, factor)) in factors.iter().enumerate() {
                        let values = found.iter_mut().zip(row(*factor));
                        match power {
                            1 if at == 0 => values.for_each(|(product, value)| *product = *value),
                            1 => values.for_each(|(product, value)| *product = *product * *value),
                            power => values.for_each(|(product, value)| {
                                *product = *product * value.powi(*power)
                            }),
                        }
                    }
                }
                Step::Call(function, arguments) => {
                    for (at, found) in found.iter_mut().enumerate() {
                        let values = arguments.iter().map(|argument| row(*argument)[at]);
                        *found = uninterpreted::apply(*function, &values.collect::<Vec<_>>());
                    }
                }
                Step::Convert(from, to, operand) => {
                    let values = found.iter_mut().zip(row(*operand));
                    values.for_each(|(found, value)| {
                        *found = uninterpreted::convert(*from, *to, *value);
                    });
                }
            }
        }
        for (row, id) in &self.look_ups {
            let values = &rows[row * count..][..count];
            values.iter().for_each(|value| points.look_up(*id, *value));
        }
        Ok(&rows[all - count..all])
    }
}
