//! Addresses in arrays: accesses whose subscripts are resolved once, before a program is interpreted.

use std::collections::BTreeMap;

use super::Result;
use super::batch::Batch;
use super::places::{Storage, mixed};
use super::point::Point;
use super::storage::Arrays;
use crate::ir::{Access, Affine, ArrayId, Atom, Role};
use crate::schedule::tree::Dimension;
use crate::verify::memory::Data;

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
    /// The place, where no element has another one's and none is out of range while all indices are within
    /// theirs ([`Arrays::within`]).
    flat: Option<Flat>,
}

/// A place as an affine function of indices.
#[derive(Debug)]
pub struct Flat {
    constant: i64,
    /// How much further the next value of an index is.
    pub strides: Vec<(usize, i64)>,
    /// The dimensions in which all elements have one place: there the subscripts say which one it is.
    contracted: Vec<usize>,
}

impl Flat {
    /// The place at a point.
    pub fn place(&self, point: &Point) -> i64 {
        let strides = self.strides.iter();
        strides.fold(self.constant, |place, (index, stride)| {
            place + stride * point.at[*index]
        })
    }
}

/// Which elements, of those that share a place, are at several points.
pub enum Elements {
    /// The same one, if any share it.
    Same(Option<u64>),
    /// One a point.
    Each(Vec<u64>),
}

impl Elements {
    /// That of a point.
    pub fn of(&self, at: usize) -> Option<u64> {
        match self {
            Elements::Same(element) => *element,
            Elements::Each(elements) => Some(elements[at]),
        }
    }
}

impl Address {
    fn new(array: usize, dimensions: Vec<(Linear, Dimension)>, most: &[Option<i64>]) -> Address {
        let flat = flat(&dimensions, most);
        Address {
            array,
            dimensions,
            flat,
        }
    }
}

/// The place of what has those subscripts, if all of them are in range for all indices up to `most`.
fn flat(dimensions: &[(Linear, Dimension)], most: &[Option<i64>]) -> Option<Flat> {
    let (mut constant, mut strides) = (0i64, BTreeMap::<usize, i64>::new());
    let mut contracted = Vec::new();
    for (at, (linear, dimension)) in dimensions.iter().enumerate() {
        let n = match dimension {
            Dimension::Kept(n) => Some(i64::try_from(*n).ok()?),
            Dimension::Ring(1) => None,
            _ => return None,
        };
        let (mut lowest, mut highest) = (linear.constant, linear.constant);
        for (index, coefficient) in &linear.indices {
            let end = coefficient.checked_mul((*most.get(*index)?)?)?;
            lowest = lowest.checked_add(end.min(0))?;
            highest = highest.checked_add(end.max(0))?;
        }
        if !linear.maps.is_empty() || lowest < 0 || n.is_some_and(|n| highest >= n) {
            return None;
        }
        let Some(n) = n else {
            contracted.push(at);
            continue;
        };
        constant = constant.checked_mul(n)?.checked_add(linear.constant)?;
        for stride in strides.values_mut() {
            *stride = stride.checked_mul(n)?;
        }
        for (index, coefficient) in &linear.indices {
            *strides.entry(*index).or_default() += coefficient;
        }
    }
    Some(Flat {
        constant,
        strides: strides.into_iter().collect(),
        contracted,
    })
}

impl Linear {
    /// The value, if it depends on no index.
    pub fn known(&self) -> Option<i64> {
        (self.indices.is_empty() && self.maps.is_empty()).then_some(self.constant)
    }
}

impl Arrays<'_> {
    /// Resolves an affine function.
    pub fn linear(&self, affine: &Affine) -> Result<Linear> {
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
        Ok(Address::new(array, dimensions, &self.most))
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
        Ok(Address::new(array, dimensions, &self.most))
    }

    /// A function's value.
    pub fn value(&self, linear: &Linear, point: &Point) -> Result<i64> {
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

    /// The place of an element as an affine function, where it is one.
    pub fn flat<'a>(&self, address: &'a Address) -> Option<&'a Flat> {
        address.flat.as_ref().filter(|_| self.within)
    }

    /// The place of an element.
    pub fn position(&self, address: &Address, point: &Point) -> Result<usize> {
        self.place(address, point).map(|(place, _)| place)
    }

    /// The place of an element, and which one it is of those that share the place, if any do.
    pub fn place(&self, address: &Address, point: &Point) -> Result<(usize, Option<u64>)> {
        if let Some(flat) = self.flat(address) {
            let element = self.contracted(address, flat, point)?;
            return Ok((flat.place(point) as usize, element));
        }
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
        let several = |_: &u64| !self.folded.contains(address.array);
        Ok((place, element.filter(several)))
    }

    /// Which element it is of those that share a place, if any do.
    fn contracted(&self, address: &Address, flat: &Flat, point: &Point) -> Result<Option<u64>> {
        if flat.contracted.is_empty() || self.folded.contains(address.array) {
            return Ok(None);
        }
        let mut element = 0;
        for dimension in &flat.contracted {
            element = mixed(
                element,
                self.value(&address.dimensions[*dimension].0, point)?,
            );
        }
        Ok(Some(element))
    }

    /// The same at several points.
    pub fn all_contracted(
        &self,
        (address, flat): (&Address, &Flat),
        (point, batch): (&Point, &Batch),
    ) -> Result<Elements> {
        let own = flat.contracted.iter();
        let own = own.map(|dimension| &address.dimensions[*dimension].0);
        let varied = own.clone().any(|linear| {
            let mut indices = linear.indices.iter();
            indices.any(|(index, _)| batch.indices().any(|varied| varied == *index))
        });
        if !varied || self.folded.contains(address.array) {
            return Ok(Elements::Same(self.contracted(address, flat, point)?));
        }
        let mut elements = vec![0; batch.count()];
        for linear in own {
            let start = self.value(linear, point)?;
            batch.each_of(&linear.indices, |at, more| {
                elements[at] = mixed(elements[at], start + more);
                Ok::<(), String>(())
            })?;
        }
        Ok(Elements::Each(elements))
    }

    /// Which element of an array it is.
    pub fn element(&self, address: &Address, point: &Point) -> Result<u64> {
        let mut element = 0;
        for (linear, _) in &address.dimensions {
            element = mixed(element, self.value(linear, point)?);
        }
        Ok(element)
    }

    /// The error of a place that holds another element than the one that is read.
    pub fn overwritten(&self, address: &Address, point: &Point) -> String {
        let subscripts = address.dimensions.iter().map(|(linear, _)| {
            let value = self.value(linear, point);
            value.map_or("?".to_owned(), |n| n.to_string())
        });
        let subscripts: Vec<String> = subscripts.collect();
        let (name, subscripts) = (self.name(address.array), subscripts.join(", "));
        format!("`{name}[{subscripts}]` is read where its place holds another element")
    }

    /// The first subscript.
    pub fn first_subscript(&self, address: &Address, point: &Point) -> Result<i64> {
        let (linear, _) = address.dimensions.first().ok_or("no subscript")?;
        self.value(linear, point)
    }
}
