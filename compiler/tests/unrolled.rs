//! Loops that are unrolled thousands of times.

use loopwright_compiler::driver::{Settings, expand_with};

/// Loops of extent 2, and what they compute.
fn nested(depth: usize, declared: &str, statement: &str) -> String {
    let mut text = format!("pub fn kernel(x: &[f64; 64], y: &mut {declared}) {{\n");
    for at in 0..depth {
        text.push_str(&format!("for i{at} in 0..2 {{\n"));
    }
    text.push_str(statement);
    text.push_str(&"}".repeat(depth + 1));
    text
}

fn expanded(text: &str) -> String {
    let facade = "::loopwright".parse().unwrap();
    let tokens = text.parse().unwrap();
    expand_with(&facade, tokens, &Settings::default()).to_string()
}

fn sum(depth: usize, factor: impl Fn(usize) -> usize) -> String {
    let terms: Vec<String> = (0..depth)
        .map(|at| format!("{} * i{at}", factor(at)))
        .collect();
    terms.join(" + ")
}

#[test]
fn many_elements_written_one_by_one_run_as_written() {
    let subscript = sum(13, |at| 1 << at);
    let text = nested(13, "[f64; 8192]", &format!("y[{subscript}] = x[i0 + i1];"));
    let expansion = expanded(&text);
    assert!(
        expansion.contains("runs as written") && expansion.contains("more than 4096 elements"),
        "{expansion}"
    );
}

#[test]
fn many_additions_to_few_elements_become_few_sums() {
    let subscript = sum(12, |_| 1);
    let text = nested(12, "[f64; 13]", &format!("y[{subscript}] += x[i0 + i1];"));
    let expansion = expanded(&text);
    let merged = "4083 accumulations merged into others";
    assert!(expansion.contains(merged), "{expansion}");
}

/// A product of three matrices in two nests, with what the first one leaves in a local array.
fn sandwich(n: usize) -> String {
    format!(
        "pub fn kernel(a: &[[f32; {n}]; {n}], m: &[[f32; {n}]; {n}], c: &mut [[f32; {n}]; {n}]) {{
            let mut t = [[0.0; {n}]; {n}];
            for k in 0..{n} {{ for j in 0..{n} {{ for l in 0..{n} {{ t[k][j] += m[k][l] * a[l][j]; }} }} }}
            for i in 0..{n} {{ for j in 0..{n} {{ for k in 0..{n} {{ c[i][j] += a[k][i] * t[k][j]; }} }} }}
        }}"
    )
}

#[test]
fn local_arrays_of_as_many_operations_are_where_they_take_fewer_cycles() {
    for n in [7, 8] {
        let expansion = expanded(&sandwich(n));
        assert!(expansion.contains("local arrays in memory: "), "{n}");
        // Each element by itself would be a line or more for each of the sums.
        assert!(expansion.len() < 100_000, "{}", expansion.len());
    }
}
