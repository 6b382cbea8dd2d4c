//! An acoustic wave through layers of rock, in three dimensions.
//!
//! ```text
//! cargo run --release --example acoustic -- [--size POINTS] [--steps STEPS] [--output DIR]
//! ```
//!
//! A source below the surface sends out a wavelet; layers reflect it, and a ball bends it. Slices of
//! the pressure, over a picture of the speeds, are written as PNG while it travels. `kernels` has the
//! loops, of order 8 in space; `medium` what they are given.

mod kernels;
mod medium;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use loopwright_pictures::{ended, field, folder, number, shortest, table};
use ndarray::Array3;

use kernels::step;

/// Propagates an acoustic wave through layers of rock and writes pictures of it.
#[derive(Parser)]
#[command(
    name = "acoustic",
    after_help = "Examples:
  acoustic                              a few seconds, pictures in acoustic/
  acoustic --size 320 --frequency 30    a finer grid, shorter waves
  acoustic --steps 100 --pictures 1     only the start"
)]
struct Arguments {
    /// Points along each side of the cube, at 10 m from each other.
    #[arg(long, default_value_t = 160, value_parser = clap::value_parser!(u16).range(64..=1024))]
    size: u16,
    /// Steps in time; enough for the wave to cross the cube unless given.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    steps: Option<u32>,
    /// The frequency of the source, in hertz. A wave needs about four points.
    #[arg(long, default_value_t = 20.0, value_parser = frequency)]
    frequency: f32,
    /// How many pictures are written.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pictures: u32,
    /// The folder for the pictures.
    #[arg(long, value_name = "DIR", default_value = "acoustic")]
    output: PathBuf,
}

/// The distance of neighbouring points, in metres.
const SPACING: f32 = 10.0;

/// Reads a frequency.
fn frequency(text: &str) -> Result<f32, String> {
    number(text, 1.0..=500.0)
}

