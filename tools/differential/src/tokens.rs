//! Tokens as text, quickly, and text for emulated vector units.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Appends tokens. Lines are short, since `rustc` looks up places in them.
pub fn print(tokens: TokenStream, into: &mut String) {
    let mut after_sign = false;
    for tree in tokens {
        let sign = matches!(tree, TokenTree::Punct(_));
        if sign && after_sign {
            into.push(' ');
        }
        after_sign = false;
        match tree {
            TokenTree::Punct(punct) => {
                into.push(punct.as_char());
                after_sign = punct.spacing() == Spacing::Alone;
                if punct.as_char() == ';' {
                    into.push('\n');
                }
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{\n", "}\n"),
                    Delimiter::None => (" ", " "),
                };
                into.push_str(open);
                print(group.stream(), into);
                into.push_str(close);
            }
            word => {
                let joins = |c: char| c.is_alphanumeric() || c == '_' || c == '"';
                if into.ends_with(joins) {
                    into.push(' ');
                }
                into.push_str(&word.to_string());
            }
        }
    }
}

/// The same items with emulated vector units: intrinsics come from there, nothing is asked of the
/// processor or of the target.
pub fn emulated(items: TokenStream) -> String {
    let mut text = String::new();
    print(items, &mut text);
    let text = emulated_text(&text);
    let mut parts = text.split("#[target_feature");
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        result.push_str(part.split_once(']').map_or("", |(_, rest)| rest));
    }
    result
}

/// Printed items without attributes, with emulated vector units.
pub fn emulated_text(text: &str) -> String {
    text.replace("core::arch::x86_64", "support::emulated")
        .replace("__loopwright::lanes::", "support::emulated::functions::")
        .replace(
            "::loopwright::__private::is_runnable(__loopwright_isa,self::variants())",
            "self::variants().contains(&__loopwright_isa)",
        )
        .replace("target_arch=\"x86_64\"", "all()")
}

/// The text of a `compile_error!`.
pub fn message(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("compile_error!")?;
    let end = rest.find("}\n").or(rest.find(";\n")).unwrap_or(rest.len());
    let message = rest[..end].trim_matches(|c: char| "(){};\"".contains(c) || c.is_whitespace());
    Some(message.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_tokens_are_the_same_tokens() {
        let text = "fn f<'a>(x: &'a [f64; 3]) -> f64 { let a = - -1.0 as f64; if a <= -2.0 && !(x[0] \
                    == a) { return x[0].powi(2) } static T: [u8; 2] = *b\"; }\"; 0..2usize; a }";
        let tokens: TokenStream = text.parse().expect("these are tokens");
        let mut printed = String::new();
        print(tokens.clone(), &mut printed);
        let again: TokenStream = printed.parse().expect("these are tokens");
        assert_eq!(again.to_string(), tokens.to_string());
    }
}
