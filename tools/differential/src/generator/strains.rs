//! Forms of strains: matrices of the strains of functions, and gradients of vector-valued functions
//! in local arrays. Most of what these hold is zero.

use loopwright_compiler::elements::Cell;

use super::Generator;
use super::contractions::{plus, summed, times};
use super::factors::input;
use super::scope::{Expr, Role};
use super::spaces::{Field, Target};
use super::weak_forms::Form;

/// A local matrix, a row a strain and a column a function's component.
struct Strains {
    name: String,
    rows: usize,
    columns: usize,
    /// Its rows are behind each other in one dimension.
    flat: bool,
    /// Bounds of an entry; the text is no entry's.
    entry: Expr,
}

impl Strains {
    /// An entry; with these bounds if it is one.
    fn at(&self, row: &str, column: &str) -> Expr {
        let Strains { name, columns, .. } = self;
        let text = match self.flat {
            true => format!("{name}[{columns} * {row} + {column}]"),
            false => format!("{name}[{row}][{column}]"),
        };
        Expr {
            text,
            ..self.entry.clone()
        }
    }
}

impl Generator {
    /// `∫ Bᵀ D B`, or `∫ Bᵀ σ`, with a matrix `B` of strains.
    pub fn strain_matrix(&mut self, form: &Form) {
        let cell = form.rule.cell;
        let quadratic = cell == Cell::Triangle && form.largest >= 12;
        let space = self.space(&form.rule, if quadratic { 2 } else { 1 });
        let interleaved = self.random.chance(60);
        let field = Field::new(space, cell.dimension(), 0, interleaved);
        let size = field.size();
        let forces = self.random.chance(30);
        let (base, shape) = match forces {
            true => ("b", vec![size]),
            false => ("a", vec![size, size]),
        };
        let target = self.element_tensor(base, shape);
        let points = self.known_loop("q", form.rule.points);
        let weight = self.weight(&form.rule, &field.space);
        let strains = self.strains(form, &field);
        match forces {
            true => self.forces(form, &target, &strains, &weight),
            false => self.stiffness(form, &target, &strains, &weight),
        }
        self.close_loop(points);
    }

    /// `let mut strain = [[0.0; 12]; 3]; for n in 0..6 { strain[0][2 * n] = …; … }`
    fn strains(&mut self, form: &Form, field: &Field) -> Strains {
        let dimension = form.rule.cell.dimension();
        let symmetric = self.random.chance(65);
        let rows = match symmetric {
            true => dimension * (dimension + 1) / 2,
            false => dimension * dimension,
        };
        let mut strains = self.local_matrix("strain", rows, field.size());
        let functions = self.known_loop("n", field.space.functions);
        let slopes = self.slopes(form, field);
        let operator = self.random.pick(&["=", "=", "+="]);
        let mut entries: Vec<(usize, usize, Expr)> = Vec::new();
        if symmetric {
            let half = self.random.chance(30).then(|| self.constant(0.5));
            let mut row = dimension;
            for axis in 0..dimension {
                entries.push((axis, axis, slopes[axis].clone()));
                for other in axis + 1..dimension {
                    for (component, along) in [(axis, other), (other, axis)] {
                        let slope = &slopes[along];
                        let shear = match &half {
                            Some(half) => times(half, slope),
                            None => slope.clone(),
                        };
                        entries.push((row, component, shear));
                    }
                    row += 1;
                }
            }
        } else {
            for component in 0..dimension {
                for (axis, slope) in slopes.iter().enumerate() {
                    entries.push((dimension * component + axis, component, slope.clone()));
                }
            }
        }
        for (row, component, slope) in entries {
            let place = strains.at(&row.to_string(), &field.number(component, "n"));
            self.line(&format!("{} {operator} {};", place.text, slope.text));
            // No entry is written for two components, but one may start from a zero.
            strains.entry.bound = strains.entry.bound.max(slope.bound);
            strains.entry.error = strains.entry.error.max(slope.error + slope.bound);
        }
        self.close_loop(functions);
        strains
    }

