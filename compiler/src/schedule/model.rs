//! The cost model: cycles of a loop tree from operations, loads, stores and shuffles.

use super::factors::terms;
use super::lie::{self, Lie};
use super::pressure::Pressure;
use super::taken::Taken;
use super::tree::{CopyOut, Instance, Loop, Node, Schedule, Steps, Storage, instances};
use super::{
    carried, chains, crossing, front, functions, integers, leaving, overlaid, overlapped,
    own_block, still, strided, swept, windows,
};
use crate::analysis::cost::{NOMINAL, nominal};
use crate::collections::{HashMap, HashSet};
use crate::ir::{Access, ArrayId, Element, Expr, ExprId, IndexId, Program, Role};
use crate::machine::{self, ARITHMETIC, CALL, LATENCY, LOOP, TRANSPOSED};
use crate::syntax::ast::Elementary;

/// Estimated cycles of a schedule, over all its loops.
pub fn estimate(program: &Program, schedule: &Schedule) -> f64 {
    Model::of(program, schedule).nodes(&schedule.body) + leaving::again(program, schedule)
}

/// The same where equations are packed as soon as their loops are long, and each step counts by itself or not.
pub fn estimate_packed(
    program: &Program,
    schedule: &Schedule,
    (packed, apart): (HashSet<usize>, bool),
) -> f64 {
    let mut model = Model::of(program, schedule);
    (model.packed, model.apart) = (packed, apart);
    model.nodes(&schedule.body) + leaving::again(program, schedule)
}

/// Estimated cycles of some nodes.
pub fn cycles(program: &Program, schedule: &Schedule, nodes: &[Node]) -> f64 {
    Model::of(program, schedule).nodes(nodes)
}

/// The same where iterations are computed side by side, so that none waits for sums over loops of known length, which
/// are written out.
pub fn side_by_side(program: &Program, schedule: &Schedule, nodes: &[Node]) -> f64 {
    let model = Model {
        waiting: false,
        ..Model::of(program, schedule)
    };
    model.nodes(nodes)
}

/// Cycles in which an iteration of sums is issued, whatever they wait for.
pub fn issued(program: &Program, schedule: &Schedule, node: &Node) -> f64 {
    let model = Model::of(program, schedule);
    let all = instances(std::slice::from_ref(node)).into_iter();
    let all: Vec<Instance> = all.cloned().collect();
    model.straight(&all).cycles(model.memory).max(0.25)
}

/// How many times as long sums wait for what they are added to as an iteration of them takes to be issued.
pub fn waits(program: &Program, schedule: &Schedule, node: &Node) -> f64 {
    let all = instances(std::slice::from_ref(node)).into_iter();
    let equations: Vec<usize> = all.map(|instance| instance.equation).collect();
    LATENCY * terms(program, &equations) as f64 / issued(program, schedule, node)
}

/// The part that one node has in the cycles of some.
pub fn part_of(program: &Program, schedule: &Schedule, node: &Node, nodes: &[Node]) -> f64 {
    let model = Model::of(program, schedule);
    model.node(node) / model.nodes(nodes)
}

/// Bytes of a temporary in memory.
pub fn bytes(program: &Program, (array, storage): &(ArrayId, Storage), width: usize) -> usize {
    match storage {
        Storage::Memory { lanes, .. } => {
            let each = 8 * if *lanes { width } else { 1 };
            storage.likely(program, *array).saturating_mul(each)
        }
        Storage::Register { .. } | Storage::Registers { .. } => 0,
    }
}

/// How many steps a loop takes.
pub fn steps(program: &Program, l: &Loop) -> f64 {
    match (l.steps, l.iterations()) {
        (Steps::Once, _) => 1.0,
        (Steps::First(most) | Steps::Last(most), _) => most as f64,
        // Half of what may be left.
        (Steps::Rest, _) => l.step.saturating_sub(1) as f64 / 2.0,
        (_, Some(length)) => length as f64,
        (_, None) => {
            let end = nominal(program, &l.end);
            let length = end.saturating_sub(l.start).max(1);
            match end {
                NOMINAL => length as f64 / l.step as f64,
                // Of a short loop the last step counts in full.
                _ => length.div_ceil(l.step) as f64,
            }
        }
    }
}

