//! Expanding a kernel with the compiler, and the copy that runs on emulated vector units.

use std::panic::{AssertUnwindSafe, catch_unwind};

use loopwright_compiler::driver::{Settings, expand_with};
use loopwright_runtime::Isa;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// What came of a kernel.
#[derive(Debug)]
pub enum Expanded {
    /// Items, as they are and emulated.
    Items {
        /// As the macro expands to them.
        native: String,
        /// With emulated vector units; `None` if no variant needs them.
        emulated: Option<String>,
    },
    /// An error message: this is outside of the language.
    Rejected(String),
    /// The compiler failed: a panic, or an expansion that it found to be wrong itself.
    Failed(String),
}

/// The features that a function is compiled for; `None` for the reference and scalar code.
type Part<'a> = Option<&'a str>;

/// Whether this processor has the instructions of a function.
fn is_available(features: &str) -> bool {
    let isa = if features.contains("avx512") {
        Isa::Avx512
    } else {
        Isa::Avx2
    };
    isa.is_available()
}

/// Expands a kernel. `everything` has variants emulated that this processor can run: then reads
/// beside the arguments are found in these as well.
pub fn expand(text: &str, everything: bool) -> Expanded {
    let copied: &dyn Fn(Part) -> bool =
        &|part| part.is_some_and(|features| everything || !is_available(features));
    let run = || {
        let tokens: TokenStream = text
            .parse()
            .map_err(|_| "the text is not even tokens".to_owned())?;
        let facade: TokenStream = "::loopwright".parse().unwrap_or_default();
        let items = expand_with(&facade, tokens, &Settings::default());
        match message(items.clone()) {
            Some(message) => Err(message),
            None => {
                let copy = runs_emulated(items.clone(), copied);
                let copy = copy.then(|| emulated(only(items.clone(), copied)).to_string());
                // What this processor cannot run is not compiled twice.
                let here = |part: Part| part.is_some_and(is_available);
                Ok((
                    only(items, &|part| part.is_none() || here(part)).to_string(),
                    copy,
                ))
            }
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

/// Whether a function is among those that are copied, and has vectors or is not what another
/// function is that runs here.
fn runs_emulated(items: TokenStream, copied: &dyn Fn(Part) -> bool) -> bool {
    let (mut ran, mut candidates) = (Vec::new(), Vec::new());
    functions(items, &mut |part, body| {
        let text = body.to_string();
        if copied(part) {
            candidates.push(text);
        } else {
            ran.push(text);
        }
        None
    });
    let copy = |text: &String| text.contains("x86_64") || !ran.contains(text);
    candidates.iter().any(copy)
}

/// The same items, the bodies of variants and references that are not kept left out.
fn only(items: TokenStream, kept: &dyn Fn(Part) -> bool) -> TokenStream {
    let nothing = tokens("{ unreachable!() }");
    functions(items, &mut |part, _| (!kept(part)).then(|| nothing.clone()))
}

/// The same items, with other bodies for variants and references where `body` has them.
fn functions(
    items: TokenStream,
    body: &mut dyn FnMut(Part, &Group) -> Option<TokenStream>,
) -> TokenStream {
    let mut result = TokenStream::new();
    let (mut features, mut before) = (None, [String::new(), String::new()]);
    let mut inside = false;
    for tree in items {
        let word = tree.to_string();
        if before[1] == "fn" {
            let variant = before[0] == "unsafe" && word != "__check";
            inside = variant || word == "reference";
        }
        match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let part = std::mem::take(&mut features);
                let other = match std::mem::take(&mut inside) {
                    true => body(part.as_deref(), &group),
                    false => None,
                };
                result.extend(other.unwrap_or_else(|| {
                    let inner = functions(group.stream(), body);
                    TokenTree::Group(Group::new(Delimiter::Brace, inner)).into()
                }));
            }
            tree => {
                if is_target_feature(Some(&tree)) {
                    features = Some(word.clone());
                }
                result.extend([tree]);
            }
        }
        before.rotate_left(1);
        before[1] = word;
    }
    result
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
        let Expanded::Items { native, emulated } = expand(text, true) else {
            panic!("this kernel is accepted");
        };
        let emulated = emulated.expect("it has vectors");
        for part in ["target_feature", "x86_64"] {
            assert!(native.contains(part), "{native}");
            assert!(!emulated.contains(part), "{emulated}");
        }
        assert!(emulated.contains("support :: emulated"), "{emulated}");
        // The reference and the scalar variant run as they are only.
        assert_eq!(emulated.matches("unreachable").count(), 2, "{emulated}");
    }

    #[test]
    fn scalar_code_is_not_emulated() {
        let text = "#[opt(strict)] pub fn kernel(x: &[f64], y: &mut [f64]) {
            for i in 0..x.len() { y[i] = 2.0 * x[i]; } }";
        let expanded = expand(text, true);
        assert!(
            matches!(&expanded, Expanded::Items { emulated: None, .. }),
            "{expanded:?}"
        );
    }

    #[test]
    fn errors_are_rejections() {
        let rejected = expand("pub fn kernel(y: &mut [f64]) { while true {} }", false);
        assert!(
            matches!(&rejected, Expanded::Rejected(message) if message.contains("a loop")),
            "{rejected:?}"
        );
    }
}
