//! Printing copies of what the same vector of lanes has staged already, in loops with its later sums.

use super::lines::Rows;
use super::printer::Printer;
use super::transpose::Network;
use crate::ir::ArrayId;
use crate::schedule::pipelining::copies;
use crate::schedule::runs::Run;
use crate::schedule::tree::{CopyOut, Loop, Pipelined};

/// The names of a copy that is begun before all is staged.
#[derive(Clone)]
pub struct Begun {
    /// Whether it is.
    begun: String,
    /// The next element to be copied.
    at: String,
    /// How often it was gone on with.
    times: String,
    /// The table of how many elements are complete each time.
    ready: String,
    /// Where each lane's elements go.
    rows: Rows,
}

impl Printer<'_> {
    /// What a step of the loop over vectors begins with: nothing is copied yet.
    pub fn begin_same_vector(&mut self, inner: &Loop) {
        for copy in copies(inner) {
            let Pipelined::SameVector(parts) = &copy.pipelined else {
                continue;
            };
            let Some((run, _)) = self.run_in_squares(copy) else {
                continue;
            };
            self.offsets_of(&run);
            let names = ["begun", "at", "times", "ready"].map(|base| self.fresh(base));
            let [begun, at, times, ready] = names;
            let ready = ready.to_uppercase();
            let complete = parts.iter();
            let complete: Vec<String> = complete
                .flat_map(|(times, elements)| std::iter::repeat_n(elements.to_string(), *times))
                .collect();
            self.line(&format!(
                "static {ready}: [u32; {}] = [{}];",
                complete.len(),
                complete.join(", ")
            ));
            let rows = self.lane_rows(copy, &run, |lane, first| {
                format!("{first}.wrapping_add({lane})")
            });
            let rows = self.rows(copy, &run, rows);
            self.line(&format!(
                "let mut {begun} = false; let mut {at} = 0usize; let mut {times} = 0usize;"
            ));
            let names = Begun {
                begun,
                at,
                times,
                ready,
                rows,
            };
            self.begun.insert(copy.staged, names);
        }
    }

    /// Goes on with a copy, if it is one of these: a partial vector's stands at its end.
    pub fn advance_same_vector(&mut self, copy: &CopyOut) {
        let Some((run, network, names)) = self.begun_copy(copy) else {
            return;
        };
        let Begun {
            begun,
            at,
            times,
            ready,
            rows,
        } = &names;
        let (width, complete) = (self.unit.width, self.fresh("complete"));
        let whole = self.is_whole_vector();
        self.line(&format!(
            "let {complete} = if {whole} {{ *{ready}.as_ptr().add({times}) as usize }} else {{ 0 }}; \
             {times} += 1; \
             if {begun} {{ if {at} + {width} <= {complete} {{"
        ));
        let source = self.pointer(copy.staged);
        self.square(copy, &run, (&source, rows, at), &network);
        // What is before the first step is less than two registers.
        self.line(&format!(
            "{at} += {width}; }} }} else if {} <= {complete} {{",
            2 * width
        ));
        let start = self.before_lines(copy, &run, (&source, rows));
        self.line(&format!("{at} = {start}; {begun} = true; }}"));
    }

    /// Copies what is left.
    pub fn copy_same_vector(&mut self, copy: &CopyOut) {
        let Some((run, network, names)) = self.begun_copy(copy) else {
            return self.copy_out(copy);
        };
        let Begun {
            begun, at, rows, ..
        } = &names;
        let source = self.pointer(copy.staged);
        let whole = self.is_whole_vector();
        self.line(&format!("if {whole} {{ if !{begun} {{"));
        let start = self.before_lines(copy, &run, (&source, rows));
        self.line(&format!("{at} = {start}; }}"));
        self.squares(copy, &run, (&source, rows, at), &network);
        self.after_lines(copy, &run, (&source, rows, at));
        self.line("} else {");
        let active = self.active_lanes();
        self.copy_active(copy, &run, (&source, &active), &network);
        self.line("}");
    }

    fn is_whole_vector(&self) -> String {
        format!("{} == {}", self.active_lanes(), self.unit.width)
    }

    /// A run that is copied in squares, with their network.
    fn run_in_squares(&self, copy: &CopyOut) -> Option<(Run, Network)> {
        let run = Run::of(self.program, self.schedule, copy)?;
        let network = self.network(copy, &run)?;
        Some((run, network))
    }

    fn begun_copy(&self, copy: &CopyOut) -> Option<(Run, Network, Begun)> {
        let (run, network) = self.run_in_squares(copy)?;
        let array: ArrayId = copy.staged;
        Some((run, network, self.begun.get(&array)?.clone()))
    }
}
