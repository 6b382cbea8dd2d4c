//! Reads whose elements tables choose, along short loops.
//!
//! ```text
//! u[e, c] = f[e, r[c]] * g[e, s[c]]
//! ```
//! Where such a loop is written out, each iteration knows its elements.

use crate::ir::{Affine, Atom, IndexId, Program, Role};

/// Most iterations of a loop that is written out.
const SHORT: usize = 64;

/// Whether tables say which elements an equation reads along a short loop.
pub fn is_by_tables(program: &Program, equation: usize, index: IndexId) -> bool {
    let equation = &program.equations[equation];
    let extent = program.loop_index(index).extent.as_constant();
    let short = equation.reduction.is_empty() && extent.is_some_and(|n| n <= SHORT);
    let accesses = program.pool.accesses([equation.expr]);
    let mut subscripts = accesses.iter().flat_map(|(_, access)| &access.subscripts);
    short && subscripts.any(|s| is_chosen(program, s, index))
}

/// Whether a table says what a subscript is along a loop.
fn is_chosen(program: &Program, subscript: &Affine, index: IndexId) -> bool {
    subscript.terms.iter().any(|(atom, _)| match atom {
        Atom::Map(map, inner) => {
            let table = matches!(program.array(*map).role, Role::Table(_));
            table && inner.iter().any(|s| s.depends_on(index))
        }
        _ => false,
    })
}
