//! The instructions of an instruction set, for one element type: names of types and intrinsics.

use super::address::Order;
use super::integers::prefix;
use super::variant::element_name;
use crate::ir::{Combining, Element};
use crate::syntax::ast::{CompareOperator, IntegerType};

/// A vector unit, or scalar arithmetic.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Lanes; 1 prints scalar code.
    pub width: usize,
    /// Type of an element in the printed code: `f64`, `f32`, or the type parameter.
    pub scalar: String,
    /// The facade's private path, for generic code.
    pub krate: String,
    /// Printed for a type parameter.
    pub generic: bool,
    /// Products may be fused into sums.
    pub fused: bool,
    /// Lanes are chosen by mask registers: AVX-512, whatever the width.
    pub(super) masks: bool,
    /// Integers of a type, which stand in the registers of floating-point numbers of as many bits.
    pub(super) word: Option<IntegerType>,
    pub(super) prefix: &'static str,
    pub(super) suffix: &'static str,
}

impl Unit {
    /// The unit for an instruction set, which has `registers` bits.
    pub fn new(
        (width, registers): (usize, usize),
        element: Element,
        type_parameter: Option<&str>,
        krate: &str,
        fused: bool,
    ) -> Unit {
        let generic = element == Element::Generic;
        let scalar = match (element, type_parameter) {
            (Element::Generic, Some(name)) => name.to_owned(),
            (Element::F32, _) => "f32".to_owned(),
            (Element::Word(ty), _) => element_name(Element::Word(ty), None),
            _ => "f64".to_owned(),
        };
        let word = element.as_word();
        let each = word.map_or(64, |ty| ty.bits() as usize);
        let bits = width * if element.is_half() { 32 } else { each };
        let suffix = if bits < 64 * width { "ps" } else { "pd" };
        Unit {
            width,
            scalar,
            krate: krate.to_owned(),
            generic,
            fused: fused && word.is_none(),
            word,
            masks: registers >= 512,
            prefix: prefix(bits),
            suffix,
        }
    }

    /// The element type.
    pub fn element(&self) -> Element {
        if let Some(ty) = self.word {
            return Element::Word(ty);
        }
        match (self.generic, self.suffix) {
            (true, _) => Element::Generic,
            (false, "ps") => Element::F32,
            (false, _) => Element::F64,
        }
    }

    /// The unit for another element type in lanes of the same number, in a part of a register.
    pub fn beside(&self, element: Element) -> Unit {
        let registers = if self.masks { 512 } else { 256 };
        Unit::new(
            (self.width, registers),
            element,
            None,
            &self.krate,
            self.fused,
        )
    }

    /// The unit for four elements of 64 bits, in a register of 256 bits.
    pub fn quarter(&self) -> Unit {
        Unit {
            width: 4,
            prefix: "_mm256",
            ..self.clone()
        }
    }

    /// The unit for half the lanes, in half a register.
    pub fn half(&self) -> Unit {
        Unit {
            width: self.width / 2,
            prefix: prefix(self.register() / 2),
            ..self.clone()
        }
    }

    /// Whether lanes are chosen by mask registers: AVX-512, whatever the width.
    pub fn has_masks(&self) -> bool {
        self.masks
    }

    /// Lanes of 64 bits in a register, no more than there are lanes.
    pub fn wide_lanes(&self) -> usize {
        self.width.min(if self.masks { 8 } else { 4 })
    }

    pub(super) fn is_512(&self) -> bool {
        self.prefix == "_mm512"
    }

    /// Bits of an element.
    pub fn bits(&self) -> usize {
        match (self.word, self.suffix) {
            (Some(ty), _) => ty.bits() as usize,
            (None, "ps") => 32,
            _ => 64,
        }
    }

    /// An intrinsic's name.
    pub fn name(&self, operation: &str) -> String {
        format!("{}_{operation}_{}", self.prefix, self.suffix)
    }

