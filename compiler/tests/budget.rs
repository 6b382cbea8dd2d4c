//! What short texts cost when they are expanded, in memory and in work: the bytes that are allocated in all
//! stand for that, since a clock says what else the machine does. `cargo bench --bench expansion --
//! --short` has the seconds.

#[path = "budget/texts.rs"]
mod texts;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

use loopwright_compiler::diagnostics::Diagnostics;
use loopwright_compiler::driver::expand;
use loopwright_compiler::syntax::ast::FunctionId;
use loopwright_compiler::verify::{Refusal, Subject, check_unscheduled};
use loopwright_compiler::{lower, syntax};

thread_local! {
    /// Bytes that this thread has allocated and not given back, the most of them, and all of them.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
    static TOTAL: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

fn count(size: usize) {
    let live = LIVE.get() + size as isize;
    LIVE.set(live);
    PEAK.set(PEAK.get().max(live));
    TOTAL.set(TOTAL.get() + size as u64);
}

// SAFETY: all is handed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's layout.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.set(LIVE.get() - layout.size() as isize);
        // SAFETY: the caller's pointer and layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The longest text that counts as short.
const SHORT: usize = 1024;
/// Bytes that expanding a short text may hold at once.
const MOST_HELD: isize = 500 << 20;
/// Bytes that it may allocate in all: a gigabyte takes about a quarter of a second.
const MOST_ALLOCATED: u64 = 4 << 30;

/// The most bytes at once and all bytes of an expansion.
fn cost(text: &str) -> (isize, u64) {
    let input = format!("::loopwright; {text}").parse().expect("tokens");
    let before = LIVE.get();
    PEAK.set(before);
    TOTAL.set(0);
    drop(expand(input));
    (PEAK.get() - before, TOTAL.get())
}

/// Stack of a thread: unoptimised code takes more of it than the compiler that runs the macro has to
/// give, and a test's own threads have a quarter of that.
const STACK: usize = 64 << 20;

/// Calls `check` for each text, on as many threads as there are processors.
fn all(texts: &[texts::Text], check: impl Fn(&texts::Text) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let work = || {
                while let Some(text) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check(text);
                }
            };
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread
                .spawn_scoped(scope, work)
                .expect("a thread can be started");
        }
    });
}

#[test]
fn short_texts_cost_little() {
    let mut texts = texts::hostile(SHORT);
    texts.extend(texts::drawn(300, 40));
    texts.retain(|text| text.text.len() <= SHORT);
    assert!(texts.len() > 700);
    all(&texts, |text| {
        let (held, allocated) = cost(&text.text);
        let name = &text.name;
        assert!(
            held <= MOST_HELD,
            "{name} holds {held} bytes: {}",
            text.text
        );
        assert!(
            allocated <= MOST_ALLOCATED,
            "{name} allocates {allocated} bytes: {}",
            text.text
        );
    });
}

/// A kernel may be compared in many ways, each of which takes a small part of what one interpretation may take.
#[test]
fn all_comparisons_of_a_kernel_share_what_they_may_take() {
    let text = "pub fn k(n: usize, x: &[f64], y: &mut [f64]) {
        for a in 0..n { for b in 0..n { for c in 0..n { for d in 0..n { for e in 0..n { for f in 0..n {
        for g in 0..n { for h in 0..n { for i in 0..n { for j in 0..n { for k in 0..n { for l in 0..n {
            y[a] += x[b] * x[c] * x[d] * x[e] * x[f] * x[g] * x[h] * x[i] * x[j] * x[k] * x[l];
        } } } } } } } } } } } }
    }";
    let mut diagnostics = Diagnostics::new();
    let module = syntax::parse(text.parse().unwrap(), &mut diagnostics).unwrap();
    let lowered = lower::lower(&module, &module.functions[0], false);
    let lowered = lowered.unwrap_or_else(|problem| panic!("{}", problem.message));
    let compare = |work: &Rc<_>| {
        let subject = Subject::new(&module, FunctionId(0), &lowered).after(work);
        check_unscheduled(&subject, &lowered.program)
    };
    let (work, another) = (Rc::default(), Rc::default());
    let mut compared = 0_u64;
    let refused = loop {
        match compare(&work) {
            Ok(()) => compared += 1,
            Err(refused) => break refused,
        }
    };
    assert_eq!(
        refused,
        Refusal::Unchecked("too large to validate".to_owned())
    );
    assert!(compared > 10, "{compared}");
    assert_eq!(compare(&another), Ok(()));
}
