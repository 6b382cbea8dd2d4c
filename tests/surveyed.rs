//! What runs as written over entries of index maps: a look at their extremes may say that nothing panics, and
//! never does so where the text would.
#![allow(missing_docs, reason = "kernels of tests")]

#[macro_use]
#[path = "support/inspected.rs"]
mod support;

use loopwright::kernel;
use support::{Numbers, is_inspected, panics};

kernel! {
    pub fn row_sums(starts: &[usize], columns: &[usize], a: &[f64], x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            let mut s = 0.0;
            for k in starts[i]..starts[i + 1] {
                s += a[k] * x[columns[k]];
            }
            y[i] = s;
        }
    }

    pub fn parts_of_rows(starts: &[u32], columns: &[usize], x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            let mut sum = 0.0;
            for &j in &columns[starts[i] as usize..starts[i + 1] as usize] {
                sum += x[j];
            }
            y[i] = sum;
        }
    }

    pub fn parts_of_channels(channels: usize, width: usize, x: &[f64], y: &mut [f64]) {
        let mut last = 0.0;
        for c in 0..channels {
            let input = &x[c * (width + 2)..(c + 1) * (width + 2)];
            let output = &mut y[c * width..(c + 1) * width];
            for (i, o) in output.iter_mut().enumerate() {
                last = 0.5 * last + input[i..i + 3].iter().sum::<f64>();
                *o = last;
            }
        }
    }

    pub fn columns(n: usize, start: &[i32], row: &[i32], a: &[f32], x: &[f32], y: &mut [f32]) {
        for j in 0..n {
            for k in start[j]..start[j + 1] {
                y[row[k as usize] as usize] += a[k as usize] * x[j];
            }
        }
    }

    pub fn two_levels(n: usize, start: &[usize], list: &[u16], map: &[u8], x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for k in start[i]..start[i + 1] {
                y[i] += x[2 * map[list[k] as usize] as usize + 1];
            }
        }
    }

    pub fn padded(count: &[u32], columns: &[[u32; 3]], x: &[f64], y: &mut [f64]) {
        for i in 0..count.len() {
            for k in 0..count[i] as usize {
                y[i] += x[columns[i][k] as usize];
            }
        }
    }

    pub fn flat_padded(w: usize, count: &[u8], columns: &[u32], x: &[f64], y: &mut [f64]) {
        for i in 0..count.len() {
            for k in 0..count[i] as usize {
                y[i] += x[columns[i * w + k] as usize];
            }
        }
    }

    pub fn solve(start: &[usize], column: &[usize], a: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            let (first, last) = (start[i], start[i + 1] - 1);
            for k in first..last {
                y[i] -= a[k] * y[column[k]];
            }
            y[i] /= a[last];
        }
    }

    pub fn triangle(n: usize, map: &[u32], x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for j in i + 1..n {
                y[i] += x[map[j - i] as usize] * y[j - i - 1];
            }
        }
    }

    pub fn backwards(n: usize, map: &[u32], x: &[f64], y: &mut [f64]) {
        for i in (0..n).rev() {
            y[map[i] as usize % 7] = y[map[i] as usize / 2 + 1] + x[n - map[i] as usize];
        }
    }

    /// In release builds products wrap around to what may be subscripts again.
    pub fn wide(w: usize, d: i64, start: &[usize], map: &[usize], x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            for k in start[i]..start[i + 1] {
                y[i] += x[map[k] * w] + x[(map[k] as i64 + d) as u8 as usize];
            }
        }
    }

    /// Two choices between the same are two numbers.
    pub fn chosen_apart(n: usize, limit: usize, map: &[u32], x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for k in 0..map[i] as usize {
                let (a, b) = (if i < limit { 1 } else { 2 }, if k < limit { 1 } else { 2 });
                y[i] += x[a - b + map[k] as usize];
            }
        }
    }

    /// How many neighbours there are says whether the cell is looked at.
    pub fn neighbours(n: usize, least: &[u8; 1], old: &[u8], new: &mut [u8]) {
        for i in 0..n {
            for j in 0..n {
                let mut count = 0;
                for di in [n - 1, 0, 1] {
                    for dj in [n - 1, 0, 1] {
                        if di != 0 || dj != 0 {
                            count += old[(i + di) % n * n + (j + dj) % n] - least[0];
                        }
                    }
                }
                new[i * n + j] = u8::from(count == 3 || (count == 2 && old[i * n + j + 1] == 1));
            }
        }
    }

    /// A count begins anew, and holds what it is given.
    pub fn counted(n: usize, map: &[u8], x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            let mut count = 250_u8;
            y[i] = 1.0;
            for k in 0..3 {
                count += map[i + k];
                if count > 252 {
                    count = k as u8;
                }
            }
            if count < 4 {
                y[i] += x[i];
            }
        }
    }

    /// What is subscripted follows from what conditions say.
    pub fn summed_rows(n: usize, w: usize, x: &[u32], y: &mut [f64]) {
        for i in 0..n {
            let mut sum = 0_u32;
            for k in 0..w {
                sum += x[i * w + k];
            }
            if sum > 1 {
                y[i] += 1.0 / f64::from(sum);
            }
        }
    }

    pub fn conditioned(delay: usize, w: usize, map: &[u32], x: &[f64], y: &mut [f64]) {
        for j in 0..w {
            for i in 0..x.len() {
                let echo = if i >= delay { y[i - delay] } else { 0.0 };
                let above = if j > 0 && 0 != i { y[(j - 1) * 2 + i - 1] } else { 1.0 };
                let before = if i == delay || j < 1 { 0.5 } else { x[j - 1] };
                y[map[i] as usize] = echo * above + before;
            }
        }
    }

    /// Rows are as long as their ends are apart, and parts of them as what is left.
    pub fn upper(n: usize, u: &[f64], b: &[f64], x: &mut [f64]) {
        for i in 0..n {
            let row = &u[i * n..(i + 1) * n];
            let known: f64 = row[i + 1..].iter().zip(&x[i + 1..]).map(|(a, x)| a * x).sum();
            x[i] = (b[i] - known) / row[i];
        }
    }

    /// Whole rows below others are no more than all.
    pub fn eliminated(n: usize, a: &mut [f64]) {
        for k in 0..n {
            let (above, below) = a.split_at_mut((k + 1) * n);
            let pivot = &above[k * n..];
            for row in below.chunks_exact_mut(n) {
                row[k] /= pivot[k] + 0.5;
                let factor = row[k];
                for (x, p) in row[k + 1..].iter_mut().zip(&pivot[k + 1..]) {
                    *x -= factor * p;
                }
            }
        }
    }

    /// A condition on what has changed since says nothing.
    pub fn conditioned_before(n: usize, map: &[u32], y: &mut [f64]) {
        for i in 0..n {
            let mut at = i;
            if at > 1 {
                at = map[i] as usize;
                y[at] = 2.0 + y[at - 1];
            }
        }
    }

    /// Columns are between ends of their own.
    pub fn edges(edges: &[[u32; 3]], x: &mut [f64]) {
        for edge in edges {
            let way = x[edge[0] as usize] + f64::from(edge[2]);
            x[edge[1] as usize] = 0.5 * (x[edge[1] as usize] + way);
        }
    }

    pub fn butterflies(stage: usize, x: &mut [f64]) {
        let step = 1 << stage;
        for base in (0..x.len()).step_by(2 * step) {
            for i in base..base + step {
                x[i] += x[i + step];
                x[i + step] -= x[i];
            }
        }
    }

    pub fn levels(least: u32, most: u32, w: usize, x: &[f64], y: &mut [f64]) {
        for level in least..most {
            for i in 0..w << level {
                for k in 0..2_usize.pow(level) {
                    y[(i << 1) + k] += x[i];
                }
            }
        }
    }

    pub fn chosen(n: usize, limit: usize, map: &[u32], x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            let at = if i < limit { map[i] } else { map[0] / 2 };
            for k in 0..(at as usize).min(3).max(1) {
                y[at as usize] += x[at.saturating_sub(2) as usize & 5] * y[k << 1];
            }
        }
    }
}

