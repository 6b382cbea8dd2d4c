//! Printing copies of what the vector of lanes before has staged.

use super::lines::Rows;
use super::printer::Printer;
use super::transpose::Network;
use crate::ir::ArrayId;
use crate::schedule::pipelining::copies;
use crate::schedule::runs::Run;
use crate::schedule::tree::{CopyOut, Loop};

/// The names of a pipelined copy.
#[derive(Clone)]
pub struct Pipelined {
    /// The half of the staging array that the vector before has written.
    before: String,
    /// The next element to be copied.
    at: String,
    /// Where each lane's elements go.
    rows: Rows,
}

impl Printer<'_> {
    /// Names the second half of a staging array.
    pub fn halve(&mut self, array: ArrayId, half: usize) {
        let names = Pipelined {
            before: self.fresh("before"),
            at: self.fresh("at"),
            rows: Rows::default(),
        };
        let (before, pointer) = (&names.before, self.pointer(array));
        self.line(&format!("let mut {before} = {pointer}.add({half});"));
        self.pipelined.insert(array, names);
    }

    /// What a step of the loop over vectors begins with: nothing is copied yet of what the one before
    /// has left. Before the first one there is none.
    pub fn begin_pipelined(&mut self, inner: &Loop) {
        self.begin_same_vector(inner);
        let (vector, width) = (self.names[&inner.index].clone(), self.unit.width);
        for copy in copies(inner) {
            let Some((run, _, mut names)) = self.pipelined_copy(copy) else {
                continue;
            };
            self.offsets_of(&run);
            let rows = self.lane_rows(copy, &run, |lane, first| {
                format!("{first}.wrapping_sub({})", width - lane)
            });
            names.rows = self.rows(copy, &run, rows);
            let at = &names.at;
            self.line(&format!(
                "let mut {at} = {}usize; if {vector} != 0 {{",
                run.count
            ));
            let start = self.before_lines(copy, &run, (&names.before, &names.rows));
            self.line(&format!("{at} = {start}; }}"));
            self.pipelined.insert(copy.staged, names);
        }
    }

    /// Goes on with a copy.
    pub fn advance(&mut self, staged: ArrayId) {
        let copies = self.schedule.copies().into_iter();
        for copy in copies.filter(|copy| copy.staged == staged) {
            let Some((run, network, names)) = self.pipelined_copy(copy) else {
                self.advance_same_vector(copy);
                continue;
            };
            let (at, width) = (&names.at, self.unit.width);
            self.line(&format!("if {at} + {width} <= {} {{", run.count));
            self.square(copy, &run, (&names.before, &names.rows, at), &network);
            self.line(&format!("{at} += {width}; }}"));
        }
    }

    /// Copies what is left of the vector before, and turns the halves.
    pub fn copy_pipelined(&mut self, copy: &CopyOut) {
        let Some((run, network, names)) = self.pipelined_copy(copy) else {
            return self.copy_same_vector(copy);
        };
        let (at, staged) = (&names.at, self.pointer(copy.staged));
        let vector = self.schedule.lanes.map(|lane| self.names[&lane].clone());
        let before = (names.before.as_str(), &names.rows, at.as_str());
        self.squares(copy, &run, before, &network);
        self.line(&format!("if {} != 0 {{", vector.unwrap_or_default()));
        self.after_lines(copy, &run, before);
        self.line("}");
        self.line(&format!(
            "::core::mem::swap(&mut {staged}, &mut {});",
            names.before
        ));
    }

    /// The pointers to each lane's first element, in a cell that may not be there; `cell` gives its
    /// number, by a lane and the number of the first one of this vector.
    pub fn lane_rows(
        &mut self,
        copy: &CopyOut,
        run: &Run,
        cell: impl Fn(usize, &str) -> String,
    ) -> Vec<String> {
        let target = self.pointer(copy.target.array);
        let first = self.schedule.lanes.map(|lane| self.names[&lane].clone());
        let first = first.unwrap_or_default();
        let row = |printer: &mut Self, lane: usize| {
            let cell = cell(lane, &first);
            let row = format!("{target}.wrapping_add({cell}.wrapping_mul({}))", run.count);
            printer.name("row", &row)
        };
        (0..self.unit.width).map(|lane| row(self, lane)).collect()
    }

    /// After the loop over vectors: what the last one has left.
    pub fn drain_pipelined(&mut self, inner: &Loop) {
        let (vector, width) = (self.names[&inner.index].clone(), self.unit.width);
        for copy in copies(inner) {
            let Some((run, _, names)) = self.pipelined_copy(copy) else {
                continue;
            };
            let active = self.fresh("active");
            self.line(&format!(
                "if {vector}_end != 0 {{ let {vector} = ({vector}_end - 1) / {width} * {width}; \
                 let {active} = {vector}_end - {vector};"
            ));
            self.offsets_of(&run);
            self.copy_run(copy, &run, &names.before, &active);
            self.line("}");
        }
    }

    /// What is needed to print a pipelined copy. Where a square cannot be transposed nothing is left to
    /// the next vector.
    fn pipelined_copy(&self, copy: &CopyOut) -> Option<(Run, Network, Pipelined)> {
        let run = Run::of(self.program, self.schedule, copy)?;
        let network = self.network(copy, &run)?;
        Some((run, network, self.pipelined.get(&copy.staged)?.clone()))
    }
}
