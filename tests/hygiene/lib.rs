//! Kernels in awkward surroundings: the facade under another name, every lint denied, no prelude,
//! names that the expansion uses itself. The lints are those of this whole crate, so that
//! `cargo clippy` judges what kernels expand to.
#![deny(
    warnings,
    clippy::all,
    clippy::pedantic,
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    unsafe_op_in_unsafe_fn,
    rust_2018_idioms,
    unused_qualifications,
    single_use_lifetimes
)]

/// Nothing is in scope here but what the kernels bring.
pub mod bare {
    #![no_implicit_prelude]

    ::renamed::kernel! {
        /// No prelude: no `Option`, no `Iterator`, no `Clone` in scope.
        pub fn double(x: &[f64], y: &mut [f64]) {
            for i in 0..x.len() {
                y[i] = 2.0 * x[i].abs();
            }
        }
    }

    ::renamed::kernel! {
        /// It runs as written, after its accesses were made.
        pub fn sums(x: &[f64], y: &mut [f64]) {
            for i in 1..x.len() {
                y[i] = y[i - 1] + x[i];
            }
        }
    }

    ::renamed::kernel! {
        /// A matrix for each cell: tables, sums, temporaries.
        pub fn mass(cells: &[f64], a: &mut [[[f64; 3]; 3]]) {
            static W: [f64; 3] = tabulate!(triangle, quadrature(2), weights);
            static PHI: [[f64; 3]; 3] = tabulate!(triangle, quadrature(2), lagrange(1));
            for e in 0..cells.len() {
                for q in 0..3 {
                    for i in 0..3 {
                        for j in 0..3 {
                            a[e][i][j] += W[q] * cells[e] * PHI[q][i] * PHI[q][j];
                        }
                    }
                }
            }
        }

        /// A type parameter with the name of its bound, and a result.
        pub fn dot<Real: ::renamed::Real>(x: &[Real], y: &[Real]) -> Real {
            let mut sum = Real::zero();
            for i in 0..x.len() {
                sum += x[i] * y[i];
            }
            sum
        }
    }

    /// A table outside of kernels.
    pub static WEIGHTS: [f64; 4] =
        ::renamed::tabulate!(quadrilateral, quadrature(2, gauss_jacobi), weights);
}

/// Parameters and locals named like items of the expansion, of Rust and of its prelude.
pub mod names {
    /// Names of the prelude, which mean something else here.
    #[derive(Debug)]
    pub struct Vec;
    /// Likewise.
    #[derive(Debug)]
    pub struct Some;
    /// Likewise.
    #[derive(Debug)]
    pub struct Ok;
    /// Likewise.
    #[derive(Debug)]
    pub enum Option {}
    /// Likewise.
    #[derive(Debug)]
    pub enum Result {}
    /// A name of the facade.
    #[derive(Debug)]
    pub struct Isa;
    // Names of variables in the expansion, which patterns would take for these.
    #[allow(dead_code, non_upper_case_globals)]
    const __isa: usize = 0;
    #[allow(dead_code, non_upper_case_globals)]
    const __scratch: usize = 1;
    #[allow(dead_code, non_upper_case_globals)]
    const __result: usize = 2;
    #[allow(dead_code, non_upper_case_globals)]
    const __own: usize = 3;
    #[allow(dead_code, non_upper_case_globals)]
    const __p0: usize = 4;
    #[allow(dead_code, non_upper_case_globals)]
    const __1: usize = 5;
    /// Shadows the crate where paths are not absolute.
    pub mod core {}
    /// Likewise.
    pub mod std {}
    /// Likewise.
    pub mod loopwright {}
    /// Likewise.
    pub mod renamed {}

    ::renamed::kernel! {
        /// Items of the expansion.
        #[allow(clippy::too_many_arguments, reason = "names are what is tried")]
        pub fn check(
            dispatch: &[f64],
            run: f64,
            t0: f64,
            reference: &[f64],
            variants: usize,
            with: f64,
            acc: f64,
            out: &mut [f64],
        ) {
            for lane in 0..variants {
                let select = dispatch[lane] * run + t0;
                let scalar = select * with;
                let avx2 = scalar * acc + select;
                out[lane] = avx2 + reference[lane];
            }
        }

        /// An instruction set.
        pub fn scalar(krate: &[[f64; 2]], scalar_f64: &mut [f64]) {
            for e in 0..krate.len() {
                scalar_f64[e] = krate[e][0] - krate[e][1];
            }
        }

        /// Crates, and what vectors and loops are called.
        pub fn reference(core: &[f64], std: f64, loopwright: &[[f64; 3]], lanes: &mut [[f64; 3]]) {
            for mask in 0..core.len() {
                for active in 0..3 {
                    let mask_end = core[mask] * std;
                    let sum = mask_end + loopwright[mask][active];
                    lanes[mask][active] += sum * mask_end;
                }
            }
        }

        /// The temporaries and pointers of other parameters.
        pub fn variants(x: &[f64], x_p: &[f64], x_n: f64, x_m: &[f64], x_p_n: usize, y: &mut [f64]) {
            for x_sum in 0..x_p_n {
                let common = x[x_sum] * x_n;
                let constant = common + x_p[x_sum];
                y[x_sum] = constant * common - x_m[x_sum];
            }
        }

        /// Words of the language.
        pub fn r#type(r#in: &[f64], r#match: f64, r#fn: &mut [f64]) {
            for r#loop in 0..r#in.len() {
                let r#let = r#in[r#loop] * r#match;
                r#fn[r#loop] = r#let + r#match;
            }
        }
    }
}

