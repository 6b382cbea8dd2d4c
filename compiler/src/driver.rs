//! The way of a kernel through the rooms.

use std::borrow::Cow;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use crate::analysis::cost::{self, Cost};
use crate::diagnostics::{Diagnostics, Fault};
use crate::emit::{self, Variant};
use crate::ir::{Element, Program};
use crate::lower::{self, Lowered};
use crate::passes;
use crate::report::{self, Facts, PassFacts};
use crate::schedule::{self, Target, Wishes};
use crate::syntax::{
    self,
    ast::{Function, FunctionId, IsaName, Module},
};
use crate::verify::{self, Refutation, Subject, Validation};

/// A defect planted on purpose, to show that validation finds it.
#[derive(Clone, Debug, Default)]
pub struct Plant {
    /// After the pass of this name (or `schedule`), the program is changed wrongly.
    pub after: Option<String>,
}

/// Expands `CRATE; TEXT`.
pub fn expand(input: TokenStream) -> TokenStream {
    let (krate, text) = split(input);
    expand_with(&krate, text, &Plant::default())
}

/// Expands a block; see [`Plant`].
pub fn expand_with(krate: &TokenStream, text: TokenStream, plant: &Plant) -> TokenStream {
    let mut diagnostics = Diagnostics::new();
    let Some(module) = syntax::parse(text.clone(), &mut diagnostics) else {
        return failed(krate, text, diagnostics);
    };
    let mut result = TokenStream::new();
    for (at, function) in module.functions.iter().enumerate() {
        if function.inlined {
            continue;
        }
        if let Some(items) =
            diagnostics.take(kernel(krate, &module, FunctionId(at), function, plant))
        {
            result.extend(items);
        }
    }
    if diagnostics.is_empty() {
        result
    } else {
        failed(krate, text, diagnostics)
    }
}

/// The errors, and typed stand-ins for the functions so that no other errors follow.
fn failed(krate: &TokenStream, text: TokenStream, diagnostics: Diagnostics) -> TokenStream {
    let errors = diagnostics.into_compile_error();
    let stubs = syntax::stubs(krate, text);
    quote!(#errors #stubs)
}

/// The facade's path, and the block.
fn split(input: TokenStream) -> (TokenStream, TokenStream) {
    let mut krate = TokenStream::new();
    let mut trees = input.into_iter();
    for tree in trees.by_ref() {
        match &tree {
            TokenTree::Punct(p) if p.as_char() == ';' => break,
            _ => krate.extend([tree]),
        }
    }
    (krate, trees.collect())
}

/// A program after a pass.
struct Stage {
    name: &'static str,
    program: Program,
}

fn kernel(
    krate: &TokenStream,
    module: &Module,
    id: FunctionId,
    function: &Function,
    plant: &Plant,
) -> Result<TokenStream, Fault> {
    let exact = function.options.level == 0 || function.options.strict;
    let (module, cleaned) = cleaned(module, function, exact);
    let module = module.as_ref();
    let function = &module.functions[id.0];
    let lowered = match lower::lower(module, function, exact) {
        Ok(lowered) => lowered,
        Err(problem) if problem.opaque || function.options.fallback => {
            let lower::Problem {
                span,
                message,
                help,
                ..
            } = problem;
            return as_written(krate, module, function, span, &message, &help);
        }
        Err(problem) => return Err(Fault::new(problem.span, problem.message, problem.help)),
    };
    let (mut stages, mut facts) = optimise(module, function, &lowered, plant);
    if let Some(decisions) = cleaned {
        let cost = cost::program(&lowered.program).each;
        facts.passes.insert(
            0,
            PassFacts {
                name: "clean_tables".to_owned(),
                before: cost,
                after: cost,
                decisions: decisions.clone(),
            },
        );
    }
    let subject = Subject {
        module,
        function: id,
        lowered: &lowered.program,
        reached: &lowered.reached,
        kept: lowered.kept.clone(),
    };
    let variants = loop {
        match variants(function, &subject, &stages, plant, &mut facts) {
            Ok(variants) => break variants,
            // Without the last pass there may be a schedule: fewer temporaries have to live.
            Err(Refusal::Schedule(reason)) if stages.len() > 1 => {
                undo(&mut stages, &mut facts, &reason);
            }
            Err(Refusal::Schedule(reason)) => {
                let help = "keep the loops over cells together, or split the kernel";
                let span = function.name.span().into();
                return as_written(krate, module, function, span, &reason, help);
            }
            Err(Refusal::Unchecked(reason)) => {
                let message = format!("it cannot be validated: {reason}");
                let help = "let the loops run over the lengths that the arrays have";
                let span = function.name.span().into();
                return as_written(krate, module, function, span, &message, help);
            }
            Err(Refusal::Invalid(fault)) => return Err(fault),
        }
    };
    let report = report::constant(krate, &facts);
    let kernel = emit::Kernel {
        krate,
        module,
        function,
        lowered: &lowered.program,
        reached: &lowered.reached,
        bounds: &lowered.bounds,
        variants: &variants,
        report,
    };
    emit::kernel(&kernel).map_err(|message| {
        Fault::new(
            function.name.span(),
            message,
            "check the subscripts against the extents of the parameters",
        )
    })
}

/// The block with tables as the kernel uses them, and what was changed if anything may be.
fn cleaned<'m>(
    module: &'m Module,
    function: &Function,
    exact: bool,
) -> (Cow<'m, Module>, Option<Vec<String>>) {
    if exact {
        return (Cow::Borrowed(module), None);
    }
    let mut tables = module.tables.clone();
    let decisions = passes::clean_tables::run(&mut tables, function.options.epsilon);
    let module = if decisions.is_empty() {
        Cow::Borrowed(module)
    } else {
        Cow::Owned(Module {
            tables,
            ..module.clone()
        })
    };
    (module, Some(decisions))
}

