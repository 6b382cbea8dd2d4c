//! Tensors that are symmetric in the loops of coefficients, with each combination once.
//!
//! The tensors of a product of functions of one space are the same for its basis functions in any
//! order. Of two functions with `n` basis functions each, `n (n + 1) / 2` combinations are left of
//! `n²`: the combinations with repetition that ι counts (Luporini 2017, section 4.2).
//!
//! Before: `sum(r, s) f[e, r] * g[e, s] * t[r, s, i, j]`, `t` symmetric in `r` and `s`. After:
//! `u[e, c] = f[e, r(c)] * g[e, s(c)] + f[e, s(c)] * g[e, r(c)]` and
//! `sum(c) u[e, c] * t[r(c), s(c), i, j]`, the entries with `r(c) = s(c)` halved.
//! Holds: values are equal in exact arithmetic, and fewer products are summed up.

use std::rc::Rc;

use super::reference::Part;
use super::symmetric::{Class, along, classes};
use crate::collections::HashMap;
use crate::ir::{
    Access, Affine, ArrayId, Atom, Equation, Expr, ExprId, Extent, Factor, IndexId, Operator,
    Program, Role, Term,
};
use crate::number::Number;
use crate::rewrite::evaluate::{extents, points};
use crate::rewrite::index_table::index_table;
use crate::rewrite::normalise::{product, sum};

/// What was packed before, in any equation of a program.
#[derive(Default)]
pub struct Packed {
    /// The loops over combinations: the n-th of some number of functions of one space.
    loops: HashMap<(Space, usize), IndexId>,
    /// The loop that stands for each of a space's basis functions, to compare functions.
    bases: HashMap<usize, IndexId>,
    /// Sums of products of functions, by these.
    products: HashMap<Vec<ExprId>, ArrayId>,
    /// Which basis function, or combination of one function less, is in each combination.
    maps: HashMap<Vec<usize>, ArrayId>,
    /// The equations of `products` that no equation of the program has before it yet.
    definitions: Vec<Equation>,
}

/// How many basis functions there are, and of how many of them a product is.
type Space = (usize, usize);

