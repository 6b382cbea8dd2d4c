//! Accesses outside of an argument: one panic that names everything, before anything is written.

#![allow(missing_docs, reason = "kernels of tests")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use loopwright::kernel;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, s};

kernel! {
    pub fn scale(cells: &[[f64; 2]], y: &mut [f64]) {
        for e in 0..cells.len() {
            y[e] = cells[e][0] * cells[e][1];
        }
    }

    pub fn gather(map: &[[i32; 2]], u: &[f64], y: &mut [f64]) {
        for e in 0..map.len() {
            y[e] = u[map[e][0] as usize] - u[map[e][1] as usize];
        }
    }

    pub fn scatter(map: &[usize], u: &[f64], y: &mut [f64]) {
        for e in 0..map.len() {
            y[map[e]] += u[e];
        }
    }

    /// Entries of a map for several arrays, and some of these for another one.
    pub fn several(map: &[[i32; 2]], u: &[f64], v: &[f64], w: &[f64], y: &mut [f64]) {
        for e in 0..map.len() {
            for k in 0..2 {
                y[e] += u[map[e][k] as usize] * v[map[e][k] as usize + k];
            }
            y[e] += w[map[e][0] as usize];
        }
    }

    pub fn shifted(n: usize, x: &[f64], y: &mut [f64]) {
        for i in 2..n - 2 {
            y[i] = x[i - 2] + x[i + 2];
        }
    }

    /// No length of `x` is long enough.
    pub fn never_in_bounds(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() + 1 {
            y[i] = x[x.len() - 1 - i];
        }
    }

    pub fn twice_as_far(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() + 1 {
            y[i] = x[2 * i + 3];
        }
    }

    /// `n` is at most 3.
    pub fn limited(n: usize, x: &[f64; 8], y: &mut [f64]) {
        for i in 0..n {
            y[i] = x[i + 3] * x[i + 5];
        }
    }
}

kernel! {
    /// A small difference of integers as large as there are.
    pub fn far(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = x[n - m + i];
        }
    }

    pub fn between(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for i in n..m {
            y[i - n] = x[i];
        }
    }

    pub fn differences(m: &[u64], l: &[u64], y: &mut [f64]) {
        for i in 0..m.len() {
            y[(m[i] - l[i]) as usize] += 1.0;
        }
    }

    pub fn rows(n: usize, map: &[usize], x: &[f64], y: &mut [f64]) {
        for e in 0..map.len() {
            for k in 0..n {
                y[e] += x[map[e] * n + k];
            }
        }
    }

    pub fn offset(map: &[i64], n: i64, x: &[f64], y: &mut [f64]) {
        for i in 0..map.len() {
            y[i] = x[(map[i] + n) as usize];
        }
    }

    pub fn window(n: i32, x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = x[(i as i64 + n as i64 + 5) as usize];
        }
    }

    /// Three entries a row, which the text counts.
    pub fn threes(map: &[u32], x: &[f64], y: &mut [f64]) {
        for e in 0..y.len() {
            y[e] += x[map[3 * e] as usize] * x[map[3 * e + 2] as usize];
        }
    }

    /// An entry of a map for the place in another one.
    pub fn twice(map: &[[u16; 2]], order: &[i32], x: &[f64], y: &mut [f64]) {
        for e in 0..map.len() {
            for i in 0..2 {
                y[e] += x[order[map[e][i] as usize] as usize];
            }
        }
    }

    /// Two entries of each row are not used, and may be anything.
    pub fn padded(map: &[[usize; 4]], x: &[f64], y: &mut [f64]) {
        for e in 0..map.len() {
            for i in 0..2 {
                y[e] += x[map[e][i]];
            }
        }
    }
}

/// The message of a panic.
fn message(call: impl FnOnce()) -> String {
    let error = catch_unwind(AssertUnwindSafe(call)).expect_err("a panic");
    match error.downcast::<String>() {
        Ok(text) => *text,
        Err(error) => error
            .downcast_ref::<&str>()
            .copied()
            .unwrap_or_default()
            .to_owned(),
    }
}

