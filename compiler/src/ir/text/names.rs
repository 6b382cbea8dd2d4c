//! Names of indices, arrays, types and functions in text.

use crate::collections::{HashMap, HashSet};
use crate::ir::{Access, Affine, Atom, Element, Extent, IndexId, Program};
use crate::syntax::ast::{CompareOperator, Elementary, IntegerMethod, IntegerType};

/// Words that are no names unless in backticks.
pub const RESERVED: [&str; 4] = ["if", "else", "for", "let"];

const ELEMENTS: [(&str, Element); 21] = [
    ("f64", Element::F64),
    ("f32", Element::F32),
    ("T", Element::Generic),
    ("w_u64", Element::Word(IntegerType::U64)),
    ("w_u32", Element::Word(IntegerType::U32)),
    ("w_i64", Element::Word(IntegerType::I64)),
    ("w_i32", Element::Word(IntegerType::I32)),
    ("w_u16", Element::Word(IntegerType::U16)),
    ("w_i16", Element::Word(IntegerType::I16)),
    ("w_u8", Element::Word(IntegerType::U8)),
    ("w_i8", Element::Word(IntegerType::I8)),
    ("usize", Element::Integer(IntegerType::Usize)),
    ("u64", Element::Integer(IntegerType::U64)),
    ("u32", Element::Integer(IntegerType::U32)),
    ("u16", Element::Integer(IntegerType::U16)),
    ("u8", Element::Integer(IntegerType::U8)),
    ("isize", Element::Integer(IntegerType::Isize)),
    ("i64", Element::Integer(IntegerType::I64)),
    ("i32", Element::Integer(IntegerType::I32)),
    ("i16", Element::Integer(IntegerType::I16)),
    ("i8", Element::Integer(IntegerType::I8)),
];

const FUNCTIONS: [(&str, Elementary); 48] = [
    ("abs", Elementary::Abs),
    ("sqrt", Elementary::Sqrt),
    ("exp", Elementary::Exp),
    ("ln", Elementary::Ln),
    ("sin", Elementary::Sin),
    ("cos", Elementary::Cos),
    ("tan", Elementary::Tan),
    ("tanh", Elementary::Tanh),
    ("floor", Elementary::Floor),
    ("ceil", Elementary::Ceil),
    ("min", Elementary::Min),
    ("max", Elementary::Max),
    ("lesser", Elementary::Lesser),
    ("greater", Elementary::Greater),
    ("powf", Elementary::Powf),
    ("mul_add", Elementary::MulAdd),
    ("recip", Elementary::Recip),
    ("exp2", Elementary::Exp2),
    ("exp_m1", Elementary::ExpM1),
    ("ln_1p", Elementary::Ln1p),
    ("log2", Elementary::Log2),
    ("log10", Elementary::Log10),
    ("sinh", Elementary::Sinh),
    ("cosh", Elementary::Cosh),
    ("asin", Elementary::Asin),
    ("acos", Elementary::Acos),
    ("atan", Elementary::Atan),
    ("atan2", Elementary::Atan2),
    ("cbrt", Elementary::Cbrt),
    ("hypot", Elementary::Hypot),
    ("asinh", Elementary::Asinh),
    ("acosh", Elementary::Acosh),
    ("atanh", Elementary::Atanh),
    ("round", Elementary::Round),
    ("round_ties_even", Elementary::RoundTiesEven),
    ("trunc", Elementary::Trunc),
    ("signum", Elementary::Signum),
    ("copysign", Elementary::Copysign),
    ("remainder", Elementary::Remainder),
    ("shift_right", Elementary::Bits(IntegerMethod::ShiftRight)),
    ("bit_and", Elementary::Bits(IntegerMethod::And)),
    ("bit_or", Elementary::Bits(IntegerMethod::Or)),
    ("bit_xor", Elementary::Bits(IntegerMethod::ExclusiveOr)),
    ("count_ones", Elementary::Bits(IntegerMethod::Ones)),
    (
        "leading_zeros",
        Elementary::Bits(IntegerMethod::LeadingZeros),
    ),
    (
        "trailing_zeros",
        Elementary::Bits(IntegerMethod::TrailingZeros),
    ),
    ("div_euclid", Elementary::Bits(IntegerMethod::DivEuclid)),
    ("rem_euclid", Elementary::Bits(IntegerMethod::RemEuclid)),
];

const COMPARISONS: [(&str, CompareOperator); 7] = [
    ("<", CompareOperator::Less),
    ("<=", CompareOperator::LessEqual),
    (">", CompareOperator::Greater),
    (">=", CompareOperator::GreaterEqual),
    ("==", CompareOperator::Equal),
    ("!=", CompareOperator::NotEqual),
    ("<>", CompareOperator::Unordered),
];

