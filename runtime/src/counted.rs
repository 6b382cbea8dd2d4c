//! Numbers that count what is done with them, so that anyone can check a report.

use core::cell::Cell;
use core::cmp::Ordering;
use core::fmt;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::{Cost, Real, Scalar};

std::thread_local! {
    /// Every operation of this thread so far.
    static TOTAL: Cell<Cost> = const { Cell::new(Cost::ZERO) };
}

#[inline]
fn tally(update: impl FnOnce(&mut Cost)) {
    TOTAL.with(|total| {
        let mut cost = total.get();
        update(&mut cost);
        total.set(cost);
    });
}

/// A number that counts its operations, per thread, by the rules of [`Cost`].
///
/// Roundings (`floor`, …), `atan2`, `hypot` and the elementary functions are calls; `signum` and
/// `copysign` are free as `abs` is; `clamp` is two comparisons. Bytes are never counted.
///
/// ```
/// use loopwright_runtime::{Counted, Scalar};
///
/// fn dot<T: Scalar>(x: &[T], y: &[T]) -> T {
///     let mut sum = T::zero();
///     for i in 0..x.len() {
///         sum += x[i] * y[i];
///     }
///     sum
/// }
///
/// let x = [1.0, 2.0, 3.0].map(Counted::new);
/// let (sum, cost) = Counted::<f64>::count(|| dot(&x, &x));
/// assert_eq!(sum.value(), 14.0);
/// assert_eq!((cost.add, cost.mul, cost.operations()), (3, 3, 6));
/// ```
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct Counted<T>(T);

impl<T> Counted<T> {
    /// Wraps a number.
    #[inline]
    #[must_use]
    pub const fn new(value: T) -> Self {
        Counted(value)
    }

    /// The number inside.
    #[inline]
    #[must_use]
    pub fn value(self) -> T {
        self.0
    }

    /// Runs `body`; returns its result and what this thread's counted numbers (of any type) did
    /// meanwhile. Counts nest: what an inner one sees, the outer one sees too. Work on threads
    /// that `body` starts is not seen.
    pub fn count<R>(body: impl FnOnce() -> R) -> (R, Cost) {
        let before = TOTAL.get();
        let result = body();
        let after = TOTAL.get();
        let cost = Cost {
            add: after.add - before.add,
            mul: after.mul - before.mul,
            div: after.div - before.div,
            compare: after.compare - before.compare,
            call: after.call - before.call,
            ..Cost::ZERO
        };
        (result, cost)
    }
}

impl<T> From<T> for Counted<T> {
    #[inline]
    fn from(value: T) -> Self {
        Counted(value)
    }
}

impl<T: fmt::Debug> fmt::Debug for Counted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: fmt::Display> fmt::Display for Counted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

macro_rules! operators {
    ($($trait:ident::$method:ident, $assign:ident::$assign_method:ident, $field:ident;)*) => {$(
        impl<T: $trait<Output = T>> $trait for Counted<T> {
            type Output = Self;

            #[inline]
            fn $method(self, other: Self) -> Self {
                tally(|cost| cost.$field += 1);
                Counted(self.0.$method(other.0))
            }
        }

        impl<T: $assign> $assign for Counted<T> {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                tally(|cost| cost.$field += 1);
                self.0.$assign_method(other.0);
            }
        }
    )*};
}

operators! {
    Add::add, AddAssign::add_assign, add;
    Sub::sub, SubAssign::sub_assign, add;
    Mul::mul, MulAssign::mul_assign, mul;
    Div::div, DivAssign::div_assign, div;
}

impl<T: Neg<Output = T>> Neg for Counted<T> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Counted(-self.0)
    }
}

impl<T: PartialEq> PartialEq for Counted<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        tally(|cost| cost.compare += 1);
        self.0 == other.0
    }
}

/// `<` and its like go through `partial_cmp`: one comparison each.
impl<T: PartialOrd> PartialOrd for Counted<T> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        tally(|cost| cost.compare += 1);
        self.0.partial_cmp(&other.0)
    }
}

macro_rules! calls {
    ($($name:ident($($argument:ident),*);)*) => {$(
        #[inline]
        fn $name(self $(, $argument: Self)*) -> Self {
            tally(|cost| cost.call += 1);
            Counted(self.0.$name($($argument.0),*))
        }
    )*};
}

impl<T: Scalar> Scalar for Counted<T> {
    #[inline]
    fn zero() -> Self {
        Counted(T::zero())
    }

    #[inline]
    fn one() -> Self {
        Counted(T::one())
    }

    #[inline]
    fn from_f64(value: f64) -> Self {
        Counted(T::from_f64(value))
    }

    #[inline]
    fn mul_add(self, a: Self, b: Self) -> Self {
        tally(|cost| {
            cost.add += 1;
            cost.mul += 1;
        });
        Counted(self.0.mul_add(a.0, b.0))
    }

    #[inline]
    fn recip(self) -> Self {
        tally(|cost| cost.div += 1);
        Counted(self.0.recip())
    }

    #[inline]
    fn powi(self, n: i32) -> Self {
        tally(|cost| {
            cost.mul += u64::from(n.unsigned_abs().saturating_sub(1));
            cost.div += u64::from(n < 0);
        });
        Counted(self.0.powi(n))
    }

