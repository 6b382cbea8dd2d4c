//! The tables that split loops read: those over the line, and where each node is.

use std::rc::Rc;

use super::grids::Grid;
use crate::ir::{Access, Affine, ArrayId, Element, Expr, ExprId, Extent, Factor, Program, Role};
use crate::number::Number;
use crate::rewrite::index_table::index_table;
use crate::rewrite::normalise::product as product_of;

/// A table, and the grids that its dimensions run over.
type Split = (ArrayId, Vec<Option<Grid>>);

/// Tables that were made.
#[derive(Default)]
pub struct Tables {
    /// Tables over the line: equal ones are one.
    lines: Vec<ArrayId>,
    /// The place of each point or node along an axis.
    places: Vec<(Grid, usize, ArrayId)>,
    /// The number of the point or node at each place.
    numbers: Vec<(Grid, ArrayId)>,
    /// Other tables, with a dimension an axis.
    others: Vec<(Split, ArrayId)>,
}

impl Tables {
    /// The place of each point or node along an axis.
    pub fn place_table(&mut self, program: &mut Program, grid: &Grid, axis: usize) -> ArrayId {
        let known = (self.places.iter()).find(|(other, at, _)| other == grid && *at == axis);
        if let Some((.., array)) = known {
            return *array;
        }
        let places = grid.lattice.places.iter().map(|place| place[axis]);
        let what = ["node", "point"][usize::from(grid.is_lexicographic())];
        let name = format!("{what}_place{}", axis + 1);
        let shape = vec![Extent::Constant(grid.size())];
        let array = index_table(program, &name, shape, places);
        self.places.push((grid.clone(), axis, array));
        array
    }

    /// The number of the point or node at each place.
    pub fn number_table(&mut self, program: &mut Program, grid: &Grid) -> ArrayId {
        if let Some((_, array)) = self.numbers.iter().find(|(other, _)| other == grid) {
            return *array;
        }
        let shape = vec![Extent::Constant(grid.along()); grid.axes];
        let array = index_table(program, "node", shape, in_places(grid));
        self.numbers.push((grid.clone(), array));
        array
    }

    /// A table that is no product with a dimension an axis where its own dimensions run over grids.
    pub fn other(
        &mut self,
        program: &mut Program,
        table: ArrayId,
        grids: Vec<Option<Grid>>,
    ) -> Option<ArrayId> {
        let key = (table, grids);
        if let Some((_, array)) = self.others.iter().find(|(other, _)| *other == key) {
            return Some(*array);
        }
        let array = program.array(table).clone();
        let Role::Table(values) = &array.role else {
            return None;
        };
        let mut from = vec![0];
        let mut shape = Vec::new();
        for (extent, grid) in array.shape.iter().zip(&key.1) {
            let extent = extent.as_constant()?;
            let order = match grid {
                Some(grid) if grid.size() != extent => return None,
                Some(grid) => {
                    shape.extend(vec![grid.along(); grid.axes]);
                    in_places(grid)
                }
                None => {
                    shape.push(extent);
                    (0..extent).collect()
                }
            };
            let along = |row: &usize| {
                let start = row * extent;
                order.iter().map(move |at| start + at)
            };
            from = from.iter().flat_map(along).collect();
        }
        let values = from.into_iter().map(|at| values[at]).collect();
        let new = self.line(program, &array.name, array.element, &shape, values);
        self.others.push((key, new));
        Some(new)
    }

    /// An entry of a table as the product of entries of tables over the line. `coordinates` are those
    /// of the point, and of the node where there are columns.
    pub fn product(
        &mut self,
        program: &mut Program,
        table: ArrayId,
        (outer, outer_extents): (&[Affine], &[usize]),
        coordinates: &[Vec<Affine>],
    ) -> ExprId {
        let array = program.array(table).clone();
        let element = array.element;
        let Some(product) = array.product.clone() else {
            unreachable!("only tables with factors are split");
        };
        let constants: Option<Vec<i64>> = outer.iter().map(Affine::as_constant).collect();
        let chosen = constants.map(|constants| {
            let pairs = constants.iter().zip(outer_extents);
            pairs.fold(0, |flat, (at, extent)| flat * extent + *at as usize)
        });
        let mut factors = Vec::new();
        for axis in 0..product.axes {
            let line = |factor: &Vec<usize>| product.lines[factor[axis]].clone();
            let (mut shape, values, mut subscripts) = match chosen {
                Some(at) => (Vec::new(), line(&product.factors[at]), Vec::new()),
                None => (
                    outer_extents.to_vec(),
                    product.factors.iter().flat_map(line).collect(),
                    outer.to_vec(),
                ),
            };
            shape.push(product.points.along);
            shape.extend(product.nodes.as_ref().map(|nodes| nodes.along));
            subscripts.extend(coordinates.iter().map(|along| along[axis].clone()));
            let name = format!("{}_line", array.name);
            let array = self.line(program, &name, element, &shape, values);
            let access = Expr::Access(Access { array, subscripts });
            let expr = program.pool.add(access, element);
            factors.push(Factor { expr, power: 1 });
        }
        product_of(&mut program.pool, factors, element)
    }

    /// A table over the line, or the equal one that was made before.
    fn line(
        &mut self,
        program: &mut Program,
        name: &str,
        element: Element,
        shape: &[usize],
        values: Vec<Number>,
    ) -> ArrayId {
        let shape: Vec<Extent> = shape.iter().copied().map(Extent::Constant).collect();
        let equal = |array: &&ArrayId| {
            let array = program.array(**array);
            let same = |other: &[Number]| {
                let pairs = other.iter().zip(&values);
                pairs.into_iter().all(|(a, b)| a.key() == b.key())
            };
            array.element == element
                && array.shape == shape
                && matches!(&array.role, Role::Table(other) if same(other))
        };
        if let Some(known) = self.lines.iter().find(equal) {
            return *known;
        }
        let role = Role::Table(Rc::new(values));
        let array = program.add_array(name, element, shape, role);
        self.lines.push(array);
        array
    }
}

/// The number of the point or node at each place, the last axis running fastest.
fn in_places(grid: &Grid) -> Vec<usize> {
    let mut numbers = vec![0; grid.size()];
    let places = grid.lattice.numbers(grid.axes).into_iter().enumerate();
    places.for_each(|(number, place)| numbers[place] = number);
    numbers
}
