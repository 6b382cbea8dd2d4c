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
                let (Some(array), Some(at)) = (entry(program, of), constant(program, with)) else {
                    continue;
                };
                let values = all.entry(array).or_default();
                for value in [at, at + 1, at - 1] {
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

/// The array of which an expression is an entry.
fn entry(program: &Program, expr: ExprId) -> Option<ArrayId> {
    match program.pool.get(expr) {
        Expr::Cast(_, inner) => entry(program, *inner),
        Expr::Access(access) if program.array(access.array).element.is_integer() => {
            Some(access.array)
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
