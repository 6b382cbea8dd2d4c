//! Branches that few inputs reach: conditions on many entries at once, and integers that are equal.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

mod support;

kernel! {
    /// A branch where eight neighbours are all below a bound.
    #[opt(require_lanes)]
    pub fn hysteresis(mag: &[f32], out: &mut [u8], w: usize, h: usize, low: f32, high: f32) {
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let m = mag[y * w + x];
                out[y * w + x] = if m >= high {
                    255
                } else if m < low {
                    0
                } else {
                    let mut strong = false;
                    for dy in 0..3 {
                        for dx in 0..3 {
                            strong |= mag[(y + dy - 1) * w + x + dx - 1] >= high;
                        }
                    }
                    if strong { 128 } else { 1 }
                };
            }
        }
    }

    /// A state that is compared with the number of states, and with those of neighbours.
    #[opt(require_lanes)]
    pub fn cyclic(a: &[u8], b: &mut [u8], states: u8) {
        for (w, b) in a.windows(3).zip(b.iter_mut()) {
            let next = if w[1] + 1 == states { 0 } else { w[1] + 1 };
            *b = if w[0] == next || w[2] == next { next } else { w[1] };
        }
    }

    /// How many neighbours of a grid that wraps around are alive: two or three, also at each corner.
    #[opt(require_lanes)]
    pub fn life(n: usize, old: &[u8], new: &mut [u8]) {
        for i in 0..n {
            for j in 0..n {
                let mut alive = 0;
                for di in [n - 1, 0, 1] {
                    for dj in [n - 1, 0, 1] {
                        if di != 0 || dj != 0 {
                            alive += old[(i + di) % n * n + (j + dj) % n];
                        }
                    }
                }
                new[i * n + j] = u8::from(alive == 3 || (alive == 2 && old[i * n + j] == 1));
            }
        }
    }

    /// The same, of all neighbours in a grid that wraps around: its sides and corners are pieces of their own.
    #[opt(require_lanes)]
    pub fn cyclic_grid(a: &[u8], b: &mut [u8], w: usize, h: usize, states: u8) {
        for y in 0..h {
            for x in 0..w {
                let here = a[y * w + x];
                let next = if here + 1 == states { 0 } else { here + 1 };
                let l = a[y * w + (x + w - 1) % w];
                let r = a[y * w + (x + 1) % w];
                let u = a[(y + h - 1) % h * w + x];
                let d = a[(y + 1) % h * w + x];
                b[y * w + x] = if l == next || r == next || u == next || d == next { next } else { here };
            }
        }
    }

    /// One integer of many is compared, with something added.
    #[opt(require_lanes)]
    pub fn marked(a: &[u16], b: &[u16], c: &mut [u32]) {
        for i in 0..c.len() {
            c[i] = if u32::from(a[i]) + 9 == 40_009 && b[i] == 51_111 { 1 } else { c[i] ^ 2 };
        }
    }
}

fn random(count: usize) -> Vec<u64> {
    support::random(count, 0x2545_f491_4f6c_dd1d)
}

#[test]
fn all_of_many_conditions_may_hold() {
    for n in [3, 4, 9, 40] {
        // Waves: places where nothing is high, and edges.
        let of = |(at, v): (usize, u64)| (at as f32 / 9.0).sin() + (v % 64) as f32 / 256.0;
        let mag: Vec<f32> = random(n * n).into_iter().enumerate().map(of).collect();
        let mut expected = vec![7; n * n];
        hysteresis::reference(&mag, &mut expected, n, n, -0.3, 0.9);
        for isa in hysteresis::variants() {
            let mut own = vec![7; n * n];
            if hysteresis::with(*isa, &mag, &mut own, n, n, -0.3, 0.9).is_ok() {
                assert_eq!(own, expected, "{n} on {isa:?}");
            }
        }
        assert!(n < 40 || [0, 1, 128, 255].iter().all(|v| expected.contains(v)));
    }
}

/// Where nothing takes the branch that reads beyond the end, nothing panics; where something does, the text does.
#[test]
fn neighbours_may_be_counted() {
    for n in [1, 2, 3, 9, 40] {
        let old: Vec<u8> = random(n * n).into_iter().map(|v| (v % 2) as u8).collect();
        let mut expected = vec![7; n * n];
        life::reference(n, &old, &mut expected);
        for isa in life::variants() {
            let mut own = vec![7; n * n];
            if life::with(*isa, n, &old, &mut own).is_ok() {
                assert_eq!(own, expected, "{n} on {isa:?}");
            }
        }
    }
}

#[test]
fn branches_that_are_not_taken_may_read_beyond_the_end() {
    for n in [3, 5, 30] {
        let mag = vec![0.5; n * n - 1];
        for (low, panics) in [(0.7, false), (0.1, true)] {
            let of = |run: fn(&[f32], &mut [u8], usize, usize, f32, f32)| {
                let mut out = vec![7; n * n];
                let call = std::panic::AssertUnwindSafe(|| run(&mag, &mut out, n, n, low, 0.9));
                std::panic::catch_unwind(call).map(|()| out).ok()
            };
            let (own, expected) = (of(hysteresis), of(hysteresis::reference));
            assert_eq!(expected.is_none(), panics, "{n} {low}");
            assert_eq!(own, expected, "{n} {low}");
        }
    }
}

#[test]
fn integers_may_be_equal() {
    for n in [0, 1, 2, 5, 33, 200] {
        let a: Vec<u8> = random(n).into_iter().map(|v| (v % 14) as u8).collect();
        let mut expected = vec![0; n];
        cyclic::reference(&a, &mut expected, 14);
        for isa in cyclic::variants() {
            let mut own = vec![0; n];
            if cyclic::with(*isa, &a, &mut own, 14).is_ok() {
                assert_eq!(own, expected, "{n} on {isa:?}");
            }
        }
        let (w, h) = (n.isqrt(), n.isqrt());
        let (mut own, mut expected) = (vec![0; w * h], vec![0; w * h]);
        cyclic_grid(&a, &mut own, w, h, 14);
        cyclic_grid::reference(&a, &mut expected, w, h, 14);
        assert_eq!(own, expected, "{w}");
        let a: Vec<u16> = a.iter().map(|v| 40_000 + u16::from(*v) % 2).collect();
        let b: Vec<u16> = a.iter().map(|v| v + 11_111).collect();
        let mut expected: Vec<u32> = (0..n).map(|i| i as u32).collect();
        let own = expected.clone();
        marked::reference(&a, &b, &mut expected);
        for isa in marked::variants() {
            let mut own = own.clone();
            if marked::with(*isa, &a, &b, &mut own).is_ok() {
                assert_eq!(own, expected, "{n} on {isa:?}");
            }
        }
    }
}
