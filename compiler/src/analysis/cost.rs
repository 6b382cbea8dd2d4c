//! Operations that executing a program takes, by the counting rules of `loopwright::Cost`.

mod stages;

use std::cmp::Ordering;

use crate::collections::{HashMap, HashSet};
use crate::ir::{
    Affine, ArrayId, Atom, Combining, Element, Equation, Expr, ExprId, Extent, IndexId, Program,
    Role,
};
use crate::syntax::ast::Elementary;
use crate::syntax::cost::{Operations, of_call};

/// Iterations that a loop is taken to have whose length is known at run time only.
pub const NOMINAL: usize = 1024;

/// What `const` parameters are taken for: they are sides of small matrices and components of points.
const OF_CONST: i64 = 8;

/// An extent, or what it is taken for where it is known at run time only.
pub fn nominal(program: &Program, extent: &Extent) -> usize {
    let affine = match extent {
        Extent::Constant(extent) => return *extent,
        Extent::RunTime(affine) => affine,
    };
    let terms = affine.terms.iter().map(|(atom, factor)| match atom {
        Atom::Scalar(array) if program.array(*array).is_const => Some(factor * OF_CONST),
        _ => None,
    });
    let sum = terms.sum::<Option<i64>>().map(|sum| sum + affine.constant);
    sum.map_or(NOMINAL, |extent| {
        usize::try_from(extent).unwrap_or(0).max(1)
    })
}

/// Operations and bytes; the compiler's counterpart of the run time's `Cost`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Additions and subtractions.
    pub add: u64,
    /// Multiplications.
    pub mul: u64,
    /// Divisions.
    pub div: u64,
    /// Comparisons, minima and maxima.
    pub compare: u64,
    /// Elementary functions.
    pub call: u64,
    /// Temporary arrays alive at once.
    pub temporary_bytes: u64,
    /// Constant tables.
    pub table_bytes: u64,
}

impl Cost {
    /// All operations.
    pub fn operations(&self) -> u64 {
        [self.add, self.mul, self.div, self.compare, self.call]
            .into_iter()
            .fold(0, u64::saturating_add)
    }

    /// Adds the operations of `other`, executed `times` times.
    pub fn combine(&mut self, combining: Combining, times: u64) {
        let count = match combining {
            Combining::Add => &mut self.add,
            Combining::Multiply => &mut self.mul,
            _ => &mut self.compare,
        };
        *count = count.saturating_add(times);
    }

    /// Adds another cost.
    pub fn accumulate(&mut self, other: &Cost, times: u64) {
        let more = |own: &mut u64, other: u64| {
            *own = own.saturating_add(other.saturating_mul(times));
        };
        more(&mut self.add, other.add);
        more(&mut self.mul, other.mul);
        more(&mut self.div, other.div);
        more(&mut self.compare, other.compare);
        more(&mut self.call, other.call);
    }
}

/// What computing values in loops takes, and keeping some of them for other iterations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Operations.
    pub operations: u64,
    /// How many more of them divisions and functions take as long as.
    pub longer: u64,
    /// Elements that are loaded, and stored in temporaries.
    pub moves: u64,
    /// Temporaries.
    pub temporaries: u64,
}

impl Work {
    /// Ports of a processor that two operations take, or four loads and stores.
    fn slots(&self) -> u64 {
        2 * (self.operations + self.longer) + self.moves
    }
}

