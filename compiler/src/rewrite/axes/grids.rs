//! Which loops, and which dimensions of temporaries, run over points or nodes of a product cell.
//!
//! A loop is known by the tables that it subscripts; what is computed in it, and the loops that read
//! that, follow. A loop that subscripts tables of two kinds, or whose temporary is read in another
//! order, stays as it is.

use crate::collections::HashMap;
use crate::elements::Lattice;
use crate::ir::{Access, Affine, ArrayId, Equation, Extent, IndexId, Program, Role};

/// Points of a product rule, or nodes of a product element, in some order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// The number of axes.
    pub axes: usize,
    /// How many along each axis, and in which order.
    pub lattice: Lattice,
}

impl Grid {
    /// How many along each axis.
    pub fn along(&self) -> usize {
        self.lattice.along
    }

    /// All points or nodes.
    pub fn size(&self) -> usize {
        self.lattice.places.len()
    }

    /// Whether the last axis runs fastest.
    pub fn is_lexicographic(&self) -> bool {
        let numbers = self.lattice.numbers(self.axes);
        numbers.into_iter().eq(0..self.size())
    }

    /// Where a point or node is along each axis.
    pub fn places(&self, at: usize) -> Vec<i64> {
        let places = self.lattice.places[at][..self.axes].iter();
        places.map(|place| *place as i64).collect()
    }
}

/// A loop of an equation, or a dimension of a temporary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Loop(usize, IndexId),
    Dimension(ArrayId, usize),
}

/// What the loops and dimensions of a program run over.
#[derive(Debug, Default)]
pub struct Grids {
    numbers: HashMap<Key, usize>,
    parents: Vec<usize>,
    found: Vec<Found>,
}

/// What is known of loops and dimensions that go together.
#[derive(Clone, Debug, PartialEq)]
enum Found {
    Nothing,
    One(Grid),
    /// They cannot be split.
    Blocked,
}

impl Found {
    fn and(self, other: Found) -> Found {
        match (self, other) {
            (Found::Nothing, found) | (found, Found::Nothing) => found,
            (Found::One(a), Found::One(b)) if a == b => Found::One(a),
            _ => Found::Blocked,
        }
    }
}

impl Grids {
    /// The grids of a program.
    pub fn of(program: &Program) -> Grids {
        let mut grids = Grids::default();
        for (at, equation) in program.equations.iter().enumerate() {
            let kept = kept(program, equation);
            grids.access(program, at, &equation.target, &kept);
            for (_, access) in program.pool.accesses([equation.expr]) {
                grids.access(program, at, access, &kept);
            }
        }
        grids
    }

    /// What a loop of an equation runs over.
    pub fn of_loop(&self, equation: usize, index: IndexId) -> Option<Grid> {
        self.get(Key::Loop(equation, index))
    }

    /// What a dimension of a temporary runs over.
    pub fn of_dimension(&self, array: ArrayId, dimension: usize) -> Option<Grid> {
        self.get(Key::Dimension(array, dimension))
    }

    fn access(&mut self, program: &Program, at: usize, access: &Access, kept: &[IndexId]) {
        let array = program.array(access.array);
        let wanted = |index: &IndexId| !kept.contains(index);
        let pairs = access.subscripts.iter().zip(&array.shape).enumerate();
        if array.product.is_some() {
            for (dimension, (subscript, _)) in pairs {
                let grid = table_grid(program, access.array, dimension);
                let index = subscript.as_index().filter(wanted);
                if let (Some(index), Some(grid)) = (index, grid) {
                    let length = program.loop_index(index).extent.as_constant();
                    let whole = length == Some(grid.size());
                    let found = if whole {
                        Found::One(grid)
                    } else {
                        Found::Blocked
                    };
                    self.add(Key::Loop(at, index), found);
                }
            }
        } else if matches!(array.role, Role::Temporary) {
            for (dimension, (subscript, extent)) in pairs {
                let own = Key::Dimension(access.array, dimension);
                match (subscript.as_index(), subscript.as_constant()) {
                    (Some(index), _) if program.loop_index(index).extent != *extent => {
                        self.add(own, Found::Blocked);
                    }
                    (Some(index), _) if wanted(&index) => self.join(own, Key::Loop(at, index)),
                    (Some(_), _) | (_, Some(_)) => {}
                    _ => self.add(own, Found::Blocked),
                }
            }
        }
    }

    fn number(&mut self, key: Key) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.parents.push(next);
            self.found.push(Found::Nothing);
        }
        self.root(number)
    }

    fn root(&self, mut number: usize) -> usize {
        while self.parents[number] != number {
            number = self.parents[number];
        }
        number
    }

    fn add(&mut self, key: Key, found: Found) {
        let number = self.number(key);
        self.found[number] = self.found[number].clone().and(found);
    }

    fn join(&mut self, a: Key, b: Key) {
        let (a, b) = (self.number(a), self.number(b));
        if a != b {
            self.parents[b] = a;
            self.found[a] = self.found[a].clone().and(self.found[b].clone());
        }
    }

    fn get(&self, key: Key) -> Option<Grid> {
        let number = self.root(*self.numbers.get(&key)?);
        match &self.found[number] {
            Found::One(grid) => Some(grid.clone()),
            Found::Nothing | Found::Blocked => None,
        }
    }
}

/// What a dimension of a table runs over, if that is a grid worth splitting.
pub fn table_grid(program: &Program, array: ArrayId, dimension: usize) -> Option<Grid> {
    let array = program.array(array);
    let product = array.product.as_ref()?;
    let dimensions = product.dimensions(array.shape.len());
    let lattice = match dimensions.iter().position(|own| *own == dimension)? {
        0 => &product.points,
        _ => product
            .nodes
            .as_ref()
            .filter(|_| product.components.is_none())?,
    };
    (lattice.along > 1).then(|| Grid {
        axes: product.axes,
        lattice: lattice.clone(),
    })
}

/// The loops of an equation that stay: outputs are written in their own order.
fn kept(program: &Program, equation: &Equation) -> Vec<IndexId> {
    match program.array(equation.target.array).role {
        Role::Temporary => Vec::new(),
        _ => equation.free.clone(),
    }
}

/// Whether tables that are products are subscripted by a loop that an output is written in.
pub fn writes_grid(program: &Program, equation: &Equation) -> bool {
    let kept = kept(program, equation);
    let accesses = program.pool.accesses([equation.expr]);
    accesses.into_iter().any(|(_, access)| {
        let by_kept = |(dimension, subscript): (usize, &Affine)| {
            let index = subscript.as_index().filter(|index| kept.contains(index));
            let length = |index| program.loop_index(index).extent.clone();
            table_grid(program, access.array, dimension)
                .zip(index)
                .is_some_and(|(grid, index)| length(index) == Extent::Constant(grid.size()))
        };
        access.subscripts.iter().enumerate().any(by_kept)
    })
}
