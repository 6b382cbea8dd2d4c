//! What iterations read of an output that earlier ones have written: recurrences.
//!
//! ```text
//! y[i + 2] = a * y[i + 1] + b * y[i] + x[i]   for i
//! ```
//! is what a dependence test refuses, since the equation would read all of `y` before it writes any of it. The values that
//! are read again become temporaries of their own, which the iterations hand on, each from one to the next:
//!
//! ```text
//! first[0] = y_held[1]
//! second[0] = y_held[0]
//! now[i] = a * first[i] + b * second[i] + x[i]   for i
//! y[i + 2] = now[i]                              for i
//! second[i + 1] = first[i]                       for i
//! first[i + 1] = now[i]                          for i
//! ```
//! These equations take turns ([`Program::together`](crate::ir::Program::together)), and what is handed on is in
//! registers, or in a row of memory where loops run inside. What the first iterations read is there before the loop;
//! that it has so many iterations is assumed. What some iterations of several loops ago have written, `y[i - 1][j - 1]`,
//! is handed on along the outer one first, and what arrives there along the inner one.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Lowerer;
use super::states::Site;
use crate::collections::HashMap;
use crate::ir::{
    Access, Affine, ArrayId, Element, Equation, Expr, ExprId, IndexId, Operator, Role,
};
use crate::number::Number;

/// Most iterations that a value is handed on.
const MOST_ITERATIONS: usize = 8;
/// Most pairs of reads and writes that are compared: a limit on work.
const MOST_PAIRS: usize = 1 << 14;

/// An equation, and where it stands.
type Placed = (Equation, Site);

/// A read of what another equation, or the same one, has written some iterations before.
struct Read {
    reader: usize,
    writer: usize,
    access: Access,
    path: Steps,
}

/// The loops along which a value is handed on, outermost first, and how many iterations of each.
type Steps = Vec<(IndexId, usize)>;

/// What an equation writes, that is handed on along a loop once it was along others.
type Handed = (usize, Steps, IndexId);

