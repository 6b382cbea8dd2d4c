//! The fusion of loops that leaves temporaries the least memory (Lam 1999, section 3).
//!
//! A tree of equations is computed with some loops of each node fused with those of its reader: dimensions
//! along fused loops are contracted away. Which loops can be fused together is what nestings decide. The search
//! is the dynamic programme of figure 3, bottom up: for each node the nestings that are possible there, each
//! with the least memory below it, without those that another one is no worse than. It is exact under the
//! paper's model: no operation is repeated, all arrays exist all the time, and loops of two nodes are fused
//! only if one of them reads the other.
//!
//! Where one reader has several reads of a node, the loops may be fused along which these agree ([`Node::fusible`]).
//! Nodes with several readers make a [graph](Graph) of such trees, which [`least`] fuses further.

mod graph;
mod least;
mod nesting;
mod program;

pub use graph::{Chains, Equations, Graph};
pub use least::{Graphs, Least, least};
pub use nesting::{Loops, Nesting};
pub use program::{Memory, memory};

/// An array of a tree, and the loops that compute it.
#[derive(Clone, Debug)]
pub struct Node {
    /// All loops that it is computed in, those of its sums among them.
    pub loops: Loops,
    /// The loops that are dimensions of the array.
    pub dimensions: Loops,
    /// The nodes that it reads: they come before it.
    pub reads: Vec<usize>,
    /// The loops that may be fused with its reader's: none for what must be whole. Of the last node, those
    /// that what takes the results one by one may share with it.
    pub fusible: Loops,
    /// Whether its size counts.
    pub counted: bool,
}

/// A tree of arrays: each but the last is read by one that comes after it.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The iterations of each loop.
    pub extents: Vec<u64>,
    /// The arrays.
    pub nodes: Vec<Node>,
}

/// A way to fuse the loops of a node and of all below it.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The nesting that the nodes below lead to, as far as the reader has its loops.
    pub nesting: Nesting,
    /// The loops fused with the reader's.
    pub fusion: Nesting,
    /// The nesting at the reader.
    pub at_reader: Nesting,
    /// Elements of all arrays so far.
    pub memory: u64,
    /// Which solutions of the nodes that are read it is made of.
    sources: Vec<usize>,
}

/// What is found for each node.
#[derive(Clone, Debug)]
pub struct Solutions {
    /// The solutions that are not inferior to others, by node.
    pub nodes: Vec<Vec<Solution>>,
}

/// A fusion with the least memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fusion {
    /// The loops of each node that are fused with its reader's, outermost first.
    pub fused: Vec<Nesting>,
    /// Elements of all arrays that count.
    pub memory: u64,
}

/// Most work, in pairs of solutions that are compared or merged.
const WORK: u64 = 1 << 22;

/// Solutions of the nodes that are read, merged.
struct Merged {
    nesting: Nesting,
    memory: u64,
    sources: Vec<usize>,
}

impl Tree {
    /// Elements of a node's array where some of its loops are fused with its reader's.
    fn size(&self, node: usize, fused: Loops) -> u64 {
        let node = &self.nodes[node];
        if !node.counted {
            return 0;
        }
        let kept = node.dimensions & !fused;
        let extents = self.extents.iter().enumerate();
        let kept = extents.filter(|(at, _)| kept >> at & 1 == 1);
        kept.fold(1, |size: u64, (_, extent)| size.saturating_mul(*extent))
    }

    /// Elements of all arrays that count, where no loops are fused.
    pub fn unfused(&self) -> u64 {
        let sizes = (0..self.nodes.len()).map(|node| self.size(node, 0));
        sizes.fold(0, u64::saturating_add)
    }

    /// The solutions of each node; `None` if they are too many.
    pub fn solutions(&self) -> Option<Solutions> {
        self.solutions_within(WORK)
    }

