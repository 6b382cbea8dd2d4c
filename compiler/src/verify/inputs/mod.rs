//! Random inputs that fit a kernel's accesses, on which all of its loops run.
//!
//! Integers, lengths and the entries of index maps are chosen so that each loop of run-time length has
//! as many iterations as are asked for, or as the arrays have room for, and so that no two integers,
//! lengths or numbers of iterations are equal where they need not be: what is mixed up makes a
//! difference. Where not all loops can run at once there are several choices, which together run all.

mod deep;
mod filled;
mod needs;
mod probes;
mod solver;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use super::memory::Memory;
use crate::collections::HashMap;
use crate::ir::{Affine, IndexId, Program};
use crate::lower::Reached;
use needs::{Needs, Unknown};
use probes::Probes;
use solver::{Choice, Linear, Wish, narrow, solve};

/// Rounds in which slices that hold arrays of more dimensions may grow.
const ROUNDS: usize = 16;
/// Most elements of an array.
const LARGEST: usize = 1 << 26;
/// Most elements of inputs that are kept for what is compared later.
const KEPT: usize = 1 << 22;
/// Iterations of loops around several others.
const SHORT: i128 = 3;
/// By how many iterations loops grow where more inputs are tried.
const LONGER: usize = 3;
/// Most entries of a dimension that index maps lead to one after the other.
const TABLE: i64 = 64;
/// From where integers are chosen that no loop or subscript depends on, of types with a sign.
const NEGATIVE: i64 = -3;
/// From where other integers are chosen: where zero is added, nobody sees it.
const SMALLEST: i64 = 2;

/// How many iterations loops are to have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Iterations of loops of run-time length.
    pub iterations: usize,
    /// The numbers of iterations that must be so large, also where loops are around many others: those of each nest.
    pub long: Vec<Vec<(Affine, usize)>>,
    /// Whether all others have two or three iterations, as where loops are around many others; with each input, those of
    /// one nest are long.
    pub short: bool,
    /// Which of the choices for such loops it is.
    pub deep: Option<usize>,
    /// Whether index maps lead to all entries of dimensions of constant extent, as far as they may.
    pub spread: bool,
}

impl Size {
    /// That many iterations.
    pub fn of(iterations: usize) -> Size {
        Size {
            iterations,
            long: Vec::new(),
            short: false,
            deep: None,
            spread: false,
        }
    }

    /// How long loops with a number of iterations must be, if they must be long.
    fn long_of(&self, iterations: &Affine) -> Option<usize> {
        let nests = self.long.iter().enumerate();
        let nests = nests.filter(|(nest, _)| match self.deep {
            Some(choice) if self.short => choice % self.long.len() == *nest,
            _ => true,
        });
        let all = nests.flat_map(|(_, long)| long);
        let own = all.filter(|(of, _)| of == iterations);
        own.map(|(_, long)| *long).max()
    }
}

/// What one of the inputs holds.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// Its number.
    input: usize,
    /// Where index maps lead to one entry of small tables after the other, which.
    spread: Option<u64>,
    /// Where most entries of an array are alike, and integers small, how many values they have: conditions on several
    /// entries hold then, or on none, or on each with luck.
    alike: Option<u64>,
}

/// A choice of all unknowns.
type Solution = Vec<i64>;
type Plan = Result<Rc<Vec<Solution>>, String>;

/// The inputs of a kernel.
#[derive(Debug)]
pub struct Inputs<'p> {
    program: &'p Program,
    needs: Needs<'p>,
    probes: Probes,
    plans: RefCell<HashMap<Size, Plan>>,
    /// What was filled already: each variant is compared on the same inputs.
    filled: RefCell<HashMap<(Size, usize), Memory>>,
    /// Elements in all of these.
    kept: Cell<usize>,
}

impl<'p> Inputs<'p> {
    /// Inputs for a program, for whatever the text subscripts beyond that, where bounds of loops, with
    /// the loops around, are not negative, and nothing is that is assumed not to be.
    pub fn new(
        program: &'p Program,
        reached: &[Reached],
        bounds: &[(Affine, Vec<IndexId>)],
        assumed: &[Affine],
    ) -> Self {
        let mut needs = Needs::new(program);
        for equation in &program.equations {
            let domain = program.around(equation);
            needs.access(&equation.target, &domain);
            for (_, access) in program.pool.accesses([equation.expr]) {
                needs.access(access, &domain);
            }
        }
        for Reached { access, domain } in reached {
            needs.access(access, domain);
        }
        for (bound, around) in bounds {
            needs.not_negative(bound, around);
        }
        for assumed in assumed {
            needs.not_negative(assumed, &[]);
        }
        Inputs {
            program,
            needs,
            probes: Probes::of(program),
            plans: RefCell::default(),
            filled: RefCell::default(),
            kept: Cell::default(),
        }
    }

