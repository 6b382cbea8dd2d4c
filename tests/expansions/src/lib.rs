//! Tests and a benchmark that call the compiler itself.
//!
//! They are a package of their own since they need it, and more, for the target: the examples of `loopwright` are
//! built without.
