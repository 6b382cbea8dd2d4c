//! The variables that nests name, and how they are handed over.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};

use super::environment::InScope;
use super::kernel::{Given, Kind, Nest, worth};
use super::tokens::{
    identifiers, is_assigned, is_copied, is_lent, is_part_alone, leaves, without_lifetimes,
};
use super::{Place, skeleton};
use crate::collections::{HashMap, HashSet};
use crate::diagnostics::Span;
use crate::syntax::ast::{self, Function, Length, ScalarType, Type, VariableId};
use crate::syntax::types::{behind, show};
use crate::syntax::verbatim::words;
use crate::syntax::views::{self, Owner};

/// What is known of the variables of a text.
pub struct Variables<'a> {
    /// Those in scope at each `for` loop.
    pub at: HashMap<usize, InScope>,
    /// The text.
    pub item: &'a syn::ItemFn,
    /// What of it could be read.
    pub function: &'a Function,
    /// Names in what could not.
    pub left_out: HashSet<String>,
    /// Items that a nest may name.
    pub needed: &'a TokenStream,
}

impl Variables<'_> {
    /// The nest of some loops; nothing where it names what cannot be handed to it.
    pub fn nest(&self, loops: &[syn::Stmt], name: Ident, place: &Place) -> Option<Nest> {
        let statements: TokenStream = loops.iter().map(ToTokens::to_token_stream).collect();
        if leaves(statements.clone()) {
            return None;
        }
        let mut names = HashMap::default();
        identifiers(statements.clone(), &mut names);
        let known = self.at.get(&place.at)?;
        let is_fixed = |name: &String| self.never_changes(name, place.scope, known);
        let closures = place
            .callable
            .definitions(place.scope, &mut names, is_fixed)?;
        let closures = closures.into_iter().cloned().collect();
        let facts = self.facts(place, known, &mut names);
        let mut given: Vec<Given> = Vec::new();
        for name in place.scope {
            let Some(name) = names.get(name) else {
                continue;
            };
            if !given.iter().any(|own| own.name == *name) {
                given.push(self.given(name, (place.scope, known), &statements)?);
            }
        }
        Some(Nest {
            name,
            line: Span::of(&statements).line(),
            worth: worth(loops, place.callable, &given)?,
            statements,
            facts,
            closures,
            given,
            result: None,
        })
    }

    /// A whole text as a nest; nothing where it names what cannot be handed to it.
    pub fn whole(&self, name: Ident) -> Option<Nest> {
        let statements: TokenStream = (self.item.block.stmts.iter())
            .map(ToTokens::to_token_stream)
            .collect();
        let mut names = HashMap::default();
        identifiers(statements.clone(), &mut names);
        let known = self.at.get(&skeleton::START)?;
        let inputs = self.item.sig.inputs.iter();
        let scope: Vec<String> = inputs
            .flat_map(|input| match input {
                syn::FnArg::Typed(typed) => super::names(&typed.pat),
                syn::FnArg::Receiver(_) => BTreeSet::new(),
            })
            .collect();
        let named = scope.iter().filter_map(|own| names.get(own));
        let given: Option<Vec<Given>> = named
            .map(|name| self.given(name, (&scope, known), &statements))
            .collect();
        let result = match &self.item.sig.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some(ty.to_token_stream()),
        };
        let nest = Nest {
            name,
            line: Span::of(&statements).line(),
            worth: None,
            statements,
            facts: TokenStream::new(),
            closures: TokenStream::new(),
            given: given?,
            result,
        };
        nest.returns_one().then_some(nest)
    }

    /// That the variables of loops around are in their ranges, where a nest names them; the names in these are of the
    /// nest, too.
    fn facts(
        &self,
        place: &Place,
        known: &InScope,
        names: &mut HashMap<String, Ident>,
    ) -> TokenStream {
        let mut facts = TokenStream::new();
        for around in place.around {
            let Some((name, range)) = &around.range else {
                continue;
            };
            let inside = &place.scope[around.outside..];
            let hidden = inside.iter().filter(|own| *own == name).count() > 1;
            let Some(name) = names.get(name).filter(|_| !hidden).cloned() else {
                continue;
            };
            let mut bound = |value: &Option<Box<syn::Expr>>, compared: TokenStream| {
                let Some(value) = value else { return };
                let mut own = HashMap::default();
                identifiers(value.to_token_stream(), &mut own);
                let is_fixed = |name: &String| {
                    !inside.contains(name) && self.is_fixed(name, place.scope, known)
                };
                let is_zero = value.to_token_stream().to_string() == "0";
                if !is_zero && own.keys().all(is_fixed) {
                    facts.extend(quote!(::core::assert!(#name #compared (#value));));
                    names.extend(own);
                }
            };
            bound(&range.start, quote!(>=));
            match range.limits {
                syn::RangeLimits::HalfOpen(_) => bound(&range.end, quote!(<)),
                syn::RangeLimits::Closed(_) => bound(&range.end, quote!(<=)),
            }
        }
        facts
    }

    /// Whether a name is that of a number that nothing changes.
    fn is_fixed(&self, name: &str, scope: &[String], known: &InScope) -> bool {
        let id = self.variable(name, scope, known);
        let id = id.filter(|id| matches!(self.function.variables[id.0].ty, Type::Scalar(_)));
        id.is_some_and(|id| !self.function.variables[id.0].mutable)
    }

    /// Whether a name is that of a number that is the same wherever it is in scope. What is not read may change any field
    /// of a struct, where the text names that as a whole.
    fn never_changes(&self, name: &str, scope: &[String], known: &InScope) -> bool {
        if self.is_fixed(name, scope, known) {
            return true;
        }
        let Some(id) = self.variable(name, scope, known) else {
            return false;
        };
        let body = self.item.block.to_token_stream();
        let mut named = HashSet::default();
        words(body.clone(), &mut named);
        let is_read = |own: &syn::Ident| {
            let all = &self.function.parameters;
            all.iter()
                .any(|p| self.function.variables[p.variable.0].name == *own)
        };
        let mut parameters = self.parameters().map(|(own, _)| &own.ident);
        let is_whole = parameters.any(|own| named.contains(&own.to_string()) && !is_read(own));
        let is_number = matches!(self.function.variables[id.0].ty, Type::Scalar(_));
        is_number && !is_whole && !is_assigned(body.clone(), name) && !is_lent(body, name)
    }

    /// The variable that a name stands for, if the text that was read has all that bears this name here.
    fn variable(&self, name: &str, scope: &[String], known: &InScope) -> Option<VariableId> {
        let variables = &self.function.variables;
        let mut known = known.iter().filter(|id| variables[id.0].name == name);
        let bound = scope.iter().filter(|own| *own == name).count();
        // A parameter that may change, or is an array, is a variable, and one for what is passed.
        let twice = bound == 1 && self.parameters().any(|(own, _)| own.ident == name);
        let all = known.clone().count();
        let whole = all == bound || (twice && all == 2);
        known.next_back().copied().filter(|_| whole)
    }

    /// The parameters of the text that are names, and their types.
    fn parameters(&self) -> impl Iterator<Item = (&syn::PatIdent, &syn::Type)> {
        let inputs = self.item.sig.inputs.iter();
        inputs.filter_map(|input| match input {
            syn::FnArg::Typed(typed) => match &*typed.pat {
                syn::Pat::Ident(own) => Some((own, &*typed.ty)),
                _ => None,
            },
            syn::FnArg::Receiver(_) => None,
        })
    }

    /// Whether the type of a parameter is no name for another one: the reader takes tables in blocks for arrays, too.
    fn is_written_out(&self, name: &str) -> bool {
        let generic = self.function.scalar_parameter.as_ref();
        let mut own = self.parameters().filter(|(own, _)| own.ident == name);
        own.all(|(_, ty)| is_of_numbers(ty, generic))
    }

    /// How a variable is handed over, if its type is known.
    fn given(
        &self,
        name: &Ident,
        (scope, known): (&[String], &InScope),
        statements: &TokenStream,
    ) -> Option<Given> {
        let text = name.to_string();
        let id = self.variable(&text, scope, known)?;
        if !self.is_settled(&text) {
            return None;
        }
        let kind = self.kind(id, name, statements)?;
        Some(Given {
            name: name.clone(),
            kind,
        })
    }

    /// Whether the text that was read says of which type a variable is, whatever stands in the rest.
    fn is_settled(&self, name: &str) -> bool {
        !self.left_out.contains(name) || !unsettled(&self.item.block, name)
    }

    fn kind(&self, id: VariableId, name: &Ident, statements: &TokenStream) -> Option<Kind> {
        let variable = &self.function.variables[id.0];
        let parameter = self
            .function
            .parameters
            .iter()
            .find(|own| own.variable == id);
        let passed = parameter.and_then(|own| own.given.as_ref());
        if views::rank(behind(&variable.ty)) > 0 {
            return self.view((id, name), statements);
        }
        let as_it_is = passed.is_none_or(|given| matches!(given, ast::Given::Value(_)));
        if !as_it_is || !self.is_written_out(&name.to_string()) {
            return None;
        }
        let ty = |ty: &Type| self.tokens(ty);
        let changes = || variable.mutable && is_assigned(statements.clone(), &name.to_string());
        Some(match &variable.ty {
            Type::Scalar(ScalarType::Bool) => match changes() {
                true => return None,
                false => Kind::Condition,
            },
            own @ Type::Scalar(_) => Kind::Number {
                ty: ty(own)?,
                is_assigned: changes(),
            },
            Type::Reference(inner, mutable) => Kind::Array {
                place: match **inner {
                    Type::Slice(_) => quote!(#name[..]),
                    _ => quote!(*#name),
                },
                ty: ty(inner)?,
                may_change: *mutable,
            },
            own @ Type::Slice(_) => Kind::Array {
                ty: ty(own)?,
                place: quote!(#name[..]),
                may_change: variable.mutable,
            },
            // A copy of an array is none of a reference to it.
            own @ (Type::Array(..) | Type::Open(_, Length::Constant(_)))
                if is_copied(statements.clone(), name) =>
            {
                match variable.mutable {
                    true => return None,
                    false => Kind::Number {
                        ty: ty(own)?,
                        is_assigned: false,
                    },
                }
            }
            own @ (Type::Array(..) | Type::Open(_, Length::Constant(_))) => Kind::Array {
                ty: ty(own)?,
                place: quote!(#name),
                may_change: variable.mutable,
            },
            Type::Open(..) | Type::Tuple(_) | Type::Record(_) => return None,
        })
    }

    /// A view that is a parameter, as it is written: what may only be read by value. Of others that are passed by value a
    /// nest has references, which have elements and methods alike, and no operators.
    fn view(&self, (id, name): (VariableId, &Ident), statements: &TokenStream) -> Option<Kind> {
        let mut parameters = self.function.parameters.iter();
        parameters.find(|own| own.variable == id)?;
        let (_, ty) = self.parameters().find(|(own, _)| own.ident == *name)?;
        let may_change = matches!(self.function.variables[id.0].ty, Type::Reference(_, true));
        let tokens = |ty: &syn::Type| without_lifetimes(ty.to_token_stream());
        if let syn::Type::Reference(own) = ty {
            return Some(Kind::Array {
                place: quote!(*#name),
                ty: tokens(&own.elem),
                may_change,
            });
        }
        let is_copied = match ty {
            syn::Type::Path(own) => {
                matches!(views::named(&own.path, &[]), Some((Owner::Shared, ..)))
            }
            _ => false,
        };
        if is_copied {
            return Some(Kind::Number {
                ty: tokens(ty),
                is_assigned: false,
            });
        }
        is_part_alone(statements.clone(), name).then(|| Kind::Array {
            place: quote!(#name),
            ty: tokens(ty),
            may_change,
        })
    }

    /// A type of numbers or of arrays of such, as it is written.
    fn tokens(&self, ty: &Type) -> Option<TokenStream> {
        match ty {
            Type::Scalar(ScalarType::Bool) => None,
            Type::Scalar(ScalarType::Generic) => {
                Some(self.function.scalar_parameter.as_ref()?.to_token_stream())
            }
            Type::Scalar(_) => show(ty).parse().ok(),
            Type::Array(inner, length) => {
                let (inner, length) = (self.tokens(inner)?, Literal::usize_unsuffixed(*length));
                Some(quote!([#inner; #length]))
            }
            Type::Slice(inner) => {
                let inner = self.tokens(inner)?;
                Some(quote!([#inner]))
            }
            Type::Open(inner, Length::Constant(at)) => {
                let id = self.function.constants.get(*at)?;
                let (inner, length) = (self.tokens(inner)?, &self.function.variables[id.0].name);
                Some(quote!([#inner; #length]))
            }
            _ => None,
        }
    }
}

/// Whether a type is that of a number, or is made of arrays of numbers.
fn is_of_numbers(ty: &syn::Type, generic: Option<&Ident>) -> bool {
    match ty {
        syn::Type::Reference(own) => is_of_numbers(&own.elem, generic),
        syn::Type::Slice(own) => is_of_numbers(&own.elem, generic),
        syn::Type::Array(own) => is_of_numbers(&own.elem, generic),
        syn::Type::Path(own) => match own.path.get_ident() {
            Some(name) => generic == Some(name) || name == "bool" || skeleton::zero(ty).is_some(),
            None => skeleton::element_of_vec(ty).is_some_and(|own| is_of_numbers(own, generic)),
        },
        _ => false,
    }
}

/// Whether a variable of a name begins with a value that says nothing of its type.
fn unsettled(block: &syn::Block, name: &str) -> bool {
    block.stmts.iter().any(|statement| match statement {
        syn::Stmt::Local(local) => match (&local.pat, &local.init) {
            (syn::Pat::Type(_), _) => false,
            (pattern, Some(init)) => {
                super::names(pattern).contains(name) && skeleton::is_unsettled(&init.expr)
            }
            (pattern, None) => super::names(pattern).contains(name),
        },
        syn::Stmt::Expr(expr, _) => skeleton::parts(expr)
            .iter()
            .any(|(_, block)| unsettled(block, name)),
        _ => false,
    })
}
