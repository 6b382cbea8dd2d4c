//! Intrinsics that differ in the element type and the number of lanes only.

/// Functions of vectors, lane by lane.
macro_rules! lanes {
    ($vector:ident; $($name:ident |$($argument:ident),*| $value:expr;)*) => {$(
        pub fn $name($($argument: $vector),*) -> $vector {
            $vector(std::array::from_fn(|lane| {
                $(let $argument = $argument.0[lane];)*
                $value
            }))
        }
    )*};
}

/// A vector's type, and how it comes and goes.
macro_rules! vector {
    ($vector:ident, [$element:ty; $lanes:literal], $set1:ident $setzero:ident $loadu:ident $storeu:ident) => {
        #[derive(Clone, Copy, Debug)]
        pub struct $vector(pub(super) [$element; $lanes]);

        pub fn $set1(value: $element) -> $vector {
            $vector([value; $lanes])
        }

        pub fn $setzero() -> $vector {
            $vector([0.0; $lanes])
        }

        /// # Safety
        /// All lanes are readable.
        pub unsafe fn $loadu(pointer: *const $element) -> $vector {
            // SAFETY: the caller's.
            $vector(unsafe { memory::load_lanes(pointer, |_| true) })
        }

        /// # Safety
        /// All lanes are writable.
        pub unsafe fn $storeu(pointer: *mut $element, value: $vector) {
            // SAFETY: the caller's.
            unsafe { memory::store_lanes(pointer, value.0, |_| true) }
        }
    };
}

/// Intrinsics that 256-bit units have in this form only: masks are vectors, of which the sign counts.
macro_rules! masks_as_vectors {
    ($vector:ident, $element:ty, $active:expr;
     $maskload:ident $maskstore:ident $blendv:ident $cmp:ident $permute:ident) => {
        /// # Safety
        /// The active lanes are readable.
        pub unsafe fn $maskload(pointer: *const $element, mask: __m256i) -> $vector {
            // SAFETY: the caller's.
            $vector(unsafe { memory::load_lanes(pointer, |lane| $active(&mask, lane)) })
        }

        /// # Safety
        /// The active lanes are writable.
        pub unsafe fn $maskstore(pointer: *mut $element, mask: __m256i, value: $vector) {
            // SAFETY: the caller's.
            unsafe { memory::store_lanes(pointer, value.0, |lane| $active(&mask, lane)) }
        }

        lanes! { $vector; $blendv |a, b, mask| if mask.is_sign_negative() { b } else { a }; }

        pub fn $cmp<const PREDICATE: i32>(a: $vector, b: $vector) -> $vector {
            $vector(std::array::from_fn(|lane| {
                if holds(PREDICATE, a.0[lane], b.0[lane]) {
                    <$element>::from_bits(!0)
                } else {
                    0.0
                }
            }))
        }

        pub fn $permute<const SELECT: i32>(a: $vector, b: $vector) -> $vector {
            assert_eq!(SELECT & 0x88, 0, "no expansion clears parts");
            let part = |shift: i32| {
                let select = SELECT >> shift & 3;
                (if select < 2 { &a.0 } else { &b.0 }, select as usize % 2)
            };
            $vector(shuffle::parts([part(0), part(4)]))
        }
    };
}

/// Intrinsics of AVX-512, for vectors of any width: masks are integers.
macro_rules! masks_as_bits {
    ($vector:ident, $element:ty, $mask:ty; $load:ident $store:ident $blend:ident $cmp:ident) => {
        /// # Safety
        /// The active lanes are readable.
        pub unsafe fn $load(mask: $mask, pointer: *const $element) -> $vector {
            // SAFETY: the caller's.
            $vector(unsafe { memory::load_lanes(pointer, |lane| mask >> lane & 1 == 1) })
        }

        /// # Safety
        /// The active lanes are writable.
        pub unsafe fn $store(pointer: *mut $element, mask: $mask, value: $vector) {
            // SAFETY: the caller's.
            unsafe { memory::store_lanes(pointer, value.0, |lane| mask >> lane & 1 == 1) }
        }

        pub fn $blend(mask: $mask, a: $vector, b: $vector) -> $vector {
            $vector(std::array::from_fn(|lane| {
                if mask >> lane & 1 == 1 {
                    b.0[lane]
                } else {
                    a.0[lane]
                }
            }))
        }

        pub fn $cmp<const PREDICATE: i32>(a: $vector, b: $vector) -> $mask {
            let holds = |lane: usize| holds(PREDICATE, a.0[lane], b.0[lane]);
            (0..a.0.len()).fold(0, |mask, lane| mask | <$mask>::from(holds(lane)) << lane)
        }
    };
}

/// Rounding to integers, of vectors of up to 256 bits.
macro_rules! rounding {
    ($vector:ident; $round:ident) => {
        pub fn $round<const HOW: i32>(a: $vector) -> $vector {
            $vector(a.0.map(|lane| match HOW {
                0x0b => lane.trunc(),
                0x08 => lane.round_ties_even(),
                _ => panic!("no expansion rounds by {HOW:#x}"),
            }))
        }
    };
}

/// Intrinsics of vectors of 512 bits alone.
macro_rules! widest {
    ($vector:ident; $shuffle:ident $roundscale:ident) => {
        pub fn $shuffle<const SELECT: i32>(a: $vector, b: $vector) -> $vector {
            let part = |from: usize| (SELECT >> (2 * from) & 3) as usize;
            $vector(shuffle::parts([
                (&a.0, part(0)),
                (&a.0, part(1)),
                (&b.0, part(2)),
                (&b.0, part(3)),
            ]))
        }

        pub fn $roundscale<const HOW: i32>(a: $vector) -> $vector {
            $vector(a.0.map(|lane| match HOW {
                0x09 => lane.floor(),
                0x0a => lane.ceil(),
                0x0b => lane.trunc(),
                0x08 => lane.round_ties_even(),
                _ => panic!("no expansion rounds by {HOW:#x}"),
            }))
        }
    };
}

pub(super) use {lanes, masks_as_bits, masks_as_vectors, rounding, vector, widest};
