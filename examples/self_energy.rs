//! The self-energy of electrons in a solid: a sequence of sums of products whose temporaries are larger than all
//! else, unfused, with loops fused, and with some values computed again (Lam 1999, section 3.4).
//!
//! ```text
//! cargo run --release --example self_energy
//! ```
//!
//! The text is the paper's, with arrays for all that it names; transforms are sums here, and sizes are such that it
//! runs in a moment. `reference` runs it as it stands, and the same text with bounds on memory becomes the other two.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use comfy_table::Table;
use loopwright::kernel;

/// Numbers of vectors k, times t, reciprocal and lattice vectors, and points r.
const K: usize = 4;
const T: usize = 6;
const L: usize = 16;
const R: usize = 128;

type Orbitals = [[f64; L]; R];
type Greens = [[[f64; T]; L]; L];
type Phases = [[f64; R]; K];
type Waves = [[f64; R]; L];
type SelfEnergy = [[[[f64; L]; L]; T]; K];

/// The sequence, for one bound on memory.
macro_rules! sequence {
    ($name:ident, $memory:literal) => {
        kernel! {
            const K: usize = 4;
            const T: usize = 6;
            const L: usize = 16;
            const R: usize = 128;

            /// Adds the self-energy of points to `energy`.
            #[opt(memory = $memory)]
            pub fn $name(
                y: &[[f64; L]; R], green: &[[[f64; T]; L]; L], phase: &[[f64; R]; K], wave: &[[f64; R]; L],
                energy: &mut [[[[f64; L]; L]; T]; K],
            ) {
                let mut f1 = vec![[[[0.0; T]; L]; L]; R];
                let mut f2 = vec![[[0.0; T]; L]; R];
                let mut f5 = vec![[[[0.0; T]; R]; L]; R];
                let mut f6 = vec![[[0.0; T]; R]; R];
                let mut f7 = vec![[[0.0; R]; R]; K];
                let mut f10 = vec![[[0.0; T]; R]; R];
                let mut f11 = vec![[[[0.0; T]; R]; R]; K];
                let mut f13 = vec![[[[0.0; L]; T]; R]; K];
                for r in 0..R {
                    for l in 0..L {
                        for m in 0..L {
                            for t in 0..T {
                                f1[r][l][m][t] = y[r][l] * green[m][l][t];
                            }
                        }
                    }
                }
                for r in 0..R {
                    for m in 0..L {
                        for t in 0..T {
                            let mut sum = 0.0;
                            for l in 0..L {
                                sum += f1[r][l][m][t];
                            }
                            f2[r][m][t] = sum;
                        }
                    }
                }
                for r in 0..R {
                    for l in 0..L {
                        for s in 0..R {
                            for t in 0..T {
                                f5[r][l][s][t] = y[r][l] * f2[s][l][t];
                            }
                        }
                    }
                }
                for r in 0..R {
                    for s in 0..R {
                        for t in 0..T {
                            let mut sum = 0.0;
                            for l in 0..L {
                                sum += f5[r][l][s][t];
                            }
                            f6[r][s][t] = sum;
                        }
                    }
                }
                for k in 0..K {
                    for r in 0..R {
                        for s in 0..R {
                            f7[k][r][s] = phase[k][r] * phase[k][s];
                        }
                    }
                }
                for r in 0..R {
                    for s in 0..R {
                        for t in 0..T {
                            f10[r][s][t] = f6[r][s][t] * f6[s][r][t];
                        }
                    }
                }
                for k in 0..K {
                    for r in 0..R {
                        for s in 0..R {
                            for t in 0..T {
                                f11[k][r][s][t] = f7[k][r][s] * f10[r][s][t];
                            }
                        }
                    }
                }
                for k in 0..K {
                    for s in 0..R {
                        for t in 0..T {
                            for g in 0..L {
                                let mut sum = 0.0;
                                for r in 0..R {
                                    sum += f11[k][r][s][t] * wave[g][r];
                                }
                                f13[k][s][t][g] = sum;
                            }
                        }
                    }
                }
                for k in 0..K {
                    for t in 0..T {
                        for g in 0..L {
                            for h in 0..L {
                                for s in 0..R {
                                    energy[k][t][g][h] += f13[k][s][t][g] * wave[h][s];
                                }
                            }
                        }
                    }
                }
            }
        }
    };
}

sequence!(fused, "1 MiB");
sequence!(relaxed, "40 KiB");

