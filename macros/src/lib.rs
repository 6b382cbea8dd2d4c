//! The procedural macros of loopwright.
