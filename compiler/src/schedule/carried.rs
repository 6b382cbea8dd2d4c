//! What one iteration of a loop leaves to a later one: running sums, queues.
//!
//! Equations that need each other's earlier values ([`Program::together`]) stay in one body. The loop along which
//! values are handed on runs upwards wherever it stands among the loops around that body, and each of the others
//! may have lanes; it may have them itself where what is handed on goes to the next vector or further.
//!
//! ```text
//! s[0, i] = x[0, i]                      for i
//! c[j, i] = s[j, i] + x[j + 1, i]        for j, i
//! s[j + 1, i] = c[j, i] - x[j, i]        for j, i
//! ```
//! Here lanes run over `i`, and of `s` one row is kept: an element waits from one iteration of `j` to the next (Ernst
//! 1995, section 3.2 and chapter 4).

use std::ops::Range;

use super::Plan;
use super::dependence::reads;
use super::storage::Path;
use super::tree::{Dimension, Instance, Schedule, Storage};
use crate::collections::HashMap;
use crate::ir::{Access, Affine, ArrayId, Equation, IndexId, Program};
use crate::machine::{LATENCY, THROUGH_MEMORY};

/// A temporary whose elements are handed on along a loop.
pub struct Carried {
    /// The equations that take turns.
    pub(super) equations: Range<usize>,
    pub(super) array: ArrayId,
    /// The dimension along the loop.
    pub(super) axis: usize,
    pub(super) index: IndexId,
    /// How many iterations later an element is read than written.
    by: usize,
}

impl Carried {
    /// What is handed on in a program.
    ///
    /// # Errors
    /// If elements are read elsewhere, or not as many iterations after they are written as all others.
    pub fn of(program: &Program) -> Result<Vec<Carried>, String> {
        let reads = reads(program);
        let mut result: Vec<Carried> = Vec::new();
        for group in program.together() {
            for at in group.clone() {
                for access in &reads[at] {
                    let own = |writer: &usize| {
                        let array = program.equations[*writer].target.array;
                        *writer >= at && array == access.array
                    };
                    let Some(writer) = group.clone().find(own) else {
                        continue;
                    };
                    let target = &program.equations[writer].target;
                    let found = handed_on(target, access)
                        .filter(|(_, index, _)| is_one_group(program, (&group, *index)));
                    let array = access.array;
                    let Some((axis, index, by)) = found else {
                        return Err(refused(program, array));
                    };
                    let other = result.iter().find(|other| other.array == array);
                    if other.is_some_and(|other| (other.axis, other.by) != (axis, by)) {
                        return Err(refused(program, array));
                    }
                    if other.is_none() {
                        result.push(Carried {
                            equations: group.clone(),
                            array,
                            axis,
                            index,
                            by,
                        });
                    }
                }
            }
        }
        let alone = |carried: &Carried| carried.is_alone(program, &reads);
        match result.iter().find(|carried| !alone(carried)) {
            Some(other) => Err(refused(program, other.array)),
            None => Ok(result),
        }
    }

    /// Whether the elements are read where they are handed on alone, or after the loop those that its last iteration
    /// leaves, and those before the first iteration are written before.
    fn is_alone(&self, program: &Program, reads: &[Vec<Access>]) -> bool {
        let outside = |at: &usize| !self.equations.contains(at);
        let reads_it = |at: usize| {
            let mut own = reads[at].iter().filter(|access| access.array == self.array);
            own.any(|access| at < self.equations.end || !self.is_left(program, access))
        };
        let starts = |equation: &Equation| {
            let subscript = &equation.target.subscripts[self.axis];
            let last = match subscript.as_index() {
                Some(index) => program.loop_index(index).extent.as_constant(),
                None => subscript.as_constant().map(|at| at as usize + 1),
            };
            equation.reduction.is_empty() && last.is_some_and(|last| last <= self.by)
        };
        (0..program.equations.len()).filter(outside).all(|at| {
            let equation = &program.equations[at];
            let writes = equation.target.array == self.array;
            !reads_it(at) && (!writes || (at < self.equations.start && starts(equation)))
        })
    }

    /// Whether an access is to what the last iteration leaves, which no later one has written over.
    fn is_left(&self, program: &Program, access: &Access) -> bool {
        let extent = program.loop_index(self.index).extent.affine();
        let beyond = access.subscripts[self.axis].sub(&extent).as_constant();
        beyond.is_some_and(|beyond| (0..self.by as i64).contains(&beyond))
    }

    /// The arrays of which the last iteration leaves what is read behind it, with the loops.
    pub(super) fn left(program: &Program) -> Vec<(ArrayId, IndexId)> {
        let all = Carried::of(program).unwrap_or_default();
        let reads = reads(program);
        let read = |one: &Carried| {
            let mut behind = reads[one.equations.end..].iter().flatten();
            behind.any(|access| access.array == one.array)
        };
        let found = all.into_iter().filter(read);
        found.map(|one| (one.array, one.index)).collect()
    }

