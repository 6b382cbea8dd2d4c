//! Subscripts: places, reading them, local arrays.

use super::unroll::{LARGEST_VALUE, elements};
use super::value::{Place, Root, Value};
use super::{Lowerer, Reached, Result, opaque, problem};
use crate::diagnostics::Span;
use crate::ir::{Access, Affine, Element, Expr, ExprId, Extent, IndexId, Role};
use crate::syntax::ast::{Expression, ExpressionKind, ScalarType, Type};

impl Lowerer<'_> {
    pub(super) fn index(
        &mut self,
        base: &Expression,
        index: &Expression,
        span: Span,
    ) -> Result<Value> {
        if let Some(element) = self.local_array_element(base, index, span)? {
            return Ok(element);
        }
        let base = self.expression(base)?;
        self.subscripted(base, index, span)
    }

    /// An element of a local array whose elements are known one by one: that element is read, and not
    /// the others.
    fn local_array_element(
        &mut self,
        base: &Expression,
        index: &Expression,
        span: Span,
    ) -> Result<Option<Value>> {
        let mut subscripts = vec![index];
        let mut root = base;
        while let ExpressionKind::Index(base, index) = &root.kind {
            subscripts.push(index.as_ref());
            root = base;
        }
        let ExpressionKind::Variable(variable) = root.kind else {
            return Ok(None);
        };
        let mut value = self.variable(variable, root.span)?;
        if !matches!(value, Value::Array(_)) {
            return Ok(None);
        }
        let mut path = Vec::new();
        for index in subscripts.into_iter().rev() {
            value = match value {
                Value::Array(mut elements) => {
                    let at = self.expression(index)?;
                    let at = self.affine(at, index.span)?;
                    let at = self.constant_subscript(&at, elements.len(), index.span)?;
                    path.push(at);
                    elements.swap_remove(at)
                }
                other => self.subscripted(other, index, span)?,
            };
        }
        self.check_total(variable, &path, span)?;
        Ok(Some(value))
    }

    /// `base[index]`.
    fn subscripted(&mut self, base: Value, index: &Expression, span: Span) -> Result<Value> {
        let owed = self.owed.len();
        let at = self.expression(index)?;
        if let Value::Place(place) = &base
            && let Some(element) = self.flat_element(place, &at, index.span)?
        {
            self.reach(&element, span)?;
            return Ok(Value::Place(element));
        }
        let at = self.affine(at, index.span)?;
        if let Value::Place(place) = &base
            && let Some(element) = self.element_of_rows(place, (&at, owed), index.span)?
        {
            self.reach(&element, span)?;
            return Ok(Value::Place(element));
        }
        match base {
            Value::Array(mut elements) => {
                let at = self.constant_subscript(&at, elements.len(), index.span)?;
                Ok(elements.swap_remove(at))
            }
            Value::Place(mut place) => {
                self.check_subscript(&at, &place, index.span)?;
                self.shown_by_subscript(owed, &at, &place, index.span)?;
                place.ty = match place.ty {
                    Type::Array(element, _) | Type::Slice(element) | Type::Open(element, _) => {
                        *element
                    }
                    _ => return opaque(span, "this is no array", "subscript arrays and slices"),
                };
                place.subscripts.push(at);
                self.reach(&place, span)?;
                Ok(Value::Place(place))
            }
            _ => opaque(span, "this is no array", "subscript arrays and slices"),
        }
    }

    /// The extent of a part of an array along one of its own axes.
    pub(super) fn extent(&self, place: &Place, axis: usize) -> Option<Affine> {
        // The length of a vector that holds an array of more dimensions is a product.
        if let (Root::Array(array), []) = (place.root, place.subscripts.as_slice())
            && self.array(array).allocated
            && self.is_in_rows(array)
        {
            return None;
        }
        let axis = place.subscripts.len() + axis;
        let extent = match place.root {
            Root::Array(array) => self.array(array).shape.get(axis)?.clone(),
            Root::Table(table) => Extent::Constant(*self.module.tables[table.0].shape.get(axis)?),
        };
        Some(match extent {
            Extent::Constant(n) => Affine::constant(i64::try_from(n).ok()?),
            Extent::RunTime(affine) => affine,
        })
    }

    /// Takes down that the text subscripts an array: Rust checks that even where nothing uses the
    /// value. Of tables and temporaries only entries of index maps can be out of range, others are
    /// known here.
    pub(super) fn reach(&mut self, place: &Place, span: Span) -> Result<()> {
        let mapped = place.subscripts.iter().any(Affine::is_mapped);
        let array = match place.root {
            Root::Array(array) => array,
            Root::Table(table) if mapped => self.table(table)?,
            Root::Table(_) => return Ok(()),
        };
        let parameter = matches!(self.array(array).role, Role::Parameter(_) | Role::Output(_));
        if parameter || mapped {
            let access = Access {
                array,
                subscripts: place.subscripts.clone(),
            };
            let reached = Reached {
                access,
                domain: self.open.clone(),
            };
            if !self.guards.is_empty() && !self.in_range(&reached) {
                self.reach_in_branch(reached, span);
                return Ok(());
            }
            self.reached.insert(reached);
        }
        Ok(())
    }

    /// Whether a read is in range wherever the loops run, whether its branch is taken or not: the
    /// text reads it elsewhere in these loops, or its loops are those of the array.
    pub(super) fn in_range(&self, reached: &Reached) -> bool {
        let access = &reached.access;
        let shape = &self.array(access.array).shape;
        let below = |subscript: &Affine, extent: &Extent| {
            let Some((least, most)) = self.extremes(subscript) else {
                return false;
            };
            let mut loops = Vec::new();
            subscript.collect_indices(&mut loops);
            let run_time = |index: &IndexId| self.program.loop_index(*index).extent.clone();
            match (extent, loops.as_slice(), subscript.terms.as_slice()) {
                (Extent::Constant(n), loops, _) => {
                    let known = loops.iter().all(|i| run_time(i).as_constant().is_some());
                    known && least >= 0 && most < *n as i128
                }
                (extent, [index], [(_, 1)]) => {
                    run_time(index) == *extent && subscript.constant == 0
                }
                _ => false,
            }
        };
        let mut subscripts = access.subscripts.iter().zip(shape);
        self.reached.contains(reached) || subscripts.all(|(s, extent)| below(s, extent))
    }

    /// The subscript of a local array, which must be known now.
    pub(super) fn constant_subscript(
        &self,
        at: &Affine,
        extent: usize,
        span: Span,
    ) -> Result<usize> {
        let Some(at) = at.as_constant() else {
            return opaque(
                span,
                "this local array is subscripted by a loop that cannot be unrolled",
                "subscript local arrays by constants or by loops of constant extent",
            );
        };
        match usize::try_from(at) {
            Ok(at) if at < extent => Ok(at),
            _ => problem(
                span,
                format!("index {at} is out of range for an array of {extent}"),
                crate::syntax::valid_subscripts(extent),
            ),
        }
    }

    /// Reads a scalar.
    pub(super) fn read(&mut self, value: Value, span: Span) -> Result<ExprId> {
        match value {
            Value::Scalar(expr) => Ok(expr),
            Value::Place(place) => self.read_place(place, span),
            Value::Integer(_) | Value::Converted(..) | Value::Flat(_) => opaque(
                span,
                "an integer where a floating-point number is computed",
                "convert it: `i as f64`",
            ),
            Value::Condition(_) => opaque(
                span,
                "a condition where a number is expected",
                "choose between numbers: `if c { 1.0 } else { 0.0 }`",
            ),
            Value::Array(_) | Value::Tuple(_) => opaque(
                span,
                "a whole array where a number is expected",
                "subscript it to one element",
            ),
        }
    }

    fn read_place(&mut self, place: Place, span: Span) -> Result<ExprId> {
        let Type::Scalar(scalar) = place.ty else {
            return opaque(
                span,
                "a whole array where a number is expected",
                "subscript it to one element",
            );
        };
        let integer = matches!(scalar, ScalarType::Integer(_));
        let (Some(element), false) = (self.element_of(scalar), integer && !self.words) else {
            return opaque(
                span,
                "an integer where a floating-point number is computed",
                "convert it: `x[i] as f64`",
            );
        };
        let array = match place.root {
            Root::Array(array) => array,
            Root::Table(table) => self.table(table)?,
        };
        let word = match element {
            Element::Integer(ty) => Element::Word(ty.word()),
            other => other,
        };
        if let Some(value) = super::tables::table_entry(&self.program, array, &place.subscripts) {
            return Ok(self.constant(value, word));
        }
        let element = match integer {
            true => self.array(array).element,
            false => element,
        };
        // A scalar is in range wherever it is read.
        let scalar = self.array(array).shape.is_empty();
        if !scalar || !matches!(self.array(array).role, Role::Parameter(_)) {
            self.read.push((array, span));
        }
        let held = self.held_write(&place, span)?;
        if let Some(held) = held {
            return Ok(self.loaded(held));
        }
        if matches!(self.array(array).role, Role::Output(_)) {
            let read = self.read_output(array, place.subscripts, element, span);
            return Ok(self.loaded(read));
        }
        let access = Access {
            array,
            subscripts: place.subscripts,
        };
        if self.large.contains(&array) {
            self.note_read(&access, span);
        }
        let read = self.program.pool.add(Expr::Access(access), element);
        Ok(match self.words {
            true => self.loaded(read),
            false => read,
        })
    }

    /// A value that can be stored in a local: places of arrays stay places, scalars are read.
    pub(super) fn materialise(&mut self, value: Value, span: Span) -> Result<Value> {
        match value {
            Value::Place(place) => match &place.ty {
                Type::Scalar(ScalarType::Integer(_))
                    if self.is_written(&Value::Place(place.clone())) =>
                {
                    Ok(Value::Scalar(self.read_place(place, span)?))
                }
                Type::Scalar(ScalarType::Integer(_)) => {
                    Ok(Value::Integer(self.affine(Value::Place(place), span)?))
                }
                Type::Scalar(_) => Ok(Value::Scalar(self.read_place(place, span)?)),
                _ => Ok(Value::Place(place)),
            },
            other => Ok(other),
        }
    }

    /// The elements of a small array one by one, so that they can be assigned.
    pub(super) fn scalarise(&mut self, value: Value, span: Span) -> Result<Value> {
        match value {
            Value::Place(place) => match place.ty.clone() {
                Type::Array(..) if elements(&place.ty) > LARGEST_VALUE => opaque(
                    span,
                    "this array is too large to be copied",
                    "refer to it with `&`, or copy its elements in a loop",
                ),
                Type::Array(element, n) => (0..n)
                    .map(|k| {
                        let mut subscripts = place.subscripts.clone();
                        subscripts.push(Affine::constant(k as i64));
                        let part = Place {
                            root: place.root,
                            subscripts,
                            ty: element.as_ref().clone(),
                        };
                        self.scalarise(Value::Place(part), span)
                    })
                    .collect::<Result<Vec<_>>>()
                    .map(Value::Array),
                Type::Open(..) => opaque(
                    span,
                    "an array whose extent is known when the kernel runs is copied",
                    "refer to it with `&`",
                ),
                _ => self.materialise(Value::Place(place), span),
            },
            Value::Array(parts) => parts
                .into_iter()
                .map(|element| self.scalarise(element, span))
                .collect::<Result<Vec<_>>>()
                .map(Value::Array),
            other => Ok(other),
        }
    }
}
