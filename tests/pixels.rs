//! Images and points as views: rows that follow each other are one row, and a short last axis is a record.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;
use ndarray::{Array2, Array3, ArrayView2, ArrayView3, ArrayViewMut2, ArrayViewMut3, Axis, s};

mod support;
use support::{each_variant, noise};

kernel! {
    /// As many channels as the image has.
    pub fn brightened(image: ArrayView3<f32>, gain: f32, mut result: ArrayViewMut3<f32>) {
        let (height, width, channels) = result.dim();
        for i in 0..height {
            for j in 0..width {
                for c in 0..channels {
                    result[[i, j, c]] = (image[[i, j, c]] * gain + 0.25).min(1.0);
                }
            }
        }
    }

    pub fn inverted(mut image: ArrayViewMut3<u8>) {
        for i in 0..image.dim().0 {
            for j in 0..image.dim().1 {
                for c in 0..image.dim().2 {
                    image[[i, j, c]] = 255 - image[[i, j, c]];
                }
            }
        }
    }

    pub fn total(image: ArrayView3<f64>) -> f64 {
        let (height, width, channels) = image.dim();
        let mut sum = 0.0;
        for i in 0..height {
            for j in 0..width {
                for c in 0..channels {
                    sum += image[[i, j, c]] * image[[i, j, c]];
                }
            }
        }
        sum
    }

    #[opt(strict)]
    pub fn total_in_order(image: ArrayView3<f64>) -> f64 {
        let (height, width, channels) = image.dim();
        let mut sum = 0.0;
        for i in 0..height {
            for j in 0..width {
                for c in 0..channels {
                    sum += image[[i, j, c]];
                }
            }
        }
        sum
    }

    /// The other image may be larger.
    pub fn mixed(other: ArrayView2<f64>, part: f64, mut image: ArrayViewMut2<f64>) {
        for i in 0..image.nrows() {
            for j in 0..image.ncols() {
                image[[i, j]] += part * (other[[i, j]] - image[[i, j]]);
            }
        }
    }

    /// Where a row ends makes a difference.
    pub fn numbered(other: ArrayView2<f64>, mut image: ArrayViewMut2<f64>) {
        for i in 0..image.nrows() {
            for j in 0..image.ncols() {
                image[[i, j]] = other[[i, j]] + j as f64;
            }
        }
        for i in 0..image.nrows() {
            image[[i, 0]] += 0.5;
        }
    }

    pub fn luminance(image: ArrayView3<f32>, mut gray: ArrayViewMut2<f32>) {
        for i in 0..gray.nrows() {
            for j in 0..gray.ncols() {
                gray[[i, j]] =
                    0.2126 * image[[i, j, 0]] + 0.7152 * image[[i, j, 1]] + 0.0722 * image[[i, j, 2]];
            }
        }
    }

    pub fn blended(over: ArrayView3<f64>, alpha: ArrayView2<f64>, mut under: ArrayViewMut3<f64>) {
        for i in 0..alpha.nrows() {
            for j in 0..alpha.ncols() {
                for c in 0..3 {
                    under[[i, j, c]] += alpha[[i, j]] * (over[[i, j, c]] - under[[i, j, c]]);
                }
            }
        }
    }

    pub fn smoothed(image: ArrayView3<f32>, mut result: ArrayViewMut3<f32>) {
        let (height, width, _) = result.dim();
        for i in 1..height.saturating_sub(1) {
            for j in 1..width.saturating_sub(1) {
                for c in 0..3 {
                    let mut sum = 0.0;
                    for di in 0..3 {
                        for dj in 0..3 {
                            sum += image[[i + di - 1, j + dj - 1, c]];
                        }
                    }
                    result[[i, j, c]] = sum / 9.0;
                }
            }
        }
    }

    pub fn lengths(points: ArrayView2<f64>, mut result: ArrayViewMut2<f64>) {
        for i in 0..points.nrows() {
            let mut square = 0.0;
            for c in 0..3 {
                square += points[[i, c]] * points[[i, c]];
            }
            for c in 0..3 {
                result[[i, c]] = points[[i, c]] / (square + 1.0).sqrt();
            }
        }
    }
}

/// Sizes with no, one and some pixels, below and above a vector.
const SIZES: [(usize, usize); 9] = [
    (0, 4),
    (4, 0),
    (1, 1),
    (1, 23),
    (23, 1),
    (3, 5),
    (8, 8),
    (7, 33),
    (20, 16),
];

