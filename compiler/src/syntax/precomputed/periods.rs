//! Loops over positions of which remainders by a constant are asked for, as loops over blocks and over what is inside of them.
//!
//! Before:
//!
//! ```text
//! for i in 0..n { y[i] = x[i] * window[i % 12] + shift[i / 12]; }
//! ```
//!
//! After:
//!
//! ```text
//! for b in 0..n / 12 { for r in 0..12 { let i = 12 * b + r; y[i] = x[i] * window[r] + shift[b]; } }
//! for r in 0..n % 12 { let i = n / 12 * 12 + r; y[i] = x[i] * window[r] + shift[n / 12]; }
//! ```
//!
//! Where remainders are subscripts of constant arrays alone, in a loop without others inside, blocks are of several
//! periods, so that they fill the lanes of registers, and these arrays are repeated:
//!
//! ```text
//! for b in 0..n / 192 { for r in 0..192 { let i = 192 * b + r; y[i] = x[i] * window_repeated[r]; } }
//! ```
//!
//! Where the remainders are those by two, as checkerboards and mosaics of colours ask for them, also of sums of several loops'
//! variables, `(x + y) % 2`, each is a number: the body is there for the even iteration and for the odd one, and no more than one
//! iteration, an even one, is left.
//!
//! ```text
//! for b in 0..n / 2 { { let i = 2 * b; y[i] = x[i]; } { let i = 2 * b + 1; y[i] = -x[i]; } }
//! for r in 0..n % 2 { let i = n / 2 * 2 + r; y[i] = x[i]; }
//! ```
//!
//! Where the divisor is known when the kernel runs, `i / width` and `i % width`, blocks are rows; if something is left of them, the
//! text runs. Of a loop to `height * width` nothing is, and there are `height` of them.
//!
//! Holds: the iterations and their order.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;

use super::positions::{Positions, Site};
use super::repeated::{Repeated, Root};
use super::{Precomputing, Whole, WholeOperator};
use crate::collections::HashMap;
use crate::syntax::ast::{
    BinaryOperator, Block, Expression, ExpressionKind, ForLoop, LoopId, Pattern, Statement,
    Variable, VariableId,
};
use crate::syntax::expressions::typed;
use crate::syntax::parts::{computed, number};
use crate::syntax::scope::USIZE;

/// Periods that are no longer than a register of bytes.
const LONGEST: u64 = 64;
/// Whole registers of bytes.
const LANES: u64 = 64;
/// Blocks with whole registers are no longer.
const LONGEST_BLOCK: u64 = 512;
/// Loops of a function: those inside of a loop that asks for remainders are there twice.
const MOST_LOOPS: usize = 64;

/// A loop that asks for one period.
struct Found {
    period: u64,
    /// Its first position, and how many there are.
    start: u64,
    length: Whole,
    /// Iterations of a block.
    block: u64,
    /// The same if they are known when the kernel runs.
    width: Option<(Whole, Expression)>,
    /// Arrays that may be repeated, and how far after a period they are read.
    roots: BTreeMap<Root, u64>,
    /// Remainders by two are values.
    parities: bool,
}

/// Where a copy of a loop's body stands.
struct Copy {
    /// The number of blocks before it.
    before: Expression,
    /// The iteration inside of a block: a number, or a variable.
    inside: Expression,
    /// Where remainders are numbers, that iteration of the first block.
    known: Option<u64>,
}

