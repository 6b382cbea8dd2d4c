//! The pipeline, and one optimisation a file.

pub mod array_blocks;
pub mod clean_tables;
pub mod code_motion;
pub mod common_subexpressions;
pub mod conditioned_sums;
pub mod direct_sums;
pub mod flat_arrays;
pub mod invariant_tables;
pub mod merge;
pub mod mirrors;
pub mod operation_minimisation;
mod pipeline;
pub mod pre_evaluation;
pub mod reduction_invariants;
pub mod repeated_sums;
pub mod shared_sums;
pub mod sharing_elimination;
pub mod split_arrays;
pub mod symmetry;
pub mod table_entries;
pub mod whole_sums;
pub mod zero_blocks;

pub use pipeline::{HIGHEST, Pass, Pipeline, WrongPipeline, named, of_level, pipeline};
