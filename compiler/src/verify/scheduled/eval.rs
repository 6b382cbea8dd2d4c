//! Values of expressions at a point.

use super::Result;
use super::addresses::Address;
use super::point::Point;
use super::storage::Arrays;
use super::words;
use crate::ir::{Element, Expr, ExprId, Program};
use crate::number::Field;
use crate::verify::coverage::{self, Points};
use crate::verify::{TOO_LARGE, uninterpreted};

/// Evaluates expressions; each once a point.
pub struct Evaluator<'p> {
    program: &'p Program,
    addresses: Vec<Option<Address>>,
    /// Values with the number of the point they are for.
    known: Vec<(u64, Field)>,
    generation: u64,
    /// Branches that were taken, and values of look-ups.
    pub branches: Points,
    look_ups: Vec<bool>,
}

impl<'p> Evaluator<'p> {
    /// An evaluator of the expressions that equations use, of which `look_ups` says which look up tables.
    pub fn new(program: &'p Program, arrays: &Arrays, look_ups: Vec<bool>) -> Result<Self> {
        let count = program.pool.len();
        let mut used = vec![false; count];
        for equation in &program.equations {
            used[equation.expr.0 as usize] = true;
        }
        let mut addresses: Vec<Option<Address>> = (0..count).map(|_| None).collect();
        for at in (0..count).rev() {
            if !used[at] {
                continue;
            }
            let id = ExprId(at as u32);
            if let Expr::Access(access) = program.pool.get(id) {
                addresses[at] = Some(arrays.compile(access)?);
            }
            for operand in program.pool.operands(id) {
                used[operand.0 as usize] = true;
            }
        }
        Ok(Evaluator {
            program,
            addresses,
            known: vec![(0, Field::ZERO); count],
            generation: 0,
            branches: Points::default(),
            look_ups,
        })
    }

    /// Forgets all values: the point changes.
    pub fn forget(&mut self) {
        self.generation += 1;
    }

    /// The value of an expression; that of a condition is zero or one.
    pub fn value(
        &mut self,
        id: ExprId,
        arrays: &Arrays,
        point: &Point,
        lane: usize,
        budget: &mut u64,
    ) -> Result<Field> {
        let at = id.0 as usize;
        let (generation, known) = self.known[at];
        if generation == self.generation {
            return Ok(known);
        }
        *budget = budget.checked_sub(1).ok_or(TOO_LARGE)?;
        let program = self.program;
        if let Some(value) = self.converted_integer(id, arrays, point)? {
            self.known[at] = (self.generation, value);
            return Ok(value);
        }
        // An element is read as soon as it is looked up.
        let mut of = |e: ExprId| match &self.addresses[e.0 as usize] {
            Some(address) => arrays.read(address, point, lane),
            None => self.value(e, arrays, point, lane, budget),
        };
        if let Some(ty) = program.pool.element(id).as_word()
            && let Some(value) = words::value(ty, program.pool.get(id), &mut of)?
        {
            self.known[at] = (self.generation, value);
            return Ok(value);
        }
        let value = match program.pool.get(id) {
            Expr::Constant(number) => number.field(),
            Expr::Access(_) => match &self.addresses[at] {
                Some(address) => arrays.read(address, point, lane)?,
                None => return Err("an expression that no equation uses".to_owned()),
            },
            Expr::Sum(terms) => {
                let mut sum = Field::ZERO;
                for term in terms {
                    let value = of(term.expr)?;
                    sum = sum
                        + match term.coefficient.is_one() {
                            true => value,
                            false => term.coefficient.field() * value,
                        };
                }
                sum
            }
            Expr::Product(factors) => {
                let mut product = Field::ONE;
                for factor in factors {
                    let value = of(factor.expr)?;
                    product = product
                        * match factor.power {
                            1 => value,
                            power => value.powi(power),
                        };
                }
                product
            }
            Expr::Call(function, arguments) => {
                let values: Vec<Field> = arguments.iter().map(|a| of(*a)).collect::<Result<_>>()?;
                uninterpreted::apply(*function, &values)
            }
            Expr::Compare(operator, l, r) => {
                Field::from_i64(uninterpreted::compare(*operator, of(*l)?, of(*r)?).into())
            }
            Expr::Select(condition, then, otherwise) => {
                let holds = of(*condition)? != Field::ZERO;
                let value = of(if holds { *then } else { *otherwise })?;
                self.branches.mark(coverage::branch(program, id, holds));
                value
            }
            Expr::Cast(to, operand) => {
                let value = of(*operand)?;
                let integer = words::converted(program, (*to, *operand), value);
                let from = program.pool.element(*operand);
                integer.unwrap_or_else(|| uninterpreted::convert(from, *to, value))
            }
        };
        if self.look_ups[at] {
            self.branches.look_up(id, value);
        }
        self.known[at] = (self.generation, value);
        Ok(value)
    }

    /// The value of an integer of an array that is converted to what is computed with.
    fn converted_integer(
        &self,
        id: ExprId,
        arrays: &Arrays,
        point: &Point,
    ) -> Result<Option<Field>> {
        let Expr::Cast(to, operand) = self.program.pool.get(id) else {
            return Ok(None);
        };
        let integer = self.integer(*operand, arrays, point)?;
        Ok(integer.map(|integer| words::loaded(*to, integer)))
    }

    /// The value of an integer: an element, converted any number of times.
    fn integer(&self, id: ExprId, arrays: &Arrays, point: &Point) -> Result<Option<i128>> {
        if !self.program.pool.element(id).is_integer() {
            return Ok(None);
        }
        match (self.program.pool.get(id), &self.addresses[id.0 as usize]) {
            (Expr::Access(_), Some(address)) => arrays.integer(address, point),
            (Expr::Cast(Element::Integer(to), operand), _) => {
                let value = self.integer(*operand, arrays, point)?;
                Ok(value.map(|value| to.truncated(value)))
            }
            _ => Ok(None),
        }
    }
}
