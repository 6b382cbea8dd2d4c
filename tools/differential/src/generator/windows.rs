//! Sums over windows by loops of constant length, with weights that follow from each other or do not.

use super::Generator;
use super::range::Linear;
use super::stencils::{Field, Grid, Sides};

impl Generator {
    /// A variable that holds such a sum, with bounds of it and of its error.
    pub(super) fn window(&mut self, grid: &Grid, field: &Field) -> (String, f64, f64) {
        let sum = self.fresh("s");
        let zero = self.constant(0.0).text;
        let (ty, side) = (self.type_name(), 2 * grid.reach + 1);
        let alike = self.random.chance(50);
        let weights: Vec<String> = grid.at.iter().map(|_| self.weights_along(side)).collect();
        self.line(&format!("let mut {sum}: {ty} = {zero};"));
        let mut marks = Vec::new();
        let mut subscripts = Vec::new();
        let mut factors = Vec::new();
        let names = ["a", "b", "c"];
        for (((at, name), (extent, _)), weights) in
            grid.at.iter().zip(names).zip(&grid.extents).zip(weights)
        {
            let (range, last) = (format!("0..{side}usize"), Linear::constant(side - 1));
            marks.push(self.enter(name.to_owned(), &range, 0, last));
            let reach = grid.reach;
            subscripts.push(match grid.sides {
                Sides::Clamped => {
                    format!("({at} + {name}).max({reach}).min({extent} + {reach} - 1) - {reach}")
                }
                Sides::Periodic => format!("({at} + {name} + {extent} - {reach}) % {extent}"),
                Sides::Inside => format!("{at} + {name} - {reach}"),
                _ => format!("{at} + {name}"),
            });
            factors.push(match self.generic() {
                true => format!("T::from_f64({weights}[{name}])"),
                false => format!("{weights}[{name}]"),
            });
        }
        let read = self.element_at(grid, &field.name, &subscripts);
        // Neither weights nor their sums are larger than one.
        let terms = (side.pow(grid.at.len() as u32)) as f64;
        let value = match alike {
            true => format!("{} * {read}", self.constant(0.25).text),
            false => format!("{} * {read}", factors.join(" * ")),
        };
        self.line(&format!("{sum} += {value};"));
        self.close_loops(marks);
        let bound = terms * field.bound;
        (sum, bound, terms * field.error + 2.0 * terms * bound)
    }

    /// A table of weights: equal ones, arithmetic and geometric sequences, rising, falling or both, and others.
    fn weights_along(&mut self, side: i64) -> String {
        let middle = side / 2;
        let way = self.random.below(7);
        let random = [0.25, -0.5, 0.125, 1.0, 0.3];
        let weight = |generator: &mut Generator, at: i64| match way {
            0 => 0.5,
            1 => (at + 1) as f64 / 16.0,
            2 => (side - at) as f64 / 16.0,
            3 => (1 + middle - (at - middle).abs()) as f64 / 8.0,
            4 => 0.5_f64.powi(at as i32),
            5 => 0.5_f64.powi((at - middle).abs() as i32),
            _ => generator.random.pick(&random),
        };
        let weights: Vec<String> = (0..side)
            .map(|at| format!("{:?}", weight(self, at)))
            .collect();
        self.known_table(&[side as usize], &format!("[{}]", weights.join(", ")), 1.0)
    }
}
