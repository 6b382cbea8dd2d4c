use std::rc::Rc;

use super::{parse, print};
use crate::ir::{
    Access, Affine, ArrayId, Atom, Element, Equation, Expr, ExprId, Extent, Factor, IndexId,
    Operator, Program, Role, Term,
};
use crate::number::Number;
use crate::syntax::ast::{CompareOperator, Elementary, IntegerType};

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

/// A small deterministic generator.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below a limit.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % limit as u64) as usize
    }

    pub(crate) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

fn number(random: &mut Random) -> Number {
    let small = random.below(7) as i64 - 3;
    match random.below(8) {
        0 => Number::from_f64(small as f64 * 0.1),
        1 => Number::ratio(small, 7),
        2 => -Number::ratio(small, 1),
        3 => Number::from_i64(small * small + 2).sqrt(),
        4 => Number::ONE,
        _ => Number::from_i64(small),
    }
}

fn affine(random: &mut Random, program: &Program, depth: usize) -> Affine {
    let mut result = Affine::constant(random.below(5) as i64 - 2);
    for _ in 0..random.below(3) {
        let atom = match random.below(6) {
            0 => Atom::Scalar(ArrayId(1)),
            1 => Atom::Length(ArrayId(2)),
            2 if depth > 0 => Atom::Map(ArrayId(2), vec![affine(random, program, depth - 1)]),
            _ => Atom::Index(IndexId(random.below(program.indices.len()) as u32)),
        };
        result = result.add(&Affine::atom(atom).scale(random.below(5) as i64 - 2));
    }
    result
}

fn access(random: &mut Random, program: &Program) -> Access {
    let array = random.below(program.arrays.len());
    let shape = &program.arrays[array].shape;
    let subscripts = shape.iter().map(|_| affine(random, program, 1)).collect();
    let array = ArrayId(array as u32);
    Access { array, subscripts }
}

fn expression(random: &mut Random, program: &mut Program, known: &[ExprId]) -> ExprId {
    let of = |random: &mut Random| random.one(known);
    let node = match random.below(if known.is_empty() { 2 } else { 9 }) {
        0 => Expr::Constant(number(random)),
        1 => Expr::Access(access(random, program)),
        2 => Expr::Call(
            random.one(&[Elementary::Abs, Elementary::Powi(-2), Elementary::Max]),
            (0..random.below(3)).map(|_| of(random)).collect(),
        ),
        3 => Expr::Compare(
            random.one(&[CompareOperator::Less, CompareOperator::NotEqual]),
            of(random),
            of(random),
        ),
        4 => Expr::Select(of(random), of(random), of(random)),
        5 => Expr::Cast(random.one(&[Element::F32, Element::Generic]), of(random)),
        6 => Expr::Product(
            (0..random.below(4))
                .map(|_| Factor {
                    expr: of(random),
                    power: random.one(&[1, 1, 1, -1, 2, -3]),
                })
                .collect(),
        ),
        _ => Expr::Sum(
            (0..random.below(4))
                .map(|_| Term {
                    coefficient: number(random),
                    expr: of(random),
                })
                .collect(),
        ),
    };
    let element = match random.below(4) {
        0 => Element::F32,
        1 => Element::Generic,
        _ => Element::F64,
    };
    program.pool.add(node, element)
}

/// Some program: not one that makes sense.
pub(crate) fn program(random: &mut Random) -> Program {
    let mut program = Program {
        name: "random".to_owned(),
        exact: random.below(2) == 0,
        ..Program::default()
    };
    let integer = Element::Integer(IntegerType::U32);
    let length = Extent::RunTime(Affine::atom(Atom::Length(ArrayId(2))));
    let extents = [
        Extent::Constant(3),
        Extent::Constant(2),
        length.clone(),
        Extent::RunTime(Affine::constant(random.below(5) as i64 - 2)),
    ];
    for _ in 0..3 + random.below(3) {
        let name = random.one(&["i", "j", "n", "sum"]);
        let extent = extents[random.below(4)].clone();
        program.add_index(name, extent);
    }
    program.add_array("x", Element::F64, Vec::new(), Role::Parameter(0));
    program.add_array("n", integer, Vec::new(), Role::Parameter(1));
    program.add_array("map", integer, vec![length], Role::Parameter(2));
    let shape = vec![Extent::Constant(2); random.below(4)];
    let values = (0..1 << shape.len()).map(|_| number(random)).collect();
    program.add_array("w", Element::F64, shape, Role::Table(Rc::new(values)));
    for at in 0..random.below(5) {
        let shape = (0..random.below(4))
            .map(|_| extents[random.below(4)].clone())
            .collect();
        let element = random.one(&[Element::F64, Element::F32, Element::Generic]);
        let role = match random.below(2) {
            0 => Role::Output(3 + at),
            _ => Role::Temporary,
        };
        program.add_array("t", element, shape, role);
    }
    let mut known = Vec::new();
    for _ in 0..random.below(40) {
        known.push(expression(random, &mut program, &known));
    }
    for _ in 0..random.below(4) {
        let indices = |random: &mut Random| {
            let count = random.below(3) as u32;
            (0..count).map(IndexId).collect()
        };
        let equation = Equation {
            target: access(random, &program),
            operator: random.one(&[Operator::Assign, Operator::Accumulate]),
            free: indices(random),
            reduction: indices(random),
            expr: expression(random, &mut program, &known),
        };
        program.equations.push(equation);
    }
    program
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
