//! A program for each instruction set, scheduled and validated.

use crate::analysis::cost::Cost;
use crate::analysis::fusion::{self, Memory};
use crate::analysis::traffic::traffic;
use crate::diagnostics::Fault;
use crate::emit::{self, Variant};
use crate::ir::{Element, Program};
use crate::machine::{self, register_bits};
use crate::report::{Clock, Facts, LanesFacts, LevelFacts, PassFacts};
use crate::schedule::few::Candidate;
use crate::schedule::short_rows::short_rows;
use crate::schedule::views::Views;
use crate::schedule::wishes::{Ignored, ignored};
use crate::schedule::{
    self, Prepared, Scheduled, Target, Wishes, buffers,
    executed::{Executed, executed},
};
use crate::syntax::ast::{Function, IsaName};
use crate::verify::{Subject, Validation};

use super::defects::Plant;
use super::few_bits::FewBits;
use super::few_elements;
use super::layouts::{Layouts, Others};
use super::planned::{Planned, Plans};
use super::stages::Stages;
use super::texts::Looking;
use super::validated::Validated;
use super::{advice, bounded, layouts, texts};

/// Why a program cannot be expanded.
pub enum Refusal {
    /// It has no schedule.
    Schedule(String),
    /// It cannot be compared with the source.
    Unchecked(String),
    /// It breaks rules of programs.
    Broken(String),
    /// It is not the source.
    Invalid(String),
    /// It does not do what an option asks for.
    Ignored(Fault),
}

/// The variants of the program that the passes left; the report says what was decided.
pub fn variants(
    function: &Function,
    subject: &Subject,
    stages: &mut Stages,
    plant: &Plant,
    clock: &mut Clock,
) -> Result<Vec<Variant>, Refusal> {
    let Stages { stages, facts, .. } = stages;
    let program = stages.last().map_or(subject.lowered, |s| &s.program);
    let wishes = wishes(function);
    let (mut result, mut few) = (Vec::new(), Vec::new());
    let between = stages.iter().map(|stage| &stage.program).collect();
    let few_bits = FewBits::of(program);
    let most = few_bits.widest(function, elements(function, program));
    let validation = Validation::new(subject, most).by_way_of(program, between);
    validation.possible().map_err(Refusal::Unchecked)?;
    let mut validated = Validated::new(validation);
    let one_lane = target(IsaName::Scalar, Element::F64);
    let found = Prepared::of(program, &wishes).map_err(Refusal::Schedule)?;
    let wanted = wanted(function, program);
    let plans = Plans::read(function, (subject.lowered, program), &targets(&wanted))?;
    let planned = plans.of(IsaName::Scalar, one_lane).map(Planned::scheduled);
    // What a plan says is not known to be the kernel, and stands in for nothing else.
    let search = || schedule::prepared(&found, one_lane, &wishes).ok();
    let searched = planned.is_none().then(search).flatten();
    let mut before = (facts.passes.last()).map_or(facts.expansion, |pass| pass.after);
    facts.lanes.clear();
    facts.traffic = traffic(subject.lowered);
    // In the nearest cache there is no need to fuse.
    let memory = fusion::memory(program, machine::FIRST as u64 / 8);
    if let Some(scalar) = planned.as_ref().or(searched.as_ref()) {
        count(facts, scalar, &before);
    }
    let compiled = texts::compiled(function, (subject.lowered, program), facts);
    let looking = Looking::of(subject.lowered, &facts.traffic);
    let others = Others::of(program);
    let layouts = Layouts::new(function, &wishes, (&others, searched.as_ref()));
    let asked = (&wishes, searched.as_ref());
    for (mut element, isa) in wanted {
        let mut target = target(isa, element);
        let planned = plans.of(isa, target);
        let mut scheduled = match (planned, &searched) {
            (Some(planned), _) => planned.scheduled(),
            (None, Some(scalar)) if target == one_lane => scalar.clone(),
            _ => scheduled_for(function, (isa, target), &found, asked)?,
        };
        let whole = (isa, target);
        let own = (&mut scheduled, &mut element, &mut target);
        let narrow = || few_bits.replace(isa, own, &wishes);
        let wider = planned.is_none().then(narrow).flatten();
        if let Some(ignored) = ignored((&scheduled, target), &wishes, subject.lowered) {
            return Err(Refusal::Ignored(disobeyed(function, &ignored)));
        }
        let rows = (scheduled.cycles, planned.is_some());
        let records = layouts.records(whole, rows, &mut validated)?;
        let cycles = records.as_ref().unwrap_or(&scheduled).cycles;
        let (text, near) = looking.instead(compiled.as_ref(), isa, cycles);
        let lanes = advice::lanes(isa, (&scheduled, target), (program, &facts.per))
            .of_text(text.map(|(part, _)| part));
        if let Some(fault) = advice::required(function, &lanes, (program, target)) {
            return Err(Refusal::Ignored(fault));
        }
        note_lanes(facts, lanes);
        plant.after_schedule(&mut scheduled);
        clock.lap("schedule");
        if validated.check((target, planned, Views::Rows), &mut scheduled)? {
            clock.lap("verify");
            let memory = memory.filter(|_| validated.is_first());
            note_schedule((function, isa, &scheduled), facts, &mut before, memory);
        }
        advice::large(facts, isa, &scheduled);
        let shared = Shared::new(function, (isa, element), (text, near));
        // Views of other layouts have lanes of the elements that there are.
        let own = ((element, target), &scheduled);
        let (of, rows) = wider.as_ref().map_or(own, |(of, whole)| (*of, whole));
        let found = (rows, (text.is_some(), planned.is_some()));
        let beside = layouts.beside(found, records, (isa, of.1), &mut validated)?;
        layouts::note(facts, isa, &beside);
        few.push(shared.few(&scheduled));
        result.push(shared.variant(scheduled, (of.0, beside)));
    }
    few_elements::decide(function, &mut result, (&few, compiled.as_ref()), facts);
    emit::distinct(&mut result);
    facts.advice = advice::faster(function, facts, (subject.lowered, &result));
    Ok(result)
}

