//! The cheapest order in which to combine the operands of a sum or product.

use crate::analysis::cost::NOMINAL;
use crate::collections::HashMap;
use crate::ir::{Expr, ExprId, IndexId, Program, Role};

/// Operands that depend on the same loops.
#[derive(Clone, Debug)]
pub struct Group {
    /// The loops, sorted.
    pub depends: Vec<IndexId>,
    /// They are made of tables and constants only.
    pub tables: bool,
    /// Positions of the operands.
    pub operands: Vec<usize>,
}

/// How operands combine: those of a node, and sub-expressions that depend on fewer loops.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Positions of operands that combine here.
    pub operands: Vec<usize>,
    /// Sub-expressions.
    pub children: Vec<Tree>,
}

/// The cost of combining a set of groups, and the two parts it is split into.
type Choice = (f64, Option<(usize, usize)>);

/// Most groups for which every order is weighed; with more, the closest pairs are merged first.
const EXHAUSTIVE: usize = 9;

/// The order with the fewest operations: dynamic programming over subsets of the groups, the cost
/// of a combination being the number of values of the loops that it depends on.
pub fn combine(program: &Program, groups: &[Group], domain: &[IndexId]) -> Tree {
    let mut nodes: Vec<(Group, Tree)> = groups
        .iter()
        .map(|g| {
            (
                g.clone(),
                Tree {
                    operands: g.operands.clone(),
                    children: Vec::new(),
                },
            )
        })
        .collect();
    while nodes.len() > EXHAUSTIVE {
        merge_closest(program, &mut nodes);
    }
    let size = |set: usize| {
        let mut depends: Vec<IndexId> = Vec::new();
        for (at, (group, _)) in nodes.iter().enumerate() {
            if set >> at & 1 == 1 {
                depends.extend(
                    group
                        .depends
                        .iter()
                        .filter(|i| !depends.contains(i))
                        .copied()
                        .collect::<Vec<_>>(),
                );
            }
        }
        depends
    };
    let all = (1usize << nodes.len()) - 1;
    let mut best: HashMap<usize, Choice> = HashMap::default();
    for set in 1..=all {
        if set.count_ones() == 1 {
            best.insert(set, (0.0, None));
            continue;
        }
        let depends = size(set);
        let own = combination_cost(program, &nodes, set, &depends, domain);
        let mut choice: Option<(f64, (usize, usize))> = None;
        // The part with the lowest group comes first, so that each split is seen once.
        let lowest = set & set.wrapping_neg();
        let mut part = (set - 1) & set;
        while part > 0 {
            if part & lowest != 0 {
                let rest = set ^ part;
                let cost = best[&part].0 + best[&rest].0 + own;
                if choice.is_none_or(|(c, _)| cost < c) {
                    choice = Some((cost, (part, rest)));
                }
            }
            part = (part - 1) & set;
        }
        if let Some((cost, split)) = choice {
            best.insert(set, (cost, Some(split)));
        }
    }
    build(&nodes, &best, all, &size)
}

fn build(
    nodes: &[(Group, Tree)],
    best: &HashMap<usize, Choice>,
    set: usize,
    depends: &impl Fn(usize) -> Vec<IndexId>,
) -> Tree {
    let Some((a, b)) = best[&set].1 else {
        return nodes[set.trailing_zeros() as usize].1.clone();
    };
    let mut tree = Tree::default();
    let own = depends(set).len();
    for part in [a, b] {
        let child = build(nodes, best, part, depends);
        let single = child.operands.len() == 1 && child.children.is_empty();
        if depends(part).len() == own || single {
            // Same loops: one n-ary node.
            tree.operands.extend(child.operands);
            tree.children.extend(child.children);
        } else {
            tree.children.push(child);
        }
    }
    tree
}

fn values(program: &Program, depends: &[IndexId]) -> f64 {
    depends
        .iter()
        .map(|i| {
            program
                .loop_index(*i)
                .extent
                .as_constant()
                .map_or(NOMINAL as f64, |n| n as f64)
        })
        .product()
}

/// Operations of combining a set of groups. Tables are combined now, for nothing, if the result
/// is no larger than one of them; a larger one is not stored, so it costs what the whole does.
fn combination_cost(
    program: &Program,
    nodes: &[(Group, Tree)],
    set: usize,
    depends: &[IndexId],
    domain: &[IndexId],
) -> f64 {
    let members = nodes
        .iter()
        .enumerate()
        .filter(|(at, _)| set >> at & 1 == 1)
        .map(|(_, (group, _))| group);
    if members.clone().all(|group| group.tables) {
        let largest = members
            .map(|group| values(program, &group.depends))
            .fold(1.0, f64::max);
        return if values(program, depends) <= largest {
            0.0
        } else {
            values(program, domain)
        };
    }
    values(program, depends)
}

fn merge_closest(program: &Program, nodes: &mut Vec<(Group, Tree)>) {
    let mut choice = (f64::INFINITY, 0, 1);
    for a in 0..nodes.len() {
        for b in a + 1..nodes.len() {
            let cost = values(program, &union(&nodes[a].0.depends, &nodes[b].0.depends));
            if cost < choice.0 {
                choice = (cost, a, b);
            }
        }
    }
    let (_, a, b) = choice;
    let (second_group, second) = nodes.remove(b);
    let (first_group, first) = nodes.remove(a);
    let group = Group {
        depends: union(&first_group.depends, &second_group.depends),
        tables: first_group.tables && second_group.tables,
        operands: Vec::new(),
    };
    let mut tree = Tree::default();
    for (part, child) in [(first_group, first), (second_group, second)] {
        if part.depends == group.depends || child.operands.len() + child.children.len() == 1 {
            tree.operands.extend(child.operands);
            tree.children.extend(child.children);
        } else {
            tree.children.push(child);
        }
    }
    nodes.insert(a, (group, tree));
}

fn union(a: &[IndexId], b: &[IndexId]) -> Vec<IndexId> {
    let mut result: Vec<IndexId> = a.iter().chain(b).copied().collect();
    result.sort_unstable();
    result.dedup();
    result
}

/// Elements of the largest table that an expression reads.
pub fn largest_table(program: &Program, expr: ExprId) -> usize {
    largest(program, expr, &mut HashMap::default())
}

/// The same, where parts that several others have in common are looked at once.
fn largest(program: &Program, expr: ExprId, known: &mut HashMap<ExprId, usize>) -> usize {
    if let Some(found) = known.get(&expr) {
        return *found;
    }
    let found = match program.pool.get(expr) {
        Expr::Access(access) => match &program.array(access.array).role {
            Role::Table(values) => values.len(),
            _ => 0,
        },
        _ => {
            let operands = program.pool.operands(expr);
            let tables = operands.iter().map(|o| largest(program, *o, known));
            tables.max().unwrap_or(1)
        }
    };
    known.insert(expr, found);
    found
}
