//! Kernel syntax to program, by symbolic execution.
//!
//! The body is run once with symbolic values. A loop either stays (it becomes an index of the program
//! and its body is run once) or is unrolled (its body is run for every value); see `unroll`. Small
//! local arrays are therefore scalars, unless they are to stay arrays for the loops that sweep them
//! (`swept`); helpers are inlined by being called, references are places. An accumulation over loops
//! that stay becomes an equation with reduction indices.
//!
//! The equations keep the source's order, and their expressions its association. Whatever cannot
//! be expressed is an error on the user's span.

mod accumulations;
mod allocations;
mod attempts;
mod branches;
mod carried;
mod choices;
mod clamps;
mod conditions;
mod conversions;
mod cuts;
mod empty;
mod expressions;
mod findings;
mod flat;
mod guarded;
mod handed_on;
mod held_elements;
mod helpers;
mod integers;
mod intervals;
mod limited;
mod limits;
mod locals;
mod loops;
mod operations;
mod order;
mod overflow;
mod own_rows;
mod parameters;
mod pieces;
mod places;
mod problem;
mod products;
mod ranges;
mod reached;
mod repeated;
mod results;
mod rows;
mod short_sums;
mod shortened;
mod statements;
mod states;
mod sums;
mod swept;
mod tables;
mod unroll;
mod value;
mod whole;
mod words;
mod writes;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use crate::collections::{HashMap, HashSet};
use crate::diagnostics::Span;
use crate::ir::{
    Access, Affine, Array, ArrayId, Combining, Element, Expr, ExprId, Extent, IndexId, Program,
};
use crate::number::Number;
use crate::syntax::ast::{
    BlockId, Function, FunctionId, LoopId, Module, ScalarType, TableId, Type, VariableId,
};
use crate::syntax::counters;
use attempts::attempts;
pub use attempts::{lower, lower_with};
pub use choices::Arrays;
use findings::{Finding, Findings};
use overflow::Owed;
pub use problem::Problem;
use problem::{Result, opaque, problem};
use products::Flat;
pub use reached::Reached;
pub use shortened::{Shortened, shortened};
use states::Site;
use value::Binding;

/// Where an equation's value is written.
type Statement = Site;

/// A lowered kernel.
#[derive(Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// Spans of the statements that the equations come from, by equation.
    pub spans: Vec<Span>,
    /// Bounds of loops that are computed by subtraction, with the loops around: where these run, the
    /// bounds must not be negative.
    pub bounds: Vec<(Affine, Vec<IndexId>)>,
    /// Loops that stayed loops, with their indices: one for each time that they were met.
    pub kept: HashMap<(FunctionId, LoopId), Vec<IndexId>>,
    /// Integers which must not be negative for the program to be the text: of conditions that were
    /// decided when it was lowered.
    pub assumed: Vec<Affine>,
    /// Those that are never negative.
    pub facts: Vec<Affine>,
    /// Which of two lengths was assumed to be the shorter one: what the other one is longer by, and the length itself.
    pub shorter: Vec<(Affine, Affine)>,
    /// The blocks of the text that the program is of: others never run, or for inputs only with which the
    /// text does.
    pub run: BTreeMap<BlockId, Span>,
    /// Whatever the text subscripts, whether its value is used or not: parameters, and other arrays
    /// through index maps.
    pub reached: Vec<Reached>,
    /// What is read under conditions that follow from data, among `reached`: where it is out of range, the program is not
    /// the text.
    pub expected: Vec<Reached>,
    /// Arrays that are read, and where the text does.
    pub read: Vec<(ArrayId, Span)>,
}

