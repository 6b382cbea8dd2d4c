//! Helper functions of a kernel, and calls of them.

use super::expressions::join;
use super::scope::{Expr, Place, Scope, Variable};
use super::tables::array_type;
use super::{Generator, Real};

/// What arguments of helpers may be.
const ARGUMENT: (f64, f64) = (4.0, 60.0);

/// A helper function.
#[derive(Clone, Debug)]
pub struct Helper {
    pub name: String,
    /// Its lines.
    pub lines: Vec<String>,
    pub kind: Kind,
    /// Bounds of the result.
    pub bound: f64,
    pub error: f64,
}

/// Signatures of helpers.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `(a: f64, b: f64) -> f64`
    Scalar,
    /// `(x: &[f64; N]) -> f64`
    OfArray(usize),
    /// `(x: &[[f64; N]; M]) -> ([f64; M], f64)`
    Pair(usize, usize),
}

impl Generator {
    /// A call of a helper that returns a number.
    pub fn helper_value(&mut self, depth: usize) -> Expr {
        if self.closed {
            return self.product(depth);
        }
        let known = |h: &&Helper| !matches!(h.kind, Kind::Pair(..));
        let existing: Vec<Helper> = self.helpers.iter().filter(known).cloned().collect();
        let helper = if !existing.is_empty() && self.random.chance(60) {
            self.random.pick(&existing)
        } else if self.helpers.len() < 3 {
            let kind = match self.random.below(2) {
                0 => Kind::Scalar,
                _ => Kind::OfArray(self.random.between(1, 4)),
            };
            self.new_helper(kind)
        } else {
            return self.product(depth);
        };
        let (arguments, reads) = match helper.kind {
            Kind::OfArray(n) => (self.array_argument(&[n]), true),
            _ => {
                let (a, b) = (self.argument(depth - 1), self.argument(depth - 1));
                (format!("{}, {}", a.text, b.text), a.reads || b.reads)
            }
        };
        Expr {
            bound: helper.bound,
            error: helper.error,
            reads,
            ..join(format!("{}({arguments})", helper.name), 0, &[])
        }
        .typed()
    }

    /// An argument that helpers' bounds hold for.
    fn argument(&mut self, depth: usize) -> Expr {
        let value = self.expression(depth);
        if value.bound <= ARGUMENT.0 && value.error <= ARGUMENT.1 {
            return value;
        }
        self.literal()
    }

    /// A reference to an array of inputs.
    fn array_argument(&mut self, shape: &[usize]) -> String {
        let fits = |p: &&Place| {
            p.shape == shape && p.bound <= ARGUMENT.0 && p.error <= ARGUMENT.1 && p.local
        };
        let local = self.scope.places.iter().find(fits).map(|p| p.text.clone());
        match local.filter(|_| self.random.chance(60)) {
            Some(name) => format!("&{name}"),
            None => format!("&{}", self.row(shape)),
        }
    }

    /// `let (d, s) = helper(&x[e]);`
    pub fn helper_statement(&mut self) {
        let existing = self.helpers.iter().find_map(|h| match h.kind {
            Kind::Pair(rows, columns) => Some((h.clone(), rows, columns)),
            _ => None,
        });
        let (helper, rows, columns) = match existing.filter(|_| self.random.chance(70)) {
            Some(known) => known,
            None => {
                let (rows, columns) = (self.random.between(1, 3), self.random.between(1, 3));
                (self.new_helper(Kind::Pair(rows, columns)), rows, columns)
            }
        };
        let argument = self.array_argument(&[rows, columns]);
        let (array, scalar) = (self.fresh("d"), self.fresh("a"));
        let call = format!("{}({argument})", helper.name);
        if self.random.chance(20) {
            let pair = self.fresh("pair");
            self.line(&format!("let {pair} = {call};"));
            self.line(&format!("let {array} = {pair}.0;"));
            self.line(&format!("let {scalar} = {pair}.1;"));
        } else {
            self.line(&format!("let ({array}, {scalar}) = {call};"));
        }
        self.scope.places.push(Place {
            text: array,
            shape: vec![rows],
            bound: helper.bound,
            error: helper.error,
            local: true,
        });
        self.declare(scalar, helper.bound, helper.error);
    }

