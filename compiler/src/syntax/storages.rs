//! Type parameters that are the storage of `ndarray`'s arrays: `S` of `&ArrayBase<S, Ix2>`.
//!
//! A kernel takes arrays of any storage as it takes views: all that is asked of `S` is what its elements are, which its
//! bound says, `S: Data<Elem = f64>`.

use syn::punctuated::Punctuated;

use super::views::Owner;

/// The traits of storages.
const TRAITS: [&str; 6] = [
    "Data",
    "DataMut",
    "DataOwned",
    "DataShared",
    "RawData",
    "RawDataMut",
];

/// A type parameter, and the type of its elements.
#[derive(Clone)]
pub struct Storage {
    name: syn::Ident,
    element: syn::Type,
}

/// The storages among the type parameters of a function.
pub fn storages(signature: &syn::Signature) -> Vec<Storage> {
    let generics = &signature.generics;
    let mut found = Vec::new();
    for parameter in generics.type_params() {
        let mut element = element_of(&parameter.bounds);
        for predicate in generics.where_clause.iter().flat_map(|w| &w.predicates) {
            if let syn::WherePredicate::Type(predicate) = predicate
                && let syn::Type::Path(bounded) = &predicate.bounded_ty
                && bounded.path.is_ident(&parameter.ident)
            {
                element = element.or_else(|| element_of(&predicate.bounds));
            }
        }
        if let Some(element) = element {
            found.push(Storage {
                name: parameter.ident.clone(),
                element,
            });
        }
    }
    found
}

/// The type parameters of a function that are no storages.
pub fn others(signature: &syn::Signature) -> Vec<&syn::TypeParam> {
    let storages = storages(signature);
    let parameters = signature.generics.type_params();
    parameters
        .filter(|parameter| storages.iter().all(|s| s.name != parameter.ident))
        .collect()
}

/// What `Data<Elem = f64>` says of elements.
fn element_of(bounds: &Punctuated<syn::TypeParamBound, syn::Token![+]>) -> Option<syn::Type> {
    bounds.iter().find_map(|bound| {
        let syn::TypeParamBound::Trait(bound) = bound else {
            return None;
        };
        let last = bound.path.segments.last()?;
        let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
            return None;
        };
        if !TRAITS.iter().any(|known| last.ident == known) {
            return None;
        }
        arguments.args.iter().find_map(|argument| match argument {
            syn::GenericArgument::AssocType(elem) if elem.ident == "Elem" => Some(elem.ty.clone()),
            _ => None,
        })
    })
}

/// `ArrayBase<S, Ix2>`, `ArrayView<f64, Ix2>` and its like: who owns the elements, how many dimensions there are, and
/// what the elements are.
pub fn named(path: &syn::Path, storages: &[Storage]) -> Option<(Owner, usize, syn::Type)> {
    let last = path.segments.last()?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        syn::GenericArgument::Type(syn::Type::Path(ty)) => Some(ty),
        _ => None,
    });
    let (Some(first), Some(dimension), None) = (types.next(), types.next(), types.next()) else {
        return None;
    };
    let dimension = dimension.path.segments.last()?.ident.to_string();
    let rank = dimension.strip_prefix("Ix")?.parse().ok()?;
    let own = || syn::Type::Path(first.clone());
    let (owner, element) = match last.ident.to_string().as_str() {
        "ArrayBase" => {
            let storage = storages.iter().find(|s| first.path.is_ident(&s.name))?;
            (Owner::Itself, storage.element.clone())
        }
        "Array" => (Owner::Itself, own()),
        "ArrayView" => (Owner::Shared, own()),
        "ArrayViewMut" => (Owner::Mutable, own()),
        _ => return None,
    };
    (1..=super::views::MOST)
        .contains(&rank)
        .then_some((owner, rank, element))
}
