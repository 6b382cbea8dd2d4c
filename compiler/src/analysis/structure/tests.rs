//! One broken program a rule.

use std::rc::Rc;

use super::violations;
use crate::ir::{
    Access, Affine, Array, ArrayId, Atom, Element, Expr, ExprId, Extent, Factor, IndexId, Mirror,
    Program, Role, text,
};
use crate::number::Number;
use crate::syntax::ast::IntegerType;

const HEAD: &str = "\
program p

index e: len(x)
index m: n - 2
index i: 4
index j: 4
index k: 3
index none: 0

param 0 x: f64[len(x), 4]
param 1 map: usize[len(x)]
param 2 n: usize
param 3 scale: f32
param 4 c: f64[4]
output 5 y: f64[len(x), 4]
output 6 z: f64[4]
state 6 z_before: f64[4]
table w: f64[4] = [1, 2, 3, 4]
counting rows: usize[len(x)]
temp s: f64[4]
temp t: f64[len(x), 4]
temp r: f64[n - 2]

";

fn parsed(equations: &str) -> Program {
    text::parse(&format!("{HEAD}{equations}\n")).unwrap_or_else(|error| panic!("{error}"))
}

fn found(program: &Program) -> Vec<String> {
    let all = violations(program);
    all.iter().map(ToString::to_string).collect()
}

/// The only violation of some equations is the one that begins so.
fn broken(equations: &str, expected: &str) {
    let found = found(&parsed(equations));
    let one = found.len() == 1 && found[0].starts_with(expected);
    assert!(one, "{equations}: {found:#?} and not {expected}");
}

fn broken_by(equations: &str, change: impl Fn(&mut Program), expected: &str) {
    let mut program = parsed(equations);
    assert_eq!(found(&program), [""; 0], "{equations}");
    change(&mut program);
    let found = found(&program);
    let one = found.len() == 1 && found[0].starts_with(expected);
    assert!(one, "{equations}: {found:#?} and not {expected}");
}

#[test]
fn sound_programs_have_no_violation() {
    sound("s[i] = w[i] + c[i] for i; y[e, i] += sum(j) x[e, j] * s[i] for e, i");
    // Parts of an array, also in several loops, and by way of what is filled first.
    sound("s[k + 1] = w[k] for k; s[0] = 1; z[i] = s[i] for i");
    sound("s[i] = 0 for i; s[k] = w[k] for k; s[k + 1] += w[k] for k; z[i] = s[i] for i");
    // A queue: equations that take turns.
    sound("s[0] = c[0]; z[k] = s[k] for k; s[k + 1] = s[k] + c[k] for k");
    sound("z[i] = z_before[i] * f64(rows[2*i + 9]) for i");
    sound("y[e, i] = x[map[e], i] for e, i");
    // Nothing runs.
    sound("s[none + 7] = w[none + 9] for none");
    // May be right or wrong.
    sound("r[m] = 1 for m; z[i] = r[i] for i");
}

