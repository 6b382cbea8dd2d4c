//! The passes of a kernel, one after another, and what the report says of them.

use crate::analysis::cost::{self, Cost};
use crate::analysis::range::Range;
use crate::analysis::{rounding, structure};
use crate::collections::HashMap;
use crate::diagnostics::{Fault, Span};
use crate::ir::{Equation, Extent, Program, Role};
use crate::lower::Lowered;
use crate::number::Number;
use crate::passes::{self, Pass, reciprocals, whole_sums};
use crate::report::{self, Clock, Facts, PassFacts};
use crate::syntax::{
    self,
    ast::{Function, IsaName, Module},
};
use crate::verify::{self, Subject};

use super::measure::Measure;
use super::{Settings, weighed};

/// A program after a pass.
pub struct Stage {
    /// The pass.
    pub name: &'static str,
    /// What it left.
    pub program: Program,
}

/// The program as lowered, and as the passes left it.
pub struct Stages {
    /// In order.
    pub stages: Vec<Stage>,
    /// What the report says.
    pub facts: Facts,
    /// What is wrong with the last program, if it breaks rules of programs: no pass ran after that.
    pub broken: Option<String>,
}

impl Stages {
    /// Runs the passes, up to the first one that leaves what is no program.
    pub fn run(
        function: &Function,
        lowered: &Lowered,
        passes: &[Pass],
        (mut facts, settings): (Facts, &Settings),
        clock: &mut Clock,
    ) -> Stages {
        let plant = &settings.plant;
        let checks = settings.checks_structure();
        let memory = function.options.memory.and_then(|n| u64::try_from(n).ok());
        let mut program = Program {
            memory,
            differencing: function.options.differencing,
            tile: (!has_lanes(function, &lowered.program)).then_some(1),
            divides: reciprocals::divides(&lowered.program),
            ..lowered.program.clone()
        };
        plant.after("lower", &mut program);
        facts.source.table_bytes = cost::program(&lowered.program).each.table_bytes;
        let mut stages = vec![Stage {
            name: "lower",
            program: program.clone(),
        }];
        let mut range = Range::of(&program);
        let mut left_out: Vec<&str> = Vec::new();
        let measure = Measure::of(passes);
        let mut cost = facts
            .passes
            .last()
            .map_or_else(Cost::default, |pass| pass.after);
        let mut broken = checks.then(|| violations(&program)).flatten();
        let passes = if broken.is_some() { &[] } else { passes };
        for (at, pass) in passes.iter().enumerate() {
            if pass.needs.is_some_and(|needed| left_out.contains(&needed)) {
                left_out.push(pass.name);
                continue;
            }
            let unchanged = program.clone();
            let decisions = match pass.alternatives(&program) {
                Some(others) => {
                    let later = pass.later(&passes[at + 1..]);
                    weighed::run(function, (pass, others, &later), &mut program)
                }
                None => decided(pass, &mut program),
            };
            let lost = range.left(&program).map(lossy);
            if let Some(reason) = lost.or_else(|| grown(&unchanged, &program)) {
                program = unchanged;
                left_out.push(pass.name);
                let note = format!("the pass `{}` is left out: {reason}", pass.name);
                facts.notes.push(note);
                continue;
            }
            plant.after(pass.name, &mut program);
            broken = checks.then(|| violations(&program)).flatten();
            if broken.is_some() {
                let name = pass.name;
                stages.push(Stage { name, program });
                break;
            }
            let released = whole_sums::released(&program);
            let last = stages.last();
            let changed = last.is_none_or(|last| differ(&last.program, &released));
            let before = cost;
            if changed {
                cost = measure.each(&released);
            }
            let name = pass.name;
            let said = pass_facts(name, (before, cost), decisions, changed);
            facts.passes.extend(runs(name, &program).then_some(said));
            let program = released;
            stages.push(Stage { name, program });
            clock.lap(name);
        }
        let mut result = Stages {
            stages,
            facts,
            broken,
        };
        if result.broken.is_none() {
            result.count();
            result.estimate(&lowered.program);
        }
        result
    }

    /// Says of the pass that bounds rounding errors what bound is left, where that takes no time.
    fn estimate(&mut self, text: &Program) {
        const MOST: u64 = 1 << 14;
        let Some(last) = self.stages.last() else {
            return;
        };
        let growth = |inputs| rounding::growth(text, &last.program, inputs, MOST);
        let (Some(usual), Some(near)) = (growth([0.0, 1.0]), growth([1e8, 1.0])) else {
            return;
        };
        let mut passes = self.facts.passes.iter_mut();
        if let Some(pass) = passes.find(|pass| pass.name == whole_sums::NAME) {
            pass.decisions.push(format!(
                "bound on rounding errors, estimated: {usual:.2} times the text's, {near:.2} times for \
                 inputs that differ little"
            ));
        }
    }

