//! The cases that the minivect thesis prints in section 5.2.

use super::*;
use Direction::{Equal, Greater, Less};

/// Write first, read second, in loops of run-time length over a plain nest.
fn dependence(extents: &[Extent], write: &[(i64, i64)], read: &[(i64, i64)]) -> Dependence {
    let nest = Nest::new(extents, [Extent::Constant(1), Extent::Constant(1)]);
    let side = |of: &[(i64, i64)]| -> Vec<Affine> {
        of.iter()
            .zip(&nest.common)
            .map(|((step, offset), index)| {
                Affine::index(*index)
                    .scale(*step)
                    .add(&Affine::constant(*offset))
            })
            .collect()
    };
    nest.pair(&side(write), &side(read)).dependence()
}

fn n() -> Extent {
    let nest = Nest::new(&[], [Extent::Constant(1), Extent::Constant(1)]);
    Extent::RunTime(Affine::atom(Atom::Scalar(nest.n)))
}

fn vector(directions: &[Direction], distances: &[i64]) -> Vector {
    Vector {
        directions: directions.to_vec(),
        distances: distances
            .iter()
            .map(|d| Some(Affine::constant(*d)))
            .collect(),
    }
}

/// `a[1 : n] = a[0 : n - 1]`: a true dependence at distance 1.
#[test]
fn shifted_slice() {
    let found = dependence(&[n()], &[(1, 1)], &[(1, 0)]);
    assert_eq!(found, Dependence::Dependent(vec![vector(&[Less], &[1])]));
}

/// `A[:: 2]` and `A[1 :: 2]` never meet.
#[test]
fn even_and_odd_elements() {
    let found = dependence(&[n()], &[(2, 0)], &[(2, 1)]);
    assert_eq!(found, Dependence::Independent);
}

/// `A(1 : N, 2 : N) = A(1 : N, 1 : N - 1)`: distances (0, 1), directions (=, <).
#[test]
fn shifted_columns() {
    let found = dependence(&[n(), n()], &[(1, 1), (1, 2)], &[(1, 1), (1, 1)]);
    let expected = vector(&[Equal, Less], &[0, 1]);
    assert_eq!(found, Dependence::Dependent(vec![expected]));
}

/// The situation reversed: an anti-dependence.
#[test]
fn shifted_columns_reversed() {
    let found = dependence(&[n(), n()], &[(1, 1), (1, 1)], &[(1, 1), (1, 2)]);
    let expected = vector(&[Equal, Greater], &[0, -1]);
    assert_eq!(found, Dependence::Dependent(vec![expected]));
}

/// `B = A(:: 2, :: 2)`, `C = A(1 :: 2, 1 :: 2)` (listing 25).
#[test]
fn strided_blocks() {
    let found = dependence(&[n(), n()], &[(2, 0), (2, 0)], &[(2, 1), (2, 1)]);
    assert_eq!(found, Dependence::Independent);
}

/// `A(1 :: 2) = A(2 : N/2 + 1)`: the direction starts as `>`, is `=` in the second iteration,
/// and then `<`.
#[test]
fn direction_that_changes() {
    let found = dependence(&[Extent::Constant(8)], &[(2, 1)], &[(1, 2)]);
    let (vectors, certain) = claimed(&found);
    assert!(certain);
    // Read in iteration y what iteration x writes: 2x + 1 = y + 2.
    let all = [vec![Less], vec![Equal], vec![Greater]];
    assert!(vectors.contains(&all[0]) && vectors.contains(&all[1]));
    let nest = Nest::new(
        &[Extent::Constant(8)],
        [Extent::Constant(1), Extent::Constant(1)],
    );
    let i = Affine::index(nest.common[0]);
    let write = [i.scale(2).add(&Affine::constant(1))];
    let read = [i.add(&Affine::constant(2))];
    let tried = directions(&nest.meetings(&write, &read, (0, 0)));
    assert_eq!(vectors, tried);
}

/// `A(:, : N/2)` and `A(:, N/2 :)` overlap in memory, and are independent in their columns.
#[test]
fn halves_of_columns() {
    let nest = Nest::new(&[], [Extent::Constant(1), Extent::Constant(1)]);
    let half = Affine::atom(Atom::Scalar(nest.n));
    let nest = Nest::new(
        &[n(), Extent::RunTime(half.clone())],
        [Extent::Constant(1), Extent::Constant(1)],
    );
    let [i, j] = [0, 1].map(|at| Affine::index(nest.common[at]));
    let found = nest.pair(&[i.clone(), j.clone()], &[i, j.add(&half)]);
    assert_eq!(found.dependence(), Dependence::Independent);
}

/// Two-dimensional slices are independent where one of the dimensions is.
#[test]
fn one_dimension_is_enough() {
    let found = dependence(&[n(), n()], &[(1, 1), (2, 0)], &[(1, 0), (2, 1)]);
    assert_eq!(found, Dependence::Independent);
}

/// A distance beyond the extent is none.
#[test]
fn distance_beyond_the_extent() {
    let found = dependence(&[Extent::Constant(4)], &[(1, 4)], &[(1, 0)]);
    assert_eq!(found, Dependence::Independent);
    let found = dependence(&[Extent::Constant(5)], &[(1, 4)], &[(1, 0)]);
    assert_eq!(found, Dependence::Dependent(vec![vector(&[Less], &[4])]));
}

/// `A(n : 1 : -1)` against `A(1 : n)`: weak crossing.
#[test]
fn reversal() {
    let found = dependence(&[Extent::Constant(4)], &[(-1, 3)], &[(1, 0)]);
    let (vectors, certain) = claimed(&found);
    assert!(certain);
    assert_eq!(vectors, BTreeSet::from([vec![Less], vec![Greater]]));
    let found = dependence(&[Extent::Constant(5)], &[(-1, 4)], &[(1, 0)]);
    assert_eq!(claimed(&found).0.len(), 3);
}
