//! Sums of weighted translates.

use crate::ir::Combining;
use crate::number::{Field, Number};
use crate::rewrite::translate::{Offset, minus, plus};

/// A number times a factor that no axis changes.
#[derive(Clone, Copy, Debug)]
pub struct Weight {
    /// The number.
    pub number: Number,
    /// Which factor; 0 if none.
    pub symbol: usize,
}

impl Weight {
    /// Whether it is a number of magnitude one.
    pub fn is_unit(&self) -> bool {
        self.symbol == 0 && (self.number.is_one() || self.number.is_minus_one())
    }

    /// Whether a product with it is rounded: not so with a power of two.
    pub fn rounds(&self) -> bool {
        self.symbol > 0 || self.number.to_f64().to_bits() << 12 != 0
    }

    /// Whether it has a minus in front.
    pub fn is_negative(&self) -> bool {
        self.number.to_f64() < 0.0
    }

    /// What is equal for weights that differ by their sign alone.
    pub fn magnitude(&self) -> (usize, Field) {
        (self.symbol, self.number.abs().field())
    }

    /// Product with another one, if at most one of them has a factor.
    pub fn times(&self, other: Weight) -> Option<Weight> {
        (self.symbol == 0 || other.symbol == 0).then(|| Weight {
            number: self.number * other.number,
            symbol: self.symbol.max(other.symbol),
        })
    }
}

/// A weighted translate of an atom: of what is read, or of another form.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// Which atom.
    pub atom: usize,
    /// How far it is away.
    pub at: Offset,
    /// What it is multiplied with.
    pub weight: Weight,
}

/// A sum of weighted translates, or the smallest or largest one of translates whose weights are 1: terms in the
/// order of atoms and offsets, each pair once.
#[derive(Clone, Debug)]
pub struct Form {
    /// What the terms are combined by.
    pub combining: Combining,
    /// The terms.
    pub terms: Vec<Term>,
}

impl Form {
    /// A form, of terms in any order.
    pub fn new(combining: Combining, mut terms: Vec<Term>) -> Form {
        terms.sort_by_key(|term| (term.atom, term.at, term.weight.symbol));
        let mut result: Vec<Term> = Vec::with_capacity(terms.len());
        for term in terms {
            let same = result.last_mut().filter(|last| {
                (last.atom, last.at, last.weight.symbol) == (term.atom, term.at, term.weight.symbol)
            });
            match same {
                // The larger one of a number and itself is that.
                Some(_) if combining != Combining::Add => {}
                Some(last) => last.weight.number += term.weight.number,
                None => result.push(term),
            }
        }
        result.retain(|term| !term.weight.number.is_zero());
        Form {
            combining,
            terms: result,
        }
    }

    /// The term of an atom at an offset whose weight has a factor: there may be others with other factors.
    pub fn find(&self, atom: usize, at: Offset, symbol: usize) -> Option<usize> {
        let key = |term: &Term| (term.atom, term.at, term.weight.symbol);
        self.terms
            .binary_search_by_key(&(atom, at, symbol), key)
            .ok()
    }

    /// Operations of its evaluation, terms of one magnitude added up before they are multiplied.
    pub fn operations(&self) -> usize {
        let mut magnitudes: Vec<(usize, Field)> = (self.terms.iter())
            .filter(|term| !term.weight.is_unit())
            .map(|term| term.weight.magnitude())
            .collect();
        magnitudes.sort_unstable();
        magnitudes.dedup();
        let numbers = magnitudes
            .iter()
            .filter(|(symbol, number)| *symbol > 0 && *number != Number::ONE.field());
        self.terms.len().saturating_sub(1) + magnitudes.len() + numbers.count()
    }

    /// The form with each translate of an atom replaced by those of its own form.
    pub fn inlined(&self, atom: usize, by: &Form) -> Option<Form> {
        let mut terms = Vec::new();
        for term in &self.terms {
            if term.atom != atom {
                terms.push(*term);
                continue;
            }
            for inner in &by.terms {
                terms.push(Term {
                    atom: inner.atom,
                    at: plus(term.at, inner.at),
                    weight: term.weight.times(inner.weight)?,
                });
            }
        }
        Some(Form::new(self.combining, terms))
    }
}

/// Two weighted translates that are combined, or more of one atom: the first one's number is 1, and its offset 0.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// What they are combined by.
    pub combining: Combining,
    /// Their atoms.
    pub atoms: [usize; 2],
    /// How far the second is away from the first.
    pub apart: Offset,
    /// Their weights.
    pub weights: [Weight; 2],
    /// How many there are: each further one is as far from the one before it, and its weight has the same ratio to that.
    pub count: usize,
}

