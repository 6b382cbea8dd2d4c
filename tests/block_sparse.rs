//! Kernels that take block-sparse tables: to them they are dense.

use loopwright::{BlockSparseTable, Scalar, kernel};

kernel! {
    const POINTS: usize = 3;

    /// One product with the table a cell.
    pub fn product(t: &BlockSparseTable<f64, POINTS, 4>, x: &[[f64; 4]], y: &mut [[f64; 3]]) {
        for e in 0..x.len() {
            for q in 0..3 {
                for i in 0..4 {
                    y[e][q] += t[q][i] * x[e][i];
                }
            }
        }
    }

    /// The same in any type, by a helper that takes the table too.
    pub fn generic<T: Scalar>(
        t: &loopwright::BlockSparseTable<T, 3, 4>,
        x: &[[T; 4]],
        y: &mut [[T; 3]],
    ) {
        for e in 0..x.len() {
            let of_cell = with_helper(t, &x[e]);
            for q in 0..3 {
                y[e][q] += of_cell[q];
            }
        }
    }

    fn with_helper<T: Scalar>(t: &BlockSparseTable<T, 3, 4>, x: &[T; 4]) -> [T; 3] {
        let mut y = [T::zero(); 3];
        for q in 0..3 {
            let row = &t[q];
            for i in 0..4 {
                y[q] += row[i] * x[i];
            }
        }
        y
    }

    /// A sequential loop: it runs as written.
    #[opt(fallback)]
    pub fn as_written(t: &BlockSparseTable<f32, 3, 4>, y: &mut [f32; 3]) {
        let mut last = 0.0;
        for q in 0..3 {
            last = last * 0.5 + t[q][3];
            y[q] = last;
        }
    }
}

const DENSE: [[f64; 4]; 3] = [
    [1.0, 0.0, 2.0, 0.0],
    [3.0, 0.0, 4.0, 1.0],
    [5.0, 0.0, 6.0, 7.0],
];
const X: [[f64; 4]; 19] = [[1.0, 10.0, 100.0, 1000.0]; 19];
const Y: [[f64; 3]; 19] = [[201.0, 1403.0, 7605.0]; 19];

#[test]
fn every_variant_reads_the_dense_table() {
    let table = BlockSparseTable::new(&DENSE, 0.0);
    for &isa in product::variants() {
        let mut y = [[0.0; 3]; 19];
        if product::with(isa, &table, &X, &mut y).is_ok() {
            assert_eq!(y, Y, "{isa:?}");
        }
    }
    let mut y = [[0.0; 3]; 19];
    product::reference(&table, &X, &mut y);
    assert_eq!(y, Y);
}

#[test]
fn generic_kernels_read_it_in_every_type() {
    let mut y = [[0.0; 3]; 19];
    generic(&BlockSparseTable::new(&DENSE, 0.0), &X, &mut y);
    assert_eq!(y, Y);
    let single = DENSE.map(|row| row.map(|entry| entry as f32));
    let mut y = [[0.0_f32; 3]; 19];
    let x = X.map(|row| row.map(|entry| entry as f32));
    generic(&BlockSparseTable::new(&single, 0.0), &x, &mut y);
    assert_eq!(y, Y.map(|row| row.map(|entry| entry as f32)));
}

#[test]
fn what_runs_as_written_reads_it_too() {
    let table = BlockSparseTable::new(&DENSE.map(|row| row.map(|x| x as f32)), 0.0);
    let mut y = [0.0; 3];
    as_written(&table, &mut y);
    assert_eq!(y, [0.0, 1.0, 7.5]);
}
