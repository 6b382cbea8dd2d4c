//! The typed kernel syntax: what the rest of the compiler sees of the user's text.
//!
//! Every name is resolved, every expression carries its type and its span. The tree keeps the
//! source's order and association; nothing is simplified here, so that an interpreter of this
//! tree is the meaning of the kernel.

use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};

pub use super::integer_type::IntegerType;
pub use super::operators::{
    Adaptor, BinaryOperator, CompareOperator, Elementary, IntegerMethod, LogicalOperator, adapted,
};
pub use super::options::{Differencing, Options, PlanText};
pub use super::precomputed::{Whole, WholeOperator};
pub use super::records::{Numbers, Record, Struct};
pub use super::results::Returned;
pub use super::signatures::constant_argument;
pub use super::text::Text;
use crate::diagnostics::Span;
use crate::elements::Product;
use crate::number::Number;

/// One `kernel! { … }` block.
#[derive(Clone, Debug)]
pub struct Module {
    /// The `static`s and `const`s, at the block's level and inside functions, in source order.
    pub tables: Vec<Table>,
    /// The functions in source order; [`Function::inlined`] tells helpers from kernels.
    pub functions: Vec<Function>,
    /// Functions from outside that are declared pure, as paths.
    pub pure: Vec<TokenStream>,
    /// The items as the user wrote them (options removed, `tabulate!` replaced by values'
    /// literal), for `reference`. Tables at the block's level and helper functions included.
    pub shared_items: TokenStream,
    /// Items that stand beside the kernels: imports, and functions of structs.
    pub beside: TokenStream,
    /// Structs, which stand beside the kernels.
    pub structs: Vec<Struct>,
    /// Tokens of the functions' bodies: what limits of work allow is more for longer texts.
    pub length: usize,
}

/// A constant array whose values the compiler knows.
#[derive(Clone, Debug)]
pub struct Table {
    /// The user's name.
    pub name: Ident,
    /// Extents, outermost first; empty for a scalar constant.
    pub shape: Vec<usize>,
    /// The element type.
    pub element: ScalarType,
    /// Values, row-major.
    pub values: Vec<Number>,
    /// What `tabulate!` evaluated.
    pub tabulated: bool,
    /// How the values are products of tables over the line, where they are.
    pub product: Option<Rc<Product>>,
    /// The name stands for a reference to it: `const A: &[f64] = &[1.0, 2.0];`.
    pub reference: bool,
    /// The type of its rows in the text, where these are tuples: `[(usize, usize); 4]` has four rows of two.
    pub tuples: Option<Type>,
}

/// Index of a table in [`Module::tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId(pub usize);

/// Index of a function in [`Module::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub usize);

/// A variable of one function: parameters first, then bindings in source order. Shadowing gives
/// a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub usize);

/// A loop of one function, numbered in source order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(pub usize);

/// A block of statements, numbered over all functions in source order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub usize);

/// One function of the block.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Ident,
    /// True for a private function that another one calls: it is inlined, not expanded.
    pub inlined: bool,
    /// Attributes and doc comments that pass through (`#[opt]` removed).
    pub attributes: TokenStream,
    /// `pub`, `pub(crate)`, ….
    pub visibility: TokenStream,
    /// `<'a, T: Real>` as written, or empty.
    pub generics: TokenStream,
    /// `<T>`: arguments that pass the generics on, or empty (lifetimes left out).
    pub generic_arguments: TokenStream,
    /// The where clause as written, or empty.
    pub where_clause: TokenStream,
    /// The type parameter that stands for the scalar type, in a generic function.
    pub scalar_parameter: Option<Ident>,
    /// That parameter is bounded by `Real`, so that its values can be compared.
    pub ordered: bool,
    /// The parameters of the text.
    pub inputs: Vec<Input>,
    /// The parameters of the program.
    pub parameters: Vec<Parameter>,
    /// The `const` parameters, by the variables that hold them.
    pub constants: Vec<VariableId>,
    /// The result; `Type::Tuple(vec![])` for none.
    pub result: Type,
    /// How the value of the text is made of what the program writes, where the text returns several numbers.
    pub returned: Option<Returned>,
    /// The result type's tokens with the arrow, or empty.
    pub result_tokens: TokenStream,
    /// All variables, by [`VariableId`].
    pub variables: Vec<Variable>,
    /// Number of loops; [`LoopId`]s are below it.
    pub loops: usize,
    /// The body.
    pub body: Block,
    /// The body's tokens as written (tables inside it with `tabulate!` replaced), for `reference`.
    pub body_tokens: TokenStream,
    /// A type that is no array of numbers of one type, where the function has one: it runs as written.
    pub foreign: Option<(Span, &'static str)>,
    /// Floating-point numbers become integers, and `options` are those of `strict`.
    pub rounds: bool,
    /// Remainders by constants became loops over periods, which LLVM does not find in the text.
    pub periodic: bool,
    /// What `#[opt(…)]` says.
    pub options: Options,
    /// What the text takes for Rust's own.
    pub taken: Vec<Taken>,
    /// Comparisons of what the program is given that hold whatever that is.
    pub facts: Vec<Expression>,
}

