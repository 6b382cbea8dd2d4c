//! The items of an expansion.

use loopwright_runtime::Isa;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::tokens::{emulated_text, print};

/// What a module has of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The item as it is.
    Native,
    /// The item for emulated vector units; of items without vectors, the item.
    Emulated,
    /// A function that stops the program: nothing calls it.
    Nothing,
    /// Not even that.
    Gone,
}

/// An item, or a piece of one that ends in a brace.
#[derive(Debug, Default)]
pub struct Item {
    /// Those that functions need.
    attributes: String,
    /// What comes before the name, and the name.
    head: String,
    /// What comes after it, but for the contents of a module and of a function.
    middle: String,
    /// The contents of a function.
    body: String,
    /// `fn`, `static`, …, and what comes after it.
    kind: String,
    name: String,
    /// Those that are not text yet.
    tokens: TokenStream,
    /// Of a module.
    items: Option<Vec<Item>>,
}

impl Item {
    /// Whether it is a function of a name.
    pub fn is(&self, name: &str) -> bool {
        self.kind == "fn" && self.name == name
    }

    /// The instruction set of a variant.
    pub fn isa(&self) -> Option<Isa> {
        let of = |prefix: &str| {
            let rest = self.name.strip_prefix(prefix);
            self.kind == "fn" && rest.is_some_and(|r| r.is_empty() || r.starts_with('_'))
        };
        let all = [
            ("__scalar", Isa::Scalar),
            ("__avx2", Isa::Avx2),
            ("__avx512", Isa::Avx512),
        ];
        let mut all = all.into_iter();
        all.find_map(|(prefix, isa)| of(prefix).then_some(isa))
    }

    /// The instruction set with vectors that the text is compiled for in it.
    pub fn text_isa(&self) -> Option<Isa> {
        match self.name.as_str() {
            "__text_avx2" => Some(Isa::Avx2),
            "__text_avx512" => Some(Isa::Avx512),
            _ => None,
        }
    }

    /// Whether it is a text that knows that its subscripts are inside.
    pub fn is_inside(&self) -> bool {
        self.kind == "fn" && self.name.starts_with("__inside_")
    }

    /// Whether it is such a text, or one that knows that its subscripts are inside.
    pub fn is_compiled_text(&self) -> bool {
        let text = self.name.strip_prefix("__text_");
        let isa = text.or(self.name.strip_prefix("__inside_"));
        self.kind == "fn" && matches!(isa, Some("avx2" | "avx512"))
    }

    /// Whether it lets the variant of another instruction set run instead of the one asked for.
    pub fn hands_over_to(&self, isa: Isa) -> bool {
        let arm = format!("=>::loopwright::__private::Isa::{isa:?}");
        let text: String = self.body.split_whitespace().collect();
        self.is("__run") && text.contains(&arm)
    }

    /// Whether it is the kernel's text: what others call, or what it calls.
    pub fn is_text(&self) -> bool {
        self.is("reference") || self.is("__text")
    }

