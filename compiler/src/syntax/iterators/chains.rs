//! Chains of adaptors, read into items and lengths.

use super::{Access, Items, Sequence, Size, Slices};
use crate::diagnostics::{Fault, Span};
use crate::syntax::Parsed;
use crate::syntax::ast::{
    Adaptor, BinaryOperator, Expression, ExpressionKind, IntegerMethod, Length, Pattern, Statement,
    Type,
};
use crate::syntax::parts::{computed, known, method, number};
use crate::syntax::scope::{Reader, USIZE};
use crate::syntax::statements::strip;
use crate::syntax::types::{behind, show};
use crate::syntax::views::rank;

const CHAINS: &str = "kernels know `iter`, `iter_mut`, `enumerate`, `zip`, `rev`, `skip`, `take`, `step_by`, `copied`, `cloned`, `map`, `filter`, `windows`, `chunks`, `chunks_exact` and ranges; loop over `0..n` and subscript for anything else";

/// Methods whose value is an iterator.
const ADAPTORS: [&str; 26] = [
    "iter",
    "iter_mut",
    "into_iter",
    "enumerate",
    "zip",
    "rev",
    "skip",
    "take",
    "step_by",
    "copied",
    "cloned",
    "map",
    "filter",
    "windows",
    "chunks",
    "chunks_mut",
    "chunks_exact",
    "chunks_exact_mut",
    "rows",
    "rows_mut",
    "columns",
    "columns_mut",
    "outer_iter",
    "outer_iter_mut",
    "axis_iter",
    "axis_iter_mut",
];

/// Methods of iterators that have no meaning in a kernel, with what to write.
fn unknown(name: &str) -> Option<&'static str> {
    Some(match name {
        "filter_map" => "write `filter` and `map`, or `if c { x } else { 0.0 }`",
        "take_while" | "skip_while" | "map_while" => {
            "items are taken whatever they are: add `if c { x } else { 0.0 }`, say"
        }
        "chain" => "write two loops",
        "flat_map" | "flatten" => "write one loop inside the other",
        "scan" => "write a loop, and keep the state in a `let mut` variable",
        "rchunks" | "rchunks_exact" | "split" | "array_chunks" | "as_chunks" => {
            "use `chunks_exact`, or loop over `0..n` and subscript"
        }
        "peekable" | "cycle" | "fuse" | "inspect" | "by_ref" | "unzip" | "partition"
        | "collect" | "cumsum" | "dedup" | "sorted" => CHAINS,
        _ => return None,
    })
}

/// Whether an expression is an iterator by what it looks like.
pub fn is_iterator(expr: &syn::Expr) -> bool {
    match strip(expr) {
        syn::Expr::Range(_) => true,
        syn::Expr::MethodCall(call) => {
            let name = call.method.to_string();
            ADAPTORS.contains(&name.as_str()) || unknown(&name).is_some()
        }
        _ => false,
    }
}

