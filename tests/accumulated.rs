//! What is accumulated by multiplication, or as the smallest or the largest value, beside sums: passes for sums leave
//! it alone.
#![allow(missing_docs, reason = "kernels of tests")]
#![allow(dead_code, reason = "only the variants of kernels are run")]
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

use loopwright::kernel;

#[macro_use]
mod support;
use support::numbers;

/// Kernels that accumulate a value over points by each operator, and a test of all of them. The value has names of
/// the parameters, of two tables and of the loops.
macro_rules! accumulated {
    ($module:ident: |$x:ident, $w:ident, $z:ident, $t:ident, $s:ident; $e:ident, $i:ident, $j:ident, $q:ident| $($value:tt)*) => {
        mod $module {
            use super::*;

            accumulated!(@kernel sum ($x $w $z $t $s v $e $i $j $q): v[$e][$i][$j] += $($value)*);
            accumulated!(@kernel product ($x $w $z $t $s v $e $i $j $q): v[$e][$i][$j] *= $($value)*);
            accumulated!(@kernel largest ($x $w $z $t $s v $e $i $j $q): v[$e][$i][$j] = v[$e][$i][$j].max($($value)*));
            accumulated!(@kernel smallest ($x $w $z $t $s v $e $i $j $q): v[$e][$i][$j] = v[$e][$i][$j].min($($value)*));

            #[test]
            fn every_variant_computes_the_reference() {
                let (x, w, z) = (numbers(1, 19 * 5), numbers(2, 5), numbers(3, 19));
                let (x, w) = (x.as_chunks().0, w.first_chunk().unwrap());
                agrees!(sum(x, w, &z), [[0.5; 4]; 4]);
                agrees!(product(x, w, &z), [[0.5; 4]; 4]);
                agrees!(largest(x, w, &z), [[0.5; 4]; 4]);
                agrees!(smallest(x, w, &z), [[0.5; 4]; 4]);
            }
        }
    };
    (@kernel $name:ident ($x:ident $w:ident $z:ident $t:ident $s:ident $v:ident $e:ident $i:ident $j:ident $q:ident):
     $($statement:tt)*) => {
        kernel! {
            pub fn $name($x: &[[f64; 5]], $w: &[f64; 5], $z: &[f64], $v: &mut [[[f64; 4]; 4]]) {
                // Symmetric under reversal in part, with zeros, a zero row and a zero column.
                static $t: [[f64; 4]; 5] = [
                    [1.0, 0.0, 0.0, 1.0],
                    [1.0, 0.0, 0.0, -1.0],
                    [1.0, 0.0, 0.0, 1.0],
                    [0.0, 0.0, 0.0, 0.0],
                    [1.0, 2.0, 0.0, 1.0],
                ];
                static $s: [f64; 5] = [1.0, -2.0, 0.0, -2.0, 1.0];
                assert!($x.len() == $z.len());
                for $e in 0..$x.len() {
                    for $i in 0..4 {
                        for $j in 0..4 {
                            for $q in 0..5 {
                                $($statement)*;
                            }
                        }
                    }
                }
            }
        }
    };
}

accumulated!(quadrature: |x, w, z, T, S; e, i, j, q| x[e][q] * T[q][i] * T[q][j]);
accumulated!(factors_inside: |x, w, z, T, S; e, i, j, q| w[q] * T[q][i] * (z[e] + T[q][j]));
accumulated!(tables_and_a_coefficient: |x, w, z, T, S; e, i, j, q| T[q][i] * T[q][j] * z[e]);
accumulated!(no_table: |x, w, z, T, S; e, i, j, q| z[e] * x[e][q]);
accumulated!(a_table_in_a_sum: |x, w, z, T, S; e, i, j, q| z[e] + T[q][i]);
accumulated!(nothing_of_the_points: |x, w, z, T, S; e, i, j, q| z[e]);
accumulated!(a_table_alone: |x, w, z, T, S; e, i, j, q| T[q][j] * 2.0);
accumulated!(symmetric_weights: |x, w, z, T, S; e, i, j, q| w[q] * S[q] * z[e]);
accumulated!(symmetric_entries: |x, w, z, T, S; e, i, j, q| w[q] * S[i] * S[j]);
accumulated!(symmetric_sums: |x, w, z, T, S; e, i, j, q| (T[q][i] + z[e]) * (T[q][j] + z[e]));
