//! Operations of programs between passes, counted one way.
//!
//! Between passes values stand where they are used, also in loops that do not change them: of a program
//! that `code_motion` will run on, what counts is where that moves them. So do terms of sums over loops
//! of run-time length, of which the expansion adds each.

use crate::analysis::cost::{self, Cost};
use crate::ir::{IndexId, Program};
use crate::passes::{Pass, code_motion};

/// A way of counting.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    moves: bool,
}

impl Measure {
    /// That of the programs between some passes.
    pub fn of(passes: &[Pass]) -> Measure {
        let moves = passes.iter().any(|pass| pass.name == "code_motion");
        Measure { moves }
    }

    /// What one iteration of a program's run-time loops takes.
    pub fn each(self, program: &Program) -> Cost {
        let raw = cost::program(program).each;
        let mut moved = program.clone();
        if self.moves {
            code_motion::run(&mut moved);
        }
        let mut each = cost::program(&moved).each;
        for equation in &moved.equations {
            let run_time = |index: &IndexId| !moved.is_constant(*index);
            let registers = cost::in_registers(&moved, equation);
            if equation.reduction.len() == 1 && equation.reduction.iter().any(run_time) && registers
            {
                let loops = equation.free.iter();
                let length = |index: &IndexId| moved.loop_index(*index).extent.as_constant();
                let times = loops.filter_map(length).fold(1, usize::saturating_mul);
                each.add = each.add.saturating_add(times as u64);
            }
        }
        Cost {
            temporary_bytes: raw.temporary_bytes,
            table_bytes: raw.table_bytes,
            ..each
        }
    }
}
