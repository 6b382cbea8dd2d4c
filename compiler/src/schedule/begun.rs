//! Sums that begin with what they are added to, where every addition keeps its place.
//!
//! ```text
//! loop k { c[i, j] += a[i, k] * b[k, j] }     ->     reduce k { c[i, j] += a[i, k] * b[k, j] }
//! ```
//! A sum that starts from zero and is added to an element in the end has other bits than one that the text adds to that
//! element term by term. But added in memory each term waits for the one before it to be stored and loaded again. So an accumulator
//! begins with the element, has the terms added in the order of the loops, and is what the element is then.
//!
//! Holds: instances of one equation have elements of their own, nothing else adds to these in the same loops, and the sum
//! reads neither these nor what is computed anew in loops of its own that have a known length, all of which would have to be
//! kept instead of one. Of loops of run-time length that is weighed ([`interchange`](super::interchange)).

use super::candidates::moves_alone;
use super::storage::Path;
use crate::collections::{HashMap, HashSet};
use crate::ir::{Access, Affine, ArrayId, Equation, IndexId, Operator, Program, Role};

/// The equations of a program whose additions keep their order that are such sums.
pub fn begun(program: &Program) -> HashSet<usize> {
    if !program.exact {
        return HashSet::default();
    }
    let mut result = HashSet::default();
    for group in program.together() {
        if let [at] = group.clone().collect::<Vec<usize>>()[..]
            && is_sum(program, &program.equations[at])
        {
            result.insert(at);
        }
    }
    // What takes turns in a loop takes turns in memory.
    let turns = Turns::of(program);
    result.retain(|at| !turns.has(program, &program.equations[*at]));
    result
}

/// Whether the loops of a program may change places, but for those that are summed over, and every addition keeps its place:
/// what equations add up goes to elements that are others for each iteration of the loops around, and nothing else adds to
/// these in the same loops.
pub fn keeps_order(program: &Program) -> bool {
    let turns = Turns::of(program);
    let own = |equation: &Equation| {
        let still: Vec<IndexId> = equation.still().collect();
        let mut around = equation.free.iter().filter(|index| !still.contains(index));
        around.all(|index| is_along(&equation.target, *index)) && !turns.has(program, equation)
    };
    let mut adds = program.equations.iter().filter(|own| is_added(own));
    !program.exact || adds.all(own)
}

/// How many equations add to each array in each loop.
struct Turns(HashMap<(ArrayId, IndexId), usize>);

impl Turns {
    fn of(program: &Program) -> Turns {
        let mut around: HashMap<(ArrayId, IndexId), usize> = HashMap::default();
        for equation in program.equations.iter().filter(|own| is_added(own)) {
            for index in equation.domain() {
                let array = program.viewed(equation.target.array);
                *around.entry((array, index)).or_default() += 1;
            }
        }
        Turns(around)
    }

    /// Whether others add to what an equation adds to, in loops of its own.
    fn has(&self, program: &Program, equation: &Equation) -> bool {
        let array = program.viewed(equation.target.array);
        let mut all = equation.domain();
        all.any(|index| self.0.get(&(array, index)).is_some_and(|count| *count > 1))
    }
}

fn is_added(equation: &Equation) -> bool {
    equation.operator.accumulated().is_some()
}

/// Whether a subscript follows one loop alone.
fn is_along(target: &Access, index: IndexId) -> bool {
    let mut subscripts = target.subscripts.iter();
    subscripts.any(|subscript| moves_alone(subscript, index))
}

/// Whether an equation adds up, over loops of their own, to elements that are others for each iteration of those around.
fn is_sum(program: &Program, equation: &Equation) -> bool {
    let target = &equation.target;
    if !is_added(equation)
        || equation.reduction.is_empty()
        || !matches!(
            program.array(target.array).role,
            Role::Output(_) | Role::Temporary
        )
        || target.subscripts.iter().any(Affine::is_mapped)
    {
        return false;
    }
    let along = |index: &IndexId| is_along(target, *index);
    let over = |index: &IndexId| target.depends_on(*index);
    if !equation.free.iter().all(along) || equation.reduction.iter().any(over) {
        return false;
    }
    // Nothing but the sums of outputs is weighed against what takes turns in loops, as the text has it.
    let is_known = |index: &IndexId| program.is_constant(*index);
    let output = matches!(program.array(target.array).role, Role::Output(_));
    if !output && equation.reduction.iter().all(is_known) {
        return false;
    }
    let own = program.viewed(target.array);
    let read = program.pool.accesses([equation.expr]);
    read.iter().all(|(_, access)| {
        let temporary = matches!(program.array(access.array).role, Role::Temporary);
        let anew = |index: &IndexId| access.depends_on(*index) && (is_known(index) || !output);
        program.viewed(access.array) != own && !(temporary && equation.reduction.iter().any(anew))
    })
}

