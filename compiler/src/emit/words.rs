//! Vectors of integers that are computed with.
//!
//! They stand in the registers of floating-point numbers of as many bits, those of 8 and of 16 bits in registers of `f32`, so
//! that loads, stores, shuffles and choices are those of these numbers where such exist; what computes takes a register as one of integers, which no
//! instruction is for. Without lanes they are `core::num::Wrapping`: what is shared or reordered may
//! leave the type's range on the way, and comes back.

use super::bits::counting;
use super::printer::{Printer, Value};
use super::variant::integer_name;
use super::vector::Unit;
use crate::ir::{Combining, Element};
use crate::syntax::ast::{CompareOperator, Elementary, IntegerMethod, IntegerType};

impl Unit {
    /// The type of integers.
    pub(super) fn ty(&self) -> IntegerType {
        self.word.unwrap_or(IntegerType::I64)
    }

    /// Bits of a register.
    pub(super) fn register(&self) -> usize {
        match self.prefix {
            "_mm512" => 512,
            "_mm256" => 256,
            _ => 128,
        }
    }

    /// A pointer for loads and stores.
    pub fn at(&self, pointer: &str) -> String {
        match self.word {
            Some(_) => format!("({pointer}).cast()"),
            None => pointer.to_owned(),
        }
    }

    /// A register as one of integers.
    pub fn whole_register(&self, a: &str) -> String {
        let (prefix, suffix) = (self.prefix, self.suffix);
        format!("{prefix}_cast{suffix}_si{}({a})", self.register())
    }

    /// A register of integers as one that values stand in.
    pub fn of_whole_register(&self, a: &str) -> String {
        let (prefix, suffix) = (self.prefix, self.suffix);
        format!("{prefix}_castsi{}_{suffix}({a})", self.register())
    }

    /// An instruction on registers of integers.
    fn apply(&self, name: &str, operands: &[&str]) -> String {
        let operands = operands.iter().map(|a| self.whole_register(a));
        let operands = operands.collect::<Vec<_>>().join(", ");
        self.of_whole_register(&format!("{}_{name}({operands})", self.prefix))
    }

    /// A constant.
    pub fn whole(&self, value: i128) -> String {
        let ty = self.ty();
        let (name, value) = (integer_name(ty), ty.truncated(value));
        format!("::core::num::Wrapping({value}{name})")
    }

    /// All lanes equal.
    pub fn word_splat(&self, a: &str) -> String {
        let (set, ty) = self.set("set1");
        self.of_whole_register(&format!("{}_{set}(({a}).0 as {ty})", self.prefix))
    }

    /// An instruction that makes a register of integers, and the type of these.
    fn set(&self, name: &str) -> (String, String) {
        let bits = self.bits();
        let x = if bits == 64 && self.register() < 512 {
            "x"
        } else {
            ""
        };
        (format!("{name}_epi{bits}{x}"), format!("i{bits}"))
    }

    /// Lanes of few bits under a mask; others are zero. With AVX2 a part of a vector goes through an array: only the last
    /// step of a loop comes here.
    pub(super) fn few_bits_load(&self, pointer: &str, mask: &str) -> String {
        let (prefix, bits) = (self.prefix, self.bits());
        if self.masks {
            let at = self.at(pointer);
            return self
                .of_whole_register(&format!("{prefix}_maskz_loadu_epi{bits}({mask}, {at})"));
        }
        let (part, from, to) = self.part_of(mask, pointer);
        let loaded = self.load("part.as_ptr()");
        format!("{{ {part} ::core::ptr::copy_nonoverlapping({from}, {to}, count); {loaded} }}")
    }

    /// The same of a store.
    pub(super) fn few_bits_store(&self, pointer: &str, mask: &str, value: &str) -> String {
        let (prefix, bits) = (self.prefix, self.bits());
        if self.masks {
            let (at, value) = (self.at(pointer), self.whole_register(value));
            return format!("{prefix}_mask_storeu_epi{bits}({at}, {mask}, {value});");
        }
        let (part, to, from) = self.part_of(mask, pointer);
        let stored = self.store("part.as_mut_ptr()", value);
        format!("{{ {part} {stored} ::core::ptr::copy_nonoverlapping({from}, {to}, count); }}")
    }

