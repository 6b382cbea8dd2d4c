//! Running sums: sums of translates that follow from those of earlier iterations.
//!
//! Before: `y[i] = x[i] + … + x[i + 6]   for i`. After:
//! ```text
//! s[0] = x[0] + … + x[5]
//! r[i] = s[i] + x[i + 6]        for i
//! s[i + 1] = r[i] - x[i]        for i
//! y[i] = r[i]                   for i
//! ```
//! Which weights allow that, and from how far before, `differences` finds. Sums of one kind at several places are one
//! running sum, read there: of rows and columns the sums down the columns run, and those along the rows are sums of
//! them.
//!
//! Holds: values are equal in exact arithmetic, and in that of integers. Those of floating-point numbers carry the
//! rounding errors of earlier iterations along, so they have to be asked for ([`Differencing`]).

use std::collections::BTreeMap;

use super::differences::{Recurrence, Rules, recurrence, rough};
use super::form::{Form, Term, Weight};
use super::gather::{Atom, Gathered, in_order};
use super::writer::Writer;
use super::{Along, Group, Running, Shared};
use crate::collections::HashMap;
use crate::ir::{Access, ArrayId, Combining, Element, Expr, ExprId, IndexId, Program, Role};
use crate::number::{Field, Number};
use crate::rewrite::translate::{AXES, Offset, Translation};
use crate::syntax::ast::Differencing;

use super::super::code_motion::name;

/// Most running sums of one group.
const MOST: usize = 8;

/// Replaces sums of translates by running sums, where these take fewer operations.
pub fn share(
    program: &mut Program,
    group: &mut Group,
    translation: &mut Translation,
    along: Along,
) {
    for _ in 0..MOST {
        let mut gathered = Gathered::of(program, group, translation, Combining::Add);
        let Some(class) = best(program, &gathered, translation, along) else {
            return;
        };
        replace(program, group, (&mut gathered, translation), &class);
    }
}

/// Sums along an axis with the same weights, up to a number in front of them.
struct Class {
    atom: usize,
    axis: usize,
    found: Recurrence,
    lines: Vec<Line>,
}

/// The terms of a form along an axis.
#[derive(Clone)]
struct Line {
    /// Which form.
    form: usize,
    atom: usize,
    /// Where its first term is.
    at: Offset,
    symbol: usize,
    /// What is in front of the weights.
    scale: Number,
    weights: Vec<Number>,
}

/// The lines of a form along an axis.
fn lines((number, form): (usize, &Form), axis: usize) -> Vec<Line> {
    let mut found: BTreeMap<(usize, Offset, usize), BTreeMap<i32, Number>> = BTreeMap::new();
    for term in &form.terms {
        let mut across = term.at;
        across[axis] = 0;
        let line = found
            .entry((term.atom, across, term.weight.symbol))
            .or_default();
        line.insert(term.at[axis], term.weight.number);
    }
    let line =
        |((atom, mut at, symbol), terms): ((usize, Offset, usize), BTreeMap<i32, Number>)| {
            let (first, _) = terms.first_key_value()?;
            let (last, _) = terms.last_key_value()?;
            at[axis] = *first;
            let all = *first..=*last;
            let weights: Vec<Number> = all
                .map(|place| terms.get(&place).copied().unwrap_or(Number::ZERO))
                .collect();
            let (scale, weights) = scaled(weights);
            Some(Line {
                form: number,
                atom,
                at,
                symbol,
                scale,
                weights,
            })
        };
    found.into_iter().filter_map(line).collect()
}

/// Weights that are whole numbers times one of them, as these; others as they are.
fn scaled(weights: Vec<Number>) -> (Number, Vec<Number>) {
    let least = weights.iter().filter(|number| !number.is_zero());
    let least = least.min_by(|a, b| a.abs().to_f64().total_cmp(&b.abs().to_f64()));
    let Some(least) = least.copied() else {
        return (Number::ONE, weights);
    };
    let whole = |number: &Number| (*number / least).as_whole();
    match weights.iter().map(whole).collect() {
        Some(whole) => (least, whole),
        None => (Number::ONE, weights),
    }
}

