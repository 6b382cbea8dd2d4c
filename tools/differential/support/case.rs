//! A kernel's text, and how to make its inputs.
//!
//! The text is Rust with a few lines in front, one a parameter:
//!
//! ```text
//! // seed 17
//! // c: number f64
//! // n: size n
//! // o: count i32 n + 1
//! // p: integer u8 m
//! // x: slice [f64; 3] of n + 2, 5
//! // t: array [[f64; 3]; 4]
//! // map: indices [u32; 2] below 5 of n
//! // k: index array [usize; 3] below 5
//! // starts: rows u32 up to 2 * n of n + 1
//! // u: view f64 of n by m + 1, 3
//! // r: index view usize below 5 of n
//! // y: output slice [f64; 4] of n within 12.5
//! // z: output array [f64; 4] within 3
//! // w: output view f64 of n by 3 within 7
//! // d: divisor slice f64 of n
//! // b: dividend number f64
//! #[opt(level = 2)]
//! pub fn kernel(…) { … }
//! ```
//!
//! Lengths and sizes are expressions of `n` and `m`; of several lengths the largest counts. What
//! follows `within` bounds the output's error, in roundings of a number near one. Further lines are
//! `// returns f64 within 7` (the kernel's value), `// exact` (results have the reference's bits), `// generic Real` (or `Scalar`), and
//! `// counts n - 1` (the report counts what runs that many times) and `// trials 24` (it runs so often). Where inputs are
//! wrong, a `count` is a little larger, and an `integer` is anything. What `rows` are never falls, from 0 up to the last one.

/// A kernel to run.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// Where the inputs come from.
    pub seed: u64,
    /// The whole text, description included.
    pub text: String,
    /// Results have the reference's bits.
    pub exact: bool,
    /// The bound of the type parameter `T`.
    pub generic: Option<String>,
    /// How often runs what the report counts.
    pub counts: Option<String>,
    /// How often it runs, if that is not what most kernels do.
    pub trials: Option<usize>,
    /// The parameters in order.
    pub parameters: Vec<Parameter>,
    /// What the kernel returns: a number.
    pub result: Option<Parameter>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type behind the reference; of slices, that of an element.
    pub ty: String,
    /// How it is made.
    pub kind: Kind,
    /// For outputs, the bound of the error.
    pub within: Option<f64>,
    /// How large its numbers are.
    pub magnitude: Magnitude,
}

/// How large numbers are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Magnitude {
    /// Around one.
    #[default]
    Moderate,
    /// Subnormal, around one or large, as the trial says, and not near zero.
    Divisor,
    /// Somewhat larger than divisors, or less.
    Dividend,
}

/// How a parameter is made. Lengths are lists of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A floating-point scalar.
    Number,
    /// An integer of this value, or of a little more.
    Size(String),
    /// An integer of this value, or of any other.
    Integer(String),
    /// A slice of numbers.
    Slice(String),
    /// An array of numbers.
    Array,
    /// A slice of indices below a limit.
    Indices(String, String),
    /// An array of indices below a limit.
    IndexArray(String),
    /// A slice of indices that never fall, up to an end.
    Rows(String, String),
    /// A view of numbers, with the lengths of each dimension.
    View(Vec<String>),
    /// A view of indices below a limit.
    IndexView(String, Vec<String>),
}

impl Parameter {
    /// The type of the numbers in it.
    pub fn scalar(&self) -> &str {
        let inner = self.ty.trim_start_matches('[');
        inner.split(';').next().unwrap_or(inner).trim()
    }

    /// Numbers in an element of a slice, or in an array.
    pub fn numbers(&self) -> usize {
        let extents = self.ty.split(';').skip(1);
        let extent = |text: &str| text.trim().trim_end_matches(']').parse().unwrap_or(1);
        extents.map(extent).product::<usize>()
    }
}

impl Case {
    /// Reads a text.
    ///
    /// # Errors
    /// A description line that is none.
    pub fn parse(text: &str) -> Result<Case, String> {
        let mut case = Case {
            text: text.to_owned(),
            ..Case::default()
        };
        for line in text.lines() {
            let Some(line) = line.strip_prefix("// ") else {
                continue;
            };
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "seed" => case.seed = rest.parse().map_err(|_| format!("no seed: {line}"))?,
                "exact" => case.exact = true,
                "generic" => case.generic = Some(rest.to_owned()),
                "counts" => case.counts = Some(rest.to_owned()),
                "trials" => {
                    let trials = rest.parse().map_err(|_| format!("no number: {line}"))?;
                    case.trials = Some(trials);
                }
                "note" => {}
                "returns" => {
                    let read = parameter("result", &format!("number {rest}"));
                    case.result = Some(read.ok_or_else(|| format!("no result: {line}"))?);
                }
                _ => {
                    let read = word
                        .strip_suffix(':')
                        .and_then(|name| parameter(name, rest));
                    case.parameters
                        .push(read.ok_or_else(|| format!("no parameter: {line}"))?);
                }
            }
        }
        Ok(case)
    }
}

