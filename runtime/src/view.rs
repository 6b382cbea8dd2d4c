//! Memory with a distance between neighbours along each axis: how kernels reach the elements of
//! `ndarray`'s arrays.
//!
//! A kernel checks its subscripts against the extents of its parameters, and then reads and writes
//! through a pointer. So these extents must be true. A macro sees the name of a type and not the
//! type: what is called `ArrayView2` may be anything, and so may its methods. An expansion therefore
//! asks no method of a parameter; it takes a [`View`] of it, which only `unsafe` code makes.

use core::marker::PhantomData;

/// Elements that may be read, by a pointer, extents, and distances between neighbours.
#[derive(Clone, Copy, Debug)]
pub struct View<'a, T, const RANK: usize> {
    pointer: *const T,
    shape: [usize; RANK],
    strides: [isize; RANK],
    elements: PhantomData<&'a T>,
}

/// Elements that may be written, by a pointer, extents, and distances between neighbours.
#[derive(Debug)]
pub struct ViewMut<'a, T, const RANK: usize> {
    pointer: *mut T,
    shape: [usize; RANK],
    strides: [isize; RANK],
    elements: PhantomData<&'a mut T>,
}

impl<T, const RANK: usize> View<'_, T, RANK> {
    /// A view of memory.
    ///
    /// # Safety
    ///
    /// For all subscripts below `shape`, `pointer` moved by the sum of each one times its stride (in
    /// elements) points at a value that may be read as long as the view lives, and that nothing
    /// writes meanwhile. No such sum, nor a part of it, exceeds `isize::MAX` bytes.
    #[inline(always)]
    #[must_use]
    pub const unsafe fn new(
        pointer: *const T,
        shape: [usize; RANK],
        strides: [isize; RANK],
    ) -> Self {
        View {
            pointer,
            shape,
            strides,
            elements: PhantomData,
        }
    }

    /// The element at some subscripts.
    ///
    /// # Panics
    /// If one of them is not below its extent.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn element(&self, at: [usize; RANK]) -> &T {
        crate::checks::inside(at, self.shape);
        let steps = at.iter().zip(&self.strides);
        let offset = steps.map(|(at, stride)| (*at as isize).wrapping_mul(*stride));
        let offset = offset.fold(0, isize::wrapping_add);
        // SAFETY: subscripts below the extents lead to values that may be read.
        unsafe { &*self.pointer.offset(offset) }
    }

    /// The element whose subscripts are all 0.
    #[inline(always)]
    #[must_use]
    pub const fn pointer(&self) -> *const T {
        self.pointer
    }

    /// The extents, outermost first.
    #[inline(always)]
    #[must_use]
    pub const fn shape(&self) -> [usize; RANK] {
        self.shape
    }

    /// The distances between neighbours, in elements.
    #[inline(always)]
    #[must_use]
    pub const fn strides(&self) -> [isize; RANK] {
        self.strides
    }

    /// Whether there are so many elements along two axes, and those along the second one, a row, end where the next row
    /// begins.
    #[inline(always)]
    #[must_use]
    pub fn follows(&self, axes: [usize; 2], extents: [usize; 2]) -> bool {
        follows((&self.shape, &self.strides), axes, extents)
    }

    /// The same elements with one such row, if that is how they lie.
    #[inline(always)]
    #[must_use]
    pub fn joint(self, axes: [usize; 2]) -> Self {
        let shape = joint((self.shape, &self.strides), axes);
        Self { shape, ..self }
    }
}

impl<T, const RANK: usize> ViewMut<'_, T, RANK> {
    /// A view of memory that may be written.
    ///
    /// # Safety
    ///
    /// As for [`View::new`]; different subscripts lead to different elements, and nothing else
    /// reads or writes any of them as long as the view lives.
    #[inline(always)]
    #[must_use]
    pub const unsafe fn new(pointer: *mut T, shape: [usize; RANK], strides: [isize; RANK]) -> Self {
        ViewMut {
            pointer,
            shape,
            strides,
            elements: PhantomData,
        }
    }

    /// The element whose subscripts are all 0.
    #[inline(always)]
    #[must_use]
    pub const fn pointer(&mut self) -> *mut T {
        self.pointer
    }

    /// The extents, outermost first.
    #[inline(always)]
    #[must_use]
    pub const fn shape(&self) -> [usize; RANK] {
        self.shape
    }

    /// The distances between neighbours, in elements.
    #[inline(always)]
    #[must_use]
    pub const fn strides(&self) -> [isize; RANK] {
        self.strides
    }

    /// Whether there are so many elements along two axes, and those along the second one, a row, end where the next row
    /// begins.
    #[inline(always)]
    #[must_use]
    pub fn follows(&self, axes: [usize; 2], extents: [usize; 2]) -> bool {
        follows((&self.shape, &self.strides), axes, extents)
    }

    /// The same elements with one such row, if that is how they lie.
    #[inline(always)]
    #[must_use]
    pub fn joint(self, axes: [usize; 2]) -> Self {
        let shape = joint((self.shape, &self.strides), axes);
        Self { shape, ..self }
    }
}

