//! The rules of the code itself: short files and functions, and rooms that know only those before
//! them.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use syn::spanned::Spanned;

/// Most lines of a file.
const LONGEST_FILE: usize = 450;
/// Most lines of a function, unless it is one flat `match`.
const LONGEST_FUNCTION: usize = 80;

/// The rooms of the compiler: each may use those before it.
const ROOMS: [&str; 15] = [
    "collections",
    "diagnostics",
    "number",
    "elements",
    "syntax",
    "machine",
    "ir",
    "analysis",
    "lower",
    "rewrite",
    "schedule",
    "verify",
    "passes",
    "emit",
    "report",
];

/// Folders of texts that are no code of ours: what is built, wrong kernels, and data.
const SKIPPED: [&str; 4] = ["target", "cases", "data", "included"];

/// The workspace's Rust files, with paths relative to it.
fn files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                let skipped = name.starts_with('.') || SKIPPED.contains(&name.as_str());
                folders.extend((!skipped).then_some(path));
            } else if name.ends_with(".rs") {
                let text = fs::read_to_string(&path).unwrap();
                let relative = path.strip_prefix(root).unwrap();
                found.push((relative.to_string_lossy().replace('\\', "/"), text));
            }
        }
    }
    found.sort();
    assert!(found.len() > 200, "only {} files", found.len());
    found
}

