//! Actions of the forms: every variant against the reference, and against the matrices of the cells
//! times u; the operations that the report states, and a bound on them.

use loopwright::{Counted, Isa, Report};
use loopwright_forms::actions;

#[path = "../../support/by_hand.rs"]
mod by_hand;
mod cells;
#[path = "../../support/mod.rs"]
mod support;
use cells::{Cell, noise};
use support::each_variant;

/// No multiple of a register's lanes.
const CELLS: usize = 7;

/// What an action takes, vectors as three numbers a node.
#[derive(Clone)]
struct Case<T, const NODES: usize> {
    cells: Vec<[[T; 3]; 4]>,
    dofs: Vec<[usize; NODES]>,
    displacement: Vec<T>,
    /// λ and μ.
    material: [T; 2],
    w: [Vec<T>; 3],
    u: Vec<T>,
    y: Vec<T>,
}

impl<const NODES: usize> Case<f64, NODES> {
    fn new(count: usize) -> Self {
        let mut seed = 11;
        let mut cells: Vec<Cell> = cells::cells(count, &mut seed);
        if let Some(last) = cells.last_mut() {
            last.swap(2, 3); // left-handed
        }
        // Two nodes of a cell are those of the next: scattering adds to some twice.
        let of = |e: usize| std::array::from_fn(|i| (NODES - 2) * e + NODES - 1 - i);
        let dofs = (0..count).map(of).collect();
        let nodes = (NODES - 2) * count + 2;
        let mut values = || -> Vec<f64> { (0..3 * nodes).map(|_| noise(&mut seed)).collect() };
        Case {
            cells,
            dofs,
            displacement: values(),
            material: [0.7, 1.3],
            w: [(); 3].map(|()| values()),
            u: values(),
            y: values(),
        }
    }

    fn counting(&self) -> Case<Counted<f64>, NODES> {
        let counted = |numbers: &Vec<f64>| numbers.iter().copied().map(Counted::new).collect();
        Case {
            cells: self
                .cells
                .iter()
                .map(|cell| cell.map(|x| x.map(Counted::new)))
                .collect(),
            dofs: self.dofs.clone(),
            displacement: counted(&self.displacement),
            material: self.material.map(Counted::new),
            w: self.w.each_ref().map(counted),
            u: counted(&self.u),
            y: counted(&self.y),
        }
    }

    /// y + A u with the matrices of the cells.
    fn multiplied<const DOFS: usize>(&self, a: &[[[f64; DOFS]; DOFS]]) -> Vec<f64> {
        let components = DOFS / NODES;
        let mut y = self.y.clone();
        for (a, nodes) in a.iter().zip(&self.dofs) {
            let place = |local: usize| nodes[local / components] * components + local % components;
            for (i, row) in a.iter().enumerate() {
                let products = row.iter().enumerate().map(|(j, a)| a * self.u[place(j)]);
                y[place(i)] += products.sum::<f64>();
            }
        }
        y
    }
}

/// The values of a function on each cell.
fn gathered<V: Copy, const NODES: usize>(dofs: &[[usize; NODES]], values: &[V]) -> Vec<[V; NODES]> {
    dofs.iter().map(|nodes| nodes.map(|n| values[n])).collect()
}

fn assert_close(found: &[f64], expected: &[f64], what: &str) {
    let largest = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-12 * largest, "{what}: {a} against {b}");
    }
}

/// What one more cell takes is what the report states, and no more than with all sums factorised.
fn check_operations(report: &Report, count: impl Fn(usize) -> u64, by_hand: usize) {
    let one = count(CELLS + 1) - count(CELLS);
    println!(
        "{one} operations of {by_hand}, {} as written",
        report.source.operations()
    );
    assert_eq!(one, report.expansion.operations(), "{report}");
    assert!(one <= by_hand as u64, "{one} of {by_hand}: {report}");
}

