//! Small bodies of totals, local arrays and numbers of two types, at random.
//!
//! Totals are read before, between and after the additions to them; local arrays are filled in part,
//! written twice, and read by other subscripts than they were written at.

use super::random::Random;

/// Elements of the fixed dimensions.
const ROW: usize = 6;
const ROWS: usize = 3;
const LONG: usize = 12;

/// A loop around a statement; of run-time length if it has no extent.
struct Loop {
    name: String,
    extent: Option<usize>,
}

/// A local variable.
#[derive(Clone)]
struct Local {
    name: String,
    extents: Vec<usize>,
    single: bool,
    mutable: bool,
}

/// What may be read and written, and the text so far.
pub struct Generator<'r> {
    random: &'r mut Random,
    loops: Vec<Loop>,
    locals: Vec<Local>,
    text: String,
    names: usize,
    statements: usize,
    /// The loop over cells is around everything.
    cells: bool,
    /// Numbers of `f32` take part.
    mixed: bool,
}

/// A kernel.
pub fn kernel(random: &mut Random) -> String {
    let cells = random.chance(50);
    let mixed = random.chance(30);
    let statements = 2 + random.below(3);
    let returns = !cells && random.chance(30);
    let mut generator = Generator {
        random,
        loops: Vec::new(),
        locals: Vec::new(),
        text: String::new(),
        names: 0,
        statements,
        cells,
        mixed,
    };
    if cells {
        generator.text.push_str("for e in 0..w.len() {\n");
    }
    for _ in 0..1 + generator.random.below(3) {
        generator.declare();
    }
    while generator.statements > 0 {
        generator.statement(0);
    }
    generator.output();
    if cells {
        generator.text.push_str("}\n");
    }
    let value = generator.expression(false, 2);
    let (result, value) = match returns {
        true => (" -> f64", value),
        false => ("", String::new()),
    };
    format!(
        "pub fn k(n: usize, x: &[f64; 12], z: &[f32; 12], w: &[[f64; 6]], u: &[f64], y: &mut [f64], \
         a: &mut [[[f64; 6]; 6]], b: &mut [[f64; 6]; 6], r: &mut [f64; 12], v: &mut [f64]){result} {{\n\
         static P: [[f64; 6]; 3] = [[0.5, -0.25, 1.0, 0.0, 0.75, 2.0], [0.0, 0.0, 1.5, -1.0, 1.0, 0.5], \
         [0.125, 0.5, -0.25, 0.75, 0.0, 1.0]];\n\
         {}{value}\n}}\n\
         fn twist(p: f64, q: f64) -> f64 {{\nlet mut s = 0.0;\nlet mut t = p;\n\
         for k in 0..3 {{\nt += s * q;\ns += p;\n}}\nt - s\n}}",
        generator.text
    )
}

