//! Loops: over constant ranges, up to a size, up to a slice's length.

use super::Generator;
use super::range::{Integer, Linear};
use super::scope::{Mark, Parameter, Role};

/// Iterations of nested constant loops at most.
const LONGEST: f64 = 250.0;

impl Generator {
    /// Opens a loop; its variable is the last integer of the scope.
    pub fn open_loop(&mut self) -> Mark {
        let open = self.scope.integers.iter().filter(|v| v.is_loop);
        let run_time = open.filter(|v| v.high.known().is_none()).count();
        if run_time < 2 && self.random.chance(if run_time == 0 { 35 } else { 12 }) {
            self.run_time_loop()
        } else {
            self.constant_loop(7)
        }
    }

    /// Opens a loop over a constant range of at most some iterations.
    pub fn constant_loop(&mut self, longest: usize) -> Mark {
        let around: f64 = self
            .scope
            .integers
            .iter()
            .filter(|v| v.is_loop && v.high.known().is_some())
            .map(Integer::trips)
            .product();
        let longest = ((LONGEST / around) as usize).clamp(1, longest);
        let length = self.random.between(1, longest) as i64;
        let low = self.random.weighted(&[8, 1, 1]) as i64;
        if self.random.chance(4)
            && let Some(mark) = self.triangular_loop()
        {
            return mark;
        }
        let name = self.index_name();
        let end = low + length;
        let range = if self.random.chance(12) {
            format!("{low}..={}", end - 1)
        } else {
            format!("{low}..{end}")
        };
        let range = self.another_way(range);
        self.enter(name, &range, low, Linear::constant(end - 1))
    }

    /// Opens a loop from or up to the variable of a constant one.
    fn triangular_loop(&mut self) -> Option<Mark> {
        let constant = |v: &&Integer| v.is_loop && v.high.known().is_some();
        let outer = self.scope.integers.iter().rfind(constant)?;
        let (outer, low) = (outer.clone(), outer.low);
        let name = self.index_name();
        self.uneven = true;
        let after = outer.high.plus(Linear::constant(1));
        let (range, low, high) = match self.random.below(3) {
            0 => (format!("0..{}", outer.name), 0, outer.high),
            1 => (format!("0..={}", outer.name), 0, outer.high),
            _ => (format!("{}..{after}", outer.name), low, outer.high),
        };
        Some(self.enter(name, &range, low, high))
    }

    /// The range backwards, or with a step.
    fn another_way(&mut self, range: String) -> String {
        match self.random.weighted(&[20, 1, 1, 1]) {
            0 => range,
            1 => format!("({range}).rev()"),
            way => {
                self.uneven = true;
                let step = self.random.between(1, 4);
                // Rust reverses steps of exact size only, and `a..=b` has none.
                let exact = way == 2 && !range.contains("..=");
                let back = if exact { ".rev()" } else { "" };
                format!("({range}).step_by({step}){back}")
            }
        }
    }

    /// Opens a loop whose length is known when it runs.
    pub fn run_time_loop(&mut self) -> Mark {
        if self.random.chance(25) {
            return self.loop_between_sizes();
        }
        let size = if self.random.chance(80) { 'n' } else { 'm' };
        let low = self.random.weighted(&[8, 2, 1]) as i64;
        let back = self.random.weighted(&[9, 3, 1]) as i64;
        let back = if self.random.chance(4) { -1 } else { back };
        let end = self.size_known_later(size);
        let end = match back {
            0 => end,
            -1 => format!("{end} + 1"),
            back => format!("{end} - {back}"),
        };
        let name = self.index_name();
        let range = self.another_way(format!("{low}..{end}"));
        self.enter(name, &range, low, Linear::size(size, -back - 1))
    }

