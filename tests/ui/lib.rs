//! Wrong kernels and the errors they get: see `errors.rs` and `cases`.
