//! Nests whose loops of run-time length are interchanged, so that lanes run over another one than the
//! text's innermost.
//!
//! ```text
//! c[i, j] += a[i, k] * b[k, j]   for i, j, k
//! ```
//! has neighbours in memory along `j` only: with lanes over it either all rows of `b` are gone through for
//! each row of `c` (`i`, `k`, `j`), or the sum over `k` is kept in registers for a vector of neighbours
//! (`i`, `j`, `k`). Which one is better, the cost model says.
//!
//! Holds: equations are order-free, so that any order of an equation's loops is legal where additions may
//! change places, and where they may not, if those to one element keep theirs ([`keeps_order`]): loops that are summed over
//! stand inside of each other as in the text. The order of equations is for [`build`](super::build) to keep.

use super::Plan;
use super::begun::{begun, keeps_order};
use super::candidates::each_lane_keeps_its_order;
use super::staging::contiguous;
use crate::analysis::totals::Totals;
use crate::ir::{Equation, IndexId, Program};

/// Most loops of run-time length whose orders are tried.
const MOST: usize = 6;

/// Plans with lanes over loops that are not the innermost of run-time length in all equations, each with
/// these loops in other orders; `scalar` is the plan without lanes.
pub fn alternatives(program: &Program, scalar: &Plan, width: usize) -> Vec<(Program, Plan)> {
    let loops = run_time_loops(program);
    let nested = |index: &IndexId| {
        let mut equations = program.equations.iter();
        equations.any(|equation| {
            let domain: Vec<IndexId> = equation.domain().collect();
            let long = domain.iter().filter(|other| loops.contains(other)).count();
            domain.contains(index) && long > 1
        })
    };
    if width < 2 || loops.len() > MOST || !keeps_order(program) {
        return Vec::new();
    }
    let summed = summed(program);
    let ordered = |lane: &IndexId| each_lane_keeps_its_order(program, *lane);
    let mut result = Vec::new();
    for lane in loops.iter().copied().filter(nested).filter(ordered) {
        let mut inside = loops.clone();
        inside.retain(|index| *index != lane);
        inside.push(lane);
        if inside != loops {
            result.push((program.clone(), planned(scalar, (width, lane), &inside)));
        }
        // The loops that are summed over, where that is done in registers, stand inside of the lanes'.
        let is_sum = |index: &IndexId| {
            let sums = |equation: &Equation| equation.reduction.contains(index);
            let mut all = summed.equations.iter();
            let free = all
                .clone()
                .any(|e| e.free.contains(index) && e.free.contains(&lane));
            !free && all.any(|e| sums(e) && e.free.contains(&lane))
        };
        let (sums, others): (Vec<IndexId>, Vec<IndexId>) = loops
            .iter()
            .copied()
            .filter(|index| *index != lane)
            .partition(is_sum);
        if sums.is_empty() {
            continue;
        }
        let mut rows = others.clone();
        rows.sort_by_key(|index| shared(&summed, (lane, *index)));
        let orders = if rows == others {
            vec![others]
        } else {
            vec![others, rows]
        };
        for mut order in orders {
            order.push(lane);
            order.extend(&sums);
            result.push((summed.clone(), planned(scalar, (width, lane), &order)));
        }
    }
    result
}

/// Plans with lanes over a loop of constant length around others of such, along which sums have neighbours in memory, as
/// the rows of `c` in `for j { for k { for i { c[i][j] += a[i][k] * b[k][j] } } }`: it stands inside of the others. What is
/// summed over keeps its order.
pub fn along_rows(program: &Program, scalar: &Plan, width: usize) -> Vec<(Program, Plan)> {
    let known = |e: &Equation| e.domain().all(|index| program.is_constant(index));
    let sums = |e: &Equation| known(e) && !e.reduction.is_empty() && e.free.len() > 1;
    if width < 2 || !program.equations.iter().all(sums) {
        return Vec::new();
    }
    let free = program.equations.iter().flat_map(|e| e.free.iter());
    let mut loops: Vec<IndexId> = free.copied().collect();
    loops.sort_unstable();
    loops.dedup();
    let along = |lane: &IndexId| {
        let mut equations = program.equations.iter();
        equations.all(|e| e.free.contains(lane) && contiguous(&e.target, *lane))
    };
    let Some((_, outer)) = loops.split_last() else {
        return Vec::new();
    };
    let plans = outer.iter().copied().filter(along).map(|lane| {
        let mut inside = loops.clone();
        inside.retain(|index| *index != lane);
        inside.push(lane);
        (program.clone(), planned(scalar, (width, lane), &inside))
    });
    plans.collect()
}

