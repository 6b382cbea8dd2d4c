//! One kernel.

use std::cell::OnceCell;
use std::rc::Rc;

use proc_macro2::TokenStream;

use crate::analysis::joint_axes::joint_axes;
use crate::diagnostics::{Fault, Span};
use crate::emit::{self, Variant};
use crate::ir::Program;
use crate::lower::{self, Lowered, Problem};
use crate::passes::{Pipeline, code_motion};
use crate::report::{self, Clock};
use crate::syntax;
use crate::syntax::ast::{Function, FunctionId, Module};
use crate::verify::{Subject, Work};

use super::advice;
use super::asked::{cleaned, pipeline};
use super::candidates::{Source, candidates};
use super::nests;
use super::pages;
use super::stages::{self, Stages};
use super::variants::{self, Refusal};
use super::worth::Saved;
use super::{InternalErrors, REPORT_IT, Settings, caught};

/// What the kernels of a block have in common.
#[derive(Clone, Copy)]
pub struct Block<'a> {
    /// Path of the facade.
    pub krate: &'a TokenStream,
    /// The block.
    pub module: &'a Module,
    /// Its text.
    pub text: &'a TokenStream,
    /// What does not stand in the text.
    pub settings: &'a Settings,
    /// Nests of a text may be kernels of their own.
    pub nests: bool,
    /// What has been validated of the kernel.
    pub work: &'a Rc<Work>,
}

/// Why a kernel runs as written.
struct Reason {
    span: Span,
    message: String,
    help: String,
}

impl Reason {
    fn of(problem: Problem) -> Reason {
        Reason {
            span: problem.span,
            message: problem.message,
            help: problem.help,
        }
    }
}

/// The items of a kernel that has a program, and of a nest what this saves of the text, if it runs instead for some instruction
/// set; or why the kernel has none.
type Expanded = Result<(TokenStream, Option<Saved>), Reason>;

/// A program with its variants.
struct Optimised {
    stages: Stages,
    variants: Vec<Variant>,
}

