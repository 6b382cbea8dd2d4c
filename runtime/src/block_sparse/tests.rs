//! Properties of block-sparse tables, on random ones, and their edges.

use super::*;

/// Pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        // The multiplier of Knuth's MMIX; the upper bits are the random ones.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % bound
    }

    /// A table with columns of zeros, columns of noise, and columns of both and numbers beyond
    /// the tolerance of 1e-3 in some of the rows.
    fn table<const Q: usize, const N: usize>(&mut self) -> [[f64; N]; Q] {
        let mut table = [[0.0; N]; Q];
        for column in 0..N {
            let kind = self.below(3);
            for row in &mut table {
                row[column] = match (kind, self.below(3)) {
                    (0, _) | (_, 0) => 0.0,
                    (1, _) | (_, 1) => self.below(100) as f64 * -1e-5,
                    _ => self.below(100) as f64 - 50.5,
                };
            }
        }
        table
    }
}

/// Checks everything that holds of a table.
fn check<T: Real, const Q: usize, const N: usize>(given: &[[T; N]; Q], tolerance: T) {
    let table = BlockSparseTable::new(given, tolerance);
    for q in 0..Q {
        for i in 0..N {
            let within = |block: &&Block<T>| block.columns().contains(&i);
            let holding = table.blocks().iter().filter(within).count();
            let is_zero = given.iter().all(|row| row[i].abs() <= tolerance);
            assert_eq!(holding, usize::from(!is_zero), "{q} {i}");
            let expected = if is_zero { T::zero() } else { given[q][i] };
            assert!(table[q][i] == expected, "{q} {i}");
        }
    }
    // What the blocks hold is the dense table.
    let mut sum = [[T::zero(); N]; Q];
    for block in table.blocks() {
        assert_eq!(block.entries().rows(), Q);
        for (q, row) in sum.iter_mut().enumerate() {
            row[block.columns()].copy_from_slice(&block[q]);
        }
    }
    assert!(sum == *table.dense());
    // No two blocks could be one, and they are in order.
    let ends = table.blocks().windows(2);
    ends.for_each(|pair| assert!(pair[0].columns().end < pair[1].columns().start));
    // Doing it again changes nothing, and a slice is the same as an array.
    assert!(BlockSparseTable::new(table.dense(), tolerance) == table);
    let flat = BlockSparseTable::from_slice(given.as_flattened(), tolerance).unwrap();
    assert!(flat == table);
}

fn check_random<const Q: usize, const N: usize>(random: &mut Random) {
    // An interpreter takes seconds for what a processor does in a microsecond.
    let rounds = if cfg!(miri) { 1 } else { 50 };
    for _ in 0..rounds {
        let table = random.table::<Q, N>();
        check(&table, 1e-3);
        check(&table, 0.0);
        check(&table.map(|row| row.map(|entry| entry as f32)), 1e-3);
    }
}

#[test]
fn random_tables_are_split_into_their_non_zero_columns() {
    let mut random = Random(1);
    check_random::<1, 1>(&mut random);
    check_random::<1, 9>(&mut random);
    check_random::<4, 12>(&mut random);
    check_random::<14, 30>(&mut random);
    check_random::<5, 70>(&mut random);
}

#[test]
fn a_vector_element_has_one_block_a_function() {
    // The component 1 of a blocked element of two: every other column is zero.
    let mut dense = [[0.0_f32; 6]; 3];
    for (q, row) in dense.iter_mut().enumerate() {
        for scalar in 0..3 {
            row[2 * scalar + 1] = (q + scalar) as f32 - 1.0;
        }
    }
    let table = BlockSparseTable::new(&dense, 0.0);
    let columns: Vec<_> = table.blocks().iter().map(Block::columns).collect();
    assert_eq!(columns, [1..2, 3..4, 5..6]);
    assert_eq!(table.blocks()[2][0], [1.0]);
}

#[test]
fn tables_of_nothing() {
    let zeros = BlockSparseTable::new(&[[0.0_f64; 3]; 2], 0.0);
    assert!(zeros.blocks().is_empty());
    assert_eq!(zeros.dense(), &[[0.0; 3]; 2]);
    // Without rows no column has an entry, and without columns there is none.
    assert!(
        BlockSparseTable::<f64, 0, 4>::new(&[], 0.0)
            .blocks()
            .is_empty()
    );
    let rows = BlockSparseTable::new(&[[0.0_f64; 0]; 4], 0.0);
    assert!(rows.blocks().is_empty() && rows[3].is_empty());
}

#[test]
fn what_cannot_be_compared_is_not_zero() {
    let table = BlockSparseTable::new(&[[0.0, f64::NAN, 0.0]], 1.0);
    assert_eq!(table.blocks()[0].columns(), 1..2);
    assert!(table[0][1].is_nan());
    for tolerance in [-1.0, f64::NAN] {
        let table = BlockSparseTable::new(&[[0.0, 1.0, 0.0]], tolerance);
        assert_eq!(table.blocks()[0].columns(), 0..3);
    }
}

#[test]
fn tolerances_are_inclusive() {
    let table = BlockSparseTable::new(&[[0.5, -0.5, 0.500_000_1]], 0.5);
    assert_eq!(table.blocks()[0].columns(), 2..3);
    assert_eq!(table[0], [0.0, 0.0, 0.500_000_1]);
}

#[test]
fn slices_of_another_length_are_refused() {
    for entries in [0, 5, 7] {
        let slice = alloc::vec![1.0; entries];
        let error = BlockSparseTable::<f64, 2, 3>::from_slice(&slice, 0.0).unwrap_err();
        let shape = [2, 3];
        assert_eq!(error, WrongLength { shape, entries });
    }
}

#[test]
fn dense_tables_and_rows_of_blocks_are_aligned() {
    let table = BlockSparseTable::new(&[[0.0, 1.0, 2.0], [0.0, 3.0, 4.0]], 0.0_f64);
    assert_eq!(table.dense().as_ptr().addr() % 64, 0);
    let block = &table.blocks()[0];
    assert!((0..2).all(|q| block[q].as_ptr().addr() % 64 == 0));
}
