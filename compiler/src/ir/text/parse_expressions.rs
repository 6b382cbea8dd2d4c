//! Text to expressions: first a tree, then, types known, nodes of the pool.

use super::lexer::Token;
use super::names;
use super::parse::element;
use super::parser::{Parser, Result};
use crate::ir::{Access, Element, Expr, ExprId, Factor, Program, Term};
use crate::number::Number;
use crate::syntax::ast::{CompareOperator, Elementary};

struct Tree {
    kind: Kind,
    /// The element type, if it shows.
    element: Option<Element>,
}

enum Kind {
    Constant(Number),
    Access(Access),
    Bound(ExprId),
    Sum(Vec<(Number, Tree)>),
    Product(Vec<(Tree, i32)>),
    Call(Elementary, Vec<Tree>),
    Compare(CompareOperator, Box<(Tree, Tree)>),
    Select(Box<(Tree, Tree, Tree)>),
    Cast(Element, Box<Tree>),
    /// `(x: f32)`.
    Typed(Element, Box<Tree>),
}

/// Takes an expression where one of a certain type is expected; `%n` is the n-th of `bound`,
/// counted from one.
pub fn expression(
    parser: &mut Parser,
    program: &mut Program,
    bound: &[ExprId],
    expected: Element,
) -> Result<ExprId> {
    let tree = Reader {
        parser,
        program,
        bound,
    }
    .any()?;
    Ok(build(program, tree, expected))
}

/// Adds a tree to the pool.
fn build(program: &mut Program, tree: Tree, expected: Element) -> ExprId {
    let element = tree.element.unwrap_or(expected);
    match tree.kind {
        Kind::Typed(element, inner) => add(program, inner.kind, element),
        kind => add(program, kind, element),
    }
}

fn add(program: &mut Program, kind: Kind, element: Element) -> ExprId {
    let node = match kind {
        Kind::Bound(id) => return id,
        Kind::Typed(element, inner) => return add(program, inner.kind, element),
        Kind::Constant(number) => Expr::Constant(number),
        Kind::Access(access) => Expr::Access(access),
        Kind::Sum(terms) => Expr::Sum(
            terms
                .into_iter()
                .map(|(coefficient, tree)| Term {
                    coefficient,
                    expr: build(program, tree, element),
                })
                .collect(),
        ),
        Kind::Product(factors) => Expr::Product(
            factors
                .into_iter()
                .map(|(tree, power)| Factor {
                    expr: build(program, tree, element),
                    power,
                })
                .collect(),
        ),
        Kind::Call(function, arguments) => {
            let built = arguments
                .into_iter()
                .map(|a| build(program, a, element))
                .collect();
            Expr::Call(function, built)
        }
        Kind::Compare(operator, sides) => {
            let left = build(program, sides.0, element);
            Expr::Compare(operator, left, build(program, sides.1, element))
        }
        Kind::Select(parts) => {
            let condition = build(program, parts.0, element);
            let then = build(program, parts.1, element);
            Expr::Select(condition, then, build(program, parts.2, element))
        }
        Kind::Cast(to, inner) => Expr::Cast(to, build(program, *inner, Element::F64)),
    };
    program.pool.add(node, element)
}

struct Reader<'r, 's> {
    parser: &'r mut Parser<'s>,
    program: &'r Program,
    bound: &'r [ExprId],
}

impl Reader<'_, '_> {
    fn any(&mut self) -> Result<Tree> {
        let left = self.sum()?;
        let operator = match self.parser.peek() {
            Token::Symbol(symbol) => names::comparison_of(symbol),
            _ => None,
        };
        let Some(operator) = operator else {
            return Ok(left);
        };
        self.parser.next();
        let right = self.sum()?;
        Ok(Tree {
            element: left.element.or(right.element),
            kind: Kind::Compare(operator, Box::new((left, right))),
        })
    }

