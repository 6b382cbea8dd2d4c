//! Vector-valued and mixed elements: forms that are written over all functions at once take what
//! they take by hand, block by block, in every variant with the values of the reference.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

use loopwright::{Counted, Report, tabulate};

mod kernels;
#[path = "../support/mod.rs"]
mod support;
use kernels::{action, assembled, divergence, stokes, stokes_by_hand, trace, unequal};
use support::{counted, each_variant, near_to, noise};

/// Cells: no multiple of a register's lanes.
const CELLS: usize = 11;

/// Tetrahedra near the one with corners at the origin and the unit vectors.
fn cells(count: usize) -> Vec<[[f64; 3]; 4]> {
    let corner = |e: usize, v: usize, r: usize| {
        f64::from(u8::from(v == r + 1)) + 0.2 * noise(12 * e + 3 * v + r)
    };
    let cell = |e| std::array::from_fn(|v| std::array::from_fn(|r| corner(e, v, r)));
    (0..count).map(cell).collect()
}

fn counting<const N: usize, const M: usize>(from: &[[[f64; N]; M]]) -> Vec<[[Counted<f64>; N]; M]> {
    from.iter()
        .map(|rows| rows.map(|row| row.map(Counted::new)))
        .collect()
}

/// What the pass decided about a kernel.
fn decisions(report: &Report) -> &'static [&'static str] {
    let mut passes = report.passes.iter();
    let pass = passes.find(|pass| pass.name == "zero_blocks");
    pass.expect("level 3 has it").decisions
}

/// Whether it split a kernel's loops.
fn is_split(report: &Report) -> bool {
    let mut all = decisions(report).iter();
    all.any(|decision| decision.contains("equations are left"))
}

/// The Taylor-Hood matrix of a cell, its functions as polynomials of the barycentric coordinates.
fn dense(x: &[[f64; 3]; 4]) -> [[f64; 34]; 34] {
    static WEIGHTS: [f64; 14] = tabulate!(tetrahedron, quadrature(4), weights);
    static POINTS: [[f64; 3]; 14] = tabulate!(tetrahedron, quadrature(4), points);
    const EDGES: [[usize; 2]; 6] = [[2, 3], [1, 3], [1, 2], [0, 3], [0, 2], [0, 1]];
    let edge = |v: usize| -> [f64; 3] { std::array::from_fn(|r| x[v][r] - x[0][r]) };
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    let (a, b, c) = (edge(1), edge(2), edge(3));
    let det: f64 = a.iter().zip(cross(b, c)).map(|(a, n)| a * n).sum();
    let mut slopes = [[0.0; 3]; 4];
    for (v, normal) in [cross(b, c), cross(c, a), cross(a, b)]
        .into_iter()
        .enumerate()
    {
        for r in 0..3 {
            slopes[v + 1][r] = normal[r] / det;
            slopes[0][r] -= normal[r] / det;
        }
    }
    let mut matrix = [[0.0; 34]; 34];
    for (weight, point) in WEIGHTS.iter().zip(POINTS) {
        let rest = 1.0 - point.iter().sum::<f64>();
        let coordinates = [rest, point[0], point[1], point[2]];
        // Gradients of the velocity's functions: λ (2λ − 1) at vertices, 4 λ μ on edges.
        let mut gradients = [[0.0; 3]; 10];
        for r in 0..3 {
            for v in 0..4 {
                gradients[v][r] = (4.0 * coordinates[v] - 1.0) * slopes[v][r];
            }
            for (at, [v, w]) in EDGES.into_iter().enumerate() {
                gradients[4 + at][r] =
                    4.0 * (coordinates[v] * slopes[w][r] + coordinates[w] * slopes[v][r]);
            }
        }
        let scale = weight * det.abs();
        for i in 0..10 {
            for c in 0..3 {
                for j in 0..10 {
                    let products = gradients[i].iter().zip(&gradients[j]);
                    let dot: f64 = products.map(|(a, b)| a * b).sum();
                    matrix[3 * i + c][3 * j + c] += scale * dot;
                }
                for v in 0..4 {
                    let coupling = scale * coordinates[v] * gradients[i][c];
                    matrix[3 * i + c][30 + v] -= coupling;
                    matrix[30 + v][3 * i + c] -= coupling;
                }
            }
        }
    }
    matrix
}

