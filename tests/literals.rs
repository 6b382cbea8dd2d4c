//! Integers of all sizes that stand in the text: literals, limits of types, constants and tables.
#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

kernel! {
    const MASK: u64 = (1 << 60) - 1;
    const STEP: i8 = -128;
    static KEYS: [u64; 4] = [u64::MAX, 1 << 63, (1 << 53) + 1, 0x0123_4567_89ab_cdef & MASK];

    pub fn keys(y: &mut [u64]) {
        for i in 0..4 {
            y[i] = KEYS[i] ^ MASK;
        }
    }

    pub fn least(y: &mut [i64]) {
        y[0] = -128i8 as i64 + STEP as i64;
        y[1] = -9_223_372_036_854_775_808;
        y[2] = i64::MIN;
        y[3] = u64::MAX as i64;
        y[4] = i16::MAX as i64 - 3;
    }

    /// Each number is the nearest one to its integer.
    pub fn numbers(x: &[f64], y: &mut [f64]) {
        for i in 0..4 {
            y[i] = x[i] + KEYS[i] as f64 + MASK as f64;
        }
    }

    pub fn masked(m: &[u64], x: &[f64], y: &mut [f64]) {
        for i in 0..m.len() {
            y[i] = x[(m[i] & 7) as usize] + x[(m[i] >> 61) as usize] + x[m[i] as u8 as usize % 4];
        }
    }

    /// In place of a number that is not there.
    pub fn far(n: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n.min(usize::MAX - 3) {
            y[i] = x[i];
        }
    }
}

#[test]
fn integers_of_64_bits_are_exact() {
    let mask = (1_u64 << 60) - 1;
    let wanted = [
        u64::MAX,
        1 << 63,
        (1 << 53) + 1,
        0x0123_4567_89ab_cdef & mask,
    ];
    let mut y = [0; 4];
    keys(&mut y);
    assert_eq!(y, wanted.map(|key| key ^ mask));

    let mut y = [0; 5];
    least(&mut y);
    assert_eq!(y, [-256, i64::MIN, i64::MIN, -1, 32_764]);

    let mut y = [0.0; 4];
    numbers(&[0.5; 4], &mut y);
    assert_eq!(y, wanted.map(|key| 0.5 + key as f64 + mask as f64));

    let (m, x) = (
        [u64::MAX, 9, 1 << 62],
        [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0],
    );
    let mut y = [0.0; 3];
    masked(&m, &x, &mut y);
    assert_eq!(y, [264.0, 5.0, 6.0]);

    let mut y = [0.0; 3];
    far(3, &[1.0, 2.0, 3.0], &mut y);
    assert_eq!(y, [1.0, 2.0, 3.0]);
}
