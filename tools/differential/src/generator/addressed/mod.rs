//! Kernels whose subscripts are integers that they compute: entries of maps, products, remainders, what wraps, what is
//! carried along a loop. Most of them run as written, after an inspector that makes their accesses.
//!
//! Beside its text each integer carries the largest value that it has for inputs that are right, and arrays are as long
//! as that asks for; inputs that are wrong come from the trial.

mod arrays;
mod integers;
mod parts;
mod shapes;
mod statements;

use super::range::Linear;
use crate::case::Case;
use crate::support::random::Random;

/// The types of integers.
const TYPES: [&str; 10] = [
    "usize", "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "isize",
];

/// Trials of a kernel: the inputs of few of them are outside somewhere.
const TRIALS: usize = 90;

/// An integer, which is not negative for inputs that are right.
#[derive(Clone, Debug)]
struct Int {
    text: String,
    ty: &'static str,
    most: Linear,
}

/// A variable.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    ty: &'static str,
    most: Linear,
}

/// What a parameter is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    /// Numbers that are read.
    Data,
    /// Numbers or integers that are written.
    Output,
    /// Entries below a limit.
    Map(Linear),
    /// Beginnings of rows, which never fall, up to the last end.
    Rows(Linear),
    /// An integer, of any value where inputs are wrong.
    Integer(Linear),
    /// An integer of about this value.
    Count(Linear),
}

#[derive(Clone, Debug)]
struct Parameter {
    name: String,
    role: Role,
    /// The type of the numbers.
    ty: &'static str,
    /// Numbers in an element of a slice.
    row: usize,
    /// What it has to be as long as.
    lengths: Vec<Linear>,
    /// It is exactly as long.
    fixed: bool,
    /// It is as long as both sizes multiplied.
    flat: bool,
    /// Elements that its name begins behind, here.
    shift: i64,
    /// Its name means something else here.
    hidden: bool,
}

/// A part of an array: from somewhere on, and so many elements if it is known.
#[derive(Clone, Debug)]
struct Part {
    name: String,
    of: usize,
    from: Linear,
    count: Option<i64>,
}

/// The state of writing one kernel.
struct Addressed {
    random: Random,
    parameters: Vec<Parameter>,
    variables: Vec<Variable>,
    parts: Vec<Part>,
    closures: Vec<String>,
    lines: Vec<String>,
    helpers: Vec<String>,
    indent: usize,
    names: usize,
    budget: usize,
    /// Loops around.
    loops: usize,
    /// Integers are computed by what surveys of ranges know.
    plain: bool,
}

/// The kernel of a seed.
pub fn kernel(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let budget = 1 + random.weighted(&[6, 5, 3, 2, 1]);
    let plain = random.chance(60);
    let mut kernel = Addressed {
        plain,
        random,
        parameters: Vec::new(),
        variables: Vec::new(),
        parts: Vec::new(),
        closures: Vec::new(),
        lines: Vec::new(),
        helpers: Vec::new(),
        indent: 1,
        names: 0,
        budget,
        loops: 0,
    };
    while kernel.budget > 0 {
        kernel.statement();
    }
    if !kernel.parameters.iter().any(|p| p.role == Role::Output) {
        kernel.write();
    }
    Case::parse(&kernel.text(seed)).unwrap_or_default()
}

impl Addressed {
    fn fresh(&mut self, base: &str) -> String {
        self.names += 1;
        format!("{base}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        self.lines
            .push(format!("{}{text}", "    ".repeat(self.indent)));
    }

    /// Writes a block; what is declared in it ends there.
    fn block(&mut self, head: &str, write: impl FnOnce(&mut Self)) {
        let (variables, parts, closures) =
            (self.variables.len(), self.parts.len(), self.closures.len());
        let known: Vec<(i64, bool)> = self
            .parameters
            .iter()
            .map(|p| (p.shift, p.hidden))
            .collect();
        self.line(&format!("{head} {{"));
        self.indent += 1;
        write(self);
        self.indent -= 1;
        self.line("}");
        self.variables.truncate(variables);
        self.parts.truncate(parts);
        self.closures.truncate(closures);
        for (at, parameter) in self.parameters.iter_mut().enumerate() {
            (parameter.shift, parameter.hidden) = known.get(at).copied().unwrap_or_default();
        }
    }

    /// The whole text.
    fn text(&mut self, seed: u64) -> String {
        let mut text = format!("// seed {seed}\n// trials {TRIALS}\n// exact\n");
        for parameter in &self.parameters {
            text.push_str(&described(parameter));
        }
        // Nests of others are kernels of their own, and integers have all bits at any level.
        let whole = self.parameters.iter().all(|p| !p.ty.starts_with('f'));
        if !(whole && self.random.chance(50)) {
            text.push_str("#[opt(level = 0)]\n");
        }
        let declared: Vec<String> = self.parameters.iter().map(declared).collect();
        text.push_str(&format!("pub fn kernel({}) {{\n", declared.join(", ")));
        for line in &self.lines {
            text.push_str(line);
            text.push('\n');
        }
        text.push_str("}\n");
        self.helpers.iter().for_each(|helper| text.push_str(helper));
        text
    }
}

/// The type of an element.
fn element(parameter: &Parameter) -> String {
    match parameter.row {
        1 => parameter.ty.to_owned(),
        row => format!("[{}; {row}]", parameter.ty),
    }
}

/// The line that says how a parameter is made.
fn described(parameter: &Parameter) -> String {
    let (name, ty) = (&parameter.name, element(parameter));
    let lengths: Vec<String> = parameter.lengths.iter().map(ToString::to_string).collect();
    let lengths = match lengths.is_empty() {
        true if parameter.flat => "n * m".to_owned(),
        true => "1".to_owned(),
        false => lengths.join(", "),
    };
    let made = match parameter.role {
        Role::Data => format!("slice {ty} of {lengths}"),
        Role::Output => format!("output slice {ty} of {lengths} within 0"),
        Role::Map(limit) => format!("indices {ty} below {limit} of {lengths}"),
        Role::Rows(end) => format!("rows {ty} up to {end} of {lengths}"),
        Role::Integer(value) => format!("integer {ty} {value}"),
        Role::Count(value) => format!("count {ty} {value}"),
    };
    format!("// {name}: {made}\n")
}

fn declared(parameter: &Parameter) -> String {
    let (name, ty) = (&parameter.name, element(parameter));
    match parameter.role {
        Role::Output => format!("{name}: &mut [{ty}]"),
        Role::Integer(_) | Role::Count(_) => format!("{name}: {ty}"),
        _ => format!("{name}: &[{ty}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_kernel() {
        for seed in 0..200 {
            let case = kernel(seed);
            assert_eq!(kernel(seed).text, case.text);
            assert!(case.parameters.iter().any(|p| p.within.is_some()));
            assert!(syn_like(&case.text), "{}", case.text);
        }
    }

    /// Whether a text is tokens.
    fn syn_like(text: &str) -> bool {
        text.parse::<proc_macro2::TokenStream>().is_ok()
    }
}
