//! Integers that a program takes to be small enough: a call looks at them before it runs, in one go.

use std::collections::BTreeSet;
use std::fmt::Write;

use proc_macro2::TokenStream;
use quote::quote;

use super::Kernel;
use super::checks::Checks;
use super::enclosed::variable;
use super::names::{length, plain};
use super::public::isa_path;
use super::variant::integer_name;
use crate::ir::{Affine, ArrayId, Element, Extent, IndexId};
use crate::syntax::ast::IsaName;

/// How many elements are looked at for one that is used, at most: a part of a long slice does without.
const LOOKED: usize = 4;

impl Checks<'_> {
    /// Values that parameters, and their elements, are taken to have.
    pub(super) fn limits(&mut self) {
        for (id, (least, most)) in &self.program.limited {
            let (array, krate) = (self.program.array(*id), &self.krate);
            let (name, extents) = (plain(&array.name), array.shape.iter().enumerate());
            let extents = extents.map(|(axis, extent)| match extent.as_constant() {
                Some(n) => n.to_string(),
                None => length(name, axis),
            });
            // All rows of a flat slice are its length.
            let own: Vec<usize> = array.given_axes().collect();
            let extents = extents.enumerate().filter(|(axis, _)| own.contains(axis));
            let count: Vec<String> = extents.map(|(_, extent)| extent).collect();
            let (Element::Integer(ty) | Element::Word(ty)) = array.element else {
                continue;
            };
            let read = match array.shape.is_empty() {
                true => format!("({name}_value as i128, {name}_value as i128)"),
                false => {
                    let (count, used) = (count.join(" * "), self.met_at_least(*id));
                    self.listing.once(format!(
                        "if ({count}) as i128 > {LOOKED}i128.saturating_mul({used}) {{ return false; }}\n"
                    ));
                    format!(
                        "{krate}::checks::entries(::core::slice::from_raw_parts({name}_p.cast::<{}>(), {count}))",
                        integer_name(ty),
                    )
                }
            };
            self.listing.once(format!(
                "let (low, high) = {read}; if low < {least} || high > {most} {{ return false; }}\n"
            ));
        }
    }

    /// As many of an array's elements as a program reads, or fewer: those that one access meets.
    fn met_at_least(&self, array: ArrayId) -> String {
        let mut most = "0i128".to_owned();
        let mut known = BTreeSet::new();
        for equation in &self.program.equations {
            for (_, access) in self.program.pool.accesses([equation.expr]) {
                if self.program.viewed(access.array) != array {
                    continue;
                }
                let mut product = "1i128".to_owned();
                for index in self.moving(&access.subscripts) {
                    let extent = match &self.program.loop_index(index).extent {
                        Extent::Constant(n) => format!("{n}i128"),
                        Extent::RunTime(affine) => self.value(affine),
                    };
                    let _ = write!(product, ".saturating_mul({extent}.max(0))");
                }
                if known.insert(product.clone()) {
                    let _ = write!(most, ".max({product})");
                }
            }
        }
        most
    }

    /// The loops that subscripts move along: one for each that has one, along which it meets most.
    fn moving(&self, subscripts: &[Affine]) -> BTreeSet<IndexId> {
        let subscripts = subscripts.iter();
        let longest = subscripts.flat_map(|subscript| {
            let all = Affine::indices_of(std::slice::from_ref(subscript));
            let long = all
                .iter()
                .copied()
                .filter(|index| !self.program.is_constant(*index));
            let long: Vec<IndexId> = long.collect();
            match long.is_empty() {
                true => all.into_iter().take(1).collect(),
                false => long,
            }
        });
        longest.collect()
    }
}

/// Whether it is the text that runs for an instruction set, whatever the parameters hold: there is nothing to look at.
pub fn runs_unseen(kernel: &Kernel, isa: IsaName) -> bool {
    let mut variants = kernel.variants.iter();
    !kernel.lowered.limited.is_empty()
        && variants.any(|variant| variant.isa == isa && variant.text.is_some())
}

/// What hands over to the text before anything is looked at: for variants whose place it has taken, and for those that
/// it is faster than where arrays are large.
pub fn unseen(kernel: &Kernel) -> TokenStream {
    let limited = &kernel.lowered.limited;
    if limited.is_empty() {
        return TokenStream::new();
    }
    let bytes = limited.iter().filter_map(|(array, _)| {
        let array = kernel.lowered.array(*array);
        let own = array.role.position().filter(|_| !array.shape.is_empty())?;
        let name = &variable(kernel, own).name;
        Some(quote!(.saturating_add(::core::mem::size_of_val(#name))))
    });
    let large = quote!(__loopwright::stream::leaves(0usize #(#bytes)*));
    let arms = kernel.variants.iter().filter_map(|variant| {
        let isa = isa_path(kernel.krate, variant.isa);
        let when = match (variant.text.is_some(), variant.near) {
            (true, _) => TokenStream::new(),
            (false, true) => quote!(if #large),
            (false, false) => return None,
        };
        Some(quote! {
            #[cfg(target_arch = "x86_64")]
            #isa #when => return ::core::result::Result::Err(false),
        })
    });
    let arms: Vec<TokenStream> = arms.collect();
    match arms.is_empty() {
        true => TokenStream::new(),
        false => quote!(match __isa { #(#arms)* _ => {} }),
    }
}
