//! Which reads the bounds check has seen.
//!
//! A pass may evaluate a read where the source would not have: outside of a loop that turns out to
//! be empty. The check says nothing about such a read, so that it is made only in range.

use super::hull::{Ends, inputs};
use super::instance::Instance;
use super::names::plain;
use crate::analysis::subscripts::open;
use crate::collections::{HashMap, HashSet};
use crate::ir::{Access, Affine, Atom, Equation, Extent, IndexId, Program};

/// The accesses of the program as lowered, by array.
#[derive(Debug)]
pub struct Covered<'a> {
    lowered: &'a Program,
    accesses: HashMap<String, Known>,
}

/// What the check has seen.
#[derive(Debug)]
struct Checked {
    access: Access,
    /// The run-time extents of the loops around it.
    around: Vec<Affine>,
    /// Where it begins and ends, if inputs alone say that.
    ends: Option<Ends>,
}

/// The accesses to an array.
#[derive(Debug, Default)]
struct Known {
    all: Vec<Checked>,
    seen: HashSet<(Access, Vec<Affine>)>,
    /// By the constants of their subscripts: most likely an access is one that has the same.
    alike: HashMap<Vec<i64>, Vec<usize>>,
}

impl Known {
    fn add(&mut self, lowered: &Program, access: &Access, around: &[Affine]) {
        if self.seen.insert((access.clone(), around.to_vec())) {
            let alike = self.alike.entry(constants(access)).or_default();
            alike.push(self.all.len());
            self.all.push(Checked {
                access: access.clone(),
                around: around.to_vec(),
                ends: Ends::of(lowered, access, lowered),
            });
        }
    }

    /// Whether something holds of one of them, first of those like an access.
    fn any(&self, access: &Access, holds: impl Fn(&Checked) -> bool) -> bool {
        let alike = self.alike.get(&constants(access));
        let mut alike = alike.into_iter().flatten();
        alike.any(|at| holds(&self.all[*at])) || self.all.iter().any(holds)
    }
}

/// The constants of an access's subscripts, and of those of index maps in them.
fn constants(access: &Access) -> Vec<i64> {
    fn collect(subscripts: &[Affine], into: &mut Vec<i64>) {
        for subscript in subscripts {
            into.push(subscript.constant);
            for (atom, _) in &subscript.terms {
                if let Atom::Map(_, inner) = atom {
                    collect(inner, into);
                }
            }
        }
    }
    let mut result = Vec::new();
    collect(&access.subscripts, &mut result);
    result
}

impl<'a> Covered<'a> {
    /// Collects the accesses that are checked, where functions of the inputs that are `assumed` are not negative:
    /// loops that then run are there for all accesses.
    pub fn new(lowered: &'a Program, assumed: &[Affine]) -> Self {
        let mut accesses: HashMap<String, Known> = HashMap::default();
        for equation in &lowered.equations {
            let extent = |index: IndexId| lowered.loop_index(index).extent.as_constant();
            if equation.domain().any(|index| extent(index) == Some(0)) {
                continue;
            }
            let mut around = run_time(lowered, equation);
            around.retain(|end| !assumed.contains(&end.sub(&Affine::constant(1))));
            let mut add = |access: &Access| {
                let name = &lowered.array(lowered.viewed(access.array)).name;
                let known = accesses.entry(plain(name).to_owned()).or_default();
                known.add(lowered, access, &around);
            };
            for (_, access) in lowered.pool.accesses([equation.expr]) {
                with_maps(access, &mut add);
            }
            with_maps(&equation.target, &mut add);
        }
        Covered { lowered, accesses }
    }

    /// Whether an access of a rewritten program that is made in some loops is one of those that are checked
    /// whenever these have iterations.
    pub fn covers(&self, program: &Program, domain: &[IndexId], access: &Access) -> bool {
        let open = open(program, access);
        if open.is_empty() {
            return true;
        }
        let array = program.viewed(access.array);
        let known = self.accesses.get(plain(&program.array(array).name));
        known.is_some_and(|known| {
            let seen = known.any(access, |checked| {
                let mut instance = Instance::new(self.lowered, program);
                // A view has its last dimensions joined: what it has more of is in range.
                checked.access.subscripts.len() >= access.subscripts.len()
                    && open.iter().all(|axis| {
                        let both = [&checked.access, access];
                        let [checked, found] = both.map(|a| &a.subscripts[*axis]);
                        instance.meets(checked, found)
                    })
                    && (checked.around.iter())
                        .all(|end| domain.iter().any(|found| instance.ends(end, *found)))
            });
            seen || self.encloses(program, (domain, access), (known, &open))
        })
    }

