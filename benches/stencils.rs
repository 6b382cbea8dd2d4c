//! Stencils in one, two and three dimensions, against the plain loops, in caches and out of them.
//!
//! ```text
//! cargo bench --bench stencils
//! cargo bench --bench stencils -- box gauss    # stencils with one of these in their name
//! ```
//!
//! The loops are those that the kernels are made of, compiled for the processor's vectors too. Both run in one
//! process, in turns; medians, in nanoseconds a point, and how many times as fast the kernels are. Sizes: 2048
//! points, 65536, and 8 to 16 million.

#![allow(
    missing_docs,
    clippy::missing_safety_doc,
    reason = "kernels of a benchmark and their texts"
)]
#![allow(dead_code, reason = "kernels are called through their modules")]
#![allow(
    clippy::too_many_arguments,
    clippy::needless_range_loop,
    reason = "texts of kernels"
)]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a few numbers"
)]

use std::time::Instant;

use comfy_table::{CellAlignment, Table};

/// The stencils, as kernels and as functions, for a type of numbers.
macro_rules! stencils {
    ($number:ident: $($dimensions:literal $name:ident($x:ident, $y:ident, $n:ident, $m:ident) $body:block)*) => {
        pub mod $number {
            pub mod kernels {
                loopwright::kernel! {
                    $(
                        pub fn $name($x: &[$number], $y: &mut [$number], $n: usize, $m: usize) $body
                    )*
                }
            }

            pub mod texts {
                $(
                    #[cfg_attr(
                        target_arch = "x86_64",
                        target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")
                    )]
                    #[inline(never)]
                    #[allow(unused_variables, reason = "lines have no rows")]
                    pub unsafe fn $name($x: &[$number], $y: &mut [$number], $n: usize, $m: usize) $body
                )*
            }

            pub type Run = fn(&[$number], &mut [$number], usize, usize);

            /// Dimensions, names, kernels and texts.
            pub const ALL: &[(usize, &str, Run, Run)] = &[$((
                $dimensions,
                stringify!($name),
                kernels::$name,
                // SAFETY: texts run only where the processor has AVX-512.
                |x, y, n, m| unsafe { texts::$name(x, y, n, m) },
            )),*];

            pub fn values(count: usize) -> Vec<$number> {
                (0..count).map(|k| ((k * 7919) % 1013) as $number / 1013.0 - 0.3).collect()
            }
        }
    };
}

macro_rules! both {
    ($($all:tt)*) => {
        stencils! { f64: $($all)* }
        stencils! { f32: $($all)* }
    };
}

both! {
    1 box5(x, y, n, m) {
        for i in 2..y.len() - 2 {
            y[i] = (x[i - 2] + x[i - 1] + x[i] + x[i + 1] + x[i + 2]) / 5.0;
        }
    }
    1 box17(x, y, n, m) {
        for i in 0..y.len() {
            let mut s = 0.0;
            for k in 0..17 {
                s += x[i + k];
            }
            y[i] = s;
        }
    }
    1 weighted5(x, y, n, m) {
        for i in 2..y.len() - 2 {
            y[i] = x[i - 2] + 2.0 * x[i - 1] + 3.0 * x[i] + 2.0 * x[i + 1] + x[i + 2];
        }
    }
    1 second_order(x, y, n, m) {
        for i in 1..y.len() - 1 {
            y[i] = x[i - 1] - 2.0 * x[i] + x[i + 1];
        }
    }
    1 differences(x, y, n, m) {
        for i in 2..y.len() - 2 {
            y[i] = (x[i - 2] - 8.0 * x[i - 1] + 8.0 * x[i + 1] - x[i + 2]) / 12.0;
        }
    }
    2 gauss3(x, y, n, m) {
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                y[j * m + i] = (x[(j - 1) * m + i - 1] + 2.0 * x[(j - 1) * m + i] + x[(j - 1) * m + i + 1]
                    + 2.0 * x[j * m + i - 1] + 4.0 * x[j * m + i] + 2.0 * x[j * m + i + 1]
                    + x[(j + 1) * m + i - 1] + 2.0 * x[(j + 1) * m + i] + x[(j + 1) * m + i + 1]) / 16.0;
            }
        }
    }
    2 gauss5(x, y, n, m) {
        for j in 2..n - 2 {
            for i in 2..m - 2 {
                let mut s = 0.0;
                for k in 0..5 {
                    let row = (j + k - 2) * m + i;
                    let w = [1.0, 4.0, 6.0, 4.0, 1.0];
                    s += w[k] * (x[row - 2] + 4.0 * x[row - 1] + 6.0 * x[row] + 4.0 * x[row + 1] + x[row + 2]);
                }
                y[j * m + i] = s / 256.0;
            }
        }
    }
    2 laplace5(x, y, n, m) {
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                y[j * m + i] = x[(j - 1) * m + i] + x[(j + 1) * m + i] + x[j * m + i - 1] + x[j * m + i + 1]
                    - 4.0 * x[j * m + i];
            }
        }
    }
    2 laplace9(x, y, n, m) {
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                y[j * m + i] = (x[(j - 1) * m + i - 1] + x[(j - 1) * m + i + 1] + x[(j + 1) * m + i - 1]
                    + x[(j + 1) * m + i + 1]
                    + 4.0 * (x[(j - 1) * m + i] + x[(j + 1) * m + i] + x[j * m + i - 1] + x[j * m + i + 1])
                    - 20.0 * x[j * m + i]) / 6.0;
            }
        }
    }
    2 biharmonic(x, y, n, m) {
        for j in 2..n - 2 {
            for i in 2..m - 2 {
                y[j * m + i] = 20.0 * x[j * m + i]
                    - 8.0 * (x[(j - 1) * m + i] + x[(j + 1) * m + i] + x[j * m + i - 1] + x[j * m + i + 1])
                    + 2.0 * (x[(j - 1) * m + i - 1] + x[(j - 1) * m + i + 1] + x[(j + 1) * m + i - 1]
                        + x[(j + 1) * m + i + 1])
                    + x[(j - 2) * m + i] + x[(j + 2) * m + i] + x[j * m + i - 2] + x[j * m + i + 2];
            }
        }
    }
    2 sobel(x, y, n, m) {
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                let gx = x[(j - 1) * m + i + 1] + 2.0 * x[j * m + i + 1] + x[(j + 1) * m + i + 1]
                    - x[(j - 1) * m + i - 1] - 2.0 * x[j * m + i - 1] - x[(j + 1) * m + i - 1];
                let gy = x[(j + 1) * m + i - 1] + 2.0 * x[(j + 1) * m + i] + x[(j + 1) * m + i + 1]
                    - x[(j - 1) * m + i - 1] - 2.0 * x[(j - 1) * m + i] - x[(j - 1) * m + i + 1];
                y[j * m + i] = (gx * gx + gy * gy).sqrt();
            }
        }
    }
    2 maximum3(x, y, n, m) {
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                y[j * m + i] = x[(j - 1) * m + i - 1].max(x[(j - 1) * m + i]).max(x[(j - 1) * m + i + 1])
                    .max(x[j * m + i - 1]).max(x[j * m + i]).max(x[j * m + i + 1])
                    .max(x[(j + 1) * m + i - 1]).max(x[(j + 1) * m + i]).max(x[(j + 1) * m + i + 1]);
            }
        }
    }
    3 laplace7(x, y, n, m) {
        for k in 1..m - 1 {
            for j in 1..n - 1 {
                for i in 1..m - 1 {
                    y[(k * n + j) * m + i] = x[(k * n + j) * m + i - 1] + x[(k * n + j) * m + i + 1]
                        + x[(k * n + j - 1) * m + i] + x[(k * n + j + 1) * m + i]
                        + x[((k - 1) * n + j) * m + i] + x[((k + 1) * n + j) * m + i]
                        - 6.0 * x[(k * n + j) * m + i];
                }
            }
        }
    }
}

