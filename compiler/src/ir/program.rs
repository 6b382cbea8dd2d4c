//! Indices, arrays and equations.

use std::rc::Rc;

use super::affine::{Affine, Atom};
use super::combining::Operator;
use super::expr::{Access, ExprId, Pool};
use super::extent::Extent;
use super::foreseen::Foreseen;
use super::mirror::Mirror;
use super::progression::Progression;
use super::shared::Shared;
use super::unique::ArrayNames;
use crate::elements::Product;
use crate::number::Number;
use crate::syntax::ast::{Differencing, IntegerType};

/// A loop index of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IndexId(pub u32);

/// An array of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArrayId(pub u32);

/// A loop index. It counts from zero: a range `a..b` has extent `b - a` and subscripts add `a`.
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// The user's name for it (not unique).
    pub name: String,
    /// Number of values.
    pub extent: Extent,
    /// Iterations of other loops that its values stand for, where it came from these: of a loop that it is a
    /// part of, or all of one that became this one, among others.
    pub parts: Vec<Part>,
}

/// Iterations of a loop that the values of an index stand for: value `k` for those from `start + stride * k` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The loop.
    pub of: IndexId,
    /// The first iteration of value 0.
    pub start: usize,
    /// From the first iteration of one value to that of the next.
    pub stride: usize,
    /// How many iterations each value stands for: a block of them, whose own loop is inside.
    pub width: usize,
}

impl Part {
    /// The iterations of a progression.
    pub fn of(index: IndexId, iterations: Progression) -> Part {
        Part {
            of: index,
            start: iterations.start,
            stride: iterations.stride,
            width: 1,
        }
    }

    /// Whether value `k` stands for iteration `k`.
    pub fn is_plain(&self) -> bool {
        (self.start, self.stride, self.width) == (0, 1, 1)
    }

    /// The iterations that some values stand for.
    pub fn iterations(self, values: &[usize]) -> impl Iterator<Item = usize> + '_ {
        let first = values.iter().map(move |k| self.start + self.stride * k);
        first.flat_map(move |first| first..first + self.width)
    }
}

/// Type of an array's elements and of scalar values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Element {
    /// `f64`.
    F64,
    /// `f32`.
    F32,
    /// The kernel's scalar type parameter.
    Generic,
    /// An integer in memory: index maps, integer parameters, and arrays of integers.
    Integer(IntegerType),
    /// An integer that is computed with, modulo two to the power of its bits: sums and products of such are
    /// exact in any order. Texts have them of 32 or 64 bits; of fewer they are where these suffice
    /// (`rewrite::few_bits`).
    Word(IntegerType),
}

impl Element {
    /// Index maps and integer parameters have elements that no operation computes.
    pub fn is_integer(self) -> bool {
        matches!(self, Element::Integer(_))
    }

    /// The type of an integer that is computed with.
    pub fn as_word(self) -> Option<IntegerType> {
        match self {
            Element::Word(ty) => Some(ty),
            _ => None,
        }
    }

    /// Bits that a value takes in memory, and in a lane where it is computed with.
    pub fn bits(self) -> usize {
        match self {
            Element::F64 | Element::Generic => 64,
            Element::F32 => 32,
            Element::Integer(ty) | Element::Word(ty) => ty.bits() as usize,
        }
    }

    /// Whether values take 32 bits of a register.
    pub fn is_half(self) -> bool {
        !self.is_integer() && self.bits() == 32
    }

    /// Bytes of a number that is computed with.
    pub fn bytes(self) -> usize {
        match self {
            Element::Integer(_) => 8,
            computed => computed.bits() / 8,
        }
    }
}

