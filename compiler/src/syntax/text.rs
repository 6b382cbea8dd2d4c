//! What only the text knows.

/// A value of a known type that has no meaning in programs: a kernel with one runs as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// What it is.
    pub message: &'static str,
    /// What to write to have lanes.
    pub help: &'static str,
    /// It may panic, or change a variable: what it accesses cannot be checked before.
    pub panics: bool,
}
