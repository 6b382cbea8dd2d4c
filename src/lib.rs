//! Numerical loops in ordinary Rust, optimised while the crate compiles.
//!
//! `kernel!` takes loop nests written in plain Rust, reduces their operations, and expands to
//! code with vector intrinsics that picks the best instruction set when it runs. The text itself
//! stays the specification: it is the kernel's `reference`.
//!
//! ```
//! use loopwright::kernel;
//!
//! kernel! {
//!     /// Element matrices of ∫ u v on affine tetrahedra, P1.
//!     pub fn mass(cells: &[[[f64; 3]; 4]], a: &mut [[[f64; 4]; 4]]) {
//!         static W: [f64; 4] = tabulate!(tetrahedron, quadrature(2), weights);
//!         static PHI: [[f64; 4]; 4] = tabulate!(tetrahedron, quadrature(2), lagrange(1));
//!         for e in 0..cells.len() {
//!             let det = determinant(&cells[e]);
//!             for q in 0..4 {
//!                 for i in 0..4 {
//!                     for j in 0..4 {
//!                         a[e][i][j] += W[q] * det.abs() * PHI[q][i] * PHI[q][j];
//!                     }
//!                 }
//!             }
//!         }
//!     }
//!
//!     fn determinant(x: &[[f64; 3]; 4]) -> f64 {
//!         let mut j = [[0.0; 3]; 3];
//!         for r in 0..3 {
//!             for c in 0..3 {
//!                 j[r][c] = x[c + 1][r] - x[0][r];
//!             }
//!         }
//!         j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1])
//!             - j[0][1] * (j[1][0] * j[2][2] - j[1][2] * j[2][0])
//!             + j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0])
//!     }
//! }
//!
//! let cells = vec![[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]; 5];
//! let mut a = vec![[[0.0; 4]; 4]; 5];
//! mass(&cells, &mut a);
//! assert!((a[4][0][0] - 1.0 / 60.0).abs() < 1e-15);
//! assert!(mass::REPORT.expansion.operations() < mass::REPORT.source.operations());
//! ```
#![cfg_attr(not(feature = "std"), no_std)]

pub use loopwright_macros::kernel_fn;
/// The options of a kernel, on a function of a [`kernel!`] block: `#[opt(level = 1, lanes(e))]`, one attribute a
/// function.
///
/// | option | |
/// |---|---|
/// | `level = 0` to `3` | how far operations may be rearranged; 3 is the default |
/// | `strict` | results have the bits of the reference |
/// | `reassociate = full` | sums whose terms may cancel are multiplied out, too |
/// | `differencing = resync(64)` | sums over windows of floating-point numbers follow from those of earlier iterations, and begin anew after so many; those of integers do with `exact`, the default, and none with `off` |
/// | `epsilon = 4e-14` | noise in tables below this, relative to their largest entry, is none |
/// | `memory = "512 KiB"` | what temporaries, and tables for each cell, may take |
/// | `isa = [avx512, avx2, scalar]` | the instruction sets to build |
/// | `lanes(e)` | the loop that lanes run over |
/// | `unroll(i = 4)` | unrolls a loop |
/// | `require_lanes` | code without lanes is an error |
/// | `pure(f, crate::g)` | functions from outside whose values depend on their arguments alone |
/// | `fallback` | what would be an error runs as written, whatever it is |
/// | `pipeline = [normalise, code_motion]` | the passes by name instead of those of a level |
/// | `plan = "schedule width 4 …"` | loop trees instead of those that the search finds |
///
/// What each one means in full stands with the language, at [`kernel!`](crate::kernel!#options). An option that
/// cannot be obeyed is an error that says why.
///
/// ```
/// use loopwright::kernel;
///
/// fn viscosity(rate: f64) -> f64 {
///     1.0 / (1.0 + rate * rate)
/// }
///
/// kernel! {
///     /// A function from outside, two instruction sets, and lanes or an error.
///     #[opt(pure(viscosity), isa = [avx2, scalar], require_lanes)]
///     pub fn stress(rates: &[f64], out: &mut [f64]) {
///         for i in 0..rates.len() {
///             out[i] = rates[i] * viscosity(rates[i]);
///         }
///     }
///
///     /// The order of the text, to the last bit.
///     #[opt(strict, lanes(i))]
///     pub fn blend(t: f64, a: &[[f64; 3]], b: &[[f64; 3]], out: &mut [[f64; 3]]) {
///         for i in 0..a.len() {
///             for c in 0..3 {
///                 out[i][c] = a[i][c] + t * (b[i][c] - a[i][c]);
///             }
///         }
///     }
///
///     /// A loop that ends by its data has no lanes: it runs as written.
///     pub fn steps(x: f64) -> u32 {
///         let (mut y, mut n) = (x, 0);
///         while y > 1.0 {
///             y *= 0.5;
///             n += 1;
///         }
///         n
///     }
/// }
///
/// # fn main() {
/// let mut out = [0.0; 3];
/// stress(&[1.0; 3], &mut out);
/// assert_eq!(out, [0.5; 3]);
/// let mut points = [[0.0; 3]; 2];
/// blend(0.5, &[[0.0; 3]; 2], &[[1.0; 3]; 2], &mut points);
/// assert_eq!(points, [[0.5; 3]; 2]);
/// assert_eq!(steps(8.0), 3);
/// assert_eq!(steps::REPORT.verdict().to_string(), "runs as written");
/// # }
/// ```
pub use loopwright_macros::opt;
pub use loopwright_runtime::{
    AlignedVec, BlockSparseTable, Cost, Isa, Lanes, Level, OtherLanes, PaddedArray2, PassReport,
    Real, Report, Scalar, Scratch, Traffic, Unavailable, view,
};
#[cfg(feature = "std")]
pub use loopwright_runtime::{Bounded, Counted};

