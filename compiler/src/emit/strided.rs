//! Printing reads and writes of lanes that are a few elements apart: components of a stream, by the networks
//! that take it apart and put it together.
//!
//! Nothing is read before the first component of the first lane that the text reads, or behind the last one of
//! the last lane. What is stored, all of it, is what the text stores.

use super::address::{Address, Motion, Order};
use super::networks::{Network, Step, apart, together};
use super::parts::Part;
use super::printer::{Offsets, Printer, Scope};
use super::vector::Unit;
use crate::ir::{Access, Affine, Combining, Role};
use crate::schedule::own_block;
use crate::schedule::strided::{MOST, pays};

/// A stream that lanes read.
pub struct Stream {
    /// Of the first component.
    address: Address,
    /// How many components it has.
    count: usize,
    /// Those that may be read.
    there: Vec<usize>,
    /// The one that is wanted.
    component: usize,
}

impl Printer<'_> {
    /// The component of a stream of numbers that an access reads, one a lane, where that is less work than
    /// one element after the other.
    pub fn component(
        &mut self,
        scope: &mut Scope,
        access: &Access,
        address: &Address,
        offsets: &Offsets,
    ) -> Option<String> {
        let array = self.program.array(access.array);
        let (element, name) = (array.element, array.name.clone());
        if element.is_integer() {
            return None;
        }
        let unit = self.unit_of(element).clone();
        let stream = self.stream(access, address, offsets, &unit)?;
        let pointer = self.pointer(access.array);
        let first = self.at(scope, &pointer, &stream.address, offsets, Some(0));
        if !scope.streams.contains_key(&first) {
            let network = apart(unit.part_lanes(), stream.count, &stream.there);
            let values = self.taken_apart(&unit, &network, &first, &name);
            let mut components = vec![None; stream.count];
            for (component, value) in stream.there.iter().zip(values) {
                components[*component] = Some(value);
            }
            scope.streams.insert(first.clone(), components);
        }
        scope.streams[&first].get(stream.component)?.clone()
    }

    /// The stream that an access reads from, where whole vectors may be.
    pub fn stream(
        &mut self,
        access: &Access,
        address: &Address,
        offsets: &Offsets,
        unit: &Unit,
    ) -> Option<Stream> {
        let array = self.program.array(access.array);
        let there = matches!(array.role, Role::Parameter(_) | Role::Table(_));
        let Motion::Stride(apart) = self.motion(address) else {
            return None;
        };
        let count = usize::try_from(apart)
            .ok()
            .filter(|count| (2..=MOST).contains(count))?;
        let registers = unit.bits() * unit.width;
        if !there || !unit.is_full() || !address.turns.is_empty() || !self.covers(access) {
            return None;
        }
        let stream = match self.of_block(access, offsets, count) {
            Some(stream) => stream,
            None => self.of_equation(access, address, count),
        };
        let pays = pays(registers, unit.bits(), count, stream.there.len());
        (pays && self.part(offsets) == Part::Whole).then_some(stream)
    }

    /// The stream of blocks of which each lane has one: all of it is there.
    fn of_block(&self, access: &Access, offsets: &Offsets, count: usize) -> Option<Stream> {
        let shape = own_block(self.program, access, self.lane()?)?;
        if shape.iter().product::<usize>() != count {
            return None;
        }
        let component = self.place_in(access, &shape, offsets)?;
        let mut first = access.clone();
        first.subscripts[1..].fill(Affine::constant(0));
        Some(Stream {
            address: self.address(&first),
            count,
            there: (0..count).collect(),
            component,
        })
    }

    /// The stream of what the current equation reads.
    fn of_equation(&self, access: &Access, address: &Address, count: usize) -> Stream {
        let equation = &self.program.equations[self.equation];
        let accesses = self.program.pool.accesses([equation.expr]);
        let mut places: Vec<i64> = Vec::new();
        for (_, read) in &accesses {
            if read.array != access.array || !self.covers(read) {
                continue;
            }
            let other = self.address(read);
            if other.strided == address.strided && other.turns.is_empty() {
                places.extend(other.affine.sub(&address.affine).as_constant());
            }
        }
        places.sort_unstable();
        places.dedup();
        // From the first one on, as many as lie within a stream, then the next one.
        let mut first = 0;
        for place in &places {
            if *place <= 0 && (*place == places[0] || place - first >= count as i64) {
                first = *place;
            }
        }
        let near = places.iter().map(|place| place - first);
        let there = near.filter_map(|place| usize::try_from(place).ok());
        let mut start = address.clone();
        start.affine.constant += first;
        Stream {
            address: start,
            count,
            there: there.filter(|place| *place < count).collect(),
            component: usize::try_from(-first).unwrap_or_default(),
        }
    }

    /// The components of a stream that begins at a place.
    pub fn taken_apart(
        &mut self,
        unit: &Unit,
        network: &Network,
        first: &str,
        base: &str,
    ) -> Vec<String> {
        let mut registers = Vec::new();
        for (number, needed) in network.needed.iter().enumerate() {
            let text = unit.part_of_stream((number, *needed), network.inputs, first);
            registers.push(match needed {
                0 => String::new(),
                _ => self.name("near", &text),
            });
        }
        self.steps(unit, network, registers, base)
    }

    /// Stores components as the stream that they are, from a place on.
    pub fn put_together(
        &mut self,
        unit: &Unit,
        components: Vec<String>,
        pointer: &str,
        accumulate: Option<Combining>,
    ) {
        let count = components.len();
        let network = together(unit.part_lanes(), count);
        let registers = self.steps(unit, &network, components, "near");
        for register in 0..count {
            let value = match unit.bits() * unit.width {
                256 => {
                    let part = |at: usize| (&registers[at % count], at / count);
                    let text = unit.of_parts(part(2 * register), part(2 * register + 1));
                    self.name("stream", &text)
                }
                _ => registers[register].clone(),
            };
            let to = format!("{pointer}.add({})", register * unit.width);
            let value = match accumulate {
                Some(combining) => unit.combined(combining, true, &unit.load(&to), &value),
                None => value,
            };
            self.line(&unit.store(&to, &value));
        }
    }

    /// Prints the steps of a network; `base` is the name of what it gives.
    fn steps(
        &mut self,
        unit: &Unit,
        network: &Network,
        mut registers: Vec<String>,
        base: &str,
    ) -> Vec<String> {
        for (at, step) in network.steps.iter().enumerate() {
            let last = network.outputs.contains(&(network.inputs + at));
            let text = unit.step(step, &registers);
            registers.push(self.name(if last { base } else { "mixed" }, &text));
        }
        let outputs = network.outputs.iter();
        outputs.map(|output| registers[*output].clone()).collect()
    }
}

