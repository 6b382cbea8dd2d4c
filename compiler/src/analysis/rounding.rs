//! Programs run in floating-point numbers: their values, and bounds on the rounding errors of these.
//!
//! It is an estimate for reports, and what tests compare with results in twice the precision. Lengths
//! that are known when the kernel runs are small here, and inputs look random around a value.

use crate::ir::{
    Access, Affine, ArrayId, Atom, Element, Equation, Expr, ExprId, Extent, IndexId, Operator,
    Program, Role,
};
use crate::number::Number;
use crate::syntax::ast::Elementary;

/// Iterations of loops, and numbers of elements, that the input says.
const LENGTH: i64 = 3;

/// Numbers that programs can be run in.
pub trait Value: Copy {
    /// The nearest to a constant.
    fn constant(number: Number) -> Self;
    /// A sum.
    fn plus(self, other: Self) -> Self;
    /// A product.
    fn times(self, other: Self) -> Self;
    /// With the other sign.
    fn negated(self) -> Self;
    /// A quotient.
    fn over(self, other: Self) -> Self;
    /// Without its sign.
    fn magnitude(self) -> Self;
    /// The value, rounded.
    fn rounded(self) -> f64;
}

impl Value for f64 {
    fn constant(number: Number) -> f64 {
        number.to_f64()
    }
    fn plus(self, other: f64) -> f64 {
        self + other
    }
    fn times(self, other: f64) -> f64 {
        self * other
    }
    fn negated(self) -> f64 {
        -self
    }
    fn over(self, other: f64) -> f64 {
        self / other
    }
    fn magnitude(self) -> f64 {
        self.abs()
    }
    fn rounded(self) -> f64 {
        self
    }
}

/// Twice the precision; constants are what the text's tables hold, rounded.
impl Value for Number {
    fn constant(number: Number) -> Number {
        Number::from_f64(number.to_f64())
    }
    fn plus(self, other: Number) -> Number {
        self + other
    }
    fn times(self, other: Number) -> Number {
        self * other
    }
    fn negated(self) -> Number {
        -self
    }
    fn over(self, other: Number) -> Number {
        self / other
    }
    fn magnitude(self) -> Number {
        self.abs()
    }
    fn rounded(self) -> f64 {
        self.to_f64()
    }
}

/// A number with a bound on its error by running error analysis, as the run time's `Bounded`. The arithmetic
/// stands twice since the compiler would otherwise be built with the run time, and every user's build would compile
/// that for the host too; `tests/rounding.rs` of the facade compares the two.
#[derive(Clone, Copy, Debug)]
pub struct Bounded {
    value: f64,
    error: f64,
    magnitude: f64,
    additions: u32,
}

impl Bounded {
    const UNIT: f64 = f64::EPSILON / 2.0;

    fn of(value: f64, error: f64) -> Bounded {
        Bounded {
            value,
            error,
            magnitude: value.abs(),
            additions: 0,
        }
    }

    /// How far it is at most from the exact value.
    pub fn error(self) -> f64 {
        self.error
            + match self.additions {
                0 => 0.0,
                1 => Self::UNIT * self.value.abs(),
                more => Self::UNIT * f64::from(more) * self.magnitude,
            }
    }

    fn is_zero(self) -> bool {
        self.value == 0.0 && self.error() == 0.0
    }
}

impl Value for Bounded {
    fn constant(number: Number) -> Bounded {
        Bounded::of(number.to_f64(), 0.0)
    }
    fn plus(self, other: Bounded) -> Bounded {
        if self.is_zero() {
            return other;
        }
        if other.is_zero() {
            return self;
        }
        Bounded {
            value: self.value + other.value,
            error: self.error + other.error(),
            magnitude: self.magnitude + other.value.abs(),
            additions: self.additions.saturating_add(1),
        }
    }
    fn times(self, other: Bounded) -> Bounded {
        let value = self.value * other.value;
        let error = self.value.abs() * other.error() + other.value.abs() * self.error();
        Bounded::of(
            value,
            error + self.error() * other.error() + Self::UNIT * value.abs(),
        )
    }
    fn negated(self) -> Bounded {
        Bounded {
            value: -self.value,
            ..self
        }
    }
    fn over(self, other: Bounded) -> Bounded {
        let (value, error) = (self.value / other.value, other.error());
        let least = other.value.abs() - error;
        let error = (self.error() + value.abs() * error) / least.max(0.0);
        Bounded::of(value, error + Self::UNIT * value.abs())
    }
    fn magnitude(self) -> Bounded {
        Bounded {
            value: self.value.abs(),
            ..self
        }
    }
    fn rounded(self) -> f64 {
        self.value
    }
}

/// Inputs that look random around a value, by at most so much: the element at a place of a parameter.
pub fn around([value, by]: [f64; 2]) -> impl Fn(usize, usize) -> f64 {
    move |position, at| value + by * noise(position, at)
}

