//! The factors of contractions, and the loops that they depend on.

use super::contractions::{plus, times};
use super::expressions::join;
use super::range::{Integer, Linear};
use super::scope::{Dimension, Expr, Parameter, Role};
use super::{Generator, views};
use crate::support::trial::LARGEST;

/// Stands for the name of a loop in a factor's text.
pub const AXIS: &str = "$";

/// Largest magnitude of an input, and of an entry of a table.
const NUMBER: f64 = 2.0;

/// A loop of a contraction.
#[derive(Clone, Debug)]
pub struct Axis {
    pub name: String,
    /// Iterations; of a loop whose end is known at run time only, those that there are at most.
    pub extent: usize,
    /// The parameter that says where it ends, if that is known at run time only.
    pub size: Option<String>,
}

impl Axis {
    /// A loop of known range.
    pub fn constant(name: String, extent: usize) -> Axis {
        Axis {
            name,
            extent,
            size: None,
        }
    }

    /// The largest value of the variable.
    pub fn last(&self) -> Linear {
        match self.size {
            Some(_) => Linear::size('m', -1),
            None => Linear::constant(self.extent as i64 - 1),
        }
    }

    /// Iterations at most.
    pub fn trips(&self) -> f64 {
        self.extent as f64
    }
}

/// The loop around that cells are counted by.
#[derive(Clone, Debug)]
pub struct Cells {
    pub name: String,
    /// The length of arrays that it runs over.
    pub length: Linear,
    pub trips: f64,
}

/// The loops of a contraction, and what they may read.
#[derive(Debug)]
pub struct Nest {
    pub cells: Option<Cells>,
    /// The output has numbers of each cell.
    pub of_cells: bool,
    /// Loops that are summed over.
    pub sums: Vec<Axis>,
    /// Loops of the output's dimensions.
    pub free: Vec<Axis>,
    /// Scalars of the cell, or of the point.
    pub scalars: Vec<Expr>,
}

impl Generator {
    /// The loops of a contraction, with so many iterations at most.
    pub fn nest(&mut self, longest: usize) -> Nest {
        let loops = self.scope.integers.iter();
        let run_time = loops.filter(|v| v.is_loop && v.high.known().is_none());
        let run_time: Vec<Integer> = run_time.cloned().collect();
        let mut cells = None;
        if !run_time.is_empty() {
            let variable = self.random.pick(&run_time);
            cells = Some(Cells {
                trips: variable.trips(),
                length: variable.high.plus(Linear::constant(1)),
                name: variable.name,
            });
        }
        let of_cells = cells.is_some() && self.random.chance(85);
        let mut left = longest.max(1);
        let mut sums = Vec::new();
        for _ in 0..self.random.weighted(&[2, 20, 3]) {
            // A sum of one term is rarely of interest.
            let low = if self.random.chance(8) { 1 } else { 2 };
            let extent = self.random.between(low.min(left), left.min(5));
            left = (left / extent).max(1);
            sums.push(Axis::constant(self.fresh("q"), extent));
        }
        let mut free: Vec<Axis> = Vec::new();
        let dimensions = self.random.weighted(&[1, 9, 14, 1]);
        for base in &["i", "j", "k"][..dimensions] {
            let last = free.last().map(|axis| axis.extent);
            let same = last.filter(|same| *same <= left && self.random.chance(75));
            let most = if dimensions > 1 { left.isqrt() } else { left };
            let extent = same.unwrap_or_else(|| self.random.between(1, most.clamp(1, 7)));
            left = (left / extent).max(1);
            free.push(Axis::constant(self.fresh(base), extent));
        }
        if !of_cells && dimensions > 0 && run_time.len() < 2 && self.random.chance(40) {
            let size = self.size_parameter('m');
            (free[0].size, free[0].extent) = (Some(size), LARGEST as usize);
        }
        Nest {
            cells,
            of_cells,
            sums,
            free,
            scalars: Vec::new(),
        }
    }

