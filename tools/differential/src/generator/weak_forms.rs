//! Finite-element forms of several components: bilinear ones, linear ones, those of strains.

use loopwright_compiler::elements::Cell;

use super::Generator;
use super::contractions::{plus, times};
use super::scope::{Expr, Mark, Role};
use super::spaces::{Field, Rule, Space};

/// Numbers that a field has at most, and how often it is so many: what lanes make of larger matrices
/// takes long to compile.
const LARGEST: [usize; 4] = [6, 9, 12, 18];
const OFTEN: [usize; 4] = [20, 6, 1, 2];

/// What the statements of a form read and write.
pub struct Form {
    pub rule: Rule,
    pub coefficients: Vec<Expr>,
    /// Numbers that a field has at most, unless a single component has more.
    pub largest: usize,
    /// Indices of rows come before those of columns.
    pub rows_first: bool,
    pub operator: &'static str,
}

impl Generator {
    /// A form, in a loop over cells.
    pub fn form(&mut self) {
        let cells = [
            Cell::Interval,
            Cell::Triangle,
            Cell::Tetrahedron,
            Cell::Quadrilateral,
        ];
        let cell = cells[self.random.weighted(&[6, 12, 2, 1])];
        let rule = self.rule(cell);
        let count = self.random.between(1, 9);
        let array = self.of_cells("c", Role::Input, vec![count]);
        let mark = self.cell_loop(&array);
        let form = Form {
            rule,
            coefficients: self.coefficients(&array, count),
            largest: LARGEST[self.random.weighted(&OFTEN)],
            rows_first: self.random.chance(80),
            operator: self.random.pick(&["+=", "+=", "+=", "-="]),
        };
        // Along an interval a strain is a derivative, and in space there are many.
        let strains = match form.rule.cell.dimension() {
            1 => 0,
            2 => 3,
            _ => 1,
        };
        match self.random.weighted(&[10, 3, 2, strains, strains]) {
            0 => self.bilinear_form(&form),
            1 => self.linear_form(&form),
            2 => {
                self.linear_form(&form);
                self.bilinear_form(&form);
            }
            3 => self.strain_matrix(&form),
            _ => self.vector_functions(&form),
        }
        self.close_loop(mark);
    }

    /// The loop over points, and the weight of one.
    pub fn points(&mut self, form: &Form, space: &Space) -> (Mark, Expr) {
        let mark = self.known_loop("q", form.rule.points);
        (mark, self.weight(&form.rule, space))
    }

    /// A field of at least this degree.
    pub fn field(&mut self, form: &Form, lowest: usize) -> Field {
        let cell = form.rule.cell;
        // Room for many numbers is of use to functions of higher degree.
        let lowest = match form.largest > LARGEST[1] && cell.dimension() < 3 {
            true => 2,
            false => lowest,
        };
        let degree = self.degree(cell).max(lowest);
        let space = self.space(&form.rule, degree);
        let most = (form.largest / space.functions).clamp(1, 3);
        let components = self.random.between(1, most);
        Field::new(space, components, 0, self.random.chance(60))
    }

    /// A degree of elements that are not too large.
    fn degree(&mut self, cell: Cell) -> usize {
        let weights = match cell {
            Cell::Interval => [4, 3, 1],
            Cell::Triangle => [12, 6, 1],
            Cell::Tetrahedron => [1, 0, 0],
            _ => [4, 1, 0],
        };
        1 + self.random.weighted(&weights)
    }

    /// A coefficient, a product of two, or a multiple of one.
    pub fn form_coefficient(&mut self, form: &Form) -> Expr {
        let mut value = self.random.pick(&form.coefficients);
        if self.random.chance(20) {
            value = times(&value, &self.random.pick(&form.coefficients));
        }
        if self.random.chance(20) {
            let factor = self.random.pick(&[2.0, 0.25, -1.0, 3.0]);
            value = times(&self.factor(factor), &value);
        }
        value
    }

    /// A literal, which may be negative.
    pub fn factor(&mut self, value: f64) -> Expr {
        let magnitude = self.constant(value.abs());
        if value >= 0.0 {
            return magnitude;
        }
        Expr {
            text: format!("-{}", magnitude.text),
            level: 1,
            ..magnitude
        }
    }