impl Lowerer<'_> {
    /// Lets iterations hand on what later ones read, wherever the equations could not run one after the other.
    pub(super) fn hand_on(&mut self) {
        let reads = self.read_again();
        let mut end = self.program.equations.len();
        loop {
            let back = reads.iter().filter(|read| read.is_back());
            let readers = back.map(|read| read.reader).filter(|reader| *reader < end);
            let Some(last) = readers.max() else { return };
            end = last;
            let group = taking_turns(&reads, last);
            let own = |read: &&Read| group.contains(&read.reader) && group.contains(&read.writer);
            let own: Vec<&Read> = reads.iter().filter(own).collect();
            if self.can_take_turns(&group, &own) {
                end = group.start;
                self.hand_on_in(group, &own);
            }
        }
    }

    /// What equations read that some equation of the same loops has written in an earlier iteration.
    fn read_again(&self) -> Vec<Read> {
        let mut writers: HashMap<ArrayId, Vec<usize>> = HashMap::default();
        for (at, equation) in self.program.equations.iter().enumerate() {
            writers.entry(equation.target.array).or_default().push(at);
        }
        let mut result = Vec::new();
        let mut compared = 0;
        for (reader, equation) in self.program.equations.iter().enumerate() {
            for access in self.program.states(equation.expr) {
                let output = self.program.viewed(access.array);
                let open = &self.statements[reader].open;
                let all = writers.get(&output).map_or(&[][..], Vec::as_slice);
                compared += all.len();
                if compared > MOST_PAIRS {
                    continue;
                }
                let same = |writer: &&usize| self.statements[**writer].open == *open;
                let mut inside = all.iter().filter(same);
                // What two of them write is not handed on.
                if let (Some(&writer), None) = (inside.next(), inside.next()) {
                    let found = distance(&self.program.equations[writer], access);
                    let found = found.filter(|path| path.iter().all(|step| self.may_take(step)));
                    result.extend(found.map(|path| Read {
                        reader,
                        writer,
                        access: access.clone(),
                        path,
                    }));
                }
            }
        }
        result
    }

    /// Whether a loop may have more iterations than a value is handed on: not where the rest of a loop has one at most.
    fn may_take(&self, (index, by): &(IndexId, usize)) -> bool {
        let extent = self.program.loop_index(*index).extent.affine();
        let mut known = self.program.known.iter();
        !known.any(|fact| matches!(fact.add(&extent).as_constant(), Some(n) if n <= *by as i64))
    }

    /// Whether equations can hand on what they read of each other.
    fn can_take_turns(&self, group: &Range<usize>, reads: &[&Read]) -> bool {
        let first = &self.program.equations[group.start];
        let alike = |at: usize| {
            let equation = &self.program.equations[at];
            equation.free == first.free
                && equation.reduction.is_empty()
                && self.statements[at].open == first.free
        };
        let short = |(index, by): &(IndexId, usize)| {
            let extent = &self.program.loop_index(*index).extent;
            let enough = extent.as_constant().is_none_or(|n| n >= *by);
            *by <= MOST_ITERATIONS && enough
        };
        let right = |read: &&Read| read.path.iter().all(short) && self.writes_alone(read);
        group.clone().all(alike) && reads.iter().all(right)
    }

    /// Whether nothing else in the loop writes the array that is read, and the writer does not add to what it held but
    /// assigns, or adds once.
    fn writes_alone(&self, read: &Read) -> bool {
        let writer = &self.program.equations[read.writer];
        let array = writer.target.array;
        let output = matches!(self.array(array).role, Role::Output(_));
        let once = [Operator::Assign, Operator::ADD].contains(&writer.operator);
        let others = self.program.equations.iter().zip(&self.statements);
        let mut others = others
            .enumerate()
            .filter(|(at, (equation, _))| *at != read.writer && equation.target.array == array);
        let inside = |open: &[IndexId]| read.path.iter().any(|(index, _)| open.contains(index));
        output && once && others.all(|(_, (_, statement))| !inside(&statement.open))
    }

    /// Writes the equations of a group as ones that hand values on.
    fn hand_on_in(&mut self, group: Range<usize>, reads: &[&Read]) {
        let mut longest: BTreeMap<Handed, usize> = BTreeMap::new();
        for read in reads {
            for (at, (index, by)) in read.path.iter().enumerate() {
                let known = (read.writer, read.path[..at].to_vec(), *index);
                let most = longest.entry(known).or_default();
                *most = (*by).max(*most);
            }
        }
        // What is handed on along other loops first comes after these.
        let mut longest: Vec<(Handed, usize)> = longest.into_iter().collect();
        longest.sort_by_key(|((_, before, _), _)| before.len());
        let mut starts: Vec<Placed> = Vec::new();
        let mut steps: Vec<Placed> = Vec::new();
        let mut now: BTreeMap<usize, (Equation, ArrayId)> = BTreeMap::new();
        let mut values: HashMap<(usize, Steps), Access> = HashMap::default();
        for ((writer, before, index), most) in longest {
            let begin = self.begin(reads, (index, most));
            let (value, held) = match now.get(&writer) {
                Some(known) => known.clone(),
                None => self.value_of(writer, &begin),
            };
            let site = self.statements[writer].clone();
            let known = values.get(&(writer, before.clone()));
            let mut from = known.unwrap_or(&value.target).clone();
            let mut own = Vec::new();
            let output = self.array(self.program.equations[writer].target.array);
            let (name, element) = (output.name.clone(), output.element);
            for by in 1..=most {
                let to = self.one_longer((&name, element), &value.free, index);
                let path = [before.clone(), vec![(index, by)]].concat();
                let start = self.start(writer, (held, &to), &path, &begin);
                starts.push((start, begin.clone()));
                let expr = self.read_of(from);
                let target = to.substitute(&moved(index, 1));
                let step = Equation {
                    target,
                    expr,
                    ..value.clone()
                };
                own.push((step, site.clone()));
                values.insert((writer, path), to.clone());
                from = to;
            }
            // What is handed on further leaves its place first.
            steps.splice(0..0, own.into_iter().rev());
            now.insert(writer, (value, held));
        }
        let mut now = now
            .into_iter()
            .map(|(at, (value, _))| (at, value))
            .collect();
        self.replace(reads, &values, &mut now);
        self.insert(&group, (starts, now, steps));
    }

    /// Where what the first iterations read is read: before the loop, of which there are enough.
    fn begin(&mut self, reads: &[&Read], (index, most): (IndexId, usize)) -> Site {
        let extent = self.program.loop_index(index).extent.run_time();
        let enough = extent.map(|extent| extent.sub(&Affine::constant(most as i64)));
        self.assumed.extend(enough);
        let sites = reads.iter().flat_map(|read| &self.sites[&read.access]);
        let first = &self.statements[reads[0].writer];
        let time = sites.map(|site| site.time).min().unwrap_or(first.time);
        let mut begin = Site {
            time,
            ..first.clone()
        };
        begin.open.retain(|own| *own != index);
        begin
    }

    /// The equation of what an equation writes as a temporary, and a state of its output before the loop.
    fn value_of(&mut self, writer: usize, begin: &Site) -> (Equation, ArrayId) {
        let equation = self.program.equations[writer].clone();
        let output = self.array(equation.target.array);
        let (name, shape, element) = (output.name.clone(), output.shape.clone(), output.element);
        let (strided, flat, inner) = (output.strided, output.flat, output.inner);
        let role = Role::State(output.role.position().unwrap_or_default());
        let held = self
            .program
            .add_array(&format!("{name}_held"), element, shape, role);
        let state = &mut self.program.arrays[held.0 as usize];
        (state.strided, state.flat, state.inner) = (strided, flat, inner);
        let mut expr = equation.expr;
        if equation.operator == Operator::ADD {
            let old = Access {
                array: held,
                ..equation.target.clone()
            };
            let site = Site {
                open: equation.free.clone(),
                ..begin.clone()
            };
            self.sites.insert(old.clone(), vec![site]);
            let old = self.read_of(old);
            expr = self.sum(&[(Number::ONE, old), (Number::ONE, expr)]);
        }
        let name = format!("{name}_now");
        let target = self.program.add_temporary(&name, &equation.free, element);
        let value = Equation {
            target,
            operator: Operator::Assign,
            expr,
            ..equation
        };
        (value, held)
    }

    /// A temporary over loops that has an element more along one of them: what was there before each iteration, and after
    /// the last one.
    pub(super) fn one_longer(
        &mut self,
        (name, element): (&str, Element),
        loops: &[IndexId],
        along: IndexId,
    ) -> Access {
        let name = format!("{name}_before");
        let access = self.program.add_temporary(&name, loops, element);
        let axis = loops.iter().position(|own| *own == along);
        let shape = &mut self.program.arrays[access.array.0 as usize].shape;
        if let Some(extent) = axis.and_then(|axis| shape.get_mut(axis)) {
            *extent = extent.longer(1);
        }
        access
    }

    /// What the first iteration of the last loop of a path finds of what was written so many iterations before.
    fn start(
        &mut self,
        writer: usize,
        (held, to): (ArrayId, &Access),
        path: &[(IndexId, usize)],
        begin: &Site,
    ) -> Equation {
        let index = path[path.len() - 1].0;
        let first = |own: IndexId| match own == index {
            true => Affine::constant(0),
            false => Affine::index(own),
        };
        let before = |own: IndexId| earlier(path)(own).substitute(&first);
        let equation = &self.program.equations[writer];
        let free = equation.free.iter().copied();
        let free = free.filter(|own| *own != index).collect();
        let from = Access {
            array: held,
            ..equation.target.substitute(&before)
        };
        self.sites.insert(from.clone(), vec![begin.clone()]);
        Equation {
            target: to.substitute(&first),
            operator: Operator::Assign,
            free,
            reduction: Vec::new(),
            expr: self.read_of(from),
        }
    }

    fn read_of(&mut self, access: Access) -> ExprId {
        let element = self.array(access.array).element;
        self.program.pool.add(Expr::Access(access), element)
    }

    /// Lets the equations of a group read what is handed on.
    fn replace(
        &mut self,
        reads: &[&Read],
        values: &HashMap<(usize, Steps), Access>,
        now: &mut BTreeMap<usize, Equation>,
    ) {
        for read in reads {
            let found = self.read_of(read.access.clone());
            let value = self.read_of(values[&(read.writer, read.path.clone())].clone());
            let mut known = HashMap::from_iter([(found, value)]);
            let own = match now.get_mut(&read.reader) {
                Some(value) => &mut value.expr,
                None => &mut self.program.equations[read.reader].expr,
            };
            *own = self.program.pool.replace(*own, &mut known);
        }
    }

    /// Puts new equations where they belong: what the first iterations find before a group, values before what writes
    /// them, and what is handed on behind the group.
    fn insert(
        &mut self,
        group: &Range<usize>,
        (starts, now, steps): (Vec<Placed>, BTreeMap<usize, Equation>, Vec<Placed>),
    ) {
        for (equation, site) in steps.into_iter().rev() {
            self.place(group.end, equation, site);
        }
        for (writer, value) in now.into_iter().rev() {
            let target = value.target.clone();
            let site = self.statements[writer].clone();
            self.place(writer, value, site);
            let expr = self.read_of(target);
            let output = &mut self.program.equations[writer + 1];
            (output.expr, output.operator) = (expr, Operator::Assign);
        }
        for (equation, site) in starts.into_iter().rev() {
            self.place(group.start, equation, site);
        }
    }

    fn place(&mut self, at: usize, equation: Equation, site: Site) {
        self.program.equations.insert(at, equation);
        self.statements.insert(at, site);
    }
}

