//! Instruction sets: which exist, which this processor has, which to run.

use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};

/// An instruction set that a kernel may be expanded for, worst to best.
///
/// The order is that of preference, and every processor that has one of them has those before it:
/// `isa <= Isa::best()` is as good a test as [`Isa::is_available`], and cheaper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Isa {
    /// Plain Rust, on every processor.
    Scalar,
    /// `avx2` and `fma`, with `bmi1`, `bmi2`, `lzcnt` and `popcnt`: 256-bit lanes.
    Avx2,
    /// `avx512f`, `avx512vl`, `avx512dq` and `avx512bw`, with `avx2` and `fma`: 512-bit lanes.
    Avx512,
}

/// 0 while unknown, otherwise one more than the discriminant of the best instruction set, and one more again where
/// that is AVX-512 with [all that belongs to it by now](has_bytes_of_avx512).
static BEST: AtomicU8 = AtomicU8::new(0);

/// AVX-512 that counts bits and permutes bytes.
const WITH_BYTES: u8 = 4;
const AVX512: u8 = Isa::Avx512 as u8 + 1;
const AVX2: u8 = Isa::Avx2 as u8 + 1;
const SCALAR: u8 = Isa::Scalar as u8 + 1;

impl Isa {
    /// Every instruction set, worst to best.
    pub const ALL: [Isa; 3] = [Isa::Scalar, Isa::Avx2, Isa::Avx512];

