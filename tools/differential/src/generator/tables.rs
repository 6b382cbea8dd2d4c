//! Tables: literals and tabulated elements.

use loopwright_compiler::elements::{self, Cell, Derivative, Element};

use super::Generator;
use super::scope::{Expr, Table};

/// Entries of tabulated elements at most.
const LARGEST: usize = 120;

impl Generator {
    /// An entry of a table of numbers.
    pub fn table_entry(&mut self) -> Expr {
        let real: Vec<usize> = (0..self.tables.len())
            .filter(|at| !self.tables[*at].integers)
            .collect();
        let table = if !real.is_empty() && self.random.chance(65) {
            self.random.pick(&real)
        } else if self.random.chance(20) {
            self.tabulated()
        } else {
            self.literal_table()
        };
        let Table {
            name, shape, bound, ..
        } = self.tables[table].clone();
        let mut text = name;
        for extent in shape {
            let subscript = self.below(extent, true);
            text.push_str(&format!("[{}]", subscript.text));
        }
        if self.generic() {
            text = format!("T::from_f64({text})");
        }
        Expr {
            text,
            level: 0,
            bound,
            error: 0.0,
            literal: false,
            reads: true,
        }
    }

    /// The element type of tables.
    pub fn table_type(&self) -> &'static str {
        if self.generic() {
            "f64"
        } else {
            self.type_name()
        }
    }

    fn literal_table(&mut self) -> usize {
        let dimensions = self.random.weighted(&[1, 6, 5, 1]);
        let shape: Vec<usize> = (0..dimensions).map(|_| self.extent()).collect();
        let few = self.random.chance(40);
        let text = self.values(&shape, &mut |generator| {
            let random = &mut generator.random;
            let value = match random.below(if few { 7 } else { 12 }) {
                0 | 1 => 0.0,
                2 | 3 => 1.0,
                4 => -1.0,
                5 => 0.5,
                6 => 2.0,
                _ => (random.below(4001) as f64 - 2000.0) / 1000.0,
            };
            format!("{value:?}")
        });
        let word = if self.random.chance(75) {
            "static"
        } else {
            "const"
        };
        let word = if shape.is_empty() { "const" } else { word };
        let ty = array_type(self.table_type(), &shape);
        let name = self.fresh("TABLE");
        self.add(Table {
            text: format!("{word} {name}: {ty} = {text};"),
            name,
            shape,
            bound: 2.0,
            integers: false,
        })
    }

    fn tabulated(&mut self) -> usize {
        let cell = self.random.pick(&Cell::ALL);
        let degree = self.random.between(1, 3);
        let (text, mut element) = self.finite_element(cell);
        let (what, table) = match self.random.below(4) {
            0 => ("weights".to_owned(), elements::Table::Weights),
            1 => (text, elements::Table::Basis(element, Derivative::Values)),
            2 => (
                format!("{text}, gradient"),
                elements::Table::Basis(element, Derivative::Gradient),
            ),
            _ => {
                // Second derivatives of vectors have more dimensions than loops are generated for.
                element.components = None;
                (
                    format!("lagrange({}), hessian", element.degree),
                    elements::Table::Basis(element, Derivative::Hessian),
                )
            }
        };
        let Ok(tabulated) = elements::tabulate(cell, degree.into(), table) else {
            return self.literal_table();
        };
        if tabulated.values.len() > LARGEST {
            return self.literal_table();
        }
        self.add_tabulated(cell, degree, &what, &tabulated);
        self.tables.len() - 1
    }

    /// Adds the table of an element or of a rule's weights; its name, and its largest magnitude.
    pub fn add_tabulated(
        &mut self,
        cell: Cell,
        degree: usize,
        what: &str,
        table: &elements::Tabulated,
    ) -> (String, f64) {
        let text = format!("tabulate!({}, quadrature({degree}), {what})", cell.name());
        let magnitudes = table.values.iter().map(|v| v.to_f64().abs());
        let bound = magnitudes.fold(0.0, f64::max);
        (self.known_table(&table.shape, &text, bound), bound)
    }

    /// A scalar or vector-valued element of low degree, and how it is written.
    fn finite_element(&mut self, cell: Cell) -> (String, Element) {
        let degree = self.random.between(1, 2);
        if cell.dimension() > 1 && self.random.chance(25) {
            let components = Some(cell.dimension());
            let text = format!("vector(lagrange({degree}))");
            (text, Element { degree, components })
        } else {
            let components = None;
            (
                format!("lagrange({degree})"),
                Element { degree, components },
            )
        }
    }

    /// An entry of a table of integers below a limit.
    pub fn integer_table(&mut self, limit: usize) -> String {
        let fits = |t: &Table| t.integers && t.bound <= limit as f64;
        let existing = (0..self.tables.len()).find(|at| fits(&self.tables[*at]));
        let table = match existing.filter(|_| self.random.chance(60)) {
            Some(table) => table,
            None => {
                let shape = [self.extent()];
                let text = self.values(&shape, &mut |g| g.random.below(limit).to_string());
                let name = self.fresh("MAP");
                let ty = array_type("usize", &shape);
                self.add(Table {
                    text: format!("static {name}: {ty} = {text};"),
                    name,
                    shape: shape.to_vec(),
                    bound: limit as f64,
                    integers: true,
                })
            }
        };
        let extent = self.tables[table].shape[0];
        let subscript = self.below(extent, false);
        format!("{}[{}]", self.tables[table].name, subscript.text)
    }

    fn add(&mut self, table: Table) -> usize {
        self.tables.push(table);
        self.tables.len() - 1
    }

    fn values(
        &mut self,
        shape: &[usize],
        value: &mut dyn FnMut(&mut Generator) -> String,
    ) -> String {
        let Some((n, inner)) = shape.split_first() else {
            return value(self);
        };
        let parts: Vec<String> = (0..*n).map(|_| self.values(inner, value)).collect();
        format!("[{}]", parts.join(", "))
    }
}

/// `[[f64; 3]; 4]`.
pub fn array_type(element: &str, shape: &[usize]) -> String {
    shape
        .iter()
        .rev()
        .fold(element.to_owned(), |inner, n| format!("[{inner}; {n}]"))
}
