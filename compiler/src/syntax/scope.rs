//! Names.

use crate::collections::HashMap;

use proc_macro2::{Ident, TokenStream};

use super::ast::{
    Function, FunctionId, IntegerType, ScalarType, Table, TableId, Type, Variable, VariableId,
};
use super::inference::Inference;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub enum Entry {
    /// A variable.
    Variable(VariableId),
    /// A table or constant.
    Table(TableId),
    /// A name for a place, or for a part of an array: one of [`Reader::aliases`].
    Alias(usize),
    /// A closure: one of [`Reader::closures`].
    Closure(usize),
    /// Something whose declaration has an error, which is reported there.
    Broken,
}

/// The signature of a function of the block.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Its name.
    pub name: String,
    /// Its parameters' types.
    pub parameters: Vec<Type>,
    /// Its result.
    pub result: Type,
    /// It has `const` parameters.
    pub constants: bool,
    /// Its type parameter.
    pub generic: Option<String>,
    /// It has an error, which is reported where it stands.
    pub broken: bool,
}

/// A function's type parameter.
#[derive(Clone, Debug)]
pub struct TypeParameter {
    /// Its name.
    pub name: String,
    /// It is bounded by `Real`, so that its values can be compared.
    pub ordered: bool,
}

/// What is known while one function is read.
pub struct Reader<'a> {
    /// All tables so far.
    pub tables: &'a mut Vec<Table>,
    /// The functions of the block.
    pub signatures: &'a [Signature],
    /// Their text.
    pub functions: &'a [&'a syn::ItemFn],
    /// Type parameters of helpers that are read where they are called, and what they stand for there.
    pub instances: Vec<(String, ScalarType)>,
    /// Functions from outside that the block declares pure.
    pub pure: &'a [TokenStream],
    /// The `const` parameters of the function.
    pub constants: Vec<Ident>,
    /// The type parameter that is a scalar.
    pub parameter: Option<TypeParameter>,
    /// The type parameters that are storages of arrays.
    pub storages: Vec<super::storages::Storage>,
    /// The type of a float literal that nothing else determines.
    pub float: ScalarType,
    /// Types of variables that their values do not say.
    pub inference: Inference,
    /// Names, innermost scope last.
    pub scopes: Vec<HashMap<String, Entry>>,
    /// Variables so far.
    pub variables: Vec<Variable>,
    /// Blocks so far, in all functions.
    pub blocks: usize,
    /// The variables of the loops so far.
    pub loops: Vec<Ident>,
    /// Expressions that are being read, each inside the one before.
    pub depth: usize,
    /// What ends where the statements that are being read end.
    pub tail: Option<super::branches::Tail>,
    /// Helpers that are called.
    pub calls: Vec<FunctionId>,
    /// What has been read of the inputs.
    pub inputs: super::inputs::Inputs,
    /// What `use` names in the block.
    pub imports: &'a super::imports::Imports,
    /// The structs of the block.
    pub records: &'a super::records::Records<'a>,
    /// The struct whose function is being read.
    pub own: Option<std::rc::Rc<super::records::Record>>,
    /// What is taken for Rust's own.
    pub taken: Vec<super::ast::Taken>,
    /// What names stand for that are no variables.
    pub aliases: Vec<super::ast::Expression>,
    /// The closures so far.
    pub closures: Vec<std::rc::Rc<super::closures::Closure>>,
    /// Statements that stand before the one that is being read.
    pub before: Vec<super::ast::Statement>,
    /// Conditions on the item that is being read.
    pub filters: Vec<super::iterators::Filter>,
    /// What is read runs where some slices are not whole.
    pub cut: bool,
    /// Closures that are being read, each inside of the call of another.
    pub inlined: usize,
    /// Results have the bits of the text, or those of its operations.
    pub keeps_operations: bool,
    /// Where errors of single statements go.
    pub diagnostics: &'a mut crate::diagnostics::Diagnostics,
}

impl Reader<'_> {
    /// What a name stands for here.
    pub fn find(&self, name: &str) -> Option<Entry> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.get(name))
            .copied()
    }

    /// Marks the names of a pattern whose value has an error.
    pub fn declare_broken(&mut self, pattern: &syn::Pat) {
        match pattern {
            syn::Pat::Ident(name) => self.declare_broken_name(&name.ident),
            syn::Pat::Type(typed) => self.declare_broken(&typed.pat),
            syn::Pat::Paren(paren) => self.declare_broken(&paren.pat),
            syn::Pat::Reference(reference) => self.declare_broken(&reference.pat),
            syn::Pat::Tuple(tuple) => tuple.elems.iter().for_each(|p| self.declare_broken(p)),
            syn::Pat::TupleStruct(tuple) => tuple.elems.iter().for_each(|p| self.declare_broken(p)),
            syn::Pat::Slice(slice) => slice.elems.iter().for_each(|p| self.declare_broken(p)),
            syn::Pat::Struct(s) => s.fields.iter().for_each(|f| self.declare_broken(&f.pat)),
            _ => {}
        }
    }

    /// Marks a name whose declaration has an error.
    pub fn declare_broken_name(&mut self, name: &Ident) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_string(), Entry::Broken);
        }
    }

    /// Adds a variable to the innermost scope.
    pub fn declare(&mut self, name: &Ident, ty: Type, mutable: bool) -> VariableId {
        let id = VariableId(self.variables.len());
        self.variables.push(Variable {
            name: name.clone(),
            ty,
            mutable,
        });
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_string(), Entry::Variable(id));
        }
        id
    }
}

/// `usize`.
pub const USIZE: Type = Type::Scalar(ScalarType::Integer(IntegerType::Usize));
pub const I32: Type = Type::Scalar(ScalarType::Integer(IntegerType::I32));

/// Marks the functions that others call and that nobody outside sees.
pub fn mark_inlined(functions: &mut [Function], calls: &[Vec<FunctionId>], public: &[bool]) {
    for (at, function) in functions.iter_mut().enumerate() {
        let called = calls.iter().flatten().any(|id| id.0 == at);
        function.inlined = called && !public[at];
    }
}