    /// A function's derivatives: those on the reference cell, or mapped ones.
    fn slopes(&mut self, form: &Form, field: &Field) -> Vec<Expr> {
        let dimension = form.rule.cell.dimension();
        let axes = (0..dimension).map(|axis| axis.to_string());
        if self.random.chance(50) {
            let slopes = axes.map(|axis| self.derivative(&field.space, &axis, "n"));
            return slopes.collect();
        }
        let inverse = self.of_cells("k", Role::Input, vec![dimension, dimension]);
        let name = self.zero("g", &[dimension]);
        let marks = ["c", "r"].map(|axis| self.known_loop(axis, dimension));
        let slope = self.derivative(&field.space, "r", "n");
        let term = times(&input(format!("{inverse}[e][r][c]")), &slope);
        self.line(&format!("{name}[c] += {};", term.text));
        self.close_loops(marks);
        let mapped = |axis| summed(format!("{name}[{axis}]"), &term, dimension as f64);
        axes.map(mapped).collect()
    }

    /// A matrix of zeros.
    fn local_matrix(&mut self, base: &str, rows: usize, columns: usize) -> Strains {
        let flat = self.random.chance(25);
        let name = match flat {
            true => self.zero(base, &[rows * columns]),
            false => self.zero(base, &[rows, columns]),
        };
        let nothing = Expr {
            bound: 0.0,
            ..input(String::new())
        };
        Strains {
            name,
            rows,
            columns,
            flat,
            entry: nothing,
        }
    }

    /// `b[e][i] += W[q] * strain[r][i] * stress[r];`
    fn forces(&mut self, form: &Form, target: &Target, strains: &Strains, weight: &Expr) {
        let Strains { rows, columns, .. } = *strains;
        let numbers = self.of_cells("u", Role::Input, vec![columns]);
        let stress = self.zero("stress", &[rows]);
        let marks = [self.known_loop("r", rows), self.known_loop("j", columns)];
        let term = times(&strains.at("r", "j"), &input(format!("{numbers}[e][j]")));
        let term = times(&self.form_coefficient(form), &term);
        self.line(&format!("{stress}[r] += {};", term.text));
        self.close_loops(marks);
        let stress = summed(format!("{stress}[r]"), &term, columns as f64);
        let marks = [self.known_loop("i", columns), self.known_loop("r", rows)];
        let value = times(&times(weight, &strains.at("r", "i")), &stress);
        let (name, operator) = (&target.name, form.operator);
        let text = format!("{name}[e][i] {operator} {};", value.text);
        self.line(&text);
        self.close_loops(marks);
        self.adds(target.output, (rows * form.rule.points) as f64, &value);
    }

    /// `a[e][i][j] += W[q] * entry;`, where the entry is a sum over strains.
    fn stiffness(&mut self, form: &Form, target: &Target, strains: &Strains, weight: &Expr) {
        let stresses = self.random.chance(60).then(|| self.stresses(strains));
        let Strains { rows, columns, .. } = *strains;
        let loops = ["i", "j"].map(|index| self.known_loop(index, columns));
        let name = self.zero("entry", &[]);
        let mark = self.known_loop("r", rows);
        let strain = strains.at("r", "i");
        let term = match &stresses {
            Some(stresses) => times(&strain, &stresses.at("r", "j")),
            None => times(
                &times(&self.form_coefficient(form), &strain),
                &strains.at("r", "j"),
            ),
        };
        self.line(&format!("{name} += {};", term.text));
        self.close_loops([mark]);
        let entry = times(weight, &summed(name, &term, rows as f64));
        let (name, operator) = (&target.name, form.operator);
        let text = format!("{name}[e][i][j] {operator} {};", entry.text);
        self.line(&text);
        self.close_loops(loops);
        self.adds(target.output, form.rule.points as f64, &entry);
    }

