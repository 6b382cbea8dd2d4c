//! Kernels as people write them, with iterators, conditions and methods: each is accepted as it stands, and
//! computes what the same text computes as plain functions, in every variant.
//!
//! The kernels stand in modules of their own, each with inputs of a size `n`, its arguments and what it writes: their
//! texts say nothing of tests, and the benchmark of the same name times them.

#![allow(missing_docs, dead_code, unused_imports, reason = "kernels of tests")]
#![allow(
    clippy::all,
    clippy::pedantic,
    reason = "plain functions as people write them"
)]

#[macro_use]
mod form;
#[macro_use]
mod outcome;

mod grids;
mod inputs;
mod matrices;
mod paths;
mod points;
mod structs;
mod totals;
mod updates;
mod vectors;

const SIZES: [usize; 5] = [0, 1, 7, 64, 1000];

fields! {
    structs::drift::Particle { x y vx vy }
    structs::vectors_with_operators::Vec3 { x y z }
    structs::nested_arrays::Point { 0 1 }
    structs::nested_arrays::Quad { corners stiffness load }
    structs::moved::Particle { position velocity }
    updates::verlet::State { x v a }
    updates::hue_rotate::Colour { r g b }
}
