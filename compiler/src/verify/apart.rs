//! Programs in which each loop of run-time length has a length of its own, where many stand inside each other.
//!
//! ```text
//! r[a, b, i, j] += sum(c, d) v[a, b, c, d] * t[c, d, i, j]      a, b, c, d: n; i, j: m
//! r[a, b, i, j] += sum(c, d) v[a, b, c, d] * t[c, d, i, j]      a: n1; b: n2; c: n3; …
//! ```
//! A loop tree in register tiles has to run with loops that are longer than their steps, those over lanes above all.
//! With one length for all of them that is too much to run; with their own, few are long. What holds for
//! any lengths holds for equal ones. The tree is compared with its own program, whose equations are executed one after the
//! other: those of other programs have other loops. Loops along a dimension of a temporary or an output keep one length; inputs
//! are views that are as long as their subscripts ask for.
//!
//! A length is told apart where nothing but loops and dimensions knows it: it is in no subscript and no value, and a
//! dimension with it is subscripted by loops with it.

use std::collections::{BTreeMap, BTreeSet};

use super::shrink::Union;
use crate::collections::{HashMap, HashSet};
use crate::ir::{
    Access, Affine, ArrayId, Atom, Element, Equation, Extent, IndexId, Operator, Program, Role,
};
use crate::schedule::tree::{self, Node, Schedule};
use crate::syntax::ast::IntegerType;

/// Loops of run-time length inside each other that all may have one length.
const TOGETHER: usize = 2;

/// A scheduled program, and the same with lengths told apart, with its equations in an order in which they can be executed.
pub struct Apart {
    /// The program as it was, in that order.
    pub ordered: Program,
    /// The same with lengths told apart.
    pub before: Program,
    /// The scheduled program.
    pub program: Program,
    /// Its loop tree.
    pub schedule: Schedule,
}

/// Tells lengths apart, if there are many loops inside each other and any of their lengths can be.
pub fn apart(program: &Program, schedule: &Schedule) -> Option<Apart> {
    let deep = program.equations.iter().any(|equation| {
        let long = equation
            .domain()
            .filter(|index| !program.is_constant(*index));
        long.count() > TOGETHER
    });
    if !deep || !is_plain(program, schedule) {
        return None;
    }
    let fixed = fixed(program);
    let free = |extent: &Extent| is_free(extent, &fixed);
    let classes = classes(program, &free);
    let mut result = program.clone();
    let positions = program.arrays.iter().filter_map(|a| a.role.position());
    let mut position = positions.max().map_or(0, |last| last + 1);
    let mut lengths: BTreeMap<usize, Extent> = BTreeMap::new();
    for index in program.equations.iter().flat_map(Equation::domain) {
        if free(&program.loop_index(index).extent) {
            let at = index.0 as usize;
            lengths.entry(classes.root(at)).or_insert_with(|| {
                let (usize, role) = (IntegerType::Usize, Role::Parameter(position));
                let own = result.add_array("length", Element::Integer(usize), Vec::new(), role);
                position += 1;
                Extent::RunTime(Affine::atom(Atom::Scalar(own)))
            });
        }
    }
    tell_apart(&mut result, &classes, &lengths, &free);
    let mut schedule = schedule.clone();
    ends(&result, &mut schedule.body);
    let equations = in_order(program, &schedule);
    let ordered = |program: &Program| Program {
        equations: equations.clone(),
        ..program.clone()
    };
    (!lengths.is_empty()).then(|| Apart {
        ordered: ordered(program),
        before: ordered(&result),
        program: result,
        schedule,
    })
}

/// Whether each parameter is of one shape, nothing is staged, and no iteration depends on the number of others.
fn is_plain(program: &Program, schedule: &Schedule) -> bool {
    let one_shape =
        program.arrays.iter().enumerate().all(|(at, array)| {
            array.shape == program.array(program.viewed(ArrayId(at as u32))).shape
        });
    let in_turns = program.repeated.is_some() || program.recurrence().is_some();
    one_shape && !in_turns && schedule.copies().is_empty() && runs_alone(program, &schedule.body)
}

/// The equations in the order in which the tree has them. What is added to a temporary that begins with zeros is a sum.
fn in_order(program: &Program, schedule: &Schedule) -> Vec<Equation> {
    let mut zeroed = HashSet::default();
    zeros(&schedule.body, &mut zeroed);
    let mut seen = HashSet::default();
    let instances = tree::instances(&schedule.body).into_iter();
    let order = instances.map(|instance| instance.equation);
    let order = order.filter(|at| seen.insert(*at));
    let equation = |at: usize| {
        let mut equation = program.equations[at].clone();
        if zeroed.contains(&equation.target.array) && equation.adds_up() {
            let mut still = equation.free.clone();
            still.retain(|index| !equation.target.depends_on(*index));
            equation.sum_over(still);
            equation.operator = Operator::Assign;
        }
        equation
    };
    order.map(equation).collect()
}

