//! The inputs of one call.

use super::arguments::Arguments;
use super::case::{Case, Kind, Magnitude, Parameter};
use super::guarded::{Guarded, Number, Scalar};
use super::random::Random;
use super::views::{Layout, Order};

/// Trials of a kernel: some sizes at which loops are empty, short or have a remainder, three with
/// inputs that may be out of bounds, and one with numbers of all kinds.
pub const TRIALS: usize = 9;

/// The trial in which few inputs are out of bounds, by one.
const WRONG: usize = 5;

/// From here on inputs are out of bounds by any number: lengths, sizes and entries of maps.
const FAR: usize = 7;

/// The trial with numbers of all kinds.
const SPECIAL: usize = 6;

/// Numbers that arithmetic does not treat as others.
const KINDS: [f64; 12] = [
    0.0,
    -0.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    1e200,
    -1e200,
    f64::MAX,
    1e-200,
    f64::MIN_POSITIVE,
    -5e-324,
    1e17,
];

/// Divisors are between this and one, times a power of two.
pub const SMALLEST_DIVISOR: f64 = 0.5;

/// How many times as large as divisors dividends may be: so that reciprocals of divisors overflow in some trials, in which
/// few dividends are subnormal.
pub fn ratio(single: bool) -> f64 {
    if single { 8.0 } else { 256.0 }
}

/// The power of two of divisors in a trial.
fn power(number: usize, single: bool) -> i32 {
    match (number % 3, single) {
        (0, false) => -1026,
        (0, true) => -129,
        (1, false) => 900,
        (1, true) => 90,
        _ => 0,
    }
}

/// Sizes are at most this.
pub const LARGEST: i64 = 13;

/// Sizes, and where the values come from.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Which one.
    pub number: usize,
    /// The first size.
    pub n: i64,
    /// The second size.
    pub m: i64,
    /// Slices may be too short, and entries of maps too large.
    pub wrong: bool,
    /// By how much they may be: by one, or by any number.
    far: bool,
    /// They may be anything where they are wrong.
    extremes: bool,
    /// Numbers are of all kinds: infinities, NaNs, zeros, and near the ends of the range. Only results
    /// that have the reference's bits are then known.
    pub special: bool,
    /// The layouts of views.
    order: Order,
    random: Random,
}

impl Trial {
    /// A trial of a kernel.
    pub fn new(seed: u64, number: usize) -> Trial {
        let mut random = Random::new(seed ^ (number as u64 + 1) << 40);
        let size = |random: &mut Random| random.below(LARGEST as usize + 1) as i64;
        // Of further trials one third is right, and of another one few inputs are out of bounds, by one.
        let more = |third: usize| number >= TRIALS && number % 3 == third;
        let n = match number {
            0 => LARGEST,
            1 => 8,
            2 => random.below(3) as i64,
            _ => size(&mut random),
        };
        Trial {
            number,
            n,
            m: random.below(6) as i64,
            wrong: number == WRONG || number >= FAR && !more(0),
            extremes: false,
            far: number >= FAR && !more(0) && !more(1),
            special: number == SPECIAL,
            order: match number {
                0 => Order::Dense,
                1 | 3 => Order::Rows,
                _ => Order::Any,
            },
            random,
        }
    }

    /// The value of an expression of sizes: `2 * n + m - 3`.
    pub fn evaluate(&self, expression: &str) -> Option<i64> {
        let (mut total, mut sign, mut product) = (0, 1, None);
        for word in expression.split_whitespace() {
            let factor = match word {
                "*" => continue,
                "+" | "-" => {
                    total += sign * product.take()?;
                    sign = if word == "+" { 1 } else { -1 };
                    continue;
                }
                "n" => self.n,
                "m" => self.m,
                digits => digits.parse().ok()?,
            };
            product = Some(product.unwrap_or(1) * factor);
        }
        Some(total + sign * product?)
    }

    /// The arguments of a kernel whose `T` is `generic`.
    ///
    /// # Errors
    /// A description that cannot be followed.
    pub fn arguments(&mut self, case: &Case, generic: Scalar) -> Result<Arguments, String> {
        self.extremes = case.trials.is_some();
        let mut buffers = Vec::new();
        let mut outputs = Vec::new();
        for (at, parameter) in case.parameters.iter().enumerate() {
            let buffer = self.argument(parameter, generic);
            buffers.push(buffer.ok_or_else(|| format!("what is `{}`?", parameter.name))?);
            if parameter.within.is_some() {
                outputs.push(at);
            }
        }
        if let Some(result) = &case.result {
            let scalar = Scalar::of(result.scalar(), generic).unwrap_or(generic);
            outputs.push(buffers.len());
            let place = Guarded::new(scalar, 1, 0, || Number::Real(0.0));
            buffers.push((place, Layout::default()));
        }
        Ok(Arguments::new(buffers, outputs))
    }

