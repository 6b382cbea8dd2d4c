//! The constant tables of a kernel: each once, shared by all variants.

use std::rc::Rc;

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::names::plain;
use super::variant::{instance, integer_name};
use super::{Kernel, Variant};
use crate::collections::{HashMap, HashSet};
use crate::ir::{Affine, Array, ArrayId, Atom, Element, Expr, Extent, Program, Role};
use crate::number::Number;
use crate::schedule::runs::Run;
use crate::syntax::ast::IntegerType;

/// Rows are padded to this many elements where lanes run along them.
const ROW: usize = 8;

/// What is read after the end of a table by a vector that is not full.
const SLACK: usize = 16;

/// The tables of a kernel, by name.
#[derive(Debug, Default)]
pub struct Tables {
    /// Elements from row to row of the innermost dimension, where they are padded.
    padded: HashMap<String, usize>,
    statics: Vec<Static>,
}

#[derive(Debug)]
struct Static {
    name: String,
    element: Element,
    numbers: Vec<Number>,
}

impl Tables {
    /// Collects what the variants and the checks read.
    pub fn new(kernel: &Kernel) -> Tables {
        let mut tables = Tables::default();
        for variant in kernel.printed() {
            tables.pad(variant);
        }
        for variant in kernel.printed() {
            for id in read_by(variant) {
                tables.add(&variant.program, id, variant.element);
            }
            for id in places(variant) {
                tables.add_offsets(variant.program.array(id), variant.schedule.width);
            }
        }
        for id in read(kernel.lowered) {
            tables.add(kernel.lowered, id, Element::Generic);
        }
        let reached = kernel.reached.iter();
        let subscripts = reached.flat_map(|reached| &reached.access.subscripts);
        for id in maps(kernel.lowered, subscripts.collect()) {
            tables.add(kernel.lowered, id, Element::Generic);
        }
        tables
    }

    fn pad(&mut self, variant: &Variant) {
        if variant.schedule.width == 1 {
            return;
        }
        let is_lane = |atom: &Atom| match atom {
            Atom::Index(index) => variant.schedule.is_lane(*index),
            _ => false,
        };
        let program = &variant.program;
        for expr in program.reachable() {
            let Expr::Access(access) = program.pool.get(expr) else {
                continue;
            };
            let array = program.array(access.array);
            let moves = |s: &Affine| s.terms.iter().any(|(atom, _)| is_lane(atom));
            if let (Role::Table(_), Some(true)) = (&array.role, access.subscripts.last().map(moves))
            {
                let row = row(&array.shape);
                self.padded
                    .insert(array.name.clone(), row.next_multiple_of(ROW));
            }
        }
    }

    fn add(&mut self, program: &Program, id: ArrayId, of: Element) {
        let array = program.array(id);
        let Role::Table(values) = &array.role else {
            return;
        };
        let integer = matches!(array.element, Element::Integer(_));
        // Generic code reads doubles.
        let element = match instance(array.element, of) {
            Element::Generic => Element::F64,
            element => element,
        };
        let name = static_name(&array.name, element);
        if self.statics.iter().any(|s| s.name == name) {
            return;
        }
        let row = row(&array.shape);
        let stride = self.stride(&array.name).unwrap_or(row);
        let mut numbers: Vec<Number> = values
            .chunks(row)
            .flat_map(|r| {
                let zeros = std::iter::repeat_n(Number::ZERO, stride - r.len());
                r.iter().copied().chain(zeros)
            })
            .collect();
        if !integer && self.padded.contains_key(&array.name) {
            numbers.extend([Number::ZERO; SLACK]);
        }
        self.statics.push(Static {
            name,
            element,
            numbers,
        });
    }

