//! Printing copies of staged results to where they belong.

use super::printer::{Printer, Scope};
use super::transpose;
use super::vector::Unit;
use crate::ir::{Access, Affine, ArrayId, Atom, Extent, Role};
use crate::schedule::tree::{CopyOut, Dimension, Storage};

/// A lane's neighbours in memory that are copied together.
struct Run {
    count: usize,
    /// The table that says where each one is in the staging array.
    places: Option<ArrayId>,
}

impl Printer<'_> {
    /// Adds or assigns staged results, lane by lane.
    pub fn copy_out(&mut self, copy: &CopyOut) {
        let lanes = matches!(
            self.storage(copy.staged),
            Some(Storage::Memory { lanes: true, .. })
        );
        if !lanes {
            self.copy_loops(copy, None);
            return;
        }
        let width = self.unit.width;
        let active = match self.active.first() {
            Some((active, _)) => active.clone(),
            None => width.to_string(),
        };
        let whole = self.contiguous(copy);
        let element = self.program.array(copy.staged).element;
        let network = transpose::network(width, self.unit_of(element).bits());
        if let (Some(run), Some(network)) = (whole.filter(|run| run.count >= width), network) {
            self.line(&format!("if {active} == {width} {{"));
            self.copy_transposed(copy, &run, &network);
            self.line("} else {");
            self.copy_lanes(copy, &active);
            self.line("}");
        } else {
            self.copy_lanes(copy, &active);
        }
    }

    fn copy_lanes(&mut self, copy: &CopyOut, active: &str) {
        let lane = self.fresh("lane");
        self.line(&format!("for {lane} in 0..{active} {{"));
        self.copy_loops(copy, Some(&lane));
        self.line("}");
    }

    fn copy_loops(&mut self, copy: &CopyOut, lane: Option<&str>) {
        for index in &copy.loops {
            self.open_loop(*index, 0);
        }
        let mut scope = Scope::default();
        let staged = self.staged_access(copy);
        let from_address = self.address(&staged);
        let from = self.text(&mut scope, &from_address.affine, &Vec::new(), None);
        let to_address = self.address(&copy.target);
        let pointer = self.pointer(copy.target.array);
        let source = self.pointer(copy.staged);
        let width = self.unit.width;
        let operator = if copy.accumulate { "+=" } else { "=" };
        if let (Some(lane), Some(index)) = (lane, self.schedule.lanes) {
            // The lane's own iteration of the loop that lanes run over.
            let name = self.names[&index].clone();
            self.line(&format!("let {name} = {name} + {lane};"));
            let to = self.at(&mut scope, &pointer, &to_address, &Vec::new(), None);
            self.line(&format!(
                "*{to} {operator} *{source}.add(({from}) * {width} + {lane});"
            ));
        } else {
            let to = self.at(&mut scope, &pointer, &to_address, &Vec::new(), None);
            self.line(&format!("*{to} {operator} *{source}.add({from});"));
        }
        self.close_loops(&copy.loops);
    }

    /// The staging array's element at the copy's loops.
    fn staged_access(&self, copy: &CopyOut) -> Access {
        let mut subscripts = copy.subscripts().into_iter();
        let subscripts = match self.storage(copy.staged) {
            Some(Storage::Memory { extents, .. }) => extents
                .iter()
                .map(|kept| match kept {
                    Dimension::Kept(_) => subscripts.next().unwrap_or_default(),
                    Dimension::Ring(_) => Affine::default(),
                })
                .collect(),
            _ => Vec::new(),
        };
        Access {
            array: copy.staged,
            subscripts,
        }
    }

    /// What is copied, if each lane's target is one contiguous run in the order of the staging
    /// array, or of a table of places.
    fn contiguous(&self, copy: &CopyOut) -> Option<Run> {
        let lane = self.schedule.lanes?;
        let array = self.program.array(copy.target.array);
        let (first, inner) = copy.target.subscripts.split_first()?;
        let extents: Vec<usize> = array.shape[1..]
            .iter()
            .map(Extent::as_constant)
            .collect::<Option<_>>()?;
        let staged: Vec<usize> = match self.storage(copy.staged) {
            Some(Storage::Memory { extents, .. }) => {
                extents.iter().filter_map(|d| d.kept()).collect()
            }
            _ => return None,
        };
        let in_order = |subscripts: &[Affine]| {
            let mut pairs = subscripts.iter().zip(&copy.loops);
            subscripts.len() == copy.loops.len()
                && pairs.all(|(subscript, index)| subscript.as_index() == Some(*index))
        };
        let places = match copy.places.as_ref().map(|places| places.terms.as_slice()) {
            None => None,
            Some([(Atom::Map(places, subscripts), 1)]) if in_order(subscripts) => Some(*places),
            Some(_) => return None,
        };
        let stored = match places {
            Some(places) => self.program.array(places).shape == array.shape[1..],
            None => staged == extents,
        };
        let lengths = copy
            .loops
            .iter()
            .map(|i| &self.program.loop_index(*i).extent);
        let whole = matches!(array.role, Role::Output(_))
            && first.as_index() == Some(lane)
            && in_order(inner)
            && lengths.eq(&array.shape[1..]);
        (stored && whole).then(|| Run {
            count: extents.iter().product(),
            places,
        })
    }

    /// Where an element of a run is in the staging array: at a variable, or at a number.
    fn place(&self, run: &Run, at: &str, ahead: usize) -> String {
        match run.places {
            Some(places) => {
                let places = self.pointer(places);
                format!("*{places}.add({at} + {ahead}) as usize")
            }
            None => format!("({at} + {ahead})"),
        }
    }

    /// All lanes are active, and each owns a run of neighbours: squares are transposed in
    /// registers, so that whole vectors are added to each lane's memory.
    fn copy_transposed(&mut self, copy: &CopyOut, run: &Run, network: &transpose::Network) {
        let count = run.count;
        let element = self.program.array(copy.staged).element;
        let unit = self.unit_of(element).clone();
        let width = unit.width;
        let lane = self
            .schedule
            .lanes
            .map(|index| self.names[&index].clone())
            .unwrap_or_default();
        let source = self.pointer(copy.staged);
        let operator = if copy.accumulate { "+=" } else { "=" };
        let rows: Vec<String> = (0..width).map(|_| self.fresh("row")).collect();
        for (k, row) in rows.iter().enumerate() {
            let target = self.pointer(copy.target.array);
            self.line(&format!(
                "let {row} = {target}.add(({lane} + {k}) * {count});"
            ));
        }
        let whole = count - count % width;
        let at = self.fresh("at");
        self.line(&format!("let mut {at} = 0usize; while {at} < {whole} {{"));
        let mut registers: Vec<String> = Vec::new();
        for k in 0..width {
            let place = self.place(run, &at, k);
            let load = unit.load(&format!("{source}.add({place} * {width})"));
            registers.push(self.name("staged", &load));
        }
        let registers = self.transposed(network, &unit, registers, "lane");
        for (row, value) in rows.iter().zip(registers) {
            let pointer = format!("{row}.add({at})");
            let value = if copy.accumulate {
                unit.add(true, &unit.load(&pointer), &value)
            } else {
                value
            };
            let store = unit.store(&pointer, &value);
            self.line(&store);
        }
        self.line(&format!("{at} += {width}; }}"));
        for at in whole..count {
            for (k, row) in rows.iter().enumerate() {
                let place = self.place(run, "0", at);
                self.line(&format!(
                    "*{row}.add({at}) {operator} *{source}.add({place} * {width} + {k});"
                ));
            }
        }
    }

    /// Prints the stages of a network; `base` is the name of what it gives.
    pub fn transposed(
        &mut self,
        network: &transpose::Network,
        unit: &Unit,
        mut registers: Vec<String>,
        base: &str,
    ) -> Vec<String> {
        let (width, bits) = (unit.width, unit.bits());
        for (stage, moves) in network.iter().enumerate() {
            let base = match stage + 1 == network.len() {
                true => base,
                false => "mixed",
            };
            registers = moves
                .iter()
                .map(|(shuffle, a, b)| {
                    let text =
                        transpose::print(*shuffle, width, bits, &registers[*a], &registers[*b]);
                    self.name(base, &text)
                })
                .collect();
        }
        registers
    }
}