/// How an image lies in one that is larger.
type Layout = for<'a> fn((usize, usize), ArrayViewMut3<'a, f64>) -> ArrayViewMut3<'a, f64>;

/// In rows, with wider rows, with more channels, with gaps, backwards, and with the axes in two other orders.
const LAYOUTS: [Layout; 8] = [
    |_, image| image,
    |(h, w), image| image.slice_move(s![..h, 1..w + 1, ..3]),
    |(h, w), image| image.slice_move(s![..h, ..w, 1..4]),
    |(h, w), image| image.slice_move(s![..2 * h;2, ..w, ..3]),
    |(h, w), image| image.slice_move(s![..h, ..2 * w;2, ..6;2]),
    |(h, w), image| image.slice_move(s![..h;-1, ..w;-1, ..3;-1]),
    |(h, w), image| image.permuted_axes([2, 1, 0]).slice_move(s![..h, ..w, ..3]),
    |(h, w), image| image.permuted_axes([1, 0, 2]).slice_move(s![..h, ..w, ..3]),
];

/// The memory of such an image: all of it, with three channels, for the first layout.
fn memory(layout: usize, (h, w): (usize, usize), seed: usize) -> Array3<f64> {
    let shape = match layout {
        0 => (h, w, 3),
        1 => (h, w + 2, 3),
        2 => (h, w, 4),
        3 => (2 * h, w, 3),
        4 => (h, 2 * w, 6),
        5 => (h, w, 3),
        6 => (3, w, h),
        _ => (w, h, 3),
    };
    let mut at = seed;
    Array3::from_shape_simple_fn(shape, || {
        at += 1;
        noise(at)
    })
}

/// Runs a check for all layouts of two images.
fn images(check: impl Fn(&Array3<f64>, Layout, &Array3<f64>, Layout, (usize, usize))) {
    for size in SIZES {
        for (at, from) in LAYOUTS.iter().enumerate() {
            for (other, to) in LAYOUTS.iter().enumerate() {
                check(
                    &memory(at, size, 0),
                    *from,
                    &memory(other, size, 5000),
                    *to,
                    size,
                );
            }
        }
    }
}

#[test]
fn images_in_all_layouts() {
    images(|first, from, second, to, size| {
        let mut a = first.clone();
        let a = from(size, a.view_mut());
        let alpha = a.index_axis(Axis(2), 1);
        let mut expected = second.clone();
        blended::reference(a.view(), alpha, to(size, expected.view_mut()));
        each_variant(blended::variants(), |isa| {
            let mut found = second.clone();
            blended::with(isa, a.view(), alpha, to(size, found.view_mut())).unwrap();
            assert!(is_near(&found, &expected, 1e-14), "{isa:?} {size:?}");
        });
        let sum = total::reference(a.view());
        let in_order = total_in_order::reference(a.view());
        each_variant(total::variants(), |isa| {
            let found = total::with(isa, a.view()).unwrap();
            assert!(
                (found - sum).abs() <= 1e-12 * (1.0 + sum),
                "{isa:?} {size:?}"
            );
            assert_eq!(
                total_in_order::with(isa, a.view()),
                Ok(in_order),
                "{isa:?} {size:?}"
            );
        });
    });
}

#[test]
fn channels_of_single_precision_in_all_layouts() {
    images(|first, from, second, to, size| {
        let of = |image: &Array3<f64>, layout: Layout| {
            let mut image = image.clone();
            layout(size, image.view_mut()).mapv(|x| x as f32)
        };
        // Owned copies keep the order of the axes.
        let (a, b) = (of(first, from), of(second, to));
        let mut expected = [b.clone(), b.clone()];
        brightened::reference(a.view(), 1.5, expected[0].view_mut());
        smoothed::reference(a.view(), expected[1].view_mut());
        let mut gray = b.index_axis(Axis(2), 0).to_owned();
        let before = gray.clone();
        luminance::reference(a.view(), gray.view_mut());
        each_variant(luminance::variants(), |isa| {
            let (mut found, mut smooth) = (b.clone(), b.clone());
            brightened::with(isa, a.view(), 1.5, found.view_mut()).unwrap();
            smoothed::with(isa, a.view(), smooth.view_mut()).unwrap();
            let mut own = before.clone();
            luminance::with(isa, a.view(), own.view_mut()).unwrap();
            let near = |a: &f32, b: &f32| (a - b).abs() <= 1e-5 * (1.0 + b.abs());
            assert!(
                found.iter().zip(&expected[0]).all(|(a, b)| near(a, b)),
                "{isa:?} {size:?}"
            );
            assert!(
                smooth.iter().zip(&expected[1]).all(|(a, b)| near(a, b)),
                "{isa:?} {size:?}"
            );
            assert!(
                own.iter().zip(&gray).all(|(a, b)| near(a, b)),
                "{isa:?} {size:?}"
            );
        });
    });
}

