//! Parts of vectors: the lanes that are inside of a loop.

use super::address::Order;
use super::printer::Printer;
use super::variant::integer_name;
use super::vector::Unit;
use crate::ir::{Combining, Element, Extent};
use crate::schedule::tree::{Offsets, offset};

/// Which lanes of a vector lie inside the loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// All.
    Whole,
    /// The first ones; their number is known.
    First(usize),
    /// The first ones: the names of their number and of the mask.
    Counted {
        /// Their number.
        active: String,
        /// The mask.
        mask: String,
    },
}

impl Printer<'_> {
    /// Which lanes of a vector at these offsets are inside the loop over them.
    pub fn part(&mut self, offsets: &Offsets) -> Part {
        let Some(lane) = self.lane() else {
            return Part::Whole;
        };
        let width = self.unit.width;
        let offset = offset(offsets, lane);
        let n = match self.program.loop_index(lane).extent {
            Extent::RunTime(_) => {
                let own = self.along.get(&lane).unwrap_or(&self.active);
                return match own.get(offset / width) {
                    Some((active, mask)) => Part::Counted {
                        active: active.clone(),
                        mask: mask.clone(),
                    },
                    None => Part::Whole,
                };
            }
            Extent::Constant(n) => n,
        };
        let (first, last) = match (self.around.is_open(lane), self.ranges.get(&lane)) {
            (false, _) => (offset, offset),
            (true, Some((first, last))) => (first + offset, last + offset),
            (true, None) => (offset, usize::MAX - width),
        };
        if last + width <= n {
            return Part::Whole;
        }
        if first == last {
            return Part::First(n.saturating_sub(first));
        }
        let name = self.names[&lane].clone();
        let active = self.name(
            "active",
            &format!(
                "::core::cmp::Ord::min({n}usize.saturating_sub({name} + {offset}), {width}usize)"
            ),
        );
        let mask = self.unit.mask(&active, Order::Forwards);
        let mask = self.name("mask", &mask);
        Part::Counted { active, mask }
    }

    /// The mask of a part of a vector, for an element type and an order in memory.
    pub fn mask(&self, (active, mask): (&str, &str), element: Element, order: Order) -> String {
        let unit = self.unit_of(element);
        match unit.bits() == self.unit.bits() && order == Order::Forwards {
            true => mask.to_owned(),
            false => unit.mask(active, order),
        }
    }
}

impl Unit {
    /// Load of neighbours whose lanes are the first ones; others are zero. Where these fill smaller registers they are loaded
    /// as such: a load under a mask waits until what was stored a moment ago is in the cache, as the small matrix is that
    /// products are added to. Of long registers LLVM would take the zeros into account at every operation.
    pub fn load_first(&self, (count, order): (usize, Order), pointer: &str) -> String {
        let (suffix, all) = (self.suffix, self.width * self.bits());
        let widened = |bits: usize, part: String| match bits == all {
            true => part,
            false => format!("{}_zext{suffix}{bits}_{suffix}{all}({part})", self.prefix),
        };
        let part = |bits: usize, pointer: &str| {
            let prefix = if bits == 128 { "_mm" } else { "_mm256" };
            widened(
                bits,
                format!("{prefix}_loadu_{suffix}({})", self.at(pointer)),
            )
        };
        match (order, count * self.bits(), all) {
            _ if self.bits() < 32 => self.masked_load(pointer, &self.constant_mask(count, order)),
            (_, _, 512) => self.masked_load(pointer, &self.constant_mask(count, order)),
            (Order::Forwards, ..128, _) => widened(128, self.first_of_part(count, pointer)),
            (Order::Forwards, bits @ (128 | 256), _) => part(bits, pointer),
            (Order::Forwards, 192, 256) if self.bits() == 64 => {
                let last = self.first_of_part(1, &format!("{pointer}.add(2)"));
                format!("_mm256_insertf128_pd::<1>({}, {last})", part(128, pointer))
            }
            _ => self.masked_load(pointer, &self.constant_mask(count, order)),
        }
    }