/// The sums whose recurrence saves the most operations.
fn best(
    program: &Program,
    gathered: &Gathered,
    translation: &Translation,
    along: Along,
) -> Option<Class> {
    let axes = translation.axes.len().min(AXES);
    let mut classes: BTreeMap<(usize, usize, Vec<Field>), Vec<Line>> = BTreeMap::new();
    for axis in 0..axes {
        for form in gathered.plan.given.iter().enumerate() {
            for line in lines(form, axis) {
                let key = line.weights.iter().map(|number| number.field()).collect();
                classes
                    .entry((axis, line.atom, key))
                    .or_default()
                    .push(line);
            }
        }
    }
    let mut best: Option<(usize, Class)> = None;
    for ((axis, atom, _), lines) in classes {
        let Some(rules) = rules(program, gathered, (atom, axis == axes - 1), along) else {
            continue;
        };
        let weights = &lines[0].weights;
        let Some(found) = recurrence(weights, rules) else {
            continue;
        };
        let saved = rough(weights) - found.operations;
        if best.as_ref().is_none_or(|(most, _)| saved > *most) {
            let class = Class {
                atom,
                axis,
                found,
                lines,
            };
            best = Some((saved, class));
        }
    }
    best.map(|(_, class)| class)
}

/// How weights of an atom are looked at along an axis; `None` where its sums may not run.
fn rules(
    program: &Program,
    gathered: &Gathered,
    (atom, innermost): (usize, bool),
    along: Along,
) -> Option<Rules<'static>> {
    let atom = &gathered.atoms[atom];
    let element = program.pool.element(atom.expr);
    let whole = matches!(element, Element::Word(_));
    let allowed = match program.differencing {
        Differencing::Off => false,
        Differencing::Exact => whole,
        Differencing::Resync(_) => true,
    };
    if atom.fixed || !allowed || element.is_integer() {
        return None;
    }
    let distances: &[usize] = match (innermost, along) {
        (false, _) | (true, Along::All) => &[1, 2, 3],
        (true, Along::Outer) => &[],
        // Of two vectors of 512 bits: one of them need not wait for the other.
        (true, Along::Vectors) if element.is_half() => &[32],
        (true, Along::Vectors) => &[16],
    };
    (!distances.is_empty()).then_some(Rules { distances, whole })
}

/// Puts a running sum in the place of sums.
fn replace(
    program: &mut Program,
    group: &mut Group,
    (gathered, translation): (&mut Gathered, &Translation),
    class: &Class,
) {
    let expr = gathered.atoms[class.atom].expr;
    let own = program.pool.indices(expr).to_vec();
    let dims: Vec<IndexId> = (group.free.iter().copied())
        .filter(|index| own.contains(index))
        .collect();
    let title = name(program, expr).replace("_running", "");
    let mut known = HashMap::default();
    let mut base = class.atom;
    if let Some(inner) = &class.found.inner {
        let form = weighted((class.atom, class.axis), inner);
        let value = written((program, gathered, translation), &form, &mut known);
        let array = new_array(program, &format!("{title}_sums"), value);
        base = add_atom(program, gathered, (array, &dims, value), translation, false);
        group.shared.push(Shared {
            array,
            dims: dims.clone(),
            value,
            running: None,
        });
    }
    let own = own_temporary(group, gathered, class);
    let array = match own {
        Some(at) => group.shared[at].array,
        None => new_array(program, &format!("{title}_running"), expr),
    };
    let state = new_array(program, &format!("{title}_next"), expr);
    let sum = add_atom(program, gathered, (array, &dims, expr), translation, false);
    let handed = add_atom(program, gathered, (state, &dims, expr), translation, true);
    let found = &class.found;
    let mut value = weighted((base, class.axis), &found.added);
    value.terms.push(single(handed, Number::ONE));
    let mut next = weighted((base, class.axis), &found.handed);
    next.terms.push(single(sum, found.ratio));
    let seed = weighted((base, class.axis), &found.first);
    let mut write = |form: &Form| written((program, gathered, translation), form, &mut known);
    let [value, next, seed] =
        [&value, &next, &seed].map(|form| write(&Form::new(form.combining, form.terms.clone())));
    let running = Running {
        state,
        axis: class.axis,
        by: found.by,
        next,
        seed,
    };
    for (at, form) in gathered.plan.given.clone().iter().enumerate() {
        let Some(form) = without(form, (at, sum), class) else {
            continue;
        };
        let root = gathered.roots[at];
        let new = written((program, gathered, translation), &form, &mut known);
        known.insert(root, new);
    }
    for value in group.values_mut() {
        *value = program.pool.replace(*value, &mut known);
    }
    let shared = Shared {
        array,
        dims,
        value,
        running: Some(running),
    };
    match own {
        Some(at) => group.shared[at] = shared,
        None => group.shared.push(shared),
    }
    group.shared = in_order(program, std::mem::take(&mut group.shared));
}

