//! Loop trees to Rust: one function an instruction set, bounds checks, and the public items.
//!
//! Emission decides nothing. What is printed is the loop tree, expression by expression; equal
//! values of one straight-line block are computed once.

mod access;
mod address;
mod apart;
mod arguments;
mod before;
mod bits;
mod calls;
mod checks;
mod combining;
mod conversions;
mod copy;
mod declarations;
mod distances;
mod elements;
mod enclosed;
mod entries;
mod filled;
mod flat;
mod guard;
mod hull;
mod implied;
mod inspector;
mod instance;
mod integers;
mod kept;
mod large;
mod limits;
mod linear;
mod lines;
mod loops;
mod map_checks;
mod memory;
mod names;
mod narrowing;
mod neighbours;
mod networks;
mod nodes;
mod otherwise;
mod overlapped;
mod parts;
mod pipelined;
mod printer;
mod public;
mod pure;
mod records;
mod results;
mod rounding;
mod rows;
mod run;
mod same_vector;
mod scattered;
mod scope;
mod short;
mod side_by_side;
mod store;
mod streams;
mod strided;
mod strips;
mod sums;
mod tables;
mod taken;
mod text;
mod transpose;
mod values;
mod variant;
mod vector;
mod views;
mod words;

pub use guard::Covered;
pub use records::items as structs;
pub use scope::items as scope;
pub use tables::distinct;
pub use text::compiled;

pub use before::computes as computes_before;
pub use inspector::{Inspected, Missing, module as inspector};

use std::cell::OnceCell;

use proc_macro2::TokenStream;

use crate::analysis::joint_axes::JointAxes;
use crate::ir::{Affine, ArrayId, Element, IndexId, Program};
use crate::lower::{Reached, Shortened};
use crate::schedule::large::Product;
use crate::schedule::short_rows::{Instead, Short};
use crate::schedule::tree::Schedule;
use crate::schedule::views::Views;
use crate::syntax::ast::{Function, IsaName, Module};
use crate::syntax::nests::Nested;

/// The name of the facade's private module inside the module of all `unsafe` code: `$crate` cannot be
/// printed as text.
const ALIAS: &str = "__loopwright";

/// A scheduled program for an instruction set.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The instruction set.
    pub isa: IsaName,
    /// The element type that the kernel's own takes here: itself, or `f64` or `f32` for a type
    /// parameter.
    pub element: Element,
    /// Products may be fused into sums.
    pub fused: bool,
    /// The program.
    pub program: Program,
    /// The loop tree.
    pub schedule: Schedule,
    /// The text itself runs instead, compiled for this instruction set, once the check has passed.
    pub text: Option<IsaName>,
    /// The text runs instead where the integers that have to be looked at before are not in the caches of a core.
    pub near: bool,
    /// Short loops for which another variant runs instead; the shortest ones first.
    pub short: Vec<Short>,
    /// It is one for long extents.
    pub is_large: bool,
    /// Loops that have iterations whenever it is called.
    pub runs: Vec<IndexId>,
    /// What runs instead where products of matrices have long extents, or arrays are large.
    pub large: Option<Box<Large>>,
    /// Which neighbours of views lie together.
    pub views: Views,
    /// What runs where they do not, each for other views; the last one for any.
    pub otherwise: Vec<Variant>,
}

/// Another variant for the same instruction set.
#[derive(Clone, Debug)]
pub struct Large {
    /// The variant.
    pub variant: Variant,
    /// The products: where one of them is long, it runs.
    pub products: Vec<Product>,
    /// The arrays: where they are larger than the caches of a core, it runs.
    pub arrays: Vec<ArrayId>,
}

impl Variant {
    /// The variant, and those that may run instead of it.
    pub fn all(&self) -> Vec<&Variant> {
        let mut all = self.both();
        all.extend(self.otherwise.iter().flat_map(Variant::both));
        all
    }

    /// The variants for views that lie in one way or another, in the order in which a call asks for them: records lie in rows, too.
    pub fn by_layout(&self) -> Vec<&Variant> {
        let mut all: Vec<&Variant> = std::iter::once(self).chain(&self.otherwise).collect();
        all.sort_by_key(|variant| variant.views != Views::Records);
        all
    }

