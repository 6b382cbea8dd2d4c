//! Printing copies of staged results to where they belong.

use super::lines::Rows;
use super::parts::Part;
use super::printer::{Printer, Scope};
use super::rows::ROW;
use super::variant::integer_name;
use super::vector::Unit;
use super::{tables, transpose};
use crate::ir::{ArrayId, Element};
use crate::schedule::runs::Run;
use crate::schedule::tree::{CopyOut, Storage};
use crate::syntax::ast::IntegerType;

impl Printer<'_> {
    /// Adds or assigns staged results, lane by lane.
    pub fn copy_out(&mut self, copy: &CopyOut) {
        let lanes = matches!(
            self.storage(copy.staged),
            Some(Storage::Memory { lanes: true, .. })
        );
        if !lanes {
            self.copy_loops(&[copy], None);
            return;
        }
        if let Some(components) = self.filling(&[copy]) {
            self.copy_filling(&[copy], &components);
            return;
        }
        match Run::of(self.program, self.schedule, copy) {
            Some(run) => {
                let active = self.active_lanes();
                let source = self.pointer(copy.staged);
                self.offsets_of(&run);
                self.copy_run(copy, &run, &source, &active);
            }
            None => self.copy_apart(&[copy]),
        }
    }

    /// How many lanes are active.
    pub fn active_lanes(&self) -> String {
        match self.active.first() {
            Some((active, _)) => active.clone(),
            None => self.unit.width.to_string(),
        }
    }

    /// Names the table that says where a run's elements are.
    pub fn offsets_of(&mut self, run: &Run) {
        if let Some(places) = run.places {
            let table = tables::times(&self.program.array(places).name, self.unit.width);
            let offsets = self.offsets(places);
            self.line(&format!("let {offsets} = {table}.as_ptr();"));
        }
    }

    /// The network that transposes squares of a run, if it has whole ones.
    pub fn network(&self, copy: &CopyOut, run: &Run) -> Option<transpose::Network> {
        let width = self.unit.width;
        let bits = self.unit_of(self.program.array(copy.staged).element).bits();
        let whole = run.count >= width && self.narrower(copy).is_none();
        transpose::network(width, bits).filter(|_| whole)
    }

    /// The type of the elements that results go to, where these are narrower than the lanes that they are staged in:
    /// registers of such are not stored as they are.
    pub fn narrower(&self, copy: &CopyOut) -> Option<IntegerType> {
        match self.program.array(copy.target.array).element {
            Element::Integer(ty) if ty != ty.word() => Some(ty),
            _ => None,
        }
    }

    /// Each lane owns a run of neighbours.
    pub fn copy_run(&mut self, copy: &CopyOut, run: &Run, source: &str, active: &str) {
        let unit = self.staged_unit(copy);
        let stream = unit.is_full() && is_stream(run.count, unit.width);
        let stream = stream && self.narrower(copy).is_none();
        let lanes = |printer: &mut Self| printer.copy_lanes(copy, run, (source, active), 0);
        match self.network(copy, run) {
            _ if stream => self.by_parts(&unit, active, lanes, |printer, part| {
                printer.copy_stream(copy, run, (source, part));
            }),
            Some(network) => {
                let some = |printer: &mut Self| {
                    printer.copy_active(copy, run, (source, active), &network);
                };
                self.by_parts(&unit, active, some, |printer, part| match part {
                    Part::Whole => printer.copy_transposed(copy, run, source, &network),
                    _ => some(printer),
                });
            }
            None => lanes(self),
        }
    }

    /// What is done for all lanes of a vector, and for the active ones of a part: under masks where there are mask
    /// registers, or one lane after the other.
    fn by_parts(
        &mut self,
        unit: &Unit,
        active: &str,
        lanes: impl Fn(&mut Self),
        together: impl Fn(&mut Self, &Part),
    ) {
        if active == unit.width.to_string() {
            return together(self, &Part::Whole);
        }
        self.line(&format!("if {active} == {} {{", unit.width));
        together(self, &Part::Whole);
        self.line("} else {");
        match unit.has_masks() {
            true => together(
                self,
                &Part::Counted {
                    active: active.to_owned(),
                    mask: String::new(),
                },
            ),
            false => lanes(self),
        }
        self.line("}");
    }

    /// What lanes own, one after the other, is a stream of a few components.
    fn copy_stream(&mut self, copy: &CopyOut, run: &Run, (source, part): (&str, &Part)) {
        let unit = self.staged_unit(copy);
        let loads = (0..run.count).map(|k| {
            let place = self.place(run, &k.to_string());
            unit.load(&format!("{source}.add({place})"))
        });
        let loads: Vec<String> = loads.collect();
        let staged = loads.iter().map(|load| Some(self.name("staged", load)));
        let staged = staged.collect();
        let first = self.lane_row(copy, run, "0");
        self.put_together(&unit, staged, (&first, part, true), copy.accumulate);
    }

    /// Copies that follow each other, of components of a stream.
    pub fn copy_components(&mut self, copies: &[Option<&CopyOut>]) {
        let Some(copy) = copies.iter().flatten().next() else {
            return;
        };
        let own: Vec<&CopyOut> = copies.iter().copied().flatten().collect();
        if let Some(components) = self.filling(&own) {
            self.copy_filling(&own, &components);
            return;
        }
        let (unit, active) = (self.staged_unit(copy), self.active_lanes());
        let records = self.are_of_records(copies);
        let lanes = |printer: &mut Self| {
            let copies = copies.iter().flatten();
            copies.for_each(|copy| printer.copy_out(copy));
        };
        self.by_parts(&unit, &active, lanes, |printer, part| {
            let staged = copies.iter().map(|copy| {
                let source = printer.pointer((*copy)?.staged);
                Some(printer.name("staged", &unit.load(&source)))
            });
            let staged = staged.collect();
            let to = printer.address(&copy.target);
            let pointer = printer.pointer(copy.target.array);
            let mut scope = Scope::default();
            let first = printer.at(&mut scope, &pointer, &to, &Vec::new(), Some(0));
            let first = match copies.iter().position(Option::is_some) {
                None | Some(0) => first,
                Some(missing) => format!("{first}.wrapping_sub({missing})"),
            };
            let given = (first.as_str(), part, records);
            printer.put_together(&unit, staged, given, copy.accumulate);
        });
    }

    /// One lane after the other, from an element on.
    fn copy_lanes(
        &mut self,
        copy: &CopyOut,
        run: &Run,
        (source, active): (&str, &str),
        from: usize,
    ) {
        let [lane, at] = ["lane", "at"].map(|base| self.fresh(base));
        self.line(&format!("for {lane} in 0..{active} {{"));
        let row = self.lane_row(copy, run, &lane);
        let row = self.name("row", &row);
        self.line(&format!("for {at} in {from}..{} {{", run.count));
        let place = self.place(run, &at);
        let from = format!("*{source}.add({place} + {lane})");
        let text = self.copied_to(copy, &format!("{row}.add({at})"), &from);
        self.line(&text);
        self.line("}}");
    }

    /// The statement that takes one element to its place.
    pub fn copied_to(&self, copy: &CopyOut, to: &str, from: &str) -> String {
        let element = self.program.array(copy.staged).element;
        match self.narrower(copy) {
            Some(ty) => {
                let from = format!("({from}).0 as {}", integer_name(ty));
                self.put_at(element, to, &from, copy.accumulate)
            }
            None => self.put_at(element, to, from, copy.accumulate),
        }
    }

    /// The first of a lane's neighbours.
    fn lane_row(&self, copy: &CopyOut, run: &Run, lane: &str) -> String {
        let target = self.pointer(copy.target.array);
        let first = self.schedule.lanes.map(|index| self.names[&index].as_str());
        let first = first.unwrap_or_default();
        format!("{target}.add(({first} + {lane}) * {})", run.count)
    }

    /// The pointer to the offsets of a run's elements in the staging array.
    fn offsets(&self, places: ArrayId) -> String {
        format!("{}_offsets", self.pointer(places))
    }

    /// Where the lanes of a run's element begin in the staging array.
    pub fn place(&self, run: &Run, at: &str) -> String {
        match run.places {
            Some(places) => format!("*{}.add({at}) as usize", self.offsets(places)),
            None => format!("({at}) * {}", self.unit.width),
        }
    }

    /// All lanes are active, and each owns a run of neighbours: squares are transposed in
    /// registers, so that whole vectors are added to each lane's memory.
    fn copy_transposed(
        &mut self,
        copy: &CopyOut,
        run: &Run,
        source: &str,
        network: &transpose::Network,
    ) {
        let width = self.unit.width;
        let mut rows = Vec::new();
        for k in 0..width {
            let first = self.lane_row(copy, run, &k.to_string());
            rows.push(self.name("row", &first));
        }
        let rows = self.rows(copy, run, rows);
        let at = self.fresh("at");
        let start = self.before_lines(copy, run, (source, &rows));
        self.line(&format!("let mut {at} = {start};"));
        self.squares(copy, run, (source, &rows, &at), network);
        self.after_lines(copy, run, (source, &rows, &at));
    }

    /// Some lanes are active: squares are transposed all the same, and rows stored of these. Lane by lane, elements
    /// would be gathered out of registers that have just been stored, which loads of single elements wait for.
    pub fn copy_active(
        &mut self,
        copy: &CopyOut,
        run: &Run,
        (source, active): (&str, &str),
        network: &transpose::Network,
    ) {
        let cell = |lane: usize, first: &str| format!("{first}.wrapping_add({lane})");
        let mut rows = Rows::anywhere(self.lane_rows(copy, run, cell));
        rows.active = Some(active.to_owned());
        let at = self.fresh("at");
        self.line(&format!("let mut {at} = 0usize;"));
        self.squares(copy, run, (source, &rows, &at), network);
        let width = self.unit.width;
        if !run.count.is_multiple_of(width) {
            let squares = run.count / width * width;
            self.copy_lanes(copy, run, (source, active), squares);
        }
    }

    /// Copies all whole squares from `at` on.
    pub fn squares(
        &mut self,
        copy: &CopyOut,
        run: &Run,
        (source, rows, at): (&str, &Rows, &str),
        network: &transpose::Network,
    ) {
        let width = self.unit.width;
        self.line(&format!("while {at} + {width} <= {} {{", run.count));
        self.square(copy, run, (source, rows, at), network);
        self.line(&format!("{at} += {width}; }}"));
    }

    /// Copies as many elements as there are lanes, from `at`, to each lane's row.
    pub fn square(
        &mut self,
        copy: &CopyOut,
        run: &Run,
        (source, rows, at): (&str, &Rows, &str),
        network: &transpose::Network,
    ) {
        if rows.active.is_none() && self.in_quads(copy, run) {
            return self.quads(copy, run, (source, rows, at));
        }
        let unit = self.staged_unit(copy);
        let width = unit.width;
        let from: Vec<String> = (0..width)
            .map(|k| format!("{source}.add({})", self.place(run, &format!("{at} + {k}"))))
            .collect();
        // Four lanes at once where elements have 64 bits: that takes fewer shuffles. But the elements
        // of short runs stay in registers, whole ones.
        let together = match unit.bits() == 64 && !run.is_short(width) {
            true => ROW,
            false => width,
        };
        let pointers = rows.pointers.chunks(together);
        for (first, pointers) in (0..).step_by(together).zip(pointers) {
            let registers = if together < width {
                let from: Vec<String> = from.iter().map(|p| format!("{p}.add({first})")).collect();
                self.columns(&from, &unit, "lane")
            } else {
                let loads = from.iter().map(|pointer| unit.load(pointer));
                let loads = loads.map(|load| self.name("staged", &load)).collect();
                self.transposed(network, &unit, loads, "lane")
            };
            for ((row, value), lane) in pointers.iter().zip(registers).zip(first..) {
                if let Some(active) = &rows.active {
                    self.line(&format!("if {active} > {lane} {{"));
                }
                self.put(copy, &unit, (&format!("{row}.add({at})"), &value));
                if rows.active.is_some() {
                    self.line("}");
                }
            }
        }
    }

    /// Adds or assigns a register to neighbours in memory.
    pub fn put(&mut self, copy: &CopyOut, unit: &Unit, (pointer, value): (&str, &str)) {
        let text = match copy.accumulate {
            Some(combining) => {
                let combined = unit.combined(combining, true, &unit.load(pointer), value);
                unit.store(pointer, &combined)
            }
            None => unit.store(pointer, value),
        };
        self.line(&text);
    }

    /// The instructions for what is staged.
    pub fn staged_unit(&self, copy: &CopyOut) -> Unit {
        let element = self.program.array(copy.staged).element;
        self.unit_of(element).clone()
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

/// Most elements of a lane that are stored as a stream.
const STREAM: usize = 16;

/// Whether what a lane owns is stored as a stream: squares would leave a part of it.
fn is_stream(count: usize, width: usize) -> bool {
    (2..=STREAM).contains(&count) && !count.is_multiple_of(width)
}
