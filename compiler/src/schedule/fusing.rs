//! Programs in which each equation has loops of its own, but for those that fusion makes it share.
//!
//! Before, with one order of the loops for all equations:
//! ```text
//! t[i, k] = sum over j of  a[i, j] * b[j, k]
//! d[i, l] += sum over k of  t[i, k] * c[k, l]
//! ```
//! After, with `k` fused inside of `i`:
//! ```text
//! t[x, y] = sum over j of  a[x, j] * b[j, y]
//! d[x, l] += t[x, y] * c[y, l]        for x, y, l
//! ```
//! where `x` and `y` are loops that both share, and no other loops are. A number that is larger says that a loop
//! is inside of another one: [`build`](super::build) then makes the loop tree that the numbers ask for. A sum
//! over a loop that is shared adds to memory, which is zero before.
//!
//! Which loops are fused, the dynamic programme of Lam 1999 says (section 3.3; [`fusion`]): a chain of fused
//! loops becomes one loop, the more equations it spans the further outside. What several equations read is
//! fused with all of them, in loops that these share: with a bound on memory so that it is the least.
//!
//! Holds: what is computed; the number of products and of additions, where one to zero counts; the order of
//! equations where one reads or overwrites what another one writes.

use std::collections::{BTreeMap, BTreeSet};

use super::dependence::{Dependence, reads};
use super::recomputing::Again;
use super::scopes::grouped;
use crate::analysis::cost::NOMINAL;
use crate::analysis::fusion::{self, Graphs};
use crate::collections::HashMap;
use crate::ir::{Affine, ArrayId, Equation, Expr, IndexId, Operator, Program, Role};
use crate::number::Number;
use crate::rewrite::{rename, replace};

/// Loops of equations that are fused, and what is zero before it is added to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fused {
    /// Whether equations have loops of their own.
    pub own: bool,
    /// Loops that several equations share.
    pub shared: Vec<IndexId>,
    /// Temporaries that are added to in shared loops.
    pub accumulated: Vec<ArrayId>,
    /// Loops that lanes may run over together, each in equations without any of the others.
    pub lanes: Vec<IndexId>,
    /// What is computed again for it, if anything is.
    pub again: Option<Again>,
}

/// Most work of a tree, in pairs of fusions that are compared: there are six trees of each.
const WORK: u64 = 1 << 16;

/// Which loops may be fused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fusible {
    /// None.
    Nothing,
    /// Those over which no reader sums, so that sums stay in registers.
    Kept,
    /// Of these all but those of the two innermost dimensions: a matrix of each temporary is kept, whose rows and vectors register
    /// tiles have.
    KeptMatrices,
    /// Of these all but those of the innermost dimensions, so that register tiles have both rows and vectors.
    KeptRows,
    /// All but those of the innermost dimensions: a row of each temporary is kept, for lanes.
    Rows,
    /// All.
    All,
}

impl Fusible {
    const ALL: [Fusible; 6] = [
        Fusible::Nothing,
        Fusible::KeptMatrices,
        Fusible::KeptRows,
        Fusible::Kept,
        Fusible::Rows,
        Fusible::All,
    ];
}

/// The programs that differ in what they fuse.
pub fn alternatives(program: &Program, graphs: Graphs) -> Vec<(Program, Fused)> {
    // Where nothing is read of what is computed, no loops can share it.
    if program.exact || reads(program).iter().all(Vec::is_empty) {
        return Vec::new();
    }
    let mut result: Vec<(Program, Fused)> = Vec::new();
    let mut known: Vec<Vec<BTreeSet<usize>>> = Vec::new();
    for fusible in Fusible::ALL {
        let Some(chains) = Chains::of(program, fusible, graphs) else {
            continue;
        };
        let scopes: Vec<BTreeSet<usize>> = chains.scopes.values().cloned().collect();
        if !known.contains(&scopes) {
            known.push(scopes);
            result.extend(chains.rewritten(program));
        }
    }
    result
}

/// With the most loops fused, a number for each loop of each equation, which those that are fused have in common;
/// `None` if nothing says which loops are fused.
pub fn most_fused(program: &Program) -> Option<BTreeMap<(usize, IndexId), usize>> {
    Some(Chains::of(program, Fusible::All, Graphs::Least)?.of)
}

