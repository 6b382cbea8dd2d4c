//! A loop's iterations in blocks, each of which reads other columns.
//!
//! A block is an arithmetic progression, so that what it reads has affine subscripts. Blocks are
//! chosen that cost least: the operations of an iteration, for each vector of iterations (of some number of lanes)
//! that is begun, and once more for the loop around them. So neighbours are one block where that
//! costs less than two: short blocks leave lanes empty. Of blocks that cost the same, the fewest are
//! taken, those that are zero not counted, and then those with the fewest operations. Where no blocks
//! cost less than all iterations together, these are one.

use crate::collections::HashMap;
use crate::ir::Progression;

/// Iterations that a vector has, to the cost of a block: some, or one where lanes run over another loop.
pub const LANES: [usize; 2] = [4, 1];
/// The longest step of a block: vectors have up to nine components.
const MOST_STRIDE: usize = 9;
/// The longest loop that is looked at.
const LONGEST: usize = 512;

/// What it costs to run iterations up to some place: the cost, the number of blocks that are not zero,
/// the operations of all iterations, and the number of all blocks.
type Cost = (u64, usize, u64, usize);

/// The blocks of a loop, in the order of their first iterations; one where none are cheaper. `masks`
/// tell for each iteration what it reads, `operations` what an iteration takes that reads so much.
pub fn blocks(
    masks: &[u128],
    lanes: usize,
    mut operations: impl FnMut(u128) -> u64,
) -> Vec<Progression> {
    let length = masks.len();
    if length > LONGEST {
        return vec![Progression::whole(length)];
    }
    let mut known: HashMap<u128, u64> = HashMap::default();
    let mut each = |mask: u128| *known.entry(mask).or_insert_with(|| operations(mask));
    // The best way to run the iterations before each place: where its last segment starts, and the
    // stride there.
    let mut best: Vec<(Cost, usize, usize)> = vec![((u64::MAX, 0, 0, 0), 0, 1); length + 1];
    best[0].0 = (0, 0, 0, 0);
    for start in 0..length {
        let before = best[start].0;
        for stride in 1..=MOST_STRIDE.min(length - start) {
            let mut residues: Vec<(u128, usize)> = vec![(0, 0); stride];
            for end in start + 1..=length {
                let residue = &mut residues[(end - 1 - start) % stride];
                *residue = (residue.0 | masks[end - 1], residue.1 + 1);
                // Progressions of one iteration each are blocks of stride 1.
                if end - start < 2 * stride && stride > 1 {
                    continue;
                }
                let mut cost = (before.0, before.1, before.2, before.3 + stride);
                for (mask, iterations) in &residues {
                    let operations = each(*mask);
                    let vectors = iterations.div_ceil(lanes) as u64 + 1;
                    cost.1 += usize::from(operations > 0);
                    cost.0 = cost.0.saturating_add(operations.saturating_mul(vectors));
                    cost.2 = (cost.2).saturating_add(operations.saturating_mul(*iterations as u64));
                }
                if cost < best[end].0 {
                    best[end] = (cost, start, stride);
                }
            }
        }
    }
    let together = masks.iter().fold(0, |all, mask| all | mask);
    let vectors = length.div_ceil(lanes) as u64 + 1;
    if best[length].0.0 >= each(together).saturating_mul(vectors) {
        return vec![Progression::whole(length)];
    }
    let mut result = Vec::new();
    let mut end = length;
    while end > 0 {
        let (_, start, stride) = best[end];
        result.extend((0..stride).map(|residue| Progression {
            start: start + residue,
            stride,
            count: (end - start - residue).div_ceil(stride),
        }));
        end = start;
    }
    result.sort_unstable_by_key(|block| block.start);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of iterations that read the columns of some sets, an operation for each column.
    fn of(masks: &[u128]) -> Vec<String> {
        let blocks = blocks(masks, LANES[0], |mask| u64::from(mask.count_ones()));
        let mut covered: Vec<usize> = blocks.iter().flat_map(|b| b.iterations()).collect();
        covered.sort_unstable();
        assert!(covered.into_iter().eq(0..masks.len()));
        blocks.into_iter().map(Progression::describe).collect()
    }

    #[test]
    fn components_of_vectors_are_strided() {
        let masks: Vec<u128> = (0..30).map(|i| 1 << (i % 3)).collect();
        let expected = [
            "(0..28).step_by(3)",
            "(1..29).step_by(3)",
            "(2..30).step_by(3)",
        ];
        assert_eq!(of(&masks), expected);
    }

    #[test]
    fn mixed_elements_have_blocks_for_each_element() {
        let masks: Vec<u128> = (0..34)
            .map(|i| if i < 30 { 1 << (i % 3) } else { 8 })
            .collect();
        let expected = [
            "(0..28).step_by(3)",
            "(1..29).step_by(3)",
            "(2..30).step_by(3)",
            "30..34",
        ];
        assert_eq!(of(&masks), expected);
    }

    #[test]
    fn neighbours_are_merged_where_that_costs_less() {
        // Derivatives of linear functions: in blocks of one each, most lanes would be empty.
        assert_eq!(of(&[0b111, 0b001, 0b010, 0b100]), ["0..4"]);
        // Two blocks of six take two vectors and a loop of one operation each, one block three and a
        // loop of two.
        let two = |first: usize, second: usize| [vec![1; first], vec![2; second]].concat();
        assert_eq!(of(&two(6, 6)), ["0..6", "6..12"]);
        // With few iterations, the loops take what the vectors save.
        assert_eq!(of(&two(2, 2)), ["0..4"]);
        assert_eq!(of(&two(2, 4)), ["0..2", "2..6"]);
    }

    #[test]
    fn what_reads_nothing_costs_nothing() {
        let masks = [0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0];
        assert_eq!(of(&masks), ["0..3", "3..8", "8..11"]);
        let masks: Vec<u128> = (0..34).map(|i| u128::from(i % 3 == 1 && i < 30)).collect();
        let blocks = of(&masks);
        assert_eq!(blocks[1], "(1..29).step_by(3)");
    }

    #[test]
    fn equal_iterations_are_one_block() {
        assert_eq!(of(&[1; 20]), ["0..20"]);
        assert_eq!(blocks(&[], LANES[0], |_| 1), []);
    }
}
