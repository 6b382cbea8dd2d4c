//! The state of printing one variant: names, loops, addresses.

use std::fmt::Write as _;

use super::address::{self, Address, Motion};
use super::guard::Covered;
use super::names::{Names, length, plain};
use super::pipelined::Pipelined;
use super::same_vector::Begun;
use super::strips::Strip;
use super::tables::Tables;
use super::vector::Unit;
use crate::analysis::domains::Arguments;
use crate::collections::{HashMap, HashSet};
use crate::ir::{Access, Affine, ArrayId, Atom, Element, ExprId, Extent, IndexId, Program};
use crate::schedule::around::Around;
use crate::schedule::lane_reduction::sums;
use crate::schedule::same_rows::{Place, SameRows};
use crate::schedule::taken::Taken;
use crate::schedule::tree::{Dimension, Offsets, Schedule, Storage, offset};
use crate::schedule::views::Views;
use crate::syntax::ast::IntegerType;

/// A printed value: a name or a literal.
#[derive(Clone, Debug)]
pub struct Value {
    /// Its text.
    pub text: String,
    /// It holds a vector (or a vector mask).
    pub vector: bool,
    /// The element type; of a condition, that of what is compared.
    pub element: Element,
}

/// Prints one variant.
pub struct Printer<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its loop tree.
    pub schedule: &'a Schedule,
    /// The instructions for the element type that fills the registers.
    pub unit: Unit,
    /// Those for `f32` beside `f64`.
    single: Unit,
    /// What has been printed.
    pub out: String,
    /// Variables that it declares once each.
    pub declared: HashSet<String>,
    /// Names of loop variables.
    pub names: HashMap<IndexId, String>,
    /// Which neighbours of views lie together, and the axes along which those do that this is known of, by their
    /// positions.
    pub views: (Views, Vec<(usize, usize)>),
    /// Comments are printed.
    pub comments: bool,
    /// The constant tables.
    pub tables: &'a Tables,
    /// What the check has seen.
    pub covered: &'a Covered<'a>,
    /// Loops around the current position.
    pub around: Around,
    /// Loops that have iterations whenever the function is called.
    pub runs: Vec<IndexId>,
    /// Strips of loops around it.
    pub strips: HashMap<IndexId, Strip>,
    /// First and last value of open loops whose end is known.
    pub ranges: HashMap<IndexId, (usize, usize)>,
    /// In a lane loop with run-time end: for each vector of a step, the names of the number of
    /// active lanes and of their mask.
    pub active: Vec<(String, String)>,
    /// The same for each of several indices that have one loop over lanes.
    pub along: HashMap<IndexId, Vec<(String, String)>>,
    /// Distances between elements that are computed once, and their names.
    pub distances: Vec<(String, String)>,
    /// Outputs that may be written past the caches, with the variables that say whether they are.
    pub streams: HashMap<ArrayId, String>,
    /// Those that are, in the loop that is printed.
    pub streaming: Vec<ArrayId>,
    /// What says whether arrays are larger than the caches whose rows are together only where they are near.
    pub far: Option<String>,
    /// The equation that is printed.
    pub equation: usize,
    /// Temporaries whose lanes are summed up, and how many sums each lane has.
    pub folded: HashMap<ArrayId, usize>,
    /// Elements in [`Storage::Register`] that are visible here.
    pub registers: HashMap<(ArrayId, Vec<Affine>), Value>,
    /// Elements of inputs that were read before the loop.
    pub kept: HashMap<(ExprId, Offsets), Value>,
    /// The variables of [`Storage::Registers`], by place.
    pub places: HashMap<ArrayId, Vec<String>>,
    /// Copies of what the vector before has staged.
    pub pipelined: HashMap<ArrayId, Pipelined>,
    /// Copies of what the same vector has staged, parts of which stand in loops with its sums.
    pub begun: HashMap<ArrayId, Begun>,
    /// What products are not contracted into.
    pub arguments: Arguments,
    /// Products are contracted into the sum that is printed.
    pub contracts: bool,
    /// Choices of which one branch alone is evaluated.
    pub taken: Taken,
    /// Conditions that are met here, or are not.
    pub held: Vec<(ExprId, bool)>,
    words: [Unit; 4],
    uses: HashMap<ExprId, usize>,
    /// Arrays, or what they are views of, that equations read or add to.
    pub read: HashSet<ArrayId>,
    fresh: Names,
}

/// The arrays, or what they are views of, that equations read or add to.
fn read(program: &Program) -> HashSet<ArrayId> {
    let mut found = HashSet::default();
    for equation in &program.equations {
        if equation.operator.accumulated().is_some() {
            found.insert(program.viewed(equation.target.array));
        }
    }
    let all = program.equations.iter().map(|equation| equation.expr);
    let accesses = program.pool.accesses(all);
    found.extend(
        accesses
            .iter()
            .map(|(_, access)| program.viewed(access.array)),
    );
    found
}

/// The types of integers that are computed with.
const WORDS: [IntegerType; 4] = [
    IntegerType::I32,
    IntegerType::U32,
    IntegerType::I64,
    IntegerType::U64,
];