#[test]
fn files_are_short() {
    let long = |(file, text): &(String, String)| {
        let lines = text.lines().count();
        (lines > LONGEST_FILE).then(|| format!("{file}: {lines} lines"))
    };
    let found: Vec<String> = files().iter().filter_map(long).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Calls `visit` with each function's name and body.
fn functions(items: &[syn::Item], visit: &mut dyn FnMut(&syn::Ident, &syn::Block)) {
    for item in items {
        match item {
            syn::Item::Fn(function) => visit(&function.sig.ident, &function.block),
            syn::Item::Impl(inner) => {
                for item in &inner.items {
                    if let syn::ImplItem::Fn(function) = item {
                        visit(&function.sig.ident, &function.block);
                    }
                }
            }
            syn::Item::Trait(inner) => {
                for item in &inner.items {
                    if let syn::TraitItem::Fn(function) = item
                        && let Some(body) = &function.default
                    {
                        visit(&function.sig.ident, body);
                    }
                }
            }
            syn::Item::Mod(inner) => {
                if let Some((_, items)) = &inner.content {
                    functions(items, visit);
                }
            }
            _ => {}
        }
    }
}

fn lines(tokens: &impl Spanned) -> usize {
    let span = tokens.span();
    span.end().line - span.start().line + 1
}

/// One `match`, or `Ok(match …)`, whose arms are short themselves.
fn is_flat_match(body: &syn::Block) -> bool {
    const LONGEST_ARM: usize = 20;
    let [syn::Stmt::Expr(value, None)] = body.stmts.as_slice() else {
        return false;
    };
    let value = match value {
        syn::Expr::Call(call) if call.args.len() == 1 => &call.args[0],
        value => value,
    };
    match value {
        syn::Expr::Match(inner) => inner.arms.iter().all(|arm| lines(arm) <= LONGEST_ARM),
        _ => false,
    }
}

#[test]
fn functions_are_short() {
    let mut found = Vec::new();
    let mut seen = 0;
    for (file, text) in files() {
        let parsed = syn::parse_file(&text).unwrap_or_else(|e| panic!("{file}: {e}"));
        functions(&parsed.items, &mut |name, body| {
            seen += 1;
            let long = lines(body) > LONGEST_FUNCTION && !is_flat_match(body);
            if long {
                found.push(format!("{file}: `{name}` has {} lines", lines(body)));
            }
        });
    }
    assert!(seen > 1000, "only {seen} functions");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The rooms that a file names, by `crate::room` and by `super`s that lead to the root.
fn named(depth: usize, text: &str) -> Vec<String> {
    let tokens: TokenStream = text.parse().unwrap();
    let mut found = Vec::new();
    paths(tokens, depth, &mut found);
    found
}

/// Walks tokens: `crate::a`, `crate::{a::b, c}`, `super::super::a`. Modules inside of files count
/// as no level of their own: their `super` is the file.
fn paths(tokens: TokenStream, depth: usize, found: &mut Vec<String>) {
    let trees: Vec<proc_macro2::TokenTree> = tokens.into_iter().collect();
    let word = |at: usize| trees.get(at).map(ToString::to_string).unwrap_or_default();
    for (at, tree) in trees.iter().enumerate() {
        if let proc_macro2::TokenTree::Group(group) = tree {
            paths(group.stream(), depth, found);
        }
        let begins = at < 1 || word(at - 1) != ":";
        let mut after = at;
        let mut up = 0;
        if begins && word(at) == "crate" {
            (after, up) = (at + 1, depth);
        } else if begins {
            while word(after) == "super" && word(after + 1) == ":" {
                after += 3;
                up += 1;
            }
            after = after.saturating_sub(2);
        }
        if up < depth || word(after) != ":" || word(after + 1) != ":" {
            continue;
        }
        match trees.get(after + 2) {
            Some(proc_macro2::TokenTree::Ident(name)) => found.push(name.to_string()),
            Some(proc_macro2::TokenTree::Group(group)) => {
                let inner: syn::UseTree = syn::parse_str(&format!("{group}")).unwrap();
                if let syn::UseTree::Group(inner) = inner {
                    found.extend(inner.items.iter().filter_map(first));
                }
            }
            _ => {}
        }
    }
}

fn first(tree: &syn::UseTree) -> Option<String> {
    match tree {
        syn::UseTree::Path(path) => Some(path.ident.to_string()),
        syn::UseTree::Name(name) => Some(name.ident.to_string()),
        syn::UseTree::Rename(name) => Some(name.ident.to_string()),
        syn::UseTree::Glob(_) | syn::UseTree::Group(_) => None,
    }
}

#[test]
fn rooms_know_only_those_before_them() {
    let mut wrong = Vec::new();
    let mut arrows = 0;
    for (file, text) in files() {
        let Some(inside) = file.strip_prefix("compiler/src/") else {
            continue;
        };
        let Some((room, rest)) = inside.split_once('/') else {
            assert_eq!(inside, "lib.rs", "a file without a room");
            continue;
        };
        if room == "driver" {
            continue;
        }
        let own = ROOMS.iter().position(|known| *known == room);
        let own = own.unwrap_or_else(|| panic!("{file} is in no known room"));
        // The `super`s that lead to the crate's root.
        let depth = rest.matches('/').count() + usize::from(!rest.ends_with("mod.rs")) + 1;
        for name in named(depth, &text) {
            arrows += 1;
            match ROOMS.iter().position(|known| *known == name) {
                Some(other) if other <= own => {}
                _ => wrong.push(format!("{file} uses {name}")),
            }
        }
    }
    assert!(arrows > 200, "only {arrows} uses were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_kernel_language_knows_syn() {
    let names = |(file, text): &(String, String)| {
        let inside = file.strip_prefix("compiler/src/")?;
        let tokens = text.parse::<TokenStream>().unwrap().to_string();
        let knows = tokens.contains("syn ::");
        (knows && !inside.starts_with("syntax/")).then(|| file.clone())
    };
    let found: Vec<String> = files().iter().filter_map(names).collect();
    assert!(found.is_empty(), "{found:?}");
}

/// An eighth of the time of an expansion went into the hash that tables of the standard library have.
#[test]
fn hash_tables_are_those_of_the_compiler() {
    let others = |(file, text): &(String, String)| {
        let inside = file.strip_prefix("compiler/src/")?;
        let mut lines = text.lines();
        let other =
            lines.find(|line| line.contains("std::collections::") && line.contains("Hash"))?;
        Some(format!("{inside}: {other}"))
    };
    let found: Vec<String> = files().iter().filter_map(others).collect();
    assert!(found.is_empty(), "{found:?}");
}

/// Whoever names passes has to know them.
#[test]
fn the_readme_names_every_pass() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(readme).unwrap();
    let text = readme.split("The passes that `pipeline` takes are").nth(1);
    let text = text.and_then(|text| text.split("\n\n").next()).unwrap();
    let passes = loopwright_compiler::passes::of_level(3, false).passes;
    let mut from = 0;
    for pass in passes {
        let name = format!("`{}`", pass.name);
        let at = text[from..].find(&name);
        from += at.unwrap_or_else(|| panic!("{name} is missing, or not in its place"));
    }
}

/// The rules above see what they are to see.
#[test]
fn violations_are_found() {
    let uses = |depth: usize, text: &str| named(depth, text);
    assert_eq!(uses(2, "use crate::ir::{self, Pool};"), ["ir"]);
    assert_eq!(
        uses(2, "use crate::{emit, syntax::ast};"),
        ["emit", "syntax"]
    );
    assert_eq!(uses(2, "use super::super::emit::Kernel;"), ["emit"]);
    assert_eq!(uses(1, "fn f() { super::verify::run(); }"), ["verify"]);
    assert_eq!(uses(2, "use super::names; fn f() { self::g(); }"), [""; 0]);
    assert_eq!(
        uses(2, "fn f() -> crate::report::Facts { todo() }"),
        ["report"]
    );
    let long = format!("fn f() {{ {} }}", "g();\n".repeat(LONGEST_FUNCTION + 1));
    let parsed = syn::parse_file(&long).unwrap();
    functions(&parsed.items, &mut |_, body| {
        assert!(lines(body) > LONGEST_FUNCTION && !is_flat_match(body));
    });
}
