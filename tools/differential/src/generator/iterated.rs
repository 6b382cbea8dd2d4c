//! Loops and sums over iterators: elements, pairs, numbered ones, windows and chunks.

use super::Generator;
use super::range::{Integer, Linear};
use super::scope::{Mark, Parameter, Place, Role};

/// Largest magnitude of an input.
const INPUT: f64 = 2.0;

impl Generator {
    /// A statement over an iterator.
    pub fn iterated(&mut self) {
        // Views have other iterators.
        if self.generic() || self.closed || self.views {
            return self.binding();
        }
        let size = if self.random.chance(70) { 'n' } else { 'm' };
        match self.random.below(5) {
            0 => self.sum_of_closures(size),
            1 => self.numbered(size),
            2 => self.parts(size),
            3 => self.written_one_by_one(size),
            _ => self.zipped(size),
        }
    }

    /// A slice of numbers of this length.
    fn slice_of(&mut self, size: char) -> String {
        let length = Linear::size(size, 0);
        let fits = |p: &&Parameter| {
            let numbers = p.role == Role::Input && p.shape.is_empty() && !p.single;
            p.slice && p.fixed && numbers && p.view.is_empty() && p.lengths == [length]
        };
        let existing = self.parameters.iter().find(fits).map(|p| p.name.clone());
        if let Some(name) = existing.filter(|_| self.random.chance(50)) {
            return name;
        }
        self.number_slice("v", Role::Input, length)
    }

    fn number_slice(&mut self, base: &str, role: Role, length: Linear) -> String {
        let name = self.fresh(base);
        self.parameters.push(Parameter {
            name: name.clone(),
            role,
            single: false,
            slice: true,
            shape: Vec::new(),
            lengths: vec![length],
            fixed: true,
            view: Vec::new(),
        });
        name
    }

    /// How often a loop over so many elements runs at most.
    fn most(size: char) -> f64 {
        Linear::size(size, 0).largest() as f64
    }

    /// `let s = x.iter().map(|&a| value).sum::<f64>();`, of pairs too, and folds.
    fn sum_of_closures(&mut self, size: char) {
        let x = self.slice_of(size);
        let (mark, a) = (self.scope.mark(), self.fresh("a"));
        self.declare(a.clone(), INPUT, 0.0);
        let mut of = format!("{x}.iter()");
        let mut pattern = format!("&{a}");
        if self.random.chance(50) {
            let (y, b) = (self.slice_of(size), self.fresh("b"));
            self.declare(b.clone(), INPUT, 0.0);
            of = format!("{of}.zip({y}.iter())");
            pattern = format!("(&{a}, &{b})");
        }
        let value = match self.random.chance(60) {
            true => self.product(1),
            false => self.value(),
        };
        let value = self.typed(value);
        self.scope.leave(mark);
        let (name, ty) = (self.fresh("s"), self.type_name());
        match self.random.chance(75) {
            true => self.line(&format!(
                "let {name} = {of}.map(|{pattern}| {}).sum::<{ty}>();",
                value.text
            )),
            false => {
                let zero = format!("0.0_{ty}");
                self.line(&format!(
                    "let {name} = {of}.fold({zero}, |all, {pattern}| all + ({}));",
                    value.text
                ));
            }
        }
        let bound = Self::most(size) * value.bound;
        let error = Self::most(size) * (value.error + value.bound);
        self.declare(name, bound, error + 2.0 * bound);
    }

    /// Opens a loop over an iterator whose element number is a variable.
    fn enter_numbered(&mut self, pattern: &str, over: &str, high: Linear) -> Mark {
        let (mark, index) = (self.scope.mark(), self.fresh("i"));
        self.line(&format!(
            "for ({index}, {pattern}) in {over}.enumerate() {{"
        ));
        self.indent += 1;
        self.uneven = true;
        self.loop_names.push(index.clone());
        self.scope.integers.push(Integer {
            name: index,
            low: 0,
            high,
            is_loop: true,
            is_mapped: false,
        });
        mark
    }

