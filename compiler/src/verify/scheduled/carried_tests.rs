//! Values that one iteration leaves to another: what is right is accepted, what is not is found.

use std::fmt::Write as _;

use crate::ir::text::random::Random;
use crate::ir::{Program, text};
use crate::schedule;
use crate::verify::equivalent;

/// A stencil over `iterations` results at some offsets, and the same with its base values in a
/// temporary.
fn stencil(offsets: &[usize], iterations: usize) -> (Program, Program) {
    let reach = offsets.iter().max().unwrap_or(&0) + iterations;
    let sum = |array: &str| {
        let terms: Vec<String> = offsets
            .iter()
            .map(|o| format!("{array}[i + {o}]"))
            .collect();
        terms.join(" + ")
    };
    let head = format!(
        "program stencil\nindex i: {iterations}\nindex k: {reach}\n\
         param 0 x: f64[{reach}]\noutput 1 y: f64[{iterations}]\n"
    );
    let source = format!("{head}y[i] = + {}   for i\n", sum("x"));
    let queued = format!(
        "{head}temp t: f64[{reach}]\nt[k] = x[k]   for k\ny[i] = + {}   for i\n",
        sum("t")
    );
    let parse = |text: &str| text::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    (parse(&source), parse(&queued))
}

/// A loop that is `unroll` times unrolled and fills the queue `ahead` of the results.
fn queue(storage: &str, ahead: usize, iterations: usize, unroll: usize) -> String {
    let mut text = format!("schedule width 1\nstore t: {storage}\nblock {{");
    for k in 0..ahead {
        let _ = write!(text, "; eq 0 @ k+{k}");
    }
    let _ = write!(
        text,
        " }}\nloop i in 0..{iterations} step {unroll} with k+{ahead} {{ block {{"
    );
    for u in 0..unroll {
        let _ = write!(text, "; eq 0 @ k+{u}; eq 1 @ i+{u}");
    }
    text + " } }\n"
}

fn check(programs: &(Program, Program), schedule: &str) -> Result<(), String> {
    let schedule = schedule.replace("{;", "{");
    let schedule =
        schedule::text::parse(&schedule, &programs.1).unwrap_or_else(|e| panic!("{e}\n{schedule}"));
    equivalent(&programs.0, &programs.1, &schedule, 3)
}

#[test]
fn queues_must_be_as_deep_as_their_stencil_reaches() {
    let mut random = Random::new(7);
    for _ in 0..200 {
        let span = random.below(6) + 1;
        let mut offsets = vec![0, span - 1];
        offsets.extend((0..random.below(3)).map(|_| random.below(span)));
        let (depth, unroll) = (random.below(8) + 1, random.below(8) + 1);
        let iterations = unroll * (random.below(4) + 2);
        let programs = stencil(&offsets, iterations);
        let memory = format!("memory[ring {depth}]");
        let result = check(&programs, &queue(&memory, span - 1, iterations, unroll));
        assert_eq!(
            result.is_ok(),
            depth >= span,
            "{offsets:?} {depth}: {result:?}"
        );
        if let Err(message) = result {
            assert!(
                message.contains("its place holds another element"),
                "{message}"
            );
        }
        // In registers the place must be the same in every iteration too.
        let registers = format!("registers[ring {depth}]");
        let result = check(&programs, &queue(&registers, span - 1, iterations, unroll));
        let named = unroll % depth == 0;
        assert_eq!(
            result.is_ok(),
            depth >= span && named,
            "{offsets:?} {depth} {unroll}"
        );
        if let (Err(message), false) = (result, named) {
            assert!(
                message.contains("unroll the loop by a multiple"),
                "{message}"
            );
        }
    }
}

