//! Loops over vectors of lanes that several indices share.

use super::address::Order;
use super::printer::{Printer, Value};
use crate::ir::{Affine, ArrayId, IndexId};
use crate::schedule::overlapped::handed_on;
use crate::schedule::shorter::{of_instances, shorter_steps};
use crate::schedule::tree::{Instance, Loop, instances, offset};

impl Printer<'_> {
    /// Whole steps without masks, the shorter ones that fit into what they leave, and what these leave under masks. What a
    /// step begins with and the one before it has computed goes from one to the next in variables (Ernst 1995, section 3.2,
    /// with vectors in the place of elements).
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
        // Where there are no iterations, nothing that would be handed on may be read.
        self.line(&format!("if {name} < {name}_end {{"));
        let carried = self.first_vectors_of(&one, &indices);
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
            self.step(part, &carried);
            self.registers.clone_from(&visible);
            self.line(&format!("{name} += {}; }}", part.step));
            self.end_streaming(flag.is_some());
        }
        self.line(&format!("while {name} < {name}_end {{"));
        self.masks(&one, &indices);
        self.step(&one, &carried);
        self.along.clear();
        self.registers = visible;
        self.line(&format!("{name} += {width}; }} }}"));
    }

    /// Computes what a step begins with and the step before it has computed, for the first step; the variables in which
    /// each step leaves it to the next one.
    fn first_vectors_of(&mut self, one: &Loop, indices: &[(IndexId, usize)]) -> Vec<Carried> {
        let carried = handed_on(one);
        if carried.is_empty() {
            return Vec::new();
        }
        let visible = self.registers.clone();
        let before = of_instances(one, &|own| carried.contains(own));
        self.masks(one, indices);
        self.body(&before);
        self.along.clear();
        let values = carried.into_iter().filter_map(|instance| {
            let value = self.registers.get(&self.element_of(&instance, 0))?.clone();
            let variable = self.mutable("carried", &value.text);
            let value = Value {
                text: variable,
                ..value
            };
            Some(Carried { instance, value })
        });
        let values: Vec<Carried> = values.collect();
        self.registers = visible;
        values
    }

    /// A step without what the one before it has computed.
    fn step(&mut self, part: &Loop, carried: &[Carried]) {
        for own in carried {
            let element = self.element_of(&own.instance, 0);
            self.registers.insert(element, own.value.clone());
        }
        let known = |own: &Instance| carried.iter().any(|carried| carried.instance == *own);
        self.body(&of_instances(part, &|own| !known(own)));
        for own in carried {
            let next = self.element_of(&own.instance, part.step);
            if let Some(value) = self.registers.get(&next).cloned() {
                self.line(&format!("{} = {};", own.value.text, value.text));
            }
        }
    }

    /// The element that an instance computes in a step, or so many lanes later.
    fn element_of(&self, instance: &Instance, later: usize) -> (ArrayId, Vec<Affine>) {
        let equation = &self.program.equations[instance.equation];
        let mut offsets = instance.offsets.clone();
        if let Some(lane) = self.schedule.lane_of(equation) {
            let own = offset(&offsets, lane) + later;
            offsets.retain(|(index, _)| *index != lane);
            offsets.push((lane, own));
        }
        let element = self.around.element(&equation.target, &offsets);
        (equation.target.array, element)
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

/// What a step leaves to the next one.
struct Carried {
    /// The instance that computes it in the next one.
    instance: Instance,
    /// The variable.
    value: Value,
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
