//! Axes of views that may be one.
//!
//! Where each row of a view begins at the end of the one before, all rows are one long row, and
//! ```text
//! y[i, j] = 2 * x[i, j]   for i < len(y), j < len(y, 1)
//! ```
//! is the same for views of one row of `len(y) * len(y, 1)` elements: so short rows, pixels of three colours for instance, fill
//! whole vectors. How far rows lie apart a call says; that nothing else depends on where one ends, a program does: what two
//! loops access follows both of them, along two axes, by plain subscripts, and no other element of these views is accessed.
//!
//! Holds: for views whose rows follow each other, the program with one row computes what it computes with all of them, and
//! adds up in the same order.

use crate::ir::{Access, Affine, ArrayId, Atom, Equation, Extent, IndexId, Program};

/// Two axes of each of some views, the outer loop's first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointAxes {
    /// The parameter whose extents the loops have, and along which axes.
    pub of: (usize, [usize; 2]),
    /// All parameters that the loops access, and along which axes.
    pub views: Vec<(usize, [usize; 2])>,
    /// Columns that follow each other may be one, too: nothing is added up in the order of the text.
    pub any_order: bool,
}

/// The axes that may be one, the outermost ones first, where some functions of extents must not be negative.
#[must_use]
pub fn joint_axes(program: &Program, assumed: &[Affine]) -> Vec<JointAxes> {
    let all = (0..program.arrays.len()).map(|at| ArrayId(at as u32));
    let views =
        all.filter(|array| program.array(*array).strided && program.viewed(*array) == *array);
    let axes = views.flat_map(|array| {
        let rank = program.array(array).shape.len();
        (1..rank).map(move |inner| (array, [inner - 1, inner]))
    });
    axes.filter_map(|of| Joining::of(program, of)?.joined(assumed))
        .collect()
}

/// Two loops of a program, each of them in as many nests as there are.
struct Joining<'a> {
    program: &'a Program,
    of: (ArrayId, [usize; 2]),
    loops: [Vec<IndexId>; 2],
    /// Views, by their memory.
    views: Vec<(ArrayId, [usize; 2])>,
}

impl<'a> Joining<'a> {
    fn of(program: &'a Program, of: (ArrayId, [usize; 2])) -> Option<Self> {
        let used = used(program);
        let loops = of.1.map(|axis| {
            let extent = Extent::RunTime(Affine::atom(Atom::Length(of.0, axis)));
            let own = used.iter().copied();
            own.filter(|index| program.loop_index(*index).extent == extent)
                .collect::<Vec<IndexId>>()
        });
        loops.iter().all(|own| !own.is_empty()).then_some(Joining {
            program,
            of,
            loops,
            views: Vec::new(),
        })
    }

    fn joined(mut self, assumed: &[Affine]) -> Option<JointAxes> {
        let equations = &self.program.equations;
        let mut summed = false;
        let mut others = Vec::new();
        for equation in equations {
            let pair = self.pair(equation)?;
            summed |= pair.is_some_and(|pair| pair.iter().any(|i| equation.reduction.contains(i)));
            let read = self.program.pool.accesses([equation.expr]);
            let read = read.into_iter().map(|(_, access)| access);
            for access in read.chain([&equation.target]) {
                let memory = self.program.viewed(access.array);
                match self.axes(access, pair)? {
                    None => others.push(memory),
                    Some(axes) => self.access(memory, axes)?,
                }
            }
        }
        let own = |array: &ArrayId| self.views.iter().any(|(view, _)| view == array);
        let alone = !others.iter().any(own) && !self.is_named(assumed);
        let any_order = !(summed && self.program.exact);
        let views = self.views.iter().map(|(view, axes)| {
            let position = self.program.array(*view).role.position();
            position.map(|position| (position, *axes))
        });
        let mut views: Vec<(usize, [usize; 2])> = views.collect::<Option<_>>()?;
        views.sort_unstable();
        let of = self.program.array(self.of.0).role.position()?;
        (alone && views.iter().any(|(view, _)| *view == of)).then_some(JointAxes {
            of: (of, self.of.1),
            views,
            any_order,
        })
    }

    /// The two loops of an equation that has both; nothing where it has one of them alone.
    fn pair(&self, equation: &Equation) -> Option<Option<[IndexId; 2]>> {
        let own = |loops: &[IndexId]| -> Vec<IndexId> {
            let domain = equation.domain();
            domain.filter(|index| loops.contains(index)).collect()
        };
        let [outer, inner] = self.loops.each_ref().map(|loops| own(loops));
        match (outer.as_slice(), inner.as_slice()) {
            ([], []) => Some(None),
            // What is added up in the order of the text is added up row by row.
            ([outer], [inner]) => {
                let rows = !self.program.exact || outer < inner;
                rows.then_some(Some([*outer, *inner]))
            }
            _ => None,
        }
    }

    /// The axes of a view that follow two loops, none where an access follows neither; nothing where it follows them in another way.
    fn axes(&self, access: &Access, pair: Option<[IndexId; 2]>) -> Option<Option<[usize; 2]>> {
        let subscripts = &access.subscripts;
        if subscripts.iter().any(Affine::is_mapped) {
            return None;
        }
        let Some(pair) = pair.filter(|pair| pair.iter().any(|index| access.depends_on(*index)))
        else {
            return Some(None);
        };
        let along = |index: IndexId| {
            let mut following =
                (0..subscripts.len()).filter(|axis| subscripts[*axis].depends_on(index));
            let axis = following.next()?;
            let plain = subscripts[axis].as_index() == Some(index);
            (plain && following.next().is_none()).then_some(axis)
        };
        Some(Some([along(pair[0])?, along(pair[1])?]))
    }

