//! Generalised code motion (Luporini 2017, section 3; COFFEE chapter, "Code Hoisting").
//!
//! A sub-expression is computed once for each value of the loops that it depends on, not only of
//! the innermost: it becomes a temporary over these. Sums and products are split so that the
//! fewest operations result: their operands are grouped by the loops they depend on, and the
//! groups are combined in the cheapest order. An equal temporary, also under other names of the
//! loops, is reused. What only depends on tables is evaluated now, where that makes no table
//! larger than those it comes from.
//!
//! Before: `a[e, i, j] += sum(q) w[q] * det[e] * phi[q, i] * phi[q, j]`.
//! After: `t[e, q, i] = det[e] * wphi[q, i]` and `a[e, i, j] += sum(q) t[e, q, i] * phi[q, j]`.

use crate::analysis::cost;
use crate::collections::HashMap;
use crate::ir::{
    Access, Affine, ArrayId, Equation, Expr, ExprId, Factor, IndexId, Operator, Pool, Program,
    Role, Term,
};
use crate::number::Number;
use crate::rewrite::evaluate::only_tables;
use crate::rewrite::rename::{Classes, substitution};

mod grouping;
mod naming;
mod operands;
mod tables;

use grouping::combine;
pub use naming::name;
use operands::HasExpr;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    let equations = std::mem::take(&mut program.equations);
    let writers = writers(&equations);
    let classes = {
        let copy = Program {
            equations: equations.clone(),
            ..program.clone()
        };
        Classes::of(&copy)
    };
    let mut motion = Motion {
        program,
        classes,
        temporaries: HashMap::default(),
        replaced: HashMap::default(),
        placed: HashMap::default(),
        reused: 0,
        evaluated: 0,
        hoisted: Vec::new(),
    };
    for equation in equations {
        let single = writers.get(&equation.target.array) == Some(&1);
        motion.equation(equation, single);
    }
    motion.decisions()
}

/// Operations that a program takes after this pass.
pub fn operations(program: &Program) -> u64 {
    let mut moved = program.clone();
    run(&mut moved);
    cost::program(&moved).operations()
}

fn writers(equations: &[Equation]) -> HashMap<ArrayId, usize> {
    let mut result = HashMap::default();
    for equation in equations {
        *result.entry(equation.target.array).or_insert(0) += 1;
    }
    result
}

struct Motion<'a> {
    program: &'a mut Program,
    classes: Classes,
    /// Temporaries by value (in canonical names), reduction and domain.
    temporaries: HashMap<(ExprId, Vec<IndexId>, Vec<IndexId>), ArrayId>,
    /// Temporaries of the source that lost dimensions or are equal to others: what stands for
    /// them, with the positions of the kept subscripts.
    replaced: HashMap<ArrayId, (ArrayId, Vec<usize>)>,
    /// What `place` gave, by the loops around: values are used in many places.
    placed: HashMap<Vec<IndexId>, HashMap<ExprId, ExprId>>,
    /// The temporaries that were made.
    hoisted: Vec<ArrayId>,
    reused: usize,
    evaluated: usize,
}

/// Most temporaries that a report names.
const MOST_NAMED: usize = 6;

