//! Sums of products over tables: element matrices and vectors of every kind, which is what the
//! compiler's searches for fewer operations act on.
//!
//! Factors are tables, arrays of the cell that the loop around is at, and scalars. They are
//! written with [`AXIS`] for a loop of the output, so that two loops can have the same ones.

use super::expressions::{at_level, join};
use super::factors::{AXIS, Axis, Cells, Nest};
use super::range::Linear;
use super::scope::{Dimension, Expr, Mark, Parameter, Role};
use super::{Generator, views};

/// Iterations of the loops of a contraction at most, and how often it is so many: what tiles make of
/// larger ones takes long to compile.
const LONGEST: [usize; 3] = [30, 50, 90];
const OFTEN: [usize; 3] = [14, 5, 1];

/// Where the result of a contraction goes.
struct Target {
    output: usize,
    /// Blocks along the diagonal, and whether the numbers of one are next to each other.
    blocks: usize,
    together: bool,
    /// How many of the iterations around add to one number.
    trips: f64,
}

impl Generator {
    /// `a[e][i][j] += W[q] * c[e] * PHI[q][i] * PHI[q][j] + …;` in loops that come in any order.
    pub fn contraction(&mut self) {
        let around = self.constant_trips();
        let longest = LONGEST[self.random.weighted(&OFTEN)] as f64;
        let mut nest = self.nest((longest / around) as usize);
        for _ in 0..self.random.weighted(&[4, 3, 1]) {
            self.cell_scalar(&mut nest);
        }
        let target = self.target(&nest);
        let inside = !nest.sums.is_empty() && self.random.chance(25);
        let mut marks = Vec::new();
        if inside {
            // The sum is finished before it is added to the output.
            let outer = self.random.below(nest.free.len() + 1);
            let free = nest.free.clone();
            if self.random.chance(30) && outer > 0 {
                self.cell_scalar(&mut nest);
            }
            free.iter()
                .for_each(|axis| marks.push(self.axis_loop(axis)));
            self.finished_sum(&mut nest, &target);
        } else {
            let mut axes: Vec<(bool, Axis)> = nest.sums.iter().map(|a| (true, a.clone())).collect();
            axes.extend(nest.free.iter().map(|a| (false, a.clone())));
            self.shuffle_outwards(&mut axes);
            for (sum, axis) in &axes {
                marks.push(self.axis_loop(axis));
                if *sum && self.random.chance(35) {
                    self.point_scalar(&mut nest, axis);
                }
            }
            self.accumulated_products(&mut nest, &target);
        }
        self.close_loops(marks);
    }

    /// Iterations of the loops around whose ranges are known.
    fn constant_trips(&self) -> f64 {
        let known = |v: &&super::range::Integer| v.is_loop && v.high.known().is_some();
        let loops = self.scope.integers.iter().filter(known);
        loops.map(super::range::Integer::trips).product()
    }

    /// Any order, most often that of quadrature: sums outside.
    fn shuffle_outwards(&mut self, axes: &mut [(bool, Axis)]) {
        if self.random.chance(50) {
            return;
        }
        for at in (1..axes.len()).rev() {
            axes.swap(at, self.random.below(at + 1));
        }
    }

    pub fn axis_loop(&mut self, axis: &Axis) -> Mark {
        let range = match &axis.size {
            Some(size) => format!("0..{size}"),
            None => format!("0..{}", axis.extent),
        };
        self.enter(axis.name.clone(), &range, 0, axis.last())
    }

    /// `let c = g[e][0] * g[e][1] + 2.0 * h[e];`
    fn cell_scalar(&mut self, nest: &mut Nest) {
        let mut value = self.cell_factor(nest, &[]);
        for _ in 0..self.random.between(0, 2) {
            let other = self.cell_factor(nest, &[]);
            value = match self.random.chance(60) {
                true => times(&value, &other),
                false => plus(&value, &other, self.random.pick(&['+', '-'])),
            };
        }
        self.named_scalar(nest, &value);
    }

    /// A scalar variable that factors may be from here on.
    fn named_scalar(&mut self, nest: &mut Nest, value: &Expr) {
        let (name, ty) = (self.fresh("c"), self.type_name());
        self.line(&format!("let {name}: {ty} = {};", value.text));
        self.declare(name.clone(), value.bound, value.error);
        let (bound, error) = (value.bound, value.error);
        nest.scalars.push(Expr {
            bound,
            error,
            literal: false,
            ..join(name, 0, &[value])
        });
    }