fn parameter(name: &str, rest: &str) -> Option<Parameter> {
    let (rest, within) = match rest.split_once(" within ") {
        Some((rest, bound)) => (rest, Some(bound.trim().parse().ok()?)),
        None => (rest, None),
    };
    let rest = rest.strip_prefix("output ").unwrap_or(rest);
    let magnitudes = [
        ("divisor ", Magnitude::Divisor),
        ("dividend ", Magnitude::Dividend),
    ];
    let mut known = magnitudes.into_iter();
    let (rest, magnitude) = known
        .find_map(|(word, magnitude)| Some((rest.strip_prefix(word)?, magnitude)))
        .unwrap_or((rest, Magnitude::Moderate));
    let (ty, kind) = if let Some(ty) = rest.strip_prefix("number ") {
        (ty, Kind::Number)
    } else if let Some(size) = rest.strip_prefix("size ") {
        ("usize", Kind::Size(size.to_owned()))
    } else if let Some(rest) = rest.strip_prefix("count ") {
        let (ty, size) = rest.split_once(' ')?;
        (ty, Kind::Size(size.to_owned()))
    } else if let Some(rest) = rest.strip_prefix("integer ") {
        let (ty, value) = rest.split_once(' ')?;
        (ty, Kind::Integer(value.to_owned()))
    } else if let Some(rest) = rest.strip_prefix("rows ") {
        let (ty, rest) = rest.split_once(" up to ")?;
        let (end, length) = rest.split_once(" of ")?;
        (ty, Kind::Rows(end.to_owned(), length.to_owned()))
    } else if let Some(rest) = rest.strip_prefix("view ") {
        let (ty, lengths) = rest.split_once(" of ")?;
        (ty, Kind::View(dimensions(lengths)))
    } else if let Some(rest) = rest.strip_prefix("index view ") {
        let (ty, rest) = rest.split_once(" below ")?;
        let (limit, lengths) = rest.split_once(" of ")?;
        (ty, Kind::IndexView(limit.to_owned(), dimensions(lengths)))
    } else if let Some(rest) = rest.strip_prefix("slice ") {
        let (ty, length) = rest.split_once(" of ")?;
        (ty, Kind::Slice(length.to_owned()))
    } else if let Some(ty) = rest.strip_prefix("array ") {
        (ty, Kind::Array)
    } else if let Some(rest) = rest.strip_prefix("indices ") {
        let (ty, rest) = rest.split_once(" below ")?;
        let (limit, length) = rest.split_once(" of ")?;
        (ty, Kind::Indices(limit.to_owned(), length.to_owned()))
    } else {
        let (ty, limit) = rest.strip_prefix("index array ")?.split_once(" below ")?;
        (ty, Kind::IndexArray(limit.to_owned()))
    };
    Some(Parameter {
        name: name.to_owned(),
        ty: ty.trim().to_owned(),
        kind,
        within,
        magnitude,
    })
}

/// The lengths of each dimension of a view.
fn dimensions(text: &str) -> Vec<String> {
    text.split(" by ").map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_read() {
        let text = "// seed 7\n// generic Real\n// x: slice [[T; 3]; 2] of n + 2, 5\n\
                    // y: output array [T; 4] within 2.5\npub fn kernel() {}\n";
        let case = Case::parse(text).expect("it is right");
        assert_eq!((case.seed, case.generic.as_deref()), (7, Some("Real")));
        assert_eq!(case.parameters[0].kind, Kind::Slice("n + 2, 5".to_owned()));
        assert_eq!(case.parameters[0].scalar(), "T");
        assert_eq!(case.parameters[1].kind, Kind::Array);
        assert_eq!(case.parameters[1].within, Some(2.5));
        let text = "// d: divisor number f32\n// x: output dividend slice f32 of n within 8\n";
        let case = Case::parse(text).expect("it is right");
        let magnitudes = case.parameters.iter().map(|p| (p.magnitude, p.within));
        let expected = [(Magnitude::Divisor, None), (Magnitude::Dividend, Some(8.0))];
        assert!(magnitudes.eq(expected));
        assert!(Case::parse("// something else").is_err());
    }
}
