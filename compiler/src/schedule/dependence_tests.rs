//! What is seen at once, against the dependence tests, and arrays whose accesses are not compared.

use super::*;
use crate::ir::Program;
use crate::ir::text::parse;
use crate::schedule::{Target, Wishes, schedule, text};

/// A program of equations that write `y` in a loop of run-time length and in one of nine.
fn program(equations: &str) -> Program {
    let text = format!(
        "program p\n\nindex i: len(x)\nindex k: 9\n\nparam 0 x: f64[len(x)]\n\
         output 1 y: f64[len(y)]\nstate 1 y_held: f64[len(y)]\n\n{equations}"
    );
    parse(&text).expect("a program")
}

/// What pairs of two accesses in one loop are, by the tests and at once.
fn answers(index: &str, [first, second]: [&str; 2]) -> [Option<bool>; 2] {
    let program = program(&format!(
        "y[{first}] = x[i] * 2   for i, k\ny[{second}] = x[i] * 3   for i, k\n"
    ));
    let meeting = Meeting {
        earlier: Rc::new(program.equations[0].target.clone()),
        later: Rc::new(program.equations[1].target.clone()),
        after_write: true,
    };
    let own = program.equations[0].domain();
    let common: Vec<IndexId> = own
        .filter(|id| program.loop_index(*id).name == index)
        .collect();
    let both = [&program.equations[0], &program.equations[1]];
    let pair = pair(&program, meeting.accesses(), both, &common);
    let directions = [Some(Direction::Greater)];
    let never = pair.meets(&directions) == crate::analysis::dependence::Answer::Never;
    [Some(never), in_order_at_once(&program, &meeting, &common)]
}

#[test]
fn order_in_a_loop_is_what_the_tests_say() {
    let mut at_once = 0;
    for index in ["i", "k"] {
        for coefficient in [1, 2, 3] {
            for distance in 0..12 {
                let [near, far] = [0, distance].map(|by| format!("{coefficient} * {index} + {by}"));
                for pair in [[near.as_str(), far.as_str()], [far.as_str(), near.as_str()]] {
                    let [wanted, found] = answers(index, pair);
                    assert!(found.is_none() || found == wanted, "{pair:?}: {found:?}");
                    at_once += usize::from(found.is_some());
                }
            }
        }
    }
    assert_eq!(at_once, 2 * 3 * 12 * 2);
}

#[test]
fn accesses_that_surely_meet_do_by_the_tests() {
    for pair in [
        ["i", "i + 5"],
        ["2 * i", "3 * i + 1"],
        ["2 * i + 4", "2 * i"],
    ] {
        let [first, second] = pair;
        let program = program(&format!(
            "y[{first}] = x[i] * 2   for i\ny[{second}] = x[i] * 3   for i\n"
        ));
        let targets = [0, 1].map(|at| &program.equations[at].target);
        assert!(surely_meet(&program, targets));
        let equations = [&program.equations[0], &program.equations[1]];
        assert!(super::pair(&program, targets, equations, &[]).within());
    }
    // A place before the loop's first, and a loop that may be too short.
    for pair in [["0", "i + 1"], ["k", "i + 12"]] {
        let [first, second] = pair;
        let program = program(&format!(
            "y[{first}] = x[i] * 2   for i, k\ny[{second}] = x[i] * 3   for i, k\n"
        ));
        let targets = [0, 1].map(|at| &program.equations[at].target);
        assert!(!surely_meet(&program, targets));
    }
}

#[test]
fn coefficients_tell_accesses_apart() {
    let of = |first: &str, second: &str| {
        let program = program(&format!(
            "y[{first}] = x[i] * 2   for i, k\ny[{second}] = x[i] * 3   for i, k\n"
        ));
        let [first, second] = [0, 1].map(|at| program.equations[at].target.subscripts.clone());
        apart(&first, &second)
    };
    assert!(of("4 * i", "4 * i + 3"));
    assert!(of("4 * i + 2 * k", "6 * i + 1"));
    assert!(of("7", "8"));
    assert!(!of("4 * i", "4 * i + 8"));
    assert!(!of("4 * i + k", "4 * i + 3"));
    assert!(!of("7", "7"));
    assert!(!of("2 * i", "3 * k + 1"));
}

/// A program with so many equations that write one array, and the last of which adds to it.
fn many(count: usize) -> Program {
    let line = |at: usize| format!("y[i + {at}] = x[i] * {}   for i\n", at + 2);
    let lines: String = (0..count).map(line).collect();
    program(&format!("{lines}y[i] += x[i]   for i\n"))
}

#[test]
fn equations_of_a_crowded_array_keep_their_order_and_share_no_loop() {
    for (count, crowded) in [(60, false), (70, true)] {
        let program = many(count);
        let dependence = Dependence::of(&program);
        let said = Dependence::uncompared(&program);
        assert_eq!(said.is_some_and(|said| said.starts_with("`y`")), crowded);
        let index = program.equations[0].free[0];
        for later in 1..=count {
            for earlier in 0..later {
                assert!(dependence.follows(&program, later, earlier));
                assert!(dependence.candidates(later).contains(&earlier));
                assert!(dependence.reads_back(later, earlier));
                let shares = dependence.shares(&program, (later, earlier), index, &[]);
                assert!(!crowded || !shares);
            }
        }
        let target = Target {
            width: 4,
            registers: 16,
        };
        let scheduled = schedule(&program, target, &Wishes::default()).expect("a schedule");
        let text = text::print(&scheduled.program, &scheduled.schedule);
        let places: Vec<usize> = (0..=count)
            .map(|at| text.find(&format!("eq {at} ")).expect("an equation"))
            .collect();
        assert!(places.is_sorted(), "{text}");
        assert_eq!(scheduled.decision.contains("too many places"), crowded);
    }
}

#[test]
fn additions_to_a_crowded_array_change_places() {
    let mut program = many(70);
    let last = program.equations[70].clone();
    program.equations.push(last);
    let dependence = Dependence::of(&program);
    assert!(!dependence.follows(&program, 71, 70));
    assert!(dependence.follows(&program, 71, 3));
}

#[test]
fn parts_of_one_array_are_written_in_one_loop() {
    let check = |equations: &str, together: bool| {
        let program = parse(&format!(
            "program p\n\nindex i: n\n\nparam 0 x: f64[len(x)]\noutput 1 y: f64[len(y)]\nparam 2 n: usize\n\n{equations}"
        ))
        .unwrap();
        let target = Target {
            width: 4,
            registers: 16,
        };
        let built = schedule(&program, target, &Wishes::default()).unwrap();
        let loops = text::print(&built.program, &built.schedule)
            .matches("loop i")
            .count();
        assert_eq!(loops == 1, together, "{equations}: {loops} loops");
    };
    check(
        "y[i] = x[i]   for i\ny[i + n] = 2 * x[i]   for i\ny[i + 2*n] = 3 * x[i]   for i",
        true,
    );
    check("y[i] += x[i]   for i\ny[i + n] += 2 * x[i]   for i", true);
    check(
        "y[i] = x[i]   for i\ny[i + n - 1] = 2 * x[i]   for i",
        false,
    );
}