impl Precomputing {
    /// A loop that asks for remainders, in blocks.
    pub(super) fn periods(&mut self, statement: &mut Statement) {
        let Statement::For(inner) = statement else {
            return;
        };
        let Some(found) = self.period(inner) else {
            return;
        };
        let span = inner.span;
        if self.written(&found.length, span).is_none() {
            // What is known of its parts is known by its name.
            self.parameter(found.length.clone(), None, span);
        }
        let block = self.named(inner, "block");
        let own = typed(ExpressionKind::Variable(block), USIZE, span);
        let mut part = |operator, by: &Whole| {
            let whole = Whole::operation(operator, found.length.clone(), by.clone());
            // Rows of a product of both are as many as the other one says.
            self.written(&whole, span).unwrap_or_else(|| {
                let variable = self.parameter(whole, None, span);
                typed(ExpressionKind::Variable(variable), USIZE, span)
            })
        };
        let copies = match &found.width {
            Some((by, width)) => {
                let rows = part(WholeOperator::Times, by);
                vec![(vec![(block, rows)], own, width.clone())]
            }
            None => {
                let by = Whole::Literal(found.block);
                let [blocks, left] =
                    [WholeOperator::Quotient, WholeOperator::Remainder].map(|of| part(of, &by));
                let whole = number(found.block.into(), span);
                vec![
                    (vec![(block, blocks.clone())], own, whole),
                    (Vec::new(), blocks, left),
                ]
            }
        };
        // Of what two parities lead to LLVM chooses in lanes.
        self.periodic |= !found.parities;
        let repeated = self.repeated(&found);
        let copies = copies.into_iter();
        let statements = copies.map(|(mut around, before, length)| {
            if found.parities && !around.is_empty() {
                let parities = [0, 1].map(|parity| Copy {
                    before: before.clone(),
                    inside: number(parity.into(), span),
                    known: Some(parity),
                });
                let bodies = parities.map(|copy| self.copied((inner, &found), &repeated, &copy));
                let both = Block {
                    statements: bodies.into_iter().map(Statement::Block).collect(),
                    value: None,
                    ..inner.body.clone()
                };
                return self.nest(inner, around, both);
            }
            let rest = self.declare(self.variables[inner.variable.0].clone());
            let copy = Copy {
                before,
                inside: typed(ExpressionKind::Variable(rest), USIZE, span),
                known: found.parities.then_some(0),
            };
            let body = self.copied((inner, &found), &repeated, &copy);
            around.push((rest, length));
            self.nest(inner, around, body)
        });
        *statement = Statement::Block(Block {
            statements: statements.collect(),
            value: None,
            ..inner.body.clone()
        });
    }

    /// The one period that a loop asks for.
    fn period(&self, inner: &ForLoop) -> Option<Found> {
        let plain = inner.adaptors.is_empty() && self.loops < MOST_LOOPS;
        let Whole::Literal(start) = self.whole(&inner.start).filter(|_| plain)? else {
            return None;
        };
        let length = self.whole(&inner.end)?;
        let length = Whole::operation(WholeOperator::Excess, length, Whole::Literal(start));
        let (mut all, mut entries) = (BTreeSet::new(), !has_loops(&inner.body));
        let (mut width, mut roots) = (None, BTreeMap::new());
        let mut values = false;
        let positions = Positions::of(self, inner);
        positions.block(&mut inner.body.clone(), &mut |asked, site| {
            // Quotients change inside of a period, unless it begins where they do.
            let first = start + asked.added;
            let begins = match asked.period {
                0 => first == 0,
                period => !asked.quotient || first.is_multiple_of(period),
            };
            let by = self.whole(&asked.by).filter(|_| asked.period == 0);
            all.insert((asked.period, by.as_ref().map(Whole::to_string), begins));
            width = by.map(|by| (by, asked.by));
            match site {
                Site::Entry { root, .. } if asked.period > 0 => {
                    let after = roots.entry(root).or_default();
                    *after = (first % asked.period).max(*after);
                }
                Site::Entry { .. } => {}
                Site::Value(_) => {
                    entries = false;
                    values |= !asked.quotient;
                }
            }
        });
        let [(period, _, true)] = all.into_iter().collect::<Vec<_>>()[..] else {
            return None;
        };
        let filled = (1..=LANES).map(|times| times * period);
        let mut filled = filled.filter(|block| block.is_multiple_of(LANES));
        let filled = filled.next().filter(|block| *block <= LONGEST_BLOCK);
        let block = match entries {
            true => filled.unwrap_or(LANES.div_ceil(period) * period),
            false => period,
        };
        let many = width.is_some() || (2..=LONGEST).contains(&period);
        (many && length.has_input()).then_some(Found {
            period,
            start,
            length,
            block,
            width,
            roots,
            parities: period == 2 && values,
        })
    }

    /// The arrays that a loop's blocks read repeated.
    fn repeated(&mut self, found: &Found) -> HashMap<Root, Repeated> {
        let several = found.block > found.period;
        let roots = found.roots.iter().filter(|_| several);
        roots
            .map(|(root, after)| (*root, self.repeat(*root, found.period, found.block + after)))
            .collect()
    }

    /// A variable that is named after that of a loop.
    fn named(&mut self, inner: &ForLoop, what: &str) -> VariableId {
        let own = self.variables[inner.variable.0].clone();
        let name = Ident::new(&format!("{}_{what}", own.name), own.name.span());
        self.declare(Variable { name, ..own })
    }

