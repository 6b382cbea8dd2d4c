//! What must hold of a loop tree for it to be printed, whatever it computes.
//!
//! Validation executes the tree, and finds wrong values. That local variables are defined where
//! they are read, and which of them an access means, it cannot see: there they have no names.

use super::around::Around;
use super::covering;
use super::dependence;
use super::pipelining;
use super::ready::ready;
use super::strips::holds_vectors;
use super::tree::{
    CopyOut, Dimension, Instance, Loop, Node, Pipelined, Schedule, Steps, Storage,
    begins_with_target,
};
use crate::collections::HashSet;
use crate::ir::{Access, Affine, ArrayId, IndexId, Program, Role};

type Result = std::result::Result<(), String>;

/// Checks a loop tree of a program.
///
/// # Errors
/// What cannot be printed, and why.
pub fn check(program: &Program, schedule: &Schedule) -> Result {
    let mut checker = Checker {
        program,
        schedule,
        around: Around::of(schedule),
        strips: Vec::new(),
        defined: HashSet::default(),
        reads: dependence::reads(program),
        pipelined: Vec::new(),
    };
    for (array, storage) in &schedule.storage {
        checker.storage(*array, storage)?;
    }
    for (at, buffer) in schedule.buffers.iter().enumerate() {
        checker.buffer(at, buffer)?;
    }
    checker.nodes(&schedule.body)?;
    covering::check(program, schedule)
}

struct Checker<'a> {
    program: &'a Program,
    schedule: &'a Schedule,
    around: Around,
    /// Indices whose loops take the values of a strip.
    strips: Vec<IndexId>,
    /// Elements in [`Storage::Register`] that are visible here.
    defined: HashSet<(ArrayId, Vec<Affine>)>,
    /// Temporaries that equations read.
    reads: Vec<Vec<Access>>,
    /// Staging arrays whose copies are pipelined, along the loop around.
    pipelined: Vec<ArrayId>,
}

