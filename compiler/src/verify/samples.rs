//! Which iterations of long loops are interpreted.
//!
//! Loops that belong together (`Loops`) run the same iterations, so that what one of them writes another
//! reads. The first input takes the first iterations, the second one the last, others any: tables that a
//! pass has made are read at more and more of their entries. A loop that a pass split into parts runs, in
//! the text, what the parts run.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::shrink::{Loops, Runs, TextLoop};
use crate::collections::HashMap;
use crate::ir::{IndexId, Part, Program};

/// Most iterations of loops that are not kept whole.
pub const FEW: usize = 4;

/// Which iterations of a loop run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Iterations {
    /// The first ones.
    First(usize),
    /// These.
    Listed(Rc<[usize]>),
}

impl Iterations {
    /// All of them.
    pub const ALL: Iterations = Iterations::First(usize::MAX);

    /// Their numbers, of a loop that has `count`.
    pub fn of(&self, count: usize) -> Rc<[usize]> {
        match self {
            Iterations::First(most) => (0..count.min(*most)).collect(),
            Iterations::Listed(listed) => listed.clone(),
        }
    }
}

/// The iterations for one of the inputs.
pub struct Samples<'a> {
    loops: &'a Loops,
    at: usize,
    /// Those of each class, once they are known.
    known: RefCell<HashMap<usize, Iterations>>,
}

