//! Whether what computes a value and what reads it may stand in one loop.

use super::build::Builder;
use super::storage::Path;
use crate::ir::{Equation, IndexId};

impl Builder<'_> {
    /// Whether equations that read what this one writes may share a loop with it.
    pub fn shared(&self, at: usize, index: IndexId, open: &Path) -> bool {
        let in_loop = |reader: &Equation| reader.domain().any(|i| i == index);
        self.is_shared_by(&in_loop, (at, index), open)
    }

    /// The same of those that have the loops around it, too, and sum over none of these.
    pub fn shared_inside(&self, at: usize, index: IndexId, open: &Path) -> bool {
        let around = |reader: &Equation| {
            let mut all = open.iter().map(|(_, other)| *other).chain([index]);
            all.all(|index| reader.free.contains(&index))
        };
        self.is_shared_by(&around, (at, index), open)
    }

    fn is_shared_by(
        &self,
        fits: &dyn Fn(&Equation) -> bool,
        (at, index): (usize, IndexId),
        open: &Path,
    ) -> bool {
        let equations = &self.program.equations;
        let array = equations[at].target.array;
        let mut readers = (0..equations.len()).filter(|reader| fits(&equations[*reader]));
        readers.any(|reader| {
            self.dependence.reads_array(reader, array)
                && self
                    .dependence
                    .shares(self.program, (reader, at), index, open)
        })
    }

    /// Whether what an equation reads is computed in a loop that it may share with all readers, so that
    /// nothing of it is kept.
    pub fn shares_loop(&self, at: usize, index: IndexId, open: &Path) -> bool {
        let equations = &self.program.equations;
        (0..at).any(|earlier| {
            let array = equations[earlier].target.array;
            let in_loop = |reader: usize| {
                let pair = (reader, earlier);
                equations[reader].free.contains(&index)
                    && self.dependence.shares(self.program, pair, index, open)
            };
            let is_read = |by: usize| self.dependence.reads_array(by, array);
            let mut readers = (0..equations.len()).filter(|by| is_read(*by));
            !self.paths.contains_key(&earlier)
                && is_read(at)
                && equations[earlier].reduction.is_empty()
                && equations[earlier].free.contains(&index)
                && readers.all(in_loop)
        })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::schedule::{over_cells, text};

    /// The loops of a program with lanes over cells.
    fn check(equations: &str, expected: &Expect) {
        let program = format!(
            "program p\n\nindex e: len(x)\nindex p: 9\nindex i: 18\n\n\
             param 0 x: f64[len(x), 9]\noutput 1 a: f64[len(a), 18]\n\
             table m: usize[18] = [0, 9, 1, 10, 2, 11, 3, 12, 4, 13, 5, 14, 6, 15, 7, 16, 8, 17]\n\
             temp s: f64[len(x), 9]\ntemp d: f64[len(x), 9]\ntemp u: f64[len(x), 18]\n\n\
             s[e, p] = x[e, p] * 2   for e, p\n\
             d[e, p] = x[e, p] * x[e, p]   for e, p\n\
             {equations}\
             a[e, i] += u[e, m[i]]   for e, i\n"
        );
        let scheduled = over_cells(&program);
        let text = text::print(&scheduled.program, &scheduled.schedule);
        let body = text.split_once("\n\n").map_or("", |(_, body)| body);
        expected.assert_eq(body);
    }

    #[test]
    fn nothing_is_kept_of_what_results_in_one_loop_read() {
        check(
            "u[e, p] = s[e, p] + d[e, p]   for e, p\n\
             u[e, p + 9] = s[e, p] - d[e, p]   for e, p\n",
            &expect![[r#"
                loop e in 0..len(x) step 4 {
                  loop p in 0..9 {
                    block {
                      eq 0   // s[e, p] =
                      eq 1   // d[e, p] =
                      eq 2   // u[e, p] =
                      eq 3   // u[e, p + 9] =
                    }
                  }
                  copy u at a_places[row0] over row0 into a[e, row0] +=
                }
            "#]],
        );
    }

    #[test]
    fn what_is_read_at_other_places_is_kept() {
        check(
            "u[e, p] = s[e, p] + d[e, p]   for e, p\n\
             u[e, p + 9] = s[e, p] - d[e, 8 - p]   for e, p\n",
            &expect![[r#"
                loop e in 0..len(x) step 4 {
                  loop p in 0..9 {
                    block {
                      eq 0   // s[e, p] =
                      eq 1   // d[e, p] =
                      eq 2   // u[e, p] =
                    }
                  }
                  loop p in 0..9 step 3 {
                    block {
                      eq 3         // u[e, p + 9] =
                      eq 3 @ p+1   // u[e, p + 10] =
                      eq 3 @ p+2   // u[e, p + 11] =
                    }
                  }
                  copy u at a_places[row0] over row0 into a[e, row0] +=
                }
            "#]],
        );
    }
}
