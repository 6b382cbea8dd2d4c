//! Rust's integers: a table of every operator, method and conversion, for every type of integers and
//! every pair of such, at the ends of their ranges. What this test's own compiler computes is compared
//! with the interpreter of the source and with what kernels are lowered to, in values, subscripts and
//! bounds of loops.

use loopwright_compiler::diagnostics::Diagnostics;
use loopwright_compiler::ir::{Affine, Atom, Extent, Program, Role};
use loopwright_compiler::lower::{self, Lowered};
use loopwright_compiler::number::Field;
use loopwright_compiler::syntax;
use loopwright_compiler::syntax::ast::{FunctionId, Module};
use loopwright_compiler::verify::memory::{Data, Memory, Parameter};

use loopwright_compiler::verify::{samples::Iterations, scheduled, source};

/// What Rust computes: `None` where a debug build panics.
type Operation = fn(i128, i128) -> Option<i128>;

/// A conversion, as Rust does it.
type Conversion = fn(i128) -> i128;

/// A type of integers.
struct Type {
    name: &'static str,
    least: i128,
    most: i128,
    /// Expressions of `a` and `b`, the type of `b`, and what they are.
    operations: Vec<(&'static str, &'static str, Operation)>,
    /// Conversions to other types.
    casts: Vec<(&'static str, Conversion)>,
}

macro_rules! table {
    ($($name:ident $signed:tt),*) => {
        vec![$(Type {
            name: stringify!($name),
            least: $name::MIN as i128,
            most: $name::MAX as i128,
            operations: {
                let mut operations = table!(@both $name);
                operations.extend(table!(@$signed $name));
                operations
            },
            casts: table!(@casts $name u8 u16 u32 u64 usize i8 i16 i32 i64 isize),
        }),*]
    };
    (@casts $from:ident $($to:ident)*) => {
        vec![$((stringify!($to), |a: i128| a as $from as $to as i128)),*]
    };
    (@row $name:ident $text:literal, $type:expr, $a:ident $b:ident, $value:expr) => {{
        let operation: Operation = |left, right| {
            let ($a, $b) = (left as $name, right);
            let value: Option<$name> = $value;
            value.map(|value| value as i128)
        };
        ($text, $type, operation)
    }};
    (@same $name:ident $($text:literal $method:ident),*) => {
        vec![$(table!(@row $name $text, stringify!($name), a b, a.$method(b as $name))),*]
    };
    (@counted $name:ident $($method:ident)*) => {
        vec![$((concat!("a.", stringify!($method), "() as ", stringify!($name)), stringify!($name),
            (|a, _| Some(i128::from((a as $name).$method()))) as Operation)),*]
    };
    (@total $name:ident $($text:literal $method:ident),*) => {
        vec![$(table!(@row $name $text, stringify!($name), a b, Some(a.$method(b as $name)))),*]
    };
    (@both $name:ident) => {{
        use std::ops::{BitAnd, BitOr, BitXor};
        let mut rows = table!(@same $name
            "a + b" checked_add, "a - b" checked_sub, "a * b" checked_mul, "a / b" checked_div,
            "a % b" checked_rem, "a.div_euclid(b)" checked_div_euclid,
            "a.rem_euclid(b)" checked_rem_euclid);
        rows.extend(table!(@total $name
            "a.wrapping_add(b)" wrapping_add, "a.wrapping_sub(b)" wrapping_sub,
            "a.wrapping_mul(b)" wrapping_mul, "a.saturating_add(b)" saturating_add,
            "a.saturating_sub(b)" saturating_sub, "a.saturating_mul(b)" saturating_mul,
            "a.min(b)" min, "a.max(b)" max, "a & b" bitand, "a | b" bitor, "a ^ b" bitxor));
        rows.push(table!(@row $name "!a", stringify!($name), a _b, Some(!a)));
        rows.push(table!(@row $name "a.wrapping_neg()", stringify!($name), a _b, Some(a.wrapping_neg())));
        rows.push(table!(@row $name "a << b", stringify!($name), a b, a.checked_shl(u32::try_from(b).unwrap_or(99))));
        rows.push(table!(@row $name "a >> b", stringify!($name), a b, a.checked_shr(u32::try_from(b).unwrap_or(99))));
        rows.push(table!(@row $name "a.pow(b)", "u32", a b, a.checked_pow(b as u32)));
        rows.push(table!(@row $name "a + b - b", stringify!($name), a b, a.checked_add(b as $name).map(|_| a)));
        rows.push(table!(@row $name "a - b + b", stringify!($name), a b, a.checked_sub(b as $name).map(|_| a)));
        rows.push(table!(@row $name "3 * a - 2 * b", stringify!($name), a b,
            a.checked_mul(3).and_then(|a| (b as $name).checked_mul(2).and_then(|b| a.checked_sub(b)))));
        rows.extend(table!(@counted $name count_ones count_zeros leading_zeros trailing_zeros leading_ones trailing_ones));
        rows
    }};
    (@signed $name:ident) => {
        vec![
            table!(@row $name "-a", stringify!($name), a _b, a.checked_neg()),
            table!(@row $name "a.abs()", stringify!($name), a _b, a.checked_abs()),
            table!(@row $name "b - -a", stringify!($name), a b,
                a.checked_neg().and_then(|a| (b as $name).checked_sub(a))),
        ]
    };
    (@unsigned $name:ident) => {
        Vec::<(&'static str, &'static str, Operation)>::new()
    };
}

fn types() -> Vec<Type> {
    table!(
        u8 unsigned, u16 unsigned, u32 unsigned, u64 unsigned, usize unsigned, i8 signed,
        i16 signed, i32 signed, i64 signed, isize signed
    )
}

/// Values of a type: its ends, and those of the others in it.
fn values(least: i128, most: i128) -> Vec<i128> {
    let mut all = vec![0, 1, 2, 5, 8, 31, 100];
    for bits in [7, 8, 15, 16, 31, 32, 53, 63, 64] {
        let power = 1i128 << bits;
        all.extend([power - 1, power]);
    }
    let negative: Vec<i128> = all.iter().map(|value| -value).collect();
    all.extend(negative);
    all.extend([least, least + 1, most - 1, most]);
    all.retain(|value| (least..=most).contains(value));
    all.sort_unstable();
    all.dedup();
    all
}

/// Some of them.
fn few(least: i128, most: i128) -> Vec<i128> {
    let mut all = values(least, most);
    let near = |value: &i128| (-2..=7).contains(value) || [least, least + 1, most].contains(value);
    let mut at = 0;
    all.retain(|value| {
        at += 1;
        near(value) || at % 5 == 0
    });
    all
}

fn ends(name: &str) -> (i128, i128) {
    let types = types();
    let found = types.iter().find(|ty| ty.name == name);
    let found = found.unwrap_or_else(|| panic!("no type {name}"));
    (found.least, found.most)
}

/// Elements of the array that is subscripted.
const LENGTH: usize = 300;

/// What becomes of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Value,
    Subscript,
    Bound,
}

