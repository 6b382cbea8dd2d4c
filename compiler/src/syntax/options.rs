//! `#[opt(…)]`.

use proc_macro2::{Ident, TokenStream};
use syn::parse::ParseStream;

use super::Parsed;
use super::ast::IsaName;
use crate::diagnostics::{Fault, Span};

const VALID: &str = "options are `level = 0..=3`, `strict`, `reassociate = full`, `isa = [avx512, avx2, scalar]`, `unroll(i = 4)`, `lanes(e)`, `epsilon = 1e-14`, `memory = \"512 KiB\"`, `differencing = off`, `exact` or `resync(64)`, `pure(f)`, `fallback`, `require_lanes`, `pipeline = [normalise, code_motion]`, `plan = \"schedule width 4 …\"`";

/// Which sums may be computed from those of earlier iterations (Ernst 1995, chapter 4), which hand rounding errors
/// on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Differencing {
    /// None.
    Off,
    /// Those of integers, which have none.
    #[default]
    Exact,
    /// All; those of floating-point numbers begin anew after so many iterations.
    Resync(usize),
}

/// Most iterations that a running sum of floating-point numbers goes on for.
const MOST_RESYNC: usize = 1 << 16;
/// `#[opt(…)]`.
#[derive(Clone, Debug)]
pub struct Options {
    /// 0 to 3.
    pub level: u8,
    /// Results bit-equal to the reference.
    pub strict: bool,
    /// `reassociate = full`: sums whose terms may cancel are multiplied out too.
    pub cancels: bool,
    /// Instruction sets to build, best first.
    pub isa: Vec<IsaName>,
    /// `unroll(i = 4)`: loop variable and factor.
    pub unroll: Vec<(Ident, usize)>,
    /// `lanes(e)`: the loop that lanes run over.
    pub lanes: Option<Ident>,
    /// Table clean-up tolerance, relative to the table's largest entry, if the kernel states one.
    pub epsilon: Option<f64>,
    /// `memory = "512 KiB"` in bytes.
    pub memory: Option<usize>,
    /// `differencing = off | exact | resync(64)`: which sums follow from those of earlier iterations.
    pub differencing: Differencing,
    /// What has no program runs as written.
    pub fallback: bool,
    /// `require_lanes`: code without lanes is an error.
    pub require_lanes: Option<Ident>,
    /// `pure(f)`: functions from outside whose value depends on their arguments alone.
    pub pure: Vec<TokenStream>,
    /// `pipeline = [normalise, code_motion]`: passes by their names, instead of those of the level.
    pub pipeline: Option<Vec<Ident>>,
    /// `plan = "schedule width 4 …"`: loop trees that are taken instead of what a search finds.
    pub plan: Vec<PlanText>,
}

/// A string of `plan = "…"`.
#[derive(Clone, Debug)]
pub struct PlanText {
    /// What it says.
    pub text: String,
    /// Where it stands.
    pub span: proc_macro2::Span,
}

impl Options {
    /// The first option that says how loops run, and what it is on.
    pub fn on_loops(&self) -> Option<(proc_macro2::Span, String)> {
        let unrolled = self.unroll.iter().map(|(name, _)| name);
        let named = self.lanes.iter().chain(unrolled);
        let mut named = named.map(|name| (name.span(), format!("the option on `{name}`")));
        let plan = self
            .plan
            .first()
            .map(|plan| (plan.span, "`plan`".to_owned()));
        named.next().or(plan)
    }

    /// Whether results have the bits of the reference.
    pub fn is_exact(&self) -> bool {
        self.strict || (self.level == 0 && self.pipeline.is_none())
    }

    /// Whether each operation of the text is done with the operands that it has there. Results differ
    /// from the reference's by the contraction of products and sums alone, or not at all.
    pub fn keeps_operations(&self) -> bool {
        self.is_exact() || (self.level == 1 && self.pipeline.is_none())
    }
}

/// Options that nothing changes.
pub fn defaults() -> Options {
    Options {
        level: 3,
        strict: false,
        cancels: false,
        isa: vec![IsaName::Avx512, IsaName::Avx2, IsaName::Scalar],
        unroll: Vec::new(),
        lanes: None,
        epsilon: None,
        memory: None,
        differencing: Differencing::Exact,
        fallback: false,
        require_lanes: None,
        pure: Vec::new(),
        pipeline: None,
        plan: Vec::new(),
    }
}

/// Whether an attribute is `#[opt]`.
pub fn is_opt(attribute: &syn::Attribute) -> bool {
    attribute
        .path()
        .segments
        .last()
        .is_some_and(|s| s.ident == "opt")
}

