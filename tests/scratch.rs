//! Large temporaries live in memory that is kept from call to call, or handed in.
#![allow(missing_docs, reason = "kernels of tests")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use loopwright::{Isa, Scratch, kernel};

const N: usize = 48;
type Matrix = [[f64; N]; N];

kernel! {
    /// The third matrix takes the place of the first one.
    pub fn powers(a: &[[f64; 48]; 48], b: &[[f64; 48]; 48], y: &mut [[f64; 48]; 48]) {
        let mut s = [[0.0; 48]; 48];
        let mut t = [[0.0; 48]; 48];
        let mut r = [[0.0; 48]; 48];
        for i in 0..48 { for j in 0..48 { for k in 0..48 { s[i][j] += a[i][k] * b[k][j]; } } }
        for i in 0..48 { for j in 0..48 { for k in 0..48 { t[i][j] += s[i][k] * s[k][j]; } } }
        for i in 0..48 { for j in 0..48 { for k in 0..48 { r[i][j] += t[i][k] * t[k][j]; } } }
        for i in 0..48 { for j in 0..48 { for k in 0..48 { y[i][j] += r[i][k] * r[k][j]; } } }
    }

    /// Another kernel is called while this one has its temporaries.
    #[opt(pure(nested))]
    pub fn around(a: &[[f64; 48]; 48], y: &mut [[f64; 48]; 48]) {
        let mut s = [[0.0; 48]; 48];
        for i in 0..48 { for j in 0..48 { for k in 0..48 { s[i][j] += a[i][k] * a[k][j]; } } }
        for i in 0..48 { for j in 0..48 { y[i][j] += s[j][i] + nested(s[i][j]) + s[47 - i][j]; } }
    }
}

/// Eight entries of a power; most values are its own.
fn nested(x: f64) -> f64 {
    if x < 40.0 {
        return x;
    }
    let mut y = [[0.0; N]; N];
    powers(&matrix(1e-2), &matrix(1e-2), &mut y);
    y[3][4] + x
}

fn matrix(scale: f64) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| scale * (1 + (7 * i + 5 * j) % 11) as f64))
}

/// Counts this thread's allocations.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: the system's allocator does it all.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations(call: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    call();
    ALLOCATIONS.get() - before
}

fn close(found: &Matrix, expected: &Matrix) -> bool {
    let pairs = found.iter().flatten().zip(expected.iter().flatten());
    pairs
        .into_iter()
        .all(|(x, y)| (x - y).abs() <= 1e-12 * y.abs())
}

fn powered() -> Matrix {
    let mut y = [[0.0; N]; N];
    powers::reference(&matrix(1e-2), &matrix(1e-2), &mut y);
    y
}

#[test]
fn one_call_allocates_for_all() {
    let (a, expected) = (matrix(1e-2), powered());
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        drop(Scratch::take_of_thread());
        let mut y = [[0.0; N]; N];
        let first = allocations(|| powers::with(isa, &a, &a, &mut y).unwrap());
        assert!(close(&y, &expected), "{isa}");
        let mut y = [[0.0; N]; N];
        let later = allocations(|| powers::with(isa, &a, &a, &mut y).unwrap());
        assert!(close(&y, &expected), "{isa}");
        assert_eq!((first, later), (1, 0), "{isa}");
    }
    let two = 2 * size_of::<Matrix>();
    assert_eq!(powers::REPORT.expansion.temporary_bytes, two as u64);
    assert_eq!(Scratch::take_of_thread().bytes(), two);
}

#[test]
fn memory_may_be_handed_in() {
    let (a, expected) = (matrix(1e-2), powered());
    drop(Scratch::take_of_thread());
    let mut scratch = Scratch::new();
    for calls in 0..3 {
        let mut y = [[0.0; N]; N];
        let count = allocations(|| powers::with_scratch(&mut scratch, &a, &a, &mut y));
        assert!(close(&y, &expected));
        assert_eq!(count, usize::from(calls == 0));
    }
    assert_eq!(scratch.bytes(), 2 * size_of::<Matrix>());
    assert_eq!(Scratch::take_of_thread().bytes(), 0);
}

#[test]
fn kernels_inside_of_kernels_have_memory_of_their_own() {
    let a = matrix(0.15);
    let (mut expected, mut y) = ([[0.0; N]; N], [[0.0; N]; N]);
    around::reference(&a, &mut expected);
    assert!(expected.iter().flatten().any(|x| *x > 40.0));
    around(&a, &mut y);
    assert!(close(&y, &expected));
}
