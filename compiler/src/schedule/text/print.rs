//! Schedules as text.

use crate::ir::text::names::Names;
use crate::ir::{Affine, ArrayId, Combining, IndexId, Program};
use crate::schedule::tree::{
    CopyOut, Dimension, Instance, Loop, Node, Pipelined, Schedule, Steps, Storage, offset,
};

/// The text of a schedule. It parses back, and the same schedule always has the same text.
pub fn print(program: &Program, schedule: &Schedule) -> String {
    let mut printer = Printer {
        program,
        names: Names::new(program),
        open: Vec::new(),
        out: format!("schedule width {}", schedule.width),
    };
    if let Some(lanes) = schedule.lanes {
        let lanes = printer.names.index(lanes).to_owned();
        printer.out.push_str(&format!(" lanes {lanes}"));
        for other in &schedule.others {
            let other = printer.names.index(*other).to_owned();
            printer.out.push_str(&format!(", {other}"));
        }
    }
    printer.out.push('\n');
    for (array, storage) in &schedule.storage {
        let name = printer.array(*array);
        let line = format!("store {name}: {}\n", stored(storage));
        printer.out.push_str(&line);
    }
    for buffer in &schedule.buffers {
        let names: Vec<String> = buffer.iter().map(|array| printer.array(*array)).collect();
        printer
            .out
            .push_str(&format!("buffer {}\n", names.join(", ")));
    }
    if !schedule.body.is_empty() {
        printer.out.push('\n');
    }
    printer.nodes(&schedule.body, 0);
    printer.out
}

fn stored(storage: &Storage) -> String {
    let (place, lanes) = match storage {
        Storage::Register { lanes } => ("register".to_owned(), *lanes),
        Storage::Registers { extents, lanes } => {
            (format!("registers[{}]", dimensions(extents)), *lanes)
        }
        Storage::Memory { extents, lanes } => (format!("memory[{}]", dimensions(extents)), *lanes),
    };
    match lanes {
        true => format!("{place} lanes"),
        false => place,
    }
}

fn dimensions(extents: &[Dimension]) -> String {
    let one = |dimension: &Dimension| match dimension {
        Dimension::Kept(n) => n.to_string(),
        Dimension::RunTime => "run".to_owned(),
        &Dimension::CONTRACTED => "_".to_owned(),
        Dimension::Ring(depth) => format!("ring {depth}"),
    };
    let texts: Vec<String> = extents.iter().map(one).collect();
    texts.join(", ")
}

struct Printer<'p> {
    program: &'p Program,
    names: Names,
    /// Indices of the loops around.
    open: Vec<IndexId>,
    out: String,
}