#[test]
fn loops_of_run_time_length_run_whole_steps_and_what_they_leave() {
    let head = "program p
index i: len(y)
param 0 x: f64[len(x)]
output 1 y: f64[len(y)]
";
    let source = text::parse(&format!(
        "{head}y[i] = x[i] + x[i + 1] + x[i + 2]   for i\n"
    ));
    let queued = text::parse(&format!(
        "{head}temp t: f64[len(x)]
t[0] = + x[0]
t[1] = + x[1]
t[i + 2] = + x[i + 2]   for i
y[i] = t[i] + t[i + 1] + t[i + 2]   for i
"
    ));
    let programs = (source.unwrap(), queued.unwrap());
    let body = "block { eq 2; eq 3; eq 2 @ i+1; eq 3 @ i+1; eq 2 @ i+2; eq 3 @ i+2 }";
    let schedule = format!(
        "schedule width 1
store t: registers[ring 3]
block {{ eq 0; eq 1 }}
loop i in 0..len(y) step 3 whole {{ {body} }}
loop i in 0..len(y) step 3 rest {{ block {{ eq 2; eq 3 }} }}"
    );
    for size in 1..12 {
        let run = |schedule: &str| {
            let schedule = schedule::text::parse(schedule, &programs.1).unwrap();
            equivalent(&programs.0, &programs.1, &schedule, size)
        };
        assert_eq!(run(&schedule), Ok(()), "{size}");
        // Without the rest it is only right where nothing is left, and with a partial step never.
        let whole: Vec<&str> = schedule.lines().filter(|l| !l.contains("rest")).collect();
        assert_eq!(run(&whole.join("\n")).is_ok(), size % 3 == 0, "{size}");
        let partial = whole.join("\n").replace(" whole", "");
        assert_eq!(run(&partial).is_ok(), size % 3 == 0, "{size}");
    }
}

#[test]
fn a_prologue_that_is_too_short_is_found() {
    let programs = stencil(&[0, 3], 8);
    let whole = queue("memory[ring 8]", 3, 8, 4);
    assert_eq!(check(&programs, &whole), Ok(()));
    let short = whole.replacen("; eq 0 @ k+2", "", 1);
    let message = check(&programs, &short).unwrap_err();
    assert_eq!(message, "`t` is read before it is written");
}

const RUNNING: &str = "program running
index i: 9
param 0 x: f64[12]
output 1 y: f64[9]
temp s: f64[10]
temp f: f64[9]
s[0] = x[0] + x[1]
f[i] = s[i] + x[i + 2]   for i
y[i] = + f[i]   for i
s[i + 1] = f[i] - x[i]   for i
";

const SUMS: &str = "program sums
index i: 9
param 0 x: f64[12]
output 1 y: f64[9]
y[i] = x[i] + x[i + 1] + x[i + 2]   for i
";

fn running(program: &str, schedule: &str) -> Result<(), String> {
    let programs = (text::parse(SUMS).unwrap(), text::parse(program).unwrap());
    check(&programs, schedule)
}

#[test]
fn running_sums_are_executed_in_their_loops_order() {
    let schedule = "schedule width 1
store s: registers[_]
store f: register
block { eq 0 }
loop i in 0..9 { block { eq 1; eq 2; eq 3 } }";
    assert_eq!(running(RUNNING, schedule), Ok(()));
    // The next sum before this one was used.
    let early = schedule.replace("eq 1; eq 2; eq 3", "eq 1; eq 3; eq 2");
    assert_eq!(running(RUNNING, &early), Ok(()));
    let program = RUNNING.replace("y[i] = + f[i]", "y[i] = s[i] + x[i + 2]");
    assert_eq!(running(&program, schedule), Ok(()));
    assert_eq!(
        running(&program, &early).unwrap_err(),
        "`s[0]` is read where its place holds another element"
    );
    // A wrong step of the recurrence.
    let wrong = RUNNING.replace("f[i] - x[i]", "f[i] - x[i + 1]");
    assert_eq!(
        running(&wrong, schedule).unwrap_err(),
        "element 1 of `y` differs from the source's"
    );
}

#[test]
fn variables_are_visible_in_their_loops_body_only() {
    let outside = "schedule width 1
store s: registers[_]
store f: register
block { eq 0 }
loop i in 0..9 { block { eq 1 }; block { eq 3 } }
loop i in 0..9 { block { eq 2 } }";
    let message = running(RUNNING, outside).unwrap_err();
    assert!(
        message.starts_with("`f` is read before it is written"),
        "{message}"
    );
}

