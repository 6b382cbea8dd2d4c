//! Reading one function of a block.

use proc_macro2::{Ident, TokenStream};

use super::Parsed;
use super::ast::{Function, FunctionId, ScalarType, Table, Type};
use super::imports::Imports;
use super::inference::Inference;
use super::items::Scope;
use super::records::{Records, has_tuples};
use super::scope::{Reader, Signature, TypeParameter};
use super::signatures::generics;
use super::storages::storages;
use crate::diagnostics::{Diagnostics, Fault};

/// What stands around a function.
pub struct Around<'a> {
    /// The signatures of all functions.
    pub signatures: &'a [Signature],
    /// Their text.
    pub functions: &'a [&'a syn::ItemFn],
    /// Functions from outside.
    pub pure: &'a [TokenStream],
    /// What `use` names.
    pub imports: &'a Imports,
    /// The structs.
    pub records: &'a Records<'a>,
    /// The block's tables.
    pub scope: &'a Scope,
    /// Blocks of the functions before.
    pub blocks: usize,
}

impl Around<'_> {
    /// Reads a function, again and again until it is read with the types that it was found to have. The
    /// functions that it calls, and the number of blocks so far.
    pub fn read(
        &self,
        item: &syn::ItemFn,
        signature: &Signature,
        tables: &mut Vec<Table>,
        diagnostics: &mut Diagnostics,
    ) -> (Parsed<Function>, Vec<FunctionId>, usize) {
        let mark = (tables.len(), diagnostics.len());
        let mut inference = Inference::new();
        loop {
            let mut reader = reader(
                tables,
                (self.signatures, self.pure),
                (self.imports, self.records),
                generics(item),
                default_float(signature),
                self.scope.clone(),
                diagnostics,
            );
            reader.storages = storages(&item.sig);
            reader.functions = self.functions;
            reader.blocks = self.blocks;
            reader.inference = inference;
            let function = reader.function(item, signature);
            let (read, calls, blocks) = (reader.inference, reader.calls, reader.blocks);
            let guessed = read.guessed();
            match read.again(function.is_err() || diagnostics.len() > mark.1) {
                Some(next) => inference = next,
                None => {
                    // Types that a call does not have, and errors that it has not.
                    let function = match guessed {
                        Some(fault) => {
                            diagnostics.truncate(mark.1);
                            Err(fault)
                        }
                        None => function,
                    };
                    let tuples = signature.parameters.iter().any(has_tuples);
                    let function = function.map_err(|fault| Fault {
                        beyond: fault.beyond || tuples,
                        ..fault
                    });
                    if tuples {
                        diagnostics.beyond_from(mark.1);
                    }
                    return (function, calls, blocks);
                }
            }
            tables.truncate(mark.0);
            diagnostics.truncate(mark.1);
        }
    }
}

/// A reader of what stands in a scope.
pub fn reader<'a>(
    tables: &'a mut Vec<Table>,
    (signatures, pure): (&'a [Signature], &'a [TokenStream]),
    (imports, records): (&'a Imports, &'a Records<'a>),
    (parameter, constants): (Option<TypeParameter>, Vec<Ident>),
    float: ScalarType,
    scope: Scope,
    diagnostics: &'a mut Diagnostics,
) -> Reader<'a> {
    Reader {
        tables,
        signatures,
        functions: &[],
        instances: Vec::new(),
        pure,
        constants,
        parameter,
        storages: Vec::new(),
        float,
        inference: Inference::new(),
        scopes: vec![scope],
        variables: Vec::new(),
        blocks: 0,
        loops: Vec::new(),
        depth: 0,
        tail: None,
        calls: Vec::new(),
        taken: Vec::new(),
        aliases: Vec::new(),
        closures: Vec::new(),
        before: Vec::new(),
        filters: Vec::new(),
        cut: false,
        inlined: 0,
        inputs: super::inputs::Inputs::default(),
        imports,
        records,
        own: None,
        keeps_operations: false,
        diagnostics,
    }
}

/// Float literals that nothing determines are `f64`, unless the parameters only know `f32`.
pub fn default_float(signature: &Signature) -> ScalarType {
    fn scalars(ty: &Type, into: &mut Vec<ScalarType>) {
        match ty {
            Type::Scalar(scalar) => into.push(*scalar),
            Type::Array(inner, _)
            | Type::Open(inner, _)
            | Type::Slice(inner)
            | Type::Reference(inner, _) => scalars(inner, into),
            Type::Tuple(fields) => fields.iter().for_each(|f| scalars(f, into)),
            Type::Record(record) => into.push(record.element),
        }
    }
    let mut all = Vec::new();
    signature
        .parameters
        .iter()
        .for_each(|ty| scalars(ty, &mut all));
    let single = all.contains(&ScalarType::F32) && !all.contains(&ScalarType::F64);
    if single {
        ScalarType::F32
    } else {
        ScalarType::F64
    }
}