/// The name of what the report says of a schedule.
pub(super) fn scheduled_for_isa(isa: IsaName) -> String {
    format!("schedule for {isa:?}").to_lowercase()
}

/// Notes lanes: of a generic kernel, the code for `f64` stands for all.
fn note_lanes(facts: &mut Facts, lanes: LanesFacts) {
    if !facts.lanes.iter().any(|other| other.isa == lanes.isa) {
        facts.lanes.push(lanes);
    }
}

/// Notes a schedule, before which so many operations are counted.
fn note_schedule(
    (function, isa, scheduled): (&Function, IsaName, &Scheduled),
    facts: &mut Facts,
    before: &mut Cost,
    memory: Option<Memory>,
) {
    facts.notes.extend(bounded::note(function, isa, scheduled));
    let before = std::mem::replace(before, facts.expansion);
    let own = scheduled_facts(isa, scheduled, (&before, &facts.expansion), memory);
    facts.passes.push(own);
}

/// What the report says of a schedule, before and after which operations are counted.
fn scheduled_facts(
    isa: IsaName,
    scheduled: &Scheduled,
    (before, after): (&Cost, &Cost),
    memory: Option<Memory>,
) -> PassFacts {
    let repeated = repeated(before, after);
    let mut decisions = vec![scheduled.decision.clone()];
    decisions.extend(repeated.clone());
    decisions.extend(memory.map(|memory| fusions(&memory, after)));
    PassFacts {
        name: scheduled_for_isa(isa),
        before: *before,
        after: *after,
        did: repeated.unwrap_or_default(),
        decisions,
    }
}

/// What the code for small extents and that for large ones have in common.
struct Shared {
    isa: IsaName,
    element: Element,
    fused: bool,
    text: Option<IsaName>,
    near: bool,
    /// Other variants may run: for rows that are short.
    is_free: bool,
}

impl Shared {
    fn new(
        function: &Function,
        (isa, element): (IsaName, Element),
        (text, near): (Option<(f64, IsaName)>, bool),
    ) -> Self {
        Shared {
            isa,
            element,
            fused: !function.options.is_exact() && isa != IsaName::Scalar,
            text: text.map(|(_, compiled_for)| compiled_for),
            near,
            is_free: texts::is_free(function),
        }
    }

