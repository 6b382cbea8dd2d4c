//! What runs where calls have few elements: another variant, or the text.

use crate::emit::Variant;
use crate::report::Facts;
use crate::schedule::Compiled;
use crate::schedule::few::Candidate;
use crate::schedule::short_rows::{Instead, Short};
use crate::syntax::are_inside;
use crate::syntax::ast::{Function, IsaName};

use super::variants::scheduled_for_isa;

/// Where calls of few elements go, of each variant, and what the report says of it; those for which none is built stay.
pub fn decide(
    function: &Function,
    variants: &mut [Variant],
    (few, text): (&[Option<Candidate>], Option<&Compiled>),
    facts: &mut Facts,
) {
    let inside = are_inside(function);
    let built: Vec<IsaName> = variants.iter().map(|variant| variant.isa).collect();
    for (at, variant) in variants.iter_mut().enumerate() {
        variant.short.retain(|short| match short.instead {
            Instead::Variant(instead) => built.contains(&instead),
            Instead::Text => true,
        });
        if let Some(own) = &few[at] {
            let others = few[at + 1..].iter().flatten().cloned();
            let text = text.and_then(|text| own.of_text(text, inside));
            let others: Vec<Candidate> = others.chain(text).collect();
            variant.short.extend(own.short(&others));
        }
        let name = scheduled_for_isa(variant.isa);
        let pass = facts.passes.iter_mut().find(|pass| pass.name == name);
        if let (Some(pass), None) = (pass, variant.text) {
            let decisions = variant.short.iter().map(Short::to_string);
            pass.decisions.extend(decisions);
        }
    }
}
