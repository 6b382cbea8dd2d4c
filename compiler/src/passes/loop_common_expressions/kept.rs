//! Which sums that are kept whole may be put together with the sum around them.
//!
//! They are weighted sums of elements of one array: what becomes of their errors is known then (`waves`). The
//! elements of two arrays may be as close to each other as those of no wave are.

use super::split::Split;
use crate::ir::{Access, Expr, ExprId, Factor, IndexId, Program, Role};

/// Whether a sum is one of translates of one array, weighted by what no axis changes.
pub fn opens(program: &Program, axes: &[IndexId], sum: ExprId) -> bool {
    let mut fields = Fields {
        program,
        axes,
        first: None,
    };
    fields.are_translates(sum)
}

struct Fields<'p> {
    program: &'p Program,
    axes: &'p [IndexId],
    /// The element that the others are translates of.
    first: Option<&'p Access>,
}

impl<'p> Fields<'p> {
    fn are_translates(&mut self, expr: ExprId) -> bool {
        let program: &'p Program = self.program;
        let pool = &program.pool;
        match pool.get(expr) {
            Expr::Cast(_, inside) => self.are_translates(*inside),
            Expr::Access(access) => {
                let first = *self.first.get_or_insert(access);
                let role = &program.array(access.array).role;
                matches!(role, Role::Parameter(_)) && alike(access, first)
            }
            Expr::Sum(terms) => terms.iter().all(|term| self.are_translates(term.expr)),
            Expr::Product(factors) => match Split::of(program, self.axes, factors).varying[..] {
                [Factor { expr, power: 1 }] => self.are_translates(expr),
                _ => false,
            },
            _ => false,
        }
    }
}

/// Whether two accesses are translates of each other.
fn alike(one: &Access, other: &Access) -> bool {
    let subscripts = one.subscripts.iter().zip(&other.subscripts);
    one.array == other.array && subscripts.into_iter().all(|(a, b)| a.terms == b.terms)
}
