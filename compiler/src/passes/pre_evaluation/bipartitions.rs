//! Which monomials are evaluated and which are left to quadrature (Luporini 2017, Algorithm 3).
//!
//! Monomials that lose by evaluation, those with θ > 0, are left. Of the others, every subset may be
//! evaluated; what a subset is expected to take follows from θ, and those that may be the best are
//! counted, with sharing elimination on what is left. So a bound of memory that one monomial exceeds
//! does not keep the others from being evaluated.
//!
//! Before: `a[e, i, j] += sum(q) f[e, q] * g[e, q] * phi[q, i] * phi[q, j] + s[q, i] * s[q, j]`, where
//! `s` and `phi` are tables. After: `a[e, i, j] += reference[i, j]` and
//! `a[e, i, j] += sum(q) f[e, q] * g[e, q] * phi[q, i] * phi[q, j]`.

use super::classes::{Class, part};
use super::counted::{Bound, Counted};
use super::selections::Selections;
use super::theta::{self, Quadrature, Tensors, Theta};
use super::{Candidate, Search, is_hopeless};
use crate::collections::HashSet;
use crate::ir::{ArrayId, IndexId, Program, Role};
use crate::passes::{sharing_elimination, symmetry_detection};
use crate::rewrite::normalise::sum;
use crate::rewrite::unused::remove_unused;

/// Most monomials of which every subset is looked at. Of more, those are evaluated together that
/// gain most.
const EXHAUSTIVE: usize = 6;
/// Most subsets that are counted for one choice of temporaries.
const MOST_COUNTED: usize = 4;

/// Most monomials whose θ is in the report, for one choice of temporaries.
const MOST_NAMED: usize = 6;

/// What a class takes by itself, in quadrature.
pub fn quadrature(program: &Program, class: &Class, selections: &Selections) -> u64 {
    let mut alone = program.clone();
    let mut equations = Vec::new();
    let mut sums = Vec::new();
    for (at, equation) in program.equations.iter().enumerate() {
        let mut equation = equation.clone();
        if let Some(terms) = class.terms.get(&at) {
            let element = program.pool.element(equation.expr);
            equation.expr = sum(&mut alone.pool, terms.clone(), element);
            sums.push(equations.len());
        } else if !matches!(program.array(equation.target.array).role, Role::Temporary) {
            continue;
        }
        equations.push(equation);
    }
    alone.equations = equations;
    selections.close(&mut alone);
    alone.mirrors = symmetry_detection::found(&mut alone, &sums);
    remove_unused(&mut alone);
    Counted::of(&alone).operations
}

/// A set of monomials, and the operations that are expected if they are evaluated and the others
/// left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bipartition {
    /// The monomials that are evaluated.
    pub evaluated: Vec<usize>,
    /// Operations.
    pub expected: u64,
}

/// The subsets of those monomials that gain, except none and, if all gain, all; the most promising
/// first. `gains` has θ for those that can be evaluated, `left` the operations of quadrature of each.
pub fn bipartitions(gains: &[Option<Theta>], left: &[Quadrature]) -> Vec<Bipartition> {
    let gain = |at: usize| gains[at].filter(|theta| theta.gains());
    let mut promising: Vec<usize> = (0..gains.len()).filter(|at| gain(*at).is_some()).collect();
    let subsets: Vec<Vec<usize>> = if promising.len() <= EXHAUSTIVE {
        let chosen = |bits: usize| {
            let each = promising.iter().enumerate();
            each.filter(|(at, _)| bits >> at & 1 == 1)
                .map(|(_, class)| *class)
                .collect()
        };
        (1..1_usize << promising.len()).map(chosen).collect()
    } else {
        let difference = |at: &usize| gain(*at).map_or(0, |theta| theta.difference());
        promising.sort_by_key(difference);
        let first = |count: usize| {
            let mut chosen = promising[..count].to_vec();
            chosen.sort_unstable();
            chosen
        };
        (1..=promising.len()).map(first).collect()
    };
    let mut result: Vec<Bipartition> = Vec::new();
    for evaluated in subsets {
        if evaluated.len() == gains.len() {
            continue;
        }
        let each = (0..gains.len()).map(|at| match gain(at) {
            Some(theta) if evaluated.contains(&at) => theta.evaluated,
            _ => left[at].operations(),
        });
        let expected = each.fold(0_u64, u64::saturating_add);
        result.push(Bipartition {
            evaluated,
            expected,
        });
    }
    result.sort_by_key(|subset| subset.expected);
    result
}

/// Monomials, the definitions of some temporaries put in.
pub struct Monomials<'a> {
    /// The temporaries.
    pub inlined: &'a HashSet<ArrayId>,
    /// The tensors of each that can be evaluated, and the operations with them.
    pub evaluated: Vec<Option<(Tensors, u64)>>,
    /// θ of these.
    pub gains: Vec<Option<Theta>>,
}

