//! What forms are made of: quadrature on a cell, spaces of functions, fields of several components,
//! coefficients.

use loopwright_compiler::elements::{self, Cell, Derivative, Element};

use super::Generator;
use super::contractions::{summed, times};
use super::factors::{Axis, input};
use super::range::Linear;
use super::scope::{Expr, Mark, Role};

/// A quadrature rule of a cell.
pub struct Rule {
    pub cell: Cell,
    degree: usize,
    pub points: usize,
    pub weight: Expr,
}

/// Lagrange functions of one degree, at the points of a rule.
#[derive(Clone)]
pub struct Space {
    pub degree: usize,
    pub functions: usize,
    values: Expr,
    gradient: Expr,
}

/// What a form has of a function.
#[derive(Clone, Copy)]
pub enum Operand {
    Value,
    /// The derivative along an axis.
    Derivative(usize),
}

/// Functions of several components among the numbers of an element.
#[derive(Clone)]
pub struct Field {
    pub space: Space,
    pub components: usize,
    /// The number of the first function.
    first: usize,
    /// The components of a function are next to each other, instead of the functions of a component.
    interleaved: bool,
}

/// The parameter that a form is added to.
pub struct Target {
    pub output: usize,
    pub name: String,
}

impl Field {
    /// A field behind others, which have so many numbers.
    pub fn new(space: Space, components: usize, first: usize, interleaved: bool) -> Field {
        Field {
            space,
            components,
            first,
            interleaved,
        }
    }

    /// How many numbers it has.
    pub fn size(&self) -> usize {
        self.components * self.space.functions
    }

    /// The subscript of a function's component: `2 * i + 1`, or `i + 6`.
    pub fn number(&self, component: usize, function: &str) -> String {
        let (stride, shift) = match self.interleaved && self.components > 1 {
            true => (format!("{} * {function}", self.components), component),
            false => (function.to_owned(), component * self.space.functions),
        };
        match self.first + shift {
            0 => stride,
            shift => format!("{stride} + {shift}"),
        }
    }
}

impl Generator {
    /// A rule; of few points, as many make kernels large.
    pub fn rule(&mut self, cell: Cell) -> Rule {
        let degrees: &[usize] = match cell {
            Cell::Interval => &[2, 4, 6],
            Cell::Triangle => &[2, 2, 2, 2, 4, 4, 6],
            Cell::Tetrahedron => &[1, 2, 2],
            _ => &[2, 3],
        };
        let degree = self.random.pick(degrees);
        let (weights, shape, bound) =
            self.tabulated_as(cell, degree, "weights", elements::Table::Weights);
        Rule {
            cell,
            degree,
            points: shape[0],
            weight: entries(weights, bound),
        }
    }

    /// The functions of one degree.
    pub fn space(&mut self, rule: &Rule, degree: usize) -> Space {
        let element = Element {
            degree,
            components: None,
        };
        let text = format!("lagrange({degree})");
        let mut table = |text: &str, derivative| {
            let table = elements::Table::Basis(element, derivative);
            self.tabulated_as(rule.cell, rule.degree, text, table)
        };
        let (values, shape, value) = table(&text, Derivative::Values);
        let (gradient, _, slope) = table(&format!("{text}, gradient"), Derivative::Gradient);
        Space {
            degree,
            functions: shape[1],
            values: entries(values, value),
            gradient: entries(gradient, slope),
        }
    }

    /// The gradients of vector-valued functions: the table, and how many functions there are.
    pub fn vector_gradients(&mut self, rule: &Rule, degree: usize) -> (Expr, usize) {
        let components = Some(rule.cell.dimension());
        let element = Element { degree, components };
        let table = elements::Table::Basis(element, Derivative::Gradient);
        let text = format!("vector(lagrange({degree})), gradient");
        let (name, shape, bound) = self.tabulated_as(rule.cell, rule.degree, &text, table);
        (entries(name, bound), shape[shape.len() - 1])
    }

    /// A table: its name, its extents, and a bound of its entries.
    fn tabulated_as(
        &mut self,
        cell: Cell,
        degree: usize,
        what: &str,
        table: elements::Table,
    ) -> (String, Vec<usize>, f64) {
        let table = elements::tabulate(cell, degree.into(), table);
        let table = table.unwrap_or_else(|refusal| panic!("{what}: {}", refusal.message));
        let (name, bound) = self.add_tabulated(cell, degree, what, &table);
        (name, table.shape, bound)
    }

