//! Names for types in a block: kernels see the types, and the scope around the block the names.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(non_camel_case_types, clippy::upper_case_acronyms)]

use loopwright::kernel;

kernel! {
    const N: usize = 3;
    type Point = [f64; N];
    type Matrix = [Point; N];
    /// Seen from outside.
    pub type Frames = [Matrix];

    /// Points in frames that are turned.
    pub fn turned(frames: &Frames, points: &[Point], result: &mut [Point]) {
        for ((frame, point), result) in frames.iter().zip(points).zip(result.iter_mut()) {
            *result = product(frame, point);
        }
    }

    fn product(a: &Matrix, x: &Point) -> Point {
        let mut y: Point = [0.0; N];
        for i in 0..N {
            for j in 0..N {
                y[i] += a[i][j] * x[j];
            }
        }
        y
    }
}

mod records {
    use loopwright::kernel;

    kernel! {
        pub struct Vector {
            pub x: f64,
            pub y: f64,
        }
        type V = Vector;
        impl Vector {
            fn turned(&self) -> V {
                V { x: -self.y, y: self.x }
            }
        }
        pub fn all_turned(from: &[V], to: &mut [V]) {
            for (from, to) in from.iter().zip(to) {
                *to = from.turned();
            }
        }
    }
}

mod as_written {
    use loopwright::kernel;

    kernel! {
        const N: usize = 2;
        type Pair = [f64; N];
        /// What may be left early is no kernel; its types are known all the same.
        pub fn first_negative(pairs: &[Pair]) -> Option<Pair> {
            for pair in pairs {
                if pair[0] + pair[N - 1] < 0.0 {
                    return Some(*pair);
                }
            }
            None
        }
        /// The other kernel of the block is one.
        pub fn sums(pairs: &[Pair], sums: &mut [f64]) {
            for (pair, sum) in pairs.iter().zip(sums) {
                *sum = pair[0] + pair[1];
            }
        }
    }
}

mod complex {
    use loopwright::kernel;

    kernel! {
        use num_complex::Complex;
        type C = Complex<f64>;
        type real = f64;
        pub fn rotated(x: &[C], turn: real, y: &mut [C]) {
            for i in 0..x.len() {
                let w = C::new(turn, 1.0);
                y[i] = x[i] * w + C { re: 1.0, im: real::MIN_POSITIVE };
            }
        }
    }
}

mod of_variables {
    use loopwright::kernel;

    kernel! {
        type N = f64;
        /// `N` is an integer where it is a value.
        const N: usize = 2;
        pub fn scaled(x: &[[N; 2]], y: &mut [[N; 2]]) {
            for i in 0..x.len() {
                for c in 0..N {
                    y[i][c] = x[i][c] * N as f64;
                }
            }
        }
    }
}

mod of_parameters {
    use loopwright::kernel;

    kernel! {
        type T = [f64; 2];
        type Pairs<U> = [[U; 2]];
        /// `T` is a parameter here, and not the name of a type.
        pub fn doubled<T: loopwright::Scalar>(x: &[T], y: &mut [T]) {
            for i in 0..x.len() {
                y[i] = x[i] + x[i];
            }
        }
        /// Names with parameters are known to rustc alone.
        pub fn swapped(x: &Pairs<f64>, y: &mut Pairs<f64>) {
            for i in 0..x.len() {
                y[i] = [x[i][1], x[i][0]];
            }
        }
        pub fn lengths(x: &[T], y: &mut [f64]) {
            for i in 0..x.len() {
                y[i] = (x[i][0] * x[i][0] + x[i][1] * x[i][1]).sqrt();
            }
        }
    }
}

#[test]
fn kernels_see_the_types() {
    let frames = [[[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 2.0]]; 5];
    let seen: &Frames = &frames;
    let point: Point = [1.0, 2.0, 3.0];
    let mut result = [[0.0; 3]; 5];
    turned(seen, &[point; 5], &mut result);
    assert_eq!(result, [[-2.0, 1.0, 6.0]; 5]);
    assert_eq!(turned::REPORT.lanes.len(), 3);
    assert_eq!(turned::REPORT.expansion.mul, 9);
}

#[test]
fn structs_have_other_names() {
    use records::*;
    let from: Vec<Vector> = (0..9)
        .map(|i| Vector {
            x: i as f64,
            y: 1.0,
        })
        .collect();
    let mut to: Vec<Vector> = (0..9).map(|_| Vector { x: 0.0, y: 0.0 }).collect();
    all_turned(&from, &mut to);
    assert!(
        to.iter()
            .enumerate()
            .all(|(i, v)| (v.x, v.y) == (-1.0, i as f64))
    );
    assert_eq!(all_turned::REPORT.lanes.len(), 3);
}

#[test]
fn texts_that_run_have_their_types() {
    use as_written::*;
    let pairs = [[1.0, 2.0], [-3.0, 2.0]];
    assert_eq!(first_negative(&pairs), Some([-3.0, 2.0]));
    let mut all = [0.0; 2];
    sums(&pairs, &mut all);
    assert_eq!(all, [3.0, -1.0]);
    assert_eq!(sums::REPORT.lanes.len(), 3);
}

#[test]
fn paths_have_parameters() {
    use num_complex::Complex;
    let mut y = [Complex::new(0.0, 0.0)];
    complex::rotated(&[Complex::new(1.0, 2.0)], 3.0, &mut y);
    assert_eq!(y[0], Complex::new(2.0, 7.0));
    assert_eq!(complex::rotated::REPORT.lanes.len(), 3);
    let mut y = [[0.0; 2]];
    of_variables::scaled(&[[1.0, 2.0]], &mut y);
    assert_eq!(y, [[2.0, 4.0]]);
}

#[test]
fn parameters_are_no_names_of_types() {
    use of_parameters::*;
    let mut y = [0.0; 2];
    doubled(&[1.0, 2.0], &mut y);
    assert_eq!(y, [2.0, 4.0]);
    let mut pairs = [[0.0; 2]];
    swapped(&[[1.0, 2.0]], &mut pairs);
    assert_eq!(pairs, [[2.0, 1.0]]);
    lengths(&[[3.0, 4.0]], &mut y);
    assert_eq!(y[0], 5.0);
}
