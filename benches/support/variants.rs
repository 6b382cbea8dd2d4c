//! What benchmarks of all variants of a kernel share: its text is compiled for each instruction set, too, and
//! all run in one process, in turns.

use std::time::{Duration, Instant};

use loopwright::{Isa, Report};

use super::turns;
use ranks::Ranks;

#[allow(dead_code, reason = "each benchmark uses a part")]
#[path = "ranks.rs"]
mod ranks;

/// What measurements of the same code differ by.
const NOISE: f64 = 1.04;

/// What is measured in turns: a name, and a call.
pub type Competitor<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// The times of all cases, and how often one was slower than it should be.
pub struct Bench {
    filters: Vec<String>,
    /// Rounds at least, and how long a case may take.
    rounds: usize,
    budget: Duration,
    cases: usize,
    than_text: Vec<String>,
    than_avx2: Vec<String>,
    /// The ratios to a peer's times, and where they are above one.
    to_peer: Vec<f64>,
    than_peer: Vec<String>,
    ranks: Ranks,
}

impl Bench {
    pub fn from_arguments() -> Bench {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
        let (rounds, budget) = match (has("--bench"), has("--quick")) {
            // `cargo test --benches`: only see that it runs.
            (false, _) => (1, 0),
            (true, true) => (7, 60),
            (true, false) => (31, 400),
        };
        let filters = arguments.into_iter().filter(|a| !a.starts_with("--"));
        Bench {
            filters: filters.collect(),
            rounds,
            budget: Duration::from_millis(budget),
            cases: 0,
            than_text: Vec::new(),
            than_avx2: Vec::new(),
            to_peer: Vec::new(),
            than_peer: Vec::new(),
            ranks: Ranks::default(),
        }
    }

    pub fn wants(&self, name: &str) -> bool {
        turns::is_wanted(&self.filters, name)
    }

    /// The median times of competitors, in turns, in nanoseconds.
    pub fn medians(&self, competitors: &mut [Competitor<'_>]) -> Vec<f64> {
        let time = |run: &mut Competitor<'_>, calls: usize| {
            let start = Instant::now();
            (0..calls).for_each(|_| run.1());
            start.elapsed().as_secs_f64() * 1e9 / calls as f64
        };
        // A sample is long enough for the clock, and short enough to be undisturbed.
        let sample = if self.rounds > 1 { 20_000.0 } else { 0.0 };
        let calls: Vec<usize> = competitors
            .iter_mut()
            .map(|run| (sample / time(run, 1).min(time(run, 3)).max(1.0)) as usize + 1)
            .collect();
        let rounds = (self.rounds, usize::MAX);
        turns::in_turns(competitors.len(), rounds, self.budget, |at| {
            time(&mut competitors[at], calls[at])
        })
    }

    /// Measures a case and prints its line.
    pub fn case(&mut self, name: &str, mut competitors: Vec<Competitor<'_>>, report: &Report) {
        let times = self.medians(&mut competitors);
        let names: Vec<&str> = competitors.iter().map(|(name, _)| *name).collect();
        self.line(name, &names, &times, report);
    }

    /// Measures a case of competitors that make their inputs anew for each sample, in memory that one leaves to the
    /// next. Each is told how often to call, and returns the nanoseconds of a call.
    pub fn remade(
        &mut self,
        name: &str,
        competitors: &[(&str, &dyn Fn(usize) -> f64)],
        report: &Report,
    ) {
        let sample = if self.rounds > 1 { 20_000.0 } else { 0.0 };
        let calls: Vec<usize> = competitors
            .iter()
            .map(|(_, run)| (sample / run(3).max(1.0)) as usize + 1)
            .collect();
        let rounds = (self.rounds, usize::MAX);
        let times = turns::in_turns(competitors.len(), rounds, self.budget, |at| {
            (competitors[at].1)(calls[at])
        });
        let names: Vec<&str> = competitors.iter().map(|(name, _)| *name).collect();
        self.line(name, &names, &times, report);
    }

    /// Prints the line of a case.
    fn line(&mut self, name: &str, names: &[&str], times: &[f64], report: &Report) {
        let codes = names.iter().zip(times);
        let codes: Vec<_> = codes
            .map(|(isa, time)| (*isa, ranks::predicted(report, isa), *time))
            .collect();
        self.ranks.kernel(name, &codes);
        let of = |what: &str| {
            let all = names.iter().zip(times);
            all.filter(|(name, _)| **name == what)
                .map(|(_, time)| *time)
                .next()
        };
        let text_of = |sets: usize| {
            let texts = ["text", "text avx2", "text avx512"].into_iter().take(sets);
            texts.filter_map(of).fold(f64::INFINITY, f64::min)
        };
        // Where a call as users write it is measured, it is that which is compared with the text for the processor.
        let text = of("native text").unwrap_or(text_of(3));
        let shown = |time: Option<f64>| time.map_or("-".to_owned(), |time| format!("{time:.1}"));
        let (scalar, avx2, avx512) = (of("scalar"), of("avx2"), of("avx512"));
        let best = of("call").or(avx512).or(avx2).or(scalar);
        let best = best.unwrap_or(f64::NAN);
        let to_avx2 = avx512.zip(avx2).map(|(wide, narrow)| wide / narrow);
        let to_peer = of("peer").map(|peer| best / peer);
        let beside = to_peer.map_or(String::new(), |ratio| format!(" {ratio:>8.3}"));
        println!(
            "{name:32} {text:>10.1} {:>10} {:>10} {:>10} {:>8.3} {:>8}{beside}",
            shown(scalar),
            shown(avx2),
            shown(avx512),
            best / text,
            to_avx2.map_or("-".to_owned(), |ratio| format!("{ratio:.3}")),
        );
        self.cases += 1;
        let line = |ratio: f64| format!("{name} {ratio:.2}");
        let ratio_of_avx2 = avx2.map_or(0.0, |time| time / text_of(2));
        let slowest = ratio_of_avx2.max(best / text);
        if slowest > NOISE {
            self.than_text.push(line(slowest));
        }
        self.to_peer.extend(to_peer);
        self.than_peer
            .extend(to_peer.filter(|ratio| *ratio > NOISE).map(line));
        self.than_avx2
            .extend(to_avx2.filter(|ratio| *ratio > NOISE).map(line));
    }