    fn argument(&mut self, parameter: &Parameter, generic: Scalar) -> Option<(Guarded, Layout)> {
        let layout = match &parameter.kind {
            Kind::View(lengths) | Kind::IndexView(_, lengths) => {
                let shape: Option<Vec<usize>> = lengths.iter().map(|l| self.length(l)).collect();
                Layout::new(shape?, self.order, &mut self.random)
            }
            _ => Layout::default(),
        };
        let buffer = self.buffer(parameter, generic, layout.count())?;
        Some((buffer, layout))
    }

    /// The numbers of a parameter; of a view, so many.
    fn buffer(&mut self, parameter: &Parameter, generic: Scalar, count: usize) -> Option<Guarded> {
        let scalar = Scalar::of(parameter.scalar(), generic)?;
        let numbers = parameter.numbers();
        let buffer = match &parameter.kind {
            Kind::Number => Guarded::new(scalar, 1, 0, || self.number(scalar, parameter.magnitude)),
            Kind::Size(size) => {
                let mut size = self.evaluate(size)?;
                if self.far && self.random.chance(15) {
                    size += 1 + self.random.below(3) as i64;
                }
                Guarded::new(scalar, 1, 0, || Number::Integer(size.into()))
            }
            Kind::Integer(value) => {
                let value = self.evaluate(value)?;
                let value = self.integer(value);
                Guarded::new(scalar, 1, 0, || Number::Integer(value))
            }
            Kind::Rows(end, lengths) => {
                let (end, count) = (self.evaluate(end)?, self.length(lengths)?);
                let shift = self.random.below(16);
                let mut rows = self.rows(end, count).into_iter();
                Guarded::new(scalar, count, shift, || {
                    Number::Integer(rows.next().unwrap_or(0))
                })
            }
            Kind::Slice(lengths) => {
                let count = numbers * self.length(lengths)?;
                let shift = self.random.below(16);
                let magnitude = parameter.magnitude;
                Guarded::new(scalar, count, shift, || self.number(scalar, magnitude))
            }
            Kind::View(_) => {
                let shift = self.random.below(16);
                let magnitude = parameter.magnitude;
                Guarded::new(scalar, count, shift, || self.number(scalar, magnitude))
            }
            Kind::Array => {
                let shift = self.random.below(16);
                Guarded::new(scalar, numbers, shift, || self.value())
            }
            Kind::IndexView(limit, _) => {
                let limit = self.evaluate(limit)?;
                let shift = self.random.below(16);
                Guarded::new(scalar, count, shift, || self.mapped(limit))
            }
            Kind::Indices(limit, lengths) => {
                let limit = self.evaluate(limit)?;
                let count = numbers * self.length(lengths)?;
                let shift = self.random.below(16);
                Guarded::new(scalar, count, shift, || self.mapped(limit))
            }
            Kind::IndexArray(limit) => {
                let limit = self.evaluate(limit)?;
                let shift = self.random.below(16);
                Guarded::new(scalar, numbers, shift, || self.index(limit, 0))
            }
        };
        Some(buffer)
    }

    /// An integer of a value, or where inputs may be wrong of another one: bits that the type lacks are lost.
    fn integer(&mut self, value: i64) -> i128 {
        if !(self.wrong && self.random.chance(25)) {
            return value.into();
        }
        match self.far {
            true => self.extreme(value).into(),
            false => (value + self.random.pick(&[1, -1])).into(),
        }
    }

    /// The ends of types, what is beside a value, and what wraps around to it.
    fn extreme(&mut self, value: i64) -> i64 {
        let power = 1_i64.wrapping_shl(self.random.between(5, 63) as u32);
        let ends = [0, -1, -2, i64::MAX, i64::MIN, i64::MAX - 1];
        let near = [value + 1, value - 1, value + 2, 3 * value, -value];
        match self.random.below(4) {
            0 => self.random.pick(&ends),
            1 => self.random.pick(&near),
            2 => power.wrapping_add(self.random.below(4) as i64 - 2),
            _ => power.wrapping_add(value),
        }
    }