impl Ord for Work {
    /// A load or a store takes half of what an operation takes, since processors issue twice as many; of
    /// what takes as long, fewer operations are better, and then fewer temporaries.
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |work: &Work| (work.slots(), work.operations, work.temporaries);
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Work {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Cost {
    /// How many additions it takes as long as: a division five, a function twenty.
    pub fn additions(&self) -> u64 {
        self.operations() + 4 * self.div + 19 * self.call
    }

    /// The operations of one of so many iterations, rounded up.
    pub fn divided(&self, by: u64) -> Cost {
        let each = |count: u64| count.div_ceil(by.max(1));
        Cost {
            add: each(self.add),
            mul: each(self.mul),
            div: each(self.div),
            compare: each(self.compare),
            call: each(self.call),
            ..*self
        }
    }
}

impl From<Operations> for Cost {
    fn from(operations: Operations) -> Cost {
        Cost {
            add: operations.add,
            mul: operations.mul,
            div: operations.div,
            compare: operations.compare,
            call: operations.call,
            ..Cost::default()
        }
    }
}

/// Cost of a program: of one iteration of its run-time loops, and of what stands outside of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramCost {
    /// Run-time loops whose one iteration `each` counts, outermost first.
    pub per: Vec<IndexId>,
    /// Inside all of them.
    pub each: Cost,
    /// Outside of all of them, once a call.
    pub once: Cost,
}

impl ProgramCost {
    /// Operations of one iteration of the run-time loops, and of what stands outside of them.
    pub fn operations(&self) -> u64 {
        self.each
            .operations()
            .saturating_add(self.once.operations())
    }
}

/// A program as `rustc` sees it, which knows what `const` parameters are.
pub fn with_constants(program: &Program) -> Program {
    with_extents(program, |extent| match nominal(program, extent) {
        NOMINAL => extent.clone(),
        known => Extent::Constant(known),
    })
}

/// The operations of all iterations of a program, with loops of run-time length as long as they are taken to be: what
/// stands in fewer of them counts less.
pub fn nominal_operations(program: &Program) -> u64 {
    nominal_cost(program).operations()
}

/// The same by kind.
pub fn nominal_cost(program: &Program) -> ProgramCost {
    let long = with_extents(program, |extent| Extent::Constant(nominal(program, extent)));
    self::program(&long)
}

/// A program with other extents.
fn with_extents(program: &Program, of: impl Fn(&Extent) -> Extent) -> Program {
    let mut result = program.clone();
    for index in result.indices.iter_mut() {
        index.extent = of(&index.extent);
    }
    for array in result.arrays.iter_mut() {
        array.shape = array.shape.iter().map(&of).collect();
    }
    result
}

/// Iterations of an equation's loops of constant length.
pub fn iterations(program: &Program, equation: &Equation) -> u64 {
    let length = |index| program.loop_index(index).extent.as_constant();
    let lengths = equation.domain().filter_map(length);
    lengths.fold(1, |product: u64, length| {
        product.saturating_mul(length as u64)
    })
}

/// Counts a program.
pub fn program(program: &Program) -> ProgramCost {
    let mut result = ProgramCost::default();
    for equation in &program.equations {
        for index in equation.domain() {
            if !program.is_constant(index) && !result.per.contains(&index) {
                result.per.push(index);
            }
        }
    }
    result.per.sort_unstable();
    // Equations over the same loops are evaluated side by side, unless the later one needs what
    // other loops add in between: they share values. Where operations are the source's, each has its
    // own.
    let mut evaluated: HashMap<(usize, Vec<IndexId>), HashSet<ExprId>> = HashMap::default();
    let stages = stages::stages(program);
    for (equation, stage) in program.equations.iter().zip(stages) {
        let domain = sorted_domain(equation);
        let run_time = domain.iter().any(|index| result.per.contains(index));
        let each = run_time || result.per.is_empty();
        let target = if each {
            &mut result.each
        } else {
            &mut result.once
        };
        let seen = evaluated.entry((stage, domain)).or_default();
        if program.exact {
            seen.clear();
        }
        target.accumulate(&self::equation(program, equation, seen), 1);
    }
    result.each.temporary_bytes = temporary_bytes(program);
    result.each.table_bytes = table_bytes(program);
    result
}

fn sorted_domain(equation: &Equation) -> Vec<IndexId> {
    let mut domain: Vec<IndexId> = equation.domain().collect();
    domain.sort_unstable();
    domain
}

/// The arrays that expressions read.
fn read(program: &Program, exprs: impl IntoIterator<Item = ExprId>) -> HashSet<ArrayId> {
    let accesses = program.pool.accesses(exprs).into_iter();
    accesses.map(|(_, access)| access.array).collect()
}

/// Operations of an equation over the constant part of its domain; expressions in `seen` have
/// been counted.
pub fn equation(program: &Program, equation: &Equation, seen: &mut HashSet<ExprId>) -> Cost {
    let size = |indices: &[IndexId]| -> u64 {
        indices
            .iter()
            .map(|i| program.loop_index(*i).extent.as_constant().unwrap_or(1) as u64)
            .fold(1, u64::saturating_mul)
    };
    let (free, reduction) = (size(&equation.free), size(&equation.reduction));
    let each = expression(program, equation.expr, seen);
    let mut result = Cost::default();
    result.accumulate(&each, free.saturating_mul(reduction));
    let registers = in_registers(program, equation);
    let accumulates = equation.operator.accumulated().is_some();
    let each = match (equation.reduction.len(), registers) {
        (0, _) => u64::from(accumulates),
        // Every iteration adds to the target itself.
        (_, false) => reduction,
        // The first term starts the sum.
        (1, true) if equation.operator.combining().starts_with_any() => {
            reduction.saturating_sub(1) + u64::from(accumulates)
        }
        (_, true) => reduction.saturating_add(u64::from(accumulates)),
    };
    result.combine(equation.operator.combining(), free.saturating_mul(each));
    result
}

/// Whether a sum is kept in registers: a temporary that other equations initialise is not.
pub fn in_registers(program: &Program, equation: &Equation) -> bool {
    let temporary = matches!(program.array(equation.target.array).role, Role::Temporary);
    !(program.exact || (temporary && equation.operator.accumulated().is_some()))
}

/// Operations of one evaluation of an expression; equal sub-expressions, and those in `seen`,
/// count once.
pub fn expression(program: &Program, expr: ExprId, seen: &mut HashSet<ExprId>) -> Cost {
    let mut cost = Cost::default();
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        if !seen.insert(expr) {
            continue;
        }
        node(program, expr, &mut cost);
        program.pool.operands_into(expr, &mut stack);
    }
    cost
}

