//! Actions of the forms, y += A(w) u without matrices, with gathers and scatter-adds on a mesh:
//! loopwright, and the text as written.
//!
//! ```text
//! cargo bench --bench actions
//! cargo bench --bench actions -- --quick         # a ninth of the mesh, fewer rounds
//! cargo bench --bench actions -- hyperelasticity # cases with this in their name
//! ```
//!
//! Forms, elements, quadrature and mesh are those of `forms`, with all of the instances. Both run in
//! one process, in turns; the table has medians. "By hand" are the operations of quadrature with all
//! sums factorised (`tests/support/by_hand.rs`), "of limit" is the part that is reached of what the
//! processor allows, measured in the same turns: the time that the operations take at the rate of fused
//! multiply-adds, or what is scattered at the rate of stores, the longer one, over the time that it
//! takes.

/// A kernel of the suite, to be called.
macro_rules! form {
    ($($kernel:tt)*) => { loopwright::kernel! { $($kernel)* } };
}
use form;

#[macro_use]
#[path = "suite/instances.rs"]
mod instances;

#[path = "suite/actions.rs"]
mod actions;
#[path = "../tests/support/by_hand.rs"]
mod by_hand;
#[path = "support/limits.rs"]
mod limits;
#[path = "support/mesh.rs"]
mod mesh;
#[path = "support/numbering.rs"]
mod numbering;
#[allow(dead_code, reason = "batches are for matrices")]
#[path = "support/turns.rs"]
mod turns;

use std::hint::black_box;
use std::time::Duration;

use loopwright::{Isa, Report};
use turns::Settings;

/// Cells along an axis of the mesh.
const ALONG: usize = 9;
/// The material of hyperelasticity: λ and μ.
const MATERIAL: [f64; 2] = [0.7, 1.3];

/// Values of a function at a node: of a scalar, or of a vector.
trait Value: Copy {
    fn of(numbers: &mut dyn FnMut() -> f64) -> Self;
    fn flat(values: &[Self]) -> &[f64];
}

impl Value for f64 {
    fn of(numbers: &mut dyn FnMut() -> f64) -> Self {
        numbers()
    }

    fn flat(values: &[Self]) -> &[f64] {
        values
    }
}

impl Value for [f64; 3] {
    fn of(numbers: &mut dyn FnMut() -> f64) -> Self {
        [(); 3].map(|()| numbers())
    }

    fn flat(values: &[Self]) -> &[f64] {
        values.as_flattened()
    }
}

/// Values between 1/2 and 3/2 that look random, the same in each run.
fn values<V: Value>(count: usize, mut seed: u64) -> Vec<V> {
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        0.5 + (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..count).map(|_| V::of(&mut next)).collect()
}

/// What is measured, and what came of it.
struct Bench {
    settings: Settings,
    /// Ratios: operations to those by hand, time to that of the text as written; part of the limit.
    operations: Vec<f64>,
    times: Vec<f64>,
    limit: Vec<f64>,
}

/// Adds an action to some values.
type Action<'a, V> = dyn Fn(&mut [V]) + 'a;

impl Bench {
    /// Compares the expansion with the reference, then times them in turns.
    fn case<V: Value>(
        &mut self,
        (name, report): (&str, &Report),
        kernels: [&Action<V>; 2],
        zeros: Vec<V>,
        (by_hand, nodes): (usize, usize),
    ) {
        let results = kernels.map(|kernel| {
            let mut y = zeros.clone();
            kernel(&mut y);
            y
        });
        turns::assert_close(V::flat(&results[0]), V::flat(&results[1]), 1e-11);
        let mut y = zeros;
        let run = |which: usize| kernels[which](black_box(&mut y));
        let (medians, limits) = limits::medians(&self.settings, 2, run);
        let operations = report.expansion.operations();
        let limit = limits.least(operations, nodes * size_of::<V>()) / medians[0];
        let (fewer, faster) = (operations as f64 / by_hand as f64, medians[0] / medians[1]);
        println!(
            "{name:24} {:>10} {operations:>10} {fewer:>8.3} {:>10.0} {:>10.0} {faster:>8.3} {:>6.1} {limit:>6.2}",
            report.source.operations(),
            medians[1],
            medians[0],
            operations as f64 / medians[0],
        );
        self.operations.push(fewer);
        self.times.push(faster);
        self.limit.push(limit);
    }

