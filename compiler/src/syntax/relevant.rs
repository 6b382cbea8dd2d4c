//! Which integer variables accesses depend on, and which hold data: integers that are computed with as other
//! numbers are.

use crate::collections::HashSet;

use super::ast::{
    Block, Expression, ExpressionKind, Function, Pattern, ScalarType, Statement, Type, VariableId,
};

/// The variables of a function that subscripts, bounds, conditions and extents are computed from, and
/// those that are handed to helpers.
pub fn relevant(function: &Function) -> HashSet<VariableId> {
    Search::of(function, true).used()
}

/// The variables of a function that subscripts, bounds and extents are computed from, and that follow from no elements of
/// arrays, nor from conditions on these.
pub fn counters(function: &Function) -> HashSet<VariableId> {
    let mut search = Search::of(function, false);
    let under = std::mem::take(&mut search.under);
    search.values.extend(under);
    let data = made_of(&search, HashSet::default());
    let mut counters = search.used();
    counters.retain(|variable| !data.contains(variable));
    counters
}

/// The variables that are made of data, whichever stands first.
fn made_of(search: &Search, mut data: HashSet<VariableId>) -> HashSet<VariableId> {
    loop {
        let known = data.len();
        for (target, value) in &search.values {
            if depends(value, &data) {
                data.insert(*target);
            }
        }
        if data.len() == known {
            return data;
        }
    }
}

/// Integers of a function that are data: made of entries of arrays, or changed on the way, and no part of
/// a subscript, a bound or an extent.
#[derive(Debug)]
pub struct Data {
    addresses: HashSet<VariableId>,
    data: HashSet<VariableId>,
}

impl Data {
    /// Of a function, whose parameters among `given` are data.
    pub fn of(function: &Function, given: HashSet<VariableId>) -> Data {
        let search = Search::of(function, false);
        let mut data = given;
        data.extend(&search.changed);
        let data = made_of(&search, data);
        Data {
            addresses: search.used(),
            data,
        }
    }

    /// Whether subscripts, bounds or extents follow a variable.
    pub fn is_address(&self, variable: VariableId) -> bool {
        self.addresses.contains(&variable)
    }

    /// Whether the value of an expression is made of data.
    pub fn has(&self, expression: &Expression) -> bool {
        depends(expression, &self.data)
    }
}

/// Whether a value is made of entries of arrays, or of such variables.
fn depends(expression: &Expression, data: &HashSet<VariableId>) -> bool {
    let scalar = matches!(expression.ty, Type::Scalar(_));
    match &expression.kind {
        ExpressionKind::Index(..) | ExpressionKind::Outside(_) | ExpressionKind::Text(_)
            if scalar =>
        {
            true
        }
        ExpressionKind::Variable(variable) => data.contains(variable),
        ExpressionKind::Cast(inner) if !is_integer(&inner.ty) => true,
        ExpressionKind::Length(..) | ExpressionKind::Allocate(_) => false,
        ExpressionKind::If(_, then, otherwise) => [then, otherwise]
            .iter()
            .any(|block| block.value.iter().any(|value| depends(value, data))),
        ExpressionKind::Block(block) => block.value.iter().any(|value| depends(value, data)),
        // Of long sums the last operand is a leaf.
        _ => {
            let mut operands = expression.operands().into_iter().rev();
            operands.any(|operand| depends(operand, data))
        }
    }
}

/// Whether a value is an integer, also behind references.
pub fn is_integer(ty: &Type) -> bool {
    matches!(
        super::types::behind(ty),
        Type::Scalar(ScalarType::Integer(_))
    )
}

