//! Stencils: weighted sums and extrema of neighbours in one to three dimensions, with the sides left out, clamped,
//! periodic or chosen by conditions, after each other through arrays that the kernel allocates.

use super::range::Linear;
use super::scope::{Dimension, Parameter, Role};
use super::{Generator, Real};

/// How the elements of a grid are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// A slice of elements, or of rows of constant length.
    Rows,
    /// A slice of which rows have a length that is known when the kernel runs.
    Flat,
    /// A view.
    View,
}

/// What neighbours beyond the sides are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sides {
    /// Loops stay away from the sides.
    Inside,
    /// Loops begin at the first element that is read.
    Shifted,
    Clamped,
    Saturating,
    Periodic,
    Conditional,
}

/// The grid that a kernel runs over.
pub(super) struct Grid {
    pub(super) layout: Layout,
    pub(super) sides: Sides,
    /// Its extents as the text has them, and as the tool knows them.
    pub(super) extents: Vec<(String, Linear)>,
    /// Loop variables, one a dimension.
    pub(super) at: Vec<&'static str>,
    /// How far neighbours are.
    pub(super) reach: i64,
}

/// An array on the grid.
pub(super) struct Field {
    pub(super) name: String,
    pub(super) bound: f64,
    pub(super) error: f64,
}

impl Generator {
    /// One stencil, or two of which the second reads what the first gave.
    pub fn stencils(&mut self) {
        self.choose_differencing(40);
        let grid = self.grid();
        let count = self.random.weighted(&[0, 4, 1]);
        let mut fields: Vec<Field> = (0..count).map(|_| self.input_on(&grid, "x")).collect();
        let twice = grid.layout != Layout::View && self.random.chance(25);
        if twice {
            let name = self.fresh("between");
            let length = match grid.layout {
                Layout::Flat => {
                    let extents: Vec<&str> = grid.extents.iter().map(|e| e.0.as_str()).collect();
                    extents.join(" * ")
                }
                _ => grid.extents[0].0.clone(),
            };
            let zero = self.constant(0.0).text;
            let element = match grid.layout {
                Layout::Rows => grid
                    .row()
                    .iter()
                    .rev()
                    .fold(zero, |element, n| format!("[{element}; {n}]")),
                _ => zero,
            };
            self.line(&format!("let mut {name} = vec![{element}; {length}];"));
            let (bound, error) = self.sweep_over(&grid, &fields, &name);
            fields.insert(0, Field { name, bound, error });
            if self.random.chance(50) {
                fields.truncate(1);
            }
        }
        for _ in 0..self.random.weighted(&[0, 6, 1]) {
            let name = self.fresh("y");
            let (bound, error) = self.sweep_over(&grid, &fields, &name);
            let role = Role::Output {
                bound,
                error,
                assigned: true,
            };
            self.array_on(&grid, name, role);
        }
    }

    fn grid(&mut self) -> Grid {
        let rank = self.random.weighted(&[0, 3, 5, 1]);
        let layout = match (rank, self.views) {
            (_, true) => Layout::View,
            (1, _) => Layout::Rows,
            _ => self.random.pick(&[Layout::Rows, Layout::Flat]),
        };
        let sides = [
            Sides::Inside,
            Sides::Shifted,
            Sides::Clamped,
            Sides::Saturating,
            Sides::Periodic,
            Sides::Conditional,
        ];
        let sides = sides[self.random.weighted(&[5, 4, 3, 2, 2, 2])];
        let reach = match (sides, rank) {
            (Sides::Saturating | Sides::Conditional, _) | (_, 3) => 1,
            (_, 1) => self.random.pick(&[1, 2, 3, 4, 7]),
            _ => self.random.between(1, 2) as i64,
        };
        let mut extents = Vec::new();
        for axis in 0..rank {
            let shortest = match sides {
                Sides::Inside | Sides::Shifted => 5,
                _ => 1,
            };
            let known = Linear::constant(self.random.pick(&[shortest, 5, 8, 11, 17]));
            let size = match axis {
                0 if rank == 1 => Linear::size('n', 0).times(3).plus(Linear::constant(2)),
                0 => Linear::size('n', 0),
                _ => known,
            };
            let text = match (layout, axis) {
                (Layout::Rows, 1..) => known.constant.to_string(),
                _ => self.size_of(size),
            };
            extents.push((text, size));
        }
        Grid {
            layout,
            sides,
            extents,
            at: ["i", "j", "k"][..rank].to_vec(),
            reach,
        }
    }

    /// An integer parameter.
    fn size_of(&mut self, value: Linear) -> String {
        let name = self.fresh("count_");
        self.parameters.push(Parameter {
            name: name.clone(),
            role: Role::Size(value),
            slice: false,
            shape: Vec::new(),
            lengths: vec![value],
            fixed: true,
            single: false,
            view: Vec::new(),
        });
        name
    }

