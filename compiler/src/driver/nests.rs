//! Nests of texts that run as written, as kernels of their own.

use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};

use super::kernel::Block;
use super::{Settings, caught, worth};
use crate::collections::HashSet;
use crate::diagnostics::Diagnostics;
use crate::emit;
use crate::ir::Role;
use crate::lower::{self, Lowered};
use crate::report::Clock;
use crate::syntax;
use crate::syntax::ast::{Function, FunctionId, Module};
use crate::syntax::nests::{self, Nested, Pays};
use crate::verify::Work;

/// The function of a block that has this name, with its nests as kernels of their own; nothing where none has lanes.
pub fn nested(
    (krate, text): (&TokenStream, &TokenStream),
    name: &Ident,
    (settings, work): (&Settings, &Rc<Work>),
) -> Option<Nested> {
    let mut compiler = Compiler {
        krate,
        settings,
        work,
    };
    caught(|| nests::nested(text, name, &mut compiler)).ok()?
}

/// What the report says of them.
pub fn note(name: &Ident, nested: &Nested) -> String {
    if let (true, [(_, own)]) = (nested.whole, nested.kernels.as_slice()) {
        return format!(
            "all of it is the kernel `{name}::{own}`, which is given the fields that it names"
        );
    }
    let all = nested.kernels.iter();
    let all = all.map(|(line, own)| format!("those at line {line} are `{name}::{own}`"));
    let all: Vec<String> = all.collect();
    format!("loops in it are kernels of their own: {}", all.join(", "))
}

struct Compiler<'a> {
    krate: &'a TokenStream,
    settings: &'a Settings,
    work: &'a Rc<Work>,
}

impl nests::Compiler for Compiler<'_> {
    fn written(&mut self, block: &TokenStream, name: &Ident) -> Option<HashSet<String>> {
        let (module, id) = read(block.clone(), name)?;
        let function = &module.functions[id.0];
        let lowered = lowered(&module, function)?;
        let program = &lowered.program;
        let loops = program.equations.iter().map(|equation| {
            let mut all = equation
                .domain()
                .map(|index| program.loop_index(index).extent.as_constant());
            all.try_fold(1_usize, |all, own| Some(all * own?))
        });
        let mut loops = loops.map(|points| points.is_none_or(|points| points >= worth::fewest()));
        if !loops.any(|worth| worth) {
            return None;
        }
        let written = program.arrays.iter().filter_map(|array| match array.role {
            Role::Output(at) | Role::State(at) => function.parameters.get(at),
            _ => None,
        });
        let names = written.map(|own| function.variables[own.variable.0].name.to_string());
        Some(names.collect())
    }

    fn items(
        &mut self,
        block: TokenStream,
        name: &Ident,
        waits: bool,
    ) -> Option<(TokenStream, Pays)> {
        let mut clock = Clock::new(self.settings.report.is_some());
        let (module, id) = read(block.clone(), name)?;
        clock.lap("syntax");
        let own = Block {
            krate: self.krate,
            module: &module,
            text: &block,
            settings: self.settings,
            nests: false,
            work: self.work,
        };
        let (mut items, pays) = match self.settings.as_written {
            true => {
                let pays = Pays {
                    iterations: worth::fewest(),
                    depth: 1,
                };
                (own.guarded(id, &clock).ok()?, pays)
            }
            false => {
                let (items, saved) = own.optimised_items(id, &mut clock)?;
                (items, saved.pays(waits)?)
            }
        };
        items.extend(emit::scope(self.krate, &module, &block));
        Some((items, pays))
    }
}

/// The kernel of a block that has a name.
fn read(block: TokenStream, name: &Ident) -> Option<(Module, FunctionId)> {
    let mut diagnostics = Diagnostics::new();
    let module = syntax::parse(block, &mut diagnostics)?;
    let at = module.functions.iter().position(|own| own.name == *name)?;
    diagnostics.is_empty().then_some((module, FunctionId(at)))
}

/// The program of a kernel, perhaps with integers that the call computes.
fn lowered(module: &Module, function: &Function) -> Option<Lowered> {
    let exact = function.options.keeps_operations();
    let lower = |module: &Module, function: &Function| {
        lower::lower_with(module, function, exact, lower::Arrays::Large).ok()
    };
    lower(module, function).or_else(|| {
        let (computed, tables) = syntax::precomputed(&module.tables, function)?;
        let module = Module {
            tables,
            ..module.clone()
        };
        lower(&module, &computed)
    })
}