/// Reads the options of one attribute.
pub fn parse(attribute: &syn::Attribute, options: &mut Options) -> Parsed<()> {
    let read = |input: ParseStream| -> syn::Result<()> {
        let mut given: Vec<Ident> = Vec::new();
        while !input.is_empty() {
            let name: Ident = input.fork().parse()?;
            if given.contains(&name) {
                let message = format!("the option `{name}` is given twice");
                return Err(syn::Error::new(name.span(), message));
            }
            given.push(name);
            one(input, options)?;
            separator(input)?;
        }
        conflicts(&given)
    };
    let syn::Meta::List(list) = &attribute.meta else {
        return Err(Fault::on(
            attribute,
            "`opt` takes options in parentheses",
            VALID,
        ));
    };
    let tokens = super::tabulate::ungroup(list.tokens.clone());
    super::tabulate::parse_until(tokens, Span::of(list).end(), read)
        .map_err(|e| Fault::new(e.span(), e.to_string(), VALID))
}

fn one(input: ParseStream, options: &mut Options) -> syn::Result<()> {
    let name: Ident = input.parse()?;
    match name.to_string().as_str() {
        "strict" => options.strict = true,
        "fallback" => options.fallback = true,
        "require_lanes" => options.require_lanes = Some(name),
        "reassociate" => reassociate(input, options)?,
        "level" => {
            input.parse::<syn::Token![=]>()?;
            let literal: syn::LitInt = input.parse()?;
            options.level = match literal.base10_parse() {
                Ok(level @ 0..=3) => level,
                _ => return Err(syn::Error::new(literal.span(), "levels are 0 to 3")),
            };
        }
        "isa" => {
            input.parse::<syn::Token![=]>()?;
            options.isa = isas(input)?;
        }
        "unroll" => {
            let inside;
            syn::parenthesized!(inside in input);
            while !inside.is_empty() {
                let index: Ident = inside.parse()?;
                inside.parse::<syn::Token![=]>()?;
                let literal: syn::LitInt = inside.parse()?;
                match literal.base10_parse() {
                    Ok(factor @ 1..=64) => options.unroll.push((index, factor)),
                    _ => {
                        let message = "unroll factors are 1 to 64";
                        return Err(syn::Error::new(literal.span(), message));
                    }
                }
                separator(&inside)?;
            }
        }
        "lanes" => {
            let inside;
            syn::parenthesized!(inside in input);
            options.lanes = Some(inside.parse()?);
        }
        "epsilon" => epsilon(input, options)?,
        "memory" => {
            input.parse::<syn::Token![=]>()?;
            let literal: syn::LitStr = input.parse()?;
            options.memory = Some(bytes(&literal.value()).ok_or_else(|| {
                syn::Error::new(
                    literal.span(),
                    "this is no size: write for example \"512 KiB\"",
                )
            })?);
        }
        "pure" => pure(input, options)?,
        "pipeline" => {
            input.parse::<syn::Token![=]>()?;
            options.pipeline = Some(names(input)?);
        }
        "differencing" => options.differencing = differencing(input)?,
        "plan" => {
            input.parse::<syn::Token![=]>()?;
            options.plan = plans(input)?;
        }
        "parallel" => {
            return Err(syn::Error::new(
                name.span(),
                format!("the option `{name}` is not available yet: leave it out"),
            ));
        }
        _ => {
            return Err(syn::Error::new(
                name.span(),
                format!("there is no option `{name}`"),
            ));
        }
    }
    Ok(())
}

/// Which sums may follow from those of earlier iterations.
fn differencing(input: ParseStream) -> syn::Result<Differencing> {
    input.parse::<syn::Token![=]>()?;
    let how: Ident = input.parse()?;
    match how.to_string().as_str() {
        "off" => Ok(Differencing::Off),
        "exact" => Ok(Differencing::Exact),
        "resync" => {
            let inside;
            syn::parenthesized!(inside in input);
            let literal: syn::LitInt = inside.parse()?;
            match literal.base10_parse() {
                Ok(after @ 1..=MOST_RESYNC) => Ok(Differencing::Resync(after)),
                _ => {
                    let message = "sums begin anew after 1 to 65536 iterations";
                    Err(syn::Error::new(literal.span(), message))
                }
            }
        }
        _ => {
            let message = "differencing is `off`, `exact` or `resync(64)`";
            Err(syn::Error::new(how.span(), message))
        }
    }
}

