//! The survey of a text: one look at ranges that says that nothing panics, before the inspector walks its loops.
//!
//! An inspector runs loops in full where bounds and subscripts are entries of arrays, and takes as long as
//! the text where that does little else. Most often far less tells as much: entries of arrays lie between the
//! smallest and the largest of those that a loop may reach, which the run time finds in vector code; with
//! these the bounds of inner loops, and what is subscripted in them, lie between two numbers too.
//!
//! ```text
//! for i in 0..n { for k in starts[i]..starts[i + 1] { … x[columns[k]] … } }
//!
//!     n <= starts.len() - 1            a = min starts[..=n], b = max starts[..=n]
//!     b <= columns.len()               c = max columns[a..b]
//!     c < x.len()
//! ```
//!
//! Both branches of a condition are looked at; what it says of integers counts there, for what is subscripted and computed
//! in them: `x[i - 1]` where `i > 0`. A natural number that changes is at most all that
//! it is assigned in the loops inside of its declaration; what is subscripted with one is for the inspector.
//!
//! Parts of arrays end where they begin or after that, `columns[starts[i]..starts[i + 1]]`, also where entries of an array
//! never fall from each to the next, which the run time finds in vector code, too.
//!
//! An integer is an affine function of atoms (`forms`): of parameters, of loops' variables, which lie between
//! two such functions, and of what else has a smallest and a largest value. Each access and each operation
//! of the text owes that its value is in range: what it may be at most and at least is, for all iterations of
//! the loops around, also for some that the text does not run. So where a survey finds nothing to object to, the
//! inspector would not either, in debug and release builds; otherwise nothing is known, and the inspector runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::forms::Form;
use super::operations::function;
pub use super::operations::{Operation, Rows};
use crate::syntax::ast::IntegerType;

/// The longest text of a survey.
const LONGEST: usize = 1 << 15;

/// What a value is between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    /// A text of Rust, any integer type.
    Known(String),
    /// Two functions of others.
    Between(Form, Form),
    /// What is computed where it is asked for.
    Computed(Operation, Vec<Form>),
}

/// What is printed so far.
#[derive(Debug)]
pub struct Survey {
    pub(super) atoms: Vec<Atom>,
    /// Whether the loops around may run: names of conditions, from the outside.
    pub(super) guards: Vec<String>,
    /// What is not negative where the conditions around hold.
    pub(super) assumed: Vec<Form>,
    /// The smallest and the largest value of atoms, by the condition under which they were computed.
    computed: BTreeMap<(usize, String), (String, String)>,
    /// Atoms whose values are being computed: what is assumed of their operands may follow them.
    computing: Vec<usize>,
    required: BTreeSet<(String, String)>,
    /// Arrays of which a part was read.
    read: Vec<(String, Option<i128>)>,
    pub(super) out: String,
    names: usize,
    possible: bool,
}

/// A number, and texts with their factors.
#[derive(Clone, Default)]
pub(super) struct Bound {
    constant: i128,
    texts: BTreeMap<String, i128>,
}

impl Bound {
    pub(super) fn print(&self) -> String {
        let mut parts = Vec::new();
        if self.constant != 0 || self.texts.is_empty() {
            parts.push(format!("{}i128", self.constant));
        }
        parts.extend(self.texts.iter().map(|(text, factor)| match factor {
            1 => format!("({text} as i128)"),
            factor => format!("{factor}i128 * ({text} as i128)"),
        }));
        format!("({})", parts.join(" + "))
    }
}

impl Survey {
    pub fn new() -> Survey {
        Survey {
            atoms: Vec::new(),
            guards: vec!["true".to_owned()],
            assumed: Vec::new(),
            computed: BTreeMap::new(),
            computing: Vec::new(),
            required: BTreeSet::new(),
            read: Vec::new(),
            out: String::new(),
            names: 0,
            possible: true,
        }
    }

    /// The survey, which returns that where nothing panics; nothing if there is none. Arrays are read only where the types of
    /// their entries do not say enough.
    pub fn print(&self) -> Option<String> {
        if !self.possible || self.out.len() > LONGEST {
            return None;
        }
        let once = format!(
            "let mut __surveyed = true;\n{}if __surveyed {{ return true; }}\n",
            self.out
        );
        if self.read.is_empty() {
            return Some(once);
        }
        let all = 0..self.read.len();
        let read = self.read.iter().enumerate().map(|(at, (_, by_columns))| {
            let ty = match by_columns {
                Some(n) => format!("Columns::<{n}>"),
                None => "Read".to_owned(),
            };
            format!("let mut __read_{at} = __loopwright::ranges::{ty}::default();\n")
        });
        let asked = all.map(|at| format!("__read_{at}.ask_type(__by_type);\n"));
        Some(format!(
            "{}for __by_type in [true, false] {{\n{}{once}}}\n",
            read.collect::<String>(),
            asked.collect::<String>(),
        ))
    }

