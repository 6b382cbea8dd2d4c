//! Copies of staged results that go to places apart, in one loop over lanes where they go there together.
//!
//! The components of a vector at a node of a mesh, `f[nodes[e][a]][c]`, are staged one by one, and each copy would look
//! up the node again, and come back to its line of the cache. Elements are different ones for each component, so that it makes no
//! difference to any of them which component comes first.

use super::printer::Printer;
use crate::ir::{Access, Affine};
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
                    && are_apart(&copy.target, &other.target)
            })
    }
}

/// Whether two accesses to an array meet in no iteration at all, whatever index maps hold: along one dimension they differ by what
/// no step of theirs makes up for.
fn are_apart(one: &Access, other: &Access) -> bool {
    let mut pairs = one.subscripts.iter().zip(&other.subscripts);
    let apart = |(one, other): (&Affine, &Affine)| {
        let steps = one.terms.iter().fold(0, |all, (_, by)| gcd(all, *by));
        let distance = one.sub(other).as_constant().unwrap_or(0);
        distance != 0 && (steps == 0 || distance % steps != 0)
    };
    one.array == other.array && pairs.any(apart)
}

fn gcd(a: i64, b: i64) -> i64 {
    match b {
        0 => a.abs(),
        _ => gcd(b, a % b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{ArrayId, Atom, IndexId};

    #[test]
    fn components_are_apart_and_neighbours_of_nodes_are_not() {
        let node = Affine::atom(Atom::Map(ArrayId(1), vec![Affine::index(IndexId(0))]));
        let access = |subscripts: Vec<Affine>| Access {
            array: ArrayId(0),
            subscripts,
        };
        let component = |c: i64| access(vec![node.clone(), Affine::constant(c)]);
        assert!(are_apart(&component(0), &component(2)));
        assert!(!are_apart(&component(1), &component(1)));
        let flat = |by: i64, c: i64| access(vec![node.scale(by).add(&Affine::constant(c))]);
        assert!(are_apart(&flat(3, 0), &flat(3, 2)));
        assert!(!are_apart(&flat(3, 0), &flat(3, 3)));
        assert!(!are_apart(&flat(1, 0), &flat(1, 1)));
    }
}
