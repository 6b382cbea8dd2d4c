//! What lanes gather again and again is gathered once.
//!
//! Lanes over cells read the values of a coefficient on a cell, `w[e][r]`, element by element; where a
//! loop over points stands around, once a point. They go to a temporary `[r][lane]` first.
//!
//! ```text
//! f[e, q] = sum(r) w[e, r] * phi[q, r]        w_packed[e, r] = w[e, r]
//!                                             f[e, q] = sum(r) w_packed[e, r] * phi[q, r]
//! ```

use super::Plan;
use super::own_block::Block;
use crate::collections::HashMap;
use crate::ir::{
    Access, Affine, ArrayId, Atom, Equation, Expr, ExprId, Extent, IndexId, Operator, Program, Role,
};

/// Most elements of a cell that are packed.
const MOST: usize = 4096;

/// Packs what is read in more iterations than it has elements; the first equations of the program do
/// it then.
pub fn pack(program: &mut Program, plan: &Plan) {
    let mesh = |lane: &IndexId| plan.width > 1 && !program.is_constant(*lane);
    let Some(lane) = plan.lanes.filter(mesh) else {
        return;
    };
    let patterns = patterns(program, lane);
    let mut packed = Vec::new();
    let mut equations = Vec::new();
    for pattern in patterns {
        let (equation, array) = define(program, &pattern, lane);
        equations.push(equation);
        packed.push((pattern, array));
    }
    if packed.is_empty() {
        return;
    }
    let mut known: HashMap<ExprId, ExprId> = HashMap::default();
    for expr in program.reachable() {
        let Some(access) = gathered(program, expr, lane).cloned() else {
            continue;
        };
        let found = packed.iter().find_map(|(pattern, array)| {
            let subscripts = pattern.subscripts(program, &access, lane)?;
            let array = *array;
            Some(Access { array, subscripts })
        });
        if let Some(access) = found {
            let element = program.pool.element(expr);
            let read = program.pool.add(Expr::Access(access), element);
            known.insert(expr, read);
        }
    }
    for at in 0..program.equations.len() {
        let expr = program.equations[at].expr;
        program.equations[at].expr = program.pool.replace(expr, &mut known);
    }
    program.equations.splice(0..0, equations);
}

/// What is packed.
enum Pattern {
    /// All elements of a block.
    Whole(Block),
    /// An access, whatever its loops are called, with these loops.
    Like(Access, Vec<IndexId>),
}

impl Pattern {
    /// Where an access finds its element in what is packed, if it is there.
    fn subscripts(&self, program: &Program, access: &Access, lane: IndexId) -> Option<Vec<Affine>> {
        match self {
            Pattern::Whole(block) => {
                let own = Block::of(program, access, lane)?;
                let lane = std::iter::once(Affine::index(lane));
                (own.access == block.access).then(|| lane.chain(own.inner).collect())
            }
            Pattern::Like(other, loops) => {
                let own = own(access, lane);
                let extent = |index: &IndexId| &program.loop_index(*index).extent;
                if other.array != access.array
                    || !own.iter().map(extent).eq(loops.iter().map(extent))
                {
                    return None;
                }
                let by = |index| match own.iter().position(|i| *i == index) {
                    Some(at) => Affine::index(loops[at]),
                    None => Affine::index(index),
                };
                let renamed = access.subscripts.iter().map(|s| s.substitute(&by));
                let same = renamed.eq(other.subscripts.iter().cloned());
                let all = std::iter::once(lane).chain(own);
                same.then(|| all.map(Affine::index).collect())
            }
        }
    }
}