    /// Whether the loop tree of a plan hands values on as they have to be.
    fn holds(&self, program: &Program, plan: &Plan, paths: &HashMap<usize, Path>) -> bool {
        let first = &paths[&self.equations.start];
        let together = self.equations.clone().all(|at| paths[&at] == *first);
        let vectors =
            plan.width < 2 || !plan.is_lane(self.index) || self.by.is_multiple_of(plan.width);
        let whole = self.equations.clone().all(|at| {
            let domain = program.equations[at].domain();
            domain.count() == first.len()
        });
        together && vectors && whole
    }
}

/// Puts what is handed on where the next iterations find it.
///
/// # Errors
/// If the loop tree does not hand it on: the equations are in several bodies, or lanes would need it before it is
/// there.
pub fn keep(
    program: &Program,
    plan: &Plan,
    (carried, paths): (&[Carried], &HashMap<usize, Path>),
    storage: &mut [(ArrayId, Storage)],
) -> Result<(), String> {
    for one in carried {
        if !one.holds(program, plan, paths) {
            return Err(refused(program, one.array));
        }
        let found = storage.iter_mut().find(|(array, _)| *array == one.array);
        let Some((_, storage)) = found else { continue };
        let Storage::Memory { extents, lanes } = storage else {
            return Err(refused(program, one.array));
        };
        extents[one.axis] = Dimension::Ring(one.by);
        let single = extents.iter().all(|own| *own == Dimension::CONTRACTED);
        if single {
            *storage = Storage::Registers {
                extents: extents.clone(),
                lanes: *lanes,
            };
        }
    }
    Ok(())
}

/// Cycles after which a block has what it hands on to itself: a chain of additions through variables, or through
/// memory, where several vectors are on their way.
pub fn waits(program: &Program, schedule: &Schedule, instances: &[Instance]) -> f64 {
    let targets = (instances.iter()).map(|own| &program.equations[own.equation].target);
    let chains = targets.map(|target| match schedule.storage_of(target.array) {
        // Places have chains of their own.
        Some(storage @ Storage::Registers { .. }) => {
            2.0 * LATENCY / storage.nominal(1).max(1) as f64
        }
        Some(Storage::Memory { extents, .. }) => match extents.as_slice() {
            [Dimension::Ring(depth @ 2..)] if target.subscripts[0].as_index().is_none() => {
                let vectors = *depth as f64 / schedule.width as f64;
                (2.0 * LATENCY + THROUGH_MEMORY) / vectors
            }
            _ => 0.0,
        },
        _ => 0.0,
    });
    chains.sum()
}

/// The axis along which an access reads what a target has written, the loop, and how many of its iterations before.
fn handed_on(target: &Access, access: &Access) -> Option<(usize, IndexId, usize)> {
    let mut found = None;
    let pairs = target.subscripts.iter().zip(&access.subscripts);
    for (axis, (written, read)) in pairs.enumerate() {
        let by = written.sub(read).as_constant()?;
        if by == 0 {
            continue;
        }
        let index = read.as_index()?;
        let once = found.is_none() && *written == Affine::index(index).add(&Affine::constant(by));
        found = Some((axis, index, usize::try_from(by).ok().filter(|_| once)?));
    }
    found
}

/// Whether equations that take turns are over the same loops, one of which is given, and have no sums.
fn is_one_group(program: &Program, (group, index): (&Range<usize>, IndexId)) -> bool {
    let free = &program.equations[group.start].free;
    free.contains(&index)
        && program.equations[group.clone()]
            .iter()
            .all(|equation| equation.free == *free && equation.reduction.is_empty())
}

pub(super) fn refused(program: &Program, array: ArrayId) -> String {
    let name = &program.array(array).name;
    // What lowering hands on is called after the text's variable.
    let name = name.split("_before").next().unwrap_or(name);
    format!("`{name}` is computed from its own earlier elements")
}

#[cfg(test)]
mod tests {
    use crate::ir::text::parse;
    use crate::schedule::{Target, Wishes, schedule, text};
    use expect_test::{Expect, expect};

    /// The loop tree of a program with vectors of four.
    fn check(program: &str, expected: &Expect) {
        let target = Target {
            width: 4,
            registers: 16,
        };
        match schedule(&parse(program).unwrap(), target, &Wishes::default()) {
            Ok(found) => expected.assert_eq(&text::print(&found.program, &found.schedule)),
            Err(reason) => expected.assert_eq(&reason),
        }
    }