    /// A factor that depends on a loop of the output, which is written as [`AXIS`].
    pub fn function_of(&mut self, nest: &Nest, axis: &Axis) -> Expr {
        let free = Axis {
            name: AXIS.to_owned(),
            ..axis.clone()
        };
        if axis.size.is_some() {
            let mut axes = vec![free];
            axes.extend(self.some_of(&nest.sums));
            return self.array_factor(&axes);
        }
        match self.random.weighted(&[14, 4, 2, 1]) {
            0 => {
                let mut axes = self.some_of(&nest.sums);
                axes.push(free);
                self.table_factor(&axes)
            }
            1 => self.combination(nest, &free),
            2 => self.cell_factor(nest, &[free]),
            _ => self.table_factor(&[free]),
        }
    }

    /// `(c * T[0][q][i] + d * T[1][q][i])`.
    fn combination(&mut self, nest: &Nest, free: &Axis) -> Expr {
        let count = self.random.between(2, 3);
        let mut axes = self.some_of(&nest.sums);
        axes.insert(0, Axis::constant(String::new(), count));
        axes.push(free.clone());
        let table = self.table(&axes);
        let mut sum: Option<Expr> = None;
        for component in 0..count {
            axes[0].name = component.to_string();
            let term = self.entry(&table, &axes);
            let term = times(&self.coefficient_of(nest), &term);
            sum = Some(match sum {
                Some(sum) => plus(&sum, &term, '+'),
                None => term,
            });
        }
        sum.unwrap_or_else(|| self.literal())
    }

    /// What neither depends on the output's loops nor on those of sums, most often.
    pub fn coefficient_of(&mut self, nest: &Nest) -> Expr {
        if !nest.scalars.is_empty() && self.random.chance(50) {
            return self.random.pick(&nest.scalars);
        }
        match self.random.weighted(&[10, 2, 1]) {
            0 => self.cell_factor(nest, &[]),
            1 => self.plain(),
            _ => self.literal(),
        }
    }

    /// A factor that depends on no loop of the output, most often.
    pub fn monomial_factor(&mut self, nest: &Nest) -> Expr {
        let sums = nest.sums.clone();
        match self.random.weighted(&[8, 6, 3, 1, 1]) {
            0 => self.coefficient_of(nest),
            1 if !sums.is_empty() => {
                let axes = vec![self.random.pick(&sums)];
                self.table_factor(&axes)
            }
            2 if !sums.is_empty() => {
                let axes = vec![self.random.pick(&sums)];
                self.cell_factor(nest, &axes)
            }
            3 if nest.free.iter().any(|axis| axis.size.is_none()) => {
                let mut axes: Vec<Axis> = sums;
                axes.extend(nest.free.iter().filter(|a| a.size.is_none()).cloned());
                let axes = self.some_of(&axes);
                self.table_factor(&axes)
            }
            4 => self.leaf(),
            _ => self.coefficient_of(nest),
        }
    }

    /// Some of the loops, at least one if there is one.
    fn some_of(&mut self, axes: &[Axis]) -> Vec<Axis> {
        let mut result = axes.to_vec();
        while result.len() > 1 && self.random.chance(40) {
            let at = self.random.below(result.len());
            result.remove(at);
        }
        result
    }

    /// An element of an array of the cells: `g[e][2]`, `g[e][i]`.
    pub fn cell_factor(&mut self, nest: &Nest, axes: &[Axis]) -> Expr {
        let mut all = axes.to_vec();
        if axes.is_empty() && self.random.chance(50) || axes.is_empty() && nest.cells.is_none() {
            let extent = self.random.between(1, 3);
            let at = self.random.below(extent);
            all.push(Axis::constant(at.to_string(), extent));
        }
        let length = nest.cells.as_ref().map(|cells| cells.length);
        let name = nest.cells.as_ref().map(|cells| cells.name.clone());
        self.array_element(length.zip(name), &all)
    }

    /// An element of an array whose slice's dimension is the first loop.
    fn array_factor(&mut self, axes: &[Axis]) -> Expr {
        let (first, rest) = (&axes[0], &axes[1..]);
        let length = first.last().plus(Linear::constant(1));
        self.array_element(Some((length, first.name.clone())), rest)
    }