/// Starts of rows that are about right.
fn starts(r: &mut Numbers, rows: usize, most: usize) -> Vec<usize> {
    let mut at = 0;
    let mut starts: Vec<usize> = (0..=rows)
        .map(|_| {
            at += r.below(3);
            at.min(most)
        })
        .collect();
    if r.below(3) == 0 {
        let at = r.below(starts.len());
        starts[at] = r.below(most + 3);
    }
    starts
}

/// Entries of maps, a few of which may be far off.
fn map<T: TryFrom<usize>>(r: &mut Numbers, entries: usize, below: usize) -> Vec<T> {
    let far = r.below(8);
    let entry = |r: &mut Numbers| match far == 0 && r.below(4) == 0 {
        true => below + r.below(100),
        false => r.below(below),
    };
    let all = (0..entries).map(|_| T::try_from(entry(r)).ok());
    all.collect::<Option<_>>().unwrap()
}

#[test]
fn rows_and_columns_of_matrices() {
    compare!(row_sums, r, vec![1.5; 4 + r.below(2)], |y, run| {
        let (start, column) = (starts(&mut r, 4, 8), map(&mut r, 8, 5));
        run(&start, &column, &[2.5; 8], &[0.5; 5], y)
    });
    compare!(columns, r, vec![1.5; 5], |y, run| {
        let start = starts(&mut r, 4, 8).into_iter();
        let start: Vec<i32> = start.map(|k| if k > 9 { -1 } else { k as i32 }).collect();
        let row: Vec<i32> = map(&mut r, 8, 5);
        run(r.below(5), &start, &row, &[2.5; 8], &[0.5; 4], y)
    });
    compare!(two_levels, r, vec![1.5; 4], |y, run| {
        let (start, list) = (starts(&mut r, 4, 8), map(&mut r, 8, 6));
        run(r.below(5), &start, &list, &map(&mut r, 6, 4), &[0.5; 8], y)
    });
    compare!(solve, r, vec![1.5; 4], |y, run| {
        let (start, column) = (starts(&mut r, 4, 8), map(&mut r, 8, 4));
        run(&start, &column, &[2.5; 8], y)
    });
}