/// Chains of fused loops.
struct Chains {
    /// The chain of each loop of each equation.
    of: BTreeMap<(usize, IndexId), usize>,
    /// The equations that each spans.
    scopes: BTreeMap<usize, BTreeSet<usize>>,
    /// The equations in the order in which they are computed.
    order: Vec<usize>,
}

impl Chains {
    fn of(program: &Program, fusible: Fusible, graphs: Graphs) -> Option<Chains> {
        let summed = match fusible {
            Fusible::Kept | Fusible::KeptRows | Fusible::KeptMatrices => summed(program),
            _ => BTreeSet::new(),
        };
        let is_among = |at: usize, index: IndexId, last: usize| {
            let mut inner = program.equations[at]
                .target
                .subscripts
                .iter()
                .rev()
                .take(last);
            inner.any(|subscript| subscript.as_index() == Some(index))
        };
        let is_last = |at, index| is_among(at, index, 1);
        let fuses = |at: usize, index: IndexId| match fusible {
            Fusible::Nothing => false,
            Fusible::All => true,
            Fusible::Kept => !summed.contains(&(at, index)),
            Fusible::KeptMatrices => !summed.contains(&(at, index)) && !is_among(at, index, 2),
            Fusible::KeptRows => !summed.contains(&(at, index)) && !is_last(at, index),
            Fusible::Rows => !is_last(at, index),
        };
        let lengths = (
            Some(NOMINAL as u64),
            &fuses as &dyn Fn(usize, IndexId) -> bool,
        );
        let least = fusion::least(program, lengths, (WORK, graphs))?;
        let of = least.graph.chains(&least.chains);
        let mut scopes: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for ((at, _), chain) in &of {
            scopes.entry(*chain).or_default().insert(*at);
        }
        let mut shared: Vec<&BTreeSet<usize>> = scopes.values().filter(|s| s.len() > 1).collect();
        shared.sort_by_key(|scope| (std::cmp::Reverse(scope.len()), *scope));
        shared.dedup();
        let order = grouped(&least.order, &shared, least.graph.before());
        Some(Chains { of, scopes, order })
    }

    /// The program with a loop for each chain; `None` if equations would have to change places that may not.
    fn rewritten(&self, program: &Program) -> Option<(Program, Fused)> {
        let dependence = Dependence::of(program);
        let place: HashMap<usize, usize> = (self.order.iter().enumerate())
            .map(|(place, at)| (*at, place))
            .collect();
        for later in 0..program.equations.len() {
            for earlier in 0..later {
                if place[&earlier] > place[&later] && dependence.follows(program, later, earlier) {
                    return None;
                }
            }
        }
        let mut result = program.clone();
        let lanes = super::own_lanes::lanes(program, &self.of, &self.scopes);
        let mut chains: Vec<(usize, IndexId)> = Vec::new();
        for ((_, index), chain) in &self.of {
            match chains.iter_mut().find(|(other, _)| other == chain) {
                Some((_, named)) => *named = (*named).min(*index),
                None => chains.push((*chain, *index)),
            }
        }
        let sums = |chain: usize, index: IndexId| {
            let mut all = self.of.iter().filter(|(_, other)| **other == chain);
            all.any(|((at, own), _)| {
                *own == index && program.equations[*at].reduction.contains(own)
            })
        };
        chains.sort_by_key(|(chain, index)| {
            let scope = self.scopes[chain].len();
            let alone = scope == 1;
            // Sums in registers inside of the lanes, and these inside of all else.
            let sum = alone && sums(*chain, *index);
            let lane = alone && lanes.contains(chain);
            (std::cmp::Reverse(scope), sum, lane, *index, *chain)
        });
        let mut named: HashMap<usize, IndexId> = HashMap::default();
        let mut fused = Fused {
            own: true,
            ..Fused::default()
        };
        for (chain, index) in chains {
            let new = result.add_index_like(index);
            for ((_, other), own) in &self.of {
                if *own == chain {
                    result.is_same_loop(new, *other);
                }
            }
            named.insert(chain, new);
            fused
                .shared
                .extend((self.scopes[&chain].len() > 1).then_some(new));
            fused.lanes.extend(lanes.contains(&chain).then_some(new));
        }
        let equations = std::mem::take(&mut result.equations);
        for at in &self.order {
            let mut equation = equations[*at].clone();
            let names: HashMap<IndexId, IndexId> = (equation.domain())
                .map(|index| (index, named[&self.of[&(*at, index)]]))
                .collect();
            let by = rename::substitution(&names);
            replace::substitute(&mut result.pool, &mut equation, &by);
            for index in equation.free.iter_mut().chain(&mut equation.reduction) {
                *index = names[index];
            }
            added(&mut result, equation, &mut fused);
        }
        Some((result, fused))
    }
}

