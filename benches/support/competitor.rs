//! The time of calls on inputs of their own.

/// Takes the number of calls; the nanoseconds of one.
macro_rules! competitor {
    ($module:ident { $($lets:tt)* } $call:expr) => {
        move |calls: usize| {
            use $module::*;
            $($lets)*
            let mut run = || {
                let _ = black_box($call);
            };
            run();
            let start = Instant::now();
            (0..calls).for_each(|_| run());
            start.elapsed().as_secs_f64() * 1e9 / calls as f64
        }
    };
}
