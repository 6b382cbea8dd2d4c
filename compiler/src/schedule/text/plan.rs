//! The text of a plan: a loop tree, after what its program has more than the one that is scheduled.
//!
//! Scheduling adds loops and temporaries (blocks of long sums, copies of results, rings), and arranges temporaries in
//! another order of dimensions. These lines are those of the program's text; then comes the schedule.

use super::ParseError;
use super::{parse::tree, print::print as printed};
use crate::ir::Program;
use crate::ir::text::more;
use crate::ir::text::parser::Parser;
use crate::schedule::tree::Schedule;

/// The text of a schedule of a program that was made of another one, which reads it back.
pub fn print(base: &Program, program: &Program, schedule: &Schedule) -> String {
    let more = more::print(program, base);
    let tree = printed(program, schedule);
    match more.is_empty() {
        true => tree,
        false => format!("{more}\n{tree}"),
    }
}

/// Reads the plan of a program: that with what the plan adds, and its schedule.
///
/// # Errors
/// The first mistake, with its line and column and what was expected.
pub fn parse(text: &str, base: &Program) -> Result<(Program, Schedule), ParseError> {
    let mut parser = Parser::new(text)?;
    let program = more::parse(&mut parser, base, ["schedule", "width"])?;
    let schedule = tree(&mut parser, &program)?;
    Ok((program, schedule))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;
    use crate::schedule::{Target, Wishes, schedule};

    /// Plans with copies and their places, with lanes of sums, with rings and with blocks of sums.
    const PROGRAMS: [&str; 4] = [
        "program cells\nindex e: len(x)\nindex j: 5\nindex k: 3\nparam 0 x: f64[len(x), 5]\n\
         output 1 y: f64[len(y), 5, 3]\ny[e, j, k] += x[e, j] * x[e, k] for e, j, k\n",
        "program dot\nindex i: len(x)\nparam 0 x: f64[len(x)]\noutput 1 s: f64\n\
         s = sum(i) x[i] * x[i]\n",
        "program windows\nindex j: len(x)\nindex i: len(x) - 2\nparam 0 x: f64[len(x)]\n\
         output 1 y: f64[len(y)]\ntemp t: f64[len(x)]\nt[j] = x[j] * x[j] for j\n\
         y[i] = t[i] + t[i + 2] for i\n",
        "program long\nindex i: 40\nindex j: 40\nindex k: 400\nparam 0 a: f64[40, 400]\n\
         param 1 b: f64[400, 40]\noutput 2 c: f64[40, 40]\n\
         c[i, j] += sum(k) a[i, k] * b[k, j] for i, j\n",
    ];

    #[test]
    fn a_plan_reads_as_it_prints() {
        let mut with_more = 0;
        for text in PROGRAMS {
            let base = text::parse(text).unwrap();
            for width in [1, 4, 8] {
                let target = Target {
                    width,
                    registers: 16,
                };
                let scheduled = schedule(&base, target, &Wishes::default()).unwrap();
                let plan = print(&base, &scheduled.program, &scheduled.schedule);
                let (program, tree) = parse(&plan, &base).unwrap_or_else(|e| panic!("{e}\n{plan}"));
                assert_eq!(print(&base, &program, &tree), plan);
                assert_eq!(text::print(&program), text::print(&scheduled.program));
                with_more += usize::from(!plan.starts_with("schedule"));
            }
        }
        assert!(with_more > 2, "{with_more}");
    }

    #[test]
    fn what_the_kernel_has_stays() {
        let base = text::parse(PROGRAMS[2]).unwrap();
        for (line, message) in [
            (
                "param 2 z: f64[3]",
                "a plan declares loops, temporaries and tables, no `param`",
            ),
            ("temp x: f64[len(x)]", "`x` is there already"),
            ("index i: len(x)", "the loop `i` has another length"),
            ("q[i] = x[i] for i", "no array is declared as `q`"),
        ] {
            let error = parse(&format!("{line}\nschedule width 1\n"), &base).unwrap_err();
            assert_eq!((error.message.as_str(), error.line), (message, 1));
        }
    }
}
