//! Whatever is between the braces of a kernel, the compiler does not panic, and what it expands to
//! is Rust. Kernels as they are expand where they stand.

mod mutation;

use std::path::Path;

use mutation::{Choices, corpus, defect, mutate};
use proc_macro2::TokenStream;

/// Mutated kernels that are expanded.
const MUTATIONS: usize = 4000;

/// Longer kernels take too long without optimisation.
const LONGEST: usize = 6000;

/// SplitMix64.
struct Random(u64);

impl Choices for Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as usize % end
    }
}

fn kernels() -> Vec<TokenStream> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let mut kernels = corpus(&tests);
    kernels.retain(|kernel| kernel.to_string().len() < LONGEST);
    assert!(kernels.len() > 100, "{} kernels", kernels.len());
    kernels
}

fn check(first: usize, end: usize) {
    let kernels = kernels();
    for seed in first..end {
        let mut random = Random(seed as u64);
        let (a, b) = (random.below(kernels.len()), random.below(kernels.len()));
        let text = mutate(&kernels[a], &kernels[b], &mut random);
        if let Some(defect) = defect(&text) {
            panic!("mutation {seed}: {defect}:\n{text}");
        }
    }
}

/// On a stack as large as that of the compiler's main thread.
fn on_a_large_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(run);
    let result = thread.expect("threads can be started").join();
    if let Err(payload) = result {
        std::panic::resume_unwind(payload);
    }
}

#[test]
fn first_mutations() {
    on_a_large_stack(|| check(0, MUTATIONS / 2));
}

#[test]
fn other_mutations() {
    on_a_large_stack(|| check(MUTATIONS / 2, MUTATIONS));
}
