//! Views: several dimensions in a buffer, in any order, with gaps, backwards.

use ndarray::{ArrayView, ArrayViewMut, Axis, Dimension, ShapeBuilder};

use super::random::Random;

/// Where the elements of a view are in its buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The place of the first element.
    pub first: usize,
    /// Extents.
    pub shape: Vec<usize>,
    /// Numbers from one element to the next, in each dimension.
    pub strides: Vec<isize>,
}

/// Which layouts views have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// One row after another, without gaps.
    Dense,
    /// Neighbours in a row are next to each other.
    Rows,
    /// Anything.
    Any,
}

impl Layout {
    /// A layout of a shape.
    pub fn new(shape: Vec<usize>, order: Order, random: &mut Random) -> Layout {
        let rank = shape.len();
        let mut axes: Vec<usize> = (0..rank).rev().collect();
        if order == Order::Any && random.chance(50) {
            for at in (1..rank).rev() {
                axes.swap(at, random.below(at + 1));
            }
        }
        let mut layout = Layout {
            first: 0,
            strides: vec![1; rank],
            shape,
        };
        let mut apart = 1;
        for axis in axes {
            let free = order == Order::Any || order == Order::Rows && axis + 1 < rank;
            if free && random.chance(30) {
                apart *= random.between(2, 3);
            }
            layout.strides[axis] = apart as isize;
            if free && random.chance(20) {
                layout.strides[axis] = -(apart as isize);
                layout.first += layout.shape[axis].saturating_sub(1) * apart;
            }
            apart *= layout.shape[axis].max(1);
            if order != Order::Dense && random.chance(30) {
                apart += random.between(1, 5);
            }
        }
        layout
    }

    /// Numbers from the first one in the buffer to the last one.
    pub fn count(&self) -> usize {
        if self.shape.contains(&0) {
            return 0;
        }
        let all = self.shape.iter().zip(&self.strides);
        1 + all.map(|(n, s)| (n - 1) * s.unsigned_abs()).sum::<usize>()
    }
}

/// A view as a call gets it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The element whose subscripts are zero.
    pub pointer: *mut u8,
    /// Extents.
    pub shape: &'a [usize],
    /// Strides.
    pub strides: &'a [isize],
}

impl View<'_> {
    /// Whether neighbours in the last dimension are next to each other.
    pub fn is_near(&self) -> bool {
        let (n, stride) = (self.shape.last(), self.strides.last());
        n.is_none_or(|n| *n <= 1) || stride == Some(&1)
    }

    /// The element at the lowest address, the extents and the distances.
    fn parts<T, D: Dimension>(&self) -> (*mut T, D, D) {
        let (mut shape, mut strides) = (D::zeros(self.shape.len()), D::zeros(self.shape.len()));
        let mut lowest = self.pointer.cast::<T>();
        for (axis, stride) in self.strides.iter().enumerate() {
            shape[axis] = self.shape[axis];
            strides[axis] = stride.unsigned_abs();
            if *stride < 0 {
                let back = self.shape[axis].saturating_sub(1) * stride.unsigned_abs();
                lowest = lowest.wrapping_sub(back);
            }
        }
        (lowest, shape, strides)
    }

    /// The dimensions that run backwards.
    fn backwards(&self) -> impl Iterator<Item = Axis> {
        let all = self.strides.iter().enumerate();
        all.filter(|(_, stride)| **stride < 0)
            .map(|(axis, _)| Axis(axis))
    }

    /// The view as `ndarray` has it.
    ///
    /// # Safety
    /// The elements are there, of this type, and nothing writes to them.
    pub unsafe fn shared<'b, T, D: Dimension>(&self) -> ArrayView<'b, T, D> {
        let (lowest, shape, strides) = self.parts::<T, D>();
        // SAFETY: the caller's.
        let mut view = unsafe { ArrayView::from_shape_ptr(shape.strides(strides), lowest) };
        self.backwards().for_each(|axis| view.invert_axis(axis));
        view
    }

    /// The view as `ndarray` has it, to be written.
    ///
    /// # Safety
    /// The elements are there, of this type, and nothing else uses them.
    pub unsafe fn mutable<'b, T, D: Dimension>(&self) -> ArrayViewMut<'b, T, D> {
        let (lowest, shape, strides) = self.parts::<T, D>();
        // SAFETY: the caller's.
        let mut view = unsafe { ArrayViewMut::from_shape_ptr(shape.strides(strides), lowest) };
        self.backwards().for_each(|axis| view.invert_axis(axis));
        view
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_places_of_their_own() {
        let mut random = Random::new(3);
        for at in 0..200 {
            let order = [Order::Dense, Order::Rows, Order::Any][at % 3];
            let shape: Vec<usize> = (0..1 + at % 2).map(|_| random.below(5)).collect();
            let layout = Layout::new(shape, order, &mut random);
            let mut numbers: Vec<f64> = (0..layout.count()).map(|n| n as f64).collect();
            let view = View {
                pointer: numbers.as_mut_ptr().wrapping_add(layout.first).cast(),
                shape: &layout.shape,
                strides: &layout.strides,
            };
            assert!(order == Order::Any || view.is_near(), "{layout:?}");
            // SAFETY: the layout's numbers are there.
            let elements = unsafe { view.shared::<f64, ndarray::IxDyn>() };
            let mut places: Vec<usize> = elements.iter().map(|place| *place as usize).collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(
                places.len(),
                layout.shape.iter().product::<usize>(),
                "{layout:?}"
            );
            assert_eq!(places.last().map_or(0, |last| last + 1), layout.count());
        }
    }
}
