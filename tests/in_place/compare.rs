//! Results of variants against those of the reference.

/// A number in 1..2 for an index, different for each.
pub fn noise(index: usize) -> f64 {
    let mixed = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    1.0 + (mixed >> 11) as f64 / (1_u64 << 53) as f64
}

pub fn vector(n: usize, from: usize) -> Vec<f64> {
    (0..n).map(|i| noise(i + from)).collect()
}

/// A result as numbers.
pub trait Numbers {
    fn numbers(&self) -> Vec<f64>;
}

impl Numbers for f64 {
    fn numbers(&self) -> Vec<f64> {
        vec![*self]
    }
}

impl Numbers for f32 {
    fn numbers(&self) -> Vec<f64> {
        vec![f64::from(*self)]
    }
}

impl<T: Numbers> Numbers for Vec<T> {
    fn numbers(&self) -> Vec<f64> {
        self.iter().flat_map(Numbers::numbers).collect()
    }
}

impl<T: Numbers, const N: usize> Numbers for [T; N] {
    fn numbers(&self) -> Vec<f64> {
        self.iter().flat_map(Numbers::numbers).collect()
    }
}

#[track_caller]
pub fn assert_near(found: &impl Numbers, expected: &impl Numbers, tolerance: f64, what: &str) {
    let (found, expected) = (found.numbers(), expected.numbers());
    assert_eq!(found.len(), expected.len());
    for (at, (f, e)) in found.iter().zip(&expected).enumerate() {
        let near = f.to_bits() == e.to_bits() || (f - e).abs() <= tolerance * e.abs().max(1.0);
        assert!(near, "{what}, element {at}: {f} for {e}");
    }
}

/// Runs a kernel's variants on copies of its outputs, and compares them with the reference's.
macro_rules! same {
    ($kernel:ident($($input:expr),*; $($output:ident),+), $tolerance:expr) => {{
        $(let before = $output.clone(); let $output = (before.clone(), before);)+
        let run = |isa: Option<loopwright::Isa>| {
            $(let mut $output = $output.0.clone();)+
            match isa {
                Some(isa) => $kernel::with(isa, $($input,)* $(&mut $output),+).unwrap(),
                None => $kernel::reference($($input,)* $(&mut $output),+),
            }
            ($($output,)+)
        };
        let expected = run(None);
        let mut ran = 0;
        for &isa in $kernel::variants() {
            if !isa.is_available() {
                println!("skipped: the processor has no {isa:?}");
                continue;
            }
            let found = run(Some(isa));
            let what = format!("{} {isa:?}", stringify!($kernel));
            let ($($output,)+) = found;
            let found = [$($crate::compare::Numbers::numbers(&$output)),+].concat();
            let ($($output,)+) = expected.clone();
            let expected = [$($crate::compare::Numbers::numbers(&$output)),+].concat();
            $crate::compare::assert_near(&found, &expected, $tolerance, &what);
            ran += 1;
        }
        assert!(ran > 0);
    }};
}

pub(crate) use same;

pub const SIZES: [usize; 11] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 17, 40];
pub const EXACT: f64 = 0.0;
pub const ROUNDED: f64 = 1e-14;
