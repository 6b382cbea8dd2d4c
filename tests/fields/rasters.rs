everyday! {
    n
    unsharp_mask {
        pub fn kernel(width: usize, amount: f32, src: &[f32], dst: &mut [f32]) {
            let height = src.len() / width;
            for y in 1..height.saturating_sub(1) {
                for x in 1..width - 1 {
                    let centre = y * width + x;
                    let mut blurred = 0.0;
                    for row in [centre - width, centre, centre + width] {
                        blurred += src[row - 1] + src[row] + src[row + 1];
                    }
                    blurred /= 9.0;
                    dst[centre] = (src[centre] + amount * (src[centre] - blurred)).clamp(0.0, 1.0);
                }
            }
        }
    } with {
        let w = order(n).max(3);
        let src: Vec<f32> = numbers(w * w, 1);
        let mut dst: Vec<f32> = numbers(w * w, 2);
    } (w, 0.6, &src, &mut dst) => (dst)
    threshold_count {
        pub fn kernel(pixels: &[u8], threshold: u8) -> usize {
            pixels.iter().filter(|&&p| p >= threshold).count()
        }
    } with {
        let pixels: Vec<u8> = numbers(n, 1);
    } (&pixels, 100) => ()
    flip_horizontal {
        pub fn kernel(width: usize, image: &mut [u32]) {
            for row in image.chunks_exact_mut(width) {
                row.reverse();
            }
        }
    } with {
        let w = order(n).max(1);
        let mut image: Vec<u32> = numbers(w * w, 1);
    } (w, &mut image) => (image)
    downsample_2x {
        pub fn kernel(width: usize, src: &[f32], dst: &mut [f32]) {
            let half = width / 2;
            for (rows, out) in src.chunks_exact(2 * width).zip(dst.chunks_exact_mut(half)) {
                let (top, bottom) = rows.split_at(width);
                for (x, o) in out.iter_mut().enumerate() {
                    *o = 0.25 * (top[2 * x] + top[2 * x + 1] + bottom[2 * x] + bottom[2 * x + 1]);
                }
            }
        }
    } with {
        let w = 2 * (order(n) / 2).max(1);
        let src: Vec<f32> = numbers(w * w, 1);
        let mut dst: Vec<f32> = numbers(w * w / 4, 2);
    } (w, &src, &mut dst) => (dst)
    dominant_channel {
        pub fn kernel(rgb: &[[u8; 3]], out: &mut [u8]) {
            for (o, p) in out.iter_mut().zip(rgb) {
                *o = match (p[0] >= p[1], p[0] >= p[2], p[1] >= p[2]) {
                    (true, true, _) => 0,
                    (false, _, true) => 1,
                    _ => 2,
                };
            }
        }
    } with {
        let rgb: Vec<[u8; 3]> = numbers(n, 1);
        let mut out: Vec<u8> = vec![0; n];
    } (&rgb, &mut out) => (out)
    hsv_value_saturation {
        pub fn kernel(rgb: &[[f32; 3]], out: &mut [[f32; 2]]) {
            for (o, &[r, g, b]) in out.iter_mut().zip(rgb) {
                let high = r.max(g).max(b);
                let low = r.min(g).min(b);
                *o = [high, if high > 0.0 { (high - low) / high } else { 0.0 }];
            }
        }
    } with {
        let rgb: Vec<[f32; 3]> = numbers(n, 1);
        let mut out: Vec<[f32; 2]> = numbers(n, 2);
    } (&rgb, &mut out) => (out)
    gaussian_blur_5 {
        pub fn kernel(width: usize, src: &[f32], dst: &mut [f32]) {
            const K: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];
            for (line, out) in src.chunks_exact(width).zip(dst.chunks_exact_mut(width)) {
                for x in 0..width {
                    let mut sum = 0.0;
                    for (k, weight) in K.iter().enumerate() {
                        let at = (x + k).saturating_sub(2).min(width - 1);
                        sum += weight * line[at];
                    }
                    out[x] = sum;
                }
            }
        }
    } with {
        let w = order(n).max(1);
        let src: Vec<f32> = numbers(w * w, 1);
        let mut dst: Vec<f32> = numbers(w * w, 2);
    } (w, &src, &mut dst) => (dst)
    median_of_three_rows {
        pub fn kernel(a: &[u8], b: &[u8], c: &[u8], out: &mut [u8]) {
            for (((o, &x), &y), &z) in out.iter_mut().zip(a).zip(b).zip(c) {
                *o = x.min(y).max(x.max(y).min(z));
            }
        }
    } with {
        let a: Vec<u8> = numbers(n, 1);
        let b: Vec<u8> = numbers(n, 2);
        let c: Vec<u8> = numbers(n, 3);
        let mut out: Vec<u8> = vec![0; n];
    } (&a, &b, &c, &mut out) => (out)
    view_row_means {
        use ndarray::{ArrayView2, ArrayViewMut1};
        pub fn kernel(a: ArrayView2<f64>, mut means: ArrayViewMut1<f64>) {
            let columns = a.ncols() as f64;
            for (i, row) in a.rows().into_iter().enumerate() {
                means[i] = row.sum() / columns;
            }
        }
    } with {
        let a = Array2::from_shape_vec((order(n), order(n)), numbers(order(n) * order(n), 1)).unwrap();
        let mut means = Array1::from_vec(numbers(order(n), 2));
    } (a.view(), means.view_mut()) => (means)
    view_laplacian {
        use ndarray::{ArrayView2, ArrayViewMut2};
        pub fn kernel(u: ArrayView2<f32>, mut out: ArrayViewMut2<f32>) {
            let (rows, cols) = u.dim();
            for i in 1..rows.saturating_sub(1) {
                for j in 1..cols.saturating_sub(1) {
                    out[[i, j]] = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]] - 4.0 * u[[i, j]];
                }
            }
        }
    } with {
        let u = Array2::from_shape_vec((order(n), order(n)), numbers(order(n) * order(n), 1)).unwrap();
        let mut out = Array2::from_shape_vec((order(n), order(n)), numbers(order(n) * order(n), 2)).unwrap();
    } (u.view(), out.view_mut()) => (out)
    view_outer {
        use ndarray::{Array1, Array2};
        pub fn kernel(x: &Array1<f64>, y: &Array1<f64>, a: &mut Array2<f64>) {
            for ((i, j), v) in a.indexed_iter_mut() {
                *v += x[i] * y[j];
            }
        }
    } with {
        let x = Array1::from_vec(numbers(order(n), 1));
        let y = Array1::from_vec(numbers(order(n), 2));
        let mut a = Array2::from_shape_vec((order(n), order(n)), numbers(order(n) * order(n), 3)).unwrap();
    } (&x, &y, &mut a) => (a)
    sums_of_whole_rows {
        pub fn kernel(width: usize, x: &[f64], sums: &mut [f64]) {
            for (row, sum) in x.chunks_exact(width).zip(sums.iter_mut()) {
                *sum = row.iter().sum();
            }
        }
    } with {
        let w = n % 7;
        let x: Vec<f64> = numbers(n, 1);
        let mut sums: Vec<f64> = numbers(n % 11, 2);
    } (w, &x, &mut sums) => (sums)
    column_means {
        pub fn kernel(width: usize, x: &[f64], means: &mut [f64]) {
            let height = x.len() / width;
            means.fill(0.0);
            for r in 0..height {
                let row = &x[r * width..(r + 1) * width];
                for (mean, v) in means.iter_mut().zip(row) {
                    *mean += v;
                }
            }
            for mean in means.iter_mut() {
                *mean /= height as f64;
            }
        }
    } with {
        let w = n % 13;
        let x: Vec<f64> = numbers(n, 1);
        let mut means: Vec<f64> = numbers(w, 2);
    } (w, &x, &mut means) => (means)
    largest_of_rows {
        pub fn kernel(x: &[f32], width: usize, out: &mut [f32]) {
            for (row, out) in x.chunks_exact(width).zip(out) {
                let mut best = row[0];
                for c in 1..width {
                    if row[c] > best {
                        best = row[c];
                    }
                }
                *out = best;
            }
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let mut out: Vec<f32> = numbers(n / 5, 2);
    } (&x, 5, &mut out) => (out)
    every_second_row {
        pub fn kernel(width: usize, image: &mut [f32]) {
            let height = image.len() / width;
            for r in (0..height).step_by(2) {
                for i in r * width..(r + 1) * width {
                    image[i] *= 0.5;
                }
            }
        }
    } with {
        let mut image: Vec<f32> = numbers(n, 1);
    } (3, &mut image) => (image)
    eight_neighbours {
        pub fn kernel(width: usize, walls: &[u8], counts: &mut [u8]) {
            let height = walls.len() / width;
            for y in 1..height.saturating_sub(1) {
                for x in 1..width.saturating_sub(1) {
                    let mut count = 0;
                    for dy in 0..3 {
                        for dx in 0..3 {
                            if (dx, dy) != (1, 1) && walls[(y + dy - 1) * width + x + dx - 1] > 99 {
                                count += 1;
                            }
                        }
                    }
                    counts[y * width + x] = count;
                }
            }
        }
    } with {
        let w = order(n);
        let walls: Vec<u8> = numbers(w * w, 1);
        let mut counts: Vec<u8> = numbers(w * w, 2);
    } (w, &walls, &mut counts) => (counts)
}
