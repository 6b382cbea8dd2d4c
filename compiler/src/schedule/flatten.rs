//! Two nested loops as one, for lanes over both.
//!
//! Rows shorter than a vector leave lanes idle: a 3 x 3 matrix fills nine lanes of twelve where
//! its rows lie side by side, and nine of sixteen where they are single vectors of eight. The
//! loops `i` and `j` become one index that runs over the rows without a gap. Arrays whose last two
//! subscripts are `i` and `j` are viewed with these dimensions joined; tables are laid out along
//! the joint index; what depends on one of the two in another way is gathered.
//!
//! Holds: results of the affected equations have `i` and `j` as their last subscripts, and no gap
//! between rows.

use std::rc::Rc;

use crate::collections::HashMap;
use crate::ir::{
    Access, Affine, Array, ArrayId, Atom, Expr, ExprId, Extent, IndexId, Program, Role,
};
use crate::number::Number;
use crate::rewrite::index_table::index_table;

/// Largest product of the two extents, and of a table laid out along it.
const LARGEST: usize = 1 << 14;
const LARGEST_TABLE: usize = 1 << 14;

/// The pairs of loops that could be joined: (outer, inner).
pub fn pairs(program: &Program, width: usize) -> Vec<(IndexId, IndexId)> {
    let mut result = Vec::new();
    for equation in &program.equations {
        let Some((outer, inner)) = last_two(&equation.target) else {
            continue;
        };
        let output = matches!(program.array(equation.target.array).role, Role::Output(_));
        let Some((rows, row)) = extents(program, outer, inner) else {
            continue;
        };
        // Whole vectors of a row leave nothing to gain.
        let gain = row % width != 0 && rows > 1 && rows * row <= LARGEST;
        if output && gain && !result.contains(&(outer, inner)) {
            result.push((outer, inner));
        }
    }
    result
}

/// The program with two loops joined, and the joint index; `None` where that is not possible.
pub fn flatten(program: &Program, outer: IndexId, inner: IndexId) -> Option<(Program, IndexId)> {
    let (rows, row) = extents(program, outer, inner)?;
    let mut program = program.clone();
    let name = format!(
        "{}_{}",
        program.loop_index(outer).name,
        program.loop_index(inner).name
    );
    let joint = program.add_index(&name, Extent::Constant(rows * row));
    let mut flatten = Flatten {
        outer,
        inner,
        joint,
        rows,
        row,
        views: HashMap::default(),
        coordinates: None,
        laid_out: HashMap::default(),
        program: &mut program,
    };
    let mut joined = false;
    for at in 0..flatten.program.equations.len() {
        joined |= flatten.equation(at)?;
    }
    // What is written under one view and read under another would be a dependence unseen.
    let viewed: Vec<ArrayId> = flatten.views.keys().copied().collect();
    let both = viewed.into_iter().any(|array| {
        !matches!(program.array(array).role, Role::Parameter(_)) && otherwise(&program, array)
    });
    (joined && !both).then_some((program, joint))
}

/// Whether an array's memory is accessed in the array's own shape.
fn otherwise(program: &Program, array: ArrayId) -> bool {
    let (memory, rank) = (program.viewed(array), program.array(array).shape.len());
    let same = |access: &Access| {
        program.viewed(access.array) == memory && program.array(access.array).shape.len() == rank
    };
    program.equations.iter().any(|e| same(&e.target))
        || program
            .reachable()
            .into_iter()
            .any(|expr| matches!(program.pool.get(expr), Expr::Access(access) if same(access)))
}

/// The last two subscripts of an access, if they are plain indices.
fn last_two(access: &Access) -> Option<(IndexId, IndexId)> {
    match access.subscripts.as_slice() {
        [.., outer, inner] => outer.as_index().zip(inner.as_index()),
        _ => None,
    }
}

fn extents(program: &Program, outer: IndexId, inner: IndexId) -> Option<(usize, usize)> {
    let extent = |index| program.loop_index(index).extent.as_constant();
    (outer != inner).then_some(())?;
    extent(outer).zip(extent(inner))
}