/// Panics unless `message` has every part.
fn assert_parts(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in `{message}`");
    }
}

#[test]
fn outputs_shorter_than_inputs() {
    let mut y = [9.0; 4];
    let text = message(|| scale(&[[1.0, 2.0]; 6], &mut y));
    assert_parts(
        &text,
        &[
            "`scale`",
            "`y`",
            "extent 4",
            "axis 0",
            "5",
            "`cells.len()`",
            "6",
        ],
    );
    assert_eq!(y, [9.0; 4]);
    let mut y = [9.0; 6];
    scale(&[[1.0, 2.0]; 6], &mut y);
    assert_eq!(y, [2.0; 6]);
}

#[test]
fn entries_of_maps() {
    let u = [1.0, 2.0, 3.0];
    for (bad, index) in [([0, 3], "3"), ([-1, 0], "-1")] {
        let mut map = [[0, 1]; 9];
        map[8] = bad;
        let mut y = [9.0; 9];
        let text = message(|| gather(&map, &u, &mut y));
        assert_parts(&text, &["`gather`", "`u`", "extent 3", "axis 0", index]);
        assert_eq!(y, [9.0; 9]);
    }
    let mut y = [1.0; 2];
    let text = message(|| scatter(&[0, 1, 2], &u, &mut y));
    assert_parts(&text, &["`scatter`", "`y`", "index 2", "extent 2"]);
    assert_eq!(y, [1.0; 2]);
}

#[test]
fn arrays_with_the_same_entries() {
    let map = [[0, 3], [1, 2]];
    let numbers = [1.0, 2.0, 3.0, 4.0, 5.0];
    let mut y = [0.0; 2];
    // `w` has what the first entries need.
    several(&map, &numbers[..4], &numbers, &numbers[..2], &mut y);
    assert_eq!(y, [1.0 + 20.0 + 1.0, 4.0 + 12.0 + 2.0]);
    let text = message(|| several(&map, &numbers[..3], &numbers, &numbers, &mut [0.0; 2]));
    assert_parts(&text, &["`several`", "`u`", "index 3", "3"]);
    let text = message(|| several(&map, &numbers[..4], &numbers[..4], &numbers, &mut [0.0; 2]));
    assert_parts(&text, &["`several`", "`v`", "index 4", "4"]);
    let text = message(|| several(&map, &numbers, &numbers, &numbers[..1], &mut [0.0; 2]));
    assert_parts(&text, &["`several`", "`w`", "index 1", "1"]);
    let text = message(|| several(&[[0, -1]], &numbers, &numbers, &numbers, &mut [0.0; 2]));
    assert_parts(&text, &["`several`", "`u`", "index -1"]);
}

#[test]
fn bounds_below_zero() {
    let mut y = [9.0; 8];
    let text = message(|| shifted(1, &[1.0; 8], &mut y));
    assert_parts(&text, &["`shifted`", "`n - 2`", "underflow"]);
    let text = message(|| shifted(9, &[1.0; 8], &mut y));
    assert_parts(&text, &["`shifted`", "`x`", "index 8", "extent 8"]);
    assert_eq!(y, [9.0; 8]);
    shifted(8, &[1.0; 8], &mut y);
    assert_eq!(y, [9.0, 9.0, 2.0, 2.0, 2.0, 2.0, 9.0, 9.0]);
}

#[test]
fn kernels_that_are_never_in_bounds_panic() {
    for report in [never_in_bounds::REPORT, twice_as_far::REPORT] {
        let noted = |n: &&str| n.contains("runs as written") && n.contains("cannot be validated");
        assert!(report.notes.iter().any(noted), "{report}");
    }
    let mut y = [9.0; 8];
    for n in 0..3 {
        let x = vec![1.0; n];
        message(|| never_in_bounds(&x, &mut y));
        message(|| twice_as_far(&x, &mut y));
    }
}

