//! Which neighbours of views lie together: the choice of a variant, and what a variant takes for granted.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::address::{self, Address};
use super::enclosed::{pattern, variable};
use super::names::stride;
use super::printer::Printer;
use super::variant::parameters;
use super::{Kernel, Variant};
use crate::analysis::joint_axes::JointAxes;
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

/// Views with one row each, where all of those that a nest accesses have rows that follow each other; or with one column.
pub fn joint(kernel: &Kernel) -> TokenStream {
    let lanes = |variant: &Variant| variant.schedule.width > 1 && variant.text.is_none();
    if !kernel.printed().any(lanes) {
        return TokenStream::new();
    }
    let rows = kernel.joint.iter();
    let rows = rows.map(|joint| one_axis(kernel, joint, (1, |axes| axes)));
    // Of columns the last ones are the outermost. One row is none of columns.
    let columns = kernel.joint.iter().rev().filter(|joint| joint.any_order);
    let columns =
        columns.map(|joint| one_axis(kernel, joint, (2, |[outer, inner]| [inner, outer])));
    rows.chain(columns).collect()
}

/// Makes two axes one, the outer and the inner one as `order` says, where there are so many elements along the inner one.
fn one_axis(
    kernel: &Kernel,
    joint: &JointAxes,
    (least, order): (usize, impl Fn([usize; 2]) -> [usize; 2]),
) -> TokenStream {
    let least = Literal::usize_unsuffixed(least);
    let (of, axes) = joint.of;
    let (of, axes) = (
        &variable(kernel, of).name,
        order(axes).map(Literal::usize_unsuffixed),
    );
    let views = joint.views.iter().map(|(position, axes)| {
        let variable = variable(kernel, *position);
        let axes = order(*axes).map(Literal::usize_unsuffixed);
        (&variable.name, pattern(&variable.ty), quote!([#(#axes),*]))
    });
    let views: Vec<_> = views.collect();
    let follow = views
        .iter()
        .map(|(name, _, axes)| quote!(#name.follows(#axes, __extents)));
    let follow: Vec<TokenStream> = follow.collect();
    let views = views.iter().map(|(name, pattern, axes)| {
        quote!(let #pattern #name = if __one { #name.joint(#axes) } else { #name };)
    });
    let views: TokenStream = views.collect();
    quote! {
        let __extents = [#(#of.shape()[#axes]),*];
        let __one = __extents[1] >= #least #(&& #follow)*;
        #views
    }
}

/// How many elements records of a view have, where a variant takes it for one of records.
fn record(variant: &Variant, position: usize) -> Option<usize> {
    let views = parameters(&variant.program).into_iter();
    let mut own = views.filter(|(own, array)| *own == position && array.strided);
    own.next()?.1.shape.last()?.as_constant()
}

/// Whether neighbours lie together as a variant takes for granted; nothing where it takes nothing so.
pub fn condition(kernel: &Kernel, variant: &Variant) -> Option<TokenStream> {
    let near = variant.near();
    let views = parameters(kernel.lowered).into_iter();
    let conditions = views.filter_map(|(position, array)| {
        let (_, axis) = near.iter().find(|(view, _)| *view == position)?;
        let parameter = kernel.function.parameters.get(position)?;
        let name = &kernel.function.variables[parameter.variable.0].name;
        array.strided.then_some(())?;
        let record =
            record(variant, position).and_then(|count| Some((axis.checked_sub(1)?, count)));
        let apart = [(*axis, 1)].into_iter().chain(record).map(|(axis, by)| {
            let (axis, by) = (
                Literal::usize_unsuffixed(axis),
                Literal::usize_unsuffixed(by),
            );
            quote!((#name.shape()[#axis] <= 1 || #name.strides()[#axis] == #by))
        });
        Some(quote!(#(#apart)&&*))
    });
    let conditions: Vec<TokenStream> = conditions.collect();
    (!conditions.is_empty()).then(|| quote!(#(#conditions)&&*))
}
