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
        let name = self.index_name();
        let end = low + length;
        let range = if self.random.chance(12) {
            format!("{low}..={}", end - 1)
        } else {
            format!("{low}..{end}")
        };
        self.enter(name, &range, low, Linear::constant(end - 1))
    }

    /// Opens a loop whose length is known when it runs.
    pub fn run_time_loop(&mut self) -> Mark {
        let size = if self.random.chance(80) { 'n' } else { 'm' };
        let low = self.random.weighted(&[8, 2, 1]) as i64;
        let back = self.random.weighted(&[9, 3, 1]) as i64;
        let back = if self.random.chance(4) { -1 } else { back };
        let end = if self.random.chance(50) {
            self.slice_of_length(size)
        } else {
            self.size_parameter(size)
        };
        let end = match back {
            0 => end,
            -1 => format!("{end} + 1"),
            back => format!("{end} - {back}"),
        };
        let name = self.index_name();
        let range = format!("{low}..{end}");
        self.enter(name, &range, low, Linear::size(size, -back - 1))
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
            fixed: true,
        });
        name
    }

    /// `x.len()` of a slice whose length is a size.
    fn slice_of_length(&mut self, size: char) -> String {
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
                let at = self.new_parameter("cells", role);
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