    /// Beginnings of rows.
    fn rows(&mut self, end: i64, count: usize) -> Vec<i128> {
        let some = |random: &mut Random| random.below(end.max(0) as usize + 1) as i64;
        let mut rows: Vec<i64> = (0..count).map(|_| some(&mut self.random)).collect();
        rows.sort_unstable();
        if self.random.chance(50) {
            rows.first_mut().into_iter().for_each(|first| *first = 0);
            rows.last_mut().into_iter().for_each(|last| *last = end);
        }
        if self.wrong && count > 0 && self.random.chance(40) {
            let at = self.random.below(count);
            rows[at] = match (self.far, self.random.chance(50)) {
                (true, true) => self.extreme(rows[at]),
                (true, false) => some(&mut self.random),
                _ => rows[at] + self.random.pick(&[1, -1]),
            };
        }
        rows.into_iter().map(i128::from).collect()
    }

    /// An entry of a map, which may be too large if inputs may be wrong.
    fn mapped(&mut self, limit: i64) -> Number {
        if !(self.wrong && self.random.chance(2)) {
            return self.index(limit, 0);
        }
        // As many bytes of it as there are: below zero, or beyond all that is addressed.
        let farthest = [limit, 3 * limit, -1, i64::MAX, i64::MIN, 1 << 31];
        match self.far {
            true if self.extremes => Number::Integer(self.extreme(limit).into()),
            true => Number::Integer(self.random.pick(&farthest).into()),
            false => self.index(limit, limit),
        }
    }

    fn index(&mut self, limit: i64, plus: i64) -> Number {
        Number::Integer((self.random.below(limit as usize) as i64 + plus).into())
    }

    /// Any number, of integers small ones more often.
    fn number(&mut self, scalar: Scalar, magnitude: Magnitude) -> Number {
        if scalar.is_real() {
            return match magnitude {
                Magnitude::Moderate => self.value(),
                _ if self.special => self.value(),
                _ => self.sized(scalar == Scalar::F32, magnitude),
            };
        }
        let bits = self.random.bits() as i64;
        Number::Integer((bits >> self.random.below(64)).into())
    }

    /// A divisor or a dividend.
    fn sized(&mut self, single: bool, magnitude: Magnitude) -> Number {
        let part = (self.random.bits() >> 11) as f64 / (1u64 << 53) as f64;
        let value = match magnitude {
            Magnitude::Divisor => SMALLEST_DIVISOR + (1.0 - SMALLEST_DIVISOR) * part,
            _ => ratio(single) * part,
        };
        let sign = if self.random.chance(50) { 1.0 } else { -1.0 };
        // In two steps, of which each is a normal number.
        let power = power(self.number, single);
        let value = sign * value * 2.0_f64.powi(power / 2);
        Number::Real(value * 2.0_f64.powi(power - power / 2))
    }

    fn value(&mut self) -> Number {
        let random = &mut self.random;
        if self.special && random.chance(30) {
            return Number::Real(random.pick(&KINDS));
        }
        Number::Real(match random.below(24) {
            0 => 0.0,
            1 => 1.0,
            2 => -1.0,
            _ => (random.bits() >> 11) as f64 / (1u64 << 51) as f64 - 2.0,
        })
    }

    /// The largest of some lengths; sometimes less.
    fn length(&mut self, lengths: &str) -> Option<usize> {
        let all: Option<Vec<i64>> = lengths.split(',').map(|l| self.evaluate(l)).collect();
        let largest = all?.into_iter().max().unwrap_or(0).max(0) as usize;
        if !(self.wrong && self.random.chance(15)) {
            return Some(largest);
        }
        Some(match self.far {
            true => self.random.below(largest + 1),
            false => largest.saturating_sub(1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_of_sizes_have_values() {
        let trial = Trial::new(3, 0);
        let (n, m) = (trial.n, trial.m);
        for (text, value) in [
            ("n", Some(n)),
            ("2 * n + m - 3", Some(2 * n + m - 3)),
            ("-2 + 3 * m", Some(3 * m - 2)),
            ("7", Some(7)),
            ("", None),
            ("k", None),
        ] {
            assert_eq!(trial.evaluate(text), value, "{text}");
        }
    }
}
