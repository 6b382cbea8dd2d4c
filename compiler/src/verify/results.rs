//! Comparison of what was computed.

use std::rc::Rc;

use super::memory::{Data, Memory, Parameter};
use super::{Refusal, Subject};
use crate::ir::{Program, Role};

/// Compares the results of a kernel: nobody else sees the arrays that it allocates.
pub fn compare(subject: &Subject, expected: &Memory, found: &Memory) -> Result<(), String> {
    let function = &subject.module.functions[subject.function.0];
    let name = |position: usize| {
        let parameter = function.parameters.get(position)?;
        Some(function.variables[parameter.variable.0].name.to_string())
    };
    let allocated = subject
        .lowered
        .arrays
        .iter()
        .filter(|array| array.allocated);
    let first = allocated.filter_map(|array| array.role.position()).min();
    let ends = [expected, found].map(|memory| {
        let all = &memory.parameters;
        &all[..first.unwrap_or(all.len()).min(all.len())]
    });
    first_difference(ends, &name)
}

/// The first element that differs, with the name of its parameter: the result has none.
pub fn differences(
    expected: &Memory,
    found: &Memory,
    name: &dyn Fn(usize) -> Option<String>,
) -> Result<(), String> {
    first_difference([&expected.parameters, &found.parameters], name)
}

/// See [`differences`].
fn first_difference(
    [expected, found]: [&[Parameter]; 2],
    name: &dyn Fn(usize) -> Option<String>,
) -> Result<(), String> {
    let both = expected.iter().zip(found);
    for (position, (e, f)) in both.enumerate() {
        let different = match (&e.data, &f.data) {
            (Data::Field(e), Data::Field(f)) if Rc::ptr_eq(e, f) => None,
            (Data::Field(e), Data::Field(f)) => e.iter().zip(f.iter()).position(|(a, b)| a != b),
            (Data::Integer(e), Data::Integer(f)) => {
                e.iter().zip(f.iter()).position(|(a, b)| a != b)
            }
            _ => None,
        };
        if let Some(at) = different {
            let what = match name(position) {
                Some(name) => format!("element {at} of `{name}`"),
                None => "the result".to_owned(),
            };
            return Err(format!("{what} differs from the source's"));
        }
    }
    Ok(())
}

/// Whether a scheduled program has the tables that it had: of those along loops that are shrunk, some entries
/// are read by no schedule.
pub fn same_tables(before: &Program, after: &Program) -> Result<(), Refusal> {
    let mut pairs = before.arrays.iter().zip(&after.arrays);
    let changed = pairs.find(|(before, after)| match (&before.role, &after.role) {
        (Role::Table(own), Role::Table(other)) => !Rc::ptr_eq(own, other) && own != other,
        _ => false,
    });
    match changed {
        Some((table, _)) => Err(Refusal::Different(format!(
            "the table `{}` has other entries",
            table.name
        ))),
        None => Ok(()),
    }
}
