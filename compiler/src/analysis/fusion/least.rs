//! The fusion of a graph that leaves temporaries the least memory.
//!
//! Where each temporary has one writer and one reader, equations are trees, and the dynamic programme finds it.
//! Where some have more, that programme fuses the trees between these, dimensions of what several equations use are
//! contracted one by one as far as they can be, and then all ways to do better are tried, by branch and bound: each
//! dimension is contracted or kept, and a branch ends where what it keeps takes as much as what is known. That is exact
//! up to a limit of work, and never worse than what it starts from.

use std::cmp::Reverse;

use super::graph::{Chains, Equations, Graph};
use crate::ir::{IndexId, Program};

/// Most work, in pairs of chains that are compared.
const WORK: u64 = 1 << 12;

/// What is fused of loops that are not those of one tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Graphs {
    /// Those of each tree with one other tree's, and no further: loops that span all of a graph take less memory, but not
    /// always less time.
    Once,
    /// What leaves the least memory.
    Least,
}

/// A fusion.
pub struct Least {
    /// The graph.
    pub graph: Graph,
    /// What is fused.
    pub chains: Chains,
    /// An order of the equations in which those with the most fused loops stand next to their readers.
    pub order: Vec<usize>,
}

/// The fusion of a program's loops that leaves its temporaries the least memory, as far as `work` in pairs of fusions
/// of a tree goes; `None` where that is too much, where the program is too large, or where a length is not known and
/// there is no nominal one.
pub fn least(
    program: &Program,
    (nominal, fuses): (Option<u64>, &dyn Fn(usize, IndexId) -> bool),
    (work, graphs): (u64, Graphs),
) -> Option<Least> {
    let graph = Graph::of(program, nominal, fuses)?;
    let (mut chains, order) = graph.of_trees(program, (nominal, fuses), work)?;
    if !graph.is_legal(&chains) {
        chains = graph.apart();
    }
    for component in graph.components() {
        let mut search = Search::of(&graph, component, chains);
        match graphs {
            Graphs::Once => search.join(),
            Graphs::Least if search.is_graph() => {
                search.contract();
                search.descend(search.apart(), vec![false; search.axes.len()]);
            }
            Graphs::Least => {}
        }
        chains = search.best;
    }
    Some(Least {
        graph,
        chains,
        order,
    })
}

/// A dimension of a temporary.
struct Axis<'a> {
    /// The temporary.
    array: usize,
    /// How long it is.
    extent: u64,
    /// The loops along it of all who write or read it.
    loops: &'a [usize],
}

/// The search of one component.
struct Search<'a> {
    graph: &'a Graph,
    /// The temporaries of the component.
    arrays: Vec<usize>,
    /// Their dimensions, those that gain the most first.
    axes: Vec<Axis<'a>>,
    /// What is fused elsewhere.
    others: Chains,
    /// What is known to be the best, and its memory.
    best: Chains,
    memory: u64,
    work: u64,
}

impl<'a> Search<'a> {
    fn of(graph: &'a Graph, component: Equations, known: Chains) -> Search<'a> {
        let arrays = graph.arrays.iter().enumerate();
        let arrays: Vec<usize> = arrays
            .filter(|(_, own)| own.users & component != 0)
            .map(|(at, _)| at)
            .collect();
        let axes = arrays.iter().flat_map(|array| {
            let axes = graph.arrays[*array].axes.iter();
            axes.map(|(extent, loops)| Axis {
                array: *array,
                extent: *extent,
                loops,
            })
        });
        let mut axes: Vec<Axis> = axes.collect();
        axes.sort_by_key(|axis| Reverse(axis.extent));
        let mut search = Search {
            graph,
            arrays,
            axes,
            others: graph.without(&known, component),
            best: known,
            memory: 0,
            work: 0,
        };
        let kept = search.kept(&search.best);
        search.memory = search.size(&kept);
        search
    }

    /// Whether there is more than trees.
    fn is_graph(&self) -> bool {
        self.axes.iter().any(|axis| axis.loops.len() > 2)
    }

    /// Nothing of the component fused.
    fn apart(&self) -> Chains {
        self.others.clone()
    }

    /// The dimensions that are not contracted.
    fn kept(&self, chains: &Chains) -> Vec<bool> {
        let axes = self.axes.iter();
        axes.map(|axis| !chains.are_one(axis.loops)).collect()
    }

    /// Elements of the temporaries, of whose dimensions some are kept.
    fn size(&self, kept: &[bool]) -> u64 {
        let sizes = self.arrays.iter().map(|array| {
            let own = self.axes.iter().zip(kept);
            let own = own.filter(|(axis, kept)| axis.array == *array && **kept);
            let whole = self.graph.arrays[*array].whole;
            own.fold(whole, |size, (axis, _)| size.saturating_mul(axis.extent))
        });
        sizes.fold(0, u64::saturating_add)
    }

    /// Contracts dimensions of what one equation writes and several read, where their loops are still those of the trees.
    fn join(&mut self) {
        let trees = self.best.clone();
        for at in 0..self.axes.len() {
            let Axis { array, loops, .. } = &self.axes[at];
            let written_once = self.graph.arrays[*array].writers == 1;
            if !written_once || loops.len() < 3 || !self.best.has_firsts(&trees, loops) {
                continue;
            }
            let united = self.graph.united(&self.best, loops);
            if let Some(united) = united.filter(|united| self.graph.is_legal(united)) {
                self.best = united;
            }
        }
    }

    /// Contracts one dimension after the other where that can be, the largest first.
    fn contract(&mut self) {
        for at in 0..self.axes.len() {
            let united = self.graph.united(&self.best, self.axes[at].loops);
            if let Some(united) = united.filter(|united| self.graph.is_legal(united)) {
                self.best = united;
            }
        }
        self.memory = self.size(&self.kept(&self.best));
    }

    /// Looks at all that keeps some dimensions, and contracts others, where anything less than the best is among it.
    fn descend(&mut self, chains: Chains, mut kept: Vec<bool>) {
        let mut next = None;
        for (at, axis) in self.axes.iter().enumerate() {
            if kept[at] || chains.are_one(axis.loops) {
                continue;
            }
            self.work += 1;
            match self.graph.united(&chains, axis.loops) {
                Some(united) if next.is_none() => next = Some((at, united)),
                Some(_) => {}
                // Whatever else is fused.
                None => kept[at] = true,
            }
            if self.work > WORK {
                return;
            }
        }
        let memory = self.size(&kept);
        if memory >= self.memory {
            return;
        }
        let Some((at, united)) = next else {
            if self.graph.is_legal(&chains) {
                (self.best, self.memory) = (chains, memory);
            }
            return;
        };
        self.descend(united, kept.clone());
        kept[at] = true;
        self.descend(chains, kept);
    }
}