/// Kernels of elements have no bounds of loops that are such.
const FORMS: [(Place, Given); 5] = [
    (Place::Value, Given::Parameters),
    (Place::Value, Given::Elements),
    (Place::Subscript, Given::Parameters),
    (Place::Subscript, Given::Elements),
    (Place::Bound, Given::Parameters),
];

/// How the two inputs are passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    Parameters,
    Elements,
}

/// A kernel that computes one expression.
struct Kernel {
    text: String,
    module: Module,
    lowered: Option<Lowered>,
    place: Place,
}

impl Kernel {
    fn new(expression: &str, [a, b]: [&str; 2], place: Place, given: Given) -> Kernel {
        let (parameters, bindings) = match given {
            Given::Parameters => (format!("a: {a}, b: {b}"), ""),
            Given::Elements => (
                format!("m: &[{a}; 1], k: &[{b}; 1]"),
                "let a = m[0]; let b = k[0];",
            ),
        };
        let body = match place {
            Place::Value => format!("y[0] = ({expression}) as f64;"),
            Place::Subscript => format!("y[0] = x[({expression}) as usize];"),
            Place::Bound => format!("for i in 0..{expression} {{ y[0] += x[0]; }}"),
        };
        let text = format!(
            "pub fn kernel({parameters}, x: &[f64], y: &mut [f64; 1]) {{ {bindings} {body} }}"
        );
        let tokens = text.parse().expect("Rust");
        let mut diagnostics = Diagnostics::new();
        let module = syntax::parse(tokens, &mut diagnostics);
        let module = module.filter(|_| diagnostics.is_empty());
        let module = module.unwrap_or_else(|| panic!("not a kernel: {text}"));
        let lowered = lower::lower(&module, &module.functions[0], true).ok();
        Kernel {
            text,
            module,
            lowered,
            place,
        }
    }