    fn two(&self, vector: bool, operation: &str, symbol: &str, a: &str, b: &str) -> String {
        if vector && self.word.is_some() {
            self.word_operation(operation, a, b)
        } else if vector {
            format!("{}({a}, {b})", self.name(operation))
        } else {
            format!("{a} {symbol} {b}")
        }
    }

    /// a + b.
    pub fn add(&self, vector: bool, a: &str, b: &str) -> String {
        self.two(vector, "add", "+", a, b)
    }

    /// a - b.
    pub fn sub(&self, vector: bool, a: &str, b: &str) -> String {
        self.two(vector, "sub", "-", a, b)
    }

    /// a * b.
    pub fn mul(&self, vector: bool, a: &str, b: &str) -> String {
        self.two(vector, "mul", "*", a, b)
    }

    /// a / b.
    pub fn div(&self, vector: bool, a: &str, b: &str) -> String {
        self.two(vector, "div", "/", a, b)
    }

    /// c + a b, or c - a b.
    pub fn fused(&self, vector: bool, negative: bool, a: &str, b: &str, c: &str) -> String {
        if self.word.is_some() {
            let product = self.mul(vector, a, b);
            return match negative {
                true => self.sub(vector, c, &product),
                false => self.add(vector, c, &product),
            };
        }
        if vector {
            return format!(
                "{}({a}, {b}, {c})",
                self.name(if negative { "fnmadd" } else { "fmadd" })
            );
        }
        let sign = if negative { "-" } else { "" };
        format!("{}::mul_add({sign}{a}, {b}, {c})", self.scalar)
    }

    /// -a.
    pub fn neg(&self, vector: bool, a: &str) -> String {
        if vector && self.word.is_some() {
            self.sub(true, &self.zero(true), a)
        } else if vector {
            format!("{}({a}, {})", self.name("xor"), self.splat("-0.0"))
        } else {
            format!("-{a}")
        }
    }

    /// All lanes equal.
    pub fn splat(&self, a: &str) -> String {
        match self.word {
            Some(_) => self.word_splat(a),
            None => format!("{}({a})", self.name("set1")),
        }
    }

    /// All lanes zero, or the scalar zero.
    pub fn zero(&self, vector: bool) -> String {
        match (vector, self.generic) {
            (true, _) => format!("{}()", self.name("setzero")),
            (false, _) if self.word.is_some() => self.constant(0.0),
            (false, true) => format!("<{} as {}::Scalar>::zero()", self.scalar, self.krate),
            (false, false) => format!("0.0{}", self.scalar),
        }
    }

    /// A constant.
    pub fn constant(&self, value: f64) -> String {
        if self.word.is_some() {
            return self.whole(value as i128);
        }
        if self.generic {
            return format!(
                "<{} as {}::Scalar>::from_f64({})",
                self.scalar,
                self.krate,
                literal(value, "f64")
            );
        }
        literal(value, &self.scalar)
    }

    /// Unaligned load of neighbours.
    pub fn load(&self, pointer: &str) -> String {
        format!("{}({})", self.name("loadu"), self.at(pointer))
    }

    /// Unaligned store of neighbours.
    pub fn store(&self, pointer: &str, value: &str) -> String {
        format!("{}({}, {value});", self.name("storeu"), self.at(pointer))
    }

    /// Store of a register to where it is aligned, past the caches.
    pub fn stream(&self, pointer: &str, value: &str) -> String {
        format!("{}({}, {value});", self.name("stream"), self.at(pointer))
    }