    /// `for (i, &a) in x.iter().enumerate() { … }`
    fn numbered(&mut self, size: char) {
        let (x, a) = (self.slice_of(size), self.fresh("a"));
        let over = format!("{x}.iter()");
        let mark = self.enter_numbered(&format!("&{a}"), &over, Linear::size(size, -1));
        self.declare(a, INPUT, 0.0);
        if self.random.chance(30) {
            self.binding();
        }
        self.output();
        self.close_loop(mark);
    }

    /// `for w in x.windows(3) { s += value; }`, of chunks too.
    fn parts(&mut self, size: char) {
        let (x, part) = (self.slice_of(size), self.fresh("w"));
        let count = self.random.between(2, 4);
        let how = self.random.pick(&["windows", "chunks_exact"]);
        let over = format!("{x}.{how}({count})");
        let place = Place {
            text: part.clone(),
            shape: vec![count],
            bound: INPUT,
            error: 0.0,
            // It is a slice: helpers take arrays.
            local: false,
        };
        if self.random.chance(50) {
            // Of chunks there are fewer.
            let mark = self.enter_numbered(&part, &over, Linear::size(size, -1));
            self.scope.places.push(place);
            self.output();
            return self.close_loop(mark);
        }
        let mark = self.scope.mark();
        self.scope.places.push(place);
        self.total(&format!("for {part} in {over} {{"), size, mark);
    }

    /// `for (&a, &b) in x.iter().zip(y) { s += value; }`
    fn zipped(&mut self, size: char) {
        let (x, y) = (self.slice_of(size), self.slice_of(size));
        let (mark, a, b) = (self.scope.mark(), self.fresh("a"), self.fresh("b"));
        self.declare(a.clone(), INPUT, 0.0);
        self.declare(b.clone(), INPUT, 0.0);
        let header = format!("for (&{a}, &{b}) in {x}.iter().zip({y}.iter()) {{");
        self.total(&header, size, mark);
    }

    /// A sum in a loop, with the names that are visible in it until a mark.
    fn total(&mut self, header: &str, size: char, mark: Mark) {
        let value = match self.random.chance(60) {
            true => self.product(1),
            false => self.value(),
        };
        self.scope.leave(mark);
        let (name, ty) = (self.fresh("s"), self.type_name());
        self.line(&format!("let mut {name}: {ty} = 0.0;"));
        self.line(header);
        self.line(&format!("    {name} += {};", value.text));
        self.line("}");
        let bound = Self::most(size) * value.bound;
        let error = Self::most(size) * (value.error + value.bound);
        self.declare(name, bound, error + 2.0 * bound);
    }

    /// `for (o, &a) in y.iter_mut().zip(x.iter()) { *o += value; }`
    fn written_one_by_one(&mut self, size: char) {
        let x = self.slice_of(size);
        let (mark, o, a) = (self.scope.mark(), self.fresh("o"), self.fresh("a"));
        self.declare(a.clone(), INPUT, 0.0);
        let value = self.value();
        self.scope.leave(mark);
        let trips = self.scope.trips();
        let assigned = self.random.chance(50);
        let (bound, error) = match assigned {
            true => (value.bound, value.error),
            false => (
                2.0 + trips * value.bound,
                4.0 + trips * (value.error + 2.0 + trips * value.bound),
            ),
        };
        let role = Role::Output {
            bound,
            error,
            assigned: true,
        };
        let y = self.number_slice("y", role, Linear::size(size, 0));
        let operator = if assigned { "=" } else { "+=" };
        self.line(&format!(
            "for ({o}, &{a}) in {y}.iter_mut().zip({x}.iter()) {{"
        ));
        self.line(&format!("    *{o} {operator} {};", value.text));
        self.line("}");
    }
}
