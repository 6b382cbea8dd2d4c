//! What a report states is what runs: generic kernels, called with a counting scalar.

use loopwright::{Cost, Counted, Report};

const CELL: [[f64; 3]; 4] = [
    [0.1, 0.0, 0.2],
    [1.1, 0.3, 0.1],
    [0.2, 0.9, -0.1],
    [0.0, 0.2, 1.3],
];

/// Panics unless `found` are the operations of `each`, `iterations` times, and of `once`.
fn compare(found: &Cost, each: &Cost, once: &Cost, iterations: u64, what: &str) {
    let operations = |cost: Cost| Cost {
        temporary_bytes: 0,
        table_bytes: 0,
        ..cost
    };
    assert_eq!(
        *found,
        operations(*each * iterations + *once),
        "{what}, {iterations} iterations"
    );
}

/// Counts a kernel's reference and expansion for several numbers of cells.
fn check(report: &Report, reference: impl Fn(usize) -> Cost, expansion: impl Fn(usize) -> Cost) {
    assert_eq!(report.per, "e");
    assert!(report.source.operations() > 0);
    assert!(report.expansion.operations() < report.source.operations());
    for cells in [0, 1, 2, 9] {
        let iterations = cells as u64;
        compare(
            &reference(cells),
            &report.source,
            &Cost::ZERO,
            iterations,
            "reference",
        );
        let once = if cells == 0 {
            expansion(0)
        } else {
            report.once
        };
        compare(
            &expansion(cells),
            &report.expansion,
            &once,
            iterations,
            "expansion",
        );
    }
}

macro_rules! helmholtz {
    ($test:ident, $module:ident, $kernel:ident, $dofs:literal) => {
        #[test]
        fn $test() {
            use loopwright_forms::generic::$module::$kernel;
            let run = |kernel: fn(&[_], &mut [[[_; $dofs]; $dofs]]), n: usize| {
                let cells = vec![CELL.map(|x| x.map(Counted::new)); n];
                let mut a = vec![[[Counted::new(0.0); $dofs]; $dofs]; n];
                Counted::<f64>::count(|| kernel(&cells, &mut a)).1
            };
            check(
                &$kernel::REPORT,
                |n| run($kernel::reference, n),
                |n| run($kernel, n),
            );
        }
    };
}

helmholtz!(helmholtz_p1, p1, helmholtz_p1_generic, 4);
helmholtz!(helmholtz_p2, p2, helmholtz_p2_generic, 10);

loopwright::kernel! {
    /// Every kind of operation, a gather and a scatter.
    pub fn kinds<T: loopwright::Real>(map: &[[usize; 2]], u: &[T], c: T, y: &mut [T]) {
        for e in 0..map.len() {
            let mut s = T::zero();
            for i in 0..2 {
                let v = u[map[e][i]];
                s += (v * v + c).sqrt() / (c + T::from_f64(3.0)) - v.powi(3);
            }
            let t = s.max(c).min(T::from_f64(2.0)).abs();
            for i in 0..2 {
                y[map[e][i]] += if t < c { t } else { -t };
            }
        }
    }
}

#[test]
fn every_kind_of_operation() {
    let run = |kernel: fn(&[[usize; 2]], &[_], _, &mut [_]), n: usize| {
        let map: Vec<_> = (0..n).map(|e| [e % 3, (e + 1) % 3]).collect();
        let u = [0.5, -0.25, 2.0].map(Counted::new);
        let mut y = [Counted::new(1.0); 3];
        Counted::<f64>::count(|| kernel(&map, &u, Counted::new(1.5), &mut y)).1
    };
    check(
        &kinds::REPORT,
        |n| run(kinds::reference, n),
        |n| run(kinds, n),
    );
}
