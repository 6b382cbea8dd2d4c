//! The smallest and the largest entry of the index maps that subscripts are made of.
//!
//! Where subscripts run over whole rows of a map, or over a good part of them, the rows are read as
//! they lie in memory, once for all subscripts that use them: the run time does that in vector code.
//! Other entries are read one after the other.

use super::checks::Checks;
use super::linear::{Bounds, Value};
use super::names::{length, plain, stride};
use super::variant::integer_name;
use crate::analysis::cost::{NOMINAL, nominal};
use crate::analysis::subscripts::enclosing;
use crate::ir::{Access, Affine, Array, ArrayId, Atom, Element, Extent, IndexId, Program, Role};

/// Of entries that are read in one go, at least one in this many is used.
const USED: f64 = 2.0;

/// Entries that were read, by all that decides on them.
#[derive(Debug, Default)]
pub struct Known {
    entries: Vec<(String, String)>,
}

/// Rows of a map in memory: its entries from `first` to `end`.
struct Rows {
    first: String,
    end: String,
    /// There are no more than so many.
    all: Option<String>,
}

impl Checks<'_> {
    /// The smallest and the largest entry that a subscript's map has in some loops.
    pub(super) fn entries(
        &mut self,
        guard: &str,
        map: ArrayId,
        subscripts: &[Affine],
    ) -> (Value, Value) {
        let atom = Atom::Map(map, subscripts.to_vec());
        let array = self.program.array(map);
        if let (Role::Table(_), Some((low, high))) =
            (&array.role, enclosing(self.program, &Affine::atom(atom)))
        {
            return (Value::constant(low.into()), Value::constant(high.into()));
        }
        let bounds = bounds(array.element);
        let read = match self.rows(map, subscripts) {
            Some(rows) => self.read_rows(map, &rows),
            None => match self.read_row_by_row(map, subscripts) {
                Some(read) => read,
                None => self.read_where_dense(map, subscripts),
            },
        };
        let known = self.known.entries.iter();
        let key = format!("{guard}: {read}");
        let name = match known.clone().find(|(known, _)| *known == key) {
            Some((_, name)) => name.clone(),
            None => {
                let name = format!("entries_{}", known.len());
                let when = if guard.is_empty() { "true" } else { guard };
                self.listing.push(format!(
                    "let {name} = if {when} {{ {read} }} else {{ (0i128, 0i128) }};\n"
                ));
                self.known.entries.push((key, name.clone()));
                name
            }
        };
        let of = |field: usize| {
            let mut value = Value::constant(0);
            value.add(1, format!("{name}.{field}"), bounds);
            value
        };
        (of(0), of(1))
    }

    fn read_rows(&self, map: ArrayId, rows: &Rows) -> String {
        let array = self.program.array(map);
        let (krate, name) = (&self.krate, plain(&array.name));
        let (first, mut end) = (rows.first.clone(), rows.end.clone());
        if let Some(all) = &rows.all {
            end = format!("::core::cmp::Ord::min({end}, {all} as i128)");
        }
        format!(
            "let first = {first}; let end = {end}; {krate}::checks::entries(\
             ::core::slice::from_raw_parts({name}_p.offset(first as isize), (end - first) as usize))"
        )
    }

    /// Entries of which one loop takes neighbours, whatever the order of the loops is: those of the others at once.
    fn read_row_by_row(&mut self, map: ArrayId, subscripts: &[Affine]) -> Option<String> {
        let array = self.program.array(map);
        let (last, others) = subscripts.split_last()?;
        let inner = match last.terms.as_slice() {
            [(Atom::Index(index), 1)] => *index,
            _ => return None,
        };
        let extent = &self.program.loop_index(inner).extent;
        let apart = |other: &Affine| !other.depends_on(inner) && !other.is_mapped();
        let parameter = matches!(array.role, Role::Parameter(_)) && !array.strided;
        if !parameter || !others.iter().all(apart) || nominal(self.program, extent) < NOMINAL {
            return None;
        }
        if let Some(indices) = self.whole(array, subscripts) {
            let counts = indices
                .into_iter()
                .map(|index| self.printed(&self.extent(index)));
            let count = counts.map(|count| format!("({count})")).collect::<Vec<_>>();
            let (krate, name, count) = (&self.krate, plain(&array.name), count.join(" * "));
            return Some(format!(
                "{krate}::checks::entries(::core::slice::from_raw_parts({name}_p, ({count}) as usize))"
            ));
        }
        let mut outer = Affine::indices_of(subscripts);
        outer.retain(|index| *index != inner);
        let (loops, ends) = (self.loops(&outer), "} ".repeat(outer.len()));
        let first = self.entry(map, subscripts, &outer);
        let (first, count) = (
            first.trim_start_matches('*'),
            self.printed(&self.extent(inner)),
        );
        let (krate, at) = (&self.krate, outer.len());
        Some(format!(
            "let (mut lowest, mut highest) = (i128::MAX, i128::MIN); {loops} let at_{at} = 0isize; \
             let (low, high) = {krate}::checks::entries(\
             ::core::slice::from_raw_parts({first}, ({count}) as usize)); \
             lowest = ::core::cmp::Ord::min(lowest, low); \
             highest = ::core::cmp::Ord::max(highest, high); {ends} (lowest, highest)"
        ))
    }

    /// Entries of a view, of which each loop takes neighbours along an axis: where its strides say that these lie one after the
    /// other, they are read in one go.
    fn read_where_dense(&mut self, map: ArrayId, subscripts: &[Affine]) -> String {
        let apart = self.read_one_by_one(map, subscripts);
        let array = self.program.array(map);
        let along = |subscript: &Affine| match subscript.terms.as_slice() {
            [(Atom::Index(index), 1)] => Some(*index),
            _ => None,
        };
        let indices: Option<Vec<IndexId>> = subscripts.iter().map(along).collect();
        let Some(indices) = indices.filter(|_| array.strided) else {
            return apart;
        };
        if (1..indices.len()).any(|at| indices[..at].contains(&indices[at])) {
            return apart;
        }
        let mut count = "1isize".to_owned();
        let mut dense = Vec::new();
        for (axis, index) in indices.iter().enumerate().rev() {
            dense.push(format!("{} == {count}", stride(&array.name, axis)));
            let extent = self.printed(&self.extent(*index));
            count = format!("(({extent}) as isize).wrapping_mul({count})");
        }
        let first = self.entry(map, subscripts, &[]);
        let (krate, first) = (&self.krate, first.trim_start_matches('*'));
        format!(
            "if {} {{ let at_0 = 0isize; {krate}::checks::entries(\
             ::core::slice::from_raw_parts({first}, ({count}) as usize)) }} else {{ {apart} }}",
            dense.join(" && ")
        )
    }

    /// The loops over all elements of whole rows of a map: these lie one after the other.
    fn whole(&self, map: &Array, subscripts: &[Affine]) -> Option<Vec<IndexId>> {
        let indices = subscripts.iter().map(Affine::as_index);
        let indices: Vec<IndexId> = indices.collect::<Option<_>>()?;
        let apart = |at: usize| !indices[..at].contains(&indices[at]);
        let row = |at: usize| self.program.loop_index(indices[at]).extent == map.shape[at];
        let all =
            indices.len() == map.shape.len() && (1..indices.len()).all(|at| apart(at) && row(at));
        all.then_some(indices)
    }

    fn read_one_by_one(&mut self, map: ArrayId, subscripts: &[Affine]) -> String {
        let indices = Affine::indices_of(subscripts);
        let loops = self.loops(&indices);
        let ends = "} ".repeat(indices.len());
        let entry = self.entry(map, subscripts, &indices);
        let ty = match self.program.array(map).element {
            Element::Integer(ty) => integer_name(ty),
            _ => "usize",
        };
        format!(
            "let (mut lowest, mut highest) = ({ty}::MAX, {ty}::MIN); {loops} let entry = {entry}; \
             lowest = ::core::cmp::Ord::min(lowest, entry); \
             highest = ::core::cmp::Ord::max(highest, entry); {ends} \
             (lowest as i128, highest as i128)"
        )
    }

    /// The rows that a map is read in, if that is not much more than what is used.
    fn rows(&mut self, map: ArrayId, subscripts: &[Affine]) -> Option<Rows> {
        let array = self.program.array(map);
        let (outermost, inner) = subscripts.split_first()?;
        let (first, shape) = array.shape.split_first()?;
        if array.strided || !matches!(array.role, Role::Parameter(_)) || outermost.is_mapped() {
            return None;
        }
        if array.inner > 0 && array.has_run_time_rows() {
            return self.run_time_rows(map, subscripts);
        }
        let row = shape.iter().map(Extent::as_constant);
        let row: usize = row.collect::<Option<Vec<usize>>>()?.iter().product();
        let row = i64::try_from(row).ok()?;
        let step = step(self.program, outermost)?;
        let used = self.used(map, outermost);
        if inner.len() != shape.len() || used * USED < (row as f64) * step as f64 {
            return None;
        }
        // A loop that takes several rows each time may take all of these. Where several loops do, the ends are those of
        // all that they take.
        let alone = matches!(outermost.terms.as_slice(), [(Atom::Index(_), _)]);
        let behind = if alone {
            outermost.constant.rem_euclid(step)
        } else {
            0
        };
        let ahead = if alone { step - 1 - behind } else { 0 };
        let (mut low, mut high) = self.ends(outermost);
        low.add_constant(-i128::from(behind));
        high.add_constant(i128::from(ahead) + 1);
        let length = length(&array.name, 0);
        let all = match (array.flat, first) {
            (true, _) => Some(length),
            (false, Extent::RunTime(_)) if ahead > 0 && row == 1 => Some(length),
            (false, _) if ahead > 0 => return None,
            (false, _) => None,
        };
        Some(Rows {
            first: low.scaled(row).print(),
            end: high.scaled(row).print(),
            all,
        })
    }

    /// The same of such a slice of arrays, where the loops over its rows run over all of them.
    fn run_time_rows(&mut self, map: ArrayId, subscripts: &[Affine]) -> Option<Rows> {
        let array = self.program.array(map);
        let (rows, own) = array.shape.split_at(array.rows());
        let indices = subscripts[..rows.len()].iter().map(Affine::as_index);
        let indices: Vec<IndexId> = indices.collect::<Option<_>>()?;
        let apart = |at: usize| !indices[..at].contains(&indices[at]);
        let whole = |at: usize| self.program.loop_index(indices[at]).extent == rows[at];
        let own = own.iter().map(Extent::as_constant);
        let own: usize = own.collect::<Option<Vec<usize>>>()?.iter().product();
        let used = self.used(map, &subscripts[0]);
        if !(1..rows.len()).all(|at| apart(at) && whole(at)) || used * USED < own as f64 {
            return None;
        }
        let lengths: Vec<String> = (indices[1..].iter())
            .map(|index| self.printed(&self.extent(*index)))
            .collect();
        let (low, high) = self.ends(&subscripts[0]);
        let row = format!("({}) * {own}", lengths.join(") * ("));
        let length = length(&array.name, 0);
        Some(Rows {
            first: format!("({}) * {row}", low.print()),
            end: format!("(({}) + 1) * {row}", high.print()),
            all: Some(format!("({length} * {own})")),
        })
    }

    /// How many entries the program reads of a map in one iteration of the loop over its rows, where
    /// the subscript of the rows is this one but for a constant.
    fn used(&self, map: ArrayId, outermost: &Affine) -> f64 {
        let mut all: Vec<&Vec<Affine>> = Vec::new();
        for (array, subscripts) in &self.maps {
            let same = |other: &Affine| other.terms == outermost.terms;
            if *array == map && subscripts.first().is_some_and(same) && !all.contains(&subscripts) {
                all.push(subscripts);
            }
        }
        let each = all.iter().map(|subscripts| {
            let indices = Affine::indices_of(subscripts.iter());
            let extents = indices.iter().map(|i| &self.program.loop_index(*i).extent);
            extents
                .filter_map(Extent::as_constant)
                .map(|n| n as f64)
                .product::<f64>()
        });
        each.sum()
    }
}

