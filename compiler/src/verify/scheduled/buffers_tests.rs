//! Temporaries that share memory: random programs, and sharing that is wrong on purpose.

use std::fmt::Write as _;

use crate::ir::text::{parse, random::Random};
use crate::ir::{ArrayId, Program};
use crate::schedule::buffers::share;
use crate::schedule::tree::Storage;
use crate::schedule::{Target, Wishes, schedule};
use crate::verify::equivalent;

/// Temporaries that are sums of some of those before.
fn random(random: &mut Random) -> Program {
    let count = random.below(6) + 2;
    let mut text = "program p\nindex e: len(x)\n".to_owned();
    for at in 0..=count {
        let extent = random.below(4) + 2;
        let _ = writeln!(text, "index i{at}: {extent}");
    }
    text.push_str("param 0 x: f64[len(x), 6]\noutput 1 y: f64[len(y)]\n");
    let mut equations = String::new();
    for at in 0..count {
        let _ = writeln!(text, "temp t{at}: f64[len(x), 6]");
        let _ = write!(equations, "t{at}[e, i{at}] = x[e, i{at}]");
        for _ in 0..random.below(3) {
            if at > 0 {
                let of = random.below(at);
                let _ = write!(equations, " + t{of}[e, 0]*x[e, i{at}]");
            }
        }
        let _ = writeln!(equations, "   for e, i{at}");
        if at > 0 {
            let of = random.below(at);
            let _ = writeln!(
                equations,
                "y[e] += sum(i{of}) t{of}[e, i{of}]*t{at}[e, 0]   for e"
            );
        }
    }
    parse(&(text + &equations)).unwrap()
}

#[test]
fn what_shares_a_buffer_is_not_alive_together() {
    let mut numbers = Random::new(11);
    let (mut fewer, mut wrong, mut found) = (0, 0, 0);
    for seed in 0..60 {
        let program = random(&mut numbers);
        for width in [1, 4] {
            let target = Target {
                width,
                registers: 16,
            };
            let scheduled = schedule(&program, target, &Wishes::default()).unwrap();
            let (built, mut schedule) = (scheduled.program, scheduled.schedule);
            let memory = schedule.storage.iter();
            let memory = memory.filter(|(_, s)| matches!(s, Storage::Memory { .. }));
            let arrays: Vec<ArrayId> = memory.map(|(array, _)| *array).collect();
            schedule.buffers = share(&built, &schedule, arrays.clone());
            fewer += arrays.len() - schedule.buffers.len();
            let result = equivalent(&program, &built, &schedule, seed);
            result.unwrap_or_else(|e| panic!("{e}\n{:?}", schedule.buffers));
            // All in one: some of them are alive together.
            if schedule.buffers.len() > 1 {
                schedule.buffers = vec![schedule.buffers.concat()];
                wrong += 1;
                let result = equivalent(&program, &built, &schedule, seed);
                let taken = |e: &String| e.contains("another temporary took its place");
                found += usize::from(result.as_ref().is_err_and(taken));
            }
        }
    }
    assert!(fewer > 20, "{fewer}");
    assert!(wrong > 20 && found == wrong, "{found} of {wrong}");
}
