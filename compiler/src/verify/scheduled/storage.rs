//! Where arrays live while a program is interpreted, and addresses in them.

use std::collections::HashMap;

use super::Result;
use crate::ir::{Access, Affine, ArrayId, Atom, Element, Extent, IndexId, Program, Role};
use crate::number::Field;
use crate::schedule::tree;
use crate::verify::memory::{Data, Memory};

/// An array's memory.
pub enum Storage {
    /// The kernel's n-th parameter.
    Parameter(usize),
    /// Known values.
    Table(Vec<Field>),
    /// Known integers.
    Integers(Vec<i64>),
    /// A temporary; elements that were never written are `None`.
    Memory {
        values: Vec<Option<Field>>,
        /// Values an element.
        lanes: usize,
    },
    /// Values by offsets and lane, each with the [`Address::point`] that it belongs to.
    Register {
        values: HashMap<(u64, usize), (Field, u64)>,
        lanes: bool,
    },
    /// A temporary without storage.
    Missing,
}

/// An affine function of indices and map entries; other inputs are part of the constant.
#[derive(Debug, Default)]
pub struct Linear {
    constant: i64,
    indices: Vec<(usize, i64)>,
    maps: Vec<(Address, i64)>,
}

/// A compiled access.
#[derive(Debug)]
pub struct Address {
    /// The array.
    pub array: usize,
    /// Subscripts with extents; contracted dimensions are left out.
    dimensions: Vec<(Linear, usize)>,
}

/// The values of indices, whole and without the loops' part.
#[derive(Debug, Default)]
pub struct Point {
    /// Values.
    pub at: Vec<i64>,
    /// Values of the loops.
    pub loops: Vec<i64>,
    /// Offsets of the instance.
    pub offsets: Vec<u32>,
}

/// All arrays.
pub struct Arrays<'p> {
    program: &'p Program,
    pub storage: Vec<Storage>,
    pub memory: &'p mut Memory,
    /// Extents of what is addressed; `None` for contracted dimensions.
    extents: Vec<Vec<Option<usize>>>,
}

impl<'p> Arrays<'p> {
    /// The arrays of a program. Temporaries live where `chosen` says, or in whole arrays without.
    pub fn new(
        program: &'p Program,
        memory: &'p mut Memory,
        chosen: Option<&[(ArrayId, tree::Storage)]>,
        width: usize,
    ) -> Result<Self> {
        let mut arrays = Arrays {
            program,
            storage: Vec::new(),
            memory,
            extents: Vec::new(),
        };
        for (at, array) in program.arrays.iter().enumerate() {
            let mut extents: Vec<Option<usize>> = match &array.role {
                Role::Parameter(position) | Role::Output(position) => {
                    let parameter = arrays.memory.parameters.get(*position);
                    let shape = &parameter.ok_or("a parameter is missing")?.shape;
                    // A view of fewer dimensions has the inner ones joined.
                    let own = array.shape.iter().zip(shape);
                    own.map(|(extent, given)| Some(extent.as_constant().unwrap_or(*given)))
                        .collect()
                }
                _ => Vec::new(),
            };
            let storage = match &array.role {
                Role::Parameter(position) | Role::Output(position) => Storage::Parameter(*position),
                Role::Table(values) => {
                    extents = array.shape.iter().map(Extent::as_constant).collect();
                    match array.element {
                        Element::Integer(_) => {
                            Storage::Integers(values.iter().map(|v| v.to_f64() as i64).collect())
                        }
                        _ => Storage::Table(values.iter().map(|v| v.field()).collect()),
                    }
                }
                Role::Temporary => {
                    let stored = match chosen {
                        Some(chosen) => chosen.iter().find(|(id, _)| id.0 as usize == at),
                        None => None,
                    };
                    match (stored, chosen) {
                        (Some((_, tree::Storage::Register { lanes })), _) => {
                            extents = vec![Some(usize::MAX); array.shape.len()];
                            Storage::Register {
                                values: HashMap::new(),
                                lanes: *lanes,
                            }
                        }
                        (Some((_, tree::Storage::Memory { extents: e, lanes })), _) => {
                            extents.clone_from(e);
                            let lanes = if *lanes { width } else { 1 };
                            Storage::Memory {
                                values: vec![None; e.iter().flatten().product::<usize>() * lanes],
                                lanes,
                            }
                        }
                        (None, Some(_)) => Storage::Missing,
                        (None, None) => {
                            extents = array
                                .shape
                                .iter()
                                .map(|e| arrays.extent(e).map(Some))
                                .collect::<Result<_>>()?;
                            Storage::Memory {
                                values: vec![None; extents.iter().flatten().product()],
                                lanes: 1,
                            }
                        }
                    }
                }
            };
            arrays.storage.push(storage);
            arrays.extents.push(extents);
        }
        Ok(arrays)
    }