    /// Store of neighbours whose lanes are the first ones, by way of an array of that name. A store under a
    /// mask would make the processor wait that next loads what follows in memory, though other lanes
    /// were masked out.
    pub fn store_first(
        &self,
        (count, order): (usize, Order),
        pointer: &str,
        value: &str,
        lanes: &str,
    ) -> String {
        let (array, from, to) = self.in_array(&count.to_string(), order, (pointer, value, lanes));
        format!("{{ {array} ::core::ptr::copy_nonoverlapping({from}, {to}, {count}); }}")
    }

    /// Store of neighbours whose lanes are the first `active` ones. Without mask registers a store under a mask is
    /// slow on some processors, and with them loads `again` of what follows in memory wait for it, as those of the next row
    /// do: parts of half the lanes, a quarter, and so on are stored where they are needed.
    pub fn store_counted(
        &self,
        (active, mask): (&str, &str),
        (order, again): (Order, bool),
        (pointer, value, lanes): (&str, &str, &str),
    ) -> String {
        if self.has_masks() && !again {
            return self.masked_store(pointer, mask, value);
        }
        let in_registers = matches!(self.width * self.bits(), 128 | 256 | 512) && self.bits() >= 32;
        if order == Order::Forwards && in_registers {
            return self.store_halves(active, (pointer, value, lanes));
        }
        let (array, from, to) = self.in_array(active, order, (pointer, value, lanes));
        let mut text = format!("{array} let (mut {lanes}_from, mut {lanes}_to) = ({from}, {to});");
        let mut count = self.width / 2;
        while count > 0 {
            let next = match count {
                1 => String::new(),
                _ => format!(
                    " {lanes}_from = {lanes}_from.wrapping_add({count}); \
                     {lanes}_to = {lanes}_to.wrapping_add({count});"
                ),
            };
            text.push_str(&format!(
                " if {active} & {count} != 0 {{ \
                 ::core::ptr::copy_nonoverlapping({lanes}_from, {lanes}_to, {count});{next} }}"
            ));
            count /= 2;
        }
        text
    }

    /// The same out of registers: the lower half of what is left is stored, and the upper one takes its place. By way of
    /// memory it takes longer than the row does that it ends.
    fn store_halves(&self, active: &str, (pointer, value, lanes): (&str, &str, &str)) -> String {
        let mut text = format!("let (mut {lanes}_to, mut {lanes}_left) = ({pointer}, {value});");
        let mut bits = self.width * self.bits();
        let mut count = self.width / 2;
        while count > 0 {
            let [lower, upper] = self.halves(bits, count, &format!("{lanes}_left"));
            let to = format!("{lanes}_to.cast()");
            let store = match count * self.bits() {
                256 => format!("_mm256_storeu_{}({to}, {lower})", self.suffix),
                128 => format!("_mm_storeu_{}({to}, {lower})", self.suffix),
                64 if count > 1 => format!("_mm_storel_epi64({to}, _mm_castps_si128({lower}))"),
                64 => format!("_mm_store_sd({to}, {lower})"),
                _ => format!("_mm_store_ss({to}, {lower})"),
            };
            let next = match count {
                1 => String::new(),
                _ => format!(
                    " {lanes}_left = {upper}; {lanes}_to = {lanes}_to.wrapping_add({count});"
                ),
            };
            text.push_str(&format!(" if {active} & {count} != 0 {{ {store};{next} }}"));
            if count > 1 && bits > 128 {
                bits /= 2;
                let cast = self.lower(2 * bits, &format!("{lanes}_left"));
                text.push_str(&format!(" let mut {lanes}_left = {cast};"));
            }
            count /= 2;
        }
        text
    }

    /// The upper half of a register, as one of half the bits.
    fn upper(&self, bits: usize, a: &str) -> String {
        match (bits, self.bits()) {
            (512, 64) => format!("_mm512_extractf64x4_pd::<1>({a})"),
            (512, _) => format!("_mm512_extractf32x8_ps::<1>({a})"),
            _ => format!("_mm256_extractf128_{}::<1>({a})", self.suffix),
        }
    }

