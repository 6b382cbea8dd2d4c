//! Whether the equations, one after the other, are the text's loops.
//!
//! In the text the statements of a loop take turns. The program runs each equation over all of its
//! domain, with its reads before its writes. That is the same where dependence tests show that
//! every read sees the writes before it and no others, and every place gets its last value last.
//! Where they do not, the kernel runs as written.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::states::{Site, shared};
use super::{Lowerer, Result, opaque};
use crate::analysis::dependence::{Pair, Reference, apart};
use crate::collections::HashMap;
use crate::diagnostics::Span;
use crate::ir::{Access, Affine, ArrayId, IndexId, Role};

/// Most pairs of accesses that are compared: a limit on work.
const MOST_PAIRS: usize = 1 << 15;

/// How an access comes before another one.
pub struct Before {
    /// In an earlier iteration of this loop; else in the same one, since it stands before it.
    pub carried: Option<IndexId>,
    /// How many iterations earlier, if all are the same.
    pub distance: Option<Affine>,
}

/// The equations that write an array.
#[derive(Default)]
struct Writers {
    /// By the element, those that write the same one always.
    fixed: BTreeMap<Vec<i64>, Vec<usize>>,
    /// All others.
    moving: Vec<usize>,
    /// All of them, in order.
    all: Vec<usize>,
}

impl Writers {
    /// Those that may write an element that is accessed, in order. What unrolled loops write is
    /// thousands of elements, of which each is compared with its own writes only.
    fn meeting(&self, access: &Access) -> Cow<'_, [usize]> {
        let Some(place) = place(access) else {
            return Cow::Borrowed(&self.all);
        };
        let fixed = self.fixed.get(&place).map_or(&[][..], Vec::as_slice);
        match (self.moving.as_slice(), fixed) {
            (moving, []) => Cow::Borrowed(moving),
            ([], fixed) => Cow::Borrowed(fixed),
            (moving, fixed) => {
                let mut both = [moving, fixed].concat();
                both.sort_unstable();
                Cow::Owned(both)
            }
        }
    }
}

/// The one element that an access means, if it is one.
fn place(access: &Access) -> Option<Vec<i64>> {
    let fixed = |subscript: &Affine| subscript.terms.is_empty().then_some(subscript.constant);
    access.subscripts.iter().map(fixed).collect()
}

