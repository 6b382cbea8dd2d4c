//! What each cell of a mesh has of its own, and what it adds to the nodes.

use loopwright_compiler::driver::expand;

/// The code of the variant for AVX2.
fn with_avx2(kernel: &str) -> String {
    let text = format!("::loopwright; {kernel}");
    let found = expand(text.parse().expect("these are tokens")).to_string();
    let (_, variant) = found.split_once("fn __avx2").expect("it has lanes");
    let (variant, _) = variant.split_once("fn __scalar").expect("the next one");
    variant.to_owned()
}

/// How many loops over lanes the variant for AVX2 has.
fn loops_over_lanes(kernel: &str) -> usize {
    with_avx2(kernel).matches("for lane").count()
}

#[test]
fn components_go_to_a_node_together() {
    let loops = loops_over_lanes(
            "#[opt(lanes(e))] pub fn k(cells: &[[u32; 4]], grads: &[[[f64; 3]; 4]], u: &[[f64; 3]], f: &mut [[f64; 3]]) {
                for e in 0..cells.len() {
                    let mut h = [[0.0; 3]; 3];
                    for a in 0..4 { for i in 0..3 { for j in 0..3 {
                        h[i][j] += u[cells[e][a] as usize][i] * grads[e][a][j];
                    } } }
                    for a in 0..4 { for i in 0..3 {
                        let mut t = 0.0;
                        for j in 0..3 { t += (h[i][j] + h[j][i]) * grads[e][a][j]; }
                        f[cells[e][a] as usize][i] += t;
                    } }
                }
            }",
    );
    assert_eq!(loops, 1);
}

/// ∫ ∇u·∇v on hexahedra of degree 2; `metric` has six numbers for each point of a cell.
const LAPLACE: &str = "#[opt(lanes(e))] pub fn k(metric: &[[[f64; 6]; 27]], dofs: &[[usize; 27]], u: &[f64], y: &mut [f64]) {
    static DPHI: [[[f64; 27]; 27]; 3] = tabulate!(hexahedron, quadrature(5), lagrange(2), gradient);
    for e in 0..dofs.len() {
        let mut local = [0.0; 27];
        for q in 0..27 {
            let mut g = [0.0; 3];
            for j in 0..27 { for r in 0..3 { g[r] += u[dofs[e][j]] * DPHI[r][q][j]; } }
            let m = metric[e][q];
            let f = [
                m[0] * g[0] + m[3] * g[1] + m[4] * g[2],
                m[3] * g[0] + m[1] * g[1] + m[5] * g[2],
                m[4] * g[0] + m[5] * g[1] + m[2] * g[2],
            ];
            for i in 0..27 { for r in 0..3 { local[i] += f[r] * DPHI[r][q][i]; } }
        }
        for i in 0..27 { y[dofs[e][i]] += local[i]; }
    }
}";

/// ∫ ρ u v on hexahedra of degree 4; `density` has a number for each point of a cell.
const MASS: &str = "#[opt(lanes(e))] pub fn k(density: &[[f64; 125]], dofs: &[[usize; 125]], u: &[f64], y: &mut [f64]) {
    static PHI: [[f64; 125]; 125] = tabulate!(hexahedron, quadrature(9), lagrange(4));
    for e in 0..dofs.len() {
        let mut local = [0.0; 125];
        for q in 0..125 {
            let mut value = 0.0;
            for j in 0..125 { value += u[dofs[e][j]] * PHI[q][j]; }
            for i in 0..125 { local[i] += density[e][q] * value * PHI[q][i]; }
        }
        for i in 0..125 { y[dofs[e][i]] += local[i]; }
    }
}";

#[test]
fn neighbours_of_a_cell_are_loaded_together_in_loops_over_its_points() {
    for (kernel, array) in [(LAPLACE, "metric_p"), (MASS, "density_p")] {
        let variant = with_avx2(kernel);
        let rows = variant
            .matches(&format!("_mm256_loadu_pd ({array}"))
            .count();
        let alone = variant.matches(&format!("* {array}")).count();
        // The last of five points is no part of a row of four.
        assert!(
            rows >= 4 && alone <= 4,
            "{array}: {rows} rows, {alone} alone"
        );
    }
}

#[test]
fn results_go_to_nodes_from_where_the_sums_leave_them() {
    for kernel in [LAPLACE, MASS] {
        let variant = with_avx2(kernel);
        assert!(!variant.contains("y_staged_p"));
        assert!(variant.contains("y_places_p"));
        // All lanes of a node at once, and one lane after the other at the end of the cells.
        assert!(variant.contains("each_1 [3]"));
        assert_eq!(variant.matches("for lane").count(), 1);
    }
}
