//! What a kernel's loops and accesses ask of its integers, the lengths of its arrays and the entries
//! of its index maps, as linear inequalities.

use std::collections::{BTreeMap, BTreeSet};

use super::solver::{Bounds, Linear};
use crate::ir::{Access, Affine, ArrayId, Atom, Element, Extent, IndexId, Program, Role};

/// Largest integers and longest arrays that inputs have.
const LONGEST: i64 = 1 << 20;

/// What is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unknown {
    /// The value of an integer parameter.
    Scalar(ArrayId),
    /// The length of an array along an axis.
    Length(ArrayId, usize),
    /// The least entry of an index map.
    Least(ArrayId),
    /// Its greatest entry.
    Greatest(ArrayId),
    /// The number of iterations of loops.
    Iterations(usize),
}

/// Unknowns with their coefficients.
type Terms = Vec<(usize, i128)>;

/// Accesses to a slice that holds an array of more dimensions.
#[derive(Debug)]
struct Flat {
    array: ArrayId,
    /// The largest subscript and the extent of each dimension.
    dimensions: Vec<(Linear, Linear)>,
    loops: Vec<usize>,
}

/// What a kernel needs.
#[derive(Debug)]
pub struct Needs<'p> {
    program: &'p Program,
    /// Unknowns, by their numbers, with the values that they may have at all.
    pub unknowns: Vec<(Unknown, (i64, i64))>,
    numbers: BTreeMap<Unknown, usize>,
    /// The numbers of iterations that are known when the kernel runs, each once.
    pub loops: Vec<(Affine, Linear)>,
    /// The loops inside of which there are so many others that few of their iterations have to do.
    pub outer: BTreeSet<usize>,
    /// The most loops with different numbers of iterations inside of each other.
    pub deepest: usize,
    /// Constants by the terms before them and the loops around: the most restrictive one.
    needs: BTreeMap<(Terms, Vec<usize>), i128>,
    flats: Vec<Flat>,
}

/// Loops inside of each other that all may have many iterations.
const WHOLE: usize = 3;

impl<'p> Needs<'p> {
    /// No needs but those of the types.
    pub fn new(program: &'p Program) -> Self {
        let mut needs = Needs {
            program,
            unknowns: Vec::new(),
            numbers: BTreeMap::new(),
            loops: Vec::new(),
            outer: BTreeSet::new(),
            deepest: 0,
            needs: BTreeMap::new(),
            flats: Vec::new(),
        };
        for (at, array) in program.arrays.iter().enumerate() {
            let id = ArrayId(at as u32);
            if !matches!(array.role, Role::Parameter(_) | Role::Output(_)) {
                continue;
            }
            if let Element::Integer(ty) = array.element {
                let (low, high) = ty.range();
                let within = |value: i128| value.clamp((-LONGEST).into(), LONGEST.into()) as i64;
                let range = (within(low), within(high));
                if array.shape.is_empty() {
                    needs.add(Unknown::Scalar(id), range);
                } else {
                    let least = needs.add(Unknown::Least(id), range);
                    let greatest = needs.add(Unknown::Greatest(id), range);
                    let width = Linear::unknown(greatest).plus(-1, &Linear::unknown(least));
                    needs.need(width, &[]);
                }
            }
            for (axis, extent) in array.shape.iter().enumerate() {
                if own(extent, id) {
                    needs.add(Unknown::Length(id, axis), (0, LONGEST));
                }
            }
        }
        for index in &program.indices {
            if let Extent::RunTime(extent) = &index.extent {
                needs.iterations(extent);
            }
        }
        needs
    }

    fn add(&mut self, unknown: Unknown, range: (i64, i64)) -> usize {
        let number = *self.numbers.entry(unknown).or_insert(self.unknowns.len());
        if number == self.unknowns.len() {
            self.unknowns.push((unknown, range));
        }
        number
    }

    /// The bounds of the types.
    pub fn bounds(&self) -> Bounds {
        self.unknowns.iter().map(|(_, range)| *range).collect()
    }