    fn input_on(&mut self, grid: &Grid, base: &str) -> Field {
        let name = self.fresh(base);
        self.array_on(grid, name.clone(), Role::Input);
        Field {
            name,
            bound: 2.0,
            error: 0.0,
        }
    }

    /// A parameter with the grid's extents.
    fn array_on(&mut self, grid: &Grid, name: String, role: Role) {
        let first = grid.extents[0].1;
        let all = |factor: i64, extent: &(String, Linear)| factor * extent.1.constant;
        let inner = grid.extents[1..].iter().fold(1, all);
        let (shape, lengths, view) = match grid.layout {
            Layout::Rows => (grid.row(), vec![first], Vec::new()),
            Layout::Flat => (Vec::new(), vec![first.times(inner)], Vec::new()),
            Layout::View => {
                let view = grid.extents.iter().map(|extent| Dimension::fixed(extent.1));
                (Vec::new(), Vec::new(), view.collect())
            }
        };
        self.parameters.push(Parameter {
            name,
            role,
            slice: true,
            shape,
            lengths,
            fixed: true,
            single: false,
            view,
        });
    }

    /// Loops that assign elements of an array; bounds of these and of their errors.
    fn sweep_over(&mut self, grid: &Grid, fields: &[Field], to: &str) -> (f64, f64) {
        let mut marks = Vec::new();
        for (at, (extent, size)) in grid.at.iter().zip(&grid.extents) {
            let reach = grid.reach;
            let range = match grid.sides {
                Sides::Inside => format!("{reach}..{extent} - {reach}"),
                Sides::Shifted => format!("0..{extent} - {}", 2 * reach),
                // The type is known where methods are called, as Rust wants it.
                _ => match grid.layout {
                    Layout::Rows if *at != "i" => format!("0..{extent}usize"),
                    _ => format!("0..{extent}"),
                },
            };
            marks.push(self.enter((*at).to_owned(), &range, 0, size.plus(Linear::constant(-1))));
        }
        let (mut text, mut bound, mut error) = self.neighbours(grid, fields);
        match self.random.below(5) {
            0 => {
                let (other, b, e) = self.neighbours(grid, fields);
                (text, bound, error) = match self.random.chance(40) && bound * b < 1e3 {
                    true => (
                        format!("{text} * {other}"),
                        bound * b,
                        bound * e + b * error + bound * b,
                    ),
                    false => (
                        format!("{text} - {other}"),
                        bound + b,
                        error + e + bound + b,
                    ),
                };
            }
            1 => {
                let of = self.random.pick(&(0..fields.len()).collect::<Vec<_>>());
                let field = &fields[of];
                let (here, factor) = (
                    self.neighbour(grid, &field.name, &vec![0; grid.at.len()]),
                    self.constant(0.375),
                );
                text = format!("{here} + {} * {text}", factor.text);
                (bound, error) = (
                    bound + field.bound,
                    error + field.error + bound + field.bound,
                );
            }
            2 if self.real != Real::Scalar => text = format!("({text}).abs()"),
            _ => {}
        }
        let place = self.written_at(grid, to);
        self.line(&format!("{place} = {text};"));
        self.close_loops(marks);
        (bound, error + bound)
    }

    /// What an element is made of, in parentheses, with bounds of it and of its error.
    fn neighbours(&mut self, grid: &Grid, fields: &[Field]) -> (String, f64, f64) {
        let field = &fields[self.random.below(fields.len())];
        let rank = grid.at.len();
        let by_loops = !matches!(grid.sides, Sides::Saturating | Sides::Conditional);
        if by_loops && self.random.chance(35) {
            return self.window(grid, field);
        }
        let extremum = self.real != Real::Scalar && self.random.chance(12);
        let cross = self.random.chance(40);
        let mut offsets = Vec::new();
        let side = 2 * grid.reach + 1;
        for number in 0..side.pow(rank as u32) {
            let mut rest = number;
            let offset = (0..rank).map(|_| {
                let along = rest % side - grid.reach;
                rest /= side;
                along
            });
            let offset: Vec<i64> = offset.collect();
            let away = offset.iter().filter(|along| **along != 0).count();
            if !(cross && away > 1) && offsets.len() < 27 {
                offsets.push(offset);
            }
        }
        if self.random.chance(30) {
            offsets.retain(|_| self.random.chance(60));
        }
        if offsets.is_empty() {
            offsets.push(vec![0; rank]);
        }
        let reads: Vec<String> = offsets
            .iter()
            .map(|o| self.neighbour(grid, &field.name, o))
            .collect();
        if extremum {
            let method = self.random.pick(&["min", "max"]);
            let (first, rest) = reads.split_first().expect("there is one");
            let rest: String = rest
                .iter()
                .map(|read| format!(".{method}({read})"))
                .collect();
            return (format!("{first}{rest}"), field.bound, field.error);
        }
        let weights = self.weights(&offsets);
        let alike = self.random.chance(30);
        let terms: Vec<String> = reads
            .iter()
            .zip(&weights)
            .map(|(read, weight)| match alike {
                true => read.clone(),
                false => format!("{} * {read}", self.constant(*weight).text),
            })
            .collect();
        let total: f64 = match alike {
            true => terms.len() as f64,
            false => weights.iter().map(|weight| weight.abs()).sum(),
        };
        let (bound, count) = (total * field.bound, terms.len() as f64);
        (
            format!("({})", terms.join(" + ")),
            bound,
            total * field.error + count * bound,
        )
    }

