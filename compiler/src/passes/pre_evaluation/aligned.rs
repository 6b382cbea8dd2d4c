//! Entries that are mirrored and equal, in the order of those of other equations that are not.
//!
//! The blocks of an elasticity matrix that couple a component with itself are symmetric, those that
//! couple two components are made of halves: of the entries of pairs, and of their own mirror images.
//! Both take the same symmetric tensors. In one order, they take the same tables, sums over these are the
//! same for all blocks, and all blocks have the same loops.
//!
//! Before: `u[e, p] = g0[e] * t0[p]`, with an entry for each place on the diagonal and below, row by row.
//! After: `u[e, r] = g0[e] * t1[r]` for the pairs of halves, and `u[e, n + o] = g0[e] * t2[o]` for the
//! others. Holds: the same entries, in another order.

use super::entries::{Channel, Entries, Kind, defines, summed, temporary};
use super::halves::{Halves, shifted};
use crate::ir::{ArrayId, Equation, Extent, Program};
use crate::rewrite::tables::Tables;

/// Entries in the order of halves.
pub struct Aligned {
    /// The columns of pairs, then the others.
    columns: Vec<usize>,
    /// How many pairs there are.
    pairs: usize,
    /// For each equation, where its entries are.
    pub maps: Vec<Vec<usize>>,
}

impl Aligned {
    /// The order of halves, if some entries are equal at both places of each of its pairs, and differ
    /// otherwise.
    pub fn of(entries: &Entries, halves: &Halves) -> Option<Aligned> {
        let order = halves.order()?;
        let mut position: Vec<Option<usize>> = vec![None; entries.columns.len()];
        let mut columns: Vec<Option<usize>> = vec![None; halves.count()];
        for (_, map) in &entries.maps {
            if map.len() != order.len() {
                return None;
            }
            for (column, at) in map.iter().zip(&order) {
                let known = position[*column].get_or_insert(*at);
                let other = columns[*at].get_or_insert(*column);
                if known != at || other != column {
                    return None;
                }
            }
        }
        let position: Vec<usize> = position.into_iter().collect::<Option<_>>()?;
        let maps = entries.maps.iter();
        let maps = maps.map(|(_, map)| map.iter().map(|column| position[*column]).collect());
        Some(Aligned {
            columns: columns.into_iter().collect::<Option<_>>()?,
            pairs: halves.pairs(),
            maps: maps.collect(),
        })
    }

    /// The equations that compute the entries, and their temporary.
    pub fn define(
        &self,
        program: &mut Program,
        tables: &mut Tables,
        kind: &Kind,
        entries: &Entries,
        name: &str,
    ) -> (Vec<Equation>, ArrayId) {
        let all = Extent::Constant(self.columns.len());
        let array = temporary(program, kind, &format!("{name}_entries"), all);
        let (pairs, others) = self.columns.split_at(self.pairs);
        let mut result = Vec::new();
        for (first, columns) in [(0, pairs), (self.pairs, others)] {
            if columns.is_empty() {
                continue;
            }
            let place = program.add_index("p", Extent::Constant(columns.len()));
            let channel = |(at, channel): (usize, &Channel)| {
                let numbers = columns
                    .iter()
                    .map(|column| entries.columns[*column][at].clone());
                (channel.clone(), numbers.collect())
            };
            let channels: Vec<_> = kind.channels.iter().enumerate().map(channel).collect();
            let expr = summed(program, tables, kind, place, name, &channels);
            result.push(defines(kind, array, place, &shifted(place, first), expr));
        }
        (result, array)
    }
}
