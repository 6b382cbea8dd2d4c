//! The inspector of a text that runs as written: it makes the text's accesses before anything is written.
//!
//! It is the text without its numbers: loops, integers and subscripts are left, so that it panics where
//! the text does, by Rust's own checks of the same expressions, and nowhere else. A loop runs for its
//! first and its last iteration alone, where whatever is computed and subscripted inside has its
//! smallest and its largest value there (`facts`); others run in full: those that the bounds of inner
//! loops or conditions follow, and entries of index maps. Local arrays of numbers are arrays of `()`.
//!
//! Where loops run in full, a survey of ranges is tried first (`survey`), which takes far less time than they
//! do and almost always says that nothing panics.
//!
//! There is no inspector where an access depends on what the text computes: on numbers, or on entries
//! of an array that it writes. What integers do that are made of entries of arrays, and lead to no
//! access, or to one that is inside whatever they are (`bins[x[i].min(7)]`), is not looked at.

mod assumed;
mod conditions;
mod expressions;
mod facts;
mod forms;
mod integers;
mod operations;
mod places;
mod statements;
mod survey;
mod surveyed;
mod values;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::enclosed;
use crate::collections::{HashMap, HashSet};
use crate::diagnostics::Span;
use crate::syntax::ast::{
    Expression, Function, FunctionId, IntegerType, Module, ScalarType, Type, Variable, VariableId,
};
use crate::syntax::{behind, relevant};
use facts::Facts;
use forms::Form;
use survey::Survey;
use values::{Base, Entries, Integer, Place, Surveyed, Value};

/// Why there is no inspector.
#[derive(Clone, Debug)]
pub struct Missing {
    /// Where.
    pub span: Span,
    /// What cannot be known before the text runs.
    pub message: String,
}

type Result<T> = std::result::Result<T, Missing>;

fn missing<T>(span: Span, message: impl Into<String>) -> Result<T> {
    Err(Missing {
        span,
        message: message.into(),
    })
}

/// Statements and expressions that an inspector is made from, helpers' each time.
const MOST_STEPS: usize = 1 << 13;
/// The longest text of an inspector.
const LONGEST: usize = 1 << 16;

/// The inspector of a text.
pub struct Inspected {
    /// A module of its own.
    pub items: TokenStream,
    /// Whether it may find all that the text subscripts inside, in release builds too, where integers wrap: all of them are
    /// looked at in 128 bits, or none is computed.
    pub proves: bool,
}

/// The inspector of a kernel; nothing where the kernel writes nothing.
///
/// # Errors
/// Why there is none.
pub fn module(
    krate: &TokenStream,
    module: &Module,
    function: &Function,
) -> Result<Option<Inspected>> {
    if let Some((span, what)) = function.foreign {
        return missing(span, what);
    }
    let writes = |variable: &Variable| matches!(variable.ty, Type::Reference(_, true));
    let parameters = || function.parameters.iter();
    let mut variables = parameters().map(|p| &function.variables[p.variable.0]);
    if !variables.any(writes) {
        return Ok(None);
    }
    // What is long and leads to no access is not computed, if nothing needs it.
    let mut inspector = Inspector::new(module, function, false);
    let mut looked = inspector.look(function);
    if looked.is_err() && inspector.left_out {
        inspector = Inspector::new(module, function, true);
        looked = inspector.look(function);
    }
    looked?;
    let span = function.name.span().into();
    let (text, surveyed) = inspector.whole();
    let Ok(body) = text.parse::<TokenStream>() else {
        return missing(span, "the inspector of the text is not Rust");
    };
    let computes = inspector.computes;
    let generics = enclosed::generics(function);
    let parameters = parameters().enumerate().map(|(at, parameter)| {
        let name = format_ident!("__p{at}");
        let ty = enclosed::declared(
            function,
            &shared(&function.variables[parameter.variable.0].ty),
        );
        quote!(#name: #ty)
    });
    let items = quote! {
        #[allow(arithmetic_overflow, unconditional_panic, overflowing_literals)]
        mod __inspected {
            use #krate::__private as __loopwright;

            /// Whether integers of the text may panic where its accesses are inside.
            pub(super) const COMPUTES: bool = #computes;

            /// Makes the accesses of the text, before it writes anything. Whether they are known to be inside where integers
            /// of the text wrap, too.
            #[track_caller]
            pub(super) fn __inspect #generics (#(#parameters),*) -> ::core::primitive::bool {
                #body
                !COMPUTES
            }
        }
    };
    let proves = surveyed || !computes;
    Ok(Some(Inspected { items, proves }))
}

