//! Sums as forms of weighted translates, and back.

use std::collections::BTreeSet;

use super::form::{Form, Term as FormTerm, Weight};
use super::plan::{How, Plan};
use super::search::cheapest;
use super::split::Split;
use super::waves::{Accuracy, Text};
use super::writer::Writer;
use super::{Group, Shared, bases, kept};
use crate::collections::HashMap;
use crate::ir::{Combining, Expr, ExprId, Factor, IndexId, Program, Term};
use crate::number::Number;
use crate::rewrite::normalise::product;
use crate::rewrite::translate::{Offset, Translation};
use crate::syntax::ast::Elementary;

/// Most terms of all sums that a search is made for.
const MOST: usize = 2048;

/// Replaces sums by cheaper ones, with temporaries for what they share.
pub fn share(
    program: &mut Program,
    (group, how): (&mut Group, How),
    translation: &mut Translation,
    combining: Combining,
) {
    let mut gathered = Gathered::of(program, group, translation, combining);
    let mut atoms = gathered.atoms.iter().map(|atom| atom.expr);
    let whole = atoms.any(|expr| program.pool.element(expr).as_word().is_some());
    gathered.plan.how = How { whole, ..how };
    let count: usize = gathered
        .plan
        .given
        .iter()
        .map(|form| form.terms.len())
        .sum();
    if count > MOST {
        return;
    }
    let fixed: Vec<bool> = gathered.atoms.iter().map(|atom| atom.fixed).collect();
    let plan = cheapest(&gathered.plan, &fixed, &gathered.accuracy);
    if plan.shared.iter().all(Option::is_none) {
        return;
    }
    gathered.rewrite(program, group, translation, &plan);
}

/// What forms are sums of.
pub(super) struct Atom {
    pub(super) expr: ExprId,
    /// It has no translates.
    pub(super) fixed: bool,
}

/// The sums of a group.
pub(super) struct Gathered {
    /// What they are sums by: additions, minima or maxima.
    combining: Combining,
    axes: Vec<IndexId>,
    pub(super) atoms: Vec<Atom>,
    known: HashMap<(ExprId, bool), usize>,
    /// Factors that no axis changes.
    pub(super) symbols: Vec<ExprId>,
    /// The sum of each form.
    pub(super) roots: Vec<ExprId>,
    pub(super) plan: Plan,
    accuracy: Accuracy,
}

impl Gathered {
    /// The sums of a group by some operation.
    pub(super) fn of(
        program: &mut Program,
        group: &Group,
        translation: &mut Translation,
        combining: Combining,
    ) -> Gathered {
        let mut gathered = Gathered {
            combining,
            axes: translation.axes.clone(),
            atoms: Vec::new(),
            known: HashMap::default(),
            symbols: Vec::new(),
            roots: Vec::new(),
            plan: Plan {
                read: 0,
                given: Vec::new(),
                shared: Vec::new(),
                axes: translation.axes.len(),
                how: How::default(),
            },
            accuracy: Accuracy::default(),
        };
        let uses = uses(program, &group.values());
        for root in gathered.found(program, group.values(), &uses) {
            let Some(operands) = gathered.combined(program, root) else {
                continue;
            };
            let mut terms = Vec::new();
            let mut text = Vec::new();
            let mut whole = true;
            for term in operands {
                let weight = Weight {
                    number: term.coefficient,
                    symbol: 0,
                };
                let mut each = Terms {
                    program,
                    group,
                    translation,
                    uses: &uses,
                    terms: &mut terms,
                    whole: &mut whole,
                };
                text.push(gathered.collect(&mut each, weight, term.expr));
            }
            let text = (!whole).then_some(Text::Sum(text));
            gathered.accuracy.texts.push(text);
            gathered.roots.push(root);
            gathered.plan.given.push(Form::new(combining, terms));
        }
        gathered.plan.read = gathered.atoms.len();
        gathered
    }

    /// The sums that values are made of, but for those that belong to others, in the order of their ids.
    fn found(
        &self,
        program: &Program,
        values: Vec<ExprId>,
        uses: &HashMap<ExprId, usize>,
    ) -> BTreeSet<ExprId> {
        let mut roots = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut stack = values;
        while let Some(expr) = stack.pop() {
            if !seen.insert(expr) {
                continue;
            }
            let Some(terms) = self.combined(program, expr) else {
                stack.extend(program.pool.operands(expr));
                continue;
            };
            if terms.len() > 1 {
                roots.insert(expr);
            }
            // What its terms are sums of belongs to it, but for what stands elsewhere too.
            let mut inner: Vec<ExprId> = terms.iter().map(|term| term.expr).collect();
            while let Some(expr) = inner.pop() {
                match self.opened(program, uses, expr) {
                    Some(opened) => inner.extend(opened.terms.iter().map(|t| t.expr)),
                    None => stack.push(expr),
                }
            }
        }
        roots
    }

