//! What texts gain in the hands of LLVM, by how what they read and write lies.

use super::*;
use crate::analysis::cost::NOMINAL;
use crate::ir::text;
use crate::machine::LATENCY;

/// Cycles of a program's text with registers of 512 bits, in parts of those without lanes.
fn gain(program: &str) -> f64 {
    gain_of(&format!(
        "program p\n\nindex e: len(y)\nindex c: 2\n\n{program}\n"
    ))
}

fn gain_of(program: &str) -> f64 {
    let compiled = Compiled::of(&text::parse(program).unwrap()).unwrap();
    let Compiled(scalar) = &compiled;
    compiled.cycles(512) / scalar.cycles
}

#[test]
fn neighbours_have_lanes_and_what_is_narrow_has_more() {
    let floats = gain("param 0 x: f64[len(x)]\noutput 1 y: f64[len(y)]\n\ny[e] = x[e] + 1   for e");
    let bytes = gain("param 0 x: u8[len(x)]\noutput 1 y: u8[len(y)]\n\ny[e] = x[e]   for e");
    assert!((floats - 1.0 / (0.6 * 8.0)).abs() < 1e-12, "{floats}");
    assert!((bytes - 1.0 / (0.4 * 64.0)).abs() < 1e-12, "{bytes}");
}

#[test]
fn what_a_branch_reads_is_checked_there() {
    let branch = |read: &str| {
        gain(&format!(
            "param 0 x: f64[len(y)]\noutput 1 y: f64[len(y)]\n\n\
             y[e] = if x[e] > 1 {{ {read} }} else {{ 2 }}   for e"
        ))
    };
    assert!((branch("x[e] + 3") - 1.0 / (0.6 * 8.0)).abs() < 1e-12);
    assert!((branch("x[e + 1]") - 1.0).abs() < 1e-12);
}

#[test]
fn sums_keep_their_order() {
    let sum = "program p\n\nindex e: len(y)\nparam 0 x: f64[len(y)]\noutput 1 y: f64[len(y)]\n\
               output 2 s: f64\n\ns += sum(e) x[e]\n";
    let compiled = Compiled::of(&text::parse(sum).unwrap()).unwrap();
    let (scalar, lanes) = (compiled.cycles(64), compiled.cycles(512));
    assert!((lanes - scalar).abs() < 1e-12, "{lanes} {scalar}");
    assert!(scalar >= LATENCY * NOMINAL as f64, "{scalar}");
}

#[test]
fn sums_of_integers_have_lanes_where_they_run_over_all_of_an_array() {
    let sum = |length: &str| {
        gain(&format!(
            "index i: {length}\nparam 0 x: w_u64[len(x)]\nparam 1 n: usize\noutput 2 y: f64[len(y)]\n\
             output 3 s: w_u64\n\ns += sum(i) x[i]"
        ))
    };
    let (all, some) = (sum("len(x)"), sum("n"));
    assert!((all - 1.0 / (SUMS * 8.0)).abs() < 1e-12, "{all}");
    assert!((some - 1.0 / (TOGETHER * 8.0)).abs() < 1e-12, "{some}");
}

#[test]
fn sums_of_integers_in_rows_have_lanes_along_these() {
    let rows = |element: &str, length: usize| {
        gain(&format!(
            "index k: {length}\nparam 0 x: {element}[len(y), {length}]\noutput 1 y: {element}[len(y)]\n\n\
             y[e] = sum(k) x[e, k]   for e"
        ))
    };
    let (words, floats) = (rows("w_u32", 4), rows("f32", 16));
    assert!((words - 1.0 / (SUMS * 4.0)).abs() < 1e-12, "{words}");
    assert!(floats > 0.4, "{floats}");
    // Those of rows that are too long to be shuffled are gathered.
    let gathered = rows("w_u32", 16);
    assert!(gathered > 0.2, "{gathered}");
}

#[test]
fn what_lies_apart_gains_where_it_is_used() {
    let arrays = "param 0 x: f64[len(x), 4]\noutput 1 y: f64[len(y)]\n\n";
    let all = gain(&format!(
        "{arrays}y[e] = x[e, 0] + x[e, 1] * x[e, 3]   for e"
    ));
    let one = gain(&format!("{arrays}y[e] = x[e, 1] + 2   for e"));
    assert!((all - APART).abs() < 1e-12, "{all}");
    let records = gain(
        "param 0 x: f64[len(y), 2]\noutput 1 y: f64[len(y), 2]\n\n\
         y[e, 0] = x[e, 1] + 1   for e\ny[e, 1] = x[e, 0] + 1   for e",
    );
    assert!((records - 1.0 / (8.0 * RECORDS)).abs() < 1e-12, "{records}");
    assert!((one - 1.0).abs() < 1e-12, "{one}");
    // Pairs of records in one array, a row apart: which row, only the call knows.
    let pairs = gain_of(
        "program p\n\nindex r: n\nindex e: len(x)\nparam 0 n: usize\nparam 1 x: f64[len(x)]\n\
         output 2 y: f64[len(y), len(x), 2]\nstate 2 y_held: f64[len(y), len(x), 2]\n\n\
         y[2*r, e, 0] = y_held[2*r + 1, e, 0] + 1   for r, e\n\
         y[2*r, e, 1] = y_held[2*r + 1, e, 1] + 1   for r, e\n",
    );
    assert!((pairs - 1.0).abs() < 1e-12, "{pairs}");
}

#[test]
fn what_is_stored_with_gaps_is_scattered() {
    let scatters = |stored: &str| {
        let program = format!(
            "program p\n\nindex e: len(y)\n\nparam 0 x: f64[len(x)]\noutput 1 y: f64[len(y), 2]\n\n{stored}\n"
        );
        Compiled::of(&text::parse(&program).unwrap())
            .unwrap()
            .scatters()
    };
    assert!(scatters("y[e, 0] = x[e]   for e"));
    assert!(!scatters(
        "y[e, 0] = x[e]   for e\ny[e, 1] = x[e] + 1   for e"
    ));
}

#[test]
fn index_maps_are_followed_one_by_one() {
    let map = "param 0 x: f64[len(x)]\nparam 1 m: usize[len(m)]\noutput 2 y: f64[len(y)]\n\n\
               y[e] = x[m[e]] + 1   for e";
    assert!((gain(map) - 1.0).abs() < 1e-12);
}

#[test]
fn short_sums_wait_for_little_where_many_are_in_flight() {
    let sums = |terms: usize| {
        let program = format!(
            "program p\n\nindex e: len(y)\nindex a: {terms}\nparam 0 x: f64[len(x)]\nparam 1 m: u32[len(y), {terms}]\n\
             output 2 y: f64[len(y)]\n\ny[e] = sum(a) x[m[e, a]]   for e\n"
        );
        let compiled = Compiled::of(&text::parse(&program).unwrap()).unwrap();
        compiled.cycles(256) / NOMINAL as f64 / terms as f64
    };
    // Two loads a term, against four cycles that an addition takes.
    assert!(sums(4) < 2.0, "{}", sums(4));
    assert!(sums(128) >= LATENCY, "{}", sums(128));
}