fn main() -> ExitCode {
    ended(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    folder(&arguments.output)?;
    let size = usize::from(arguments.size);
    let mut wave = Wave::new(size);
    let crossing = size as f32 * SPACING / 2000.0 / wave.time_step;
    let steps = arguments.steps.unwrap_or(crossing as u32);

    let progress = ProgressBar::new(u64::from(steps));
    progress.set_style(ProgressStyle::with_template(
        "{bar:24} {elapsed:>4} step {pos} of {len}",
    )?);
    let every = steps.div_ceil(arguments.pictures);
    let mut pictures = Vec::new();
    let mut time = Duration::ZERO;
    for n in 1..=steps {
        let start = Instant::now();
        wave.advance(arguments.frequency);
        time += start.elapsed();
        progress.inc(1);
        if n % every == 0 || n == steps {
            let path = arguments.output.join(format!("pressure-{n:05}.png"));
            pictures.push(wave.picture(path)?);
        }
    }
    progress.finish_and_clear();

    let points = (size - 8).pow(3) as f64;
    println!(
        "{steps} steps of {points:.0} points, {:.2} ns a point and step, source included.",
        time.as_secs_f64() * 1e9 / points / f64::from(steps)
    );
    let [before, after] =
        [step::REPORT.source, step::REPORT.expansion].map(|cost| cost.operations());
    println!("Operations a point: {before} as written, {after} as expanded.");
    println!("{}", wave.timings(points));
    println!(
        "{} pictures are in {}.",
        pictures.len(),
        arguments.output.display()
    );
    Ok(())
}

/// The pressure at two times, and what it travels through.
struct Wave {
    speeds: Array3<f32>,
    factors: Array3<f32>,
    damping: Vec<f32>,
    before: Array3<f32>,
    now: Array3<f32>,
    time_step: f32,
    steps: usize,
}

impl Wave {
    /// Rest, on a cube of `size` points a side.
    fn new(size: usize) -> Wave {
        let speeds = medium::speeds(size);
        let fastest = speeds.iter().copied().fold(0.0, f32::max);
        let time_step = medium::time_step(fastest, SPACING);
        Wave {
            factors: speeds.mapv(|speed| (speed * time_step / SPACING).powi(2)),
            speeds,
            damping: medium::damping(size),
            before: Array3::zeros((size, size, size)),
            now: Array3::zeros((size, size, size)),
            time_step,
            steps: 0,
        }
    }

    /// Where the source is.
    fn source(&self) -> (usize, usize, usize) {
        let (size, _, _) = self.now.dim();
        (size / 6, size / 2, size / 2)
    }

    /// One step in time.
    fn advance(&mut self, frequency: f32) {
        step(&self.now, &self.factors, &self.damping, &mut self.before);
        let source = self.source();
        self.before[source] += medium::ricker(self.steps as f32 * self.time_step, frequency);
        std::mem::swap(&mut self.before, &mut self.now);
        self.steps += 1;
    }

    /// Writes the slice through the source, x to the right and z downwards.
    fn picture(&self, path: PathBuf) -> Result<PathBuf, Box<dyn Error>> {
        let (size, _, _) = self.now.dim();
        let (_, y, _) = self.source();
        let largest = self
            .now
            .iter()
            .fold(0.0_f32, |m, p| m.max(p.abs()))
            .max(f32::MIN_POSITIVE);
        field(
            path,
            [size, size],
            |x, z| self.now[[z, y, x]] / (0.5 * largest),
            |x, z| 1.15 - self.speeds[[z, y, x]] / 5000.0,
        )
    }

    /// What one step takes in each variant and as text.
    fn timings(&self, points: f64) -> comfy_table::Table {
        let mut after = self.before.clone();
        let mut table = table(["variant", "ns a point", "speed-up"]);
        let text = shortest(3, || {
            step::reference(&self.now, &self.factors, &self.damping, &mut after)
        });
        let mut row = |name: &str, time: Duration| {
            table.add_row([
                name.to_owned(),
                format!("{:.2}", time.as_secs_f64() * 1e9 / points),
                format!("{:.2}", text.as_secs_f64() / time.as_secs_f64()),
            ]);
        };
        row("the text", text);
        for &isa in step::variants() {
            let mut run = || step::with(isa, &self.now, &self.factors, &self.damping, &mut after);
            if run().is_ok() {
                row(isa.name(), shortest(5, || _ = run()));
            }
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The wave after some steps, on a small cube.
    fn travelled(steps: usize) -> Wave {
        let mut wave = Wave::new(64);
        for _ in 0..steps {
            wave.advance(40.0);
        }
        wave
    }

    #[test]
    fn variants_agree_with_the_text() {
        let wave = travelled(40);
        let mut expected = wave.before.clone();
        step::reference(&wave.now, &wave.factors, &wave.damping, &mut expected);
        let largest = expected.iter().fold(0.0_f32, |m, p| m.max(p.abs()));
        for &isa in step::variants() {
            let mut after = wave.before.clone();
            if step::with(isa, &wave.now, &wave.factors, &wave.damping, &mut after).is_ok() {
                for (a, b) in after.iter().zip(&expected) {
                    assert!((a - b).abs() <= 1e-5 * largest, "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn the_front_travels_at_the_speed_of_sound() {
        let wave = travelled(60);
        let (z, y, x) = wave.source();
        // Sideways from the source the speed is that of the first layer.
        let speed = wave.speeds[[z, y, x]];
        let reached = speed * 60.0 * wave.time_step / SPACING;
        let largest = wave.now.iter().fold(0.0_f32, |m, p| m.max(p.abs()));
        let strong = |distance: usize| wave.now[[z, y + distance, x]].abs() > 1e-2 * largest;
        assert!((0..20).filter(|&d| (d as f32) < reached - 6.0).any(strong));
        assert!(!(0..28).filter(|&d| d as f32 > reached + 1.0).any(strong));
    }

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
        assert!(frequency("0").is_err() && frequency("x").is_err() && frequency("25").is_ok());
    }
}
