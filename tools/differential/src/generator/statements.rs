//! Statements: bindings, sums over loops, local arrays, nests.

use super::Generator;
use super::range::{Integer, Linear};
use super::scope::{Expr, Place, Variable};
use super::tables::array_type;

impl Generator {
    /// The body of the kernel: sometimes two that have nothing to do with each other.
    pub fn bodies(&mut self) {
        self.body();
        if self.result.is_none() && self.random.chance(8) {
            self.body();
            self.whole = None;
        }
    }

    fn body(&mut self) {
        // Kernels without a type parameter.
        let alone = |weight| if self.generic() { 0 } else { weight };
        match self
            .random
            .weighted(&[37, alone(12), 7, 4, 20, 20, alone(10), 17, 10])
        {
            0 => self.nests(),
            1 => self.element_kernel(),
            2 => self.reduction(),
            4 => self.contractions(),
            5 => self.choices(),
            6 => self.words(),
            7 => self.stencils(),
            8 => self.shared(),
            _ => self.integers(),
        }
    }

    /// Loops that write outputs.
    fn nests(&mut self) {
        if self.random.chance(15) {
            self.scalars();
        }
        let alone = self.lines.is_empty();
        let small = self.budget < 2;
        if self.random.chance(60) {
            let range = self.mesh_loop(|generator| generator.block(1));
            if alone {
                self.whole = range;
            }
            if self.random.chance(if small { 90 } else { 75 }) {
                return;
            }
        }
        self.whole = None;
        if self.random.chance(10) {
            self.large_array();
        }
        for _ in 0..self.random.between(1, if small { 1 } else { 2 }) {
            let mark = self.open_loop();
            self.block(1);
            self.close_loop(mark);
        }
    }

    /// Sums of products, most often in a loop over cells.
    fn contractions(&mut self) {
        if self.random.chance(10) {
            return self.contraction();
        }
        self.whole = self.mesh_loop(|generator| {
            if generator.random.chance(10) {
                generator.statement(2);
            }
            for _ in 0..1 + generator.random.weighted(&[9, 1]) {
                generator.contraction();
            }
        });
    }

    /// A loop whose length is known when it runs; its number of iterations.
    pub fn mesh_loop(&mut self, inside: impl FnOnce(&mut Generator)) -> Option<String> {
        let mark = self.run_time_loop();
        let range = self.scope.integers.last().map(|v| {
            let low = Linear::constant(1 - v.low);
            v.high.plus(low).to_string()
        });
        inside(self);
        self.close_loop(mark);
        range
    }

