//! What the processor allows, measured in the run itself: operations, and bytes that are written.

use std::hint::black_box;
use std::time::Instant;

/// Numbers that are multiplied and added at once: twelve registers of four, more than hide latency.
const NUMBERS: usize = 48;
/// Bytes that are written again and again, as many as a batch of matrices has.
const WRITTEN: usize = 384 << 10;
const ROUNDS: usize = 200;

/// Rates of one core.
pub struct Limits {
    /// Operations a nanosecond, of fused multiply-adds in registers.
    pub operations: f64,
    /// Bytes a nanosecond, written to an array in the second-level cache.
    pub bytes: f64,
}

impl Limits {
    /// Measures: the best of many short rounds.
    pub fn measure() -> Limits {
        const STEPS: usize = 10_000;
        let mut numbers = [1.0; NUMBERS];
        let add = best(|| multiply_add(black_box(&mut numbers), STEPS));
        let mut written = vec![0.0; WRITTEN / 8];
        let store = best(|| write(black_box(&mut written)));
        Limits {
            operations: (2 * NUMBERS * STEPS) as f64 / add,
            bytes: WRITTEN as f64 / store,
        }
    }

    /// The fewest nanoseconds for some operations whose results take some bytes.
    pub fn least(&self, operations: u64, bytes: usize) -> f64 {
        (operations as f64 / self.operations).max(bytes as f64 / self.bytes)
    }
}

/// The shortest time, in nanoseconds.
fn best(mut run: impl FnMut()) -> f64 {
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1e9
    });
    times.fold(f64::INFINITY, f64::min)
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
