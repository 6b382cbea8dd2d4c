//! All functions of all registers, on slices.

use loopwright_runtime::{Isa, lanes};

/// A function of points, of `f64`.
pub type Double = fn(&[[f64; 2]]) -> Vec<f64>;
/// A function of points, of `f32`.
pub type Single = fn(&[[f32; 2]]) -> Vec<f32>;

/// The largest error of `f32`.
pub const SINGLE: f64 = 0.6;

/// A function in all registers.
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// Operands: one or two.
    pub operands: usize,
    /// The largest error of `f64` that is documented.
    pub ulps: f64,
    /// The same of the standard library.
    pub standard: fn([f64; 2]) -> f64,
    /// The same of the standard library for `f32`.
    pub standard_single: fn([f32; 2]) -> f32,
    doubles: [(&'static str, Isa, Double); 2],
    singles: [(&'static str, Isa, Single); 3],
}

impl Function {
    /// What this processor can run.
    pub fn doubles(&self) -> Vec<(&'static str, Double)> {
        let all = self.doubles.iter();
        let all = all.filter(|(_, isa, _)| *isa <= Isa::best());
        all.map(|(name, _, run)| (*name, *run)).collect()
    }

    /// What this processor can run.
    pub fn singles(&self) -> Vec<(&'static str, Single)> {
        let all = self.singles.iter();
        let all = all.filter(|(_, isa, _)| *isa <= Isa::best());
        all.map(|(name, _, run)| (*name, *run)).collect()
    }
}

macro_rules! on_slices {
    ($features:literal $register:ident $ty:ident $width:literal $load:ident $store:ident
     $function:ident($($at:literal)*)) => {{
        #[target_feature(enable = $features)]
        fn run(points: &[[$ty; 2]]) -> Vec<$ty> {
            use core::arch::x86_64::*;
            let mut results = Vec::new();
            for chunk in points.chunks($width) {
                // What is missing is far out, where another branch is taken.
                let mut operands = [[$ty::MAX; $width]; 2];
                for (lane, point) in chunk.iter().enumerate() {
                    operands[0][lane] = point[0];
                    operands[1][lane] = point[1];
                }
                let mut result = [0.0; $width];
                // SAFETY: the arrays are as long as the register.
                unsafe {
                    let value = lanes::$register::$function($($load(operands[$at].as_ptr())),*);
                    $store(result.as_mut_ptr(), value);
                }
                results.extend_from_slice(&result[..chunk.len()]);
            }
            results
        }
        // SAFETY: called on processors with the instruction set alone.
        |points| unsafe { run(points) }
    }};
}

macro_rules! functions {
    ($($name:ident($($at:literal)*) $ulps:literal;)*) => {
        /// All of them.
        pub const FUNCTIONS: &[Function] = &[$(Function {
            name: stringify!($name),
            operands: [$($at),*].len(),
            ulps: $ulps,
            standard: |x| f64::$name($(x[$at]),*),
            standard_single: |x| f32::$name($(x[$at]),*),
            doubles: [
                ("f64x4", Isa::Avx2, on_slices!("avx2,fma" f64x4 f64 4 _mm256_loadu_pd _mm256_storeu_pd $name($($at)*))),
                ("f64x8", Isa::Avx512, on_slices!("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma"
                    f64x8 f64 8 _mm512_loadu_pd _mm512_storeu_pd $name($($at)*))),
            ],
            singles: [
                ("f32x4", Isa::Avx2, on_slices!("avx2,fma" f32x4 f32 4 _mm_loadu_ps _mm_storeu_ps $name($($at)*))),
                ("f32x8", Isa::Avx2, on_slices!("avx2,fma" f32x8 f32 8 _mm256_loadu_ps _mm256_storeu_ps $name($($at)*))),
                ("f32x16", Isa::Avx512, on_slices!("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma"
                    f32x16 f32 16 _mm512_loadu_ps _mm512_storeu_ps $name($($at)*))),
            ],
        }),*];
    };
}

functions! {
    exp(0) 1.0;
    exp2(0) 1.0;
    exp_m1(0) 2.5;
    sinh(0) 2.5;
    cosh(0) 2.5;
    tanh(0) 2.5;
    ln(0) 1.0;
    ln_1p(0) 1.0;
    log2(0) 1.0;
    log10(0) 1.0;
    sin(0) 1.0;
    cos(0) 1.0;
    tan(0) 2.5;
    atan(0) 2.5;
    atan2(0 1) 2.5;
    asin(0) 2.5;
    acos(0) 2.5;
    powf(0 1) 1.0;
    cbrt(0) 1.0;
    hypot(0 1) 1.0;
}
