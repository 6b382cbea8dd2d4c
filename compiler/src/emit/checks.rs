//! The bounds check of a kernel: every access, once, before anything is written.

use std::cell::Cell;

use proc_macro2::TokenStream;
use quote::quote;

use super::Kernel;
use super::entries::{Known, bounds, maps};
use super::implied::{End, Listing, Place};
use super::linear::{Bounds, Value};
use super::names::{length, plain};
use super::tables::Tables;
use super::variant::{constants, raw_parameters};
use crate::analysis::subscripts::range;
use crate::ir::{Access, Affine, ArrayId, Atom, Element, Equation, Extent, IndexId, Program, Role};
use crate::lower::Reached;

/// The function that checks, taking what the variants take.
///
/// # Errors
/// An access that is out of bounds for all inputs.
pub fn function(kernel: &Kernel, tables: &Tables) -> Result<TokenStream, String> {
    let program = kernel.lowered;
    let mut checks = Checks {
        program,
        tables,
        krate: super::ALIAS.to_owned(),
        maps: all_maps(kernel),
        known: Known::default(),
        overflows: Cell::new(false),
        panics: true,
        listing: Listing::default(),
    };
    for assumed in kernel.assumed {
        let value = checks.value(assumed);
        checks
            .listing
            .once(format!("if {value} < 0 {{ return false; }}\n"));
    }
    checks.limits();
    for (bound, around) in kernel.bounds {
        checks.bound(bound, around);
    }
    checks.expected(kernel)?;
    for equation in &program.equations {
        let domain = program.around(equation);
        let extents = || domain.iter().map(|i| &program.loop_index(*i).extent);
        if extents().any(|extent| *extent == Extent::Constant(0)) {
            continue;
        }
        for extent in extents() {
            checks.fits(extent);
        }
        for access in &accesses(program, equation) {
            checks.access(access, &domain)?;
        }
    }
    for reached in kernel.reached {
        checks.reached(reached)?;
    }
    if checks.overflows.get() {
        return Err(
            "subscripts and bounds have factors that no array is long enough for".to_owned(),
        );
    }
    let (result, known) = match kernel.is_partial() {
        false => (TokenStream::new(), TokenStream::new()),
        true => (quote!(-> bool), quote!(true)),
    };
    let text = checks.listing.text();
    let body: TokenStream = text
        .parse()
        .map_err(|_| format!("the printed checks are not Rust:\n{text}"))?;
    let parameter = kernel
        .function
        .scalar_parameter
        .as_ref()
        .map(ToString::to_string);
    let without = super::enclosed::result(kernel).map(|_| kernel.function.parameters.len());
    let scalar = (Element::Generic, parameter.as_deref());
    let raw: TokenStream = raw_parameters(kernel.function, program, scalar, without)
        .parse()
        .map_err(|_| "the parameters are not Rust".to_owned())?;
    let generics = super::enclosed::generics(kernel.function);
    let constants = constants(kernel.function, program);
    Ok(quote! {
        /// Checks every access before anything is written; where the program is the text for some
        /// inputs only, whether these are such.
        ///
        /// # Safety
        /// The pointers are those of slices and arrays of the lengths given.
        #[track_caller]
        #[inline(always)]
        unsafe fn __check #generics (#raw) #result {
            // SAFETY: the caller's; index maps are read inside the bounds checked just before.
            unsafe { #constants #body #known }
        }
    })
}

/// What an equation writes and reads.
fn accesses(program: &Program, equation: &Equation) -> Vec<Access> {
    let read = program.pool.accesses([equation.expr]).into_iter();
    let read = read.map(|(_, access)| access);
    let mut result: Vec<Access> = read.chain([&equation.target]).cloned().collect();
    result.sort();
    result
}

/// The index maps that the checks read.
fn all_maps(kernel: &Kernel) -> Vec<(ArrayId, Vec<Affine>)> {
    let equations = kernel.lowered.equations.iter();
    let accesses = equations.flat_map(|equation| accesses(kernel.lowered, equation));
    let reached = kernel.reached.iter().map(|reached| reached.access.clone());
    accesses
        .chain(reached)
        .flat_map(|access| maps(&access))
        .collect()
}

/// The checks so far.
pub struct Checks<'a> {
    pub(super) program: &'a Program,
    pub(super) tables: &'a Tables,
    pub(super) krate: String,
    /// The index maps that subscripts are made of.
    pub(super) maps: Vec<(ArrayId, Vec<Affine>)>,
    /// Those of which the smallest and the largest entry are known.
    pub(super) known: Known,
    /// Something might not fit into `i128`.
    overflows: Cell<bool>,
    /// Whether an access that is out of bounds panics, or lets the text run.
    panics: bool,
    pub(super) listing: Listing,
}

