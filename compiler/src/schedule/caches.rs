//! The machine that blocks are made for: what its caches hold at least.

/// Bytes of a first-level cache: that of most processors with AVX2.
pub const FIRST: usize = 32 << 10;

/// Bytes of a second-level cache.
pub const SECOND: usize = 512 << 10;