    calls! {
        sqrt(); cbrt(); exp(); exp2(); exp_m1(); ln(); ln_1p(); log2(); log10(); powf(exponent);
        sin(); cos(); tan(); asin(); acos(); atan(); sinh(); cosh(); tanh();
    }
}

impl<T: Real> Real for Counted<T> {
    #[inline]
    fn abs(self) -> Self {
        Counted(self.0.abs())
    }

    #[inline]
    fn min(self, other: Self) -> Self {
        tally(|cost| cost.compare += 1);
        Counted(self.0.min(other.0))
    }

    #[inline]
    fn max(self, other: Self) -> Self {
        tally(|cost| cost.compare += 1);
        Counted(self.0.max(other.0))
    }

    #[inline]
    fn signum(self) -> Self {
        Counted(self.0.signum())
    }

    #[inline]
    fn copysign(self, sign: Self) -> Self {
        Counted(self.0.copysign(sign.0))
    }

    #[inline]
    fn clamp(self, low: Self, high: Self) -> Self {
        tally(|cost| cost.compare += 2);
        Counted(self.0.clamp(low.0, high.0))
    }

    calls! { floor(); ceil(); round(); trunc(); atan2(x); hypot(other); }
}

#[cfg(test)]
mod tests {
    use super::*;

    type C = Counted<f64>;

    fn cost(body: impl FnOnce(C, C)) -> [u64; 5] {
        let ((), cost) = C::count(|| body(C::new(3.0), C::new(5.0)));
        assert_eq!((cost.temporary_bytes, cost.table_bytes), (0, 0));
        [cost.add, cost.mul, cost.div, cost.compare, cost.call]
    }

    #[test]
    fn each_operation_counts_by_the_rules() {
        let ignore = drop::<C>;
        assert_eq!(cost(|a, b| ignore(a + b)), [1, 0, 0, 0, 0]);
        assert_eq!(cost(|a, b| ignore(a - b)), [1, 0, 0, 0, 0]);
        assert_eq!(cost(|a, b| ignore(a * b)), [0, 1, 0, 0, 0]);
        assert_eq!(cost(|a, b| ignore(a / b)), [0, 0, 1, 0, 0]);
        assert_eq!(cost(|a, b| ignore(a.mul_add(b, b))), [1, 1, 0, 0, 0]);
        assert_eq!(cost(|a, _| ignore(a.recip())), [0, 0, 1, 0, 0]);
        assert_eq!(cost(|a, b| ignore(-a.abs().copysign(b).signum())), [0; 5]);
        assert_eq!(cost(|a, b| ignore(a.min(b).max(a))), [0, 0, 0, 2, 0]);
        assert_eq!(cost(|a, b| ignore(a.clamp(b, b))), [0, 0, 0, 2, 0]);
        assert_eq!(
            cost(|a, b| assert!(a < b && a <= b && a != b)),
            [0, 0, 0, 3, 0]
        );
        assert_eq!(
            cost(|a, b| ignore(a.sqrt().powf(b).floor())),
            [0, 0, 0, 0, 3]
        );
    }

    #[test]
    fn assignments_count_once() {
        let all = cost(|mut a, b| {
            a += b;
            a -= b;
            a *= b;
            a /= b;
            assert_eq!(a.value(), 3.0);
        });
        assert_eq!(all, [2, 1, 1, 0, 0]);
    }

    #[test]
    fn powers_count_as_written() {
        for (n, mul, div) in [
            (0, 0, 0),
            (1, 0, 0),
            (2, 1, 0),
            (5, 4, 0),
            (-1, 0, 1),
            (-3, 2, 1),
        ] {
            let counted = cost(|a, _| assert_eq!(a.powi(n).value(), 3.0_f64.powi(n)));
            assert_eq!(counted, [0, mul, div, 0, 0]);
        }
    }

    #[test]
    fn counts_nest() {
        let one = C::one();
        let (inner, outer) = C::count(|| {
            let _ = one + one;
            C::count(|| one * one).1
        });
        assert_eq!((inner.add, inner.mul), (0, 1));
        assert_eq!((outer.add, outer.mul), (1, 1));
    }

    #[test]
    fn threads_count_for_themselves() {
        let one = C::one();
        let (there, here) = C::count(|| {
            std::thread::spawn(move || C::count(|| one + one).1)
                .join()
                .unwrap()
        });
        assert_eq!((there.add, here.add), (1, 0));
    }

    #[test]
    fn a_panic_leaves_the_count_sound() {
        let one = C::one();
        let ((), cost) = C::count(|| {
            let caught = std::panic::catch_unwind(|| {
                C::count(|| {
                    let _ = one + one;
                    std::panic::resume_unwind(std::boxed::Box::new(()));
                })
            });
            assert!(caught.is_err());
        });
        assert_eq!(cost.add, 1);
    }

    #[test]
    fn a_counted_number_prints_as_the_number() {
        assert_eq!(
            std::format!("{} {:?}", C::from(1.5), C::new(2.0)),
            "1.5 2.0"
        );
    }
}
