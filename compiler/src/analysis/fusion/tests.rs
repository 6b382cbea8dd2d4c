//! Exact optima, the paper's own table, and that what is found is legal.

use serde_json::Value;

use super::{Fusion, Loops, Memory, Node, Tree, memory};
use crate::ir::text;

/// A tree with the names of its loops and nodes.
#[derive(Default)]
struct Named {
    tree: Tree,
    loops: Vec<char>,
    nodes: Vec<String>,
}

impl Named {
    fn set(&self, loops: &str) -> Loops {
        let at = |name: char| self.loops.iter().position(|other| *other == name);
        // A loop that no node has is fused with nothing.
        loops
            .chars()
            .filter_map(at)
            .fold(0, |set, at| set | 1 << at)
    }

    /// Adds a node: its array's dimensions, and what is summed over besides.
    fn add(&mut self, name: &str, dimensions: &str, sums: &str, reads: &[usize]) -> usize {
        let dimensions = self.set(dimensions);
        self.tree.nodes.push(Node {
            loops: dimensions | self.set(sums),
            dimensions,
            reads: reads.to_vec(),
            fusible: dimensions,
            counted: true,
        });
        self.nodes.push(name.to_owned());
        self.nodes.len() - 1
    }

    fn names(&self, set: Loops) -> String {
        let all = self.loops.iter().enumerate();
        let mut names: Vec<char> = all
            .filter(|(at, _)| set >> at & 1 == 1)
            .map(|(_, name)| *name)
            .collect();
        names.sort_unstable();
        names.into_iter().collect()
    }

    /// The nodes of a case of `tests/data/oracles`, as they are nested there.
    fn nodes(&mut self, tree: &Value, options: &Value) -> usize {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let has = |list: &str, name: &str| {
            options[list]
                .as_array()
                .unwrap()
                .iter()
                .any(|other| other == name)
        };
        if let Some(name) = tree["leaf"].as_str() {
            let at = self.add(name, &text(&tree["dims"]), "", &[]);
            if has("resident", name) || has("uncounted", name) {
                self.tree.nodes[at].fusible = 0;
            }
            self.tree.nodes[at].counted = !has("uncounted", name);
            if let Some(allowed) = options["leaf_allowed"].get(name) {
                self.tree.nodes[at].fusible &= self.set(&text(allowed));
            }
            return at;
        }
        if let Some(name) = tree["sum"].as_str() {
            let argument = self.nodes(&tree["arg"], options);
            let (over, all) = (text(&tree["over"]), self.tree.nodes[argument].dimensions);
            let left = self.names(all & !self.set(&over));
            return self.add(name, &left, &over, &[argument]);
        }
        let arguments = tree["args"].as_array().unwrap().iter();
        let arguments: Vec<usize> = arguments.map(|one| self.nodes(one, options)).collect();
        let all = arguments
            .iter()
            .fold(0, |all, one| all | self.tree.nodes[*one].dimensions);
        let all = self.names(all);
        self.add(tree["mul"].as_str().unwrap(), &all, "", &arguments)
    }

    fn of(case: &Value) -> Named {
        let extents = case["extents"].as_object().unwrap();
        let mut named = Named {
            loops: extents
                .keys()
                .map(|name| name.chars().next().unwrap())
                .collect(),
            ..Named::default()
        };
        named.tree.extents = extents.values().map(|n| n.as_u64().unwrap()).collect();
        let root = named.nodes(&case["tree"], &case["options"]);
        if case["options"]["root"] == "whole" {
            named.tree.nodes[root].fusible = 0;
        }
        named
    }
}

/// Figure 1 (c).
fn figure_1() -> Named {
    let mut named = Named {
        loops: vec!['i', 'j', 'k', 'l'],
        ..Named::default()
    };
    named.tree.extents = vec![500, 100, 40, 15];
    let a = named.add("A", "ij", "", &[]);
    let f1 = named.add("f1", "j", "i", &[a]);
    let b = named.add("B", "jkl", "", &[]);
    let c = named.add("C", "kl", "", &[]);
    let f2 = named.add("f2", "jkl", "", &[b, c]);
    let f3 = named.add("f3", "jk", "l", &[f2]);
    let f4 = named.add("f4", "jk", "", &[f1, f3]);
    let f5 = named.add("f5", "k", "j", &[f4]);
    named.tree.nodes[f5].fusible = 0;
    named
}