/// The temporaries that are given a value and then begin a sum with it, in the same iterations of loops: a variable has the
/// one, and another one of its name the other.
pub fn named_again(
    program: &Program,
    begun: &HashSet<usize>,
    paths: &HashMap<usize, Path>,
) -> Vec<ArrayId> {
    let mut writers: HashMap<ArrayId, Vec<usize>> = HashMap::default();
    for (at, equation) in program.equations.iter().enumerate() {
        writers.entry(equation.target.array).or_default().push(at);
    }
    let sums = begun.iter().filter_map(|sum| {
        let target = &program.equations[*sum].target;
        let [first, second] = writers[&target.array].as_slice() else {
            return None;
        };
        let given = &program.equations[*first];
        let assigned = given.operator == Operator::Assign && given.reduction.is_empty();
        let same = given.target == *target && paths.get(first) == paths.get(second);
        (second == sum && assigned && same).then_some(target.array)
    });
    let mut all: Vec<ArrayId> = sums.collect();
    all.sort_unstable();
    all
}

#[cfg(test)]
mod tests {
    use super::begun;
    use crate::schedule::tree_for_avx2;

    #[test]
    fn their_terms_are_added_in_register_tiles() {
        let program = "program p\nexact\nindex k: 9\nindex i: 4\nindex j: 4\nparam 0 a: f64[4, 9]\n\
             param 1 b: f64[9, 4]\noutput 2 c: f64[4, 4]\nc[i, j] += sum(k) a[i, k] * b[k, j]   for i, j\n";
        let tree = tree_for_avx2(program);
        assert!(tree.contains("reduce k {"), "{tree}");
        assert!(tree.contains("eq 0 @ i+3   // c[i + 3, j] +="), "{tree}");
    }

    /// The equations that begin with what they are added to.
    fn check(equations: &str, expected: &[usize]) {
        let text = format!(
            "program p\nexact\nindex i: 5\nindex j: 4\nindex k: 3\nindex l: 3\nindex e: n\n\
             param 0 n: usize\nparam 1 a: f64[5, 3]\nparam 2 b: f64[3, 4]\nparam 3 m: usize[5]\n\
             output 4 c: f64[5, 4]\noutput 5 d: f64[n]\nstate 4 c_0: f64[5, 4]\n{equations}"
        );
        let program = crate::ir::text::parse(&text).unwrap();
        let mut found: Vec<usize> = begun(&program).into_iter().collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{equations}");
    }

    #[test]
    fn sums_of_known_length_begin_with_their_elements() {
        check("c[i, j] += sum(k) a[i, k] * b[k, j]   for i, j\n", &[0]);
        check("d[e] += sum(k, j) b[k, j]   for e\n", &[0]);
        // One after the other.
        check(
            "c[i, j] += sum(k) a[i, k]   for i, j\nd[e] += sum(l) a[0, l]   for e\n",
            &[0, 1],
        );
    }

    #[test]
    fn others_are_added_where_they_belong() {
        // Elements that several iterations share, or that index maps say.
        check("c[0, j] += sum(k) a[i, k] * b[k, j]   for i, j\n", &[]);
        check("d[i + j] += sum(k) a[i, k] * b[k, j]   for i, j\n", &[]);
        check("d[m[i]] += sum(k) a[i, k]   for i\n", &[]);
        // Its own elements, and statements that take turns.
        check("c[i, j] += sum(k) a[i, k] * c_0[i, j]   for i, j\n", &[]);
        check(
            "c[i, j] += sum(k) a[i, k]   for i, j\nc[i, j] += sum(k) b[k, j]   for i, j\n",
            &[],
        );
        check("c[i, j] += a[i, 0] * b[0, j]   for i, j\n", &[]);
    }
}
