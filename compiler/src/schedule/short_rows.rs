//! Rows that are too short for lanes to pay.
//!
//! Where lanes run over a loop of run-time length inside of another one, each iteration of the latter, a row, takes what
//! a vector takes at least, and more that does not depend on how long it is: lanes that are added up become one number, the end
//! of what is updated in place is stored in parts of a vector, what is stored lane by lane waits in memory for its vector,
//! and what is added up in memory waits for the row before.
//! One number after the other, as the text has it, takes less where a row has few of them. How many these are, the cost
//! model says: where a vector takes long, as one does that is gathered, a few elements behind a whole one may take longer
//! than all elements one by one.

use std::fmt;

use super::tree::{Instance, Loop, Node, Schedule, Steps, copies, offset};
use super::{model, overlaid};
use crate::ir::{Affine, ArrayId, IndexId, Program};
use crate::machine::{OVERLAID, THROUGH_MEMORY};
use crate::syntax::ast::IsaName;

/// Loops for which another variant runs, with fewer lanes, or the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Short {
    /// The lengths of all of them, each of which is below [`least`](Self::least).
    pub lengths: Vec<Affine>,
    /// From how many elements on lanes pay.
    pub least: usize,
    /// What runs.
    pub instead: Instead,
}

/// What runs where loops are short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instead {
    /// The variant for an instruction set.
    Variant(IsaName),
    /// The text, compiled for the instruction set at hand.
    Text,
}

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Short { least, instead, .. } = self;
        let instead = match instead {
            Instead::Variant(isa) => format!("variant for {}", isa.name()),
            Instead::Text => "text".to_owned(),
        };
        write!(
            f,
            "where loops along the lanes have less than {least} iterations, the {instead} runs"
        )
    }
}

/// Cycles in which a half of a vector is taken apart from the other, and added to it or stored, for each time a vector can
/// be halved.
pub(super) const HALF: f64 = 2.0;

/// Vectors of a row that is looked at: longer ones have lanes.
const VECTORS: usize = 2;

/// For which rows one number after the other takes less than lanes, if there are any.
#[must_use]
pub fn short_rows(program: &Program, schedule: &Schedule) -> Option<Short> {
    if schedule.width == 1 {
        return None;
    }
    let all = Rows::of(program, schedule, false);
    if !all.nested || all.known || all.element <= 0.0 {
        return None;
    }
    // Where rows take a step together, as few rows as elements are all left over by that.
    let left = together(&schedule.body).map(|rows| {
        let alone = Rows::of(program, schedule, true);
        alone.least().min(rows)
    });
    let least = all.least().max(left.unwrap_or(1));
    (least > 1).then_some(Short {
        lengths: all.lengths,
        least,
        instead: Instead::Variant(IsaName::Scalar),
    })
}

/// The rows of the longest step that rows take together, if any do.
fn together(nodes: &[Node]) -> Option<usize> {
    let loops = nodes.iter().filter_map(|node| match node {
        Node::Loop(l) => Some(l),
        _ => None,
    });
    let own = loops.map(|l| match l.steps {
        Steps::Whole => Some(l.step),
        _ => together(&l.body),
    });
    own.flatten().max()
}

struct Rows<'a> {
    program: &'a Program,
    schedule: &'a Schedule,
    /// Rows are those that whole steps leave, and not those that these take.
    left: bool,
    lengths: Vec<Affine>,
    /// Some of these loops are inside of others of run-time length.
    nested: bool,
    /// Lanes run over a loop of known length, too.
    known: bool,
    /// What has been stored so far.
    stored: Vec<ArrayId>,
    /// The loop around.
    around: Option<IndexId>,
    /// Cycles of a row, however long it is.
    row: f64,
    /// More of them where its elements fill no vector.
    end: f64,
    /// Cycles of a vector of it.
    vector: f64,
    /// Cycles of an element of it, one after the other.
    element: f64,
}

