//! The form that kernels of tests stand in: a text, inputs of a size `n`, its arguments and what it writes.

/// For each text a module `plain` of its functions, a module `kernels` of the same as kernels, and a test that
/// compares them.
macro_rules! everyday {
    ($n:ident $($name:ident { $($text:tt)* } with { $($lets:tt)* } $arguments:tt => ($($output:ident),*))*) => {
        $(pub mod $name {
            pub mod plain {
                $($text)*
            }

            pub mod kernels {
                loopwright::kernel! { $($text)* }
            }

            #[test]
            fn agrees() {
                use crate::outcome::same;

                let about = concat!(module_path!(), "::", stringify!($name));
                for $n in crate::SIZES {
                    let expected = run!(plain { $($lets)* } (kernel) $arguments; $($output)*);
                    let found = run!(kernels { $($lets)* } (kernel) $arguments; $($output)*);
                    same(about, $n, "called", &expected, &found);
                    let found = run!(kernels { $($lets)* } (kernel::reference) $arguments; $($output)*);
                    same(about, $n, "reference", &expected, &found);
                    for isa in kernels::kernel::variants() {
                        if isa.is_available() {
                            let found = run!(kernels { $($lets)* } (isa *isa) $arguments; $($output)*);
                            same(about, $n, &format!("{isa:?}"), &expected, &found);
                        }
                    }
                }
            }
        })*
    };
}

/// Runs a function on inputs of its own: what it returns, and what its outputs are then.
macro_rules! run {
    ($module:ident { $($lets:tt)* } (isa $isa:expr) ($($argument:expr),*); $($output:ident)*) => {
        run!(@ $module { $($lets)* } kernel::with($isa, $($argument),*).unwrap(); $($output)*)
    };
    ($module:ident { $($lets:tt)* } ($function:path) ($($argument:expr),*); $($output:ident)*) => {
        run!(@ $module { $($lets)* } $function($($argument),*); $($output)*)
    };
    (@ $module:ident { $($lets:tt)* } $call:expr; $($output:ident)*) => {
        std::panic::catch_unwind(|| {
            use crate::outcome::Outcome;
            use crate::inputs::*;
            use $module::*;
            $($lets)*
            let result = $call;
            let mut all = Vec::new();
            result.flatten(&mut all);
            $($output.flatten(&mut all);)*
            all
        })
    };
}