/// By how many rows the loop over them goes on; 1 where there is none.
fn step(program: &Program, outermost: &Affine) -> Option<i64> {
    let run_time = |index: &IndexId| program.loop_index(*index).extent.as_constant().is_none();
    let mut steps = outermost.terms.iter().filter_map(|(atom, c)| match atom {
        Atom::Index(index) if run_time(index) => Some(*c),
        _ => None,
    });
    let step = steps.next().unwrap_or(1);
    (step > 0 && steps.next().is_none()).then_some(step)
}

/// The index maps that an access is subscripted by, and those that these are.
pub fn maps(access: &Access) -> Vec<(ArrayId, Vec<Affine>)> {
    let mut open: Vec<&Affine> = access.subscripts.iter().collect();
    let mut result = Vec::new();
    while let Some(subscript) = open.pop() {
        for (atom, _) in &subscript.terms {
            if let Atom::Map(map, subscripts) = atom {
                result.push((*map, subscripts.clone()));
                open.extend(subscripts);
            }
        }
    }
    result
}

/// What the values of an integer type may be.
pub fn bounds(element: Element) -> Bounds {
    use crate::syntax::ast::IntegerType::{U8, U16, U32, U64, Usize};
    Bounds {
        natural: matches!(element, Element::Integer(U8 | U16 | U32 | U64 | Usize)),
        most: u64::MAX as f64,
    }
}