    /// The lower half of a register of so many bits.
    fn lower(&self, bits: usize, a: &str) -> String {
        let (suffix, half) = (self.suffix, bits / 2);
        let prefix = if bits == 512 { "_mm512" } else { "_mm256" };
        format!("{prefix}_cast{suffix}{bits}_{suffix}{half}({a})")
    }

    /// All lanes of a register combined to one value: the upper half of it with the lower one, until one lane is left.
    /// `name` binds what is computed on the way.
    pub fn across(
        &self,
        combining: Combining,
        value: String,
        mut name: impl FnMut(&str) -> String,
    ) -> String {
        let (mut unit, mut held) = (self.clone(), value);
        while unit.register() > 128 {
            let bits = unit.register();
            let (lower, upper) = (unit.lower(bits, &held), unit.upper(bits, &held));
            let lower = name(&lower);
            unit = unit.half();
            held = name(&unit.combined(combining, true, &lower, &upper));
        }
        let moved: &[&str] = match unit.width {
            4 => &["_mm_movehl_ps({0}, {0})", "_mm_movehdup_ps({0})"],
            _ => &["_mm_unpackhi_pd({0}, {0})"],
        };
        for moved in moved {
            let upper = moved.replace("{0}", &held);
            held = name(&unit.combined(combining, true, &held, &upper));
        }
        unit.first(&held)
    }

    /// The first lane of a register of 128 bits.
    fn first(&self, a: &str) -> String {
        let text = match (self.word, self.bits()) {
            (None, 64) => return format!("_mm_cvtsd_f64({a})"),
            (None, _) => return format!("_mm_cvtss_f32({a})"),
            (Some(_), 64) => format!("_mm_cvtsi128_si64({})", self.whole_register(a)),
            (Some(_), _) => format!("_mm_cvtsi128_si32({})", self.whole_register(a)),
        };
        format!(
            "::core::num::Wrapping({text} as {})",
            integer_name(self.ty())
        )
    }

    /// What is stored of a register whose first lanes are so many, and a register that begins with the ones after them.
    fn halves(&self, bits: usize, count: usize, a: &str) -> [String; 2] {
        let whole = |upper: String| match (bits, self.bits()) {
            (512, 64) => format!("_mm512_castpd256_pd512({upper})"),
            (512, _) => format!("_mm512_castps256_ps512({upper})"),
            (_, 64) => format!("_mm256_castpd128_pd256({upper})"),
            _ => format!("_mm256_castps128_ps256({upper})"),
        };
        match (bits, self.bits()) {
            (256 | 512, _) => [self.lower(bits, a), whole(self.upper(bits, a))],
            (_, 64) => [a.to_owned(), format!("_mm_unpackhi_pd({a}, {a})")],
            _ if count == 2 => [a.to_owned(), format!("_mm_movehl_ps({a}, {a})")],
            _ => [a.to_owned(), String::new()],
        }
    }

    /// A value in an array; the pointers to the first of so many neighbours there, and in memory.
    fn in_array(
        &self,
        count: &str,
        order: Order,
        (pointer, value, lanes): (&str, &str, &str),
    ) -> (String, String, String) {
        let (zero, width, alias) = (self.zero(false), self.width, super::ALIAS);
        let store = self.store(&format!("{lanes}.0.as_mut_ptr()"), value);
        // Parts of what is stored across two lines of the cache would be loaded when it has arrived there.
        let array = format!("let mut {lanes} = {alias}::Aligned([{zero}; {width}]); {store}");
        let (from, to) = match order {
            Order::Forwards => (format!("{lanes}.0.as_ptr()"), pointer.to_owned()),
            Order::Backwards => (
                format!("{lanes}.0.as_ptr().add({width} - {count})"),
                format!("{pointer}.wrapping_add({width} - {count})"),
            ),
        };
        (array, from, to)
    }

