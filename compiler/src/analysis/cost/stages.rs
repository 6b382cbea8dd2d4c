//! Which equations are evaluated one after the other, since later ones need what loops of earlier ones leave.

use super::{read, sorted_domain};
use crate::collections::HashMap;
use crate::ir::{ArrayId, IndexId, Program, Role};

/// For each equation, how many times what it needs comes out of other loops than those it is in.
pub(super) fn stages(program: &Program) -> Vec<usize> {
    let mut result: Vec<usize> = Vec::new();
    // The latest equations that write each temporary, and those that do so once their sums are complete.
    let mut written: HashMap<ArrayId, (Latest<Vec<IndexId>>, Latest<_>)> = HashMap::default();
    for equation in &program.equations {
        let domain = sorted_domain(equation);
        let arrays = read(program, [equation.expr]);
        // A sum is read once the loops that it runs over have ended.
        let beside = (domain, false);
        let read = arrays.iter().filter_map(|array| written.get(array));
        let read = read.map(|(_, complete)| complete.stage_after(&beside));
        let target = written.get(&equation.target.array);
        let target = target.map(|(all, _)| all.stage_after(&beside.0));
        let stage = read.chain(target).max().unwrap_or(0);
        result.push(stage);
        if matches!(program.array(equation.target.array).role, Role::Temporary) {
            let (all, complete) = written.entry(equation.target.array).or_default();
            all.add(beside.0.clone(), stage);
            complete.add((beside.0, !equation.reduction.is_empty()), stage);
        }
    }
    result
}

/// The latest stages of what writes an array, by where that is done.
struct Latest<Place> {
    /// The latest stage in each place.
    at: HashMap<Place, usize>,
    /// The latest one, where that is, and the latest one in any other place.
    first: Option<(usize, Place)>,
    second: Option<usize>,
}

impl<Place> Default for Latest<Place> {
    fn default() -> Self {
        let at = HashMap::default();
        let (first, second) = (None, None);
        Latest { at, first, second }
    }
}

impl<Place: Clone + Eq + std::hash::Hash> Latest<Place> {
    fn add(&mut self, place: Place, stage: usize) {
        let own = self.at.entry(place.clone()).or_default();
        *own = (*own).max(stage);
        match &mut self.first {
            Some((first, known)) if *known == place => *first = (*first).max(stage),
            Some((first, _)) if *first >= stage => self.second = self.second.max(Some(stage)),
            first => {
                let before = first.replace((stage, place));
                self.second = before.map(|(stage, _)| stage);
            }
        }
    }

    /// The stage of what needs all of that: the next one, but in the place of all that is as late.
    fn stage_after(&self, place: &Place) -> usize {
        let others = match &self.first {
            Some((_, known)) if known == place => self.second,
            first => first.as_ref().map(|(stage, _)| *stage),
        };
        let own = self.at.get(place).copied();
        own.max(others.map(|stage| stage + 1)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;

    /// By looking at all pairs of equations.
    fn by_pairs(program: &Program) -> Vec<usize> {
        let mut result: Vec<usize> = Vec::new();
        for (at, equation) in program.equations.iter().enumerate() {
            let arrays = read(program, [equation.expr]);
            let needed = |earlier: usize| {
                let other = &program.equations[earlier];
                let array = other.target.array;
                let apart = sorted_domain(other) != sorted_domain(equation);
                let complete = apart || !other.reduction.is_empty();
                let kept = matches!(program.array(array).role, Role::Temporary);
                let read = arrays.contains(&array).then_some(complete);
                let written = (equation.target.array == array).then_some(apart);
                let apart = read.max(written).filter(|_| kept)?;
                Some(result[earlier] + usize::from(apart))
            };
            let stage = (0..at).filter_map(needed).max().unwrap_or(0);
            result.push(stage);
        }
        result
    }

    #[test]
    fn stages_are_those_of_all_pairs() {
        let equations = [
            "t[i] += x[i] for i",
            "t[i] += sum(k) x[k] for i",
            "t[j] = x[j] for j",
            "u[i] = t[i] for i",
            "u[j] += t[j] * x[j] for j",
            "t[i] += sum(k) u[k] * x[i] for i",
            "y[i] += t[i] for i",
            "u[i] = sum(j) t[j] for i",
        ];
        // Each sequence of five of them is a program.
        for number in 0..equations.len().pow(5) {
            let digits = (0..5).map(|place| number / equations.len().pow(place) % equations.len());
            let chosen: Vec<&str> = digits.map(|digit| equations[digit]).collect();
            if number % 7 != 0 {
                continue;
            }
            let text = format!(
                "program p\nindex i: 4\nindex j: 4\nindex k: 4\nparam 0 x: f64[4]\noutput 1 y: f64[4]\n\
                 temp t: f64[4]\ntemp u: f64[4]\n{}",
                chosen.join("; ")
            );
            let program = text::parse(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
            assert_eq!(stages(&program), by_pairs(&program), "{text}");
        }
    }
}
