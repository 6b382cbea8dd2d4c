//! Subscripts: affine functions of loop variables, and index maps.

use super::Generator;
use super::accesses::INTEGERS;
use super::range::Linear;
use super::scope::{Dimension, Parameter, Role};

/// A subscript.
#[derive(Clone, Debug)]
pub struct Subscript {
    pub text: String,
    /// Its largest value.
    pub high: Linear,
}

impl Generator {
    /// A subscript of a dimension of known extent.
    pub fn below(&mut self, extent: usize, maps: bool) -> Subscript {
        let largest = extent as i64 - 1;
        let mut choices: Vec<(usize, Subscript)> = Vec::new();
        for candidate in self.affine() {
            if let Some(high) = candidate.1.high.known().filter(|high| *high <= largest) {
                // What reaches the end is worth more.
                let weight = candidate.0 * if high == largest { 3 } else { 1 };
                choices.push((weight, candidate.1));
            }
        }
        for candidate in self.reversed(Linear::constant(largest)) {
            choices.push((1, candidate));
        }
        let at = self.random.below(extent) as i64;
        choices.push((4, fixed(at)));
        if maps && self.random.chance(12) {
            return self.mapped(extent);
        }
        let weights: Vec<usize> = choices.iter().map(|(weight, _)| *weight).collect();
        let at = self.random.weighted(&weights);
        choices.swap_remove(at).1
    }

    /// A subscript of a slice; its length grows to what that needs.
    pub fn of_slice(&mut self, parameter: usize, maps: bool) -> Subscript {
        let Parameter { fixed, lengths, .. } = &mut self.parameters[parameter];
        let mut dimension = Dimension {
            lengths: std::mem::take(lengths),
            fixed: *fixed,
        };
        let subscript = self.of_dimension(&mut dimension, maps);
        self.parameters[parameter].lengths = dimension.lengths;
        subscript
    }

    /// A subscript of a dimension whose extent grows to what that needs.
    pub fn of_dimension(&mut self, dimension: &mut Dimension, maps: bool) -> Subscript {
        let fixed_length = dimension.fixed;
        let length = dimension.lengths.first().copied();
        let mut choices: Vec<(usize, Subscript)> = Vec::new();
        for (weight, candidate) in self.affine() {
            let run_time = candidate.high.known().is_none();
            if fixed_length {
                let inside = length.is_some_and(|length| {
                    let rest = candidate.high.plus(length.times(-1));
                    rest.known().is_some_and(|rest| rest < 0)
                });
                if inside {
                    choices.push((4 * weight, candidate));
                }
            } else {
                choices.push((weight * if run_time { 4 } else { 1 }, candidate));
            }
        }
        if !fixed_length {
            choices.push((1, fixed(self.random.below(4) as i64)));
            if maps && self.random.chance(20) {
                let limit = self.random.between(1, 6);
                let candidate = self.mapped(limit);
                choices.push((30, candidate));
            }
        }
        if choices.is_empty() {
            // Only `usable` slices get here.
            return fixed(0);
        }
        let weights: Vec<usize> = choices.iter().map(|(weight, _)| *weight).collect();
        let at = self.random.weighted(&weights);
        let chosen = choices.swap_remove(at).1;
        if !fixed_length {
            let needed = chosen.high.plus(Linear::constant(1));
            if !dimension.lengths.contains(&needed) {
                dimension.lengths.push(needed);
            }
        }
        chosen
    }

    /// Whether there is a subscript of a parameter here. Slices that set a loop's length have none
    /// outside of that loop.
    pub fn usable(&self, parameter: usize) -> bool {
        let Parameter {
            fixed,
            lengths,
            view,
            ..
        } = &self.parameters[parameter];
        let below = |length: &Linear| {
            self.scope.integers.iter().any(|variable| {
                let rest = variable.high.plus(length.times(-1));
                rest.known().is_some_and(|rest| rest < 0)
            })
        };
        let mut dimensions = view.iter().filter(|dimension| dimension.fixed);
        dimensions.all(|d| d.lengths.first().is_none_or(below))
            && lengths.first().filter(|_| *fixed).is_none_or(below)
    }

