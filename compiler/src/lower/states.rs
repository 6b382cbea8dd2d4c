//! Reading what the kernel also writes.
//!
//! A read of an output is of one of its states: between two writes of the text all reads share one,
//! after a write there is a new one. What was just assigned is not read back at all, its value is
//! known. A value that is used after its place was written again is kept in a temporary, taken
//! before that write: `let t = a[i]; a[i] = b[i]; b[i] = t`.

use super::value::{Root, Value};
use super::{Lowerer, Result, Statement};
use crate::analysis::dependence::{Direction, Pair, Reference, beside};
use crate::collections::HashMap;
use crate::diagnostics::Span;
use crate::ir::{
    Access, Affine, ArrayId, Element, Equation, Expr, ExprId, IndexId, Operator, Role,
};
use crate::syntax::ast::Type;

/// Where the text reads an access, or writes one.
#[derive(Clone, Debug)]
pub struct Site {
    /// The loops that were open.
    pub open: Vec<IndexId>,
    /// What was run before, counted in reads and writes.
    pub time: usize,
    /// Where it stands.
    pub span: Span,
}

impl Lowerer<'_> {
    /// Here and now.
    pub(super) fn site(&mut self, span: Span) -> Site {
        self.clock += 1;
        Site {
            open: self.open.clone(),
            time: self.clock,
            span,
        }
    }

    /// Takes down a read of an array that is written.
    pub(super) fn note_read(&mut self, access: &Access, span: Span) {
        let site = self.site(span);
        let sites = self.sites.entry(access.clone()).or_default();
        // Nothing was written since another read of the same state.
        if !sites.iter().any(|other| other.open == site.open) {
            sites.push(site);
        }
    }

    /// The value of an output's element here.
    pub(super) fn read_output(
        &mut self,
        output: ArrayId,
        subscripts: Vec<Affine>,
        element: Element,
        span: Span,
    ) -> ExprId {
        if let Some(value) = self.assigned(output, &subscripts) {
            return value;
        }
        let state = match self.states.get(&output) {
            Some(state) => *state,
            None => {
                let array = self.array(output);
                let (name, shape) = (format!("{}_held", array.name), array.shape.clone());
                let role = array.role.position().map_or(Role::Temporary, Role::State);
                let state = self.program.add_array(&name, element, shape, role);
                self.states.insert(output, state);
                state
            }
        };
        let access = Access {
            array: state,
            subscripts,
        };
        self.note_read(&access, span);
        self.program.pool.add(Expr::Access(access), element)
    }

    /// A value that a variable takes. Scalars are read now; so are the elements of a copied array
    /// that is written, while a reference to it is read where it is used.
    pub(super) fn copied(&mut self, value: Value, ty: &Type, span: Span) -> Result<Value> {
        match (value, ty) {
            (Value::Tuple(fields), Type::Tuple(types)) => fields
                .into_iter()
                .zip(types)
                .map(|(field, ty)| self.copied(field, ty, span))
                .collect::<Result<Vec<_>>>()
                .map(Value::Tuple),
            (Value::Place(place), Type::Array(..)) => match place.root {
                Root::Array(array) if matches!(self.array(array).role, Role::Output(_)) => {
                    self.scalarise(Value::Place(place), span)
                }
                _ => Ok(Value::Place(place)),
            },
            (value, _) => self.materialise(value, span),
        }
    }

    /// What the text assigned to this very element last, if it did so in this iteration: as a
    /// value, which a temporary holds unless it is as simple as one.
    fn assigned(&mut self, output: ArrayId, subscripts: &[Affine]) -> Option<ExprId> {
        let near = |at: &usize| {
            let target = &self.program.equations[*at].target;
            let common = || shared(&self.statements[*at].open, &self.open);
            target.array == output && !beside(&target.subscripts, subscripts, common())
        };
        let all = 0..self.program.equations.len();
        let mut writes: Vec<usize> = all.filter(near).collect();
        writes.sort_by_key(|at| std::cmp::Reverse(self.statements[*at].time));
        for at in writes {
            let (equation, statement) = (&self.program.equations[at], &self.statements[at]);
            // A loop that was opened since may write it further down.
            let same = equation.target.subscripts == subscripts && self.open == statement.open;
            if same {
                let assigns = equation.operator == Operator::Assign;
                return assigns.then(|| self.held(at));
            }
            let first = Reference {
                subscripts: &equation.target.subscripts,
                domain: &statement.open,
            };
            let second = Reference {
                subscripts,
                domain: &self.open,
            };
            let common = shared(&statement.open, &self.open);
            if Pair::new(&self.program, first, second, common).within() {
                return None;
            }
        }
        None
    }

    /// The value of an equation, through a temporary before it.
    fn held(&mut self, at: usize) -> ExprId {
        let equation = self.program.equations[at].clone();
        let expr = self.program.pool.get(equation.expr);
        if matches!(expr, Expr::Constant(_) | Expr::Access(_)) {
            return equation.expr;
        }
        let name = format!("{}_value", self.array(equation.target.array).name);
        let statement = self.statements[at].clone();
        let value = self.define(at, &name, equation.expr, equation.free, statement);
        self.program.equations[at + 1].expr = value;
        value
    }

    /// Puts a temporary before an equation; its value.
    pub(super) fn define(
        &mut self,
        at: usize,
        name: &str,
        expr: ExprId,
        free: Vec<IndexId>,
        statement: Statement,
    ) -> ExprId {
        let element = self.program.pool.element(expr);
        let target = self.program.add_temporary(name, &free, element);
        let equation = Equation {
            target: target.clone(),
            operator: Operator::Assign,
            free,
            reduction: Vec::new(),
            expr,
        };
        self.program.equations.insert(at, equation);
        self.statements.insert(at, statement);
        self.program.pool.add(Expr::Access(target), element)
    }

    /// Keeps what is read where its place is written before the equation that uses it, or at once
    /// with it and not in time.
    pub(super) fn keep_states(&mut self) {
        let mut kept: HashMap<Access, ExprId> = HashMap::default();
        let mut at = 0;
        while at < self.program.equations.len() {
            let expr = self.program.equations[at].expr;
            let states: Vec<Access> = self.program.states(expr).into_iter().cloned().collect();
            let mut known = HashMap::default();
            for access in states {
                if !kept.contains_key(&access) {
                    let Some(before) = self.overwritten(at, &access) else {
                        continue;
                    };
                    kept.insert(access.clone(), self.keep(before, &access));
                    at += 1;
                }
                let element = self.array(access.array).element;
                let read = self.program.pool.add(Expr::Access(access.clone()), element);
                known.insert(read, kept[&access]);
            }
            let expr = self.program.equations[at].expr;
            self.program.equations[at].expr = self.program.pool.replace(expr, &mut known);
            at += 1;
        }
    }

    /// The first equation that writes an output after a state of it was read, if the place that an
    /// equation reads may be written by then.
    fn overwritten(&self, at: usize, access: &Access) -> Option<usize> {
        let sites = self.sites.get(access)?;
        let output = self.program.viewed(access.array);
        let read = sites.iter().map(|site| site.time).min()?;
        let writes = |k: &usize| {
            self.program.equations[*k].target.array == output && self.statements[*k].time > read
        };
        let written = (0..at).filter(writes).any(|k| {
            let target = &self.program.equations[k].target.subscripts;
            sites.iter().any(|site| {
                let first = (access.subscripts.as_slice(), site);
                self.before(first, (target, &self.statements[k])).is_some()
            })
        });
        let late = writes(&at) && self.turns_back(at, access);
        let first = (0..=at).find(writes)?;
        (written || late).then_some(first)
    }

    /// Whether an equation reads a place of its own target in a later iteration of one of its loops
    /// than it writes it.
    fn turns_back(&self, at: usize, access: &Access) -> bool {
        let equation = &self.program.equations[at];
        let domain: Vec<IndexId> = equation.domain().collect();
        let [read, write] = [access, &equation.target].map(|access| Reference {
            subscripts: &access.subscripts,
            domain: &domain,
        });
        let pair = Pair::new(&self.program, read, write, &domain);
        (0..domain.len()).any(|level| pair.turns(level, Direction::Greater))
    }

    /// A temporary for what is read, before an equation.
    fn keep(&mut self, before: usize, access: &Access) -> ExprId {
        let mut free = Vec::new();
        access
            .subscripts
            .iter()
            .for_each(|s| s.collect_indices(&mut free));
        free.sort_unstable();
        let element = self.array(access.array).element;
        let output = self.program.viewed(access.array);
        let name = format!("{}_kept", self.array(output).name);
        let statement = self.sites[access][0].clone();
        let read = self.program.pool.add(Expr::Access(access.clone()), element);
        self.define(before, &name, read, free, statement)
    }
}

/// The loops that are around both of two places of the text.
pub fn shared<'a>(a: &'a [IndexId], b: &[IndexId]) -> &'a [IndexId] {
    let count = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    &a[..count]
}
