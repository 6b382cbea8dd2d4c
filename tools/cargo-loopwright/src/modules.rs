//! The modules around a kernel: those that its file stands for, and those that stand in it.

use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The modules around a line of a file, `a::b`.
pub fn around(root: &Path, file: &str, line: u64) -> String {
    let mut names = of_file(file);
    let tokens = fs::read_to_string(root.join(file))
        .ok()
        .and_then(|text| text.parse().ok());
    if let (Some(tokens), Ok(line)) = (tokens, usize::try_from(line)) {
        inside(tokens, line, &mut names);
    }
    names.join("::")
}

/// The modules that a file stands for, where it is one of a library's or program's.
fn of_file(file: &str) -> Vec<String> {
    let path = Path::new(file).with_extension("");
    let parts: Vec<String> =
        (path.iter().map(|part| part.to_string_lossy().into_owned())).collect();
    let Some(root) = parts.iter().rposition(|part| part == "src") else {
        return Vec::new();
    };
    let mut modules = parts[root + 1..].to_vec();
    if modules.first().is_some_and(|first| first == "bin") {
        return Vec::new();
    }
    if modules
        .last()
        .is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str()))
    {
        modules.pop();
    }
    modules
}

/// Adds the modules in whose braces a line is.
fn inside(tokens: TokenStream, line: usize, names: &mut Vec<String>) {
    let mut module: Option<String> = None;
    let mut is_named = false;
    for tree in tokens {
        match tree {
            TokenTree::Ident(word) if word == "mod" => is_named = true,
            TokenTree::Ident(word) => {
                module = is_named.then(|| word.to_string());
                is_named = false;
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let lines = group.span().start().line..=group.span().end().line;
                if let Some(name) = module.take().filter(|_| lines.contains(&line)) {
                    names.push(name);
                    return inside(group.stream(), line, names);
                }
            }
            _ => (module, is_named) = (None, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stand_for_modules() {
        let modules = |file: &str| of_file(file).join("::");
        assert_eq!(modules("src/lib.rs"), "");
        assert_eq!(modules("a/src/b/mod.rs"), "b");
        assert_eq!(modules("src/b/c.rs"), "b::c");
        assert_eq!(modules("tests/b.rs"), "");
        assert_eq!(modules("src/bin/tool.rs"), "");
    }

    #[test]
    fn modules_stand_in_files() {
        let text =
            "mod a {\n fn f() {}\n}\nmod b;\nmod c {\n pub mod d {\n  kernel! { fn k() {} }\n }\n}";
        let around = |line| {
            let mut names = Vec::new();
            inside(text.parse().unwrap(), line, &mut names);
            names.join("::")
        };
        assert_eq!([around(2), around(4), around(7)], ["a", "", "c::d"]);
    }
}