    /// The weights of neighbours.
    fn weights(&mut self, offsets: &[Vec<i64>]) -> Vec<f64> {
        let few = [0.25, -0.5, 0.125, 1.5, -2.0, 0.3];
        let of = self.random.between(1, 3);
        // By how far away a neighbour is, or any.
        let classes = self.random.chance(70);
        let random: Vec<f64> = (0..8).map(|_| self.random.pick(&few)).collect();
        let class = |offset: &[i64]| match classes {
            true => {
                let away = offset.iter().map(|along| along.unsigned_abs() as usize);
                away.sum::<usize>() % of.max(2)
            }
            false => offset
                .iter()
                .fold(3, |h, along| (7 * h + along.unsigned_abs() as usize) % 8),
        };
        offsets.iter().map(|offset| random[class(offset)]).collect()
    }

    /// The element that is written.
    fn written_at(&mut self, grid: &Grid, name: &str) -> String {
        let at: Vec<String> = grid.at.iter().map(|at| (*at).to_owned()).collect();
        self.element_at(grid, name, &at)
    }

    /// A neighbour.
    fn neighbour(&mut self, grid: &Grid, name: &str, offset: &[i64]) -> String {
        let subscripts = grid.at.iter().zip(offset).zip(&grid.extents);
        let subscripts: Vec<String> = subscripts
            .map(|((at, along), (extent, _))| neighbour(grid, at, *along, extent))
            .collect();
        self.element_at(grid, name, &subscripts)
    }

    pub(super) fn element_at(&mut self, grid: &Grid, name: &str, subscripts: &[String]) -> String {
        match grid.layout {
            Layout::Rows => format!("{name}[{}]", subscripts.join("][")),
            Layout::View => self.at_subscripts(name, subscripts),
            Layout::Flat => {
                let mut flat = format!("({})", subscripts[0]);
                for (subscript, (extent, _)) in subscripts.iter().zip(&grid.extents).skip(1) {
                    flat = format!("({flat} * {extent} + ({subscript}))");
                }
                format!("{name}[{flat}]")
            }
        }
    }
}

impl Grid {
    /// The extents of a row of constant length.
    fn row(&self) -> Vec<usize> {
        self.extents[1..]
            .iter()
            .map(|extent| extent.1.constant as usize)
            .collect()
    }
}

/// The subscript of a neighbour along one dimension.
fn neighbour(grid: &Grid, at: &str, along: i64, extent: &str) -> String {
    let shifted = |by: i64| match by {
        0 => at.to_owned(),
        by if by < 0 => format!("{at} - {}", -by),
        by => format!("{at} + {by}"),
    };
    match (grid.sides, along) {
        (Sides::Inside, along) => shifted(along),
        (Sides::Shifted, along) => shifted(along + grid.reach),
        (_, 0) => at.to_owned(),
        (Sides::Clamped, along) => {
            let reach = grid.reach;
            format!(
                "({}).max({reach}).min({extent} - 1 + {reach}) - {reach}",
                shifted(along + reach)
            )
        }
        (Sides::Saturating, ..0) => format!("{at}.saturating_sub({})", -along),
        (Sides::Saturating, along) => format!("({at} + {along}).min({extent} - 1)"),
        (Sides::Periodic, ..0) => format!("({at} + {extent} - {}) % {extent}", -along),
        (Sides::Periodic, along) => format!("({at} + {along}) % {extent}"),
        (Sides::Conditional, ..0) => format!("if {at} > 0 {{ {at} - 1 }} else {{ 0 }}"),
        (Sides::Conditional, _) => {
            format!("if {at} + 1 < {extent} {{ {at} + 1 }} else {{ {extent} - 1 }}")
        }
    }
}
