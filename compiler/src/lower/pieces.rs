//! Loops that are taken apart where a condition on integers changes.
//!
//! `if i > 0 { x[i - 1] } else { x[0] }` and `x[(i + 1) % n]` say one thing in most iterations and
//! another one at the boundary. Where a condition is met that some iterations of a loop decide this
//! way and others that way, lowering begins again, and cuts that loop there: it becomes loops one
//! after the other, each with a body of its own. Which loop that is, is known by its number: until it
//! comes, all is as it was before.
//!
//! Whether all pieces have iterations depends on the inputs. The program is right for those with
//! which they have; with others the text runs.

use super::value::Value;
use super::{Binding, Finding, Lowerer, Result, opaque};
use crate::diagnostics::Span;
use crate::ir::{Affine, Atom, Extent, IndexId};
use crate::syntax::ast::{CompareOperator, ForLoop, FunctionId, LoopId};

/// The values of a loop that stays: `first`, `first + stride`, ….
#[derive(Clone, Debug)]
pub struct Values {
    pub first: Affine,
    pub stride: i64,
    pub extent: Extent,
    /// That of the loop before it was cut.
    pub whole: Extent,
}

impl Values {
    fn extent(&self) -> Affine {
        match &self.extent {
            Extent::Constant(n) => Affine::constant(*n as i64),
            Extent::RunTime(extent) => extent.clone(),
        }
    }

    fn part(&self, from: &Affine, extent: Affine) -> Values {
        Values {
            first: self.first.add(&from.scale(self.stride)),
            stride: self.stride,
            extent: match extent.as_constant() {
                Some(n) => Extent::Constant(usize::try_from(n).unwrap_or(0)),
                None => Extent::RunTime(extent),
            },
            whole: self.whole.clone(),
        }
    }
}

