//! What the tests of whole kernels share: input values, variants, comparison to rounding.

#![allow(dead_code, reason = "each test uses a part")]

use loopwright::{Counted, Isa, Report};

pub mod special;

/// Values in [-1, 1) without a pattern, the same for the same index.
pub fn noise(index: usize) -> f64 {
    let mixed = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((mixed >> 11) as f64) / (1_u64 << 52) as f64 - 1.0
}

/// Numbers of 64 bits without a pattern, others for each start, which is not zero.
pub fn random(count: usize, start: u64) -> Vec<u64> {
    let mut state = start;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..count).map(next).collect()
}

/// Numbers of 24 bits without a pattern, others for each seed, which is not zero.
pub fn naturals(count: usize, seed: u64) -> Vec<u64> {
    let start = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    random(count, start).into_iter().map(|v| v >> 40).collect()
}

/// Numbers in [-2048, 2048) without a pattern, others for each seed, which is not zero.
pub fn reals(count: usize, seed: u64) -> Vec<f64> {
    let all = naturals(count, seed).into_iter();
    all.map(|v| v as f64 / 4096.0 - 2048.0).collect()
}

/// Runs `run` for each variant that the processor has; says which it lacks.
pub fn each_variant(variants: &[Isa], mut run: impl FnMut(Isa)) {
    assert!(variants.contains(&Isa::Scalar));
    for &isa in variants {
        if isa.is_available() {
            run(isa);
        } else {
            println!("skipped: the processor has no {isa:?}");
        }
    }
}

/// A kernel's variants against its text, over grids of each size, element by element.
#[allow(unused_macros, reason = "each test uses a part")]
macro_rules! same_grids {
    ($sizes:expr, $kernel:ident, |$w:ident, $h:ident| ($($argument:expr),*), $out:expr, $near:expr) => {
        for ($w, $h) in $sizes {
            let mut expected = $out;
            $kernel::reference($($argument,)* &mut expected);
            each_variant($kernel::variants(), |isa| {
                let mut found = $out;
                $kernel::with(isa, $($argument,)* &mut found).unwrap();
                for (at, (e, f)) in expected.iter().zip(&found).enumerate() {
                    assert!($near(*e, *f), "{isa}, {} by {}, {at}: {e:?}, {f:?}", $w, $h);
                }
            });
        }
    };
}
#[allow(unused_imports, reason = "each test uses a part")]
pub(crate) use same_grids;

/// Whether a note says for which inputs the text runs, which is no reason against lanes for the others.
pub fn is_about_inputs(note: &str) -> bool {
    note.starts_with("where ") && note.ends_with("the text runs as written")
}

/// How many decisions of a report have these words.
pub fn decided(report: &Report, words: &str) -> usize {
    let decisions = report.passes.iter().flat_map(|pass| pass.decisions);
    decisions.filter(|said| said.contains(words)).count()
}

/// The operations that a report says are executed, level by level, where lengths have these values.
pub fn executed(report: &Report, lengths: &[(&str, usize)]) -> u64 {
    let value = |name: &str| {
        let known = lengths.iter().find(|(other, _)| *other == name);
        known.map_or_else(|| panic!("{name}"), |(_, value)| *value as u64)
    };
    let levels = report.levels.iter().map(|level| {
        let times: u64 = match level.times {
            "1" => 1,
            times => times.split(" * ").map(value).product(),
        };
        times * level.cost.operations()
    });
    levels.sum()
}

/// Whether two arrays agree to a few roundings of sums.
pub fn near(found: &[f64], expected: &[f64]) -> bool {
    near_to(found, expected, 1e-13)
}

/// Whether two arrays agree to `tolerance`, relative to elements above 1 and absolute below.
pub fn near_to(found: &[f64], expected: &[f64], tolerance: f64) -> bool {
    let close = |(a, b): (&f64, &f64)| (a - b).abs() <= tolerance * (1.0 + b.abs());
    found.len() == expected.len() && found.iter().zip(expected).all(close)
}

/// Some values, others for each seed.
pub fn numbers(seed: usize, count: usize) -> Vec<f64> {
    (0..count).map(|at| noise(1000 * seed + at)).collect()
}

/// The same as numbers that count.
pub fn counting(numbers: &[f64]) -> Vec<Counted<f64>> {
    numbers.iter().copied().map(Counted::new).collect()
}

/// What one more cell than `cells` takes, counted; the report states the same.
pub fn counted(report: &Report, cells: usize, run: impl Fn(usize)) -> u64 {
    let total = |cells| Counted::<f64>::count(|| run(cells)).1.operations();
    let one = total(cells + 1) - total(cells);
    assert_eq!(one, report.expansion.operations(), "{report}");
    one
}

/// Whether all variants of a kernel leave in its last argument, 19 element matrices or vectors that
/// hold `$start`, what the reference does, to rounding.
#[allow(unused_macros, reason = "each test uses a part")]
macro_rules! agrees {
    ($kernel:ident($($input:expr),*), $start:expr) => {{
        let mut expected = vec![$start; 19];
        $kernel::reference($($input,)* &mut expected);
        support::each_variant($kernel::variants(), |isa| {
            let mut found = vec![$start; 19];
            $kernel::with(isa, $($input,)* &mut found).unwrap();
            let [found, expected] = [&found, &expected].map(|a| a.as_flattened().as_flattened());
            assert!(support::near(found, expected), "{isa:?}: {found:?}, {expected:?}");
            assert!(found.iter().all(|f| f.is_finite()), "{isa:?}");
        });
    }};
}

/// The same operations in the text and as expanded, and lanes over a loop if the other has such.
pub fn same(items: &Report, loops: &Report) {
    let name = items.kernel;
    assert_eq!(items.source, loops.source, "{name}");
    assert_eq!(items.expansion, loops.expansion, "{name}");
    let lanes = |report| decided(report, "lanes over `");
    assert_eq!(lanes(items), lanes(loops), "{name}");
    let notes = items.notes.iter();
    let other = notes.filter(|note| !is_about_inputs(note));
    let others: Vec<_> = other.collect();
    assert_eq!(others, loops.notes.iter().collect::<Vec<_>>(), "{name}");
}