#[test]
fn bytes_in_all_layouts() {
    images(|first, from, _, _, size| {
        let bytes = first.mapv(|x| (x * 100.0) as i64 as u8);
        // The place of each element stands for it.
        let mut places = first.clone();
        places
            .iter_mut()
            .enumerate()
            .for_each(|(at, place)| *place = at as f64);
        let inside: Vec<usize> = from(size, places.view_mut())
            .iter()
            .map(|at| *at as usize)
            .collect();
        each_variant(inverted::variants(), |isa| {
            let mut owned =
                Array3::from_shape_vec(first.raw_dim(), bytes.iter().copied().collect()).unwrap();
            let (h, w) = size;
            let view = owned.view_mut();
            let view = match LAYOUTS
                .iter()
                .position(|own| std::ptr::fn_addr_eq(*own, from))
            {
                Some(1) => view.slice_move(s![..h, 1..w + 1, ..3]),
                Some(2) => view.slice_move(s![..h, ..w, 1..4]),
                Some(6) => view.permuted_axes([2, 1, 0]),
                _ => view,
            };
            let changed = view.len() == inside.len();
            inverted::with(isa, view).unwrap();
            let differ = owned.iter().zip(&bytes).enumerate();
            let differ = differ
                .filter(|(_, (a, b))| **a == 255 - **b)
                .map(|(at, _)| at);
            let mut own = inside.clone();
            own.sort_unstable();
            assert!(!changed || differ.eq(own), "{isa:?} {size:?}");
        });
    });
}

#[test]
fn other_images_may_be_larger_or_one_row_for_all() {
    for (h, w) in SIZES {
        let row = Array2::from_shape_fn((1, w), |(_, j)| noise(j));
        let larger = Array2::from_shape_fn((h + 2, w + 3), |(i, j)| noise(40 * i + j));
        let taller = Array2::from_shape_fn((h + 2, w), |(i, j)| noise(40 * i + j));
        let image = Array2::from_shape_fn((h, w), |(i, j)| noise(7000 + 40 * i + j));
        let all = [row.broadcast((h, w)).unwrap(), larger.view(), taller.view()];
        for other in all {
            let (mut expected, mut counted) = (image.clone(), image.clone());
            mixed::reference(other, 0.25, expected.view_mut());
            if w > 0 {
                numbered::reference(other, counted.view_mut());
            }
            each_variant(mixed::variants(), |isa| {
                let (mut found, mut own) = (image.clone(), image.clone());
                mixed::with(isa, other, 0.25, found.view_mut()).unwrap();
                if w > 0 {
                    numbered::with(isa, other, own.view_mut()).unwrap();
                }
                let near = |a: &Array2<f64>, b: &Array2<f64>| {
                    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-14)
                };
                assert!(
                    near(&found, &expected) && near(&own, &counted),
                    "{isa:?} {h} {w}"
                );
            });
        }
    }
}

#[test]
fn points_are_records() {
    for n in [0, 1, 3, 4, 7, 8, 9, 30] {
        let points = Array2::from_shape_fn((n, 4), |(i, c)| noise(4 * i + c));
        for of in [
            points.slice(s![.., ..3]),
            points.slice(s![.., 1..]),
            points.slice(s![..;-1, ..3]),
        ] {
            for wide in [3, 5] {
                let mut expected = Array2::zeros((n, wide));
                lengths::reference(of, expected.view_mut());
                let owned = of.to_owned();
                each_variant(lengths::variants(), |isa| {
                    for of in [of, owned.view()] {
                        let mut found = Array2::zeros((n, wide));
                        lengths::with(isa, of, found.view_mut()).unwrap();
                        let mut both = found.iter().zip(&expected);
                        assert!(
                            both.all(|(a, b): (&f64, &f64)| (a - b).abs() < 1e-14),
                            "{isa:?} {n}"
                        );
                    }
                });
            }
        }
    }
}

#[test]
fn components_are_taken_apart() {
    for report in [luminance::REPORT, lengths::REPORT] {
        let text = format!("{report:#}");
        assert!(text.contains("of records lanes over"), "{text}");
    }
}

fn is_near(a: &Array3<f64>, b: &Array3<f64>, error: f64) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= error)
}