/// Kernels that only their module sees, and modules around them.
pub mod outer {
    /// The inner one.
    pub mod inner {
        renamed::kernel! {
            pub(in crate::outer) fn half(x: &[f64], y: &mut [f64]) {
                for i in 0..x.len() {
                    y[i] = helper(x[i]);
                }
            }

            fn helper(x: f64) -> f64 {
                0.5 * x
            }
        }
    }

    /// Runs the kernel of the inner module.
    #[must_use]
    pub fn halves(x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; x.len()];
        inner::half(x, &mut y);
        y
    }
}

/// A kernel in a function, between statements, beside another one of its name.
#[must_use]
pub fn in_a_function(x: &[f64]) -> (Vec<f64>, &'static str) {
    renamed::kernel! {
        fn double(x: &[f64], y: &mut [f64]) {
            for i in 0..x.len() {
                y[i] = x[i] + x[i] + 1.0;
            }
        }
    }

    let mut y = vec![0.0; x.len()];
    double(x, &mut y);
    (y, double::REPORT.kernel)
}

pub mod hostile;

/// Types that are only called like those that kernels know are errors. A view that says too much:
///
/// ```compile_fail,E0277
/// use renamed::kernel;
///
/// /// What it says of its length is not to be believed.
/// #[derive(Clone, Copy)]
/// pub struct ArrayView1<'a, T>(&'a [T]);
///
/// impl<'a, T> ArrayView1<'a, T> {
///     pub fn as_ptr(&self) -> *const T {
///         self.0.as_ptr()
///     }
///
///     pub fn shape(&self) -> &[usize] {
///         &[1 << 30]
///     }
///
///     pub fn strides(&self) -> &[isize] {
///         &[1]
///     }
///
///     pub fn len(&self) -> usize {
///         1 << 30
///     }
/// }
///
/// impl<T> std::ops::Index<usize> for ArrayView1<'_, T> {
///     type Output = T;
///
///     fn index(&self, i: usize) -> &T {
///         &self.0[i]
///     }
/// }
///
/// kernel! {
///     pub fn sum(x: ArrayView1<f64>) -> f64 {
///         let mut s = 0.0;
///         for i in 0..x.len() {
///             s += x[i];
///         }
///         s
///     }
/// }
///
/// fn main() {}
/// ```
///
/// A view whose number of rows a trait hides, by value:
///
/// ```compile_fail,E0034
/// use ndarray::ArrayView2;
/// use renamed::kernel;
///
/// trait Measured: Sized {
///     fn nrows(self) -> usize;
/// }
///
/// impl Measured for ArrayView2<'_, f64> {
///     fn nrows(self) -> usize {
///         1
///     }
/// }
///
/// kernel! {
///     pub fn first(x: ArrayView2<f64>, y: &mut [f64]) {
///         for i in 0..x.nrows() {
///             y[i] += x[[i, 0]];
///         }
///     }
/// }
///
/// fn main() {}
/// ```
///
/// And one by a mutable reference, of a view that is behind one:
///
/// ```compile_fail,E0034
/// use ndarray::{ArrayViewMut2, Axis};
/// use renamed::kernel;
///
/// trait Measured {
///     fn len_of(&mut self, _: Axis) -> usize;
/// }
///
/// impl Measured for ArrayViewMut2<'_, f64> {
///     fn len_of(&mut self, _: Axis) -> usize {
///         1
///     }
/// }
///
/// kernel! {
///     pub fn ones(y: &mut ArrayViewMut2<f64>) {
///         for j in 0..y.len_of(Axis(1)) {
///             y[[0, j]] = 1.0;
///         }
///     }
/// }
///
/// fn main() {}
/// ```
///
/// Traits that hide nothing do no harm:
///
/// ```
/// use ndarray::ArrayView2;
/// use renamed::kernel;
///
/// trait Measured {
///     fn nrows(&self) -> usize;
/// }
///
/// impl Measured for ArrayView2<'_, f64> {
///     fn nrows(&self) -> usize {
///         1
///     }
/// }
///
/// kernel! {
///     pub fn first(x: ArrayView2<f64>, y: &mut [f64]) {
///         for i in 0..x.nrows() {
///             y[i] += x[[i, 0]];
///         }
///     }
/// }
///
/// fn main() {
///     let x = ndarray::arr2(&[[1.0, 2.0], [3.0, 4.0]]);
///     let mut y = [0.0; 2];
///     first(x.view(), &mut y);
///     assert_eq!(y, [1.0, 3.0]);
/// }
/// ```
///
/// A number that is another one:
///
/// ```compile_fail,E0308
/// use renamed::kernel;
///
/// #[allow(non_camel_case_types)]
/// #[derive(Clone, Copy)]
/// pub struct f64(u8);
///
/// impl std::ops::Add for f64 {
///     type Output = f64;
///
///     fn add(self, other: f64) -> f64 {
///         other
///     }
/// }
///
/// kernel! {
///     pub fn add(x: &[f64], y: &mut [f64]) {
///         for i in 0..x.len() {
///             y[i] = y[i] + x[i];
///         }
///     }
/// }
///
/// fn main() {}
/// ```
pub mod liars {}