impl Block<'_> {
    /// As [`expand`](Self::expand); a panic of the compiler is no worse than an expansion that is not the
    /// source.
    pub fn guarded(self, id: FunctionId, clock: &Clock) -> Result<TokenStream, Fault> {
        let function = &self.module.functions[id.0];
        let error = |message| Fault::new(function.name.span(), message, REPORT_IT);
        match caught(|| self.expand(id, clock.clone())) {
            Ok(expansion) => expansion,
            Err(message) if self.settings.internal_errors == InternalErrors::Strict => {
                Err(error(message))
            }
            Err(message) => {
                let reason = Reason {
                    span: function.name.span().into(),
                    message,
                    help: REPORT_IT.to_owned(),
                };
                caught(|| self.as_written(function, &reason, clock))
                    .unwrap_or_else(|message| Err(error(message)))
            }
        }
    }

    /// The items of a kernel, and its report files if they are wanted.
    pub fn expand(self, id: FunctionId, mut clock: Clock) -> Result<TokenStream, Fault> {
        let function = &self.module.functions[id.0];
        stages::possible(function)?;
        let pipeline = pipeline(function)?;
        let (module, cleaned) = cleaned(self.module, function, &pipeline);
        let block = Block {
            module: module.as_ref(),
            ..self
        };
        let function = &block.module.functions[id.0];
        if self.settings.as_written {
            return block.unoptimised(function, &clock);
        }
        let changes = (&pipeline, cleaned.as_deref());
        match block.programs(id, changes, &mut clock)? {
            Ok((items, _)) => Ok(items),
            Err(reason) => block.as_written(function, &reason, &clock),
        }
    }

    /// The items of a kernel if it has a program that runs instead of its text, for some instruction set.
    pub fn optimised_items(
        self,
        id: FunctionId,
        clock: &mut Clock,
    ) -> Option<(TokenStream, Saved)> {
        let function = &self.module.functions[id.0];
        let pipeline = pipeline(function).ok()?;
        let (module, cleaned) = cleaned(self.module, function, &pipeline);
        let block = Block {
            module: module.as_ref(),
            ..self
        };
        let changes = (&pipeline, cleaned.as_deref());
        let (items, saved) = block.programs(id, changes, clock).ok()?.ok()?;
        Some((items, saved?))
    }

    /// What becomes of a kernel that may have a program.
    fn programs(
        self,
        id: FunctionId,
        changes: (&Pipeline, Option<&[String]>),
        clock: &mut Clock,
    ) -> Result<Expanded, Fault> {
        let function = &self.module.functions[id.0];
        match self.expanded(id, changes, function, clock)? {
            Ok(expanded) => Ok(expanded),
            Err(problem) if problem.opaque || function.options.fallback => {
                let precomputed = self.precomputed(id, changes, clock)?;
                Ok(precomputed.unwrap_or(Err(Reason::of(problem))))
            }
            Err(problem) => Err(Fault::new(problem.span, problem.message, problem.help)),
        }
    }

    /// The items of a kernel whose text has no program, but one where a call computes some integers before it, or why it
    /// has none either; nothing where there are no such integers.
    fn precomputed(
        self,
        id: FunctionId,
        changes: (&Pipeline, Option<&[String]>),
        clock: &mut Clock,
    ) -> Result<Option<Expanded>, Fault> {
        let written = &self.module.functions[id.0];
        let Some((function, tables)) = syntax::precomputed(&self.module.tables, written) else {
            return Ok(None);
        };
        let mut module = self.module.clone();
        module.functions[id.0] = function;
        module.tables = tables;
        let block = Block {
            module: &module,
            ..self
        };
        let expanded = block.expanded(id, changes, written, clock)?;
        Ok(Some(
            expanded.unwrap_or_else(|problem| Err(Reason::of(problem))),
        ))
    }

    /// What becomes of a kernel of which the text is `written`; why it has no program.
    fn expanded(
        self,
        id: FunctionId,
        (pipeline, cleaned): (&Pipeline, Option<&[String]>),
        written: &Function,
        clock: &mut Clock,
    ) -> Result<Result<Expanded, Problem>, Fault> {
        let function = &self.module.functions[id.0];
        let source = Source {
            module: self.module,
            function,
            pipeline,
            cleaned,
            settings: self.settings,
        };
        let candidates = match candidates(source, clock) {
            Ok(candidates) => candidates,
            Err(problem) => return Ok(Err(problem)),
        };
        let mut reason: Option<Reason> = None;
        for mut candidate in candidates {
            let stages = candidate.passed(source, clock);
            let lowered = &candidate.lowered;
            match self.optimised(id, lowered, stages, clock)? {
                Ok(optimised) => {
                    let items = self.emit((function, written), lowered, &optimised, clock)?;
                    let (program, of) = (&lowered.program, &optimised);
                    // Nests alone are weighed against what calls them.
                    let saved = || Saved::where_lanes(program, &of.stages, &of.variants);
                    let saved = if self.nests { None } else { saved() };
                    return Ok(Ok(Ok((items, saved))));
                }
                Err(other) => reason = reason.or(Some(other)),
            }
        }
        match reason {
            Some(reason) => Ok(Ok(Err(reason))),
            None => Err(Fault::new(
                function.name.span(),
                "internal compiler error: neither a program nor a reason",
                "please report this kernel",
            )),
        }
    }

    /// A kernel that is read, lowered for the errors that this finds, and runs as it is written.
    fn unoptimised(self, function: &Function, clock: &Clock) -> Result<TokenStream, Fault> {
        let exact = function.options.keeps_operations();
        let lowered = lower::lower_with(self.module, function, exact, lower::Arrays::Large);
        match lowered {
            Err(problem) if !problem.opaque && !function.options.fallback => {
                Err(Fault::new(problem.span, problem.message, problem.help))
            }
            _ => {
                let reason = Reason {
                    span: function.name.span().into(),
                    message: "the environment asks for it".to_owned(),
                    help: String::new(),
                };
                self.as_written(function, &reason, clock)
            }
        }
    }

    /// The variants, without the last passes where these leave a program that has no schedule; or
    /// why there are none.
    fn optimised(
        self,
        id: FunctionId,
        lowered: &Lowered,
        mut stages: Stages,
        clock: &mut Clock,
    ) -> Result<Result<Optimised, Reason>, Fault> {
        let function = &self.module.functions[id.0];
        let subject = Subject::new(self.module, id, lowered).after(self.work);
        let subject = subject.by_way_of(|program| {
            code_motion::run(program);
        });
        let mut sound = false;
        let (message, help) = loop {
            let plant = &self.settings.plant;
            let result = match stages.broken.take() {
                Some(violations) => Err(Refusal::Broken(violations)),
                None => variants::variants(function, &subject, &mut stages, plant, clock),
            };
            let (wrong, difference) = match result {
                Ok(variants) => return Ok(Ok(Optimised { stages, variants })),
                // Without the last pass there may be a schedule: fewer temporaries have to live.
                Err(Refusal::Schedule(reason)) => {
                    if !stages.undo(&reason) {
                        break (
                            reason,
                            "keep the loops over cells together, or split the kernel",
                        );
                    }
                    continue;
                }
                Err(Refusal::Unchecked(reason)) => {
                    let message = format!("it cannot be validated: {reason}");
                    break (
                        message,
                        "let the loops run over the lengths that the arrays have",
                    );
                }
                Err(Refusal::Ignored(fault)) => return Err(fault),
                Err(Refusal::Broken(violations)) => {
                    let last = stages.stages.len() - 1;
                    (Some(last), format!("is no program: {violations}"))
                }
                Err(Refusal::Invalid(difference)) => {
                    // Where only schedules are wrong, fewer passes leave programs that are right.
                    let wrong = match sound {
                        true => None,
                        false => stages.first_wrong(&subject),
                    };
                    sound |= wrong.is_none();
                    (wrong, format!("is not its source ({difference})"))
                }
            };
            let pass = wrong.map_or("schedule", |at| stages.stages[at].name);
            let message = format!(
                "internal compiler error in the pass `{pass}`: the expansion of `{}` {difference}",
                function.name
            );
            if self.settings.internal_errors == InternalErrors::Strict {
                return Err(Fault::new(function.name.span(), message, REPORT_IT));
            }
            // The program before that pass is the source; where the schedule is wrong, another
            // program has another one.
            let kept = wrong.unwrap_or(stages.stages.len() - 1);
            if !stages.keep(kept, &format!("{message}; {REPORT_IT}")) {
                break (message, REPORT_IT);
            }
        };
        Ok(Err(Reason {
            span: function.name.span().into(),
            message,
            help: help.to_owned(),
        }))
    }

    fn emit(
        self,
        (function, written): (&Function, &Function),
        lowered: &Lowered,
        optimised: &Optimised,
        clock: &mut Clock,
    ) -> Result<TokenStream, Fault> {
        let mut facts = optimised.stages.facts.clone();
        let always = lowered.assumed.is_empty()
            && lowered.expected.is_empty()
            && lowered.program.limited.is_empty()
            && !emit::computes_before(function);
        let inspector = match always {
            true => None,
            false => emit::inspector(self.krate, self.module, written).unwrap_or_else(|why| {
                facts
                    .notes
                    .push(format!("where the text runs: {}", unchecked(&why)));
                None
            }),
        };
        let facts = &facts;
        let mut kernel = emit::Kernel {
            krate: self.krate,
            module: self.module,
            function,
            lowered: &lowered.program,
            reached: &lowered.reached,
            expected: &lowered.expected,
            bounds: &lowered.bounds,
            assumed: &lowered.assumed,
            shortened: &lower::shortened(function, lowered),
            joint: &joint_axes(&lowered.program, &lowered.assumed),
            variants: &optimised.variants,
            inspector: inspector.as_ref(),
            told: OnceCell::new(),
            nested: None,
            report: report::constant(self.krate, facts),
            comments: false,
        };
        let help = "check the subscripts against the extents of the parameters";
        let items = emit::kernel(&kernel)
            .map_err(|message| Fault::new(function.name.span(), message, help))?;
        clock.lap("emit");
        kernel.comments = true;
        pages::write(
            (self.settings, self.text),
            &kernel,
            Some(lowered),
            (facts, &optimised.stages.stages),
            clock,
        )?;
        Ok(items)
    }

    /// A kernel without a program: its text is what runs, and the report says why.
    fn as_written(
        self,
        function: &Function,
        reason: &Reason,
        clock: &Clock,
    ) -> Result<TokenStream, Fault> {
        if !self.settings.as_written {
            stages::obeyed(function, (reason.span, &reason.message, &reason.help))?;
        }
        let mut facts = stages::source_facts(self.module, function);
        facts.expansion = facts.source;
        let (line, message, help) = (reason.span.line(), &reason.message, &reason.help);
        let (inspector, checked) = match emit::inspector(self.krate, self.module, function) {
            Ok(inspector) => (inspector, "its accesses checked before".to_owned()),
            Err(why) => (None, unchecked(&why)),
        };
        let asked = match help == REPORT_IT {
            true => "; please report this kernel",
            false => "",
        };
        facts.notes.push(format!(
            "runs as written, compiled for each instruction set, {checked}: {message} (line {line}){asked}"
        ));
        let nested = self
            .nests
            .then(|| {
                nests::nested(
                    (self.krate, self.text),
                    &function.name,
                    (self.settings, self.work),
                )
            })
            .flatten();
        let note = nested.iter().map(|own| nests::note(&function.name, own));
        facts.notes.extend(note);
        facts.advice.extend(advice::as_written(help, line));
        let kernel = emit::Kernel {
            krate: self.krate,
            module: self.module,
            function,
            lowered: &Program::default(),
            reached: &[],
            expected: &[],
            bounds: &[],
            assumed: &[],
            shortened: &[],
            joint: &[],
            variants: &[],
            inspector: inspector.as_ref(),
            told: OnceCell::new(),
            nested: nested.as_ref(),
            report: report::constant(self.krate, &facts),
            comments: false,
        };
        let items = emit::kernel(&kernel)
            .map_err(|message| Fault::new(function.name.span(), message, ""))?;
        pages::write(
            (self.settings, self.text),
            &kernel,
            None,
            (&facts, &[]),
            clock,
        )?;
        Ok(items)
    }
}

/// What the report says of a text without inspector.
fn unchecked(why: &emit::Missing) -> String {
    let (message, line) = (&why.message, why.span.line());
    format!(
        "each access checked where it stands, since none is known before ({message}, line {line})"
    )
}
