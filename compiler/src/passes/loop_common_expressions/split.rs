//! Products, split into what an axis changes and what none does.

use crate::ir::{Expr, Factor, IndexId, Program};
use crate::number::Number;

/// The factors of a product.
pub struct Split {
    /// Those that an axis changes.
    pub varying: Vec<Factor>,
    /// The product of constants.
    pub number: Number,
    /// All others.
    pub others: Vec<Factor>,
}

impl Split {
    /// Of a product's factors.
    pub fn of(program: &Program, axes: &[IndexId], factors: &[Factor]) -> Split {
        let mut split = Split {
            varying: Vec::new(),
            number: Number::ONE,
            others: Vec::new(),
        };
        for factor in factors {
            let mut indices = program.pool.indices(factor.expr).iter();
            match program.pool.get(factor.expr) {
                _ if indices.any(|index| axes.contains(index)) => split.varying.push(*factor),
                Expr::Constant(value) if factor.power == 1 => split.number *= *value,
                _ => split.others.push(*factor),
            }
        }
        split
    }
}
