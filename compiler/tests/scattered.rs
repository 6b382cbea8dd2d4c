//! Copies of staged results to nodes of a mesh.

use loopwright_compiler::driver::expand;

/// How many loops over lanes the variant for AVX2 has.
fn loops_over_lanes(kernel: &str) -> usize {
    let text = format!("::loopwright; {kernel}");
    let found = expand(text.parse().expect("these are tokens")).to_string();
    let (_, variant) = found.split_once("fn __avx2").expect("it has lanes");
    let (variant, _) = variant.split_once("fn __scalar").expect("the next one");
    variant.matches("for lane").count()
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