/// What is gathered in more iterations than it has elements.
fn patterns(program: &Program, lane: IndexId) -> Vec<Pattern> {
    let mut again: Vec<(ExprId, usize)> = Vec::new();
    for equation in &program.equations {
        let times = size(program, equation.domain());
        let mut accesses = program.pool.accesses([equation.expr]);
        accesses.sort_unstable_by_key(|(expr, _)| *expr);
        for (expr, access) in accesses {
            let own = own(access, lane);
            let known = own.iter().all(|index| program.is_constant(*index));
            let elements = elements(program, access, lane);
            let often = times >= 2 * elements && elements <= MOST;
            let new = !again.iter().any(|(other, _)| *other == expr);
            if known && often && new && gathered(program, expr, lane).is_some() {
                again.push((expr, elements));
            }
        }
    }
    let mut result: Vec<Pattern> = Vec::new();
    for (expr, _) in &again {
        let Expr::Access(access) = program.pool.get(*expr) else {
            continue;
        };
        if result
            .iter()
            .any(|p| p.subscripts(program, access, lane).is_some())
        {
            continue;
        }
        // Half of what there is, at least.
        let block = Block::of(program, access, lane).filter(|block| {
            let of_block = again.iter().filter(|(other, _)| {
                let Expr::Access(other) = program.pool.get(*other) else {
                    return false;
                };
                Block::of(program, other, lane).is_some_and(|b| b.access == block.access)
            });
            let read: usize = of_block.map(|(_, elements)| elements).sum();
            2 * read >= block.size() && block.size() <= MOST
        });
        result.push(match block {
            Some(block) => Pattern::Whole(block),
            None => Pattern::Like(access.clone(), own(access, lane)),
        });
    }
    result
}

/// How many elements of a cell an access meets, at most.
fn elements(program: &Program, access: &Access, lane: IndexId) -> usize {
    let iterations = size(program, own(access, lane).into_iter());
    Block::of(program, access, lane).map_or(iterations, |block| iterations.min(block.size()))
}

/// The loops of an access, but for the lanes'.
fn own(access: &Access, lane: IndexId) -> Vec<IndexId> {
    let mut result = Vec::new();
    let subscripts = access.subscripts.iter();
    subscripts.for_each(|s| s.collect_indices(&mut result));
    result.retain(|index| *index != lane);
    result
}

/// Iterations of the loops of constant length.
fn size(program: &Program, loops: impl Iterator<Item = IndexId>) -> usize {
    loops
        .filter_map(|i| program.loop_index(i).extent.as_constant())
        .product()
}

/// The equation that packs, and its temporary.
fn define(program: &mut Program, pattern: &Pattern, lane: IndexId) -> (Equation, ArrayId) {
    let (array, extents) = match pattern {
        Pattern::Whole(block) => {
            let extents = block.extents.iter().copied().map(Extent::Constant);
            (block.access.array, extents.collect())
        }
        Pattern::Like(access, loops) => {
            let extents = loops.iter().map(|i| program.loop_index(*i).extent.clone());
            (access.array, extents.collect::<Vec<_>>())
        }
    };
    let packed = extents
        .iter()
        .map(|extent| program.add_index("k", extent.clone()));
    let packed: Vec<IndexId> = packed.collect();
    let free: Vec<IndexId> = std::iter::once(lane)
        .chain(packed.iter().copied())
        .collect();
    let subscripts: Vec<Affine> = free.iter().copied().map(Affine::index).collect();
    let source = match pattern {
        Pattern::Whole(block) => block.element(&subscripts[1..]),
        Pattern::Like(access, loops) => {
            let by = |index| match loops.iter().position(|i| *i == index) {
                Some(at) => Affine::index(packed[at]),
                None => Affine::index(index),
            };
            let subscripts = access.subscripts.iter().map(|s| s.substitute(&by));
            let subscripts = subscripts.collect();
            Access { array, subscripts }
        }
    };
    let (name, element) = (&program.array(array).name, program.array(array).element);
    let name = format!("{name}_packed");
    let mut shape = vec![program.loop_index(lane).extent.clone()];
    shape.extend(extents);
    let temporary = program.add_array(&name, element, shape, Role::Temporary);
    let read = Expr::Access(source);
    let equation = Equation {
        target: Access {
            array: temporary,
            subscripts,
        },
        operator: Operator::Assign,
        free,
        reduction: Vec::new(),
        expr: program.pool.add(read, element),
    };
    (equation, temporary)
}

