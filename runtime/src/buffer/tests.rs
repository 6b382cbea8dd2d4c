//! Tests of aligned vectors and padded arrays.

use super::*;
use alloc::format;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(256))]
struct Wide(u8);

fn aligned<T>(slice: &[T], to: usize) -> bool {
    slice.as_ptr().addr().is_multiple_of(to)
}

#[test]
fn vectors_are_aligned_and_filled() {
    for len in [0, 1, 7, 8, 9, 1000] {
        let x = AlignedVec::filled(2.5_f64, len);
        assert!(aligned(&x, 64) && x.len() == len && x.iter().all(|&x| x == 2.5));
        let bytes = AlignedVec::from_slice(&alloc::vec![3_u8; len]);
        assert!(aligned(&bytes, 64) && *bytes == *alloc::vec![3_u8; len]);
        let wide = AlignedVec::<Wide>::with_default(len);
        assert!(aligned(&wide, 256) && wide.len() == len);
    }
}

#[test]
fn empty_vectors_and_empty_elements() {
    assert!(AlignedVec::<f64>::new().is_empty() && AlignedVec::<Wide>::default().is_empty());
    let count = if cfg!(miri) { 1 << 8 } else { 1 << 20 };
    let units = AlignedVec::filled((), count);
    assert_eq!(units.clone().iter().count(), count);
    let late = AlignedVec::<MaybeUninit<Wide>>::uninit(3);
    assert!(aligned(&late, 256) && late.len() == 3);
    assert!(AlignedVec::<MaybeUninit<Wide>>::uninit(0).is_empty());
    let rows = AlignedVec::filled([0.0_f64; 0], 5);
    assert_eq!(*rows, [[]; 5]);
}

#[test]
fn clones_are_deep() {
    let x = AlignedVec::from(&[1, 2, 3][..]);
    let mut y = x.clone();
    assert_eq!(x, y);
    y[0] = 9;
    for y in &mut y {
        *y += 1;
    }
    assert_eq!((&*x, &*y), (&[1, 2, 3][..], &[10, 3, 4][..]));
    assert_ne!(x, y);
    assert_eq!(format!("{y:?}"), "[10, 3, 4]");
    assert_eq!((0..4).collect::<AlignedVec<_>>().as_slice(), [0, 1, 2, 3]);
    assert_eq!((&x).into_iter().sum::<i32>(), 6);
}

#[test]
#[should_panic = "capacity overflow"]
fn lengths_that_overflow_panic() {
    let _ = AlignedVec::filled(0_u64, usize::MAX / 8);
}

#[test]
fn vectors_cross_threads() {
    fn sendable<T: Send + Sync>() {}
    sendable::<AlignedVec<f64>>();
    sendable::<PaddedArray2<f64>>();
}

#[test]
fn rows_are_aligned() {
    fn check<T: Copy + PartialEq + fmt::Debug>(fill: T, stride: usize) {
        let a = PaddedArray2::new(3, 5, fill);
        assert_eq!(a.row_stride(), stride);
        assert_eq!((a.rows(), a.columns()), (3, 5));
        assert_eq!(a.as_padded_slice().len(), 3 * stride);
        for i in 0..3 {
            assert!(aligned(a.row(i), 64));
            assert_eq!(a.row(i), [fill; 5]);
        }
    }
    check(1.0_f64, 8);
    check(1.0_f32, 16);
    check(1_u8, 64);
    check([1.0_f64; 3], 8);
    check([1.0_f64; 8], 5);
    check([1.0_f64; 16], 5);
    check(Wide(1), 5);
}

#[test]
fn degenerate_arrays() {
    let empty = PaddedArray2::new(4, 0, 0.0_f64);
    assert!(empty.row(3).is_empty());
    assert_eq!(empty.row_stride(), 0);
    assert!(
        PaddedArray2::new(0, 4, 0.0_f64)
            .as_padded_slice()
            .is_empty()
    );
    let units = PaddedArray2::new(2, 3, ());
    assert_eq!(units.row(1).len(), 3);
}

#[test]
fn padding_is_no_part_of_the_array() {
    let mut a = PaddedArray2::new(2, 3, 0);
    let b = a.clone();
    a.as_padded_mut_slice()[3] = 7;
    assert_eq!(a, b);
    a[[0, 2]] = 7;
    assert_ne!(a, b);
    assert_eq!(
        (a[[0, 2]], format!("{a:?}")),
        (7, "[[0, 0, 7], [0, 0, 0]]".into())
    );
    assert_ne!(PaddedArray2::new(2, 3, 0), PaddedArray2::new(3, 2, 0));
}

#[test]
#[should_panic = "out of bounds"]
fn columns_do_not_reach_into_the_padding() {
    let _ = PaddedArray2::new(2, 3, 0)[[0, 3]];
}

#[test]
#[should_panic = "row 2 is out of bounds for 2 rows"]
fn rows_end() {
    let _ = PaddedArray2::new(2, 0, 0.0).row(2);
}
