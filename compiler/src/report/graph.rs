//! A picture of a program: its equations, and which reads what another one computes.
//!
//! An equation is below all that it reads. Equations over the same loops have the same colour:
//! these are the ones that may share loops.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::page::escaped;
use crate::ir::{ArrayId, ExprId, Program, Role};

/// Most equations that are drawn.
const MOST: usize = 48;
/// Sizes of a box and of what is between two.
const WIDTH: usize = 150;
const HEIGHT: usize = 40;
const GAP: usize = 26;
/// Hues of equations, by their loops.
const HUES: [u16; 8] = [210, 30, 120, 280, 0, 170, 60, 320];

/// An equation as a box.
struct Vertex {
    /// What it writes.
    array: ArrayId,
    /// The equations before it that it reads from.
    reads: Vec<usize>,
    /// Row: one more than the largest of these.
    row: usize,
    /// Place in the row.
    column: usize,
    /// The loops it runs over.
    loops: String,
}

/// The picture as SVG; nothing for a program without equations, or with too many.
pub fn picture(program: &Program) -> String {
    if program.equations.is_empty() || program.equations.len() > MOST {
        return String::new();
    }
    let vertices = vertices(program);
    let columns = vertices.iter().map(|v| v.column + 1).max().unwrap_or(1);
    let rows = vertices.iter().map(|v| v.row + 1).max().unwrap_or(1);
    let (width, height) = (columns * (WIDTH + GAP), rows * (HEIGHT + GAP));
    let mut out = format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" style=\"max-width: 100%\" \
         font-size=\"12\" text-anchor=\"middle\">\n"
    );
    for vertex in &vertices {
        for read in &vertex.reads {
            let (from, to) = (corner(&vertices[*read]), corner(vertex));
            let _ = writeln!(
                out,
                "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#8888\"/>",
                from.0 + WIDTH / 2,
                from.1 + HEIGHT,
                to.0 + WIDTH / 2,
                to.1
            );
        }
    }
    let mut known: Vec<&str> = Vec::new();
    for vertex in &vertices {
        if !known.contains(&vertex.loops.as_str()) {
            known.push(&vertex.loops);
        }
        let colour = known.iter().position(|loops| *loops == vertex.loops);
        let hue = HUES[colour.unwrap_or(0) % HUES.len()];
        labelled(&mut out, program, vertex, hue);
    }
    out.push_str("</svg>\n");
    out
}

fn labelled(out: &mut String, program: &Program, vertex: &Vertex, hue: u16) {
    let (x, y) = corner(vertex);
    let array = program.array(vertex.array);
    let line = if matches!(array.role, Role::Temporary) {
        1
    } else {
        3
    };
    let _ = writeln!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"6\" \
         fill=\"hsl({hue} 60% 50% / .25)\" stroke=\"hsl({hue} 60% 45%)\" stroke-width=\"{line}\"/>"
    );
    let texts = [&array.name, &vertex.loops];
    for (number, text) in texts.into_iter().enumerate() {
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" fill=\"currentColor\">{}</text>",
            x + WIDTH / 2,
            y + 16 + 16 * number,
            escaped(text)
        );
    }
}

fn corner(vertex: &Vertex) -> (usize, usize) {
    let x = vertex.column * (WIDTH + GAP) + GAP / 2;
    (x, vertex.row * (HEIGHT + GAP) + GAP / 2)
}

fn vertices(program: &Program) -> Vec<Vertex> {
    let mut result: Vec<Vertex> = Vec::new();
    for equation in &program.equations {
        let read = read(program, equation.expr);
        let memory = |array: ArrayId| program.viewed(array);
        let reads = (0..result.len()).filter(|at| read.contains(&memory(result[*at].array)));
        let reads: Vec<usize> = reads.collect();
        let row = reads
            .iter()
            .map(|at| result[*at].row + 1)
            .max()
            .unwrap_or(0);
        let column = result.iter().filter(|other| other.row == row).count();
        let name = |index| program.loop_index(index).name.as_str();
        let mut loops: Vec<&str> = equation.free.iter().map(|index| name(*index)).collect();
        let sums: Vec<&str> = equation
            .reduction
            .iter()
            .map(|index| name(*index))
            .collect();
        let sums = format!("sum over {}", sums.join(", "));
        if !equation.reduction.is_empty() {
            loops.push(&sums);
        }
        result.push(Vertex {
            array: equation.target.array,
            reads,
            row,
            column,
            loops: loops.join(", "),
        });
    }
    result
}

/// The arrays that an expression reads.
fn read(program: &Program, expr: ExprId) -> BTreeSet<ArrayId> {
    let accesses = program.pool.accesses([expr]).into_iter();
    accesses
        .map(|(_, access)| program.viewed(access.array))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;

    #[test]
    fn equations_stand_below_what_they_read() {
        let program = text::parse(
            "program p
index e: len(x)
index i: 4
param 0 x: f64[len(x), 4]
output 1 y: f64[len(y), 4]
temp s: f64[len(x)]
temp t: f64[len(x)]
s[e] = sum(i) x[e, i]   for e
t[e] = x[e, 0] * s[e]   for e
y[e, i] += s[e] * t[e] * x[e, i]   for e, i
",
        )
        .unwrap();
        let found = vertices(&program);
        let places: Vec<_> = found.iter().map(|v| (v.row, v.column)).collect();
        assert_eq!(places, [(0, 0), (1, 0), (2, 0)]);
        assert_eq!(found[2].reads, [0, 1]);
        assert_eq!(found[0].loops, "e, sum over i");
        let picture = picture(&program);
        assert_eq!(picture.matches("<line").count(), 3);
        assert_eq!(picture.matches("<rect").count(), 3);
        assert!(super::picture(&Program::default()).is_empty());
    }
}
