//! Fusions of small random graphs against all that there are.

use super::{Graphs, least};
use crate::ir::text;

/// The loops, and how long they are.
const LOOPS: [(&str, u64); 4] = [("i", 5), ("j", 3), ("k", 4), ("l", 5)];
/// Most fusions of a graph that are looked at.
const MOST: usize = 3000;

/// An equation: the loops along the dimensions of what it writes, those that it sums over, and what it reads.
#[derive(Debug)]
struct Node {
    dimensions: Vec<usize>,
    sums: Vec<usize>,
    /// The equation that writes it, and the loops in its subscripts.
    reads: Vec<(usize, Vec<usize>)>,
}

impl Node {
    fn loops(&self) -> impl Iterator<Item = usize> + '_ {
        self.dimensions.iter().chain(&self.sums).copied()
    }
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

fn random(random: &mut Random) -> Vec<Node> {
    let count = 2 + random.below(5) as usize;
    let most = 1 + random.below(LOOPS.len() as u64);
    let mut nodes: Vec<Node> = Vec::new();
    for _ in 0..count {
        let mut node = Node {
            dimensions: Vec::new(),
            sums: Vec::new(),
            reads: Vec::new(),
        };
        for index in 0..most as usize {
            match random.below(4) {
                0 => {}
                1 => node.sums.push(index),
                _ => node.dimensions.push(index),
            }
        }
        for (earlier, read) in nodes.iter().enumerate() {
            let own = &read.dimensions;
            let turned: Vec<usize> = own.iter().map(|index| [3, 1, 2, 0][*index]).collect();
            let subscripts = if random.below(5) == 0 {
                turned
            } else {
                own.clone()
            };
            let fits = subscripts
                .iter()
                .all(|index| node.loops().any(|own| own == *index));
            if fits && random.below(3) > 0 {
                node.reads.push((earlier, subscripts));
            }
        }
        nodes.push(node);
    }
    nodes
}

/// Whether something reads a node: it is a temporary then.
fn is_read(nodes: &[Node], at: usize) -> bool {
    nodes
        .iter()
        .any(|node| node.reads.iter().any(|(read, _)| *read == at))
}

/// The text of a program.
fn program(nodes: &[Node]) -> String {
    let mut text = "program p\n".to_owned();
    for (name, extent) in LOOPS {
        text += &format!("index {name}: {extent}\n");
    }
    let names = |loops: &[usize]| {
        let names: Vec<&str> = loops.iter().map(|at| LOOPS[*at].0).collect();
        names.join(", ")
    };
    let array = |loops: &[usize]| {
        let extents: Vec<String> = loops.iter().map(|at| LOOPS[*at].1.to_string()).collect();
        if extents.is_empty() {
            String::new()
        } else {
            format!("[{}]", extents.join(", "))
        }
    };
    let at = |loops: &[usize]| {
        if loops.is_empty() {
            String::new()
        } else {
            format!("[{}]", names(loops))
        }
    };
    let (mut positions, mut temporaries, mut equations) = (0, String::new(), String::new());
    for (number, node) in nodes.iter().enumerate() {
        let all: Vec<usize> = node.loops().collect();
        text += &format!("param {positions} x{number}: f64{}\n", array(&all));
        positions += 1;
        match is_read(nodes, number) {
            true => temporaries += &format!("temp t{number}: f64{}\n", array(&node.dimensions)),
            false => {
                text += &format!(
                    "output {positions} t{number}: f64{}\n",
                    array(&node.dimensions)
                );
                positions += 1;
            }
        }
        let mut value = format!("x{number}{}", at(&all));
        for (read, subscripts) in &node.reads {
            value += &format!(" * t{read}{}", at(subscripts));
        }
        let sum = if node.sums.is_empty() {
            String::new()
        } else {
            format!("sum({}) ", names(&node.sums))
        };
        let around = if node.dimensions.is_empty() {
            String::new()
        } else {
            format!("   for {}", names(&node.dimensions))
        };
        equations += &format!("t{number}{} = {sum}{value}{around}\n", at(&node.dimensions));
    }
    text + &temporaries + &equations
}

/// Chains of the loops of a graph, by number.
struct Fusions<'a> {
    nodes: &'a [Node],
    /// The loops: of which node, and which.
    loops: Vec<(usize, usize)>,
    chains: Vec<usize>,
    /// How many were looked at, and the least memory of those that are legal and better than what is known.
    met: usize,
    least: u64,
}

