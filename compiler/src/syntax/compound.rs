//! `x = x + y` is `x += y`.

use quote::ToTokens;

use super::ast::BinaryOperator;
use super::operations::arithmetic;
use super::statements::strip;

/// The steps `x += y`, `x -= z` that the assignment `x = x + y - z` takes, which are the same
/// operations in the same order. `None` if the value does not begin with what is assigned, or is not
/// a product or a sum of two that ends with it.
pub fn steps<'e>(
    place: &syn::Expr,
    value: &'e syn::Expr,
) -> Option<Vec<(BinaryOperator, &'e syn::Expr)>> {
    let place = text(place);
    let (operator, left, right) = binary(value)?;
    let commutes = matches!(operator, BinaryOperator::Add | BinaryOperator::Multiply);
    if commutes && is(right, &place) && !is(left, &place) {
        return Some(vec![(operator, left)]);
    }
    let mut steps = Vec::new();
    let mut rest = value;
    while !is(rest, &place) {
        let (own, left, right) = binary(rest)?;
        if is_additive(own) != is_additive(operator) {
            return None;
        }
        steps.push((own, right));
        rest = left;
    }
    steps.reverse();
    // A step must not change what a later one reads.
    let root = root(rest)?;
    let changed = steps[1..].iter().any(|(_, operand)| reads(operand, &root));
    (!changed).then_some(steps)
}

fn is_additive(operator: BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::Add | BinaryOperator::Subtract)
}

fn binary(expr: &syn::Expr) -> Option<(BinaryOperator, &syn::Expr, &syn::Expr)> {
    let syn::Expr::Binary(binary) = strip(expr) else {
        return None;
    };
    let operator = arithmetic(binary.op).filter(|found| *found != BinaryOperator::Remainder)?;
    Some((operator, &binary.left, &binary.right))
}

/// Whether an expression is a place of that text. An operation is none: the text of each operand of a long
/// sum would take time that grows with the square of its length.
fn is(expr: &syn::Expr, place: &str) -> bool {
    !matches!(strip(expr), syn::Expr::Binary(_)) && text(expr) == place
}

fn text(expr: &syn::Expr) -> String {
    strip(expr).to_token_stream().to_string()
}

/// The variable that a place is, or is a part of.
fn root(place: &syn::Expr) -> Option<syn::Ident> {
    match strip(place) {
        syn::Expr::Path(path) => path.path.get_ident().cloned(),
        syn::Expr::Index(index) => root(&index.expr),
        syn::Expr::Unary(unary) => root(&unary.expr),
        _ => None,
    }
}

/// Whether a variable's name is anywhere in an expression.
fn reads(expr: &syn::Expr, variable: &syn::Ident) -> bool {
    fn has(tokens: proc_macro2::TokenStream, variable: &syn::Ident) -> bool {
        tokens.into_iter().any(|token| match token {
            proc_macro2::TokenTree::Ident(ident) => ident == *variable,
            proc_macro2::TokenTree::Group(group) => has(group.stream(), variable),
            _ => false,
        })
    }
    has(expr.to_token_stream(), variable)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps of an assignment as text.
    fn check(assignment: &str, expected: Option<&str>) {
        let assignment: syn::ExprAssign = syn::parse_str(assignment).unwrap();
        let steps = steps(&assignment.left, &assignment.right).map(|steps| {
            let place = text(&assignment.left);
            let sign = |operator: BinaryOperator| match operator {
                BinaryOperator::Add => "+",
                BinaryOperator::Subtract => "-",
                BinaryOperator::Multiply => "*",
                _ => "/",
            };
            let step = |(operator, operand): &(BinaryOperator, &syn::Expr)| {
                format!("{place} {}= {}", sign(*operator), text(operand))
            };
            steps.iter().map(step).collect::<Vec<_>>().join("; ")
        });
        assert_eq!(steps.as_deref(), expected);
    }

    #[test]
    fn assignments_that_begin_with_their_place_are_steps() {
        check("s = s + w * x", Some("s += w * x"));
        check("s = (s + a) - b", Some("s += a; s -= b"));
        check("s = s * a / b", Some("s *= a; s /= b"));
        check("y[i] = y[i] + s", Some("y [i] += s"));
        check("*s = *s + a", Some("* s += a"));
        check("s = s + s * a", Some("s += s * a"));
    }

    #[test]
    fn sums_and_products_of_two_commute() {
        check("s = w * x + s", Some("s += w * x"));
        check("s = x * s", Some("s *= x"));
        check("s = s + s", Some("s += s"));
        check("s = x - s", None);
        check("s = a + b + s", Some("s += a + b"));
    }

    #[test]
    fn others_stay() {
        check("s = a", None);
        check("s = t + a", None);
        check("s = a * (s + b)", None);
        check("s = s * a + b", None);
        check("s = s + a + s * b", None);
        check("y[i] = y[j] + a", None);
        check("s = s % a", None);
    }
}