    /// Statements, of which the last writes an output.
    fn block(&mut self, depth: usize) {
        for _ in 0..self.random.between(1, 3) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            self.statement(depth);
        }
        self.output();
    }

    fn statement(&mut self, depth: usize) {
        let deeper = if depth < 4 { 14 } else { 0 };
        match self.random.weighted(&[
            deeper, 8, 10, 6, 4, 4, 4, 2, 4, 4, 4, 2, 3, 2, 2, 7, 3, 3, 6,
        ]) {
            0 => {
                let mark = self.open_loop();
                self.block(depth + 1);
                self.close_loop(mark);
            }
            1 => self.binding(),
            2 => self.sum_over_loops(),
            3 => self.filled_array(),
            4 => self.array_literal(),
            5 => self.reference(),
            6 => self.integer_binding(),
            7 => self.scalars(),
            8 => self.helper_statement(),
            9 => self.updated(),
            10 => self.in_place(),
            11 => self.contraction(),
            12 => self.output(),
            13 => self.single_total(),
            14 => self.running_total(),
            15 => self.branches(),
            16 => self.matched(),
            17 => self.continued(),
            _ => self.iterated(),
        }
    }

    /// `let a = value;`
    pub fn binding(&mut self) {
        let value = self.value();
        let name = self.fresh("a");
        let ty = self.type_name();
        let annotation = if value.literal || self.random.chance(20) {
            format!(": {ty}")
        } else {
            String::new()
        };
        self.line(&format!("let {name}{annotation} = {};", value.text));
        self.declare(name, value.bound, value.error);
    }

    /// A scalar variable.
    pub fn declare(&mut self, name: String, bound: f64, error: f64) {
        // What is a variable's value may be computed in another order, if it is computed.
        self.scope.variables.push(Variable { name, bound, error });
    }

    /// `let (a, b) = (value, value);`
    fn scalars(&mut self) {
        let (a, b) = (self.value(), self.value());
        let (left, right) = (self.fresh("a"), self.fresh("b"));
        let ty = self.type_name();
        self.line(&format!(
            "let ({left}, {right}): ({ty}, {ty}) = ({}, {});",
            a.text, b.text
        ));
        self.declare(left, a.bound, a.error);
        self.declare(right, b.bound, b.error);
    }

    /// `let mut s = 0.0; for k in … { s += value; }`
    fn sum_over_loops(&mut self) {
        let first = if self.random.chance(75) {
            self.constant(0.0)
        } else {
            self.value()
        };
        let name = self.fresh("s");
        let annotation = if first.literal && self.random.chance(50) || self.generic() {
            String::new()
        } else {
            format!(": {}", self.type_name())
        };
        self.line(&format!("let mut {name}{annotation} = {};", first.text));
        let around = self.scope.trips();
        let mark = if self.random.chance(80) {
            self.constant_loop(7)
        } else {
            self.open_loop()
        };
        let (mut bound, mut error) = (first.bound, first.error);
        if self.random.chance(20) {
            self.binding();
        }
        for number in 0..self.random.weighted(&[0, 8, 2]) {
            let mut value = self.value();
            if number == 0 && annotation.is_empty() {
                // The variable's type follows from what is added to it.
                value = self.typed(value);
            }
            let (b, e) = self.accumulate(&name, &value, around);
            bound += b;
            error += e;
        }
        if self.random.chance(20) {
            let inner = self.constant_loop(5);
            let (b, e) = self.contribution(&name, around);
            bound += b;
            error += e;
            self.close_loop(inner);
        }
        if self.random.chance(8) {
            self.output();
        }
        self.close_loop(mark);
        self.declare(name, bound, error + 2.0 * bound);
    }

    /// `s += value;`, and what that adds to the value and its error.
    pub fn contribution(&mut self, place: &str, around: f64) -> (f64, f64) {
        let value = self.value();
        self.accumulate(place, &value, around)
    }

    /// `s += value;` with a given value.
    fn accumulate(&mut self, place: &str, value: &Expr, around: f64) -> (f64, f64) {
        let operator = if self.random.chance(85) { "+=" } else { "-=" };
        self.line(&format!("{place} {operator} {};", value.text));
        let trips = self.scope.trips() / around;
        (trips * value.bound, trips * (value.error + value.bound))
    }

    /// `let mut d = [0.0; 3]; for v in 0..3 { d[v] += value; }`
    fn filled_array(&mut self) {
        let dimensions = self.random.weighted(&[0, 3, 1]);
        let shape: Vec<usize> = (0..dimensions).map(|_| self.random.between(1, 4)).collect();
        let first = self.random.pick(&[0.0, 0.0, 0.0, 1.0]);
        let filled = self.constant(first);
        let (name, around) = (self.fresh("d"), self.scope.trips());
        let fill = shape
            .iter()
            .rev()
            .fold(filled.text.clone(), |inner, n| format!("[{inner}; {n}]"));
        let ty = array_type(self.type_name(), &shape);
        self.line(&format!("let mut {name}: {ty} = {fill};"));
        let (mut place, mut marks) = (name.clone(), Vec::new());
        for extent in &shape {
            let index = self.fresh("v");
            place.push_str(&format!("[{index}]"));
            // Elements that nothing is written to keep their first value.
            let written = match self.random.chance(20) {
                true => self.random.between(1, *extent),
                false => *extent,
            };
            let high = Linear::constant(written as i64 - 1);
            marks.push(self.enter(index, &format!("0..{written}"), 0, high));
        }
        let (mut bound, mut error) = (first, 0.0);
        let assigned = self.random.chance(30);
        if assigned {
            let value = self.value();
            self.line(&format!("{place} = {};", value.text));
            (bound, error) = (value.bound.max(first), value.error);
        }
        if !assigned || self.random.chance(40) {
            let inner = self.random.chance(50).then(|| self.constant_loop(5));
            let (b, e) = self.contribution(&place, around);
            bound += b;
            error += e;
            if let Some(mark) = inner {
                self.close_loop(mark);
            }
        }
        self.close_loops(marks);
        self.scope.places.push(Place {
            text: name,
            shape,
            bound,
            error: error + bound,
            local: true,
        });
    }

    /// `let d = [value, value];`
    fn array_literal(&mut self) {
        let count = self.random.between(1, 3);
        let values: Vec<Expr> = (0..count).map(|_| self.value()).collect();
        let texts: Vec<&str> = values.iter().map(|v| v.text.as_str()).collect();
        let name = self.fresh("d");
        let ty = array_type(self.type_name(), &[count]);
        self.line(&format!("let {name}: {ty} = [{}];", texts.join(", ")));
        self.scope.places.push(Place {
            text: name,
            shape: vec![count],
            bound: values.iter().map(|v| v.bound).fold(0.0, f64::max),
            error: values.iter().map(|v| v.error).fold(0.0, f64::max),
            local: true,
        });
    }

    /// `let r = &x[e];`, or a copy of it.
    fn reference(&mut self) {
        let dimensions = self.random.between(1, 2);
        let shape: Vec<usize> = (0..dimensions).map(|_| self.extent()).collect();
        let row = self.row(&shape);
        let name = self.fresh("r");
        let ampersand = if self.random.chance(75) { "&" } else { "" };
        self.line(&format!("let {name} = {ampersand}{row};"));
        self.scope.places.push(Place {
            text: name,
            shape,
            bound: 2.0,
            error: 0.0,
            local: false,
        });
    }

    /// `let c = i + 2;` or `let c = map[e];`
    fn integer_binding(&mut self) {
        let loops: Vec<Integer> = self.scope.integers.clone();
        if self.random.chance(50) || loops.is_empty() {
            let limit = self.random.between(1, 5);
            let mapped = self.mapped(limit);
            let name = self.fresh("dof");
            self.line(&format!("let {name} = {};", mapped.text));
            self.scope.integers.push(Integer {
                name,
                low: 0,
                high: mapped.high,
                is_loop: false,
                is_mapped: true,
            });
            return;
        }
        let of = self.random.pick(&loops);
        let shift = self.random.between(1, 2) as i64;
        let name = self.fresh("at");
        self.line(&format!("let {name} = {} + {shift};", of.name));
        self.scope.integers.push(Integer {
            name,
            low: of.low + shift,
            high: of.high.plus(Linear::constant(shift)),
            is_loop: false,
            is_mapped: of.is_mapped,
        });
    }

    /// `let mut t = a; t = value; t *= value;`
    fn updated(&mut self) {
        let first = self.value();
        let name = self.fresh("t");
        let ty = self.type_name();
        self.line(&format!("let mut {name}: {ty} = {};", first.text));
        let (mut bound, mut error) = (first.bound, first.error);
        for _ in 0..self.random.between(1, 3) {
            let value = self.value();
            let operator = self.random.pick(&["+=", "-=", "*="]);
            if operator == "*=" {
                if bound * value.bound > self.limits().0 {
                    continue;
                }
                error = error * value.bound + value.error * bound + bound * value.bound;
                bound *= value.bound;
            } else {
                error += value.error + bound + value.bound;
                bound += value.bound;
            }
            self.line(&format!("{name} {operator} {};", value.text));
        }
        self.declare(name, bound, error);
    }

    /// An array that is too large for scalars, filled in loops of its own.
    fn large_array(&mut self) {
        let shape = vec![self.random.between(8, 10), self.random.between(9, 11)];
        let zero = self.constant(0.0);
        let name = self.fresh("w");
        // Methods of its elements need their type.
        let ty = array_type(self.type_name(), &shape);
        let [rows, columns] = [shape[0], shape[1]];
        let zeros = format!("[[{}; {columns}]; {rows}]", zero.text);
        self.line(&format!("let mut {name}: {ty} = {zeros};"));
        let (mut place, mut marks) = (name.clone(), Vec::new());
        for extent in &shape {
            let index = self.fresh("v");
            place.push_str(&format!("[{index}]"));
            let high = Linear::constant(*extent as i64 - 1);
            marks.push(self.enter(index, &format!("0..{extent}"), 0, high));
        }
        let value = self.value();
        let operator = if self.random.chance(50) { "=" } else { "+=" };
        self.line(&format!("{place} {operator} {};", value.text));
        self.close_loops(marks);
        self.scope.places.push(Place {
            text: name,
            shape,
            bound: value.bound,
            error: value.error + value.bound,
            local: false,
        });
    }
}