/// Adds the operations of an expression, those of its operands left out.
pub fn node(program: &Program, expr: ExprId, cost: &mut Cost) {
    match program.pool.get(expr) {
        Expr::Sum(terms) => {
            cost.add += terms.len() as u64 - 1;
            let scaled = terms
                .iter()
                .filter(|t| !t.coefficient.is_one() && !t.coefficient.is_minus_one());
            cost.mul += scaled.count() as u64;
        }
        Expr::Product(factors) => {
            let up: u64 = factors.iter().map(|f| f.power.max(0) as u64).sum();
            let down: u64 = factors.iter().map(|f| (-f.power).max(0) as u64).sum();
            cost.mul += up.saturating_sub(1);
            cost.div += down;
        }
        Expr::Call(Elementary::Min | Elementary::Max, operands) => {
            cost.compare += operands.len().saturating_sub(1) as u64;
        }
        Expr::Call(function, _) => cost.accumulate(&of_call(*function).into(), 1),
        Expr::Compare(..) => cost.compare += 1,
        Expr::Access(access) => {
            let counting = matches!(program.array(access.array).role, Role::Counting);
            let generic = || program.arrays.iter().any(|a| a.element == Element::Generic);
            if counting && !generic() {
                access
                    .subscripts
                    .iter()
                    .for_each(|value| integers(value, cost));
            }
        }
        Expr::Constant(_) | Expr::Select(..) | Expr::Cast(..) => {}
    }
}

/// Adds the operations of an integer that is computed from entries of arrays.
fn integers(value: &Affine, cost: &mut Cost) {
    if !value.is_mapped() {
        return;
    }
    let terms = value.terms.len() as u64 + u64::from(value.constant != 0);
    let scaled = value.terms.iter().filter(|(_, by)| by.unsigned_abs() != 1);
    cost.add += terms - 1;
    cost.mul += scaled.count() as u64;
}

/// Bytes of the temporaries that have more than one element in an iteration of the run-time loops.
fn temporary_bytes(program: &Program) -> u64 {
    program
        .arrays
        .iter()
        .filter(|a| matches!(a.role, Role::Temporary))
        .map(|a| {
            a.shape
                .iter()
                .filter_map(crate::ir::Extent::as_constant)
                .fold(1, |size: u64, extent| size.saturating_mul(extent as u64))
        })
        .filter(|elements| *elements > 1)
        .fold(0, |sum: u64, elements| {
            sum.saturating_add(elements.saturating_mul(8))
        })
}

/// Bytes of the tables that equations read.
fn table_bytes(program: &Program) -> u64 {
    let read = read(program, program.equations.iter().map(|e| e.expr));
    read.iter()
        .map(|array| match &program.array(*array).role {
            Role::Table(values) => values.len() as u64 * 8,
            _ => 0,
        })
        .sum()
}
