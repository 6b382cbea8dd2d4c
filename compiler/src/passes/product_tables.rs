//! Tables that are products of tables over the line, though they are written out.
//!
//! What `tabulate!` evaluates on quadrilaterals and hexahedra says how it is a product; tables that come from
//! elsewhere do not, and are as often products: of their entries, within rounding. Such a table is taken for the product,
//! so that sums over its points and nodes can go over one axis after another. Entries may then differ from what is
//! written by some units in their last place, or, with the option `epsilon`, by that part of the largest one; if that
//! option would be needed, the report says so.
//!
//! As `clean_tables`, this runs on the tables of the text, before lowering: source and program are compared with the
//! same constants.

use std::rc::Rc;

use super::clean_tables::{PROPOSED, clean};
use super::table_entries::sparse;
use crate::elements::recognised::{self, Entries};
use crate::elements::{Arrangement, Lattice, Product};
use crate::number::Number;
use crate::syntax::ast::{ScalarType, Table};

/// The pass that sums over one axis after another: without it products are of no use.
pub const READER: &str = "operation_minimisation";

/// Units in the last place that an entry may be from its product.
const UNITS: f64 = 16.0;

/// Points and nodes of the tables that are looked at together.
type Inner = (usize, usize);

/// Points and nodes that products of this block have.
struct Known {
    axes: usize,
    points: Lattice,
    nodes: Lattice,
    /// Tables over the line: what are multiples of them is computed from the same ones.
    lines: Vec<Vec<Number>>,
}

/// A table of a group, and which of its dimensions run over points and nodes.
type Member = (usize, Arrangement);

/// Looks for products among the tables that are written out; what was found. `epsilon` is the kernel's own, if it
/// states one.
pub fn run(tables: &mut [Table], epsilon: Option<f64>) -> Vec<String> {
    let mut decisions = Vec::new();
    let mut known: Vec<Known> = (tables.iter())
        .filter_map(|table| Known::of(table.product.as_deref()?))
        .collect();
    let mut looked_at: Vec<(Inner, bool)> = Vec::new();
    let mut grids: Vec<(usize, usize)> = Vec::new();
    for at in 0..tables.len() {
        for arrangement in arrangements(&tables[at]) {
            let (inner, turned) = (inner(&arrangement), arrangement.points > arrangement.nodes);
            if looked_at.contains(&(inner, turned)) || !is_written_out(&tables[at]) {
                continue;
            }
            looked_at.push((inner, turned));
            let group = group(&tables[at..], (at, arrangement));
            if let Some(found) = together(tables, &group, &known, epsilon, &mut decisions) {
                grids.push((inner.0, found.axes));
                // Those that have the lines of others and more come before these.
                known.insert(0, found);
            }
        }
    }
    for table in tables.iter_mut().filter(|table| is_written_out(table)) {
        let [points] = table.shape[..] else {
            continue;
        };
        let Some((_, axes)) = grids.iter().find(|(other, _)| *other == points) else {
            continue;
        };
        let weights = Entries {
            inner: (points, None),
            values: &table.values,
        };
        let product = recognised::product(weights, *axes, None, &[]);
        let product = product.and_then(|product| taken(table, product, epsilon));
        if let Some((product, apart)) = product {
            decisions.push(said(table, apart));
            take(table, product);
        }
    }
    decisions
}

impl Known {
    /// Those of a product.
    fn of(product: &Product) -> Option<Known> {
        Some(Known {
            axes: product.axes,
            points: product.points.clone(),
            nodes: product.nodes.clone()?,
            lines: product.lines.clone(),
        })
    }
}

/// The tables from one on that have as many points and nodes.
fn group(tables: &[Table], (first, arrangement): Member) -> Vec<Member> {
    let wanted = inner(&arrangement);
    let turned = arrangement.points > arrangement.nodes;
    let rest = tables.iter().enumerate().skip(1);
    let others = rest.filter_map(|(at, table)| {
        let mut own = arrangements(table);
        own.retain(|own| inner(own) == wanted);
        // Where there are as many points as nodes, all tables have them in one order.
        own.sort_by_key(|own| (own.points > own.nodes) != turned);
        Some((first + at, own.into_iter().next()?))
    });
    std::iter::once((first, arrangement.clone()))
        .chain(others)
        .collect()
}