#[test]
fn nothing_is_added_to_a_variable_that_is_defined_once() {
    let head = "program p
index i: 8
param 0 x: f64[8]
output 1 y: f64[8]
";
    let source = text::parse(&format!("{head}y[i] = + x[i]   for i\n")).unwrap();
    let added = text::parse(&format!(
        "{head}temp t: f64[8]
t[i] = 0   for i
t[i] += x[i]   for i
y[i] = + t[i]   for i
"
    ));
    let programs = (source, added.unwrap());
    let schedule = "schedule width 1
store t: registers[_]
loop i in 0..8 { block { eq 0; eq 1; eq 2 } }";
    assert_eq!(check(&programs, schedule), Ok(()));
    let once = schedule.replace("registers[_]", "register");
    let message = check(&programs, &once).unwrap_err();
    assert_eq!(message, "`t` is defined once, nothing is added to it");
}

#[test]
fn partial_sums_start_from_zero_and_have_their_loops() {
    let source = "program p
index i: 4
index q: 3
param 0 x: f64[4, 3]
output 1 y: f64[4]
y[i] = sum(q) x[i, q] * x[i, 0]   for i
";
    let split = "program p
index i: 4
index q: 3
param 0 x: f64[4, 3]
output 1 y: f64[4]
temp v: f64[4, 3]
temp s: f64[4]
v[i, q] = x[i, q] * x[i, 0]   for i, q
s[i] = sum(q) + v[i, q]   for i
y[i] = + s[i]   for i
";
    let programs = (text::parse(source).unwrap(), text::parse(split).unwrap());
    let schedule = "schedule width 1
store v: register
store s: registers[_]
loop i in 0..4 {
  zero s
  loop q in 0..3 { block { eq 0; eq 1 } }
  block { eq 2 }
}";
    assert_eq!(check(&programs, schedule), Ok(()));
    let message = check(&programs, &schedule.replace("zero s", "")).unwrap_err();
    assert_eq!(message, "`s` is read before it is written");
    let once = schedule
        .replace("  zero s\n", "")
        .replace("loop i in", "zero s; loop i in");
    let message = check(&programs, &once).unwrap_err();
    assert!(
        message.contains("its place holds another element"),
        "{message}"
    );
    let apart = schedule.replace("eq 0; eq 1 } }", "eq 0 } }\nblock { eq 1 }");
    let message = check(&programs, &apart).unwrap_err();
    assert_eq!(
        message,
        "`v` is read before it is written: no variable that is visible holds this element"
    );
    let unlooped = schedule
        .replace("store v: register", "store v: memory[_, 3]")
        .replace("eq 0; eq 1 } }", "eq 0 } }\nblock { eq 1 }");
    assert_eq!(
        check(&programs, &unlooped).unwrap_err(),
        "a sum to `s` has no loop"
    );
}

#[test]
fn lanes_share_no_place() {
    let (source, queued) = stencil(&[0, 1], 8);
    let schedule = "schedule width 4 lanes i
store t: registers[ring 2]
loop k in 0..2 { block { eq 0 } }
loop i in 0..8 step 4 { block { eq 1 } }";
    let message = check(&(source, queued), schedule).unwrap_err();
    assert!(
        message.starts_with("lanes are at different elements of `t`"),
        "{message}"
    );
}

#[test]
fn lanes_behind_the_last_element_leave_it() {
    let head = "program p\nindex e: 9\nindex r: 2\nparam 0 w: f64[9]\noutput 1 y: f64[9]\n\
                temp f: f64[9]\ntemp g: f64[9]\n";
    let text = format!(
        "{}f[e] = 0 for e; f[e] += sum(r) w[0] for e; g[e] = 2 * f[e] for e; y[e] = g[e] for e",
        head.replace("index e: 9", "index e: len(w)")
            .replace("[9]", "[len(w)]")
    );
    let program = text::parse(&text).unwrap();
    let tree = "schedule width 4 lanes e\nstore f: memory[_] lanes\nstore g: register lanes\n\
                loop e in 0..len(w) step 4 { block { eq 0 }; loop r in 0..2 { block { eq 1 } }\n\
                block { eq 2; eq 3 } }\n";
    let schedule = schedule::text::parse(tree, &program).unwrap_or_else(|e| panic!("{e}"));
    for count in [1, 4, 5, 7] {
        equivalent(&program, &program, &schedule, count).unwrap();
    }
}
