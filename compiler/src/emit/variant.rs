//! One function an instruction set.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::bits;
use super::declarations::grouped;
use super::enclosed::instance_generics;
use super::guard::Covered;
use super::memory;
use super::names::{length, plain, stride};
use super::printer::Printer;
use super::pure;
use super::tables::{self, Tables};
use super::vector::Unit;
use super::{Kernel, Variant};
use crate::ir::{Array, Element, Extent, Program, Role};
use crate::schedule::views::Views;
use crate::syntax::ast::{Function, IntegerType, IsaName, ScalarType};

/// The Rust name of an element type.
pub fn element_name(element: Element, parameter: Option<&str>) -> String {
    match element {
        Element::F64 => "f64".to_owned(),
        Element::F32 => "f32".to_owned(),
        Element::Generic => parameter.unwrap_or("f64").to_owned(),
        Element::Integer(ty) => integer_name(ty).to_owned(),
        Element::Word(ty) => format!("::core::num::Wrapping<{}>", integer_name(ty)),
    }
}

/// The Rust name of a scalar type.
pub fn scalar_name(scalar: ScalarType, parameter: Option<&str>) -> String {
    match scalar {
        ScalarType::F64 => "f64".to_owned(),
        ScalarType::F32 => "f32".to_owned(),
        ScalarType::Generic => parameter.unwrap_or("f64").to_owned(),
        ScalarType::Bool => "bool".to_owned(),
        ScalarType::Integer(ty) => integer_name(ty).to_owned(),
    }
}

/// The Rust name of an integer type.
pub fn integer_name(ty: IntegerType) -> &'static str {
    match ty {
        IntegerType::Usize => "usize",
        IntegerType::U64 => "u64",
        IntegerType::U32 => "u32",
        IntegerType::U16 => "u16",
        IntegerType::U8 => "u8",
        IntegerType::Isize => "isize",
        IntegerType::I64 => "i64",
        IntegerType::I32 => "i32",
        IntegerType::I16 => "i16",
        IntegerType::I8 => "i8",
    }
}

/// An element type in an instance of a generic kernel.
pub fn instance(element: Element, of: Element) -> Element {
    if element == Element::Generic {
        of
    } else {
        element
    }
}

/// The raw parameters of a variant: pointers, lengths, strides, scalars, in the order of the
/// kernel's, the one at position `without` left out.
pub fn raw_parameters(
    function: &Function,
    program: &Program,
    (of, parameter): (Element, Option<&str>),
    without: Option<usize>,
) -> String {
    parameters(program)
        .into_iter()
        .filter(|(position, _)| Some(*position) != without)
        .filter(|parameter| !is_constant(function, parameter))
        .map(|(_, array)| {
            let ty = match few_bits(array) {
                Some(few) => integer_name(few).to_owned(),
                None => element_name(instance(array.element, of), parameter),
            };
            let name = plain(&array.name);
            let kind = match array.role {
                Role::Output(_) => "mut",
                _ => "const",
            };
            let mut text = match (&array.role, array.shape.first()) {
                (Role::Parameter(_), None) => return format!("{name}_value: {ty}, "),
                _ => format!("{name}_p: *{kind} {ty}, "),
            };
            for axis in axes(array) {
                text.push_str(&format!("{}: usize, ", length(name, axis)));
            }
            if array.strided {
                for axis in 0..array.shape.len() {
                    text.push_str(&format!("{}: isize, ", stride(name, axis)));
                }
            }
            text
        })
        .collect()
}

/// The type in memory of an array that one variant computes with in few bits, and others do not.
fn few_bits(array: &Array) -> Option<IntegerType> {
    array.element.as_word().filter(|ty| ty.bits() < 32)
}

/// Pointers to arrays that the variant computes with in few bits.
fn few_bits_pointers(printer: &mut Printer) {
    for (_, array) in parameters(printer.program) {
        if few_bits(array).is_some() {
            let (name, ty) = (plain(&array.name), element_name(array.element, None));
            printer.line(&format!("let {name}_p = {name}_p.cast::<{ty}>();"));
        }
    }
}

/// Whether a program's parameter is a `const` one: functions have it as such, so that what is compiled for a number
/// knows it, as the text does.
pub fn is_constant(function: &Function, (position, array): &(usize, &Array)) -> bool {
    *position >= function.parameters.len() && matches!(array.role, Role::Parameter(_))
}