    /// The name of an array.
    pub fn name(&self, array: usize) -> &str {
        &self.program.arrays[array].name
    }

    /// An extent's value.
    pub fn extent(&self, extent: &Extent) -> Result<usize> {
        match extent {
            Extent::Constant(n) => Ok(*n),
            Extent::RunTime(affine) => {
                let linear = self.linear(affine)?;
                if !linear.indices.is_empty() || !linear.maps.is_empty() {
                    return Err("an extent depends on an index".to_owned());
                }
                Ok(usize::try_from(linear.constant).unwrap_or(0))
            }
        }
    }

    fn linear(&self, affine: &Affine) -> Result<Linear> {
        let mut result = Linear {
            constant: affine.constant,
            ..Linear::default()
        };
        for (atom, coefficient) in &affine.terms {
            match atom {
                Atom::Index(index) => result.indices.push((index.0 as usize, *coefficient)),
                Atom::Scalar(array) | Atom::Length(array, _) => {
                    let (Role::Parameter(at) | Role::Output(at)) = self.program.array(*array).role
                    else {
                        return Err("an integer that is no parameter".to_owned());
                    };
                    let parameter = &self.memory.parameters[at];
                    let value = match (atom, &parameter.data) {
                        (Atom::Length(_, axis), _) => parameter.shape.get(*axis).map(|n| *n as i64),
                        (_, Data::Integer(values)) => values.first().copied(),
                        _ => None,
                    };
                    let value = value.ok_or_else(|| {
                        format!("`{}` is no integer", self.program.array(*array).name)
                    })?;
                    result.constant += coefficient * value;
                }
                Atom::Map(array, subscripts) => {
                    result
                        .maps
                        .push((self.address(*array, subscripts)?, *coefficient));
                }
            }
        }
        Ok(result)
    }

    /// Compiles an access.
    pub fn compile(&self, access: &Access) -> Result<Address> {
        self.address(access.array, &access.subscripts)
    }

    fn address(&self, array: ArrayId, subscripts: &[Affine]) -> Result<Address> {
        let array = array.0 as usize;
        let extents = &self.extents[array];
        if extents.len() != subscripts.len() && !matches!(self.storage[array], Storage::Missing) {
            return Err(format!(
                "`{}` has {} dimensions, not {}",
                self.name(array),
                extents.len(),
                subscripts.len()
            ));
        }
        let kept = extents.iter().zip(subscripts);
        let dimensions = kept
            .filter_map(|(extent, subscript)| Some((self.linear(subscript), (*extent)?)))
            .map(|(linear, extent)| Ok((linear?, extent)))
            .collect::<Result<_>>()?;
        Ok(Address { array, dimensions })
    }

    /// The address of a staging array's element: `loops` run over its kept dimensions.
    pub fn staged(&self, array: usize, loops: &[IndexId]) -> Result<Address> {
        let kept: Vec<usize> = self.extents[array].iter().flatten().copied().collect();
        if kept.len() != loops.len() {
            return Err(format!("`{}` is not copied as a whole", self.name(array)));
        }
        let one = |(index, extent): (&IndexId, usize)| {
            let linear = Linear {
                indices: vec![(index.0 as usize, 1)],
                ..Linear::default()
            };
            (linear, extent)
        };
        let dimensions = loops.iter().zip(kept).map(one).collect();
        Ok(Address { array, dimensions })
    }

