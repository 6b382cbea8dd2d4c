//! What a call has.

use quote::{ToTokens, quote};

use super::Whole;
use crate::collections::HashMap;
use crate::syntax::ast::{
    ExpressionKind, Function, Given, Parameter, ScalarType, Type, VariableId,
};
use crate::syntax::expressions::typed;
use crate::syntax::scope::USIZE;
use crate::syntax::views::rank;

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

/// The lengths of the slices among the parameters of a function, and the extents of the views, as a call has them.
pub fn lengths(function: &Function) -> HashMap<VariableId, Vec<Whole>> {
    let of = |parameter: &Parameter| {
        let variable = &function.variables[parameter.variable.0];
        let name = &variable.name;
        let Type::Reference(inner, _) = &variable.ty else {
            return None;
        };
        let tokens = match &parameter.given {
            None if rank(inner) > 0 && !parameter.reference => quote!(&#name),
            None => quote!(&*#name),
            Some(Given::Value(tokens) | Given::Numbers(tokens) | Given::Truths(tokens)) => {
                quote!(&*#tokens)
            }
            Some(Given::Whole(_) | Given::Repeated { .. }) => return None,
        };
        let axes: Vec<Option<(usize, usize)>> = match (inner.as_ref(), rank(inner)) {
            (Type::Slice(_), _) => vec![None],
            (_, rank) => (0..rank).map(|axis| Some((axis, rank))).collect(),
        };
        let span = name.span().into();
        let array = typed(
            ExpressionKind::Variable(parameter.variable),
            variable.ty.clone(),
            span,
        );
        let lengths = axes.into_iter().map(|axis| {
            let at = axis.map_or(0, |(axis, _)| axis);
            let kind = ExpressionKind::Length(Box::new(array.clone()), at);
            Whole::Length {
                tokens: tokens.clone(),
                axis,
                expression: Box::new(typed(kind, USIZE, span)),
            }
        });
        Some((parameter.variable, lengths.collect()))
    };
    function.parameters.iter().filter_map(of).collect()
}