impl Unit {
    /// Whether lanes fill a register that there is.
    pub fn is_full(&self) -> bool {
        match self.bits() * self.width {
            128 | 256 => true,
            512 => self.has_masks(),
            _ => false,
        }
    }

    /// Lanes of a part that shuffles stay in: all, or those of 128 bits.
    pub fn part_lanes(&self) -> usize {
        match self.bits() * self.width {
            512 => self.width,
            _ => 128 / self.bits(),
        }
    }

    /// A register of a stream of so many, of which the first lanes are needed. That of parts has the same
    /// part of the stream of each.
    fn part_of_stream(
        &self,
        (number, needed): (usize, usize),
        count: usize,
        first: &str,
    ) -> String {
        let lanes = self.part_lanes();
        let at = |part: usize| format!("{first}.add({})", (part * count + number) * lanes);
        match (self.width / lanes, needed == lanes) {
            (1, true) => self.load(&at(0)),
            (1, false) if self.bits() * self.width == 512 => {
                let mask = self.constant_mask(needed, Order::Forwards);
                self.masked_load(&at(0), &mask)
            }
            (1, false) => self.first_of_part(needed, &at(0)),
            (_, true) => self.of_two_parts(&at(0), &at(1)),
            (_, false) => {
                let [low, high] = [0, 1].map(|part| self.first_of_part(needed, &at(part)));
                let suffix = if self.bits() == 64 { "d" } else { "" };
                format!("_mm256_set_m128{suffix}({high}, {low})")
            }
        }
    }