fn name_in<T: Copy + PartialEq>(list: &[(&'static str, T)], value: T) -> &'static str {
    let found = list.iter().find(|(_, v)| *v == value);
    found.map_or("?", |(name, _)| name)
}

fn value_in<T: Copy>(list: &[(&'static str, T)], name: &str) -> Option<T> {
    list.iter().find(|(n, _)| *n == name).map(|(_, v)| *v)
}

/// The name of an element type.
pub fn element(element: Element) -> &'static str {
    name_in(&ELEMENTS, element)
}

/// The element type of a name.
pub fn element_of(name: &str) -> Option<Element> {
    value_in(&ELEMENTS, name)
}

/// The name of a function; `powi` has its exponent as last argument, `pure` its number.
pub fn function(function: Elementary) -> &'static str {
    match function {
        Elementary::Powi(_) => "powi",
        Elementary::Pure(_) => "pure",
        other => name_in(&FUNCTIONS, other),
    }
}

/// The function of a name, `powi` and `pure` excepted.
pub fn function_of(name: &str) -> Option<Elementary> {
    value_in(&FUNCTIONS, name)
}

/// The symbol of a comparison.
pub fn comparison(operator: CompareOperator) -> &'static str {
    name_in(&COMPARISONS, operator)
}

/// The comparison of a symbol.
pub fn comparison_of(symbol: &str) -> Option<CompareOperator> {
    value_in(&COMPARISONS, symbol)
}

/// A name, in backticks if it is none.
pub fn quoted(name: &str) -> String {
    let mut characters = name.chars();
    let starts = characters
        .next()
        .is_some_and(|c| c.is_alphabetic() || c == '_');
    let plain = starts && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if plain && !RESERVED.contains(&name) {
        name.to_owned()
    } else {
        format!("`{name}`")
    }
}

/// Unique names of a program's indices and arrays.
pub struct Names {
    /// By index.
    pub indices: Vec<String>,
    /// By array.
    pub arrays: Vec<String>,
}

impl Names {
    /// The names of a program: an index that has the name of an array or an earlier index gets a
    /// number.
    pub fn new(program: &Program) -> Names {
        let arrays: Vec<String> = program.arrays.iter().map(|a| quoted(&a.name)).collect();
        let mut taken: HashSet<String> = arrays.iter().cloned().collect();
        // Numbers go on where they were: programs of unrolled code have a thousand indices of one name.
        let mut numbers: HashMap<String, usize> = HashMap::default();
        let mut unique = |name: &str| {
            let name = quoted(name);
            if taken.insert(name.clone()) {
                return name;
            }
            let number = numbers.entry(name.clone()).or_insert(1);
            loop {
                *number += 1;
                let numbered = format!("{name}'{number}");
                if taken.insert(numbered.clone()) {
                    return numbered;
                }
            }
        };
        let indices = program.indices.iter().map(|i| unique(&i.name)).collect();
        Names { indices, arrays }
    }

    /// An index.
    pub fn index(&self, index: IndexId) -> &str {
        self.indices.get(index.0 as usize).map_or("?", |n| n)
    }

    /// A list of indices.
    pub fn list(&self, indices: &[IndexId]) -> String {
        let names: Vec<&str> = indices.iter().map(|i| self.index(*i)).collect();
        names.join(", ")
    }

    /// An affine function.
    pub fn affine(&self, affine: &Affine) -> String {
        let mut text = String::new();
        let mut push = |coefficient: i64, atom: Option<String>| {
            let sign = match (text.is_empty(), coefficient < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text.push_str(sign);
            match (coefficient.unsigned_abs(), atom) {
                (1, Some(atom)) => text.push_str(&atom),
                (n, Some(atom)) => text.push_str(&format!("{n}*{atom}")),
                (n, None) => text.push_str(&n.to_string()),
            }
        };
        for (atom, coefficient) in &affine.terms {
            push(*coefficient, Some(self.atom(atom)));
        }
        if affine.constant != 0 || affine.terms.is_empty() {
            push(affine.constant, None);
        }
        text
    }

    fn atom(&self, atom: &Atom) -> String {
        match atom {
            Atom::Index(index) => self.index(*index).to_owned(),
            Atom::Scalar(array) => self.arrays[array.0 as usize].clone(),
            Atom::Length(array, 0) => format!("len({})", self.arrays[array.0 as usize]),
            Atom::Length(array, axis) => {
                format!("len({}, {axis})", self.arrays[array.0 as usize])
            }
            Atom::Map(array, subscripts) => {
                let name = &self.arrays[array.0 as usize];
                format!("{name}[{}]", self.subscripts(subscripts))
            }
        }
    }

    /// Functions with commas.
    pub fn subscripts(&self, subscripts: &[Affine]) -> String {
        let texts: Vec<String> = subscripts.iter().map(|s| self.affine(s)).collect();
        texts.join(", ")
    }

    /// `a[i, j]`, or `a` without subscripts.
    pub fn access(&self, access: &Access) -> String {
        let name = &self.arrays[access.array.0 as usize];
        match access.subscripts.is_empty() {
            true => name.clone(),
            false => format!("{name}[{}]", self.subscripts(&access.subscripts)),
        }
    }

    /// An extent.
    pub fn extent(&self, extent: &Extent) -> String {
        match extent {
            Extent::Constant(n) => n.to_string(),
            Extent::RunTime(affine) if affine.terms.is_empty() => {
                format!("({})", self.affine(affine))
            }
            Extent::RunTime(affine) => self.affine(affine),
        }
    }
}
