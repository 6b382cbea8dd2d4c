//! One function an instruction set, and the tables they share.

use std::collections::HashMap;

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::printer::Printer;
use super::vector::Unit;
use super::{Kernel, Variant};
use crate::ir::{Array, ArrayId, Element, Extent, Program, Role};
use crate::schedule::tree::Storage;
use crate::syntax::ast::{IntegerType, IsaName};

/// Largest temporary on the stack, and all of them together, in elements.
const ON_STACK: usize = 4096;

/// The Rust name of an element type.
pub fn element_name(element: Element, parameter: Option<&str>) -> String {
    match element {
        Element::F64 => "f64".to_owned(),
        Element::F32 => "f32".to_owned(),
        Element::Generic => parameter.unwrap_or("f64").to_owned(),
        Element::Integer(ty) => integer_name(ty).to_owned(),
    }
}

fn integer_name(ty: IntegerType) -> &'static str {
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

/// The raw parameters of a variant: pointers, lengths, scalars, in the order of the kernel's.
pub fn raw_parameters(program: &Program, of: Element, parameter: Option<&str>) -> String {
    parameters(program)
        .into_iter()
        .map(|(_, array)| {
            let ty = element_name(instance(array.element, of), parameter);
            let name = &array.name;
            match (&array.role, array.shape.first()) {
                (_, None) => format!("{name}_value: {ty}, "),
                (Role::Output(_), Some(Extent::RunTime(_))) => {
                    format!("{name}_p: *mut {ty}, {name}_len: usize, ")
                }
                (_, Some(Extent::RunTime(_))) => {
                    format!("{name}_p: *const {ty}, {name}_len: usize, ")
                }
                (Role::Output(_), _) => format!("{name}_p: *mut {ty}, "),
                _ => format!("{name}_p: *const {ty}, "),
            }
        })
        .collect()
}

/// A program's parameters in order.
pub fn parameters(program: &Program) -> Vec<(usize, &Array)> {
    let mut result: Vec<(usize, &Array)> = program
        .arrays
        .iter()
        .filter_map(|array| match array.role {
            Role::Parameter(position) | Role::Output(position) => Some((position, array)),
            Role::Table(_) | Role::Temporary => None,
        })
        .collect();
    result.sort_by_key(|(position, _)| *position);
    result
}

/// The function's name: the instruction set, and the element type in generic kernels.
pub fn name(kernel: &Kernel, variant: &Variant) -> proc_macro2::Ident {
    let isa = match variant.isa {
        IsaName::Scalar => "scalar",
        IsaName::Avx2 => "avx2",
        IsaName::Avx512 => "avx512",
    };
    match (kernel.function.scalar_parameter.is_some(), variant.element) {
        (true, Element::F64) => format_ident!("{isa}_f64"),
        (true, Element::F32) => format_ident!("{isa}_f32"),
        _ => format_ident!("{isa}"),
    }
}

/// Prints a variant.
///
/// # Errors
/// Text that is not Rust: a defect of the printer.
pub fn function(
    kernel: &Kernel,
    variant: &Variant,
    padded: &HashMap<ArrayId, usize>,
) -> Result<TokenStream, String> {
    let parameter = kernel
        .function
        .scalar_parameter
        .as_ref()
        .map(ToString::to_string);
    let krate = super::ALIAS.to_owned();
    let unit = Unit::new(
        variant.schedule.width,
        variant.element,
        parameter.as_deref(),
        &krate,
        variant.fused && variant.element != Element::Generic,
    );
    let mut printer = Printer::new(&variant.program, &variant.schedule, unit, padded, &[]);
    table_pointers(&mut printer, variant);
    memory(&mut printer, &krate);
    printer.nodes(&variant.schedule.body);
    let body: TokenStream = printer
        .out
        .parse()
        .map_err(|_| format!("the printed code is not Rust:\n{}", printer.out))?;
    let raw: TokenStream = raw_parameters(&variant.program, variant.element, parameter.as_deref())
        .parse()
        .map_err(|_| "the parameters are not Rust".to_owned())?;
    let name = name(kernel, variant);
    let (generics, clause) = if variant.element == Element::Generic {
        (&kernel.function.generics, &kernel.function.where_clause)
    } else {
        (&TokenStream::new(), &TokenStream::new())
    };
    let feature = match variant.isa {
        IsaName::Scalar => quote!(),
        IsaName::Avx2 => {
            quote!(#[cfg(target_arch = "x86_64")] #[target_feature(enable = "avx2,fma")])
        }
        IsaName::Avx512 => quote! {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
        },
    };
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
        #feature
        unsafe fn #name #generics (#raw) #clause {
            // SAFETY: the caller's.
            unsafe { #arch #body }
        }
    })
}

