//! Parts of parameters, tables and locals: finding, reading and writing them.

use std::rc::Rc;

use super::value::{
    self, LENGTH, Local, Place, Root, Target, Value, elements, known_elements, rank,
};
use super::{Interpreter, Result};
use crate::syntax::ast::{Expression, ExpressionKind, ScalarType, Type};
use crate::verify::memory::Data;

impl<'a> Interpreter<'a, '_> {
    pub(super) fn target(&mut self, place: &'a Expression) -> Result<Target<'a>> {
        match &place.kind {
            ExpressionKind::Variable(variable) => {
                match &self.frame().values[variable.0] {
                    Some(Value::Place(place)) => return Ok(Target::Memory(*place)),
                    Some(Value::Pointer(local)) => return Ok(Target::Local((**local).clone())),
                    _ => {}
                }
                Ok(Target::Local(Local {
                    frame: self.frames.len() - 1,
                    variable: variable.0,
                    path: Vec::new(),
                }))
            }
            ExpressionKind::Index(base, index) => {
                let at = self.subscript(index)?;
                Ok(match self.target(base)? {
                    Target::Memory(place) => Target::Memory(self.element(place, at)?),
                    Target::Local(mut local) => {
                        local.path.push(usize::try_from(at).unwrap_or(usize::MAX));
                        Target::Local(local)
                    }
                })
            }
            ExpressionKind::Field(base, at) => match self.target(base)? {
                Target::Local(mut local) => {
                    local.path.push(*at);
                    Ok(Target::Local(local))
                }
                Target::Memory(_) => Err("this is no tuple".to_owned()),
            },
            ExpressionKind::Dereference(inner) => self.target(inner),
            ExpressionKind::Reference(inner) => self.target(inner),
            _ => match self.expression(place)? {
                Value::Place(place) => Ok(Target::Memory(place)),
                _ => Err("this cannot be assigned".to_owned()),
            },
        }
    }

    pub(super) fn local(&mut self, local: &Local) -> Result<&mut Value<'a>> {
        let mut value = self.frames[local.frame].values[local.variable]
            .as_mut()
            .ok_or("a variable is assigned before it has a value")?;
        for at in &local.path {
            let (Value::Array(elements) | Value::Tuple(elements)) = value else {
                return Err("this is no array".to_owned());
            };
            let elements = Rc::make_mut(elements);
            value = elements.get_mut(*at).ok_or("a subscript out of range")?;
        }
        Ok(value)
    }

    pub(super) fn element(&self, place: Place<'a>, at: i128) -> Result<Place<'a>> {
        let (inner, extent) = match (place.ty, place.root) {
            (Type::Array(inner, n), _) => (inner, *n),
            (Type::Slice(inner) | Type::Open(inner, _), _) => {
                let extent = self.shape(place).first().copied();
                (inner, extent.ok_or("this is no array")?)
            }
            _ => return Err("this is no array".to_owned()),
        };
        let size = match known_elements(inner) {
            Some(size) => size,
            None => elements(inner, self.shape(place).get(1..).unwrap_or_default()),
        };
        match usize::try_from(at) {
            Ok(at) if at < extent => Ok(Place {
                root: place.root,
                offset: place.offset + at * size,
                ty: inner,
            }),
            _ => Err(format!("subscript {at} is out of range, below {extent}")),
        }
    }

    /// The extents of a part of a parameter.
    pub(super) fn shape(&self, place: Place<'a>) -> &[usize] {
        let Root::Parameter(at) = place.root else {
            return &[];
        };
        let own = &self.memory.parameters[at].shape;
        let shape = self.allocated_shape(at).unwrap_or(own);
        &shape[shape.len().saturating_sub(rank(place.ty))..]
    }

    pub(super) fn load(&self, place: Place<'a>) -> Result<Value<'a>> {
        let outside = || "a read out of range".to_owned();
        match (place.ty, place.root) {
            (Type::Array(inner, n), _) => {
                let size = elements(inner, &[]);
                let part = |k: usize| Place {
                    offset: place.offset + k * size,
                    ty: inner,
                    ..place
                };
                let values: Result<Vec<_>> = (0..*n).map(|k| self.load(part(k))).collect();
                Ok(Value::Array(Rc::new(values?)))
            }
            (Type::Scalar(scalar), Root::Table(table)) => {
                let values = &self.module.tables[table].values;
                let number = values.get(place.offset).ok_or_else(outside)?;
                Ok(match scalar {
                    ScalarType::Integer(_) => Value::Integer(number.to_integer(), None),
                    _ => Value::Scalar(number.field()),
                })
            }
            (Type::Scalar(_), Root::Parameter(at)) => match &self.memory.parameters[at].data {
                Data::Field(values) => values.get(place.offset).copied().map(Value::Scalar),
                Data::Integer(values) => {
                    let value = values.get(place.offset);
                    value.map(|value| Value::Integer(*value, self.input(at, place.offset)))
                }
            }
            .ok_or_else(outside),
            _ => Err("a whole slice where a value is expected".to_owned()),
        }
    }

    pub(super) fn store(&mut self, place: Place<'a>, value: Value<'a>) -> Result<()> {
        let Root::Parameter(at) = place.root else {
            return Err("a table is assigned".to_owned());
        };
        match (place.ty, value) {
            (Type::Array(inner, n), Value::Array(values)) if values.len() == *n => {
                let size = elements(inner, &[]);
                values.iter().enumerate().try_for_each(|(k, value)| {
                    let part = Place {
                        offset: place.offset + k * size,
                        ty: inner,
                        ..place
                    };
                    self.store(part, value.clone())
                })
            }
            (_, value) => match (&mut self.memory.parameters[at].data, value) {
                (Data::Field(data), Value::Scalar(value)) if place.offset < data.len() => {
                    Rc::make_mut(data)[place.offset] = value;
                    Ok(())
                }
                (Data::Integer(data), Value::Integer(value, _)) if place.offset < data.len() => {
                    Rc::make_mut(data)[place.offset] = value;
                    Ok(())
                }
                _ => Err("a write out of range".to_owned()),
            },
        }
    }

    pub(super) fn length(&mut self, operand: &'a Expression, axis: usize) -> Result<Value<'a>> {
        Ok(match self.expression(operand)? {
            Value::Place(
                place @ Place {
                    root: Root::Parameter(at),
                    ty: Type::Slice(_) | Type::Open(..),
                    ..
                },
            ) => {
                if let Some((length, inputs)) = self.allocated_extent(place, axis) {
                    return Ok(Value::Integer(length, inputs));
                }
                let length = self.shape(place).get(axis).copied();
                let length = length.ok_or("no such axis")? as i128;
                let axis = self.memory.parameters[at].shape.len() - rank(place.ty) + axis;
                Value::Integer(length, self.input(at, LENGTH - axis))
            }
            Value::Place(Place {
                ty: Type::Array(_, n),
                ..
            }) => Value::Integer(*n as i128, None),
            Value::Array(elements) => Value::Integer(elements.len() as i128, None),
            _ => return Err("the length of this is not known".to_owned()),
        })
    }

    /// What an integer that is an input depends on.
    fn input(&self, parameter: usize, at: usize) -> value::Inputs {
        let input = || Rc::new(vec![((parameter, at), 1)]);
        self.tracked.then(input)
    }
}
