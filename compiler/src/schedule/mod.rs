//! When and where: a program becomes a tree of loops, with storage, lanes and register tiles.

pub mod tree;
