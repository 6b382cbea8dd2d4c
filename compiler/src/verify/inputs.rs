//! Random inputs that fit a kernel's accesses.

use std::collections::HashMap;

use super::memory::{Data, Memory, Parameter};
use crate::ir::{Access, Affine, ArrayId, Atom, Element, Extent, Program, Role};
use crate::lower::Reached;
use crate::number::Field;

/// Longest arrays that inputs have, and rounds in which their lengths may grow.
const LONGEST: usize = 1 << 20;
const ROUNDS: usize = 16;

/// Inner dimensions of run-time extent that are as long as the lanes ask for; those around them have
/// this many elements, so that there are not too many in all.
const WHOLE: usize = 3;
const SHORT: usize = 3;

/// Inputs with `size` iterations for loops of run-time extent.
///
/// # Errors
/// If no inputs fit.
pub fn inputs(
    program: &Program,
    reached: &[Reached],
    assumed: &[Affine],
    size: usize,
) -> Result<Memory, String> {
    let mut accesses = accesses(program);
    // Tables and temporaries limit the maps that subscript them.
    for reached in reached {
        accesses.push(reached.access.clone());
        collect(program, &reached.access, &mut accesses);
    }
    let mut shapes = Shapes {
        program,
        size: size + longer(program, &accesses, assumed),
        lengths: HashMap::new(),
        maps: HashMap::new(),
    };
    shapes.fit(&accesses)?;
    if assumed.iter().any(|affine| shapes.value(affine) < 0) {
        return Err("no inputs were found for which all parts of its loops run".to_owned());
    }
    let count = program.arrays.iter().filter_map(|a| a.role.position());
    let count = count.max().map_or(0, |p| p + 1);
    let mut parameters: Vec<Option<Parameter>> = (0..count).map(|_| None).collect();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for (at, array) in program.arrays.iter().enumerate() {
        if let Role::Parameter(position) | Role::Output(position) = array.role {
            parameters[position] = Some(shapes.parameter(ArrayId(at as u32), &mut random)?);
        }
    }
    let parameters = parameters.into_iter().collect::<Option<Vec<_>>>();
    Ok(Memory {
        parameters: parameters.ok_or("a parameter has no array")?,
    })
}

/// How much larger than the loops integers and lengths have to be, so that loops shorter than them
/// have all iterations, and that subscripts which count back from them stay in range.
fn longer(program: &Program, accesses: &[Access], assumed: &[Affine]) -> usize {
    let extents = program
        .indices
        .iter()
        .filter_map(|index| match &index.extent {
            Extent::RunTime(extent) => Some(extent),
            Extent::Constant(_) => None,
        });
    let outer = |affine: &&Affine| {
        let mut atoms = affine.terms.iter().map(|(atom, _)| atom);
        atoms.any(|a| matches!(a, Atom::Scalar(_) | Atom::Length(..)))
    };
    let subscripts = accesses.iter().flat_map(|access| &access.subscripts);
    let shorter = extents
        .chain(subscripts.filter(outer))
        .chain(assumed)
        .map(|affine| usize::try_from(-affine.constant).unwrap_or(0));
    shorter.max().unwrap_or(0).min(LONGEST)
}

/// All accesses to parameters: reads, targets, index maps.
fn accesses(program: &Program) -> Vec<Access> {
    let mut result = Vec::new();
    for equation in &program.equations {
        collect(program, &equation.target, &mut result);
    }
    let values = program.equations.iter().map(|e| e.expr);
    for (_, access) in program.pool.accesses(values) {
        collect(program, access, &mut result);
    }
    result
}

fn collect(program: &Program, access: &Access, into: &mut Vec<Access>) {
    if program.array(access.array).role.position().is_some() {
        into.push(Access {
            array: program.viewed(access.array),
            ..access.clone()
        });
    }
    for subscript in &access.subscripts {
        for (atom, _) in &subscript.terms {
            if let Atom::Map(array, subscripts) = atom {
                collect(
                    program,
                    &Access {
                        array: *array,
                        subscripts: subscripts.clone(),
                    },
                    into,
                );
            }
        }
    }
}

struct Shapes<'a> {
    program: &'a Program,
    size: usize,
    /// By array and axis.
    lengths: HashMap<(ArrayId, usize), usize>,
    /// Entries of index maps: the least, and the end.
    maps: HashMap<ArrayId, (i64, i64)>,
}