    /// Whether it reads entries of arrays.
    pub fn reads(&self) -> bool {
        !self.read.is_empty()
    }

    /// Something cannot be said.
    pub fn give_up(&mut self) {
        self.possible = false;
    }

    /// What a text of any integer type is.
    pub fn known(&mut self, text: &str) -> Form {
        self.form(Atom::Known(text.to_owned()))
    }

    /// A value between two others.
    pub fn between(&mut self, low: Form, high: Form) -> Form {
        self.atoms.push(Atom::Between(low, high));
        Form::atom(self.atoms.len() - 1)
    }

    /// A value that is computed.
    pub fn operation(&mut self, operation: Operation, operands: Vec<Form>) -> Form {
        self.form(Atom::Computed(operation, operands))
    }

    /// A value between the ends of what is computed, which is not that of the same operands elsewhere.
    pub fn another(&mut self, operation: Operation, operands: Vec<Form>) -> Form {
        self.atoms.push(Atom::Computed(operation, operands));
        Form::atom(self.atoms.len() - 1)
    }

    fn form(&mut self, atom: Atom) -> Form {
        let known = self.atoms.iter().position(|other| *other == atom);
        Form::atom(known.unwrap_or_else(|| {
            self.atoms.push(atom);
            self.atoms.len() - 1
        }))
    }

    /// What holds is asked for where a value is not negative.
    pub fn enter(&mut self, form: Option<&Form>) {
        let condition = match form.map(|form| self.bound(form, true)) {
            Some(Some(bound)) => format!("{} >= 0", bound.print()),
            _ => {
                self.give_up();
                return self.guards.push("true".to_owned());
            }
        };
        let name = self.name();
        let around = self.guard();
        let _ = writeln!(self.out, "let {name} = {around} && {condition};");
        self.guards.push(name);
    }

    /// The end of what `enter` began.
    pub fn leave(&mut self) {
        self.guards.pop();
    }

    /// A value is not negative, or nothing is known.
    pub fn require(&mut self, form: Option<&Form>) {
        let beside = form.map_or(Vec::new(), |form| self.beside_assumed(form, false));
        self.require_one_of(form, beside);
    }

    /// The same of what was computed where the conditions around may not have held.
    pub fn require_anyway(&mut self, form: Option<&Form>) {
        self.require_one_of(form, Vec::new());
    }

    fn require_one_of(&mut self, form: Option<&Form>, mut others: Vec<Form>) {
        others.extend(form.map_or(Vec::new(), |form| self.beside_limits(form, false)));
        let Some(Some(bound)) = form.map(|form| self.bound(form, false)) else {
            return self.give_up();
        };
        let others: Vec<Bound> =
            (others.iter().filter_map(|other| self.bound(other, false))).collect();
        if others
            .iter()
            .any(|other| other.texts.is_empty() && other.constant >= 0)
        {
            return;
        }
        if bound.texts.is_empty() && (bound.constant >= 0 || others.is_empty()) {
            // What is never so is for the inspector to look at.
            self.possible &= bound.constant >= 0;
            return;
        }
        let all = std::iter::once(&bound).chain(&others);
        let all: Vec<_> = all.map(|bound| format!("{} < 0", bound.print())).collect();
        let mut condition = all.join(" && ");
        if let Some(rises) = form.and_then(|form| self.rises(form)) {
            condition = format!("({condition} && !{rises})");
        }
        let seen = |guard: &String| self.required.contains(&(guard.clone(), condition.clone()));
        if self.guards.iter().any(seen) {
            return;
        }
        let guard = self.guard();
        let text = format!("if {guard} && {condition} {{ __surveyed = false; }}\n");
        self.out.push_str(&text);
        self.required.insert((guard, condition));
    }

    /// The condition under which a value is not negative since an entry of an array is no smaller than one before it, and
    /// what is left beside their difference is not negative.
    fn rises(&mut self, form: &Form) -> Option<String> {
        let entries = form.terms().filter_map(|(atom, factor)| {
            let Atom::Computed(Operation::Entry(rows), at) = &self.atoms[atom] else {
                return None;
            };
            let at = at.first().filter(|_| rows.row == 1 && at.len() == 1)?;
            Some((factor, atom, rows.clone(), at.clone()))
        });
        let (plus, minus): (Vec<_>, Vec<_>) = entries.partition(|(factor, ..)| *factor > 0);
        let ([(1, last, rows, end)], [(-1, first, other, start)]) = (&plus[..], &minus[..]) else {
            return None;
        };
        let distance = end.plus(-1, start)?.as_constant();
        if rows != other || distance.is_none_or(|distance| distance < 0) {
            return None;
        }
        let rest = form
            .plus(-1, &Form::atom(*last))?
            .plus(1, &Form::atom(*first))?;
        let rest = self.bound(&rest, false)?.print();
        let (first, last) = (self.bound(start, false)?, self.bound(end, true)?);
        let (rows, first, last) = (self.flat(rows), first.print(), last.print());
        Some(format!(
            "({rest} >= 0 && __loopwright::ranges::rises({rows}, {first}, {last} + 1i128))"
        ))
    }

