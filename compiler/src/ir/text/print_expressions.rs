//! Expressions as text.

use super::names::{self, Names};
use super::numbers;
use crate::collections::HashMap;
use crate::ir::{Element, Expr, ExprId, Factor, Program, Term};
use crate::number::Number;
use crate::syntax::ast::Elementary;

/// Expressions with more nodes than this, shared ones counted as often as they are used, name
/// what they use repeatedly.
const LARGE: u64 = 60;
/// Nodes of the smallest expression that is named.
const SMALLEST_NAMED: u64 = 3;

/// How tightly the text around an expression binds.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Any,
    Sum,
    Term,
    Factor,
}

/// Prints the expressions of an equation.
pub struct Expressions<'p> {
    program: &'p Program,
    names: &'p Names,
    /// Numbers of the expressions that are named.
    bound: HashMap<ExprId, usize>,
    /// Element types as a reader infers them from an expression alone.
    shown: HashMap<ExprId, Option<Element>>,
}

impl<'p> Expressions<'p> {
    /// Decides what is named.
    pub fn new(program: &'p Program, names: &'p Names, root: ExprId) -> Self {
        let mut measured = Measured::default();
        let size = measured.visit(program, root);
        let named = |id: &ExprId| {
            size > LARGE && measured.uses[id] > 1 && measured.sizes[id] >= SMALLEST_NAMED
        };
        let named = measured.order.iter().copied().filter(named);
        Expressions {
            program,
            names,
            bound: named.zip(1..).collect(),
            shown: HashMap::default(),
        }
    }

    /// The expressions that have names, operands first; the n-th is `%n`, counted from one.
    pub fn bound(&self) -> Vec<ExprId> {
        let mut ids: Vec<ExprId> = self.bound.keys().copied().collect();
        ids.sort_unstable_by_key(|id| self.bound[id]);
        ids
    }

    /// The text of a named expression.
    pub fn definition(&mut self, id: ExprId, expected: Element) -> String {
        self.typed(id, expected, Level::Any)
    }

    /// The text of an expression where one of a certain type is expected.
    pub fn text(&mut self, id: ExprId, expected: Element) -> String {
        self.operand(id, expected, Level::Any)
    }

    fn operand(&mut self, id: ExprId, expected: Element, level: Level) -> String {
        match self.bound.get(&id) {
            Some(number) => format!("%{number}"),
            None => self.typed(id, expected, level),
        }
    }

    fn typed(&mut self, id: ExprId, expected: Element, level: Level) -> String {
        let actual = self.program.pool.element(id);
        if self.inferred(id).unwrap_or(expected) == actual {
            return self.bare(id, level);
        }
        let text = self.bare(id, Level::Any);
        format!("({text}: {})", names::element(actual))
    }

    /// What a reader infers for an operand that stands alone.
    fn shown(&mut self, id: ExprId) -> Option<Element> {
        let actual = self.program.pool.element(id);
        if self.bound.contains_key(&id) {
            return Some(actual);
        }
        if let Some(known) = self.shown.get(&id) {
            return *known;
        }
        // Where something else shows, the type is written down.
        let result = self.inferred(id).map(|_| actual);
        self.shown.insert(id, result);
        result
    }

    /// What a reader infers from a node's operands.
    fn inferred(&mut self, id: ExprId) -> Option<Element> {
        let pool = &self.program.pool;
        match pool.get(id) {
            Expr::Constant(_) => None,
            Expr::Access(access) => {
                let array = self.program.arrays.get(access.array.0 as usize);
                array.map(|a| a.element)
            }
            Expr::Cast(to, _) => Some(*to),
            Expr::Select(_, then, otherwise) => {
                let (then, otherwise) = (*then, *otherwise);
                self.shown(then).or_else(|| self.shown(otherwise))
            }
            _ => pool
                .operands(id)
                .into_iter()
                .find_map(|operand| self.shown(operand)),
        }
    }