    /// The first elements of 128 bits, no more than are needed.
    pub(super) fn first_of_part(&self, needed: usize, pointer: &str) -> String {
        let two = || format!("_mm_castpd_ps(_mm_load_sd(({pointer}).cast::<f64>()))");
        match (self.bits(), needed) {
            (64, _) => format!("_mm_load_sd({})", self.at(pointer)),
            (_, 1) => format!("_mm_load_ss({})", self.at(pointer)),
            (_, 2) => two(),
            _ => {
                let last = self.at(&format!("({pointer}).add(2)"));
                format!("_mm_movelh_ps({}, _mm_load_ss({last}))", two())
            }
        }
    }

    /// A register of a part of one and a part of another.
    fn of_parts(&self, (a, low): (&String, usize), (b, high): (&String, usize)) -> String {
        let suffix = if self.bits() == 64 { "pd" } else { "ps" };
        match (low, high, self.bits()) {
            (0, 1, 64) => format!("_mm256_blend_pd::<0b1100>({a}, {b})"),
            (0, 1, _) => format!("_mm256_blend_ps::<0xf0>({a}, {b})"),
            _ => {
                let parts = low | (2 + high) << 4;
                format!("_mm256_permute2f128_{suffix}::<{parts:#x}>({a}, {b})")
            }
        }
    }

    /// A step of a network.
    fn step(&self, step: &Step, registers: &[String]) -> String {
        let whole = self.bits() * self.width == 512;
        match step {
            Step::Blend(a, b, second) => {
                let (a, b) = (&registers[*a], &registers[*b]);
                let bits = second
                    .iter()
                    .rev()
                    .fold(0u32, |bits, set| bits << 1 | u32::from(*set));
                if whole {
                    let ty = if self.width == 16 { "u16" } else { "u8" };
                    return format!("{}({bits:#b}{ty}, {a}, {b})", self.name("mask_blend"));
                }
                // The same in each part.
                let lanes = self.part_lanes();
                let parts = self.width / lanes;
                let bits = (0..parts).fold(0, |all, part| all | bits << (part * lanes));
                format!("{}::<{bits:#b}>({a}, {b})", self.name("blend"))
            }
            Step::Permute(a, from) => match whole {
                true => {
                    let from = self.lanes_of(from);
                    format!("{}({from}, {})", self.name("permutexvar"), registers[*a])
                }
                false => {
                    let from = immediate(from, 2);
                    format!("{}::<{from:#x}>({})", self.name("permute"), registers[*a])
                }
            },
            Step::Two(a, b, from) => {
                let (a, b) = (&registers[*a], &registers[*b]);
                match (whole, from.as_slice()) {
                    (true, _) => {
                        let from = self.lanes_of(from);
                        format!("{}({a}, {from}, {b})", self.name("permutex2var"))
                    }
                    (false, [0, 4, 1, 5]) => format!("{}({a}, {b})", self.name("unpacklo")),
                    (false, [2, 6, 3, 7]) => format!("{}({a}, {b})", self.name("unpackhi")),
                    (false, [first, second]) => {
                        let each = first | (second - 2) << 1;
                        let parts = self.width / 2;
                        let all = (0..parts).fold(0, |all, part| all | each << (2 * part));
                        format!("{}::<{all:#b}>({a}, {b})", self.name("shuffle"))
                    }
                    (false, from) => {
                        let lanes: Vec<usize> = from.iter().map(|lane| lane % 4).collect();
                        let from = immediate(&lanes, 2);
                        format!("{}::<{from:#x}>({a}, {b})", self.name("shuffle"))
                    }
                }
            }
        }
    }

    /// Lanes as a register.
    fn lanes_of(&self, from: &[usize]) -> String {
        let numbers: Vec<String> = from.iter().map(ToString::to_string).collect();
        format!("_mm512_setr_epi{}({})", self.bits(), numbers.join(", "))
    }
}

/// Lanes as an instruction's own number, of so many bits each.
fn immediate(lanes: &[usize], bits: usize) -> usize {
    lanes.iter().rev().fold(0, |all, lane| all << bits | lane)
}
