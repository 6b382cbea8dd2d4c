//! The bounds check of a kernel: every access, once, before anything is written.

use std::collections::HashSet;
use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::Kernel;
use super::linear::Value;
use super::names::{length, plain};
use super::ranges::range;
use super::tables::Tables;
use super::variant::raw_parameters;
use crate::ir::{Access, Affine, Atom, Element, Equation, Extent, IndexId, Program, Role};
use crate::lower::Reached;
use crate::syntax::ast::IntegerType;

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
        done: HashSet::new(),
        highest: Vec::new(),
        out: String::new(),
    };
    for assumed in kernel.assumed {
        let value = checks.value(assumed);
        checks.once(format!("if {value} < 0 {{ return false; }}\n"));
    }
    for (bound, around) in kernel.bounds {
        checks.bound(bound, around);
    }
    for equation in &program.equations {
        let domain: Vec<IndexId> = equation.domain().collect();
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
    let (result, known) = match kernel.assumed {
        [] => (TokenStream::new(), TokenStream::new()),
        _ => (quote!(-> bool), quote!(true)),
    };
    let body: TokenStream = checks
        .out
        .parse()
        .map_err(|_| format!("the printed checks are not Rust:\n{}", checks.out))?;
    let parameter = kernel
        .function
        .scalar_parameter
        .as_ref()
        .map(ToString::to_string);
    let without = super::public::result(kernel).map(|_| kernel.function.parameters.len());
    let raw: TokenStream = raw_parameters(program, Element::Generic, parameter.as_deref(), without)
        .parse()
        .map_err(|_| "the parameters are not Rust".to_owned())?;
    let (generics, clause) = if kernel.function.scalar_parameter.is_some() {
        (
            kernel.function.generics.clone(),
            kernel.function.where_clause.clone(),
        )
    } else {
        (TokenStream::new(), TokenStream::new())
    };
    Ok(quote! {
        /// Checks every access before anything is written; where the program is the text for some
        /// inputs only, whether these are such.
        ///
        /// # Safety
        /// The pointers are those of slices and arrays of the lengths given.
        #[track_caller]
        unsafe fn __check #generics (#raw) #result #clause {
            // SAFETY: the caller's; index maps are read inside the bounds checked just before.
            unsafe { #body #known }
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

/// The checks so far.
pub struct Checks<'a> {
    pub(super) program: &'a Program,
    pub(super) tables: &'a Tables,
    pub(super) krate: String,
    done: HashSet<String>,
    /// When subscripts are evaluated, these, and the name and the type of their largest value.
    pub(super) highest: Vec<(String, Affine, (String, &'static str))>,
    pub(super) out: String,
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
        self.once(check);
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
            self.once(format!(
                "if {value} > isize::MAX as i128 {{ ::core::panic!({text:?}); }}\n"
            ));
        }
    }

    pub(super) fn once(&mut self, text: String) {
        if self.done.insert(text.clone()) {
            self.out.push_str(&text);
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
            return Ok(());
        }
        for (axis, (subscript, extent)) in access.subscripts.iter().zip(&array.shape).enumerate() {
            // What subscripts a temporary is known, but for entries of index maps.
            if temporary && (!is_mapped(subscript) || extent.as_constant().is_none()) {
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
        let check = if is_mapped(subscript) {
            self.scan(&guard, (&name, axis), subscript, &has)
        } else {
            self.extremes(&name, axis, subscript, &has)
        };
        let guard = match guard.is_empty() {
            true => guard,
            false => format!("if {guard} "),
        };
        self.once(format!("{guard}{{ {check} }}\n"));
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
        self.outer(affine).print("i128")
    }

    /// What an affine function has of lengths and integer parameters.
    pub(super) fn outer(&self, affine: &Affine) -> Value {
        let mut value = Value::constant(affine.constant.into());
        for (atom, c) in &affine.terms {
            match atom {
                Atom::Scalar(array) => {
                    let array = self.program.array(*array);
                    let unsigned = is_natural(array.element);
                    let name = plain(&array.name);
                    let text = format!("{}::MapIndex::to_index({name}_value)", self.krate);
                    value.add(*c, text, unsigned);
                }
                Atom::Length(array, axis) => {
                    let text = length(&self.program.array(*array).name, *axis);
                    value.add(*c, text, true);
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

    /// The smallest and the largest value of a subscript without maps: at the loops' ends.
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
    fn extremes(&self, name: &str, axis: usize, subscript: &Affine, has: &str) -> String {
        let (low, high) = self.ends(subscript);
        let mut other = None;
        for (atom, _) in &subscript.terms {
            let Atom::Index(index) = atom else { continue };
            if let Extent::RunTime(affine) = &self.program.loop_index(*index).extent {
                other = Some((self.program.describe(affine), self.value(affine)));
            }
        }
        let (krate, kernel) = (&self.krate, self.kernel());
        let (other_name, other_value) =
            other.unwrap_or_else(|| ("the loop".to_owned(), "0i128".to_owned()));
        let mut text = String::new();
        if !low.is_natural() {
            let low = low.print("i128");
            text = format!(
                "let low = {low}; if low < 0 \
                 {{ {krate}::checks::index_out_of_bounds({kernel:?}, {name:?}, {axis}usize, low, {has}); }} "
            );
        }
        let high = high.print("i128");
        let _ = write!(
            text,
            "let high = {high}; if high >= {has} as i128 \
             {{ {krate}::checks::extent_too_small({kernel:?}, {name:?}, {axis}usize, high, {has}, {other_name:?}, {other_value} as usize); }}"
        );
        text
    }
}

/// Whether no value of a type is negative.
fn is_natural(element: Element) -> bool {
    use IntegerType::{U8, U16, U32, U64, Usize};
    matches!(element, Element::Integer(U8 | U16 | U32 | U64 | Usize))
}

fn is_mapped(subscript: &Affine) -> bool {
    let mut atoms = subscript.terms.iter();
    atoms.any(|(atom, _)| matches!(atom, Atom::Map(..)))
}

fn out_of_range(name: &str, axis: usize, low: i64, high: i64, extent: usize) -> String {
    let index = if low < 0 { low } else { high };
    format!("index {index} is out of bounds for axis {axis} of `{name}` with extent {extent}")
}
