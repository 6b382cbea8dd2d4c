//! The loop trees of a kernel, as the option `plan` takes them.

use std::fmt::Write as _;

use crate::kernels::Kernel;

/// The plan of each instruction set, ready to print.
///
/// # Errors
/// If the kernel runs as written.
pub fn plans(kernel: &Kernel) -> Result<String, String> {
    let variants = kernel.data["variants"].as_array();
    let mut out = format!("{}\n", kernel.place());
    for variant in variants.into_iter().flatten() {
        let [name, plan] = ["name", "plan"].map(|key| variant[key].as_str().unwrap_or_default());
        let _ = write!(out, "\n// {name}\n{plan}");
    }
    match variants.is_none_or(Vec::is_empty) {
        true => Err(format!(
            "`{}` runs as written: it has no loop trees",
            kernel.name
        )),
        false => Ok(out),
    }
}