impl Reader<'_> {
    /// What a loop runs over.
    pub fn sequence(&mut self, expr: &syn::Expr) -> Parsed<Sequence> {
        let sequence = match strip(expr) {
            syn::Expr::Range(range) => self.integers_of(range)?,
            syn::Expr::MethodCall(call) if is_iterator(expr) => self.adapted(call)?,
            syn::Expr::Reference(reference) => {
                let access = match reference.mutability {
                    Some(_) => Access::Mutable,
                    None => Access::Shared,
                };
                let array = self.expression(&reference.expr, None)?;
                self.elements(array, access, expr)?
            }
            _ => {
                let array = self.expression(expr, None)?;
                let access = match (&array.ty, &array.kind) {
                    (Type::Reference(_, true), _) => Access::Mutable,
                    (Type::Reference(_, false), _) => Access::Shared,
                    _ => Access::Value,
                };
                self.elements(array, access, expr)?
            }
        };
        Ok(Sequence {
            span: Span::of(expr),
            ..sequence
        })
    }

    /// The elements of an array.
    fn elements(
        &mut self,
        array: Expression,
        access: Access,
        expr: &syn::Expr,
    ) -> Parsed<Sequence> {
        let several = rank(behind(&array.ty)) > 1;
        let is_array = matches!(
            behind(&array.ty),
            Type::Array(..) | Type::Slice(_) | Type::Open(..)
        );
        if !is_array || several {
            return Err(Fault::beyond(
                expr,
                format!("a loop over `{}`", show(&array.ty)),
                match several {
                    true => {
                        "loop over its rows, `u.rows()`, and over their elements, or subscript it"
                    }
                    false => "loop over a range, a slice, an array, or an iterator over such",
                },
            ));
        }
        let array = self.stable_place(array);
        let length = self.length_of(&array);
        Ok(simple(Items::Elements(array, access), length))
    }

    /// `a..b` as items.
    fn integers_of(&mut self, range: &syn::ExprRange) -> Parsed<Sequence> {
        let declaration = self.inference.declaration();
        if range.end.is_none() {
            let Some(first) = &range.start else {
                let help = "write both ends: `a..b`";
                return Err(Fault::beyond(range, "an open range", help));
            };
            let first = self.integer(first, Some(&USIZE))?;
            let first = self.stable(first, "first");
            return Ok(Sequence {
                lengths: Vec::new(),
                ..simple(Items::Integers(first.clone()), first)
            });
        }
        let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
        let (start, end) = self.bounds(range, declaration)?;
        let (start, end) = (start.dereferenced(), end.dereferenced());
        let (start, end) = (self.stable(start, "start"), self.stable(end, "end"));
        let length = method(IntegerMethod::SaturatingSub, end.clone(), start.clone());
        Ok(Sequence {
            range: Some((start.clone(), end, inclusive)),
            ..simple(Items::Integers(start), length)
        })
    }

    /// `receiver.method(…)`.
    fn adapted(&mut self, call: &syn::ExprMethodCall) -> Parsed<Sequence> {
        let name = call.method.to_string();
        if let Some(help) = unknown(&name) {
            let message = format!("the iterator `{name}` has no meaning in a kernel");
            return Err(Fault::beyond(&call.method, message, help));
        }
        let arguments: Vec<&syn::Expr> = call.args.iter().collect();
        match (name.as_str(), arguments.as_slice()) {
            ("iter" | "iter_mut", []) => {
                let array = self.expression(&call.receiver, None)?;
                let access = match name.as_str() {
                    "iter" => Access::Shared,
                    _ => Access::Mutable,
                };
                self.elements(array, access, &call.receiver)
            }
            ("into_iter", []) => self.sequence(&call.receiver),
            ("windows" | "chunks" | "chunks_mut" | "chunks_exact" | "chunks_exact_mut", [size]) => {
                self.slices(&name, call, size)
            }
            ("rows" | "rows_mut" | "outer_iter" | "outer_iter_mut", [])
            | ("axis_iter" | "axis_iter_mut", [_])
            | ("columns" | "columns_mut", []) => self.rows(&name, call),
            ("enumerate", []) => {
                let inner = self.positions(&call.receiver, &call.method)?;
                let first = Items::Integers(number(0, Span::of(&call.method)));
                Ok(inner.with(|items| Items::Zip(Box::new(first), Box::new(items))))
            }
            ("zip", [other]) => {
                let first = self.positions(&call.receiver, &call.method)?;
                let second = self.positions(other, &call.method)?;
                let lengths = first.lengths.iter().chain(&second.lengths).cloned();
                Ok(Sequence {
                    items: Items::Zip(Box::new(first.items), Box::new(second.items)),
                    lengths: lengths.collect(),
                    range: None,
                    adaptors: Vec::new(),
                    span: first.span,
                })
            }
            ("rev", []) => {
                let mut inner = self.sequence(&call.receiver)?;
                if inner.lengths.is_empty() {
                    return Err(Fault::on(call, "what has no end is reversed", CHAINS));
                }
                inner.adaptors.push(Adaptor::Reverse);
                Ok(inner)
            }
            ("copied" | "cloned", []) => {
                let inner = self.sequence(&call.receiver)?;
                Ok(inner.with(|items| Items::Values(Box::new(items))))
            }
            ("map", [closure]) => {
                let inner = self.sequence(&call.receiver)?;
                let closure = self.closure(closure)?;
                Ok(inner.with(|items| Items::Mapped(Box::new(items), closure)))
            }
            ("filter", [closure]) => {
                let inner = self.sequence(&call.receiver)?;
                let closure = self.closure(closure)?;
                Ok(inner.with(|items| Items::Filtered(Box::new(items), closure)))
            }
            ("skip" | "take" | "step_by", [count]) => self.cut(&name, call, count),
            _ => {
                let message = format!("`{name}` takes other arguments");
                Err(Fault::beyond(&call.method, message, CHAINS))
            }
        }
    }

    /// `.skip(n)`, `.take(n)`, `.step_by(n)`.
    fn cut(
        &mut self,
        name: &str,
        call: &syn::ExprMethodCall,
        count: &syn::Expr,
    ) -> Parsed<Sequence> {
        let mut inner = self.sequence(&call.receiver)?;
        inner.is_whole(&call.method)?;
        let value = self.integer(count, Some(&USIZE))?.dereferenced();
        self.is(count, &USIZE);
        let value = match self.length(count) {
            Ok(value_known) => number(value_known as i128, value.span),
            Err(_) => self.stable(value, "count"),
        };
        if name == "step_by" {
            if let Some(step) = known(&value)
                && let Some(step) = usize::try_from(step).ok().filter(|step| *step > 0)
            {
                inner.adaptors.push(Adaptor::StepBy(step));
                return Ok(inner);
            }
            self.positive(&value, count)?;
        }
        let inner = inner.by_position();
        if name == "take" {
            let mut inner = inner;
            inner.lengths.push(value);
            return Ok(inner);
        }
        let length = |length: &Expression| match name {
            "skip" => method(IntegerMethod::SaturatingSub, length.clone(), value.clone()),
            _ => rounded_up(length.clone(), value.clone()),
        };
        let lengths = inner.lengths.iter().map(length).collect();
        Ok(Sequence {
            lengths,
            ..inner.with(|items| match name {
                "skip" => Items::From(Box::new(items), value),
                _ => Items::Every(Box::new(items), value),
            })
        })
    }

    /// A size that Rust panics at if it is zero.
    fn positive(&mut self, size: &Expression, tokens: &syn::Expr) -> Parsed<()> {
        match known(size) {
            Some(n) if n > 0 => Ok(()),
            Some(_) => Err(Fault::on(
                tokens,
                "this is zero, at which Rust panics",
                "write a positive number",
            )),
            None => {
                let zero = number(0, size.span);
                let check = method(IntegerMethod::Within, zero, size.clone());
                self.before.push(Statement::Let(Pattern::Wildcard, check));
                Ok(())
            }
        }
    }

    /// `x.windows(n)`, `x.chunks_exact(n)` and its like.
    fn slices(
        &mut self,
        name: &str,
        call: &syn::ExprMethodCall,
        tokens: &syn::Expr,
    ) -> Parsed<Sequence> {
        let array = self.expression(&call.receiver, None)?;
        let is_array = matches!(behind(&array.ty), Type::Array(..) | Type::Slice(_));
        let constant = matches!(behind(&array.ty), Type::Open(_, Length::Constant(_)));
        if !is_array && !constant {
            return Err(Fault::beyond(
                &call.receiver,
                format!("`{}` has no method `{name}` in a kernel", show(&array.ty)),
                "take parts of slices and arrays; of views, subscript",
            ));
        }
        let array = self.stable_place(array);
        let length = self.length_of(&array);
        let size = match self.length(tokens) {
            Ok(size) => number(size as i128, Span::of(tokens)),
            Err(_) => {
                let size = self.integer(tokens, Some(&USIZE))?.dereferenced();
                self.is(tokens, &USIZE);
                self.stable(size, "size")
            }
        };
        self.positive(&size, tokens)?;
        let one = || number(1, size.span);
        let (step, count, each) = match name {
            "windows" => {
                let less = computed(BinaryOperator::Subtract, size.clone(), one());
                let count = method(IntegerMethod::SaturatingSub, length, less);
                (one(), count, Size::Each(size.clone()))
            }
            "chunks" | "chunks_mut" => (
                size.clone(),
                rounded_up(length.clone(), size.clone()),
                Size::UpTo(size.clone(), length),
            ),
            _ => (
                size.clone(),
                computed(BinaryOperator::Divide, length, size.clone()),
                Size::Each(size.clone()),
            ),
        };
        let mutable = name.ends_with("_mut");
        let slices = Slices {
            array,
            step,
            size: each,
            mutable,
        };
        Ok(simple(Items::Slices(Box::new(slices)), count))
    }

    /// The rows or the columns of a view.
    fn rows(&mut self, name: &str, call: &syn::ExprMethodCall) -> Parsed<Sequence> {
        let view = self.expression(&call.receiver, None)?;
        let of = rank(behind(&view.ty));
        let axis = match (name, call.args.first()) {
            ("columns" | "columns_mut", _) => 1,
            (_, Some(axis)) => self.axis_number(axis)?,
            _ => 0,
        };
        let whole = !matches!(name, "rows" | "rows_mut") || of == 2;
        if of < 2 || !whole || axis >= of || (axis > 0 && of != 2) {
            return Err(Fault::beyond(
                &call.method,
                format!("`{name}` of `{}` in a kernel", show(&view.ty)),
                "loop over the rows or columns of a view of two dimensions, or over the outermost axis",
            ));
        }
        let view = self.stable_place(view);
        let mutable = name.ends_with("_mut");
        let access = match mutable {
            true => Access::Mutable,
            false => Access::Shared,
        };
        if axis == 0 {
            let length = self.length_of(&view);
            return Ok(simple(Items::Elements(view, access), length));
        }
        let place = crate::syntax::parts::place(view.clone());
        let span = place.span;
        let kind = ExpressionKind::Length(Box::new(place.clone()), 1);
        let length = crate::syntax::expressions::typed(kind, USIZE, span);
        Ok(simple(Items::Columns(place, mutable), length))
    }
}