/// What a program writes, by the positions of its parameters: `None` where it cannot be run here, or
/// takes more than `most` operations. Inputs are what `inputs` says of the position of a parameter, and
/// the place in it.
pub fn run<V: Value>(
    program: &Program,
    inputs: impl Fn(usize, usize) -> f64,
    most: u64,
) -> Option<Vec<Vec<V>>> {
    let is_in_place = program.is_in_place();
    let work = |equation: &Equation| {
        let nodes = program.pool.accesses([equation.expr]).len() as u64 + 1;
        let lengths = equation
            .domain()
            .map(|index| extent(&program.loop_index(index).extent));
        let iterations = lengths.map(|length| Some(u64::try_from(length?).unwrap_or(0)));
        let iterations: Option<u64> = iterations.product();
        Some(2 * nodes * iterations?)
    };
    let work: Option<u64> = program.equations.iter().map(work).sum();
    // What is rounded to `f32` has other errors.
    let is_single = program
        .arrays
        .iter()
        .any(|array| array.element == Element::F32 || array.element.as_word().is_some());
    if is_in_place || is_single || work? > most {
        return None;
    }
    let mut machine = Machine {
        program,
        inputs: &inputs,
        arrays: vec![None; program.arrays.len()],
        indices: vec![0; program.indices.len()],
        known: vec![None; program.pool.len()],
        generation: 0,
    };
    for equation in &program.equations {
        machine.equation(equation)?;
    }
    let outputs = program.arrays.iter().zip(machine.arrays);
    let mut outputs: Vec<(usize, Vec<V>)> = outputs
        .filter_map(|(array, values)| match array.role {
            Role::Output(position) => Some((position, values?)),
            _ => None,
        })
        .collect();
    outputs.sort_by_key(|(position, _)| *position);
    Some(outputs.into_iter().map(|(_, values)| values).collect())
}

/// An extent, lengths of inputs being small.
fn extent(extent: &Extent) -> Option<i64> {
    match extent {
        Extent::Constant(length) => i64::try_from(*length).ok(),
        Extent::RunTime(affine) => {
            affine
                .terms
                .iter()
                .try_fold(affine.constant, |sum, (atom, times)| match atom {
                    Atom::Length(..) | Atom::Scalar(_) => Some(sum + times * LENGTH),
                    Atom::Index(_) | Atom::Map(..) => None,
                })
        }
    }
}

/// A number in -1..1 that looks random.
fn noise(array: usize, at: usize) -> f64 {
    let mixed = ((array as u64) << 32 | at as u64)
        .wrapping_add(1)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// Runs the equations of a program.
struct Machine<'p, V> {
    program: &'p Program,
    inputs: &'p dyn Fn(usize, usize) -> f64,
    /// The elements of arrays that were met.
    arrays: Vec<Option<Vec<V>>>,
    /// The values of the loops.
    indices: Vec<i64>,
    /// Values of expressions, and the iteration that they are of.
    known: Vec<Option<(u64, V)>>,
    generation: u64,
}

