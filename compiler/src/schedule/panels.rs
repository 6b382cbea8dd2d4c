//! Matrix products of long extents: their loops run in strips, and what a strip needs again and again is packed.
//!
//! Before:
//! ```text
//! loop i in 0..n { loop j in 0..m step 8 { reduce k { c[i, j] += a[i, k] * b[k, j] } } }
//! ```
//! After:
//! ```text
//! loop k in 0..p step 128 strips {
//!   loop i in 0..n step 256 strips {
//!     loop i in 0..n { loop k in 0..p { a_panel[i, k] = a[i, k] } }
//!     loop j in 0..m step 16 {
//!       loop k in 0..p { b_panel[k, j] = b[k, j] ; b_panel[k, j + 8] = b[k, j + 8] }
//!       loop i in 0..n step 8 whole { reduce k { c[i, j] += a_panel[i, k] * b_panel[k, j] ; … } }
//!       loop i in 0..n step 8 rest { reduce k { … } }
//!     }
//!   }
//! }
//! ```
//! where loops inside of strips take the values of the strip (Goto and van de Geijn 2008). A panel of `b` has the
//! columns of a register tile and stays in the first-level cache, one of `a` in the second-level cache; both lie in
//! rings, whose places the next strip takes. What is packed is all of a product that does not move along the lanes,
//! and all that does, so that there may be any number of factors; of what is no product, as `(a[i, k] - b[k, j])^2`, it is
//! each such part of it. An array by itself whose terms are neighbours is read
//! for a row as it lies.
//!
//! It pays where what moves along the lanes leaves the second-level cache: nearer, vectors of it are loaded for each few
//! rows as fast as from a panel. Where lanes would gather it, it pays for any size from two register tiles of rows on,
//! and fewer rows take what does not copy it.
//!
//! Holds: what is computed, and the order of each sum. Sums are added to what earlier strips leave; one that was assigned
//! begins with zeros, and one that begins with a value, with that, for all elements before the first strip.

use super::blocking::zero;
use super::large::{Large, Product};
use super::parts::{in_pairs, rebuild};
use super::products::{Nest, Nests, Stage, count, nests};
use super::tree::{Dimension, Instance, Loop, Node, Schedule, Steps, Storage};
use super::{Plan, Target, pipelining, unrolling};
use crate::collections::HashMap;
use crate::ir::{ArrayId, Equation, Expr, ExprId, Extent, Factor, IndexId, Operator, Program};
use crate::machine::{FIRST, SECOND};

/// Most terms of a strip, and most rows: panels that fit caches of any size gain nothing by being larger.
const MOST: usize = 1 << 10;

/// The loop tree with the most products of matrices, of those that were weighed.
#[derive(Default)]
pub struct Products {
    /// How many there are, and how many of these write neighbours.
    most: (usize, usize),
    best: Option<((Program, Schedule), Plan)>,
}

impl Products {
    /// Weighs a loop tree: lanes that write neighbours are better.
    pub fn weigh(&mut self, built: &(Program, Schedule), (plan, target): (&Plan, Target)) {
        let (program, schedule) = built;
        if !may_pack(program, (plan, target)) {
            return;
        }
        let own = count(program, schedule);
        if own > self.most {
            self.most = own;
            self.best = Some((built.clone(), plan.clone()));
        }
    }

    /// That tree with its products packed, if it has any.
    pub fn packed(&self, target: Target) -> Option<Large> {
        let (built, plan) = self.best.as_ref()?;
        run(built, (plan, target))
    }
}

/// Whether products are packed where their loops are long.
pub fn may_pack(program: &Program, (plan, target): (&Plan, Target)) -> bool {
    target.width > 1 && plan.unroll.is_empty() && (!program.exact || in_pairs(program))
}

/// The loop tree with its products packed, if it has any.
fn run(
    (program, schedule): &(Program, Schedule),
    (plan, target): (&Plan, Target),
) -> Option<Large> {
    let mut packing = Packing {
        program: program.clone(),
        schedule: schedule.clone(),
        target,
        products: Vec::new(),
        bytes: 0,
        fill: HashMap::default(),
    };
    let body = packing.nodes(&schedule.body);
    let Packing {
        program,
        mut schedule,
        products,
        ..
    } = packing;
    schedule.body = body;
    if products.is_empty() {
        return None;
    }
    pipelining::run(&program, &mut schedule, target);
    unrolling::run(&program, &mut schedule, (plan, target));
    super::buffers::run(&program, &mut schedule);
    Some(Large {
        program,
        schedule,
        products,
        arrays: Vec::new(),
        said: None,
    })
}

