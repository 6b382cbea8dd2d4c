//! The cheapest way to multiply the factors of each product and to sum over each loop.
//!
//! Partial products are the nodes of trees: any two are multiplied, and a loop is summed over as soon
//! as no other factor depends on it. Equal partial products of several terms are one node. Terms of
//! one equation that still have to be multiplied with the same factors are added before that: these
//! factors name a place on the way to the result. For one term the search is exhaustive (a table over
//! sets of factors, in place of the depth-first search of Lam 1999, section 2); terms are added one
//! after another, in several orders.

use super::space::{Space, Subsets};
use crate::collections::HashMap;
use crate::ir::ExprId;
use crate::number::Number;

/// A partial product: its factors, and the loops summed over.
type Key = (Vec<ExprId>, u64);

/// Work (sets of factors looked at) after which no other orders of terms are tried.
const WORK: u64 = 1 << 20;
/// Most orders of the terms that are tried.
const ORDERS: usize = 6;

/// A term, as factors of a [`Space`].
pub struct Product {
    /// Its equation.
    pub equation: usize,
    /// The constant.
    pub coefficient: Number,
    /// The factors, sorted.
    pub factors: Vec<ExprId>,
}

/// A partial product.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its factors.
    pub factors: Vec<ExprId>,
    /// What is multiplied; a single factor, or a product of tables, is none.
    pub split: Option<(usize, usize)>,
    /// The loops of the value.
    pub loops: u64,
    /// The loops summed over at last.
    pub sums: u64,
    /// Whether its values are known.
    pub known: bool,
    /// How often it is used.
    pub uses: usize,
}

/// A sum on the way to an equation's result.
#[derive(Clone, Debug)]
pub struct Place {
    /// The factors that its value still has to be multiplied with.
    pub left: Vec<ExprId>,
    /// The loops of its value that are summed over with them.
    live: u64,
    /// What is added.
    pub parts: Vec<Part>,
}

/// What is added at a place.
#[derive(Clone, Debug)]
pub enum Part {
    /// A multiple of a partial product.
    Node(Number, usize),
    /// The value of a place times a partial product.
    Step(usize, usize),
}

/// How all terms are computed.
#[derive(Clone, Debug, Default)]
pub struct Forest {
    /// Partial products; operands come first.
    pub nodes: Vec<Node>,
    /// For each equation its places, the result first.
    pub places: Vec<Vec<Place>>,
    /// Operations.
    pub operations: u64,
    known: HashMap<Key, usize>,
}

/// The best way found, and whether all orders were tried.
pub fn search(space: &Space, equations: usize, products: &[Product]) -> (Forest, bool) {
    let each: Vec<u64> = products
        .iter()
        .map(|p| 3_u64.saturating_pow(p.factors.len() as u32))
        .collect();
    let once: u64 = each.iter().sum();
    let orders = ORDERS.min(products.len().max(1));
    let affordable = usize::try_from(WORK / once.max(1)).unwrap_or(orders).max(1);
    let mut best: Option<Forest> = None;
    for turn in 0..orders.min(affordable) {
        let mut forest = Forest {
            places: vec![
                vec![Place {
                    left: Vec::new(),
                    live: 0,
                    parts: Vec::new(),
                }];
                equations
            ],
            ..Forest::default()
        };
        // Rotations, forwards and backwards.
        let shift = turn / 2 * products.len() / orders.div_ceil(2);
        for at in 0..products.len() {
            let at = (at + shift) % products.len();
            let at = if turn % 2 == 0 {
                at
            } else {
                products.len() - 1 - at
            };
            forest.add(space, &products[at]);
        }
        if best
            .as_ref()
            .is_none_or(|b| forest.operations < b.operations)
        {
            best = Some(forest);
        }
    }
    (best.unwrap_or_default(), orders <= affordable)
}

/// Costs of partial products and places of one term, by its sets of factors.
struct Costs {
    /// Of a partial product, and the set that is one of its two operands.
    node: Vec<(u64, usize)>,
    /// From a place to the result: what is left, and the set that is multiplied first.
    place: Vec<(u64, usize)>,
}