    /// What calls of few elements may go to, where the variant of a schedule is what runs.
    fn few(&self, scheduled: &Scheduled) -> Option<Candidate> {
        let runs = self.is_free && self.text.is_none();
        runs.then(|| Candidate::of(self.isa, scheduled)).flatten()
    }

    /// The variant of a schedule, with those for other layouts of views beside it.
    fn variant(
        &self,
        scheduled: Scheduled,
        (element, beside): (Element, Vec<(Views, Scheduled)>),
    ) -> Variant {
        let otherwise = beside.into_iter();
        let otherwise = otherwise.map(|(views, scheduled)| Variant {
            element,
            ..self.of(views, scheduled)
        });
        Variant {
            otherwise: otherwise.collect(),
            ..self.of(Views::Rows, scheduled)
        }
    }

    /// The same for one layout, with that for large extents beside it.
    fn of(&self, views: Views, scheduled: Scheduled) -> Variant {
        let of = |program, schedule, is_large| Variant {
            isa: self.isa,
            element: self.element,
            fused: self.fused,
            program,
            schedule,
            text: self.text,
            near: self.near,
            short: Vec::new(),
            is_large,
            runs: Vec::new(),
            large: None,
            views,
            otherwise: Vec::new(),
        };
        let short = || short_rows(&scheduled.program, &scheduled.schedule);
        let short = self.is_free.then(short).flatten();
        let large = scheduled.large.map(|large| emit::Large {
            variant: Variant {
                runs: large.products.iter().flat_map(|own| own.loops).collect(),
                ..of(large.program, large.schedule, true)
            },
            products: large.products,
            arrays: large.arrays,
        });
        Variant {
            large: large.map(Box::new),
            short: short.into_iter().collect(),
            ..of(scheduled.program, scheduled.schedule, false)
        }
    }
}

/// Says what scalar code executes.
fn count(facts: &mut Facts, scalar: &Scheduled, before: &Cost) {
    let counts = executed(&scalar.program, &scalar.schedule);
    facts.expansion = Cost {
        temporary_bytes: buffers::stored(&scalar.program, &scalar.schedule),
        ..operations(&counts.each(), before)
    };
    facts.once = counts.once();
    facts.levels = levels(&scalar.program, &counts);
}

/// The schedule for an instruction set, or the one without lanes where only that keeps a bound on memory. AVX-512 has
/// instructions for registers of 256 bits, too.
pub fn scheduled_for(
    function: &Function,
    (isa, target): (IsaName, Target),
    program: &Prepared,
    (wishes, without): (&Wishes, Option<&Scheduled>),
) -> Result<Scheduled, Refusal> {
    let found = match isa {
        IsaName::Avx512 => schedule::prepared_widths(program, target, wishes),
        IsaName::Avx2 | IsaName::Scalar => schedule::prepared(program, target, wishes),
    };
    let found = found.map_err(Refusal::Schedule)?;
    Ok(bounded::kept(function, found, without))
}

/// The error of an option that a loop tree does not obey.
fn disobeyed(function: &Function, ignored: &Ignored) -> Fault {
    let Ignored { name, reason } = ignored;
    let options = &function.options;
    let lanes = options.lanes.iter().find(|lanes| *lanes == name);
    let mut unrolled = options.unroll.iter().map(|(name, _)| name);
    let unrolled = unrolled.rfind(|other| *other == name);
    let (span, what) = match (lanes, unrolled) {
        (Some(lanes), _) => (lanes.span(), format!("lanes do not run over `{name}`")),
        (None, other) => (
            other.unwrap_or(&function.name).span(),
            format!("`{name}` is not unrolled"),
        ),
    };
    Fault::new(
        span,
        format!("{what}: {reason}"),
        "leave the option out, or name another loop",
    )
}

/// What is executed at each level, by the names of loops.
fn levels(program: &Program, executed: &Executed) -> Vec<LevelFacts> {
    let levels = executed.levels.iter();
    let levels = levels.filter(|level| level.cost != Cost::default());
    let joined = |names: Vec<String>, by: &str, none: &str| match names.is_empty() {
        true => none.to_owned(),
        false => names.join(by),
    };
    let levels = levels.map(|level| {
        let loops = level.loops.iter().map(|index| program.loop_index(*index));
        let names = loops.clone().map(|index| index.name.clone()).collect();
        let times = loops.filter_map(|index| index.extent.run_time());
        let times = times.map(|extent| match extent.terms.len() {
            1 if extent.constant == 0 => program.describe(extent),
            _ => format!("({})", program.describe(extent)),
        });
        LevelFacts {
            per: joined(names, ", ", "call"),
            times: joined(times.collect(), " * ", "1"),
            cost: level.cost,
        }
    });
    levels.collect()
}