struct Model<'a> {
    program: &'a Program,
    schedule: &'a Schedule,
    memory: f64,
    waits: HashMap<usize, f64>,
    swept: HashMap<usize, f64>,
    taken: Taken,
    /// Equations that read what is near, however long their loops are.
    packed: HashSet<usize>,
    /// Whether what a vector hands on to the next one counts in both.
    apart: bool,
    /// Whether sums over loops of known length are waited for.
    waiting: bool,
}

impl<'a> Model<'a> {
    fn of(program: &'a Program, schedule: &'a Schedule) -> Self {
        Model {
            program,
            schedule,
            memory: swept::memory(program, schedule),
            taken: Taken::of(program, schedule),
            waiting: true,
            waits: overlaid::waits(program, schedule),
            swept: swept::loading(program, schedule),
            packed: HashSet::default(),
            apart: false,
        }
    }

    fn nodes(&self, nodes: &[Node]) -> f64 {
        let (mut sum, mut rest) = (0.0, nodes);
        while let Some((node, others)) = rest.split_first() {
            match strided::copies(self.program, self.schedule, rest) {
                Some(copies)
                    if strided::are_together(self.program, self.schedule, node, &copies) =>
                {
                    sum += TRANSPOSED * copies.len() as f64;
                    rest = &rest[copies.iter().flatten().count()..];
                }
                _ => {
                    sum += self.node(node);
                    rest = others;
                }
            }
        }
        sum
    }

    fn node(&self, node: &Node) -> f64 {
        let part = self.taken.part_of_node(self.program, node);
        part * match node {
            Node::Loop(l) if matches!(l.steps, Steps::Skewed { .. }) => {
                self.nodes(&front::expanded(l))
            }
            Node::Loop(l) => {
                let masked = overlaid::masked(self.program, self.schedule, l);
                let length = steps(self.program, l);
                let together = (!self.apart).then_some(l);
                let steady = together.and_then(|l| overlapped::steady(self.schedule, l));
                let body = steady.as_ref().map_or(&l.body, |own| &own.body);
                let own = self.nodes(body) + LOOP + masked;
                length * own.max(overlaid::summed(self.program, self.schedule, l))
            }
            Node::Block(instances) => {
                let mut pressure = self.straight(instances);
                pressure.add(self.stored(instances), 1.0);
                let own = instances.iter().map(|own| own.equation);
                let waits = own.clone().filter_map(|at| self.waits.get(&at));
                let swept = own.filter_map(|at| self.swept.get(&at));
                let memory = swept.fold(self.memory, |most, swept| most.max(*swept));
                pressure
                    .cycles(memory)
                    .max(carried::waits(self.program, self.schedule, instances))
                    + waits.sum::<f64>()
            }
            Node::Reduction {
                instances,
                loops,
                chains,
            } => {
                let length: f64 = loops.iter().map(|i| self.length(*i)).product();
                let mut once = self.stored(instances);
                once.loads += once.stores;
                // A sum is a chain: its latency counts where there are few accumulators.
                let equations: Vec<usize> = instances.iter().map(|i| i.equation).collect();
                let chain = LATENCY * terms(self.program, &equations) as f64;
                let packed = equations.iter().all(|at| self.packed.contains(at));
                let memory = if packed { 1.0 } else { self.memory };
                let issued = self.straight(instances).cycles(memory);
                let waits = chain / issued.max(0.25);
                let own = chains::of((self.program, self.schedule), (instances, loops), waits);
                if !self.waiting && loops.iter().all(|index| self.program.is_constant(*index)) {
                    return length * issued + once.cycles(memory);
                }
                let body = issued.max(chain / own.max(*chains) as f64) + LOOP;
                length * body + once.cycles(memory) + 4.0
            }
            Node::CopyOut(copy) => self.copy(copy),
            // The copy itself counts.
            Node::Advance(_) => 0.0,
            Node::Zero(array) => self.elements(*array) / 2.0,
        }
    }

    fn length(&self, index: IndexId) -> f64 {
        if self.schedule.width > 1 && self.schedule.is_lane(index) {
            // Lanes are summed up in pairs.
            return (self.schedule.width as f64).log2();
        }
        nominal(self.program, &self.program.loop_index(index).extent) as f64
    }

    fn elements(&self, array: ArrayId) -> f64 {
        let storage = self.schedule.storage_of(array);
        storage.map_or(1.0, |storage| storage.likely(self.program, array) as f64)
    }