    /// Whether this processor (and its operating system) can run the instruction set.
    ///
    /// With the feature `std` the processor is asked. Without, only what the crate is compiled for
    /// (`-C target-feature`, `-C target-cpu`) counts. `LOOPWRIGHT_MAX_ISA` has no influence here.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Isa::Scalar => true,
            Isa::Avx2 => has_avx2(),
            Isa::Avx512 => has_avx512(),
        }
    }

    /// The best instruction set that this processor can run; found once, then one relaxed load.
    ///
    /// With the feature `std`, the environment variable `LOOPWRIGHT_MAX_ISA` (`scalar`, `avx2` or
    /// `avx512`, in any case; anything else is ignored) caps it, so that tests reach each variant.
    /// It is read at the first call and not again.
    ///
    /// ```
    /// use loopwright_runtime::Isa;
    /// assert!(Isa::best().is_available());
    /// assert_eq!(Isa::best(), Isa::best());
    /// ```
    #[inline]
    #[must_use]
    pub fn best() -> Isa {
        match BEST.load(Ordering::Relaxed) {
            AVX512.. => Isa::Avx512,
            AVX2 => Isa::Avx2,
            SCALAR => Isa::Scalar,
            _ => detect(),
        }
    }

    /// The name used in `#[opt(isa = [...])]` and in reports: `scalar`, `avx2`, `avx512`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Isa::Scalar => "scalar",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
        }
    }

    /// The instruction set of that [name](Isa::name), in any case, or `None`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Isa> {
        Isa::ALL
            .into_iter()
            .find(|isa| isa.name().eq_ignore_ascii_case(name.trim()))
    }

    /// How many `f64` a register holds: 1, 4 or 8.
    #[must_use]
    pub const fn lanes_f64(self) -> usize {
        match self {
            Isa::Scalar => 1,
            Isa::Avx2 => 4,
            Isa::Avx512 => 8,
        }
    }

    /// How many `f32` a register holds: 1, 8 or 16.
    #[must_use]
    pub const fn lanes_f32(self) -> usize {
        match self {
            Isa::Scalar => 1,
            Isa::Avx2 => 8,
            Isa::Avx512 => 16,
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The best of the instruction sets `built` that is at most [`Isa::best`]; [`Isa::Scalar`] where
/// there is none. The order of `built` does not matter.
///
/// ```
/// use loopwright_runtime::{Isa, select};
/// let isa = select(&[Isa::Avx512, Isa::Avx2, Isa::Scalar]);
/// assert!(isa.is_available());
/// assert_eq!(select(&[]), Isa::Scalar);
/// ```
#[inline]
#[must_use]
pub fn select(built: &[Isa]) -> Isa {
    // A comparison for each instruction set, the likely one first: a table of them would be what short kernels wait for.
    let known = BEST.load(Ordering::Relaxed);
    if known >= AVX512 && is_built(built, Isa::Avx512) {
        return Isa::Avx512;
    }
    if known >= AVX2 && is_built(built, Isa::Avx2) {
        return Isa::Avx2;
    }
    match known {
        0 => best_of(built, detect()),
        _ => Isa::Scalar,
    }
}

/// Whether the processor was asked, and [`Isa::best`] is an instruction set or a better one.
///
/// ```
/// use loopwright_runtime::{Isa, isa};
/// let best = Isa::best();
/// assert!(isa::reaches(Isa::Scalar) && isa::reaches(best));
/// assert_eq!(isa::reaches(Isa::Avx512), best == Isa::Avx512);
/// ```
#[inline]
#[must_use]
pub fn reaches(isa: Isa) -> bool {
    BEST.load(Ordering::Relaxed) > isa as u8
}

/// Looks at all of a few constants, which leaves no loop behind.
#[inline]
fn is_built(built: &[Isa], isa: Isa) -> bool {
    built
        .iter()
        .fold(false, |found, other| found | (*other == isa))
}

/// Whether an instruction set is among those that are `built`, and this processor has it.
///
/// ```
/// use loopwright_runtime::{Isa, isa::is_runnable};
/// assert!(is_runnable(Isa::Scalar, &[Isa::Avx2, Isa::Scalar]));
/// assert!(!is_runnable(Isa::Scalar, &[Isa::Avx2]));
/// ```
#[must_use]
pub fn is_runnable(isa: Isa, built: &[Isa]) -> bool {
    // Texts of AVX-512 know by the answer which one is to run.
    let _ = Isa::best();
    built.contains(&isa) && isa.is_available()
}

fn best_of(built: &[Isa], limit: Isa) -> Isa {
    let mut best = Isa::Scalar;
    for &isa in built {
        if isa > best && isa <= limit {
            best = isa;
        }
    }
    best
}

/// Detects and caches. Threads that race here find the same answer, so a relaxed store is enough.
#[cold]
#[inline(never)]
fn detect() -> Isa {
    let mut best = Isa::Scalar;
    for isa in Isa::ALL {
        if isa.is_available() {
            best = isa;
        }
    }
    if let Some(cap) = cap() {
        best = best.min(cap);
    }
    let with_bytes = best == Isa::Avx512 && has_all_of_avx512();
    let known = if with_bytes {
        WITH_BYTES
    } else {
        best as u8 + 1
    };
    BEST.store(known, Ordering::Relaxed);
    best
}

/// Whether the best instruction set is AVX-512, and counts bits and permutes bytes in vectors, as those do that keep
/// their clock in code for 512 bits (since Ice Lake, and Zen 4). Where it does not, a compiler that is told of the
/// processor keeps to 256 bits by itself. The processor is not asked here, but by what says that a kernel may run for an
/// instruction set, [`select`] and [`is_runnable`].
///
/// ```
/// use loopwright_runtime::{Isa, isa};
/// let best = Isa::best();
/// assert!(!isa::has_bytes_of_avx512() || best == Isa::Avx512);
/// ```
#[inline]
#[must_use]
pub fn has_bytes_of_avx512() -> bool {
    BEST.load(Ordering::Relaxed) == WITH_BYTES
}

#[cfg(feature = "std")]
fn cap() -> Option<Isa> {
    Isa::from_name(std::env::var("LOOPWRIGHT_MAX_ISA").ok()?.as_str())
}

#[cfg(not(feature = "std"))]
fn cap() -> Option<Isa> {
    None
}

/// `is_x86_feature_detected!` for all of the features with `std`, `cfg!` without, false elsewhere.
macro_rules! has {
    ($($feature:tt),*) => {{
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        let has = true $(&& std::arch::is_x86_feature_detected!($feature))*;
        #[cfg(all(target_arch = "x86_64", not(feature = "std")))]
        let has = true $(&& cfg!(target_feature = $feature))*;
        #[cfg(not(target_arch = "x86_64"))]
        let has = false;
        has
    }};
}

fn has_avx2() -> bool {
    has!("avx2", "fma", "bmi1", "bmi2", "lzcnt", "popcnt")
}

fn has_avx512() -> bool {
    has_avx2() && has!("avx512f", "avx512vl", "avx512dq", "avx512bw")
}

fn has_all_of_avx512() -> bool {
    has!(
        "avx512bitalg",
        "avx512cd",
        "avx512ifma",
        "avx512vbmi",
        "avx512vbmi2",
        "avx512vnni",
        "avx512vpopcntdq",
        "gfni",
        "movbe"
    )
}

/// The error of a kernel's `with(isa, …)`: it has no variant for the instruction set, or this
/// processor cannot run it.
///
/// ```
/// use loopwright_runtime::{Isa, Unavailable};
/// let error = Unavailable { kernel: "helmholtz", isa: Isa::Avx512 };
/// assert_eq!(
///     error.to_string(),
///     "`helmholtz` has no avx512 variant that this processor can run"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unavailable {
    /// The kernel's name.
    pub kernel: &'static str,
    /// The instruction set that was asked for.
    pub isa: Isa,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unavailable { kernel, isa } = self;
        write!(
            f,
            "`{kernel}` has no {isa} variant that this processor can run"
        )
    }
}

impl core::error::Error for Unavailable {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn availability_is_monotone() {
        assert!(Isa::Scalar.is_available());
        assert!(!Isa::Avx512.is_available() || Isa::Avx2.is_available());
        for isa in Isa::ALL {
            assert!(isa > Isa::best() || isa.is_available());
        }
    }

    #[test]
    fn best_of_takes_the_best_below_the_limit() {
        let all = [Isa::Avx512, Isa::Avx2, Isa::Scalar];
        for limit in Isa::ALL {
            assert_eq!(best_of(&all, limit), limit);
            assert_eq!(best_of(&[], limit), Isa::Scalar);
        }
        assert_eq!(best_of(&[Isa::Scalar, Isa::Avx512], Isa::Avx2), Isa::Scalar);
        assert_eq!(best_of(&[Isa::Scalar, Isa::Avx2], Isa::Avx512), Isa::Avx2);
        assert_eq!(select(&all), Isa::best());
    }

    #[test]
    fn names_round_trip() {
        for isa in Isa::ALL {
            assert_eq!(Isa::from_name(isa.name()), Some(isa));
        }
        assert_eq!(Isa::from_name(" AVX2 "), Some(Isa::Avx2));
        assert_eq!(Isa::from_name("sse2"), None);
    }

    #[test]
    fn a_second_detection_agrees() {
        assert_eq!(detect(), Isa::best());
    }
}
