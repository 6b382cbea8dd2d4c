//! Pre-evaluation of reductions (Luporini 2017, section 4 and Algorithms 2 and 3).
//!
//! A sum over quadrature points is expanded into monomials; in each, what is known (tables) is split
//! from what is not (geometry, coefficients), and the tables' sum is evaluated while the kernel
//! expands. What remains is a sum of unknown scalars times reference tensors. Coefficient functions are
//! sums themselves: their definitions may be put in their places, which makes the tensors larger.
//! Temporaries whose definitions stay, local matrices, are evaluated as results are. Sums over cells
//! stay, and so do maps that choose a table. Where a form has several monomials (`classes`), some may
//! be evaluated and the others left to quadrature (`bipartitions`), by what each gains (`theta`).
//! Products of functions of one space are taken once for each combination (`packed`). Each way is
//! counted, what is left after sharing elimination, and that with the fewest operations is taken if its
//! tables fit the memory bound. Beyond the paper, tables that are up to twice too large are taken if
//! they halve the operations; and where lanes run over cells, those of a register share each load of a
//! table's entry, so that tables of that many times the size fit.
//!
//! Before: `a[e, i, j] += sum(q) w[q] * det[e] * phi[q, i] * phi[q, j]`. After:
//! `a[e, i, j] += det[e] * reference[i, j]`.
//! Holds: values are equal in exact arithmetic, operations never more than before.

mod aligned;
mod alike;
mod assemble;
mod bipartitions;
mod canonical;
mod classes;
mod common;
mod counted;
mod dissect;
mod entries;
mod evaluation;
mod halves;
mod packed;
mod reference;
mod selections;
mod symmetric;
mod tensor;
mod theta;

use std::cell::Cell;

use crate::analysis::cost;
use crate::collections::{HashMap, HashSet};
use crate::ir::{Affine, ArrayId, Element, Equation, ExprId, Program, Role};
use bipartitions::{Best, Monomials, eliminated};
use classes::{Class, Parted, classes};
use counted::Bound;
pub use counted::Counted;
use dissect::{Definitions, definitions};
use entries::Sharing;
use evaluation::Evaluation;
pub use evaluation::opened;
use selections::Selections;
use theta::Quadrature;

/// Bytes that tables may take unless the kernel says otherwise: the second-level cache of a common
/// processor.
pub const MEMORY: u64 = 512 << 10;
/// Most products of tables that are summed up where that is expected to gain: a limit on work.
const MOST_PRODUCTS: usize = 1 << 26;
/// Bytes of the narrowest vector that kernels are expanded for.
const VECTOR: u64 = 32;
/// Terms, for each operation that code motion alone leaves, from which tables are not tried.
const HOPELESS: u64 = 4;
/// How many times fewer operations are left where equal entries are computed once, and mirrored ones from
/// halves: four, a little less with what that takes.
const SHARED: u64 = 4;
/// Terms that are tried in any case.
const SMALL: u64 = 4096;
/// Most temporaries whose definitions are put in their places one by one.
const MOST_TEMPORARIES: usize = 4;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    if program.exact {
        return Vec::new();
    }
    let search = Search::of(program);
    let moved = Counted::of(program);
    let mut alternatives = Vec::new();
    let choices = choices(&search.opened, &search.definitions);
    let each = choices
        .iter()
        .map(|inlined| Monomials::of(&search, inlined));
    let mut choices: Vec<Monomials> = each.collect();
    let left = search.quadratures(&choices, &moved);
    for monomials in &mut choices {
        monomials.compare(&left);
    }
    let found = search.wholes(&choices, &moved, &mut alternatives);
    let quadrature = quadrature(program, &found, &moved, search.bound);
    let mut best = Best {
        counted: quadrature,
        candidate: None,
        source: program,
        tried: Vec::new(),
    };
    let mut all = vec![format!("quadrature: {}", quadrature.describe())];
    for candidate in found {
        all.push(format!(
            "{}: {}",
            candidate.how,
            candidate.counted.describe()
        ));
        if candidate.counted.beats(&best.counted, search.bound) {
            best.counted = candidate.counted;
            best.candidate = Some(candidate);
        }
    }
    all.append(&mut alternatives);
    let mut thetas = Vec::new();
    for monomials in &choices {
        thetas.extend(monomials.describe(&search));
        monomials.search(&search, &left, &mut best, &mut all);
    }
    if all.len() == 1 && thetas.is_empty() {
        return vec!["nothing is summed over tables that fit the memory bound".to_owned()];
    }
    thetas.push(search.describe_bound());
    let alternatives = all.join("; ");
    let Some(Candidate {
        program: taken,
        how,
        ..
    }) = best.candidate
    else {
        return [vec![format!("nothing ({alternatives})")], thetas].concat();
    };
    *program = taken;
    [vec![format!("{how} ({alternatives})")], thetas].concat()
}

/// A program with sums that were evaluated.
struct Candidate {
    program: Program,
    counted: Counted,
    /// What was evaluated, and how.
    how: String,
}

