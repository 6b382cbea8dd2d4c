//! Nests with loops of their own: where several stand in one loop, or one of them several times, no two may have an
//! index in common.

use super::shifted::equations_of;
use super::tree::{Dimension, Node, Schedule, Storage, instances};
use crate::collections::HashMap;
use crate::ir::{Access, ArrayId, Equation, Expr, IndexId, Program, Role};
use crate::rewrite::{rename, replace};

/// A nest: loops over the same rows, one after the other.
pub struct Member {
    /// The loops.
    pub nodes: Vec<Node>,
    /// Their index.
    pub index: IndexId,
    /// That of the only loop inside of each, over lines.
    pub inner: Option<IndexId>,
}

/// A program whose nests get loops of their own.
pub struct Renaming<'a> {
    /// The program.
    pub program: Program,
    /// The loop tree before.
    pub schedule: &'a Schedule,
    /// Where temporaries live.
    pub storage: Vec<(ArrayId, Storage)>,
    /// How many instances each equation has that stand where they stood.
    left: HashMap<usize, usize>,
    /// The equations that access each temporary.
    accessed: HashMap<ArrayId, Vec<usize>>,
}

/// What nests have instead of what they had.
#[derive(Default)]
struct Names {
    loops: HashMap<IndexId, IndexId>,
    equations: HashMap<usize, usize>,
    arrays: HashMap<ArrayId, ArrayId>,
}

impl<'a> Renaming<'a> {
    /// Nothing renamed yet of some nodes.
    pub fn new(program: &Program, schedule: &'a Schedule, nodes: &[Node]) -> Renaming<'a> {
        let mut left = HashMap::default();
        for instance in instances(nodes) {
            *left.entry(instance.equation).or_insert(0) += 1;
        }
        let mut accessed: HashMap<ArrayId, Vec<usize>> = HashMap::default();
        for at in 0..program.equations.len() {
            for array in temporaries(program, &program.equations[at]) {
                accessed.entry(array).or_default().push(at);
            }
        }
        Renaming {
            program: program.clone(),
            schedule,
            storage: schedule.storage.clone(),
            left,
            accessed,
        }
    }

    /// Where a temporary lives.
    pub fn storage_of(&self, array: ArrayId) -> Option<&Storage> {
        let found = self.storage.iter().find(|(own, _)| *own == array);
        found.map(|(_, storage)| storage)
    }

    /// Whether elements of a temporary share places.
    pub fn is_contracted(&self, array: ArrayId) -> bool {
        self.storage_of(array).is_none_or(|storage| {
            let mut extents = storage.extents().iter();
            let kept = matches!(storage, Storage::Memory { .. });
            !kept || extents.any(|dimension| matches!(dimension, Dimension::Ring(_)))
        })
    }

    /// Whether nothing but some equations accesses a temporary.
    pub fn is_own(&self, array: ArrayId, equations: &[usize]) -> bool {
        let accessed = self.accessed.get(&array).into_iter().flatten();
        accessed
            .copied()
            .all(|at| equations.binary_search(&at).is_ok())
    }

    /// A nest with loops of its own: its equations have them, or others like these where they stand elsewhere, too. The first
    /// nest of a group keeps its loops, which others may have inside.
    pub fn apart(&mut self, member: Member, first: Option<&Member>) -> Member {
        let Some(first) = first else { return member };
        let mut names = Names::default();
        let equations = equations_of(&member.nodes);
        let has = |index: &IndexId| {
            let mut all = equations.iter().map(|at| &self.program.equations[*at]);
            all.any(|equation| equation.domain().any(|own| own == *index))
        };
        let taken = [Some(first.index), first.inner].into_iter().flatten();
        let mut renamed: Vec<IndexId> = taken.filter(|index| has(index)).collect();
        renamed.extend([Some(member.index), member.inner].into_iter().flatten());
        renamed.sort_unstable();
        renamed.dedup();
        for index in renamed {
            let own = self.program.add_index_like(index);
            names.loops.insert(index, own);
        }
        let mut here: HashMap<usize, usize> = HashMap::default();
        for instance in instances(&member.nodes) {
            *here.entry(instance.equation).or_insert(0) += 1;
        }
        let alone = here.iter().all(|(at, count)| self.left[at] == *count);
        if !alone {
            self.copy_temporaries(&equations, &mut names);
        }
        for at in &equations {
            let equation = self.renamed(*at, &names);
            if alone {
                self.program.equations[*at] = equation;
                continue;
            }
            let own = self.program.equations.len();
            for array in temporaries(&self.program, &equation) {
                self.accessed.entry(array).or_default().push(own);
            }
            self.program.equations.push(equation);
            *self.left.entry(*at).or_default() -= here[at];
            self.left.insert(own, here[at]);
            names.equations.insert(*at, own);
        }
        let mut nodes = member.nodes;
        names.nodes(&mut nodes);
        Member {
            nodes,
            index: names.of(member.index),
            inner: member.inner.map(|inner| names.of(inner)),
        }
    }

    /// Other temporaries for those that nothing but some equations accesses.
    fn copy_temporaries(&mut self, equations: &[usize], names: &mut Names) {
        let mut all: Vec<ArrayId> = Vec::new();
        for at in equations {
            let own = temporaries(&self.program, &self.program.equations[*at]);
            all.extend(
                own.into_iter()
                    .filter(|array| self.is_own(*array, equations)),
            );
        }
        all.sort_unstable();
        all.dedup();
        for array in all {
            let old = self.program.array(array).clone();
            let own = (self.program).add_array(&old.name, old.element, old.shape, old.role);
            let storage = self.storage_of(array).cloned();
            self.storage.extend(storage.map(|storage| (own, storage)));
            names.arrays.insert(array, own);
        }
    }

    /// An equation with other loops and temporaries.
    fn renamed(&mut self, at: usize, names: &Names) -> Equation {
        let mut equation = self.program.equations[at].clone();
        let by = rename::substitution(&names.loops);
        replace::substitute(&mut self.program.pool, &mut equation, &by);
        for index in equation.free.iter_mut().chain(&mut equation.reduction) {
            *index = names.of(*index);
        }
        let array = |access: &Access| {
            let array = names.arrays.get(&access.array)?;
            Some(Access {
                array: *array,
                ..access.clone()
            })
        };
        equation.target = array(&equation.target).unwrap_or(equation.target);
        let expr = equation.expr;
        equation.expr =
            replace::replace_accesses(&mut self.program, expr, |program, own, element| {
                Some(program.pool.add(Expr::Access(array(own)?), element))
            });
        equation
    }
}

impl Names {
    fn of(&self, index: IndexId) -> IndexId {
        self.loops.get(&index).copied().unwrap_or(index)
    }