/// Takes the tables of a group for products that are; the nodes of these, if there are any.
fn together(
    tables: &mut [Table],
    group: &[Member],
    known: &[Known],
    epsilon: Option<f64>,
    decisions: &mut Vec<String>,
) -> Option<Known> {
    let matrices: Vec<Vec<Number>> = (group.iter())
        .map(|(at, arrangement)| matrices(&tables[*at], arrangement))
        .collect();
    let (points, nodes) = inner(&group.first()?.1);
    let entries = |values| Entries {
        inner: (points, Some(nodes)),
        values,
    };
    let entries: Vec<Entries<'_>> = matrices.iter().map(|own| entries(own)).collect();
    // The rows of such tables are written out, which takes less.
    if entries.iter().all(|table| sparse::suits(table.values)) {
        return None;
    }
    // Where others of this shape are no products, each by itself may be one.
    let alone = entries.iter().map(std::slice::from_ref);
    let mut together = std::iter::once(&entries[..]).chain(alone);
    let (axes, lattice) = together.find_map(recognised::lattice)?;
    // Nodes of other tables, of which there are as many, have one order with these.
    let mut others = known.iter();
    let other = others.find(|other| (other.axes, other.nodes.along) == (axes, lattice.along));
    if other.is_some_and(|other| other.nodes != lattice) {
        return None;
    }
    let same = |other: &&Known| other.points.places.len() == points && other.nodes == lattice;
    let same = known.iter().find(same);
    let mut lines = same.map_or_else(Vec::new, |same| same.lines.clone());
    let mut found = None;
    for ((at, arrangement), entries) in group.iter().zip(&entries) {
        let table = &mut tables[*at];
        let Some(mut product) = recognised::product(*entries, axes, Some(&lattice), &lines) else {
            continue;
        };
        product.arrangement = Some(arrangement.clone());
        match taken(table, product.clone(), epsilon) {
            Some((product, apart)) => {
                decisions.push(said(table, apart));
                lines.clone_from(&product.lines);
                found = Known::of(&product);
                take(table, product);
            }
            None if epsilon.is_none() && taken(table, product, Some(PROPOSED)).is_some() => {
                decisions.push(format!(
                    "`{}` is a product of tables over the line but for noise: with `epsilon = {PROPOSED:e}` sums go \
                     over one axis after another",
                    table.name
                ));
            }
            None => {}
        }
    }
    found
}

/// Whether a table is one of numbers that stand in the text.
fn is_written_out(table: &Table) -> bool {
    let float = !matches!(table.element, ScalarType::Integer(_));
    float && table.product.is_none() && !table.tabulated
}

/// Which dimensions of a table that is written out may run over points and nodes: the last two, or others, and points
/// first, or nodes.
fn arrangements(table: &Table) -> Vec<Arrangement> {
    let rank = table.shape.len();
    let whole = table.shape.iter().all(|extent| *extent > 0);
    if !is_written_out(table) || !whole {
        return Vec::new();
    }
    let pairs = (0..rank).flat_map(|b| (0..b).map(move |a| (a, b)));
    let mut pairs: Vec<(usize, usize)> = pairs.collect();
    pairs.sort_unstable_by_key(|(a, b)| std::cmp::Reverse(a + b));
    let turned: Vec<(usize, usize)> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
    let arrangement = |(points, nodes)| Arrangement {
        shape: table.shape.clone(),
        points,
        nodes,
    };
    pairs.into_iter().chain(turned).map(arrangement).collect()
}

/// How many points and nodes there are.
fn inner(arrangement: &Arrangement) -> Inner {
    let extent = |dimension: usize| arrangement.shape[dimension];
    (extent(arrangement.points), extent(arrangement.nodes))
}

/// The entries of a table, a matrix over points and nodes for each place of its other dimensions.
fn matrices(table: &Table, arrangement: &Arrangement) -> Vec<Number> {
    let mut result = table.values.clone();
    for (place, value) in arrangement.places().into_iter().zip(&table.values) {
        result[place] = *value;
    }
    result
}

/// The product with its tables over the line cleaned, and how far entries are from it, if that is near enough.
fn taken(table: &Table, product: Product, epsilon: Option<f64>) -> Option<(Product, f64)> {
    let unit = match table.element {
        ScalarType::F32 => f64::from(f32::EPSILON),
        _ => f64::EPSILON,
    };
    let mut cleaned = product.clone();
    for line in &mut cleaned.lines {
        clean(line, epsilon.unwrap_or(UNITS * unit));
    }
    let near = |product| near(table, product, (unit, epsilon.unwrap_or(0.0)));
    near(cleaned).or_else(|| near(product))
}

/// A product, and how far the entries of a table are from it to the largest one, if that is near enough: some units
/// in their last place, or an epsilon.
fn near(table: &Table, product: Product, (unit, epsilon): (f64, f64)) -> Option<(Product, f64)> {
    let size = table.values.iter().map(|value| value.to_f64().abs());
    let size = size.fold(0.0, f64::max);
    let values = product.values();
    let mut most = 0.0_f64;
    for (own, found) in table.values.iter().zip(&values) {
        let apart = (*own - *found).to_f64().abs();
        // What was cleaned before is that far away already.
        let allowed = (UNITS * unit * own.to_f64().abs()).max(2.0 * epsilon * size);
        if apart.is_nan() || apart > allowed {
            return None;
        }
        most = most.max(apart / size);
    }
    (values.len() == table.values.len()).then_some((product, most))
}

fn said(table: &Table, apart: f64) -> String {
    format!(
        "`{}` is taken for a product of tables over the line, which is within {apart:.0e} of its largest entry",
        table.name
    )
}

fn take(table: &mut Table, product: Product) {
    table.values = product.values();
    table.product = Some(Rc::new(product));
}

#[cfg(test)]
mod tests;
