use super::*;

/// Whether the value of `x` is within `bound` of the exact integer.
fn near(x: Number, integer: i64, bound: f64) -> bool {
    (x - Number::from_i64(integer)).to_f64().abs() <= bound
}

#[test]
fn thirds_add_up_in_both_sides() {
    let third = Number::ratio(1, 3);
    let sum = third + third + third;
    assert!(near(sum, 1, 1e-31));
    assert_eq!(sum.field(), Field::ONE);
    assert!(sum.snapped(1e-25).is_one());
    assert_eq!(third.to_f64(), 1.0 / 3.0);
}

#[test]
fn arithmetic_keeps_32_digits() {
    for n in 1..60_i64 {
        for d in 1..60_i64 {
            let x = Number::ratio(n, d);
            assert_eq!(x.to_f64(), n as f64 / d as f64);
            let back = x * Number::from_i64(d);
            assert!(near(back, n, 1e-30), "{n}/{d}");
            assert_eq!(back.field(), Field::from_i64(n));
            let inverse = Number::ONE / x;
            assert!(near(inverse * x, 1, 1e-31));
            assert_eq!((inverse * x).field(), Field::ONE);
            let difference = x - Number::ratio(n * 7, d * 7);
            assert!(difference.to_f64().abs() < 1e-30);
            assert_eq!(difference.field(), Field::ZERO);
        }
    }
}

#[test]
fn integers_are_exact() {
    for n in [0, 1, -1, i64::MAX, i64::MIN, (1 << 60) + 1] {
        let x = Number::from_i64(n);
        let (hi, lo) = x.parts();
        assert_eq!(hi as i128 + lo as i128, i128::from(n));
        assert!((x - x).is_zero());
    }
}

#[test]
fn predicates_want_both_sides() {
    assert!(Number::ZERO.is_zero() && Number::ONE.is_one());
    assert!((-Number::ONE).is_minus_one() && !Number::ONE.is_minus_one());
    assert!(Number::from_f64(-0.0).is_zero());
    let third = Number::ratio(1, 3);
    assert!(!(third - Number::from_parts(third.parts().0, third.parts().1)).is_zero());
}

#[test]
fn keys_are_total() {
    let nan = Number::from_f64(f64::NAN);
    assert_eq!(nan.key(), nan.key());
    assert_ne!(Number::from_f64(-0.0).key(), Number::ZERO.key());
    assert_ne!(Number::ratio(1, 3).key(), Number::from_f64(1.0 / 3.0).key());
    assert_eq!(Number::ratio(1, 3).key(), Number::ratio(1, 3).key());
    assert_eq!((-Number::from_i64(2)).key(), Number::from_i64(-2).key());
}

#[test]
fn powers() {
    assert!(Number::ZERO.powi(0).is_one());
    assert_eq!(Number::from_i64(3).powi(5), Number::from_i64(243));
    assert_eq!(
        Number::ratio(2, 3).powi(3).field(),
        Number::ratio(8, 27).field()
    );
}

#[test]
fn roots() {
    assert_eq!(Number::from_f64(2.25).sqrt(), Number::from_f64(1.5));
    assert!(Number::ZERO.sqrt().is_zero());
    let root = Number::from_i64(5).sqrt();
    assert!(near(root * root, 5, 1e-30));
    assert_eq!(root.field(), (Number::ratio(10, 2)).sqrt().field());
    assert!(Number::from_i64(-1).sqrt().to_f64().is_nan());
}

#[test]
fn overflow_leaves_infinities_clean() {
    let big = Number::from_f64(f64::MAX);
    assert_eq!((big + big).parts(), (f64::INFINITY, 0.0));
    assert_eq!((big * big).parts(), (f64::INFINITY, 0.0));
    assert_eq!((Number::ONE / Number::ZERO).parts(), (f64::INFINITY, 0.0));
    assert_eq!((Number::ONE / (big * big)).parts(), (0.0, 0.0));
    assert_eq!((Number::ONE / Number::ZERO).field(), Field::ZERO);
}

#[test]
fn zeros_keep_their_sign_as_floats_do() {
    let minus = Number::from_f64(-0.0);
    for (x, negative) in [
        (minus + minus, true),
        (minus + Number::ZERO, false),
        (minus * Number::ONE, true),
        (minus / Number::from_i64(3), true),
        (Number::ONE - Number::ONE, false),
    ] {
        assert!(x.is_zero());
        assert_eq!(x.to_f64().is_sign_negative(), negative);
    }
}

#[test]
fn decimals() {
    assert_eq!(Number::from_decimal("-12.5"), Some(Number::from_f64(-12.5)));
    assert_eq!(Number::from_decimal("2/3"), Some(Number::ratio(2, 3)));
    assert_eq!(Number::from_decimal("1/0"), None);
    assert_eq!(Number::from_decimal("."), None);
    assert_eq!(Number::from_decimal("1e5"), None);
    let third = Number::from_decimal("0.33333333333333333333333333333333333333").unwrap();
    let difference = third - Number::ratio(1, 3);
    assert!(difference.to_f64().abs() < 1e-31);
    let tenth = Number::from_decimal("0.1").unwrap();
    assert_eq!(tenth.field() * Field::from_i64(10), Field::ONE);
}

#[test]
fn dot_agrees_with_operators() {
    let a: Vec<_> = (1..90).map(|n| Number::ratio(n, 7 + n * n)).collect();
    let b: Vec<_> = (1..90).map(|n| Number::ratio(5 - n, 3 + n)).collect();
    let plain = a
        .iter()
        .zip(&b)
        .fold(Number::ZERO, |sum, (&x, &y)| sum + x * y);
    let fast = Number::dot(a.iter().copied().zip(b.iter().copied()));
    assert_eq!(plain.field(), fast.field());
    assert!((plain - fast).to_f64().abs() < 1e-30);
}
