//! Vectors of integers: loads of neighbours, conversions between integer types, and conversions to
//! floating point, which are rounded once, as `as` rounds.
//!
//! Integers of up to 32 bits stand in lanes of 32 bits, extended as their type says; those of 64 bits in
//! lanes of 64, in two registers where one does not hold as many lanes as the numbers have that they
//! become. AVX2 lacks conversions of some types: there the bits of an integer, or of its halves, are
//! those of the mantissa of a number with a known exponent, from which the power of two is subtracted.

use super::address::Order;
use super::neighbours::Neighbours;
use super::parts::Part;
use super::printer::Printer;
use super::variant::integer_name;
use super::vector::first_bits;
use crate::ir::Element;
use crate::syntax::ast::IntegerType;

/// Lanes of integers of one type.
pub struct Integers {
    /// Their type.
    pub ty: IntegerType,
    /// The registers, by name: one of lanes of 32 bits, or those of lanes of 64 bits.
    pub registers: Vec<String>,
}

/// The prefix of intrinsics for registers of that many bits.
pub(super) fn prefix(bits: usize) -> &'static str {
    match bits {
        512.. => "_mm512",
        256.. => "_mm256",
        _ => "_mm",
    }
}

/// The letter for signed and for unsigned integers.
fn letter(ty: IntegerType) -> &'static str {
    if ty.is_signed() { "i" } else { "u" }
}

