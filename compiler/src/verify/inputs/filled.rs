//! What inputs hold, where their sizes are known.

use std::rc::Rc;

use super::needs::Unknown;
use super::{Inputs, LARGEST, Solution, Turn};
use crate::ir::{ArrayId, Element, Role};
use crate::number::Field;
use crate::verify::memory::{Data, Memory, Parameter};

/// Integers below this are common ones where most are alike.
const ALIKE: u64 = 4;

impl Inputs<'_> {
    /// Parameters of the sizes that a solution says, with random values.
    pub(super) fn filled(&self, solution: &Solution, turn: Turn) -> Result<Memory, String> {
        let positions = self.program.arrays.iter().filter_map(|a| a.role.position());
        let count = positions.max().map_or(0, |p| p + 1);
        let mut parameters: Vec<Option<Parameter>> = (0..count).map(|_| None).collect();
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (turn.input as u64).rotate_left(32));
        for (at, array) in self.program.arrays.iter().enumerate() {
            if let Role::Parameter(position) | Role::Output(position) = array.role {
                let id = ArrayId(at as u32);
                parameters[position] = Some(self.parameter((id, turn), solution, &mut random)?);
            }
        }
        let parameters = parameters.into_iter().collect::<Option<Vec<_>>>();
        Ok(Memory {
            parameters: parameters.ok_or("a parameter has no array")?,
        })
    }

    /// Random values of a parameter.
    fn parameter(
        &self,
        (id, turn): (ArrayId, Turn),
        solution: &Solution,
        random: &mut Random,
    ) -> Result<Parameter, String> {
        let array = self.program.array(id);
        // A slice that holds an array of more dimensions has its own length.
        let shape: Vec<usize> = (array.given_axes())
            .map(|axis| {
                let extent = &array.shape[axis];
                let extent = self.needs.extent(id, axis, extent).value(solution);
                usize::try_from(extent.max(0)).unwrap_or(usize::MAX)
            })
            .collect();
        let count = shape
            .iter()
            .try_fold(1usize, |n, extent| n.checked_mul(*extent));
        let count = count.filter(|count| *count <= LARGEST);
        let count = count.ok_or_else(|| format!("`{}` is too large to be filled", array.name))?;
        let value = |unknown| self.needs.number(unknown).map_or(0, |at| solution[at]);
        let data = match array.element {
            Element::Integer(ty) | Element::Word(ty) if self.needs.is_free(id) => {
                // What stands alone is what a conversion changes: negative, or else large.
                let first = usize::from(shape.is_empty() && ty.range().0 < 0);
                let turns = first..first + count;
                let mut limited = self.program.limited.iter();
                let range = limited.find(|(limited, _)| *limited == id);
                let range = range.map_or(ty.range(), |(_, range)| *range);
                let common = turn.alike.map(|values| (random.next() % ALIKE, values));
                let entries = turns.enumerate().map(|(at, own)| {
                    let probe = self.probes.value(id, turn.input, at);
                    let probe = probe.filter(|value| (range.0..=range.1).contains(value));
                    if let Some((common, values)) = common
                        && (at == 0 || !random.is_apart())
                    {
                        let value = i128::from(common + random.below(values));
                        return value.clamp(range.0, range.1);
                    }
                    probe.unwrap_or_else(|| random.integer(own, range))
                });
                Data::Integer(Rc::new(entries.collect()))
            }
            Element::Integer(_) if shape.is_empty() => {
                Data::Integer(Rc::new(vec![value(Unknown::Scalar(id)).into()]))
            }
            Element::Integer(_) => {
                let ends = (value(Unknown::Least(id)), value(Unknown::Greatest(id)));
                Data::Integer(Rc::new(entries((id, count), ends, turn.spread, random)))
            }
            _ if array.allocated => Data::Field(Rc::new(vec![Field::ZERO; count])),
            _ => {
                let common = turn.alike.map(|values| (random.next() >> 1, values));
                let values = (0..count).map(|_| match common {
                    Some((common, values)) if !random.is_apart() => {
                        common + (random.below(values) << 32)
                    }
                    _ => random.next(),
                });
                let values = values.map(|value| Field::from_i64((value >> 2) as i64));
                Data::Field(Rc::new(values.collect()))
            }
        };
        Ok(Parameter { shape, data })
    }
}

/// Entries of an index map between two values: random ones, or, in turns, one value after the other for each.
fn entries(
    (map, count): (ArrayId, usize),
    (low, high): (i64, i64),
    turn: Option<u64>,
    random: &mut Random,
) -> Vec<i128> {
    let values = (high - low) as u64 + 1;
    let mut fixed = Random(u64::from(map.0));
    let entry = |_| match turn {
        Some(turn) => low + (fixed.next().wrapping_add(turn) % values) as i64,
        None => low + (random.next() % values) as i64,
    };
    (0..count).map(entry).map(i128::from).collect()
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

    /// A number below a limit.
    fn below(&mut self, limit: u64) -> u64 {
        match limit {
            1 => 0,
            _ => self.next() % limit,
        }
    }

    /// Whether an entry is another one than most of its array, where these are alike.
    fn is_apart(&mut self) -> bool {
        self.next().is_multiple_of(8)
    }

    /// An integer of a range, in turns from its upper half, its lower half, its ends, and near zero: of two
    /// neighbours at least one shows that a conversion was left out.
    fn integer(&mut self, turn: usize, (low, high): (i128, i128)) -> i128 {
        let half = (high - low + 1) / 2;
        let ends = [low, low + 1, high - 1, high];
        let value = match turn % 4 {
            0 => high - i128::from(self.next()) % half,
            1 => low + i128::from(self.next()) % half,
            2 => ends[(self.next() % ends.len() as u64) as usize],
            _ => i128::from(self.next() % 32) - 16,
        };
        value.clamp(low, high)
    }
}
