//! Bilinear forms: element matrices by blocks of the components of fields.
//!
//! A block is a weighted sum of products of a test and a trial function or their derivatives. Some
//! are others' transposes, some symmetric or antisymmetric: what entries of a matrix have in common.

use super::Generator;
use super::contractions::{plus, times};
use super::factors::input;
use super::scope::{Expr, Role};
use super::spaces::{Field, Operand, Space, Target};
use super::weak_forms::Form;

/// `c[e][0] * PHI[q][i] * DPHI[1][q][j]`.
#[derive(Clone)]
struct Product {
    coefficient: Expr,
    test: Operand,
    trial: Operand,
    negative: bool,
}

/// What a block adds.
#[derive(Clone)]
struct Block {
    products: Vec<Product>,
    /// The array of coefficients of all pairs of derivatives, if loops run over these.
    array: Option<String>,
}

impl Generator {
    /// An element matrix: blocks of the components of test and trial functions.
    pub fn bilinear_form(&mut self, form: &Form) {
        let (tests, trials) = self.test_and_trial(form);
        let size = |fields: &[Field]| fields.iter().map(Field::size).sum::<usize>();
        let target = self.element_tensor("a", vec![size(&tests), size(&trials)]);
        let outside = match self.random.chance(88) {
            true => Some(self.points(form, &tests[0].space)),
            false => None,
        };
        let weight = outside.as_ref().map(|(_, weight)| weight);
        let mut earlier = Vec::new();
        for test in &tests {
            for trial in &trials {
                self.coupled(form, &target, (test, trial), weight, &mut earlier);
            }
        }
        self.close_loops(outside.map(|(mark, _)| mark));
    }

    /// The blocks of two fields, in a loop over the points if there is none around.
    fn coupled(
        &mut self,
        form: &Form,
        target: &Target,
        (test, trial): (&Field, &Field),
        weight: Option<&Expr>,
        earlier: &mut Vec<Block>,
    ) {
        let mut loops = [("i", test), ("j", trial)];
        if !form.rows_first {
            loops.reverse();
        }
        let mut marks = Vec::new();
        for (name, field) in loops {
            marks.push(self.known_loop(name, field.space.functions));
        }
        let weight = match weight {
            Some(weight) => weight.clone(),
            None => {
                let (mark, weight) = self.points(form, &test.space);
                marks.push(mark);
                weight
            }
        };
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for row in 0..test.components {
            pairs.extend((0..trial.components).map(|column| (row, column)));
        }
        pairs.retain(|pair| *pair == (0, 0) || self.random.chance(70));
        for (row, column) in pairs {
            let block = self.coupling(form, earlier);
            let subscripts = [test.number(row, "i"), trial.number(column, "j")];
            self.add_block(form, target, &subscripts, (test, trial), &block, &weight);
            earlier.push(block);
        }
        self.close_loops(marks);
    }

    /// Fields of one space, two that are solved for at once, or others for tests than for trials.
    fn test_and_trial(&mut self, form: &Form) -> (Vec<Field>, Vec<Field>) {
        match self.random.weighted(&[10, 3, 2]) {
            0 => {
                let fields = vec![self.field(form, 1)];
                (fields.clone(), fields)
            }
            1 => {
                // As velocities are followed by a pressure of lower degree.
                let lowest = if form.rule.cell.dimension() < 3 { 2 } else { 1 };
                let first = self.field(form, lowest);
                let lower = self.space(&form.rule, (first.space.degree - 1).max(1));
                let second = Field::new(lower, 1, first.size(), false);
                let fields = vec![first, second];
                (fields.clone(), fields)
            }
            _ => (vec![self.field(form, 1)], vec![self.field(form, 1)]),
        }
    }

    /// A sum of products for a block, or that of an earlier block's transpose.
    fn coupling(&mut self, form: &Form, earlier: &[Block]) -> Block {
        match self.random.weighted(&[3, 2, 5]) {
            0 => self.tensor(form),
            1 if !earlier.is_empty() => self.transposed(earlier),
            _ => self.sum_of_products(form),
        }
    }