/// What a register tile has: rows, and vectors of columns.
struct Tile {
    rows: usize,
    vectors: usize,
}

impl Tile {
    /// The tile with the fewest loads a multiplication of those that leave registers for what is loaded.
    fn of(target: Target) -> Tile {
        let sizes = [4, 8].into_iter();
        let sizes = sizes.flat_map(|rows| (1..=3).map(move |vectors| (rows, vectors)));
        let fits = |(rows, vectors): &(usize, usize)| {
            rows * vectors + vectors < target.registers
                && 2 * rows * vectors <= 3 * target.registers / 2
        };
        let loads =
            |(rows, vectors): &(usize, usize)| (rows + vectors) as f64 / (rows * vectors) as f64;
        let best = sizes
            .filter(fits)
            .min_by(|a, b| loads(a).total_cmp(&loads(b)));
        let (rows, vectors) = best.unwrap_or((4, 1));
        Tile { rows, vectors }
    }
}

struct Packing {
    program: Program,
    schedule: Schedule,
    target: Target,
    products: Vec<Product>,
    /// Bytes of what moves along the lanes, for each column and term of the sums that rows have.
    bytes: usize,
    /// What fills arrays that lanes stage.
    fill: HashMap<ArrayId, Instance>,
}

impl Packing {
    fn nodes(&mut self, nodes: &[Node]) -> Vec<Node> {
        let mut result = Vec::new();
        for node in nodes {
            match node {
                Node::Loop(l) => match nests(&self.program, &self.schedule, l) {
                    Some(nests) => result.extend(self.one_by_one(&nests)),
                    None => {
                        let body = self.nodes(&l.body);
                        result.push(Node::Loop(Loop { body, ..l.clone() }));
                    }
                },
                other => result.push(other.clone()),
            }
        }
        result
    }

    fn extent(&self, index: IndexId) -> Extent {
        self.program.loop_index(index).extent.clone()
    }

    fn over(&self, index: IndexId, (step, steps): (usize, Steps), body: Vec<Node>) -> Node {
        Node::Loop(Loop {
            index,
            with: Vec::new(),
            steps,
            start: 0,
            end: self.extent(index),
            step,
            body,
        })
    }

    fn packed(&mut self, nest: &Nest) -> Vec<Node> {
        let Nest {
            rows,
            columns,
            terms,
            equation: at,
            ..
        } = *nest;
        let (width, tile) = (self.schedule.width, Tile::of(self.target));
        let across = tile.vectors * width;
        let target = self.program.equations[at].target.array;
        let bytes = self.program.array(target).element.bytes();
        let [left, right] = self.packing(nest);
        let each = |parts: &[Vec<Factor>]| parts.len().max(1) * bytes;
        // Powers of two, so that a place in a ring is a mask away.
        let power = |most: usize| 1 << most.clamp(tile.rows, MOST).ilog2();
        let depth: usize = power(FIRST / (across * each(&right)));
        let height = power(SECOND / 2 / (depth * each(&left)));
        self.product(nest, (&tile, &right));
        if nest.staged {
            self.unstaged(nest);
        }
        let mut nodes = self.zeros(nest);
        let all = (1, Steps::All);
        let (mut pack_rows, mut packed, mut reads) = (Vec::new(), Vec::new(), HashMap::default());
        for part in left {
            let (read, nodes) = self.left(&part, [(rows, height), (terms, depth)]);
            pack_rows.extend(nodes);
            reads.insert(part, read);
        }
        let offset = |vector: usize| (vector > 0).then_some((columns, vector * width));
        for part in right {
            let (instance, read) = self.panel(&part, [(terms, depth), (columns, across)]);
            packed.extend((0..tile.vectors).map(|vector| Instance {
                offsets: offset(vector).into_iter().collect(),
                ..instance.clone()
            }));
            reads.insert(part, read);
        }
        let (expr, loops) = (self.program.equations[at].expr, [rows, columns, terms]);
        self.program.equations[at].expr = rebuild(&mut self.program.pool, expr, (loops, &reads));
        let block = Node::Block(packed);
        let pack_columns = self.over(terms, all, vec![block]);
        let tiled = |count: usize| {
            let each = (0..tile.vectors).flat_map(|vector| {
                (0..count).map(move |row| (vector, (row > 0).then_some((rows, row))))
            });
            let each = each.map(|(vector, row)| Instance {
                equation: at,
                offsets: row.into_iter().chain(offset(vector)).collect(),
            });
            vec![Node::Reduction {
                instances: each.collect(),
                loops: vec![terms],
                chains: 1,
            }]
        };
        let whole = self.over(rows, (tile.rows, Steps::Whole), tiled(tile.rows));
        let rest = self.over(rows, (tile.rows, Steps::Rest), tiled(1));
        let body = vec![pack_columns, whole, rest];
        let over_columns = self.over(columns, (across, Steps::All), body);
        let body = pack_rows.into_iter().chain([over_columns]).collect();
        let body = vec![self.over(rows, (height, Steps::Strips), body)];
        let body = vec![self.over(terms, (depth, Steps::Strips), body)];
        let outer = nest.outer.iter().rev();
        nodes.extend(outer.fold(body, |body, index| vec![self.over(*index, all, body)]));
        nodes
    }