/// The arrays that begin with zeros.
fn zeros(nodes: &[Node], found: &mut HashSet<ArrayId>) {
    for node in nodes {
        match node {
            Node::Loop(l) => zeros(&l.body, found),
            Node::Zero(array) => {
                found.insert(*array);
            }
            _ => {}
        }
    }
}

/// Whether no loop has others that move along, and each that ends when the kernel says so ends where its index does.
fn runs_alone(program: &Program, nodes: &[Node]) -> bool {
    nodes.iter().all(|node| match node {
        Node::Loop(l) => {
            let ends = l.end == program.loop_index(l.index).extent;
            let known = l.end.as_constant().is_some() && program.is_constant(l.index);
            l.with.is_empty() && (ends || known) && runs_alone(program, &l.body)
        }
        _ => true,
    })
}

/// The inputs that an affine function is made of.
fn atoms(affine: &Affine, found: &mut BTreeSet<Atom>) {
    for (atom, _) in &affine.terms {
        match atom {
            Atom::Scalar(_) | Atom::Length(..) => {
                found.insert(atom.clone());
            }
            Atom::Map(_, subscripts) => subscripts.iter().for_each(|s| atoms(s, found)),
            Atom::Index(_) => {}
        }
    }
}

/// Whether an extent is made of inputs that nothing but loops and dimensions knows.
fn is_free(extent: &Extent, fixed: &BTreeSet<Atom>) -> bool {
    let Extent::RunTime(affine) = extent else {
        return false;
    };
    let mut own = BTreeSet::new();
    atoms(affine, &mut own);
    own.is_disjoint(fixed)
}

/// The accesses of a program.
fn accesses(program: &Program) -> Vec<&Access> {
    let values = program.equations.iter().map(|equation| equation.expr);
    let reads = program
        .pool
        .accesses(values)
        .into_iter()
        .map(|(_, access)| access);
    reads
        .chain(program.equations.iter().map(|e| &e.target))
        .collect()
}

/// Whether an extent is the length of an array of its own.
fn is_own(program: &Program, array: ArrayId, (axis, extent): (usize, &Extent)) -> bool {
    let viewed = program.viewed(array);
    let own = [array, viewed].map(|array| Some(Affine::atom(Atom::Length(array, axis))));
    let given = program.array(array).role.position().is_some();
    given && (own.contains(&extent.run_time().cloned()) || (axis == 0 && program.array(array).flat))
}

/// The inputs that more than loops and dimensions know.
fn fixed(program: &Program) -> BTreeSet<Atom> {
    let mut fixed = BTreeSet::new();
    let mut others: HashSet<(ArrayId, usize)> = HashSet::default();
    for access in accesses(program) {
        let array = program.array(access.array);
        access.subscripts.iter().for_each(|s| atoms(s, &mut fixed));
        if array.shape.is_empty() {
            fixed.insert(Atom::Scalar(program.viewed(access.array)));
        }
        for (axis, subscript) in access.subscripts.iter().enumerate() {
            let along = |index| program.loop_index(index).extent == array.shape[axis];
            if !subscript.as_index().is_some_and(along) {
                others.insert((access.array, axis));
            }
        }
    }
    loop {
        let before = fixed.len();
        for at in 0..program.arrays.len() {
            let more = fixed_by(program, ArrayId(at as u32), (&fixed, &others));
            fixed.extend(more);
        }
        if fixed.len() == before {
            return fixed;
        }
    }
}

/// The inputs that an array's dimensions are made of, where these keep their lengths: those with one that is known
/// otherwise, or with subscripts that are no loops along them. A slice keeps all or none.
fn fixed_by(
    program: &Program,
    id: ArrayId,
    (fixed, others): (&BTreeSet<Atom>, &HashSet<(ArrayId, usize)>),
) -> BTreeSet<Atom> {
    let array = program.array(id);
    let kept = |(axis, extent): &(usize, &Extent)| {
        let known = others.contains(&(id, *axis)) || !is_free(extent, fixed);
        extent.run_time().is_some() && !is_own(program, id, (*axis, extent)) && known
    };
    let length = Atom::Length(id, 0);
    let mut result = BTreeSet::new();
    let mut shape = array.shape.iter().enumerate();
    if array.flat && (fixed.contains(&length) || shape.any(|own| kept(&own))) {
        result.insert(length);
        let all = array.shape.iter().filter_map(Extent::run_time);
        all.for_each(|affine| atoms(affine, &mut result));
    }
    for (_, extent) in array.shape.iter().enumerate().filter(kept) {
        extent
            .run_time()
            .into_iter()
            .for_each(|affine| atoms(affine, &mut result));
    }
    result
}

/// Loops that keep one length: those along a dimension of what is written.
fn classes(program: &Program, free: &dyn Fn(&Extent) -> bool) -> Union {
    let mut classes = Union::new(program.indices.len());
    let mut along: HashMap<(ArrayId, usize), IndexId> = HashMap::default();
    for access in accesses(program) {
        if matches!(program.array(access.array).role, Role::Parameter(_)) {
            continue;
        }
        for (axis, subscript) in access.subscripts.iter().enumerate() {
            let Some(index) = subscript.as_index() else {
                continue;
            };
            let array = program.viewed(access.array);
            let first = *along.entry((array, axis)).or_insert(index);
            let extents = [first, index].map(|index| &program.loop_index(index).extent);
            if extents[0] == extents[1] && free(extents[0]) {
                classes.join(first.0 as usize, index.0 as usize);
            }
        }
    }
    classes
}

