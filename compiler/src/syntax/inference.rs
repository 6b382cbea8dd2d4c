//! Types of variables that their values do not say.
//!
//! The type of `let mut s = 0;` is what the uses of `s` say, all of which `rustc` looks at. Here a
//! function is read with a guess; a use beside a number of another type tells the right one, and the
//! function is read again with it. What nothing tells is `i32` or `f64`, as in Rust.

use std::collections::{BTreeMap, BTreeSet};

use super::allocations::{element, is_vec, zeros};
use super::ast::{IntegerType, Pattern, ScalarType, Type, VariableId};
use super::branch_types::{ends, parts_of};
use super::scope::{Entry, Reader};
use super::statements::strip;
use crate::collections::HashMap;
use crate::diagnostics::Fault;

/// What earlier readings of a function found, and what this one does. Declarations are numbered in the
/// order of the text.
#[derive(Clone, Debug, Default)]
pub struct Inference {
    /// Types that uses say.
    used: BTreeMap<usize, ScalarType>,
    /// Those of numbers that no use says anything of.
    unused: BTreeMap<usize, ScalarType>,
    /// Whether such numbers have Rust's type: not where that is an error itself.
    default: bool,
    /// Types that the uses of this reading say.
    found: BTreeMap<usize, ScalarType>,
    /// Variables whose type is a guess so far, with their declarations and the guess.
    open: HashMap<VariableId, (usize, ScalarType)>,
    /// Which of these are of one type, whatever it is.
    alike: HashMap<VariableId, Vec<VariableId>>,
    /// Declarations whose values have constants from outside, of which a guess is not taken for a type.
    doubtful: BTreeSet<usize>,
    /// The first constant from outside whose type this reading guessed.
    guessed: Option<Fault>,
    /// Declarations so far.
    declarations: usize,
}

impl Inference {
    /// Nothing is known.
    pub fn new() -> Inference {
        Inference {
            default: true,
            ..Inference::default()
        }
    }

    /// With what to read the function again, if a type is not what it was read with.
    pub fn again(self, failed: bool) -> Option<Inference> {
        let mut next = Inference {
            used: self.used,
            unused: self.unused,
            default: self.default,
            ..Inference::default()
        };
        let known = next.used.len();
        next.used.extend(self.found);
        if next.used.len() > known {
            return Some(next);
        }
        let other = |(declaration, guess): &(usize, ScalarType)| {
            let default = match guess {
                ScalarType::Integer(_) => ScalarType::Integer(IntegerType::I32),
                _ => ScalarType::F64,
            };
            (*guess != default).then_some((*declaration, default))
        };
        let defaults: Vec<_> = self.open.values().filter_map(other).collect();
        if failed && !next.unused.is_empty() {
            next.unused.clear();
            next.default = false;
            return Some(next);
        }
        let known = next.unused.len();
        next.unused.extend(defaults);
        // What follows another variable, `for j in 0..i`, keeps the type of that one.
        (next.default && next.unused.len() > known).then_some(next)
    }

    /// The type of a declaration that an earlier reading found.
    pub fn known(&self, declaration: usize) -> Option<ScalarType> {
        let known = self.used.get(&declaration);
        known.or(self.unused.get(&declaration)).copied()
    }

    /// Takes down that the type of a constant from outside is a guess.
    pub fn guess(&mut self, fault: Fault) {
        self.guessed.get_or_insert(fault);
    }

    /// The first constant from outside whose type was guessed.
    pub fn guessed(&self) -> Option<Fault> {
        self.guessed.clone()
    }

    /// The number of a declaration, which is the next one.
    pub fn declaration(&mut self) -> usize {
        self.declarations += 1;
        self.declarations - 1
    }
}

