//! Printing sums that are held in registers.

use super::printer::{Printer, Scope, Value};
use crate::ir::{Combining, Expr, ExprId, IndexId, Term};
use crate::number::Number;
use crate::schedule::tree::{Instance, Offsets, begins_with_target, offset};

impl Printer<'_> {
    /// Adds up the lanes of what the instances read.
    fn across(&mut self, instances: &[Instance]) {
        self.comment(instances);
        let mut scope = Scope::default();
        for instance in instances {
            self.enter(instance.equation);
            let equation = &self.program.equations[instance.equation];
            let element = self.program.pool.element(equation.expr);
            let value = self.of_lanes(&mut scope, instance);
            let unit = self.unit_of(element).clone();
            let value = self.name("lanes", &value);
            let combining = equation.operator.combining();
            let all = unit.across(combining, value, |text| self.name("lanes", text));
            let sum = self.bind("sum", &all, false, element);
            let accumulate = equation.operator.accumulated();
            let (target, offsets) = (&equation.target, &instance.offsets);
            self.store(&mut scope, target, offsets, sum, accumulate);
        }
    }

    /// What each lane has of a value, which may be several sums.
    fn of_lanes(&mut self, scope: &mut Scope, instance: &Instance) -> String {
        let equation = &self.program.equations[instance.equation];
        let (expr, combining) = (equation.expr, equation.operator.combining());
        let sums = match self.program.pool.get(expr) {
            Expr::Access(access) => self.folded.get(&access.array).copied(),
            _ => None,
        };
        let mut values = Vec::new();
        for sum in 0..sums.unwrap_or(1) {
            let mut offsets = instance.offsets.clone();
            let lane = self.lane().filter(|_| sum > 0);
            offsets.extend(lane.map(|lane| (lane, sum * self.unit.width)));
            let value = self.value(scope, expr, &offsets);
            values.push(self.coerce(scope, value, true));
        }
        let unit = self.unit_of(self.program.pool.element(expr)).clone();
        in_pairs(values, |a, b| unit.combined(combining, true, a, b)).unwrap_or_default()
    }

    /// Sums in registers: accumulators, the loops, and what becomes of the sums.
    pub fn reduction(&mut self, instances: &[Instance], loops: &[IndexId], chains: usize) {
        let mut lanes = self.schedule.lane_loops();
        if self.unit.width > 1 && lanes.any(|lane| loops == [lane]) {
            return self.across(instances);
        }
        self.comment(instances);
        // A sum over one loop that runs at least once starts with its first term; fused into zero,
        // that is one instruction as well, and the text is half as long.
        let extent = |index: IndexId| self.program.loop_index(index).extent.as_constant();
        let runs = matches!(loops, [only] if extent(*only).is_some_and(|n| n > 0));
        let any = |instance: &Instance| {
            let operator = self.program.equations[instance.equation].operator;
            operator.combining().starts_with_any()
        };
        let program = self.program;
        let begun = |instance: &Instance| begins_with_target(program, instance.equation);
        let start =
            runs && !self.unit.fused && instances.iter().all(any) && !instances.iter().any(begun);
        let mut scope = Scope::default();
        let mut accumulators = Vec::new();
        for instance in instances {
            self.enter(instance.equation);
            let equation = &self.program.equations[instance.equation];
            let mut vector = self.is_vector(equation.expr);
            let element = self.program.pool.element(equation.expr);
            let first = if begun(instance) {
                let held = self.read(&mut scope, &equation.target, &instance.offsets);
                vector |= held.vector;
                self.coerce(&mut scope, held, vector)
            } else if start {
                let value = self.value(&mut scope, equation.expr, &instance.offsets);
                self.coerce(&mut scope, value, vector)
            } else {
                let combining = equation.operator.combining();
                self.unit_of(element).identity(combining, vector)
            };
            let base = format!("{}_sum", self.program.array(equation.target.array).name);
            let name = self.mutable(&base, &first);
            accumulators.push(Value {
                text: name,
                vector,
                element,
            });
        }
        match self.row_iterations(instances, loops) {
            Some(points) => {
                let mut scope = Scope::default();
                for point in points.into_iter().skip(usize::from(start)) {
                    let mut here = instances.to_vec();
                    here.iter_mut()
                        .for_each(|instance| instance.offsets.extend(&point));
                    self.add_terms(&mut scope, &here, &accumulators);
                }
            }
            None if chains > 1 => {
                accumulators = self.in_chains(instances, loops, &accumulators, chains);
            }
            None => {
                for index in loops {
                    self.open_loop(*index, usize::from(start));
                }
                self.add_terms(&mut Scope::default(), instances, &accumulators);
                self.close_loops(loops);
            }
        }
        let mut scope = Scope::default();
        for (instance, accumulator) in instances.iter().zip(accumulators) {
            self.enter(instance.equation);
            let equation = &self.program.equations[instance.equation];
            let accumulate = equation.operator.accumulated();
            let accumulate = accumulate.filter(|_| !begun(instance));
            self.store(
                &mut scope,
                &equation.target,
                &instance.offsets,
                accumulator,
                accumulate,
            );
        }
    }

    /// The innermost loop in turns: as many iterations a step as there are chains, each added to accumulators of its own,
    /// and those that steps leave to the first ones. The accumulators of each instance together.
    fn in_chains(
        &mut self,
        instances: &[Instance],
        loops: &[IndexId],
        first: &[Value],
        chains: usize,
    ) -> Vec<Value> {
        let Some((inner, outer)) = loops.split_last() else {
            return first.to_vec();
        };
        let mut all = vec![first.to_vec()];
        for _ in 1..chains {
            let pairs = instances.iter().zip(first);
            let more = pairs.map(|(instance, first)| {
                let equation = &self.program.equations[instance.equation];
                let combining = equation.operator.combining();
                let start = self
                    .unit_of(first.element)
                    .identity(combining, first.vector);
                let base = format!("{}_sum", self.program.array(equation.target.array).name);
                let text = self.mutable(&base, &start);
                Value {
                    text,
                    ..first.clone()
                }
            });
            all.push(more.collect());
        }
        for index in outer {
            self.open_loop(*index, 0);
        }
        let name = self.names[inner].clone();
        let end = self.extent(&self.program.loop_index(*inner).extent);
        let (start, end) = (self.first_of(*inner, 0), self.end_of(*inner, end));
        self.around.enter_sum(*inner, 0);
        self.line(&format!(
            "let {name}_end = {end}; let mut {name} = {start}; \
             while {name} + {chains} <= {name}_end {{"
        ));
        let mut scope = Scope::default();
        for (chain, accumulators) in all.iter().enumerate() {
            let mut here = instances.to_vec();
            let offset = (chain > 0).then_some((*inner, chain));
            here.iter_mut()
                .for_each(|instance| instance.offsets.extend(offset));
            self.add_terms(&mut scope, &here, accumulators);
        }
        self.line(&format!(
            "{name} += {chains}; }} while {name} < {name}_end {{"
        ));
        self.add_terms(&mut Scope::default(), instances, first);
        self.line(&format!("{name} += 1; }}"));
        self.around.leave();
        self.close_loops(outer);
        let each = instances.iter().enumerate().filter_map(|(at, instance)| {
            let equation = &self.program.equations[instance.equation];
            let (combining, own) = (equation.operator.combining(), &first[at]);
            let unit = self.unit_of(own.element).clone();
            in_pairs(
                all.iter().map(|chain| chain[at].clone()).collect(),
                |a, b| {
                    let text = unit.combined(combining, own.vector, &a.text, &b.text);
                    self.bind("sum", &text, own.vector, own.element)
                },
            )
        });
        each.collect()
    }

    /// Adds the instances' values to their accumulators, term by term: what one term reads is in
    /// registers only until all instances have it.
    fn add_terms(&mut self, scope: &mut Scope, instances: &[Instance], accumulators: &[Value]) {
        let terms: Vec<Vec<Term>> = instances.iter().map(|i| self.terms(i)).collect();
        let mut sums = accumulators.to_vec();
        let order = innermost_reuse(instances);
        for number in 0..terms.iter().map(Vec::len).max().unwrap_or(0) {
            for at in &order {
                if let Some(term) = terms[*at].get(number) {
                    self.enter(instances[*at].equation);
                    let offsets = &instances[*at].offsets;
                    let sum = sums[*at].clone();
                    let equation = &self.program.equations[instances[*at].equation];
                    sums[*at] = match equation.operator.combining() {
                        Combining::Add => self.added(scope, sum, term, offsets),
                        other => self.combined(scope, (other, sum), term.expr, offsets),
                    };
                }
            }
        }
        for (sum, accumulator) in sums.into_iter().zip(accumulators) {
            let sum = self.coerce(scope, sum, accumulator.vector);
            self.line(&format!("{} = {sum};", accumulator.text));
        }
    }

    /// A value combined with an accumulator.
    fn combined(
        &mut self,
        scope: &mut Scope,
        (combining, sum): (Combining, Value),
        expr: ExprId,
        offsets: &Offsets,
    ) -> Value {
        let value = self.value(scope, expr, offsets);
        let vector = sum.vector || value.vector;
        let [old, new] = [sum, value].map(|value| self.coerce(scope, value, vector));
        let element = self.program.pool.element(expr);
        let text = self
            .unit_of(element)
            .combined(combining, vector, &old, &new);
        self.bind("combined", &text, vector, element)
    }

    /// What is added to an accumulator one by one.
    fn terms(&mut self, instance: &Instance) -> Vec<Term> {
        let equation = &self.program.equations[instance.equation];
        let (expr, adds) = (equation.expr, equation.adds_up());
        match self.program.pool.get(expr) {
            Expr::Sum(terms)
                if adds && self.unit.fused && !self.program.exact && !self.shared(expr) =>
            {
                terms.clone()
            }
            _ => vec![Term {
                coefficient: Number::ONE,
                expr,
            }],
        }
    }
}

