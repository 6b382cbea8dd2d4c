//! The graph of a program's equations, and which of their loops are fused.
//!
//! A chain is a loop that several equations share. A dimension of a temporary is contracted away where the loops of
//! all who write or read it are one chain along it: of one reader, as in a tree, or of several that share the loop
//! with each other although none of them reads another one.
//!
//! Chains are legal where an equation has one loop in each, what reads in a chain what is written in it meets its own
//! iteration alone, chains are inside each other or apart, and equations can be put in an order in which those of
//! each chain stand together.

use std::collections::BTreeMap;

use super::program::{Grown, trees};
use crate::ir::{Access, ArrayId, IndexId, Operator, Program, Role};

/// Equations, a bit each.
pub type Equations = u64;

/// The equations of a program.
pub struct Graph {
    /// All loops: of which equation, and its name there.
    loops: Vec<(usize, IndexId)>,
    /// The equations that each one has to follow.
    before: Vec<Equations>,
    /// Where one equation writes a temporary that a later one reads or writes, the pairs of their loops along which
    /// the later one meets what the same iteration wrote.
    along: BTreeMap<(usize, usize), Vec<(usize, usize)>>,
    /// The temporaries.
    pub arrays: Vec<Sizes>,
}

/// A temporary.
pub struct Sizes {
    /// The equations that write or read it.
    pub users: Equations,
    /// How many write it.
    pub writers: usize,
    /// Elements along the dimensions that cannot be contracted.
    pub whole: u64,
    /// The others: how long each is, and the loops of all who write or read it.
    pub axes: Vec<(u64, Vec<usize>)>,
}

/// A chain for each loop, by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chains {
    /// The chain of each loop: the first one of its loops.
    of: Vec<usize>,
    /// The equations of each chain, by its first loop.
    scopes: Vec<Equations>,
}

/// What equations access in memory: the array, the access, whether it is written, and whether it only adds.
type Use<'a> = (ArrayId, &'a Access, bool, bool);

impl Graph {
    /// The graph of a program; `None` where it is too large, or a length is not known and there is no nominal one. `fuses` says of a
    /// temporary's equation which of its loops may be fused with its readers'.
    pub fn of(
        program: &Program,
        nominal: Option<u64>,
        fuses: &dyn Fn(usize, IndexId) -> bool,
    ) -> Option<Graph> {
        if program.equations.len() > Equations::BITS as usize {
            return None;
        }
        let uses = uses(program);
        let equations = program.equations.iter().enumerate();
        let mut graph = Graph {
            loops: equations
                .flat_map(|(at, equation)| equation.domain().map(move |index| (at, index)))
                .collect(),
            before: vec![0; program.equations.len()],
            along: BTreeMap::new(),
            arrays: Vec::new(),
        };
        for later in 0..uses.len() {
            for earlier in 0..later {
                graph.compare(program, [earlier, later], &uses);
            }
        }
        for (array, writers) in program.written() {
            if is_temporary(program, array) {
                let sizes = graph.sizes(program, (array, &writers), &uses, (nominal, fuses))?;
                graph.arrays.push(sizes);
            }
        }
        Some(graph)
    }

    /// Compares what two equations access.
    fn compare(&mut self, program: &Program, [earlier, later]: [usize; 2], uses: &[Vec<Use>]) {
        let meet = |a: &&Use, b: &&Use| a.0 == b.0 && (a.2 || b.2) && !(a.3 && b.3);
        let mut pairs = Vec::new();
        for a in &uses[earlier] {
            pairs.extend(uses[later].iter().filter(|b| meet(&a, b)).map(|b| (a, b)));
        }
        if pairs.is_empty() {
            return;
        }
        self.before[later] |= 1 << earlier;
        let temporary = |(a, _): &(&Use, &Use)| is_temporary(program, a.0);
        let mut along: Option<Vec<(usize, usize)>> = None;
        for (a, b) in pairs.into_iter().filter(temporary) {
            let axes = a.1.subscripts.iter().zip(&b.1.subscripts);
            let own = axes.filter_map(|(one, other)| {
                let (one, other) = (one.as_index()?, other.as_index()?);
                let extent = |index| &program.loop_index(index).extent;
                let once = a.1.subscripts.iter().filter(|s| s.depends_on(one)).count() == 1;
                let same = once && a.2 && extent(one) == extent(other);
                let [one, other] = [(earlier, one), (later, other)].map(|own| self.number(own));
                one.zip(other).filter(|_| same)
            });
            let own: Vec<(usize, usize)> = own.collect();
            along = Some(match along {
                Some(known) => known
                    .into_iter()
                    .filter(|pair| own.contains(pair))
                    .collect(),
                None => own,
            });
        }
        if let Some(along) = along {
            self.along.insert((earlier, later), along);
        }
    }

