//! Results that are added to in an order that must stay are loaded before, and stored after that.
//!
//! Lanes over the mesh loop stage what they leave in an element's matrix (see [`staging`](super::staging)):
//! sums start from zero there, and are added to the matrix in the end. Where operations keep their order
//! the matrix of each lane is loaded first, and what is added is added to it, as the text does.
//!
//! ```text
//! a[e, i, j] += sum(q) t[e, q, i, j]        a_loaded[e, r, c] = a[e, r, c]
//!                                           a_loaded[e, i, j] += sum(q) t[e, q, i, j]
//!                                           a[e, r, c] = a_loaded[e, r, c]
//! ```

use super::Plan;
use super::dependence::Dependence;
use super::staging::{Block, blocks};
use crate::ir::{
    Access, Affine, ArrayId, Equation, Expr, Extent, IndexId, Operator, Program, Role,
};

/// Loads and stores the blocks that lanes add to, in a program whose operations keep their order.
pub fn load(program: &mut Program, plan: &Plan) {
    let Some(lane) = plan.lanes.filter(|_| program.exact && plan.width > 1) else {
        return;
    };
    let dependence = Dependence::of(program);
    let mut blocks = blocks(program, plan, lane, &dependence);
    blocks.retain(|block| block.operator == Operator::ADD);
    // From the last one on: positions of equations before stay what they are.
    blocks.sort_by_key(|block| std::cmp::Reverse(block.equations.iter().max().copied()));
    for at in 0..blocks.len() {
        let (first, last) = loaded(program, &blocks[at], lane);
        for other in &mut blocks[at + 1..] {
            for equation in &mut other.equations {
                *equation += usize::from(*equation >= first) + usize::from(*equation > last);
            }
        }
    }
}

/// Loads and stores one block; the positions of its first and its last equation before.
fn loaded(program: &mut Program, block: &Block, lane: IndexId) -> (usize, usize) {
    let array = program.array(block.array).clone();
    let mut shape = vec![program.loop_index(lane).extent.clone()];
    shape.extend(block.shape.iter().copied().map(Extent::Constant));
    let name = format!("{}_loaded", array.name);
    let loaded = program.add_array(&name, array.element, shape, Role::Temporary);
    for at in &block.equations {
        program.equations[*at].target.array = loaded;
    }
    let first = block.equations.iter().min().copied().unwrap_or(0);
    let last = block.equations.iter().max().copied().unwrap_or(0);
    let before = state(program, block.array);
    let store = copy(program, block, lane, (loaded, block.array));
    let load = copy(program, block, lane, (before, loaded));
    program.equations.insert(last + 1, store);
    program.equations.insert(first, load);
    (first, last)
}

/// The array that stands for what an output holds.
fn state(program: &mut Program, output: ArrayId) -> ArrayId {
    let array = program.array(output).clone();
    let role = array.role.position().map_or(Role::Temporary, Role::State);
    let known = program.arrays.iter().position(|other| {
        matches!((&other.role, &role), (Role::State(a), Role::State(b)) if a == b)
            && other.shape.len() == array.shape.len()
    });
    match known {
        Some(at) => ArrayId(at as u32),
        None => {
            let name = format!("{}_held", array.name);
            program.add_array(&name, array.element, array.shape, role)
        }
    }
}

/// The equation that copies a block.
fn copy(
    program: &mut Program,
    block: &Block,
    lane: IndexId,
    (from, to): (ArrayId, ArrayId),
) -> Equation {
    let mut free = vec![lane];
    free.extend(block.rows(program));
    let subscripts: Vec<Affine> = free.iter().copied().map(Affine::index).collect();
    let element = program.array(from).element;
    let read = Expr::Access(Access {
        array: from,
        subscripts: subscripts.clone(),
    });
    Equation {
        target: Access {
            array: to,
            subscripts,
        },
        operator: Operator::Assign,
        free,
        reduction: Vec::new(),
        expr: program.pool.add(read, element),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::schedule::{over_cells, text};

    const ARRAYS: &str = "\
program p
exact

index e: len(x)
index q: 3
index i: 2
index j: 2

param 0 x: f64[len(x), 3]
output 1 a: f64[len(a), 2, 2]
output 2 b: f64[len(b), 2]
table phi: f64[3, 2] = [
  [1, 0],
  [0, 1],
  [2.5, 3],
]

";

    fn check(equations: &str, expected: &Expect) {
        let scheduled = over_cells(&format!("{ARRAYS}{equations}"));
        expected.assert_eq(&text::print(&scheduled.program, &scheduled.schedule));
    }

    #[test]
    fn sums_begin_with_what_the_results_hold() {
        check(
            "a[e, i, j] += sum(q) x[e, q] * phi[q, i] * phi[q, j]   for e, i, j\n\
             b[e, i] += sum(q) x[e, q] * phi[q, i]   for e, i\n",
            &expect![[r#"
                schedule width 4 lanes e
                store x_packed: memory[_, 3] lanes
                store a_parts: memory[_, 4] lanes
                store b_loaded: memory[_, 2] lanes

                loop e in 0..len(x) step 4 {
                  loop k in 0..3 {
                    block {
                      eq 0   // x_packed[e, k] =
                    }
                  }
                  loop row0'4 in 0..2 {
                    loop row1'2 in 0..2 {
                      block {
                        eq 1   // a_parts[e, 2*row0'4 + row1'2] =
                      }
                    }
                  }
                  loop q in 0..3 {
                    loop i in 0..2 {
                      loop j in 0..2 {
                        block {
                          eq 2   // a_parts[e, 2*i + j] +=
                        }
                      }
                    }
                  }
                  copy a_parts at a_places[row0'5, row1'3] over row0'5, row1'3 into a[e, row0'5, row1'3] =
                  loop row0'2 in 0..2 {
                    block {
                      eq 3   // b_loaded[e, row0'2] =
                    }
                  }
                  loop q in 0..3 {
                    loop i in 0..2 {
                      block {
                        eq 4   // b_loaded[e, i] +=
                      }
                    }
                  }
                  copy b_loaded at b_places[row0'6] over row0'6 into b[e, row0'6] =
                }
            "#]],
        );
    }

    #[test]
    fn several_statements_add_in_their_order() {
        check(
            "b[e, i] += x[e, 0] * phi[0, i]   for e, i\n\
             b[e, 0] += x[e, 1]   for e\n\
             b[e, j] += x[e, 2] * phi[2, j]   for e, j\n",
            &expect![[r#"
                schedule width 4 lanes e
                store x_packed: memory[_, 3] lanes
                store b_loaded: memory[_, 2] lanes

                loop e in 0..len(x) step 4 {
                  loop k in 0..3 {
                    block {
                      eq 0   // x_packed[e, k] =
                    }
                  }
                  loop row0'2 in 0..2 {
                    block {
                      eq 1   // b_loaded[e, row0'2] =
                    }
                  }
                  loop i in 0..2 {
                    block {
                      eq 2   // b_loaded[e, i] +=
                    }
                  }
                  block {
                    eq 3   // b_loaded[e, 0] +=
                  }
                  loop j in 0..2 {
                    block {
                      eq 4   // b_loaded[e, j] +=
                    }
                  }
                  copy b_loaded at b_places[row0'3] over row0'3 into b[e, row0'3] =
                }
            "#]],
        );
    }
}
