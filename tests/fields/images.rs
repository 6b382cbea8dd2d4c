everyday! {
    n
    brightness {
        pub fn kernel(amount: i16, image: &mut [u8]) {
            for p in image.iter_mut() {
                *p = (i16::from(*p) + amount).clamp(0, 255) as u8;
            }
        }
    } with {
        let mut image: Vec<u8> = numbers(n, 1);
    } (40, &mut image) => (image)
    absolute_difference {
        pub fn kernel(a: &[u8], b: &[u8], out: &mut [u8]) {
            for ((o, &a), &b) in out.iter_mut().zip(a).zip(b) {
                *o = a.abs_diff(b);
            }
        }
    } with {
        let a: Vec<u8> = numbers(n, 1);
        let b: Vec<u8> = numbers(n, 2);
        let mut out: Vec<u8> = numbers(n, 3);
    } (&a, &b, &mut out) => (out)
    sum_of_absolute_differences {
        pub fn kernel(a: &[u8], b: &[u8]) -> u32 {
            a.iter().zip(b).map(|(&a, &b)| u32::from(a.abs_diff(b))).sum()
        }
    } with {
        let a: Vec<u8> = numbers(n, 1);
        let b: Vec<u8> = numbers(n, 2);
    } (&a, &b) => ()
    blend {
        pub fn kernel(alpha: u8, front: &[u8], back: &mut [u8]) {
            let a = u16::from(alpha);
            for (b, &f) in back.iter_mut().zip(front) {
                *b = ((u16::from(f) * a + u16::from(*b) * (255 - a) + 127) / 255) as u8;
            }
        }
    } with {
        let front: Vec<u8> = numbers(n, 1);
        let mut back: Vec<u8> = numbers(n, 2);
    } (77, &front, &mut back) => (back)
    rgb_to_yuv {
        pub fn kernel(rgb: &[[u8; 3]], yuv: &mut [[u8; 3]]) {
            for (out, &[r, g, b]) in yuv.iter_mut().zip(rgb) {
                let (r, g, b) = (i32::from(r), i32::from(g), i32::from(b));
                let y = ((66 * r + 129 * g + 25 * b + 128) >> 8) + 16;
                let u = ((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128;
                let v = ((112 * r - 94 * g - 18 * b + 128) >> 8) + 128;
                *out = [y as u8, u as u8, v as u8];
            }
        }
    } with {
        let rgb: Vec<[u8; 3]> = numbers(n, 1);
        let mut yuv: Vec<[u8; 3]> = numbers(n, 2);
    } (&rgb, &mut yuv) => (yuv)
    invert_threshold {
        pub fn kernel(level: u16, image: &[u16], mask: &mut [u8]) {
            for (m, &p) in mask.iter_mut().zip(image) {
                *m = if p >= level { 255 } else { 0 };
            }
        }
    } with {
        let image: Vec<u16> = numbers(n, 1);
        let mut mask: Vec<u8> = numbers(n, 2);
    } (30_000, &image, &mut mask) => (mask)
    box_blur {
        use ndarray::{ArrayView2, ArrayViewMut2};
        pub fn kernel(image: ArrayView2<u8>, mut out: ArrayViewMut2<u8>) {
            let (h, w) = image.dim();
            for y in 1..h.saturating_sub(1) {
                for x in 1..w.saturating_sub(1) {
                    let mut sum = 0_u16;
                    for dy in 0..3 {
                        for dx in 0..3 {
                            sum += u16::from(image[[y + dy - 1, x + dx - 1]]);
                        }
                    }
                    out[[y, x]] = (sum / 9) as u8;
                }
            }
        }
    } with {
        let m = order(n);
        let image = Array2::from_shape_vec((m, m), numbers::<u8>(m * m, 1)).unwrap();
        let mut out = Array2::from_shape_vec((m, m), numbers::<u8>(m * m, 2)).unwrap();
    } (image.view(), out.view_mut()) => (out)
    dilate {
        pub fn kernel(width: usize, image: &[u8], out: &mut [u8]) {
            let height = image.len() / width;
            for y in 1..height.saturating_sub(1) {
                for x in 1..width - 1 {
                    let mut largest = 0;
                    for dy in 0..3 {
                        for dx in 0..3 {
                            largest = largest.max(image[(y + dy - 1) * width + x + dx - 1]);
                        }
                    }
                    out[y * width + x] = largest;
                }
            }
        }
    } with {
        let w = order(n).max(2);
        let image: Vec<u8> = numbers(w * w, 1);
        let mut out: Vec<u8> = numbers(w * w, 2);
    } (w, &image, &mut out) => (out)
    gamma {
        pub fn kernel(table: &[u8; 256], image: &mut [u8]) {
            image.iter_mut().for_each(|p| *p = table[*p as usize]);
        }
    } with {
        let table: [u8; 256] = std::array::from_fn(|i| ((i * i) / 255) as u8);
        let mut image: Vec<u8> = numbers(n, 1);
    } (&table, &mut image) => (image)
    brightest {
        pub fn kernel(image: &[u8]) -> u8 {
            image.iter().copied().max().unwrap_or(0)
        }
    } with {
        let image: Vec<u8> = numbers(n, 1);
    } (&image) => ()
    contrast_range {
        pub fn kernel(image: &[u16]) -> (u16, u16) {
            image.iter().fold((u16::MAX, u16::MIN), |(low, high), &p| (low.min(p), high.max(p)))
        }
    } with {
        let image: Vec<u16> = numbers(n, 1);
    } (&image) => ()
    integral_image {
        use ndarray::{Array2, ArrayView2};
        pub fn kernel(image: ArrayView2<u8>, table: &mut Array2<u32>) {
            let (h, w) = image.dim();
            for y in 0..h {
                let mut row = 0_u32;
                for x in 0..w {
                    row += u32::from(image[[y, x]]);
                    table[[y, x]] = if y > 0 { row + table[[y - 1, x]] } else { row };
                }
            }
        }
    } with {
        let m = order(n);
        let image = Array2::from_shape_vec((m, m), numbers::<u8>(m * m, 1)).unwrap();
        let mut table = Array2::from_elem((m, m), 7_u32);
    } (image.view(), &mut table) => (table)
    premultiply {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Rgba {
            pub r: u8,
            pub g: u8,
            pub b: u8,
            pub a: u8,
        }
        impl Rgba {
            fn premultiplied(self) -> Self {
                let scale = |c: u8| ((u32::from(c) * u32::from(self.a) + 127) / 255) as u8;
                Self { r: scale(self.r), g: scale(self.g), b: scale(self.b), a: self.a }
            }
        }
        pub fn kernel(pixels: &mut [Rgba]) {
            for p in pixels {
                *p = p.premultiplied();
            }
        }
    } with {
        let mut pixels: Vec<Rgba> = numbers::<[u8; 4]>(n, 1).iter().map(|&[r, g, b, a]| Rgba { r, g, b, a }).collect();
    } (&mut pixels) => (pixels)
    nearest_upscale {
        pub fn kernel(width: usize, image: &[f32], out: &mut [f32]) {
            for (row, source) in out.chunks_exact_mut(2 * width).zip(image.chunks_exact(width)) {
                for (pair, &p) in row.chunks_exact_mut(2).zip(source) {
                    pair.fill(p);
                }
            }
        }
    } with {
        let image: Vec<f32> = numbers(8 * n, 1);
        let mut out: Vec<f32> = numbers(16 * n, 2);
    } (8, &image, &mut out) => (out)
    median_of_three {
        pub fn kernel(x: &[f32], y: &mut [f32]) {
            for (y, w) in y.iter_mut().zip(x.windows(3)) {
                let [a, b, c] = [w[0], w[1], w[2]];
                *y = a.min(b).max(a.max(b).min(c));
            }
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let mut y: Vec<f32> = numbers(n, 2);
    } (&x, &mut y) => (y)
    luma_histogram {
        pub fn kernel(rgb: &[[u8; 3]], counts: &mut [u32; 16]) {
            for p in rgb {
                let luma = (u32::from(p[0]) * 77 + u32::from(p[1]) * 150 + u32::from(p[2]) * 29) >> 8;
                counts[(luma >> 4) as usize] += 1;
            }
        }
    } with {
        let rgb: Vec<[u8; 3]> = numbers(n, 1);
        let mut counts = [0_u32; 16];
    } (&rgb, &mut counts) => (counts)
}
