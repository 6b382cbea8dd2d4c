//! The trees of a program: its equations with the temporaries that one equation reads.

use super::least::{Graphs, least};
use super::{Graph, Node, Tree};
use crate::collections::HashMap;
use crate::ir::{Access, IndexId, Operator, Program, Role};

/// Most equations that are looked at, and most loops: a set of these is a number.
const MOST_EQUATIONS: usize = 64;
const MOST_LOOPS: usize = 64;

/// Most work of a tree, in pairs of fusions that are compared: the report only tells of what is found.
const WORK: u64 = 1 << 18;

/// Elements of a program's temporaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Where no equations share loops.
    pub unfused: u64,
    /// With loops fused so that it is the least at the same operation count.
    pub fused: u64,
}

/// How many elements the temporaries of a program take; `None` where that is no more than `few` without any
/// fusion, where lengths are not known, or where there are too many fusions to look at.
pub fn memory(program: &Program, few: u64) -> Option<Memory> {
    let mut targets = program.equations.iter().map(|e| e.target.array);
    if !targets.any(|array| matches!(program.array(array).role, Role::Temporary)) {
        return None;
    }
    let all = |_, _| true;
    let graph = Graph::of(program, None, &all)?;
    let unfused = graph.memory(&graph.apart());
    if unfused <= few {
        return None;
    }
    let found = least(program, (None, &all), (WORK, Graphs::Least))?;
    let fused = found.graph.memory(&found.chains);
    Some(Memory { unfused, fused })
}

/// A tree of a program.
#[derive(Clone, Debug, Default)]
pub struct Grown {
    /// The tree.
    pub tree: Tree,
    /// The equation of each of its nodes, and the numbers of its loops in the tree.
    pub equations: Vec<(usize, Vec<(IndexId, usize)>)>,
}

/// The trees of a program, in the order of their last equations. Loops whose length is not known have `nominal`
/// iterations; `fuses` says of a temporary's equation which of its loops may be fused with its reader's. `None`
/// where the program is too large, or has lengths that are not known and no nominal ones.
pub fn trees(
    program: &Program,
    nominal: Option<u64>,
    fuses: &dyn Fn(usize, IndexId) -> bool,
) -> Option<Vec<Grown>> {
    let equations = &program.equations;
    if equations.len() > MOST_EQUATIONS {
        return None;
    }
    let trees = Trees::of(program, nominal, fuses);
    let roots = (0..equations.len()).filter(|at| !trees.reader.contains_key(at));
    roots
        .map(|root| {
            let mut grown = Grown::default();
            trees.add(root, (&HashMap::default(), 0), &mut grown)?;
            Some(grown)
        })
        .collect()
}

/// The loops of an equation, by their numbers in a tree.
type Names = HashMap<IndexId, usize>;

/// Equations as nodes.
struct Trees<'a> {
    program: &'a Program,
    nominal: Option<u64>,
    fuses: &'a dyn Fn(usize, IndexId) -> bool,
    /// The only reader of each temporary that has one reader and one writer, by the writer.
    reader: HashMap<usize, usize>,
    /// The accesses of each equation to these temporaries, by writer.
    reads: Vec<Vec<(usize, Vec<Access>)>>,
}

