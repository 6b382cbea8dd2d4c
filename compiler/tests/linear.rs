//! Expanding takes time near linear in the length of a text. What is allocated stands for time, since a
//! clock says what else the machine does: four times the text takes no more than 4 to the power of 1.3 times
//! of it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use loopwright_compiler::driver::expand;

thread_local! {
    /// Allocations of this thread.
    static COUNT: Cell<u64> = const { Cell::new(0) };
    /// Bytes of these.
    static TOTAL: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: all is handed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        TOTAL.set(TOTAL.get() + layout.size() as u64);
        // SAFETY: the caller's layout.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's pointer and layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations and bytes of an expansion.
fn cost(text: &str) -> (u64, u64) {
    let input = format!("::loopwright; {text}").parse().expect("tokens");
    COUNT.set(0);
    TOTAL.set(0);
    drop(expand(input));
    (COUNT.get(), TOTAL.get())
}

/// `count` parts, made of their numbers.
fn many(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

fn body(text: &str) -> String {
    format!("pub fn k(x: &[f64], y: &mut [f64]) {{ {text} }}")
}

/// Texts of so many parts.
fn texts(n: usize) -> Vec<(&'static str, String)> {
    [statements(n), items(n), sums(n), parameters(n)].concat()
}

/// Statements of one loop, and loops.
#[rustfmt::skip]
fn statements(n: usize) -> Vec<(&'static str, String)> {
    let of = |part: &dyn Fn(usize) -> String| body(&many(n, part));
    vec![
        (
            "statements",
            body(&format!(
                "for i in 0..x.len() {{ {} }}",
                many(n, |at| format!("y[{n} * i + {at}] = x[i] * {at}.5; "))
            )),
        ),
        (
            // Every other one cannot be read, around a nest that can.
            "statements around nests",
            body(&format!(
                "while y[0] < 1.0 {{ for i in 0..x.len() {{ y[i] += x[i]; }} {} }}",
                many(n, |at| format!("y[0] = x[0] * {at}.5; call{at}(y); "))
            )),
        ),
        (
            "lets",
            body(&format!(
                "for i in 0..x.len() {{ let a0 = x[i]; {} y[i] = a{n}; }}",
                many(n, |at| format!("let a{} = a{at} * 0.5 + x[i]; ", at + 1))
            )),
        ),
        (
            // Each is computed from two before it, whose values have to be found once.
            "words",
            format!(
                "pub fn k(x: &[u64], y: &mut [u64]) {{ for i in 0..x.len() {{ let (a0, a1) = (x[i], x[i + 1]); {} \
                 y[i] = a{}; }} }}",
                many(n, |at| format!(
                    "let a{} = a{}.wrapping_sub(a{at}); ",
                    at + 2,
                    at + 1
                )),
                n + 1
            ),
        ),
        (
            "loops",
            of(&|at| format!("for i in 0..x.len() {{ y[i] += {at}.5 * x[i]; }} ")),
        ),
        (
            "loops over others",
            of(&|at| format!("for i in 0..x.len() {{ y[i + {at}] = {at}.5 * x[i]; }} ")),
        ),
    ]
}

/// Tables, functions, constants.
fn items(n: usize) -> Vec<(&'static str, String)> {
    vec![
        (
            "tables",
            format!(
                "{} {}",
                many(n, |at| format!(
                    "static T{at}: [f64; 4] = [0.5, 1.5, 2.5, {at}.25]; "
                )),
                body(&many(n, |at| format!(
                    "for i in 0..4 {{ y[i] += T{at}[i]; }} "
                )))
            ),
        ),
        (
            "functions",
            many(n, |at| {
                format!(
                    "pub fn k{at}(x: &[f64], y: &mut [f64]) {{ for i in 0..x.len() {{ y[i] = {at}.5 * x[i]; }} }} "
                )
            }),
        ),
        (
            "helpers",
            format!(
                "{} {}",
                many(n, |at| format!("fn h{at}(x: f64) -> f64 {{ x * {at}.5 }} ")),
                body(&format!(
                    "for i in 0..x.len() {{ {} }}",
                    many(n, |at| format!("y[i] += h{at}(x[i]); "))
                ))
            ),
        ),
        (
            "calls of a helper",
            format!(
                "fn h(x: f64, a: f64) -> f64 {{ (x * a + 1.5).sqrt() }} {}",
                body(&format!(
                    "for i in 0..x.len() {{ {} }}",
                    many(n, |at| format!("y[{n} * i + {at}] = h(x[i], {at}.5); "))
                ))
            ),
        ),
    ]
}

/// Long sums, and many.
fn sums(n: usize) -> Vec<(&'static str, String)> {
    vec![
        (
            "sums",
            body(&format!(
                "for i in 0..x.len() {{ {} }}",
                many(n, |at| format!("y[{n} * i + {at}] += x[i] * {at}.5; "))
            )),
        ),
        (
            "a long sum",
            body(&format!(
                "for i in 0..y.len() {{ y[i] = 0.0 {}; }}",
                many(n, |at| format!("+ {at}.5 * x[i + {at}] "))
            )),
        ),
        (
            "a long sum of products",
            body(&format!(
                "for i in 0..y.len() {{ y[i] = 0.0 {}; }}",
                many(n, |at| format!("+ x[2 * i] * x[i + {at}] "))
            )),
        ),
        (
            "gathers",
            format!(
                "pub fn k(m: &[[u32; {n}]], x: &[f64], y: &mut [f64]) {{ for i in 0..y.len() {{ {} }} }}",
                many(n, |at| format!("y[i] += x[m[i][{at}] as usize] * {at}.5; "))
            ),
        ),
    ]
}

/// Parameters, local arrays, branches, and what runs as written.
fn parameters(n: usize) -> Vec<(&'static str, String)> {
    vec![
        (
            "parameters",
            format!(
                "pub fn k({} y: &mut [f64]) {{ for i in 0..y.len() {{ {} }} }}",
                many(n, |at| format!("x{at}: &[f64], ")),
                many(n, |at| format!("y[i] += x{at}[i] * {at}.5; "))
            ),
        ),
        (
            "outputs",
            format!(
                "pub fn k({} x: &[f64]) {{ {} }}",
                many(n, |at| format!("y{at}: &mut [f64], ")),
                many(n, |at| format!(
                    "for i in 0..x.len() {{ y{at}[i] = x[i] * {at}.5; }} "
                ))
            ),
        ),
        (
            "local arrays",
            body(&format!(
                "for i in 0..x.len() {{ {} }}",
                many(n, |at| format!(
                    "let mut t{at} = [0.0; 4]; for k in 0..4 {{ t{at}[k] = x[i] * {at}.5; }} \
                     for k in 0..4 {{ y[4 * i + k] += t{at}[k]; }} "
                ))
            )),
        ),
        (
            "conditions",
            body(&format!(
                "for i in 0..x.len() {{ {} }}",
                many(n, |at| format!(
                    "y[i] += if x[i] > {at}.5 {{ x[i] }} else {{ {at}.0 }}; "
                ))
            )),
        ),
        (
            "totals",
            format!(
                "pub fn k(x: &[f64], y: &mut [f64; {n}]) {{ {} }}",
                many(n, |at| format!(
                    "for i in 0..x.len() {{ y[{at}] += x[i] * {at}.5; }} "
                ))
            ),
        ),
        (
            "written as they stand",
            body(&format!(
                "for i in 1..x.len() {{ {} }}",
                many(n, |at| format!("y[i] = y[i - 1] + x[i] * {at}.5; "))
            )),
        ),
        (
            "constants",
            format!(
                "{} {}",
                many(n, |at| format!("const A{at}: f64 = {at}.5; ")),
                body(&format!(
                    "for i in 0..x.len() {{ {} }}",
                    many(n, |at| format!("y[i] += A{at} * x[i]; "))
                ))
            ),
        ),
    ]
}

/// How many times the allocations, and the bytes, of a text are those of one with a quarter of its parts;
/// for two lengths.
fn growth(at: usize) -> (&'static str, Vec<(f64, f64)>) {
    let cost_of = |n: usize| {
        let (name, text) = texts(n).swap_remove(at);
        (name, cost(&text))
    };
    let costs = [10, 40, 160].map(cost_of);
    let ratio = |new: u64, old: u64| new as f64 / old as f64;
    let pairs = costs.windows(2);
    let growth = pairs.map(|pair| {
        let ((_, old), (_, new)) = (pair[0], pair[1]);
        (ratio(new.0, old.0), ratio(new.1, old.1))
    });
    (costs[0].0, growth.collect())
}

/// 4 to the power of 1.3.
const MOST: f64 = 6.06;

#[test]
fn expanding_takes_time_near_linear_in_the_text() {
    for at in 0..texts(1).len() {
        let (name, growth) = growth(at);
        for (count, bytes) in &growth {
            assert!(*count < MOST && *bytes < MOST, "{name}: {growth:?}");
        }
    }
}

#[test]
fn statements_that_are_not_compared_are_said_in_the_report() {
    let of = |n: usize| {
        let loops = |at| format!("for i in 0..x.len() {{ y[i + {at}] = {at}.5 * x[i]; }} ");
        let text = format!("::loopwright; {}", body(&many(n, loops)));
        expand(text.parse().expect("tokens")).to_string()
    };
    let said = "accessed in too many places to compare all of them";
    assert!(!of(40).contains(said));
    assert!(of(160).contains(said));
}