impl<'a> Monomials<'a> {
    /// The tensors of each; θ is found later.
    pub fn of(search: &Search, inlined: &'a HashSet<ArrayId>) -> Monomials<'a> {
        let selected: Vec<IndexId> = search.selections.indices().collect();
        let (program, definitions) = (&search.opened, &search.definitions);
        let each = search.classes.iter();
        let each =
            each.map(|class| theta::evaluated(program, definitions, inlined, class, &selected));
        Monomials {
            inlined,
            evaluated: each.collect(),
            gains: Vec::new(),
        }
    }

    /// Finds θ of each, given what quadrature takes.
    pub fn compare(&mut self, left: &[Quadrature]) {
        let each = self.evaluated.iter().zip(left).map(|(found, quadrature)| {
            found.map(|(tensors, evaluated)| Theta {
                tensors,
                evaluated,
                quadrature: *quadrature,
            })
        });
        self.gains = each.collect();
    }

    /// Whether evaluation of all is expected to gain where entries are shared by so many places.
    pub fn gain(&self, sharing: u64) -> bool {
        let all: Option<Vec<Theta>> = self.gains.iter().copied().collect();
        let difference = |theta: &Theta| theta.shared(sharing).difference();
        all.is_some_and(|all| all.iter().map(difference).sum::<i128>() < 0)
    }

    /// What evaluation of all is expected to take, where that is known of each monomial.
    pub fn expected(&self) -> Option<u64> {
        let each = self.evaluated.iter();
        let each = each.map(|found| found.map(|(_, operations)| operations));
        each.sum()
    }

    /// θ of each, for the report.
    pub fn describe(&self, search: &Search) -> Option<String> {
        let each = search.classes.iter().zip(&self.gains);
        let found = each.filter_map(|(class, theta)| Some((class, (*theta)?)));
        let found: Vec<String> = found
            .map(|(class, theta)| format!("{}: {}", class.name, theta.describe()))
            .collect();
        let more = match found.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        let with = match self.inlined.is_empty() {
            true => String::new(),
            false => format!(" with the sums of {}", search.names(self.inlined)),
        };
        let listed = found[..found.len().min(MOST_NAMED)].join("; ");
        (!found.is_empty()).then(|| format!("θ{with}: {listed}{more}"))
    }

    /// Counts the bipartitions that may take fewer operations than the best that is known, and notes
    /// what was found.
    pub fn search(
        &self,
        search: &Search,
        left: &[Quadrature],
        best: &mut Best,
        alternatives: &mut Vec<String>,
    ) {
        let mut counted = 0;
        for bipartition in bipartitions(&self.gains, left) {
            let promising = bipartition.expected / 5 * 4 <= best.counted.work();
            if counted == MOST_COUNTED || !promising {
                return;
            }
            let inlined = search.read(self.inlined, &bipartition.evaluated);
            if !best.is_new(&bipartition.evaluated, &inlined) {
                continue;
            }
            let what = search.describe(&inlined, Some(&bipartition.evaluated));
            let Some(parted) = part(&search.opened, &search.classes, &bipartition.evaluated) else {
                alternatives.push(format!("{what}: a temporary would need two sums"));
                continue;
            };
            counted += 1;
            let Some(evaluation) = search.evaluation(&parted, &inlined, &search.products) else {
                alternatives.push(format!("{what}: too large"));
                continue;
            };
            let terms = evaluation.terms();
            if is_hopeless(terms, best.counted.operations) {
                alternatives.push(format!("{what}: {terms} terms, not tried"));
                continue;
            }
            for candidate in search.candidates(&parted, &evaluation, &what) {
                best.weigh(candidate, search.bound, alternatives);
            }
        }
    }
}

/// The best so far: `None` for quadrature of all.
pub struct Best<'a> {
    /// What it takes.
    pub counted: Counted,
    /// What was evaluated.
    pub candidate: Option<Candidate>,
    /// What quadrature of all is.
    pub source: &'a Program,
    /// The monomials of each bipartition that was looked at, and the definitions that were put in.
    pub tried: Vec<(Vec<usize>, HashSet<ArrayId>)>,
}

impl Best<'_> {
    /// Whether a bipartition is looked at for the first time.
    fn is_new(&mut self, evaluated: &[usize], inlined: &HashSet<ArrayId>) -> bool {
        let same =
            |tried: &(Vec<usize>, HashSet<ArrayId>)| tried.0 == evaluated && tried.1 == *inlined;
        if self.tried.iter().any(same) {
            return false;
        }
        self.tried.push((evaluated.to_vec(), inlined.clone()));
        true
    }

    /// Takes a candidate if it is better. Where the two are close, both are counted after sharing
    /// elimination: what one gains by it, the other may gain too.
    fn weigh(&mut self, candidate: Candidate, bound: u64, alternatives: &mut Vec<String>) {
        let mut candidate = candidate;
        candidate.counted.bound = Bound::AtMost;
        let close =
            |a: &Counted, b: &Counted| a.work() / 5 * 4 < b.work() && b.work() / 5 * 4 < a.work();
        let first = self.candidate.is_none() && candidate.counted.beats(&self.counted, bound);
        if first || close(&candidate.counted, &self.counted) {
            self.settle(alternatives);
        }
        if close(&candidate.counted, &self.counted) {
            candidate.counted = eliminated(&candidate.program);
        }
        alternatives.push(format!(
            "{}: {}",
            candidate.how,
            candidate.counted.describe()
        ));
        if candidate.counted.beats(&self.counted, bound) {
            self.counted = candidate.counted;
            self.candidate = Some(candidate);
        }
    }

    /// Counts the best after sharing elimination.
    fn settle(&mut self, alternatives: &mut Vec<String>) {
        if !matches!(self.counted.bound, Bound::AtMost) {
            return;
        }
        let (how, counted) = match &self.candidate {
            Some(candidate) => (candidate.how.as_str(), eliminated(&candidate.program)),
            None => ("quadrature", eliminated(self.source)),
        };
        alternatives.push(format!("{how}: {}", counted.describe()));
        self.counted = counted;
    }
}

/// What a program takes after sharing elimination.
pub fn eliminated(program: &Program) -> Counted {
    let mut eliminated = program.clone();
    sharing_elimination::run(&mut eliminated);
    Counted::of(&eliminated)
}