    /// Adds a table of places as offsets, where there are `lanes` elements at each place.
    fn add_offsets(&mut self, array: &Array, lanes: usize) {
        let name = times(&array.name, lanes);
        let Role::Table(places) = &array.role else {
            return;
        };
        if self.statics.iter().any(|s| s.name == name) {
            return;
        }
        let lanes = Number::from_integer(lanes as i128);
        let numbers = places.iter().map(|place| *place * lanes);
        self.statics.push(Static {
            name,
            // Rust's compiler makes vectors of smaller ones when it extends them, and takes them
            // apart for the addresses.
            element: Element::Integer(IntegerType::U32),
            numbers: numbers.collect(),
        });
    }

    /// Elements from row to row of a padded table.
    pub fn stride(&self, name: &str) -> Option<usize> {
        self.padded.get(name).copied()
    }

    /// The statics.
    pub fn tokens(&self, krate: &TokenStream) -> TokenStream {
        self.statics.iter().map(|s| s.tokens(krate)).collect()
    }
}

fn row(shape: &[Extent]) -> usize {
    let last = shape.last().and_then(Extent::as_constant);
    last.unwrap_or(1).max(1)
}

/// Gives tables that have one name in several variants and other entries a name of their own: each
/// name is one static.
pub fn distinct(variants: &mut [Variant]) {
    let all = variants.iter().flat_map(Variant::all);
    let arrays = all.flat_map(|variant| &variant.program.arrays);
    let names: HashSet<String> = arrays.map(|array| array.name.clone()).collect();
    let mut entries: HashMap<String, Rc<Vec<Number>>> = HashMap::default();
    let programs = variants.iter_mut().flat_map(Variant::all_mut);
    for array in programs.flat_map(|program| program.arrays.iter_mut()) {
        let Role::Table(values) = &array.role else {
            continue;
        };
        let own = array.name.clone();
        let numbered = (2..).map(|number| format!("{own}_{number}"));
        let free = |name: &String| match entries.get(name) {
            Some(others) => Rc::ptr_eq(others, values) || others == values,
            None => *name == own || !names.contains(name),
        };
        if let Some(name) = std::iter::once(own.clone()).chain(numbered).find(free) {
            entries.entry(name.clone()).or_insert(values.clone());
            array.name = name;
        }
    }
}

/// The tables that a variant reads: those of its program, and those that say where staged results
/// go, unless they are [`places`].
pub fn read_by(variant: &Variant) -> Vec<ArrayId> {
    let program = &variant.program;
    let mut targets = Vec::new();
    for copy in variant.schedule.copies() {
        targets.extend(&copy.target.subscripts);
        if Run::of(program, &variant.schedule, copy).is_none() {
            targets.extend(&copy.places);
        }
    }
    let mut result = read(program);
    result.extend(maps(program, targets));
    result.retain(|id| matches!(program.array(*id).role, Role::Table(_)));
    result.sort_unstable();
    result.dedup();
    result
}

/// The tables of places in staging arrays with lanes that a variant's runs are copied by, as offsets.
fn places(variant: &Variant) -> Vec<ArrayId> {
    let (program, schedule) = (&variant.program, &variant.schedule);
    let runs = schedule.copies().into_iter();
    let runs = runs.filter_map(|copy| Run::of(program, schedule, copy));
    runs.filter_map(|run| run.places).collect()
}

/// The tables that a program reads, index maps among them.
fn read(program: &Program) -> Vec<ArrayId> {
    let mut result = Vec::new();
    let mut subscripts = Vec::new();
    for expr in program.reachable() {
        if let Expr::Access(access) = program.pool.get(expr) {
            result.push(access.array);
            subscripts.extend(&access.subscripts);
        }
    }
    subscripts.extend(program.equations.iter().flat_map(|e| &e.target.subscripts));
    result.extend(maps(program, subscripts));
    result.retain(|id| matches!(program.array(*id).role, Role::Table(_)));
    result.sort_unstable();
    result.dedup();
    result
}

