use super::random::{Random, program};
use super::{parse, print};
use crate::ir::{
    Access, Affine, ArrayId, Atom, Element, Equation, Expr, ExprId, Extent, Factor, IndexId,
    Operator, Program, Role,
};

const HELMHOLTZ: &str = "\
program helmholtz

index e: len(cells)
index q: 3
index i: 2
index i'2: 2
index n'2: n - 2

param 0 cells: f64[len(cells), 4]
param 1 map: usize[len(cells), 2]
param 2 n: usize
param 3 scale: f32
output 4 a: f64[len(a), 2, 2]
table w: f64[3] = [0.5, 1/3, -0.1]
table phi: f64[3, 2] = [
  [1, 0],
  [0, 1],
  [2.5, -1e-9],
]
temp t: f64[len(cells), 3]

t[e, q] = w[q] * abs(cells[e, 3]) / 2   for e, q
a[e, i, i'2] += sum(q) t[e, q] * (phi[q, i] * phi[q, i'2] + 2 cells[e, 0] - 0.5)^2   for e, i, i'2
a[map[e, i] + 1, 2*i, -i + n - 1] = -cells[e, 0] - 3 (2 phi[0, i]) + f64(scale)   for e, i
t[e, 0] = if t[e, 1] < 1 + t[e, 2] { powi(t[e, 0], -3) } else { 1 / min(t[e, 0], 2) }   for e
";

fn canonical(text: &str) {
    match parse(text) {
        Ok(program) => assert_eq!(print(&program), text),
        Err(error) => panic!("{error}\nin\n{text}"),
    }
}

/// The text of a program with an equation.
fn with(equation: &str) -> String {
    let (head, _) = HELMHOLTZ.split_once("t[e, q] =").unwrap();
    format!("{head}{equation}\n")
}

#[test]
fn a_program_reads_as_it_prints() {
    canonical(HELMHOLTZ);
    canonical("program\n");
    canonical("program p\nexact\n");
    let program = parse(HELMHOLTZ).unwrap();
    assert_eq!(program.indices[3].name, "i");
    assert_eq!(program.indices[4].name, "n");
    let sum = program.equations[1].expr;
    assert!(matches!(program.pool.get(sum), Expr::Product(f) if f.len() == 2 && f[1].power == 2));
    assert_eq!(
        program.equations[2].target.subscripts[2].to_owned(),
        Affine::atom(Atom::Scalar(ArrayId(2)))
            .sub(&Affine::index(IndexId(2)))
            .add(&Affine::constant(-1))
    );
}

#[test]
fn sums_and_products_keep_their_shape() {
    for expression in [
        "-2",
        "-(2)",
        "-2 t[0, 0]",
        "-2 * t[0, 0]",
        "-(2 * t[0, 0])",
        "2 3 * t[0, 0]",
        "2 (-3)",
        "2 3",
        "+ 2",
        "* 2",
        "+ -2",
        "(+)",
        "(*)",
        "* (+ (*))",
        "+ (* t[0, 0])",
        "t[0, 0] - -2",
        "t[0, 0] + -2 * t[0, 1]",
        "t[0, 0] - 2 t[0, 1] + 1/3 t[0, 2]",
        "t[0, 0]^-1 * t[0, 1]^3 / t[0, 2] / t[0, 0]^2",
        "t[0, 0] * -2 * (t[0, 1] * t[0, 2])",
        "-2^3",
        "(t[0, 0] + 1 < 2) + 1",
        "(t[0, 0] + 1 < 2: f32) + (1 < scale)",
        "(1 + 2: f32)",
        "(scale: f64)",
        "f64(scale * 2 + (2: f64))",
        "T((t[0, 0] + 1: T))",
        "if if 1 < 2 { 3 == 4 } else { 5 > 6 } { 1 } else { 2 } + 1",
        "2 if 1 != 2 { 3 } else { 4 }",
        "mul_add(1, 2, 3) + max(t[0, 0], -1) + recip(#inf) - #nan",
        "max(1) + exp(t[0, 0] < 2)",
    ] {
        canonical(&with(&format!("t[0, 0] = {expression}")));
    }
}

#[test]
fn what_is_written_by_hand_is_read() {
    let text = "
        // a comment
        program p
        index i: 2 + 2
        output 0 y: f64[4]; temp s: f64

        s = ((1)) * 2 ; y[1+i] += sum(i)
";
    let error = parse(text).unwrap_err();
    assert_eq!(
        error.message,
        "expected an expression, found the end of the line"
    );
    let program = parse(&format!("{} (s[] - 1 s) for i", text.trim_end())).unwrap();
    assert_eq!(
        print(&program),
        "program p\n\nindex i: 4\n\noutput 0 y: f64[4]\ntemp s: f64\n\n\
         s = 1 * 2\ny[i + 1] += sum(i) s - s   for i\n"
    );
}

#[test]
fn large_expressions_name_what_they_repeat() {
    let mut program = parse(&with("t[0, 0] = t[0, 1] + 1")).unwrap();
    let mut expr = program.equations[0].expr;
    for _ in 0..40 {
        let factor = Factor { expr, power: 1 };
        let square = vec![factor, factor];
        expr = program.pool.add(Expr::Product(square), Element::F64);
    }
    program.equations[0].expr = expr;
    let text = print(&program);
    assert!(text.contains("let %1 = t[0, 1] + 1\nlet %2 = %1 * %1\n"));
    assert!(text.ends_with("\nt[0, 0] = %40 * %40\n"));
    canonical(&text);
}