    /// How far a value is from what a type holds: neither may be negative.
    pub fn margins(&mut self, form: &Form, ty: IntegerType) -> Option<[Form; 2]> {
        let name = crate::emit::variant::integer_name(ty);
        let most = match ty {
            IntegerType::Usize | IntegerType::Isize => self.known(&format!("{name}::MAX")),
            _ => Form::constant(ty.range().1),
        };
        let above = match ty.is_signed() {
            true => form.plus(1, &most)?.plus_constant(1)?,
            false => form.clone(),
        };
        Some([above, most.plus(-1, form)?])
    }

    pub(super) fn guard(&self) -> String {
        self.guards.last().cloned().unwrap_or_default()
    }

    pub(super) fn name(&mut self) -> String {
        self.names += 1;
        format!("__s{}", self.names)
    }

    /// The largest or the smallest value of a function: atoms are at their ends, the last first, since the
    /// ends of one may follow those before.
    pub(super) fn bound(&mut self, form: &Form, largest: bool) -> Option<Bound> {
        let mut bound = Bound::default();
        let mut rest = form.clone();
        while let Some((atom, factor)) = rest.pop() {
            let above = (factor > 0) == largest;
            let text = match &self.atoms[atom] {
                Atom::Known(text) => text.clone(),
                Atom::Between(low, high) => {
                    let end = if above { high } else { low };
                    rest = rest.plus(factor, end)?;
                    continue;
                }
                Atom::Computed(..) => {
                    let (low, high) = self.ends(atom)?;
                    if above { high } else { low }
                }
            };
            let of = bound.texts.entry(text).or_default();
            *of += factor;
        }
        bound.texts.retain(|_, factor| *factor != 0);
        bound.constant = rest.constant;
        Some(bound)
    }

    /// The names of the smallest and the largest value of what is computed.
    fn ends(&mut self, atom: usize) -> Option<(String, String)> {
        let known = |guard: &String| self.computed.get(&(atom, guard.clone())).cloned();
        if let Some(names) = self.guards.iter().find_map(known) {
            return Some(names);
        }
        let Atom::Computed(operation, operands) = self.atoms[atom].clone() else {
            return None;
        };
        if self.computing.contains(&atom) {
            return None;
        }
        self.computing.push(atom);
        let both = operands
            .iter()
            .flat_map(|operand| [(operand, false), (operand, true)]);
        let ends: Option<Vec<String>> = both
            .map(|(operand, last)| self.end(operand, last))
            .collect();
        self.computing.pop();
        let ends = ends?;
        let (low, high, guard) = (self.name(), self.name(), self.guard());
        let value = match operation {
            Operation::Entry(rows) => {
                let [first, last, ..] = ends.as_slice() else {
                    return None;
                };
                let (entries, length) = (self.flat(&rows), rows.row);
                match rows.column(&operands[1..]) {
                    Some(column) => {
                        let at = self.part((&rows.rows, Some(length)));
                        format!(
                            "__loopwright::ranges::column(&mut __read_{at}, {entries}, \
                             {column}usize, {first}, {last} + 1i128)"
                        )
                    }
                    None => {
                        let at = self.part((&rows.rows, None));
                        format!(
                            "__loopwright::ranges::read(&mut __read_{at}, {entries}, \
                             {length}i128 * {first}, {length}i128 * ({last} + 1i128))"
                        )
                    }
                }
            }
            other => format!(
                "__loopwright::ranges::{}([{}])",
                function(&other),
                ends.join(", ")
            ),
        };
        let _ = writeln!(
            self.out,
            "let ({low}, {high}) = if __surveyed && {guard} {{ {value} }} else {{ (0i128, 0i128) }};"
        );
        let names = (low, high);
        self.computed.insert((atom, guard), names.clone());
        Some(names)
    }

    /// Rows as a slice of their entries.
    fn flat(&self, rows: &Rows) -> String {
        let flattened = |text: String, _| format!("<[_]>::as_flattened({text})");
        (0..rows.sizes.len()).fold(rows.rows.clone(), flattened)
    }

    /// The number of an array of which something is read, by columns of rows of so many entries or all together.
    fn part(&mut self, (rows, by_columns): (&str, Option<i128>)) -> usize {
        let read = (rows.to_owned(), by_columns);
        let known = self.read.iter().position(|other| *other == read);
        known.unwrap_or_else(|| {
            self.read.push(read);
            self.read.len() - 1
        })
    }
}