    /// Whether a variant takes scratch memory.
    pub fn takes_scratch(&self) -> bool {
        self.middle.contains("__scratch")
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn ends_in_semicolon(&self) -> bool {
        self.kind == "static" || self.kind == "const"
    }

    /// Whether it is the report.
    pub fn is_report(&self) -> bool {
        self.name == "REPORT"
    }

    /// Whether it declares nothing by itself.
    pub fn is_plain(&self) -> bool {
        self.kind.is_empty()
    }

    /// `use super::*;`, which the modules of many kernels would take longest for.
    pub fn is_glob(&self) -> bool {
        self.is_plain() && self.middle.contains("super::*")
    }

    /// Whether variants may read it: the instruction set that a call is for they do not.
    pub fn is_table(&self) -> bool {
        self.ends_in_semicolon() && !self.is_report() && self.name != "__BEST"
    }

    /// Of a report, the passes that changed the cost.
    pub fn passes(&self) -> Vec<String> {
        let passes = self.middle.split("PassReport{").skip(1);
        let changed = passes.filter_map(|pass| {
            let (_, rest) = pass.split_once("name:\"")?;
            let (name, rest) = rest.split_once('"')?;
            let (_, rest) = rest.split_once("before:")?;
            let (before, rest) = rest.split_once(",after:")?;
            let (after, _) = rest.split_once(",decisions")?;
            (before != after).then(|| name.to_owned())
        });
        changed.collect()
    }

    /// The text without the name of a function.
    pub fn code(&self) -> String {
        match self.kind.as_str() {
            "fn" => format!("{}{}", self.middle, self.body),
            _ => format!("{}{}", self.head, self.middle),
        }
    }

    fn is_new(&self) -> bool {
        self.head.is_empty() && self.tokens.is_empty()
    }

    /// Takes the next token; true if the item ends.
    fn take(&mut self, tree: TokenTree, word: &str) -> bool {
        if let TokenTree::Group(group) = &tree
            && group.delimiter() == Delimiter::Brace
            && !self.ends_in_semicolon()
        {
            if self.kind == "mod" {
                self.items = Some(split(group.stream()));
            } else if self.kind == "fn" {
                print(group.stream(), &mut self.body);
            } else {
                self.tokens.extend([tree]);
            }
            return true;
        }
        if let TokenTree::Ident(name) = &tree
            && self.name.is_empty()
            && ["fn", "mod", "static", "const"].contains(&word)
            && name != "fn"
        {
            (self.kind, self.name) = (word.to_owned(), name.to_string());
            self.tokens.extend([tree]);
            print(std::mem::take(&mut self.tokens), &mut self.head);
            return false;
        }
        let ends = matches!(&tree, TokenTree::Punct(end) if end.as_char() == ';');
        self.tokens.extend([tree]);
        ends
    }
}

/// The items of a text.
pub fn split(tokens: TokenStream) -> Vec<Item> {
    let mut result = Vec::new();
    let mut trees = tokens.into_iter().peekable();
    while trees.peek().is_some() {
        let mut item = Item::default();
        let mut word = String::new();
        let mut attribute = false;
        for tree in trees.by_ref() {
            let text = match &tree {
                TokenTree::Ident(ident) => ident.to_string(),
                _ => String::new(),
            };
            match &tree {
                TokenTree::Punct(p) if item.is_new() && p.as_char() == '#' => {
                    attribute = true;
                }
                TokenTree::Group(group) if attribute => {
                    attribute = false;
                    let group = group.to_string();
                    if group.contains("target_feature") {
                        item.attributes.push_str(&format!("#{group}\n"));
                    }
                }
                _ => {
                    if item.take(tree, &word) {
                        break;
                    }
                }
            }
            word = text;
        }
        print(std::mem::take(&mut item.tokens), &mut item.middle);
        result.push(item);
    }
    result
}

/// All items, those in modules instead of these.
pub fn flat(items: &[Item]) -> impl Iterator<Item = &Item> {
    fn collect<'a>(items: &'a [Item], into: &mut Vec<&'a Item>) {
        for item in items {
            match &item.items {
                Some(inner) => collect(inner, into),
                None => into.push(item),
            }
        }
    }
    let mut all = Vec::new();
    collect(items, &mut all);
    all.into_iter()
}

/// The text of items.
pub fn assemble(items: &[Item], part: &dyn Fn(&Item) -> Part) -> String {
    let mut text = String::new();
    for item in items {
        let (head, middle, body) = (&item.head, &item.middle, &item.body);
        if let Some(inner) = &item.items {
            let inner = assemble(inner, part);
            text.push_str(&format!("{head}{middle}{{\n{inner}}}\n"));
            continue;
        }
        let braces = |body: &str| match item.kind.as_str() {
            "fn" => format!("{{\n{body}}}\n"),
            _ => String::new(),
        };
        let public = match item.isa().is_some() || item.is("__check") {
            true => "pub ",
            false => "",
        };
        match part(item) {
            Part::Gone => {}
            Part::Native => {
                let attributes = &item.attributes;
                text.push_str(&format!(
                    "{attributes}{public}{head}{middle}{}",
                    braces(body)
                ));
            }
            Part::Emulated => {
                let whole = format!("{public}{head}{middle}{}", braces(body));
                text.push_str(&emulated_text(&whole));
            }
            Part::Nothing => {
                let stops = braces("::support::kernel::missing()");
                text.push_str(&format!("{head}{middle}{stops}"));
            }
        }
    }
    text
}

/// The text of the items in the module alone, without modules around them.
pub fn opened(items: &[Item], part: &dyn Fn(&Item) -> Part) -> String {
    let modules = items.iter().filter_map(|item| item.items.as_deref());
    let inside = modules.flat_map(flat);
    let mut imports = Vec::new();
    let mut text = String::new();
    for item in inside {
        let own = assemble(std::slice::from_ref(item), part);
        // A module and one in it may import the same.
        if item.is_plain() && imports.contains(&own) {
            continue;
        }
        text.push_str(&own);
        if item.is_plain() {
            imports.push(own);
        }
    }
    text
}
