//! Exact constants as text.

use super::lexer::digits;
use crate::number::{Field, Number, greatest_common_divisor};

/// Denominators of quotients that are recognised.
const LARGEST_DENOMINATOR: i64 = 1000;

/// The text of a number, as short as possible; a negative one starts with a minus.
pub fn print(number: Number) -> String {
    if is_negative(number) {
        return format!("-{}", print(-number));
    }
    let (hi, lo) = number.parts();
    let same = |text: &String| lex(text).is_some_and(|(n, _)| n.key() == number.key());
    let decimal = part(hi);
    if same(&decimal) {
        return decimal;
    }
    let integer = format!("{}", hi as i128 + lo as i128);
    if same(&integer) {
        return integer;
    }
    quotient(number).unwrap_or_else(|| {
        let sign = if lo.is_sign_negative() { '-' } else { '+' };
        let lo = part(lo.abs());
        format!("{decimal}{sign}{lo}~{:x}", number.field().value())
    })
}

/// Whether a number is printed with its image in the field: its value does not say that.
pub fn has_image(number: Number) -> bool {
    print(number).contains('~')
}

/// Whether a number is printed with a minus.
pub fn is_negative(number: Number) -> bool {
    let hi = number.to_f64();
    hi.is_sign_negative() && hi.is_finite()
}

/// An `f64` that is not negative, or not finite.
fn part(value: f64) -> String {
    let usual = [f64::INFINITY, f64::NAN].map(f64::to_bits);
    if !value.is_finite() && !usual.contains(&value.to_bits()) {
        return format!("#{:016x}", value.to_bits());
    }
    let text = format!("{value:?}");
    match text.as_str() {
        "NaN" => "#nan".to_owned(),
        "inf" => "#inf".to_owned(),
        _ => text.strip_suffix(".0").unwrap_or(&text).to_owned(),
    }
}

fn quotient(number: Number) -> Option<String> {
    let value = number.to_f64();
    let integer = |denominator: i64| {
        let product = value * denominator as f64;
        let nearest = product.round();
        (nearest < 1e9 && (product - nearest).abs() <= 1e-14 * nearest).then_some(nearest as i64)
    };
    (2..=LARGEST_DENOMINATOR).find_map(|denominator| {
        let numerator = integer(denominator)?;
        // What can be reduced was tried with its smaller denominator.
        let divisor = greatest_common_divisor(numerator as u64, denominator as u64);
        if divisor > 1 {
            return None;
        }
        let found = Number::ratio(numerator, denominator);
        (found.key() == number.key()).then(|| format!("{numerator}/{denominator}"))
    })
}

/// The number without sign that a text starts with, and its length.
pub fn lex(text: &str) -> Option<(Number, usize)> {
    let (hi, length) = lex_part(text)?;
    let rest = &text[length..];
    if let Some(sign) = rest.chars().next().filter(|c| matches!(c, '+' | '-'))
        && let Some((lo, count)) = lex_part(&rest[1..])
        && let Some(field) = rest[1 + count..].strip_prefix('~')
    {
        let hex = field.bytes().take_while(u8::is_ascii_hexdigit).count();
        let value = u64::from_str_radix(&field[..hex], 16).ok()?;
        let lo = if sign == '-' { -lo } else { lo };
        let number = Number::from_raw(hi, lo, Field::from_u64(value));
        return Some((number, length + 1 + count + 1 + hex));
    }
    if let Ok(numerator) = text[..length].parse::<i64>() {
        if let Some(denominator) = rest.strip_prefix('/') {
            let count = digits(denominator);
            match denominator[..count].parse::<i64>() {
                Ok(0) => return None,
                Ok(d) => return Some((Number::ratio(numerator, d), length + 1 + count)),
                Err(_) => {}
            }
        }
        return Some((Number::from_i64(numerator), length));
    }
    Some((Number::from_f64(hi), length))
}

/// The `f64` without sign that a text starts with, and its length.
fn lex_part(text: &str) -> Option<(f64, usize)> {
    if let Some(special) = text.strip_prefix('#') {
        let length = special
            .bytes()
            .take_while(u8::is_ascii_alphanumeric)
            .count();
        let value = match &special[..length] {
            "inf" => f64::INFINITY,
            "nan" => f64::NAN,
            hex if hex.len() == 16 => f64::from_bits(u64::from_str_radix(hex, 16).ok()?),
            _ => return None,
        };
        return Some((value, 1 + length));
    }
    let mut length = digits(text);
    if length == 0 {
        return None;
    }
    if let Some(fraction) = text[length..].strip_prefix('.') {
        let count = digits(fraction);
        // `0..4` is a range.
        if count > 0 {
            length += 1 + count;
        }
    }
    if text[length..].starts_with(['e', 'E']) {
        let exponent = &text[length + 1..];
        let sign = usize::from(exponent.starts_with(['+', '-']));
        let count = digits(&exponent[sign..]);
        if count > 0 {
            length += 1 + sign + count;
        }
    }
    Some((text[..length].parse().ok()?, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: Number) -> String {
        let text = print(number);
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, &text[..]),
        };
        let (back, length) = lex(rest).unwrap();
        assert_eq!(length, rest.len(), "{text}");
        let back = if negative { -back } else { back };
        assert_eq!(back.key(), number.key(), "{text}");
        text
    }

    #[test]
    fn numbers_print_short_and_exact() {
        let float = |value| text(Number::from_f64(value));
        assert_eq!(float(0.5), "0.5");
        assert_eq!(float(-2.0), "-2");
        assert_eq!(float(-0.0), "-0");
        assert_eq!(float(1e300), "1e300");
        assert_eq!(float(-5e-324), "-5e-324");
        assert_eq!(float(0.1), "0.1");
        assert_eq!(float(f64::NEG_INFINITY), "#fff0000000000000");
        assert_eq!(float(f64::NAN), "#nan");
        assert_eq!(float(-f64::NAN), "#fff8000000000000");
        assert_eq!(text(Number::ratio(-2, 6)), "-1/3");
        assert_eq!(text(Number::ratio(1, 10)), "1/10");
        assert_eq!(text(Number::ratio(1, 4)), "0.25");
        assert_eq!(text(Number::from_i64((1 << 60) + 1)), "1152921504606846977");
        assert!(text(Number::from_i64(5).sqrt()).starts_with("2.23606797749979-"));
        text(Number::ONE / Number::ZERO);
        text(Number::from_i64(-3).sqrt());
        text(-Number::from_i64(3).sqrt() * Number::ratio(1, 7));
        let mut state = 1u64;
        for _ in 0..20_000 {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            float(f64::from_bits(state));
            text(Number::from_i64(state as i64));
        }
    }

    #[test]
    fn numbers_end_where_they_end() {
        for (source, length) in [
            ("0..4", 1),
            ("2e", 1),
            ("2e3x", 3),
            ("1/x", 1),
            ("1/3]", 3),
            ("2+3", 1),
        ] {
            assert_eq!(lex(source).unwrap().1, length, "{source}");
        }
        assert!(lex("1/0").is_none());
        assert!(lex("#12").is_none());
    }
}
