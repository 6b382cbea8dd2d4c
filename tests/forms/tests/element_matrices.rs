//! Element matrices against those that FFCx computes without clamping its tables.
//!
//! Every form of `loopwright-forms`, in mesh form and for one cell, as `reference` and in every variant.
//! The data are two cells per instance, one of them left-handed: see `tests/data/elements/make.py`.

use loopwright::{Isa, Unavailable};
use loopwright_forms::{elasticity, generic, helmholtz, mass};

/// Largest difference allowed, relative to the matrix's largest entry.
const TOLERANCE: f64 = 1e-12;

/// Cells in the mesh form: no multiple of a register's lanes, so that remainders run too.
const CELLS: usize = 11;

type Cell = [[f64; 3]; 4];
type Matrix<const DOFS: usize> = [[f64; DOFS]; DOFS];

/// Which of a kernel's functions to call.
#[derive(Clone, Copy, Debug)]
enum Run {
    Dispatched,
    Reference,
    With(Isa),
}

/// Two cells with coefficient and element matrix.
struct Instance<const NODES: usize, const DOFS: usize> {
    cells: Vec<Cell>,
    coefficients: Vec<[f64; NODES]>,
    matrices: Vec<Matrix<DOFS>>,
}

impl<const NODES: usize, const DOFS: usize> Instance<NODES, DOFS> {
    /// Reads a data file; where it has no coefficients, they are zero.
    fn read(bytes: &[u8]) -> Self {
        let mut rest = bytes
            .chunks_exact(8)
            .map(|b| f64::from_le_bytes(b.try_into().unwrap()));
        let mut next = || rest.next().expect("a longer data file");
        let coefficients = bytes.len() == 2 * 8 * (12 + NODES + DOFS * DOFS);
        let mut read = Self {
            cells: vec![],
            coefficients: vec![],
            matrices: vec![],
        };
        for _ in 0..2 {
            read.cells
                .push([[0.0; 3]; 4].map(|x: [f64; 3]| x.map(|_| next())));
            read.coefficients
                .push([0.0; NODES].map(|w| if coefficients { next() } else { w }));
            read.matrices
                .push([[0.0; DOFS]; DOFS].map(|row| row.map(|_| next())));
        }
        assert!(
            rest.next().is_none(),
            "the data file is longer than two element matrices"
        );
        read
    }

    /// Runs the one-cell form on both cells.
    fn check_cell(
        &self,
        variants: &[Isa],
        kernel: impl Fn(Run, &Cell, &[f64; NODES], &mut Matrix<DOFS>) -> Result<(), Unavailable>,
    ) {
        for run in runs(variants) {
            for (e, cell) in self.cells.iter().enumerate() {
                let mut a = Box::new(initial(e));
                match kernel(run, cell, &self.coefficients[e], &mut a) {
                    Ok(()) => compare(&a, e, &self.matrices[e], &format!("{run:?}, cell {e}")),
                    Err(error) => println!("skipped: {error}"),
                }
            }
        }
    }

    /// Runs the mesh form on the two cells in turn.
    fn check_mesh(
        &self,
        variants: &[Isa],
        kernel: impl Fn(Run, &[Cell], &[[f64; NODES]], &mut [Matrix<DOFS>]) -> Result<(), Unavailable>,
    ) {
        let cells: Vec<_> = (0..CELLS).map(|e| self.cells[e % 2]).collect();
        let coefficients: Vec<_> = (0..CELLS).map(|e| self.coefficients[e % 2]).collect();
        for run in runs(variants) {
            let mut a: Vec<_> = (0..CELLS).map(initial).collect();
            match kernel(run, &cells, &coefficients, &mut a) {
                Ok(()) => {
                    for (e, a) in a.iter().enumerate() {
                        let what = format!("{run:?}, cell {e} of {CELLS}");
                        compare(a, e, &self.matrices[e % 2], &what);
                    }
                }
                Err(error) => println!("skipped: {error}"),
            }
            kernel(run, &[], &[], &mut []).ok();
        }
    }
}

/// What to call, given a kernel's variants.
fn runs(variants: &[Isa]) -> Vec<Run> {
    assert!(
        variants.contains(&Isa::Scalar),
        "every kernel has a scalar variant"
    );
    let mut runs = vec![Run::Reference, Run::Dispatched];
    runs.extend(variants.iter().map(|&isa| Run::With(isa)));
    runs
}

/// What stands in the matrix before: kernels add.
fn initial<const DOFS: usize>(e: usize) -> Matrix<DOFS> {
    let entry = |i: usize, j: usize| ((e + 3 * i + 5 * j) % 8) as f64 / 64.0;
    std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
}

/// Panics where `a` is not the initial matrix plus the expected one.
fn compare<const DOFS: usize>(a: &Matrix<DOFS>, e: usize, expected: &Matrix<DOFS>, what: &str) {
    let before = initial::<DOFS>(e);
    let largest = expected
        .iter()
        .flatten()
        .fold(0.0_f64, |m, x| m.max(x.abs()));
    for i in 0..DOFS {
        for j in 0..DOFS {
            let (found, wanted) = (a[i][j] - before[i][j], expected[i][j]);
            let error = (found - wanted).abs() / largest;
            assert!(
                error <= TOLERANCE,
                "{what}: a[{i}][{j}] adds {found}, not {wanted}: {error:e}"
            );
        }
    }
}

