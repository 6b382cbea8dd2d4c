//! What is known of a value while the inspector is printed.

use super::Missing;
use super::facts::Facts;
use super::forms::Form;
use super::survey::Rows;
use crate::syntax::ast::{Length, ScalarType, Type};

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// A floating-point number, or a condition: nothing follows it.
    Number,
    /// An integer that is known before the text runs.
    Integer(Integer),
    /// An integer variable that changes.
    Variable {
        /// Its name in the inspector.
        name: String,
        /// The loops around its declaration.
        depth: usize,
    },
    /// An integer that is not known before the text runs.
    Unknown(Missing),
    /// An array, or a part of one.
    Place(Place),
    /// A tuple.
    Tuple(Vec<Value>),
}

/// An integer.
#[derive(Clone, Debug)]
pub struct Integer {
    /// As Rust.
    pub text: String,
    /// The loops that it follows.
    pub facts: Facts,
    /// Entries of arrays take part.
    pub data: bool,
    /// No variable that changes takes part.
    pub fixed: bool,
    /// It is known not to be negative.
    pub natural: bool,
    /// A name, a literal, or an element: nothing is computed.
    pub simple: bool,
    /// What the survey knows of it.
    pub form: Option<Form>,
    /// What must not be negative where it is computed, and was not looked at.
    pub owed: Vec<Form>,
    /// What it is at most, and it is not negative, whatever the entries of arrays are that it is computed from.
    pub most: Option<Form>,
    /// It is computed by divisions by entries of arrays, which may be zero.
    pub divided: bool,
}

impl Integer {
    /// What no loop changes, and that has a name.
    pub fn known(text: String, natural: bool) -> Integer {
        Integer {
            text,
            facts: Facts::default(),
            data: false,
            fixed: true,
            natural,
            simple: true,
            form: None,
            owed: Vec::new(),
            most: None,
            divided: false,
        }
    }

    /// Computed from two others.
    pub fn computed(text: String, facts: Facts, (l, r): (&Integer, &Integer)) -> Integer {
        Integer {
            text,
            facts,
            data: l.data || r.data,
            fixed: l.fixed && r.fixed,
            natural: false,
            simple: false,
            form: None,
            owed: l.owed.iter().chain(&r.owed).cloned().collect(),
            most: None,
            divided: l.divided || r.divided,
        }
    }
}

/// An array or a part of one, whose subscripts were looked at.
#[derive(Clone, Debug)]
pub struct Place {
    /// What it is.
    pub base: Base,
    /// Its type.
    pub ty: Type,
    /// The loops that its subscripts follow.
    pub facts: Facts,
    /// No variable that changes takes part.
    pub fixed: bool,
    /// What is known of its elements.
    pub entries: Entries,
    /// What the survey knows of it.
    pub survey: Surveyed,
}

impl Place {
    /// Whether an array has the extents of another one, as far as their texts say.
    pub fn is_as_long(&self, other: &Place) -> bool {
        match (&self.base, &other.base) {
            (Base::Path(own), Base::Path(other)) => own == other,
            (
                Base::View {
                    view,
                    extents,
                    subscripts,
                },
                Base::View {
                    view: other_view,
                    extents: other_extents,
                    subscripts: other_subscripts,
                },
            ) => (view, extents, subscripts) == (other_view, other_extents, other_subscripts),
            _ => false,
        }
    }
}

/// What a survey knows of an array.
#[derive(Clone, Debug, Default)]
pub struct Surveyed {
    /// Extents that the type does not say, from the first one.
    pub extents: Vec<Form>,
    /// The subscripts so far, if they are known.
    pub subscripts: Vec<Form>,
    /// What its entries are.
    pub entries: Source,
}

/// Where entries are found.
#[derive(Clone, Debug, Default)]
pub enum Source {
    /// Nowhere.
    #[default]
    Unknown,
    /// In memory that nothing changes.
    Rows(Rows),
    /// They are between two numbers.
    Between(i128, i128),
    /// Each is one of several.
    Among(Vec<Form>),
}

/// An array as Rust.
#[derive(Clone, Debug)]
pub enum Base {
    /// An expression for it.
    Path(String),
    /// An array that all subscripts are applied to at once.
    View {
        /// The parameter; a local array has none.
        view: Option<String>,
        /// The extents of a local one.
        extents: Vec<String>,
        /// The subscripts so far.
        subscripts: Vec<String>,
    },
}

/// What is known of the elements of an array.
#[derive(Clone, Debug)]
pub enum Entries {
    /// They are numbers, which nothing follows.
    Numbers,
    /// They are what they are when the kernel is called.
    Known,
    /// They are those of a local array that the inspector fills as the text does, declared inside of so
    /// many loops.
    Changing(usize),
    /// They are not known before the text runs.
    Unknown(Missing),
}

/// The type of an array's elements.
pub fn scalar(ty: &Type) -> Option<ScalarType> {
    match ty {
        Type::Scalar(scalar) => Some(*scalar),
        Type::Array(inner, _)
        | Type::Slice(inner)
        | Type::Open(inner, _)
        | Type::Reference(inner, _) => scalar(inner),
        Type::Record(record) => Some(record.element),
        Type::Tuple(_) => None,
    }
}

/// Dimensions of a view that are not subscripted.
pub fn rank(ty: &Type) -> usize {
    match ty {
        Type::Open(inner, Length::Axis) => 1 + rank(inner),
        _ => 0,
    }
}