/// How sums are reassociated.
fn reassociate(input: ParseStream, options: &mut Options) -> syn::Result<()> {
    input.parse::<syn::Token![=]>()?;
    let how: Ident = input.parse()?;
    if how != "full" {
        let message = "sums are reassociated within a bound on rounding errors, or in `full`";
        return Err(syn::Error::new(how.span(), message));
    }
    options.cancels = true;
    Ok(())
}

/// A tolerance.
fn epsilon(input: ParseStream, options: &mut Options) -> syn::Result<()> {
    input.parse::<syn::Token![=]>()?;
    let literal: syn::LitFloat = input.parse()?;
    options.epsilon = match literal.base10_parse() {
        Ok(epsilon) if (0.0..1.0).contains(&epsilon) => Some(epsilon),
        _ => {
            let message = "a tolerance is at least 0 and below 1";
            return Err(syn::Error::new(literal.span(), message));
        }
    };
    Ok(())
}

/// Options of which only one makes sense.
fn conflicts(given: &[Ident]) -> syn::Result<()> {
    let has = |name: &str| given.iter().find(|option| *option == name);
    let message = "`pipeline` names the passes that `level` stands for: give one of the two";
    if let (Some(_), Some(pipeline)) = (has("level"), has("pipeline")) {
        return Err(syn::Error::new(pipeline.span(), message));
    }
    let message = "`fallback` lets what has no lanes run as written: give one of the two";
    if let (Some(_), Some(required)) = (has("fallback"), has("require_lanes")) {
        return Err(syn::Error::new(required.span(), message));
    }
    let message = "`plan` says how all loops run: give one of the two";
    if let (Some(_), Some(plan)) = (has("lanes").or(has("unroll")), has("plan")) {
        return Err(syn::Error::new(plan.span(), message));
    }
    let message = "`strict` keeps the order of all operations: give one of the two";
    for other in ["reassociate", "differencing"] {
        if let (Some(_), Some(other)) = (has("strict"), has(other)) {
            return Err(syn::Error::new(other.span(), message));
        }
    }
    Ok(())
}

/// A text, or several in brackets.
fn plans(input: ParseStream) -> syn::Result<Vec<PlanText>> {
    let one = |input: ParseStream| {
        let literal: syn::LitStr = input.parse()?;
        Ok::<_, syn::Error>(PlanText {
            text: literal.value(),
            span: literal.span(),
        })
    };
    if !input.peek(syn::token::Bracket) {
        return Ok(vec![one(input)?]);
    }
    let inside;
    syn::bracketed!(inside in input);
    let mut result = Vec::new();
    while !inside.is_empty() {
        result.push(one(&inside)?);
        separator(&inside)?;
    }
    Ok(result)
}

/// `[one, two]`.
fn names(input: ParseStream) -> syn::Result<Vec<Ident>> {
    let inside;
    syn::bracketed!(inside in input);
    let mut result = Vec::new();
    while !inside.is_empty() {
        result.push(inside.parse()?);
        separator(&inside)?;
    }
    Ok(result)
}

/// Functions from outside, by their paths.
fn pure(input: ParseStream, options: &mut Options) -> syn::Result<()> {
    let inside;
    syn::parenthesized!(inside in input);
    while !inside.is_empty() {
        let path = syn::Path::parse_mod_style(&inside)?;
        super::outside::absolute(&path)
            .map_err(|fault| syn::Error::new_spanned(&path, fault.message))?;
        options.pure.push(quote::ToTokens::to_token_stream(&path));
        separator(&inside)?;
    }
    Ok(())
}

/// A comma, or the end.
fn separator(input: ParseStream) -> syn::Result<()> {
    if !input.is_empty() {
        input.parse::<syn::Token![,]>()?;
    }
    Ok(())
}

fn isas(input: ParseStream) -> syn::Result<Vec<IsaName>> {
    let mut result = Vec::new();
    for name in names(input)? {
        let isa = match name.to_string().as_str() {
            "scalar" => IsaName::Scalar,
            "avx2" => IsaName::Avx2,
            "avx512" => IsaName::Avx512,
            _ => {
                return Err(syn::Error::new(
                    name.span(),
                    format!("there is no instruction set `{name}`"),
                ));
            }
        };
        if !result.contains(&isa) {
            result.push(isa);
        }
    }
    if !result.contains(&IsaName::Scalar) {
        result.push(IsaName::Scalar);
    }
    result.sort_by(|a, b| b.cmp(a));
    Ok(result)
}

/// `512 KiB` in bytes.
fn bytes(text: &str) -> Option<usize> {
    let text = text.trim();
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let number: usize = text[..digits].parse().ok()?;
    let unit = match text[digits..].trim() {
        "" | "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return None,
    };
    number.checked_mul(unit)
}
