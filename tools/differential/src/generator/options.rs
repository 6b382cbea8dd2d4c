//! The options of a kernel.

use super::{Generator, Real};

/// The passes in their order, but for those that others of them need, which stand in [`NEEDED`].
const PASSES: [&str; 26] = [
    "local_arrays",
    "rename",
    "delinearise",
    "invariant_tables",
    "merge",
    "array_blocks",
    "scalar_replacement",
    "conditioned_sums",
    "forwarding",
    "repeated_sums",
    "normalise",
    "zero_blocks",
    "reduction_invariants",
    "operation_minimisation",
    "symmetry_detection",
    "pre_evaluation",
    "sharing_elimination",
    "code_motion",
    "table_entries",
    "common_subexpressions",
    "symmetry",
    "shared_sums",
    "even_odd",
    "loop_common_expressions",
    "factorisation",
    "common_pairs",
];

/// Passes that others need.
const NEEDED: [&str; 3] = ["merge", "normalise", "symmetry_detection"];

/// Passes that keep each bit.
const EXACT: [&str; 4] = [
    "invariant_tables",
    "code_motion",
    "common_subexpressions",
    "loop_common_expressions",
];

impl Generator {
    /// Options that hold for the whole kernel; those of its loops come when there are loops.
    pub(super) fn choose_options(&mut self) {
        if self.random.chance(15) {
            self.options.push("strict".to_owned());
            self.exact = true;
        }
        if !self.exact && self.random.chance(8) {
            self.options.push("epsilon = 4e-14".to_owned());
        }
        if self.random.chance(10) {
            let sets = ["avx512", "avx2", "avx512, avx2", "avx2, scalar"];
            let set = self.random.pick(&sets);
            self.options.push(format!("isa = [{set}]"));
        }
        if self.random.chance(6) {
            let sizes = ["0 B", "64 B", "300 B", "1 KiB", "16 KiB", "4 MiB"];
            let size = self.random.pick(&sizes);
            self.options.push(format!("memory = \"{size}\""));
        }
        if !self.exact && self.random.chance(6) {
            self.options.push("reassociate = full".to_owned());
            self.slack *= 4.0;
        }
        if !self.generic() && self.real == Real::F64 && self.random.chance(5) {
            self.options.push("pure(crate::bent)".to_owned());
            self.has_bent = true;
        }
        if self.random.chance(4) {
            self.choose_passes();
        }
    }

    /// How sums over windows follow from each other: most often of kernels that have some.
    pub(super) fn choose_differencing(&mut self, percent: usize) {
        let given = |option: &String| option.starts_with("differencing");
        if self.exact || self.options.iter().any(given) || !self.random.chance(percent) {
            return;
        }
        let way = match self.random.weighted(&[1, 1, 6]) {
            0 => "off".to_owned(),
            1 => "exact".to_owned(),
            _ => {
                let after = self.random.pick(&[1, 2, 3, 5, 8, 13, 64]);
                // Loops are not longer than some dozens.
                self.slack *= 8.0 * f64::from(after.min(16));
                format!("resync({after})")
            }
        };
        self.options.push(format!("differencing = {way}"));
    }

    /// Some of the passes.
    fn choose_passes(&mut self) {
        let mut passes: Vec<&str> = match self.exact {
            true => EXACT.to_vec(),
            false => PASSES.to_vec(),
        };
        let often = self.random.pick(&[30, 60, 90]);
        passes.retain(|pass| NEEDED.contains(pass) || self.random.chance(often));
        self.options
            .push(format!("pipeline = [{}]", passes.join(", ")));
    }
}
