//! Inputs that are tried one after the other, until all of what is compared was met.

use super::inputs::Size;
use super::memory::Memory;
use super::{Refusal, Subject, TOO_LARGE};

/// Interpretations that use up what one may take, of which no more are begun.
const INTERPRETATIONS: u64 = 4;

/// Inputs that are tried at most until all parts are met; steps after which no more are, and inputs that
/// are tried even then.
const MOST_INPUTS: usize = 256;
const ENOUGH: u64 = 1 << 24;
const FEWEST_INPUTS: usize = 16;
/// Inputs that are tried so that loops in steps have whole and partial ones, which some never have; steps after
/// which that is left.
const MORE_INPUTS: usize = 3;
/// Inputs that are tried so that no product of entries that data chooses from tables is zero on all of them, as some
/// always are.
const LOOK_UPS: usize = 64;
const PLENTY: u64 = 1 << 22;

/// What a comparison on some inputs came to.
pub struct Progress {
    /// What was not met yet.
    pub missing: Option<String>,
    /// Whether nothing is left that more inputs might meet.
    pub complete: bool,
    /// Whether an expression that looks up a table was zero on all inputs.
    pub zero: bool,
}

/// Compares on one of the inputs after another until nothing is missing. Those on which what is compared
/// with cannot run do not count.
pub fn until_met(
    subject: &Subject,
    size: &Size,
    compared: &mut dyn FnMut(usize, &Memory) -> Result<Progress, Refusal>,
) -> Result<(), Refusal> {
    let inputs = subject.inputs();
    let most = INTERPRETATIONS * subject.budget();
    let count = inputs.count(size).map_err(Refusal::Unchecked)?;
    let before = subject.spent();
    let mut problem = None;
    let mut last: Option<Progress> = None;
    for at in 0..MOST_INPUTS.max(count) {
        let memory = inputs.memory(size, at).map_err(Refusal::Unchecked);
        match memory.and_then(|memory| compared(at, &memory)) {
            Ok(progress) => last = Some(progress),
            Err(Refusal::Unchecked(reason)) if reason != TOO_LARGE => {
                problem.get_or_insert(reason);
            }
            // Loops that are longer than they must be.
            Err(Refusal::Unchecked(_)) if at >= count && last.is_some() => break,
            different => return different.map(|_| ()),
        }
        let tried = at + 1;
        let spent = subject.spent() - before;
        let Some(progress) = &last else {
            if tried < count {
                continue;
            }
            break;
        };
        let enough = match progress.missing {
            None => {
                let complete = progress.complete || tried >= count + MORE_INPUTS;
                let zero = progress.zero && tried < LOOK_UPS;
                (complete && !zero) || spent > PLENTY
            }
            Some(_) => spent > ENOUGH && tried >= FEWEST_INPUTS,
        };
        if (tried >= count && enough) || spent > most {
            break;
        }
    }
    match last {
        None => Err(Refusal::Unchecked(problem.unwrap_or_default())),
        Some(Progress {
            missing: Some(missing),
            ..
        }) => Err(Refusal::Unmet(format!(
            "no inputs were found that reach {missing}"
        ))),
        Some(_) => Ok(()),
    }
}
