//! A kernel as a batch holds it.

use loopwright_runtime::{Isa, Report, Scratch};

use super::arguments::Arguments;
use super::guarded::Scalar;

/// A kernel, with all that runs of it.
#[derive(Debug)]
pub struct Kernel {
    /// Its number in the batch.
    pub number: usize,
    /// The description of its parameters.
    pub description: &'static str,
    /// Its functions, for each type of numbers that it is run with.
    pub calls: &'static [Call],
    /// The variants of all levels, of which each code is there once: as [`Run::parse`] reads them,
    /// with commas between them.
    pub runs: &'static str,
    /// The reports of their levels, if operations are counted.
    pub reports: &'static [&'static Report],
}

/// The functions of a kernel, for a type of numbers.
#[derive(Debug)]
pub struct Call {
    /// What `T` is, or what other kernels compute with.
    pub scalar: Scalar,
    /// Calls the reference, which is number 0, or a variant.
    pub call: fn(usize, &Arguments),
}

/// A batch was asked for what it does not have.
///
/// # Panics
/// Always.
pub fn missing() -> ! {
    panic!("there is no such variant")
}

/// Scratch memory in which other kernels have left what is no number.
pub fn scratch() -> Scratch {
    const BYTES: usize = 1 << 18;
    let mut scratch = Scratch::new();
    let start = scratch.reserve(BYTES, 64);
    // SAFETY: that much was reserved.
    unsafe { start.write_bytes(0xff, BYTES) }
    scratch
}

/// A variant.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The level that it comes from.
    pub level: u8,
    /// Results have the reference's bits.
    pub exact: bool,
    /// The instruction set.
    pub isa: Isa,
    /// Vector units are emulated.
    pub emulated: bool,
    /// It is the reference.
    pub as_written: bool,
    /// For some inputs it is the reference, whose accesses are not made before it writes.
    pub unchecked: bool,
    /// For some inputs it is the reference, as its check says.
    pub partial: bool,
}

impl Run {
    /// Reads a level, an instruction set, and what holds of it: `1 Avx512 exact emulated written`.
    ///
    /// # Errors
    /// Something else.
    pub fn parse(text: &str) -> Result<Run, String> {
        let mut words = text.split_whitespace();
        let level = words.next().and_then(|word| word.parse().ok());
        let set = words.next().unwrap_or_default();
        let isas = [Isa::Scalar, Isa::Avx2, Isa::Avx512];
        let isa = isas.into_iter().find(|isa| format!("{isa:?}") == set);
        let rest: Vec<&str> = words.collect();
        match (level, isa) {
            (Some(level), Some(isa)) => Ok(Run {
                level,
                isa,
                exact: rest.contains(&"exact"),
                emulated: rest.contains(&"emulated"),
                as_written: rest.contains(&"written"),
                unchecked: rest.contains(&"unchecked"),
                partial: rest.contains(&"partial"),
            }),
            _ => Err(format!("no variant: {text}")),
        }
    }

    /// Whether it runs on these numbers here.
    pub fn is_for(&self, scalar: Scalar) -> bool {
        match scalar {
            Scalar::Counted => self.isa == Isa::Scalar,
            _ => self.emulated || self.isa.is_available(),
        }
    }
}
