//! Sums that are added to in memory in each iteration of a loop around those along them: all of what they go to is
//! loaded and stored again and again.
//!
//! ```text
//! loop k { loop i { loop j step 8 { block { y[i, j] += a[i, k] * b[k, j] } } } }
//! ```

use super::model::bytes;
use super::tree::{Node, Schedule, Storage};
use crate::analysis::cost::nominal;
use crate::collections::{HashMap, HashSet};
use crate::ir::{ArrayId, IndexId, Program};
use crate::machine;

/// How much longer loads take in each of such equations than from the first-level cache.
pub fn loading(program: &Program, schedule: &Schedule) -> HashMap<usize, f64> {
    let mut result = HashMap::default();
    nodes(
        (program, schedule),
        &schedule.body,
        &mut Vec::new(),
        &mut result,
    );
    result
}

/// How much longer loads take than from the first-level cache.
pub fn memory(program: &Program, schedule: &Schedule) -> f64 {
    let copies = schedule.copies().into_iter();
    let copied: HashSet<ArrayId> = copies.map(|copy| copy.staged).collect();
    let bytes = |staged: bool| -> usize {
        let temporaries = schedule.storage.iter();
        let counted = temporaries.filter(|(array, _)| staged || !copied.contains(array));
        let each = counted.map(|own| bytes(program, own, schedule.width));
        each.fold(0, usize::saturating_add)
    };
    // What is staged is met once a tile, not in each of its iterations.
    machine::loading(bytes(true), bytes(false))
}

fn nodes(
    of: (&Program, &Schedule),
    nodes: &[Node],
    open: &mut Vec<IndexId>,
    result: &mut HashMap<usize, f64>,
) {
    for node in nodes {
        match node {
            Node::Loop(l) => {
                let around = open.len();
                open.push(l.index);
                open.extend(l.with.iter().map(|(index, _)| *index));
                self::nodes(of, &l.body, open, result);
                open.truncate(around);
            }
            Node::Block(instances) => {
                for instance in instances {
                    if let Some(bytes) = again(of, instance.equation, open) {
                        let loading = machine::loading(bytes, bytes);
                        result.insert(instance.equation, loading);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The bytes that an equation adds to in an iteration of the outermost loop that does not move them.
fn again((program, schedule): (&Program, &Schedule), at: usize, open: &[IndexId]) -> Option<usize> {
    let equation = &program.equations[at];
    equation.operator.accumulated()?;
    let storage = schedule.storage_of(equation.target.array);
    if storage.is_some_and(|storage| !matches!(storage, Storage::Memory { .. })) {
        return None;
    }
    let moves = |index: &IndexId| equation.target.depends_on(*index);
    let outermost = open.iter().position(|index| !moves(index))?;
    let inside = open[outermost..].iter().filter(|index| moves(index));
    let lengths = inside.map(|index| nominal(program, &program.loop_index(*index).extent));
    let each = program.array(equation.target.array).element.bytes();
    Some(lengths.fold(each, usize::saturating_mul))
}

#[cfg(test)]
mod tests {
    use crate::schedule::tree_for_avx2;

    /// The loop tree of a program for AVX2, its statements left out.
    fn scheduled(equations: &str) -> String {
        let program = format!(
            "program p\nindex b: nb\nindex i: n\nindex j: n\nindex k: n\nindex l: n\n\
             param 0 x: f64[len(x), n, n]\nparam 1 u: f64[len(u), n]\nparam 2 w: f64[len(w), n]\n\
             output 3 y: f64[len(y), n]\noutput 4 z: f64[len(z), n, n]\n\
             param 5 n: usize\nparam 6 nb: usize\ntemp t: f64[n, n]\ntemp s: f64[nb, n, n]\n{equations}"
        );
        tree_for_avx2(&program)
    }

    #[test]
    fn sums_stay_in_registers_where_temporaries_could_be_rows() {
        let tree = scheduled(
            "t[i, k] = sum(j) u[i, j]*w[j, k]   for i, k\n\
             y[i, l] += sum(k) t[i, k]*w[k, l]   for i, l\n",
        );
        assert!(tree.contains("store t: memory[run, run]"), "{tree}");
        assert!(!tree.contains("block"), "{tree}");
    }

    #[test]
    fn sums_of_batches_are_in_register_tiles_batch_by_batch() {
        let tree = scheduled(
            "s[b, j, l] = sum(k) x[b, j, k]*w[k, l]   for b, j, l\n\
             z[b, i, l] += sum(j) u[i, j]*s[b, j, l]   for b, i, l\n",
        );
        assert!(!tree.contains("block"), "{tree}");
        // The temporary is that of one batch.
        assert!(tree.contains("store s: memory[_, run, run]"), "{tree}");
    }
}