    pub fn print(&self) {
        let of = self.cases;
        let line = |what: &str, slower: &[String]| {
            println!(
                "{what}: slower on {} of {of} {}",
                slower.len(),
                slower.join(", ")
            );
        };
        line("AVX2 or AVX-512 than the text", &self.than_text);
        line("AVX-512 than AVX2", &self.than_avx2);
        if !self.to_peer.is_empty() {
            let logarithms: f64 = self.to_peer.iter().map(|ratio| ratio.ln()).sum();
            let mean = (logarithms / self.to_peer.len() as f64).exp();
            println!("time / the peer's: geometric mean {mean:.3}");
            line("than the peer", &self.than_peer);
        }
        self.ranks.print(false);
    }
}

/// Measures a kernel of a module in all variants, with its text for all instruction sets, and what another system
/// generates for the same, where that is given.
macro_rules! measure {
    ($bench:ident, $name:expr, $($module:ident)::+, $kind:ident, ($($input:ident = $value:expr),* $(,)?), $output:expr
     $(, peer: $peer:expr)?) => {
        if $bench.wants(&$name) {
            use $($module)::+ as case;
            $(let $input = $value;)*
            let kernel = case::$kind::assemble::with;
            let output = $output;
            let run = |call: &dyn Fn(&mut _)| {
                let mut found = output.clone();
                call(&mut found);
                found
            };
            let expected = run(&|a| case::$kind::assemble::reference($($input,)* a));
            // One output for all: where it lies in memory makes a difference.
            let a = std::cell::RefCell::new(output.clone());
            let a = &a;
            let mut competitors: Vec<Competitor<'_>> = Vec::new();
            competitors.push(("text", Box::new(move || {
                case::$kind::assemble::reference($(black_box($input),)* black_box(&mut *a.borrow_mut()));
            })));
            for isa in case::$kind::assemble::variants().iter().filter(|isa| isa.is_available()) {
                let isa = *isa;
                let found = run(&|a| kernel(isa, $($input,)* a).expect("available"));
                turns::assert_close(&flat(&found), &flat(&expected), tolerance(&expected));
                competitors.push((name(isa), Box::new(move || {
                    let _ = kernel(isa, $(black_box($input),)* black_box(&mut *a.borrow_mut()));
                })));
                match isa {
                    // SAFETY: the processor has the instructions.
                    Isa::Avx2 => competitors.push(("text avx2", Box::new(move || unsafe {
                        case::text_avx2::assemble($(black_box($input),)* black_box(&mut *a.borrow_mut()));
                    }))),
                    Isa::Avx512 => competitors.push(("text avx512", Box::new(move || unsafe {
                        case::text_avx512::assemble($(black_box($input),)* black_box(&mut *a.borrow_mut()));
                    }))),
                    _ => {}
                }
            }
            $(if let Some(peer) = $peer {
                let found = run(&|a| peer(a));
                turns::assert_close(&flat(&found), &flat(&expected), tolerance(&expected));
                competitors.push(("peer", Box::new(move || peer(black_box(&mut *a.borrow_mut())))));
            })?
            $bench.case(&$name, competitors, &case::$kind::assemble::REPORT);
        }
    };
}

pub fn name(isa: Isa) -> &'static str {
    match isa {
        Isa::Avx2 => "avx2",
        Isa::Avx512 => "avx512",
        _ => "scalar",
    }
}

/// Outputs as numbers, to be compared.
pub trait Numbers {
    /// How far sums in another order may be apart, to the largest one.
    const TOLERANCE: f64;
    fn append(&self, to: &mut Vec<f64>);
}

impl Numbers for f64 {
    const TOLERANCE: f64 = 1e-6;
    fn append(&self, to: &mut Vec<f64>) {
        to.push(*self);
    }
}

impl Numbers for f32 {
    const TOLERANCE: f64 = 1e-2;
    fn append(&self, to: &mut Vec<f64>) {
        to.push(f64::from(*self));
    }
}

impl<T: Numbers, const N: usize> Numbers for [T; N] {
    const TOLERANCE: f64 = T::TOLERANCE;
    fn append(&self, to: &mut Vec<f64>) {
        self.iter().for_each(|x| x.append(to));
    }
}

impl<T: Numbers> Numbers for Vec<T> {
    const TOLERANCE: f64 = T::TOLERANCE;
    fn append(&self, to: &mut Vec<f64>) {
        self.iter().for_each(|x| x.append(to));
    }
}

/// How far sums of an output may be apart.
pub fn tolerance<T: Numbers>(_: &T) -> f64 {
    T::TOLERANCE
}

pub fn flat(output: &impl Numbers) -> Vec<f64> {
    let mut all = Vec::new();
    output.append(&mut all);
    all
}
