//! The pipeline, and one optimisation a file.

pub mod array_blocks;
pub mod clean_tables;
pub mod code_motion;
pub mod common_pairs;
pub mod common_subexpressions;
pub mod conditioned_sums;
pub mod delinearise;
pub mod even_odd;
pub mod factorisation;
pub mod forwarding;
pub mod invariant_tables;
mod local_arrays;
pub mod loop_common_expressions;
pub mod merge;
pub mod operation_minimisation;
mod order;
mod pipeline;
pub mod pre_evaluation;
pub mod product_tables;
pub mod reciprocals;
pub mod reduction_invariants;
pub mod repeated_sums;
pub mod scalar_replacement;
pub mod shared_sums;
pub mod sharing_elimination;
pub mod symmetry;
pub mod symmetry_detection;
pub mod table_entries;
pub mod whole_sums;
pub mod zero_blocks;

pub use order::{EXACT, Pass, Rewrite};
pub use pipeline::{HIGHEST, Pipeline, WrongPipeline, named, of_level, pipeline};