    /// The terms that an expression combines.
    fn combined(&self, program: &Program, expr: ExprId) -> Option<Vec<Term>> {
        match (program.pool.get(expr), self.combining) {
            (Expr::Sum(terms), Combining::Add) => Some(terms.clone()),
            (Expr::Call(Elementary::Min, operands), Combining::Min)
            | (Expr::Call(Elementary::Max, operands), Combining::Max) => {
                let term = |expr: &ExprId| Term {
                    coefficient: Number::ONE,
                    expr: *expr,
                };
                Some(operands.iter().map(term).collect())
            }
            _ => None,
        }
    }

    /// A sum that belongs to the one around it. One that is kept whole does where nothing is lost.
    fn opened(
        &self,
        program: &Program,
        uses: &HashMap<ExprId, usize>,
        expr: ExprId,
    ) -> Option<Opened> {
        if uses.get(&expr).copied().unwrap_or(0) > 1 {
            return None;
        }
        if let Some(terms) = self.combined(program, expr) {
            return Some(Opened {
                number: Number::ONE,
                symbol: Vec::new(),
                terms,
                kept: false,
            });
        }
        if self.combining != Combining::Add {
            return None;
        }
        if let Some(inside) = program.pool.inside_kept(expr) {
            let opens = kept::opens(program, &self.axes, inside);
            let opened = opens.then(|| self.opened(program, uses, inside))?;
            return opened.map(|opened| Opened {
                kept: true,
                ..opened
            });
        }
        let Expr::Product(factors) = program.pool.get(expr) else {
            return None;
        };
        let Split {
            varying,
            number,
            others,
        } = Split::of(program, &self.axes, factors);
        let divides = others.iter().any(|factor| factor.power < 0);
        let [
            Factor {
                expr: sum,
                power: 1,
            },
        ] = varying[..]
        else {
            return None;
        };
        let opened = self.opened(program, uses, sum)?;
        let both = !others.is_empty() && !opened.symbol.is_empty();
        (!both && !divides).then(|| Opened {
            number: number * opened.number,
            symbol: [others, opened.symbol].concat(),
            ..opened
        })
    }

    /// Adds a weighted expression to the terms of a form; what it is in the text.
    fn collect(&mut self, each: &mut Terms, weight: Weight, expr: ExprId) -> Text {
        let opened = self.opened(each.program, each.uses, expr);
        let both = |opened: &Opened| weight.symbol > 0 && !opened.symbol.is_empty();
        if let Some(opened) = opened.filter(|opened| !both(opened)) {
            let symbol = match opened.symbol.is_empty() {
                true => weight.symbol,
                false => self.symbol(each.program, opened.symbol, expr),
            };
            *each.whole &= !opened.kept;
            let own = Weight {
                number: opened.number,
                symbol: if symbol == weight.symbol { 0 } else { symbol },
            };
            let terms = opened.terms.iter().map(|term| {
                let number = weight.number * opened.number * term.coefficient;
                self.collect(each, Weight { number, symbol }, term.expr)
            });
            return Text::Sum(terms.collect()).times(own);
        }
        let around = weight;
        let (weight, base) = self.weighted(each, weight, expr);
        let own = Weight {
            number: weight.number / around.number,
            symbol: if weight.symbol == around.symbol {
                0
            } else {
                weight.symbol
            },
        };
        let leaf = is_leaf(each.program, base) && each.group.is_readable(each.program, base);
        let follows = (each.translation.axes.iter())
            .any(|axis| each.program.pool.indices(base).contains(axis));
        let found = match leaf && follows {
            true => each.translation.base(&mut each.program.pool, base),
            false => None,
        };
        let fixed = found.is_none();
        let (expr, at) = found.unwrap_or((base, Offset::default()));
        let atom = *self.known.entry((expr, fixed)).or_insert_with(|| {
            self.atoms.push(Atom { expr, fixed });
            self.atoms.len() - 1
        });
        each.terms.push(FormTerm { atom, at, weight });
        Text::Term(atom, at, weight).times(own)
    }