    fn number(&self, own: (usize, IndexId)) -> Option<usize> {
        let first = self.loops.partition_point(|(at, _)| *at < own.0);
        let mut of_equation = self.loops[first..]
            .iter()
            .take_while(|(at, _)| *at == own.0);
        let place = of_equation.position(|other| *other == own)?;
        Some(first + place)
    }

    /// The dimensions of a temporary.
    fn sizes(
        &self,
        program: &Program,
        (array, writers): (ArrayId, &[usize]),
        uses: &[Vec<Use>],
        (nominal, fuses): (Option<u64>, &dyn Fn(usize, IndexId) -> bool),
    ) -> Option<Sizes> {
        let mut sizes = Sizes {
            users: 0,
            writers: writers.len(),
            whole: 1,
            axes: Vec::new(),
        };
        let all: Vec<(usize, &Access)> = (uses.iter().enumerate())
            .flat_map(|(at, own)| own.iter().map(move |one| (at, one)))
            .filter(|(_, one)| one.0 == array)
            .map(|(at, one)| (at, one.1))
            .collect();
        sizes.users = all.iter().fold(0, |set, (at, _)| set | 1 << at);
        let own = program.array(array);
        for (axis, extent) in own.shape.iter().enumerate() {
            let length = extent.as_constant().map(|n| n as u64).or(nominal)?;
            let mut loops: Vec<usize> = Vec::new();
            let contracted = all.iter().all(|(at, access)| {
                let index = access.subscripts[axis].as_index();
                let whole = |index: &IndexId| program.loop_index(*index).extent == *extent;
                let fused = |index: &IndexId| !writers.contains(at) || fuses(*at, *index);
                let index = index.filter(|index| whole(index) && fused(index));
                let number = index.and_then(|index| self.number((*at, index)));
                let new = number.filter(|number| !loops.contains(number));
                loops.extend(new);
                number.is_some()
            });
            match contracted && !own.allocated && loops.len() > 1 {
                true => sizes.axes.push((length, loops)),
                false => sizes.whole = sizes.whole.saturating_mul(length),
            }
        }
        Some(sizes)
    }

    /// Nothing fused.
    pub fn apart(&self) -> Chains {
        Chains {
            of: (0..self.loops.len()).collect(),
            scopes: self.loops.iter().map(|(at, _)| 1 << at).collect(),
        }
    }

    /// The same without what is fused of some equations.
    pub fn without(&self, chains: &Chains, equations: Equations) -> Chains {
        let mut result = chains.clone();
        for (number, (at, _)) in self.loops.iter().enumerate() {
            if equations >> at & 1 == 1 {
                result.of[number] = number;
                result.scopes[number] = 1 << at;
            }
        }
        result
    }

    /// The loops of trees fused as what leaves each of them the least memory says, and the order of the equations;
    /// `None` where that is too much work.
    pub fn of_trees(
        &self,
        program: &Program,
        (nominal, fuses): (Option<u64>, &dyn Fn(usize, IndexId) -> bool),
        work: u64,
    ) -> Option<(Chains, Vec<usize>)> {
        let (mut chains, mut order) = (self.apart(), Vec::new());
        for grown in trees(program, nominal, fuses)? {
            let Grown { tree, equations } = &grown;
            let fusion = tree.least_memory_within(work)?;
            for (node, above) in tree.nodes.iter().enumerate() {
                for read in &above.reads {
                    let fused = fusion.fused[*read].all();
                    let (at, loops) = &equations[*read];
                    let fused = loops.iter().filter(|(_, bit)| fused >> bit & 1 == 1);
                    for (index, bit) in fused {
                        let (reader, others) = &equations[node];
                        let other = others.iter().find(|(_, other)| other == bit)?;
                        let both = [(*at, *index), (*reader, other.0)];
                        let [one, other] = both.map(|own| self.number(own));
                        // What only the graph says is not seen in the trees.
                        if let Some(united) = self.united(&chains, &[one?, other?]) {
                            chains = united;
                        }
                    }
                }
            }
            order.extend(
                tree.order(&fusion)
                    .into_iter()
                    .map(|node| equations[node].0),
            );
        }
        Some((chains, order))
    }