    /// `stress[r][j] += material[e][r][s] * strain[s][j];`
    fn stresses(&mut self, strains: &Strains) -> Strains {
        let Strains { rows, columns, .. } = *strains;
        let material = self.of_cells("material", Role::Input, vec![rows, rows]);
        let mut stresses = self.local_matrix("stress", rows, columns);
        let extents = [("r", rows), ("s", rows), ("j", columns)];
        let marks = extents.map(|(index, extent)| self.known_loop(index, extent));
        let modulus = input(format!("{material}[e][r][s]"));
        let term = times(&modulus, &strains.at("s", "j"));
        let place = stresses.at("r", "j").text;
        self.line(&format!("{place} += {};", term.text));
        self.close_loops(marks);
        stresses.entry = summed(String::new(), &term, rows as f64);
        stresses
    }

    /// Products of the gradients or strains of vector-valued functions.
    pub fn vector_functions(&mut self, form: &Form) {
        let cell = form.rule.cell;
        let quadratic = cell == Cell::Triangle && form.largest >= 12;
        let (table, count) = self.vector_gradients(&form.rule, if quadratic { 2 } else { 1 });
        let dimension = cell.dimension();
        let inverse = self.random.chance(50);
        let inverse = inverse.then(|| self.of_cells("k", Role::Input, vec![dimension, dimension]));
        let target = self.element_tensor("a", vec![count, count]);
        let loops = [("q", form.rule.points), ("i", count), ("j", count)];
        let loops = loops.map(|(index, extent)| self.known_loop(index, extent));
        let weight = self.converted(&form.rule.weight, &["q"]);
        let [test, trial] =
            ["i", "j"].map(|index| self.gradient(dimension, (&table, index), inverse.as_deref()));
        let product = self.zero("product", &[]);
        let axes = ["c", "d"].map(|axis| self.known_loop(axis, dimension));
        let mut term = at(&test, "[c][d]");
        if self.random.chance(60) {
            term = plus(&term, &at(&test, "[d][c]"), '+');
            term = times(&self.constant(0.5), &term);
        }
        let term = times(&term, &at(&trial, "[c][d]"));
        self.line(&format!("{product} += {};", term.text));
        self.close_loops(axes);
        let mut value = summed(product, &term, (dimension * dimension) as f64);
        value = times(&self.form_coefficient(form), &value);
        if self.random.chance(50) {
            let [divergence, other] = [&test, &trial].map(|gradient| trace(gradient, dimension));
            let volume = times(&times(&self.form_coefficient(form), &divergence), &other);
            value = plus(&value, &volume, '+');
        }
        let value = times(&weight, &value);
        let (name, operator) = (&target.name, form.operator);
        let text = format!("{name}[e][i][j] {operator} {};", value.text);
        self.line(&text);
        self.close_loops(loops);
        self.adds(target.output, form.rule.points as f64, &value);
    }

    /// The gradient of a function as a local array: its name, with bounds of an entry.
    fn gradient(
        &mut self,
        dimension: usize,
        (table, function): (&Expr, &str),
        inverse: Option<&str>,
    ) -> Expr {
        let name = self.zero("gradient", &[dimension, dimension]);
        let mut marks = vec![
            self.known_loop("c", dimension),
            self.known_loop("d", dimension),
        ];
        let mut term = self.converted(table, &["c", "d", "q", function]);
        let mut trips = 1;
        if let Some(inverse) = inverse {
            marks.push(self.known_loop("r", dimension));
            let derivative = self.converted(table, &["c", "r", "q", function]);
            term = times(&input(format!("{inverse}[e][r][d]")), &derivative);
            trips = dimension;
        }
        self.line(&format!("{name}[c][d] += {};", term.text));
        self.close_loops(marks);
        summed(name, &term, trips as f64)
    }
}

/// An entry of a local array.
fn at(array: &Expr, subscripts: &str) -> Expr {
    Expr {
        text: format!("{}{subscripts}", array.text),
        ..array.clone()
    }
}

/// The sum of a gradient's diagonal.
fn trace(gradient: &Expr, dimension: usize) -> Expr {
    let mut sum = at(gradient, "[0][0]");
    for axis in 1..dimension {
        sum = plus(&sum, &at(gradient, &format!("[{axis}][{axis}]")), '+');
    }
    sum
}
