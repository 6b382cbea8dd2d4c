//! The text form of programs: prints, and parses to the same program.
//!
//! ```text
//! program helmholtz
//!
//! index e: len(cells)
//! index q: 14
//! index j: 10
//!
//! param 0 cells: f64[len(cells), 4]
//! output 1 a: f64[len(a), 10]
//! state 1 a_before: f64[len(a), 10]
//! table w: f64[14] = [0.5, 1/3, …]
//! temp t: f64[len(cells), 14]
//!
//! t[e, q] = w[q] * abs(cells[e, 3]) / 2   for e, q
//! a[e, j] += sum(q) t[e, q] + 2 cells[e, 0] - 0.5   for e, j
//! ```
//!
//! - A name of an index that something else has is followed by a number: `i'2`.
//! - An extent or subscript is affine: `len(cells)`, `n - 2`, `3*j + 1`, `map[e, j]`. An extent
//!   that is a constant only when the kernel runs is in parentheses: `(4)`.
//! - A number next to an expression is its coefficient in a sum: `2 x` is a sum of one term, `2 * x`
//!   a product of two factors. `+ x` is a sum of one term, `* x` a product of one factor, `(+)` and
//!   `(*)` have none.
//! - A factor's power is `x^3`, or `/ x^3` for a negative one.
//! - Numbers are decimals (the nearest `f64`), quotients of integers without blanks (`1/3`), or
//!   `hi+lo~field` with a field element in hexadecimal digits. `#inf`, `#nan` and `#` with the
//!   sixteen digits of an `f64`'s bits are numbers too.
//! - `f32(x)` converts. `(x: f32)` says the type of an expression that does not show: by default
//!   it is that of its first operand with a type, or of what it is an operand of.
//! - Large expressions name what they use repeatedly: `let %1 = …` lines before an equation.
//! - `// …` is a comment. Names that are no identifiers are in backticks.

mod lexer;
pub(crate) mod more;
pub(crate) mod names;
mod numbers;
mod parse;
mod parse_expressions;
pub(crate) mod parser;
mod print;
mod print_expressions;
#[cfg(test)]
pub(crate) mod random;
#[cfg(test)]
mod tests;

pub use lexer::ParseError;
pub(crate) use lexer::Token;
pub use numbers::{has_image, print as number};
pub(crate) use parse::operator;
pub use parse::parse;
pub use print::{abbreviated, one as equation, print};
