//! Hash-consed n-ary expressions.

use std::rc::Rc;

use super::affine::Affine;
use super::chunked::Chunked;
use super::interned::{self, Interned};
use super::program::{ArrayId, Element, IndexId};
use super::seen;
use super::shared::Shared;
use crate::collections::HashMap;
use crate::number::Number;
use crate::syntax::ast::{CompareOperator, Elementary};

/// An expression in a [`Pool`]; equal expressions have equal ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// `array[subscripts]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Access {
    /// The array.
    pub array: ArrayId,
    /// One affine function per dimension.
    pub subscripts: Vec<Affine>,
}

/// A term of a sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// Exact factor; 1 or -1 cost nothing.
    pub coefficient: Number,
    /// What it multiplies.
    pub expr: ExprId,
}

/// A factor of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Factor {
    /// What is raised to the power.
    pub expr: ExprId,
    /// Never zero; negative for divisors.
    pub power: i32,
}

/// An expression node.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// An exact constant.
    Constant(Number),
    /// An element of an array (a parameter, a table, a temporary).
    Access(Access),
    /// Terms, evaluated from left to right.
    Sum(Vec<Term>),
    /// Factors, evaluated from left to right.
    Product(Vec<Factor>),
    /// An elementary function.
    Call(Elementary, Vec<ExprId>),
    /// A comparison; its value is a condition.
    Compare(CompareOperator, ExprId, ExprId),
    /// `if condition { then } else { otherwise }`; both sides may be evaluated.
    Select(ExprId, ExprId, ExprId),
    /// Conversion of a scalar.
    Cast(Element, ExprId),
}

/// All expressions of a program, each once. Ids are in topological order: operands come first.
///
/// Copies of a pool share their nodes: passes that weigh candidates copy programs often.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    nodes: Chunked<Node>,
    ids: Shared<Interned>,
    /// Choices whose condition follows fewer loops than their values.
    foreseen: Chunked<ExprId>,
}

#[derive(Debug)]
struct Node {
    expr: Expr,
    element: Element,
    /// The loop indices that the value depends on, sorted; shared with an operand where equal.
    indices: Rc<[IndexId]>,
}

impl Access {
    /// The loops that the subscripts are, if these are `free`, each of them once.
    pub fn loops(&self, free: &[IndexId]) -> Option<Vec<IndexId>> {
        let subscripts = self.subscripts.iter();
        let loops: Vec<IndexId> = subscripts.map(Affine::as_index).collect::<Option<_>>()?;
        let all = loops.len() == free.len() && free.iter().all(|index| loops.contains(index));
        all.then_some(loops)
    }

    /// The access with functions in the places of loops, also inside index maps.
    pub fn substitute(&self, by: &impl Fn(IndexId) -> Affine) -> Access {
        Access {
            array: self.array,
            subscripts: self.subscripts.iter().map(|s| s.substitute(by)).collect(),
        }
    }

    /// The access some iterations of loops later, also inside index maps.
    pub fn later(&self, by: &impl Fn(IndexId) -> usize) -> Access {
        self.substitute(&|index| Affine::index(index).add(&Affine::constant(by(index) as i64)))
    }

    /// Whether a subscript follows a loop, also inside index maps.
    pub fn depends_on(&self, index: IndexId) -> bool {
        let mut subscripts = self.subscripts.iter();
        subscripts.any(|subscript| subscript.depends_on(index))
    }
}

impl Pool {
    fn node(&self, id: ExprId) -> &Node {
        self.nodes.get(id.0 as usize)
    }

    /// The node of an expression.
    pub fn get(&self, id: ExprId) -> &Expr {
        &self.node(id).expr
    }

    /// The element type of an expression (that of the compared values for a condition).
    pub fn element(&self, id: ExprId) -> Element {
        self.node(id).element
    }