    /// An array of lanes, and how many of these a mask in a register has set; the places of the first of them in memory and in
    /// the array. Lanes that lie backwards are the last ones.
    fn part_of(&self, mask: &str, pointer: &str) -> (String, String, String) {
        let (prefix, bytes) = (self.prefix, self.bits() / 8);
        let (zero, width, name) = (self.whole(0), self.width, integer_name(self.ty()));
        let part = format!(
            "let set = {prefix}_movemask_epi8({mask}) as u32; \
             let (first, count) = (set.trailing_zeros() as usize / {bytes}, set.count_ones() as usize / {bytes}); \
             let mut part = [{zero}; {width}];"
        );
        let memory =
            format!("({pointer}).cast::<::core::num::Wrapping<{name}>>().wrapping_add(first)");
        (
            part,
            memory,
            "part.as_mut_ptr().wrapping_add(first)".to_owned(),
        )
    }

    /// Lanes of few bits from the last one to the first: bytes in each part of 128 bits, and these parts.
    pub(super) fn few_bits_reversed(&self, a: &str) -> Option<String> {
        let (prefix, bytes) = (self.prefix, self.bits() / 8);
        let lanes = (0..16 / bytes).rev();
        let places = lanes.flat_map(|lane| (0..bytes).map(move |byte| lane * bytes + byte));
        let places: Vec<String> = places.map(|place| place.to_string()).collect();
        let places = format!("_mm_setr_epi8({})", places.join(", "));
        let register = self.whole_register(a);
        let within = |places: &str| format!("{prefix}_shuffle_epi8({register}, {places})");
        Some(self.of_whole_register(&match self.width * self.bits() {
            512 => {
                let within = within(&format!("_mm512_broadcast_i32x4({places})"));
                format!("{{ let parts = {within}; _mm512_shuffle_i64x2::<0x1b>(parts, parts) }}")
            }
            256 => {
                let within = within(&format!("_mm256_broadcastsi128_si256({places})"));
                format!("_mm256_permute4x64_epi64::<0x4e>({within})")
            }
            128 => within(&places),
            _ => return None,
        }))
    }

    /// Lanes of few bits, one or the other of two.
    pub(super) fn few_bits_select(&self, mask: &str, then: &str, otherwise: &str) -> String {
        let (prefix, bits) = (self.prefix, self.bits());
        let [then, otherwise] = [then, otherwise].map(|a| self.whole_register(a));
        self.of_whole_register(&match self.masks {
            true => format!("{prefix}_mask_blend_epi{bits}({mask}, {otherwise}, {then})"),
            false => {
                let mask = self.whole_register(mask);
                format!("{prefix}_blendv_epi8({otherwise}, {then}, {mask})")
            }
        })
    }

    /// Lanes one by one, first lane first.
    pub fn word_lanes(&self, lanes: &[String]) -> String {
        let (set, ty) = self.set("set");
        let lanes = lanes.iter().rev().map(|lane| format!("({lane}).0 as {ty}"));
        let lanes = lanes.collect::<Vec<_>>().join(", ");
        self.of_whole_register(&format!("{}_{set}({lanes})", self.prefix))
    }

    /// A sum, a difference or a product.
    pub fn word_operation(&self, operation: &str, a: &str, b: &str) -> String {
        let bits = self.bits();
        match (operation, bits, self.masks) {
            ("mul", 64, false) => {
                let prefix = self.prefix;
                let [x, y] = [a, b].map(|a| self.whole_register(a));
                // Products of halves; that of the upper ones is beyond the upper end.
                let crossed = format!(
                    "{prefix}_slli_epi64::<32>({prefix}_add_epi64(\
                     {prefix}_mul_epu32({prefix}_srli_epi64::<32>(x), y), \
                     {prefix}_mul_epu32(x, {prefix}_srli_epi64::<32>(y))))"
                );
                let product = format!("{prefix}_add_epi64({prefix}_mul_epu32(x, y), {crossed})");
                let product = self.of_whole_register(&product);
                format!("{{ let (x, y) = ({x}, {y}); {product} }}")
            }
            ("mul", ..) => self.apply(&format!("mullo_epi{bits}"), &[a, b]),
            _ => self.apply(&format!("{operation}_epi{bits}"), &[a, b]),
        }
    }

