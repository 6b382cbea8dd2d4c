//! What a survey knows of integers and of arrays, and what they owe.

use super::forms::Form;
use super::survey::{Operation, Rows};
use super::values::{Entries, Integer, Place, Source, Value};
use super::{Inspector, places::place_text};
use crate::syntax::ast::{BinaryOperator, IntegerMethod, IntegerType, Length, ScalarType, Type};

impl Inspector<'_> {
    /// An integer is computed here: what it is made of must not overflow.
    pub(super) fn demand(&mut self, integer: &Integer) {
        if integer.form.is_none() {
            self.survey.give_up();
        }
        for owed in &integer.owed {
            self.survey.require_anyway(Some(owed));
        }
    }

    /// A natural number that changes is at most all that it is assigned, in all iterations of the loops inside of its
    /// declaration, together: that must fit, where these run. Of others it is not known what they are later.
    pub(super) fn surveyed_assignment(
        &mut self,
        (name, depth): (&str, usize),
        operator: Option<BinaryOperator>,
        value: &Integer,
    ) {
        self.demand(value);
        let adds = matches!(operator, None | Some(BinaryOperator::Add));
        let most = self
            .most
            .get(name)
            .filter(|(ty, _)| adds && !ty.is_signed());
        let most = most.cloned();
        let inner = self.loops.iter().skip(depth);
        let inner: Option<Vec<Form>> = inner.map(|around| around.iterations.clone()).collect();
        let (Some((ty, most)), Some(inner), Some(form)) = (most, inner, value.form.clone()) else {
            return self.survey.give_up();
        };
        let all = inner
            .into_iter()
            .fold(form, |all, times| self.product(times, all));
        let Some(sum) = most.plus(1, &all) else {
            return self.survey.give_up();
        };
        let margins = self.survey.margins(&sum, ty);
        self.survey
            .require(margins.as_ref().map(|[_, below]| below));
        self.most.insert(name.to_owned(), (ty, sum));
    }

    /// An integer of a type, which is computed: it must fit. That is asked for where it is needed,
    /// if it is made of entries of arrays.
    pub(super) fn surveyed(
        &mut self,
        mut integer: Integer,
        form: Option<Form>,
        ty: IntegerType,
    ) -> Integer {
        let margins = form.as_ref().and_then(|form| self.survey.margins(form, ty));
        let Some(margins) = margins else {
            return integer;
        };
        match integer.data {
            true => integer.owed.extend(margins),
            false => margins.iter().for_each(|m| self.survey.require(Some(m))),
        }
        Integer { form, ..integer }
    }

    /// An operator on integers; nothing where nothing is known.
    pub(super) fn arithmetic(
        &mut self,
        operator: BinaryOperator,
        l: &Integer,
        r: &Integer,
    ) -> Option<Form> {
        let (a, b) = (l.form.clone()?, r.form.clone()?);
        match operator {
            BinaryOperator::Add => a.plus(1, &b),
            BinaryOperator::Subtract => a.plus(-1, &b),
            BinaryOperator::Multiply => Some(self.product(a, b)),
            BinaryOperator::Divide => Some(self.survey.operation(Operation::Quotient, vec![a, b])),
            BinaryOperator::Remainder => {
                Some(self.survey.operation(Operation::Remainder, vec![a, b]))
            }
        }
    }

    fn product(&mut self, a: Form, b: Form) -> Form {
        let product = a.product(&b).or_else(|| self.distributed(&a, &b));
        product.unwrap_or_else(|| self.survey.operation(Operation::Product, vec![a, b]))
    }

    /// `(i + 1) * n` as `i * n + n`, so that what rows have in common cancels in the differences of their ends.
    fn distributed(&mut self, a: &Form, b: &Form) -> Option<Form> {
        let ((x, f), (y, g)) = (a.only_term()?, b.only_term()?);
        let atoms = [x.min(y), x.max(y)].map(Form::atom);
        let product = self.survey.operation(Operation::Product, atoms.to_vec());
        let both = product.times(f.checked_mul(g)?)?;
        let sum = both.plus(f.checked_mul(b.constant)?, &Form::atom(x))?;
        let sum = sum.plus(g.checked_mul(a.constant)?, &Form::atom(y))?;
        sum.plus_constant(a.constant.checked_mul(b.constant)?)
    }

    /// A method of integers.
    pub(super) fn method(
        &mut self,
        method: IntegerMethod,
        l: &Integer,
        r: &Integer,
        ty: IntegerType,
    ) -> Option<Form> {
        use IntegerMethod as Method;
        let (a, b) = (l.form.clone()?, r.form.clone()?);
        let zero = Form::default;
        let shift = |b: &Form| {
            let by = b.as_constant().and_then(|by| u32::try_from(by).ok());
            by.filter(|by| *by < ty.bits()).map(|by| 1_i128 << by)
        };
        let operation = match method {
            Method::Min | Method::Max if a == b => return Some(a),
            Method::Min => Operation::Least,
            Method::Max => Operation::Most,
            // Of natural numbers a difference that stops at zero.
            Method::SaturatingSub if !ty.is_signed() => {
                let difference = a.plus(-1, &b)?;
                let operands = vec![difference, zero()];
                return Some(self.survey.operation(Operation::Most, operands));
            }
            Method::ShiftRight if !ty.is_signed() => {
                let operands = vec![a, Form::constant(shift(&b)?)];
                return Some(self.survey.operation(Operation::Quotient, operands));
            }
            // A shift by as many bits as there are is an overflow, whatever comes of it.
            Method::ShiftLeft => match shift(&b) {
                Some(by) => return a.times(by),
                None if l.data || r.data => return None,
                None => {
                    let below = Form::constant(i128::from(ty.bits()) - 1).plus(-1, &b);
                    self.survey.require(below.as_ref());
                    self.survey.require(Some(&b));
                    Operation::Shifted
                }
            },
            Method::Power if l.natural => Operation::Power,
            // The bits of a number that are those of another are a number up to it.
            Method::And if !ty.is_signed() => {
                let least = self.survey.operation(Operation::Least, vec![a, b]);
                return Some(
                    self.survey
                        .operation(Operation::Either, vec![zero(), least]),
                );
            }
            _ => return None,
        };
        Some(self.survey.operation(operation, vec![a, b]))
    }

    /// One of two.
    pub(super) fn either(&mut self, a: &Integer, b: &Integer) -> Option<Form> {
        self.any(&[a.form.clone()?, b.form.clone()?])
    }

    /// One of several; which one, is another matter each time.
    fn any(&mut self, values: &[Form]) -> Option<Form> {
        let values = values.iter().cloned();
        values.reduce(|a, b| self.survey.another(Operation::Either, vec![a, b]))
    }

    /// The variable of a loop, and the number of its last iteration.
    pub(super) fn variable(
        &mut self,
        start: &Integer,
        end: &Integer,
        inclusive: bool,
    ) -> (Option<Form>, Option<Form>) {
        let Some((low, end)) = start.form.clone().zip(end.form.clone()) else {
            return (None, None);
        };
        let high = end.plus_constant(if inclusive { 0 } else { -1 });
        let iterations = high.as_ref().and_then(|high| high.plus(-1, &low));
        let form = high.map(|high| self.survey.between(low, high));
        (form, iterations)
    }

    /// `place[at]` is looked at: it is inside of the array.
    pub(super) fn subscripted(&mut self, place: &mut Place, at: &Integer, known: bool) {
        let extent = self.extent(place, 0);
        let (extent, at) = (extent, at.form.clone());
        let inside = extent.zip(at.as_ref());
        let inside = inside.and_then(|(extent, at)| extent.plus_constant(-1)?.plus(-1, at));
        if !known {
            self.survey.require(inside.as_ref());
        }
        place.survey.subscripts.extend(at);
    }

    /// The extent of an array along an axis.
    pub(super) fn extent(&mut self, place: &Place, axis: usize) -> Option<Form> {
        let mut ty = &place.ty;
        for _ in 0..axis {
            ty = ty.element()?;
        }
        match ty {
            Type::Array(_, n) => Some(Form::constant(*n as i128)),
            Type::Open(_, Length::Constant(at)) => {
                let constant = self.constant(*at)?;
                Some(self.survey.known(&constant))
            }
            Type::Slice(_) | Type::Open(_, Length::Axis) => {
                let at = place.survey.subscripts.len() + axis;
                place.survey.extents.get(at).cloned()
            }
            _ => None,
        }
    }

    /// An entry of an array of integers.
    pub(super) fn entry(&mut self, place: &Place) -> Option<Form> {
        let survey = &place.survey;
        match &survey.entries {
            Source::Rows(rows) if !survey.subscripts.is_empty() => {
                let operation = Operation::Entry(rows.clone());
                Some(self.survey.operation(operation, survey.subscripts.clone()))
            }
            Source::Among(values) => self.any(values),
            Source::Between(low, high) => {
                let (low, high) = (Form::constant(*low), Form::constant(*high));
                Some(self.survey.between(low, high))
            }
            _ => None,
        }
    }

    /// A parameter as it comes in.
    pub(super) fn surveyed_parameter(&mut self, value: &mut Value) {
        match value {
            Value::Integer(integer) => integer.form = Some(self.survey.known(&integer.text)),
            Value::Place(place) => {
                let (text, view) = match &place.base {
                    super::Base::Path(path) => (path.clone(), false),
                    super::Base::View { view, .. } => (view.clone().unwrap_or_default(), true),
                };
                let extents: Vec<String> = match (view, &place.ty) {
                    (true, ty) => (0..super::values::rank(ty))
                        .map(|axis| format!("{text}.shape()[{axis}]"))
                        .collect(),
                    (false, Type::Slice(_)) => vec![format!("<[_]>::len(&{text})")],
                    (false, _) => Vec::new(),
                };
                if let (false, Type::Slice(_)) = (view, &place.ty) {
                    self.lengths.extend(extents.iter().cloned());
                }
                let extents = extents.iter().map(|extent| self.survey.known(extent));
                place.survey.extents = extents.collect();
                if matches!(place.entries, Entries::Known) && !view {
                    place.survey.entries = rows(place).map_or(Source::Unknown, Source::Rows);
                }
            }
            _ => {}
        }
    }
}

/// The rows of a parameter.
fn rows(place: &Place) -> Option<Rows> {
    let (Type::Array(inner, _) | Type::Slice(inner)) = &place.ty else {
        return None;
    };
    let (mut ty, mut row, mut sizes) = (inner.as_ref(), 1_i128, Vec::new());
    while let Type::Array(inner, n) = ty {
        let n = i128::try_from(*n).ok()?;
        row = row.checked_mul(n)?;
        sizes.push(n);
        ty = inner;
    }
    if !matches!(ty, Type::Scalar(ScalarType::Integer(_))) || row > 1 << 40 {
        return None;
    }
    Some(Rows {
        rows: format!("&{}[..]", place_text(place)),
        sizes,
        row,
    })
}