impl<'a> Rows<'a> {
    fn of(program: &'a Program, schedule: &'a Schedule, left: bool) -> Rows<'a> {
        let mut found = Rows {
            program,
            schedule,
            left,
            lengths: Vec::new(),
            nested: false,
            known: false,
            stored: Vec::new(),
            around: None,
            row: 0.0,
            end: 0.0,
            vector: 0.0,
            element: 0.0,
        };
        found.nodes(&schedule.body, None);
        found
    }

    /// From how many elements on rows take less in lanes: all that are longer, and the next ones in the mean.
    fn least(&self) -> usize {
        let width = self.schedule.width;
        let saved = |count: usize| {
            let end = if count.is_multiple_of(width) {
                0.0
            } else {
                self.end
            };
            let vectors = self.vector * count.div_ceil(width) as f64;
            self.row + end + vectors - self.element * count as f64
        };
        let fitting = (self.row + self.end + self.vector) / self.element;
        let shorter = (fitting.ceil() as usize).min(width);
        let (mut gained, mut most, mut least) = (0.0, 0.0, shorter);
        for count in shorter..VECTORS * width {
            gained += saved(count);
            if gained > most {
                (most, least) = (gained, count + 1);
            }
        }
        least
    }

    /// Adds what nodes take, which run so often inside of a loop of run-time length, if there is one around them.
    fn nodes(&mut self, nodes: &[Node], inside: Option<f64>) {
        for node in nodes {
            match node {
                Node::Loop(l) if self.schedule.is_lane(l.index) && l.steps != Steps::Strips => {
                    self.lanes(l, inside);
                }
                Node::Loop(l) => {
                    let around = self.around.replace(l.index);
                    self.nodes(&l.body, self.inside(l, inside));
                    self.around = around;
                }
                Node::Reduction {
                    instances, loops, ..
                } if self.is_across(loops) => {
                    self.row += inside.unwrap_or(0.0) * self.halves() * instances.len() as f64;
                }
                _ => {}
            }
        }
    }

    /// How often the body of a loop runs, inside of a loop of run-time length: rows are those that whole steps take, where
    /// other loops have what these leave, or these others.
    fn inside(&self, l: &Loop, around: Option<f64>) -> Option<f64> {
        let often = match (l.steps, self.left) {
            (Steps::Rest, false) | (Steps::Whole, true) => 0.0,
            _ => model::steps(self.program, l),
        };
        let steps = matches!(l.steps, Steps::All | Steps::Whole | Steps::Rest);
        let of_rows = steps && l.end.run_time().is_some();
        match around {
            Some(around) => Some(around * often),
            None => of_rows.then_some(often),
        }
    }

    fn is_across(&self, loops: &[IndexId]) -> bool {
        matches!(loops, [lane] if self.schedule.is_lane(*lane))
    }

    /// Cycles in which lanes are taken apart, half by half, and added up.
    fn halves(&self) -> f64 {
        HALF * (self.schedule.width as f64).log2()
    }

    fn lanes(&mut self, l: &Loop, inside: Option<f64>) {
        let Some(length) = l.end.run_time() else {
            self.known = true;
            return;
        };
        if !self.lengths.contains(length) {
            self.lengths.push(length.clone());
        }
        let Some(often) = inside else {
            return;
        };
        self.nested = true;
        let own = first(&l.body, l.index);
        self.ends(&own, self.around, often);
        let one = Schedule {
            width: 1,
            ..self.schedule.clone()
        };
        self.vector += often * model::cycles(self.program, self.schedule, &own);
        for copy in copies(&l.body) {
            let copy = [Node::CopyOut(copy.clone())];
            let copy = model::cycles(self.program, self.schedule, &copy);
            self.vector += often * (THROUGH_MEMORY + copy);
        }
        self.element += often * model::cycles(self.program, &one, &own).max(1.0);
    }

    /// Adds what the ends of rows take that nodes store, which run so often in a loop.
    fn ends(&mut self, nodes: &[Node], around: Option<IndexId>, often: f64) {
        for node in nodes {
            match node {
                Node::Loop(l) => {
                    let often = often * model::steps(self.program, l);
                    self.ends(&l.body, Some(l.index), often);
                }
                Node::Block(all) | Node::Reduction { instances: all, .. } => {
                    for own in all {
                        self.end += often * self.of_end(own, around);
                    }
                }
                Node::CopyOut(_) | Node::Advance(_) | Node::Zero(_) => {}
            }
        }
    }

    /// Cycles that the end of a row takes where an equation stores it.
    fn of_end(&mut self, own: &Instance, around: Option<IndexId>) -> f64 {
        let equation = &self.program.equations[own.equation];
        let target = &equation.target;
        let lane = self.schedule.lane_of(equation);
        if self.schedule.storage_of(target.array).is_some()
            || !lane.is_some_and(|lane| target.depends_on(lane))
        {
            return 0.0;
        }
        if equation.operator.accumulated().is_some() {
            return overlaid::added_to(self.program, self.schedule, own, around);
        }
        let memory = self.program.viewed(target.array);
        let reads = self.program.pool.accesses([equation.expr]).into_iter();
        let reads: Vec<ArrayId> = reads
            .map(|(_, access)| self.program.viewed(access.array))
            .collect();
        // What was stored in parts is not handed on to a load of all of them.
        let waits = reads.iter().any(|read| self.stored.contains(read));
        self.stored.push(memory);
        let waits = if waits { 2.0 * OVERLAID } else { 0.0 };
        let parts = if reads.contains(&memory) {
            overlaid::in_halves(self.schedule)
        } else {
            0.0
        };
        waits + parts
    }
}