    fn nodes(&self, nodes: &mut [Node]) {
        for node in nodes {
            match node {
                Node::Loop(l) => {
                    l.index = self.of(l.index);
                    for (index, _) in &mut l.with {
                        *index = self.of(*index);
                    }
                    self.nodes(&mut l.body);
                }
                Node::Block(all) => self.instances(all),
                Node::Reduction {
                    instances, loops, ..
                } => {
                    self.instances(instances);
                    loops.iter_mut().for_each(|index| *index = self.of(*index));
                }
                Node::Advance(array) | Node::Zero(array) => {
                    *array = self.arrays.get(array).copied().unwrap_or(*array);
                }
                Node::CopyOut(_) => {}
            }
        }
    }

    fn instances(&self, instances: &mut [super::tree::Instance]) {
        for instance in instances {
            let equation = self.equations.get(&instance.equation);
            instance.equation = equation.copied().unwrap_or(instance.equation);
            for (index, _) in &mut instance.offsets {
                *index = self.of(*index);
            }
        }
    }
}

/// The temporaries that an equation accesses.
fn temporaries(program: &Program, equation: &Equation) -> Vec<ArrayId> {
    let read = program.pool.accesses([equation.expr]).into_iter();
    let read = read.map(|(_, access)| access.array);
    let mut all: Vec<ArrayId> = read.chain([equation.target.array]).collect();
    all.retain(|array| matches!(program.array(*array).role, Role::Temporary));
    all.sort_unstable();
    all.dedup();
    all
}