impl Reader<'_> {
    /// The declarations of a pattern, and the type that earlier readings found for their value.
    pub fn declarations(
        &mut self,
        pattern: &syn::Pat,
        value: &syn::Expr,
    ) -> (Vec<usize>, Option<Type>) {
        match (pattern, strip(value)) {
            (syn::Pat::Tuple(tuple), value) => {
                // Of a choice between tuples, those of the first branch.
                let values = ends(value).first().map_or(Vec::new(), |end| parts_of(end));
                let mut all = Vec::new();
                let mut types = Vec::new();
                for (at, pattern) in tuple.elems.iter().enumerate() {
                    let value = values.get(at).copied().unwrap_or(value);
                    let (numbers, ty) = self.declarations(pattern, value);
                    all.extend(numbers);
                    types.push(ty);
                }
                // A type that is no number's leaves literals what they are.
                let any = values.len() == types.len() && types.iter().any(Option::is_some);
                let nothing = || Type::Tuple(Vec::new());
                let types = types.into_iter().map(|ty| ty.unwrap_or_else(nothing));
                (all, any.then(|| Type::Tuple(types.collect())))
            }
            (syn::Pat::Paren(paren), value) => self.declarations(&paren.pat, value),
            (_, value) => {
                let declaration = self.inference.declaration();
                let known = self.inference.known(declaration);
                (vec![declaration], known.map(|known| shaped(value, known)))
            }
        }
    }

    /// Takes down the variables of a pattern whose values, one of several, do not say their types.
    pub fn open_variables(
        &mut self,
        (pattern, values): (&Pattern, &[&syn::Expr]),
        ty: &Type,
        declarations: &[usize],
    ) {
        match (pattern, ty) {
            (Pattern::Tuple(patterns), Type::Tuple(types)) => {
                let each = values.iter().flat_map(|value| ends(value)).map(parts_of);
                let each: Vec<Vec<&syn::Expr>> = each.collect();
                let mut left = declarations;
                for (at, (pattern, ty)) in patterns.iter().zip(types).enumerate() {
                    let (own, others) = left.split_at(leaves(pattern).min(left.len()));
                    let values: Option<Vec<_>> = each.iter().map(|e| e.get(at).copied()).collect();
                    if let Some(values) = values {
                        self.open_variables((pattern, &values), ty, own);
                    }
                    left = others;
                }
            }
            (Pattern::Variable(variable), ty) => {
                let ([declaration], Some(guess)) = (declarations, number(ty)) else {
                    return;
                };
                self.open_variable((*variable, *declaration), guess, values);
            }
            _ => {}
        }
    }

    /// The same of one variable, and the numbers that say its type.
    pub fn open_variable(
        &mut self,
        (variable, declaration): (VariableId, usize),
        guess: ScalarType,
        values: &[&syn::Expr],
    ) {
        let others: Option<Vec<_>> = values.iter().map(|value| self.open(value)).collect();
        let Some(others) = others else {
            return;
        };
        match self.inference.used.get(&declaration).copied() {
            // Its value follows: `let mut t = s;`.
            Some(known) => self.say(&others.concat(), known),
            None => {
                let guess = (declaration, guess);
                if values
                    .iter()
                    .any(|value| self.unknown_among(value).is_some())
                {
                    self.inference.doubtful.insert(declaration);
                }
                self.inference.open.insert(variable, guess);
            }
        }
    }

    /// Two numbers are of one type: what that says of variables.
    pub fn agree(&mut self, left: (&syn::Expr, &Type), right: (&syn::Expr, &Type)) {
        let (Some(l), Some(r)) = (number(left.1), number(right.1)) else {
            return;
        };
        // The right operand first: of a long sum it is the short one.
        match (self.open(right.0), self.open(left.0)) {
            (None, Some(variables)) => self.say(&variables, r),
            (Some(variables), None) => self.say(&variables, l),
            (Some(of_right), Some(of_left)) if l != r => {
                if of_right.is_empty() || !of_left.is_empty() {
                    self.say(&of_left, r);
                } else {
                    self.say(&of_right, l);
                }
            }
            (Some(of_right), Some(of_left)) => self.are_alike(&[of_right, of_left].concat()),
            _ => {}
        }
    }

    /// Variables are of one type: what says that of one of them says it of all.
    fn are_alike(&mut self, variables: &[VariableId]) {
        for pair in variables.windows(2) {
            for (one, other) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                self.inference.alike.entry(one).or_default().push(other);
            }
        }
    }

    /// A number is of a type that is certain: what that says of variables.
    pub fn is(&mut self, expr: &syn::Expr, ty: &Type) {
        if let (syn::Expr::Tuple(tuple), Type::Tuple(types)) = (strip(expr), ty) {
            for (part, ty) in tuple.elems.iter().zip(types) {
                self.is(part, ty);
            }
            return;
        }
        if let (Some(variables), Some(ty)) = (self.open(expr), number(ty)) {
            self.say(&variables, ty);
        }
    }

    /// The same of a declaration that is no variable's, and of variables that follow it.
    pub(super) fn say_of(&mut self, declaration: usize, variables: &[VariableId], ty: ScalarType) {
        self.inference.found.insert(declaration, ty);
        self.say(variables, ty);
    }

    fn say(&mut self, variables: &[VariableId], ty: ScalarType) {
        let mut left = variables.to_vec();
        while let Some(variable) = left.pop() {
            let Some((declaration, guess)) = self.inference.open.remove(&variable) else {
                continue;
            };
            if guess != ty || self.inference.doubtful.contains(&declaration) {
                self.inference.found.insert(declaration, ty);
            }
            left.extend(self.inference.alike.remove(&variable).unwrap_or_default());
        }
    }

    /// The variables whose types follow from that of an expression, if nothing in it says its type.
    pub(super) fn open(&self, expr: &syn::Expr) -> Option<Vec<VariableId>> {
        match strip(expr) {
            syn::Expr::Lit(literal) => match &literal.lit {
                syn::Lit::Int(literal) => literal.suffix().is_empty().then(Vec::new),
                syn::Lit::Float(literal) => literal.suffix().is_empty().then(Vec::new),
                _ => None,
            },
            path @ syn::Expr::Path(_) if self.has_unknown_type(path) => Some(Vec::new()),
            syn::Expr::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                match self.find(&name) {
                    Some(Entry::Variable(id)) if self.inference.open.contains_key(&id) => {
                        Some(vec![id])
                    }
                    _ => None,
                }
            }
            syn::Expr::Unary(unary) => self.open(&unary.expr),
            syn::Expr::Repeat(repeat) => self.open(&repeat.expr),
            syn::Expr::Index(index) => self.open(&index.expr),
            syn::Expr::Array(array) => self.all_open(array.elems.iter()),
            syn::Expr::Binary(binary) => {
                super::operations::arithmetic(binary.op)?;
                self.all_open([binary.right.as_ref(), &binary.left].into_iter())
            }
            syn::Expr::If(condition) => {
                let then = self.value_open(&condition.then_branch)?;
                let otherwise = self.open(&condition.else_branch.as_ref()?.1)?;
                Some([then, otherwise].concat())
            }
            syn::Expr::Block(block) => self.value_open(&block.block),
            syn::Expr::Macro(mac) if is_vec(&mac.mac) => self.open(&element(&mac.mac)?),
            syn::Expr::Call(call) => match call.func.as_ref() {
                syn::Expr::Path(path) => matches!(zeros(&path.path)?, (_, None)).then(Vec::new),
                _ => None,
            },
            _ => None,
        }
    }

    fn all_open<'e>(&self, all: impl Iterator<Item = &'e syn::Expr>) -> Option<Vec<VariableId>> {
        let each: Option<Vec<_>> = all.map(|expr| self.open(expr)).collect();
        each.map(|each| each.concat())
    }

    fn value_open(&self, block: &syn::Block) -> Option<Vec<VariableId>> {
        match block.stmts.as_slice() {
            [syn::Stmt::Expr(value, None)] => self.open(value),
            _ => None,
        }
    }
}

