//! Arrays of which an axis is repeated: what is subscripted by a remainder, in blocks of several periods.

use super::Precomputing;
use crate::syntax::ast::{
    Expression, ExpressionKind, Function, Given, Parameter, Table, TableId, Type, VariableId,
};
use crate::syntax::types::behind;

/// An array of which an axis is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Root {
    /// A table, and the axis.
    Table(TableId, usize),
    /// A parameter that is an array of numbers.
    Parameter(VariableId),
}

/// What stands for it, and how long the axis is.
#[derive(Debug)]
pub(super) struct Repeated {
    kind: ExpressionKind,
    length: usize,
}

impl Repeated {
    /// Puts it in the place of an array, or of a part of it: so many axes of that are subscripted after the one that is
    /// repeated.
    pub(super) fn replace(&self, expression: &mut Expression, axes: usize) {
        lengthen(&mut expression.ty, axes, self.length);
        match &mut expression.kind {
            ExpressionKind::Index(base, _) => self.replace(base, axes + 1),
            ExpressionKind::Reference(of) | ExpressionKind::Dereference(of) => {
                self.replace(of, axes);
            }
            kind => *kind = self.kind.clone(),
        }
    }
}

/// The type of an array with another length along an axis.
fn lengthen(ty: &mut Type, axis: usize, length: usize) {
    match (ty, axis) {
        (Type::Reference(inner, _), axis) => lengthen(inner, axis, length),
        (Type::Array(_, own), 0) => *own = length,
        (Type::Array(inner, _), axis) => lengthen(inner, axis - 1, length),
        _ => {}
    }
}

/// The parameters that are arrays of numbers which nothing writes.
pub(super) fn arrays(function: &Function) -> Vec<VariableId> {
    let parameters = function.parameters.iter();
    let arrays = parameters.filter(|parameter| {
        let ty = &function.variables[parameter.variable.0].ty;
        let shared = matches!(ty, Type::Reference(inner, false)
            if matches!(&**inner, Type::Array(element, _) if matches!(**element, Type::Scalar(_))));
        shared && parameter.given.is_none()
    });
    arrays.map(|parameter| parameter.variable).collect()
}

impl Precomputing {
    /// The array that an expression is a part of, if its next axis has a period at least.
    pub(super) fn root(&self, expression: &Expression, period: u64) -> Option<Root> {
        let long = |length: usize| length as u64 >= period;
        let (mut of, mut axis) = (expression, 0);
        loop {
            match &of.kind {
                ExpressionKind::Index(base, _) => (of, axis) = (base, axis + 1),
                ExpressionKind::Reference(base) | ExpressionKind::Dereference(base) => of = base,
                ExpressionKind::Table(id) => {
                    let length = self.tables.get(id.0)?.shape.get(axis)?;
                    return long(*length).then_some(Root::Table(*id, axis));
                }
                ExpressionKind::Variable(id) if axis == 0 && self.arrays.contains(id) => {
                    let Type::Array(_, length) = behind(&self.variables[id.0].ty) else {
                        return None;
                    };
                    return long(*length).then_some(Root::Parameter(*id));
                }
                _ => return None,
            }
        }
    }

    /// An array of which the first entries along an axis, a period of them, are repeated.
    pub(super) fn repeat(&mut self, root: Root, period: u64, length: u64) -> Repeated {
        let (period, length) = (period as usize, length as usize);
        let kind = match root {
            Root::Table(id, axis) => {
                let table = repeated_table(&self.tables[id.0], axis, (period, length));
                self.tables.push(table);
                ExpressionKind::Table(TableId(self.tables.len() - 1))
            }
            Root::Parameter(id) => {
                let mut own = self.variables[id.0].clone();
                lengthen(&mut own.ty, 0, length);
                let name = own.name.clone();
                own.name = self.unused(&format!("{name}_repeated"), name.span());
                let variable = self.declare(own);
                self.repeated.push(Parameter {
                    variable,
                    reference: true,
                    given: Some(Given::Repeated {
                        of: name,
                        period,
                        length,
                    }),
                });
                ExpressionKind::Variable(variable)
            }
        };
        Repeated { kind, length }
    }
}

/// A table of which the first entries along an axis are repeated.
fn repeated_table(table: &Table, axis: usize, (period, length): (usize, usize)) -> Table {
    let mut shape = table.shape.clone();
    let own = std::mem::replace(&mut shape[axis], length);
    let inside: usize = shape[axis + 1..].iter().product();
    let outside: usize = shape[..axis].iter().product();
    let mut values = Vec::with_capacity(outside * length * inside);
    for row in 0..outside {
        for at in 0..length {
            let first = (row * own + at % period) * inside;
            values.extend_from_slice(&table.values[first..first + inside]);
        }
    }
    Table {
        shape,
        values,
        product: None,
        ..table.clone()
    }
}
