//! Hash tables of the compiler.
//!
//! Keys are numbers of expressions, arrays and loops, and what is made of them: small, asked for often, and nobody chooses
//! them to collide. The standard library's hash, which keeps such choices out, took an eighth of the time of an expansion.
//! Tables of this one have the same order in every run, too.

/// A table by keys.
pub type HashMap<K, V> = rustc_hash::FxHashMap<K, V>;

/// A set of keys.
pub type HashSet<K> = rustc_hash::FxHashSet<K>;
