//! Why lowering stops.

use super::findings::Finding;
use crate::diagnostics::Span;

/// Why a kernel cannot be lowered.
#[derive(Debug)]
pub struct Problem {
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
    /// The kernel is right, but it has no program: it can run as written.
    pub opaque: bool,
    /// What lowering must know from the start, to get further than this.
    pub(super) finding: Option<Box<Finding>>,
}

pub(super) type Result<T> = std::result::Result<T, Problem>;

/// What the user can write otherwise.
pub(super) fn problem<T>(
    span: impl Into<Span>,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Result<T> {
    Err(Problem {
        span: span.into(),
        message: message.into(),
        help: help.into(),
        opaque: false,
        finding: None,
    })
}

/// What stops the compiler, not the user.
pub(super) fn opaque<T>(
    span: impl Into<Span>,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Result<T> {
    problem(span, message, help).map_err(|p: Problem| Problem { opaque: true, ..p })
}