    fn sum(&mut self) -> Result<Tree> {
        let mut one = false;
        let mut sign = Number::ONE;
        if self.parser.take("+") {
            one = true;
        } else if self.parser.is("-") && !matches!(self.parser.ahead(1), Token::Number(..)) {
            self.parser.next();
            one = true;
            sign = -Number::ONE;
        }
        let mut terms = Vec::new();
        loop {
            let (coefficient, tree) = self.term()?;
            one |= coefficient.is_some();
            let signed = match sign == Number::ONE {
                true => coefficient.unwrap_or(sign),
                false => coefficient.map_or(sign, |c| -c),
            };
            terms.push((signed, tree));
            sign = match self.parser.peek() {
                Token::Symbol("+") => Number::ONE,
                Token::Symbol("-") => -Number::ONE,
                _ => break,
            };
            self.parser.next();
        }
        match terms.pop() {
            Some((_, tree)) if !one && terms.is_empty() => Ok(tree),
            last => {
                terms.extend(last);
                Ok(Tree {
                    element: terms.iter().find_map(|(_, t)| t.element),
                    kind: Kind::Sum(terms),
                })
            }
        }
    }

    /// A product, and the number next to it.
    fn term(&mut self) -> Result<(Option<Number>, Tree)> {
        let negative = usize::from(self.parser.is("-"));
        if let Token::Number(number, _) = *self.parser.ahead(negative)
            && self.starts_operand(negative + 1)
        {
            for _ in 0..=negative {
                self.parser.next();
            }
            let coefficient = if negative > 0 { -number } else { number };
            return Ok((Some(coefficient), self.product()?));
        }
        Ok((None, self.product()?))
    }

    fn starts_operand(&self, ahead: usize) -> bool {
        match self.parser.ahead(ahead) {
            Token::Word(word) => {
                word.quoted || word.name == "if" || !names::RESERVED.contains(&&*word.name)
            }
            Token::Number(..) | Token::Bound(_) | Token::Symbol("(") => true,
            _ => false,
        }
    }

    fn product(&mut self) -> Result<Tree> {
        let single = self.parser.take("*");
        let mut factors = vec![self.factor(1)?];
        loop {
            let sign = match self.parser.peek() {
                Token::Symbol("*") => 1,
                Token::Symbol("/") => -1,
                _ => break,
            };
            self.parser.next();
            factors.push(self.factor(sign)?);
        }
        match factors.pop() {
            Some((tree, 1)) if !single && factors.is_empty() => Ok(tree),
            last => {
                factors.extend(last);
                Ok(Tree {
                    element: factors.iter().find_map(|(t, _)| t.element),
                    kind: Kind::Product(factors),
                })
            }
        }
    }

    fn factor(&mut self, sign: i64) -> Result<(Tree, i32)> {
        let tree = self.operand()?;
        let start = self.parser.position();
        let power = match self.parser.take("^") {
            true => self.parser.integer("an integer power")?,
            false => 1,
        };
        match power.checked_mul(sign).map(i32::try_from) {
            Some(Ok(power)) if power != 0 => Ok((tree, power)),
            _ => self
                .parser
                .error_at(start, "a power is an integer of 32 bits, and not zero"),
        }
    }

    fn operand(&mut self) -> Result<Tree> {
        let constant = |number| Tree {
            kind: Kind::Constant(number),
            element: None,
        };
        match self.parser.peek().clone() {
            Token::Number(number, _) => {
                self.parser.next();
                Ok(constant(number))
            }
            Token::Symbol("-") => match *self.parser.ahead(1) {
                Token::Number(number, _) => {
                    self.parser.next();
                    self.parser.next();
                    Ok(constant(-number))
                }
                _ => {
                    self.parser.next();
                    self.parser
                        .expected("a number (a negated expression here needs parentheses)")
                }
            },
            Token::Symbol("(") => self.parentheses(),
            Token::Bound(number) => {
                let id = (number as usize).checked_sub(1);
                let Some(&id) = id.and_then(|at| self.bound.get(at)) else {
                    return self
                        .parser
                        .expected("an expression that a `let` before names");
                };
                self.parser.next();
                Ok(Tree {
                    kind: Kind::Bound(id),
                    element: Some(self.program.pool.element(id)),
                })
            }
            Token::Word(word) if !word.quoted && word.name == "if" => self.select(),
            Token::Word(word) => {
                if !word.quoted && matches!(self.parser.ahead(1), Token::Symbol("(")) {
                    return self.call(&word.name);
                }
                let access = self.parser.access()?;
                let array = self.program.arrays.get(access.array.0 as usize);
                Ok(Tree {
                    element: array.map(|a| a.element),
                    kind: Kind::Access(access),
                })
            }
            _ => self.parser.expected("an expression"),
        }
    }

