//! Items of a block: functions and tables.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::Parse;

use super::Parsed;
use super::ast::{Block, Function, FunctionId, Module, ScalarType, Table, Type, constant_argument};
use super::beside::{beside, is_public};
use super::checks;
use super::functions::{Around, reader};
use super::imports::Imports;
use super::options;
use super::parts;
use super::powers::power;
use super::records::{self, Records};
use super::scope::{Entry, Reader, Signature, USIZE, mark_inlined};
use super::signatures::generics;
use super::storages::{others, storages};
use super::stored::stored;
use super::tabulate::parse_until;
use super::verbatim::each_identifier;
use crate::diagnostics::{Diagnostics, Fault, Span};

/// Reads a block.
pub fn parse(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Option<Module> {
    if let Err(fault) = checks::nesting(&tokens) {
        diagnostics.push(fault);
        return None;
    }
    let mut raises = false;
    each_identifier(tokens.clone(), &mut |own| raises |= own == "powi");
    let file = read_file(tokens, diagnostics)?;
    let mut pure = declared_pure(&file);
    if raises {
        let kinds = [ScalarType::F64, ScalarType::F32];
        pure.extend(kinds.into_iter().filter_map(power));
    }
    let imports = &Imports::of(&file);
    checks::names(&file, diagnostics);
    let mut tables: Vec<Table> = Vec::new();
    let mut shared = TokenStream::new();
    let (functions, scope) = items(&file, imports, &mut tables, &mut shared, diagnostics);
    not_empty(&functions, &file, diagnostics);
    let (records, structs) = records::of_block(&file, (imports, &scope), &mut tables, diagnostics);
    let around = (imports, &records, &scope);
    let signatures = signatures(&functions, around, &mut tables, diagnostics);
    let known = all_signatures(&signatures, &functions);
    let mut result = Vec::new();
    let (mut calls, mut public) = (Vec::new(), Vec::new());
    let mut blocks = 0;
    for (item, signature) in functions.iter().zip(&signatures) {
        let Some(signature) = signature else { continue };
        let around = Around {
            signatures: &known,
            functions: &functions,
            pure: &pure,
            imports,
            records: &records,
            scope: &scope,
            blocks,
        };
        let (function, own, end) = around.read(item, signature, &mut tables, diagnostics);
        blocks = end;
        calls.push(own);
        let visible = is_public(&item.vis);
        public.push(visible || item.attrs.iter().any(options::is_opt));
        match function {
            Ok(mut function) => {
                function.foreign = super::foreign::of(&function);
                records::erase(&mut function);
                diagnostics.take(parts::no_part_left(&function.body));
                diagnostics.take(checks::result(&function, item));
                result.push(function);
            }
            Err(fault) => diagnostics.push(fault),
        }
    }
    if diagnostics.is_empty() {
        checks::recursion(&result, &calls, diagnostics);
    }
    if !diagnostics.is_empty() || result.len() != functions.len() {
        return None;
    }
    mark_inlined(&mut result, &calls, &public);
    super::rounded::mark(&mut result);
    for ((function, item), calls) in result.iter().zip(&functions).zip(&calls) {
        if function.inlined {
            shared.extend(helper_tokens(item, function, calls.is_empty()));
        } else {
            check_kernel(function, item, diagnostics);
        }
    }
    let lengths = result.iter().map(|f: &Function| count(&f.body_tokens));
    Some(Module {
        length: lengths.sum(),
        beside: beside(&file),
        structs,
        tables,
        functions: result,
        pure,
        shared_items: shared,
    })
}

/// The signatures of functions; nothing for those that are wrong.
fn signatures(
    functions: &[&syn::ItemFn],
    (imports, records, scope): (&Imports, &Records<'_>, &Scope),
    tables: &mut Vec<Table>,
    diagnostics: &mut Diagnostics,
) -> Vec<Option<Signature>> {
    let mut signatures = Vec::new();
    for function in functions {
        let mut reader = reader(
            tables,
            (&[], &[]),
            (imports, records),
            generics(function),
            ScalarType::F64,
            scope.clone(),
            diagnostics,
        );
        reader.storages = storages(&function.sig);
        let signature = reader.signature(function);
        signatures.push(diagnostics.take(signature));
    }
    signatures
}

/// How many tokens there are, brackets counted once.
pub fn count(stream: &TokenStream) -> usize {
    let trees = stream.clone().into_iter().map(|tree| match tree {
        TokenTree::Group(group) => 1 + count(&group.stream()),
        _ => 1,
    });
    trees.sum()
}

/// The items of a block.
fn read_file(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Option<syn::File> {
    let end = Span::of(&tokens).end();
    match parse_until(tokens, end, syn::File::parse) {
        Ok(file) => Some(file),
        Err(error) => {
            let help = "a kernel is plain Rust: functions, `static`s and `const`s";
            diagnostics.push(Fault::new(error.span(), error.to_string(), help));
            None
        }
    }
}

/// The names of a block's tables.
pub type Scope = crate::collections::HashMap<String, Entry>;

/// The functions of a block, and its tables by name; these are read into `tables`, and their text
/// goes to `shared`.
fn items<'a>(
    file: &'a syn::File,
    imports: &Imports,
    tables: &mut Vec<Table>,
    shared: &mut TokenStream,
    diagnostics: &mut Diagnostics,
) -> (Vec<&'a syn::ItemFn>, Scope) {
    let nothing = Records::default();
    let mut functions: Vec<&syn::ItemFn> = Vec::new();
    let mut scope = Scope::default();
    for item in &file.items {
        match item {
            syn::Item::Fn(function) => {
                checks::unconditional(function.sig.to_token_stream(), diagnostics);
                checks::unconditional(function.block.to_token_stream(), diagnostics);
                functions.push(function);
            }
            syn::Item::Static(_) | syn::Item::Const(_) => {
                checks::unconditional(item.to_token_stream(), diagnostics);
                let mut reader = reader(
                    tables,
                    (&[], &[]),
            (imports, &nothing),
                    (None, Vec::new()),
                    ScalarType::F64,
                    scope,
                    diagnostics,
                );
                let tokens = reader.table_item(item);
                scope = reader.scopes.swap_remove(0);
                if let Some(tokens) = diagnostics.take(tokens) {
                    shared.extend(tokens);
                }
            }
            syn::Item::Use(_) | syn::Item::Struct(_) | syn::Item::Impl(_) | syn::Item::Type(_) => {}
            _ => diagnostics.push(Fault::beyond(
                item,
                "this item has no place in a kernel block",
                "write functions, structs with their `impl`s, names of types, `static`s, `const`s and `use`; move everything else out of `kernel!`",
            )),
        }
    }
    (functions, scope)
}

/// A block without functions and without other errors is one.
fn not_empty(functions: &[&syn::ItemFn], file: &syn::File, diagnostics: &mut Diagnostics) {
    if !functions.is_empty() || !diagnostics.is_empty() {
        return;
    }
    let methods = file.items.iter().filter_map(|item| match item {
        syn::Item::Impl(own) => own.items.iter().find_map(|part| match part {
            syn::ImplItem::Fn(method) => Some(method.sig.ident.span()),
            _ => None,
        }),
        _ => None,
    });
    diagnostics.push(match { methods }.next() {
        Some(method) => Fault::new(
            method,
            "there is no kernel in this block: this method is a helper of those",
            "a `pub` method with loops over slices or vectors is a kernel, and so is one with `#[opt(level = 3)]`",
        ),
        None => Fault::new(
            proc_macro2::Span::call_site(),
            "there is no kernel in this block",
            "write `pub fn name(…) { … }` in it",
        ),
    });
}

/// The signatures of all functions: of those that are wrong, one that calls are not checked by.
fn all_signatures(signatures: &[Option<Signature>], functions: &[&syn::ItemFn]) -> Vec<Signature> {
    let broken = |function: &syn::ItemFn| Signature {
        name: function.sig.ident.to_string(),
        parameters: Vec::new(),
        result: Type::Tuple(Vec::new()),
        constants: false,
        generic: None,
        broken: true,
    };
    let pairs = signatures.iter().zip(functions);
    pairs
        .map(|(signature, function)| signature.clone().unwrap_or_else(|| broken(function)))
        .collect()
}

/// The functions that any options of the block declare pure, each once. Options that cannot be read
/// are reported with their function.
fn declared_pure(file: &syn::File) -> Vec<TokenStream> {
    let mut result: Vec<TokenStream> = Vec::new();
    for item in &file.items {
        let syn::Item::Fn(function) = item else {
            continue;
        };
        let mut options = options::defaults();
        for attribute in function.attrs.iter().filter(|a| options::is_opt(a)) {
            let _ = options::parse(attribute, &mut options);
        }
        for path in options.pure {
            if !result
                .iter()
                .any(|known| known.to_string() == path.to_string())
            {
                result.push(path);
            }
        }
    }
    result
}

/// A kernel writes into a parameter, or returns a scalar.
fn check_kernel(function: &Function, item: &syn::ItemFn, diagnostics: &mut Diagnostics) {
    let returns = function.result != Type::Tuple(Vec::new());
    let numbers = matches!(function.result, Type::Scalar(_)) || function.foreign.is_some();
    if returns && !numbers {
        diagnostics.push(Fault::beyond(
            &item.sig.output,
            format!("a kernel does not return `{}`", super::types::show(&function.result)),
            "return numbers, tuples and arrays of numbers, structs of this block or `Complex`; write everything else into a `&mut` parameter",
        ));
    }
    let writes = function.parameters.iter().any(|p| {
        matches!(
            function.variables[p.variable.0].ty,
            Type::Reference(_, true)
        )
    });
    if !writes && function.result == Type::Tuple(Vec::new()) {
        diagnostics.push(Fault::on(
            &item.sig.ident,
            format!("`{}` writes nothing", function.name),
            "a kernel needs a `&mut` parameter for its results, or a scalar result",
        ));
    }
}

/// A helper in the text, which takes over what its caller is compiled for where it is inlined. Those
/// that call no others always are; to say so of all could make a chain of them as long as 2 to its
/// length.
fn helper_tokens(item: &syn::ItemFn, function: &Function, last: bool) -> TokenStream {
    let (vis, sig, body) = (&item.vis, &item.sig, &function.body_tokens);
    let always = last.then(|| quote!((always)));
    quote!(#[allow(dead_code)] #[inline #always] #vis #sig #body)
}

impl Reader<'_> {
    /// Reads a table item; its tokens for `reference`.
    pub fn table_item(&mut self, item: &syn::Item) -> Parsed<TokenStream> {
        match item {
            syn::Item::Static(table) => {
                if matches!(table.mutability, syn::StaticMutability::Mut(_)) {
                    self.declare_broken_name(&table.ident);
                    return Err(Fault::on(
                        item,
                        "a mutable static",
                        "pass what changes as a parameter",
                    ));
                }
                let replaced = self.table(&table.ident, &table.ty, &table.expr)?;
                let mut table = table.clone();
                if let Some(tokens) = replaced {
                    *table.expr = syn::Expr::Verbatim(tokens);
                }
                Ok(table.to_token_stream())
            }
            syn::Item::Const(table) => {
                let replaced = self.table(&table.ident, &table.ty, &table.expr)?;
                let mut table = table.clone();
                if let Some(tokens) = replaced {
                    *table.expr = syn::Expr::Verbatim(tokens);
                }
                Ok(table.to_token_stream())
            }
            _ => Err(Fault::beyond(
                item,
                "this item has no place inside a kernel",
                "only `static`s and `const`s may stand here",
            )),
        }
    }

    /// Reads a function.
    pub fn function(&mut self, item: &syn::ItemFn, signature: &Signature) -> Parsed<Function> {
        self.scopes.push(crate::collections::HashMap::default());
        let mut options = options::defaults();
        let mut attributes = TokenStream::new();
        for attribute in &item.attrs {
            if options::is_opt(attribute) {
                let read = options::parse(attribute, &mut options);
                self.diagnostics.take(read);
            } else {
                attribute.to_tokens(&mut attributes);
            }
        }
        self.keeps_operations = options.keeps_operations();
        let names = self.constants.clone();
        let constants = names
            .iter()
            .map(|name| self.declare(name, USIZE, false))
            .collect();
        let (inputs, parameters) = self.inputs(item, signature)?;
        let mut body = item.block.as_ref().clone();
        let expected = signature.result.clone();
        let mut read: Block = self.body(&mut body, &expected)?;
        read.statements
            .splice(0..0, std::mem::take(&mut self.inputs.first));
        let kernel = self.returns_parts(item, signature);
        let mut parameters = parameters;
        let returned = kernel.then(|| self.returned(&expected, &mut read, &mut parameters));
        let returned = returned.flatten();
        let parameters = self.all_parameters(parameters);
        self.store_truths(&mut read)?;
        self.scopes.pop();
        self.check_names(&options, item);
        let generics = &item.sig.generics;
        let mut shown = generics.clone();
        shown.where_clause = None;
        let types = generics.type_params().map(|p| p.ident.to_token_stream());
        let given: Vec<TokenStream> = types
            .chain(self.constants.iter().map(constant_argument))
            .collect();
        let generic_arguments = match given.is_empty() {
            true => TokenStream::new(),
            false => quote!(<#(#given),*>),
        };
        Ok(Function {
            name: item.sig.ident.clone(),
            inlined: false,
            attributes,
            visibility: item.vis.to_token_stream(),
            generics: shown.to_token_stream(),
            generic_arguments,
            where_clause: generics.where_clause.to_token_stream(),
            scalar_parameter: others(&item.sig).first().map(|p| p.ident.clone()),
            ordered: self.parameter.as_ref().is_some_and(|p| p.ordered),
            inputs,
            parameters,
            constants,
            result: match returned {
                Some(_) => Type::Tuple(Vec::new()),
                None => stored(expected),
            },
            returned,
            result_tokens: item.sig.output.to_token_stream(),
            variables: std::mem::take(&mut self.variables),
            loops: self.loops.len(),
            body: read,
            body_tokens: body.to_token_stream(),
            foreign: None,
            rounds: false,
            periodic: false,
            options,
            taken: std::mem::take(&mut self.taken),
            facts: Vec::new(),
        })
    }

    /// Loop names in options must exist.
    fn check_names(&mut self, options: &super::ast::Options, item: &syn::ItemFn) {
        let names = options
            .unroll
            .iter()
            .map(|(name, _)| name)
            .chain(&options.lanes);
        for name in names {
            if !self.loops.contains(name) {
                let kernel = &item.sig.ident;
                self.diagnostics.push(Fault::new(
                    name.span(),
                    format!("`{kernel}` has no loop `{name}`"),
                    "name a loop by its variable",
                ));
            }
        }
    }

    /// The helper of a name.
    pub fn helper(&mut self, name: &str) -> Option<FunctionId> {
        let id = FunctionId(self.signatures.iter().position(|s| s.name == name)?);
        if !self.calls.contains(&id) {
            self.calls.push(id);
        }
        Some(id)
    }
}
