//! Where arrays live while a program is interpreted.

use std::rc::Rc;

use super::Result;
use super::addresses::Address;
use super::batch::Batch;
use super::places::{Slot, Storage, Turns, places, table, temporary};
use super::point::Point;
use super::words;
use crate::ir::{ArrayId, Combining, Extent, Program, Role};
use crate::number::Field;
use crate::schedule::tree::{self, Dimension};
use crate::verify::memory::{Data, Memory};

/// What is read of a parameter out of its range, where the text reads nothing: outside of a loop that has no
/// iteration. Expansions make such reads in range only, and the value is used for nothing; if it is, results
/// differ.
const OUTSIDE: i128 = -0x5bd1_e995_7a3c_41f7;

/// All arrays.
pub struct Arrays<'p> {
    pub program: &'p Program,
    pub storage: Vec<Storage>,
    pub memory: &'p mut Memory,
    /// Places of what is addressed.
    pub extents: Vec<Vec<Dimension>>,
    /// Elements in [`Storage::Register`], in the order in which they became visible.
    defined: Vec<(usize, (u64, usize))>,
    /// Temporaries with one value a lane, whatever iteration adds to it.
    pub folded: Flags,
    /// Temporaries that take turns.
    pub turns: Turns,
    /// Those in registers whose lanes are elements of their own.
    pub spread: Flags,
    /// The largest values of indices, by index, where they are known.
    pub most: Vec<Option<i64>>,
    /// Whether no index has left its range so far.
    pub within: bool,
}

/// Some of the arrays, which are asked for at each access.
#[derive(Default)]
pub struct Flags(Vec<bool>);

impl Flags {
    /// Adds an array.
    pub fn insert(&mut self, array: usize) {
        let all = self.0.len().max(array + 1);
        self.0.resize(all, false);
        self.0[array] = true;
    }

