//! Numbers of bits, of all lanes of a register: instructions of the processors that AVX-512 is asked for where a
//! kernel counts (`dispatch`), and look-ups of halves of bytes before.

use super::vector::Unit;
use crate::ir::{Expr, Program};
use crate::syntax::ast::{Elementary, IntegerMethod};

/// The method of integers that counts so.
pub fn counting(method: IntegerMethod) -> &'static str {
    match method {
        IntegerMethod::LeadingZeros => "leading_zeros",
        IntegerMethod::TrailingZeros => "trailing_zeros",
        _ => "count_ones",
    }
}

/// Whether a program counts bits.
pub fn counts(program: &Program) -> bool {
    program.reachable().into_iter().any(|expr| {
        matches!(program.pool.get(expr), Expr::Call(Elementary::Bits(method), _) if method.counts_bits())
    })
}

impl Unit {
    /// How many bits of each lane are ones, or zeros at an end.
    pub fn count(&self, method: IntegerMethod, of: &str) -> Option<String> {
        let (prefix, bits) = (self.prefix, self.bits());
        let register = self.register();
        let x = self.whole_register(of);
        let one = self.splat(&self.whole(1));
        // The zeros below the lowest one are ones in what is less by one, and there alone.
        let below = format!(
            "{prefix}_andnot_si{register}(x, {prefix}_sub_epi{bits}(x, {}))",
            self.whole_register(&one)
        );
        let counted = match (method, self.masks) {
            (IntegerMethod::LeadingZeros, true) => format!("{prefix}_lzcnt_epi{bits}(x)"),
            (IntegerMethod::LeadingZeros, false) => {
                let smeared = (0..bits.ilog2()).map(|by| {
                    let by = 1 << by;
                    format!(
                        "let x = {prefix}_or_si{register}(x, {prefix}_srli_epi{bits}::<{by}>(x)); "
                    )
                });
                let smeared: String = smeared.collect();
                let ones = self.whole_register(&self.splat(&self.whole(-1)));
                let above = format!("{prefix}_andnot_si{register}(x, {ones})");
                format!("{{ {smeared} {} }}", self.ones(&above))
            }
            (IntegerMethod::TrailingZeros, _) => self.ones(&below),
            _ => self.ones("x"),
        };
        let counted = self.of_whole_register(&counted);
        Some(format!("{{ let x = {x}; {counted} }}"))
    }

    /// How many bits of each lane of a register of integers are ones: those of halves of bytes are looked up, and
    /// bytes added up (Muła, Kurz and Lemire 2018).
    fn ones(&self, of: &str) -> String {
        let (prefix, bits, register) = (self.prefix, self.bits(), self.register());
        if self.masks {
            return format!("{prefix}_popcnt_epi{bits}({of})");
        }
        let table = "_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4)";
        let table = match register {
            256 => format!("_mm256_broadcastsi128_si256({table})"),
            _ => table.to_owned(),
        };
        let half = |text: &str| format!("{prefix}_and_si{register}({text}, low)");
        let (lower, upper) = (half("v"), half(&format!("{prefix}_srli_epi16::<4>(v)")));
        let sum = match bits {
            64 => format!("{prefix}_sad_epu8(c, {prefix}_setzero_si{register}())"),
            _ => format!(
                "{prefix}_madd_epi16({prefix}_maddubs_epi16(c, {prefix}_set1_epi8(1)), {prefix}_set1_epi16(1))"
            ),
        };
        format!(
            "{{ let v = {of}; let t = {table}; let low = {prefix}_set1_epi8(15); \
             let c = {prefix}_add_epi8({prefix}_shuffle_epi8(t, {lower}), {prefix}_shuffle_epi8(t, {upper})); \
             {sum} }}"
        )
    }
}