/// Values combined in pairs, and what these give again, until there is one.
fn in_pairs<T: Clone>(mut values: Vec<T>, mut combined: impl FnMut(&T, &T) -> T) -> Option<T> {
    while values.len() > 1 {
        let pairs = values.chunks(2).map(|pair| match pair {
            [a, b] => combined(a, b),
            rest => rest[0].clone(),
        });
        values = pairs.collect();
    }
    values.pop()
}

/// Positions of instances in the order in which they should be computed: of the two sides of a tile
/// the one with fewer values is gone through for each value of the other, so that it is what stays
/// in registers.
fn innermost_reuse(instances: &[Instance]) -> Vec<usize> {
    let mut sides: Vec<(IndexId, Vec<usize>)> = Vec::new();
    for (index, offset) in instances.iter().flat_map(|i| &i.offsets) {
        match sides.iter_mut().find(|(side, _)| side == index) {
            Some((_, offsets)) if offsets.contains(offset) => {}
            Some((_, offsets)) => offsets.push(*offset),
            None => sides.push((*index, vec![*offset])),
        }
    }
    sides.sort_by_key(|(index, offsets)| (std::cmp::Reverse(offsets.len()), *index));
    let mut order: Vec<usize> = (0..instances.len()).collect();
    order.sort_by_key(|at| {
        let of = |index: &IndexId| {
            let offsets = &instances[*at].offsets;
            offset(offsets, *index)
        };
        sides.iter().map(|(index, _)| of(index)).collect::<Vec<_>>()
    });
    order
}