/// What an array is for.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// The kernel's n-th parameter, only read.
    Parameter(usize),
    /// The kernel's n-th parameter, written; the number of parameters stands for its result.
    Output(usize),
    /// What the kernel's n-th parameter, an output, holds where an equation reads it. Each state
    /// between two writes is an array of its own, so that equal expressions have equal values; all
    /// of them, and the output, are one memory.
    State(usize),
    /// Values known now, row-major.
    Table(Rc<Vec<Number>>),
    /// Each element is its own subscript, in one dimension: what `i as f64` converts. No memory
    /// holds it.
    Counting,
    /// Written and read inside.
    Temporary,
}

impl Role {
    /// Which parameter's memory an array is.
    pub fn position(&self) -> Option<usize> {
        match self {
            Role::Parameter(position) | Role::Output(position) | Role::State(position) => {
                Some(*position)
            }
            Role::Table(_) | Role::Counting | Role::Temporary => None,
        }
    }
}

/// An array.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Unique name: the user's, or one that says what a temporary holds.
    pub name: String,
    /// Element type.
    pub element: Element,
    /// Extents, outermost first; empty for a scalar.
    pub shape: Vec<Extent>,
    /// Its role.
    pub role: Role,
    /// Neighbours along each axis are as far from each other as strides say that are known when the
    /// kernel runs: a view. Others are row-major without gaps.
    pub strided: bool,
    /// A slice in the shape that its flat subscripts say: its length is that of all of it, and the
    /// outermost extent follows from that.
    pub flat: bool,
    /// How many dimensions the elements of such a slice have, `k[i * n + j][c]`: the last ones, which are no rows of it.
    pub inner: usize,
    /// An output that is no parameter: the kernel allocates it, filled with zeros. Its extents are
    /// known when the kernel runs.
    pub allocated: bool,
    /// A `const` parameter: `rustc` knows its value, and these are small.
    pub is_const: bool,
    /// A table whose entries are products of tables over the line, and how.
    pub product: Option<Rc<Product>>,
}

/// `target op sum over reduction of expr, for free`.
///
/// Each element of a temporary is assigned once, but for local arrays of the text: these are filled with one
/// value first, and nothing reads an element before its last one is there. With reduction indices the
/// assignment is of the sum. Passes leave one equation a temporary, whose target's subscripts are its free indices in
/// order. Nests that hand values on from one iteration to the next have others, that are
/// [recurrences](Program::together): `s[0] = x[0]`, then `s[i + 1] = s[i] + x[i + 1]` for all `i`.
///
/// Reads of a [state](Role::State) come before all writes of the equation. Where its own target is
/// read, each index at the read is at most that at the write of the same place: whatever the order
/// and the blocking of loops that run upwards, the read comes first.
#[derive(Clone, Debug, PartialEq)]
pub struct Equation {
    /// What is written.
    pub target: Access,
    /// How.
    pub operator: Operator,
    /// Indices over which the statement is repeated, outermost first.
    pub free: Vec<IndexId>,
    /// Indices summed over, outermost first, or whose values the operator combines in another way.
    pub reduction: Vec<IndexId>,
    /// The value.
    pub expr: ExprId,
}

impl Equation {
    /// Free indices, then reduction indices.
    pub fn domain(&self) -> impl Iterator<Item = IndexId> + '_ {
        self.free.iter().chain(&self.reduction).copied()
    }

    /// The loops of which all iterations write the same elements.
    pub fn still(&self) -> impl Iterator<Item = IndexId> + '_ {
        self.domain()
            .filter(|index| !self.target.depends_on(*index))
    }

    /// Whether what several iterations give an element is added up, not multiplied or compared.
    pub fn adds_up(&self) -> bool {
        self.operator.combining() == super::Combining::Add
    }

    /// Sums up over some of the loops that it is repeated in.
    pub fn sum_over(&mut self, loops: Vec<IndexId>) {
        self.free.retain(|index| !loops.contains(index));
        self.reduction.extend(loops);
    }

    /// Whether it assigns an element for each iteration: the target's subscripts are the free indices
    /// in order.
    pub fn is_definition(&self) -> bool {
        let subscripts = self.target.subscripts.iter().map(Affine::as_index);
        self.operator == Operator::Assign && subscripts.eq(self.free.iter().copied().map(Some))
    }
}