fn table_pointers(printer: &mut Printer, variant: &Variant) {
    let program = &variant.program;
    for (at, array) in program.arrays.iter().enumerate() {
        if matches!(array.role, Role::Table(_)) && reads(program, ArrayId(at as u32)) {
            let table = static_name(array, instance(array.element, variant.element));
            printer.line(&format!(
                "let {}_p = {table}.as_ptr();",
                array.name.trim_start_matches("r#")
            ));
        }
    }
}

/// Declares the temporaries that live in memory.
fn memory(printer: &mut Printer, krate: &str) {
    let mut stack = 0;
    let storage: Vec<_> = printer.schedule.storage.clone();
    for (array, storage) in storage {
        if !matches!(storage, Storage::Memory { .. }) {
            continue;
        }
        let count = printer.elements(array).max(1);
        let name = printer.program.array(array).name.clone();
        let ty = printer.unit.scalar.clone();
        if stack + count <= 2 * ON_STACK && count <= ON_STACK {
            stack += count;
            printer.line(&format!(
                "let mut {name}_m = {krate}::Aligned(::core::mem::MaybeUninit::<[{ty}; {count}]>::uninit()); \
                 let {name}_p = {name}_m.0.as_mut_ptr().cast::<{ty}>();"
            ));
        } else {
            let zero = printer.unit.zero(false);
            printer.line(&format!(
                "let mut {name}_m = {krate}::AlignedVec::<{ty}>::filled({zero}, {count}); let {name}_p = {name}_m.as_mut_ptr();"
            ));
        }
    }
}

fn reads(program: &Program, array: ArrayId) -> bool {
    let mut seen = std::collections::HashSet::new();
    let mut stack: Vec<_> = program.equations.iter().map(|e| e.expr).collect();
    while let Some(expr) = stack.pop() {
        if seen.insert(expr) {
            if let crate::ir::Expr::Access(access) = program.pool.get(expr) {
                let in_map = access.subscripts.iter().any(|s| {
                    s.terms.iter().any(
                        |(atom, _)| matches!(atom, crate::ir::Atom::Map(map, _) if *map == array),
                    )
                });
                if access.array == array || in_map {
                    return true;
                }
            }
            stack.extend(program.pool.operands(expr));
        }
    }
    program.equations.iter().any(|e| {
        e.target.subscripts.iter().any(|s| {
            s.terms
                .iter()
                .any(|(atom, _)| matches!(atom, crate::ir::Atom::Map(map, _) if *map == array))
        })
    })
}

fn static_name(array: &Array, element: Element) -> String {
    let suffix = if element == Element::F32 { "_F32" } else { "" };
    format!(
        "TABLE_{}{suffix}",
        array.name.trim_start_matches("r#").to_uppercase()
    )
}

/// The statics of all tables that a variant reads.
pub fn tables(kernel: &Kernel, padded: &HashMap<ArrayId, usize>) -> TokenStream {
    let mut done: Vec<String> = Vec::new();
    let mut result = TokenStream::new();
    for variant in kernel.variants {
        for (at, array) in variant.program.arrays.iter().enumerate() {
            let id = ArrayId(at as u32);
            let Role::Table(values) = &array.role else {
                continue;
            };
            let element = instance(array.element, variant.element);
            let name = static_name(array, element);
            if !reads(&variant.program, id) || done.contains(&name) {
                continue;
            }
            let row = array
                .shape
                .last()
                .and_then(Extent::as_constant)
                .unwrap_or(1)
                .max(1);
            let stride = padded.get(&id).copied().unwrap_or(row);
            let numbers: Vec<f64> = values
                .chunks(row)
                .flat_map(|r| {
                    r.iter()
                        .map(|v| v.to_f64())
                        .chain(std::iter::repeat_n(0.0, stride - r.len()))
                })
                .collect();
            result.extend(table(kernel.krate, &name, element, &numbers));
            done.push(name);
        }
    }
    result
}

fn table(krate: &TokenStream, name: &str, element: Element, numbers: &[f64]) -> TokenStream {
    let name = format_ident!("{name}");
    let count = numbers.len();
    match element {
        Element::Integer(ty) => {
            let ty = format_ident!("{}", integer_name(ty));
            let values = numbers.iter().map(|v| Literal::i64_unsuffixed(*v as i64));
            quote!(static #name: [#ty; #count] = [#(#values),*];)
        }
        Element::F32 => {
            let bytes: Vec<u8> = numbers
                .iter()
                .flat_map(|v| (*v as f32).to_le_bytes())
                .collect();
            let bytes = Literal::byte_string(&bytes);
            quote!(static #name: &[f32; #count] = #krate::__private::f32_table(const { &#krate::__private::Aligned(*#bytes) });)
        }
        _ => {
            let bytes: Vec<u8> = numbers.iter().flat_map(|v| v.to_le_bytes()).collect();
            let bytes = Literal::byte_string(&bytes);
            quote!(static #name: &[f64; #count] = #krate::__private::f64_table(const { &#krate::__private::Aligned(*#bytes) });)
        }
    }
}
