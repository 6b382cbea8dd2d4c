//! Numerical loops in ordinary Rust, optimised while the crate compiles.
