//! Which sums that are kept whole may be put together with the sum around them.
//!
//! Terms that are added up in another order have an error of about what their magnitudes sum up to. That is
//! no more than the text's own, by running error analysis (Higham 2002, section 3.3), where its partial sums are
//! as large. They are computed for a field that is constant, where differences cancel most: `a + b + c + d` has
//! partial sums 2, 3 and 4 for magnitudes of 4, `a - b` has 0 for magnitudes of 2.

use crate::ir::{ArrayId, Expr, ExprId, IndexId, Program, Role};

/// Of a value for a field that is one everywhere.
#[derive(Clone, Copy, Default)]
struct Running {
    value: f64,
    /// The sum of what is rounded.
    error: f64,
    /// The sum of the magnitudes of what is read, as it is multiplied.
    magnitude: f64,
}

impl Running {
    fn times(self, by: f64) -> Running {
        Running {
            value: self.value * by,
            error: self.error * by.abs(),
            magnitude: self.magnitude * by.abs(),
        }
    }
}

/// Whether a sum's terms may be added in any order, together with others, without an error that is larger
/// than that of the sum itself. It is one of elements of one array, weighted by what no axis changes.
pub fn opens(program: &Program, axes: &[IndexId], sum: ExprId) -> bool {
    let mut fields = Fields {
        program,
        axes,
        array: None,
    };
    let running = fields.running(sum);
    running.is_some_and(|running| running.error >= running.magnitude)
}

struct Fields<'p> {
    program: &'p Program,
    axes: &'p [IndexId],
    /// The array that is read.
    array: Option<ArrayId>,
}

impl Fields<'_> {
    fn running(&mut self, expr: ExprId) -> Option<Running> {
        let pool = &self.program.pool;
        match pool.get(expr) {
            Expr::Cast(_, inside) => self.running(*inside),
            Expr::Access(access) => {
                let role = &self.program.array(access.array).role;
                let same = *self.array.get_or_insert(access.array) == access.array;
                (same && matches!(role, Role::Parameter(_))).then_some(Running {
                    value: 1.0,
                    error: 0.0,
                    magnitude: 1.0,
                })
            }
            Expr::Sum(terms) => {
                let mut result = Running::default();
                for (at, term) in terms.iter().enumerate() {
                    let by = term.coefficient.to_f64();
                    let own = self.running(term.expr)?.times(by);
                    let unit = by.abs() == 1.0;
                    result.value += own.value;
                    result.magnitude += own.magnitude;
                    result.error += own.error
                        + if unit { 0.0 } else { own.value.abs() }
                        + if at > 0 { result.value.abs() } else { 0.0 };
                }
                Some(result)
            }
            Expr::Product(factors) => {
                let mut by = 1.0;
                let mut varying = None;
                for factor in factors {
                    let mut indices = pool.indices(factor.expr).iter();
                    match pool.get(factor.expr) {
                        Expr::Constant(number) => by *= number.to_f64().powi(factor.power),
                        _ if !indices.any(|index| self.axes.contains(index)) => {}
                        _ if factor.power != 1 || varying.is_some() => return None,
                        _ => varying = Some(factor.expr),
                    }
                }
                let mut result = self.running(varying?)?.times(by);
                result.error += result.value.abs();
                Some(result)
            }
            _ => None,
        }
    }
}
