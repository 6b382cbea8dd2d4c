//! Single assignment, and the order of definitions.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Finder;
use crate::analysis::dependence::{self, Answer, Direction, Pair, Reference};
use crate::ir::{Access, ArrayId, Equation, Expr, IndexId, Operator, Program, Role};

/// Pairs of equations that are compared, at most: a temporary may have an equation for each of its elements.
const MOST_PAIRS: usize = 1 << 12;

impl Finder<'_> {
    /// Finds elements of temporaries that are assigned twice or read before they have their value, and
    /// equations that cannot take turns.
    pub(super) fn order(&mut self) {
        let program = self.program;
        let groups = program.together();
        for group in &groups {
            let free = &program.equations[group.start].free;
            let mut others = group.clone().skip(1);
            if let Some(at) = others.find(|at| program.equations[*at].free != *free) {
                let message = "it takes turns with equations over other loops";
                self.wrong(at, message.to_owned());
            }
        }
        let written = program.written();
        self.assignments(&written);
        self.definitions(&written, &groups);
    }

    /// Each element of a temporary is assigned once, and added to after that alone. Local arrays of the text
    /// are filled before: what the text assigns to their elements may be assigned again.
    fn assignments(&mut self, written: &BTreeMap<ArrayId, Vec<usize>>) {
        let program = self.program;
        let of_temporaries = written
            .iter()
            .filter(|(array, _)| is_temporary(program, **array));
        for (array, writers) in of_temporaries {
            let name = self.name(*array);
            for at in writers {
                let equation = &program.equations[*at];
                if equation.operator == Operator::Assign && assigns_again(program, equation) {
                    self.wrong(
                        *at,
                        format!("an element of `{name}` is assigned in several iterations"),
                    );
                }
            }
            let first = &program.equations[writers[0]];
            if first.operator.accumulated().is_some() {
                self.wrong(
                    writers[0],
                    format!("`{name}` is added to before it is assigned"),
                );
            }
            if fills(program, first) {
                continue;
            }
            let pairs = writers.iter().enumerate();
            let pairs = pairs.flat_map(|(n, later)| writers[..n].iter().map(|at| (*at, *later)));
            for (earlier, later) in pairs.take(MOST_PAIRS) {
                let [before, after] = [earlier, later].map(|at| &program.equations[at]);
                if after.operator == Operator::Assign && meet(program, before, after) {
                    self.wrong(later, format!("an element of `{name}` is assigned again"));
                }
            }
        }
    }

    /// What is read of a temporary has its value: what writes it comes before, or takes turns with what
    /// reads it.
    fn definitions(&mut self, written: &BTreeMap<ArrayId, Vec<usize>>, groups: &[Range<usize>]) {
        let program = self.program;
        let ends = groups
            .iter()
            .flat_map(|group| group.clone().map(|_| group.end));
        let ends: Vec<usize> = ends.collect();
        // Of the equations that use an expression, the first one is the one that may be too early.
        for (expr, at) in self.used.clone() {
            let Expr::Access(access) = program.pool.get(expr) else {
                continue;
            };
            if !is_temporary(program, access.array) {
                continue;
            }
            let name = self.name(access.array);
            let Some(writers) = written.get(&access.array) else {
                self.wrong(at, format!("`{name}` is read, and nothing assigns it"));
                continue;
            };
            if writers[0] >= ends[at] {
                self.wrong(at, format!("`{name}` is read before it is assigned"));
                continue;
            }
            let mut later = writers.iter().filter(|writer| **writer >= ends[at]);
            let reader = &program.equations[at];
            let again = later.any(|writer| {
                let writer = &program.equations[*writer];
                surely(program, (access, reader), (&writer.target, writer))
            });
            if again {
                self.wrong(
                    at,
                    format!("an element of `{name}` is written after it is read"),
                );
            }
        }
    }
}

fn is_temporary(program: &Program, array: ArrayId) -> bool {
    matches!(program.array(array).role, Role::Temporary)
}

/// Whether an equation gives all elements along an array's last dimension one value, as the text does where it
/// declares an array. Passes have no use for such temporaries.
fn fills(program: &Program, equation: &Equation) -> bool {
    let last = equation.free.last();
    let moves = |index: &IndexId| program.pool.indices(equation.expr).contains(index);
    equation.is_definition() && last.is_some_and(|last| !moves(last))
}

/// Whether two iterations of an equation write one element.
fn assigns_again(program: &Program, equation: &Equation) -> bool {
    let target = &equation.target;
    let moves = |index: &IndexId| target.depends_on(*index);
    // A loop that some inputs give one iteration may be one that all inputs do.
    let several = |index: &&IndexId| {
        let extent = program.loop_index(**index).extent.as_constant();
        extent.is_some_and(|n| n > 1)
    };
    if equation
        .free
        .iter()
        .filter(several)
        .any(|index| !moves(index))
    {
        return equation.free.iter().all(|index| runs(program, *index));
    }
    if equation.is_definition() || target.loops(&equation.free).is_some() {
        return false;
    }
    let reference = Reference {
        subscripts: &target.subscripts,
        domain: &equation.free,
    };
    let pair = Pair::new(program, reference, reference, &equation.free);
    (0..equation.free.len()).any(|level| {
        let mut directions = vec![Some(Direction::Equal); level];
        directions.push(Some(Direction::Less));
        directions.resize(equation.free.len(), None);
        pair.meets(&directions) == Answer::Surely
    })
}

/// Whether a loop has iterations whatever the inputs are.
fn runs(program: &Program, index: IndexId) -> bool {
    program.loop_index(index).extent.as_constant() != Some(0)
}

/// Whether two equations surely write one element.
fn meet(program: &Program, first: &Equation, second: &Equation) -> bool {
    surely(program, (&first.target, first), (&second.target, second))
}

/// Whether two accesses surely meet in some iterations of their equations.
fn surely(
    program: &Program,
    (first, one): (&Access, &Equation),
    (second, other): (&Access, &Equation),
) -> bool {
    if dependence::apart(&first.subscripts, &second.subscripts) {
        return false;
    }
    let [one, other] = [one, other].map(|equation| equation.domain().collect::<Vec<_>>());
    let mut all = one.iter().chain(&other);
    if !all.all(|index| runs(program, *index)) {
        return false;
    }
    let common: Vec<IndexId> = one.iter().copied().filter(|i| other.contains(i)).collect();
    let [first, second] = [(first, &one), (second, &other)].map(|(access, domain)| Reference {
        subscripts: &access.subscripts,
        domain,
    });
    // In the same iteration of the loops that are around both, or in any.
    let same = vec![Some(Direction::Equal); common.len()];
    [(common.as_slice(), same.as_slice()), (&[], &[])]
        .into_iter()
        .any(|(common, directions)| {
            Pair::new(program, first, second, common).meets(directions) == Answer::Surely
        })
}