/// The temporary that holds the sums already, if one does.
fn own_temporary(group: &Group, gathered: &Gathered, class: &Class) -> Option<usize> {
    let used = class.lines[0].weights.iter();
    let count = used.filter(|number| !number.is_zero()).count();
    let whole = |line: &&Line| {
        let plain = line.scale.is_one() && line.symbol == 0 && line.at == Offset::default();
        plain && gathered.plan.given[line.form].terms.len() == count
    };
    class.lines.iter().filter(whole).find_map(|line| {
        let root = gathered.roots[line.form];
        let mut shared = group.shared.iter();
        shared.position(|shared| shared.value == root && shared.running.is_none())
    })
}

/// A form with a running sum in the place of the lines of a class; `None` if it has none of them.
fn without(form: &Form, (at, sum): (usize, usize), class: &Class) -> Option<Form> {
    let own: Vec<&Line> = class.lines.iter().filter(|line| line.form == at).collect();
    if own.is_empty() {
        return None;
    }
    let across = |mut at: Offset| {
        at[class.axis] = 0;
        at
    };
    let in_line = |term: &&Term| {
        let mut lines = own.iter();
        term.atom == class.atom
            && lines
                .any(|line| line.symbol == term.weight.symbol && across(line.at) == across(term.at))
    };
    let mut terms: Vec<Term> = form
        .terms
        .iter()
        .filter(|term| !in_line(term))
        .copied()
        .collect();
    terms.extend(own.iter().map(|line| Term {
        atom: sum,
        at: line.at,
        weight: Weight {
            number: line.scale,
            symbol: line.symbol,
        },
    }));
    Some(Form::new(form.combining, terms))
}

fn single(atom: usize, number: Number) -> Term {
    Term {
        atom,
        at: Offset::default(),
        weight: Weight { number, symbol: 0 },
    }
}

/// Weighted translates of an atom along an axis.
fn weighted((atom, axis): (usize, usize), weights: &[Number]) -> Form {
    let terms = weights.iter().enumerate().map(|(place, number)| {
        let mut term = single(atom, *number);
        term.at[axis] = place as i32;
        term
    });
    Form::new(Combining::Add, terms.collect())
}

fn written(
    (program, gathered, translation): (&mut Program, &Gathered, &Translation),
    form: &Form,
    known: &mut HashMap<ExprId, ExprId>,
) -> ExprId {
    let mut writer = Writer {
        gathered,
        program,
        translation,
        temporaries: Vec::new(),
        known,
    };
    writer.value(form)
}

/// A temporary whose extents are known once all of its readers are.
fn new_array(program: &mut Program, name: &str, like: ExprId) -> ArrayId {
    let element = program.pool.element(like);
    program.add_array(name, element, Vec::new(), Role::Temporary)
}

/// An element of a temporary as an atom.
fn add_atom(
    program: &mut Program,
    gathered: &mut Gathered,
    (array, dims, like): (ArrayId, &[IndexId], ExprId),
    translation: &Translation,
    fixed: bool,
) -> usize {
    let element = program.pool.element(like);
    let access: Access = Shared::access(array, dims, &translation.axes, Offset::default());
    let expr = program.pool.add(Expr::Access(access), element);
    gathered.atoms.push(Atom { expr, fixed });
    gathered.atoms.len() - 1
}
