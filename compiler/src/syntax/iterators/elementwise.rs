//! Methods of slices and operators of views that are loops: `fill`, `copy_from_slice`, `swap`, `reverse`, `y /= norm`.

use crate::diagnostics::{Fault, Span};
use crate::syntax::Parsed;
use crate::syntax::ast::{
    BinaryOperator, Expression, ExpressionKind, ForLoop, LoopId, Pattern, Statement, Type,
};
use crate::syntax::expressions::typed;
use crate::syntax::parts::{computed, element, element_type, number, place};
use crate::syntax::scope::{Reader, USIZE};
use crate::syntax::statements::strip;
use crate::syntax::types::{behind, show};
use crate::syntax::views::rank;

impl Reader<'_> {
    /// A method that is a statement.
    pub fn method_statement(&mut self, call: &syn::ExprMethodCall) -> Parsed<Statement> {
        let name = call.method.to_string();
        let arguments: Vec<&syn::Expr> = call.args.iter().collect();
        if self
            .records
            .methods
            .iter()
            .any(|known| known.item.sig.ident == call.method)
        {
            let call = syn::Expr::MethodCall(call.clone());
            return self.expression(&call, None).map(Statement::Effect);
        }
        match (name.as_str(), arguments.as_slice()) {
            ("for_each", [closure]) => self.for_each(call, closure),
            ("fill", [value]) => self.fill(call, value),
            ("copy_from_slice" | "clone_from_slice", [from]) => self.copy(call, from, false),
            ("assign", [from]) => self.copy(call, from, true),
            ("swap", [i, j]) => self.swap(call, i, j),
            ("reverse", []) => self.reverse(call),
            _ => Err(Fault::beyond(
                &call.method,
                format!("`{name}` as a statement has no meaning in a kernel"),
                "statements are `let`, assignments, `for` loops, `for_each`, `fill`, `copy_from_slice`, `swap` and `reverse`; let helpers return what they compute, and assign it: `y[i] = f(x[i]);`",
            )),
        }
    }

    /// The array that a method writes.
    fn target_array(&mut self, call: &syn::ExprMethodCall) -> Parsed<Expression> {
        let array = self.expression(&call.receiver, None)?;
        if element_type(&array.ty).is_none() {
            return Err(Fault::beyond(
                &call.receiver,
                format!("`{}` has no elements", show(&array.ty)),
                "write slices and arrays",
            ));
        }
        let array = self.stable_place(array);
        self.writable(&array, &call.receiver)?;
        Ok(place(array))
    }

    /// `x.fill(value)`.
    fn fill(&mut self, call: &syn::ExprMethodCall, value: &syn::Expr) -> Parsed<Statement> {
        let array = self.target_array(call)?;
        let axes = rank(behind(&array.ty)).max(1);
        let mut ty = array.ty.clone();
        for _ in 0..axes {
            ty = element_type(&ty).unwrap_or(ty);
        }
        let wanted = behind(&ty).clone();
        let read = self.expression(value, Some(&wanted))?;
        self.is(value, &wanted);
        if read.ty != wanted {
            return Err(Fault::on(
                value,
                format!(
                    "this is `{}`, but the elements are `{}`",
                    show(&read.ty),
                    show(&wanted)
                ),
                "make the types agree",
            ));
        }
        let read = match matches!(wanted, Type::Scalar(_)) {
            true => self.stable(read, "value"),
            false => read,
        };
        let span = Span::of(call);
        Ok(self.over((&array, None), axes, span, &|_| read.clone()))
    }

    /// `x.copy_from_slice(&y)`, `u.assign(&v)`.
    fn copy(
        &mut self,
        call: &syn::ExprMethodCall,
        from: &syn::Expr,
        views: bool,
    ) -> Parsed<Statement> {
        let array = self.target_array(call)?;
        let source = self.expression(from, None)?;
        let source = place(self.stable_place(source));
        let axes = rank(behind(&array.ty));
        let agree = behind(&array.ty) == behind(&source.ty)
            || element_type(&array.ty) == element_type(&source.ty)
                && rank(behind(&source.ty)) == axes;
        if !agree || element_type(&source.ty).is_none() || (axes > 0) != views {
            return Err(Fault::on(
                from,
                format!("`{}` is copied to `{}`", show(&source.ty), show(&array.ty)),
                "copy slices of one type, with `copy_from_slice`; views, with `assign`",
            ));
        }
        let axes = axes.max(1);
        for axis in 0..axes {
            let (left, right) = (self.extent(&array, axis), self.extent(&source, axis));
            self.equal_lengths(&left, &right);
        }
        let span = Span::of(call);
        Ok(self.over((&array, None), axes, span, &|at| {
            at.iter()
                .fold(source.clone(), |part, at| element(&part, at.clone()))
        }))
    }

    /// The extent of an array along an axis.
    fn extent(&self, array: &Expression, axis: usize) -> Expression {
        match axis {
            0 => self.length_of(array),
            _ => typed(
                ExpressionKind::Length(Box::new(array.clone()), axis),
                USIZE,
                array.span,
            ),
        }
    }

    /// `y /= norm`, `*y += &x`: operators of `ndarray`'s on all elements of a view. A number is computed before any
    /// element is assigned.
    pub fn whole_assigned(
        &mut self,
        array: Expression,
        operator: BinaryOperator,
        value: &syn::Expr,
        span: Span,
    ) -> Parsed<Statement> {
        let array = place(self.stable_place(array));
        let of = rank(behind(&array.ty));
        let axes = of.max(1);
        let mut ty = array.ty.clone();
        for _ in 0..axes {
            ty = element_type(&ty).unwrap_or(ty);
        }
        let read = self.expression(value, Some(behind(&ty)))?;
        if read.ty == *behind(&ty) {
            self.is(value, &read.ty);
            let read = self.stable(read, "value");
            return Ok(self.over((&array, Some(operator)), axes, span, &|_| read.clone()));
        }
        if rank(behind(&read.ty)) != of || element_type(&read.ty).is_none() {
            return Err(Fault::beyond(
                value,
                format!(
                    "`{}` and `{}` are not of one shape",
                    show(&array.ty),
                    show(&read.ty)
                ),
                "write a loop over the elements",
            ));
        }
        let source = place(self.stable_place(read));
        for axis in 0..axes {
            let (left, right) = (self.extent(&array, axis), self.extent(&source, axis));
            self.equal_lengths(&left, &right);
        }
        Ok(self.over((&array, Some(operator)), axes, span, &|at| {
            at.iter()
                .fold(source.clone(), |part, at| element(&part, at.clone()))
        }))
    }

    /// Loops over the outermost dimensions of an array, around an assignment to each element of a value that
    /// may follow its subscripts.
    fn over(
        &mut self,
        (array, operator): (&Expression, Option<BinaryOperator>),
        axes: usize,
        span: Span,
        value: &dyn Fn(&[Expression]) -> Expression,
    ) -> Statement {
        let names = ["i", "j", "k", "l", "m", "n"];
        let mut loops = Vec::new();
        let mut at: Vec<Expression> = Vec::new();
        for axis in 0..axes {
            let name = names[axis % names.len()];
            let variable = self.hidden(name, USIZE, false, span);
            let id = LoopId(self.loops.len());
            self.loops.push(proc_macro2::Ident::new(name, span.start()));
            loops.push((id, variable, self.extent(array, axis)));
            at.push(typed(ExpressionKind::Variable(variable), USIZE, span));
        }
        let target = at
            .iter()
            .fold(array.clone(), |part, at| element(&part, at.clone()));
        let (place, value) = (target, value(&at));
        let mut statement = Statement::Assign {
            place,
            operator,
            value,
            span,
        };
        for (id, variable, end) in loops.into_iter().rev() {
            let body = self.numbered(span, vec![statement], None);
            statement = Statement::For(Box::new(ForLoop {
                id,
                variable,
                start: number(0, span),
                end,
                inclusive: false,
                adaptors: Vec::new(),
                body,
                span,
            }));
        }
        statement
    }

    /// Whether a call is one of `std::mem::swap`.
    pub fn is_swap(&self, call: &syn::ExprCall) -> bool {
        let syn::Expr::Path(path) = call.func.as_ref() else {
            return false;
        };
        let full = self.imports.full(&path.path);
        full.ends_with(&["mem".to_owned(), "swap".to_owned()]) && call.args.len() == 2
    }

    /// `std::mem::swap(&mut a, &mut b)`.
    pub fn exchanged(&mut self, call: &syn::ExprCall) -> Parsed<Statement> {
        let places = call.args.iter().map(|of| match strip(of) {
            syn::Expr::Reference(reference) => reference.expr.as_ref().clone(),
            other => syn::parse_quote!(*#other),
        });
        let places: Vec<syn::Expr> = places.collect();
        let (a, b) = (&places[0], &places[1]);
        let mut block: syn::Block = syn::parse_quote!({
            let __held = #a;
            #a = #b;
            #b = __held;
        });
        self.block(&mut block, None).map(Statement::Block)
    }

    /// `x.swap(i, j)`.
    fn swap(
        &mut self,
        call: &syn::ExprMethodCall,
        i: &syn::Expr,
        j: &syn::Expr,
    ) -> Parsed<Statement> {
        let span = Span::of(call);
        let array = self.target_array(call)?;
        let receiver = &call.receiver;
        let _ = array;
        let mut targets = Vec::new();
        for at in [i, j] {
            let element: syn::Expr = syn::parse_quote!(#receiver[#at]);
            let read = self.expression(&element, None)?;
            targets.push(self.stable_place(read));
        }
        let (Some(second), Some(first)) = (targets.pop(), targets.pop()) else {
            return Err(Fault::consequence());
        };
        Ok(self.exchange(first, second, span))
    }

    /// `x.reverse()`: the elements of one half with those of the other one.
    fn reverse(&mut self, call: &syn::ExprMethodCall) -> Parsed<Statement> {
        let span = Span::of(call);
        let array = self.target_array(call)?;
        let length = self.length_of(&array);
        let half = computed(BinaryOperator::Divide, length.clone(), number(2, span));
        let variable = self.hidden("i", USIZE, false, span);
        let id = LoopId(self.loops.len());
        self.loops.push(proc_macro2::Ident::new("i", span.start()));
        let at = typed(ExpressionKind::Variable(variable), USIZE, span);
        let last = computed(BinaryOperator::Subtract, length, number(1, span));
        let from_end = computed(BinaryOperator::Subtract, last, at.clone());
        let (first, second) = (element(&array, at), element(&array, from_end));
        let body = vec![self.exchange(first, second, span)];
        let body = self.numbered(span, body, None);
        Ok(Statement::For(Box::new(ForLoop {
            id,
            variable,
            start: number(0, span),
            end: half,
            inclusive: false,
            adaptors: Vec::new(),
            body,
            span,
        })))
    }

    /// Two elements exchanged.
    fn exchange(&mut self, first: Expression, second: Expression, span: Span) -> Statement {
        let ty = first.ty.clone();
        let held = self.hidden("held", ty.clone(), false, span);
        let value = typed(ExpressionKind::Variable(held), ty, span);
        let assign = |place: Expression, value: Expression| Statement::Assign {
            place,
            operator: None,
            value,
            span,
        };
        let statements = vec![
            Statement::Let(Pattern::Variable(held), first.clone()),
            assign(first, second.clone()),
            assign(second, value),
        ];
        Statement::Block(self.numbered(span, statements, None))
    }
}
