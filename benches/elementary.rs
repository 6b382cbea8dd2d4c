//! Elementary functions of whole arrays, all lanes of a register at once, in every instruction set, against
//! the standard library's, one number after another.
//!
//! ```text
//! cargo bench --bench elementary
//! cargo bench --bench elementary -- sin exp    # functions with one of these in their name
//! ```
//!
//! 1024 numbers, in the first-level cache. All run in one process, in turns; medians, in nanoseconds a number.

#![allow(dead_code, reason = "kernels are called through their modules")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table};
use loopwright::Isa;

#[allow(dead_code, reason = "cells are for others")]
#[path = "support/mesh.rs"]
mod mesh;
#[allow(dead_code, reason = "batches are for others")]
#[path = "support/turns.rs"]
mod turns;

const COUNT: usize = 1024;

/// Kernels of a type.
macro_rules! kernels {
    ($number:ident $x:ident $y:ident: $($name:ident($($other:ident)?) $low:literal..$high:literal;)*) => {
        mod $number {
            loopwright::kernel! {
                $(
                    pub fn $name($x: &[$number], $y: &[$number], z: &mut [$number]) {
                        for i in 0..$x.len() {
                            z[i] = $x[i].$name($($other[i])?);
                        }
                    }
                )*
            }

            /// Names, ranges of arguments, what runs a kernel, and the standard library.
            #[allow(clippy::type_complexity, reason = "a table")]
            pub const ALL: &[(
                &str,
                (f64, f64),
                fn(loopwright::Isa, &[$number], &[$number], &mut [$number]) -> bool,
                fn(&[$number], &[$number], &mut [$number]),
            )] = &[$((
                stringify!($name),
                ($low, $high),
                |isa, x, y, z| $name::with(isa, x, y, z).is_ok(),
                |x, y, z| {
                    let numbers = x.iter().zip(y).zip(z);
                    numbers.for_each(|(($x, $y), z)| {
                        // One of two operands may be left over.
                        let _ = $y;
                        *z = $number::$name(*$x $(, *$other)?);
                    });
                },
            )),*];
        }
    };
}

macro_rules! both {
    ($x:ident $y:ident: $($all:tt)*) => {
        kernels! { f64 $x $y: $($all)* }
        kernels! { f32 $x $y: $($all)* }
    };
}

both! {
    x y:
    exp() -10.0..10.0;
    exp2() -10.0..10.0;
    exp_m1() -2.0..2.0;
    ln() 0.1..10.0;
    ln_1p() -0.5..2.0;
    log2() 0.1..10.0;
    log10() 0.1..10.0;
    sin() -10.0..10.0;
    cos() -10.0..10.0;
    tan() -10.0..10.0;
    asin() -1.0..1.0;
    acos() -1.0..1.0;
    atan() -3.0..3.0;
    atan2(y) -3.0..3.0;
    sinh() -3.0..3.0;
    cosh() -3.0..3.0;
    tanh() -3.0..3.0;
    cbrt() -10.0..10.0;
    hypot(y) -10.0..10.0;
    powf(y) 0.1..10.0;
}

/// Rows of a type.
macro_rules! measure {
    ($number:ident, $table:ident, $filters:ident, $rounds:ident) => {
        for (name, (low, high), run, standard) in $number::ALL {
            let title = format!("{name} {}", stringify!($number));
            if !turns::is_wanted(&$filters, &title) {
                continue;
            }
            let numbers = |factor: usize| -> Vec<$number> {
                let part = |at: usize| (at * factor % 997) as f64 / 997.0;
                let all = (0..COUNT).map(|at| (low + (high - low) * part(at)) as $number);
                all.collect()
            };
            let (x, y, mut z) = (numbers(37), numbers(61), vec![0.0; COUNT]);
            let medians = turns::in_turns(4, $rounds, Duration::from_millis(300), |competitor| {
                let start = Instant::now();
                for _ in 0..10 {
                    let (x, y) = (black_box(&x[..]), black_box(&y[..]));
                    match competitor {
                        0 => standard(x, y, &mut z),
                        n => {
                            let isa = Isa::ALL[n - 1];
                            if !run(isa, x, y, &mut z) {
                                return f64::NAN;
                            }
                        }
                    }
                    black_box(&mut z);
                }
                start.elapsed().as_secs_f64() * 1e9 / (10 * COUNT) as f64
            });
            let mut row = vec![title];
            row.extend(medians.iter().map(|time| format!("{time:.2}")));
            let fastest = medians[2..].iter().copied().fold(medians[1], f64::min);
            row.push(format!("{:.1}", medians[0] / fastest));
            $table.add_row(row);
        }
    };
}

fn main() {
    let (flags, filters): (Vec<_>, Vec<_>) = std::env::args()
        .skip(1)
        .partition(|argument| argument.starts_with("--"));
    let rounds = match flags.iter().any(|flag| flag == "--bench") {
        true => (11, 301),
        // `cargo test --benches`: only see that it runs.
        false => (1, 1),
    };
    let mut table = Table::new();
    table.set_header(["function", "std", "scalar", "avx2", "avx512", "std / best"]);
    measure!(f64, table, filters, rounds);
    measure!(f32, table, filters, rounds);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
}
