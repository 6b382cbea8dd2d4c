//! The arguments of a call.

use std::rc::Rc;

use super::guarded::Guarded;

/// A buffer for each parameter, in order; scalars are buffers of one number.
#[derive(Debug)]
pub struct Arguments {
    buffers: Vec<Rc<Guarded>>,
    /// The parameters that are written.
    outputs: Vec<usize>,
}

impl Arguments {
    /// Arguments of which some are written.
    pub fn new(buffers: Vec<Guarded>, outputs: Vec<usize>) -> Arguments {
        Arguments {
            buffers: buffers.into_iter().map(Rc::new).collect(),
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

    /// Elements of a slice whose elements are so many numbers.
    pub fn length(&self, at: usize, numbers: usize) -> usize {
        self.buffers[at].count() / numbers
    }
}
