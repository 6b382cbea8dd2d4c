//! Whether what a rewritten program reads is what the source reads in some iterations of its loops.
//!
//! The check of `x[map[e][n]]` for all of a loop over n has seen `x[map[e][1]]` as well, and
//! `x[map[e][second[c]]]` where the entries of `second` are below the end of that loop.

use super::names::plain;
use crate::analysis::subscripts::enclosing;
use crate::collections::HashMap;
use crate::ir::{Affine, ArrayId, Atom, Extent, IndexId, Program, Role};

/// Iterations of the loops of the program as lowered, as affine functions in a rewritten program.
pub struct Instance<'a> {
    lowered: &'a Program,
    program: &'a Program,
    at: HashMap<IndexId, Affine>,
}

impl<'a> Instance<'a> {
    /// No loop has its iteration yet.
    pub fn new(lowered: &'a Program, program: &'a Program) -> Self {
        Instance {
            lowered,
            program,
            at: HashMap::default(),
        }
    }

    /// Chooses iterations at which a checked subscript is another one, of the rewritten program;
    /// those that are chosen already stay. It may fail where there are some.
    pub fn meets(&mut self, checked: &Affine, found: &Affine) -> bool {
        let mut rest = found.sub(&Affine::constant(checked.constant));
        let mut open = Vec::new();
        for (atom, c) in &checked.terms {
            match atom {
                Atom::Index(index) => open.push((*index, *c)),
                other => match self.input(other, *c, &rest) {
                    Some(term) => rest = rest.sub(&term),
                    None => return false,
                },
            }
        }
        open.retain(|(index, c)| match self.at.get(index) {
            Some(at) => {
                rest = rest.sub(&at.scale(*c));
                false
            }
            None => true,
        });
        // Large steps first: smaller ones take what is left.
        open.sort_by_key(|(_, c)| -c.abs());
        for (at, (index, c)) in open.iter().enumerate() {
            let others = open[at + 1..].iter().map(|(_, c)| *c);
            let Some(iteration) = self.iteration(*index, *c, others, &rest) else {
                return false;
            };
            rest = rest.sub(&iteration.scale(*c));
            self.at.insert(*index, iteration);
        }
        rest == Affine::default()
    }

    /// Chooses iterations at which the end of a checked loop is that of another one.
    pub fn ends(&mut self, checked: &Affine, found: IndexId) -> bool {
        match &self.program.loop_index(found).extent {
            Extent::RunTime(extent) => self.attempt(|instance| instance.meets(checked, extent)),
            Extent::Constant(_) => false,
        }
    }

    /// Leaves what was chosen before as it was unless something succeeds.
    fn attempt(&mut self, something: impl FnOnce(&mut Self) -> bool) -> bool {
        let before = self.at.clone();
        let succeeds = something(self);
        if !succeeds {
            self.at = before;
        }
        succeeds
    }

    /// The term of `found` that an input with a coefficient stands for.
    fn input(&mut self, checked: &Atom, coefficient: i64, found: &Affine) -> Option<Affine> {
        let with = found.terms.iter().filter(|(_, c)| *c == coefficient);
        let atoms: Vec<Atom> = with.map(|(atom, _)| atom.clone()).collect();
        let found = atoms.into_iter().find(|atom| match (checked, atom) {
            (Atom::Scalar(a), Atom::Scalar(b)) => self.same(*a, *b),
            (Atom::Length(a, axis), Atom::Length(b, other)) => axis == other && self.same(*a, *b),
            (Atom::Map(a, checked), Atom::Map(b, found)) => {
                let mut pairs = checked.iter().zip(found);
                self.same(*a, *b)
                    && checked.len() == found.len()
                    && self.attempt(|instance| pairs.all(|(c, f)| instance.meets(c, f)))
            }
            _ => false,
        });
        found.map(|atom| Affine::atom(atom).scale(coefficient))
    }

    /// The iteration of a loop that a part of `found` stands for, of which multiples by `others` may
    /// be left.
    fn iteration(
        &mut self,
        index: IndexId,
        coefficient: i64,
        mut others: impl Iterator<Item = i64>,
        found: &Affine,
    ) -> Option<Affine> {
        let own = found.terms.iter().filter(|(_, c)| *c == coefficient);
        let mut own = own.map(|(atom, _)| atom.clone());
        let end = match self.lowered.loop_index(index).extent.clone() {
            Extent::Constant(end) => end as i64,
            Extent::RunTime(end) => {
                let same = |atom: &Atom| match atom {
                    Atom::Index(found) => self.ends(&end, *found),
                    _ => false,
                };
                return own.find(same).map(Affine::atom);
            }
        };
        let inside = |affine: &Affine| {
            enclosing(self.program, affine).is_some_and(|(low, high)| low >= 0 && high < end)
        };
        match others.next() {
            None => divided(found, coefficient).filter(inside),
            Some(other) if other.abs() < coefficient.abs() => {
                Some(multiple(found, coefficient)).filter(inside)
            }
            Some(_) => own.map(Affine::atom).find(inside),
        }
    }

    /// Whether an input or a table of the program as lowered is one of the rewritten program.
    fn same(&self, lowered: ArrayId, other: ArrayId) -> bool {
        let [a, b] = [
            self.lowered.array(self.lowered.viewed(lowered)),
            self.program.array(self.program.viewed(other)),
        ];
        let entries = match (&a.role, &b.role) {
            (Role::Table(a), Role::Table(b)) => a == b,
            (Role::Table(_), _) | (_, Role::Table(_)) => false,
            _ => true,
        };
        plain(&a.name) == plain(&b.name) && entries
    }
}

/// A function divided by a number, if all of its coefficients are multiples of that.
fn divided(affine: &Affine, by: i64) -> Option<Affine> {
    let whole = multiple(affine, by);
    (whole.scale(by) == *affine).then_some(whole)
}

/// How often a number is in a function: in its terms that are multiples of it, and in its constant.
fn multiple(affine: &Affine, of: i64) -> Affine {
    let terms = affine.terms.iter().filter(|(_, c)| c % of == 0);
    Affine {
        terms: terms.map(|(atom, c)| (atom.clone(), c / of)).collect(),
        constant: affine.constant.div_euclid(of),
    }
}
