//! Where arrays live while a program is interpreted, and addresses in them.

use std::collections::HashSet;

use super::Result;
use super::places::{Slot, Storage, Turns, mixed, places, table, temporary};
use super::point::Point;
use super::words;
use crate::ir::{Access, Affine, ArrayId, Atom, Combining, Extent, Program, Role};
use crate::number::Field;
use crate::schedule::tree::{self, Dimension};
use crate::verify::memory::{Data, Memory};

/// What is read of a parameter out of its range, where the text reads nothing: outside of a loop that has no
/// iteration. Expansions make such reads in range only, and the value is used for nothing; if it is, results
/// differ.
const OUTSIDE: i128 = -0x5bd1_e995_7a3c_41f7;

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
    /// Subscripts with the places of their dimensions.
    dimensions: Vec<(Linear, Dimension)>,
}

/// All arrays.
pub struct Arrays<'p> {
    program: &'p Program,
    pub storage: Vec<Storage>,
    pub memory: &'p mut Memory,
    /// Places of what is addressed.
    extents: Vec<Vec<Dimension>>,
    /// Elements in [`Storage::Register`], in the order in which they became visible.
    defined: Vec<(usize, (u64, usize))>,
    /// Temporaries with one value a lane, whatever iteration adds to it.
    pub folded: HashSet<ArrayId>,
    /// Temporaries that take turns.
    pub turns: Turns,
    /// Those in registers whose lanes are elements of their own.
    pub spread: HashSet<usize>,
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
            defined: Vec::new(),
            folded: HashSet::new(),
            turns: Turns::default(),
            spread: HashSet::new(),
        };
        for (at, array) in program.arrays.iter().enumerate() {
            let (storage, extents) = match &array.role {
                Role::Parameter(position) | Role::Output(position) | Role::State(position) => {
                    let parameter = arrays.memory.parameters.get(*position);
                    let shape = &parameter.ok_or("a parameter is missing")?.shape;
                    if program.array(program.viewed(ArrayId(at as u32))).flat {
                        let extents = arrays.rows(&array.shape, shape)?;
                        arrays.storage.push(Storage::Parameter(*position));
                        arrays.extents.push(extents);
                        continue;
                    }
                    // A view of fewer dimensions has the inner ones joined.
                    let own = array.shape.iter().zip(shape);
                    let own = own.map(|(extent, given)| extent.as_constant().unwrap_or(*given));
                    let extents = own.map(Dimension::Kept).collect();
                    (Storage::Parameter(*position), extents)
                }
                Role::Table(values) => {
                    let own = array.shape.iter().filter_map(Extent::as_constant);
                    (
                        table(array.element, values),
                        own.map(Dimension::Kept).collect(),
                    )
                }
                Role::Counting => (Storage::Counting, vec![Dimension::CONTRACTED]),
                Role::Temporary => match chosen {
                    Some(chosen) => {
                        let stored = chosen.iter().find(|(id, _)| id.0 as usize == at);
                        let own = array.shape.iter().map(|e| arrays.extent(e));
                        let own: Vec<usize> = own.collect::<Result<_>>()?;
                        temporary(stored.map(|(_, storage)| storage), &own, width)?
                    }
                    None => {
                        let own = array.shape.iter().map(|e| arrays.extent(e));
                        let own = own.map(|n| n.map(Dimension::Kept));
                        let extents: Vec<Dimension> = own.collect::<Result<_>>()?;
                        (places(&extents, 1)?, extents)
                    }
                },
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

    /// The dimensions of a slice of that length: the last row need not be whole.
    fn rows(&self, shape: &[Extent], length: &[usize]) -> Result<Vec<Dimension>> {
        let inner = shape[1..].iter().map(|extent| self.extent(extent));
        let inner: Vec<usize> = inner.collect::<Result<_>>()?;
        let row: usize = inner.iter().product();
        let length = length.first().ok_or("a slice without a length")?;
        let all = [length.div_ceil(row.max(1))].into_iter().chain(inner);
        Ok(all.map(Dimension::Kept).collect())
    }

    fn linear(&self, affine: &Affine) -> Result<Linear> {
        let mut result = Linear::default();
        let mut constant = i128::from(affine.constant);
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
                        (Atom::Length(_, axis), _) => {
                            parameter.shape.get(*axis).map(|n| *n as i128)
                        }
                        (_, Data::Integer(values)) => values.first().copied(),
                        _ => None,
                    };
                    let value = value.ok_or_else(|| {
                        format!("`{}` is no integer", self.program.array(*array).name)
                    })?;
                    constant += i128::from(*coefficient) * value;
                }
                Atom::Map(array, subscripts) => {
                    result
                        .maps
                        .push((self.address(*array, subscripts)?, *coefficient));
                }
            }
        }
        let fits = i64::try_from(constant);
        result.constant = fits.map_err(|_| "a subscript overflows")?;
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
            .map(|(extent, subscript)| Ok((self.linear(subscript)?, *extent)))
            .collect::<Result<_>>()?;
        Ok(Address { array, dimensions })
    }

    /// The address of a staging array's element, by its subscripts in the kept dimensions.
    pub fn staged(&self, array: usize, subscripts: &[Affine]) -> Result<Address> {
        let extents = self.extents[array].iter();
        let kept: Vec<Dimension> = extents.filter(|d| d.kept().is_some()).copied().collect();
        if kept.len() != subscripts.len() {
            return Err(format!("`{}` is not copied as a whole", self.name(array)));
        }
        let dimensions = subscripts
            .iter()
            .zip(kept)
            .map(|(subscript, dimension)| Ok((self.linear(subscript)?, dimension)))
            .collect::<Result<_>>()?;
        Ok(Address { array, dimensions })
    }

    /// A function's value.
    fn value(&self, linear: &Linear, point: &Point) -> Result<i64> {
        let indices = linear.indices.iter();
        let value = indices.fold(linear.constant, |value, (index, coefficient)| {
            value + coefficient * point.at[*index]
        });
        match linear.maps.is_empty() {
            true => Ok(value),
            false => {
                let sum = self.mapped(linear, point)? + i128::from(value);
                i64::try_from(sum).map_err(|_| "a subscript overflows".to_owned())
            }
        }
    }

    /// What index maps add to it.
    fn mapped(&self, linear: &Linear, point: &Point) -> Result<i128> {
        let mut value = 0;
        for (map, coefficient) in &linear.maps {
            let entry = self.integer(map, point)?;
            let entry =
                entry.ok_or_else(|| format!("`{}` is no index map", self.name(map.array)))?;
            value += i128::from(*coefficient) * entry;
        }
        Ok(value)
    }

    fn flat(&self, address: &Address, point: &Point) -> Result<usize> {
        self.place(address, point).map(|(place, _)| place)
    }

    /// The place of an element, and which one it is of those that share the place, if any do.
    fn place(&self, address: &Address, point: &Point) -> Result<(usize, Option<u64>)> {
        let (mut place, mut element) = (0, None);
        for (linear, dimension) in &address.dimensions {
            let at = self.value(linear, point)?;
            let wrong = |limit: &dyn std::fmt::Display| {
                let name = self.name(address.array);
                Err(format!("`{name}` is accessed at {at}, out of range{limit}"))
            };
            match *dimension {
                Dimension::Kept(n) if at < 0 || at as usize >= n => {
                    return wrong(&format_args!(" below {n}"));
                }
                Dimension::Kept(n) => place = place * n + at as usize,
                Dimension::RunTime => return wrong(&": its extent is not known"),
                Dimension::Ring(_) if at < 0 => return wrong(&""),
                Dimension::Ring(depth) => {
                    place = place * depth + at as usize % depth;
                    element = Some(mixed(element.unwrap_or(0), at));
                }
            }
        }
        let several = |_: &u64| !self.folded.contains(&ArrayId(address.array as u32));
        Ok((place, element.filter(several)))
    }

    /// Which element of an array it is.
    fn element(&self, address: &Address, point: &Point) -> Result<u64> {
        let mut element = 0;
        for (linear, _) in &address.dimensions {
            element = mixed(element, self.value(linear, point)?);
        }
        Ok(element)
    }

    /// How many elements became visible so far.
    pub fn visible(&self) -> usize {
        self.defined.len()
    }

    /// The end of a loop's body: what became visible in it no longer is.
    pub fn hide(&mut self, before: usize) {
        for (array, key) in self.defined.drain(before..) {
            if let Storage::Register { values, .. } = &mut self.storage[array] {
                values.remove(&key);
            }
        }
    }

    /// Reads an element of an array of integers.
    pub fn integer(&self, address: &Address, point: &Point) -> Result<Option<i128>> {
        Ok(match &self.storage[address.array] {
            Storage::Integers(values) => {
                let value = values.get(self.flat(address, point)?);
                value.copied().map(i128::from)
            }
            Storage::Parameter(at) => match &self.memory.parameters[*at].data {
                Data::Integer(values) => match self.flat(address, point) {
                    Ok(place) => values.get(place).copied(),
                    Err(_) => Some(OUTSIDE),
                },
                Data::Field(_) => None,
            },
            Storage::Counting => {
                let (linear, _) = address.dimensions.first().ok_or("no subscript")?;
                Some(i128::from(self.value(linear, point)?))
            }
            _ => None,
        })
    }

    /// Reads an element.
    pub fn read(&self, address: &Address, point: &Point, lane: usize) -> Result<Field> {
        let array = address.array;
        let found = match &self.storage[array] {
            Storage::Parameter(at) => match &self.memory.parameters[*at].data {
                Data::Field(values) => match self.flat(address, point) {
                    Ok(place) => values.get(place).copied(),
                    Err(_) => Some(Field::from_i128(OUTSIDE)),
                },
                Data::Integer(_) => {
                    let element = self.program.arrays[array].element;
                    let integer = self.integer(address, point)?;
                    integer.map(|integer| words::loaded(element, integer))
                }
            },
            Storage::Counting | Storage::Integers(_) => {
                self.integer(address, point)?.map(Field::from_i128)
            }
            Storage::Table(values) => values.get(self.flat(address, point)?).copied(),
            Storage::Memory { values, lanes } => {
                let lane = if *lanes > 1 { lane } else { 0 };
                let (place, element) = self.place(address, point)?;
                let at = place * lanes + lane;
                match values[at] {
                    Some(_) if !self.turns.holds(array, at) => {
                        return Err(format!(
                            "`{}` is read after another temporary took its place",
                            self.name(array)
                        ));
                    }
                    Some(slot) if !slot.holds(element) => {
                        return Err(self.overwritten(address, point));
                    }
                    slot => slot.map(|slot| slot.value),
                }
            }
            Storage::Register { values, lanes } => {
                let lane = match *lanes && !self.spread.contains(&array) {
                    true => lane,
                    false => 0,
                };
                let element = self.element(address, point)?;
                values.get(&(element, lane)).copied()
            }
            Storage::Missing => None,
        };
        found.ok_or_else(|| format!("`{}` is read before it is written", self.name(array)))
    }

    /// The error of a place that holds another element than the one that is read.
    fn overwritten(&self, address: &Address, point: &Point) -> String {
        let subscripts = address.dimensions.iter().map(|(linear, _)| {
            let value = self.value(linear, point);
            value.map_or("?".to_owned(), |n| n.to_string())
        });
        let subscripts: Vec<String> = subscripts.collect();
        let (name, subscripts) = (self.name(address.array), subscripts.join(", "));
        format!("`{name}[{subscripts}]` is read where its place holds another element")
    }

    /// Writes an element: assigns, or combines it with what is there. Inactive lanes add nothing, and assign nothing but
    /// temporaries that have one value a lane.
    pub fn write(
        &mut self,
        address: &Address,
        point: &Point,
        (lane, active): (usize, bool),
        value: Field,
        accumulate: Option<Combining>,
    ) -> Result<()> {
        let array = address.array;
        let lanes = match &self.storage[array] {
            Storage::Memory { lanes, .. } => *lanes > 1,
            Storage::Register { lanes, .. } => *lanes,
            _ => false,
        };
        if !active && (!lanes || accumulate.is_some()) {
            return Ok(());
        }
        let value = match accumulate {
            Some(combining) => {
                let element = self.program.arrays[array].element;
                words::combined(element, combining, self.read(address, point, lane)?, value)
            }
            None => value,
        };
        let lane = if lanes { lane } else { 0 };
        if let Storage::Register { .. } = self.storage[array] {
            let spread = self.spread.contains(&array);
            let key = (self.element(address, point)?, if spread { 0 } else { lane });
            if let Storage::Register { values, .. } = &mut self.storage[array] {
                // Inactive lanes stand at the last element, which is that of an active one.
                if spread && !active && values.contains_key(&key) {
                    return Ok(());
                }
                if values.insert(key, value).is_none() {
                    self.defined.push((array, key));
                }
            }
            return Ok(());
        }
        let (flat, element) = self.place(address, point)?;
        match &mut self.storage[array] {
            Storage::Parameter(at) => match &mut self.memory.parameters[*at].data {
                Data::Field(values) if flat < values.len() => values[flat] = value,
                Data::Integer(values) if flat < values.len() => {
                    values[flat] = words::stored(self.program.arrays[array].element, value);
                }
                _ => return Err(format!("`{}` cannot be written", self.name(array))),
            },
            Storage::Memory { values, lanes } => {
                let at = flat * *lanes + lane;
                values[at] = Some(Slot { value, element });
                self.turns.write(array, at);
            }
            _ => return Err(format!("`{}` cannot be written", self.name(array))),
        }
        Ok(())
    }
}