/// Calls one of a kernel's functions.
macro_rules! call {
    ($kernel:ident, $run:ident, $($argument:ident),*) => {
        match $run {
            Run::Dispatched => {
                $kernel($($argument),*);
                Ok(())
            }
            Run::Reference => {
                $kernel::reference($($argument),*);
                Ok(())
            }
            Run::With(isa) => $kernel::with(isa, $($argument),*),
        }
    };
}

/// A test per degree, with and without the coefficient.
macro_rules! tests {
    ($form:ident: $($module:ident $mesh:ident $cell:ident, $nodes:literal nodes, $dofs:literal dofs,
     $file:literal $(, $w:ident)?;)*) => {$(
        #[test]
        fn $mesh() {
            use $form::$module::{$cell, $mesh};
            let instance: Instance<$nodes, $dofs> =
                Instance::read(include_bytes!(concat!("../../data/elements/", $file)));
            instance.check_cell($cell::variants(), |run, cells, _w, a| {
                $(let $w = _w;)?
                call!($cell, run, cells $(, $w)?, a)
            });
            instance.check_mesh($mesh::variants(), |run, cells, _w, a| {
                $(let $w = _w;)?
                call!($mesh, run, cells $(, $w)?, a)
            });
        }
    )*};
}

tests! { mass:
    p1 mass_p1 mass_p1_cell, 4 nodes, 4 dofs, "mass_q1_nf0.f64";
    p2 mass_p2 mass_p2_cell, 10 nodes, 10 dofs, "mass_q2_nf0.f64";
    p3 mass_p3 mass_p3_cell, 20 nodes, 20 dofs, "mass_q3_nf0.f64";
    p4 mass_p4 mass_p4_cell, 35 nodes, 35 dofs, "mass_q4_nf0.f64";
    p1_f mass_p1_f mass_p1_f_cell, 4 nodes, 4 dofs, "mass_q1_nf1.f64", w;
    p2_f mass_p2_f mass_p2_f_cell, 10 nodes, 10 dofs, "mass_q2_nf1.f64", w;
    p3_f mass_p3_f mass_p3_f_cell, 20 nodes, 20 dofs, "mass_q3_nf1.f64", w;
    p4_f mass_p4_f mass_p4_f_cell, 35 nodes, 35 dofs, "mass_q4_nf1.f64", w;
}

tests! { helmholtz:
    p1 helmholtz_p1 helmholtz_p1_cell, 4 nodes, 4 dofs, "helmholtz_q1_nf0.f64";
    p2 helmholtz_p2 helmholtz_p2_cell, 10 nodes, 10 dofs, "helmholtz_q2_nf0.f64";
    p3 helmholtz_p3 helmholtz_p3_cell, 20 nodes, 20 dofs, "helmholtz_q3_nf0.f64";
    p4 helmholtz_p4 helmholtz_p4_cell, 35 nodes, 35 dofs, "helmholtz_q4_nf0.f64";
    p1_f helmholtz_p1_f helmholtz_p1_f_cell, 4 nodes, 4 dofs, "helmholtz_q1_nf1.f64", w;
    p2_f helmholtz_p2_f helmholtz_p2_f_cell, 10 nodes, 10 dofs, "helmholtz_q2_nf1.f64", w;
    p3_f helmholtz_p3_f helmholtz_p3_f_cell, 20 nodes, 20 dofs, "helmholtz_q3_nf1.f64", w;
    p4_f helmholtz_p4_f helmholtz_p4_f_cell, 35 nodes, 35 dofs, "helmholtz_q4_nf1.f64", w;
}

tests! { elasticity:
    p1 elasticity_p1 elasticity_p1_cell, 4 nodes, 12 dofs, "elasticity_q1_nf0.f64";
    p2 elasticity_p2 elasticity_p2_cell, 10 nodes, 30 dofs, "elasticity_q2_nf0.f64";
    p3 elasticity_p3 elasticity_p3_cell, 20 nodes, 60 dofs, "elasticity_q3_nf0.f64";
    p4 elasticity_p4 elasticity_p4_cell, 35 nodes, 105 dofs, "elasticity_q4_nf0.f64";
    p1_f elasticity_p1_f elasticity_p1_f_cell, 4 nodes, 12 dofs, "elasticity_q1_nf1.f64", w;
    p2_f elasticity_p2_f elasticity_p2_f_cell, 10 nodes, 30 dofs, "elasticity_q2_nf1.f64", w;
    p3_f elasticity_p3_f elasticity_p3_f_cell, 20 nodes, 60 dofs, "elasticity_q3_nf1.f64", w;
    p4_f elasticity_p4_f elasticity_p4_f_cell, 35 nodes, 105 dofs, "elasticity_q4_nf1.f64", w;
}

/// The generic kernels with `f64`.
macro_rules! generic_tests {
    ($($module:ident $mesh:ident, $dofs:literal dofs, $file:literal;)*) => {$(
        #[test]
        fn $mesh() {
            use generic::$module::$mesh;
            let instance: Instance<0, $dofs> =
                Instance::read(include_bytes!(concat!("../../data/elements/", $file)));
            instance.check_mesh(&[Isa::Scalar], |run, cells, _, a| {
                match run {
                    Run::Reference => $mesh::reference(cells, a),
                    _ => $mesh(cells, a),
                }
                Ok(())
            });
        }
    )*};
}

generic_tests! {
    p1 helmholtz_p1_generic, 4 dofs, "helmholtz_q1_nf0.f64";
    p2 helmholtz_p2_generic, 10 dofs, "helmholtz_q2_nf0.f64";
}
