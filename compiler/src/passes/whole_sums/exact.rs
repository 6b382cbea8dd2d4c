//! Values without an error of their own.

use crate::collections::HashSet;
use crate::ir::{ArrayId, Element, Expr, ExprId, Program, Role, Term};
use crate::syntax::ast::Elementary;

/// Which values are exact.
pub struct Exact {
    /// The temporaries that hold copies of what is loaded.
    copies: HashSet<ArrayId>,
}

impl Exact {
    /// Of the values of a program.
    pub fn of(program: &Program) -> Exact {
        let mut result = Exact {
            copies: HashSet::default(),
        };
        for equation in &program.equations {
            let array = equation.target.array;
            let temporary = matches!(program.array(array).role, Role::Temporary);
            if temporary && equation.reduction.is_empty() && result.has(program, equation.expr) {
                result.copies.insert(array);
            }
        }
        result
    }

    /// Whether a value is loaded, or known, and nothing is computed.
    pub fn has(&self, program: &Program, expr: ExprId) -> bool {
        let mut operands = program.pool.operands(expr).into_iter();
        let mut all = || operands.all(|operand| self.has(program, operand));
        match program.pool.get(expr) {
            Expr::Constant(_) => true,
            Expr::Access(access) => match program.array(access.array).role {
                Role::Temporary => self.copies.contains(&access.array),
                _ => true,
            },
            Expr::Sum(terms) => terms.len() == 1 && self.is_exact(program, &terms[0]),
            Expr::Product(factors) => factors.len() == 1 && factors[0].power == 1 && all(),
            Expr::Call(Elementary::Abs | Elementary::Min | Elementary::Max, _)
            | Expr::Call(Elementary::Lesser | Elementary::Greater, _) => all(),
            Expr::Select(_, then, otherwise) => {
                self.has(program, *then) && self.has(program, *otherwise)
            }
            // Only to a narrower type a conversion rounds.
            Expr::Cast(to, from) => {
                let narrower = *to == Element::F32 && program.pool.element(*from) == Element::F64;
                !narrower && all()
            }
            Expr::Call(..) | Expr::Compare(..) => false,
        }
    }

    fn is_exact(&self, program: &Program, term: &Term) -> bool {
        let unit = term.coefficient.is_one() || term.coefficient.is_minus_one();
        unit && self.has(program, term.expr)
    }

    /// Whether terms of a sum may cancel, and what remains have a smaller error than each of them would
    /// have in a sum of products.
    pub fn cancels(&self, program: &Program, terms: &[Term]) -> bool {
        // Sums begin with zero.
        let exact = terms
            .iter()
            .filter(|term| !program.pool.is_zero(term.expr) && self.is_exact(program, term));
        exact.count() > 1
    }
}
