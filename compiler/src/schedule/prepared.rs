//! What all targets have in common of the schedules of a program: it is found once.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::carried::Carried;
use super::fusing::Fused;
use super::{Wishes, interchange, latest, layouts, nests, recomputing, shown};
use crate::analysis::totals::Totals;
use crate::ir::Program;

/// A program that is about to be scheduled for some targets.
pub struct Prepared<'a> {
    program: Cow<'a, Program>,
    fused: Vec<(Program, Fused)>,
    /// The same with temporaries in another order, for lanes.
    laid_out: OnceCell<Option<Vec<(Program, Fused)>>>,
    /// Whether a loop was asked for that lanes run over.
    asked: bool,
    /// Bytes that temporaries may take.
    memory: Option<usize>,
    nests: Vec<Vec<usize>>,
}

impl Prepared<'_> {
    /// Looks for loops to fuse.
    ///
    /// # Errors
    /// If a temporary is computed from its own earlier elements, and not from those some iterations before.
    pub fn of<'a>(program: &'a Program, wishes: &Wishes) -> Result<Prepared<'a>, String> {
        let program = shown::run(program).map_or(Cow::Borrowed(program), Cow::Owned);
        let carried = Carried::of(&program)?;
        let program = latest::run(&program, &carried).map_or(program, Cow::Owned);
        let program = match program {
            Cow::Borrowed(program) => Totals::taken(program),
            Cow::Owned(program) => Cow::Owned(Totals::taken(&program).into_owned()),
        };
        // What names loops means all that have the name.
        let nests = match wishes.lanes.is_none() && wishes.unroll.is_empty() {
            true => nests::nests(&program),
            false => Vec::new(),
        };
        Ok(Prepared {
            nests,
            ..Prepared::of_nest(program, wishes)
        })
    }

    /// The same of a program that is scheduled as a whole.
    pub fn of_nest<'a>(program: Cow<'a, Program>, wishes: &Wishes) -> Prepared<'a> {
        let fused = match wishes.lanes {
            None if program.recurrence().is_none() => {
                recomputing::alternatives(&interchange::summed(&program), wishes.memory)
            }
            _ => Vec::new(),
        };
        Prepared {
            program,
            fused,
            laid_out: OnceCell::new(),
            asked: wishes.lanes.is_some(),
            memory: wishes.memory,
            nests: Vec::new(),
        }
    }

    /// The equations of nests that have nothing to do with each other, if there are several.
    pub fn nests(&self) -> Option<&[Vec<usize>]> {
        (self.nests.len() > 1).then_some(&self.nests)
    }

    /// The program as schedules take it.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The programs that differ in what they fuse, for vectors of so many lanes.
    pub fn fused(&self, width: usize) -> &[(Program, Fused)] {
        if width < 2 || self.asked {
            return &self.fused;
        }
        let laid_out = self.laid_out.get_or_init(|| {
            let program = layouts::run(&interchange::summed(&self.program))?;
            Some(recomputing::alternatives(&program, self.memory))
        });
        laid_out.as_ref().unwrap_or(&self.fused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;
    use crate::schedule::{Target, prepared, schedule};

    #[test]
    fn what_is_found_once_is_what_each_target_finds() {
        let program = "program p\nindex i: 90\nindex j: 120\nindex k: 70\nindex l: 200\n\
            param 0 a: f64[90, 120]\nparam 1 b: f64[120, 70]\nparam 2 c: f64[70, 200]\n\
            output 3 d: f64[90, 200]\ntemp t: f64[90, 70]\n\
            t[i, k] = sum(j) a[i, j] * b[j, k]   for i, k\n\
            d[i, l] += sum(k) t[i, k] * c[k, l]   for i, l\n";
        let program = text::parse(program).unwrap();
        let wishes = Wishes::default();
        let found = Prepared::of(&program, &wishes).unwrap();
        assert!(
            found
                .fused(4)
                .iter()
                .any(|(_, fused)| !fused.shared.is_empty())
        );
        for width in [1, 4, 8] {
            let target = Target {
                width,
                registers: 16,
            };
            let shared = prepared(&found, target, &wishes).unwrap();
            let own = schedule(&program, target, &wishes).unwrap();
            assert_eq!(shared.decision, own.decision);
        }
    }
}
