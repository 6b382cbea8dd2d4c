//! From how many iterations on the kernel of a nest takes less than the text that would call it.
//!
//! A call takes some cycles ([`ENTERED`], [`WAITED`]), and each iteration saves what it takes in the text less what it takes in
//! the kernel. A text that waits for its own sum saves nearly all of that and pays from some twenty iterations on: of fewer it
//! waits for less, since a core has the next ones of the loop around in flight. One that LLVM has lanes for as well pays from
//! some hundreds on, or never.

use crate::analysis::cost::nominal;
use crate::emit::Variant;
use crate::ir::{Equation, IndexId, Program};
use crate::machine::{ENTERED, ISSUED, LATENCY, WAITED, WINDOW, register_bits};
use crate::passes::code_motion;
use crate::report::Facts;
use crate::schedule::Compiled;
use crate::syntax::ast::IsaName;
use crate::syntax::nests::Pays;

use super::advice;
use super::stages::Stages;

/// Iterations from which on any kernel pays that takes less than its text: estimates of texts that LLVM has lanes for are no
/// better than that.
const MOST: usize = 256;

/// Iterations that no kernel pays below: those of a text that waits for an addition in each, and of a kernel that takes none
/// of that time.
pub fn fewest() -> usize {
    (ENTERED / LATENCY).ceil() as usize
}

/// What a kernel saves of the cycles of a text, in one of the iterations of its loops of run-time length.
pub struct Saved {
    /// Cycles of the text, which waits for its sums.
    text: f64,
    /// The same where others are computed meanwhile.
    issued: f64,
    /// Cycles of the kernel.
    own: f64,
    /// How many of these loops stand one inside of the other.
    depth: usize,
}

impl Saved {
    /// What a kernel of what was lowered saves, if it runs with lanes on some processor.
    pub fn where_lanes(lowered: &Program, stages: &Stages, variants: &[Variant]) -> Option<Saved> {
        let lanes = |own: &Variant| own.text.is_none() && own.isa != IsaName::Scalar;
        let last = stages.stages.last();
        let program = last.map_or(lowered, |stage| &stage.program);
        let faster = variants.iter().any(lanes);
        faster.then(|| Saved::of((lowered, program), variants, &stages.facts))
    }

    /// The same, the loops of which stand in a last program: the least of its variants.
    fn of((lowered, program): (&Program, &Program), variants: &[Variant], facts: &Facts) -> Saved {
        let long = |index: &IndexId| !lowered.is_constant(*index);
        let loops = |equation: &Equation| equation.domain().filter(long).collect::<Vec<_>>();
        let depths = lowered.equations.iter().map(|own| loops(own).len());
        let runs = lowered.equations.iter().map(|own| {
            let extents = loops(own).into_iter().map(|index| {
                let extent = &lowered.loop_index(index).extent;
                nominal(lowered, extent) as f64
            });
            extents.product::<f64>()
        });
        let runs = runs.fold(1.0, f64::max);
        let mut text = lowered.clone();
        code_motion::run(&mut text);
        let compiled = Compiled::of(&text);
        let times = advice::iterations(program, &facts.per);
        let own = variants.iter().filter(|own| own.text.is_none());
        let own = own.filter(|own| own.isa != IsaName::Scalar);
        let cycles = own.filter_map(|own| {
            let name = format!("{:?}", own.isa).to_lowercase();
            let lanes = facts.lanes.iter().find(|lanes| lanes.isa == name)?;
            // What goes through memory from iteration to iteration waits as loops without lanes do.
            let alone = || {
                let mut others = lanes.others.iter();
                let alone = others.find(|(over, _)| over.is_empty());
                alone.and_then(|(_, cycles)| cycles.as_ref().ok().copied())
            };
            let text = match &compiled {
                Some(compiled) => compiled.cycles(register_bits(own.isa)),
                None => alone()? * times,
            };
            Some((text / runs, lanes.cycles * times / runs))
        });
        let saved = |(text, own): &(f64, f64)| text - own;
        let least = cycles.min_by(|one, other| saved(one).total_cmp(&saved(other)));
        let (text, own) = least.unwrap_or_default();
        let issued = compiled.map_or(text, |compiled| compiled.issued() / runs);
        Saved {
            text,
            issued: issued.min(text),
            own,
            depth: depths.max().unwrap_or_default(),
        }
    }

    /// From how many iterations on that is more than a call takes; nothing where it never is. `waits`: each call waits for the
    /// one before; others are computed beside each other, as many as are in flight.
    pub fn pays(&self, waits: bool) -> Option<Pays> {
        let call = if waits { WAITED } else { ENTERED };
        let Saved {
            text,
            issued,
            own,
            depth,
        } = *self;
        if depth == 0 {
            let iterations = 1;
            return (text - own >= call).then_some(Pays { iterations, depth });
        }
        let saved = |count: usize| {
            let count = count as f64;
            let alone = match waits {
                true => 1.0,
                false => (count * issued * ISSUED / WINDOW).min(1.0),
            };
            count * (issued + (text - issued) * alone - own)
        };
        let iterations = (2..MOST).find(|count| saved(*count) >= call);
        let iterations = iterations.unwrap_or(MOST);
        Some(Pays { iterations, depth })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::THROUGH_MEMORY;

    fn least(text: f64, waits: bool) -> usize {
        let saved = Saved {
            text,
            issued: text.min(1.5),
            own: 0.25,
            depth: 1,
        };
        saved.pays(waits).unwrap().iterations
    }

    #[test]
    fn what_the_text_waits_for_says_from_where_on_calls_pay() {
        // A sum in a variable waits for an addition in each iteration, one in memory for a store and a load, too.
        assert_eq!(least(LATENCY, false), 17);
        assert_eq!(least(LATENCY + THROUGH_MEMORY, false), 12);
        assert_eq!(least(LATENCY, true), 32);
        // Neighbours have lanes in the text as well.
        assert_eq!(least(0.75, false), 80);
        assert_eq!(least(0.125, false), MOST);
    }

    #[test]
    fn loops_of_known_length_pay_or_do_not() {
        let pays = |text, waits| {
            let saved = Saved {
                text,
                issued: text,
                own: 1.0,
                depth: 0,
            };
            saved.pays(waits).map(|own| own.iterations)
        };
        assert_eq!(pays(ENTERED, false), None);
        assert_eq!(pays(ENTERED + 1.0, false), Some(1));
        assert_eq!(pays(ENTERED + 1.0, true), None);
        assert_eq!(pays(WAITED + 1.0, true), Some(1));
    }
}