#[test]
fn fixed_extents_limit_integers() {
    assert!(limited::REPORT.notes.is_empty(), "{}", limited::REPORT);
    let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    for &isa in limited::variants() {
        if isa.is_available() {
            let mut y = [9.0; 4];
            limited::with(isa, 3, &x, &mut y).unwrap();
            assert_eq!(y, [24.0, 35.0, 48.0, 9.0]);
        }
    }
    let mut y = [9.0; 8];
    let text = message(|| limited(4, &x, &mut y));
    assert_parts(&text, &["`limited`", "`x`", "index 8", "extent 8"]);
    assert_eq!(y, [9.0; 8]);
}

#[test]
fn empty_ranges_reach_nothing() {
    scale(&[], &mut []);
    gather(&[], &[], &mut []);
    scatter(&[], &[], &mut []);
    shifted(2, &[], &mut []);
    shifted(4, &[], &mut []);
}

#[test]
fn every_variant_checks() {
    for &isa in scale::variants() {
        if !isa.is_available() {
            println!("skipped: the processor has no {isa:?}");
            continue;
        }
        let mut y = [9.0; 4];
        let text = message(|| scale::with(isa, &[[1.0, 2.0]; 6], &mut y).unwrap());
        assert_parts(&text, &["`scale`", "`y`"]);
        assert_eq!(y, [9.0; 4]);
    }
}

#[test]
fn integers_of_any_size_are_what_they_are() {
    let x: Vec<f64> = (0..8).map(f64::from).collect();
    let mut y = [9.0; 4];
    let most = usize::MAX;
    let text = message(|| far(most, most - 1_000_000_000, &x, &mut y));
    assert_parts(&text, &["`far`", "`x`", "index 1000000003", "extent 8"]);
    assert_eq!(y, [9.0; 4]);
    far(most, most - 4, &x, &mut y);
    assert_eq!(y, [4.0, 5.0, 6.0, 7.0]);
    let text = message(|| between(most - 2, most, &x, &mut y));
    assert_parts(
        &text,
        &["`between`", "`x`", "18446744073709551614", "extent 8"],
    );
    let mut y = [0.0; 4];
    let text = message(|| differences(&[u64::MAX; 4], &[u64::MAX - 40; 4], &mut y));
    assert_parts(&text, &["`differences`", "index 40", "`y`", "extent 4"]);
    assert_eq!(y, [0.0; 4]);
    differences(&[u64::MAX; 4], &[u64::MAX - 3; 4], &mut y);
    assert_eq!(y, [0.0, 0.0, 0.0, 4.0]);
}

#[test]
fn entries_of_maps_for_rows_of_flat_arrays() {
    let x: Vec<f64> = (0..12).map(f64::from).collect();
    let mut y = [0.0; 2];
    for (bad, index) in [(4, "12"), (1 << 40, "3298534883328"), (usize::MAX, "5534")] {
        let text = message(|| rows(3, &[0, bad], &x, &mut y));
        assert_parts(&text, &["`rows`", "`x`", "extent 12", index]);
    }
    assert_eq!(y, [0.0; 2]);
    rows(3, &[0, 3], &x, &mut y);
    assert_eq!(y, [3.0, 30.0]);
}

#[test]
fn subscripts_of_which_a_part_is_negative() {
    let x: Vec<f64> = (0..20).map(f64::from).collect();
    let map = [3, 2, 1, 0, 1, 2, 3, 4, -1, -2];
    let mut expected = [0.0; 10];
    offset::reference(&map, 5, &x, &mut expected);
    for isa in offset::variants() {
        let mut y = [0.0; 10];
        if offset::with(*isa, &map, 5, &x, &mut y).is_ok() {
            assert_eq!(y, expected);
        }
    }
    let mut y = [9.0; 10];
    let text = message(|| offset(&map, 1, &x, &mut y));
    assert_parts(&text, &["`offset`", "`x`", "index -1"]);
    let text = message(|| offset(&[0, i64::MAX], i64::MAX, &x, &mut y));
    assert_parts(&text, &["`offset`", "`x`", "index 9223372036854775807"]);
    assert_eq!(y, [9.0; 10]);
    window::reference(-3, &x, &mut expected);
    for isa in window::variants() {
        let mut y = [0.0; 10];
        if window::with(*isa, -3, &x, &mut y).is_ok() {
            assert_eq!(y, expected);
        }
    }
    let text = message(|| window(-6, &x, &mut y));
    assert_parts(&text, &["`window`", "`x`", "index -1"]);
}