/// A kernel's meaning: equations in an order that respects their dependences.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The kernel's name.
    pub name: String,
    /// Operations and their order are the source's: nothing may be reassociated, and sums are
    /// added to their targets one term after the other.
    pub exact: bool,
    /// Bytes that tables and temporaries of passes may take, where the kernel states any.
    pub memory: Option<u64>,
    /// Cells for which an entry of a table is loaded once, where the kernel says how its lanes run.
    pub tile: Option<u64>,
    /// The text has quotients that may be finite where the reciprocals of their divisors are not.
    pub divides: bool,
    /// Which sums may follow from those of earlier iterations.
    pub differencing: Differencing,
    /// Sums of which others are copies; see [`Mirror`].
    pub mirrors: Vec<Mirror>,
    /// Loop indices, in the order of the source's nests (an outer loop before its inner ones).
    pub indices: Shared<Vec<Index>>,
    /// Arrays.
    pub arrays: Shared<Vec<Array>>,
    /// Their names.
    pub names: Shared<ArrayNames>,
    /// Expressions.
    pub pool: Pool,
    /// Functions from outside, as paths: [`Elementary::Pure`](crate::syntax::ast::Elementary).
    pub functions: Vec<String>,
    /// Equations, executed as if one after the other, each over its whole domain; see
    /// [`Program::together`] for those that are not.
    pub equations: Vec<Equation>,
    /// A loop around all equations that none of them knows: they are executed as often as it has iterations, each
    /// time with what the time before has left in outputs.
    pub repeated: Option<IndexId>,
    /// Functions of the inputs that are not negative: what the text asserts, and what is known of integers that a call computes.
    pub known: Vec<Affine>,
    /// Functions of the inputs that passes take not to be negative: where one is, the text runs.
    pub assumed: Vec<Affine>,
    /// What the elements of parameters, or these themselves, are taken to lie between: where one does not, the text runs.
    pub limited: Vec<(ArrayId, (i128, i128))>,
    /// What later passes make of it, as far as it is known.
    pub foreseen: Foreseen,
}

impl Program {
    /// An index.
    pub fn loop_index(&self, id: IndexId) -> &Index {
        &self.indices[id.0 as usize]
    }

    /// Whether a loop's length is known while the kernel expands.
    pub fn is_constant(&self, id: IndexId) -> bool {
        self.loop_index(id).extent.as_constant().is_some()
    }

    /// An array.
    pub fn array(&self, id: ArrayId) -> &Array {
        &self.arrays[id.0 as usize]
    }

    /// The loops around an equation, that around all of them first.
    pub fn around(&self, equation: &Equation) -> Vec<IndexId> {
        self.repeated.into_iter().chain(equation.domain()).collect()
    }

    /// The first array of a parameter: others with its position are states of it, and views of it
    /// in other shapes.
    pub fn viewed(&self, id: ArrayId) -> ArrayId {
        let Some(position) = self.array(id).role.position() else {
            return id;
        };
        let same = |array: &Array| array.role.position() == Some(position);
        let first = self.arrays.iter().position(same);
        first.map_or(id, |at| ArrayId(at as u32))
    }

    /// Accesses to states of outputs in an expression, each once, in the order of their ids.
    pub fn states(&self, expr: ExprId) -> Vec<&Access> {
        if !self.is_in_place() {
            return Vec::new();
        }
        let mut found = self.pool.accesses([expr]);
        found.retain(|(_, access)| matches!(self.array(access.array).role, Role::State(_)));
        found.sort_unstable_by_key(|(expr, _)| *expr);
        found.into_iter().map(|(_, access)| access).collect()
    }

