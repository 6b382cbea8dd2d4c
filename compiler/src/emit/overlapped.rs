//! Loops over vectors of lanes that several indices share.

use super::address::Order;
use super::printer::Printer;
use crate::ir::IndexId;
use crate::schedule::shorter::shorter_steps;
use crate::schedule::tree::{Loop, instances, offset};

impl Printer<'_> {
    /// Whole steps without masks, the shorter ones that fit into what they leave, and what these leave under masks.
    pub fn overlapped(&mut self, l: &Loop, end: &str) {
        let name = self.names[&l.index].clone();
        let width = self.unit.width;
        let visible = self.registers.clone();
        let mut indices = vec![(l.index, 0)];
        indices.extend(l.with.iter().copied());
        for (index, _) in &indices {
            let end = match *index == l.index {
                true => end.to_owned(),
                false => {
                    let extent = self.program.loop_index(*index).extent.clone();
                    self.extent(&extent)
                }
            };
            let own = &self.names[index];
            let line = format!("let {own}_end = {end};");
            self.line(&line);
        }
        self.line(&format!("let mut {name} = {}usize;", l.start));
        let shorter = shorter_steps(l, width);
        let one = shorter.last().unwrap_or(l).clone();
        self.active.clear();
        let streams = self.lead(&one, &indices);
        let streamed = streams.iter().map(|flag| (l, Some(flag.clone())));
        let plain = std::iter::once(l).chain(&shorter);
        let plain = plain.map(|part| (part, None));
        let (whole, single) = (self.whole(&one, &indices), reach(&one, &indices, width));
        let mut before = usize::MAX;
        for (part, flag) in streamed.chain(plain) {
            self.begin_streaming(flag.as_deref());
            let reach = reach(part, &indices, width);
            let beyond = reach.iter().zip(&single).map(|(all, one)| all - one);
            let beyond = beyond.max().unwrap_or(0);
            // Two halves are a step, and no other one fits.
            let repeat = if before == 2 * part.step {
                "if"
            } else {
                "while"
            };
            before = part.step;
            self.line(&format!("{repeat} {name} + {beyond} < {whole} {{"));
            for ((index, ahead), reach) in indices.iter().zip(&reach) {
                for lane in *ahead..*reach {
                    let own = &self.names[index];
                    let line = format!("let {own}_{} = {name} + {lane};", lane - ahead);
                    self.line(&line);
                }
            }
            self.body(part);
            self.registers.clone_from(&visible);
            self.line(&format!("{name} += {}; }}", part.step));
            self.end_streaming(flag.is_some());
        }
        self.line(&format!("while {name} < {name}_end {{"));
        self.masks(&one, &indices);
        self.body(&one);
        self.along.clear();
        self.registers.clone_from(&visible);
        self.line(&format!("{name} += {width}; }}"));
    }

    /// The variable that says where a loop's first iteration is that has no whole vector of each index.
    fn whole(&mut self, one: &Loop, indices: &[(IndexId, usize)]) -> String {
        let reach = reach(one, indices, self.unit.width);
        let ends = indices.iter().zip(&reach);
        let ends = ends.map(|((index, _), reach)| {
            format!("({}_end + 1).saturating_sub({reach})", self.names[index])
        });
        let first = ends.reduce(|one, other| format!("::core::cmp::Ord::min({one}, {other})"));
        let name = self.names[&one.index].clone();
        self.name(&name, &first.unwrap_or_default())
    }

    /// The lanes of each index that are inside of its own loop.
    pub fn masks(&mut self, one: &Loop, indices: &[(IndexId, usize)]) {
        let (name, width) = (self.names[&one.index].clone(), self.unit.width);
        let reach = reach(one, indices, width);
        for ((index, ahead), reach) in indices.iter().zip(&reach) {
            let own = self.names[index].clone();
            for lane in *ahead..*reach {
                self.line(&format!(
                    "let {own}_{} = ::core::cmp::Ord::min({name} + {lane}, {own}_end.saturating_sub(1));",
                    lane - ahead
                ));
            }
            let mut all = Vec::new();
            for from in (*ahead..*reach).step_by(width) {
                let (active, mask) = (self.fresh("active"), self.fresh("mask"));
                let text = self.unit.mask(&active, Order::Forwards);
                self.line(&format!(
                    "let {active} = ::core::cmp::Ord::min({own}_end.saturating_sub({name} + {from}), {width}usize); \
                     let {mask} = {text};"
                ));
                all.push((active, mask));
            }
            self.along.insert(*index, all);
        }
    }
}

/// How far beyond a loop's iteration each index reaches.
fn reach(l: &Loop, indices: &[(IndexId, usize)], width: usize) -> Vec<usize> {
    let all = instances(&l.body);
    let reach = indices.iter().map(|(index, ahead)| {
        let offsets = all.iter().map(|instance| offset(&instance.offsets, *index));
        ahead + offsets.max().unwrap_or(0) + width
    });
    reach.collect()
}