    fn solutions_within(&self, most: u64) -> Option<Solutions> {
        let mut reader: Vec<Option<usize>> = vec![None; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            node.reads.iter().for_each(|read| reader[*read] = Some(at));
        }
        let mut work = 0;
        let mut nodes: Vec<Vec<Solution>> = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let above = reader[at].map_or(node.fusible, |reader| self.nodes[reader].loops);
            let merged = self.merged(at, &nodes, (&mut work, most))?;
            let mut pruned: Vec<Merged> = Vec::new();
            for mut one in merged {
                one.nesting = one.nesting.within(node.fusible & above);
                add(&mut pruned, one, &mut work);
                if work > most {
                    return None;
                }
            }
            let mut solutions: Vec<Solution> = Vec::new();
            for one in pruned {
                for fusion in one.nesting.prefixes() {
                    let size = self.size(at, fusion.all());
                    let at_reader = fusion.extended(above);
                    let solution = Solution {
                        nesting: one.nesting.clone(),
                        fusion,
                        at_reader,
                        memory: one.memory.saturating_add(size),
                        sources: one.sources.clone(),
                    };
                    add(&mut solutions, solution, &mut work);
                    if work > most {
                        return None;
                    }
                }
            }
            nodes.push(solutions);
        }
        Some(Solutions { nodes })
    }

    /// What the solutions of the nodes that one reads lead to, as far as they go together.
    fn merged(
        &self,
        at: usize,
        nodes: &[Vec<Solution>],
        (work, most): (&mut u64, u64),
    ) -> Option<Vec<Merged>> {
        let mut result = vec![Merged {
            nesting: Nesting::of(self.nodes[at].loops),
            memory: 0,
            sources: Vec::new(),
        }];
        for read in &self.nodes[at].reads {
            let mut next = Vec::new();
            for one in &result {
                for (number, solution) in nodes[*read].iter().enumerate() {
                    *work += 1;
                    let Some(nesting) = one.nesting.merged(&solution.at_reader) else {
                        continue;
                    };
                    let merged = Merged {
                        nesting,
                        memory: one.memory.saturating_add(solution.memory),
                        sources: one.sources.iter().copied().chain([number]).collect(),
                    };
                    add(&mut next, merged, work);
                    if *work > most {
                        return None;
                    }
                }
            }
            result = next;
        }
        Some(result)
    }

    /// A fusion with the least memory; `None` if there are too many to look at.
    pub fn least_memory(&self) -> Option<Fusion> {
        self.least_memory_within(WORK)
    }

    /// The same with so much work at most, in pairs of solutions that are compared.
    pub fn least_memory_within(&self, most: u64) -> Option<Fusion> {
        let solutions = self.solutions_within(most)?;
        let last = self.nodes.len().checked_sub(1)?;
        let all = solutions.nodes[last].iter().enumerate();
        let (best, solution) = all.min_by_key(|(_, solution)| solution.memory)?;
        let memory = solution.memory;
        let mut fused = vec![Nesting::default(); self.nodes.len()];
        let mut open = vec![(last, best)];
        while let Some((node, number)) = open.pop() {
            let solution = &solutions.nodes[node][number];
            fused[node] = solution.fusion.clone();
            let reads = self.nodes[node].reads.iter().copied();
            open.extend(reads.zip(solution.sources.iter().copied()));
        }
        Some(Fusion { fused, memory })
    }

    /// The order in which nodes are computed, so that those with the most fused loops stand next to their
    /// readers (section 3.3).
    pub fn order(&self, fusion: &Fusion) -> Vec<usize> {
        let depth = |node: &usize| fusion.fused[*node].all().count_ones();
        let mut open: Vec<usize> = self.nodes.len().checked_sub(1).into_iter().collect();
        let mut result = Vec::new();
        while let Some(next) = (0..open.len()).max_by_key(|at| (depth(&open[*at]), *at)) {
            let node = open.remove(next);
            result.push(node);
            open.extend(&self.nodes[node].reads);
        }
        result.reverse();
        result
    }
}

/// What may be inferior to others of its kind.
trait Weighed {
    /// What can be fused around it.
    fn allowed(&self) -> &Nesting;
    /// Elements.
    fn memory(&self) -> u64;

    /// Whether another one allows whatever this one allows, and takes no more memory.
    fn is_inferior(&self, other: &Self) -> bool {
        self.memory() >= other.memory() && self.allowed().constrains_more(other.allowed())
    }
}

impl Weighed for Merged {
    fn allowed(&self) -> &Nesting {
        &self.nesting
    }

    fn memory(&self) -> u64 {
        self.memory
    }
}

impl Weighed for Solution {
    fn allowed(&self) -> &Nesting {
        &self.at_reader
    }

    fn memory(&self) -> u64 {
        self.memory
    }
}

/// Adds a solution, unless one is no worse; those that are no better than it go.
fn add<T: Weighed>(to: &mut Vec<T>, one: T, work: &mut u64) {
    *work += to.len() as u64;
    if to.iter().any(|other| one.is_inferior(other)) {
        return;
    }
    to.retain(|other| !other.is_inferior(&one));
    to.push(one);
}

#[cfg(test)]
mod graph_tests;
#[cfg(test)]
mod tests;