/// What a scope may give another meaning, but for names of types.
#[derive(Clone, Debug)]
pub enum Taken {
    /// `len()` of a receiver of this type.
    Length(Ident, Type),
    /// A method of a view that is a variable, with its arguments.
    View {
        /// The method's name.
        method: Ident,
        /// The variable as it stands there.
        receiver: Ident,
        /// What it is.
        variable: VariableId,
        /// What stands between the parentheses.
        arguments: TokenStream,
    },
    /// `vec!`.
    Vec(Ident),
}

/// A parameter as the text declares it.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name, or one for it where it has none.
    pub name: Ident,
    /// That name, with `mut` for a view by value that is written.
    pub pattern: TokenStream,
    /// As it is written.
    pub written: TokenStream,
    /// Its type as written.
    pub type_tokens: TokenStream,
}

/// What is passed for a parameter of the program.
#[derive(Clone, Debug)]
pub enum Given {
    /// A value of the parameter's type.
    Value(TokenStream),
    /// A reference to structs, of which the parameter is the numbers.
    Numbers(TokenStream),
    /// A reference to conditions, which are written as the bytes that the parameter has.
    Truths(TokenStream),
    /// A number that is computed first; the text runs where there is none.
    Whole(Whole),
    /// An array of so many entries that repeats the first ones of an array of the text, a period of them.
    Repeated {
        /// The array's name.
        of: Ident,
        /// Its entries.
        period: usize,
        /// Those of this one.
        length: usize,
    },
}

/// A parameter of the program.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The variable it binds.
    pub variable: VariableId,
    /// It is behind a reference.
    pub reference: bool,
    /// What is passed for it, where that is not the parameter of the text that has its name.
    pub given: Option<Given>,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The user's identifier (with its span).
    pub name: Ident,
    /// Its type.
    pub ty: Type,
    /// Declared with `mut` (parameters of type `&mut` are not).
    pub mutable: bool,
}

/// An instruction set, as options name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IsaName {
    /// No vector instructions.
    Scalar,
    /// AVX2 with FMA.
    Avx2,
    /// AVX-512 F, VL, DQ, BW.
    Avx512,
}

impl IsaName {
    /// The name in options, and in names of functions.
    pub fn name(self) -> &'static str {
        match self {
            IsaName::Scalar => "scalar",
            IsaName::Avx2 => "avx2",
            IsaName::Avx512 => "avx512",
        }
    }
}

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScalarType {
    /// `f64`.
    F64,
    /// `f32`.
    F32,
    /// The function's type parameter (`T: Scalar` or `T: Real`).
    Generic,
    /// `usize` and the other integers.
    Integer(IntegerType),
    /// `bool`.
    Bool,
}

/// A type of the subset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A scalar.
    Scalar(ScalarType),
    /// `[T; n]`.
    Array(Box<Type>, usize),
    /// `[T]`, only behind a reference.
    Slice(Box<Type>),
    /// A dimension of a parameter whose extent is known when the kernel runs: one of a view, which
    /// has only such dimensions, or of an array `[T; N]`.
    Open(Box<Type>, Length),
    /// `&T` or `&mut T`.
    Reference(Box<Type>, /* mutable */ bool),
    /// A tuple; empty for `()`.
    Tuple(Vec<Type>),
    /// A struct of numbers. Only while the text is read: then it is the array of these.
    Record(Rc<Record>),
}

/// A run-time extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// That of a view along this axis.
    Axis,
    /// The function's n-th `const` parameter.
    Constant(usize),
}