    /// Whether an expression is the number zero.
    pub fn is_zero(&self, id: ExprId) -> bool {
        matches!(self.get(id), Expr::Constant(value) if value.is_zero())
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if no node has been added.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The node that an expression has, if there is one.
    pub fn find(&self, expr: &Expr, element: Element) -> Option<ExprId> {
        self.find_by(interned::hash(expr, element), expr, element)
    }

    fn find_by(&self, hash: u64, expr: &Expr, element: Element) -> Option<ExprId> {
        let equal = |id: u32| {
            let node = self.node(ExprId(id));
            interned::equal((&node.expr, node.element), (expr, element))
        };
        self.ids.find(hash, equal).map(ExprId)
    }

    /// Adds a node, or finds the equal one.
    pub fn add(&mut self, expr: Expr, element: Element) -> ExprId {
        let hash = interned::hash(&expr, element);
        if let Some(id) = self.find_by(hash, &expr, element) {
            return id;
        }
        let id = u32::try_from(self.nodes.len()).expect("fewer than 2^32 expressions");
        let indices = self.union_of(&expr);
        if let Expr::Select(condition, ..) = &expr
            && self.indices(*condition).len() < indices.len()
        {
            self.foreseen.push(ExprId(id));
        }
        self.nodes.push(Node {
            expr,
            element,
            indices,
        });
        self.ids.insert(hash, id);
        ExprId(id)
    }

    /// Choices whose condition follows fewer loops than their values, so that it is the same in all iterations of one.
    pub fn foreseen(&self) -> impl Iterator<Item = ExprId> + '_ {
        (0..self.foreseen.len()).map(|at| **self.foreseen.get(at))
    }

    /// Whether all expressions are equal, and have equal numbers.
    pub fn is_same(&self, other: &Pool) -> bool {
        self.nodes.is_same(&other.nodes, |own, other| {
            interned::equal((&own.expr, own.element), (&other.expr, other.element))
        })
    }

    /// A constant.
    pub fn constant(&mut self, value: Number, element: Element) -> ExprId {
        self.add(Expr::Constant(value), element)
    }

    /// A value behind a node that no rewrite looks through: a conversion to the type that it has. It is
    /// for passes to say to others what stays whole, and is gone when the program is scheduled.
    pub fn kept(&mut self, expr: ExprId) -> ExprId {
        let element = self.element(expr);
        self.add(Expr::Cast(element, expr), element)
    }

    /// What stands behind such a node.
    pub fn inside_kept(&self, expr: ExprId) -> Option<ExprId> {
        match self.get(expr) {
            Expr::Cast(to, inside) if *to == self.element(*inside) && !to.is_integer() => {
                Some(*inside)
            }
            _ => None,
        }
    }

    /// Operands of a node, in order.
    pub fn operands(&self, id: ExprId) -> Vec<ExprId> {
        let mut list = Vec::new();
        self.operands_into(id, &mut list);
        list
    }

    /// Adds the operands of a node to a list.
    pub fn operands_into(&self, id: ExprId, list: &mut Vec<ExprId>) {
        operands_into(self.get(id), list);
    }

    /// The node with its operands replaced by what `by` says.
    pub fn map_operands(
        &mut self,
        id: ExprId,
        by: &mut impl FnMut(&mut Pool, ExprId) -> ExprId,
    ) -> ExprId {
        let old = self.operands(id);
        let new: Vec<ExprId> = old.iter().map(|operand| by(self, *operand)).collect();
        if new == old {
            return id;
        }
        let (mut node, mut new) = (self.get(id).clone(), new.into_iter());
        map_operands(&mut node, &mut |operand| new.next().unwrap_or(operand));
        self.add(node, self.element(id))
    }

    /// The expression that another pool has in the place of one of this pool, if it has that; `known` says which parts
    /// are known to be there, and learns the rest.
    pub fn find_in(
        &self,
        other: &Pool,
        id: ExprId,
        known: &mut HashMap<ExprId, Option<ExprId>>,
    ) -> Option<ExprId> {
        if let Some(found) = known.get(&id) {
            return *found;
        }
        let mut node = self.get(id).clone();
        let mut all = true;
        map_operands(&mut node, &mut |operand| {
            let found = self.find_in(other, operand, known);
            all &= found.is_some();
            found.unwrap_or(operand)
        });
        let found = all.then(|| other.find(&node, self.element(id))).flatten();
        known.insert(id, found);
        found
    }

    /// The loop indices that an expression's value depends on, sorted.
    pub fn indices(&self, id: ExprId) -> &[IndexId] {
        &self.node(id).indices
    }

    fn union_of(&self, expr: &Expr) -> Rc<[IndexId]> {
        let mut all: Vec<IndexId> = Vec::new();
        if let Expr::Access(access) = expr {
            let subscripts = access.subscripts.iter();
            subscripts.for_each(|s| s.collect_indices(&mut all));
        }
        let mut operands = Vec::new();
        operands_into(expr, &mut operands);
        for operand in &operands {
            all.extend_from_slice(self.indices(*operand));
        }
        all.sort_unstable();
        all.dedup();
        let same = operands
            .iter()
            .map(|operand| &self.node(*operand).indices)
            .find(|indices| ***indices == *all);
        same.cloned().unwrap_or_else(|| all.into())
    }