    /// The variant, and the one for long extents.
    pub fn both(&self) -> Vec<&Variant> {
        let large = self.large.iter().map(|large| &large.variant);
        std::iter::once(self).chain(large).collect()
    }

    /// The same, to be changed.
    fn all_mut(&mut self) -> Vec<&mut Program> {
        let mut all = vec![&mut self.program];
        all.extend(
            self.large
                .iter_mut()
                .map(|large| &mut large.variant.program),
        );
        all.extend(self.otherwise.iter_mut().flat_map(Variant::all_mut));
        all
    }
}

/// Everything that the expansion of one kernel is printed from.
pub struct Kernel<'a> {
    /// Path of the facade.
    pub krate: &'a TokenStream,
    /// The block.
    pub module: &'a Module,
    /// The kernel.
    pub function: &'a Function,
    /// The program as lowered: what must be in bounds.
    pub lowered: &'a Program,
    /// What the text subscripts, used or not: this must be in bounds as well.
    pub reached: &'a [Reached],
    /// What of these is read under conditions alone: where it is out of bounds, the text runs.
    pub expected: &'a [Reached],
    /// Bounds of loops that must not be negative where the loops around run.
    pub bounds: &'a [(Affine, Vec<IndexId>)],
    /// What must not be negative for the program to be the text: for other inputs this runs.
    pub assumed: &'a [Affine],
    /// Parameters that are shortened where they are all that an assumption does not hold for.
    pub shortened: &'a [Shortened],
    /// Axes of views that are one where rows follow each other.
    pub joint: &'a [JointAxes],
    /// Best first; the last is scalar. None for a kernel that runs as written.
    pub variants: &'a [Variant],
    /// The inspector of the text, where the text may run and has one.
    pub inspector: Option<&'a Inspected>,
    /// The body of the text that knows that what it subscripts is inside, once it was asked for, where it differs.
    pub told: OnceCell<Option<TokenStream>>,
    /// The text with nests that are kernels of their own, where it has no program.
    pub nested: Option<&'a Nested>,
    /// The constant report.
    pub report: TokenStream,
    /// Comments are wanted: `__comment!("…");`, which is not to be compiled.
    pub comments: bool,
}

/// The items that a kernel expands to.
///
/// # Errors
/// An access that is out of bounds whatever the inputs are.
pub fn kernel(kernel: &Kernel) -> Result<TokenStream, String> {
    if kernel.variants.is_empty() {
        return Ok(public::items(kernel, &TokenStream::new()));
    }
    let tables = tables::Tables::new(kernel);
    let check = checks::function(kernel, &tables)?;
    let covered = guard::Covered::new(kernel.lowered, kernel.assumed);
    let mut variants = Vec::new();
    let own = kernel.variants.iter().filter(|own| own.text.is_none());
    for own in own.flat_map(|own| std::iter::once(own).chain(&own.otherwise)) {
        for variant in own.both() {
            let of = (&tables, &covered);
            variants.push(variant::function(kernel, variant, of, own.near())?);
        }
    }
    let tables = tables.tokens(kernel.krate);
    let enclosed = enclosed::module(kernel, &check, &tables, &variants);
    Ok(public::items(kernel, &enclosed))
}

impl Kernel<'_> {
    /// The variants that have code of their own.
    pub fn printed(&self) -> impl Iterator<Item = &Variant> {
        let own = self.variants.iter();
        own.filter(|variant| variant.text.is_none())
            .flat_map(Variant::all)
    }

    /// Whether the program is the text for some inputs only.
    pub fn is_partial(&self) -> bool {
        let limited = !self.lowered.limited.is_empty();
        limited || !self.assumed.is_empty() || !self.expected.is_empty()
    }

    /// Whether a call may have to run the text: for inputs that the program does not hold for, where an integer cannot
    /// be computed before, or instead of a variant.
    pub fn may_run_text(&self) -> bool {
        let always = !self.is_partial() && !before::computes(self.function);
        !always || self.runs_text_checked()
    }

    /// Whether it may be the text that runs after the check, which is faster than a variant, for all calls or for those of
    /// few elements.
    pub fn runs_text_checked(&self) -> bool {
        let mut variants = self.variants.iter();
        variants.any(|variant| {
            let mut short = variant.short.iter();
            variant.text.is_some() || short.any(|short| short.instead == Instead::Text)
        })
    }
}
