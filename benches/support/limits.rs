//! What the processor allows, measured beside each kernel: operations, and bytes that are written.

use std::hint::black_box;

use loopwright::AlignedVec;

use super::turns::Settings;

/// Numbers that are multiplied and added at once: twelve registers of four, more than hide latency.
const NUMBERS: usize = 48;
/// How often they are, a round.
const STEPS: usize = 100_000;
/// Bytes that are written again and again, as many as a batch of matrices has.
const WRITTEN: usize = 384 << 10;
/// How often they are, a round.
const TIMES: usize = 10;

/// Work that reaches the limits: it is timed in turns with what is held against them, since the
/// processor's clock changes.
struct Work {
    numbers: [f64; NUMBERS],
    written: AlignedVec<f64>,
}

impl Work {
    /// Fills the arrays.
    fn new() -> Work {
        Work {
            numbers: [1.0; NUMBERS],
            written: AlignedVec::filled(0.0, WRITTEN / 8),
        }
    }

    /// A round of multiply-adds in registers.
    fn multiply_add(&mut self) {
        multiply_add(black_box(&mut self.numbers), STEPS);
    }

    /// A round of writing to an array in the second-level cache.
    fn write(&mut self) {
        for _ in 0..TIMES {
            write(black_box(&mut self.written));
        }
    }
}

/// Rates of one core.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Operations a nanosecond, of fused multiply-adds in registers.
    pub operations: f64,
    /// Bytes a nanosecond, written to an array in the second-level cache.
    pub bytes: f64,
}

impl Limits {
    /// Those of rounds that took so many nanoseconds.
    fn of(multiply_add: f64, write: f64) -> Limits {
        Limits {
            operations: (2 * NUMBERS * STEPS) as f64 / multiply_add,
            bytes: (TIMES * WRITTEN) as f64 / write,
        }
    }

    /// The fewest nanoseconds for some operations whose results take some bytes.
    pub fn least(&self, operations: u64, bytes: usize) -> f64 {
        (operations as f64 / self.operations).max(bytes as f64 / self.bytes)
    }
}

/// The median of each of some competitors, in nanoseconds a cell, and the limits in the same turns.
pub fn medians(
    settings: &Settings,
    count: usize,
    mut run: impl FnMut(usize),
) -> (Vec<f64>, Limits) {
    let mut work = Work::new();
    let mut medians = settings.medians(count + 2, |turn| match turn.checked_sub(count) {
        None => run(turn),
        Some(0) => work.multiply_add(),
        Some(_) => work.write(),
    });
    let cells = settings.cells.len() as f64;
    let [add, write] = [medians[count], medians[count + 1]].map(|each| each * cells);
    medians.truncate(count);
    (medians, Limits::of(add, write))
}

/// Defines a function for processors with and without vectors.
macro_rules! dispatched {
    ($name:ident, $vectors:ident, $plain:ident, ($($argument:ident: $ty:ty),*) $body:block) => {
        fn $name($($argument: $ty),*) {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                // SAFETY: the processor has what the function is compiled for.
                return unsafe { $vectors($($argument),*) };
            }
            $plain($($argument),*);
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma")]
        fn $vectors($($argument: $ty),*) $body

        fn $plain($($argument: $ty),*) $body
    };
}

dispatched!(multiply_add, multiply_add_vectors, multiply_add_plain, (numbers: &mut [f64; NUMBERS], steps: usize) {
    let (x, y) = black_box((0.999, 0.001));
    let mut sums = *numbers;
    for _ in 0..steps {
        for sum in &mut sums {
            *sum = sum.mul_add(x, y);
        }
    }
    *numbers = sums;
});

dispatched!(write, write_vectors, write_plain, (written: &mut [f64]) {
    let x = black_box(1.0);
    for y in written {
        *y = x;
    }
});
