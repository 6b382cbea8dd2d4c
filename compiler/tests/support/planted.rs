//! Expansions with a defect in them.

use loopwright_compiler::driver::{Defect, InternalErrors, Plant, Settings, expand_with};

/// The expansion of a text, with a defect after a stage if there is one.
pub fn expansion(
    text: &str,
    after: Option<&str>,
    defect: Defect,
    errors: InternalErrors,
) -> String {
    let settings = Settings {
        plant: Plant {
            after: after.map(str::to_owned),
            defect,
        },
        internal_errors: errors,
        ..Settings::default()
    };
    let facade = "::loopwright".parse().unwrap();
    expand_with(&facade, text.parse().unwrap(), &settings).to_string()
}

/// A defect after a stage is an error that names the stage; its text.
#[allow(dead_code, reason = "not all tests name stages")]
pub fn assert_found(text: &str, stage: &str, defect: Defect) -> String {
    let planted = expansion(text, Some(stage), defect, InternalErrors::Strict);
    let error = format!("internal compiler error in the pass `{stage}`");
    assert!(
        planted.contains(&error),
        "{defect:?} after {stage} is not found: {}",
        &planted[..planted.len().min(600)]
    );
    planted
}
