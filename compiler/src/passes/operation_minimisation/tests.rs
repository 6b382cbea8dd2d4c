//! The fewest operations of sums of products, and that programs keep their meaning.

use std::collections::BTreeSet;

use super::space::Space;
use super::terms::Terms;
use super::trees::search;
use super::{products, run};
use crate::analysis::cost;
use crate::ir::text;

/// A sum of a product: the loops of each factor and of the result, their extents, and the fewest
/// operations that any order of products and sums takes, by exhaustive search. A sum of n terms has
/// n - 1 additions.
type Case = (
    &'static str,
    &'static [&'static str],
    &'static str,
    &'static [(char, usize)],
    u64,
);

#[rustfmt::skip]
const CASES: [Case; 30] = [
    ("paper_fig1", &["ij", "jkl", "kl"], "k", &[('i', 500), ('j', 100), ('k', 40), ('l', 15)], 170460),
    ("paper_fig1_jsmall", &["ij", "jkl", "kl"], "k", &[('i', 500), ('j', 15), ('k', 40), ('l', 100)], 128045),
    ("ccsd_like", &["acik", "befl", "dfjk", "cdel"], "abij", &[('a', 10), ('b', 10), ('c', 10), ('d', 10), ('e', 10), ('f', 10), ('i', 4), ('j', 4), ('k', 4), ('l', 4)], 1234800),
    ("ccsd_like_equal", &["acik", "befl", "dfjk", "cdel"], "abij", &[('a', 8), ('b', 8), ('c', 8), ('d', 8), ('e', 8), ('f', 8), ('i', 8), ('j', 8), ('k', 8), ('l', 8)], 1560576),
    ("chain3", &["ij", "jk", "kl"], "il", &[('i', 10), ('j', 100), ('k', 5), ('l', 50)], 14450),
    ("chain4", &["ik", "kl", "lm", "mj"], "ij", &[('i', 37), ('j', 73), ('k', 413), ('l', 11), ('m', 529)], 1241267),
    ("four_index", &["pqrs", "pa", "qb", "rc", "sd"], "abcd", &[('a', 12), ('b', 12), ('c', 12), ('d', 12), ('p', 20), ('q', 20), ('r', 20), ('s', 20)], 8146944),
    ("sumfact_p6", &["ijk", "ai", "bj", "ck"], "abc", &[('a', 7), ('b', 7), ('c', 7), ('i', 6), ('j', 6), ('k', 6)], 9779),
    ("trace_chain", &["ij", "jk", "ki"], "", &[('i', 20), ('j', 30), ('k', 40)], 48599),
    ("dot", &["i", "i"], "", &[('i', 100)], 199),
    ("outer_sum", &["i", "j"], "", &[('i', 100), ('j', 50)], 149),
    ("sum_only", &["ijk"], "", &[('i', 4), ('j', 9), ('k', 25)], 899),
    ("quadratic_form", &["i", "ij", "j"], "", &[('i', 30), ('j', 70)], 4229),
    ("hadamard4", &["ij", "ij", "j", "i"], "ij", &[('i', 30), ('j', 20)], 1800),
    ("presum", &["ij", "kl", "jk"], "", &[('i', 50), ('j', 4), ('k', 6), ('l', 90)], 781),
    ("rand01", &["ijk", "ij", "i", "ijk"], "ijk", &[('i', 4), ('j', 10), ('k', 20)], 1640),
    ("rand04", &["i", "ijkl", "il"], "ik", &[('i', 64), ('j', 10), ('k', 10), ('l', 3)], 20672),
    ("rand07", &["ijkl", "ijk", "jkl"], "ij", &[('i', 20), ('j', 1), ('k', 10), ('l', 20)], 8180),
    ("rand10", &["i", "j", "i", "ij", "ij"], "j", &[('i', 50), ('j', 50)], 7550),
    ("rand13", &["ijk", "j", "i"], "jk", &[('i', 20), ('j', 2), ('k', 1)], 80),
    ("rand16", &["ij", "i"], "j", &[('i', 16), ('j', 50)], 1550),
    ("rand19", &["ikl", "ij", "ijk"], "", &[('i', 50), ('j', 3), ('k', 64), ('l', 64)], 220949),
    ("rand22", &["klm", "ijl", "ijkl", "ij", "j"], "ikm", &[('i', 3), ('j', 1), ('k', 16), ('l', 10), ('m', 10)], 9633),
    ("rand25", &["i", "jl", "ikl", "j", "ik"], "", &[('i', 3), ('j', 20), ('k', 1), ('l', 20)], 905),
    ("rand28", &["ik", "i", "jk"], "i", &[('i', 64), ('j', 10), ('k', 16)], 2192),
    ("rand31", &["k", "jk", "k", "ik"], "j", &[('i', 20), ('j', 50), ('k', 4)], 434),
    ("rand34", &["i", "jk", "k", "ik"], "jk", &[('i', 2), ('j', 20), ('k', 20)], 480),
    ("rand37", &["in", "in", "ijklmn", "ilmn", "ijkln"], "ijkl", &[('i', 16), ('j', 20), ('k', 5), ('l', 64), ('m', 4), ('n', 20)], 18411840),
    ("rand40", &["i", "ij", "jkl"], "", &[('i', 4), ('j', 2), ('k', 16), ('l', 8)], 271),
    ("rand43", &["i", "j"], "", &[('i', 20), ('j', 10)], 29),
];

