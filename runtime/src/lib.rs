//! Run time of loopwright.