    /// An affine function as a user would write it.
    pub fn describe(&self, affine: &Affine) -> String {
        // What is added first, so that no minus stands in front.
        let (added, taken): (Vec<_>, Vec<_>) = affine.terms.iter().partition(|(_, c)| *c > 0);
        let terms = added.into_iter().chain(taken);
        let mut parts: Vec<String> = terms
            .map(|(atom, c)| {
                let name = self.describe_atom(atom);
                match c {
                    1 => name,
                    -1 => format!("-{name}"),
                    c => format!("{c} * {name}"),
                }
            })
            .collect();
        if affine.constant != 0 || parts.is_empty() {
            parts.push(affine.constant.to_string());
        }
        parts.join(" + ").replace("+ -", "- ")
    }

    fn describe_atom(&self, atom: &Atom) -> String {
        match atom {
            Atom::Length(array, 0) => format!("{}.len()", self.array(*array).name),
            Atom::Length(array, axis) => {
                format!("{}.len_of(Axis({axis}))", self.array(*array).name)
            }
            Atom::Scalar(array) => self.array(*array).name.clone(),
            Atom::Map(array, subscripts) => {
                let subscripts = subscripts.iter().map(|s| format!("[{}]", self.describe(s)));
                let subscripts: String = subscripts.collect();
                format!("{}{subscripts}", self.array(*array).name)
            }
            Atom::Index(index) => self.loop_index(*index).name.clone(),
        }
    }

    /// The expressions that equations use, each once, in the order of their ids.
    pub fn reachable(&self) -> Vec<ExprId> {
        let mut seen = vec![false; self.pool.len()];
        let mut stack: Vec<ExprId> = self.equations.iter().map(|e| e.expr).collect();
        while let Some(expr) = stack.pop() {
            if !std::mem::replace(&mut seen[expr.0 as usize], true) {
                stack.extend(self.pool.operands(expr));
            }
        }
        (0..seen.len())
            .filter(|at| seen[*at])
            .map(|at| ExprId(at as u32))
            .collect()
    }

    /// Adds an index.
    pub fn add_index(&mut self, name: &str, extent: Extent) -> IndexId {
        self.indices.push(Index {
            name: name.to_owned(),
            extent,
            parts: Vec::new(),
        });
        IndexId(self.indices.len() as u32 - 1)
    }

    /// Adds an index with the name and the extent of another one.
    pub fn add_index_like(&mut self, index: IndexId) -> IndexId {
        let old = self.loop_index(index).clone();
        let new = self.add_index(&old.name, old.extent);
        self.is_same_loop(new, index);
        new
    }

    /// Notes that an index stands for another one, too: it has the same values.
    pub fn is_same_loop(&mut self, index: IndexId, other: IndexId) {
        if index != other {
            let part = Part::of(other, Progression::whole(1));
            self.is_part(index, part);
        }
    }

    /// Notes which values of another index an index stands for.
    pub fn is_part(&mut self, index: IndexId, part: Part) {
        let parts = &mut self.indices[index.0 as usize].parts;
        if !parts.contains(&part) {
            parts.push(part);
        }
    }

    /// Adds an array, its name made unique by a number where needed.
    pub fn add_array(
        &mut self,
        name: &str,
        element: Element,
        shape: Vec<Extent>,
        role: Role,
    ) -> ArrayId {
        let name = self.names.unique(name, &self.arrays);
        self.arrays.push(Array {
            name,
            element,
            shape,
            role,
            strided: false,
            flat: false,
            inner: 0,
            allocated: false,
            is_const: false,
            product: None,
        });
        ArrayId(self.arrays.len() as u32 - 1)
    }

    /// Adds a temporary with an element for each iteration of some loops; that element.
    pub fn add_temporary(&mut self, name: &str, loops: &[IndexId], element: Element) -> Access {
        let extent = |index: &IndexId| self.loop_index(*index).extent.clone();
        let shape = loops.iter().map(extent).collect();
        Access {
            array: self.add_array(name, element, shape, Role::Temporary),
            subscripts: loops.iter().copied().map(Affine::index).collect(),
        }
    }
}
