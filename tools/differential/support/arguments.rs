//! The arguments of a call.

use std::rc::Rc;

use super::guarded::Guarded;
use super::views::{Layout, View};

/// A buffer for each parameter, in order; scalars are buffers of one number.
#[derive(Debug)]
pub struct Arguments {
    buffers: Vec<Rc<Guarded>>,
    /// Of each, how it is seen if it is a view.
    layouts: Rc<[Layout]>,
    /// The parameters that are written.
    outputs: Vec<usize>,
}

impl Arguments {
    /// Arguments of which some are written.
    pub fn new(buffers: Vec<(Guarded, Layout)>, outputs: Vec<usize>) -> Arguments {
        let (buffers, layouts): (Vec<_>, Vec<_>) = buffers.into_iter().unzip();
        Arguments {
            buffers: buffers.into_iter().map(Rc::new).collect(),
            layouts: layouts.into(),
            outputs,
        }
    }

    /// The same arguments, what is written in buffers of its own.
    #[must_use]
    pub fn fresh(&self) -> Arguments {
        let mut buffers = self.buffers.clone();
        for output in &self.outputs {
            buffers[*output] = Rc::new(Guarded::clone(&buffers[*output]));
        }
        Arguments {
            buffers,
            layouts: Rc::clone(&self.layouts),
            outputs: self.outputs.clone(),
        }
    }

    /// The buffers of outputs.
    pub fn outputs(&self) -> impl Iterator<Item = &Guarded> {
        self.outputs.iter().map(|at| &*self.buffers[*at])
    }

    /// The first number of a parameter.
    pub fn pointer(&self, at: usize) -> *mut u8 {
        self.buffers[at].pointer()
    }

    /// A parameter that is a view.
    pub fn view(&self, at: usize) -> View<'_> {
        let (buffer, layout) = (&self.buffers[at], &self.layouts[at]);
        let first = layout.first * buffer.scalar().bytes();
        View {
            pointer: buffer.pointer().wrapping_add(first),
            shape: &layout.shape,
            strides: &layout.strides,
        }
    }

    /// Elements of a slice whose elements are so many numbers.
    pub fn length(&self, at: usize, numbers: usize) -> usize {
        self.buffers[at].count() / numbers
    }
}