/// Optimises the functions written in it: each that no other one calls becomes a function with a module of its
/// name beside it, which has
///
/// - `reference(…)`, the text as it stands;
/// - `REPORT`, a [`Report`] of what was done;
/// - `variants()`, the instruction sets that were built, and `with(isa, …)`, which runs one of them or returns
///   [`Unavailable`];
/// - `with_scratch(scratch, …)`, which takes the memory of large temporaries from the caller.
///
/// Below are [the whole language](#what-a-kernel-may-contain), [all options](#options),
/// [what happens to floating point](#what-happens-to-floating-point) and [when calls panic](#panics).
///
/// ```
/// use loopwright::kernel;
///
/// kernel! {
///     /// y ← a x + y
///     pub fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
///         for (y, x) in y.iter_mut().zip(x) {
///             *y += a * x;
///         }
///     }
/// }
///
/// let mut y = [1.0; 9];
/// axpy(2.0, &[3.0; 9], &mut y);
/// assert_eq!(y, [7.0; 9]);
/// for isa in axpy::variants().iter().filter(|isa| isa.is_available()) {
///     axpy::with(*isa, -2.0, &[3.0; 9], &mut y).expect("the processor has it");
///     axpy::reference(2.0, &[3.0; 9], &mut y);
/// }
/// assert_eq!(y, [7.0; 9]);
/// assert_eq!(axpy::REPORT.expansion.operations(), 2);
/// ```
///
#[doc = include_str!("../README.md")]
#[macro_export]
macro_rules! kernel {
    ($($text:tt)*) => {
        $crate::__private::expand_kernel! { $crate; $($text)* }
    };
}

