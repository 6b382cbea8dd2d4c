//! Time loops: a loop around all nests of a kernel, whose iterations write again what they read.
//!
//! ```text
//! for _ in 0..steps {
//!     for i in 1..n - 1 { b[i] = f(a[i - 1], a[i], a[i + 1]); }
//!     for i in 1..n - 1 { a[i] = f(b[i - 1], b[i], b[i + 1]); }
//! }
//! ```
//! No equation has an element for each step, and none has all of its reads before its writes. But a step is a program
//! like others, and what it leaves in the arrays is what the next one begins with: the program is that of one step,
//! which is [repeated](crate::ir::Program::repeated).
//!
//! Holds: nothing is handed on from step to step but what is in arrays, and no step knows its number.

use super::value::Value;
use super::{Lowered, Lowerer, Problem, Result, attempts, opaque};
use crate::diagnostics::Span;
use crate::ir::{Affine, Atom, Expr, Extent, IndexId};
use crate::lower::{Arrays, findings::Findings};
use crate::syntax::ast::{ForLoop, Function, LoopId, Module, Statement, Type};

/// The last statement of a kernel that has no result, if it is a loop that others are in.
fn last(function: &Function) -> Option<LoopId> {
    let Some(Statement::For(own)) = function.body.statements.last() else {
        return None;
    };
    let nests = (own.body.statements.iter()).any(|s| matches!(s, Statement::For(_)));
    let taken = nests && own.adaptors.is_empty() && function.body.value.is_none();
    (taken && function.options.plan.is_empty()).then_some(own.id)
}

/// The program of one step of a kernel's time loop; `stopped` if that has none, too.
pub fn step(
    module: &Module,
    function: &Function,
    (exact, arrays): (bool, Arrays),
    stopped: Problem,
) -> Result<Lowered> {
    let Some(own) =
        last(function).filter(|_| matches!(&function.result, Type::Tuple(all) if all.is_empty()))
    else {
        return Err(stopped);
    };
    let findings = Findings {
        repeated: Some(own),
        ..Findings::default()
    };
    attempts(module, function, exact, (arrays, findings)).or(Err(stopped))
}

impl Lowerer<'_> {
    /// Whether a loop is the one that repeats all others.
    pub(super) fn repeats(&self, for_loop: &ForLoop) -> bool {
        let outermost = self.open.is_empty() && self.depth == 0 && self.guards.is_empty();
        let own = self.findings.repeated == Some(for_loop.id);
        own && outermost && self.program.repeated.is_none()
    }

    /// Runs the body of a time loop as that of the kernel.
    pub(super) fn repeated(
        &mut self,
        for_loop: &ForLoop,
        (start, extent): (Affine, Affine),
    ) -> Result<()> {
        let known = |(atom, _): &(Atom, i64)| matches!(atom, Atom::Length(..) | Atom::Scalar(_));
        let variables = &self.frame.function.variables;
        let values = self.frame.values.iter().zip(variables);
        let mut changed = values.filter(|(value, variable)| value.is_some() && variable.mutable);
        let before = changed.next().is_some()
            || !self.states.is_empty()
            || !self.program.equations.is_empty();
        if before || extent.as_constant().is_some() || !extent.terms.iter().all(known) {
            return opaque(
                for_loop.span,
                "a time loop that begins with more than its arguments",
                "let the steps write to arguments of the kernel alone",
            );
        }
        let name = variables[for_loop.variable.0].name.to_string();
        let index = self.program.add_index(&name, Extent::RunTime(extent));
        if let Some(own) = self.loop_id(for_loop) {
            self.kept.entry(own).or_default().push(index);
        }
        let (reached, bounds) = (self.reached.clone(), self.bounds.len());
        let value = Value::Integer(start.add(&Affine::index(index)));
        self.bind_loop(for_loop, value, 0);
        self.program.repeated = Some(index);
        self.block(&for_loop.body)?;
        self.unknown(index, for_loop.span)?;
        for (_, around) in &mut self.bounds[bounds..] {
            around.insert(0, index);
        }
        let all = std::mem::take(&mut self.reached);
        self.reached = all
            .into_iter()
            .map(|mut own| {
                if !reached.contains(&own) {
                    own.domain.insert(0, index);
                }
                own
            })
            .collect();
        Ok(())
    }

    /// An error where what was lowered knows the number of the step.
    fn unknown(&self, index: IndexId, span: Span) -> Result<()> {
        let program = &self.program;
        let exprs = program.reachable();
        let read = exprs
            .iter()
            .filter_map(|expr| match program.pool.get(*expr) {
                Expr::Access(access) => Some(access),
                _ => None,
            });
        let targets = program.equations.iter().map(|equation| &equation.target);
        let reached = self.reached.iter().map(|reached| &reached.access);
        let mut all = read.chain(targets).chain(reached);
        let bounds = self.bounds.iter().map(|(bound, _)| bound);
        let mut affine = bounds.chain(&self.assumed);
        match all.any(|access| access.depends_on(index)) || affine.any(|own| own.depends_on(index))
        {
            false => Ok(()),
            true => opaque(
                span,
                "a time loop whose steps know their numbers",
                "pass what differs from step to step in an array",
            ),
        }
    }
}
