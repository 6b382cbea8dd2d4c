//! Loops that run backwards through memory run forwards, where nothing asks for their order.
//!
//! ```text
//! y[n - 1 - i] = 0.5 * x[n - 1 - i]   for i        y[i] = 0.5 * x[i]   for i
//! ```
//! The iterations of an equation have no order; but lanes that lie backwards in memory are reversed when they
//! are loaded, and when they are stored. So `.rev()` costs nothing where more accesses run backwards than
//! forwards.
//! Holds: extents that are known when the kernel runs only, of which validation runs all iterations. Sums keep
//! their order in exact programs, temporaries their subscripts, and so do recurrences, which read temporaries.

use super::replace::substitute;
use crate::ir::{Access, Affine, Atom, Equation, Extent, IndexId, Program, Role};

/// Turns the loops around that run backwards.
pub fn run(program: &mut Program) {
    for number in 0..program.indices.len() {
        let index = IndexId(number as u32);
        let Extent::RunTime(extent) = program.loop_index(index).extent.clone() else {
            continue;
        };
        if !runs_backwards(program, index) {
            continue;
        }
        let last = extent.add(&Affine::constant(-1));
        let by = |other: IndexId| match other == index {
            true => last.sub(&Affine::index(index)),
            false => Affine::index(other),
        };
        for equation in &mut program.equations {
            if equation.domain().any(|other| other == index) {
                substitute(&mut program.pool, equation, &by);
            }
        }
    }
}

/// Whether a loop has more accesses that run backwards than forwards, and may run in any order.
fn runs_backwards(program: &Program, index: IndexId) -> bool {
    let mut balance = 0;
    for equation in &program.equations {
        let read = program.pool.accesses([equation.expr]);
        let read = read.into_iter().map(|(_, access)| access);
        let all: Vec<&Access> = read.chain([&equation.target]).collect();
        if !equation.domain().any(|other| other == index) {
            continue;
        }
        // Iterations that write one element, or add to it, stay in the order of the text.
        let mut written = equation.target.subscripts.iter();
        let apart = written.any(|subscript| is_own(subscript, index));
        let summed = equation.reduction.contains(&index) && !program.exact;
        if !apart && !summed {
            return false;
        }
        if program.exact && meets_another(program, equation, index) {
            return false;
        }
        // What is read before it is overwritten says in which order the elements go.
        if !program.states(equation.expr).is_empty() {
            return false;
        }
        for access in all {
            let temporary = matches!(program.array(access.array).role, Role::Temporary);
            if temporary && access.depends_on(index) {
                return false;
            }
            let factors = access.subscripts.iter().map(|s| factor(s, index).signum());
            balance += factors.sum::<i64>();
        }
    }
    balance < 0
}

/// Whether another equation writes, in other iterations of a loop, what an equation writes: in exact programs what
/// is added by both is added in the order of the text.
fn meets_another(program: &Program, equation: &Equation, index: IndexId) -> bool {
    let target = &equation.target;
    let mut others = program.equations.iter().filter(|other| {
        other.target.array == target.array && other.domain().any(|own| own == index)
    });
    others.any(|other| {
        let mut pairs = target.subscripts.iter().zip(&other.target.subscripts);
        !pairs.any(|(own, other)| own == other && is_own(own, index))
    })
}

/// Whether a subscript is another one in each iteration of a loop, whatever other loops do.
fn is_own(subscript: &Affine, index: IndexId) -> bool {
    let moves = |atom: &Atom| matches!(atom, Atom::Index(_) | Atom::Map(..));
    let terms = subscript.terms.iter().map(|(atom, _)| atom);
    let moving: Vec<&Atom> = terms.filter(|atom| moves(atom)).collect();
    moving == [&Atom::Index(index)]
}

/// The factor of a loop in a subscript, but for entries of index maps.
fn factor(subscript: &Affine, index: IndexId) -> i64 {
    let mut terms = subscript.terms.iter();
    let own = terms.find(|(atom, _)| *atom == Atom::Index(index));
    own.map_or(0, |(_, factor)| *factor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;

    /// The equations after a program is turned around.
    fn turned(equations: &str) -> String {
        turned_if(equations, false)
    }

    fn turned_exactly(equations: &str) -> String {
        turned_if(equations, true)
    }

    fn turned_if(equations: &str, exact: bool) -> String {
        let declared =
            "param 0 x: f64[len(x)]\noutput 1 y: f64[len(x)]\nstate 1 y_held: f64[len(x)]\n";
        let head = format!("program p\nindex i: len(x)\nindex j: 3\n{declared}");
        let mut program = text::parse(&format!("{head}{equations}")).unwrap();
        program.exact = exact;
        run(&mut program);
        (0..program.equations.len())
            .map(|at| text::equation(&program, at))
            .collect()
    }

    #[test]
    fn what_runs_backwards_is_turned() {
        assert_eq!(
            turned("y[len(x) - i - 1] = 2 * x[len(x) - i - 1] + x[3] for i"),
            turned("y[i] = 2 * x[i] + x[3] for i")
        );
        // Elements that several iterations add to.
        let folded = "y[len(x) - i - 1 + j] += x[len(x) - i - 1] for i, j";
        assert!(turned(folded).contains("-i"), "{}", turned(folded));
        let held = "y[len(x) - i - 1] = y_held[len(x) - i - 2] for i";
        assert!(turned(held).contains("-i"), "{}", turned(held));
        let met = "y[len(x) - i - 1] += x[3] for i\ny[len(x) - i] += x[len(x) - i] for i";
        assert!(!turned(met).contains("-i"), "{}", turned(met));
        assert!(
            turned_exactly(met).contains("-i"),
            "{}",
            turned_exactly(met)
        );
        let mixed = "y[i] = x[len(x) - i - 1] for i";
        assert!(turned(mixed).contains("y[i]"), "{}", turned(mixed));
    }
}