    /// An element vector: `b[e][2 * i + 1] += W[q] * (c[e][0] * PHI[q][i] + …);`
    fn linear_form(&mut self, form: &Form) {
        let field = self.field(form, 1);
        let target = self.element_tensor("b", vec![field.size()]);
        let (points, weight) = self.points(form, &field.space);
        let mut sources = self.coefficient_functions(form, &field.space);
        let functions = self.known_loop("i", field.space.functions);
        for component in 0..field.components {
            let mut sum: Option<Expr> = None;
            for _ in 0..self.random.between(1, 3) {
                sources.push(self.form_coefficient(form));
                let source = self.random.pick(&sources);
                let operand = self.operand(&form.rule);
                let value = times(&source, &self.basis_function(&field.space, operand, "i"));
                sum = Some(match sum {
                    Some(sum) => plus(&sum, &value, '+'),
                    None => value,
                });
            }
            let value = times(&weight, &sum.unwrap_or_else(|| self.literal()));
            let row = field.number(component, "i");
            let (name, operator) = (&target.name, form.operator);
            let text = format!("{name}[e][{row}] {operator} {};", value.text);
            self.line(&text);
            self.adds(target.output, form.rule.points as f64, &value);
        }
        self.close_loop(functions);
        self.close_loop(points);
    }

    /// Functions of which a vector has the values at a point.
    fn coefficient_functions(&mut self, form: &Form, space: &Space) -> Vec<Expr> {
        let count = self.random.weighted(&[2, 3, 1]);
        (0..count)
            .map(|_| self.value_at_point(&form.rule, space))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::case::{Case, Kind};
    use crate::generator::{is_form, kernel};

    /// The forms among the first seeds.
    fn forms() -> Vec<Case> {
        (0..3000)
            .filter(|seed| is_form(*seed))
            .map(kernel)
            .collect()
    }

    /// Extents of an output: rows, and columns of a matrix.
    fn extents(ty: &str) -> Vec<usize> {
        let extents = ty.split(';').skip(1);
        let extents = extents.map(|extent| extent.trim().trim_end_matches(']'));
        let extents: Vec<usize> = extents.map(|e| e.parse().expect("an extent")).collect();
        extents.into_iter().rev().collect()
    }

    #[test]
    fn some_kernels_are_forms() {
        let count = forms().len();
        assert!((120..=240).contains(&count), "{count}");
    }

    #[test]
    fn forms_have_cells_and_bounds() {
        for case in forms() {
            assert!(case.text.contains("for e in 0..c"), "{}", case.text);
            let slice = |kind: &Kind| *kind == Kind::Slice("n".to_owned());
            assert!(
                case.parameters.iter().all(|p| slice(&p.kind)),
                "{}",
                case.text
            );
            let outputs: Vec<f64> = case.parameters.iter().filter_map(|p| p.within).collect();
            assert!((1..=2).contains(&outputs.len()), "{}", case.text);
            assert!(
                outputs.iter().all(|w| (2.0..1e9).contains(w)),
                "{}",
                case.text
            );
        }
    }

    #[test]
    fn element_tensors_stay_small() {
        for case in forms() {
            for output in case.parameters.iter().filter(|p| p.within.is_some()) {
                let extents = extents(&output.ty);
                assert!(extents.iter().all(|e| *e <= 22), "{}", case.text);
            }
        }
    }

    #[test]
    fn every_kind_occurs() {
        let forms = forms();
        let some = |what: &str, has: &dyn Fn(&Case) -> bool| {
            assert!(forms.iter().any(has), "{what}");
        };
        let matrix = |case: &Case, fits: &dyn Fn(usize, usize) -> bool| {
            let outputs = case.parameters.iter().filter(|p| p.within.is_some());
            let mut shapes = outputs.map(|p| extents(&p.ty));
            shapes.any(|shape| matches!(shape[..], [rows, columns] if fits(rows, columns)))
        };
        some("a matrix and a vector", &|case| {
            case.text.contains("// a") && case.text.contains("// b")
        });
        some("a vector alone", &|case| !case.text.contains("// a"));
        some("other tests than trials", &|case| {
            matrix(case, &|r, c| r != c)
        });
        some("a field behind another", &|case| {
            case.text.matches("for j in").count() > 3
        });
        for text in [
            "strain",
            "stress",
            "material",
            "gradient",
            "product",
            "[3 * i + 1]",
            "[i + 3]",
            " -= ",
            "let mut f",
            "let weight",
            "[e][k][l]",
            "-1.0 * ",
            "0.5 * ",
        ] {
            some(text, &|case| case.text.contains(text));
        }
    }
}