    /// How many inputs there are that must all be tried.
    ///
    /// # Errors
    /// If there are none.
    pub fn count(&self, size: &Size) -> Result<usize, String> {
        Ok(self.plan(size)?.len())
    }

    /// One of the inputs. There are as many as one likes: those after [`count`](Self::count) are
    /// longer, with other numbers in them. In every second round index maps lead to one entry of small tables after
    /// the other, so that each is met; in the others several of their own entries are equal, as a scatter may have. In every
    /// fourth one most entries of each array are alike, and in every eighth they have two values.
    ///
    /// # Errors
    /// If there are none.
    pub fn memory(&self, size: &Size, at: usize) -> Result<Memory, String> {
        let key = (size.clone(), at);
        if let Some(known) = self.filled.borrow().get(&key) {
            return Ok(known.clone());
        }
        let memory = self.of_round(size, at)?;
        let kept = self.kept.get() + memory.elements();
        if kept <= KEPT {
            self.kept.set(kept);
            self.filled.borrow_mut().insert(key, memory.clone());
        }
        Ok(memory)
    }

    /// See [`memory`](Self::memory).
    fn of_round(&self, size: &Size, at: usize) -> Result<Memory, String> {
        let round = at / self.count(size)?;
        let by = round.min(LONGER);
        let spread = round % 2 == 1;
        let mut longer = Size {
            iterations: size.iterations + by,
            spread,
            ..size.clone()
        };
        let all = longer.long.iter_mut().flatten();
        all.for_each(|(_, long)| *long += by);
        let plan = self.plan(&longer)?;
        let turn = Turn {
            input: at,
            spread: spread.then_some(round as u64 / 2),
            alike: match round % 8 {
                2 | 6 => Some(1),
                4 => Some(2),
                _ => None,
            },
        };
        self.filled(&plan[at % plan.len()], turn)
    }

    fn plan(&self, size: &Size) -> Plan {
        if let Some(known) = self.plans.borrow().get(size) {
            return known.clone();
        }
        let plan = self.solutions(size).map(Rc::new);
        self.plans.borrow_mut().insert(size.clone(), plan.clone());
        plan
    }

    /// Solutions which together have iterations for all loops for which there are any.
    fn solutions(&self, size: &Size) -> Result<Vec<Solution>, String> {
        let all: BTreeSet<usize> = (0..self.needs.loops.len()).collect();
        let mut result = Vec::new();
        if let Some(found) = self.largest(&all, size) {
            result.extend(found);
            return Ok(result);
        }
        let mut left = all.clone();
        while let Some(first) = left.pop_first() {
            let mut active = BTreeSet::from([first]);
            if self.solution(&active, &Size::of(1)).is_none() {
                continue;
            }
            // Those first that did not run yet.
            let others = left.iter().chain(all.difference(&left));
            for other in others.copied().collect::<Vec<_>>() {
                let mut more = active.clone();
                if more.insert(other) && self.solution(&more, &Size::of(1)).is_some() {
                    active = more;
                }
            }
            left.retain(|at| !active.contains(at));
            result.extend(self.largest(&active, size).into_iter().flatten());
        }
        if result.is_empty() {
            result.extend(self.largest(&BTreeSet::new(), size).into_iter().flatten());
        }
        if result.is_empty() {
            return Err("no inputs were found that fit all accesses".to_owned());
        }
        Ok(result)
    }

    /// A solution with as many iterations as are asked for, or as there is room for. Where unknowns are
    /// equal then, there is another one with fewer iterations, in which fewer of them are.
    fn largest(&self, active: &BTreeSet<usize>, size: &Size) -> Option<Vec<Solution>> {
        if let Some(found) = self.deep(active, size) {
            return Some(found);
        }
        let shorter = |size: &Size| {
            let mut half = size.clone();
            half.iterations /= 2;
            let all = half.long.iter_mut().flatten();
            all.for_each(|(_, long)| *long = (*long / 2).max(1));
            (half.iterations > 0).then_some(half)
        };
        let mut sizes = std::iter::successors(Some(size.clone()), shorter);
        let solution = sizes.find_map(|size| self.solution(active, &size))?;
        let mut result = vec![solution];
        let equal = self.equal(&result[0], active);
        if equal > 0 {
            let smaller = sizes.filter_map(|size| self.solution(active, &size));
            let apart = smaller.min_by_key(|solution| self.equal(solution, active));
            result.extend(apart.filter(|solution| self.equal(solution, active) < equal));
        }
        Some(result)
    }

    /// How many unknowns have a value that one before has.
    fn equal(&self, solution: &Solution, active: &BTreeSet<usize>) -> usize {
        let mut seen = BTreeSet::new();
        let choices = self.choices(active, &Size::of(1));
        let of = |choice: &Choice| Some((choice.apart?, solution[choice.unknown]));
        let values = choices.iter().filter_map(of);
        values.filter(|value| !seen.insert(*value)).count()
    }