/// What the inspector takes for a parameter: it writes nothing.
fn shared(ty: &Type) -> Type {
    match ty {
        Type::Reference(inner, _) => Type::Reference(inner.clone(), false),
        Type::Array(..) => Type::Reference(Box::new(ty.clone()), false),
        other => other.clone(),
    }
}

/// The variables of one call.
struct Frame<'a> {
    function: &'a Function,
    values: Vec<Option<Value>>,
    relevant: HashSet<VariableId>,
}

impl<'a> Frame<'a> {
    fn new(function: &'a Function) -> Self {
        Frame {
            function,
            values: vec![None; function.variables.len()],
            relevant: relevant(function),
        }
    }
}

/// Which iterations of a loop run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Full {
    /// The first one and the last one.
    No,
    /// In debug builds all of them: an integer that leads to no access may overflow in any, which panics there.
    Debug,
    /// All.
    Yes,
}

/// A loop around.
struct Loop {
    number: usize,
    /// Which of its iterations run.
    full: Full,
    /// How many there are where it runs.
    iterations: Option<Form>,
}

struct Inspector<'a> {
    module: &'a Module,
    frames: Vec<Frame<'a>>,
    loops: Vec<Loop>,
    out: String,
    /// Accesses and values that were looked at, here and in the loops and branches around.
    done: Vec<HashSet<String>>,
    /// Names so far.
    names: usize,
    steps: usize,
    /// What may make it needless to walk loops.
    survey: Survey,
    /// What natural variables that change are at most, by their names.
    most: HashMap<String, (IntegerType, Form)>,
    /// A loop runs in full.
    walks: bool,
    /// Integers are computed, which may overflow.
    computes: bool,
    /// The lengths of the slices that come in.
    lengths: Vec<String>,
    /// Whether choices between long texts are computed where they stand.
    prints: bool,
    /// One was not.
    left_out: bool,
}

impl<'a> Inspector<'a> {
    fn new(module: &'a Module, function: &'a Function, prints: bool) -> Self {
        Inspector {
            module,
            frames: vec![Frame::new(function)],
            loops: Vec::new(),
            out: String::new(),
            done: vec![HashSet::default()],
            names: 0,
            steps: 0,
            survey: Survey::new(),
            most: HashMap::default(),
            walks: false,
            computes: false,
            lengths: Vec::new(),
            prints,
            left_out: false,
        }
    }

    /// Looks at all of a function.
    fn look(&mut self, function: &'a Function) -> Result<()> {
        self.parameters(function)?;
        self.block(&function.body).map(|_| ())
    }

    fn frame(&mut self) -> &mut Frame<'a> {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn function(&self, id: FunctionId) -> &'a Function {
        &self.module.functions[id.0]
    }

    /// A name that nothing has.
    fn name(&mut self) -> String {
        self.names += 1;
        format!("__{}", self.names)
    }

    fn step(&mut self, span: Span) -> Result<()> {
        self.steps += 1;
        match self.steps > MOST_STEPS || self.out.len() > LONGEST {
            true => missing(span, "the text is too long"),
            false => Ok(()),
        }
    }

    /// Prints a statement once.
    fn once(&mut self, text: String, fixed: bool) {
        if !fixed {
            self.out.push_str(&text);
        } else if !self.done.iter().any(|done| done.contains(&text)) {
            self.out.push_str(&text);
            self.done.last_mut().map(|done| done.insert(text));
        }
    }

