//! Printing reads and writes of lanes that are a few elements apart: components of a stream, by the networks
//! that take it apart and put it together.
//!
//! Nothing is read before the first component of the first lane that the text reads, or behind the last one of
//! the last lane. What is stored is what the text stores, and nothing between.

use super::address::{Address, Motion};
use super::elements::Elements;
use super::networks::{Network, Step, apart, together};
use super::parts::Part;
use super::printer::{Printer, Scope};
use super::vector::Unit;
use crate::ir::{Access, Affine, Combining};
use crate::schedule::own_block;
use crate::schedule::strided::{MOST, is_numbers, pays};
use crate::schedule::tree::Offsets;

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
        let unit = self.unit_of(element).clone();
        let stream = self.stream(access, address, offsets, &unit)?;
        let pointer = self.pointer(access.array);
        let first = self.at(scope, &pointer, &stream.address, offsets, Some(0));
        let key = (self.program.viewed(access.array), stream.count, first);
        let known = scope.streams.get(&key);
        let known = known.and_then(|components| components[stream.component].clone());
        if known.is_some() {
            return known;
        }
        let part = self.part(offsets);
        let (count, there) = (stream.count, &stream.there);
        // Two loads that end with the last lane's element take less than parts of a register.
        let alone = count == 2 && there.len() == 1 && unit.has_every_other();
        if alone && part == Part::Whole {
            return None;
        }
        let elements = Elements::of(self, (count, there), unit.width, &part);
        let values = match self.wide(&unit, count) {
            Some(wide) => self.halves(&wide, (count, there), (&elements, &key.2), &name),
            None => {
                let network = apart(unit.part().width, count, there);
                self.taken_apart(&unit, &network, (&elements, &key.2), &name)
            }
        };
        let mut components = vec![None; count];
        for (component, value) in there.iter().zip(values) {
            components[*component] = value;
        }
        let wanted = components[stream.component].clone();
        scope.streams.insert(key, components);
        wanted
    }

    /// The stream that an access reads from, where taking it apart is less work.
    pub fn stream(
        &mut self,
        access: &Access,
        address: &Address,
        offsets: &Offsets,
        unit: &Unit,
    ) -> Option<Stream> {
        let Motion::Stride(apart) = self.motion(address) else {
            return None;
        };
        let count = usize::try_from(apart)
            .ok()
            .filter(|count| (2..=MOST).contains(count))?;
        let registers = unit.bits() * unit.width;
        // Where lanes have few bits, others are not read so.
        let element = self.program.array(access.array).element;
        let there = is_numbers(self.program, access.array) && element.bits() == unit.bits();
        if !there || !unit.is_full() || !address.turns.is_empty() || !self.covers(access) {
            return None;
        }
        let stream = match self.of_block(access, offsets, count) {
            Some(stream) => stream,
            None => self.of_equations(access, address, count),
        };
        let every_other = stream.there.len() == 1 && count == 2 && unit.has_every_other();
        let pays = every_other || pays(registers, unit.bits(), count, stream.there.len());
        pays.then_some(stream)
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

    /// The stream of what equations read, wherever the current one is evaluated.
    fn of_equations(&self, access: &Access, address: &Address, count: usize) -> Stream {
        let equations = self.program.equations.iter();
        let accesses = self
            .program
            .pool
            .accesses(equations.map(|equation| equation.expr));
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

    /// The unit for whole registers of what fills half of one with a lane each, of streams of no more components than
    /// four of them hold.
    fn wide(&self, unit: &Unit, count: usize) -> Option<Unit> {
        let registers = |unit: &Unit| unit.bits() * unit.width;
        let half = self.unit.is_512() && registers(unit) == 256;
        (half && registers(unit) * count <= 4 * 512).then(|| Unit {
            width: 512 / unit.bits(),
            prefix: "_mm512",
            ..unit.clone()
        })
    }

    /// The components of a stream of half as many lanes as a whole register has: each by one shuffle of any two of the
    /// registers that hold the stream, and a blend. Of shuffles of smaller ones LLVM makes others, and more of them.
    fn halves(
        &mut self,
        wide: &Unit,
        (count, there): (usize, &[usize]),
        (elements, first): (&Elements, &str),
        base: &str,
    ) -> Vec<Option<String>> {
        let (lanes, width) = (wide.width / 2, wide.width);
        let near = (0..(count * lanes).div_ceil(width)).map(|number| {
            let text = wide.load_elements(elements, number, first);
            self.name("near", &text)
        });
        let near: Vec<String> = near.collect();
        let components = there.iter().map(|component| {
            let place = |lane: usize| lane % lanes * count + component;
            let mut whole = String::new();
            for (pair, registers) in near.chunks(2).enumerate() {
                let from = (0..width).map(|lane| place(lane) % (2 * width));
                let from = wide.lanes_of(&from.collect::<Vec<_>>());
                let shuffled = match registers {
                    [a, b] => format!("{}({a}, {from}, {b})", wide.name("permutex2var")),
                    _ => format!("{}({from}, {})", wide.name("permutexvar"), registers[0]),
                };
                let own = (0..lanes).filter(|lane| place(*lane) / (2 * width) == pair);
                let own = own.fold(0_u32, |bits, lane| bits | 1 << lane);
                whole = match pair {
                    0 => shuffled,
                    _ => {
                        let mixed = self.name("mixed", &shuffled);
                        let blend = wide.name("mask_blend");
                        format!("{blend}({own:#b}u{width}, {whole}, {mixed})")
                    }
                };
                whole = self.name("mixed", &whole);
            }
            let suffix = wide.suffix;
            let half = format!("_mm512_cast{suffix}512_{suffix}256({whole})");
            Some(self.name(base, &half))
        });
        components.collect()
    }

    /// The components of a stream that begins at a place.
    pub fn taken_apart(
        &mut self,
        unit: &Unit,
        network: &Network,
        (elements, first): (&Elements, &str),
        base: &str,
    ) -> Vec<Option<String>> {
        let needed = network.needed.iter().enumerate();
        let registers = needed.map(|(number, needed)| match needed {
            false => String::new(),
            true => {
                let text = unit.load_elements(elements, number, first);
                self.name("near", &text)
            }
        });
        let registers = registers.collect();
        self.steps(unit, network, registers, base)
    }

    /// Stores components as the stream that they are, from a place on, for the lanes of a part. In records the lanes
    /// have what lies between, too.
    pub fn put_together(
        &mut self,
        unit: &Unit,
        components: Vec<Option<String>>,
        (pointer, part, records): (&str, &Part, bool),
        accumulate: Option<Combining>,
    ) {
        let count = components.len();
        let there = (0..count).filter(|component| components[*component].is_some());
        let there: Vec<usize> = there.collect();
        let network = together(unit.part().width, count, &there);
        let elements = match records && *part == Part::Whole {
            true => Elements::of_records(&there, count, unit.width),
            false => Elements::of(self, (count, &there), unit.width, part),
        };
        let components = components.into_iter().map(Option::unwrap_or_default);
        let registers = self.steps(unit, &network, components.collect(), "near");
        for register in 0..count {
            let value = match unit.bits() * unit.width {
                256 => {
                    let part = |at: usize| registers[at % count].as_ref().map(|r| (r, at / count));
                    let (low, high) = (part(2 * register), part(2 * register + 1));
                    let parts = low.or(high).zip(high.or(low));
                    let text = parts.map(|(low, high)| unit.of_parts(low, high));
                    text.map(|text| self.name("stream", &text))
                }
                _ => registers[register].clone(),
            };
            let Some(value) = value else { continue };
            let stored = unit.store_elements(&elements, register, (pointer, &value), accumulate);
            if let Some(stored) = stored {
                self.line(&stored);
            }
        }
    }

    /// Prints the steps of a network; `base` is the name of what it gives.
    fn steps(
        &mut self,
        unit: &Unit,
        network: &Network,
        mut registers: Vec<String>,
        base: &str,
    ) -> Vec<Option<String>> {
        for (at, step) in network.steps.iter().enumerate() {
            let last = network.outputs.contains(&Some(network.inputs + at));
            let text = unit.step(step, &registers);
            registers.push(self.name(if last { base } else { "mixed" }, &text));
        }
        let outputs = network.outputs.iter();
        outputs
            .map(|output| output.map(|output| registers[output].clone()))
            .collect()
    }
}

impl Unit {
    /// Whether lanes of 32 bits or 64 fill a register that there is.
    pub fn is_full(&self) -> bool {
        match self.bits() * self.width {
            _ if self.bits() < 32 => false,
            128 | 256 => true,
            512 => self.has_masks(),
            _ => false,
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
                let lanes = self.part().width;
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
