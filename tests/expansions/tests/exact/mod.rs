//! Exact arithmetic for tests of rounding errors.

#![allow(dead_code, reason = "each test uses a part")]

use std::cell::RefCell;
use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use loopwright::{Bounded, Real, Scalar};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

thread_local! {
    /// The numbers of this thread: a scalar can be copied, a large number cannot.
    static NUMBERS: RefCell<Vec<BigRational>> = const { RefCell::new(Vec::new()) };
}

/// A rational number: the place of one.
#[derive(Clone, Copy, Debug)]
pub struct Exact(usize);

impl Exact {
    /// The nearest rational number: itself.
    pub fn new(value: f64) -> Exact {
        Exact::of(BigRational::from_float(value).expect("a finite number"))
    }

    fn of(value: BigRational) -> Exact {
        NUMBERS.with_borrow_mut(|numbers| {
            numbers.push(value);
            Exact(numbers.len() - 1)
        })
    }

    fn value(self) -> BigRational {
        NUMBERS.with_borrow(|numbers| numbers[self.0].clone())
    }

    /// How far a number is from it.
    pub fn error_of(self, found: f64) -> f64 {
        match BigRational::from_float(found) {
            Some(found) => (found - self.value()).abs().to_f64().expect("a number"),
            None => f64::INFINITY,
        }
    }
}

macro_rules! operators {
    ($($trait:ident::$method:ident, $assign:ident::$assign_method:ident;)*) => {$(
        impl $trait for Exact {
            type Output = Exact;

            fn $method(self, other: Exact) -> Exact {
                Exact::of(self.value().$method(other.value()))
            }
        }

        impl $assign for Exact {
            fn $assign_method(&mut self, other: Exact) {
                *self = $trait::$method(*self, other);
            }
        }
    )*};
}

operators! {
    Add::add, AddAssign::add_assign;
    Sub::sub, SubAssign::sub_assign;
    Mul::mul, MulAssign::mul_assign;
    Div::div, DivAssign::div_assign;
}

impl Neg for Exact {
    type Output = Exact;

    fn neg(self) -> Exact {
        Exact::of(-self.value())
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Exact) -> bool {
        self.value() == other.value()
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Exact) -> Option<Ordering> {
        self.value().partial_cmp(&other.value())
    }
}

impl Scalar for Exact {
    fn zero() -> Exact {
        Exact::of(BigRational::zero())
    }

    fn one() -> Exact {
        Exact::of(BigRational::from_integer(BigInt::from(1)))
    }

    fn from_f64(value: f64) -> Exact {
        Exact::new(value)
    }
}

impl Real for Exact {
    fn abs(self) -> Exact {
        Exact::of(self.value().abs())
    }

    fn min(self, other: Exact) -> Exact {
        if other < self { other } else { self }
    }

    fn max(self, other: Exact) -> Exact {
        if other > self { other } else { self }
    }

    fn signum(self) -> Exact {
        Exact::of(self.value().signum())
    }

    fn copysign(self, sign: Exact) -> Exact {
        let negative = sign.value().is_negative() != self.value().is_negative();
        if negative { -self } else { self }
    }
}

/// The largest error of a block of results over the largest bound of the reference's; zero where all
/// is exact.
pub fn ratio(found: &[f64], exact: &[Exact], reference: &[Bounded]) -> f64 {
    assert_eq!(found.len(), exact.len());
    let errors = found
        .iter()
        .zip(exact)
        .map(|(found, exact)| exact.error_of(*found));
    let error = errors.fold(0.0, f64::max);
    let bound = reference
        .iter()
        .map(|value| value.error())
        .fold(0.0, f64::max);
    match error == 0.0 {
        true => 0.0,
        false => error / bound,
    }
}

/// Forgets the numbers of this thread.
pub fn forget() {
    NUMBERS.with_borrow_mut(Vec::clear);
}