impl Checks<'_> {
    pub(super) fn kernel(&self) -> &str {
        &self.program.name
    }

    /// A bound of a loop must not be negative.
    fn bound(&mut self, bound: &Affine, around: &[IndexId]) {
        let guard = self.guard(around);
        let value = self.value(bound);
        let text = self.program.describe(bound);
        let and = if guard.is_empty() { "" } else { " && " };
        let check = format!(
            "if {guard}{and}{value} < 0 {{ {}::checks::bound_underflow({:?}, {text:?}); }}\n",
            self.krate,
            self.kernel()
        );
        self.listing.once(check);
    }

    /// The number of a loop's iterations must fit into an address.
    fn fits(&mut self, extent: &Extent) {
        let Extent::RunTime(affine) = extent else {
            return;
        };
        let plain = affine.constant <= 0 && matches!(affine.terms.as_slice(), [(_, 1)]);
        if !plain {
            let value = self.value(affine);
            let text = format!(
                "`{}`: the bound `{}` overflows",
                self.kernel(),
                self.program.describe(affine)
            );
            self.listing.once(format!(
                "if {value} > isize::MAX as i128 {{ ::core::panic!({text:?}); }}\n"
            ));
        }
    }

    /// What is accessed under conditions, after what is anyway.
    fn expected(&mut self, kernel: &Kernel) -> Result<(), String> {
        if kernel.expected.is_empty() {
            return Ok(());
        }
        let anyway = (kernel.reached.iter()).filter(|reached| !kernel.expected.contains(reached));
        for reached in anyway {
            self.reached(reached)?;
        }
        // What panics comes before, and no more than that: inputs that are too short for a branch are none of it.
        self.listing.seal();
        self.panics = false;
        for reached in kernel.expected {
            self.reached(reached)?;
        }
        self.panics = true;
        Ok(())
    }

    /// What is done where an access is out of bounds: `panic` is a function of the run time's, with its arguments.
    pub(super) fn fails(&self, panic: &str) -> String {
        match self.panics {
            true => format!("{}::checks::{panic};", self.krate),
            false => "return false;".to_owned(),
        }
    }

    /// What the text subscripts without using the value.
    fn reached(&mut self, reached: &Reached) -> Result<(), String> {
        let extents = reached.domain.iter();
        for extent in extents.map(|index| &self.program.loop_index(*index).extent) {
            if *extent == Extent::Constant(0) {
                return Ok(());
            }
            self.fits(extent);
        }
        self.access(&reached.access, &reached.domain)
    }

    fn access(&mut self, access: &Access, domain: &[IndexId]) -> Result<(), String> {
        // What maps are subscripted by comes first: it must be right before they are read.
        for subscript in &access.subscripts {
            for (atom, _) in &subscript.terms {
                if let Atom::Map(array, subscripts) = atom {
                    self.access(
                        &Access {
                            array: *array,
                            subscripts: subscripts.clone(),
                        },
                        domain,
                    )?;
                }
            }
        }
        // What the user calls it.
        let access = &Access {
            array: self.program.viewed(access.array),
            ..access.clone()
        };
        let array = self.program.array(access.array);
        if matches!(array.role, Role::Counting) {
            return Ok(());
        }
        let temporary = matches!(array.role, Role::Temporary);
        if temporary {
            self.constant(access)?;
        }
        if array.flat {
            self.flat(access, domain);
        }
        let subscripts = access.subscripts.iter().zip(&array.shape).enumerate();
        for (axis, (subscript, extent)) in subscripts.skip(array.flat_rows()) {
            // What subscripts a temporary is known, but for entries of index maps.
            if temporary && (!subscript.is_mapped() || extent.as_constant().is_none()) {
                continue;
            }
            self.subscript(access, axis, subscript, extent, domain)?;
        }
        Ok(())
    }

    /// Temporaries: their extents are constant or those of the loops.
    fn constant(&self, access: &Access) -> Result<(), String> {
        let array = self.program.array(access.array);
        for (axis, (subscript, extent)) in access.subscripts.iter().zip(&array.shape).enumerate() {
            if let (Extent::Constant(n), Some((low, high))) =
                (extent, range(self.program, subscript))
                && (low < 0 || high >= *n as i64)
            {
                return Err(out_of_range(&array.name, axis, low, high, *n));
            }
        }
        Ok(())
    }

    fn subscript(
        &mut self,
        access: &Access,
        axis: usize,
        subscript: &Affine,
        extent: &Extent,
        domain: &[IndexId],
    ) -> Result<(), String> {
        let array = self.program.array(access.array);
        let name = array.name.clone();
        let has = match extent {
            Extent::Constant(n) => {
                if let Some((low, high)) = range(self.program, subscript) {
                    if low < 0 || high >= *n as i64 {
                        return Err(out_of_range(&name, axis, low, high, *n));
                    }
                    return Ok(());
                }
                n.to_string()
            }
            Extent::RunTime(affine) => match affine.terms.as_slice() {
                [(Atom::Length(own, axis), 1)] if *own == access.array => length(&name, *axis),
                _ => format!("({} as usize)", self.value(affine)),
            },
        };
        let guard = self.guard(domain);
        if !subscript.is_mapped() {
            self.extremes((&name, axis), subscript, &has, &guarded(&guard));
            return Ok(());
        }
        let check = self.scan(&guard, (&name, axis), subscript, &has);
        let guard = guarded(&guard);
        self.listing.once(format!("{guard}{{ {check} }}\n"));
        Ok(())
    }

    /// True if the domain is not empty.
    pub(super) fn guard(&self, domain: &[IndexId]) -> String {
        let mut conditions: Vec<String> = domain
            .iter()
            .filter_map(|index| match &self.program.loop_index(*index).extent {
                Extent::Constant(_) => None,
                Extent::RunTime(affine) => Some(format!("{} > 0", self.value(affine))),
            })
            .collect();
        conditions.sort();
        conditions.dedup();
        conditions.join(" && ")
    }

    /// An affine function of lengths and integer parameters, in `i128`: nothing overflows.
    pub(super) fn value(&self, affine: &Affine) -> String {
        self.printed(&self.outer(affine))
    }

    /// A value as text.
    pub(super) fn printed(&self, value: &Value) -> String {
        self.overflows
            .set(self.overflows.get() || value.overflows());
        value.print()
    }

    /// Values as texts.
    pub(super) fn all_printed(&self, values: &[Value]) -> Vec<String> {
        values.iter().map(|value| self.printed(value)).collect()
    }

    /// What an affine function has of lengths and integer parameters.
    pub(super) fn outer(&self, affine: &Affine) -> Value {
        let mut value = Value::constant(affine.constant.into());
        for (atom, c) in &affine.terms {
            match atom {
                Atom::Scalar(array) => {
                    let array = self.program.array(*array);
                    let text = format!("{}_value", plain(&array.name));
                    value.add(*c, text, bounds(array.element));
                }
                Atom::Length(array, axis) => {
                    let text = length(&self.program.array(*array).name, *axis);
                    value.add(*c, text, Bounds::LENGTH);
                }
                Atom::Index(_) | Atom::Map(..) => {}
            }
        }
        value
    }

    pub(super) fn extent(&self, index: IndexId) -> Value {
        match &self.program.loop_index(index).extent {
            Extent::Constant(n) => Value::constant(*n as i128),
            Extent::RunTime(affine) => self.outer(affine),
        }
    }

    /// The smallest and the largest value of a subscript but for its maps: at the loops' ends.
    pub(super) fn ends(&self, subscript: &Affine) -> (Value, Value) {
        let base = self.outer(subscript);
        let (mut low, mut high) = (base.clone(), base);
        for (atom, c) in &subscript.terms {
            let Atom::Index(index) = atom else { continue };
            let end = if *c > 0 { &mut high } else { &mut low };
            end.add_last(*c, &self.extent(*index));
        }
        (low, high)
    }

    /// No maps: the smallest and the largest value are at the loops' ends.
    fn extremes(
        &mut self,
        (name, axis): (&str, usize),
        subscript: &Affine,
        has: &str,
        guard: &str,
    ) {
        let (low, high) = self.ends(subscript);
        let mut other = None;
        for (atom, _) in &subscript.terms {
            let Atom::Index(index) = atom else { continue };
            if let Extent::RunTime(affine) = &self.program.loop_index(*index).extent {
                other = Some((self.program.describe(affine), self.value(affine)));
            }
        }
        let (krate, kernel) = (self.krate.clone(), self.kernel().to_owned());
        let (other_name, other_value) =
            other.unwrap_or_else(|| ("the loop".to_owned(), "0i128".to_owned()));
        if !low.is_natural() {
            self.place(End::First, vec![low], |low| {
                let low = &low[0];
                format!(
                    "{guard}{{ let low = {low}; if low < 0 \
                     {{ {krate}::checks::index_out_of_bounds({kernel:?}, {name:?}, {axis}usize, low, {has}); }} }}\n"
                )
            });
        }
        self.place(End::Last, vec![high], |high| {
            let high = &high[0];
            format!(
                "{guard}{{ let high = {high}; if high >= {has} as i128 \
                 {{ {krate}::checks::extent_too_small({kernel:?}, {name:?}, {axis}usize, high, {has}, {other_name:?}, {other_value} as usize); }} }}\n"
            )
        });
    }

    /// A check of a place, as text of its subscripts.
    pub(super) fn place(
        &mut self,
        end: End,
        subscripts: Vec<Value>,
        check: impl Fn(&[String]) -> String,
    ) {
        let texts = self.all_printed(&subscripts);
        let nothing = vec![String::new(); subscripts.len()];
        self.listing.place(Place {
            end,
            against: check(&nothing),
            text: check(&texts),
            subscripts,
        });
    }
}

/// A condition as the head of a block.
pub fn guarded(condition: &str) -> String {
    match condition {
        "" => String::new(),
        condition => format!("if {condition} "),
    }
}

fn out_of_range(name: &str, axis: usize, low: i64, high: i64, extent: usize) -> String {
    let index = if low < 0 { low } else { high };
    format!("index {index} is out of bounds for axis {axis} of `{name}` with extent {extent}")
}
