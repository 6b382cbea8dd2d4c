//! The elements of a stream that are there: those of some of its components, of some of its lanes.
//!
//! ```text
//! stream:       a0 b0 c0 a1   b1 c1 a2 b2   c2 a3 b3 c3      three components of four lanes
//! there:        a0 b0    a1   b1    a2 b2                    of which two, and three lanes
//! ```
//! A loop's rest leaves out lanes, and what a text stores leaves out components. Both are one mask of each
//! register of the stream, under which it is loaded or stored: what is not there is neither read nor written.

use super::address::Order;
use super::parts::Part;
use super::printer::Printer;
use super::vector::{Unit, first_bits};
use crate::ir::Combining;

/// The elements of a stream that are there.
pub struct Elements {
    /// How many components the stream has.
    count: usize,
    /// Those that are there.
    components: Vec<usize>,
    /// Where the stream ends: behind the last component of the last lane.
    end: Places,
    /// Other elements up to the end are the lanes' own, and are stored as they are: what has been stored under a mask
    /// is loaded when it has arrived in the cache, and without mask registers masks are slow.
    others_held: bool,
}

/// How many elements there are up to a place.
#[derive(Clone)]
enum Places {
    Known(usize),
    /// A variable or an expression.
    Counted(String),
}

impl Elements {
    /// Some components of the lanes of a vector that are inside their loop.
    pub fn of(
        printer: &mut Printer,
        (count, components): (usize, &[usize]),
        width: usize,
        part: &Part,
    ) -> Elements {
        let known = |lanes: usize| Elements::known((count, components), lanes);
        let end = match part {
            Part::Whole => return known(width),
            Part::First(lanes) => return known(*lanes.min(&width)),
            Part::Counted { active, .. } => {
                let behind = behind(count, components);
                let end = format!("({active} * {count}).saturating_sub({behind})");
                Places::Counted(printer.name("end", &end))
            }
        };
        Elements {
            count,
            components: components.to_vec(),
            end,
            others_held: false,
        }
    }

    /// Some components of the records of all lanes of a vector, up to where the last record ends.
    pub fn of_records(components: &[usize], count: usize, width: usize) -> Elements {
        Elements {
            count,
            components: components.to_vec(),
            end: Places::Known(width * count),
            others_held: true,
        }
    }

    /// Those of so many lanes.
    fn known((count, components): (usize, &[usize]), lanes: usize) -> Elements {
        Elements {
            count,
            components: components.to_vec(),
            end: Places::Known((lanes * count).saturating_sub(behind(count, components))),
            others_held: false,
        }
    }

    /// How many elements of a register that begins at a place lie before the end.
    fn before_end(&self, at: usize, width: usize) -> Places {
        match &self.end {
            Places::Known(end) => Places::Known(end.saturating_sub(at).min(width)),
            Places::Counted(end) => Places::Counted(format!(
                "::core::cmp::Ord::min({end}.saturating_sub({at}), {width})"
            )),
        }
    }

    /// The pointer to a place: beyond the end there may be none, nor at a component that is missing.
    fn pointer(&self, first: &str, at: usize) -> String {
        match self.end {
            Places::Known(end) if at < end && self.components.contains(&0) => {
                format!("{first}.add({at})")
            }
            _ => format!("{first}.wrapping_add({at})"),
        }
    }

    /// The bits of a register that begins at a place where a component is there.
    fn bits(&self, at: usize, width: usize) -> u32 {
        let there = (0..width).filter(|slot| self.components.contains(&((at + slot) % self.count)));
        there.fold(0, |bits, slot| bits | 1 << slot)
    }
}

/// How many components are behind the last one that is there.
fn behind(count: usize, components: &[usize]) -> usize {
    components.iter().max().map_or(0, |last| count - 1 - last)
}

impl Unit {
    /// The unit for the part of a register that shuffles stay in: all, or 128 bits.
    pub fn part(&self) -> Unit {
        match self.bits() * self.width {
            512 => self.clone(),
            _ => Unit {
                width: 128 / self.bits(),
                prefix: "_mm",
                ..self.clone()
            },
        }
    }