/// The values of `const` parameters, under the names of those that are passed.
pub fn constants(function: &Function, program: &Program) -> TokenStream {
    let all = parameters(program).into_iter();
    let values = all.filter(|parameter| is_constant(function, parameter));
    let values = values.map(|(_, array)| {
        let (value, name) = (
            format_ident!("{}_value", plain(&array.name)),
            format_ident!("{}", array.name),
        );
        quote!(let #value: usize = #name;)
    });
    values.collect()
}

/// The axes whose extents are passed.
pub fn axes(array: &Array) -> std::ops::Range<usize> {
    match array.shape.first() {
        _ if array.strided => 0..array.shape.len(),
        Some(Extent::RunTime(_)) => 0..1,
        _ => 0..0,
    }
}

/// A program's parameters in order.
pub fn parameters(program: &Program) -> Vec<(usize, &Array)> {
    let mut result: Vec<(usize, &Array)> = program
        .arrays
        .iter()
        .filter_map(|array| match array.role {
            Role::Output(_) if array.allocated => None,
            Role::Parameter(position) | Role::Output(position) => Some((position, array)),
            Role::State(_) | Role::Table(_) | Role::Counting | Role::Temporary => None,
        })
        .collect();
    // Views come after what they are views of.
    result.sort_by_key(|(position, _)| *position);
    result.dedup_by_key(|(position, _)| *position);
    result
}

/// Whether a variant has temporaries in scratch memory.
pub fn has_buffers(variant: &Variant) -> bool {
    !variant.schedule.buffers.is_empty()
}

/// Whether it has, or the one that runs for long extents.
pub fn may_have_buffers(variant: &Variant) -> bool {
    variant.both().into_iter().any(has_buffers)
}

/// The function's name: the instruction set, the element type in generic kernels, and which neighbours of views lie
/// together.
pub fn name(kernel: &Kernel, variant: &Variant) -> proc_macro2::Ident {
    let isa = match variant.is_large {
        true => format!("{}_large", variant.isa.name()),
        false => variant.isa.name().to_owned(),
    };
    let element = match (kernel.function.scalar_parameter.is_some(), variant.element) {
        (true, Element::F64) => "_f64",
        (true, Element::F32) => "_f32",
        _ => "",
    };
    let views = match variant.views {
        Views::Rows => "",
        Views::Columns => "_columns",
        Views::Any => "_strided",
        Views::Records => "_records",
    };
    format_ident!("__{isa}{element}{views}")
}

/// What a function for an instruction set is compiled for.
pub fn features(isa: IsaName) -> TokenStream {
    match isa {
        IsaName::Scalar => quote!(),
        IsaName::Avx2 => {
            quote! {
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            }
        }
        IsaName::Avx512 => quote! {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(
                enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,bmi1,bmi2,lzcnt,popcnt"
            )]
        },
    }
}

/// What counts bits in registers of AVX-512.
fn features_of_counts() -> TokenStream {
    quote! {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512cd,avx512vpopcntdq")]
    }
}

fn has_lanes(variant: &Variant) -> bool {
    variant.schedule.width > 1 && variant.schedule.lanes.is_some()
}

/// Whether a variant has instructions of AVX-512 that count bits, which its first processors have not.
pub fn counts_bits(variant: &Variant) -> bool {
    variant.isa == IsaName::Avx512 && has_lanes(variant) && bits::counts(&variant.program)
}

/// AVX-512 for code without lanes: rustc takes scatters of its own making for cheap, which without
/// `avx512vl` it does not make of what belongs into registers of 128 and 256 bits.
fn without_scatters() -> TokenStream {
    quote! {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512dq,avx512bw,avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    }
}

