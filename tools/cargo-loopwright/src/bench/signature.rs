//! The parameters of a kernel, as its text states them.

/// A parameter that inputs can be made up for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What is made.
    pub kind: Kind,
    /// The type of what is made; of a slice, that of its elements.
    pub ty: String,
    /// Whether the kernel writes it.
    pub mutable: bool,
}

/// How a parameter is handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer: a size, most likely.
    Integer,
    /// A number or an array by value.
    Value,
    /// A reference to one.
    Reference,
    /// A slice.
    Slice,
}

const INTEGERS: [&str; 12] = [
    "usize", "u8", "u16", "u32", "u64", "isize", "i8", "i16", "i32", "i64", "u128", "i128",
];

impl Parameter {
    /// Whether it has the name, and a size of its own.
    pub fn is_sized(&self, name: &str) -> bool {
        self.name == name && matches!(self.kind, Kind::Integer | Kind::Slice)
    }
}

/// The parameters of the function with which a text begins.
///
/// # Errors
/// Which one inputs cannot be made up for.
pub fn parameters(text: &str, name: &str) -> Result<Vec<Parameter>, String> {
    let head = text
        .split_once(&format!("fn {name}"))
        .map(|(_, rest)| rest.trim_start());
    let fault = || format!("the signature of `{name}` is not understood");
    let list = head.ok_or_else(fault)?.strip_prefix('(').ok_or(format!(
        "`{name}` has parameters between `<` and `>`: time a kernel that calls for one type and length"
    ))?;
    split(list)
        .into_iter()
        .map(|text| parameter(&text, name))
        .collect()
}

/// What stands between commas up to the closing parenthesis.
fn split(list: &str) -> Vec<String> {
    let (mut depth, mut parts, mut part) = (0_usize, Vec::new(), String::new());
    for c in list.chars() {
        match c {
            ')' if depth == 0 => break,
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match c {
            ',' if depth == 0 => parts.push(std::mem::take(&mut part)),
            c => part.push(c),
        }
    }
    parts.push(part);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

fn parameter(text: &str, kernel: &str) -> Result<Parameter, String> {
    let refused = || {
        format!(
            "no inputs can be made up for `{}` of `{kernel}`: numbers, arrays and slices of them can",
            text.trim()
        )
    };
    let (name, ty) = text.split_once(':').ok_or_else(refused)?;
    let name = name.trim().trim_start_matches("mut ").trim();
    let (name, ty) = (name.to_owned(), ty.trim());
    let (ty, kind, mutable) = match ty.strip_prefix('&') {
        None if INTEGERS.contains(&ty) => (ty, Kind::Integer, false),
        None => (ty, Kind::Value, false),
        Some(inner) => {
            let inner = inner.trim();
            // A lifetime says nothing about values.
            let inner = match inner.strip_prefix('\'') {
                Some(rest) => rest.split_once(' ').ok_or_else(refused)?.1.trim(),
                None => inner,
            };
            let (inner, mutable) = match inner.strip_prefix("mut ") {
                Some(rest) => (rest.trim(), true),
                None => (inner, false),
            };
            match element(inner) {
                Some(element) => (element, Kind::Slice, mutable),
                None => (inner, Kind::Reference, mutable),
            }
        }
    };
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_') && is_made(ty);
    match plain {
        true => Ok(Parameter {
            name,
            kind,
            ty: ty.to_owned(),
            mutable,
        }),
        false => Err(refused()),
    }
}

/// The type of a slice's elements.
fn element(ty: &str) -> Option<&str> {
    let inner = ty.strip_prefix('[')?.strip_suffix(']')?;
    let last = inner.rsplit(']').next().unwrap_or(inner);
    (!last.contains(';')).then(|| inner.trim())
}

/// Whether values of a type can be made up: numbers, and arrays of a literal number of them.
fn is_made(ty: &str) -> bool {
    let ty = ty.trim();
    match ty.strip_prefix('[').and_then(|ty| ty.strip_suffix(']')) {
        Some(inner) => inner.rsplit_once(';').is_some_and(|(inner, length)| {
            // A constant's value has its type behind it.
            let length = length.trim().trim_end_matches("usize");
            is_made(inner) && length.parse::<usize>().is_ok()
        }),
        None => ["f64", "f32"].contains(&ty) || INTEGERS.contains(&ty),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(list: &str) -> Result<Vec<Parameter>, String> {
        parameters(&format!("pub fn k({list}) -> f64 {{ }}"), "k")
    }

    #[test]
    fn numbers_arrays_and_slices_are_made_up() {
        let found =
            read("n: usize, mut s: f32, w: &[f64; 3], c: &'a [[[f64; 3]; 4usize]], y: &mut [f64],")
                .unwrap();
        let kinds: Vec<_> = found
            .iter()
            .map(|p| (p.name.as_str(), p.kind, p.ty.as_str(), p.mutable))
            .collect();
        let wanted = [
            ("n", Kind::Integer, "usize", false),
            ("s", Kind::Value, "f32", false),
            ("w", Kind::Reference, "[f64; 3]", false),
            ("c", Kind::Slice, "[[f64; 3]; 4usize]", false),
            ("y", Kind::Slice, "f64", true),
        ];
        assert_eq!(kinds, wanted);
    }

    #[test]
    fn what_cannot_be_made_up_is_named() {
        for list in [
            "u: ArrayView2<f64>",
            "(a, b): (f64, f64)",
            "x: &[Body]",
            "x: &[[f64; N]]",
        ] {
            let error = read(list).unwrap_err();
            assert!(error.contains(list), "{error}");
        }
        let error = parameters("fn k<T: Real>(x: &[T]) { }", "k").unwrap_err();
        assert!(error.contains("between `<` and `>`"), "{error}");
    }
}
