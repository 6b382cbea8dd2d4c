//! Tables without the noise of their computation (the option `epsilon`).
//!
//! Before: `[1e-17, 0.9999999999999998, 0.1, 0.10000000000000002]`. After: `[0, 1, 0.1, 0.1]`.
//! Entries within epsilon of 0, 1 or -1, relative to the table's largest, are that; entries within it
//! of an earlier one are that one. What `tabulate!` evaluates has no noise but that of double-double
//! arithmetic: unless the kernel states an epsilon, its entries stay apart where they differ, for its
//! rules of high degree have points that are nearly, and not quite, symmetric. Where they are products
//! of tables over the line, those are cleaned first. The pass runs on the
//! tables of the text, before lowering, so that source and program are compared with the same
//! constants.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::number::Number;
use crate::syntax::ast::{ScalarType, Table};

/// The pass's name.
pub const NAME: &str = "clean_tables";

/// Epsilon for tables that come with noise.
const GIVEN: f64 = 4e-14;
/// Epsilon for tables that `tabulate!` evaluates.
const TABULATED: f64 = 1e-25;

/// Cleans tables; what was changed. `epsilon` is the kernel's own, if it states one.
pub fn run(tables: &mut [Table], epsilon: Option<f64>) -> Vec<String> {
    let mut decisions = Vec::new();
    for table in tables {
        if matches!(table.element, ScalarType::Integer(_)) {
            continue;
        }
        let usual = if table.tabulated { TABULATED } else { GIVEN };
        let mut changed = match epsilon {
            None => clean_lines(table),
            Some(_) => 0,
        };
        changed += clean(&mut table.values, epsilon.unwrap_or(usual));
        if changed > 0 {
            decisions.push(format!("{changed} entries of `{}` made exact", table.name));
            if table.product.take_if(|p| !p.is(&table.values)).is_some() {
                let name = &table.name;
                decisions.push(format!(
                    "`{name}` is no product of tables over the line now"
                ));
            }
        }
    }
    decisions
}

/// Cleans the tables over the line that a table is made of, so that it stays made of them; how many
/// of its entries changed.
fn clean_lines(table: &mut Table) -> usize {
    let Some(product) = &mut table.product else {
        return 0;
    };
    let mut all: Vec<Number> = product.lines.concat();
    if clean(&mut all, TABULATED) == 0 {
        return 0;
    }
    let mut rest = all.as_slice();
    for line in &mut Rc::make_mut(product).lines {
        let (own, others) = rest.split_at(line.len());
        line.copy_from_slice(own);
        rest = others;
    }
    let before = std::mem::replace(&mut table.values, product.values());
    let pairs = before.iter().zip(&table.values);
    pairs.filter(|(before, after)| before != after).count()
}

/// Cleans the values of one table; how many changed.
fn clean(values: &mut [Number], epsilon: f64) -> usize {
    let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.to_f64().abs()));
    let near = epsilon * largest;
    // The representatives so far, by value: a table has up to 10^5 entries that differ.
    let mut known: BTreeMap<i64, Number> = [-1, 0, 1]
        .map(Number::from_i64)
        .map(|exact| (rank(exact.to_f64()), exact))
        .into();
    let mut changed = 0;
    for value in values {
        let x = value.to_f64();
        let below = known.range(..rank(x)).next_back();
        let above = known.range(rank(x)..).next();
        let distance = |known: &Number| (*known - *value).to_f64().abs();
        let closest = [below, above]
            .into_iter()
            .flatten()
            .map(|(_, known)| *known)
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        match closest {
            Some(closest) if distance(&closest) <= near => {
                changed += usize::from(closest != *value);
                *value = closest;
            }
            _ => {
                known.insert(rank(x), *value);
            }
        }
    }
    changed
}

/// Integers in the order of floating-point numbers (IEEE 754, totalOrder).
fn rank(x: f64) -> i64 {
    let bits = x.to_bits().cast_signed();
    bits ^ ((bits >> 63) & i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_goes_and_values_stay() {
        let given = [
            1e-17,
            1.0 - 2e-16,
            -1.0 + 1e-16,
            0.1,
            0.1 + 2e-17,
            0.2,
            1e-3,
            2.0,
        ];
        let mut values = given.map(Number::from_f64);
        let changed = clean(&mut values, 4e-14);
        let found = values.map(Number::to_f64);
        assert_eq!(found, [0.0, 1.0, -1.0, 0.1, 0.1, 0.2, 1e-3, 2.0]);
        assert_eq!(
            changed,
            given.iter().zip(&found).filter(|(a, b)| a != b).count()
        );
    }

    #[test]
    fn nothing_changes_without_a_tolerance() {
        let mut values = [1e-17, 0.1, 0.1 + 2e-17, -0.5].map(Number::from_f64);
        let before = values;
        assert_eq!(clean(&mut values, 0.0), 0);
        assert!(values.iter().zip(&before).all(|(a, b)| a == b));
    }

    #[test]
    fn tabulated_entries_stay_apart() {
        let table = |tabulated: bool| Table {
            name: proc_macro2::Ident::new("t", proc_macro2::Span::call_site()),
            shape: vec![3],
            element: ScalarType::F64,
            values: [1.0, 0.1, 0.1 + 1e-14].map(Number::from_f64).to_vec(),
            tabulated,
            product: None,
        };
        let changed = |tabulated: bool, epsilon: Option<f64>| {
            let mut tables = [table(tabulated)];
            run(&mut tables, epsilon);
            tables[0].values[1] == tables[0].values[2]
        };
        assert!(changed(false, None));
        assert!(!changed(true, None));
        assert!(changed(true, Some(4e-14)));
        assert!(!changed(false, Some(0.0)));
    }
}