impl Motion<'_> {
    /// What was hoisted, for the report.
    fn decisions(&self) -> Vec<String> {
        let (hoisted, reused, evaluated) = (self.hoisted.len(), self.reused, self.evaluated);
        let mut result = vec![format!(
            "{hoisted} expressions hoisted, {reused} temporaries reused, {evaluated} tables evaluated"
        )];
        let named = self.program.equations.iter().filter_map(|equation| {
            let array = equation.target.array;
            let loops = equation.free.iter();
            let loops: Vec<&str> = loops
                .map(|index| self.program.loop_index(*index).name.as_str())
                .collect();
            let name = &self.program.array(array).name;
            self.hoisted
                .contains(&array)
                .then(|| format!("`{name}` for each ({})", loops.join(", ")))
        });
        let mut named: Vec<String> = named.take(MOST_NAMED).collect();
        if hoisted > named.len() {
            named.push("…".to_owned());
        }
        if hoisted > 0 {
            result.push(format!("hoisted {}", named.join(", ")));
        }
        result
    }

    fn equation(&mut self, mut equation: Equation, single_writer: bool) {
        equation.expr = self.replace(equation.expr, &mut HashMap::default());
        let temporary = matches!(
            self.program.array(equation.target.array).role,
            Role::Temporary
        );
        if temporary && single_writer && equation.is_definition() {
            self.definition(equation);
            return;
        }
        let mut domain: Vec<IndexId> = equation.domain().collect();
        domain.sort_unstable();
        equation.expr = self.place(equation.expr, &domain);
        self.program.equations.push(equation);
    }

    /// A temporary of the source: without the loops that it does not depend on, and once.
    fn definition(&mut self, equation: Equation) {
        let needed = self.depends(equation.expr);
        let keep: Vec<usize> = (0..equation.free.len())
            .filter(|at| needed.contains(&equation.free[*at]))
            .collect();
        let free: Vec<IndexId> = keep.iter().map(|at| equation.free[*at]).collect();
        let name = self.program.array(equation.target.array).name.clone();
        if equation.reduction.is_empty() && !self.program.exact {
            // A plain value: where it is used, it is like any other sub-expression.
            let value = self.hoist(equation.expr, &free, &[], Some(&name));
            self.replaced.insert(equation.target.array, (value, keep));
            return;
        }
        let array = self.hoist(equation.expr, &free, &equation.reduction, Some(&name));
        self.replaced.insert(equation.target.array, (array, keep));
    }

    fn replace(&mut self, expr: ExprId, known: &mut HashMap<ExprId, ExprId>) -> ExprId {
        if let Some(done) = known.get(&expr) {
            return *done;
        }
        let result = if let Expr::Access(access) = self.program.pool.get(expr).clone() {
            match self.replaced.get(&access.array).cloned() {
                Some((array, keep)) => {
                    let subscripts = keep
                        .iter()
                        .map(|at| access.subscripts[*at].clone())
                        .collect();
                    let element = self.program.pool.element(expr);
                    self.program
                        .pool
                        .add(Expr::Access(Access { array, subscripts }), element)
                }
                None => expr,
            }
        } else {
            for operand in self.program.pool.operands(expr) {
                self.replace(operand, known);
            }
            (self.program.pool).map_operands(expr, &mut |_, operand| known[&operand])
        };
        known.insert(expr, result);
        result
    }

    fn depends(&mut self, expr: ExprId) -> Vec<IndexId> {
        self.program.pool.indices(expr).to_vec()
    }

    /// The value of `expr` for use in loops over `domain`: an access to a temporary if it depends
    /// on fewer loops, else the expression with its operands placed.
    fn place(&mut self, expr: ExprId, domain: &[IndexId]) -> ExprId {
        if matches!(
            self.program.pool.get(expr),
            Expr::Constant(_) | Expr::Access(_)
        ) {
            return expr;
        }
        if let Some(inside) = self.program.pool.inside_kept(expr) {
            let placed = self.place(inside, domain);
            // What a temporary holds is whole.
            return match self.program.pool.get(placed) {
                Expr::Access(_) => placed,
                _ => self.program.pool.kept(placed),
            };
        }
        let known = self.placed.get(domain).and_then(|of| of.get(&expr));
        if let Some(known) = known {
            return *known;
        }
        let placed = self.place_anew(expr, domain);
        let of = self.placed.entry(domain.to_vec()).or_default();
        of.insert(expr, placed);
        placed
    }

    fn place_anew(&mut self, expr: ExprId, domain: &[IndexId]) -> ExprId {
        let depends = self.depends(expr);
        let fewer = domain.iter().any(|index| !depends.contains(index));
        let pool = &self.program.pool;
        // No temporary holds a condition, or an integer as an array outside holds it.
        let placeless = is_condition(pool, expr) || pool.element(expr).is_integer();
        if !fewer || placeless || is_negation(pool, expr) {
            return self.rewrite(expr, domain);
        }
        if only_tables(self.program, expr) {
            return self
                .evaluate(expr, &depends)
                .unwrap_or_else(|| self.rewrite(expr, domain));
        }
        let array = self.hoist(expr, &depends, &[], None);
        let subscripts = depends.iter().map(|index| Affine::index(*index)).collect();
        let element = self.program.pool.element(expr);
        self.program
            .pool
            .add(Expr::Access(Access { array, subscripts }), element)
    }

    /// The expression with its operands placed, sums and products regrouped.
    fn rewrite(&mut self, expr: ExprId, domain: &[IndexId]) -> ExprId {
        let element = self.program.pool.element(expr);
        match self.program.pool.get(expr).clone() {
            Expr::Sum(terms) if !self.program.exact => {
                let groups = self.group(&terms, domain, |term| term.expr);
                let tree = combine(self.program, &groups, domain);
                self.build(
                    &tree,
                    domain,
                    &|pool, mut terms: Vec<Term>| {
                        terms.sort_by_key(|t| (t.coefficient.is_minus_one(), t.expr));
                        pool.add(Expr::Sum(terms), element)
                    },
                    &|expr| Term {
                        coefficient: Number::ONE,
                        expr,
                    },
                    &terms,
                )
            }
            Expr::Product(factors) if !self.program.exact => {
                let groups = self.group(&factors, domain, |factor| factor.expr);
                let tree = combine(self.program, &groups, domain);
                self.build(
                    &tree,
                    domain,
                    &|pool, factors: Vec<Factor>| pool.add(Expr::Product(factors), element),
                    &|expr| Factor { expr, power: 1 },
                    &factors,
                )
            }
            _ => {
                let operands = self.program.pool.operands(expr);
                let placed: HashMap<ExprId, ExprId> = operands
                    .into_iter()
                    .map(|operand| (operand, self.place(operand, domain)))
                    .collect();
                self.program
                    .pool
                    .map_operands(expr, &mut |_, operand| placed[&operand])
            }
        }
    }

    /// Operands by the loops of the domain that they depend on.
    fn group<O: Copy>(
        &mut self,
        operands: &[O],
        domain: &[IndexId],
        expr: impl Fn(&O) -> ExprId,
    ) -> Vec<grouping::Group> {
        let mut groups: Vec<grouping::Group> = Vec::new();
        for (at, operand) in operands.iter().enumerate() {
            let mut depends = self.depends(expr(operand));
            depends.retain(|index| domain.contains(index));
            let tables = only_tables(self.program, expr(operand));
            match groups
                .iter_mut()
                .find(|g| g.depends == depends && g.tables == tables)
            {
                Some(group) => group.operands.push(at),
                None => groups.push(grouping::Group {
                    depends,
                    tables,
                    operands: vec![at],
                }),
            }
        }
        groups
    }

    fn build<O: Copy + HasExpr>(
        &mut self,
        tree: &grouping::Tree,
        domain: &[IndexId],
        node: &impl Fn(&mut Pool, Vec<O>) -> ExprId,
        wrap: &impl Fn(ExprId) -> O,
        operands: &[O],
    ) -> ExprId {
        let mut parts: Vec<O> = Vec::new();
        for child in &tree.children {
            // The child's loops are fewer than ours: it becomes a temporary of its own.
            let value = self.build_raw(child, node, wrap, operands);
            let placed = self.place(value, domain);
            parts.push(wrap(placed));
        }
        let mut own: Vec<O> = Vec::new();
        for at in &tree.operands {
            let placed = self.place(operands[*at].expr(), domain);
            own.push(operands[*at].with(placed));
        }
        // Own operands first, divisors stay last.
        parts.splice(0..0, own);
        parts.sort_by_key(HasExpr::order);
        if parts.len() == 1 && parts[0].is_plain() {
            return parts[0].expr();
        }
        node(&mut self.program.pool, parts)
    }

    /// The sub-expression of a tree, nothing placed yet.
    fn build_raw<O: Copy + HasExpr>(
        &mut self,
        tree: &grouping::Tree,
        node: &impl Fn(&mut Pool, Vec<O>) -> ExprId,
        wrap: &impl Fn(ExprId) -> O,
        operands: &[O],
    ) -> ExprId {
        let mut parts: Vec<O> = tree.operands.iter().map(|at| operands[*at]).collect();
        for child in &tree.children {
            parts.push(wrap(self.build_raw(child, node, wrap, operands)));
        }
        parts.sort_by_key(HasExpr::order);
        if parts.len() == 1 && parts[0].is_plain() {
            return parts[0].expr();
        }
        node(&mut self.program.pool, parts)
    }

    /// The temporary that holds `expr`, summed over `reduction`, for the indices `free`; its
    /// dimensions are these, in their order. A new one has the name that is given, or one that says
    /// what it holds.
    fn hoist(
        &mut self,
        expr: ExprId,
        free: &[IndexId],
        reduction: &[IndexId],
        given: Option<&str>,
    ) -> ArrayId {
        let mut domain: Vec<IndexId> = free.iter().chain(reduction).copied().collect();
        domain.sort_unstable();
        let names = if self.program.exact {
            domain.iter().map(|index| (*index, *index)).collect()
        } else {
            self.classes.rename(self.program, &domain)
        };
        for index in &domain {
            self.program.is_same_loop(names[index], *index);
        }
        let canonical =
            self.program
                .pool
                .substitute(expr, &substitution(&names), &mut HashMap::default());
        let free: Vec<IndexId> = free.iter().map(|index| names[index]).collect();
        let reduction: Vec<IndexId> = reduction.iter().map(|index| names[index]).collect();
        let key = (canonical, free.clone(), reduction.clone());
        if let Some(array) = self.temporaries.get(&key) {
            self.reused += 1;
            return *array;
        }
        let mut domain: Vec<IndexId> = free.iter().chain(&reduction).copied().collect();
        domain.sort_unstable();
        let value = self.rewrite(canonical, &domain);
        let element = self.program.pool.element(value);
        let name = given.map_or_else(|| name(self.program, expr), str::to_owned);
        let target = self.program.add_temporary(&name, &free, element);
        let array = target.array;
        self.hoisted.push(array);
        self.temporaries.insert(key, array);
        self.program.equations.push(Equation {
            target,
            operator: Operator::Assign,
            free,
            reduction,
            expr: value,
        });
        array
    }
}

fn is_condition(pool: &Pool, expr: ExprId) -> bool {
    matches!(pool.get(expr), Expr::Compare(..))
}

/// A bare negation costs nothing: hoisting it would only cost memory.
fn is_negation(pool: &Pool, expr: ExprId) -> bool {
    matches!(pool.get(expr), Expr::Sum(terms) if terms.len() == 1 && (terms[0].coefficient.is_one() || terms[0].coefficient.is_minus_one()))
}
