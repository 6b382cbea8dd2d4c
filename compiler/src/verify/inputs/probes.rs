//! Integers that conditions compare with constants: values around these, so that all branches run.

use std::collections::BTreeMap;

use crate::ir::{ArrayId, Expr, ExprId, Program};

/// Values for entries of arrays of integers that conditions tell apart, in turns.
#[derive(Debug, Default)]
pub struct Probes(BTreeMap<ArrayId, Vec<i128>>);

impl Probes {
    /// Those of a program.
    pub fn of(program: &Program) -> Probes {
        let mut all: BTreeMap<ArrayId, Vec<i128>> = BTreeMap::new();
        for expr in program.reachable() {
            let Expr::Compare(_, l, r) = program.pool.get(expr) else {
                continue;
            };
            for (of, with) in [(*l, *r), (*r, *l)] {
                let (Some((array, more)), Some(at)) = (entry(program, of), constant(program, with))
                else {
                    continue;
                };
                let around = |by| at.checked_sub(more)?.checked_add(by);
                let around = [0, 1, -1].map(around);
                let values = all.entry(array).or_default();
                for value in around.into_iter().flatten() {
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
            }
        }
        Probes(all)
    }

    /// The value of an entry in one of the inputs, in every second turn.
    pub fn value(&self, array: ArrayId, input: usize, entry: usize) -> Option<i128> {
        let values = self.0.get(&array)?;
        let turn = input + entry;
        turn.is_multiple_of(2)
            .then(|| values[(turn / 2) % values.len()])
    }
}

/// The array of which an expression is an entry, and what is added to that.
fn entry(program: &Program, expr: ExprId) -> Option<(ArrayId, i128)> {
    match program.pool.get(expr) {
        Expr::Cast(_, inner) => entry(program, *inner),
        Expr::Access(access) => {
            let element = program.array(access.array).element;
            let integer = element.is_integer() || element.as_word().is_some();
            integer.then_some((access.array, 0))
        }
        Expr::Sum(terms) => {
            let mut of = None;
            let mut all = 0;
            for term in terms {
                let times = term.coefficient.to_integer();
                match constant(program, term.expr) {
                    Some(value) => all = times.checked_mul(value)?.checked_add(all)?,
                    None if times == 1 && of.is_none() => of = Some(entry(program, term.expr)?),
                    None => return None,
                }
            }
            let (array, more) = of?;
            Some((array, more.checked_add(all)?))
        }
        _ => None,
    }
}

fn constant(program: &Program, expr: ExprId) -> Option<i128> {
    match program.pool.get(expr) {
        Expr::Constant(value) => Some(value.to_integer()),
        _ => None,
    }
}
