//! Elements that a kernel does not write keep their bits, beside those that it adds to in the same row.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

mod support;
use support::each_variant;

kernel! {
    pub fn one_of_four(t: &[f64], p: &mut [[f64; 4]]) {
        for i in 0..t.len() {
            p[i][2] += t[i];
        }
    }

    pub fn diagonals(t: &[[f32; 3]], p: &mut [[[f32; 3]; 3]]) {
        for i in 0..t.len() {
            for k in 0..3 {
                p[i][k][k] += 2.0 * t[i][k];
            }
        }
    }

    pub fn some_twice(t: &[f64], p: &mut [[f64; 5]]) {
        for i in 0..t.len() {
            for q in 0..4 {
                p[i][1] += t[i] * q as f64;
                p[i][3] -= t[i];
            }
        }
    }
}

kernel! {
    /// An element of an array of known length, that the arguments say.
    pub fn one_place(x: &[f64], a: f64, j: usize, y: &mut [f64; 4]) {
        for i in 0..x.len() {
            y[j] += x[i] * a.sin();
        }
    }

    pub fn the_same(x: &[f64], a: f64, j: usize, y: &mut [[f64; 2]; 2]) {
        for _ in 0..x.len() {
            for c in 0..2 {
                y[j][c] += a.sin();
            }
        }
    }

    pub fn one_entry(x: &[f64], a: f64, places: &[u32], y: &mut [f64; 4]) {
        for i in 0..x.len() {
            y[places[0] as usize] += x[i] * a.sin();
        }
    }
}

/// No iteration adds anything, and what none asks for need not be there.
#[test]
fn sums_without_terms_touch_nothing() {
    each_variant(one_place::variants(), |isa| {
        // What is behind the array would become a zero of the other sign.
        let mut all = [[-0.0; 4]; 2];
        one_place::with(isa, &[], 1.0, 5, &mut all[0]).unwrap();
        let mut both = [[[-0.0; 2]; 2]; 2];
        the_same::with(isa, &[], 1.0, 2, &mut both[0]).unwrap();
        let mut entry = [[-0.0; 4]; 2];
        one_entry::with(isa, &[], 1.0, &[6], &mut entry[0]).unwrap();
        let zeros = all.iter().chain(&entry).flatten();
        let mut zeros = zeros.chain(both.as_flattened().as_flattened());
        assert!(zeros.all(|zero| zero.is_sign_negative()), "{isa:?}");
    });
}

/// Zeros of both signs, and a NaN that says which it is.
fn start(at: usize) -> f64 {
    match at % 3 {
        0 => -0.0,
        1 => 0.0,
        _ => f64::from_bits(0x7ff8_0000_0000_0abc),
    }
}

#[test]
fn what_nothing_is_added_to_keeps_its_bits() {
    for n in [0, 1, 3, 7, 8, 9, 16, 33] {
        let t: Vec<f64> = (0..n)
            .map(|i| if i % 2 == 0 { -0.0 } else { i as f64 })
            .collect();
        let p: Vec<[f64; 4]> = (0..n)
            .map(|i| std::array::from_fn(|k| start(i + k)))
            .collect();
        let mut expected = p.clone();
        one_of_four::reference(&t, &mut expected);
        each_variant(one_of_four::variants(), |isa| {
            let mut found = p.clone();
            one_of_four::with(isa, &t, &mut found).unwrap();
            let bits = |all: &[[f64; 4]]| {
                all.as_flattened()
                    .iter()
                    .map(|x| x.to_bits())
                    .collect::<Vec<_>>()
            };
            assert_eq!(bits(&found), bits(&expected), "{isa}, {n}");
        });
        let t: Vec<[f32; 3]> = (0..n).map(|i| [i as f32, -0.0, 1.0]).collect();
        let p = vec![[[-0.0_f32; 3]; 3]; n];
        let mut expected = p.clone();
        diagonals::reference(&t, &mut expected);
        each_variant(diagonals::variants(), |isa| {
            let mut found = p.clone();
            diagonals::with(isa, &t, &mut found).unwrap();
            let bits = |all: &[[[f32; 3]; 3]]| {
                all.as_flattened()
                    .as_flattened()
                    .iter()
                    .map(|x| x.to_bits())
                    .collect::<Vec<_>>()
            };
            assert_eq!(bits(&found), bits(&expected), "{isa}, {n}");
        });
        let t: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let p = vec![[-0.0; 5]; n];
        let mut expected = p.clone();
        some_twice::reference(&t, &mut expected);
        each_variant(some_twice::variants(), |isa| {
            let mut found = p.clone();
            some_twice::with(isa, &t, &mut found).unwrap();
            for (found, expected) in found.iter().zip(&expected) {
                for k in [0, 2, 4] {
                    assert_eq!(found[k].to_bits(), expected[k].to_bits(), "{isa}, {n}");
                }
            }
        });
    }
}