    /// A function's value.
    fn value(&self, linear: &Linear, point: &Point) -> Result<i64> {
        let mut value = linear.constant;
        for (index, coefficient) in &linear.indices {
            value += coefficient * point.at[*index];
        }
        for (map, coefficient) in &linear.maps {
            let flat = self.flat(map, point)?;
            let entry = match &self.storage[map.array] {
                Storage::Integers(values) => values.get(flat).copied(),
                Storage::Parameter(at) => match &self.memory.parameters[*at].data {
                    Data::Integer(values) => values.get(flat).copied(),
                    Data::Field(_) => None,
                },
                _ => None,
            };
            value += coefficient
                * entry.ok_or_else(|| format!("`{}` is no index map", self.name(map.array)))?;
        }
        Ok(value)
    }

    fn flat(&self, address: &Address, point: &Point) -> Result<usize> {
        let mut flat = 0;
        for (linear, extent) in &address.dimensions {
            let at = self.value(linear, point)?;
            if at < 0 || at as usize >= *extent {
                return Err(format!(
                    "`{}` is accessed at {at}, out of range below {extent}",
                    self.name(address.array)
                ));
            }
            flat = flat * extent + at as usize;
        }
        Ok(flat)
    }

    /// What tells a register from others of its array, and which element it holds.
    fn register(&self, address: &Address, point: &Point) -> Result<(u64, u64)> {
        let (mut key, mut element) = (0u64, 0u64);
        for (linear, _) in &address.dimensions {
            let value = self.value(linear, point)?;
            element = element.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ value as u64;
            for (index, _) in &linear.indices {
                key = key * 1024 + u64::from(point.offsets[*index]);
            }
        }
        Ok((key, element))
    }

    /// Reads an element.
    pub fn read(&self, address: &Address, point: &Point, lane: usize) -> Result<Field> {
        let array = address.array;
        let found = match &self.storage[array] {
            Storage::Parameter(at) => match &self.memory.parameters[*at].data {
                Data::Field(values) => values.get(self.flat(address, point)?).copied(),
                Data::Integer(_) => None,
            },
            Storage::Table(values) => values.get(self.flat(address, point)?).copied(),
            Storage::Memory { values, lanes } => {
                let lane = if *lanes > 1 { lane } else { 0 };
                values[self.flat(address, point)? * lanes + lane]
            }
            Storage::Register { values, lanes } => {
                let (key, element) = self.register(address, point)?;
                let lane = if *lanes { lane } else { 0 };
                let slot = values.get(&(key, lane));
                slot.filter(|s| s.1 == element).map(|s| s.0)
            }
            Storage::Integers(_) | Storage::Missing => None,
        };
        found.ok_or_else(|| format!("`{}` is read before it is written", self.name(array)))
    }

    /// Writes an element: assigns, or adds. Inactive lanes add nothing, and assign nothing but
    /// temporaries that have one value a lane.
    pub fn write(
        &mut self,
        address: &Address,
        point: &Point,
        (lane, active): (usize, bool),
        value: Field,
        accumulate: bool,
    ) -> Result<()> {
        let array = address.array;
        let lanes = match &self.storage[array] {
            Storage::Memory { lanes, .. } => *lanes > 1,
            Storage::Register { lanes, .. } => *lanes,
            _ => false,
        };
        if !active && (!lanes || accumulate) {
            return Ok(());
        }
        let old = match accumulate {
            true => self.read(address, point, lane)?,
            false => Field::ZERO,
        };
        let value = old + value;
        let lane = if lanes { lane } else { 0 };
        if let Storage::Register { .. } = self.storage[array] {
            let (key, element) = self.register(address, point)?;
            if let Storage::Register { values, .. } = &mut self.storage[array] {
                values.insert((key, lane), (value, element));
            }
            return Ok(());
        }
        let flat = self.flat(address, point)?;
        match &mut self.storage[array] {
            Storage::Parameter(at) => match &mut self.memory.parameters[*at].data {
                Data::Field(values) if flat < values.len() => values[flat] = value,
                _ => return Err(format!("`{}` cannot be written", self.name(array))),
            },
            Storage::Memory { values, lanes } => values[flat * *lanes + lane] = Some(value),
            _ => return Err(format!("`{}` cannot be written", self.name(array))),
        }
        Ok(())
    }
}