    /// The accesses in some expressions, each once.
    pub fn accesses(&self, exprs: impl IntoIterator<Item = ExprId>) -> Vec<(ExprId, &Access)> {
        let mut result = Vec::new();
        let mut stack: Vec<ExprId> = exprs.into_iter().collect();
        seen::begin(self.len(), |seen| {
            while let Some(expr) = stack.pop() {
                if !seen.insert(expr) {
                    continue;
                }
                if let Expr::Access(access) = self.get(expr) {
                    result.push((expr, access));
                }
                self.operands_into(expr, &mut stack);
            }
        });
        result
    }

    /// Changes all accesses, without their order among other expressions: different ones have to stay different, and
    /// to follow the same loops.
    pub fn change_accesses(&mut self, change: impl Fn(&mut Access)) {
        let mut ids = Interned::default();
        for id in 0..self.len() {
            let node = self.nodes.get(id);
            if let Expr::Access(access) = &node.expr {
                let mut access = access.clone();
                change(&mut access);
                let (element, indices) = (node.element, node.indices.clone());
                let expr = Expr::Access(access);
                self.nodes.set(
                    id,
                    Node {
                        expr,
                        element,
                        indices,
                    },
                );
            }
            let node = self.nodes.get(id);
            ids.insert(interned::hash(&node.expr, node.element), id as u32);
        }
        self.ids = ids.into();
    }

    /// Whether an expression has an element of an array in it; `known` says of which that is known,
    /// and learns the rest.
    pub fn reads(&self, id: ExprId, array: ArrayId, known: &mut HashMap<ExprId, bool>) -> bool {
        if let Some(found) = known.get(&id) {
            return *found;
        }
        let own = matches!(self.get(id), Expr::Access(access) if access.array == array);
        let operands = self.operands(id);
        let found = own || operands.iter().any(|o| self.reads(*o, array, known));
        known.insert(id, found);
        found
    }

    /// The expression with some parts replaced: `known` says by what, and learns the rest.
    pub fn replace(&mut self, id: ExprId, known: &mut HashMap<ExprId, ExprId>) -> ExprId {
        if let Some(found) = known.get(&id) {
            return *found;
        }
        let result = self.map_operands(id, &mut |pool, operand| pool.replace(operand, known));
        known.insert(id, result);
        result
    }

    /// The expression with each loop index replaced by what `by` says.
    pub fn substitute(
        &mut self,
        id: ExprId,
        by: &impl Fn(IndexId) -> Affine,
        known: &mut HashMap<ExprId, ExprId>,
    ) -> ExprId {
        if self.indices(id).is_empty() {
            return id;
        }
        if let Some(found) = known.get(&id) {
            return *found;
        }
        let result = if let Expr::Access(access) = self.get(id) {
            let access = access.substitute(by);
            let element = self.element(id);
            self.add(Expr::Access(access), element)
        } else {
            self.map_operands(id, &mut |pool, operand| pool.substitute(operand, by, known))
        };
        known.insert(id, result);
        result
    }
}

/// Replaces the operands of a node, in order.
pub fn map_operands(node: &mut Expr, by: &mut impl FnMut(ExprId) -> ExprId) {
    match node {
        Expr::Constant(_) | Expr::Access(_) => {}
        Expr::Sum(terms) => terms.iter_mut().for_each(|t| t.expr = by(t.expr)),
        Expr::Product(factors) => factors.iter_mut().for_each(|f| f.expr = by(f.expr)),
        Expr::Call(_, arguments) => arguments.iter_mut().for_each(|a| *a = by(*a)),
        Expr::Compare(_, l, r) => {
            *l = by(*l);
            *r = by(*r);
        }
        Expr::Select(c, t, o) => {
            *c = by(*c);
            *t = by(*t);
            *o = by(*o);
        }
        Expr::Cast(_, e) => *e = by(*e),
    }
}

fn operands_into(expr: &Expr, list: &mut Vec<ExprId>) {
    match expr {
        Expr::Constant(_) | Expr::Access(_) => {}
        Expr::Sum(terms) => list.extend(terms.iter().map(|t| t.expr)),
        Expr::Product(factors) => list.extend(factors.iter().map(|f| f.expr)),
        Expr::Call(_, arguments) => list.extend(arguments),
        Expr::Compare(_, l, r) => list.extend([*l, *r]),
        Expr::Select(c, t, o) => list.extend([*c, *t, *o]),
        Expr::Cast(_, e) => list.push(*e),
    }
}