    /// A solution in which those loops have iterations, and no others.
    fn solution(&self, active: &BTreeSet<usize>, size: &Size) -> Option<Solution> {
        let mut inequalities = self.needs.inequalities(active);
        for at in 0..self.needs.loops.len() {
            let count = Linear::unknown(self.needs.of_loop(at));
            inequalities.push(match active.contains(&at) {
                true => count.plus(-1, &Linear::constant(1)),
                false => Linear::default().plus(-1, &count),
            });
        }
        let mut bounds = self.needs.bounds();
        if !narrow(&mut bounds, &inequalities) {
            return None;
        }
        // As many iterations as there is room for, each loop by itself; and entries of maps.
        let wanted = self.wanted(active, size).into_iter().map(|(of, wanted)| {
            let room = of.most(&bounds).max(1).min(wanted);
            of.plus(-1, &Linear::constant(room))
        });
        inequalities.extend(wanted.collect::<Vec<_>>());
        let choices = self.choices(active, size);
        for _ in 0..ROUNDS {
            if !narrow(&mut bounds, &inequalities) {
                return None;
            }
            let values = solve(&bounds, &inequalities, &choices)?;
            let lengths = self.needs.flat_lengths(active, &values).into_iter();
            let short = lengths.filter(|(array, needed)| i128::from(values[*array]) < *needed);
            let longer: Vec<Linear> = short
                .map(|(array, needed)| Linear::unknown(array).plus(-1, &Linear::constant(needed)))
                .collect();
            if longer.is_empty() {
                return Some(values);
            }
            inequalities.extend(longer);
        }
        None
    }

    /// How many iterations a loop is to have.
    fn iterations(&self, at: usize, size: &Size) -> i128 {
        if let Some(long) = size.long_of(&self.needs.loops[at].0) {
            return long as i128;
        }
        if let Some(choice) = size.deep {
            return self.few(at, choice);
        }
        let iterations = size.iterations as i128;
        if self.needs.outer.contains(&at) {
            iterations.min(SHORT)
        } else {
            iterations
        }
    }

    /// Numbers of iterations, and of different entries of maps, with how many of them there should be.
    fn wanted(&self, active: &BTreeSet<usize>, size: &Size) -> Vec<(Linear, i128)> {
        let loops = active.iter().map(|at| {
            let iterations = self.iterations(*at, size);
            (Linear::unknown(self.needs.of_loop(*at)), iterations)
        });
        let unknowns = self.needs.unknowns.iter().enumerate();
        let maps = unknowns.filter_map(|(number, (unknown, _))| {
            let Unknown::Greatest(map) = unknown else {
                return None;
            };
            let least = self.needs.number(Unknown::Least(*map))?;
            let width = Linear::unknown(number).plus(-1, &Linear::unknown(least));
            let width = width.plus(1, &Linear::constant(1));
            Some((width, size.iterations as i128))
        });
        loops.chain(maps).collect()
    }

    /// The unknowns in the order in which they are tried: what others follow from comes first.
    fn choices(&self, active: &BTreeSet<usize>, size: &Size) -> Vec<Choice> {
        let bound: BTreeSet<usize> = self
            .needs
            .loops
            .iter()
            .flat_map(|(_, extent)| extent.terms.iter().map(|(unknown, _)| *unknown))
            .collect();
        let used = self.needs.inequalities(active);
        let used: BTreeSet<usize> = used
            .iter()
            .flat_map(|inequality| inequality.terms.iter().map(|(unknown, _)| *unknown))
            .collect();
        let of = |(unknown, (kind, range)): (usize, &(Unknown, (i64, i64)))| {
            let (turn, wish, apart) = match kind {
                Unknown::Iterations(at) => {
                    let wish = i64::try_from(self.iterations(*at, size)).unwrap_or(1);
                    let apart = active.contains(at) && size.deep.is_none();
                    (0, Wish::From(wish), apart.then_some(0))
                }
                Unknown::Scalar(_) if range.0 < 0 && !used.contains(&unknown) => {
                    (1, Wish::From(NEGATIVE), Some(1))
                }
                Unknown::Scalar(_) => (1, Wish::From(SMALLEST), Some(1)),
                Unknown::Length(..) if bound.contains(&unknown) => (2, Wish::From(1), Some(1)),
                Unknown::Least(_) => (3, Wish::From(0), None),
                Unknown::Greatest(_) => {
                    let more = i64::try_from(size.iterations).unwrap_or(1);
                    let wish = match size.spread {
                        true => Wish::AllOrAbove(TABLE, more),
                        false => Wish::Above(more),
                    };
                    (4, wish, None)
                }
                Unknown::Length(..) => (5, Wish::From(1), Some(1)),
            };
            let choice = Choice {
                unknown,
                wish,
                apart,
            };
            (turn, choice)
        };
        let mut choices: Vec<_> = self.needs.unknowns.iter().enumerate().map(of).collect();
        choices.sort_by_key(|(turn, _)| *turn);
        choices.into_iter().map(|(_, choice)| choice).collect()
    }
}
