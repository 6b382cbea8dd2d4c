//! Printing conversions between number types.

use super::address::{Address, Motion, Order};
use super::integers::Integers;
use super::parts::Part;
use super::printer::{Printer, Scope, Value};
use super::variant::integer_name;
use crate::ir::{Access, Affine, Element, Expr, ExprId, Role};
use crate::schedule::tree::Offsets;
use crate::schedule::views::Views;
use crate::syntax::ast::{CompareOperator, IntegerType};

impl Printer<'_> {
    /// A value in another element type.
    pub fn converted(
        &mut self,
        scope: &mut Scope,
        to: Element,
        operand: ExprId,
        offsets: &Offsets,
    ) -> Value {
        let from = self.program.pool.element(operand);
        if let (true, Some((access, steps))) = (from.is_integer(), self.integer_of(operand)) {
            return self.integer(scope, (to, &steps), &access, offsets);
        }
        let value = self.value(scope, operand, offsets);
        if let Element::Word(from) | Element::Integer(from) = from {
            return self.of_word(value, from, to);
        }
        let text = match value.vector {
            true if to.as_word().is_some() => return self.rounded(value, (from, to)),
            true => {
                let (unit, of) = (self.unit_of(to), self.unit_of(from));
                unit.converted(of, &value.text)
            }
            false => self.number(&value.text, to),
        };
        self.bind("converted", &text, value.vector, to)
    }

    /// Numbers cut off to integers of 32 bits: what is no number is 0, and what is too large the largest one. What is too
    /// small, the instruction makes the smallest one.
    fn rounded(&mut self, value: Value, (from, to): (Element, Element)) -> Value {
        let number = self.name("number", &value.text);
        let of = self.unit_of(from);
        let is_one = of.compare(true, CompareOperator::Equal, &number, &number);
        let text = of.select(&is_one, &number, &of.zero(true));
        let defined = self.name("defined", &text);
        let (of, unit) = (self.unit_of(from), self.unit_of(to));
        let text = match of.bits() {
            64 => {
                let largest = of.splat(&of.constant(f64::from(i32::MAX)));
                let below = format!("{}({defined}, {largest})", of.name("min"));
                unit.of_whole_register(&of.cut_off(&below))
            }
            _ => {
                let beyond = of.splat(&of.constant(-f64::from(i32::MIN)));
                let beyond = of.compare(true, CompareOperator::GreaterEqual, &defined, &beyond);
                let cut = unit.of_whole_register(&of.cut_off(&defined));
                let largest = unit.splat(&unit.whole(i32::MAX.into()));
                unit.select(&beyond, &largest, &cut)
            }
        };
        self.bind("rounded", &text, true, to)
    }

    /// An integer that was computed with, in another element type.
    fn of_word(&mut self, value: Value, from: IntegerType, to: Element) -> Value {
        if !value.vector {
            let text = self.number(&self.primitive(&value), to);
            return self.bind("converted", &text, false, to);
        }
        let register = self.unit_of(value.element).whole_register(&value.text);
        let registers = vec![self.name("integers", &register)];
        let integers = Integers {
            ty: from,
            registers,
        };
        let text = self.integers_to(integers, to);
        self.bind("converted", &text, true, to)
    }

    /// The element that an integer is, and the types that it is converted to one after the other.
    fn integer_of(&self, expr: ExprId) -> Option<(Access, Vec<IntegerType>)> {
        match self.program.pool.get(expr) {
            Expr::Access(access) => {
                let integers = self.program.array(access.array).element.is_integer();
                integers.then(|| (access.clone(), Vec::new()))
            }
            Expr::Cast(Element::Integer(to), operand) => {
                let (access, mut steps) = self.integer_of(*operand)?;
                steps.push(*to);
                Some((access, steps))
            }
            _ => None,
        }
    }

    /// A number of the primitive types as one of an element type.
    fn number(&self, text: &str, to: Element) -> String {
        let unit = self.unit_of(to);
        match to {
            Element::Word(ty) => return self.wrapped(text, ty),
            Element::Integer(ty) => return format!("(({text}) as {})", integer_name(ty)),
            _ => {}
        }
        match (unit.generic, unit.bits(), to) {
            (true, ..) => format!(
                "<{} as {}::Scalar>::from_f64(({text}) as f64)",
                unit.scalar, unit.krate
            ),
            // What `from_f64` gives.
            (false, 32, Element::Generic) => format!("({text}) as f64 as f32"),
            _ => format!("({text}) as {}", unit.scalar),
        }
    }

    /// An integer as a number: an element of an array, a parameter, or a function of loops.
    fn integer(
        &mut self,
        scope: &mut Scope,
        (to, steps): (Element, &[IntegerType]),
        access: &Access,
        offsets: &Offsets,
    ) -> Value {
        let array = self.program.array(access.array);
        if let (Role::Counting, Some(function)) = (&array.role, access.subscripts.first()) {
            return self.counted(scope, to, function, offsets);
        }
        if matches!(array.role, Role::Parameter(_)) && array.shape.is_empty() {
            let text = self.number(&converted(self.scalar(access.array), steps), to);
            return self.bind("converted", &text, false, to);
        }
        let address = self.address(access);
        let still = self.motion(&address) == Motion::Still;
        let integer = match steps.last() {
            Some(last) => Element::Integer(*last),
            None => array.element,
        };
        if let (Some(order), true) = (self.order(&address, to), self.once(integer, to))
            && let Element::Integer(ty) = array.element
            && self.covers(access)
        {
            let part = self.part(offsets);
            let of = (access.array, &address);
            let from = self.neighbours(scope, of, offsets, (part, order));
            let loaded = self.load_integers(ty, &from);
            let casts = steps.iter();
            let integers = casts.fold(loaded, |integers, to| self.cast_integers(integers, *to));
            let numbers = self.integers_to(integers, to);
            let text = match order {
                Order::Forwards => numbers,
                Order::Backwards => self.unit_of(to).reversed(&numbers).unwrap_or(numbers),
            };
            return self.bind("converted", &text, true, to);
        }
        if let Element::Integer(ty) = array.element
            && self.once(integer, to)
            && self.covers(access)
            && let Some(component) = self.apart(scope, access, &address, offsets)
        {
            let register = self.unit_of(array.element).whole_register(&component.text);
            let loaded = Integers {
                ty,
                registers: vec![self.name("integers", &register)],
            };
            return self.of_integers(loaded, steps, to);
        }
        if let Element::Integer(ty) = array.element
            && self.motion(&address) == Motion::Stride(i64::from(32 / ty.bits()))
            && self.unit.width >= 4
            && ty.bits() < 32
            && self.part(offsets) == Part::Whole
        {
            let pointer = self.pointer(access.array);
            let first = self.at(scope, &pointer, &address, offsets, Some(0));
            let own = self.place_in_word(access, 32 / ty.bits() as usize);
            let loaded = match own {
                Some(at) => self.load_field(ty, &first, at),
                None => self.load_fields(ty, &first),
            };
            return self.of_integers(loaded, steps, to);
        }
        let lanes = if still { 1 } else { self.unit.width };
        let mut numbers = Vec::new();
        for lane in 0..lanes {
            let lane = Some(lane).filter(|_| !still);
            let element = self.element(scope, access, offsets, lane);
            let element = self.name(&array.name, &element);
            numbers.push(self.number(&converted(element, steps), to));
        }
        self.gathered(&numbers, still, to)
    }

    /// Integers, converted to one type of integers after the other, as numbers.
    fn of_integers(&mut self, loaded: Integers, steps: &[IntegerType], to: Element) -> Value {
        let casts = steps.iter();
        let integers = casts.fold(loaded, |integers, to| self.cast_integers(integers, *to));
        let text = self.integers_to(integers, to);
        self.bind("converted", &text, true, to)
    }

    /// The place of an element among so many neighbours that are all there: in an array of them, or since the first and the last
    /// one are read too.
    fn place_in_word(&self, access: &Access, count: usize) -> Option<usize> {
        let array = self.program.array(self.program.viewed(access.array));
        if array.strided && self.views.0 != Views::Rows {
            return None;
        }
        let (last, extent) = (access.subscripts.last()?, array.shape.last()?);
        if let (Some(at), true) = (last.as_constant(), extent.as_constant() == Some(count)) {
            return usize::try_from(at).ok();
        }
        let exprs = self.program.equations.iter().map(|equation| equation.expr);
        let others = self.program.pool.accesses(exprs).into_iter();
        let others = others.filter(|(_, other)| other.array == access.array);
        let apart: Vec<i64> = others
            .filter_map(|(_, other)| {
                let (end, before) = other.subscripts.split_last()?;
                let alike = access.subscripts[..access.subscripts.len() - 1] == *before;
                end.sub(last).as_constant().filter(|_| alike)
            })
            .collect();
        let is_read = |at: i64| apart.contains(&at);
        (0..count).find(|place| is_read(-(*place as i64)) && is_read((count - 1 - place) as i64))
    }

    /// Whether integers are rounded once where they become numbers: `from_f64` makes others of them.
    fn once(&self, from: Element, to: Element) -> bool {
        let wide = matches!(from, Element::Integer(ty) if ty.bits() == 64);
        to != Element::Generic || self.unit_of(to).bits() == 64 || !wide
    }

    /// A function of loops as a number.
    fn counted(
        &mut self,
        scope: &mut Scope,
        to: Element,
        function: &Affine,
        offsets: &Offsets,
    ) -> Value {
        let address = Address {
            affine: function.clone(),
            ..Address::default()
        };
        let motion = self.motion(&address);
        let exact = self.unit_of(to).bits() == 64 || to.as_word().is_some();
        if let (Motion::Stride(by), true) = (motion, exact) {
            // Exact: no loop counts as far as integers go that `f64` does not hold.
            let first = self.signed(scope, function, offsets, None);
            let first = self.number(&first, to);
            let text = self.unit_of(to).growing(&first, by);
            return self.bind("converted", &text, true, to);
        }
        let still = motion == Motion::Still;
        let lanes = if still { 1 } else { self.unit.width };
        let numbers: Vec<String> = (0..lanes)
            .map(|lane| {
                let lane = Some(lane).filter(|_| !still);
                let value = self.signed(scope, function, offsets, lane);
                self.number(&value, to)
            })
            .collect();
        self.gathered(&numbers, still, to)
    }

    /// One number, or one a lane.
    fn gathered(&mut self, numbers: &[String], still: bool, to: Element) -> Value {
        let text = match (still, numbers) {
            (true, [only]) => only.clone(),
            _ => self.unit_of(to).gather(numbers),
        };
        self.bind("converted", &text, !still, to)
    }
}

/// An integer, converted to one type of integers after the other.
fn converted(integer: String, steps: &[IntegerType]) -> String {
    steps.iter().fold(integer, |integer, to| {
        format!("(({integer}) as {})", integer_name(*to))
    })
}
