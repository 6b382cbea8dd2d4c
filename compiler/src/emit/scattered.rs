//! Copies of staged results that go to places apart, in one loop over lanes where they go there together.
//!
//! The components of a vector at a node of a mesh, `f[nodes[e][a]][c]`, are staged one by one, and each copy would look
//! up the node again, and come back to its line of the cache. Elements are different ones for each component, so that it makes no
//! difference to any of them which component comes first.

use super::printer::Printer;
use crate::analysis::dependence::apart;
use crate::schedule::runs::Run;
use crate::schedule::tree::{CopyOut, Node, Pipelined, Storage};

impl Printer<'_> {
    /// The copies that some nodes begin with and that one loop over lanes makes; none where there are not several.
    pub fn scattered<'n>(&self, nodes: &'n [Node]) -> Vec<&'n CopyOut> {
        let mut found: Vec<&CopyOut> = Vec::new();
        for node in nodes {
            match node {
                Node::CopyOut(copy) if self.is_scattered_with(copy, &found) => found.push(copy),
                _ => break,
            }
        }
        match found.len() {
            1 => Vec::new(),
            _ => found,
        }
    }

    /// Whether a copy goes one lane after the other, where some others go in the same loops, to elements of its own.
    fn is_scattered_with(&self, copy: &CopyOut, others: &[&CopyOut]) -> bool {
        let lanes = matches!(
            self.storage(copy.staged),
            Some(Storage::Memory { lanes: true, .. })
        );
        let alone = lanes
            && copy.pipelined == Pipelined::No
            && Run::of(self.program, self.schedule, copy).is_none()
            && self.filling(&[copy]).is_none();
        alone
            && others.iter().all(|other| {
                copy.loops == other.loops
                    && copy.accumulate == other.accumulate
                    && copy.target.array == other.target.array
                    && apart(&copy.target.subscripts, &other.target.subscripts)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::apart;
    use crate::ir::{Affine, ArrayId, Atom, IndexId};

    #[test]
    fn components_are_apart_and_neighbours_of_nodes_are_not() {
        let node = Affine::atom(Atom::Map(ArrayId(1), vec![Affine::index(IndexId(0))]));
        let component = |c: i64| [node.clone(), Affine::constant(c)];
        assert!(apart(&component(0), &component(2)));
        assert!(!apart(&component(1), &component(1)));
        let flat = |by: i64, c: i64| [node.scale(by).add(&Affine::constant(c))];
        assert!(apart(&flat(3, 0), &flat(3, 2)));
        assert!(!apart(&flat(3, 0), &flat(3, 3)));
        assert!(!apart(&flat(1, 0), &flat(1, 1)));
    }
}