    fn print(&self) {
        let line = |what: &str, ratios: &[f64]| {
            let less = ratios.iter().filter(|ratio| **ratio <= 1.0).count();
            let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64;
            let (all, mean) = (ratios.len(), mean.exp());
            println!("{what}: at most 1 on {less} of {all}, geometric mean {mean:.3}");
        };
        if self.times.is_empty() {
            return;
        }
        line("operations / by hand", &self.operations);
        line("time / as written", &self.times);
        line("part of the processor's limit", &self.limit);
    }
}

/// The cases of a form.
macro_rules! cases {
    ($dollar:tt $bench:ident, $form:ident, $instances:ident, $value:ty, $of:ty, ($($material:ident)?)) => {
        macro_rules! instance {
            ($kernel:ident, level: $level:literal, lagrange: $degree:literal, nodes: $nodes:literal,
             $dollar(dofs: $dofs:literal,)? quadrature: $quadrature:literal, points: $points:literal
             $dollar(, $w:ident $f:ident)*) => {{
                let name = concat!(stringify!($form), "_", stringify!($kernel));
                if $bench.settings.wants(name) {
                    use actions::$form::$kernel::apply;
                    let cells = $bench.settings.cells.clone();
                    let dofs = numbering::numbering::<$nodes>(ALONG, $degree, &cells);
                    let nodes = numbering::nodes(ALONG, $degree);
                    let [lambda, mu] = MATERIAL;
                    let mut coefficients = 0;
                    let _ = (lambda, mu, &mut coefficients);
                    $(let $material: Vec<[f64; 3]> = values(nodes, 99);)?
                    $dollar(
                        coefficients += 1;
                        let $w: Vec<$of> = values(nodes, coefficients as u64);
                    )*
                    let u: Vec<$value> = values(nodes, 50);
                    let expanded = |y: &mut [$value]| {
                        apply(&cells, &dofs, $(&$material, lambda, mu,)? $dollar(&$w,)* &u, y);
                    };
                    let written = |y: &mut [$value]| {
                        apply::reference(
                            &cells, &dofs, $(&$material, lambda, mu,)? $dollar(&$w,)* &u, y,
                        );
                    };
                    $bench.case(
                        (name, &apply::REPORT),
                        [&expanded, &written],
                        vec![<$value>::default(); nodes],
                        (by_hand::$form($nodes, $points, coefficients), $nodes),
                    );
                }
            }};
        }
        $instances!(instance, 3);
    };
}

fn mass(bench: &mut Bench) {
    cases!($ bench, mass, scalar_instances, f64, f64, ());
}

fn helmholtz(bench: &mut Bench) {
    cases!($ bench, helmholtz, scalar_instances, f64, f64, ());
}

fn elasticity(bench: &mut Bench) {
    cases!($ bench, elasticity, all_vector_instances, [f64; 3], f64, ());
}

fn hyperelasticity(bench: &mut Bench) {
    cases!($ bench, hyperelasticity, all_hyperelastic_instances, [f64; 3], [f64; 3], (displacement));
}

fn main() {
    let mut bench = Bench {
        settings: Settings::from_arguments(5, 3, Duration::from_millis(500)),
        operations: Vec::new(),
        times: Vec::new(),
        limit: Vec::new(),
    };
    println!(
        "{} tetrahedra, {}; times are nanoseconds a cell",
        bench.settings.cells.len(),
        Isa::best()
    );
    println!(
        "{:24} {:>10} {:>10} {:>8} {:>10} {:>10} {:>8} {:>6} {:>6}",
        "", "ops", "ops", "/ by", "time", "time", "/", "", "of"
    );
    println!(
        "{:24} {:>10} {:>10} {:>8} {:>10} {:>10} {:>8} {:>6} {:>6}",
        "action", "written", "expanded", "hand", "written", "expanded", "written", "GF/s", "limit"
    );
    mass(&mut bench);
    helmholtz(&mut bench);
    elasticity(&mut bench);
    hyperelasticity(&mut bench);
    bench.print();
}