    /// Whether nothing but its type bounds an integer or the entries of an array of them: they are values,
    /// and lead to no iteration and no element of another array.
    pub fn is_free(&self, array: ArrayId) -> bool {
        let unknowns = [Unknown::Scalar, Unknown::Least, Unknown::Greatest];
        let own = unknowns.map(|unknown| self.number(unknown(array)));
        let has = |linear: &Linear| linear.terms.iter().any(|(at, _)| own.contains(&Some(*at)));
        // That the greatest entry is not below the least has both.
        let bounds = |terms: &Terms| {
            let count = terms
                .iter()
                .filter(|(at, _)| own.contains(&Some(*at)))
                .count();
            count == 1 || (count == 2 && terms.len() > 2)
        };
        let mut flats = self.flats.iter().flat_map(|flat| &flat.dimensions);
        !self.needs.keys().any(|(terms, _)| bounds(terms))
            && !self.loops.iter().any(|(_, iterations)| has(iterations))
            && !flats.any(|(last, extent)| has(last) || has(extent))
    }

    /// The number of an unknown.
    pub fn number(&self, unknown: Unknown) -> Option<usize> {
        self.numbers.get(&unknown).copied()
    }

    /// The unknown that stands for the iterations of loops.
    pub fn of_loop(&self, at: usize) -> usize {
        self.numbers[&Unknown::Iterations(at)]
    }

    /// The inequalities where some loops have iterations and no others.
    pub fn inequalities(&self, active: &BTreeSet<usize>) -> Vec<Linear> {
        let needed = self.needs.iter().filter(|((_, loops), _)| {
            let mut loops = loops.iter();
            loops.all(|at| active.contains(at))
        });
        let needed = needed.map(|((terms, _), constant)| Linear {
            terms: terms.clone(),
            constant: *constant,
        });
        needed.collect()
    }

    /// What accesses to slices that hold arrays of more dimensions need, where all else is known.
    pub fn flat_lengths(&self, active: &BTreeSet<usize>, values: &[i64]) -> Vec<(usize, i128)> {
        let needed = self.flats.iter().filter_map(|flat| {
            let number = self.number(Unknown::Length(flat.array, 0))?;
            let runs = flat.loops.iter().all(|at| active.contains(at));
            let last = |last: i128, (subscript, extent): &(Linear, Linear)| {
                let outer = last.saturating_mul(extent.value(values));
                outer.saturating_add(subscript.value(values))
            };
            let last = flat.dimensions.iter().fold(0, last);
            runs.then(|| (number, last.saturating_add(1)))
        });
        needed.collect()
    }

    fn need(&mut self, inequality: Linear, loops: &[usize]) {
        if inequality.terms.is_empty() && inequality.constant >= 0 {
            return;
        }
        let entry = self.needs.entry((inequality.terms, loops.to_vec()));
        let constant = entry.or_insert(inequality.constant);
        *constant = (*constant).min(inequality.constant);
    }

    /// The number of a loop of run-time extent.
    fn iterations(&mut self, extent: &Affine) -> usize {
        if let Some(at) = self.loops.iter().position(|(known, _)| known == extent) {
            return at;
        }
        let at = self.loops.len();
        let value = self.ends(extent).1;
        let unknown = self.add(Unknown::Iterations(at), (-LONGEST, LONGEST));
        let difference = value.clone().plus(-1, &Linear::unknown(unknown));
        self.need(Linear::default().plus(-1, &difference), &[]);
        self.need(difference, &[]);
        self.loops.push((extent.clone(), value));
        at
    }

    /// The loops of run-time extent among some; nothing is needed where one of the others has no
    /// iterations.
    fn around(&mut self, domain: &[IndexId]) -> Option<Vec<usize>> {
        let mut loops = Vec::new();
        let mut inside_out = Vec::new();
        for index in domain {
            match &self.program.loop_index(*index).extent {
                Extent::Constant(0) => return None,
                Extent::Constant(_) => {}
                Extent::RunTime(extent) => {
                    let at = self.iterations(&extent.clone());
                    inside_out.insert(0, at);
                    if let Err(place) = loops.binary_search(&at) {
                        loops.insert(place, at);
                    }
                }
            }
        }
        self.outer.extend(inside_out.iter().skip(WHOLE));
        self.deepest = self.deepest.max(loops.len());
        Some(loops)
    }

    /// A function of the inputs must not be negative where some loops run.
    pub fn not_negative(&mut self, affine: &Affine, domain: &[IndexId]) {
        if let Some(loops) = self.around(domain) {
            let least = self.ends(affine).0;
            self.need(least, &loops);
        }
    }

    /// The access is in range in all iterations of some loops.
    pub fn access(&mut self, access: &Access, domain: &[IndexId]) {
        if let Some(loops) = self.around(domain) {
            self.in_range(access, &loops);
        }
    }

