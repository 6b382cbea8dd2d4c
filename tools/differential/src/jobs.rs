//! Batches side by side: expansion, `rustc` and the program of a batch have one thread each.

use std::thread;

/// Stack of a job: expressions of kernels are visited recursively.
const STACK: usize = 64 << 20;

/// How many batches at once are of use here: one a processor.
pub fn at_once() -> usize {
    thread::available_parallelism().map_or(1, |n| n.get())
}

/// Gives what `next` has to so many jobs, until it has no more. `work` is called with a name that no
/// other job has.
///
/// # Errors
/// What `work` fails with, or that it panics.
pub fn run<T>(
    jobs: usize,
    next: &(dyn Fn() -> Option<T> + Sync),
    work: &(dyn Fn(&str, T) -> Result<(), String> + Sync),
) -> Result<(), String> {
    let job = |number: usize| {
        let name = format!("batch{number}");
        std::iter::from_fn(next).try_for_each(|part| work(&name, part))
    };
    thread::scope(|scope| {
        let job = &job;
        let start = |number: usize| {
            let builder = thread::Builder::new().stack_size(STACK);
            builder.spawn_scoped(scope, move || job(number))
        };
        let all: Vec<_> = (0..jobs).map(start).collect();
        all.into_iter().try_for_each(|job| {
            let job = job.map_err(|e| e.to_string())?;
            job.join().map_err(|_| "a job panics".to_owned())?
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn each_part_is_worked_on_once() {
        let (given, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let next = || Some(given.fetch_add(1, Ordering::Relaxed)).filter(|part| *part < 20);
        let work = |_: &str, part: usize| {
            done.fetch_add(part, Ordering::Relaxed);
            Ok(())
        };
        assert_eq!(run(3, &next, &work), Ok(()));
        assert_eq!(done.into_inner(), 190);
        let failing = |_: &str, _: usize| Err("no".to_owned());
        given.store(0, Ordering::Relaxed);
        assert_eq!(run(2, &next, &failing), Err("no".to_owned()));
    }
}