    /// The parts that are packed: those that move with the terms, and with rows or columns.
    fn packing(&self, nest: &Nest) -> [Vec<Vec<Factor>>; 2] {
        let with = |part: &[Factor], index: IndexId| {
            let mut factors = part.iter();
            factors.any(|factor| self.program.pool.indices(factor.expr).contains(&index))
        };
        let sides = [
            (&nest.parts.left, nest.rows),
            (&nest.parts.right, nest.columns),
        ];
        sides.map(|(parts, index)| {
            let moving = parts
                .iter()
                .filter(|own| with(own, index) && with(own, nest.terms));
            moving.cloned().collect()
        })
    }

    /// Notes a product, and where packing it pays.
    fn product(&mut self, nest: &Nest, (tile, right): (&Tile, &[Vec<Factor>])) {
        let (loops, width) = ([nest.rows, nest.columns, nest.terms], self.schedule.width);
        // Lanes that are apart are gathered once for all rows.
        let apart = !(right.iter()).all(|part| self.distance(part, nest.columns) == 1);
        self.products.push(Product {
            loops,
            extents: loops.map(|index| self.extent(index)),
            least: match apart {
                true => [2 * tile.rows, width, 1],
                false => [4 * tile.rows, tile.vectors * width, 2 * tile.rows],
            },
            between: self.between(right, nest),
            resident: if apart { 0 } else { SECOND / 4 / self.bytes },
        });
    }

    /// The extents of the dimensions inside of that of the terms in what moves along the lanes: the columns, if there are
    /// no others.
    fn between(&self, right: &[Vec<Factor>], nest: &Nest) -> Vec<Extent> {
        let exprs = right.iter().flatten().map(|factor| factor.expr);
        let accesses = self.program.pool.accesses(exprs).into_iter();
        let mut extents = accesses.filter_map(|(_, access)| {
            let axis = (access.subscripts.iter()).position(|own| own.depends_on(nest.terms))?;
            Some(self.program.array(access.array).shape[axis + 1..].to_vec())
        });
        let found = extents.next().filter(|found| found.len() > 1);
        found.unwrap_or_else(|| vec![self.extent(nest.columns)])
    }

    /// Each stage for all rows before the next one.
    fn one_by_one(&mut self, nests: &Nests) -> Vec<Node> {
        let columns = nests.stages.iter().map(|stage| match stage {
            Stage::Each(columns, _) => *columns,
            Stage::Sum(nest) => nest.columns,
        });
        let loops: Vec<IndexId> = columns.chain([nests.rows]).collect();
        nests.kept.iter().for_each(|own| self.keep(own, &loops));
        let bytes = nests.stages.iter().map(|stage| match stage {
            Stage::Each(..) => 0,
            Stage::Sum(nest) => {
                let target = self.program.equations[nest.equation].target.array;
                let [_, right] = self.packing(nest);
                right.len().max(1) * self.program.array(target).element.bytes()
            }
        });
        self.bytes = bytes.sum();
        let mut result = Vec::new();
        for stage in &nests.stages {
            result.extend(match stage {
                Stage::Each(columns, body) => {
                    let body = self.filled(body);
                    self.each([nests.rows, *columns], body)
                }
                Stage::Sum(nest) => self.packed(nest),
            });
        }
        result
    }

