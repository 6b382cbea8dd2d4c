//! Kernel syntax to program, by symbolic execution.
//!
//! The body is run once with symbolic values. A loop either stays (it becomes an index of the
//! program and its body is run once) or is unrolled (its body is run for every value); see
//! `unroll`. Small local arrays are therefore scalars, helpers are inlined by being called,
//! references are places. An accumulation over loops that stay becomes an equation with
//! reduction indices.
//!
//! The equations keep the source's order, and their expressions its association. Whatever cannot
//! be expressed is an error on the user's span.

mod expressions;
mod integers;
mod limits;
mod loops;
mod order;
mod places;
mod ranges;
mod results;
mod statements;
mod states;
mod unroll;
mod value;
mod writes;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::diagnostics::Span;
use crate::ir::{
    Access, Affine, Array, ArrayId, Atom, Element, Expr, ExprId, Extent, IndexId, Program, Role,
};
use crate::number::Number;
use crate::syntax::ast::{
    Function, FunctionId, Length, LoopId, Module, ScalarType, TableId, Type, VariableId,
};
use states::Site;
use value::{Place, Root, Value};

/// Where an equation's value is written.
type Statement = Site;

/// Why a kernel cannot be lowered.
#[derive(Debug)]
pub struct Problem {
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
    /// The kernel is right, but it has no program: it can run as written.
    pub opaque: bool,
}

type Result<T> = std::result::Result<T, Problem>;

fn problem<T>(
    span: impl Into<Span>,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Result<T> {
    Err(Problem {
        span: span.into(),
        message: message.into(),
        help: help.into(),
        opaque: false,
    })
}

/// What stops the compiler, not the user.
fn opaque<T>(
    span: impl Into<Span>,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Result<T> {
    problem(span, message, help).map_err(|p: Problem| Problem { opaque: true, ..p })
}

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
    /// Loops that stayed loops.
    pub kept: HashSet<(FunctionId, LoopId)>,
    /// Whatever the text subscripts, whether its value is used or not: parameters, and other arrays
    /// through index maps.
    pub reached: Vec<Reached>,
}

/// A subscripted array, or a part of one: `x[e]` where `x[e][i]` is an element.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reached {
    /// The array and its subscripts.
    pub access: Access,
    /// The loops around.
    pub domain: Vec<IndexId>,
}

/// Lowers one kernel. With `exact`, the program's floating-point operations and their order are
/// those of the source, so that executing the equations in source order has its bits.
///
/// # Errors
/// The first construct that has no place in a program.
pub fn lower(module: &Module, function: &Function, exact: bool) -> Result<Lowered> {
    let mut lowerer = Lowerer {
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
        tables: HashMap::new(),
        open: Vec::new(),
        frame: Frame::new(function),
        depth: 0,
        clock: 0,
        compared: std::cell::Cell::new(0),
        states: HashMap::new(),
        sites: BTreeMap::new(),
        large: HashSet::new(),
        read: Vec::new(),
        steps: 0,
        depths: HashMap::new(),
        bounds: Vec::new(),
        kept: HashSet::new(),
        reached: BTreeSet::new(),
        branches: 0,
    };
    lowerer.constants(function);
    for (position, parameter) in function.parameters.iter().enumerate() {
        let variable = &function.variables[parameter.variable.0];
        let value = lowerer.parameter(
            position,
            &variable.name.to_string(),
            &variable.ty,
            variable.name.span().into(),
        )?;
        lowerer.frame.values[parameter.variable.0] = Some(Binding { value, depth: 0 });
    }
    let value = lowerer.block(&function.body)?;
    if let (Some(value), Type::Scalar(scalar)) = (value, &function.result) {
        lowerer.result(function, value, *scalar)?;
    }
    lowerer.check_size()?;
    lowerer.check_ranges()?;
    lowerer.check_order()?;
    lowerer.check_mixed_types(function)?;
    Ok(Lowered {
        program: lowerer.program,
        spans: lowerer.statements.iter().map(|s| s.span).collect(),
        bounds: lowerer.bounds,
        kept: lowerer.kept,
        reached: lowerer.reached.into_iter().collect(),
    })
}

/// A variable's value and how many kept loops were open when it was declared.
#[derive(Clone, Debug)]
struct Binding {
    value: Value,
    depth: usize,
}

/// The variables of one call.
struct Frame<'a> {
    function: &'a Function,
    values: Vec<Option<Binding>>,
    /// Sums over kept loops that are still open, by variable.
    pending: HashMap<VariableId, Vec<Contribution>>,
}

/// `variable += value` inside kept loops that the variable was declared outside of.
struct Contribution {
    /// Which element, of a local array.
    path: Vec<usize>,
    reduction: Vec<IndexId>,
    value: ExprId,
    span: Span,
}

