//! What later passes make of a program, where that is known already.
//!
//! A pass that weighs candidates runs the later passes on each of them. What they did to the one that is
//! taken is noted with it, so that it is not done again when their turn comes. A note counts for the very
//! program that it was made of: where anything was changed since, it says nothing.

use std::rc::Rc;

use super::program::Program;

/// A pass that has run.
#[derive(Debug)]
pub struct Step {
    /// Its name.
    pub pass: &'static str,
    /// The program before it.
    pub before: Program,
    /// What it left.
    pub after: Program,
    /// What it said of it.
    pub decisions: Vec<String>,
}

/// Passes that have run on copies of a program, in order.
#[derive(Clone, Debug, Default)]
pub struct Foreseen(Rc<Vec<Step>>);

impl Foreseen {
    /// Notes what passes did. The programs in it know nothing of others.
    pub fn of(steps: Vec<Step>) -> Foreseen {
        Foreseen(Rc::new(steps))
    }
}

impl Program {
    /// What a pass leaves of this program and says of it, if that is known.
    pub fn after(&self, pass: &str) -> Option<(Program, Vec<String>)> {
        let mut steps = self.foreseen.0.iter();
        let step = steps.find(|step| step.pass == pass && step.before.is_same(self))?;
        let after = Program {
            foreseen: self.foreseen.clone(),
            ..step.after.clone()
        };
        Some((after, step.decisions.clone()))
    }

    /// A copy that knows nothing of later passes.
    pub fn unforeseen(&self) -> Program {
        Program {
            foreseen: Foreseen::default(),
            ..self.clone()
        }
    }

    /// Whether a pass cannot tell two programs apart: everything is equal, the numbers of expressions and
    /// arrays too.
    pub fn is_same(&self, other: &Program) -> bool {
        // By field, so that a new one is not forgotten.
        let Program {
            name,
            exact,
            memory,
            differencing,
            tile,
            divides,
            mirrors,
            indices,
            arrays,
            names,
            pool,
            functions,
            equations,
            repeated,
            known,
            assumed,
            limited,
            foreseen: _,
        } = self;
        *equations == other.equations
            && pool.is_same(&other.pool)
            && *arrays == other.arrays
            && *indices == other.indices
            && *names == other.names
            && *mirrors == other.mirrors
            && (known, assumed) == (&other.known, &other.assumed)
            && *limited == other.limited
            && *repeated == other.repeated
            && (exact, memory, tile, divides, name)
                == (
                    &other.exact,
                    &other.memory,
                    &other.tile,
                    &other.divides,
                    &other.name,
                )
            && *differencing == other.differencing
            && *functions == other.functions
    }
}

#[cfg(test)]
mod tests {
    use super::{Foreseen, Step};
    use crate::ir::{Expr, text};

    #[test]
    fn a_note_counts_for_the_program_that_it_was_made_of() {
        let mut program = text::parse(
            "program p\nindex i: 2\nparam 0 x: f64[2]\noutput 1 y: f64[2]\ny[i] = x[i] for i",
        )
        .unwrap();
        let mut left = program.clone();
        left.equations.clear();
        program.foreseen = Foreseen::of(vec![Step {
            pass: "pass",
            before: program.clone(),
            after: left,
            decisions: vec!["all left out".to_owned()],
        }]);
        let (after, decisions) = program.after("pass").unwrap();
        assert!(after.equations.is_empty() && decisions == ["all left out"]);
        assert!(program.after("other").is_none());
        assert!(after.after("pass").is_none());
        assert!(program.unforeseen().after("pass").is_none());
        let element = program.pool.element(program.equations[0].expr);
        // Numbers of expressions say in which order passes meet them.
        let zero = Expr::Constant(crate::number::Number::ZERO);
        program.pool.add(zero, element);
        assert!(program.after("pass").is_none());
    }
}
