//! Affine functions of loop indices and integer inputs: subscripts and extents.

use super::program::{ArrayId, IndexId};

/// `Σ coefficient · atom + constant`, terms sorted by atom, no zero coefficients.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Affine {
    /// The terms.
    pub terms: Vec<(Atom, i64)>,
    /// The constant.
    pub constant: i64,
}

/// What an affine function is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Atom {
    /// A loop index, counted from zero.
    Index(IndexId),
    /// An integer parameter of the kernel (an array of rank 0).
    Scalar(ArrayId),
    /// The run-time extent of a parameter along a dimension, the first one of a slice.
    Length(ArrayId, usize),
    /// An entry of an index map.
    Map(ArrayId, Vec<Affine>),
}

impl Affine {
    /// A constant.
    pub fn constant(constant: i64) -> Self {
        Affine {
            terms: Vec::new(),
            constant,
        }
    }

    /// One atom.
    pub fn atom(atom: Atom) -> Self {
        Affine {
            terms: vec![(atom, 1)],
            constant: 0,
        }
    }

    /// One loop index.
    pub fn index(index: IndexId) -> Self {
        Affine::atom(Atom::Index(index))
    }

    /// How many atoms it is made of, those in subscripts of maps counted.
    pub fn parts(&self) -> usize {
        let parts = self.terms.iter().map(|(atom, _)| match atom {
            Atom::Map(_, subscripts) => 1 + subscripts.iter().map(Affine::parts).sum::<usize>(),
            Atom::Index(_) | Atom::Scalar(_) | Atom::Length(..) => 1,
        });
        parts.sum()
    }

    /// The value, if no atom occurs.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The index, if this is one plain loop index.
    pub fn as_index(&self) -> Option<IndexId> {
        match (self.terms.as_slice(), self.constant) {
            ([(Atom::Index(index), 1)], 0) => Some(*index),
            _ => None,
        }
    }

    /// Sum of two functions.
    pub fn add(&self, other: &Affine) -> Affine {
        self.combine(other, 1)
    }

    /// Difference of two functions.
    pub fn sub(&self, other: &Affine) -> Affine {
        self.combine(other, -1)
    }

    /// Multiple of a function.
    pub fn scale(&self, factor: i64) -> Affine {
        if factor == 0 {
            return Affine::default();
        }
        Affine {
            terms: self
                .terms
                .iter()
                .map(|(atom, c)| (atom.clone(), c * factor))
                .collect(),
            constant: self.constant * factor,
        }
    }

    /// The function whose multiple this is, if there is one with whole numbers.
    pub fn divided(&self, by: i64) -> Option<Affine> {
        let divided = |n: i64| (n.checked_rem(by)? == 0).then(|| n / by);
        let terms = self.terms.iter();
        Some(Affine {
            terms: terms
                .map(|(atom, c)| Some((atom.clone(), divided(*c)?)))
                .collect::<Option<_>>()?,
            constant: divided(self.constant)?,
        })
    }

    fn combine(&self, other: &Affine, sign: i64) -> Affine {
        let mut terms = self.terms.clone();
        for (atom, coefficient) in &other.terms {
            match terms.binary_search_by(|(a, _)| a.cmp(atom)) {
                Ok(at) => terms[at].1 += sign * coefficient,
                Err(at) => terms.insert(at, (atom.clone(), sign * coefficient)),
            }
        }
        terms.retain(|(_, c)| *c != 0);
        Affine {
            terms,
            constant: self.constant + sign * other.constant,
        }
    }

    /// Adds every loop index that occurs, also inside index maps, to `into`.
    pub fn collect_indices(&self, into: &mut Vec<IndexId>) {
        for (atom, _) in &self.terms {
            match atom {
                Atom::Index(index) => {
                    if !into.contains(index) {
                        into.push(*index);
                    }
                }
                Atom::Map(_, subscripts) => subscripts.iter().for_each(|s| s.collect_indices(into)),
                Atom::Scalar(_) | Atom::Length(..) => {}
            }
        }
    }

    /// Every loop index that occurs in some subscripts, also inside index maps: each once, in order.
    pub fn indices_of<'a>(subscripts: impl IntoIterator<Item = &'a Affine>) -> Vec<IndexId> {
        let mut indices = Vec::new();
        for subscript in subscripts {
            subscript.collect_indices(&mut indices);
        }
        indices.sort_unstable();
        indices
    }

    /// What an index is multiplied with.
    pub fn coefficient(&self, index: IndexId) -> i64 {
        let mut terms = self.terms.iter();
        let own = terms.find(|(atom, _)| *atom == Atom::Index(index));
        own.map_or(0, |(_, coefficient)| *coefficient)
    }

    /// Whether an entry of an index map takes part.
    pub fn is_mapped(&self) -> bool {
        let mut atoms = self.terms.iter();
        atoms.any(|(atom, _)| matches!(atom, Atom::Map(..)))
    }

    /// Whether a loop index occurs, also inside index maps.
    pub fn depends_on(&self, index: IndexId) -> bool {
        self.terms.iter().any(|(atom, _)| match atom {
            Atom::Index(own) => *own == index,
            Atom::Map(_, subscripts) => subscripts.iter().any(|s| s.depends_on(index)),
            Atom::Scalar(_) | Atom::Length(..) => false,
        })
    }

    /// The value where loop indices have those that `of` says, if nothing else occurs.
    pub fn value(&self, of: impl Fn(IndexId) -> Option<i64>) -> Option<i64> {
        let mut result = self.constant;
        for (atom, coefficient) in &self.terms {
            let Atom::Index(index) = atom else {
                return None;
            };
            result += coefficient * of(*index)?;
        }
        Some(result)
    }

    /// The function with each loop index replaced by what `by` says.
    pub fn substitute(&self, by: &impl Fn(IndexId) -> Affine) -> Affine {
        let mut result = Affine::constant(self.constant);
        for (atom, coefficient) in &self.terms {
            let value = match atom {
                Atom::Index(index) => by(*index),
                Atom::Map(array, subscripts) => Affine::atom(Atom::Map(
                    *array,
                    subscripts.iter().map(|s| s.substitute(by)).collect(),
                )),
                other => Affine::atom(other.clone()),
            };
            result = result.add(&value.scale(*coefficient));
        }
        result
    }
}
