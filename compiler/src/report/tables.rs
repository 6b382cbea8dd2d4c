//! Pictures of tables: where their entries are zero, ±1 or something else.

use std::fmt::Write as _;

use crate::ir::{Program, Role};

/// Size of an entry.
const CELL: usize = 9;
/// Most rows and columns, and most layers, of a table that is drawn.
const MOST: usize = 64;
const LAYERS: usize = 9;
/// Most tables.
const TABLES: usize = 12;

/// A title and a picture for each table that a program reads and that has zeros.
pub fn pictures(program: &Program) -> Vec<(String, String)> {
    let mut result: Vec<(String, String)> = Vec::new();
    let values = program.equations.iter().map(|equation| equation.expr);
    let mut read: Vec<_> = (program.pool.accesses(values).into_iter())
        .map(|(_, access)| access.array)
        .collect();
    read.sort();
    read.dedup();
    for array in read.into_iter().map(|array| program.array(array)) {
        let Role::Table(entries) = &array.role else {
            continue;
        };
        let shape: Option<Vec<usize>> = array
            .shape
            .iter()
            .map(|extent| extent.as_constant())
            .collect();
        let entries: Vec<f64> = entries.iter().map(|entry| entry.to_f64()).collect();
        let zeros = entries.iter().filter(|entry| **entry == 0.0).count();
        let Some(shape) =
            shape.filter(|shape| shape.len() >= 2 && zeros > 0 && result.len() < TABLES)
        else {
            continue;
        };
        if let Some(picture) = picture(&shape, &entries) {
            result.push((
                format!(
                    "`{}`: {zeros} of {} entries are zero",
                    array.name,
                    entries.len()
                ),
                picture,
            ));
        }
    }
    result
}

/// The last two dimensions as rows and columns, and the others beside each other.
fn picture(shape: &[usize], entries: &[f64]) -> Option<String> {
    let [outer @ .., rows, columns] = shape else {
        return None;
    };
    let layers: usize = outer.iter().product();
    if *rows > MOST
        || *columns > MOST
        || layers > LAYERS
        || layers * rows * columns != entries.len()
    {
        return None;
    }
    let (width, height) = (layers * (columns + 1) * CELL, rows * CELL);
    let mut out = format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" style=\"max-width: 100%\">\n"
    );
    for (at, entry) in entries.iter().enumerate() {
        let (layer, row, column) = (at / (rows * columns), at / columns % rows, at % columns);
        let (x, y) = ((layer * (columns + 1) + column) * CELL, row * CELL);
        let fill = match *entry {
            0.0 => "#8882",
            1.0 | -1.0 => "hsl(120 50% 45% / .7)",
            _ => "hsl(210 60% 50% / .8)",
        };
        let size = CELL - 1;
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" fill=\"{fill}\"/>"
        );
    }
    out.push_str("</svg>\n");
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;

    #[test]
    fn zeros_and_ones_have_colours_of_their_own() {
        let program = text::parse(
            "program p
index i: 2
index j: 3
table t: f64[2, 3] = [0, 1, 2, -1, 0, 0]
table full: f64[2, 3] = [1, 1, 2, -1, 1, 3]
output 0 v: f64[2, 3]
v[i, j] = t[i, j] * full[i, j]   for i, j
",
        )
        .unwrap();
        let found = pictures(&program);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, "`t`: 3 of 6 entries are zero");
        for (colour, count) in [("#8882", 3), ("120 50%", 2), ("210 60%", 1)] {
            assert_eq!(found[0].1.matches(colour).count(), count, "{colour}");
        }
    }
}
