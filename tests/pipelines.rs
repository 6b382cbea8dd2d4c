//! Passes that are named one by one: results are those of the reference, and the operations those
//! that the passes leave.

use loopwright::{Cost, Counted, Report};

/// A kernel with its passes named in `#[opt]`, in a module of its own.
macro_rules! under {
    ($module:ident: $($options:tt)*) => {
        mod $module {
            loopwright::kernel! {
                #[opt($($options)*)]
                pub fn stiffness<T: loopwright::Real>(
                    cells: &[[[T; 2]; 3]],
                    c: &[T],
                    a: &mut [[[T; 6]; 6]],
                ) {
                    static W: [f64; 6] = tabulate!(triangle, quadrature(4), weights);
                    static PHI: [[f64; 6]; 6] = tabulate!(triangle, quadrature(4), lagrange(2));
                    static DPHI: [[[f64; 6]; 6]; 2] =
                        tabulate!(triangle, quadrature(4), lagrange(2), gradient);
                    for e in 0..cells.len() {
                        let x = &cells[e];
                        let det = (x[1][0] - x[0][0]) * (x[2][1] - x[0][1])
                            - (x[1][1] - x[0][1]) * (x[2][0] - x[0][0]);
                        for q in 0..6 {
                            for i in 0..6 {
                                for j in 0..6 {
                                    a[e][i][j] += T::from_f64(W[q]) * det * c[e]
                                        * T::from_f64(PHI[q][i]) * T::from_f64(PHI[q][j]);
                                }
                            }
                        }
                        for p in 0..6 {
                            for i in 0..6 {
                                for j in 0..6 {
                                    a[e][i][j] += T::from_f64(W[p]) * det
                                        * T::from_f64(DPHI[0][p][i]) * T::from_f64(PHI[p][j])
                                        + T::from_f64(W[p]) * det
                                            * T::from_f64(DPHI[1][p][i]) * T::from_f64(PHI[p][j]);
                                }
                            }
                        }
                    }
                }
            }
        }
    };
}

under!(nothing: pipeline = []);
under!(sharing: pipeline = [normalise, sharing_elimination, code_motion]);
under!(motion: pipeline = [code_motion]);
under!(motion_of_merged: pipeline = [clean_tables, rename, merge, normalise, code_motion]);
under!(other_order: pipeline = [normalise, merge, rename, common_subexpressions, code_motion]);
under!(tables: pipeline = [rename, merge, normalise, pre_evaluation]);
under!(everything: pipeline = [
    clean_tables,
    local_arrays,
    rename,
    delinearise,
    invariant_tables,
    merge,
    array_blocks,
    scalar_replacement,
    conditioned_sums,
    forwarding,
    repeated_sums,
    normalise,
    zero_blocks,
    reduction_invariants,
    operation_minimisation,
    symmetry_detection,
    pre_evaluation,
    sharing_elimination,
    code_motion,
    table_entries,
    common_subexpressions,
    symmetry,
    shared_sums,
    even_odd,
    loop_common_expressions,
    factorisation,
    common_pairs,
]);
under!(strict: strict, pipeline = [code_motion, common_subexpressions]);
under!(highest: level = 3);

type Kernel<T> = fn(&[[[T; 2]; 3]], &[T], &mut [[[T; 6]; 6]]);

const CELLS: usize = 11;

fn results<T: loopwright::Real>(kernel: Kernel<T>) -> Vec<T> {
    let mut cells = [[[0.0, 0.1], [1.2, 0.2], [0.3, 1.1]]; CELLS];
    let mut c = [0.5; CELLS];
    for (e, (cell, c)) in cells.iter_mut().zip(&mut c).enumerate() {
        cell[2][1] += e as f64 / 7.0;
        *c -= e as f64 / 3.0;
    }
    let cells = cells.map(|cell| cell.map(|vertex| vertex.map(T::from_f64)));
    let mut a = [[[T::from_f64(0.25); 6]; 6]; CELLS];
    kernel(&cells, &c.map(T::from_f64), &mut a);
    a.into_iter().flatten().flatten().collect()
}

fn assert_near(kernel: Kernel<f64>, reference: Kernel<f64>, report: &Report) {
    let (found, wanted) = (results(kernel), results(reference));
    let most = wanted.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    for (found, wanted) in found.iter().zip(&wanted) {
        assert!((found - wanted).abs() < 1e-13 * most, "{report}");
    }
}

/// The report is what its last pass left, and what a counting scalar counts.
fn assert_counts(kernel: Kernel<Counted<f64>>, report: &Report) {
    let (_, found) = Counted::<f64>::count(|| results(kernel));
    let wanted = Cost {
        temporary_bytes: 0,
        table_bytes: 0,
        ..report.expansion * CELLS as u64 + report.once
    };
    assert_eq!(found, wanted, "{report}");
    for pair in report.passes.windows(2) {
        assert_eq!(pair[0].after, pair[1].before, "{report}");
    }
}

/// The operations that a pipeline leaves, after what it computes was compared.
macro_rules! operations {
    ($module:ident) => {{
        use $module::stiffness::{REPORT, reference};
        assert_near($module::stiffness, reference, &REPORT);
        assert_counts($module::stiffness, &REPORT);
        REPORT.expansion.operations()
    }};
}

/// The steps of a report that are passes: lowering comes before them, schedules after.
fn passes(report: &Report) -> Vec<&'static str> {
    let names = report.passes.iter().map(|pass| pass.name);
    let passes = names.filter(|name| *name != "lower" && !name.starts_with("schedule"));
    passes.collect()
}

#[test]
fn the_passes_that_are_named_run_in_their_order() {
    assert!(passes(&nothing::stiffness::REPORT).is_empty());
    assert_eq!(
        passes(&other_order::stiffness::REPORT),
        [
            // Named or not, before what multiplies out.
            "whole_sums",
            "normalise",
            "merge",
            "rename",
            "common_subexpressions",
            "code_motion"
        ]
    );
    let all = passes(&highest::stiffness::REPORT);
    assert_eq!(passes(&everything::stiffness::REPORT), all);
}

#[test]
fn each_pipeline_computes_the_same_with_the_operations_of_its_passes() {
    let nothing = operations!(nothing);
    let motion = operations!(motion);
    let other_order = operations!(other_order);
    let of_merged = operations!(motion_of_merged);
    let sharing = operations!(sharing);
    let tables = operations!(tables);
    let everything = operations!(everything);
    assert_eq!(everything, operations!(highest));
    // Motion out of the loops finds more than register tiles share; merged first, it finds more yet;
    // symbols factorised; tables evaluated.
    assert!(motion < nothing * 7 / 8, "{motion} of {nothing}");
    assert!(of_merged < motion, "{of_merged}, {motion} unmerged");
    assert!(other_order < motion, "{other_order}, {motion} unmerged");
    assert!(sharing < motion, "{sharing}, {motion} unshared");
    assert!(tables < nothing / 2, "{tables} of {nothing}");
    assert!(everything < tables, "{everything}, {tables} in place");
    assert!(everything < sharing / 2, "{everything} of {sharing}");
}

#[test]
fn a_strict_pipeline_keeps_every_bit() {
    let report = strict::stiffness::REPORT;
    assert!(report.expansion.operations() < report.source.operations() * 3 / 4);
    let bits = |kernel: Kernel<f64>| -> Vec<u64> {
        let results = results(kernel).into_iter();
        results.map(f64::to_bits).collect()
    };
    assert_eq!(bits(strict::stiffness), bits(strict::stiffness::reference));
}
