//! The loops.

use loopwright::kernel;
use ndarray::Array3;

kernel! {
    /// One step of the acoustic wave equation, ∂²p/∂t² = c² Δp, with differences of order 2 in time
    /// and 8 in space, on a grid `[z][y][x]`. The pressure of the step before becomes that of the
    /// next one; four points at each side stay what they are.
    ///
    /// `speed` holds (c Δt / Δx)² at each point. `damping` holds factors along z, y and x one after
    /// another, 1 inside and less near the sides, that let waves out (Cerjan and others, Geophysics
    /// 50, 1985).
    #[opt(require_lanes)]
    pub fn step(now: &Array3<f32>, speed: &Array3<f32>, damping: &[f32], before: &mut Array3<f32>) {
        // The central differences of order 8 for a second derivative.
        const W: [f32; 5] = [-205.0 / 72.0, 8.0 / 5.0, -1.0 / 5.0, 8.0 / 315.0, -1.0 / 560.0];
        let (nz, ny, nx) = now.dim();
        for k in 4..nz - 4 {
            for j in 4..ny - 4 {
                for i in 4..nx - 4 {
                    let mut laplacian = 3.0 * W[0] * now[[k, j, i]];
                    for r in 1..5 {
                        laplacian += W[r]
                            * (now[[k, j, i - r]] + now[[k, j, i + r]]
                                + now[[k, j - r, i]] + now[[k, j + r, i]]
                                + now[[k - r, j, i]] + now[[k + r, j, i]]);
                    }
                    let d = damping[k] * damping[nz + j] * damping[nz + ny + i];
                    before[[k, j, i]] = d
                        * (2.0 * now[[k, j, i]] - d * before[[k, j, i]]
                            + speed[[k, j, i]] * laplacian);
                }
            }
        }
    }
}
