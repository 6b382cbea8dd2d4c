//! Pictures of stencils: which neighbours of a point an equation reads.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::page::escaped;
use crate::ir::{Access, Affine, Atom, Equation, IndexId, Program};

/// Size of a cell.
const CELL: usize = 18;
/// Widest stencils that are drawn.
const WIDEST: i64 = 24;
/// Most pictures.
const MOST: usize = 6;

/// Offsets along each dimension; outermost first.
type Offset = Vec<i64>;

/// A title and a picture for each array that an equation reads at several places around one of its own.
pub fn pictures(program: &Program) -> Vec<(String, String)> {
    let mut result = Vec::new();
    for equation in &program.equations {
        for (array, offsets) in read(program, equation) {
            let moves = offsets.iter().flatten().any(|offset| *offset != 0);
            if offsets.len() < 2 || !moves || result.len() == MOST {
                continue;
            }
            let target = &program.array(program.viewed(equation.target.array)).name;
            if let Some(picture) = picture(&offsets) {
                let points = offsets.len();
                let title = format!("`{target}` reads {points} points of `{array}`");
                result.push((title, picture));
            }
        }
    }
    result
}

/// The offsets at which arrays are read, from where the target is written.
fn read(program: &Program, equation: &Equation) -> BTreeMap<String, BTreeSet<Offset>> {
    let mut result: BTreeMap<String, BTreeSet<Offset>> = BTreeMap::new();
    let mut others = BTreeSet::new();
    for (_, access) in program.pool.accesses([equation.expr]) {
        let name = program.array(program.viewed(access.array)).name.clone();
        match offsets(program, equation, access) {
            Some(offsets) => result.entry(name).or_default().extend(offsets),
            None => {
                others.insert(name);
            }
        }
    }
    // Other reads of an array would be missing in its picture.
    result.retain(|name, _| !others.contains(name));
    result
}

/// The offsets of an access whose subscripts are those of the target, moved by constants and by loops of known
/// length.
fn offsets(program: &Program, equation: &Equation, access: &Access) -> Option<Vec<Offset>> {
    let rank = access.subscripts.len();
    if rank == 0 || rank > 3 || rank != equation.target.subscripts.len() {
        return None;
    }
    let mut found: Vec<Offset> = vec![Vec::new()];
    for (read, written) in access.subscripts.iter().zip(&equation.target.subscripts) {
        written
            .terms
            .iter()
            .any(|(atom, _)| matches!(atom, Atom::Index(_)))
            .then_some(())?;
        let along = along(program, &equation.reduction, &read.sub(written))?;
        found = found
            .iter()
            .flat_map(|before| {
                along
                    .iter()
                    .map(move |last| before.iter().copied().chain([*last]).collect())
            })
            .collect();
    }
    Some(found)
}

/// The values of a difference of subscripts, over loops that are summed over.
fn along(program: &Program, summed: &[IndexId], difference: &Affine) -> Option<Vec<i64>> {
    let mut values = vec![difference.constant];
    for (atom, factor) in &difference.terms {
        let Atom::Index(index) = atom else {
            return None;
        };
        let extent = program.loop_index(*index).extent.as_constant()?;
        let extent = i64::try_from(extent)
            .ok()
            .filter(|extent| *extent <= WIDEST && summed.contains(index))?;
        values = values
            .iter()
            .flat_map(|value| (0..extent).map(move |k| value + factor * k))
            .collect();
    }
    Some(values)
}

/// Layers of rows of cells; those that are read are filled, and that of the target has a ring.
fn picture(offsets: &BTreeSet<Offset>) -> Option<String> {
    // Missing dimensions are of one layer, or one row.
    let padded = |offset: &Offset| -> [i64; 3] {
        let mut all = [0; 3];
        all[3 - offset.len()..].copy_from_slice(offset);
        all
    };
    let read: BTreeSet<[i64; 3]> = offsets.iter().map(padded).collect();
    let range = |axis: usize| {
        let all = || read.iter().map(|offset| offset[axis]).chain([0]);
        Some((all().min()?, all().max()?))
    };
    let [layers, rows, columns] = [range(0)?, range(1)?, range(2)?];
    let length = |(first, last): (i64, i64)| usize::try_from(last - first + 1).ok();
    if [layers, rows, columns]
        .iter()
        .any(|(first, last)| last - first >= WIDEST)
    {
        return None;
    }
    let (deep, high, wide) = (length(layers)?, length(rows)?, length(columns)?);
    let (width, height) = (deep * (wide + 1) * CELL, high * CELL + 4);
    let mut out = format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" style=\"max-width: 100%\">\n"
    );
    for (l, layer) in (layers.0..=layers.1).enumerate() {
        for (r, row) in (rows.0..=rows.1).enumerate() {
            for (c, column) in (columns.0..=columns.1).enumerate() {
                let (x, y) = ((l * (wide + 1) + c) * CELL + 2, r * CELL + 2);
                let fill = match read.contains(&[layer, row, column]) {
                    true => "hsl(210 60% 50% / .7)",
                    false => "#8882",
                };
                let _ = writeln!(
                    out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" fill=\"{fill}\"/>",
                    size = CELL - 3
                );
                if [layer, row, column] == [0, 0, 0] {
                    let (x, y, size) = (x + CELL / 2 - 1, y + CELL / 2 - 1, CELL / 2 - 4);
                    let _ = writeln!(
                        out,
                        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{size}\" fill=\"none\" stroke=\"currentColor\"/>"
                    );
                }
            }
        }
    }
    out.push_str("</svg>\n");
    Some(out)
}

/// A title with names between backticks as code.
pub fn title(text: &str) -> String {
    let parts = escaped(text);
    let parts = parts.split('`').enumerate();
    let marked = parts.map(|(at, part)| match at % 2 {
        0 => part.to_owned(),
        _ => format!("<code>{part}</code>"),
    });
    marked.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;

    #[test]
    fn neighbours_are_drawn_around_the_point_that_is_written() {
        let program = text::parse(
            "program p
index j: n - 2
index i: n - 2
index k: 3
param 0 n: usize
param 1 u: f64[n, n]
param 2 x: f64[n]
output 3 v: f64[n, n]
output 4 y: f64[n]
v[j + 1, i + 1] = u[j + 1, i + 1] + u[j + 1, i] + u[j, i + 1] + x[i]   for j, i
y[i] = sum(k) x[i + k]   for i
",
        )
        .unwrap();
        let found = pictures(&program);
        let titles: Vec<&str> = found.iter().map(|(title, _)| title.as_str()).collect();
        assert_eq!(
            titles,
            ["`v` reads 3 points of `u`", "`y` reads 3 points of `x`"]
        );
        assert_eq!(found[0].1.matches("/ .7").count(), 3);
        assert_eq!(found[0].1.matches("<rect").count(), 4);
        assert_eq!(found[1].1.matches("<circle").count(), 1);
        assert_eq!(title("`a` < b"), "<code>a</code> &lt; b");
    }
}