    fn copy(&self, copy: &CopyOut) -> f64 {
        let elements: f64 = copy.loops.iter().map(|i| self.length(*i)).product();
        let lanes = matches!(
            self.schedule.storage_of(copy.staged),
            Some(Storage::Memory { lanes: true, .. })
        );
        if !lanes {
            return elements * 1.5;
        }
        let plain = copy
            .target
            .subscripts
            .iter()
            .all(|s| s.as_index().is_some());
        // In registers: two shuffles, two loads, an addition and a store a vector of eight. One element a lane has none to
        // be transposed with.
        if plain && elements > 1.0 {
            let rows = (self.schedule.width as f64 / 8.0).max(1.0);
            // And a place, where a table has them.
            let places = if copy.places.is_some() { 0.5 } else { 0.0 };
            elements * (TRANSPOSED * rows + places)
        } else {
            elements * self.schedule.width as f64 * 1.5
        }
    }

    /// What storing the values of instances takes: results, and temporaries in memory.
    fn stored(&self, instances: &[Instance]) -> Pressure {
        let mut all = Pressure::default();
        for instance in instances {
            let equation = &self.program.equations[instance.equation];
            let mut pressure = Pressure::default();
            let storage = self.schedule.storage_of(equation.target.array);
            if storage.is_some_and(|storage| !matches!(storage, Storage::Memory { .. })) {
                continue;
            }
            let width = self.schedule.width as f64;
            match self.lie(&equation.target) {
                Lie::Together => pressure.stores += 1.0,
                Lie::Backwards => {
                    pressure.stores += 1.0;
                    pressure.shuffles += 1.0;
                }
                // One lane after the other is taken out of the vector.
                Lie::EveryOther | Lie::Stream { .. } | Lie::Apart | Lie::Mapped(_) => {
                    pressure.stores += width;
                    pressure.shuffles += width - 1.0;
                }
            }
            all.add(pressure, self.taken.part_of_store(self.program, equation));
        }
        all
    }

    /// Pressure of straight-line code: equal values once.
    fn straight(&self, instances: &[Instance]) -> Pressure {
        let mut seen = HashSet::default();
        let mut first = windows::Begun::of(self.program, self.schedule, instances);
        let mut pressure = Pressure::default();
        let mut room = still::ROOM;
        let rows = crossing::together(self.schedule, instances);
        for instance in instances {
            let equation = &self.program.equations[instance.equation];
            if !equation.reduction.is_empty() {
                let product = |expr| matches!(self.program.pool.get(expr), Expr::Product(_));
                // Products are fused into what they are added to.
                let fused = match self.program.pool.get(equation.expr) {
                    Expr::Sum(terms) => terms.iter().all(|term| product(term.expr)),
                    _ => product(equation.expr),
                };
                pressure.arithmetic += if fused { 0.0 } else { 1.0 };
            }
            for expr in first.unread(self.program, instance, &mut seen) {
                if room > 0 && still::is_kept((self.program, self.schedule), equation, expr) {
                    room -= 1;
                    continue;
                }
                pressure.add(self.value(expr, &rows), self.taken.part(expr));
                pressure.loads += first.across_lines(self.program, self.schedule, expr);
            }
        }
        pressure
    }

    /// What a value takes where iterations of some loops are `together`.
    fn value(&self, expr: ExprId, together: &[IndexId]) -> Pressure {
        let mut pressure = Pressure::default();
        match self.program.pool.get(expr) {
            Expr::Constant(_) => {}
            Expr::Access(access) => self.access(access, together, &mut pressure),
            Expr::Sum(terms) => {
                // Products are fused into the additions.
                let products = terms
                    .iter()
                    .filter(|t| matches!(self.program.pool.get(t.expr), Expr::Product(_)))
                    .count();
                pressure.arithmetic += (terms.len() - 1) as f64;
                pressure.arithmetic -= products.min(terms.len() - 1) as f64;
            }
            Expr::Product(factors) => {
                let up: i32 = factors.iter().map(|f| f.power.max(0)).sum();
                pressure.arithmetic += f64::from((up - 1).max(1));
                pressure.divisions += factors.iter().filter(|f| f.power < 0).count() as f64;
            }
            Expr::Call(Elementary::Sqrt, _) => pressure.divisions += 1.0,
            Expr::Call(function, operands) if machine::instructions(*function, 2).is_some() => {
                let instructions = machine::instructions(*function, operands.len());
                pressure.arithmetic += instructions.unwrap_or(0.0);
            }
            Expr::Call(function, _) => {
                let element = self.program.pool.element(expr);
                let lanes = functions::cost(self.program, *function, element);
                let one_by_one = (CALL * ARITHMETIC * self.schedule.width as f64, 0.0);
                let together = lanes.filter(|_| self.schedule.width > 1);
                let (arithmetic, divisions) = together.unwrap_or(one_by_one);
                pressure.arithmetic += arithmetic;
                pressure.divisions += divisions;
            }
            Expr::Cast(to, operand) => pressure = self.cast(*to, *operand),
            Expr::Compare(..) | Expr::Select(..) => pressure.arithmetic += 1.0,
        }
        pressure
    }