    /// Affine functions of the variables around, with weights.
    fn affine(&mut self) -> Vec<(usize, Subscript)> {
        let mut result = Vec::new();
        let integers = self.scope.integers.clone();
        for variable in &integers {
            let name = &variable.name;
            let mut add = |weight: usize, text: String, high: Linear| {
                result.push((weight, Subscript { text, high }));
            };
            add(10, name.clone(), variable.high);
            let shift = self.random.between(1, 3) as i64;
            let up = variable.high.plus(Linear::constant(shift));
            add(2, format!("{name} + {shift}"), up);
            if variable.low >= 1 {
                let shift = self.random.between(1, variable.low as usize) as i64;
                let down = variable.high.plus(Linear::constant(-shift));
                add(5, format!("{name} - {shift}"), down);
            }
            let (factor, rest) = (
                self.random.between(2, 3) as i64,
                self.random.below(3) as i64,
            );
            let scaled = variable.high.times(factor).plus(Linear::constant(rest));
            let text = match rest {
                0 => format!("{factor} * {name}"),
                _ => format!("{factor} * {name} + {rest}"),
            };
            add(1, text, scaled);
            for other in integers.iter().filter(|o| o.name != *name && o.is_loop) {
                let Some(width) = other.high.known().map(|high| high + 1) else {
                    continue;
                };
                let high = variable.high.times(width).plus(other.high);
                add(1, format!("{width} * {name} + {}", other.name), high);
                add(
                    1,
                    format!("{name} + {}", other.name),
                    variable.high.plus(other.high),
                );
            }
        }
        result
    }

    /// `largest - variable`, for variables that never exceed it.
    fn reversed(&self, largest: Linear) -> Vec<Subscript> {
        let Some(largest) = largest.known() else {
            return Vec::new();
        };
        let fits = |v: &&super::range::Integer| v.high.known().is_some_and(|h| h <= largest);
        let integers = self.scope.integers.iter().filter(fits);
        integers
            .map(|variable| Subscript {
                text: format!("{largest} - {}", variable.name),
                high: Linear::constant(largest - variable.low),
            })
            .collect()
    }

    /// An entry of an index map, below a limit.
    pub fn mapped(&mut self, limit: usize) -> Subscript {
        let high = Linear::constant(limit as i64 - 1);
        if self.random.chance(25) {
            let text = self.integer_table(limit);
            return Subscript { text, high };
        }
        let known = |p: &Parameter| matches!(p.role, Role::Map(l, _) if l <= limit);
        let existing: Vec<usize> = (0..self.parameters.len())
            .filter(|at| known(&self.parameters[*at]) && self.usable(*at))
            .collect();
        let map = if !existing.is_empty() && self.random.chance(70) {
            self.random.pick(&existing)
        } else {
            let types = ["usize", "usize", "u32", "i32", "u8", "i64"];
            let ty = self.random.pick(&types);
            self.new_parameter("map", Role::Map(limit, ty))
        };
        let text = self.subscripted(map, false);
        // Every type holds the entries.
        let mut by = String::new();
        if limit < 100 && self.random.chance(20) {
            for _ in 0..self.random.between(1, 2) {
                by.push_str(&format!(" as {}", self.random.pick(&INTEGERS)));
            }
        }
        let text = match self.parameters[map].role {
            Role::Map(_, "usize") if by.is_empty() => text,
            _ => format!("{text}{by} as usize"),
        };
        Subscript { text, high }
    }

    /// A parameter with all its subscripts.
    pub fn subscripted(&mut self, parameter: usize, maps: bool) -> String {
        if !self.parameters[parameter].view.is_empty() {
            return self.view_element(parameter, maps);
        }
        let mut text = self.parameters[parameter].name.clone();
        if self.parameters[parameter].slice {
            let subscript = self.of_slice(parameter, maps);
            text.push_str(&format!("[{}]", subscript.text));
        }
        for extent in self.parameters[parameter].shape.clone() {
            let subscript = self.below(extent, maps);
            text.push_str(&format!("[{}]", subscript.text));
        }
        text
    }
}

fn fixed(at: i64) -> Subscript {
    Subscript {
        text: at.to_string(),
        high: Linear::constant(at),
    }
}
