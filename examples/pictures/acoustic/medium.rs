//! What the wave travels through, and what makes it.

use std::f32::consts::PI;

use ndarray::Array3;

/// How far the sponge at each side reaches, in points.
const SPONGE: usize = 20;

/// Layers that are the faster the deeper they are, and a slow ball in them: metres a second on a
/// cube of `size` points a side, `[z][y][x]`, z downwards.
pub fn speeds(size: usize) -> Array3<f32> {
    Array3::from_shape_fn((size, size, size), |(z, y, x)| {
        let [depth, y, x] = [z, y, x].map(|i| i as f32 / size as f32);
        let ball =
            (depth - 0.42).powi(2) + (y - 0.5).powi(2) + (x - 0.62).powi(2) < 0.12_f32.powi(2);
        // A layer's lower side is not level.
        let layer = depth + 0.05 * (2.0 * PI * x).sin();
        match layer {
            _ if ball => 1480.0,
            ..0.3 => 1800.0,
            ..0.6 => 2400.0,
            ..0.8 => 3000.0,
            _ => 3600.0,
        }
    })
}

/// The longest step, in seconds, for which the differences are stable, with a tenth to spare: for
/// waves of the highest frequency on the grid, (c Δt / Δx)² times the sum of the absolute weights
/// of the Laplacian must not exceed 4.
pub fn time_step(fastest: f32, spacing: f32) -> f32 {
    // Of one axis: 205/72 + 2 (8/5 + 1/5 + 8/315 + 1/560).
    const WEIGHTS: f32 = 3.0 * 6.501_587_4;
    0.9 * (4.0 / WEIGHTS).sqrt() * spacing / fastest
}

/// Factors along z, y and x: 1 inside, and falling towards the sides.
pub fn damping(size: usize) -> Vec<f32> {
    let factor = |i: usize| {
        let inside = i.min(size - 1 - i);
        let depth = SPONGE.saturating_sub(inside) as f32;
        (-(0.008 * depth).powi(2)).exp()
    };
    (0..3 * size).map(|i| factor(i % size)).collect()
}

/// Ricker's wavelet: the pressure that a source adds at a time, whose spectrum is largest at
/// `frequency`.
pub fn ricker(time: f32, frequency: f32) -> f32 {
    // It begins where it is still nearly zero.
    let phase = PI * frequency * (time - 1.2 / frequency);
    (1.0 - 2.0 * phase * phase) * (-phase * phase).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sponge_is_at_the_sides_only() {
        let factors = damping(64);
        assert_eq!(factors.len(), 3 * 64);
        assert_eq!(factors[64 + 32], 1.0);
        assert!(factors[0] < factors[5] && factors[5] < 1.0);
        assert_eq!(factors[0], factors[3 * 64 - 1]);
    }

    #[test]
    fn the_wavelet_begins_and_ends_with_nothing() {
        assert!(ricker(0.0, 10.0).abs() < 1e-4);
        assert!(ricker(1.0, 10.0).abs() < 1e-4);
        assert_eq!(ricker(0.12, 10.0), 1.0);
    }
}
