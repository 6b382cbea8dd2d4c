//! Stub.
use super::memory::Memory;
use crate::ir::Program;
use crate::schedule::tree::Schedule;
/// Stub.
/// # Errors
/// None.
pub fn run(_: &Program, _: &Schedule, _: &mut Memory, _: &dyn Fn(usize) -> usize, _: &mut u64) -> Result<(), String> { Ok(()) }
/// Stub.
/// # Errors
/// None.
pub fn run_unscheduled(_: &Program, _: &mut Memory, _: &dyn Fn(usize) -> usize, _: &mut u64) -> Result<(), String> { Ok(()) }