struct Flatten<'a> {
    program: &'a mut Program,
    outer: IndexId,
    inner: IndexId,
    joint: IndexId,
    rows: usize,
    row: usize,
    /// Arrays with their last two dimensions joined.
    views: HashMap<ArrayId, ArrayId>,
    /// Tables of the two indices by the joint one.
    coordinates: Option<(ArrayId, ArrayId)>,
    /// Tables along the joint index, with the subscripts of the other indices, by access.
    laid_out: HashMap<Access, Access>,
}

impl Flatten<'_> {
    /// Rewrites an equation over both loops; whether it is one.
    fn equation(&mut self, at: usize) -> Option<bool> {
        let mut equation = self.program.equations[at].clone();
        let both = equation.free.contains(&self.outer) && equation.free.contains(&self.inner);
        if !both {
            return Some(false);
        }
        if !self.joins(&equation.target) {
            return None;
        }
        equation.target = self.view(&equation.target);
        equation.expr = self.expression(equation.expr, &mut HashMap::default());
        equation
            .free
            .retain(|index| *index != self.outer && *index != self.inner);
        equation.free.push(self.joint);
        self.program.equations[at] = equation;
        Some(true)
    }

    fn expression(&mut self, expr: ExprId, known: &mut HashMap<ExprId, ExprId>) -> ExprId {
        if let Some(done) = known.get(&expr) {
            return *done;
        }
        let result = if let Expr::Access(access) = self.program.pool.get(expr).clone() {
            let access = self.access(&access);
            let element = self.program.pool.element(expr);
            self.program.pool.add(Expr::Access(access), element)
        } else {
            let mut replaced = HashMap::default();
            for operand in self.program.pool.operands(expr) {
                let new = self.expression(operand, known);
                replaced.insert(operand, new);
            }
            self.program
                .pool
                .map_operands(expr, &mut |_, operand| replaced[&operand])
        };
        known.insert(expr, result);
        result
    }

    fn access(&mut self, access: &Access) -> Access {
        if !access.subscripts.iter().any(|s| self.depends(s)) {
            return access.clone();
        }
        if self.joins(access) {
            return self.view(access);
        }
        if let Some(table) = self.lay_out(access) {
            return table;
        }
        let (row, column) = self.coordinates();
        let joint = Affine::index(self.joint);
        let by = |index: IndexId| {
            let table = match index {
                index if index == self.outer => row,
                index if index == self.inner => column,
                index => return Affine::index(index),
            };
            Affine::atom(Atom::Map(table, vec![joint.clone()]))
        };
        access.substitute(&by)
    }

    fn depends(&self, subscript: &Affine) -> bool {
        subscript.depends_on(self.outer) || subscript.depends_on(self.inner)
    }

    /// Whether an access runs through rows without a gap as the joint index grows.
    fn joins(&self, access: &Access) -> bool {
        let array = self.program.array(access.array);
        let Some((leading, _)) = access.subscripts.split_last_chunk::<2>() else {
            return false;
        };
        let table = matches!(array.role, Role::Table(_));
        let extent = |back: usize| array.shape[array.shape.len() - back].as_constant();
        !table
            && last_two(access) == Some((self.outer, self.inner))
            && extent(1) == Some(self.row)
            && extent(2).is_some_and(|n| n >= self.rows)
            && !leading.iter().any(|s| self.depends(s))
    }

    /// The access to an array seen with its last two dimensions as one.
    fn view(&mut self, access: &Access) -> Access {
        let array = match self.views.get(&access.array) {
            Some(view) => *view,
            None => {
                let Array {
                    name,
                    element,
                    mut shape,
                    role,
                    strided: _,
                    flat: _,
                    inner: _,
                    allocated: _,
                    is_const: _,
                    product: _,
                } = self.program.array(access.array).clone();
                let inner = shape.pop().and_then(|e| e.as_constant()).unwrap_or(1);
                let outer = shape.pop().and_then(|e| e.as_constant()).unwrap_or(1);
                shape.push(Extent::Constant(outer * inner));
                let view = self
                    .program
                    .add_array(&format!("{name}_joined"), element, shape, role);
                self.views.insert(access.array, view);
                view
            }
        };
        let mut subscripts = access.subscripts.clone();
        subscripts.truncate(subscripts.len() - 2);
        subscripts.push(Affine::index(self.joint));
        Access { array, subscripts }
    }

    /// A table's entries in the order of the joint index, other indices outside.
    fn lay_out(&mut self, access: &Access) -> Option<Access> {
        if let Some(known) = self.laid_out.get(access) {
            return Some(known.clone());
        }
        let array = self.program.array(access.array).clone();
        let Role::Table(values) = &array.role else {
            return None;
        };
        let mut others = Vec::new();
        access
            .subscripts
            .iter()
            .for_each(|s| s.collect_indices(&mut others));
        others.retain(|index| *index != self.outer && *index != self.inner);
        others.sort_unstable();
        others.dedup();
        let mut extents: Vec<usize> = others
            .iter()
            .map(|index| self.program.loop_index(*index).extent.as_constant())
            .collect::<Option<_>>()?;
        extents.push(self.rows * self.row);
        let size: usize = extents.iter().product();
        if size > LARGEST_TABLE || has_maps(access) {
            return None;
        }
        let mut entries = Vec::with_capacity(size);
        for flat in 0..size {
            let joint = flat % (self.rows * self.row);
            let mut rest = flat / (self.rows * self.row);
            let mut point = HashMap::from_iter([
                (self.outer, joint / self.row),
                (self.inner, joint % self.row),
            ]);
            for (index, extent) in others.iter().zip(&extents).rev() {
                point.insert(*index, rest % extent);
                rest /= extent;
            }
            entries.push(entry(access, &array, values, &point)?);
        }
        let shape = extents.iter().map(|n| Extent::Constant(*n)).collect();
        let name = format!("{}_joined", array.name);
        let table =
            self.program
                .add_array(&name, array.element, shape, Role::Table(Rc::new(entries)));
        let subscripts = others
            .iter()
            .chain([&self.joint])
            .map(|index| Affine::index(*index))
            .collect();
        let result = Access {
            array: table,
            subscripts,
        };
        self.laid_out.insert(access.clone(), result.clone());
        Some(result)
    }

    /// The row and the column of each value of the joint index, as tables.
    fn coordinates(&mut self) -> (ArrayId, ArrayId) {
        if let Some(known) = self.coordinates {
            return known;
        }
        let (rows, row) = (self.rows, self.row);
        let mut table = |of: IndexId, value: &dyn Fn(usize) -> usize| {
            let name = format!("{}_of_joined", self.program.loop_index(of).name);
            let shape = vec![Extent::Constant(rows * row)];
            index_table(self.program, &name, shape, (0..rows * row).map(value))
        };
        let tables = (
            table(self.outer, &|joint| joint / row),
            table(self.inner, &|joint| joint % row),
        );
        self.coordinates = Some(tables);
        tables
    }
}

fn has_maps(access: &Access) -> bool {
    let terms = access.subscripts.iter().flat_map(|s| &s.terms);
    terms
        .map(|(atom, _)| atom)
        .any(|atom| !matches!(atom, Atom::Index(_)))
}

/// The value of a table at a point, if the subscripts are in range.
fn entry(
    access: &Access,
    array: &Array,
    values: &[Number],
    point: &HashMap<IndexId, usize>,
) -> Option<Number> {
    let mut flat = 0;
    for (subscript, extent) in access.subscripts.iter().zip(&array.shape) {
        let extent = extent.as_constant()?;
        let mut value = subscript.constant;
        for (atom, coefficient) in &subscript.terms {
            let Atom::Index(index) = atom else {
                return None;
            };
            value += coefficient * i64::try_from(*point.get(index)?).ok()?;
        }
        let value = usize::try_from(value).ok().filter(|v| *v < extent)?;
        flat = flat * extent + value;
    }
    values.get(flat).copied()
}
