//! Stores of integers that are narrower than the lanes that they stand in.

use super::address::Order;
use super::integers::prefix;
use super::neighbours::Neighbours;
use super::parts::Part;
use super::printer::{Printer, Scope, Value};
use super::variant::integer_name;
use crate::syntax::ast::IntegerType;

impl Printer<'_> {
    /// Stores integers of a type, whose lanes have 32 bits or 64, next to each other.
    pub fn store_integers(
        &mut self,
        scope: &mut Scope,
        ty: IntegerType,
        to: &Neighbours,
        value: Value,
    ) {
        let element = value.element;
        let mut value = self.coerce(scope, value, true);
        let unit = self.unit_of(element).clone();
        if let (Order::Backwards, Some(reversed)) = (to.order, unit.reversed(&value)) {
            value = self.name("reversed", &reversed);
        }
        let lanes = self.name("integers", &unit.whole_register(&value));
        let (width, bits) = (unit.width, ty.bits() as usize);
        let narrow = self.narrowed(&lanes, (unit.bits(), bits));
        let all = width * bits;
        let stored = |pointer: &str| match all {
            256.. => format!("_mm256_storeu_si256(({pointer}).cast(), {narrow});"),
            128.. => format!("_mm_storeu_si128(({pointer}).cast(), {narrow});"),
            64.. => format!("_mm_storel_epi64(({pointer}).cast(), {narrow});"),
            _ => format!("_mm_storeu_si32(({pointer}).cast(), {narrow});"),
        };
        let room = all.max(32) / bits;
        let (array, name) = (self.fresh("lanes"), integer_name(ty));
        let copied = |count: &str| {
            let store = stored(&format!("{array}.as_mut_ptr()"));
            let (from, to) = match to.order {
                Order::Forwards => (format!("{array}.as_ptr()"), to.pointer.clone()),
                Order::Backwards => (
                    format!("{array}.as_ptr().add({width} - {count})"),
                    format!("{}.wrapping_add({width} - {count})", to.pointer),
                ),
            };
            format!(
                "{{ let mut {array} = [0{name}; {room}]; {store} \
                 ::core::ptr::copy_nonoverlapping({from}, {to}, {count}); }}"
            )
        };
        let whole = match all {
            ..32 => copied(&width.to_string()),
            _ => stored(&to.pointer),
        };
        let text = match &to.part {
            Part::Whole => whole,
            Part::First(count) => copied(&count.to_string()),
            Part::Counted { active, mask } => {
                let some = match self.unit.has_masks() {
                    true => {
                        let mask = self.mask((active, mask), element, to.order);
                        let prefix = prefix(width * unit.bits());
                        let from = unit.bits();
                        format!(
                            "{prefix}_mask_cvtepi{from}_storeu_epi{bits}(({}).cast(), {mask}, {lanes});",
                            to.pointer
                        )
                    }
                    false => copied(active),
                };
                format!("if {active} == {width} {{ {whole} }} else {{ {some} }}")
            }
        };
        self.line(&text);
    }

    /// The lowest bits of each lane of a register, next to each other.
    fn narrowed(&mut self, lanes: &str, (from, to): (usize, usize)) -> String {
        let all = self.unit.width * from;
        let prefix = prefix(all);
        if self.unit.has_masks() {
            let text = format!("{prefix}_cvtepi{from}_epi{to}({lanes})");
            return self.name("narrow", &text);
        }
        // In each half the lowest bits come first; then the second half follows the first.
        let (step, taken) = (from / 8, to / 8);
        let first = (0..16 / step).flat_map(|lane| (0..taken).map(move |byte| lane * step + byte));
        let mut places: Vec<String> = first.map(|place| place.to_string()).collect();
        places.resize(16, "-1".to_owned());
        if all > 128 {
            places.extend(places.clone());
        }
        let places = format!("{prefix}_setr_epi8({})", places.join(", "));
        let halves = format!("{prefix}_shuffle_epi8({lanes}, {places})");
        let text = match (all, 16 * taken / step) {
            (256.., ..8) => format!(
                "_mm256_castsi256_si128(_mm256_permutevar8x32_epi32({halves}, \
                 _mm256_setr_epi32(0, 4, 0, 4, 0, 4, 0, 4)))"
            ),
            (256.., _) => {
                format!("_mm256_castsi256_si128(_mm256_permute4x64_epi64::<0b1000>({halves}))")
            }
            _ => halves,
        };
        self.name("narrow", &text)
    }
}
