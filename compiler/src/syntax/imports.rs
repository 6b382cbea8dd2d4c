//! `use` in a block: what its names stand for.

use crate::collections::HashMap;

/// Paths by the names that `use` gives them.
#[derive(Clone, Debug, Default)]
pub struct Imports {
    paths: HashMap<String, Vec<String>>,
}

impl Imports {
    /// The imports of a block.
    pub fn of(file: &syn::File) -> Imports {
        let mut imports = Imports::default();
        for item in &file.items {
            if let syn::Item::Use(import) = item {
                imports.take(&import.tree, &mut Vec::new());
            }
        }
        imports
    }

    fn take(&mut self, tree: &syn::UseTree, around: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(path) => {
                around.push(path.ident.to_string());
                self.take(&path.tree, around);
                around.pop();
            }
            syn::UseTree::Name(name) if name.ident == "self" => {
                if let Some(last) = around.last() {
                    self.paths.insert(last.clone(), around.clone());
                }
            }
            syn::UseTree::Name(name) => self.named(&name.ident.to_string(), &name.ident, around),
            syn::UseTree::Rename(name) => self.named(&name.rename.to_string(), &name.ident, around),
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.take(tree, around);
                }
            }
            syn::UseTree::Glob(_) => {}
        }
    }

    fn named(&mut self, name: &str, last: &proc_macro2::Ident, around: &[String]) {
        let mut path = around.to_vec();
        path.push(last.to_string());
        self.paths.insert(name.to_owned(), path);
    }

    /// The last segment of what a name stands for.
    pub fn last(&self, name: &str) -> String {
        let path = self.paths.get(name);
        path.and_then(|path| path.last())
            .cloned()
            .unwrap_or_else(|| name.to_owned())
    }

    /// The segments of a path, in full as far as the block says.
    pub fn full(&self, path: &syn::Path) -> Vec<String> {
        let mut segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        if let Some(known) = segments.first().and_then(|first| self.paths.get(first)) {
            segments.splice(0..1, known.iter().cloned());
        }
        segments
    }
}