impl<'a> Samples<'a> {
    /// For the input of number `at`.
    pub fn new(at: usize, loops: &'a Loops) -> Samples<'a> {
        Samples {
            loops,
            at,
            known: RefCell::default(),
        }
    }

    /// The iterations of a program's loop of known length.
    pub fn of(&self, index: IndexId) -> Iterations {
        let (class, runs) = self.loops.runs(index);
        self.run(class, runs)
    }

    /// The iterations of a loop of the text.
    pub fn of_text(&self, own: TextLoop) -> Iterations {
        let (class, runs) = self.loops.runs_text(own);
        self.run(class, runs)
    }

    fn run(&self, class: usize, runs: Runs) -> Iterations {
        if runs == Runs::Whole {
            return Iterations::ALL;
        }
        if let Some(known) = self.known.borrow().get(&class) {
            return known.clone();
        }
        let found = self.found(class, runs);
        self.known.borrow_mut().insert(class, found.clone());
        found
    }

    fn found(&self, class: usize, runs: Runs) -> Iterations {
        let Some(count) = self.loops.length(class) else {
            return Iterations::ALL;
        };
        let few = self.loops.few;
        match (runs, self.at) {
            (Runs::Whole, _) => Iterations::ALL,
            (Runs::Parts(parts), _) => {
                let of_part = |(class, part): &(usize, Part)| {
                    let (class, runs) = self.loops.runs_of(*class);
                    let count = self.loops.length(class).unwrap_or(0);
                    let values = self.run(class, runs).of(count);
                    part.iterations(&values).collect::<Vec<_>>()
                };
                let all: BTreeSet<usize> = parts.iter().flat_map(of_part).collect();
                Iterations::Listed(all.into_iter().collect())
            }
            _ if count <= few => Iterations::ALL,
            (Runs::First, _) | (_, 0) => Iterations::First(few),
            (_, 1) => Iterations::Listed((count - few..count).collect()),
            // Each class its own ones.
            (_, at) => Iterations::Listed(spread((at + class) * few, few, count)),
        }
    }

    /// Whether a program's loops have run all iterations with this input and those before it.
    pub fn all(&self, program: &Program) -> bool {
        // Those that are spread may be the first and the last ones again.
        let run = self.loops.few * self.at.saturating_sub(1).max(self.at.min(1) + 1);
        self.loops.used(program).into_iter().all(|class| {
            let settled = !matches!(self.loops.runs_of(class).1, Runs::Any);
            settled || self.loops.length(class).is_none_or(|count| count <= run)
        })
    }
}

/// Some iterations of a loop, `first` of which others have had: they are as far apart as can be.
fn spread(first: usize, few: usize, count: usize) -> Rc<[usize]> {
    // A step near the golden section that has no divisor in common with the length meets each once.
    let coprime = |step: &usize| divisor(*step, count) == 1;
    let golden = (count as f64 * 0.618) as usize;
    let step = (golden.max(1)..).find(coprime).unwrap_or(1);
    let some = (first..first + few).map(|k| k * step % count);
    BTreeSet::from_iter(some).into_iter().collect()
}

/// The greatest common divisor.
fn divisor(a: usize, b: usize) -> usize {
    match b {
        0 => a,
        _ => divisor(b, a % b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;
    use crate::syntax::ast::{FunctionId, LoopId};

    fn loops(equations: &str) -> (Program, Loops) {
        let text = format!("program p\nindex a: 20\nindex b: 20\nindex k: 10\n{equations}");
        let program = text::parse(&text).unwrap();
        let loops = Loops::new(&program, &program, None);
        (program, loops)
    }

    fn listed(at: usize, loops: &Loops, index: u32) -> Vec<usize> {
        let samples = Samples::new(at, loops);
        let count = loops.length(loops.class(IndexId(index))).unwrap();
        samples.of(IndexId(index)).of(count).to_vec()
    }

    #[test]
    fn each_iteration_runs_with_some_input() {
        for count in 1..60 {
            let text = format!(
                "program p\nindex i: {count}\nparam 0 x: f64[{count}]\noutput 1 y: f64[{count}]\n\
                 y[i] = x[i] for i"
            );
            let program = text::parse(&text).unwrap();
            let loops = Loops::new(&program, &program, None);
            let mut met = BTreeSet::new();
            for at in 0.. {
                met.extend(listed(at, &loops, 0));
                if Samples::new(at, &loops).all(&program) {
                    break;
                }
            }
            assert_eq!(met.len(), count);
        }
    }

    #[test]
    fn two_loops_of_one_length_are_two_loops() {
        let (_, apart) = loops("output 0 y: f64[20, 20]\ny[a, b] = 1 for a, b");
        assert_ne!(listed(5, &apart, 0), listed(5, &apart, 1));
        // One writes what the other reads.
        let (_, same) =
            loops("output 0 y: f64[20]\ntemp t: f64[20]\nt[a] = 1 for a; y[b] = t[b] for b");
        assert_eq!(listed(5, &same, 0), listed(5, &same, 1));
        assert_eq!(listed(5, &same, 0).len(), FEW);
    }

    #[test]
    fn what_a_loop_became_runs_what_its_parts_run() {
        let text = |equations: &str| {
            let head = "program p\nindex a: 20\nindex b: 20\nindex k: 10\nparam 0 x: f64[20]\n\
                        output 1 y: f64[20]\n";
            text::parse(&format!("{head}{equations}")).unwrap()
        };
        let before = text("y[a] = x[a] for a");
        let mut after = text("y[2*k] = x[2*k] for k; y[2*k + 1] = x[2*k + 1] for k");
        let part = |start| Part {
            of: IndexId(0),
            start,
            stride: 2,
            width: 1,
        };
        after.is_part(IndexId(2), part(0));
        // No partition.
        let whole = Loops::new(&before, &after, None);
        assert_eq!(listed(0, &whole, 0).len(), 20);
        assert_eq!(listed(0, &whole, 2).len(), 10);
        after.is_part(IndexId(2), part(1));
        let split = Loops::new(&before, &after, None);
        assert_eq!(listed(0, &split, 2), [0, 1, 2, 3]);
        assert_eq!(listed(0, &split, 0), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(listed(1, &split, 0)[..3], [12, 13, 14]);
    }

    #[test]
    fn what_one_program_has_not_runs_in_full() {
        let text = |equations: &str| {
            let head = "program p\nindex i: 20\nindex q: 30\nparam 0 u: f64[20]\noutput 1 y: f64[20]\n\
                        table w: f64[30] = [1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0]\n";
            text::parse(&format!("{head}{equations}")).unwrap()
        };
        let before = text("y[i] += sum(q) w[q] * u[i] for i; y[i] += sum(q) w[q] * w[q] for i");
        let after = text("y[i] += 135 * u[i] for i; y[i] += sum(q) w[q] * w[q] for i");
        let loops = Loops::new(&before, &after, None);
        assert_eq!(listed(0, &loops, 0).len(), FEW);
        assert_eq!(listed(0, &loops, 1).len(), 30);
        let same = Loops::new(&before, &before, None);
        assert_eq!(listed(0, &same, 1).len(), FEW);
    }

    #[test]
    fn sums_that_only_repeat_run_in_full_once_they_are_a_factor() {
        let text = |sum: &str| {
            let head = "program p\nindex i: 20\nindex k: 20\nparam 0 x: f64[20]\noutput 1 y: f64[1]\n\
                        temp t: f64[20]\n";
            text::parse(&format!("{head}t[k] = x[k] for k; y[0] += {sum}")).unwrap()
        };
        let before = text("sum(i, k) t[i]");
        let few = Loops::new(&before, &text("sum(k, i) t[i]"), None);
        assert_eq!(listed(0, &few, 0).len(), FEW);
        // What `i` and `k` have in common is the dimension of `t`.
        let factor = Loops::new(&before, &text("sum(i) 20 * t[i]"), None);
        assert_eq!(listed(0, &factor, 1).len(), 20);
    }

    #[test]
    fn pieces_of_loops_that_the_text_has_run_in_full() {
        let text = |equations: &str| {
            let head = "program p\nindex q: 20\nindex i: 20\nparam 0 x: f64[21]\n\
                        output 1 y: f64[1]\n";
            text::parse(&format!("{head}{equations}")).unwrap()
        };
        // The text's loop over `i` begins with an iteration of its own, and has no index.
        let lowered = text("y[0] += sum(i) x[i + 1]; y[0] += sum(q) x[q]");
        let mut after = text("y[0] += sum(q) x[q + 1]; y[0] += sum(q) x[q]");
        let own: TextLoop = (FunctionId(0), LoopId(1));
        let kept = HashMap::from_iter([(own, vec![IndexId(0)])]);
        let apart = Loops::new(&lowered, &lowered, Some(&kept));
        assert_eq!(listed(0, &apart, 0).len(), FEW);
        assert_eq!(listed(0, &apart, 1).len(), 20);
        let part = Part {
            of: IndexId(1),
            start: 0,
            stride: 1,
            width: 1,
        };
        after.is_part(IndexId(0), part);
        let joined = Loops::new(&lowered, &after, Some(&kept));
        assert_eq!(listed(0, &joined, 0).len(), 20);
        let samples = Samples::new(0, &joined);
        assert_eq!(samples.of_text(own).of(20).len(), 20);
    }
}
