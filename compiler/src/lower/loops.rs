//! Loops: kept as indices, or unrolled.

use super::value::Value;
use super::{Binding, Lowerer, Result, problem};
use crate::ir::{Affine, Atom, Extent};
use crate::syntax::ast::{ForLoop, FunctionId};

/// Most iterations that unrolling may lead to, over all nested loops of one statement.
const LONGEST_UNROLLED: usize = 256;

impl Lowerer<'_> {
    pub(super) fn for_loop(&mut self, for_loop: &ForLoop) -> Result<()> {
        let start = self.bound(&for_loop.start)?;
        let end = self.bound(&for_loop.end)?;
        let extent = end.sub(&start);
        match extent
            .as_constant()
            .map(|n| usize::try_from(n).unwrap_or(0))
        {
            Some(0) => Ok(()),
            Some(n) if n <= LONGEST_UNROLLED && self.unrolls(for_loop, n) => {
                for k in 0..n {
                    let value = Value::Integer(start.add(&Affine::constant(k as i64)));
                    self.frame.values[for_loop.variable.0] = Some(Binding {
                        value,
                        depth: self.open.len(),
                    });
                    self.block(&for_loop.body)?;
                }
                Ok(())
            }
            Some(n) => self.kept(for_loop, start, Extent::Constant(n)),
            None => {
                let depends_on_loop = extent
                    .terms
                    .iter()
                    .any(|(atom, _)| matches!(atom, Atom::Index(_) | Atom::Map(..)));
                if depends_on_loop {
                    return problem(
                        for_loop.span,
                        "the bounds of this loop change in an outer loop",
                        "loop over the whole range; tables of zeros can cut it",
                    );
                }
                self.kept(for_loop, start, Extent::RunTime(extent))
            }
        }
    }

    fn bound(&mut self, expression: &crate::syntax::ast::Expression) -> Result<Affine> {
        let value = self.expression(expression)?;
        self.affine(value, expression.span)
    }

    fn kept(&mut self, for_loop: &ForLoop, start: Affine, extent: Extent) -> Result<()> {
        for bound in [&start, &start.add(&extent_of(&extent))] {
            let negative = bound.constant < 0 || bound.terms.iter().any(|(_, c)| *c < 0);
            let bound = (bound.clone(), self.open.clone());
            if negative && !self.bounds.contains(&bound) {
                self.bounds.push(bound);
            }
        }
        if let Some(id) = self
            .module
            .functions
            .iter()
            .position(|f| std::ptr::eq(f, self.frame.function))
        {
            self.kept.insert((FunctionId(id), for_loop.id));
        }
        let name = self.frame.function.variables[for_loop.variable.0]
            .name
            .to_string();
        let index = self.program.add_index(&name, extent);
        let value = Value::Integer(start.add(&Affine::index(index)));
        self.frame.values[for_loop.variable.0] = Some(Binding {
            value,
            depth: self.open.len() + 1,
        });
        self.open.push(index);
        let result = self.block(&for_loop.body);
        result?;
        self.settle(self.open.len() - 1)?;
        self.open.pop();
        Ok(())
    }
}

fn extent_of(extent: &Extent) -> Affine {
    match extent {
        Extent::Constant(n) => Affine::constant(*n as i64),
        Extent::RunTime(affine) => affine.clone(),
    }
}