    /// `x[e][i]` of an array that exists, or of a new one.
    fn array_element(&mut self, slice: Option<(Linear, String)>, axes: &[Axis]) -> Expr {
        let mut shape: Vec<usize> = axes.iter().map(|axis| axis.extent).collect();
        let mut lengths: Vec<Linear> = slice.iter().map(|(length, _)| *length).collect();
        let rank = shape.len() + lengths.len();
        let mut view = Vec::new();
        if (1..=views::MOST).contains(&rank) && self.wants_view() {
            let extents = shape.drain(..).map(|n| Linear::constant(n as i64));
            let dimensions = lengths.drain(..).chain(extents);
            view = dimensions.map(Dimension::fixed).collect();
        }
        let fits = |p: &&Parameter| {
            let same = p.shape == shape && p.lengths == lengths && p.view == view && !p.single;
            let slice = slice.is_some() || !view.is_empty();
            p.role == Role::Input && p.slice == slice && same
        };
        let existing: Vec<String> = self
            .parameters
            .iter()
            .filter(fits)
            .map(|p| p.name.clone())
            .collect();
        let name = if !existing.is_empty() && self.random.chance(60) {
            self.random.pick(&existing)
        } else {
            let name = self.fresh("g");
            self.parameters.push(Parameter {
                name: name.clone(),
                role: Role::Input,
                slice: slice.is_some() || !view.is_empty(),
                shape,
                lengths,
                fixed: false,
                single: false,
                view: view.clone(),
            });
            name
        };
        let first = slice.map(|(_, variable)| variable);
        let subscripts = first.iter().chain(axes.iter().map(|axis| &axis.name));
        let subscripts: Vec<String> = subscripts.cloned().collect();
        if !view.is_empty() {
            return input(self.at_subscripts(&name, &subscripts));
        }
        let subscripts = subscripts.iter().map(|name| format!("[{name}]"));
        input(format!("{name}{}", subscripts.collect::<String>()))
    }

    /// An entry of a table over some loops.
    pub fn table_factor(&mut self, axes: &[Axis]) -> Expr {
        let mut axes = axes.to_vec();
        if axes.len() > 1 && self.random.chance(20) {
            axes.reverse();
        }
        let table = self.table(&axes);
        self.entry(&table, &axes)
    }

    fn entry(&mut self, table: &str, axes: &[Axis]) -> Expr {
        let subscripts = axes.iter().map(|axis| format!("[{}]", axis.name));
        let text = format!("{table}{}", subscripts.collect::<String>());
        input(match self.generic() {
            true => format!("T::from_f64({text})"),
            false => text,
        })
    }

    /// A table over some loops, sometimes one that there is already.
    fn table(&mut self, axes: &[Axis]) -> String {
        let shape: Vec<usize> = axes.iter().map(|axis| axis.extent).collect();
        let existing = self.tables.iter();
        let fits = existing.filter(|t| !t.integers && t.shape == shape && t.bound <= NUMBER);
        let existing: Vec<String> = fits.map(|t| t.name.clone()).collect();
        if !existing.is_empty() && self.random.chance(65) {
            return self.random.pick(&existing);
        }
        let values = match self.random.weighted(&[5, 3]) {
            0 => self.structured(&shape),
            _ => self.separable(&shape),
        };
        self.known_table(&shape, &values, NUMBER)
    }

    /// Values that are products of one number for each subscript, some of which are ones.
    fn separable(&mut self, shape: &[usize]) -> String {
        let values = [0.0, 1.0, 1.0, 0.5, -1.0, 0.75, 1.25];
        let mut lines: Vec<Vec<f64>> = Vec::new();
        for extent in shape {
            let constant = self.random.chance(35);
            let line = (0..*extent).map(|_| self.random.pick(&values));
            let line: Vec<f64> = line.collect();
            lines.push(if constant { vec![1.0; *extent] } else { line });
        }
        fn nested(lines: &[Vec<f64>], product: f64) -> String {
            let Some((line, rest)) = lines.split_first() else {
                return format!("{product:?}");
            };
            let parts = line.iter().map(|value| nested(rest, product * value));
            format!("[{}]", parts.collect::<Vec<_>>().join(", "))
        }
        nested(&lines, 1.0)
    }
}

/// A number that is read, not rounded.
pub fn input(text: String) -> Expr {
    Expr {
        bound: NUMBER,
        error: 0.0,
        literal: false,
        reads: true,
        ..join(text, 0, &[])
    }
}
