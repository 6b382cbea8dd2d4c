//! The loops of equations, and what depends on them.

use super::Finder;
use crate::ir::{IndexId, Role};

impl Finder<'_> {
    /// Finds equations that have not the loops that they need, and those that write what is only read or
    /// read what is only written.
    pub(super) fn equations(&mut self) {
        let program = self.program;
        let name = |index: &IndexId| &program.loop_index(*index).name;
        for (at, equation) in program.equations.iter().enumerate() {
            let domain: Vec<IndexId> = equation.domain().collect();
            let twice = (1..domain.len()).find(|n| domain[..*n].contains(&domain[*n]));
            if let Some(n) = twice {
                let message = format!("the loop `{}` is there twice", name(&domain[n]));
                self.wrong(at, message);
            }
            let target = &equation.target;
            if !matches!(
                program.array(target.array).role,
                Role::Output(_) | Role::Temporary
            ) {
                let message = format!("`{}` is written", self.name(target.array));
                self.wrong(at, message);
            }
            for subscript in &target.subscripts {
                let mut indices = Vec::new();
                subscript.collect_indices(&mut indices);
                for index in indices
                    .iter()
                    .filter(|index| !equation.free.contains(index))
                {
                    let how = match equation.reduction.contains(index) {
                        true => "summed over",
                        false => "not there",
                    };
                    let name = name(index);
                    self.wrong(
                        at,
                        format!("the target depends on the loop `{name}`, which is {how}"),
                    );
                }
            }
            let depends = program.pool.indices(equation.expr).iter();
            for index in depends.filter(|index| !domain.contains(index)) {
                let name = name(index);
                self.wrong(
                    at,
                    format!("the value depends on the loop `{name}`, which is not there"),
                );
            }
        }
        for (expr, at) in self.used.clone() {
            if let crate::ir::Expr::Access(access) = program.pool.get(expr)
                && let Role::Output(_) = program.array(access.array).role
            {
                let message = format!(
                    "`{}` is read, and not a state of it",
                    self.name(access.array)
                );
                self.wrong(at, message);
            }
        }
    }

    /// Finds copies of sums that cannot be copies.
    pub(super) fn mirrors(&mut self) {
        let program = self.program;
        for mirror in &program.mirrors {
            let [first, second] =
                [mirror.first, mirror.second].map(|index| program.loop_index(index));
            if first.extent != second.extent {
                let (a, b) = (&first.name, &second.name);
                let message = format!("the mirrored loops `{a}` and `{b}` have other lengths");
                self.wrong_declaration(message);
            }
            let [from, to] = [&mirror.from, &mirror.to].map(|access| program.array(access.array));
            if from.element != to.element {
                let (a, b) = (&from.name, &to.name);
                self.wrong_declaration(format!("`{a}` and `{b}` are mirrored, and of other types"));
            }
        }
    }
}