    /// Opens a loop whose two bounds are known when it runs, or one bound that takes both sizes:
    /// its length is a difference or a sum, and for some inputs it has none.
    fn loop_between_sizes(&mut self) -> Mark {
        let (first, second) = if self.random.chance(80) {
            ('m', 'n')
        } else {
            ('n', 'm')
        };
        let (start, end) = (self.size_known_later(first), self.size_known_later(second));
        let last = Linear::size(second, -1);
        let (range, high) = match self.random.below(8) {
            0 => (format!("{start}..{end}"), last),
            1 => (format!("{start}..={end}"), last.plus(Linear::constant(1))),
            2 => (
                format!("{start} + 1..{end} - 1"),
                last.plus(Linear::constant(-1)),
            ),
            3 => (format!("0..{end} - {start}"), last),
            4 => (format!("1..{end}.saturating_sub({start})"), last),
            5 => (
                format!("{start}..{end} + {start}"),
                last.plus(Linear::size(first, 0)),
            ),
            6 => (
                format!("0..2 * {end} + {start}"),
                last.plus(Linear::size(second, 0))
                    .plus(Linear::size(first, 0)),
            ),
            _ => (format!("2 * {start}..{end}"), last),
        };
        // How often it runs is no sum of sizes.
        self.uneven = true;
        let name = self.index_name();
        let range = self.another_way(range);
        self.enter(name, &range, 0, high)
    }

    /// A size, as the length of a slice or a parameter.
    fn size_known_later(&mut self, size: char) -> String {
        if self.random.chance(50) {
            self.slice_of_length(size)
        } else {
            self.size_parameter(size)
        }
    }

    /// Opens a loop of given range.
    pub fn enter(&mut self, name: String, range: &str, low: i64, high: Linear) -> Mark {
        let mark = self.scope.mark();
        self.line(&format!("for {name} in {range} {{"));
        self.indent += 1;
        self.loop_names.push(name.clone());
        self.scope.integers.push(Integer {
            name,
            low,
            high,
            is_loop: true,
            is_mapped: false,
        });
        mark
    }

    /// Closes the innermost loop.
    pub fn close_loop(&mut self, mark: Mark) {
        self.scope.leave(mark);
        self.indent -= 1;
        self.line("}");
    }

    /// Closes some loops, the last one first.
    pub fn close_loops(
        &mut self,
        marks: impl IntoIterator<Item = Mark, IntoIter: DoubleEndedIterator>,
    ) {
        for mark in marks.into_iter().rev() {
            self.close_loop(mark);
        }
    }

    /// Sometimes a name that other loops have too.
    fn index_name(&mut self) -> String {
        let name = self.random.pick(&["i", "j", "k", "q", "e"]).to_owned();
        let taken = self.scope.integers.iter().any(|v| v.name == name);
        if taken { self.fresh("i") } else { name }
    }

    /// An integer parameter of a size.
    pub fn size_parameter(&mut self, size: char) -> String {
        let value = Linear::size(size, 0);
        let role = Role::Size(value);
        if let Some(known) = self.parameters.iter().find(|p| p.role == role) {
            return known.name.clone();
        }
        let name = format!("count_{size}");
        self.parameters.push(Parameter {
            name: name.clone(),
            role,
            slice: false,
            shape: Vec::new(),
            lengths: vec![value],
            single: false,
            view: Vec::new(),
            fixed: true,
        });
        name
    }

    /// `x.len()` of a slice whose length is a size.
    fn slice_of_length(&mut self, size: char) -> String {
        if self.wants_view() {
            return self.extent_of_view(size);
        }
        let length = Linear::size(size, 0);
        let fits = |p: &Parameter| p.slice && p.fixed && p.lengths == [length];
        let existing = (0..self.parameters.len()).find(|at| fits(&self.parameters[*at]));
        let at = match existing.filter(|_| self.random.chance(70)) {
            Some(at) => at,
            None => {
                let role = match self.random.below(4) {
                    0 => Role::Map(self.random.between(1, 6), "usize"),
                    _ => Role::Input,
                };
                let at = self.new_array("cells", role);
                let parameter = &mut self.parameters[at];
                parameter.slice = true;
                parameter.fixed = true;
                parameter.lengths = vec![length];
                at
            }
        };
        format!("{}.len()", self.parameters[at].name)
    }
}