/// A kernel without a program: its text is what runs, and the report says why.
fn as_written(
    krate: &TokenStream,
    module: &Module,
    function: &Function,
    span: crate::diagnostics::Span,
    message: &str,
    help: &str,
) -> Result<TokenStream, Fault> {
    let mut facts = source_facts(module, function);
    facts.expansion = facts.source;
    let line = span.line();
    facts.notes.push(format!(
        "runs as written, each access checked where it stands: {message} (line {line}; {help})"
    ));
    let report = report::constant(krate, &facts);
    let kernel = emit::Kernel {
        krate,
        module,
        function,
        lowered: &Program::default(),
        reached: &[],
        bounds: &[],
        variants: &[],
        report,
    };
    emit::kernel(&kernel).map_err(|message| Fault::new(function.name.span(), message, ""))
}

/// Options that change nothing, for the report.
fn without_effect(function: &Function) -> Vec<String> {
    let options = &function.options;
    let mut notes = Vec::new();
    if options.level > passes::HIGHEST && !options.strict {
        let highest = passes::HIGHEST;
        notes.push(format!(
            "level {}: its passes are those of level {highest}",
            options.level
        ));
    }
    if options.memory.is_some() {
        notes.push("`memory`: no pass of this level trades memory for operations".to_owned());
    }
    notes
}

/// What the report says of the text.
fn source_facts(module: &Module, function: &Function) -> Facts {
    let source = syntax::cost::cost(module, function);
    Facts {
        kernel: function.name.to_string(),
        per: if source.per.is_empty() {
            "call".to_owned()
        } else {
            source.per.join(", ")
        },
        source: counted(&source.each),
        ..Facts::default()
    }
}

/// Runs the passes; the programs after each, and what the report says of them.
fn optimise(
    module: &Module,
    function: &Function,
    lowered: &Lowered,
    plant: &Plant,
) -> (Vec<Stage>, Facts) {
    let mut stages = vec![Stage {
        name: "lower",
        program: lowered.program.clone(),
    }];
    let mut facts = source_facts(module, function);
    facts.notes.extend(without_effect(function));
    facts.source.table_bytes = cost::program(&lowered.program).each.table_bytes;
    if plant.after.as_deref() == Some("lower") {
        plant_defect(&mut stages[0].program);
    }
    for pass in passes::pipeline(function.options.level, function.options.strict) {
        let mut program = stages.last().map(|s| s.program.clone()).unwrap_or_default();
        let before = cost::program(&program).each;
        let decisions = (pass.run)(&mut program);
        if plant.after.as_deref() == Some(pass.name) {
            plant_defect(&mut program);
        }
        let after = cost::program(&program).each;
        facts.passes.push(PassFacts {
            name: pass.name.to_owned(),
            before,
            after,
            decisions,
        });
        stages.push(Stage {
            name: pass.name,
            program,
        });
    }
    let last = stages
        .last()
        .map(|s| cost::program(&s.program))
        .unwrap_or_default();
    facts.expansion = last.each;
    facts.once = last.once;
    (stages, facts)
}

/// Why a program cannot be expanded.
enum Refusal {
    /// It has no schedule.
    Schedule(String),
    /// It cannot be compared with the source.
    Unchecked(String),
    /// It is not the source.
    Invalid(Fault),
}

/// Takes the last pass back, and says so in the report.
fn undo(stages: &mut Vec<Stage>, facts: &mut Facts, reason: &str) {
    let Some(stage) = stages.pop() else { return };
    let last = facts.passes.iter().position(|pass| pass.name == stage.name);
    facts.passes.truncate(last.unwrap_or(0));
    facts.notes.push(format!(
        "the pass `{}` was taken back: {reason}",
        stage.name
    ));
    if let Some(last) = stages.last() {
        let cost = cost::program(&last.program);
        facts.expansion = cost.each;
        facts.once = cost.once;
    }
}

fn counted(operations: &syntax::cost::Operations) -> Cost {
    Cost {
        add: operations.add,
        mul: operations.mul,
        div: operations.div,
        compare: operations.compare,
        call: operations.call,
        ..Cost::default()
    }
}