#[test]
fn parts_of_arrays() {
    compare!(parts_of_rows, r, vec![1.5; 4], |y, run| {
        let starts = starts(&mut r, 4, 8);
        let starts: Vec<u32> = starts.into_iter().map(|s| s.min(9) as u32).collect();
        run(&starts, &map(&mut r, 8, 5), &[0.5; 5], y)
    });
    compare!(parts_of_channels, r, vec![1.5; 10], |y, run| {
        let (channels, width) = (r.below(4), r.below(5));
        run(channels, width, &[0.25; 14], y)
    });
}

#[test]
fn rows_of_one_length() {
    compare!(padded, r, vec![1.5; 4], |y, run| {
        let mut count: Vec<u32> = (0..r.below(6)).map(|_| r.below(4) as u32).collect();
        if r.below(4) == 0 {
            count.extend([4]);
        }
        let columns: Vec<u32> = map(&mut r, 15, 5);
        run(&count, columns.as_chunks().0, &[0.5; 5], y)
    });
    compare!(flat_padded, r, vec![1.5; 4], |y, run| {
        let count: Vec<u8> = (0..r.below(6)).map(|_| r.below(4) as u8).collect();
        run(r.below(4), &count, &map(&mut r, 14, 5), &[0.5; 5], y)
    });
}

#[test]
fn computed_subscripts_of_maps_and_by_them() {
    compare!(triangle, r, vec![1.5; 5], |y, run| {
        run(r.below(8), &map(&mut r, 6, 5), &[0.5; 5], y)
    });
    compare!(backwards, r, vec![1.5; 5 + r.below(4)], |y, run| {
        run(r.below(8), &map(&mut r, 6, 7), &[0.5; 9], y)
    });
    compare!(wide, r, vec![1.5; 4], |y, run| {
        let w = [1, 2, 0, 1 << 63, 1 << 62, usize::MAX][r.below(6)];
        let d = [0, 1, -1, 256, i64::MAX, i64::MIN][r.below(6)];
        let (start, map) = (starts(&mut r, 4, 8), map(&mut r, 8, 5));
        run(w, d, &start, &map, &[0.5; 9], y)
    });
    compare!(chosen, r, vec![1.5; 6], |y, run| {
        run(r.below(9), r.below(9), &map(&mut r, 7, 7), &[0.5; 5], y)
    });
}

#[test]
fn subscripts_that_conditions_compare() {
    compare!(conditioned, r, vec![1.5; 9], |y, run| {
        let map = map(&mut r, 7, 9);
        run(r.below(5), r.below(4), &map, &[0.5; 7][..r.below(8)], y)
    });
    compare!(conditioned_before, r, vec![1.5; 7], |y, run| {
        run(r.below(8), &map(&mut r, 7, 7), y)
    });
}

