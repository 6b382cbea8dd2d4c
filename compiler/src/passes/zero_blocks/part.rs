//! An equation over one block of each of its loops.

use super::choice::Blocks;
use super::split::{Splitter, has_loop, sum};
use crate::collections::HashMap;
use crate::ir::{Access, Affine, Expr, ExprId, Factor, IndexId, Program, Progression};
use crate::number::Number;

/// An equation over one block of each of its loops.
pub struct Part<'a> {
    splitter: &'a mut Splitter,
    chosen: &'a [(IndexId, Progression)],
    known: HashMap<ExprId, Option<ExprId>>,
}

impl<'a> Part<'a> {
    /// Over some blocks.
    pub fn new(
        splitter: &'a mut Splitter,
        blocks: &Blocks,
        chosen: &'a [(IndexId, Progression)],
    ) -> Part<'a> {
        let zeros = chosen.iter().filter_map(|place| blocks.zeros.get(place));
        Part {
            known: zeros.flatten().map(|access| (*access, None)).collect(),
            splitter,
            chosen,
        }
    }

    /// The loop that stands for another one, and the block of it that it runs over.
    fn renamed_loop(&self, program: &Program, index: IndexId) -> (IndexId, Option<Progression>) {
        let chosen = self.chosen.iter().find(|(other, _)| *other == index);
        let block = chosen.map(|(_, block)| *block);
        let length = match block {
            Some(block) => Some(block.count),
            None => program.loop_index(index).extent.as_constant(),
        };
        let new = length.and_then(|length| self.splitter.loops.get(&(index, length)));
        (new.copied().unwrap_or(index), block)
    }

    /// The loops that stand for others; blocks of one iteration have none.
    pub fn renamed(&self, program: &Program, loops: &[IndexId]) -> Vec<IndexId> {
        let new = |index: &IndexId| match self.renamed_loop(program, *index) {
            (_, Some(block)) if !has_loop(block) => None,
            (new, _) => Some(new),
        };
        loops.iter().filter_map(new).collect()
    }

    /// A subscript in the block.
    pub fn subscript(&self, program: &Program, subscript: &Affine) -> Affine {
        subscript.substitute(&|index| match self.renamed_loop(program, index) {
            (new, None) => Affine::index(new),
            (_, Some(block)) if !has_loop(block) => Affine::constant(block.start as i64),
            (new, Some(block)) => Affine::index(new)
                .scale(block.stride as i64)
                .add(&Affine::constant(block.start as i64)),
        })
    }

    /// The value of an expression in the block; `None` where it is zero.
    pub fn value(&mut self, program: &mut Program, expr: ExprId) -> Option<ExprId> {
        if let Some(known) = self.known.get(&expr) {
            return *known;
        }
        let element = program.pool.element(expr);
        let result = match program.pool.get(expr).clone() {
            Expr::Constant(value) => (!value.is_zero()).then_some(expr),
            Expr::Access(access) => {
                let subscripts = access.subscripts.iter();
                let moved = Access {
                    array: access.array,
                    subscripts: subscripts.map(|s| self.subscript(program, s)).collect(),
                };
                let narrowed = match self.splitter.temporaries.get(&access.array) {
                    Some(blocked) => blocked.access(program, &moved),
                    None => {
                        let tables = &mut self.splitter.tables;
                        Some(tables.narrowed(program, &access, moved, self.chosen))
                    }
                };
                narrowed.map(|access| program.pool.add(Expr::Access(access), element))
            }
            Expr::Sum(mut terms) => {
                terms.retain_mut(|term| match self.value(program, term.expr) {
                    Some(value) => {
                        term.expr = value;
                        true
                    }
                    None => false,
                });
                (!terms.is_empty()).then(|| sum(program, terms, expr))
            }
            Expr::Product(factors) => self.product(program, factors, expr),
            Expr::Select(condition, then, otherwise) => {
                let sides = [then, otherwise].map(|side| self.value(program, side));
                sides.iter().any(Option::is_some).then(|| {
                    let condition = self.operand(program, condition);
                    let [then, otherwise] = [then, otherwise].map(|e| self.operand(program, e));
                    let select = Expr::Select(condition, then, otherwise);
                    program.pool.add(select, element)
                })
            }
            Expr::Cast(to, of) => {
                let of = self.value(program, of);
                of.map(|of| program.pool.add(Expr::Cast(to, of), element))
            }
            Expr::Call(..) | Expr::Compare(..) => {
                let operands = program.pool.operands(expr);
                let new: HashMap<ExprId, ExprId> = (operands.into_iter())
                    .map(|operand| (operand, self.operand(program, operand)))
                    .collect();
                Some(
                    program
                        .pool
                        .map_operands(expr, &mut |_, operand| new[&operand]),
                )
            }
        };
        self.known.insert(expr, result);
        result
    }

    /// The value of an operand that has to be there.
    fn operand(&mut self, program: &mut Program, expr: ExprId) -> ExprId {
        let element = program.pool.element(expr);
        let value = self.value(program, expr);
        value.unwrap_or_else(|| program.pool.constant(Number::ZERO, element))
    }

    fn product(
        &mut self,
        program: &mut Program,
        factors: Vec<Factor>,
        expr: ExprId,
    ) -> Option<ExprId> {
        let values: Vec<Option<ExprId>> = (factors.iter())
            .map(|f| self.value(program, f.expr))
            .collect();
        let is_zero = |divisor: bool| {
            let mut pairs = factors.iter().zip(&values);
            pairs.any(|(factor, value)| (factor.power < 0) == divisor && value.is_none())
        };
        if is_zero(false) && !is_zero(true) {
            return None;
        }
        let element = program.pool.element(expr);
        let factor = |factor: &Factor| Factor {
            expr: self.operand(program, factor.expr),
            power: factor.power,
        };
        let factors = factors.iter().map(factor).collect();
        Some(program.pool.add(Expr::Product(factors), element))
    }
}
