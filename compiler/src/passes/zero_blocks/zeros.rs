//! For which iterations of a loop the elements that an equation reads of tables are all zero.

use crate::collections::HashMap;
use crate::ir::{Access, Affine, Atom, Expr, ExprId, IndexId, Program, Progression, Role};

/// Most elements that are looked at for one access: a limit on work.
const MOST_ELEMENTS: usize = 1 << 22;
/// Most accesses with columns of their own that a loop may have.
const MOST_COLUMNS: usize = u128::BITS as usize;

/// Where the accesses to tables in an expression are not zero.
pub struct Zeros {
    /// For each access and each loop that it depends on: whether some element that it reads in an
    /// iteration is not zero.
    live: Vec<(ExprId, IndexId, Vec<bool>)>,
}

/// What the iterations of a loop read.
#[derive(Clone, Debug)]
pub struct Columns {
    /// For each iteration, a bit for each set of accesses that are not zero together.
    pub masks: Vec<u128>,
    /// The bit of each access.
    pub bits: Vec<(ExprId, u128)>,
}

impl Columns {
    /// The accesses that are zero where no others than those of a mask are not.
    pub fn without(&self, mask: u128) -> impl Iterator<Item = ExprId> + '_ {
        let zero = self.bits.iter().filter(move |(_, bit)| mask & bit == 0);
        zero.map(|(access, _)| *access)
    }

    /// The accesses that are zero in all iterations of a block.
    pub fn zero_in(&self, block: Progression) -> impl Iterator<Item = ExprId> + '_ {
        let masks = block.iterations().map(|at| self.masks[at]);
        self.without(masks.fold(0, |all, mask| all | mask))
    }
}

impl Zeros {
    /// Looks at the accesses in an expression.
    pub fn of(program: &Program, expr: ExprId) -> Zeros {
        let mut accesses = program.pool.accesses([expr]);
        accesses.sort_unstable_by_key(|(id, _)| *id);
        let mut live = Vec::new();
        for (id, access) in accesses {
            let found = Elements::of(program, access).and_then(|elements| elements.live());
            live.extend(
                (found.into_iter().flatten())
                    .filter(|(_, live)| !live.iter().all(|live| *live))
                    .map(|(index, live)| (id, index, live)),
            );
        }
        Zeros { live }
    }

    /// The columns of a loop; `None` if no access is zero in any of its iterations.
    pub fn columns(&self, index: IndexId) -> Option<Columns> {
        let mut known: HashMap<&[bool], u128> = HashMap::default();
        let mut masks: Vec<u128> = Vec::new();
        let mut bits = Vec::new();
        for (access, _, live) in self.live.iter().filter(|(_, other, _)| *other == index) {
            let next = known.len();
            let bit = *known
                .entry(live)
                .or_insert(1_u128.checked_shl(next as u32).unwrap_or(0));
            if known.len() > MOST_COLUMNS {
                return None;
            }
            masks.resize(live.len(), 0);
            for (mask, live) in masks.iter_mut().zip(live) {
                *mask |= if *live { bit } else { 0 };
            }
            bits.push((*access, bit));
        }
        (!bits.is_empty()).then_some(Columns { masks, bits })
    }
}

/// The elements of a table that an access may read.
struct Elements<'a> {
    program: &'a Program,
    access: &'a Access,
    /// Loops of constant length that choose the element, with the distance that each step goes.
    loops: Vec<(IndexId, usize, i64)>,
    /// Dimensions of which any element may be read: their extents and strides.
    open: Vec<(usize, i64)>,
    /// Where the first iterations of all loops read.
    base: i64,
}