/// Each pair of chains of fused loops has scopes that are apart or nested, and memory is what is said.
fn check(tree: &Tree, fusion: &Fusion, name: &str) {
    let mut memory = 0;
    let mut reader = vec![None; tree.nodes.len()];
    for (at, node) in tree.nodes.iter().enumerate() {
        node.reads.iter().for_each(|read| reader[*read] = Some(at));
        let fused = fusion.fused[at].all();
        assert_eq!(fused & !node.fusible, 0, "{name}");
        memory += tree.size(at, fused);
    }
    assert_eq!(memory, fusion.memory, "{name}");
    // The nodes of a chain are those that a loop is fused along, and the reader of the last one. The last
    // node's own reader is number n.
    let mut scopes: Vec<(usize, u128)> = Vec::new();
    for index in 0..tree.extents.len() {
        let mut of = vec![0_u128; tree.nodes.len() + 1];
        for at in 0..tree.nodes.len() {
            of[at] |= 1 << at;
            if fusion.fused[at].all() >> index & 1 == 1 {
                let above = reader[at].unwrap_or(tree.nodes.len());
                of[above] |= of[at] | 1 << above;
            } else if of[at].count_ones() > 1 {
                scopes.push((index, of[at]));
            }
        }
        let last = of[tree.nodes.len()];
        scopes.extend((last != 0).then_some((index, last)));
    }
    for (_, a) in &scopes {
        for (_, b) in &scopes {
            let common = a & b;
            assert!(
                common == 0 || common == *a || common == *b,
                "{name}: {a:b} and {b:b}"
            );
        }
    }
}

#[test]
fn memory_is_the_least() {
    let text = include_str!("../../../../tests/data/oracles/fusion_cases.json");
    let all: Value = serde_json::from_str(text).unwrap();
    let cases = all["cases"].as_array().unwrap();
    assert!(cases.len() > 30);
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let named = Named::of(case);
        assert_eq!(
            named.tree.unfused(),
            case["unfused_memory"].as_u64().unwrap(),
            "{name}"
        );
        let fusion = named.tree.least_memory().expect(name);
        assert_eq!(
            fusion.memory,
            case["optimal_memory"].as_u64().unwrap(),
            "{name}"
        );
        check(&named.tree, &fusion, name);
    }
}

/// Figure 4: the solutions of each node, as nesting, fusion, nesting at the reader, and memory.
#[test]
fn figure_4() {
    let named = figure_1();
    let solutions = named.tree.solutions().unwrap();
    let show = |nesting: &super::Nesting| {
        let sets: Vec<String> = nesting.0.iter().map(|set| named.names(*set)).collect();
        sets.join(",")
    };
    let mut rows = Vec::new();
    for (node, solutions) in named.nodes.iter().zip(&solutions.nodes) {
        for one in solutions {
            let (nesting, fusion, at) =
                (show(&one.nesting), show(&one.fusion), show(&one.at_reader));
            rows.push(format!(
                "{node} <{nesting}> <{fusion}> <{at}> {}",
                one.memory
            ));
        }
    }
    rows.sort();
    let mut expected = [
        "A <ij> <ij> <ij> 1",
        "B <jkl> <jkl> <jkl> 1",
        "C <kl> <kl> <kl,j> 1",
        "C <kl> <k> <k,jl> 15",
        "C <kl> <l> <l,jk> 40",
        "C <kl> <> <jkl> 600",
        // The reader f4 has loops j and k: the table's nesting <ij> of f1, within these, is none.
        "f1 <j> <j> <j,k> 2",
        "f1 <j> <> <jk> 101",
        "f2 <kl,j> <kl,j> <kl,j> 3",
        "f2 <k,jl> <k,jl> <k,jl> 17",
        "f2 <l,jk> <l,jk> <l,jk> 42",
        "f2 <jkl> <jkl> <jkl> 602",
        "f3 <k,j> <k,j> <k,j> 18",
        "f3 <jk> <jk> <jk> 603",
        "f4 <j,k> <j,k> <j,k> 606",
        "f4 <k,j> <k,j> <k,j> 120",
        "f4 <jk> <jk> <jk> 705",
        "f5 <> <> <> 160",
    ];
    expected.sort_unstable();
    assert_eq!(rows, expected);
}

/// Figure 5: 160 elements, what is fused, and the order.
#[test]
fn figure_5() {
    let named = figure_1();
    let fusion = named.tree.least_memory().unwrap();
    assert_eq!((named.tree.unfused(), fusion.memory), (178_740, 160));
    let fused: Vec<String> = fusion
        .fused
        .iter()
        .map(|one| named.names(one.all()))
        .collect();
    assert_eq!(fused, ["ij", "", "jkl", "k", "jkl", "jk", "jk", ""]);
    let order: Vec<&str> = named
        .tree
        .order(&fusion)
        .iter()
        .map(|at| named.nodes[*at].as_str())
        .collect();
    let before = |a: &str, b: &str| {
        let at = |name| order.iter().position(|other| *other == name);
        at(a) < at(b)
    };
    assert!(
        before("A", "f1") && before("f1", "f4") && before("f3", "f4"),
        "{order:?}"
    );
    assert!(before("C", "B"), "{order:?}");
}

