//! Vectors that iterations fill anew: a row of an image between two passes over it.
//!
//! ```text
//! let mut row = vec![0.0; w];
//! for y in 0..h {
//!     for x in 0..w { row[x] = f(a, x, y); }
//!     for x in 1..w - 1 { b[y * w + x] = row[x - 1] + row[x + 1]; }
//! }
//! ```
//! assigns each element of `row` again for each row, which no equation does. Where all that an iteration reads of it was
//! written in that iteration, each may have a vector of its own:
//!
//! ```text
//! for y in 0..h {
//!     let mut row = vec![0.0; w];
//!     …
//! }
//! ```
//! which is a temporary `row[y, x]`, as local arrays are, and the schedule keeps no more of it than one row.
//!
//! Holds: of a vector that is moved into a loop, and of integers, nothing is read but what equations have written before,
//! in the same iterations of the loops around.

use super::findings::Findings;
use super::value::{Place, Root, Value};
use super::{Arrays, Lowered, Lowerer, Problem, Result, attempts, opaque};
use crate::diagnostics::Span;
use crate::ir::{Access, Affine, ArrayId, Atom, Equation, Extent, IndexId, Operator, Role};
use crate::number::Number;
use crate::syntax::ast::{
    Block, Expression, ExpressionKind, Function, Module, Pattern, Statement, Type, VariableId,
};

/// A vector that is there anew in each iteration of the loops around, and has no values before it is written.
pub(super) struct Anew {
    array: ArrayId,
    /// How many loops are around.
    around: usize,
    span: Span,
}

/// The program of a kernel whose vectors are allocated where they are filled; `stopped` if there are no such, or that has
/// none either.
pub(super) fn lowered(
    module: &Module,
    function: &Function,
    (exact, arrays): (bool, Arrays),
    stopped: Problem,
) -> Result<Lowered> {
    let mut body = function.body.clone();
    let mut findings = Findings::default();
    while let Some(moved) = moved(&mut body) {
        findings.anew.insert(moved);
    }
    if findings.anew.is_empty() {
        return Err(stopped);
    }
    let function = Function {
        body,
        ..function.clone()
    };
    attempts(module, &function, exact, (arrays, findings)).or(Err(stopped))
}

/// Moves the allocation of a vector that one loop alone uses into that loop; which one.
fn moved(body: &mut Block) -> Option<VariableId> {
    let found = |statement: &Statement| match statement {
        Statement::Let(Pattern::Variable(variable), init)
            if matches!(init.kind, ExpressionKind::Allocate(_)) =>
        {
            Some(*variable)
        }
        _ => None,
    };
    let all = body.statements.iter().enumerate();
    let mut all = all.filter_map(|(at, statement)| Some((at, found(statement)?)));
    let movable = |(_, variable): &(usize, VariableId)| within(body, *variable).is_some();
    let (at, variable) = all.rfind(movable)?;
    let own = body.statements.remove(at);
    put(body, variable, own);
    Some(variable)
}

/// Puts the allocation of a vector before all that uses it.
fn put(block: &mut Block, variable: VariableId, own: Statement) {
    let next = within(block, variable);
    match next.and_then(|next| block.statements.get_mut(next)) {
        Some(Statement::For(inner)) => put(&mut inner.body, variable, own),
        Some(Statement::Block(inner)) => put(inner, variable, own),
        _ => block.statements.insert(0, own),
    }
}

/// The statement of a block that alone uses a variable behind its declaration, if it is a loop or a block: which one.
fn within(block: &Block, variable: VariableId) -> Option<usize> {
    let all = block.statements.iter().enumerate();
    let mut users = all.filter(|(_, statement)| statement.mentions(variable));
    let (Some((at, user)), None) = (users.next(), users.next()) else {
        return None;
    };
    let inside = match user {
        Statement::For(inner) => ![&inner.start, &inner.end]
            .into_iter()
            .any(|bound| bound.mentions(variable)),
        Statement::Block(_) => true,
        _ => false,
    };
    let value = block.value.as_deref();
    let value = value.is_some_and(|value| value.mentions(variable));
    (inside && !value).then_some(at)
}

