//! The tables that split loops read: those over the line, and where each node is.

use std::rc::Rc;

use super::grids::Grid;
use crate::elements::Product;
use crate::ir::{Access, Affine, ArrayId, Element, Expr, ExprId, Extent, Factor, Program, Role};
use crate::number::Number;
use crate::rewrite::index_table::index_table;
use crate::rewrite::normalise::product as product_of;

/// Tables that were made.
pub struct Tables {
    /// For each grid of nodes, their places in the order of their numbers.
    lattices: Vec<(Grid, Rc<Product>)>,
    /// Tables over the line: equal ones are one.
    lines: Vec<ArrayId>,
    /// The place of each point or node along an axis.
    places: Vec<(Grid, usize, ArrayId)>,
    /// The number of the node at each place.
    numbers: Vec<(Grid, ArrayId)>,
}

impl Tables {
    /// None yet.
    pub fn new(program: &Program) -> Tables {
        let mut lattices: Vec<(Grid, Rc<Product>)> = Vec::new();
        for product in program.arrays.iter().filter_map(|a| a.product.as_ref()) {
            let Some(nodes) = &product.nodes else {
                continue;
            };
            let grid = Grid {
                along: nodes.along,
                axes: product.axes,
                nodes: true,
            };
            if lattices.iter().all(|(other, _)| *other != grid) {
                lattices.push((grid, product.clone()));
            }
        }
        Tables {
            lattices,
            lines: Vec::new(),
            places: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// Where a point or node is along each axis.
    pub fn places(&self, grid: Grid, at: usize) -> Vec<i64> {
        let lattice = self.lattices.iter().find(|(other, _)| *other == grid);
        let nodes = lattice.and_then(|(_, product)| product.nodes.as_ref());
        let on_axis = |axis: usize| match nodes {
            Some(nodes) => nodes.lattice[at][axis],
            None => at / grid.along.pow((grid.axes - 1 - axis) as u32) % grid.along,
        };
        (0..grid.axes).map(|axis| on_axis(axis) as i64).collect()
    }

    /// The place of each point or node along an axis.
    pub fn place_table(&mut self, program: &mut Program, grid: Grid, axis: usize) -> ArrayId {
        let known = (self.places.iter()).find(|(other, at, _)| *other == grid && *at == axis);
        if let Some((.., array)) = known {
            return *array;
        }
        let places = (0..grid.size()).map(|at| self.places(grid, at)[axis] as usize);
        let what = if grid.nodes { "node" } else { "point" };
        let name = format!("{what}_place{}", axis + 1);
        let shape = vec![Extent::Constant(grid.size())];
        let array = index_table(program, &name, shape, places);
        self.places.push((grid, axis, array));
        array
    }

    /// The number of the node at each place.
    pub fn number_table(&mut self, program: &mut Program, grid: Grid) -> ArrayId {
        if let Some((_, array)) = self.numbers.iter().find(|(other, _)| *other == grid) {
            return *array;
        }
        let mut numbers = vec![0; grid.size()];
        for node in 0..grid.size() {
            let places = self.places(grid, node).into_iter();
            let flat = places.fold(0, |flat, place| flat * grid.along + place as usize);
            numbers[flat] = node;
        }
        let shape = vec![Extent::Constant(grid.along); grid.axes];
        let array = index_table(program, "node", shape, numbers);
        self.numbers.push((grid, array));
        array
    }

    /// An entry of a table as the product of entries of tables over the line. `coordinates` are those
    /// of the point, and of the node where there are columns.
    pub fn product(
        &mut self,
        program: &mut Program,
        table: ArrayId,
        outer: &[Affine],
        coordinates: &[Vec<Affine>],
    ) -> ExprId {
        let array = program.array(table).clone();
        let element = array.element;
        let Some(product) = array.product.clone() else {
            unreachable!("only tables with factors are split");
        };
        let extents: Vec<usize> = array.shape.iter().filter_map(Extent::as_constant).collect();
        let outer_extents = &extents[..outer.len()];
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
            shape.push(product.points);
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
