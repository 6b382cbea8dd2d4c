//! The kernels of `tests/everyday` and `tests/fields`. What `everyday!` makes of each, and what a `Case` is, the
//! crates say that have this module.

#[path = "../../tests/everyday/inputs.rs"]
pub mod inputs;

macro_rules! suites {
    ($($name:ident $path:literal)*) => {
        $(#[path = $path] pub mod $name;)*

        /// All kernels, with the names of their modules and their own.
        pub fn all() -> Vec<(String, crate::Case)> {
            let mut all = Vec::new();
            $(all.extend($name::CASES.iter().map(|(kernel, case)| {
                (format!("{}::{kernel}", stringify!($name)), *case)
            }));)*
            all
        }
    };
}

suites! {
    vectors "../../tests/everyday/vectors.rs"
    matrices "../../tests/everyday/matrices.rs"
    grids "../../tests/everyday/grids.rs"
    paths "../../tests/everyday/paths.rs"
    points "../../tests/everyday/points.rs"
    structs "../../tests/everyday/structs.rs"
    totals "../../tests/everyday/totals.rs"
    updates "../../tests/everyday/updates.rs"
    bytes "../../tests/fields/bytes.rs"
    choices "../../tests/fields/choices.rs"
    filters "../../tests/fields/filters.rs"
    hashes "../../tests/fields/hashes.rs"
    layers "../../tests/fields/layers.rs"
    pictures "../../tests/fields/pictures.rs"
    prices "../../tests/fields/prices.rs"
    geometry "../../tests/fields/geometry.rs"
    images "../../tests/fields/images.rs"
    measures "../../tests/fields/measures.rs"
    models "../../tests/fields/models.rs"
    signals "../../tests/fields/signals.rs"
    graphs "../../tests/fields/graphs.rs"
    physics "../../tests/fields/physics.rs"
    rays "../../tests/fields/rays.rs"
    decompositions "../../tests/fields/decompositions.rs"
    learning "../../tests/fields/learning.rs"
    routines "../../tests/fields/routines.rs"
    orders "../../tests/fields/orders.rs"
    kinds "../../tests/fields/kinds.rs"
    samples "../../tests/fields/samples.rs"
    short "../../tests/fields/short.rs"
    solvers "../../tests/fields/solvers.rs"
    statistics "../../tests/fields/statistics.rs"
    bits "../../tests/fields/bits.rs"
    sides "../../tests/fields/sides.rs"
    networks "../../tests/fields/networks.rs"
    sounds "../../tests/fields/sounds.rs"
    rasters "../../tests/fields/rasters.rs"
    figures "../../tests/fields/figures.rs"
    markets "../../tests/fields/markets.rs"
    motions "../../tests/fields/motions.rs"
}
