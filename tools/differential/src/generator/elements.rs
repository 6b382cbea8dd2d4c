//! Element kernels: gathered vertices, geometry, quadrature, sums of products of basis functions.

use loopwright_compiler::elements::{self, Cell, Derivative, Element};

use super::Generator;
use super::range::Linear;
use super::scope::{Parameter, Role, Table};
use super::tables::array_type;

/// Vertices of a mesh.
const VERTICES: usize = 6;

/// Entries of a tabulated gradient at most: what lanes make of larger elements takes long to compile.
const LARGEST: usize = 24;

/// The largest entry of a Jacobian, and the largest determinant.
const EDGE: f64 = 4.0;
const VOLUME: f64 = 6.0 * EDGE * EDGE * EDGE;

/// Roundings of a value, relative to its bound.
const ROUNDINGS: f64 = 60.0;

/// The tables of an element.
struct Basis {
    weights: String,
    values: String,
    gradient: String,
    points: usize,
    functions: usize,
    /// Bounds of the entries.
    weight: f64,
    value: f64,
    slope: f64,
}

/// A factor of the integrand, and its bound.
struct Term {
    text: String,
    bound: f64,
}

impl Generator {
    /// The body of an element kernel.
    pub fn element_kernel(&mut self) {
        let dimension = [1, 2, 3][self.random.weighted(&[3, 6, 1])];
        let basis = self.basis(dimension);
        let cells = self.of_cells("cells", Role::Map(VERTICES, "usize"), vec![dimension + 1]);
        let e = "e".to_owned();
        let range = format!("0..{cells}.len()");
        let mark = self.enter(e, &range, 0, Linear::size('n', -1));
        self.geometry(dimension, &cells);
        let bilinear = self.random.chance(50);
        let names: &[&str] = if bilinear {
            &["q", "i", "j"]
        } else {
            &["q", "i"]
        };
        let mut order: Vec<&str> = names.to_vec();
        for at in (1..order.len()).rev() {
            order.swap(at, self.random.below(at + 1));
        }
        let coefficient = self.random.chance(40);
        let mut marks = Vec::new();
        for name in order {
            let extent = match name {
                "q" => basis.points,
                _ => basis.functions,
            };
            let high = Linear::constant(extent as i64 - 1);
            marks.push(self.enter(name.to_owned(), &format!("0..{extent}"), 0, high));
            if name == "q" && coefficient {
                self.coefficient(&basis);
            }
        }
        let integrand = self.integrand(&basis, dimension, bilinear, coefficient);
        self.assemble_entry(&basis, &cells, bilinear, &integrand);
        self.close_loops(marks);
        self.close_loop(mark);
    }

    /// A parameter with as many elements as there are cells.
    pub fn of_cells(&mut self, base: &str, role: Role, shape: Vec<usize>) -> String {
        let name = self.fresh(base);
        self.parameters.push(Parameter {
            name: name.clone(),
            role,
            slice: true,
            shape,
            lengths: vec![Linear::size('n', 0)],
            fixed: true,
            single: false,
            view: Vec::new(),
        });
        name
    }

    /// Tables that an element has, or such as none has.
    fn basis(&mut self, dimension: usize) -> Basis {
        let cell = [Cell::Interval, Cell::Triangle, Cell::Tetrahedron][dimension - 1];
        let degree = self.random.between(1, 2);
        let order = self.random.between(1, 2);
        let element = Element {
            degree: order,
            components: None,
        };
        let wanted = [
            elements::Table::Weights,
            elements::Table::Basis(element, Derivative::Values),
            elements::Table::Basis(element, Derivative::Gradient),
        ];
        let tables: Option<Vec<_>> = wanted
            .into_iter()
            .map(|table| elements::tabulate(cell, degree.into(), table).ok())
            .collect();
        let small = |t: &Vec<elements::Tabulated>| t[2].values.len() <= LARGEST;
        if let Some(tables) = tables.filter(small).filter(|_| self.random.chance(50)) {
            let what = [
                "weights".to_owned(),
                format!("lagrange({order})"),
                format!("lagrange({order}), gradient"),
            ];
            let added: Vec<(String, f64)> = what
                .iter()
                .zip(&tables)
                .map(|(what, table)| self.add_tabulated(cell, degree, what, table))
                .collect();
            return Basis {
                points: tables[1].shape[0],
                functions: tables[1].shape[1],
                weights: added[0].0.clone(),
                values: added[1].0.clone(),
                gradient: added[2].0.clone(),
                weight: added[0].1,
                value: added[1].1,
                slope: added[2].1,
            };
        }
        let (points, functions) = (self.random.between(1, 3), self.random.between(1, 3));
        let mut table = |shape: &[usize]| {
            let text = self.structured(shape);
            self.known_table(shape, &text, 2.0)
        };
        Basis {
            weights: table(&[points]),
            values: table(&[points, functions]),
            gradient: table(&[dimension, points, functions]),
            points,
            functions,
            weight: 2.0,
            value: 2.0,
            slope: 2.0,
        }
    }