    /// The program that is scheduled.
    pub fn last(&self) -> Option<&Program> {
        self.stages.last().map(|stage| &stage.program)
    }

    /// Counts the last program.
    fn count(&mut self) {
        if let Some(program) = self.last() {
            let cost = cost::program(program);
            self.facts.expansion = cost.each;
            self.facts.once = cost.once;
            self.facts.levels = Vec::new();
        }
    }

    /// Takes the last pass back, and says so in the report; false if there is none.
    pub fn undo(&mut self, reason: &str) -> bool {
        if self.stages.len() < 2 {
            return false;
        }
        let Some(Stage { name, .. }) = self.stages.pop() else {
            return false;
        };
        let passes = &mut self.facts.passes;
        let last = passes.iter().position(|pass| pass.name == name);
        passes.truncate(last.unwrap_or(0));
        let note = format!("the pass `{name}` was taken back: {reason}");
        self.facts.notes.push(note);
        self.count();
        true
    }

    /// The first program that is not the source.
    pub fn first_wrong(&self, subject: &Subject) -> Option<usize> {
        let differs = |stage: &Stage| {
            let checked = verify::check_unscheduled(subject, &stage.program);
            matches!(checked, Err(verify::Refusal::Different(_)))
        };
        self.stages.iter().position(differs)
    }

    /// Keeps the first programs alone, and says why in the report; false if none is left.
    pub fn keep(&mut self, count: usize, note: &str) -> bool {
        if count == 0 || count >= self.stages.len() {
            return false;
        }
        // The first program is that before all passes. What schedules did goes too.
        let first = self.stages[1].name;
        let first = self.facts.passes.iter().position(|p| p.name == first);
        // A program that breaks rules is counted nowhere.
        let first = first.unwrap_or(self.facts.passes.len());
        self.facts.passes.truncate(first + count - 1);
        self.stages.truncate(count);
        self.facts.notes.push(note.to_owned());
        self.count();
        true
    }
}

/// What is wrong with a constant.
fn lossy(number: Number) -> String {
    let number = number.to_f64();
    format!("it would make a constant {number:e}, which numbers of its type cannot be without loss")
}

/// What the report says of a pass.
fn pass_facts(
    name: &str,
    (before, after): (Cost, Cost),
    mut decisions: Vec<String>,
    changed: bool,
) -> PassFacts {
    decisions.push(outcome(&before, &after));
    let mut facts = PassFacts {
        name: name.to_owned(),
        before,
        after,
        decisions,
        did: String::new(),
    };
    if changed {
        facts.did = report::did(&facts);
    }
    facts
}

/// Whether two programs differ in what they compute, and how.
fn differ(one: &Program, other: &Program) -> bool {
    if one.equations.len() != other.equations.len() {
        return true;
    }
    let declared = one.arrays == other.arrays && one.indices == other.indices;
    let mut known = HashMap::default();
    let mut pairs = one.equations.iter().zip(&other.equations);
    !declared
        || pairs.any(|(one_equation, equation)| {
            let expr = (one.pool).find_in(&other.pool, one_equation.expr, &mut known);
            let there = expr.map(|expr| Equation {
                expr,
                ..one_equation.clone()
            });
            there.as_ref() != Some(equation)
        })
}