struct Search<'a> {
    function: &'a Function,
    /// Conditions, and what is handed to helpers, are uses too.
    all: bool,
    used: HashSet<VariableId>,
    /// What is assigned to a variable is made of others.
    made: Vec<(VariableId, Vec<VariableId>)>,
    /// What is assigned to each variable.
    values: Vec<(VariableId, &'a Expression)>,
    /// The conditions that are open, and those that each variable is assigned under.
    conditions: Vec<&'a Expression>,
    under: Vec<(VariableId, &'a Expression)>,
    /// Variables that are assigned after they were declared.
    changed: HashSet<VariableId>,
}

impl<'a> Search<'a> {
    fn of(function: &'a Function, all: bool) -> Search<'a> {
        let mut search = Search {
            function,
            all,
            used: HashSet::default(),
            made: Vec::new(),
            values: Vec::new(),
            conditions: Vec::new(),
            under: Vec::new(),
            changed: HashSet::default(),
        };
        search.block(&function.body);
        search
    }

    /// The variables that are used, and those that these are made of.
    fn used(mut self) -> HashSet<VariableId> {
        let mut open: Vec<VariableId> = self.used.iter().copied().collect();
        while let Some(variable) = open.pop() {
            let made = self.made.iter().filter(|(of, _)| *of == variable);
            let from: Vec<VariableId> = made.flat_map(|(_, from)| from).copied().collect();
            open.extend(from.into_iter().filter(|v| self.used.insert(*v)));
        }
        self.used
    }

    fn block(&mut self, block: &'a Block) {
        for statement in &block.statements {
            match statement {
                Statement::Let(pattern, value) => {
                    self.made(bound(pattern), value);
                    self.expression(value);
                }
                Statement::Assign { place, value, .. } => {
                    let target: Vec<VariableId> =
                        self.variables(place).into_iter().take(1).collect();
                    self.changed.extend(&target);
                    for condition in &self.conditions {
                        self.under
                            .extend(target.iter().map(|own| (*own, *condition)));
                    }
                    self.made(target, value);
                    self.expression(place);
                    self.expression(value);
                }
                Statement::For(inner) => {
                    for end in [&inner.start, &inner.end] {
                        self.uses(end);
                        self.expression(end);
                    }
                    self.block(&inner.body);
                }
                Statement::Block(inner) => self.block(inner),
                Statement::Effect(value) => self.expression(value),
                Statement::Assert(condition, _) => {
                    if self.all {
                        self.uses(condition);
                    }
                    self.expression(condition);
                }
            }
        }
        if let Some(value) = &block.value {
            self.expression(value);
        }
    }

    fn made(&mut self, targets: Vec<VariableId>, value: &'a Expression) {
        let from = self.variables(value);
        for target in targets {
            self.made.push((target, from.clone()));
            self.values.push((target, value));
        }
    }

    /// All variables of an expression, in the order of the text. What an array holds leads to nothing where it is
    /// asked for its length alone; a local one is then still there to be asked.
    fn variables(&self, expression: &Expression) -> Vec<VariableId> {
        let mut result = Vec::new();
        let mut open = vec![expression];
        while let Some(top) = open.pop() {
            if let ExpressionKind::Variable(variable) = &top.kind {
                result.push(*variable);
            }
            if let ExpressionKind::Length(of, _) = &top.kind
                && (!self.all || self.is_parameter(of))
            {
                continue;
            }
            open.extend(top.operands().into_iter().rev());
            for block in top.blocks() {
                open.extend(block.value.as_deref());
                let values = block
                    .statements
                    .iter()
                    .filter_map(|statement| match statement {
                        Statement::Let(_, value) | Statement::Assign { value, .. } => Some(value),
                        Statement::Effect(value) | Statement::Assert(value, _) => Some(value),
                        Statement::For(_) | Statement::Block(_) => None,
                    });
                open.extend(values);
            }
        }
        result
    }

    fn is_parameter(&self, expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Variable(variable) => {
                let mut parameters = self.function.parameters.iter();
                parameters.any(|parameter| parameter.variable == *variable)
            }
            ExpressionKind::Reference(of) | ExpressionKind::Dereference(of) => {
                self.is_parameter(of)
            }
            _ => false,
        }
    }

    fn uses(&mut self, expression: &Expression) {
        let variables = self.variables(expression);
        self.used.extend(variables);
    }

    fn expression(&mut self, expression: &'a Expression) {
        match &expression.kind {
            ExpressionKind::Index(_, index) => self.uses(index),
            ExpressionKind::If(condition, ..) if self.all => self.uses(condition),
            ExpressionKind::Allocate(parts) => parts.iter().for_each(|part| self.uses(part)),
            ExpressionKind::Helper(_, arguments) if self.all => {
                let scalar = |ty: &Type| {
                    let ty = super::types::behind(ty);
                    matches!(ty, Type::Scalar(ScalarType::F64 | ScalarType::F32))
                };
                let integers = arguments.iter().filter(|argument| !scalar(&argument.ty));
                integers.for_each(|argument| self.uses(argument));
            }
            _ => {}
        }
        for operand in expression.operands() {
            self.expression(operand);
        }
        if let ExpressionKind::If(condition, ..) = &expression.kind {
            self.conditions.push(condition);
        }
        let blocks = expression.blocks().into_iter();
        blocks.for_each(|block| self.block(block));
        if let ExpressionKind::If(..) = &expression.kind {
            self.conditions.pop();
        }
    }
}

/// The variables that a pattern binds.
fn bound(pattern: &Pattern) -> Vec<VariableId> {
    match pattern {
        Pattern::Variable(variable) => vec![*variable],
        Pattern::Wildcard => Vec::new(),
        Pattern::Tuple(parts) => parts.iter().flat_map(bound).collect(),
    }
}