/// Values of one straight-line block.
#[derive(Clone, Default)]
pub struct Scope {
    /// Expressions at offsets.
    pub values: HashMap<(ExprId, Offsets), Value>,
    /// What rows have in common.
    pub same: Option<SameRows>,
    /// Values of inputs, of whichever row.
    pub places: HashMap<Place, Value>,
    /// Scalars in all lanes.
    pub splats: HashMap<String, String>,
    /// Entries of index maps.
    pub maps: HashMap<String, String>,
    /// Rows of elements, by what the first element is read by, and where.
    pub rows: HashMap<(Access, Offsets), Vec<String>>,
    /// Components of streams, by array, their number and the place of the first.
    pub streams: HashMap<(ArrayId, usize, String), Vec<Option<String>>>,
}

impl Scope {
    /// Streams of an array that is written are no longer those that were read.
    pub fn forget_streams(&mut self, array: ArrayId) {
        self.streams.retain(|(of, ..), _| *of != array);
    }
}

impl<'a> Printer<'a> {
    /// A printer at the top of a variant.
    pub fn new(
        program: &'a Program,
        schedule: &'a Schedule,
        unit: Unit,
        tables: &'a Tables,
        covered: &'a Covered<'a>,
    ) -> Self {
        let mut fresh = Names::new(program);
        Printer {
            program,
            schedule,
            single: unit.beside(Element::F32),
            words: WORDS.map(|ty| unit.beside(Element::Word(ty))),
            unit,
            out: String::new(),
            declared: HashSet::default(),
            views: (Views::Any, Vec::new()),
            comments: false,
            names: fresh.indices(program, &|index| schedule.is_lane(index)),
            tables,
            covered,
            runs: Vec::new(),
            around: Around::of(schedule),
            strips: HashMap::default(),
            ranges: HashMap::default(),
            active: Vec::new(),
            along: HashMap::default(),
            distances: Vec::new(),
            streams: HashMap::default(),
            far: None,
            streaming: Vec::new(),
            equation: 0,
            folded: sums(program, schedule),
            registers: HashMap::default(),
            kept: HashMap::default(),
            places: HashMap::default(),
            pipelined: HashMap::default(),
            begun: HashMap::default(),
            arguments: Arguments::of(program),
            contracts: true,
            taken: Taken::of(program, schedule),
            held: Vec::new(),
            uses: crate::analysis::uses::uses(program),
            read: read(program),
            fresh,
        }
    }

    /// Prints a line.
    pub fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A fresh local name.
    pub fn fresh(&mut self, base: &str) -> String {
        self.fresh.fresh(base)
    }

    /// The instructions for an element type.
    pub fn unit_of(&self, element: Element) -> &Unit {
        match element {
            Element::F32 if self.unit.bits() == 64 => &self.single,
            Element::Word(_) | Element::Integer(_) if self.unit.bits() < 32 => &self.unit,
            Element::Word(ty) | Element::Integer(ty) => {
                let at = WORDS.iter().position(|known| *known == ty.word());
                &self.words[at.unwrap_or(0)]
            }
            _ => &self.unit,
        }
    }

    /// Turns to an equation.
    pub fn enter(&mut self, equation: usize) {
        self.equation = equation;
        let target = self.program.equations[equation].target.array;
        self.contracts = !self.arguments.reached_by(self.program, target);
    }

    /// The indices that an expression depends on.
    pub fn depends(&mut self, expr: ExprId) -> Vec<IndexId> {
        self.program.pool.indices(expr).to_vec()
    }

    /// Whether an expression is computed.
    pub fn is_used(&self, expr: ExprId) -> bool {
        self.uses.get(&expr).copied().unwrap_or(0) > 0
    }

    /// Whether an expression has several users.
    pub fn shared(&self, expr: ExprId) -> bool {
        self.uses.get(&expr).copied().unwrap_or(0) > 1
    }