/// Doubles the value of the last equation.
fn plant_defect(program: &mut Program) {
    let Some(at) = program.equations.len().checked_sub(1) else {
        return;
    };
    let expr = program.equations[at].expr;
    let element = program.pool.element(expr);
    let term = crate::ir::Term {
        coefficient: crate::number::Number::ONE,
        expr,
    };
    program.equations[at].expr = program
        .pool
        .add(crate::ir::Expr::Sum(vec![term, term]), element);
}

/// The element types that variants are built for.
fn elements(function: &Function, program: &Program) -> Vec<Element> {
    if function.scalar_parameter.is_some() {
        return vec![Element::F64, Element::F32, Element::Generic];
    }
    let single = program.arrays.iter().any(|a| a.element == Element::F32);
    vec![if single { Element::F32 } else { Element::F64 }]
}

fn variants(
    function: &Function,
    subject: &Subject,
    stages: &[Stage],
    plant: &Plant,
    facts: &mut Facts,
) -> Result<Vec<Variant>, Refusal> {
    let program = stages.last().map_or(subject.lowered, |s| &s.program);
    let wishes = Wishes {
        lanes: function.options.lanes.as_ref().map(ToString::to_string),
        unroll: function
            .options
            .unroll
            .iter()
            .map(|(name, factor)| (name.to_string(), *factor))
            .collect(),
    };
    let mut result = Vec::new();
    let mut validated: Vec<(usize, usize)> = Vec::new();
    let mut validation = Validation::new(subject, widest(function, program));
    validation.possible().map_err(Refusal::Unchecked)?;
    for element in elements(function, program) {
        for isa in &function.options.isa {
            let generic = element == Element::Generic;
            if generic != (*isa == IsaName::Scalar) && function.scalar_parameter.is_some() {
                continue;
            }
            let target = target(*isa, element, program.exact);
            let mut scheduled =
                schedule::schedule(program, target, &wishes).map_err(Refusal::Schedule)?;
            if plant.after.as_deref() == Some("schedule") {
                drop_instance(&mut scheduled.schedule.body);
            }
            let key = (target.width, target.registers);
            if !validated.contains(&key) {
                validated.push(key);
                validation
                    .validate(&scheduled.program, &scheduled.schedule)
                    .map_err(|refutation| match refutation {
                        Refutation::Unchecked(reason) => Refusal::Unchecked(reason),
                        Refutation::Different(what) => {
                            Refusal::Invalid(internal(function, subject, stages, &what))
                        }
                    })?;
                facts.passes.push(PassFacts {
                    name: format!("schedule for {isa:?}").to_lowercase(),
                    before: facts.expansion,
                    after: facts.expansion,
                    decisions: vec![scheduled.decision.clone()],
                });
            }
            result.push(Variant {
                isa: *isa,
                element,
                fused: !program.exact && *isa != IsaName::Scalar,
                program: scheduled.program,
                schedule: scheduled.schedule,
            });
        }
    }
    Ok(result)
}

/// The most lanes that a variant has.
fn widest(function: &Function, program: &Program) -> usize {
    let widths = function.options.isa.iter().flat_map(|isa| {
        let elements = elements(function, program).into_iter();
        elements.map(|element| target(*isa, element, program.exact).width)
    });
    widths.max().unwrap_or(1)
}

fn target(isa: IsaName, element: Element, exact: bool) -> Target {
    let bytes = if element == Element::F32 { 4 } else { 8 };
    let (bits, registers) = match isa {
        IsaName::Scalar => (8 * bytes, 16),
        IsaName::Avx2 => (256, 16),
        IsaName::Avx512 => (512, 32),
    };
    Target {
        width: if exact { 1 } else { bits / (8 * bytes) },
        registers,
    }
}

/// Leaves out the last instance of the tree.
fn drop_instance(nodes: &mut [schedule::tree::Node]) -> bool {
    use schedule::tree::Node;
    nodes.iter_mut().rev().any(|node| match node {
        Node::Loop(l) => drop_instance(&mut l.body),
        Node::Block(instances) | Node::Reduction { instances, .. } => instances.pop().is_some(),
        Node::CopyOut(_) | Node::Zero(_) => false,
    })
}

/// The error of an expansion that does not compute what the source does.
fn internal(function: &Function, subject: &Subject, stages: &[Stage], difference: &str) -> Fault {
    let wrong = stages
        .iter()
        .find(|s| verify::validate_unscheduled(subject, &s.program).is_err());
    let pass = wrong.map_or("schedule", |s| s.name);
    Fault::new(
        function.name.span(),
        format!(
            "internal compiler error in the pass `{pass}`: the expansion of `{}` is not its source ({difference})",
            function.name
        ),
        "please report this kernel; `#[opt(level = 0)]` expands it as written",
    )
}

/// Expands `CRATE; REQUEST`, a `tabulate!(…)` that stands outside of kernels.
pub fn tabulate(input: TokenStream) -> TokenStream {
    let (krate, request) = split(input);
    let mut diagnostics = Diagnostics::new();
    let span = proc_macro2::Span::call_site();
    match diagnostics.take(syntax::tabulate::tabulate(request, span)) {
        Some(table) => syntax::tables::expression(&krate, &table.values, &table.shape),
        None => diagnostics.into_compile_error(),
    }
}
