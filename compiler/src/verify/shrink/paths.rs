//! The loops that values pass on their way to results.
//!
//! In `y[i] += sum(q) w[q] * u[i]` what is read of `u` passes the loops over `i` and `q`. Where a table holds the
//! sum of `w`, it passes the one over `i` alone: with some iterations of `q` the text has another result. So
//! loops that were passed before and are no longer run in full.
//!
//! Loops that are summed over are told from those that only say which element, and counted: where a class has loops of
//! both kinds, the sums may go to other loops while an output is still written in one of the class, and where it has
//! several that are summed over, one that changes nothing but how often a term is added may go to a factor.
//!
//! Of what is read of one input in several places the loops that all of them pass are known. What this misses is
//! no error: see [`super`].

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::Loops;
use crate::collections::HashMap;
use crate::ir::{Affine, ArrayId, Equation, Expr, ExprId, Program, Role};

/// Loops that are passed, by class: whether any is, and how many are summed over, up to three. Each class is one
/// bit of each number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Set {
    any: u128,
    /// The low bits of how many are summed over, and the high ones.
    sums: [u128; 2],
}

impl Set {
    /// What zero passes: all that anything passes.
    const ALL: Set = Set {
        any: u128::MAX,
        sums: [u128::MAX; 2],
    };

    /// One loop.
    fn one(class: u128, is_summed: bool) -> Set {
        Set {
            any: class,
            sums: [if is_summed { class } else { 0 }, 0],
        }
    }

    /// What both pass.
    fn met(self, other: Set) -> Set {
        let more = self.more(other);
        let least = |at: usize| (self.sums[at] & !more) | (other.sums[at] & more);
        Set {
            any: self.any & other.any,
            sums: [least(0), least(1)],
        }
    }

    /// What passes the loops of both: those that say which element may be the same ones, sums are not.
    fn joined(self, other: Set) -> Set {
        let ([low, high], [more_low, more_high]) = (self.sums, other.sums);
        let carry = low & more_low;
        let over = (high & more_high) | (high & carry) | (more_high & carry);
        Set {
            any: self.any | other.any,
            sums: [(low ^ more_low) | over, (high ^ more_high ^ carry) | over],
        }
    }

    /// The classes of which more are summed over than in another set.
    fn more(self, other: Set) -> u128 {
        let ([low, high], [other_low, other_high]) = (self.sums, other.sums);
        (high & !other_high) | (!(high ^ other_high) & low & !other_low)
    }

    /// The classes that another set has not, or fewer sums over.
    fn beyond(self, other: Set) -> u128 {
        (self.any & !other.any) | self.more(other)
    }
}

/// What is known of a value.
#[derive(Clone, Debug)]
struct Passed {
    /// The loops that all of its terms pass.
    all: Set,
    /// The loops that what is read of each input passes.
    inputs: BTreeMap<usize, Set>,
}

impl Passed {
    /// A number.
    fn number(zero: bool) -> Passed {
        Passed {
            all: if zero { Set::ALL } else { Set::default() },
            inputs: BTreeMap::new(),
        }
    }

    /// One of several terms.
    fn or(&mut self, other: &Passed) {
        self.all = self.all.met(other.all);
        for (input, set) in &other.inputs {
            let own = self.inputs.entry(*input).or_insert(Set::ALL);
            *own = own.met(*set);
        }
    }

    /// What is multiplied.
    fn and(&mut self, other: &Passed) {
        let mut inputs: BTreeMap<usize, Set> = BTreeMap::new();
        for (of, by) in [(&*self, other), (other, &*self)] {
            for (input, set) in &of.inputs {
                let met = inputs.entry(*input).or_insert(Set::ALL);
                *met = met.met(set.joined(by.all));
            }
        }
        self.all = self.all.joined(other.all);
        self.inputs = inputs;
    }

    /// In some loops.
    fn within(&mut self, loops: Set) {
        self.all = self.all.joined(loops);
        let inputs = self.inputs.values_mut();
        inputs.for_each(|set| *set = set.joined(loops));
    }
}