    /// Storage of a temporary.
    pub fn storage(&self, array: ArrayId) -> Option<&'a Storage> {
        self.schedule.storage_of(array)
    }

    /// The pointer to an array's first element.
    pub fn pointer(&self, array: ArrayId) -> String {
        let array = self.program.viewed(array);
        format!("{}_p", plain(&self.program.array(array).name))
    }

    /// The run-time extent of a parameter along an axis.
    pub fn length(&self, array: ArrayId, axis: usize) -> String {
        let array = self.program.viewed(array);
        length(&self.program.array(array).name, axis)
    }

    /// The value of a scalar parameter.
    pub fn scalar(&self, array: ArrayId) -> String {
        format!("{}_value", plain(&self.program.array(array).name))
    }

    pub(super) fn layout(&self, array: ArrayId) -> Vec<Dimension> {
        let padded = self.tables.stride(&self.program.array(array).name);
        address::layout(self.program, array, self.storage(array), padded)
    }

    /// The part of an address with known strides, as text; with `lane`, that of one lane.
    pub fn near(
        &mut self,
        scope: &mut Scope,
        address: &Address,
        offsets: &Offsets,
        lane: Option<usize>,
    ) -> String {
        let mut text = self.text(scope, &address.affine, offsets, lane);
        for (subscript, depth, stride) in &address.turns {
            let at = self.turn(scope, (subscript, *depth), offsets, lane);
            let _ = write!(text, " + {at} * {stride}");
        }
        text
    }

    /// The pointer to an element.
    pub fn at(
        &mut self,
        scope: &mut Scope,
        pointer: &str,
        address: &Address,
        offsets: &Offsets,
        lane: Option<usize>,
    ) -> String {
        if address.strided.is_empty() {
            let near = self.near(scope, address, offsets, lane);
            // No lane of some vectors may be inside of their loop.
            let add = match self.along.is_empty() {
                true => "add",
                false => "wrapping_add",
            };
            return format!("{pointer}.{add}({near})");
        }
        let distance = self.distance(scope, address, offsets, lane);
        let offset = match (self.along.is_empty(), address.in_bytes) {
            (true, false) => "offset",
            (true, true) => "byte_offset",
            (false, false) => "wrapping_offset",
            (false, true) => "wrapping_byte_offset",
        };
        format!("{pointer}.{offset}({distance})")
    }

    /// How far an element is from an array's first one, of type `isize`.
    pub fn distance(
        &mut self,
        scope: &mut Scope,
        address: &Address,
        offsets: &Offsets,
        lane: Option<usize>,
    ) -> String {
        let near = self.near(scope, address, offsets, lane);
        let mut sum = format!("(({near}) as isize)");
        for (subscript, depth, stride) in &address.strided {
            let at = match depth {
                Some(depth) => self.turn(scope, (subscript, *depth), offsets, lane),
                None => self.text(scope, subscript, offsets, lane),
            };
            let stride = self.named_distance(stride);
            sum += &format!(".wrapping_add((({at}) as isize).wrapping_mul({stride}))");
        }
        sum
    }

    /// How an address moves with the lanes.
    pub fn motion(&self, address: &Address) -> Motion {
        let lanes = self.schedule.lane_loops().filter(|_| self.unit.width > 1);
        let mut motions = lanes.map(|lane| address::motion(address, lane));
        let moved = motions.find(|motion| *motion != Motion::Still);
        moved.unwrap_or(Motion::Still)
    }

    /// The index that lanes run over in the equation that is printed.
    pub fn lane(&self) -> Option<IndexId> {
        let equation = self.program.equations.get(self.equation);
        let own = equation.and_then(|equation| self.schedule.lane_of(equation));
        own.or(self.schedule.lanes)
    }

    /// An address as text; with `lane`, that of one lane.
    pub fn text(
        &mut self,
        scope: &mut Scope,
        affine: &Affine,
        offsets: &Offsets,
        lane: Option<usize>,
    ) -> String {
        let mut parts: Vec<(Atom, String)> = Vec::new();
        for (atom, _) in &affine.terms {
            let text = match atom {
                Atom::Index(index) => self.index(*index, offsets, lane),
                Atom::Scalar(array) => format!("({} as usize)", self.scalar(*array)),
                Atom::Length(array, axis) => self.length(*array, *axis),
                Atom::Map(array, subscripts) => self.map(scope, *array, subscripts, offsets, lane),
            };
            parts.push((atom.clone(), text));
        }
        address::print(affine, &mut |atom| {
            parts
                .iter()
                .find(|(a, _)| a == atom)
                .map(|(_, text)| text.clone())
                .unwrap_or_default()
        })
    }

    fn index(&self, index: IndexId, offsets: &Offsets, lane: Option<usize>) -> String {
        let offset = offset(offsets, index);
        let open = self.around.is_open(index);
        let name = &self.names[&index];
        let vector = self.schedule.is_lane(index) && self.unit.width > 1;
        if let (true, Some(lane)) = (vector, lane) {
            let at = offset + lane;
            return match self.program.loop_index(index).extent {
                // Lanes beyond the end read what the last one reads.
                Extent::RunTime(_) => format!("{name}_{at}"),
                Extent::Constant(n) if open => {
                    let last = self
                        .ranges
                        .get(&index)
                        .map_or(usize::MAX, |(_, last)| *last);
                    if last.saturating_add(at) < n {
                        format!("({name} + {at})")
                    } else {
                        format!("::core::cmp::Ord::min({name} + {at}, {})", n - 1)
                    }
                }
                Extent::Constant(n) => at.min(n - 1).to_string(),
            };
        }
        match (open, offset) {
            (true, 0) => name.clone(),
            (true, offset) => format!("({name} + {offset})"),
            (false, offset) => offset.to_string(),
        }
    }

    /// An entry of an index map, read once.
    fn map(
        &mut self,
        scope: &mut Scope,
        array: ArrayId,
        subscripts: &[Affine],
        offsets: &Offsets,
        lane: Option<usize>,
    ) -> String {
        let access = Access {
            array,
            subscripts: subscripts.to_vec(),
        };
        let read = self.element(scope, &access, offsets, lane);
        if let Some(known) = scope.maps.get(&read) {
            return known.clone();
        }
        let base = self.program.array(array).name.clone();
        let value = self.name(&base, &format!("({read}) as usize"));
        scope.maps.insert(read, value.clone());
        value
    }
}