    /// What depends on the point of a sum: `let f = W[q] * c[e];`, or a sum over functions.
    fn point_scalar(&mut self, nest: &mut Nest, point: &Axis) {
        let points = std::slice::from_ref(point);
        if self.random.chance(50) {
            let value = times(&self.table_factor(points), &self.cell_factor(nest, &[]));
            return self.named_scalar(nest, &value);
        }
        let zero = self.constant(0.0);
        let (name, ty) = (self.fresh("f"), self.type_name());
        self.line(&format!("let mut {name}: {ty} = {};", zero.text));
        let extent = self.random.between(1, 4);
        let inner = Axis::constant(self.fresh("k"), extent);
        let around = self.scope.trips();
        let mark = self.axis_loop(&inner);
        let value = times(
            &self.cell_factor(nest, std::slice::from_ref(&inner)),
            &self.table_factor(&[point.clone(), inner.clone()]),
        );
        self.line(&format!("{name} += {};", value.text));
        let trips = self.scope.trips() / around;
        self.close_loop(mark);
        let sum = summed(name.clone(), &value, trips);
        self.declare(name, sum.bound, sum.error);
        nest.scalars.push(sum);
    }

    /// `let mut s = 0.0; for q in … { s += …; } a[e][i][j] += s;`
    fn finished_sum(&mut self, nest: &mut Nest, target: &Target) {
        let zero = self.constant(0.0);
        let (name, ty) = (self.fresh("s"), self.type_name());
        self.line(&format!("let mut {name}: {ty} = {};", zero.text));
        let sums = nest.sums.clone();
        let before = nest.scalars.len();
        let around = self.scope.trips();
        let mut marks = Vec::new();
        for axis in &sums {
            marks.push(self.axis_loop(axis));
            if self.random.chance(20) {
                self.point_scalar(nest, axis);
            }
        }
        let value = self.products(nest);
        self.line(&format!("{name} += {};", value.text));
        let trips = self.scope.trips() / around;
        self.close_loops(marks);
        // What was bound inside is out of reach.
        nest.scalars.truncate(before);
        let mut sum = summed(name, &value, trips);
        if self.random.chance(40) {
            let factor = self.cell_factor(nest, &[]);
            sum = times(&factor, &sum);
        }
        let trips = target.trips / trips;
        for block in self.blocks(target) {
            self.add_to(nest, target, block, trips, &sum);
        }
    }

    /// One statement or several that add sums of products to the output.
    fn accumulated_products(&mut self, nest: &mut Nest, target: &Target) {
        let mut value = self.products(nest);
        for block in self.blocks(target) {
            self.add_to(nest, target, block, target.trips, &value);
            if self.random.chance(40) {
                value = self.products(nest);
            }
        }
        if self.random.chance(12) {
            let value = self.products(nest);
            self.add_to(nest, target, (0, 0), target.trips, &value);
        }
    }

    /// Blocks that statements are written for: those of the diagonal, and sometimes another.
    fn blocks(&mut self, target: &Target) -> Vec<(usize, usize)> {
        let count = target.blocks;
        let mut result: Vec<_> = (0..count).map(|block| (block, block)).collect();
        if count > 1 && self.random.chance(30) {
            result.push((self.random.below(count), self.random.below(count)));
        }
        result
    }

    /// `a[e][2 * i + 1][2 * j + 1] += value;`
    fn add_to(
        &mut self,
        nest: &Nest,
        target: &Target,
        (row, column): (usize, usize),
        trips: f64,
        value: &Expr,
    ) {
        let parameter = &self.parameters[target.output];
        let (name, view) = (parameter.name.clone(), !parameter.view.is_empty());
        let scalar = !parameter.slice && parameter.shape.is_empty();
        let cells = nest.cells.iter().filter(|_| nest.of_cells);
        let mut subscripts: Vec<String> = cells.map(|cells| cells.name.clone()).collect();
        for (at, axis) in nest.free.iter().enumerate() {
            let block = if at == 0 { row } else { column };
            let (name, count) = (&axis.name, target.blocks);
            let shift = match target.together {
                true => block * axis.extent,
                false => block,
            };
            let stride = match target.together || count == 1 {
                true => name.clone(),
                false => format!("{count} * {name}"),
            };
            subscripts.push(match shift {
                0 => stride,
                _ => format!("{stride} + {shift}"),
            });
        }
        let place = match (scalar, view) {
            (true, _) => format!("*{name}"),
            (_, true) => self.at_subscripts(&name, &subscripts),
            _ => format!("{name}[{}]", subscripts.join("][")),
        };
        let operator = if self.random.chance(85) { "+=" } else { "-=" };
        self.line(&format!("{place} {operator} {};", value.text));
        self.adds(target.output, trips, value);
    }