#[test]
fn taylor_hood_matrices() {
    let cells = cells(CELLS);
    let dense: Vec<_> = cells.iter().map(dense).collect();
    let start = vec![[[0.0; 34]; 34]; CELLS];
    let mut expected = start.clone();
    stokes::reference(&cells, &mut expected);
    let flat = |a: &[[[f64; 34]; 34]]| a.as_flattened().as_flattened().to_vec();
    assert!(near_to(&flat(&expected), &flat(&dense), 1e-12));
    each_variant(stokes::variants(), |isa| {
        let mut found = start.clone();
        stokes::with(isa, &cells, &mut found).unwrap();
        assert!(near_to(&flat(&found), &flat(&dense), 1e-12), "{isa}");
        let mut found = start.clone();
        stokes_by_hand::with(isa, &cells, &mut found).unwrap();
        assert!(near_to(&flat(&found), &flat(&dense), 1e-12), "{isa}");
    });
}

#[test]
fn taylor_hood_takes_what_it_takes_by_hand() {
    let run = |count: usize, kernel: fn(&[_], &mut [_])| {
        let mut a = vec![[[Counted::new(0.0); 34]; 34]; count];
        kernel(&counting(&cells(count)), &mut a);
    };
    let mixed = counted(&stokes::REPORT, CELLS, |count| run(count, stokes));
    let by_hand = counted(&stokes_by_hand::REPORT, CELLS, |count| {
        run(count, stokes_by_hand)
    });
    assert_eq!([mixed, by_hand], [1558, 1558]);
    let decided = decisions(&stokes::REPORT);
    assert!(
        decided[0].contains("(2..30).step_by(3), 30..34"),
        "{decided:?}"
    );
    assert!(!is_split(&stokes_by_hand::REPORT));
}

#[test]
fn sums_of_an_action_are_split() {
    let cells = cells(CELLS);
    let of = |e: usize| std::array::from_fn(|i| noise(500 + 34 * e + i));
    let u: Vec<[f64; 34]> = (0..CELLS).map(of).collect();
    let mut expected = vec![[0.25; 34]; CELLS];
    for ((y, u), x) in expected.iter_mut().zip(&u).zip(&cells) {
        for (y, row) in y.iter_mut().zip(dense(x)) {
            *y += row.iter().zip(u).map(|(a, u)| a * u).sum::<f64>();
        }
    }
    each_variant(action::variants(), |isa| {
        let mut found = vec![[0.25; 34]; CELLS];
        action::with(isa, &cells, &u, &mut found).unwrap();
        assert!(
            near_to(found.as_flattened(), expected.as_flattened(), 1e-12),
            "{isa}"
        );
    });
    let operations = counted(&action::REPORT, CELLS, |count| {
        let of = |_| std::array::from_fn(|i| Counted::new(noise(i)));
        let u: Vec<[_; 34]> = (0..count).map(of).collect();
        let mut y = vec![[Counted::new(0.0); 34]; count];
        action(&counting(&self::cells(count)), &u, &mut y);
    });
    // Products and additions for all entries of the tables, there and back, are twice as many.
    let dense = 2 * (4 * 10 * 34 * 2);
    assert_eq!(operations, 1949);
    assert!(operations < dense / 2, "{operations} of {dense}");
}

#[test]
fn rectangular_matrices() {
    let cells = cells(CELLS);
    let flat = |b: &[[[f64; 4]; 30]]| b.as_flattened().as_flattened().to_vec();
    let mut expected = vec![[[0.5; 4]; 30]; CELLS];
    for (b, x) in expected.iter_mut().zip(&cells) {
        for (row, dense) in b.iter_mut().zip(dense(x)) {
            row.iter_mut().zip(&dense[30..]).for_each(|(b, a)| *b -= a);
        }
    }
    each_variant(divergence::variants(), |isa| {
        let mut found = vec![[[0.5; 4]; 30]; CELLS];
        divergence::with(isa, &cells, &mut found).unwrap();
        assert!(near_to(&flat(&found), &flat(&expected), 1e-12), "{isa}");
    });
    let operations = counted(&divergence::REPORT, CELLS, |count| {
        let mut b = vec![[[Counted::new(0.0); 4]; 30]; count];
        divergence(&counting(&self::cells(count)), &mut b);
    });
    assert_eq!(operations, 561);
}