/// A table of a finite element or quadrature rule, evaluated while the macro expands:
/// `tabulate!(CELL, RULE, WHAT)`.
///
/// `CELL` is `interval`, `triangle`, `tetrahedron`, `quadrilateral` or `hexahedron`: the unit
/// simplices, the unit square and the unit cube, with their vertices, edges and faces numbered as
/// in Basix.
///
/// `RULE` is
/// - `quadrature(n)`, exact for polynomials of degree n from 0 to 100 (the total degree on
///   simplices, that in each coordinate on quadrilateral and hexahedron): the rule that Basix and
///   FFCx take;
/// - `quadrature(n, gauss_jacobi)`, with `(n + 2) / 2` Gauss points a direction, collapsed on
///   simplices; the last coordinate runs fastest;
/// - `quadrature(n, symmetric)`, with fewer points: on triangles to degree 30 and on tetrahedra to
///   degree 15, where it is what `quadrature(n)` is.
///
/// `WHAT`, with d coordinates of the cell, is
///
/// | | shape |
/// |---|---|
/// | `weights` | `[points]` |
/// | `points` | `[points][d]` |
/// | `lagrange(k)` | `[points][functions]` |
/// | `lagrange(k), gradient` | `[d][points][functions]` |
/// | `lagrange(k), hessian` | `[d][d][points][functions]` |
/// | `vector(lagrange(k))` | `[d][points][d * functions]` |
/// | `vector(lagrange(k)), gradient` | `[d][d][points][d * functions]` |
/// | `vector(lagrange(k)), hessian` | `[d][d][d][points][d * functions]` |
/// | `mixed(vector(lagrange(k)), lagrange(l))` | `[d + 1][points][all functions]` |
/// | `mixed(…), gradient` | `[components][d][points][all functions]` |
///
/// Degrees k go from 0 to 8. Functions have the order of their nodes: vertices, edges, faces,
/// inside, those on an edge from its lower to its higher vertex. From degree 3 on nodes on edges
/// are the Gauss-Lobatto-Legendre points (Basix's variant `gll_warped`). Derivatives are those on
/// the reference cell, the axes outermost.
///
/// A vector-valued element has d components, or m of them as `vector(lagrange(k), m)`. The
/// component is the outermost dimension. Functions are blocked: function `m * i + c` is the scalar
/// function i in component c, and zero in the others.
///
/// A mixed element has the functions of any number of such elements, one element after the other, and
/// their components likewise: with one component for a scalar element. Functions are zero in the
/// components of other elements. Kernels multiply none of these zeros.
///
/// Entries are computed to about 30 digits and rounded once. In a kernel a table that has not the
/// shape of its `static` is an error that says the right type; so are cells, rules and elements
/// that there are not, and tables of more than 2^23 entries.
///
/// It can stand anywhere, and is an array of `f64`; as the value of a `static` or `const` in a
/// kernel it can also be of `f32`.
///
/// ```
/// use loopwright::tabulate;
///
/// // The bilinear functions of the unit square add up to one at each of four points, and
/// // their derivatives to zero.
/// static PHI: [[f64; 4]; 4] = tabulate!(quadrilateral, quadrature(3), lagrange(1));
/// static DPHI: [[[f64; 4]; 4]; 2] =
///     tabulate!(quadrilateral, quadrature(3), lagrange(1), gradient);
/// for q in 0..4 {
///     assert!((PHI[q].iter().sum::<f64>() - 1.0).abs() < 1e-15);
///     assert!(DPHI.iter().all(|along| along[q].iter().sum::<f64>().abs() < 1e-15));
/// }
/// ```
#[macro_export]
macro_rules! tabulate {
    ($($request:tt)*) => {
        $crate::__private::expand_table! { $crate; $($request)* }
    };
}

/// For expanded code only.
#[doc(hidden)]
pub mod __private {
    pub use loopwright_macros::{expand_kernel, expand_table};
    pub use loopwright_runtime::*;
}

/// The code of the book, as tests.
#[cfg(all(doctest, feature = "std", feature = "ndarray"))]
mod book {
    #[doc = include_str!("../book/src/first.md")]
    mod first {}
    #[doc = include_str!("../book/src/elements.md")]
    mod elements {}
    #[doc = include_str!("../book/src/stencils.md")]
    mod stencils {}
    #[doc = include_str!("../book/src/contractions.md")]
    mod contractions {}
    #[doc = include_str!("../book/src/arrays.md")]
    mod arrays {}
}
