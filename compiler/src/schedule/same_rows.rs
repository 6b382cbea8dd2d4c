//! Values that rows which take a step together have in common.
//!
//! Of what one row computes from inputs a part may be what another one computes, some rows away: straight-line code computes
//! it once. So register tiles share sums along the rows, too, without places for these in memory.
//!
//! Before: row `j` has `(x[j, i] + u[j, i]) + (x[j + 2, i] + u[j + 2, i])`, and so has row `j + 2`. After: its first sum is the second
//! one of row `j`.
//! Holds: inputs are what they are wherever they are read, so that equal expressions at equal elements are equal, bit by bit.

use super::executed::{unseen, unseen_but};
use super::overlapped::steady;
use super::tree::{Instance, Loop, Node, Offsets, Schedule, Steps, offset};
use crate::analysis::cost::{Cost, node};
use crate::collections::{HashMap, HashSet};
use crate::ir::{Atom, ExprId, IndexId, Pool, Program, Role};
use crate::rewrite::translate::{AXES, Offset, Translation};

/// A value of some row: an expression that it is away from, by how many rows along each loop over rows, and the offsets of
/// the lanes.
pub type Place = (ExprId, Offset, Offsets);

/// What the values of rows are away from.
#[derive(Clone)]
pub struct SameRows {
    /// With what values are away from beside the program's expressions.
    pool: Pool,
    translation: Translation,
    inputs: HashMap<ExprId, bool>,
}

impl SameRows {
    /// Of instances that some loops over rows have in several rows; `None` where there are none.
    pub fn of(program: &Program, schedule: &Schedule, instances: &[Instance]) -> Option<SameRows> {
        let all = instances.iter().flat_map(|own| &own.offsets);
        let rows = all.map(|(index, _)| *index);
        let mut rows: Vec<IndexId> = rows.filter(|index| !schedule.is_lane(*index)).collect();
        rows.sort_unstable();
        rows.dedup();
        let fits = !rows.is_empty() && rows.len() <= AXES && !program.exact;
        fits.then(|| SameRows {
            pool: program.pool.clone(),
            translation: Translation::new(&rows, true),
            inputs: HashMap::default(),
        })
    }

    /// Where an expression is, of inputs, at the offsets of an instance.
    pub fn place(
        &mut self,
        program: &Program,
        expr: ExprId,
        offsets: &[(IndexId, usize)],
    ) -> Option<Place> {
        let depends = program.pool.indices(expr);
        let rows = &self.translation.axes;
        if !rows.iter().any(|row| depends.contains(row)) || !self.is_of_inputs(program, expr) {
            return None;
        }
        let (base, mut by) = self.translation.base(&mut self.pool, expr)?;
        let rows = &self.translation.axes;
        for (by, row) in by.iter_mut().zip(rows) {
            if depends.contains(row) {
                *by = by.checked_add(i32::try_from(offset(offsets, *row)).ok()?)?;
            }
        }
        let others = offsets.iter().copied();
        let others = others.filter(|(index, _)| depends.contains(index) && !rows.contains(index));
        Some((base, by, others.collect()))
    }

    /// Whether an expression at the offsets of an instance is new to some values.
    pub fn is_new(
        &mut self,
        program: &Program,
        (expr, offsets): (ExprId, &Offsets),
        known: &mut HashSet<Place>,
    ) -> bool {
        let place = self.place(program, expr, offsets);
        place.is_none_or(|place| known.insert(place))
    }

    fn is_of_inputs(&mut self, program: &Program, expr: ExprId) -> bool {
        if let Some(known) = self.inputs.get(&expr) {
            return *known;
        }
        let accesses = program.pool.accesses([expr]).into_iter();
        let mut accesses = accesses.map(|(_, access)| access);
        let found = accesses.all(|access| {
            let mut atoms = access.subscripts.iter().flat_map(|own| &own.terms);
            matches!(program.array(access.array).role, Role::Parameter(_))
                && atoms.all(|(atom, _)| !matches!(atom, Atom::Map(..)))
        });
        self.inputs.insert(expr, found);
        found
    }
}