impl Checker<'_> {
    fn name(&self, array: ArrayId) -> &str {
        &self.program.array(array).name
    }

    /// Ranks fit, and what is one value for all lanes does not move with them.
    fn storage(&self, array: ArrayId, storage: &Storage) -> Result {
        let (Storage::Registers { extents, lanes } | Storage::Memory { extents, lanes }) = storage
        else {
            return Ok(());
        };
        let name = self.name(array);
        if extents.len() != self.program.array(array).shape.len() {
            return Err(format!("`{name}` is stored with another rank"));
        }
        let shape = &self.program.array(array).shape;
        for (dimension, extent) in extents.iter().zip(shape) {
            let known =
                extent.as_constant().is_some() || matches!(storage, Storage::Registers { .. });
            if *dimension == Dimension::RunTime && known {
                return Err(format!(
                    "`{name}` has no extent that is known at run time only"
                ));
            }
            if *dimension == Dimension::RunTime && self.schedule.buffer_of(array).is_none() {
                return Err(format!(
                    "`{name}` has an extent that is known at run time only, and no buffer"
                ));
            }
            let least = extent.as_constant().unwrap_or(usize::MAX);
            if dimension.kept().is_some_and(|places| places < least) {
                return Err(format!("`{name}` has more elements than places"));
            }
        }
        let vectors = self.schedule.width > 1;
        let moves = |subscript: &Affine| {
            let mut lanes = self.schedule.lane_loops().filter(|_| vectors);
            lanes.any(|lane| subscript.depends_on(lane))
        };
        let targets = self.program.equations.iter().map(|e| &e.target);
        let reads = self.reads.iter().flatten();
        for access in targets.chain(reads).filter(|a| a.array == array) {
            for (subscript, dimension) in access.subscripts.iter().zip(extents) {
                let shared = match *dimension {
                    Dimension::CONTRACTED => !lanes,
                    Dimension::Ring(depth) => !self.holds_vectors(depth, subscript),
                    Dimension::Kept(_) | Dimension::RunTime => {
                        matches!(storage, Storage::Registers { .. })
                    }
                };
                if shared && moves(subscript) {
                    return Err(format!(
                        "lanes are at different elements of `{name}`, and it holds one value for all"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Whether whole vectors of lanes lie together in a ring.
    fn holds_vectors(&self, depth: usize, subscript: &Affine) -> bool {
        let mut lanes = self.schedule.lane_loops();
        let lane = lanes.find(|lane| subscript.depends_on(*lane));
        lane.is_some_and(|lane| holds_vectors(depth, subscript, (lane, self.schedule.width)))
    }

    /// What takes turns in a buffer is in memory, and has the same places there.
    fn buffer(&self, at: usize, buffer: &[ArrayId]) -> Result {
        for array in buffer {
            let name = self.name(*array);
            let elements = buffer
                .iter()
                .map(|other| self.program.array(*other).element);
            let one_type = elements.collect::<HashSet<_>>().len() == 1;
            let halved = buffer.len() > 1 && self.schedule.is_halved(*array);
            let in_memory = matches!(
                self.schedule.storage_of(*array),
                Some(Storage::Memory { .. })
            );
            let once = self.schedule.buffer_of(*array) == Some(at)
                && buffer.iter().filter(|other| *other == array).count() == 1;
            if !one_type || halved || !in_memory || !once {
                return Err(format!("`{name}` cannot take turns in a buffer"));
            }
        }
        Ok(())
    }

    fn nodes(&mut self, nodes: &[Node]) -> Result {
        for node in nodes {
            match node {
                Node::Loop(inner) => self.one(inner)?,
                Node::Block(instances) => {
                    for instance in instances {
                        self.read(instance)?;
                        self.write(instance, true)?;
                    }
                }
                Node::Reduction {
                    instances, loops, ..
                } => self.reduction(instances, loops)?,
                Node::CopyOut(copy) => {
                    if copy.pipelined != Pipelined::No && !self.pipelined.contains(&copy.staged) {
                        let name = self.name(copy.staged);
                        return Err(format!("the copy of `{name}` is not in a loop over lanes"));
                    }
                    match self.schedule.storage_of(copy.staged) {
                        Some(Storage::Memory { .. }) => {}
                        _ => return Err("a staging array is not in memory".to_owned()),
                    }
                }
                Node::Advance(staged) if self.pipelined.contains(staged) => {}
                Node::Advance(staged) => {
                    let name = self.name(*staged);
                    return Err(format!("there is no copy of `{name}` to go on with"));
                }
                Node::Zero(array) => match self.schedule.storage_of(*array) {
                    Some(Storage::Memory { .. } | Storage::Registers { .. }) => {}
                    _ => {
                        return Err(format!(
                            "`{}` has no places to be zeroed",
                            self.name(*array)
                        ));
                    }
                },
            }
        }
        Ok(())
    }

    fn one(&mut self, inner: &Loop) -> Result {
        if inner.steps == Steps::Strips {
            return self.strips(inner);
        }
        if inner.start > 0 && self.strips.contains(&inner.index) {
            return Err("a loop leaves out values of a strip".to_owned());
        }
        if self.around.is_open(inner.index) {
            return Err("an index has two loops, one inside of the other".to_owned());
        }
        for (index, _) in &inner.with {
            if self.schedule.is_lane(inner.index) != self.schedule.is_lane(*index) {
                return Err("an index that moves along with lanes has lanes of its own".to_owned());
            }
            if self.around.is_open(*index) || inner.index == *index {
                return Err("an index that moves along has a loop already".to_owned());
            }
        }
        if self.schedule.is_lane(inner.index) && inner.steps != Steps::All {
            return Err(
                "lanes beyond the end of a loop are masked, not left to another".to_owned(),
            );
        }
        if pipelining::is_over_vectors(self.schedule, inner) {
            let copies = pipelining::copies(inner);
            self.pipelined = copies.map(|copy| copy.staged).collect();
            for copy in pipelining::copies(inner) {
                self.complete(&inner.body, copy)?;
            }
        }
        let times = match inner.steps {
            Steps::Rest => inner.step.saturating_sub(1),
            _ => 1,
        };
        for number in 0..times {
            let outside = self.defined.clone();
            self.around.enter(inner, number);
            self.nodes(&inner.body)?;
            self.around.leave();
            self.defined = outside;
        }
        if self.schedule.lanes == Some(inner.index) {
            self.pipelined.clear();
        }
        Ok(())
    }

    /// Loops over the values of a strip are in it, one beside the other.
    fn strips(&mut self, outer: &Loop) -> Result {
        let plain = outer.start == 0 && outer.step > 0;
        let before = self.strips.len();
        for index in std::iter::once(outer.index).chain(outer.with.iter().map(|(index, _)| *index))
        {
            let nested = self.around.is_open(index) || self.strips.contains(&index);
            if nested || !plain {
                return Err("strips are those of a whole loop".to_owned());
            }
            let vectors = outer.step.is_multiple_of(self.schedule.width);
            if self.schedule.is_lane(index) && !(vectors && outer.with.is_empty()) {
                return Err("strips of lanes are whole vectors of one loop".to_owned());
            }
            self.strips.push(index);
        }
        let outside = self.defined.clone();
        self.nodes(&outer.body)?;
        self.defined = outside;
        self.strips.truncate(before);
        Ok(())
    }

    /// What is copied of the same vector before all of it is staged is complete.
    fn complete(&self, body: &[Node], copy: &CopyOut) -> Result {
        let Pipelined::SameVector(parts) = &copy.pipelined else {
            return Ok(());
        };
        let said = parts.iter();
        let said = said.flat_map(|(times, elements)| std::iter::repeat_n(*elements, *times));
        let end = body
            .iter()
            .position(|node| matches!(node, Node::CopyOut(other) if other.staged == copy.staged));
        let before = &body[..end.unwrap_or(body.len())];
        let complete = ready(self.program, self.schedule, before, copy);
        let holds = complete.is_some_and(|complete| {
            said.clone().count() == complete.len()
                && said.zip(complete).all(|(said, complete)| said <= complete)
        });
        if holds {
            return Ok(());
        }
        let name = self.name(copy.staged);
        Err(format!(
            "parts of `{name}` are copied before they are complete"
        ))
    }

    fn reduction(&mut self, instances: &[Instance], loops: &[IndexId]) -> Result {
        if loops.iter().any(|index| self.around.is_open(*index)) {
            return Err("a sum runs over an index that has a loop around it".to_owned());
        }
        // The first term may be evaluated before the loop: at zero, or at the first value.
        for instance in instances {
            self.read(instance)?;
        }
        loops.iter().for_each(|i| self.around.enter_sum(*i, 0));
        for instance in instances {
            self.read(instance)?;
        }
        loops.iter().for_each(|_| self.around.leave());
        for instance in instances {
            self.write(instance, false)?;
        }
        Ok(())
    }

    fn read(&self, instance: &Instance) -> Result {
        let Some(reads) = self.reads.get(instance.equation) else {
            return Err(format!("there is no equation {}", instance.equation));
        };
        for access in reads {
            match self.schedule.storage_of(access.array) {
                None => {
                    let name = self.name(access.array);
                    return Err(format!("`{name}` has no storage"));
                }
                Some(Storage::Register { .. }) => {
                    let element = self.around.element(access, &instance.offsets);
                    let between = self.around.between(&element, self.schedule.width);
                    let has = |element| self.defined.contains(&(access.array, element));
                    if !has(element) && !between.is_some_and(|(both, _)| both.into_iter().all(has))
                    {
                        let name = self.name(access.array);
                        return Err(format!(
                            "`{name}` is read before it is written: no variable that is visible holds this element"
                        ));
                    }
                }
                Some(Storage::Registers { extents, .. }) => {
                    self.place(access, instance, extents)?;
                }
                Some(Storage::Memory { .. }) => {}
            }
        }
        Ok(())
    }

    fn place(&self, access: &Access, instance: &Instance, extents: &[Dimension]) -> Result {
        match self.around.place(access, &instance.offsets, extents) {
            Some(_) => Ok(()),
            None => Err(format!(
                "`{}` is in registers, and which one is not the same in every iteration: unroll the loop by a multiple of the ring's depth",
                self.name(access.array)
            )),
        }
    }

    /// `in_place`: the instance's value goes to the target by itself, not at the end of loops.
    fn write(&mut self, instance: &Instance, in_place: bool) -> Result {
        let equation = &self.program.equations[instance.equation];
        let target = &equation.target;
        let partial = in_place && !equation.reduction.is_empty();
        if partial && !equation.reduction.iter().all(|i| self.around.is_open(*i)) {
            return Err(format!(
                "a sum to `{}` has no loop",
                self.name(target.array)
            ));
        }
        match self.schedule.storage_of(target.array) {
            Some(Storage::Register { .. }) => {
                let element = self.around.element(target, &instance.offsets);
                let key = (target.array, element);
                // A sum begins with one variable, and is another one.
                let begins = begins_with_target(self.program, instance.equation);
                let known = !in_place && begins && self.defined.contains(&key);
                if partial || (equation.operator.accumulated().is_some() && !known) {
                    let name = self.name(target.array);
                    return Err(format!("`{name}` is defined once, nothing is added to it"));
                }
                self.defined.insert(key);
                Ok(())
            }
            Some(Storage::Registers { extents, .. }) => self.place(target, instance, extents),
            Some(Storage::Memory { .. }) => Ok(()),
            None if matches!(self.program.array(target.array).role, Role::Temporary) => {
                Err(format!("`{}` has no storage", self.name(target.array)))
            }
            None => Ok(()),
        }
    }
}