impl Packed {
    /// Packs what can be.
    pub fn pack(&mut self, program: &mut Program, parts: &mut [Part]) {
        let mut kinds: Vec<Vec<IndexId>> = parts.iter().map(|part| part.sums.clone()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for sums in kinds {
            // They stay sums over the same loops.
            let mut alike: Vec<&mut Part> = parts.iter_mut().filter(|p| p.sums == sums).collect();
            let mut before: HashMap<Space, usize> = HashMap::default();
            for class in classes(program, &sums, &alike) {
                let Some(n) = program.loop_index(class[0]).extent.as_constant() else {
                    continue;
                };
                let space = (n, class.len());
                let nth = before.entry(space).or_insert(0);
                for part in &mut alike {
                    self.part(program, part, &class, (space, *nth));
                }
                *nth += 1;
            }
        }
    }

    /// The equations that are needed from here on.
    pub fn definitions(&mut self) -> Vec<Equation> {
        std::mem::take(&mut self.definitions)
    }

    fn part(
        &mut self,
        program: &mut Program,
        part: &mut Part,
        class: &Class,
        (space, nth): (Space, usize),
    ) {
        let (own, others): (Vec<Factor>, Vec<Factor>) = (part.variables.iter())
            .partition(|factor| along(program, factor.expr, class).len() == 1);
        let functions = self.functions(program, &own, class, space.0);
        let combination = match self.loops.get(&(space, nth)) {
            Some(index) => *index,
            None => {
                let extent = Extent::Constant(combinations(space).len());
                let index = program.add_index("c", extent);
                self.loops.insert((space, nth), index);
                index
            }
        };
        let value = self.value(program, &functions, space.0, &Affine::index(combination));
        part.tensor = Rc::new(tensor(program, part, class, space, orders(&functions)));
        part.variables = others;
        part.variables.push(Factor {
            expr: value,
            power: 1,
        });
        part.variables.sort_by_key(|f| (f.expr, f.power));
        for loops in [&mut part.sums, &mut part.loops] {
            loops.retain(|index| !class.contains(index));
        }
        part.sums.push(combination);
        part.loops.insert(0, combination);
    }

    /// The functions of a product, each as that of the loop over its space.
    fn functions(
        &mut self,
        program: &mut Program,
        factors: &[Factor],
        class: &Class,
        n: usize,
    ) -> Vec<ExprId> {
        let basis =
            *(self.bases.entry(n)).or_insert_with(|| program.add_index("r", Extent::Constant(n)));
        let by = |index| match class.contains(&index) {
            true => Affine::index(basis),
            false => Affine::index(index),
        };
        let mut functions: Vec<ExprId> = (factors.iter())
            .map(|f| {
                program
                    .pool
                    .substitute(f.expr, &by, &mut HashMap::default())
            })
            .collect();
        // Those that are the same are multiplied first.
        let times = |all: &[ExprId], one: &ExprId| all.iter().filter(|f| *f == one).count();
        let all = functions.clone();
        functions.sort_unstable_by_key(|function| (times(&all, function), *function));
        functions
    }

    /// The product of functions for a combination, summed over the orders of its basis functions that
    /// differ: of one function with itself, the product.
    fn value(
        &mut self,
        program: &mut Program,
        functions: &[ExprId],
        n: usize,
        combination: &Affine,
    ) -> ExprId {
        if let [function] = functions {
            let basis = self.bases[&n];
            let by = |index| match index == basis {
                true => combination.clone(),
                false => Affine::index(index),
            };
            return program
                .pool
                .substitute(*function, &by, &mut HashMap::default());
        }
        let array = match self.products.get(functions) {
            Some(array) => *array,
            None => {
                let array = self.define(program, functions, n);
                self.products.insert(functions.to_vec(), array);
                array
            }
        };
        let mut subscripts: Vec<Affine> = outer(program, functions, self.bases[&n])
            .into_iter()
            .map(Affine::index)
            .collect();
        subscripts.push(combination.clone());
        let element = program.array(array).element;
        let access = Expr::Access(Access { array, subscripts });
        program.pool.add(access, element)
    }

    /// The temporary of all combinations: one function by the products of the others, for each basis
    /// function that it may have.
    fn define(&mut self, program: &mut Program, functions: &[ExprId], n: usize) -> ArrayId {
        let element = program.pool.element(functions[0]);
        let count = functions.len();
        let length = Extent::Constant(combinations((n, count)).len());
        let place = program.add_index("c", length.clone());
        let mut terms = Vec::new();
        for at in 0..if all_same(functions) { 1 } else { count } {
            let own = self.map(program, (n, count), at, false);
            let rest = self.map(program, (n, count), at, true);
            let entry = |map| Affine::atom(Atom::Map(map, vec![Affine::index(place)]));
            let factors = [
                self.value(program, &functions[..1], n, &entry(own)),
                self.value(program, &functions[1..], n, &entry(rest)),
            ];
            let factors = factors.map(|expr| Factor { expr, power: 1 });
            terms.push(Term {
                coefficient: Number::ONE,
                expr: product(&mut program.pool, factors.to_vec(), element),
            });
        }
        let mut free = outer(program, functions, self.bases[&n]);
        let mut shape: Vec<Extent> = (free.iter())
            .map(|index| program.loop_index(*index).extent.clone())
            .collect();
        free.push(place);
        shape.push(length);
        let array = program.add_array("products", element, shape, Role::Temporary);
        let subscripts = free.iter().copied().map(Affine::index).collect();
        let expr = sum(&mut program.pool, terms, element);
        self.definitions.push(Equation {
            target: Access { array, subscripts },
            operator: Operator::Assign,
            free,
            reduction: Vec::new(),
            expr,
        });
        array
    }

    /// For each combination the basis function at a position, or the combination of the others.
    fn map(&mut self, program: &mut Program, space: Space, at: usize, rest: bool) -> ArrayId {
        let (n, count) = space;
        let fewer = combinations((n, count - 1));
        let entry = |all: &Vec<usize>| match rest {
            false => Some(all[at]),
            true => {
                let others = [&all[..at], &all[at + 1..]].concat();
                fewer.binary_search(&others).ok()
            }
        };
        let entries: Vec<usize> = combinations(space).iter().filter_map(entry).collect();
        *self.maps.entry(entries).or_insert_with_key(|entries| {
            let shape = vec![Extent::Constant(entries.len())];
            index_table(program, "combination", shape, entries.iter().copied())
        })
    }
}

/// The combinations with repetition, each in ascending order.
fn combinations((n, count): Space) -> Vec<Vec<usize>> {
    let mut result: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..count {
        let longer = |all: Vec<usize>| {
            let first = all.last().copied().unwrap_or(0);
            (first..n).map(move |next| [all.as_slice(), &[next]].concat())
        };
        result = result.into_iter().flat_map(longer).collect();
    }
    result
}

/// How many orders of a combination are the same: the factorials of its repetitions.
fn repetitions(combination: &[usize]) -> i64 {
    let runs = combination.chunk_by(|a, b| a == b);
    runs.map(|run| factorial(run.len())).product()
}

fn factorial(n: usize) -> i64 {
    (1..=n as i64).product()
}

/// How many orders of its basis functions the product of functions is summed over.
fn orders(functions: &[ExprId]) -> i64 {
    match all_same(functions) {
        true => 1,
        false => functions.len() as i64 * orders(&functions[1..]),
    }
}

fn all_same(functions: &[ExprId]) -> bool {
    functions.windows(2).all(|pair| pair[0] == pair[1])
}

/// The packed tensor of a part, each entry as often as its orders are, less how often `counted` says
/// that the sums of products have them.
fn tensor(
    program: &Program,
    part: &Part,
    class: &Class,
    space: Space,
    counted: i64,
) -> Vec<Number> {
    let lengths = extents(program, &part.loops).unwrap_or_default();
    let stride = |at: usize| -> usize { lengths[at + 1..].iter().product() };
    let (members, others): (Vec<usize>, Vec<usize>) =
        (0..part.loops.len()).partition(|at| class.contains(&part.loops[*at]));
    let place = |axes: &[usize], point: &[usize]| -> usize {
        axes.iter().zip(point).map(|(at, k)| stride(*at) * k).sum()
    };
    let rest: Vec<usize> = others.iter().map(|at| lengths[*at]).collect();
    let rest: Vec<usize> = points(&rest).map(|point| place(&others, &point)).collect();
    let mut result = Vec::new();
    for combination in combinations(space) {
        let weight = Number::ratio(factorial(space.1), counted * repetitions(&combination));
        let first = place(&members, &combination);
        let entries = rest
            .iter()
            .map(|offset| part.tensor[first + offset] * weight);
        result.extend(entries);
    }
    result
}

/// The loops around functions of a space.
fn outer(program: &Program, functions: &[ExprId], basis: IndexId) -> Vec<IndexId> {
    let mut result: Vec<IndexId> = (functions.iter())
        .flat_map(|function| program.pool.indices(*function).to_vec())
        .filter(|index| *index != basis)
        .collect();
    result.sort_unstable();
    result.dedup();
    result
}
