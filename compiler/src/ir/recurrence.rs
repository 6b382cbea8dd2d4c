//! Equations that need their own earlier values: running sums, queues, prefixes.

use std::ops::Range;

use super::combining::Operator;
use super::program::{ArrayId, Program, Role};
use crate::collections::HashMap;

impl Program {
    /// The temporaries that an equation reads, each once, in the order of their ids.
    pub fn temporaries_read(&self, equation: usize) -> Vec<ArrayId> {
        let accesses = self.pool.accesses([self.equations[equation].expr]);
        let arrays = accesses.into_iter().map(|(_, access)| access.array);
        let temporary = |array: &ArrayId| matches!(self.array(*array).role, Role::Temporary);
        let mut result: Vec<ArrayId> = arrays.filter(temporary).collect();
        result.sort_unstable();
        result.dedup();
        result
    }

    /// The equations in order, in groups that are executed together, point by point: an equation
    /// that reads a temporary which a later one over the same indices assigns is in one group with
    /// that and with all between them. At each point of these indices, the last of which runs
    /// fastest, they come one after the other. A single equation that reads what it assigns itself
    /// finds the values of earlier points.
    ///
    /// ```text
    /// sum[0] = x[0] + x[1]
    /// full[i] = sum[i] + x[i + 2]   for i
    /// sum[i + 1] = full[i] - x[i]   for i
    /// ```
    ///
    /// are two groups: the last two equations take turns.
    pub fn together(&self) -> Vec<Range<usize>> {
        let reads: Vec<Vec<ArrayId>> = (0..self.equations.len())
            .map(|at| self.temporaries_read(at))
            .collect();
        let mut assigns: HashMap<ArrayId, Vec<usize>> = HashMap::default();
        for (at, equation) in self.equations.iter().enumerate() {
            if equation.operator == Operator::Assign {
                assigns.entry(equation.target.array).or_default().push(at);
            }
        }
        // The last equation after another that assigns what this reads, in the same loops.
        let last = |at: usize| {
            let arrays = reads[at].iter().filter_map(|array| assigns.get(array));
            let latest = arrays.filter_map(|all| {
                let mut later = all.iter().rev().take_while(|later| **later > at);
                later.find(|later| self.equations[**later].free == self.equations[at].free)
            });
            latest.max().copied()
        };
        let mut result = Vec::new();
        let mut start = 0;
        while start < self.equations.len() {
            let (mut end, mut at) = (start + 1, start);
            while at < end {
                end = end.max(last(at).map_or(0, |last| last + 1));
                at += 1;
            }
            result.push(start..end);
            start = end;
        }
        result
    }

    /// A temporary that is computed from its own earlier elements, if there is one.
    pub fn recurrence(&self) -> Option<ArrayId> {
        self.together().into_iter().find_map(|group| {
            let target = self.equations[group.start].target.array;
            let alone = group.len() == 1 && !self.temporaries_read(group.start).contains(&target);
            (!alone).then_some(target)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::text;

    const HEAD: &str = "program p
index i: 4
index p: 3
param 0 x: f64[9]
output 1 y: f64[9]
temp s: f64[9]
temp t: f64[9]
";

    fn groups(equations: &str) -> Vec<usize> {
        let program = text::parse(&format!("{HEAD}{equations}")).unwrap();
        let groups = program.together();
        groups.into_iter().map(|group| group.len()).collect()
    }

    #[test]
    fn equations_that_need_each_other_are_together() {
        assert_eq!(groups("s[i] = x[i] for i; y[i] = s[i] for i"), [1, 1]);
        assert_eq!(groups("s[0] = x[0]; s[i + 1] = s[i] + x[i] for i"), [1, 1]);
        let queue = "s[0] = x[0]; t[i] = s[i] for i; y[i] = t[i] for i; s[i + 1] = t[i] for i";
        assert_eq!(groups(queue), [1, 3]);
        // A prologue over indices of its own comes first.
        let prologue = "s[p + 1] = x[p] for p; t[i] = s[i] for i; s[i + 4] = t[i] for i";
        assert_eq!(groups(prologue), [1, 2]);
        let sums = "s[p + 1] = s[p] + x[p] for p; t[i] = s[i] for i; s[i + 4] = t[i] for i";
        assert_eq!(groups(sums), [1, 2]);
    }

    #[test]
    fn recurrences_are_named() {
        let name = |equations: &str| {
            let program = text::parse(&format!("{HEAD}{equations}")).unwrap();
            let array = program.recurrence()?;
            Some(program.array(array).name.clone())
        };
        assert_eq!(name("s[i] = x[i] for i; y[i] = s[i] + s[0] for i"), None);
        let own = name("s[0] = x[0]; s[i + 1] = s[i] + x[i] for i");
        assert_eq!(own.as_deref(), Some("s"));
        let each_other = name("s[0] = x[0]; t[i] = s[i] for i; s[i + 1] = t[i] for i");
        assert_eq!(each_other.as_deref(), Some("t"));
    }
}