#[test]
fn entries_are_read_inside_of_their_maps() {
    let x: Vec<f64> = (0..8).map(f64::from).collect();
    let mut y = [0.0; 2];
    // No whole row at the end.
    threes(&[1, 99, 2, 3, 99], &x, &mut y[..1]);
    assert_eq!(y, [2.0, 0.0]);
    let text = message(|| threes(&[1, 99, 2, 3, 99], &x, &mut y));
    assert_parts(&text, &["`threes`", "`map`", "index 5", "extent 5"]);
    let text = message(|| threes(&[1, 0, 2, 3, 0, 8], &x, &mut y));
    assert_parts(&text, &["`threes`", "`x`", "index 8", "extent 8"]);
    assert_eq!(y, [2.0, 0.0]);
    let mut y = [0.0; 2];
    twice(&[[0, 1], [2, 0]], &[7, 0, 2, -1], &x, &mut y);
    assert_eq!(y, [7.0, 9.0]);
    let text = message(|| twice(&[[0, 1], [2, 3]], &[7, 0, 2, -1], &x, &mut y));
    assert_parts(&text, &["`twice`", "`x`", "index -1"]);
    let text = message(|| twice(&[[0, 1], [2, 4]], &[7, 0, 2, -1], &x, &mut y));
    assert_parts(&text, &["`twice`", "`order`", "index 4", "extent 4"]);
    let mut y = [0.0; 2];
    let unused = usize::MAX;
    padded(&[[0, 1, unused, 9], [2, 7, 8, unused]], &x, &mut y);
    assert_eq!(y, [1.0, 9.0]);
    let text = message(|| padded(&[[0, 1, 0, 0], [2, 8, 0, 0]], &x, &mut y));
    assert_parts(&text, &["`padded`", "`x`", "index 8"]);
}

kernel! {
    /// Rows of one length of a sparse matrix, in views.
    pub fn rows_of_a_matrix(columns: ArrayView2<u32>, values: ArrayView2<f64>, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        for i in 0..values.nrows() {
            let mut sum = 0.0;
            for k in 0..values.ncols() {
                sum += values[[i, k]] * x[columns[[i, k]] as usize];
            }
            y[i] = sum;
        }
    }
}

/// Entries of views are read in one go where these are dense, and nothing else is.
#[test]
fn views_of_entries_have_any_strides() {
    let (rows, width) = (7, 5);
    let columns = Array2::from_shape_fn((2 * rows, 2 * width), |(i, k)| match (i % 2, k % 2) {
        (0, 0) => ((3 * i + k) % 11) as u32,
        // What no view has is out of bounds.
        _ => 99,
    });
    let sparse = columns.slice(s![..;2, ..;2]);
    let dense = sparse.to_owned();
    let columnwise = dense.t().to_owned();
    let values = Array2::from_shape_fn((rows, width), |(i, k)| (i + 2 * k) as f64);
    let x: Array1<f64> = (0..11).map(f64::from).collect();
    let mut expected = Array1::zeros(rows);
    rows_of_a_matrix::reference(dense.view(), values.view(), x.view(), expected.view_mut());
    for columns in [dense.view(), sparse, columnwise.t()] {
        let mut y = Array1::zeros(rows);
        rows_of_a_matrix(columns, values.view(), x.view(), y.view_mut());
        assert_eq!(y, expected);
        // One entry that is out of bounds is found, wherever it stands.
        for at in [(0, 0), (3, 4), (6, 4)] {
            let mut wrong = columns.to_owned();
            wrong[at] = 11;
            let panic = catch_unwind(AssertUnwindSafe(|| {
                rows_of_a_matrix(wrong.view(), values.view(), x.view(), y.view_mut());
            }));
            assert!(panic.is_err());
            assert_eq!(y, expected);
        }
    }
}
