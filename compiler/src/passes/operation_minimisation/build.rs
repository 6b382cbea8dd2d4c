//! Equations out of trees: a temporary for each partial product that is used more than once or summed
//! over loops of its own, and for each place with such sums.

use super::space::Space;
use super::terms::Terms;
use super::trees::{Forest, Part};
use crate::collections::HashMap;
use crate::ir::{Element, Equation, Expr, ExprId, Factor, IndexId, Operator, Program, Term};
use crate::number::Number;
use crate::rewrite::normalise::{product, sum};

/// Products that are summed over the same loops.
type Group = (Vec<IndexId>, Vec<Term>);

/// Writes equations.
pub struct Builder<'a> {
    program: &'a mut Program,
    space: &'a Space,
    forest: &'a Forest,
    terms: &'a mut Terms,
    /// Partial products that have a value.
    values: HashMap<usize, ExprId>,
    /// The equations so far.
    pub equations: Vec<Equation>,
}

impl<'a> Builder<'a> {
    /// No equations yet.
    pub fn new(
        program: &'a mut Program,
        space: &'a Space,
        forest: &'a Forest,
        terms: &'a mut Terms,
    ) -> Self {
        Builder {
            program,
            space,
            forest,
            terms,
            values: HashMap::default(),
            equations: Vec::new(),
        }
    }

    /// Adds an equation, and before it all that it needs; `None` if a table's values are not known.
    pub fn equation(&mut self, equation: &Equation, number: usize) -> Option<()> {
        let element = self.program.pool.element(equation.expr);
        let name = format!("{}_part", self.program.array(equation.target.array).name);
        let mut outer = equation.reduction.clone();
        outer.retain(|index| !self.space.loops.contains(index));
        let mut groups = self.groups(number, 0, (&name, element))?;
        let (reduction, expr) = match groups.len() {
            1 => {
                let (reduction, terms) = groups.remove(0);
                (reduction, sum(&mut self.program.pool, terms, element))
            }
            _ => (Vec::new(), self.added(groups, (&name, element))),
        };
        outer.extend(reduction);
        self.equations.push(Equation {
            reduction: outer,
            expr,
            ..equation.clone()
        });
        Some(())
    }

    /// What is added at a place, by the loops that it is summed over.
    fn groups(&mut self, number: usize, at: usize, of: (&str, Element)) -> Option<Vec<Group>> {
        let mut result: Vec<Group> = Vec::new();
        let place = self.forest.places[number][at].clone();
        for part in place.parts {
            let (coefficient, reduction, expr) = match part {
                Part::Node(coefficient, node) => {
                    let (reduction, expr) = self.once(node, of)?;
                    (coefficient, reduction, expr)
                }
                Part::Step(from, node) => {
                    let groups = self.groups(number, from, of)?;
                    let value = self.added(groups, of);
                    let other = self.value(node, of)?;
                    let expr = self.times(value, other, of.1);
                    let reduction = self.summed(number, expr, &place.left);
                    (Number::ONE, reduction, expr)
                }
            };
            let term = Term { coefficient, expr };
            match result.iter_mut().find(|(loops, _)| *loops == reduction) {
                Some((_, terms)) => terms.push(term),
                None => result.push((reduction, vec![term])),
            }
        }
        Some(result)
    }

    /// The loops that an equation sums a value over where these factors are left.
    fn summed(&self, number: usize, expr: ExprId, left: &[ExprId]) -> Vec<IndexId> {
        let pool = &self.program.pool;
        let mut loops = self.space.indices(self.space.sums(number));
        loops.retain(|index| {
            let depends = |expr: &ExprId| pool.indices(*expr).contains(index);
            depends(&expr) && !left.iter().any(depends)
        });
        loops
    }

    /// The sum of groups, each with loops of its own in a temporary.
    fn added(&mut self, groups: Vec<Group>, of: (&str, Element)) -> ExprId {
        let mut all = Vec::new();
        for (reduction, terms) in groups {
            if reduction.is_empty() {
                all.extend(terms);
                continue;
            }
            let value = sum(&mut self.program.pool, terms, of.1);
            let expr = self.temporary(value, reduction, of);
            all.push(Term {
                coefficient: Number::ONE,
                expr,
            });
        }
        sum(&mut self.program.pool, all, of.1)
    }

    /// A partial product for the one place where it is used: what is summed, over which loops.
    fn once(&mut self, node: usize, of: (&str, Element)) -> Option<(Vec<IndexId>, ExprId)> {
        let this = self.forest.nodes[node].clone();
        if this.uses > 1 || this.known {
            return Some((Vec::new(), self.value(node, of)?));
        }
        let expr = self.multiplied(node, of)?;
        Some((self.space.indices(this.sums), expr))
    }

    /// The product of a node's operands, before it is summed.
    fn multiplied(&mut self, node: usize, of: (&str, Element)) -> Option<ExprId> {
        let this = &self.forest.nodes[node];
        let Some((a, b)) = this.split else {
            return this.factors.first().copied();
        };
        let (a, b) = (self.value(a, of)?, self.value(b, of)?);
        Some(self.times(a, b, of.1))
    }

    /// The value of a partial product.
    fn value(&mut self, node: usize, of: (&str, Element)) -> Option<ExprId> {
        if let Some(known) = self.values.get(&node) {
            return Some(*known);
        }
        let this = self.forest.nodes[node].clone();
        let value = if this.known {
            let sums = self.space.indices(this.sums);
            self.terms.table(self.program, &this.factors, &sums)?
        } else {
            let expr = self.multiplied(node, of)?;
            match this.split {
                None if this.sums == 0 => expr,
                _ => self.temporary(expr, self.space.indices(this.sums), of),
            }
        };
        self.values.insert(node, value);
        Some(value)
    }

    fn times(&mut self, a: ExprId, b: ExprId, element: Element) -> ExprId {
        let factors = [a, b].map(|expr| Factor { expr, power: 1 });
        product(&mut self.program.pool, factors.to_vec(), element)
    }

    /// An element of a new temporary that holds a sum.
    fn temporary(
        &mut self,
        expr: ExprId,
        reduction: Vec<IndexId>,
        (name, element): (&str, Element),
    ) -> ExprId {
        let mut free = self.program.pool.indices(expr).to_vec();
        free.retain(|index| !reduction.contains(index));
        let target = self.program.add_temporary(name, &free, element);
        let value = Expr::Access(target.clone());
        self.equations.push(Equation {
            target,
            operator: Operator::Assign,
            free,
            reduction,
            expr,
        });
        self.program.pool.add(value, element)
    }
}
