//! Which monomials pre-evaluation takes (Luporini 2017, Algorithm 3): operations, memory, report.

use loopwright_compiler::analysis::cost;
use loopwright_compiler::ir::{Program, text};
use loopwright_compiler::passes::pipeline;

/// Points, basis functions of test and trial functions, and of each coefficient function.
struct Sizes {
    points: usize,
    functions: usize,
    coefficients: usize,
}

/// Entries without a pattern: small, so that they print as they parse.
fn table(name: &str, rows: usize, columns: usize, seed: usize) -> String {
    let entry = |at: usize| ((at + 1) * (at + 7) * (2 * seed + 3) + at * seed) % 23 + 1;
    let row = |row: usize| {
        let entries = (0..columns).map(|column| entry(row * columns + column).to_string());
        format!("[{}]", entries.collect::<Vec<_>>().join(", "))
    };
    let rows_text: Vec<String> = (0..rows).map(row).collect();
    format!(
        "table {name}: f64[{rows}, {columns}] = [{}]\n",
        rows_text.join(", ")
    )
}

/// A form with coefficient functions `f` and `g`, the sum over points given. Of many cells, or of one.
fn form(sizes: &Sizes, mesh: bool, value: &str) -> Program {
    let Sizes {
        points,
        functions,
        coefficients,
    } = *sizes;
    let (length, at, cells) = match mesh {
        true => ("len(k), ", "e, ", "e, "),
        false => ("", "", ""),
    };
    let index = if mesh { "index e: len(k)\n" } else { "" };
    let output = if mesh { "len(a), " } else { "" };
    let function =
        |name: &str| format!("{name}[{at}q] = sum(r) c_{name}[{at}r] * psi[q, r]   for {cells}q\n");
    let value = value.replace("k[", &format!("k[{at}"));
    let value = value.replace("f *", &format!("f[{at}q] *"));
    let value = value.replace("g *", &format!("g[{at}q] *"));
    let text = format!(
        "program p
{index}index q: {points}
index r: {coefficients}
index i: {functions}
index j: {functions}
param 0 k: f64[{length}2, 2]
param 1 c_f: f64[{length}{coefficients}]
param 2 c_g: f64[{length}{coefficients}]
output 3 a: f64[{output}{functions}, {functions}]
temp f: f64[{length}{points}]
temp g: f64[{length}{points}]
{}{}{}{}{}{}a[{at}i, j] += sum(q) {value}   for {cells}i, j
",
        table("psi", points, coefficients, 1),
        table("phi", points, functions, 2),
        table("x", points, functions, 3),
        table("y", points, functions, 4),
        function("f"),
        function("g"),
    );
    text::parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

const MASS: &str = "phi[q, i] * phi[q, j]";
const STIFFNESS: &str = "((k[0, 0] * x[q, i] + k[0, 1] * y[q, i]) \
     * (k[0, 0] * x[q, j] + k[0, 1] * y[q, j]) \
     + (k[1, 0] * x[q, i] + k[1, 1] * y[q, i]) * (k[1, 0] * x[q, j] + k[1, 1] * y[q, j]))";

/// What pre-evaluation decides, the operations at the end, and those with other sums evaluated.
struct Outcome {
    decisions: Vec<String>,
    program: Program,
    operations: u64,
}

impl Outcome {
    /// The operations of an alternative, as the report has them.
    fn of(&self, alternative: &str) -> u64 {
        let (_, rest) = self.decisions[0]
            .split_once(&format!("{alternative}: "))
            .unwrap_or_else(|| panic!("no {alternative} in {}", self.decisions[0]));
        let digits = rest.trim_start_matches(|c: char| !c.is_ascii_digit());
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap();
        digits[..end].parse().unwrap()
    }

    fn table_bytes(&self) -> u64 {
        cost::program(&self.program).each.table_bytes
    }
}

/// Runs the passes of level 3, those before and after pre-evaluation too.
fn run(mut program: Program, memory: Option<u64>) -> Outcome {
    program.memory = memory;
    let mut decisions = Vec::new();
    for pass in pipeline(3, false) {
        let said = pass.run(&mut program);
        if pass.name == "pre_evaluation" {
            decisions = said;
        }
    }
    Outcome {
        decisions,
        operations: cost::program(&program).operations(),
        program,
    }
}

const SMALL: Sizes = Sizes {
    points: 12,
    functions: 6,
    coefficients: 6,
};

/// The stiffness term becomes three tensors; the mass term would become 21, for 12 points.
#[test]
fn part_of_a_form_is_evaluated_where_all_and_none_take_more() {
    let value = format!("f * g * {MASS} + {STIFFNESS}");
    let found = run(form(&SMALL, true, &value), None);
    let [decision, thetas @ ..] = found.decisions.as_slice() else {
        panic!("{:?}", found.decisions);
    };
    assert!(
        decision.starts_with("tables of `(x, y) * (x, y)` alone"),
        "{decision}"
    );
    let evaluated = |what: &str| found.of(&format!("; tables{what}, equal entries once"));
    let all = found.of("tables and the sums of `f`, `g`");
    let part = evaluated(" of `(x, y) * (x, y)` alone");
    assert_eq!([found.of("(quadrature"), all, part], [2307, 1800, 1017]);
    assert!(found.operations <= part, "{}", found.operations);
    let thetas = thetas.join("\n");
    assert!(thetas.contains("`(x, y) * (x, y)`: 126 - "), "{thetas}");
    assert!(thetas.contains("(ρ = 3, ι = 1)"), "{thetas}");
    assert!(thetas.contains("(ρ = 1, ι = 21)"), "{thetas}");
}

/// Of products of functions of one space, combinations with repetition are left: ι of them, here 10
/// for two functions of four basis functions each, of tensors with 21 entries.
#[test]
fn tensors_of_products_have_as_many_entries_as_combinations() {
    let sizes = Sizes {
        points: 60,
        functions: 6,
        coefficients: 4,
    };
    for (value, combinations, theta) in [
        (format!("f * g * {MASS}"), 10, "ι = 10"),
        (format!("f * f * {MASS}"), 10, "ι = 10"),
        (format!("f * g * f * {MASS}"), 20, "ι = 20"),
        (format!("f * g * g * f * {MASS}"), 35, "ι = 35"),
    ] {
        let found = run(form(&sizes, true, &value), None);
        assert!(found.decisions[0].starts_with("tables and the sums of"));
        assert!(found.decisions[1].contains(theta), "{}", found.decisions[1]);
        let packed = text::print(&found.program);
        let shape = format!("f64[{combinations}, ");
        assert!(packed.contains(&shape), "{packed}");
        let sums = 2 * combinations * 21;
        assert!((sums..2 * sums).contains(&found.operations), "{value}");
    }
}

/// The least memory with which all of a form is evaluated.
fn least_memory(program: &Program) -> u64 {
    let all = |memory: u64| {
        let found = run(program.clone(), Some(memory));
        found.decisions[0].starts_with("tables and the sums of `f`")
    };
    let (mut without, mut with) = (0, 1 << 16);
    assert!(all(with) && !all(without));
    while with - without > 1 {
        let middle = without.midpoint(with);
        match all(middle) {
            true => with = middle,
            false => without = middle,
        }
    }
    with
}

/// With less and less memory, the mass term is left, then the stiffness term, whose tables are more,
/// then both.
#[test]
fn each_bipartition_respects_the_bound_of_memory() {
    let value = format!("f * ({MASS} + {STIFFNESS})");
    let program = form(&SMALL, false, &value);
    for (memory, what, bytes) in [
        (4500, "tables and the sums of `f`", 4032),
        (4250, "tables of `f * (x, y) * (x, y)` alone", 4176),
        (2750, "tables of `f * phi * phi` alone", 2736),
        // No more than quadrature needs itself.
        (2500, "nothing", 2304),
    ] {
        let found = run(program.clone(), Some(memory));
        let decision = &found.decisions[0];
        assert!(decision.starts_with(what), "{memory}: {decision}");
        assert_eq!(found.table_bytes(), bytes, "{decision}");
    }
}

/// Cells whose lanes share loads of tables may have larger ones; one cell by itself may not.
#[test]
fn cells_of_a_tile_share_the_bound_of_memory() {
    let value = format!("f * ({MASS} + {STIFFNESS})");
    let mesh = form(&SMALL, true, &value);
    let alone = Program {
        tile: Some(1),
        ..mesh.clone()
    };
    let narrow = text::parse(&text::print(&mesh).replace("f64", "f32")).unwrap();
    let [one, four, eight] = [&alone, &mesh, &narrow].map(least_memory);
    assert_eq!([four, eight], [one.div_ceil(4), one.div_ceil(8)], "{one}");
    // What does not fit for one cell does for those of a mesh.
    let one = form(&SMALL, false, &value);
    let starts = |program: &Program| run(program.clone(), Some(four)).decisions[0].clone();
    assert!(starts(&mesh).starts_with("tables and the sums of `f`"));
    assert!(!starts(&one).starts_with("tables and the sums of `f`"));
}

#[test]
fn the_same_form_has_the_same_bipartition() {
    let value = format!("f * ({MASS} + {STIFFNESS}) + g * {MASS}");
    let [first, second] = [(); 2].map(|()| run(form(&SMALL, true, &value), Some(800)));
    assert_eq!(first.decisions, second.decisions);
    assert_eq!(text::print(&first.program), text::print(&second.program));
}
