//! Printing choices that fall one way for all lanes: as branches, each with what it alone evaluates.

use super::printer::{Printer, Scope, Value};
use crate::ir::{Combining, Equation, ExprId};
use crate::schedule::taken::only;
use crate::schedule::tree::{Node, Offsets, instances};

impl Printer<'_> {
    /// Prints as many nodes as do nothing unless the same condition is met, where it is; how many there are.
    pub fn guarded(&mut self, nodes: &[Node]) -> usize {
        let around = |node: &Node| self.taken.around(self.program, node);
        let Some(own) = nodes.first().and_then(around) else {
            return 0;
        };
        if self.held.contains(&own) {
            return 0;
        }
        let count = nodes.iter().take_while(|node| around(node) == Some(own));
        let count = count.count();
        let (condition, holds) = own;
        let first = instances(&nodes[..count]).into_iter().next();
        if let Some(first) = first {
            self.enter(first.equation);
        }
        let condition = self.value(&mut Scope::default(), condition, &Offsets::new());
        if condition.vector {
            return 0;
        }
        self.line(&format!("if {}{} {{", not(holds), condition.text));
        self.held.push(own);
        self.nodes(&nodes[..count]);
        self.held.pop();
        self.line("}");
        count
    }

    /// The value of a choice whose condition is known to all lanes.
    pub fn taken_branch(
        &mut self,
        scope: &mut Scope,
        (choice, condition): (ExprId, &Value),
        [then, otherwise]: [ExprId; 2],
        offsets: &Offsets,
    ) -> Value {
        let element = self.program.pool.element(choice);
        let vector = self.is_vector(then) || self.is_vector(otherwise);
        let mut text = String::new();
        for (at, branch) in [then, otherwise].into_iter().enumerate() {
            self.before_branch(scope, (choice, at, branch), offsets);
            let inside = self.aside(scope, |printer, scope| {
                let value = printer.value(scope, branch, offsets);
                let value = printer.coerce(scope, value, vector);
                printer.line(&value);
            });
            text += &match at {
                0 => format!("if {} {{\n{inside}}}", condition.text),
                _ => format!(" else {{\n{inside}}}"),
            };
        }
        self.bind("choice", &text, vector, element)
    }

    /// Prints an instance of an equation whose target changes in one branch alone; whether it is one.
    pub fn only_branch(
        &mut self,
        scope: &mut Scope,
        (equation, accumulate): (&Equation, Option<Combining>),
        offsets: &Offsets,
    ) -> bool {
        let Some((condition, value, holds)) = only(self.program, &self.taken, equation) else {
            return false;
        };
        if self.held.contains(&(condition, holds)) {
            let value = self.value(scope, value, offsets);
            self.store(scope, &equation.target, offsets, value, accumulate);
            return true;
        }
        let condition = self.value(scope, condition, offsets);
        if condition.vector {
            return false;
        }
        let branch = (equation.expr, usize::from(!holds), value);
        self.before_branch(scope, branch, offsets);
        let inside = self.aside(scope, |printer, scope| {
            let value = printer.value(scope, value, offsets);
            printer.store(scope, &equation.target, offsets, value, accumulate);
        });
        self.line(&format!(
            "if {}{} {{\n{inside}}}",
            not(holds),
            condition.text
        ));
        scope.forget_streams(self.program.viewed(equation.target.array));
        true
    }

    /// Computes what a branch reads and something else does, too.
    fn before_branch(
        &mut self,
        scope: &mut Scope,
        (choice, at, branch): (ExprId, usize, ExprId),
        offsets: &Offsets,
    ) {
        let Some(branches) = self.taken.branches(choice) else {
            return;
        };
        let mut own: Vec<ExprId> = branches[at].iter().copied().collect();
        own.sort_unstable();
        let operands = own
            .iter()
            .flat_map(|expr| self.program.pool.operands(*expr));
        let mut shared: Vec<ExprId> = operands.chain([branch]).collect();
        shared.retain(|expr| own.binary_search(expr).is_err());
        shared.sort_unstable();
        shared.dedup();
        for expr in shared {
            self.value(scope, expr, offsets);
        }
    }

    /// What is printed of a block of its own: its values are not seen outside of it.
    fn aside(&mut self, scope: &mut Scope, print: impl FnOnce(&mut Self, &mut Scope)) -> String {
        let around = std::mem::take(&mut self.out);
        print(self, &mut scope.clone());
        std::mem::replace(&mut self.out, around)
    }
}

/// What stands before a condition that is to hold, or not to.
fn not(holds: bool) -> &'static str {
    match holds {
        true => "",
        false => "!",
    }
}