/// `n / size`, rounded up.
pub(super) fn rounded_up(length: Expression, size: Expression) -> Expression {
    let less = computed(BinaryOperator::Subtract, size.clone(), number(1, size.span));
    let more = computed(BinaryOperator::Add, length, less);
    computed(BinaryOperator::Divide, more, size)
}

/// Items whose number is known.
fn simple(items: Items, length: Expression) -> Sequence {
    let span = length.span;
    Sequence {
        items,
        lengths: vec![length],
        range: None,
        adaptors: Vec::new(),
        span,
    }
}

impl Sequence {
    /// The number of items, if there is an end.
    pub(super) fn length(&self) -> Option<Expression> {
        let mut lengths: Vec<Expression> = Vec::new();
        for length in &self.lengths {
            if !lengths
                .iter()
                .any(|other| crate::syntax::parts::same(other, length))
            {
                lengths.push(length.clone());
            }
        }
        let less = |l: Expression, r: Expression| method(IntegerMethod::Min, l, r);
        lengths.into_iter().reduce(less)
    }

    fn with(self, items: impl FnOnce(Items) -> Items) -> Sequence {
        Sequence {
            items: items(self.items),
            ..self
        }
    }

    /// The same items at positions from zero on, one after the other.
    pub(super) fn by_position(mut self) -> Sequence {
        self.range = None;
        for adaptor in std::mem::take(&mut self.adaptors) {
            let Some(length) = self.length() else {
                continue;
            };
            match adaptor {
                Adaptor::Reverse => {
                    self = self.with(|items| Items::Backwards(Box::new(items), length));
                }
                Adaptor::StepBy(step) => {
                    let step = number(step as i128, length.span);
                    self.lengths = vec![rounded_up(length, step.clone())];
                    self = self.with(|items| Items::Every(Box::new(items), step));
                }
            }
        }
        self
    }
}
