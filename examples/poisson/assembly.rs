//! Assembly, by the best variant or by each in turn with a clock.

use std::time::{Duration, Instant};

use loopwright::{Isa, Unavailable};

use crate::element::Element;
use crate::mesh::Mesh;
use crate::space::Space;
use crate::system::Pattern;

/// How often each variant is timed.
const REPETITIONS: usize = 5;

/// What is assembled, and from what.
pub struct Problem<'a, const N: usize, const G: usize> {
    /// The kernels.
    pub element: &'a Element<N, G>,
    /// The mesh.
    pub mesh: &'a Mesh<G>,
    /// The numbers of the functions.
    pub space: &'a Space<N>,
    /// Where the matrix has entries.
    pub pattern: &'a Pattern<N>,
    /// The nodal values of the right-hand side.
    pub f: &'a [f64],
}

/// A matrix and a right-hand side.
pub struct System {
    /// The entries of the matrix, in the order of its pattern.
    pub values: Vec<f64>,
    /// The right-hand side.
    pub b: Vec<f64>,
}

/// How one variant did.
pub struct Timing {
    /// `reference`, or the name of an instruction set.
    pub name: String,
    /// The medians, or why it did not run.
    pub outcome: Result<Outcome, Unavailable>,
}

/// The measurements of a variant.
pub struct Outcome {
    /// The median time of the stiffness matrix.
    pub stiffness: Duration,
    /// The median time of the load vector.
    pub load: Duration,
    /// The largest difference from the reference's entries, relative to the largest of those.
    pub difference: f64,
}

impl<const N: usize, const G: usize> Problem<'_, N, G> {
    fn zeros(&self) -> System {
        let values = vec![0.0; self.pattern.columns.len()];
        let b = vec![0.0; self.space.len()];
        System { values, b }
    }

    /// Assembles with the best variants.
    pub fn assemble(&self) -> System {
        let mut system = self.zeros();
        let (nodes, cells) = (&self.mesh.nodes, &self.mesh.cells);
        (self.element.stiffness.run)(nodes, cells, &self.pattern.position, &mut system.values);
        (self.element.load.run)(nodes, cells, &self.space.dofs, self.f, &mut system.b);
        system
    }

    /// Times the reference and every variant, in turn in each repetition; `tick` is called after
    /// each run.
    pub fn time(&self, mut tick: impl FnMut()) -> Vec<Timing> {
        let variants = (self.element.stiffness.variants)().iter();
        let runs: Vec<Option<Isa>> = std::iter::once(None)
            .chain(variants.copied().map(Some))
            .collect();
        let mut times = vec![Ok(Vec::new()); runs.len()];
        let mut differences = vec![0.0_f64; runs.len()];
        let (mut system, mut reference) = (self.zeros(), self.zeros());
        for repetition in 0..REPETITIONS {
            for (r, &isa) in runs.iter().enumerate() {
                let into = if r == 0 { &mut reference } else { &mut system };
                match (self.run(isa, into), &mut times[r]) {
                    (Ok(pair), Ok(pairs)) => pairs.push(pair),
                    (Err(error), outcome) => *outcome = Err(error),
                    (Ok(_), Err(_)) => {}
                }
                if r > 0 && repetition == 0 {
                    differences[r] = difference(&system.values, &reference.values)
                        .max(difference(&system.b, &reference.b));
                }
                tick();
            }
        }
        let rows = runs.into_iter().zip(times).zip(differences);
        rows.map(|((isa, times), difference)| Timing {
            name: isa.map_or("reference", Isa::name).to_owned(),
            outcome: times.map(|pairs: Vec<[Duration; 2]>| Outcome {
                stiffness: median(pairs.iter().map(|pair| pair[0])),
                load: median(pairs.iter().map(|pair| pair[1])),
                difference,
            }),
        })
        .collect()
    }

    /// How often [`time`](Problem::time) ticks.
    pub fn ticks(&self) -> usize {
        REPETITIONS * (1 + (self.element.stiffness.variants)().len())
    }

    /// One run of the reference or of a variant: the times of the matrix and of the vector.
    fn run(&self, isa: Option<Isa>, into: &mut System) -> Result<[Duration; 2], Unavailable> {
        into.values.fill(0.0);
        into.b.fill(0.0);
        let Element {
            stiffness, load, ..
        } = self.element;
        let (nodes, cells) = (&self.mesh.nodes[..], &self.mesh.cells[..]);
        let (position, dofs) = (&self.pattern.position[..], &self.space.dofs[..]);
        let start = Instant::now();
        match isa {
            None => (stiffness.reference)(nodes, cells, position, &mut into.values),
            Some(isa) => (stiffness.with)(isa, nodes, cells, position, &mut into.values)?,
        }
        let middle = Instant::now();
        match isa {
            None => (load.reference)(nodes, cells, dofs, self.f, &mut into.b),
            Some(isa) => (load.with)(isa, nodes, cells, dofs, self.f, &mut into.b)?,
        }
        Ok([middle - start, middle.elapsed()])
    }
}