/// Lowers a kernel as far as what was found out before gets.
fn attempt(
    module: &Module,
    function: &Function,
    exact: bool,
    (arrays, words): (Arrays, bool),
    (findings, steps): (Findings, &mut usize),
) -> Result<Lowered> {
    if let Some((span, what)) = function.foreign {
        let help = "let structs have numbers of one type, and slices numbers or arrays of them";
        return opaque(span, what, help);
    }
    let mut lowerer = begun(module, function, exact, (arrays, words), (findings, steps));
    lowerer.constants(function);
    for (position, parameter) in function.parameters.iter().enumerate() {
        let variable = &function.variables[parameter.variable.0];
        let value = lowerer.parameter(
            position,
            &variable.name.to_string(),
            &variable.ty,
            variable.name.span().into(),
        )?;
        lowerer.frame.values[parameter.variable.0] = Some(Binding::outermost(value));
    }
    let facts = lowerer.facts(function)?;
    let value = lowerer.block(&function.body)?;
    if let (Some(value), Type::Scalar(scalar)) = (value, &function.result) {
        lowerer.result(function, value, *scalar)?;
    }
    lowerer.settle_owed(0)?;
    lowerer.settle_vectors()?;
    lowerer.settle_parts()?;
    lowerer.check_size()?;
    lowerer.settle_branches()?;
    lowerer.forget_pieces();
    lowerer.check_ranges()?;
    lowerer.check_order()?;
    lowerer.check_anew()?;
    lowerer.no_sums_beside_rounded()?;
    // Integers have one sum, whatever the order is.
    let mut computed = lowerer.program.reachable().into_iter();
    lowerer.program.exact &= !words
        || computed.any(|expr| {
            let element = lowerer.program.pool.element(expr);
            element.as_word().is_none() && !element.is_integer()
        });
    lowerer.program.limited = lowerer.limited.take().into_iter().collect();
    let terms = empty::terms(&lowerer.program);
    lowerer.assumed.extend(terms);
    Ok(Lowered {
        program: lowerer.program,
        spans: lowerer.statements.iter().map(|s| s.span).collect(),
        bounds: lowerer.bounds,
        assumed: lowerer.assumed,
        facts,
        shorter: lowerer.shorter,
        kept: lowerer.kept,
        run: lowerer.run,
        reached: lowerer.reached.into_iter().collect(),
        expected: lowerer.expected.into_iter().collect(),
        read: lowerer.read,
    })
}

/// Nothing lowered yet.
fn begun<'a>(
    module: &'a Module,
    function: &'a Function,
    exact: bool,
    (arrays, words): (Arrays, bool),
    (findings, steps): (Findings, &'a mut usize),
) -> Lowerer<'a> {
    Lowerer {
        module,
        exact,
        generic: function.scalar_parameter.is_some(),
        program: Program {
            name: function.name.to_string(),
            exact,
            functions: module.pure.iter().map(ToString::to_string).collect(),
            ..Program::default()
        },
        statements: Vec::new(),
        tables: HashMap::default(),
        open: Vec::new(),
        frame: Frame::new(function, arrays),
        arrays,
        depth: 0,
        clock: 0,
        compared: std::cell::Cell::new(0),
        states: HashMap::default(),
        sites: BTreeMap::new(),
        large: HashSet::default(),
        anew: Vec::new(),
        read: Vec::new(),
        held: 0,
        steps,
        depths: HashMap::default(),
        bounds: Vec::new(),
        kept: HashMap::default(),
        reached: BTreeSet::new(),
        expected: BTreeSet::new(),
        guards: Vec::new(),
        conditional: Vec::new(),
        findings,
        pieces: 0,
        numbers: HashMap::default(),
        cut: HashSet::default(),
        unrolled: HashSet::default(),
        copies: 1,
        origins: HashMap::default(),
        short_parts: Vec::new(),
        offsets: HashMap::default(),
        assumed: Vec::new(),
        shorter: Vec::new(),
        run: BTreeMap::new(),
        owed: Vec::new(),
        owed_flat: Vec::new(),
        inside: HashSet::default(),
        unshaped: None,
        part_of_rows: None,
        words,
        ranges: HashMap::default(),
        totals: HashMap::default(),
        limited: RefCell::default(),
    }
}

/// The variables of one call.
struct Frame<'a> {
    function: &'a Function,
    values: Vec<Option<Binding>>,
    /// Its local arrays that are in memory whatever their size.
    swept: HashSet<VariableId>,
    /// Variables of short loops that stay.
    kept: HashSet<VariableId>,
    /// Its variables that count, once they were asked for.
    counters: OnceCell<HashSet<VariableId>>,
    /// Sums over kept loops that are still open, by variable.
    pending: HashMap<VariableId, Vec<Contribution>>,
    /// Elements of its variables that were read in kept loops inside of those where they were
    /// declared: the outermost of these loops, by variable.
    read: HashMap<VariableId, HashSet<(Vec<usize>, IndexId)>>,
}

/// `variable += value` inside kept loops that the variable was declared outside of, or with another operator.
struct Contribution {
    combining: Combining,
    /// Which element, of a local array.
    path: Vec<usize>,
    reduction: Vec<IndexId>,
    value: ExprId,
    /// It is chosen by conditions inside of the loops.
    conditional: bool,
    span: Span,
}

impl<'a> Frame<'a> {
    fn new(function: &'a Function, arrays: Arrays) -> Self {
        Frame {
            function,
            values: vec![None; function.variables.len()],
            swept: match arrays {
                Arrays::Swept => swept::swept(function),
                Arrays::Large | Arrays::ShortSums => HashSet::default(),
            },
            kept: match arrays {
                Arrays::ShortSums => short_sums::short_sums(function),
                Arrays::Large | Arrays::Swept => HashSet::default(),
            },
            counters: OnceCell::new(),
            pending: HashMap::default(),
            read: HashMap::default(),
        }
    }