/// Points, rows and columns.
fn sizes(dimensions: usize) -> [(usize, usize, usize); 3] {
    match dimensions {
        1 => [(2048, 0, 0), (65536, 0, 0), (1 << 24, 0, 0)],
        2 => [(2048, 32, 64), (65536, 256, 256), (1 << 24, 4096, 4096)],
        _ => [(8192, 8, 32), (55296, 24, 48), (1 << 23, 128, 256)],
    }
}

/// Medians of some runs in turns, in seconds.
fn timed(runs: [&mut dyn FnMut(); 2]) -> [f64; 2] {
    let mut times = [const { Vec::new() }; 2];
    let [first, second] = runs;
    for _ in 0..9 {
        for (run, times) in [&mut *first, &mut *second].into_iter().zip(&mut times) {
            let start = Instant::now();
            run();
            times.push(start.elapsed().as_secs_f64());
        }
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

macro_rules! rows {
    ($number:ident, $wanted:expr, $table:expr) => {
        for (dimensions, name, kernel, text) in $number::ALL.iter().copied() {
            if !$wanted(name) {
                continue;
            }
            let mut cells = vec![format!("{name} {}", stringify!($number))];
            for (points, n, m) in sizes(dimensions) {
                let x = $number::values(points + 64);
                let (mut y, mut z) = ($number::values(points), $number::values(points));
                let times = ((1 << 20) / points).max(1);
                let [own, plain] = timed([
                    &mut || (0..times).for_each(|_| kernel(&x, &mut y, n, m)),
                    &mut || (0..times).for_each(|_| text(&x, &mut z, n, m)),
                ]);
                for (own, plain) in y.iter().zip(&z) {
                    let bound = 1e-4 * (1.0 + plain.abs());
                    assert!((own - plain).abs() <= bound, "{name}: {own} {plain}");
                }
                let each = |time: f64| time * 1e9 / (times * points) as f64;
                cells.push(format!("{:.3} {:.3}", each(own), each(plain)));
                cells.push(format!("{:.2}", plain / own));
            }
            $table.add_row(cells);
        }
    };
}

fn main() {
    if loopwright::Isa::best() != loopwright::Isa::Avx512 {
        println!("the texts are compiled for AVX-512, which this processor lacks");
        return;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&String> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    let wanted = |name: &str| names.is_empty() || names.iter().any(|part| name.contains(*part));
    let mut table = Table::new();
    table.set_header([
        "stencil",
        "first level",
        "times",
        "second level",
        "times",
        "memory",
        "times",
    ]);
    rows!(f64, wanted, table);
    rows!(f32, wanted, table);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
}