impl Lowerer<'_> {
    /// Runs a loop's body over values, in pieces where it must be.
    pub(super) fn pieces(&mut self, for_loop: &ForLoop, values: &Values) -> Result<()> {
        let number = self.pieces;
        self.pieces += 1;
        if let (true, Extent::Constant(n)) =
            (self.findings.unrolled.contains(&number), &values.extent)
        {
            return self.unrolled(for_loop, &values.first, values.stride, *n);
        }
        let Some(at) = self.findings.cuts.get(&number).cloned() else {
            return self.piece(for_loop, values, number);
        };
        self.cut.extend(self.loop_id(for_loop));
        let rest = values.extent().sub(&at);
        self.assume(at.clone(), for_loop.span)?;
        self.assume(rest.clone(), for_loop.span)?;
        let whole = Affine::default();
        self.pieces(for_loop, &values.part(&whole, at.clone()))?;
        self.pieces(for_loop, &values.part(&at, rest))
    }

    /// The loop in its function.
    pub(super) fn loop_id(&self, for_loop: &ForLoop) -> Option<(FunctionId, LoopId)> {
        let mut functions = self.module.functions.iter();
        let at = functions.position(|f| std::ptr::eq(f, self.frame.function))?;
        Some((FunctionId(at), for_loop.id))
    }

    fn piece(&mut self, for_loop: &ForLoop, values: &Values, number: usize) -> Result<()> {
        let own = self.loop_id(for_loop);
        let cut = own.is_some_and(|own| self.cut.contains(&own));
        if let (true, Some(n @ 0..=1)) = (cut, values.extent.as_constant()) {
            if n == 1 {
                self.bind_loop(for_loop, values.first.clone(), 0);
                self.single.push(values.whole.clone());
                self.block(&for_loop.body)?;
                self.single.pop();
            }
            return Ok(());
        }
        let name = self.frame.function.variables[for_loop.variable.0]
            .name
            .to_string();
        let index = self.program.add_index(&name, values.extent.clone());
        if let Some(own) = own {
            self.kept.entry(own).or_default().push(index);
        }
        let value = values.first.add(&Affine::index(index).scale(values.stride));
        self.numbers.insert(index, number);
        self.bind_loop(for_loop, value, 1);
        self.enter_loop()?;
        self.open.push(index);
        self.guarded_iteration(&for_loop.body)?;
        self.settle(self.open.len() - 1)?;
        self.open.pop();
        Ok(())
    }

    fn bind_loop(&mut self, for_loop: &ForLoop, value: Affine, inside: usize) {
        let binding = self.binding(Value::Integer(value));
        self.frame.values[for_loop.variable.0] = Some(Binding {
            depth: binding.depth + inside,
            ..binding
        });
    }

    /// Loops that were cut, or unrolled in one place and not in another, have no indices of their own: those
    /// are of their pieces.
    pub(super) fn forget_pieces(&mut self) {
        let pieces = &self.cut | &self.unrolled;
        self.kept.retain(|own, _| !pieces.contains(own));
    }

    /// Cuts a loop where `difference operator 0` changes, if one loop changes it.
    pub(super) fn cut(&self, operator: CompareOperator, difference: &Affine) -> Option<Finding> {
        let mut loops = difference.terms.iter().filter_map(|(atom, c)| match atom {
            Atom::Index(index) => Some((*index, *c)),
            _ => None,
        });
        let (index, coefficient) = loops.next()?;
        let mapped = |(atom, _): &(Atom, i64)| matches!(atom, Atom::Map(..));
        if loops.next().is_some() || difference.terms.iter().any(mapped) {
            return None;
        }
        let rest = difference.sub(&Affine::index(index).scale(coefficient));
        let at = crossing(operator, coefficient, &rest)?;
        let piece = *self.numbers.get(&index)?;
        self.inside(index, &at)
            .then_some(Finding::Cut { piece, at })
    }

    /// What a condition without loops is for long loops, if it is met in a piece of one iteration and
    /// tells that loop's length: that it is long is assumed.
    pub(super) fn sign_if_long(
        &mut self,
        operator: CompareOperator,
        difference: &Affine,
        span: Span,
    ) -> Result<Option<bool>> {
        use CompareOperator::{Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let lengths: Vec<&Affine> = self.single.iter().filter_map(Extent::run_time).collect();
        let tells = |atom: &Atom| {
            let mut terms = lengths.iter().flat_map(|length| &length.terms);
            terms.any(|(known, _)| known == atom)
        };
        let mut terms = difference.terms.iter();
        let rises = difference.terms.first().is_some_and(|(_, c)| *c > 0);
        if !terms.all(|(atom, c)| (*c > 0) == rises && tells(atom)) || lengths.is_empty() {
            return Ok(None);
        }
        let one = Affine::constant(1);
        let nonzero = match rises {
            true => difference.sub(&one),
            false => difference.scale(-1).sub(&one),
        };
        self.assume(nonzero, span)?;
        let holds = match operator {
            Less | LessEqual => !rises,
            Greater | GreaterEqual => rises,
            other => other == NotEqual,
        };
        Ok(Some(holds))
    }

    /// Whether a place may be inside of a loop.
    fn inside(&self, index: IndexId, at: &Affine) -> bool {
        let extent = &self.program.loop_index(index).extent;
        match (extent.as_constant(), at.as_constant()) {
            (Some(n), Some(at)) => 0 < at && at < n as i64,
            (None, Some(at)) => at > 0,
            (_, None) => true,
        }
    }

    /// `left % right` where the one is below a small multiple of the other: loops are cut where it
    /// starts again.
    pub(super) fn remainder(
        &mut self,
        left: &Affine,
        right: &Affine,
        span: Span,
    ) -> Result<Option<Affine>> {
        const MOST_TURNS: usize = 4;
        let invariant = |affine: &Affine| {
            let mut atoms = affine.terms.iter().map(|(atom, _)| atom);
            atoms.all(|atom| matches!(atom, Atom::Scalar(_) | Atom::Length(..)))
        };
        let Some((first, last)) = self.ends(left).filter(|_| invariant(right)) else {
            return Ok(None);
        };
        // As many turns as the last value takes, if that is known for long loops.
        let turns = (1..=MOST_TURNS as i64).find(|turns| {
            let left_over = right.scale(*turns).sub(&last).sub(&Affine::constant(1));
            let grows = left_over.terms.iter().all(|(_, c)| *c > 0);
            grows && (left_over.constant >= 0 || !left_over.terms.is_empty())
        });
        let Some(turns) = turns.filter(|_| invariant(&first)) else {
            return Ok(None);
        };
        self.assume(first, span)?;
        self.assume(right.sub(&Affine::constant(1)), span)?;
        let over = right.scale(turns).sub(&last).sub(&Affine::constant(1));
        self.assume(over, span)?;
        for turn in 1..turns {
            let beyond = left.sub(&right.scale(turn));
            let known = self.sign(CompareOperator::Less, &beyond);
            let known = match known {
                None => self.sign_if_long(CompareOperator::Less, &beyond, span)?,
                known => known,
            };
            match known {
                Some(true) => return Ok(Some(left.sub(&right.scale(turn - 1)))),
                Some(false) => {}
                None => {
                    let operator = CompareOperator::Less;
                    return match self.cut(operator, &beyond) {
                        Some(finding) => found(finding, span),
                        None => Ok(None),
                    };
                }
            }
        }
        // What was assumed says that it is below the last multiple.
        Ok(Some(left.sub(&right.scale(turns - 1))))
    }

    /// Whether `difference operator 0` holds in all iterations, or in none.
    pub(super) fn sign(&self, operator: CompareOperator, difference: &Affine) -> Option<bool> {
        use CompareOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Unordered};
        let (low, high) = self.interval(difference)?;
        let either = |holds: bool, fails: bool| (holds || fails).then_some(holds);
        match operator {
            Less => either(high < 0, low >= 0),
            LessEqual => either(high <= 0, low > 0),
            Greater => either(low > 0, high <= 0),
            GreaterEqual => either(low >= 0, high < 0),
            Equal => either(low == 0 && high == 0, low > 0 || high < 0),
            NotEqual | Unordered => either(low > 0 || high < 0, low == 0 && high == 0),
        }
    }
}

/// Begins again, with what was found.
pub fn found<T>(finding: Finding, span: Span) -> Result<T> {
    let stopped = opaque(
        span,
        "a condition on integers that changes in a loop",
        "split the loop where the condition changes",
    );
    stopped.map_err(|problem| super::Problem {
        finding: Some(Box::new(finding)),
        ..problem
    })
}

/// From which iteration on `coefficient · i + rest operator 0` is otherwise than before. Where that is
/// an equation, the iteration at which it holds first, and then the one after it.
fn crossing(operator: CompareOperator, coefficient: i64, rest: &Affine) -> Option<Affine> {
    use CompareOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Unordered};
    let begins = rest.as_constant() == Some(0);
    let or_equal = match operator {
        Less | GreaterEqual => false,
        LessEqual | Greater => true,
        Equal | NotEqual | Unordered => (coefficient > 0) == begins,
    };
    // Below zero, or below one.
    let rest = match or_equal {
        true => rest.sub(&Affine::constant(1)),
        false => rest.clone(),
    };
    match (coefficient, rest.as_constant()) {
        (1, _) => Some(rest.scale(-1)),
        (-1, _) => Some(rest.add(&Affine::constant(1))),
        (c @ 1.., Some(rest)) => Some(Affine::constant((-rest + c - 1).div_euclid(c))),
        (c, Some(rest)) => Some(Affine::constant(rest.div_euclid(-c) + 1)),
        _ => None,
    }
}
