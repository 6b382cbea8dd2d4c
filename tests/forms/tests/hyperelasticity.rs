//! Hyperelasticity: variants against the reference, the tangent of a material at rest, and the
//! operations that other form compilers need.

use loopwright::Isa;
use loopwright_forms::{elasticity, hyperelasticity};

mod cells;
#[path = "../../support/mod.rs"]
mod support;
use cells::{Cell, noise};
use support::each_variant;

/// No multiple of a register's lanes.
const CELLS: usize = 7;

/// Cells of which the last one is left-handed.
fn cells(seed: &mut u64) -> Vec<Cell> {
    let mut cells = cells::cells(CELLS, seed);
    cells[CELLS - 1].swap(2, 3);
    cells
}

fn values<const NODES: usize>(seed: &mut u64) -> Vec<[[f64; 3]; NODES]> {
    let mut node = || [(); 3].map(|()| noise(seed));
    (0..CELLS).map(|_| [(); NODES].map(|()| node())).collect()
}

fn assert_close<const DOFS: usize>(
    found: &[[[f64; DOFS]; DOFS]],
    expected: &[[[f64; DOFS]; DOFS]],
    what: &str,
) {
    for (found, expected) in found.iter().zip(expected) {
        let (found, expected) = (found.as_flattened(), expected.as_flattened());
        let largest = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() <= 1e-12 * largest, "{what}: {a} against {b}");
        }
    }
}

#[test]
fn variants_agree_with_the_reference() {
    use hyperelasticity::p1_f::hyperelasticity_p1_f as p1_f;
    use hyperelasticity::p2::hyperelasticity_p2 as p2;
    let mut seed = 3;
    let cells = cells(&mut seed);
    let (u, w) = (values(&mut seed), values(&mut seed));
    let mut expected = vec![[[0.5; 12]; 12]; CELLS];
    p1_f::reference(&cells, &u, 0.7, 1.3, &w, &mut expected);
    each_variant(p1_f::variants(), |isa| {
        let mut a = vec![[[0.5; 12]; 12]; CELLS];
        p1_f::with(isa, &cells, &u, 0.7, 1.3, &w, &mut a).unwrap();
        assert_close(&a, &expected, &format!("{isa:?}"));
    });
    let u = values(&mut seed);
    let mut expected = vec![[[0.5; 30]; 30]; CELLS];
    p2::reference(&cells, &u, 0.7, 1.3, &mut expected);
    each_variant(p2::variants(), |isa| {
        let mut a = vec![[[0.5; 30]; 30]; CELLS];
        p2::with(isa, &cells, &u, 0.7, 1.3, &mut a).unwrap();
        assert_close(&a, &expected, &format!("{isa:?}"));
    });
}

/// Without displacement the tangent is that of linear elasticity, 2 μ ε(u) : ε(v) for λ = 0.
#[test]
fn at_rest_it_is_linear_elasticity() {
    use elasticity::p2::elasticity_p2;
    use hyperelasticity::p2::hyperelasticity_p2;
    let cells = cells(&mut 5);
    let u = vec![[[0.0; 3]; 10]; CELLS];
    let mut found = vec![[[0.0; 30]; 30]; CELLS];
    hyperelasticity_p2(&cells, &u, 0.0, 0.5, &mut found);
    let mut expected = vec![[[0.0; 30]; 30]; CELLS];
    elasticity_p2::with(Isa::Scalar, &cells, &mut expected).unwrap();
    assert_close(&found, &expected, "elasticity");
}

/// The fewest operations of other form compilers on the same points are 93777 (TSFC, spectral mode).
#[test]
#[cfg(not(clippy))]
fn operations_are_fewer_than_those_of_others() {
    let report = hyperelasticity::p2::hyperelasticity_p2::REPORT;
    let operations = report.expansion.operations();
    assert!(operations < 93_777, "{report}");
    // 66621 if sums whose terms may cancel were multiplied out; 70556 where zeros hid that all points are
    // systems of their own.
    assert!(operations < 70_556, "{report}");
}