impl Read {
    /// Whether its equation could not run after that which writes.
    fn is_back(&self) -> bool {
        self.writer >= self.reader
    }
}

/// The equations that have to take turns with one that reads values of earlier iterations.
fn taking_turns(reads: &[Read], last: usize) -> Range<usize> {
    let mut group = last..last + 1;
    loop {
        let back = || reads.iter().filter(|read| read.is_back());
        let inside = back().filter(|read| group.contains(&read.reader));
        let end = inside
            .map(|read| read.writer + 1)
            .fold(group.end, usize::max);
        let over = back().filter(|read| read.reader < group.start && read.writer >= group.start);
        let start = over.map(|read| read.reader).fold(group.start, usize::min);
        if (start, end) == (group.start, group.end) {
            return group;
        }
        group = start..end;
    }
}

/// The loops whose iterations write what others read so many iterations of them later, if all do.
fn distance(writer: &Equation, access: &Access) -> Option<Steps> {
    along_one(writer, access).or_else(|| along_several(writer, access))
}

fn along_one(writer: &Equation, access: &Access) -> Option<Steps> {
    writer.free.iter().find_map(|index| {
        let pairs = || writer.target.subscripts.iter().zip(&access.subscripts);
        let along = pairs().find(|(written, _)| written.coefficient(*index) != 0)?;
        let difference = along.0.sub(along.1).as_constant()?;
        let by = difference.checked_div(along.0.coefficient(*index))?;
        let mut all = pairs();
        let same = all.all(|(written, read)| written.substitute(&moved(*index, -by)) == *read);
        let by = usize::try_from(by).ok().filter(|by| *by > 0 && same)?;
        Some(vec![(*index, by)])
    })
}