    /// Lanes whose sign bits are turned, so that signed comparisons are those of unsigned integers.
    fn turned(&self, a: &str) -> String {
        let sign = 1i128 << (self.bits() - 1);
        let sign = self.splat(&self.whole(sign));
        format!("{}({a}, {sign})", self.name("xor"))
    }

    /// A comparison's mask.
    pub fn word_compare(&self, operator: CompareOperator, a: &str, b: &str) -> String {
        let (bits, signed) = (self.bits(), self.ty().is_signed());
        if self.masks {
            let name = match operator {
                CompareOperator::Less => "_MM_CMPINT_LT",
                CompareOperator::LessEqual => "_MM_CMPINT_LE",
                CompareOperator::Greater => "_MM_CMPINT_NLE",
                CompareOperator::GreaterEqual => "_MM_CMPINT_NLT",
                CompareOperator::Equal => "_MM_CMPINT_EQ",
                CompareOperator::NotEqual => "_MM_CMPINT_NE",
                CompareOperator::Unordered => "_MM_CMPINT_FALSE",
            };
            let letter = if signed { "i" } else { "u" };
            let [a, b] = [a, b].map(|a| self.whole_register(a));
            return format!(
                "{}_cmp_ep{letter}{bits}_mask::<{name}>({a}, {b})",
                self.prefix
            );
        }
        let equal = format!("cmpeq_epi{bits}");
        let (a, b) = match (operator, signed) {
            (CompareOperator::Equal | CompareOperator::NotEqual, _) | (_, true) => {
                (a.to_owned(), b.to_owned())
            }
            _ => (self.turned(a), self.turned(b)),
        };
        let greater = |a: &str, b: &str| self.apply(&format!("cmpgt_epi{bits}"), &[a, b]);
        let not = |a: String| {
            let ones = self.splat(&self.whole(-1));
            format!("{}({a}, {ones})", self.name("andnot"))
        };
        match operator {
            CompareOperator::Less => greater(&b, &a),
            CompareOperator::Greater => greater(&a, &b),
            CompareOperator::LessEqual => not(greater(&a, &b)),
            CompareOperator::GreaterEqual => not(greater(&b, &a)),
            CompareOperator::Equal => self.apply(&equal, &[&a, &b]),
            CompareOperator::NotEqual => not(self.apply(&equal, &[&a, &b])),
            CompareOperator::Unordered => self.zero(true),
        }
    }

    /// The smaller or the larger one.
    pub fn word_extremum(&self, vector: bool, operation: &str, a: &str, b: &str) -> String {
        if !vector {
            return format!("::core::cmp::Ord::{operation}({a}, {b})");
        }
        let letter = if self.ty().is_signed() { "i" } else { "u" };
        if self.bits() <= 32 || self.masks {
            let name = format!("{operation}_ep{letter}{}", self.bits());
            return self.apply(&name, &[a, b]);
        }
        let operator = match operation {
            "min" => CompareOperator::Less,
            _ => CompareOperator::Greater,
        };
        let chosen = self.select(&self.word_compare(operator, "a", "b"), "a", "b");
        format!("{{ let (a, b) = ({a}, {b}); {chosen} }}")
    }

    /// What changes nothing that it is combined with.
    pub fn word_identity(&self, combining: Combining) -> String {
        let (least, most) = self.ty().range();
        self.whole(match combining {
            Combining::Add => 0,
            Combining::Multiply => 1,
            Combining::Min | Combining::Lesser => most,
            Combining::Max | Combining::Greater => least,
        })
    }