/// Whether there are so many elements along two axes, and those along the second one end where the next ones begin.
#[inline(always)]
fn follows<const RANK: usize>(
    (shape, strides): (&[usize; RANK], &[isize; RANK]),
    [outer, inner]: [usize; 2],
    [rows, row]: [usize; 2],
) -> bool {
    let next =
        isize::try_from(row).is_ok_and(|row| row.wrapping_mul(strides[inner]) == strides[outer]);
    next && shape[outer] == rows && shape[inner] == row && rows.checked_mul(row).is_some()
}

/// The extents with one such row in the place of all of them.
#[inline(always)]
fn joint<const RANK: usize>(
    (mut shape, strides): ([usize; RANK], &[isize; RANK]),
    [outer, inner]: [usize; 2],
) -> [usize; RANK] {
    if follows(
        (&shape, strides),
        [outer, inner],
        [shape[outer], shape[inner]],
    ) {
        shape[inner] *= shape[outer];
        shape[outer] = 1;
    }
    shape
}

/// What kernels can take a [`View`] of: with the feature `ndarray`, that crate's arrays and views.
#[diagnostic::on_unimplemented(
    message = "kernels cannot read `{Self}` as an array of {RANK} dimensions",
    label = "no array of `ndarray`, or not of the version that `loopwright` knows",
    note = "kernels take `ndarray`'s types with the feature `ndarray` of `loopwright`"
)]
pub trait Strided<T, const RANK: usize> {
    /// The elements, to be read.
    fn strided(&self) -> View<'_, T, RANK>;
}

/// What kernels can take a [`ViewMut`] of: with the feature `ndarray`, that crate's arrays and
/// mutable views.
#[diagnostic::on_unimplemented(
    message = "kernels cannot write `{Self}` as an array of {RANK} dimensions",
    label = "no array of `ndarray`, or not of the version that `loopwright` knows",
    note = "kernels take `ndarray`'s types with the feature `ndarray` of `loopwright`"
)]
pub trait StridedMut<T, const RANK: usize> {
    /// The elements, to be written.
    fn strided_mut(&mut self) -> ViewMut<'_, T, RANK>;
}

/// The elements of a parameter that is read. A function, so that no method of the same name can be
/// meant.
#[inline(always)]
#[must_use]
pub fn shared<T, const RANK: usize>(of: &impl Strided<T, RANK>) -> View<'_, T, RANK> {
    of.strided()
}

/// The elements of a parameter that is written.
#[inline(always)]
#[must_use]
pub fn mutable<T, const RANK: usize>(of: &mut impl StridedMut<T, RANK>) -> ViewMut<'_, T, RANK> {
    of.strided_mut()
}

#[cfg(feature = "ndarray")]
mod arrays {
    use ndarray::{ArrayBase, Data, DataMut, Dim};

    use super::{Strided, StridedMut, View, ViewMut};

    macro_rules! strided {
        ($($rank:literal),*) => {$(
            impl<T, S: Data<Elem = T>> Strided<T, $rank> for ArrayBase<S, Dim<[usize; $rank]>> {
                #[inline(always)]
                fn strided(&self) -> View<'_, T, $rank> {
                    let (shape, strides) = (self.shape(), self.strides());
                    let shape = core::array::from_fn(|axis| shape[axis]);
                    let strides = core::array::from_fn(|axis| strides[axis]);
                    // SAFETY: that is what `ndarray` promises of its pointer, shape and strides
                    // (`ArrayView::from_shape_ptr` asks as much), for the borrow of `self`.
                    unsafe { View::new(self.as_ptr(), shape, strides) }
                }
            }

            impl<T, S: DataMut<Elem = T>> StridedMut<T, $rank>
                for ArrayBase<S, Dim<[usize; $rank]>>
            {
                #[inline(always)]
                fn strided_mut(&mut self) -> ViewMut<'_, T, $rank> {
                    // First, since what is shared is copied here.
                    let pointer = self.as_mut_ptr();
                    let (shape, strides) = (self.shape(), self.strides());
                    let shape = core::array::from_fn(|axis| shape[axis]);
                    let strides = core::array::from_fn(|axis| strides[axis]);
                    // SAFETY: as above, for the exclusive borrow of `self`; of mutable arrays no two
                    // subscripts lead to one element.
                    unsafe { ViewMut::new(pointer, shape, strides) }
                }
            }
        )*};
    }

    strided!(1, 2, 3, 4, 5, 6);
}

#[cfg(all(test, feature = "ndarray"))]
mod tests {
    use ndarray::{Array2, ArrayView2, s};

    use super::{mutable, shared};

    #[test]
    fn views_are_those_of_ndarray() {
        let numbers = Array2::from_shape_fn((3, 4), |(i, j)| 10 * i + j);
        let view: ArrayView2<usize> = numbers.slice(s![..;-1, 1..;2]);
        let found = shared::<_, 2>(&view);
        assert_eq!((found.shape(), found.strides()), ([3, 2], [-4, 2]));
        // SAFETY: an element of the array.
        assert_eq!(unsafe { *found.pointer() }, 21);
        let mut numbers = numbers.clone();
        let mut found = mutable::<_, 2>(&mut numbers);
        assert_eq!((found.shape(), found.strides()), ([3, 4], [4, 1]));
        // SAFETY: an element of the array.
        unsafe { *found.pointer() = 5 };
        assert_eq!(numbers[[0, 0]], 5);
    }
}
