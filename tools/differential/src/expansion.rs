//! Expanding a kernel with the compiler at every level.
//!
//! A level becomes a module: the expansion as it is, but for the variants that this processor
//! cannot run, whose intrinsics come from [`support::emulated`](crate::support::emulated). Much of
//! one expansion is that of another level again, or of another instruction set; such variants run
//! once, and what does not run is left out of the modules.

use std::collections::{BTreeSet, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use loopwright_compiler::driver::{Settings, expand_with};
use loopwright_runtime::Isa;
use proc_macro2::TokenStream;

use crate::items::{self, Item, Part};
use crate::tokens::message;

/// What came of a kernel.
#[derive(Debug)]
pub enum Expanded {
    /// It can run.
    Built(Built),
    /// An error message: this is outside of the language.
    Rejected(String),
    /// The compiler failed: a panic, or an expansion that it found to be wrong itself.
    Failed(String),
}

/// How much of an expansion runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The check of all bounds and the variants.
    Variants,
    /// All items as users have them, and variants that this processor can run emulated as well:
    /// then reads beside the arguments are found in these too.
    Everything,
}

/// The modules of a kernel, and what runs of them.
#[derive(Debug, Default)]
pub struct Built {
    /// The modules' contents; the first has the reference.
    pub modules: Vec<String>,
    /// The variants, in order of levels.
    pub runs: Vec<Run>,
    /// The levels whose code is not that of the level below.
    pub levels: Vec<u8>,
    /// The passes that changed the cost of some level.
    pub passes: BTreeSet<String>,
    /// The modules have all items.
    pub whole: bool,
    /// The reference is all there is.
    pub as_written: bool,
    /// For each module, whether its check says that the text has to run for some inputs.
    pub partial: Vec<bool>,
    /// For each module, whether its report says that the text's accesses are not made before it writes.
    pub unchecked: Vec<bool>,
    /// The check in the first module.
    check: String,
}

/// A variant that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The module that has it.
    pub module: usize,
    /// The module that has the check of bounds before it.
    pub check: usize,
    /// Its level.
    pub level: u8,
    /// Its instruction set.
    pub isa: Isa,
    /// Vector units are emulated.
    pub emulated: bool,
    /// Its functions: several if it is generic.
    pub functions: Vec<String>,
    /// Those of them that take scratch memory.
    pub scratch: Vec<String>,
}

/// Expands a kernel at each level, or at the one that its text asks for. `report` keeps the reports.
pub fn expand(text: &str, depth: Depth, report: bool) -> Expanded {
    let mut expansions = Vec::new();
    for (level, text) in levels(text) {
        match catch_unwind(|| items_of(&text)) {
            Ok(Ok(items)) => expansions.push((level, items)),
            Ok(Err(message)) if message.contains("internal compiler error") => {
                return Expanded::Failed(format!("level {level}: {message}"));
            }
            Ok(Err(message)) => return Expanded::Rejected(message),
            Err(payload) => {
                let text = payload.downcast_ref::<String>().cloned();
                let text = text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string));
                let text = text.unwrap_or_default();
                return Expanded::Failed(format!("level {level}: a panic: {text}"));
            }
        }
    }
    let everything = depth == Depth::Everything;
    // Functions from outside are handed to variants by what calls them.
    let calls = text.contains("pure(");
    // Where the text may run, what runs before it is looked at too.
    let mut all = expansions.iter();
    let mut builder = Builder {
        everything,
        whole: everything || calls || all.any(|(_, items)| runs_text(items)),
        report,
        seen: HashSet::new(),
        built: Built::default(),
    };
    for (level, items) in &expansions {
        builder.add(*level, items);
    }
    Expanded::Built(builder.built)
}

/// Whether a kernel has a text that knows that what it subscripts is inside.
pub fn knows_inside(text: &str) -> bool {
    let (_, text) = levels(text).pop().unwrap_or_default();
    let items = catch_unwind(|| items_of(&text));
    items.is_ok_and(|items| items.is_ok_and(|items| items::flat(&items).any(Item::is_inside)))
}

/// Whether an expansion runs the text for some inputs.
fn runs_text(items: &[Item]) -> bool {
    items::flat(items).any(|item| item.is("__text"))
}

/// What a report says where the text's accesses are not made before it writes.
const UNCHECKED: &str = "each access checked where it stands";

/// The text at each level.
fn levels(text: &str) -> Vec<(u8, String)> {
    if let Some(level) = stated_level(text) {
        return vec![(level, text.to_owned())];
    }
    (0..=3)
        .map(|level| (level, at_level(text, level)))
        .collect()
}

/// The level that a text asks for: passes by name are as free as those of the highest one.
fn stated_level(text: &str) -> Option<u8> {
    if text.contains("pipeline = [") {
        return Some(3);
    }
    let rest = text.split("level = ").nth(1)?;
    let digit = rest.chars().next()?.to_digit(10)?;
    u8::try_from(digit).ok()
}

