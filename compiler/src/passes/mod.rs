//! The pipeline, and one optimisation a file.

pub mod clean_tables;
pub mod code_motion;
pub mod common_subexpressions;
pub mod merge;
mod pipeline;
pub mod pre_evaluation;
pub mod sharing_elimination;

pub use pipeline::{HIGHEST, Pass, Pipeline, WrongPipeline, named, of_level, pipeline};
