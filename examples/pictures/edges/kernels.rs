//! The loops.

use loopwright::kernel;
use ndarray::Array2;

kernel! {
    /// Brightness, from 0 to 1, of pixels with red, green and blue (Rec. 709).
    pub fn brightness(pixels: &[[u8; 3]], grey: &mut [f32]) {
        for (y, rgb) in grey.iter_mut().zip(pixels) {
            *y = (0.2126 * rgb[0] as f32 + 0.7152 * rgb[1] as f32 + 0.0722 * rgb[2] as f32) / 255.0;
        }
    }

    /// Means over 5 x 5 pixels with binomial weights, nearly a Gaussian of one pixel's width. Pixels
    /// beyond the sides are those at the sides.
    pub fn smooth(image: &Array2<f32>, smoothed: &mut Array2<f32>) {
        const W: [f32; 5] = [1.0, 4.0, 6.0, 4.0, 1.0];
        let (height, width) = image.dim();
        for j in 0..height {
            for i in 0..width {
                let mut s = 0.0;
                for k in 0..5 {
                    for l in 0..5 {
                        let y = (j + k).max(2).min(height + 1) - 2;
                        let x = (i + l).max(2).min(width + 1) - 2;
                        s += W[k] * W[l] * image[[y, x]];
                    }
                }
                smoothed[[j, i]] = s / 256.0;
            }
        }
    }

    /// The gradient by Sobel's differences: its length, and its two parts.
    pub fn gradient(
        image: &Array2<f32>,
        along_x: &mut Array2<f32>,
        along_y: &mut Array2<f32>,
        length: &mut Array2<f32>,
    ) {
        let (height, width) = image.dim();
        for j in 1..height - 1 {
            for i in 1..width - 1 {
                let gx = image[[j - 1, i + 1]] + 2.0 * image[[j, i + 1]] + image[[j + 1, i + 1]]
                    - image[[j - 1, i - 1]] - 2.0 * image[[j, i - 1]] - image[[j + 1, i - 1]];
                let gy = image[[j + 1, i - 1]] + 2.0 * image[[j + 1, i]] + image[[j + 1, i + 1]]
                    - image[[j - 1, i - 1]] - 2.0 * image[[j - 1, i]] - image[[j - 1, i + 1]];
                along_x[[j, i]] = gx;
                along_y[[j, i]] = gy;
                length[[j, i]] = (gx * gx + gy * gy).sqrt();
            }
        }
    }

    /// Keeps what is longest across its edge, of the four directions that pixels have; all else
    /// becomes 0.
    pub fn thin(
        along_x: &Array2<f32>,
        along_y: &Array2<f32>,
        length: &Array2<f32>,
        edges: &mut Array2<f32>,
    ) {
        // The tangent of 22.5°.
        const FLAT: f32 = 0.414_213_56;
        let (height, width) = length.dim();
        for j in 1..height - 1 {
            for i in 1..width - 1 {
                let (gx, gy, here) = (along_x[[j, i]], along_y[[j, i]], length[[j, i]]);
                let across = if gy.abs() <= FLAT * gx.abs() {
                    length[[j, i - 1]].max(length[[j, i + 1]])
                } else if gx.abs() <= FLAT * gy.abs() {
                    length[[j - 1, i]].max(length[[j + 1, i]])
                } else if gx * gy > 0.0 {
                    length[[j - 1, i - 1]].max(length[[j + 1, i + 1]])
                } else {
                    length[[j - 1, i + 1]].max(length[[j + 1, i - 1]])
                };
                edges[[j, i]] = if here >= across { here } else { 0.0 };
            }
        }
    }
}