    fn bare(&mut self, id: ExprId, level: Level) -> String {
        let program = self.program;
        let element = program.pool.element(id);
        let parenthesised = |text: String, own: Level| match own < level {
            true => format!("({text})"),
            false => text,
        };
        match program.pool.get(id) {
            Expr::Constant(number) => numbers::print(*number),
            Expr::Access(access) => self.names.access(access),
            Expr::Sum(terms) if terms.is_empty() => "(+)".to_owned(),
            Expr::Sum(terms) => parenthesised(self.sum(terms, element), Level::Sum),
            Expr::Product(factors) if factors.is_empty() => "(*)".to_owned(),
            Expr::Product(factors) => {
                // `2 * x` would not be a term of one factor.
                let single = matches!(factors.as_slice(), [Factor { power: 1, .. }]);
                let own = if single { Level::Sum } else { Level::Term };
                parenthesised(self.product(factors, element), own)
            }
            Expr::Call(function, arguments) => {
                let mut texts: Vec<String> = arguments
                    .iter()
                    .map(|a| self.operand(*a, element, Level::Any))
                    .collect();
                if let Elementary::Powi(power) = function {
                    texts.push(power.to_string());
                }
                if let Elementary::Pure(at) = function {
                    texts.push(at.to_string());
                }
                format!("{}({})", names::function(*function), texts.join(", "))
            }
            Expr::Compare(operator, l, r) => {
                let l = self.operand(*l, element, Level::Sum);
                let r = self.operand(*r, element, Level::Sum);
                let text = format!("{l} {} {r}", names::comparison(*operator));
                parenthesised(text, Level::Any)
            }
            Expr::Select(condition, then, otherwise) => {
                let condition = self.operand(*condition, element, Level::Any);
                let then = self.operand(*then, element, Level::Any);
                let otherwise = self.operand(*otherwise, element, Level::Any);
                format!("if {condition} {{ {then} }} else {{ {otherwise} }}")
            }
            Expr::Cast(to, operand) => {
                let operand = self.operand(*operand, Element::F64, Level::Any);
                format!("{}({operand})", names::element(*to))
            }
        }
    }

    fn sum(&mut self, terms: &[Term], element: Element) -> String {
        let mut text = String::new();
        for (at, term) in terms.iter().enumerate() {
            let negative = numbers::is_negative(term.coefficient);
            let magnitude = match negative {
                true => -term.coefficient,
                false => term.coefficient,
            };
            let plain = magnitude.key() == Number::ONE.key();
            text.push_str(match (at, negative) {
                (0, true) => "-",
                (0, false) if plain && terms.len() == 1 => "+ ",
                (0, false) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            });
            let operand = self.operand(term.expr, element, Level::Term);
            if !plain {
                text.push_str(&format!("{} ", numbers::print(magnitude)));
            }
            // `-(2)` is a term, `-2` a constant; `2 (-3)` is a term, `2 -3` a difference.
            let number = operand.starts_with(|c: char| c.is_ascii_digit() || c == '#');
            let signed = operand.starts_with('-');
            if plain && at == 0 && negative && (number || signed) || !plain && signed {
                text.push_str(&format!("({operand})"));
            } else {
                text.push_str(&operand);
            }
        }
        text
    }

    fn product(&mut self, factors: &[Factor], element: Element) -> String {
        let mut text = match factors {
            [Factor { power: 1, .. }] => "* ".to_owned(),
            _ => String::new(),
        };
        for (at, factor) in factors.iter().enumerate() {
            let base = self.operand(factor.expr, element, Level::Factor);
            let mut power = i64::from(factor.power);
            if at > 0 && power < 0 {
                text.push_str(" / ");
                power = -power;
            } else if at > 0 {
                text.push_str(" * ");
            }
            text.push_str(&base);
            if power != 1 {
                text.push_str(&format!("^{power}"));
            }
        }
        text
    }
}

#[derive(Default)]
struct Measured {
    /// Sizes as trees.
    sizes: HashMap<ExprId, u64>,
    /// How often each expression is an operand.
    uses: HashMap<ExprId, u32>,
    /// Operands first: ids say in which order expressions were built, not how they look.
    order: Vec<ExprId>,
}

impl Measured {
    fn visit(&mut self, program: &Program, id: ExprId) -> u64 {
        *self.uses.entry(id).or_insert(0) += 1;
        if let Some(size) = self.sizes.get(&id) {
            return *size;
        }
        let mut size = 1u64;
        for operand in program.pool.operands(id) {
            size = size.saturating_add(self.visit(program, operand));
        }
        self.sizes.insert(id, size);
        self.order.push(id);
        size
    }
}