fn median(times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The largest difference, relative to the largest entry of the reference.
fn difference(values: &[f64], reference: &[f64]) -> f64 {
    let largest = reference
        .iter()
        .fold(0.0, |max: f64, value| max.max(value.abs()));
    let pairs = values.iter().zip(reference);
    let difference = pairs.fold(0.0, |max: f64, (a, b)| {
        let difference = (a - b).abs();
        // `max` would lose a NaN.
        if difference.is_nan() {
            f64::INFINITY
        } else {
            max.max(difference)
        }
    });
    difference / if largest > 0.0 { largest } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::kernels::*;
    use crate::mesh::{AnyMesh, EDGES, cube};

    /// A cube whose cells have ten nodes each, at the middles of their edges.
    fn straight_curved_cube(n: usize) -> Mesh<10> {
        let Mesh {
            mut nodes,
            cells,
            groups,
        } = cube(n);
        let cells = cells.iter().map(|cell| {
            let mut curved = [0; 10];
            curved[..4].copy_from_slice(cell);
            for (node, [a, b]) in curved[4..].iter_mut().zip(EDGES) {
                let ends = [nodes[cell[a]], nodes[cell[b]]];
                *node = nodes.len();
                nodes.push(std::array::from_fn(|d| (ends[0][d] + ends[1][d]) / 2.0));
            }
            curved
        });
        let cells = cells.collect();
        Mesh {
            nodes,
            cells,
            groups,
        }
    }

    fn assemble<const N: usize, const G: usize>(
        element: &Element<N, G>,
        mesh: &Mesh<G>,
    ) -> (System, Pattern<N>) {
        let space = Space::new(mesh, element.degree);
        let pattern = Pattern::new(&space.dofs, space.len());
        let (space, f) = (&space, vec![1.0; space.len()]);
        let problem = Problem {
            element,
            mesh,
            space,
            pattern: &pattern,
            f: &f,
        };
        for timing in problem.time(|| ()) {
            if let Ok(outcome) = timing.outcome {
                assert!(
                    outcome.difference < 1e-12,
                    "{}: {}",
                    timing.name,
                    outcome.difference
                );
            }
        }
        (problem.assemble(), pattern)
    }

    #[test]
    fn straight_cells_give_the_same_as_affine_ones() {
        fn check<const N: usize>(affine: &Element<N, 4>, curved: &Element<N, 10>) {
            let (one, _) = assemble(affine, &cube(2));
            let (other, _) = assemble(curved, &straight_curved_cube(2));
            assert!(difference(&other.values, &one.values) < 1e-13);
            assert!(difference(&other.b, &one.b) < 1e-13);
            assert!(
                (one.b.iter().sum::<f64>() - 1.0).abs() < 1e-13,
                "the cube's volume"
            );
        }
        check(&p1_affine::ELEMENT, &p1_curved::ELEMENT);
        check(&p2_affine::ELEMENT, &p2_curved::ELEMENT);
        check(&p3_affine::ELEMENT, &p3_curved::ELEMENT);
    }

    #[test]
    fn constants_have_no_gradient_and_curved_cells_the_right_volume() {
        let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/meshes");
        let mesh = match crate::gmsh::read(&directory.join("bracket_curved.msh")) {
            Ok(AnyMesh::Curved(mesh)) => mesh,
            other => panic!("a curved mesh: {other:?}"),
        };
        let (system, pattern) = assemble(&p2_curved::ELEMENT, &mesh);
        for row in pattern.rows.windows(2) {
            let sum: f64 = system.values[row[0]..row[1]].iter().sum();
            assert!(sum.abs() < 1e-11, "{sum}");
        }
        // Plates 0.5 thick with holes of radius 0.45, 0.4 and 0.3; quadratic cells miss the
        // circles by little.
        let holes: f64 = [0.45, 0.4, 0.3].iter().map(|r| PI * r * r).sum();
        let exact = 0.5 * (2.0 * 6.5 - holes);
        let volume: f64 = system.b.iter().sum();
        assert!((volume - exact).abs() < 1e-3, "{volume} for {exact}");
    }
}
