//! Tables of the columns that blocks read.
//!
//! A block reads the columns `start + stride * k` of a table. They become a table of their own, with
//! nothing between them, without the dimensions in which one place is read. Equal tables are one
//! array: the components of a vector-valued element have that of the scalar one, and what is computed
//! from it for one component is there for the others.

use std::rc::Rc;

use crate::collections::HashMap;
use crate::ir::{
    Access, Affine, ArrayId, Atom, Element, Extent, IndexId, Program, Progression, Role,
};
use crate::number::Number;
use crate::rewrite::evaluate::points;

/// What makes tables equal: type, extents and entries.
type Contents = (Element, Vec<usize>, Vec<(u64, u64, u64)>);

/// The places that are read along a dimension, and its subscript in the new table, if it stays.
type Dimension = (Vec<usize>, Option<Affine>);

/// A table, and the places that are read along each dimension, with whether it stays.
type Part = (ArrayId, Vec<(Vec<usize>, bool)>);

/// The tables of a program, and those of blocks.
pub struct Narrowed {
    tables: HashMap<Contents, ArrayId>,
    made: HashMap<Part, ArrayId>,
}

impl Narrowed {
    /// The tables that a program has.
    pub fn new(program: &Program) -> Narrowed {
        let mut tables = HashMap::default();
        for (at, array) in program.arrays.iter().enumerate() {
            let shape: Option<Vec<usize>> = array.shape.iter().map(Extent::as_constant).collect();
            if let (Role::Table(values), Some(shape)) = (&array.role, shape) {
                let contents = contents(array.element, shape, values);
                tables.entry(contents).or_insert(ArrayId(at as u32));
            }
        }
        Narrowed {
            tables,
            made: HashMap::default(),
        }
    }

    /// The access to a table of the block's columns that reads what `moved` does: `access` with its
    /// loops over blocks. `moved` itself where that is none to a table, or reads other columns.
    pub fn narrowed(
        &mut self,
        program: &mut Program,
        access: &Access,
        moved: Access,
        chosen: &[(IndexId, Progression)],
    ) -> Access {
        let array = program.array(access.array).clone();
        let Role::Table(values) = &array.role else {
            return moved;
        };
        let extents: Option<Vec<usize>> = array.shape.iter().map(Extent::as_constant).collect();
        let Some(extents) = extents.filter(|_| !array.element.is_integer()) else {
            return moved;
        };
        let mut dimensions: Vec<Dimension> = Vec::new();
        let mut changed = false;
        for (at, subscript) in access.subscripts.iter().enumerate() {
            let places = places(subscript, chosen, extents[at]);
            changed |= matches!(places, Some((_, true)));
            dimensions.push(match places {
                Some((places, true)) => {
                    let index = moved.subscripts[at].terms.first();
                    let index = index.map(|(atom, _)| Affine::atom(atom.clone()));
                    (places, index)
                }
                Some((places, false)) => (places, None),
                None => (
                    (0..extents[at]).collect(),
                    Some(moved.subscripts[at].clone()),
                ),
            });
        }
        if !changed {
            return moved;
        }
        let subscripts = dimensions
            .iter()
            .filter_map(|(_, subscript)| subscript.clone());
        let subscripts = subscripts.collect();
        let stays = |(places, subscript): Dimension| (places, subscript.is_some());
        let key: Part = (access.array, dimensions.into_iter().map(stays).collect());
        let array = match self.made.get(&key) {
            Some(known) => *known,
            None => {
                let stay = key.1.iter().filter(|(_, stays)| *stays);
                let shape = stay.map(|(places, _)| places.len()).collect();
                let values = gathered(values, &extents, &key.1);
                let places: Vec<Vec<usize>> = key.1.iter().map(|(p, _)| p.clone()).collect();
                let product = array.product.as_ref();
                let product = product.and_then(|product| product.component(&extents, &places));
                let product = product.filter(|product| product.is(&values));
                let new = self.table(program, &array.name, array.element, shape, values);
                // A product is known by its last dimensions: nothing of it may be left out.
                let stays = |(_, stays): &(Vec<usize>, bool)| *stays;
                if key.1.iter().rev().take(2).all(stays) && product.is_some() {
                    program.arrays[new.0 as usize].product = product.map(Rc::new);
                }
                self.made.insert(key, new);
                new
            }
        };
        Access { array, subscripts }
    }

    fn table(
        &mut self,
        program: &mut Program,
        name: &str,
        element: Element,
        shape: Vec<usize>,
        values: Vec<Number>,
    ) -> ArrayId {
        let contents = contents(element, shape.clone(), &values);
        *self.tables.entry(contents).or_insert_with(|| {
            let shape = shape.into_iter().map(Extent::Constant).collect();
            let name = format!("{name}_block");
            program.add_array(&name, element, shape, Role::Table(Rc::new(values)))
        })
    }
}

fn contents(element: Element, shape: Vec<usize>, values: &[Number]) -> Contents {
    (
        element,
        shape,
        values.iter().map(|value| value.key()).collect(),
    )
}

/// The places that a subscript reads, if it is a constant or follows a block alone; and whether it
/// does that.
fn places(
    subscript: &Affine,
    chosen: &[(IndexId, Progression)],
    extent: usize,
) -> Option<(Vec<usize>, bool)> {
    let place = |at: i64| usize::try_from(at).ok().filter(|at| *at < extent);
    match subscript.terms.as_slice() {
        [] => Some((vec![place(subscript.constant)?], false)),
        [(Atom::Index(index), by)] => {
            let (_, block) = chosen.iter().find(|(other, _)| other == index)?;
            let read = |at: usize| place(subscript.constant + by * at as i64);
            let places: Option<Vec<usize>> = block.iterations().map(read).collect();
            Some((places?, true))
        }
        _ => None,
    }
}

/// The entries at all combinations of places.
fn gathered(values: &[Number], extents: &[usize], places: &[(Vec<usize>, bool)]) -> Vec<Number> {
    let shape: Vec<usize> = places.iter().map(|(places, _)| places.len()).collect();
    let at = |point: Vec<usize>| {
        let along = point.iter().zip(places).zip(extents);
        along.fold(0, |flat, ((at, (places, _)), extent)| {
            flat * extent + places[*at]
        })
    };
    points(&shape).map(|point| values[at(point)]).collect()
}