    fn memory(&self, a: i128, b: i128) -> Memory {
        let element = self.module.functions[0].parameters[0].reference;
        let integer = |value| Parameter {
            shape: if element { vec![1] } else { Vec::new() },
            data: Data::Integer(vec![value].into()),
        };
        let x = (0..LENGTH).map(|at| Field::from_u64(1000 + at as u64));
        let floats = |data: Vec<Field>| Parameter {
            shape: vec![data.len()],
            data: Data::Field(data.into()),
        };
        Memory {
            parameters: vec![
                integer(a),
                integer(b),
                floats(x.collect()),
                floats(vec![Field::ZERO]),
            ],
        }
    }

    /// What the text computes of a value of its expression; `None` where it panics.
    fn result(&self, value: Option<i128>) -> Option<Field> {
        let value = value?;
        match self.place {
            Place::Value => Some(Field::from_i128(value)),
            Place::Subscript => {
                let at = usize::try_from(value).ok().filter(|at| *at < LENGTH)?;
                Some(Field::from_u64(1000 + at as u64))
            }
            Place::Bound => Some(Field::from_i128(1000 * value.max(0))),
        }
    }

    /// Compares both interpreters with what Rust computes; whether the program ran.
    fn check(&self, a: i128, b: i128, value: Option<i128>) -> bool {
        let long = self.place == Place::Bound && value.is_some_and(|n| n > LENGTH as i128);
        let expected = self.result(value);
        let text = format!("{}\nwith a = {a}, b = {b}", self.text);
        if !long {
            let mut memory = self.memory(a, b);
            let (function, all, budget) = (FunctionId(0), |_| Iterations::ALL, &mut 100_000);
            let run = source::run(&self.module, function, &mut memory, &all, budget);
            let found = run.ok().map(|_| written(&memory));
            assert_eq!(found, expected, "the source: {text}");
        }
        let Some(lowered) = &self.lowered else {
            return false;
        };
        let mut memory = self.memory(a, b);
        let negative = |affine: &Affine| evaluate(&lowered.program, &memory, affine) < 0;
        if lowered.assumed.iter().any(negative) {
            return false;
        }
        // What is checked before anything is written.
        let extents = lowered.program.indices.iter().map(|index| &index.extent);
        let extents: Vec<i128> = extents
            .map(|extent| match extent {
                Extent::Constant(n) => *n as i128,
                Extent::RunTime(affine) => evaluate(&lowered.program, &memory, affine),
            })
            .collect();
        let stopped = lowered.bounds.iter().any(|(bound, _)| negative(bound))
            || extents.iter().any(|extent| *extent > isize::MAX as i128)
            || !in_range(lowered, &memory);
        if long || (stopped && self.place == Place::Bound) {
            // Nobody counts that far: there is an access out of bounds on the way.
            let huge = value.is_none_or(|value| value > isize::MAX as i128 / 2);
            let exact = value.is_some_and(|value| extents.contains(&value));
            assert!((stopped && huge) || exact, "{text}");
            return true;
        }
        // The program's interpreter counts in fewer bits than what is emitted.
        if extents.iter().any(|extent| *extent < i64::MIN.into()) {
            assert!(value.is_some_and(|value| value <= 0), "{text}");
            return true;
        }
        let (all, budget) = (|_| Iterations::ALL, &mut 100_000);
        let run = scheduled::run_unscheduled(&lowered.program, &mut memory, &all, budget);
        let found = run.ok().map(|_| written(&memory)).filter(|_| !stopped);
        assert_eq!(found, expected, "the program: {text}");
        true
    }
}

/// The only element of `y`.
fn written(memory: &Memory) -> Field {
    match &memory.parameters[3].data {
        Data::Field(values) => values[0],
        Data::Integer(_) => panic!("`y` holds numbers"),
    }
}

/// The value of a function of the inputs.
fn evaluate(program: &Program, memory: &Memory, affine: &Affine) -> i128 {
    let terms = affine.terms.iter().map(|(atom, coefficient)| {
        let value = match atom {
            Atom::Index(_) => 0,
            Atom::Length(..) => LENGTH as i128,
            Atom::Scalar(array) | Atom::Map(array, _) => match program.array(*array).role {
                Role::Parameter(at) => match &memory.parameters[at].data {
                    Data::Integer(values) => values[0],
                    Data::Field(_) => panic!("integers"),
                },
                _ => panic!("a parameter"),
            },
        };
        i128::from(*coefficient) * value
    });
    i128::from(affine.constant) + terms.sum::<i128>()
}

