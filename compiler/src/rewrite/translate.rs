//! Expressions up to translation.

use super::signs::{Signs, unsigned};
use crate::collections::HashMap;
use crate::ir::{Access, Affine, Atom, Expr, ExprId, IndexId, Pool};
use crate::syntax::ast::Elementary;

/// Most loops along which translates are looked for: the innermost ones.
pub const AXES: usize = 4;

/// How far a translate is away, along each axis.
pub type Offset = [i32; AXES];

/// Sum of two offsets.
pub fn plus(a: Offset, b: Offset) -> Offset {
    std::array::from_fn(|at| a[at] + b[at])
}

/// Difference of two offsets.
pub fn minus(a: Offset, b: Offset) -> Offset {
    std::array::from_fn(|at| a[at] - b[at])
}

/// Says of expressions which others they are translates of.
#[derive(Clone)]
pub struct Translation {
    /// The loops along which translates are looked for.
    pub axes: Vec<IndexId>,
    /// Whether operands have to keep their order.
    exact: bool,
    known: HashMap<ExprId, Option<(ExprId, Offset)>>,
    signs: Signs,
}

impl Translation {
    /// Translation along some loops.
    pub fn new(axes: &[IndexId], exact: bool) -> Translation {
        Translation {
            axes: axes.to_vec(),
            exact,
            known: HashMap::default(),
            signs: Signs::default(),
        }
    }

    /// As [`Translation::base`], the same for the negatives of all translates too; whether this is one of them.
    pub fn unsigned(&mut self, pool: &mut Pool, expr: ExprId) -> Option<(ExprId, Offset, bool)> {
        let (base, offset) = self.base(pool, expr)?;
        let (base, negative) = match self.exact {
            true => (base, false),
            false => unsigned(pool, base, &mut self.signs),
        };
        Some((base, offset, negative))
    }

    /// The loops as `by` says, for [`Pool::substitute`].
    fn shift(&self, by: Offset, index: IndexId) -> Affine {
        let own = Affine::index(index);
        match self.axes.iter().position(|axis| *axis == index) {
            Some(at) => own.add(&Affine::constant(i64::from(by[at]))),
            None => own,
        }
    }

    /// The expression from which one is away by an offset: the same for all of its translates, whose
    /// least offsets are 0. `None` if offsets are out of range.
    pub fn base(&mut self, pool: &mut Pool, expr: ExprId) -> Option<(ExprId, Offset)> {
        if let Some(known) = self.known.get(&expr) {
            return *known;
        }
        let result = self.found(pool, expr);
        self.known.insert(expr, result);
        result
    }

    fn found(&self, pool: &mut Pool, expr: ExprId) -> Option<(ExprId, Offset)> {
        const FAR: i64 = 1 << 20;
        let mut least = [FAR; AXES];
        for (_, access) in pool.accesses([expr]) {
            for subscript in &access.subscripts {
                if let Some((at, place)) = self.place(subscript) {
                    least[at] = least[at].min(place);
                }
            }
        }
        let mut offset = [0; AXES];
        for (own, least) in offset.iter_mut().zip(least) {
            match least {
                FAR => {}
                least if least.abs() < FAR => *own = i32::try_from(least).ok()?,
                _ => return None,
            }
        }
        let back = offset.map(|by| -by);
        let moved = pool.substitute(
            expr,
            &|index| self.shift(back, index),
            &mut HashMap::default(),
        );
        let base = match self.exact {
            true => moved,
            false => sorted(pool, moved, &mut HashMap::default()),
        };
        Some((base, offset))
    }

    /// The axis that a subscript follows alone, and the iteration in which it is 0 or its remainder.
    fn place(&self, subscript: &Affine) -> Option<(usize, i64)> {
        let mut loops = subscript.terms.iter().filter_map(|(atom, c)| match atom {
            Atom::Index(index) => Some((*index, *c)),
            _ => None,
        });
        let (index, coefficient) = loops.next().filter(|_| loops.next().is_none())?;
        let at = self.axes.iter().position(|axis| *axis == index)?;
        let constant = subscript.constant;
        let quotient = constant / coefficient;
        let exact = constant % coefficient == 0 || (constant < 0) == (coefficient < 0);
        Some((at, if exact { quotient } else { quotient - 1 }))
    }

    /// The translate of an expression that is away by an offset.
    pub fn translate(&self, pool: &mut Pool, expr: ExprId, by: Offset) -> ExprId {
        pool.substitute(
            expr,
            &|index| self.shift(by, index),
            &mut HashMap::default(),
        )
    }
}

/// The expression with operands of sums and products in the order of their ids.
fn sorted(pool: &mut Pool, expr: ExprId, known: &mut HashMap<ExprId, ExprId>) -> ExprId {
    if let Some(known) = known.get(&expr) {
        return *known;
    }
    let element = pool.element(expr);
    let new = pool.map_operands(expr, &mut |pool, operand| sorted(pool, operand, known));
    let result = match pool.get(new).clone() {
        Expr::Sum(mut terms) => {
            terms.sort_by_key(|t| (t.coefficient.is_minus_one(), t.expr, t.coefficient.key()));
            pool.add(Expr::Sum(terms), element)
        }
        Expr::Product(mut factors) => {
            let number = |pool: &Pool, expr| !matches!(pool.get(expr), Expr::Constant(_));
            factors.sort_by_key(|f| (f.power < 0, number(pool, f.expr), f.expr, f.power));
            pool.add(Expr::Product(factors), element)
        }
        Expr::Call(function @ (Elementary::Min | Elementary::Max), mut operands) => {
            operands.sort_unstable();
            pool.add(Expr::Call(function, operands), element)
        }
        _ => new,
    };
    known.insert(expr, result);
    result
}

/// The linear part of each subscript of an access.
pub fn linear(access: &Access) -> Vec<Affine> {
    let linear = |subscript: &Affine| Affine {
        terms: subscript.terms.clone(),
        constant: 0,
    };
    access.subscripts.iter().map(linear).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;

    #[test]
    fn translates_have_one_base() {
        let program = text::parse(
            "program p\nindex i: 4\nindex j: 4\nparam 0 x: f64[40, 40]\noutput 1 y: f64[40]\n\
             y[i] = x[i, 3] * x[i + 2, 5] for i\n\
             y[i] = x[i + 7, 3] * x[i + 5, 5] for i\n\
             y[i] = x[i + 5, 3] * x[i + 7, 5] for i\n\
             y[i] = x[2*i + 1, 3] for i\n\
             y[i] = x[2*i + 5, 3] for i\n\
             y[i] = x[2*i + 4, 3] for i\n\
             y[i] = x[30 - i, 3] for i\n\
             y[i] = x[32 - i, 3] for i\n",
        )
        .unwrap();
        let mut pool = program.pool.clone();
        let axes = program.equations[0].free.clone();
        let mut translation = Translation::new(&axes, false);
        let found: Vec<(ExprId, i32)> = (program.equations.iter())
            .map(|e| translation.base(&mut pool, e.expr).unwrap())
            .map(|(base, offset)| (base, offset[0]))
            .collect();
        assert_eq!(found[0].0, found[2].0);
        assert_ne!(found[0].0, found[1].0);
        assert_eq!(found[2].1 - found[0].1, 5);
        assert_eq!(found[3].0, found[4].0);
        assert_ne!(found[3].0, found[5].0);
        assert_eq!([found[3].1, found[4].1], [0, 2]);
        assert_eq!(found[6].0, found[7].0);
        assert_eq!(found[7].1 - found[6].1, -2);
    }
}