    /// A conversion: of vectors, or of integers that do not lie together, lane by lane.
    fn cast(&self, to: Element, operand: ExprId) -> Pressure {
        let mut pressure = Pressure::default();
        let Element::Integer(from) = self.program.pool.element(operand) else {
            pressure.arithmetic = integers::of_computed(self.program, operand, to);
            return pressure;
        };
        let width = self.schedule.width as f64;
        let read = integers::read(self.program, operand);
        match read.map(|access| self.lie(access)) {
            Some(lie @ (Lie::Together | Lie::Backwards | Lie::EveryOther | Lie::Stream { .. }))
                if self.schedule.width > 1 =>
            {
                let loaded = matches!(self.program.pool.get(operand), Expr::Access(_));
                let conversion = integers::conversion(from, to, loaded);
                pressure.arithmetic = conversion.arithmetic;
                pressure.shuffles = conversion.shuffles;
                // What was loaded backwards is reversed once it is a number.
                if lie == Lie::Backwards && !to.is_integer() {
                    pressure.shuffles += 1.0;
                }
            }
            _ if to.is_integer() => {}
            _ => pressure.arithmetic = width,
        }
        pressure
    }

    fn lie(&self, access: &Access) -> Lie {
        lie::of(self.program, self.schedule, access)
    }

    fn access(&self, access: &Access, together: &[IndexId], pressure: &mut Pressure) {
        if matches!(self.program.array(access.array).role, Role::Counting) {
            pressure.arithmetic += 1.0;
            return;
        }
        let storage = self.schedule.storage_of(access.array);
        if let Some(Storage::Register { .. } | Storage::Registers { .. }) = storage {
            pressure.shuffles += overlapped::shuffles(self.schedule, access);
            return;
        }
        match self.lie(access) {
            lie @ (Lie::Together | Lie::Backwards) => {
                if lie == Lie::Backwards && !self.program.array(access.array).element.is_integer() {
                    pressure.shuffles += 1.0;
                }
                // An entry of a table may say which element of a temporary.
                let places = access.subscripts.iter().filter(|s| s.is_mapped());
                let places = places.filter(|_| storage.is_some()).count();
                pressure.loads += 1.0 + places as f64;
            }
            Lie::EveryOther => {
                pressure.loads += 2.0;
                // Registers of 512 bits have one for any two.
                let bits = self.schedule.width * self.program.array(access.array).element.bits();
                pressure.shuffles += if bits < 512 { 2.0 } else { 1.0 };
            }
            Lie::Stream { count, wanted } => {
                let bits = self.program.array(access.array).element.bits();
                let registers = self.schedule.width * bits;
                let (shuffles, blends) = strided::shuffles(registers, bits, count);
                pressure.shuffles += shuffles;
                pressure.arithmetic += blends / 2.0;
                let parts = if registers == 256 { 2.0 } else { 1.0 };
                pressure.loads += parts * count as f64 / wanted as f64;
            }
            Lie::Apart => {
                let own = own_block::of_row(self.program, self.schedule, access);
                let row = own
                    .or_else(|| crossing::of_rows(self.program, self.schedule, access, together));
                match row {
                    Some(row) => pressure.add(row, 1.0),
                    None => self.lanes(Lie::Apart, pressure),
                }
            }
            lie @ Lie::Mapped(_) => self.lanes(lie, pressure),
        }
    }

    /// The lanes of a vector, one after the other.
    fn lanes(&self, lie: Lie, pressure: &mut Pressure) {
        let width = self.schedule.width as f64;
        pressure.loads += width;
        pressure.shuffles += width - 1.0;
        if let Lie::Mapped(maps) = lie {
            // Entries of the map, and their addresses, which loads of one number compute themselves.
            pressure.loads += width * maps as f64;
            if self.schedule.width > 1 {
                pressure.arithmetic += 2.0 * width * maps as f64;
            }
        }
    }
}