impl Shapes<'_> {
    /// Chooses lengths: those in loop bounds first, then maps, then all others large enough.
    fn fit(&mut self, accesses: &[Access]) -> Result<(), String> {
        for index in &self.program.indices {
            if let Extent::RunTime(extent) = &index.extent {
                for (atom, _) in &extent.terms {
                    if let Atom::Length(array, axis) = atom {
                        let outer = self.program.array(*array).shape.len() - axis > WHOLE;
                        let length = if outer {
                            self.size.min(SHORT)
                        } else {
                            self.size
                        };
                        self.lengths.insert((*array, *axis), length);
                    }
                }
            }
        }
        for access in accesses {
            self.limit_maps(access);
        }
        // A longer array may make a loop longer, and that another array.
        let mut rounds = 0;
        while accesses
            .iter()
            .fold(false, |grew, access| self.grow(access) | grew)
        {
            rounds += 1;
            if rounds > ROUNDS || self.lengths.values().any(|n| *n > LONGEST) {
                return Err("no lengths of its arrays were found that fit its accesses".to_owned());
            }
        }
        Ok(())
    }

    /// Random values of a parameter.
    fn parameter(&self, id: ArrayId, random: &mut Random) -> Result<Parameter, String> {
        let array = self.program.array(id);
        // A slice that holds an array of more dimensions has its own length.
        let own = if array.flat { 1 } else { array.shape.len() };
        let extents = array.shape[..own].iter().enumerate();
        let shape: Vec<usize> = extents
            .map(|(axis, extent)| self.extent(id, axis, extent))
            .collect();
        let count: usize = shape.iter().product();
        let data = match array.element {
            Element::Integer(_) if shape.is_empty() => Data::Integer(vec![self.size as i64]),
            Element::Integer(_) => {
                let (low, high) = self.entries(id);
                if high <= low {
                    return Err(format!("no entries of `{}` fit the accesses", array.name));
                }
                let count_of = (high - low) as u64;
                let entries = (0..count).map(|_| low + (random.next() % count_of) as i64);
                Data::Integer(entries.collect())
            }
            _ if array.allocated => Data::Field(vec![Field::ZERO; count]),
            _ => {
                let values = (0..count).map(|_| Field::from_i64((random.next() >> 2) as i64));
                Data::Field(values.collect())
            }
        };
        Ok(Parameter { shape, data })
    }

    /// Largest value of an affine function, maps left out if `maps` is false.
    fn largest(&self, affine: &Affine, maps: bool) -> i64 {
        affine
            .terms
            .iter()
            .fold(affine.constant, |sum, (atom, coefficient)| {
                let most = match atom {
                    Atom::Index(index) => match &self.program.loop_index(*index).extent {
                        Extent::Constant(n) => *n as i64 - 1,
                        Extent::RunTime(extent) => self.largest(extent, maps) - 1,
                    },
                    Atom::Scalar(_) => self.size as i64,
                    Atom::Length(array, axis) => self.length(*array, *axis),
                    Atom::Map(array, _) if maps || self.known(*array) => self.entries(*array).1 - 1,
                    Atom::Map(..) => 0,
                };
                sum + (coefficient * most).max(0)
                    + if matches!(atom, Atom::Scalar(_) | Atom::Length(..)) {
                        (coefficient * most).min(0)
                    } else {
                        0
                    }
            })
    }

    /// The value of a function of integers and lengths.
    fn value(&self, affine: &Affine) -> i64 {
        let terms = affine.terms.iter().map(|(atom, coefficient)| match atom {
            Atom::Scalar(_) => coefficient * self.size as i64,
            Atom::Length(array, axis) => coefficient * self.length(*array, *axis),
            Atom::Index(_) | Atom::Map(..) => 0,
        });
        affine.constant + terms.sum::<i64>()
    }

    fn entries(&self, map: ArrayId) -> (i64, i64) {
        if let Role::Table(values) = &self.program.array(map).role {
            let entries = values.iter().map(|value| value.to_f64() as i64);
            let (low, high) = (entries.clone().min(), entries.max());
            return (low.unwrap_or(0), high.unwrap_or(0) + 1);
        }
        let known = self.maps.get(&map).copied();
        known.unwrap_or((0, self.size as i64))
    }

    fn known(&self, map: ArrayId) -> bool {
        matches!(self.program.array(map).role, Role::Table(_))
    }

    /// Entries of maps must keep the subscripts that they occur in above zero, and below a
    /// constant extent. Several maps in one subscript get equal shares of that room.
    fn limit_maps(&mut self, access: &Access) {
        let array = self.program.array(access.array);
        if array.flat {
            return;
        }
        for (subscript, extent) in access.subscripts.iter().zip(&array.shape) {
            let maps = subscript.terms.iter().filter_map(|(atom, c)| match atom {
                Atom::Map(map, _) if !self.known(*map) && *c != 0 => Some((*map, *c)),
                _ => None,
            });
            let maps: Vec<(ArrayId, i64)> = maps.collect();
            let count = maps.len() as i64;
            let (least, most) = (self.least(subscript), self.largest(subscript, false));
            for (map, coefficient) in maps {
                // What the map adds is at least the one and at most the other.
                let from = ceiling(-least, count);
                let to = extent.as_constant();
                let to = to.map(|n| (n as i64 - 1 - most).div_euclid(count));
                let (low, high) = if coefficient > 0 {
                    let low = ceiling(from, coefficient).max(0);
                    let last = to.map(|to| to.div_euclid(coefficient));
                    (low, last.map_or(low + self.size as i64, |last| last + 1))
                } else {
                    let low = to.map_or(0, |to| ceiling(-to, -coefficient).max(0));
                    (low, (-from).div_euclid(-coefficient) + 1)
                };
                let entry = self.maps.entry(map).or_insert((low, high));
                *entry = (entry.0.max(low), entry.1.min(high));
            }
        }
    }

    /// Smallest value of an affine function without maps, its integers at their largest.
    fn least(&self, affine: &Affine) -> i64 {
        let terms = affine.terms.iter().map(|(atom, coefficient)| match atom {
            Atom::Index(index) => {
                let end = match &self.program.loop_index(*index).extent {
                    Extent::Constant(n) => *n as i64,
                    Extent::RunTime(extent) => self.largest(extent, false),
                };
                (coefficient * (end - 1)).min(0)
            }
            Atom::Scalar(_) => coefficient * self.size as i64,
            Atom::Length(array, axis) => coefficient * self.length(*array, *axis),
            Atom::Map(map, _) if self.known(*map) => {
                let (low, end) = self.entries(*map);
                (coefficient * low).min(coefficient * (end - 1))
            }
            Atom::Map(..) => 0,
        });
        affine.constant + terms.sum::<i64>()
    }

    /// The length of an array along an axis.
    fn length(&self, array: ArrayId, axis: usize) -> i64 {
        let known = self.lengths.get(&(array, axis)).copied();
        known.unwrap_or(self.size) as i64
    }

    /// The number of elements along an axis.
    fn extent(&self, array: ArrayId, axis: usize, extent: &Extent) -> usize {
        match extent {
            Extent::Constant(n) => *n,
            extent if own(extent, array) => self.lengths.get(&(array, axis)).copied().unwrap_or(1),
            Extent::RunTime(affine) => usize::try_from(self.largest(affine, true)).unwrap_or(0),
        }
    }

    /// Makes an array long enough for an access; whether it was too short.
    fn grow(&mut self, access: &Access) -> bool {
        if self.program.array(access.array).flat {
            return self.grow_flat(access);
        }
        let shape = &self.program.array(access.array).shape;
        let mut grew = false;
        for (axis, (extent, subscript)) in shape.iter().zip(&access.subscripts).enumerate() {
            if own(extent, access.array) {
                let needed = usize::try_from(self.largest(subscript, true) + 1).unwrap_or(1);
                let entry = self.lengths.entry((access.array, axis)).or_insert(1);
                grew |= needed > *entry;
                *entry = (*entry).max(needed);
            }
        }
        grew
    }

    /// Makes a slice long enough whose elements are an array of more dimensions.
    fn grow_flat(&mut self, access: &Access) -> bool {
        let shape = &self.program.array(access.array).shape;
        let last = access
            .subscripts
            .iter()
            .zip(shape)
            .fold(0, |outer, (subscript, extent)| {
                let extent = match extent {
                    Extent::RunTime(extent) => self.value(extent),
                    Extent::Constant(n) => *n as i64,
                };
                outer * extent + self.largest(subscript, true)
            });
        let needed = usize::try_from(last + 1).unwrap_or(1);
        let entry = self.lengths.entry((access.array, 0)).or_insert(1);
        let grew = needed > *entry;
        *entry = needed.max(*entry);
        grew
    }
}

/// The quotient by a positive number, rounded up.
fn ceiling(value: i64, by: i64) -> i64 {
    -(-value).div_euclid(by)
}

/// An extent that is the array's own.
fn own(extent: &Extent, array: ArrayId) -> bool {
    let Extent::RunTime(affine) = extent else {
        return false;
    };
    let mut terms = affine.terms.iter();
    terms.any(|(atom, _)| matches!(atom, Atom::Length(of, _) if *of == array))
}

/// A small deterministic generator (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
