//! Lists of passes.

use super::*;

fn wrong(names: &[&str], strict: bool) -> (usize, String) {
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    let WrongPipeline {
        position,
        message,
        help,
    } = named(&names, strict).unwrap_err();
    assert!(ALL.iter().all(|pass| help.contains(pass.name)), "{help}");
    (position, message)
}

#[test]
fn the_passes_of_each_level_can_be_named() {
    for level in 0..=HIGHEST {
        for strict in [false, true] {
            let passes = pipeline(level, strict);
            let names: Vec<String> = passes.iter().map(|p| p.name.to_owned()).collect();
            let found = named(&names, strict).unwrap();
            let found = found.passes.iter().map(|pass| pass.name);
            assert!(found.eq(passes.iter().map(|pass| pass.name)));
        }
    }
}

#[test]
fn passes_of_one_phase_have_any_order() {
    let names = ["clean_tables", "normalise", "merge", "rename"];
    let names = names.into_iter().chain(["common_subexpressions"]);
    let names: Vec<String> = names.map(str::to_owned).collect();
    let found = named(&names, false).unwrap();
    assert!(found.cleans_tables);
    let names: Vec<&str> = found.passes.iter().map(|pass| pass.name).collect();
    // Sums that may cancel are kept from what multiplies out, and shared reciprocals in range.
    assert_eq!(
        names,
        [
            "whole_sums",
            "normalise",
            "merge",
            "rename",
            "common_subexpressions",
            "reciprocals"
        ]
    );
    assert_eq!(found.cancelling().passes.len(), 5);
}

#[test]
fn former_names_mean_the_same_passes() {
    let names = ["flat_arrays", "split_arrays", "merge", "direct_sums"].map(str::to_owned);
    let found = named(&names, false).unwrap().passes.into_iter();
    let found = found.map(|pass| pass.name);
    assert!(found.eq([
        "delinearise",
        "scalar_replacement",
        "merge",
        "whole_sums",
        "forwarding"
    ]));
}

#[test]
fn illegal_lists_are_refused_at_the_name() {
    let cases: [(&[&str], bool, usize, &str); 7] = [
        (&["merge", "tiling"], false, 1, "there is no pass `tiling`"),
        (&["merge", "merge"], false, 1, "is named twice"),
        (
            &["mirrors", "symmetry_detection"],
            false,
            0,
            "needs `normalise`",
        ),
        (
            &["code_motion", "merge"],
            false,
            1,
            "cannot run after `code_motion`",
        ),
        (
            &["merge", "clean_tables"],
            false,
            1,
            "cannot run after `merge`",
        ),
        (&["pre_evaluation"], false, 0, "needs `normalise` before it"),
        (&["normalise"], true, 0, "`strict` keeps every bit"),
    ];
    for (names, strict, position, message) in cases {
        let (found, text) = wrong(names, strict);
        assert_eq!(found, position, "{names:?}");
        assert!(text.contains(message), "{text}");
    }
}

#[test]
fn what_was_weighed_is_what_the_passes_do() {
    let mut program = crate::ir::text::parse(
        "program p\nindex e: len(d)\nindex q: 3\nindex i: 2\nindex j: 2\nparam 0 d: f64[len(d)]\n\
         table w: f64[3] = [1, 2, 3]\ntable phi: f64[3, 2] = [1, 2, 3, 4, 5, 6]\n\
         output 1 a: f64[len(d), 2, 2]\n\
         a[e, i, j] += sum(q) d[e] * w[q] * phi[q, i] * phi[q, j] for e, i, j",
    )
    .unwrap();
    let mut other = program.clone();
    let weighed = weighed(&program, "merge");
    program.foreseen = weighed.foreseen;
    for pass in following("merge").filter(|pass| !pass.weighs) {
        let known = program.after(pass.name).is_some();
        assert!(known, "{}", pass.name);
        assert_eq!(pass.run(&mut program), (pass.rewrite)(&mut other));
        assert_eq!(program.equations, other.equations, "{}", pass.name);
    }
    assert_eq!(cost::program(&program).operations(), weighed.operations);
}

#[test]
fn passes_that_weigh_run_no_others_that_do() {
    let mut weighing = ALL.iter().filter(|pass| pass.weighs).map(|pass| pass.name);
    let names = [
        "array_blocks",
        "conditioned_sums",
        "repeated_sums",
        "zero_blocks",
        "loop_common_expressions",
        "reciprocals",
    ];
    assert!(weighing.by_ref().eq(names));
}
