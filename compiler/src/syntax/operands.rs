//! What expressions are made of.

use super::ast::{Block, Expression, ExpressionKind, ForLoop, Statement, Type, VariableId};

/// What the kind of an expression is applied to, to be read or to be changed.
macro_rules! operands {
    ($kind:expr, $iter:ident) => {{
        use ExpressionKind as Kind;
        match $kind {
            Kind::Float(_)
            | Kind::Integer(_)
            | Kind::Bool(_)
            | Kind::Variable(_)
            | Kind::Table(_)
            | Kind::Text(_)
            | Kind::Block(_) => Vec::new(),
            Kind::Index(a, b)
            | Kind::Column(a, b)
            | Kind::Binary(_, a, b)
            | Kind::Compare(_, a, b)
            | Kind::Logical(_, a, b) => vec![a, b],
            Kind::Part {
                base,
                start,
                length,
            } => vec![base, start, length],
            Kind::Not(a)
            | Kind::Field(a, _)
            | Kind::Repeat(a, _)
            | Kind::Negate(a)
            | Kind::Cast(a)
            | Kind::Reference(a)
            | Kind::Dereference(a)
            | Kind::Length(a, _)
            | Kind::If(a, _, _) => vec![a],
            Kind::Tuple(all)
            | Kind::Array(all)
            | Kind::Integers(_, all)
            | Kind::Allocate(all)
            | Kind::Outside(all)
            | Kind::Call(_, all)
            | Kind::Helper(_, all) => all.$iter().collect(),
        }
    }};
}

/// The expressions and the blocks that the statements and the value of a block are made of.
macro_rules! parts {
    ($block:expr, $iter:ident, $value:ident $(, $mutable:tt)?) => {{
        let (mut expressions, mut blocks) = (Vec::new(), Vec::new());
        for statement in $block.statements.$iter() {
            match statement {
                Statement::Let(_, value)
                | Statement::Effect(value)
                | Statement::Assert(value, _) => {
                    expressions.push(value);
                }
                Statement::Assign { place, value, .. } => expressions.extend([place, value]),
                Statement::For(inner) => {
                    let ForLoop {
                        start, end, body, ..
                    } = &$($mutable)? **inner;
                    expressions.extend([start, end]);
                    blocks.push(body);
                }
                Statement::Block(inner) => blocks.push(inner),
            }
        }
        expressions.extend($block.value.$value());
        (expressions, blocks)
    }};
}

impl Block {
    /// The expressions and the blocks that its statements and its value are made of.
    pub fn parts(&self) -> (Vec<&Expression>, Vec<&Block>) {
        parts!(self, iter, as_deref)
    }

    /// The same, to be changed.
    pub fn parts_mut(&mut self) -> (Vec<&mut Expression>, Vec<&mut Block>) {
        parts!(self, iter_mut, as_deref_mut, mut)
    }
}

impl Type {
    /// The type of an array's elements.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Type::Array(inner, _) | Type::Slice(inner) | Type::Open(inner, _) => Some(inner),
            _ => None,
        }
    }
}

impl Block {
    /// Whether anything in it is a variable.
    pub fn mentions(&self, variable: VariableId) -> bool {
        let mut statements = self.statements.iter();
        let value = self.value.as_deref();
        statements.any(|statement| statement.mentions(variable))
            || value.is_some_and(|value| value.mentions(variable))
    }
}

impl Statement {
    /// Whether anything in it is a variable; patterns declare others.
    pub fn mentions(&self, variable: VariableId) -> bool {
        match self {
            Statement::Let(_, value) | Statement::Effect(value) | Statement::Assert(value, _) => {
                value.mentions(variable)
            }
            Statement::Assign { place, value, .. } => {
                place.mentions(variable) || value.mentions(variable)
            }
            Statement::For(inner) => {
                inner.start.mentions(variable)
                    || inner.end.mentions(variable)
                    || inner.body.mentions(variable)
            }
            Statement::Block(inner) => inner.mentions(variable),
        }
    }
}

impl Expression {
    /// Whether it is a variable, or anything in it is.
    pub fn mentions(&self, variable: VariableId) -> bool {
        let own = matches!(self.kind, ExpressionKind::Variable(id) if id == variable);
        let mut operands = self.operands().into_iter();
        let mut blocks = self.blocks().into_iter();
        own || operands.any(|operand| operand.mentions(variable))
            || blocks.any(|block| block.mentions(variable))
    }

    /// An entry of a table, subscripted here, whose value is known if its subscripts are.
    pub fn is_table_entry(&self) -> bool {
        match &self.kind {
            ExpressionKind::Index(base, _) => {
                let array = match &base.kind {
                    ExpressionKind::Reference(array) => array,
                    _ => base,
                };
                matches!(array.kind, ExpressionKind::Table(_)) || array.is_table_entry()
            }
            _ => false,
        }
    }

    /// What an operation is applied to, in the order of the text; blocks are not entered.
    pub fn operands(&self) -> Vec<&Expression> {
        operands!(&self.kind, iter)
    }

    /// The blocks that an expression is made of.
    pub fn blocks(&self) -> Vec<&Block> {
        match &self.kind {
            ExpressionKind::If(_, then, otherwise) => vec![then, otherwise],
            ExpressionKind::Block(block) => vec![block],
            _ => Vec::new(),
        }
    }

    /// What an operation is applied to, to be changed; blocks are not entered.
    pub fn operands_mut(&mut self) -> Vec<&mut Expression> {
        operands!(&mut self.kind, iter_mut)
    }

    /// The blocks that an expression is made of, to be changed.
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match &mut self.kind {
            ExpressionKind::If(_, then, otherwise) => vec![then, otherwise],
            ExpressionKind::Block(block) => vec![block],
            _ => Vec::new(),
        }
    }

    /// The value behind references.
    #[must_use]
    pub fn dereferenced(self) -> Expression {
        let Type::Reference(inner, _) = &self.ty else {
            return self;
        };
        let (ty, span) = (inner.as_ref().clone(), self.span);
        if let ExpressionKind::Reference(inner) = self.kind {
            return Expression { span, ..*inner }.dereferenced();
        }
        let kind = ExpressionKind::Dereference(Box::new(self));
        super::expressions::typed(kind, ty, span).dereferenced()
    }
}
