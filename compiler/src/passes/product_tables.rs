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
use crate::elements::Product;
use crate::elements::recognised::{self, Entries, Lattice};
use crate::number::Number;
use crate::syntax::ast::{ScalarType, Table};

/// The pass that sums over one axis after another: without it products are of no use.
pub const READER: &str = "operation_minimisation";

/// Units in the last place that an entry may be from its product.
const UNITS: f64 = 16.0;

/// Points and nodes of the tables that are looked at together.
type Inner = (usize, usize);

/// Looks for products among the tables that are written out; what was found. `epsilon` is the kernel's own, if it
/// states one.
pub fn run(tables: &mut [Table], epsilon: Option<f64>) -> Vec<String> {
    let mut decisions = Vec::new();
    let mut known: Vec<(usize, Lattice)> = Vec::new();
    for table in tables.iter() {
        let product = table.product.as_deref();
        let places = product.and_then(|product| {
            let nodes = product.nodes.as_ref()?;
            Some((product.axes, (nodes.along, nodes.lattice.clone())))
        });
        known.extend(places);
    }
    let mut looked_at: Vec<Inner> = Vec::new();
    let mut grids: Vec<(usize, usize)> = Vec::new();
    for at in 0..tables.len() {
        let Some(inner) = inner(&tables[at]).filter(|inner| !looked_at.contains(inner)) else {
            continue;
        };
        looked_at.push(inner);
        let group: Vec<usize> = (at..tables.len())
            .filter(|at| self::inner(&tables[*at]) == Some(inner))
            .collect();
        let entries: Vec<Entries<'_>> = group
            .iter()
            .map(|at| entries(&tables[*at], inner))
            .collect();
        // The rows of such tables are written out, which takes less.
        if entries.iter().all(|table| sparse::suits(table.values)) {
            continue;
        }
        // Where others of this shape are no products, each by itself may be one.
        let alone = entries.iter().map(std::slice::from_ref);
        let mut together = std::iter::once(&entries[..]).chain(alone);
        let Some((axes, lattice)) = together.find_map(recognised::lattice) else {
            continue;
        };
        // Nodes of other tables, of which there are as many, have one order with these.
        let other = known
            .iter()
            .find(|(number, (along, _))| (*number, *along) == (axes, lattice.0));
        if other.is_some_and(|(_, other)| *other != lattice) {
            continue;
        }
        let found = products(tables, &group, (axes, &lattice), epsilon, &mut decisions);
        if found {
            known.push((axes, lattice));
            grids.push((inner.0, axes));
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

/// Takes those tables of a group for products that are; whether there is one.
fn products(
    tables: &mut [Table],
    group: &[usize],
    (axes, lattice): (usize, &Lattice),
    epsilon: Option<f64>,
    decisions: &mut Vec<String>,
) -> bool {
    let mut lines: Vec<Vec<Number>> = Vec::new();
    let mut any = false;
    for at in group {
        let table = &mut tables[*at];
        let Some(inner) = inner(table) else {
            continue;
        };
        let product = recognised::product(entries(table, inner), axes, Some(lattice), &lines);
        let Some(product) = product else {
            continue;
        };
        match taken(table, product.clone(), epsilon) {
            Some((product, apart)) => {
                decisions.push(said(table, apart));
                lines.clone_from(&product.lines);
                take(table, product);
                any = true;
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
    any
}

/// Whether a table is one of numbers that stand in the text.
fn is_written_out(table: &Table) -> bool {
    let float = !matches!(table.element, ScalarType::Integer(_));
    float && table.product.is_none() && !table.tabulated
}

/// Points and nodes of a table that is written out.
fn inner(table: &Table) -> Option<Inner> {
    match table.shape[..] {
        [.., points, nodes] if is_written_out(table) && points * nodes > 0 => Some((points, nodes)),
        _ => None,
    }
}

fn entries(table: &Table, (points, nodes): Inner) -> Entries<'_> {
    Entries {
        inner: (points, Some(nodes)),
        values: &table.values,
    }
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
