//! Texts that run without looking again at what was found inside, with names that are given twice.
#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

kernel! {
    /// Rows, parts and items have the names of parameters.
    pub fn same_names(starts: &[usize], columns: &[usize], x: &[f64], z: &[[f64; 2]], y: &mut [f64]) {
        let row = |z: [f64; 2]| z[0] + 2.0 * z[1];
        for i in 0..y.len() {
            for k in starts[i]..starts[i + 1] {
                let x = &x[1..];
                y[i] += x[columns[k]] + row(z[columns[k]]);
            }
            for z in z {
                y[i] += z[0];
            }
        }
        let n = x.len().min(y.len());
        let x = &mut y[0..n];
        for i in 0..starts.len() - 1 {
            for k in starts[i]..starts[i + 1] {
                let row = &mut x[i..i + 1];
                row[0] += columns[k] as f64;
            }
        }
    }
}

#[test]
fn names_of_parameters_mean_what_they_do_in_the_text() {
    for rows in [1, 3, 40, 200] {
        let starts: Vec<usize> = (0..=rows).map(|row| 3 * row).collect();
        let columns: Vec<usize> = (0..3 * rows).map(|at| at * 7 % 30).collect();
        let (x, z) = (vec![0.5; 300], vec![[1.0, 0.25]; 30]);
        let (mut y, mut expected) = (vec![1.0; rows], vec![1.0; rows]);
        same_names(&starts, &columns, &x, &z, &mut y);
        same_names::reference(&starts, &columns, &x, &z, &mut expected);
        assert_eq!(y, expected, "{rows}");
    }
}