impl Fusions<'_> {
    /// The chain of a node's loop.
    fn chain(&self, node: usize, index: usize) -> usize {
        let at = self.loops.iter().position(|own| *own == (node, index));
        self.chains[at.unwrap()]
    }

    fn memory(&self) -> u64 {
        let nodes = 0..self.nodes.len();
        let sizes = nodes.filter(|at| is_read(self.nodes, *at)).map(|at| {
            let own = self.nodes[at].dimensions.iter().enumerate();
            let kept = own.filter(|(axis, index)| {
                let readers = self.nodes.iter().enumerate();
                let mut reads =
                    readers.flat_map(|(by, node)| node.reads.iter().map(move |read| (by, read)));
                !reads.all(|(by, (read, subscripts))| {
                    *read != at || self.chain(by, subscripts[*axis]) == self.chain(at, **index)
                })
            });
            kept.map(|(_, index)| LOOPS[*index].1).product::<u64>()
        });
        sizes.sum()
    }

    /// The nodes of each chain.
    fn scopes(&self) -> Vec<Vec<usize>> {
        let chains = 0..self.chains.len();
        let of = |chain: usize| {
            let own = self
                .loops
                .iter()
                .zip(&self.chains)
                .filter(|(_, other)| **other == chain);
            own.map(|((node, _), _)| *node).collect()
        };
        chains.map(of).collect()
    }

    /// Whether what is read in a chain was written in the same iteration of it.
    fn meets(&self, scopes: &[Vec<usize>]) -> bool {
        scopes.iter().enumerate().all(|(chain, scope)| {
            scope.iter().all(|by| {
                self.nodes[*by]
                    .reads
                    .iter()
                    .filter(|(read, _)| scope.contains(read))
                    .all(|(read, subscripts)| {
                        let own = self.nodes[*read].dimensions.iter().zip(subscripts);
                        let mut own = own.map(|(one, other)| [(*read, *one), (*by, *other)]);
                        own.any(|both| {
                            both.iter()
                                .all(|(node, index)| self.chain(*node, *index) == chain)
                        })
                    })
            })
        })
    }

    /// Whether there is an order in which each scope stands together, and each node is behind what it reads.
    fn is_ordered(&self, scopes: &[Vec<usize>], order: &mut Vec<usize>) -> bool {
        if order.len() == self.nodes.len() {
            return scopes.iter().all(|scope| {
                let places = scope
                    .iter()
                    .map(|node| order.iter().position(|own| own == node).unwrap());
                let ends = places.clone().min().zip(places.max());
                ends.is_none_or(|(first, last)| last - first + 1 == scope.len())
            });
        }
        (0..self.nodes.len()).any(|next| {
            let ready = self.nodes[next]
                .reads
                .iter()
                .all(|(read, _)| order.contains(read));
            if order.contains(&next) || !ready {
                return false;
            }
            order.push(next);
            let found = self.is_ordered(scopes, order);
            order.pop();
            found
        })
    }

    fn is_legal(&self) -> bool {
        let scopes = self.scopes();
        let nested = |a: &[usize], b: &[usize]| {
            let common = a.iter().filter(|node| b.contains(node)).count();
            common == 0 || common == a.len() || common == b.len()
        };
        let mut pairs = scopes
            .iter()
            .flat_map(|a| scopes.iter().map(move |b| (a, b)));
        self.meets(&scopes)
            && pairs.all(|(a, b)| nested(a, b))
            && self.is_ordered(&scopes, &mut Vec::new())
    }

    /// Looks at all that fuse one loop after the other.
    fn all(&mut self, at: usize) {
        if self.met > MOST {
            return;
        }
        if at == self.loops.len() {
            self.met += 1;
            let memory = self.memory();
            if memory < self.least && self.is_legal() {
                self.least = memory;
            }
            return;
        }
        let (node, index) = self.loops[at];
        for chain in 0..=at {
            let own = (0..at).filter(|other| self.chains[*other] == chain);
            let (mut same, mut any) = (true, false);
            for other in own {
                any = true;
                let (by, along) = self.loops[other];
                same &= by != node && LOOPS[along].1 == LOOPS[index].1;
            }
            if same && (any || chain == at) {
                self.chains[at] = chain;
                self.all(at + 1);
            }
        }
    }
}

#[test]
fn no_fusion_of_a_graph_takes_less() {
    let (mut numbers, mut graphs, mut gains) = (Random(1), 0, [0, 0]);
    while graphs < 120 {
        let nodes = random(&mut numbers);
        let loops = nodes.iter().enumerate();
        let loops: Vec<(usize, usize)> = loops
            .flat_map(|(at, node)| node.loops().map(move |index| (at, index)))
            .collect();
        let text = program(&nodes);
        let parsed = text::parse(&text).unwrap();
        let found = least(&parsed, (None, &|_, _| true), (1 << 18, Graphs::Least)).unwrap();
        let memory = found.graph.memory(&found.chains);
        assert!(found.graph.is_legal(&found.chains), "{text}");
        let mut fusions = Fusions {
            nodes: &nodes,
            chains: vec![0; loops.len()],
            loops,
            met: 0,
            least: memory + 1,
        };
        fusions.all(0);
        if fusions.met > MOST {
            continue;
        }
        assert_eq!(fusions.least, memory, "{text}");
        let several = |at: usize| {
            let readers = nodes
                .iter()
                .filter(|node| node.reads.iter().any(|(read, _)| *read == at));
            readers.count() > 1
        };
        graphs += usize::from((0..nodes.len()).any(several));
        let joined = least(&parsed, (None, &|_, _| true), (1 << 18, Graphs::Once)).unwrap();
        let others = [found.graph.apart(), joined.chains];
        for (gains, other) in gains.iter_mut().zip(&others) {
            *gains += usize::from(memory < found.graph.memory(other));
        }
    }
    assert!(gains[0] > 60 && gains[1] > 5, "{gains:?}");
}