/// Most terms of a pattern.
pub const MOST_POWERS: usize = 3;

/// What patterns are compared by.
pub type Key = ([usize; 2], Offset, Field, [usize; 2]);

impl Pattern {
    /// Its form.
    pub fn form(&self) -> Form {
        let mut term = Term {
            atom: self.atoms[0],
            at: Offset::default(),
            weight: self.weights[0],
        };
        let mut terms = vec![term];
        for _ in 1..self.count {
            let number = term.weight.number * self.weights[1].number;
            term = Term {
                atom: self.atoms[1],
                at: plus(term.at, self.apart),
                weight: Weight {
                    number,
                    symbol: self.weights[1].symbol,
                },
            };
            terms.push(term);
        }
        Form::new(self.combining, terms)
    }

    /// The pattern of one more term, where it is one of equal or opposite weights in a line.
    pub fn longer(&self) -> Option<Pattern> {
        let line = self.atoms[0] == self.atoms[1] && self.weights.iter().all(Weight::is_unit);
        (line && self.count < MOST_POWERS).then_some(Pattern {
            count: self.count + 1,
            ..*self
        })
    }

    /// A form with the pattern, as an atom, in the place of what it stands for; `None` if it stands for
    /// nothing there.
    pub fn applied(&self, form: &Form, atom: usize) -> Option<Form> {
        if self.combining != form.combining {
            return None;
        }
        let mut rest = form.terms.clone();
        let mut found = Vec::new();
        let same = self.weights[0].symbol == self.weights[1].symbol;
        if self.atoms[0] == self.atoms[1] && same {
            self.divide(form, atom, &mut rest, &mut found);
        } else {
            self.pair(form, atom, &mut rest, &mut found);
        }
        if found.is_empty() {
            return None;
        }
        rest.append(&mut found);
        Some(Form::new(self.combining, rest))
    }

    /// Replaces pairs, each term once.
    fn pair(&self, form: &Form, atom: usize, rest: &mut Vec<Term>, found: &mut Vec<Term>) {
        let mut taken = vec![false; form.terms.len()];
        let ratio = self.weights[1].number.field();
        let same = self.weights[0].symbol == self.weights[1].symbol;
        for (at, first) in form.terms.iter().enumerate() {
            if taken[at] || first.atom != self.atoms[0] {
                continue;
            }
            let Weight { number, symbol } = first.weight;
            let [own, others] = match same {
                true => [symbol; 2],
                false => self.weights.map(|weight| weight.symbol),
            };
            let place = plus(first.at, self.apart);
            let Some(other) = form.find(self.atoms[1], place, others) else {
                continue;
            };
            let second = &form.terms[other];
            let fits = symbol == own && second.weight.number.field() == number.field() * ratio;
            if taken[other] || !fits {
                continue;
            }
            (taken[at], taken[other]) = (true, true);
            let symbol = if same { symbol } else { 0 };
            found.push(Term {
                atom,
                at: first.at,
                weight: Weight { number, symbol },
            });
        }
        let mut at = 0;
        rest.retain(|_| {
            at += 1;
            !taken[at - 1]
        });
    }

    /// Divides the weights along each line of neighbours by `1 + ratio z`, or by more powers of `ratio z`: with the
    /// fewest terms in quotient and remainder.
    fn divide(&self, form: &Form, atom: usize, rest: &mut Vec<Term>, found: &mut Vec<Term>) {
        rest.retain(|term| term.atom != self.atoms[0]);
        let own = |at: Offset, symbol: usize| {
            let found = form.find(self.atoms[0], at, symbol);
            found.map(|at| form.terms[at])
        };
        for start in form.terms.iter().filter(|t| t.atom == self.atoms[0]) {
            let symbol = start.weight.symbol;
            if own(minus(start.at, self.apart), symbol).is_some() {
                continue;
            }
            let mut line = vec![*start];
            while let Some(next) = own(plus(line[line.len() - 1].at, self.apart), symbol) {
                line.push(next);
            }
            let numbers: Vec<Number> = line.iter().map(|term| term.weight.number).collect();
            let divisor = (self.weights[1].number, self.count);
            let parts = match self.combining {
                Combining::Add => quotient(&numbers, divisor),
                _ => covered(numbers.len(), self.count),
            };
            for (term, [whole, left]) in line.iter().zip(parts) {
                let weighted = |number| Weight { number, symbol };
                if !whole.is_zero() {
                    let weight = weighted(whole);
                    let at = term.at;
                    found.push(Term { atom, at, weight });
                }
                if !left.is_zero() {
                    let weight = weighted(left);
                    rest.push(Term { weight, ..*term });
                }
            }
        }
    }
}