    /// Writes a helper.
    fn new_helper(&mut self, kind: Kind) -> Helper {
        let outside = (
            std::mem::take(&mut self.scope),
            std::mem::take(&mut self.lines),
            std::mem::replace(&mut self.indent, 1),
            std::mem::replace(&mut self.closed, true),
        );
        let loops = self.loop_names.len();
        let name = self.fresh("helper");
        let ty = self.type_name();
        let (parameters, result, bounds) = match kind {
            Kind::Scalar => {
                self.scope = of_scalars();
                let value = self.helper_body();
                self.line(&value.text);
                (format!("a: {ty}, b: {ty}"), ty.to_owned(), value)
            }
            Kind::OfArray(n) => {
                self.scope = of_array(&[n]);
                let value = self.helper_body();
                self.line(&value.text);
                let array = array_type(ty, &[n]);
                (format!("x: &{array}"), ty.to_owned(), value)
            }
            Kind::Pair(rows, columns) => {
                self.scope = of_array(&[rows, columns]);
                let value = self.pair_body(rows);
                let (array, result) = (array_type(ty, &[rows, columns]), array_type(ty, &[rows]));
                (format!("x: &{array}"), format!("({result}, {ty})"), value)
            }
        };
        let generics = match self.real {
            Real::Scalar => "<T: loopwright::Scalar>",
            Real::Ordered => "<T: loopwright::Real>",
            _ => "",
        };
        let mut lines = vec![format!("fn {name}{generics}({parameters}) -> {result} {{")];
        lines.append(&mut self.lines);
        lines.push("}".to_owned());
        (self.scope, self.lines, self.indent, self.closed) = outside;
        self.loop_names.truncate(loops);
        let helper = Helper {
            name,
            lines,
            kind,
            bound: bounds.bound,
            error: bounds.error,
        };
        self.helpers.push(helper.clone());
        helper
    }

    /// Perhaps a binding, and the value.
    fn helper_body(&mut self) -> Expr {
        if self.random.chance(50) {
            let value = self.expression(2);
            let (name, ty) = (self.fresh("a"), self.type_name());
            self.line(&format!("let {name}: {ty} = {};", value.text));
            self.declare(name, value.bound, value.error);
        }
        let depth = self.random.between(1, 3);
        self.expression(depth)
    }

    /// An array filled in a loop, and a number.
    fn pair_body(&mut self, rows: usize) -> Expr {
        let (zero, ty) = (self.constant(0.0), self.type_name());
        let array = array_type(ty, &[rows]);
        self.line(&format!("let mut d: {array} = [{}; {rows}];", zero.text));
        let high = super::range::Linear::constant(rows as i64 - 1);
        let mark = self.enter("v".to_owned(), &format!("0..{rows}"), 0, high);
        let value = self.expression(2);
        self.line(&format!("d[v] += {};", value.text));
        self.close_loop(mark);
        let second = self.helper_body();
        self.line(&format!("(d, {})", second.text));
        Expr {
            bound: value.bound.max(second.bound),
            error: (value.error + value.bound).max(second.error),
            ..second
        }
    }
}

impl Expr {
    /// Its type is known from its text.
    fn typed(self) -> Expr {
        Expr {
            literal: false,
            ..self
        }
    }
}

fn of_scalars() -> Scope {
    let variable = |name: &str| Variable {
        name: name.to_owned(),
        bound: ARGUMENT.0,
        error: ARGUMENT.1,
    };
    Scope {
        variables: vec![variable("a"), variable("b")],
        ..Scope::default()
    }
}

fn of_array(shape: &[usize]) -> Scope {
    Scope {
        places: vec![Place {
            text: "x".to_owned(),
            shape: shape.to_vec(),
            bound: ARGUMENT.0,
            error: ARGUMENT.1,
            local: false,
        }],
        ..Scope::default()
    }
}