    fn in_range(&mut self, access: &Access, loops: &[usize]) {
        for subscript in &access.subscripts {
            for (atom, _) in &subscript.terms {
                if let Atom::Map(array, subscripts) = atom {
                    let map = Access {
                        array: *array,
                        subscripts: subscripts.clone(),
                    };
                    self.in_range(&map, loops);
                }
            }
        }
        let id = self.program.viewed(access.array);
        let array = self.program.array(id);
        // Tables and temporaries limit the maps that subscript them; other subscripts are known.
        let mapped = access.subscripts.iter().any(Affine::is_mapped);
        let own = matches!(array.role, Role::Table(_) | Role::Temporary);
        if matches!(array.role, Role::Counting) || (own && !mapped) {
            return;
        }
        let ends: Vec<(Linear, Linear)> = access.subscripts.iter().map(|s| self.ends(s)).collect();
        if array.flat {
            // Each subscript but the outermost one is below its extent, as the bounds show.
            let extents = array.shape.iter().enumerate();
            let extents = extents.map(|(axis, extent)| self.extent(id, axis, extent));
            let extents: Vec<Linear> = extents.collect();
            let rows = array.rows();
            for (low, _) in ends.iter().take(rows) {
                self.need(low.clone(), loops);
            }
            let largest = ends.iter().map(|(_, high)| high.clone());
            self.flats.push(Flat {
                array: id,
                dimensions: largest.zip(extents).take(rows).collect(),
                loops: loops.to_vec(),
            });
        }
        // A view of fewer dimensions has the inner ones joined.
        let shape = &self.program.array(access.array).shape;
        let own = ends.into_iter().zip(shape).enumerate();
        for (axis, ((low, high), extent)) in own.skip(array.flat_rows()) {
            let extent = self.extent(access.array, axis, extent);
            self.need(extent.plus(-1, &high).plus(-1, &Linear::constant(1)), loops);
            self.need(low, loops);
        }
    }

    /// The number of elements along an axis.
    pub fn extent(&self, array: ArrayId, axis: usize, extent: &Extent) -> Linear {
        let own = self.number(Unknown::Length(array, axis));
        match (own, extent) {
            (Some(own), _) => Linear::unknown(own),
            (None, Extent::Constant(n)) => Linear::constant(*n as i128),
            (None, Extent::RunTime(affine)) => self.ends(affine).1,
        }
    }

    /// The least and the greatest value of a function in all iterations of its loops.
    fn ends(&self, affine: &Affine) -> (Linear, Linear) {
        let constant = Linear::constant(i128::from(affine.constant));
        let (mut low, mut high) = (constant.clone(), constant);
        for (atom, coefficient) in &affine.terms {
            let c = i128::from(*coefficient);
            let (least, greatest) = self.range(atom);
            let (from, to) = match c > 0 {
                true => (least, greatest),
                false => (greatest, least),
            };
            low = low.plus(c, &from);
            high = high.plus(c, &to);
        }
        (low, high)
    }

    fn range(&self, atom: &Atom) -> (Linear, Linear) {
        let one = |unknown| {
            let number = self.number(unknown);
            number.map_or_else(Linear::default, Linear::unknown)
        };
        match atom {
            Atom::Index(index) => {
                let count = match &self.program.loop_index(*index).extent {
                    Extent::Constant(n) => Linear::constant(*n as i128),
                    Extent::RunTime(extent) => self.ends(extent).1,
                };
                (Linear::default(), count.plus(-1, &Linear::constant(1)))
            }
            Atom::Scalar(array) => (one(Unknown::Scalar(*array)), one(Unknown::Scalar(*array))),
            Atom::Length(array, axis) => {
                let extent = &self.program.array(*array).shape[*axis];
                let length = self.extent(*array, *axis, extent);
                (length.clone(), length)
            }
            Atom::Map(map, _) => match &self.program.array(*map).role {
                Role::Table(values) => {
                    let entries = values.iter().map(|value| value.to_integer());
                    let ends = (entries.clone().min(), entries.max());
                    let known = |end: Option<i128>| Linear::constant(end.unwrap_or(0));
                    (known(ends.0), known(ends.1))
                }
                _ => (one(Unknown::Least(*map)), one(Unknown::Greatest(*map))),
            },
        }
    }
}

/// An extent that is the array's own.
fn own(extent: &Extent, array: ArrayId) -> bool {
    let Extent::RunTime(affine) = extent else {
        return false;
    };
    let mut terms = affine.terms.iter();
    terms.any(|(atom, _)| matches!(atom, Atom::Length(of, _) if *of == array))
}