/// Whether all that the text subscripts is in range, as the check finds.
fn in_range(lowered: &Lowered, memory: &Memory) -> bool {
    lowered.reached.iter().all(|reached| {
        let parameter = match lowered.program.array(reached.access.array).role {
            Role::Parameter(at) | Role::Output(at) => &memory.parameters[at],
            _ => panic!("a parameter"),
        };
        let subscripts = reached.access.subscripts.iter().zip(&parameter.shape);
        subscripts.into_iter().all(|(subscript, extent)| {
            let at = evaluate(&lowered.program, memory, subscript);
            (0..*extent as i128).contains(&at)
        })
    })
}

/// How many kernels had a program, and on how many inputs it ran.
#[derive(Default, Debug)]
struct Ran {
    kernels: usize,
    programs: usize,
    inputs: usize,
}

impl Ran {
    fn kernel(
        &mut self,
        kernel: &Kernel,
        inputs: impl Iterator<Item = (i128, i128, Option<i128>)>,
    ) {
        self.kernels += 1;
        self.programs += usize::from(kernel.lowered.is_some());
        for (a, b, value) in inputs {
            self.inputs += usize::from(kernel.check(a, b, value));
        }
    }
}

/// Every operator and method, on every type, at the ends of its range.
fn operations(of: &[&str]) -> Ran {
    let mut ran = Ran::default();
    for ty in types().iter().filter(|ty| of.contains(&ty.name)) {
        for (text, other, operation) in &ty.operations {
            let (least, most) = ends(other);
            for (place, given) in FORMS {
                let kernel = Kernel::new(text, [ty.name, other], place, given);
                let left = values(ty.least, ty.most).into_iter();
                ran.kernel(
                    &kernel,
                    left.flat_map(|a| {
                        let right = few(least, most).into_iter();
                        right.map(move |b| (a, b, operation(a, b)))
                    }),
                );
            }
        }
    }
    ran
}

#[test]
fn operators_of_narrow_integers_are_those_of_rust() {
    let ran = operations(&["u8", "i8", "u16", "i16"]);
    assert!(ran.inputs > 10_000, "{ran:?}");
}

#[test]
fn operators_of_wide_integers_are_those_of_rust() {
    let ran = operations(&["u32", "i32", "u64", "i64", "usize", "isize"]);
    assert!(ran.inputs > 10_000, "{ran:?}");
}

/// Two conversions, one after the other, of every type, by way of every type, to every type.
#[test]
fn conversions_are_those_of_rust() {
    let types = types();
    let mut ran = Ran::default();
    for from in &types {
        for (middle, first) in &from.casts {
            let by = types.iter().find(|ty| ty.name == *middle);
            let by = by.unwrap_or_else(|| panic!("no type {middle}"));
            for (to, second) in &by.casts {
                for (place, given) in FORMS {
                    let text = format!("a as {middle} as {to}");
                    let kernel = Kernel::new(&text, [from.name, from.name], place, given);
                    let inputs = values(from.least, from.most).into_iter();
                    ran.kernel(&kernel, inputs.map(|a| (a, 0, Some(second(first(a))))));
                }
            }
        }
    }
    // As values they always are nodes of the program.
    assert!(ran.programs >= 2 * 1000 && ran.inputs > 50_000, "{ran:?}");
}

/// A conversion, and a sum of the result.
#[test]
fn what_was_converted_is_computed_with_as_in_rust() {
    let types = types();
    let mut ran = Ran::default();
    for from in &types {
        for (to, cast) in &from.casts {
            let (least, most) = ends(to);
            let forms: [(String, Conversion); 3] = [
                (format!("a as {to} + 5"), |a| a + 5),
                (format!("2 * (a as {to}) + 1"), |a| 2 * a + 1),
                (format!("a as {to} - 1"), |a| a - 1),
            ];
            for (text, value) in forms {
                for (place, given) in FORMS {
                    let kernel = Kernel::new(&text, [from.name, from.name], place, given);
                    let inputs = values(from.least, from.most).into_iter();
                    ran.kernel(
                        &kernel,
                        inputs.map(|a| {
                            let sum = value(cast(a));
                            // `2 * a` overflows where `2 * a + 1` does not.
                            let fits = |sum: i128| (least..=most).contains(&sum);
                            let all = fits(sum) && (!text.starts_with('2') || fits(sum - 1));
                            (a, 0, all.then_some(sum))
                        }),
                    );
                }
            }
        }
    }
    assert!(ran.inputs > 3_000, "{ran:?}");
}
