//! What temporaries take that leave the caches and come back.

use super::carried::Carried;
use super::tree::{Dimension, Schedule, Storage};
use crate::analysis::cost::nominal;
use crate::ir::{ArrayId, Program};
use crate::machine::MEMORY;

/// Cycles in which an element is written, with a line at a time that is read before, and read.
const EACH: f64 = 24.0 / MEMORY;

/// Cycles in which temporaries leave the caches and come back that are kept whole, in all of their dimensions of
/// run-time length, where a schedule keeps those whole: however long these are, and arrays that are known to be
/// short stay near.
pub fn leaving(program: &Program, schedule: &Schedule) -> f64 {
    let whole = |(array, storage): &&(ArrayId, Storage)| {
        let shape = program.array(*array).shape.iter().zip(storage.extents());
        let mut run_time = shape.filter(|(extent, _)| extent.as_constant().is_none());
        let known = run_time.clone().next().is_some();
        known && run_time.all(|(_, dimension)| *dimension == Dimension::RunTime)
    };
    let whole = schedule.storage.iter().filter(whole);
    whole
        .map(|(array, storage)| EACH * storage.likely(program, *array) as f64)
        .sum()
}

/// The same of temporaries whose elements a loop around hands on, all of them in each iteration, where what the last one
/// leaves is read: were that loop inside of those over the elements, these would stay in registers.
pub fn again(program: &Program, schedule: &Schedule) -> f64 {
    let long = |(_, storage): &&(ArrayId, Storage)| storage.extents().contains(&Dimension::RunTime);
    if !schedule.storage.iter().any(|one| long(&one)) {
        return 0.0;
    }
    let left = Carried::left(program).into_iter();
    let each = left.map(|(array, index)| {
        let own = schedule.storage.iter().filter(long);
        let own = own.filter(|(other, _)| *other == array);
        let elements: usize = own.map(|(_, storage)| storage.likely(program, array)).sum();
        let times = nominal(program, &program.loop_index(index).extent);
        EACH * elements as f64 * times as f64
    });
    each.sum()
}
