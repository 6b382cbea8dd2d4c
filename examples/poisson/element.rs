//! A degree and a geometry at run time: the kernels as function pointers.

use loopwright::{Isa, Report, Unavailable};

type Nodes<'a> = &'a [[f64; 3]];
type Cells<'a, const G: usize> = &'a [[usize; G]];
type Position<'a, const N: usize> = &'a [[[usize; N]; N]];
type Outcome = Result<(), Unavailable>;
type LoadWith<const N: usize, const G: usize> =
    fn(Isa, Nodes, Cells<G>, Dofs<N>, &[f64], &mut [f64]) -> Outcome;
type Dofs<'a, const N: usize> = &'a [[usize; N]];

/// The kernels of an element with `N` functions on cells with `G` nodes.
pub struct Element<const N: usize, const G: usize> {
    /// The polynomial degree.
    pub degree: usize,
    /// The kernel of ∫ ∇u·∇v.
    pub stiffness: Stiffness<N, G>,
    /// The kernel of ∫ f v.
    pub load: Load<N, G>,
    /// The functions at the points of `quadrature(8)`: `basis[q][i]`.
    pub basis: &'static [[f64; N]],
}

/// The stiffness kernel and what stands in the module beside it.
pub struct Stiffness<const N: usize, const G: usize> {
    /// The best variant for the processor.
    pub run: fn(Nodes, Cells<G>, Position<N>, &mut [f64]),
    /// The text as written.
    pub reference: fn(Nodes, Cells<G>, Position<N>, &mut [f64]),
    /// A chosen variant.
    pub with: fn(Isa, Nodes, Cells<G>, Position<N>, &mut [f64]) -> Outcome,
    /// The variants built in.
    pub variants: fn() -> &'static [Isa],
    /// What the macro did.
    pub report: &'static Report,
}

/// The load kernel and what stands in the module beside it.
pub struct Load<const N: usize, const G: usize> {
    /// The best variant for the processor.
    pub run: fn(Nodes, Cells<G>, Dofs<N>, &[f64], &mut [f64]),
    /// The text as written.
    pub reference: fn(Nodes, Cells<G>, Dofs<N>, &[f64], &mut [f64]),
    /// A chosen variant.
    pub with: LoadWith<N, G>,
    /// What the macro did.
    pub report: &'static Report,
}