    fn parentheses(&mut self) -> Result<Tree> {
        self.parser.symbol("(")?;
        if matches!(self.parser.ahead(1), Token::Symbol(")")) {
            let kind = match self.parser.peek() {
                Token::Symbol("+") => Some(Kind::Sum(Vec::new())),
                Token::Symbol("*") => Some(Kind::Product(Vec::new())),
                _ => None,
            };
            if let Some(kind) = kind {
                self.parser.next();
                self.parser.next();
                return Ok(Tree {
                    kind,
                    element: None,
                });
            }
        }
        let inner = self.any()?;
        let tree = match self.parser.take(":") {
            true => {
                let said = element(self.parser)?;
                Tree {
                    element: inner.element.map(|_| said),
                    kind: Kind::Typed(said, Box::new(inner)),
                }
            }
            false => inner,
        };
        match self.parser.take(")") {
            true => Ok(tree),
            false => self.parser.expected("an operator or `)`"),
        }
    }

    fn select(&mut self) -> Result<Tree> {
        self.parser.keyword("if")?;
        let condition = self.any()?;
        self.parser.symbol("{")?;
        let then = self.any()?;
        self.parser.symbol("}")?;
        self.parser.keyword("else")?;
        self.parser.symbol("{")?;
        let otherwise = self.any()?;
        self.parser.symbol("}")?;
        Ok(Tree {
            element: then.element.or(otherwise.element),
            kind: Kind::Select(Box::new((condition, then, otherwise))),
        })
    }

    fn call(&mut self, name: &str) -> Result<Tree> {
        let start = self.parser.position();
        self.parser.next();
        self.parser.next();
        if let Some(to) = names::element_of(name) {
            let inner = self.any()?;
            self.parser.symbol(")")?;
            return Ok(Tree {
                kind: Kind::Cast(to, Box::new(inner)),
                element: Some(to),
            });
        }
        let mut arguments = Vec::new();
        while !self.parser.is(")") {
            arguments.push(self.any()?);
            if !self.parser.take(",") {
                break;
            }
        }
        match self.parser.take(")") {
            true => {}
            false => return self.parser.expected("an operator, `,` or `)`"),
        }
        let function = match name {
            "powi" => match arguments.pop().map(|a| a.kind).and_then(integer) {
                Some(power) => Elementary::Powi(power),
                None => {
                    let message = "`powi` has an integer as its last argument";
                    return self.parser.error_at(start, message);
                }
            },
            "pure" => match arguments.pop().map(|a| a.kind).and_then(integer) {
                Some(at) if at >= 0 => Elementary::Pure(at as usize),
                _ => {
                    let message = "`pure` has the function's number as its last argument";
                    return self.parser.error_at(start, message);
                }
            },
            _ => match names::function_of(name) {
                Some(function) => function,
                None => {
                    let message = format!("there is no function `{name}`");
                    return self.parser.error_at(start, message);
                }
            },
        };
        Ok(Tree {
            element: arguments.iter().find_map(|a| a.element),
            kind: Kind::Call(function, arguments),
        })
    }
}

/// The integer that a constant is.
fn integer(kind: Kind) -> Option<i32> {
    let Kind::Constant(number) = kind else {
        return None;
    };
    let value = number.to_f64() as i32;
    (Number::from_i64(i64::from(value)).key() == number.key()).then_some(value)
}