/// Gives loops, and the dimensions along them, their own lengths.
fn tell_apart(
    program: &mut Program,
    classes: &Union,
    lengths: &BTreeMap<usize, Extent>,
    free: &dyn Fn(&Extent) -> bool,
) {
    let of = |index: IndexId| lengths.get(&classes.root(index.0 as usize)).cloned();
    // What nothing accesses takes no room.
    let room = |extent: &Extent| match free(extent) {
        true => Extent::Constant(1),
        false => extent.clone(),
    };
    let shapes = program.arrays.iter();
    let shapes = shapes.map(|array| array.shape.iter().map(room).collect());
    let mut shapes: Vec<Vec<Extent>> = shapes.collect();
    for access in accesses(program) {
        for (axis, subscript) in access.subscripts.iter().enumerate() {
            let temporary = matches!(program.array(access.array).role, Role::Temporary);
            let extent = &program.array(access.array).shape[axis];
            if let Some(own) = subscript.as_index().and_then(of)
                && temporary
                && free(extent)
            {
                shapes[access.array.0 as usize][axis] = own;
            }
        }
    }
    for (at, shape) in shapes.iter_mut().enumerate() {
        let id = program.viewed(ArrayId(at as u32));
        let array = &program.arrays[at];
        let given = array.role.position().is_some();
        let mut inner = array.shape.iter().skip(1);
        let length = Extent::RunTime(Affine::atom(Atom::Length(id, 0)));
        let flat = array.flat
            && free(&length)
            && inner.all(|extent| extent.as_constant().is_some() || free(extent));
        for (axis, own) in shape.iter_mut().enumerate().filter(|_| given) {
            let extent = &array.shape[axis];
            if free(extent) || (flat && extent.run_time().is_some()) {
                *own = Extent::RunTime(Affine::atom(Atom::Length(id, axis)));
            }
        }
        if flat {
            program.arrays[at].flat = false;
            program.arrays[at].inner = 0;
        }
    }
    for (array, shape) in program.arrays.iter_mut().zip(shapes) {
        array.shape = shape;
    }
    for at in 0..program.indices.len() {
        if free(&program.indices[at].extent) {
            program.indices[at].extent = of(IndexId(at as u32)).unwrap_or(Extent::Constant(1));
        }
    }
}

/// Loops end where their indices do.
fn ends(program: &Program, nodes: &mut [Node]) {
    for node in nodes {
        if let Node::Loop(l) = node {
            if l.end.run_time().is_some() {
                l.end = program.loop_index(l.index).extent.clone();
            }
            ends(program, &mut l.body);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::apart;
    use crate::ir::text::{parse, print};
    use crate::schedule::{Target, Wishes, schedule};

    /// The lengths of the loops of a program's tree for AVX2, and the shapes of its arrays, if they are told apart.
    fn told_apart(program: &str) -> Option<String> {
        let target = Target {
            width: 4,
            registers: 16,
        };
        let found = schedule(&parse(program).unwrap(), target, &Wishes::default()).unwrap();
        let apart = apart(&found.program, &found.schedule)?;
        let text = print(&apart.before);
        let lines = text
            .lines()
            .filter(|line| line.contains(':') && !line.contains("usize"));
        Some(lines.collect::<Vec<_>>().join("; "))
    }

    const HEAD: &str = "program p\nindex i: n\nindex j: n\nindex k: n\nparam 0 a: f64[len(a), n] flat\n\
         param 1 b: f64[len(b), n] flat\noutput 2 c: f64[len(c), n] flat\nparam 3 n: usize\n";

    #[test]
    fn loops_have_lengths_of_their_own_but_along_what_is_written() {
        let found = told_apart(&format!(
            "{HEAD}temp t: f64[n, n]\nt[i, k] = sum(j) a[i, j] * b[j, k]   for i, k\n\
             c[i, j] += sum(k) t[i, k] * b[k, j]   for i, j\n"
        ));
        let found = found.unwrap();
        assert!(found.contains("len(b, 1)"), "{found}");
        let lengths = found.split("; ").filter(|line| line.contains(": length"));
        let lengths = lengths.filter_map(|line| line.split(": ").nth(1));
        let lengths: std::collections::BTreeSet<&str> = lengths.collect();
        // The rows of both steps, the columns that the second one sums over, and one for each sum or column that is left.
        assert_eq!(lengths.len(), 4, "{found}");
    }

    #[test]
    fn a_length_that_subscripts_know_is_one() {
        let found = told_apart(&format!(
            "{HEAD}param 4 x: f64[len(x)]\nc[i, j] += sum(k) a[i, k] * b[k, j] * x[k + n]   for i, j\n"
        ));
        assert_eq!(found, None);
    }
}