    /// A mask of neighbours in memory whose lanes are the first `active` ones, as an expression.
    pub fn mask(&self, active: &str, order: Order) -> String {
        if self.masks {
            let ty = format!("__mmask{}", self.width.max(8));
            let first = first_bits(self.width, active);
            return match order {
                Order::Forwards => format!("{first} as {ty}"),
                Order::Backwards => format!("({first} << ({} - {active})) as {ty}", self.width),
            };
        }
        // Lane k is active if k < active.
        let (all, ty) = match self.bits() {
            64 => ("set1_epi64x".to_owned(), "i64".to_owned()),
            bits => (format!("set1_epi{bits}"), format!("i{bits}")),
        };
        let prefix = self.prefix;
        let places = (0..self.width).map(|lane| order.place(lane, self.width));
        let numbers: Vec<String> = places.map(|place| place.to_string()).collect();
        format!(
            "{prefix}_cmpgt_epi{}({prefix}_{all}({active} as {ty}), {})",
            self.bits(),
            self.integers(numbers)
        )
    }

    /// A register of integers, first lane first.
    fn integers(&self, mut lanes: Vec<String>) -> String {
        let name = match (self.bits(), self.width) {
            (64, 2) => {
                lanes.reverse();
                "set_epi64x"
            }
            (64, _) => "setr_epi64x",
            (bits, _) => return format!("{}_setr_epi{bits}({})", self.prefix, lanes.join(", ")),
        };
        format!("{}_{name}({})", self.prefix, lanes.join(", "))
    }

    /// The mask of neighbours in memory whose lanes are the first `count` ones.
    pub fn constant_mask(&self, count: usize, order: Order) -> String {
        if self.masks {
            let before = match order {
                Order::Forwards => 0,
                Order::Backwards => self.width - count,
            };
            let first = ((1u128 << count) - 1) << before;
            return format!("{first:#b}u{}", self.width.max(8));
        }
        let lanes = (0..self.width).map(|lane| order.place(lane, self.width) < count);
        let lanes = lanes.map(|there| if there { "-1" } else { "0" }.to_owned());
        self.integers(lanes.collect())
    }

    /// Load under a mask; other lanes are zero.
    pub fn masked_load(&self, pointer: &str, mask: &str) -> String {
        if self.bits() < 32 {
            return self.few_bits_load(pointer, mask);
        }
        let pointer = self.at(pointer);
        if self.masks {
            format!("{}({mask}, {pointer})", self.name("maskz_loadu"))
        } else {
            format!("{}({pointer}, {mask})", self.name("maskload"))
        }
    }

    /// The value in the lanes of a mask, in others what changes nothing that it is combined with.
    pub fn masked(&self, combining: Combining, (mask, value): (&str, &str)) -> String {
        self.chosen(mask, value, &self.identity(combining, true))
    }

    /// One value in the lanes of a mask of neighbours in memory, and another in others.
    pub fn chosen(&self, mask: &str, value: &str, otherwise: &str) -> String {
        match self.masks {
            true => self.select(mask, value, otherwise),
            false => self.select(&self.of_whole_register(mask), value, otherwise),
        }
    }

    /// Store under a mask.
    pub fn masked_store(&self, pointer: &str, mask: &str, value: &str) -> String {
        if self.bits() < 32 {
            return self.few_bits_store(pointer, mask, value);
        }
        let operation = if self.masks {
            "mask_storeu"
        } else {
            "maskstore"
        };
        let pointer = self.at(pointer);
        format!("{}({pointer}, {mask}, {value});", self.name(operation))
    }

    /// Lanes one by one, first lane first.
    pub fn gather(&self, lanes: &[String]) -> String {
        if self.word.is_some() {
            return self.word_lanes(lanes);
        }
        let reversed: Vec<&str> = lanes.iter().rev().map(String::as_str).collect();
        format!("{}({})", self.name("set"), reversed.join(", "))
    }

    /// The value of another unit's lanes, rounded to the nearest.
    pub fn converted(&self, from: &Unit, a: &str) -> String {
        match (from.bits(), self.bits()) {
            (32, 64) => format!("{}_cvtps_pd({a})", self.prefix),
            (64, 32) => format!("{}_cvtpd_ps({a})", from.prefix),
            _ => a.to_owned(),
        }
    }