/// Runs a test where there is room: unoptimised, each vector that is computed with has a place of its own, megabytes in
/// the longest functions.
fn on_a_large_stack(test: fn()) {
    let thread = std::thread::Builder::new().stack_size(16 << 20);
    let running = thread.spawn(test).expect("a thread");
    if let Err(panic) = running.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Values of a function: one a node, or three.
macro_rules! view {
    (scalar, $values:expr) => {
        &$values[..]
    };
    (vector, $values:expr) => {
        $values.as_chunks::<3>().0
    };
}

macro_rules! view_mut {
    (scalar, $values:expr) => {
        &mut $values[..]
    };
    (vector, $values:expr) => {
        $values.as_chunks_mut::<3>().0
    };
}

/// Calls an action.
macro_rules! call {
    ($function:path $([$isa:expr])?, $case:ident, $kind:ident, ($($material:ident)?),
     $of:ident [$($w:literal),*]) => {
        $function(
            $($isa,)?
            &$case.cells,
            &$case.dofs,
            $(view!(vector, $case.$material), $case.material[0], $case.material[1],)?
            $(view!($of, $case.w[$w]),)*
            view!($kind, $case.u),
            view_mut!($kind, $case.y),
        )
    };
}

macro_rules! tests {
    ($form:ident, $kind:ident, $material:tt, coefficients $of:ident, $by_hand:path:
     $($module:ident $nodes:literal nodes, $points:literal points, $ws:tt $($matrix:path)?;)*) => {
        mod $form {
            use super::*;

            $(#[test]
            fn $module() {
                on_a_large_stack(run::$module);
            })*

            mod run { use super::*; $(
            pub fn $module() {
                use actions::$form::$module::apply;
                let case = Case::<f64, $nodes>::new(CELLS);
                let mut expected = case.clone();
                call!(apply::reference, expected, $kind, $material, $of $ws);
                each_variant(apply::variants(), |isa: Isa| {
                    let mut found = case.clone();
                    call!(apply::with [isa], found, $kind, $material, $of $ws).unwrap();
                    assert_close(&found.y, &expected.y, &format!("{isa:?}"));
                });
                $(
                    let mut a = vec![[[0.0; tests!(@dofs $kind $nodes)]; tests!(@dofs $kind $nodes)]; CELLS];
                    tests!(@matrix $matrix, case, a, $material, $of $ws);
                    assert_close(&case.multiplied(&a), &expected.y, "matrices");
                )?
                let count = |cells: usize| {
                    let mut case = Case::<f64, $nodes>::new(cells).counting();
                    Counted::<f64>::count(|| call!(apply, case, $kind, $material, $of $ws)).1.operations()
                };
                let coefficients: &[usize] = &$ws;
                check_operations(&apply::REPORT, count, $by_hand($nodes, $points, coefficients.len()));
            })* }
        }
    };
    (@dofs scalar $nodes:literal) => { $nodes };
    (@dofs vector $nodes:literal) => { 3 * $nodes };
    (@matrix $matrix:path, $case:ident, $a:ident, ($($material:ident)?), $of:ident [$($w:literal),*]) => {
        $matrix(
            &$case.cells,
            $(
                &gathered(&$case.dofs, view!(vector, $case.$material)),
                $case.material[0],
                $case.material[1],
            )?
            $(&gathered(&$case.dofs, view!($of, $case.w[$w])),)*
            &mut $a,
        )
    };
}

tests! { mass, scalar, (), coefficients scalar, by_hand::mass:
    q1_nf0 4 nodes, 4 points, [] loopwright_forms::mass::p1::mass_p1;
    q2_nf0 10 nodes, 14 points, [] loopwright_forms::mass::p2::mass_p2;
    q3_nf0 20 nodes, 24 points, [] loopwright_forms::mass::p3::mass_p3;
    q4_nf0 35 nodes, 45 points, [] loopwright_forms::mass::p4::mass_p4;
    q1_nf1 4 nodes, 5 points, [0] loopwright_forms::mass::p1_f::mass_p1_f;
    q2_nf1 10 nodes, 24 points, [0] loopwright_forms::mass::p2_f::mass_p2_f;
    q3_nf1 20 nodes, 57 points, [0] loopwright_forms::mass::p3_f::mass_p3_f;
    q4_nf1 35 nodes, 122 points, [0] loopwright_forms::mass::p4_f::mass_p4_f;
    q1_nf2 4 nodes, 14 points, [0, 1];
    q2_nf3 10 nodes, 74 points, [0, 1, 2];
}

tests! { helmholtz, scalar, (), coefficients scalar, by_hand::helmholtz:
    q1_nf0 4 nodes, 4 points, [] loopwright_forms::helmholtz::p1::helmholtz_p1;
    q2_nf0 10 nodes, 14 points, [] loopwright_forms::helmholtz::p2::helmholtz_p2;
    q3_nf0 20 nodes, 24 points, [] loopwright_forms::helmholtz::p3::helmholtz_p3;
    q4_nf0 35 nodes, 45 points, [] loopwright_forms::helmholtz::p4::helmholtz_p4;
    q1_nf1 4 nodes, 5 points, [0] loopwright_forms::helmholtz::p1_f::helmholtz_p1_f;
    q2_nf1 10 nodes, 24 points, [0] loopwright_forms::helmholtz::p2_f::helmholtz_p2_f;
    q3_nf1 20 nodes, 57 points, [0] loopwright_forms::helmholtz::p3_f::helmholtz_p3_f;
    q4_nf1 35 nodes, 122 points, [0] loopwright_forms::helmholtz::p4_f::helmholtz_p4_f;
    q1_nf2 4 nodes, 14 points, [0, 1];
    q2_nf3 10 nodes, 74 points, [0, 1, 2];
}

tests! { elasticity, vector, (), coefficients scalar, by_hand::elasticity:
    q1_nf0 4 nodes, 1 points, [] loopwright_forms::elasticity::p1::elasticity_p1;
    q2_nf0 10 nodes, 4 points, [] loopwright_forms::elasticity::p2::elasticity_p2;
    q3_nf0 20 nodes, 14 points, [] loopwright_forms::elasticity::p3::elasticity_p3;
    q4_nf0 35 nodes, 24 points, [] loopwright_forms::elasticity::p4::elasticity_p4;
    q1_nf1 4 nodes, 1 points, [0] loopwright_forms::elasticity::p1_f::elasticity_p1_f;
    q2_nf1 10 nodes, 14 points, [0] loopwright_forms::elasticity::p2_f::elasticity_p2_f;
    q3_nf1 20 nodes, 31 points, [0] loopwright_forms::elasticity::p3_f::elasticity_p3_f;
    q4_nf1 35 nodes, 74 points, [0] loopwright_forms::elasticity::p4_f::elasticity_p4_f;
    q1_nf3 4 nodes, 5 points, [0, 1, 2];
    q2_nf2 10 nodes, 24 points, [0, 1];
}

tests! { hyperelasticity, vector, (displacement), coefficients vector, by_hand::hyperelasticity:
    q1_nf1 4 nodes, 1 points, [0] loopwright_forms::hyperelasticity::p1_f::hyperelasticity_p1_f;
    q2_nf0 10 nodes, 14 points, [] loopwright_forms::hyperelasticity::p2::hyperelasticity_p2;
    q2_nf2 10 nodes, 24 points, [0, 1];
    q1_nf3 4 nodes, 1 points, [0, 1, 2];
    q3_nf0 20 nodes, 45 points, [];
    q4_nf0 35 nodes, 122 points, [];
}
