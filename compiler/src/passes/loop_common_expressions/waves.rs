//! Rounding errors of sums of weighted translates, for fields that are plane waves.
//!
//! A plan adds terms up in another order than the text, and what it adds first may be much larger than the
//! text's own partial sums: these cancel where the field has another sign on the other side. The error bound of running
//! error analysis (Higham 2002, section 3.3), the sum of the magnitudes of what is rounded, is the same at each
//! point if the field is `exp(i k x)`: a shift by `d` is a factor `exp(i k d)`. Waves that make any two terms
//! cancel are among those that are compared: constant fields, where differences do, alternating ones, where
//! sums of neighbours do, and longer ones. Of the text, a sum of two terms is taken by its own size, a longer one by
//! those of its terms, once for each addition, as `Bounded` does: its partial sums are not known any more where passes
//! have put its terms in another order.

use std::f64::consts::PI;

use super::form::{Form, Weight};
use super::plan::Plan;
use crate::rewrite::translate::{AXES, Offset, minus};

/// How much larger the error of a plan may be than that of the text.
const FACTOR: f64 = 4.0;

/// Most waves times terms that are looked at for one plan.
const MOST: usize = 1 << 15;

/// A sum as the text has it, its terms with all of the weights in front of them.
#[derive(Clone, Debug)]
pub enum Text {
    /// A weighted translate of an atom.
    Term(usize, Offset, Weight),
    /// What is added up, in this order.
    Sum(Vec<Text>),
    /// The product of a value and a weight that rounds.
    Scaled(Box<Text>),
}

impl Text {
    /// The product of a value and a weight that is in the terms already.
    pub fn times(self, weight: Weight) -> Text {
        match weight.rounds() {
            true => Text::Scaled(Box::new(self)),
            false => self,
        }
    }

    fn terms(&self, into: &mut Vec<Offset>) {
        match self {
            Text::Term(_, at, _) => into.push(*at),
            Text::Sum(terms) => terms.iter().for_each(|term| term.terms(into)),
            Text::Scaled(value) => value.terms(into),
        }
    }

    fn running(&self, wave: &Wave) -> Running {
        match self {
            Text::Term(atom, at, weight) => Running::unit(*atom).scaled(*weight, wave.phase(*at)),
            Text::Sum(terms) if terms.len() > 2 => {
                let mut sum = Running::default();
                for term in terms {
                    let mut term = term.running(wave);
                    (1..terms.len()).for_each(|_| term.round());
                    sum.add(&term);
                }
                sum
            }
            Text::Sum(terms) => total(terms.iter().map(|term| term.running(wave))),
            Text::Scaled(value) => {
                let mut value = value.running(wave);
                value.round();
                value
            }
        }
    }
}

/// What the sums of a plan are in the text.
#[derive(Clone, Debug, Default)]
pub struct Accuracy {
    /// For each form that is given its text, or nothing where any order is as good.
    pub texts: Vec<Option<Text>>,
}

impl Accuracy {
    /// Whether the sums of a plan are as accurate as their texts.
    pub fn holds(&self, plan: &Plan) -> bool {
        let texts = || self.texts.iter().flatten();
        if texts().next().is_none() {
            return true;
        }
        let mut offsets = Vec::new();
        texts().for_each(|text| text.terms(&mut offsets));
        let count = plan.forms().map(|form| form.terms.len()).sum::<usize>() + offsets.len();
        let mut waves = waves(&offsets, MOST / count.max(1)).into_iter();
        waves.all(|wave| self.holds_for(plan, &wave))
    }

    fn holds_for(&self, plan: &Plan, wave: &Wave) -> bool {
        let mut shared: Vec<Option<Running>> = vec![None; plan.shared.len()];
        for (form, text) in plan.given.iter().zip(&self.texts) {
            let Some(text) = text else { continue };
            let allowed = text.running(wave);
            let found = running(plan, form, wave, &mut shared);
            if !found.is_within(&allowed) {
                return false;
            }
        }
        true
    }
}

/// The value of a form, and its error.
fn running(plan: &Plan, form: &Form, wave: &Wave, shared: &mut [Option<Running>]) -> Running {
    let mut classes: Vec<((usize, crate::number::Field), Weight, Vec<Running>)> = Vec::new();
    for term in &form.terms {
        let atom = match term.atom.checked_sub(plan.read) {
            None => Running::unit(term.atom),
            Some(at) => {
                if shared[at].is_none() {
                    let own = plan.shared[at].as_ref();
                    let own = own.map(|form| running(plan, form, wave, shared));
                    shared[at] = Some(own.unwrap_or_default());
                }
                shared[at].clone().unwrap_or_default()
            }
        };
        let value = atom.scaled(term.weight, wave.phase(term.at));
        let class = term.weight.magnitude();
        match classes.iter_mut().find(|(own, ..)| *own == class) {
            Some((.., values)) => values.push(value),
            None => classes.push((class, term.weight, vec![value])),
        }
    }
    let mut terms = Vec::new();
    for (_, weight, values) in classes {
        if weight.is_unit() {
            terms.extend(values);
            continue;
        }
        let mut value = total(values.into_iter());
        if weight.rounds() {
            value.round();
        }
        terms.push(value);
    }
    total(terms.into_iter())
}