/// How many accesses along the lanes are the same in all iterations of another loop: with that loop right around the
/// lanes', rows share them.
fn shared(program: &Program, (lane, index): (IndexId, IndexId)) -> usize {
    let moves = program.equations.iter().filter(|e| e.free.contains(&lane));
    let exprs = moves.filter(|e| e.free.contains(&index)).map(|e| e.expr);
    let accesses = program.pool.accesses(exprs).into_iter();
    let own = accesses.filter(|(_, own)| own.depends_on(lane) && !own.depends_on(index));
    own.count()
}

/// The loops of run-time length, in the order of the text.
fn run_time_loops(program: &Program) -> Vec<IndexId> {
    let all = program.equations.iter().flat_map(|e| e.domain());
    let mut loops: Vec<IndexId> = all.filter(|index| !program.is_constant(*index)).collect();
    loops.sort_unstable();
    loops.dedup();
    loops
}

/// A plan with so many lanes over a loop, and all loops of run-time length in this order.
fn planned(scalar: &Plan, (width, lane): (usize, IndexId), order: &[IndexId]) -> Plan {
    let mut places = order.to_vec();
    places.sort_unstable();
    Plan {
        width,
        lanes: Some(lane),
        others: Vec::new(),
        places: order.iter().copied().zip(places).collect(),
        ..scalar.clone()
    }
}