    #[test]
    fn sums_run_down_columns_with_lanes_along_rows() {
        check(
            "program columns\nindex j: n\nindex k: m + 2\nindex i: m\nparam 2 n: usize\nparam 3 m: usize\n\
             param 0 x: f64[n + 2, m + 2]\noutput 1 y: f64[n, m]\n\
             temp s: f64[n + 1, m + 2]\ntemp c: f64[n, m + 2]\n\
             s[0, k] = x[0, k] + x[1, k]   for k\n\
             c[j, k] = s[j, k] + x[j + 2, k]   for j, k\n\
             s[j + 1, k] = c[j, k] - x[j, k]   for j, k\n\
             y[j, i] = c[j, i] + c[j, i + 1] + c[j, i + 2]   for j, i\n",
            &expect![[r#"
                schedule width 4 lanes k, i
                store s: memory[_, run]
                store c: memory[_, run]
                buffer s
                buffer c

                loop k in 0..m + 2 step 16 {
                  block {
                    eq 0   // s[0, k] =
                  }
                  block {
                    eq 0 @ k+4   // s[0, k + 4] =
                  }
                  block {
                    eq 0 @ k+8   // s[0, k + 8] =
                  }
                  block {
                    eq 0 @ k+12   // s[0, k + 12] =
                  }
                }
                loop j in 0..n {
                  loop k in 0..m + 2 step 8 {
                    block {
                      eq 1   // c[j, k] =
                      eq 2   // s[j + 1, k] =
                    }
                    block {
                      eq 1 @ k+4   // c[j, k + 4] =
                      eq 2 @ k+4   // s[j + 1, k + 4] =
                    }
                  }
                  loop i in 0..m step 16 {
                    block {
                      eq 3   // y[j, i] =
                    }
                    block {
                      eq 3 @ i+4   // y[j, i + 4] =
                    }
                    block {
                      eq 3 @ i+8   // y[j, i + 8] =
                    }
                    block {
                      eq 3 @ i+12   // y[j, i + 12] =
                    }
                  }
                }
            "#]],
        );
    }

    #[test]
    fn sums_along_the_only_loop_have_no_lanes() {
        check(
            "program row\nindex i: n\nparam 2 n: usize\n\
             param 0 x: f64[n + 2]\noutput 1 y: f64[n]\ntemp s: f64[n + 1]\ntemp c: f64[n]\n\
             s[0] = x[0] + x[1]\n\
             c[i] = s[i] + x[i + 2]   for i\n\
             s[i + 1] = c[i] - x[i]   for i\n\
             y[i] = c[i]   for i\n",
            &expect![[r#"
                schedule width 1
                store s: registers[_]
                store c: register

                block {
                  eq 0   // s[0] =
                }
                loop i in 0..n {
                  block {
                    eq 1   // c[i] =
                    eq 2   // s[i + 1] =
                    eq 3   // y[i] =
                  }
                }
            "#]],
        );
    }

    #[test]
    fn what_the_last_iteration_leaves_is_read() {
        check(
            "program horner\nindex i: n\nindex j: m\nparam 3 n: usize\nparam 4 m: usize\n\
             param 0 x: f64[n]\nparam 1 c: f64[m]\noutput 2 y: f64[n]\ntemp s: f64[n, m + 1]\n\
             s[i, 0] = x[i]   for i\n\
             s[i, j + 1] = s[i, j] * x[i] + c[j]   for i, j\n\
             y[i] = s[i, m]   for i\n",
            &expect![[r#"
                schedule width 4 lanes i
                store s: registers[_, _] lanes

                loop i in 0..n step 4 {
                  block {
                    eq 0   // s[i, 0] =
                  }
                  loop j in 0..m {
                    block {
                      eq 1   // s[i, j + 1] =
                    }
                  }
                  block {
                    eq 2   // y[i] =
                  }
                }
            "#]],
        );
    }

    #[test]
    fn what_goes_to_the_next_vector_has_lanes() {
        check(
            "program vectors\nindex p: 8\nindex i: n\nparam 2 n: usize\n\
             param 0 x: f64[n + 20]\noutput 1 y: f64[n]\ntemp s: f64[n + 8]\ntemp c: f64[n]\n\
             s[p] = x[p] + x[p + 1]   for p\n\
             c[i] = s[i] + x[i + 17]   for i\n\
             s[i + 8] = c[i] - x[i]   for i\n\
             y[i] = c[i]   for i\n",
            &expect![[r#"
                schedule width 4 lanes i
                store s: memory[ring 8]
                store c: register lanes

                loop p in 0..8 {
                  block {
                    eq 0   // s[p] =
                  }
                }
                loop i in 0..n step 8 {
                  block {
                    eq 1   // c[i] =
                    eq 2   // s[i + 8] =
                    eq 3   // y[i] =
                  }
                  block {
                    eq 1 @ i+4   // c[i + 4] =
                    eq 2 @ i+4   // s[i + 12] =
                    eq 3 @ i+4   // y[i + 4] =
                  }
                }
            "#]],
        );
    }
}
