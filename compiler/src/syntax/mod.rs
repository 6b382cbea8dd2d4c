//! The kernel language: the only room that knows `syn`.

pub mod ast;