    /// Splits what no axis changes from an expression that is a product with one other factor.
    fn weighted(&mut self, each: &mut Terms, weight: Weight, expr: ExprId) -> (Weight, ExprId) {
        let Expr::Product(factors) = each.program.pool.get(expr) else {
            return (weight, expr);
        };
        // Nothing is taken out of a minimum.
        if self.combining != Combining::Add {
            return (weight, expr);
        }
        let Split {
            varying,
            number,
            others,
        } = Split::of(each.program, &self.axes, factors);
        let [
            Factor {
                expr: base,
                power: 1,
            },
        ] = varying[..]
        else {
            return (weight, expr);
        };
        if !others.is_empty() && weight.symbol > 0 {
            return (weight, expr);
        }
        let symbol = match others.is_empty() {
            true => weight.symbol,
            false => self.symbol(each.program, others, expr),
        };
        let number = weight.number * number;
        (Weight { number, symbol }, base)
    }

    /// The symbol of a product of factors that no axis changes.
    fn symbol(&mut self, program: &mut Program, factors: Vec<Factor>, like: ExprId) -> usize {
        let element = program.pool.element(like);
        let symbol = product(&mut program.pool, factors, element);
        let known = self.symbols.iter().position(|other| *other == symbol);
        1 + known.unwrap_or_else(|| {
            self.symbols.push(symbol);
            self.symbols.len() - 1
        })
    }

    /// Replaces the sums by those of a plan.
    fn rewrite(
        &mut self,
        program: &mut Program,
        group: &mut Group,
        translation: &Translation,
        plan: &Plan,
    ) {
        let first = group.shared.len();
        let mut known: HashMap<ExprId, ExprId> = HashMap::default();
        let mut writer = Writer {
            gathered: self,
            program,
            translation,
            temporaries: vec![None; plan.shared.len()],
            known: &mut known,
        };
        for (at, form) in plan.in_order() {
            let value = writer.value(form);
            writer.temporaries[at] = Some(group.define(writer.program, value));
        }
        for (at, form) in plan.given.iter().enumerate() {
            let unchanged = form.terms.iter().all(|term| term.atom < plan.read);
            let root = self.roots[at];
            let value = match unchanged {
                true => {
                    let pool = &mut writer.program.pool;
                    pool.map_operands(root, &mut |pool, o| pool.replace(o, writer.known))
                }
                false => writer.value(form),
            };
            writer.known.insert(root, value);
        }
        let temporaries = writer.temporaries;
        for value in group.values_mut() {
            *value = program.pool.replace(*value, &mut known);
        }
        // What earlier ones read may be new.
        let added: Vec<Shared> = temporaries.into_iter().flatten().collect();
        group.shared.splice(first..first, added);
        group.shared = in_order(program, std::mem::take(&mut group.shared));
    }
}

/// The terms of a sum, and what is in front of it.
struct Opened {
    number: Number,
    /// Factors that no axis changes.
    symbol: Vec<Factor>,
    terms: Vec<Term>,
    /// It is a sum that is kept whole, or has one in it.
    kept: bool,
}

/// Temporaries, each after those that it reads.
pub(super) fn in_order(program: &Program, mut left: Vec<Shared>) -> Vec<Shared> {
    let mut result: Vec<Shared> = Vec::new();
    while !left.is_empty() {
        let waits = |shared: &Shared| {
            let read = program.pool.accesses(shared.values());
            read.iter().any(|(_, access)| {
                let mut others = left.iter().filter(|other| other.array != shared.array);
                others.any(|other| other.array == access.array)
            })
        };
        let next = left.iter().position(|shared| !waits(shared)).unwrap_or(0);
        result.push(left.remove(next));
    }
    result
}

/// How often values stand in others, or by themselves.
fn uses(program: &Program, values: &[ExprId]) -> HashMap<ExprId, usize> {
    let mut uses: HashMap<ExprId, usize> = HashMap::default();
    for expr in bases::reachable(program, values) {
        for operand in program.pool.operands(expr) {
            *uses.entry(operand).or_default() += 1;
        }
    }
    values
        .iter()
        .for_each(|v| *uses.entry(*v).or_default() += 1);
    uses
}

/// Where the terms of a form go, and what says what they are.
struct Terms<'a> {
    program: &'a mut Program,
    group: &'a Group,
    translation: &'a mut Translation,
    uses: &'a HashMap<ExprId, usize>,
    terms: &'a mut Vec<FormTerm>,
    /// No sum that is kept whole was opened.
    whole: &'a mut bool,
}

/// What is read and computed nowhere: elements, and conversions of them.
fn is_leaf(program: &Program, expr: ExprId) -> bool {
    match program.pool.get(expr) {
        Expr::Access(_) => !program.pool.element(expr).is_integer(),
        Expr::Cast(_, inside) => {
            program.pool.inside_kept(expr).is_none()
                && matches!(program.pool.get(*inside), Expr::Access(_))
        }
        _ => false,
    }
}