/// Section 3.4. A tenth of `Y` is not zero: sums over its columns have 100 terms (loops p and q). What is read
/// twice by one reader is fused along loops that have one place in both reads; transforms are sums.
#[test]
fn the_electronic_structure_sequence() {
    // r, s: r and r1; R, S: RL1 and RL2 as dimensions of f2; p, q: nonzero columns; k, t; G, H: G and G1.
    let mut named = Named {
        loops: "rsRpqktGH".chars().collect(),
        ..Named::default()
    };
    named.tree.extents = vec![100_000, 100_000, 1000, 100, 100, 10, 100, 1000, 1000];
    let f1 = named.add("f1", "spRt", "", &[]);
    let f2 = named.add("f2", "sRt", "p", &[f1]);
    // Columns of f2 that Y does not have are left out: none is fused.
    named.tree.nodes[f2].fusible = named.set("st");
    let f5 = named.add("f5", "rsqt", "", &[f2]);
    let f6 = named.add("f6", "rst", "q", &[f5]);
    // Read as f6[r, r1, t] and f6[r1, r, t].
    named.tree.nodes[f6].fusible = named.set("t");
    let f7 = named.add("f7", "krs", "", &[]);
    let f10 = named.add("f10", "rst", "", &[f6]);
    let f11 = named.add("f11", "krst", "", &[f7, f10]);
    let f13 = named.add("f13", "kstG", "r", &[f11]);
    let f15 = named.add("f15", "ktGH", "s", &[f13]);
    // Each time is written as soon as it is complete.
    named.tree.nodes[f15].fusible = named.set("t");
    let unfused = named.tree.unfused() as f64;
    assert!((1.125e14..1.135e14).contains(&unfused), "{unfused:e}");
    let fusion = named.tree.least_memory().unwrap();
    check(&named.tree, &fusion, "self energy");
    let least = fusion.memory as f64;
    assert!(least < 1.105e11, "{least:e}");
}

/// A product of scalars has a nesting without loops, which is not the same as none.
#[test]
fn scalars_go_together() {
    let mut named = Named::default();
    let a = named.add("a", "", "", &[]);
    let b = named.add("b", "", "", &[]);
    named.add("c", "", "", &[a, b]);
    assert_eq!(named.tree.least_memory().unwrap().memory, 3);
}

/// A program's temporaries: what one equation reads is fused with it, what two read along loops that these share, and
/// reads of other places are not fused.
#[test]
fn memory_of_programs() {
    let of = |equations: &str| {
        let head = "program p\nindex i: 6\nindex j: 5\nindex k: 4\nindex m: 6\nparam 0 a: f64[6, 5]\n\
            param 1 b: f64[5, 4]\noutput 2 w: f64[6, 4]\ntemp s: f64[6]\ntemp t: f64[6, 4]\n";
        memory(&text::parse(&format!("{head}{equations}")).unwrap(), 0)
    };
    let product = "t[i, k] = sum(j) a[i, j] * b[j, k]   for i, k\n";
    let alone = of(&format!("{product}w[i, k] = t[i, k] * 2   for i, k\n"));
    assert_eq!(
        alone,
        Some(Memory {
            unfused: 24,
            fused: 1
        })
    );
    let shifted = of(&format!(
        "{product}w[i, k] = t[i, k] * t[0, k]   for i, k\n"
    ));
    assert_eq!(
        shifted,
        Some(Memory {
            unfused: 24,
            fused: 6
        })
    );
    let twice = of(&format!(
        "{product}s[i] = sum(k) t[i, k]   for i\nw[i, k] = t[i, k] * s[i]   for i, k\n"
    ));
    assert_eq!(
        twice,
        Some(Memory {
            unfused: 30,
            fused: 5
        })
    );
    // Loops of another name.
    let renamed = of("s[i] = sum(j) a[i, j]   for i\nt[m, k] = s[m]   for m, k\n\
        w[i, k] = t[i, k]   for i, k\n");
    assert_eq!(
        renamed,
        Some(Memory {
            unfused: 30,
            fused: 2
        })
    );
    assert_eq!(of("w[i, k] += sum(j) a[i, j] * b[j, k]   for i, k\n"), None);
}
