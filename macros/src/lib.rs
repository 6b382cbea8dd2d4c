//! The procedural macros of loopwright: a page that calls the compiler. Use the facade crate
//! `loopwright`, which re-exports them.

use loopwright_compiler::{Destination, InternalErrors, Settings};
use proc_macro::{Delimiter, Group, Punct, Spacing, TokenStream, TokenTree};

/// Expands `CRATE; TEXT`: a `kernel!` block and the path of the facade. The facade's `kernel!`
/// calls it.
#[doc(hidden)]
#[proc_macro]
pub fn expand_kernel(input: TokenStream) -> TokenStream {
    let settings = Settings {
        report: report(),
        internal_errors: internal_errors(),
        as_written: asks_for("LOOPWRIGHT_AS_WRITTEN"),
        ..Settings::default()
    };
    loopwright_compiler::expand_under(input.into(), &settings).into()
}

/// What becomes of a kernel that the compiler fails at: nothing that stops its user, unless the
/// environment asks for errors, as this repository's does.
fn internal_errors() -> InternalErrors {
    match asks_for("LOOPWRIGHT_STRICT_VALIDATION") {
        true => InternalErrors::Strict,
        false => InternalErrors::Recover,
    }
}

/// Whether a variable of the environment is set, and not to nothing.
fn asks_for(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

/// Where reports are written: what Cargo and the user tell by environment variables.
fn report() -> Option<Destination> {
    let folder = std::env::var_os("LOOPWRIGHT_REPORT").filter(|folder| !folder.is_empty())?;
    let krate = std::env::var("CARGO_CRATE_NAME").unwrap_or_else(|_| "crate".to_owned());
    Some(Destination {
        folder: folder.into(),
        krate,
    })
}

/// Expands `CRATE; REQUEST`: a `tabulate!` outside of kernels and the path of the facade. The
/// facade's `tabulate!` calls it.
#[doc(hidden)]
#[proc_macro]
pub fn expand_table(input: TokenStream) -> TokenStream {
    loopwright_compiler::tabulate(input.into()).into()
}

/// One function as a kernel, with its options: `#[kernel_fn(level = 1)] fn …` is
/// `kernel! { #[opt(level = 1)] fn … }`.
/// `rustfmt` formats it as any function. Helpers and structs stand in the block form alone. The crate must be
/// known as `loopwright` where it is used.
///
/// An attribute cannot share the name of the macro `kernel!`: names of macros are one namespace in Rust.
#[proc_macro_attribute]
pub fn kernel_fn(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut text: TokenStream = "::loopwright;".parse().unwrap_or_default();
    if !options.is_empty() {
        let mut inner: TokenStream = "opt".parse().unwrap_or_default();
        let group = Group::new(Delimiter::Parenthesis, options);
        inner.extend([TokenTree::from(group)]);
        let attribute = Group::new(Delimiter::Bracket, inner);
        let hash = Punct::new('#', Spacing::Alone);
        text.extend([TokenTree::from(hash), TokenTree::from(attribute)]);
    }
    text.extend(item);
    expand_kernel(text)
}

/// The options of a kernel. Inside `kernel!` they are read by the compiler; outside, the
/// attribute does nothing, so that the text compiles without the macro.
#[proc_macro_attribute]
pub fn opt(_options: TokenStream, item: TokenStream) -> TokenStream {
    item
}