impl Printer<'_> {
    fn array(&self, array: ArrayId) -> String {
        let name = self.names.arrays.get(array.0 as usize);
        name.map_or("?".to_owned(), Clone::clone)
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.out
            .push_str(&format!("{}{text}\n", "  ".repeat(depth)));
    }

    fn nodes(&mut self, nodes: &[Node], depth: usize) {
        for node in nodes {
            match node {
                Node::Loop(inner) => self.one(inner, depth),
                Node::Block(instances) => self.instances("block", instances, depth),
                Node::Reduction {
                    instances,
                    loops,
                    chains,
                } => {
                    let head = match loops.is_empty() {
                        true => "reduce".to_owned(),
                        false => format!("reduce {}", self.names.list(loops)),
                    };
                    let head = match chains {
                        1 => head,
                        _ => format!("{head} chains {chains}"),
                    };
                    let count = self.open.len();
                    self.open.extend(loops);
                    self.instances(&head, instances, depth);
                    self.open.truncate(count);
                }
                Node::CopyOut(copy) => self.copy(copy, depth),
                Node::Advance(staged) => {
                    let line = format!("advance {}", self.array(*staged));
                    self.line(depth, &line);
                }
                Node::Zero(array) => {
                    let line = format!("zero {}", self.array(*array));
                    self.line(depth, &line);
                }
            }
        }
    }

    fn one(&mut self, inner: &Loop, depth: usize) {
        let index = self.names.index(inner.index);
        let end = self.names.extent(&inner.end);
        let mut head = format!("loop {index} in {}..{end}", inner.start);
        if inner.step != 1 {
            head.push_str(&format!(" step {}", inner.step));
        }
        match inner.steps {
            Steps::All => {}
            Steps::Whole => head.push_str(" whole"),
            Steps::Rest => head.push_str(" rest"),
            Steps::Once => head.push_str(" once"),
            Steps::Strips => head.push_str(" strips"),
            Steps::First(most) => head.push_str(&format!(" first {most}")),
            Steps::Last(most) => head.push_str(&format!(" last {most}")),
            Steps::Skewed { over, by } => {
                head.push_str(&format!(" skewed {by} over {}", self.names.index(over)));
            }
        }
        if !inner.with.is_empty() {
            head.push_str(&format!(" with {}", self.moved(&inner.with)));
        }
        if inner.body.is_empty() {
            return self.line(depth, &format!("{head} {{}}"));
        }
        self.line(depth, &format!("{head} {{"));
        let count = self.open.len();
        self.open.push(inner.index);
        self.open.extend(inner.with.iter().map(|(index, _)| *index));
        self.nodes(&inner.body, depth + 1);
        self.open.truncate(count);
        self.line(depth, "}");
    }

    fn copy(&mut self, copy: &CopyOut, depth: usize) {
        let mut line = format!("copy {}", self.array(copy.staged));
        match &copy.pipelined {
            Pipelined::No => {}
            Pipelined::NextVector => line.push_str(" pipelined"),
            Pipelined::SameVector(parts) => {
                let parts = parts.iter().map(|(times, n)| format!("{times} * {n}"));
                let parts: Vec<String> = parts.collect();
                line.push_str(&format!(" ready {}", parts.join(", ")));
            }
        }
        if let Some(places) = &copy.places {
            line.push_str(&format!(" at {}", self.names.affine(places)));
        }
        if !copy.loops.is_empty() {
            line.push_str(&format!(" over {}", self.names.list(&copy.loops)));
        }
        let target = self.names.access(&copy.target);
        let operator = copy.accumulate.map_or("=", Combining::symbol);
        self.line(depth, &format!("{line} into {target} {operator}"));
    }

    fn instances(&mut self, head: &str, instances: &[Instance], depth: usize) {
        if instances.is_empty() {
            return self.line(depth, &format!("{head} {{}}"));
        }
        self.line(depth, &format!("{head} {{"));
        let texts: Vec<String> = instances.iter().map(|i| self.instance(i)).collect();
        let width = texts.iter().map(|t| t.chars().count()).max().unwrap_or(0);
        for (text, instance) in texts.iter().zip(instances) {
            let line = match self.computed(instance) {
                Some(comment) => format!("{text:width$}   // {comment}"),
                None => text.clone(),
            };
            self.line(depth + 1, &line);
        }
        self.line(depth, "}");
    }

    fn instance(&self, instance: &Instance) -> String {
        match instance.offsets.is_empty() {
            true => format!("eq {}", instance.equation),
            false => format!(
                "eq {} @ {}",
                instance.equation,
                self.moved(&instance.offsets)
            ),
        }
    }

    /// `i+0, j+4`.
    fn moved(&self, offsets: &[(IndexId, usize)]) -> String {
        let one =
            |(index, offset): &(IndexId, usize)| format!("{}+{offset}", self.names.index(*index));
        let texts: Vec<String> = offsets.iter().map(one).collect();
        texts.join(", ")
    }

    /// What an instance writes, for reading only.
    fn computed(&self, instance: &Instance) -> Option<String> {
        let equation = self.program.equations.get(instance.equation)?;
        let value = |index: IndexId| {
            let offset = Affine::constant(offset(&instance.offsets, index) as i64);
            match self.open.contains(&index) {
                true => Affine::index(index).add(&offset),
                false => offset,
            }
        };
        let target = equation.target.substitute(&value);
        let operator = equation.operator.accumulated();
        let operator = operator.map_or("=", Combining::symbol);
        Some(format!("{} {operator}", self.names.access(&target)))
    }
}