    /// Adds a table of given values.
    pub fn known_table(&mut self, shape: &[usize], values: &str, bound: f64) -> String {
        let name = self.fresh("TABLE");
        let ty = array_type(self.table_type(), shape);
        self.tables.push(Table {
            text: format!("static {name}: {ty} = {values};"),
            name: name.clone(),
            shape: shape.to_vec(),
            bound,
            integers: false,
        });
        name
    }

    /// Values with zero columns, equal columns, columns of one value, and whatever else.
    pub fn structured(&mut self, shape: &[usize]) -> String {
        let last = shape.last().copied().unwrap_or(1);
        let rows = shape[..shape.len() - 1].iter().product::<usize>();
        let mut columns: Vec<Vec<f64>> = Vec::new();
        for at in 0..last {
            let constant = self.random.pick(&[-1.0, 1.0, 0.5]);
            let column = match self.random.weighted(&[2, 2, 2, 4]) {
                0 => vec![0.0; rows],
                1 => vec![constant; rows],
                2 if at > 0 => self.random.pick(&columns),
                _ => (0..rows)
                    .map(|_| (self.random.below(4001) as f64 - 2000.0) / 1000.0)
                    .collect(),
            };
            columns.push(column);
        }
        let rows: Vec<String> = (0..rows)
            .map(|row| {
                let entries: Vec<String> = columns
                    .iter()
                    .map(|column| format!("{:?}", column[row]))
                    .collect();
                format!("[{}]", entries.join(", "))
            })
            .collect();
        grouped(rows, &shape[..shape.len() - 1])
    }

    /// `let j01 = …;`, and the determinant.
    fn geometry(&mut self, dimension: usize, cells: &str) {
        let gathered = self.random.chance(60);
        let x = if gathered {
            let name = self.fresh("x");
            self.parameters.push(Parameter {
                name: name.clone(),
                role: Role::Input,
                slice: true,
                shape: vec![dimension],
                lengths: vec![Linear::constant(VERTICES as i64)],
                fixed: false,
                single: false,
                view: Vec::new(),
            });
            name
        } else {
            self.of_cells("x", Role::Input, vec![dimension + 1, dimension])
        };
        let coordinate = |vertex: String, axis: String| match gathered {
            true => format!("{x}[{cells}[e][{vertex}]][{axis}]"),
            false => format!("{x}[e][{vertex}][{axis}]"),
        };
        if self.random.chance(30) {
            let ty = array_type(self.type_name(), &[dimension, dimension]);
            self.line(&format!(
                "let mut jac: {ty} = [[0.0; {dimension}]; {dimension}];"
            ));
            self.line(&format!(
                "for r in 0..{dimension} {{ for c in 0..{dimension} {{"
            ));
            let far = coordinate("c + 1".to_owned(), "r".to_owned());
            let near = coordinate("0".to_owned(), "r".to_owned());
            self.line(&format!("    jac[r][c] = {far} - {near};"));
            self.line("} }");
            for (r, c) in pairs(dimension) {
                self.line(&format!("let j{r}{c} = jac[{r}][{c}];"));
            }
        } else {
            for (r, c) in pairs(dimension) {
                let far = coordinate((c + 1).to_string(), r.to_string());
                let near = coordinate("0".to_owned(), r.to_string());
                self.line(&format!("let j{r}{c} = {far} - {near};"));
            }
        }
        self.line(match dimension {
            1 => "let det = j00;",
            2 => "let det = j00 * j11 - j01 * j10;",
            _ => {
                "let det = j00 * (j11 * j22 - j12 * j21) - j01 * (j10 * j22 - j12 * j20) \
                 + j02 * (j10 * j21 - j11 * j20);"
            }
        });
        if self.random.chance(30) {
            self.line("let scale = 1.0 / (det.abs() + 2.0);");
        } else {
            self.line("let scale = det.abs();");
        }
    }

