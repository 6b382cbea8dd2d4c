//! Strips of loops: the values that loops over an index take inside of a loop over strips, and places in rings of
//! what they write.

use super::printer::{Printer, Scope};
use crate::ir::{Access, Affine, IndexId};
use crate::schedule::strips::holds_vectors;
use crate::schedule::tree::{Dimension, Loop, Offsets, offset};

/// A strip that is open.
#[derive(Clone, Debug)]
pub struct Strip {
    /// The variable of its first value.
    first: String,
    /// The variable of its end.
    end: String,
    /// How many values it has, unless it is the last one.
    size: usize,
}

impl Printer<'_> {
    /// Prints a loop over strips.
    pub fn in_strips(&mut self, l: &Loop) {
        let (name, all) = (self.names[&l.index].clone(), self.extent(&l.end));
        let [all_end, first, end] =
            ["all", "first", "end"].map(|what| self.fresh(&format!("{name}_{what}")));
        let (start, size) = (l.start, l.step);
        let visible = self.registers.clone();
        self.line(&format!(
            "let {all_end} = {all}; let mut {first} = {start}usize; while {first} < {all_end} {{ \
             let {end} = {first} + ::core::cmp::Ord::min({all_end} - {first}, {size}usize);"
        ));
        let strip = Strip {
            first: first.clone(),
            end: end.clone(),
            size,
        };
        self.strips.insert(l.index, strip);
        for (index, ahead) in &l.with {
            let own = self.names[index].clone();
            let extent = self.program.loop_index(*index).extent.clone();
            let all = self.extent(&extent);
            let [own_all, own_first, own_end] =
                ["all", "first", "end"].map(|what| self.fresh(&format!("{own}_{what}")));
            self.line(&format!(
                "let {own_all} = {all}; \
                 let {own_first} = if {first} == {start} {{ 0usize }} else {{ ::core::cmp::Ord::min({first} + {ahead}, {own_all}) }}; \
                 let {own_end} = if {end} == {all_end} {{ {own_all} }} else {{ ::core::cmp::Ord::min({end} + {ahead}, {own_all}) }};"
            ));
            let strip = Strip {
                first: own_first,
                end: own_end,
                size: 0,
            };
            self.strips.insert(*index, strip);
        }
        self.nodes(&l.body);
        self.strips.remove(&l.index);
        l.with.iter().for_each(|(index, _)| {
            self.strips.remove(index);
        });
        self.line(&format!("{first} = {end}; }}"));
        self.registers = visible;
    }

    /// The first value of a loop.
    pub fn first_of(&self, index: IndexId, start: usize) -> String {
        let strip = self.strips.get(&index);
        strip.map_or_else(|| format!("{start}usize"), |strip| strip.first.clone())
    }

    /// The end of a loop, which is that text outside of strips.
    pub fn end_of(&self, index: IndexId, all: String) -> String {
        let strip = self.strips.get(&index);
        strip.map_or(all, |strip| strip.end.clone())
    }

    /// The place of a subscript in a ring of some depth.
    pub fn turn(
        &mut self,
        scope: &mut Scope,
        (subscript, depth): (&Affine, usize),
        offsets: &Offsets,
        lane: Option<usize>,
    ) -> String {
        if let Some(index) = subscript.as_index() {
            let lanes = self.schedule.is_lane(index) && self.unit.width > 1;
            if let (true, Some(first)) = (lanes, self.around.turn(index, depth)) {
                let place = first + offset(offsets, index) + lane.unwrap_or(0);
                return (place % depth).to_string();
            }
            // A strip begins at a multiple of the depth.
            let strip = self.strips.get(&index).filter(|strip| strip.size == depth);
            if let Some(Strip { first, .. }) = strip.cloned() {
                let at = self.text(scope, subscript, offsets, lane);
                return format!("({at} - {first})");
            }
        }
        let at = self.text(scope, subscript, offsets, lane);
        format!("({at}) % {depth}")
    }

    /// Whether the innermost dimension of a temporary is a ring along the lanes that whole vectors lie in.
    pub fn in_ring(&self, access: &Access, (extents, lane): (&[Dimension], IndexId)) -> bool {
        let axes = extents.iter().zip(&access.subscripts).rev();
        let mut kept = axes.filter(|(dimension, _)| **dimension != Dimension::CONTRACTED);
        kept.next()
            .is_some_and(|(dimension, subscript)| match dimension {
                Dimension::Ring(depth) => holds_vectors(*depth, subscript, (lane, self.unit.width)),
                Dimension::Kept(_) | Dimension::RunTime => false,
            })
    }
}
