//! Outputs that too many equations access to compare each of them with each other one.

use std::collections::BTreeMap;

use super::dependence::{Use, may_meet};
use crate::ir::{ArrayId, Operator, Program};

/// Most pairs of accesses to an array that are compared: a limit on work.
const MOST_PAIRS: usize = 1 << 11;

/// What an equation does with an array.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    reads: bool,
    adds: bool,
    assigns: bool,
}

impl Part {
    fn writes(self) -> bool {
        self.adds || self.assigns
    }

    /// Whether two equations have to keep their order.
    fn meets(self, other: Part) -> bool {
        let writes = self.writes() && other.reads || self.reads && other.writes();
        writes || self.assigns && other.writes() || self.writes() && other.assigns
    }
}

/// Arrays whose accesses are taken to meet always.
#[derive(Debug, Default)]
pub struct Crowded {
    arrays: BTreeMap<ArrayId, Array>,
    /// The arrays among these that an equation accesses.
    of: Vec<Vec<ArrayId>>,
}

#[derive(Debug, Default)]
struct Array {
    /// The equations that access it.
    equations: Vec<usize>,
    parts: BTreeMap<usize, Part>,
}

/// Whether accesses do more than to read, or to add.
pub fn changes(uses: &[Use]) -> bool {
    let combined = uses.first().and_then(|of| of.operator);
    let combined = combined.filter(|operator| operator.accumulated().is_some());
    let added = |of: &Use| combined.is_some() && of.operator == combined;
    let read = |of: &Use| of.operator.is_none();
    !uses.iter().all(added) && !uses.iter().all(read)
}

impl Crowded {
    /// The arrays with more pairs of accesses than are compared.
    pub fn of(program: &Program, uses: &BTreeMap<ArrayId, Vec<Use>>) -> Crowded {
        let mut result = Crowded {
            of: vec![Vec::new(); program.equations.len()],
            ..Crowded::default()
        };
        for (array, uses) in uses {
            if changes(uses) && is_crowded(uses) {
                result.add(*array, uses);
            }
        }
        result
    }

    fn add(&mut self, array: ArrayId, uses: &[Use]) {
        let mut own = Array::default();
        for of in uses {
            let part = own.parts.entry(of.at).or_default();
            match of.operator {
                None => part.reads = true,
                Some(Operator::ADD) => part.adds = true,
                // Others are not the same in any order with these.
                Some(_) => part.assigns = true,
            }
        }
        own.equations = own.parts.keys().copied().collect();
        for at in &own.equations {
            self.of[*at].push(array);
        }
        self.arrays.insert(array, own);
    }

    /// Whether an array is one of them.
    pub fn has(&self, array: ArrayId) -> bool {
        self.arrays.contains_key(&array)
    }

    /// What the report says of them.
    pub fn describe(&self, program: &Program) -> Option<String> {
        let names = self.arrays.keys().map(|array| &program.array(*array).name);
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        (!names.is_empty()).then(|| {
            format!(
                "{} accessed in too many places to compare all of them, whose statements keep their order and their loops",
                names.join(", ")
            )
        })
    }

    /// The equations that access an array that one of them does.
    pub fn others(&self, at: usize) -> impl Iterator<Item = &usize> {
        let arrays = self.of.get(at).into_iter().flatten();
        arrays.flat_map(|array| &self.arrays[array].equations)
    }

    /// What two equations do with the arrays that both access.
    fn common(&self, first: usize, second: usize) -> impl Iterator<Item = (Part, Part)> {
        let arrays = self.of.get(first).into_iter().flatten();
        arrays.filter_map(move |array| {
            let parts = &self.arrays[array].parts;
            Some((*parts.get(&first)?, *parts.get(&second)?))
        })
    }

    /// Whether two equations keep their order.
    pub fn meet(&self, earlier: usize, later: usize) -> bool {
        self.common(earlier, later).any(|(a, b)| a.meets(b))
    }

    /// Whether one equation accesses what another one may have written.
    pub fn reads_back(&self, later: usize, earlier: usize) -> bool {
        self.common(earlier, later)
            .any(|(a, b)| a.writes() && a.meets(b))
    }
}

fn is_crowded(uses: &[Use]) -> bool {
    let mut pairs = 0;
    for (position, later) in uses.iter().enumerate() {
        let earlier = uses[..position].iter();
        pairs += earlier.filter(|earlier| may_meet(earlier, later)).count();
        if pairs > MOST_PAIRS {
            return true;
        }
    }
    false
}
