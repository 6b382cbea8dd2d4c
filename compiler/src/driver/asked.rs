//! What the options of a kernel ask for: passes, and cleaner tables.

use std::borrow::Cow;

use crate::diagnostics::Fault;
use crate::passes::{self, Pipeline};
use crate::syntax::ast::{Function, Module};

/// The passes that a kernel asks for.
pub fn pipeline(function: &Function) -> Result<Pipeline, Fault> {
    let options = &function.options;
    let pipeline = match &options.pipeline {
        None => {
            let mut pipeline = passes::of_level(options.level, options.strict);
            pipeline.cleans_tables |= options.epsilon.is_some() && !options.is_exact();
            pipeline
        }
        Some(names) => {
            let texts: Vec<String> = names.iter().map(ToString::to_string).collect();
            passes::named(&texts, options.strict).map_err(|wrong| {
                Fault::new(names[wrong.position].span(), wrong.message, wrong.help)
            })?
        }
    };
    Ok(match options.cancels {
        true => pipeline.cancelling(),
        false => pipeline,
    })
}

/// The block with tables as the kernel uses them, and what was changed if anything may be.
pub fn cleaned<'m>(
    module: &'m Module,
    function: &Function,
    pipeline: &Pipeline,
) -> (Cow<'m, Module>, Option<Vec<String>>) {
    if !pipeline.cleans_tables {
        return (Cow::Borrowed(module), None);
    }
    let mut tables = module.tables.clone();
    let mut decisions = passes::clean_tables::run(&mut tables, function.options.epsilon);
    if pipeline
        .passes
        .iter()
        .any(|pass| pass.name == passes::product_tables::READER)
    {
        decisions.extend(passes::product_tables::run(
            &mut tables,
            function.options.epsilon,
        ));
    }
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
