//! Parts of arrays while the text is read: slices of slices, and names for places.
//!
//! `&x[a..b]`, a chunk, a row: none of them is a value of the tree. A name for one stands for where it
//! is, and each subscript of it becomes a subscript of the array itself, so that the tree is that of
//! the loop with subscripts.

use super::Parsed;
use super::ast::{
    BinaryOperator, Block, Expression, ExpressionKind, IntegerMethod, Pattern, Statement, Type,
    VariableId,
};
use super::expressions::typed;
use super::scope::{Reader, USIZE};
use super::types::behind;
use crate::diagnostics::Span;

/// An integer literal.
pub fn number(value: i128, span: Span) -> Expression {
    typed(ExpressionKind::Integer(value), USIZE, span)
}

/// The value of an integer that is known here.
pub fn known(expression: &Expression) -> Option<i128> {
    match expression.kind {
        ExpressionKind::Integer(value) => Some(value),
        _ => None,
    }
}

/// `left + right`, `left - right` or another operation, where it is not known.
pub fn computed(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    use BinaryOperator as Operator;
    let (ty, span) = (behind(&left.ty).clone(), left.span);
    match (operator, known(&left), known(&right)) {
        (Operator::Add | Operator::Subtract, _, Some(0)) | (Operator::Multiply, _, Some(1)) => left,
        (Operator::Add, Some(0), _) | (Operator::Multiply, Some(1), _) => right,
        (Operator::Add, Some(a), Some(b)) => number(a + b, span),
        (Operator::Subtract, Some(a), Some(b)) if a >= b => number(a - b, span),
        (Operator::Multiply, Some(a), Some(b)) => number(a * b, span),
        (Operator::Divide, Some(a), Some(b)) if b != 0 => number(a / b, span),
        _ => {
            let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
            typed(kind, ty, span)
        }
    }
}

/// `left.method(right)` of `usize`, where it is not known.
pub fn method(method: IntegerMethod, left: Expression, right: Expression) -> Expression {
    use IntegerMethod as Method;
    let span = left.span;
    match (method, known(&left), known(&right)) {
        (Method::SaturatingSub, _, Some(0)) => left,
        (Method::SaturatingSub, Some(a), Some(b)) => number((a - b).max(0), span),
        (Method::Min, Some(a), Some(b)) => number(a.min(b), span),
        (Method::Min, ..) if same(&left, &right) => left,
        (Method::Within, Some(a), Some(b)) if a < b => left,
        _ => typed(
            ExpressionKind::Integers(method, vec![left, right]),
            USIZE,
            span,
        ),
    }
}

/// Whether two integers that nothing changes are written the same way.
pub fn same(left: &Expression, right: &Expression) -> bool {
    use ExpressionKind as Kind;
    match (&left.kind, &right.kind) {
        (Kind::Integer(a), Kind::Integer(b)) => a == b,
        (Kind::Variable(a), Kind::Variable(b)) => a == b,
        (Kind::Binary(o, a, b), Kind::Binary(p, c, d)) => o == p && same(a, c) && same(b, d),
        (Kind::Integers(o, a), Kind::Integers(p, b)) => {
            o == p && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Kind::Length(a, m), Kind::Length(b, n)) => m == n && same(a, b),
        (Kind::Index(a, i), Kind::Index(b, j)) => same(a, b) && same(i, j),
        (Kind::Dereference(a) | Kind::Reference(a), _) => same(a, right),
        (_, Kind::Dereference(b) | Kind::Reference(b)) => same(left, b),
        _ => false,
    }
}

/// A place without the references to it.
pub fn place(expression: Expression) -> Expression {
    match expression.kind {
        ExpressionKind::Reference(inner) => place(*inner),
        ExpressionKind::Dereference(inner)
            if matches!(inner.kind, ExpressionKind::Reference(_)) =>
        {
            place(*inner)
        }
        _ => expression,
    }
}

/// The type of an array's elements, behind references.
pub fn element_type(ty: &Type) -> Option<Type> {
    behind(ty).element().cloned()
}