    /// One chain of the chains of some loops; `None` where these cannot be one, whatever else is fused.
    pub fn united(&self, chains: &Chains, loops: &[usize]) -> Option<Chains> {
        let mut numbers: Vec<usize> = loops.iter().map(|own| chains.of[*own]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut scope: Equations = 0;
        for number in &numbers {
            if scope & chains.scopes[*number] != 0 {
                return None;
            }
            scope |= chains.scopes[*number];
        }
        let mut own = [0; Equations::BITS as usize];
        for (number, (at, _)) in self.loops.iter().enumerate() {
            if numbers.contains(&chains.of[number]) {
                own[*at] = number;
            }
        }
        let has = |at: usize| scope >> at & 1 == 1;
        let mut pairs = self.along.iter();
        if !pairs.all(|((a, b), all)| !has(*a) || !has(*b) || all.contains(&(own[*a], own[*b]))) {
            return None;
        }
        let mut result = chains.clone();
        for number in &numbers {
            result.scopes[*number] = 0;
        }
        result.scopes[numbers[0]] = scope;
        let merged = result.of.iter_mut().filter(|own| numbers.contains(own));
        merged.for_each(|own| *own = numbers[0]);
        Some(result)
    }

    /// Whether loops can be fused so: chains are inside each other or apart, and equations have an order in which
    /// those of each stand together.
    pub fn is_legal(&self, chains: &Chains) -> bool {
        let shared: Vec<Equations> = (chains.scopes.iter().copied())
            .filter(|scope| scope.count_ones() > 1)
            .collect();
        let nested = |a: Equations, b: Equations| a & b == 0 || a & b == a || a & b == b;
        let mut pairs = shared.iter().flat_map(|a| shared.iter().map(|b| (*a, *b)));
        let all = (0..self.before.len()).fold(0, |all, at| all | 1 << at);
        pairs.all(|(a, b)| nested(a, b))
            && self.has_order(all, &shared)
            && shared.iter().all(|scope| self.has_order(*scope, &shared))
    }

    /// Whether there is an order of some equations, with those of each scope inside standing together.
    fn has_order(&self, within: Equations, scopes: &[Equations]) -> bool {
        let mut left = within;
        let block = |at: u32| {
            let around = scopes.iter().copied();
            let around = around.filter(|s| s >> at & 1 == 1 && s & within == *s && *s != within);
            around.fold(1 << at, |all: Equations, scope| all | scope)
        };
        while left != 0 {
            let mut rest = left;
            let found = loop {
                if rest == 0 {
                    return false;
                }
                let block = block(rest.trailing_zeros());
                let waits =
                    |at: usize| block >> at & 1 == 1 && self.before[at] & left & !block != 0;
                if !(0..self.before.len()).any(waits) {
                    break block;
                }
                rest &= !block;
            };
            left &= !found;
        }
        true
    }

    /// Elements of all temporaries.
    pub fn memory(&self, chains: &Chains) -> u64 {
        let sizes = self.arrays.iter().map(|array| {
            let kept = array
                .axes
                .iter()
                .filter(|(_, loops)| !chains.are_one(loops));
            kept.fold(array.whole, |size, (extent, _)| {
                size.saturating_mul(*extent)
            })
        });
        sizes.fold(0, u64::saturating_add)
    }

    /// Sets of equations that have to do with each other, of which one writes or reads a temporary with others.
    pub fn components(&self) -> Vec<Equations> {
        let mut result: Vec<Equations> = Vec::new();
        for array in &self.arrays {
            let (touched, others): (Vec<Equations>, Vec<Equations>) =
                result.into_iter().partition(|own| own & array.users != 0);
            result = others;
            result.push(touched.into_iter().fold(array.users, |all, own| all | own));
        }
        result
    }

    /// The equations that each one has to follow.
    pub fn before(&self) -> &[Equations] {
        &self.before
    }

    /// The loops of each chain that is not empty: of which equation, and its name there.
    pub fn chains(&self, chains: &Chains) -> BTreeMap<(usize, IndexId), usize> {
        let loops = self.loops.iter().copied();
        loops.zip(chains.of.iter().copied()).collect()
    }
}

impl Chains {
    /// Whether the chains that some loops had before are chains still, alone or as the first ones of what they were united
    /// with.
    pub fn has_firsts(&self, before: &Chains, loops: &[usize]) -> bool {
        loops.iter().all(|own| self.scopes[before.of[*own]] != 0)
    }

    /// Whether some loops are of one chain.
    pub fn are_one(&self, loops: &[usize]) -> bool {
        loops.iter().all(|own| self.of[*own] == self.of[loops[0]])
    }
}

fn is_temporary(program: &Program, array: ArrayId) -> bool {
    matches!(program.array(array).role, Role::Temporary)
}

/// What each equation accesses of what equations write.
fn uses(program: &Program) -> Vec<Vec<Use<'_>>> {
    let uses = program.equations.iter().map(|equation| {
        let reads = program.pool.accesses([equation.expr]).into_iter();
        let role = |access: &Access| &program.array(access.array).role;
        let reads = reads.map(|(_, access)| access);
        let reads = reads.filter(|own| matches!(role(own), Role::Temporary | Role::State(_)));
        let reads = reads.map(|own| (program.viewed(own.array), own, false, false));
        let adds =
            equation.operator == Operator::ADD && !is_temporary(program, equation.target.array);
        let target = &equation.target;
        let write = (program.viewed(target.array), target, true, adds);
        reads.chain([write]).collect()
    });
    uses.collect()
}
