//! What the conditions and the loops around an access say of its integers together.

use std::fmt::Write as _;

use super::forms::Form;
use super::survey::{Atom, Operation, Survey};

impl Survey {
    /// From now on these are not negative; what `forget` takes to forget them. What is computed with them has names of
    /// its own.
    pub fn assume(&mut self, forms: Vec<Form>) -> (usize, usize) {
        let before = (self.assumed.len(), self.guards.len());
        if !forms.is_empty() {
            let (name, around) = (self.name(), self.guard());
            let _ = writeln!(self.out, "let {name} = {around};");
            self.guards.push(name);
            self.assumed.extend(forms);
        }
        before
    }

    /// Forgets what was assumed since.
    pub fn forget(&mut self, (assumed, guards): (usize, usize)) {
        self.assumed.truncate(assumed);
        self.guards.truncate(guards);
    }

    /// What a form is at least, or at most, since others are assumed not to be negative.
    pub(super) fn beside_assumed(&self, form: &Form, largest: bool) -> Vec<Form> {
        let shares = |rest: &Form| rest.terms().count() < form.terms().count();
        let factor = if largest { 1 } else { -1 };
        let beside = self.assumed.iter().filter_map(|of| form.plus(factor, of));
        beside.filter(shares).collect()
    }

    /// What a form is at least, or at most, since the smaller one of two is at most either: an end of a loop over both
    /// of two parts goes along with the beginnings of one.
    pub(super) fn beside_limits(&self, form: &Form, largest: bool) -> Vec<Form> {
        let mut all = Vec::new();
        for (atom, factor) in form.terms().filter(|(_, factor)| (*factor > 0) == largest) {
            let rest = || form.plus(-factor, &Form::atom(atom));
            let high = match &self.atoms[atom] {
                Atom::Between(_, high) => high.clone(),
                Atom::Computed(Operation::Product, factors) => {
                    let whole = self.in_chunks([&factors[0], &factors[1]]);
                    let whole = whole.or_else(|| self.in_chunks([&factors[1], &factors[0]]));
                    all.extend(whole.and_then(|whole| rest()?.plus(factor, &whole)));
                    continue;
                }
                _ => Form::atom(atom),
            };
            let least = high.terms().filter(|(_, factor)| *factor == 1);
            for (least, _) in least {
                let Atom::Computed(Operation::Least, limits) = &self.atoms[least] else {
                    continue;
                };
                all.extend(limits.iter().filter_map(|limit| {
                    let high = high.plus(-1, &Form::atom(least))?.plus(1, limit)?;
                    rest()?.plus(factor, &high)
                }));
            }
        }
        all
    }

    /// What `i * n` is at most in a loop over the chunks of `n` of `m` elements, `i < m / n`: whole chunks are no more than all.
    fn in_chunks(&self, [i, n]: [&Form; 2]) -> Option<Form> {
        let (i, 1) = i.only_term().filter(|_| i.constant == 0)? else {
            return None;
        };
        let Atom::Between(_, high) = &self.atoms[i] else {
            return None;
        };
        let (count, 1) = high.only_term()? else {
            return None;
        };
        match &self.atoms[count] {
            Atom::Computed(Operation::Quotient, of) if of[1] == *n => of[0].plus(high.constant, n),
            _ => None,
        }
    }

    /// The text of a form's largest or smallest value.
    pub(super) fn end(&mut self, form: &Form, largest: bool) -> Option<String> {
        let end = self.bound(form, largest)?.print();
        let choose = if largest { "min" } else { "max" };
        let beside = self.beside_assumed(form, largest).into_iter();
        let mut beside = beside.chain(self.beside_limits(form, largest));
        beside.try_fold(end, |end, other| {
            let other = self.bound(&other, largest)?.print();
            Some(format!("::core::cmp::Ord::{choose}({end}, {other})"))
        })
    }
}