/// The access to a parameter that an expression is, if lanes read it element by element.
fn gathered(program: &Program, expr: ExprId, lane: IndexId) -> Option<&Access> {
    let Expr::Access(access) = program.pool.get(expr) else {
        return None;
    };
    let array = program.array(access.array);
    let parameter = matches!(array.role, Role::Parameter(_)) && !array.element.is_integer();
    let (last, outer) = access.subscripts.split_last()?;
    let moves = |subscript: &Affine| subscript.depends_on(lane);
    let along = last.terms.iter().all(|(atom, c)| match atom {
        Atom::Index(index) => *index != lane || *c == 1,
        Atom::Map(_, subscripts) => !subscripts.iter().any(moves),
        Atom::Scalar(_) | Atom::Length(..) => true,
    });
    let apart = outer.iter().any(moves) || (moves(last) && !along);
    (parameter && apart).then_some(access)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::ir::text::equation;
    use crate::schedule::over_cells;

    const ARRAYS: &str = "\
program p

index e: len(w)
index q: 5
index r: 3
index c: 6

param 0 w: f64[len(w), 3]
param 1 u: f64[len(u)]
param 2 map: usize[len(w), 3]
output 3 y: f64[len(y), 5]
table phi: f64[5, 3] = [
  [1, 2, 3],
  [4, 5, 6],
  [7, 8, 9],
  [10, 11, 12],
  [13, 14, 15],
]
table first: usize[6] = [0, 0, 0, 1, 1, 2]
temp f: f64[len(w), 5]
temp g: f64[len(w), 6]

";

    /// The equations of a program with lanes over cells.
    fn check(equations: &str, expected: &Expect) {
        let scheduled = over_cells(&format!("{ARRAYS}{equations}"));
        let program = &scheduled.program;
        let found = (0..program.equations.len()).map(|at| equation(program, at));
        expected.assert_eq(&found.collect::<String>());
    }

    #[test]
    fn a_coefficient_is_gathered_once_a_cell() {
        check(
            "y[e, q] += sum(r) w[e, r] * phi[q, r]   for e, q\n",
            &expect![[r#"
                w_packed[e, k] = w[e, k]   for e, k
                y_cells[e, q] = sum(r) w_packed[e, r] * phi[q, r]   for e, q
            "#]],
        );
    }

    #[test]
    fn so_is_what_a_map_chooses() {
        check(
            "y[e, q] += sum(r) u[map[e, r]] * phi[q, r]   for e, q\n",
            &expect![[r#"
                u_packed[e, k] = u[map[e, k]]   for e, k
                y_cells[e, q] = sum(r) u_packed[e, r] * phi[q, r]   for e, q
            "#]],
        );
    }

    #[test]
    fn so_is_what_a_table_chooses() {
        check(
            "g[e, c] = w[e, first[c]] * w[e, first[c]]   for e, c\n\
             y[e, q] += sum(c) g[e, c]   for e, q\n",
            &expect![[r#"
                w_packed[e, k] = w[e, k]   for e, k
                g[e, c] = w_packed[e, first[c]] * w_packed[e, first[c]]   for e, c
                y_cells[e, q] = sum(c) g[e, c]   for e, q
            "#]],
        );
    }

    #[test]
    fn so_is_what_a_table_chooses_in_a_map() {
        check(
            "g[e, c] = u[map[e, first[c]]] * u[map[e, first[c]]]   for e, c\n\
             y[e, q] += sum(c) g[e, c]   for e, q\n",
            &expect![[r#"
                u_packed[e, k] = u[map[e, k]]   for e, k
                g[e, c] = u_packed[e, first[c]] * u_packed[e, first[c]]   for e, c
                y_cells[e, q] = sum(c) g[e, c]   for e, q
            "#]],
        );
    }

    #[test]
    fn what_is_read_once_stays() {
        check(
            "y[e, r] += w[e, r]   for e, r\n",
            &expect![[r#"
            y_cells[e, r] += w[e, r]   for e, r
        "#]],
        );
    }
}
