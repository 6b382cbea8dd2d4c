//! The loops that values pass on their way to results.
//!
//! In `y[i] += sum(q) w[q] * u[i]` what is read of `u` passes the loops over `i` and `q`. Where a table holds the
//! sum of `w`, it passes the one over `i` alone: with some iterations of `q` the text has another result. So
//! loops that were passed before and are no longer run in full.
//!
//! Loops that are summed over are told from those that only say which element: where a class has loops of both kinds,
//! the sums may go to other loops while an output is still written in one of the class.
//!
//! Of what is read of one input in several places the loops that all of them pass are known. What this misses is
//! no error: see [`super`].

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::Loops;
use crate::ir::{Affine, ArrayId, Equation, Expr, ExprId, Program, Role};

/// Classes of loops, as two bits each: that of any loop, and above it that of sums.
type Set = u128;

/// The bit of any loop of the first class.
const ANY: Set = 1;

/// The bit of sums over a class.
fn summed(any: Set) -> Set {
    any << 1
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
            all: if zero { Set::MAX } else { 0 },
            inputs: BTreeMap::new(),
        }
    }

    /// One of several terms.
    fn or(&mut self, other: &Passed) {
        self.all &= other.all;
        for (input, set) in &other.inputs {
            *self.inputs.entry(*input).or_insert(Set::MAX) &= set;
        }
    }

    /// What is multiplied.
    fn and(&mut self, other: &Passed) {
        let mut inputs: BTreeMap<usize, Set> = BTreeMap::new();
        for (of, by) in [(&*self, other), (other, &*self)] {
            for (input, set) in &of.inputs {
                *inputs.entry(*input).or_insert(Set::MAX) &= set | by.all;
            }
        }
        self.all |= other.all;
        self.inputs = inputs;
    }

    /// In some loops.
    fn within(&mut self, loops: Set) {
        self.all |= loops;
        self.inputs.values_mut().for_each(|set| *set |= loops);
    }
}

/// Classes of loops that are passed in the first program, and not in the second one.
pub fn lost(loops: &Loops, before: &Program, after: &Program) -> BTreeSet<usize> {
    let classes: BTreeSet<usize> = &loops.used(before) | &loops.used(after);
    let bits: HashMap<usize, Set> = (classes.iter().enumerate())
        .map(|(at, class)| (*class, ANY.checked_shl(2 * at as u32).unwrap_or(0)))
        .collect();
    let [first, second] = [before, after].map(|program| results(loops, program, &bits));
    let mut lost = 0;
    for (output, own) in &first {
        let Some(other) = second.get(output) else {
            continue;
        };
        lost |= own.all & !other.all & keep(own.all);
        for (input, set) in &own.inputs {
            lost |= set & !other.inputs.get(input).copied().unwrap_or(Set::MAX);
        }
    }
    let in_lost = |class: &usize| (bits[class] | summed(bits[class])) & lost != 0;
    classes.into_iter().filter(in_lost).collect()
}

/// Nothing, of what is zero.
fn keep(all: Set) -> Set {
    if all == Set::MAX { 0 } else { Set::MAX }
}

/// What is known of each result.
fn results(
    loops: &Loops,
    program: &Program,
    bits: &HashMap<usize, Set>,
) -> BTreeMap<usize, Passed> {
    let mut walk = Walk {
        program,
        temporaries: HashMap::new(),
        known: HashMap::new(),
    };
    let mut results: BTreeMap<usize, Passed> = BTreeMap::new();
    for equation in &program.equations {
        let mut passed = (*walk.value(equation.expr)).clone();
        if passed.all != Set::MAX || !passed.inputs.is_empty() {
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
fn around(loops: &Loops, equation: &Equation, bits: &HashMap<usize, Set>) -> Set {
    let mut result = 0;
    let written = Affine::indices_of(&equation.target.subscripts);
    for index in equation.domain() {
        let passed = |class: usize| {
            let any = bits.get(&class).copied().unwrap_or(0);
            match written.contains(&index) {
                true => any,
                false => any | summed(any),
            }
        };
        let class = loops.class(index);
        result |= passed(class);
        for (of, parts) in &loops.split {
            if parts.iter().any(|(part, _)| *part == class) {
                result |= passed(*of);
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
                        passed.inputs.insert(position, 0);
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
                    *value.inputs.entry(*input).or_insert(Set::MAX) &= set;
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