/// The type of a value with numbers of a type in it.
fn shaped(value: &syn::Expr, number: ScalarType) -> Type {
    // Who reads the value counts its elements.
    let array = |inner| Type::Array(Box::new(shaped(inner, number)), 0);
    match strip(value) {
        syn::Expr::Repeat(repeat) => array(&repeat.expr),
        syn::Expr::Array(elements) => elements.elems.first().map_or(Type::Scalar(number), array),
        syn::Expr::Macro(mac) if is_vec(&mac.mac) => match element(&mac.mac) {
            Some(element) => Type::Slice(Box::new(shaped(&element, number))),
            None => Type::Scalar(number),
        },
        _ => Type::Scalar(number),
    }
}

/// The type of the numbers in a value.
pub fn number(ty: &Type) -> Option<ScalarType> {
    match ty {
        Type::Scalar(ScalarType::Bool) | Type::Tuple(_) | Type::Record(_) => None,
        Type::Scalar(scalar) => Some(*scalar),
        Type::Array(inner, _)
        | Type::Open(inner, _)
        | Type::Slice(inner)
        | Type::Reference(inner, _) => number(inner),
    }
}

/// How many declarations a pattern has.
fn leaves(pattern: &Pattern) -> usize {
    match pattern {
        Pattern::Tuple(patterns) => patterns.iter().map(leaves).sum(),
        Pattern::Variable(_) | Pattern::Wildcard => 1,
    }
}
