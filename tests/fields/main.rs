//! Kernels of many fields as people write them: images, sound, statistics, models, text, geometry, solvers. They have
//! the form of those in `tests/everyday`, and are compared in the same way.

#![allow(missing_docs, dead_code, unused_imports, reason = "kernels of tests")]
#![allow(
    clippy::all,
    clippy::pedantic,
    reason = "plain functions as people write them"
)]

#[macro_use]
#[path = "../everyday/form.rs"]
mod form;
#[macro_use]
#[path = "../everyday/outcome.rs"]
mod outcome;
#[path = "../everyday/inputs.rs"]
mod inputs;

mod bits;
mod bytes;
mod choices;
mod decompositions;
mod figures;
mod filters;
mod geometry;
mod graphs;
mod hashes;
mod images;
mod kinds;
mod layers;
mod learning;
mod markets;
mod measures;
mod models;
mod motions;
mod networks;
mod orders;
mod physics;
mod pictures;
mod prices;
mod rasters;
mod rays;
mod routines;
mod samples;
mod short;
mod sides;
mod signals;
mod solvers;
mod sounds;
mod statistics;

const SIZES: [usize; 5] = [0, 1, 7, 64, 1000];

fields! {
    geometry::bounding_box::Aabb { min max }
    geometry::quaternion_rotate::Quaternion { w v }
    geometry::haversine::Place { latitude longitude }
    geometry::lennard_jones::Atom { position kind }
    geometry::particles_in_box::Particle { position velocity bounces }
    geometry::spring_forces::Spring { a b stiffness length }
    measures::kinetic_energy::Body { mass velocity }
    images::premultiply::Rgba { r g b a }
    prices::candle::Candle { open high low close }
    models::black_scholes::Contract { spot strike years }
    models::positions_value::Position { quantity price }
    models::mark_to_market::Trade { quantity entry fee }
    models::adam::Adam { rate beta1 beta2 }
    signals::biquad::Biquad { b a z }
    physics::leapfrog::Planet { mass position velocity }
    physics::shallow_water::Cell { h hu }
    rays::quaternion_multiply::Quat { w x y z }
    solvers::euler_flux::State { rho momentum energy }
    solvers::wave_state::State { t u v }
    motions::drag_particles::Puff { position velocity age }
    motions::pendulums::Pendulum { angle omega length }
    samples::sepia::Rgb { r g b }
    samples::state_variable_filter::Svf { low band }
}