    /// Whether an access is between some that are checked whenever its loops have iterations, in the dimensions
    /// that are not in range for all inputs. Of flat subscripts the check has seen where they lead to together.
    fn encloses(
        &self,
        program: &Program,
        (domain, access): (&[IndexId], &Access),
        (known, open): (&Known, &[usize]),
    ) -> bool {
        let Some(own) = Ends::of(program, access, self.lowered) else {
            return false;
        };
        let assumed = program.assumed.iter();
        let assumed: Vec<_> = assumed
            .filter_map(|affine| inputs(program, affine, self.lowered))
            .collect();
        // Most accesses stand in the same loops.
        let mut known_to_run: HashMap<&Affine, bool> = HashMap::default();
        let mut runs = |end| {
            *known_to_run.entry(end).or_insert_with(|| {
                let least = end.sub(&Affine::constant(1));
                let mut instance = Instance::new(self.lowered, program);
                let mut domain = domain.iter();
                assumed.contains(&least) || domain.any(|found| instance.ends(end, *found))
            })
        };
        let checked = known.all.iter().filter(|checked| {
            checked.access.subscripts.len() == access.subscripts.len()
                && checked.around.iter().all(&mut runs)
        });
        let checked: Vec<&Ends> = checked.filter_map(|c| c.ends.as_ref()).collect();
        let flat = program.array(program.viewed(access.array)).flat;
        let all: Vec<usize> = (0..access.subscripts.len()).collect();
        let groups: Vec<&[usize]> = match flat {
            true => vec![&all],
            false => open.chunks(1).collect(),
        };
        groups.into_iter().all(|axes| {
            let first = |other: &&Ends| axes.iter().all(|axis| own.begins_after(other, *axis));
            let last = |other: &&Ends| axes.iter().all(|axis| own.ends_before(other, *axis));
            checked.iter().any(first) && checked.iter().any(last)
        })
    }
}

fn with_maps(access: &Access, add: &mut impl FnMut(&Access)) {
    add(access);
    for subscript in &access.subscripts {
        for (atom, _) in &subscript.terms {
            if let Atom::Map(array, subscripts) = atom {
                let access = Access {
                    array: *array,
                    subscripts: subscripts.clone(),
                };
                with_maps(&access, add);
            }
        }
    }
}

