//! What takes a step together, and stays in registers.

use crate::ir::text::parse;
use crate::schedule::{Target, Wishes, schedule, text};
use expect_test::expect;

#[test]
fn windows_of_windows_stay_in_registers() {
    let program = "program windows\nindex k: len(y) + 6\nindex l: len(y) + 4\nindex i: len(y)\n\
         param 0 x: f64[len(x)]\noutput 1 y: f64[len(y)]\n\
         temp t: f64[len(y) + 6]\ntemp u: f64[len(y) + 4]\n\
         t[k] = x[k] + x[k + 1]   for k\n\
         u[l] = t[l] + t[l + 2]   for l\n\
         y[i] = u[i] + u[i + 4]   for i\n";
    let target = Target {
        width: 4,
        registers: 16,
    };
    let scheduled = schedule(&parse(program).unwrap(), target, &Wishes::default()).unwrap();
    let expected = expect![[r#"
        schedule width 4 lanes k, l, i
        store t: register lanes
        store u: register lanes

        loop i in 0..len(y) step 32 with k+0, l+0 {
          block {
            eq 0          // t[k] =
            eq 0 @ k+4    // t[k + 4] =
            eq 0 @ k+8    // t[k + 8] =
            eq 1          // u[l] =
            eq 1 @ l+4    // u[l + 4] =
            eq 2          // y[i] =
            eq 0 @ k+12   // t[k + 12] =
            eq 1 @ l+8    // u[l + 8] =
            eq 2 @ i+4    // y[i + 4] =
            eq 0 @ k+16   // t[k + 16] =
            eq 1 @ l+12   // u[l + 12] =
            eq 2 @ i+8    // y[i + 8] =
            eq 0 @ k+20   // t[k + 20] =
            eq 1 @ l+16   // u[l + 16] =
            eq 2 @ i+12   // y[i + 12] =
            eq 0 @ k+24   // t[k + 24] =
            eq 1 @ l+20   // u[l + 20] =
            eq 2 @ i+16   // y[i + 16] =
            eq 0 @ k+28   // t[k + 28] =
            eq 1 @ l+24   // u[l + 24] =
            eq 2 @ i+20   // y[i + 20] =
            eq 0 @ k+32   // t[k + 32] =
            eq 1 @ l+28   // u[l + 28] =
            eq 2 @ i+24   // y[i + 24] =
            eq 0 @ k+36   // t[k + 36] =
            eq 1 @ l+32   // u[l + 32] =
            eq 2 @ i+28   // y[i + 28] =
          }
        }
    "#]];
    expected.assert_eq(&text::print(&scheduled.program, &scheduled.schedule));
}

/// What flows over the sides of cells waits in a ring from row to row, and takes the steps of what reads it.
#[test]
fn rings_are_filled_beside_what_reads_them() {
    let program = "program flows\nindex k: n + 1\nindex l: n + 1\nindex j: n\nindex i: m\n\
         param 0 x: f64[n + 2, m]\noutput 1 y: f64[n, m]\nparam 2 n: usize\nparam 3 m: usize\n\
         temp d: f64[n + 1, m]\ntemp f: f64[n + 1, m]\n\
         d[k, i] = x[k + 1, i] - x[k, i]   for k, i\n\
         f[k, i] = d[k, i] / (1 + d[k, i] * d[k, i])   for k, i\n\
         y[j, i] = x[j + 1, i] + f[j + 1, i] - f[j, i]   for j, i\n";
    let target = Target {
        width: 4,
        registers: 16,
    };
    let scheduled = schedule(&parse(program).unwrap(), target, &Wishes::default()).unwrap();
    let expected = expect![[r#"
        schedule width 4 lanes i
        store d: register lanes
        store f: memory[ring 2, run]
        buffer f

        loop j in 0..n once {
          loop k in 0..1 {
            loop i in 0..m step 4 {
              block {
                eq 0   // d[k, i] =
                eq 1   // f[k, i] =
              }
            }
          }
        }
        loop j in 0..n with k+1 {
          loop i in 0..m step 32 {
            block {
              eq 0          // d[k, i] =
              eq 1          // f[k, i] =
              eq 2          // y[j, i] =
              eq 0 @ i+4    // d[k, i + 4] =
              eq 1 @ i+4    // f[k, i + 4] =
              eq 2 @ i+4    // y[j, i + 4] =
              eq 0 @ i+8    // d[k, i + 8] =
              eq 1 @ i+8    // f[k, i + 8] =
              eq 2 @ i+8    // y[j, i + 8] =
              eq 0 @ i+12   // d[k, i + 12] =
              eq 1 @ i+12   // f[k, i + 12] =
              eq 2 @ i+12   // y[j, i + 12] =
              eq 0 @ i+16   // d[k, i + 16] =
              eq 1 @ i+16   // f[k, i + 16] =
              eq 2 @ i+16   // y[j, i + 16] =
              eq 0 @ i+20   // d[k, i + 20] =
              eq 1 @ i+20   // f[k, i + 20] =
              eq 2 @ i+20   // y[j, i + 20] =
              eq 0 @ i+24   // d[k, i + 24] =
              eq 1 @ i+24   // f[k, i + 24] =
              eq 2 @ i+24   // y[j, i + 24] =
              eq 0 @ i+28   // d[k, i + 28] =
              eq 1 @ i+28   // f[k, i + 28] =
              eq 2 @ i+28   // y[j, i + 28] =
            }
          }
        }
    "#]];
    expected.assert_eq(&text::print(&scheduled.program, &scheduled.schedule));
}