#[test]
fn numbers_that_are_none() {
    let one = "s[i] = w[i] for i";
    type Change = fn(&mut Program);
    let wrong: [(&str, Change); 9] = [
        ("there is no loop 99 for equation 0", |p| {
            p.equations[0].free.push(IndexId(99));
        }),
        ("there is no loop 99 in the target", |p| {
            p.equations[0].target.subscripts[0] = Affine::index(IndexId(99));
        }),
        ("there is no array 99 in the target", |p| {
            p.equations[0].target.array = ArrayId(99);
        }),
        ("equation 0 has no value", |p| {
            p.equations[0].expr = ExprId(99)
        }),
        ("`s` has 1 dimensions, not 2 in the target", |p| {
            p.equations[0].target.subscripts.push(Affine::default());
        }),
        ("`x` is no integer parameter in an extent of `k`", |p| {
            let atom = Atom::Scalar(ArrayId(0));
            p.indices[4].extent = Extent::RunTime(Affine::atom(atom));
        }),
        ("`x` has no length along axis 2 in an extent of `k`", |p| {
            let atom = Atom::Length(ArrayId(0), 2);
            p.indices[4].extent = Extent::RunTime(Affine::atom(atom));
        }),
        ("`x` is no index map in the target", |p| {
            let atom = Atom::Map(ArrayId(0), vec![Affine::default(); 2]);
            p.equations[0].target.subscripts[0] = Affine::atom(atom);
        }),
        ("an extent of `k` is another one in each iteration", |p| {
            p.indices[4].extent = Extent::RunTime(Affine::index(IndexId(2)));
        }),
    ];
    for (expected, change) in wrong {
        broken_by(one, change, expected);
    }
    let rank = |p: &mut Program| {
        let array = p.equations[0].target.array;
        let subscripts = Vec::new();
        let access = Expr::Access(Access { array, subscripts });
        p.equations[1].expr = p.pool.add(access, Element::F64);
    };
    let read = "s[i] = w[i] for i; z[i] = s[i] for i";
    broken_by(
        read,
        rank,
        "`s` has 1 dimensions, not 0 in the value of equation 1",
    );
}

#[test]
fn declarations_contradict_each_other() {
    let one = "s[i] = w[i] for i";
    let array = |name: &'static str, change: fn(&mut Array)| {
        move |p: &mut Program| {
            let array = p.arrays.iter_mut().find(|array| array.name == name);
            change(array.unwrap());
        }
    };
    let table = |a: &mut Array| a.role = Role::Table(Rc::new(vec![Number::ONE; 3]));
    broken_by(one, array("w", table), "the table `w` has 3 values");
    broken_by(
        one,
        array("t", |a| a.name = "s".into()),
        "two arrays are named `s`",
    );
    let counting = |a: &mut Array| a.shape.clear();
    broken_by(
        one,
        array("rows", counting),
        "`rows` counts, and is not a row",
    );
    let state = |a: &mut Array| a.role = Role::State(4);
    broken_by(
        one,
        array("z_before", state),
        "`z_before` is a state of what is no output",
    );
    let single = |a: &mut Array| a.element = Element::F32;
    broken_by(
        one,
        array("z_before", single),
        "`z_before` has another element type",
    );
    let integer = |a: &mut Array| a.element = Element::Integer(IntegerType::U32);
    broken_by(one, array("t", integer), "`t` is a temporary of integers");
    for layout in [
        |a: &mut Array| a.strided = true,
        |a: &mut Array| a.flat = true,
        |a: &mut Array| a.inner = 1,
        |a: &mut Array| a.allocated = true,
    ] {
        broken_by(one, array("t", layout), "`t` cannot have the layout");
    }
}

#[test]
fn values_have_types() {
    broken("s[i] = f32(w[i]) for i", "`s` is assigned another type");
    broken(
        "z[i] = w[i] + scale for i",
        "numbers of two types are mixed",
    );
    broken("z[i] = max(w[i]) for i", "`Max` has 1 operands");
    broken("z[i] = pure(w[i], 3) for i", "`Pure(3)` has 1 operands");
    broken(
        "z[i] = if w[i] { 1 } else { 2 } for i",
        "a number is a condition",
    );
    broken("z[i] = (w[i] < 1) + 1 for i", "a condition is a number");
    broken("z[i] = w[i] < 1 for i", "a condition is a number");
    broken(
        "z[i] = f64(rows[i] + rows[i]) for i",
        "an operation on integers",
    );
    let power = |p: &mut Program| {
        let factor = Factor {
            expr: p.equations[0].expr,
            power: 0,
        };
        p.equations[0].expr = p.pool.add(Expr::Product(vec![factor]), Element::F64);
    };
    broken_by("z[i] = w[i] for i", power, "a factor has the power 0");
}

