//! Names.

use std::collections::HashMap;

use proc_macro2::Ident;

use super::ast::{
    Function, FunctionId, IntegerType, ScalarType, Table, TableId, Type, Variable, VariableId,
};

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub enum Entry {
    /// A variable.
    Variable(VariableId),
    /// A table or constant.
    Table(TableId),
    /// Something whose declaration has an error.
    Wrong,
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
}

/// What is known while one function is read.
pub struct Reader<'a> {
    /// All tables so far.
    pub tables: &'a mut Vec<Table>,
    /// The functions of the block.
    pub signatures: &'a [Signature],
    /// The type parameter that is a scalar.
    pub parameter: Option<String>,
    /// The type of a float literal that nothing else determines.
    pub float: ScalarType,
    /// Names, innermost scope last.
    pub scopes: Vec<HashMap<String, Entry>>,
    /// Variables so far.
    pub variables: Vec<Variable>,
    /// Loops so far.
    pub loops: usize,
    /// Helpers that are called.
    pub calls: Vec<FunctionId>,
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

    /// Notes that the declaration of a name has an error, so that its uses are none.
    pub fn declare_wrong(&mut self, name: &Ident) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_string(), Entry::Wrong);
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

/// Marks the functions that others call and that nobody outside sees.
pub fn mark_inlined(functions: &mut [Function], calls: &[Vec<FunctionId>], public: &[bool]) {
    for (at, function) in functions.iter_mut().enumerate() {
        let called = calls.iter().flatten().any(|id| id.0 == at);
        function.inlined = called && !public[at];
    }
}
