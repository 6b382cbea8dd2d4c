//! Putting a kernel's text together.

use std::collections::HashSet;

use super::range::Linear;
use super::scope::{Parameter, Role};
use super::tables::array_type;
use super::{Generator, Real};

impl Generator {
    /// The text, with its description in front.
    pub fn assemble(mut self, seed: u64) -> String {
        self.choose_differencing(1);
        self.loop_options();
        self.drop_unused();
        self.slices_as_views();
        let mut text = format!("// seed {seed}\n");
        match self.real {
            Real::Scalar => text.push_str("// generic Scalar\n"),
            Real::Ordered => text.push_str("// generic Real\n"),
            _ => {}
        }
        if self.exact {
            text.push_str("// exact\n");
        }
        let run_time = |p: &&Parameter| p.slice || matches!(p.role, Role::Size(_));
        let loops_over_sizes = self.lines.iter().filter(|line| {
            line.contains("for ") && (line.contains(".len()") || line.contains("count_"))
        });
        if let (Some(whole), true, 1) = (&self.whole, self.generic(), loops_over_sizes.count())
            && self.parameters.iter().any(|p| run_time(&p))
            // Of a choice the report counts the dearer branch.
            && !self.has_choice()
            && !self.uneven
            && self.parameters.iter().all(|p| p.view.is_empty())
        {
            text.push_str(&format!("// counts {whole}\n"));
        }
        for parameter in &self.parameters {
            text.push_str(&format!("// {}\n", self.described(parameter)));
        }
        if let Some((bound, error)) = self.result {
            let (ty, within) = (self.type_name(), self.slack * (error + 4.0 * bound));
            text.push_str(&format!("// returns {ty} within {within:.1e}\n"));
        }
        let tables: Vec<String> = self.tables.iter().map(|t| t.text.clone()).collect();
        let outside = seed.is_multiple_of(4);
        if outside {
            tables.iter().for_each(|t| text.push_str(&format!("{t}\n")));
        }
        for helper in self.helpers.iter().filter(|h| self.is_called(&h.name)) {
            text.push_str(&helper.lines.join("\n"));
            text.push('\n');
        }
        if !self.options.is_empty() {
            text.push_str(&format!("#[opt({})]\n", self.options.join(", ")));
        }
        let generics = match self.real {
            Real::Scalar => "<T: loopwright::Scalar>",
            Real::Ordered => "<T: loopwright::Real>",
            _ => "",
        };
        let parameters: Vec<String> = self.parameters.iter().map(|p| self.declared(p)).collect();
        let result = match self.result {
            Some(_) => format!(" -> {}", self.type_name()),
            None => String::new(),
        };
        text.push_str(&format!(
            "pub fn kernel{generics}({}){result} {{\n",
            parameters.join(", ")
        ));
        if !outside {
            tables
                .iter()
                .for_each(|t| text.push_str(&format!("    {t}\n")));
        }
        text.push_str(&self.lines.join("\n"));
        text.push_str("\n}\n");
        text
    }

    /// Takes out what only expressions had that were too large.
    fn drop_unused(&mut self) {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let words = self
            .lines
            .iter()
            .flat_map(|line| line.split(|c| !is_name(c)));
        let used: HashSet<String> = words.map(str::to_owned).collect();
        self.parameters.retain(|p| used.contains(&p.name));
        self.tables.retain(|t| used.contains(&t.name));
    }

    fn has_choice(&self) -> bool {
        let helpers = self.helpers.iter().flat_map(|h| &h.lines);
        let mut lines = self.lines.iter().chain(helpers);
        lines.any(|l| l.contains("if ") || l.contains("match "))
    }

    /// Expressions that were too large are thrown away, and may have held the only call.
    fn is_called(&self, name: &str) -> bool {
        let call = format!("{name}(");
        self.lines.iter().any(|line| line.contains(&call))
    }

    fn loop_options(&mut self) {
        if self.loop_names.is_empty() {
            return;
        }
        // About half of them are refused, since they cannot be obeyed.
        if self.random.chance(6) {
            let name = self.random.pick(&self.loop_names);
            self.options.push(format!("lanes({name})"));
        }
        if self.random.chance(6) {
            let name = self.random.pick(&self.loop_names);
            let factor = self.random.between(1, 5);
            self.options.push(format!("unroll({name} = {factor})"));
        }
        // Which loops can have lanes, or are unrolled, only the scheduler knows.
        let of_loops = |option: &String| {
            ["lanes", "unroll", "pipeline"]
                .iter()
                .any(|own| option.starts_with(own))
        };
        if self.options.iter().any(of_loops) {
            self.options.push("fallback".to_owned());
        } else if self.random.chance(2) {
            self.options.push("require_lanes".to_owned());
        }
    }

