//! What conditions around an access say of its integers.

use std::fmt::Write as _;

use super::forms::Form;
use super::survey::Survey;

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

    /// The text of a form's largest or smallest value.
    pub(super) fn end(&mut self, form: &Form, largest: bool) -> Option<String> {
        let end = self.bound(form, largest)?.print();
        let choose = if largest { "min" } else { "max" };
        let mut beside = self.beside_assumed(form, largest).into_iter();
        beside.try_fold(end, |end, other| {
            let other = self.bound(&other, largest)?.print();
            Some(format!("::core::cmp::Ord::{choose}({end}, {other})"))
        })
    }
}