#[test]
fn rows_and_what_is_left_of_them() {
    compare!(upper, r, vec![1.5; 3 + r.below(2)], |x, run| {
        let n = r.below(5);
        run(n, &[2.5; 16][..r.below(17)], &[0.5; 4][..r.below(5)], x)
    });
    compare!(eliminated, r, vec![1.5; r.below(18)], |a, run| {
        run(r.below(5), a)
    });
}

#[test]
fn powers_of_two() {
    compare!(butterflies, r, vec![1.5; r.below(18)], |x, run| {
        run([0, 1, 2, 3, 60, 63, 64, 65][r.below(8)], x)
    });
    compare!(levels, r, vec![1.5; 5 + r.below(9)], |y, run| {
        let (most, w) = ([0, 1, 2, 3, 70][r.below(5)], [0, 1, 2, 1 << 61][r.below(4)]);
        run(r.below(3) as u32, most, w, &[0.5; 9], y)
    });
}

#[test]
fn columns_of_rows() {
    compare!(edges, r, vec![1.5; 7], |x, run| {
        let ends: Vec<u32> = map(&mut r, 60, 7);
        let edges = ends.as_chunks().0.iter().map(|[a, b]| [*a, *b, 1000]);
        let edges: Vec<[u32; 3]> = edges.take(r.below(31)).collect();
        run(&edges, x)
    });
}

#[test]
fn counts_that_conditions_compare() {
    compare!(chosen_apart, r, vec![1.5; 6], |y, run| {
        run(r.below(7), r.below(9), &map(&mut r, 6, 5), &[0.5; 6], y)
    });
    compare!(neighbours, r, vec![1_u8; 16], |y, run| {
        let n = r.below(5);
        let extra = r.below(3);
        let far = [2, 2, 60][r.below(3)];
        let old: Vec<u8> = (0..n * n + extra).map(|_| r.below(far) as u8).collect();
        run(n, &[0], &old, y)
    });
    compare!(counted, r, vec![1.5; 5 + r.below(2)], |y, run| {
        let most = 1 + r.below(3);
        run(r.below(7), &map(&mut r, 7, most), &[0.5; 5], y)
    });
}

#[test]
fn sums_of_rows_that_conditions_compare() {
    compare!(summed_rows, r, vec![1.5; 3 + r.below(3)], |y, run| {
        let (n, w) = (r.below(5), r.below(5));
        let most = [5, 5, 1 << 31][r.below(3)];
        let entries = (n * w + 2).saturating_sub(r.below(4));
        let x: Vec<u32> = map(&mut r, entries, most);
        run(n, w, &x, y)
    });
}

#[test]
fn entries_that_no_loop_reaches_may_be_anything() {
    // Before the first row, and behind the last one.
    let starts = [2, 3, 3, 4];
    let (values, x) = ([1.0, 2.0, 4.0, 8.0, 16.0], [3.0, 5.0]);
    let columns = [usize::MAX, 7, 1, 0, usize::MAX];
    let mut y = [0.0; 3];
    row_sums(&starts, &columns, &values, &x, &mut y);
    assert_eq!(y, [20.0, 0.0, 24.0]);
    // What fills rows.
    let mut y = [0.0; 2];
    padded(&[1, 1], &[[0, 9, 9], [1, 9, 9]], &x, &mut y);
    assert_eq!(y, [3.0, 5.0]);
    // The second row ends before it begins.
    let mut y = [0.0; 4];
    let columns = [0, 9, 9, 9, 9];
    row_sums(&[0, 1, 0, 1, 1], &columns, &values, &x, &mut y);
    assert_eq!(y, [3.0, 0.0, 3.0, 0.0]);
    // Nothing runs, and nothing is there.
    row_sums(&[], &[], &[], &[], &mut []);
    solve(&[], &[], &[], &mut []);
    let starts = [0, 1, 4, 5, 5];
    assert!(panics(|| row_sums(
        &starts,
        &[0; 5],
        &values[..4],
        &x,
        &mut y
    )));
    assert_eq!(y, [3.0, 0.0, 3.0, 0.0]);
}