/// The sum of some values, one after the other.
fn total(mut values: impl Iterator<Item = Running>) -> Running {
    let mut result = values.next().unwrap_or_default();
    for value in values {
        result.add(&value);
        result.round();
    }
    result
}

/// A value for a wave, and the sum of the magnitudes of what was rounded, for each atom and each factor that is known
/// at run time: nothing is known of how large these are.
#[derive(Clone, Debug, Default)]
struct Running {
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    atom: usize,
    symbol: usize,
    value: [f64; 2],
    error: f64,
}

impl Running {
    fn unit(atom: usize) -> Running {
        let part = Part {
            atom,
            symbol: 0,
            value: [1.0, 0.0],
            error: 0.0,
        };
        Running { parts: vec![part] }
    }

    fn scaled(mut self, weight: Weight, [re, im]: [f64; 2]) -> Running {
        let by = weight.number.to_f64();
        for part in &mut self.parts {
            let [a, b] = part.value;
            part.value = [by * (a * re - b * im), by * (a * im + b * re)];
            part.error *= by.abs();
            part.symbol = part.symbol.max(weight.symbol);
        }
        self
    }

    fn part(&self, like: &Part) -> Option<&Part> {
        let mut parts = self.parts.iter();
        parts.find(|part| (part.atom, part.symbol) == (like.atom, like.symbol))
    }

    fn add(&mut self, other: &Running) {
        for part in &other.parts {
            let mut own = self.parts.iter_mut();
            match own.find(|own| (own.atom, own.symbol) == (part.atom, part.symbol)) {
                Some(own) => {
                    own.value[0] += part.value[0];
                    own.value[1] += part.value[1];
                    own.error += part.error;
                }
                None => self.parts.push(*part),
            }
        }
    }

    fn round(&mut self) {
        for part in &mut self.parts {
            part.error += part.value[0].hypot(part.value[1]);
        }
    }

    fn is_within(&self, allowed: &Running) -> bool {
        self.parts.iter().all(|part| {
            let error = allowed.part(part).map_or(0.0, |part| part.error);
            // Waves are as exact as their sines.
            part.error <= FACTOR * error + 1e-9
        })
    }
}

/// A plane wave: its angle from one iteration to the next, along each axis.
struct Wave([f64; AXES]);

impl Wave {
    fn phase(&self, at: Offset) -> [f64; 2] {
        let angle: f64 = self
            .0
            .iter()
            .zip(at)
            .map(|(own, by)| own * f64::from(by))
            .sum();
        [angle.cos(), angle.sin()]
    }
}

/// Waves along the axes along which terms lie apart, about as many as are wanted.
fn waves(offsets: &[Offset], most: usize) -> Vec<Wave> {
    let mut angles: Vec<(usize, Vec<f64>)> = Vec::new();
    for axis in 0..AXES {
        let mut apart: Vec<i32> = Vec::new();
        for (at, first) in offsets.iter().enumerate() {
            apart.extend(
                offsets[..at]
                    .iter()
                    .map(|second| minus(*first, *second)[axis].abs()),
            );
            apart.sort_unstable();
            apart.dedup();
        }
        apart.retain(|by| *by > 0);
        if apart.is_empty() {
            continue;
        }
        let mut own = vec![0.0, PI, PI / 2.0, 2.0 * PI / 3.0];
        let opposite = apart.iter().map(|by| PI / f64::from(*by));
        own.extend(opposite.filter(|angle| *angle < 0.45 * PI));
        angles.push((axis, own));
    }
    // The conjugate of a wave is the same: along one axis it goes in one direction.
    let directions = |place: usize, own: &[f64]| {
        if place == 0 {
            own.len()
        } else {
            2 * own.len() - 2
        }
    };
    let count = |angles: &[(usize, Vec<f64>)]| -> usize {
        let each = angles.iter().enumerate();
        each.map(|(place, (_, own))| directions(place, own))
            .product()
    };
    while count(&angles) > most.max(16) {
        let Some((_, longest)) = angles.iter_mut().max_by_key(|(_, own)| own.len()) else {
            break;
        };
        if longest.len() <= 3 {
            break;
        }
        longest.pop();
    }
    let mut waves = vec![Wave([0.0; AXES])];
    for (place, (axis, own)) in angles.into_iter().enumerate() {
        let back = own
            .iter()
            .filter(|angle| place > 0 && **angle > 0.0 && **angle < PI);
        let all: Vec<f64> = own
            .iter()
            .copied()
            .chain(back.map(|angle| -angle))
            .collect();
        let with = |wave: &Wave| {
            let wave = wave.0;
            all.iter()
                .map(move |angle| {
                    let mut wave = wave;
                    wave[axis] = *angle;
                    Wave(wave)
                })
                .collect::<Vec<_>>()
        };
        waves = waves.iter().flat_map(with).collect();
    }
    waves
}