/// What temporaries take with other loops fused.
fn fusions(memory: &Memory, scheduled: &Cost) -> String {
    let [unfused, fused] =
        [memory.unfused, memory.fused].map(|elements| elements.saturating_mul(8));
    let own = scheduled.temporary_bytes;
    format!(
        "temporaries: {own} bytes in scalar code, {unfused} without fusion, at least {fused} at the same \
         number of operations"
    )
}

/// The operations of one cost, and the bytes of another.
fn operations(of: &Cost, bytes: &Cost) -> Cost {
    Cost {
        temporary_bytes: bytes.temporary_bytes,
        table_bytes: bytes.table_bytes,
        ..*of
    }
}

/// Why a loop tree takes other operations than the program that the passes left.
fn repeated(before: &Cost, after: &Cost) -> Option<String> {
    let (before, after) = (before.operations(), after.operations());
    if after > before {
        let more = after - before;
        return Some(format!(
            "{more} operations are repeated: equations share values, but not the loops in which these are computed"
        ));
    }
    let fewer = before - after;
    (fewer > 0).then(|| {
        format!("{fewer} operations less: equal values that meet in one block are computed once")
    })
}

/// What the user wishes of loop trees.
pub fn wishes(function: &Function) -> Wishes {
    let unroll = function.options.unroll.iter();
    Wishes {
        lanes: function.options.lanes.as_ref().map(ToString::to_string),
        unroll: unroll
            .map(|(name, factor)| (name.to_string(), *factor))
            .collect(),
        require_lanes: function.options.require_lanes.is_some(),
        memory: function.options.memory,
        apart: false,
    }
}

/// The element types that variants are built for.
fn elements(function: &Function, program: &Program) -> Vec<Element> {
    if function.scalar_parameter.is_some() {
        return vec![Element::F64, Element::F32, Element::Generic];
    }
    // The widest type fills the registers; others take a part of them.
    let computed = program.reachable().into_iter();
    let computed = computed.map(|expr| program.pool.element(expr));
    let targets = program.equations.iter().map(|e| e.target.array);
    let targets = targets.map(|array| program.array(array).element);
    let used: Vec<Element> = computed.chain(targets).collect();
    let word = |wide: bool| {
        let mut words = used.iter().filter_map(|element| element.as_word());
        words
            .find(|ty| (ty.bits() == 64) == wide)
            .map(Element::Word)
    };
    let float = |element| used.contains(&element).then_some(element);
    let widest = float(Element::F64)
        .or(word(true))
        .or(float(Element::F32))
        .or(word(false));
    vec![widest.unwrap_or(Element::F64)]
}

/// The variants to build: an element type and an instruction set each. Other types than `f64` and
/// `f32` have scalar code alone, which in generic kernels stands for that of these two.
pub fn wanted(function: &Function, program: &Program) -> Vec<(Element, IsaName)> {
    let mut result = Vec::new();
    for element in elements(function, program) {
        for isa in &function.options.isa {
            let generic = element == Element::Generic;
            if generic == (*isa == IsaName::Scalar) || function.scalar_parameter.is_none() {
                result.push((element, *isa));
            }
        }
    }
    result
}

/// What variants are built for.
fn targets(wanted: &[(Element, IsaName)]) -> Vec<(IsaName, Target)> {
    let targets = wanted.iter();
    targets
        .map(|(element, isa)| (*isa, target(*isa, *element)))
        .collect()
}

/// What a variant for an instruction set is scheduled for, whose registers elements of a type fill.
pub fn target(isa: IsaName, element: Element) -> Target {
    let width = match isa {
        IsaName::Scalar => 1,
        vectors => register_bits(vectors) / element.bits(),
    };
    Target {
        width,
        registers: machine::registers(isa),
    }
}