impl<'a> Trees<'a> {
    fn of(
        program: &'a Program,
        nominal: Option<u64>,
        fuses: &'a dyn Fn(usize, IndexId) -> bool,
    ) -> Trees<'a> {
        let mut found: Vec<Vec<(usize, Vec<Access>)>> = Vec::new();
        let mut readers: HashMap<usize, Vec<usize>> = HashMap::default();
        for (at, equation) in program.equations.iter().enumerate() {
            let mut own: Vec<(usize, Vec<Access>)> = Vec::new();
            for (_, access) in program.pool.accesses([equation.expr]) {
                let writer = program.sole_writer(access.array);
                let Some(writer) = writer.filter(|writer| is_node(program, *writer)) else {
                    continue;
                };
                match own.iter_mut().find(|(other, _)| *other == writer) {
                    Some((_, accesses)) => accesses.push(access.clone()),
                    None => own.push((writer, vec![access.clone()])),
                }
            }
            for (writer, _) in &own {
                readers.entry(*writer).or_default().push(at);
            }
            found.push(own);
        }
        let single = |(writer, readers): (usize, Vec<usize>)| match readers[..] {
            [reader] if reader > writer => Some((writer, reader)),
            _ => None,
        };
        Trees {
            program,
            nominal,
            fuses,
            reader: readers.into_iter().filter_map(single).collect(),
            reads: found,
        }
    }

    /// Adds an equation, and before it what it alone reads; its number. Some of its loops are its reader's, and
    /// may be fused with these.
    fn add(&self, at: usize, (shared, fusible): (&Names, u64), grown: &mut Grown) -> Option<usize> {
        let equation = &self.program.equations[at];
        let mut names = shared.clone();
        for index in equation.domain() {
            if names.contains_key(&index) {
                continue;
            }
            let extent = self.program.loop_index(index).extent.as_constant();
            let extent = extent.map(|n| n as u64).or(self.nominal)?;
            names.insert(index, grown.tree.extents.len());
            grown.tree.extents.push(extent);
        }
        if grown.tree.extents.len() > MOST_LOOPS {
            return None;
        }
        let mut reads = Vec::new();
        for (writer, accesses) in &self.reads[at] {
            if self.reader.get(writer) == Some(&at) {
                let shared = self.shared(*writer, accesses, &names);
                let fused = shared
                    .iter()
                    .filter(|(own, _)| (self.fuses)(*writer, **own));
                let fusible = fused.fold(0, |set, (_, bit)| set | 1 << bit);
                reads.push(self.add(*writer, (&shared, fusible), grown)?);
            }
        }
        let set = |loops: &mut dyn Iterator<Item = IndexId>| {
            loops.fold(0, |set, index| set | 1 << names[&index])
        };
        let array = self.program.array(equation.target.array);
        let own = equation.domain().map(|index| (index, names[&index]));
        grown.equations.push((at, own.collect()));
        grown.tree.nodes.push(Node {
            loops: set(&mut equation.domain()),
            dimensions: set(&mut equation.free.iter().copied()),
            reads,
            fusible,
            counted: matches!(array.role, Role::Temporary) && equation.operator == Operator::Assign,
        });
        Some(grown.tree.nodes.len() - 1)
    }

    /// The loops of an equation that are loops of its reader: along them all reads of what it writes stand where
    /// it is written.
    fn shared(&self, at: usize, accesses: &[Access], names: &Names) -> Names {
        let target = &self.program.equations[at].target.subscripts;
        let mut result = Names::default();
        for (axis, own) in target.iter().enumerate() {
            let mut reads = accesses.iter().map(|access| &access.subscripts[axis]);
            let Some(first) = reads
                .next()
                .filter(|first| reads.all(|other| other == *first))
            else {
                continue;
            };
            let extent = |index: IndexId| &self.program.loop_index(index).extent;
            let equal = |read: &IndexId| {
                own.as_index()
                    .is_some_and(|own| extent(own) == extent(*read))
            };
            let named = first
                .as_index()
                .filter(equal)
                .and_then(|index| names.get(&index));
            let taken = named.is_some_and(|bit| result.values().any(|other| other == bit));
            if let (Some(own), Some(bit), false) = (own.as_index(), named, taken) {
                result.insert(own, *bit);
            }
        }
        result
    }
}

/// Whether an equation assigns each element of a temporary once.
fn is_node(program: &Program, at: usize) -> bool {
    let equation = &program.equations[at];
    let array = program.array(equation.target.array);
    matches!(array.role, Role::Temporary)
        && !array.allocated
        && equation.operator == Operator::Assign
        && equation.target.loops(&equation.free).is_some()
}
