//! Printing the loop tree.

use std::collections::BTreeSet;

use super::address::{Order, in_lines};
use super::memory::{Count, places};
use super::printer::{Printer, Scope};
use crate::collections::{HashMap, HashSet};
use crate::ir::{Affine, ArrayId, Atom, Combining, ExprId, Extent, IndexId, text};
use crate::schedule::same_rows::SameRows;
use crate::schedule::tree::{CopyOut, Instance, Loop, Node, Pipelined, Storage};
use crate::schedule::{jamming, lane_reduction, strided};

impl Printer<'_> {
    /// Says what is computed next, where comments are wanted.
    pub fn comment(&mut self, instances: &[Instance]) {
        if !self.comments {
            return;
        }
        let equations: BTreeSet<usize> = instances.iter().map(|i| i.equation).collect();
        let texts = equations
            .into_iter()
            .map(|at| text::equation(self.program, at));
        let text: String = texts.collect();
        self.line(&format!("__comment!({:?});", text.trim_end()));
    }

    /// Prints nodes.
    pub fn nodes(&mut self, nodes: &[Node]) {
        let mut copied = 0;
        for (at, node) in nodes.iter().enumerate() {
            if at < copied {
                continue;
            }
            let guarded = self.guarded(&nodes[at..]);
            if guarded > 0 {
                copied = at + guarded;
                continue;
            }
            if let Some(copies) = self.components(&nodes[at..]) {
                copied = at + copies.iter().flatten().count();
                self.copy_components(&copies);
                continue;
            }
            let scattered = self.scattered(&nodes[at..]);
            if !scattered.is_empty() {
                copied = at + scattered.len();
                self.copy_apart(&scattered);
                continue;
            }
            if let [Node::Loop(whole), Node::Loop(rest), ..] = &nodes[at..]
                && self.places.is_empty()
                && jamming::are_rows(whole, rest)
            {
                copied = at + 2;
                self.rows_together(whole, rest);
                continue;
            }
            match node {
                Node::Loop(l) => self.print_loop(l),
                Node::Block(instances) => self.block(instances),
                Node::Reduction {
                    instances,
                    loops,
                    chains,
                } => self.reduction(instances, loops, *chains),
                Node::CopyOut(copy) if copy.pipelined != Pipelined::No => self.copy_pipelined(copy),
                Node::CopyOut(copy) => self.copy_out(copy),
                Node::Advance(staged) => self.advance(*staged),
                Node::Zero(array) => self.zero(*array),
            }
        }
    }

    /// The copies of components of a stream that some nodes begin with, in the order of memory. Without mask registers
    /// all components are stored, or records as wholes, or each component alone: what lies between is not this lane's to
    /// write.
    fn components<'n>(&self, nodes: &'n [Node]) -> Option<Vec<Option<&'n CopyOut>>> {
        let order = strided::copies(self.program, self.schedule, nodes)?;
        let copies = order.into_iter().map(|at| match at.map(|at| &nodes[at]) {
            Some(Node::CopyOut(copy)) => Some(copy),
            _ => None,
        });
        let copies: Vec<Option<&CopyOut>> = copies.collect();
        let own: Vec<&CopyOut> = copies.iter().copied().flatten().collect();
        let first = own.first()?;
        let last = self.program.array(first.target.array).shape.len() - 1;
        // Rows of views are streams where this variant takes it for granted that their elements lie together.
        if self.is_view(first.target.array) && self.near_axis(first.target.array) != Some(last) {
            return None;
        }
        if self.filling(&own).is_some() {
            return Some(copies);
        }
        let unit = self.staged_unit(first);
        let full = unit.is_full() && self.narrower(first).is_none();
        let all = copies.iter().all(Option::is_some);
        let whole = || self.are_of_records(&copies);
        (full && (unit.has_masks() || all || whole())).then_some(copies)
    }

    /// Whether copies write components of records of lanes, all of them.
    pub fn are_of_records(&self, copies: &[Option<&CopyOut>]) -> bool {
        let mut copies = copies.iter().flatten();
        copies.all(|copy| strided::is_of_records(self.program, self.schedule, copy))
    }

    fn zero(&mut self, array: ArrayId) {
        let start = lane_reduction::start(self.program, array);
        if let Some(Storage::Registers { lanes, .. }) = self.storage(array) {
            let vector = *lanes && self.unit.width > 1;
            let element = self.program.array(array).element;
            let zero = self.unit_of(element).identity(start, vector);
            for variable in self.places.get(&array).cloned().unwrap_or_default() {
                self.line(&format!("{variable} = {zero};"));
            }
            return;
        }
        let count = match self.elements(array) {
            Count { known, times } if times.is_empty() => format!("{known}usize"),
            _ => places(self, array),
        };
        let pointer = self.pointer(array);
        let element = self.program.array(array).element;
        let zero =
            match self.is_added(array) && !element.is_integer() && element.as_word().is_none() {
                true => self.unit_of(element).negative_zero(),
                false => self.unit_of(element).identity(start, false),
            };
        let at = self.fresh("at");
        self.line(&format!(
            "for {at} in 0..{count} {{ *{pointer}.add({at}) = {zero}; }}"
        ));
    }

    /// Whether the elements of an array are added to others when all of them are there. What nothing is added to stays
    /// as it is then, its sign too where it is zero.
    fn is_added(&self, array: ArrayId) -> bool {
        let mut copies = self.schedule.copies().into_iter();
        copies.any(|copy| copy.staged == array && copy.accumulate == Some(Combining::Add))
    }

    /// Elements of a temporary in memory, lanes included.
    pub fn elements(&mut self, array: ArrayId) -> Count {
        let mut count = Count {
            known: 1,
            times: Vec::new(),
        };
        let Some(Storage::Memory { lanes, extents }) = self.storage(array).cloned() else {
            return count;
        };
        let sums = self.folded.get(&array).copied().unwrap_or(1);
        count.known = sums * if lanes { self.unit.width } else { 1 };
        let shape = self.program.array(array).shape.clone();
        for (axis, (dimension, extent)) in extents.iter().zip(&shape).enumerate() {
            match dimension.places() {
                Some(places) => count.known *= places,
                None => {
                    let extent = (self.extent(extent), "saturating_add");
                    let places = in_lines(self.program, (array, axis), &extents, extent);
                    count.times.push(places);
                }
            }
        }
        count
    }

    /// The end of a loop as text. The check has seen that it fits.
    pub fn extent(&mut self, extent: &Extent) -> String {
        match extent {
            Extent::Constant(n) => format!("{n}usize"),
            Extent::RunTime(affine) => {
                let plain = affine.constant == 0 && affine.terms.len() == 1;
                if let (true, [(Atom::Length(array, axis), 1)]) = (plain, affine.terms.as_slice()) {
                    return self.length(*array, *axis);
                }
                let mut text = affine.constant.to_string() + "i128";
                for (atom, coefficient) in &affine.terms {
                    let value = match atom {
                        Atom::Scalar(array) => self.scalar(*array),
                        Atom::Length(array, axis) => self.length(*array, *axis),
                        Atom::Index(_) | Atom::Map(..) => {
                            let one = Affine::atom(atom.clone());
                            self.text(&mut Scope::default(), &one, &Vec::new(), None)
                        }
                    };
                    text.push_str(&format!(" + {value} as i128 * {coefficient}i128"));
                }
                format!("::core::cmp::Ord::max({text}, 0i128) as usize")
            }
        }
    }

    /// The nodes in a loop, and the indices that move along with it.
    pub fn body(&mut self, l: &Loop) {
        let name = self.names[&l.index].clone();
        for (index, ahead) in &l.with {
            let along = self.names[index].clone();
            self.line(&format!("let {along} = {name} + {ahead};"));
        }
        self.nodes(&l.body);
    }

    /// The lanes of one step of a loop with run-time end: their own values of the index (those
    /// beyond the end take the last one), how many of them are active, and that as a mask.
    pub fn mesh_lanes(&mut self, name: &str, step: usize) {
        self.values_of_lanes(name, step);
        for offset in (0..step).step_by(self.unit.width) {
            self.active_lanes_are(&format!(
                "::core::cmp::Ord::min({name}_end.saturating_sub({name} + {offset}), {}usize)",
                self.unit.width
            ));
        }
    }

    /// The same where fewer iterations than lanes are left, and some are: nothing has to ask whether all lanes are active.
    pub fn fewer_lanes(&mut self, name: &str) {
        let width = self.unit.width;
        self.values_of_lanes(name, width);
        self.active_lanes_are(&format!("({name}_end - {name}) % {width}usize"));
    }

    /// Each lane's own value of an index; no lane is active yet.
    fn values_of_lanes(&mut self, name: &str, step: usize) {
        for lane in 0..step {
            self.line(&format!(
                "let {name}_{lane} = ::core::cmp::Ord::min({name} + {lane}, {name}_end - 1);"
            ));
        }
        self.active.clear();
    }

    /// How many lanes of the next vector are active, and the mask of these.
    fn active_lanes_are(&mut self, count: &str) {
        let (active, mask) = (self.fresh("active"), self.fresh("mask"));
        let text = self.unit.mask(&active, Order::Forwards);
        self.line(&format!("let {active} = {count}; let {mask} = {text};"));
        self.active.push((active, mask));
    }

    fn block(&mut self, instances: &[Instance]) {
        self.comment(instances);
        let mut scope = Scope {
            same: SameRows::of(self.program, self.schedule, instances),
            ..Scope::default()
        };
        let equations: BTreeSet<usize> = instances.iter().map(|i| i.equation).collect();
        let read = equations.into_iter();
        let read: HashSet<ArrayId> = read
            .flat_map(|equation| self.program.temporaries_read(equation))
            .collect();
        let mut left = instances;
        while let [instance, others @ ..] = left {
            let rows = self.rows_of_a_sum(left);
            if rows > 1 {
                self.side_by_side(&mut scope, &left[..rows]);
                left = &left[rows..];
                continue;
            }
            left = others;
            self.enter(instance.equation);
            if self.program.exact {
                // What is shared is for passes to say.
                scope = Scope::default();
            }
            let equation = &self.program.equations[instance.equation];
            let partial = !equation.reduction.is_empty();
            let accumulate = match partial {
                true => Some(equation.operator.combining()),
                false => equation.operator.accumulated(),
            };
            let adds = accumulate == Some(Combining::Add);
            let (target, offsets) = (&equation.target, &instance.offsets);
            let done = self.only_branch(&mut scope, (equation, accumulate), offsets)
                || adds && self.add_product(&mut scope, target, offsets, equation.expr);
            if !done {
                let value = self.value(&mut scope, equation.expr, offsets);
                self.store(&mut scope, target, offsets, value, accumulate);
            }
            if accumulate.is_some() && read.contains(&equation.target.array) {
                self.forget(&mut scope, equation.target.array);
            }
        }
    }

    /// Values of an array that something was added to are no longer those that were read.
    fn forget(&self, scope: &mut Scope, array: ArrayId) {
        let (pool, mut known) = (&self.program.pool, HashMap::default());
        scope
            .values
            .retain(|(expr, _), _| !pool.reads(*expr, array, &mut known));
    }

    /// Opens a loop over the values of an index.
    pub fn open_loop(&mut self, index: IndexId, first: usize) {
        let name = self.names[&index].clone();
        let extent = &self.program.loop_index(index).extent;
        if let Some(n) = extent.as_constant().filter(|n| *n > 0) {
            self.ranges.insert(index, (first, n - 1));
        }
        let end = self.extent(extent);
        let (start, end) = (self.first_of(index, first), self.end_of(index, end));
        self.around.enter_sum(index, first);
        let start = start.trim_end_matches("usize");
        self.line(&format!("for {name} in {start}..{end} {{"));
    }

    /// Closes loops.
    pub fn close_loops(&mut self, loops: &[IndexId]) {
        for index in loops {
            self.around.leave();
            self.ranges.remove(index);
            self.line("}");
        }
    }

    /// Whether an expression has a value a lane.
    pub fn is_vector(&mut self, expr: ExprId) -> bool {
        let depends = self.depends(expr);
        self.unit.width > 1
            && self
                .schedule
                .lane_loops()
                .any(|lane| depends.contains(&lane))
    }
}