    /// Lanes cut off to integers of 32 bits, in a register of integers.
    pub fn cut_off(&self, a: &str) -> String {
        format!("{}_cvtt{}_epi32({a})", self.prefix, self.suffix)
    }

    /// The mask that another unit's comparison gave.
    pub fn converted_mask(&self, from: &Unit, a: &str) -> String {
        if self.masks || from.bits() == self.bits() {
            return a.to_owned();
        }
        match self.bits() {
            // Every other half of the four lanes.
            32 => format!(
                "_mm_castsi128_ps(_mm256_castsi256_si128(_mm256_permutevar8x32_epi32(\
                 _mm256_castpd_si256({a}), _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6))))"
            ),
            _ => format!("_mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_castps_si128({a})))"),
        }
    }

    /// Numbers that grow by the same from lane to lane, the first of them given.
    pub fn growing(&self, first: &str, by: i64) -> String {
        let lanes: Vec<String> = (0..self.width as i64)
            .map(|lane| self.constant((lane * by) as f64))
            .collect();
        let steps = match self.word {
            Some(_) => self.word_lanes(&lanes),
            None => format!("{}({})", self.name("setr"), lanes.join(", ")),
        };
        self.add(true, &self.splat(first), &steps)
    }

    /// A comparison's mask.
    pub fn compare(&self, vector: bool, operator: CompareOperator, a: &str, b: &str) -> String {
        let (symbol, name) = match operator {
            CompareOperator::Less => ("<", "_CMP_LT_OQ"),
            CompareOperator::LessEqual => ("<=", "_CMP_LE_OQ"),
            CompareOperator::Greater => (">", "_CMP_GT_OQ"),
            CompareOperator::GreaterEqual => (">=", "_CMP_GE_OQ"),
            CompareOperator::Equal => ("==", "_CMP_EQ_OQ"),
            CompareOperator::NotEqual => ("!=", "_CMP_NEQ_UQ"),
            CompareOperator::Unordered => ("<>", "_CMP_UNORD_Q"),
        };
        if !vector && operator == CompareOperator::Unordered {
            return format!("({a} != {a} || {b} != {b})");
        }
        if !vector {
            return format!("{a} {symbol} {b}");
        }
        if self.word.is_some() {
            return self.word_compare(operator, a, b);
        }
        let suffix = if self.masks { "_mask" } else { "" };
        format!("{}{suffix}::<{name}>({a}, {b})", self.name("cmp"))
    }

    /// Lanes of `then` where the mask is set, else of `otherwise`.
    pub fn select(&self, mask: &str, then: &str, otherwise: &str) -> String {
        if self.bits() < 32 {
            self.few_bits_select(mask, then, otherwise)
        } else if self.masks {
            format!("{}({mask}, {otherwise}, {then})", self.name("mask_blend"))
        } else {
            format!("{}({otherwise}, {then}, {mask})", self.name("blendv"))
        }
    }
}

/// As many bits from the lowest one on as lanes are active, in an integer that holds those of all lanes.
pub fn first_bits(width: usize, active: &str) -> String {
    let bits = (2 * width).max(32);
    format!("((1u{bits} << {active}) - 1)")
}

/// A float literal that reads back to the same bits.
fn literal(value: f64, ty: &str) -> String {
    let text = match value {
        v if v.is_nan() => return format!("{ty}::NAN"),
        v if v == f64::INFINITY => return format!("{ty}::INFINITY"),
        v if v == f64::NEG_INFINITY => return format!("{ty}::NEG_INFINITY"),
        v if ty == "f32" => format!("{:?}", v as f32),
        v => format!("{v:?}"),
    };
    if text == "inf" || text == "-inf" {
        // Beyond the range of `f32`.
        return if value > 0.0 {
            format!("{ty}::INFINITY")
        } else {
            format!("{ty}::NEG_INFINITY")
        };
    }
    if text.starts_with('-') {
        format!("({text}{ty})")
    } else {
        format!("{text}{ty}")
    }
}