    /// A register of a stream, up to its end. That of parts has the same part of the stream of each.
    pub fn load_elements(&self, elements: &Elements, number: usize, first: &str) -> String {
        let part = self.part();
        let at = |of: usize| (of * elements.count + number) * part.width;
        let loads: Vec<String> = (0..self.width / part.width)
            .map(|of| {
                part.load_before(
                    &elements.before_end(at(of), part.width),
                    &elements.pointer(first, at(of)),
                )
            })
            .collect();
        let whole = |of: usize| match elements.end {
            Places::Known(end) => at(of) + part.width <= end,
            Places::Counted(_) => false,
        };
        match loads.as_slice() {
            [low, high] if !(whole(0) && whole(1)) => {
                let suffix = if self.bits() == 64 { "d" } else { "" };
                format!("_mm256_set_m128{suffix}({high}, {low})")
            }
            [_, _] => self.of_two_parts(
                &elements.pointer(first, at(0)),
                &elements.pointer(first, at(1)),
            ),
            _ => loads.concat(),
        }
    }

    /// Some first elements of a register that shuffles stay in.
    fn load_before(&self, there: &Places, pointer: &str) -> String {
        match there {
            Places::Known(0) => self.zero(true),
            Places::Known(count) if *count == self.width => self.load(pointer),
            Places::Known(count) if self.is_512() => {
                self.masked_load(pointer, &self.constant_mask(*count, Order::Forwards))
            }
            Places::Known(count) => self.first_of_part(*count, pointer),
            Places::Counted(count) => self.masked_load(pointer, &self.mask(count, Order::Forwards)),
        }
    }

    /// The statement that stores, or combines with what is there, a register of a stream; `None` where nothing of it is
    /// there. What is not whole takes mask registers, or is stored with what is there already between.
    pub fn store_elements(
        &self,
        elements: &Elements,
        number: usize,
        (first, value): (&str, &str),
        accumulate: Option<Combining>,
    ) -> Option<String> {
        let at = number * self.width;
        let all = ((1u64 << self.width) - 1) as u32;
        let (bits, ty) = (elements.bits(at, self.width), self.width.max(8));
        let mask = match elements.before_end(at, self.width) {
            Places::Known(count) => match bits & ((1u64 << count) - 1) as u32 {
                0 => return None,
                bits if bits == all => None,
                bits => Some(format!("{bits:#b}u{ty}")),
            },
            Places::Counted(_) if bits == 0 => return None,
            Places::Counted(count) if bits == all => Some(self.mask(&count, Order::Forwards)),
            Places::Counted(count) => {
                let first = first_bits(self.width, &count);
                Some(format!("({first} & {bits:#b}) as __mmask{ty}"))
            }
        };
        let to = elements.pointer(first, at);
        if elements.others_held && mask.is_some() {
            let held = self.load(&to);
            let combine = |combining| self.combined(combining, true, &held, value);
            let value = accumulate.map_or(value.to_owned(), combine);
            let Unit { prefix, suffix, .. } = self;
            let whole = match self.is_512() {
                true => format!("{prefix}_mask_blend_{suffix}({bits:#b}u{ty}, {held}, {value})"),
                false => format!("{prefix}_blend_{suffix}::<{bits:#b}>({held}, {value})"),
            };
            return Some(self.store(&to, &whole));
        }
        let before = |combining| {
            let held = match &mask {
                Some(mask) => self.masked_load(&to, mask),
                None => self.load(&to),
            };
            self.combined(combining, true, &held, value)
        };
        let value = accumulate.map_or(value.to_owned(), before);
        Some(match &mask {
            Some(mask) => self.masked_store(&to, mask, &value),
            None => self.store(&to, &value),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Elements, Places};

    #[test]
    fn nothing_is_there_behind_the_last_component() {
        for width in [2, 4, 8, 16] {
            for (count, wanted) in (2..=12).flat_map(|count| (0..count).map(move |at| (count, at)))
            {
                for lanes in 1..=width {
                    let elements = Elements::known((count, &[wanted]), lanes);
                    let last = (lanes - 1) * count + wanted;
                    let ends = (0..count).map(|register| {
                        match elements.before_end(register * width, width) {
                            Places::Known(0) => 0,
                            Places::Known(there) => register * width + there,
                            Places::Counted(_) => usize::MAX,
                        }
                    });
                    assert_eq!(
                        ends.max(),
                        Some(last + 1),
                        "{width} {count} {wanted} {lanes}"
                    );
                }
            }
        }
    }
}