/// The index maps in subscripts.
fn maps<'a>(program: &'a Program, mut subscripts: Vec<&'a Affine>) -> Vec<ArrayId> {
    let mut result = Vec::new();
    while let Some(subscript) = subscripts.pop() {
        for (atom, _) in &subscript.terms {
            if let Atom::Map(array, inner) = atom {
                result.push(*array);
                subscripts.extend(inner);
            }
        }
    }
    result.retain(|id| matches!(program.array(*id).role, Role::Table(_)));
    result.sort_unstable();
    result.dedup();
    result
}

/// The name of a table's static.
pub fn static_name(name: &str, element: Element) -> String {
    let suffix = if element == Element::F32 { "_F32" } else { "" };
    format!("TABLE_{}{suffix}", plain(name).to_uppercase())
}

/// The name of the static with a table's entries times a number.
pub fn times(name: &str, factor: usize) -> String {
    format!("TABLE_{}_TIMES_{factor}", plain(name).to_uppercase())
}

impl Static {
    fn tokens(&self, krate: &TokenStream) -> TokenStream {
        let name = format_ident!("{}", self.name);
        let numbers = &self.numbers;
        let count = numbers.len();
        let runtime = quote!(#krate::__private);
        match self.element {
            Element::Integer(ty) => {
                let values = numbers.iter().map(|v| integer(*v, ty));
                let ty = format_ident!("{}", integer_name(ty));
                quote!(static #name: [#ty; #count] = [#(#values),*];)
            }
            Element::Word(ty) => {
                let values = numbers.iter().map(|v| integer(*v, ty));
                let ty = format_ident!("{}", integer_name(ty));
                quote! {
                    static #name: [::core::num::Wrapping<#ty>; #count] =
                        [#(::core::num::Wrapping(#values)),*];
                }
            }
            Element::F32 => {
                let bytes: Vec<u8> = numbers
                    .iter()
                    .flat_map(|v| (v.to_f64() as f32).to_le_bytes())
                    .collect();
                let bytes = Literal::byte_string(&bytes);
                quote! {
                    static #name: &[f32; #count] =
                        #runtime::f32_table(const { &#runtime::Aligned(*#bytes) });
                }
            }
            Element::F64 | Element::Generic => {
                let bytes: Vec<u8> = numbers
                    .iter()
                    .flat_map(|v| v.to_f64().to_le_bytes())
                    .collect();
                let bytes = Literal::byte_string(&bytes);
                quote! {
                    static #name: &[f64; #count] =
                        #runtime::f64_table(const { &#runtime::Aligned(*#bytes) });
                }
            }
        }
    }
}

/// An integer of a type: what is computed of integers that wrap around may have left its range.
fn integer(number: Number, ty: IntegerType) -> Literal {
    Literal::i128_unsuffixed(ty.truncated(number.to_integer()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::tree::Schedule;
    use crate::schedule::views::Views;
    use crate::syntax::ast::IsaName;

    /// A variant with tables of these entries, all of one name.
    fn variant(entries: i64) -> Variant {
        let mut program = Program::default();
        let values = Rc::new(vec![Number::from_i64(entries)]);
        let element = Element::Integer(IntegerType::U16);
        let shape = vec![Extent::Constant(1)];
        program.add_array("places", element, shape, Role::Table(values));
        Variant {
            isa: IsaName::Scalar,
            element: Element::F64,
            fused: false,
            program,
            schedule: Schedule {
                width: 1,
                lanes: None,
                others: Vec::new(),
                storage: Vec::new(),
                buffers: Vec::new(),
                body: Vec::new(),
            },
            text: None,
            near: false,
            short: Vec::new(),
            is_large: false,
            runs: Vec::new(),
            large: None,
            views: Views::Rows,
            otherwise: Vec::new(),
        }
    }

    #[test]
    fn tables_of_one_name_have_one_content() {
        let mut variants = [1, 2, 1, 2, 3].map(variant);
        distinct(&mut variants);
        let names = variants
            .each_ref()
            .map(|v| v.program.arrays[0].name.as_str());
        assert_eq!(
            names,
            ["places", "places_2", "places", "places_2", "places_3"]
        );
    }
}