/// Classes of loops that are passed in the first program, and not in the second one.
pub fn lost(loops: &Loops, before: &Program, after: &Program) -> BTreeSet<usize> {
    let classes: BTreeSet<usize> = &loops.used(before) | &loops.used(after);
    let bits: HashMap<usize, u128> = (classes.iter().enumerate())
        .map(|(at, class)| (*class, 1_u128.checked_shl(at as u32).unwrap_or(0)))
        .collect();
    let [first, second] = [before, after].map(|program| results(loops, program, &bits));
    let mut lost = 0;
    for (output, own) in &first {
        let Some(other) = second.get(output) else {
            continue;
        };
        // Zero passes nothing.
        if own.all != Set::ALL {
            lost |= own.all.beyond(other.all);
        }
        for (input, set) in &own.inputs {
            lost |= set.beyond(other.inputs.get(input).copied().unwrap_or(Set::ALL));
        }
    }
    let in_lost = |class: &usize| bits[class] & lost != 0;
    classes.into_iter().filter(in_lost).collect()
}

/// What is known of each result.
fn results(
    loops: &Loops,
    program: &Program,
    bits: &HashMap<usize, u128>,
) -> BTreeMap<usize, Passed> {
    let mut walk = Walk {
        program,
        temporaries: HashMap::default(),
        known: HashMap::default(),
    };
    let mut results: BTreeMap<usize, Passed> = BTreeMap::new();
    for equation in &program.equations {
        let mut passed = (*walk.value(equation.expr)).clone();
        if passed.all != Set::ALL || !passed.inputs.is_empty() {
            passed.within(around(loops, equation, bits));
        }
        match program.array(equation.target.array).role.position() {
            Some(position) => {
                let entry = results.entry(position);
                entry.or_insert_with(|| Passed::number(true)).or(&passed);
            }
            None => {
                let array = equation.target.array;
                let before = walk.temporaries.entry(array);
                let before = before.or_insert_with(|| Rc::new(Passed::number(true)));
                Rc::make_mut(before).or(&passed);
            }
        }
    }
    results
}

/// The loops of an equation, and those that they are parts of.
fn around(loops: &Loops, equation: &Equation, bits: &HashMap<usize, u128>) -> Set {
    let mut result = Set::default();
    let written = Affine::indices_of(&equation.target.subscripts);
    for index in equation.domain() {
        let mut pass = |class: usize| {
            let bit = bits.get(&class).copied().unwrap_or(0);
            result = result.joined(Set::one(bit, !written.contains(&index)));
        };
        let class = loops.class(index);
        pass(class);
        for (of, parts) in &loops.split {
            if parts.iter().any(|(part, _)| *part == class) {
                pass(*of);
            }
        }
    }
    result
}

struct Walk<'p> {
    program: &'p Program,
    temporaries: HashMap<ArrayId, Rc<Passed>>,
    known: HashMap<ExprId, Rc<Passed>>,
}

impl Walk<'_> {
    fn value(&mut self, expr: ExprId) -> Rc<Passed> {
        if let Some(known) = self.known.get(&expr) {
            return known.clone();
        }
        let result = match self.program.pool.get(expr) {
            Expr::Constant(number) => Rc::new(Passed::number(number.is_zero())),
            Expr::Access(access) => {
                let array = self.program.array(access.array);
                match (&array.role, array.role.position()) {
                    (Role::Temporary, _) => {
                        let known = self.temporaries.get(&access.array).cloned();
                        // It may have other values later.
                        return known.unwrap_or_else(|| Rc::new(Passed::number(true)));
                    }
                    (_, Some(position)) => {
                        let mut passed = Passed::number(false);
                        passed.inputs.insert(position, Set::default());
                        Rc::new(passed)
                    }
                    _ => Rc::new(Passed::number(false)),
                }
            }
            Expr::Sum(terms) => {
                let mut sum = Passed::number(true);
                for term in terms {
                    sum.or(&self.value(term.expr));
                }
                Rc::new(sum)
            }
            Expr::Select(condition, then, otherwise) => {
                let mut value = Passed::number(true);
                for expr in [then, otherwise] {
                    value.or(&self.value(*expr));
                }
                let condition = self.value(*condition);
                for (input, set) in &condition.inputs {
                    let own = value.inputs.entry(*input).or_insert(Set::ALL);
                    *own = own.met(*set);
                }
                Rc::new(value)
            }
            Expr::Product(_) | Expr::Call(..) | Expr::Compare(..) | Expr::Cast(..) => {
                let mut product = Passed::number(false);
                for operand in self.program.pool.operands(expr) {
                    product.and(&self.value(operand));
                }
                Rc::new(product)
            }
        };
        self.known.insert(expr, result.clone());
        result
    }
}