/// A reference to a place.
pub fn reference(to: Expression, mutable: bool) -> Expression {
    let (ty, span) = (Type::Reference(Box::new(to.ty.clone()), mutable), to.span);
    typed(ExpressionKind::Reference(Box::new(to)), ty, span)
}

/// The element of an array, or of a part of one, at a subscript that is in range.
pub fn element(array: &Expression, at: Expression) -> Expression {
    let array = place(array.clone());
    let ty = element_type(&array.ty).unwrap_or(Type::Tuple(Vec::new()));
    let span = array.span;
    let index = |base: Expression, at: Expression, ty: Type| {
        typed(
            ExpressionKind::Index(Box::new(base), Box::new(at)),
            ty,
            span,
        )
    };
    if let Some(part) = super::records::element_of_part(&array, at.clone()) {
        return part;
    }
    match array.kind {
        ExpressionKind::Part { base, start, .. } => {
            let at = computed(BinaryOperator::Add, *start, at);
            element(&base, at)
        }
        ExpressionKind::Column(base, column) => {
            let row = element_type(&base.ty).unwrap_or(Type::Tuple(Vec::new()));
            index(index(*base, at, row), *column, ty)
        }
        _ => Expression {
            inside: true,
            ..index(array, at, ty)
        },
    }
}

/// A part of an array, or of a part of one, of some elements from one on.
pub fn part(array: &Expression, start: Expression, length: Expression) -> Expression {
    let array = place(array.clone());
    let span = array.span;
    if let ExpressionKind::Part {
        base, start: first, ..
    } = &array.kind
        && super::records::is_record(&base.ty)
        && let Some(inner) = element_type(&array.ty)
    {
        let by = number(super::types::size(&inner) as i128, span);
        let start = computed(BinaryOperator::Multiply, start, by);
        let start = computed(BinaryOperator::Add, first.as_ref().clone(), start);
        let kind = ExpressionKind::Part {
            base: base.clone(),
            start: Box::new(start),
            length: Box::new(length),
        };
        return typed(kind, Type::Slice(Box::new(inner)), span);
    }
    let (base, start) = match array.kind {
        ExpressionKind::Part {
            base, start: first, ..
        } => (*base, computed(BinaryOperator::Add, *first, start)),
        _ => (array, start),
    };
    let element = element_type(&base.ty).unwrap_or(Type::Tuple(Vec::new()));
    let kind = ExpressionKind::Part {
        base: Box::new(base),
        start: Box::new(start),
        length: Box::new(length),
    };
    typed(kind, Type::Slice(Box::new(element)), span)
}

/// Refuses parts of arrays that are values of their own.
pub fn no_part_left(block: &Block) -> Parsed<()> {
    for statement in &block.statements {
        match statement {
            Statement::Let(_, value) => no_part(value)?,
            Statement::Assign { place, value, .. } => {
                no_part(place)?;
                no_part(value)?;
            }
            Statement::For(inner) => {
                no_part(&inner.start)?;
                no_part(&inner.end)?;
                no_part_left(&inner.body)?;
            }
            Statement::Block(inner) => no_part_left(inner)?,
            Statement::Effect(value) | Statement::Assert(value, _) => no_part(value)?,
        }
    }
    block.value.as_deref().map_or(Ok(()), no_part)
}

fn no_part(expression: &Expression) -> Parsed<()> {
    let mut open = vec![expression];
    while let Some(top) = open.pop() {
        if let ExpressionKind::Part { .. } | ExpressionKind::Column(..) = top.kind {
            return Err(crate::diagnostics::Fault::beyond_at(
                top.span,
                "a part of an array as a value",
                "bind it to a name, subscript it, or loop over its elements",
            ));
        }
        open.extend(top.operands());
        for block in top.blocks() {
            no_part_left(block)?;
        }
    }
    Ok(())
}