impl Lowerer<'_> {
    /// A vector that is allocated in loops, or one of integers: a temporary of the program, with the loops around as its
    /// outer dimensions.
    pub(super) fn allocated_anew(
        &mut self,
        variable: VariableId,
        parts: &[Expression],
        init: &Expression,
    ) -> Result<Value> {
        let vector = matches!(init.ty, Type::Slice(_));
        let (fill, counts) = match parts.split_first() {
            Some((element, counts)) if vector => (Some(element), counts),
            _ => (None, parts),
        };
        let around = self.open.clone();
        let mut own = Vec::new();
        for count in counts {
            let value = self.expression(count)?;
            let extent = self.affine(value, count.span)?;
            if !Affine::indices_of([&extent]).is_empty() {
                return opaque(
                    count.span,
                    "the length of an allocated array follows a loop",
                    "allocate as much as the longest one takes",
                );
            }
            self.assume(extent.clone(), count.span)?;
            own.push(extent.into());
        }
        let (other, scalar) = self.filled(fill, &init.ty, &mut own, init.span)?;
        let Some(element) = self.element_of(scalar) else {
            return opaque(
                init.span,
                "an allocated array of conditions",
                "allocate arrays of numbers",
            );
        };
        let loops = around.iter();
        let loops = loops.map(|index| self.program.loop_index(*index).extent.clone());
        let shape: Vec<Extent> = loops.chain(own.iter().cloned()).collect();
        let name = self.frame.function.variables[variable.0].name.to_string();
        let array = self
            .program
            .add_array(&name, element, shape, Role::Temporary);
        self.large.insert(array);
        if self.findings.anew.contains(&variable) || element.is_integer() {
            self.anew.push(Anew {
                array,
                around: around.len(),
                span: init.span,
            });
        } else {
            let expr = match other {
                Some(fill) => self.scalar(fill)?,
                None => self.constant(Number::ZERO, element),
            };
            let own = own.into_iter().enumerate();
            let own = own.map(|(k, extent)| self.program.add_index(&format!("{name}{k}"), extent));
            let own: Vec<IndexId> = own.collect();
            let free = [around.clone(), own].concat();
            let equation = Equation {
                target: Access {
                    array,
                    subscripts: free.iter().map(|index| Affine::index(*index)).collect(),
                },
                operator: Operator::Assign,
                free,
                reduction: Vec::new(),
                expr,
            };
            self.push(equation, init.span);
        }
        Ok(Value::Place(Place {
            root: Root::Array(array),
            subscripts: around.iter().map(|index| Affine::index(*index)).collect(),
            ty: init.ty.clone(),
        }))
    }

    /// Whether an array has no values but those that are written.
    pub(super) fn is_anew(&self, array: ArrayId) -> bool {
        self.anew.iter().any(|anew| anew.array == array)
    }

    /// What vectors hold before they are written is read by nothing.
    pub(super) fn check_anew(&self) -> Result<()> {
        for anew in &self.anew {
            for (at, equation) in self.program.equations.iter().enumerate() {
                let read = self.program.pool.accesses([equation.expr]);
                let mut read = read.iter().map(|(_, access)| *access);
                let own = |access: &&Access| self.program.viewed(access.array) == anew.array;
                if read.any(|access| own(&access) && !self.is_filled(anew, at, access)) {
                    let name = &self.array(anew.array).name;
                    return opaque(
                        anew.span,
                        format!(
                            "elements of `{name}` may be read that no equation has written before"
                        ),
                        "fill all that is read in the same iteration",
                    );
                }
            }
        }
        Ok(())
    }

    /// Whether equations before one write all elements that an access reads, in the same iterations of the loops around.
    fn is_filled(&self, anew: &Anew, at: usize, read: &Access) -> bool {
        let (around, own) = read.subscripts.split_at(anew.around);
        let Some(wanted) = own.iter().map(|s| self.ends(s)).collect::<Option<Vec<_>>>() else {
            return false;
        };
        let Some(((low, high), inner)) = wanted.split_first() else {
            return false;
        };
        let before = self.program.equations[..at].iter();
        let before = before.filter(|equation| {
            equation.target.array == anew.array
                && equation.operator == Operator::Assign
                && equation.target.subscripts[..anew.around] == *around
        });
        let parts = before.filter_map(|equation| self.part(equation, anew.around));
        let covers = |part: &Vec<(Affine, Affine)>| {
            let mut axes = part[1..].iter().zip(inner);
            axes.all(|((start, end), (low, high))| {
                self.is_least(start, low) && self.is_beyond(end, high)
            })
        };
        let mut parts: Vec<_> = parts.filter(covers).collect();
        let mut next = low.clone();
        while let Some(found) = parts
            .iter()
            .position(|part| self.is_least(&part[0].0, &next))
        {
            let (_, end) = &parts[found][0];
            if self.is_beyond(end, high) {
                return true;
            }
            next = end.clone();
            parts.swap_remove(found);
        }
        false
    }

    /// What an equation writes of an array along each axis behind the first ones: from where to where.
    fn part(&self, equation: &Equation, behind: usize) -> Option<Vec<(Affine, Affine)>> {
        let (around, own) = equation.target.subscripts.split_at(behind);
        let mut loops = Affine::indices_of(around);
        let subscripts = own.iter();
        let along = |subscript: &Affine| {
            let of_loops =
                |(atom, _): &&(Atom, i64)| !matches!(atom, Atom::Scalar(_) | Atom::Length(..));
            let moving: Vec<_> = subscript.terms.iter().filter(of_loops).collect();
            let length = match moving.as_slice() {
                [] => Affine::constant(1),
                [(Atom::Index(index), 1)] if !loops.contains(index) => {
                    loops.push(*index);
                    self.program.loop_index(*index).extent.affine()
                }
                _ => return None,
            };
            let start = moving.iter().fold(subscript.clone(), |start, (atom, c)| {
                start.sub(&Affine::atom(atom.clone()).scale(*c))
            });
            Some((start.clone(), start.add(&length)))
        };
        subscripts.map(along).collect()
    }

    fn is_least(&self, a: &Affine, b: &Affine) -> bool {
        let left = self.interval(&b.sub(a));
        left.is_some_and(|(least, _)| least >= 0)
    }

    fn is_beyond(&self, end: &Affine, last: &Affine) -> bool {
        self.is_least(&last.add(&Affine::constant(1)), end)
    }
}