/// The text, asking for a level if it asks for none.
pub fn at_level(text: &str, level: u8) -> String {
    if stated_level(text).is_some() {
        return text.to_owned();
    }
    match text.contains("#[opt(") {
        true => text.replacen("#[opt(", &format!("#[opt(level = {level}, "), 1),
        false => text.replacen(
            "pub fn kernel",
            &format!("#[opt(level = {level})] pub fn kernel"),
            1,
        ),
    }
}

/// The items that a text expands to, or the error.
fn items_of(text: &str) -> Result<Vec<Item>, String> {
    let tokens: TokenStream = text
        .parse()
        .map_err(|_| "the text is not even tokens".to_owned())?;
    let facade: TokenStream = "::loopwright".parse().unwrap_or_default();
    let expansion = AssertUnwindSafe(|| expand_with(&facade, tokens, &Settings::default()))();
    let items = items::split(expansion);
    let errors = items.iter().find_map(|item| message(&item.code()));
    errors.map_or(Ok(items), Err)
}

/// A variant's code by its instruction set: functions, and the tables that they read.
fn code(items: &[Item], isa: Isa) -> String {
    let all = items::flat(items);
    let parts = all.filter(|item| item.isa() == Some(isa) || item.is_table());
    parts.map(Item::code).collect()
}

/// Puts modules together.
struct Builder {
    /// Variants that this processor can run are emulated as well.
    everything: bool,
    whole: bool,
    report: bool,
    /// Code that runs already.
    seen: HashSet<String>,
    built: Built,
}

impl Builder {
    /// Adds what is new in a level.
    fn add(&mut self, level: u8, items: &[Item]) {
        let has = |isa: &Isa| items::flat(items).any(|item| item.isa() == Some(*isa));
        let sets = [Isa::Scalar, Isa::Avx2, Isa::Avx512];
        let sets: Vec<Isa> = sets.into_iter().filter(has).collect();
        let reports = items::flat(items).filter(|item| item.is_report());
        self.built.passes.extend(reports.flat_map(Item::passes));
        let mut new: Vec<Isa> = sets.clone();
        new.retain(|isa| self.seen.insert(code(items, *isa)));
        if sets.is_empty() && self.built.runs.is_empty() {
            self.built.as_written = true;
            new.push(Isa::Scalar);
            new.extend(items::flat(items).filter_map(Item::text_isa));
        }
        // What is the text at one level is compared bit by bit: levels that are not it would differ by rounding.
        if new.is_empty() || self.built.as_written && !sets.is_empty() {
            return;
        }
        self.built.whole = self.whole;
        self.built.levels.push(level);
        self.module(level, items, &new, &|isa| !isa.is_available());
        let vectors = |isa: Isa| code(items, isa).contains("x86_64");
        new.retain(|isa| self.everything && isa.is_available() && vectors(*isa));
        if !new.is_empty() {
            self.module(level, items, &new, &|_| true);
        }
    }