/// The rules of programs that one breaks.
fn violations(program: &Program) -> Option<String> {
    let all = structure::violations(program);
    let all: Vec<String> = all.iter().map(ToString::to_string).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

/// Elements of temporaries and tables that a pass may lead to, in all iterations of their loops, and
/// equations: what follows takes time for each.
const MOST_ELEMENTS: usize = 1 << 22;
const MOST_EQUATIONS: usize = 1 << 13;

/// What a pass made more of than there may be.
fn grown(before: &Program, after: &Program) -> Option<String> {
    let elements = |program: &Program| {
        let arrays = program
            .arrays
            .iter()
            .filter(|array| matches!(array.role, Role::Temporary | Role::Table(_)));
        let each = arrays.map(|array| {
            let extents = array.shape.iter().filter_map(Extent::as_constant);
            extents.fold(1, usize::saturating_mul)
        });
        each.fold(0, usize::saturating_add)
    };
    let more = |count: &dyn Fn(&Program) -> usize, most: usize| {
        let (earlier, later) = (count(before), count(after));
        (later > most && later > earlier).then_some(later)
    };
    if let Some(count) = more(&elements, MOST_ELEMENTS) {
        return Some(format!(
            "it would make {count} elements of temporaries and tables"
        ));
    }
    let count = more(&|program| program.equations.len(), MOST_EQUATIONS)?;
    Some(format!("it would make {count} equations"))
}

/// The program with a pass and without it: what the pass was chosen against.
fn outcome(before: &Cost, after: &Cost) -> String {
    let one = |cost: &Cost| {
        let (operations, bytes) = (cost.operations(), cost.temporary_bytes + cost.table_bytes);
        format!("{operations} operations and {bytes} bytes")
    };
    format!("{} with it, {} without", one(after), one(before))
}

/// What the report says of the text.
pub fn source_facts(module: &Module, function: &Function) -> Facts {
    let source = syntax::cost::cost(module, function);
    Facts {
        kernel: function.name.to_string(),
        per: if source.per.is_empty() {
            "call".to_owned()
        } else {
            source.per.join(", ")
        },
        source: source.each.into(),
        ..Facts::default()
    }
}

/// Whether lanes may run over a loop of run-time extent, as far as the kernel's options say.
fn has_lanes(function: &Function, program: &Program) -> bool {
    let options = &function.options;
    let vectors = options
        .isa
        .iter()
        .any(|isa| !matches!(isa, IsaName::Scalar));
    let over = options.lanes.as_ref().is_none_or(|lanes| {
        let mut named = program.indices.iter().filter(|index| *lanes == index.name);
        named.any(|index| index.extent.as_constant().is_none())
    });
    vectors && over
}

/// Options that nothing can obey.
///
/// # Errors
/// The first of them.
pub fn possible(function: &Function) -> Result<(), Fault> {
    let options = &function.options;
    let (span, lanes) = match (&options.lanes, &options.require_lanes) {
        (Some(lanes), _) => (lanes.span(), format!("lanes do not run over `{lanes}`")),
        (None, Some(option)) => (option.span(), "there are no lanes".to_owned()),
        (None, None) => return Ok(()),
    };
    match options.isa.iter().all(|isa| matches!(isa, IsaName::Scalar)) {
        true => Err(Fault::new(
            span,
            format!("{lanes}: scalar code has none"),
            "leave the option out, or build other instruction sets",
        )),
        false => Ok(()),
    }
}

/// Options on loops are not obeyed where the text runs as it is written.
///
/// # Errors
/// The first of them, if `fallback` does not say that this is as good.
pub fn obeyed(function: &Function, (span, reason, help): (Span, &str, &str)) -> Result<(), Fault> {
    let options = &function.options;
    if options.require_lanes.is_some() {
        let message = format!(
            "`{}` has no lanes, which `require_lanes` asks for: it would run as written, since {reason}",
            function.name
        );
        return Err(Fault::new(span, message, help));
    }
    let Some((span, option)) = options.on_loops() else {
        return Ok(());
    };
    match options.fallback {
        true => Ok(()),
        false => Err(Fault::new(
            span,
            format!("{option} cannot be obeyed, since the kernel runs as written: {reason}"),
            "leave the option out, or add `fallback`",
        )),
    }
}

/// Options that change nothing, for the report.
pub fn limits(function: &Function, pipeline: &[Pass]) -> Vec<String> {
    let mut notes = Vec::new();
    let has = |name: &str| pipeline.iter().any(|pass| pass.name == name);
    let options = &function.options;
    if options.memory.is_some() && !has("pre_evaluation") {
        notes.push("`memory`: no pass of this level trades memory for operations".to_owned());
    }
    notes
}

/// What the report says of the program that the text becomes before any pass.
pub fn lowered_facts(facts: &Facts, lowered: &Lowered, passes: &[Pass]) -> PassFacts {
    let after = Measure::of(passes).each(&lowered.program);
    let count = lowered.program.equations.len();
    let before = Cost {
        table_bytes: after.table_bytes,
        ..facts.source
    };
    let mut facts = PassFacts {
        name: "lower".to_owned(),
        before,
        after,
        decisions: vec![format!("{count} equations"), outcome(&before, &after)],
        ..PassFacts::default()
    };
    if before.operations() != after.operations() && passes.iter().any(|p| p.name == "code_motion") {
        facts.did = report::did(&facts);
    }
    facts
}

/// What the report says of the clean-up of tables, which runs before lowering.
pub fn cleaned_facts(cost: Cost, mut decisions: Vec<String>) -> PassFacts {
    let changed = !decisions.is_empty();
    if decisions.is_empty() {
        decisions.push("no entry changes".to_owned());
    }
    let mut facts = PassFacts {
        name: passes::clean_tables::NAME.to_owned(),
        before: cost,
        after: cost,
        decisions,
        ..PassFacts::default()
    };
    if changed {
        facts.did = report::did(&facts);
    }
    facts
}

/// Whether a pass runs. A text that divides nothing but one means reciprocals, and none is scaled.
fn runs(name: &str, program: &Program) -> bool {
    program.divides || name != reciprocals::NAME
}

/// Runs a pass; what it decided.
fn decided(pass: &Pass, program: &mut Program) -> Vec<String> {
    match runs(pass.name, program) {
        true => pass.run(program),
        false => Vec::new(),
    }
}