/// What the function of a variant is compiled for.
fn features_of(variant: &Variant) -> TokenStream {
    match variant.isa {
        // LLVM would gather what lies anywhere, and scatter it.
        IsaName::Avx512 if !has_lanes(variant) && variant.views == Views::Any => {
            features(IsaName::Avx2)
        }
        IsaName::Avx512 if !has_lanes(variant) => without_scatters(),
        IsaName::Avx512 if counts_bits(variant) => {
            let (all, counting) = (features(variant.isa), features_of_counts());
            quote!(#all #counting)
        }
        isa => features(isa),
    }
}

/// Prints the function of a variant.
///
/// # Errors
/// Text that is not Rust: a defect of the printer.
pub fn function(
    kernel: &Kernel,
    variant: &Variant,
    (tables, covered): (&Tables, &Covered<'_>),
    near: Vec<(usize, usize)>,
) -> Result<TokenStream, String> {
    let name = name(kernel, variant);
    let parameter = kernel
        .function
        .scalar_parameter
        .as_ref()
        .map(ToString::to_string);
    let krate = super::ALIAS.to_owned();
    let alias = format_ident!("{}", super::ALIAS);
    let registers = match variant.isa {
        IsaName::Avx512 => 512,
        IsaName::Avx2 | IsaName::Scalar => 256,
    };
    let unit = Unit::new(
        (variant.schedule.width, registers),
        variant.element,
        parameter.as_deref(),
        &krate,
        variant.fused && variant.element != Element::Generic,
    );
    let mut printer = Printer::new(&variant.program, &variant.schedule, unit, tables, covered);
    printer.runs.clone_from(&variant.runs);
    printer.views = (variant.views, near);
    printer.comments = kernel.comments;
    if let Some(large) = &variant.large {
        let call = large.call(kernel, variant);
        printer.in_large(large, (&call, &krate));
    }
    if printer.in_bytes() {
        printer.hide_strides();
    }
    let start = printer.out.len();
    few_bits_pointers(&mut printer);
    table_pointers(&mut printer, variant);
    allocations(&mut printer, &krate);
    memory::declare(&mut printer, &krate);
    printer.nodes_and_streams(&variant.schedule.body, &krate);
    printer.declare_distances(start);
    let body: TokenStream = printer
        .out
        .parse()
        .map_err(|_| format!("the printed code is not Rust:\n{}", printer.out))?;
    let body = grouped(body, &printer.out, &printer.declared);
    let scalar = (variant.element, parameter.as_deref());
    let raw = raw_parameters(kernel.function, &variant.program, scalar, None);
    let raw: TokenStream = raw
        .parse()
        .map_err(|_| "the parameters are not Rust".to_owned())?;
    let scratch = match has_buffers(variant) {
        true => Some(quote!(__scratch: &mut #alias::Scratch,)),
        false => may_have_buffers(variant)
            .then(|| quote!(__scratch: ::core::option::Option<&mut #alias::Scratch>,)),
    };
    let generics = instance_generics(kernel.function, variant.element);
    let constants = constants(kernel.function, &variant.program);
    let pure = pure::of_variant(kernel, variant);
    let features = features_of(variant);
    // What runs where there are no lanes would stand in the dispatch, and keep that from being inlined.
    let apart = (variant.isa == IsaName::Scalar && kernel.variants.len() > 1)
        .then(|| quote!(#[inline(never)]));
    let arch = (variant.schedule.width > 1).then(|| {
        quote!(
            use ::core::arch::x86_64::*;
        )
    });
    Ok(quote! {
        /// # Safety
        /// The processor has the instruction set; the pointers are those of slices and arrays of
        /// the lengths given, those that are written through alias no other; every index that
        /// the kernel reaches was checked.
        #features
        #apart
        unsafe fn #name #generics (#raw #scratch #(#pure),*) {
            // SAFETY: the caller's.
            unsafe { #arch #constants #body }
        }
    })
}

fn table_pointers(printer: &mut Printer, variant: &Variant) {
    for id in tables::read_by(variant) {
        let array = variant.program.array(id);
        let table = tables::static_name(&array.name, instance(array.element, variant.element));
        let pointer = printer.pointer(id);
        printer.line(&format!("let {pointer} = {table}.as_ptr();"));
    }
}

/// Allocates what the text allocates.
fn allocations(printer: &mut Printer, krate: &str) {
    let program = printer.program;
    for array in program.arrays.iter().filter(|array| array.allocated) {
        let name = plain(&array.name);
        let mut count = "1usize".to_owned();
        for extent in &array.shape {
            let extent = printer.extent(extent);
            count = format!("{count}.checked_mul({extent}).expect(\"capacity overflow\")");
        }
        let unit = printer.unit_of(array.element);
        let (ty, zero) = (&unit.scalar, unit.zero(false));
        let text = format!(
            "let mut {name}_m = {krate}::AlignedVec::<{ty}>::filled({zero}, {count}); \
             let {name}_p = {name}_m.as_mut_ptr();"
        );
        printer.line(&text);
    }
}
