//! Loops over the points or nodes of quadrilaterals and hexahedra as loops over the axes.
//!
//! Tables that are products of tables over the line ([`Product`](crate::elements::Product)) become
//! these products, and every loop that subscripts them one loop an axis; temporaries get a dimension
//! an axis, and so do other tables. Points and nodes are in the order of the loops, or have one of their own: a table
//! says which one is where. Outputs are written as before, through a temporary where that is split.
//!
//! Before: `v[e, q] = sum(i) u[dofs[e, i]] * phi[q, i]`. After:
//! `v[e, q1, q2] = sum(i1, i2) u[dofs[e, node[i1, i2]]] * line[q1, i1] * line[q2, i2]`.
//! Holds: values are equal in exact arithmetic, and each is computed once.

mod grids;
mod lines;

use crate::collections::HashMap;
use crate::ir::{
    Access, Affine, ArrayId, Atom, Equation, Expr, ExprId, Extent, IndexId, Operator, Program, Role,
};
use grids::{Grid, Grids, table_grid, writes_grid};
use lines::Tables;

/// Splits what can be split; false if that is nothing.
pub fn split(program: &mut Program) -> bool {
    if program.arrays.iter().all(|array| array.product.is_none()) {
        return false;
    }
    let mut result = program.clone();
    through_temporaries(&mut result);
    let grids = Grids::of(&result);
    let mut splitting = Splitting {
        tables: Tables::default(),
        program: result,
        grids,
        axes: HashMap::default(),
        arrays: HashMap::default(),
        split: false,
    };
    for at in 0..splitting.program.equations.len() {
        splitting.equation(at);
    }
    if !splitting.split {
        return false;
    }
    *program = splitting.program;
    true
}

/// Has outputs that are sums over split tables written from temporaries.
fn through_temporaries(program: &mut Program) {
    for equation in std::mem::take(&mut program.equations) {
        let splits = writes_grid(program, &equation) && program.states(equation.expr).is_empty();
        if !splits {
            program.equations.push(equation);
            continue;
        }
        let name = format!("{}_sum", program.array(equation.target.array).name);
        let element = program.pool.element(equation.expr);
        let target = program.add_temporary(&name, &equation.free, element);
        let read = program.pool.add(Expr::Access(target.clone()), element);
        program.equations.push(Equation {
            target,
            operator: Operator::Assign,
            ..equation.clone()
        });
        program.equations.push(Equation {
            reduction: Vec::new(),
            expr: read,
            ..equation
        });
    }
}

struct Splitting {
    program: Program,
    grids: Grids,
    tables: Tables,
    /// The loops over the axes, by the loop that they are for.
    axes: HashMap<(IndexId, Grid), Vec<IndexId>>,
    /// Temporaries with a dimension an axis.
    arrays: HashMap<ArrayId, ArrayId>,
    /// Whether anything was split.
    split: bool,
}

impl Splitting {
    fn equation(&mut self, at: usize) {
        let mut equation = self.program.equations[at].clone();
        let domain: Vec<IndexId> = equation.domain().collect();
        let mut loops: HashMap<IndexId, (Grid, Vec<IndexId>)> = HashMap::default();
        for index in domain {
            if let Some(grid) = self.grids.of_loop(at, index) {
                let axes = self.loops(index, &grid);
                loops.insert(index, (grid, axes));
            }
        }
        let mut known: HashMap<ExprId, ExprId> = HashMap::default();
        let mut accesses: Vec<(ExprId, Access)> =
            (self.program.pool.accesses([equation.expr]).into_iter())
                .map(|(expr, access)| (expr, access.clone()))
                .collect();
        accesses.sort_unstable_by_key(|(expr, _)| *expr);
        for (expr, access) in accesses {
            let new = self.read(expr, &access, &loops);
            known.insert(expr, new);
        }
        equation.expr = self.program.pool.replace(equation.expr, &mut known);
        equation.target = self.access(&equation.target, &loops);
        let along = |index: &IndexId| match loops.get(index) {
            Some((_, axes)) => axes.clone(),
            None => vec![*index],
        };
        equation.free = equation.free.iter().flat_map(along).collect();
        equation.reduction = equation.reduction.iter().flat_map(along).collect();
        self.program.equations[at] = equation;
    }

    /// The loops over the axes in place of a loop.
    fn loops(&mut self, index: IndexId, grid: &Grid) -> Vec<IndexId> {
        let key = (index, grid.clone());
        if let Some(axes) = self.axes.get(&key) {
            return axes.clone();
        }
        self.split = true;
        let name = self.program.loop_index(index).name.clone();
        let axes: Vec<IndexId> = (1..=grid.axes)
            .map(|axis| {
                let extent = Extent::Constant(grid.along());
                self.program.add_index(&format!("{name}{axis}"), extent)
            })
            .collect();
        self.axes.insert(key, axes.clone());
        axes
    }

    /// The value of an element.
    fn read(
        &mut self,
        expr: ExprId,
        access: &Access,
        loops: &HashMap<IndexId, (Grid, Vec<IndexId>)>,
    ) -> ExprId {
        let element = self.program.pool.element(expr);
        let product = self.program.array(access.array).product.clone();
        if let Some(product) = product {
            let rank = access.subscripts.len();
            let dimensions = product.dimensions(rank);
            let coordinates: Option<Vec<Vec<Affine>>> = (dimensions.iter())
                .map(|at| {
                    let grid = table_grid(&self.program, access.array, *at)?;
                    self.coordinates(&access.subscripts[*at], &grid, loops)
                })
                .collect();
            if let Some(coordinates) = coordinates {
                let shape = &self.program.array(access.array).shape;
                let outer = (0..rank).filter(|at| !dimensions.contains(at));
                let outer = outer.filter_map(|at| {
                    let subscript = access.subscripts[at].clone();
                    Some((subscript, shape[at].as_constant()?))
                });
                let (outer, extents): (Vec<Affine>, Vec<usize>) = outer.unzip();
                let outer = self.substituted(&outer, loops);
                let program = &mut self.program;
                let outer = (outer.as_slice(), extents.as_slice());
                return (self.tables).product(program, access.array, outer, &coordinates);
            }
        }
        if let Some(access) = self.reordered(access, loops) {
            return self.program.pool.add(Expr::Access(access), element);
        }
        let access = self.access(access, loops);
        self.program.pool.add(Expr::Access(access), element)
    }