impl Forest {
    /// Adds a term in the cheapest way, given what there is.
    fn add(&mut self, space: &Space, product: &Product) {
        let sets = Subsets::new(space, product.equation, &product.factors);
        let costs = self.costs(product, &sets);
        let full = sets.full();
        let mut best: Option<(u64, usize)> = None;
        for left in 0..full {
            let own = costs.node[full ^ left].0;
            let added = match self.place(product, &sets, left) {
                Some(at) if !self.places[product.equation][at].parts.is_empty() => {
                    space.size(sets.loops(full ^ left))
                }
                _ => 0,
            };
            let total = own
                .saturating_add(added)
                .saturating_add(costs.place[left].0);
            if best.is_none_or(|(least, _)| total < least) {
                best = Some((total, left));
            }
        }
        let Some((total, left)) = best else { return };
        self.operations = self.operations.saturating_add(total);
        let node = self.node(&sets, &costs, full ^ left);
        let place = self.way(product, &sets, &costs, left);
        self.nodes[node].uses += 1;
        let part = Part::Node(product.coefficient, node);
        self.places[product.equation][place].parts.push(part);
    }

    /// The place where a set of factors is left. A loop that is not live there has been summed over in
    /// these factors alone.
    fn place(&self, product: &Product, sets: &Subsets, left: usize) -> Option<usize> {
        let (factors, live) = (sets.factors(left), sets.live(left));
        let mut places = self.places[product.equation].iter();
        places.position(|place| place.left == factors && live & !place.live == 0)
    }

    fn costs(&self, product: &Product, sets: &Subsets) -> Costs {
        let full = sets.full();
        let mut node = vec![(0, 0); full + 1];
        for set in 1..=full {
            let key = (sets.factors(set), sets.summed(set));
            node[set] = if self.known.contains_key(&key) || sets.evaluates(set) {
                (0, 0)
            } else if set.is_power_of_two() {
                (sets.reduced(sets.all_loops(set), sets.loops(set)), 0)
            } else {
                // One operand has the first factor, so that each pair is met once.
                let first = set & set.wrapping_neg();
                let rest = set ^ first;
                let mut best = (u64::MAX, 0);
                let mut part = rest;
                while part > 0 {
                    part = (part - 1) & rest;
                    let (a, b) = (first | part, rest ^ part);
                    let (loops, value) = (sets.loops(a) | sets.loops(b), sets.loops(set));
                    let own = [a, b].iter().fold(sets.joined(loops, value), |all, part| {
                        all.saturating_add(sets.transferred(*part, loops, value))
                    });
                    let (left, right): (u64, u64) = (node[a].0, node[b].0);
                    let total = left.saturating_add(right).saturating_add(own);
                    if total < best.0 {
                        best = (total, a);
                    }
                }
                best
            };
        }
        let mut place = vec![(0, 0); full];
        for left in 1..full {
            if self.place(product, sets, left).is_some() {
                continue;
            }
            let value = sets.loops(full ^ left);
            let mut best = (u64::MAX, 0);
            let mut next = left;
            while next > 0 {
                let after = left ^ next;
                let end = sets.loops(full ^ after);
                let own = sets.joined(value | sets.loops(next), end);
                let total = (node[next].0 as u64)
                    .saturating_add(own)
                    .saturating_add(place[after].0);
                if total < best.0 {
                    best = (total, next);
                }
                next = (next - 1) & left;
            }
            place[left] = best;
        }
        Costs { node, place }
    }

    /// The partial product of a set of factors.
    fn node(&mut self, sets: &Subsets, costs: &Costs, set: usize) -> usize {
        let key = (sets.factors(set), sets.summed(set));
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let known = sets.evaluates(set);
        let split = (!known && !set.is_power_of_two()).then(|| {
            let a = costs.node[set].1;
            let (left, right) = (self.node(sets, costs, a), self.node(sets, costs, set ^ a));
            self.nodes[left].uses += 1;
            self.nodes[right].uses += 1;
            (left, right)
        });
        let loops = sets.loops(set);
        let before = match split {
            Some((a, b)) => self.nodes[a].loops | self.nodes[b].loops,
            None => sets.all_loops(set),
        };
        self.nodes.push(Node {
            factors: key.0.clone(),
            split,
            loops,
            sums: before & !loops,
            known,
            uses: 0,
        });
        self.known.insert(key, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// The place where a set of factors is left, with the way from there.
    fn way(&mut self, product: &Product, sets: &Subsets, costs: &Costs, left: usize) -> usize {
        if let Some(known) = self.place(product, sets, left) {
            return known;
        }
        let next = costs.place[left].1;
        let node = self.node(sets, costs, next);
        self.nodes[node].uses += 1;
        let after = self.way(product, sets, costs, left ^ next);
        let places = &mut self.places[product.equation];
        places.push(Place {
            left: sets.factors(left),
            live: sets.live(left),
            parts: Vec::new(),
        });
        let own = places.len() - 1;
        places[after].parts.push(Part::Step(own, node));
        own
    }
}