/// The program of a case.
fn program(case: &Case) -> String {
    let (name, factors, out, extents, _) = case;
    let extent = |index: char| {
        let known = extents.iter().find(|(other, _)| *other == index);
        known.map_or(0, |(_, extent)| *extent)
    };
    let list = |indices: &str| {
        let names: Vec<String> = indices.chars().map(|index| format!("i_{index}")).collect();
        names.join(", ")
    };
    let shape = |indices: &str| {
        let extents: Vec<String> = indices.chars().map(|i| extent(i).to_string()).collect();
        extents.join(", ")
    };
    let access = |name: String, indices: &str| match indices {
        "" => name,
        _ => format!("{name}[{}]", list(indices)),
    };
    let array = |indices: &str| match indices {
        "" => "f64".to_owned(),
        _ => format!("f64[{}]", shape(indices)),
    };
    let mut text = format!("program {name}\n");
    for (index, extent) in *extents {
        text.push_str(&format!("index i_{index}: {extent}\n"));
    }
    for (at, factor) in factors.iter().enumerate() {
        text.push_str(&format!("param {at} x{at}: {}\n", array(factor)));
    }
    text.push_str(&format!("output {} w: {}\n", factors.len(), array(out)));
    let summed: String = extents
        .iter()
        .map(|(i, _)| *i)
        .filter(|i| !out.contains(*i))
        .collect();
    let product: Vec<String> = factors
        .iter()
        .enumerate()
        .map(|(at, factor)| access(format!("x{at}"), factor))
        .collect();
    let sum = match summed.as_str() {
        "" => String::new(),
        _ => format!("sum({}) ", list(&summed)),
    };
    let free = match *out {
        "" => String::new(),
        _ => format!("   for {}", list(out)),
    };
    let target = access("w".to_owned(), out);
    text.push_str(&format!("{target} = {sum}{}{free}\n", product.join(" * ")));
    text
}

#[test]
fn products_and_sums_have_the_best_order() {
    for case in &CASES {
        let (name, .., fewest) = case;
        let mut program = text::parse(&program(case)).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let equation = program.equations[0].clone();
        if equation.reduction.is_empty() {
            continue;
        }
        let found = Terms::default().of(&mut program, &equation, &BTreeSet::new());
        let terms = found.expect(name);
        let products: Vec<_> = products(0, &terms).collect();
        let factors = products.iter().flat_map(|p| p.factors.iter().copied());
        let space = Space::new(&program, &[&equation], factors, 0).expect(name);
        let (forest, _) = search(&space, 1, &products);
        assert_eq!(forest.operations, *fewest, "{name}");
    }
}

#[test]
fn what_is_found_is_what_is_written() {
    for case in &CASES {
        let (name, .., fewest) = case;
        let mut program = text::parse(&program(case)).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let before = cost::program(&program).operations();
        run(&mut program);
        let after = cost::program(&program).operations();
        // A sum that is no better than it was stays.
        assert!(
            after <= before && after >= *fewest,
            "{name}: {after} of {before}"
        );
    }
}

#[test]
fn products_with_signs_and_factors_have_steps_too() {
    let head = "program p\nindex i: 9\nindex l: 6\nindex k: 7\nindex j: 8\nparam 0 a: f64[9, 8]\n\
                param 1 b: f64[8, 7]\nparam 2 d: f64[7, 6]\noutput 3 w: f64[9, 6]\n";
    for (sum, most) in [
        ("-(a[i, j] * b[j, k]) * d[k, l]", 1488 + 54),
        ("(-2.5 * a[i, j]) * b[j, k] * d[k, l]", 1488 + 432),
        (
            "a[i, j] * b[j, k] * d[k, l] - b[j, k] * a[i, j] * a[i, j]",
            4000,
        ),
    ] {
        let text = format!("{head}w[i, l] += sum(k, j) {sum}   for i, l\n");
        let mut program = text::parse(&text).unwrap();
        run(&mut program);
        let found = cost::program(&program).operations();
        assert!(found <= most, "{sum}: {found}");
    }
}