    /// `let mut f = 0.0; for k in … { f += c[e][k] * PHI[q][k]; }`
    fn coefficient(&mut self, basis: &Basis) {
        let (n, values) = (basis.functions, &basis.values);
        let c = self.of_cells("c", Role::Input, vec![n]);
        let ty = self.type_name();
        self.line(&format!("let mut f: {ty} = 0.0;"));
        self.line(&format!(
            "for k in 0..{n} {{ f += {c}[e][k] * {values}[q][k]; }}"
        ));
    }

    /// What is summed over the points, but for the weight.
    fn integrand(
        &mut self,
        basis: &Basis,
        dimension: usize,
        bilinear: bool,
        coefficient: bool,
    ) -> Term {
        let (values, gradient) = (&basis.values, &basis.gradient);
        let mut terms = Vec::new();
        for _ in 0..1 + self.random.weighted(&[5, 3, 1]) {
            let r = self.random.below(dimension);
            let mut factors = Vec::new();
            let mut kind = self.random.below(3);
            for index in ["i", "j"] {
                if index == "j" && !bilinear {
                    continue;
                }
                // Most matrices are symmetric.
                if index == "j" && self.random.chance(35) {
                    kind = self.random.below(3);
                }
                factors.push(match kind {
                    0 => (format!("{values}[q][{index}]"), basis.value),
                    1 => (format!("{gradient}[{r}][q][{index}]"), basis.slope),
                    _ => {
                        let parts: Vec<String> = (0..dimension)
                            .map(|d| format!("j0{d} * {gradient}[{d}][q][{index}]"))
                            .collect();
                        let bound = dimension as f64 * EDGE * basis.slope;
                        (format!("({})", parts.join(" + ")), bound)
                    }
                });
            }
            if coefficient && self.random.chance(60) {
                factors.push(("f".to_owned(), basis.functions as f64 * 2.0 * basis.value));
            }
            let texts: Vec<&str> = factors.iter().map(|(text, _)| text.as_str()).collect();
            terms.push(Term {
                text: texts.join(" * "),
                bound: factors.iter().map(|(_, bound)| bound.max(1.0)).product(),
            });
        }
        let texts: Vec<&str> = terms.iter().map(|term| term.text.as_str()).collect();
        let operator = self.random.pick(&[" + ", " - "]);
        Term {
            text: format!("({})", texts.join(operator)),
            bound: terms.iter().map(|term| term.bound).sum(),
        }
    }

    /// `a[e][i][j] += W[q] * scale * (…);`
    fn assemble_entry(&mut self, basis: &Basis, cells: &str, bilinear: bool, integrand: &Term) {
        let n = basis.functions;
        let scattered = !bilinear && n <= 2 && self.random.chance(40);
        let bound = basis.weight.max(1.0) * VOLUME * integrand.bound * basis.points as f64;
        let bound = 2.0 + bound * if scattered { 30.0 } else { 1.0 };
        let role = Role::Output {
            bound,
            error: ROUNDINGS * bound,
            assigned: true,
        };
        let place = if scattered {
            let name = self.fresh("y");
            self.parameters.push(Parameter {
                name: name.clone(),
                role,
                slice: true,
                shape: Vec::new(),
                lengths: vec![Linear::constant(VERTICES as i64)],
                fixed: false,
                single: false,
                view: Vec::new(),
            });
            format!("{name}[{cells}[e][i]]")
        } else {
            let shape = if bilinear { vec![n, n] } else { vec![n] };
            let name = self.of_cells("a", role, shape);
            let second = if bilinear { "[j]" } else { "" };
            format!("{name}[e][i]{second}")
        };
        let (weights, text) = (&basis.weights, &integrand.text);
        self.line(&format!("{place} += {weights}[q] * scale * {text};"));
    }
}

fn pairs(dimension: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..dimension * dimension).map(move |at| (at / dimension, at % dimension))
}

/// Rows as an array of a shape.
fn grouped(rows: Vec<String>, shape: &[usize]) -> String {
    let mut parts = rows;
    for extent in shape.iter().rev() {
        let groups = parts.chunks((*extent).max(1));
        parts = groups
            .map(|group| format!("[{}]", group.join(", ")))
            .collect();
    }
    parts.concat()
}
