//! What a call has.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::Whole;
use crate::collections::HashMap;
use crate::syntax::ast::{
    ExpressionKind, Function, Given, Parameter, ScalarType, Type, VariableId,
};
use crate::syntax::expressions::typed;
use crate::syntax::scope::USIZE;

/// What a call has for the integer parameters of a function.
pub fn leaves(function: &Function) -> HashMap<VariableId, Whole> {
    let of = |parameter: &Parameter| {
        let variable = &function.variables[parameter.variable.0];
        let Type::Scalar(ScalarType::Integer(ty)) = variable.ty else {
            return None;
        };
        let tokens = match &parameter.given {
            None => variable.name.to_token_stream(),
            Some(Given::Value(tokens)) => tokens.clone(),
            Some(_) => return None,
        };
        let usize_itself = variable.ty == USIZE;
        let own = typed(
            ExpressionKind::Variable(parameter.variable),
            variable.ty.clone(),
            variable.name.span().into(),
        );
        let whole = Whole::Scalar {
            tokens,
            converted: !usize_itself,
            expression: Box::new(own),
        };
        (!parameter.reference && ty.bits() <= 64).then_some((parameter.variable, whole))
    };
    let constants = function.constants.iter().map(|id| {
        let variable = &function.variables[id.0];
        let span = variable.name.span().into();
        let own = typed(ExpressionKind::Variable(*id), variable.ty.clone(), span);
        let whole = Whole::Scalar {
            tokens: variable.name.to_token_stream(),
            converted: false,
            expression: Box::new(own),
        };
        (*id, whole)
    });
    let parameters = function.parameters.iter().filter_map(of);
    parameters.chain(constants).collect()
}

/// What a call has for the slices among the parameters of a function.
pub fn slices(function: &Function) -> HashMap<VariableId, TokenStream> {
    let of = |parameter: &Parameter| {
        let variable = &function.variables[parameter.variable.0];
        let name = &variable.name;
        let tokens = match &parameter.given {
            None => quote!(#name),
            Some(Given::Value(tokens) | Given::Numbers(tokens) | Given::Truths(tokens)) => {
                tokens.clone()
            }
            Some(Given::Whole(_) | Given::Repeated { .. }) => return None,
        };
        let Type::Reference(inner, _) = &variable.ty else {
            return None;
        };
        matches!(**inner, Type::Slice(_)).then_some((parameter.variable, tokens))
    };
    function.parameters.iter().filter_map(of).collect()
}