impl Lowerer<'_> {
    /// Whether the text may make one access before another one that meets the same element.
    pub(super) fn before(
        &self,
        (first, at): (&[Affine], &Site),
        (second, other): (&[Affine], &Site),
    ) -> Option<Before> {
        let common = shared(&at.open, &other.open);
        // In nests of their own the one that stands before is before.
        let after = common.is_empty() && at.time >= other.time;
        if after || apart(first, second) {
            return None;
        }
        self.compared.set(self.compared.get() + 1);
        let first = Reference {
            subscripts: first,
            domain: &at.open,
        };
        let second = Reference {
            subscripts: second,
            domain: &other.open,
        };
        if self.compared.get() > MOST_PAIRS {
            // Not looked at: it may be.
            return Some(Before {
                carried: None,
                distance: None,
            });
        }
        let pair = Pair::new(&self.program, first, second, common);
        if let Some((level, distance)) = pair.carried() {
            return Some(Before {
                carried: Some(common[level]),
                distance,
            });
        }
        let stands_before = at.time < other.time && pair.within();
        stands_before.then_some(Before {
            carried: None,
            distance: None,
        })
    }

    /// The kernel runs as written if its loops are not its equations.
    pub(super) fn check_order(&mut self) -> Result<()> {
        self.hand_on();
        self.keep_states();
        let writers = self.writers();
        for (at, equation) in self.program.equations.iter().enumerate() {
            for access in self.reads(at) {
                let memory = self.program.viewed(access.array);
                let writers = writers.get(&memory);
                let writers = writers.map_or(Cow::default(), |all| all.meeting(access));
                for site in &self.sites[access] {
                    for writer in writers.iter() {
                        self.check_read(at, (access, site), *writer)?;
                    }
                }
            }
            let others = writers[&equation.target.array].meeting(&equation.target);
            for writer in others.iter().copied() {
                if writer > at && !self.commute(at, writer) {
                    self.check_writes(at, writer)?;
                }
            }
        }
        self.hold_words();
        Ok(())
    }

    /// The equations that write each array.
    fn writers(&self) -> HashMap<ArrayId, Writers> {
        let mut result: HashMap<ArrayId, Writers> = HashMap::default();
        for (at, equation) in self.program.equations.iter().enumerate() {
            let writers = result.entry(equation.target.array).or_default();
            writers.all.push(at);
            match place(&equation.target) {
                Some(place) => writers.fixed.entry(place).or_default().push(at),
                None => writers.moving.push(at),
            }
        }
        result
    }

    /// Whether two equations that write one array may change places: they add to it, or it is a
    /// sum's temporary, which is right as it was made.
    fn commute(&self, earlier: usize, later: usize) -> bool {
        let [a, b] = [earlier, later].map(|at| &self.program.equations[at]);
        let sum = matches!(self.array(a.target.array).role, Role::Temporary)
            && !self.large.contains(&a.target.array);
        sum || (a.operator == b.operator && a.operator.accumulated().is_some())
    }

    /// What an equation reads of arrays that the text writes.
    fn reads(&self, at: usize) -> Vec<&Access> {
        let mut found = Vec::new();
        let mut seen = crate::collections::HashSet::default();
        let mut stack = vec![self.program.equations[at].expr];
        while let Some(expr) = stack.pop() {
            if self.sites.is_empty() || !seen.insert(expr) {
                continue;
            }
            if let crate::ir::Expr::Access(access) = self.program.pool.get(expr)
                && self.sites.contains_key(access)
            {
                found.push(access);
            }
            stack.extend(self.program.pool.operands(expr));
        }
        found.sort();
        found
    }

    /// The dependence that stops the compiler, unless it has given up looking for one.
    fn stopped(&self, array: ArrayId, span: Span, message: String, help: &str) -> Result<()> {
        if self.compared.get() <= MOST_PAIRS {
            return opaque(span, message, help);
        }
        let name = &self.array(array).name;
        opaque(
            span,
            format!("`{name}` is read and written in too many places to compare all of them"),
            "unroll less by hand, or split the kernel",
        )
    }

    /// A read sees the writes of equations before its own, and not those of others.
    fn check_read(&self, at: usize, (access, site): (&Access, &Site), writer: usize) -> Result<()> {
        let read = (access.subscripts.as_slice(), site);
        let statement = &self.statements[writer];
        let write = (
            self.program.equations[writer].target.subscripts.as_slice(),
            statement,
        );
        let (found, how) = match writer < at {
            true => (self.before(read, write), "writes it in a later"),
            false => (self.before(write, read), "wrote it in an earlier"),
        };
        let Some(found) = found else { return Ok(()) };
        let memory = self.program.viewed(access.array);
        let name = &self.array(memory).name;
        let line = statement.span.line();
        let place = match self.iteration(&found) {
            Some(place) => format!("{how} {place}"),
            None => "writes it in the same iteration".to_owned(),
        };
        self.stopped(
            memory,
            site.span,
            format!("`{name}` is read where line {line} {place}"),
            "where iterations do not need each other, write to another array than is read",
        )
    }

    /// Of two writes to one place, that of the later equation is the text's later one.
    fn check_writes(&self, earlier: usize, later: usize) -> Result<()> {
        let [first, second] = [later, earlier].map(|at| {
            let subscripts = self.program.equations[at].target.subscripts.as_slice();
            (subscripts, &self.statements[at])
        });
        let Some(found) = self.before(first, second) else {
            return Ok(());
        };
        let memory = self.program.equations[later].target.array;
        let name = &self.array(memory).name;
        let line = second.1.span.line();
        let place = match self.iteration(&found) {
            Some(place) => format!("a later {place}"),
            None => "the same iteration".to_owned(),
        };
        self.stopped(
            memory,
            first.1.span,
            format!("`{name}` is written where line {line} writes it in {place}"),
            "write the assignments in a loop of their own before it",
        )
    }

    /// `iteration of `i` (distance 1)`.
    fn iteration(&self, found: &Before) -> Option<String> {
        let name = &self.program.loop_index(found.carried?).name;
        let distance = found.distance.as_ref().map_or(String::new(), |distance| {
            format!(" (distance {})", self.program.describe(distance))
        });
        Some(format!("iteration of `{name}`{distance}"))
    }
}
