//! Calls that panic where a text does, and write nothing then.

use std::panic::{AssertUnwindSafe, catch_unwind};

use loopwright::Report;

/// Numbers that follow each other without order.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % n
    }

    #[allow(dead_code, reason = "each test uses a part")]
    pub fn vector(&mut self, most: usize) -> Vec<f64> {
        let n = self.below(most);
        (0..n).map(|k| k as f64 + 0.5).collect()
    }
}

thread_local! {
    /// A panic would be one that the text may have.
    static EXPECTED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Whether a call panics. The messages of hundreds would be no help.
pub fn panics(run: impl FnOnce()) -> bool {
    static QUIET: std::sync::Once = std::sync::Once::new();
    QUIET.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !EXPECTED.get() {
                loud(info);
            }
        }));
    });
    EXPECTED.set(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    EXPECTED.set(false);
    result.is_err()
}

/// Calls a kernel and its text with the same arguments, the outputs last: both panic, and the kernel has
/// written nothing, or neither does. Calls that panicked and that did not.
macro_rules! compare {
    ($kernel:ident, $numbers:ident, $output:expr, |$y:ident, $run:ident| $call:expr) => {{
        assert!(is_inspected(&$kernel::REPORT), "{}", $kernel::REPORT);
        let (mut counts, mut half_written) = ([0, 0], 0);
        for seed in 0..400 {
            let mut $numbers = Numbers(seed);
            let before = { $output };
            let state = $numbers.0;
            let mut one = before.clone();
            let fails = {
                let $y = &mut one;
                let $run = $kernel;
                panics(|| $call)
            };
            $numbers.0 = state;
            let mut other = before.clone();
            let text_fails = {
                let $y = &mut other;
                let $run = $kernel::reference;
                panics(|| $call)
            };
            assert_eq!(fails, text_fails, "{} {seed}", stringify!($kernel));
            let expected = if fails { &before } else { &other };
            assert_eq!(&one, expected, "{} {seed}", stringify!($kernel));
            counts[usize::from(fails)] += 1;
            half_written += usize::from(fails && other != before);
        }
        assert!(
            counts[0] > 3 && counts[1] > 3 && half_written > 0,
            "{}: {counts:?} {half_written}",
            stringify!($kernel)
        );
    }};
}

pub fn is_inspected(report: &Report) -> bool {
    let written = report
        .notes
        .iter()
        .find(|note| note.starts_with("runs as written"));
    written.is_some_and(|note| note.contains("its accesses checked before"))
}
