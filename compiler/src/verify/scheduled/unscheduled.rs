//! Executes programs equation by equation.

use super::point::Point;
use super::storage::Arrays;
use super::{Machine, Result};
use crate::ir::{Equation, IndexId, Program};
use crate::number::Field;
use crate::schedule::tree::Instance;
use crate::verify::coverage::Points;
use crate::verify::memory::Memory;
use crate::verify::samples::Iterations;

/// Executes the equations one after the other, each over its whole domain (those that need each
/// other [together](Program::together)); of indices of constant extent `n`, `runs(n)` are the values. The
/// equations that were met.
///
/// # Errors
/// As for [`run`](super::run).
pub fn run_unscheduled(
    program: &Program,
    memory: &mut Memory,
    runs: &dyn Fn(IndexId) -> Iterations,
    budget: &mut u64,
) -> Result<Points> {
    let arrays = Arrays::new(program, memory, None, 1)?;
    let mut machine = Machine::new(program, arrays, runs, budget)?;
    let mut least = 0_u64;
    for at in 0..program.equations.len() {
        least = least.saturating_add(machine.least_of_equation(at)?);
    }
    let times = match program.repeated {
        Some(index) => machine.count(index)?,
        None => 1,
    };
    machine.affords(least.saturating_mul(times as u64))?;
    for _ in 0..times {
        machine.equations_once()?;
    }
    machine.equations.extend(&machine.evaluator.branches);
    Ok(machine.equations)
}

impl Machine<'_> {
    /// Executes all equations once.
    fn equations_once(&mut self) -> Result<()> {
        let program = self.program;
        for group in program.together() {
            let equations = &program.equations[group.clone()];
            let free = &equations[0].free;
            if equations.iter().any(|equation| equation.free != *free) {
                let array = program.array(equations[0].target.array);
                let name = &array.name;
                return Err(format!(
                    "`{name}` needs values of equations over other indices"
                ));
            }
            // What an equation reads of its own target is from before all of its writes; equations that take turns
            // find what is there at their point.
            let own = |equation: &Equation| {
                let target = program.viewed(equation.target.array);
                let states = program.states(equation.expr);
                states
                    .iter()
                    .any(|access| program.viewed(access.array) == target)
            };
            self.held = matches!(equations, [only] if own(only)).then(Vec::new);
            if let [only] = equations
                && self.held.is_none()
                && self.is_plain(only)
            {
                self.plain(group.start, free)?;
                self.point = Point::origin(program.indices.len());
                continue;
            }
            self.domain(free, &mut |machine| {
                for (at, equation) in group.clone().zip(equations) {
                    let instances = [Instance {
                        equation: at,
                        offsets: Vec::new(),
                    }];
                    machine.reduction(&instances, &equation.reduction)?;
                }
                Ok(())
            })?;
            for held in self.held.take().into_iter().flatten() {
                self.point = held.point;
                self.store(held.equation, held.lane, held.value, held.partial)?;
            }
            self.point = Point::origin(program.indices.len());
        }
        Ok(())
    }

    /// Whether an equation sums up nothing, and reads nothing of what it writes.
    fn is_plain(&self, equation: &Equation) -> bool {
        let program = self.program;
        let target = program.viewed(equation.target.array);
        let mut reads = program.pool.accesses([equation.expr]).into_iter();
        equation.reduction.is_empty()
            && !reads.any(|(_, access)| program.viewed(access.array) == target)
    }

    /// Executes such an equation over its domain: it is computed in the innermost loops at once, and stored then.
    fn plain(&mut self, equation: usize, free: &[IndexId]) -> Result<()> {
        let (outer, inner) = free.split_at(free.len() - self.together(free)?);
        let mut values: Vec<Field> = Vec::new();
        self.domain(outer, &mut |machine| {
            values.clear();
            let mut take = |_, value| values.push(value);
            let at_once = machine.at_once(equation, inner, &mut take)?;
            let mut next = values.iter();
            machine.domain(inner, &mut |machine| {
                let known = next.next().filter(|_| at_once);
                let value = match known {
                    Some(value) => *value,
                    None => {
                        machine.evaluator.forget();
                        machine.evaluate(equation, 0)?
                    }
                };
                machine.store(equation, (0, true), value, false)
            })
        })
    }
}
