//! Random kernels of the language.
//!
//! Parameters and tables come into being when an expression wants to read one, with the extents
//! that its subscripts need, so that every access is in bounds and most are at an end of them.
//! Beside its text each expression carries bounds of its value and of its rounding error: they
//! keep results moderate and tell how close variants must come.

mod accesses;
pub mod addressed;
mod bilinear;
mod choices;
mod contractions;
mod elements;
mod expressions;
mod factors;
mod forms;
mod helpers;
mod iterated;
mod loops;
mod operations;
mod options;
mod outputs;
mod quotients;
mod range;
mod scope;
mod shared;
mod spaces;
mod statements;
mod stencils;
mod strains;
mod subscripts;
mod tables;
mod text;
mod totals;
mod views;
mod weak_forms;
mod windows;
mod words;

use crate::case::Case;
use crate::support::random::Random;
use helpers::Helper;
use scope::{Parameter, Scope, Table};

/// The floating-point type of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Real {
    F64,
    F32,
    /// `T: Scalar`.
    Scalar,
    /// `T: Real`.
    Ordered,
}

/// Of 100 kernels so many are forms.
const FORMS: usize = 6;

/// Of 100 kernels that are no forms so many are quotients.
const QUOTIENTS: usize = 4;

/// The state of writing one kernel.
struct Generator {
    random: Random,
    real: Real,
    /// Numbers of `f32` and integers take part, converted.
    mixed: bool,
    /// Some parameters are views.
    views: bool,
    /// Results have the reference's bits: conditions may depend on anything.
    exact: bool,
    /// Inside a helper: nothing new can be read.
    closed: bool,
    options: Vec<String>,
    parameters: Vec<Parameter>,
    tables: Vec<Table>,
    helpers: Vec<Helper>,
    scope: Scope,
    /// Finished lines.
    lines: Vec<String>,
    indent: usize,
    names: usize,
    /// Statements that may still be written.
    budget: usize,
    /// All loops so far.
    loop_names: Vec<String>,
    /// The iterations of the one loop that holds the whole kernel.
    whole: Option<String>,
    /// Bounds of the kernel's value and its error, if it has one.
    result: Option<(f64, f64)>,
    /// A loop runs otherwise than from its first value to its last one, one by one.
    uneven: bool,
    /// Options allow errors that are larger by this factor.
    slack: f64,
    /// The function from outside may be called.
    has_bent: bool,
}

/// The kernel of a seed.
pub fn kernel(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let reals = [Real::F64, Real::F32, Real::Scalar, Real::Ordered];
    // Generic kernels are compiled three times.
    let real = reals[random.weighted(&[24, 12, 1, 2])];
    // Many small kernels find more in the same time than few large ones.
    let sizes = [0, 1, 2, 3, 5, 10];
    let size = sizes[random.weighted(&[24, 16, 6, 3, 1, 1])];
    let mixed = real == Real::F64 && random.chance(30);
    let views = random.chance(12);
    let mut generator = Generator {
        budget: size,
        random,
        real,
        mixed,
        views,
        exact: false,
        closed: false,
        options: Vec::new(),
        parameters: Vec::new(),
        tables: Vec::new(),
        helpers: Vec::new(),
        scope: Scope::default(),
        lines: Vec::new(),
        indent: 1,
        names: 0,
        loop_names: Vec::new(),
        whole: None,
        result: None,
        uneven: false,
        slack: 1.0,
        has_bent: false,
    };
    generator.choose_options();
    match is_form(seed) {
        true => generator.form(),
        false if has_quotients(seed) && !generator.generic() => generator.quotients(),
        false => generator.bodies(),
    }
    let text = generator.assemble(seed);
    Case::parse(&text).unwrap_or_default()
}

/// Whether a seed's kernel is a form: asked of numbers of its own, which no other choice follows from.
fn is_form(seed: u64) -> bool {
    Random::new(!seed).chance(FORMS)
}

/// Whether a seed's kernel is one of quotients that share divisors, asked in the same way.
fn has_quotients(seed: u64) -> bool {
    Random::new(!seed.rotate_left(16)).chance(QUOTIENTS)
}

impl Generator {
    /// A name that nothing else has.
    fn fresh(&mut self, base: &str) -> String {
        self.names += 1;
        format!("{base}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        self.lines
            .push(format!("{}{text}", "    ".repeat(self.indent)));
    }

    /// The name of the floating-point type.
    fn type_name(&self) -> &'static str {
        match self.real {
            Real::F64 => "f64",
            Real::F32 => "f32",
            Real::Scalar | Real::Ordered => "T",
        }
    }

    fn generic(&self) -> bool {
        matches!(self.real, Real::Scalar | Real::Ordered)
    }

    /// Values that expressions may reach, and their errors.
    fn limits(&self) -> (f64, f64) {
        match self.real {
            // What was rounded to `f32` has errors of many roundings of `f64`.
            Real::F64 if self.mixed => (1e4, 1e13),
            Real::F64 => (1e4, 1e7),
            Real::F32 | Real::Scalar | Real::Ordered => (30.0, 500.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_kernel() {
        for seed in 0..50 {
            assert_eq!(kernel(seed).text, kernel(seed).text);
            let case = kernel(seed);
            let mut parameters = case.parameters.iter().chain(&case.result);
            assert!(parameters.any(|p| p.within.is_some()), "{}", case.text);
        }
    }
}
