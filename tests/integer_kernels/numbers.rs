//! Numbers that are made of integers, where no integer is written.

use super::support::each_variant;

loopwright::kernel! {
    pub fn scaled_dots(a: &[i8], b: &[i8], scale: &[f32], y: &mut [f32]) {
        for k in 0..y.len() {
            let mut s = 0i32;
            for i in 0..32 {
                s += a[k * 32 + i] as i32 * b[k * 32 + i] as i32;
            }
            y[k] = s as f32 * scale[k];
        }
    }

    pub fn spread(x: &[i16]) -> f64 {
        let (mut sum, mut squares) = (0i64, 0i64);
        for i in 0..x.len() {
            sum += x[i] as i64;
            squares += x[i] as i64 * x[i] as i64;
        }
        squares as f64 - sum as f64
    }

    pub fn means(x: &[u8], m: usize, y: &mut [f64]) {
        for k in 0..y.len() {
            let mut s = 0u32;
            let mut above = 0u32;
            for i in 0..m {
                s += x[k * m + i] as u32;
                above += if x[k * m + i] > 99 { 1 } else { 0 };
            }
            y[k] = s as f64 / 16.0 + above as f64;
        }
    }

    /// What is found in memory leads to other elements.
    pub fn gathered(map: &[u32], x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            let mut s = 0;
            for k in 0..4 {
                s += map[4 * i + k];
            }
            y[i] = s as f64 + x[map[4 * i] as usize];
        }
    }
}

#[test]
fn numbers_are_made_of_integers() {
    let bytes = |n: usize| -> Vec<u8> { (0..n).map(|i| (i * i + 37 * i) as u8).collect() };
    let mut lanes = scaled_dots::REPORT.lanes.iter();
    assert!(
        lanes.any(|own| !own.over.is_empty()),
        "{}",
        scaled_dots::REPORT
    );
    for n in [0, 1, 3, 8, 17, 35] {
        let a: Vec<i8> = bytes(32 * n).iter().map(|x| *x as i8).collect();
        let b: Vec<i8> = a.iter().map(|x| x.wrapping_mul(7)).collect();
        let scale: Vec<f32> = (0..n).map(|i| i as f32 / 3.0).collect();
        let mut expected = vec![7.0; n];
        scaled_dots::reference(&a, &b, &scale, &mut expected);
        each_variant(scaled_dots::variants(), |isa| {
            let mut y = vec![7.0; n];
            scaled_dots::with(isa, &a, &b, &scale, &mut y).unwrap();
            assert_eq!(y, expected, "{isa} {n}");
        });
        let x: Vec<i16> = (0..n as i16)
            .map(|i| i.wrapping_mul(1999).wrapping_mul(i))
            .collect();
        each_variant(spread::variants(), |isa| {
            assert_eq!(
                spread::with(isa, &x).unwrap(),
                spread::reference(&x),
                "{isa} {n}"
            );
        });
        for m in [0, 1, 5, 40] {
            let x = bytes(n * m);
            let mut expected = vec![7.0; n];
            means::reference(&x, m, &mut expected);
            each_variant(means::variants(), |isa| {
                let mut y = vec![7.0; n];
                means::with(isa, &x, m, &mut y).unwrap();
                assert_eq!(y, expected, "{isa} {n} {m}");
            });
        }
        let map: Vec<u32> = (0..4 * n as u32).map(|i| i * 7 % 40).collect();
        let x: Vec<f64> = (0..40).map(|i| i as f64 / 8.0).collect();
        let mut expected = vec![7.0; n];
        gathered::reference(&map, &x, &mut expected);
        each_variant(gathered::variants(), |isa| {
            let mut y = vec![7.0; n];
            gathered::with(isa, &map, &x, &mut y).unwrap();
            assert_eq!(y, expected, "{isa} {n}");
        });
    }
}