    /// Adds a module with the variants of some instruction sets.
    fn module(&mut self, level: u8, items: &[Item], here: &[Isa], copied: &dyn Fn(Isa) -> bool) {
        let (built, whole, report) = (&mut self.built, self.whole, self.report);
        let first = built.modules.is_empty();
        let module = built.modules.len();
        let checks = items::flat(items).filter(|item| item.is("__check"));
        let check: String = checks.map(Item::code).collect();
        let partial = check.contains("->bool") || check.contains("-> bool");
        built.partial.push(partial);
        let mut reports = items::flat(items).filter(|item| item.is_report());
        let unchecked = reports.any(|item| item.code().contains(UNCHECKED));
        // Texts outside of the language have no inspector, and no word of it.
        let inspected = items::flat(items).any(|item| item.is("__inspect"));
        built
            .unchecked
            .push(unchecked || built.as_written && !inspected);
        let own_check = whole || first || check != built.check;
        if first {
            built.check = check;
        }
        // A kernel that runs its text at times, or runs it with its nests as kernels, needs it at each level.
        let runs_text = whole && items::flat(items).any(|item| item.is("__text"));
        let as_written = built.as_written || runs_text;
        // Calls of few elements go to variants that need not be new.
        let handed = |isa: Isa| whole && items::flat(items).any(|item| item.hands_over_to(isa));
        let called = |isa: Isa| here.contains(&isa) || handed(isa);
        // Texts are compiled for what the processor has: others are not called.
        let vectors_here = Isa::Avx512.is_available();
        let part = |item: &Item| match item.isa() {
            Some(isa) if called(isa) && copied(isa) => Part::Emulated,
            Some(isa) if called(isa) => Part::Native,
            Some(_) if whole => Part::Nothing,
            None if item.is_compiled_text() && vectors_here => Part::Native,
            None if item.is_text() && !first && !as_written => Part::Nothing,
            None if item.is("__check") && own_check => Part::Emulated,
            None if item.is_report() && report => Part::Emulated,
            None if item.is_glob() && !whole => Part::Gone,
            None if item.is_text() || item.is_table() || item.is_plain() => Part::Emulated,
            None if whole => Part::Emulated,
            _ => Part::Gone,
        };
        built.modules.push(match whole {
            true => items::assemble(items, &part),
            false => items::opened(items, &part),
        });
        for isa in here {
            let functions = || items::flat(items).filter(|item| item.isa() == Some(*isa));
            let scratch = functions().filter(|item| item.takes_scratch());
            built.runs.push(Run {
                module,
                check: if own_check { module } else { 0 },
                level,
                isa: *isa,
                emulated: copied(*isa),
                scratch: scratch.map(|item| item.name().to_owned()).collect(),
                functions: functions().map(|item| item.name().to_owned()).collect(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALED: &str = "pub fn kernel(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() { y[i] = 2.0 * x[i]; } }";

    fn built(text: &str) -> Built {
        match expand(text, Depth::Everything, true) {
            Expanded::Built(built) => built,
            other => panic!("this kernel is accepted: {other:?}"),
        }
    }

    #[test]
    fn copies_have_no_features_and_no_intrinsics() {
        let built = built(&format!("#[opt(level = 1)] {SCALED}"));
        let emulated: Vec<Run> = built.runs.iter().filter(|r| r.emulated).cloned().collect();
        let copy = &built.modules[emulated.last().expect("it has vectors").module];
        for part in ["target_feature", "x86_64"] {
            assert!(!copy.contains(part), "{copy}");
        }
        assert!(copy.contains("support::emulated"), "{copy}");
        let wide = |isa| emulated.iter().any(|run| run.isa == isa);
        assert!(wide(Isa::Avx512) || Isa::Avx512.is_available());
        assert!(wide(Isa::Avx2));
    }

    #[test]
    fn scalar_code_runs_once() {
        // Sums in the order of the text have no lanes.
        let built = built(
            "#[opt(strict)] pub fn kernel(x: &[f64]) -> f64 {
                let mut s = 0.0;
                for i in 0..x.len() { s += x[i]; }
                s
            }",
        );
        assert_eq!(built.runs.len(), 1, "{:?}", built.runs);
        assert_eq!(built.levels, [0]);
    }

    #[test]
    fn what_runs_before_a_text_is_there_too() {
        let swept = "pub fn kernel(x: &[f64], y: &mut [f64]) {
            for i in 1..x.len() { y[i] = y[i - 1] + x[i]; } }";
        for (text, whole, unchecked) in [
            (SCALED.to_owned(), false, false),
            (swept.to_owned(), true, false),
            (
                swept.replace("y[i - 1]", "y[(x[i] as usize) % i]"),
                true,
                true,
            ),
        ] {
            let Expanded::Built(built) = expand(&text, Depth::Variants, false) else {
                panic!("this kernel is accepted: {text}");
            };
            assert_eq!(
                (built.whole, built.unchecked[0]),
                (whole, unchecked),
                "{text}"
            );
        }
    }

    #[test]
    fn levels_with_new_code_run() {
        let built = built(&SCALED.replace("2.0 * x[i]", "2.0 * x[i] + 1.0"));
        assert!(built.levels.starts_with(&[0, 1]), "{:?}", built.levels);
        let levels: Vec<u8> = built.runs.iter().map(|run| run.level).collect();
        assert!(levels.is_sorted() && levels.contains(&1), "{levels:?}");
    }

    #[test]
    fn what_calls_of_few_elements_go_to_is_there() {
        // The scalar code is that of level 0, and would be left out of the modules of other levels.
        let built = built(
            "pub fn kernel(cells: &[[usize; 2]], y: &mut [[f64; 6]]) {
                static TABLE: [[[f64; 3]; 2]; 1] = tabulate!(interval, quadrature(2), lagrange(2), gradient);
                for e in 0..cells.len() { y[e + 3][3] += TABLE[0][0][1]; }
            }",
        );
        let hands = |module: &&String| module.contains("Avx512 if");
        let handing: Vec<&String> = built.modules.iter().filter(hands).collect();
        assert!(!handing.is_empty());
        assert!(
            built
                .runs
                .iter()
                .any(|run| run.isa == Isa::Scalar && run.module == 0)
        );
        for module in handing {
            let (_, scalar) = module.split_once("fn __scalar").expect("a variant");
            let (_, body) = scalar.split_once('{').expect("its body");
            assert!(!body.trim_start().starts_with("::support"), "{module}");
        }
    }

    #[test]
    fn errors_are_rejections() {
        let rejected = expand(
            "#[opt(require_lanes)] pub fn kernel(y: &mut [f64]) { while true {} }",
            Depth::Variants,
            false,
        );
        assert!(
            matches!(&rejected, Expanded::Rejected(message) if message.contains("a loop")),
            "{rejected:?}"
        );
    }
}