    /// All products of derivatives; the coefficients are symmetric in some.
    fn tensor(&mut self, form: &Form) -> Block {
        let dimension = form.rule.cell.dimension();
        let symmetric = self.random.chance(30);
        let array = match !symmetric && self.random.chance(40) {
            true => Some(self.of_cells("d", Role::Input, vec![dimension, dimension])),
            false => None,
        };
        let mut products = Vec::new();
        for row in 0..dimension {
            for column in 0..dimension {
                let entry = row.min(column) * dimension + row.max(column);
                let coefficient = match &array {
                    Some(array) => input(format!("{array}[e][{row}][{column}]")),
                    None if symmetric => form.coefficients[entry % form.coefficients.len()].clone(),
                    None => self.random.pick(&form.coefficients),
                };
                products.push(Product {
                    coefficient,
                    test: Operand::Derivative(row),
                    trial: Operand::Derivative(column),
                    negative: false,
                });
            }
        }
        let array = array.filter(|_| self.random.chance(60));
        Block { products, array }
    }

    /// The transpose of an earlier block, perhaps a multiple of it.
    fn transposed(&mut self, earlier: &[Block]) -> Block {
        let block = self.random.pick(earlier);
        let factor = self.random.pick(&[1.0, 2.0, -1.0, 0.5]);
        let transposed = |product: Product| Product {
            coefficient: match factor == 1.0 {
                true => product.coefficient,
                false => times(&self.factor(factor), &product.coefficient),
            },
            test: product.trial,
            trial: product.test,
            negative: product.negative,
        };
        Block {
            products: block.products.into_iter().map(transposed).collect(),
            array: None,
        }
    }

    /// Products of any operands, some beside the product of the same ones exchanged.
    fn sum_of_products(&mut self, form: &Form) -> Block {
        let mut products = Vec::new();
        for _ in 0..1 + self.random.weighted(&[3, 3, 2, 1]) {
            let product = Product {
                coefficient: self.form_coefficient(form),
                test: self.operand(&form.rule),
                trial: self.operand(&form.rule),
                negative: self.random.chance(20),
            };
            if self.random.chance(40) {
                products.push(Product {
                    test: product.trial,
                    trial: product.test,
                    negative: product.negative ^ self.random.chance(50),
                    ..product.clone()
                });
            }
            products.push(product);
        }
        Block {
            products,
            array: None,
        }
    }

    /// `a[e][2 * i][2 * j + 1] += W[q] * (…);`
    fn add_block(
        &mut self,
        form: &Form,
        target: &Target,
        [row, column]: &[String; 2],
        (test, trial): (&Field, &Field),
        block: &Block,
        weight: &Expr,
    ) {
        let place = format!("{}[e][{row}][{column}]", target.name);
        let points = form.rule.points as f64;
        let mut marks = Vec::new();
        let (value, trips) = if let Some(array) = &block.array {
            let dimension = form.rule.cell.dimension();
            for axis in ["k", "l"] {
                marks.push(self.known_loop(axis, dimension));
            }
            let coefficient = input(format!("{array}[e][k][l]"));
            let test = self.derivative(&test.space, "k", "i");
            let trial = self.derivative(&trial.space, "l", "j");
            let value = times(&times(&coefficient, &test), &trial);
            (value, points * (dimension * dimension) as f64)
        } else {
            (
                self.summed_products(block, &test.space, &trial.space),
                points,
            )
        };
        let value = times(weight, &value);
        self.line(&format!("{place} {} {};", form.operator, value.text));
        self.adds(target.output, trips, &value);
        self.close_loops(marks);
    }

    /// The sum of a block's products.
    fn summed_products(&mut self, block: &Block, test: &Space, trial: &Space) -> Expr {
        let mut sum: Option<Expr> = None;
        for product in &block.products {
            let row = self.basis_function(test, product.test, "i");
            let column = self.basis_function(trial, product.trial, "j");
            let value = times(&times(&product.coefficient, &row), &column);
            let sign = if product.negative { '-' } else { '+' };
            sum = Some(match sum {
                Some(sum) => plus(&sum, &value, sign),
                None => value,
            });
        }
        sum.unwrap_or_else(|| self.literal())
    }
}
