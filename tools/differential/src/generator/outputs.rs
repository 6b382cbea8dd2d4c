//! Writing to outputs.

use super::range::Linear;
use super::scope::{Dimension, Expr, Parameter, Role};
use super::{Generator, views};

impl Generator {
    /// Writes an element of an output.
    pub fn output(&mut self) {
        self.output_of(&mut Generator::value);
    }

    /// Writes values to an element of an output.
    pub fn output_of(&mut self, value: &mut dyn FnMut(&mut Generator) -> Expr) {
        let assign = self.random.chance(25);
        if assign && self.assignment(value) {
            return;
        }
        self.accumulation(value);
    }

    /// `y[i][j] = value`, each element once: every loop around has a dimension of its own.
    fn assignment(&mut self, value: &mut dyn FnMut(&mut Generator) -> Expr) -> bool {
        let mut loops: Vec<_> = self.scope.integers.clone();
        loops.retain(|v| v.is_loop);
        let run_time = loops.iter().filter(|v| v.high.known().is_none()).count();
        let view = loops.len() <= views::MOST && self.wants_view();
        if loops.is_empty() || run_time > 1 && !view || loops.len() > 4 {
            return false;
        }
        // The slice's dimension is the outermost one; the others come in any order.
        for at in (1..loops.len()).rev() {
            let other = self.random.below(at + 1);
            loops.swap(at, other);
        }
        loops.sort_by_key(|v| v.high.known().is_some());
        let name = self.fresh("y");
        let (mut subscripts, mut shape, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
        let slice = view || run_time == 1 || self.random.chance(20);
        for (dimension, variable) in loops.iter().enumerate() {
            let shift = self.random.weighted(&[6, 1, 1]) as i64;
            let down = variable.low > 0 && self.random.chance(50);
            let shift = if down { -1 } else { shift };
            subscripts.push(match shift {
                0 => variable.name.clone(),
                -1 => format!("{} - 1", variable.name),
                _ => format!("{} + {shift}", variable.name),
            });
            let mut needed = variable.high;
            needed.constant += 1 + shift;
            if view || dimension == 0 && slice {
                lengths.push(needed);
            } else {
                shape.push(needed.constant as usize);
            }
        }
        let value = value(self);
        let place = match view {
            true => self.at_subscripts(&name, &subscripts),
            false => format!("{name}[{}]", subscripts.join("][")),
        };
        self.line(&format!("{place} = {};", value.text));
        let dimensions = lengths.iter().copied().map(Dimension::fixed);
        let dimensions = if view {
            dimensions.collect()
        } else {
            Vec::new()
        };
        self.parameters.push(Parameter {
            name,
            role: Role::Output {
                bound: value.bound,
                error: value.error,
                assigned: true,
            },
            slice,
            shape,
            lengths: if view { Vec::new() } else { lengths },
            fixed: false,
            single: false,
            view: dimensions,
        });
        true
    }

    /// `z[i + 1] = z[i] * 0.5 + value`: what is written is read again.
    pub fn in_place(&mut self) {
        let loops = self.scope.integers.iter().filter(|v| v.is_loop);
        let loops: Vec<_> = loops.cloned().collect();
        if loops.is_empty() {
            return self.output();
        }
        let variable = self.random.pick(&loops);
        match self.random.below(3) {
            0 => return self.sweep(&variable),
            1 if self.random.chance(50) => return self.shifted(&variable),
            _ => {}
        }
        let name = self.fresh("z");
        let (to, from) = (self.random.below(3), self.random.below(3));
        let (value, half) = (self.value(), self.constant(0.5));
        let subscript = |shift: usize| match shift {
            0 => variable.name.clone(),
            shift => format!("{} + {shift}", variable.name),
        };
        self.line(&format!(
            "{name}[{}] = {name}[{}] * {} + ({});",
            subscript(to),
            subscript(from),
            half.text,
            value.text
        ));
        // Halving keeps values and errors below twice what is added each time.
        let bound = 2.0 * value.bound + 2.0;
        self.parameters.push(Parameter {
            name,
            role: Role::Output {
                bound,
                error: 2.0 * (value.error + 2.0 * bound),
                assigned: true,
            },
            slice: true,
            shape: Vec::new(),
            lengths: vec![
                variable
                    .high
                    .plus(Linear::constant(1 + to.max(from) as i64)),
            ],
            fixed: false,
            single: false,
            view: Vec::new(),
        });
    }

    /// `y[…] += value`, anywhere.
    fn accumulation(&mut self, value: &mut dyn FnMut(&mut Generator) -> Expr) {
        let output = self.accumulated();
        let scalar = !self.parameters[output].slice && self.parameters[output].shape.is_empty();
        let place = if scalar {
            format!("*{}", self.parameters[output].name)
        } else {
            self.subscripted(output, true)
        };
        let operator = if self.random.chance(80) { "+=" } else { "-=" };
        let times = if self.random.chance(15) { 2 } else { 1 };
        for _ in 0..times {
            let value = value(self);
            self.line(&format!("{place} {operator} {};", value.text));
            self.adds(output, self.scope.trips(), &value);
        }
    }

    /// A value is added to the numbers of an output, so many times to each.
    pub fn adds(&mut self, output: usize, trips: f64, value: &Expr) {
        if let Role::Output { bound, error, .. } = &mut self.parameters[output].role {
            *bound += trips * value.bound;
            *error += trips * (value.error + value.bound);
        }
    }

    /// An output to accumulate into.
    fn accumulated(&mut self) -> usize {
        let fits = |p: &Parameter| {
            matches!(
                p.role,
                Role::Output {
                    assigned: false,
                    ..
                }
            )
        };
        let existing: Vec<usize> = (0..self.parameters.len())
            .filter(|at| fits(&self.parameters[*at]))
            .collect();
        if !existing.is_empty() && self.random.chance(50) {
            return self.random.pick(&existing);
        }
        let role = Role::Output {
            bound: 2.0,
            error: 4.0,
            assigned: false,
        };
        let at = self.new_parameter("y", role);
        if !self.parameters[at].view.is_empty() {
            return at;
        }
        if self.random.chance(5) {
            self.parameters[at].slice = false;
            self.parameters[at].shape.clear();
        }
        let run_time = |v: &super::range::Integer| v.is_loop && v.high.known().is_none();
        if self.scope.integers.iter().any(run_time) && self.random.chance(85) {
            self.parameters[at].slice = true;
        }
        at
    }
}