impl<'a> Frame<'a> {
    fn new(function: &'a Function) -> Self {
        Frame {
            function,
            values: vec![None; function.variables.len()],
            pending: HashMap::new(),
        }
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
    tables: HashMap<TableId, ArrayId>,
    /// Kept loops, outermost first.
    open: Vec<IndexId>,
    frame: Frame<'a>,
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
    /// Arrays that are read, with a span.
    read: Vec<(ArrayId, Span)>,
    /// Statements and helpers that were run.
    steps: usize,
    /// How many operations an expression takes one after the other.
    depths: HashMap<ExprId, usize>,
    bounds: Vec<(Affine, Vec<IndexId>)>,
    kept: HashSet<(FunctionId, LoopId)>,
    reached: BTreeSet<Reached>,
    /// Branches around, of which the text may evaluate none.
    branches: usize,
}

impl Lowerer<'_> {
    /// The value of a parameter: an array of the program, or an integer.
    fn parameter(&mut self, position: usize, name: &str, ty: &Type, span: Span) -> Result<Value> {
        if let Type::Array(..) | Type::Open(..) = ty {
            return problem(
                span,
                format!("`{name}` is an array that is not behind a reference"),
                match ty {
                    Type::Open(..) => format!("put it behind a reference: `{name}: &[…]`"),
                    _ => format!("write `{name}: &{}`", crate::syntax::show(ty)),
                },
            );
        }
        let (inner, output) = match ty {
            Type::Reference(inner, mutable) => (inner.as_ref(), *mutable),
            other => (other, false),
        };
        let mut shape = Vec::new();
        let mut current = inner;
        let (mut slice, mut own) = (false, Vec::new());
        let scalar = loop {
            match current {
                Type::Scalar(scalar) => break *scalar,
                Type::Array(element, n) => {
                    shape.push(Extent::Constant(*n));
                    current = element;
                }
                Type::Slice(element) if shape.is_empty() && !slice => {
                    slice = true;
                    own.push(0);
                    shape.push(Extent::Constant(0));
                    current = element;
                }
                Type::Open(element, length) => {
                    shape.push(match length {
                        Length::Axis => {
                            own.push(shape.len());
                            Extent::Constant(0)
                        }
                        Length::Constant(at) => Extent::RunTime(self.constant_parameter(*at)),
                    });
                    current = element;
                }
                _ => {
                    return problem(
                        span,
                        format!("the type of `{name}` is not one that a kernel takes"),
                        "parameters are scalars, nested arrays `&[[f64; N]; M]` and slices of them `&[[f64; N]]`",
                    );
                }
            }
        };
        if integers::too_large(unroll::elements(inner), slice) {
            return problem(
                span,
                format!("`{name}` is too large to be validated while the kernel is compiled"),
                "use a slice of smaller arrays, such as `&[f64]`: run-time extents are validated for small ones",
            );
        }
        let Some(element) = self.element_of(scalar) else {
            return problem(
                span,
                format!("`{name}` is a bool"),
                "pass an integer or a floating-point number",
            );
        };
        if self.generic && matches!(scalar, ScalarType::F64 | ScalarType::F32) {
            return opaque(
                span,
                format!("`{name}` is a float of fixed type in a generic kernel"),
                "give it the type parameter as its type",
            );
        }
        if output && matches!(element, Element::Integer(_)) {
            return opaque(
                span,
                format!("`{name}` is a mutable array of integers"),
                "kernels write floating-point arrays; write the integers in ordinary code",
            );
        }
        let role = if output {
            Role::Output(position)
        } else {
            Role::Parameter(position)
        };
        let array = self.program.add_array(name, element, shape, role);
        let declared = &mut self.program.arrays[array.0 as usize];
        declared.strided = !slice && !own.is_empty();
        for axis in own {
            declared.shape[axis] = Extent::RunTime(Affine::atom(Atom::Length(array, axis)));
        }
        if let (Type::Scalar(ScalarType::Integer(_)), false) = (inner, output) {
            return Ok(Value::Integer(Affine::atom(Atom::Scalar(array))));
        }
        Ok(Value::Place(Place {
            root: Root::Array(array),
            subscripts: Vec::new(),
            ty: inner.clone(),
        }))
    }

    /// The program's array for a table.
    fn table(&mut self, id: TableId) -> Result<ArrayId> {
        if let Some(array) = self.tables.get(&id) {
            return Ok(*array);
        }
        let table = &self.module.tables[id.0];
        let Some(element) = self.element_of(table.element) else {
            return problem(table.name.span(), "a table of bools", "tables hold numbers");
        };
        let shape = table.shape.iter().map(|n| Extent::Constant(*n)).collect();
        let values = std::rc::Rc::new(table.values.clone());
        let array = self.program.add_array(
            &table.name.to_string().to_lowercase(),
            element,
            shape,
            Role::Table(values),
        );
        self.tables.insert(id, array);
        Ok(array)
    }

    fn array(&self, id: ArrayId) -> &Array {
        self.program.array(id)
    }

    fn constant(&mut self, value: Number, element: Element) -> ExprId {
        self.program.pool.add(Expr::Constant(value), element)
    }

    /// One floating-point type a kernel.
    fn check_mixed_types(&self, function: &Function) -> Result<()> {
        let has = |element: Element| self.program.arrays.iter().any(|a| a.element == element);
        let casts = self.program.equations.iter().any(|e| {
            let mut stack = vec![e.expr];
            let mut seen = HashSet::new();
            while let Some(expr) = stack.pop() {
                if seen.insert(expr) {
                    if matches!(self.program.pool.get(expr), Expr::Cast(..)) {
                        return true;
                    }
                    stack.extend(self.program.pool.operands(expr));
                }
            }
            false
        });
        if (has(Element::F32) && has(Element::F64)) || casts {
            return opaque(
                function.name.span(),
                "`f32` and `f64` in one kernel",
                "give all arrays and tables of the kernel one floating-point type",
            );
        }
        Ok(())
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