/// The loops of equations, by their number, along which a reader of what they write sums it up.
fn summed(program: &Program) -> BTreeSet<(usize, IndexId)> {
    let mut result = BTreeSet::new();
    for (reader, accesses) in program.equations.iter().zip(reads(program)) {
        for access in accesses {
            let Some(at) = program.sole_writer(access.array) else {
                continue;
            };
            let own = &program.equations[at].target.subscripts;
            let sums = |read: &Affine| reader.reduction.iter().any(|index| read.depends_on(*index));
            let along = own.iter().zip(&access.subscripts);
            let along = along.filter(|(_, read)| sums(read));
            result.extend(along.filter_map(|(own, _)| Some((at, own.as_index()?))));
        }
    }
    result
}

/// Adds an equation; a sum over loops that are shared adds to what is zero before.
fn added(program: &mut Program, mut equation: Equation, fused: &mut Fused) {
    let shared = |index: &IndexId| fused.shared.contains(index);
    let over: Vec<IndexId> = (equation.reduction.iter().copied())
        .filter(shared)
        .collect();
    if over.is_empty() {
        program.equations.push(equation);
        return;
    }
    let target = equation.target.clone();
    let temporary = matches!(program.array(target.array).role, Role::Temporary);
    let assigns = equation.operator == Operator::Assign;
    if assigns && temporary {
        fused.accumulated.push(target.array);
    } else if assigns {
        let element = program.array(target.array).element;
        let zero = program.pool.add(Expr::Constant(Number::ZERO), element);
        let names: HashMap<IndexId, IndexId> = (equation.free.iter())
            .map(|index| (*index, program.add_index_like(*index)))
            .collect();
        let mut first = Equation {
            reduction: Vec::new(),
            expr: zero,
            ..equation.clone()
        };
        let by = rename::substitution(&names);
        replace::substitute(&mut program.pool, &mut first, &by);
        for index in &mut first.free {
            *index = names[index];
        }
        program.equations.push(first);
    }
    if assigns {
        equation.operator = Operator::ADD;
    }
    equation.reduction.retain(|index| !over.contains(index));
    equation.free.extend(over);
    program.equations.push(equation);
}

#[cfg(test)]
mod tests {
    use super::alternatives;
    use crate::analysis::fusion::Graphs;
    use crate::ir::text::parse;

    #[test]
    fn loops_around_matrices_are_fused_without_those_over_their_rows() {
        let program = parse(
            "program cells\nindex e: len(u)\nindex i: n\nindex j: n\nindex k: n\n\
             param 0 d: f64[n, n]\nparam 1 u: f64[len(u), n, n]\noutput 2 v: f64[len(u), n, n]\nparam 3 n: usize\n\
             temp t: f64[len(u), n, n]\n\
             t[e, i, j] = sum(k) d[i, k] * u[e, k, j]   for e, i, j\n\
             v[e, i, j] = sum(k) t[e, i, k] * d[k, j]   for e, i, j\n",
        )
        .unwrap();
        let shared: Vec<Vec<String>> = alternatives(&program, Graphs::Least)
            .into_iter()
            .map(|(program, fused)| {
                let names = fused.shared.into_iter();
                let names = names.map(|index| program.loop_index(index).name.clone());
                names.map(|name| name.replace('\'', " ")).collect()
            })
            .collect();
        let around = |names: &Vec<String>| names.len() == 1 && names[0].starts_with('e');
        assert!(shared.iter().any(around), "{shared:?}");
    }
}