/// Which part of the operations of rows that take a step together is left of those of all of them; 1 where none do.
pub fn left(program: &Program, schedule: &Schedule) -> f64 {
    let (mut each, mut once) = (Cost::default(), Cost::default());
    for block in blocks(schedule, &schedule.body, false) {
        let same = SameRows::of(program, schedule, &block);
        let (mut same, mut places) = (same, HashSet::default());
        let (mut seen, mut first) = (HashSet::default(), HashSet::default());
        for own in &block {
            for expr in unseen(program, own, &mut seen) {
                node(program, expr, &mut each);
            }
            let mut known = |expr| {
                let value = (expr, &own.offsets);
                let same = same.as_mut();
                same.is_some_and(|same| !same.is_new(program, value, &mut places))
            };
            for expr in unseen_but(program, own, &mut first, &mut known) {
                node(program, expr, &mut once);
            }
        }
    }
    match each.operations() {
        0 => 1.0,
        all => once.operations() as f64 / all as f64,
    }
}

/// The straight-line code of rows that take a step together, without what vectors hand on.
fn blocks(schedule: &Schedule, nodes: &[Node], together: bool) -> Vec<Vec<Instance>> {
    let mut result = Vec::new();
    for node in nodes {
        match node {
            Node::Loop(l) => {
                let steady = steady(schedule, l);
                let Loop { steps, body, .. } = steady.as_ref().unwrap_or(l);
                result.extend(blocks(schedule, body, together || *steps == Steps::Whole));
            }
            Node::Block(instances) if together => result.push(instances.clone()),
            _ => {}
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;

    fn instance(equation: usize, offsets: &[(IndexId, usize)]) -> Instance {
        Instance {
            equation,
            offsets: offsets.to_vec(),
        }
    }

    #[test]
    fn rows_have_what_others_have_some_rows_away() {
        let program = text::parse(
            "program p\nindex j: 8\nindex i: 8\nparam 0 x: f64[12, 8]\nparam 1 w: f64[8]\n\
             output 2 y: f64[8, 8]\ntemp t: f64[8, 8]\n\
             t[j, i] = x[j, i] + x[j + 1, i]   for j, i\n\
             y[j, i] = x[j + 2, i] + x[j + 3, i]   for j, i\n\
             y[j, i] = x[j + 2, i] + w[j]   for j, i\n\
             y[j, i] = t[j, i] + t[j, i]   for j, i\n",
        )
        .unwrap();
        let free = &program.equations[0].free;
        let (j, i) = (free[0], free[1]);
        let schedule = Schedule {
            width: 8,
            lanes: Some(i),
            others: Vec::new(),
            storage: Vec::new(),
            buffers: Vec::new(),
            body: Vec::new(),
        };
        assert!(SameRows::of(&program, &schedule, &[instance(0, &[(i, 8)])]).is_none());
        let rows = [instance(0, &[]), instance(0, &[(j, 1)])];
        let mut same = SameRows::of(&program, &schedule, &rows).unwrap();
        let mut place = |at: usize, offsets: &[(IndexId, usize)]| {
            same.place(&program, program.equations[at].expr, offsets)
        };
        let third = place(0, &[(j, 2)]);
        assert!(third.is_some());
        assert_eq!(third, place(1, &[]));
        assert_ne!(third, place(1, &[(j, 1)]));
        assert_ne!(third, place(1, &[(i, 8)]));
        assert_eq!(place(0, &[(j, 3), (i, 8)]), place(1, &[(i, 8), (j, 1)]));
        // Of two operands that are away by different numbers of rows, no translate is another row's.
        assert_ne!(place(2, &[(j, 2)]), place(2, &[]));
        // What is computed here may not be there yet.
        assert_eq!(place(3, &[(j, 1)]), None);
    }
}