/// What all candidates come from.
struct Search {
    /// The program, its choices among tables made loops.
    opened: Program,
    selections: Selections,
    definitions: Definitions,
    classes: Vec<Class>,
    /// Bytes that tables may take.
    bound: u64,
    /// Cells that share each load of an entry.
    cells: u64,
    /// Products of tables that may still be summed up where that is expected to gain.
    products: Cell<usize>,
}

impl Search {
    fn of(program: &Program) -> Search {
        let mut opened = program.clone();
        let selections = Selections::open(&mut opened);
        let definitions = definitions(&opened);
        let classes = classes(&mut opened, &definitions);
        let cells = cells(program);
        Search {
            bound: program.memory.unwrap_or(MEMORY).saturating_mul(cells),
            cells,
            products: Cell::new(MOST_PRODUCTS),
            opened,
            selections,
            definitions,
            classes,
        }
    }

    fn evaluation(
        &self,
        parted: &Parted,
        inlined: &HashSet<ArrayId>,
        products: &Cell<usize>,
    ) -> Option<Evaluation> {
        let Parted { program, left } = parted;
        let (definitions, selections) = (&self.definitions, &self.selections);
        let limits = (self.bound, products);
        Evaluation::of(program, left, definitions, selections, inlined, limits)
    }

    /// What an evaluation leads to: with all entries of tables, with equal ones once, and with mirrored ones
    /// from halves.
    fn candidates(&self, parted: &Parted, evaluation: &Evaluation, how: &str) -> Vec<Candidate> {
        let ways = [None, Some(Sharing::Once), Some(Sharing::Halves)];
        let each = ways.into_iter().filter_map(|sharing| {
            let program = evaluation.assembled(&parted.program, &self.selections, sharing)?;
            let counted = Counted::of(&program);
            let how = match sharing {
                None => how.to_owned(),
                Some(Sharing::Once) => format!("{how}, equal entries once"),
                Some(Sharing::Halves) => format!("{how}, mirrored entries from halves"),
            };
            Some(Candidate {
                program,
                counted,
                how,
            })
        });
        each.collect()
    }

    /// Everything that can be evaluated, for each choice of temporaries whose definitions are put in.
    fn wholes(
        &self,
        choices: &[Monomials],
        moved: &Counted,
        alternatives: &mut Vec<String>,
    ) -> Vec<Candidate> {
        let all = Parted {
            program: self.opened.clone(),
            left: vec![false; self.opened.equations.len()],
        };
        let mut found = Vec::new();
        for monomials in choices {
            let inlined = monomials.inlined;
            // Equal entries and zeros leave a part of what is expected, not so small a one.
            let expected = monomials.expected().unwrap_or(0);
            if is_hopeless(expected / HOPELESS, moved.operations) {
                let what = self.describe(inlined, None);
                alternatives.push(format!("{what}: {expected} operations expected, not tried"));
                continue;
            }
            let little = Cell::new(0);
            let products = if monomials.gain(self.sharing()) {
                &self.products
            } else {
                &little
            };
            let Some(evaluation) = self.evaluation(&all, inlined, products) else {
                continue;
            };
            let what = self.describe(inlined, None);
            let terms = evaluation.terms();
            if is_hopeless(terms, moved.operations) {
                alternatives.push(format!("{what}: {terms} terms, not tried"));
                continue;
            }
            found.extend(self.candidates(&all, &evaluation, &what));
        }
        found
    }

    /// How many times fewer operations equal and mirrored entries may leave: matrices that a pair of loops
    /// of one length writes have them.
    fn sharing(&self) -> u64 {
        let program = &self.opened;
        let is_square = |equation: &&Equation| {
            let lengths = equation.free.iter();
            let lengths =
                lengths.filter_map(|index| program.loop_index(*index).extent.as_constant());
            let mut lengths: Vec<usize> = lengths.collect();
            lengths.sort_unstable();
            lengths.windows(2).any(|pair| pair[0] == pair[1])
        };
        let mut results = program.equations.iter().filter(|sum| {
            let target = &program.array(sum.target.array).role;
            !sum.reduction.is_empty() && matches!(target, Role::Output(_))
        });
        if results.all(|sum| is_square(&sum)) {
            SHARED
        } else {
            1
        }
    }

    /// What each monomial takes by itself if it is left. That is not counted if none can gain.
    fn quadratures(&self, choices: &[Monomials], moved: &Counted) -> Vec<Quadrature> {
        let most = Quadrature::AtMost(moved.operations);
        let estimates = choices
            .iter()
            .flat_map(|choice| &choice.evaluated)
            .flatten();
        let mut promising = estimates.filter(|(_, operations)| *operations < moved.operations);
        match self.classes.as_slice() {
            [_] => vec![Quadrature::Counted(moved.operations)],
            several if promising.next().is_none() => vec![most; several.len()],
            several => {
                let each = several.iter();
                let alone = |class| bipartitions::quadrature(&self.opened, class, &self.selections);
                each.map(alone).map(Quadrature::Counted).collect()
            }
        }
    }