    /// A register of 256 bits from two places.
    pub fn of_two_parts(&self, low: &str, high: &str) -> String {
        let suffix = if self.bits() == 64 { "d" } else { "" };
        format!(
            "_mm256_loadu2_m128{suffix}({}, {})",
            self.at(high),
            self.at(low)
        )
    }

    /// A register of 512 bits of two of 256.
    pub fn of_two_halves(&self, low: &str, high: &str) -> String {
        match self.bits() {
            64 => format!("_mm512_insertf64x4::<1>(_mm512_castpd256_pd512({low}), {high})"),
            _ => format!("_mm512_insertf32x8::<1>(_mm512_castps256_ps512({low}), {high})"),
        }
    }

    /// The last lanes of a register, and after them the first ones of another: so many of the first register's are
    /// left out.
    pub fn joined(&self, [low, high]: [&str; 2], by: usize) -> Option<String> {
        let (bits, bytes) = (self.bits(), self.bits() / 8);
        let kind = if bits == 64 { "pd" } else { "ps" };
        Some(match self.width * bits {
            512 if bits < 32 => {
                // Each part of 128 bits is shifted out of itself and the next one.
                let [low, high] = [low, high].map(|a| self.whole_register(a));
                let parts = by * bytes / 16;
                let [near, next] = [parts, parts + 1].map(|parts| match parts {
                    0 => low.clone(),
                    4 => high.clone(),
                    _ => format!("_mm512_alignr_epi32::<{}>({high}, {low})", 4 * parts),
                });
                let within = by * bytes % 16;
                self.of_whole_register(&format!("_mm512_alignr_epi8::<{within}>({next}, {near})"))
            }
            512 => format!(
                "_mm512_castsi512_{kind}(_mm512_alignr_epi{bits}::<{by}>(\
                 _mm512_cast{kind}_si512({high}), _mm512_cast{kind}_si512({low})))"
            ),
            256 => {
                // The upper half of one and the lower half of the other.
                let middle = format!("_mm256_permute2f128_{kind}::<0x21>({low}, {high})");
                let half = self.width / 2;
                let shifted = |above: &str, below: &str, by: usize| {
                    format!(
                        "_mm256_castsi256_{kind}(_mm256_alignr_epi8::<{}>(\
                         _mm256_cast{kind}_si256({above}), _mm256_cast{kind}_si256({below})))",
                        by * bytes
                    )
                };
                match by.cmp(&half) {
                    std::cmp::Ordering::Less => shifted(&middle, low, by),
                    std::cmp::Ordering::Equal => middle,
                    std::cmp::Ordering::Greater => shifted(high, &middle, by - half),
                }
            }
            _ => return None,
        })
    }

    /// The lanes from the last one to the first, if the register is full.
    pub fn reversed(&self, a: &str) -> Option<String> {
        let last_first = |make: &str| {
            let lanes = (0..self.width).rev().map(|lane| lane.to_string());
            format!("{make}({})", lanes.collect::<Vec<_>>().join(", "))
        };
        Some(match (self.width, self.bits()) {
            (8, 64) => {
                let places = last_first("_mm512_setr_epi64");
                format!("_mm512_permutexvar_pd({places}, {a})")
            }
            (16, 32) => {
                let places = last_first("_mm512_setr_epi32");
                format!("_mm512_permutexvar_ps({places}, {a})")
            }
            (4, 64) => format!("_mm256_permute4x64_pd::<0x1b>({a})"),
            (8, 32) => {
                let places = last_first("_mm256_setr_epi32");
                format!("_mm256_permutevar8x32_ps({a}, {places})")
            }
            (2, 64) => format!("_mm_permute_pd::<0b01>({a})"),
            (4, 32) => format!("_mm_permute_ps::<0x1b>({a})"),
            (_, 8 | 16) => return self.few_bits_reversed(a),
            _ => return None,
        })
    }
}