/// Along loops each of which has a subscript for itself.
fn along_several(writer: &Equation, access: &Access) -> Option<Steps> {
    let pairs = || writer.target.subscripts.iter().zip(&access.subscripts);
    let alone = |written: &Affine, index: IndexId| {
        let moves = |other: &IndexId| written.depends_on(*other);
        written.coefficient(index) != 0 && writer.free.iter().filter(|own| moves(own)).count() == 1
    };
    let mut path = Steps::new();
    for index in &writer.free {
        let (written, read) = pairs().find(|(written, _)| alone(written, *index))?;
        let difference = written.sub(read).as_constant()?;
        let by = difference.checked_div(written.coefficient(*index))?;
        path.push((*index, usize::try_from(by).ok()?));
    }
    path.retain(|(_, by)| *by > 0);
    let mut all = pairs();
    let same = all.all(|(written, read)| written.substitute(&earlier(&path)) == *read);
    (same && !path.is_empty()).then_some(path)
}

/// So many iterations of loops earlier.
fn earlier(path: &[(IndexId, usize)]) -> impl Fn(IndexId) -> Affine + '_ {
    |own| {
        let by = path.iter().find(|(index, _)| *index == own);
        let by = by.map_or(0, |(_, by)| *by as i64);
        Affine::index(own).sub(&Affine::constant(by))
    }
}

/// Some iterations later.
fn moved(index: IndexId, by: i64) -> impl Fn(IndexId) -> Affine {
    move |own| match own == index {
        true => Affine::index(own).add(&Affine::constant(by)),
        false => Affine::index(own),
    }
}