    /// What tables may take, for the report.
    fn describe_bound(&self) -> String {
        match self.cells {
            1 => format!("tables may take {} bytes", self.bound),
            cells => format!(
                "tables may take {} bytes: {cells} cells share each load of an entry",
                self.bound
            ),
        }
    }

    /// Those of some temporaries that monomials read, or the definitions of those do.
    fn read(&self, of: &HashSet<ArrayId>, monomials: &[usize]) -> HashSet<ArrayId> {
        let terms = monomials
            .iter()
            .flat_map(|at| self.classes[*at].terms.values());
        let mut exprs: Vec<ExprId> = terms.flatten().map(|term| term.expr).collect();
        let mut result = HashSet::default();
        while let Some(expr) = exprs.pop() {
            for (_, access) in self.opened.pool.accesses([expr]) {
                if of.contains(&access.array) && result.insert(access.array) {
                    exprs.extend(self.definitions.get(&access.array).map(|found| found.expr));
                }
            }
        }
        result
    }

    /// What is evaluated: of some monomials, if not of all.
    fn describe(&self, inlined: &HashSet<ArrayId>, of: Option<&[usize]>) -> String {
        let of = of.map_or(String::new(), |classes| {
            let names = classes.iter().map(|at| self.classes[*at].name.as_str());
            format!(" of {} alone", names.collect::<Vec<_>>().join(", "))
        });
        match inlined.is_empty() {
            true => format!("tables{of}"),
            false => format!("tables{of} and the sums of {}", self.names(inlined)),
        }
    }

    fn names(&self, arrays: &HashSet<ArrayId>) -> String {
        let mut names: Vec<&str> = arrays
            .iter()
            .map(|array| self.opened.array(*array).name.as_str())
            .collect();
        names.sort_unstable();
        format!("`{}`", names.join("`, `"))
    }
}

/// Whether so many terms cannot take fewer operations than are known to be enough.
fn is_hopeless(terms: u64, operations: u64) -> bool {
    terms > SMALL && terms / HOPELESS > operations
}

/// What the program takes if nothing is evaluated. That is counted after sharing elimination, unless
/// some candidate takes less than one operation for each iteration, or none takes less than code
/// motion alone leaves: `moved`.
fn quadrature(program: &Program, found: &[Candidate], moved: &Counted, bound: u64) -> Counted {
    let sums = program.equations.iter().filter(|e| !e.reduction.is_empty());
    let least = Counted {
        operations: sums
            .map(|equation| cost::iterations(program, equation))
            .sum(),
        bytes: 0,
        copied: 0,
        bound: Bound::AtLeast,
    };
    let beaten = |by: &Counted| found.iter().any(|found| found.counted.beats(by, bound));
    if beaten(&least) {
        return least;
    }
    if !beaten(moved) {
        return Counted {
            bound: Bound::AtMost,
            ..*moved
        };
    }
    eliminated(program)
}

/// Cells for which an entry of a table is loaded once: the lanes of the narrowest vectors, if lanes can
/// run over the loop over cells. The cells of such a tile share what tables take, so that tables may
/// be larger by that factor.
fn cells(program: &Program) -> u64 {
    let outputs =
        |equation: &&Equation| matches!(program.array(equation.target.array).role, Role::Output(_));
    let sums = (program.equations.iter()).filter(|sum| !sum.reduction.is_empty());
    // Each cell has its own result.
    let apart = |equation: &Equation| {
        let mut along = equation
            .target
            .subscripts
            .iter()
            .filter_map(Affine::as_index);
        along.any(|index| equation.free.contains(&index) && !program.is_constant(index))
    };
    if let Some(cells) = program.tile {
        return cells;
    }
    if !sums.clone().all(apart) {
        return 1;
    }
    let element = |equation: &Equation| program.array(equation.target.array).element;
    let narrow = sums.filter(outputs).all(|sum| element(sum) == Element::F32);
    VECTOR / if narrow { 4 } else { 8 }
}

/// Which temporaries are replaced by their definitions: none, all, or one of them.
fn choices(program: &Program, definitions: &Definitions) -> Vec<HashSet<ArrayId>> {
    let mut all: Vec<ArrayId> = definitions.keys().copied().collect();
    all.retain(|array| {
        let mut known = HashMap::default();
        let mut sums = program.equations.iter().filter(|e| !e.reduction.is_empty());
        sums.any(|equation| program.pool.reads(equation.expr, *array, &mut known))
    });
    all.sort_unstable();
    let mut result = vec![HashSet::default()];
    if !all.is_empty() {
        result.push(all.iter().copied().collect());
    }
    if (2..=MOST_TEMPORARIES).contains(&all.len()) {
        result.extend(all.iter().map(|array| HashSet::from_iter([*array])));
    }
    result
}
