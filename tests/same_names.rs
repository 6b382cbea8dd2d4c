//! Texts that run without looking again at what was found inside, with names that are given twice.
#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

/// A type of the name of a parameter.
#[derive(Clone, Copy, Debug)]
pub struct N(pub usize);

kernel! {
    /// A length that has the name of a type in scope, in lanes, in a nest beside a sum, and as written.
    pub fn length_of_a_type<const N: usize>(a: &[[f64; N]], y: &mut [f64; N], z: &mut [f64; N]) {
        for row in a {
            for j in 0..N {
                y[j] += 2.0 * row[j];
            }
        }
        let mut j = 0;
        while j < N {
            z[j] += y[N - 1 - j];
            j += 1;
        }
    }

    /// The same in one nest.
    pub fn lanes_of_a_type<const N: usize>(a: &[[f64; N]], y: &mut [f64; N]) {
        for row in a {
            for j in 0..N {
                y[j] += 2.0 * row[j];
            }
        }
    }

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

#[test]
fn lengths_may_have_the_names_of_types() {
    let N(count) = N(3);
    let a: Vec<[f64; 5]> = (0..count)
        .map(|i| std::array::from_fn(|j| (i * 5 + j) as f64))
        .collect();
    let (mut y, mut z) = ([1.0; 5], [0.5; 5]);
    let (mut expected_y, mut expected_z) = (y, z);
    length_of_a_type(&a, &mut y, &mut z);
    length_of_a_type::reference(&a, &mut expected_y, &mut expected_z);
    assert_eq!((y, z), (expected_y, expected_z));
    let (mut y, mut expected) = ([1.0; 5], [1.0; 5]);
    lanes_of_a_type(&a, &mut y);
    lanes_of_a_type::reference(&a, &mut expected);
    assert_eq!(y, expected);
}