    /// Notes the axes of a view along which all of its elements are accessed.
    fn access(&mut self, memory: ArrayId, axes: [usize; 2]) -> Option<()> {
        match self.views.iter().find(|(view, _)| *view == memory) {
            Some((_, known)) => (*known == axes).then_some(()),
            None => {
                let array = self.program.array(memory);
                self.views.push((memory, axes));
                array.strided.then_some(())
            }
        }
    }

    /// Whether something else depends on an extent that changes: a subscript, another loop, another array, or what is assumed.
    fn is_named(&self, assumed: &[Affine]) -> bool {
        let program = self.program;
        let changes = |affine: &Affine| {
            // Equal extents stay equal.
            let mut counts = [0; 2];
            for (atom, coefficient) in &affine.terms {
                let Atom::Length(array, axis) = atom else {
                    continue;
                };
                let mut views = self.views.iter();
                let own = views.find(|(view, _)| view == array);
                let own = own.and_then(|(_, axes)| axes.iter().position(|own| own == axis));
                if let Some(which) = own {
                    counts[which] += coefficient;
                }
            }
            counts != [0; 2]
        };
        let of_loops = used(program).into_iter();
        let of_loops = of_loops.filter(|index| !self.loops.iter().any(|own| own.contains(index)));
        let of_loops = of_loops.map(|index| &program.loop_index(index).extent);
        let all = (0..program.arrays.len()).map(|at| ArrayId(at as u32));
        let others = all.filter(|array| {
            let memory = program.viewed(*array);
            !self.views.iter().any(|(view, _)| *view == memory)
        });
        let of_arrays = others.flat_map(|array| &program.array(array).shape);
        let extents = of_loops.chain(of_arrays).filter_map(Extent::run_time);
        let exprs = program.equations.iter().map(|equation| equation.expr);
        let read = program.pool.accesses(exprs).into_iter();
        let written = program.equations.iter().map(|equation| &equation.target);
        let accesses = read.map(|(_, access)| access).chain(written);
        let subscripts = accesses.flat_map(|access| &access.subscripts);
        let facts = assumed.iter().chain(&program.assumed).chain(&program.known);
        extents.chain(subscripts).chain(facts).any(changes)
    }
}

/// The loops that equations have, and the one around them all.
fn used(program: &Program) -> Vec<IndexId> {
    let own = program.equations.iter().flat_map(Equation::domain);
    let mut all: Vec<IndexId> = own.chain(program.repeated).collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;

    fn found(equations: &str) -> Vec<JointAxes> {
        let program = format!(
            "program p\nindex i: len(y)\nindex j: len(y, 1)\nindex k: len(y, 2)\nindex l: 3\n\
             param 0 x: f64[len(x), len(x, 1), len(x, 2)] strided\n\
             output 1 y: f64[len(y), len(y, 1), len(y, 2)] strided\n\
             state 1 y_held: f64[len(y), len(y, 1), len(y, 2)]\n\
             param 2 z: f64[len(z), len(z, 1)] strided\nparam 3 w: f64[len(w)]\n{equations}\n"
        );
        joint_axes(&text::parse(&program).unwrap(), &[])
    }

    fn axes(equations: &str) -> Vec<[usize; 2]> {
        found(equations).iter().map(|joint| joint.of.1).collect()
    }

    #[test]
    fn what_follows_both_loops_is_one_row() {
        let all = found("y[i, j, k] = x[i, j, k] * y_held[i, j, k]   for i, j, k");
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].of, (1, [0, 1]));
        assert_eq!(all[1].views, [(0, [1, 2]), (1, [1, 2])]);
        assert!(all[0].any_order);
        // Turned axes are those of the view that is turned.
        let turned = found("y[i, j, k] = x[j, i, k]   for i, j, k");
        assert_eq!(turned[0].views, [(0, [1, 0]), (1, [0, 1])]);
        assert_eq!(
            axes("y[i, j, 1] = x[i, j, 0] + z[i, j]   for i, j"),
            [[0, 1]]
        );
        assert_eq!(
            axes("y[i, j, l] = x[i, j, l] * z[l, 0]   for i, j, l"),
            [[0, 1]]
        );
    }

    #[test]
    fn what_knows_where_a_row_ends_is_not() {
        assert_eq!(
            axes("y[i, j, k] = x[i, j, k] * w[j]   for i, j, k"),
            [[0usize; 2]; 0]
        );
        assert_eq!(
            axes("y[i, j, k] = x[i, j + 1, k]   for i, j, k"),
            [[0usize; 2]; 0]
        );
        assert_eq!(
            axes("y[i, j, k] = x[i, j, len(y, 2) - k - 1]   for i, j, k"),
            [[0, 1]]
        );
        assert_eq!(
            axes("y[i, j, k] = x[i, j, k]   for i, j, k\ny[0, 0, 0] = 1"),
            [[0usize; 2]; 0]
        );
        assert_eq!(
            axes("y[i, j, k] = x[i, j, k] * w[k]   for i, j, k"),
            [[0, 1]]
        );
    }
}