impl Generator<'_> {
    fn fresh(&mut self, base: &str) -> String {
        self.names += 1;
        format!("{base}{}", self.names)
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A variable with a value, or a local array with one for all its elements.
    fn declare(&mut self) {
        let single = self.mixed && self.random.chance(40);
        let ty = if single { "f32" } else { "f64" };
        let extents: Vec<usize> = match self.random.below(6) {
            0 | 1 => vec![ROW, ROW],
            2 => vec![ROW],
            3 => vec![ROWS],
            _ => Vec::new(),
        };
        let mutable = !extents.is_empty() || self.random.chance(80);
        let initial = match mutable && self.random.chance(70) {
            true => self.random.one(&["0.0", "0.0", "1.0"]).to_owned(),
            false => self.expression(single, 1),
        };
        let (mut declared, mut value) = (ty.to_owned(), initial);
        for extent in extents.iter().rev() {
            declared = format!("[{declared}; {extent}]");
            value = format!("[{value}; {extent}]");
        }
        let name = self.fresh(if extents.is_empty() { "s" } else { "m" });
        let word = if mutable { "mut " } else { "" };
        self.line(&format!("let {word}{name}: {declared} = {value};"));
        self.locals.push(Local {
            name,
            extents,
            single,
            mutable,
        });
    }

    fn statement(&mut self, depth: usize) {
        self.statements = self.statements.saturating_sub(1);
        match self.random.below(10) {
            0 if depth < 3 => self.declare(),
            1..=4 if depth < 3 => self.nest(depth),
            5 | 6 => self.output(),
            _ => self.assign(),
        }
    }

    /// A loop with some statements.
    fn nest(&mut self, depth: usize) {
        let name = self.fresh("i");
        let run_time = self.random.chance(15);
        let extent = match run_time {
            true => None,
            false => Some([2, 3, 3, 4, 6, 6, 6, 12][self.random.below(8)]),
        };
        let range = match extent {
            Some(extent) => format!("0..{extent}"),
            None => "0..n".to_owned(),
        };
        self.line(&format!("for {name} in {range} {{"));
        self.loops.push(Loop { name, extent });
        let locals = self.locals.len();
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth + 1);
        }
        self.locals.truncate(locals);
        self.loops.pop();
        self.line("}");
    }

    /// An assignment to a local variable.
    fn assign(&mut self) {
        let mutable = self.locals.iter().filter(|local| local.mutable);
        let mutable: Vec<Local> = mutable.cloned().collect();
        if mutable.is_empty() {
            return self.declare();
        }
        let local = mutable[self.random.below(mutable.len())].clone();
        let place = self.element(&local);
        let operator = ["+=", "+=", "+=", "-=", "=", "*="][self.random.below(6)];
        let value = self.expression(local.single, 2);
        self.line(&format!("{place} {operator} {value};"));
    }

    fn output(&mut self) {
        let place = self.written();
        let operator = ["=", "+=", "+=", "-="][self.random.below(4)];
        let value = self.expression(false, 2);
        self.line(&format!("{place} {operator} {value};"));
    }

    /// An element of an output.
    fn written(&mut self) -> String {
        let run_time = self.loops.iter().rev().find(|l| l.extent.is_none());
        if let Some(around) = run_time
            && !self.cells
        {
            return format!("v[{}]", around.name);
        }
        let (row, column) = (self.subscript(ROW), self.subscript(ROW));
        match (self.cells, self.random.below(2)) {
            (true, 0) => "y[e]".to_owned(),
            (true, _) => format!("a[e][{row}][{column}]"),
            (false, 0) => format!("r[{}]", self.subscript(LONG)),
            (false, _) => format!("b[{row}][{column}]"),
        }
    }

    /// A subscript of a dimension: a loop's variable more often than not.
    fn subscript(&mut self, extent: usize) -> String {
        let loops = self.loops.iter().rev();
        let fits = loops.filter_map(|l| Some((l.name.clone(), l.extent?)));
        let fits: Vec<(String, usize)> = fits.collect();
        if fits.is_empty() || self.random.chance(15) {
            return self.random.below(extent).to_string();
        }
        let (name, count) = fits[self.random.below(fits.len())].clone();
        let spare = extent.checked_sub(count);
        match (self.random.below(10), spare) {
            (0, _) => format!("{name} % {}", extent.min(3)),
            (1, Some(spare)) => format!("{name} + {}", self.random.below(spare + 1)),
            (2, Some(_)) => format!("{} - {name}", count - 1),
            (3, _) if 2 * count <= extent => format!("2 * {name} + 1"),
            (_, Some(_)) => name,
            (_, None) => self.random.below(extent).to_string(),
        }
    }

    fn element(&mut self, local: &Local) -> String {
        let mut result = local.name.clone();
        for extent in &local.extents {
            let subscript = self.subscript(*extent);
            result.push_str(&format!("[{subscript}]"));
        }
        result
    }

    /// A number of a type.
    fn leaf(&mut self, single: bool) -> String {
        let same = self.locals.iter().filter(|local| local.single == single);
        let same: Vec<Local> = same.cloned().collect();
        if !same.is_empty() && self.random.chance(55) {
            let local = same[self.random.below(same.len())].clone();
            return self.element(&local);
        }
        if self.mixed && self.random.chance(30) {
            let other = self.leaf_of_one(!single);
            return match single {
                true => format!("({other} as f32)"),
                false => format!("({other} as f64)"),
            };
        }
        self.leaf_of_one(single)
    }

    fn leaf_of_one(&mut self, single: bool) -> String {
        let loops: Vec<String> = self.loops.iter().map(|l| l.name.clone()).collect();
        if single {
            return match self.random.below(3) {
                0 => self.random.one(&["0.7_f32", "2.0_f32"]).to_owned(),
                _ => format!("z[{}]", self.subscript(LONG)),
            };
        }
        match self.random.below(9) {
            0 => self.random.one(&["0.5_f64", "3.0_f64"]).to_owned(),
            1 | 2 => format!("P[{}][{}]", self.subscript(ROWS), self.subscript(ROW)),
            3 if self.cells => format!("w[e][{}]", self.subscript(ROW)),
            4 => self.written(),
            5 if !loops.is_empty() => format!("u[{}]", loops[self.random.below(loops.len())]),
            6 if !loops.is_empty() => format!("({} as f64)", loops[self.random.below(loops.len())]),
            _ => format!("x[{}]", self.subscript(LONG)),
        }
    }

    fn expression(&mut self, single: bool, depth: usize) -> String {
        if depth == 0 || self.random.chance(25) {
            return self.leaf(single);
        }
        let left = self.expression(single, depth - 1);
        let right = self.expression(single, depth - 1);
        match self.random.below(14) {
            0 => format!("({left}).max({right})"),
            1 => format!("(if {left} < {right} {{ {right} }} else {{ {left} * {right} }})"),
            2 if !single => format!("twist({left}, {right})"),
            3 => format!("({left} - {right}).abs()"),
            4 if self.mixed => {
                let other = self.expression(!single, depth - 1);
                let ty = if single { "f32" } else { "f64" };
                format!("({left} + ({other}) as {ty})")
            }
            5..=7 => format!("({left} + {right})"),
            8 => format!("({left} - {right})"),
            _ => format!("{left} * {right}"),
        }
    }
}