#[test]
fn odd_names_are_quoted() {
    let mut program = Program {
        name: "r#type".to_owned(),
        ..Program::default()
    };
    for name in ["i", "r#for", "for", "i'2", "i", "r#for"] {
        program.add_index(name, Extent::Constant(3));
    }
    let shape = vec![Extent::Constant(3)];
    for (at, name) in ["if", "index", "a b", "len"].into_iter().enumerate() {
        program.add_array(name, Element::F64, shape.clone(), Role::Output(at));
    }
    for at in 0..6 {
        let array = ArrayId(at % 4);
        let subscripts = vec![Affine::index(IndexId(at))];
        let target = Access { array, subscripts };
        let expr = program.pool.add(Expr::Access(target.clone()), Element::F64);
        program.equations.push(Equation {
            target,
            operator: Operator::Assign,
            free: vec![IndexId(at)],
            reduction: Vec::new(),
            expr,
        });
    }
    canonical(&print(&program));
    let back = parse(&print(&program)).unwrap();
    assert!(
        back.indices
            .iter()
            .map(|i| &i.name)
            .eq(program.indices.iter().map(|i| &i.name))
    );
}

#[test]
fn mistakes_are_located() {
    let message = |equation: &str| {
        let error = parse(&with(equation)).unwrap_err();
        format!("{}: {}", error.column, error.message)
    };
    for (equation, expected) in [
        ("t[e, q] = w[q", "12: this `[` is not closed"),
        ("t[e, q] = w[q)", "14: this `)` has no `(`"),
        (
            "t[e, q] = w[q q]",
            "15: expected `,`, `]`, `+` or `-`, found `q`",
        ),
        (
            "t[e, q] = w[q, e]",
            "11: this array has 1 dimensions, not 2",
        ),
        ("t[e, q] = v[q]", "11: no array is declared as `v`"),
        ("t[e, k] = 1", "6: no index or array is declared as `k`"),
        ("t[e, q] = 1 for k", "17: no index is declared as `k`"),
        ("t[e, q] = sine(1)", "11: there is no function `sine`"),
        ("t[e, q] = 1 t", "13: this array has 2 dimensions, not 0"),
        (
            "t[e, q] = w[q] w[q]",
            "16: expected an operator, `for` or the end of the line, found `w`",
        ),
        (
            "t[e, q] = 2 * ",
            "15: expected an expression, found the end of the line",
        ),
        ("t[e, q] * 2", "9: expected `=` or `+=`, found `*`"),
        ("t[e, q] = (1 + 2 q)", "18: `q` is an index, not an array"),
        ("t[e, q] = 2 & 3", "13: unexpected character `&`"),
        ("t[e, q*2] = 3", "6: write the coefficient first: `2*i`"),
        (
            "t[e, q] = %1",
            "11: expected an expression that a `let` before names, found `%1`",
        ),
        (
            "t[e, q] = w[q]^0",
            "15: a power is an integer of 32 bits, and not zero",
        ),
        (
            "t[e, q] = 2 * -w[q]",
            "16: expected a number (a negated expression here needs parentheses), found `w`",
        ),
        (
            "a[e, 0, 0] = 1\nindex x: 3",
            "1: declarations come before equations",
        ),
    ] {
        let found = message(equation);
        assert!(found.starts_with(expected), "{equation}: {found}");
    }
    let error = parse("program p\nindex i: 3\n  table w: f64[i] = [1, 2\n").unwrap_err();
    assert_eq!((error.line, error.column), (3, 21));
    let error = parse("program p\ntable w: f64[3] = [1, 2]").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2, column 19: expected 3 values, found 2\n   2 | table w: f64[3] = [1, 2]\n     |                   ^"
    );
    let error = parse("program p\nindex i: 3\nparam 0 i: f64").unwrap_err();
    assert_eq!(error.message, "`i` is declared twice");
}

/// An expression with all that it is made of, in one string; `None` if it is too large.
fn whole(program: &Program, id: ExprId, budget: &mut usize) -> Option<String> {
    *budget = budget.checked_sub(1)?;
    let mut parts = Vec::new();
    for operand in program.pool.operands(id) {
        parts.push(whole(program, operand, budget)?);
    }
    let own = match program.pool.get(id) {
        Expr::Constant(n) => format!("{:?}", n.key()),
        Expr::Access(access) => format!("{access:?}"),
        Expr::Sum(terms) => {
            let keys: Vec<_> = terms.iter().map(|t| t.coefficient.key()).collect();
            format!("sum {keys:?}")
        }
        Expr::Product(factors) => {
            let powers: Vec<_> = factors.iter().map(|f| f.power).collect();
            format!("product {powers:?}")
        }
        Expr::Call(function, _) => format!("{function:?}"),
        Expr::Compare(operator, ..) => format!("{operator:?}"),
        Expr::Select(..) => "select".to_owned(),
        Expr::Cast(to, _) => format!("to {to:?}"),
    };
    let element = program.pool.element(id);
    Some(format!("({own} {element:?} {})", parts.join(" ")))
}

#[test]
fn random_programs_come_back() {
    let mut compared = 0;
    for seed in 0..800 {
        let program = program(&mut Random::new(seed));
        let text = print(&program);
        let back = parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert_eq!(print(&back), text, "seed {seed}");
        assert_eq!(
            format!("{:?}", back.indices),
            format!("{:?}", program.indices)
        );
        assert_eq!(back.arrays.len(), program.arrays.len());
        for (a, b) in back.equations.iter().zip(&program.equations) {
            assert_eq!((&a.target, a.operator), (&b.target, b.operator));
            assert_eq!((&a.free, &a.reduction), (&b.free, &b.reduction));
            let b = whole(&program, b.expr, &mut 2000);
            if b.is_some() {
                compared += 1;
                assert_eq!(whole(&back, a.expr, &mut 2000), b, "seed {seed}\n{text}");
            }
        }
    }
    assert!(compared > 500);
}
