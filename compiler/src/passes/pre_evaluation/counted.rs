//! What programs take, and which of two is better.

use crate::analysis::cost;
use crate::ir::Program;
use crate::passes::{code_motion, symmetry, table_entries};

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
    /// Entries that are read back from a temporary: as dear as an operation each.
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
        let cost = cost::program(&moved);
        Counted {
            operations: cost.operations(),
            bytes: cost.each.table_bytes + cost.once.table_bytes,
            copied: 0,
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
