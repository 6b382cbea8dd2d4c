//! Random programs, for tests of what prints and reads them.

use std::rc::Rc;

use crate::ir::{
    Access, Affine, ArrayId, Atom, Combining, Element, Equation, Expr, ExprId, Extent, Factor,
    IndexId, Operator, Program, Role, Term,
};
use crate::number::Number;
use crate::syntax::ast::{CompareOperator, Elementary, IntegerType};

/// A small deterministic generator.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % limit as u64) as usize
    }

    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
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
            1 => Atom::Length(ArrayId(2), random.below(2)),
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
            random.one(&[
                Elementary::Abs,
                Elementary::Powi(-2),
                Elementary::Max,
                Elementary::Pure(3),
            ]),
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
pub fn program(random: &mut Random) -> Program {
    let mut program = Program {
        name: "random".to_owned(),
        exact: random.below(2) == 0,
        memory: None,
        tile: None,
        divides: false,
        ..Program::default()
    };
    let integer = Element::Integer(IntegerType::U32);
    let length = Extent::RunTime(Affine::atom(Atom::Length(ArrayId(2), 0)));
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
        let role = match random.below(4) {
            0 => Role::Output(3 + at),
            1 => Role::State(3),
            2 => Role::Counting,
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
            operator: operator(random),
            free: indices(random),
            reduction: indices(random),
            expr: expression(random, &mut program, &known),
        };
        program.equations.push(equation);
    }
    program
}

fn operator(random: &mut Random) -> Operator {
    match random.below(3) {
        0 => Operator::Assign,
        1 => Operator::ADD,
        _ => Operator::Accumulate(random.one(&Combining::ALL).0),
    }
}
