//! The procedural macros of loopwright: a page that calls the compiler. Use the facade crate
//! `loopwright`, which re-exports them.

use proc_macro::TokenStream;

/// Expands `CRATE; TEXT`: a `kernel!` block and the path of the facade. The facade's `kernel!`
/// calls it.
#[doc(hidden)]
#[proc_macro]
pub fn expand_kernel(input: TokenStream) -> TokenStream {
    loopwright_compiler::expand(input.into()).into()
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
/// Entries are computed to about 30 digits and rounded once. In a kernel a table that has not the
/// shape of its `static` is an error that says the right type; so are cells, rules and elements
/// that there are not, and tables of more than 2^23 entries.
#[proc_macro]
pub fn tabulate(input: TokenStream) -> TokenStream {
    loopwright_compiler::tabulate(input.into()).into()
}

/// The options of a kernel. Inside `kernel!` they are read by the compiler; outside, the
/// attribute does nothing, so that the text compiles without the macro.
#[proc_macro_attribute]
pub fn opt(_options: TokenStream, item: TokenStream) -> TokenStream {
    item
}
