//! Hyperelasticity: variants against the reference, the tangent of a material at rest, and the
//! operations that other form compilers need.

use loopwright::Isa;
use loopwright_forms::{elasticity, hyperelasticity};

/// No multiple of a register's lanes.
const CELLS: usize = 7;

type Cell = [[f64; 3]; 4];

/// Numbers in -1..1 that look random.
fn noise(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// Cells that are not too flat, the last one left-handed.
fn cells(seed: &mut u64) -> Vec<Cell> {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut cells: Vec<Cell> = (0..CELLS)
        .map(|_| corners.map(|x| x.map(|x| x + 0.2 * noise(seed))))
        .collect();
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
    for &isa in p1_f::variants() {
        let mut a = vec![[[0.5; 12]; 12]; CELLS];
        match p1_f::with(isa, &cells, &u, 0.7, 1.3, &w, &mut a) {
            Ok(()) => assert_close(&a, &expected, &format!("{isa:?}")),
            Err(_) => println!("skipped: the processor has no {isa:?}"),
        }
    }
    let u = values(&mut seed);
    let mut expected = vec![[[0.5; 30]; 30]; CELLS];
    p2::reference(&cells, &u, 0.7, 1.3, &mut expected);
    for &isa in p2::variants() {
        let mut a = vec![[[0.5; 30]; 30]; CELLS];
        match p2::with(isa, &cells, &u, 0.7, 1.3, &mut a) {
            Ok(()) => assert_close(&a, &expected, &format!("{isa:?}")),
            Err(_) => println!("skipped: the processor has no {isa:?}"),
        }
    }
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
    assert_eq!(operations, 75_301, "{report}");
}