    /// Computes something of each element.
    fn each(&self, [rows, columns]: [IndexId; 2], body: Vec<Node>) -> Vec<Node> {
        let inner = self.over(columns, (self.schedule.width, Steps::All), body);
        vec![self.over(rows, (1, Steps::All), vec![inner])]
    }

    /// Zeros before the first strip, where a sum is assigned.
    fn zeros(&mut self, nest: &Nest) -> Vec<Node> {
        if self.program.equations[nest.equation].operator != Operator::Assign {
            return Vec::new();
        }
        let sum = self.program.equations[nest.equation].clone();
        let zeros = zero(&mut self.program, &sum);
        self.program.equations[nest.equation].operator = Operator::ADD;
        let block = Node::Block(vec![self.add(zeros)]);
        self.each([nest.rows, nest.columns], vec![block])
    }

    /// What is read of the factors of rows, and the nodes that pack them. A row's terms that are next to each other are
    /// read where they are: each line of the cache serves several terms.
    fn left(&mut self, factors: &[Factor], kept: [(IndexId, usize); 2]) -> (ExprId, Vec<Node>) {
        let terms = kept[1].0;
        let along = self.distance(factors, terms) != 0;
        if let ([only], true) = (factors, along)
            && only.power == 1
        {
            return (only.expr, Vec::new());
        }
        // Rows next to each other stay so: elements that are far apart by a power of two leave a cache's few places.
        let kept = match along {
            true => kept,
            false => [kept[1], kept[0]],
        };
        let (instance, read) = self.panel(factors, kept);
        let order = [kept[1].0, kept[0].0];
        let block = vec![Node::Block(vec![instance])];
        let nodes = order.iter().fold(block, |body, index| {
            vec![self.over(*index, (1, Steps::All), body)]
        });
        (read, nodes)
    }

    /// How far apart elements along a loop lie in the rows of the first of some factors that moves with it; none where they
    /// lie in other ones.
    fn distance(&self, factors: &[Factor], index: IndexId) -> i64 {
        let exprs = factors.iter().map(|factor| factor.expr);
        let accesses = self.program.pool.accesses(exprs).into_iter();
        let mut accesses = accesses.filter(|(_, access)| access.depends_on(index));
        let first = accesses.next();
        let last = first.and_then(|(_, access)| access.subscripts.last());
        last.map_or(0, |last| last.coefficient(index))
    }

    /// An equation at the point where it stands.
    fn add(&mut self, equation: Equation) -> Instance {
        self.program.equations.push(equation);
        Instance {
            equation: self.program.equations.len() - 1,
            offsets: Vec::new(),
        }
    }

    /// Packs a product of factors in a panel with two dimensions; what reads it.
    fn panel(&mut self, factors: &[Factor], kept: [(IndexId, usize); 2]) -> (Instance, ExprId) {
        let mut accesses =
            factors
                .iter()
                .filter_map(|factor| match self.program.pool.get(factor.expr) {
                    Expr::Access(access) => Some(access.array),
                    _ => None,
                });
        let name = accesses
            .next()
            .map_or("factor", |array| &self.program.array(array).name);
        let name = format!("{name}_panel");
        let expr = match factors {
            [only] if only.power == 1 => only.expr,
            _ => {
                let element = self.program.pool.element(factors[0].expr);
                self.program
                    .pool
                    .add(Expr::Product(factors.to_vec()), element)
            }
        };
        let element = self.program.pool.element(expr);
        let is_kept = |index: &IndexId| kept.iter().any(|(other, _)| other == index);
        let around = self.program.pool.indices(expr).iter().copied();
        let around: Vec<IndexId> = around.filter(|index| !is_kept(index)).collect();
        let free: Vec<IndexId> = around
            .iter()
            .copied()
            .chain(kept.map(|(index, _)| index))
            .collect();
        let target = self.program.add_temporary(&name, &free, element);
        let contracted = around.iter().map(|_| Dimension::CONTRACTED);
        let extents = contracted.chain(kept.map(|(_, depth)| Dimension::Ring(depth)));
        let storage = Storage::Memory {
            extents: extents.collect(),
            lanes: false,
        };
        self.schedule.storage.push((target.array, storage));
        let read = self.program.pool.add(Expr::Access(target.clone()), element);
        let equation = Equation {
            target,
            operator: Operator::Assign,
            free,
            reduction: Vec::new(),
            expr,
        };
        (self.add(equation), read)
    }
}

mod kept;
#[cfg(test)]
mod tests;