    /// Whether an array is one of them.
    pub fn contains(&self, array: usize) -> bool {
        self.0.get(array).is_some_and(|own| *own)
    }
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
            folded: Flags::default(),
            turns: Turns::default(),
            spread: Flags::default(),
            most: Vec::new(),
            within: true,
        };
        let most = program.indices.iter().map(|index| {
            let extent = arrays.extent(&index.extent).ok()?;
            i64::try_from(extent).ok().map(|n| n.max(1) - 1)
        });
        arrays.most = most.collect();
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
                let value = linear.known().ok_or("an extent depends on an index")?;
                Ok(usize::try_from(value).unwrap_or(0))
            }
        }
    }

    /// The dimensions of a slice of that length: the last row need not be whole.
    fn rows(&self, shape: &[Extent], length: &[usize]) -> Result<Vec<Dimension>> {
        let inner = shape[1..].iter().map(|extent| self.extent(extent));
        let inner: Vec<usize> = inner.collect::<Result<_>>()?;
        let row: usize = inner.iter().product();
        let length: usize = length.iter().product();
        let all = [length.div_ceil(row.max(1))].into_iter().chain(inner);
        Ok(all.map(Dimension::Kept).collect())
    }

    /// An index takes a value.
    pub fn ranges(&mut self, index: usize, value: i64) {
        if value < 0 || self.most[index].is_some_and(|most| value > most) {
            self.within = false;
        }
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

    /// An element of a parameter, or what is read outside of it: of a flat slice, rows may end before the extent of their
    /// dimension does.
    fn given<T: Copy>(&self, values: &[T], address: &Address, point: &Point, outside: T) -> T {
        let place = self.position(address, point).ok();
        let own = place.and_then(|place| values.get(place));
        own.copied().unwrap_or(outside)
    }

    /// Reads an element of an array of integers.
    pub fn integer(&self, address: &Address, point: &Point) -> Result<Option<i128>> {
        Ok(match &self.storage[address.array] {
            Storage::Integers(values) => {
                let value = values.get(self.position(address, point)?);
                value.copied().map(i128::from)
            }
            Storage::Parameter(at) => match &self.memory.parameters[*at].data {
                Data::Integer(values) => Some(self.given(values, address, point, OUTSIDE)),
                Data::Field(_) => None,
            },
            Storage::Counting => Some(i128::from(self.first_subscript(address, point)?)),
            _ => None,
        })
    }

    /// Reads an element.
    pub fn read(&self, address: &Address, point: &Point, lane: usize) -> Result<Field> {
        let array = address.array;
        let found = match &self.storage[array] {
            Storage::Parameter(at) => match &self.memory.parameters[*at].data {
                Data::Field(values) => {
                    let outside = Field::from_i128(OUTSIDE);
                    Some(self.given(values, address, point, outside))
                }
                Data::Integer(_) => {
                    let element = self.program.arrays[array].element;
                    let integer = self.integer(address, point)?;
                    integer.map(|integer| words::loaded(element, integer))
                }
            },
            Storage::Counting | Storage::Integers(_) => {
                self.integer(address, point)?.map(Field::from_i128)
            }
            Storage::Table(values) => values.get(self.position(address, point)?).copied(),
            Storage::Memory { values, lanes } => {
                let lane = if *lanes > 1 { lane } else { 0 };
                let (place, element) = self.place(address, point)?;
                let at = place * lanes + lane;
                match values[at] {
                    Some(slot) if point.idle => Some(slot.value),
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
                let lane = match *lanes && !self.spread.contains(array) {
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

    /// The numbers of a parameter or of a table, if it has any.
    fn numbers<'a>(&'a self, stored: &'a Storage) -> Option<&'a [Field]> {
        match stored {
            Storage::Parameter(at) => match &self.memory.parameters[*at].data {
                Data::Field(values) => Some(values),
                Data::Integer(_) => None,
            },
            Storage::Table(values) => Some(values),
            _ => None,
        }
    }

    /// Reads the elements at several points, if their places are an affine function; whether they are.
    pub fn load(
        &self,
        address: &Address,
        (point, batch): (&Point, &Batch),
        found: &mut [Field],
    ) -> Result<bool> {
        let Some(flat) = self.flat(address) else {
            return Ok(false);
        };
        let start = flat.place(point);
        let place = |more: i64| (start + more) as usize;
        let array = address.array;
        let unwritten = || format!("`{}` is read before it is written", self.name(array));
        let mut all = true;
        match &self.storage[array] {
            stored @ (Storage::Parameter(_) | Storage::Table(_)) => {
                let Some(values) = self.numbers(stored) else {
                    return Ok(false);
                };
                let missing = match stored {
                    Storage::Parameter(_) => Some(Field::from_i128(OUTSIDE)),
                    _ => None,
                };
                batch.each_of(&flat.strides, |at, more| {
                    let own = values.get(place(more)).copied().or(missing);
                    found[at] = own.ok_or_else(unwritten)?;
                    Ok::<(), String>(())
                })?;
            }
            Storage::Memory { values, lanes } => {
                let elements = self.all_contracted((address, flat), (point, batch))?;
                batch.each_of(&flat.strides, |at, more| {
                    let lane = if *lanes > 1 { batch.lane(at) } else { 0 };
                    let place = place(more) * lanes + lane;
                    let slot = values.get(place).copied().flatten();
                    let slot = slot.ok_or_else(unwritten)?;
                    let holds = slot.holds(elements.of(at)) && self.turns.holds(array, place);
                    all &= holds || batch.is_idle(at);
                    found[at] = slot.value;
                    Ok::<(), String>(())
                })?;
            }
            _ => return Ok(false),
        }
        Ok(all)
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
            let spread = self.spread.contains(array);
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
                Data::Field(values) if flat < values.len() => {
                    Rc::make_mut(values)[flat] = value;
                }
                Data::Integer(values) if flat < values.len() => {
                    Rc::make_mut(values)[flat] =
                        words::stored(self.program.arrays[array].element, value);
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
