//! Elements of inputs that do not move along a loop over lanes, read before it.
//!
//! Where results are written through a pointer, rustc reads each of them again for each vector: it does not know that
//! what is written lies elsewhere. Loads of vectors that cross lines of the cache take two turns of a port, so that
//! those of coefficients are a good part of what a short body waits for.
//!
//! Before: `while i + 8 <= i_end { … *weights_p.add(0) … }`. After:
//! `let weights_1 = *weights_p.add(0); while i + 8 <= i_end { … weights_1 … }`.
//! Holds: what is read, but for loops without iterations, before which zeros stand for what may not be there.

use super::printer::{Printer, Scope};
use crate::analysis::subscripts::open;
use crate::collections::HashSet;
use crate::ir::{Access, ExprId, IndexId};
use crate::machine;
use crate::schedule::still;
use crate::schedule::tree::{Instance, Loop, Node, Offsets, Steps, instances};
use crate::syntax::ast::IsaName;

impl Printer<'_> {
    /// Reads what stays the same in a loop that starts at `first`, as far as half of the registers have room for it that
    /// are left when each statement of a part of the body has two. [`Printer::kept`] knows it until the loop ends.
    pub fn keep(&mut self, l: &Loop, (first, end): (&str, &str)) {
        let isa = match self.unit.has_masks() {
            true => IsaName::Avx512,
            false => IsaName::Avx2,
        };
        let own: Vec<Instance> = instances(&l.body).into_iter().cloned().collect();
        let parts = l.body.iter().map(std::slice::from_ref);
        let alive = parts.map(|part| instances(part).len()).max();
        let room = machine::registers(isa).saturating_sub(2 * alive.unwrap_or(0)) / 2;
        let mut moving = HashSet::from_iter([l.index]);
        moving.extend(l.with.iter().map(|(index, _)| *index));
        let mut once = Vec::new();
        inner(&l.body, (&mut moving, &mut once));
        // Loops of one iteration, of vectors of constant length, are those that elements next to each other belong to.
        for inner in &once {
            let name = self.names[&inner.index].clone();
            self.line(&format!("let {name} = {}usize;", inner.start));
            self.ranges.insert(inner.index, (inner.start, inner.start));
            self.around.enter(inner, 0);
        }
        let before = self.equation;
        for instance in own {
            self.enter(instance.equation);
            for (expr, access) in self.still(&instance, &moving) {
                let key = (expr, self.own_offsets(expr, &instance.offsets));
                if self.kept.len() >= room || self.kept.contains_key(&key) || !self.covers(&access)
                {
                    continue;
                }
                self.keep_one((key, &access), &instance.offsets, (first, end));
            }
        }
        self.enter(before);
        for inner in &once {
            self.around.leave();
            self.ranges.remove(&inner.index);
        }
    }

    /// The elements of inputs that an instance reads and that no loop moves which is entered here.
    fn still(&self, instance: &Instance, moving: &HashSet<IndexId>) -> Vec<(ExprId, Access)> {
        let expr = self.program.equations[instance.equation].expr;
        let accesses = self.program.pool.accesses([expr]).into_iter().rev();
        let still = accesses.filter(|(expr, access)| {
            let indices = self.program.pool.indices(*expr);
            let open = |index: &IndexId| self.around.is_open(*index) && !moving.contains(index);
            still::is_input(self.program, access) && indices.iter().all(open)
        });
        still.map(|(expr, access)| (expr, access.clone())).collect()
    }

    /// Whether loops of the equation that stand in the open ones may have no iterations.
    fn may_have_none(&self) -> bool {
        let mut domain = self.program.equations[self.equation].domain();
        domain.any(|index| !self.program.is_constant(index) && !self.around.is_open(index))
    }

    fn keep_one(
        &mut self,
        (key, access): ((ExprId, Offsets), &Access),
        offsets: &Offsets,
        (first, end): (&str, &str),
    ) {
        let array = self.program.array(access.array);
        let (name, element) = (array.name.clone(), array.element);
        let certain = open(self.program, access).is_empty();
        if !certain && self.may_have_none() {
            return;
        }
        let indices = self.program.pool.indices(key.0);
        if indices.iter().any(|index| self.schedule.is_lane(*index)) {
            if certain {
                let value = self.read(&mut Scope::default(), access, offsets);
                self.kept.insert(key, value);
            }
            return;
        }
        let mut text = self.element(&mut Scope::default(), access, offsets, None);
        if !certain {
            text = self.where_there(element, &format!("{first} < {end}"), &text);
        }
        let value = self.bind(&name, &text, false, element);
        self.kept.insert(key, value);
    }
}

/// The indices of the loops in some nodes, and those loops of one iteration that stand in no other.
fn inner(nodes: &[Node], (moving, once): (&mut HashSet<IndexId>, &mut Vec<Loop>)) {
    for node in nodes {
        match node {
            Node::Loop(l) if is_once(l) => {
                if once.iter().all(|known| known.index != l.index) {
                    once.push(l.clone());
                }
                inner(&l.body, (moving, once));
            }
            Node::Loop(l) => {
                moving.insert(l.index);
                moving.extend(l.with.iter().map(|(index, _)| *index));
                inner(&l.body, (moving, &mut Vec::new()));
            }
            Node::Reduction { loops, .. } => moving.extend(loops),
            _ => {}
        }
    }
}

/// Whether a loop has one iteration.
fn is_once(l: &Loop) -> bool {
    l.steps == Steps::All && l.with.is_empty() && l.iterations() == Some(1)
}

/// Whether no loop in some nodes has its length from run time.
pub fn is_innermost(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| match node {
        Node::Loop(l) => l.end.as_constant().is_some() && is_innermost(&l.body),
        _ => true,
    })
}