impl Reader<'_> {
    /// The number of an array's elements, or of those of a part of one.
    pub fn length_of(&self, array: &Expression) -> Expression {
        let array = place(array.clone());
        let span = array.span;
        match (&array.kind, behind(&array.ty)) {
            (ExpressionKind::Part { length, .. }, _) => length.as_ref().clone(),
            (ExpressionKind::Column(base, _), _) => self.length_of(base),
            (_, Type::Array(_, n)) => number(*n as i128, span),
            (_, Type::Open(_, super::ast::Length::Constant(at))) => {
                let name = self.constants[*at].to_string();
                match self.find(&name) {
                    Some(super::scope::Entry::Variable(id)) => {
                        typed(ExpressionKind::Variable(id), USIZE, span)
                    }
                    _ => number(0, span),
                }
            }
            _ => typed(ExpressionKind::Length(Box::new(array), 0), USIZE, span),
        }
    }

    /// A variable that the text does not name.
    pub fn hidden(&mut self, name: &str, ty: Type, mutable: bool, span: Span) -> VariableId {
        let name = proc_macro2::Ident::new(name, span.start());
        let id = VariableId(self.variables.len());
        self.variables
            .push(super::ast::Variable { name, ty, mutable });
        id
    }

    /// A value that can stand in several places: one that nothing changes, or a name for it, which is
    /// computed before the statement that is being read.
    pub fn stable(&mut self, value: Expression, name: &str) -> Expression {
        if self.is_stable(&value) {
            return value;
        }
        let (ty, span) = (value.ty.clone(), value.span);
        let variable = self.hidden(name, ty.clone(), false, span);
        self.before
            .push(Statement::Let(Pattern::Variable(variable), value));
        typed(ExpressionKind::Variable(variable), ty, span)
    }

    fn is_stable(&self, value: &Expression) -> bool {
        use ExpressionKind as Kind;
        match &value.kind {
            Kind::Integer(_) | Kind::Float(_) | Kind::Table(_) => true,
            Kind::Variable(variable) => !self.variables[variable.0].mutable,
            Kind::Binary(operator, l, r) => {
                let affine = matches!(
                    operator,
                    BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply
                );
                affine && self.is_stable(l) && self.is_stable(r)
            }
            // The length of an array is what it is, whatever it holds.
            Kind::Length(of, _) => self.is_stable_place(of),
            Kind::Reference(of) | Kind::Dereference(of) => {
                matches!(value.ty, Type::Scalar(_) | Type::Reference(..)) && self.is_stable(of)
            }
            _ => false,
        }
    }

    fn is_stable_place(&self, place: &Expression) -> bool {
        match &place.kind {
            ExpressionKind::Variable(_) | ExpressionKind::Table(_) => true,
            ExpressionKind::Reference(of) | ExpressionKind::Dereference(of) => {
                self.is_stable_place(of)
            }
            ExpressionKind::Index(base, at) => self.is_stable_place(base) && self.is_stable(at),
            _ => false,
        }
    }

    /// A place that stays the same one: its subscripts are computed before the statement that is being
    /// read. What is no place gets a name.
    pub fn stable_place(&mut self, expression: Expression) -> Expression {
        let span = expression.span;
        let ty = expression.ty.clone();
        match expression.kind {
            ExpressionKind::Variable(_) | ExpressionKind::Table(_) => expression,
            ExpressionKind::Reference(inner) => self.stable_place(*inner),
            ExpressionKind::Dereference(inner) => {
                let inner = Box::new(self.stable_place(*inner));
                match inner.ty {
                    Type::Reference(..) => typed(ExpressionKind::Dereference(inner), ty, span),
                    _ => *inner,
                }
            }
            ExpressionKind::Index(base, at) => {
                let base = Box::new(self.stable_place(*base));
                let at = Box::new(self.stable(*at, "at"));
                typed(ExpressionKind::Index(base, at), ty, span)
            }
            ExpressionKind::Part { .. } | ExpressionKind::Column(..) => expression,
            _ => self.stable(expression, "items"),
        }
    }

    /// `let` of a closure, or of what is no value of its own: a part of an array, a reference that is
    /// written through. Names stand for these; whether it was one.
    pub fn named(
        &mut self,
        pattern: &syn::Pat,
        annotation: Option<&Type>,
        init: &syn::Expr,
    ) -> Parsed<bool> {
        let stripped = super::statements::strip(init);
        if let (syn::Expr::Closure(_), syn::Pat::Ident(name)) = (stripped, pattern) {
            let closure = self.closure(init)?;
            self.unused(&name.ident)?;
            self.closures.push(closure);
            let entry = super::scope::Entry::Closure(self.closures.len() - 1);
            if let Some(scope) = self.scopes.last_mut() {
                scope.insert(name.ident.to_string(), entry);
            }
            return Ok(true);
        }
        let taken_apart = matches!(pattern, syn::Pat::Slice(_) | syn::Pat::Struct(_));
        if !self.is_part(stripped) && !taken_apart {
            return Ok(false);
        }
        let value = self.expression(init, annotation)?;
        let value = self.stable_item(value);
        let mut statements = std::mem::take(&mut self.before);
        let bound = self.bind(pattern, value, &mut statements);
        self.before = statements;
        bound.map(|()| true)
    }

    /// Whether an expression is a part of an array by what it looks like.
    pub fn is_part(&self, expr: &syn::Expr) -> bool {
        match super::statements::strip(expr) {
            syn::Expr::Reference(reference) => {
                reference.mutability.is_some() || self.is_part(&reference.expr)
            }
            syn::Expr::Index(index) => {
                matches!(super::statements::strip(&index.index), syn::Expr::Range(_))
            }
            syn::Expr::MethodCall(call) => matches!(
                call.method.to_string().as_str(),
                "split_at"
                    | "split_at_mut"
                    | "row"
                    | "row_mut"
                    | "column"
                    | "column_mut"
                    | "index_axis"
                    | "index_axis_mut"
                    | "as_slice"
                    | "as_mut_slice"
                    | "view"
                    | "view_mut"
            ),
            syn::Expr::Path(path) => match path.path.get_ident() {
                Some(name) => {
                    matches!(
                        self.find(&name.to_string()),
                        Some(super::scope::Entry::Alias(_))
                    )
                }
                None => false,
            },
            syn::Expr::Tuple(tuple) => tuple.elems.iter().any(|part| self.is_part(part)),
            _ => false,
        }
    }

    /// References to places that stay the same.
    fn stable_item(&mut self, item: Expression) -> Expression {
        let (ty, span) = (item.ty.clone(), item.span);
        match item.kind {
            ExpressionKind::Tuple(parts) => {
                let parts = parts.into_iter().map(|part| self.stable_item(part));
                typed(ExpressionKind::Tuple(parts.collect()), ty, span)
            }
            ExpressionKind::Reference(inner) => {
                let inner = Box::new(self.stable_place(*inner));
                typed(ExpressionKind::Reference(inner), ty, span)
            }
            _ => item,
        }
    }

    /// `x[a..b]`.
    pub fn sub_slice(&mut self, array: Expression, range: &syn::ExprRange) -> Parsed<Expression> {
        let span = Span::of(range);
        if super::views::rank(behind(&array.ty)) > 0 || element_type(&array.ty).is_none() {
            return Err(crate::diagnostics::Fault::beyond(
                range,
                "a range as a subscript of what is no slice",
                "ranges take parts of slices and arrays: `&x[a..b]`; of views, loop over the range",
            ));
        }
        let array = self.stable_place(array);
        let length = self.length_of(&array);
        let one = |value: Expression| computed(BinaryOperator::Add, value, number(1, span));
        let end = match &range.end {
            None => length,
            Some(end) => {
                let value = self.integer(end, Some(&USIZE))?.dereferenced();
                self.is(end, &USIZE);
                let value = match range.limits {
                    syn::RangeLimits::Closed(_) => one(value),
                    syn::RangeLimits::HalfOpen(_) => value,
                };
                let checked = method(IntegerMethod::Within, value, one(length));
                self.stable(checked, "end")
            }
        };
        let start = match &range.start {
            None => number(0, span),
            Some(start) => {
                let value = self.integer(start, Some(&USIZE))?.dereferenced();
                self.is(start, &USIZE);
                let checked = method(IntegerMethod::Within, value, one(end.clone()));
                self.stable(checked, "start")
            }
        };
        let length = computed(BinaryOperator::Subtract, end, start.clone());
        Ok(part(&array, start, length))
    }
}
