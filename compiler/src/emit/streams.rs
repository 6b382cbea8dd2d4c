//! Stores past the caches, of results that are larger than these.
//!
//! Whether a result is, the kernel finds out when it runs. Such stores write whole registers that are aligned: a
//! row begins with as many elements as there are before the first of these, under a mask.

use super::names::plain;
use super::neighbours::Neighbours;
use super::parts::Part;
use super::printer::{Printer, Scope, Value};
use crate::collections::{HashMap, HashSet};
use crate::ir::{Access, Affine, ArrayId, Element, Expr, Extent, IndexId, Operator, Role};
use crate::machine::LINE;
use crate::schedule::jamming;
use crate::schedule::tree::{Instance, Loop, Node, Offsets, instances};

/// Most rows that a kernel may read for its results: loads that wait for lines take the buffers that such stores
/// are collected in. Elements next to each other along the lanes are in the same lines.
const READ: usize = 6;

/// Vectors of a row that are worth it.
const ROW: usize = 16;

impl Printer<'_> {
    /// Prints nodes, twice where there are results that may be larger than the caches.
    pub fn nodes_and_streams(&mut self, nodes: &[Node], krate: &str) {
        let streams = self.larger(krate);
        let near = jamming::of_near_rows(self.program, self.schedule, nodes);
        let near: Vec<ArrayId> = near.into_iter().collect();
        let far = self.leaving(&near, krate);
        self.far = far.map(|far| self.name("far", &far));
        if !streams.is_empty() {
            let mut any: Vec<&str> = streams.values().map(String::as_str).collect();
            any.sort_unstable();
            let any = any.join(" || ");
            self.line(&format!("if {any} {{"));
            self.streams = streams;
            self.nodes(nodes);
            self.streams.clear();
            // What was written past the caches is there before what follows.
            self.line("_mm_sfence(); } else {");
            self.nodes(nodes);
            self.line("}");
            return;
        }
        self.nodes(nodes);
    }

    /// Prints which results are larger than the caches.
    fn larger(&mut self, krate: &str) -> HashMap<ArrayId, String> {
        let mut streams = HashMap::default();
        let many = self.rows_read().len() > READ;
        if self.unit.width < 2 || many || !self.schedule.copies().is_empty() {
            return streams;
        }
        for (at, equation) in self.program.equations.iter().enumerate() {
            let array = equation.target.array;
            if !self.is_written_once(at, array) {
                continue;
            }
            let of = self.program.array(array);
            let name = plain(&of.name).to_owned();
            let bytes = self.unit_of(of.element).bits() / 8;
            let count = self.count(array);
            let variable = self.name(
                &format!("{name}_streams"),
                &format!("{krate}::stream::pays({count}, {bytes})"),
            );
            streams.insert(array, variable);
        }
        streams
    }

    /// How many elements a parameter has, as text.
    pub fn count(&mut self, array: ArrayId) -> String {
        let of = self.program.array(array);
        let axes = match of.strided {
            true => 0..of.shape.len(),
            false => 0..1,
        };
        let mut count = Vec::new();
        for (axis, extent) in of.shape.iter().enumerate() {
            match extent {
                Extent::Constant(n) => count.push(format!("{n}usize")),
                Extent::RunTime(_) if axes.contains(&axis) => {
                    count.push(self.length(array, axis));
                }
                // A flat slice has the length of all of it.
                Extent::RunTime(_) => {}
            }
        }
        let count = count.into_iter();
        let count = count.reduce(|a, b| format!("{a}.saturating_mul({b})"));
        count.unwrap_or_else(|| "1usize".to_owned())
    }

    /// The elements of parameters that are read, but for how far they are along the lanes.
    fn rows_read(&self) -> HashSet<(ArrayId, Vec<Affine>)> {
        let program = self.program;
        let row = |subscript: &Affine| {
            let along = (self.schedule.lane_loops()).any(|lane| subscript.depends_on(lane));
            match along {
                true => subscript.sub(&Affine::constant(subscript.constant)),
                false => subscript.clone(),
            }
        };
        let read = program.reachable().into_iter().filter_map(|expr| {
            let Expr::Access(access) = program.pool.get(expr) else {
                return None;
            };
            let of = program.array(access.array);
            let parameter = matches!(of.role, Role::Parameter(_)) && !of.shape.is_empty();
            let rows = access.subscripts.iter().map(row);
            parameter.then(|| (access.array, rows.collect()))
        });
        read.collect()
    }

    /// Whether an equation writes all of a result, of which nothing is read, in whole vectors along a loop.
    fn is_written_once(&self, equation: usize, array: ArrayId) -> bool {
        let program = self.program;
        let lane = self.schedule.lane_of(&program.equations[equation]);
        if lane.is_none_or(|lane| program.is_constant(lane)) {
            return false;
        }
        let of = program.array(array);
        let run_time = matches!(of.shape.first(), Some(Extent::RunTime(_)));
        run_time
            && matches!(of.element, Element::F64 | Element::F32 | Element::Generic)
            && program.sole_writer(array) == Some(equation)
            && self.is_only_written(equation)
    }

    /// Whether an equation assigns to a result of which nothing is read.
    fn is_only_written(&self, equation: usize) -> bool {
        let program = self.program;
        let own = &program.equations[equation];
        let of = program.array(own.target.array);
        let Role::Output(position) = of.role else {
            return false;
        };
        let same = |other: &ArrayId| program.array(*other).role.position() == Some(position);
        let all = (0..program.arrays.len()).map(|at| ArrayId(at as u32));
        let read = self.read.iter().any(same);
        own.operator == Operator::Assign && !of.allocated && all.filter(same).count() == 1 && !read
    }

    /// What stands before the whole vectors of a loop, of which `one` is a step: the elements before the first register
    /// that is aligned, where results are written past the caches; the variable that says whether all are.
    pub fn lead(&mut self, one: &Loop, indices: &[(IndexId, usize)]) -> Option<String> {
        let rows = |instance: &Instance| {
            let own = instance.offsets.iter().copied();
            let rows: Offsets = own
                .filter(|(index, _)| !self.schedule.is_lane(*index))
                .collect();
            let target = self.program.equations[instance.equation].target.clone();
            (instance.equation, target, rows)
        };
        let targets: Vec<(usize, Access, Offsets)> = (instances(&one.body).into_iter())
            .map(rows)
            .filter(|(_, target, _)| self.streams.contains_key(&target.array))
            .collect();
        let (first, target, rows) = targets.first().cloned()?;
        let name = self.names[&one.index].clone();
        let width = self.unit.width;
        let place = self.start((first, &target, &rows), one.index)?;
        let bytes = self.unit.bits() / 8;
        let streams = self.streams[&target.array].clone();
        let flag = self.name(
            "streams",
            &format!("{streams} && {name}_end - {name} >= {}", ROW * width),
        );
        let visible = self.registers.clone();
        let lead = self.fresh("lead");
        let before = self.before_aligned(&place);
        self.line(&format!(
            "if {flag} {{ let {lead} = {before}; if {lead} > 0 {{ let {name}_end = {name} + {lead};"
        ));
        match indices.is_empty() {
            true => self.mesh_lanes(&name, width),
            false => self.masks(one, indices),
        }
        self.body(one);
        self.active.clear();
        self.along.clear();
        self.registers = visible;
        self.line(&format!("}} {name} += {lead}; }}"));
        let mut all = flag;
        for (at, target, rows) in targets {
            let Some(place) = self.start((at, &target, &rows), one.index) else {
                continue;
            };
            let streams = &self.streams[&target.array];
            all += &format!(
                " && {streams} && ({place}) as usize % {} == 0",
                width * bytes
            );
            self.streaming.push(target.array);
        }
        Some(self.name("aligned", &all))
    }

    /// How many iterations of a loop, of which `one` is a step, stand before the first one that stores to where a register is
    /// aligned. A store of two lines takes two places of the store buffer, and where several arrays are written in turn, each
    /// of its halves waits for its line by itself: measured up to three times as long. What is read again soon is better not
    /// written under masks. Loops that sum up over lanes begin where they are told to, so that they add in one order wherever
    /// arrays are.
    pub fn first_aligned(&mut self, one: &Loop) -> Option<String> {
        let (program, width) = (self.program, self.unit.width);
        let bytes = self.unit.bits() / 8;
        let equations: Vec<usize> = (instances(&one.body).into_iter())
            .map(|instance| instance.equation)
            .collect();
        let moves = |at: &usize| {
            let target = &program.equations[*at].target;
            target
                .subscripts
                .iter()
                .any(|own| own.depends_on(one.index))
        };
        if width * bytes < LINE / 2 || !equations.iter().all(moves) {
            return None;
        }
        // What stands in loops inside has no place yet.
        let own = one.body.iter().flat_map(|node| match node {
            Node::Block(instances) | Node::Reduction { instances, .. } => instances.as_slice(),
            _ => &[],
        });
        let own: Vec<usize> = own.map(|instance| instance.equation).collect();
        let first = own.into_iter().find(|at| self.is_only_written(*at))?;
        let target = program.equations[first].target.clone();
        let name = self.names[&one.index].clone();
        let place = self.start((first, &target, &Vec::new()), one.index)?;
        let before = self.before_aligned(&place);
        let text = format!(
            "if {name}_end.saturating_sub({name}) >= {} {{ {before} }} else {{ 0 }}",
            ROW * width
        );
        Some(self.mutable("lead", &text))
    }

    /// How many elements stand from a place on before a register is aligned.
    fn before_aligned(&self, place: &str) -> String {
        let bytes = self.unit.bits() / 8;
        let register = self.unit.width * bytes;
        format!("(({place}) as usize).wrapping_neg() % {register} / {bytes}")
    }

    /// The pointer to the first element of a loop's iteration, if lanes are neighbours there.
    fn start(
        &mut self,
        (equation, target, rows): (usize, &Access, &Offsets),
        index: IndexId,
    ) -> Option<String> {
        self.enter(equation);
        let address = self.address(target);
        let element = self.program.array(target.array).element;
        let forwards = self.order(&address, element) == Some(super::address::Order::Forwards);
        let full = self.unit_of(element).bits() == self.unit.bits();
        let pointer = self.pointer(target.array);
        let own = self.lane() == Some(index);
        (forwards && full && own)
            .then(|| self.at(&mut Scope::default(), &pointer, &address, rows, None))
    }

    /// Stores a whole vector past the caches, if the loop that is printed does; whether it did.
    pub fn streamed(
        &mut self,
        scope: &mut Scope,
        (array, to): (ArrayId, &Neighbours),
        value: &Value,
    ) -> bool {
        if to.part != Part::Whole || !self.streaming.contains(&array) {
            return false;
        }
        let value = self.coerce(scope, value.clone(), true);
        let stream = self.unit.stream(&to.pointer, &value);
        self.line(&stream);
        true
    }

    /// Opens what is done where results are written past the caches, or goes on without.
    pub fn begin_streaming(&mut self, flag: Option<&str>) {
        match flag {
            Some(flag) => self.line(&format!("if {flag} {{")),
            None => self.streaming.clear(),
        }
    }

    /// Closes it.
    pub fn end_streaming(&mut self, streamed: bool) {
        if streamed {
            self.line("}");
        }
    }
}