    /// A loop's body with what is asked for.
    fn copied(
        &mut self,
        (inner, found): (&ForLoop, &Found),
        repeated: &HashMap<Root, Repeated>,
        copy: &Copy,
    ) -> Block {
        let mut body = inner.body.clone();
        let span = inner.span;
        let sum = |a: &Expression, b: u64| {
            computed(BinaryOperator::Add, a.clone(), number(b.into(), span))
        };
        let repeats = found.block > found.period;
        Positions::of(self, inner).block(&mut body, &mut |asked, site| {
            let added = found.start + asked.added;
            let (times, left) = match found.period {
                0 => (0, 0),
                period => (added / period, added % period),
            };
            let by = || number(found.period.into(), span);
            let value = match (asked.quotient, copy.known) {
                (true, _) => sum(&copy.before, times),
                (false, Some(known)) => {
                    let known = (known + left) % found.period;
                    let others = asked.others.into_iter();
                    let others = others.map(|id| typed(ExpressionKind::Variable(id), USIZE, span));
                    match others.reduce(|l, r| computed(BinaryOperator::Add, l, r)) {
                        None => number(known.into(), span),
                        Some(others) => {
                            computed(BinaryOperator::Remainder, sum(&others, known), by())
                        }
                    }
                }
                (false, None) if left == 0 || repeats => sum(&copy.inside, left),
                (false, None) => computed(BinaryOperator::Remainder, sum(&copy.inside, left), by()),
            };
            match site {
                Site::Entry { base, at, root } => {
                    *at = value;
                    if let Some(repeated) = repeated.get(&root) {
                        repeated.replace(base, 0);
                    }
                }
                Site::Value(expression) => *expression = value,
            }
        });
        self.renumber(&mut body);
        let by = match &found.width {
            Some((_, width)) => width.clone(),
            None => number(found.block.into(), span),
        };
        let before = computed(BinaryOperator::Multiply, copy.before.clone(), by);
        let first = computed(
            BinaryOperator::Add,
            before,
            number(found.start.into(), span),
        );
        let position = computed(BinaryOperator::Add, first, copy.inside.clone());
        let position = Statement::Let(Pattern::Variable(inner.variable), position);
        body.statements.insert(0, position);
        body
    }

    /// Loops around a body, the outermost first, from zero to so many.
    fn nest(
        &mut self,
        inner: &ForLoop,
        around: Vec<(VariableId, Expression)>,
        mut body: Block,
    ) -> Statement {
        let id = body.id;
        for (variable, end) in around.into_iter().rev() {
            let own = Statement::For(Box::new(ForLoop {
                id: self.loop_id(),
                variable,
                start: number(0, inner.span),
                end,
                inclusive: false,
                adaptors: Vec::new(),
                body,
                span: inner.span,
            }));
            body = Block {
                id,
                span: inner.body.span,
                statements: vec![own],
                value: None,
            };
        }
        Statement::Block(body)
    }

    fn loop_id(&mut self) -> LoopId {
        self.loops += 1;
        LoopId(self.loops - 1)
    }

    /// Loops of a copy are loops of their own.
    fn renumber(&mut self, block: &mut Block) {
        for statement in &mut block.statements {
            if let Statement::For(inner) = statement {
                inner.id = self.loop_id();
            }
        }
        let (expressions, blocks) = block.parts_mut();
        blocks.into_iter().for_each(|block| self.renumber(block));
        for expression in expressions {
            self.renumber_in(expression);
        }
    }

    fn renumber_in(&mut self, expression: &mut Expression) {
        for block in expression.blocks_mut() {
            self.renumber(block);
        }
        for operand in expression.operands_mut() {
            self.renumber_in(operand);
        }
    }
}

/// Whether a block has loops.
fn has_loops(block: &Block) -> bool {
    let within = |statement: &Statement| match statement {
        Statement::For(_) => true,
        Statement::Block(inner) => has_loops(inner),
        Statement::Let(_, value) | Statement::Effect(value) | Statement::Assert(value, _) => {
            has_loops_in(value)
        }
        Statement::Assign { value, .. } => has_loops_in(value),
    };
    block.statements.iter().any(within) || block.value.as_deref().is_some_and(has_loops_in)
}

fn has_loops_in(expression: &Expression) -> bool {
    let mut operands = expression.operands().into_iter();
    expression.blocks().into_iter().any(has_loops) || operands.any(has_loops_in)
}
