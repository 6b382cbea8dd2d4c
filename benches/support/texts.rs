//! Kernels of benchmarks, with their texts compiled for each instruction set.

/// A text, compiled for the instruction sets.
macro_rules! texts {
    ($(#[$attribute:meta])* pub fn $name:ident $parameters:tt $body:tt $($helpers:tt)*) => {
        /// For AVX2.
        pub mod text_avx2 {
            #[target_feature(enable = "avx2,fma")]
            pub fn $name $parameters $body
            $($helpers)*
        }

        /// For AVX-512.
        pub mod text_avx512 {
            #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
            pub fn $name $parameters $body
            $($helpers)*
        }
    };
}
/// A kernel in a module of its own, and its text.
macro_rules! with_texts {
    ($module:ident: $($text:tt)*) => {
        pub mod $module {
            pub mod bare {
                loopwright::kernel! { $($text)* }
            }
            texts! { $($text)* }
        }
    };
}

/// A kernel in a module of its own, and the loops that one would write by hand, without subscripts to check.
#[allow(unused_macros, reason = "each benchmark uses a part")]
macro_rules! with_plain {
    ($module:ident: { $($text:tt)* } { $($plain:tt)* }) => {
        pub mod $module {
            pub mod bare {
                loopwright::kernel! { $($text)* }
            }
            texts! { $($plain)* }
        }
    };
}
