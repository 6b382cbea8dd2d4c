//! The sharing graph, and which symbols are factorised (Luporini 2017, Algorithm 1, steps 3 to 5).
//!
//! A vertex is a symbol, an edge a product of two symbols of different loops with its coefficient.
//! Factorising a symbol costs a product and an addition in the innermost loop, however many edges
//! it takes; each edge costs as much in the loop of its other symbol. The integer program chooses
//! the symbols and assigns each edge to one, so that the fewest operations result for the loop
//! sizes at hand.

use std::collections::BTreeMap;

use good_lp::{
    Expression, ProblemVariables, Solution, SolverModel, Variable, constraint, microlp, variable,
};

use crate::ir::ExprId;

/// Largest graph that the integer program is solved for.
const MOST_EDGES: usize = 256;

/// A product of two symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The symbols, by loop.
    pub symbols: [ExprId; 2],
    /// What multiplies them.
    pub coefficient: ExprId,
}

/// Operations: of a product in the innermost loop, and in the loops of each symbol alone.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// Iterations of both loops.
    pub inner: f64,
    /// Iterations of the loop of the first and of the second symbol.
    pub outer: [f64; 2],
}

/// For each edge, which of its symbols is factorised (0 or 1).
pub type Assignment = Vec<usize>;

/// The cheapest assignment, and whether the integer program gave it.
pub fn factorise(edges: &[Edge], weights: Weights) -> (Assignment, bool) {
    let greedy = greedy(edges, weights);
    if edges.len() > MOST_EDGES {
        return (greedy, false);
    }
    match integer_program(edges, weights) {
        Some(found) if cost(edges, &found, weights) <= cost(edges, &greedy, weights) => {
            (found, true)
        }
        _ => (greedy, false),
    }
}

/// Operations of an assignment.
pub fn cost(edges: &[Edge], assignment: &[usize], weights: Weights) -> f64 {
    let mut chosen: Vec<(usize, ExprId)> = edges
        .iter()
        .zip(assignment)
        .map(|(edge, side)| (*side, edge.symbols[*side]))
        .collect();
    chosen.sort_unstable();
    chosen.dedup();
    let outer: f64 = assignment.iter().map(|side| weights.outer[1 - side]).sum();
    weights.inner * chosen.len() as f64 + outer
}

/// Takes the symbol whose remaining edges cost least each, until none is left.
fn greedy(edges: &[Edge], weights: Weights) -> Assignment {
    let mut assignment: Vec<Option<usize>> = vec![None; edges.len()];
    while assignment.contains(&None) {
        let mut vertices: BTreeMap<(usize, ExprId), Vec<usize>> = BTreeMap::new();
        for (at, edge) in edges.iter().enumerate() {
            if assignment[at].is_none() {
                for side in 0..2 {
                    let vertex = (side, edge.symbols[side]);
                    vertices.entry(vertex).or_default().push(at);
                }
            }
        }
        let each =
            |(side, taken): (usize, usize)| weights.inner / taken as f64 + weights.outer[1 - side];
        let best = vertices.iter().min_by(|((a, _), left), ((b, _), right)| {
            each((*a, left.len())).total_cmp(&each((*b, right.len())))
        });
        let Some(((side, _), taken)) = best else {
            break;
        };
        for at in taken {
            assignment[*at] = Some(*side);
        }
    }
    assignment
        .into_iter()
        .map(|side| side.unwrap_or(0))
        .collect()
}

/// The integer program; `None` where the solver gives no assignment.
fn integer_program(edges: &[Edge], weights: Weights) -> Option<Assignment> {
    let mut variables = ProblemVariables::new();
    let mut vertices: BTreeMap<(usize, ExprId), Variable> = BTreeMap::new();
    let mut objective = Expression::default();
    for edge in edges {
        for side in 0..2 {
            vertices
                .entry((side, edge.symbols[side]))
                .or_insert_with(|| {
                    let taken = variables.add(variable().binary());
                    objective += weights.inner * taken;
                    taken
                });
        }
    }
    // 1 if the edge belongs to its first symbol.
    let first: Vec<Variable> = edges
        .iter()
        .map(|_| {
            let assigned = variables.add(variable().binary());
            objective += (weights.outer[1] - weights.outer[0]) * assigned + weights.outer[0];
            assigned
        })
        .collect();
    let mut model = variables.minimise(objective).using(microlp);
    for (edge, assigned) in edges.iter().zip(&first) {
        let taken = [0, 1].map(|side| vertices[&(side, edge.symbols[side])]);
        model = model
            .with(constraint!(*assigned <= taken[0]))
            .with(constraint!(1.0 - *assigned <= taken[1]));
    }
    let solution = model.solve().ok()?;
    first
        .iter()
        .map(|assigned| match solution.value(*assigned) {
            value if value > 0.99 => Some(0),
            value if value < 0.01 => Some(1),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(pairs: &[(u32, u32)]) -> Vec<Edge> {
        pairs
            .iter()
            .map(|(i, j)| Edge {
                symbols: [ExprId(*i), ExprId(*j)],
                coefficient: ExprId(0),
            })
            .collect()
    }

    const SQUARE: Weights = Weights {
        inner: 100.0,
        outer: [10.0, 10.0],
    };

    /// Luporini 2017, figure 2: b_j c_i + b_j d_i factorises b_j.
    #[test]
    fn one_symbol_takes_both_products() {
        let graph = edges(&[(2, 1), (3, 1)]);
        let (found, solved) = factorise(&graph, SQUARE);
        assert!(solved);
        assert_eq!(found, [1, 1]);
        assert_eq!(cost(&graph, &found, SQUARE), 120.0);
    }

    #[test]
    fn the_optimum_is_that_of_all_assignments() {
        let graphs: [&[(u32, u32)]; 4] = [
            &[(1, 1), (1, 2), (2, 1), (2, 2), (3, 3)],
            &[(1, 1), (1, 2), (1, 3), (2, 3), (3, 3), (4, 3), (4, 4)],
            &[(1, 1)],
            &[(1, 1), (2, 2), (3, 3), (1, 3), (2, 3), (3, 1)],
        ];
        let uneven = Weights {
            inner: 60.0,
            outer: [20.0, 3.0],
        };
        for pairs in graphs {
            for weights in [SQUARE, uneven] {
                let graph = edges(pairs);
                let all = (0..1_usize << graph.len()).map(|bits| {
                    let sides: Vec<usize> = (0..graph.len()).map(|at| bits >> at & 1).collect();
                    cost(&graph, &sides, weights)
                });
                let least = all.fold(f64::INFINITY, f64::min);
                let (found, solved) = factorise(&graph, weights);
                assert!(solved);
                assert_eq!(cost(&graph, &found, weights), least, "{pairs:?}");
                assert!(cost(&graph, &greedy(&graph, weights), weights) >= least);
            }
        }
    }
}