/// Bytes of the arrays that the text names.
const NAMED: u64 = {
    let squares = R * R * (T + T + K + K * T);
    let others = R * L * T * (L + 1 + R) + K * R * T * L;
    8 * (squares + others) as u64
};

/// A way to run the sequence.
struct Way {
    name: &'static str,
    run: fn(&Orbitals, &Greens, &Phases, &Waves, &mut SelfEnergy),
    operations: u64,
    bytes: u64,
    /// What the paper has: operations, and elements of temporaries.
    paper: [f64; 2],
}

const WAYS: [Way; 3] = [
    Way {
        name: "unfused",
        run: fused::reference,
        operations: fused::REPORT.source.operations(),
        bytes: NAMED,
        paper: [1.89e15, 1.13e14],
    },
    Way {
        name: "fused",
        run: fused,
        operations: fused::REPORT.expansion.operations(),
        bytes: fused::REPORT.expansion.temporary_bytes,
        paper: [1.89e15, 1.10e11],
    },
    Way {
        name: "relaxed",
        run: relaxed,
        operations: relaxed::REPORT.expansion.operations(),
        bytes: relaxed::REPORT.expansion.temporary_bytes,
        paper: [2.10e15, 1.12e9],
    },
];

/// Numbers between -1 and 1.
fn number(at: usize) -> f64 {
    (at * 7919 % 1009) as f64 / 504.5 - 1.0
}

fn main() -> Result<(), Box<dyn Error>> {
    let y: Box<Orbitals> = Box::new(std::array::from_fn(|r| {
        std::array::from_fn(|l| number(r * L + l))
    }));
    let green: Box<Greens> = Box::new(std::array::from_fn(|m| {
        std::array::from_fn(|l| std::array::from_fn(|t| number((m * L + l) * T + t + 5)))
    }));
    let phase: Box<Phases> = Box::new(std::array::from_fn(|k| {
        std::array::from_fn(|r| number(k * R + r + 3))
    }));
    let wave: Box<Waves> = Box::new(std::array::from_fn(|g| {
        std::array::from_fn(|r| number(g * R + r + 9))
    }));
    let mut table = Table::new();
    table.set_header([
        "",
        "operations",
        "paper",
        "temporaries, bytes",
        "paper, elements",
        "milliseconds",
    ]);
    let mut results: Vec<Box<SelfEnergy>> = Vec::new();
    for way in &WAYS {
        let mut best = f64::INFINITY;
        let mut energy: Box<SelfEnergy> = Box::new([[[[0.0; L]; L]; T]; K]);
        for _ in 0..9 {
            *energy = [[[[0.0; L]; L]; T]; K];
            let start = Instant::now();
            (way.run)(black_box(&y), &green, &phase, &wave, &mut energy);
            best = best.min(start.elapsed().as_secs_f64() * 1e3);
        }
        results.push(energy);
        let of = |way: &Way| [way.operations, way.bytes].map(|n| n as f64);
        let (own, first) = (of(way), of(&WAYS[0]));
        let ratio = |n: f64, of: f64| format!("{:.4} of the first", n / of);
        table.add_row([
            way.name.to_owned(),
            format!("{:.0} ({})", own[0], ratio(own[0], first[0])),
            format!(
                "{:.2e} ({})",
                way.paper[0],
                ratio(way.paper[0], WAYS[0].paper[0])
            ),
            format!("{:.0} ({})", own[1], ratio(own[1], first[1])),
            format!(
                "{:.2e} ({})",
                way.paper[1],
                ratio(way.paper[1], WAYS[0].paper[1])
            ),
            format!("{best:.2}"),
        ]);
    }
    println!("{table}");
    let numbers = |energy: &SelfEnergy| {
        energy
            .iter()
            .flatten()
            .flatten()
            .flatten()
            .copied()
            .collect::<Vec<f64>>()
    };
    let expected = numbers(&results[0]);
    let largest = expected.iter().fold(0.0_f64, |most, n| most.max(n.abs()));
    for (way, energy) in WAYS.iter().zip(&results) {
        let differences = numbers(energy)
            .into_iter()
            .zip(&expected)
            .map(|(a, b)| (a - b).abs());
        let difference = differences.fold(0.0, f64::max) / largest;
        if difference > 1e-12 {
            return Err(format!("{} differs by {difference:.1e}", way.name).into());
        }
    }
    println!("All agree to 1e-12 of the largest number.");
    Ok(())
}
