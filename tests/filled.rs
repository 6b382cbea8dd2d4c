//! Records of bytes, and of integers of 16 bits, that fill a lane each: some components are written, the others stay.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::needless_range_loop, reason = "texts of kernels")]

use loopwright::kernel;

mod support;
use support::each_variant;

kernel! {
    #[opt(require_lanes)]
    pub fn over(src: &[[u8; 4]], dst: &mut [[u8; 4]]) {
        for (d, s) in dst.iter_mut().zip(src) {
            let a = u32::from(s[3]);
            for c in 0..3 {
                d[c] = ((u32::from(s[c]) * a + u32::from(d[c]) * (255 - a)) / 255) as u8;
            }
        }
    }

    /// One by one, not in their order, and one is left out between.
    #[opt(require_lanes)]
    pub fn apart(src: &[[u8; 4]], dst: &mut [[u8; 4]]) {
        for (d, s) in dst.iter_mut().zip(src) {
            d[3] = ((u32::from(s[3]) * 77) >> 7) as u8;
            d[0] = ((u32::from(d[1]) * u32::from(s[2]) + 128) >> 8) as u8;
            d[2] = (u32::from(d[2]) ^ u32::from(s[0])) as u8;
        }
    }

    #[opt(require_lanes)]
    pub fn turned(c: i16, s: i16, p: &mut [[i16; 2]]) {
        for d in p.iter_mut() {
            let (x, y) = (i32::from(d[0]), i32::from(d[1]));
            let (c, s) = (i32::from(c), i32::from(s));
            d[0] = ((x * c - y * s) >> 12) as i16;
            d[1] = ((x * s) >> 12) as i16;
        }
    }

    #[opt(require_lanes)]
    pub fn squares(p: &mut [[i8; 4]]) {
        for d in p.iter_mut() {
            for c in 1..3 {
                d[c] = ((i32::from(d[c]) * i32::from(d[c])) >> 7) as i8;
            }
        }
    }
}

/// Numbers without an order.
fn numbers(count: usize, seed: u32) -> impl Iterator<Item = u32> {
    let step = |x: &u32| Some(x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    std::iter::successors(Some(seed), step)
        .skip(3)
        .take(count)
        .map(|x| x >> 7)
}

fn bytes(count: usize, seed: u32) -> Vec<[u8; 4]> {
    numbers(count, seed)
        .map(|x| [x as u8, (x >> 5) as u8, (x >> 11) as u8, (x >> 16) as u8])
        .collect()
}

#[test]
fn components_that_are_not_written_stay() {
    for count in (0..=35).chain([64, 100]) {
        let (src, dst) = (bytes(count, 1), bytes(count, 2));
        let [mut blended, mut written] = [dst.clone(), dst.clone()];
        over::reference(&src, &mut blended);
        apart::reference(&src, &mut written);
        each_variant(over::variants(), |isa| {
            let [mut found, mut others] = [dst.clone(), dst.clone()];
            over::with(isa, &src, &mut found).unwrap();
            apart::with(isa, &src, &mut others).unwrap();
            assert_eq!(found, blended, "{isa:?} {count}");
            assert_eq!(others, written, "{isa:?} {count}");
        });
    }
}

#[test]
fn signed_ones_are_those_of_the_text() {
    for count in (0..=35).chain([64, 100]) {
        let pairs: Vec<[i16; 2]> = numbers(count, 3)
            .map(|x| [x as i16, (x >> 8) as i16])
            .collect();
        let mut expected = pairs.clone();
        turned::reference(3000, -1000, &mut expected);
        each_variant(turned::variants(), |isa| {
            let mut found = pairs.clone();
            turned::with(isa, 3000, -1000, &mut found).unwrap();
            assert_eq!(found, expected, "{isa:?} {count}");
        });
        let records: Vec<[i8; 4]> = bytes(count, 4).iter().map(|b| b.map(|b| b as i8)).collect();
        let mut expected = records.clone();
        squares::reference(&mut expected);
        each_variant(squares::variants(), |isa| {
            let mut found = records.clone();
            squares::with(isa, &mut found).unwrap();
            assert_eq!(found, expected, "{isa:?} {count}");
        });
    }
}
