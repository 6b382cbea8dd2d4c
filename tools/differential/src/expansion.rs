//! Expanding a kernel with the compiler, and the copy that runs on emulated vector units.

use std::panic::{AssertUnwindSafe, catch_unwind};

use loopwright_compiler::driver::{Plant, expand_with};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// What came of a kernel.
#[derive(Debug)]
pub enum Expanded {
    /// Items, as they are and emulated.
    Items {
        /// As the macro expands to them.
        native: String,
        /// With emulated vector units.
        emulated: String,
    },
    /// An error message: this is outside of the language.
    Rejected(String),
    /// The compiler failed: a panic, or an expansion that it found to be wrong itself.
    Failed(String),
}

/// Expands a kernel.
pub fn expand(text: &str) -> Expanded {
    let run = || {
        let tokens: TokenStream = text
            .parse()
            .map_err(|_| "the text is not even tokens".to_owned())?;
        let facade: TokenStream = "::loopwright".parse().unwrap_or_default();
        let items = expand_with(&facade, tokens, &Plant::default());
        match message(items.clone()) {
            Some(message) => Err(message),
            None => Ok((items.to_string(), emulated(items).to_string())),
        }
    };
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok((native, emulated))) => Expanded::Items { native, emulated },
        Ok(Err(message)) if message.contains("internal compiler error") => {
            Expanded::Failed(message)
        }
        Ok(Err(message)) => Expanded::Rejected(message),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().cloned();
            let text = text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string));
            Expanded::Failed(format!("a panic: {}", text.unwrap_or_default()))
        }
    }
}

/// The text of a `compile_error!`.
fn message(items: TokenStream) -> Option<String> {
    let mut found = false;
    for tree in items {
        match tree {
            TokenTree::Ident(word) if word == "compile_error" => found = true,
            TokenTree::Group(group) if found => return Some(group.stream().to_string()),
            TokenTree::Group(group) => {
                if let Some(message) = message(group.stream()) {
                    return Some(message);
                }
            }
            _ => {}
        }
    }
    None
}

/// The same items with emulated vector units: intrinsics come from there, nothing is asked of the
/// processor or of the target.
pub fn emulated(items: TokenStream) -> TokenStream {
    let mut result: Vec<TokenTree> = Vec::new();
    let trees: Vec<TokenTree> = items.into_iter().collect();
    let mut at = 0;
    while let Some(tree) = trees.get(at) {
        let here = |texts: &[&str]| {
            texts
                .iter()
                .enumerate()
                .all(|(k, text)| trees.get(at + k).is_some_and(|t| t.to_string() == *text))
        };
        if here(&["core", ":", ":", "arch", ":", ":", "x86_64"]) {
            result.extend(tokens("support::emulated"));
            at += 7;
        } else if here(&["__isa", ".", "is_available", "()"]) {
            result.extend(tokens("true"));
            at += 4;
        } else if here(&["target_arch", "=", "\"x86_64\""]) {
            result.extend(tokens("all()"));
            at += 3;
        } else if here(&["#"]) && is_target_feature(trees.get(at + 1)) {
            at += 2;
        } else {
            match tree {
                TokenTree::Group(group) => {
                    let inner = Group::new(group.delimiter(), emulated(group.stream()));
                    result.push(inner.into());
                }
                other => result.push(other.clone()),
            }
            at += 1;
        }
    }
    result.into_iter().collect()
}

fn is_target_feature(tree: Option<&TokenTree>) -> bool {
    matches!(tree, Some(TokenTree::Group(group))
        if group.delimiter() == Delimiter::Bracket
            && group.stream().to_string().starts_with("target_feature"))
}

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_have_no_features_and_no_intrinsics() {
        let text = "pub fn kernel(x: &[f64], y: &mut [f64]) {
            for i in 0..x.len() { y[i] = 2.0 * x[i]; } }";
        let Expanded::Items { native, emulated } = expand(text) else {
            panic!("this kernel is accepted");
        };
        for part in ["target_feature", "x86_64", "is_available"] {
            assert!(native.contains(part), "{native}");
            assert!(!emulated.contains(part), "{emulated}");
        }
        assert!(emulated.contains("support :: emulated"), "{emulated}");
    }

    #[test]
    fn errors_are_rejections() {
        let rejected = expand("pub fn kernel(y: &mut [f64]) { while true {} }");
        assert!(
            matches!(&rejected, Expanded::Rejected(message) if message.contains("a loop")),
            "{rejected:?}"
        );
    }
}