/// The run-time extents of an equation's loops, each once.
fn run_time(program: &Program, equation: &Equation) -> Vec<Affine> {
    let mut result = Vec::new();
    for index in equation.domain() {
        if let Extent::RunTime(extent) = &program.loop_index(index).extent
            && !result.contains(extent)
        {
            result.push(extent.clone());
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::Covered;
    use crate::ir::text::parse;

    const ARRAYS: &str = "\
program p

index e: len(map)
index z: len(w)
index n: 4
index m: 3
index k: 6

param 0 map: usize[len(map), 4]
param 1 other: usize[len(map), 4]
param 2 w: f64[len(w)]
output 3 y: f64[len(y)]
table first: usize[6] = [0, 0, 0, 1, 1, 3]
table far: usize[6] = [0, 0, 0, 1, 1, 4]

";

    /// Whether the check of one equation has seen what another one reads of `w`.
    fn covers(lowered: &str, rewritten: &str) -> bool {
        let [lowered, rewritten] =
            [lowered, rewritten].map(|equation| parse(&format!("{ARRAYS}{equation}\n")).unwrap());
        let equation = &rewritten.equations[0];
        let mut accesses = rewritten.pool.accesses([equation.expr]);
        accesses.retain(|(_, access)| rewritten.array(access.array).name == "w");
        let covered = Covered::new(&lowered, &[]);
        assert!(!accesses.is_empty());
        let domain: Vec<_> = equation.domain().collect();
        (accesses.iter()).all(|(_, access)| covered.covers(&rewritten, &domain, access))
    }

    #[test]
    fn iterations_of_a_loop_are_checked_with_it() {
        let lowered = "y[e] += sum(n) w[map[e, n]]   for e";
        for seen in [
            "map[e, 3]",
            "map[e, first[k]]",
            "map[e, m]",
            "map[e, m + 1]",
        ] {
            let rewritten = format!("y[e] += sum(k, m) w[{seen}]   for e");
            assert!(covers(lowered, &rewritten), "{seen}");
        }
        for unseen in [
            "map[e, 4]",
            "map[e, far[k]]",
            "map[e, k]",
            "map[e, m + 2]",
            "map[e, 0] + 1",
            "2 * map[e, 0]",
            "other[e, 0]",
            "e",
        ] {
            let rewritten = format!("y[e] += sum(k, m) w[{unseen}]   for e");
            assert!(!covers(lowered, &rewritten), "{unseen}");
        }
    }

    #[test]
    fn a_loop_has_one_iteration_at_a_time() {
        let lowered = "y[e] += sum(n) w[map[e, n] + other[e, n]]   for e";
        let of = |subscript: &str| {
            covers(
                lowered,
                &format!("y[e] += sum(m, k) w[{subscript}]   for e"),
            )
        };
        assert!(of("map[e, 2] + other[e, 2]"));
        assert!(of("map[e, m + 1] + other[e, m + 1]"));
        assert!(!of("map[e, 2] + other[e, 1]"));
        assert!(!of("map[e, m] + other[e, first[k]]"));
    }

    #[test]
    fn sums_of_loops_are_taken_apart() {
        let lowered = "y[e] += sum(n, m) w[3 * n + m + 2]   for e";
        let of = |subscript: &str| {
            covers(
                lowered,
                &format!("y[e] += sum(k, n) w[{subscript}]   for e"),
            )
        };
        for seen in [
            "2",
            "13",
            "3 * n + 4",
            "3 * first[k] + 2",
            "3 * n + 2",
            "n + 2",
        ] {
            assert!(of(seen), "{seen}");
        }
        for unseen in ["1", "14", "3 * n + 5", "3 * k + 2", "3 * far[k] + 2"] {
            assert!(!of(unseen), "{unseen}");
        }
    }

    #[test]
    fn loops_may_be_empty() {
        let lowered = "y[e] += sum(z) w[map[e, 0]]   for e";
        assert!(covers(lowered, "y[e] += sum(z) w[map[e, 0]]   for e"));
        assert!(!covers(lowered, "y[e] += w[map[e, 0]]   for e"));
        // That loop is another one.
        assert!(!covers(lowered, "y[z] += w[map[0, 0]]   for z"));
    }

    #[test]
    fn longer_loops_read_between_what_is_checked() {
        let of = |index: &str, read: &str, slice: &str| {
            let text = |loops: &str, equation: &str| {
                let head = "program p\n\nindex i: len(y)\nindex j: len(y)\n";
                let arrays = "param 0 n: usize\nparam 1 x: f64[len(x)]\noutput 2 y: f64[len(y)]\n";
                let arrays = arrays.replace("f64[len(x)]", slice);
                parse(&format!("{head}{loops}\n{arrays}\n{equation}\n")).unwrap()
            };
            let lowered = text("", "y[i] = x[i + 1] + x[i + 9]   for i");
            let mut rewritten = text(
                &format!("index k: {index}\n"),
                &format!("y[k] = {read}   for k"),
            );
            let assume = |program: &mut crate::ir::Program| {
                let crate::ir::Extent::RunTime(extent) = program.indices[0].extent.clone() else {
                    return;
                };
                program
                    .assumed
                    .push(extent.sub(&crate::ir::Affine::constant(1)));
            };
            let sees = |rewritten: &crate::ir::Program| {
                let equation = &rewritten.equations[0];
                let mut accesses = rewritten.pool.accesses([equation.expr]);
                accesses.retain(|(_, access)| rewritten.array(access.array).name == "x");
                assert!(!accesses.is_empty());
                let covered = Covered::new(&lowered, &[]);
                let domain: Vec<_> = equation.domain().collect();
                (accesses.iter()).all(|(_, access)| covered.covers(rewritten, &domain, access))
            };
            let before = sees(&rewritten);
            assume(&mut rewritten);
            (before, sees(&rewritten))
        };
        let slice = "f64[len(x)]";
        assert_eq!(of("len(y) + 8", "x[k + 1]", slice), (false, true));
        assert_eq!(of("len(y) + 6", "x[k + 3]", slice), (false, true));
        assert_eq!(of("len(y) + 8", "x[k]", slice), (false, false));
        assert_eq!(of("len(y) + 8", "x[k + 2]", slice), (false, false));
    }
}