    /// The type of an element of a slice, or of an array.
    fn item(&self, parameter: &Parameter) -> String {
        let scalar = match parameter.role {
            Role::Map(_, ty) | Role::Integers { ty, .. } => ty,
            Role::Size(_) => "usize",
            _ if parameter.single => "f32",
            _ => self.type_name(),
        };
        array_type(scalar, &parameter.shape)
    }

    /// The line that says how a parameter is made.
    fn described(&self, parameter: &Parameter) -> String {
        let (name, ty) = (&parameter.name, self.item(parameter));
        if !parameter.view.is_empty() {
            return described_view(parameter, &ty, self.slack);
        }
        let lengths = listed(&parameter.lengths);
        match (&parameter.role, parameter.slice) {
            (Role::Size(value), _) => format!("{name}: size {value}"),
            (Role::Map(limit, _), true) => {
                format!("{name}: indices {ty} below {limit} of {lengths}")
            }
            (Role::Map(limit, _), false) => format!("{name}: index array {ty} below {limit}"),
            (Role::Integers { written: true, .. }, _) => {
                format!("{name}: output slice {ty} of {lengths} within 0.0")
            }
            (Role::Integers { .. }, _) => format!("{name}: slice {ty} of {lengths}"),
            (Role::Divisor | Role::Dividend, slice) => {
                let which = match parameter.role {
                    Role::Divisor => "divisor",
                    _ => "dividend",
                };
                match slice {
                    true => format!("{name}: {which} slice {ty} of {lengths}"),
                    false => format!("{name}: {which} number {ty}"),
                }
            }
            (Role::Divided { bound }, _) => {
                let within = self.slack * 8.0 * bound;
                format!("{name}: output dividend slice {ty} of {lengths} within {within:.1e}")
            }
            (Role::Input, true) => format!("{name}: slice {ty} of {lengths}"),
            (Role::Input, false) if parameter.shape.is_empty() => format!("{name}: number {ty}"),
            (Role::Input, false) => format!("{name}: array {ty}"),
            (Role::Output { bound, error, .. }, slice) => {
                let within = self.slack * (error + 4.0 * bound);
                match slice {
                    true => format!("{name}: output slice {ty} of {lengths} within {within:.1e}"),
                    false => format!("{name}: output array {ty} within {within:.1e}"),
                }
            }
        }
    }

    fn declared(&self, parameter: &Parameter) -> String {
        let (name, ty) = (&parameter.name, self.item(parameter));
        let rank = parameter.view.len();
        if rank > 0 {
            return match parameter.role {
                Role::Output { .. } | Role::Integers { written: true, .. } => {
                    format!("mut {name}: ndarray::ArrayViewMut{rank}<{ty}>")
                }
                _ => format!("{name}: ndarray::ArrayView{rank}<{ty}>"),
            };
        }
        let ty = if parameter.slice {
            format!("[{ty}]")
        } else {
            ty
        };
        match parameter.role {
            Role::Size(_) => format!("{name}: {ty}"),
            Role::Input | Role::Divisor if ty == self.type_name() => format!("{name}: {ty}"),
            Role::Input | Role::Divisor | Role::Dividend | Role::Map(..) => {
                format!("{name}: &{ty}")
            }
            Role::Integers { written: false, .. } => format!("{name}: &{ty}"),
            Role::Output { .. } | Role::Divided { .. } | Role::Integers { .. } => {
                format!("{name}: &mut {ty}")
            }
        }
    }
}

/// The line that says how a view is made.
fn described_view(parameter: &Parameter, ty: &str, slack: f64) -> String {
    let name = &parameter.name;
    let dimensions: Vec<String> = parameter.view.iter().map(|d| listed(&d.lengths)).collect();
    let lengths = dimensions.join(" by ");
    match &parameter.role {
        Role::Map(limit, _) => format!("{name}: index view {ty} below {limit} of {lengths}"),
        Role::Output { bound, error, .. } => {
            let within = slack * (error + 4.0 * bound);
            format!("{name}: output view {ty} of {lengths} within {within:.1e}")
        }
        Role::Integers { written: true, .. } => {
            format!("{name}: output view {ty} of {lengths} within 0.0")
        }
        _ => format!("{name}: view {ty} of {lengths}"),
    }
}

/// Lengths, of which the largest counts.
fn listed(lengths: &[Linear]) -> String {
    let all: Vec<String> = lengths.iter().map(ToString::to_string).collect();
    match all.is_empty() {
        true => "0".to_owned(),
        false => all.join(", "),
    }
}
