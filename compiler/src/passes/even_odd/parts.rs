//! Tables in even and odd parts.

use crate::ir::{ExprId, Factor, IndexId, Program};
use crate::number::Number;
use crate::passes::pre_evaluation::opened;
use crate::rewrite::evaluate::{self, only_tables, tabulate};
use crate::rewrite::normalise::product;

/// Most entries of tables that are looked at.
const MOST: usize = 1 << 16;

/// How something changes where a loop runs backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Parity {
    /// Not at all.
    Even,
    /// Its sign.
    Odd,
}

impl Parity {
    /// Both.
    pub const BOTH: [Parity; 2] = [Parity::Even, Parity::Odd];

    /// 1 or -1.
    pub fn sign(self) -> Number {
        match self {
            Parity::Even => Number::ONE,
            Parity::Odd => -Number::ONE,
        }
    }

    /// How many of a loop's iterations say what happens in all of them: what is odd is zero in the middle.
    pub fn half(self, extent: usize) -> usize {
        match self {
            Parity::Even => extent.div_ceil(2),
            Parity::Odd => extent / 2,
        }
    }
}

/// A term of a sum: tables, and what they are multiplied with.
pub struct Weighted {
    /// The loops of the tables, but for the two whose order is reversed.
    pub others: Vec<IndexId>,
    /// The product of the tables: over the other loops, the one around the sum and the sum's, which runs fastest.
    values: Vec<Number>,
    /// What is multiplied.
    pub rest: ExprId,
}

/// Two loops whose order is reversed.
#[derive(Clone, Copy, Debug)]
pub struct Loops {
    /// One around the sum, if its order is.
    pub around: Option<IndexId>,
    /// The sum's own.
    pub summed: IndexId,
    /// Whether what is multiplied is added to what it is where that runs backwards, and subtracted from it.
    pub folded: bool,
}

/// A part of the tables of a term.
pub struct Part {
    /// What it is where the sum's loop runs backwards, if terms are folded.
    pub summed: Option<Parity>,
    /// What it is where the loop around runs backwards, if that has halves.
    pub around: Option<Parity>,
    /// Entries that say all others.
    pub values: Vec<Number>,
}

impl Weighted {
    /// A term, if its tables follow the sum's loop and the one around, and what they are multiplied with
    /// follows that of the sum alone.
    pub fn of(program: &mut Program, expr: ExprId, loops: &Loops) -> Option<Weighted> {
        let element = program.pool.element(expr);
        let factors = opened(&program.pool, expr);
        let (tables, rest): (Vec<Factor>, Vec<Factor>) =
            (factors.into_iter()).partition(|factor| only_tables(program, factor.expr));
        let tables = product(&mut program.pool, tables, element);
        let rest = product(&mut program.pool, rest, element);
        let depends = |expr, index| program.pool.indices(expr).contains(&index);
        let mut others = program.pool.indices(tables).to_vec();
        let around = loops.around.into_iter();
        if !depends(tables, loops.summed)
            || !depends(rest, loops.summed)
            || (around.clone()).any(|index| !depends(tables, index) || depends(rest, index))
        {
            return None;
        }
        others.retain(|index| *index != loops.summed && Some(*index) != loops.around);
        let all: Vec<IndexId> = (others.iter().copied())
            .chain(around)
            .chain([loops.summed])
            .collect();
        let count = evaluate::extents(program, &all)?.into_iter();
        if count.fold(1, usize::saturating_mul) > MOST {
            return None;
        }
        let values = tabulate(program, tables, &all)?;
        Some(Weighted {
            others,
            values,
            rest,
        })
    }

    /// The parts of its tables; `None` where these are not what the loops ask for.
    pub fn parts(&self, program: &Program, loops: &Loops) -> Option<Vec<Part>> {
        let extent = |index| program.loop_index(index).extent.as_constant();
        let length = extent(loops.summed)?;
        let mut parts = Vec::new();
        if loops.folded {
            for parity in Parity::BOTH {
                let rows = self.values.chunks(length);
                let values: Vec<Number> = rows.flat_map(|row| half_of(row, parity)).collect();
                if values.iter().any(|value| !value.is_zero()) {
                    parts.push(Part {
                        summed: Some(parity),
                        around: None,
                        values,
                    });
                }
            }
        } else {
            parts.push(Part {
                summed: None,
                around: None,
                values: self.values.clone(),
            });
        }
        match loops.around {
            // Without halves around it, a sum in two parts has all its products.
            None => (parts.len() == 1).then_some(parts),
            Some(index) => {
                let rows = extent(index)?;
                let in_halves = parts.into_iter().map(|part| {
                    let width = part.summed.map_or(length, |parity| parity.half(length));
                    let (around, values) = half_around(&part.values, rows, width)?;
                    Some(Part {
                        around: Some(around),
                        values,
                        ..part
                    })
                });
                in_halves.collect()
            }
        }
    }
}

/// The even or the odd part of a row, as far as it says the rest.
fn half_of(row: &[Number], parity: Parity) -> impl Iterator<Item = Number> + '_ {
    let half = Number::ratio(1, 2);
    (0..parity.half(row.len())).map(move |at| {
        let (own, mirrored) = (row[at], row[row.len() - 1 - at]);
        match at == row.len() - 1 - at {
            true => own,
            false => (own + parity.sign() * mirrored) * half,
        }
    })
}

/// What tables are where their rows are in reverse order, and the rows that say all others.
fn half_around(values: &[Number], rows: usize, width: usize) -> Option<(Parity, Vec<Number>)> {
    let is = |parity: &Parity| {
        values.chunks(rows * width).all(|table| {
            let mirrored = table.chunks(width).rev();
            let mut pairs = table.chunks(width).zip(mirrored);
            pairs.all(|(row, mirrored)| {
                let mut pairs = row.iter().zip(mirrored);
                pairs.all(|(a, b)| a.field() == (parity.sign() * *b).field())
            })
        })
    };
    let parity = Parity::BOTH.into_iter().find(is)?;
    let tables = values.chunks(rows * width);
    let halves = tables.flat_map(|table| &table[..parity.half(rows) * width]);
    Some((parity, halves.copied().collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(values: &[i64]) -> Vec<Number> {
        values.iter().copied().map(Number::from_i64).collect()
    }

    #[test]
    fn rows_are_sums_of_their_parts() {
        let row = numbers(&[2, 5, 8]);
        let even: Vec<Number> = half_of(&row, Parity::Even).collect();
        let odd: Vec<Number> = half_of(&row, Parity::Odd).collect();
        assert_eq!((even, odd), (numbers(&[5, 5]), numbers(&[-3])));
    }

    #[test]
    fn halves_say_all_rows() {
        let symmetric = numbers(&[1, 2, 3, 4, 1, 2]);
        let found = half_around(&symmetric, 3, 2);
        assert_eq!(found, Some((Parity::Even, numbers(&[1, 2, 3, 4]))));
        // In the middle, what changes its sign is zero.
        let antisymmetric = numbers(&[1, 2, 0, 0, -1, -2]);
        let found = half_around(&antisymmetric, 3, 2);
        assert_eq!(found, Some((Parity::Odd, numbers(&[1, 2]))));
        assert_eq!(half_around(&numbers(&[1, 2, 0, 1, -1, -2]), 3, 2), None);
    }
}