    /// An entry of another table that split loops subscript, from one that has a dimension an axis.
    fn reordered(
        &mut self,
        access: &Access,
        loops: &HashMap<IndexId, (Grid, Vec<IndexId>)>,
    ) -> Option<Access> {
        let table = self.program.array(access.array);
        let numbers = matches!(table.role, Role::Table(_)) && !table.element.is_integer();
        let of = |subscript: &Affine| loops.get(&subscript.as_index()?).cloned();
        let own: Vec<Option<(Grid, Vec<IndexId>)>> = access.subscripts.iter().map(of).collect();
        // What is in the order of loops, these subscript as well.
        let ordered = |(grid, _): &(Grid, Vec<IndexId>)| grid.is_lexicographic();
        if !numbers || own.iter().flatten().all(ordered) {
            return None;
        }
        let grids = own
            .iter()
            .map(|own| own.as_ref().map(|(grid, _)| grid.clone()));
        let grids = grids.collect();
        let array = (self.tables).other(&mut self.program, access.array, grids)?;
        let mut subscripts = Vec::new();
        for (own, subscript) in own.iter().zip(&access.subscripts) {
            match own {
                Some((_, axes)) => subscripts.extend(axes.iter().copied().map(Affine::index)),
                None => subscripts.extend(self.substituted(std::slice::from_ref(subscript), loops)),
            }
        }
        Some(Access { array, subscripts })
    }

    /// Where a subscript is on a grid, if that is known.
    fn coordinates(
        &self,
        subscript: &Affine,
        grid: &Grid,
        loops: &HashMap<IndexId, (Grid, Vec<IndexId>)>,
    ) -> Option<Vec<Affine>> {
        if let Some(constant) = subscript.as_constant() {
            let at = usize::try_from(constant).ok()?;
            let places = grid.places(at).into_iter();
            return Some(places.map(Affine::constant).collect());
        }
        let (own, axes) = loops.get(&subscript.as_index()?)?;
        (own == grid).then(|| axes.iter().copied().map(Affine::index).collect())
    }

    /// An access in the loops over axes, to the temporary that has them for dimensions.
    fn access(
        &mut self,
        access: &Access,
        loops: &HashMap<IndexId, (Grid, Vec<IndexId>)>,
    ) -> Access {
        let mut subscripts = Vec::new();
        let mut changed = false;
        for (dimension, subscript) in access.subscripts.iter().enumerate() {
            let Some(grid) = self.grids.of_dimension(access.array, dimension) else {
                subscripts.extend(self.substituted(std::slice::from_ref(subscript), loops));
                continue;
            };
            changed = true;
            let known = self.coordinates(subscript, &grid, loops);
            subscripts.extend(known.unwrap_or_else(|| {
                // Another loop reads it, in the order of points or nodes.
                let places = (0..grid.axes).map(|axis| {
                    let map = (self.tables).place_table(&mut self.program, &grid, axis);
                    Affine::atom(Atom::Map(map, vec![subscript.clone()]))
                });
                places.collect()
            }));
        }
        let array = match changed {
            true => self.temporary(access.array),
            false => access.array,
        };
        Access { array, subscripts }
    }

    /// The temporary with a dimension an axis.
    fn temporary(&mut self, array: ArrayId) -> ArrayId {
        if let Some(known) = self.arrays.get(&array) {
            return *known;
        }
        let old = self.program.array(array).clone();
        let mut shape = Vec::new();
        for (dimension, extent) in old.shape.iter().enumerate() {
            match self.grids.of_dimension(array, dimension) {
                Some(grid) => shape.extend(vec![Extent::Constant(grid.along()); grid.axes]),
                None => shape.push(extent.clone()),
            }
        }
        let role = Role::Temporary;
        let new = self.program.add_array(&old.name, old.element, shape, role);
        self.arrays.insert(array, new);
        new
    }

    /// Subscripts in the loops over axes.
    fn substituted(
        &mut self,
        subscripts: &[Affine],
        loops: &HashMap<IndexId, (Grid, Vec<IndexId>)>,
    ) -> Vec<Affine> {
        let mut indices = Vec::new();
        subscripts
            .iter()
            .for_each(|s| s.collect_indices(&mut indices));
        let mut numbers: HashMap<IndexId, Affine> = HashMap::default();
        for index in indices {
            let Some((grid, axes)) = loops.get(&index) else {
                continue;
            };
            let axes: Vec<Affine> = axes.iter().copied().map(Affine::index).collect();
            let number = if grid.is_lexicographic() {
                let along = grid.along() as i64;
                axes.iter().fold(Affine::default(), |number, axis| {
                    number.scale(along).add(axis)
                })
            } else {
                let map = self.tables.number_table(&mut self.program, grid);
                Affine::atom(Atom::Map(map, axes))
            };
            numbers.insert(index, number);
        }
        let by = |index: IndexId| {
            let number = numbers.get(&index);
            number.cloned().unwrap_or_else(|| Affine::index(index))
        };
        subscripts.iter().map(|s| s.substitute(&by)).collect()
    }
}
