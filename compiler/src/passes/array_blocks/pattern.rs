//! Which elements of local arrays stay zero.

use std::collections::{BTreeMap, BTreeSet};

use crate::collections::HashMap;
use crate::ir::{Affine, ArrayId, Equation, Operator, Program, Progression, Role};
use crate::rewrite::zeros::{elements, is_read, is_zero};

/// Most blocks of a dimension.
const MOST_BLOCKS: usize = 16;
/// Most places of a dimension that are blocks each: vectors have up to nine components.
const MOST_COMPONENTS: usize = 9;
/// Most blocks of an array.
const MOST: usize = 128;

/// The blocks of an array's dimensions, those that it is split in.
pub type Layout = BTreeMap<usize, Vec<Progression>>;

/// A local array that is filled with zeros, some of which stay.
pub struct Pattern {
    /// The blocks.
    pub layout: Layout,
    /// Where the zeros are assigned.
    pub fill: usize,
    /// The blocks that are written afterwards, and whether something is added there.
    written: HashMap<Vec<Progression>, bool>,
}

impl Pattern {
    /// Whether something is added to a block, if it is written at all. Loops that read the array may
    /// have put more of its dimensions in blocks: all blocks along these are alike.
    pub fn written(&self, layout: &Layout, chosen: &[Progression]) -> Option<bool> {
        let blocks = layout.keys().zip(chosen);
        let own = blocks.filter(|(axis, _)| self.layout.contains_key(axis));
        let own: Vec<Progression> = own.map(|(_, block)| *block).collect();
        self.written.get(&own).copied()
    }

    /// The pattern of an array, if it is a local one that is zero in blocks.
    pub fn of(program: &Program, array: ArrayId) -> Option<Pattern> {
        let own = program.array(array);
        if !matches!(own.role, Role::Temporary) || own.element.is_integer() {
            return None;
        }
        let writers: Vec<usize> = program.writers(array).collect();
        let (fill, others) = writers.split_first()?;
        if others.is_empty() || !is_zero(program, *fill) || is_read(program, array, &writers) {
            return None;
        }
        let filled = &program.equations[*fill];
        let whole = filled.target.loops(&filled.free)?;
        // Elements are subscripts in the dimensions of known extent.
        let known = |axis: &usize| own.shape[*axis].as_constant().is_some();
        let axes: Vec<usize> = (0..own.shape.len()).filter(known).collect();
        let mut written: BTreeMap<Vec<i64>, bool> = BTreeMap::new();
        for at in others {
            let equation = &program.equations[*at];
            let added = equation.operator == Operator::ADD;
            for element in elements(program, equation, &whole)? {
                *written.entry(element).or_default() |= added;
            }
        }
        let mut layout = Layout::new();
        for (dimension, axis) in axes.iter().enumerate() {
            let extent = own.shape[*axis].as_constant()?;
            let mut blocks = blocks(written.keys(), dimension, extent)?;
            if extent <= MOST_COMPONENTS && writes_components(program, others, *axis) {
                blocks = (0..extent).map(single).collect();
            }
            if blocks.len() > 1 {
                layout.insert(*axis, blocks);
            }
        }
        let all: usize = layout.values().map(Vec::len).product();
        if layout.is_empty() || all > MOST {
            return None;
        }
        let mut result = Pattern {
            layout,
            fill: *fill,
            written: HashMap::default(),
        };
        for (element, added) in &written {
            let block = |(axis, blocks): (&usize, &Vec<Progression>)| {
                let at = element[axes.iter().position(|other| other == axis)?] as usize;
                let mut blocks = blocks.iter().copied();
                blocks.find(|block| block.iterations().any(|other| other == at))
            };
            let chosen = result.layout.iter().map(block).collect::<Option<Vec<_>>>();
            *result.written.entry(chosen?).or_default() |= added;
        }
        (result.written.len() < all).then_some(result)
    }
}

/// Whether equations write along a dimension at constants, and in others all along loops: those of one
/// constant are then all that there are.
fn writes_components(program: &Program, writers: &[usize], axis: usize) -> bool {
    writers.iter().all(|at| {
        let Equation { target, free, .. } = &program.equations[*at];
        let inner = free.iter().filter(|index| program.is_constant(**index));
        let constant = |subscript: &Affine| subscript.as_constant().is_some();
        constant(&target.subscripts[axis]) && inner.count() > 0
    })
}

fn single(start: usize) -> Progression {
    Progression {
        start,
        stride: 1,
        count: 1,
    }
}

/// The blocks of a dimension: places with the same elements in the other dimensions are in one, as far
/// as they are an arithmetic progression. `None` if there are too many.
fn blocks<'a>(
    written: impl Iterator<Item = &'a Vec<i64>>,
    dimension: usize,
    extent: usize,
) -> Option<Vec<Progression>> {
    let mut columns: Vec<BTreeSet<Vec<i64>>> = vec![BTreeSet::new(); extent];
    for element in written {
        let mut others = element.clone();
        let at = others.remove(dimension);
        columns[at as usize].insert(others);
    }
    let mut alike: BTreeMap<&BTreeSet<Vec<i64>>, Vec<usize>> = BTreeMap::new();
    for (at, column) in columns.iter().enumerate() {
        alike.entry(column).or_default().push(at);
    }
    let mut result: Vec<Progression> = Vec::new();
    for places in alike.values() {
        let mut rest = places.as_slice();
        while let [start, ..] = rest {
            let stride = rest.get(1).map_or(1, |next| next - start);
            let along = rest.iter().enumerate();
            let count = along.take_while(|(k, at)| **at == start + stride * k);
            let count = count.count();
            result.push(Progression {
                start: *start,
                stride: if count > 1 { stride } else { 1 },
                count,
            });
            rest = &rest[count..];
        }
        if result.len() > MOST_BLOCKS {
            return None;
        }
    }
    result.sort_unstable_by_key(|block| block.start);
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(elements: &[(i64, i64)], extent: usize) -> Option<Vec<String>> {
        let elements: Vec<Vec<i64>> = elements.iter().map(|(r, c)| vec![*r, *c]).collect();
        let blocks = blocks(elements.iter(), 1, extent)?;
        let mut covered: Vec<usize> = blocks.iter().flat_map(|b| b.iterations()).collect();
        covered.sort_unstable();
        assert!(covered.into_iter().eq(0..extent));
        Some(blocks.into_iter().map(Progression::describe).collect())
    }

    #[test]
    fn columns_with_the_same_rows_are_one_block() {
        let strain = |n: i64| [(0, 2 * n), (1, 2 * n + 1), (2, 2 * n), (2, 2 * n + 1)];
        let elements: Vec<(i64, i64)> = (0..4).flat_map(strain).collect();
        let expected = ["(0..7).step_by(2)", "(1..8).step_by(2)"];
        assert_eq!(of(&elements, 8).unwrap(), expected);
    }

    #[test]
    fn columns_that_are_no_progression_are_several_blocks() {
        let elements: Vec<(i64, i64)> = [0, 1, 2, 5, 6].into_iter().map(|c| (0, c)).collect();
        assert_eq!(of(&elements, 8).unwrap(), ["0..3", "3..5", "5..7", "7..8"]);
    }

    #[test]
    fn too_many_blocks_are_none() {
        let elements: Vec<(i64, i64)> = (0..20).map(|c| (c, c)).collect();
        assert_eq!(of(&elements, 20), None);
    }
}
