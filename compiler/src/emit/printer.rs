//! The state of printing one variant, and straight-line code: equal values are computed once.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::address::{self, Motion};
use super::vector::Unit;
use crate::ir::{
    Access, Affine, ArrayId, Atom, Element, Expr, ExprId, Extent, Factor, IndexId, Program, Role,
    Term,
};
use crate::schedule::tree::{Schedule, Storage};
use crate::syntax::ast::Elementary;

/// Offsets of an instance, by index.
pub type Offsets = Vec<(IndexId, usize)>;

/// A printed value: a name or a literal.
#[derive(Clone, Debug)]
pub struct Value {
    /// Its text.
    pub text: String,
    /// It holds a vector (or a vector mask).
    pub vector: bool,
}

/// Prints one variant.
pub struct Printer<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its loop tree.
    pub schedule: &'a Schedule,
    /// The instructions.
    pub unit: Unit,
    /// What has been printed.
    pub out: String,
    /// Names of loop variables.
    pub names: HashMap<IndexId, String>,
    /// Padded row lengths of tables.
    pub padded: &'a HashMap<ArrayId, usize>,
    /// Loops around the current position.
    pub open: Vec<IndexId>,
    /// Lanes that are active, if the lane loop has a run-time end: the name of their number.
    pub active: Option<String>,
    registers: HashMap<(ArrayId, Offsets), Value>,
    indices: HashMap<ExprId, Vec<IndexId>>,
    uses: HashMap<ExprId, usize>,
    next: usize,
}

/// Values of one straight-line block.
#[derive(Default)]
pub struct Scope {
    values: HashMap<(ExprId, Offsets), Value>,
    splats: HashMap<String, String>,
    maps: HashMap<String, String>,
}

impl<'a> Printer<'a> {
    /// A printer at the top of a variant.
    pub fn new(
        program: &'a Program,
        schedule: &'a Schedule,
        unit: Unit,
        padded: &'a HashMap<ArrayId, usize>,
        reserved: &[String],
    ) -> Self {
        Printer {
            program,
            schedule,
            unit,
            out: String::new(),
            names: address::index_names(program, reserved),
            padded,
            open: Vec::new(),
            active: None,
            registers: HashMap::new(),
            indices: HashMap::new(),
            uses: crate::analysis::uses::uses(program),
            next: 0,
        }
    }

    /// Prints a line.
    pub fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A fresh local name.
    pub fn fresh(&mut self, base: &str) -> String {
        self.next += 1;
        format!("{base}_{}", self.next)
    }

    fn bind(&mut self, base: &str, text: &str, vector: bool) -> Value {
        let name = self.fresh(base);
        let _ = writeln!(self.out, "let {name} = {text};");
        Value { text: name, vector }
    }