/// Statements and an optional value.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its number.
    pub id: BlockId,
    /// Where it begins.
    pub span: Span,
    /// In source order.
    pub statements: Vec<Statement>,
    /// The expression without semicolon at the end.
    pub value: Option<Box<Expression>>,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `let PATTERN = VALUE;`
    Let(Pattern, Expression),
    /// `let x;` is not in the subset. `PLACE OP VALUE;`
    Assign {
        /// A variable, an element, or `*reference`.
        place: Expression,
        /// `None` for `=`, else the operator of `+=`, `-=`, `*=`, `/=`.
        operator: Option<BinaryOperator>,
        /// The right side.
        value: Expression,
        /// The statement.
        span: Span,
    },
    /// `for v in start..end { … }`
    For(Box<ForLoop>),
    /// `{ … }` as a statement.
    Block(Block),
    /// An `if` without a value.
    Effect(Expression),
    /// `assert!(c)`, of a condition: the text says so itself where it does not hold.
    Assert(Expression, Builds),
}

/// The builds in which something is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builds {
    /// All.
    All,
    /// Those with assertions of their own.
    Debug,
}

/// A `for` loop over a range of integers with step 1.
#[derive(Clone, Debug)]
pub struct ForLoop {
    /// Number in the function.
    pub id: LoopId,
    /// The loop variable.
    pub variable: VariableId,
    /// First value.
    pub start: Expression,
    /// End, exclusive (`a..=b` arrives here as `a..b + 1`).
    pub end: Expression,
    /// The text has `a..=b`.
    pub inclusive: bool,
    /// What is applied to the range, first to last.
    pub adaptors: Vec<Adaptor>,
    /// The body.
    pub body: Block,
    /// The loop's header.
    pub span: Span,
}

/// What a `let` binds.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// A name.
    Variable(VariableId),
    /// `_`.
    Wildcard,
    /// `(a, b)`.
    Tuple(Vec<Pattern>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Its type.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
    /// It is an element that is there whatever is computed: an iterator's, or one of a part of an array that was looked at.
    pub inside: bool,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// A floating-point constant: literal, `T::zero()`, `T::one()`, or arithmetic that was
    /// already constant in the user's `const`s.
    Float(Number),
    /// An integer literal.
    Integer(i128),
    /// A variable.
    Variable(VariableId),
    /// A table or scalar constant.
    Table(TableId),
    /// `base[index]`, one subscript; `base` is an array, a slice, or a reference to one
    /// (dereferenced implicitly).
    Index(Box<Expression>, Box<Expression>),
    /// `base.0`.
    Field(Box<Expression>, usize),
    /// `(a, b)`.
    Tuple(Vec<Expression>),
    /// `[a, b]`.
    Array(Vec<Expression>),
    /// `[a; n]`.
    Repeat(Box<Expression>, usize),
    /// `-a`.
    Negate(Box<Expression>),
    /// Arithmetic on two scalars of one type.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// A comparison of two scalars.
    Compare(CompareOperator, Box<Expression>, Box<Expression>),
    /// `true` or `false`.
    Bool(bool),
    /// `a && b` or `a || b`: the second one is evaluated where the first one does not decide.
    Logical(LogicalOperator, Box<Expression>, Box<Expression>),
    /// `!a` of a condition.
    Not(Box<Expression>),
    /// `a as T` (numbers), `T::from_f64(a)`, `f64::from(a)`.
    Cast(Box<Expression>),
    /// An elementary function of scalars, written as a method or as `f64::sqrt(x)`.
    Call(Elementary, Vec<Expression>),
    /// A helper of the same block, with its arguments.
    Helper(FunctionId, Vec<Expression>),
    /// `&a` or `&mut a`.
    Reference(Box<Expression>),
    /// `*a`.
    Dereference(Box<Expression>),
    /// `a.len()` of a slice (arrays' lengths are integer literals here), or the extent of a view along
    /// an axis.
    Length(Box<Expression>, usize),
    /// `if c { a } else { b }`, with a value or without; integers choose only by what is known.
    If(Box<Expression>, Box<Block>, Box<Block>),
    /// `{ …; a }`.
    Block(Box<Block>),
    /// A method of integers, with its receiver first, or an operator that only they have.
    Integers(IntegerMethod, Vec<Expression>),
    /// An array of run-time size: what it is filled with, if that is written, and its extents.
    Allocate(Vec<Expression>),
    /// A constant that the macro cannot see, subscripted: `crate::PHI[q][i]`.
    Outside(Vec<Expression>),
    /// What only the text knows.
    Text(Text),
    /// A part of an array, `x[a..b]`. Only while the text is read: subscripts of it are subscripts of
    /// the array.
    Part {
        /// The array.
        base: Box<Expression>,
        /// Its first element.
        start: Box<Expression>,
        /// How many elements it has.
        length: Box<Expression>,
    },
    /// A column of a view, `u.column(j)`, as [`ExpressionKind::Part`].
    Column(Box<Expression>, Box<Expression>),
}
