everyday! {
    n
    sobel {
        pub fn kernel(width: usize, image: &[u8], out: &mut [u8]) {
            let height = image.len() / width;
            let at = |x: usize, y: usize| i32::from(image[y * width + x]);
            for y in 1..height.saturating_sub(1) {
                for x in 1..width - 1 {
                    let gx = at(x + 1, y - 1) + 2 * at(x + 1, y) + at(x + 1, y + 1)
                        - at(x - 1, y - 1)
                        - 2 * at(x - 1, y)
                        - at(x - 1, y + 1);
                    let gy = at(x - 1, y + 1) + 2 * at(x, y + 1) + at(x + 1, y + 1)
                        - at(x - 1, y - 1)
                        - 2 * at(x, y - 1)
                        - at(x + 1, y - 1);
                    out[y * width + x] = (gx.abs() + gy.abs()).min(255) as u8;
                }
            }
        }
    } with {
        let w = order(n).max(2);
        let image: Vec<u8> = numbers(w * w, 1);
        let mut out: Vec<u8> = numbers(w * w, 2);
    } (w, &image, &mut out) => (out)
    gaussian_row {
        pub fn kernel(row: &[u8], out: &mut [u8]) {
            for (o, w) in out.iter_mut().zip(row.windows(5)) {
                let sum = u16::from(w[0])
                    + 4 * u16::from(w[1])
                    + 6 * u16::from(w[2])
                    + 4 * u16::from(w[3])
                    + u16::from(w[4]);
                *o = ((sum + 8) >> 4) as u8;
            }
        }
    } with {
        let row: Vec<u8> = numbers(n, 1);
        let mut out: Vec<u8> = numbers(n, 2);
    } (&row, &mut out) => (out)
    max_pool {
        use ndarray::{ArrayView2, ArrayViewMut2};
        pub fn kernel(x: ArrayView2<f32>, mut y: ArrayViewMut2<f32>) {
            for ((i, j), y) in y.indexed_iter_mut() {
                *y = x[[2 * i, 2 * j]]
                    .max(x[[2 * i, 2 * j + 1]])
                    .max(x[[2 * i + 1, 2 * j]])
                    .max(x[[2 * i + 1, 2 * j + 1]]);
            }
        }
    } with {
        let m = order(n);
        let x = Array2::from_shape_vec((2 * m, 2 * m), numbers::<f32>(4 * m * m, 1)).unwrap();
        let mut y = Array2::from_shape_vec((m, m), numbers::<f32>(m * m, 2)).unwrap();
    } (x.view(), y.view_mut()) => (y)
    downsample_bytes {
        pub fn kernel(width: usize, image: &[u8], out: &mut [u8]) {
            for (row, pair) in out.chunks_exact_mut(width / 2).zip(image.chunks_exact(2 * width)) {
                let (top, bottom) = pair.split_at(width);
                for (x, o) in row.iter_mut().enumerate() {
                    let sum = u16::from(top[2 * x])
                        + u16::from(top[2 * x + 1])
                        + u16::from(bottom[2 * x])
                        + u16::from(bottom[2 * x + 1]);
                    *o = ((sum + 2) / 4) as u8;
                }
            }
        }
    } with {
        let w = 2 * order(n).max(1);
        let image: Vec<u8> = numbers(w * w, 1);
        let mut out: Vec<u8> = numbers(w * w / 4, 2);
    } (w, &image, &mut out) => (out)
    grey {
        pub fn kernel(rgb: &[[u8; 3]], grey: &mut [u8]) {
            for (g, &[r, g8, b]) in grey.iter_mut().zip(rgb) {
                *g = ((u32::from(r) * 299 + u32::from(g8) * 587 + u32::from(b) * 114) / 1000) as u8;
            }
        }
    } with {
        let rgb: Vec<[u8; 3]> = numbers(n, 1);
        let mut grey: Vec<u8> = numbers(n, 2);
    } (&rgb, &mut grey) => (grey)
    threshold {
        pub fn kernel(level: u8, image: &mut [u8]) {
            for p in image.iter_mut() {
                *p = if *p > level { u8::MAX } else { 0 };
            }
        }
    } with {
        let mut image: Vec<u8> = numbers(n, 1);
    } (100, &mut image) => (image)
    saturating_add {
        pub fn kernel(a: &[u8], b: &mut [u8]) {
            for (b, &a) in b.iter_mut().zip(a) {
                *b = b.saturating_add(a);
            }
        }
    } with {
        let a: Vec<u8> = numbers(n, 1);
        let mut b: Vec<u8> = numbers(n, 2);
    } (&a, &mut b) => (b)
    average_bytes {
        pub fn kernel(a: &[u8], b: &[u8], out: &mut [u8]) {
            for ((o, &a), &b) in out.iter_mut().zip(a).zip(b) {
                *o = ((u16::from(a) + u16::from(b) + 1) >> 1) as u8;
            }
        }
    } with {
        let a: Vec<u8> = numbers(n, 1);
        let b: Vec<u8> = numbers(n, 2);
        let mut out: Vec<u8> = numbers(n, 3);
    } (&a, &b, &mut out) => (out)
    unpack_565 {
        pub fn kernel(pixels: &[u16], rgb: &mut [[u8; 3]]) {
            for (out, &p) in rgb.iter_mut().zip(pixels) {
                let r = (p >> 11) & 0x1f;
                let g = (p >> 5) & 0x3f;
                let b = p & 0x1f;
                *out = [(r << 3) as u8, (g << 2) as u8, (b << 3) as u8];
            }
        }
    } with {
        let pixels: Vec<u16> = numbers(n, 1);
        let mut rgb: Vec<[u8; 3]> = numbers(n, 2);
    } (&pixels, &mut rgb) => (rgb)
    alpha_over {
        pub fn kernel(front: &[[f32; 4]], back: &mut [[f32; 4]]) {
            for (b, f) in back.iter_mut().zip(front) {
                let keep = 1.0 - f[3];
                for (b, f) in b.iter_mut().zip(f) {
                    *b = f + *b * keep;
                }
            }
        }
    } with {
        let front: Vec<[f32; 4]> = numbers(n, 1);
        let mut back: Vec<[f32; 4]> = numbers(n, 2);
    } (&front, &mut back) => (back)
    srgb_to_linear {
        fn linear(c: f32) -> f32 {
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        }
        pub fn kernel(image: &mut [f32]) {
            for c in image.iter_mut() {
                *c = linear(*c);
            }
        }
    } with {
        let mut image: Vec<f32> = numbers::<f32>(n, 1).iter().map(|v| v.abs()).collect();
    } (&mut image) => (image)
    bilinear_sample {
        pub fn kernel(width: usize, image: &[f32], at: &[[f32; 2]], out: &mut [f32]) {
            for (o, &[x, y]) in out.iter_mut().zip(at) {
                let (x0, y0) = (x.floor(), y.floor());
                let (fx, fy) = (x - x0, y - y0);
                let i = y0 as usize * width + x0 as usize;
                let top = image[i] * (1.0 - fx) + image[i + 1] * fx;
                let bottom = image[i + width] * (1.0 - fx) + image[i + width + 1] * fx;
                *o = top * (1.0 - fy) + bottom * fy;
            }
        }
    } with {
        let image: Vec<f32> = numbers(32 * 32, 1);
        let at: Vec<[f32; 2]> = numbers::<[f32; 2]>(n, 2).iter().map(|p| [p[0] * 15.0 + 15.0, p[1] * 15.0 + 15.0]).collect();
        let mut out: Vec<f32> = numbers(n, 3);
    } (32, &image, &at, &mut out) => (out)
    life_step {
        pub fn kernel(width: usize, old: &[u8], new: &mut [u8]) {
            let height = old.len() / width;
            for y in 1..height.saturating_sub(1) {
                for x in 1..width - 1 {
                    let i = y * width + x;
                    let neighbours = old[i - width - 1] + old[i - width] + old[i - width + 1]
                        + old[i - 1] + old[i + 1]
                        + old[i + width - 1] + old[i + width] + old[i + width + 1];
                    new[i] = u8::from(neighbours == 3 || (neighbours == 2 && old[i] == 1));
                }
            }
        }
    } with {
        let w = order(n).max(2);
        let old: Vec<u8> = (0..w * w).map(|i| u8::from(i * i % 7 < 3)).collect();
        let mut new: Vec<u8> = numbers(w * w, 2);
    } (w, &old, &mut new) => (new)
    flip_rows {
        pub fn kernel(width: usize, image: &mut [u8]) {
            for row in image.chunks_exact_mut(width) {
                row.reverse();
            }
        }
    } with {
        let mut image: Vec<u8> = numbers(20 * n, 1);
    } (20, &mut image) => (image)
    row_sums {
        pub fn kernel(width: usize, image: &[u8], sums: &mut [u32]) {
            for (s, row) in sums.iter_mut().zip(image.chunks_exact(width)) {
                *s = row.iter().map(|&p| u32::from(p)).sum();
            }
        }
    } with {
        let image: Vec<u8> = numbers(50 * n, 1);
        let mut sums: Vec<u32> = numbers(n, 2);
    } (50, &image, &mut sums) => (sums)
    moments {
        pub fn kernel(image: &[u8]) -> (u64, u64) {
            image.iter().fold((0, 0), |(sum, squares), &p| {
                let p = u64::from(p);
                (sum + p, squares + p * p)
            })
        }
    } with {
        let image: Vec<u8> = numbers(n, 1);
    } (&image) => ()
}