    /// Runs loops in full.
    fn run(&mut self, loops: impl IntoIterator<Item = usize>) {
        self.run_in(loops, Full::Yes);
    }

    /// Runs loops in full in debug builds.
    fn run_in_debug(&mut self, loops: impl IntoIterator<Item = usize>) {
        self.run_in(loops, Full::Debug);
    }

    fn run_in(&mut self, loops: impl IntoIterator<Item = usize>, full: Full) {
        for number in loops {
            let around = self.loops.iter_mut().find(|l| l.number == number);
            if let Some(around) = around {
                around.full = around.full.max(full);
            }
        }
    }

    /// All loops around.
    fn around(&self) -> Facts {
        Facts::unknown(self.loops.iter().map(|l| l.number))
    }

    /// What is printed meanwhile stands in a block of its own.
    fn apart<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<(String, T)> {
        let outside = std::mem::take(&mut self.out);
        self.done.push(HashSet::default());
        let value = run(self);
        self.done.pop();
        let inside = std::mem::replace(&mut self.out, outside);
        Ok((inside, value?))
    }

    /// The survey, where loops would be walked otherwise, and the text; whether there is one.
    fn whole(&self) -> (String, bool) {
        let Some(survey) = self.survey.print().filter(|_| self.walks) else {
            return (self.out.clone(), false);
        };
        let lengths = self.lengths.iter();
        let all: String = lengths
            .map(|length| format!(".saturating_add({length})"))
            .collect();
        // What reads no entries takes no longer than an iteration or two of what it stands for.
        let many = match all.is_empty() || !self.survey.reads() {
            true => String::new(),
            false => format!("if 0usize{all} > __loopwright::ranges::WALKED"),
        };
        (format!("{many} {{ {survey} }}\n{}", self.out), true)
    }

    /// The parameters as they come in.
    fn parameters(&mut self, function: &'a Function) -> Result<()> {
        for (at, parameter) in function.parameters.iter().enumerate() {
            let variable = &function.variables[parameter.variable.0];
            let mut value = parameter_value(at, variable)?;
            self.surveyed_parameter(&mut value);
            self.frame().values[parameter.variable.0] = Some(value);
        }
        for constant in &function.constants {
            let name = function.variables[constant.0].name.to_string();
            let form = Some(self.survey.known(&name));
            let value = Value::Integer(Integer {
                form,
                ..Integer::known(name, true)
            });
            self.frame().values[constant.0] = Some(value);
        }
        Ok(())
    }
}

fn parameter_value(at: usize, variable: &Variable) -> Result<Value> {
    let span = variable.name.span().into();
    let (name, inner) = (format!("__p{at}"), behind(&variable.ty));
    let mutable = matches!(variable.ty, Type::Reference(_, true));
    let entries = match values::scalar(inner) {
        Some(ScalarType::Integer(_)) if mutable => Entries::Unknown(Missing {
            span,
            message: format!("entries of `{}`, which the kernel writes", variable.name),
        }),
        Some(ScalarType::Integer(_)) => Entries::Known,
        Some(_) => Entries::Numbers,
        None => return missing(span, "a parameter that is made of several"),
    };
    Ok(match (&variable.ty, inner) {
        (Type::Scalar(ScalarType::Integer(ty)), _) => {
            Value::Integer(Integer::known(name, !ty.is_signed()))
        }
        (Type::Scalar(_), _) => Value::Number,
        (_, Type::Scalar(ScalarType::Integer(ty))) if !mutable => {
            Value::Integer(Integer::known(format!("(*{name})"), !ty.is_signed()))
        }
        (_, inner) => Value::Place(Place {
            base: match values::rank(inner) {
                0 => Base::Path(format!("(*{name})")),
                _ => Base::View {
                    view: Some(name),
                    extents: Vec::new(),
                    subscripts: Vec::new(),
                },
            },
            ty: inner.clone(),
            facts: Facts::default(),
            fixed: true,
            entries,
            survey: Surveyed::default(),
        }),
    })
}

/// What an expression is at, for messages.
fn at(expression: &Expression) -> Span {
    expression.span
}
