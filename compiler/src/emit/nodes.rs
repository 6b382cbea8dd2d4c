//! Printing the loop tree.

use super::address::Motion;
use super::printer::{Offsets, Printer, Scope, Value};
use super::transpose;
use crate::ir::{Access, Affine, Extent, IndexId, Operator, Role};
use crate::schedule::tree::{CopyOut, Instance, Loop, Node, Storage};

impl Printer<'_> {
    /// Prints nodes.
    pub fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Loop(l) => self.print_loop(l),
                Node::Block(instances) => self.block(instances),
                Node::Reduction { instances, loops } => self.reduction(instances, loops),
                Node::CopyOut(copy) => self.copy_out(copy),
                Node::Zero(array) => {
                    let count = self.elements(*array);
                    let pointer = self.pointer(*array);
                    let zero = self.unit.zero(false);
                    self.line(&format!(
                        "{{ let mut at = 0usize; while at < {count} {{ *{pointer}.add(at) = {zero}; at += 1; }} }}"
                    ));
                }
            }
        }
    }

    /// Elements of a temporary in memory, lanes included.
    pub fn elements(&self, array: crate::ir::ArrayId) -> usize {
        match self.storage(array) {
            Some(Storage::Memory { extents, lanes }) => {
                extents.iter().flatten().product::<usize>()
                    * if *lanes { self.unit.width } else { 1 }
            }
            _ => 1,
        }
    }

    /// The end of a loop as text.
    pub fn extent(&mut self, extent: &Extent) -> String {
        match extent {
            Extent::Constant(n) => n.to_string(),
            Extent::RunTime(affine) => {
                let mut text = affine.constant.to_string() + "isize";
                for (atom, coefficient) in &affine.terms {
                    let one = Affine::atom(atom.clone());
                    let value = self.text(&mut Scope::default(), &one, &Vec::new(), None);
                    text.push_str(&format!(" + ({value}) as isize * {coefficient}isize"));
                }
                format!("::core::cmp::Ord::max({text}, 0isize) as usize")
            }
        }
    }

    fn print_loop(&mut self, l: &Loop) {
        let name = self.names[&l.index].clone();
        let end = self.extent(&l.end);
        let mesh = self.schedule.lanes == Some(l.index)
            && matches!(l.end, Extent::RunTime(_))
            && self.unit.width > 1;
        self.open.push(l.index);
        if matches!(l.end, Extent::Constant(end) if end <= l.start + l.step) {
            self.line(&format!("{{ let {name} = {}usize;", l.start));
            self.nodes(&l.body);
            self.line("}");
        } else {
            self.line(&format!(
                "let {name}_end = {end}; let mut {name} = {}usize; while {name} < {name}_end {{",
                l.start
            ));
            if mesh {
                let width = self.unit.width;
                self.line(&format!(
                    "let active = ::core::cmp::Ord::min({name}_end - {name}, {width}usize);"
                ));
                for lane in 0..width {
                    self.line(&format!("let {name}l{lane} = {name} + ::core::cmp::Ord::min({lane}usize, active - 1);"));
                }
                self.active = Some("active".to_owned());
            }
            self.nodes(&l.body);
            if mesh {
                self.active = None;
            }
            self.line(&format!("{name} += {}; }}", l.step));
        }
        self.open.pop();
    }

    fn block(&mut self, instances: &[Instance]) {
        let mut scope = Scope::default();
        for instance in instances {
            let equation = &self.program.equations[instance.equation];
            let accumulate = equation.operator == Operator::Accumulate;
            let value = self.value(&mut scope, equation.expr, &instance.offsets);
            self.store(
                &mut scope,
                &equation.target,
                &instance.offsets,
                value,
                accumulate,
            );
        }
    }

    fn reduction(&mut self, instances: &[Instance], loops: &[IndexId]) {
        // A sum over one loop that runs at least once starts with its first term.
        let start = matches!(loops, [only] if self.program.loop_index(*only).extent.as_constant().is_some());
        let accumulators = if start {
            self.started(instances)
        } else {
            self.zeroed(instances)
        };
        let first = usize::from(start);
        for index in loops {
            let name = self.names[index].clone();
            let end = self.extent(&self.program.loop_index(*index).extent.clone());
            self.open.push(*index);
            self.line(&format!(
                "let {name}_end = {end}; let mut {name} = {first}usize; while {name} < {name}_end {{"
            ));
        }
        self.accumulate(instances, &accumulators);
        for index in loops.iter().rev() {
            let name = self.names[index].clone();
            self.line(&format!("{name} += 1; }}"));
            self.open.pop();
        }
        let mut scope = Scope::default();
        for (instance, accumulator) in instances.iter().zip(accumulators) {
            let equation = &self.program.equations[instance.equation];
            let accumulate = equation.operator == Operator::Accumulate;
            self.store(
                &mut scope,
                &equation.target,
                &instance.offsets,
                accumulator,
                accumulate,
            );
        }
    }

    /// Accumulators that hold the first term.
    fn started(&mut self, instances: &[Instance]) -> Vec<Value> {
        let mut scope = Scope::default();
        let mut accumulators = Vec::new();
        for instance in instances {
            let expr = self.program.equations[instance.equation].expr;
            let vector = self.is_vector(expr);
            let value = self.value(&mut scope, expr, &instance.offsets);
            let text = self.coerce(&mut scope, value, vector);
            let name = self.fresh("acc");
            self.line(&format!("let mut {name} = {text};"));
            accumulators.push(Value { text: name, vector });
        }
        accumulators
    }

    fn zeroed(&mut self, instances: &[Instance]) -> Vec<Value> {
        let mut accumulators = Vec::new();
        for instance in instances {
            let equation = &self.program.equations[instance.equation];
            let vector = self.is_vector(equation.expr);
            let name = self.fresh("acc");
            let zero = self.unit.zero(vector);
            self.line(&format!("let mut {name} = {zero};"));
            accumulators.push(Value { text: name, vector });
        }
        accumulators
    }

    fn accumulate(&mut self, instances: &[Instance], accumulators: &[Value]) {
        let mut scope = Scope::default();
        for (instance, accumulator) in instances.iter().zip(accumulators) {
            let expr = self.program.equations[instance.equation].expr;
            let vector = accumulator.vector;
            let text = match self.fusible(&mut scope, expr, &instance.offsets) {
                Some((a, b)) => {
                    let (a, b) = (
                        self.coerce(&mut scope, a, vector),
                        self.coerce(&mut scope, b, vector),
                    );
                    self.unit.fused(vector, false, &a, &b, &accumulator.text)
                }
                None => {
                    let value = self.value(&mut scope, expr, &instance.offsets);
                    let value = self.coerce(&mut scope, value, vector);
                    self.unit.add(vector, &accumulator.text, &value)
                }
            };
            self.line(&format!("{} = {text};", accumulator.text));
        }
    }

    fn store(
        &mut self,
        scope: &mut Scope,
        target: &Access,
        offsets: &Offsets,
        value: Value,
        accumulate: bool,
    ) {
        let storage = self.storage(target.array);
        if let Some(Storage::Register { lanes }) = storage {
            self.define(scope, target, offsets, value, *lanes);
            return;
        }
        let address = self.address(target);
        let pointer = self.pointer(target.array);
        if let Some(Storage::Memory { lanes: true, .. }) = storage {
            let at = self.text(scope, &address, offsets, Some(0));
            let pointer = format!("{pointer}.add(({at}) * {})", self.unit.width);
            let value = self.coerce(scope, value, true);
            let value = if accumulate {
                self.unit.add(true, &self.unit.load(&pointer), &value)
            } else {
                value
            };
            let store = self.unit.store(&pointer, &value);
            self.line(&store);
            return;
        }
        match self.motion(&address) {
            Motion::Still => {
                let at = self.text(scope, &address, offsets, None);
                let operator = if accumulate { "+=" } else { "=" };
                self.line(&format!("*{pointer}.add({at}) {operator} {};", value.text));
            }
            Motion::Stride(1) => self.store_neighbours(
                scope,
                &address,
                &pointer,
                offsets,
                value,
                accumulate,
                storage.is_some(),
            ),
            _ => self.store_lanes(scope, &address, &pointer, offsets, value, accumulate),
        }
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "one store, all of whose parts are at hand"
    )]
    fn store_neighbours(
        &mut self,
        scope: &mut Scope,
        address: &Affine,
        pointer: &str,
        offsets: &Offsets,
        value: Value,
        accumulate: bool,
        padded: bool,
    ) {
        let at = self.text(scope, address, offsets, None);
        let pointer = format!("{pointer}.add({at})");
        let value = self.coerce(scope, value, true);
        match self.partial(offsets, padded) {
            None => {
                let value = if accumulate {
                    self.unit.add(true, &self.unit.load(&pointer), &value)
                } else {
                    value
                };
                let store = self.unit.store(&pointer, &value);
                self.line(&store);
            }
            Some(active) => {
                let lanes = self.fresh("lanes");
                let mask = self.unit.mask(&lanes);
                let whole = if accumulate {
                    self.unit.add(true, &self.unit.load(&pointer), &value)
                } else {
                    value.clone()
                };
                let part = if accumulate {
                    self.unit
                        .add(true, &self.unit.masked_load(&pointer, &mask), &value)
                } else {
                    value
                };
                let (whole, part) = (
                    self.unit.store(&pointer, &whole),
                    self.unit.masked_store(&pointer, &mask, &part),
                );
                let width = self.unit.width;
                self.line(&format!(
                    "let {lanes} = {active}; if {lanes} == {width} {{ {whole} }} else {{ {part} }}"
                ));
            }
        }
    }

    /// One lane after the other, so that lanes which meet in one place all count.
    fn store_lanes(
        &mut self,
        scope: &mut Scope,
        address: &Affine,
        pointer: &str,
        offsets: &Offsets,
        value: Value,
        accumulate: bool,
    ) {
        let value = self.coerce(scope, value, true);
        let name = self.fresh("lanes");
        let (ty, width) = (self.unit.scalar.clone(), self.unit.width);
        let store = self.unit.store(&format!("{name}.as_mut_ptr()"), &value);
        self.line(&format!("let mut {name} = [0.0{ty}; {width}]; {store}"));
        let operator = if accumulate { "+=" } else { "=" };
        let limit = self.partial(offsets, false);
        for lane in 0..width {
            let at = self.text(scope, address, offsets, Some(lane));
            let store = format!("*{pointer}.add({at}) {operator} {name}[{lane}];");
            match &limit {
                Some(active) => self.line(&format!("if {lane} < {active} {{ {store} }}")),
                None => self.line(&store),
            }
        }
    }

    fn copy_out(&mut self, copy: &CopyOut) {
        let lanes = matches!(
            self.storage(copy.staged),
            Some(Storage::Memory { lanes: true, .. })
        );
        if !lanes {
            self.copy_loops(copy, None);
            return;
        }
        let width = self.unit.width;
        let active = self.active.clone().unwrap_or_else(|| width.to_string());
        let whole = self.contiguous(copy).filter(|_| self.unit.scalar == "f64");
        if let (Some(count), Some(network)) = (whole, transpose::network(width)) {
            self.line(&format!("if {active} == {width} {{"));
            self.copy_transposed(copy, count, &network);
            self.line("} else {");
            self.copy_lanes(copy, &active);
            self.line("}");
        } else {
            self.copy_lanes(copy, &active);
        }
    }

    fn copy_lanes(&mut self, copy: &CopyOut, active: &str) {
        self.line(&format!(
            "{{ let mut lane = 0usize; while lane < {active} {{"
        ));
        self.copy_loops(copy, Some("lane"));
        self.line("lane += 1; } }");
    }

    fn copy_loops(&mut self, copy: &CopyOut, lane: Option<&str>) {
        self.line("{");
        for index in &copy.loops {
            let name = self.names[index].clone();
            let end = self.extent(&self.program.loop_index(*index).extent.clone());
            self.open.push(*index);
            self.line(&format!(
                "let {name}_end = {end}; let mut {name} = 0usize; while {name} < {name}_end {{"
            ));
        }
        let mut scope = Scope::default();
        let staged = self.staged_access(copy);
        let from_address = self.address(&staged);
        let from = self.text(&mut scope, &from_address, &Vec::new(), None);
        let to_address = self.address(&copy.target);
        let pointer = self.pointer(copy.target.array);
        let source = self.pointer(copy.staged);
        let width = self.unit.width;
        let operator = if copy.accumulate { "+=" } else { "=" };
        match (lane, self.schedule.lanes) {
            (Some(lane), Some(index)) => {
                // The lane's own iteration of the mesh loop.
                let name = self.names[&index].clone();
                self.line(&format!("let {name} = {name} + {lane};"));
                let to = self.text(&mut scope, &to_address, &Vec::new(), None);
                self.line(&format!(
                    "*{pointer}.add({to}) {operator} *{source}.add(({from}) * {width} + {lane});"
                ));
            }
            _ => {
                let to = self.text(&mut scope, &to_address, &Vec::new(), None);
                self.line(&format!(
                    "*{pointer}.add({to}) {operator} *{source}.add({from});"
                ));
            }
        }
        for index in copy.loops.iter().rev() {
            let name = self.names[index].clone();
            self.line(&format!("{name} += 1; }}"));
            self.open.pop();
        }
        self.line("}");
    }

    /// The staging array's element at the copy's loops.
    fn staged_access(&self, copy: &CopyOut) -> Access {
        let mut loops = copy.loops.iter();
        let subscripts = match self.storage(copy.staged) {
            Some(Storage::Memory { extents, .. }) => extents
                .iter()
                .map(|kept| match kept {
                    Some(_) => loops
                        .next()
                        .map_or(Affine::default(), |index| Affine::index(*index)),
                    None => Affine::default(),
                })
                .collect(),
            _ => Vec::new(),
        };
        Access {
            array: copy.staged,
            subscripts,
        }
    }

    /// Elements a lane, if each lane's target is one contiguous run in the staging array's order.
    fn contiguous(&self, copy: &CopyOut) -> Option<usize> {
        let lane = self.schedule.lanes?;
        let array = self.program.array(copy.target.array);
        let (first, inner) = copy.target.subscripts.split_first()?;
        let matches =
            matches!(array.role, Role::Output(_))
                && first.as_index() == Some(lane)
                && inner.len() == copy.loops.len()
                && inner.iter().zip(&copy.loops).zip(&array.shape[1..]).all(
                    |((s, index), extent)| {
                        s.as_index() == Some(*index)
                            && self.program.loop_index(*index).extent == *extent
                    },
                );
        matches.then(|| {
            array.shape[1..]
                .iter()
                .filter_map(Extent::as_constant)
                .product()
        })
    }

    fn copy_transposed(&mut self, copy: &CopyOut, count: usize, network: &transpose::Network) {
        let width = self.unit.width;
        let lane = self
            .schedule
            .lanes
            .map(|index| self.names[&index].clone())
            .unwrap_or_default();
        let (source, target) = (self.pointer(copy.staged), self.pointer(copy.target.array));
        let operator = if copy.accumulate { "+=" } else { "=" };
        self.line("{ let mut at = 0usize;");
        self.line(&format!("while at + {width} <= {count} {{"));
        for k in 0..width {
            let load = self
                .unit
                .load(&format!("{source}.add((at + {k}) * {width})"));
            self.line(&format!("let s0_{k} = {load};"));
        }
        for (stage, moves) in network.iter().enumerate() {
            for (k, (shuffle, a, b)) in moves.iter().enumerate() {
                let text = transpose::print(
                    *shuffle,
                    width,
                    &format!("s{stage}_{a}"),
                    &format!("s{stage}_{b}"),
                );
                self.line(&format!("let s{}_{k} = {text};", stage + 1));
            }
        }
        let last = network.len();
        for k in 0..width {
            let pointer = format!("{target}.add(({lane} + {k}) * {count} + at)");
            let value = format!("s{last}_{k}");
            let value = if copy.accumulate {
                self.unit.add(true, &self.unit.load(&pointer), &value)
            } else {
                value
            };
            let store = self.unit.store(&pointer, &value);
            self.line(&store);
        }
        self.line(&format!("at += {width}; }}"));
        self.line(&format!("while at < {count} {{"));
        for k in 0..width {
            self.line(&format!("*{target}.add(({lane} + {k}) * {count} + at) {operator} *{source}.add(at * {width} + {k});"));
        }
        self.line("at += 1; } }");
    }
}
