//! Which products are packed, and how.

use crate::ir::text::parse;
use crate::schedule::{Target, Wishes, schedule, text};
use expect_test::{Expect, expect};

const ARRAYS: &str = "program product\nindex i: n\nindex j: m\nindex k: l\n\
    param 0 a: f64[len(a), l]\nparam 1 b: f64[len(b), m]\nparam 2 d: f64[len(d)]\n\
    output 3 y: f64[len(y), m]\nparam 4 n: usize\nparam 5 m: usize\nparam 6 l: usize\n";

/// The loop tree for long extents, for AVX2.
fn large(equation: &str) -> Option<String> {
    let program = parse(&format!("{ARRAYS}{equation}")).unwrap();
    let target = Target {
        width: 4,
        registers: 16,
    };
    let scheduled = schedule(&program, target, &Wishes::default()).unwrap();
    let large = scheduled.large?;
    Some(text::print(&large.program, &large.schedule))
}

fn check(equation: &str, expected: &Expect) {
    expected.assert_eq(&large(equation).unwrap());
}

#[test]
fn products_are_packed_in_strips() {
    check(
        "y[i, j] += a[i, k]*b[k, j]   for i, j, k\n",
        &expect![[r#"
            schedule width 4 lanes j
            store b_panel: memory[ring 256, ring 12]
            buffer b_panel

            loop k in 0..l step 256 strips {
              loop i in 0..n step 128 strips {
                loop j in 0..m step 12 {
                  loop k in 0..l {
                    block {
                      eq 1         // b_panel[k, j] =
                      eq 1 @ j+4   // b_panel[k, j + 4] =
                      eq 1 @ j+8   // b_panel[k, j + 8] =
                    }
                  }
                  loop i in 0..n step 4 whole {
                    reduce k {
                      eq 0              // y[i, j] +=
                      eq 0 @ i+1        // y[i + 1, j] +=
                      eq 0 @ i+2        // y[i + 2, j] +=
                      eq 0 @ i+3        // y[i + 3, j] +=
                      eq 0 @ j+4        // y[i, j + 4] +=
                      eq 0 @ i+1, j+4   // y[i + 1, j + 4] +=
                      eq 0 @ i+2, j+4   // y[i + 2, j + 4] +=
                      eq 0 @ i+3, j+4   // y[i + 3, j + 4] +=
                      eq 0 @ j+8        // y[i, j + 8] +=
                      eq 0 @ i+1, j+8   // y[i + 1, j + 8] +=
                      eq 0 @ i+2, j+8   // y[i + 2, j + 8] +=
                      eq 0 @ i+3, j+8   // y[i + 3, j + 8] +=
                    }
                  }
                  loop i in 0..n step 4 rest {
                    reduce k {
                      eq 0         // y[i, j] +=
                      eq 0 @ j+4   // y[i, j + 4] +=
                      eq 0 @ j+8   // y[i, j + 8] +=
                    }
                  }
                }
              }
            }
        "#]],
    );
}

#[test]
fn sums_that_are_assigned_begin_with_zeros_and_weights_are_packed() {
    check(
        "y[i, j] = sum(k) a[k, i]*d[k]*b[k, j]   for i, j\n",
        &expect![[r#"
            schedule width 4 lanes j
            store a_panel: memory[ring 128, ring 256]
            store b_panel: memory[ring 256, ring 12]
            buffer a_panel
            buffer b_panel

            loop i in 0..n {
              loop j in 0..m step 16 {
                block {
                  eq 1   // y[i, j] =
                }
                block {
                  eq 1 @ j+4   // y[i, j + 4] =
                }
                block {
                  eq 1 @ j+8   // y[i, j + 8] =
                }
                block {
                  eq 1 @ j+12   // y[i, j + 12] =
                }
              }
            }
            loop k in 0..l step 256 strips {
              loop i in 0..n step 128 strips {
                loop i in 0..n {
                  loop k in 0..l {
                    block {
                      eq 2   // a_panel[i, k] =
                    }
                  }
                }
                loop j in 0..m step 12 {
                  loop k in 0..l {
                    block {
                      eq 3         // b_panel[k, j] =
                      eq 3 @ j+4   // b_panel[k, j + 4] =
                      eq 3 @ j+8   // b_panel[k, j + 8] =
                    }
                  }
                  loop i in 0..n step 4 whole {
                    reduce k {
                      eq 0              // y[i, j] +=
                      eq 0 @ i+1        // y[i + 1, j] +=
                      eq 0 @ i+2        // y[i + 2, j] +=
                      eq 0 @ i+3        // y[i + 3, j] +=
                      eq 0 @ j+4        // y[i, j + 4] +=
                      eq 0 @ i+1, j+4   // y[i + 1, j + 4] +=
                      eq 0 @ i+2, j+4   // y[i + 2, j + 4] +=
                      eq 0 @ i+3, j+4   // y[i + 3, j + 4] +=
                      eq 0 @ j+8        // y[i, j + 8] +=
                      eq 0 @ i+1, j+8   // y[i + 1, j + 8] +=
                      eq 0 @ i+2, j+8   // y[i + 2, j + 8] +=
                      eq 0 @ i+3, j+8   // y[i + 3, j + 8] +=
                    }
                  }
                  loop i in 0..n step 4 rest {
                    reduce k {
                      eq 0         // y[i, j] +=
                      eq 0 @ j+4   // y[i, j + 4] +=
                      eq 0 @ j+8   // y[i, j + 8] +=
                    }
                  }
                }
              }
            }
        "#]],
    );
}

#[test]
fn what_is_used_once_is_not_packed() {
    assert_eq!(large("y[i, j] += a[i, k]*b[i, j]   for i, j, k\n"), None);
    assert_eq!(large("y[i, j] += a[i, j]*d[j]   for i, j\n"), None);
}

#[test]
fn what_stands_around_sums_is_computed_before_and_after_all_of_them() {
    check(
        "y[i, j] = d[j]   for i, j\ny[i, j] += sum(k) a[i, k]*b[k, j]   for i, j\n",
        &expect![[r#"
            schedule width 4 lanes j
            store b_panel: memory[ring 256, ring 12]
            buffer b_panel

            loop i in 0..n {
              loop j in 0..m step 16 {
                block {
                  eq 0   // y[i, j] =
                }
                block {
                  eq 0 @ j+4   // y[i, j + 4] =
                }
                block {
                  eq 0 @ j+8   // y[i, j + 8] =
                }
                block {
                  eq 0 @ j+12   // y[i, j + 12] =
                }
              }
            }
            loop k in 0..l step 256 strips {
              loop i in 0..n step 128 strips {
                loop j in 0..m step 12 {
                  loop k in 0..l {
                    block {
                      eq 2         // b_panel[k, j] =
                      eq 2 @ j+4   // b_panel[k, j + 4] =
                      eq 2 @ j+8   // b_panel[k, j + 8] =
                    }
                  }
                  loop i in 0..n step 4 whole {
                    reduce k {
                      eq 1              // y[i, j] +=
                      eq 1 @ i+1        // y[i + 1, j] +=
                      eq 1 @ i+2        // y[i + 2, j] +=
                      eq 1 @ i+3        // y[i + 3, j] +=
                      eq 1 @ j+4        // y[i, j + 4] +=
                      eq 1 @ i+1, j+4   // y[i + 1, j + 4] +=
                      eq 1 @ i+2, j+4   // y[i + 2, j + 4] +=
                      eq 1 @ i+3, j+4   // y[i + 3, j + 4] +=
                      eq 1 @ j+8        // y[i, j + 8] +=
                      eq 1 @ i+1, j+8   // y[i + 1, j + 8] +=
                      eq 1 @ i+2, j+8   // y[i + 2, j + 8] +=
                      eq 1 @ i+3, j+8   // y[i + 3, j + 8] +=
                    }
                  }
                  loop i in 0..n step 4 rest {
                    reduce k {
                      eq 1         // y[i, j] +=
                      eq 1 @ j+4   // y[i, j + 4] +=
                      eq 1 @ j+8   // y[i, j + 8] +=
                    }
                  }
                }
              }
            }
        "#]],
    );
}

/// The parts that are packed, and what is summed up of them.
fn packed(equation: &str) -> Option<Vec<String>> {
    let tree = large(equation)?;
    let stores = tree.lines().filter(|line| line.starts_with("store"));
    Some(stores.map(str::to_owned).collect())
}

#[test]
fn parts_of_what_is_no_product_are_packed_too() {
    let differences = packed("y[i, j] += (a[i, k] - b[k, j])^2*d[k]   for i, j, k\n").unwrap();
    assert_eq!(differences, ["store b_panel: memory[ring 256, ring 12]"]);
    let two = packed("y[i, j] += a[k, i]*b[k, j] + abs(a[i, k] - b[j, k])   for i, j, k\n");
    let two = two.unwrap();
    assert_eq!(two.len(), 3, "{two:?}");
    let chosen = "y[i, j] += if a[i, k] < b[k, j] { a[i, k] } else { 0 }   for i, j, k\n";
    assert_eq!(large(chosen), None);
}

#[test]
fn what_is_written_again_after_sums_is_computed_after_all_of_them() {
    let equations = "y[i, j] = d[j]   for i, j\ny[i, j] += a[i, k]*b[k, j]   for i, j, k\n\
        y[i, j] = max(0, y_held[i, j])   for i, j\n";
    let program = format!("state 3 y_held: f64[len(y), m]\n{equations}");
    let tree = large(&program).unwrap();
    let strips = tree.find("strips").unwrap();
    let (before, after) = (tree.find("eq 0 ").unwrap(), tree.rfind("eq 2 ").unwrap());
    assert!(before < strips && strips < after, "{tree}");
}

/// The temporaries of a program with two sums for each row, and how many sums there are for long extents.
fn sums(equations: &str) -> Option<(Vec<String>, usize)> {
    let temporaries = "temp s: f64[n, m]\ntemp t: f64[n, m]\noutput 7 z: f64[len(z), m]\n";
    let program = parse(&format!("{ARRAYS}{temporaries}{equations}")).unwrap();
    let target = Target {
        width: 4,
        registers: 16,
    };
    let large = schedule(&program, target, &Wishes::default())
        .unwrap()
        .large?;
    let tree = text::print(&large.program, &large.schedule);
    let stores = tree.lines().filter(|line| line.starts_with("store"));
    Some((stores.map(str::to_owned).collect(), large.products.len()))
}

#[test]
fn each_sum_of_an_element_is_a_product() {
    let (stores, count) = sums(
        "s[i, j] = sum(k) a[i, k]*b[k, j]   for i, j\nt[i, j] = sum(k) a[i, k]*b[k + 1, j]   for i, j\n\
         y[i, j] = s[i, j]*t[i, j]   for i, j\nz[i, j] = s[i, j] + d[j]   for i, j\n",
    )
    .unwrap();
    assert_eq!(count, 2);
    let kept = |name| format!("store {name}: memory[run, run]");
    assert_eq!(stores[..2], [kept("s"), kept("t")]);
    let in_memory =
        "y[i, j] += a[i, k]*b[k, j]   for i, j, k\nz[i, j] += a[i, k]*b[k, j]*d[k]   for i, j, k\n";
    assert_eq!(sums(in_memory).unwrap().1, 2);
}

#[test]
fn sums_of_what_has_rows_and_columns_are_no_products() {
    let same = "s[i, j] = sum(k) a[i, k]*b[k, j]   for i, j\nz[i, j] = sum(k) a[i, k]*b[k, j]*s[i, j]   for i, j\n";
    // The first one alone is a product.
    assert_eq!(sums(same).unwrap().1, 1);
}

#[test]
fn columns_of_rows_that_are_far_apart_reach_far() {
    let program = "program modes\nindex r: p\nindex j: m\nindex k: l\nindex i: n\n\
        param 0 x: f64[len(x), m, l] flat\nparam 1 u: f64[len(u), n] flat\noutput 2 y: f64[len(y), m, l] flat\n\
        param 3 n: usize\nparam 4 m: usize\nparam 5 l: usize\nparam 6 p: usize\n\
        y[r, j, k] = sum(i) x[i, j, k]*u[r, i]   for r, j, k\n";
    let target = Target {
        width: 4,
        registers: 16,
    };
    let scheduled = schedule(&parse(program).unwrap(), target, &Wishes::default()).unwrap();
    let products = scheduled.large.unwrap().products;
    let between: Vec<usize> = products.iter().map(|own| own.between.len()).collect();
    assert_eq!(between, [2]);
}
