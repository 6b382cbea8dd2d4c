//! What programs take, and which of two is better.

use crate::analysis::cost;
use crate::ir::{Equation, Expr, Program, Role};
use crate::passes::{code_motion, shared_sums, symmetry, table_entries};

/// Whether operations are counted or bounded.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    /// Counted.
    Counted,
    /// There may be more.
    AtLeast,
    /// Sharing elimination may leave fewer.
    AtMost,
}

/// Operations and bytes of a program after the passes that follow.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    /// Operations, for each cell.
    pub operations: u64,
    /// Bytes of tables.
    pub bytes: u64,
    /// Results that are read back from a temporary: as dear as an operation each.
    pub copied: u64,
    /// How exact that is.
    pub bound: Bound,
}

impl Counted {
    /// Counts a program.
    pub fn of(program: &Program) -> Counted {
        let mut moved = program.clone();
        code_motion::run(&mut moved);
        table_entries::run(&mut moved);
        symmetry::halve_sums(&mut moved);
        shared_sums::run(&mut moved);
        let cost = cost::program(&moved);
        Counted {
            operations: cost.operations(),
            bytes: cost.each.table_bytes + cost.once.table_bytes,
            copied: copied(&moved),
            bound: Bound::Counted,
        }
    }

    /// The numbers, for the report.
    pub fn describe(&self) -> String {
        let (operations, bytes) = (self.operations, self.bytes);
        match self.bound {
            Bound::AtLeast => format!("at least {operations} operations"),
            Bound::AtMost => {
                format!("at most {operations} operations, {bytes} bytes of tables")
            }
            Bound::Counted => format!("{operations} operations, {bytes} bytes of tables"),
        }
    }

    /// Operations, and what is as dear.
    pub fn work(&self) -> u64 {
        self.operations + self.copied
    }

    /// Fewer operations in tables that fit, or half of them in tables of up to twice the bound.
    pub fn beats(&self, other: &Counted, bound: u64) -> bool {
        let fits = self.bytes <= bound.max(other.bytes);
        let nearly = self.bytes <= bound.saturating_mul(2);
        let (mine, others) = (self.work(), other.work());
        (fits && mine < others) || (nearly && mine < others / 2)
    }
}

/// Results that only copy what temporaries hold.
fn copied(program: &Program) -> u64 {
    let is_copy = |equation: &&Equation| match program.pool.get(equation.expr) {
        Expr::Access(access) => {
            let temporary = matches!(program.array(access.array).role, Role::Temporary);
            let target = &program.array(equation.target.array).role;
            temporary && equation.reduction.is_empty() && matches!(target, Role::Output(_))
        }
        _ => false,
    };
    let copies = program.equations.iter().filter(is_copy);
    copies
        .map(|equation| cost::iterations(program, equation))
        .sum()
}
