//! The methods of views that kernels know.

use ndarray::{ArrayBase, Axis, RawData};

use super::Own;

macro_rules! methods {
    ($(#[$about:meta])* $name:ident, $receiver:ty) => {
        $(#[$about])*
        pub trait $name: Sized {
            /// Hides it.
            fn nrows(self: $receiver) -> Own {
                Own
            }
            /// Hides it.
            fn ncols(self: $receiver) -> Own {
                Own
            }
            /// Hides it.
            fn dim(self: $receiver) -> Own {
                Own
            }
            /// Hides it.
            fn shape(self: $receiver) -> Own {
                Own
            }
            /// Hides it.
            fn len(self: $receiver) -> Own {
                Own
            }
            /// Hides it.
            fn len_of(self: $receiver, _: Axis) -> Own {
                Own
            }
        }

        impl<S: RawData, D> $name for ArrayBase<S, D> {}
    };
}

methods!(
    /// Found last before the methods that a view has by value.
    OfView,
    Self
);
methods!(
    /// Found last before the methods that a view has behind a mutable reference.
    OfMutableView,
    &mut Self
);
