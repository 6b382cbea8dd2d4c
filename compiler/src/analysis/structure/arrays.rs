//! What arrays say of themselves.

use super::Finder;
use crate::collections::{HashMap, HashSet};
use crate::ir::{Element, Extent, Role};

impl Finder<'_> {
    /// Finds declarations that contradict themselves or each other.
    pub(super) fn arrays(&mut self) {
        let program = self.program;
        let mut names = HashSet::default();
        let mut memories: HashMap<usize, Element> = HashMap::default();
        let outputs = program.arrays.iter().filter_map(|array| match array.role {
            Role::Output(position) => Some(position),
            _ => None,
        });
        let outputs: HashSet<usize> = outputs.collect();
        for array in &program.arrays {
            let name = &array.name;
            let mut wrong = |message: String| self.wrong_declaration(message);
            if !names.insert(name) {
                wrong(format!("two arrays are named `{name}`"));
            }
            match &array.role {
                Role::Table(values) => {
                    let extents = array.shape.iter().map(Extent::as_constant);
                    let elements: Option<usize> = extents.product();
                    if elements != Some(values.len()) {
                        let (count, shape) = (values.len(), &array.shape);
                        wrong(format!(
                            "the table `{name}` has {count} values, and the shape {shape:?}"
                        ));
                    }
                }
                Role::Counting if array.shape.len() != 1 || !array.element.is_integer() => {
                    wrong(format!("`{name}` counts, and is not a row of integers"));
                }
                Role::State(position) if !outputs.contains(position) => {
                    wrong(format!("`{name}` is a state of what is no output"));
                }
                Role::Temporary if array.element.is_integer() => {
                    wrong(format!(
                        "`{name}` is a temporary of integers, which nothing computes"
                    ));
                }
                _ => {}
            }
            if let Some(position) = array.role.position()
                && *memories.entry(position).or_insert(array.element) != array.element
            {
                wrong(format!("`{name}` has another element type than its memory"));
            }
            let owned = array.role.position().is_none();
            let inside = array.inner == 0 || (array.flat && array.inner < array.shape.len());
            if !inside
                || owned && (array.strided || array.flat)
                || array.allocated && !is_written(&array.role)
            {
                wrong(format!(
                    "`{name}` cannot have the layout that it is declared with"
                ));
            }
        }
    }
}

/// Whether a kernel may allocate the memory of an array.
fn is_written(role: &Role) -> bool {
    matches!(role, Role::Output(_) | Role::State(_))
}
