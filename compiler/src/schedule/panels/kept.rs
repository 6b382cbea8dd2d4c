//! Temporaries that hold what one stage of rows leaves to the next.

use super::Packing;
use crate::ir::{Access, Affine, Equation, Expr, IndexId, Operator};
use crate::schedule::products::Nest;
use crate::schedule::tree::{Dimension, Node, Storage};

impl Packing {
    /// Gives a sum that lanes stage a temporary of its own, from which they stage it.
    pub fn unstaged(&mut self, nest: &Nest) {
        let sum = self.program.equations[nest.equation].clone();
        let array = self.program.array(sum.target.array);
        let (name, element) = (format!("{}_sum", array.name), array.element);
        let target = self.program.add_temporary(&name, &sum.free, element);
        let extents = sum.free.iter().map(|index| {
            let own = [nest.rows, nest.columns].contains(index);
            match self.extent(*index).as_constant() {
                _ if !own => Dimension::CONTRACTED,
                Some(n) => Dimension::Kept(n),
                None => Dimension::RunTime,
            }
        });
        let storage = Storage::Memory {
            extents: extents.collect(),
            lanes: false,
        };
        self.schedule.storage.push((target.array, storage));
        let expr = self.program.pool.add(Expr::Access(target.clone()), element);
        self.program.equations[nest.equation].target = target;
        let staged = sum.target.array;
        let fill = self.add(Equation {
            reduction: Vec::new(),
            operator: Operator::Assign,
            expr,
            ..sum
        });
        self.fill.insert(staged, fill);
    }

    /// Nodes with what copies need before them.
    pub fn filled(&self, nodes: &[Node]) -> Vec<Node> {
        let each = nodes.iter().flat_map(|node| {
            let fill = match node {
                Node::CopyOut(copy) => self.fill.get(&copy.staged),
                _ => None,
            };
            let fill = fill.map(|fill| Node::Block(vec![fill.clone()]));
            fill.into_iter().chain([node.clone()])
        });
        each.collect()
    }

    /// Keeps all rows and columns of a temporary in memory; what loops around these compute goes one after the other.
    pub fn keep(&mut self, target: &Access, loops: &[IndexId]) {
        let mut storage = self.schedule.storage.iter_mut();
        let Some((_, storage)) = storage.find(|(other, _)| *other == target.array) else {
            return;
        };
        let shape = &self.program.array(target.array).shape;
        let dimension = |(at, subscript): (usize, &Affine)| {
            let own = subscript.as_index().filter(|index| loops.contains(index));
            match (own.map(|_| shape[at].as_constant()), &*storage) {
                (Some(Some(n)), _) => Dimension::Kept(n),
                (Some(None), _) => Dimension::RunTime,
                (None, Storage::Memory { extents, .. }) => extents[at],
                _ => Dimension::CONTRACTED,
            }
        };
        let subscripts = target.subscripts.iter().enumerate();
        let extents = subscripts.map(dimension).collect();
        let lanes = false;
        *storage = Storage::Memory { extents, lanes };
    }
}
