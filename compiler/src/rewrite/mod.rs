//! The operators that passes are made of.

pub mod axes;
pub mod common_factor;
pub mod evaluate;
pub mod extrema;
pub mod few_bits;
pub mod forwards;
pub mod index_table;
pub mod narrow;
pub mod normalise;
pub mod overwritten;
pub mod powers;
pub mod rename;
pub mod replace;
pub mod signs;
pub mod starts;
pub mod tables;
pub mod translate;
pub mod turns;
pub mod unused;
pub mod zeros;