    /// `PHI[q][i]` or `DPHI[0][q][i]`.
    pub fn basis_function(&self, space: &Space, operand: Operand, function: &str) -> Expr {
        match operand {
            Operand::Derivative(axis) => self.derivative(space, &axis.to_string(), function),
            Operand::Value => self.converted(&space.values, &["q", function]),
        }
    }

    /// `DPHI[k][q][i]`.
    pub fn derivative(&self, space: &Space, axis: &str, function: &str) -> Expr {
        self.converted(&space.gradient, &[axis, "q", function])
    }

    /// An entry of a table in the kernel's type.
    pub fn converted(&self, table: &Expr, subscripts: &[&str]) -> Expr {
        let subscripts: String = subscripts.iter().map(|s| format!("[{s}]")).collect();
        let text = format!("{}{subscripts}", table.text);
        Expr {
            text: match self.generic() {
                true => format!("T::from_f64({text})"),
                false => text,
            },
            ..table.clone()
        }
    }

    /// A loop of known range.
    pub fn known_loop(&mut self, name: &str, extent: usize) -> Mark {
        let axis = Axis::constant(name.to_owned(), extent);
        self.axis_loop(&axis)
    }

    /// The weight of a point, often with a function's value there.
    pub fn weight(&mut self, rule: &Rule, space: &Space) -> Expr {
        let mut weight = self.converted(&rule.weight, &["q"]);
        if self.random.chance(30) {
            for _ in 0..1 + self.random.weighted(&[4, 1]) {
                let value = self.value_at_point(rule, space);
                weight = times(&weight, &value);
            }
        }
        match self.random.chance(20) {
            true => self.named("weight", &weight),
            false => weight,
        }
    }

    /// `let mut f = 0.0; for r in 0..6 { f += w[e][r] * PHI[q][r]; }`
    pub fn value_at_point(&mut self, rule: &Rule, space: &Space) -> Expr {
        let numbers = self.of_cells("w", Role::Input, vec![space.functions]);
        let name = self.zero("f", &[]);
        let mark = self.known_loop("r", space.functions);
        let operand = match self.random.chance(25) {
            true => self.operand(rule),
            false => Operand::Value,
        };
        let number = input(format!("{numbers}[e][r]"));
        let term = times(&number, &self.basis_function(space, operand, "r"));
        self.line(&format!("{name} += {};", term.text));
        self.close_loop(mark);
        summed(name, &term, space.functions as f64)
    }

    /// The value, or the derivative along an axis.
    pub fn operand(&mut self, rule: &Rule) -> Operand {
        match self.random.below(2 * rule.cell.dimension() + 1) {
            0 => Operand::Value,
            number => Operand::Derivative((number - 1) / 2),
        }
    }

    /// `let c = c[e][0];` for each coefficient of a cell, or what there would be named.
    pub fn coefficients(&mut self, array: &str, count: usize) -> Vec<Expr> {
        let named = self.random.chance(25);
        let mut result = Vec::new();
        for at in 0..count {
            let value = input(format!("{array}[e][{at}]"));
            result.push(match named {
                true => self.named("c", &value),
                false => value,
            });
        }
        result
    }

    /// A variable of this value.
    fn named(&mut self, base: &str, value: &Expr) -> Expr {
        let name = self.fresh(base);
        self.line(&format!("let {name} = {};", value.text));
        Expr {
            text: name,
            level: 0,
            ..value.clone()
        }
    }

    /// A variable of zeros: its name.
    pub fn zero(&mut self, base: &str, shape: &[usize]) -> String {
        let (zero, name) = (self.constant(0.0), self.fresh(base));
        let extents = shape.iter().rev();
        let zeros = extents.fold(zero.text, |inner, extent| format!("[{inner}; {extent}]"));
        self.line(&format!("let mut {name} = {zeros};"));
        name
    }

    /// An element's numbers for each cell.
    pub fn element_tensor(&mut self, base: &str, shape: Vec<usize>) -> Target {
        let role = Role::Output {
            bound: 2.0,
            error: 4.0,
            assigned: false,
        };
        let name = self.of_cells(base, role, shape);
        let output = self.parameters.len() - 1;
        Target { output, name }
    }

    /// The loop over cells: over as many as there are elements of the array.
    pub fn cell_loop(&mut self, array: &str) -> Mark {
        self.whole = Some("n".to_owned());
        let range = format!("0..{array}.len()");
        self.enter("e".to_owned(), &range, 0, Linear::size('n', -1))
    }
}

/// A table, with a bound of its entries.
fn entries(table: String, bound: f64) -> Expr {
    Expr {
        bound: bound.max(1.0),
        ..input(table)
    }
}