impl Printer<'_> {
    /// Bits of the lanes that hold integers of a type: fewer than 32 where all that is computed with fits.
    fn lane_bits(&self, ty: IntegerType) -> usize {
        if ty.bits() == 64 {
            64
        } else {
            self.unit.bits().min(32)
        }
    }

    /// Neighbours, in the order of memory; those outside of the part are not read, and zero.
    pub fn load_integers(&mut self, ty: IntegerType, from: &Neighbours) -> Integers {
        let (width, bits) = (self.unit.width, ty.bits() as usize);
        let count = match &from.part {
            Part::Whole => None,
            Part::First(count) => Some(count.to_string()),
            Part::Counted { active, .. } => Some(active.clone()),
        };
        let mut pointer = from.pointer.clone();
        let mask = count.as_ref().map(|count| match from.order {
            Order::Forwards => first_bits(width, count),
            Order::Backwards => format!("({} << ({width} - {count}))", first_bits(width, count)),
        });
        if let (Some(count), false) = (&count, self.unit.has_masks()) {
            pointer = self.in_room(ty, from, count);
        }
        let mask = mask.filter(|_| self.unit.has_masks());
        if bits < 64 {
            let read = self.together((bits, width * bits), &pointer, mask.as_deref());
            let lane = self.lane_bits(ty);
            let text = match bits == lane {
                true => read,
                false => {
                    let prefix = prefix(width * lane);
                    format!("{prefix}_cvtep{}{bits}_epi{lane}({read})", letter(ty))
                }
            };
            let registers = vec![self.name("integers", &text)];
            return Integers { ty, registers };
        }
        let lanes = self.unit.wide_lanes();
        let registers = (0..width).step_by(lanes).map(|first| {
            let pointer = match first {
                0 => pointer.clone(),
                _ => format!("{pointer}.add({first})"),
            };
            let mask = mask.as_ref().map(|mask| match first {
                0 => mask.clone(),
                _ => format!("({mask} >> {first})"),
            });
            let read = self.together((64, lanes * 64), &pointer, mask.as_deref());
            self.name("integers", &read)
        });
        let registers = registers.collect();
        Integers { ty, registers }
    }

    /// Elements of 8 or 16 bits in steps of 32, as those of one of two channels are: fields of lanes of 32 bits. One half of the
    /// lanes is read from the first element on, the other one up to the last element: nothing beyond is read.
    pub fn load_fields(&mut self, ty: IntegerType, first: &str) -> Integers {
        let (width, bits) = (self.unit.width, ty.bits() as usize);
        let (half, step, shift) = (width / 2, 32 / bits, 32 - bits);
        let prefix = prefix(half * 32);
        let down = if ty.is_signed() { "srai" } else { "srli" };
        let down = |a: &str| format!("{prefix}_{down}_epi32::<{shift}>({a})");
        let low = self.together((bits, half * 32), first, None);
        let low = down(&format!("{prefix}_slli_epi32::<{shift}>({low})"));
        let second = format!("{first}.add({})", step * half - step + 1);
        let high = down(&self.together((bits, half * 32), &second, None));
        let text = match half {
            2 => format!("_mm_unpacklo_epi64({low}, {high})"),
            4 => format!("_mm256_set_m128i({high}, {low})"),
            _ => format!("_mm512_inserti64x4::<1>(_mm512_castsi256_si512({low}), {high})"),
        };
        let registers = vec![self.name("integers", &text)];
        Integers { ty, registers }
    }

    /// The same of fields at a place in arrays of 32 bits, whose first one is `first`: the arrays are read once for all of their
    /// fields.
    pub fn load_field(&mut self, ty: IntegerType, first: &str, place: usize) -> Integers {
        let (all, bits) = (self.unit.width * 32, ty.bits() as usize);
        let prefix = prefix(all);
        let arrays = self.together((bits, all), &format!("{first}.sub({place})"), None);
        let (up, down) = (32 - bits * (place + 1), 32 - bits);
        let kind = if ty.is_signed() { "srai" } else { "srli" };
        let text =
            format!("{prefix}_{kind}_epi32::<{down}>({prefix}_slli_epi32::<{up}>({arrays}))");
        let registers = vec![self.name("integers", &text)];
        Integers { ty, registers }
    }

    /// Where a whole vector may be read that begins with a part of one.
    fn in_room(&mut self, ty: IntegerType, neighbours: &Neighbours, count: &str) -> String {
        let (lanes, from) = (self.fresh("lanes"), self.fresh("from"));
        let (ty, width, pointer) = (integer_name(ty), self.unit.width, &neighbours.pointer);
        let (source, target) = match neighbours.order {
            Order::Forwards => (String::new(), String::new()),
            Order::Backwards => (
                format!(".wrapping_add({width} - {count})"),
                format!(".add({width} - {count})"),
            ),
        };
        let copied = format!(
            "{lanes} = [0{ty}; {width}]; ::core::ptr::copy_nonoverlapping(\
             {pointer}{source}, {lanes}.as_mut_ptr(){target}, {count}); {lanes}.as_ptr()"
        );
        // Only the last step of a loop copies.
        let text = match neighbours.part {
            Part::First(_) => format!("{{ {copied} }}"),
            _ => format!("if {count} == {width} {{ {pointer} }} else {{ {copied} }}"),
        };
        self.line(&format!("let mut {lanes}; let {from} = {text};"));
        from
    }

    /// Elements of some bits next to each other, in a register or the first part of one.
    fn together(&self, (bits, all): (usize, usize), pointer: &str, mask: Option<&str>) -> String {
        let prefix = prefix(all);
        match (mask, all) {
            (Some(mask), _) => {
                let lanes = (all.max(128) / bits).max(8);
                format!(
                    "{prefix}_maskz_loadu_epi{bits}(({mask}) as __mmask{lanes}, ({pointer}).cast())"
                )
            }
            (None, ..64) => {
                format!("_mm_loadu_si32(({pointer}).cast())")
            }
            (None, ..128) => format!("_mm_loadl_epi64(({pointer}).cast())"),
            (None, _) => format!("{prefix}_loadu_si{all}(({pointer}).cast())"),
        }
    }

    /// Lanes of integers as lanes of another type of integers.
    pub fn cast_integers(&mut self, mut integers: Integers, to: IntegerType) -> Integers {
        let from = std::mem::replace(&mut integers.ty, to);
        match (self.lane_bits(from), self.lane_bits(to)) {
            (32, 64) => {
                integers.registers = self.extended(&integers.registers[0], from);
                return integers;
            }
            (64, 32) => integers.registers = vec![self.low_halves(&integers.registers)],
            _ => {}
        }
        let bits = to.bits() as usize;
        let kept = from.bits() < to.bits() && (to.is_signed() || !from.is_signed());
        let lane = self.lane_bits(to);
        if bits < lane && !kept && from != to {
            let all = self.unit.width * lane;
            let (prefix, a) = (prefix(all), &integers.registers[0]);
            let text = match to.is_signed() {
                true => {
                    let shift = lane - bits;
                    format!(
                        "{prefix}_srai_epi{lane}::<{shift}>({prefix}_slli_epi{lane}::<{shift}>({a}))"
                    )
                }
                false => {
                    let ones = (1u32 << bits) - 1;
                    format!("{prefix}_and_si{all}({a}, {prefix}_set1_epi{lane}({ones}))")
                }
            };
            integers.registers = vec![self.name("integers", &text)];
        }
        integers
    }

    /// Lanes of 32 bits in lanes of 64.
    fn extended(&mut self, a: &str, from: IntegerType) -> Vec<String> {
        let lanes = self.unit.wide_lanes();
        let to = prefix(lanes * 64);
        let halves = match (self.unit.width / lanes, lanes) {
            (1, _) => vec![a.to_owned()],
            (_, 4) => vec![
                format!("_mm256_castsi256_si128({a})"),
                format!("_mm256_extracti128_si256::<1>({a})"),
            ],
            _ => vec![
                format!("_mm512_castsi512_si256({a})"),
                format!("_mm512_extracti64x4_epi64::<1>({a})"),
            ],
        };
        let letter = letter(from);
        let wide = halves.into_iter().map(|half| {
            let text = format!("{to}_cvtep{letter}32_epi64({half})");
            self.name("integers", &text)
        });
        wide.collect()
    }

    /// The lower halves of lanes of 64 bits.
    fn low_halves(&mut self, registers: &[String]) -> String {
        let bits = self.unit.wide_lanes() * 64;
        let halves: Vec<String> = registers
            .iter()
            .map(|a| match (self.unit.has_masks(), prefix(bits)) {
                (true, prefix) => format!("{prefix}_cvtepi64_epi32({a})"),
                (false, _) => format!(
                    "_mm256_castsi256_si128(_mm256_permutevar8x32_epi32({a}, \
                     _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6)))"
                ),
            })
            .collect();
        let text = match halves.as_slice() {
            [low, high] if bits == 256 => format!("_mm256_set_m128i({high}, {low})"),
            [low, high] => {
                format!("_mm512_inserti64x4::<1>(_mm512_castsi256_si512({low}), {high})")
            }
            _ => halves.concat(),
        };
        self.name("integers", &text)
    }

    /// Lanes of integers as numbers, each rounded once.
    pub fn integers_to(&mut self, integers: Integers, to: Element) -> String {
        if let Element::Word(ty) | Element::Integer(ty) = to {
            let lanes = self.cast_integers(integers, ty);
            return self
                .unit_of(to)
                .of_whole_register(&lanes.registers.concat());
        }
        let to = self.unit_of(to).bits();
        let (width, masks) = (self.unit.width, self.unit.has_masks());
        let suffix = if to == 32 { "ps" } else { "pd" };
        if self.lane_bits(integers.ty) == 64 {
            return self.wide_to(&integers, to);
        }
        let a = &integers.registers[0];
        let prefix = prefix(width * to);
        match (integers.ty, masks) {
            (IntegerType::U32, true) if to == 64 || width == 16 => {
                format!("{prefix}_cvtepu32_{suffix}({a})")
            }
            // There is no such instruction's intrinsic for less than sixteen lanes: others of the register are anything.
            (IntegerType::U32, true) => {
                let bits = 32 * width;
                format!(
                    "_mm512_castps512_ps{bits}(_mm512_cvtepu32_ps(_mm512_castsi{bits}_si512({a})))"
                )
            }
            (IntegerType::U32, false) if to == 64 => {
                // 2^52 + a, less 2^52.
                let bits = "_mm256_set1_epi64x(0x4330000000000000)";
                format!(
                    "_mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(\
                     _mm256_cvtepu32_epi64({a}), {bits})), _mm256_set1_pd(4503599627370496.0))"
                )
            }
            (IntegerType::U32, false) => {
                // 2^39 + 2^16 high, less 2^39 + 2^23, without an error; then 2^23 + low.
                let (bits, set) = (width * 32, format!("{prefix}_set1_epi32"));
                let low = format!("{prefix}_blend_epi16::<0xaa>({a}, {set}(0x4b000000))");
                let high = format!(
                    "{prefix}_blend_epi16::<0xaa>({prefix}_srli_epi32::<16>({a}), {set}(0x53000000))"
                );
                let high = format!(
                    "{prefix}_sub_ps({prefix}_castsi{bits}_ps({high}), {prefix}_set1_ps(549764202496.0))"
                );
                format!("{prefix}_add_ps({high}, {prefix}_castsi{bits}_ps({low}))")
            }
            _ => format!("{prefix}_cvtepi32_{suffix}({a})"),
        }
    }

    /// Lanes of 64 bits as numbers of some bits.
    fn wide_to(&mut self, integers: &Integers, to: usize) -> String {
        let signed = integers.ty.is_signed();
        let prefix = prefix(self.unit.wide_lanes() * 64);
        let numbers = integers
            .registers
            .iter()
            .map(|a| match (self.unit.has_masks(), to) {
                (true, 32) => format!("{prefix}_cvtep{}64_ps({a})", letter(integers.ty)),
                (true, _) => format!("{prefix}_cvtep{}64_pd({a})", letter(integers.ty)),
                (false, 32) => {
                    let odd = self.rounded_to_odd(a, signed);
                    format!("_mm256_cvtpd_ps({})", by_halves(&odd, signed))
                }
                (false, _) => by_halves(a, signed),
            });
        let numbers: Vec<String> = numbers.collect();
        match numbers.as_slice() {
            [low, high] if prefix == "_mm256" => format!("_mm256_set_m128({high}, {low})"),
            [low, high] => {
                format!("_mm512_insertf32x8::<1>(_mm512_castps256_ps512({low}), {high})")
            }
            _ => numbers.concat(),
        }
    }

    /// Of lanes that `f64` does not hold, the lowest eleven bits are in the next one, set if any of them
    /// is: `f64` holds that, and `f32` makes of it what it makes of all bits.
    fn rounded_to_odd(&mut self, a: &str, signed: bool) -> String {
        let low = "_mm256_set1_epi64x(0x7ff)";
        let folded = format!(
            "_mm256_andnot_si256({low}, _mm256_or_si256({a}, \
             _mm256_add_epi64(_mm256_and_si256({a}, {low}), {low})))"
        );
        let high = match signed {
            true => format!(
                "_mm256_srli_epi64::<54>(_mm256_add_epi64({a}, _mm256_set1_epi64x(1 << 53)))"
            ),
            false => format!("_mm256_srli_epi64::<53>({a})"),
        };
        let small = format!("_mm256_cmpeq_epi64({high}, _mm256_setzero_si256())");
        self.name(
            "odd",
            &format!("_mm256_blendv_epi8({folded}, {a}, {small})"),
        )
    }
}

/// Lanes of 64 bits as `f64`, with AVX2: 2^84 + 2^32 high (2^84 + 2^63 + 2^32 high, if it is signed),
/// less that and 2^52, without an error; then 2^52 + low.
fn by_halves(a: &str, signed: bool) -> String {
    let (bits, power) = match signed {
        true => ("0x4530000080000000", "19342822341709703277445120.0"),
        false => ("0x4530000000000000", "19342813118337666422669312.0"),
    };
    let low = format!("_mm256_blend_epi32::<0xaa>({a}, _mm256_set1_epi64x(0x4330000000000000))");
    let high =
        format!("_mm256_xor_si256(_mm256_srli_epi64::<32>({a}), _mm256_set1_epi64x({bits}))");
    format!(
        "_mm256_add_pd(_mm256_sub_pd(_mm256_castsi256_pd({high}), _mm256_set1_pd({power})), \
         _mm256_castsi256_pd({low}))"
    )
}