    /// A function as an instruction on vectors, if there is one.
    pub fn word_instruction(&self, function: Elementary, a: &[String]) -> Option<String> {
        let (bits, signed) = (self.bits(), self.ty().is_signed());
        let operands: Vec<&str> = a.iter().map(String::as_str).collect();
        Some(match function {
            Elementary::Min | Elementary::Lesser => self.word_extremum(true, "min", &a[0], &a[1]),
            Elementary::Max | Elementary::Greater => self.word_extremum(true, "max", &a[0], &a[1]),
            Elementary::Abs if bits <= 32 || self.masks => {
                self.apply(&format!("abs_epi{bits}"), &operands)
            }
            Elementary::Bits(IntegerMethod::ShiftRight) => match (signed, bits, self.masks) {
                (true, 64, false) => return None,
                (_, 16, false) => {
                    // One number for all lanes; no other one is shifted by.
                    let kind = if signed { "sra" } else { "srl" };
                    let [of, by] = [&a[0], &a[1]].map(|a| self.whole_register(a));
                    let by = match self.register() {
                        256 => format!("_mm256_castsi256_si128({by})"),
                        _ => by,
                    };
                    let prefix = self.prefix;
                    self.of_whole_register(&format!(
                        "{prefix}_{kind}_epi16({of}, _mm_and_si128({by}, _mm_set_epi64x(0, 0xffff)))"
                    ))
                }
                (true, ..) => self.apply(&format!("srav_epi{bits}"), &operands),
                (false, ..) => self.apply(&format!("srlv_epi{bits}"), &operands),
            },
            Elementary::Bits(IntegerMethod::And) => {
                self.apply(&format!("and_si{}", self.register()), &operands)
            }
            Elementary::Bits(IntegerMethod::Or) => {
                self.apply(&format!("or_si{}", self.register()), &operands)
            }
            Elementary::Bits(IntegerMethod::ExclusiveOr) => {
                self.apply(&format!("xor_si{}", self.register()), &operands)
            }
            Elementary::Bits(method) if method.counts_bits() => return self.count(method, &a[0]),
            _ => return None,
        })
    }

    /// A function of one integer, or of two.
    pub fn word_call(&self, function: Elementary, a: &[String]) -> String {
        let (first, second) = (&a[0], a.get(1).map_or("", String::as_str));
        let wrapped = |text: String| format!("::core::num::Wrapping({text})");
        match function {
            Elementary::Min | Elementary::Lesser => self.word_extremum(false, "min", first, second),
            Elementary::Max | Elementary::Greater => {
                self.word_extremum(false, "max", first, second)
            }
            Elementary::Abs => wrapped(format!("({first}).0.wrapping_abs()")),
            Elementary::Bits(IntegerMethod::ShiftRight) => {
                wrapped(format!("({first}).0.wrapping_shr(({second}).0 as u32)"))
            }
            Elementary::Bits(method) if method.counts_bits() => {
                let (ty, name) = (integer_name(self.ty()), counting(method));
                wrapped(format!("({first}).0.{name}() as {ty}"))
            }
            Elementary::Bits(IntegerMethod::And) => format!("({first}) & ({second})"),
            Elementary::Bits(IntegerMethod::Or) => format!("({first}) | ({second})"),
            Elementary::Bits(IntegerMethod::ExclusiveOr) => format!("({first}) ^ ({second})"),
            Elementary::Bits(IntegerMethod::DivEuclid) => {
                wrapped(format!("({first}).0.div_euclid(({second}).0)"))
            }
            Elementary::Bits(IntegerMethod::RemEuclid) => {
                wrapped(format!("({first}).0.rem_euclid(({second}).0)"))
            }
            _ => format!("no_function_of_integers({first})"),
        }
    }
}

impl Printer<'_> {
    /// The integer of a primitive type that a scalar is.
    pub fn primitive(&self, value: &Value) -> String {
        match value.element {
            Element::Word(_) => format!("({}).0", value.text),
            _ => value.text.clone(),
        }
    }

    /// A scalar that is an integer of a primitive type, as one that is computed with.
    pub fn wrapped(&self, text: &str, ty: IntegerType) -> String {
        let computed = match self.unit.word {
            Some(few) if few.bits() < 32 => few,
            _ => ty.word(),
        };
        format!(
            "::core::num::Wrapping(({text}) as {})",
            integer_name(computed)
        )
    }
}