    /// The output of a contraction.
    fn target(&mut self, nest: &Nest) -> Target {
        let known = nest.free.iter().all(|axis| axis.size.is_none());
        let blocks = match nest.free.len() {
            1 | 2 if known => self.random.weighted(&[0, 12, 2, 1]),
            _ => 1,
        };
        let mut lengths: Vec<Linear> = Vec::new();
        let mut shape = Vec::new();
        if let Some(Cells { length, .. }) = nest.cells.as_ref().filter(|_| nest.of_cells) {
            lengths.push(*length);
        }
        for axis in &nest.free {
            match axis.size {
                Some(_) => lengths.push(axis.last().plus(Linear::constant(1))),
                None => shape.push(axis.extent * blocks),
            }
        }
        let name = self.fresh("a");
        let mut view = Vec::new();
        if (1..=views::MOST).contains(&(lengths.len() + shape.len())) && self.wants_view() {
            let extents = shape.drain(..).map(|n| Linear::constant(n as i64));
            let dimensions = lengths.drain(..).chain(extents);
            view = dimensions.map(Dimension::fixed).collect();
        }
        self.parameters.push(Parameter {
            name,
            role: Role::Output {
                bound: 2.0,
                error: 4.0,
                assigned: false,
            },
            slice: !lengths.is_empty() || !view.is_empty(),
            shape,
            lengths,
            fixed: false,
            single: false,
            view,
        });
        // Loops of the output's dimensions reach other numbers each time.
        let sums: f64 = nest.sums.iter().map(Axis::trips).product();
        let around = self.scope.trips();
        let apart = nest.cells.as_ref().filter(|_| nest.of_cells);
        let apart = apart.map_or(1.0, |cells| cells.trips);
        Target {
            output: self.parameters.len() - 1,
            blocks,
            together: self.random.chance(50),
            trips: sums * around / apart,
        }
    }

    /// A sum of products of factors.
    fn products(&mut self, nest: &Nest) -> Expr {
        let count = 1 + self.random.weighted(&[8, 8, 2]);
        let mut sum: Option<Expr> = None;
        for _ in 0..count {
            let term = self.monomial(nest);
            let sign = if self.random.chance(75) { '+' } else { '-' };
            sum = Some(match sum {
                Some(sum) => plus(&sum, &term, sign),
                None => term,
            });
        }
        let mut sum = sum.unwrap_or_else(|| self.literal());
        if self.random.chance(35) {
            let common = self.monomial_factor(nest);
            sum = times(&common, &sum);
        }
        sum
    }

    /// A product: a function for each of the output's loops, and what else there is.
    fn monomial(&mut self, nest: &Nest) -> Expr {
        let mut factors: Vec<Expr> = Vec::new();
        let mut last: Option<(usize, Expr)> = None;
        for axis in &nest.free {
            let same = last
                .take()
                .filter(|(extent, _)| *extent == axis.extent && axis.size.is_none());
            let function = match same.filter(|_| self.random.chance(65)) {
                Some((_, function)) => function,
                None => self.function_of(nest, axis),
            };
            factors.push(Expr {
                text: function.text.replace(AXIS, &axis.name),
                ..function.clone()
            });
            if axis.size.is_none() {
                last = Some((axis.extent, function));
            }
        }
        for _ in 0..self.random.weighted(&[3, 4, 2, 1]) {
            factors.push(self.monomial_factor(nest));
        }
        if factors.is_empty() {
            factors.push(self.monomial_factor(nest));
        }
        for at in (1..factors.len()).rev() {
            factors.swap(at, self.random.below(at + 1));
        }
        let mut factors = factors.into_iter();
        let first = factors.next().unwrap_or_else(|| self.literal());
        factors.fold(first, |product, factor| times(&product, &factor))
    }
}

/// A product of two expressions.
pub fn times(a: &Expr, b: &Expr) -> Expr {
    let (left, right) = (at_level(a, 2), at_level(b, 1));
    Expr {
        bound: a.bound * b.bound,
        error: a.error * b.bound + b.error * a.bound + a.bound * b.bound,
        ..join(format!("{left} * {right}"), 2, &[a, b])
    }
}

/// A sum or a difference of two expressions.
pub fn plus(a: &Expr, b: &Expr, sign: char) -> Expr {
    let (left, right) = (at_level(a, 3), at_level(b, 2));
    Expr {
        bound: a.bound + b.bound,
        error: a.error + b.error + a.bound + b.bound,
        ..join(format!("{left} {sign} {right}"), 3, &[a, b])
    }
}

/// A variable that a value is added to so many times.
pub fn summed(name: String, value: &Expr, trips: f64) -> Expr {
    Expr {
        bound: trips * value.bound,
        error: trips * (value.error + value.bound),
        literal: false,
        ..join(name, 0, &[value])
    }
}