impl<V: Value> Machine<'_, V> {
    fn equation(&mut self, equation: &Equation) -> Option<()> {
        let extents = |loops: &[IndexId]| -> Option<Vec<i64>> {
            let each = loops
                .iter()
                .map(|index| extent(&self.program.loop_index(*index).extent));
            each.collect()
        };
        let (free, sums) = (extents(&equation.free)?, extents(&equation.reduction)?);
        let mut outer = vec![0; free.len()];
        let mut going = free.iter().all(|length| *length > 0);
        while going {
            self.set(&equation.free, &outer);
            let place = self.place(&equation.target)?;
            let mut value = match equation.operator {
                Operator::ADD => *self.array(equation.target.array)?.get(place)?,
                Operator::Assign => V::constant(Number::ZERO),
                Operator::Accumulate(_) => return None,
            };
            let mut inner = vec![0; sums.len()];
            let mut summing = sums.iter().all(|length| *length > 0);
            while summing {
                self.set(&equation.reduction, &inner);
                self.generation += 1;
                value = value.plus(self.value(equation.expr)?);
                summing = step(&mut inner, &sums);
            }
            *self.array(equation.target.array)?.get_mut(place)? = value;
            going = step(&mut outer, &free);
        }
        Some(())
    }

    fn set(&mut self, loops: &[IndexId], to: &[i64]) {
        for (index, value) in loops.iter().zip(to) {
            self.indices[index.0 as usize] = *value;
        }
    }

    /// The elements of an array, as they are given where nothing was written.
    fn array(&mut self, id: ArrayId) -> Option<&mut Vec<V>> {
        let at = id.0 as usize;
        if self.arrays[at].is_none() {
            let array = self.program.array(id);
            let lengths: Option<Vec<i64>> = array.shape.iter().map(extent).collect();
            let size = usize::try_from(lengths?.iter().product::<i64>()).ok()?;
            let values = match &array.role {
                Role::Table(values) => values.iter().map(|value| V::constant(*value)).collect(),
                Role::Parameter(position) => (0..size)
                    .map(|at| V::constant(Number::from_f64((self.inputs)(*position, at))))
                    .collect(),
                _ => vec![V::constant(Number::ZERO); size],
            };
            self.arrays[at] = Some(values);
        }
        self.arrays[at].as_mut()
    }

    fn place(&self, access: &Access) -> Option<usize> {
        self.element(access.array, &access.subscripts)
    }

    /// The place of an element in its array.
    fn element(&self, array: ArrayId, subscripts: &[Affine]) -> Option<usize> {
        let mut flat = 0;
        for (subscript, length) in subscripts.iter().zip(&self.program.array(array).shape) {
            let (at, length) = (self.integer(subscript)?, extent(length)?);
            if !(0..length).contains(&at) {
                return None;
            }
            flat = flat * length + at;
        }
        usize::try_from(flat).ok()
    }

    fn integer(&self, affine: &Affine) -> Option<i64> {
        let mut sum = affine.constant;
        for (atom, times) in &affine.terms {
            let value = match atom {
                Atom::Index(index) => self.indices[index.0 as usize],
                Atom::Length(..) | Atom::Scalar(_) => LENGTH,
                Atom::Map(map, subscripts) => match &self.program.array(*map).role {
                    Role::Table(values) => {
                        let place = self.element(*map, subscripts)?;
                        values.get(place)?.to_i64()
                    }
                    // Entries are below all lengths.
                    _ => {
                        let places = subscripts.iter().map(|subscript| self.integer(subscript));
                        let places: Option<i64> = places.sum();
                        places?.rem_euclid(LENGTH)
                    }
                },
            };
            sum += times * value;
        }
        Some(sum)
    }

    fn value(&mut self, expr: ExprId) -> Option<V> {
        let at = expr.0 as usize;
        if let Some((generation, value)) = self.known[at]
            && generation == self.generation
        {
            return Some(value);
        }
        let program = self.program;
        let value = match program.pool.get(expr) {
            Expr::Constant(value) => V::constant(*value),
            Expr::Access(access) => {
                if program.array(access.array).element.is_integer() {
                    return None;
                }
                // What only a later equation writes has an order of its own.
                let temporary = matches!(program.array(access.array).role, Role::Temporary);
                if temporary && self.arrays[access.array.0 as usize].is_none() {
                    return None;
                }
                let place = self.place(access)?;
                *self.array(access.array)?.get(place)?
            }
            Expr::Sum(terms) => {
                let mut sum = V::constant(Number::ZERO);
                for term in terms {
                    let value = self.value(term.expr)?;
                    sum = sum.plus(match term.coefficient {
                        one if one.is_one() => value,
                        minus if minus.is_minus_one() => value.negated(),
                        other => V::constant(other).times(value),
                    });
                }
                sum
            }
            Expr::Product(factors) => {
                let mut product: Option<V> = None;
                for factor in factors {
                    let value = self.value(factor.expr)?;
                    for _ in 0..factor.power.unsigned_abs() {
                        let one = || V::constant(Number::ONE);
                        product = Some(match (product, factor.power > 0) {
                            (None, true) => value,
                            (before, false) => before.unwrap_or_else(one).over(value),
                            (Some(before), true) => before.times(value),
                        });
                    }
                }
                product?
            }
            Expr::Call(Elementary::Abs, of) => self.value(of[0])?.magnitude(),
            Expr::Call(Elementary::Recip, of) => V::constant(Number::ONE).over(self.value(of[0])?),
            Expr::Cast(to, of) if *to != Element::F32 && to.as_word().is_none() => {
                self.value(*of)?
            }
            Expr::Call(..) | Expr::Compare(..) | Expr::Select(..) | Expr::Cast(..) => return None,
        };
        self.known[at] = Some((self.generation, value));
        Some(value)
    }
}

/// The next point of a box; whether there is one.
fn step(point: &mut [i64], extents: &[i64]) -> bool {
    for (coordinate, extent) in point.iter_mut().zip(extents).rev() {
        *coordinate += 1;
        if *coordinate < *extent {
            return true;
        }
        *coordinate = 0;
    }
    false
}

/// How much larger the bound on the errors of `program` is than that of `text`, of the output where it is
/// the largest; `None` where one of them cannot be run.
pub fn growth(text: &Program, program: &Program, inputs: [f64; 2], most: u64) -> Option<f64> {
    let [before, after] =
        [text, program].map(|program| run::<Bounded>(program, around(inputs), most));
    let largest =
        |values: &Vec<Bounded>| values.iter().map(|value| value.error()).fold(0.0, f64::max);
    let pairs = before?
        .iter()
        .map(largest)
        .zip(after?.iter().map(largest))
        .collect::<Vec<_>>();
    let ratios = pairs.into_iter().filter(|(before, _)| *before > 0.0);
    ratios
        .map(|(before, after)| after / before)
        .reduce(f64::max)
}