/// Quotients that are kept while weights are divided.
const WIDTH: usize = 8;

/// Quotient and remainder, number by number, of a division by the first powers of `ratio z`, with few that are not zero.
fn quotient(numbers: &[Number], (ratio, powers): (Number, usize)) -> Vec<[Number; 2]> {
    /// What is left to divide after some numbers, and how it came to that.
    #[derive(Clone, Copy)]
    struct Partial {
        /// What is taken from the next numbers.
        carry: [Number; MOST_POWERS - 1],
        count: usize,
        /// The part of the last number, and the partial quotient before it.
        part: [Number; 2],
        before: usize,
    }
    let is_zero = |number: &Number| number.field() == Field::from_i64(0);
    let none = [Number::ZERO; 2];
    // Partial quotients of all lengths: those of the numbers so far are the last ones.
    let mut all = vec![Partial {
        carry: [Number::ZERO; MOST_POWERS - 1],
        count: 0,
        part: none,
        before: 0,
    }];
    let mut from = 0;
    for (at, number) in numbers.iter().enumerate() {
        let mut next: Vec<Partial> = Vec::with_capacity(2 * WIDTH);
        for (before, state) in all.iter().enumerate().skip(from) {
            let value = *number - state.carry[0];
            let mut later = [Number::ZERO; MOST_POWERS - 1];
            later[..MOST_POWERS - 2].copy_from_slice(&state.carry[1..]);
            let mut step = |part: [Number; 2], carry: [Number; MOST_POWERS - 1], terms: usize| {
                let count = state.count + terms;
                let new = Partial {
                    carry,
                    count,
                    part,
                    before,
                };
                let same = |known: &&mut Partial| {
                    let mut both = known.carry.iter().zip(&carry);
                    both.all(|(one, other)| one.field() == other.field())
                };
                match next.iter_mut().find(same) {
                    Some(known) if known.count <= count => {}
                    Some(known) => *known = new,
                    None => next.push(new),
                }
            };
            if is_zero(&value) {
                step(none, later, 0);
                continue;
            }
            // The last ones have no others after them.
            if at + powers <= numbers.len() {
                let (mut carry, mut taken) = (later, value);
                for own in carry.iter_mut().take(powers - 1) {
                    taken *= ratio;
                    *own += taken;
                }
                step([value, Number::ZERO], carry, 1);
            }
            step([Number::ZERO, value], later, 1);
        }
        next.sort_by_key(|state| state.count);
        next.truncate(WIDTH);
        from = all.len();
        all.extend(next);
    }
    let ended = (from..all.len()).filter(|at| all[*at].carry.iter().all(is_zero));
    let Some(mut last) = ended.min_by_key(|at| all[*at].count) else {
        return Vec::new();
    };
    let mut parts = Vec::with_capacity(numbers.len());
    for _ in numbers {
        parts.push(all[last].part);
        last = all[last].before;
    }
    parts.reverse();
    parts
}

/// What covers a line of neighbours, number by number: windows, which may lie over each other, where it has room for one.
fn covered(length: usize, window: usize) -> Vec<[Number; 2]> {
    let mut parts = vec![[Number::ZERO; 2]; length];
    let fits = length >= window;
    for part in parts.iter_mut().filter(|_| !fits) {
        part[1] = Number::ONE;
    }
    let places = (0..length).step_by(window).filter(|_| fits);
    places.for_each(|at| parts[at.min(length - window)][0] = Number::ONE);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divided(numbers: &[i64], ratio: i64) -> (Vec<i64>, Vec<i64>) {
        let numbers: Vec<Number> = numbers.iter().map(|n| Number::from_i64(*n)).collect();
        let parts = quotient(&numbers, (Number::from_i64(ratio), 2));
        let values = |which: usize| {
            let all = parts.iter().map(|part| part[which].to_f64() as i64);
            all.collect()
        };
        (values(0), values(1))
    }

    #[test]
    fn weights_are_divided_with_few_terms() {
        assert_eq!(divided(&[1, 4, 6, 4, 1], 1).0, [1, 3, 3, 1, 0]);
        let (whole, left) = divided(&[1, 1, 1, 1, 1], 1);
        assert_eq!((whole, left), (vec![1, 0, 1, 0, 0], vec![0, 0, 0, 0, 1]));
        assert_eq!(divided(&[1, 2], 2).0, [1, 0]);
        assert_eq!(divided(&[3], 1), (vec![0], vec![3]));
    }
}
