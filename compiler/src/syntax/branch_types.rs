//! The type of a choice whose first branch does not say it: `if c { 0 } else { x[i] }`.
//!
//! Branches are read one after the other. One that tells the type of an earlier one, which was a guess, is taken
//! down as a use of a variable is (`inference.rs`), and the function is read again with it.

use super::ast::{Expression, ScalarType, Type, VariableId};
use super::scope::Reader;
use super::statements::strip;

/// The branches of a choice that were read so far.
pub struct Branches {
    /// The numbers of the first one, a tuple's or one alone, among the declarations of the function.
    declarations: Vec<usize>,
    /// The type that is known of all of them.
    wanted: Option<Type>,
    /// That of the first one, with the variables that each of its numbers follows, if nothing in it says its type.
    first: Option<(Type, Vec<Option<Vec<VariableId>>>)>,
}

impl Branches {
    /// The type of a branch.
    pub fn wanted(&self) -> Option<&Type> {
        let first = self.first.as_ref().map(|(ty, _)| ty);
        self.wanted.as_ref().or(first)
    }

    /// The type of a further branch: a guess for the first one says nothing of a negative number, nor of a choice
    /// whose own branches may say it.
    pub fn wanted_after(&self, branch: &syn::Expr) -> Option<&Type> {
        let is_open = |(_, open): &(Type, Vec<Option<_>>)| open.iter().any(Option::is_some);
        let guessed = self.first.as_ref().is_some_and(is_open) && self.wanted.is_none();
        self.wanted().filter(|_| !(guessed && says_itself(branch)))
    }
}

impl Reader<'_> {
    /// The branches of the choice at hand, of which none was read, by the value of the first one.
    pub fn branches(&mut self, expected: Option<&Type>, first: Option<&syn::Expr>) -> Branches {
        let count = first.map_or(1, |first| numbers(first).len());
        let declarations: Vec<_> = (0..count).map(|_| self.inference.declaration()).collect();
        let known = |at: &usize| self.inference.known(*at).map(Type::Scalar);
        let known: Vec<Option<Type>> = declarations.iter().map(known).collect();
        Branches {
            declarations,
            wanted: together(expected, known),
            first: None,
        }
    }

    /// Takes down a branch: the first one, or one that says something of it.
    pub fn branch(
        &mut self,
        branches: &mut Branches,
        expr: &syn::Expr,
        value: Option<&Expression>,
    ) {
        let Some(value) = value else { return };
        let Some((first, open)) = &branches.first else {
            let open = numbers(expr)
                .iter()
                .map(|number| self.open(number))
                .collect();
            branches.first = Some((value.ty.clone(), open));
            return;
        };
        let each = parts(first).into_iter().zip(parts(&value.ty));
        for ((declaration, open), (guess, ty)) in branches.declarations.iter().zip(open).zip(each) {
            if let (Some(open), Type::Scalar(guess), Type::Scalar(ty)) = (open, guess, ty)
                && guess != ty
                && *ty != ScalarType::Bool
            {
                self.say_of(*declaration, open, *ty);
            }
        }
    }
}

/// What is expected of a value, and what is known of its numbers where that says nothing.
fn together(expected: Option<&Type>, known: Vec<Option<Type>>) -> Option<Type> {
    // A type that is no number's leaves literals what they are.
    let nothing = Type::Tuple(Vec::new());
    match expected {
        Some(Type::Tuple(parts)) if parts.len() == known.len() => {
            let each = parts.iter().zip(known);
            let each = each
                .map(|(part, known)| known.filter(|_| *part == nothing).unwrap_or(part.clone()));
            Some(Type::Tuple(each.collect()))
        }
        Some(expected) => Some(expected.clone()),
        None if known.iter().all(Option::is_none) => None,
        None if known.len() == 1 => known.into_iter().next().flatten(),
        None => Some(Type::Tuple(
            known
                .into_iter()
                .map(|ty| ty.unwrap_or(nothing.clone()))
                .collect(),
        )),
    }
}

/// The parts of a tuple that is written out; nothing of other values.
pub fn parts_of(expr: &syn::Expr) -> Vec<&syn::Expr> {
    match strip(expr) {
        syn::Expr::Tuple(tuple) => tuple.elems.iter().collect(),
        syn::Expr::Block(block) => value_of(&block.block).map_or(Vec::new(), parts_of),
        _ => Vec::new(),
    }
}

/// The values of a tuple, or the only one.
fn numbers(expr: &syn::Expr) -> Vec<&syn::Expr> {
    match parts_of(expr) {
        parts if parts.is_empty() => vec![expr],
        parts => parts,
    }
}

/// The values that an expression chooses between.
pub fn ends(expr: &syn::Expr) -> Vec<&syn::Expr> {
    let block = |block| value_of(block).map_or(Vec::new(), ends);
    match strip(expr) {
        syn::Expr::If(choice) => {
            let mut all = block(&choice.then_branch);
            let otherwise = choice.else_branch.as_ref();
            all.extend(otherwise.map_or(Vec::new(), |(_, other)| ends(other)));
            all
        }
        syn::Expr::Match(choice) => choice.arms.iter().flat_map(|arm| ends(&arm.body)).collect(),
        syn::Expr::Block(inner) => block(&inner.block),
        other => vec![other],
    }
}

fn parts(ty: &Type) -> Vec<&Type> {
    match ty {
        Type::Tuple(parts) => parts.iter().collect(),
        other => vec![other],
    }
}

/// The value of a block.
pub fn value_of(block: &syn::Block) -> Option<&syn::Expr> {
    match block.stmts.last() {
        Some(syn::Stmt::Expr(value, None)) => Some(value),
        _ => None,
    }
}

/// `-1`, or a further choice.
fn says_itself(expr: &syn::Expr) -> bool {
    match strip(expr) {
        syn::Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Neg(_)),
        syn::Expr::Block(inner) => value_of(&inner.block).is_some_and(says_itself),
        other => matches!(other, syn::Expr::If(_) | syn::Expr::Match(_)),
    }
}
