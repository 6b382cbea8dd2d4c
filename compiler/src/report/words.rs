//! What passes did, in one line each.

use super::PassFacts;

/// What a pass does to kernels, and whether the first of its decisions names what it did it to.
fn phrase(pass: &str) -> (&'static str, bool) {
    match pass {
        "lower" => (
            "counted with values where `code_motion` will put them: once for each iteration of the loops that change them",
            false,
        ),
        "clean_tables" => ("noise in tables made exact", true),
        "rename" => ("loops over the same range take one name", false),
        "delinearise" => ("flat arrays taken as ones of more dimensions", true),
        "local_arrays" => ("arrays of the text that became temporaries", true),
        "invariant_tables" => ("dimensions along which tables are constant dropped", true),
        "merge" => ("accumulations into one array joined", false),
        "array_blocks" => ("loops split where local arrays stay zero", false),
        "scalar_replacement" => ("local arrays split into their elements", false),
        "conditioned_sums" => (
            "sums whose terms may cancel written so that they do not",
            true,
        ),
        "whole_sums" => ("sums whose terms may cancel are not multiplied out", true),
        "forwarding" => ("sums added straight to what they are for", true),
        "repeated_sums" => ("tables summed for each reader of a sum", false),
        "normalise" => ("sums and products in normal form", false),
        "zero_blocks" => ("loops split where columns of tables are zero", false),
        "reduction_invariants" => (
            "factors taken out of sums whose loops do not change them",
            false,
        ),
        "even_odd" => (
            "sums against symmetric tables in even and odd halves",
            false,
        ),
        "operation_minimisation" => ("sums over several loops computed in steps", false),
        "symmetry_detection" => ("symmetric results noted", true),
        "pre_evaluation" => ("sums over tables alone done while compiling", false),
        "sharing_elimination" => ("sums of products factorised or expanded", false),
        "code_motion" => (
            "values moved out of the loops that do not change them",
            true,
        ),
        "loop_common_expressions" => ("what several iterations have in common computed once", true),
        "table_entries" => ("short loops over tables of 0 and ±1 written out", false),
        "common_subexpressions" => ("equal values computed once", true),
        "symmetry" => (
            "one half of symmetric results computed, the other copied",
            false,
        ),
        "shared_sums" => ("what sums have in common computed once", false),
        "common_pairs" => ("pairs of factors and of terms computed once", true),
        "factorisation" => ("factors that terms have in common taken out of sums", false),
        "reciprocals" => ("reciprocals kept from overflowing", true),
        _ => ("", true),
    }
}

/// The longest decision that goes into the line.
const LONGEST: usize = 90;

/// What a pass that changed its program did, in one line.
pub fn did(facts: &PassFacts) -> String {
    let (phrase, detailed) = phrase(&facts.name);
    // Names say more than numbers.
    let numbers = |text: &&String| text.starts_with(|c: char| c.is_ascii_digit());
    let named = facts
        .decisions
        .iter()
        .find(|text| !numbers(text) && text.contains('`'));
    let first = named.or(facts.decisions.first()).map_or("", String::as_str);
    let telling = !first.starts_with("0 ") && first.chars().count() <= LONGEST;
    match (phrase, detailed && telling && !first.is_empty()) {
        ("", _) => first.to_owned(),
        (phrase, true) => format!("{phrase}: {first}"),
        (phrase, false) => phrase.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes;

    #[test]
    fn every_pass_has_words() {
        for pass in passes::of_level(passes::HIGHEST, false).passes {
            assert_ne!(phrase(pass.name).0, "", "{}", pass.name);
        }
    }

    #[test]
    fn what_was_decided_is_named() {
        let facts = PassFacts {
            name: "forwarding".to_owned(),
            decisions: vec!["`s` summed where it is read".to_owned()],
            ..PassFacts::default()
        };
        assert_eq!(
            did(&facts),
            "sums added straight to what they are for: `s` summed where it is read"
        );
    }
}
