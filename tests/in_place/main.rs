//! Kernels that read what they write: on lanes where dependence tests allow it, else as written.
#![allow(missing_docs, reason = "kernels of tests")]

mod compare;
mod lanes;
mod sequential;