impl<'a> Elements<'a> {
    /// `None` where the access is none to a table of numbers.
    fn of(program: &'a Program, access: &'a Access) -> Option<Elements<'a>> {
        let array = program.array(access.array);
        if !matches!(array.role, Role::Table(_)) || array.element.is_integer() {
            return None;
        }
        let mut result = Elements {
            program,
            access,
            loops: Vec::new(),
            open: Vec::new(),
            base: 0,
        };
        let mut stride = 1;
        for (subscript, extent) in access.subscripts.iter().zip(&array.shape).rev() {
            let extent = extent.as_constant()?;
            result.dimension(subscript, extent, stride);
            stride *= extent as i64;
        }
        Some(result)
    }

    fn dimension(&mut self, subscript: &Affine, extent: usize, stride: i64) {
        let constant = |(atom, by): &(Atom, i64)| match atom {
            Atom::Index(index) => {
                let length = self.program.loop_index(*index).extent.as_constant();
                length.map(|length| (*index, length, by * stride))
            }
            _ => None,
        };
        let terms: Option<Vec<_>> = subscript.terms.iter().map(constant).collect();
        let Some(terms) = terms else {
            self.open.push((extent, stride));
            return;
        };
        self.base += subscript.constant * stride;
        for (index, length, by) in terms {
            match self.loops.iter_mut().find(|(other, ..)| *other == index) {
                Some((.., sum)) => *sum += by,
                None => self.loops.push((index, length, by)),
            }
        }
    }

    /// For each loop and iteration, whether some element is not zero; `None` where that is not
    /// known, or too much work.
    fn live(&self) -> Option<Vec<(IndexId, Vec<bool>)>> {
        let Role::Table(values) = &self.program.array(self.access.array).role else {
            return None;
        };
        let loops = self.loops.iter().map(|(_, length, by)| (*length, *by));
        let all: Vec<(usize, i64)> = loops.chain(self.open.iter().copied()).collect();
        let size = all.iter().try_fold(1_usize, |size, (length, _)| {
            size.checked_mul(*length)
                .filter(|size| *size <= MOST_ELEMENTS)
        })?;
        let mut result: Vec<(IndexId, Vec<bool>)> = (self.loops.iter())
            .map(|(index, length, _)| (*index, vec![false; *length]))
            .collect();
        let mut point = vec![0; all.len()];
        for _ in 0..size {
            let steps = point.iter().zip(&all).map(|(at, (_, by))| *at as i64 * by);
            let at = usize::try_from(self.base + steps.sum::<i64>()).ok()?;
            if !values.get(at)?.is_zero() {
                for ((_, live), at) in result.iter_mut().zip(&point) {
                    live[*at] = true;
                }
            }
            for (coordinate, (length, _)) in point.iter_mut().zip(&all).rev() {
                *coordinate += 1;
                if *coordinate < *length {
                    break;
                }
                *coordinate = 0;
            }
        }
        Some(result)
    }
}

/// Which values are zero where some elements are.
pub struct Vanishing<'a> {
    program: &'a Program,
    known: HashMap<ExprId, bool>,
}

impl<'a> Vanishing<'a> {
    /// Where the elements `zero` are.
    pub fn new(program: &'a Program, zero: impl IntoIterator<Item = ExprId>) -> Self {
        Vanishing {
            program,
            known: zero.into_iter().map(|access| (access, true)).collect(),
        }
    }

    /// Whether a value is zero.
    pub fn is_zero(&mut self, expr: ExprId) -> bool {
        if let Some(known) = self.known.get(&expr) {
            return *known;
        }
        let zero = match self.program.pool.get(expr) {
            Expr::Constant(value) => value.is_zero(),
            Expr::Sum(terms) => terms.iter().all(|term| self.is_zero(term.expr)),
            // What is divided by zero stays.
            Expr::Product(factors) => {
                factors.iter().any(|f| f.power > 0 && self.is_zero(f.expr))
                    && !factors.iter().any(|f| f.power < 0 && self.is_zero(f.expr))
            }
            Expr::Select(_, then, otherwise) => self.is_zero(*then) && self.is_zero(*otherwise),
            Expr::Cast(_, of) => self.is_zero(*of),
            Expr::Access(_) | Expr::Call(..) | Expr::Compare(..) => false,
        };
        self.known.insert(expr, zero);
        zero
    }
}
