//! Tables without the noise of their computation (the option `epsilon`).
//!
//! Before, with `epsilon = 4e-14`: `[1e-17, 0.9999999999999998, 0.1, 0.10000000000000002]`. After:
//! `[0, 1, 0.1, 0.1]`. Entries within epsilon of 0, 1 or -1, relative to the table's largest, are that;
//! entries within it of an earlier one are that one. Without the option, what is written out or included
//! stands as it is: a table of physical constants has entries of any size, and each of them is meant.
//! Where a table looks like one of an element that came with noise, the report proposes the option.
//!
//! What `tabulate!` evaluates has no noise but that of double-double arithmetic, which goes without
//! the option: it is far below the digits of the entries. Where tables are products of tables over the line, those
//! are cleaned first. The pass runs on the tables of the text, before lowering, so that source and
//! program are compared with the same constants.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::number::Number;
use crate::syntax::ast::{ScalarType, Table};

/// The pass's name.
pub const NAME: &str = "clean_tables";

/// The epsilon that is proposed for element tables that come with noise: some hundred roundings.
pub const PROPOSED: f64 = 4e-14;
/// Epsilon for tables that `tabulate!` evaluates.
const TABULATED: f64 = 1e-25;

/// Cleans tables; what was changed. `epsilon` is the kernel's own, if it states one.
pub fn run(tables: &mut [Table], epsilon: Option<f64>) -> Vec<String> {
    let mut decisions = Vec::new();
    for table in tables {
        if matches!(table.element, ScalarType::Integer(_)) {
            continue;
        }
        let mut changed = match epsilon {
            None => clean_lines(table),
            Some(_) => 0,
        };
        let usual = table.tabulated.then_some(TABULATED);
        match epsilon.or(usual) {
            Some(epsilon) => changed += clean(&mut table.values, epsilon),
            None => decisions.extend(proposal(table)),
        }
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

/// What is said of a table whose rows sum to 1, or to 0, as values and derivatives of the functions of
/// an element do, if it has entries that are noise beside these.
fn proposal(table: &Table) -> Option<String> {
    let (row, rest) = table.shape.split_last()?;
    let rows = rest.iter().product::<usize>();
    if *row < 2 || rows < 2 || table.values.len() != row * rows {
        return None;
    }
    let (sum, near) = {
        let largest = largest(&table.values);
        let near = PROPOSED * largest;
        let sums = table.values.chunks(*row);
        let sums = sums.map(|row| row.iter().fold(Number::ZERO, |sum, v| sum + *v).to_f64());
        let sums: Vec<f64> = sums.collect();
        let all = |target: f64| sums.iter().all(|sum| (sum - target).abs() <= near);
        ([1.0, 0.0].into_iter().find(|target| all(*target))?, near)
    };
    let noise = table.values.iter().map(|value| value.to_f64().abs());
    let noise = noise.filter(|value| *value > 0.0 && *value <= near).count();
    (noise > 0).then(|| {
        format!(
            "`{}` may be a table of an element with noise: its rows sum to {sum}, and {noise} of its \
             entries are below {PROPOSED:e} of its largest; `epsilon = {PROPOSED:e}` would make them 0",
            table.name
        )
    })
}

/// The largest absolute value of a table's entries.
fn largest(values: &[Number]) -> f64 {
    values.iter().fold(0.0, |m, v| m.max(v.to_f64().abs()))
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
pub fn clean(values: &mut [Number], epsilon: f64) -> usize {
    let near = epsilon * largest(values);
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
                known.insert(rank(-x), -*value);
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

    /// A table of rows of `row` entries.
    fn table(values: &[f64], row: usize) -> Table {
        Table {
            name: proc_macro2::Ident::new("t", proc_macro2::Span::call_site()),
            shape: vec![values.len() / row, row],
            element: ScalarType::F64,
            values: values.iter().copied().map(Number::from_f64).collect(),
            tabulated: false,
            product: None,
            reference: false,
            tuples: None,
        }
    }

    #[test]
    fn entries_stay_what_they_are_unless_an_epsilon_is_stated() {
        let values = [1.0, 0.1, 0.1 + 1e-14, 3e-20];
        let cleaned = |tabulated: bool, epsilon: Option<f64>| {
            let mut tables = [Table {
                tabulated,
                ..table(&values, 4)
            }];
            run(&mut tables, epsilon);
            let [table] = tables;
            table.values.into_iter().map(Number::to_f64).collect()
        };
        let cleaned = |tabulated, epsilon| -> Vec<f64> { cleaned(tabulated, epsilon) };
        assert_eq!(cleaned(false, None), values);
        assert_eq!(cleaned(true, None), values);
        assert_eq!(cleaned(false, Some(0.0)), values);
        for tabulated in [false, true] {
            let found = cleaned(tabulated, Some(4e-14));
            assert_eq!(found, [1.0, 0.1, 0.1, 0.0]);
        }
    }

    #[test]
    fn noise_of_tabulating_goes() {
        let noisy = Number::from_parts(0.1, 1e-28);
        let mut tables = [Table {
            tabulated: true,
            ..table(&[1.0, 0.1, 1e-30, 0.0], 4)
        }];
        tables[0].values[3] = noisy;
        run(&mut tables, None);
        assert!(tables[0].values[2].is_zero());
        assert_eq!(tables[0].values[3], tables[0].values[1]);
    }

    #[test]
    fn an_option_is_proposed_for_tables_of_elements_alone() {
        let proposed = |values: &[f64]| !run(&mut [table(values, 2)], None).is_empty();
        // Values, and derivatives, with noise and without.
        assert!(proposed(&[1.0, -3e-17, 0.25, 0.75]));
        assert!(proposed(&[-1.0, 1.0, 2e-16, -2e-16]));
        assert!(!proposed(&[1.0, 0.0, 0.25, 0.75]));
        // Constants of any size; a table of one row says nothing.
        assert!(!proposed(&[
            2.99792458e8,
            8.8541878128e-12,
            1.380649e-23,
            1.0
        ]));
        assert!(!proposed(&[1.0, -3e-17]));
    }
}
