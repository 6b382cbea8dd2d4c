//! Arrays that the text allocates: `vec![0.0; n]`, `Array2::zeros((n, m))`.
//!
//! To the program they are outputs like others, which nobody but the kernel sees: what is read after a
//! write and what before it, the same dependence tests tell. A vector whose length is a product, `vec![0.0; n * m]`, is an
//! array of more dimensions where its subscripts say which, as slices are (`flat`).

use super::value::{Place, Root, Value};
use super::words::integers_of;
use super::{Lowerer, Result, opaque};
use crate::diagnostics::Span;
use crate::ir::{Access, Affine, ArrayId, Atom, Equation, Extent, Operator, Role};
use crate::number::Number;
use crate::syntax::ast::{Expression, ExpressionKind, Pattern, ScalarType, Type, VariableId};
use crate::syntax::is_local;

impl Lowerer<'_> {
    /// `let mut x = vec![0.0; n]`.
    pub(super) fn allocated(
        &mut self,
        pattern: &Pattern,
        init: &Expression,
    ) -> Result<Option<(VariableId, Value)>> {
        let (Pattern::Variable(variable), ExpressionKind::Allocate(parts)) = (pattern, &init.kind)
        else {
            return Ok(None);
        };
        if is_local(&init.ty) {
            return Ok(None);
        }
        if self.depth > 0 || !self.guards.is_empty() {
            return opaque(
                init.span,
                "an array that is allocated in a helper or a branch",
                "allocate it before the loops of the kernel",
            );
        }
        if !self.open.is_empty() || self.words && integers_of(&init.ty).is_some() {
            let vector = self.allocated_anew(*variable, parts, init)?;
            return Ok(Some((*variable, vector)));
        }
        let vector = matches!(init.ty, Type::Slice(_));
        let (fill, counts) = match parts.split_first() {
            Some((element, counts)) if vector => (Some(element), counts),
            _ => (None, parts.as_slice()),
        };
        let mut extents = Vec::new();
        let position = self.next_position();
        for count in counts {
            let value = self.expression(count)?;
            let rows = self.rows_of_vector(&value, (position, init), count.span)?;
            let own = match rows {
                Some(own) => own,
                None => vec![self.affine(value, count.span)?],
            };
            for extent in own {
                self.assume(extent.clone(), count.span)?;
                extents.push(Extent::RunTime(extent));
            }
        }
        let (fill, scalar) = self.filled(fill, &init.ty, &mut extents, init.span)?;
        let Some(element) = self.element_of(scalar).filter(|e| !e.is_integer()) else {
            return opaque(
                init.span,
                "an allocated array of integers",
                "allocate arrays of floating-point numbers; compute integers in ordinary code",
            );
        };
        let name = self.frame.function.variables[variable.0].name.to_string();
        let role = Role::Output(position);
        let array = self.program.add_array(&name, element, extents, role);
        self.program.arrays[array.0 as usize].allocated = true;
        if let Some(fill) = fill {
            self.fill(array, fill)?;
        }
        let place = Place {
            root: Root::Array(array),
            subscripts: Vec::new(),
            ty: init.ty.clone(),
        };
        Ok(Some((*variable, Value::Place(place))))
    }

    /// The extents of a vector of numbers that holds an array of more dimensions: those that its subscripts have said, or
    /// an unknown one as long as these have said nothing. `None` where it has one dimension.
    fn rows_of_vector(
        &mut self,
        length: &Value,
        (position, init): (usize, &Expression),
        span: Span,
    ) -> Result<Option<Vec<Affine>>> {
        let numbers =
            matches!(&init.ty, Type::Slice(element) if matches!(**element, Type::Scalar(_)));
        let rows = self
            .findings
            .shapes
            .get(&position)
            .filter(|_| numbers)
            .cloned();
        let outermost = rows.as_ref().and_then(|rows| length.rows(rows));
        match (outermost, rows, length) {
            (Some(outermost), Some(rows), _) => {
                Ok(Some(std::iter::once(outermost).chain(rows).collect()))
            }
            (None, None, Value::Flat(_)) if numbers => {
                self.unshaped.get_or_insert(span);
                let array = ArrayId(self.program.arrays.len() as u32);
                Ok(Some(vec![Affine::atom(Atom::Length(array, 0))]))
            }
            _ => Ok(None),
        }
    }

    /// Vectors whose lengths are products must have been subscripted as arrays of more dimensions.
    pub(super) fn settle_vectors(&self) -> Result<()> {
        match self.unshaped {
            None => Ok(()),
            Some(span) => opaque(
                span,
                "the length of a vector is a product of integers that are known when the kernel runs",
                "subscript the vector by rows, `t[i * m + j]`, or allocate an array, `Array2::zeros((n, m))`",
            ),
        }
    }

    /// After the parameters, the result and the `const` parameters.
    fn next_position(&self) -> usize {
        let allocated = self.program.arrays.iter().filter(|a| a.allocated).count();
        let function = self.frame.function;
        let returns = matches!(function.result, Type::Scalar(_));
        function.parameters.len() + usize::from(returns) + function.constants.len() + allocated
    }

    /// What each element is filled with if that is not zero, and its type. Arrays as elements have
    /// more extents.
    pub(super) fn filled<'e>(
        &self,
        mut fill: Option<&'e Expression>,
        mut ty: &Type,
        extents: &mut Vec<Extent>,
        span: Span,
    ) -> Result<(Option<&'e Expression>, ScalarType)> {
        while let Some(ExpressionKind::Repeat(inner, n)) = fill.map(|fill| &fill.kind) {
            extents.push(Extent::Constant(*n));
            fill = Some(inner);
        }
        let mut rank = 0;
        while let Some(element) = ty.element() {
            rank += 1;
            ty = element;
        }
        let scalar = match ty {
            Type::Scalar(scalar) if rank <= extents.len() => *scalar,
            _ => {
                return opaque(
                    span,
                    "an allocated array of other values than numbers",
                    "write `vec![0.0; n]`, `vec![[0.0; 3]; n]` or `Array2::zeros((n, m))`",
                );
            }
        };
        let zero = |fill: &&Expression| matches!(fill.kind, ExpressionKind::Float(number) if number.key() == Number::ZERO.key());
        Ok((fill.filter(|fill| !zero(fill)), scalar))
    }

    /// Assigns a value to all elements.
    fn fill(&mut self, array: ArrayId, fill: &Expression) -> Result<()> {
        let expr = self.scalar(fill)?;
        let shape = self.array(array).shape.clone();
        let name = self.array(array).name.clone();
        let mut axes = shape.into_iter().enumerate();
        let free: Vec<_> = axes
            .by_ref()
            .map(|(axis, extent)| self.program.add_index(&format!("{name}{axis}"), extent))
            .collect();
        let subscripts = free.iter().map(|index| Affine::index(*index)).collect();
        let equation = Equation {
            target: Access { array, subscripts },
            operator: Operator::Assign,
            free: free.clone(),
            reduction: Vec::new(),
            expr,
        };
        self.open = free;
        self.push(equation, fill.span);
        self.open.clear();
        Ok(())
    }
}