#[test]
fn tests_and_trials_of_other_degrees() {
    let det: Vec<f64> = (0..CELLS).map(|e| 2.0 + noise(e)).collect();
    let of = |e: usize| std::array::from_fn(|i| noise(70 + 3 * e + i));
    let f: Vec<[f64; 3]> = (0..CELLS).map(of).collect();
    let flat = |b: &[[[f64; 6]; 10]]| b.as_flattened().as_flattened().to_vec();
    let mut expected = vec![[[0.5; 6]; 10]; CELLS];
    unequal::reference(&det, &f, &mut expected);
    each_variant(unequal::variants(), |isa| {
        let mut found = vec![[[0.5; 6]; 10]; CELLS];
        unequal::with(isa, &det, &f, &mut found).unwrap();
        assert!(near_to(&flat(&found), &flat(&expected), 1e-12), "{isa}");
    });
    let operations = counted(&unequal::REPORT, CELLS, |count| {
        let f = vec![[Counted::new(0.5); 3]; count];
        let mut b = vec![[[Counted::new(0.0); 6]; 10]; count];
        unequal(&vec![Counted::new(0.5); count], &f, &mut b);
    });
    assert_eq!(operations, 363);
    assert!(!is_split(&unequal::REPORT));
}

#[test]
fn zeros_are_assigned() {
    let of = |e: usize| std::array::from_fn(|i| 1.5 + noise(3 * e + i));
    let x: Vec<[f64; 3]> = (0..CELLS).map(of).collect();
    let mut expected = vec![[7.0; 34]; CELLS];
    trace::reference(&x, &mut expected);
    assert!(expected.iter().all(|y| y[30] == 0.0 && y[1] != 0.0));
    each_variant(trace::variants(), |isa| {
        let mut found = vec![[7.0; 34]; CELLS];
        trace::with(isa, &x, &mut found).unwrap();
        assert!(
            near_to(found.as_flattened(), expected.as_flattened(), 1e-12),
            "{isa}"
        );
    });
    let operations = counted(&trace::REPORT, CELLS, |count| {
        let x = vec![[Counted::new(2.0); 3]; count];
        trace(&x, &mut vec![[Counted::new(0.0); 34]; count]);
    });
    // Of the 34 functions, 10 have the second component.
    assert_eq!(operations, 1 + 10 * 5);
}

#[test]
fn gathered_and_scattered() {
    // Neighbours in the row of cells have functions in common.
    let numbering = |count: usize| -> Vec<[usize; 12]> {
        let of = |e: usize| std::array::from_fn(|i| 8 * e + 11 - i);
        (0..count).map(of).collect()
    };
    let metric = |count: usize| -> Vec<[[f64; 2]; 2]> {
        let of = |e| std::array::from_fn(|r| std::array::from_fn(|s| noise(4 * e + 2 * r + s)));
        (0..count).map(of).collect()
    };
    let values = |count: usize| -> Vec<f64> { (0..8 * count + 4).map(noise).collect() };
    let (g, dofs, u) = (metric(CELLS), numbering(CELLS), values(CELLS));
    let mut expected = u.clone();
    assembled::reference(&g, &dofs, &u, &mut expected);
    each_variant(assembled::variants(), |isa| {
        let mut found = u.clone();
        assembled::with(isa, &g, &dofs, &u, &mut found).unwrap();
        assert!(near_to(&found, &expected, 1e-12), "{isa}");
    });
    let operations = counted(&assembled::REPORT, CELLS, |count| {
        let u: Vec<_> = values(count).into_iter().map(Counted::new).collect();
        assembled(
            &counting(&metric(count)),
            &numbering(count),
            &u,
            &mut u.clone(),
        );
    });
    // The sums over the gathered values are by components; 612 multiply the zeros of all.
    assert_eq!(operations, 250);
    assert!(is_split(&assembled::REPORT));
}
