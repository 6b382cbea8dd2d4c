//! Printing loops: all of their steps, whole ones and what these leave, some at either end.

use super::kept::is_innermost;
use super::printer::Printer;
use crate::ir::Extent;
use crate::schedule::shorter::{first_vectors, shorter_steps};
use crate::schedule::tree::{Dimension, Instance, Loop, Node, Steps, instances};
use crate::schedule::unrolling::is_short;
use crate::schedule::{front, jamming};

impl Printer<'_> {
    /// Prints a loop.
    pub fn print_loop(&mut self, l: &Loop) {
        let name = self.names[&l.index].clone();
        let last = match l.end {
            Extent::Constant(end) if end <= l.start => return,
            Extent::Constant(end) => Some(l.start + (end - 1 - l.start) / l.step * l.step),
            Extent::RunTime(_) => None,
        };
        match l.steps {
            Steps::All => {}
            Steps::Whole => return self.whole_steps(l, None),
            Steps::Rest => return self.rest(l),
            Steps::Once => return self.first_iteration(l),
            Steps::Strips => return self.in_strips(l),
            Steps::First(_) | Steps::Last(_) => return self.few(l),
            Steps::Skewed { .. } => return self.nodes(&front::expanded(l)),
        }
        let end = self.extent(&l.end);
        let (first, end) = (self.first_of(l.index, l.start), self.end_of(l.index, end));
        self.around.enter(l, 0);
        let visible = self.registers.clone();
        if let Some(last) = last {
            self.ranges.insert(l.index, (l.start, last));
        }
        if last == Some(l.start) {
            self.line(&format!("{{ let {name} = {}usize;", l.start));
            self.body(l);
            self.line("}");
        } else if let Some(last) = last.filter(|_| self.is_along_rows(l)) {
            for at in l.start..=last {
                self.ranges.insert(l.index, (at, at));
                self.line(&format!("{{ let {name} = {at}usize;"));
                self.body(l);
                self.line("}");
                self.registers = visible.clone();
            }
        } else if l.step == 1 {
            self.in_turn(l, (&first, &end));
        } else {
            let mesh = self.schedule.is_lane(l.index) && last.is_none();
            if mesh && self.unit.width > 1 && !l.with.is_empty() {
                self.overlapped(l, &end);
                self.registers = visible;
                self.around.leave();
                return;
            }
            if mesh && self.unit.width > 1 && self.in_parts(l) {
                self.whole_vectors(l, (&first, &end));
                self.kept.clear();
                self.registers = visible;
                self.around.leave();
                return;
            }
            self.line(&format!(
                "let {name}_end = {end}; let mut {name} = {first};"
            ));
            if mesh && self.unit.width > 1 {
                self.keep(l, (&name, &format!("{name}_end")));
            }
            self.line(&format!("while {name} < {name}_end {{"));
            if mesh && self.unit.width > 1 {
                self.mesh_lanes(&name, l.step);
            }
            self.begin_pipelined(l);
            self.body(l);
            if mesh {
                self.active.clear();
            }
            self.line(&format!("{name} += {}; }}", l.step));
            self.kept.clear();
            self.drain_pipelined(l);
        }
        self.ranges.remove(&l.index);
        self.registers = visible;
        self.around.leave();
    }

    /// A loop whose iterations come one after the other.
    fn in_turn(&mut self, l: &Loop, (first, end): (&str, &str)) {
        let name = self.names[&l.index].clone();
        let run_time = l.end.as_constant().is_none();
        let keeps = run_time && self.unit.width > 1 && is_innermost(&l.body);
        if keeps {
            self.keep(l, (first, end));
        }
        let first = first.trim_end_matches("usize");
        self.line(&format!("for {name} in {first}..{end} {{"));
        self.body(l);
        self.line("}");
        if keeps {
            self.kept.clear();
        }
    }

    /// Whether iterations of a short loop are written out, since they read rows of each lane's own: neighbours in memory
    /// are then loaded and taken apart once for all of them.
    fn is_along_rows(&mut self, l: &Loop) -> bool {
        let blocks = l.body.iter().all(|node| matches!(node, Node::Block(_)));
        let own: Vec<Instance> = instances(&l.body).into_iter().cloned().collect();
        let Some(first) = own.first().filter(|_| blocks && l.step == 1) else {
            return false;
        };
        self.enter(first.equation);
        self.row_iterations(&own, &[l.index]).is_some()
    }

    /// Whether the body of a loop over lanes stands there for whole steps, for whole vectors and for what is left: a
    /// short one, or one of vectors that go through loops together, where those that are not there take as long.
    fn in_parts(&self, l: &Loop) -> bool {
        let width = self.unit.width;
        let loops = l.body.iter().any(|node| matches!(node, Node::Loop(_)));
        let together = loops && l.step > width;
        together || is_short(self.program, &first_vectors(l, 1, width).body)
    }

    /// A short body for whole vectors, which need no masks: for those of whole steps, one by one for
    /// those after, and once more for what they leave.
    fn whole_vectors(&mut self, l: &Loop, (first, end): (&str, &str)) {
        let name = self.names[&l.index].clone();
        let visible = self.registers.clone();
        let one = first_vectors(l, 1, self.unit.width);
        self.line(&format!(
            "let {name}_end = {end}; let mut {name} = {first};"
        ));
        self.active.clear();
        self.keep(l, (&name, &format!("{name}_end")));
        let streams = self.lead(&one, &[]);
        let lead = match streams {
            Some(_) => None,
            None => self.first_aligned(&one),
        };
        let end = format!("{name}_end");
        // The iterations before the first aligned store and those that whole vectors leave have one text, where calls of
        // few iterations, which have no such store, come to without a jump back.
        let part = lead.as_ref().map(|lead| {
            let part = self.fresh("part_end");
            self.line(&format!(
                "loop {{ let {part} = if {lead} > 0 {{ {name} + {lead} }} else {{"
            ));
            part
        });
        let streamed = streams.iter().map(|flag| (l, Some(flag.clone())));
        let shorter = shorter_steps(l, self.unit.width);
        let plain = std::iter::once(l).chain(&shorter);
        for (part, flag) in streamed.chain(plain.map(|part| (part, None))) {
            let step = part.step;
            self.begin_streaming(flag.as_deref());
            self.line(&format!("while {name} + {step} <= {end} {{"));
            for lane in 0..step {
                self.line(&format!("let {name}_{lane} = {name} + {lane};"));
            }
            self.body(part);
            self.registers.clone_from(&visible);
            self.line(&format!("{name} += {step}; }}"));
            self.end_streaming(flag.is_some());
        }
        if let (Some(part), Some(lead)) = (part, lead) {
            self.line(&format!(
                "{end} }}; if {name} < {part} {{ let {end} = {part};"
            ));
            self.masked(&one);
            self.line(&format!(
                "}} if {lead} == 0 {{ break; }} {name} = {part}; {lead} = 0; }}"
            ));
            return;
        }
        self.line(&format!("if {name} < {end} {{"));
        self.masked(&one);
        self.line("}");
    }

    /// One vector of a loop, under a mask of the iterations that there are, which are fewer than it has lanes.
    fn masked(&mut self, one: &Loop) {
        let visible = self.registers.clone();
        let name = self.names[&one.index].clone();
        self.fewer_lanes(&name);
        self.body(one);
        self.active.clear();
        self.registers = visible;
    }

    /// Whole steps of rows that read elements in common, and the rows that these leave. Results that are written past the
    /// caches wait for memory, and are aligned row by row: there each row is alone. So it is where rows together gain by what is near
    /// alone, and arrays are not.
    pub fn rows_together(&mut self, whole: &Loop, rest: &Loop) {
        if !self.streams.is_empty() {
            let (steps, step) = (Steps::All, 1);
            return self.print_loop(&Loop {
                steps,
                step,
                ..rest.clone()
            });
        }
        let far = self.far.clone();
        let far = far.filter(|_| !jamming::gain_far(self.program, self.schedule, (whole, rest)));
        self.whole_steps(whole, far.as_deref());
        let name = self.names[&rest.index].clone();
        self.around.enter(rest, 0);
        let visible = self.registers.clone();
        // The next row is where whole steps ended, if there were any.
        self.line(&format!("for {name} in {name}..{name}_end {{"));
        self.body(rest);
        self.registers = visible;
        self.line("}");
        self.around.leave();
    }

    /// Whole steps of a loop; none where a variable says so.
    fn whole_steps(&mut self, l: &Loop, none: Option<&str>) {
        let (name, end) = (self.names[&l.index].clone(), self.extent(&l.end));
        let (start, end) = (self.first_of(l.index, l.start), self.end_of(l.index, end));
        let step = l.step;
        let none = none.map_or(String::new(), |none| format!("!{none} && "));
        self.around.enter(l, 0);
        let visible = self.registers.clone();
        self.line(&format!(
            "let {name}_end = {end}; let mut {name} = {start}; \
             while {none}{name} + {step} <= {name}_end {{"
        ));
        self.body(l);
        self.line(&format!("{name} += {step}; }}"));
        self.registers = visible;
        self.around.leave();
    }

    /// What whole steps leave: the body for each value that may be left, so that places in rings are known, or a loop where there are
    /// none.
    fn rest(&mut self, l: &Loop) {
        let (name, end) = (self.names[&l.index].clone(), self.extent(&l.end));
        let (start, end) = (self.first_of(l.index, l.start), self.end_of(l.index, end));
        let (start, step) = (start.trim_end_matches("usize"), l.step);
        let first = self.fresh(&name);
        self.line(&format!(
            "let {name}_end = {end}; \
             let {first} = {start} + {name}_end.saturating_sub({start}) / {step} * {step};"
        ));
        if !self.has_rings() {
            let visible = self.registers.clone();
            let one = Loop {
                step: 1,
                body: Vec::new(),
                ..l.clone()
            };
            self.around.enter(&one, 0);
            self.line(&format!("for {name} in {first}..{name}_end {{"));
            self.body(l);
            self.line("}");
            self.registers = visible;
            self.around.leave();
            return;
        }
        for number in 0..step.saturating_sub(1) {
            self.around.enter(l, number);
            let visible = self.registers.clone();
            self.line(&format!(
                "if {first} + {number} < {name}_end {{ let {name} = {first} + {number};"
            ));
            self.body(l);
            self.line("}");
            self.registers = visible;
            self.around.leave();
        }
    }

    /// Whether places of temporaries take turns along loops.
    fn has_rings(&self) -> bool {
        let storage = self.schedule.storage.iter();
        let mut places = storage.flat_map(|(_, storage)| storage.extents());
        places.any(|places| matches!(places, Dimension::Ring(depth) if *depth > 1))
    }

    /// A number of iterations at the start of a loop, or at its end.
    fn few(&mut self, l: &Loop) {
        let (name, end) = (self.names[&l.index].clone(), self.extent(&l.end));
        let (start, end) = (self.first_of(l.index, l.start), self.end_of(l.index, end));
        let (start, end) = match l.steps {
            Steps::Last(most) => (
                format!("::core::cmp::Ord::max(({end}).saturating_sub({most}usize), {start})"),
                end,
            ),
            Steps::First(most) => {
                let least = format!("::core::cmp::Ord::min({end}, {start} + {most}usize)");
                (start, least)
            }
            _ => (start, end),
        };
        self.around.enter(l, 0);
        let visible = self.registers.clone();
        self.line(&format!("for {name} in {start}..{end} {{"));
        self.body(l);
        self.line("}");
        self.registers = visible;
        self.around.leave();
    }

    /// The first iteration of a loop, if it has one.
    fn first_iteration(&mut self, l: &Loop) {
        let (name, end) = (self.names[&l.index].clone(), self.extent(&l.end));
        let (start, end) = (self.first_of(l.index, l.start), self.end_of(l.index, end));
        self.around.enter(l, 0);
        if !self.strips.contains_key(&l.index) {
            self.ranges.insert(l.index, (l.start, l.start));
        }
        let visible = self.registers.clone();
        self.line(&format!("if {start} < {end} {{ let {name} = {start};"));
        self.body(l);
        self.line("}");
        self.registers = visible;
        self.ranges.remove(&l.index);
        self.around.leave();
    }
}