    /// Storage of a temporary.
    pub fn storage(&self, array: ArrayId) -> Option<&'a Storage> {
        self.schedule
            .storage
            .iter()
            .find(|(a, _)| *a == array)
            .map(|(_, storage)| storage)
    }

    /// The pointer to an array's first element.
    pub fn pointer(&self, array: ArrayId) -> String {
        format!(
            "{}_p",
            self.program.array(array).name.trim_start_matches("r#")
        )
    }

    /// The flat address of an access.
    pub fn address(&self, access: &Access) -> Affine {
        let layout = address::layout(
            self.program,
            access.array,
            self.storage(access.array),
            self.padded.get(&access.array).copied(),
        );
        address::flat(access, &layout)
    }

    /// How an address moves with the lanes.
    pub fn motion(&self, address: &Affine) -> Motion {
        self.schedule.lanes.map_or(Motion::Still, |lane| {
            if self.unit.width == 1 {
                Motion::Still
            } else {
                address::motion(address, lane)
            }
        })
    }

    /// An address as text; with `lane`, that of one lane.
    pub fn text(
        &mut self,
        scope: &mut Scope,
        affine: &Affine,
        offsets: &Offsets,
        lane: Option<usize>,
    ) -> String {
        let mut parts: Vec<(Atom, String)> = Vec::new();
        for (atom, _) in &affine.terms {
            let text = match atom {
                Atom::Index(index) => self.index(*index, offsets, lane),
                Atom::Scalar(array) => {
                    format!("({}_value as usize)", self.program.array(*array).name)
                }
                Atom::Length(array) => format!("{}_len", self.program.array(*array).name),
                Atom::Map(array, subscripts) => self.map(scope, *array, subscripts, offsets, lane),
            };
            parts.push((atom.clone(), text));
        }
        address::print(affine, &mut |atom| {
            parts
                .iter()
                .find(|(a, _)| a == atom)
                .map(|(_, text)| text.clone())
                .unwrap_or_default()
        })
    }

    fn index(&self, index: IndexId, offsets: &Offsets, lane: Option<usize>) -> String {
        let offset = offsets
            .iter()
            .find(|(i, _)| *i == index)
            .map_or(0, |(_, o)| *o);
        let open = self.open.contains(&index);
        let name = &self.names[&index];
        if let (true, Some(lane)) = (
            self.schedule.lanes == Some(index) && self.unit.width > 1,
            lane,
        ) {
            return match self.program.loop_index(index).extent {
                // Lanes beyond the end read what the last one reads.
                Extent::RunTime(_) => format!("{name}l{lane}"),
                Extent::Constant(n) if open => format!(
                    "::core::cmp::Ord::min({name} + {}, {})",
                    offset + lane,
                    n - 1
                ),
                Extent::Constant(n) => (offset + lane).min(n - 1).to_string(),
            };
        }
        match (open, offset) {
            (true, 0) => name.clone(),
            (true, offset) => format!("({name} + {offset})"),
            (false, offset) => offset.to_string(),
        }
    }

    /// An entry of an index map, read once.
    fn map(
        &mut self,
        scope: &mut Scope,
        array: ArrayId,
        subscripts: &[Affine],
        offsets: &Offsets,
        lane: Option<usize>,
    ) -> String {
        let access = Access {
            array,
            subscripts: subscripts.to_vec(),
        };
        let address = self.address(&access);
        let at = self.text(scope, &address, offsets, lane);
        let read = format!("*{}.add({at})", self.pointer(array));
        if let Some(known) = scope.maps.get(&read) {
            return known.clone();
        }
        let value = self.bind(
            &self.program.array(array).name.clone(),
            &format!("({read}) as usize"),
            false,
        );
        scope.maps.insert(read, value.text.clone());
        value.text
    }

    /// A scalar in all lanes.
    pub fn splat(&mut self, scope: &mut Scope, value: Value) -> String {
        if value.vector {
            return value.text;
        }
        if let Some(known) = scope.splats.get(&value.text) {
            return known.clone();
        }
        let text = self.unit.splat(&value.text);
        let splat = self.bind("all", &text, true);
        scope.splats.insert(value.text, splat.text.clone());
        splat.text
    }

    /// The value of an expression at an instance.
    pub fn value(&mut self, scope: &mut Scope, expr: ExprId, offsets: &Offsets) -> Value {
        let depends = self.program.pool.indices(expr, &mut self.indices);
        let mine: Offsets = offsets
            .iter()
            .copied()
            .filter(|(index, _)| depends.contains(index))
            .collect();
        if let Some(known) = scope.values.get(&(expr, mine.clone())) {
            return known.clone();
        }
        let value = match self.program.pool.get(expr).clone() {
            Expr::Constant(number) => Value {
                text: self.unit.constant(number.to_f64()),
                vector: false,
            },
            Expr::Access(access) => self.read(scope, &access, offsets),
            Expr::Sum(terms) => self.sum(scope, &terms, offsets),
            Expr::Product(factors) => self.product(scope, &factors, offsets),
            Expr::Call(function, arguments) => self.call(scope, function, &arguments, offsets),
            Expr::Compare(operator, l, r) => {
                let (vector, l, r) = self.pair(scope, l, r, offsets);
                let text = self.unit.compare(vector, operator, &l, &r);
                self.bind("condition", &text, vector)
            }
            Expr::Select(condition, then, otherwise) => {
                let condition = self.value(scope, condition, offsets);
                let (vector, then, otherwise) =
                    self.pair_if(scope, then, otherwise, offsets, condition.vector);
                let text = if condition.vector {
                    self.unit.select(&condition.text, &then, &otherwise)
                } else {
                    format!("if {} {{ {then} }} else {{ {otherwise} }}", condition.text)
                };
                self.bind("choice", &text, vector)
            }
            Expr::Cast(element, operand) => self.cast(scope, element, operand, offsets),
        };
        scope.values.insert((expr, mine), value.clone());
        value
    }

    fn pair(
        &mut self,
        scope: &mut Scope,
        l: ExprId,
        r: ExprId,
        offsets: &Offsets,
    ) -> (bool, String, String) {
        self.pair_if(scope, l, r, offsets, false)
    }

    fn pair_if(
        &mut self,
        scope: &mut Scope,
        l: ExprId,
        r: ExprId,
        offsets: &Offsets,
        force: bool,
    ) -> (bool, String, String) {
        let (l, r) = (self.value(scope, l, offsets), self.value(scope, r, offsets));
        let vector = force || l.vector || r.vector;
        let (l, r) = (self.coerce(scope, l, vector), self.coerce(scope, r, vector));
        (vector, l, r)
    }

    /// The value as a vector if one is needed.
    pub fn coerce(&mut self, scope: &mut Scope, value: Value, vector: bool) -> String {
        if vector {
            self.splat(scope, value)
        } else {
            value.text
        }
    }

    fn read(&mut self, scope: &mut Scope, access: &Access, offsets: &Offsets) -> Value {
        let array = self.program.array(access.array);
        let name = array.name.clone();
        let storage = self.storage(access.array);
        if let Some(Storage::Register { .. }) = storage {
            return self.register(access, offsets);
        }
        if matches!(array.role, Role::Parameter(_)) && array.shape.is_empty() {
            return Value {
                text: format!("{name}_value"),
                vector: false,
            };
        }
        let address = self.address(access);
        let pointer = self.pointer(access.array);
        if let Some(Storage::Memory { lanes: true, .. }) = storage {
            let at = self.text(scope, &address, offsets, Some(0));
            let text = self
                .unit
                .load(&format!("{pointer}.add(({at}) * {})", self.unit.width));
            return self.bind(&name, &text, true);
        }
        let table = matches!(array.role, Role::Table(_));
        let padded = table || storage.is_some();
        match self.motion(&address) {
            Motion::Still => {
                let at = self.text(scope, &address, offsets, None);
                let text = self.element(table, &format!("{pointer}.add({at})"));
                self.bind(&name, &text, false)
            }
            Motion::Stride(1) if self.neighbours(access, padded) => {
                let at = self.text(scope, &address, offsets, None);
                let pointer = format!("{pointer}.add({at})");
                let text = match self.partial(offsets, padded) {
                    None => self.unit.load(&pointer),
                    Some(active) => {
                        let mask = self.unit.mask(&active);
                        self.unit.masked_load(&pointer, &mask)
                    }
                };
                self.bind(&name, &text, true)
            }
            _ => {
                let lanes: Vec<String> = (0..self.unit.width)
                    .map(|lane| {
                        let at = self.text(scope, &address, offsets, Some(lane));
                        self.element(table, &format!("{pointer}.add({at})"))
                    })
                    .collect();
                let text = self.unit.gather(&lanes);
                self.bind(&name, &text, true)
            }
        }
    }

    /// Lanes that read neighbours stay inside one row, or the rows are not padded.
    fn neighbours(&self, access: &Access, padded: bool) -> bool {
        let Some(lane) = self.schedule.lanes else {
            return false;
        };
        let last = access.subscripts.last();
        let plain = last.is_some_and(|s| s.as_index() == Some(lane));
        plain || !padded
    }

    fn element(&self, table: bool, pointer: &str) -> String {
        if table && self.unit.generic {
            format!(
                "<{} as {}::Scalar>::from_f64(*{pointer})",
                self.unit.scalar, self.unit.krate
            )
        } else {
            format!("*{pointer}")
        }
    }

    /// The number of active lanes where a vector at these offsets may be partial.
    pub fn partial(&self, offsets: &Offsets, padded: bool) -> Option<String> {
        let lane = self.schedule.lanes?;
        match self.program.loop_index(lane).extent {
            Extent::RunTime(_) => self.active.clone(),
            Extent::Constant(n) if !padded && n % self.unit.width != 0 => {
                let at = self.index(lane, offsets, None);
                Some(format!(
                    "::core::cmp::Ord::min({n} - {at}, {})",
                    self.unit.width
                ))
            }
            Extent::Constant(_) => None,
        }
    }

    fn register(&self, access: &Access, offsets: &Offsets) -> Value {
        let key = self.register_key(access, offsets);
        self.registers.get(&key).cloned().unwrap_or(Value {
            text: "undefined_register".to_owned(),
            vector: false,
        })
    }

    fn register_key(&self, access: &Access, offsets: &Offsets) -> (ArrayId, Offsets) {
        let mut inside = Vec::new();
        access
            .subscripts
            .iter()
            .for_each(|s| s.collect_indices(&mut inside));
        (
            access.array,
            offsets
                .iter()
                .copied()
                .filter(|(index, _)| inside.contains(index))
                .collect(),
        )
    }

    /// Names a register temporary.
    pub fn define(
        &mut self,
        scope: &mut Scope,
        access: &Access,
        offsets: &Offsets,
        value: Value,
        lanes: bool,
    ) {
        let text = self.coerce(scope, value.clone(), lanes && self.unit.width > 1);
        let name = self.program.array(access.array).name.clone();
        let vector = value.vector || (lanes && self.unit.width > 1);
        let bound = self.bind(&name, &text, vector);
        let key = self.register_key(access, offsets);
        self.registers.insert(key, bound);
    }

    /// Whether an expression has a value a lane.
    pub fn is_vector(&self, expr: ExprId) -> bool {
        let depends = self.program.pool.indices(expr, &mut HashMap::new());
        self.unit.width > 1
            && self
                .schedule
                .lanes
                .is_some_and(|lane| depends.contains(&lane))
    }

    fn shared(&self, expr: ExprId) -> bool {
        self.uses.get(&expr).copied().unwrap_or(0) > 1
    }

    /// A product that may be fused into a sum: all but the last factor, and the last.
    pub fn fusible(
        &mut self,
        scope: &mut Scope,
        expr: ExprId,
        offsets: &Offsets,
    ) -> Option<(Value, Value)> {
        if !self.unit.fused || self.shared(expr) {
            return None;
        }
        let Expr::Product(factors) = self.program.pool.get(expr).clone() else {
            return None;
        };
        let (last, rest) = factors.split_last()?;
        if rest.is_empty() || factors.iter().any(|f| f.power != 1) {
            return None;
        }
        let last = self.value(scope, last.expr, offsets);
        let rest = match rest {
            [only] => self.value(scope, only.expr, offsets),
            _ => self.product(scope, rest, offsets),
        };
        Some((rest, last))
    }

    fn sum(&mut self, scope: &mut Scope, terms: &[Term], offsets: &Offsets) -> Value {
        let mut order: Vec<Term> = terms.to_vec();
        if self.unit.fused {
            // What cannot be fused starts the sum; then what has a value a lane, so that scalar
            // factors of the other products are broadcast from memory.
            order.sort_by_key(|t| {
                let product = matches!(self.program.pool.get(t.expr), Expr::Product(_))
                    && !self.shared(t.expr);
                (
                    t.coefficient.is_minus_one(),
                    product,
                    !self.is_vector(t.expr),
                )
            });
        }
        let mut sum: Option<Value> = None;
        for term in order {
            let negative = term.coefficient.is_minus_one();
            let unit = negative || term.coefficient.is_one();
            let Some(so_far) = sum.take() else {
                let value = self.value(scope, term.expr, offsets);
                sum = Some(if negative {
                    let text = self.unit.neg(value.vector, &value.text);
                    self.bind("negative", &text, value.vector)
                } else {
                    self.scaled(scope, value, &term)
                });
                continue;
            };
            if let (true, Some((a, b))) = (unit, self.fusible(scope, term.expr, offsets)) {
                sum = Some(self.fuse(scope, negative, a, b, so_far));
                continue;
            }
            let mut value = self.value(scope, term.expr, offsets);
            if !unit {
                value = self.scaled(scope, value, &term);
            }
            let vector = so_far.vector || value.vector;
            let (l, r) = (
                self.coerce(scope, so_far, vector),
                self.coerce(scope, value, vector),
            );
            let text = if negative {
                self.unit.sub(vector, &l, &r)
            } else {
                self.unit.add(vector, &l, &r)
            };
            sum = Some(self.bind("sum", &text, vector));
        }
        sum.unwrap_or_else(|| Value {
            text: self.unit.zero(false),
            vector: false,
        })
    }

    fn scaled(&mut self, scope: &mut Scope, value: Value, term: &Term) -> Value {
        if term.coefficient.is_one() {
            return value;
        }
        let factor = Value {
            text: self.unit.constant(term.coefficient.to_f64()),
            vector: false,
        };
        let factor = self.coerce(scope, factor, value.vector);
        let text = self.unit.mul(value.vector, &factor, &value.text);
        self.bind("scaled", &text, value.vector)
    }

    /// `sum + a b` or `sum - a b` in one instruction.
    pub fn fuse(
        &mut self,
        scope: &mut Scope,
        negative: bool,
        a: Value,
        b: Value,
        sum: Value,
    ) -> Value {
        let vector = a.vector || b.vector || sum.vector;
        let [a, b, c] = [a, b, sum].map(|v| self.coerce(scope, v, vector));
        let text = self.unit.fused(vector, negative, &a, &b, &c);
        self.bind("sum", &text, vector)
    }

    fn product(&mut self, scope: &mut Scope, factors: &[Factor], offsets: &Offsets) -> Value {
        let mut product: Option<Value> = None;
        for factor in factors {
            let value = self.value(scope, factor.expr, offsets);
            for _ in 0..factor.power.unsigned_abs() {
                let so_far = match product.take() {
                    None if factor.power > 0 => {
                        product = Some(value.clone());
                        continue;
                    }
                    None => Value {
                        text: self.unit.constant(1.0),
                        vector: false,
                    },
                    Some(so_far) => so_far,
                };
                let vector = so_far.vector || value.vector;
                let (l, r) = (
                    self.coerce(scope, so_far, vector),
                    self.coerce(scope, value.clone(), vector),
                );
                let text = if factor.power > 0 {
                    self.unit.mul(vector, &l, &r)
                } else {
                    self.unit.div(vector, &l, &r)
                };
                product = Some(self.bind("product", &text, vector));
            }
        }
        product.unwrap_or_else(|| Value {
            text: self.unit.constant(1.0),
            vector: false,
        })
    }

    fn call(
        &mut self,
        scope: &mut Scope,
        function: Elementary,
        arguments: &[ExprId],
        offsets: &Offsets,
    ) -> Value {
        let values: Vec<Value> = arguments
            .iter()
            .map(|a| self.value(scope, *a, offsets))
            .collect();
        let vector = values.iter().any(|v| v.vector);
        let texts: Vec<String> = values
            .into_iter()
            .map(|v| self.coerce(scope, v, vector))
            .collect();
        let name = method(function);
        if !vector {
            let text = self.scalar_call(function, name, &texts);
            return self.bind(name, &text, false);
        }
        let text = match function {
            Elementary::Abs => self.unit.abs(&texts[0]),
            Elementary::Sqrt => format!("{}({})", self.unit.name("sqrt"), texts[0]),
            Elementary::Min => self.unit.extremum("min", &texts[0], &texts[1]),
            Elementary::Max => self.unit.extremum("max", &texts[0], &texts[1]),
            Elementary::MulAdd => self
                .unit
                .fused(true, false, &texts[0], &texts[1], &texts[2]),
            _ => self.lane_by_lane(function, name, &texts),
        };
        self.bind(name, &text, true)
    }

    fn scalar_call(&self, function: Elementary, name: &str, arguments: &[String]) -> String {
        let (ty, krate) = (&self.unit.scalar, &self.unit.krate);
        let mut all = arguments.to_vec();
        if let Elementary::Powi(n) = function {
            all.push(format!("{n}i32"));
        }
        let path = if self.unit.generic {
            let real = matches!(
                function,
                Elementary::Abs
                    | Elementary::Min
                    | Elementary::Max
                    | Elementary::Floor
                    | Elementary::Ceil
            );
            format!(
                "<{ty} as {krate}::{}>",
                if real { "Real" } else { "Scalar" }
            )
        } else {
            ty.clone()
        };
        format!("{path}::{name}({})", all.join(", "))
    }

    fn lane_by_lane(&self, function: Elementary, name: &str, arguments: &[String]) -> String {
        let (ty, width) = (&self.unit.scalar, self.unit.width);
        let mut text = "{ ".to_owned();
        for (k, argument) in arguments.iter().enumerate() {
            let store = self
                .unit
                .store(&format!("lanes_{k}.as_mut_ptr()"), argument);
            let _ = write!(text, "let mut lanes_{k} = [0.0{ty}; {width}]; {store} ");
        }
        let operands: Vec<String> = (0..arguments.len())
            .map(|k| format!("lanes_{k}[lane]"))
            .collect();
        let call = self.scalar_call(function, name, &operands);
        let load = self.unit.load("lanes_0.as_ptr()");
        let _ = write!(
            text,
            "let mut lane = 0usize; while lane < {width} {{ lanes_0[lane] = {call}; lane += 1; }} {load} }}"
        );
        text
    }

    fn cast(
        &mut self,
        scope: &mut Scope,
        element: Element,
        operand: ExprId,
        offsets: &Offsets,
    ) -> Value {
        let value = self.value(scope, operand, offsets);
        let text = match element {
            Element::F32 => format!("{} as f32", value.text),
            Element::F64 => format!("{} as f64", value.text),
            Element::Generic if self.unit.generic => {
                format!(
                    "<{} as {}::Scalar>::from_f64({})",
                    self.unit.scalar, self.unit.krate, value.text
                )
            }
            Element::Generic | Element::Integer(_) => return value,
        };
        self.bind("cast", &text, value.vector)
    }
}

/// The method of an elementary function.
fn method(function: Elementary) -> &'static str {
    match function {
        Elementary::Abs => "abs",
        Elementary::Sqrt => "sqrt",
        Elementary::Exp => "exp",
        Elementary::Ln => "ln",
        Elementary::Sin => "sin",
        Elementary::Cos => "cos",
        Elementary::Tan => "tan",
        Elementary::Tanh => "tanh",
        Elementary::Floor => "floor",
        Elementary::Ceil => "ceil",
        Elementary::Min => "min",
        Elementary::Max => "max",
        Elementary::Powf => "powf",
        Elementary::Powi(_) => "powi",
        Elementary::MulAdd => "mul_add",
        Elementary::Recip => "recip",
    }
}
