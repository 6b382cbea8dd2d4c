use crate::schedule::jamming::tests::scheduled;
use expect_test::expect;

const SWEEP: &str = "program sweep\nindex i: n\nindex j: m\nparam 0 n: usize\nparam 1 m: usize\n\
     param 2 x: f64[len(x), m]\noutput 3 u: f64[len(u), m]\n\
     temp now: f64[n, m]\ntemp above: f64[n + 1, m]\ntemp left: f64[n, m + 1]\n\
     above[0, j] = x[0, j]   for j\n\
     left[i, 0] = x[i, 0]   for i\n\
     now[i, j] = above[i, j] + 2 left[i, j] + x[i, j]   for i, j\n\
     u[i, j] = now[i, j]   for i, j\n\
     above[i + 1, j] = now[i, j]   for i, j\n\
     left[i, j + 1] = now[i, j]   for i, j\n";

#[test]
fn rows_of_a_sweep_run_side_by_side() {
    scheduled(
        SWEEP,
        &expect![[r#"
        schedule width 1
        store above: memory[_, run]
        store left: registers[ring 4, _]
        store now: register
        buffer above

        loop j in 0..m {
          block {
            eq 0   // above[0, j] =
          }
        }
        loop i in 0..n step 4 whole {
          block {
            eq 1         // left[i, 0] =
            eq 1 @ i+1   // left[i + 1, 0] =
            eq 1 @ i+2   // left[i + 2, 0] =
            eq 1 @ i+3   // left[i + 3, 0] =
          }
          loop j in 0..m skewed 1 over i {
            block {
              eq 2   // now[i, j] =
              eq 3   // u[i, j] =
              eq 4   // above[i + 1, j] =
              eq 5   // left[i, j + 1] =
            }
            block {
              eq 2 @ i+1   // now[i + 1, j] =
              eq 3 @ i+1   // u[i + 1, j] =
              eq 4 @ i+1   // above[i + 2, j] =
              eq 5 @ i+1   // left[i + 1, j + 1] =
            }
            block {
              eq 2 @ i+2   // now[i + 2, j] =
              eq 3 @ i+2   // u[i + 2, j] =
              eq 4 @ i+2   // above[i + 3, j] =
              eq 5 @ i+2   // left[i + 2, j + 1] =
            }
            block {
              eq 2 @ i+3   // now[i + 3, j] =
              eq 3 @ i+3   // u[i + 3, j] =
              eq 4 @ i+3   // above[i + 4, j] =
              eq 5 @ i+3   // left[i + 3, j + 1] =
            }
          }
        }
        loop i in 0..n step 4 rest {
          block {
            eq 1   // left[i, 0] =
          }
          loop j in 0..m {
            block {
              eq 2   // now[i, j] =
              eq 3   // u[i, j] =
              eq 4   // above[i + 1, j] =
              eq 5   // left[i, j + 1] =
            }
          }
        }
    "#]],
    );
}