    /// Whether subscripts and bounds follow a variable, and elements of arrays do not.
    fn counts(&self, variable: VariableId) -> bool {
        let all = self.counters.get_or_init(|| counters(self.function));
        all.contains(&variable)
    }
}

struct Lowerer<'a> {
    module: &'a Module,
    exact: bool,
    /// The kernel has a scalar type parameter.
    generic: bool,
    program: Program,
    /// Where the equations come from, by equation.
    statements: Vec<Statement>,
    tables: HashMap<(TableId, Element), ArrayId>,
    /// Kept loops, outermost first.
    open: Vec<IndexId>,
    frame: Frame<'a>,
    arrays: Arrays,
    depth: usize,
    /// Reads and writes of arrays that are written, counted.
    clock: usize,
    /// Pairs of accesses that were compared.
    compared: std::cell::Cell<usize>,
    /// The state of each output since its last write, if it was read since.
    states: HashMap<ArrayId, ArrayId>,
    /// Where arrays that are written are read.
    sites: BTreeMap<Access, Vec<Site>>,
    /// Local arrays in memory.
    large: HashSet<ArrayId>,
    /// Vectors without values before they are written.
    anew: Vec<own_rows::Anew>,
    /// Arrays that are read, with a span.
    read: Vec<(ArrayId, Span)>,
    /// Elements of arrays that validation has to hold.
    held: i128,
    /// Statements and helpers that were run.
    steps: &'a mut usize,
    /// How many operations an expression takes one after the other.
    depths: HashMap<ExprId, usize>,
    bounds: Vec<(Affine, Vec<IndexId>)>,
    kept: HashMap<(FunctionId, LoopId), Vec<IndexId>>,
    reached: BTreeSet<Reached>,
    /// Branches around, of which the text may run none.
    guards: Vec<branches::Guard>,
    /// What was accessed in branches.
    conditional: Vec<(Reached, Span)>,
    /// See [`Lowered::expected`].
    expected: BTreeSet<Reached>,
    findings: Findings,
    /// Pieces of loops that were begun.
    pieces: usize,
    /// The pieces that indices are of.
    numbers: HashMap<IndexId, usize>,
    /// Loops that were cut, and those that were unrolled where they were met once.
    cut: HashSet<(FunctionId, LoopId)>,
    unrolled: HashSet<(FunctionId, LoopId)>,
    /// How many copies of what is run here the unrolled loops around it have.
    copies: usize,
    /// Where the parts of loops that were cut come from.
    origins: HashMap<usize, cuts::Origin>,
    /// The lengths of loops that short parts are of, of those that are run.
    short_parts: Vec<Extent>,
    /// Tables of what clamps leave of short loops, by their entries.
    offsets: HashMap<Vec<i64>, ArrayId>,
    /// See [`Lowered::assumed`].
    assumed: Vec<Affine>,
    /// See [`Lowered::shorter`].
    shorter: Vec<(Affine, Affine)>,
    /// See [`Lowered::run`].
    run: BTreeMap<BlockId, Span>,
    /// What has not been shown yet of integers that were computed.
    owed: Vec<Owed>,
    owed_flat: Vec<(Flat, Span)>,
    /// Extents whose rows lie inside of those of others, as texts say that multiply sums by them.
    inside: HashSet<(Affine, Affine)>,
    /// The length of a vector that is a product, as long as no subscript has said of which extents.
    unshaped: Option<Span>,
    /// Where a part ends after a product of extents, in a slice whose rows nothing says yet.
    part_of_rows: Option<Span>,
    /// Integers are computed with: see [`words`].
    words: bool,
    /// The values that integers may have, where they are not those of their types.
    ranges: HashMap<ExprId, (i128, i128)>,
    /// Those of sums over loops.
    totals: HashMap<ArrayId, (i128, i128)>,
    /// The values that parameters, and their elements, are taken to have, where these were asked for.
    limited: RefCell<BTreeMap<ArrayId, (i128, i128)>>,
}

impl Lowerer<'_> {
    fn array(&self, id: ArrayId) -> &Array {
        self.program.array(id)
    }

    fn constant(&mut self, value: Number, element: Element) -> ExprId {
        self.program.pool.add(Expr::Constant(value), element)
    }

    /// The element type of arrays of a scalar type; `None` for `bool`. In generic kernels,
    /// constants and tables enter as values of the type parameter.
    fn element_of(&self, scalar: ScalarType) -> Option<Element> {
        match scalar {
            ScalarType::F64 | ScalarType::F32 if self.generic => Some(Element::Generic),
            ScalarType::F64 => Some(Element::F64),
            ScalarType::F32 => Some(Element::F32),
            ScalarType::Generic => Some(Element::Generic),
            ScalarType::Integer(ty) => Some(Element::Integer(ty)),
            ScalarType::Bool => None,
        }
    }
}
