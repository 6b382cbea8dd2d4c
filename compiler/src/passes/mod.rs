//! The pipeline, and one optimisation a file.

pub mod clean_tables;
pub mod code_motion;
pub mod common_subexpressions;
pub mod invariant_tables;
pub mod merge;
pub mod mirrors;
pub mod pre_evaluation;
pub mod reduction_invariants;
pub mod sharing_elimination;
pub mod symmetry;

use crate::ir::Program;
use crate::rewrite::{normalise, rename};

/// The highest level.
pub const HIGHEST: u8 = 3;

/// A pass: its name and what it does to a program.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name: the file's.
    pub name: &'static str,
    /// One line on what it decided, for the report.
    pub run: fn(&mut Program) -> Vec<String>,
}

/// The passes of an optimisation level, in order. Level 0, and `strict` programs, whose
/// operations keep their order, have only those that move whole expressions.
pub fn pipeline(level: u8, strict: bool) -> Vec<Pass> {
    let mut passes = Vec::new();
    if level == 0 {
        return passes;
    }
    if !strict {
        passes.push(Pass {
            name: "rename",
            run: |program| {
                rename::unify(program);
                Vec::new()
            },
        });
        passes.push(Pass {
            name: "invariant_tables",
            run: invariant_tables::run,
        });
        passes.push(Pass {
            name: "merge",
            run: merge::run,
        });
        passes.push(Pass {
            name: "normalise",
            run: |program| {
                normalise::normalise(program);
                Vec::new()
            },
        });
    }
    if level > 1 && !strict {
        passes.push(Pass {
            name: "reduction_invariants",
            run: reduction_invariants::run,
        });
    }
    if level > 2 && !strict {
        passes.push(Pass {
            name: "mirrors",
            run: mirrors::run,
        });
        passes.push(Pass {
            name: "pre_evaluation",
            run: pre_evaluation::run,
        });
    }
    if level > 1 && !strict {
        passes.push(Pass {
            name: "sharing_elimination",
            run: sharing_elimination::run,
        });
    }
    passes.push(Pass {
        name: "code_motion",
        run: code_motion::run,
    });
    passes.push(Pass {
        name: "common_subexpressions",
        run: common_subexpressions::run,
    });
    if level > 2 && !strict {
        passes.push(Pass {
            name: "symmetry",
            run: symmetry::run,
        });
    }
    passes
}