/// What nodes compute in the first vector of a step along the lanes, sums in registers too, without what copies it from there.
fn first(nodes: &[Node], lane: IndexId) -> Vec<Node> {
    let of = |all: &[Instance]| -> Vec<Instance> {
        let own = all.iter().filter(|own| offset(&own.offsets, lane) == 0);
        own.cloned().collect()
    };
    let own = nodes.iter().filter_map(|node| match node {
        Node::Block(all) => Some(Node::Block(of(all))),
        Node::Reduction {
            instances,
            loops,
            chains,
        } => Some(Node::Reduction {
            instances: of(instances),
            loops: loops.clone(),
            chains: *chains,
        }),
        Node::Loop(l) => Some(Node::Loop(Loop {
            body: first(&l.body, lane),
            ..l.clone()
        })),
        Node::CopyOut(_) | Node::Advance(_) | Node::Zero(_) => None,
    });
    own.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;
    use crate::schedule::{Target, Wishes, schedule};

    fn least(program: &str) -> Option<usize> {
        least_of(&text::parse(program).unwrap())
    }

    fn least_of(program: &Program) -> Option<usize> {
        let target = Target {
            width: 8,
            registers: 32,
        };
        let scheduled = schedule(program, target, &Wishes::default()).unwrap();
        let rows = short_rows(&scheduled.program, &scheduled.schedule)?;
        assert_eq!(rows.lengths.len(), 1);
        Some(rows.least)
    }

    #[test]
    fn what_rows_take_beside_their_elements_says_how_short_they_may_be() {
        let arrays = "index r: len(y)\nindex c: n\n\nparam 0 n: usize\nparam 1 x: f64[len(x), n]\n";
        let elements = format!(
            "program p\n\n{arrays}output 2 y: f64[len(y), n]\n\ny[r, c] = 2 * x[r, c]   for r, c"
        );
        assert_eq!(least(&elements), None);
        let sums = format!(
            "program p\n\n{arrays}output 2 y: f64[len(y)]\n\ny[r] = sum(c) x[r, c]   for r"
        );
        assert!(matches!(least(&sums), Some(5..=8)), "{:?}", least(&sums));
        // Rows of these are loaded four by four, and fewer than four rows one by one.
        let columns = "program p\n\nindex r: len(x)\nindex c: n\n\nparam 0 n: usize\nparam 1 x: f64[len(x), n]\n\
                       output 2 y: f64[len(y), len(x)]\n\ny[c, r] = x[r, c]   for r, c";
        assert_eq!(least(columns), Some(4));
        let gathered = "program p\n\nindex r: len(y)\nindex c: n\n\nparam 0 n: usize\nparam 1 x: f64[len(x)]\n\
                        param 2 m: u32[len(m), n]\noutput 3 y: f64[len(y), n]\n\n\
                        y[r, c] = x[m[r, c]]   for r, c";
        assert_eq!(least(gathered), Some(16));
        // What is summed up of the columns takes longer than to store them, and pays sooner.
        let product = "program p\n\nindex r: n\nindex c: n\nindex k: n\n\nparam 0 n: usize\nparam 1 x: f64[n, n]\n\
                       param 2 m: f64[n, n]\noutput 3 y: f64[n, n]\ntemp t: f64[n, n]\n\n\
                       t[c, r] = x[r, c]   for r, c\ny[r, c] = sum(k) m[r, k] * t[k, c]   for r, c";
        assert!(
            least(product).is_none_or(|least| least < 8),
            "{:?}",
            least(product)
        );
        let flat = "program p\n\nindex i: len(y)\n\nparam 0 x: f64[len(x)]\noutput 1 y: f64[len(y)]\n\ny[i] = x[i]   for i";
        assert_eq!(least(flat), None);
    }

    #[test]
    fn rows_of_their_own_wait_for_no_others() {
        let added = |target: &str| {
            let program = format!(
                "program p\n\nindex r: len(x)\nindex c: n\n\nparam 0 n: usize\nparam 1 x: f64[len(x), n]\n\
                 output 2 y: f64[len(x), n]\noutput 3 s: f64[n]\n\n\
                 {target} += x[r, c]   for r, c\n{target} += x[r, c] * x[r, c]   for r, c"
            );
            let mut program = text::parse(&program).unwrap();
            // What takes turns stays in the order of the text, in memory.
            program.exact = true;
            least_of(&program)
        };
        let [own, same] = ["y[r, c]", "s[c]"].map(added);
        assert!(matches!(own, Some(2..=6)), "{own:?}");
        assert_eq!(same, Some(16));
    }
}
