//! Mutated kernels of the repository's tests: no panic, no internal error, and what they expand to
//! is Rust. The fuzzer's bytes choose the kernel and the changes.
//!
//! `fuzz/run`, or `cargo +nightly fuzz run kernels -- -max_len=256`
#![no_main]

#[path = "../../compiler/tests/mutation/mod.rs"]
mod mutation;

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use mutation::{Choices, corpus, defect, mutate};
use proc_macro2::TokenStream;

std::thread_local! {
    /// Tokens cannot be shared between threads.
    static KERNELS: Vec<TokenStream> = {
        // Panics are caught, and reported with the kernel.
        std::panic::set_hook(Box::new(|_| {}));
        corpus(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests"))
    };
}

/// Choices out of bytes; when these are used up, the first of all.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> usize {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        usize::from(*first)
    }
}

impl Choices for Bytes<'_> {
    fn below(&mut self, end: usize) -> usize {
        let low = self.next();
        let high = if end > 256 { self.next() } else { 0 };
        (256 * high + low) % end
    }
}

fuzz_target!(|data: &[u8]| {
    KERNELS.with(|kernels| {
        let mut choices = Bytes(data);
        let (a, b) = (choices.below(kernels.len()), choices.below(kernels.len()));
        let text = mutate(&kernels[a], &kernels[b], &mut choices);
        if let Some(defect) = defect(&text) {
            // libFuzzer keeps the input of a program that aborts.
            eprintln!("{defect}:\n{text}");
            std::process::abort();
        }
    });
});