/// A program in which what is added to an output in all iterations of a loop of run-time length is a sum
/// over it; where additions keep their order, a sum that may begin with what it is added to.
pub fn summed(program: &Program) -> Program {
    let totals = Totals::of(program);
    let mut result = program.clone();
    for at in 0..program.equations.len() {
        let mut loops = totals.alone(program, at);
        if loops.iter().all(|index| program.is_constant(*index)) {
            continue;
        }
        // Terms are added in the order of all of their loops.
        loops.retain(|index| program.exact || !program.is_constant(*index));
        let equation = &mut result.equations[at];
        equation.sum_over(loops);
        if program.exact {
            equation.reduction.sort_unstable();
        }
    }
    if program.exact {
        let begun = begun(&result);
        for at in (0..program.equations.len()).filter(|at| !begun.contains(at)) {
            result.equations[at] = program.equations[at].clone();
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::ir::text::parse;
    use crate::schedule::{
        Prepared, Target, Wishes, alternatives, build, schedule, text, tree_for_avx2,
    };

    /// The loop trees with lanes over `j` of a program whose loops of run-time length are interchanged.
    fn check(equations: &str, expected: &Expect) {
        let program = format!(
            "program p\n\nindex j: len(x)\nindex c: 2\nindex i: len(y)\n\n\
             param 0 x: f64[len(x)]\noutput 1 a: f64[len(a), 2]\noutput 2 y: f64[len(y)]\n\
             output 3 z: f64[len(z), 2]\n\n{equations}"
        );
        let program = parse(&program).unwrap();
        let target = Target {
            width: 4,
            registers: 16,
        };
        let mut found = String::new();
        let prepared = Prepared::of(&program, &Wishes::default()).unwrap();
        for (program, plan) in alternatives(&prepared, target, &Wishes::default()) {
            let name = plan.lanes.map(|lane| program.loop_index(lane).name.clone());
            if plan.places.is_empty() || name.as_deref() != Some("j") {
                continue;
            }
            let (program, tree) = build::build(&program, &plan).unwrap();
            for line in text::print(&program, &tree).lines().skip(1) {
                found.extend((!line.is_empty()).then(|| format!("{line}\n")));
            }
        }
        expected.assert_eq(&found);
    }

    #[test]
    fn loops_that_are_inside_of_all_stay_there() {
        check(
            "a[j, c] += x[j] * x[j]   for j, c\n\
             y[i] += x[j]   for j, i\n",
            &expect![[r#"
                store a_cells: memory[_, 2] lanes
                store y_lanes: memory[_, _] lanes
                loop j in 0..len(x) step 4 {
                  loop c in 0..2 step 2 {
                    block {
                      eq 0         // a_cells[j, c] =
                      eq 0 @ c+1   // a_cells[j, c + 1] =
                    }
                  }
                  copy a_cells over row0 into a[j, row0] +=
                }
                loop i in 0..len(y) {
                  zero y_lanes
                  loop j in 0..len(x) step 4 {
                    block {
                      eq 1   // y_lanes[i, j] +=
                    }
                  }
                  reduce j {
                    eq 2   // y[i] +=
                  }
                }
            "#]],
        );
    }

    #[test]
    fn loops_between_stay_between() {
        check(
            "z[i, c] += x[j]   for j, c, i\n",
            &expect![[r#"
            store z_lanes: memory[2, _, _] lanes
            loop i in 0..len(y) {
              zero z_lanes
              loop c in 0..2 {
                loop j in 0..len(x) step 4 {
                  block {
                    eq 0   // z_lanes[c, i, j] +=
                  }
                }
              }
              loop c in 0..2 step 2 {
                reduce j {
                  eq 1         // z[i, c] +=
                  eq 1 @ c+1   // z[i, c + 1] +=
                }
              }
            }
        "#]],
        );
    }

    #[test]
    fn lanes_run_along_the_rows_of_products_in_any_order() {
        for order in ["i, j", "j, i"] {
            let indices: String = (order.split(", "))
                .map(|name| format!("index {name}: 8\n"))
                .collect();
            for exact in ["", "exact\n"] {
                let program = format!(
                    "program p\n{exact}{indices}index k: 8\nparam 0 a: f64[8, 8]\nparam 1 b: f64[8, 8]\n\
                     output 2 c: f64[8, 8]\nc[i, j] += sum(k) a[i, k] * b[k, j]   for {order}\n"
                );
                let program = parse(&program).unwrap();
                let target = Target {
                    width: 4,
                    registers: 16,
                };
                let found = schedule(&program, target, &Wishes::default()).unwrap();
                let lane = found.schedule.lanes.unwrap();
                assert_eq!(found.program.loop_index(lane).name, "j", "{order}");
            }
        }
    }

    /// The loop tree for AVX2 of an equation whose additions keep their order.
    fn in_order(equations: &str) -> String {
        let program = format!(
            "program p\nexact\nindex l: m\nindex k: m\nindex i: n\nindex j: n\nparam 0 n: usize\nparam 1 m: usize\n\
             param 2 a: f64[n, m]\nparam 3 b: f64[m, n]\noutput 4 c: f64[n, n]\n{equations}"
        );
        tree_for_avx2(&program)
    }

    #[test]
    fn sums_that_keep_their_order_are_in_registers_where_loops_can_change_places() {
        let tree = in_order("c[i, j] += a[i, k] * b[k, j]   for k, i, j\n");
        assert!(tree.contains("loop i in 0..n step 4 whole {"), "{tree}");
        assert!(tree.contains("reduce k {"), "{tree}");
        // In the order of the text, whatever their elements are.
        let tree = in_order("c[i, j] += a[i, k] * b[l, j]   for l, k, i, j\n");
        assert!(tree.contains("reduce l, k {"), "{tree}");
    }

    #[test]
    fn additions_that_take_turns_stay_where_they_are() {
        for equations in [
            "c[i, j] += a[i, k] * b[k, j]   for k, i, j\nc[i, j] += a[i, k]   for k, i, j\n",
            "c[k, j] += a[i, k] * b[k, j]   for k, i, j\nc[i, j] += a[i, k]   for k, i, j\n",
        ] {
            let tree = in_order(equations);
            assert!(!tree.contains("reduce"), "{tree}");
            assert!(tree.contains("loop k in 0..m {"), "{tree}");
        }
    }
}
