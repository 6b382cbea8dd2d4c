//! Variants that compute with integers in 8 or in 16 bits, where these suffice and lanes are neighbours in memory.

use super::variants::target;
use crate::ir::{Element, Program};
use crate::rewrite::few_bits::in_few_bits;
use crate::schedule::{self, Prepared, Scheduled, Target, Wishes, lie::all_neighbours};
use crate::syntax::ast::{Function, IsaName};

/// The program in few bits, and its type, if it needs no more.
pub struct FewBits(Option<(Program, Element)>);

impl FewBits {
    /// That of a program.
    pub fn of(program: &Program) -> FewBits {
        let found = in_few_bits(program);
        FewBits(found.map(|(program, ty)| (program, Element::Word(ty))))
    }

    /// The most lanes that a variant has, of other elements or of these.
    pub fn widest(&self, function: &Function, others: Vec<Element>) -> usize {
        let FewBits(found) = self;
        let own = found.iter().map(|(_, element)| *element);
        let widths = others.into_iter().chain(own).flat_map(|element| {
            let isas = function.options.isa.iter();
            isas.map(move |isa| target(*isa, element).width)
        });
        widths.max().unwrap_or(1)
    }

    /// Puts its schedule for an instruction set, and the type that fills the registers, in the place of another one if it takes
    /// less. Returns what stood there.
    pub fn replace(
        &self,
        isa: IsaName,
        (scheduled, element, target): (&mut Scheduled, &mut Element, &mut Target),
        wishes: &Wishes,
    ) -> Option<((Element, Target), Scheduled)> {
        let (few, found) = self.instead(isa, scheduled, wishes)?;
        let whole = std::mem::replace(scheduled, found);
        let wider = (*element, *target);
        (*element, *target) = few;
        Some((wider, whole))
    }

    /// Its schedule for an instruction set, with the type that fills the registers, if it takes less than another one.
    fn instead(
        &self,
        isa: IsaName,
        other: &Scheduled,
        wishes: &Wishes,
    ) -> Option<((Element, Target), Scheduled)> {
        let FewBits(found) = self;
        let (program, element) = found.as_ref().filter(|_| isa != IsaName::Scalar)?;
        let target = target(isa, *element);
        let prepared = Prepared::of(program, wishes).ok()?;
        let mut found = schedule::prepared(&prepared, target, wishes).ok()?;
        let neighbours = all_neighbours(&found.program, &found.schedule);
        if !neighbours || found.cycles >= other.cycles {
            return None;
        }
        found.large = None;
        Some(((*element, target), found))
    }
}
