//! Which neighbours of views lie together: the choice of a variant, and what a variant takes for granted.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::address::{self, Address};
use super::names::stride;
use super::printer::Printer;
use super::variant::parameters;
use super::{Kernel, Variant};
use crate::ir::{Access, ArrayId, Element};
use crate::schedule::views::{Views, along};

impl Variant {
    /// The axes along which neighbours lie together, by the positions of views: of those that lanes move along, in this
    /// variant or in the one for long extents.
    pub fn near(&self) -> Vec<(usize, usize)> {
        let both = self.both().into_iter();
        let views = both.flat_map(|variant| along(&variant.program, &variant.schedule));
        let axes = views.filter_map(|(position, rank)| Some((position, self.views.axis(rank)?)));
        let mut axes: Vec<(usize, usize)> = axes.collect();
        axes.sort_unstable();
        axes.dedup();
        axes
    }
}

impl Printer<'_> {
    /// Whether strides of views are in bytes: in loops without lanes for views of any strides.
    pub fn in_bytes(&self) -> bool {
        self.views.0 == Views::Any && self.schedule.width == 1
    }

    /// The flat address of an access.
    pub fn address(&self, access: &Access) -> Address {
        let layout = self.layout(access.array);
        Address {
            in_bytes: self.in_bytes() && self.is_view(access.array),
            ..address::flat(self.program, access, &layout, self.near_axis(access.array))
        }
    }

    /// Whether an array is a view.
    pub fn is_view(&self, array: ArrayId) -> bool {
        self.program.array(self.program.viewed(array)).strided
    }

    /// The axis along which neighbours of a view are known to lie together.
    pub fn near_axis(&self, array: ArrayId) -> Option<usize> {
        let position = self.program.array(array).role.position()?;
        let mut near = self.views.1.iter();
        let found = near.find(|(view, _)| *view == position);
        found.map(|(_, axis)| *axis)
    }

    /// Turns strides into bytes, and hides where they come from: LLVM would have each loop once more for strides of one
    /// element, which have variants of their own, and compare all of them before each loop.
    pub fn hide_strides(&mut self) {
        for (_, array) in parameters(self.program) {
            for axis in (0..array.shape.len()).filter(|_| array.strided) {
                let (name, unit) = (stride(&array.name, axis), self.unit_of(array.element));
                let bytes = match array.element {
                    Element::Integer(ty) => (ty.bits() / 8).to_string(),
                    _ => format!("(::core::mem::size_of::<{}>() as isize)", unit.scalar),
                };
                self.line(&format!(
                    "let {name} = ::core::hint::black_box({name}.wrapping_mul({bytes}));"
                ));
            }
        }
    }
}

/// Whether neighbours lie together as a variant takes for granted; nothing where it takes nothing so.
pub fn condition(kernel: &Kernel, variant: &Variant) -> Option<TokenStream> {
    let near = variant.near();
    let views = parameters(kernel.lowered).into_iter();
    let conditions = views.filter_map(|(position, array)| {
        let (_, axis) = near.iter().find(|(view, _)| *view == position)?;
        let parameter = kernel.function.parameters.get(position)?;
        let name = &kernel.function.variables[parameter.variable.0].name;
        let axis = array.strided.then(|| Literal::usize_unsuffixed(*axis))?;
        Some(quote!((#name.shape()[#axis] <= 1 || #name.strides()[#axis] == 1)))
    });
    let conditions: Vec<TokenStream> = conditions.collect();
    (!conditions.is_empty()).then(|| quote!(#(#conditions)&&*))
}