#[test]
fn equations_have_their_loops() {
    broken("z[i] = w[i] for i, i", "the loop `i` is there twice");
    broken("z[i] += sum(i) w[i] for i", "the loop `i` is there twice");
    broken("c[i] = w[i] for i", "`c` is written");
    broken("w[i] = 1 for i", "`w` is written");
    broken("z_before[i] = 1 for i", "`z_before` is written");
    broken(
        "z[i] = 1",
        "the target depends on the loop `i`, which is not there",
    );
    broken(
        "z[i] += sum(i) 1",
        "the target depends on the loop `i`, which is summed over",
    );
    broken(
        "z[map[e]] += sum(e) 1",
        "the target depends on the loop `e`, which is summed over",
    );
    broken(
        "z[i] = w[j] for i",
        "the value depends on the loop `j`, which is not there",
    );
    broken(
        "z[i] = x[map[e], i] for i",
        "the value depends on the loop `e`, which is not there",
    );
    broken("z[i] = z[i] for i", "`z` is read, and not a state of it");
}

#[test]
fn mirrors_are_of_one_kind() {
    let mirror = |second: u32, to: u32| {
        move |p: &mut Program| {
            let from = p.equations[0].target.clone();
            let array = ArrayId(to);
            p.mirrors.push(Mirror {
                to: Access {
                    array,
                    ..from.clone()
                },
                from,
                first: IndexId(2),
                second: IndexId(second),
                sums: None,
            });
        }
    };
    let one = "z[i] += w[i] for i";
    broken_by(
        one,
        mirror(4, 6),
        "the mirrored loops `i` and `k` have other lengths",
    );
    broken_by(
        one,
        mirror(3, 1),
        "`z` and `map` are mirrored, and of other types",
    );
    broken_by(one, mirror(99, 6), "there is no loop 99 in a mirror");
}

#[test]
fn subscripts_are_within_extents() {
    broken("s[i + 1] = 1 for i", "`s` is accessed at 4 in dimension 0");
    broken("s[i - 1] = 1 for i", "`s` is accessed at -1 in dimension 0");
    broken(
        "s[-i + 2] = 1 for i",
        "`s` is accessed at -1 in dimension 0",
    );
    broken(
        "z[i] = w[i + k] for i, k",
        "`w` is accessed at 5 in dimension 0",
    );
    broken(
        "t[e + 1, i] = 1 for e, i",
        "`t` is accessed at x.len() in dimension 0",
    );
    broken(
        "t[e - 1, i] = 1 for e, i",
        "`t` is accessed at -1 in dimension 0",
    );
    broken(
        "r[m + 1] = 1 for m",
        "`r` is accessed at n - 2 in dimension 0",
    );
}

#[test]
fn elements_are_assigned_once() {
    broken(
        "s[i] = w[i] for i; s[k] = 1 for k",
        "an element of `s` is assigned again",
    );
    broken(
        "s[k + 1] = w[k] for k; s[2] = 1",
        "an element of `s` is assigned again",
    );
    broken(
        "s[i] = w[j] for i, j",
        "an element of `s` is assigned in several iterations",
    );
    broken(
        "s[2] = w[k] for k",
        "an element of `s` is assigned in several iterations",
    );
    broken(
        "t[e, i] = w[i] for e, i; t[e, k] = 1 for e, k",
        "an element of `t` is assigned again",
    );
    broken(
        "s[i] += w[i] for i",
        "`s` is added to before it is assigned",
    );
}

#[test]
fn definitions_come_before_reads() {
    broken("z[i] = s[i] for i", "`s` is read, and nothing assigns it");
    broken(
        "z[i] = s[i] for i; s[j] = w[j] for j",
        "`s` is read before it is assigned",
    );
    let late = "s[j] = w[j] for j; z[i] = s[i] for i; s[k] += w[k] for k";
    broken(late, "an element of `s` is written after it is read");
    let turns = "s[3] = 1; t[0, k] = s[k] for k; z[i] = c[i] for i; s[k] = t[0, k] for k";
    broken(turns, "it takes turns with equations over other loops");
}

fn sound(equations: &str) {
    assert_eq!(found(&parsed(equations)), [""; 0], "{equations}");
}
