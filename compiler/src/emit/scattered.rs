//! Copies of staged results that go to places apart, in one loop over lanes where they go there together.
//!
//! Where sums may change their order, lanes go together through the elements, and each element's register is loaded once.
//!
//! The components of a vector at a node of a mesh, `f[nodes[e][a]][c]`, are staged one by one, and each copy would look
//! up the node again, and come back to its line of the cache. Elements are different ones for each component, so that it makes no
//! difference to any of them which component comes first.

use super::printer::{Printer, Scope};
use crate::analysis::dependence::apart;
use crate::ir::{Access, Affine};
use crate::schedule::runs::Run;
use crate::schedule::tree::{CopyOut, Dimension, Node, Pipelined, Storage};

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

    /// Adds or assigns what goes to places apart: one element of all lanes after the other where sums may change their
    /// order, and else one lane after the other.
    pub fn copy_apart(&mut self, copies: &[&CopyOut]) {
        let active = self.active_lanes();
        if !self.lanes_together(copies) {
            return self.copy_by_lanes(copies, &active);
        }
        let whole = active == self.unit.width.to_string();
        if !whole {
            self.line(&format!("if {active} == {} {{", self.unit.width));
        }
        self.copy_together(copies);
        if !whole {
            self.line("} else {");
            self.copy_by_lanes(copies, &active);
            self.line("}");
        }
    }

    /// Whether the lanes of an element may be added before the next element of any of them: an element of the target may
    /// be one of several cells, and is then added to in another order. What each element needs is loaded once for all
    /// lanes then: its place, and a register that holds it.
    fn lanes_together(&self, copies: &[&CopyOut]) -> bool {
        copies.iter().all(|copy| {
            let unit = self.staged_unit(copy);
            let exact = self.program.exact && unit.word.is_none();
            let adds = copy.accumulate.is_some() && !exact;
            adds && !copy.loops.is_empty() && unit.is_full() && unit.width == self.unit.width
        })
    }

    /// Adds the lanes of each element.
    fn copy_together(&mut self, copies: &[&CopyOut]) {
        let loops = copies.first().map_or(&[][..], |copy| &copy.loops);
        for index in loops {
            self.open_loop(*index, 0);
        }
        let mut scope = Scope::default();
        let each = copies.iter().map(|copy| {
            let unit = self.staged_unit(copy);
            let from = self.staged_place(&mut scope, copy);
            let source = self.pointer(copy.staged);
            let text = unit.load(&format!("{source}.add(({from}) * {})", unit.width));
            let register = self.name("staged", &text);
            let name = self.fresh("each");
            let (scalar, width) = (&unit.scalar, unit.width);
            self.line(&format!(
                "let {name}: [{scalar}; {width}] = ::core::mem::transmute({register});"
            ));
            name
        });
        let each: Vec<String> = each.collect();
        for lane in 0..self.unit.width {
            self.line("{");
            self.own_iteration(&lane.to_string());
            let mut scope = Scope::default();
            for (copy, each) in copies.iter().zip(&each) {
                self.copy_one(&mut scope, copy, &format!("{each}[{lane}]"));
            }
            self.line("}");
        }
        self.close_loops(loops);
    }

    /// Adds or assigns one lane after the other.
    fn copy_by_lanes(&mut self, copies: &[&CopyOut], active: &str) {
        let lane = self.fresh("lane");
        self.line(&format!("for {lane} in 0..{active} {{"));
        self.copy_loops(copies, Some(&lane));
        self.line("}");
    }

    /// Copies that have their loops in common.
    pub fn copy_loops(&mut self, copies: &[&CopyOut], lane: Option<&str>) {
        let loops = copies.first().map_or(&[][..], |copy| &copy.loops);
        for index in loops {
            self.open_loop(*index, 0);
        }
        if let Some(lane) = lane {
            self.own_iteration(lane);
        }
        let mut scope = Scope::default();
        let lane = lane.filter(|_| self.schedule.lanes.is_some());
        for copy in copies {
            let from = self.staged_place(&mut scope, copy);
            let (source, width) = (self.pointer(copy.staged), self.unit.width);
            let from = match lane {
                Some(lane) => format!("*{source}.add(({from}) * {width} + {lane})"),
                None => format!("*{source}.add({from})"),
            };
            self.copy_one(&mut scope, copy, &from);
        }
        self.close_loops(loops);
    }

    /// The lane's own iteration of the loop that lanes run over.
    fn own_iteration(&mut self, lane: &str) {
        if let Some(index) = self.schedule.lanes.filter(|_| lane != "0") {
            let name = self.names[&index].clone();
            self.line(&format!("let {name} = {name} + {lane};"));
        }
    }

    /// The statement that takes a staged element to its place.
    fn copy_one(&mut self, scope: &mut Scope, copy: &CopyOut, from: &str) {
        let address = self.address(&copy.target);
        let pointer = self.pointer(copy.target.array);
        let to = self.at(scope, &pointer, &address, &Vec::new(), None);
        let text = self.copied_to(copy, &to, from);
        self.line(&text);
    }

    /// Where the staging array has the element at the copy's loops.
    fn staged_place(&mut self, scope: &mut Scope, copy: &CopyOut) -> String {
        let staged = self.staged_access(copy);
        let address = self.address(&staged);
        self.text(scope, &address.affine, &Vec::new(), None)
    }

    /// The staging array's element at the copy's loops.
    fn staged_access(&self, copy: &CopyOut) -> Access {
        let mut subscripts = copy.subscripts().into_iter();
        let subscripts = match self.storage(copy.staged) {
            Some(Storage::Memory { extents, .. }) => extents
                .iter()
                .map(|kept| match kept {
                    Dimension::Kept(_) | Dimension::RunTime => {
                        subscripts.next().unwrap_or_default()
                    }
                    Dimension::Ring(_) => Affine::default(),
                })
                .collect(),
            _ => Vec::new(),
        };
        Access {
            array: copy.staged,
            subscripts,
        }
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
