//! Cells for tests of element matrices.

/// The vertices of a tetrahedron.
pub type Cell = [[f64; 3]; 4];

/// Numbers in -1..1 that look random.
pub fn noise(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// Cells that are not too flat.
pub fn cells(count: usize, seed: &mut u64) -> Vec<Cell> {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut cell = || corners.map(|x| x.map(|x| x + 0.2 * noise(seed)));
    (0..count).map(|_| cell()).collect()
}
